//! Arrays whose elements nobody has given a value. They are zeros in every memory, so that nothing shown
//! to a body or the host is without a value, but nothing is copied for them, and who reads one is warned
//! of, once. It does not say which elements these are: that is for the images.

use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use super::Allocation;
use super::transfer::Epochs;
use crate::descriptor::ParamDescriptor;
use crate::device::Order;
use crate::error::{Result, Site};
use crate::image::{DeviceMemory, MemorySpace, Usage, Use};
use crate::pod::Pod;
use crate::progress::Clock;
use crate::section::Section;

/// Who reads elements.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Reader {
    /// A kernel, by the name of an argument.
    Kernel(&'static str, &'static str),
    /// A host task, by the name of an argument.
    Task(&'static str, &'static str),
    /// The host, by what it was asked for.
    Host(&'static str),
}

impl Allocation {
    /// An array that somebody is to fill.
    pub(crate) fn unwritten<T: Pod>(shape: &[usize]) -> Self {
        let mut allocation = Self::zeros::<T>(shape);
        let len = allocation.len;
        let images = allocation.images.get_mut();
        let images = images.unwrap_or_else(std::sync::PoisonError::into_inner);
        images.begin_unwritten(len);
        let n_known = images.n_known();
        allocation.counts.note_images(n_known);
        allocation
    }

    /// Notes that a launch binds a box to a parameter. What is written by some of the items is brought for
    /// the others, but not read.
    #[inline]
    pub(crate) fn note_parameter(
        &self,
        section: &Section,
        (kernel, param): (&'static str, &ParamDescriptor),
    ) {
        if param.role.reads() {
            self.note_reader(section, Reader::Kernel(kernel, param.name));
        }
    }

    /// Notes who reads the elements of a box, for a warning if nobody has written one of them.
    #[inline]
    pub(crate) fn note_reader(&self, section: &Section, reader: Reader) {
        if self.has_images() {
            self.warn_reader(section, reader);
        }
    }

    #[cold]
    fn warn_reader(&self, section: &Section, reader: Reader) {
        let n = self.images().unwritten(section).n_elems();
        // Relaxed: nothing else depends on it.
        if n == 0 || self.has_warned.swap(true, Ordering::Relaxed) {
            return;
        }
        let why = "reads elements that nobody has written, which are zeros; write them before, or say \
                   so with `Buffer::zeros`";
        match reader {
            Reader::Kernel(kernel, argument) => {
                tracing::warn!(kernel, argument, elements = n, "{why}")
            }
            Reader::Task(task, argument) => tracing::warn!(task, argument, elements = n, "{why}"),
            Reader::Host(call) => tracing::warn!(call, elements = n, "{why}"),
        }
    }

    /// Says so where nobody has written what is to be moved. It is no reader: who reads it later is warned
    /// of.
    #[inline]
    pub(crate) fn note_move(&self, section: &Section, (to, site): (&str, Site)) {
        if self.has_images() && self.images().unwritten(section).n_elems() == section.len() {
            let (elements, elem) = (section.len(), self.elem.ty);
            tracing::debug!(to, %site, elements, %elem, "nobody has written what is moved, so nothing is copied");
        }
    }

    /// Makes elements that nobody has written zeros in a memory.
    pub(super) fn zero_there(
        &self,
        (space, memory): (MemorySpace, &Arc<dyn DeviceMemory>),
        memories: &Epochs,
        range: &Range<usize>,
    ) -> Result<()> {
        let part = Section::of_range(range);
        let mut images = self.images();
        let Some(epoch) = memories.epoch(space) else { return Ok(()) };
        let mut order = Order { epoch, after: Clock::default() };
        images.after(space, &part, true, &mut order.after);
        let (_, region, _) = self.regions(range);
        match memory.zero(region, &order) {
            Ok(sent) => {
                crate::device::elided();
                images.received(space, &part);
                images.add_use(Use::new((space, memory), sent, part, Usage::Upload));
                Ok(())
            }
            Err(error) => {
                drop(images);
                match memory.refused(error) {
                    error if error.is_given_up() => Ok(()),
                    error => Err(error),
                }
            }
        }
    }
}
