//! Launches that are submitted together fail, panic and are given up one by one: what has run, and which of
//! them the error is of, is what it would be if each had been submitted by itself.

use std::sync::Arc;
use std::time::Duration;

use crate::backend::conformance::kernels;
use crate::sim::{Config, Fault, Kind, Run, Sim, Speed};
use crate::{Arg, Buffer, Call, Error, NoBackends, Pipeline, Runtime, Task};

fn affine<'a>(a: u32, b: u32, x: &mut Buffer<u32>) -> Call<'a, 1> {
    let args = [Arg::<u32>::bind(a), Arg::<u32>::bind(b), Arg::<&'a mut [u32]>::bind(x)];
    Call::new(&kernels::AFFINE, args)
}

#[track_caller]
fn divide<'a>(x: &Buffer<u32>, y: &mut Buffer<u32>) -> Call<'a, 1> {
    Call::new(&kernels::DIVIDE, [Arg::<&'a [u32]>::bind(x), Arg::<&'a mut [u32]>::bind(y)])
}

fn saxpy<'a>(x: &Buffer<f32>, y: &mut Buffer<f32>) -> Call<'a, 1> {
    let [x, y] = [Arg::<&'a [f32]>::bind(x), Arg::<&'a mut [f32]>::bind(y)];
    Call::new(&kernels::SAXPY, [Arg::<f32>::bind(0.5), x, y])
}

/// Devices whose kernels take time, so that who does not wait for them comes too early.
fn open(devices: usize) -> (Sim, Runtime) {
    let kernels = ["affine", "divide"].map(|name| (name.to_owned(), Duration::from_millis(1)));
    let speed = Speed { kernels: kernels.to_vec(), ..Speed::default() };
    let sim = Sim::new(Config { devices, run: Run::Entry, speed, ..Config::default() });
    let rt = Runtime::<NoBackends>::builder().backend(Arc::new(sim.clone())).build().unwrap();
    (sim, rt)
}

const TRIPS: u32 = 50;
/// What the kernels of a trip multiply with and add.
const STEPS: [(u32, u32); 3] = [(3, 1), (5, 2), (7, 3)];

/// The launches of the trips, in a loop or written out.
fn program(rt: &Runtime, x: &mut Buffer<u32>, is_loop: bool) -> Pipeline<'static> {
    let mut p = rt.pipeline();
    if is_loop {
        p.begin_for(0..TRIPS);
    }
    for (a, b) in
        STEPS.into_iter().cycle().take(STEPS.len() * if is_loop { 1 } else { TRIPS as usize })
    {
        p.push(affine(a, b, x).over([64]));
    }
    if is_loop {
        p.end_for();
    }
    p
}

/// What so many launches make of a value.
fn after(n: u64, x: u32) -> u32 {
    let steps = (0..n).map(|k| STEPS[k as usize % STEPS.len()]);
    steps.fold(x, |x, (a, b)| x.wrapping_mul(a).wrapping_add(b))
}

/// The number of the node of a launch.
fn node_of(launch: u64, is_loop: bool) -> usize {
    if is_loop { 1 + launch as usize % STEPS.len() } else { launch as usize }
}

fn node(error: &Error) -> Option<usize> {
    match error {
        Error::Driver { at, .. } | Error::DeviceLost { at, .. } => at.as_ref()?.node,
        _ => None,
    }
}

#[test]
fn a_launch_that_is_refused_ends_what_has_run_and_is_named() {
    for is_loop in [true, false] {
        for nth in 0..u64::from(TRIPS) * STEPS.len() as u64 {
            let (sim, rt) = open(1);
            let mut x = Buffer::from(vec![9; 64]);
            let mut p = program(&rt, &mut x, is_loop);
            // The second time all launches of those that are written out are ready, the third time they come.
            let before = if is_loop { 0 } else { 2 };
            (0..before).for_each(|_| drop(p.exec().unwrap()));
            let start = x.get(0).unwrap();
            sim.inject(Fault::Fail { call: Kind::Launch, nth, device: None });
            let error = p.exec().unwrap_err();
            assert_eq!(node(&error), Some(node_of(nth, is_loop)), "{nth}: {error:?}");
            assert_eq!(x.to_vec().unwrap(), [after(nth, start); 64], "{nth}");
            p.exec().unwrap();
            let all = u64::from(TRIPS) * STEPS.len() as u64;
            assert_eq!(x.to_vec().unwrap(), [after(all, after(nth, start)); 64], "after {nth}");
        }
    }
}

#[test]
fn a_launch_that_breaks_takes_along_what_comes_after_it() {
    for is_loop in [true, false] {
        for nth in 0..u64::from(TRIPS) * STEPS.len() as u64 {
            let (sim, rt) = open(1);
            let mut x = Buffer::from(vec![9; 64]);
            let mut p = program(&rt, &mut x, is_loop);
            (0..2).for_each(|_| drop(p.exec().unwrap()));
            let start = x.get(0).unwrap();
            sim.inject(Fault::Break { call: Kind::Launch, nth, device: None });
            let error = p.exec().unwrap_err();
            // The device does not say which of those under way are over, so the first of them may be named.
            let named = node(&error).unwrap() as u64;
            let is_near = if is_loop { named <= 3 } else { named <= nth && nth < named + 64 };
            let Error::Driver { given_up: Some(given_up), .. } = &error else {
                panic!("{error:?}")
            };
            assert!(is_near && given_up.launches.len() < 64, "{nth}: {error:?}");
            // Where none was known to be over they all count as not run, and the host has the elements.
            let found = x.to_vec().unwrap();
            let is_one = [0, nth].iter().any(|&n| found == [after(n, start); 64]);
            assert!(is_one, "{nth}: {} after {start}", found[0]);
            p.exec().unwrap();
        }
    }
}

#[test]
fn a_panic_is_of_the_launch_that_had_it() {
    let (_, rt) = open(1);
    for first in [1_u32, 2, 7, 33, 34, 63, 64, 65] {
        let (mut x, mut y) = (Buffer::from(vec![first; 64]), Buffer::from(vec![0; 64]));
        let mut p = rt.pipeline();
        p.begin_for(0..100_u32);
        p.push(affine(1, u32::MAX, &mut x).over([64]));
        let line = line!() + 1;
        p.push(divide(&x, &mut y).over([64]));
        p.push(affine(1, 0, &mut x).over([64]));
        p.end_for();
        let error = p.exec().unwrap_err();
        let Error::KernelPanic { kernel, site, .. } = &error else { panic!("{first}: {error:?}") };
        assert_eq!((*kernel, site.line()), ("divide", line), "{first}");
    }
}

#[test]
fn what_a_lost_device_was_ahead_with_runs_on_another_or_is_an_error() {
    let (mut completed, mut lost) = (0, 0);
    for nth in 0..200 {
        let (sim, rt) = open(2);
        let mut x = Buffer::from(vec![9; 64]);
        let mut p = program(&rt, &mut x, true);
        sim.inject(Fault::Lose { device: 0, after: nth });
        let ran = p.exec().and_then(|_| x.to_vec());
        let all = u64::from(TRIPS) * STEPS.len() as u64;
        match ran {
            Ok(found) => {
                completed += 1;
                assert_eq!(found, [after(all, 9); 64], "{nth}");
            }
            Err(error) => {
                lost += 1;
                assert!(matches!(error, Error::DeviceLost { .. }), "{nth}: {error:?}");
            }
        }
    }
    assert!(completed > 0 && lost > 0, "{completed} completed, {lost} lost");
}

#[test]
fn whoever_comes_next_waits_for_the_last_launch() {
    let (_, rt) = open(1);
    let (mut x, mut y) = (Buffer::from(vec![9; 64]), Buffer::from(vec![1; 64]));
    let mut seen = Buffer::from(vec![0_u32; 2]);
    let mut p = rt.pipeline();
    for k in 0..2 {
        p.begin_for(0..TRIPS);
        for (a, b) in STEPS {
            p.push(affine(a, b, &mut x).over([64]));
        }
        p.end_for();
        p.push(Task::new("look", (&x, &mut seen), move |(x, mut seen)| seen[[k]] = x[[5]]));
    }
    // What launches read a host task overwrites.
    p.begin_for(0..TRIPS);
    p.push(affine(3, 1, &mut x).over([64]));
    p.push(divide(&x, &mut y).over([64]));
    p.end_for();
    p.push(Task::new("fill", (&mut x,), |(mut x,)| (0..64).for_each(|i| x[[i]] = 9)));
    let n = u64::from(TRIPS) * STEPS.len() as u64;
    for run in 0..4 {
        p.exec().unwrap();
        assert_eq!(seen.to_vec().unwrap(), [after(n, 9), after(2 * n, 9)], "{run}");
        let last = (0..TRIPS).fold(after(2 * n, 9), |x, _| x.wrapping_mul(3).wrapping_add(1));
        assert_eq!((x.to_vec().unwrap(), y.get(0).unwrap()), (vec![9; 64], 100 / last), "{run}");
    }
}

#[test]
fn another_device_waits_for_the_last_launch() {
    let (_, rt) = open(2);
    let mut x = Buffer::from(vec![9; 64]);
    let mut p = rt.pipeline();
    for device in [0, 1, 0, 1] {
        p.begin_for(0..TRIPS);
        for (a, b) in STEPS {
            p.push(affine(a, b, &mut x).pin(device).over([64]));
        }
        p.end_for();
    }
    let n = 4 * u64::from(TRIPS) * STEPS.len() as u64;
    for run in 1..4 {
        p.exec().unwrap();
        assert_eq!(x.to_vec().unwrap(), [after(run * n, 9); 64], "{run}");
    }
}

/// What so many trips of a `saxpy` and an exchange leave of two arrays.
fn steps(n: u64, start: [f32; 2]) -> [f32; 2] {
    (0..n).fold(start, |[x, y], _| [0.5 * x + y, x])
}

#[test]
fn arrays_that_are_exchanged_are_where_they_belong_whichever_launch_is_refused() {
    for is_loop in [true, false] {
        for nth in 0..=u64::from(TRIPS) {
            let (sim, rt) = open(1);
            let (x, mut y) = (Buffer::from(vec![3.0_f32; 64]), Buffer::from(vec![1.0_f32; 64]));
            let mut p = rt.pipeline();
            if is_loop {
                p.begin_for(0..TRIPS);
            }
            for _ in 0..if is_loop { 1 } else { TRIPS } {
                p.push(saxpy(&x, &mut y).over([64]));
                p.swap(&x, &y);
            }
            if is_loop {
                p.end_for();
            }
            (0..3).for_each(|_| drop(p.exec().unwrap()));
            let start = [x.get(0).unwrap(), y.get(0).unwrap()];
            assert_eq!(start, steps(3 * u64::from(TRIPS), [3.0, 1.0]), "{nth}");
            sim.inject(Fault::Fail { call: Kind::Launch, nth, device: None });
            let ran = p.exec();
            let node = if is_loop { 1 } else { 2 * nth as usize };
            match ran {
                Ok(_) => assert_eq!(nth, u64::from(TRIPS), "all have run"),
                Err(error) => assert_eq!(self::node(&error), Some(node), "{nth}: {error:?}"),
            }
            let found = [x.to_vec().unwrap(), y.to_vec().unwrap()];
            assert_eq!(found, steps(nth, start).map(|value| vec![value; 64]), "{nth}");
        }
    }
}

#[test]
fn an_array_is_free_to_leave_under_whichever_name() {
    let (_, rt) = open(1);
    let filled = |value| Buffer::from(vec![value; 64]);
    let (x, mut y, z) = (filled(3.0_f32), filled(1.0), filled(2.0));
    let mut p = rt.pipeline();
    for _ in 0..3 {
        p.push(saxpy(&x, &mut y).over([64]));
        p.push(saxpy(&x, &mut y).over([64]));
        p.swap(&y, &z);
    }
    let (mut expected, mut out) = ([1.0, 2.0], rt.pipeline());
    for array in [&x, &y, &z] {
        out.evict(array, 0);
    }
    for run in 0..6 {
        p.exec().unwrap();
        (0..3).for_each(|_| expected = [expected[1], expected[0] + 1.5 + 1.5]);
        if run > 2 {
            out.exec().unwrap();
            assert_eq!(rt.devices()[0].bytes_used(), 0, "{run}");
        }
        assert_eq!([y.get(0).unwrap(), z.get(0).unwrap()], expected, "{run}");
    }
}
