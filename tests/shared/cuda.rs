//! CUDA devices: those of the driver for tests, which interprets PTX, or, where `FLASH_REQUIRE` has `cuda`,
//! those of the driver of this machine. For what is compiled, NVRTC is needed too.
#![allow(clippy::print_stderr, reason = "a test that is left out says so")]

use std::path::{Path, PathBuf};
use std::sync::Arc;

use flash::{Enabled, Error, Runtime};
use flash_cuda::Cuda;
use flash_rt::{Builder, Options};
use flash_test_cuda::TestDriver;

use crate::required;

/// A runtime and the driver for tests that its devices are of, which outlives it.
#[derive(Debug)]
pub struct TestCuda {
    /// With all devices of the driver and nothing else.
    pub rt: Runtime,
    /// The driver.
    pub driver: TestDriver,
}

/// A runtime on CUDA devices, whichever driver they are of.
#[derive(Debug)]
pub struct OnCuda {
    /// With all devices of the driver.
    pub rt: Runtime,
    /// The driver for tests, where they are its devices.
    pub driver: Option<TestDriver>,
}

/// Where what is compiled is kept from one test to the next.
fn kept() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../target/tmp/cuda-kernels")
}

/// The options of these devices. The driver for tests runs PTX and nothing else.
///
/// # Panics
///
/// Where the environment says what is none.
pub fn options() -> Options {
    let mut options = Options::from_env().unwrap_or_else(|error| panic!("{error}"));
    if required(CUDA) {
        return options;
    }
    options.cuda_ptx = Some(true);
    options.cache_dir = Some(kept());
    options
}

const CUDA: &str = "cuda";

/// Whether there is what bodies are compiled with. Where it is not, a test is left out, and says so; it
/// fails where `FLASH_REQUIRE` has `nvrtc`.
fn compiles() -> bool {
    let Err(why) = flash_cuda::report::compiler(&options()) else { return true };
    assert!(!required("nvrtc"), "{why}");
    eprintln!("left out: {why}");
    false
}

/// The driver for tests with these settings, for a test that steers it or looks at its calls. It is left
/// out, and says so, where kernels cannot be compiled, and where the driver of this machine is asked for.
///
/// # Panics
///
/// Where it cannot be loaded, or the compiler is missing and `FLASH_REQUIRE` has `nvrtc`.
pub fn driver(settings: &str) -> Option<TestDriver> {
    if required(CUDA) {
        eprintln!(
            "left out: it steers the driver for tests, and `FLASH_REQUIRE` asks for the real one"
        );
        return None;
    }
    compiles().then(|| TestDriver::load(settings).unwrap_or_else(|why| panic!("{why}")))
}

/// The backend, and the driver for tests where it is that one's, for a test that is about neither. Of the
/// settings, the driver of this machine has to have as many devices; a test that wants more is left out,
/// and says so.
///
/// # Panics
///
/// As [`driver`], and where no device of this machine can be opened though `FLASH_REQUIRE` has `cuda`.
pub fn backend(settings: &str) -> Option<(Arc<Cuda>, Option<TestDriver>)> {
    if !required(CUDA) {
        let driver = driver(settings)?;
        return Some((Arc::new(Cuda::new(&options())), Some(driver)));
    }
    if !compiles() {
        return None;
    }
    let wanted = settings.split(',').find_map(|it| it.strip_prefix("devices=")?.parse().ok());
    let wanted: usize = wanted.unwrap_or(1);
    let backend = Arc::new(Cuda::new(&options()));
    let there = match Runtime::builder().backend(backend.clone()).build() {
        Ok(rt) => rt.devices().len(),
        Err(error @ Error::NoDevice { .. }) => panic!("`FLASH_REQUIRE` has `cuda`: {error}"),
        Err(error) => panic!("{error:?}"),
    };
    if there < wanted {
        eprintln!("left out: it wants {wanted} devices, and there are {there}");
        return None;
    }
    Some((backend, None))
}

/// A runtime on CUDA devices, for a test of what any of them does.
///
/// # Panics
///
/// As [`backend`].
pub fn devices(settings: &str) -> Option<OnCuda> {
    devices_with(settings, |builder| builder)
}

/// The same, with more said of the runtime.
///
/// # Panics
///
/// As [`backend`].
pub fn devices_with(
    settings: &str,
    more: impl FnOnce(Builder<Enabled>) -> Builder<Enabled>,
) -> Option<OnCuda> {
    let (backend, driver) = backend(settings)?;
    let rt = more(Runtime::builder().backend(backend)).build();
    Some(OnCuda { rt: rt.unwrap_or_else(|error| panic!("{error}")), driver })
}

/// Asserts that a driver for tests that looks for hazards (`hazards=1`) has seen none, nor what it cannot do.
///
/// # Panics
///
/// Where it has.
pub fn assert_orderly<'d>(driver: impl Into<Option<&'d TestDriver>>) {
    if let Some(driver) = driver.into() {
        assert_eq!((driver.hazards(), driver.trouble()), (vec![], String::new()));
    }
}

impl std::ops::Deref for OnCuda {
    type Target = Runtime;

    fn deref(&self) -> &Runtime {
        &self.rt
    }
}

impl std::ops::Deref for TestCuda {
    type Target = Runtime;

    fn deref(&self) -> &Runtime {
        &self.rt
    }
}

/// The devices of the driver for tests, for a test that steers it or looks at its calls.
///
/// # Panics
///
/// As [`driver`], and where the devices cannot be opened.
pub fn cuda(settings: &str) -> Option<TestCuda> {
    built(settings, |builder| builder)
}

/// The same, with more said of the runtime.
///
/// # Panics
///
/// As [`cuda`].
pub fn built(
    settings: &str,
    more: impl FnOnce(Builder<Enabled>) -> Builder<Enabled>,
) -> Option<TestCuda> {
    let driver = driver(settings)?;
    let backend = Arc::new(Cuda::new(&options()));
    let rt = more(Runtime::builder().backend(backend)).build();
    Some(TestCuda { rt: rt.unwrap_or_else(|error| panic!("{error}")), driver })
}
