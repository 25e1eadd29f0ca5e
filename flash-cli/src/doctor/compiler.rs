//! A compiler for kernels of shared libraries. It compiles nothing.

use std::process::{Command, Stdio};

use serde_json::json;

use super::packages::Packages;
use super::{Section, State};

/// Compilers for C, the usual one first.
const NAMES: [&str; 3] = ["cc", "gcc", "clang"];

pub(super) fn section() -> Section {
    let found = NAMES.into_iter().find_map(|name| Some((name, version(name)?)));
    let facts = json!({
        "command": found.as_ref().map(|(name, _)| name),
        "version": found.as_ref().map(|(_, version)| version),
    });
    let mut section = Section::new("compiler", "C compiler", facts);
    match found {
        Some((name, version)) => section.summary = format!("{name}: {version}"),
        None => {
            section.state = State::Absent;
            section.summary = format!("none of {}, which kernels in C need", NAMES.join(", "));
            section.fix = Packages::here().compiler().map(str::to_owned);
        }
    }
    section
}

/// The first line of what it says of itself.
fn version(name: &str) -> Option<String> {
    let said = Command::new(name).arg("--version").stdin(Stdio::null()).output().ok()?;
    let text = String::from_utf8_lossy(&said.stdout);
    said.status.success().then(|| text.lines().next().unwrap_or_default().to_owned())
}
