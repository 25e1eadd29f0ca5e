//! The object-safe mirror of [`Backend`], by one blanket implementation. It erases whole calls,
//! never arguments or work items, and adds no behaviour.
#![allow(unsafe_code, reason = "passes calls on, with what they demand")]

use std::any::Any;
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use smallvec::SmallVec;

use super::clock::Clock;
use super::{
    Backend, DeviceInfo, LaunchInfo, MemoryInfo, NativeCode, Operation, Prepared, Queue, Region,
    Repeat, Ticket, Timing,
};
use crate::descriptor::{Entry, KernelDescriptor};
use crate::error::{DriverError, DriverErrorKind};

/// Memory of some backend's device.
#[derive(Clone)]
pub struct DynMemory(Arc<dyn Any + Send + Sync>);

/// A loaded kernel of some backend.
#[derive(Clone)]
pub struct DynModule(Arc<dyn Any + Send + Sync>);

impl DynMemory {
    /// Memory of a device of a backend, which that has not allocated for a runtime.
    pub fn new<B: Backend>(memory: B::Memory) -> Self {
        Self(Arc::new(memory))
    }
}

macro_rules! opaque_debug {
    ($($name:ident),*) => {
        $(impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.debug_struct(stringify!($name)).finish_non_exhaustive()
            }
        })*
    };
}
opaque_debug!(DynMemory, DynModule);

/// A backend behind a pointer; see [`Backend`] for what the calls mean.
#[expect(missing_docs, reason = "each is the call of `Backend` of its name")]
#[expect(clippy::missing_safety_doc, reason = "each is the call of `Backend` of its name")]
#[expect(clippy::missing_errors_doc, reason = "each is the call of `Backend` of its name")]
pub trait DynBackend: Any + fmt::Debug + Send + Sync + 'static {
    fn key(&self) -> &'static str;
    fn devices(&self) -> Vec<DeviceInfo>;
    fn memory_info(&self, device: usize) -> Result<Option<MemoryInfo>, DriverError>;
    fn allocate(&self, device: usize, bytes: u64) -> Result<DynMemory, DriverError>;
    unsafe fn stays(&self, device: usize, memory: *const [u8]);
    unsafe fn upload(
        &self,
        device: usize,
        dst: &DynMemory,
        to: Region,
        src: *const [u8],
        from: Region,
        after: &[Ticket],
    ) -> Result<Ticket, DriverError>;
    unsafe fn download(
        &self,
        device: usize,
        src: &DynMemory,
        from: Region,
        dst: *mut [u8],
        to: Region,
        after: &[Ticket],
    ) -> Result<Ticket, DriverError>;
    fn is_peer(&self, device: usize, other: usize) -> bool;
    unsafe fn peer_copy(
        &self,
        device: usize,
        src: (&DynMemory, Region),
        other: usize,
        dst: (&DynMemory, Region),
        after: &[Ticket],
    ) -> Result<Ticket, DriverError>;
    unsafe fn zero(
        &self,
        device: usize,
        queue: u8,
        dst: &DynMemory,
        to: Region,
        after: &[Ticket],
    ) -> Result<Ticket, DriverError>;
    fn load(
        &self,
        device: usize,
        kernel: &'static KernelDescriptor,
    ) -> Result<DynModule, DriverError>;
    unsafe fn launch(
        &self,
        device: usize,
        queue: u8,
        module: &DynModule,
        launch: &LaunchInfo<'_, DynMemory>,
        after: &[Ticket],
    ) -> Result<Ticket, DriverError>;
    unsafe fn prepare(
        &self,
        device: usize,
        module: &DynModule,
        launch: &LaunchInfo<'_, DynMemory>,
    ) -> Result<Option<Arc<dyn Prepared>>, DriverError>;
    fn repeats(&self, device: usize) -> bool;
    unsafe fn repeat(
        &self,
        device: usize,
        queue: u8,
        repeat: &Repeat<'_, DynMemory>,
        after: &[Ticket],
    ) -> Result<Option<Ticket>, DriverError>;
    unsafe fn native(
        &self,
        device: usize,
        queue: u8,
        launch: &LaunchInfo<'_, DynMemory>,
        code: &mut NativeCode<'_>,
        after: &[Ticket],
    ) -> Result<Ticket, DriverError>;
    fn brief(&self, device: usize, module: &DynModule) -> Option<Entry>;
    fn completed(&self, device: usize, queue: Queue) -> Result<u64, DriverError>;
    fn wait(&self, device: usize, ticket: Ticket) -> Result<(), DriverError>;
    fn wait_for(&self, device: usize, ticket: Ticket, time: Duration) -> Result<bool, DriverError>;
    fn reset(&self, device: usize) -> Result<(), DriverError>;
    fn recover(&self, device: usize) -> Result<(), DriverError>;
    fn timing(&self, device: usize, ticket: Ticket) -> Option<Timing>;
    fn declared(&self, device: usize, operation: Operation) -> Option<Duration>;
    fn implements(&self, device: usize, kernel: &'static KernelDescriptor) -> bool;
    fn setup(&self, device: usize, kernel: &'static KernelDescriptor) -> Option<u64>;
    fn is_set_up(&self, device: usize) -> Option<u64>;
    fn path(&self, device: usize, kernel: &'static KernelDescriptor) -> String;
    fn clock(&self) -> Option<Arc<dyn Clock>>;
}

/// Arrays of a launch that are mapped without a heap allocation.
pub(crate) const INLINE_ARRAYS: usize = 16;

impl<B: Backend> DynBackend for B {
    fn key(&self) -> &'static str {
        Backend::key(self)
    }

    fn devices(&self) -> Vec<DeviceInfo> {
        Backend::devices(self)
    }

    fn memory_info(&self, device: usize) -> Result<Option<MemoryInfo>, DriverError> {
        Backend::memory_info(self, device)
    }

    fn allocate(&self, device: usize, bytes: u64) -> Result<DynMemory, DriverError> {
        Ok(DynMemory(Arc::new(Backend::allocate(self, device, bytes)?)))
    }

    unsafe fn stays(&self, device: usize, memory: *const [u8]) {
        // SAFETY: the same memory, as the caller vouches.
        unsafe { Backend::stays(self, device, memory) };
    }

    unsafe fn upload(
        &self,
        device: usize,
        dst: &DynMemory,
        to: Region,
        src: *const [u8],
        from: Region,
        after: &[Ticket],
    ) -> Result<Ticket, DriverError> {
        let dst = own::<B::Memory>(dst.0.as_ref())?;
        // SAFETY: the same copy, as the caller vouches.
        unsafe { Backend::upload(self, device, dst, to, src, from, after) }
    }

    unsafe fn download(
        &self,
        device: usize,
        src: &DynMemory,
        from: Region,
        dst: *mut [u8],
        to: Region,
        after: &[Ticket],
    ) -> Result<Ticket, DriverError> {
        let src = own::<B::Memory>(src.0.as_ref())?;
        // SAFETY: the same copy, as the caller vouches.
        unsafe { Backend::download(self, device, src, from, dst, to, after) }
    }

    fn is_peer(&self, device: usize, other: usize) -> bool {
        Backend::is_peer(self, device, other)
    }

    unsafe fn peer_copy(
        &self,
        device: usize,
        (src, from): (&DynMemory, Region),
        other: usize,
        (dst, to): (&DynMemory, Region),
        after: &[Ticket],
    ) -> Result<Ticket, DriverError> {
        let src = (own::<B::Memory>(src.0.as_ref())?, from);
        let dst = (own::<B::Memory>(dst.0.as_ref())?, to);
        // SAFETY: the same copy, as the caller vouches.
        unsafe { Backend::peer_copy(self, device, src, other, dst, after) }
    }

    unsafe fn zero(
        &self,
        device: usize,
        queue: u8,
        dst: &DynMemory,
        to: Region,
        after: &[Ticket],
    ) -> Result<Ticket, DriverError> {
        let dst = own::<B::Memory>(dst.0.as_ref())?;
        // SAFETY: the same fill, as the caller vouches.
        unsafe { Backend::zero(self, device, queue, dst, to, after) }
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
        queue: u8,
        module: &DynModule,
        launch: &LaunchInfo<'_, DynMemory>,
        after: &[Ticket],
    ) -> Result<Ticket, DriverError> {
        let module = own::<B::Module>(module.0.as_ref())?;
        // SAFETY: the same launch, as the caller vouches.
        own_launch::<B, _>(launch, |launch| unsafe {
            Backend::launch(self, device, queue, module, launch, after)
        })
    }

    unsafe fn prepare(
        &self,
        device: usize,
        module: &DynModule,
        launch: &LaunchInfo<'_, DynMemory>,
    ) -> Result<Option<Arc<dyn Prepared>>, DriverError> {
        let module = own::<B::Module>(module.0.as_ref())?;
        // SAFETY: the same launch, as the caller vouches.
        own_launch::<B, _>(launch, |launch| unsafe {
            Backend::prepare(self, device, module, launch)
        })
    }

    fn repeats(&self, device: usize) -> bool {
        Backend::repeats(self, device)
    }

    unsafe fn repeat(
        &self,
        device: usize,
        queue: u8,
        repeat: &Repeat<'_, DynMemory>,
        after: &[Ticket],
    ) -> Result<Option<Ticket>, DriverError> {
        let cells = repeat.cells.iter().map(|cell| own::<B::Memory>(cell.0.as_ref()));
        let cells = cells.collect::<Result<Vec<_>, _>>()?;
        let Repeat { launches, decisions, test, most, trips, .. } = *repeat;
        let repeat = Repeat { launches, decisions, test, cells: &cells, most, trips };
        // SAFETY: the same loop, as the caller vouches.
        unsafe { Backend::repeat(self, device, queue, &repeat, after) }
    }

    unsafe fn native(
        &self,
        device: usize,
        queue: u8,
        launch: &LaunchInfo<'_, DynMemory>,
        code: &mut NativeCode<'_>,
        after: &[Ticket],
    ) -> Result<Ticket, DriverError> {
        // SAFETY: the same node, as the caller vouches.
        own_launch::<B, _>(launch, |launch| unsafe {
            Backend::native(self, device, queue, launch, code, after)
        })
    }

    fn brief(&self, device: usize, module: &DynModule) -> Option<Entry> {
        Backend::brief(self, device, own::<B::Module>(module.0.as_ref()).ok()?)
    }

    #[inline]
    fn completed(&self, device: usize, queue: Queue) -> Result<u64, DriverError> {
        Backend::completed(self, device, queue)
    }

    fn wait(&self, device: usize, ticket: Ticket) -> Result<(), DriverError> {
        Backend::wait(self, device, ticket)
    }

    fn wait_for(&self, device: usize, ticket: Ticket, time: Duration) -> Result<bool, DriverError> {
        Backend::wait_for(self, device, ticket, time)
    }

    fn reset(&self, device: usize) -> Result<(), DriverError> {
        Backend::reset(self, device)
    }

    fn recover(&self, device: usize) -> Result<(), DriverError> {
        Backend::recover(self, device)
    }

    fn timing(&self, device: usize, ticket: Ticket) -> Option<Timing> {
        Backend::timing(self, device, ticket)
    }

    fn declared(&self, device: usize, operation: Operation) -> Option<Duration> {
        Backend::declared(self, device, operation)
    }

    fn implements(&self, device: usize, kernel: &'static KernelDescriptor) -> bool {
        Backend::implements(self, device, kernel)
    }

    fn setup(&self, device: usize, kernel: &'static KernelDescriptor) -> Option<u64> {
        Backend::setup(self, device, kernel)
    }

    fn is_set_up(&self, device: usize) -> Option<u64> {
        Backend::is_set_up(self, device)
    }

    fn path(&self, device: usize, kernel: &'static KernelDescriptor) -> String {
        Backend::path(self, device, kernel)
    }

    fn clock(&self) -> Option<Arc<dyn Clock>> {
        Backend::clock(self)
    }
}

/// A launch with the backend's own memories.
#[inline(always)]
fn own_launch<B: Backend, T>(
    launch: &LaunchInfo<'_, DynMemory>,
    run: impl FnOnce(&LaunchInfo<'_, B::Memory>) -> Result<T, DriverError>,
) -> Result<T, DriverError> {
    let mut memories = SmallVec::<[Option<&B::Memory>; INLINE_ARRAYS]>::new();
    for erased in launch.memories {
        let memory = erased.map(|erased| own::<B::Memory>(erased.0.as_ref()));
        memories.push(memory.transpose()?);
    }
    let launch = LaunchInfo {
        kernel: launch.kernel,
        space: launch.space,
        part: launch.part,
        slots: launch.slots,
        geometry: launch.geometry,
        memories: &memories,
        outcome: launch.outcome,
        check_all: launch.check_all,
    };
    run(&launch)
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
