//! Tests in a process of their own whose OpenCL driver is Oclgrind, which interprets each item and sees what
//! it touches. Without it they are left out, unless `FLASH_REQUIRE` has `oclgrind`. What they launch is
//! theirs.
#![allow(clippy::print_stderr, reason = "a test that is left out says so")]

use std::path::Path;
use std::process::Command;

/// Where packages put it.
const LIBRARIES: [&str; 3] = [
    "/usr/lib/oclgrind/liboclgrind-rt-icd.so",
    "/usr/lib/x86_64-linux-gnu/oclgrind/liboclgrind-rt-icd.so",
    "/usr/local/lib/oclgrind/liboclgrind-rt-icd.so",
];

/// Set in the process of a test.
const UNDER: &str = "OCLGRIND_LOG";

/// Whether this is the process of a test that Oclgrind runs.
pub fn is_under() -> bool {
    std::env::var_os(UNDER).is_some()
}

/// What Oclgrind says of a test of this program when it runs it, but for loads of atomics; `None` where there
/// is no Oclgrind. The test asks [`is_under`] which of the two processes it is in.
///
/// # Panics
///
/// Where the test fails there, or Oclgrind is required and missing.
pub fn said(test: &str) -> Option<String> {
    let library = LIBRARIES.into_iter().find(|path| Path::new(path).exists());
    let Some(library) = library else {
        assert!(!crate::required("oclgrind"), "there is no Oclgrind");
        eprintln!("left out: there is no Oclgrind");
        return None;
    };
    let name = format!("flash-oclgrind-{}-{}", std::process::id(), test.replace("::", "-"));
    let folder = std::env::temp_dir().join(name);
    std::fs::create_dir_all(&folder).expect("there is a folder for temporary files");
    let (icd, log) = (folder.join("oclgrind.icd"), folder.join("log"));
    std::fs::write(&icd, format!("{library}\n")).expect("it can be written to");
    let mut again = Command::new(std::env::current_exe().expect("tests have a path"));
    again.args(["--exact", test, "--nocapture"]).env("OCL_ICD_VENDORS", &icd);
    // It does not know what optimisers say of inlined functions.
    again.env("OCLGRIND_BUILD_OPTIONS", "-cl-opt-disable").env("OCLGRIND_DATA_RACES", "1");
    again.env("OCLGRIND_MAX_ERRORS", "1000000").env(UNDER, &log);
    // It does not round quotients of `f32`, and what is asked is what kernels touch.
    again.env("FLASH_SABOTAGE", "inexact");
    let run = again.output().expect("tests can be started");
    let text = String::from_utf8_lossy(&run.stdout);
    let all_is_well = run.status.success() && text.contains("1 passed");
    assert!(all_is_well, "{text}{}", String::from_utf8_lossy(&run.stderr));
    let said = std::fs::read_to_string(&log).unwrap_or_default();
    // Nobody misses it.
    let _ = std::fs::remove_dir_all(&folder);
    Some(without_loads_of_atomics(&said))
}

/// Runs tests of this program once more, each with Oclgrind, which is to say nothing of them.
///
/// # Panics
///
/// Where it says something, and as [`said`].
pub fn clean(tests: &[&str]) {
    let mut wrong = Vec::new();
    for test in tests {
        let Some(said) = said(test) else { return };
        if !said.is_empty() {
            wrong.push(format!("{test}:\n{said}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Whether this is the process of a test whose kernels Oclgrind runs. In the one that starts it Oclgrind is to
/// say nothing of it, but for loads of atomics.
///
/// # Panics
///
/// Where it says something, and as [`said`].
pub fn is_here_or_clean(test: &str) -> bool {
    if is_under() {
        return true;
    }
    let said = said(test).unwrap_or_default();
    assert!(said.is_empty(), "{said}");
    false
}

/// The reports but those of races between an atomic operation and a load of the same cell. OpenCL C 1.2 has no
/// atomic load, so texts have volatile ones, which are whole on every device; they have no volatile
/// accesses to anything else.
fn without_loads_of_atomics(said: &str) -> String {
    let mut kept = String::new();
    for report in said.split("\n\n\n").map(str::trim).filter(|report| !report.is_empty()) {
        let lines: Vec<&str> = report.lines().map(str::trim).collect();
        let after = |head: &str| {
            let at = lines.iter().position(|line| line.starts_with(head));
            at.and_then(|at| lines.get(at + 1)).copied().unwrap_or("")
        };
        let (first, second) = (after("First entity:"), after("Second entity:"));
        let is_load = |line: &str| line.contains("= load volatile ");
        let is_atomic = |line: &str| line.contains(" call ") && line.contains("atom");
        let is_known = report.starts_with("Read-write data race")
            && (is_load(first) && is_atomic(second) || is_load(second) && is_atomic(first));
        if !is_known {
            kept += report;
            kept += "\n\n\n";
        }
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn loads_of_atomics_are_told_from_other_races() {
        let report = |kind: &str, first: &str, second: &str| {
            format!(
                "\n{kind} data race at global memory address 0x2\n\tKernel: k\n\t\n\tFirst entity:  \
                 Global(1,0,0)\n\t  {first}\n\tAt line 1 of k.rs:\n\t  x\n\t\n\tSecond entity: \
                 Global(0,0,0)\n\t  {second}\n\tAt line 2 of k.rs:\n\t  }}\n\t\n"
            )
        };
        let load = "%5 = load volatile i32, i32 addrspace(1)* %4, align 4";
        let atomic =
            "%6 = call spir_func i32 @_Z10atomic_addPU3AS1Vjj(i32 addrspace(1)* %3, i32 1)";
        let plain = "store i32 1, i32 addrspace(1)* %4, align 4";
        let known = report("Read-write", load, atomic) + "\n" + &report("Read-write", atomic, load);
        assert_eq!(without_loads_of_atomics(&known), "");
        for others in [("Read-write", load, plain), ("Write-write", plain, atomic)] {
            let other = report(others.0, others.1, others.2);
            assert!(without_loads_of_atomics(&(known.clone() + "\n" + &other)).contains(others.1));
        }
    }
}
