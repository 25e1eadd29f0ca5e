//! Launches that a backend keeps ready. It does not say which ones are worth it.
#![allow(unsafe_code, reason = "launches trust what was validated above them")]

use std::any::Any;
use std::fmt;
use std::sync::Arc;

use super::Ticket;
use crate::entry::{Outcome, Slot};
use crate::error::DriverError;

/// A launch with all that a backend has worked out of it: kernel, items, arguments and memories are
/// those that [`Backend::prepare`](super::Backend::prepare) was given. Only the outcome is another one each time,
/// and where on the host partial results go.
pub trait Prepared: Any + fmt::Debug + Send + Sync + 'static {
    /// Whether it may note anything in its outcome.
    fn notes(&self) -> bool;

    /// Submits it to compute queue number `queue` of the device that it is for. Where there is `more`, the
    /// caller is about to submit another launch to the device, so a backend may begin both at once. It
    /// begins what it has held back whatever else it is asked of the device. Of the slots only those of
    /// partial results are looked at; who knows that it does not reduce needs to give none.
    ///
    /// # Safety
    ///
    /// As for [`Backend::launch`](super::Backend::launch) with the launch that it was made from; the
    /// memories of that are the same ones, and have not been given back. What its slots of values point
    /// to need not be there any more; those of partial results are as for that.
    ///
    /// # Errors
    ///
    /// The driver's; nothing was submitted then.
    unsafe fn submit(
        self: Arc<Self>,
        queue: u8,
        slots: &[Slot],
        outcome: &Outcome,
        after: &[Ticket],
        more: bool,
    ) -> Result<Ticket, DriverError>;
}
