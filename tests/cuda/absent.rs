//! Machines without GPUs: no driver, one that is too old, one that shows no device. A program computes on what
//! else there is.

use std::path::Path;
use std::process::Command;

use flash::Error;
use flash::prelude::*;
use flash_test_cuda::TestDriver;

/// Set in the process of a program.
const IS_PROGRAM: &str = "ABSENT_TEST";

#[flash::kernel]
fn doubled(x: &[f32], #[out] y: &mut [f32]) {
    let i = global_id(0);
    y[i] = 2.0 * x[i];
}

fn program() {
    match Runtime::open("NVIDIA_GPU").unwrap_err() {
        error @ Error::NoDevice { .. } => {
            let text = error.to_string();
            assert!(text.contains("`NVIDIA_GPU`") && text.contains("ALL_CPU"), "{text}");
            assert!(text.ends_with("`flash doctor` says what is missing"), "{text}");
        }
        error => panic!("{error}"),
    }
    let rt = Runtime::new().unwrap();
    assert!(rt.devices().iter().all(|device| device.key() != "NVIDIA_GPU"));
    let (x, mut y) = (Buffer::from(vec![3.0_f32; 100]), Buffer::zeros(100));
    rt.submit(doubled(&x, &mut y)).exec([100]).unwrap();
    assert_eq!(y.to_vec().unwrap(), [6.0; 100]);
}

#[test]
fn programs_go_on_without_gpus() {
    if std::env::var_os(IS_PROGRAM).is_some() {
        return program();
    }
    if flash_tests::required("cuda") {
        // There is a GPU.
        return;
    }
    let (with, without) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    TestDriver::link_into(with.path()).unwrap();
    let ends = |libraries: &Path, settings: &str| {
        let mut again = Command::new(std::env::current_exe().unwrap());
        again.args(["--exact", "absent::programs_go_on_without_gpus"]);
        again.env("LD_LIBRARY_PATH", libraries).env("FLASH_TEST_CUDA", settings);
        let run = again.env(IS_PROGRAM, "1").output().unwrap();
        let said = String::from_utf8_lossy(&run.stdout).into_owned();
        (run.status.success() && said.contains("1 passed"), said)
    };
    let machines = [
        (without.path(), "devices=1"),
        (with.path(), "devices=0"),
        (with.path(), "devices=1,version=11040"),
    ];
    for (libraries, settings) in machines {
        let (is_well, said) = ends(libraries, settings);
        assert!(is_well, "{settings}: {said}");
    }
    // The driver that is linked to would be used.
    let (is_well, said) = ends(with.path(), "devices=1");
    assert!(!is_well, "there was a device: {said}");
}
