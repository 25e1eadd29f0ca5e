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

/// Bytes of a short slot, for partial results, and how many of these there may be: as many as phases of a
/// launch may be under way.
const SHORT: usize = 4 << 10;
const MOST_SHORT: usize = 1 << 10;

/// So many slots one array of bytes is brought in at most.
const MOST_FILLED: usize = 16;

/// Slots that nobody uses.
#[derive(Debug)]
pub(crate) struct Slots {
    bytes: usize,
    kept: usize,
    free: Mutex<Free>,
}

#[derive(Debug, Default)]
struct Free {
    slots: Vec<Pinned>,
    /// How many are in use.
    used: usize,
}

/// A slot of one copy.
#[derive(Debug)]
pub(crate) struct Slot {
    memory: Option<Pinned>,
    of: Arc<Slots>,
}

impl Slots {
    /// For copies of up to [`SLOT`] bytes.
    pub(crate) fn new() -> Arc<Self> {
        Arc::new(Self { bytes: SLOT as usize, kept: KEPT, free: Mutex::default() })
    }

    /// For what is shorter, of which more is under way.
    pub(crate) fn short() -> Arc<Self> {
        Arc::new(Self { bytes: SHORT, kept: MOST_SHORT, free: Mutex::default() })
    }

    /// A slot in a context.
    pub(crate) fn take(self: &Arc<Self>, context: &Arc<Context>) -> Result<Slot, Failure> {
        let mut free = self.free.lock().unwrap_or_else(PoisonError::into_inner);
        self.take_of(&mut free, context)
    }

    /// The same, unless as many as are kept are in use.
    fn take_kept(self: &Arc<Self>, context: &Arc<Context>) -> Result<Option<Slot>, Failure> {
        let mut free = self.free.lock().unwrap_or_else(PoisonError::into_inner);
        let is_there = free.used < self.kept;
        is_there.then(|| self.take_of(&mut free, context)).transpose()
    }

    /// Slots with these bytes, each with how many of them; none where that are too many.
    pub(crate) fn filled(
        self: &Arc<Self>,
        context: &Arc<Context>,
        bytes: &[u8],
    ) -> Result<Vec<(Slot, usize)>, Failure> {
        let mut all = Vec::new();
        if bytes.len() > MOST_FILLED * self.bytes {
            return Ok(all);
        }
        // Slots are memory of the context.
        let _in_use = context.keep().ok_or(Failure::gone("memory"))?;
        for piece in bytes.chunks(self.bytes) {
            let Some(slot) = self.take_kept(context)? else { return Ok(Vec::new()) };
            // SAFETY: a piece is no longer than a slot, and its bytes can be read.
            unsafe { slot.fill(piece.as_ptr(), &Region::row(0, piece.len() as u64)) };
            all.push((slot, piece.len()));
        }
        Ok(all)
    }

    fn take_of(self: &Arc<Self>, free: &mut Free, context: &Arc<Context>) -> Result<Slot, Failure> {
        // Those of a context that is gone went with it.
        free.slots.retain(|memory| Arc::ptr_eq(memory.context(), context));
        let memory = match free.slots.pop() {
            Some(memory) => memory,
            None => Pinned::new(context, self.bytes)?,
        };
        free.used += 1;
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
        let mut free = self.of.free.lock().unwrap_or_else(PoisonError::into_inner);
        free.used = free.used.saturating_sub(1);
        // Another time there may be pinned memory again.
        if free.slots.len() < self.of.kept && memory.is_pinned() {
            free.slots.push(memory);
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

/// The bytes of a piece of a row, and what brings them to the host.
pub(crate) type Piece = (Range<usize>, Landing);

// SAFETY: the pointer is followed under the promise of `land`, from any thread.
unsafe impl Send for Landing {}

impl Landing {
    /// For the runs of a region of `dst`, of at most [`SLOT`] bytes.
    pub(crate) fn new(slot: Slot, dst: *mut u8, region: Region) -> Self {
        Self { slot, dst, region }
    }

    /// For so many bytes of `dst` in a row, piece after piece; those of each are told too. Nothing where too
    /// many slots are in use: a copy that is waited for lets them become free.
    pub(crate) fn of_row(
        ([short, slots], context): ([&Arc<Slots>; 2], &Arc<Context>),
        dst: *mut u8,
        bytes: usize,
    ) -> Result<Option<Vec<Piece>>, Failure> {
        let slots = if bytes <= short.bytes { short } else { slots };
        let piece = |at: usize| {
            let of = at..(at + slots.bytes).min(bytes);
            let region = Region::row(0, of.len() as u64);
            let slot = slots.take_kept(context)?;
            Ok(slot.map(|slot| (of, Self::new(slot, dst.wrapping_add(at), region))))
        };
        (0..bytes).step_by(slots.bytes).map(piece).collect()
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
