//! The record in which a launch notes what went wrong: memory of the device, and where it is copied to on
//! the host. Fenced: the device writes that copy, and outcomes belong to whoever launched.
#![allow(unsafe_code, reason = "memory that the device writes until a launch is over")]

use std::sync::Arc;

use flash_ir::emit::status::{self, WORDS};
use flash_rt::entry::Outcome;

use crate::cu::{Failure, Pinned};
use crate::lines::Commands;
use crate::memory::Storage;

/// A record, of zeros on the device while nobody uses it.
#[derive(Debug)]
pub(crate) struct Record {
    pub(crate) memory: Storage,
    copy: Pinned,
}

impl Record {
    /// A record in memory of [`status::BYTES`] that is to be zero, with its copy, which has as many.
    pub(crate) fn new(memory: Storage, copy: Pinned) -> Self {
        Self { memory, copy }
    }

    /// Makes it zero before a launch, where it is new.
    pub(crate) fn begin(&self, commands: &mut Commands<'_>, is_new: bool) -> Result<(), Failure> {
        if !is_new {
            return Ok(());
        }
        commands.add(|stream| {
            // SAFETY: the memory has so many bytes, and the record is that of one launch.
            unsafe { stream.zero(self.memory.address, status::BYTES) }
        })
    }

    /// Copies it to the host after a launch.
    pub(crate) fn end(&self, commands: &mut Commands<'_>) -> Result<(), Failure> {
        commands.add(|stream| {
            // SAFETY: the copy has so many bytes, and the record is that of one launch, which keeps it
            // until it is over.
            unsafe { stream.download(self.copy.start(), self.memory.address, status::BYTES) }
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

    /// The record itself, and whether it is still of zeros.
    ///
    /// # Safety
    ///
    /// The launch and the copy of its record are over, and whoever launched has not been told so: the
    /// outcome is there until then.
    pub(crate) unsafe fn read(self) -> (Arc<Record>, bool) {
        let copy = self.record.copy.start().cast::<[u32; WORDS]>();
        // SAFETY: the device has written it, nobody else uses the record, and pinned memory starts at a
        // page.
        let words = unsafe { copy.read() };
        let is_clean = words.iter().all(|word| *word == 0);
        if !is_clean {
            // SAFETY: as the caller says.
            let outcome = unsafe { &*self.outcome };
            outcome.notes(status::read(&words));
        }
        (self.record, is_clean)
    }
}
