//! The CUDA backend on the driver for tests, without kernels: what the contract promises of memory, copies and
//! queues, on one device and on several, what is said where there is none, devices that are lost, and programs
//! that use CUDA themselves. Nothing here needs a GPU.
#![allow(clippy::unwrap_used, reason = "a test fails by unwrapping")]

mod copies;
mod devices;
mod interop;
mod lost;
mod memory;
mod pinned;

use std::sync::Arc;

use flash::prelude::*;
use flash_cuda::Cuda;
use flash_rt::Options;
use flash_test_cuda::TestDriver;

/// The driver with these settings, for one test at a time.
fn driver(settings: &str) -> TestDriver {
    TestDriver::load(settings).unwrap()
}

/// A runtime of the devices that the driver shows now.
fn runtime() -> Runtime {
    runtime_with(&Options::default())
}

fn runtime_with(options: &Options) -> Runtime {
    Runtime::builder().backend(Arc::new(Cuda::new(options))).build().unwrap()
}
