//! The record in which a launch notes what went wrong: memory of the device, and where it is copied
//! to on the host. Fenced: the driver writes that copy, and outcomes belong to whoever launched.
#![allow(unsafe_code, reason = "memory that the driver writes until a launch is over")]

use std::cell::UnsafeCell;
use std::sync::Arc;

use flash_ir::emit::status::{self, WORDS};
use flash_rt::entry::Outcome;

use crate::cl::{Failure, Queue, Waits};
use crate::memory::Storage;
use crate::operation::Commands;

/// A record, of zeros on the device while nobody uses it.
#[derive(Debug)]
pub(crate) struct Record {
    pub(crate) memory: Storage,
    copy: UnsafeCell<[u32; WORDS]>,
}

// SAFETY: the copy is written by one launch at a time and read when that is over, under the lock of
// the device's queues.
unsafe impl Sync for Record {}

impl Record {
    /// A record in this memory, which is to be zero.
    pub(crate) fn new(memory: Storage) -> Self {
        Self { memory, copy: UnsafeCell::new([0; WORDS]) }
    }

    /// Makes it zero before a launch, where it is new.
    pub(crate) fn begin(&self, commands: &mut Commands<'_>, is_new: bool) -> Result<(), Failure> {
        let zero = |queue: &Queue, waits: &Waits<'_>| {
            queue.zero(&self.memory.mem, 0, status::BYTES, waits)
        };
        if is_new { commands.add(zero) } else { Ok(()) }
    }

    /// Copies it to the host after a launch.
    pub(crate) fn end(&self, commands: &mut Commands<'_>) -> Result<(), Failure> {
        let place = self.copy.get().cast();
        commands.add(|queue, waits| {
            // SAFETY: the copy has so many bytes, and the record is that of one launch, which keeps it
            // until it is over.
            unsafe { queue.read(&self.memory.mem, 0, place, status::BYTES, waits) }
        })
    }
}

/// A launch that has a record, and where its notes go.
#[derive(Debug)]
pub(crate) struct Noting {
    record: Arc<Record>,
    outcome: *const Outcome,
}

// SAFETY: any thread may note in an outcome; the pointer is followed under the promise of `read`.
unsafe impl Send for Noting {}

impl Noting {
    pub(crate) fn new(record: &Arc<Record>, outcome: &Outcome) -> Self {
        Self { record: Arc::clone(record), outcome: std::ptr::from_ref(outcome) }
    }

    /// The record itself, and whether the launch has written to it.
    ///
    /// # Safety
    ///
    /// The launch and the copy of its record are over, and whoever launched has not been told so: the
    /// outcome is there until then.
    pub(crate) unsafe fn read(self) -> (Arc<Record>, bool) {
        // SAFETY: the driver has written it, and nobody else uses the record.
        let words = unsafe { &*self.record.copy.get() };
        let is_clean = words.iter().all(|word| *word == 0);
        if !is_clean {
            // SAFETY: as the caller says.
            let outcome = unsafe { &*self.outcome };
            outcome.notes(status::read(words));
        }
        (self.record, is_clean)
    }
}
