//! Items around the interiors of planes whose guards are asked: at the ends of lines, in lines that
//! have no interior, and where an element that a guard promises is not there.

use flash::{View, ViewMut};

use crate::harness::{Done, array, run, value};

fn noise(n: usize) -> Vec<f32> {
    (0..n).map(|k| ((k * 7919 + 13) % 1009) as f32 / 8.0 - 50.0).collect()
}

/// An array for a plain loop: what it has not is zero, and the first such index is kept with its
/// item.
struct Plane<'x> {
    x: &'x [f32],
    shape: [usize; 2],
    missed: std::cell::Cell<Option<[[usize; 2]; 2]>>,
}

impl<'x> Plane<'x> {
    fn new(x: &'x [f32], shape: [usize; 2]) -> Self {
        Self { x, shape, missed: std::cell::Cell::new(None) }
    }

    fn at(&self, item: [usize; 2], [j, i]: [usize; 2]) -> f32 {
        if j < self.shape[0] && i < self.shape[1] {
            return self.x[j * self.shape[1] + i];
        }
        self.missed.set(self.missed.get().or(Some([item, [j, i]])));
        0.0
    }
}

#[derive(Clone, Copy, Debug, flash::Pod)]
#[repr(C)]
struct Weights {
    near: f32,
    far: f32,
}

/// Neighbours as far as two away, where `rows` and `columns` say that they are there.
#[flash::kernel]
fn around(
    weights: Weights,
    rows: usize,
    columns: usize,
    x: View<'_, f32, 2>,
    #[out] y: ViewMut<'_, f32, 2>,
) {
    let (j, i) = (global_id(1), global_id(0));
    let here = x[[j, i]];
    let mut west = here;
    let mut north = here;
    let mut beyond = 0.0;
    if i > 0 {
        west = x[[j, i - 1]];
    }
    if j >= 2 {
        north = x[[j - 2, i]];
    }
    if i + 2 < columns && j + 1 < rows {
        beyond = x[[j + 1, i + 2]];
    }
    y[[j, i]] = here + (west - north) * weights.near + beyond * weights.far;
}

const WEIGHTS: Weights = Weights { near: 0.25, far: -2.0 };

/// What a plain loop writes.
fn wanted(
    x: &Plane<'_>,
    [rows, columns]: [usize; 2],
    [yh, yw]: [usize; 2],
    [h, w]: [usize; 2],
) -> Vec<f32> {
    let mut y = vec![7.0; yh * yw];
    for (j, i) in (0..h).flat_map(|j| (0..w).map(move |i| (j, i))) {
        let at = |place| x.at([j, i], place);
        let here = at([j, i]);
        let west = if i > 0 { at([j, i - 1]) } else { here };
        let north = if j >= 2 { at([j - 2, i]) } else { here };
        let beyond = if i + 2 < columns && j + 1 < rows { at([j + 1, i + 2]) } else { 0.0 };
        if j < yh && i < yw {
            y[j * yw + i] = here + (west - north) * 0.25 + beyond * -2.0;
        }
    }
    y
}

fn done(x: &Plane<'_>, [rows, columns]: [usize; 2], y: [usize; 2], [h, w]: [usize; 2]) -> Done {
    let (into, shape) = (vec![7.0_f32; y[0] * y[1]], &x.shape);
    let args = [value(WEIGHTS), value(rows), value(columns), array(x.x, shape), array(&into, &y)];
    run(around::DESCRIPTOR, &args, &[w, h])
}

#[test]
fn every_width_and_height() {
    let widths = (1..=90).map(|w| [5, w]).chain([[40, 7], [37, 30], [3, 200], [2, 9], [1, 9]]);
    for shape @ [h, w] in widths {
        let x = noise(h * w);
        let x = Plane::new(&x, shape);
        // Guards that keep to the array, or to less than that, or know of no limit.
        for limits in [shape, [h / 2, w / 2], [0, 0]] {
            let done = done(&x, limits, shape, shape);
            let want = wanted(&x, limits, shape, shape);
            assert_eq!((done.array::<f32>(4), done.violation), (want, None), "{shape:?}");
        }
    }
}

#[test]
fn an_element_that_a_guard_promises_is_missed_by_name() {
    let space @ [h, w] = [20, 50];
    // Arrays smaller than the space, and guards that promise more than there is.
    let shapes = [[20, 50], [20, 40], [15, 50], [12, 33]];
    for (shape, limits) in shapes
        .into_iter()
        .flat_map(|shape| [[20, 50], [21, 50], [20, 51], [90, 90]].map(|limits| (shape, limits)))
    {
        let x = noise(shape[0] * shape[1]);
        let x = Plane::new(&x, shape);
        let done = done(&x, limits, space, space);
        let want = wanted(&x, limits, space, space);
        let what = format!("{shape:?} within {limits:?}");
        assert_eq!(done.array::<f32>(4), want, "{what}");
        let found = done.violation.map(|v| (v.item, v.param, [v.index[0], v.index[1]]));
        let missed = x.missed.get().map(|[[j, i], index]| ((j * w + i) as u64, 3, index));
        assert_eq!(found, missed, "{what}");
        assert_eq!(missed.is_none(), (shape, limits) == ([h, w], [h, w]), "{what}");
    }
}

/// The line below, where `rows` says that there is one: no item of a line differs from the others.
#[flash::kernel]
fn below(rows: usize, x: View<'_, f32, 2>, #[out] y: ViewMut<'_, f32, 2>) {
    let (j, i) = (global_id(1), global_id(0));
    let mut sum = x[[j, i]];
    if j < rows && j + 1 < rows {
        sum = sum + x[[j + 1, i]];
    }
    y[[j, i]] = sum;
}

#[test]
fn a_whole_line_that_a_guard_promises_is_missed_by_name() {
    for (shape @ [h, w], promised) in
        [[5, 40], [5, 7], [30, 64]].into_iter().flat_map(|shape| [(shape, 0), (shape, 1)])
    {
        let x = noise(h * w);
        let x = Plane::new(&x, shape);
        let y = vec![0.0_f32; h * w];
        let args = [value(h + promised), array(x.x, &shape), array(&y, &shape)];
        let done = run(below::DESCRIPTOR, &args, &[w, h]);
        let items = (0..h).flat_map(|j| (0..w).map(move |i| (j, i)));
        let want: Vec<f32> = items
            .map(|(j, i)| {
                let here = x.at([j, i], [j, i]);
                if j + 1 < h + promised { here + x.at([j, i], [j + 1, i]) } else { here }
            })
            .collect();
        assert_eq!(done.array::<f32>(2), want, "{shape:?} and {promised}");
        let found = done.violation.map(|v| (v.item, v.param, [v.index[0], v.index[1]]));
        let missed = (promised > 0).then_some((((h - 1) * w) as u64, 1, [h, 0]));
        assert_eq!(found, missed, "{shape:?} and {promised}");
    }
}

#[test]
fn places_that_are_not_there_are_missed_by_name() {
    let space @ [h, w] = [20, 50];
    let x = noise(h * w);
    for y @ [yh, yw] in [[20, 49], [19, 50], [10, 20]] {
        let x = Plane::new(&x, space);
        let done = done(&x, space, y, space);
        assert_eq!(done.array::<f32>(4), wanted(&x, space, y, space), "{y:?}");
        let first = if yw < w { [0, yw] } else { [yh, 0] };
        let found = done.violation.map(|v| (v.item, v.param, [v.index[0], v.index[1]]));
        assert_eq!(found, Some(((first[0] * w + first[1]) as u64, 4, first)), "{y:?}");
    }
}

/// Writes that depend on where an item is, to places that are on from it.
#[flash::kernel]
fn beside(
    x: View<'_, i64, 2>,
    #[out(partial)] y: ViewMut<'_, i64, 2>,
    #[out(partial)] z: ViewMut<'_, i64, 2>,
) {
    let (j, i) = (global_id(1), global_id(0));
    if i > 0 {
        y[[j + 1, i + 2]] = x[[j, i - 1]];
    }
    if j + 1 < x.extent(0) {
        z[[j, i]] = x[[j + 1, i]];
    }
    if i >= 3 && j > 0 {
        z[[j, i]] = x[[j - 1, i - 3]];
    }
}

#[test]
fn writes_under_guards_leave_other_places_as_they_were() {
    for (h, w) in [(1, 1), (1, 40), (2, 3), (5, 17), (21, 50), (40, 4)] {
        let x: Vec<i64> = (0..h * w).map(|k| (k * 31 % 97) as i64).collect();
        let (y, z) = (vec![-1_i64; (h + 1) * (w + 2)], vec![-2_i64; h * w]);
        let args = [array(&x, &[h, w]), array(&y, &[h + 1, w + 2]), array(&z, &[h, w])];
        let done = run(beside::DESCRIPTOR, &args, &[w, h]);
        let (mut want_y, mut want_z) = (y, z);
        for (j, i) in (0..h).flat_map(|j| (0..w).map(move |i| (j, i))) {
            if i > 0 {
                want_y[(j + 1) * (w + 2) + i + 2] = x[j * w + i - 1];
            }
            if j + 1 < h {
                want_z[j * w + i] = x[(j + 1) * w + i];
            }
            if i >= 3 && j > 0 {
                want_z[j * w + i] = x[(j - 1) * w + i - 3];
            }
        }
        let found = (done.array::<i64>(1), done.array::<i64>(2), done.violation);
        assert_eq!(found, (want_y, want_z, None), "{h} x {w}");
    }
}

/// Rows as wide as they are apart, of which an item may have no place.
#[flash::kernel]
fn within(n: usize, x: View<'_, f32, 2>, #[out(partial)] y: ViewMut<'_, f32, 2>) {
    let (j, i) = (global_id(1), global_id(0));
    let mut above = 0.0;
    if j > 0 && i < n {
        above = x[[j - 1, i]];
    }
    if i > 0 && i < n {
        y[[j, i]] = x[[j, i]] + above;
    }
}

#[test]
fn rows_that_are_wider_than_the_interior_are_not_joined() {
    let [h, w] = [20, 16];
    let x = noise(h * w);
    for (n, more) in [(w, 0), (w - 1, 0), (w, 1), (w - 1, 1), (w, 4)] {
        let y = vec![-1.0_f32; h * w];
        let args = [value(n), array(&x, &[h, w]), array(&y, &[h, w])];
        let done = run(within::DESCRIPTOR, &args, &[w + more, h]);
        let mut want = y;
        for (j, i) in (0..h).flat_map(|j| (1..n).map(move |i| (j, i))) {
            let above = if j > 0 { x[(j - 1) * w + i] } else { 0.0 };
            want[j * w + i] = x[j * w + i] + above;
        }
        assert_eq!((done.array::<f32>(2), done.violation), (want, None), "{n} of {w} + {more}");
    }
}

/// All six neighbours; an item at an end has itself there.
#[flash::kernel]
fn volume(x: View<'_, f64, 3>, #[out] y: ViewMut<'_, f64, 3>) {
    let (k, j, i) = (global_id(2), global_id(1), global_id(0));
    let here = x[[k, j, i]];
    let mut sum = -6.0 * here;
    sum = sum + if i > 0 { x[[k, j, i - 1]] } else { here };
    sum = sum + if i + 1 < x.extent(2) { x[[k, j, i + 1]] } else { here };
    sum = sum + if j > 0 { x[[k, j - 1, i]] } else { here };
    sum = sum + if j + 1 < x.extent(1) { x[[k, j + 1, i]] } else { here };
    sum = sum + if k > 0 { x[[k - 1, j, i]] } else { here };
    sum = sum + if k + 1 < x.extent(0) { x[[k + 1, j, i]] } else { here };
    y[[k, j, i]] = sum;
}

#[test]
fn ends_of_a_volume() {
    for (d, h, w) in [(1, 1, 1), (3, 4, 5), (2, 9, 30), (4, 1, 33), (5, 20, 18)] {
        let x: Vec<f64> = (0..d * h * w).map(|k| (k * 7919 % 1009) as f64).collect();
        let at = |k: usize, j: usize, i: usize| x[(k * h + j) * w + i];
        let mut want = vec![];
        for (k, j, i) in
            (0..d).flat_map(|k| (0..h).flat_map(move |j| (0..w).map(move |i| (k, j, i))))
        {
            let mut sum = -6.0 * at(k, j, i);
            sum += at(k, j, i.saturating_sub(1));
            sum += at(k, j, (i + 1).min(w - 1));
            sum += at(k, j.saturating_sub(1), i);
            sum += at(k, (j + 1).min(h - 1), i);
            sum += at(k.saturating_sub(1), j, i);
            sum += at((k + 1).min(d - 1), j, i);
            want.push(sum);
        }
        let args = [array(&x, &[d, h, w]), array(&vec![0.0_f64; d * h * w], &[d, h, w])];
        let done = run(volume::DESCRIPTOR, &args, &[w, h, d]);
        assert_eq!((done.array::<f64>(1), done.violation), (want, None), "{d} x {h} x {w}");
    }
}

/// Reads, and writes nothing.
#[flash::kernel]
fn nothing(x: View<'_, f32, 2>, #[out(partial)] _y: ViewMut<'_, f32, 2>) {
    let (j, i) = (global_id(1), global_id(0));
    let mut a = 0.0;
    if i > 0 {
        a = x[[j, i - 1]];
    }
    if j > 0 {
        a = a + x[[j - 1, i]];
    }
    let _ = a;
}

#[test]
fn items_that_write_nothing_are_asked_for_what_is_not_there() {
    let args = [array(&noise(40), &[4, 10]), array(&[1.0_f32; 60], &[6, 10])];
    let done = run(nothing::DESCRIPTOR, &args, &[10, 6]);
    assert_eq!(done.array::<f32>(1), [1.0; 60]);
    let found = done.violation.map(|v| (v.item, v.param, [v.index[0], v.index[1]]));
    assert_eq!(found, Some((41, 0, [4, 0])));
}

/// A guard whose sum may overflow.
#[flash::kernel]
fn far(n: usize, rows: usize, x: View<'_, f32, 2>, #[out] y: ViewMut<'_, f32, 2>) {
    let (j, i) = (global_id(1), global_id(0));
    let mut a = 0.0;
    if i < rows && j < rows {
        a = x[[j, i]];
    }
    if j > 2 && i + n < 9 {
        a = a + 1.0;
    }
    y[[j, i]] = a;
}

#[test]
fn what_was_missed_before_a_guard_panics_is_said() {
    let args = [
        value(usize::MAX),
        value(50_usize),
        array(&noise(128), &[2, 64]),
        array(&[0.0_f32; 50 * 64], &[50, 64]),
    ];
    let done = run(far::DESCRIPTOR, &args, &[64, 50]);
    let found = done.violation.map(|v| (v.item, v.param, [v.index[0], v.index[1]]));
    assert_eq!(found, Some((128, 2, [2, 0])));
    // Item 1 of line 3, where overflows are checked for.
    let panicked = done.panic.map(|(item, _)| item);
    assert_eq!(panicked, cfg!(debug_assertions).then_some(3 * 64 + 1));
}
