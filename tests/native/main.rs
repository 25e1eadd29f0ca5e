//! Kernels in C: they know what a body knows, by the same names, in any index space. Without a C
//! compiler the tests say so and stop.
#![allow(clippy::unwrap_used, reason = "a test fails by unwrapping")]
#![allow(clippy::print_stdout, reason = "a test that is left out says so")]

mod facts;
mod languages;
mod search;
mod tables;

use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::OnceLock;

/// A folder for what tests compile, with the header in it. Until this process ends no other one has it.
fn folder() -> &'static Path {
    static FOLDER: OnceLock<(PathBuf, File)> = OnceLock::new();
    let (folder, _) = FOLDER.get_or_init(|| {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("native");
        std::fs::create_dir_all(&folder).unwrap();
        let mine = File::create(folder.join("lock")).unwrap();
        mine.lock().unwrap();
        std::fs::write(folder.join("flash.h"), flash::cpu::HEADER).unwrap();
        (folder, mine)
    });
    folder
}

/// Runs a compiler on a source; `None` where there is none.
fn compiler(which: &str, name: &str, source: &str, args: &[&str], out: &str) -> Option<PathBuf> {
    let (file, out) = (folder().join(name), folder().join(out));
    std::fs::write(&file, source).unwrap();
    let ran = Command::new(which)
        .args(["-O2", "-Wall", "-Wextra", "-Werror"])
        .args(args)
        .arg("-o")
        .args([&out, &file])
        .output();
    let Ok(Output { status, stderr, .. }) = ran else {
        println!("skipped: there is no compiler `{which}`");
        return None;
    };
    assert!(status.success(), "{}", String::from_utf8_lossy(&stderr));
    Some(out)
}

/// Compiles a library of kernels; `None` where there is no C compiler.
fn library(name: &str, source: &str) -> Option<PathBuf> {
    let source = format!("#include \"flash.h\"\nFLASH_MODULE\n{source}");
    let args = ["-std=c11", "-shared", "-fPIC", "-Wno-unused-parameter"];
    compiler("cc", &format!("{name}.c"), &source, &args, &format!("{name}.so"))
}
