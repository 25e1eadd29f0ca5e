//! A kernel for a device: a native one where there is one for it, else its body as CUDA C.
#![allow(unsafe_code, reason = "passes launches on, with what they demand")]

use flash_rt::backend::{LaunchInfo, Queue, Ticket};
use flash_rt::error::DriverErrorKind;
use flash_rt::{DriverError, KernelDescriptor};

use crate::device::CudaDevice;
use crate::memory::CudaMemory;

/// A kernel that is ready for a device.
#[derive(Debug)]
pub struct CudaModule(Code);

#[derive(Debug)]
enum Code {}

/// The error for a kernel that there is no code of.
#[cold]
pub(crate) fn refused(text: String) -> DriverError {
    DriverError { api: "load", code: -1, text: text.into(), kind: DriverErrorKind::Failed }
}

impl CudaModule {
    /// Makes a kernel ready.
    pub(crate) fn load(
        device: &CudaDevice,
        kernel: &'static KernelDescriptor,
    ) -> Result<Self, DriverError> {
        let _ = kernel;
        Err(refused(format!("no kernels run on `{}` yet", device.facts.name)))
    }

    /// Submits a launch.
    ///
    /// # Safety
    ///
    /// As `Backend::launch`.
    pub(crate) unsafe fn launch(
        &self,
        device: &CudaDevice,
        queue: Queue,
        launch: &LaunchInfo<'_, CudaMemory>,
        after: &[Ticket],
    ) -> Result<Ticket, DriverError> {
        let _ = (device, queue, launch, after);
        match self.0 {}
    }
}

/// Whether there is code of a kernel for a device.
pub(crate) fn implements(device: &CudaDevice, kernel: &'static KernelDescriptor) -> bool {
    let _ = (device, kernel);
    false
}

/// How a kernel would run on a device.
pub(crate) fn path(device: &CudaDevice, kernel: &'static KernelDescriptor) -> String {
    let _ = (device, kernel);
    "no implementation for CUDA".to_owned()
}
