//! Rows of arrays that a body reaches in `unsafe`: what is read and written along a line, beside what
//! is reached item by item, is what the items do one after the other.

use flash::__private::rt::space::Space;
use flash::{View, ViewMut};

use crate::harness::{array, cell, entries, launch, reduced, run, run_in, value, vector};

fn noise(n: usize) -> Vec<f32> {
    (0..n).map(|k| ((k * 7919 + 13) % 1009) as f32 / 8.0 - 50.0).collect()
}

/// Two stages, as a launch in phases has them.
#[flash::kernel(rank = 2, group_by(y))]
fn stages(c: f32, u: &mut [f32], next: &mut [f32]) {
    let i = global_id(0);
    if phase() % 2 == 0 {
        let mut t = u[i];
        if i > 0 && i + 1 < u.len() {
            // SAFETY: nobody writes `u` in this stage, and both neighbours are there.
            t += c * unsafe { u[i - 1] - 2.0 * u[i] + u[i + 1] };
        }
        next[i] = t;
    } else {
        u[i] = next[i];
        u[i] += 1.0;
    }
}

#[test]
fn stages_of_any_length() {
    for n in [1, 2, 3, 17, 64, 300] {
        let (u, next) = (noise(n), vec![0.0_f32; n]);
        let mut want = u.clone();
        for i in 1..n.max(1) - 1 {
            want[i] += 0.3 * (u[i - 1] - 2.0 * u[i] + u[i + 1]);
        }
        let args = [value(0.3_f32), vector(&u), vector(&next)];
        let done = run_in(stages::DESCRIPTOR, &args, &[n, 1], (0, 0));
        assert_eq!((done.array::<f32>(1), done.array::<f32>(2)), (u, want.clone()), "{n}");
        let done = run_in(stages::DESCRIPTOR, &done.args, &[n, 1], (1, 0));
        let more: Vec<f32> = want.iter().map(|t| t + 1.0).collect();
        assert_eq!((done.array::<f32>(1), done.violation), (more, None), "{n}");
    }
}

#[derive(Clone, Copy, Debug, PartialEq, flash::Pod)]
#[repr(C)]
struct Cell {
    mass: f32,
    at: [f32; 2],
}

/// Fields of elements, of the item's own and of others; an input in `unsafe`.
#[flash::kernel]
fn fields(n: usize, x: View<'_, f32, 2>, cells: ViewMut<'_, Cell, 2>, out: ViewMut<'_, Cell, 2>) {
    let (j, i) = (global_id(1), global_id(0));
    cells[[j, i]].at[1] = x[[j, i]];
    cells[[j, i]].mass += 2.0;
    if i >= n {
        // SAFETY: the index is at most the item's own.
        let before = unsafe { x[[j, i - n]] };
        // SAFETY: two rows below is nobody's own, as there are no such items.
        unsafe {
            out[[j + 2, i]].mass = before + cells[[j, i]].at[0];
            out[[j + 2, i]].at[0] -= before;
        }
    }
    out[[j, i]] = cells[[j, i]];
}

#[test]
fn fields_of_elements() {
    let (h, w) = (2, 41);
    let cells: Vec<Cell> = (0..h * w).map(|k| Cell { mass: k as f32, at: [0.5, -1.0] }).collect();
    let (x, none) = (noise(h * w), vec![Cell { mass: 0.0, at: [1.0; 2] }; 2 * h * w]);
    for n in [0, 1, 40, 41] {
        let args =
            [value(n), array(&x, &[h, w]), array(&cells, &[h, w]), array(&none, &[2 * h, w])];
        let done = run(fields::DESCRIPTOR, &args, &[w, h]);
        let (mut cells, mut out) = (cells.clone(), none.clone());
        for k in 0..h * w {
            cells[k].at[1] = x[k];
            cells[k].mass += 2.0;
            if k % w >= n {
                out[h * w + k].mass = x[k - n] + cells[k].at[0];
                out[h * w + k].at[0] -= x[k - n];
            }
            out[k] = cells[k];
        }
        let found = (done.array::<Cell>(2), done.array::<Cell>(3), done.violation);
        assert_eq!(found, (cells, out, None), "{n}");
    }
}

/// Sums beside rows.
#[flash::kernel]
fn sums(y: &mut [f32], #[reduce(+)] sum: &mut f64) {
    let i = global_id(0);
    // SAFETY: the second half is nobody's own.
    unsafe { y[i + global_size(0)] = y[i] * 3.0 };
    *sum += y[i] as f64;
}

#[test]
fn sums_beside_rows() {
    let n = 20_000;
    let y = [noise(n), vec![0.0; n]].concat();
    let done = run(sums::DESCRIPTOR, &[vector(&y), cell::<f64>()], &[n]);
    let sum = reduced(&done, 1, |a: f64, b| a + b, n);
    assert_eq!(sum, y[..n].iter().map(|&y| f64::from(y)).sum::<f64>(), "eighths are exact");
    let want: Vec<f32> = y[..n].iter().map(|y| y * 3.0).collect();
    assert_eq!((&done.array::<f32>(0)[n..], done.violation), (&want[..], None));
}

/// An item after the other, where one worker has them all.
#[flash::kernel]
fn chain(y: &mut [u32]) {
    let i = global_id(0);
    if i > 0 {
        // SAFETY: whoever launches this has one worker.
        y[i] += unsafe { y[i - 1] };
    }
}

#[test]
fn items_of_a_line_go_one_after_the_other() {
    let space = Space::new(&[500]).expect("small");
    for check_all in [false, true] {
        for (isa, entry) in entries(chain::DESCRIPTOR) {
            let args = [vector(&vec![1_u32; 500])];
            let done = launch(chain::DESCRIPTOR, entry, &args, &space, usize::MAX, check_all);
            assert_eq!(done.array::<u32>(0), (1..=500).collect::<Vec<u32>>(), "{isa}");
        }
    }
}

/// Own places that not all items have, and a neighbour that is not there.
#[flash::kernel]
fn beyond(first: usize, y: &mut [u32], z: &mut [u32]) {
    let i = global_id(0);
    y[i + first] = 7;
    // SAFETY: launched only with checks of all accesses.
    z[i] += unsafe { z[i + 3] };
}

#[test]
fn what_is_not_there_is_named() {
    let space = Space::new(&[100]).expect("small");
    for (isa, entry) in entries(beyond::DESCRIPTOR) {
        let args = |n, m| [value(5_usize), vector(&vec![0_u32; n]), vector(&vec![1_u32; m])];
        let done = launch(beyond::DESCRIPTOR, entry, &args(90, 200), &space, 64, true);
        let violation = done.violation.expect("90 is outside");
        assert_eq!((violation.item, violation.param, violation.index[0]), (85, 1, 90), "{isa}");
        assert_eq!(done.array::<u32>(1), [vec![0; 5], vec![7; 85]].concat(), "{isa}");
        let done = launch(beyond::DESCRIPTOR, entry, &args(105, 100), &space, 64, true);
        let violation = done.violation.expect("100 is outside");
        assert_eq!((violation.item, violation.param, violation.index[0]), (97, 2, 100), "{isa}");
    }
}
