//! What is said of launches that ran elsewhere than planned, and of how many memories arrays took:
//! in the report, in `explain()` after the run, and to a person.

use std::sync::Arc;
use std::time::Duration;

use flash::Error;
use flash::prelude::*;
use flash_rt::sim::{Config, Counts, Fault, Kind, Link, Run, Sim, Speed};

use crate::{accumulate, counted, mix, mixed};

/// y ← a
#[flash::kernel]
fn fill(a: u64, #[out] y: &mut [u64]) {
    y[global_id(0)] = a;
}

fn open(fault: Option<Fault>, copies: usize) -> (Sim, Runtime) {
    let speed = Speed {
        launch: Duration::from_micros(5),
        down: Link { latency: Duration::from_micros(50), bytes_per_second: 0 },
        ..Speed::default()
    };
    let sim = Sim::new(Config { devices: 2, run: Run::Entry, speed, ..Config::default() });
    fault.into_iter().for_each(|fault| sim.inject(fault));
    let builder = Runtime::builder().backend(Arc::new(sim.clone())).round_robin(true);
    (sim, builder.copies(copies).build().unwrap())
}

/// Launches on both devices, three times.
fn program(rt: &Runtime, x: &mut Buffer<u64>, y: &mut Buffer<u64>) -> flash_rt::Pipeline<'static> {
    let mut p = rt.pipeline();
    p.begin_for(0..3_u32);
    p.push(mix(3, 1, x).over([8]));
    p.push(mix(5, 2, y).over([8]));
    p.end_for();
    p
}

fn grown(a: u64, b: u64) -> Vec<u64> {
    counted(8).into_iter().map(|v| (0..3).fold(v, |v, _| mixed(v, a, b))).collect()
}

#[test]
fn a_device_without_code_for_a_kernel() {
    let (_, rt) = open(Some(Fault::Fail { call: Kind::Load, nth: 0, device: Some(1) }), 1);
    let (mut x, mut y) = (Buffer::from(counted(8)), Buffer::from(counted(8)));
    let mut p = program(&rt, &mut x, &mut y);
    assert!(p.explain().unwrap().stages().iter().all(|stage| stage.fallbacks.is_empty()));
    let report = p.exec().unwrap();
    let [fallback] = report.fallbacks() else { panic!("{:?}", report.fallbacks()) };
    assert_eq!((fallback.node, fallback.kernel), (2, "mix"));
    assert_eq!((fallback.from.as_str(), fallback.to.as_str()), ("sim:1", "sim:0"));
    assert_eq!(fallback.count, 1, "the next trips load it");
    assert!(matches!(fallback.error, Error::NoImplementation { .. }), "{}", fallback.error);
    let said = "node 2, `mix`, ran on sim:0 in place of sim:1: ";
    assert!(report.to_string().contains(said), "{report}");
    let how = p.explain().unwrap();
    assert!(how.stages()[2].fallbacks[0].starts_with(said) && how.stages()[1].fallbacks.is_empty());
    assert!(how.to_string().contains(said), "{how}");
    assert_eq!((x.to_vec().unwrap(), y.to_vec().unwrap()), (grown(3, 1), grown(5, 2)));
    // Of the next run nothing is to be said.
    assert!(p.exec().unwrap().fallbacks().is_empty());
    assert!(p.explain().unwrap().stages()[2].fallbacks.is_empty());
}

#[test]
fn a_device_that_is_lost() {
    let (sim, rt) = open(None, 1);
    let (mut x, mut y) = (Buffer::from(counted(8)), Buffer::from(counted(8)));
    sim.inject(Fault::Lose { device: 1, after: 0 });
    let mut p = program(&rt, &mut x, &mut y);
    let report = p.exec().unwrap();
    let [fallback] = report.fallbacks() else { panic!("{:?}", report.fallbacks()) };
    assert_eq!((fallback.node, fallback.kernel, fallback.count), (2, "mix", 3));
    assert_eq!((fallback.from.as_str(), fallback.to.as_str()), ("sim:1", "sim:0"));
    assert!(matches!(fallback.error, Error::DeviceLost { .. }), "{}", fallback.error);
    assert!(report.to_string().contains("`mix`, ran 3 times on sim:0 in place of sim:1: "));
    assert!(p.explain().unwrap().to_string().contains("ran 3 times on sim:0 in place of sim:1"));
    assert_eq!((x.to_vec().unwrap(), y.to_vec().unwrap()), (grown(3, 1), grown(5, 2)));
}

/// At whatever call the device goes: the processor does the rest with an implementation of its own, or,
/// where only the device had what is needed, the error says so and the input is there.
#[test]
fn a_device_that_is_lost_hands_over_to_the_processor() {
    let with_processor = || {
        let sim = Sim::new(Config { run: Run::Entry, ..Config::default() });
        let cpu = flash_cpu::CpuBackend::new(&flash_rt::Options::default()).unwrap();
        let builder = Runtime::builder().backend(Arc::new(sim.clone())).backend(Arc::new(cpu));
        (sim, builder.round_robin(true).build().unwrap())
    };
    let (counting, rt) = with_processor();
    let run = |rt: &Runtime, x: &Buffer<u64>| {
        let (mut y, mut z) = (Buffer::from(counted(8)), Buffer::zeros(8));
        let mut p = rt.pipeline();
        p.begin_for(0..3_u32);
        p.push(accumulate(3, x, &mut y).over([8]));
        p.push(fill(5, &mut z).over([8]));
        p.push(accumulate(7, &y, &mut z).over([8]));
        p.end_for();
        let report = p.exec()?;
        let there = report.fallbacks().iter().filter(|f| f.from == "sim:0").cloned();
        Ok::<_, Error>((there.collect::<Vec<_>>(), y.to_vec()?, z.to_vec()?))
    };
    let y: Vec<u64> = counted(8).iter().map(|v| (1 + 9) * v).collect();
    let z: Vec<u64> = y.iter().map(|y| 5 + 7 * y).collect();
    let x = Buffer::from(counted(8));
    let (none, found_y, found_z) = run(&rt, &x).unwrap();
    assert!(none.is_empty());
    assert_eq!((&found_y, &found_z), (&y, &z));
    let calls = Kind::ALL.into_iter().map(|kind| counting.tally(kind)).sum();
    let (mut handed, mut lost) = (0, 0);
    for after in 0..calls {
        let (sim, rt) = with_processor();
        sim.inject(Fault::Lose { device: 0, after });
        let x = Buffer::from(counted(8));
        match run(&rt, &x) {
            Ok((fallbacks, found_y, found_z)) => {
                assert_eq!((&found_y, &found_z), (&y, &z), "{after}");
                assert!(fallbacks.iter().all(|f| f.to == rt.devices()[1].name()), "{after}");
                handed += fallbacks.len();
            }
            Err(error) => {
                assert!(matches!(error, Error::DeviceLost { .. }), "{after}: {error}");
                lost += 1;
            }
        }
        assert_eq!(x.to_vec().unwrap(), counted(8), "{after}");
        // A late loss comes in the next run.
        let again = run(&rt, &x).or_else(|_| run(&rt, &x)).unwrap();
        assert_eq!((again.1, again.2), (y.clone(), z.clone()), "{after}: the processor is left");
    }
    assert!(handed > 5 && lost > 0 && lost < calls / 2, "{handed} {lost} of {calls}");
}

/// A frame that is overwritten in each trip while the host still gets the one before.
#[test]
fn how_many_memories_arrays_took() {
    for (copies, most) in [(1, 1), (2, 2), (4, 4)] {
        let (_, rt) = open(None, copies);
        let mut frame = Buffer::from(counted(8));
        let mut p = rt.pipeline();
        p.begin_for(0..6_u32);
        p.push(fill(7, &mut frame).over([8]));
        p.push(Task::new("look", (&frame,), |(x,)| assert_eq!(x[[3]], 7)));
        p.push(fill(8, &mut frame).over([8]));
        p.push(fill(9, &mut frame).over([8]));
        p.push(fill(9, &mut frame).over([8]));
        p.end_for();
        let of =
            |p: &mut flash_rt::Pipeline<'_>| p.explain().unwrap().stages()[1].params[1].clone();
        let before = of(&mut p);
        let report = p.exec().unwrap();
        let found = report.copies();
        assert_eq!(found.allowed, copies);
        assert!(found.most <= most, "{found:?}");
        let says = report.to_string().contains("memories for an array");
        assert_eq!(says, copies > 1);
        if copies == 1 {
            assert!(!before.contains("memories"), "{before}");
            assert_eq!(found.most, 1);
        } else {
            assert!(before.ends_with(&format!(", in up to {copies} memories")), "{before}");
            let after = of(&mut p);
            let taken = |n: usize| after.ends_with(&format!(", in {n} of up to {copies} memories"));
            assert!((2..=found.most).any(taken), "{after}");
            assert!(found.most > 1, "launches overwrite what others still use");
        }
    }
}

#[test]
fn two_memories_unless_asked_otherwise_and_one_under_sync() {
    let allowed = |sync, copies: Option<usize>| {
        let sim = Sim::new(Config { run: Run::Entry, ..Config::default() });
        let builder = Runtime::builder().backend(Arc::new(sim)).sync(sync);
        let builder = match copies {
            None => builder,
            Some(n) => builder.copies(n),
        };
        let rt = builder.build().unwrap();
        let mut x = Buffer::from(counted(8));
        let report = rt.submit(fill(1, &mut x)).exec([8]).unwrap();
        (report.copies().allowed, report.copies().most)
    };
    assert_eq!([None, Some(1), Some(3)].map(|n| allowed(false, n)), [(2, 1), (1, 1), (3, 1)]);
    assert_eq!([None, Some(3)].map(|n| allowed(true, n)), [(1, 1); 2]);
}

/// One array is loaded, and another one filled, in each trip, while others fill the rest of the memory.
fn frames(copies: usize, memory: u64) -> Counts {
    let link = Link { latency: Duration::from_micros(20), bytes_per_second: 0 };
    let launch = Duration::from_micros(50);
    let speed = Speed { launch, up: link, down: link, ..Speed::default() };
    let sim = Sim::new(Config { run: Run::Entry, memory, speed, ..Config::default() });
    let builder = Runtime::builder().backend(Arc::new(sim.clone())).copies(copies);
    let rt = builder.build().unwrap();
    let [mut frame, mut sum, mut rest, mut filled] = [(); 4].map(|()| Buffer::from(counted(8)));
    let mut last = Buffer::from(counted(8));
    let mut p = rt.pipeline();
    p.begin_for(0..8_u32);
    p.push(Task::new("load", (&mut frame,), |(mut x,)| x[[0]] += 1));
    p.push(accumulate(1, &frame, &mut sum).over([8]));
    p.push(fill(8, &mut filled).over([8]));
    p.push(Task::new("look", (&filled,), |(x,)| assert_eq!(x[[7]], 8)));
    p.push(mix(3, 1, &mut rest).over([8]));
    p.end_for();
    p.push(accumulate(1, &frame, &mut last).over([8]));
    p.exec().unwrap();
    assert!(rt.devices()[0].bytes_used() <= memory && sim.bytes_used(0) <= memory);
    let counts = sim.counts();
    assert_eq!(sum.to_vec().unwrap()[..2], [1 + (2..10).sum::<u64>(), 9 * 2]);
    assert_eq!(last.to_vec().unwrap()[..2], [1 + 9, 2 * 2]);
    assert_eq!((filled.get(3).unwrap(), rest.get(0).unwrap()), (8, mixed_eight_times(1)));
    counts
}

fn mixed_eight_times(v: u64) -> u64 {
    (0..8).fold(v, |v, _| mixed(v, 3, 1))
}

/// More memories are taken where there is some to spare, and given back before anything else leaves:
/// however little there is, no more is copied than with one memory for each array, and nothing fails.
#[test]
fn short_memory_is_no_error_and_moves_nothing_more() {
    for arrays in [3, 4, 5, 6, 7, 20] {
        let moved = |copies| {
            let Counts { uploads, uploaded, downloads, downloaded, .. } =
                frames(copies, 64 * arrays + 32);
            [uploads, uploaded, downloads, downloaded]
        };
        let least = moved(1);
        for copies in [2, 3] {
            assert_eq!(moved(copies), least, "{copies} copies, room for {arrays} arrays");
        }
    }
}

/// Where nobody else can run it: whichever call finds the device gone.
#[test]
fn a_launch_whose_device_is_lost_says_which_it_is_and_where_it_was_called() {
    let run = |after: u64| {
        let sim = Sim::new(Config { devices: 1, run: Run::Entry, ..Config::default() });
        sim.inject(Fault::Lose { device: 0, after });
        let rt = Runtime::builder().backend(Arc::new(sim.clone())).build().unwrap();
        let mut x = Buffer::from(counted(8));
        let mut p = rt.pipeline();
        p.begin_for(0..3_u32);
        p.push(mix(3, 1, &mut x).over([8]));
        p.end_for();
        let (line, result) = (line!() - 2, p.exec());
        (line, result, sim.armed())
    };
    // One that is far away counts the calls.
    let (_, done, armed) = run(u64::MAX);
    done.unwrap();
    let [Fault::Lose { after: left, .. }] = armed[..] else { panic!("{armed:?}") };
    let calls = u64::MAX - left;
    assert!(calls > 5, "{calls}");
    for after in 0..calls {
        let (line, result, _) = run(after);
        let error = result.unwrap_err();
        let Error::DeviceLost { device, at: Some(at), .. } = &error else { panic!("{error:?}") };
        assert_eq!((device.as_str(), at.node, at.stage), ("sim:0", Some(1), "mix"), "{after}");
        let text = error.to_string();
        let called = "`sim:0` is lost (node 1, `mix`, called at ";
        assert!(text.contains(called) && at.site.file().ends_with("fallback.rs"), "{text}");
        assert!(text.contains("write again what only it had"), "{text}");
        assert!(text.contains(&format!("fallback.rs:{line}:")), "{after}: {text}");
    }
}
