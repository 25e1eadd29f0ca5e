//! A kernel for a device: a native one where there is one for it, else its body as OpenCL C.
#![allow(unsafe_code, reason = "passes launches on, with what they demand")]

use std::sync::Arc;

use flash_rt::backend::{LaunchInfo, Queue, Ticket};
use flash_rt::error::DriverErrorKind;
use flash_rt::{DriverError, KernelDescriptor};

use crate::backend::FPGA_KEY;
use crate::device::OclDevice;
use crate::emitted::{self, EmittedKernel};
use crate::kept::KeptLaunch;
use crate::memory::OclMemory;
use crate::native::{self, NativeKernel};

/// A kernel that is ready for a device.
#[derive(Debug)]
pub struct OclModule(Code);

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

impl OclModule {
    /// Makes a kernel ready.
    pub(crate) fn load(
        device: &OclDevice,
        key: &str,
        kernel: &'static KernelDescriptor,
    ) -> Result<Self, DriverError> {
        let code = if let Some(implementation) = native::choose(&device.facts, key, kernel) {
            Code::Native(NativeKernel::load(device, kernel, implementation)?)
        } else if kernel.ir.is_some() {
            Code::Emitted(EmittedKernel::load(device, kernel)?)
        } else {
            let there = native::there(kernel);
            let name = &device.facts.name;
            return Err(refused(format!(
                "it has no body and no implementation for `{name}`; implementations: {there}"
            )));
        };
        tracing::debug!(kernel = kernel.name, path = path(device, key, kernel), "loaded");
        Ok(Self(code))
    }

    /// Keeps a launch ready, where that saves anything.
    ///
    /// # Safety
    ///
    /// As `Backend::prepare`.
    pub(crate) unsafe fn prepare(
        &self,
        device: &Arc<OclDevice>,
        launch: &LaunchInfo<'_, OclMemory>,
    ) -> Result<Option<Arc<KeptLaunch>>, DriverError> {
        match &self.0 {
            // SAFETY: as the caller vouches.
            Code::Native(kernel) => unsafe { kernel.prepare(device, launch) },
            // SAFETY: as the caller vouches.
            Code::Emitted(kernel) => unsafe { kernel.prepare(device, launch) },
        }
    }

    /// What the address of the array of a parameter is a multiple of. Bodies take elements as Rust aligns
    /// them.
    pub(crate) fn aligned(&self, param: usize) -> usize {
        match &self.0 {
            Code::Native(kernel) => kernel.aligned(param),
            Code::Emitted(_) => 1,
        }
    }

    /// Submits a launch.
    ///
    /// # Safety
    ///
    /// As `Backend::launch`.
    pub(crate) unsafe fn launch(
        &self,
        device: &OclDevice,
        queue: Queue,
        launch: &LaunchInfo<'_, OclMemory>,
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
pub(crate) fn implements(device: &OclDevice, key: &str, kernel: &'static KernelDescriptor) -> bool {
    if let Some(implementation) = native::choose(&device.facts, key, kernel) {
        return native::refusal(&device.facts, implementation).is_none();
    }
    kernel.ir.is_some() && emitted::refusal(device, kernel).is_none()
}

/// How a kernel would run on a device.
pub(crate) fn path(device: &OclDevice, key: &str, kernel: &'static KernelDescriptor) -> String {
    if let Some(implementation) = native::choose(&device.facts, key, kernel) {
        if let Some(why) = native::refusal(&device.facts, implementation) {
            return why;
        }
        let (entry, file) = (native::entry(kernel, implementation), native::file(implementation));
        return format!("`{entry}` of {file}{}", device.bitstreams.said());
    }
    match emitted::refusal(device, kernel) {
        _ if kernel.ir.is_none() => {
            let (name, there) = (&device.facts.name, native::there(kernel));
            format!("no implementation for `{name}`; implementations: {there}")
        }
        None if key == FPGA_KEY => "OpenCL C of the body, as this device has a compiler".to_owned(),
        None => "OpenCL C of the body".to_owned(),
        Some(why) => format!("no OpenCL C of the body: {why}"),
    }
}
