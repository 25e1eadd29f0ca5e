//! Atomic cells that the items of a kernel only add integers to: a block keeps sums of its own and
//! adds them to the cells at its end, where that is less work. Nobody can see the difference, as no
//! item of the launch reads a cell and sums of integers are the same in any order. It does not find
//! out what a kernel does with its cells: the front end does.

use std::cell::{Cell, RefCell};

use super::array::AtomicArray;
use super::bad::Bad;
use crate::atomic::{Atomic, AtomicElem};

/// The most cells of which a block keeps sums: their words stay in the first cache.
const MOST: usize = 4096;
/// So many cells take as long to set to zero and to go through at the end as one addition to a cell
/// that nobody else adds to.
const CELLS: usize = 2;

thread_local! {
    /// Sums of blocks before, so that a launch need not allocate.
    static SPARE: RefCell<Vec<Vec<Cell<u64>>>> = const { RefCell::new(Vec::new()) };
}

/// Cells that all items may add to, and do nothing else with.
#[derive(Debug)]
pub struct Tallies<'s, T: AtomicElem, const D: usize> {
    cells: AtomicArray<'s, T, D>,
    /// One for each cell; none where items add to the cells themselves.
    sums: Vec<Cell<u64>>,
}

/// One of them.
#[derive(Debug)]
pub enum Tally<'t, T: AtomicElem> {
    /// The cell.
    Cell(&'t Atomic<T>),
    /// What the block adds to it.
    Sum(&'t Cell<u64>),
}

impl<T: AtomicElem> Tally<'_, T> {
    /// Adds, wrapping.
    #[inline(always)]
    pub fn fetch_add(&self, value: T) {
        match self {
            Self::Cell(cell) => {
                cell.fetch_add(value);
            }
            Self::Sum(sum) => sum.set(sum.get().wrapping_add(value.word().unwrap_or_default())),
        }
    }

    /// Subtracts, wrapping.
    #[inline(always)]
    pub fn fetch_sub(&self, value: T) {
        match self {
            Self::Cell(cell) => {
                cell.fetch_sub(value);
            }
            Self::Sum(sum) => sum.set(sum.get().wrapping_sub(value.word().unwrap_or_default())),
        }
    }
}

impl<'s, T: AtomicElem, const D: usize> Tallies<'s, T, D> {
    /// For a block that adds about `work` times.
    #[inline]
    pub(super) fn new(cells: AtomicArray<'s, T, D>, work: usize) -> Self {
        let n = cells.n_held();
        let wraps = super::array::zero::<T>().word().is_some();
        let mut sums = Vec::new();
        if wraps && n <= MOST && work >= n / CELLS {
            sums = SPARE.with_borrow_mut(Vec::pop).unwrap_or_default();
            sums.clear();
            sums.resize(n, Cell::new(0));
        }
        Self { cells, sums }
    }

    /// The number of cells of the whole array.
    #[inline(always)]
    pub fn len(&self) -> usize {
        self.cells.len()
    }

    /// Whether the array has no cells.
    #[inline(always)]
    pub fn is_empty(&self) -> bool {
        self.cells.is_empty()
    }

    /// The extent of a dimension of the whole array; 0 beyond its rank.
    #[inline(always)]
    pub fn extent(&self, dim: usize) -> usize {
        self.cells.extent(dim)
    }

    /// The cell at `index`, or the block's sum for it; one that nobody reads, with a note for item
    /// `k`, if there is none.
    #[inline(always)]
    pub fn at(&self, index: [usize; D], k: usize, bad: &mut Bad<D>) -> Tally<'_, T> {
        if !self.sums.is_empty()
            && let Some(sum) = self.cells.number(index).and_then(|number| self.sums.get(number))
        {
            return Tally::Sum(sum);
        }
        Tally::Cell(self.cells.at(index, k, bad))
    }
}

/// Also where an item panics: what the others did stays done.
impl<T: AtomicElem, const D: usize> Drop for Tallies<'_, T, D> {
    fn drop(&mut self) {
        if self.sums.is_empty() {
            return;
        }
        for (number, sum) in self.sums.iter().enumerate() {
            if sum.get() != 0
                && let Some(cell) = self.cells.numbered(number)
            {
                cell.fetch_add(T::of_word(sum.get()));
            }
        }
        let sums = std::mem::take(&mut self.sums);
        SPARE.with_borrow_mut(|spare| spare.push(sums));
    }
}
