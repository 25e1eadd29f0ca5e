//! Bar 10: streams of frames through a simulated device. What takes longest, the host, a copy or the
//! kernel, should never wait in the middle of a run: its operations take, each alone, as long as the
//! stream does.

use std::sync::Arc;
use std::time::Duration;

use flash::Result;
use flash::prelude::*;
use flash_rt::lazy::Lazy;
use flash_rt::sim::{Config, Link, Run, Sim, Speed, Time};
use flash_rt::task::TaskArg;
use flash_rt::trace::{Kind, Trace};
use flash_rt::{Arg, Env};

use super::Context;
use crate::kernels::nodes::next;
use crate::row::Row;
use crate::stats::Sample;

/// Frames of a stream, and of one where each step runs alone.
const FRAMES: usize = 32;
const ALONE: usize = 4;

/// Arrays that frames take in turn.
const ARRAYS: usize = 2;

/// Where a stream has its frames.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Frames {
    /// In arrays that its body names one after the other.
    Named,
    /// In arrays that are exchanged after each frame.
    Swapped,
    /// Each in a row of its own.
    Rows,
}

const FORMS: [(Frames, &str); 3] =
    [(Frames::Named, ""), (Frames::Swapped, ", swapped"), (Frames::Rows, ", rows")];

/// How long each step of a frame takes, in milliseconds; steps of the host that take no time are
/// left out.
#[derive(Clone, Copy, Debug)]
struct Steps {
    load: u64,
    up: u64,
    kernel: u64,
    down: u64,
    store: u64,
}

/// What takes longest takes 4 ms and the rest 3 ms each, so that little is left of a turn.
const STREAMS: [(&str, Kind, Steps); 5] = [
    ("kernel", Kind::Kernel, Steps { load: 0, up: 3, kernel: 4, down: 3, store: 3 }),
    ("upload", Kind::Upload, Steps { load: 3, up: 4, kernel: 3, down: 3, store: 0 }),
    ("download", Kind::Download, Steps { load: 0, up: 3, kernel: 3, down: 4, store: 3 }),
    ("host that loads", Kind::Task, Steps { load: 4, up: 3, kernel: 3, down: 3, store: 0 }),
    ("host that stores", Kind::Task, Steps { load: 0, up: 3, kernel: 3, down: 3, store: 4 }),
];

/// Bar 10.
pub(crate) fn bottlenecks(context: &Context, emit: &mut dyn FnMut(Row)) -> Result<()> {
    let clocks = [(Time::Virtual, "virtual", 0.99), (Time::Real, "real", 0.97)];
    for (time, clock, least) in clocks {
        let streams = FORMS.into_iter().flat_map(|form| STREAMS.map(|stream| (form, stream)));
        for ((form, of), (what, kind, steps)) in streams {
            let name = format!("bottleneck, {clock} clock{of}: {what}");
            if !context.wants(&name) {
                continue;
            }
            // Every round on the virtual clock is the same.
            let rounds = if time == Time::Virtual { 1 } else { context.effort.rounds };
            let (mut turns, mut alone) = (vec![], vec![]);
            for _ in 0..rounds {
                alone.push(alone_for(&stream((steps, form), time, true, ALONE)?, kind));
                turns.push(turn(&stream((steps, form), time, false, FRAMES)?, kind));
            }
            let pair = (Sample::of(turns), Sample::of(alone));
            let row = Row::against(10, &name, pair, "alone", least);
            emit(row.note("a frame of the middle half; the device is simulated"));
        }
    }
    Ok(())
}

/// What ran when in a stream of so many frames.
fn stream((steps, form): (Steps, Frames), time: Time, sync: bool, frames: usize) -> Result<Trace> {
    let ms = Duration::from_millis;
    let link = |time| Link { latency: ms(time), bytes_per_second: 0 };
    let (up, down) = (link(steps.up), link(steps.down));
    let speed = Speed { launch: ms(steps.kernel), up, down, ..Speed::default() };
    let sim = Sim::new(Config { devices: 1, run: Run::Entry, speed, time, ..Config::default() });
    let builder = Runtime::builder().backend(Arc::new(sim.clone()));
    let rt = builder.sync(sync).trace(true).build()?;
    let (n, rows) = match form {
        Frames::Named | Frames::Swapped => (ARRAYS, 1),
        Frames::Rows => (1, frames),
    };
    let fresh = || Buffer::from_shape([rows, 64], vec![0_u32; rows * 64]);
    let x = (0..n).map(|_| fresh()).collect::<Result<Vec<_>>>()?;
    let y = (0..n).map(|_| fresh()).collect::<Result<Vec<_>>>()?;
    let in_body = if form == Frames::Named { ARRAYS } else { 1 };
    let mut p = rt.pipeline();
    let v = p.begin_for(0..(frames / in_body) as u64);
    let row =
        |x: &Buffer<u32, 2>| x.at_lazy(Lazy(move |env: &Env| v.get(env) as usize)).moving(v, 1, 0);
    let read = |x: &Buffer<u32, 2>| match form {
        Frames::Rows => Arg::<&[u32]>::bind(&row(x)),
        Frames::Named | Frames::Swapped => Arg::<&[u32]>::bind(x.at(0)),
    };
    let write = |x: &Buffer<u32, 2>| match form {
        Frames::Rows => Arg::<&mut [u32]>::bind(&mut row(x)),
        Frames::Named | Frames::Swapped => Arg::<&mut [u32]>::bind(&mut x.at(0)),
    };
    for (k, (x, y)) in x.iter().zip(&y).enumerate().take(in_body) {
        if steps.load > 0 {
            let (clock, mut frame) = (sim.clock(), k as u32);
            let to = TaskArg::write("x", write(x));
            p.push(Task::from_parts("load", [to], move |views, _| {
                views.slice_mut::<u32>()?[0] = frame;
                frame += in_body as u32;
                clock.sleep(ms(steps.load));
                Ok(())
            }));
        }
        p.push(match form {
            Frames::Rows => next(&row(x), &mut row(y)).over([64]),
            Frames::Named | Frames::Swapped => next(x.at(0), &mut y.at(0)).over([64]),
        });
        if steps.store > 0 {
            let clock = sim.clock();
            let from = TaskArg::read("y", read(y));
            p.push(Task::from_parts("store", [from], move |views, _| {
                clock.sleep(ms(steps.store));
                assert_eq!(views.slice::<u32>()?[63], 1, "no kernel made this frame");
                Ok(())
            }));
        }
    }
    if form == Frames::Swapped {
        p.swap(&x[0], &x[1]).swap(&y[0], &y[1]);
    }
    p.end_for();
    p.exec()?;
    let mut made: Vec<u32> = Vec::new();
    for y in &y {
        made.extend(y.to_vec()?.chunks(64).map(|frame| frame[0]));
    }
    made.sort_unstable();
    // The last frames that there is room for.
    let first = frames - made.len();
    let expected = (0..made.len()).map(|k| if steps.load > 0 { (first + k) as u32 + 1 } else { 1 });
    assert!(made.into_iter().eq(expected), "not the last frames");
    Ok(rt.trace())
}

/// How long something of a kind takes on average where everything runs alone, in seconds.
fn alone_for(trace: &Trace, kind: Kind) -> f64 {
    let those = trace.intervals().iter().filter(|interval| interval.kind == kind);
    let times: Vec<f64> = those.map(|i| (i.end - i.begin).as_secs_f64()).collect();
    times.iter().sum::<f64>() / times.len() as f64
}

/// From one frame to the next in the middle half, in seconds, by when what takes longest begins.
fn turn(trace: &Trace, kind: Kind) -> f64 {
    let those = trace.intervals().iter().filter(|interval| interval.kind == kind);
    let mut begins: Vec<Duration> = those.map(|interval| interval.begin).collect();
    begins.sort_unstable();
    assert!(begins.len() >= FRAMES, "frames are missing in the trace");
    let (from, to) = (FRAMES / 4, 3 * FRAMES / 4);
    match (begins.get(from), begins.get(to)) {
        (Some(first), Some(last)) => (*last - *first).as_secs_f64() / (to - from) as f64,
        _ => f64::NAN,
    }
}
