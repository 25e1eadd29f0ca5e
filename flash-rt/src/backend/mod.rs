//! The closed contract of a backend. Validation happens above it, once; a backend reports only what
//! the caller could not have known. It does not schedule, cache or merge.
#![allow(unsafe_code, reason = "`launch` is unsafe: it trusts what was validated above it")]

pub mod conformance;
mod erased;

use std::fmt;

use crate::descriptor::KernelDescriptor;
use crate::entry::{Outcome, Shared, Slot};
use crate::error::DriverError;
use crate::space::Space;

pub use erased::{DynBackend, DynEvent, DynMemory, DynModule};

/// One device of a backend.
#[derive(Clone, Debug)]
pub struct DeviceInfo {
    /// A name a person knows it by.
    pub name: String,
    /// Whether kernels use the host image itself, so that nothing is ever moved.
    pub host_memory: bool,
    /// Whether it counts for `ALL_ACCEL`.
    pub accelerator: bool,
    /// Memory in bytes; `None` where it is the host's.
    pub memory: Option<u64>,
    /// Work items that run at once, for estimates.
    pub lanes: usize,
}

/// A rectangular region of a memory in bytes: `rows` runs of `row_bytes`, `pitch` apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Region {
    /// First byte.
    pub offset: u64,
    /// Bytes of one run.
    pub row_bytes: u64,
    /// Number of runs.
    pub rows: u64,
    /// Bytes from one run to the next.
    pub pitch: u64,
}

/// A launch as a backend sees it: validated, bound, in range.
#[derive(Debug)]
pub struct LaunchInfo<'a, M> {
    /// The kernel.
    pub kernel: &'static KernelDescriptor,
    /// The index space; never empty.
    pub space: &'a Space,
    /// One slot for each parameter. Values and partial results are always in host memory.
    pub slots: &'a [Slot],
    /// For each parameter the device memory of its array, whose slot's base is then an offset from
    /// the start of that memory; `None` for host memory. Empty where every slot is in host memory,
    /// as it always is on a device with `host_memory`.
    pub memories: &'a [Option<&'a M>],
    /// Where violations and panics are noted.
    pub outcome: &'a Outcome,
    /// `FLASH_CHECK=all`: accesses in `unsafe` are checked too.
    pub check_all: bool,
}

impl<'a, M> LaunchInfo<'a, M> {
    /// What the blocks of the launch share, for [`run_block`](crate::entry::run_block).
    pub fn shared(&self) -> Shared<'a> {
        Shared {
            slots: self.slots,
            space: self.space,
            outcome: self.outcome,
            check_all: self.check_all,
            _marker: std::marker::PhantomData,
        }
    }
}

/// The contract: about ten operations on device, memory, module, queue and event.
pub trait Backend: fmt::Debug + Send + Sync + 'static {
    /// Device memory, freed on drop without blocking.
    type Memory: fmt::Debug + Send + Sync + 'static;
    /// A kernel ready to launch.
    type Module: fmt::Debug + Send + Sync + 'static;
    /// Completion of earlier work.
    type Event: fmt::Debug + Send + Sync + 'static;

    /// The key users name it by: `ALL_CPU`, `SIM`, `NVIDIA_GPU`.
    fn key(&self) -> &'static str;

    /// The devices there are; none where a driver is missing.
    fn devices(&self) -> Vec<DeviceInfo>;

    /// Reserves memory. Its contents are undefined.
    ///
    /// # Errors
    ///
    /// The driver's, of kind `OutOfMemory` where that is the reason.
    fn allocate(&self, device: usize, bytes: u64) -> Result<Self::Memory, DriverError>;

    /// Copies from the host; `src` may be reused when the call returns.
    ///
    /// # Errors
    ///
    /// The driver's.
    fn upload(
        &self,
        device: usize,
        dst: &Self::Memory,
        to: Region,
        src: &[u8],
        from: Region,
    ) -> Result<Self::Event, DriverError>;

    /// Copies to the host after everything submitted to the device before; complete on return.
    ///
    /// # Errors
    ///
    /// The driver's.
    fn download(
        &self,
        device: usize,
        src: &Self::Memory,
        from: Region,
        dst: &mut [u8],
        to: Region,
    ) -> Result<(), DriverError>;

    /// Makes a kernel ready.
    ///
    /// # Errors
    ///
    /// The driver's; the text lists what the kernel lacks.
    fn load(
        &self,
        device: usize,
        kernel: &'static KernelDescriptor,
    ) -> Result<Self::Module, DriverError>;

    /// Starts a kernel after everything submitted to the device before.
    ///
    /// # Safety
    ///
    /// `module` was loaded for this kernel. The run time validated and bound the launch: until its
    /// event has happened the slots keep the promises of their makers, and every dimension of
    /// several values stands in the own place of each array that items write.
    ///
    /// # Errors
    ///
    /// The driver's; nothing was submitted then.
    unsafe fn launch(
        &self,
        device: usize,
        module: &Self::Module,
        launch: &LaunchInfo<'_, Self::Memory>,
    ) -> Result<Self::Event, DriverError>;

    /// Whether an event has happened.
    ///
    /// # Errors
    ///
    /// The driver's, for the work up to the event.
    fn poll(&self, event: &Self::Event) -> Result<bool, DriverError>;

    /// Returns when an event has happened.
    ///
    /// # Errors
    ///
    /// The driver's, for the work up to the event.
    fn wait(&self, event: &Self::Event) -> Result<(), DriverError>;

    /// How a kernel would run on a device, for a person: `AVX-512, packed rows`, `IR interpreter`.
    fn path(&self, device: usize, kernel: &'static KernelDescriptor) -> String {
        let _ = (device, kernel);
        self.key().to_owned()
    }
}
