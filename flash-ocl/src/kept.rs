//! Launches that are kept ready: a kernel with its arguments set, which nobody else sets, and the command
//! that runs it. Fenced: it lets kernels run with the memory of a validated launch.
#![allow(unsafe_code, reason = "launches kernels with validated arguments")]

use std::sync::{Arc, Mutex, PoisonError, Weak};

use flash_rt::DriverError;
use flash_rt::backend::{LaunchInfo, Prepared, Queue, Ticket};
use flash_rt::entry::Outcome;
use flash_rt::error::DriverErrorKind;

use crate::cl::{Items, Kernel};
use crate::device::OclDevice;
use crate::lines::{Extras, Held};
use crate::memory::{OclMemory, Storage};
use crate::record::Noting;

/// A launch of one command.
#[derive(Debug)]
pub(crate) struct KeptLaunch {
    device: Arc<OclDevice>,
    kernel: Mutex<Kernel>,
    items: Items,
    memories: Box<[Weak<Storage>]>,
    /// The number of the argument that is a record, if there is one.
    record: Option<u32>,
}

impl KeptLaunch {
    /// A launch whose arguments are set but for the record.
    pub(crate) fn new(
        device: &Arc<OclDevice>,
        (kernel, items, record): (Kernel, Items, Option<u32>),
        launch: &LaunchInfo<'_, OclMemory>,
    ) -> Self {
        let memories = launch.memories.iter().flatten();
        Self {
            device: Arc::clone(device),
            kernel: Mutex::new(kernel),
            items,
            memories: memories.map(|memory| Arc::downgrade(&memory.0)).collect(),
            record,
        }
    }
}

#[cold]
fn is_gone() -> DriverError {
    DriverError {
        api: "flash-ocl",
        code: -1,
        text: "memory of a launch that was kept is gone; this is a defect of the run time".into(),
        kind: DriverErrorKind::Failed,
    }
}

impl Prepared for KeptLaunch {
    fn notes(&self) -> bool {
        self.record.is_some()
    }

    unsafe fn submit(
        &self,
        queue: u8,
        outcome: &Outcome,
        after: &[Ticket],
    ) -> Result<Ticket, DriverError> {
        let device = &*self.device;
        let mut held = Vec::with_capacity(self.memories.len());
        for memory in &self.memories {
            held.push(Held::Memory(memory.upgrade().ok_or_else(is_gone)?));
        }
        let mut kernel = self.kernel.lock().unwrap_or_else(PoisonError::into_inner);
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
        device.lines.submit(Queue::Compute(queue), after, Extras { held, noting }, |commands| {
            if let Some((record, is_new)) = &record {
                record.begin(commands, *is_new)?;
            }
            // SAFETY: the arguments are those of the launch, as the caller vouches; nobody else sets
            // them.
            commands.add(|queue, waits| unsafe { queue.launch(&kernel, &self.items, waits) })?;
            record.iter().try_for_each(|(record, _)| record.end(commands))
        })
    }
}
