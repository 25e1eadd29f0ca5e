//! What `scripts/gpu-check` found on a machine with a GPU: gathered from the logs of its steps, summed up
//! for whoever waits, and shown as `docs/gpu-results.md`. It runs nothing itself.

mod gather;
mod page;

use std::fmt::Write as _;
use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::row::{Row, Verdict};

pub(crate) use gather::{KEPT, gather};

/// All of it, as `results.json` has it.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Results {
    /// What it was found on, when and by which command: name and value.
    pub(crate) facts: Vec<(String, String)>,
    pub(crate) steps: Vec<Step>,
    pub(crate) benches: Vec<Bench>,
}

/// A program that was run.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Step {
    pub(crate) name: String,
    pub(crate) outcome: Outcome,
    pub(crate) seconds: u64,
    /// Tests that passed, and that failed.
    pub(crate) passed: u64,
    pub(crate) failed: u64,
    /// What else a reader should know.
    pub(crate) note: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Outcome {
    Passed,
    Failed,
    TimedOut,
    LeftOut,
}

impl Outcome {
    fn words(self) -> &'static str {
        match self {
            Self::Passed => "passed",
            Self::Failed => "failed",
            Self::TimedOut => "ran out of time",
            Self::LeftOut => "left out",
        }
    }
}

/// The rows of one run of the benchmark.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Bench {
    /// `cuda`, or `cpu-4` for four workers.
    #[serde(default)]
    pub(crate) name: String,
    pub(crate) machine: String,
    pub(crate) rows: Vec<Row>,
}

impl Results {
    /// A fact, if it is known.
    fn fact(&self, name: &str) -> Option<&str> {
        self.facts.iter().find(|(key, _)| key == name).map(|(_, value)| value.as_str())
    }

    /// Whether it was a driver for tests that ran it, whose times say nothing.
    pub(crate) fn is_rehearsal(&self) -> bool {
        self.fact("driver for tests").is_some()
    }

    /// Whether nothing failed. A bar that is short is not a failure.
    pub(crate) fn is_fine(&self) -> bool {
        let bad = |step: &Step| matches!(step.outcome, Outcome::Failed | Outcome::TimedOut);
        !self.steps.is_empty() && !self.steps.iter().any(bad)
    }

    /// A few lines for whoever waits.
    pub(crate) fn summary(&self) -> String {
        let mut text = String::new();
        for Step { name, outcome, seconds, passed, failed, note } in &self.steps {
            let tests = match passed + failed {
                0 => String::new(),
                all => format!("{passed} of {all} tests"),
            };
            // Writing to a string cannot fail.
            let _ = write!(text, "{name:<28} {:<16} {seconds:>4} s  {tests}", outcome.words());
            text.push_str(&if note.is_empty() { "\n".to_owned() } else { format!("  {note}\n") });
        }
        for bench in &self.benches {
            let count = |wanted: fn(&Verdict) -> bool| {
                bench.rows.iter().filter(|row| wanted(&row.verdict)).count()
            };
            let (ok, short) = (count(|v| *v == Verdict::Ok), count(|v| *v == Verdict::Short));
            let (all, name) = (bench.rows.len(), &bench.name);
            let _ = writeln!(text, "bars, {name}: {ok} of {all} hold, {short} are short");
        }
        let fine = if self.is_fine() { "nothing failed" } else { "SOMETHING FAILED" };
        let _ = writeln!(text, "{} steps: {fine}", self.steps.len());
        text
    }
}

/// Writes the page of some results, or of none yet.
pub(crate) fn write_page(results: Option<&Path>, to: &Path) -> Result<(), String> {
    let failed =
        |path: &Path, error: &dyn std::fmt::Display| format!("{}: {error}", path.display());
    let results = match results {
        None => None,
        Some(path) => {
            let text = std::fs::read(path).map_err(|error| failed(path, &error))?;
            let results: Results =
                serde_json::from_slice(&text).map_err(|error| failed(path, &error))?;
            if results.is_rehearsal() {
                return Err(
                    "these are results of a driver for tests, whose times say nothing".to_owned()
                );
            }
            Some(results)
        }
    };
    std::fs::write(to, page::page(results.as_ref())).map_err(|error| failed(to, &error))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// No figure is typed by hand.
    #[test]
    fn the_page_of_the_repository_is_that_of_its_results() {
        let docs = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs");
        let results = std::fs::read(docs.join("gpu-results.json")).ok();
        let results = results.map(|text| serde_json::from_slice(&text).expect("results"));
        let found = std::fs::read_to_string(docs.join("gpu-results.md")).expect("a page");
        assert_eq!(found, page::page(results.as_ref()), "scripts/gpu-check --page writes it");
    }

    #[test]
    fn a_rehearsal_is_no_page() {
        let folder = tempfile::tempdir().expect("a folder");
        let (from, to) = (folder.path().join("results.json"), folder.path().join("page.md"));
        let facts = vec![("driver for tests".to_owned(), "yes".to_owned())];
        let results = Results { facts, ..Results::default() };
        std::fs::write(&from, serde_json::to_vec(&results).expect("JSON")).expect("a file");
        assert!(write_page(Some(&from), &to).is_err_and(|why| why.contains("driver for tests")));
        assert!(!to.exists() && !results.is_fine());
    }
}
