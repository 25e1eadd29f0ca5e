//! Arrays that `unsafe` code of a body reaches, and rows of them. Fenced: it turns checked indices
//! into values and cells. It follows no pointer for that code: the user's `unsafe` does.
#![allow(unsafe_code, reason = "each operation follows the check of its index")]

use std::cell::Cell;
use std::marker::PhantomData;

use super::array::{Held, zero};
use super::bad::Bad;
use crate::pod::Pod;

/// An array that `unsafe` code of the user's reaches too: no reference to its elements exists, but
/// as cells.
#[derive(Debug)]
pub struct RawArray<'s, T: Copy, const D: usize> {
    base: *mut T,
    held: Held<D>,
    /// The part that the items of the block own; empty where the launch does not tell.
    first: [usize; D],
    len: [usize; D],
    offset: [usize; D],
    check_all: bool,
    dummy: Cell<T>,
    _elements: PhantomData<&'s [Cell<T>]>,
}

impl<T: Pod, const D: usize> RawArray<'_, T, D> {
    /// # Safety
    ///
    /// For `'s`, the elements of `held`, the first of which is at `base`, are initialised, aligned,
    /// in one allocation and behind no reference but to cells; those of `own` (first index and length) are
    /// reached by no other block, `unsafe` code apart.
    #[inline(always)]
    pub(super) unsafe fn new(
        base: *mut T,
        held: Held<D>,
        own: ([usize; D], [usize; D]),
        offset: [usize; D],
        check_all: bool,
    ) -> Self {
        let (first, len) = own;
        let dummy = Cell::new(zero());
        Self { base, held, first, len, offset, check_all, dummy, _elements: PhantomData }
    }

    /// The number of elements of the whole array.
    #[inline(always)]
    pub fn len(&self) -> usize {
        self.held.shape.iter().product()
    }

    /// Whether the array has no elements.
    #[inline(always)]
    pub fn is_empty(&self) -> bool {
        self.held.shape.contains(&0)
    }

    /// The extent of a dimension of the whole array; 0 beyond its rank.
    #[inline(always)]
    pub fn extent(&self, dim: usize) -> usize {
        if dim < D { self.held.shape[dim] } else { 0 }
    }

    /// Where the element at `index` is: the caller's `unsafe` vouches for it. Under
    /// `FLASH_CHECK=all` an index outside the array is noted and leads to a place nobody reads.
    #[inline(always)]
    pub fn ptr(&self, index: [usize; D], k: usize, bad: &mut Bad<D>) -> *mut T {
        let offset = self.held.assumed(index);
        if self.check_all {
            let (ok, _) = self.held.offset(index);
            bad.note(ok, k, index);
            if !ok {
                self.dummy.set(zero());
                return self.dummy.as_ptr();
            }
        }
        self.base.wrapping_offset(offset)
    }

    /// Whether `index` is the place of the item with these ids and belongs to the block.
    #[inline(always)]
    fn own(&self, index: [usize; D], ids: [usize; D]) -> (bool, isize) {
        let (mut ok, offset) = self.held.offset(index);
        for d in 0..D {
            ok &= index[d].wrapping_sub(self.first[d]) < self.len[d];
            ok &= index[d] == ids[d].wrapping_add(self.offset[d]);
        }
        (ok, offset)
    }

    /// The `n` elements from `index` along the last dimension, for `unsafe` code; empty unless they
    /// are contiguous and all there.
    #[inline(always)]
    pub fn row(&self, index: [usize; D], n: usize) -> RawRow<'_, T> {
        let (offset, n) = self.held.run(index, n).map_or((0, 0), |offset| (offset, n));
        RawRow { base: self.base.wrapping_offset(offset), n, _elements: PhantomData }
    }

    /// The places of `n` items from the one with these ids on, along the last dimension; empty
    /// unless they are contiguous, all there, and belong to the block.
    #[inline(always)]
    pub fn own_row(&self, index: [usize; D], ids: [usize; D], n: usize) -> &[Cell<T>] {
        let (mut ok, _) = self.own(index, ids);
        if let Some(last) = D.checked_sub(1) {
            let at = index[last].wrapping_sub(self.first[last]);
            ok &= n <= self.len[last].wrapping_sub(at);
        }
        match self.held.run(index, n) {
            // SAFETY: `run` found the elements held and contiguous, and those of this block are
            // reached by no other one; a cell lies like its value, and is no claim to be alone.
            Some(offset) if ok => unsafe {
                std::slice::from_raw_parts(self.base.wrapping_offset(offset).cast(), n)
            },
            _ => &[],
        }
    }

    /// The value at an item's own place, as [`Own::get`](super::Own::get).
    #[inline(always)]
    pub fn get(&self, index: [usize; D], ids: [usize; D], k: usize, bad: &mut Bad<D>) -> T {
        let (ok, offset) = self.own(index, ids);
        bad.note(ok, k, index);
        if !ok {
            return zero();
        }
        // SAFETY: a held element of this block; no reference to it exists but as a cell.
        unsafe { self.base.wrapping_offset(offset).read() }
    }

    /// Sets the value at an item's own place, as [`Own::set`](super::Own::set).
    #[inline(always)]
    pub fn set(&self, index: [usize; D], ids: [usize; D], k: usize, bad: &mut Bad<D>, value: T) {
        let (ok, offset) = self.own(index, ids);
        bad.note(ok, k, index);
        if ok {
            // SAFETY: a held element of this block; no reference to it exists but as a cell.
            unsafe { self.base.wrapping_offset(offset).write(value) }
        }
    }
}

/// Elements of a [`RawArray`] along a line. Who follows their pointers vouches for what is there.
#[derive(Clone, Copy, Debug)]
pub struct RawRow<'s, T> {
    base: *mut T,
    n: usize,
    _elements: PhantomData<&'s [Cell<T>]>,
}

impl<T: Pod> RawRow<'_, T> {
    /// The number of elements.
    #[inline(always)]
    pub fn len(&self) -> usize {
        self.n
    }

    /// Whether there are none.
    #[inline(always)]
    pub fn is_empty(&self) -> bool {
        self.n == 0
    }

    /// Where an element is, if there are so many.
    #[inline(always)]
    pub fn ptr(&self, at: usize) -> *mut T {
        self.base.wrapping_add(at)
    }

    /// The elements from one on.
    #[inline(always)]
    pub fn from(&self, at: usize) -> Self {
        let (base, n) = (self.base.wrapping_add(at), self.n.saturating_sub(at));
        Self { base, n, _elements: PhantomData }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_held_and_own_ones_of_the_block() {
        let mut all: Vec<u32> = (0..20).collect();
        let held = Held { first: [10], len: [20], stride: [1], shape: [40] };
        // Items 14 to 17, each of which owns the element two on.
        let own = ([16], [4]);
        // SAFETY: the elements are reached through this value only.
        let array = unsafe { RawArray::new(all.as_mut_ptr(), held, own, [2], false) };
        let len = |first, n| array.row([first], n).len();
        assert_eq!([len(10, 20), len(9, 3), len(28, 2), len(28, 3), len(30, 0)], [20, 0, 2, 0, 0]);
        let row = array.row([12], 6);
        assert_eq!((row.ptr(1), row.from(4).ptr(0)), (row.from(1).ptr(0), row.ptr(4)));
        assert_eq!((row.from(4).len(), row.from(7).len()), (2, 0));
        let read = |first: usize, id, n| -> Vec<u32> {
            array.own_row([first], [id], n).iter().map(Cell::get).collect()
        };
        assert_eq!(read(16, 14, 4), [6, 7, 8, 9]);
        assert_eq!(read(17, 15, 2), [7, 8]);
        let none: [Vec<u32>; 4] =
            [read(16, 15, 2), read(16, 14, 5), read(15, 13, 2), read(20, 18, 1)];
        assert!(none.iter().all(Vec::is_empty), "{none:?}");
    }
}
