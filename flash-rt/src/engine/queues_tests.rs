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
