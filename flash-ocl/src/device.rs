//! One device of the backend: its memory, its queues, what is kept for its launches. Fenced: it passes
//! on what is promised of memory of the host.
#![allow(unsafe_code, reason = "passes memory of the host on")]

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use flash_rt::DriverError;
use flash_rt::error::DriverErrorKind;
use flash_rt::offload::allowance::{self, Allowance};
use flash_rt::offload::cache::Cache;
use flash_rt::offload::texts::Translations;

use crate::backend::is_fpga;
use crate::bitstreams::Bitstreams;
use crate::cl::{self, Context, DeviceId, DeviceKind, Failure, Mem, PartDevice, PlatformId, Queue};
use crate::facts::DeviceFacts;
use crate::in_place::{self, InPlace};
use crate::lines::{COMPUTE, Lines};
use crate::memory::Storage;
use crate::record::Record;

/// The context that devices share: that of a platform, made when a device of it is first used, or
/// one that somebody else has made.
#[derive(Debug)]
pub(crate) struct Shared {
    platform: PlatformId,
    devices: Vec<DeviceId>,
    made: OnceLock<Result<Context, Failure>>,
    /// The one queue that all is submitted to, if somebody else has made it.
    queue: Option<Queue>,
    /// Devices that go when nothing of them is left.
    #[expect(dead_code, reason = "kept as long as the context")]
    parts: Vec<PartDevice>,
}

impl Shared {
    pub(crate) fn new(platform: PlatformId, devices: Vec<DeviceId>) -> Self {
        Self { platform, devices, made: OnceLock::new(), queue: None, parts: Vec::new() }
    }

    /// What somebody else has made.
    pub(crate) fn adopted(platform: PlatformId, context: Context, queue: Option<Queue>) -> Self {
        Self {
            platform,
            devices: Vec::new(),
            made: OnceLock::from(Ok(context)),
            queue,
            parts: Vec::new(),
        }
    }

    /// Parts of a device.
    pub(crate) fn of_parts(
        platform: PlatformId,
        devices: Vec<DeviceId>,
        parts: Vec<PartDevice>,
    ) -> Self {
        Self { platform, devices, made: OnceLock::new(), queue: None, parts }
    }

    fn context(&self) -> Result<&Context, Failure> {
        let made = self.made.get_or_init(|| {
            let missing = Failure::missing("clCreateContext");
            Context::new(cl::table().map_err(|_| missing)?, self.platform, &self.devices)
        });
        made.as_ref().map_err(|failure| *failure)
    }

    fn queue(&self, device: DeviceId, is_timed: bool) -> Result<Queue, Failure> {
        match &self.queue {
            Some(queue) => Ok(queue.clone()),
            None => self.context()?.queue(device, is_timed),
        }
    }
}

/// A device.
#[derive(Debug)]
pub(crate) struct OclDevice {
    pub(crate) facts: Arc<DeviceFacts>,
    shared: Arc<Shared>,
    /// Bytes of all its memories.
    used: Arc<AtomicU64>,
    pub(crate) lines: Lines,
    /// Where arrays are used in the memory of the host.
    pub(crate) in_place: Option<InPlace>,
    /// Copies of so many bytes and more go through pinned memory.
    pub(crate) staged_from: u64,
    /// Where built programs are kept.
    pub(crate) cache: Option<Cache>,
    /// Binaries that are built.
    pub(crate) bitstreams: Bitstreams,
    /// Memory for one launch at a time.
    temporaries: Mutex<Vec<Arc<Storage>>>,
    /// What tables and partial results of launches that are kept ready may have.
    tables: Allowance,
    /// Bodies of kernels, by address of the kernel.
    pub(crate) translations: Translations,
}

/// Memory that stays with a launch, for a table of ids or for partial results.
pub(crate) type Table = allowance::Table<Arc<Storage>>;

/// The least bytes of a long copy.
const LONG: u64 = 64 << 10;
/// So many memories are kept for launches to come.
const KEPT: usize = 32;

impl OclDevice {
    pub(crate) fn new(
        facts: &Arc<DeviceFacts>,
        shared: &Arc<Shared>,
        cache: Option<Cache>,
    ) -> Self {
        let (of_queues, of_device) = (Arc::clone(shared), Arc::clone(facts));
        let make = move |is_timed| {
            let queue = of_queues.queue(of_device.id, is_timed);
            queue.map_err(|failure| failure.on(&of_device.name))
        };
        Self {
            facts: Arc::clone(facts),
            shared: Arc::clone(shared),
            used: Arc::default(),
            lines: Lines::new(&facts.name, Arc::new(make)),
            in_place: None,
            staged_from: u64::MAX,
            cache,
            bitstreams: Bitstreams::new(is_fpga(facts)),
            temporaries: Mutex::default(),
            tables: Allowance::of(facts.memory),
            translations: Translations::default(),
        }
    }

    /// The context it is in.
    pub(crate) fn context(&self) -> Result<&Context, DriverError> {
        self.shared.context().map_err(|failure| failure.on(&self.facts.name))
    }

    /// Uses arrays where they are, in the memory of the host, if the device can.
    pub(crate) fn in_place(mut self) -> Self {
        let is_direct = |context: &Context| in_place::is_direct(context, self.facts.id);
        match self.facts.shares_memory.then(|| self.shared.context().and_then(is_direct)) {
            Some(Ok(true)) => self.in_place = Some(InPlace::default()),
            tried => {
                let device = &self.facts.name;
                tracing::debug!(device, ?tried, "arrays are copied, as its memory is its own");
            }
        }
        self
    }

    /// Sends copies of so many bytes and more through pinned memory, where nobody says how many, long ones if
    /// its memory is its own. What has one queue has them in it.
    pub(crate) fn staged(self, from: Option<u64>) -> Self {
        let shares_memory = self.facts.shares_memory || self.facts.kind == DeviceKind::Cpu;
        let from = from.unwrap_or(if shares_memory { u64::MAX } else { LONG });
        let staged_from = if self.shared.queue.is_none() { from } else { u64::MAX };
        Self { staged_from, ..self }
    }

    /// As the copies of another device.
    pub(crate) fn staged_as(self, other: &Self) -> Self {
        Self { staged_from: other.staged_from, ..self }
    }

    /// Memory over bytes of the host.
    ///
    /// # Safety
    ///
    /// As for [`Context::memory_in_place`].
    pub(crate) unsafe fn memory_in_place(
        &self,
        start: *mut u8,
        bytes: usize,
    ) -> Result<Storage, DriverError> {
        // SAFETY: as the caller vouches.
        let mem = unsafe { self.context()?.memory_in_place(start, bytes) };
        let mem = mem.map_err(|failure| failure.of_memory(&self.facts.name))?;
        Ok(Storage::new(mem, bytes as u64, &Arc::default()))
    }

    /// How many kernels may run side by side.
    pub(crate) fn queues(&self) -> u8 {
        match (&self.in_place, &self.shared.queue) {
            (Some(_), _) => 0,
            (None, Some(_)) => 1,
            (None, None) => COMPUTE,
        }
    }

    /// Memory that somebody else has made, which does not count as used.
    pub(crate) fn adopted(mem: Mem, bytes: u64) -> Storage {
        Storage::new(mem, bytes, &Arc::default())
    }

    /// Bytes of all its memories.
    pub(crate) fn used(&self) -> u64 {
        self.used.load(Ordering::Relaxed)
    }

    /// Memory of undefined contents.
    pub(crate) fn allocate(&self, bytes: u64) -> Result<Storage, DriverError> {
        // OpenCL has no memory without bytes.
        let size = usize::try_from(bytes.max(1)).unwrap_or(usize::MAX);
        self.made(bytes, |context| context.memory(size))
    }

    /// A table for a launch that is kept ready; nothing where those have as much as they may.
    pub(crate) fn table(&self, bytes: &[u8]) -> Result<Option<Table>, DriverError> {
        let n = bytes.len() as u64;
        let make = || self.made(n, |context| context.memory_with(bytes)).map(Arc::new);
        self.tables.table(n, make)
    }

    /// Memory of undefined contents for a launch that is kept ready, of what tables may have.
    pub(crate) fn kept_memory(&self, bytes: u64) -> Result<Option<Table>, DriverError> {
        self.tables.table(bytes, || self.allocate(bytes).map(Arc::new))
    }

    /// Memory of so many bytes, where there is room for it.
    fn made(
        &self,
        bytes: u64,
        make: impl FnOnce(&Context) -> Result<Mem, Failure>,
    ) -> Result<Storage, DriverError> {
        let (name, used) = (&self.facts.name, self.used());
        let full = |text: String| DriverError {
            api: "clCreateBuffer",
            code: -1,
            text: text.into(),
            kind: DriverErrorKind::OutOfMemory,
        };
        let (largest, all) = (self.facts.largest, self.facts.memory);
        if bytes > largest {
            return Err(full(format!(
                "{bytes} bytes are asked for, and one memory of `{name}` has {largest} at most \
                 (CL_DEVICE_MAX_MEM_ALLOC_SIZE); split the array"
            )));
        }
        if used.checked_add(bytes).is_none_or(|sum| sum > all) {
            return Err(full(format!(
                "{bytes} bytes do not fit beside {used} of {all} on `{name}`"
            )));
        }
        let mem = make(self.context()?).map_err(|failure| failure.of_memory(name))?;
        Ok(Storage::new(mem, bytes, &self.used))
    }

    /// Memory of so many bytes at least, for one launch.
    pub(crate) fn temporary(&self, bytes: u64) -> Result<Arc<Storage>, DriverError> {
        let mut kept = self.temporaries.lock().unwrap_or_else(PoisonError::into_inner);
        // What only this list has is not in use.
        let fits = |memory: &&Arc<Storage>| {
            let room = memory.bytes;
            Arc::strong_count(memory) == 1 && room >= bytes && room <= 4 * bytes + 4096
        };
        if let Some(memory) = kept.iter().find(fits) {
            return Ok(Arc::clone(memory));
        }
        if kept.len() >= KEPT {
            kept.retain(|memory| Arc::strong_count(memory) > 1);
        }
        let memory = Arc::new(self.allocate(bytes)?);
        kept.push(Arc::clone(&memory));
        Ok(memory)
    }

    /// A record of zeros; whether it is new, so that the launch has to zero it.
    pub(crate) fn record(&self) -> Result<(Arc<Record>, bool), DriverError> {
        match self.lines.record() {
            Some(record) => Ok((record, false)),
            None => {
                let memory = self.allocate(flash_ir::emit::status::BYTES as u64)?;
                Ok((Arc::new(Record::new(memory)), true))
            }
        }
    }

    /// Lets go of what is kept for launches.
    pub(crate) fn let_go(&self) {
        self.temporaries.lock().unwrap_or_else(PoisonError::into_inner).clear();
    }
}
