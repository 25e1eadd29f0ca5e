//! The images of an array in other memories, and which of them is current. It moves nothing by
//! itself: it says what has to move.

use std::any::Any;
use std::fmt;
use std::sync::Arc;

use crate::backend::Region;
use crate::error::Result;
use crate::ranges::Ranges;
use crate::section::Section;

/// A memory other than the host's: a number that the registry gives to each device with its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct MemorySpace(pub u32);

/// Memory that can hold an image, as guards and `get` see it. Implemented over a backend's memory.
pub trait DeviceMemory: fmt::Debug + Send + Sync + 'static {
    /// Copies to the host after everything submitted to the device before; complete on return.
    ///
    /// # Errors
    ///
    /// The driver's, as [`Error::Driver`](crate::Error::Driver).
    fn download(&self, from: Region, dst: &mut [u8], to: Region) -> Result<()>;

    /// Copies from the host; `src` may be reused when the call returns.
    ///
    /// # Errors
    ///
    /// The driver's.
    fn upload(&self, to: Region, src: &[u8], from: Region) -> Result<()>;

    /// For the backend that made it.
    fn as_any(&self) -> &dyn Any;
}

/// An image.
#[derive(Clone, Debug)]
pub struct Image {
    /// Which memory.
    pub space: MemorySpace,
    /// The memory itself, for the whole array.
    pub memory: Arc<dyn DeviceMemory>,
    /// Which of its elements are current.
    pub valid: Ranges,
}

/// All images of an array. Each element is current in at least one of them.
#[derive(Debug, Default)]
pub struct Images {
    /// Which elements of the host image are current. All of them while there is no other image,
    /// whatever this says.
    host: Ranges,
    others: Vec<Image>,
}

impl Images {
    /// Whether the host's elements of a box are current.
    pub fn host_is_valid(&self, section: &Section) -> bool {
        self.others.is_empty() || self.host.covers(section)
    }

    /// Whether the elements of a box are current in a memory.
    pub fn is_valid(&self, space: MemorySpace, section: &Section) -> bool {
        self.find(space).is_some_and(|image| image.valid.covers(section))
    }

    /// The image in a memory.
    pub fn find(&self, space: MemorySpace) -> Option<&Image> {
        self.others.iter().find(|image| image.space == space)
    }

    /// The images beside the host's.
    pub fn others(&self) -> &[Image] {
        &self.others
    }

    /// The elements of a box that the host lacks.
    pub(crate) fn missing_on_host(&self, section: &Section) -> Ranges {
        if self.others.is_empty() { Ranges::default() } else { self.host.missing(section) }
    }

    /// The host now holds current elements too.
    pub(crate) fn host_received_ranges(&mut self, ranges: &Ranges) {
        self.host.extend(ranges);
    }

    pub(crate) fn add(&mut self, len: usize, space: MemorySpace, memory: Arc<dyn DeviceMemory>) {
        if self.others.is_empty() {
            self.host = Ranges::all(len);
        }
        self.others.push(Image { space, memory, valid: Ranges::default() });
    }

    pub(crate) fn remove(&mut self, space: MemorySpace) -> Option<Image> {
        let at = self.others.iter().position(|image| image.space == space)?;
        Some(self.others.swap_remove(at))
    }

    /// The host now holds the current elements of a box, as others may too.
    pub fn host_received(&mut self, section: &Section) {
        self.host.add(section);
    }

    /// A memory now holds the current elements of a box, as others may too.
    pub fn received(&mut self, space: MemorySpace, section: &Section) {
        if let Some(image) = self.others.iter_mut().find(|image| image.space == space) {
            image.valid.add(section);
        }
    }

    /// The host alone now holds the current elements of a box.
    pub fn host_wrote(&mut self, section: &Section) {
        self.host.add(section);
        for image in &mut self.others {
            image.valid.remove(section);
        }
    }

    /// A memory, or the host for `None`, holds the elements of a box partly overwritten. Where they
    /// were current before, they are so there alone; elsewhere nothing has happened.
    pub fn spoiled(&mut self, space: Option<MemorySpace>, section: &Section) {
        let valid = match space {
            None => Some(&self.host),
            Some(space) => self.find(space).map(|image| &image.valid),
        };
        let Some(valid) = valid else { return };
        let kept = valid.common(&Ranges::of(section));
        for range in kept.iter() {
            let part = Section::of_range(&range);
            match space {
                None => self.host_wrote(&part),
                Some(space) => self.wrote(space, &part),
            }
        }
    }

    /// A memory alone now holds the current elements of a box.
    pub fn wrote(&mut self, space: MemorySpace, section: &Section) {
        if self.find(space).is_none() {
            return;
        }
        self.host.remove(section);
        for image in &mut self.others {
            if image.space == space {
                image.valid.add(section);
            } else {
                image.valid.remove(section);
            }
        }
    }
}

#[cfg(test)]
mod tests;
