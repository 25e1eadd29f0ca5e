//! Loops over blocks that the variable chooses: trips that touch different blocks overlap, those of
//! one block do not. To the nanosecond, on the virtual clock.

use std::sync::Arc;
use std::time::Duration;

use flash::prelude::*;
use flash_rt::backend::clock::Clock;
use flash_rt::sim::{Config, Link, Run, Sim, Speed};
use flash_rt::trace::{Interval, Kind};

use crate::accumulate;

const MS: fn(u64) -> Duration = Duration::from_millis;
const TRIPS: u64 = 6;

/// Reads a frame, which takes a millisecond.
#[flash::host_task]
fn load(frame: &mut [u64], value: u64, clock: Arc<dyn Clock>) {
    clock.sleep(MS(1));
    frame.fill(value + 1);
}

/// A device where a copy takes 4 ms and a kernel 10 ms.
fn open() -> (Sim, Runtime) {
    let link = Link { latency: MS(4), bytes_per_second: 0 };
    let speed = Speed { launch: MS(10), up: link, ..Speed::default() };
    let config = Config { devices: 1, run: Run::Entry, speed, ..Config::default() };
    let sim = Sim::new(config);
    let builder = Runtime::builder().backend(Arc::new(sim.clone())).trace(true);
    (sim, builder.build().unwrap())
}

/// The intervals of a kind, in the order of their beginnings.
fn those(rt: &Runtime, kind: Kind) -> Vec<Interval> {
    let trace = rt.trace();
    let mut all: Vec<_> = trace.intervals().iter().filter(|i| i.kind == kind).cloned().collect();
    all.sort_by_key(|interval| interval.begin);
    all
}

#[test]
fn trips_of_different_blocks_overlap() {
    let (sim, rt) = open();
    let (film, out) = (Buffer::<u64, 2>::zeros([6, 8]), Buffer::<u64, 2>::zeros([6, 8]));
    let clock: Arc<dyn Clock> = sim.clock();
    let report = flash_pipeline! { in rt;
        for v in 0..TRIPS {
            load(&mut film.at(v as usize), v, clock.clone());
            accumulate(3, &film.at(v as usize), &mut out.at(v as usize))[8];
        }
    }
    .exec()
    .unwrap();
    let (kernels, tasks) = (those(&rt, Kind::Kernel), those(&rt, Kind::Task));
    let copies = those(&rt, Kind::Upload);
    assert_eq!((kernels.len(), tasks.len()), (6, 6));
    // Two blocks for each kernel.
    assert_eq!((copies.len(), report.transfers().uploaded), (12, 6 * 2 * 64));
    for trip in 0..5 {
        let next = &copies[2 * (trip + 1)];
        assert!(next.begin < kernels[trip].end, "the copy for the trip after {trip} came late");
        assert_eq!(kernels[trip].end, kernels[trip + 1].begin, "the device is busy throughout");
    }
    assert!(tasks[1].begin < kernels[0].begin && kernels[0].overlaps(&copies[2]));
    // The first frame, both copies, and then one kernel after the other.
    assert_eq!(kernels[5].end - tasks[0].begin, MS(1 + 8 + 60));
    let wanted: Vec<u64> = (0..TRIPS).flat_map(|v| [3 * (v + 1); 8]).collect();
    assert_eq!(out.to_vec().unwrap(), wanted);
}

/// The same with one block: what is copied next waits for the kernel that reads what is there.
#[test]
fn trips_of_one_block_do_not() {
    let (sim, rt) = open();
    let (film, out) = (Buffer::<u64, 2>::zeros([6, 8]), Buffer::<u64, 2>::zeros([6, 8]));
    let clock: Arc<dyn Clock> = sim.clock();
    let one = [2_usize; 6];
    let one = &one;
    let run = flash_pipeline! { in rt;
        for v in 0..TRIPS {
            load(&mut film.at(one[v as usize]), v, clock.clone());
            accumulate(3, &film.at(one[v as usize]), &mut out.at(v as usize))[8];
        }
    }
    .exec();
    run.unwrap();
    let kernels = those(&rt, Kind::Kernel);
    for copy in those(&rt, Kind::Upload) {
        assert!(kernels.iter().all(|kernel| !kernel.overlaps(&copy)), "{copy:?}");
    }
    assert!(kernels.windows(2).all(|pair| pair[0].end + MS(8) == pair[1].begin));
    let wanted: Vec<u64> = (0..TRIPS).flat_map(|v| [3 * (v + 1); 8]).collect();
    assert_eq!(out.to_vec().unwrap(), wanted);
}

/// Adds the frame before, which takes longer than a kernel.
#[flash::host_task]
fn carry(before: &[u64], frame: &mut [u64], clock: Arc<dyn Clock>) {
    clock.sleep(MS(20));
    frame.iter_mut().zip(before).for_each(|(here, before)| *here = 5 * *here + before);
}

/// Takes so long that whoever brings data meanwhile is done.
#[flash::kernel]
fn stir(x: &[u64], #[out] y: &mut [u64]) {
    let i = global_id(0);
    let mut stirred = x[i];
    for _ in 0..100_000 {
        stirred = (stirred * 3 + 1) % 65_521;
    }
    y[i] = stirred;
}

/// A task that reads what it wrote in the trip before: that this is in the host's memory already lets
/// nobody change it on a device before that trip has ended.
#[test]
fn a_task_is_waited_for_by_what_changes_its_frames() {
    let (sim, rt) = open();
    assert_eq!(carried(&sim, &rt), 0);
}

/// Nor is what it is to read set apart while it still writes that: launches that the device refuses go to
/// the processor.
#[test]
fn what_a_task_still_writes_is_not_set_apart() {
    let config = Config { devices: 2, run: Run::Entry, memory: 16, ..Config::default() };
    let sim = Sim::new(config);
    let builder = Runtime::builder().backend(Arc::new(sim.clone())).devices("ALL_CPU").threads(2);
    assert!(carried(&sim, &builder.build().unwrap()) > 1);
}

/// Looks at what becomes of frames; how often a launch ran elsewhere.
fn carried(sim: &Sim, rt: &Runtime) -> usize {
    let start: Vec<u64> = (0..48).map(|k| k * k % 17).collect();
    let film = Buffer::<u64, 2>::from_shape([6, 8], start.clone()).unwrap();
    let mask = Buffer::<u64, 2>::zeros([6, 8]);
    let clock: Arc<dyn Clock> = sim.clock();
    let report = flash_pipeline! { in rt;
        for v in 0..4_u64 {
            carry(&film.at(v as usize + 1), &mut film.at(v as usize + 2), clock.clone());
            stir(&film.at(v as usize + 2), &mut mask.at(v as usize))[8];
            accumulate(3, &mask.at(v as usize), &mut film.at(v as usize + 1))[8];
        }
    }
    .exec()
    .unwrap();
    let stirred = |x: u64| (0..100_000).fold(x, |x, _| (x * 3 + 1) % 65_521);
    let mut wanted = start;
    for v in 0..4 {
        for k in 0..8 {
            let [before, here] = [8 * (v + 1) + k, 8 * (v + 2) + k];
            wanted[here] = 5 * wanted[here] + wanted[before];
            wanted[before] = (wanted[before] + 3 * stirred(wanted[here])) % 65_521;
        }
    }
    assert_eq!(film.to_vec().unwrap(), wanted);
    report.fallbacks().len()
}
