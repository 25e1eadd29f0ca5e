//! Launches that are kept ready, as they are submitted again. Fenced: what it keeps points into what it
//! keeps.
#![allow(unsafe_code, reason = "submits launches that were validated")]

use std::sync::{Arc, Weak};

use super::memory::Storage;
use super::work::{Launch, Loaded, Memories, Work};
use super::{Extent, Sim, SimMemory, driver_error};
use crate::backend::{LaunchInfo, Prepared, Ticket};
use crate::entry::{Outcome, Slot};
use crate::error::{DriverError, DriverErrorKind};

/// A launch that is submitted as it was before.
#[derive(Debug)]
pub(super) struct Kept {
    sim: Sim,
    device: usize,
    launch: Arc<Launch>,
    extent: Extent,
    memories: Vec<Option<Weak<Storage>>>,
}

// SAFETY: the slots of the launch point to values of its own, which nobody writes.
unsafe impl Send for Kept {}
// SAFETY: as above.
unsafe impl Sync for Kept {}

impl Kept {
    /// Keeps a launch.
    ///
    /// # Safety
    ///
    /// As `Backend::prepare`.
    pub(super) unsafe fn new(
        sim: &Sim,
        device: usize,
        module: &Arc<Loaded>,
        launch: &LaunchInfo<'_, SimMemory>,
    ) -> Self {
        let memories = launch.memories.iter();
        let memories = memories.map(|memory| memory.map(|memory| Arc::downgrade(&memory.0)));
        let (memories, extent) = (memories.collect(), Extent::of(launch));
        // SAFETY: as the caller vouches.
        let launch = Arc::new(unsafe { Launch::new(module, launch) });
        Self { sim: sim.clone(), device, launch, extent, memories }
    }
}

impl Prepared for Kept {
    fn notes(&self) -> bool {
        true
    }

    unsafe fn submit(
        self: Arc<Self>,
        queue: u8,
        _slots: &[Slot],
        outcome: &Outcome,
        after: &[Ticket],
        _more: bool,
    ) -> Result<Ticket, DriverError> {
        let module = &self.launch.module;
        let there: Option<Memories> = self
            .memories
            .iter()
            .map(|memory| match memory {
                Some(memory) => memory.upgrade().map(|memory| Some(SimMemory(memory))),
                None => Some(None),
            })
            .collect();
        let memories = there.ok_or_else(|| {
            let text = format!("memory of `{}`, which was kept, is gone", module.kernel.name);
            driver_error("sim::launch", DriverErrorKind::Failed, text)
        })?;
        let work = Work::Launch(Arc::clone(&self.launch), memories, outcome);
        self.sim.submit_launch((self.device, queue), (module, &self.extent), work, after)
    }
}
