//! A bar as a row of the table: what was measured, against what, and whether it holds. It measures
//! nothing.

use std::fmt::Write as _;

use serde::{Deserialize, Serialize};

use crate::stats::{Pair, Sample};

/// Whether a bar holds.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Verdict {
    Ok,
    Short,
    Skipped(String),
}

/// Rounds of a peer that differ by more than this were disturbed by other programs.
const DISTURBED: f64 = 3.0;

/// One row.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Row {
    /// Number of the bar, as the project's table of bars has it.
    pub(crate) bar: u32,
    pub(crate) name: String,
    /// Ours and the peer's, in seconds or in the unit named.
    pub(crate) ours: Option<Sample>,
    pub(crate) peer: Option<Sample>,
    pub(crate) peer_name: String,
    pub(crate) unit: Unit,
    /// How many times as fast as the peer; of a limit, how much of it is left (1 is the limit).
    pub(crate) ratio: Option<f64>,
    /// What is asked for, in words.
    pub(crate) asked: String,
    pub(crate) verdict: Verdict,
    /// What else a reader should know.
    pub(crate) note: String,
}

/// What the numbers of a row are.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Unit {
    Seconds,
    Percent,
    Lines,
    Count,
    Bytes,
}

impl Row {
    /// A row without numbers.
    pub(crate) fn skipped(bar: u32, name: &str, asked: &str, why: impl Into<String>) -> Self {
        Self {
            bar,
            name: name.to_owned(),
            ours: None,
            peer: None,
            peer_name: String::new(),
            unit: Unit::Seconds,
            ratio: None,
            asked: asked.to_owned(),
            verdict: Verdict::Skipped(why.into()),
            note: String::new(),
        }
    }

    /// Ours must be at least `least` times as fast as the peer.
    pub(crate) fn against(
        bar: u32,
        name: &str,
        pair: impl Into<Pair>,
        peer_name: &str,
        least: f64,
    ) -> Self {
        let Pair { ours, peer, ratio, unrest } = pair.into();
        let asked = if least > 1.5 {
            format!(">= {least:.1}x")
        } else {
            format!(">= {:.0} %", least * 100.0)
        };
        Self {
            bar,
            name: name.to_owned(),
            ours: Some(ours),
            peer: Some(peer),
            peer_name: peer_name.to_owned(),
            unit: Unit::Seconds,
            ratio: Some(ratio),
            asked,
            verdict: if unrest > DISTURBED {
                let why = "the peer's rounds differ by";
                Verdict::Skipped(format!("{why} {unrest:.0}x, so the machine is busy"))
            } else if ratio >= least {
                Verdict::Ok
            } else {
                Verdict::Short
            },
            note: String::new(),
        }
    }

    /// Ours must not take more than `most` times what the peer takes.
    pub(crate) fn within(
        bar: u32,
        name: &str,
        pair: impl Into<Pair>,
        peer_name: &str,
        most: f64,
    ) -> Self {
        let mut row = Self::against(bar, name, pair, peer_name, 1.0 / most);
        row.asked = format!("<= {most:.2}x its time");
        row
    }

    /// The same without a bar.
    pub(crate) fn reported(mut self) -> Self {
        "reported".clone_into(&mut self.asked);
        if self.verdict == Verdict::Short {
            self.verdict = Verdict::Ok;
        }
        self
    }

    /// Ours must not pass a limit.
    pub(crate) fn limit(bar: u32, name: &str, ours: Sample, limit: f64, unit: Unit) -> Self {
        Self {
            bar,
            name: name.to_owned(),
            ours: Some(ours),
            peer: None,
            peer_name: String::new(),
            unit,
            ratio: Some(limit / ours.median),
            asked: format!("<= {}", show(limit, unit)),
            verdict: if ours.median <= limit { Verdict::Ok } else { Verdict::Short },
            note: String::new(),
        }
    }

    /// The same with a note, after those it has.
    pub(crate) fn note(mut self, note: impl Into<String>) -> Self {
        let note = note.into();
        self.note = match self.note.is_empty() {
            true => note,
            false => format!("{}; {note}", self.note),
        };
        self
    }

    /// The same with what somebody else takes, which decides nothing.
    pub(crate) fn beside(mut self, peer: Sample, peer_name: &str) -> Self {
        (self.peer, self.peer_name) = (Some(peer), peer_name.to_owned());
        self
    }

    /// The row as a line of the table.
    pub(crate) fn line(&self) -> String {
        let mut line = format!("{:>2}  {:<46}", self.bar, self.name);
        let shown = |s: &Sample| {
            let spread = if s.least == s.most {
                String::new()
            } else {
                format!(" [{}..{}]", show(s.least, self.unit), show(s.most, self.unit))
            };
            format!("{}{spread}", show(s.median, self.unit))
        };
        let ours = self.ours.as_ref().map_or_else(|| "-".to_owned(), shown);
        let peer = self.peer.as_ref().map_or_else(|| "-".to_owned(), shown);
        let peer =
            if self.peer_name.is_empty() { peer } else { format!("{}: {peer}", self.peer_name) };
        let ratio = self.ratio.map_or_else(|| "-".to_owned(), |r| format!("{r:.2}x"));
        let verdict = match &self.verdict {
            Verdict::Ok => "ok".to_owned(),
            Verdict::Short => "short".to_owned(),
            Verdict::Skipped(why) => format!("skipped: {why}"),
        };
        // Writing to a string cannot fail.
        let _ = write!(line, " {ours:<28} {peer:<40} {ratio:>8}  {:<18} {verdict}", self.asked);
        if !self.note.is_empty() {
            let _ = write!(line, "  ({})", self.note);
        }
        line
    }

    /// The head of the table.
    pub(crate) fn head() -> String {
        format!(
            "{:>2}  {:<46} {:<28} {:<40} {:>8}  {:<18} verdict",
            "#", "what", "ours", "peer", "ratio", "bar"
        )
    }
}

/// A number for a person.
pub(crate) fn show(value: f64, unit: Unit) -> String {
    match unit {
        Unit::Percent => format!("{value:.2} %"),
        Unit::Lines => format!("{value:.0} lines"),
        Unit::Bytes => format!("{value:.0} B"),
        Unit::Count => format!("{value:.0}"),
        Unit::Seconds => {
            let (scaled, name) = match value {
                v if v < 1e-6 => (v * 1e9, "ns"),
                v if v < 1e-3 => (v * 1e6, "us"),
                v if v < 1.0 => (v * 1e3, "ms"),
                v => (v, "s"),
            };
            if scaled >= 100.0 {
                format!("{scaled:.0} {name}")
            } else {
                format!("{scaled:.3} {name}")
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn verdicts_follow_the_bar() {
        let row = Row::against(3, "x", (Sample::one(1.0), Sample::one(0.98)), "OpenMP", 0.97);
        assert_eq!(row.verdict, Verdict::Ok);
        let row = Row::against(3, "x", (Sample::one(1.0), Sample::one(0.96)), "OpenMP", 0.97);
        assert_eq!(row.verdict, Verdict::Short);
        assert_eq!(row.asked, ">= 97 %");
        let busy = Sample::of(vec![0.9, 9.0, 20.0]);
        let row = Row::against(3, "x", (Sample::one(1.0), busy), "OpenMP", 0.97);
        assert!(matches!(row.verdict, Verdict::Skipped(_)));
        let row = Row::within(9, "x", (Sample::one(1.01), Sample::one(1.0)), "OpenMP", 1.02);
        assert_eq!(row.verdict, Verdict::Ok);
        let row = Row::limit(1, "x", Sample::one(1.1e-6), 1e-6, Unit::Seconds);
        assert_eq!(row.verdict, Verdict::Short);
        assert_eq!(row.asked, "<= 1.000 us");
    }

    #[test]
    fn a_line_names_everything() {
        let line = Row::skipped(3, "triad", ">= 97 %", "no C compiler").line();
        assert!(line.contains("triad") && line.contains("skipped: no C compiler"), "{line}");
    }
}
