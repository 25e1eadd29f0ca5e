//! What a call of OpenCL says when it fails, and what the run time may do about it. It calls nothing.

use flash_rt::DriverError;
use flash_rt::error::DriverErrorKind;
use opencl_sys as sys;

/// A call that failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Failure {
    /// The call.
    pub(crate) api: &'static str,
    /// What it returned.
    pub(crate) code: i32,
}

/// In place of a status: the library has no such function.
pub(crate) const MISSING: i32 = -2000;

impl Failure {
    /// For a function that the library lacks.
    pub(crate) const fn missing(api: &'static str) -> Self {
        Self { api, code: MISSING }
    }

    /// For a command that failed after it was submitted.
    pub(crate) const fn late(code: i32) -> Self {
        Self { api: "the execution of a command", code }
    }

    /// `Ok` for success.
    pub(crate) const fn check(api: &'static str, code: i32) -> Result<(), Self> {
        if code == sys::CL_SUCCESS { Ok(()) } else { Err(Self { api, code }) }
    }

    /// What the run time may do about it.
    pub(crate) fn kind(self) -> DriverErrorKind {
        match self.code {
            sys::CL_DEVICE_NOT_AVAILABLE => DriverErrorKind::DeviceLost,
            sys::CL_MEM_OBJECT_ALLOCATION_FAILURE | sys::CL_OUT_OF_HOST_MEMORY => {
                DriverErrorKind::OutOfMemory
            }
            // Registers, shared memory or others that the launch needs; another device may have them.
            sys::CL_OUT_OF_RESOURCES if self.api == "clEnqueueNDRangeKernel" => {
                DriverErrorKind::OutOfMemory
            }
            _ => DriverErrorKind::Failed,
        }
    }

    /// As an error of a device.
    #[cold]
    pub(crate) fn on(self, device: &str) -> DriverError {
        let Self { api, code } = self;
        let text = format!("{} on `{device}`", name(code)).into();
        DriverError { api, code: i64::from(code), text, kind: self.kind() }
    }

    /// As an error of a device that was asked for memory.
    #[cold]
    pub(crate) fn of_memory(self, device: &str) -> DriverError {
        let full = matches!(self.code, sys::CL_OUT_OF_RESOURCES | sys::CL_INVALID_BUFFER_SIZE);
        let kind = if full { DriverErrorKind::OutOfMemory } else { self.kind() };
        DriverError { kind, ..self.on(device) }
    }
}

/// The name of a status.
pub(crate) fn name(code: i32) -> &'static str {
    macro_rules! names {
        ($($name:ident)*) => {
            match code {
                $(sys::$name => stringify!($name),)*
                MISSING => "the OpenCL library has no such function",
                -1001 => "CL_PLATFORM_NOT_FOUND_KHR",
                -9999 => "an illegal access of a kernel (NVIDIA)",
                _ => "an unknown status",
            }
        };
    }
    names!(
        CL_SUCCESS CL_DEVICE_NOT_FOUND CL_DEVICE_NOT_AVAILABLE CL_COMPILER_NOT_AVAILABLE
        CL_MEM_OBJECT_ALLOCATION_FAILURE CL_OUT_OF_RESOURCES CL_OUT_OF_HOST_MEMORY
        CL_PROFILING_INFO_NOT_AVAILABLE CL_MEM_COPY_OVERLAP CL_IMAGE_FORMAT_MISMATCH
        CL_IMAGE_FORMAT_NOT_SUPPORTED CL_BUILD_PROGRAM_FAILURE CL_MAP_FAILURE
        CL_MISALIGNED_SUB_BUFFER_OFFSET CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST
        CL_COMPILE_PROGRAM_FAILURE CL_LINKER_NOT_AVAILABLE CL_LINK_PROGRAM_FAILURE
        CL_DEVICE_PARTITION_FAILED CL_KERNEL_ARG_INFO_NOT_AVAILABLE CL_INVALID_VALUE
        CL_INVALID_DEVICE_TYPE CL_INVALID_PLATFORM CL_INVALID_DEVICE CL_INVALID_CONTEXT
        CL_INVALID_QUEUE_PROPERTIES CL_INVALID_COMMAND_QUEUE CL_INVALID_HOST_PTR
        CL_INVALID_MEM_OBJECT CL_INVALID_IMAGE_FORMAT_DESCRIPTOR CL_INVALID_IMAGE_SIZE
        CL_INVALID_SAMPLER CL_INVALID_BINARY CL_INVALID_BUILD_OPTIONS CL_INVALID_PROGRAM
        CL_INVALID_PROGRAM_EXECUTABLE CL_INVALID_KERNEL_NAME CL_INVALID_KERNEL_DEFINITION
        CL_INVALID_KERNEL CL_INVALID_ARG_INDEX CL_INVALID_ARG_VALUE CL_INVALID_ARG_SIZE
        CL_INVALID_KERNEL_ARGS CL_INVALID_WORK_DIMENSION CL_INVALID_WORK_GROUP_SIZE
        CL_INVALID_WORK_ITEM_SIZE CL_INVALID_GLOBAL_OFFSET CL_INVALID_EVENT_WAIT_LIST
        CL_INVALID_EVENT CL_INVALID_OPERATION CL_INVALID_GL_OBJECT CL_INVALID_BUFFER_SIZE
        CL_INVALID_MIP_LEVEL CL_INVALID_GLOBAL_WORK_SIZE CL_INVALID_PROPERTY
        CL_INVALID_IMAGE_DESCRIPTOR CL_INVALID_COMPILER_OPTIONS CL_INVALID_LINKER_OPTIONS
        CL_INVALID_DEVICE_PARTITION_COUNT CL_INVALID_PIPE_SIZE CL_INVALID_DEVICE_QUEUE
        CL_INVALID_SPEC_ID CL_MAX_SIZE_RESTRICTION_EXCEEDED
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failure_names_call_status_and_device() {
        let failure = Failure { api: "clEnqueueNDRangeKernel", code: sys::CL_OUT_OF_RESOURCES };
        let error = failure.on("a device");
        assert_eq!(
            error.to_string(),
            "clEnqueueNDRangeKernel returned -5: CL_OUT_OF_RESOURCES on `a device`"
        );
        assert_eq!(error.kind, DriverErrorKind::OutOfMemory);
        let late = Failure::late(sys::CL_OUT_OF_RESOURCES).on("a device");
        assert_eq!(late.kind, DriverErrorKind::Failed);
        assert_eq!(failure.of_memory("a device").kind, DriverErrorKind::OutOfMemory);
        assert_eq!(name(-12_345), "an unknown status");
        assert!(Failure::check("clFlush", 0).is_ok());
    }
}
