//! What tests share: the devices that a machine may have. It tests no part of FLASH.
#![allow(clippy::print_stderr, reason = "a test that is left out says so")]

#[path = "shared/chain.rs"]
pub mod chain;
#[path = "shared/cubin.rs"]
pub mod cubin;
#[path = "shared/cuda.rs"]
pub mod cuda;
#[path = "shared/nvrtc.rs"]
pub mod nvrtc;
#[path = "shared/oclgrind.rs"]
pub mod oclgrind;
#[path = "shared/release.rs"]
pub mod release;
#[path = "shared/required.rs"]
mod required;

use std::ops::Deref;

use flash::{Error, Runtime};
pub use required::required;

/// A runtime, with the driver that it is of where that is one for tests.
pub type Opened = Box<dyn Deref<Target = Runtime>>;

/// These, and runtimes of OpenCL devices and of CUDA devices with these settings, where they are there.
///
/// # Panics
///
/// As [`opencl`] and [`cuda::devices`].
pub fn with_devices(mut all: Vec<Runtime>, settings: &str) -> Vec<Opened> {
    all.extend(opencl());
    let cuda = cuda::devices(settings).map(|cuda| Box::new(cuda) as Opened);
    // A box of a runtime is what leads to one.
    all.into_iter().map(|rt| Box::new(Box::new(rt)) as Opened).chain(cuda).collect()
}

/// The OpenCL devices of this machine, if it has some. Where it has none a test is left out, and says
/// so; it fails where `FLASH_REQUIRE` has `opencl`.
///
/// # Panics
///
/// Where they are required, or cannot be opened though they are there.
pub fn opencl() -> Option<Runtime> {
    open("OPENCL", "opencl")
}

/// The FPGAs of this machine, or emulations of them, likewise; `FLASH_REQUIRE` says `fpga`.
///
/// # Panics
///
/// As [`opencl`].
pub fn fpga() -> Option<Runtime> {
    open("INTEL_FPGA", "fpga")
}

fn open(key: &str, what: &str) -> Option<Runtime> {
    match Runtime::open(key) {
        Ok(rt) => Some(rt),
        Err(Error::NoDevice { .. }) => {
            assert!(!required(what), "there is no device of `{key}`");
            eprintln!("left out: there is no device of `{key}`");
            None
        }
        Err(error) => panic!("{error:?}"),
    }
}
