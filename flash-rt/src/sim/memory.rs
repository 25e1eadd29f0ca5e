//! Memory of a simulated device: bytes nobody else reaches, poisoned until something is copied to
//! them. It does not know arrays.

use std::ops::{Deref, DerefMut, Range};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::driver_error;
use crate::allocation::HOST_ALIGN;
use crate::backend::Region;
use crate::error::{DriverError, DriverErrorKind};

/// What memory holds before anything is copied to it.
const POISON: u8 = 0xA5;

/// Memory of a simulated device.
#[derive(Debug)]
pub struct SimMemory {
    /// With room in front, so that the first byte is aligned.
    bytes: Mutex<Vec<u8>>,
    range: Range<usize>,
    used: Arc<AtomicU64>,
}

impl SimMemory {
    pub(super) fn new(bytes: u64, used: &Arc<AtomicU64>, limit: u64) -> Result<Self, DriverError> {
        let full = || {
            let text = format!(
                "{bytes} bytes do not fit beside {} of {limit}",
                used.load(Ordering::Relaxed)
            );
            driver_error("sim::allocate", DriverErrorKind::OutOfMemory, text)
        };
        // Relaxed: the counter guards a sum, not other memory.
        used.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |sum| {
            sum.checked_add(bytes).filter(|&sum| sum <= limit)
        })
        .map_err(|_| full())?;
        let storage = vec![POISON; bytes as usize + HOST_ALIGN];
        let start = storage.as_ptr().align_offset(HOST_ALIGN);
        let range = start..start + bytes as usize;
        Ok(Self { bytes: Mutex::new(storage), range, used: Arc::clone(used) })
    }

    /// The bytes, for one copy or launch.
    pub(super) fn lock(&self) -> Bytes<'_> {
        let bytes = self.bytes.lock().unwrap_or_else(PoisonError::into_inner);
        Bytes { bytes, range: self.range.clone() }
    }
}

impl Drop for SimMemory {
    fn drop(&mut self) {
        self.used.fetch_sub(self.range.len() as u64, Ordering::Relaxed);
    }
}

/// The bytes of a memory.
pub(super) struct Bytes<'m> {
    bytes: MutexGuard<'m, Vec<u8>>,
    range: Range<usize>,
}

impl Deref for Bytes<'_> {
    type Target = [u8];
    fn deref(&self) -> &[u8] {
        &self.bytes[self.range.clone()]
    }
}

impl DerefMut for Bytes<'_> {
    fn deref_mut(&mut self) -> &mut [u8] {
        &mut self.bytes[self.range.clone()]
    }
}

/// Copies a region; both must have the same rows and lie inside.
pub(super) fn copy(
    dst: &mut [u8],
    to: Region,
    src: &[u8],
    from: Region,
) -> Result<(), DriverError> {
    let outside = || {
        let text = format!("{from:?} of {} bytes to {to:?} of {}", src.len(), dst.len());
        driver_error("sim::copy", DriverErrorKind::Failed, text)
    };
    if to.row_bytes != from.row_bytes || to.rows != from.rows {
        return Err(outside());
    }
    let fits = |region: &Region, len: usize| {
        let rows = region.rows.checked_sub(1);
        rows.is_none_or(|rows| {
            let last = rows.checked_mul(region.pitch).and_then(|o| o.checked_add(region.offset));
            let end = last.and_then(|last| last.checked_add(region.row_bytes));
            end.is_some_and(|end| end <= len as u64)
        })
    };
    if !fits(&to, dst.len()) || !fits(&from, src.len()) {
        return Err(outside());
    }
    let row = |region: &Region, k: u64| {
        let start = (region.offset + k * region.pitch) as usize;
        start..start + region.row_bytes as usize
    };
    for k in 0..to.rows {
        dst[row(&to, k)].copy_from_slice(&src[row(&from, k)]);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_copied_and_the_rest_stays_poisoned() {
        let used = Arc::default();
        let memory = SimMemory::new(12, &used, 100).unwrap();
        let to = Region { offset: 1, row_bytes: 2, rows: 3, pitch: 4 };
        let from = Region { offset: 0, row_bytes: 2, rows: 3, pitch: 2 };
        copy(&mut memory.lock(), to, &[1, 2, 3, 4, 5, 6], from).unwrap();
        let p = POISON;
        assert_eq!(*memory.lock(), [p, 1, 2, p, p, 3, 4, p, p, 5, 6, p]);
        assert_eq!(memory.lock().as_ptr().align_offset(HOST_ALIGN), 0);
        let beyond = Region { offset: 3, ..to };
        assert!(copy(&mut memory.lock(), beyond, &[0; 6], from).is_err());
        assert!(SimMemory::new(89, &used, 100).is_err());
        drop(memory);
        assert!(SimMemory::new(89, &used, 100).is_ok());
    }
}
