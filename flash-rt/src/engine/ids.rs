//! Maps by the number of an allocation. Numbers are given one after the other by this process, so
//! nobody can choose them to collide and a multiplication spreads them. It is no map of other keys.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

/// A map by numbers that this process gave out.
pub(super) type IdMap<T> = HashMap<u64, T, BuildHasherDefault<Spread>>;

/// Spreads one number.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Spread(u64);

impl Hasher for Spread {
    #[inline]
    fn write_u64(&mut self, number: u64) {
        let spread = (self.0 ^ number).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        // The map takes both the lowest and the highest bits.
        self.0 = spread ^ (spread >> 32);
    }

    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|&byte| self.write_u64(u64::from(byte)));
    }

    #[inline]
    fn finish(&self) -> u64 {
        self.0
    }
}
