//! Violations of one parameter along one line, kept as a running minimum, so that a loop over items
//! has neither a panic edge nor a call in it.

use super::outcome::{Outcome, Violation};
use crate::space::Space;

/// Longest line that [`Bad`] can number.
pub const LINE_ITEMS: usize = 1 << 23;

/// The first violation of a parameter of rank `D`, by item of the line, then by index.
#[derive(Clone, Copy, Debug)]
pub struct Bad<const D: usize> {
    /// For rank 1, the item above the low 40 bits of the index; else the item.
    key: u64,
    /// For ranks from 2.
    index: [usize; D],
}

const INDEX_BITS: u32 = 40;
const NONE: u64 = u64::MAX;

impl<const D: usize> Default for Bad<D> {
    #[inline(always)]
    fn default() -> Self {
        Self::new()
    }
}

impl<const D: usize> Bad<D> {
    /// Nothing so far.
    #[inline(always)]
    pub const fn new() -> Self {
        Self { key: NONE, index: [0; D] }
    }

    /// Whether anything was noted.
    #[inline(always)]
    pub fn any(&self) -> bool {
        self.key != NONE
    }

    /// Notes `index` at item `k` of the line if `ok` is false, without a branch.
    #[inline(always)]
    pub fn note(&mut self, ok: bool, k: usize, index: [usize; D]) {
        if D == 1 {
            // Wrapped negative indices stay apart from large ones: 39 bits and a sign.
            let limit = 1_i64 << (INDEX_BITS - 1);
            let short = (index[0] as i64).clamp(-limit, limit - 1) as u64;
            let key = ((k as u64) << INDEX_BITS) | (short & ((1 << INDEX_BITS) - 1));
            self.key = self.key.min(if ok { NONE } else { key });
        } else {
            let first = !ok && (k as u64, index) < (self.key, self.index);
            self.key = if first { k as u64 } else { self.key };
            for (kept, index) in self.index.iter_mut().zip(index) {
                *kept = if first { index } else { *kept };
            }
        }
    }

    /// Item and index.
    fn get(&self) -> (u64, [usize; D]) {
        if D == 1 {
            let shift = u64::BITS - INDEX_BITS;
            let index = ((self.key << shift) as i64 >> shift) as usize;
            (self.key >> INDEX_BITS, [index; D])
        } else {
            (self.key, self.index)
        }
    }
}

/// Passes a violation on; `first` are the ids of item 0 of the line.
#[cold]
#[inline(never)]
pub(super) fn report<const D: usize>(
    outcome: &Outcome,
    space: &Space,
    param: u16,
    bad: &Bad<D>,
    first: &[usize],
) {
    let (k, index) = bad.get();
    let start = (0..first.len())
        .rev()
        .fold(0, |item: u64, dim| item * space.extent(dim) as u64 + first[dim] as u64);
    let mut wide = [0; super::MAX_ARRAY_RANK];
    wide[..D].copy_from_slice(&index);
    outcome.violation(Violation { item: start + k, param, index: wide });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lowest_item_then_index_is_kept() {
        let mut one = Bad::<1>::new();
        one.note(true, 0, [9]);
        assert!(!one.any());
        one.note(false, 7, [100]);
        one.note(false, 5, [usize::MAX]);
        one.note(false, 5, [12]);
        one.note(true, 1, [3]);
        assert_eq!(one.get(), (5, [12]));
        let mut wrapped = Bad::<1>::new();
        wrapped.note(false, LINE_ITEMS - 1, [usize::MAX - 1]);
        assert!(wrapped.any());
        assert_eq!(wrapped.get(), (LINE_ITEMS as u64 - 1, [usize::MAX - 1]));

        let mut two = Bad::<2>::new();
        two.note(false, 4, [1, usize::MAX]);
        two.note(false, 4, [1, 6]);
        two.note(false, 9, [0, 0]);
        assert_eq!(two.get(), (4, [1, 6]));
    }

    #[test]
    fn items_are_numbered_over_the_whole_space() {
        let (outcome, space) = (Outcome::new(), Space::new(&[10, 20, 30]).expect("small"));
        let mut bad = Bad::<1>::new();
        bad.note(false, 3, [77]);
        report(&outcome, &space, 2, &bad, &[5, 4, 2]);
        let (violation, panic) = outcome.take();
        assert_eq!(violation, Some(Violation { item: 448, param: 2, index: [77, 0, 0, 0] }));
        assert_eq!(panic, None);
    }
}
