//! Memory of a device, as the interpreter sees it: addresses, bounds and atomic updates.
//!
//! Shared, local and parameter memory are none of its business: they have addresses from 2^57 on,
//! where no memory of the caller may be.
#![allow(unsafe_code, reason = "regions are host memory that is reached by address")]

use std::sync::atomic::{
    AtomicU8, AtomicU16, AtomicU32, AtomicU64,
    Ordering::{Relaxed, SeqCst},
};

/// No allocation holds all the bytes that were asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OutOfBounds;

/// The memory that kernels reach by global and generic addresses. Kernels of several streams may run
/// on it at once.
pub trait Memory: Sync {
    /// Reads the bytes from `address` on. The interpreter asks for 1, 2, 4, 8 or 16 of them, and for
    /// longer pieces where a kernel copies or prints.
    ///
    /// # Errors
    ///
    /// Where one allocation does not hold them all.
    fn load(&self, address: u64, into: &mut [u8]) -> Result<(), OutOfBounds>;

    /// Writes the bytes from `address` on.
    ///
    /// # Errors
    ///
    /// As [`load`](Memory::load).
    fn store(&self, address: u64, from: &[u8]) -> Result<(), OutOfBounds>;

    /// Replaces the `width` bytes (2, 4 or 8, little endian) at `address` by what `update` makes of
    /// them, and nobody else writes there in between. `update` may be called more than once. Returns
    /// what was there.
    ///
    /// # Errors
    ///
    /// As [`load`](Memory::load).
    fn atomic(
        &self,
        address: u64,
        width: usize,
        update: &mut dyn FnMut(u64) -> u64,
    ) -> Result<u64, OutOfBounds>;

    /// Calls a function that the module declares and does not define, with the bits of its
    /// parameters, and returns those of its result, or 0. Without it the call is a fault.
    fn external(&self, name: &str, arguments: &[u64]) -> Option<u64> {
        let _ = (name, arguments);
        None
    }

    /// The whole allocation that `address` lies in, if its bytes may be accessed in place until the
    /// run is over. Whoever gives regions is asked for nothing else about them.
    fn region(&self, address: u64) -> Option<Region> {
        let _ = address;
        None
    }
}

/// An allocation whose bytes are memory of the host.
#[derive(Clone, Copy, Debug)]
pub struct Region {
    start: u64,
    len: u64,
    host: *mut u8,
}

// SAFETY: `Region::new` promises that the bytes may be accessed from any thread.
unsafe impl Send for Region {}
// SAFETY: as above; all accesses are atomic ones.
unsafe impl Sync for Region {}

impl Region {
    /// The allocation of `len` bytes at the device's address `start`, which are at `host`.
    ///
    /// # Safety
    ///
    /// The bytes must be writable, stay where they are until the run is over, and be accessed by
    /// others only with atomic operations meanwhile, or not at all. `host` must be aligned as `start`
    /// is, up to eight bytes.
    pub unsafe fn new(start: u64, len: u64, host: *mut u8) -> Region {
        Region { start, len, host }
    }

    /// Whether all these bytes are in here.
    #[inline]
    pub(crate) fn holds(&self, address: u64, bytes: u64) -> bool {
        let offset = address.wrapping_sub(self.start);
        offset < self.len && self.len - offset >= bytes
    }

    /// Where `width` bytes at `address` are, if all of them are in here and it is aligned.
    #[inline]
    fn at(&self, address: u64, width: u64) -> Option<*mut u8> {
        let offset = address.wrapping_sub(self.start);
        let fits = offset < self.len && self.len - offset >= width && address.is_multiple_of(width);
        fits.then(|| self.host.wrapping_add(offset as usize))
    }

    #[inline]
    fn byte(&self, address: u64) -> Option<&AtomicU8> {
        let at = self.at(address, 1)?;
        // SAFETY: `at` has looked that the bytes are in the region, whose creator promised that they
        // are there, and that the address is aligned, as the host's bytes are where it is.
        Some(unsafe { AtomicU8::from_ptr(at) })
    }

    #[inline]
    fn half(&self, address: u64) -> Option<&AtomicU16> {
        let at = self.at(address, 2)?;
        // SAFETY: `at` has looked that the bytes are in the region, whose creator promised that they
        // are there, and that the address is aligned, as the host's bytes are where it is.
        Some(unsafe { AtomicU16::from_ptr(at.cast()) })
    }

    #[inline]
    fn word(&self, address: u64) -> Option<&AtomicU32> {
        let at = self.at(address, 4)?;
        // SAFETY: `at` has looked that the bytes are in the region, whose creator promised that they
        // are there, and that the address is aligned, as the host's bytes are where it is.
        Some(unsafe { AtomicU32::from_ptr(at.cast()) })
    }

    #[inline]
    fn long(&self, address: u64) -> Option<&AtomicU64> {
        let at = self.at(address, 8)?;
        // SAFETY: `at` has looked that the bytes are in the region, whose creator promised that they
        // are there, and that the address is aligned, as the host's bytes are where it is.
        Some(unsafe { AtomicU64::from_ptr(at.cast()) })
    }

    /// Reads 1, 2, 4 or 8 bytes at an address that is a multiple of `width`.
    #[inline]
    pub fn load(&self, address: u64, width: u64) -> Option<u64> {
        Some(match width {
            1 => self.byte(address)?.load(Relaxed).into(),
            2 => self.half(address)?.load(Relaxed).into(),
            4 => self.word(address)?.load(Relaxed).into(),
            _ => self.long(address)?.load(Relaxed),
        })
    }

    /// Writes 1, 2, 4 or 8 bytes at an address that is a multiple of `width`.
    #[inline]
    pub fn store(&self, address: u64, width: u64, value: u64) -> Option<()> {
        match width {
            1 => self.byte(address)?.store(value as u8, Relaxed),
            2 => self.half(address)?.store(value as u16, Relaxed),
            4 => self.word(address)?.store(value as u32, Relaxed),
            _ => self.long(address)?.store(value, Relaxed),
        }
        Some(())
    }

    /// Replaces 2, 4 or 8 bytes at an address that is a multiple of `width`, as one.
    pub fn atomic(
        &self,
        address: u64,
        width: usize,
        update: &mut dyn FnMut(u64) -> u64,
    ) -> Option<u64> {
        macro_rules! update {
            ($cell:expr, $int:ty) => {
                $cell.fetch_update(SeqCst, SeqCst, |old| Some(update(old.into()) as $int))
            };
        }
        match width {
            2 => update!(self.half(address)?, u16).ok().map(u64::from),
            4 => update!(self.word(address)?, u32).ok().map(u64::from),
            _ => update!(self.long(address)?, u64).ok(),
        }
    }
}
