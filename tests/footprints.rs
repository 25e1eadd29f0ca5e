//! What `explain()` says that bodies reach, against what they were written to reach; and that parts
//! of a phase bring what that phase reaches and no more.
#![allow(clippy::unwrap_used, reason = "a test fails by unwrapping")]

use std::ops::Range;
use std::sync::Arc;

use flash::CountBy;
use flash::prelude::*;
use flash::sim::{Config, Run, Sim};

#[flash::kernel]
fn here(x: &[u32], #[out(partial)] y: &mut [u32]) {
    let i = global_id(0);
    y[i] = x[i];
}

#[flash::kernel]
fn behind(x: &[u32], #[out(partial)] y: &mut [u32]) {
    let i = global_id(0);
    y[i] = x[i - 3];
}

#[flash::kernel]
fn ahead(x: &[u32], #[out(partial)] y: &mut [u32]) {
    let i = global_id(0);
    y[i] = x[i + 2];
}

#[flash::kernel]
fn moved(k: usize, x: &[u32], #[out(partial)] y: &mut [u32]) {
    let i = global_id(0);
    y[i] = x[i + k];
}

/// Each number stands twice in the next one.
#[flash::kernel]
fn doubled(x: &[u32], #[out(partial)] y: &mut [u32]) {
    let i = global_id(0);
    let a0 = i % 2;
    let a1 = a0 + a0;
    let a2 = a1 + a1;
    let a3 = a2 + a2;
    let a4 = a3 + a3;
    let a5 = a4 + a4;
    let a6 = a5 + a5;
    let a7 = a6 + a6;
    let a8 = a7 + a7;
    let a9 = a8 + a8;
    let a10 = a9 + a9;
    let a11 = a10 + a10;
    let a12 = a11 + a11;
    let a13 = a12 + a12;
    let a14 = a13 + a13;
    let a15 = a14 + a14;
    let a16 = a15 + a15;
    let a17 = a16 + a16;
    let a18 = a17 + a17;
    let a19 = a18 + a18;
    let a20 = a19 + a19;
    let a21 = a20 + a20;
    let a22 = a21 + a21;
    let a23 = a22 + a22;
    let a24 = a23 + a23;
    let a25 = a24 + a24;
    let a26 = a25 + a25;
    let a27 = a26 + a26;
    let a28 = a27 + a27;
    let a29 = a28 + a28;
    let a30 = a29 + a29;
    let a31 = a30 + a30;
    let a32 = a31 + a31;
    let a33 = a32 + a32;
    let a34 = a33 + a33;
    let a35 = a34 + a34;
    let a36 = a35 + a35;
    let a37 = a36 + a36;
    let a38 = a37 + a37;
    let a39 = a38 + a38;
    let a40 = a39 + a39;
    y[i] = x[a40 / 2_199_023_255_552 + a39 % 3];
}

#[flash::kernel]
fn fixed(x: &[u32], #[out(partial)] y: &mut [u32]) {
    let i = global_id(0);
    y[i] = x[7];
}

#[flash::kernel]
fn backwards(x: &[u32], #[out(partial)] y: &mut [u32]) {
    let i = global_id(0);
    y[i] = x[x.len() - 1 - i];
}

#[flash::kernel]
fn spread_out(x: &[u32], #[out(partial)] y: &mut [u32]) {
    let i = global_id(0);
    y[i] = x[3 * i + 1];
}

#[flash::kernel]
fn in_groups(x: &[u32], #[out(partial)] y: &mut [u32]) {
    let i = global_id(0);
    y[i] = x[i / 8 * 8 + 5];
}

#[flash::kernel]
fn halves(x: &[u32], #[out(partial)] y: &mut [u32]) {
    let i = global_id(0);
    y[i] = x[i >> 1];
}

#[flash::kernel]
fn around(x: &[u32], #[out(partial)] y: &mut [u32]) {
    let i = global_id(0);
    y[i] = x[(i + 1) % x.len()];
}

#[flash::kernel]
fn low(x: &[u32], #[out(partial)] y: &mut [u32]) {
    let i = global_id(0);
    y[i] = x[i % 4];
}

#[flash::kernel]
fn held_in(x: &[u32], #[out(partial)] y: &mut [u32]) {
    let i = global_id(0);
    y[i] = x[i.clamp(4, 11)];
}

#[flash::kernel]
fn chosen(x: &[u32], #[out(partial)] y: &mut [u32]) {
    let i = global_id(0);
    y[i] = x[if i > 4 { i } else { 2 * i + 9 }];
}

#[flash::kernel]
fn narrow(k: i32, x: &[u32], #[out(partial)] y: &mut [u32]) {
    let i = global_id(0);
    y[i] = x[(i as i32 - k) as usize];
}

/// Two of three terms, and a loop.
#[flash::kernel]
fn windows(x: &[u32], #[out(partial)] y: &mut [u32]) {
    let i = global_id(0);
    let first = 2 * i;
    let mut sum = 0;
    for k in 0..3 {
        sum += x[first + k];
    }
    y[i] = sum;
}

/// By what another array says.
#[flash::kernel]
fn gathers(at: &[u32], x: &[u32], #[out(partial)] y: &mut [u32]) {
    let i = global_id(0);
    y[i] = x[at[i] as usize];
}

/// A row, a column, both the other way round.
#[flash::kernel]
fn planes(
    row: usize,
    a: View<'_, u32, 2>,
    b: View<'_, u32, 2>,
    c: View<'_, u32, 2>,
    #[out(partial)] y: ViewMut<'_, u32, 2>,
) {
    let (i, j) = (global_id(0), global_id(1));
    let mut sum = c[[i, j]];
    for k in 1..=a.extent(1) - 2 {
        sum += a[[row, k]] * b[[k, i]];
    }
    y[[j, i]] = sum;
}

/// One branch is taken by all items of a launch, another by none.
#[flash::kernel]
fn decided(mode: u32, n: usize, x: &[u32], z: &[u32], #[out(partial)] y: &mut [u32]) {
    let i = global_id(0);
    let is_second = mode == 2;
    if is_second && i < n {
        y[i] = x[i + 1];
    } else {
        y[i] = z[i + 2];
    }
}

/// Reached by `unsafe`, and told by its indices all the same.
#[flash::kernel]
fn scattered(x: &[u32], y: &mut [u32]) {
    let i = global_id(0);
    // SAFETY: items are 2 apart.
    unsafe { y[2 * i + 1] = x[i] };
}

/// What is said of the array `name` when the call runs over `[n]`.
fn said(call: flash::Call<'_, 1>, n: usize, name: &str) -> String {
    let rt = Runtime::builder().devices("ALL_CPU").threads(1).build().unwrap();
    line(&rt, call.over([n]), name)
}

fn line(rt: &Runtime, stage: flash::Stage<'_>, name: &str) -> String {
    let found = explained(rt, stage, name);
    let at = [found.find(", reads ["), found.find(", writes [")].into_iter().flatten().min();
    at.map_or("", |at| &found[at + 2..]).to_owned()
}

/// All that is said of the array.
fn explained(rt: &Runtime, stage: flash::Stage<'_>, name: &str) -> String {
    let mut pipeline = rt.pipeline();
    pipeline.push(stage);
    let how = pipeline.explain().unwrap();
    let lines = &how.stages()[0].params;
    lines.iter().find(|line| line.starts_with(&format!("{name}: "))).unwrap().clone()
}

#[test]
fn bodies_reach_what_they_were_written_to() {
    let (x, mut y) = (&Buffer::from(vec![0_u32; 40]), Buffer::<u32>::zeros(40));
    for (call, expected) in [
        (here(x, &mut y), "reads [0..12]"),
        (behind(x, &mut y), "reads [0..9]"),
        (ahead(x, &mut y), "reads [2..14]"),
        (moved(30, x, &mut y), "reads [30..40]"),
        (fixed(x, &mut y), "reads [7..8]"),
        (backwards(x, &mut y), "reads [28..40] at most"),
        (spread_out(x, &mut y), "reads [1..35] at most"),
        (in_groups(x, &mut y), "reads [5..14] at most"),
        (halves(x, &mut y), "reads [0..6] at most"),
        (around(x, &mut y), "reads [1..13] at most"),
        (low(x, &mut y), "reads [0..4] at most"),
        (held_in(x, &mut y), "reads [4..12] at most"),
        (chosen(x, &mut y), "reads [0..32] at most"),
        (narrow(2, x, &mut y), "reads [0..10] at most"),
        (windows(x, &mut y), "reads [0..25] at most"),
        (gathers(x, x, &mut y), "reads [0..40] anywhere: the index depends on data"),
        (decided(2, 99, x, x, &mut y), "reads [1..13]"),
        (decided(2, 9, x, x, &mut y), "reads [1..13]"),
        (decided(1, 99, x, x, &mut y), ""),
    ] {
        let name = call.kernel().name;
        assert_eq!(said(call, 12, "x"), expected, "{name}");
    }
    assert_eq!(said(decided(2, 99, x, x, &mut y), 12, "z"), "");
    assert_eq!(said(decided(2, 9, x, x, &mut y), 12, "z"), "reads [2..14]");
    assert_eq!(said(here(x, &mut y), 12, "y"), "writes [0..12]");
    assert_eq!(said(scattered(x, &mut y), 12, "y"), "writes [1..24] at most");

    let rt = Runtime::builder().devices("ALL_CPU").threads(1).build().unwrap();
    let a = Buffer::<u32, 2>::zeros([20, 9]);
    let mut y = Buffer::<u32, 2>::zeros([20, 20]);
    for (name, expected) in [
        ("a", "reads [3..4, 1..8]"),
        ("b", "reads [1..8, 0..6]"),
        ("c", "reads [0..6, 0..5]"),
        ("y", "writes [0..5, 0..6]"),
    ] {
        let found = line(&rt, planes(3, &a, &a, &a, &mut y).over([6, 5]), name);
        assert_eq!(found.trim_end_matches(" at most"), expected, "{name}");
    }
}

#[test]
fn ids_that_are_no_positions_reach_their_own_elements() {
    let rt = Runtime::builder().devices("ALL_CPU").threads(1).build().unwrap();
    let (x, mut y) = (Buffer::from(vec![0_u32; 90]), Buffer::<u32>::zeros(90));
    for (ids, read, written) in [
        // Of the elements between two ids nobody knows.
        (CountBy::list([30, 7]), "reads [9..33] at most", "writes [7..31] at most"),
        (CountBy::list([30, 29, 31]), "reads [31..34]", "writes [29..32]"),
        (CountBy::powers(3, 81), "reads [3..30] at most", "writes [1..28] at most"),
        (CountBy::strided_reduce(80), "reads [3..67] at most", "writes [1..65] at most"),
        (CountBy::count(6).inclusive(), "reads [2..9]", "writes [0..7]"),
        (CountBy::count(6).descending(), "reads [2..8]", "writes [0..6]"),
    ] {
        for (name, expected) in [("x", read), ("y", written)] {
            let found = line(&rt, ahead(&x, &mut y).over([ids.clone()]), name);
            assert_eq!(found, expected, "{ids:?}");
            let found = line(&rt, ahead(&x, &mut y).group_by(0).over([ids.clone()]), name);
            assert_eq!(found, expected, "{ids:?}, each in a phase of its own");
        }
    }
    // As many ids as there are elements around them, and one of those is left out.
    let ids = [CountBy::list([1, 3, 3])];
    let found = line(&rt, ahead(&x, &mut y).group_by(0).over(ids), "x");
    assert_eq!(found, "reads [3..6] at most");
    // In two dimensions, one of which orders the items.
    let (a, mut y) = (Buffer::<u32, 2>::zeros([20, 90]), Buffer::<u32, 2>::zeros([90, 90]));
    let space = (CountBy::list([9, 2]), CountBy::list([4, 5]));
    let found = line(&rt, planes(3, &a, &a, &a, &mut y).sort_by([1]).over(space), "c");
    assert_eq!(found, "reads [2..10, 4..6] at most");
}

/// As the function says, whatever the body does.
#[flash::kernel(part_by = around_items)]
fn by_function(x: &[u32], unused: &[u32], #[out(partial)] y: &mut [u32]) {
    let i = global_id(0);
    y[i] = x[i] + unused.len() as u32;
}

fn around_items(items: &[Range<u64>]) -> Vec<ArgRange> {
    let own = items[0].clone();
    let halo = own.start.saturating_sub(2)..own.end + 2;
    vec![ArgRange::read(halo).clipped(), ArgRange::none(), ArgRange::write(own)]
}

/// Written in the first phase alone, as far as the function goes.
#[flash::kernel(group_by(y), part_by = by_turns)]
fn turns(x: &mut [u32]) {
    let i = global_id(0);
    x[i] = x[i] + 1;
}

fn by_turns(items: &[Range<u64>]) -> Vec<ArgRange> {
    let own = items[0].clone();
    vec![if items[1] == (0..1) { ArgRange::both(own) } else { ArgRange::read(own) }]
}

#[test]
fn what_a_function_gives_is_said() {
    let rt = Runtime::builder().devices("ALL_CPU").threads(1).build().unwrap();
    let (x, mut y) = (&Buffer::from(vec![0_u32; 40]), Buffer::<u32>::zeros(40));
    for (name, expected) in [
        ("x", "reads [0..12], by `part_by` reads [0..14]"),
        ("y", "writes [0..12], by `part_by` writes [0..12]"),
    ] {
        assert_eq!(line(&rt, by_function(x, x, &mut y).over([12]), name), expected);
    }
    let found = line(&rt, by_function(x, x, &mut y).over([CountBy::list([7, 9, 8])]), "x");
    assert_eq!(found, "reads [7..10], by `part_by` reads [5..12]");
    let all = explained(&rt, by_function(x, x, &mut y).over([12]), "unused");
    assert!(all.ends_with(", by `part_by` reaches nothing"), "{all}");
    // Of a launch in phases, the first one: of others it may say something else.
    let all = explained(&rt, turns(&mut y).over([12, 3]), "x");
    let (read, written) = ("reads [0..12]", "writes [0..12]");
    let wanted = format!("{read}, {written}, by `part_by` {read}, {written} in its first phase");
    assert!(all.ends_with(&wanted), "{all}");
}

/// Each phase reads a row of a table, which has more rows than there are phases.
#[flash::kernel(rank = 2, group_by(y), part_by)]
fn add_rows(x: View<'_, u32, 2>, y: &mut [u32]) {
    let i = global_id(0);
    y[i] = 3 * y[i] + x[[phase() + 1, i]];
}

/// Heat in a rod, in two rows that change places.
#[flash::kernel(rank = 2, group_by(y), part_by)]
fn heat(r: f32, u: ViewMut<'_, f32, 2>) {
    let i = global_id(0);
    let (old, new) = (phase() % 2, 1 - phase() % 2);
    let mut t = u[[old, i]];
    if i > 0 && i + 1 < u.extent(1) {
        // SAFETY: the items of a phase write the row `new` only.
        t += r * unsafe { u[[old, i - 1]] - 2.0 * u[[old, i]] + u[[old, i + 1]] };
    }
    u[[new, i]] = t;
}

/// The same in stages: into `next`, then back into `u`.
#[flash::kernel(rank = 3, group_by(y), part_by)]
fn stages(r: f32, u: &mut [f32], next: &mut [f32]) {
    let i = global_id(0);
    if phase() % 2 == 0 {
        let mut t = u[i];
        if i > 0 && i + 1 < u.len() {
            // SAFETY: nobody writes `u` in this phase.
            t += r * unsafe { u[i - 1] - 2.0 * u[i] + u[i + 1] };
        }
        next[i] = t;
    } else {
        u[i] = next[i];
    }
}

/// Where an element goes depends on data, so nobody knows what a part needs.
#[flash::kernel(part_by)]
fn permuted(to: &[u32], x: &[u32], y: &mut [u32]) {
    let i = global_id(0);
    // SAFETY: `to` is a permutation.
    unsafe { y[to[i] as usize] = x[i] };
}

/// Devices that run machine code in memories of their own.
fn devices(n: usize) -> (Runtime, Sim) {
    let sim = Sim::new(Config { devices: n, run: Run::Entry, ..Config::default() });
    (Runtime::builder().backend(Arc::new(sim.clone())).build().unwrap(), sim)
}

#[test]
fn a_phase_brings_what_it_reaches() {
    let (n, k, steps) = (600, 3, 8);
    let (rt, sim) = devices(k);
    let table: Vec<u32> = (0..20 * n as u32).map(|v| v % 1009).collect();
    let x = Buffer::from_shape([20, n], table.clone()).unwrap();
    let mut y = Buffer::<u32>::from(vec![1; n]);
    rt.submit(add_rows(&x, &mut y).partitions(k)).exec([n, steps]).unwrap();
    let after = |i: usize| (1..=steps).fold(1, |sum, row| 3 * sum + table[row * n + i]);
    let counts = sim.counts();
    assert_eq!((counts.uploaded, counts.downloaded), (4 * (steps + 1) as u64 * n as u64, 0));
    assert_eq!(counts.uploads as usize, k * (steps + 1));
    assert_eq!(y.to_vec().unwrap(), (0..n).map(after).collect::<Vec<_>>());
    assert_eq!(sim.counts().poison, 0);
}

#[test]
fn rods_in_one_launch_move_their_halos_only() {
    let (n, k, steps) = (1000, 4, 30);
    let start: Vec<f32> = (0..n).map(|i| (i * i % 97) as f32).collect();
    let (mut a, mut b) = (start.clone(), start.clone());
    for _ in 0..steps {
        for i in 0..n {
            let inner = i > 0 && i + 1 < n;
            b[i] = a[i] + if inner { 0.25 * (a[i - 1] - 2.0 * a[i] + a[i + 1]) } else { 0.0 };
        }
        std::mem::swap(&mut a, &mut b);
    }
    // On both sides of each border, once in each step but the first.
    let rims = 2 * (k - 1);
    let halos = 4 * (rims * (steps - 1)) as u64;

    let (rt, sim) = devices(k);
    let mut u = Buffer::from_shape([2, n], [start.clone(), vec![0.0; n]].concat()).unwrap();
    rt.submit(heat(0.25, &mut u).partitions(k)).exec([n, steps]).unwrap();
    let counts = sim.counts();
    let first = 4 * 2 * (n + rims) as u64;
    assert_eq!(counts.uploaded, first + halos);
    // A box around both rows has the rim of the one that is written: it may come from its writer.
    assert!(counts.downloaded <= halos + 4 * rims as u64, "{counts:?}");
    assert_eq!(u.to_vec().unwrap()[..n], a);
    assert_eq!(sim.counts().poison, 0);

    let (rt, sim) = devices(k);
    let (mut u, mut next) = (Buffer::from(start), Buffer::zeros(n));
    rt.submit(stages(0.25, &mut u, &mut next).partitions(k)).exec([n, 2, steps]).unwrap();
    let counts = sim.counts();
    let first = 4 * (2 * n + rims) as u64;
    assert_eq!((counts.uploaded, counts.downloaded), (first + halos, halos));
    assert_eq!(u.to_vec().unwrap(), a);
    assert_eq!(sim.counts().poison, 0);
}

#[test]
fn where_an_index_depends_on_data_a_launch_stays_whole() {
    let n = 100;
    let (rt, sim) = devices(2);
    let to = Buffer::from((0..n).map(|i| (i * 7 % n) as u32).collect::<Vec<_>>());
    let x = Buffer::from((0..n as u32).collect::<Vec<_>>());
    let mut y = Buffer::<u32>::zeros(n);
    let mut p = rt.pipeline();
    p.push(permuted(&to, &x, &mut y).partitions(2).over([n]));
    let why = p.explain().unwrap().stages()[0].placed.clone().unwrap();
    assert!(why.starts_with("whole: parts could write the same elements of `y`"), "{why}");
    p.exec().unwrap();
    let found = y.to_vec().unwrap();
    assert!((0..n).all(|i| found[i * 7 % n] == i as u32), "{found:?}");
    assert_eq!(sim.counts().launches, 1);
}

/// What is too much to go through is not known, soon.
#[test]
fn numbers_that_each_stand_twice_in_the_next_one_take_no_time() {
    for rt in [Runtime::open("ALL_CPU").unwrap(), Runtime::open("SIM").unwrap()] {
        let (x, mut y) = (Buffer::from(vec![7_u32, 8, 9]), Buffer::<u32>::zeros(8));
        rt.submit(doubled(&x, &mut y)).exec([8]).unwrap();
        let at = |i: usize| ((i % 2) << 40) / (1 << 41) + ((i % 2) << 39) % 3;
        let expected: Vec<u32> = (0..8).map(|i| [7, 8, 9][at(i)]).collect();
        assert_eq!(y.to_vec().unwrap(), expected);
    }
}
