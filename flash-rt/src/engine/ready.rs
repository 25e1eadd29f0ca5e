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

/// What is kept of a launch.
#[derive(Debug, Default)]
pub(crate) struct Ready {
    /// How often it was submitted without being ready.
    n_new: u32,
    known: Vec<Known>,
}

#[derive(Debug)]
struct Known {
    /// By parameter. They are not kept: who asks has them.
    memories: Box<[Option<Weak<dyn DeviceMemory>>]>,
    /// Nothing where the backend keeps nothing.
    prepared: Option<Arc<dyn Prepared>>,
}

/// The memories of a launch, by parameter.
type Memories = [Option<Arc<dyn DeviceMemory>>];

impl Known {
    fn is_for(&self, memories: &Memories) -> bool {
        self.memories.len() == memories.len()
            && self.memories.iter().zip(memories).all(|pair| match pair {
                (Some(known), Some(memory)) => {
                    std::ptr::addr_eq(known.as_ptr(), &raw const **memory)
                }
                (None, None) => true,
                _ => false,
            })
    }
}

impl Ready {
    /// What is ready for these memories.
    #[inline]
    pub(super) fn find(&self, memories: &Memories) -> Option<Arc<dyn Prepared>> {
        self.known.iter().find(|known| known.is_for(memories))?.prepared.clone()
    }

    /// Notes that a launch was submitted that was not ready. From the second time on `prepare` makes it
    /// ready; if that fails the launch goes on as it did.
    pub(super) fn note(
        &mut self,
        memories: &Memories,
        prepare: impl FnOnce() -> Result<Option<Arc<dyn Prepared>>, DriverError>,
    ) {
        self.n_new = self.n_new.saturating_add(1);
        let is_again = (2..PATIENCE).contains(&self.n_new);
        if !is_again || self.known.iter().any(|known| known.is_for(memories)) {
            return;
        }
        let prepared = prepare().unwrap_or_else(|error| {
            tracing::debug!(%error, "a launch is not kept ready");
            None
        });
        if self.known.len() == MOST {
            self.known.remove(0);
        }
        let memories = memories.iter().map(|memory| memory.as_ref().map(Arc::downgrade)).collect();
        self.known.push(Known { memories, prepared });
    }
}

impl BoundLaunch {
    /// Whether all of it but its memories is the same each time.
    pub(super) fn is_constant(&self) -> bool {
        let is_scratch = |param: &BoundParam| matches!(param, BoundParam::Scratch { .. });
        !self.cells
            && !self.reduces
            && self.phases.is_none()
            && self.part.is_none()
            && !self.params.iter().any(is_scratch)
    }
}
