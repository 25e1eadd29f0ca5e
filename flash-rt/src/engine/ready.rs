//! Launches that backends keep ready, by the memories that they run on: a launch that comes again and
//! finds its arrays where they were is submitted as it is. It starts none of them.

use std::sync::{Arc, Weak};

use super::bind::{BoundLaunch, BoundParam};
use crate::backend::Prepared;
use crate::error::DriverError;
use crate::image::DeviceMemory;

/// So many are kept of a launch: arrays that are exchanged, or take turns in memory, come round.
const MOST: usize = 8;

/// So often a launch is made ready; beyond, its memories are others each time.
const PATIENCE: u32 = 32;

/// So many phases are kept of a launch, with all its memories.
const MOST_PHASES: usize = 1 << 14;

/// What is ready for each phase of a launch; nothing where the backend keeps nothing.
pub(super) type Phases = Arc<[Option<Arc<dyn Prepared>>]>;

/// What is kept of a launch.
#[derive(Debug, Default)]
pub(crate) struct Ready {
    /// How often it was submitted without being ready.
    n_new: u32,
    known: Vec<Known>,
    /// Whether it is the first one of a loop that a device has gone round by itself.
    pub(super) goes_round: bool,
}

#[derive(Debug)]
struct Known {
    /// By parameter. They are not kept: who asks has them.
    memories: Box<[Option<Weak<dyn DeviceMemory>>]>,
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
    /// What is ready for these memories.
    #[inline]
    pub(super) fn find(&self, memories: &Memories) -> Option<Phases> {
        let is_for = |known: &&Known| known.is_for(memories.iter().map(Option::as_ref));
        Some(Arc::clone(&self.known.iter().find(is_for)?.prepared))
    }

    /// What is ready for the only phase of a launch on these memories.
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
        n_phases <= MOST_PHASES && (2..PATIENCE).contains(&self.n_new)
    }

    /// Keeps what was made for the phases of a launch on these memories.
    pub(super) fn keep(&mut self, memories: &Memories, prepared: Vec<Option<Arc<dyn Prepared>>>) {
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
        self.known.push(Known { memories, prepared: prepared.into() });
    }
}

/// What a backend has made of a launch; one that it refuses goes on as it did.
pub(super) fn made(
    prepared: Result<Option<Arc<dyn Prepared>>, DriverError>,
) -> Option<Arc<dyn Prepared>> {
    prepared.unwrap_or_else(|error| {
        tracing::debug!(%error, "a launch is not kept ready");
        None
    })
}

impl BoundLaunch {
    /// Whether all of it but its memories, and where its partial results go, is the same each time. It has a
    /// memory, as that says which device it is for.
    pub(super) fn may_be_kept(&self) -> bool {
        let is_array = |param: &BoundParam| matches!(param, BoundParam::Array { .. });
        let has_memory = self.params.iter().any(is_array);
        has_memory && !self.cells && self.part.is_none() && !self.has_scratch()
    }

    /// Whether all of it but its memories is the same each time.
    pub(super) fn is_constant(&self) -> bool {
        !self.varies() && !self.has_scratch()
    }

    fn has_scratch(&self) -> bool {
        self.params.iter().any(|param| matches!(param, BoundParam::Scratch { .. }))
    }

    /// Whether more than its memories differs each time, temporaries or not.
    pub(super) fn varies(&self) -> bool {
        self.cells || self.reduces || self.part.is_some()
    }
}
