//! Copies from an image to that of another device: from where elements can come without the host, and
//! what has to be waited for. It submits nothing.

use std::ops::Range;
use std::sync::Arc;

use super::{DeviceMemory, Image, Images, MemorySpace, Usage, Use, Watch};
use crate::progress::Sent;
use crate::ranges::Ranges;
use crate::section::Section;

impl Images {
    /// From where some of the elements that a memory lacks can come to it without the host: the image,
    /// and which of them.
    pub(crate) fn peer_of(
        &self,
        (space, memory): (MemorySpace, &Arc<dyn DeviceMemory>),
        missing: &Ranges,
    ) -> Option<(&Image, Range<usize>)> {
        self.others.iter().filter(|image| image.space != space).find_map(|image| {
            let range = image.valid.common(missing).iter().next()?;
            let can_come = image.memory.lost().is_none() && image.memory.is_peer(&**memory);
            can_come.then_some((image, range))
        })
    }

    /// The copies under way that bring elements of a box to a memory from other devices.
    fn coming(&self, space: MemorySpace, section: &Section) -> impl Iterator<Item = &Use> {
        self.live().filter(move |known| {
            known.to.as_ref().is_some_and(|(to, _)| *to == space) && known.section.overlaps(section)
        })
    }

    /// One of those copies.
    pub(crate) fn on_its_way(
        &self,
        space: MemorySpace,
        section: &Section,
    ) -> Option<(Arc<dyn Watch>, Sent)> {
        self.coming(space, section).next().map(|known| (known.memory.watch(), known.sent))
    }

    /// The elements of a box that only other devices have, and that are not under way from there either.
    pub(crate) fn not_coming(&self, space: MemorySpace, section: &Section) -> Ranges {
        let mut left = self.only_elsewhere(Some(space), section);
        self.coming(space, section).for_each(|known| left.remove(&known.section));
        left
    }

    /// An operation under way that uses elements of an image, other than copies to it that come from
    /// other devices.
    pub(crate) fn in_the_way_there(
        &self,
        space: MemorySpace,
        section: &Section,
    ) -> Option<(Arc<dyn Watch>, Sent)> {
        let image = self.find(space)?;
        let is_there = |known: &&Use| {
            Arc::ptr_eq(&known.memory, &image.memory) && known.section.overlaps(section)
        };
        self.live().find(is_there).map(|known| (known.memory.watch(), known.sent))
    }

    /// The elements of a copy between devices are there, if the image is still in that memory.
    pub(super) fn arrived(&mut self, done: &Use) {
        let Some((space, memory)) = done.to.as_ref().filter(|_| done.usage == Usage::Peer) else {
            return;
        };
        let is_there =
            |image: &&mut Image| image.space == *space && Arc::ptr_eq(&image.memory, memory);
        if let Some(image) = self.others.iter_mut().find(is_there) {
            image.valid.add(&done.section);
        }
    }
}
