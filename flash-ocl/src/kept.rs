//! Launches that are kept ready: a kernel with its arguments set, which nobody else sets, and the command
//! that runs it. Fenced: it lets kernels run with the memory of a validated launch.
#![allow(unsafe_code, reason = "launches kernels with validated arguments")]

use std::sync::{Arc, Mutex, PoisonError, Weak};

use flash_rt::DriverError;
use flash_rt::backend::{LaunchInfo, Prepared, Queue, Ticket};
use flash_rt::entry::{Outcome, Slot};
use flash_rt::error::DriverErrorKind;
use flash_rt::offload::plain::Items;
use flash_rt::offload::resources::Place;

use crate::cl::{self, Event, Failure, Kernel, SetArguments, Waits};
use crate::device::{OclDevice, Table};
use crate::memory::{OclMemory, Storage};
use crate::operation::{AllHeld, Extras, Held};
use crate::pool::{Identity, Noted, Pool};
use crate::record::Noting;

/// A launch of one command, of one node or of several that are the same.
#[derive(Debug)]
pub(crate) struct KeptLaunch {
    device: Arc<OclDevice>,
    /// There until the launch is dropped.
    kernel: Mutex<Option<Kernel>>,
    /// Where the kernel goes then.
    pool: Arc<Pool>,
    items: Items,
    memories: Box<[Weak<Storage>]>,
    /// The number of the argument that is a record, if there is one.
    record: Option<u32>,
    /// Its ids, where they are no box.
    table: Option<Table>,
    /// Of each reduction its partial results, in the order of their arguments, of which the first has this number.
    /// Locked after the kernel.
    partials: (u32, Mutex<Vec<(Place, Table)>>),
    reduces: bool,
}

impl KeptLaunch {
    /// A launch whose arguments are set but for the record; where it has partial results these are the arguments
    /// from a number on. One that reduces is one node's, as it is known which operation has its memory.
    pub(crate) fn keep(
        device: &Arc<OclDevice>,
        (Noted { kernel, arguments }, pool): (Noted, &Arc<Pool>),
        (items, record, table): (Items, Option<u32>, Option<Table>),
        (first, partials): (u32, Vec<(Place, Table)>),
        launch: &LaunchInfo<'_, OclMemory>,
    ) -> Arc<Self> {
        let memories = launch.memories.iter().flatten();
        let kept = Self {
            device: Arc::clone(device),
            kernel: Mutex::new(Some(kernel)),
            pool: Arc::clone(pool),
            items,
            memories: memories.map(|memory| Arc::downgrade(&memory.0)).collect(),
            record,
            table,
            reduces: !partials.is_empty(),
            partials: (first, Mutex::new(partials)),
        };
        if kept.reduces {
            return Arc::new(kept);
        }
        pool.share(Identity::new(arguments, items, &kept.memories), kept)
    }
}

impl KeptLaunch {
    /// Submits its command, where it has no record and no partial results. It is called under the lock of the device's queues, or
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

/// Where partial results go on the host, and the memory that they are in on the device.
type Placed = (Place, *mut u8, Arc<Storage>);

impl KeptLaunch {
    /// Where the partial results of a submission go. Memory that an operation before still holds is left to that
    /// one: no two have the same, whichever queues they are in.
    fn place(
        &self,
        kernel: &mut Kernel,
        partials: &mut [(Place, Table)],
        slots: &[Slot],
    ) -> Result<Vec<Placed>, DriverError> {
        let mut all = Vec::with_capacity(partials.len());
        for (index, (place, kept)) in (self.partials.0..).zip(partials) {
            let to = place.find(slots).ok_or_else(is_gone)?;
            if Arc::strong_count(&kept.memory) > 1 {
                let memory = Arc::new(self.device.allocate(place.bytes as u64)?);
                let set = kernel.set_memory(index, &memory.mem);
                set.map_err(|failure| failure.on(&self.device.facts.name))?;
                kept.memory = memory;
            }
            all.push((*place, to, Arc::clone(&kept.memory)));
        }
        Ok(all)
    }
}

impl Drop for KeptLaunch {
    fn drop(&mut self) {
        let kernel = self.kernel.get_mut().unwrap_or_else(PoisonError::into_inner).take();
        kernel.into_iter().for_each(|kernel| self.pool.give_back(kernel));
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
        slots: &[Slot],
        outcome: &Outcome,
        after: &[Ticket],
        more: bool,
    ) -> Result<Ticket, DriverError> {
        let device = &*self.device;
        let mut held = AllHeld::new();
        for memory in &self.memories {
            held.push(Held::Memory(memory.upgrade().ok_or_else(is_gone)?));
        }
        if let Some(table) = &self.table {
            held.push(Held::Memory(Arc::clone(&table.memory)));
        }
        let queue = Queue::Compute(queue);
        if self.record.is_none() && !self.reduces {
            let extras = Extras { held, noting: None };
            if more && after.is_empty() {
                return device.lines.hold_back(queue, &self, extras);
            }
            return device.lines.submit(queue, after, extras, |commands| {
                // SAFETY: as the caller vouches.
                commands.add(|queue, waits| unsafe { self.enqueue(queue, waits) })
            });
        }
        let mut kernel = self.kernel.lock().unwrap_or_else(PoisonError::into_inner);
        let kernel = kernel.as_mut().ok_or_else(is_gone)?;
        let mut partials = self.partials.1.lock().unwrap_or_else(PoisonError::into_inner);
        let places = self.place(kernel, &mut partials, slots)?;
        held.extend(places.iter().map(|(_, _, memory)| Held::Memory(Arc::clone(memory))));
        let record = match self.record {
            None => None,
            Some(index) => {
                let record = device.record()?;
                let set = kernel.set_memory(index, &record.0.memory.mem);
                set.map_err(|failure| failure.on(&device.facts.name))?;
                Some(record)
            }
        };
        let noting = record.as_ref().map(|(record, _)| Noting::new(record, outcome));
        device.lines.submit(queue, after, Extras { held, noting }, |commands| {
            if let Some((record, is_new)) = &record {
                record.begin(commands, *is_new)?;
            }
            // SAFETY: the arguments are those of the launch, as the caller vouches; nobody else sets
            // them.
            commands.add(|queue, waits| unsafe { queue.launch(kernel, &self.items, waits) })?;
            for (place, to, memory) in &places {
                commands.add(|queue, waits| {
                    // SAFETY: the slot of a reduction points to one partial result a block, which this launch
                    // may write until it is over, as the caller vouches. The memory has as many bytes; it is
                    // of this operation alone, which holds it (`place`).
                    unsafe { queue.read(&memory.mem, 0, *to, place.bytes, waits) }
                })?;
            }
            record.iter().try_for_each(|(record, _)| record.end(commands))
        })
    }
}
