//! Memory for tests that need no driver: arrays are placed, kernels run, arrays are read.
//!
//! It gives nothing back before it ends.
#![allow(unsafe_code, reason = "its allocations are given as regions")]

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};

use crate::{Memory, OutOfBounds, Region};

/// Allocations with unused addresses between them, so that what reaches over an end is noticed.
#[derive(Debug, Default)]
pub struct Arena {
    arrays: Mutex<Vec<Array>>,
}

#[derive(Debug)]
struct Array {
    start: u64,
    len: u64,
    words: Box<[AtomicU64]>,
}

impl Array {
    fn region(&self) -> Region {
        // SAFETY: the words live as long as the arena, which outlives every run on it, and are only
        // ever accessed as atomics. They are aligned as their address in the arena is, to eight.
        unsafe { Region::new(self.start, self.len, self.words.as_ptr().cast_mut().cast()) }
    }
}

impl Arena {
    /// Memory with nothing in it.
    pub fn new() -> Arena {
        Arena::default()
    }

    /// An allocation that holds these bytes; its address is a multiple of 256.
    pub fn place(&self, bytes: &[u8]) -> u64 {
        let mut arrays = self.arrays.lock().unwrap_or_else(PoisonError::into_inner);
        let end = arrays.last().map_or(0x10_0000, |last| last.start + last.len);
        let start = (end + 0x1000).next_multiple_of(256);
        let word = |chunk: &[u8]| {
            let mut word = [0; 8];
            word[..chunk.len()].copy_from_slice(chunk);
            AtomicU64::new(u64::from_le_bytes(word))
        };
        let words = bytes.chunks(8).map(word).collect();
        arrays.push(Array { start, len: bytes.len() as u64, words });
        start
    }

    /// The bytes from `address` on; none where they are not all in one allocation.
    pub fn read(&self, address: u64, bytes: usize) -> Vec<u8> {
        let mut found = vec![0; bytes];
        if self.load(address, &mut found).is_err() {
            found.clear();
        }
        found
    }

    fn with<T>(
        &self,
        address: u64,
        bytes: usize,
        access: impl FnOnce(&Array, u64) -> T,
    ) -> Result<T, OutOfBounds> {
        let arrays = self.arrays.lock().unwrap_or_else(PoisonError::into_inner);
        let after = arrays.partition_point(|array| array.start <= address);
        let array = after.checked_sub(1).and_then(|at| arrays.get(at)).ok_or(OutOfBounds)?;
        let offset = address - array.start;
        let fits = offset < array.len && array.len - offset >= bytes as u64;
        if fits { Ok(access(array, offset)) } else { Err(OutOfBounds) }
    }
}

impl Memory for Arena {
    fn load(&self, address: u64, into: &mut [u8]) -> Result<(), OutOfBounds> {
        let bytes = into.len();
        self.with(address, bytes, |array, offset| {
            for (byte, at) in into.iter_mut().zip(offset as usize..) {
                *byte = (array.words[at / 8].load(Relaxed) >> (at % 8 * 8)) as u8;
            }
        })
    }

    fn store(&self, address: u64, from: &[u8]) -> Result<(), OutOfBounds> {
        self.with(address, from.len(), |array, offset| {
            for (&byte, at) in from.iter().zip(offset as usize..) {
                let shift = at % 8 * 8;
                let put = |old| Some(old & !(0xff << shift) | u64::from(byte) << shift);
                // It always puts, so there is no failure to tell of.
                let _ = array.words[at / 8].fetch_update(Relaxed, Relaxed, put);
            }
        })
    }

    fn atomic(
        &self,
        address: u64,
        width: usize,
        update: &mut dyn FnMut(u64) -> u64,
    ) -> Result<u64, OutOfBounds> {
        self.with(address, width, |array, _| array.region().atomic(address, width, update))?
            .ok_or(OutOfBounds)
    }

    fn region(&self, address: u64) -> Option<Region> {
        self.with(address, 1, |array, _| array.region()).ok()
    }
}
