//! A timeline as a picture, for people without a trace viewer: a bar for each interval, a row for
//! each unit. It scales to any browser; its tooltips name what a bar is too short for.

use std::fmt::Write;
use std::time::Duration;

use super::{Kind, Trace, rows};

/// Width of the names, of the time line, and height of a row, in pixels.
const NAMES: f64 = 170.0;
const LINE: f64 = 1000.0;
const ROW: f64 = 24.0;
/// Room above for the legend, and below for the axis.
const TOP: f64 = 34.0;
const BOTTOM: f64 = 30.0;
/// Width of a letter, roughly.
const LETTER: f64 = 6.6;

/// Fill colours that stay apart in grey and for colour-blind people, dark text on each.
fn colour(kind: Kind) -> &'static str {
    match kind {
        Kind::Kernel => "#56b4e9",
        Kind::Upload => "#e69f00",
        Kind::Download => "#f0e442",
        Kind::Peer => "#cc79a7",
        Kind::Task => "#6fcf97",
        Kind::Wait => "#d9d9d9",
    }
}

impl Trace {
    /// The trace as an SVG picture of 1,180 pixels in width, times from its first beginning.
    pub fn to_svg(&self) -> String {
        let rows = rows::of(self);
        let (begin, span) = (self.begin(), self.makespan().as_secs_f64().max(1e-9));
        let x = |time: Duration| NAMES + time.saturating_sub(begin).as_secs_f64() / span * LINE;
        let (width, base) = (NAMES + LINE + 10.0, TOP + ROW * rows.len() as f64);
        let height = base + BOTTOM;
        let mut out = String::new();
        // Writing to a string cannot fail.
        let _ = writeln!(
            out,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" \
             width=\"{width}\" height=\"{height}\" font-family=\"sans-serif\" font-size=\"12\">\n\
             <rect width=\"100%\" height=\"100%\" fill=\"white\"/>"
        );
        self.legend(&mut out);
        if self.dropped > 0 {
            let _ = writeln!(
                out,
                "<text x=\"{}\" y=\"19.5\" text-anchor=\"end\" fill=\"#b00000\">{} earlier ones \
                 were dropped</text>",
                NAMES + LINE,
                self.dropped
            );
        }
        axis(&mut out, span, base);
        for (k, row) in rows.iter().enumerate() {
            let y = TOP + ROW * k as f64;
            let _ = writeln!(
                out,
                "<line x1=\"0\" y1=\"{y}\" x2=\"{width}\" y2=\"{y}\" stroke=\"#cccccc\" \
                 stroke-width=\"{}\"/>",
                if row.is_first { 1.0 } else { 0.3 }
            );
            if row.is_first {
                let name = shortened(&row.unit.to_string(), NAMES - 12.0);
                let _ = writeln!(out, "<text x=\"6\" y=\"{}\">{name}</text>", y + 16.5);
            }
            for interval in &row.intervals {
                let from = x(interval.begin);
                // What is shorter than a line is wide is still seen.
                let wide = (x(interval.end) - from).max(0.5);
                let name = escaped(&interval.name);
                let _ = write!(
                    out,
                    "<g><title>{name}: {}, {:?}{}</title><rect x=\"{from:.2}\" y=\"{}\" \
                     width=\"{wide:.2}\" height=\"{}\" fill=\"{}\"{}/>",
                    interval.kind.name(),
                    interval.time(),
                    if interval.bytes > 0 {
                        format!(", {} bytes", interval.bytes)
                    } else {
                        String::new()
                    },
                    y + 2.0,
                    ROW - 4.0,
                    colour(interval.kind),
                    if wide > 3.0 { " stroke=\"#333333\" stroke-width=\"0.5\"" } else { "" },
                );
                if wide > 3.0 * LETTER {
                    let text = shortened(&interval.name, wide - 6.0);
                    let _ = write!(
                        out,
                        "<text x=\"{:.2}\" y=\"{}\" font-size=\"11\">{text}</text>",
                        from + 3.0,
                        y + 16.0
                    );
                }
                out.push_str("</g>\n");
            }
        }
        out.push_str("</svg>\n");
        out
    }

    /// The kinds there are, each with its colour.
    fn legend(&self, out: &mut String) {
        let mut x = NAMES;
        for kind in Kind::ALL {
            if self.intervals.iter().all(|interval| interval.kind != kind) {
                continue;
            }
            let _ = writeln!(
                out,
                "<rect x=\"{x}\" y=\"9\" width=\"12\" height=\"12\" fill=\"{}\" \
                 stroke=\"#333333\" stroke-width=\"0.5\"/><text x=\"{}\" y=\"19.5\">{}</text>",
                colour(kind),
                x + 17.0,
                kind.name()
            );
            x += 100.0;
        }
    }
}

/// Times at a round distance, with lines through the rows.
fn axis(out: &mut String, span: f64, base: f64) {
    // About eight of them, 1, 2 or 5 of some power of ten apart.
    let rough = span / 8.0;
    let power = 10_f64.powf(rough.log10().floor());
    let step = [1.0, 2.0, 5.0, 10.0].map(|m| m * power).into_iter().find(|s| *s >= rough);
    let step = step.unwrap_or(rough);
    let (unit, scale) = match span {
        s if s >= 1.0 => ("s", 1.0),
        s if s >= 1e-3 => ("ms", 1e3),
        s if s >= 1e-6 => ("µs", 1e6),
        _ => ("ns", 1e9),
    };
    let mut k = 0;
    while f64::from(k) * step <= span * 1.000_001 && k < 20 {
        let x = NAMES + f64::from(k) * step / span * LINE;
        let at = (f64::from(k) * step * scale * 1000.0).round() / 1000.0;
        let anchor = if x > NAMES + LINE - 30.0 { "end" } else { "middle" };
        let _ = writeln!(
            out,
            "<line x1=\"{x:.2}\" y1=\"{TOP}\" x2=\"{x:.2}\" y2=\"{}\" stroke=\"#dddddd\"/>\
             <text x=\"{x:.2}\" y=\"{}\" text-anchor=\"{anchor}\" fill=\"#555555\">{at} {unit}</text>",
            base + 5.0,
            base + 19.0
        );
        k += 1;
    }
}

/// A text that fits a width, escaped.
fn shortened(text: &str, width: f64) -> String {
    let fits = (width / LETTER).max(1.0) as usize;
    if text.chars().count() <= fits {
        return escaped(text);
    }
    let start: String = text.chars().take(fits.saturating_sub(1)).collect();
    format!("{}…", escaped(&start))
}

fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            c if c < ' ' => out.push(' '),
            c => out.push(c),
        }
    }
    out
}
