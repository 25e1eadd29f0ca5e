//! Programs of their own, compiled with optimisation for tests that look at machine code or count
//! instructions. It runs none of them.

use std::path::{Path, PathBuf};
use std::process::Command;

/// Builds the crate in `tests/NAME`; the folder of what is built. All share one folder in `tmp` and one
/// profile, so that what they depend on is compiled once.
///
/// # Panics
///
/// Where it does not build.
pub fn built(name: &str, tmp: &str) -> PathBuf {
    let root = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/.."));
    let (folder, target) = (root.join("tests").join(name), Path::new(tmp).join("release-programs"));
    // The same versions as in the workspace, whether there is a network or not.
    std::fs::copy(root.join("Cargo.lock"), folder.join("Cargo.lock"))
        .unwrap_or_else(|error| panic!("the lock file is not copied: {error}"));
    let built = Command::new(env!("CARGO"))
        .args(["build", "--release", "--quiet", "--offline", "--manifest-path"])
        .arg(folder.join("Cargo.toml"))
        .arg("--target-dir")
        .arg(&target)
        // Names of instances, so that the entries of a kernel can be found.
        .env("RUSTFLAGS", "-C symbol-mangling-version=v0")
        // A part of the code for each unit would be that of another build.
        .env("CARGO_INCREMENTAL", "0")
        .status()
        .unwrap_or_else(|error| panic!("cargo does not start: {error}"));
    assert!(built.success(), "`tests/{name}` does not build");
    target.join("release")
}
