//! Memory of a simulated device: bytes nobody else reaches, poisoned until something is written to
//! them, and no pages of the machine until they are touched. It does not know arrays.
//!
//! Fenced: operations on different queues reach the same memory at once, as on a device, each its
//! own bytes.
#![allow(unsafe_code, reason = "bytes that several operations share, each its own part")]

use std::mem::ManuallyDrop;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use super::fault::driver_error;
use crate::allocation::HOST_ALIGN;
use crate::backend::Region;
use crate::error::{DriverError, DriverErrorKind};

/// What memory holds before anything is written to it: as floats more than any result, so that no
/// tolerance hides it, and as integers positive.
pub(super) const POISON: u8 = 0x7F;
/// So many poisoned bytes in a row are hardly a coincidence.
const RUN: u64 = 8;
/// Bytes that are poisoned together, when one of them is touched.
const CHUNK: u64 = 1 << 16;
/// Memories up to this size are poisoned entirely before code runs that goes where it likes.
const SMALL: u64 = 1 << 28;

/// Memory of a simulated device.
#[derive(Clone, Debug)]
pub struct SimMemory(pub(super) Arc<Storage>);

/// The bytes of a memory, kept while an operation that uses them is under way.
#[derive(Debug)]
pub(super) struct Storage {
    /// Its number among the allocations of the simulator.
    pub(super) id: u64,
    /// The first byte, aligned.
    base: *mut u8,
    len: u64,
    /// The allocation around it: start and capacity of a vector.
    whole: (*mut u8, usize),
    /// Which chunks are no longer what the allocator gave.
    touched: Box<[AtomicBool]>,
    /// Held while a chunk is poisoned.
    poisoning: Mutex<()>,
    used: Arc<AtomicU64>,
}

// SAFETY: `base` is memory of its own. Copies and launches reach it under the contract of
// `Backend`, whose unsafe calls promise that those at work touch different bytes, or only read.
unsafe impl Send for Storage {}
// SAFETY: as for `Send`.
unsafe impl Sync for Storage {}

impl SimMemory {
    pub(super) fn new(
        id: u64,
        bytes: u64,
        used: &Arc<AtomicU64>,
        limit: u64,
    ) -> Result<Self, DriverError> {
        let full = || {
            let used = used.load(Ordering::Relaxed);
            let text = format!("{bytes} bytes do not fit beside {used} of {limit}");
            driver_error("sim::allocate", DriverErrorKind::OutOfMemory, text)
        };
        // Relaxed: the counter guards a sum, not other memory.
        used.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |sum| {
            sum.checked_add(bytes).filter(|&sum| sum <= limit)
        })
        .map_err(|_| full())?;
        // Zeros of an alignment of 1 are pages that the system gives at their first use.
        let mut vec = ManuallyDrop::new(vec![0_u8; bytes as usize + HOST_ALIGN]);
        let whole = (vec.as_mut_ptr(), vec.capacity());
        let base = whole.0.wrapping_add(whole.0.align_offset(HOST_ALIGN));
        let touched = (0..bytes.div_ceil(CHUNK)).map(|_| AtomicBool::new(false)).collect();
        let used = Arc::clone(used);
        let poisoning = Mutex::new(());
        Ok(Self(Arc::new(Storage { id, base, len: bytes, whole, touched, poisoning, used })))
    }
}

impl Drop for Storage {
    fn drop(&mut self) {
        let (start, capacity) = self.whole;
        // SAFETY: `new` took these from a vector that it forgot; its bytes are initialised.
        drop(unsafe { Vec::from_raw_parts(start, capacity, capacity) });
        self.used.fetch_sub(self.len, Ordering::Relaxed);
    }
}

impl Storage {
    /// The first byte.
    pub(super) fn base(&self) -> *mut u8 {
        self.base
    }

    pub(super) fn len(&self) -> u64 {
        self.len
    }

    /// Poisons what is not touched yet of the chunks of a range.
    pub(super) fn touch(&self, range: Range<u64>) {
        if range.is_empty() {
            return;
        }
        for chunk in range.start / CHUNK..range.end.min(self.len).div_ceil(CHUNK) {
            let touched = &self.touched[chunk as usize];
            if touched.load(Ordering::Acquire) {
                continue;
            }
            let _poisoning = self.poisoning.lock().unwrap_or_else(PoisonError::into_inner);
            if touched.load(Ordering::Relaxed) {
                continue;
            }
            let start = chunk * CHUNK;
            let n = CHUNK.min(self.len - start) as usize;
            // SAFETY: inside of the memory, and whoever is to reach the chunk comes by here first.
            unsafe { self.base.wrapping_add(start as usize).write_bytes(POISON, n) };
            touched.store(true, Ordering::Release);
        }
    }

    /// Poisons what is not touched yet of the chunks of a region.
    pub(super) fn touch_all_of(&self, region: Region) {
        region.runs().for_each(|start| self.touch(start..start + region.row_bytes));
    }

    /// Poisons what is not touched yet, before code runs whose accesses are not seen. A large memory
    /// keeps zeros where nothing has been.
    pub(super) fn touch_all(&self) {
        if self.len <= SMALL {
            self.touch(0..self.len);
        }
    }

    /// Whether a region lies inside.
    fn check(&self, api: &'static str, region: Region) -> Result<(), DriverError> {
        if region.end().is_some_and(|end| end <= self.len) {
            return Ok(());
        }
        let text = format!("{region:?} of a memory of {} bytes", self.len);
        Err(driver_error(api, DriverErrorKind::Failed, text))
    }

    /// Whether a copy between a region of this memory and one of `host` bytes makes sense.
    pub(super) fn check_copy(
        &self,
        api: &'static str,
        there: Region,
        host: usize,
        here: Region,
    ) -> Result<(), DriverError> {
        self.check(api, there)?;
        if there.same_runs(&here) && here.end().is_some_and(|end| end <= host as u64) {
            return Ok(());
        }
        let text = format!("{there:?} with {here:?} of {host} bytes");
        Err(driver_error(api, DriverErrorKind::Failed, text))
    }

    pub(super) fn check_zero(&self, to: Region) -> Result<(), DriverError> {
        self.check("sim::zero", to)
    }

    /// Copies from the host.
    ///
    /// # Safety
    ///
    /// The regions were checked, those of `src` can be read, and nobody touches those here.
    pub(super) unsafe fn write(&self, to: Region, src: *const u8, from: Region) {
        let n = to.row_bytes as usize;
        for (to, from) in to.runs().zip(from.runs()) {
            self.touch(to..to + n as u64);
            let dst = self.base.wrapping_add(to as usize);
            // SAFETY: both runs lie inside, as was checked, and the memories are different ones.
            unsafe { std::ptr::copy_nonoverlapping(src.wrapping_add(from as usize), dst, n) };
        }
    }

    /// Copies to the host; the number of bytes that look poisoned.
    ///
    /// # Safety
    ///
    /// The regions were checked, those of `dst` can be written, and nobody writes those here.
    pub(super) unsafe fn read(&self, from: Region, dst: *mut u8, to: Region) -> u64 {
        let n = to.row_bytes as usize;
        let mut poison = 0;
        for (to, from) in to.runs().zip(from.runs()) {
            self.touch(from..from + n as u64);
            let src = self.base.wrapping_add(from as usize).cast_const();
            // SAFETY: both runs lie inside, as was checked, and the memories are different ones.
            unsafe { std::ptr::copy_nonoverlapping(src, dst.wrapping_add(to as usize), n) };
            // SAFETY: the run lies inside, and nobody writes it meanwhile.
            poison += poisoned(unsafe { std::slice::from_raw_parts(src, n) });
        }
        poison
    }

    /// Sets a region to zero.
    ///
    /// # Safety
    ///
    /// It was checked, and nobody touches it.
    pub(super) unsafe fn zero(&self, to: Region) {
        for start in to.runs() {
            self.touch(start..start + to.row_bytes);
            let dst = self.base.wrapping_add(start as usize);
            // SAFETY: the run lies inside, as was checked.
            unsafe { dst.write_bytes(0, to.row_bytes as usize) };
        }
    }
}

/// The number of bytes in runs of poison.
fn poisoned(bytes: &[u8]) -> u64 {
    let (mut sum, mut run) = (0, 0);
    for &byte in bytes {
        if byte == POISON {
            run += 1;
        } else if run > 0 {
            sum += if run >= RUN { run } else { 0 };
            run = 0;
        }
    }
    sum + if run >= RUN { run } else { 0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_copied_and_the_rest_stays_poisoned() {
        let used = Arc::default();
        let memory = SimMemory::new(0, 44, &used, 100).unwrap();
        let storage = &memory.0;
        let (to, from) = (Region::plane(1, 2, 3, 4), Region::plane(0, 2, 3, 2));
        storage.check_copy("t", to, 6, from).unwrap();
        let mut back = [0; 12];
        let (all, n) = (Region::row(0, 12), Region::row(32, 12));
        // SAFETY: the regions lie inside, and nobody else is here.
        unsafe { storage.write(to, [1, 2, 3, 4, 5, 6].as_ptr(), from) };
        // SAFETY: as above.
        let poison = unsafe { storage.read(all, back.as_mut_ptr(), all) };
        let p = POISON;
        assert_eq!(back, [p, 1, 2, p, p, 3, 4, p, p, 5, 6, p]);
        assert_eq!(poison, 0, "short runs may be data");
        // SAFETY: as above.
        assert_eq!(unsafe { storage.read(n, back.as_mut_ptr(), all) }, 12);
        assert_eq!(storage.base().align_offset(HOST_ALIGN), 0);
        assert!(storage.check_copy("t", Region { offset: 36, ..to }, 6, from).is_err());
        assert!(storage.check_copy("t", to, 5, from).is_err());
        assert!(SimMemory::new(1, 57, &used, 100).is_err());
        drop(memory);
        assert!(SimMemory::new(1, 57, &used, 100).is_ok());
    }

    #[test]
    fn a_large_memory_takes_no_pages_before_it_is_touched() {
        let used = Arc::default();
        let memory = SimMemory::new(0, 6 << 30, &used, 1 << 40).unwrap();
        let far = Region::row(5 << 30, 8);
        let mut back = [0; 8];
        // SAFETY: the region lies inside, and nobody else is here.
        unsafe { memory.0.write(far, [7; 8].as_ptr(), Region::row(0, 8)) };
        // SAFETY: as above.
        assert_eq!(unsafe { memory.0.read(far, back.as_mut_ptr(), Region::row(0, 8)) }, 0);
        assert_eq!(back, [7; 8]);
        let touched = memory.0.touched.iter().filter(|t| t.load(Ordering::Relaxed)).count();
        assert_eq!(touched, 1);
    }
}
