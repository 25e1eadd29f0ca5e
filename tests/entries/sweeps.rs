//! Planes of lines that are nothing but rows: interiors of several lines before their rims, groups
//! of items that overlap, rims that a guard leaves with nothing to do.

use flash::{View, ViewMut};

use crate::harness::{array, run, value};

fn noise(n: usize) -> Vec<f32> {
    (0..n).map(|k| ((k * 7919 + 13) % 1009) as f32 / 8.0 - 50.0).collect()
}

#[flash::kernel]
fn inside(top: usize, x: View<'_, f32, 2>, #[out(partial)] y: ViewMut<'_, f32, 2>) {
    let (j, i) = (global_id(1), global_id(0));
    if top < j && j + 1 < x.extent(0) && i > 0 && i + 1 < x.extent(1) {
        y[[j, i]] = 0.25 * (x[[j, i - 1]] + x[[j, i + 1]]) + x[[j - 1, i]] - x[[j + 1, i]];
    }
}

/// What a plain loop writes, elements that do not exist being zero.
fn wanted(top: usize, [h, w]: [usize; 2], x: &[f32], [yh, yw]: [usize; 2], y: &[f32]) -> Vec<f32> {
    let mut want = y.to_vec();
    for j in (top + 1)..(h - 1).min(yh).max(top + 1) {
        for i in 1..(w - 1).min(yw).max(1) {
            let at = |j: usize, i: usize| x[j * w + i];
            want[j * yw + i] = 0.25 * (at(j, i - 1) + at(j, i + 1)) + at(j - 1, i) - at(j + 1, i);
        }
    }
    want
}

#[test]
fn every_width_and_height() {
    let widths = (1..=90).map(|w| (5, w)).chain([(40, 7), (37, 30), (3, 200), (2, 9), (1, 9)]);
    for (h, w) in widths {
        for top in [0, 1, 20, 50] {
            let (x, y) = (noise(h * w), noise(2 * h * w)[h * w..].to_vec());
            let args = [value(top), array(&x, &[h, w]), array(&y, &[h, w])];
            let done = run(inside::DESCRIPTOR, &args, &[w, h]);
            let want = wanted(top, [h, w], &x, [h, w], &y);
            assert_eq!((done.array::<f32>(2), done.violation), (want, None), "{h} x {w}, {top}");
        }
    }
}

#[test]
fn a_guard_that_promises_too_much_is_noticed() {
    let [h, w] = [30, 50];
    let x = noise(h * w);
    for [yh, yw] in [[30, 40], [20, 50], [20, 40]] {
        let y = noise(yh * yw);
        let args = [value(0_usize), array(&x, &[h, w]), array(&y, &[yh, yw])];
        let done = run(inside::DESCRIPTOR, &args, &[w, h]);
        assert_eq!(done.array::<f32>(2), wanted(0, [h, w], &x, [yh, yw], &y), "{yh} x {yw}");
        let violation = done.violation.expect("the guard asks about the other array");
        let first = if yw < w { [1, yw] } else { [yh, 1] };
        let item = (first[0] * w + first[1]) as u64;
        assert_eq!((violation.item, violation.param), (item, 2), "{yh} x {yw}");
        assert_eq!(violation.index[..2], first, "{yh} x {yw}");
    }
}

#[flash::kernel]
fn edges(x: View<'_, f32, 2>, #[out] y: ViewMut<'_, f32, 2>) {
    let (j, i) = (global_id(1), global_id(0));
    let (h, w) = (x.extent(0), x.extent(1));
    if i == 0 || j == 3 || i + 1 == w || j + 1 == h {
        y[[j, i]] = -x[[j, i]];
    } else {
        y[[j, i]] = x[[j, i - 1]] * x[[j, i + 1]] + x[[j + 1, i]];
    }
}

#[test]
fn a_line_left_out_is_rim_as_a_whole() {
    for (h, w) in [(4, 40), (5, 17), (40, 98), (20, 3), (3, 70)] {
        let x = noise(h * w);
        let args = [array(&x, &[h, w]), array(&vec![0.0_f32; h * w], &[h, w])];
        let done = run(edges::DESCRIPTOR, &args, &[w, h]);
        let mut want = vec![0.0; h * w];
        for j in 0..h {
            for i in 0..w {
                let at = |j: usize, i: usize| x[j * w + i];
                want[j * w + i] = if i == 0 || j == 3 || i + 1 == w || j + 1 == h {
                    -at(j, i)
                } else {
                    at(j, i - 1) * at(j, i + 1) + at(j + 1, i)
                };
            }
        }
        assert_eq!((done.array::<f32>(1), done.violation), (want, None), "{h} x {w}");
    }
}
