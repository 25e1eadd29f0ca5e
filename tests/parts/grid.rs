//! Launches that are cut in two dimensions, and across one that is named: the blocks together are the
//! launch, and each brings its rows and its columns only.

use std::ops::Range;

use flash::prelude::*;
use flash::{ArgRange, Call, Error};
use flash_rt::sim::{Sim, What};

use super::open;

/// A block of `c` needs rows of `a` and columns of `b`.
fn blocks(items: &[Range<u64>]) -> Vec<ArgRange> {
    let (columns, rows) = (items[0].clone(), items[1].clone());
    vec![
        ArgRange::read(rows.clone()),
        ArgRange::read((.., columns.clone())),
        ArgRange::write([rows, columns]),
    ]
}

#[flash::kernel(part_by = blocks)]
fn product(a: View<'_, f64, 2>, b: View<'_, f64, 2>, #[out] c: ViewMut<'_, f64, 2>) {
    let (i, j) = (global_id(0), global_id(1));
    let mut sum = 0.0;
    for k in 0..a.extent(1) {
        sum += a[[j, k]] * b[[k, i]];
    }
    c[[j, i]] = sum;
}

/// The same, by what the body says.
#[flash::kernel(part_by)]
fn inferred(a: View<'_, f64, 2>, b: View<'_, f64, 2>, #[out] c: ViewMut<'_, f64, 2>) {
    let (i, j) = (global_id(0), global_id(1));
    let mut sum = 0.0;
    for k in 0..a.extent(1) {
        sum += a[[j, k]] * b[[k, i]];
    }
    c[[j, i]] = sum;
}

/// Its part, at each item.
#[flash::kernel(part_by)]
fn owner(#[out] y: ViewMut<'_, u64, 2>) {
    y[[global_id(1), global_id(0)]] = partition() as u64;
}

#[flash::kernel(part_by)]
fn total(x: View<'_, u64, 2>, #[reduce(+)] s: &mut u64) {
    *s += x[[global_id(1), global_id(0)]];
}

/// Rows, inner extent, columns.
const SHAPE: [usize; 3] = [30, 7, 44];

struct Matrices {
    a: Buffer<f64, 2>,
    b: Buffer<f64, 2>,
    c: Buffer<f64, 2>,
}

fn matrices() -> Matrices {
    let [n, m, p] = SHAPE;
    let of = |rows: usize, columns: usize, by: usize| {
        let value = |k: usize| ((k * by) % 101) as f64 / 7.0;
        Buffer::from_shape([rows, columns], (0..rows * columns).map(value).collect::<Vec<_>>())
    };
    Matrices { a: of(n, m, 37).unwrap(), b: of(m, p, 53).unwrap(), c: Buffer::zeros([n, p]) }
}

/// What a plain loop leaves.
fn looped(Matrices { a, b, .. }: &Matrices) -> Vec<f64> {
    let ([n, m, p], a, b) = (SHAPE, a.to_vec().unwrap(), b.to_vec().unwrap());
    let of = |j: usize, i: usize| (0..m).fold(0.0, |sum, k| sum + a[j * m + k] * b[k * p + i]);
    (0..n).flat_map(|j| (0..p).map(move |i| (j, i))).map(|(j, i)| of(j, i)).collect()
}

/// The items of each launch, in the order of the devices, and the bytes that came to each.
fn did(sim: &Sim, devices: usize) -> Vec<(Vec<u64>, usize)> {
    let mut all = vec![(Vec::new(), 0); devices];
    for call in sim.calls() {
        let (items, bytes) = &mut all[call.device];
        match call.what {
            What::Launch { items: n, .. } => items.push(n),
            What::Upload { to, .. } => *bytes += to.bytes() as usize,
            _ => {}
        }
    }
    all
}

type Kernel = fn(&Matrices, &mut Buffer<f64, 2>) -> Call<'static, 2>;

#[test]
fn blocks_of_a_product_bring_their_rows_and_columns() {
    let [n, m, p] = SHAPE;
    let kernels: [Kernel; 2] = [|m, c| product(&m.a, &m.b, c), |m, c| inferred(&m.a, &m.b, c)];
    for kernel in kernels {
        let mut all = matrices();
        let wanted = looped(&all);
        let (rt, sim) = open(&[1, 4, 2, 9]);
        let mut c = all.c.clone();
        rt.submit(kernel(&all, &mut c).partitions([2, 2])).exec([p, n]).unwrap();
        let block = ((n / 2 * p / 2) as u64, 8 * (n / 2 * m + m * p / 2));
        assert_eq!(did(&sim, 4), vec![(vec![block.0], block.1); 4]);
        assert_eq!(all.c.to_vec().unwrap(), wanted);
        let counts = sim.counts();
        assert_eq!((counts.downloaded, counts.poison), (8 * (n * p) as u64, 0));

        // Rows alone need all of `b` each.
        all.c = Buffer::zeros([n, p]);
        let (rt, sim) = open(&[1, 4, 2, 9]);
        let mut c = all.c.clone();
        rt.submit(kernel(&all, &mut c).partitions(4)).exec([p, n]).unwrap();
        let bytes: usize = did(&sim, 4).iter().map(|(_, bytes)| bytes).sum();
        assert_eq!(bytes, 8 * (n * m + 4 * m * p));
        assert_eq!(all.c.to_vec().unwrap(), wanted);

        // More blocks than devices, of unlike sizes, beside the processor.
        let (rt, _) = super::open_with_cpu(&[1, 3]);
        for grid in [[3, 4], [1, 7], [5, 1], [44, 30]] {
            all.c = Buffer::zeros([n, p]);
            let mut c = all.c.clone();
            rt.submit(kernel(&all, &mut c).partitions(grid)).exec([p, n]).unwrap();
            assert_eq!(all.c.to_vec().unwrap(), wanted, "{grid:?}");
        }
    }
}

#[test]
fn parts_of_a_grid_are_numbered_along_dimension_0_first() {
    let (rt, sim) = open(&[1, 2, 3]);
    let mut y = Buffer::<u64, 2>::filled([4, 6], 99);
    rt.submit(owner(&mut y).partitions([3, 2])).exec([6, 4]).unwrap();
    let wanted: Vec<u64> =
        (0..4_u64).flat_map(|row| (0..6_u64).map(move |x| 3 * (row / 2) + x / 2)).collect();
    assert_eq!(y.to_vec().unwrap(), wanted);
    // Devices take turns: parts 0 and 3, 1 and 4, 2 and 5.
    assert!(did(&sim, 3).iter().all(|(items, _)| *items == [4, 4]));
    rt.submit(owner(&mut y).partitions(3).cut_across(0)).exec([6, 4]).unwrap();
    assert_eq!(y.to_vec().unwrap(), [0, 0, 1, 1, 2, 2].repeat(4));
    rt.submit(owner(&mut y).shares([1.0, 0.0, 2.0]).cut_across(0)).exec([6, 4]).unwrap();
    assert_eq!(y.to_vec().unwrap(), [0, 0, 1, 1, 1, 1].repeat(4));
    rt.submit(owner(&mut y).dynamic(4).cut_across(0)).exec([6, 4]).unwrap();
    assert_eq!(y.to_vec().unwrap(), [0, 0, 0, 0, 1, 1].repeat(4));
}

#[test]
fn what_cannot_be_cut_so_stays_whole_or_is_refused() {
    let (rt, sim) = open(&[1, 1]);
    let mut y = Buffer::<u64, 2>::filled([4, 6], 99);
    let why = |call: Call<'static, 2>| {
        let mut p = rt.pipeline();
        p.push(call.over([6, 4]));
        let text = p.explain().unwrap().stages()[0].placed.clone().unwrap();
        p.exec().unwrap();
        text
    };
    let text = why(owner(&mut y).partitions([3, 2]));
    assert_eq!(text, "split as told: 3 x 2 blocks, in turn on sim:0, sim:1");
    assert!(why(owner(&mut y).partitions([7, 1])).contains("whole: no dimension is as long"));
    assert_eq!(y.to_vec().unwrap(), [0; 24]);
    assert!(why(owner(&mut y).partitions([1, 1])).contains("whole: one partition, as told"));
    let (x, mut sum) = (Buffer::<u64, 2>::filled([4, 6], 2), Var::new(0));
    assert!(why(total(&x, &mut sum).partitions([2, 2])).contains("whole: it reduces"));
    assert_eq!(sum.get().unwrap(), 48);
    let launches = sim.counts().launches;
    let error = rt.submit(owner(&mut y).partitions(2).cut_across(2)).exec([6, 4]).unwrap_err();
    assert!(matches!(error, Error::Range { index: 2, len: 2, .. }), "{error}");
    assert_eq!(sim.counts().launches, launches);
}
