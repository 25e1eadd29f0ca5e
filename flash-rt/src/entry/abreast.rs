//! Items side by side: each of their locals is an array with one element for each item. Fenced: it
//! fills such arrays. It does not know what the items do.
#![allow(unsafe_code, reason = "an array is filled before it is one")]

use std::mem::MaybeUninit;

/// How many items go side by side: a vector of `f32` where the processor has AVX-512.
pub const ABREAST: usize = 16;

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

/// A row of at least [`ABREAST`] elements.
#[derive(Clone, Copy, Debug)]
pub struct Groups<'r, T>(&'r [T]);

impl<'r, T> Groups<'r, T> {
    /// The row, if it is long enough.
    #[inline(always)]
    pub fn new(row: &'r [T]) -> Option<Self> {
        (row.len() >= ABREAST).then_some(Self(row))
    }

    /// The elements from `first` on, or the last ones if there are not as many.
    #[inline(always)]
    pub fn from(&self, first: usize) -> &'r [T; ABREAST] {
        let first = first.min(self.0.len() - ABREAST);
        // SAFETY: `first + ABREAST` is no more than the length; arrays lie like slices.
        unsafe { &*self.0.as_ptr().wrapping_add(first).cast() }
    }
}

/// As [`Groups`], to be written.
#[derive(Debug)]
pub struct GroupsMut<'r, T>(&'r mut [T]);

impl<'r, T> GroupsMut<'r, T> {
    /// The row, if it is long enough.
    #[inline(always)]
    pub fn new(row: &'r mut [T]) -> Option<Self> {
        (row.len() >= ABREAST).then_some(Self(row))
    }

    /// The elements from `first` on, or the last ones if there are not as many.
    #[inline(always)]
    pub fn from(&mut self, first: usize) -> &mut [T; ABREAST] {
        let first = first.min(self.0.len() - ABREAST);
        // SAFETY: as for `Groups`; the row is borrowed for as long as its part is.
        unsafe { &mut *self.0.as_mut_ptr().wrapping_add(first).cast() }
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

/// How many items of a row that is written are before the first whose place is aligned for vectors:
/// no more than [`ABREAST`], and none where the row is too short for that to gain.
#[inline(always)]
pub fn unaligned_items<T>(row: &[T]) -> usize {
    const { assert!(size_of::<T>() > 0) };
    if row.len() < ALIGNED_FROM {
        return 0;
    }
    let vector = (ABREAST * size_of::<T>().next_power_of_two()).min(64);
    let items = row.as_ptr().align_offset(vector);
    if items <= ABREAST { items } else { 0 }
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
    fn what_is_not_aligned_is_one_group_at_most() {
        let row: Vec<f32> = vec![0.0; 800];
        for first in 0..40 {
            let items = unaligned_items(&row[first..]);
            assert!(items <= ABREAST);
            assert_eq!(row[first + items..].as_ptr().align_offset(64), 0, "{first}");
            assert_eq!(unaligned_items(&row[first..first + 100]), 0, "{first}");
        }
        let bytes: Vec<u8> = vec![0; 800];
        for first in 0..40 {
            let items = unaligned_items(&bytes[first..]);
            assert!(items <= ABREAST);
            assert_eq!(bytes[first + items..].as_ptr().align_offset(16), 0, "{first}");
        }
        assert!((0..40).all(|first| unaligned_items(&vec![[0_u8; 3]; 800][first..]) <= ABREAST));
    }

    #[test]
    fn groups_stay_inside_of_their_row() {
        let mut row: Vec<usize> = (0..20).collect();
        assert!(Groups::new(&row[..15]).is_none() && GroupsMut::new(&mut row[5..]).is_none());
        let firsts = |row: &[usize]| {
            let groups = Groups::new(row)?;
            Some([0, 3, 9, usize::MAX].map(|first| (groups.from(first)[0], groups.from(first)[15])))
        };
        assert_eq!(firsts(&row), Some([(0, 15), (3, 18), (4, 19), (4, 19)]));
        if let Some(mut groups) = GroupsMut::new(&mut row) {
            groups.from(17)[15] = 100;
        }
        assert_eq!(row[19], 100);
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
