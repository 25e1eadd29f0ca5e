//! Launches that backends keep ready, by the memories that they run on: a launch that comes again and
//! finds its arrays where they were is submitted as it is. It starts none of them.

use std::sync::{Arc, Mutex, Weak};

use smallvec::SmallVec;

use super::bind::{BoundLaunch, BoundParam};
use crate::backend::Prepared;
use crate::error::{DriverError, Result};
use crate::image::DeviceMemory;

/// So many are kept of a launch: arrays that are exchanged, or take turns in memory, come round.
const MOST: usize = 8;

/// It is made ready from this time on.
const FIRST: u32 = 2;

/// So often a launch is made ready without being of use; beyond, its memories or values are others each time.
const PATIENCE: u32 = 32;

/// So many phases are kept of a launch, with all its memories.
const MOST_PHASES: usize = 1 << 14;

/// What is ready for each phase of a launch; nothing where the backend keeps nothing.
pub(super) type Phases = Arc<[Option<Arc<dyn Prepared>>]>;

/// The bytes of what a launch reads from cells, one after the other.
pub(super) type Values = SmallVec<[u8; 32]>;

/// What is kept of a part of a launch, which is bound anew in each run.
pub(super) type Home = Arc<Mutex<Ready>>;

/// What is kept of a launch.
#[derive(Debug, Default)]
pub(crate) struct Ready {
    /// How often it was submitted without being ready, less how often it was ready, from the second time on.
    n_new: u32,
    known: Vec<Known>,
    /// Whether it is the first one of a loop that a device has gone round by itself.
    pub(super) goes_round: bool,
}

#[derive(Debug)]
struct Known {
    /// By parameter. They are not kept: who asks has them.
    memories: Box<[Option<Weak<dyn DeviceMemory>>]>,
    values: Values,
    prepared: Phases,
}

/// The memories of a launch, by parameter.
type Memories = [Option<Arc<dyn DeviceMemory>>];

impl Known {
    /// Whether it is for these memories, one for each parameter.
    fn is_for<'m>(
        &self,
        mut memories: impl Iterator<Item = Option<&'m Arc<dyn DeviceMemory>>>,
    ) -> bool {
        let mut known = self.memories.iter();
        known.all(|known| match (known, memories.next()) {
            (Some(known), Some(Some(memory))) => {
                std::ptr::addr_eq(known.as_ptr(), &raw const **memory)
            }
            (None, Some(None)) => true,
            _ => false,
        })
    }
}

impl Ready {
    /// What is ready for these memories and values.
    #[inline]
    pub(super) fn find(&mut self, memories: &Memories, values: &Values) -> Option<Phases> {
        let is_for = |known: &&Known| {
            known.values == *values && known.is_for(memories.iter().map(Option::as_ref))
        };
        let known = self.known.iter().find(is_for)?;
        if self.n_new > FIRST {
            self.n_new -= 1;
        }
        Some(Arc::clone(&known.prepared))
    }

    /// What is ready for the only phase of a launch on these memories, which reads no cells.
    #[inline]
    pub(super) fn only<'m>(
        &self,
        memories: impl Iterator<Item = Option<&'m Arc<dyn DeviceMemory>>> + Clone,
    ) -> Option<&Arc<dyn Prepared>> {
        match &*self.known.iter().find(|known| known.is_for(memories.clone()))?.prepared {
            [prepared] => prepared.as_ref(),
            _ => None,
        }
    }

    /// Whether a launch of so many phases that is submitted, and is not ready, is to be made so: from the
    /// second time on.
    pub(super) fn is_due(&mut self, n_phases: usize) -> bool {
        self.n_new = self.n_new.saturating_add(1);
        n_phases <= MOST_PHASES && (FIRST..PATIENCE).contains(&self.n_new)
    }

    /// Keeps what was made for the phases of a launch with these memories and values.
    pub(super) fn keep(
        &mut self,
        (memories, values): (&Memories, Values),
        prepared: Vec<Option<Arc<dyn Prepared>>>,
    ) {
        // What was on memory that is gone does not come again.
        let is_there = |memory: &Option<Weak<dyn DeviceMemory>>| {
            memory.as_ref().is_none_or(|memory| memory.strong_count() > 0)
        };
        self.known.retain(|known| known.memories.iter().all(is_there));
        let kept = |all: &[Known]| all.iter().map(|known| known.prepared.len()).sum::<usize>();
        while self.known.len() == MOST || kept(&self.known) + prepared.len() > MOST_PHASES {
            self.known.remove(0);
        }
        let memories = memories.iter().map(|memory| memory.as_ref().map(Arc::downgrade)).collect();
        self.known.push(Known { memories, values, prepared: prepared.into() });
    }
}

/// What a backend has made of a launch; one that it refuses goes on as it did.
pub(super) fn made(
    prepared: std::result::Result<Option<Arc<dyn Prepared>>, DriverError>,
) -> Option<Arc<dyn Prepared>> {
    prepared.unwrap_or_else(|error| {
        tracing::debug!(%error, "a launch is not kept ready");
        None
    })
}

impl BoundLaunch {
    /// Whether all of it but its memories, what cells give it, and where its partial results go, is the same each
    /// time. It has a memory, as that says which device it is for.
    pub(super) fn may_be_kept(&self) -> bool {
        let is_array = |param: &BoundParam| matches!(param, BoundParam::Array { .. });
        self.params.iter().any(is_array) && !self.has_scratch()
    }

    /// Whether all of it but its memories is the same each time.
    pub(super) fn is_constant(&self) -> bool {
        !self.varies() && !self.has_scratch()
    }

    /// Notes what cells give it, which the host has.
    pub(super) fn note_values(&mut self) -> Result<()> {
        if !self.cells {
            return Ok(());
        }
        self.values.clear();
        for param in &self.params {
            if let BoundParam::Cell(cell) = param {
                cell.allocation.append_element(cell.section.offset(), &mut self.values)?;
            }
        }
        Ok(())
    }

    /// Whether it has temporaries.
    pub(super) fn has_scratch(&self) -> bool {
        self.params.iter().any(|param| matches!(param, BoundParam::Scratch { .. }))
    }

    /// Whether more than its memories differs each time, temporaries or not.
    pub(super) fn varies(&self) -> bool {
        self.cells || self.reduces || self.part.is_some()
    }
}
