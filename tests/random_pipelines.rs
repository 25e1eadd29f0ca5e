//! Random pipelines mean what they mean one by one: kernels that do not commute over shared buffers
//! and views, `swap`, loops and host tasks, against a sequential interpreter; on the CPU with 1, 2
//! and 8 threads and on the simulator. And the same tests notice a transfer that is left out, and
//! a run in which nothing is ordered.
#![allow(clippy::unwrap_used, reason = "a test fails by unwrapping")]

use std::sync::Arc;

use flash::prelude::*;
use flash_rt::env::LoopVar;
use flash_rt::lazy::Lazy;
use flash_rt::sim::{Run, Sim, SimOptions};
use flash_rt::{Env, Pipeline};

/// `x[i] = x[i] * a + b` modulo 2^32.
#[flash::kernel]
fn affine(a: u32, b: u32, x: &mut [u32]) {
    let i = global_id(0);
    x[i] = x[i].wrapping_mul(a).wrapping_add(b);
}

/// `y[i] = y[i] * a + x[i]`
#[flash::kernel]
fn mix(a: u32, x: &[u32], y: &mut [u32]) {
    let i = global_id(0);
    y[i] = y[i].wrapping_mul(a).wrapping_add(x[i]);
}

/// `y[i] = x[i + 1] * a + b`, zero at the end; writes all of `y`.
#[flash::kernel]
fn shift(a: u32, b: u32, x: &[u32], #[out] y: &mut [u32]) {
    let i = global_id(0);
    if i + 1 < x.len() {
        y[i] = x[i + 1].wrapping_mul(a).wrapping_add(b);
    } else {
        y[i] = 0;
    }
}

/// Numbers that look random and are the same everywhere.
#[derive(Clone)]
struct Random(u64);

impl Random {
    fn next(&mut self) -> u32 {
        // The constants of Knuth's MMIX generator; the high bits are the good ones.
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 33) as u32
    }

    fn below(&mut self, n: usize) -> usize {
        self.next() as usize % n
    }
}

/// Number of buffers, and elements of each.
const BUFFERS: usize = 4;
const LEN: usize = 96;

/// A half-open range of a buffer.
#[derive(Clone, Copy, Debug)]
struct Part {
    buffer: usize,
    start: usize,
    len: usize,
}

#[derive(Clone, Debug)]
enum Step {
    Affine {
        a: u32,
        b: u32,
        x: Part,
    },
    /// With the variable of the innermost loop in place of `b`.
    Counted {
        a: u32,
        x: Part,
    },
    Mix {
        a: u32,
        x: Part,
        y: Part,
    },
    Shift {
        a: u32,
        b: u32,
        x: Part,
        y: Part,
    },
    /// `y[i] = y[i] * a + x[i]` in a host task.
    Task {
        a: u32,
        x: Part,
        y: Part,
    },
    Swap(usize, usize),
    Loop(u32, Vec<Self>),
}

/// Two parts of `len` elements that do not overlap.
fn two_parts(random: &mut Random) -> (Part, Part) {
    let len = 2 + random.below(LEN / 2 - 1);
    let buffer = random.below(BUFFERS);
    let x = Part { buffer, start: random.below(LEN / 2 - len + 1), len };
    let start = LEN / 2 + random.below(LEN / 2 - len + 1);
    // In the same buffer one time in three, where only the exact boxes tell them apart.
    let other = if random.below(3) == 0 { 0 } else { 1 + random.below(BUFFERS - 1) };
    (x, Part { buffer: (buffer + other) % BUFFERS, start, len })
}

fn steps(random: &mut Random, n: usize, depth: usize) -> Vec<Step> {
    (0..n)
        .map(|_| {
            let (a, b) = (random.next() | 1, random.next());
            let (x, y) = two_parts(random);
            match random.below(if depth < 2 { 13 } else { 12 }) {
                0..3 => Step::Affine { a, b, x },
                3..5 => Step::Mix { a, x, y },
                5..7 => Step::Shift { a, b, x, y },
                7..9 => Step::Task { a, x, y },
                9 if depth > 0 => Step::Counted { a, x },
                9..11 => Step::Affine { a, b, x: y },
                11 => Step::Swap(random.below(BUFFERS), random.below(BUFFERS)),
                _ => {
                    let body = 1 + random.below(4);
                    Step::Loop(random.below(4) as u32, steps(random, body, depth + 1))
                }
            }
        })
        .collect()
}

/// Runs steps one by one; `k` is the variable of the innermost loop.
fn interpret(steps: &[Step], data: &mut [Vec<u32>], k: u32) {
    for step in steps {
        match step {
            Step::Affine { a, b, x } => {
                part(data, x).iter_mut().for_each(|v| *v = v.wrapping_mul(*a).wrapping_add(*b));
            }
            Step::Counted { a, x } => {
                part(data, x).iter_mut().for_each(|v| *v = v.wrapping_mul(*a).wrapping_add(k));
            }
            Step::Mix { a, x, y } | Step::Task { a, x, y } => {
                let x = part(data, x).to_vec();
                for (v, x) in part(data, y).iter_mut().zip(x) {
                    *v = v.wrapping_mul(*a).wrapping_add(x);
                }
            }
            Step::Shift { a, b, x, y } => {
                let x = part(data, x).to_vec();
                for (i, v) in part(data, y).iter_mut().enumerate() {
                    *v = x.get(i + 1).map_or(0, |x| x.wrapping_mul(*a).wrapping_add(*b));
                }
            }
            Step::Swap(a, b) => data.swap(*a, *b),
            Step::Loop(n, body) => (0..*n).for_each(|k| interpret(body, data, k)),
        }
    }
}

fn part<'d>(data: &'d mut [Vec<u32>], part: &Part) -> &'d mut [u32] {
    &mut data[part.buffer][part.start..part.start + part.len]
}

/// Adds the same steps to a pipeline; `depth` loops are open.
fn build(steps: &[Step], p: &mut Pipeline<'static>, buffers: &mut [Buffer<u32>], depth: usize) {
    let view = |buffers: &[Buffer<u32>], p: &Part| buffers[p.buffer].view(p.start..p.start + p.len);
    for step in steps {
        match step {
            Step::Affine { a, b, x } => {
                let mut to = view(buffers, x);
                p.push(affine(*a, *b, &mut to).over([x.len]));
            }
            Step::Counted { a, x } => {
                let mut to = view(buffers, x);
                let k = LoopVar::<u32>::new(depth - 1);
                let b = Lazy(move |env: &Env| k.get(env));
                p.push(affine(*a, b, &mut to).over([x.len]));
            }
            Step::Mix { a, x, y } => {
                let (from, mut to) = (view(buffers, x), view(buffers, y));
                p.push(mix(*a, &from, &mut to).over([x.len]));
            }
            Step::Shift { a, b, x, y } => {
                let (from, mut to) = (view(buffers, x), view(buffers, y));
                p.push(shift(*a, *b, &from, &mut to).over([x.len]));
            }
            Step::Task { a, x, y } => {
                let (from, mut to) = (view(buffers, x), view(buffers, y));
                let (a, len) = (*a, x.len);
                p.push(Task::new("mix", (&from, &mut to), move |(x, mut y)| {
                    for i in 0..len {
                        y[i] = y[i].wrapping_mul(a).wrapping_add(x[i]);
                    }
                }));
            }
            Step::Swap(a, b) => {
                p.swap(&buffers[*a], &buffers[*b]);
            }
            Step::Loop(n, body) => {
                p.begin_for(0..*n);
                build(body, p, buffers, depth + 1);
                p.end_for();
            }
        }
    }
}

fn start(random: &mut Random) -> Vec<Vec<u32>> {
    (0..BUFFERS).map(|_| (0..LEN).map(|_| random.next()).collect()).collect()
}

/// What a runtime makes of the steps, run twice with the same plan.
fn run(rt: &Runtime, steps: &[Step], data: &[Vec<u32>]) -> Vec<Vec<u32>> {
    let mut buffers: Vec<Buffer<u32>> = data.iter().map(|v| Buffer::from(v.clone())).collect();
    let mut p = rt.pipeline();
    build(steps, &mut p, &mut buffers, 0);
    p.exec().unwrap();
    p.exec().unwrap();
    buffers.iter().map(|buffer| buffer.to_vec().unwrap()).collect()
}

fn expected(steps: &[Step], data: &[Vec<u32>]) -> Vec<Vec<u32>> {
    let mut data = data.to_vec();
    interpret(steps, &mut data, 0);
    interpret(steps, &mut data, 0);
    data
}

/// Compares `n` random pipelines; how many differ from the interpreter.
fn differing(rt: &Runtime, n: u64) -> usize {
    (0..n)
        .filter(|seed| {
            let mut random = Random(*seed);
            let data = start(&mut random);
            let steps = steps(&mut random, 12, 0);
            run(rt, &steps, &data) != expected(&steps, &data)
        })
        .count()
}

fn simulator(options: SimOptions) -> (Sim, Runtime) {
    let sim = Sim::new(options);
    let rt = Runtime::builder().backend(Arc::new(sim.clone())).build().unwrap();
    (sim, rt)
}

#[test]
fn on_the_cpu() {
    for threads in [1, 2, 8] {
        let rt = Runtime::builder().devices("ALL_CPU").threads(threads).build().unwrap();
        assert_eq!(differing(&rt, 150), 0, "{threads} threads");
    }
}

#[test]
fn on_one_simulated_device() {
    let (_, rt) = simulator(SimOptions { devices: 1, ..SimOptions::default() });
    assert_eq!(differing(&rt, 60), 0);
}

#[test]
fn on_three_simulated_devices_by_entries() {
    let options = SimOptions { devices: 3, run: Run::Entry, ..SimOptions::default() };
    let (_, rt) = simulator(options);
    assert_eq!(differing(&rt, 100), 0);
}

#[test]
fn from_several_threads() {
    let rt = Runtime::open("ALL_CPU").unwrap();
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| assert_eq!(differing(&rt, 40), 0));
        }
    });
}

/// Steps after which every element depends on every earlier version of itself, so that nothing may
/// be lost on the way.
fn keep_all(steps: Vec<Step>) -> Vec<Step> {
    let kept = |step| match step {
        Step::Shift { a, x, y, .. } => Some(Step::Mix { a, x, y }),
        Step::Loop(0, _) => None,
        Step::Loop(n, body) => Some(Step::Loop(n, keep_all(body))),
        other => Some(other),
    };
    steps.into_iter().filter_map(kept).collect()
}

#[test]
fn a_lost_transfer_is_noticed() {
    let mut lost = 0;
    for seed in 0..6 {
        let mut random = Random(seed);
        let data = start(&mut random);
        let steps = keep_all(steps(&mut random, 8, 0));
        let options = SimOptions { devices: 2, run: Run::Entry, ..SimOptions::default() };
        let (sim, rt) = simulator(options.clone());
        let good = run(&rt, &steps, &data);
        assert_eq!(good, expected(&steps, &data));
        let counts = sim.counts();
        for number in 0..counts.uploads + counts.downloads {
            let (_, rt) = simulator(SimOptions { lose: Some(number), ..options.clone() });
            assert_ne!(run(&rt, &steps, &data), good, "seed {seed}, transfer {number}");
            lost += 1;
        }
    }
    assert!(lost > 100, "only {lost} transfers");
}

/// Host tasks and kernels in any order: what a run without edges could be.
#[test]
fn a_run_without_edges_is_noticed() {
    if std::env::var_os("FLASH_SABOTAGE").is_some() {
        let rt = Runtime::open("ALL_CPU").unwrap();
        let wrong = differing(&rt, 60);
        assert!(wrong > 30, "only {wrong} of 60 differ");
        return;
    }
    let again = std::process::Command::new(std::env::current_exe().unwrap())
        .args(["a_run_without_edges_is_noticed", "--exact"])
        .env("FLASH_SABOTAGE", "no-edges")
        .output()
        .unwrap();
    assert!(again.status.success(), "{}", String::from_utf8_lossy(&again.stdout));
}
