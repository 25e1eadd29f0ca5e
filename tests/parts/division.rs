//! How phases are divided: all of them are checked before the first one runs, and once; and what no
//! part writes stays as it is.

use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering};

use flash::prelude::*;
use flash::{ArgRange, CountBy, Error};

use super::open;

/// In phase 3 all blocks write the same.
fn same_in_the_end(items: &[Range<u64>]) -> Vec<ArgRange> {
    let own = if items[1].start == 3 { 0..8 } else { items[0].clone() };
    vec![ArgRange::new(own.clone(), own)]
}

/// In phase 2 they write what is not there.
fn too_far_in_the_end(items: &[Range<u64>]) -> Vec<ArgRange> {
    let far = if items[1].start == 2 { 1_000 } else { 0 };
    vec![ArgRange::write(items[0].start + far..items[0].end + far)]
}

#[flash::kernel(rank = 2, group_by(y), part_by = same_in_the_end)]
fn overlapping(x: &mut [u64]) {
    let i = global_id(0);
    x[i] += 1;
}

#[flash::kernel(rank = 2, group_by(y), part_by = too_far_in_the_end)]
fn outside(x: &mut [u64]) {
    let i = global_id(0);
    x[i] += 1;
}

#[test]
fn what_is_wrong_in_a_later_phase_is_found_before_the_first_one_runs() {
    let (rt, sim) = open(&[1, 1]);
    let mut x = Buffer::from(vec![5_u64; 64]);
    let refused = |call: flash::Call<'static, 2>, words: &str| {
        let error = rt.submit(call.partitions(2)).exec([64, 5]).unwrap_err();
        assert!(
            matches!(error, Error::Parts { .. }) && error.to_string().contains(words),
            "{error}"
        );
        assert_eq!(sim.counts().launches, 0);
    };
    refused(overlapping(&mut x), "two parts would write the same elements");
    refused(outside(&mut x), "[1000..1032]");
    assert_eq!(x.to_vec().unwrap(), [5; 64]);
    // As far as nothing is wrong it runs.
    rt.submit(overlapping(&mut x).partitions(2)).exec([64, 3]).unwrap();
    assert_eq!((x.to_vec().unwrap(), sim.counts().launches), (vec![8; 64], 6));
}

static ASKED: AtomicUsize = AtomicUsize::new(0);

fn counted(items: &[Range<u64>]) -> Vec<ArgRange> {
    ASKED.fetch_add(1, Ordering::Relaxed);
    vec![ArgRange::new(items[0].clone(), items[0].clone())]
}

#[flash::kernel(rank = 2, group_by(y), part_by = counted)]
fn asked(x: &mut [u64]) {
    let i = global_id(0);
    x[i] += 1;
}

#[test]
fn what_parts_reach_is_asked_once_however_often_they_run() {
    let (rt, _) = open(&[1, 1, 1]);
    let mut x = Buffer::from(vec![5_u64; 300]);
    let mut p = rt.pipeline();
    p.begin_for(0..4_u32);
    p.push(asked(&mut x).partitions(3).over([300, 10]));
    p.end_for();
    let before = ASKED.load(Ordering::Relaxed);
    p.prepare().unwrap();
    for run in 1..=3 {
        p.exec().unwrap();
        assert_eq!(ASKED.load(Ordering::Relaxed) - before, 3 * 10, "run {run}");
    }
    assert_eq!(x.to_vec().unwrap(), [5 + 3 * 4 * 10; 300]);
}

/// What no launch has written.
const POISON: u64 = 0xdead_beef_dead_beef;

/// Four rows and the columns from the eighth on, of a larger field.
fn inner(items: &[Range<u64>]) -> Vec<ArgRange> {
    let columns = items[0].start + 8..items[0].end + 8;
    vec![ArgRange::write([items[1].start + 2..items[1].end + 2, columns])]
}

#[flash::kernel(part_by = inner)]
fn fill_inner(k: u64, #[out(partial)] y: ViewMut<'_, u64, 2>) {
    let (i, j) = (global_id(0), global_id(1));
    y[[j + 2, i + 8]] = k + (100 * j + i) as u64;
}

/// The same, as its indices say.
#[flash::kernel(part_by)]
fn fill_inner_as_inferred(k: u64, #[out(partial)] y: ViewMut<'_, u64, 2>) {
    let (i, j) = (global_id(0), global_id(1));
    y[[j + 2, i + 8]] = k + (100 * j + i) as u64;
}

#[flash::kernel(part_by)]
fn fill(k: u64, #[out] y: ViewMut<'_, u64, 2>) {
    let (i, j) = (global_id(0), global_id(1));
    y[[j, i]] = k;
}

type Fill = fn(u64, &mut Buffer<u64, 2>) -> flash::Call<'static, 2>;

#[test]
fn what_no_part_writes_stays_as_it_is_on_every_device_and_when_parts_are_merged() {
    let (w, h) = (40, 12);
    let ways: [Fill; 2] = [|k, y| fill_inner(k, y), |k, y| fill_inner_as_inferred(k, y)];
    for (k, how) in (2..=5).flat_map(|k| ways.map(|how| (k, how))) {
        let (rt, sim) = open(&vec![1; k]);
        let mut y = Buffer::<u64, 2>::filled([h, w], 3);
        // All devices have something of it, at other borders, and then the host overwrites it.
        rt.submit(fill(9, &mut y).partitions(k)).exec([w, h]).unwrap();
        y.write(..).unwrap().fill(POISON);
        let mut wanted = vec![POISON; w * h];
        for turn in 0..3 {
            rt.submit(how(turn, &mut y).partitions(k)).exec([20, 4]).unwrap();
            for (i, j) in (0..20).flat_map(|i| (0..4).map(move |j| (i, j))) {
                wanted[(j + 2) * w + i + 8] = turn + (100 * j + i) as u64;
            }
            if turn == 1 {
                // Another device than the one that wrote it has to find the rest there.
                let mut copy = Buffer::<u64, 2>::zeros([h, w]);
                rt.submit(copied(&y, &mut copy).pin(k - 1)).exec([w, h]).unwrap();
                assert_eq!(copy.to_vec().unwrap(), wanted, "{k} devices");
            }
            if turn != 0 {
                assert_eq!(y.to_vec().unwrap(), wanted, "{k} devices, turn {turn}");
            }
        }
        // Nor does anything come back that was never written.
        let poison = |call: &flash_rt::sim::Call| match call.what {
            flash_rt::sim::What::Download { poison, .. } => poison,
            _ => 0,
        };
        assert_eq!(sim.calls().iter().map(poison).sum::<u64>(), 0);
    }
}

#[flash::kernel]
fn copied(x: View<'_, u64, 2>, #[out] y: ViewMut<'_, u64, 2>) {
    let (i, j) = (global_id(0), global_id(1));
    y[[j, i]] = x[[j, i]];
}

fn own(items: &[Range<u64>]) -> Vec<ArgRange> {
    vec![ArgRange::new(items[0].clone(), items[0].clone())]
}

#[flash::kernel(part_by = own)]
fn add(x: &mut [u64]) {
    let i = global_id(0);
    x[i] += 1;
}

#[test]
fn blocks_of_ids_in_an_order_of_their_own_are_refused_with_what_to_do() {
    let (rt, sim) = open(&[1, 1]);
    let mut x = Buffer::from(vec![5_u64; 8]);
    let mixed = CountBy::list([7, 0, 3, 1, 2, 6]);
    let error =
        rt.submit(add(&mut x).partitions(2)).exec((mixed.clone(),)).unwrap_err().to_string();
    assert!(error.contains("list them in ascending order"), "{error}");
    assert_eq!(sim.counts().launches, 0);
    // In one part, and sorted, it is what was asked for.
    rt.submit(add(&mut x).pin(0)).exec((mixed.clone(),)).unwrap();
    rt.submit(add(&mut x).partitions(2)).exec((CountBy::list([0, 1, 2, 3, 6, 7]),)).unwrap();
    assert_eq!(x.to_vec().unwrap(), [7, 7, 7, 7, 5, 5, 7, 7]);
    assert_eq!(sim.counts().launches, 3);
}
