//! Other memory for the host image of an array, or for those who read it, where host tasks use the one that
//! it is in. It says nothing of what is current.
#![allow(unsafe_code, reason = "copies a host image to other memory of the host")]

use std::sync::atomic::{AtomicPtr, Ordering};

use super::{Allocation, Foreign};
use crate::host;
use crate::image::{HostMemory, Images};
use crate::section::Section;

impl Allocation {
    /// Lets the host image go on in other memory, without its elements, none of which is current, so that
    /// nobody else is about to use one; whether it does. Borrowed memory stays, and there are at most so
    /// many `copies`. Host tasks go on in the memory that it has left; no copy between memories is under
    /// way.
    pub(super) fn leave_host(&self, images: &mut Images, copies: usize) -> bool {
        let is_there_some = images.on_host.n_spares() + 1 < copies;
        let Some(next) = self.other_memory(images, is_there_some) else { return false };
        let HostMemory { start, capacity } = next;
        let next = start.into_inner();
        // Under the lock of the images, as all that change it.
        let start = AtomicPtr::new(self.host.put(next));
        let capacity = self.capacity.swap(capacity, Ordering::AcqRel);
        images.on_host.keep(HostMemory { start, capacity });
        true
    }

    /// Gives host tasks whose turn is still to come, and that read elements of a box which the caller is
    /// about to overwrite, what they read in other memory; whether there is some. The image stays where it
    /// is, as others may use other elements of it. No copy between memories is under way.
    pub(super) fn set_apart(&self, images: &mut Images, section: &Section) -> bool {
        debug_assert!(!images.on_host.is_fed(section, self.here()), "somebody writes it");
        let Some(next) = self.other_memory(images, true) else { return false };
        let (from, to) = (self.start(), next.start.load(Ordering::Relaxed));
        for run in images.on_host.early(section, from.addr()).flat_map(Section::runs) {
            let (start, n) = (run.start * self.elem.size, run.len() * self.elem.size);
            // SAFETY: a run of a section lies in the array, whose bytes start at `from`.
            let from = unsafe { from.add(start) };
            // SAFETY: the other memory has as many bytes.
            let to = unsafe { to.add(start) };
            // SAFETY: the elements are initialised, and apart from the other memory, which nobody uses.
            // Nobody writes them: whoever would comes here first, under this lock.
            unsafe { std::ptr::copy_nonoverlapping(from, to, n) };
        }
        images.on_host.move_early(section, from.addr(), to.addr());
        images.on_host.keep(next);
        true
    }

    /// Memory for all elements that nobody uses: some that there is, or new one where that `may_be`.
    fn other_memory(&self, images: &mut Images, may_be: bool) -> Option<HostMemory> {
        let (Foreign::Own, Some(layout)) = (self.foreign, self.layout()) else { return None };
        images.on_host.take_free().or_else(|| {
            let new = may_be.then(|| host::take(layout, true))??;
            Some(HostMemory { start: AtomicPtr::new(new.as_ptr()), capacity: 0 })
        })
    }
}
