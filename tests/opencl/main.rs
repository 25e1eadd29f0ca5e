//! Kernels on OpenCL devices: the contract of the backend, native kernels end to end, what is said of
//! those that cannot be. Without a device the tests are left out, unless `FLASH_REQUIRE` has `opencl`.
#![allow(clippy::unwrap_used, reason = "a test fails by unwrapping")]

mod bad;
mod kept;
mod native;
mod nodes;

use flash::prelude::*;
use flash_rt::backend::conformance;
use flash_tests::opencl;

#[test]
fn copies_and_queues_keep_the_contract() {
    let Some(rt) = opencl() else { return };
    for device in rt.devices() {
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
