//! `docs/gpu-results.md`: results as a page for people. All that it says of a machine comes from them.

use std::fmt::Write as _;

use super::{Bench, Results, Step};
use crate::row::{Row, Verdict, show};
use crate::stats::Sample;

const HEAD: &str = "\
# Results on a GPU

This page is written by `scripts/gpu-check --page` from `docs/gpu-results.json`, which `scripts/gpu-check` brings
back from a machine with a GPU of NVIDIA. No figure in it is typed by hand.

";

const OWED: &str = "\
No GPU has run this version yet: **the figures are owed**. What is tested without one runs on a driver for
tests, which interprets kernels, so what it takes says nothing about speed.

`scripts/gpu-check` builds what travels to such a machine, which needs neither a network nor Rust, into
`out/gpu-check`. `out/gpu-check/run` there runs tests, sanitizers and the rows of `flash-bench` for GPUs in less
than ten minutes, and sums them up. `out/gpu-check/run --cpu` adds the bars of the processor with 1 to 16 workers, in
several calls of less than ten minutes each. `scripts/gpu-check --page FOLDER` makes this page of what comes back.
";

/// The page of some results, or of none yet.
pub(super) fn page(results: Option<&Results>) -> String {
    let mut text = HEAD.to_owned();
    let Some(results) = results else {
        text.push_str(OWED);
        return text;
    };
    text.push_str("| | |\n|---|---|\n");
    for (name, value) in &results.facts {
        line(&mut text, [name, value]);
    }
    text.push_str("\n## Checks\n\n| step | outcome | tests | time | |\n|---|---|---|---|---|\n");
    for Step { name, outcome, seconds, passed, failed, note } in &results.steps {
        let tests = match passed + failed {
            0 => String::new(),
            all => format!("{passed} of {all}"),
        };
        line(&mut text, [name, outcome.words(), &tests, &format!("{seconds} s"), note]);
    }
    for bench in &results.benches {
        rows(&mut text, bench);
    }
    text
}

fn rows(text: &mut String, Bench { name, machine, rows }: &Bench) {
    let title = match name.strip_prefix("cpu-") {
        Some(workers) => format!("On the processor, {workers} workers"),
        None => "On the GPU".to_owned(),
    };
    // Writing to a string cannot fail.
    let _ = write!(
        text,
        "\n## {title}\n\n{machine}.\n\n| bar | what | ours | peer | ratio | asked | verdict | |\n\
         |---|---|---|---|---|---|---|---|\n"
    );
    for row in rows {
        let shown = |sample: &Option<Sample>| {
            sample.as_ref().map_or(String::new(), |sample| shown(row, sample))
        };
        let peer = match row.peer_name.as_str() {
            "" => shown(&row.peer),
            name => format!("{name}: {}", shown(&row.peer)),
        };
        let ratio = row.ratio.map_or(String::new(), |ratio| format!("{ratio:.2}x"));
        let verdict = match &row.verdict {
            Verdict::Ok => "ok".to_owned(),
            Verdict::Short => "**short**".to_owned(),
            Verdict::Skipped(why) => format!("skipped: {why}"),
        };
        let bar = row.bar.to_string();
        let cells =
            [&bar, &row.name, &shown(&row.ours), &peer, &ratio, &row.asked, &verdict, &row.note];
        line(text, cells.map(String::as_str));
    }
}

/// A median with its spread.
fn shown(row: &Row, sample: &Sample) -> String {
    let Sample { median, least, most, .. } = *sample;
    let median = show(median, row.unit);
    match least == most {
        true => median,
        false => format!("{median} [{}..{}]", show(least, row.unit), show(most, row.unit)),
    }
}

/// A line of a table. What would end a cell is written so that it does not.
fn line<S: AsRef<str>, const N: usize>(text: &mut String, cells: [S; N]) {
    text.push('|');
    for cell in cells {
        let cell = cell.as_ref().replace('|', "\\|").replace('\n', " ");
        // Writing to a string cannot fail.
        let _ = write!(text, " {cell} |");
    }
    text.push('\n');
}

#[cfg(test)]
mod tests {
    use super::super::Outcome;
    use super::*;

    #[test]
    fn everything_found_is_on_the_page() {
        let pair = (Sample::of(vec![1e-3, 2e-3, 4e-3]), Sample::one(1.9e-3));
        let rows = vec![
            Row::against(14, "CUDA Triad", pair, "a kernel by hand", 0.97).note("2^25 doubles"),
            Row::skipped(14, "CUDA graph", "<= 1.10x", "the driver | has none"),
        ];
        let step = Step {
            name: "conformance".to_owned(),
            outcome: Outcome::Passed,
            seconds: 7,
            passed: 5,
            failed: 0,
            note: String::new(),
        };
        let results = Results {
            facts: vec![("GPU".to_owned(), "NVIDIA H200".to_owned())],
            steps: vec![step],
            benches: vec![Bench {
                name: "cuda".to_owned(),
                machine: "a processor".to_owned(),
                rows,
            }],
        };
        let text = page(Some(&results));
        for expected in [
            "| GPU | NVIDIA H200 |",
            "| conformance | passed | 5 of 5 | 7 s |  |",
            "| 14 | CUDA Triad | 2.000 ms [1.000 ms..4.000 ms] | a kernel by hand: 1.900 ms | 0.95x | >= 97 % \
             | **short** | 2^25 doubles |",
            "skipped: the driver \\| has none",
        ] {
            assert!(text.contains(expected), "{expected}\n{text}");
        }
        assert!(!text.contains("owed"));
        assert!(page(None).contains("the figures are owed"));
    }
}
