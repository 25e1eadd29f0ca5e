//! Kernels on OpenCL devices: the contract of the backend, native kernels end to end, what is said of
//! those that cannot be. Without a device the tests are left out, unless `FLASH_REQUIRE` has `opencl`.
#![allow(clippy::unwrap_used, reason = "a test fails by unwrapping")]

mod adopted;
mod bad;
mod binaries;
mod calls;
mod damaged;
mod division;
mod driver;
mod elements;
mod elsewhere;
mod facts;
mod faults;
mod fpga;
mod groups;
mod in_place;
mod kept;
mod late;
mod limits;
mod lines;
mod native;
mod nodes;
mod oclgrind;
mod registered;
mod said;
mod spirv;
mod staging;
mod typedefs;
mod wide;

use std::path::Path;
use std::process::Command;
use std::sync::Arc;

use flash::prelude::*;
use flash_ocl::OpenCl;
use flash_rt::Options;
use flash_rt::backend::conformance;
use flash_tests::opencl;

/// Set in a process that [`again`] started.
const AGAIN: &str = "OPENCL_TEST_AGAIN";

/// Whether this is a process of its own for one test.
fn is_again() -> bool {
    std::env::var_os(AGAIN).is_some()
}

/// Runs a test once more, in a process with these variables and this folder: drivers, and some
/// options, are read once in each. Fails as it fails.
#[track_caller]
fn again(test: &str, variables: &[(&str, &str)], folder: Option<&Path>) {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args(["--exact", test, "--nocapture"]).env(AGAIN, "1").envs(variables.iter().copied());
    if let Some(folder) = folder {
        command.current_dir(folder);
    }
    let run = command.output().unwrap();
    let said = String::from_utf8_lossy(&run.stdout);
    let has_run = run.status.success() && said.contains("1 passed");
    let status = run.status;
    assert!(has_run, "{status}, {variables:?}\n{said}{}", String::from_utf8_lossy(&run.stderr));
}

/// No variables but those that are there.
const AS_IT_IS: &[&[(&str, &str)]] = &[&[]];

/// Wraps the driver of this process. Oclgrind is not made for several threads.
fn wrap() {
    if flash_tests::oclgrind::is_under() {
        flash_ocl::calls::one_at_a_time()
    } else {
        flash_ocl::calls::wrap()
    }
}

/// Whether this is a process of its own for a test, whose driver is wrapped from now on. Otherwise, where there is
/// a device, the test runs in one for each of these lists of variables.
#[track_caller]
fn alone(test: &str, each: &[&[(&str, &str)]]) -> bool {
    if is_again() {
        wrap();
        return true;
    }
    if opencl().is_some() {
        each.iter().for_each(|variables| again(test, variables, None));
    }
    false
}

/// The OpenCL devices and, with the number behind theirs, the CPU; they take launches in turn.
fn in_turn() -> Runtime {
    let backend = OpenCl::new(&Options::from_env().unwrap());
    let builder = Runtime::builder().backend(Arc::new(backend)).devices("ALL_CPU").threads(2);
    builder.round_robin(true).build().unwrap()
}

/// The OpenCL devices with memory of their own, to which arrays are copied whatever `FLASH_ZERO_COPY` says.
fn copying() -> Option<Runtime> {
    opencl()?;
    let mut options = Options::from_env().unwrap();
    options.zero_copy = false;
    Some(Runtime::builder().backend(Arc::new(OpenCl::new(&options))).build().unwrap())
}

/// Says so to a process of its own.
const COPYING: (&str, &str) = ("FLASH_ZERO_COPY", "0");

/// All copies go through pinned memory there.
const STAGED: (&str, &str) = ("FLASH_STAGING", "1");

/// The OpenCL devices, to and from which copies of so many bytes and more go through pinned memory.
fn staged(from: u64) -> Option<Arc<OpenCl>> {
    opencl()?;
    let mut options = Options::from_env().unwrap();
    (options.zero_copy, options.staging) = (false, Some(from));
    Some(Arc::new(OpenCl::new(&options)))
}

#[test]
fn copies_and_queues_keep_the_contract() {
    let Some(rt) = opencl() else { return };
    // Some copies through pinned memory, some not.
    let ways = [1, 40].map(|from| Runtime::builder().backend(staged(from).unwrap()).build());
    let staged = ways.map(|rt| rt.unwrap());
    for device in rt.devices().iter().chain(staged.iter().flat_map(Runtime::devices)) {
        conformance::regions(device);
        conformance::two_memories(device);
        conformance::memory_info(device);
        conformance::tickets(device);
        conformance::order_of_queues(device);
        conformance::compute_queues(device);
        conformance::giving_up(device);
    }
}

#[test]
fn processors_are_no_devices_of_all() {
    let Some(rt) = opencl() else { return };
    let all = Runtime::new().unwrap();
    for device in rt.devices() {
        let is_there = all.devices().iter().any(|known| known.name() == device.name());
        assert_eq!(is_there, device.info().accelerator, "{}", device.name());
    }
}
