//! The kernels of random pipelines: no two of them commute.

use flash::prelude::*;

/// `x[i] = x[i] * a + b` modulo 2^32.
#[flash::kernel]
pub(crate) fn affine(a: u32, b: u32, x: &mut [u32]) {
    let i = global_id(0);
    x[i] = x[i].wrapping_mul(a).wrapping_add(b);
}

#[flash::kernel]
pub(crate) fn affine_box(a: u32, b: u32, x: ViewMut<'_, u32, 2>) {
    let (j, i) = (global_id(1), global_id(0));
    x[[j, i]] = x[[j, i]].wrapping_mul(a).wrapping_add(b);
}

/// [`affine`], if `go`.
#[flash::kernel(when = go)]
pub(crate) fn affine_if(a: u32, go: bool, b: u32, x: &mut [u32]) {
    let i = global_id(0);
    x[i] = x[i].wrapping_mul(a).wrapping_add(b);
}

#[flash::kernel(when = go)]
pub(crate) fn affine_box_if(go: bool, a: u32, b: u32, x: ViewMut<'_, u32, 2>) {
    let (j, i) = (global_id(1), global_id(0));
    x[[j, i]] = x[[j, i]].wrapping_mul(a).wrapping_add(b);
}

#[flash::kernel]
pub(crate) fn by_sum(a: u32, b: u64, x: &mut [u32]) {
    let i = global_id(0);
    x[i] = x[i].wrapping_mul(a).wrapping_add(b as u32);
}

#[flash::kernel]
pub(crate) fn by_sum_box(a: u32, b: u64, x: ViewMut<'_, u32, 2>) {
    let (j, i) = (global_id(1), global_id(0));
    x[[j, i]] = x[[j, i]].wrapping_mul(a).wrapping_add(b as u32);
}

/// `y[i] = y[i] * a + x[i]`
#[flash::kernel]
pub(crate) fn mix(a: u32, x: &[u32], y: &mut [u32]) {
    let i = global_id(0);
    y[i] = y[i].wrapping_mul(a).wrapping_add(x[i]);
}

#[flash::kernel]
pub(crate) fn mix_box(a: u32, x: View<'_, u32, 2>, y: ViewMut<'_, u32, 2>) {
    let (j, i) = (global_id(1), global_id(0));
    y[[j, i]] = y[[j, i]].wrapping_mul(a).wrapping_add(x[[j, i]]);
}

/// `x[i] = x[i] * a + k` for each of its phases `k`.
#[flash::kernel(part_by, group_by(y), rank = 2)]
pub(crate) fn phased(a: u32, x: &mut [u32]) {
    let i = global_id(0);
    x[i] = x[i].wrapping_mul(a).wrapping_add(phase() as u32);
}

/// The same where the call says what its phases are.
#[flash::kernel(part_by, rank = 3)]
pub(crate) fn phased_box(a: u32, x: ViewMut<'_, u32, 2>) {
    let (j, i) = (global_id(1), global_id(0));
    x[[j, i]] = x[[j, i]].wrapping_mul(a).wrapping_add(phase() as u32);
}

/// `x[i] = x[i] * a + x[i - 1]`, one after the other.
#[flash::kernel(group_by(x))]
pub(crate) fn carried(a: u32, x: &mut [u32]) {
    let i = global_id(0);
    if i > 0 {
        // SAFETY: an item is a phase of its own.
        unsafe { x[i] = x[i].wrapping_mul(a).wrapping_add(x[i - 1]) };
    }
}

/// `y[i] = x[i + 1] * a + b`, zero at the end; writes all of `y`.
#[flash::kernel]
pub(crate) fn shift(a: u32, b: u32, x: &[u32], #[out] y: &mut [u32]) {
    let i = global_id(0);
    if i + 1 < x.len() {
        y[i] = x[i + 1].wrapping_mul(a).wrapping_add(b);
    } else {
        y[i] = 0;
    }
}

#[flash::kernel]
pub(crate) fn shift_box(a: u32, b: u32, x: View<'_, u32, 2>, #[out] y: ViewMut<'_, u32, 2>) {
    let (j, i) = (global_id(1), global_id(0));
    if i + 1 < x.extent(1) {
        y[[j, i]] = x[[j, i + 1]].wrapping_mul(a).wrapping_add(b);
    } else {
        y[[j, i]] = 0;
    }
}

#[flash::kernel]
pub(crate) fn total(x: &[u32], #[reduce(+)] s: &mut u64) {
    *s += x[global_id(0)] as u64;
}

#[flash::kernel]
pub(crate) fn total_into(x: &[u32], #[reduce(+, into)] s: &mut u64) {
    *s += x[global_id(0)] as u64;
}

#[flash::kernel]
pub(crate) fn total_box(x: View<'_, u32, 2>, #[reduce(+)] s: &mut u64) {
    *s += x[[global_id(1), global_id(0)]] as u64;
}

#[flash::kernel]
pub(crate) fn total_box_into(x: View<'_, u32, 2>, #[reduce(+, into)] s: &mut u64) {
    *s += x[[global_id(1), global_id(0)]] as u64;
}

/// `x[i] = x[i] * a + b` with a `b` of another type.
#[flash::kernel]
pub(crate) fn by_count(a: u32, b: usize, x: &mut [u32]) {
    let i = global_id(0);
    x[i] = x[i].wrapping_mul(a).wrapping_add(b as u32);
}

#[flash::kernel]
pub(crate) fn by_count_box(a: u32, b: usize, x: ViewMut<'_, u32, 2>) {
    let (j, i) = (global_id(1), global_id(0));
    x[[j, i]] = x[[j, i]].wrapping_mul(a).wrapping_add(b as u32);
}

/// How many of the first elements have a certain bit.
#[flash::kernel]
pub(crate) fn tally(shift: u32, x: &[u32], #[reduce(+)] s: &mut usize) {
    *s += ((x[global_id(0)] >> shift) & 1) as usize;
}

#[flash::kernel]
pub(crate) fn tally_box(shift: u32, x: View<'_, u32, 2>, #[reduce(+)] s: &mut usize) {
    *s += ((x[[0, global_id(0)]] >> shift) & 1) as usize;
}

/// The number of trips so far.
#[flash::kernel]
pub(crate) fn turn(#[reduce(+, into)] s: &mut usize) {
    *s += global_id(0) + 1;
}

#[flash::kernel]
pub(crate) fn reset(#[reduce(+)] s: &mut usize) {
    *s += global_id(0);
}

/// Whether a bit is set in any element.
#[flash::kernel]
pub(crate) fn judge(shift: u32, x: &[u32], #[reduce(|)] flag: &mut bool) {
    *flag |= x[global_id(0)] >> shift & 1 == 1;
}

#[flash::kernel]
pub(crate) fn judge_box(shift: u32, x: View<'_, u32, 2>, #[reduce(|)] flag: &mut bool) {
    *flag |= x[[0, global_id(0)]] >> shift & 1 == 1;
}

/// [`affine`], with constants that depend on `flag`.
#[flash::kernel]
pub(crate) fn by_flag(a: u32, b: u32, flag: bool, x: &mut [u32]) {
    let i = global_id(0);
    x[i] = x[i].wrapping_mul(a).wrapping_add(if flag { b } else { a });
}

#[flash::kernel]
pub(crate) fn by_flag_box(a: u32, b: u32, flag: bool, x: ViewMut<'_, u32, 2>) {
    let (j, i) = (global_id(1), global_id(0));
    x[[j, i]] = x[[j, i]].wrapping_mul(a).wrapping_add(if flag { b } else { a });
}
