//! Rows of an array that were checked together. Fenced: it turns their numbers into slices. It does
//! not check which rows there are: `array.rs` does.
#![allow(unsafe_code, reason = "each slice follows the check of its number")]

use std::marker::PhantomData;
use std::ops::Range;

use super::abreast::each;
use super::array::zero;
use crate::host;
use crate::pod::Pod;

/// Bytes from the first row to the last that a cache near the processor holds.
const NEAR: usize = 512 << 10;
/// How many rows ahead the next ones are asked for.
const AHEAD: isize = 16;

/// As many bytes as the widest group of items takes, of elements that are not large.
const BLANK: usize = 512;

/// Zeros for items that have no element, aligned for every element that is aligned to no more.
#[repr(align(64))]
struct Zeros {
    bytes: [u8; BLANK],
}

static ZEROS: Zeros = Zeros { bytes: [0; BLANK] };

/// Some zeros; none where the elements are too large or aligned to more.
#[inline(always)]
pub(super) fn blank<T: Pod>() -> &'static [T] {
    if size_of::<T>() == 0 || align_of::<T>() > align_of::<Zeros>() {
        return &[];
    }
    // SAFETY: so many elements lie in the bytes, which begin where `Zeros` does, aligned for them, and
    // are never written; every bit pattern of a `Pod` type is a value.
    unsafe { std::slice::from_raw_parts(ZEROS.bytes.as_ptr().cast(), BLANK / size_of::<T>()) }
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

    /// The `n` elements of each row from `first` on; no rows if they are not there.
    #[inline(always)]
    pub fn cut(&self, first: usize, n: usize) -> Self {
        let is_there = first <= self.n && n <= self.n - first;
        let rows = if is_there { self.rows } else { 0 };
        Self { base: self.base.wrapping_add(first), rows, n, ..*self }
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
            host::prefetch::<false, _>(ahead);
            host::prefetch::<false, _>(ahead.wrapping_add(N.saturating_sub(1)));
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

/// How many of `rows` rows of `n` elements, `step` apart, may be lent out together to be written.
#[inline(always)]
pub(super) fn separate(rows: usize, n: usize, step: isize) -> usize {
    if step.unsigned_abs() < n { rows.min(1) } else { rows }
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
}

/// Rows of one or more arrays by the same numbers.
///
/// # Safety
///
/// There are as many as `rows` says, and those of different numbers that are written do not overlap.
pub unsafe trait Rows {
    /// The elements of one number.
    type Row;

    /// How many there are, in each array.
    fn rows(&self) -> usize;

    /// Whether each begins where the one before ends, in each array.
    fn are_joined(&self) -> bool;

    /// Those of `joined` numbers from one on, as one.
    ///
    /// # Safety
    ///
    /// They are below `rows`, and nobody has asked for them before. There is one number, or the rows
    /// are joined.
    unsafe fn rows_at(&mut self, number: usize, joined: usize) -> Self::Row;
}

// SAFETY: the maker vouches for so many, none of which is written.
unsafe impl<'s, T: Pod> Rows for Window<'s, T> {
    type Row = &'s [T];

    #[inline(always)]
    fn rows(&self) -> usize {
        self.rows
    }

    #[inline(always)]
    fn are_joined(&self) -> bool {
        usize::try_from(self.step) == Ok(self.n)
    }

    #[inline(always)]
    unsafe fn rows_at(&mut self, number: usize, joined: usize) -> &'s [T] {
        let start = self.base.wrapping_offset((number as isize).wrapping_mul(self.step));
        // SAFETY: the maker vouches for the `n` elements of each of the rows, and it is one of them,
        // or some where each begins at the end of the one before, in one allocation.
        unsafe { std::slice::from_raw_parts(start, self.n * joined) }
    }
}

// SAFETY: the maker vouches for so many, and there are none if they are closer than they are long.
unsafe impl<'s, T: Pod> Rows for Lines<'s, T> {
    type Row = &'s mut [T];

    #[inline(always)]
    fn rows(&self) -> usize {
        separate(self.rows, self.n, self.step)
    }

    #[inline(always)]
    fn are_joined(&self) -> bool {
        usize::try_from(self.step) == Ok(self.n)
    }

    #[inline(always)]
    unsafe fn rows_at(&mut self, number: usize, joined: usize) -> &'s mut [T] {
        let start = self.base.wrapping_offset((number as isize).wrapping_mul(self.step));
        // SAFETY: the maker vouches for the `n` elements of each of the rows, and this is one of them
        // that nobody else has, or some where each begins at the end of the one before, in one
        // allocation.
        unsafe { std::slice::from_raw_parts_mut(start, self.n * joined) }
    }
}

// SAFETY: both have as many as the one with fewer.
unsafe impl<A: Rows, B: Rows> Rows for (A, B) {
    type Row = (A::Row, B::Row);

    #[inline(always)]
    fn rows(&self) -> usize {
        self.0.rows().min(self.1.rows())
    }

    #[inline(always)]
    fn are_joined(&self) -> bool {
        self.0.are_joined() && self.1.are_joined()
    }

    #[inline(always)]
    unsafe fn rows_at(&mut self, number: usize, joined: usize) -> Self::Row {
        // SAFETY: the numbers are below the smaller of both, and new to both. Both are joined if
        // there are several.
        let first = unsafe { self.0.rows_at(number, joined) };
        // SAFETY: likewise.
        let second = unsafe { self.1.rows_at(number, joined) };
        (first, second)
    }
}

/// No array: of those, as many as are asked for.
#[derive(Clone, Copy, Debug)]
pub struct NoRows;

// SAFETY: nothing is there to be reached.
unsafe impl Rows for NoRows {
    type Row = ();

    #[inline(always)]
    fn rows(&self) -> usize {
        usize::MAX
    }

    #[inline(always)]
    fn are_joined(&self) -> bool {
        true
    }

    #[inline(always)]
    unsafe fn rows_at(&mut self, _number: usize, _joined: usize) {}
}

/// Works on the rows of all numbers in a range that there are, which is asked once: on one after the
/// other, or where that is wanted and they are joined, on all as one. `work` is given the first
/// number, `n` for each number that is in the row, and the row.
#[inline(always)]
pub fn each_row<R: Rows>(
    mut all: R,
    numbers: Range<usize>,
    joined: bool,
    n: usize,
    mut work: impl FnMut(usize, usize, R::Row),
) {
    let (mut number, end) = (numbers.start, numbers.end.min(all.rows()));
    let by = if joined && number < end && all.are_joined() { end - number } else { 1 };
    while number < end {
        // SAFETY: the numbers end at the number of rows, as it is one or `end - number`, and are
        // larger than those before; only joined rows are taken together.
        work(number, n * by, unsafe { all.rows_at(number, by) });
        number += by;
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
    }

    #[test]
    fn rows_of_several_arrays_are_taken_together() {
        let (read, mut plane): (Vec<u32>, Vec<u32>) = ((0..24).collect(), vec![0; 24]);
        // SAFETY: three rows of six elements, eight apart, read only through the window.
        let window = unsafe { Window::new(read.as_ptr(), 8, 3, 6) };
        let base = plane.as_mut_ptr();
        // SAFETY: the same, written through one value at a time.
        let lines = |step, n| unsafe { Lines::new(base, step, 3, n) };
        let both = (((NoRows, window.cut(0, 4)), window.cut(2, 4)), lines(8, 4));
        let mut numbers = vec![];
        each_row(both, 1..9, true, 4, |number, n, ((((), left), right), sums)| {
            numbers.push((number, n));
            sums.iter_mut().zip(left.iter().zip(right)).for_each(|(sum, (a, b))| *sum = a + b);
        });
        assert_eq!(numbers, [(1, 4), (2, 4)], "there are no more, and they are not joined");
        assert_eq!(plane[8..20], [18, 20, 22, 24, 0, 0, 0, 0, 34, 36, 38, 40]);
        assert_eq!(plane[..8], [0; 8]);
        assert_eq!([window.cut(3, 4).rows(), window.cut(7, 0).rows()], [0, 0]);
        assert_eq!(lines(5, 6).rows(), 1, "written rows do not overlap");
    }

    #[test]
    fn rows_that_follow_one_another_are_one() {
        let (read, mut plane): (Vec<u32>, Vec<u32>) = ((0..24).collect(), vec![0; 24]);
        let base = plane.as_mut_ptr();
        // SAFETY: six rows of four elements, four apart, read only.
        let window = unsafe { Window::new(read.as_ptr(), 4, 6, 4) };
        // SAFETY: the same, written through one value at a time.
        let both = || unsafe { ((NoRows, window), Lines::new(base, 4, 6, 4)) };
        for (joined, expected) in [(true, vec![(2, 12)]), (false, vec![(2, 4), (3, 4), (4, 4)])] {
            let mut seen = vec![];
            each_row(both(), 2..5, joined, 4, |number, n, (((), from), to)| {
                seen.push((number, n));
                assert_eq!([from.len(), to.len()], [n, n]);
                to.iter_mut().zip(from).for_each(|(to, from)| *to += from);
            });
            assert_eq!(seen, expected);
        }
        let twice: Vec<u32> =
            (0..24).map(|k| if (8..20).contains(&k) { 2 * k } else { 0 }).collect();
        assert_eq!(plane, twice);
        // SAFETY: as above, with rows that are part of what is four apart.
        let part = unsafe { Window::new(read.as_ptr(), 4, 6, 3) };
        assert!(!Rows::are_joined(&part) && Rows::are_joined(&NoRows));
    }
}
