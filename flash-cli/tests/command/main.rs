//! The command as a person calls it: the built program with arguments and an environment. What needs a
//! device or a compiler is left out where there is none, unless `FLASH_REQUIRE` names it.
#![allow(clippy::unwrap_used, clippy::print_stderr, reason = "helpers of tests")]

mod cuda;
mod devices;
mod doctor;
mod run_kernel;

use std::path::Path;
use std::process::Command;

use serde_json::Value;

/// What a call came to.
#[derive(Debug)]
struct Said {
    code: Option<i32>,
    out: String,
    err: String,
}

/// Calls the command with arguments and variables, and without those that whoever runs the tests has set.
fn flash(args: &[&str], variables: &[(&str, &Path)]) -> Said {
    let mut command = Command::new(env!("CARGO_BIN_EXE_flash"));
    for (name, _) in std::env::vars_os() {
        if name.to_string_lossy().to_uppercase().starts_with("FLASH_") {
            command.env_remove(name);
        }
    }
    let said = command.args(args).envs(variables.iter().copied()).output().expect("it starts");
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    Said { code: said.status.code(), out: text(&said.stdout), err: text(&said.stderr) }
}

/// What a call says that is to be JSON.
#[track_caller]
fn json(said: &Said) -> Value {
    serde_json::from_str(&said.out).unwrap_or_else(|error| panic!("{error}: {said:?}"))
}

/// Says that a test is left out, which is a failure where what it needs is required.
fn left_out(needs: &str, what: &str) {
    eprintln!("left out: there is no {what}");
    let required = std::env::var("FLASH_REQUIRE").unwrap_or_default();
    assert!(!required.split(',').any(|required| required == needs), "no {what}");
}

/// Whether there is an OpenCL device.
fn has_opencl() -> bool {
    let all = json(&flash(&["devices", "--json"], &[]));
    let all = all["devices"].as_array().expect("a list");
    let there = all.iter().any(|device| device["key"] == "OPENCL");
    if !there {
        left_out("opencl", "OpenCL device");
    }
    there
}

#[test]
fn help_has_all_commands_and_fits_a_terminal() {
    for args in [&["--help"][..], &["doctor", "--help"], &["devices", "--help"]] {
        let said = flash(args, &[]);
        assert_eq!(said.code, Some(0));
        assert!(said.out.lines().all(|line| line.chars().count() <= 100), "{}", said.out);
    }
    let said = flash(&["--help"], &[]);
    for command in ["doctor", "devices", "run-kernel"] {
        assert!(said.out.contains(&format!("\n  {command} ")), "{}", said.out);
    }
    assert_eq!(flash(&["dance"], &[]).code, Some(2));
}
