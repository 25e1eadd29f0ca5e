//! Reads what `run`, the script that `scripts/gpu-check` leaves for the other machine, has written:
//! `facts.tsv`, `steps.tsv`, a log for each step, and the rows of the benchmark. It judges a step by its
//! exit status and by what test programs and NVIDIA's sanitizer say at their end, and puts it beside what an earlier
//! call has left in `results.json`.

use std::ops::RangeInclusive;
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
                add(&mut results.benches, Bench { name: section(&name), ..bench });
            }
            Err(note) => results.steps.push(Step { note, ..step(&name, 1, 0, "") }),
        }
    }
    match std::fs::read(folder.join(KEPT)) {
        Ok(text) => {
            let failed = |error: &dyn std::fmt::Display| format!("{KEPT}: {error}");
            let earlier = serde_json::from_slice(&text).map_err(|error| failed(&error))?;
            behind(earlier, results)
        }
        Err(_) => Ok(results),
    }
}

/// What `gather` has left.
pub(crate) const KEPT: &str = "results.json";

/// The name of the rows of a step: those of `bench-cpu-4-6-8`, the bars 6 to 8 with four workers, are some of `cpu-4`.
fn section(step: &str) -> String {
    let name = step.trim_start_matches("bench-");
    let workers = name.strip_prefix("cpu-").and_then(|rest| rest.split('-').next());
    workers.map_or_else(|| name.to_owned(), |workers| format!("cpu-{workers}"))
}

/// Adds rows to those of their name.
fn add(benches: &mut Vec<Bench>, bench: Bench) {
    match benches.iter_mut().find(|known| known.name == bench.name) {
        Some(known) => {
            known.rows.extend(bench.rows);
            known.rows.sort_by_key(|row| row.bar);
        }
        None => benches.push(bench),
    }
}

/// Whether a step, or rows, are of the processor.
fn is_of_processor(name: &str) -> bool {
    name.trim_start_matches("bench-").starts_with("cpu-")
}

/// The bars that a step of the processor has measured.
fn bars(step: &str) -> Option<RangeInclusive<u32>> {
    let (_, bars) = step.strip_prefix("bench-cpu-")?.split_once('-')?;
    crate::bars::numbers(bars).ok()
}

/// Results behind earlier ones of the same version: what was run again takes the place of what it was, and a run on
/// the GPU that of all that ran there.
fn behind(earlier: Results, new: Results) -> Result<Results, String> {
    let (was, is) = (earlier.fact("commit"), new.fact("commit"));
    if was != is {
        let named = |commit: Option<&str>| commit.unwrap_or("?").to_owned();
        return Err(format!(
            "the results that are there are of {}, and these of {}; take another folder",
            named(was),
            named(is)
        ));
    }
    let mut all = earlier;
    for (name, value) in new.facts {
        match all.facts.iter_mut().find(|(known, _)| *known == name) {
            Some((_, known)) if known.split("; ").any(|known| *known == value) => {}
            Some((_, known)) => *known = format!("{known}; {value}"),
            None => all.facts.push((name, value)),
        }
    }
    let is_gpu = new.steps.iter().any(|step| !is_of_processor(&step.name));
    let is_again = |name: &str| new.steps.iter().any(|step| step.name == name);
    for step in all.steps.iter().filter(|step| is_again(&step.name)) {
        let Some(bars) = bars(&step.name) else { continue };
        let section = section(&step.name);
        let old = all.benches.iter_mut().filter(|bench| bench.name == section);
        old.for_each(|bench| bench.rows.retain(|row| !bars.contains(&row.bar)));
    }
    let stays = |name: &str| is_of_processor(name) || !is_gpu;
    all.steps.retain(|step| stays(&step.name) && !is_again(&step.name));
    all.benches.retain(|bench| stays(&bench.name) && !bench.rows.is_empty());
    all.steps.extend(new.steps);
    new.benches.into_iter().for_each(|bench| add(&mut all.benches, bench));
    // The GPU first, then more and more workers.
    let workers = |name: &str| name.strip_prefix("cpu-").and_then(|n| n.parse::<u32>().ok());
    all.benches.sort_by_key(|bench| workers(&bench.name));
    all.steps.sort_by_key(|step| is_of_processor(&step.name));
    Ok(all)
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

    /// What one call of `run` finds, in a folder that may have results already.
    fn found(
        folder: &Path,
        facts: &str,
        steps: &[(&str, i32)],
        rows: &[(&str, &[(u32, &str)])],
    ) -> Results {
        let write =
            |name: &str, text: &str| std::fs::write(folder.join(name), text).expect("a file");
        for path in super::rows(folder).expect("files") {
            std::fs::remove_file(path).expect("a file");
        }
        write("facts.tsv", facts);
        let line = |(name, status): &(&str, i32)| format!("{name}\t{status}\t1\n");
        write("steps.tsv", &steps.iter().map(line).collect::<String>());
        for (name, rows) in rows {
            let row = |(bar, name): &(u32, &str)| crate::row::Row {
                verdict: Verdict::Ok,
                ..crate::row::Row::skipped(*bar, name, "", "")
            };
            let rows: Vec<_> = rows.iter().map(row).collect();
            write(
                &format!("{name}.json"),
                &serde_json::json!({ "machine": "m", "rows": rows }).to_string(),
            );
        }
        let results = gather(folder).expect("results");
        write(KEPT, &serde_json::to_string(&results).expect("JSON"));
        results
    }

    fn rows_of(results: &Results) -> Vec<(String, Vec<String>)> {
        let names = |bench: &Bench| bench.rows.iter().map(|row| row.name.clone()).collect();
        results.benches.iter().map(|bench| (bench.name.clone(), names(bench))).collect()
    }

    #[test]
    fn calls_for_the_gpu_and_for_the_processor_are_one_page() {
        let folder = tempfile::tempdir().expect("a folder");
        let folder = folder.path();
        let facts = "date\t2030-01-01\ncommit\tabc\n";
        found(
            folder,
            facts,
            &[("doctor", 0), ("bench-cuda", 0)],
            &[("bench-cuda", &[(14, "Triad")])],
        );
        let cpu = [("bench-cpu-16-1-2", 0), ("bench-cpu-2-3", 0)];
        let rows: [(&str, &[(u32, &str)]); 2] =
            [("bench-cpu-16-1-2", &[(1, "launch"), (2, "both")]), ("bench-cpu-2-3", &[(3, "dot")])];
        let results = found(folder, &facts.replace("01-01", "01-02"), &cpu, &rows);
        assert_eq!(results.steps.len(), 4);
        assert_eq!(results.fact("date"), Some("2030-01-01; 2030-01-02"));
        // Later calls go on, and what is measured again takes the place of what was.
        let again: [(&str, &[(u32, &str)]); 2] =
            [("bench-cpu-16-1-2", &[(1, "launch, again")]), ("bench-cpu-2-1-2", &[(1, "launch")])];
        let results =
            found(folder, facts, &[("bench-cpu-16-1-2", 124), ("bench-cpu-2-1-2", 0)], &again);
        let names = |all: &[&str]| all.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>();
        let expected = [
            ("cuda".to_owned(), names(&["Triad"])),
            ("cpu-2".to_owned(), names(&["launch", "dot"])),
            ("cpu-16".to_owned(), names(&["launch, again"])),
        ];
        assert_eq!(rows_of(&results), expected);
        assert_eq!((results.steps.len(), results.is_fine()), (5, false));
        // The GPU once more: nothing of what was found there before is left.
        let results = found(folder, facts, &[("devices", 0)], &[]);
        assert_eq!(rows_of(&results), expected[1..]);
        assert_eq!(&*results.steps[0].name, "devices");
        assert_eq!(results.steps.len(), 4);
        // Two versions are two folders.
        std::fs::write(folder.join("facts.tsv"), "commit\tdef\n").expect("a file");
        assert!(gather(folder).is_err_and(|why| why.contains("of abc, and these of def")));
    }
}
