//! Memory that can hold an image, as those see it who move elements. It does not know what is current.

use std::any::Any;
use std::fmt;
use std::ops::Range;
use std::sync::Arc;

use super::watch::{Complete, Watch};
use crate::backend::Region;
use crate::device::{Lent, Order, Staying};
use crate::error::{Error, Result};
use crate::progress::{Sent, Verdict};

/// Memory that can hold an image, as guards and `get` see it. Implemented over a backend's memory.
pub trait DeviceMemory: fmt::Debug + Send + Sync + 'static {
    /// The bytes of the array that it has room for; regions of copies are those of the array.
    fn window(&self) -> Range<u64> {
        0..u64::MAX
    }

    /// Submits a copy to the host.
    ///
    /// # Errors
    ///
    /// The driver's, as [`Error::Driver`]; why is a question to [`DeviceMemory::refused`].
    fn download(&self, from: Region, dst: Lent, to: Region, order: &Order) -> Result<Sent>;

    /// Submits a copy from the host.
    ///
    /// # Errors
    ///
    /// As [`DeviceMemory::download`].
    fn upload(&self, to: Region, src: Lent, from: Region, order: &Order) -> Result<Sent>;

    /// Whether elements can go from it to another memory without the host.
    fn is_peer(&self, other: &dyn DeviceMemory) -> bool {
        let _ = other;
        false
    }

    /// Submits a copy of a region to the same one of a [peer](DeviceMemory::is_peer), as an operation of
    /// its own device; `None` for a memory that is none.
    ///
    /// # Errors
    ///
    /// As [`DeviceMemory::download`].
    fn peer_copy(
        &self,
        dst: &dyn DeviceMemory,
        region: Region,
        order: &Order,
    ) -> Result<Option<Sent>> {
        let _ = (dst, region, order);
        Ok(None)
    }

    /// Submits that bytes become zero.
    ///
    /// # Errors
    ///
    /// As [`DeviceMemory::download`].
    fn zero(&self, to: Region, order: &Order) -> Result<Sent>;

    /// Tells its device that memory of the host with an array stays where it is until it goes.
    fn stays(&self, memory: Staying) {
        let _ = memory;
    }

    /// Why a copy was not submitted, which may be that something of its device has failed: this
    /// waits for what is under way there, so under no lock.
    fn refused(&self, error: Error) -> Error {
        error
    }

    /// How often what was under way on its device was given up.
    fn epoch(&self) -> u64 {
        0
    }

    /// What is known of an operation of its device.
    fn verdict(&self, sent: &Sent) -> Verdict {
        let _ = sent;
        Verdict::Done
    }

    /// Whom to ask about its operations.
    fn watch(&self) -> Arc<dyn Watch> {
        Arc::new(Complete)
    }

    /// How many memories an image may take turns in.
    fn copies(&self) -> usize {
        1
    }

    /// As much memory again, of the same device.
    ///
    /// # Errors
    ///
    /// Where there is none.
    fn another(&self) -> Result<Arc<dyn DeviceMemory>> {
        Err(Error::host_is_full(0))
    }

    /// Why nothing can be read from it any more, if so: its device is lost.
    fn lost(&self) -> Option<Error> {
        self.watch().lost()
    }

    /// For the backend that made it.
    fn as_any(&self) -> &dyn Any;
}
