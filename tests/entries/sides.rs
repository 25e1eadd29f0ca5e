//! Lines that one comparison cuts in two: both sides, empty sides, cuts at the edges of blocks, and
//! indices out of range on either side, against plain loops.

use flash::__private::rt::entry::Violation;
use flash::{View, ViewMut};

use crate::harness::{array, cell, reduced, run, value, vector};

#[flash::kernel]
fn halves(cut: usize, x: &[i64], #[out(partial)] y: &mut [i64]) {
    let i = global_id(0);
    if i < cut / 2 {
        y[i] = 2 * x[i];
    } else {
        y[i] = x[i - 1] - 1;
    }
}

#[flash::kernel]
fn until(n: usize, x: &[i64], #[out(partial)] y: &mut [i64]) {
    let i = global_id(0);
    if i >= n {
        return;
    }
    y[i] = 3 * x[i];
}

#[flash::kernel]
fn first_four(x: &[i64], #[out] y: &mut [i64]) {
    let i = global_id(0);
    if i < 4 {
        y[i] = -x[i];
    } else {
        y[i] = x[i - 4];
    }
}

#[flash::kernel]
fn signed(cut: usize, x: &[i64], #[reduce(+)] s: &mut i64) {
    let i = global_id(0);
    *s += if i < cut { x[i] } else { -x[i] };
}

#[flash::kernel]
fn upper_rows(cut: usize, x: View<'_, i64, 2>, #[out] y: ViewMut<'_, i64, 2>) {
    let (j, i) = (global_id(1), global_id(0));
    if cut > j {
        y[[j, i]] = x[[j, i]];
    } else {
        y[[j, i]] = x[[j - cut, i]] + 7;
    }
}

#[flash::kernel]
fn triangle(x: View<'_, i64, 2>, #[out] y: ViewMut<'_, i64, 2>) {
    let (j, i) = (global_id(1), global_id(0));
    if i + 1 < j {
        y[[j, i]] = x[[j, i]] * 5;
    } else {
        y[[j, i]] = x[[j, i]] - 5;
    }
}

/// Two lone comparisons: one interior, and everything else is still exact.
#[flash::kernel]
fn thrice(a: usize, b: usize, x: &[i64], #[out] y: &mut [i64]) {
    let i = global_id(0);
    if i < a {
        y[i] = x[i];
    } else {
        if !(i < b) {
            y[i] = x[i] + 1;
        } else {
            y[i] = x[i] + 2;
        }
    }
}

const N: usize = 200;

fn numbers(n: usize) -> Vec<i64> {
    (0..n as i64).map(|k| k * k - 40 * k).collect()
}

/// Cuts before, at, around and after the ends of a line and of blocks of 7 and 64.
const CUTS: [usize; 14] = [0, 1, 2, 6, 7, 8, 63, 64, 65, 100, 199, 200, 201, 10_000];

#[test]
fn both_sides_of_a_value() {
    let x = numbers(N);
    for cut in CUTS.map(|cut| 2 * cut) {
        // Item 0 of an empty lower side would read before the array.
        let cut = cut.max(2);
        let done = run(halves::DESCRIPTOR, &[value(cut), vector(&x), vector(&[0_i64; N])], &[N]);
        let want: Vec<i64> =
            (0..N).map(|i| if i < cut / 2 { 2 * x[i] } else { x[i - 1] - 1 }).collect();
        assert_eq!((done.array::<i64>(2), done.violation), (want, None), "cut {cut}");
    }
}

#[test]
fn an_early_return_on_one_side() {
    let x = numbers(N);
    for n in CUTS {
        let done = run(until::DESCRIPTOR, &[value(n), vector(&x), vector(&[9_i64; N])], &[N]);
        let want: Vec<i64> = (0..N).map(|i| if i >= n { 9 } else { 3 * x[i] }).collect();
        assert_eq!((done.array::<i64>(2), done.violation), (want, None), "n {n}");
    }
}

#[test]
fn an_edge_of_a_few_items() {
    for n in [1, 3, 4, 5, 200] {
        let x = numbers(n);
        let done = run(first_four::DESCRIPTOR, &[vector(&x), vector(&vec![0_i64; n])], &[n]);
        let want: Vec<i64> = (0..n).map(|i| if i < 4 { -x[i] } else { x[i - 4] }).collect();
        assert_eq!((done.array::<i64>(1), done.violation), (want, None), "{n} items");
    }
}

#[test]
fn sums_over_both_sides() {
    let n = 9_000;
    let x = numbers(n);
    for cut in [0, 1, 31, 32, 33, 4_095, 4_096, 4_097, 5_000, 8_999, 9_000] {
        let done = run(signed::DESCRIPTOR, &[value(cut), vector(&x), cell::<i64>()], &[n]);
        let want: i64 = (0..n).map(|i| if i < cut { x[i] } else { -x[i] }).sum();
        let sum = reduced::<i64>(&done, 2, |a, b| a + b, n.div_ceil(4_096));
        assert_eq!((sum, done.violation), (want, None), "cut {cut}");
    }
}

#[test]
fn both_sides_of_a_plane() {
    let (h, w) = (70, 13);
    let x = numbers(h * w);
    for cut in [1, 6, 7, 8, 63, 64, 69, 70, 90] {
        let args = [value(cut), array(&x, &[h, w]), array(&vec![0_i64; h * w], &[h, w])];
        let done = run(upper_rows::DESCRIPTOR, &args, &[w, h]);
        let at = |j: usize, i: usize| x[j * w + i];
        let want: Vec<i64> = (0..h * w)
            .map(|k| (k / w, k % w))
            .map(|(j, i)| if cut > j { at(j, i) } else { at(j - cut, i) + 7 })
            .collect();
        assert_eq!((done.array::<i64>(2), done.violation), (want, None), "cut {cut}");
    }
}

#[test]
fn a_slanted_cut() {
    let (h, w) = (40, 33);
    let x = numbers(h * w);
    let args = [array(&x, &[h, w]), array(&vec![0_i64; h * w], &[h, w])];
    let done = run(triangle::DESCRIPTOR, &args, &[w, h]);
    let want: Vec<i64> =
        (0..h * w).map(|k| if k % w + 1 < k / w { x[k] * 5 } else { x[k] - 5 }).collect();
    assert_eq!((done.array::<i64>(1), done.violation), (want, None));
}

#[test]
fn three_parts() {
    let x = numbers(N);
    for (a, b) in [(0, 0), (3, 100), (100, 3), (0, 64), (200, 201), (65, 200)] {
        let args = [value(a), value(b), vector(&x), vector(&[0_i64; N])];
        let done = run(thrice::DESCRIPTOR, &args, &[N]);
        let part = |i: usize| if i < a { 0 } else { 1 + i64::from(i < b) };
        let want: Vec<i64> = (0..N).map(|i| x[i] + part(i)).collect();
        assert_eq!((done.array::<i64>(3), done.violation), (want, None), "{a}, {b}");
    }
}

#[test]
fn out_of_range_on_either_side() {
    let x = numbers(100);
    // Only items from 101 on read past the end, one before them.
    let args = [value(60_usize), vector(&x), vector(&[9_i64; N])];
    let done = run(halves::DESCRIPTOR, &args, &[N]);
    let want: Vec<i64> = (0..N)
        .map(|i| if i < 30 { 2 * x[i] } else { x.get(i - 1).copied().unwrap_or(0) - 1 })
        .collect();
    assert_eq!(done.array::<i64>(2), want);
    let index = [100, 0, 0, 0];
    assert_eq!(done.violation, Some(Violation { item: 101, param: 1, index }));
    // The lower side reaches past the end first.
    let args = [value(300_usize), vector(&x), vector(&[9_i64; 120])];
    let done = run(halves::DESCRIPTOR, &args, &[N]);
    let want: Vec<i64> = (0..120).map(|i| 2 * x.get(i).copied().unwrap_or(0)).collect();
    assert_eq!(done.array::<i64>(2), want);
    assert_eq!(done.violation, Some(Violation { item: 100, param: 1, index }));
}
