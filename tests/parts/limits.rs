//! Splits over devices whose memories are of unlike sizes, some too small for what they would be given:
//! what comes out is a loop over the items, and nobody holds more than it has.

use std::sync::Arc;

use flash::prelude::*;
use flash_rt::sim::{Config, Run, Sim, Speed, What};

use super::RATE;

#[flash::kernel(part_by)]
fn heat(u: &[u64], #[out] next: &mut [u64]) {
    let i = global_id(0);
    next[i] = if i > 0 && i + 1 < u.len() { u[i - 1] + u[i] + u[i + 1] } else { u[i] };
}

#[flash::kernel(part_by)]
fn add(x: &[u64], y: &mut [u64]) {
    let i = global_id(0);
    y[i] += x[i];
}

/// Its temporary is as large as an array.
#[flash::kernel(part_by)]
fn twice(x: &[u64], #[scratch(x.len())] t: &mut [u64], #[out] y: &mut [u64]) {
    let i = global_id(0);
    t[i] = x[i] % 1_000;
    y[i] = 2 * t[i];
}

fn open(speeds: &[u64], memories: &[u64], is_sync: bool) -> (Runtime, Sim) {
    let speed = |millions: &u64| Speed { items_per_second: millions * RATE, ..Speed::default() };
    let sim = Sim::new(Config {
        devices: speeds.len(),
        run: Run::Entry,
        others: speeds.iter().map(speed).enumerate().collect(),
        memories: memories.iter().copied().enumerate().collect(),
        ..Config::default()
    });
    let rt = Runtime::builder().backend(Arc::new(sim.clone())).sync(is_sync);
    (rt.build().unwrap(), sim)
}

#[test]
fn each_device_has_the_memory_that_is_its_own() {
    // Both arrays have 3,200 bytes, and what a third of the items uses of them a third of that: a device that
    // has room for it does its part, and the part of one that has not goes on to the next.
    for (memory, falls) in [(3_000, false), (1_000, true)] {
        let (rt, sim) = open(&[1, 1, 1], &[1 << 20, memory, 1 << 12], false);
        let found: Vec<_> = rt.devices().iter().map(|device| device.info().memory).collect();
        assert_eq!(found, [Some(1 << 20), Some(memory), Some(1 << 12)]);
        let (x, mut y) = (Buffer::from(vec![1_u64; 200]), Buffer::from(vec![2_u64; 200]));
        let report = rt.submit(add(&x, &mut y).partitions(3)).exec([200]).unwrap();
        let fell: Vec<_> = report.fallbacks().iter().map(|f| (&*f.from, &*f.to)).collect();
        assert_eq!(fell, if falls { vec![("sim:1", "sim:2")] } else { Vec::new() });
        assert_eq!(y.to_vec().unwrap(), [3; 200]);
        assert!(sim.bytes_used(1) <= memory);
    }
}

#[test]
fn shares_are_no_larger_than_there_is_room_for() {
    let n = 100_000;
    // The fast one has room for two thirds of the arrays.
    let (rt, sim) = open(&[1, 50, 3], &[1 << 24, 1 << 20, 1 << 24], false);
    let (x, mut y) = (Buffer::from(vec![1_u64; n]), Buffer::from(vec![2_u64; n]));
    let mut p = rt.pipeline();
    p.push(add(&x, &mut y).over([n]));
    let how = p.explain().unwrap().to_string();
    assert!(
        how.contains("9438 items on sim:0, 62249 items on sim:1, 28313 items on sim:2"),
        "{how}"
    );
    let begin = sim.clock().now();
    let report = p.exec().unwrap();
    assert!(report.fallbacks().is_empty(), "{:?}", report.fallbacks());
    assert!((sim.clock().now() - begin).as_secs_f64() < 0.0096);
    assert!((950_000..=1 << 20).contains(&sim.bytes_used(1)), "{}", sim.bytes_used(1));
    assert_eq!(y.to_vec().unwrap(), vec![3; n]);
}

/// Numbers that look random and are the same in each run.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, n: usize) -> usize {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) % n as u64) as usize
    }
}

#[test]
fn splits_are_loops_whatever_memory_devices_have() {
    let (mut fell, mut spilled, mut several) = (0, 0, 0);
    for seed in 0..320 {
        let mut numbers = Numbers(seed);
        let devices = 1 + numbers.below(5);
        let n = 600 + numbers.below(3_000);
        let bytes = 8 * n as u64;
        // From less than one of the three arrays to all of them; two are used at once, which one
        // device at least can hold.
        let mut memories: Vec<u64> =
            (0..devices).map(|_| bytes / 2 + bytes * numbers.below(6) as u64 / 2).collect();
        memories[numbers.below(devices)] = 2 * bytes + numbers.below(4_000) as u64;
        let speeds: Vec<u64> = (0..devices).map(|_| 1 + numbers.below(7) as u64).collect();
        let (rt, sim) = open(&speeds, &memories, seed % 2 == 0);
        let (parts, chunk, policy) =
            (2 + numbers.below(4), 100 + numbers.below(900), numbers.below(4));
        let shares: Vec<f64> = speeds.iter().map(|&speed| speed as f64).collect();
        let as_drawn = |call: flash::Call<'static, 1>| match policy {
            0 => call,
            1 => call.partitions(parts),
            2 => call.shares(shares.clone()),
            _ => call.dynamic(chunk),
        };
        let start: Vec<u64> = (0..n as u64).map(|i| i * i % 97).collect();
        let (mut u, mut next) = (Buffer::from(start.clone()), Buffer::<u64>::zeros(n));
        let mut sum = Buffer::from(vec![5_u64; n]);
        let trips = 4;
        let mut p = rt.pipeline();
        for trip in 0..trips {
            let (from, to) = if trip % 2 == 0 { (&u, &mut next) } else { (&next, &mut u) };
            p.push(as_drawn(heat(from, &mut *to)).over([n]));
            p.push(as_drawn(add(&*to, &mut sum)).over([n]));
        }
        let what = format!("{seed}: policy {policy}, speeds {speeds:?}, memories {memories:?}");
        let report = p.exec().unwrap_or_else(|error| panic!("{what}: {error}"));
        for (k, &memory) in memories.iter().enumerate() {
            assert!(sim.bytes_used(k) <= memory, "{seed}");
        }
        let (mut a, mut wanted) = (start, vec![5_u64; n]);
        for _ in 0..trips {
            let of = |i: usize| if i > 0 && i + 1 < n { a[i - 1] + a[i] + a[i + 1] } else { a[i] };
            a = (0..n).map(of).collect();
            wanted.iter_mut().zip(&a).for_each(|(sum, a)| *sum += a);
        }
        let moved = |call: &flash_rt::sim::Call| matches!(call.what, What::Download { .. });
        let before = sim.calls().iter().filter(|call| moved(call)).count();
        assert_eq!(u.to_vec().unwrap(), a, "{what}");
        assert_eq!(sum.to_vec().unwrap(), wanted, "{what}");
        fell += usize::from(!report.fallbacks().is_empty());
        spilled += usize::from(before > 0);
        several += usize::from(report.devices().len() > 1);
    }
    // Hardly anything of this is asked where all fits.
    assert!(fell >= 30 && spilled >= 60 && several >= 60, "{fell}, {spilled}, {several}");
}

#[test]
fn parts_wait_for_those_of_others_and_stay_where_they_are() {
    for seed in 0..80 {
        let (mut numbers, with_cpu) = (Numbers(seed), seed % 2 == 1);
        let devices = if with_cpu { 1 } else { 2 + numbers.below(2) };
        let n = 600 + numbers.below(3_000);
        // All that one launch needs, but not what two of them need.
        let memory = 3 * 8 * n as u64 + numbers.below(4_000) as u64;
        let speeds: Vec<u64> = (0..devices).map(|_| 1 + numbers.below(7) as u64).collect();
        let config = Config { memory, ..Config::default() };
        let sim = super::simulator(config, &speeds);
        let builder = Runtime::builder().backend(Arc::new(sim.clone()));
        let builder = if with_cpu { builder.devices("ALL_CPU").threads(2) } else { builder };
        let rt = builder.build().unwrap();
        let parts = 2 + numbers.below(4);
        let start: Vec<u64> = (0..n as u64).map(|i| i * i % 97).collect();
        let (mut u, mut next) = (Buffer::from(start.clone()), Buffer::<u64>::zeros(n));
        let mut sum = Buffer::from(vec![5_u64; n]);
        let mut p = rt.pipeline();
        for _ in 0..4 {
            // Either needs room while the other is under way.
            p.push(twice(&u, &mut next).partitions(parts).over([n]));
            p.push(add(&u, &mut sum).partitions(parts).over([n]));
            p.push(heat(&next, &mut u).partitions(parts).over([n]));
        }
        let what = format!("{seed}: {n} elements, {parts} parts, speeds {speeds:?}");
        let report = p.exec().unwrap_or_else(|error| panic!("{what}: {error}"));
        let fell: Vec<_> = report.fallbacks().iter().map(|f| (&*f.from, &*f.to)).collect();
        assert!(fell.is_empty(), "{what}: {fell:?}");
        assert!((0..devices).all(|k| sim.bytes_used(k) <= memory), "{what}");
        let (mut a, mut wanted) = (start, vec![5_u64; n]);
        for _ in 0..4 {
            wanted.iter_mut().zip(&a).for_each(|(sum, a)| *sum += a);
            a.iter_mut().for_each(|a| *a = 2 * (*a % 1_000));
            let of = |i: usize| if i > 0 && i + 1 < n { a[i - 1] + a[i] + a[i + 1] } else { a[i] };
            a = (0..n).map(of).collect();
        }
        assert_eq!(u.to_vec().unwrap(), a, "{what}");
        assert_eq!(sum.to_vec().unwrap(), wanted, "{what}");
    }
}
