//! Bodies with loops, which run with several items side by side: every number of items, reads along
//! the loop in and out of range, conditions of their own for each item.

use flash::__private::rt::Space;
use flash::__private::rt::entry::reduction;
use flash::{Atomic, View, ViewMut};

use crate::harness::{array, cell, reduced, run, value, vector};
use crate::reductions::tree;

fn noise(n: usize) -> Vec<f32> {
    (0..n).map(|k| ((k * 37 + 11) % 101) as f32 * 0.25 - 9.0).collect()
}

#[flash::kernel]
fn pull(mass: &[f32], x: &[f32], #[out] near: &mut [u32], #[out] ax: &mut [f32]) {
    let i = global_id(0);
    let xi = x[i];
    let (mut sum, mut count) = (0.0_f32, 0_u32);
    for j in 0..mass.len() {
        let dx = x[j] - xi;
        if dx * dx < 4.0 && dx > 0.0 {
            count += 1;
        }
        sum += mass[j] * dx / (dx * dx + 0.5).sqrt();
    }
    near[i] = count;
    ax[i] = sum;
}

fn pulls(mass: &[f32], x: &[f32], n: usize) -> (Vec<u32>, Vec<f32>) {
    (0..n)
        .map(|i| {
            let (mut sum, mut count) = (0.0_f32, 0);
            for (m, xj) in mass.iter().zip(x.iter().chain(std::iter::repeat(&0.0))) {
                let dx = xj - x[i];
                count += u32::from(dx * dx < 4.0 && dx > 0.0);
                sum += m * dx / (dx * dx + 0.5).sqrt();
            }
            (count, sum)
        })
        .unzip()
}

#[test]
fn every_number_of_items_meets_all_others() {
    for n in (1..=50).chain([64, 97]) {
        let (mass, x) = (noise(n + 3)[3..].to_vec(), noise(n));
        let args = [vector(&mass), vector(&x), vector(&vec![7_u32; n]), vector(&vec![0_f32; n])];
        let done = run(pull::DESCRIPTOR, &args, &[n]);
        let (near, ax) = pulls(&mass, &x, n);
        assert_eq!((done.array::<u32>(2), done.violation), (near, None), "{n}");
        assert_eq!(done.array::<f32>(3), ax, "{n}");
    }
}

#[test]
fn loops_out_of_range_are_noted_as_ever() {
    let (mass, x) = (noise(60), noise(40));
    let args = [vector(&mass), vector(&x), vector(&[0_u32; 40]), vector(&[0_f32; 40])];
    let done = run(pull::DESCRIPTOR, &args, &[40]);
    assert_eq!(done.array::<f32>(3), pulls(&mass, &x, 40).1);
    let violation = done.violation.expect("x has 40 elements");
    assert_eq!((violation.item, violation.param, violation.index[0]), (0, 1, 40));
}

#[flash::kernel]
fn product(skip: usize, a: View<'_, f64, 2>, b: View<'_, f64, 2>, c: ViewMut<'_, f64, 2>) {
    let (j, i) = (global_id(1), global_id(0));
    let last = a.extent(1) - 1;
    let mut sum = 0.0;
    for k in skip..last {
        sum += a[[j, k]] * b[[k + 1, i]] - b[[k, j]];
    }
    c[[j, i]] += sum;
}

#[test]
fn rows_columns_and_what_was_there_before() {
    for (h, w, depth) in [(1, 1, 1), (3, 16, 5), (4, 17, 1), (5, 51, 9), (2, 70, 30), (3, 15, 4)] {
        let numbers = |n: usize| noise(n).into_iter().map(f64::from).collect::<Vec<_>>();
        let (a, b, c) = (numbers(h * depth), numbers(depth * w.max(h)), numbers(h * w));
        let shape = [depth, w.max(h)];
        let args = [value(1_usize), array(&a, &[h, depth]), array(&b, &shape), array(&c, &[h, w])];
        let done = run(product::DESCRIPTOR, &args, &[w, h]);
        let want: Vec<f64> = (0..h * w)
            .map(|at| {
                let (j, i) = (at / w, at % w);
                let mut sum = 0.0;
                for k in 1..depth.saturating_sub(1) {
                    sum += a[j * depth + k] * b[(k + 1) * shape[1] + i] - b[k * shape[1] + j];
                }
                c[at] + sum
            })
            .collect();
        assert_eq!((done.array::<f64>(3), done.violation), (want, None), "{h} {w} {depth}");
    }
    // The columns are too short.
    let args = [
        value(0_usize),
        array(&[1.0; 100], &[2, 50]),
        array(&[2.0; 600], &[20, 30]),
        array(&[0.0; 60], &[2, 30]),
    ];
    let done = run(product::DESCRIPTOR, &args, &[30, 2]);
    let violation = done.violation.expect("b has 20 rows");
    assert_eq!((violation.item, violation.param, violation.index[0]), (0, 2, 20));
    assert_eq!(done.array::<f64>(3)[5], 19.0 * 2.0 - 20.0 * 2.0);
}

#[flash::kernel]
fn steps(most: u32, x: &[u32], #[out] n: &mut [u32], #[out] top: &mut [u32]) {
    let i = global_id(0);
    let mut at = x[i];
    let mut peak = at;
    let mut count = 0;
    while at != 1 && count < most {
        at = if at % 2 == 0 { at / 2 } else { 3 * at + 1 };
        if at > peak {
            peak = at;
        }
        count += 1;
    }
    n[i] = count;
    top[i] = peak;
}

#[test]
fn each_item_leaves_its_loop_by_itself() {
    for n in [1, 15, 16, 17, 40, 63] {
        let x: Vec<u32> = (1..=n).collect();
        let nothing = vec![0_u32; n as usize];
        let args = [value(50_u32), vector(&x), vector(&nothing), vector(&nothing)];
        let done = run(steps::DESCRIPTOR, &args, &[n as usize]);
        let (counts, tops): (Vec<u32>, Vec<u32>) = x
            .iter()
            .map(|&x| {
                let (mut at, mut peak, mut count) = (x, x, 0);
                while at != 1 && count < 50 {
                    at = if at % 2 == 0 { at / 2 } else { 3 * at + 1 };
                    peak = peak.max(at);
                    count += 1;
                }
                (count, peak)
            })
            .unzip();
        assert_eq!((done.array::<u32>(2), done.violation), (counts, None), "{n}");
        assert_eq!(done.array::<u32>(3), tops, "{n}");
    }
}

#[flash::kernel]
fn nested(n: usize, x: &[i64], #[out(partial)] y: &mut [i64]) {
    let i = global_id(0);
    let twice = 2 * n;
    if i > 0 && i + 2 < x.len() {
        let mut sum = x[i - 1];
        for a in (1..=n).rev() {
            let mut part = sum % 7;
            for b in (0..twice).step_by(3) {
                part += x[i + 1] * (a * 10 + b) as i64;
            }
            let part = part - x[i];
            sum += part;
        }
        for k in n..x.len() {
            sum -= x[k] * x[i];
        }
        y[i] = sum;
    }
}

#[test]
fn loops_in_loops_behind_a_guard() {
    for (len, n) in [(3, 1), (20, 2), (45, 3), (80, 0)] {
        let x: Vec<i64> = (0..len).map(|k| (k * 29 % 17) - 5).collect();
        let len = x.len();
        let args = [value(n), vector(&x), vector(&vec![-1_i64; len])];
        let done = run(nested::DESCRIPTOR, &args, &[len]);
        let mut want = vec![-1_i64; len];
        for i in 1..len - 2 {
            let mut sum = x[i - 1];
            for a in (1..=n).rev() {
                let mut part = sum % 7;
                for b in (0..2 * n).step_by(3) {
                    part += x[i + 1] * (a * 10 + b) as i64;
                }
                sum += part - x[i];
            }
            for xk in &x[n..] {
                sum -= xk * x[i];
            }
            want[i] = sum;
        }
        assert_eq!((done.array::<i64>(2), done.violation), (want, None), "{len} {n}");
    }
}

#[flash::kernel]
fn fits(
    skip: usize,
    key: View<'_, f64, 2>,
    query: &[f64],
    weight: &mut [f64],
    #[reduce(+)] total: &mut f64,
) {
    let i = global_id(0);
    let mut fit = weight[i];
    for j in skip..query.len() {
        fit += key[[i + skip, j - skip]] * query[j] / 3.0;
    }
    weight[i] = fit;
    *total += fit;
}

#[test]
fn items_with_rows_of_their_own_sum_as_alone() {
    for (n, d, skip) in [(1, 3, 0), (7, 9, 1), (8, 1, 0), (33, 20, 2), (100, 16, 1), (5_000, 3, 0)]
    {
        let numbers = |n: usize| noise(n).into_iter().map(f64::from).collect::<Vec<_>>();
        let (key, query, weight) = (numbers((n + skip) * d), numbers(d), numbers(n));
        let args = [
            value(skip),
            array(&key, &[n + skip, d]),
            vector(&query),
            vector(&weight),
            cell::<f64>(),
        ];
        let done = run(fits::DESCRIPTOR, &args, &[n]);
        let want: Vec<f64> = (0..n)
            .map(|i| {
                let row = &key[(i + skip) * d..];
                let along = row.iter().zip(query.get(skip..).unwrap_or_default());
                along.fold(weight[i], |fit, (key, query)| fit + key * query / 3.0)
            })
            .collect();
        assert_eq!((done.array::<f64>(3), done.violation), (want.clone(), None), "{n} {d}");
        let blocks = reduction::n_blocks(&Space::new(&[n]).expect("small"));
        let sum = reduced(&done, 4, |a: f64, b| a + b, blocks);
        assert_eq!(sum.to_bits(), tree(&want, n).to_bits(), "{n} {d}");
    }
    // Rows that are too short.
    let args = [
        value(0_usize),
        array(&[1.0; 60], &[20, 3]),
        vector(&[2.0; 4]),
        vector(&[0.0; 20]),
        cell::<f64>(),
    ];
    let done = run(fits::DESCRIPTOR, &args, &[20]);
    let violation = done.violation.expect("a row has 3 elements");
    assert_eq!((violation.item, violation.param, violation.index[1]), (0, 1, 3));
    assert_eq!(done.array::<f64>(3), [2.0; 20]);
}

#[flash::kernel]
fn visits(
    moves: View<'_, i32, 2>,
    at: &mut [i32],
    counts: &[Atomic<u32>],
    balance: &[Atomic<i64>],
    high: &[Atomic<i32>],
) {
    let p = global_id(0);
    let mut x = at[p];
    let mut was = 0_usize;
    for k in 0..moves.extent(0) {
        x += moves[[k, p]];
        let cell = (x & 31) as usize;
        counts[cell].fetch_add(1);
        if cell != was {
            balance[was].fetch_sub(1);
            balance[cell].fetch_add(2);
            high[cell].fetch_max(x);
        }
        was = cell;
    }
    at[p] = x;
}

#[test]
fn cells_that_all_items_change_in_each_trip() {
    for (n, steps) in [(1, 5), (15, 3), (16, 40), (50, 7), (130, 20)] {
        let moves: Vec<i32> = (0..n * steps).map(|k| (k * k % 7) as i32 - 3).collect();
        let at: Vec<i32> = (0..n as i32).map(|p| p % 5).collect();
        let args = [
            array(&moves, &[steps, n]),
            vector(&at),
            vector(&[u32::MAX - 3; 32]),
            vector(&[i64::MIN; 32]),
            vector(&[-9; 32]),
        ];
        let done = run(visits::DESCRIPTOR, &args, &[n]);
        let (mut counts, mut balance, mut high) = ([u32::MAX - 3; 32], [i64::MIN; 32], [-9; 32]);
        let want: Vec<i32> = (0..n)
            .map(|p| {
                let (mut x, mut was) = (at[p], 0);
                for k in 0..steps {
                    x += moves[k * n + p];
                    let cell = (x & 31) as usize;
                    counts[cell] = counts[cell].wrapping_add(1);
                    if cell != was {
                        balance[was] = balance[was].wrapping_sub(1);
                        balance[cell] = balance[cell].wrapping_add(2);
                        high[cell] = high[cell].max(x);
                    }
                    was = cell;
                }
                x
            })
            .collect();
        assert_eq!((done.array::<i32>(1), done.violation), (want, None), "{n} {steps}");
        assert_eq!(done.array::<u32>(2), counts, "{n} {steps}");
        assert_eq!(done.array::<i64>(3), balance, "{n} {steps}");
        assert_eq!(done.array::<i32>(4), high, "{n} {steps}");
    }
}

#[test]
fn cells_that_are_not_there_are_noted() {
    let moves: Vec<i32> = (0..40 * 70).map(|k| if k == 30 * 70 + 40 { 20 } else { 0 }).collect();
    let args = [
        array(&moves, &[40, 70]),
        vector(&[0; 70]),
        vector(&[0_u32; 10]),
        vector(&[0_i64; 32]),
        vector(&[0; 32]),
    ];
    let done = run(visits::DESCRIPTOR, &args, &[70]);
    let violation = done.violation.expect("there are 10 counts");
    assert_eq!((violation.item, violation.param, violation.index[0]), (40, 2, 20));
    assert_eq!(done.array::<u32>(2)[0], 69 * 40 + 30);
}

#[flash::kernel]
fn of_eight(
    m: View<'_, f32, 2>,
    x: View<'_, f32, 2>,
    #[out] along: ViewMut<'_, f32, 2>,
    #[out] down: ViewMut<'_, f32, 2>,
) {
    let (j, i) = (global_id(1), global_id(0));
    let (mut a, mut d) = (0.0_f32, 0.0_f32);
    for n in 0..8 {
        a += m[[i % 8, n]] * x[[j, i / 8 * 8 + n]];
    }
    for n in 0..8 {
        d += m[[j % 8, n]] * x[[j / 8 * 8 + n, i]];
    }
    along[[j, i]] = a;
    down[[j, i]] = d;
}

#[flash::kernel]
fn down_eight(m: View<'_, f32, 2>, x: View<'_, f32, 2>, #[out] down: ViewMut<'_, f32, 2>) {
    let (j, i) = (global_id(1), global_id(0));
    let mut d = 0.0_f32;
    for n in 0..8 {
        d += m[[j % 8, n]] * x[[j / 8 * 8 + n, i]];
    }
    down[[j, i]] = d;
}

#[test]
fn blocks_of_eight_in_lines_and_columns() {
    for (h, w) in [(8, 8), (16, 24), (8, 88), (24, 40)] {
        let (m, x, nothing) = (noise(64), noise(h * w), vec![0.0_f32; h * w]);
        let [m_, x_, o] = [array(&m, &[8, 8]), array(&x, &[h, w]), array(&nothing, &[h, w])];
        let done = run(of_eight::DESCRIPTOR, &[m_, x_, o, array(&nothing, &[h, w])], &[w, h]);
        let sum = |row: usize, at: &dyn Fn(usize) -> usize| {
            (0..8).fold(0.0_f32, |sum, n| sum + m[row * 8 + n] * x[at(n)])
        };
        let each = (0..h * w).map(|place| (place / w, place % w));
        let (along, down): (Vec<f32>, Vec<f32>) = each
            .map(|(j, i)| {
                let along = sum(i % 8, &|n| j * w + i / 8 * 8 + n);
                (along, sum(j % 8, &|n| (j / 8 * 8 + n) * w + i))
            })
            .unzip();
        assert_eq!((done.array::<f32>(2), done.violation), (along, None), "{h} {w}");
        assert_eq!(done.array::<f32>(3), down, "{h} {w}");
        let args = [array(&m, &[8, 8]), array(&x, &[h, w]), array(&nothing, &[h, w])];
        assert_eq!(run(down_eight::DESCRIPTOR, &args, &[w, h]).array::<f32>(2), down, "{h} {w}");
    }
    // The last block of a line, and that of a column, is not whole.
    let args = |[h, w]: [usize; 2]| {
        let nothing = vec![0.0_f32; h * w];
        let x = array(&vec![1.0_f32; h * w], &[h, w]);
        [array(&[1.0_f32; 64], &[8, 8]), x, array(&nothing, &[h, w]), array(&nothing, &[h, w])]
    };
    let done = run(of_eight::DESCRIPTOR, &args([8, 21]), &[21, 8]);
    let violation = done.violation.expect("21 is no multiple of 8");
    assert_eq!((violation.item, violation.param, violation.index[1]), (16, 1, 21));
    assert_eq!(done.array::<f32>(2)[15..18], [8.0, 5.0, 5.0]);
    let done = run(down_eight::DESCRIPTOR, &args([11, 40])[..3], &[40, 11]);
    let violation = done.violation.expect("11 is no multiple of 8");
    assert_eq!((violation.item, violation.param, violation.index[0]), (8 * 40, 1, 11));
    assert_eq!(done.array::<f32>(2)[7 * 40..8 * 40], [8.0; 40]);
    assert_eq!(done.array::<f32>(2)[8 * 40..], [3.0; 3 * 40]);
}

#[flash::kernel]
fn of_four(
    table: View<'_, f32, 2>,
    turned: View<'_, f32, 3>,
    x: &[f32],
    #[out] y: &mut [f32],
    z: &mut [f32],
) {
    let i = global_id(0);
    let (mut a, mut b) = (0.0_f32, 0.5_f32);
    for n in 1..4 {
        a += table[[n, i % 4]] * x[i / 4 * 4 + n];
    }
    for n in 0..3 {
        b = b * 0.5 + turned[[i % 4, 1, n]] + (i % 4) as f32;
    }
    y[i] = a - b;
    z[i] += a;
}

#[test]
fn tables_of_either_kind_and_groups_of_four() {
    for n in (4..=40_usize).step_by(4).chain([6, 17, 131]) {
        let whole = n.div_ceil(4) * 4;
        let (table, turned, x) = (noise(20), noise(24), noise(whole));
        let z = noise(n);
        let args = [
            array(&table, &[4, 5]),
            array(&turned, &[4, 2, 3]),
            vector(&x),
            vector(&vec![0.0_f32; n]),
            vector(&z),
        ];
        let done = run(of_four::DESCRIPTOR, &args, &[n]);
        let (y, z): (Vec<f32>, Vec<f32>) = (0..n)
            .map(|i| {
                let sum = |sum, n: usize| sum + table[n * 5 + i % 4] * x[i / 4 * 4 + n];
                let a = (1..4).fold(0.0_f32, sum);
                let mix = |b, n: usize| b * 0.5 + turned[i % 4 * 6 + 3 + n] + (i % 4) as f32;
                (a - (0..3).fold(0.5_f32, mix), z[i] + a)
            })
            .unzip();
        assert_eq!((done.array::<f32>(3), done.violation), (y, None), "{n}");
        assert_eq!(done.array::<f32>(4), z, "{n}");
    }
    // A table with a row less than there are items in a group.
    let args = [
        array(&noise(20), &[4, 5]),
        array(&noise(18), &[3, 2, 3]),
        vector(&noise(8)),
        vector(&[0.0_f32; 8]),
        vector(&[0.0_f32; 8]),
    ];
    let done = run(of_four::DESCRIPTOR, &args, &[8]);
    let violation = done.violation.expect("there is no fourth row");
    assert_eq!((violation.item, violation.param, violation.index), (3, 1, [3, 1, 0, 0]));
}

/// What a layer computes: products and sums, a factor of each column, what was there before.
#[flash::kernel]
fn layer(
    skip: usize,
    image: View<'_, f32, 2>,
    weights: View<'_, f32, 2>,
    scale: &[f32],
    #[out] result: ViewMut<'_, f32, 2>,
) {
    let (j, i) = (global_id(1), global_id(0));
    let (from, half) = (skip, j as f32 * 0.5);
    let mut sum = half;
    for k in from..weights.extent(0) {
        sum += image[[j, k - skip]] * weights[[k, i]];
    }
    let value = scale[i] * sum + half;
    result[[j, i]] = if value > 0.0 { value } else { -half };
}

fn layers(
    skip: usize,
    image: (&[f32], usize),
    weights: (&[f32], usize),
    scale: &[f32],
) -> Vec<f32> {
    let (depth, w) = (weights.1, scale.len());
    let items = (0..image.0.len() / image.1).flat_map(|j| (0..w).map(move |i| (j, i)));
    let each = items.map(|(j, i)| {
        let (row, half) = (&image.0[j * image.1..], j as f32 * 0.5);
        let products = (skip..depth).map(|k| row[k - skip] * weights.0[k * w + i]);
        let value = scale[i] * products.fold(half, |sum, product| sum + product) + half;
        if value > 0.0 { value } else { -half }
    });
    each.collect()
}

#[test]
fn lines_side_by_side_sum_as_alone() {
    for h in (1..=9).chain([64, 70]) {
        for (w, depth, skip) in
            [(1, 3, 0), (16, 5, 0), (17, 1, 1), (40, 9, 2), (64, 0, 0), (70, 33, 1)]
        {
            let shape = [h, depth.max(1)];
            let (image, weights) = (noise(h * shape[1]), noise(depth * w + 1)[1..].to_vec());
            let (scale, nothing) = (noise(w), vec![7.0_f32; h * w]);
            let args = [
                value(skip),
                array(&image, &shape),
                array(&weights, &[depth, w]),
                vector(&scale),
                array(&nothing, &[h, w]),
            ];
            let done = run(layer::DESCRIPTOR, &args, &[w, h]);
            let want = layers(skip, (&image, shape[1]), (&weights, depth), &scale);
            assert_eq!((done.array::<f32>(4), done.violation), (want, None), "{h} {w} {depth}");
        }
    }
    // Rows of six elements are too short for the products of eight.
    let args = [
        value(0_usize),
        array(&[1.0_f32; 54], &[9, 6]),
        array(&[2.0_f32; 160], &[8, 20]),
        vector(&[1.0_f32; 20]),
        array(&[0.0_f32; 180], &[9, 20]),
    ];
    let done = run(layer::DESCRIPTOR, &args, &[20, 9]);
    let violation = done.violation.expect("a row has 6 elements");
    assert_eq!((violation.item, violation.param, violation.index[1]), (0, 1, 6));
    assert_eq!(done.array::<f32>(4)[25], 6.0 * 2.0 + 0.5 + 0.5);
}

/// Two sums of elements of eight bytes, behind a guard, in volumes; what was there is added to.
#[flash::kernel]
fn stacked(a: View<'_, i64, 3>, b: View<'_, i64, 2>, steps: usize, c: ViewMut<'_, i64, 3>) {
    let (p, j, i) = (global_id(2), global_id(1), global_id(0));
    if i > 0 && j > 0 && j + 1 < c.extent(1) {
        let (mut sum, mut least) = (0_i64, i64::MAX);
        for k in 0..steps {
            let product = a[[p, j, k]] * b[[k + 1, i]];
            sum += product - b[[k, i]];
            if product < least {
                least = product;
            }
        }
        c[[p, j, i]] += sum + least % 5;
    }
}

#[test]
fn lines_side_by_side_behind_a_guard_and_in_volumes() {
    for (h, w) in [(2, 20), (3, 17), (6, 33), (11, 32), (13, 49)] {
        let (depth, steps) = (3, 7);
        let numbers = |n: usize| noise(n).into_iter().map(|x| (4.0 * x) as i64).collect::<Vec<_>>();
        let (a, b, c) =
            (numbers(depth * h * steps), numbers((steps + 1) * w), numbers(depth * h * w));
        let args = [
            array(&a, &[depth, h, steps]),
            array(&b, &[steps + 1, w]),
            value(steps),
            array(&c, &[depth, h, w]),
        ];
        let done = run(stacked::DESCRIPTOR, &args, &[w, h, depth]);
        let mut want = c.clone();
        for p in 0..depth {
            for j in 1..h - 1 {
                for i in 1..w {
                    let product = |k: usize| a[(p * h + j) * steps + k] * b[(k + 1) * w + i];
                    let sum: i64 = (0..steps).map(|k| product(k) - b[k * w + i]).sum();
                    let least = (0..steps).map(product).min().unwrap_or(i64::MAX);
                    want[(p * h + j) * w + i] += sum + least % 5;
                }
            }
        }
        assert_eq!((done.array::<i64>(3), done.violation), (want, None), "{h} {w}");
    }
}

#[flash::kernel]
fn blend(total: f32, weight: &[f32], value: View<'_, f32, 2>, #[out] result: &mut [f32]) {
    let j = global_id(0);
    let mut sum = 0.0_f32;
    for i in 0..weight.len() {
        sum += weight[i] * value[[i, j]];
    }
    result[j] = sum / total;
}

#[test]
fn groups_of_items_side_by_side_sum_as_alone() {
    for (n, d) in [(3, 1), (0, 70), (5, 63), (9, 64), (1, 65), (40, 127), (2, 128), (7, 200)] {
        let (weight, values) = (noise(n), noise(n * d));
        let args =
            [value(1.5_f32), vector(&weight), array(&values, &[n, d]), vector(&vec![7.0_f32; d])];
        let done = run(blend::DESCRIPTOR, &args, &[d]);
        let sum = |j: usize| (0..n).fold(0.0, |sum, i| sum + weight[i] * values[i * d + j]);
        let want: Vec<f32> = (0..d).map(|j| sum(j) / 1.5).collect();
        assert_eq!((done.array::<f32>(3), done.violation), (want, None), "{n} {d}");
    }
}
