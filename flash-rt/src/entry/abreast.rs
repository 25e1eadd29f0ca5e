//! Items side by side: each of their locals is an array with one element for each item. Fenced: it
//! fills such arrays. It does not know what the items do.
#![allow(unsafe_code, reason = "an array is filled before it is one")]

use std::marker::PhantomData;
use std::mem::MaybeUninit;

/// How many items go side by side: a vector of `f32` where the processor has AVX-512.
pub const ABREAST: usize = 16;

/// How many go side by side where they have loops with conditions of their own only: two such vectors, as each
/// trip waits for the one before.
pub const MANY_ABREAST: usize = 2 * ABREAST;

/// How many items go side by side where each reads a row of its own: enough for their sums not to
/// wait for one another, and few enough for the rows to be read as streams.
pub const FEW_ABREAST: usize = 8;

/// The value of a local for each item. Unlike `std::array::from_fn` it is always inlined, so compiled
/// for the instructions of its caller.
#[inline(always)]
pub fn each<T, const N: usize>(value: impl Fn(usize) -> T) -> [T; N] {
    let mut all = [const { MaybeUninit::uninit() }; N];
    for (item, place) in all.iter_mut().enumerate() {
        place.write(value(item));
    }
    // SAFETY: the loop above has written every element; both arrays have the same layout.
    unsafe { (&raw const all).cast::<[T; N]>().read() }
}

/// The part of a row that belongs to the items from `first` on.
#[inline(always)]
pub fn abreast<T, const N: usize>(row: &[T], first: usize) -> Option<&[T; N]> {
    row.get(first..)?.first_chunk()
}

/// As [`abreast`], to be written.
#[inline(always)]
pub fn abreast_mut<T, const N: usize>(row: &mut [T], first: usize) -> Option<&mut [T; N]> {
    row.get_mut(first..)?.first_chunk_mut()
}

/// Groups of elements of a row, one behind the other.
#[derive(Clone, Copy, Debug)]
pub struct Groups<'r, T> {
    // Not a slice: with a discriminant of its own, an option of it is not a pointer to be looked at.
    row: *const T,
    len: usize,
    by: usize,
    n: usize,
    _row: PhantomData<&'r [T]>,
}

impl<'r, T> Groups<'r, T> {
    /// `n` groups of `by` elements, one or more, from `first` on, if they are there.
    #[inline(always)]
    pub fn new(row: &'r [T], first: usize, by: usize, n: usize) -> Option<Self> {
        let len = row.len().checked_sub(first)?;
        let row = row.as_ptr().wrapping_add(first);
        (n > 0 && by > 0 && n <= len / by).then_some(Self { row, len, by, n, _row: PhantomData })
    }

    /// The elements of a group; of the first one if there are not so many.
    #[inline(always)]
    pub fn group(&self, group: usize) -> &'r [T] {
        let first = if group < self.n { group * self.by } else { 0 };
        // SAFETY: the row has `n` groups of `by` elements, one at least.
        unsafe { std::slice::from_raw_parts(self.row.wrapping_add(first), self.by) }
    }

    /// So many elements from `first` on, or the last ones if there are not as many.
    #[inline(always)]
    pub fn from(&self, first: usize) -> &'r [T] {
        let first = first.min(self.len - self.by);
        // SAFETY: there are `len`, no fewer than `by`.
        unsafe { std::slice::from_raw_parts(self.row.wrapping_add(first), self.by) }
    }
}

/// As [`Groups`], to be written.
#[derive(Debug)]
pub struct GroupsMut<'r, T> {
    row: *mut T,
    len: usize,
    by: usize,
    n: usize,
    _row: PhantomData<&'r mut [T]>,
}

impl<'r, T> GroupsMut<'r, T> {
    /// As [`Groups::new`].
    #[inline(always)]
    pub fn new(row: &'r mut [T], first: usize, by: usize, n: usize) -> Option<Self> {
        let len = row.len().checked_sub(first)?;
        let row = row.as_mut_ptr().wrapping_add(first);
        (n > 0 && by > 0 && n <= len / by).then_some(Self { row, len, by, n, _row: PhantomData })
    }

    /// As [`Groups::group`].
    #[inline(always)]
    pub fn group(&mut self, group: usize) -> &mut [T] {
        let first = if group < self.n { group * self.by } else { 0 };
        // SAFETY: as for `Groups`, and this value is borrowed for as long as the group is.
        unsafe { std::slice::from_raw_parts_mut(self.row.wrapping_add(first), self.by) }
    }

    /// As [`Groups::from`].
    #[inline(always)]
    pub fn from(&mut self, first: usize) -> &mut [T] {
        let first = first.min(self.len - self.by);
        // SAFETY: as for `group`.
        unsafe { std::slice::from_raw_parts_mut(self.row.wrapping_add(first), self.by) }
    }
}

/// How many elements a vector holds, of 512 bits where there are many such, else of 256.
#[inline(always)]
pub const fn vector<T, const DEEP: bool>() -> usize {
    const { assert!(size_of::<T>() > 0) };
    let bytes = if DEEP { 64 } else { 32 };
    match bytes / size_of::<T>() {
        0..4 => 4,
        items => items,
    }
}

/// Items of such a number are as many as a loop over them takes at once, several vectors of `f32`.
const AT_ONCE: usize = 4 * ABREAST;

/// How many of `n` items a plain loop does best, so that [`ABREAST`] at a time do the rest: all of
/// them if there are less than that.
#[inline(always)]
pub fn plain_items(n: usize) -> usize {
    if n < ABREAST { n } else { n & !(AT_ONCE - 1) }
}

/// Items of a row from which on aligned vectors gain. How many are not aligned differs from row to
/// row, so branches are mispredicted; a five-point stencil of 256 to 320 columns takes 1.15 times as
/// long with aligned stores, one of 510 to 1,000 takes 0.9 times (Zen 4, in cache).
const ALIGNED_FROM: usize = 6 * AT_ONCE;

/// Where the second of the groups of a row that is written starts: behind the first one, or so much
/// before that that its place is aligned for a vector, where the row is long enough for that to gain.
#[inline(always)]
pub fn second<T>(row: &[T], by: usize) -> usize {
    if row.len() < ALIGNED_FROM {
        return by;
    }
    let items = row.as_ptr().align_offset(if by * size_of::<T>() < 64 { 32 } else { 64 });
    if items > 0 && items < by { items } else { by }
}

/// A number as it is, of which the compiler knows nothing: so it packs the items of a group and not
/// those of several groups, whose elements would have to be sorted first.
#[inline(always)]
pub fn apart(number: usize) -> usize {
    #[cfg(all(target_arch = "x86_64", not(miri)))]
    {
        let mut number = number;
        // SAFETY: no instruction, which changes nothing.
        unsafe {
            std::arch::asm!("/* {0} */", inout(reg) number, options(nomem, nostack, preserves_flags));
        }
        number
    }
    #[cfg(not(all(target_arch = "x86_64", not(miri))))]
    std::hint::black_box(number)
}

/// Stands in each trip of a loop over groups: the compiler packs the items of a group, and leaves
/// trips as they are, which short rows do not pay for together.
#[inline(always)]
pub fn trip() {
    #[cfg(all(target_arch = "x86_64", not(miri)))]
    // SAFETY: no instruction, which changes nothing.
    unsafe {
        std::arch::asm!("", options(nomem, nostack, preserves_flags));
    }
}

/// Whether an item goes on, as wide as what it computes with: such flags pack.
#[inline(always)]
pub fn flag(on: bool) -> u32 {
    if on { u32::MAX } else { 0 }
}

/// Whether any of the items goes on.
#[inline(always)]
pub fn any<const N: usize>(flags: &[u32; N]) -> bool {
    let mut any = 0;
    for flag in flags {
        any |= flag;
    }
    any != 0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_item_has_its_own_value() {
        let squares: [usize; ABREAST] = each(|item| item * item);
        assert!(squares.iter().enumerate().all(|(item, square)| *square == item * item));
        assert!(!any::<ABREAST>(&each(|_| flag(false))));
        assert!((0..ABREAST).all(|on| any::<ABREAST>(&each(|item| flag(item == on)))));
    }

    #[test]
    fn what_a_plain_loop_leaves_is_done_abreast() {
        for n in 0..300 {
            let plain = plain_items(n);
            assert!(plain <= n && n - plain < AT_ONCE, "{n}");
            assert!(plain == n || n >= ABREAST, "{n}");
        }
    }

    #[test]
    fn the_second_group_starts_aligned_in_long_rows() {
        let row: Vec<f32> = vec![0.0; 800];
        for first in 0..40 {
            for by in [vector::<f32, false>(), vector::<f32, true>()] {
                let at = second(&row[first..], by);
                assert!((1..=by).contains(&at));
                assert_eq!(row[first + at..].as_ptr().align_offset(4 * by), 0, "{first}");
                assert_eq!(second(&row[first..first + 100], by), by);
            }
        }
        let bytes: Vec<u8> = vec![0; 800];
        assert!(
            (0..40).all(|first| (1..=32).contains(&second(&bytes[first..], vector::<u8, false>())))
        );
        assert!((0..40).all(|first| second(&vec![[0_u8; 3]; 800][first..], 10) <= 10));
        let wide = [vector::<f64, true>(), vector::<u8, true>(), vector::<[f64; 9], true>()];
        let narrow = [vector::<f64, false>(), vector::<u8, false>(), vector::<[f64; 9], false>()];
        assert_eq!([narrow, wide], [[4, 32, 4], [8, 64, 4]]);
    }

    #[test]
    fn groups_stay_inside_of_their_row() {
        let mut row: Vec<usize> = (0..20).collect();
        assert!(
            Groups::new(&row, 5, 8, 2).is_none() && GroupsMut::new(&mut row, 5, 8, 2).is_none()
        );
        assert!(Groups::new(&row, 21, 1, 1).is_none() && Groups::new(&row, 0, 8, 0).is_none());
        assert!(
            Groups::new(&row, 1, usize::MAX, 2).is_none() && Groups::new(&row, 0, 0, 1).is_none()
        );
        let firsts = |row: &[usize]| {
            let groups = Groups::new(row, 4, 8, 2)?;
            Some([0, 1, 2, usize::MAX].map(|at| (groups.group(at)[0], groups.group(at).len())))
        };
        assert_eq!(firsts(&row), Some([(4, 8), (12, 8), (4, 8), (4, 8)]));
        let from = |first| Groups::new(&row, 1, 8, 1).map(|groups| groups.from(first)[0]);
        assert_eq!([0, 3, 11, usize::MAX].map(from), [1, 4, 12, 12].map(Some));
        if let Some(mut groups) = GroupsMut::new(&mut row, 4, 8, 2) {
            groups.group(1)[7] = 100;
            groups.from(9)[7] += 1;
        }
        assert_eq!(row[19], 101);
    }

    #[test]
    fn parts_of_rows_are_whole_or_none() {
        let mut row: Vec<usize> = (0..20).collect();
        assert_eq!(abreast::<_, ABREAST>(&row, 4).map(|part| part[15]), Some(19));
        assert!(abreast::<_, ABREAST>(&row, 5).is_none());
        assert!(abreast::<_, ABREAST>(&row, 21).is_none());
        assert!(abreast_mut::<_, ABREAST>(&mut row, 5).is_none());
        if let Some(part) = abreast_mut::<_, ABREAST>(&mut row, 3) {
            part[0] = 100;
        }
        assert_eq!(row[3], 100);
    }
}
