//! Arrays that a host task fills: what was there is not brought for it, and is again what it was where it
//! still is if the task fails. It waits for what makes it only.

use std::sync::{Arc, Weak};

use super::Allocation;
use crate::error::Result;
use crate::image::{DeviceMemory, MemorySpace};
use crate::ranges::Ranges;
use crate::section::Section;

/// Elements that only other memories had when a host task began to fill them.
#[derive(Debug)]
pub(crate) struct Filled(Vec<(MemorySpace, Weak<dyn DeviceMemory>, Ranges)>);

impl Allocation {
    /// Returns when no launch under way makes elements of a box, which the caller holds for writing: if
    /// one fails, it says so before they are overwritten here.
    ///
    /// # Errors
    ///
    /// What those launches say.
    pub(crate) fn await_made(&self, section: &Section) -> Result<()> {
        while self.has_images() {
            let images = self.images();
            images.check(section, true)?;
            let mut others = images.others().iter();
            let made = others.find_map(|image| {
                Some((image.memory.watch(), images.in_the_making(image.space, section)?))
            });
            let Some((watch, sent)) = made else { break };
            drop(images);
            Self::await_sent(&*watch, &sent)?;
        }
        Ok(())
    }

    /// Notes that the host is about to write all elements of a box, of which nothing was brought; what
    /// other memories alone had of them.
    pub(crate) fn fill(&self, section: &Section) -> Option<Filled> {
        if !self.has_images() {
            return None;
        }
        let mut images = self.images();
        let missing = images.missing_on_host(section);
        let mut old = Vec::new();
        if !missing.is_empty() {
            crate::device::elided();
            for image in images.others() {
                let had = image.valid.common(&missing);
                if !had.is_empty() {
                    old.push((image.space, Arc::downgrade(&image.memory), had));
                }
            }
        }
        images.host_wrote(section);
        self.count(&images);
        (!old.is_empty()).then_some(Filled(old))
    }

    /// After the writer has failed: these elements are again what they are where they still are.
    #[cold]
    pub(crate) fn unfill(&self, filled: Filled) {
        let mut images = self.images();
        for (space, memory, had) in filled.0 {
            if let Some(memory) = memory.upgrade() {
                images.unfill((space, &memory), &had);
            }
        }
    }
}
