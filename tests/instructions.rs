//! What a launch costs in instructions, which no load of the machine changes. Builds a small
//! release program and counts with `valgrind`; times are measured by `flash-bench`, not here.
#![allow(clippy::print_stderr, reason = "a test that is left out says so")]

use std::path::{Path, PathBuf};
use std::process::Command;

/// The paths of the program `tests/instructions`, and the most instructions of the whole process
/// for one launch or node: about a tenth more than when the number was set. Raise one only with a reason.
const CEILINGS: [(&str, u64); 5] = [
    ("written-out", 5_750),
    ("kept-plan", 2_540),
    ("loop", 1_190),
    ("node", 745),
    ("first-node", 2_420),
];

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
    let root = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/.."));
    let target = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("instructions");
    // The same versions as in the workspace, whether there is a network or not.
    let lock = root.join("tests/instructions/Cargo.lock");
    std::fs::copy(root.join("Cargo.lock"), lock).expect("the lock file is copied");
    let built = Command::new(env!("CARGO"))
        .args(["build", "--release", "--quiet", "--offline", "--manifest-path"])
        .arg(root.join("tests/instructions/Cargo.toml"))
        .arg("--target-dir")
        .arg(&target)
        .env_remove("RUSTFLAGS")
        .status()
        .expect("cargo starts");
    assert!(built.success(), "the program does not build");
    Some(target.join("release").join("instructions"))
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
    let total = text.lines().find_map(|line| line.strip_prefix("summary:")?.trim().parse().ok());
    total.expect("a line with the sum")
}

#[test]
fn launches_stay_within_their_instructions() {
    let Some(program) = program() else {
        eprintln!("left out: valgrind, which counts instructions, is not installed");
        let required = std::env::var("FLASH_REQUIRE").unwrap_or_default();
        assert!(!required.split(',').any(|what| what == "valgrind"), "valgrind is not installed");
        return;
    };
    let mut over = Vec::new();
    for (path, ceiling) in CEILINGS {
        let [few, many] = LAUNCHES.map(|launches| count(&program, path, launches));
        let each = many.saturating_sub(few) / (LAUNCHES[1] - LAUNCHES[0]);
        assert!(each > 100, "{path}: {each} instructions cannot be a launch");
        if each > ceiling {
            over.push(format!("{path}: {each} instructions for each launch, {ceiling} at most"));
        }
    }
    assert!(over.is_empty(), "{}", over.join("\n"));
}
