//! Where launches run: on the device that ends them first, by its speed, its links and where the
//! data are; in turn where that is the same or not known. To the nanosecond, on the virtual clock.

use std::sync::Arc;
use std::time::Duration;

use flash::prelude::*;
use flash_rt::Pipeline;
use flash_rt::sim::{Config, Link, Run, Sim, Speed, Time, What};

use crate::{accumulate, counted, mix, mixed};

const N: usize = 1000;
/// Bytes of an array.
const BYTES: u64 = 8 * N as u64;

/// An item takes so many nanoseconds, a byte of a copy so many more.
fn speed(item: u64, byte: u64) -> Speed {
    let link = Link { latency: Duration::ZERO, bytes_per_second: 1_000_000_000 / byte };
    Speed { items_per_second: 1_000_000_000 / item, up: link, down: link, ..Speed::default() }
}

fn open(speeds: &[Speed], round_robin: bool) -> (Sim, Runtime) {
    let others = speeds.iter().cloned().enumerate().collect();
    let sim = Sim::new(Config { devices: speeds.len(), others, ..Config::default() });
    let builder = Runtime::builder().backend(Arc::new(sim.clone()));
    (sim, builder.round_robin(round_robin).build().unwrap())
}

/// The devices of the launches so far, in the order of their submission.
fn launched(sim: &Sim) -> Vec<usize> {
    let calls = sim.calls().into_iter();
    calls.filter(|call| matches!(call.what, What::Launch { .. })).map(|call| call.device).collect()
}

/// When the last operation ended.
fn end(sim: &Sim) -> Duration {
    sim.calls().iter().filter_map(|call| Some(call.span?.end)).max().unwrap_or_default()
}

/// The devices that a pipeline is planned on, in the order of the program.
fn planned(p: &mut Pipeline<'_>) -> Vec<usize> {
    let how = p.explain().unwrap();
    let number = |name: &str| name.strip_prefix("sim:").unwrap().parse().unwrap();
    how.stages().iter().filter_map(|stage| stage.device.as_deref().map(number)).collect()
}

/// Runs `n` launches over arrays of their own; where they were planned, and what is in the arrays
/// afterwards.
fn apart(rt: &Runtime, n: usize) -> (Vec<usize>, Vec<Vec<u64>>) {
    let mut arrays: Vec<_> = (0..n).map(|_| Buffer::from(counted(N as u64))).collect();
    let mut p = rt.pipeline();
    for (k, x) in arrays.iter_mut().enumerate() {
        p.push(mix(3, k as u64, x).over([N]));
    }
    let devices = planned(&mut p);
    p.exec().unwrap();
    (devices, arrays.iter().map(|x| x.to_vec().unwrap()).collect())
}

#[test]
fn a_fast_device_gets_more() {
    // Ten microseconds a launch against two, beside copies of eight each.
    let speeds = [speed(100, 1), speed(10, 1)];
    let (sim, rt) = open(&speeds, false);
    let (_, found) = apart(&rt, 12);
    let (fair, in_turn) = open(&speeds, true);
    assert_eq!(found, apart(&in_turn, 12).1, "whatever runs where");
    assert_eq!(launched(&fair).iter().filter(|device| **device == 1).count(), 6);
    let fast = launched(&sim).iter().filter(|device| **device == 1).count();
    assert_eq!(fast, 11, "the slow one takes what it has ended by then");
    assert!(end(&sim) < end(&fair), "{:?} against {:?}", end(&sim), end(&fair));
    for (k, x) in found.iter().enumerate() {
        let wanted: Vec<u64> = counted(N as u64).iter().map(|v| mixed(*v, 3, k as u64)).collect();
        assert_eq!(*x, wanted);
    }
}

#[test]
fn a_launch_goes_to_its_data_unless_that_takes_longer() {
    // The second device is faster by 10 µs a launch; to bring the data takes 8 µs with a link of
    // a nanosecond a byte, and 80 µs with one of ten.
    for (byte, wanted) in [(1, 1), (10, 0)] {
        let (sim, rt) = open(&[speed(20, byte), speed(10, byte)], false);
        let mut x = Buffer::from(counted(N as u64));
        x.prefetch(&rt, 0).wait().unwrap();
        sim.clear_calls();
        let mut p = rt.pipeline();
        p.push(mix(3, 1, &mut x).over([N]));
        let why = p.explain().unwrap().stages()[0].placed.clone().unwrap();
        p.exec().unwrap();
        assert_eq!(launched(&sim), [wanted], "{why}");
        let uploads = sim.counts().uploads;
        assert_eq!(uploads, u64::from(wanted == 1), "{why}");
    }
}

#[test]
fn equal_devices_take_turns_and_chains_stay() {
    let (sim, rt) = open(&[speed(10, 1), speed(10, 1), speed(10, 1)], false);
    assert_eq!(apart(&rt, 7).0, [0, 1, 2, 0, 1, 2, 0]);
    // Two chains over arrays of their own: each stays where it began.
    sim.clear_calls();
    let (mut x, mut y) = (Buffer::from(counted(N as u64)), Buffer::from(counted(N as u64)));
    let mut p = rt.pipeline();
    for k in 0..3 {
        p.push(mix(3, k, &mut x).over([N]));
        p.push(mix(5, k, &mut y).over([N]));
    }
    p.exec().unwrap();
    let mut of_device = [0; 3];
    launched(&sim).into_iter().for_each(|device| of_device[device] += 1);
    assert_eq!(of_device, [3, 3, 0]);
    assert_eq!(sim.counts().uploads, 2);
}

#[test]
fn infinitely_fast_devices_take_turns() {
    let sim = Sim::new(Config { devices: 2, ..Config::default() });
    let rt = Runtime::builder().backend(Arc::new(sim)).build().unwrap();
    assert_eq!(apart(&rt, 5).0, [0, 1, 0, 1, 0]);
}

#[test]
fn what_is_not_known_takes_turns() {
    let sim = Sim::new(Config { devices: 1, speed: speed(10, 1), ..Config::default() });
    let builder = Runtime::builder().backend(Arc::new(sim.clone())).devices("ALL_CPU");
    let rt = builder.build().unwrap();
    let (mut x, mut y) = (Buffer::from(counted(8)), Buffer::from(counted(8)));
    let mut p = rt.pipeline();
    p.push(mix(3, 1, &mut x).over([8]));
    p.push(mix(3, 1, &mut y).over([8]));
    let how = p.explain().unwrap();
    let names: Vec<_> = how.stages().iter().map(|stage| stage.device.clone().unwrap()).collect();
    assert_eq!(names[0], "sim:0");
    assert_eq!(names[1], rt.devices()[1].name());
    for stage in how.stages() {
        let why = stage.placed.as_deref().unwrap();
        assert_eq!(
            why,
            format!("placed in turn: how long it takes on {} is not known yet", names[1])
        );
    }
}

/// In real time: the CPU is tried, and from then on compared by what it took.
#[test]
fn what_was_measured_places_the_next_run() {
    for (launch, wanted) in [(Duration::from_secs(1), 1), (Duration::ZERO, 0)] {
        let speed = Speed { launch, ..Speed::default() };
        let (run, time) = (Run::Entry, Time::Real);
        let sim = Sim::new(Config { devices: 1, run, time, speed, ..Config::default() });
        let builder = Runtime::builder().backend(Arc::new(sim.clone())).devices("ALL_CPU");
        let rt = builder.threads(2).build().unwrap();
        let mut x = Buffer::from(counted(N as u64));
        let mut p = rt.pipeline();
        p.push(mix(3, 1, &mut x).over([N]));
        let placed = |p: &mut Pipeline<'_>| {
            let stage = p.explain().unwrap().stages()[0].clone();
            (stage.device.unwrap(), stage.placed.unwrap())
        };
        let (device, why) = placed(&mut p);
        assert_eq!(device, rt.devices()[1].name(), "nobody knows, so it is tried");
        assert!(why.ends_with("is not known yet"), "{why}");
        p.exec().unwrap();
        assert_eq!(launched(&sim), []);
        let (device, why) = placed(&mut p);
        assert_eq!(device, rt.devices()[wanted].name(), "{why}");
        assert!(why.starts_with("placed to end first: "), "{why}");
        p.exec().unwrap();
        assert_eq!(launched(&sim).len(), 1 - wanted);
        assert_eq!(x.get(0).unwrap(), mixed(mixed(1, 3, 1), 3, 1));
    }
}

/// Trips make up for what it takes to bring the data.
#[test]
fn a_loop_goes_where_all_its_trips_end_first() {
    for (trips, wanted) in [(1_u32, 0), (20, 1)] {
        let (sim, rt) = open(&[speed(20, 10), speed(10, 10)], false);
        let mut x = Buffer::from(counted(N as u64));
        x.prefetch(&rt, 0).wait().unwrap();
        let mut p = rt.pipeline();
        p.begin_for(0..trips);
        p.push(mix(3, 1, &mut x).over([N]));
        p.end_for();
        p.exec().unwrap();
        assert_eq!(launched(&sim), vec![wanted; trips as usize]);
    }
}

#[test]
fn the_reason_is_given_in_numbers_and_is_the_same_each_time() {
    let explain = || {
        let (_, rt) = open(&[speed(100, 1), speed(10, 1)], false);
        let (x, mut y) = (Buffer::from(counted(N as u64)), Buffer::from(counted(N as u64)));
        let mut p = rt.pipeline();
        p.push(mix(3, 1, &mut y).over([N]));
        p.push(accumulate(2, &x, &mut y).over([N]));
        p.explain().unwrap().stages().iter().map(|s| s.placed.clone().unwrap()).collect::<Vec<_>>()
    };
    let first = explain();
    assert_eq!(
        first,
        [
            "placed to end first: sim:1 at 18µs (free at 0ns, 7.8 KiB there at 8µs, runs 10µs); \
             sim:0 at 108µs (free at 0ns, 7.8 KiB there at 8µs, runs 100µs)",
            "placed to end first: sim:1 at 36µs (free at 18µs, 7.8 KiB there at 26µs, runs 10µs); \
             sim:0 at 142µs (free at 0ns, 15.6 KiB there at 42µs, runs 100µs)",
        ]
    );
    assert_eq!(BYTES, 8_000, "7.8 KiB");
    assert_eq!(explain(), first);
}

#[test]
fn in_turn_on_request() {
    let (_, rt) = open(&[speed(100, 1), speed(10, 1)], true);
    assert_eq!(apart(&rt, 4).0, [0, 1, 0, 1]);
    let mut x = Buffer::from(counted(4));
    let mut p = rt.pipeline();
    p.push(mix(3, 1, &mut x).over([4]));
    assert_eq!(p.explain().unwrap().stages()[0].placed.as_deref(), Some("placed in turn"));
}

#[test]
fn backends_take_turns_and_their_devices_in_them() {
    let sim = Sim::new(Config { devices: 2, ..Config::default() });
    let builder = Runtime::builder().devices("ALL_CPU").backend(Arc::new(sim)).threads(1);
    let rt = builder.round_robin(true).build().unwrap();
    let is_sim = |device: &str| device.starts_with("sim:");
    let of_sim = rt.devices().iter().filter(|device| is_sim(device.name())).count();
    assert_eq!((rt.devices().len(), of_sim), (3, 2));
    let mut p = rt.pipeline();
    let mut arrays: Vec<_> = (0..8).map(|_| Buffer::from(counted(N as u64))).collect();
    for x in &mut arrays {
        p.push(mix(3, 1, x).over([N]));
    }
    let how = p.explain().unwrap();
    let all = how.stages().iter().map(|stage| stage.device.clone().unwrap());
    let turns: Vec<String> =
        all.map(|name| if is_sim(&name) { name } else { "cpu".into() }).collect();
    let cpu = usize::from(rt.devices()[0].name() != "sim:0");
    // Whichever comes first.
    let mut wanted = ["cpu", "sim:0", "cpu", "sim:1"];
    if cpu == 0 {
        wanted = ["sim:0", "cpu", "sim:1", "cpu"];
    }
    assert_eq!(turns, [wanted, wanted].concat());
}

/// Two kernels, each of which needs a device set up in its own way, turn by turn.
#[test]
fn a_device_is_not_set_up_anew_where_another_ends_sooner() {
    let setups = vec![("mix".to_owned(), 1), ("accumulate".to_owned(), 2)];
    let setup = Duration::from_millis(10);
    let device = |ms: u64| Speed {
        launch: Duration::from_millis(ms),
        setups: setups.clone(),
        setup,
        ..Speed::default()
    };
    // A turn on the first device alone would be set up twice for two launches of a millisecond.
    let (sim, rt) = open(&[device(1), device(3)], false);
    let (x, mut y) = (Buffer::from(counted(4)), Buffer::from(counted(4)));
    let mut z = Buffer::from(counted(4));
    let mut p = rt.pipeline();
    p.begin_for(0..10_u32);
    p.push(mix(3, 1, &mut z).over([4]));
    p.push(accumulate(2, &x, &mut y).over([4]));
    p.end_for();
    let how = p.explain().unwrap();
    let why: Vec<_> = how.stages().iter().filter_map(|stage| stage.placed.clone()).collect();
    assert!(why.iter().any(|why| why.contains("set up in")), "{why:#?}");
    p.exec().unwrap();
    let devices = launched(&sim);
    let of = |device| devices.iter().filter(|of| **of == device).count();
    assert_eq!([of(0), of(1)], [10, 10]);
    assert_eq!(end(&sim), setup + 10 * Duration::from_millis(3), "each is set up once");
}
