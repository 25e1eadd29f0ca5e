//! Bar 10 on a GPU: frames of 1080p through Sobel. What takes longest, a copy or the kernel, should never
//! wait in the middle of a run: its operations take, each alone, as long as the stream does.

use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use flash::Result;
use flash::prelude::*;
use flash_rt::trace::{Kind, Trace};

use super::{Cuda, Head};
use crate::examples::video::sobel;
use crate::row::{Row, Verdict};
use crate::stats::Sample;

const STREAM: Head = (10, "CUDA bottleneck, Sobel of 1080p", ">= 97 %");

pub(super) const HEADS: &[Head] = &[STREAM];

/// A frame, and how many are moved at a time: enough that a copy takes more than a millisecond.
const FRAME: [usize; 2] = [1_080, 1_920];
const TOGETHER: [usize; 2] = [48, 2];
/// How often frames are moved: in a stream, and where each step runs alone.
const TURNS: usize = 32;
const ALONE: usize = 6;
/// What an operation must take for the bar.
const LONG: f64 = 1e-3;

/// The next frames: one pixel says which, the others stay. Loading as such is no part of this bar.
#[flash::host_task]
fn load(frames: ViewMut<'_, u8, 2>, count: &AtomicU32) {
    let mut frames = frames;
    frames[[1, 1]] = mark(count.fetch_add(1, Ordering::Relaxed));
}

/// Looks at the edges of frames: beside the pixel of [`load`] they are twice as strong as it is bright.
#[flash::host_task]
fn look(edges: View<'_, u8, 2>, count: &AtomicU32) {
    let k = count.fetch_add(1, Ordering::Relaxed);
    assert_eq!(edges[[1, 2]], 2 * mark(k), "turn {k}");
}

/// The brightness that says which turn it is.
fn mark(k: u32) -> u8 {
    (k % 100) as u8 + 1
}

/// The row.
pub(super) fn overlap(cuda: &Cuda<'_>, emit: &mut dyn FnMut(Row)) -> Result<()> {
    let (bar, name, asked) = STREAM;
    if !cuda.context.wants(name) {
        return Ok(());
    }
    let together = TOGETHER[usize::from(cuda.context.quick)];
    let (mut turns, mut alone) = (vec![], vec![]);
    let mut longest = Kind::Upload;
    for _ in 0..cuda.context.effort.rounds {
        let trace = stream(together, true, ALONE)?;
        let mut time = 0.0;
        for kind in [Kind::Upload, Kind::Kernel, Kind::Download] {
            let taken = each(&trace, kind);
            if taken > time {
                (time, longest) = (taken, kind);
            }
        }
        alone.push(time);
        turns.push(turn(&stream(together, false, TURNS)?, longest));
    }
    let pair = (Sample::of(turns), Sample::of(alone));
    let row = match pair.1.median >= LONG {
        true => Row::against(bar, name, pair, "alone", 0.97),
        false => Row {
            asked: asked.to_owned(),
            verdict: Verdict::Skipped("operations shorter than 1 ms are below the bar".to_owned()),
            ..Row::against(bar, name, pair, "alone", 0.97)
        },
    };
    emit(row.note(format!("{together} frames at a time; what takes longest: {longest:?}")));
    Ok(())
}

/// What ran when in so many turns, with two arrays in turn.
fn stream(together: usize, sync: bool, turns: usize) -> Result<Trace> {
    let rt = Runtime::builder().devices("NVIDIA_GPU").sync(sync).trace(true).build()?;
    let shape = [together * FRAME[0], FRAME[1]];
    let fresh = || Buffer::<u8, 2>::zeros(shape);
    let (mut a, mut b, mut edges_a, mut edges_b) = (fresh(), fresh(), fresh(), fresh());
    let (loaded, seen) = (&AtomicU32::new(0), &AtomicU32::new(0));
    flash_pipeline! { in rt;
        for _pair in 0..turns / 2 {
            load(&mut a, loaded);
            sobel(&a, &mut edges_a)[a.space()];
            look(&edges_a, seen);
            load(&mut b, loaded);
            sobel(&b, &mut edges_b)[b.space()];
            look(&edges_b, seen);
        }
    }
    .exec()?;
    assert_eq!(seen.load(Ordering::Relaxed) as usize, turns, "turns are missing");
    Ok(rt.trace())
}

/// The mean time of an operation, in seconds; the first two bring up what comes once.
fn each(trace: &Trace, kind: Kind) -> f64 {
    let those = trace.intervals().iter().filter(|interval| interval.kind == kind);
    let times: Vec<f64> = those.map(|i| (i.end - i.begin).as_secs_f64()).skip(2).collect();
    times.iter().sum::<f64>() / times.len() as f64
}

/// From one turn to the next in the middle half, in seconds, by when what takes longest begins.
fn turn(trace: &Trace, kind: Kind) -> f64 {
    let those = trace.intervals().iter().filter(|interval| interval.kind == kind);
    let mut begins: Vec<Duration> = those.map(|interval| interval.begin).collect();
    begins.sort_unstable();
    let n = begins.len();
    let (from, to) = (n / 4, 3 * n / 4);
    match (begins.get(from), begins.get(to)) {
        (Some(first), Some(last)) if n >= TURNS => {
            (*last - *first).as_secs_f64() / (to - from) as f64
        }
        _ => f64::NAN,
    }
}
