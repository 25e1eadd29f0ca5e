//! The record in which a launch notes what went wrong: memory of the device, and where it is copied to on
//! the host. Fenced: the device writes that copy, and outcomes belong to whoever launched.
#![allow(unsafe_code, reason = "memory that the device writes until a launch is over")]

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use flash_ir::emit::status::{self, WORDS};
use flash_rt::entry::Outcome;

use crate::cu::{Failure, Pinned, Stream};
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

/// Records of the launches of a list, side by side, of zeros on the device while nobody uses them.
#[derive(Debug)]
pub(crate) struct Records {
    memory: Storage,
    copy: Pinned,
    /// Whether they were zero once.
    is_zero: AtomicBool,
    /// How many of those of the last list nobody has found to be of zeros.
    unread: AtomicUsize,
}

impl Records {
    /// So many records in memory of so many times [`status::BYTES`], with its copy, which has as many.
    pub(crate) fn new(memory: Storage, copy: Pinned) -> Self {
        Self { memory, copy, is_zero: AtomicBool::new(false), unread: AtomicUsize::new(0) }
    }

    /// The address of a record.
    pub(crate) fn address(&self, k: usize) -> u64 {
        self.memory.address + (k * status::BYTES) as u64
    }

    /// Whether they can be used again by who is the last to have them.
    pub(crate) fn is_clean(&self) -> bool {
        self.unread.load(Ordering::Relaxed) == 0
    }

    /// Makes them zero before the first list that uses them.
    pub(crate) fn begin(&self, stream: &Stream) -> Result<(), Failure> {
        if self.is_zero.load(Ordering::Relaxed) {
            return Ok(());
        }
        // SAFETY: the memory has so many bytes, and the records are those of one list.
        unsafe { stream.zero(self.memory.address, self.memory.bytes as usize) }?;
        self.is_zero.store(true, Ordering::Relaxed);
        Ok(())
    }

    /// Copies the first ones to the host after a list.
    pub(crate) fn end(&self, stream: &Stream, n: usize) -> Result<(), Failure> {
        self.unread.store(n, Ordering::Relaxed);
        // SAFETY: the copy has so many bytes, and the records are those of one list, whose launches keep them
        // until they are over.
        unsafe { stream.download(self.copy.start(), self.memory.address, n * status::BYTES) }
    }
}

/// The record of a launch.
#[derive(Debug)]
enum Source {
    Own(Arc<Record>),
    /// One of those of a list.
    Part(Arc<Records>, usize),
}

/// A launch that has a record, and where its notes go.
#[derive(Debug)]
pub(crate) struct Noting {
    source: Source,
    outcome: Told,
}

/// Whom a launch tells what it has noted.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Told(*const Outcome);

// SAFETY: any thread may note in an outcome; the pointer is followed under the promise of `Told::tell`.
unsafe impl Send for Told {}

impl Told {
    pub(crate) fn new(outcome: &Outcome) -> Self {
        Self(std::ptr::from_ref(outcome))
    }

    /// Tells what a record has; whether that is anything.
    ///
    /// # Safety
    ///
    /// Whoever launched has not been told that the launch is over: the outcome is there until then.
    pub(crate) unsafe fn tell(self, words: &[u32; WORDS]) -> bool {
        let has_any = words.iter().any(|word| *word != 0);
        if has_any {
            // SAFETY: as the caller says.
            let outcome = unsafe { &*self.0 };
            outcome.notes(status::read(words));
        }
        has_any
    }
}

impl Noting {
    pub(crate) fn new(record: &Arc<Record>, outcome: &Outcome) -> Self {
        Self { source: Source::Own(Arc::clone(record)), outcome: Told::new(outcome) }
    }

    /// Of a launch of a list.
    pub(crate) fn of_list(records: &Arc<Records>, k: usize, outcome: Told) -> Self {
        Self { source: Source::Part(Arc::clone(records), k), outcome }
    }

    /// The record itself, where it is its own and still of zeros.
    ///
    /// # Safety
    ///
    /// The launch and the copy of its record are over, and whoever launched has not been told so: the
    /// outcome is there until then.
    pub(crate) unsafe fn read(self) -> Option<Arc<Record>> {
        let copy = match &self.source {
            Source::Own(record) => record.copy.start(),
            Source::Part(records, k) => records.copy.start().wrapping_add(k * status::BYTES),
        };
        let copy = copy.cast::<[u32; WORDS]>();
        // SAFETY: the device has written it, nobody else uses the record, and pinned memory starts at a
        // page.
        let words = unsafe { copy.read() };
        // SAFETY: as the caller says.
        let is_clean = !unsafe { self.outcome.tell(&words) };
        match self.source {
            Source::Own(record) => is_clean.then_some(record),
            Source::Part(records, _) => {
                records.unread.fetch_sub(usize::from(is_clean), Ordering::Relaxed);
                None
            }
        }
    }
}
