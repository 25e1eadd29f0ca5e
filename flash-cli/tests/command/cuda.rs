//! The command on a CUDA device: that of the driver for tests, which interprets PTX.

use std::path::Path;

use flash_test_cuda::TestDriver;

use super::{Said, flash, json, left_out};

const FILE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/kernels/kernels.cu");

/// Calls the command with the driver for tests in place of NVIDIA's.
fn with_driver(args: &[&str]) -> Said {
    let folder = tempfile::tempdir().unwrap();
    TestDriver::link_into(folder.path()).unwrap();
    let nvrtc = std::env::var_os("FLASH_NVRTC");
    let mut variables = vec![
        ("LD_LIBRARY_PATH", folder.path()),
        ("FLASH_CACHE_DIR", folder.path()),
        ("FLASH_TEST_CUDA", Path::new("devices=2")),
        ("FLASH_CUDA_IMAGE", Path::new("ptx")),
    ];
    variables.extend(nvrtc.as_deref().map(|nvrtc| ("FLASH_NVRTC", Path::new(nvrtc))));
    flash(args, &variables)
}

/// Whether CUDA C can be compiled.
fn has_nvrtc() -> bool {
    let facts = json(&with_driver(&["doctor", "--json"]));
    let there = facts["cuda"]["nvrtc"]["version"].is_string();
    if !there {
        left_out("nvrtc", "NVRTC");
    }
    there
}

fn saxpy(a: &str) -> Said {
    let args = ["run-kernel", FILE, "--kernel", "saxpy", "--space", "1024", "--arg", a];
    let more = ["--arg", "x=f32[1024]:iota", "--arg", "io:y=f32[1024]:ones", "--arg", "n=u32:1024"];
    with_driver(&[&args[..], &more].concat())
}

#[test]
fn devices_are_found() {
    let facts = json(&with_driver(&["doctor", "--json"]));
    assert_eq!(facts["cuda"]["devices"].as_array().map(Vec::len), Some(2), "{facts}");
    assert_eq!(facts["cuda"]["driver"], "13.0");
    let said = with_driver(&["devices", "--key", "NVIDIA_GPU"]);
    assert!(said.out.contains("NVIDIA_GPU:1  FLASH test device 1"), "{said:?}");
}

#[test]
fn a_kernel_runs() {
    if !has_nvrtc() {
        return;
    }
    let said = saxpy("a=f32:2.0");
    assert_eq!(said.code, Some(0), "{said:?}");
    // The sum of 2 i + 1 for the first 1024 numbers is their square.
    assert!(said.out.contains("NVIDIA_GPU:0") && said.out.contains("sum 1048576"), "{said:?}");
}

#[test]
fn an_argument_of_another_type_is_refused() {
    if !has_nvrtc() {
        return;
    }
    let said = saxpy("a=f64:2.0");
    assert_eq!(said.code, Some(1), "{said:?}");
    for words in ["argument 0 is for `a`", "`double`", "takes `float`"] {
        assert!(said.err.contains(words), "{said:?}");
    }
}

#[test]
fn a_driver_that_is_too_old_is_said() {
    let folder = tempfile::tempdir().unwrap();
    TestDriver::link_into(folder.path()).unwrap();
    let variables = [
        ("LD_LIBRARY_PATH", folder.path()),
        ("FLASH_TEST_CUDA", Path::new("devices=1,version=11040")),
    ];
    let facts = json(&flash(&["doctor", "--json"], &variables));
    assert_eq!(facts["cuda"]["state"], "absent");
    let said = facts["cuda"]["error"].as_str().unwrap_or_default();
    assert!(said.contains("11.4") && said.contains("12.8"), "{said}");
    // Everything else goes on.
    assert_eq!(facts["ok"], true);
}

/// What `doctor` says of the driver for tests without one of its functions.
fn without(function: &str) -> serde_json::Value {
    let folder = tempfile::tempdir().unwrap();
    let mut library = std::fs::read(TestDriver::library().unwrap()).unwrap();
    // By another name of the same length nobody finds it.
    let name = format!("\0{function}\0").into_bytes();
    let places = library.windows(name.len()).enumerate();
    let places: Vec<usize> = places.filter(|(_, it)| *it == name).map(|(at, _)| at).collect();
    assert!(!places.is_empty(), "there is no `{function}`");
    for at in places {
        library[at + 1] = b'x';
    }
    for name in ["libcuda.so", "libcuda.so.1"] {
        std::fs::write(folder.path().join(name), &library).unwrap();
    }
    let variables =
        [("LD_LIBRARY_PATH", folder.path()), ("FLASH_TEST_CUDA", Path::new("devices=2"))];
    let mut facts = json(&flash(&["doctor", "--json"], &variables));
    assert_eq!(facts["ok"], true, "everything else goes on");
    facts["cuda"].take()
}

#[test]
fn a_driver_without_a_function_is_said() {
    // The first and the last that are looked for, and one between them.
    for function in ["cuCtxEnablePeerAccess", "cuEventElapsedTime_v2", "cuStreamWaitEvent"] {
        let cuda = without(function);
        assert_eq!(cuda["state"], "absent");
        let said = cuda["error"].as_str().unwrap_or_default();
        let install = "install one for CUDA 12.8 or later";
        assert!(said.contains(&format!("no function `{function}`; {install}")), "{said}");
    }
    // The host does what these would.
    let cuda = without("cuGraphConditionalHandleCreate");
    assert_eq!(cuda["devices"].as_array().map(Vec::len), Some(2), "{cuda}");
}

#[test]
fn a_driver_without_devices_is_said() {
    let folder = tempfile::tempdir().unwrap();
    TestDriver::link_into(folder.path()).unwrap();
    let variables =
        [("LD_LIBRARY_PATH", folder.path()), ("FLASH_TEST_CUDA", Path::new("devices=0"))];
    let facts = json(&flash(&["doctor", "--json"], &variables));
    assert_eq!(facts["cuda"]["state"], "absent");
    assert!(facts["cuda"]["error"].is_string(), "{facts}");
    assert_eq!(facts["ok"], true);
}
