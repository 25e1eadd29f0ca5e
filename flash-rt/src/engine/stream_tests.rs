//! Streams of frames through a device on a clock of events: whatever takes longest, the host, a copy
//! or the kernel, is busy all the time. Figures are exact.

use std::sync::Arc;
use std::time::Duration;

use crate::backend::conformance::kernels;
use crate::lazy::Lazy;
use crate::loops::loop_var;
use crate::sim::{Config, Link, Run, Sim, Speed, What};
use crate::task::TaskArg;
use crate::{Arg, Buffer, Builder, Call, Env, NoBackends, Runtime, Task, Var};

const MS: fn(u64) -> Duration = Duration::from_millis;

/// How long each step of a frame takes, in milliseconds.
#[derive(Clone, Copy, Debug)]
struct Steps {
    load: u64,
    up: u64,
    kernel: u64,
    down: u64,
    store: u64,
}

const FRAMES: u64 = 40;

fn divide<'a>(x: &Buffer<u32>, y: &mut Buffer<u32>) -> Call<'a, 1> {
    Call::new(&kernels::DIVIDE, [Arg::<&'a [u32]>::bind(x), Arg::<&'a mut [u32]>::bind(y)])
}

/// A device on which steps take so long, and options of a runtime for it.
fn device(steps: Steps) -> (Sim, Builder<NoBackends>) {
    let link = |ms| Link { latency: MS(ms), bytes_per_second: 0 };
    let kernels = vec![("divide".to_owned(), MS(steps.kernel))];
    let speed = Speed { kernels, up: link(steps.up), down: link(steps.down), ..Speed::default() };
    let sim = Sim::new(Config { devices: 1, run: Run::Entry, speed, ..Config::default() });
    let builder = Runtime::<NoBackends>::builder().backend(Arc::new(sim.clone()));
    (sim, builder)
}

/// How long a stream takes that loads, computes and stores each frame, as far as it does, in so many
/// buffers in turn.
fn stream(steps: Steps, buffers: usize, copies: usize) -> Duration {
    let (sim, builder) = device(steps);
    let rt = builder.copies(copies).build().unwrap();
    let fresh = || Buffer::from(vec![1_u32; 64]);
    let mut x: Vec<_> = (0..buffers).map(|_| fresh()).collect();
    let mut y: Vec<_> = (0..buffers).map(|_| fresh()).collect();
    let mut p = rt.pipeline();
    let n = buffers as u64;
    p.begin_for(0..FRAMES / n);
    for (k, (x, y)) in x.iter_mut().zip(&mut y).enumerate() {
        if steps.load > 0 {
            let (clock, mut frame) = (sim.clock(), k as u32);
            p.push(Task::new("load", (&mut *x,), move |(mut x,)| {
                frame += n as u32;
                x[[0]] = frame;
                clock.sleep(MS(steps.load));
            }));
        }
        p.push(divide(x, y).over([64]));
        if steps.store > 0 {
            let (clock, mut frame) = (sim.clock(), k as u32);
            p.push(Task::new("store", (&*y,), move |(y,)| {
                frame += n as u32;
                let expected = if steps.load > 0 { 100 / frame } else { 100 };
                assert_eq!(y[[0]], expected, "the frame of its turn");
                clock.sleep(MS(steps.store));
                assert_eq!(y[[0]], expected, "and it stays");
            }));
        }
    }
    p.end_for();
    p.exec().unwrap();
    sim.clock().now()
}

/// What it takes to the first frame's turn at the step that takes longest, all frames there, and the
/// last one's way from there.
fn least(steps: Steps) -> Duration {
    let Steps { load, up, kernel, down, store } = steps;
    // Without a load the array that is read is copied once.
    let each = if load > 0 { up } else { 0 };
    let longest = load.max(each).max(kernel).max(if store > 0 { down.max(store) } else { 0 });
    let once = load + up + kernel + if store > 0 { down + store } else { 0 };
    MS(once + (FRAMES - 1) * longest)
}

/// What takes longest takes 10 ms, at most the rest of a frame together, or each of the rest nearly
/// as long.
const STORED: [Steps; 7] = [
    Steps { load: 0, up: 2, kernel: 10, down: 2, store: 2 },
    Steps { load: 0, up: 2, kernel: 10, down: 9, store: 9 },
    Steps { load: 0, up: 2, kernel: 2, down: 10, store: 2 },
    Steps { load: 0, up: 2, kernel: 9, down: 10, store: 9 },
    Steps { load: 0, up: 2, kernel: 5, down: 2, store: 10 },
    Steps { load: 0, up: 2, kernel: 9, down: 9, store: 10 },
    Steps { load: 0, up: 2, kernel: 10, down: 10, store: 10 },
];
const LOADED: [Steps; 7] = [
    Steps { load: 2, up: 10, kernel: 2, down: 3, store: 0 },
    Steps { load: 9, up: 10, kernel: 9, down: 3, store: 0 },
    Steps { load: 2, up: 2, kernel: 10, down: 3, store: 0 },
    Steps { load: 9, up: 9, kernel: 10, down: 3, store: 0 },
    Steps { load: 10, up: 2, kernel: 2, down: 3, store: 0 },
    Steps { load: 10, up: 9, kernel: 9, down: 3, store: 0 },
    Steps { load: 10, up: 10, kernel: 10, down: 3, store: 0 },
];

#[test]
fn frames_that_are_stored_keep_what_takes_longest_busy() {
    for steps in STORED {
        for buffers in [1, 2] {
            assert_eq!(stream(steps, buffers, 2), least(steps), "{steps:?}, {buffers} buffers");
        }
    }
}

/// A task that loads may read what was there, so its array has one memory here, which is not written
/// before it is copied: two arrays in turn.
#[test]
fn frames_that_are_loaded_into_two_arrays_keep_what_takes_longest_busy() {
    for steps in LOADED {
        for copies in [1, 2] {
            assert_eq!(stream(steps, 2, copies), least(steps), "{steps:?}, {copies} copies");
        }
    }
}

#[test]
fn one_memory_for_each_array_suffices_where_two_steps_of_a_frame_take_no_longer_than_one() {
    let [kernel, _, down, _, store, ..] = STORED;
    // Two arrays: the kernel of one runs beside the task that reads the other.
    assert_eq!(stream(kernel, 2, 1), least(kernel));
    assert_eq!(stream(down, 2, 1), least(down));
    // One: the kernel runs beside the task, as they use different memories, and beside nothing else.
    let turn = |a: u64, b: u64| MS(2) + MS(FRAMES * (a + b));
    assert_eq!(stream(kernel, 1, 1), turn(10, 2) + MS(2), "kernel and copy take turns");
    assert_eq!(stream(store, 1, 1), turn(2, 10) + MS(5), "copy and task do");
}

/// Where a stream has its frames.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Frames {
    /// In two buffers that are exchanged.
    Swapped,
    /// Each in a row of its own.
    Rows,
}

/// What says how many frames there are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Until {
    /// A `for`.
    Count,
    /// A `while` that looks at the number of the trip.
    Number,
    /// A `while` that looks at a cell, from which the task that loads a frame takes one.
    Left,
}

/// As [`stream`], with a body of one frame.
fn one_by_one(
    steps: Steps,
    (frames, until): (Frames, Until),
    builder: impl Fn(Builder<NoBackends>) -> Builder<NoBackends>,
) -> Sim {
    let (sim, options) = device(steps);
    let rt = builder(options).build().unwrap();
    let n = if frames == Frames::Rows { FRAMES as usize } else { 1 };
    let fresh = || Buffer::<u32, 2>::from_shape([n, 64], vec![1_u32; n * 64]).unwrap();
    let (x, y, x2, y2) = (fresh(), fresh(), fresh(), fresh());
    let mut left = Var::new(FRAMES);
    let mut p = rt.pipeline();
    let frame = match until {
        Until::Count => p.begin_for(0..FRAMES),
        Until::Number | Until::Left => loop_var(0),
    };
    match until {
        Until::Count => {}
        Until::Number => {
            p.begin_while(Lazy(move |env: &Env| frame.get(env) < FRAMES), FRAMES);
        }
        Until::Left => {
            p.begin_while(left.ne(0), FRAMES);
        }
    }
    let row = |x: &Buffer<u32, 2>| {
        x.at_lazy(Lazy(move |env: &Env| frame.get(env) as usize)).moving(frame, 1, 0)
    };
    let read = |x: &Buffer<u32, 2>| match frames {
        Frames::Swapped => Arg::<&[u32]>::bind(x.at(0)),
        Frames::Rows => Arg::<&[u32]>::bind(&row(x)),
    };
    let write = |x: &Buffer<u32, 2>| match frames {
        Frames::Swapped => Arg::<&mut [u32]>::bind(&mut x.at(0)),
        Frames::Rows => Arg::<&mut [u32]>::bind(&mut row(x)),
    };
    if steps.load > 0 {
        let (clock, mut frame) = (sim.clock(), 0);
        let x = TaskArg::write("x", write(&x));
        let left = TaskArg::write("left", Arg::<&mut u64>::bind(&mut left));
        p.push(Task::from_parts("load", [x, left], move |views, _| {
            frame += 1;
            views.slice_mut::<u32>()?[0] = frame;
            *views.cell_mut::<u64>()? -= 1;
            clock.sleep(MS(steps.load));
            Ok(())
        }));
    }
    p.push(Call::<1>::new(&kernels::DIVIDE, [read(&x), write(&y)]).over([64]));
    if steps.store > 0 {
        let (clock, mut frame) = (sim.clock(), 0);
        let y = TaskArg::read("y", read(&y));
        p.push(Task::from_parts("store", [y], move |views, _| {
            let y = views.slice::<u32>()?;
            frame += 1;
            let expected = if steps.load > 0 { 100 / frame } else { 100 };
            assert_eq!(y[0], expected, "the frame of its turn");
            clock.sleep(MS(steps.store));
            assert_eq!(y[0], expected, "and it stays");
            Ok(())
        }));
    }
    if frames == Frames::Swapped {
        p.swap(&x, &x2).swap(&y, &y2);
    }
    if until == Until::Count {
        p.end_for()
    } else {
        p.end_while()
    };
    p.exec().unwrap();
    sim
}

/// Both at once: what takes longest, or the rest of a frame, or all of it.
const BOTH: [Steps; 6] = [
    Steps { load: 10, up: 9, kernel: 9, down: 9, store: 9 },
    Steps { load: 9, up: 10, kernel: 9, down: 9, store: 9 },
    Steps { load: 9, up: 9, kernel: 10, down: 9, store: 9 },
    Steps { load: 9, up: 9, kernel: 9, down: 10, store: 9 },
    Steps { load: 9, up: 9, kernel: 9, down: 9, store: 10 },
    Steps { load: 2, up: 3, kernel: 10, down: 3, store: 2 },
];

#[test]
fn bodies_of_one_frame_keep_what_takes_longest_busy() {
    for frames in [Frames::Swapped, Frames::Rows] {
        for steps in STORED.into_iter().chain(LOADED) {
            let found = one_by_one(steps, (frames, Until::Count), |options| options).clock().now();
            assert_eq!(found, least(steps), "{steps:?}, {frames:?}");
        }
        for steps in BOTH {
            let streams = (frames, Until::Count);
            let found = one_by_one(steps, streams, |options| options.dataflow(true)).clock().now();
            assert_eq!(found, least(steps), "{steps:?}, {frames:?}");
        }
    }
}

#[test]
fn so_do_bodies_that_run_while_a_condition_holds() {
    for stream in [
        (Frames::Swapped, Until::Number),
        (Frames::Rows, Until::Number),
        (Frames::Swapped, Until::Left),
        (Frames::Rows, Until::Left),
    ] {
        let loads = |steps: &Steps| stream.1 == Until::Number || steps.load > 0;
        for steps in STORED.into_iter().chain(LOADED).filter(loads) {
            let found = one_by_one(steps, stream, |options| options).clock().now();
            assert_eq!(found, least(steps), "{steps:?}, {stream:?}");
        }
        for steps in BOTH {
            let found = one_by_one(steps, stream, |options| options.dataflow(true)).clock().now();
            assert_eq!(found, least(steps), "{steps:?}, {stream:?}");
        }
    }
}

#[test]
fn nothing_of_them_overlaps_under_sync() {
    for frames in [Frames::Swapped, Frames::Rows] {
        for steps in STORED.into_iter().chain(LOADED).chain(BOTH) {
            let Steps { load, up, kernel, down, store } = steps;
            // Results that nobody looks at stay where they are, and so do frames that nobody loads.
            let n_up = match (load, frames) {
                (0, Frames::Swapped) => 2,
                _ => FRAMES,
            };
            let down = if store > 0 { down } else { 0 };
            let sum = MS(up * n_up + FRAMES * (load + kernel + down + store));
            for until in [Until::Count, Until::Number] {
                let found =
                    one_by_one(steps, (frames, until), |options| options.sync(true)).clock().now();
                assert_eq!(found, sum, "{steps:?}, {frames:?}, {until:?}");
            }
        }
    }
}

/// A loop that a kernel ends, as an iteration that converges: the condition waits for that kernel, and
/// what looks at each state does so beside the next trip, which works on the other array.
#[test]
fn what_a_condition_does_not_look_at_goes_on_beside_it() {
    for (kernel, total, look) in [(6, 2, 3), (6, 2, 8), (2, 3, 5), (2, 2, 7)] {
        for side in [false, true] {
            let kernels = [("divide", kernel), ("sum", total)];
            let kernels = kernels.map(|(name, ms)| (name.to_owned(), MS(ms))).to_vec();
            let link = |ms| Link { latency: MS(ms), bytes_per_second: 0 };
            let speed = Speed { kernels, up: link(1), down: link(1), ..Speed::default() };
            let sim = Sim::new(Config { devices: 1, run: Run::Entry, speed, ..Config::default() });
            let builder = Runtime::<NoBackends>::builder().backend(Arc::new(sim.clone()));
            let rt = builder.build().unwrap();
            let (x, mut y) = (Buffer::from(vec![1_u32; 64]), Buffer::from(vec![1_u32; 64]));
            let (z, mut sum) = (Buffer::from(vec![0.5_f64; 64]), Var::new(1.0_f64));
            let clock = sim.clock();
            let mut p = rt.pipeline();
            let trip = loop_var::<u64>(0);
            let some = Lazy(move |env: &Env| trip.get(env) < FRAMES);
            p.begin_while(sum.gt(0.0) & some, FRAMES);
            p.push(divide(&x, &mut y).over([64]));
            let total_of = [Arg::<&[f64]>::bind(&z), Arg::<&mut f64>::bind(&mut sum)];
            p.push(Call::<1>::new(&kernels::SUM, total_of).over([64]));
            let mut seen = 0;
            p.push(Task::new("look", (&y,), move |(y,)| {
                seen += 1;
                assert_eq!(y[[0]], if seen % 2 == 1 { 100 } else { 1 }, "the state of its trip");
                clock.sleep(MS(look));
            }));
            if side {
                // Either way arrays are exchanged.
                let flips = Lazy(move |env: &Env| trip.get(env).is_multiple_of(3));
                p.begin_if(flips).swap(&x, &y);
                p.otherwise().swap(&y, &x);
                p.end_if();
            } else {
                p.swap(&x, &y);
            }
            p.end_while();
            p.exec().unwrap();
            // The first array goes up, then whatever takes longest, and the last state comes back.
            let each = (kernel + total).max(look);
            let least = MS(1 + kernel + (FRAMES - 1) * each + 1 + look);
            assert_eq!(sim.clock().now(), least, "{kernel} {total} {look} {side}");
        }
    }
}

/// So whoever copies need not wait until threads of the host have woken up.
#[test]
fn a_copy_for_a_task_is_submitted_while_the_one_before_is_under_way() {
    for frames in [Frames::Swapped, Frames::Rows] {
        for steps in STORED.into_iter().filter(|steps| steps.down == 10 && steps.kernel < 10) {
            let sim = one_by_one(steps, (frames, Until::Count), |options| options);
            let mut copies = sim.calls();
            copies.retain(|call| matches!(call.what, What::Download { .. }));
            assert_eq!(copies.len() as u64, FRAMES);
            for pair in copies.windows(2) {
                let end = pair[0].span.unwrap().end;
                assert!(pair[1].at < end, "{:?}, {steps:?}, {frames:?}", pair[1]);
            }
        }
    }
}
