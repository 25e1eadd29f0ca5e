//! What is worked out for the parts of a launch once, however long it is and however often it runs:
//! also of many phases, and where values come from cells; and what is wrong with it is said before the
//! first stage of the pipeline runs.

use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering};

use flash::prelude::*;
use flash::{ArgRange, Error};

use super::open;

static OF_PHASES: AtomicUsize = AtomicUsize::new(0);

fn of_phases(items: &[Range<u64>]) -> Vec<ArgRange> {
    OF_PHASES.fetch_add(1, Ordering::Relaxed);
    vec![ArgRange::both(items[0].clone())]
}

#[flash::kernel(rank = 2, group_by(y), part_by = of_phases)]
fn in_phases(x: &mut [u64]) {
    let i = global_id(0);
    x[i] += 1;
}

#[test]
fn what_thousands_of_phases_reach_is_asked_once() {
    let (rt, _) = open(&[1, 1]);
    let mut x = Buffer::from(vec![5_u64; 8]);
    let mut p = rt.pipeline();
    p.push(in_phases(&mut x).partitions(2).over([8, 3_000]));
    p.prepare().unwrap();
    assert_eq!(OF_PHASES.load(Ordering::Relaxed), 6_000);
    for _ in 0..2 {
        p.exec().unwrap();
    }
    assert_eq!(OF_PHASES.load(Ordering::Relaxed), 6_000);
    assert_eq!(x.to_vec().unwrap(), [6_005; 8]);
}

static OF_CELLS: AtomicUsize = AtomicUsize::new(0);

fn of_cells(items: &[Range<u64>]) -> Vec<ArgRange> {
    OF_CELLS.fetch_add(1, Ordering::Relaxed);
    vec![ArgRange::read(..), ArgRange::both(items[0].clone())]
}

#[flash::kernel(part_by = of_cells)]
fn from_cell(by: usize, a: f32, x: &[f32], y: &mut [f32]) {
    let i = global_id(0);
    y[i] = a * x[(i + by) % x.len()];
}

#[test]
fn values_of_cells_are_looked_at_and_what_does_not_change_is_kept() {
    let (rt, _) = open(&[1, 1]);
    let x = Buffer::from((0..64).map(|i| i as f32).collect::<Vec<_>>());
    let (mut y, by, a) = (Buffer::<f32>::zeros(64), Var::new(3_usize), Var::new(2.0_f32));
    let mut p = rt.pipeline();
    p.push(from_cell(&by, &a, &x, &mut y).partitions(2).over([64]));
    let mut asked = Vec::new();
    // What bodies reach depends on no float.
    for (moved, factor) in [(3, 2.0), (3, 2.0), (3, 5.0), (9, 5.0), (9, 1.0)] {
        by.set(moved).unwrap();
        a.set(factor).unwrap();
        let before = OF_CELLS.load(Ordering::Relaxed);
        p.exec().unwrap();
        asked.push(OF_CELLS.load(Ordering::Relaxed) - before);
        let wanted: Vec<f32> = (0..64).map(|i| factor * ((i + moved) % 64) as f32).collect();
        assert_eq!(y.to_vec().unwrap(), wanted);
    }
    assert_eq!(asked, [2, 0, 0, 2, 0]);
}

fn beyond(items: &[Range<u64>]) -> Vec<ArgRange> {
    vec![ArgRange::both(items[0].start + 1..items[0].end + 1)]
}

#[flash::kernel(part_by = beyond)]
fn too_far(x: &mut [u64]) {
    let i = global_id(0);
    x[i] += 1;
}

#[flash::kernel]
fn first(x: &mut [u64]) {
    let i = global_id(0);
    x[i] = 7;
}

#[test]
fn what_is_wrong_with_a_later_stage_is_found_before_the_first_one_runs() {
    let (rt, sim) = open(&[1, 1]);
    let mut x = Buffer::from(vec![5_u64; 64]);
    let mut p = rt.pipeline();
    p.push(first(&mut x).over([64]));
    p.push(too_far(&mut x).partitions(2).over([64]));
    for _ in 0..2 {
        let error = p.exec().unwrap_err();
        assert!(matches!(error, Error::Parts { kernel: "too_far", param: "x", .. }), "{error}");
    }
    assert_eq!((sim.counts().launches, x.to_vec().unwrap()), (0, vec![5; 64]));
    let error = p.explain().unwrap_err();
    assert!(matches!(error, Error::Parts { .. }), "{error}");
}
