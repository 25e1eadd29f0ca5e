//! The images of an array in other memories, and which of them is current. It moves nothing by
//! itself: it says what has to move.

use std::any::Any;
use std::fmt;
use std::sync::Arc;

use crate::backend::Region;
use crate::error::Result;
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
    /// The memory itself, a box of the whole array.
    pub memory: Arc<dyn DeviceMemory>,
    /// Whether it is current.
    pub valid: bool,
}

/// All images of an array.
#[derive(Debug)]
pub struct Images {
    host_valid: bool,
    others: Vec<Image>,
}

impl Default for Images {
    fn default() -> Self {
        Self { host_valid: true, others: Vec::new() }
    }
}

impl Images {
    /// Whether the host's elements of a box are current.
    pub fn host_is_valid(&self, _section: &Section) -> bool {
        self.host_valid
    }

    /// The image in a memory.
    pub fn find(&self, space: MemorySpace) -> Option<&Image> {
        self.others.iter().find(|image| image.space == space)
    }

    /// Adds an image that is not current. The caller notes the number with
    /// [`Allocation::set_n_images`](crate::allocation::Allocation::set_n_images).
    pub fn add(&mut self, space: MemorySpace, memory: Arc<dyn DeviceMemory>) {
        self.others.retain(|image| image.space != space);
        self.others.push(Image { space, memory, valid: false });
    }

    /// Takes an image away, for eviction.
    pub fn remove(&mut self, space: MemorySpace) -> Option<Image> {
        let at = self.others.iter().position(|image| image.space == space)?;
        Some(self.others.swap_remove(at))
    }

    /// The number of images beside the host's.
    pub fn len(&self) -> usize {
        self.others.len()
    }

    /// Whether there is none beside the host's.
    pub fn is_empty(&self) -> bool {
        self.others.is_empty()
    }

    /// A current image beside the host's for a box.
    pub fn source(&self, _section: &Section) -> Option<&Image> {
        self.others.iter().find(|image| image.valid)
    }

    /// The host now holds the current elements of a box, as others may too.
    pub fn host_received(&mut self, _section: &Section) {
        self.host_valid = true;
    }

    /// A memory now holds the current elements of a box, as others may too.
    pub fn received(&mut self, space: MemorySpace, _section: &Section) {
        if let Some(image) = self.others.iter_mut().find(|image| image.space == space) {
            image.valid = true;
        }
    }

    /// The host alone now holds the current elements of a box.
    pub fn host_wrote(&mut self, _section: &Section) {
        self.host_valid = true;
        for image in &mut self.others {
            image.valid = false;
        }
    }

    /// A memory alone now holds the current elements of a box.
    pub fn wrote(&mut self, space: MemorySpace, _section: &Section) {
        self.host_valid = false;
        for image in &mut self.others {
            image.valid = image.space == space;
        }
    }
}
