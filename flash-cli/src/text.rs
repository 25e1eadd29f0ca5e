//! Words for a terminal of 80 columns: labels with texts beside them, sizes, times, errors. It knows no
//! devices.

use std::time::Duration;

/// The columns of a terminal.
const WIDTH: usize = 80;
/// Where labels begin.
const INDENT: usize = 4;
/// Where what stands beside them does.
const BESIDE: usize = 20;

/// Adds a label and the text beside it, in as many lines as it takes. A `mark` stands before it.
pub(crate) fn row(page: &mut String, mark: &str, label: &str, text: &str) {
    let mut line = format!("{mark:<INDENT$}{label}");
    let is_wide = line.chars().count() + 2 > BESIDE;
    if is_wide && !label.is_empty() {
        page.push_str(line.trim_end());
        page.push('\n');
        line.clear();
    }
    let mut used = line.chars().count();
    for (k, part) in text.lines().enumerate() {
        if k > 0 {
            end(page, &mut line, &mut used);
        }
        for word in part.split(' ').filter(|word| !word.is_empty()) {
            let n = word.chars().count();
            if used > BESIDE && used + 1 + n > WIDTH {
                end(page, &mut line, &mut used);
            }
            // A word that is longer than a line stays whole, so that it can be copied.
            if used > BESIDE {
                line.push(' ');
                used += 1;
            } else {
                line.push_str(&" ".repeat(BESIDE.saturating_sub(used)));
                used = BESIDE;
            }
            line.push_str(word);
            used += n;
        }
    }
    end(page, &mut line, &mut used);
}

/// Adds a label and a command beside it, or below it where it is long: in one line, so that it can be
/// copied.
pub(crate) fn command(page: &mut String, label: &str, command: &str) {
    let line = format!("{:INDENT$}{label}", "");
    if BESIDE + command.chars().count() <= WIDTH {
        page.push_str(&format!("{line:<BESIDE$}{command}\n"));
    } else {
        page.push_str(&format!("{line}\n{:width$}{command}\n", "", width = INDENT + 2));
    }
}

fn end(page: &mut String, line: &mut String, used: &mut usize) {
    page.push_str(line.trim_end());
    page.push('\n');
    line.clear();
    *used = 0;
}

/// `1 device`, `2 devices`
pub(crate) fn count(n: usize, what: &str) -> String {
    format!("{n} {what}{}", if n == 1 { "" } else { "s" })
}

/// `1.5 MiB`
pub(crate) fn bytes(n: u64) -> String {
    let units = ["bytes", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"];
    let (mut value, mut unit) = (n as f64, 0);
    while value >= 1024.0 && unit + 1 < units.len() {
        value /= 1024.0;
        unit += 1;
    }
    if unit == 0 { count(n as usize, "byte") } else { format!("{value:.1} {}", units[unit]) }
}

/// `12.3 us`
pub(crate) fn time(time: Duration) -> String {
    let ns = time.as_nanos() as f64;
    match ns {
        _ if ns < 1e3 => format!("{ns} ns"),
        _ if ns < 1e6 => format!("{:.1} us", ns / 1e3),
        _ if ns < 1e9 => format!("{:.1} ms", ns / 1e6),
        _ => format!("{:.2} s", ns / 1e9),
    }
}

/// An error and what caused it, one line each, without the places in this program that the call was
/// made at.
pub(crate) fn with_causes(error: &(dyn std::error::Error + 'static)) -> String {
    let mut text = error.to_string();
    let mut source = error.source();
    while let Some(cause) = source {
        text.push_str(&format!("\n  because: {cause}"));
        source = cause.source();
    }
    without_sites(&text)
}

fn without_sites(text: &str) -> String {
    let mut left = text.to_owned();
    for (begin, end) in [(" (called at flash-cli/", ")"), (", called at flash-cli/", ")")] {
        while let Some(at) = left.find(begin) {
            let Some(n) = left[at + begin.len()..].find(end) else { break };
            let kept = if begin.starts_with(", ") { 0 } else { end.len() };
            left.replace_range(at..at + begin.len() + n + kept, "");
        }
    }
    left
}

/// The system's words without the name that they begin with.
pub(crate) fn after<'e>(error: &'e str, name: &str) -> &'e str {
    error.strip_prefix(name).and_then(|rest| rest.strip_prefix(": ")).unwrap_or(error)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_texts_go_on_below_their_beginning() {
        let mut page = String::new();
        row(&mut page, "ok", "CPU", &"word ".repeat(20));
        row(&mut page, "", "a label that is too long", "text");
        row(&mut page, "", "two", "lines\nof text");
        let lines: Vec<&str> = page.lines().collect();
        assert_eq!(lines[0].split_once("word").map(|(head, _)| head), Some("ok  CPU             "));
        assert!(lines.iter().all(|line| line.len() <= WIDTH), "{page}");
        assert_eq!(lines[1], format!("{}{}", " ".repeat(BESIDE), "word ".repeat(8).trim()));
        assert_eq!(lines[2..4], ["    a label that is too long", "                    text"]);
        assert_eq!(lines[4..], ["    two             lines", "                    of text"]);
    }

    #[test]
    fn sizes_and_times_have_units() {
        assert_eq!([1, 512, 1 << 20].map(bytes), ["1 byte", "512 bytes", "1.0 MiB"]);
        let times = [17, 1_234, 5_000_000, 2_500_000_000].map(Duration::from_nanos).map(time);
        assert_eq!(times, ["17 ns", "1.2 us", "5.0 ms", "2.50 s"]);
    }

    #[test]
    fn places_in_this_program_are_left_out() {
        let text = "kernel `k` (called at flash-cli/src/run/mod.rs:7:5): no (node 0, `k`, called at \
                    flash-cli/src/run/mod.rs:9:1)";
        assert_eq!(without_sites(text), "kernel `k`: no (node 0, `k`)");
        assert_eq!(without_sites("x (called at src/main.rs:1:1)"), "x (called at src/main.rs:1:1)");
    }
}
