//! A kernel for a device: a native one where there is one for it, else its body as CUDA C.
#![allow(unsafe_code, reason = "passes launches on, with what they demand")]

use std::sync::Arc;

use flash_rt::backend::{LaunchInfo, Queue, Ticket};
use flash_rt::error::DriverErrorKind;
use flash_rt::{DriverError, KernelDescriptor};

use crate::device::CudaDevice;
use crate::emitted::{self, EmittedKernel};
use crate::kept::KeptLaunch;
use crate::memory::CudaMemory;
use crate::native::{self, NativeKernel};

/// A kernel that is ready for a device.
#[derive(Debug)]
pub struct CudaModule(Code);

#[derive(Debug)]
enum Code {
    Native(NativeKernel),
    Emitted(EmittedKernel),
}

/// The error for a kernel that there is no code of.
#[cold]
pub(crate) fn refused(text: String) -> DriverError {
    DriverError { api: "load", code: -1, text: text.into(), kind: DriverErrorKind::Failed }
}

/// The error for a file of code that cannot be used.
#[cold]
pub(crate) fn unusable(text: String) -> DriverError {
    DriverError { kind: DriverErrorKind::Library, ..refused(text) }
}

impl CudaModule {
    /// Makes a kernel ready.
    pub(crate) fn load(
        device: &CudaDevice,
        kernel: &'static KernelDescriptor,
    ) -> Result<Self, DriverError> {
        let code = if let Some(implementation) = native::choose(device, kernel) {
            Code::Native(NativeKernel::load(device, kernel, implementation)?)
        } else if kernel.ir.is_some() {
            Code::Emitted(EmittedKernel::load(device, kernel)?)
        } else {
            let (there, name) = (native::there(kernel), &device.facts.name);
            return Err(refused(format!(
                "it has no body and no implementation for `{name}`; implementations: {there}"
            )));
        };
        tracing::debug!(kernel = kernel.name, path = path(device, kernel), "loaded");
        Ok(Self(code))
    }

    /// Keeps a launch ready, where it is one command.
    ///
    /// # Safety
    ///
    /// As `Backend::prepare`.
    pub(crate) unsafe fn prepare(
        &self,
        device: &Arc<CudaDevice>,
        launch: &LaunchInfo<'_, CudaMemory>,
    ) -> Result<Option<KeptLaunch>, DriverError> {
        match &self.0 {
            // SAFETY: as the caller vouches.
            Code::Native(kernel) => unsafe { kernel.prepare(device, launch) },
            // SAFETY: as the caller vouches.
            Code::Emitted(kernel) => unsafe { kernel.prepare(device, launch) },
        }
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
        match &self.0 {
            // SAFETY: as the caller vouches.
            Code::Native(kernel) => unsafe { kernel.launch(device, queue, launch, after) },
            // SAFETY: as the caller vouches.
            Code::Emitted(kernel) => unsafe { kernel.launch(device, queue, launch, after) },
        }
    }
}

/// Whether there is code of a kernel for a device.
pub(crate) fn implements(device: &CudaDevice, kernel: &'static KernelDescriptor) -> bool {
    match native::choose(device, kernel) {
        Some(implementation) => native::refusal(device, implementation).is_none(),
        None => kernel.ir.is_some() && emitted::refusal(device, kernel).is_none(),
    }
}

/// How a kernel would run on a device.
pub(crate) fn path(device: &CudaDevice, kernel: &'static KernelDescriptor) -> String {
    if let Some(implementation) = native::choose(device, kernel) {
        if let Some(why) = native::refusal(device, implementation) {
            return why;
        }
        let (entry, file) = (native::entry(kernel, implementation), native::file(implementation));
        return format!("`{entry}` of {file}");
    }
    match emitted::refusal(device, kernel) {
        _ if kernel.ir.is_none() => {
            let (name, there) = (&device.facts.name, native::there(kernel));
            format!("no implementation for `{name}`; implementations: {there}")
        }
        None => "CUDA C of the body".to_owned(),
        Some(why) => format!("no CUDA C of the body: {why}"),
    }
}
