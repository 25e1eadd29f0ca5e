//! What the tests of the driver share: calls of the bindings that must succeed, or must fail.
#![allow(dead_code, reason = "each test uses a part of it")]

use cudarc::driver::DriverError;
use cudarc::driver::sys::CUresult;
use flash_test_cuda::TestDriver;

pub(crate) fn driver(settings: &str) -> TestDriver {
    TestDriver::load(settings).expect("the driver was built with this test")
}

pub(crate) fn code<T: std::fmt::Debug>(result: Result<T, DriverError>) -> u32 {
    result.expect_err("it should fail").0 as u32
}

#[track_caller]
pub(crate) fn ok(result: CUresult) {
    assert_eq!(result, CUresult::CUDA_SUCCESS);
}
