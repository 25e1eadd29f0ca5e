//! CUDA devices of the driver for tests, which interprets PTX; for what is compiled, NVRTC is needed too.
#![allow(clippy::print_stderr, reason = "a test that is left out says so")]

use std::path::{Path, PathBuf};
use std::sync::Arc;

use flash::{Enabled, Runtime};
use flash_cuda::Cuda;
use flash_rt::{Builder, Options};
use flash_test_cuda::TestDriver;

/// A runtime and the driver that its devices are of, which outlives it.
#[derive(Debug)]
pub struct TestCuda {
    /// With all devices of the driver and nothing else.
    pub rt: Runtime,
    /// The driver.
    pub driver: TestDriver,
}

/// Where what is compiled is kept from one test to the next.
fn kept() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../target/tmp/cuda-kernels")
}

/// The options of these devices: PTX, as the driver runs nothing else.
///
/// # Panics
///
/// Where the environment says what is none.
pub fn options() -> Options {
    let mut options = Options::from_env().unwrap_or_else(|error| panic!("{error}"));
    options.cuda_ptx = Some(true);
    options.cache_dir = Some(kept());
    options
}

/// The driver for tests with these settings, if what kernels need is there. Where it is not, a test is left
/// out, and says so; it fails where `FLASH_REQUIRE` has `nvrtc`.
///
/// # Panics
///
/// Where it cannot be loaded.
pub fn driver(settings: &str) -> Option<TestDriver> {
    if let Err(why) = flash_cuda::report::compiler(&options()) {
        let required = std::env::var("FLASH_REQUIRE").unwrap_or_default();
        assert!(!required.split(',').any(|it| it == "nvrtc"), "{why}");
        eprintln!("left out: {why}");
        return None;
    }
    Some(TestDriver::load(settings).unwrap_or_else(|why| panic!("{why}")))
}

impl std::ops::Deref for TestCuda {
    type Target = Runtime;

    fn deref(&self) -> &Runtime {
        &self.rt
    }
}

/// The devices of the driver for tests.
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
