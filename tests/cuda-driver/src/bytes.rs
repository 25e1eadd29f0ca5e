//! Bytes that streams, kernels and copies reach at once, on the device or pinned on the host. It
//! knows no addresses of the device.
#![allow(unsafe_code, reason = "memory is shared between threads as on a device")]

use std::sync::atomic::Ordering::{Relaxed, SeqCst};
use std::sync::atomic::{AtomicU8, AtomicU16, AtomicU32, AtomicU64};

use flash_test_ptx::Region;

/// What new memory of a device holds: no number that anybody expects.
pub(crate) const POISON: u8 = 0xfe;

/// Words, so that bytes are aligned as the interpreter wants; accessed as atomics only.
#[derive(Debug)]
pub(crate) struct Bytes {
    words: Box<[AtomicU64]>,
    len: usize,
    at: usize,
}

/// Where a copy or an access finds its bytes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Place(*mut u8);

// SAFETY: a place is used by `copy`, `fill`, `load` and `store` only, whose callers keep its memory alive.
unsafe impl Send for Place {}
// SAFETY: as above.
unsafe impl Sync for Place {}

impl Bytes {
    /// New memory, filled with the poison; aligned to 64 bytes.
    pub(crate) fn new(len: usize) -> Self {
        let word = u64::from_ne_bytes([POISON; 8]);
        let words: Box<[AtomicU64]> =
            (0..len.div_ceil(8) + 8).map(|_| AtomicU64::new(word)).collect();
        Self::of(words, len)
    }

    /// New memory that is zero, of which the system has no pages before somebody touches it.
    pub(crate) fn untouched(len: usize) -> Self {
        let words = vec![0_u64; len.div_ceil(8) + 8].into_boxed_slice();
        // SAFETY: an atomic word has size, alignment and bits of a plain one, and this box is the only way to them.
        Self::of(unsafe { Box::from_raw(Box::into_raw(words) as *mut [AtomicU64]) }, len)
    }

    fn of(words: Box<[AtomicU64]>, len: usize) -> Self {
        let start = words.as_ptr() as usize;
        Self { at: start.next_multiple_of(64) - start, words, len }
    }

    pub(crate) fn len(&self) -> usize {
        self.len
    }

    /// The host's address of the first byte.
    pub(crate) fn address(&self) -> usize {
        self.words.as_ptr() as usize + self.at
    }

    /// The place of a byte; the caller has looked that it is inside.
    pub(crate) fn place(&self, offset: usize) -> Place {
        debug_assert!(offset <= self.len);
        Place(self.words.as_ptr().cast_mut().cast::<u8>().wrapping_add(self.at + offset))
    }

    /// The bytes as the interpreter reaches them at an address of the device.
    pub(crate) fn region(&self, start: u64) -> Region {
        // SAFETY: the words live as long as `self`, which whoever runs a kernel keeps; they are only
        // reached with atomics, and are aligned to 64 bytes as addresses of devices are to 256.
        unsafe { Region::new(start, self.len as u64, self.place(0).0) }
    }
}

impl Place {
    /// Memory of the host that a caller of the driver has named.
    pub(crate) fn host(pointer: *mut u8) -> Self {
        Self(pointer)
    }

    pub(crate) fn plus(self, offset: usize) -> Self {
        Self(self.0.wrapping_add(offset))
    }
}

/// Copies; both sides must be alive, as the caller has looked or was promised. They may overlap.
pub(crate) fn copy(from: Place, to: Place, len: usize) {
    // SAFETY: the caller keeps both sides alive; others that write them at the same time are a race
    // in the program under test, as it is on a device.
    unsafe { std::ptr::copy(from.0, to.0, len) };
}

/// Writes a pattern of 1, 2 or 4 bytes over and over.
pub(crate) fn fill(to: Place, pattern: &[u8], len: usize) {
    if pattern.len() == 1 {
        // SAFETY: as in `copy`.
        unsafe { std::ptr::write_bytes(to.0, pattern[0], len) };
        return;
    }
    let whole: Vec<u8> = pattern.iter().copied().cycle().take(len).collect();
    copy(Place(whole.as_ptr().cast_mut()), to, len);
}

/// Reads bytes one by one.
pub(crate) fn load(from: Place, into: &mut [u8]) {
    for (offset, byte) in into.iter_mut().enumerate() {
        // SAFETY: the caller has looked that the bytes are there and keeps them alive.
        let cell = unsafe { AtomicU8::from_ptr(from.plus(offset).0) };
        *byte = cell.load(Relaxed);
    }
}

/// Writes bytes one by one.
pub(crate) fn store(to: Place, from: &[u8]) {
    for (offset, &byte) in from.iter().enumerate() {
        // SAFETY: the caller has looked that the bytes are there and keeps them alive.
        let cell = unsafe { AtomicU8::from_ptr(to.plus(offset).0) };
        cell.store(byte, Relaxed);
    }
}

/// Replaces 2, 4 or 8 aligned bytes as one; nothing where they are not aligned. Returns what was
/// there.
pub(crate) fn update(at: Place, width: usize, update: &mut dyn FnMut(u64) -> u64) -> Option<u64> {
    if !(at.0 as usize).is_multiple_of(width) {
        return None;
    }
    macro_rules! cell {
        ($cell:ty, $int:ty) => {{
            // SAFETY: the caller has looked that the bytes are there and keeps them alive; they are
            // aligned as the line above has looked.
            let cell = unsafe { <$cell>::from_ptr(at.0.cast()) };
            cell.fetch_update(SeqCst, SeqCst, |old| Some(update(old.into()) as $int)).map(u64::from)
        }};
    }
    match width {
        2 => cell!(AtomicU16, u16).ok(),
        4 => cell!(AtomicU32, u32).ok(),
        8 => cell!(AtomicU64, u64).ok(),
        _ => None,
    }
}

/// The bytes at an address that a caller has named, as they are now.
pub(crate) fn snapshot(from: Place, len: usize) -> Vec<u8> {
    let mut bytes = vec![0; len];
    copy(from, Place(bytes.as_mut_ptr()), len);
    bytes
}

/// The place of bytes that are kept by whoever runs the copy.
pub(crate) fn place_of(bytes: &[u8]) -> Place {
    Place(bytes.as_ptr().cast_mut())
}
