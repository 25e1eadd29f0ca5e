//! Launches that are kept ready: a kernel with its arguments set, which nobody else sets, and the command
//! that runs it. Fenced: it lets kernels run with the memory of a validated launch.
#![allow(unsafe_code, reason = "launches kernels with validated arguments")]

use std::sync::{Arc, Mutex, PoisonError, Weak};

use flash_rt::DriverError;
use flash_rt::backend::{LaunchInfo, Prepared, Queue, Ticket};
use flash_rt::entry::Outcome;
use flash_rt::error::DriverErrorKind;
use flash_rt::offload::plain::Items;

use crate::cl::{self, Event, Failure, Kernel, Waits};
use crate::device::{OclDevice, Table};
use crate::memory::{OclMemory, Storage};
use crate::operation::{Extras, Held};
use crate::record::Noting;

/// Kernels of one function, whose arguments nobody sets any more.
#[derive(Debug, Default)]
pub(crate) struct Spares(Mutex<Vec<Kernel>>);

/// So many are kept.
const SPARES: usize = 16;

impl Spares {
    /// One of them, or a new one.
    pub(crate) fn take(
        &self,
        make: impl FnOnce() -> Result<Kernel, Failure>,
    ) -> Result<Kernel, Failure> {
        let spare = self.0.lock().unwrap_or_else(PoisonError::into_inner).pop();
        spare.map_or_else(make, Ok)
    }

    fn give_back(&self, kernel: Kernel) {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if all.len() < SPARES {
            all.push(kernel);
        }
    }
}

/// A launch of one command.
#[derive(Debug)]
pub(crate) struct KeptLaunch {
    device: Arc<OclDevice>,
    /// There until the launch is dropped.
    kernel: Mutex<Option<Kernel>>,
    /// Where the kernel goes then.
    spares: Arc<Spares>,
    items: Items,
    memories: Box<[Weak<Storage>]>,
    /// The number of the argument that is a record, if there is one.
    record: Option<u32>,
    /// Its ids, where they are no box.
    table: Option<Table>,
}

impl KeptLaunch {
    /// A launch whose arguments are set but for the record.
    pub(crate) fn new(
        device: &Arc<OclDevice>,
        (kernel, spares): (Kernel, &Arc<Spares>),
        (items, record, table): (Items, Option<u32>, Option<Table>),
        launch: &LaunchInfo<'_, OclMemory>,
    ) -> Self {
        let memories = launch.memories.iter().flatten();
        Self {
            device: Arc::clone(device),
            kernel: Mutex::new(Some(kernel)),
            spares: Arc::clone(spares),
            items,
            memories: memories.map(|memory| Arc::downgrade(&memory.0)).collect(),
            record,
            table,
        }
    }
}

impl KeptLaunch {
    /// Submits its command, where it has no record. It is called under the lock of the device's queues, or
    /// takes that of its kernel for nothing else.
    ///
    /// # Safety
    ///
    /// As `Prepared::submit`.
    pub(crate) unsafe fn enqueue(
        &self,
        queue: &cl::Queue,
        waits: &Waits<'_>,
    ) -> Result<Event, Failure> {
        let kernel = self.kernel.lock().unwrap_or_else(PoisonError::into_inner);
        let gone = Failure::missing("a kernel that was kept");
        let kernel = kernel.as_ref().ok_or(gone)?;
        // SAFETY: the arguments are those of the launch, as the caller vouches; nobody else sets them.
        unsafe { queue.launch(kernel, &self.items, waits) }
    }
}

impl Drop for KeptLaunch {
    fn drop(&mut self) {
        let kernel = self.kernel.get_mut().unwrap_or_else(PoisonError::into_inner).take();
        kernel.into_iter().for_each(|kernel| self.spares.give_back(kernel));
    }
}

#[cold]
fn is_gone() -> DriverError {
    DriverError {
        api: "flash-ocl",
        code: -1,
        text: "what a launch was kept with is gone; this is a defect of the run time".into(),
        kind: DriverErrorKind::Failed,
    }
}

impl Prepared for KeptLaunch {
    fn notes(&self) -> bool {
        self.record.is_some()
    }

    unsafe fn submit(
        self: Arc<Self>,
        queue: u8,
        outcome: &Outcome,
        after: &[Ticket],
        more: bool,
    ) -> Result<Ticket, DriverError> {
        let device = &*self.device;
        let mut held = Vec::with_capacity(self.memories.len());
        for memory in &self.memories {
            held.push(Held::Memory(memory.upgrade().ok_or_else(is_gone)?));
        }
        if let Some(table) = &self.table {
            held.push(Held::Memory(Arc::clone(&table.memory)));
        }
        let queue = Queue::Compute(queue);
        let Some(index) = self.record else {
            let extras = Extras { held, noting: None };
            if more && after.is_empty() {
                return device.lines.hold_back(queue, &self, extras);
            }
            return device.lines.submit(queue, after, extras, |commands| {
                // SAFETY: as the caller vouches.
                commands.add(|queue, waits| unsafe { self.enqueue(queue, waits) })
            });
        };
        let mut kernel = self.kernel.lock().unwrap_or_else(PoisonError::into_inner);
        let kernel = kernel.as_mut().ok_or_else(is_gone)?;
        let record = device.record()?;
        let set = kernel.set_memory(index, &record.0.memory.mem);
        set.map_err(|failure| failure.on(&device.facts.name))?;
        let noting = Some(Noting::new(&record.0, outcome));
        device.lines.submit(queue, after, Extras { held, noting }, |commands| {
            record.0.begin(commands, record.1)?;
            // SAFETY: the arguments are those of the launch, as the caller vouches; nobody else sets
            // them.
            commands.add(|queue, waits| unsafe { queue.launch(kernel, &self.items, waits) })?;
            record.0.end(commands)
        })
    }
}
