//! What is skipped on a device leaves no trace: contents and numbers of copies where a writer on a
//! second memory is skipped, and where a loop makes no trip, by conditions that a kernel computed.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use flash::prelude::*;
use flash_rt::cond::Span;
use flash_rt::sim::{Config, Counts, Link, Sim, Speed, Time};

use crate::{counted, maximum, mix, mixed};

const N: u64 = 16;

/// How the second writer is written.
#[derive(Clone, Copy, Debug)]
enum Form {
    If,
    Else,
    For,
    While,
}

/// How a kernel writes what decides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Cell {
    /// As a reduction, whose result is on the host.
    Reduced,
    /// As an array of one element, which is in the memory of the device.
    InMemory,
}

/// Writes on one device, lets a kernel decide, maybe writes on the other, and reads on the host.
/// What the host saw, what is there afterwards, and what was copied.
fn program(cell: Cell, form: Form, runs: bool, sync: bool) -> (Vec<u64>, Vec<u64>, Counts) {
    let sim = Sim::new(Config { devices: 2, ..Config::default() });
    let rt = Runtime::builder().backend(Arc::new(sim.clone())).sync(sync).build().unwrap();
    let mut x = Buffer::from(counted(N));
    let z = Buffer::from(vec![u64::from(runs)]);
    let mut w = Buffer::from(counted(1));
    let mut decision = Var::new(9_u64);
    let seen = Arc::new(Mutex::new(Vec::new()));
    let mut p = rt.pipeline();
    // Launches take the two devices in turn.
    p.push(mix(3, 1, &mut x).over([N as usize]));
    match cell {
        Cell::Reduced => p.push(maximum(&z, &mut decision).over([1])),
        Cell::InMemory => p.push(mix(0, u64::from(runs), &mut decision).over([1])),
    };
    p.push(mix(2, 2, &mut w).over([1]));
    let writer = mix(5, 2, &mut x).over([N as usize]);
    let mut trips = Var::new(0_u64);
    match form {
        Form::If => {
            p.begin_if(decision.gt(0)).push(writer);
            p.end_if();
        }
        Form::Else => {
            p.begin_if(decision.eq(0)).otherwise().push(writer);
            p.end_if();
        }
        Form::For => {
            p.begin_for(Span { from: 0, to: &decision, inclusive: false });
            p.push(writer);
            p.end_for();
        }
        Form::While => {
            p.begin_while(trips.lt(&decision), 3).push(writer);
            p.push(Task::new("trip", (&mut trips,), |(trips,)| *trips += 1));
            p.end_while();
        }
    }
    let of_task = Arc::clone(&seen);
    p.push(Task::new("see", (&x,), move |(x,)| {
        *of_task.lock().unwrap() = (0..N as usize).map(|i| x[i]).collect();
    }));
    p.exec().unwrap();
    let counts = sim.counts();
    let seen = seen.lock().unwrap().clone();
    (seen, x.to_vec().unwrap(), counts)
}

#[test]
fn a_skipped_writer_on_a_second_memory_moves_nothing() {
    for cell in [Cell::Reduced, Cell::InMemory] {
        for form in [Form::If, Form::Else, Form::For, Form::While] {
            for (sync, runs) in [(false, false), (false, true), (true, false), (true, true)] {
                is_skipped(cell, form, runs, sync);
            }
        }
    }
}

fn is_skipped(cell: Cell, form: Form, runs: bool, sync: bool) {
    let (seen, left, counts) = program(cell, form, runs, sync);
    let grown = |v: u64| {
        let v = mixed(v, 3, 1);
        if runs { mixed(v, 5, 2) } else { v }
    };
    let expected: Vec<u64> = counted(N).into_iter().map(grown).collect();
    let case = format!("{cell:?}, {form:?}, runs: {runs}, sync: {sync}");
    assert_eq!((&seen, &left), (&expected, &expected), "{case}");
    // Up: x and w to the first device, z or the cell to the second. Down: x, once, for the host, and a
    // cell in memory, once, to be looked at.
    // The second writer has x brought from the first device to its own, by the host.
    let again = u64::from(runs);
    let looks = u64::from(cell == Cell::InMemory);
    let found = (counts.uploads, counts.downloads, counts.launches);
    assert_eq!(found, (3 + again, 1 + again + looks, 3 + again), "{case}: {counts:?}");
    let moved = (counts.uploaded - 16, counts.downloaded - 8 * looks);
    let bytes = 8 * N * (1 + again);
    assert_eq!(moved, (bytes, bytes), "{case}: {counts:?}");
    assert_eq!(counts.poison, 0, "{case}");
}

/// Numbers of uploads, downloads and launches.
type Moved = (u64, u64, u64);

/// Those so far.
fn moved(sim: &Sim) -> Moved {
    let counts = sim.counts();
    assert_eq!(counts.poison, 0);
    (counts.uploads, counts.downloads, counts.launches)
}

#[test]
fn what_is_prefetched_is_not_brought_again() {
    let sim = Sim::new(Config { devices: 2, ..Config::default() });
    let rt = Runtime::builder().backend(Arc::new(sim.clone())).build().unwrap();
    let mut x = Buffer::from(counted(N));
    drop(x.prefetch(&rt, 0));
    x.wait().unwrap();
    assert_eq!((moved(&sim), sim.counts().uploaded), ((1, 0, 0), 8 * N));
    // Already there: by another prefetch, by a move and by the kernel.
    x.prefetch(&rt, 0).wait().unwrap();
    let mut p = rt.pipeline();
    p.move_to(&x, 0);
    p.push(mix(3, 1, &mut x).over([N as usize]));
    p.exec().unwrap();
    assert_eq!(moved(&sim), (1, 0, 1));
    // By way of the host, which has it then too.
    drop(x.prefetch(&rt, 1));
    x.wait().unwrap();
    assert_eq!(moved(&sim), (2, 1, 1));
    assert_eq!(x.get(1).unwrap(), 7);
    assert_eq!(moved(&sim), (2, 1, 1));
    // What the host changes is brought again, and no more than that.
    x.set(3, 100).unwrap();
    x.prefetch(&rt, 1).wait().unwrap();
    assert_eq!((moved(&sim), sim.counts().uploaded), ((3, 1, 1), 8 * (2 * N + 1)));
    let mut p = rt.pipeline();
    p.evict(&x, 0).evict(&x, 1);
    p.exec().unwrap();
    assert_eq!((sim.bytes_used(0), sim.bytes_used(1), moved(&sim)), (0, 0, (3, 1, 1)));
    let mut expected: Vec<u64> = counted(N).into_iter().map(|v| mixed(v, 3, 1)).collect();
    expected[3] = 100;
    assert_eq!(x.to_vec().unwrap(), expected);
    let error = x.prefetch(&rt, 2).wait().unwrap_err();
    assert!(matches!(error, flash::Error::Range { index: 2, len: 2, .. }), "{error}");
}

#[test]
fn parts_are_moved_without_the_rest() {
    let sim = Sim::new(Config { devices: 2, ..Config::default() });
    let rt = Runtime::builder().backend(Arc::new(sim.clone())).build().unwrap();
    let x = Buffer::<u64, 2>::from_shape([8, 100], counted(800)).unwrap();
    let mut p = rt.pipeline();
    p.move_to(&x.view((1..3, 10..20)), 0).move_to(&x.row(5), 1);
    let explained = p.explain().unwrap().to_string();
    assert!(explained.contains("of 160 B to") && explained.contains("of 800 B to"), "{explained}");
    p.exec().unwrap();
    drop(p);
    assert_eq!(sim.counts().uploaded, 160 + 800);
    // It is there: nothing more for the kernel, and only what is asked for comes back.
    let mut p = rt.pipeline();
    p.push(mix(3, 1, &mut x.row(5)).pin(1).over([100]));
    p.move_from(&x.row(5).view(20..30));
    p.exec().unwrap();
    drop(p);
    assert_eq!((sim.counts().uploaded, sim.counts().downloaded), (960, 80));
    x.row(5).view(20..40).prefetch(&rt, 0).wait().unwrap();
    assert_eq!((sim.counts().uploaded, sim.counts().downloaded), (960 + 160, 160));
    let mut expected = counted(800);
    expected[500..600].iter_mut().for_each(|v| *v = mixed(*v, 3, 1));
    assert_eq!(x.to_vec().unwrap(), expected);
    assert_eq!(sim.counts().downloaded, 800);
    let error = x.view((7..9, ..)).prefetch(&rt, 0).wait().unwrap_err();
    assert!(error.to_string().contains("spaces.rs"), "{error}");
}

#[test]
fn what_is_evicted_is_on_the_host_and_its_memory_given_back() {
    let sim = Sim::new(Config { devices: 2, ..Config::default() });
    let rt = Runtime::builder().backend(Arc::new(sim.clone())).build().unwrap();
    let mut x = Buffer::from(counted(N));
    // Nothing is there yet.
    x.evict(&rt, 0).wait().unwrap();
    assert_eq!((moved(&sim), sim.counts().allocations), ((0, 0, 0), 0));
    // The host has all of it.
    x.prefetch(&rt, 0).wait().unwrap();
    assert_eq!((moved(&sim), sim.bytes_used(0)), ((1, 0, 0), 8 * N));
    drop(x.evict(&rt, 0));
    x.wait().unwrap();
    assert_eq!((moved(&sim), sim.bytes_used(0)), ((1, 0, 0), 0));
    assert_eq!(x.to_vec().unwrap(), counted(N));
    // A kernel has changed it: only what it wrote comes back, once.
    let half = N as usize / 2;
    rt.submit(mix(3, 1, x.view_mut(..half)).pin(0)).exec([half]).unwrap();
    let before = sim.counts();
    let report = x.evict(&rt, 0).wait().unwrap();
    assert_eq!(report.transfers().downloaded, 8 * half as u64);
    let counts = sim.counts();
    assert_eq!((sim.bytes_used(0), counts.downloads - before.downloads), (0, 1));
    assert_eq!((counts.uploads, counts.allocations), (before.uploads, before.allocations));
    let mut expected = counted(N);
    expected[..half].iter_mut().for_each(|v| *v = mixed(*v, 3, 1));
    assert_eq!(x.to_vec().unwrap(), expected);
    assert_eq!(sim.counts().downloads, counts.downloads, "the host has it");
    // What is on the other device stays there.
    x.prefetch(&rt, 0).wait().unwrap();
    x.prefetch(&rt, 1).wait().unwrap();
    x.evict(&rt, 0).wait().unwrap();
    assert_eq!((sim.bytes_used(0), sim.bytes_used(1)), (0, 8 * N));
    let before = moved(&sim);
    rt.submit(mix(1, 0, &mut x).pin(1)).exec([N as usize]).unwrap();
    assert_eq!(moved(&sim), (before.0, before.1, before.2 + 1));
    let error = x.evict(&rt, 2).wait().unwrap_err();
    assert!(matches!(error, flash::Error::Range { index: 2, len: 2, .. }), "{error}");
    x.evict(&rt, 1).wait().unwrap();
    assert_eq!((sim.bytes_used(1), x.to_vec().unwrap()), (0, expected));
}

#[test]
fn prefetch_returns_before_the_copy_has_ended_and_wait_after() {
    let link = Link { latency: Duration::from_millis(200), bytes_per_second: 0 };
    let speed = Speed { up: link, ..Speed::default() };
    let sim = Sim::new(Config { speed, time: Time::Real, ..Config::default() });
    let rt = Runtime::builder().backend(Arc::new(sim.clone())).build().unwrap();
    let mut x = Buffer::from(counted(N));
    let handle = x.prefetch(&rt, 0);
    assert!(!handle.is_finished());
    // Others go on, and readers on the host do not wait for it.
    assert_eq!(x.get(2).unwrap(), 3);
    x.wait().unwrap();
    assert_eq!(moved(&sim), (1, 0, 0));
    let held = x.read(..).unwrap();
    assert!(matches!(x.wait(), Err(flash::Error::GuardHeld { .. })));
    drop(held);
    let same = x.clone();
    let mut p = rt.pipeline();
    p.push(Task::new("waits", (&mut x,), move |_| Ok(same.wait()?)));
    let error = p.exec().unwrap_err();
    assert!(error.to_string().contains("waits"), "{error}");
}

/// Writes on the device that a decision of a kernel chooses, reads on the host, and writes on the
/// first device: what the host saw, what is there, and what was copied.
fn chosen(first: bool, form: Form, sync: bool) -> (Vec<u64>, Vec<u64>, Moved) {
    let sim = Sim::new(Config { devices: 3, ..Config::default() });
    let builder = Runtime::builder().backend(Arc::new(sim.clone())).sync(sync).round_robin(true);
    let rt = builder.build().unwrap();
    let mut x = Buffer::from(counted(N));
    let z = Buffer::from(vec![u64::from(first)]);
    let mut decision = Var::new(9_u64);
    let seen = Arc::new(Mutex::new(Vec::new()));
    let of_task = Arc::clone(&seen);
    let mut p = rt.pipeline();
    p.push(maximum(&z, &mut decision).over([1]));
    let (then, other) =
        (mix(5, 2, &mut x).over([N as usize]), mix(7, 3, &mut x).over([N as usize]));
    match form {
        // The arms on devices 1 and 2.
        Form::If => {
            p.begin_if(decision.gt(0)).push(then);
            p.otherwise().push(other);
            p.end_if();
        }
        // Predicates in place of arms.
        _ => {
            p.push(then.when(decision.gt(0)));
            p.push(other.when(decision.eq(0)));
        }
    }
    p.push(Task::new("join", (&x,), move |(x,)| {
        *of_task.lock().unwrap() = (0..N as usize).map(|i| x[i]).collect();
    }));
    p.push(mix(11, 4, &mut x).over([N as usize]));
    p.exec().unwrap();
    let (counts, seen) = (moved(&sim), seen.lock().unwrap().clone());
    (seen, x.to_vec().unwrap(), counts)
}

/// Both ways through a decision, by a cell that a device wrote: what was copied is the same by each
/// of them, and nothing but the contents is different.
#[test]
fn both_ways_through_a_decision_copy_the_same() {
    for form in [Form::If, Form::Else] {
        for sync in [false, true] {
            for first in [true, false] {
                let (seen, left, counts) = chosen(first, form, sync);
                let (a, b) = if first { (5, 2) } else { (7, 3) };
                let grown: Vec<u64> = counted(N).into_iter().map(|v| mixed(v, a, b)).collect();
                let last: Vec<u64> = grown.iter().map(|v| mixed(*v, 11, 4)).collect();
                let case = format!("{form:?}, first: {first}, sync: {sync}");
                assert_eq!((&seen, &left), (&grown, &last), "{case}");
                // Up: z and x, and x to the first device. Down: x for the host.
                assert_eq!(counts, (3, 1, 3), "{case}");
            }
        }
    }
}

/// A loop without trips, whose bound a device wrote, leaves no trace at all, whatever is in it.
#[test]
fn a_loop_of_no_trips_copies_nothing() {
    for cell in [Cell::Reduced, Cell::InMemory] {
        for sync in [false, true] {
            makes_no_trip(cell, sync);
        }
    }
}

fn makes_no_trip(cell: Cell, sync: bool) {
    let sim = Sim::new(Config { devices: 3, ..Config::default() });
    let builder = Runtime::builder().backend(Arc::new(sim.clone())).round_robin(true);
    let rt = builder.sync(sync).build().unwrap();
    let (mut x, mut y) = (Buffer::from(counted(N)), Buffer::from(counted(N)));
    let z = Buffer::from(vec![0_u64]);
    let mut none = Var::new(9_u64);
    let mut p = rt.pipeline();
    match cell {
        Cell::Reduced => p.push(maximum(&z, &mut none).over([1])),
        Cell::InMemory => p.push(mix(0, 0, &mut none).over([1])),
    };
    p.push(mix(3, 1, &mut x).over([N as usize]));
    p.begin_for(Span { from: 0, to: &none, inclusive: false });
    p.push(mix(5, 2, &mut x).over([N as usize]));
    p.push(mix(7, 3, &mut y).over([N as usize]));
    p.move_to(&x, 2).evict(&x, 1).swap(&x, &y);
    p.push(Task::new("never", (&mut x,), |(mut x,)| x[[0]] = 0));
    p.end_for();
    p.push(Task::new("read", (&x, &y), |(x, y)| assert!(x[[0]] == 4 && y[[0]] == 1)));
    p.exec().unwrap();
    // Up: z or the cell, and x. Down: x, and a cell in memory to be looked at.
    assert_eq!(
        moved(&sim),
        (2, 1 + u64::from(cell == Cell::InMemory), 2),
        "{cell:?}, sync: {sync}"
    );
    let grown: Vec<u64> = counted(N).into_iter().map(|v| mixed(v, 3, 1)).collect();
    assert_eq!((x.to_vec().unwrap(), y.to_vec().unwrap()), (grown, counted(N)));
}
