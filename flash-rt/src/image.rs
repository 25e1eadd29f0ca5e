//! The images of an array in other memories, and which of them is current. It moves nothing by
//! itself: it says what has to move.

use std::any::Any;
use std::fmt;
use std::sync::Arc;

use crate::backend::Region;
use crate::error::{Error, Result};
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
    /// The driver's, as [`Error::Driver`].
    fn download(&self, from: Region, dst: &mut [u8], to: Region) -> Result<()>;

    /// Copies from the host; `src` may be reused when the call returns.
    ///
    /// # Errors
    ///
    /// The driver's.
    fn upload(&self, to: Region, src: &[u8], from: Region) -> Result<()>;

    /// Why nothing can be read from it any more, if so: its device is lost.
    fn lost(&self) -> Option<Error> {
        None
    }

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
    /// How many launches and copies that are under way use it, so that it stays.
    pins: usize,
}

/// All images of an array. Each element is current in at least one of them.
#[derive(Debug, Default)]
pub struct Images {
    /// Which elements of the host image are current. All of them while there is no other image,
    /// whatever this says.
    host: Ranges,
    others: Vec<Image>,
    /// How many launches and host tasks that are under way use the host image while there are
    /// others, so that nothing is brought to it behind their back.
    host_pins: usize,
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
        self.others.push(Image { space, memory, valid: Ranges::default(), pins: 0 });
    }

    /// A launch that was to write a box of a memory failed there. Elements that are current elsewhere
    /// are so there only; others are what the launch left.
    pub(crate) fn gave_up(&mut self, space: MemorySpace, section: &Section) {
        let part = Ranges::of(section);
        let mut elsewhere = self.host.common(&part);
        for image in self.others.iter().filter(|image| image.space != space) {
            if image.memory.lost().is_none() {
                elsewhere.extend(&image.valid.common(&part));
            }
        }
        if let Some(image) = self.others.iter_mut().find(|image| image.space == space) {
            for range in elsewhere.iter() {
                image.valid.remove(&Section::of_range(&range));
            }
        }
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

    /// Whether an image may leave: nobody uses it, nor the host's, to which it would be brought.
    pub(crate) fn may_leave(&self, space: MemorySpace) -> bool {
        self.host_pins == 0 && self.find(space).is_some_and(|image| image.pins == 0)
    }

    fn pins(&mut self, space: MemorySpace) -> Option<&mut usize> {
        self.others.iter_mut().find(|image| image.space == space).map(|image| &mut image.pins)
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
