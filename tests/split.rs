//! One launch over several devices: the parts together are the launch, only what a part needs is
//! moved, and what cannot be split is refused or runs as a whole.
#![allow(clippy::unwrap_used, reason = "a test fails by unwrapping")]

use std::ops::Range;
use std::sync::Arc;

use flash::prelude::*;
use flash::{ArgRange, CountBy, Error};
use flash_rt::sim::{Config, Fault, Kind, Run, Sim, Speed, Time};
use proptest::prelude::*;

#[flash::kernel(part_by)]
fn scale(a: u64, x: &[u64], #[out] y: &mut [u64]) {
    let i = global_id(0);
    y[i] = a * x[i] + i as u64;
}

/// Neighbours, and a rim that stays.
#[flash::kernel(part_by)]
fn smooth(x: View<'_, u64, 2>, #[out] y: ViewMut<'_, u64, 2>) {
    let (i, j) = (global_id(0), global_id(1));
    let (h, w) = (x.extent(0), x.extent(1));
    if i > 0 && j > 0 && i + 1 < w && j + 1 < h {
        y[[j, i]] = (x[[j - 1, i]] + x[[j + 1, i]] + x[[j, i - 1]] + 3 * x[[j, i + 1]]) % 65521;
    } else {
        y[[j, i]] = x[[j, i]];
    }
}

/// Every third element only.
#[flash::kernel(part_by)]
fn sometimes(k: u64, x: &mut [u64]) {
    let i = global_id(0);
    if i % 3 == 0 {
        x[i] = (x[i] * k + 1) % 65521;
    }
}

#[flash::kernel(part_by)]
fn product(a: View<'_, f64, 2>, b: View<'_, f64, 2>, #[out] c: ViewMut<'_, f64, 2>) {
    let (i, j) = (global_id(0), global_id(1));
    let mut sum = 0.0;
    for k in 0..b.extent(0) {
        sum += a[[j, k]] * b[[k, i]];
    }
    c[[j, i]] = sum;
}

#[flash::kernel(part_by)]
fn total(x: &[f64], #[reduce(+)] s: &mut f64) {
    *s += x[global_id(0)];
}

/// The first item goes on from where its end wraps.
#[flash::kernel(part_by)]
fn sum_before(x: &[u64], #[out] y: &mut [u64]) {
    let i = global_id(0);
    let mut s = 0;
    for k in 0..i - 1 {
        if k > 100 {
            break;
        }
        s += x[k];
    }
    y[i] = s;
}

fn blocks(items: &[Range<u64>]) -> Vec<ArgRange> {
    vec![ArgRange::read(items[0].clone()), ArgRange::write(items[0].clone())]
}

fn backwards(items: &[Range<u64>]) -> Vec<ArgRange> {
    let _ = items;
    vec![ArgRange::whole(), ArgRange::write(0..8)]
}

fn outside(items: &[Range<u64>]) -> Vec<ArgRange> {
    let end = items[0].end;
    vec![ArgRange::read(items[0].start..end + 1_000_000), ArgRange::write(items[0].clone())]
}

fn short(items: &[Range<u64>]) -> Vec<ArgRange> {
    vec![ArgRange::write(items[0].clone())]
}

macro_rules! by {
    ($($name:ident = $function:ident),*) => {$(
        #[flash::kernel(part_by = $function)]
        fn $name(x: &[u64], #[out] y: &mut [u64]) {
            let i = global_id(0);
            y[i] = x[i] + 7;
        }
    )*};
}
by! { by_blocks = blocks, by_backwards = backwards, by_outside = outside, by_short = short }

/// Where and when items ran.
#[flash::kernel(part_by)]
fn who(#[out] y: &mut [u64]) {
    let i = global_id(0);
    y[i] = partition() as u64;
}

/// Both at once, in as many phases as there are rows.
#[flash::kernel(group_by(y), part_by)]
fn who_and_when(#[out] y: ViewMut<'_, u64, 2>) {
    let (i, j) = (global_id(0), global_id(1));
    let sizes = 10 * global_size(0) + global_size(1);
    y[[j, i]] = (1_000 * phase() + 10_000 * partition() + sizes) as u64;
}

/// A rod in one launch: `next` from `u`, then `u` from `next`, divided by a function.
#[flash::kernel(rank = 3, group_by(y), part_by = rod_blocks)]
fn rod(u: &mut [f32], next: &mut [f32]) {
    let i = global_id(0);
    if i > 0 && i + 1 < u.len() {
        if phase() % 2 == 0 {
            unsafe { next[i] = 0.5 * (u[i + 1] - 2.0 * u[i] + u[i - 1]) + u[i] };
        } else {
            unsafe { u[i] = next[i] };
        }
    }
}

fn rod_blocks(items: &[Range<u64>]) -> Vec<ArgRange> {
    let own = items[0].clone();
    let halo = own.start.saturating_sub(1)..own.end + 1;
    let of = |read: Range<u64>, stage: u64| match items[1].start == stage {
        true => ArgRange::new(read, own.clone()).clipped(),
        false => ArgRange::read(read).clipped(),
    };
    vec![of(halo, 1), of(own.clone(), 0)]
}

/// Simulated devices, the second one three times as fast as the others, and the CPU if asked for.
fn open(devices: usize, run: Run, key: &str) -> (Runtime, Sim) {
    let speed = Speed { items_per_second: 1_000_000, ..Speed::default() };
    let fast = Speed { items_per_second: 3_000_000, ..Speed::default() };
    let config = Config { devices, run, speed, others: vec![(1, fast)], ..Config::default() };
    let sim = Sim::new(Config { time: Time::Virtual, ..config });
    let builder = Runtime::builder().backend(Arc::new(sim.clone())).threads(2);
    let builder = if key == "ALL" { builder.devices("ALL_CPU") } else { builder };
    (builder.build().unwrap(), sim)
}

/// What a program says of how its launches are split.
#[derive(Clone, Debug)]
enum Policy {
    /// Nothing: where that pays.
    Automatic,
    Equal(usize),
    Shares(Vec<f64>),
    Dynamic(usize),
    /// In a grid, where there are two dimensions.
    Grid([usize; 2]),
    /// In equal parts of this dimension.
    Across(usize, usize),
    /// All parts on one device.
    Pinned(usize, usize),
    /// And on all but one.
    Without(usize, usize),
}

impl Policy {
    fn of<const R: usize>(&self, call: flash::Call<'static, R>) -> flash::Call<'static, R> {
        match self {
            Self::Automatic => call,
            Self::Equal(n) => call.partitions(*n),
            Self::Shares(shares) => call.shares(shares.clone()),
            Self::Dynamic(chunk) => call.dynamic(*chunk),
            Self::Grid(grid) => call.partitions(std::array::from_fn(|dim| grid[dim])),
            Self::Across(dim, n) => call.partitions(*n).cut_across(*dim.min(&(R - 1))),
            Self::Pinned(device, n) => call.pin(*device).partitions(*n),
            Self::Without(device, n) => call.exclude(*device).partitions(*n),
        }
    }

    /// Whether a line of so many items is sure to be split on as many simulated devices.
    fn splits(&self, n: usize, devices: usize, in_turn: bool) -> bool {
        match self {
            // The fastest device is nine times as fast as the slowest, at most.
            Self::Automatic => n >= 100 && devices > 1 && !in_turn,
            Self::Equal(k)
            | Self::Across(_, k)
            | Self::Grid([k, _])
            | Self::Pinned(_, k)
            | Self::Without(_, k) => *k > 1 && n >= *k,
            Self::Shares(shares) => n >= 20 && shares.iter().filter(|s| **s > 0.5).count() > 1,
            Self::Dynamic(chunk) => n > *chunk,
        }
    }
}

/// Whatever devices there are and however launches are split.
#[derive(Clone, Debug)]
struct Case {
    size: (usize, usize),
    /// Simulated devices, in thousands of items a second: what has ten items lasts a millisecond.
    speeds: Vec<u64>,
    run: Run,
    policy: Policy,
    round_robin: bool,
    deterministic: bool,
    with_cpu: bool,
}

impl Case {
    fn open(&self) -> (Runtime, Sim) {
        let speed = |rate: &u64| Speed { items_per_second: 1_000 * rate, ..Speed::default() };
        let others = self.speeds.iter().map(speed).enumerate().collect();
        let devices = self.speeds.len();
        let sim = Sim::new(Config { devices, run: self.run, others, ..Config::default() });
        let builder = Runtime::builder().backend(Arc::new(sim.clone())).threads(2);
        let builder = if self.with_cpu { builder.devices("ALL_CPU") } else { builder };
        let builder = builder.round_robin(self.round_robin).deterministic(self.deterministic);
        (builder.build().unwrap(), sim)
    }
}

fn cases() -> impl Strategy<Value = Case> {
    let speeds = proptest::collection::vec(1_u64..10, 1..6);
    let flags = (any::<bool>(), any::<bool>(), any::<bool>(), any::<bool>());
    let drawn = ((1_usize..90, 1_usize..90), speeds, flags, 0..8, 1_usize..8, any::<u64>());
    drawn.prop_map(
        |(size, speeds, (round_robin, deterministic, entry, with_cpu), policy, n, bits)| {
            // One device more is the CPU, where it takes part.
            let devices = speeds.len() + usize::from(with_cpu);
            let one = bits as usize % devices;
            let share = |k: usize| (bits >> (8 * k) & 0xff) as f64 / 255.0;
            let policy = match policy {
                0 => Policy::Automatic,
                1 => Policy::Equal(n),
                2 => Policy::Shares((0..devices).map(|k| share(k) + 0.01).collect()),
                3 => Policy::Dynamic(1 + n * n),
                4 => Policy::Pinned(one, n),
                6 => Policy::Grid([n, 1 + bits as usize % 5]),
                7 => Policy::Across(bits as usize % 2, n),
                _ if devices > 1 => Policy::Without(one, n),
                _ => Policy::Equal(n),
            };
            let run = if entry { Run::Entry } else { Run::Ir };
            Case { size, speeds, run, policy, round_robin, deterministic, with_cpu }
        },
    )
}

/// All kernels over a field, each split as the policy says; everything they leave.
fn program(rt: &Runtime, (w, h): (usize, usize), policy: &Policy) -> Vec<u64> {
    let n = w * h;
    let x = Buffer::from((0..n as u64).map(|i| i * 7919 % 1000).collect::<Vec<_>>());
    let (mut y, mut z) = (Buffer::from(vec![3_u64; n]), Buffer::<u64, 2>::filled([h, w], 1));
    let image = Buffer::<u64, 2>::filled([h, w], 5);
    let a = Buffer::<f64, 2>::filled([h, 3], 0.5);
    let b = Buffer::<f64, 2>::filled([3, w], 1.25);
    let mut c = Buffer::<f64, 2>::zeros([h, w]);
    let reals = Buffer::from((0..n).map(|i| 1.0 / (i + 1) as f64).collect::<Vec<_>>());
    let mut sum = Var::new(0.0);
    let mut p = rt.pipeline();
    p.push(policy.of(scale(3, &x, &mut y)).over([n]));
    p.push(policy.of(sometimes(5, &mut y)).over([n]));
    p.push(policy.of(smooth(&image, &mut z)).over([w, h]));
    p.push(policy.of(product(&a, &b, &mut c)).over([w, h]));
    p.push(policy.of(total(&reals, &mut sum)).over([n]));
    p.push(policy.of(sometimes(7, &mut y)).over([n / 2]));
    p.exec().unwrap();
    let mut all = [y.to_vec().unwrap(), z.to_vec().unwrap()].concat();
    all.extend(c.to_vec().unwrap().into_iter().map(f64::to_bits));
    all.push(sum.get().unwrap().to_bits());
    all
}

/// How many launches a program has.
const LAUNCHES: u64 = 6;

type Call1 = flash::Call<'static, 1>;

#[test]
fn parts_are_the_launch_bit_for_bit() {
    let whole = Runtime::builder().devices("ALL_CPU").threads(1).build().unwrap();
    let split = std::cell::Cell::new(0);
    proptest!(ProptestConfig { cases: 96, failure_persistence: None, ..ProptestConfig::default() }, |(case in cases())| {
        let (rt, sim) = case.open();
        let wanted = program(&whole, case.size, &Policy::Equal(1));
        let found = program(&rt, case.size, &case.policy);
        prop_assert_eq!(&found, &wanted);
        let counts = sim.counts();
        prop_assert_eq!(counts.poison, 0);
        let n = case.size.0 * case.size.1;
        if case.policy.splits(n, case.speeds.len(), case.round_robin) && !case.with_cpu {
            prop_assert!(counts.launches > LAUNCHES, "{} launches", counts.launches);
            split.set(split.get() + 1);
        }
    });
    assert!(split.get() >= 16, "{} programs of 96 were split", split.get());
}

#[test]
fn only_what_a_part_needs_is_moved() {
    let n = 120_000;
    let (rt, sim) = open(3, Run::Entry, "SIM");
    let x = Buffer::from(vec![2_u64; n]);
    let mut y = Buffer::<u64>::zeros(n);
    rt.submit(scale(3, &x, &mut y).partitions(3)).exec([n]).unwrap();
    let counts = sim.counts();
    assert_eq!((counts.uploads, counts.uploaded, counts.downloads), (3, 8 * n as u64, 0));
    assert_eq!(y.get(n - 1).unwrap(), 6 + n as u64 - 1);
    // Each part again where its data are.
    let mut p = rt.pipeline();
    for _ in 0..4 {
        p.push(sometimes(5, &mut y).partitions(3).over([n]));
    }
    p.exec().unwrap();
    assert_eq!((sim.counts().uploads, sim.counts().launches), (3, 3 + 12));

    // A field that is smoothed again and again: a line on each side of a border.
    let (w, h, steps, k) = (64, 48, 10, 4);
    let (rt, sim) = open(k, Run::Entry, "SIM");
    let (mut a, mut b) = (Buffer::<u64, 2>::filled([h, w], 9), Buffer::<u64, 2>::zeros([h, w]));
    let mut p = rt.pipeline();
    p.push(smooth(&a, &mut b).partitions(k).over([w, h]));
    p.push(smooth(&b, &mut a).partitions(k).over([w, h]));
    p.exec().unwrap();
    let before = sim.counts();
    for _ in 0..steps {
        p.exec().unwrap();
    }
    let after = sim.counts();
    let lines = (2 * steps * 2 * (k - 1)) as u64;
    let moved = (after.uploaded - before.uploaded, after.downloaded - before.downloaded);
    assert_eq!(moved, (lines * 8 * w as u64, lines * 8 * w as u64), "{before:?} {after:?}");
    assert_eq!(after.poison, 0);
}

#[test]
fn a_part_holds_what_a_loop_reaches_whose_end_wraps() {
    let (rt, _) = open(2, Run::Ir, "SIM");
    let x: Vec<u64> = (0..200).map(|k| k * k).collect();
    let sum = |n: usize| x[..n].iter().sum::<u64>();
    let mut y = Buffer::zeros(8);
    rt.submit(sum_before(&Buffer::from(x.clone()), &mut y).partitions(2)).exec([8]).unwrap();
    let others = (1..8).map(|i| sum(i - 1));
    assert_eq!(y.to_vec().unwrap(), [sum(101)].into_iter().chain(others).collect::<Vec<_>>());
}

#[test]
fn parts_have_numbers() {
    let (rt, _) = open(2, Run::Ir, "SIM");
    let mut y = Buffer::from(vec![9_u64; 10]);
    rt.submit(who(&mut y).partitions(3)).exec([10]).unwrap();
    assert_eq!(y.to_vec().unwrap(), [0, 0, 0, 1, 1, 1, 1, 2, 2, 2]);
    rt.submit(who(&mut y).shares([1.0, 4.0])).exec([10]).unwrap();
    assert_eq!(y.to_vec().unwrap(), [0, 0, 1, 1, 1, 1, 1, 1, 1, 1]);
}

#[test]
fn a_part_knows_its_number_in_each_phase() {
    for (devices, run, key) in
        [(1, Run::Ir, "SIM"), (2, Run::Ir, "SIM"), (3, Run::Entry, "SIM"), (2, Run::Entry, "ALL")]
    {
        let (rt, _) = open(devices, run, key);
        for backwards in [false, true] {
            let mut y = Buffer::<u64, 2>::zeros([4, 10]);
            let call = who_and_when(&mut y).partitions(3);
            let rows = CountBy::count(4);
            let rows = if backwards { rows.descending() } else { rows };
            rt.submit(call).exec((10, rows)).unwrap();
            let phase = |j: u64| if backwards { 3 - j } else { j };
            let part = |i: usize| [0, 0, 0, 1, 1, 1, 1, 2, 2, 2][i];
            let of = |j: u64, i: usize| 1_000 * phase(j) + 10_000 * part(i) + 104;
            let wanted: Vec<u64> = (0..4).flat_map(|j| (0..10).map(move |i| of(j, i))).collect();
            assert_eq!(y.to_vec().unwrap(), wanted, "{devices} {run:?} {key} {backwards}");
        }
    }
}

#[test]
fn a_rod_in_phases_on_several_devices() {
    let (n, steps) = (1002, 60);
    let start: Vec<f32> = (0..n).map(|i| if i == 0 { 100.0 } else { (i % 5) as f32 }).collect();
    let (mut a, mut b) = (start.clone(), start.clone());
    for _ in 0..steps {
        for i in 1..n - 1 {
            b[i] = 0.5 * (a[i + 1] - 2.0 * a[i] + a[i - 1]) + a[i];
        }
        a[1..n - 1].copy_from_slice(&b[1..n - 1]);
    }
    for (devices, parts, key) in [(1, 1, "SIM"), (1, 4, "SIM"), (3, 3, "SIM"), (2, 4, "ALL")] {
        let (rt, sim) = open(devices, Run::Entry, key);
        let (mut u, mut next) = (Buffer::from(start.clone()), Buffer::from(start.clone()));
        rt.submit(rod(&mut u, &mut next).partitions(parts)).exec([n, 2, steps]).unwrap();
        if key == "SIM" {
            let halos = if devices > 1 { (2 * (parts - 1) * (steps - 1) * 4) as u64 } else { 0 };
            let first = sim.counts().uploaded;
            assert!(first <= 2 * 4 * (n as u64 + 2 * parts as u64) + halos, "{first} bytes");
        }
        assert_eq!(u.to_vec().unwrap(), a, "{devices} devices, {parts} parts");
    }
}

#[test]
fn what_cannot_be_is_refused_before_anything_runs() {
    let (rt, sim) = open(2, Run::Entry, "SIM");
    let x = Buffer::from(vec![1_u64; 64]);
    let mut y = Buffer::from(vec![2_u64; 64]);
    rt.submit(by_blocks(&x, &mut y).partitions(2)).exec([64]).unwrap();
    assert_eq!(y.to_vec().unwrap(), [8; 64]);
    let launches = sim.counts().launches;
    let refused = |call: Call1, words: &str| {
        let error = rt.submit(call.partitions(2)).exec([64]).unwrap_err();
        assert!(error.to_string().contains(words), "{error}");
        error
    };
    let error = refused(by_backwards(&x, &mut y), "`y`: two parts would write the same elements");
    assert!(matches!(error, Error::Parts { .. }));
    let error = refused(by_outside(&x, &mut y), "`x`");
    assert!(matches!(error, Error::Parts { .. }));
    let error =
        refused(by_short(&x, &mut y), "`y`: the function gives ranges for 1 array arguments of 2");
    assert!(matches!(error, Error::Parts { param: "y", .. }));
    assert_eq!(sim.counts().launches, launches);
    assert_eq!(y.to_vec().unwrap(), [8; 64]);
    let pinned = rt.submit(by_blocks(&x, &mut y).pin(7)).exec([64]).unwrap_err();
    assert!(matches!(pinned, Error::Range { index: 7, len: 2, .. }), "{pinned}");
    let none = rt.submit(by_blocks(&x, &mut y).pin(0).exclude(0)).exec([64]).unwrap_err();
    assert!(none.to_string().contains("no device"), "{none}");
    let wrong = rt.submit(by_blocks(&x, &mut y).shares([0.0, f64::NAN])).exec([64]).unwrap_err();
    assert!(wrong.to_string().contains("shares"), "{wrong}");
}

#[test]
fn calls_go_where_they_are_told() {
    let (rt, sim) = open(3, Run::Entry, "SIM");
    let mut y = Buffer::from(vec![1_u64; 8]);
    for (call, device) in
        [(who(&mut y).pin(2), 2), (who(&mut y).exclude(1).exclude(0), 2), (who(&mut y).pin(0), 0)]
    {
        let mut on = Var::new(9);
        rt.submit(call.chosen(&mut on)).exec([8]).unwrap();
        assert_eq!(on.get().unwrap(), device);
    }
    assert_eq!(sim.counts().launches, 3);
}

/// The time of one launch over `n` items, split by the runtime itself, in seconds.
fn seconds(devices: usize, n: usize, key: impl Fn(Call1) -> Call1) -> (f64, String) {
    let (rt, sim) = open(devices, Run::Entry, "SIM");
    let x = Buffer::from(vec![2_u64; n]);
    let mut y = Buffer::<u64>::zeros(n);
    let mut p = rt.pipeline();
    p.push(key(scale(3, &x, &mut y)).over([n]));
    let how = p.explain().unwrap().to_string();
    let before = sim.clock().now();
    p.exec().unwrap();
    let took = sim.clock().now() - before;
    assert_eq!(y.get(n / 2).unwrap(), 6 + n as u64 / 2);
    (took.as_secs_f64(), how)
}

#[test]
fn shares_end_at_once() {
    let n = 400_000;
    // One million items a second, and three: 0.4 s, 0.133 s, and 0.1 s together.
    let (alone, how) = seconds(1, n, |call| call);
    assert!((alone - 0.4).abs() < 0.01, "{alone} s: {how}");
    let (both, how) = seconds(2, n, |call| call);
    assert!((both - 0.1).abs() < 0.01, "{both} s: {how}");
    assert!(how.contains("split to end at") && how.contains("300000 items on sim:1"), "{how}");
    // What does not last is not split.
    let (short, how) = seconds(2, 1_000, |call| call);
    assert!(short < 0.001 && how.contains("placed to end first"), "{short} s: {how}");
    let (kept, how) = seconds(2, n, |call| call.partitions(1));
    assert!((kept - 0.133).abs() < 0.01, "{kept} s: {how}");
}

#[test]
fn a_device_that_is_lost_or_full_half_way() {
    let n = 3_000;
    let wanted: Vec<u64> = (0..n as u64).map(|i| 3 * (2 + i) + i).collect();
    let run = |fault: Option<Fault>| {
        let (rt, sim) = open(3, Run::Entry, "SIM");
        sim.clear_calls();
        if let Some(fault) = fault {
            sim.inject(fault);
        }
        let x = Buffer::from((0..n as u64).map(|i| 2 + i).collect::<Vec<_>>());
        let mut y = Buffer::from(vec![1_u64; n]);
        let mut p = rt.pipeline();
        p.push(scale(3, &x, &mut y).partitions(3).over([n]));
        p.push(sometimes(5, &mut y).partitions(3).over([n]));
        let result = p.exec();
        let left = y.to_vec();
        sim.clear_faults();
        // The inputs are as they were, and the runtime goes on.
        assert_eq!(x.get(77).unwrap(), 79);
        let mut again = Buffer::from(vec![1_u64; n]);
        rt.submit(scale(3, &x, &mut again)).exec([n]).unwrap();
        assert_eq!(again.to_vec().unwrap(), wanted);
        (result, left, sim)
    };
    let after = |v: &u64, i: usize| if i.is_multiple_of(3) { (v * 5 + 1) % 65521 } else { *v };
    let done: Vec<u64> = wanted.iter().enumerate().map(|(i, v)| after(v, i)).collect();
    let (result, left, sim) = run(None);
    result.unwrap();
    assert_eq!(left.unwrap(), done);
    let (mut finished, mut failed) = (0, 0);
    for device in 0..3 {
        for calls in 0..sim.calls().len() as u64 {
            let (result, left, _) = run(Some(Fault::Lose { device, after: calls }));
            match result {
                Ok(_) => {
                    // What is valid on the lost device alone is lost, and says so.
                    if let Ok(left) = left {
                        assert_eq!(left, done, "device {device}, {calls} calls");
                        finished += 1;
                    }
                }
                Err(error) => {
                    assert!(
                        matches!(error, Error::DeviceLost { .. } | Error::Driver { .. }),
                        "{error}"
                    );
                    failed += 1;
                }
            }
        }
    }
    assert!(finished > 0, "{finished} runs were finished elsewhere, {failed} failed");
    for kind in [Kind::Allocate, Kind::Upload, Kind::Launch, Kind::Wait, Kind::Load] {
        for nth in 0..sim.tally(kind) {
            let (result, left, _) = run(Some(Fault::Fail { call: kind, nth, device: None }));
            // The fault may also have been met by who reads the result.
            if let (Ok(_), Ok(left)) = (result, left) {
                assert_eq!(left, done, "{kind:?} {nth}");
            }
        }
    }
}
