//! What a launch costs in instructions, which no load of the machine changes. Builds a small
//! release program and counts with `valgrind`; times are measured by `flash-bench`, not here.
#![allow(clippy::print_stderr, reason = "a test that is left out says so")]

use std::path::{Path, PathBuf};
use std::process::Command;

/// The paths of the program `tests/instructions`, and the most instructions of the whole process
/// for one launch or node: about a tenth more than when the number was set. Raise one only with a reason.
const CEILINGS: [(&str, u64); 5] = [
    ("written-out", 5_700),
    ("kept-plan", 2_700),
    ("loop", 1_080),
    ("node", 515),
    ("first-node", 1_960),
];

/// Likewise for launches on an OpenCL device, of a loop and of a kept pipeline, without what the driver and the C
/// library do: those are beyond raw calls.
const OPENCL: [(&str, u64); 2] = [("opencl-loop", 1_550), ("opencl-plan", 2_000)];

/// Launches of two runs, whose difference is free of what starting and ending cost. Multiples of
/// the nodes of one pipeline.
const LAUNCHES: [u64; 2] = [512, 2_560];

/// Builds the program; `None` where there is nothing to count with.
fn program() -> Option<PathBuf> {
    if cfg!(not(all(target_arch = "x86_64", target_os = "linux")))
        || Command::new("valgrind").arg("--version").output().is_err()
    {
        return None;
    }
    let built = flash_tests::release::built("instructions", env!("CARGO_TARGET_TMPDIR"));
    Some(built.join("instructions"))
}

/// The instructions of a run of `path` with so many launches.
fn count(program: &Path, path: &str, launches: u64) -> u64 {
    let counts = tempfile::NamedTempFile::new().expect("a temporary file");
    let mut file = std::ffi::OsString::from("--callgrind-out-file=");
    file.push(counts.path());
    let run = Command::new("valgrind")
        .args(["--tool=callgrind", "--quiet"])
        .arg(file)
        .arg(program)
        .args([path, &launches.to_string()])
        // One path on every machine: valgrind knows no AVX-512, and helpers wait for a while.
        .env("FLASH_ISA", "avx2")
        .env("FLASH_THREADS", "1")
        .output()
        .expect("valgrind starts");
    assert!(run.status.success(), "{path}: {}", String::from_utf8_lossy(&run.stderr));
    let text = std::fs::read_to_string(counts.path()).expect("valgrind has written its counts");
    if path.starts_with("opencl") {
        return of_program(&text, program);
    }
    let total = text.lines().find_map(|line| line.strip_prefix("summary:")?.trim().parse().ok());
    total.expect("a line with the sum")
}

/// The instructions of the program's own code, which is linked into it: not those of libraries.
fn of_program(counts: &str, program: &Path) -> u64 {
    let own = program.to_str().expect("the path is text");
    // Names are written out the first time and are numbers from then on: `ob=(3) /usr/lib/..`, then `ob=(3)`.
    let (mut number, mut is_own, mut is_of_callee, mut sum) = (None, false, false, 0);
    for line in counts.lines() {
        if let Some(object) = line.strip_prefix("ob=").or_else(|| line.strip_prefix("cob=")) {
            let (id, name) = object.split_once(' ').unwrap_or((object, ""));
            if name == own {
                number = Some(id);
            }
            if line.starts_with("ob=") {
                is_own = number == Some(id);
            }
        } else if line.starts_with("calls=") {
            // The line behind it has what was called.
            is_of_callee = true;
        } else if line.starts_with(|c: char| c.is_ascii_digit() || "+-*".contains(c)) {
            let cost = line.rsplit(' ').next().and_then(|cost| cost.parse::<u64>().ok());
            if !std::mem::take(&mut is_of_callee) && is_own {
                sum += cost.expect("a line of costs ends with one");
            }
        }
    }
    assert!(sum > 0, "nothing was counted in {own}");
    sum
}

#[test]
fn launches_stay_within_their_instructions() {
    let Some(program) = program() else {
        eprintln!("left out: valgrind, which counts instructions, is not installed");
        assert!(!flash_tests::required("valgrind"), "valgrind is not installed");
        return;
    };
    let mut over = Vec::new();
    let opencl = flash_tests::opencl().map(|_| OPENCL).into_iter().flatten();
    for (path, ceiling) in CEILINGS.into_iter().chain(opencl) {
        let [few, many] = LAUNCHES.map(|launches| count(&program, path, launches));
        let each = many.saturating_sub(few) / (LAUNCHES[1] - LAUNCHES[0]);
        assert!(each > 100, "{path}: {each} instructions cannot be a launch");
        if each > ceiling {
            over.push(format!("{path}: {each} instructions for each launch, {ceiling} at most"));
        }
    }
    assert!(over.is_empty(), "{}", over.join("\n"));
}
