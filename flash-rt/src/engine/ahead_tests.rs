//! What is submitted before what it follows is complete, on a clock of events: when calls are made
//! and how long programs take are exact.

use std::sync::Arc;
use std::time::Duration;

use crate::backend::conformance::kernels;
use crate::sim::{Call as Logged, Config, Fault, Kind, Link, Run, Sim, Speed, What};
use crate::{Arg, Buffer, Call, Error, NoBackends, Pipeline, Runtime, Task};

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

/// Devices where copies up take 4 ms, kernels 10 ms and copies down 2 ms.
fn open(devices: usize) -> (Sim, Runtime) {
    open_ahead(devices, 64)
}

/// The same, which may be so many launches ahead.
fn open_ahead(devices: usize, ahead: usize) -> (Sim, Runtime) {
    let link = |ms| Link { latency: MS(ms), bytes_per_second: 0 };
    let kernels = ["affine", "divide"].map(|name| (name.to_owned(), MS(10))).to_vec();
    let speed = Speed { kernels, up: link(4), down: link(2), ..Speed::default() };
    let sim = Sim::new(Config { devices, run: Run::Entry, speed, ..Config::default() });
    let builder = Runtime::<NoBackends>::builder().backend(Arc::new(sim.clone()));
    let rt = builder.look_ahead(ahead).build().unwrap();
    (sim, rt)
}

/// How long it takes.
fn makespan(sim: &Sim, p: &mut Pipeline<'_>) -> Duration {
    let before = sim.clock().now();
    p.exec().unwrap();
    sim.clock().now() - before
}

fn launches(sim: &Sim) -> Vec<Logged> {
    sim.calls().into_iter().filter(|call| matches!(call.what, What::Launch { .. })).collect()
}

#[test]
fn a_chain_does_not_come_back_to_the_host_between_kernels() {
    let (sim, rt) = open(1);
    let mut x = values();
    let mut p = rt.pipeline();
    p.begin_for(0..20_u32);
    p.push(affine(&mut x).over([64]));
    p.push(affine(&mut x).over([64]));
    p.end_for();
    assert_eq!(makespan(&sim, &mut p), MS(4 + 400));
    let launches = launches(&sim);
    assert_eq!(launches.len(), 40);
    for call in &launches {
        assert_eq!(call.at, launches[0].at, "all were submitted before the first one began");
    }
}

#[test]
fn a_loop_that_exchanges_its_arrays_goes_on_too() {
    let (sim, rt) = open(1);
    let (x, mut y) = (values(), values());
    let mut p = rt.pipeline();
    p.begin_for(0..10_u32);
    p.push(divide(&x, &mut y).over([64]));
    p.swap(&x, &y);
    p.end_for();
    assert_eq!(makespan(&sim, &mut p), MS(4 + 100));
    let launches = launches(&sim);
    assert!(launches.iter().all(|call| call.at == launches[0].at));
}

#[test]
fn how_far_a_device_is_ahead_is_bounded() {
    for (allowed, least) in [(64, 8), (4, 2), (1, 0)] {
        let (sim, rt) = open_ahead(1, allowed);
        let mut x = values();
        let mut p = rt.pipeline();
        p.begin_for(0..200_u32);
        p.push(affine(&mut x).over([64]));
        p.end_for();
        assert_eq!(makespan(&sim, &mut p), MS(4 + 2000), "and the device is never idle");
        let launches = launches(&sim);
        let ahead = |call: &Logged| {
            let done = launches.iter().filter(|l| l.span.is_some_and(|span| span.end <= call.at));
            launches.iter().position(|l| l.seq == call.seq).unwrap() - done.count()
        };
        // Beside the one that it is.
        let most = launches.iter().map(ahead).max().unwrap();
        assert!((least..allowed).contains(&most), "{most} of {allowed}");
    }
    let error = Runtime::<NoBackends>::builder().devices("SIM").look_ahead(0).build().unwrap_err();
    assert!(matches!(error, Error::Option { option: "look_ahead", .. }), "{error}");
}

#[test]
fn copies_of_later_kernels_run_beside_earlier_ones() {
    let (sim, rt) = open(1);
    let mut p = rt.pipeline();
    for _ in 0..6 {
        p.push(affine(&mut values()).over([64]));
    }
    assert_eq!(makespan(&sim, &mut p), MS(4 + 60));
    let copies = sim.calls().into_iter().filter(|call| matches!(call.what, What::Upload { .. }));
    let ends: Vec<_> = copies.map(|call| call.span.unwrap().end).collect();
    assert_eq!(ends, (1..=6).map(|k| MS(4 * k)).collect::<Vec<_>>(), "one behind the other");
}

#[test]
fn the_host_waits_for_what_it_reads_only() {
    let (sim, rt) = open(1);
    let (mut x, mut y) = (values(), values());
    let (clock, mut p) = (sim.clock(), rt.pipeline());
    p.push(affine(&mut x).over([64]));
    for _ in 0..5 {
        p.push(affine(&mut y).over([64]));
    }
    let mut z = values();
    p.push(Task::new("reads", (&x, &mut z), move |(x, mut z)| {
        z[[0]] = x[[0]];
        clock.sleep(MS(30));
    }));
    // Copies of x and y, six kernels; beside the later ones the copy back and the task.
    assert_eq!(makespan(&sim, &mut p), MS(4 + 60));
    assert_eq!(z.get(0).unwrap(), 4);
}

#[test]
fn a_host_task_may_overwrite_what_a_kernel_reads_once_it_is_copied() {
    let (sim, rt) = open(1);
    let (mut x, mut y) = (values(), values());
    let (clock, mut p) = (sim.clock(), rt.pipeline());
    p.push(divide(&x, &mut y).over([64]));
    p.push(Task::new("writes", (&mut x,), move |(mut x,)| {
        x[[0]] = 7;
        clock.sleep(MS(10));
    }));
    // The task begins when its array is copied, as the kernel does.
    assert_eq!(makespan(&sim, &mut p), MS(14));
    assert_eq!((x.get(0).unwrap(), y.get(0).unwrap()), (7, 100));
}

#[test]
fn an_error_is_that_of_the_first_stage_and_what_follows_is_given_up() {
    let (sim, rt) = open(1);
    let mut x = values();
    let mut p = rt.pipeline();
    p.push(affine(&mut x).over([64]));
    p.push(divide(&values(), &mut x).over([64]));
    p.push(affine(&mut x).over([64]));
    sim.inject(Fault::Break { call: Kind::Launch, nth: 0, device: None });
    let error = p.exec().unwrap_err();
    assert!(matches!(error, Error::Driver { .. }), "{error:?}");
    assert!(error.to_string().contains("launch of kernel `affine`"), "{error}");
    assert_eq!(x.to_vec().unwrap(), [1; 64], "what was there before is current again");
    p.exec().unwrap();
}

#[test]
fn what_is_in_flight_on_a_device_that_is_lost_runs_elsewhere() {
    let (sim, rt) = open(2);
    let (mut x, mut y) = (values(), values());
    let mut p = rt.pipeline();
    for _ in 0..8 {
        // Every other one goes to the second device.
        p.push(affine(&mut x).over([64]));
        p.push(affine(&mut y).over([64]));
    }
    sim.inject(Fault::Lose { device: 1, after: 5 });
    p.exec().unwrap();
    let expected = (0..8).fold(1_u32, |x, _| 3 * x + 1);
    assert_eq!(x.to_vec().unwrap(), [expected; 64]);
    assert_eq!(y.to_vec().unwrap(), [expected; 64]);
}

#[test]
fn one_at_a_time_if_asked() {
    let (sim, rt) = open(1);
    let mut x = values();
    let mut p = rt.pipeline();
    p.sync(true);
    p.push(affine(&mut x).over([64])).push(affine(&mut x).over([64]));
    p.exec().unwrap();
    let launches = launches(&sim);
    assert_eq!(launches[1].at - launches[0].at, MS(14), "after the copy and the first kernel");
}

/// One device as [`open`] has them.
fn open_with(copies: usize) -> (Sim, Runtime) {
    let (sim, _) = open(1);
    let builder = Runtime::<NoBackends>::builder().backend(Arc::new(sim.clone()));
    (sim, builder.copies(copies).build().unwrap())
}

/// How long a stream of frames into one array takes, with at most so many memories for its image.
fn streamed(copies: usize) -> Duration {
    let (sim, rt) = open_with(copies);
    let (mut x, mut y) = (values(), values());
    let mut p = rt.pipeline();
    p.begin_for(0..20_u32);
    let clock = sim.clock();
    p.push(Task::new("load", (&mut x,), move |(mut x,)| {
        x[[0]] += 1;
        clock.sleep(MS(1));
    }));
    p.push(divide(&x, &mut y).over([64]));
    p.end_for();
    let took = makespan(&sim, &mut p);
    assert_eq!((x.get(0).unwrap(), y.get(0).unwrap()), (21, 100 / 21));
    took
}

#[test]
fn an_image_that_is_overwritten_goes_on_in_other_memory() {
    // Load, copy, and then one kernel after the other.
    assert_eq!(streamed(2), MS(1 + 4 + 200));
    // Each copy waits for the kernel that still reads what it overwrites.
    assert_eq!(streamed(1), MS(1 + 20 * 14));
}

#[test]
fn a_kernel_overwrites_elsewhere_what_a_host_task_still_reads() {
    for copies in [1, 2] {
        let took = read_and_overwritten(&open_with(copies));
        assert_eq!(took, MS(14 + 2), "beside the copy and the kernel, {copies} copies");
    }
}

/// How long a task takes that reads for 10 ms what a kernel overwrites.
fn read_and_overwritten((sim, rt): &(Sim, Runtime)) -> Duration {
    let (x, mut y) = (values(), values());
    let clock = sim.clock();
    let mut p = rt.pipeline();
    p.push(Task::new("reads", (&y,), move |(y,)| {
        clock.sleep(MS(10));
        assert_eq!(y[[0]], 1, "its own are still there");
    }));
    p.push(divide(&x, &mut y).over([64]));
    // The copy back waits until the task no longer reads what it overwrites.
    p.push(Task::new("reads again", (&y,), |(y,)| assert_eq!(y[[0]], 100)));
    makespan(sim, &mut p)
}
