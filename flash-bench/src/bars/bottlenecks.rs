//! Bar 10: streams of frames through a simulated device. What takes longest, the host, a copy or the
//! kernel, should never wait in the middle of a run: its operations take, each alone, as long as the
//! stream does.

use std::sync::Arc;
use std::time::Duration;

use flash::Result;
use flash::prelude::*;
use flash_rt::sim::{Config, Link, Run, Sim, Speed, Time};
use flash_rt::trace::{Kind, Trace};

use super::Context;
use crate::kernels::nodes::next;
use crate::row::Row;
use crate::stats::Sample;

/// Frames of a stream, and of one where each step runs alone.
const FRAMES: usize = 32;
const ALONE: usize = 4;

/// Arrays that frames take in turn.
const ARRAYS: usize = 2;

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
        for (what, kind, steps) in STREAMS {
            let name = format!("bottleneck, {clock} clock: {what}");
            if !context.wants(&name) {
                continue;
            }
            // Every round on the virtual clock is the same.
            let rounds = if time == Time::Virtual { 1 } else { context.effort.rounds };
            let (mut turns, mut alone) = (vec![], vec![]);
            for _ in 0..rounds {
                alone.push(alone_for(&stream(steps, time, true, ALONE)?, kind));
                turns.push(turn(&stream(steps, time, false, FRAMES)?, kind));
            }
            let pair = (Sample::of(turns), Sample::of(alone));
            let row = Row::against(10, &name, pair, "alone", least);
            emit(row.note("a frame of the middle half; the device is simulated"));
        }
    }
    Ok(())
}

/// What ran when in a stream of so many frames.
fn stream(steps: Steps, time: Time, sync: bool, frames: usize) -> Result<Trace> {
    let ms = Duration::from_millis;
    let link = |time| Link { latency: ms(time), bytes_per_second: 0 };
    let (up, down) = (link(steps.up), link(steps.down));
    let speed = Speed { launch: ms(steps.kernel), up, down, ..Speed::default() };
    let sim = Sim::new(Config { devices: 1, run: Run::Entry, speed, time, ..Config::default() });
    let builder = Runtime::builder().backend(Arc::new(sim.clone()));
    let rt = builder.sync(sync).trace(true).build()?;
    let fresh = || [(); ARRAYS].map(|()| Buffer::from(vec![0_u32; 64]));
    let (mut x, mut y) = (fresh(), fresh());
    let mut p = rt.pipeline();
    p.begin_for(0..(frames / ARRAYS) as u64);
    for (k, (x, y)) in x.iter_mut().zip(&mut y).enumerate() {
        if steps.load > 0 {
            let (clock, mut frame) = (sim.clock(), k as u32);
            p.push(Task::new("load", (&mut *x,), move |(mut x,)| {
                x[[0]] = frame;
                frame += ARRAYS as u32;
                clock.sleep(ms(steps.load));
            }));
        }
        p.push(next(&*x, &mut *y).over([64]));
        if steps.store > 0 {
            let clock = sim.clock();
            p.push(Task::new("store", (&*y,), move |(y,)| {
                clock.sleep(ms(steps.store));
                assert_eq!(y[[63]], 1, "no kernel made this frame");
            }));
        }
    }
    p.end_for();
    p.exec()?;
    let made = |k: usize| if steps.load > 0 { frames - ARRAYS + k + 1 } else { 1 };
    for (k, y) in y.iter().enumerate() {
        assert_eq!(y.get(0)? as usize, made(k), "not the last frame");
    }
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
