//! What a call of the driver says when it fails, and what the run time may do about it. Fenced: it asks
//! the driver for its words.
#![allow(unsafe_code, reason = "asks the driver for its words")]

use std::ffi::{CStr, c_char, c_uint};
use std::ptr::null;

use cudarc::driver::sys::CUresult;
use flash_rt::DriverError;
use flash_rt::error::DriverErrorKind;

use super::functions;

/// What a call returned: a number, as drivers that are newer than the types of cudarc have more of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(transparent)]
pub(crate) struct Code(c_uint);

impl Code {
    /// There is no function, or nothing else, of a name.
    pub(crate) const NOT_FOUND: Self = Self::of(CUresult::CUDA_ERROR_NOT_FOUND);
    /// A fault that the device has kept from others; the process has to go.
    const CONTAINED: Self = Self(226);

    /// One that is known.
    pub(crate) const fn of(known: CUresult) -> Self {
        Self(known as c_uint)
    }

    /// Whether it is this one.
    pub(crate) fn is(self, known: CUresult) -> bool {
        self == Self::of(known)
    }
}

/// A call that failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Failure {
    /// The call.
    pub(crate) api: &'static str,
    /// What it returned.
    pub(crate) code: Code,
}

/// Those after which every call of a context fails, or the device is not there.
const STICKY: [CUresult; 16] = [
    CUresult::CUDA_ERROR_ECC_UNCORRECTABLE,
    CUresult::CUDA_ERROR_NVLINK_UNCORRECTABLE,
    CUresult::CUDA_ERROR_DEVICE_UNAVAILABLE,
    CUresult::CUDA_ERROR_CONTEXT_IS_DESTROYED,
    CUresult::CUDA_ERROR_ILLEGAL_ADDRESS,
    CUresult::CUDA_ERROR_LAUNCH_TIMEOUT,
    CUresult::CUDA_ERROR_ASSERT,
    CUresult::CUDA_ERROR_HARDWARE_STACK_ERROR,
    CUresult::CUDA_ERROR_ILLEGAL_INSTRUCTION,
    CUresult::CUDA_ERROR_MISALIGNED_ADDRESS,
    CUresult::CUDA_ERROR_INVALID_ADDRESS_SPACE,
    CUresult::CUDA_ERROR_INVALID_PC,
    CUresult::CUDA_ERROR_LAUNCH_FAILED,
    CUresult::CUDA_ERROR_EXTERNAL_DEVICE,
    CUresult::CUDA_ERROR_TENSOR_MEMORY_LEAK,
    CUresult::CUDA_ERROR_MPS_CLIENT_TERMINATED,
];

impl Failure {
    /// `Ok` for success.
    pub(crate) fn check(api: &'static str, code: Code) -> Result<(), Self> {
        if code.is(CUresult::CUDA_SUCCESS) { Ok(()) } else { Err(Self { api, code }) }
    }

    /// A call whose arguments make no sense to the driver.
    pub(crate) const fn invalid(api: &'static str) -> Self {
        Self { api, code: Code::of(CUresult::CUDA_ERROR_INVALID_VALUE) }
    }

    /// For something that went with the context it was in.
    pub(crate) const fn gone(what: &'static str) -> Self {
        Self { api: what, code: Code::of(CUresult::CUDA_ERROR_CONTEXT_IS_DESTROYED) }
    }

    /// Whether every call of the context fails from now on, as its device has left it in an unknown state.
    pub(crate) fn is_sticky(self) -> bool {
        self.code == Code::CONTAINED || STICKY.iter().any(|known| self.code.is(*known))
    }

    /// What the run time may do about it.
    pub(crate) fn kind(self) -> DriverErrorKind {
        if self.is_sticky() {
            DriverErrorKind::DeviceLost
        } else if self.code.is(CUresult::CUDA_ERROR_OUT_OF_MEMORY) {
            DriverErrorKind::OutOfMemory
        } else {
            DriverErrorKind::Failed
        }
    }

    /// The name of the status and what the driver says of it.
    pub(crate) fn words(self) -> String {
        type Ask = unsafe fn(Code, *mut *const c_char) -> Code;
        let ask = |ask: Ask| {
            let mut said = null();
            // SAFETY: a failure is of a call, so the driver is there; it writes a text that stays.
            let asked = unsafe { ask(self.code, &raw mut said) };
            let is_known = asked.is(CUresult::CUDA_SUCCESS) && !said.is_null();
            // SAFETY: the driver gave a text of its own that ends with 0.
            is_known.then(|| unsafe { CStr::from_ptr(said) }.to_string_lossy())
        };
        match (ask(functions::cuGetErrorName), ask(functions::cuGetErrorString)) {
            (Some(name), Some(said)) => format!("{name}, {said}"),
            (Some(name), None) => name.into_owned(),
            _ => format!("status {}", self.code.0),
        }
    }

    /// As an error of a device.
    #[cold]
    pub(crate) fn on(self, device: &str) -> DriverError {
        let text = format!("{} on `{device}`", self.words()).into();
        DriverError { api: self.api, code: self.code.0.into(), text, kind: self.kind() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_poisons_a_context_loses_the_device_and_a_full_memory_does_not() {
        let kind = |code| Failure { api: "cuEventQuery", code: Code::of(code) }.kind();
        // Those of which the documentation of the driver says that the process has to go to go on with the
        // device, that it is not there, or that the context is gone.
        // By number, as the headers of CUDA have them.
        let lost =
            [46, 214, 220, 226, 700, 702, 709, 710, 714, 715, 716, 717, 718, 719, 721, 810, 911];
        for code in lost.map(|number| Failure { api: "cuEventQuery", code: Code(number) }) {
            assert_eq!(code.kind(), DriverErrorKind::DeviceLost, "{code:?}");
        }
        assert_eq!(kind(CUresult::CUDA_ERROR_OUT_OF_MEMORY), DriverErrorKind::OutOfMemory);
        assert_eq!(kind(CUresult::CUDA_ERROR_INVALID_VALUE), DriverErrorKind::Failed);
        assert!(Failure::check("cuInit", Code::of(CUresult::CUDA_SUCCESS)).is_ok());
    }

    #[test]
    fn a_status_that_nobody_knows_is_a_failure() {
        let failure = Failure::check("cuInit", Code(98_765)).unwrap_err();
        assert_eq!((failure.kind(), failure.is_sticky()), (DriverErrorKind::Failed, false));
    }
}
