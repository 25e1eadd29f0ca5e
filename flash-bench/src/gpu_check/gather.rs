//! Reads what `run`, the script that `scripts/gpu-check` leaves for the other machine, has written:
//! `facts.tsv`, `steps.tsv`, a log for each step, and the rows of the benchmark. It judges a step by its
//! exit status and by what test programs and NVIDIA's sanitizer say at their end.

use std::path::{Path, PathBuf};

use super::{Bench, Outcome, Results, Step};
use crate::row::Verdict;

/// The exit status of a step that has nothing to run; the last line of its log says why.
const LEFT_OUT: i32 = 77;
/// Exit statuses of a step whose time was over.
const TIMED_OUT: [i32; 2] = [124, 137];

/// Names of tests that failed, in a note at most.
const NAMED: usize = 5;

/// The results in a folder.
pub(crate) fn gather(folder: &Path) -> Result<Results, String> {
    let text = |name: &str| {
        let path = folder.join(name);
        std::fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))
    };
    let mut results = Results::default();
    for line in text("facts.tsv")?.lines() {
        let (name, value) = line.split_once('\t').ok_or_else(|| format!("facts.tsv: `{line}`"))?;
        results.facts.push((name.to_owned(), value.to_owned()));
    }
    for line in text("steps.tsv")?.lines() {
        let fields: Vec<&str> = line.split('\t').collect();
        let [name, status, seconds] = fields[..] else {
            return Err(format!("steps.tsv: `{line}`"));
        };
        let number = |field: &str| field.parse().map_err(|_| format!("steps.tsv: `{line}`"));
        let log = text(&format!("{name}.log")).unwrap_or_default();
        let seconds = u64::try_from(number(seconds)?).unwrap_or(0);
        results.steps.push(step(name, number(status)?, seconds, &log));
    }
    for path in rows(folder)? {
        let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let read = std::fs::read(&path).map_err(|error| error.to_string());
        match read.and_then(|text| serde_json::from_slice(&text).map_err(|error| error.to_string()))
        {
            Ok(bench) => {
                let bench: Bench = bench;
                if let Some(why) = nothing_measured(&bench)
                    && let Some(step) = results.steps.iter_mut().find(|step| step.name == name)
                {
                    (step.outcome, step.note) = (Outcome::Failed, why);
                }
                let name = name.trim_start_matches("bench-").to_owned();
                results.benches.push(Bench { name, ..bench });
            }
            Err(note) => results.steps.push(Step { note, ..step(&name, 1, 0, "") }),
        }
    }
    Ok(results)
}

/// Why nothing was measured, where that is so.
fn nothing_measured(bench: &Bench) -> Option<String> {
    let mut why = "there is no row".to_owned();
    for row in &bench.rows {
        match &row.verdict {
            Verdict::Skipped(reason) => why.clone_from(reason),
            Verdict::Ok | Verdict::Short => return None,
        }
    }
    Some(format!("nothing was measured: {why}"))
}

/// The files with rows, in the order of their names.
fn rows(folder: &Path) -> Result<Vec<PathBuf>, String> {
    let failed = |error: std::io::Error| format!("{}: {error}", folder.display());
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).map_err(failed)? {
        let path = entry.map_err(failed)?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if name.starts_with("bench-") && name.ends_with(".json") {
            found.push(path);
        }
    }
    found.sort();
    Ok(found)
}

/// The number that follows a word.
fn after(line: &str, word: &str) -> Option<u64> {
    line.split_once(word)?.1.split_whitespace().next()?.trim_end_matches(';').parse().ok()
}

/// The number before a word.
fn before(line: &str, word: &str) -> Option<u64> {
    line.split_once(word)?.0.split_whitespace().last()?.parse().ok()
}

/// What a step comes to.
fn step(name: &str, status: i32, seconds: u64, log: &str) -> Step {
    let (mut passed, mut failed, mut findings) = (0, 0, None);
    let mut has_tests = false;
    for line in log.lines() {
        if line.starts_with("test result:") {
            has_tests = true;
            passed += before(line, " passed").unwrap_or(0);
            failed += before(line, " failed").unwrap_or(0);
        }
        // compute-sanitizer: memcheck counts errors, racecheck hazards.
        for word in ["ERROR SUMMARY: ", "RACECHECK SUMMARY: "] {
            if let Some(n) = after(line, word) {
                findings = Some(findings.unwrap_or(0) + n);
            }
        }
    }
    let mut outcome = match status {
        0 => Outcome::Passed,
        LEFT_OUT => Outcome::LeftOut,
        status if TIMED_OUT.contains(&status) => Outcome::TimedOut,
        _ => Outcome::Failed,
    };
    let mut note = match outcome {
        Outcome::LeftOut => log.lines().last().unwrap_or("").to_owned(),
        Outcome::Failed => failures(log),
        Outcome::Passed | Outcome::TimedOut => String::new(),
    };
    if outcome == Outcome::Passed && has_tests && passed == 0 {
        (outcome, note) = (Outcome::Failed, "no test ran".to_owned());
    }
    if let Some(n) = findings {
        note = format!("the sanitizer found {n}{}{note}", if note.is_empty() { "" } else { "; " });
        if n > 0 && outcome == Outcome::Passed {
            outcome = Outcome::Failed;
        }
    }
    Step { name: name.to_owned(), outcome, seconds, passed, failed, note }
}

/// Which tests failed, or what was said last.
fn failures(log: &str) -> String {
    let names: Vec<&str> = log
        .lines()
        .filter_map(|line| line.strip_prefix("test ")?.strip_suffix(" ... FAILED"))
        .collect();
    match names.len() {
        0 => log.lines().rfind(|line| !line.trim().is_empty()).unwrap_or("").trim().to_owned(),
        n if n > NAMED => format!("{} and {} more", names[..NAMED].join(", "), n - NAMED),
        _ => names.join(", "),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const GOOD: &str = "running 3 tests\ntest a ... ok\ntest result: ok. 3 passed; 0 failed; 0 ignored; 0 \
                        measured; 7 filtered out; finished in 0.1s\n";

    #[test]
    fn tests_are_counted() {
        let found = step("conformance", 0, 4, &GOOD.repeat(2));
        assert_eq!((found.outcome, found.passed, found.failed), (Outcome::Passed, 6, 0));
        let none = GOOD.replace("3 passed", "0 passed");
        let found = step("conformance", 0, 4, &none);
        assert_eq!((found.outcome, &*found.note), (Outcome::Failed, "no test ran"));
    }

    #[test]
    fn what_failed_is_named() {
        let log = "test a ... ok\ntest b::c ... FAILED\ntest result: FAILED. 1 passed; 1 failed; 0 ignored\n";
        let found = step("cuda", 101, 1, log);
        assert_eq!((found.outcome, found.failed, &*found.note), (Outcome::Failed, 1, "b::c"));
        let found = step("doctor", 1, 1, "one\nerror: two\n\n");
        assert_eq!((found.outcome, &*found.note), (Outcome::Failed, "error: two"));
        assert_eq!(step("x", 124, 60, "").outcome, Outcome::TimedOut);
        let found = step("memcheck", 77, 0, "there is no compute-sanitizer\n");
        assert_eq!(
            (found.outcome, &*found.note),
            (Outcome::LeftOut, "there is no compute-sanitizer")
        );
    }

    #[test]
    fn what_the_sanitizer_finds_is_a_failure() {
        let log = format!("{GOOD}========= ERROR SUMMARY: 2 errors\n");
        assert_eq!(step("memcheck", 0, 1, &log).outcome, Outcome::Failed);
        let log = format!(
            "{GOOD}========= RACECHECK SUMMARY: 0 hazards displayed (0 errors, 0 warnings)\n"
        );
        let found = step("racecheck", 0, 1, &log);
        assert_eq!((found.outcome, &*found.note), (Outcome::Passed, "the sanitizer found 0"));
    }

    #[test]
    fn a_folder_is_read_whole() {
        let folder = tempfile::tempdir().expect("a folder");
        let write = |name: &str, text: &str| {
            std::fs::write(folder.path().join(name), text).expect("a file");
        };
        write("facts.tsv", "GPU\tNVIDIA H200\n");
        write("steps.tsv", "conformance\t0\t12\nbench-cuda\t0\t3\n");
        write("conformance.log", GOOD);
        let row = crate::row::Row::skipped(14, "CUDA Triad", ">= 97 %", "no GPU");
        let bench = serde_json::json!({ "machine": "a processor", "rows": [row] });
        write("bench-cuda.json", &bench.to_string());
        write("bench-cpu-2.json", "{");
        let results = gather(folder.path()).expect("results");
        assert_eq!(results.facts, [("GPU".to_owned(), "NVIDIA H200".to_owned())]);
        assert_eq!((results.steps[0].passed, results.steps[0].seconds), (3, 12));
        assert_eq!((results.benches.len(), &*results.benches[0].name), (1, "cuda"));
        let bench = &results.steps[1];
        assert_eq!(
            (bench.outcome, &*bench.note),
            (Outcome::Failed, "nothing was measured: no GPU")
        );
        assert_eq!(results.steps[2].outcome, Outcome::Failed, "rows that cannot be read");
        assert!(!results.is_fine() && results.summary().contains("SOMETHING FAILED"));
        assert!(gather(&folder.path().join("absent")).is_err());
    }
}
