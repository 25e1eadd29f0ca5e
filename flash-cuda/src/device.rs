//! One device of the backend: its context, its memory, its streams, what is kept for its launches. It
//! does not know what a launch is.

use std::sync::{Arc, Mutex, PoisonError};

use flash_ir::emit::status;
use flash_rt::DriverError;
use flash_rt::error::DriverErrorKind;
use flash_rt::offload::allowance::{self, Allowance};
use flash_rt::offload::texts::Translations;

use crate::cu::{Context, DeviceMemory, Failure, Pinned, Stream};
use crate::cycles::Cycles;
use crate::facts::DeviceFacts;
use crate::fill;
use crate::lines::{COMPUTE, Lines};
use crate::memory::Storage;
use crate::nvrtc::Compiler;
use crate::record::{Record, Records};
use crate::staging::Slots;

/// A device.
#[derive(Debug)]
pub(crate) struct CudaDevice {
    pub(crate) facts: Arc<DeviceFacts>,
    home: Arc<Home>,
    pub(crate) lines: Lines,
    /// Whether all of its lines are one stream, of somebody else's.
    is_adopted: bool,
    /// Pinned memory for short copies.
    pub(crate) slots: Arc<Slots>,
    /// The same for partial results.
    pub(crate) short_slots: Arc<Slots>,
    /// Memory for one launch at a time.
    temporaries: Mutex<Vec<Arc<Storage>>>,
    /// What tables and partial results of launches that are kept ready may have.
    tables: Allowance,
    pub(crate) compiler: Compiler,
    /// Bodies of kernels, by address of the kernel.
    pub(crate) translations: Translations,
    /// Loops that it runs by itself.
    pub(crate) cycles: Cycles,
}

/// The context of a device and the stream that its memory is taken in, made when they are first used.
#[derive(Debug)]
struct Home {
    facts: Arc<DeviceFacts>,
    made: Mutex<Option<Made>>,
}

#[derive(Clone, Debug)]
struct Made {
    context: Arc<Context>,
    /// Where the device has pools.
    memory: Option<Arc<Stream>>,
}

impl Home {
    fn get(&self) -> Result<Made, Failure> {
        let mut made = self.made.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(made) = &*made {
            return Ok(made.clone());
        }
        let context = Context::new(self.facts.id)?;
        let memory = self.facts.has_pools.then(|| Stream::new(&context)).transpose()?.map(Arc::new);
        Ok(made.insert(Made { context, memory }).clone())
    }
}

impl Home {
    /// Destroys the context, by whomever it is used, and takes another one: that of whoever has brought the
    /// device back already, else a new one.
    fn again(&self) -> Result<(), Failure> {
        let before = self.made.lock().unwrap_or_else(PoisonError::into_inner).take();
        match before {
            Some(made) => made.context.reset()?,
            None => {
                // Others may be at work in one that this device never had.
                let context = Context::new(self.facts.id)?;
                if context.memory().is_err_and(Failure::is_sticky) {
                    context.reset()?;
                }
            }
        }
        // A device that is gone for good says so when it is used.
        self.get()?.context.memory().map(drop)
    }
}

/// Memory that stays with a launch, for a table of ids or for partial results.
pub(crate) type Table = allowance::Table<Arc<Storage>>;

/// So many memories are kept for launches to come.
const KEPT: usize = 32;

impl CudaDevice {
    pub(crate) fn new(facts: &Arc<DeviceFacts>, compiler: Compiler) -> Self {
        Self::on(facts, compiler, None)
    }

    /// A device whose stream somebody else has made.
    pub(crate) fn adopted(
        facts: &Arc<DeviceFacts>,
        compiler: Compiler,
        stream: Arc<Stream>,
    ) -> Self {
        Self::on(facts, compiler, Some(stream))
    }

    fn on(facts: &Arc<DeviceFacts>, compiler: Compiler, stream: Option<Arc<Stream>>) -> Self {
        let home = Arc::new(Home { facts: Arc::clone(facts), made: Mutex::default() });
        let (of_lines, is_adopted) = (Arc::clone(&home), stream.is_some());
        let make = move || {
            if let Some(stream) = &stream {
                return Ok(Arc::clone(stream));
            }
            let made = of_lines.get().and_then(|made| Stream::new(&made.context));
            made.map(Arc::new).map_err(|failure| failure.on(&of_lines.facts.name))
        };
        Self {
            is_adopted,
            facts: Arc::clone(facts),
            home,
            lines: Lines::new(&facts.name, Box::new(make)),
            slots: Slots::new(),
            short_slots: Slots::short(),
            temporaries: Mutex::default(),
            tables: Allowance::of(facts.memory),
            compiler,
            translations: Translations::default(),
            cycles: Cycles::default(),
        }
    }

    /// Brings it back after it was lost, unless its stream is somebody else's: that would go with all else that he
    /// has in the context, and no other one is known.
    pub(crate) fn recover(&self) -> Result<(), DriverError> {
        if self.is_adopted {
            let text = format!(
                "`{}` submits to a stream of somebody else's, whose context only its owner may begin anew; make a \
                 new stream there, and adopt that",
                self.facts.name
            );
            let kind = DriverErrorKind::DeviceLost;
            return Err(DriverError { api: "recover", code: -1, text: text.into(), kind });
        }
        self.let_go();
        self.cycles.forget();
        let again = || self.home.again().map_err(|failure| self.error(failure));
        self.lines.recover(again)
    }

    /// Whether launches may wait for others to go to the driver with them: nobody else submits to its streams.
    pub(crate) fn holds_back(&self) -> bool {
        !self.is_adopted
    }

    /// How many kernels may run side by side.
    pub(crate) fn queues(&self) -> u8 {
        if self.is_adopted { 1 } else { COMPUTE }
    }

    /// A failure as an error of this device.
    #[cold]
    pub(crate) fn error(&self, failure: Failure) -> DriverError {
        failure.on(&self.facts.name)
    }

    /// Its context.
    pub(crate) fn context(&self) -> Result<Arc<Context>, DriverError> {
        self.home.get().map(|made| made.context).map_err(|failure| self.error(failure))
    }

    /// Memory of undefined contents.
    pub(crate) fn allocate(&self, bytes: u64) -> Result<Storage, DriverError> {
        let name = &self.facts.name;
        let made = self.home.get().map_err(|failure| self.error(failure))?;
        // CUDA has no memory without bytes.
        if bytes == 0 {
            return Ok(Storage::empty(&made.context));
        }
        let size = usize::try_from(bytes).unwrap_or(usize::MAX);
        let memory = match &made.memory {
            Some(stream) => DeviceMemory::pooled(stream, size),
            None => DeviceMemory::new(&made.context, size),
        };
        let memory = memory.map_err(|failure| {
            let error = failure.on(name);
            if error.kind != DriverErrorKind::OutOfMemory {
                return error;
            }
            let free = made.context.memory().map_or(0, |(free, _)| free);
            let all = self.facts.memory;
            let text =
                format!("{bytes} bytes do not fit in the {free} of {all} that `{name}` has left");
            DriverError { text: text.into(), ..error }
        })?;
        Ok(Storage::new(&made.context, memory, bytes))
    }

    /// A table for a launch that is kept ready, which is there on return; nothing where those have as much as they
    /// may.
    pub(crate) fn table(&self, bytes: &[u8]) -> Result<Option<Table>, DriverError> {
        let n = bytes.len() as u64;
        self.tables.table(n, || {
            let memory = self.allocate(n)?;
            let made = self.home.get().map_err(|failure| self.error(failure))?;
            let filled = fill::now(memory, bytes, made.memory.as_deref());
            filled.map(Arc::new).map_err(|failure| self.error(failure))
        })
    }

    /// Memory of undefined contents for a launch that is kept ready, of what tables may have.
    pub(crate) fn kept_memory(&self, bytes: u64) -> Result<Option<Table>, DriverError> {
        self.tables.table(bytes, || self.allocate(bytes).map(Arc::new))
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
        if let Some(record) = self.lines.record() {
            return Ok((record, false));
        }
        let memory = self.allocate(status::BYTES as u64)?;
        let copy = Pinned::new(&memory.context, status::BYTES);
        let copy = copy.map_err(|failure| self.error(failure))?;
        Ok((Arc::new(Record::new(memory, copy)), true))
    }

    /// So many records side by side, which have to be zeroed.
    pub(crate) fn records(&self, n: usize) -> Result<Records, Failure> {
        let (memory, copy) = self.with_copy(n * status::BYTES)?;
        Ok(Records::new(memory, copy))
    }

    /// Memory, and as much on the host.
    pub(crate) fn with_copy(&self, bytes: usize) -> Result<(Storage, Pinned), Failure> {
        let made = self.home.get()?;
        let memory = match &made.memory {
            Some(stream) => DeviceMemory::pooled(stream, bytes)?,
            None => DeviceMemory::new(&made.context, bytes)?,
        };
        let memory = Storage::new(&made.context, memory, bytes as u64);
        let copy = Pinned::new(&memory.context, bytes)?;
        Ok((memory, copy))
    }

    /// Lets go of what is kept for launches.
    pub(crate) fn let_go(&self) {
        self.temporaries.lock().unwrap_or_else(PoisonError::into_inner).clear();
    }
}
