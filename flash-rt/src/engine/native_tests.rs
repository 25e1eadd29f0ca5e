//! Native nodes among kernels and host tasks, on the simulator: order, copies, conditions, loops, other
//! arrays, failures of their code and of devices.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use crate::backend::conformance::kernels;
use crate::native::Native;
use crate::sim::{Config, Fault, Kind, Link, Run, Sim, Speed, Time};
use crate::task::out;
use crate::{
    Arg, Buffer, Call, DriverError, Error, NoBackends, Pipeline, Result, Runtime, Task, Var,
};

const MS: fn(u64) -> Duration = Duration::from_millis;

fn open(config: Config) -> (Sim, Runtime) {
    let sim = Sim::new(Config { run: Run::Entry, ..config });
    let rt = Runtime::<NoBackends>::builder().backend(Arc::new(sim.clone())).build().unwrap();
    (sim, rt)
}

fn devices(devices: usize) -> (Sim, Runtime) {
    open(Config { devices, ..Config::default() })
}

fn affine<'a>(a: u32, b: u32, x: &mut Buffer<u32>) -> Call<'a, 1> {
    let args = [Arg::<u32>::bind(a), Arg::<u32>::bind(b), Arg::<&'a mut [u32]>::bind(x)];
    Call::new(&kernels::AFFINE, args)
}

fn each(v: u32, a: u32, b: u32) -> u32 {
    v.wrapping_mul(a).wrapping_add(b)
}

/// x ← a·x + b, as a native node that takes so long.
#[track_caller]
fn native<'a>(
    a: u32,
    b: u32,
    x: &mut Buffer<u32>,
    time: Duration,
) -> Native<'a, (&mut Buffer<u32>,)> {
    Native::new("native affine", (x,)).on_sim(move |cx| {
        cx.enqueue(time, move |arrays| {
            let x: Vec<u32> = arrays.read(0)?;
            let x: Vec<u32> = x.into_iter().map(|x| each(x, a, b)).collect();
            Ok(arrays.write(0, &x)?)
        });
    })
}

/// y ← x + y, or y ← x + c where y is filled.
fn add<'a>(x: &Buffer<u32>, y: &mut Buffer<u32>, c: Option<u32>) -> crate::Stage<'a> {
    let run = move |arrays: &mut crate::sim::NativeArrays<'_>| {
        let x: Vec<u32> = arrays.read(0)?;
        let y: Vec<u32> = match c {
            None => arrays.read(1)?,
            Some(c) => vec![c; x.len()],
        };
        let sum: Vec<u32> = x.iter().zip(&y).map(|(x, y)| x.wrapping_add(*y)).collect();
        Ok(arrays.write(1, &sum)?)
    };
    use crate::IntoStage;
    match c {
        None => Native::new("add", (x, y)).on_sim(move |cx| cx.enqueue(MS(3), run)).into_stage(),
        Some(_) => {
            Native::new("copy", (x, out(y))).on_sim(move |cx| cx.enqueue(MS(1), run)).into_stage()
        }
    }
}

#[test]
fn data_come_by_role_and_leave_for_who_wants_them() {
    let (sim, rt) = devices(1);
    let (x, mut y) = (Buffer::from(vec![1_u32, 2]), Buffer::from(vec![9_u32; 2]));
    let mut p = rt.pipeline();
    p.push(add(&x, &mut y, Some(5)));
    p.push(affine(2, 1, &mut y).over([2]));
    p.push(add(&x, &mut y, None));
    let report = p.exec().unwrap();
    assert_eq!(sim.counts().uploads, 1, "what is filled is not brought: {:?}", sim.calls());
    assert_eq!(sim.counts().launches, 3);
    assert_eq!(y.to_vec().unwrap(), [6 * 2 + 1 + 1, 7 * 2 + 1 + 2]);
    assert_eq!(sim.counts().downloads, 1);
    assert_eq!(report.kernel("add").unwrap().count, 1);
    assert_eq!(report.kernel("copy").unwrap().count, 1);
}

#[test]
fn it_runs_when_the_queue_comes_to_it_and_takes_its_time() {
    let link = |ms| Link { latency: MS(ms), bytes_per_second: 0 };
    let kernels = vec![("affine".to_owned(), MS(10))];
    let speed = Speed { kernels, up: link(4), down: link(5), ..Speed::default() };
    let (sim, rt) = open(Config { devices: 1, speed, ..Config::default() });
    let (mut x, mut y) = (Buffer::from(vec![1_u32; 4]), Buffer::from(vec![1_u32; 4]));
    let mut p = rt.pipeline();
    p.push(affine(3, 1, &mut x).over([4]));
    p.push(native(5, 2, &mut x, MS(7)));
    p.push(native(5, 2, &mut y, MS(7)));
    let before = sim.clock().now();
    p.exec().unwrap();
    // The copy for the last one is made beside what runs before it.
    assert_eq!(sim.clock().now() - before, MS(4 + 10 + 7 + 7));
    assert_eq!(x.to_vec().unwrap(), [each(each(1, 3, 1), 5, 2); 4]);
    assert_eq!(y.to_vec().unwrap(), [each(1, 5, 2); 4]);
}

/// What a stage of a drawn program does.
#[derive(Clone, Copy, Debug)]
enum Step {
    Kernel(usize, u32),
    Native(usize, u32),
    Task(usize, u32),
    Add(usize, usize),
    Copy(usize, usize, u32),
    Swap(usize, usize),
}

fn next(state: &mut u64) -> usize {
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    (*state >> 20) as usize
}

fn drawn(state: &mut u64) -> Vec<Step> {
    let n = 3 + next(state) % 10;
    (0..n)
        .map(|k| {
            let (a, c) = (next(state) % 4, k as u32 + 2);
            let b = (a + 1 + next(state) % 3) % 4;
            match next(state) % 7 {
                0 => Step::Kernel(a, c),
                1 | 2 => Step::Native(a, c),
                3 => Step::Task(a, c),
                4 => Step::Add(a, b),
                5 => Step::Copy(a, b, c),
                _ => Step::Swap(a, b),
            }
        })
        .collect()
}

fn two<T>(all: &mut [T], a: usize, b: usize) -> (&T, &mut T) {
    match a < b {
        true => {
            let (left, right) = all.split_at_mut(b);
            (&left[a], &mut right[0])
        }
        false => {
            let (left, right) = all.split_at_mut(a);
            (&right[0], &mut left[b])
        }
    }
}

fn push(p: &mut Pipeline<'static>, steps: &[Step], data: &mut [Buffer<u32>]) {
    for step in steps {
        match *step {
            Step::Kernel(a, c) => p.push(affine(3, c, &mut data[a]).over([8])),
            Step::Native(a, c) => p.push(native(5, c, &mut data[a], MS(u64::from(c) % 4))),
            Step::Task(a, c) => p.push(Task::new("task", (&mut data[a],), move |(mut x,)| {
                (0..8).for_each(|k| x[[k]] = each(x[[k]], 7, c));
            })),
            Step::Add(a, b) => {
                let (x, y) = two(data, a, b);
                p.push(add(x, y, None))
            }
            Step::Copy(a, b, c) => {
                let (x, y) = two(data, a, b);
                p.push(add(x, y, Some(c)))
            }
            Step::Swap(a, b) => p.swap(&data[a], &data[b]),
        };
    }
}

fn model(steps: &[Step], data: &mut [u32; 4]) {
    for step in steps {
        match *step {
            Step::Kernel(a, c) => data[a] = each(data[a], 3, c),
            Step::Native(a, c) => data[a] = each(data[a], 5, c),
            Step::Task(a, c) => data[a] = each(data[a], 7, c),
            Step::Add(a, b) => data[b] = data[b].wrapping_add(data[a]),
            Step::Copy(a, b, c) => data[b] = data[a].wrapping_add(c),
            Step::Swap(a, b) => data.swap(a, b),
        }
    }
}

#[test]
fn programs_mean_what_they_mean_one_by_one() {
    let mut state = 0x9e37_79b9_7f4a_7c15;
    for case in 0..150_u64 {
        let queues = 1 + (case % 2) as u8;
        let speed = Speed {
            queues,
            up: Link { latency: MS(case % 3), bytes_per_second: 0 },
            kernels: vec![("affine".to_owned(), MS(2))],
            ..Speed::default()
        };
        let config =
            Config { devices: 1 + case as usize % 3, speed, seed: Some(case), ..Config::default() };
        let (_, rt) = open(config);
        let steps = drawn(&mut state);
        let mut data: Vec<_> = (1..5_u32).map(|v| Buffer::from(vec![v; 8])).collect();
        let mut expected = [1, 2, 3, 4];
        let mut p = rt.pipeline();
        p.begin_for(0..3_u32);
        push(&mut p, &steps, &mut data);
        p.end_for();
        for _ in 0..2 {
            p.exec().unwrap();
            (0..3).for_each(|_| model(&steps, &mut expected));
            for (buffer, value) in data.iter().zip(expected) {
                assert_eq!(buffer.to_vec().unwrap(), [value; 8], "case {case}: {steps:?}");
            }
        }
    }
}

#[test]
fn the_code_runs_once_a_turn_and_not_where_it_is_skipped() {
    let (sim, rt) = devices(1);
    let calls = Arc::new(AtomicUsize::new(0));
    let mut x = Buffer::from(vec![0_u32; 3]);
    let on = Var::new(false);
    let counted = Arc::clone(&calls);
    // State of the code is kept from run to run.
    let mut step = 0;
    let node = rt.native("count", (&mut x,)).on_sim(move |cx| {
        counted.fetch_add(1, Ordering::Relaxed);
        step += 1;
        cx.enqueue(MS(1), move |arrays| {
            let x: Vec<u32> = arrays.read(0)?;
            Ok(arrays.write(0, &[x[0] + 1, x[1] + step, x[2] + 2])?)
        });
    });
    let mut p = rt.pipeline();
    p.begin_for(0..4_u32);
    p.push(node.when(&on));
    p.end_for();
    p.exec().unwrap();
    assert_eq!((calls.load(Ordering::Relaxed), sim.counts().uploads), (0, 0));
    on.set(true).unwrap();
    p.exec().unwrap();
    p.exec().unwrap();
    assert_eq!(calls.load(Ordering::Relaxed), 8);
    assert_eq!(x.to_vec().unwrap(), [8, 36, 16]);
    assert_eq!(sim.counts().uploads, 1, "nothing comes twice");
    on.set(false).unwrap();
    p.exec().unwrap();
    assert_eq!(calls.load(Ordering::Relaxed), 8);
}

#[test]
fn other_arrays_take_the_place_of_its_own() {
    let (_, rt) = devices(2);
    let (mut x, y) = (Buffer::from(vec![1_u32; 8]), Buffer::from(vec![10_u32; 8]));
    let mut p = rt.pipeline();
    p.push(native(2, 1, &mut x, MS(1)));
    p.exec().unwrap();
    p.rebind(&x, &y).unwrap().exec().unwrap();
    p.rebind(&y, &x).unwrap().exec().unwrap();
    assert_eq!(x.to_vec().unwrap(), [7; 8]);
    assert_eq!(y.to_vec().unwrap(), [21; 8]);
}

#[test]
fn boxes_cells_and_values_are_what_they_are_to_a_kernel() {
    let (_, rt) = devices(1);
    let mut m = Buffer::<u32, 2>::from_shape([3, 4], (0..12).collect::<Vec<u32>>()).unwrap();
    let (n, mut sum, on) = (Var::new(100_u32), Var::new(0_u32), Var::new(true));
    let mut p = rt.pipeline();
    let node = rt.native("corner", (m.view_mut((1..3, 1..3)), &n, out(&mut sum), &on));
    p.push(node.on_sim(|cx| {
        cx.enqueue(MS(1), |arrays| {
            assert_eq!(
                (arrays.shape(0), arrays.shape(1), arrays.shape(3)),
                (&[2, 2][..], &[1][..], &[][..])
            );
            let (m, n): (Vec<u32>, Vec<u32>) = (arrays.read(0)?, arrays.read(1)?);
            assert_eq!(
                (m.as_slice(), n.as_slice(), arrays.flag(3)?),
                (&[5, 6, 9, 10][..], &[100][..], true)
            );
            assert!(arrays.read::<f32>(0).is_err() && arrays.read::<u32>(3).is_err());
            assert!(arrays.write(1, &n).is_err() && arrays.write(0, &n).is_err());
            assert!(!arrays.pointer(0).is_null() && arrays.pointer(7).is_null());
            arrays.write(2, &[m.iter().sum::<u32>()])?;
            Ok(arrays.write(0, &m.iter().map(|m| m + n[0]).collect::<Vec<_>>())?)
        });
    }));
    p.exec().unwrap();
    assert_eq!(m.to_vec().unwrap(), [0, 1, 2, 3, 4, 105, 106, 7, 8, 109, 110, 11]);
    assert_eq!(sum.get().unwrap(), 30);
    // What it writes overlaps nothing else that it touches.
    let mut x = Buffer::from(vec![0_u32; 8]);
    let shared = (&x.view(0..5), x.view_mut(4..8));
    let mut p = rt.pipeline();
    p.push(Native::new("overlap", shared).on_sim(|_| ()));
    assert!(matches!(p.exec(), Err(Error::Aliased { kernel: "overlap", .. })));
    x.set(0, 1).unwrap();
}

/// A program whose native node does something bad.
fn bad<R: crate::task::ClosureOutcome>(
    mut code: impl FnMut(&mut crate::sim::NativeContext) -> R + Send + 'static,
) -> (Error, u32, [Vec<u32>; 2], u32) {
    let (_, rt) = devices(2);
    let (mut x, mut y) = (Buffer::from(vec![1_u32; 4]), Buffer::from(vec![7_u32; 4]));
    let mut p = rt.pipeline();
    p.push(affine(2, 1, &mut x).over([4]).when(&Var::new(true)));
    let line = line!() + 1;
    let node = rt.native("bad", (&mut x, out(&mut y)));
    p.push(node.on_sim(move |cx| {
        cx.enqueue(MS(1), |arrays| Ok(arrays.write(0, &[50_u32; 4])?));
        code(cx)
    }));
    p.push(affine(2, 1, &mut x).over([4]));
    let error = p.exec().unwrap_err();
    let found = [x.to_vec().unwrap(), y.to_vec().unwrap()];
    // All goes on.
    let mut z = Buffer::from(vec![3_u32; 4]);
    let mut p = rt.pipeline();
    p.push(affine(2, 1, &mut z).over([4]));
    p.push(native(2, 1, &mut z, MS(1)));
    p.exec().unwrap();
    (error, line, found, z.get(0).unwrap())
}

#[test]
fn what_the_code_returns_is_an_error_of_the_node() {
    let (error, line, [x, y], z) = bad(|_| Err("no plan for this size".into()));
    let Error::Native { node: "bad", site, device, source } = &error else { panic!("{error:?}") };
    assert_eq!((site.line(), site.file()), (line, file!()));
    assert!(device.starts_with("sim:") && source.to_string() == "no plan for this size");
    let text = format!("{error:?}");
    assert!(
        text.starts_with(&format!("native node `bad` (called at {}:{line}:", file!())),
        "{text}"
    );
    assert!(text.contains("failed on `sim:") && text.ends_with("because: no plan for this size"));
    // What it had submitted has run; what it was to fill is what it was.
    assert_eq!((x, y, z), (vec![50; 4], vec![7; 4], 15));
}

#[test]
fn a_panic_of_the_code_is_an_error_of_the_node() {
    let (error, line, [x, y], z) = bad(|_| {
        if line!() > 0 {
            panic!("{} is not a size", 13);
        }
    });
    let Error::NativePanic { node: "bad", site, message, .. } = &error else { panic!("{error:?}") };
    assert_eq!((site.line(), &**message), (line, "13 is not a size"));
    assert!(error.to_string().ends_with("panicked on `sim:1`: 13 is not a size"), "{error}");
    assert_eq!((x, y, z), (vec![50; 4], vec![7; 4], 15));
}

#[test]
fn what_fails_in_the_queue_is_an_error_of_the_node() {
    let (error, _, [x, y], z) =
        bad(|cx| cx.enqueue(MS(1), |arrays| Ok(arrays.read::<u8>(0).map(drop)?)));
    let text = error.to_string();
    assert!(text.contains("kernel `bad`") && text.contains("no `u8`"), "{text}");
    // What was submitted behind it has run, as behind a kernel that panics.
    assert_eq!((x, y, z), (vec![101; 4], vec![7; 4], 15));
}

#[test]
fn a_device_that_the_code_finds_lost_hands_over() {
    let (_, rt) = devices(2);
    let mut x = Buffer::from(vec![1_u32; 4]);
    let gone = || DriverError {
        api: "clEnqueueNDRangeKernel",
        code: -36,
        text: "the queue is gone".into(),
        kind: crate::error::DriverErrorKind::DeviceLost,
    };
    let node = rt.native("hand over", (&mut x,)).on_sim(move |cx| {
        if cx.device() == 0 {
            return Err(gone().into());
        }
        cx.enqueue(MS(1), |arrays| Ok(arrays.write(0, &[5_u32; 4])?));
        Ok(())
    });
    let mut p = rt.pipeline();
    p.push(node);
    p.exec().unwrap();
    assert!(rt.devices()[0].is_lost());
    assert_eq!(x.to_vec().unwrap(), [5; 4]);
}

#[test]
fn nothing_waits_while_it_submits() {
    let (_, rt) = devices(1);
    let (mut x, other) = (Buffer::from(vec![1_u32; 4]), Buffer::from(vec![1_u32; 4]));
    let mut y = other.clone();
    rt.submit(affine(2, 1, &mut y)).exec([4]).unwrap();
    let mut small = rt.pipeline();
    small.push(affine(2, 1, &mut Buffer::from(vec![1; 4])).over([4]));
    let handle = rt.pipeline().launch();
    let (mut empty, cell, mut other_rt) = (rt.pipeline(), Var::new(1_u32), rt.pipeline());
    other_rt.push(native(2, 1, &mut Buffer::from(vec![1; 4]), MS(1)));
    let node = rt.native("waits", (&mut x,)).on_sim(move |_| {
        for error in [
            y.get(0).map(drop).unwrap_err(),
            y.read(..).map(drop).unwrap_err(),
            small.exec().map(drop).unwrap_err(),
            handle.wait().map(drop).unwrap_err(),
            empty.exec().map(drop).unwrap_err(),
            other_rt.exec().map(drop).unwrap_err(),
            cell.get().map(drop).unwrap_err(),
            cell.set(2).unwrap_err(),
        ] {
            assert!(matches!(error, Error::NativeWaits { node: "waits" }), "{error}");
        }
        Err(Error::NativeWaits { node: "waits" }.into())
    });
    let mut p = rt.pipeline();
    p.push(node);
    let text = format!("{:?}", p.exec().unwrap_err());
    assert!(text.contains("uses a buffer through a guard, or waits for a pipeline"), "{text}");
    assert_eq!(x.get(0).unwrap(), 1);
}

fn unreachable() {
    panic!("not this one");
}

#[test]
fn a_payload_that_panics_again_is_left_alone() {
    struct Bomb;
    impl Drop for Bomb {
        fn drop(&mut self) {
            panic!("again");
        }
    }
    for in_queue in [false, true] {
        let (_, rt) = devices(1);
        let mut x = Buffer::from(vec![1_u32; 4]);
        let bomb = || std::panic::panic_any(Bomb);
        let node = rt.native("bomb", (&mut x,)).on_sim(move |cx| {
            cx.enqueue(MS(1), move |_| {
                if in_queue {
                    bomb()
                }
            });
            if !in_queue {
                bomb()
            }
        });
        let mut p = rt.pipeline();
        p.push(node);
        let text = p.exec().unwrap_err().to_string();
        assert!(text.ends_with("a panic without a message"), "{text}");
        assert_eq!(x.get(0).unwrap(), 1);
    }
}

#[test]
fn it_is_never_split() {
    let (sim, _) = devices(2);
    let builder = Runtime::<NoBackends>::builder().backend(Arc::new(sim.clone()));
    let rt = builder.partitions(4).build().unwrap();
    let mut x = Buffer::from(vec![1_u32; 64]);
    let mut p = rt.pipeline();
    p.push(native(2, 1, &mut x, MS(1)));
    p.exec().unwrap();
    assert_eq!((x.to_vec().unwrap(), sim.counts().launches), (vec![3; 64], 1));
}

#[test]
fn a_device_without_code_is_not_asked() {
    let (_, rt) = devices(2);
    let mut x = Buffer::from(vec![1_u32; 4]);
    let mut p = rt.pipeline();
    let line = line!() + 1;
    let node = rt.native("fft", (&mut x,)).on::<u8, ()>("TOASTER", |_| ()).on_host(|_| ());
    p.push(node);
    let error = p.exec().unwrap_err();
    assert!(
        matches!(&error, Error::NoImplementation { kernel: "fft", site, .. } if site.line() == line)
    );
    let text = error.to_string();
    assert!(text.contains("`sim:0`, `sim:1`"), "{text}");
    assert!(text.contains("has code for `TOASTER` and the memory of the host;"), "{text}");
    let mut p = rt.pipeline();
    p.push(rt.native("none", (&mut x,)));
    assert!(p.exec().unwrap_err().to_string().contains("has code for no device;"));
    // The last code of a key is the one.
    let mut p = rt.pipeline();
    let node = rt.native("fft", (&mut x,)).on_sim(|_| unreachable()).on_sim(|_| ()).pin(1);
    p.push(node);
    let how = p.explain().unwrap();
    let stage = &how.stages()[0];
    assert_eq!(stage.path, ["native node, with code for `SIM`"]);
    assert_eq!(stage.left_out, ["not on sim:0: the call is pinned to sim:1"]);
    assert_eq!(stage.device.as_deref(), Some("sim:1"));
    p.exec().unwrap();
    let mut p = rt.pipeline();
    p.push(rt.native("fft", (&mut x,)).on_sim(|_| ()).exclude(0).exclude(1));
    assert!(p.exec().unwrap_err().to_string().contains("leaves no device"));
    let mut p = rt.pipeline();
    p.push(rt.native("fft", (&mut x,)).on_sim(|_| ()).pin(2));
    assert!(matches!(p.exec(), Err(Error::Range { index: 2, len: 2, .. })));
    // Another context than the backend gives.
    let mut p = rt.pipeline();
    p.push(rt.native("fft", (&mut x,)).on::<u8, ()>("SIM", |_| ()));
    assert!(format!("{:?}", p.exec().unwrap_err()).contains("gives its code another context"));
}

/// A program of native nodes, kernels and a host task.
fn program(rt: &Runtime, data: &mut [Buffer<u32>]) -> Pipeline<'static> {
    let mut p = rt.pipeline();
    p.begin_for(0..2_u32);
    let steps = [
        Step::Native(0, 3),
        Step::Kernel(0, 2),
        Step::Copy(0, 1, 9),
        Step::Task(1, 4),
        Step::Add(1, 2),
        Step::Swap(2, 3),
    ];
    push(&mut p, &steps, data);
    p.end_for();
    p
}

fn fresh() -> Vec<Buffer<u32>> {
    (1..5_u32).map(|v| Buffer::from(vec![v; 8])).collect()
}

fn results(data: &[Buffer<u32>]) -> Result<Vec<Vec<u32>>> {
    data.iter().map(|buffer| buffer.to_vec()).collect()
}

#[test]
fn each_call_that_fails_is_a_typed_error_and_all_goes_on() {
    let (sim, rt) = devices(2);
    let mut data = fresh();
    program(&rt, &mut data).exec().unwrap();
    let expected = results(&data).unwrap();
    let counts = Kind::ALL.map(|kind| sim.tally(kind));
    let mut errors = 0;
    for (kind, count) in Kind::ALL.into_iter().zip(counts) {
        for nth in 0..count {
            let (sim, rt) = devices(2);
            let mut data = fresh();
            sim.inject(Fault::Fail { call: kind, nth, device: None });
            match program(&rt, &mut data).exec().and_then(|_| results(&data)) {
                Ok(found) => assert_eq!(found, expected, "{kind:?} {nth}"),
                Err(Error::Driver { .. } | Error::OutOfMemory { .. }) => errors += 1,
                Err(error) => panic!("{kind:?} {nth}: {error:?}"),
            }
            sim.clear_faults();
            results(&data).unwrap();
            let mut again = fresh();
            program(&rt, &mut again).exec().unwrap();
            assert_eq!(results(&again).unwrap(), expected, "after {kind:?} {nth}");
            drop((data, again));
            for (k, device) in rt.devices().iter().enumerate() {
                assert_eq!((device.bytes_used(), sim.bytes_used(k)), (0, 0), "{kind:?} {nth}");
            }
        }
    }
    assert!(errors > 5, "{errors}");
}

#[test]
fn a_lost_device_hands_its_nodes_over() {
    for time in [Time::Virtual, Time::Real] {
        let open = || open(Config { devices: 2, time, ..Config::default() });
        let (sim, rt) = open();
        let mut data = fresh();
        program(&rt, &mut data).exec().unwrap();
        let expected = results(&data).unwrap();
        let calls = Kind::ALL.into_iter().map(|kind| sim.tally(kind)).sum::<u64>();
        let mut completed = 0;
        for nth in 0..calls {
            let (sim, rt) = open();
            let mut data = fresh();
            sim.inject(Fault::Lose { device: 0, after: nth });
            match program(&rt, &mut data).exec().and_then(|_| results(&data)) {
                Ok(found) => {
                    completed += 1;
                    assert_eq!(found, expected, "{nth}");
                }
                Err(error) => {
                    assert!(matches!(error, Error::DeviceLost { .. }), "{nth}: {error:?}")
                }
            }
        }
        assert!(completed >= 2, "{completed} of {calls}");
    }
}

#[test]
fn nodes_are_known_by_name_and_parameters() {
    let mut x = Buffer::from(vec![0_u32; 4]);
    let mut y = Buffer::from(vec![0_f64; 4]);
    let stage = |stage: crate::Stage<'_>| match stage.kind {
        crate::stage::StageKind::Launch(launch) => launch.kernel,
        other => panic!("{other:?}"),
    };
    use crate::IntoStage;
    let one = stage(Native::new("known", (&mut x,)).into_stage());
    let same = stage(Native::new("known", (&mut x,)).on_sim(|_| ()).into_stage());
    assert!(std::ptr::eq(one, same));
    for other in [
        stage(Native::new("other", (&mut x,)).into_stage()),
        stage(Native::new("known", (&mut y,)).into_stage()),
        stage(Native::new("known", (&x,)).into_stage()),
        stage(Native::new("known", (out(&mut x),)).into_stage()),
        stage(Native::new("known", (&mut x, &y)).into_stage()),
    ] {
        assert!(!std::ptr::eq(one, other), "{other:?}");
    }
}
