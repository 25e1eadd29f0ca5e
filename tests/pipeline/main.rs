//! What pipelines do: loops, evaluation of fragments, host tasks, running again, launching. Each
//! program runs on the CPU and on a device with its own memory, and is compared with plain Rust.
#![allow(clippy::unwrap_used, reason = "a test fails by unwrapping")]
#![allow(clippy::reversed_empty_ranges, reason = "loops without trips are tested too")]

mod blocks;
mod borrowed;
mod by_macro;
mod cells;
mod control;
mod crossing;
mod crowd;
mod delays;
mod evaluation;
mod fallback;
mod handles;
mod large;
mod life;
mod loops;
mod native;
mod neighbours;
mod nesting;
mod overlap;
mod passing;
mod placement;
mod policy;
mod rebind;
mod rendezvous;
mod spaces;
mod tasks;
mod windows;

use flash::prelude::*;

/// x ← (x·a + b) mod 65521: no two of these with different constants commute.
#[flash::kernel]
pub fn mix(a: u64, b: u64, x: &mut [u64]) {
    let i = global_id(0);
    x[i] = (x[i] * a + b) % 65521;
}

/// y ← (y + k·x) mod 65521
#[flash::kernel]
pub fn accumulate(k: u64, x: &[u64], y: &mut [u64]) {
    let i = global_id(0);
    y[i] = (y[i] + k * x[i]) % 65521;
}

/// As [`mix`], in two dimensions.
#[flash::kernel]
pub fn mix_matrix(a: u64, b: u64, x: ViewMut<'_, u64, 2>) {
    let (j, i) = (global_id(1), global_id(0));
    x[[j, i]] = (x[[j, i]] * a + b) % 65521;
}

/// The largest value.
#[flash::kernel]
pub fn maximum(x: &[u64], #[reduce(max)] m: &mut u64) {
    *m = m.max(x[global_id(0)]);
}

/// [`mix`] on one value.
pub fn mixed(x: u64, a: u64, b: u64) -> u64 {
    (x * a + b) % 65521
}

/// Runs a test on each kind of device.
pub fn on_each_device(test: impl Fn(&Runtime)) {
    for key in ["ALL_CPU", "SIM"] {
        let rt = Runtime::builder().devices(key).threads(2).build().unwrap();
        test(&rt);
    }
}

/// Runs a test on one device with so much memory: a simulated one, and others that are there.
pub fn on_small_devices(memory: u64, test: impl Fn(&Runtime)) {
    let one = flash_rt::sim::Config { devices: 1, ..Default::default() };
    let builder = || Runtime::builder().threads(2).memory_limit(memory);
    test(&builder().devices("SIM").sim(one).build().unwrap());
    if flash_tests::opencl().is_some() {
        test(&builder().devices("OPENCL").build().unwrap());
    }
    // Dropped before its driver.
    if let Some((cuda, _driver)) = flash_tests::cuda::backend("devices=1") {
        test(&builder().backend(cuda).build().unwrap());
    }
}

/// The values 1, 2, .. n.
pub fn counted(n: u64) -> Vec<u64> {
    (1..=n).collect()
}
