//! What is moved for parts: halos and nothing else, in launches, loops and phases, on two to five
//! devices.

use flash::prelude::*;
use flash_rt::sim::{Config, Sim};

use super::stencils::smooth;
use super::{open, open_as};

#[flash::kernel(part_by)]
fn scale(a: u64, x: &[u64], #[out] y: &mut [u64]) {
    let i = global_id(0);
    y[i] = (a * x[i] + i as u64) % 65521;
}

const N: usize = 3_000;

/// Bytes that go to devices and from them while something is done.
fn moved(sim: &Sim, what: impl FnOnce()) -> (u64, u64) {
    let before = sim.counts();
    what();
    let after = sim.counts();
    (after.uploaded - before.uploaded, after.downloaded - before.downloaded)
}

#[test]
fn a_stencil_moves_its_halos_in_each_trip_of_a_loop() {
    (2..=5).for_each(|k| halos_of_a_stencil(k, false));
}

#[test]
fn halos_go_from_device_to_device_between_peers() {
    (2..=5).for_each(|k| halos_of_a_stencil(k, true));
}

fn halos_of_a_stencil(k: usize, peers: bool) {
    let start: Vec<u64> = (0..N as u64).map(|i| i * 7919 % 1_000).collect();
    let (rt, sim) = open_as(Config { peers, ..Config::default() }, &vec![1; k]);
    let (mut a, mut b) = (Buffer::from(start.clone()), Buffer::<u64>::zeros(N));
    let trips = 7_u32;
    let mut p = rt.pipeline();
    p.begin_for(0..trips);
    p.push(smooth(&a, &mut b).partitions(k).over([N]));
    p.push(smooth(&b, &mut a).partitions(k).over([N]));
    p.end_for();
    let first = moved(&sim, || drop(p.exec().unwrap()));
    let between = sim.counts().peer_copied;
    let again = moved(&sim, || drop(p.exec().unwrap()));
    let between = sim.counts().peer_copied - between;
    // An element to each side of a border, for each launch.
    let halos = u64::from(2 * trips) * 2 * (k as u64 - 1) * 8;
    let by_host = if peers { 0 } else { halos };
    assert_eq!((again, between), ((by_host, by_host), halos - by_host), "{k} devices");
    // The first launch finds everything on the host, also beyond its borders.
    let of_first = 2 * (k as u64 - 1) * 8;
    let up = if peers { of_first } else { halos };
    assert_eq!(first.0, 8 * N as u64 + up, "{k} devices");
    let mut wanted = start.clone();
    for _ in 0..4 * trips {
        let x = wanted.clone();
        for i in 1..N - 1 {
            wanted[i] = (x[i - 1] + 2 * x[i] + x[i + 1]) % 65521;
        }
    }
    assert_eq!(a.to_vec().unwrap(), wanted);
}

#[test]
fn a_kernel_without_neighbours_moves_its_own_ranges_once() {
    for k in 2..=5 {
        let (rt, sim) = open(&vec![1; k]);
        let x = Buffer::from((0..N as u64).collect::<Vec<_>>());
        let (mut y, mut z) = (Buffer::<u64>::zeros(N), Buffer::<u64>::zeros(N));
        let mut p = rt.pipeline();
        p.begin_for(0..5_u32);
        p.push(scale(3, &x, &mut y).partitions(k).over([N]));
        p.push(scale(5, &y, &mut z).partitions(k).over([N]));
        p.end_for();
        assert_eq!(moved(&sim, || drop(p.exec().unwrap())), (8 * N as u64, 0), "{k} devices");
        assert_eq!(moved(&sim, || drop(p.exec().unwrap())), (0, 0), "{k} devices");
        assert_eq!(sim.counts().uploads, k as u64);
        let value = |i: u64| (5 * ((3 * i + i) % 65521) + i) % 65521;
        assert_eq!(moved(&sim, || drop(z.to_vec().unwrap())), (0, 8 * N as u64));
        assert_eq!(z.get(N - 1).unwrap(), value(N as u64 - 1));
    }
}

/// Five points; the rim stays.
#[flash::kernel(part_by)]
fn cross(x: View<'_, u64, 2>, #[out] y: ViewMut<'_, u64, 2>) {
    let (i, j) = (global_id(0), global_id(1));
    if i > 0 && j > 0 && i + 1 < x.extent(1) && j + 1 < x.extent(0) {
        y[[j, i]] = (x[[j - 1, i]] + x[[j + 1, i]] + x[[j, i - 1]] + 3 * x[[j, i + 1]]) % 65521;
    } else {
        y[[j, i]] = x[[j, i]];
    }
}

/// Between columns go columns, between blocks the sides of each with its corners, as what an item may
/// reach is a box.
#[test]
fn a_stencil_in_blocks_moves_the_rims_of_its_blocks() {
    let [h, w] = [36, 60];
    let start: Vec<u64> = (0..(h * w) as u64).map(|i| i * 7919 % 1_000).collect();
    let trips = 5_u32;
    let mut wanted = start.clone();
    for _ in 0..2 * 2 * trips {
        let x = wanted.clone();
        for j in 1..h - 1 {
            for i in 1..w - 1 {
                let at = j * w + i;
                wanted[at] = (x[at - w] + x[at + w] + x[at - 1] + 3 * x[at + 1]) % 65521;
            }
        }
    }
    for grid in [[2, 1], [4, 1], [1, 3], [2, 2], [3, 2]] {
        let [across, down] = grid;
        let k = across * down;
        let (rt, sim) = open(&vec![1; k]);
        let mut a = Buffer::from_shape([h, w], start.clone()).unwrap();
        let mut b = Buffer::<u64, 2>::zeros([h, w]);
        let mut p = rt.pipeline();
        p.begin_for(0..trips);
        p.push(cross(&a, &mut b).partitions(grid).over([w, h]));
        p.push(cross(&b, &mut a).partitions(grid).over([w, h]));
        p.end_for();
        // What a block reaches beyond itself, summed over blocks: its box with a rim, where there are others.
        let reached: usize = (0..k)
            .map(|block| {
                let (x, y) = (block % across, block / across);
                let with_rim = |at: usize, of: usize, n: usize| {
                    n / of + usize::from(at > 0) + usize::from(at + 1 < of)
                };
                with_rim(x, across, w) * with_rim(y, down, h)
            })
            .sum();
        let halos = ((reached - h * w) * 8) as u64;
        let first = moved(&sim, || drop(p.exec().unwrap()));
        assert_eq!(first.0, (h * w * 8) as u64 + u64::from(2 * trips) * halos, "{grid:?}");
        let again = moved(&sim, || drop(p.exec().unwrap()));
        // What several reach at a corner comes from its block once.
        let (columns, rows) = (2 * (across - 1), 2 * (down - 1));
        let rims = ((columns * h + rows * w - columns * rows) * 8) as u64;
        assert_eq!(again, (u64::from(2 * trips) * halos, u64::from(2 * trips) * rims), "{grid:?}");
        drop(p);
        assert!(a.to_vec().unwrap() == wanted, "{grid:?}");
        assert_eq!(sim.counts().poison, 0);
    }
}
