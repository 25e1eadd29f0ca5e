//! Pieces of pinned memory through which short copies go whose bytes of the host may move: the caller
//! fills one before the copy, or whoever learns that the copy is over empties it. Fenced: it copies bytes
//! that were lent.
#![allow(unsafe_code, reason = "copies bytes that were lent")]

use std::ops::Range;
use std::sync::{Arc, Mutex, PoisonError};

use flash_rt::backend::Region;
use flash_rt::offload::staging::{gather, scatter};

use crate::cu::{Context, Failure, Pinned};

/// Bytes of a slot: the longest copy that goes through one.
pub(crate) const SLOT: u64 = 64 << 10;
/// So many are kept.
const KEPT: usize = 64;

/// Slots that nobody uses.
#[derive(Debug, Default)]
pub(crate) struct Slots(Mutex<Vec<Pinned>>);

/// A slot of one copy.
#[derive(Debug)]
pub(crate) struct Slot {
    memory: Option<Pinned>,
    of: Arc<Slots>,
}

impl Slots {
    /// A slot in a context.
    pub(crate) fn take(self: &Arc<Self>, context: &Arc<Context>) -> Result<Slot, Failure> {
        let mut free = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        // Those of a context that is gone went with it.
        free.retain(|memory| Arc::ptr_eq(memory.context(), context));
        let memory = match free.pop() {
            Some(memory) => memory,
            None => Pinned::new(context, SLOT as usize)?,
        };
        Ok(Slot { memory: Some(memory), of: Arc::clone(self) })
    }
}

impl Slot {
    /// Where it starts.
    pub(crate) fn start(&self) -> *mut u8 {
        self.memory.as_ref().map_or(std::ptr::null_mut(), Pinned::start)
    }

    /// Fills it with the runs of a region, one after the other.
    ///
    /// # Safety
    ///
    /// The region has at most [`SLOT`] bytes, and those from `src` on can be read.
    pub(crate) unsafe fn fill(&self, src: *const u8, region: &Region) {
        // SAFETY: as the caller says; the slot is memory of its own that no copy uses yet.
        unsafe { gather(self.start(), src, region) };
    }

    /// The opposite of [`Slot::fill`].
    ///
    /// # Safety
    ///
    /// The region has at most [`SLOT`] bytes, and those from `dst` on can be written. No copy uses the
    /// slot any more.
    unsafe fn empty(&self, dst: *mut u8, region: &Region) {
        // SAFETY: as the caller says; the slot is memory of its own.
        unsafe { scatter(self.start(), dst, region) };
    }
}

impl Drop for Slot {
    fn drop(&mut self) {
        let Some(memory) = self.memory.take() else { return };
        let mut free = self.of.0.lock().unwrap_or_else(PoisonError::into_inner);
        if free.len() < KEPT {
            free.push(memory);
        }
    }
}

/// What is to be brought from a slot to the host when a copy to it is over.
#[derive(Debug)]
pub(crate) struct Landing {
    slot: Slot,
    dst: *mut u8,
    region: Region,
}

// SAFETY: the pointer is followed under the promise of `land`, from any thread.
unsafe impl Send for Landing {}

impl Landing {
    /// For the runs of a region of `dst`, of at most [`SLOT`] bytes.
    pub(crate) fn new(slot: Slot, dst: *mut u8, region: Region) -> Self {
        Self { slot, dst, region }
    }

    /// For so many bytes of `dst` in a row, piece after piece; those of each are told too.
    pub(crate) fn of_row(
        (slots, context): (&Arc<Slots>, &Arc<Context>),
        dst: *mut u8,
        bytes: usize,
    ) -> Result<Vec<(Range<usize>, Self)>, Failure> {
        let most = SLOT as usize;
        let piece = |at: usize| {
            let of = at..(at + most).min(bytes);
            let region = Region::row(0, of.len() as u64);
            Ok((of, Self::new(slots.take(context)?, dst.wrapping_add(at), region)))
        };
        (0..bytes).step_by(most).map(piece).collect()
    }

    /// Where the copy goes before.
    pub(crate) fn start(&self) -> *mut u8 {
        self.slot.start()
    }

    /// Brings it there.
    ///
    /// # Safety
    ///
    /// The copy is over, and whoever submitted it has not been told so: the bytes are lent until then.
    pub(crate) unsafe fn land(self) {
        // SAFETY: as the caller says.
        unsafe { self.slot.empty(self.dst, &self.region) };
    }
}
