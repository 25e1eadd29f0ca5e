//! Phases of a split launch: they follow each other without the host, and what goes from one device to
//! another goes at once.

use std::time::Duration;

use flash::prelude::*;
use flash_rt::sim::{Config, Fault, Link, Run, Sim, Speed, What};

use super::stencils::{blur, fall};
use super::{RATE, assert_empty, faults};

/// A row in each phase, from a row of the input.
#[flash::kernel(part_by, group_by(y))]
fn rows(x: View<'_, u64, 2>, #[out] y: ViewMut<'_, u64, 2>) {
    let (i, j) = (global_id(0), global_id(1));
    y[[j, i]] = 3 * x[[j, i]] + j as u64;
}

/// What is there grows in each phase.
#[flash::kernel(part_by, group_by(y), rank = 2)]
fn grow(y: &mut [u64]) {
    let i = global_id(0);
    y[i] = (3 * y[i] + phase() as u64) % 65521;
}

fn open(devices: usize, speed: Speed) -> (Runtime, Sim) {
    let sim = Sim::new(Config { devices, run: Run::Entry, speed, ..Config::default() });
    (Runtime::builder().backend(std::sync::Arc::new(sim.clone())).build().unwrap(), sim)
}

/// When launches were submitted.
fn submitted(sim: &Sim) -> Vec<Duration> {
    let launches = |call: &&flash_rt::sim::Call| matches!(call.what, What::Launch { .. });
    sim.calls().iter().filter(launches).map(|call| call.at).collect()
}

#[test]
fn phases_without_neighbours_are_submitted_at_once() {
    // A row takes 1 ms on both devices, and so does what is brought for it.
    let (w, h) = (2_048, 50);
    let link = Link { latency: Duration::ZERO, bytes_per_second: 8 * RATE };
    let (rt, sim) = open(2, Speed { items_per_second: RATE, up: link, ..Speed::default() });
    let x = Buffer::<u64, 2>::from_shape([h, w], (0..(w * h) as u64).collect::<Vec<_>>()).unwrap();
    let mut y = Buffer::<u64, 2>::zeros([h, w]);
    rt.submit(rows(&x, &mut y).partitions(2)).exec([w, h]).unwrap();
    let took = sim.clock().now().as_secs_f64();
    assert_eq!(submitted(&sim), vec![Duration::ZERO; 2 * h]);
    assert!((took - 0.001_024 * (h + 1) as f64).abs() < 1e-6, "{took} s");
    let wanted: Vec<u64> = (0..(w * h) as u64).map(|k| 3 * k + k / w as u64).collect();
    assert_eq!(y.to_vec().unwrap(), wanted);

    // Many more than are submitted ahead.
    let (n, phases) = (1_000, 500);
    let (rt, sim) = open(3, Speed { items_per_second: RATE, ..Speed::default() });
    let mut y = Buffer::from((0..n as u64).collect::<Vec<_>>());
    rt.submit(grow(&mut y).partitions(3)).exec([n, phases]).unwrap();
    let at = submitted(&sim);
    assert!(at[..3 * 64].iter().all(Duration::is_zero) && !at[3 * phases - 1].is_zero());
    let value = |i: u64| (0..phases as u64).fold(i, |v, p| (3 * v + p) % 65521);
    assert_eq!(y.get(17).unwrap(), value(17));
    assert_eq!(sim.clock().now(), Duration::from_micros(360) * phases as u32);
}

#[test]
fn halos_of_all_parts_are_on_their_way_at_once() {
    let (n, phases, k) = (4_000, 20_u32, 5);
    let link = Link { latency: Duration::from_micros(100), bytes_per_second: 0 };
    let speed = Speed { items_per_second: RATE, up: link, down: link, ..Speed::default() };
    let (rt, sim) = open(k, speed);
    let (mut a, mut b) = (Buffer::from(vec![7_u64; n]), Buffer::from(vec![7_u64; n]));
    rt.submit(blur(&mut a, &mut b).partitions(k)).exec([n, phases as usize]).unwrap();
    let took = sim.clock().now();
    // A part takes 832 µs at most; two copies from each device, and two to each.
    let of_phase = Duration::from_micros(832 + 2 * 100 + 2 * 100);
    assert!(took <= of_phase * phases + Duration::from_micros(400), "{took:?}");
}

/// How long a launch in three equal parts takes on devices of these speeds, whose copies take 50 µs.
fn makespan(
    speeds: [u64; 3],
    phases: usize,
    call: impl Fn(&mut Buffer<u64>, &mut Buffer<u64>) -> flash::Call<'static, 2>,
) -> Duration {
    let link = Link { latency: Duration::from_micros(50), bytes_per_second: 0 };
    let speed = Speed { up: link, down: link, ..Speed::default() };
    let config = Config { speed, ..Config::default() };
    let (rt, sim) = super::open_as(config, &speeds);
    let (mut a, mut b) = (Buffer::from(vec![7_u64; N]), Buffer::from(vec![7_u64; N]));
    rt.submit(call(&mut a, &mut b).partitions(3)).exec([N, phases]).unwrap();
    sim.clock().now()
}

const N: usize = 3_000;

#[test]
fn a_part_waits_for_what_it_reads_and_for_nothing_else() {
    // 1,024 items are the longest part, of 1,024 µs. What the first phase reads is there after 50 µs
    // for each array, and an element from one device to another takes 100.
    let us = Duration::from_micros;
    for phases in [10, 40] {
        let p = phases as u32;
        // The slow device never waits: what it needs next is there while it is at something else.
        let slow = makespan([4, 1, 4], phases, |a, b| blur(a, b));
        assert_eq!(slow, us(100) + us(1_024) * p);
        // Nor does anybody in a chain, once the first elements have come down to him.
        let chain = makespan([1, 1, 1], phases, |a, b| fall(a, b));
        assert_eq!(chain, us(292) + us(1_024) * p);
        // All wait for each other: twice for what comes and goes, but for the first one.
        let equal = makespan([1, 1, 1], phases, |a, b| blur(a, b));
        assert_eq!(equal, us(100) + us(1_024) * p + us(200) * (p - 1));
    }
}

#[test]
fn a_device_that_fails_in_one_of_many_phases() {
    let (n, phases) = (300, 6);
    let start: Vec<u64> = (0..n as u64).map(|i| i * 7919 % 1_000).collect();
    let wanted = {
        let (mut a, mut b) = (start.clone(), start.clone());
        for _ in 0..phases {
            for i in 1..n - 1 {
                b[i] = (a[i - 1] + 2 * a[i] + a[i + 1]) % 65521;
            }
            std::mem::swap(&mut a, &mut b);
        }
        a
    };
    let run = |fault: Option<Fault>| {
        let (rt, sim) = open(3, Speed { items_per_second: RATE, ..Speed::default() });
        let found = {
            let (mut a, mut b) = (Buffer::from(start.clone()), Buffer::from(start.clone()));
            let x = Buffer::<u64, 2>::filled([phases, n], 5);
            let mut y = Buffer::<u64, 2>::zeros([phases, n]);
            let mut z = Buffer::from(start.clone());
            let mut p = rt.pipeline();
            p.push(rows(&x, &mut y).partitions(3).over([n, phases]));
            p.push(blur(&mut a, &mut b).partitions(3).over([n, phases]));
            p.push(grow(&mut z).partitions(3).over([n, phases]));
            let (result, met) = faults::exec(&mut p, &sim, fault);
            let left = a.to_vec().and_then(|a| Ok((a, y.to_vec()?, z.to_vec()?)));
            result.and(left).map(|left| (left, met))
        };
        assert_empty(&rt, &sim);
        (found, sim)
    };
    let (found, sim) = run(None);
    let of_rows: Vec<u64> = (0..phases * n).map(|k| 15 + (k / n) as u64).collect();
    let grown = |v: u64| (0..phases as u64).fold(v, |v, p| (3 * v + p) % 65521);
    let all = (wanted, of_rows, start.iter().map(|&v| grown(v)).collect::<Vec<_>>());
    assert_eq!(found.unwrap().0, all);
    let (mut finished, mut failed) = (0, 0);
    for fault in faults::all(&sim, 3) {
        match run(Some(fault)).0 {
            Ok((_, false)) => {}
            Ok((left, true)) => {
                assert!(left == all, "{fault:?}");
                finished += 1;
            }
            Err(error) => {
                faults::assert_typed(&error, fault);
                failed += 1;
            }
        }
    }
    assert!(finished > 10 && failed > 50, "{finished} runs finished, {failed} failed");
}
