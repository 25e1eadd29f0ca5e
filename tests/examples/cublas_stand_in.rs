//! The example with cuBLAS: with a stand-in for that on CUDA devices of the driver for tests, and without.

use std::path::{Path, PathBuf};
use std::process::Command;

use flash_examples::{Options, Size};
use flash_tests::cuda::{TestCuda, cuda};

use super::{cublas, succeed};
use crate::cublas::library::Cublas;

/// The stand-in, compiled; nothing where there is no compiler.
fn stand_in(folder: &Path, more: &str) -> Option<PathBuf> {
    let library = folder.join("libcublas.so");
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/cublas.c");
    let mut compiler = Command::new("cc");
    compiler.args(["-O1", "-Wall", "-Werror", "-shared", "-fPIC", more, "-o"]);
    let Ok(output) = compiler.arg(&library).arg(source).arg("-ldl").output() else {
        println!("skipped: there is no C compiler `cc`");
        return None;
    };
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    Some(library)
}

#[test]
fn a_library_computes_between_kernels() {
    let folder = tempfile::tempdir().expect("a folder for the test");
    let Some(library) = stand_in(folder.path(), "-DWITH_SGEMM") else { return };
    for settings in ["devices=1,hazards=1", "devices=2,hazards=1,delay=kernel:200"] {
        let Some(TestCuda { driver, rt }) = cuda(settings) else { return };
        let library = Cublas::open(&library).expect("it has all functions");
        for shape in [[19, 13, 22], [1, 1, 1], [64, 33, 7]] {
            let (a, b) = flash_examples::random::factors(shape, 5);
            let c = succeed(cublas::multiply(&rt, Some(&library), shape, &a, &b));
            succeed(cublas::compare(shape, &a, &b, &c));
            // The comparison tells a wrong product.
            let wrong: Vec<f32> = c.iter().map(|c| c + 0.01).collect();
            cublas::compare(shape, &a, &b, &wrong).expect_err("it differs");
        }
        assert_eq!(driver.counts()["cuLaunchHostFunc"], 3, "it was the library");
        assert_eq!(driver.hazards(), Vec::<String>::new());
    }
}

#[test]
fn a_library_without_a_function_is_none() {
    let folder = tempfile::tempdir().expect("a folder for the test");
    let Some(library) = stand_in(folder.path(), "-DWITHOUT_SGEMM") else { return };
    let said = Cublas::open(&library).expect_err("it lacks one");
    assert!(said.contains("cublasSgemm_v2"), "{said}");
    let said = Cublas::open(&folder.path().join("none.so")).expect_err("it is not there");
    assert!(said.contains("none.so"), "{said}");
}

#[test]
fn without_it_a_kernel_computes() {
    let folder = tempfile::tempdir().expect("a folder for the test");
    let options = Options { size: Size::Smoke, out: folder.path().to_owned() };
    let Some(test) = cuda("devices=1") else { return };
    succeed(cublas::run(&test.rt, &options));
}
