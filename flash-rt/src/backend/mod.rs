//! The closed contract of a backend. Validation happens above it, once; a backend reports only what
//! the caller could not have known. It does not schedule, cache or merge.
//!
//! A device has queues: one for copies to it, one for copies to the host, and some for kernels. Each
//! runs in order, beside the others. A call submits an operation and returns its [`Ticket`]; it may
//! name tickets of the same device that have to be complete `after` which it starts. There are no
//! callbacks: who wants to know asks [`Backend::completed`] or sleeps in [`Backend::wait`].
//!
//! **Failure.** A call that returns an error has submitted nothing. An operation that fails later
//! fails its device: from then on `completed` and `wait` return the error for whatever was not known
//! to be complete, and so does every submission, until [`Backend::reset`]. A lost device
//! ([`DriverErrorKind::DeviceLost`]) stays lost until [`Backend::recover`].
#![allow(unsafe_code, reason = "copies and launches trust what was validated above them")]

pub mod at_work;
pub mod clock;
pub mod conformance;
mod erased;
pub mod indices;
mod prepared;
mod region;
mod repeat;
pub mod staying;
mod subspace;
mod ticket;

use std::fmt;
use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::capabilities::Capabilities;
use crate::descriptor::{Entry, KernelDescriptor, Role};
use crate::entry::{Outcome, Shared, Slot};
use crate::error::{DriverError, DriverErrorKind};
use crate::geometry::{Geometry, Groups};
use crate::space::Space;

pub use crate::native::NativeCode;
pub(crate) use erased::INLINE_ARRAYS;
pub use erased::{DynBackend, DynMemory, DynModule};
pub use prepared::Prepared;
pub use region::Region;
pub use repeat::{Cell, Decision, LONGEST, Repeat, Term, Test};
pub use subspace::{OwnedSubspace, Subspace};
pub use ticket::{Queue, Ticket};

/// One device of a backend.
#[derive(Clone, Debug)]
pub struct DeviceInfo {
    /// A name a person knows it by.
    pub name: String,
    /// Whether kernels use the host image itself, so that nothing is ever moved.
    pub host_memory: bool,
    /// Whether it counts for `ALL_ACCEL`.
    pub accelerator: bool,
    /// Whether it is hardware that another backend has anyway, so that `ALL` and `ALL_ACCEL` leave it
    /// out and only the key of its own backend names it.
    pub duplicate: bool,
    /// Memory in bytes; `None` where it is the host's.
    pub memory: Option<u64>,
    /// Work items that run at once, for estimates.
    pub lanes: usize,
    /// Compute queues: how many kernels may run side by side. At 0 a launch runs in the call and is
    /// complete when it returns.
    pub queues: u8,
    /// How large work-groups may be; `None` where there are none.
    pub groups: Option<Groups>,
    /// What it can do of what a kernel may require.
    pub capabilities: Capabilities,
}

/// Memory of a device in bytes, as the driver reports it: with what others use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MemoryInfo {
    /// What may still be allocated.
    pub free: u64,
    /// All there is.
    pub total: u64,
}

/// A launch as a backend sees it: validated, bound, in range.
#[derive(Debug)]
pub struct LaunchInfo<'a, M> {
    /// The kernel.
    pub kernel: &'static KernelDescriptor,
    /// The index space; never empty.
    pub space: &'a Space,
    /// Which items of it run, where those are not all in one phase with their positions as ids.
    pub part: Option<&'a Subspace<'a>>,
    /// One slot for each parameter. Values and partial results are always in host memory.
    pub slots: &'a [Slot],
    /// The work-groups that the call asks for: checked, and within the limits of the device.
    pub geometry: Option<&'a Geometry>,
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
    /// Whether it leaves partial results of reductions.
    pub fn reduces(&self) -> bool {
        self.kernel.params.iter().any(|param| matches!(param.role, Role::Reduce { .. }))
    }

    /// What the blocks of the launch share, for [`run_block`](crate::entry::run_block).
    pub fn shared(&self) -> Shared<'a> {
        let shared = Shared::new(self.slots, self.space, self.outcome, self.check_all);
        match self.part {
            None => shared,
            Some(part) => Shared {
                spread: part.spread(),
                numbering: part.numbering(),
                phase: part.phase(),
                partition: part.partition(),
                ..shared
            },
        }
    }

    /// For each access of the body, by [its number](flash_ir::ir::Access::site), whether it is known to
    /// be in range for all items that run, so that nobody needs to check it.
    pub fn inside(&self) -> Vec<bool> {
        crate::footprint::inside(self)
    }

    /// The number of items that run.
    #[inline]
    pub fn n_items(&self) -> usize {
        self.part.map_or_else(|| self.space.n_items(), Subspace::n_items)
    }
}

/// When an operation ran, from some moment on that is the same for all of a device.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Timing {
    /// Its beginning.
    pub begin: Duration,
    /// Its end.
    pub end: Duration,
    /// The time of the call that asks.
    pub now: Duration,
}

/// An operation, as far as its duration depends on it.
#[derive(Clone, Copy, Debug)]
pub enum Operation {
    /// A launch of so many work items.
    Launch(&'static KernelDescriptor, u64),
    /// A copy of so many bytes to the device.
    Upload(u64),
    /// A copy of so many bytes to the host.
    Download(u64),
    /// Setting a device up for a kernel that needs what it is not set up with; see
    /// [`Backend::setup`].
    SetUp,
}

/// The contract: about ten operations on device, memory, module and queue.
pub trait Backend: fmt::Debug + Send + Sync + 'static {
    /// Device memory, given back without blocking when it is dropped and no operation that was
    /// submitted with it is left.
    type Memory: fmt::Debug + Send + Sync + 'static;
    /// A kernel ready to launch. Operations that were submitted with it outlive it.
    type Module: fmt::Debug + Send + Sync + 'static;

    /// The key users name it by: `ALL_CPU`, `SIM`, `NVIDIA_GPU`.
    fn key(&self) -> &'static str;

    /// The devices there are; none where a driver is missing.
    fn devices(&self) -> Vec<DeviceInfo>;

    /// The memory of a device now; `None` where kernels use the host's.
    ///
    /// # Errors
    ///
    /// The driver's.
    fn memory_info(&self, device: usize) -> Result<Option<MemoryInfo>, DriverError> {
        let _ = device;
        Ok(None)
    }

    /// Reserves memory. Its contents are undefined.
    ///
    /// # Errors
    ///
    /// The driver's, of kind `OutOfMemory` where that is the reason.
    fn allocate(&self, device: usize, bytes: u64) -> Result<Self::Memory, DriverError>;

    /// Tells that memory of the host holds an array that is about to be copied to or from a device, and
    /// that it stays where it is until what [`staying::keep`] was given for it is dropped. A backend may
    /// make it known to its driver, so that copies of it are faster; it is told again with each copy.
    ///
    /// # Safety
    ///
    /// The memory is there, and stays until then.
    unsafe fn stays(&self, device: usize, memory: *const [u8]) {
        let _ = (device, memory);
    }

    /// Submits a copy from the host to [`Queue::Up`]. Both regions have the same runs; `from` counts
    /// from the start of `src`.
    ///
    /// # Safety
    ///
    /// Until the ticket is complete or [`Backend::reset`] has returned, the bytes of `from` are
    /// valid and nobody writes them, and no other operation that is under way touches those of `to`.
    ///
    /// # Errors
    ///
    /// The driver's; nothing was submitted then.
    unsafe fn upload(
        &self,
        device: usize,
        dst: &Self::Memory,
        to: Region,
        src: *const [u8],
        from: Region,
        after: &[Ticket],
    ) -> Result<Ticket, DriverError>;

    /// Submits a copy to the host to [`Queue::Down`]. Both regions have the same runs; `to` counts
    /// from the start of `dst`.
    ///
    /// # Safety
    ///
    /// Until the ticket is complete or [`Backend::reset`] has returned, the bytes of `to` are valid
    /// and nobody else touches them, and no other operation that is under way writes those of
    /// `from`.
    ///
    /// # Errors
    ///
    /// The driver's; nothing was submitted then.
    unsafe fn download(
        &self,
        device: usize,
        src: &Self::Memory,
        from: Region,
        dst: *mut [u8],
        to: Region,
        after: &[Ticket],
    ) -> Result<Ticket, DriverError>;

    /// Whether [`Backend::peer_copy`] takes elements from a device to another one.
    ///
    /// A backend whose devices have no way to each other leaves this as it is: what one has goes to
    /// another by the host.
    fn is_peer(&self, device: usize, other: usize) -> bool {
        let _ = (device, other);
        false
    }

    /// Submits a copy from memory of a device to memory of one that is its [peer](Backend::is_peer), to
    /// [`Queue::Down`] of the first, which is the one that `after` and the ticket are of. Both regions
    /// have the same runs.
    ///
    /// # Safety
    ///
    /// Until the ticket is complete or [`Backend::reset`] of the first device has returned, no other
    /// operation that is under way on either device writes the bytes of `from` or touches those of `to`,
    /// and both memories are there.
    ///
    /// # Errors
    ///
    /// The driver's; nothing was submitted then.
    unsafe fn peer_copy(
        &self,
        device: usize,
        (src, from): (&Self::Memory, Region),
        other: usize,
        (dst, to): (&Self::Memory, Region),
        after: &[Ticket],
    ) -> Result<Ticket, DriverError> {
        let _ = (device, src, from, other, dst, to, after);
        Err(DriverError {
            api: "peer_copy",
            code: -1,
            text: "devices of this backend have no way to each other; copy by the host".into(),
            kind: DriverErrorKind::Failed,
        })
    }

    /// Submits zeros for a region to [`Queue::Compute`] number `queue`.
    ///
    /// # Safety
    ///
    /// Until the ticket is complete or [`Backend::reset`] has returned, no other operation that is
    /// under way touches the bytes of `to`.
    ///
    /// # Errors
    ///
    /// The driver's; nothing was submitted then.
    unsafe fn zero(
        &self,
        device: usize,
        queue: u8,
        dst: &Self::Memory,
        to: Region,
        after: &[Ticket],
    ) -> Result<Ticket, DriverError>;

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

    /// Submits a kernel to [`Queue::Compute`] number `queue`. Values are read in the call.
    ///
    /// # Safety
    ///
    /// This backend loaded `module` for this kernel. The run time validated and bound the launch:
    /// until the ticket is complete or [`Backend::reset`] has returned, the slots keep the promises of their
    /// makers, partial results and `outcome` can be written, and no other operation that is under
    /// way touches what the kernel writes or writes what it reads. Every dimension that takes several
    /// values among items that may run at once stands in the own place of each array that items write.
    ///
    /// # Errors
    ///
    /// The driver's; nothing was submitted then.
    unsafe fn launch(
        &self,
        device: usize,
        queue: u8,
        module: &Self::Module,
        launch: &LaunchInfo<'_, Self::Memory>,
        after: &[Ticket],
    ) -> Result<Ticket, DriverError>;

    /// Keeps a launch that was submitted ready to be submitted again, as [`Prepared`] says; `None` where
    /// that saves nothing. It keeps none of the memories of the launch.
    ///
    /// # Safety
    ///
    /// As for [`Backend::launch`], but that nothing runs yet.
    ///
    /// # Errors
    ///
    /// The driver's.
    unsafe fn prepare(
        &self,
        device: usize,
        module: &Self::Module,
        launch: &LaunchInfo<'_, Self::Memory>,
    ) -> Result<Option<Arc<dyn Prepared>>, DriverError> {
        let _ = (device, module, launch);
        Ok(None)
    }

    /// Whether a device may make trips of loops by itself, as [`Backend::repeat`] says.
    fn repeats(&self, device: usize) -> bool {
        let _ = device;
        false
    }

    /// Submits a loop of launches that it keeps ready to [`Queue::Compute`] number `queue`, as one operation
    /// that asks nobody between two trips; `None`, and nothing is submitted, where it cannot. The caller
    /// goes on trip by trip then.
    ///
    /// # Safety
    ///
    /// As for [`Prepared::submit`] of each launch, as often as the loop may run it; the memories of the cells
    /// stay as they do, and have values where the condition says.
    ///
    /// # Errors
    ///
    /// The driver's; nothing was submitted then.
    unsafe fn repeat(
        &self,
        device: usize,
        queue: u8,
        repeat: &Repeat<'_, Self::Memory>,
        after: &[Ticket],
    ) -> Result<Option<Ticket>, DriverError> {
        let _ = (device, queue, repeat, after);
        Ok(None)
    }

    /// Lets native code submit operations of its own to [`Queue::Compute`] number `queue`, after those
    /// of `after`: makes the context that the method names which took the code, calls
    /// [`NativeCode::run`] with it once, in the call, and returns a ticket that is complete when all
    /// that the code has submitted is, whether the code succeeded or not. The kernel of the launch names
    /// the node and its parameters; there is one item or more, and no part. On a device without queues
    /// it is complete on return.
    ///
    /// A backend whose devices run no native code leaves this as it is.
    ///
    /// # Safety
    ///
    /// As for [`Backend::launch`], with what the code submits in place of the kernel. What the code
    /// does with the context is not part of that: a context gives raw memory and handles only to who
    /// says `unsafe` for them.
    ///
    /// # Errors
    ///
    /// The driver's; nothing was submitted then, or all that was is complete. The code may have run.
    unsafe fn native(
        &self,
        device: usize,
        queue: u8,
        launch: &LaunchInfo<'_, Self::Memory>,
        code: &mut NativeCode<'_>,
        after: &[Ticket],
    ) -> Result<Ticket, DriverError> {
        let _ = (device, queue, launch, code, after);
        Err(DriverError {
            api: "native",
            code: -1,
            text: "this backend runs no native nodes; leave out the code for it".into(),
            kind: DriverErrorKind::Failed,
        })
    }

    /// What `launch` runs where there are at most [`FEW`](crate::entry::FEW) items, if that is an
    /// entry for every processor that does not take long and uses the host's memory: who submits
    /// such a launch may then run it in place.
    fn brief(&self, device: usize, module: &Self::Module) -> Option<Entry> {
        let _ = (device, module);
        None
    }

    /// The number of the last operation of a queue that is complete, 0 for none. Never blocks.
    ///
    /// # Errors
    ///
    /// The driver's, once an operation has failed on the device.
    fn completed(&self, device: usize, queue: Queue) -> Result<u64, DriverError>;

    /// Returns when an operation is complete. What it wrote to host memory is there then.
    ///
    /// # Errors
    ///
    /// The driver's, for any operation that failed on the device.
    fn wait(&self, device: usize, ticket: Ticket) -> Result<(), DriverError>;

    /// As [`Backend::wait`], but for so long at most; whether the operation is complete. This one asks
    /// again and again.
    ///
    /// # Errors
    ///
    /// As [`Backend::wait`].
    fn wait_for(&self, device: usize, ticket: Ticket, time: Duration) -> Result<bool, DriverError> {
        let (start, mut pause) = (Instant::now(), Duration::from_micros(20));
        while self.completed(device, ticket.queue)? < ticket.number {
            let left = time.saturating_sub(start.elapsed());
            if left.is_zero() {
                return Ok(false);
            }
            std::thread::sleep(pause.min(left));
            pause = (2 * pause).min(Duration::from_millis(1));
        }
        Ok(true)
    }

    /// Gives up what was submitted to a device and is not complete, and makes it ready for more.
    /// When it returns nothing of it touches memory any more; memory and modules stay, numbers go
    /// on, and all tickets given out are complete. On a [`clock`](Backend::clock) of its own it takes
    /// no time.
    ///
    /// # Errors
    ///
    /// The driver's; the device cannot be used any more then, and nothing of it touches memory.
    fn reset(&self, device: usize) -> Result<(), DriverError>;

    /// Brings a lost device back, as it was when the backend was opened: its memories and modules of before
    /// are of no use any more, which calls with them say, and are given back as ever. Tickets go on.
    ///
    /// A backend that cannot do that leaves this as it is.
    ///
    /// # Errors
    ///
    /// The driver's; the device is lost as before.
    fn recover(&self, device: usize) -> Result<(), DriverError> {
        let _ = device;
        Err(DriverError {
            api: "recover",
            code: -1,
            text: "this backend brings no lost device back; start the program again".into(),
            kind: DriverErrorKind::DeviceLost,
        })
    }

    /// When an operation ran that is complete; `None` where the device has not measured it or no
    /// longer knows. With a [`clock`](Backend::clock), on that one. A backend need not note anything before
    /// somebody asks; who wants to know of the first operation too asks for [`Ticket::DONE`] before it.
    fn timing(&self, device: usize, ticket: Ticket) -> Option<Timing> {
        let _ = (device, ticket);
        None
    }

    /// How long an operation takes on a device by what is known of it without running it; `None`
    /// where that has to be measured. Launches are placed by it, so it is the same for the same
    /// operation as long as the device is.
    fn declared(&self, device: usize, operation: Operation) -> Option<Duration> {
        let _ = (device, operation);
        None
    }

    /// Whether there is code of a kernel for a device, as far as that shows without loading it. A launch
    /// is not split over devices that have none.
    fn implements(&self, device: usize, kernel: &'static KernelDescriptor) -> bool {
        let _ = (device, kernel);
        true
    }

    /// What a device has to be set up with for a kernel, where it holds one such thing at a time and
    /// changing it takes long: the bitstream of an FPGA, by a number of its own. `None` for what runs on
    /// the device as it is. How long that takes ([`Operation::SetUp`], if it is declared) is part of what is
    /// predicted of a launch, and of devices on which it would end at the same time it goes to one that
    /// need not be changed.
    fn setup(&self, device: usize, kernel: &'static KernelDescriptor) -> Option<u64> {
        let _ = (device, kernel);
        None
    }

    /// What a device is set up with by what was submitted to it; `None` for nothing.
    fn is_set_up(&self, device: usize) -> Option<u64> {
        let _ = device;
        None
    }

    /// How a kernel would run on a device, for a person: `AVX-512, packed rows`, `IR interpreter`.
    fn path(&self, device: usize, kernel: &'static KernelDescriptor) -> String {
        let _ = (device, kernel);
        self.key().to_owned()
    }

    /// The clock of simulated time; `None` where time is real.
    fn clock(&self) -> Option<Arc<dyn clock::Clock>> {
        None
    }
}
