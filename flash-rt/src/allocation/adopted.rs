//! Arrays whose image on a device is memory that somebody else has made. It stays there: nothing takes
//! its place, and nobody makes room by it.
#![allow(unsafe_code, reason = "takes memory that somebody else vouches for")]

use std::sync::Arc;

use super::{Adopted, Allocation};
use crate::backend::DynMemory;
use crate::buffer::{Buffer, IntoShape};
use crate::device::{Device, DeviceImage};
use crate::error::{Error, Result};
use crate::pod::Pod;
use crate::section::Section;

impl<T: Pod, const D: usize> Buffer<T, D> {
    /// An array whose elements are in memory of a device that somebody else has made, at its start;
    /// backends have functions for what users have. Kernels may write it if it `is_written`.
    ///
    /// # Safety
    ///
    /// The memory is one of this device and has room for the elements, which are initialised. Until the
    /// array is gone nobody uses it but by operations that come before or after those of pipelines that
    /// use the array, and nobody else writes it.
    ///
    /// # Errors
    ///
    /// [`Error::Adopt`] for a device without memory of its own, [`Error::TooLarge`].
    pub unsafe fn adopt(
        device: &Arc<Device>,
        memory: DynMemory,
        shape: impl IntoShape<D>,
        is_written: bool,
    ) -> Result<Self> {
        let shape = shape.into_shape();
        let Some(space) = device.space() else {
            return Err(Error::Adopt {
                what: "memory of a device".to_owned(),
                why: format!("`{}` uses the host's memory; lend it a slice", device.name()),
            });
        };
        let mut allocation = Allocation::zeros::<T>(&shape);
        allocation.check()?;
        allocation.adopted = if is_written { Adopted::Yes } else { Adopted::ReadOnly };
        let image = Arc::new(DeviceImage::adopted(memory, device));
        allocation.add_image(space, image);
        let mut images = allocation.images();
        images.wrote(space, &Section::whole(&[allocation.len()]));
        // Nobody undoes it, so that the image stays.
        images.pin(Some(space));
        drop(images);
        Ok(Self::over(allocation, shape))
    }
}
