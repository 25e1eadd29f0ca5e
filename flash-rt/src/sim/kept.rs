//! Launches that are kept ready: all that the call lent but the memories. Fenced: what it keeps points
//! into what it keeps.
#![allow(unsafe_code, reason = "submits launches that were validated")]

use std::sync::{Arc, Weak};

use super::memory::Storage;
use super::work::Launch;
use super::{Sim, SimMemory, SimModule, driver_error};
use crate::backend::{Backend, LaunchInfo, OwnedSubspace, Prepared, Ticket};
use crate::entry::Outcome;
use crate::error::{DriverError, DriverErrorKind};
use crate::geometry::Geometry;

/// A launch that is submitted as it was before.
#[derive(Debug)]
pub(super) struct Kept {
    sim: Sim,
    device: usize,
    module: SimModule,
    launch: Launch,
    geometry: Option<Geometry>,
    memories: Vec<Option<Weak<Storage>>>,
}

// SAFETY: the outcome that the launch was made with is not looked at, and its slots point to values of
// its own, which nobody writes.
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
        module: &SimModule,
        launch: &LaunchInfo<'_, SimMemory>,
    ) -> Self {
        let memories = launch.memories.iter();
        let memories = memories.map(|memory| memory.map(|memory| Arc::downgrade(&memory.0)));
        let memories = memories.collect();
        let geometry = launch.geometry.cloned();
        let module = SimModule(Arc::clone(&module.0));
        // Nobody looks for the memories there.
        let launch = LaunchInfo { memories: &[], ..*launch };
        // SAFETY: as the caller vouches.
        let launch = unsafe { Launch::new(&module.0, &launch) };
        Self { sim: sim.clone(), device, module, launch, geometry, memories }
    }
}

impl Prepared for Kept {
    fn notes(&self) -> bool {
        true
    }

    unsafe fn submit(
        self: Arc<Self>,
        queue: u8,
        outcome: &Outcome,
        after: &[Ticket],
        _more: bool,
    ) -> Result<Ticket, DriverError> {
        let Launch { module, space, part, slots, check_all, .. } = &self.launch;
        let there: Option<Vec<Option<SimMemory>>> = self
            .memories
            .iter()
            .map(|memory| match memory {
                Some(memory) => memory.upgrade().map(|memory| Some(SimMemory(memory))),
                None => Some(None),
            })
            .collect();
        let there = there.ok_or_else(|| {
            let text = format!("memory of `{}`, which was kept, is gone", module.kernel.name);
            driver_error("sim::launch", DriverErrorKind::Failed, text)
        })?;
        let memories: Vec<Option<&SimMemory>> = there.iter().map(Option::as_ref).collect();
        let part = part.as_ref().map(OwnedSubspace::get);
        let launch = LaunchInfo {
            kernel: module.kernel,
            space,
            part: part.as_ref(),
            slots,
            geometry: self.geometry.as_ref(),
            memories: &memories,
            outcome,
            check_all: *check_all,
        };
        // SAFETY: as the caller vouches; the values are kept.
        unsafe { self.sim.launch(self.device, queue, &self.module, &launch, after) }
    }
}
