//! What a kernel requires is asked of devices before anything runs: who lacks it gets no launch, no
//! share, no block and nothing that another one hands over.

use std::ops::Range;
use std::sync::Arc;

use flash::prelude::*;
use flash::{ArgRange, Error, Need};
use flash_rt::sim::{Config, Fault, Run, Sim, Speed, What};
use flash_rt::{Arg, Call, KernelDescriptor};

use super::RATE;

#[flash::kernel(part_by, requires(atomics64))]
fn halve(x: &[f64], y: &mut [f64]) {
    let i = global_id(0);
    y[i] = 0.5 * x[i];
}

#[flash::kernel(requires(sub_groups))]
fn beyond_all(y: &mut [f64]) {
    let i = global_id(0);
    y[i] = 1.0;
}

#[flash::device]
fn third(x: f32) -> f32 {
    (x as f64 / 3.0) as f32
}

#[flash::kernel]
fn by_function(x: &[f32], #[out] y: &mut [f32]) {
    let i = global_id(0);
    y[i] = third(x[i]);
}

#[flash::kernel]
fn by_literal(x: &[f32], #[out] y: &mut [f32]) {
    let i = global_id(0);
    y[i] = x[i] * (1.0 / 3.0) as f32;
}

#[flash::kernel]
fn by_value(a: f64, #[out] y: &mut [f32]) {
    let i = global_id(0);
    y[i] = a as f32;
}

#[flash::kernel]
fn narrow(x: &[u8], #[out] y: &mut [u8]) {
    let i = global_id(0);
    y[i] = x[i] ^ 1;
}

#[flash::kernel]
fn widened(x: &[u8], #[out] y: &mut [f32]) {
    let i = global_id(0);
    y[i] = x[i] as f32 * 0.5;
}

#[flash::kernel]
fn counted(n: &[Atomic<u32>]) {
    n[global_id(0) % 2].fetch_add(1);
}

#[flash::kernel]
fn counted_wide(n: &[Atomic<u64>]) {
    n[global_id(0) % 2].fetch_add(1);
}

#[test]
fn types_tell_what_a_kernel_requires() {
    type Push = fn(&mut flash::Pipeline<'_>, &mut Arrays);
    struct Arrays(Buffer<f32>, Buffer<f32>, Buffer<u8>, Buffer<u8>, Buffer<u32>, Buffer<u64>);
    let mut arrays = Arrays(
        Buffer::zeros(8),
        Buffer::zeros(8),
        Buffer::zeros(8),
        Buffer::zeros(8),
        Buffer::zeros(2),
        Buffer::zeros(2),
    );
    let cases: [(&str, Option<Need>, Push); 7] = [
        ("by_function", Some(Need::F64), |p, a| {
            p.push(by_function(&a.0, &mut a.1).over([8]));
        }),
        ("by_literal", Some(Need::F64), |p, a| {
            p.push(by_literal(&a.0, &mut a.1).over([8]));
        }),
        ("by_value", Some(Need::F64), |p, a| {
            p.push(by_value(0.5, &mut a.1).over([8]));
        }),
        ("narrow", Some(Need::ByteStores), |p, a| {
            p.push(narrow(&a.2, &mut a.3).over([8]));
        }),
        ("counted", Some(Need::Atomics), |p, a| {
            p.push(counted(&mut a.4).over([8]));
        }),
        ("counted_wide", Some(Need::Atomics64), |p, a| {
            p.push(counted_wide(&mut a.5).over([8]));
        }),
        ("widened", None, |p, a| {
            p.push(widened(&a.2, &mut a.1).over([8]));
        }),
    ];
    let every = [Need::F64, Need::ByteStores, Need::Atomics, Need::Atomics64];
    for (name, required, push) in cases {
        for lacked in every {
            for devices in [1, 2] {
                let config = Config { devices, lacks: vec![(0, lacked)], ..Config::default() };
                let sim = Sim::new(config);
                let rt = Runtime::builder().backend(Arc::new(sim.clone())).build().unwrap();
                let mut p = rt.pipeline();
                push(&mut p, &mut arrays);
                let done = p.exec();
                match (required == Some(lacked), devices) {
                    (false, _) => assert!(done.is_ok(), "{name}: {done:?}"),
                    (true, 1) => {
                        let text = done.unwrap_err().to_string();
                        let said = format!("`sim:0` has no {};", lacked.name());
                        assert!(text.contains(&said), "{name}: {text}");
                    }
                    (true, _) => assert!(done.is_ok() && items(&sim, 2) == [0, 8], "{name}"),
                }
            }
        }
    }
}

/// Devices of these speeds, of which some have no 64-bit floats.
fn open(speeds: &[u64], lacking: &[usize]) -> (Runtime, Sim) {
    let speed = |millions: &u64| Speed { items_per_second: millions * RATE, ..Speed::default() };
    let config = Config {
        devices: speeds.len(),
        run: Run::Entry,
        others: speeds.iter().map(speed).enumerate().collect(),
        lacks: lacking.iter().map(|&device| (device, Need::F64)).collect(),
        ..Config::default()
    };
    let sim = Sim::new(config);
    (Runtime::builder().backend(Arc::new(sim.clone())).build().unwrap(), sim)
}

/// The items that each device has run.
fn items(sim: &Sim, devices: usize) -> Vec<u64> {
    let mut items = vec![0; devices];
    for call in sim.calls() {
        if let What::Launch { items: n, .. } = call.what {
            items[call.device] += n;
        }
    }
    items
}

fn buffers(n: usize) -> (Buffer<f64>, Buffer<f64>) {
    (Buffer::from((0..n).map(|i| i as f64).collect::<Vec<_>>()), Buffer::zeros(n))
}

fn is_halved(y: &Buffer<f64>) -> bool {
    y.to_vec().unwrap().iter().enumerate().all(|(i, y)| *y == 0.5 * i as f64)
}

type How = fn(flash::Call<'static, 1>) -> flash::Call<'static, 1>;

#[test]
fn who_lacks_something_gets_no_part() {
    let n = 40_000;
    // The fastest one by far, in the middle, has no doubles.
    let ways: [(&str, How, [u64; 4]); 6] = [
        ("automatic", |call| call, [10_000, 0, 0, 30_000]),
        ("in parts", |call| call.partitions(4), [20_032, 0, 0, 19_968]),
        ("by shares", |call| call.shares([1.0, 5.0, 5.0, 4.0]), [8_000, 0, 0, 32_000]),
        ("claimed", |call| call.dynamic(40_000), [40_000, 0, 0, 0]),
        ("whole", |call| call.partitions(1), [0, 0, 0, 40_000]),
        ("beside one", |call| call.exclude(3).partitions(2), [40_000, 0, 0, 0]),
    ];
    for (name, how, wanted) in ways {
        let (rt, sim) = open(&[1, 100, 50, 3], &[1, 2]);
        let (x, mut y) = buffers(n);
        rt.submit(how(halve(&x, &mut y))).exec([n]).unwrap();
        assert!(is_halved(&y), "{name}");
        let found = items(&sim, 4);
        // Borders are at cache lines.
        let near = found.iter().zip(wanted).all(|(a, b)| a.abs_diff(b) <= 64);
        assert!(near && found.iter().sum::<u64>() == n as u64, "{name}: {found:?}");
    }
}

#[test]
fn nothing_is_handed_over_to_who_lacks_something() {
    let n = 4_000;
    let (rt, sim) = open(&[1, 1, 1, 1], &[1, 2]);
    let (x, mut y) = buffers(n);
    let mut p = rt.pipeline();
    p.push(halve(&x, &mut y).partitions(2).over([n]));
    p.prepare().unwrap();
    sim.inject(Fault::Lose { device: 0, after: 1 });
    let report = p.exec().unwrap();
    assert!(is_halved(&y));
    let handed: Vec<(&str, &str)> = report.fallbacks().iter().map(|f| (&*f.from, &*f.to)).collect();
    assert_eq!(handed, [("sim:0", "sim:3")]);
    assert_eq!(items(&sim, 4)[1..3], [0, 0]);
    // With the last one that can do it gone nothing takes its place.
    sim.inject(Fault::Lose { device: 3, after: 1 });
    let error = p.exec().unwrap_err();
    assert!(matches!(error, Error::DeviceLost { .. }), "{error}");
    assert_eq!(items(&sim, 4)[1..3], [0, 0]);
}

#[test]
fn turns_go_to_who_can() {
    let config = Config { devices: 3, lacks: vec![(1, Need::Atomics64)], ..Config::default() };
    let sim = Sim::new(config);
    let rt = Runtime::builder().backend(Arc::new(sim.clone())).round_robin(true).build().unwrap();
    let (x, mut y) = buffers(16);
    let mut p = rt.pipeline();
    for _ in 0..6 {
        p.push(halve(&x, &mut y).over([16]));
    }
    p.exec().unwrap();
    let found = items(&sim, 3);
    assert_eq!((found[1], found.iter().sum()), (0, 96));
    assert!(is_halved(&y));
}

#[test]
fn without_a_device_left_the_error_names_what_each_lacks() {
    let (rt, sim) = open(&[1, 1, 1], &[1, 2]);
    let (x, mut y) = buffers(64);
    // An earlier stage does not run either.
    let mut z = y.clone();
    let mut p = rt.pipeline();
    p.push(halve(&x, &mut z).over([64]));
    p.push(halve(&x, &mut y).exclude(0).partitions(2).over([64]));
    let error = p.exec().unwrap_err();
    let Error::Lacking { kernel: "halve", devices, .. } = &error else { panic!("{error}") };
    assert_eq!(devices.len(), 2, "{error}");
    let text = error.to_string();
    assert!(text.contains("`sim:1` has no f64, `sim:2` has no f64;"), "{text}");
    let error = rt.submit(beyond_all(&mut y)).exec([64]).unwrap_err().to_string();
    assert!(error.contains("`sim:0` has no sub_groups, `sim:1` has no f64, sub_groups"), "{error}");
    assert_eq!(sim.counts().launches, 0);
    // The CPU has what bodies can ask for.
    let cpu = Runtime::builder().devices("ALL_CPU").build().unwrap();
    cpu.submit(halve(&x, &mut y)).exec([64]).unwrap();
    assert!(is_halved(&y));
    let error = cpu.submit(beyond_all(&mut y)).exec([64]).unwrap_err();
    assert!(matches!(error, Error::Lacking { .. }), "{error}");
}

fn own(items: &[Range<u64>]) -> Vec<ArgRange> {
    vec![ArgRange::both(items[0].clone())]
}

/// Code for the CPU only, which is not there: what matters is who is asked for it.
#[flash::kernel(part_by = own, unsafe(cpu(path = "no/such/place.so")))]
fn native(y: &mut [f64]);

#[test]
fn who_has_no_code_gets_no_part() {
    let sim = Sim::new(Config { devices: 2, ..Config::default() });
    let builder = Runtime::builder().backend(Arc::new(sim.clone())).devices("ALL_CPU");
    let rt = builder.build().unwrap();
    let mut y = Buffer::<f64>::zeros(64);
    let mut p = rt.pipeline();
    p.push(native(&mut y).partitions(3).over([64]));
    let how = p.explain().unwrap().to_string();
    assert!(!how.contains("% on sim:"), "{how}");
    let error = p.exec().unwrap_err();
    assert!(matches!(error, Error::Library { .. }), "{error}");
    assert_eq!(sim.tally(flash_rt::sim::Kind::Load), 0, "nobody asked it");
}

/// A body that nobody has compiled.
static INTERPRETED: KernelDescriptor = KernelDescriptor { entries: None, ..*narrow::DESCRIPTOR };

/// A body that one device can run and the other one cannot is on the one from the start.
#[test]
fn a_body_is_on_devices_that_can_run_it() {
    let [entries, bodies] = [Run::Entry, Run::Ir]
        .map(|run| Arc::new(Sim::new(Config { devices: 1, run, ..Config::default() })));
    let builder = Runtime::builder().round_robin(true);
    let rt = builder.backend(entries).backend(bodies.clone()).build().unwrap();
    let (x, mut y) = (Buffer::from((0..8).collect::<Vec<u8>>()), Buffer::<u8>::zeros(8));
    let mut z = y.clone();
    let mut p = rt.pipeline();
    for _ in 0..3 {
        let args = [Arg::<&[u8]>::bind(&x), Arg::<&mut [u8]>::bind(&mut y)];
        p.push(Call::<1>::new(&INTERPRETED, args).over([8]));
        p.push(narrow(&x, &mut z).over([8]));
    }
    let how = p.explain().unwrap();
    let [first, second] = [0, 1].map(|k| rt.devices()[k].name());
    let reason = format!("not on {first}: it has no code of the kernel: no entry for the CPU");
    for stages in how.stages().chunks(2) {
        assert_eq!(stages[0].device.as_deref(), Some(second), "{how}");
        assert_eq!(stages[0].left_out, [&*reason]);
        assert!(stages[1].left_out.is_empty(), "{how}");
    }
    let report = p.exec().unwrap();
    drop(p);
    assert!(report.fallbacks().is_empty(), "{report}");
    assert_eq!(y.to_vec().unwrap(), [1, 0, 3, 2, 5, 4, 7, 6]);
    assert!(bodies.counts().launches >= 3);
}
