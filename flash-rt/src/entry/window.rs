//! Rows of an array that were checked together. Fenced: it turns their numbers into slices. It does
//! not check which rows there are: `array.rs` does.
#![allow(unsafe_code, reason = "each slice follows the check of its number")]

use std::marker::PhantomData;

use super::abreast::each;
use super::array::zero;
use crate::pod::Pod;

/// Bytes from the first row to the last that a cache near the processor holds.
const NEAR: usize = 512 << 10;
/// How many rows ahead the next ones are asked for.
const AHEAD: isize = 16;

/// Asks for what is there, if anything is, without reading it.
#[inline(always)]
fn prefetch<T>(place: *const T) {
    #[cfg(all(target_arch = "x86_64", not(miri)))]
    // SAFETY: every processor of the target has the instruction, which never fails.
    unsafe {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        _mm_prefetch::<_MM_HINT_T0>(place.cast());
    }
    #[cfg(not(all(target_arch = "x86_64", not(miri))))]
    let _ = place;
}

/// Rows of one array, each as far from the one before, all checked when it was made.
#[derive(Clone, Copy, Debug)]
pub struct Window<'s, T> {
    base: *const T,
    step: isize,
    rows: usize,
    n: usize,
    /// Whether the rows are too far apart for a cache near the processor, which does not see by
    /// itself that the next one is wanted.
    is_far: bool,
    _elements: PhantomData<&'s [T]>,
}

impl<'s, T: Pod> Window<'s, T> {
    /// # Safety
    ///
    /// For `'s`, the `n` elements of each of the `rows` rows, `step` elements apart, the first of
    /// which is at `base`, are initialised, aligned, in one allocation and not written.
    #[inline(always)]
    pub(super) unsafe fn new(base: *const T, step: isize, rows: usize, n: usize) -> Self {
        let is_far = step.unsigned_abs().saturating_mul(rows) > NEAR / size_of::<T>().max(1);
        Self { base, step, rows, n, is_far, _elements: PhantomData }
    }

    /// A row; empty if there are not so many.
    #[inline(always)]
    pub fn row(&self, row: usize) -> &'s [T] {
        if row >= self.rows {
            return &[];
        }
        let start = self.base.wrapping_offset((row as isize).wrapping_mul(self.step));
        // SAFETY: the maker vouches for the `n` elements of each of the `rows` rows.
        unsafe { std::slice::from_raw_parts(start, self.n) }
    }

    /// The `n` elements of a row from `first` on; empty if they are not there.
    #[inline(always)]
    pub fn part(&self, row: usize, first: usize, n: usize) -> &'s [T] {
        if row >= self.rows || first > self.n || self.n - first < n {
            return &[];
        }
        let start = (row as isize).wrapping_mul(self.step).wrapping_add(first as isize);
        // SAFETY: as for `row`; these are `n` of its `self.n` elements.
        unsafe { std::slice::from_raw_parts(self.base.wrapping_offset(start), n) }
    }

    /// `N` elements of a row from `first` on; zeros if they are not there.
    #[inline(always)]
    pub fn items<const N: usize>(&self, row: usize, first: usize) -> [T; N] {
        if row >= self.rows || N > self.n || first > self.n - N {
            return [zero(); N];
        }
        let start = (row as isize).wrapping_mul(self.step).wrapping_add(first as isize);
        if self.is_far {
            let ahead = start.wrapping_add(self.step.wrapping_mul(AHEAD));
            let ahead = self.base.wrapping_offset(ahead);
            prefetch(ahead);
            prefetch(ahead.wrapping_add(N.saturating_sub(1)));
        }
        // SAFETY: as for `row`; these are `N` of its `n` elements, and arrays lie like slices.
        unsafe { self.base.wrapping_offset(start).cast::<[T; N]>().read() }
    }

    /// `N` rows from `first` on; empty ones if they are not there.
    #[inline(always)]
    pub fn some<const N: usize>(&self, first: usize) -> [&'s [T]; N] {
        if N > self.rows || first > self.rows - N {
            return [&[]; N];
        }
        each(
            #[inline(always)]
            |row| self.row(first + row),
        )
    }

    /// The first `N` elements of each of `R` rows; zeros where there are none.
    #[inline(always)]
    pub fn table<const N: usize, const R: usize>(&self) -> [[T; N]; R] {
        each(
            #[inline(always)]
            |row| self.items(row, 0),
        )
    }

    /// The first `R` elements of each of `N` rows, those of one place together; zeros where there
    /// are none.
    #[inline(always)]
    pub fn turned<const N: usize, const R: usize>(&self) -> [[T; N]; R] {
        let rows: [[T; R]; N] = self.table();
        each(
            #[inline(always)]
            |place| {
                each(
                    #[inline(always)]
                    |row| rows[row][place],
                )
            },
        )
    }

    /// The number of rows; 0 if not all of them are there.
    #[inline(always)]
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// The first element of a row; zero if there is none.
    #[inline(always)]
    pub fn first(&self, row: usize) -> T {
        self.row(row).first().copied().unwrap_or_else(zero)
    }
}

/// Rows of one array to be written, each as far from the one before, all checked when they were
/// made ready.
#[derive(Debug)]
pub struct Lines<'s, T> {
    base: *mut T,
    step: isize,
    rows: usize,
    n: usize,
    _elements: PhantomData<&'s mut [T]>,
}

impl<T: Pod> Lines<'_, T> {
    /// # Safety
    ///
    /// As [`Window::new`], and the elements are reached through this value only.
    #[inline(always)]
    pub(super) unsafe fn new(base: *mut T, step: isize, rows: usize, n: usize) -> Self {
        Self { base, step, rows, n, _elements: PhantomData }
    }

    /// A row; empty if there are not so many.
    #[inline(always)]
    pub fn row(&mut self, row: usize) -> &mut [T] {
        if row >= self.rows {
            return &mut [];
        }
        let start = self.base.wrapping_offset((row as isize).wrapping_mul(self.step));
        // SAFETY: the maker vouches for the `n` elements of each of the `rows` rows, and this value
        // is borrowed for as long as the row is.
        unsafe { std::slice::from_raw_parts_mut(start, self.n) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_there_or_empty() {
        let mut plane: Vec<u32> = (0..24).collect();
        let base = plane.as_mut_ptr();
        // SAFETY: three rows of six elements, eight apart, read only through the window.
        let window = unsafe { Window::new(base.cast_const(), 8, 3, 6) };
        assert_eq!(window.row(2), [16, 17, 18, 19, 20, 21]);
        assert_eq!(window.part(1, 2, 4), [10, 11, 12, 13]);
        assert!(window.part(1, 3, 4).is_empty());
        assert!(window.part(1, 7, 0).is_empty());
        assert!(window.row(3).is_empty() && window.part(3, 0, 1).is_empty());
        assert_eq!(window.table::<2, 3>(), [[0, 1], [8, 9], [16, 17]]);
        assert_eq!(window.turned::<3, 2>(), [[0, 8, 16], [1, 9, 17]]);
        assert_eq!(window.turned::<4, 7>(), [[0; 4]; 7], "rows of seven are not there");
        // SAFETY: as above; the window is not used any more.
        let mut lines = unsafe { Lines::new(base, 8, 3, 6) };
        lines.row(1).fill(0);
        assert!(lines.row(3).is_empty());
        assert_eq!(plane[7..15], [7, 0, 0, 0, 0, 0, 0, 14]);
    }
}
