//! What somebody has of one part of an array while a run goes on with another part of it.

use std::sync::mpsc::channel;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use flash::prelude::*;
use flash_rt::sim::{Config, Sim, Time};

use crate::{accumulate, counted, mix, mixed};

#[flash::kernel]
fn put(v: u64, #[out] x: &mut [u64]) {
    x[global_id(0)] = v;
}

const N: u64 = 16;
const HALF: usize = N as usize / 2;

/// A task has the old elements of the first half on the host, its turn still to come, when a kernel on the
/// host needs that memory: to read the new ones, or to write. Somebody writes the other half meanwhile.
fn beside(kernel_writes: bool) {
    let sim = Sim::new(Config { devices: 1, time: Time::Real, ..Config::default() });
    let builder = Runtime::builder().backend(Arc::new(sim)).devices("ALL_CPU").threads(2);
    let rt = builder.build().unwrap();
    let is_sim = |device: &usize| rt.devices()[*device].name().contains("sim");
    let there = (0..rt.devices().len()).find(is_sim).unwrap();
    let here = 1 - there;
    let x = Buffer::from(counted(N));
    let mut y = Buffer::from(vec![0_u64; HALF]);
    let (go, held) = channel::<()>();
    let seen = Arc::new(Mutex::new(Vec::new()));
    let of_task = Arc::clone(&seen);
    let mut half = x.view(..HALF);
    let mut p = rt.pipeline();
    p.push(mix(3, 1, &mut half).pin(there).over([HALF]));
    p.push(Task::new("holds", (), move |()| {
        let _ = held.recv_timeout(Duration::from_secs(20));
    }));
    p.push(Task::new("looks", (&half,), move |(half,)| {
        of_task.lock().unwrap().extend((0..HALF).map(|k| half[[k]]));
    }));
    p.push(put(9, &mut half).pin(there).over([HALF]));
    if kernel_writes {
        p.push(mix(5, 2, &mut half).pin(here).over([HALF]));
    } else {
        p.push(accumulate(1, &half, &mut y).pin(here).over([HALF]));
    }
    let mut guard = x.view(HALF..).write(..).unwrap();
    guard[0] = 50;
    let handle = p.launch();
    let since = Instant::now();
    while handle.progress().nodes < 3 && since.elapsed() < Duration::from_secs(10) {
        std::thread::sleep(Duration::from_millis(1));
    }
    guard[1..].fill(100);
    drop(guard);
    go.send(()).unwrap();
    handle.wait().unwrap();
    let once: Vec<u64> = (1..=HALF as u64).map(|v| mixed(v, 3, 1)).collect();
    assert_eq!(*seen.lock().unwrap(), once, "the task reads what was there before");
    let (new, read) = if kernel_writes { (mixed(9, 5, 2), 0) } else { (9, 9) };
    assert_eq!(y.to_vec().unwrap(), [read; HALF]);
    let other = [&[50], &[100; HALF - 1][..]].concat();
    assert_eq!(x.to_vec().unwrap(), [vec![new; HALF], other].concat());
}

#[test]
fn a_guard_keeps_what_it_writes_while_the_other_half_is_brought() {
    beside(false);
}

#[test]
fn a_guard_keeps_what_it_writes_while_the_other_half_is_written() {
    beside(true);
}
