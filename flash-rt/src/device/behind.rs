//! Launches that a device is late with and that ran elsewhere since: what they may still write to is
//! kept until they are complete. It cancels nothing.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use super::Device;
use crate::backend::{Queue, Ticket};
use crate::entry::Outcome;
use crate::error::{DriverError, Error};
use crate::progress::{LINES, Sent, Verdict};

/// Those of one device.
#[derive(Debug, Default)]
pub(super) struct Behind(Mutex<Vec<Left>>);

/// A launch that was left to itself.
#[derive(Debug)]
struct Left {
    sent: Sent,
    outcome: Arc<Outcome>,
    /// Why.
    error: Error,
}

impl Behind {
    fn all(&self) -> MutexGuard<'_, Vec<Left>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Behind {
    fn drop(&mut self) {
        // A device that still runs them would write to what is gone.
        let left = std::mem::take(self.0.get_mut().unwrap_or_else(PoisonError::into_inner));
        left.into_iter().for_each(|left| std::mem::forget(left.outcome));
    }
}

impl Device {
    /// As [`Device::wait`], but for so long at most; whether it is complete.
    pub(crate) fn wait_for(&self, sent: &Sent, time: Duration) -> Result<bool, DriverError> {
        self.wait_as(sent, |ticket| self.backend.wait_for(self.ordinal, ticket, time))
    }

    /// Returns when all copies to the device are complete that come before an operation.
    pub(crate) fn wait_for_uploads(&self, sent: &Sent) -> Result<(), DriverError> {
        let mut clock = [0; LINES];
        clock[Queue::Up.index()] = sent.clock[Queue::Up.index()];
        let ticket = Ticket { queue: Queue::Up, number: clock[Queue::Up.index()] };
        self.wait(&Sent { ticket, clock })
    }

    /// Leaves a launch to itself that is under way and that nobody waits for any more.
    pub(crate) fn leave(&self, sent: Sent, outcome: Arc<Outcome>, error: Error) {
        self.behind.all().push(Left { sent, outcome, error });
    }

    /// Why the device is not to be given what has to be done soon: a launch that was left to itself is
    /// still under way.
    pub(crate) fn is_behind(&self) -> Option<Error> {
        let first = self.behind.all().first().map(|left| left.sent)?;
        // Who finds out that the device has failed notes it.
        let _ = self.wait_for(&first, Duration::ZERO);
        let mut all = self.behind.all();
        all.retain(|left| self.verdict(&left.sent) == Verdict::UnderWay);
        all.first().map(|left| left.error.clone())
    }
}
