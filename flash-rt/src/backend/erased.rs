//! The object-safe mirror of [`Backend`], by one blanket implementation. It erases whole calls,
//! never arguments or work items, and adds no behaviour.
#![allow(unsafe_code, reason = "passes `launch` on, with what it demands")]

use std::any::Any;
use std::fmt;
use std::sync::Arc;

use super::{Backend, DeviceInfo, LaunchInfo, Region};
use crate::descriptor::KernelDescriptor;
use crate::error::{DriverError, DriverErrorKind};

/// Memory of some backend's device.
#[derive(Clone)]
pub struct DynMemory(Arc<dyn Any + Send + Sync>);

/// A loaded kernel of some backend.
#[derive(Clone)]
pub struct DynModule(Arc<dyn Any + Send + Sync>);

/// An event of some backend.
pub struct DynEvent(Box<dyn Any + Send + Sync>);

macro_rules! opaque_debug {
    ($($name:ident),*) => {
        $(impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.debug_struct(stringify!($name)).finish_non_exhaustive()
            }
        })*
    };
}
opaque_debug!(DynMemory, DynModule, DynEvent);

/// A backend behind a pointer; see [`Backend`] for what the calls mean.
#[expect(missing_docs, reason = "each is the call of `Backend` of its name")]
#[expect(clippy::missing_safety_doc, reason = "each is the call of `Backend` of its name")]
#[expect(clippy::missing_errors_doc, reason = "each is the call of `Backend` of its name")]
pub trait DynBackend: fmt::Debug + Send + Sync + 'static {
    fn key(&self) -> &'static str;
    fn devices(&self) -> Vec<DeviceInfo>;
    fn allocate(&self, device: usize, bytes: u64) -> Result<DynMemory, DriverError>;
    fn upload(
        &self,
        device: usize,
        dst: &DynMemory,
        to: Region,
        src: &[u8],
        from: Region,
    ) -> Result<DynEvent, DriverError>;
    fn download(
        &self,
        device: usize,
        src: &DynMemory,
        from: Region,
        dst: &mut [u8],
        to: Region,
    ) -> Result<(), DriverError>;
    fn load(
        &self,
        device: usize,
        kernel: &'static KernelDescriptor,
    ) -> Result<DynModule, DriverError>;
    unsafe fn launch(
        &self,
        device: usize,
        module: &DynModule,
        launch: &LaunchInfo<'_, DynMemory>,
    ) -> Result<DynEvent, DriverError>;
    fn poll(&self, event: &DynEvent) -> Result<bool, DriverError>;
    fn wait(&self, event: &DynEvent) -> Result<(), DriverError>;
    fn path(&self, device: usize, kernel: &'static KernelDescriptor) -> String;
}

/// Arrays of a launch that are mapped without a heap allocation.
const INLINE_ARRAYS: usize = 16;

impl<B: Backend> DynBackend for B {
    fn key(&self) -> &'static str {
        Backend::key(self)
    }

    fn devices(&self) -> Vec<DeviceInfo> {
        Backend::devices(self)
    }

    fn allocate(&self, device: usize, bytes: u64) -> Result<DynMemory, DriverError> {
        Ok(DynMemory(Arc::new(Backend::allocate(self, device, bytes)?)))
    }

    fn upload(
        &self,
        device: usize,
        dst: &DynMemory,
        to: Region,
        src: &[u8],
        from: Region,
    ) -> Result<DynEvent, DriverError> {
        let dst = own::<B::Memory>(dst.0.as_ref())?;
        Ok(DynEvent(Box::new(Backend::upload(self, device, dst, to, src, from)?)))
    }

    fn download(
        &self,
        device: usize,
        src: &DynMemory,
        from: Region,
        dst: &mut [u8],
        to: Region,
    ) -> Result<(), DriverError> {
        Backend::download(self, device, own::<B::Memory>(src.0.as_ref())?, from, dst, to)
    }

    fn load(
        &self,
        device: usize,
        kernel: &'static KernelDescriptor,
    ) -> Result<DynModule, DriverError> {
        Ok(DynModule(Arc::new(Backend::load(self, device, kernel)?)))
    }

    #[inline]
    unsafe fn launch(
        &self,
        device: usize,
        module: &DynModule,
        launch: &LaunchInfo<'_, DynMemory>,
    ) -> Result<DynEvent, DriverError> {
        let module = own::<B::Module>(module.0.as_ref())?;
        let mut inline: [Option<&B::Memory>; INLINE_ARRAYS] = [None; INLINE_ARRAYS];
        let mut spilled = Vec::new();
        let n = launch.memories.len();
        let memories = match inline.get_mut(..n) {
            Some(inline) => inline,
            None => {
                spilled.resize(n, None);
                spilled.as_mut_slice()
            }
        };
        for (memory, erased) in memories.iter_mut().zip(launch.memories) {
            if let Some(erased) = erased {
                *memory = Some(own::<B::Memory>(erased.0.as_ref())?);
            }
        }
        let launch = LaunchInfo {
            kernel: launch.kernel,
            space: launch.space,
            slots: launch.slots,
            memories,
            outcome: launch.outcome,
            check_all: launch.check_all,
        };
        // SAFETY: the same launch, as the caller vouches.
        let event = unsafe { Backend::launch(self, device, module, &launch)? };
        Ok(DynEvent(Box::new(event)))
    }

    fn poll(&self, event: &DynEvent) -> Result<bool, DriverError> {
        Backend::poll(self, own(event.0.as_ref())?)
    }

    fn wait(&self, event: &DynEvent) -> Result<(), DriverError> {
        Backend::wait(self, own(event.0.as_ref())?)
    }

    fn path(&self, device: usize, kernel: &'static KernelDescriptor) -> String {
        Backend::path(self, device, kernel)
    }
}

/// The backend's own object; an object of another backend here is a mistake in the run time.
#[inline]
fn own<T: 'static>(object: &(dyn Any + Send + Sync)) -> Result<&T, DriverError> {
    object.downcast_ref().ok_or_else(foreign)
}

#[cold]
fn foreign() -> DriverError {
    DriverError {
        api: "flash-rt",
        code: -1,
        text: "an object of another backend was passed; this is a defect of the run time".into(),
        kind: DriverErrorKind::Failed,
    }
}
