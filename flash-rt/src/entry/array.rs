//! Arrays as entries reach them. Fenced: it turns checked indices into references and values.
//!
//! Every method that is not `unsafe` checks its index against the box the array was made for; what
//! an [`Own`] may write is the part of the array that the block's items own. It does not decide who
//! gets an array: `args.rs` does.
#![allow(unsafe_code, reason = "each operation follows the check of its index")]

use std::marker::PhantomData;

use super::abreast::each;
use super::bad::Bad;
use super::window::{Lines, Window, separate};
use crate::atomic::{Atomic, AtomicElem};
use crate::pod::Pod;

/// A zero of an element type.
#[inline(always)]
pub(super) fn zero<T: Pod>() -> T {
    // SAFETY: every bit pattern of a `Pod` type is a value.
    unsafe { std::mem::zeroed() }
}

/// A box of an array: where its elements are. The elements of distinct indices are distinct unless
/// the array is only read.
#[derive(Clone, Copy, Debug)]
pub(super) struct Held<const D: usize> {
    /// Global index of the first element.
    pub(super) first: [usize; D],
    /// Number of elements in each dimension.
    pub(super) len: [usize; D],
    /// Distance of neighbours in elements.
    pub(super) stride: [isize; D],
    /// Shape of the whole array.
    pub(super) shape: [usize; D],
}

#[allow(clippy::needless_range_loop, reason = "indices of arrays become straight code")]
impl<const D: usize> Held<D> {
    /// Whether `index` is held, and how many elements it is from the first; 0 if it is not.
    #[inline(always)]
    pub(super) fn offset(&self, index: [usize; D]) -> (bool, isize) {
        let (mut ok, mut offset) = (true, 0_isize);
        for d in 0..D {
            let at = index[d].wrapping_sub(self.first[d]);
            ok &= at < self.len[d];
            offset = offset.wrapping_add((at as isize).wrapping_mul(self.stride[d]));
        }
        (ok, if ok { offset } else { 0 })
    }

    /// The offset of an index that somebody else vouches for.
    #[inline(always)]
    pub(super) fn assumed(&self, index: [usize; D]) -> isize {
        let mut offset = 0_isize;
        for d in 0..D {
            let at = index[d].wrapping_sub(self.first[d]) as isize;
            offset = offset.wrapping_add(at.wrapping_mul(self.stride[d]));
        }
        offset
    }

    /// The offset of a run of `n` elements along the last dimension that is held and contiguous.
    #[inline(always)]
    pub(super) fn run(&self, index: [usize; D], n: usize) -> Option<isize> {
        let last = D.checked_sub(1)?;
        let (ok, offset) = self.offset(index);
        let at = index[last].wrapping_sub(self.first[last]);
        (ok && self.stride[last] == 1 && n <= self.len[last] - at).then_some(offset)
    }

    /// The offset of the first of `rows` such runs, each one on from the one before in the
    /// dimensions with a 1 in `moves`, and how far apart they are. What lies between two held
    /// indices is held.
    #[inline(always)]
    fn runs(
        &self,
        index: [usize; D],
        moves: [usize; D],
        n: usize,
        rows: usize,
    ) -> Option<(isize, isize)> {
        let more = rows.checked_sub(1)?;
        let (mut end, mut step) = (index, 0_isize);
        for d in 0..D {
            let far = moves[d].checked_mul(more)?;
            end[d] = end[d].checked_add(far)?;
            step = step.wrapping_add((moves[d] as isize).wrapping_mul(self.stride[d]));
        }
        self.run(end, n)?;
        Some((self.run(index, n)?, step))
    }

    /// The indices held of a dimension: the first, and how many; none beyond the rank.
    #[inline(always)]
    fn range(&self, dim: usize) -> (usize, usize) {
        if dim < D { (self.first[dim], self.len[dim]) } else { (0, 0) }
    }
}

/// An array that nobody writes during the launch.
#[derive(Clone, Copy, Debug)]
pub struct Input<'s, T, const D: usize> {
    base: *const T,
    held: Held<D>,
    zero: T,
    check_all: bool,
    _elements: PhantomData<&'s [T]>,
}

impl<'s, T: Pod, const D: usize> Input<'s, T, D> {
    /// # Safety
    ///
    /// For `'s`, the elements of `held`, the first of which is at `base`, are initialised, aligned,
    /// in one allocation and not written.
    #[inline(always)]
    pub(super) unsafe fn new(base: *const T, held: Held<D>, check_all: bool) -> Self {
        Self { base, held, zero: zero(), check_all, _elements: PhantomData }
    }

    /// No elements, for a body that asks for none.
    #[inline(always)]
    pub fn none() -> Self {
        let held = Held { first: [0; D], len: [0; D], stride: [0; D], shape: [0; D] };
        let base = std::ptr::NonNull::<T>::dangling().as_ptr();
        Self { base, held, zero: zero(), check_all: true, _elements: PhantomData }
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

    /// The `n` elements from `index` along the last dimension; empty unless they are contiguous and
    /// all there.
    #[inline(always)]
    pub fn row(&self, index: [usize; D], n: usize) -> &'s [T] {
        match self.held.run(index, n) {
            // SAFETY: `run` found the `n` elements held and contiguous.
            Some(offset) => unsafe {
                std::slice::from_raw_parts(self.base.wrapping_offset(offset), n)
            },
            None => &[],
        }
    }

    /// The indices held of a dimension: the first, and how many.
    #[inline(always)]
    pub fn held(&self, dim: usize) -> (usize, usize) {
        self.held.range(dim)
    }

    /// `rows` rows of `n` elements: the first from `index` on, each of the others one on in the
    /// dimensions with a 1 in `moves`. No rows unless all of them are there.
    #[inline(always)]
    pub fn window(
        &self,
        index: [usize; D],
        moves: [usize; D],
        n: usize,
        rows: usize,
    ) -> Window<'s, T> {
        let (offset, step, rows) = match self.held.runs(index, moves, n, rows) {
            Some((offset, step)) => (offset, step, rows),
            None => (0, 0, 0),
        };
        // SAFETY: `runs` found the `n` elements of each of the `rows` rows held and contiguous.
        unsafe { Window::new(self.base.wrapping_offset(offset), step, rows, n) }
    }

    /// The element at `index`; zero, with a note for item `k` of the line, if there is none.
    #[inline(always)]
    pub fn get(&self, index: [usize; D], k: usize, bad: &mut Bad<D>) -> T {
        let (ok, offset) = self.held.offset(index);
        bad.note(ok, k, index);
        let element = if ok { self.base.wrapping_offset(offset) } else { &raw const self.zero };
        // SAFETY: a held element, or the zero beside it.
        unsafe { element.read() }
    }

    /// The element at `index`, checked only under `FLASH_CHECK=all`.
    ///
    /// # Safety
    ///
    /// `index` is inside the array.
    #[inline(always)]
    pub unsafe fn get_unchecked(&self, index: [usize; D], k: usize, bad: &mut Bad<D>) -> T {
        if self.check_all {
            return self.get(index, k, bad);
        }
        let offset = self.held.assumed(index);
        // SAFETY: the caller vouches for the index.
        unsafe { self.base.wrapping_offset(offset).read() }
    }
}

/// The part of a written array that the items of one block own.
#[derive(Debug)]
pub struct Own<'s, T, const D: usize> {
    base: *mut T,
    held: Held<D>,
    /// What is added to the ids of an item to get its own place.
    offset: [usize; D],
    /// What [`Own::hold`] found: offset of the first row, step, rows, length.
    window: (isize, isize, usize, usize),
    dummy: T,
    _elements: PhantomData<&'s mut [T]>,
}

impl<T: Pod, const D: usize> Own<'_, T, D> {
    /// # Safety
    ///
    /// For `'s`, the elements of `held`, the first of which is at `base`, are initialised, aligned,
    /// in one allocation, distinct for distinct indices, and reached through this value only.
    #[inline(always)]
    pub(super) unsafe fn new(base: *mut T, held: Held<D>, offset: [usize; D]) -> Self {
        Self { base, held, offset, window: (0, 0, 0, 0), dummy: zero(), _elements: PhantomData }
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

    /// Whether `index` is the place of the item with these ids, and where it is. `ids` repeats the
    /// index in components that are free.
    #[inline(always)]
    fn own(&self, index: [usize; D], ids: [usize; D]) -> (bool, isize) {
        let (mut ok, offset) = self.held.offset(index);
        for d in 0..D {
            ok &= index[d] == ids[d].wrapping_add(self.offset[d]);
        }
        (ok, offset)
    }

    /// The places of `n` items from the one with these ids on, along the last dimension; empty
    /// unless they are contiguous and all there.
    #[inline(always)]
    pub fn row(&mut self, index: [usize; D], ids: [usize; D], n: usize) -> &mut [T] {
        let [row] = self.rows([index], [ids], n);
        row
    }

    /// Several rows of the same items. All are empty unless each is contiguous, all there, and
    /// disjoint from the others.
    #[inline(always)]
    pub fn rows<const N: usize>(
        &mut self,
        index: [[usize; D]; N],
        ids: [[usize; D]; N],
        n: usize,
    ) -> [&mut [T]; N] {
        let mut offsets = [0_isize; N];
        let mut ok = true;
        for r in 0..N {
            for d in 0..D {
                ok &= index[r][d] == ids[r][d].wrapping_add(self.offset[d]);
            }
            match self.held.run(index[r], n) {
                Some(offset) => offsets[r] = offset,
                None => ok = false,
            }
            for other in 0..r {
                ok &= disjoint(index[r], index[other], n);
            }
        }
        let base = self.base;
        each(
            #[inline(always)]
            |row| {
                if ok {
                    let start = base.wrapping_offset(offsets[row]);
                    // SAFETY: `run` found the elements held and contiguous; the rows are disjoint,
                    // and nothing else of this array is lent out while `self` is borrowed.
                    unsafe { std::slice::from_raw_parts_mut(start, n) }
                } else {
                    &mut []
                }
            },
        )
    }

    /// The indices of a dimension that the items of this block own: the first, and how many.
    #[inline(always)]
    pub fn held(&self, dim: usize) -> (usize, usize) {
        self.held.range(dim)
    }

    /// Gets ready for [`Own::line`]: the places of `rows` lines of `n` items, the first of which
    /// has these ids; index and ids of each of the others are one on in the dimensions with a 1 in
    /// `moves`.
    #[inline(always)]
    pub fn hold(
        &mut self,
        index: [usize; D],
        ids: [usize; D],
        moves: [usize; D],
        n: usize,
        rows: usize,
    ) {
        let (own, _) = self.own(index, ids);
        self.window = match self.held.runs(index, moves, n, rows) {
            Some((offset, step)) if own => (offset, step, rows, n),
            _ => (0, 0, 0, n),
        };
    }

    /// The number of rows made ready, as many as [`lines`](Self::lines) has; 0 if not all of them are
    /// there.
    #[inline(always)]
    pub fn n_lines(&self) -> usize {
        let (_, step, rows, n) = self.window;
        separate(rows, n, step)
    }

    /// The rows made ready.
    #[inline(always)]
    pub fn lines(&mut self) -> Lines<'_, T> {
        let (offset, step, rows, n) = self.window;
        // SAFETY: `Held::runs` found the `n` elements of each of the `rows` rows held and
        // contiguous, and `self` is borrowed for as long as the rows are.
        unsafe { Lines::new(self.base.wrapping_offset(offset), step, rows, n) }
    }

    /// One of the rows made ready; empty if there is none.
    #[inline(always)]
    pub fn line(&mut self, row: usize) -> &mut [T] {
        let (offset, step, rows, n) = self.window;
        if row >= rows {
            return &mut [];
        }
        let offset = offset.wrapping_add((row as isize).wrapping_mul(step));
        // SAFETY: `Held::runs` found the `n` elements of each of the `rows` rows held and
        // contiguous, and nothing else of this array is lent out while `self` is borrowed.
        unsafe { std::slice::from_raw_parts_mut(self.base.wrapping_offset(offset), n) }
    }

    /// The value at an item's place; zero, with a note for item `k` of the line, if `index` is not
    /// its place or not in the array.
    #[inline(always)]
    pub fn get(&self, index: [usize; D], ids: [usize; D], k: usize, bad: &mut Bad<D>) -> T {
        let (ok, offset) = self.own(index, ids);
        bad.note(ok, k, index);
        if !ok {
            return zero();
        }
        // SAFETY: a held element, borrowed by nobody while `self` is.
        unsafe { self.base.wrapping_offset(offset).read() }
    }

    /// Sets the value at an item's place, or notes that `index` is not it.
    #[inline(always)]
    pub fn set(
        &mut self,
        index: [usize; D],
        ids: [usize; D],
        k: usize,
        bad: &mut Bad<D>,
        value: T,
    ) {
        let (ok, offset) = self.own(index, ids);
        bad.note(ok, k, index);
        if ok {
            // SAFETY: a held element, borrowed by nobody while `self` is.
            unsafe { self.base.wrapping_offset(offset).write(value) }
        }
    }

    /// An item's place, or a place that nobody reads.
    #[inline(always)]
    pub fn place(
        &mut self,
        index: [usize; D],
        ids: [usize; D],
        k: usize,
        bad: &mut Bad<D>,
    ) -> &mut T {
        let (ok, offset) = self.own(index, ids);
        bad.note(ok, k, index);
        if !ok {
            self.dummy = zero();
            return &mut self.dummy;
        }
        // SAFETY: a held element, borrowed by nobody while `self` is.
        unsafe { &mut *self.base.wrapping_offset(offset) }
    }
}

/// Whether two runs of `n` elements along the last dimension have no element in common.
#[inline(always)]
fn disjoint<const D: usize>(a: [usize; D], b: [usize; D], n: usize) -> bool {
    let last = D.wrapping_sub(1);
    (0..D).any(|d| if d == last { a[d].abs_diff(b[d]) >= n } else { a[d] != b[d] })
}

/// Cells that all items may change.
#[derive(Debug)]
pub struct AtomicArray<'s, T: AtomicElem, const D: usize> {
    base: *const Atomic<T>,
    held: Held<D>,
    dummy: Atomic<T>,
    _elements: PhantomData<&'s [Atomic<T>]>,
}

#[allow(clippy::needless_range_loop, reason = "indices of arrays become straight code")]
impl<T: AtomicElem, const D: usize> AtomicArray<'_, T, D> {
    /// # Safety
    ///
    /// For `'s`, the elements of `held`, the first of which is at `base`, are initialised, aligned
    /// for the cell, in one allocation, and reached as atomic cells only.
    #[inline(always)]
    pub(super) unsafe fn new(base: *const Atomic<T>, held: Held<D>) -> Self {
        Self { base, held, dummy: Atomic::new(zero()), _elements: PhantomData }
    }

    /// The number of cells of the whole array.
    #[inline(always)]
    pub fn len(&self) -> usize {
        self.held.shape.iter().product()
    }

    /// Whether the array has no cells.
    #[inline(always)]
    pub fn is_empty(&self) -> bool {
        self.held.shape.contains(&0)
    }

    /// The extent of a dimension of the whole array; 0 beyond its rank.
    #[inline(always)]
    pub fn extent(&self, dim: usize) -> usize {
        if dim < D { self.held.shape[dim] } else { 0 }
    }

    /// How many cells are held.
    #[inline(always)]
    pub(super) fn n_held(&self) -> usize {
        self.held.len.iter().fold(1, |n, len| n.saturating_mul(*len))
    }

    /// The number of the held cell at `index`, the last dimension fastest.
    #[inline(always)]
    pub(super) fn number(&self, index: [usize; D]) -> Option<usize> {
        let (mut ok, mut number) = (true, 0_usize);
        for d in 0..D {
            let at = index[d].wrapping_sub(self.held.first[d]);
            ok &= at < self.held.len[d];
            number = number.wrapping_mul(self.held.len[d]).wrapping_add(at);
        }
        ok.then_some(number)
    }

    /// The held cell with a number.
    pub(super) fn numbered(&self, number: usize) -> Option<&Atomic<T>> {
        let (mut index, mut rest) = ([0; D], number);
        for d in (0..D).rev() {
            let len = self.held.len[d];
            index[d] = self.held.first[d].wrapping_add(rest.checked_rem(len)?);
            rest /= len;
        }
        let (ok, offset) = self.held.offset(index);
        // SAFETY: a held cell.
        (ok && rest == 0).then(|| unsafe { &*self.base.wrapping_offset(offset) })
    }

    /// The cell at `index`; one that reads zero, with a note for item `k`, if there is none.
    #[inline(always)]
    pub fn at(&self, index: [usize; D], k: usize, bad: &mut Bad<D>) -> &Atomic<T> {
        let (ok, offset) = self.held.offset(index);
        bad.note(ok, k, index);
        if !ok {
            self.dummy.store(zero());
            return &self.dummy;
        }
        // SAFETY: a held cell.
        unsafe { &*self.base.wrapping_offset(offset) }
    }
}
