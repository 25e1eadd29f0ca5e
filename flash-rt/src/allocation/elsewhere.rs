//! Other memory for the host image of an array, where host tasks use the one that it is in. It says
//! nothing of what is current.
#![allow(unsafe_code, reason = "copies a host image to other memory of the host")]

use std::sync::atomic::{AtomicPtr, Ordering};

use super::{Allocation, Foreign};
use crate::host;
use crate::image::{HostMemory, Images};

impl Allocation {
    /// Lets the host image go on in other memory, with its elements if they are to be `kept`;
    /// whether it does. Borrowed memory stays, and without `kept` there are at most so many
    /// `copies`. Who uses the image goes on in the memory that it has left; no copy between memories
    /// is under way.
    pub(super) fn leave_host(&self, images: &mut Images, copies: usize, kept: bool) -> bool {
        let (Foreign::Own, Some(layout)) = (self.foreign, self.layout()) else { return false };
        let next = match images.on_host.take_free() {
            Some(next) => next,
            None if !kept && images.on_host.n_spares() + 1 >= copies => return false,
            None => match host::take(layout, true) {
                Some(new) => HostMemory { start: AtomicPtr::new(new.as_ptr()), capacity: 0 },
                None => return false,
            },
        };
        let HostMemory { start, capacity } = next;
        let next = start.into_inner();
        if kept {
            let here = self.host.load(Ordering::Acquire);
            // SAFETY: both have the bytes of all elements, which are initialised, and are apart, as
            // `next` was free or is new; nobody writes the image, as the caller is about to.
            unsafe { std::ptr::copy_nonoverlapping(here, next, layout.size()) };
        }
        // Under the lock of the images, as all that change it.
        let start = AtomicPtr::new(self.host.swap(next, Ordering::AcqRel));
        let capacity = self.capacity.swap(capacity, Ordering::AcqRel);
        images.on_host.keep(HostMemory { start, capacity });
        true
    }
}
