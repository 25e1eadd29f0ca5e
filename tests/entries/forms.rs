//! Accesses: rows, own places, free components, transposition, structures, generics, scratch, raw.

use flash::{View, ViewMut};

use crate::harness::{array, run, value, vector};

/// Numbers that are not in order.
fn noise(n: usize) -> Vec<f32> {
    (0..n).map(|k| ((k * 7919 + 13) % 1009) as f32 / 8.0 - 50.0).collect()
}

#[flash::kernel(inputs = 2)]
fn saxpy(a: f32, x: &[f32], y: &mut [f32]) {
    let i = global_id(0);
    y[i] = a * x[i] + y[i];
}

#[test]
fn rows_of_one_line() {
    for n in [1, 2, 31, 64, 1000] {
        let (x, y) = (noise(n), noise(2 * n)[n..].to_vec());
        let done = run(saxpy::DESCRIPTOR, &[value(1.5_f32), vector(&x), vector(&y)], &[n]);
        let want: Vec<f32> = x.iter().zip(&y).map(|(x, y)| 1.5 * x + y).collect();
        assert_eq!((done.array::<f32>(2), done.violation), (want, None));
    }
}

#[test]
fn the_first_item_out_of_range_is_named_and_the_others_run() {
    let (x, y) = (noise(60), noise(80));
    let done = run(saxpy::DESCRIPTOR, &[value(2.0_f32), vector(&x), vector(&y)], &[90]);
    let violation = done.violation.expect("60 is outside of x");
    assert_eq!((violation.item, violation.param, violation.index[0]), (60, 1, 60));
    let want: Vec<f32> =
        y.iter().enumerate().map(|(k, y)| 2.0 * x.get(k).copied().unwrap_or(0.0) + y).collect();
    assert_eq!(done.array::<f32>(2), want);
}

#[flash::kernel]
fn stencil(x: View<'_, f32, 2>, w: f32, #[out(partial)] y: ViewMut<'_, f32, 2>) {
    let (j, i) = (global_id(1), global_id(0));
    if i > 0 && i + 1 < x.extent(1) && j > 0 && j + 1 < x.extent(0) {
        y[[j, i]] = w * (x[[j, i - 1]] + x[[j, i + 1]] + x[[j - 1, i]] + x[[j + 1, i]]);
    } else {
        y[[j, i]] = x[[j, i]] - 1.0;
    }
}

#[test]
fn guards_split_interior_and_rim() {
    for (h, w) in [(1, 1), (2, 3), (3, 3), (9, 70), (40, 5)] {
        let x = noise(h * w);
        let args = [array(&x, &[h, w]), value(0.25_f32), array(&noise(h * w), &[h, w])];
        let done = run(stencil::DESCRIPTOR, &args, &[w, h]);
        let mut want = vec![0.0; h * w];
        for j in 0..h {
            for i in 0..w {
                let at = |j: usize, i: usize| x[j * w + i];
                want[j * w + i] = if i > 0 && i + 1 < w && j > 0 && j + 1 < h {
                    0.25 * (at(j, i - 1) + at(j, i + 1) + at(j - 1, i) + at(j + 1, i))
                } else {
                    at(j, i) - 1.0
                };
            }
        }
        assert_eq!((done.array::<f32>(2), done.violation), (want, None), "{h} x {w}");
    }
}

#[flash::kernel]
fn at_edges(x: &[i32], n: usize, #[out(partial)] y: &mut [i32]) {
    let i = global_id(0);
    if i == 0 || i + 1 == n {
        y[i] = -x[i];
        return;
    }
    if !(i < 5) && i != 20 {
        y[i] = x[i - 1].wrapping_sub(x[i + 1]);
    }
}

#[test]
fn guards_of_edges_and_single_items() {
    let x: Vec<i32> = (0..50).map(|k| k * k % 37).collect();
    let done = run(at_edges::DESCRIPTOR, &[vector(&x), value(50_usize), vector(&[7; 50])], &[50]);
    let want: Vec<i32> = (0..50)
        .map(|i| match i {
            0 | 49 => -x[i],
            1..5 | 20 => 7,
            _ => x[i - 1] - x[i + 1],
        })
        .collect();
    assert_eq!((done.array::<i32>(2), done.violation), (want, None));
}

#[flash::kernel]
fn transpose(x: View<'_, u16, 2>, #[out] y: ViewMut<'_, u16, 2>) {
    let (r, c) = (global_id(1), global_id(0));
    y[[c, r]] = x[[r, c]];
}

#[test]
fn own_places_may_be_transposed() {
    let (h, w) = (13, 37);
    let x: Vec<u16> = (0..h * w).map(|k| (k * 31) as u16).collect();
    let args = [array(&x, &[h, w]), array(&vec![0_u16; h * w], &[w, h])];
    let done = run(transpose::DESCRIPTOR, &args, &[w, h]);
    let want: Vec<u16> = (0..w * h).map(|k| x[k % h * w + k / h]).collect();
    assert_eq!((done.array::<u16>(1), done.violation), (want, None));
    assert_eq!(transpose::DESCRIPTOR.slow.len(), 1, "the place of `y` is named as slow");
}

#[flash::kernel]
fn variables(k: usize, dt: f64, vars: ViewMut<'_, f64, 2>) {
    let i = global_id(0);
    vars[[0, i]] += dt * vars[[1, i]];
    vars[[k, i]] = vars[[0, i]] * 2.0;
}

#[flash::kernel]
fn sums(n: usize, vars: ViewMut<'_, f64, 2>) {
    let i = global_id(0);
    let mut sum = 0.0;
    for k in 0..n {
        sum += vars[[k, i]];
        vars[[k, i]] = sum;
    }
}

#[test]
fn free_components() {
    let n = 45;
    let vars: Vec<f64> = noise(4 * n).iter().map(|&v| f64::from(v)).collect();
    // `k` may name a row of its own, or one that is used already.
    for k in [2, 3, 0, 1] {
        let args = [value(k), value(0.5_f64), array(&vars, &[4, n])];
        let done = run(variables::DESCRIPTOR, &args, &[n]);
        let mut want = vars.clone();
        for i in 0..n {
            want[i] += 0.5 * want[n + i];
            want[k * n + i] = want[i] * 2.0;
        }
        assert_eq!((done.array::<f64>(2), done.violation), (want, None), "row {k}");
    }
    let done =
        run(variables::DESCRIPTOR, &[value(9_usize), value(0.5_f64), array(&vars, &[4, n])], &[n]);
    let violation = done.violation.expect("row 9 of 4");
    assert_eq!((violation.item, violation.param, violation.index), (0, 2, [9, 0, 0, 0]));

    let done = run(sums::DESCRIPTOR, &[value(4_usize), array(&vars, &[4, n])], &[n]);
    let mut want = vars;
    for k in 1..4 {
        for i in 0..n {
            want[k * n + i] += want[(k - 1) * n + i];
        }
    }
    assert_eq!((done.array::<f64>(1), done.violation), (want, None));
}

#[derive(Clone, Copy, Debug, PartialEq, flash::Pod)]
#[repr(C)]
struct Cell {
    rho: f32,
    id: u32,
    speed: [f32; 2],
}

#[flash::kernel]
fn cells(dt: f32, first: u32, x: &[f32], cells: &mut [Cell], #[out] copies: &mut [Cell]) {
    let i = global_id(0);
    cells[i].rho += dt * x[i];
    cells[i].speed[1] = cells[i].rho;
    cells[i].id = first + i as u32;
    copies[i] = Cell { rho: cells[i].rho, id: 7, speed: cells[i].speed };
}

#[flash::kernel]
fn whole_cells(cells: &mut [Cell]) {
    let i = global_id(0);
    let old = cells[i];
    cells[i] = Cell { rho: old.speed[0], id: old.id, speed: [old.rho, old.speed[1]] };
}

#[test]
fn structures_are_elements() {
    let n = 70;
    let x = noise(n);
    let old: Vec<Cell> = (0..n).map(|k| Cell { rho: k as f32, id: 0, speed: [1.0, 2.0] }).collect();
    let done = run(whole_cells::DESCRIPTOR, &[vector(&old)], &[n]);
    let want: Vec<Cell> =
        old.iter().map(|c| Cell { rho: 1.0, id: 0, speed: [c.rho, 2.0] }).collect();
    assert_eq!((done.array::<Cell>(0), done.violation), (want, None));
    let args = [value(0.5_f32), value(100_u32), vector(&x), vector(&old), vector(&old)];
    let done = run(cells::DESCRIPTOR, &args, &[n]);
    let new = |k: usize| {
        let rho = old[k].rho + 0.5 * x[k];
        Cell { rho, id: 100 + k as u32, speed: [1.0, rho] }
    };
    assert_eq!(done.array::<Cell>(3), (0..n).map(new).collect::<Vec<_>>());
    assert_eq!(done.array::<Cell>(4), (0..n).map(|k| Cell { id: 7, ..new(k) }).collect::<Vec<_>>());
}
