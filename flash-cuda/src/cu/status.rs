//! What a call of the driver says when it fails, and what the run time may do about it. Fenced: it asks
//! the driver for its words.
#![allow(unsafe_code, reason = "asks the driver for its words")]

use std::ffi::CStr;
use std::ptr::null;

use cudarc::driver::sys::CUresult;
use flash_rt::DriverError;
use flash_rt::error::DriverErrorKind;

use super::functions;

/// A call that failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Failure {
    /// The call.
    pub(crate) api: &'static str,
    /// What it returned.
    pub(crate) code: CUresult,
}

impl Failure {
    /// `Ok` for success.
    pub(crate) fn check(api: &'static str, code: CUresult) -> Result<(), Self> {
        if code == CUresult::CUDA_SUCCESS { Ok(()) } else { Err(Self { api, code }) }
    }

    /// A call whose arguments make no sense to the driver.
    pub(crate) const fn invalid(api: &'static str) -> Self {
        Self { api, code: CUresult::CUDA_ERROR_INVALID_VALUE }
    }

    /// For something that went with the context it was in.
    pub(crate) const fn gone(what: &'static str) -> Self {
        Self { api: what, code: CUresult::CUDA_ERROR_CONTEXT_IS_DESTROYED }
    }

    /// Whether every call of the context fails from now on, as its device has left it in an unknown state.
    pub(crate) fn is_sticky(self) -> bool {
        use CUresult as R;
        matches!(
            self.code,
            R::CUDA_ERROR_ECC_UNCORRECTABLE
                | R::CUDA_ERROR_NVLINK_UNCORRECTABLE
                | R::CUDA_ERROR_DEVICE_UNAVAILABLE
                | R::CUDA_ERROR_CONTEXT_IS_DESTROYED
                | R::CUDA_ERROR_ILLEGAL_ADDRESS
                | R::CUDA_ERROR_LAUNCH_TIMEOUT
                | R::CUDA_ERROR_ASSERT
                | R::CUDA_ERROR_HARDWARE_STACK_ERROR
                | R::CUDA_ERROR_ILLEGAL_INSTRUCTION
                | R::CUDA_ERROR_MISALIGNED_ADDRESS
                | R::CUDA_ERROR_INVALID_ADDRESS_SPACE
                | R::CUDA_ERROR_INVALID_PC
                | R::CUDA_ERROR_LAUNCH_FAILED
                | R::CUDA_ERROR_EXTERNAL_DEVICE
                | R::CUDA_ERROR_TENSOR_MEMORY_LEAK
                | R::CUDA_ERROR_MPS_CLIENT_TERMINATED
        )
    }

    /// What the run time may do about it.
    pub(crate) fn kind(self) -> DriverErrorKind {
        match self.code {
            _ if self.is_sticky() => DriverErrorKind::DeviceLost,
            CUresult::CUDA_ERROR_OUT_OF_MEMORY => DriverErrorKind::OutOfMemory,
            _ => DriverErrorKind::Failed,
        }
    }

    /// The name of the status and what the driver says of it.
    pub(crate) fn words(self) -> String {
        let (name, mut said) = (format!("{:?}", self.code), null());
        // SAFETY: a failure is of a call, so the driver is there; it writes a text that stays.
        let asked = unsafe { functions::cuGetErrorString(self.code, &raw mut said) };
        if asked != CUresult::CUDA_SUCCESS || said.is_null() {
            return name;
        }
        // SAFETY: the driver gave a text of its own that ends with 0.
        let said = unsafe { CStr::from_ptr(said) };
        format!("{name}, {}", said.to_string_lossy())
    }

    /// As an error of a device.
    #[cold]
    pub(crate) fn on(self, device: &str) -> DriverError {
        let text = format!("{} on `{device}`", self.words()).into();
        DriverError { api: self.api, code: self.code as i64, text, kind: self.kind() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_poisons_a_context_loses_the_device_and_a_full_memory_does_not() {
        let kind = |code| Failure { api: "cuEventQuery", code }.kind();
        // Those of which the documentation of the driver says that the process has to go to go on with the
        // device, that it is not there, or that the context is gone.
        for code in [
            CUresult::CUDA_ERROR_DEVICE_UNAVAILABLE,
            CUresult::CUDA_ERROR_ECC_UNCORRECTABLE,
            CUresult::CUDA_ERROR_NVLINK_UNCORRECTABLE,
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
        ] {
            assert_eq!(kind(code), DriverErrorKind::DeviceLost, "{code:?}");
        }
        assert_eq!(kind(CUresult::CUDA_ERROR_OUT_OF_MEMORY), DriverErrorKind::OutOfMemory);
        assert_eq!(kind(CUresult::CUDA_ERROR_INVALID_VALUE), DriverErrorKind::Failed);
        assert!(Failure::check("cuInit", CUresult::CUDA_SUCCESS).is_ok());
    }
}
