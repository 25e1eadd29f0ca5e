//! Whether an image may leave its memory, and what has to be brought away before; and what becomes of
//! the images where a launch is left to itself. It brings nothing.

use std::sync::Arc;

use super::{DeviceMemory, Images, MemorySpace, Usage, Use, Watch};
use crate::progress::Sent;
use crate::ranges::Ranges;
use crate::section::Section;

impl Images {
    /// How many memories an image takes turns in now.
    pub(crate) fn memories(&self, space: MemorySpace) -> usize {
        self.find(space).map_or(0, |image| 1 + image.spares.len())
    }

    /// The most of them that any image takes.
    pub(crate) fn most_memories(&self) -> usize {
        self.others.iter().map(|image| 1 + image.spares.len()).max().unwrap_or(0)
    }

    /// The elements that are current in a memory and in none that is left without it.
    pub(crate) fn only_in(&self, space: MemorySpace) -> Ranges {
        let Some(image) = self.find(space) else { return Ranges::default() };
        let others = self.others.iter().filter(|other| other.space != space);
        let others = others.filter(|other| other.memory.lost().is_none()).map(|other| &other.valid);
        let mut only = image.valid.clone();
        for elsewhere in std::iter::once(&self.host).chain(others) {
            elsewhere.iter().for_each(|range| only.remove(&Section::of_range(&range)));
        }
        only
    }

    /// An operation under way on an image, or one elsewhere after whose failure the image would be
    /// the one to go by again; and its device.
    pub(crate) fn depends_on(&self, space: MemorySpace) -> Option<(Arc<dyn Watch>, Sent)> {
        let depends = |known: &&Use| {
            known.space == space
                || known.to.as_ref().is_some_and(|(to, _)| *to == space)
                || known.was.iter().any(|(was, _)| *was == Some(space))
        };
        let found = self.live().rev().find(depends)?;
        Some((found.memory.watch(), found.sent))
    }

    /// Keeps an image, or the host's for `None`, where it is until [`Images::unpin`].
    pub(crate) fn pin(&mut self, space: Option<MemorySpace>) {
        match space {
            None => self.host_pins += 1,
            Some(space) => self.pins(space).into_iter().for_each(|pins| *pins += 1),
        }
    }

    /// Undoes one [`Images::pin`].
    pub(crate) fn unpin(&mut self, space: Option<MemorySpace>) {
        match space {
            None => self.host_pins = self.host_pins.saturating_sub(1),
            Some(space) => {
                self.pins(space).into_iter().for_each(|pins| *pins = pins.saturating_sub(1));
            }
        }
    }

    /// Whether an image may leave: nobody uses it, nor the host's if something has to be brought to
    /// that.
    pub(crate) fn may_leave(&self, space: MemorySpace) -> bool {
        self.find(space).is_some_and(|image| image.pins == 0)
            && (self.host_pins == 0 || self.only_in(space).is_empty())
    }

    /// Whether an image may leave once launches that use the host's have ended.
    pub(crate) fn may_leave_later(&self, space: MemorySpace) -> bool {
        self.on_host.n_launches > 0 && self.find(space).is_some_and(|image| image.pins == 0)
    }

    /// Elements are current again in a memory, if the image is still in it, and no longer on the host.
    pub(crate) fn unfill(
        &mut self,
        (space, memory): (MemorySpace, &Arc<dyn DeviceMemory>),
        had: &Ranges,
    ) {
        let is_here = |image: &&mut super::Image| {
            image.space == space && Arc::ptr_eq(&image.memory, memory) && memory.lost().is_none()
        };
        if let Some(image) = self.others.iter_mut().find(is_here) {
            image.valid.extend(had);
            had.iter().for_each(|range| self.host.remove(&Section::of_range(&range)));
        }
    }

    /// Whether the host has all that is current in a memory, if there is an image.
    pub(crate) fn is_clean(&self, space: MemorySpace) -> Option<bool> {
        let valid = &self.find(space)?.valid;
        Some(self.host.common(valid).n_elems() == valid.n_elems())
    }

    /// Whether a launch that is under way in a memory, and reads and writes a box there, could run in
    /// another one: the elements of the box are somewhere else as they were before.
    pub(crate) fn could_run_elsewhere(
        &self,
        space: MemorySpace,
        sent: &Sent,
        section: &Section,
    ) -> bool {
        let is_it = |known: &&Use| {
            known.space == space && known.sent == *sent && known.usage == Usage::Write
        };
        let Some(known) = self.live().find(is_it) else { return false };
        let mut missing = Ranges::of(section);
        for (was, ranges) in &known.was {
            let is_there = was.is_none_or(|was| {
                self.find(was).is_some_and(|image| image.memory.lost().is_none())
            });
            if is_there {
                ranges.iter().for_each(|range| missing.remove(&Section::of_range(&range)));
            }
        }
        missing.is_empty()
    }

    /// Takes back what a launch noted that is under way and will run in another memory. Who uses the
    /// memory that it is in still comes after it.
    pub(crate) fn leave(&mut self, space: MemorySpace, sent: &Sent) {
        for k in (0..self.uses.len()).rev() {
            let known = &mut self.uses[k];
            if known.is_gone || known.space != space || known.sent != *sent {
                continue;
            }
            known.is_left = true;
            known.outcome = None;
            let (section, usage) = (known.section, known.usage);
            let (was, moved_from) = (std::mem::take(&mut known.was), known.moved_from.take());
            if usage == Usage::Write {
                self.move_back(space, moved_from);
                self.restore(&was);
                self.gave_up(space, &section);
            }
        }
    }

    fn pins(&mut self, space: MemorySpace) -> Option<&mut usize> {
        self.others.iter_mut().find(|image| image.space == space).map(|image| &mut image.pins)
    }
}
