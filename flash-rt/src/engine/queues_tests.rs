//! Devices with several compute queues, on a clock of events: what is independent runs side by side, a
//! chain stays on its queue, and who needs the results of two queues waits for both. Figures are exact.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use crate::backend::conformance::kernels;
use crate::sim::{Call as Logged, Config, Fault, Kind, Link, Run, Sim, Speed, What};
use crate::{Arg, Buffer, Call, Error, NoBackends, Pipeline, Runtime};

const MS: fn(u64) -> Duration = Duration::from_millis;

fn affine<'a>(x: &mut Buffer<u32>) -> Call<'a, 1> {
    let args = [Arg::<u32>::bind(3), Arg::<u32>::bind(1), Arg::<&'a mut [u32]>::bind(x)];
    Call::new(&kernels::AFFINE, args)
}

fn divide<'a>(x: &Buffer<u32>, y: &mut Buffer<u32>) -> Call<'a, 1> {
    Call::new(&kernels::DIVIDE, [Arg::<&'a [u32]>::bind(x), Arg::<&'a mut [u32]>::bind(y)])
}

fn values() -> Buffer<u32> {
    Buffer::from(vec![1; 64])
}

/// A device where copies take 1 ms and kernels 10 ms.
fn open(queues: u8) -> (Sim, Runtime) {
    let link = Link { latency: MS(1), bytes_per_second: 0 };
    let kernels = ["affine", "divide"].map(|name| (name.to_owned(), MS(10))).to_vec();
    let speed = Speed { kernels, up: link, down: link, queues, ..Speed::default() };
    let sim = Sim::new(Config { devices: 1, run: Run::Entry, speed, ..Config::default() });
    let rt = Runtime::<NoBackends>::builder().backend(Arc::new(sim.clone())).build().unwrap();
    (sim, rt)
}

fn makespan(sim: &Sim, p: &mut Pipeline<'_>) -> Duration {
    let before = sim.clock().now();
    p.exec().unwrap();
    sim.clock().now() - before
}

fn launches(sim: &Sim) -> Vec<Logged> {
    sim.calls().into_iter().filter(|call| matches!(call.what, What::Launch { .. })).collect()
}

#[test]
fn independent_chains_run_side_by_side_each_on_a_queue_of_its_own() {
    for (chains, queues, rounds) in [(2, 1, 2), (2, 2, 1), (3, 2, 2), (3, 3, 1), (2, 4, 1)] {
        let (sim, rt) = open(queues);
        let mut arrays: Vec<_> = (0..chains).map(|_| values()).collect();
        let mut p = rt.pipeline();
        p.begin_for(0..10_u32);
        for x in &mut arrays {
            p.push(affine(x).over([64]));
        }
        p.end_for();
        let took = makespan(&sim, &mut p);
        if chains % u64::from(queues) == 0 || chains <= u64::from(queues) {
            // The copies of the arrays come one after the other, before their first kernels.
            let beside = if rounds == 1 { chains } else { 1 };
            assert_eq!(took, MS(beside + 100 * rounds), "{chains} chains on {queues} queues");
        } else {
            assert!(took < MS(3 + 200 + 100), "{took:?} for {chains} chains on {queues} queues");
        }
        let expected = (0..10).fold(1_u32, |x, _| 3 * x + 1);
        assert!(arrays.iter().all(|x| x.to_vec().unwrap() == [expected; 64]));
        if chains > u64::from(queues) {
            continue;
        }
        let mut used: BTreeMap<String, usize> = BTreeMap::new();
        for call in launches(&sim) {
            *used.entry(format!("{:?}", call.queue)).or_default() += 1;
        }
        assert!(used.len() == arrays.len() && used.values().all(|&n| n == 10), "{used:?}");
    }
}

/// As [`open`], beside one with a queue whose kernels take 12 ms.
fn open_two(queues: u8) -> (Sim, Runtime) {
    let link = Link { latency: MS(1), bytes_per_second: 0 };
    let speed = |launch, queues| Speed { launch, up: link, down: link, queues, ..Speed::default() };
    let others = vec![(0, speed(MS(10), queues)), (1, speed(MS(12), 1))];
    let sim = Sim::new(Config { devices: 2, run: Run::Entry, others, ..Config::default() });
    let rt = Runtime::<NoBackends>::builder().backend(Arc::new(sim.clone())).build().unwrap();
    (sim, rt)
}

/// Launches are placed by when a queue is free, not by when all of a device is.
#[test]
fn placement_counts_on_all_queues_of_a_device() {
    // How many launches, the queues of the first device, when all end, and on which device each is.
    let cases: [(usize, u8, u64, &[u32]); 6] = [
        (2, 1, 13, &[0, 1]),
        (2, 2, 12, &[0, 0]),
        (3, 2, 13, &[0, 0, 1]),
        (4, 1, 25, &[0, 1, 0, 1]),
        (4, 2, 21, &[0, 0, 1, 0]),
        (4, 4, 13, &[0, 0, 0, 1]),
    ];
    for (n, queues, expected, on) in cases {
        let (sim, rt) = open_two(queues);
        let mut arrays: Vec<_> = (0..n).map(|_| values()).collect();
        let mut p = rt.pipeline();
        for x in &mut arrays {
            p.push(affine(x).over([64]));
        }
        let took = makespan(&sim, &mut p);
        let case = format!("{n} launches on {queues} queues: {}", p.explain().unwrap());
        assert_eq!(took, MS(expected), "{case}");
        let owners: Vec<u32> = arrays
            .iter()
            .map(|x| {
                let devices = rt.devices().iter().enumerate();
                let has = |x: &Buffer<u32>, space| x.allocation.images().find(space).is_some();
                let mut here = devices.filter(|(_, d)| has(x, d.space().unwrap()));
                here.next().unwrap().0 as u32
            })
            .collect();
        assert_eq!(owners, on, "{case}");
    }
    // A chain does not take a second queue.
    let (sim, rt) = open_two(2);
    let (mut x, mut y) = (values(), values());
    let mut p = rt.pipeline();
    p.push(affine(&mut x).over([64])).push(affine(&mut x).over([64]));
    p.push(affine(&mut y).over([64]));
    assert_eq!(makespan(&sim, &mut p), MS(21));
}

/// A temporary is zeroed on the queue of its launch, so that this does not wait for another one.
#[test]
fn a_launch_with_a_temporary_runs_beside_others() {
    for (queues, expected) in [(1, 21), (2, 11)] {
        let link = Link { latency: MS(1), bytes_per_second: 0 };
        let times = ["affine", "scratch"].map(|name| (name.to_owned(), MS(10))).to_vec();
        let speed = Speed { kernels: times, up: link, down: link, queues, ..Speed::default() };
        let sim = Sim::new(Config { devices: 1, run: Run::Entry, speed, ..Config::default() });
        let rt = Runtime::<NoBackends>::builder().backend(Arc::new(sim.clone())).build().unwrap();
        let (mut x, mut out) = (values(), values());
        let mut p = rt.pipeline();
        p.push(affine(&mut x).over([64]));
        p.push(Call::<1>::new(&kernels::SCRATCH, [Arg::<&mut [u32]>::bind(&mut out)]).over([64]));
        assert_eq!(makespan(&sim, &mut p), MS(expected), "{queues} queues");
        assert_eq!((x.get(0).unwrap(), out.to_vec().unwrap()), (4, vec![1; 64]));
    }
}

#[test]
fn who_needs_what_two_queues_make_waits_for_both() {
    for (queues, expected) in [(1, 41), (2, 31), (3, 31)] {
        let (sim, rt) = open(queues);
        let (mut x, mut y, mut z) = (values(), values(), values());
        let mut p = rt.pipeline();
        p.push(affine(&mut x).over([64]));
        p.push(divide(&x, &mut y).over([64]));
        p.push(divide(&x, &mut z).over([64]));
        p.push(divide(&y, &mut z).over([64]));
        assert_eq!(makespan(&sim, &mut p), MS(expected), "{queues} queues");
        assert_eq!((y.get(0).unwrap(), z.get(63).unwrap()), (25, 4));
        let spans: Vec<_> = launches(&sim).iter().map(|call| call.span.unwrap()).collect();
        assert!(spans[1].begin >= spans[0].end && spans[2].begin >= spans[0].end);
        assert!(spans[3].begin >= spans[1].end && spans[3].begin >= spans[2].end);
        assert_eq!(spans[2].begin < spans[1].end, queues > 1);
    }
}

/// What fails takes along what is under way on the other queues.
#[test]
fn a_failure_on_one_queue_takes_back_what_is_under_way_on_the_other() {
    for nth in 0..6 {
        let (sim, rt) = open(2);
        let (mut x, mut y) = (values(), values());
        let mut p = rt.pipeline();
        for _ in 0..3 {
            p.push(affine(&mut x).over([64]));
            p.push(affine(&mut y).over([64]));
        }
        sim.inject(Fault::Break { call: Kind::Launch, nth, device: None });
        let error = p.exec().unwrap_err();
        assert!(matches!(error, Error::Driver { .. }), "{error:?}");
        // Each holds what some of its launches have made, the same in all elements.
        for buffer in [&x, &y] {
            let found = buffer.to_vec().unwrap();
            assert!([1, 4, 13, 40].contains(&found[0]), "{found:?}");
            assert!(found.iter().all(|v| *v == found[0]), "{found:?}");
        }
        p.exec().unwrap();
    }
}
