//! Edges of the frames of a film: what is seen in the trace of it. Host tasks, copies and kernels take
//! a time of their own, on a clock of events, so that the trace is the same each time.
#![allow(clippy::unwrap_used, reason = "a test fails where something is not there")]

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use flash::prelude::*;
use flash_rt::backend::clock::Clock;
use flash_rt::sim::{Config, Link, Sim, Speed};
use flash_rt::trace::{Interval, Kind, Trace};

use crate::sobel_video::sobel;

const MS: fn(u64) -> Duration = Duration::from_millis;

const FRAMES: u64 = 12;
const LUMA: [usize; 2] = [10, 14];
const CHROMA: [usize; 2] = [5, 7];

/// What each step takes, in milliseconds.
const LOAD: u64 = 3;
const SAVE: u64 = 4;
const UP: u64 = 2;
const DOWN: u64 = 5;
const KERNEL: u64 = 9;

/// Pixels of a plane of a frame, which have nothing to do with those beside them.
fn pixel((frame, plane): (u64, u64), k: u64) -> u8 {
    let mixed = (frame * 1000 + plane * 300 + k + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    (mixed >> 56) as u8
}

/// Where frames come from, which takes time.
struct Camera {
    clock: Arc<dyn Clock>,
    next: AtomicU64,
}

#[flash::host_task]
fn load(y: ViewMut<'_, u8, 2>, u: ViewMut<'_, u8, 2>, v: ViewMut<'_, u8, 2>, camera: &Camera) {
    let number = camera.next.fetch_add(1, Ordering::Relaxed);
    for (plane, to) in (0..).zip([y, u, v]) {
        for (k, pixels) in (0..).zip(to.into_slice().unwrap()) {
            *pixels = pixel((number, plane), k);
        }
    }
    camera.clock.sleep(MS(LOAD));
}

/// Where results go, which takes time.
struct Film {
    clock: Arc<dyn Clock>,
    frames: Mutex<Vec<[Vec<u8>; 3]>>,
}

#[flash::host_task]
fn save(y: View<'_, u8, 2>, u: View<'_, u8, 2>, v: View<'_, u8, 2>, film: &Film) {
    film.clock.sleep(MS(SAVE));
    // What is there in the end, as somebody may have spoiled it meanwhile.
    let planes = [y, u, v].map(|plane| plane.as_slice().unwrap().to_vec());
    film.frames.lock().unwrap().push(planes);
}

/// The same in plain Rust, by the weights of the neighbours.
fn expected(frame: u64, plane: u64) -> Vec<u8> {
    let [h, w] = if plane == 0 { LUMA } else { CHROMA };
    let weights = [(-1, 1), (0, 2), (1, 1)];
    let mut edges = vec![0; h * w];
    for (j, i) in (1..h - 1).flat_map(|j| (1..w - 1).map(move |i| (j, i))) {
        let at = |dj: i64, di: i64| {
            let k = (j as i64 + dj) * w as i64 + i as i64 + di;
            i64::from(pixel((frame, plane), k as u64))
        };
        let down: i64 = weights.iter().map(|&(d, by)| by * (at(1, d) - at(-1, d))).sum();
        let across: i64 = weights.iter().map(|&(d, by)| by * (at(d, 1) - at(d, -1))).sum();
        let strength = ((down * down + across * across) as f64).sqrt();
        edges[j * w + i] = strength.min(255.0) as u8;
    }
    edges
}

/// Filters all frames and sees that they are right; what ran when.
fn filter(copies: usize, sync: bool) -> Trace {
    let link = |ms| Link { latency: MS(ms), bytes_per_second: 0 };
    let speed = Speed { launch: MS(KERNEL), up: link(UP), down: link(DOWN), ..Speed::default() };
    let sim = Sim::new(Config { devices: 1, speed, ..Config::default() });
    let rt = Runtime::builder().backend(Arc::new(sim.clone())).copies(copies);
    let rt = rt.sync(sync).trace(true).build().unwrap();
    let camera = Camera { clock: sim.clock(), next: AtomicU64::new(0) };
    let film = Film { clock: sim.clock(), frames: Mutex::default() };
    let [mut y, mut u, mut v] = [LUMA, CHROMA, CHROMA].map(Buffer::zeros);
    let [mut ey, mut eu, mut ev] = [LUMA, CHROMA, CHROMA].map(Buffer::zeros);
    let [sy, su, sv] = [LUMA, CHROMA, CHROMA].map(Buffer::zeros);
    let report = flash_pipeline! { in &rt;
        load(&mut y, &mut u, &mut v, &camera);
        for _frame in 0..FRAMES {
            sobel(&y, &mut ey)[y.space()];
            sobel(&u, &mut eu)[u.space()];
            sobel(&v, &mut ev)[v.space()];
            load(&mut y, &mut u, &mut v, &camera);
            swap(ey, sy);
            swap(eu, su);
            swap(ev, sv);
            save(&sy, &su, &sv, &film);
        }
    }
    .exec()
    .unwrap();
    let all: Vec<_> = (0..FRAMES).map(|k| [0, 1, 2].map(|plane| expected(k, plane))).collect();
    assert_eq!(film.frames.into_inner().unwrap(), all);
    report.trace().unwrap().clone()
}

fn of(trace: &Trace, is_it: impl Fn(&Interval) -> bool) -> Vec<&Interval> {
    trace.intervals().iter().filter(|interval| is_it(interval)).collect()
}

/// For each kernel whether a copy and a host task ran at one moment with it.
fn in_company(trace: &Trace) -> Vec<bool> {
    let copies = of(trace, |i| matches!(i.kind, Kind::Upload | Kind::Download));
    let tasks = of(trace, |i| i.kind == Kind::Task);
    let at_once = |all: [&Interval; 3]| {
        let begin = all.iter().map(|i| i.begin).max();
        begin < all.iter().map(|i| i.end).min()
    };
    let company = |kernel: &Interval| {
        copies.iter().any(|copy| tasks.iter().any(|task| at_once([kernel, copy, task])))
    };
    of(trace, |i| i.kind == Kind::Kernel).into_iter().map(company).collect()
}

#[test]
fn host_task_copy_and_kernel_are_seen_at_once() {
    for copies in [1, 2] {
        let trace = filter(copies, false);
        let kernels = in_company(&trace);
        assert_eq!(kernels.len() as u64, 3 * FRAMES);
        for (frame, kernels) in kernels.chunks(3).enumerate() {
            assert!(kernels.contains(&true), "frame {frame}, {copies} copies: {trace:#?}");
        }
        // To the first kernel, all kernels without a gap, and the last one's way from there. It
        // writes a part, so what is there before is copied too.
        let least = LOAD + 2 * UP + 3 * FRAMES * KERNEL + DOWN + SAVE;
        assert_eq!(trace.makespan(), MS(least), "{copies} copies: {trace:#?}");
    }
}

#[test]
fn nothing_is_seen_at_once_under_sync() {
    let trace = filter(1, true);
    assert!(!in_company(&trace).contains(&true));
    let all: Vec<_> = trace.intervals().iter().filter(|i| i.kind != Kind::Wait).collect();
    assert!(all.windows(2).all(|pair| pair[0].end <= pair[1].begin), "{all:#?}");
}
