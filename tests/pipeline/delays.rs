//! The four workloads of Controllers with the delays of kernels, copies and host tasks stated: how
//! much of what could run at once does. On the virtual clock, so that figures are exact. The bounds
//! come from the text of each program and recorded times; nothing here asks the runtime for an order.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use flash::prelude::*;
use flash_rt::backend::clock::Clock;
use flash_rt::sim::{Config, Link, Run, Sim, Speed};
use flash_rt::trace::{Interval, Kind, Trace};

const MS: fn(u64) -> Duration = Duration::from_millis;

/// Cells of an array.
const N: usize = 16;

/// Images, results, powers or frames; even.
const TURNS: u64 = 40;

/// How long each operation takes, in milliseconds.
#[derive(Clone, Copy, Debug)]
struct Delays {
    kernel: u64,
    copy: u64,
    task: u64,
}

/// What takes longest, and a rest that is much shorter.
const CLEAR: [(Kind, Delays); 3] = [
    (Kind::Kernel, Delays { kernel: 10, copy: 2, task: 3 }),
    (Kind::Download, Delays { kernel: 2, copy: 10, task: 3 }),
    (Kind::Task, Delays { kernel: 3, copy: 2, task: 10 }),
];

/// What takes longest, and a rest that takes nearly as long.
const CLOSE: [(Kind, Delays); 3] = [
    (Kind::Kernel, Delays { kernel: 10, copy: 9, task: 9 }),
    (Kind::Download, Delays { kernel: 9, copy: 10, task: 9 }),
    (Kind::Task, Delays { kernel: 9, copy: 9, task: 10 }),
];

/// An image of the sequence.
#[flash::kernel]
fn draw(image: u64, #[out] pixels: &mut [u64]) {
    let i = global_id(0);
    pixels[i] = (image * 31 + i as u64 * 7) % 101;
}

/// A step of heat.
#[flash::kernel]
fn heat(power: &[u64], old: &[u64], #[out] new: &mut [u64]) {
    let i = global_id(0);
    new[i] = (3 * old[i] + old[(i + 1) % 16] + power[i]) % 65521;
}

/// A product of matrices.
#[flash::kernel]
fn multiply(a: View<'_, u64, 2>, b: View<'_, u64, 2>, #[out] c: ViewMut<'_, u64, 2>) {
    let (j, i) = (global_id(1), global_id(0));
    let mut sum = 0_u64;
    for k in 0..a.extent(1) {
        sum += a[[j, k]] * b[[k, i]];
    }
    c[[j, i]] = sum % 65521;
}

/// Edges of a plane, whose own edge stays as it is.
#[flash::kernel]
fn sobel(plane: &[u64], #[out(partial)] edges: &mut [u64]) {
    let i = global_id(0);
    if i > 0 && i + 1 < 16 {
        edges[i] = plane[i + 1] + 500 - plane[i - 1];
    }
}

/// What host tasks kept, and how long they take.
#[derive(Clone)]
struct Host {
    clock: Arc<dyn Clock>,
    time: Duration,
    kept: Arc<Mutex<Vec<Vec<u64>>>>,
}

/// Keeps an array.
#[flash::host_task]
fn keep(array: &[u64], host: Host) {
    host.clock.sleep(host.time);
    host.kept.lock().unwrap().push(array.to_vec());
}

/// Keeps a matrix.
#[flash::host_task]
fn keep_matrix(array: View<'_, u64, 2>, host: Host) {
    host.clock.sleep(host.time);
    host.kept.lock().unwrap().push(array.as_slice().unwrap().to_vec());
}

/// Reads the planes of a frame.
#[flash::host_task]
fn load(y: &mut [u64], u: &mut [u64], v: &mut [u64], frame: u64, host: Host) {
    for (k, plane) in [y, u, v].into_iter().enumerate() {
        plane.copy_from_slice(&read(frame, k as u64));
    }
    host.clock.sleep(host.time * 3 / 2);
}

/// Keeps the planes of a frame.
#[flash::host_task]
fn save(y: &[u64], u: &[u64], v: &[u64], host: Host) {
    host.clock.sleep(host.time * 3 / 2);
    host.kept.lock().unwrap().push([y, u, v].concat());
}

/// A plane of a frame.
fn read(frame: u64, plane: u64) -> Vec<u64> {
    (0..N as u64).map(|i| (frame * 5 + plane * 3 + i * i) % 97).collect()
}

/// An operation, and those whose results it uses, as numbers from 1; 0 is the beginning.
#[derive(Debug)]
struct Step {
    kind: Kind,
    after: Vec<usize>,
}

/// A program as a list of operations, copies included where data are not where they are used.
#[derive(Debug, Default)]
struct Program {
    steps: Vec<Step>,
    /// Which operation made each array current in host memory, and on the device.
    current: Vec<[Option<usize>; 2]>,
}

const HOST: usize = 0;
const DEVICE: usize = 1;

impl Program {
    /// One that has so many arrays, current on the host.
    fn of(arrays: usize) -> Self {
        Self { steps: vec![], current: vec![[Some(0), None]; arrays] }
    }

    fn push(&mut self, kind: Kind, mut after: Vec<usize>) -> usize {
        // Kernels keep their order, and so do host tasks.
        if matches!(kind, Kind::Kernel | Kind::Task) {
            let last = self.steps.iter().rposition(|step| step.kind == kind);
            after.extend(last.map(|at| at + 1));
        }
        self.steps.push(Step { kind, after });
        self.steps.len()
    }

    fn step(&mut self, (kind, side): (Kind, usize), reads: &[usize], writes: &[usize]) {
        let mut after = vec![];
        for &array in reads {
            let [host, device] = self.current[array];
            after.push(self.current[array][side].unwrap_or_else(|| {
                let copy = if side == HOST { Kind::Download } else { Kind::Upload };
                let copied = self.push(copy, vec![host.or(device).unwrap()]);
                self.current[array][side] = Some(copied);
                copied
            }));
        }
        let step = self.push(kind, after);
        for &array in writes {
            self.current[array] = [None; 2];
            self.current[array][side] = Some(step);
        }
    }

    fn kernel(&mut self, reads: &[usize], writes: &[usize]) {
        self.step((Kind::Kernel, DEVICE), reads, writes);
    }

    fn task(&mut self, reads: &[usize], writes: &[usize]) {
        self.step((Kind::Task, HOST), reads, writes);
    }

    /// No run is shorter: the longest chain of operations that use each other's results, and the
    /// sum over the unit that has most to do. Each unit has one kind of operations.
    fn least(&self, trace: &Trace) -> Duration {
        let mut recorded = Kind::ALL.map(|kind| times(trace, kind).into_iter());
        let mut ends = vec![Duration::ZERO];
        for Step { kind, after } in &self.steps {
            let at = Kind::ALL.iter().position(|known| known == kind).unwrap();
            let begin = after.iter().map(|&step| ends[step]).max().unwrap_or_default();
            ends.push(begin + recorded[at].next().expect("an operation is missing"));
        }
        let rest = recorded.map(|rest| rest.len());
        assert_eq!(rest, [0; Kind::ALL.len()], "more than the program has");
        let busiest = Kind::ALL.map(|kind| times(trace, kind).iter().sum()).into_iter().max();
        ends.into_iter().max().max(busiest).unwrap()
    }
}

/// How long everything of a kind took, in the order of the beginnings. In a wait nothing runs.
fn times(trace: &Trace, kind: Kind) -> Vec<Duration> {
    let is_it = |interval: &&Interval| interval.kind == kind && kind != Kind::Wait;
    let those = trace.intervals().iter().filter(is_it);
    those.map(|interval| interval.end - interval.begin).collect()
}

/// The part of the middle half of a run in which something of a kind ran. Nothing of one kind
/// overlaps.
fn share(trace: &Trace, kind: Kind) -> f64 {
    let all = trace.intervals();
    let begin = all.iter().map(|interval| interval.begin).min().unwrap();
    let makespan = all.iter().map(|interval| interval.end).max().unwrap() - begin;
    let (from, to) = (begin + makespan / 4, begin + makespan * 3 / 4);
    let those = all.iter().filter(|interval| interval.kind == kind);
    let busy: Duration = those.map(|i| i.end.min(to).saturating_sub(i.begin.max(from))).sum();
    busy.as_secs_f64() / (to - from).as_secs_f64()
}

/// A workload on a runtime.
type Workload = fn(&Runtime, Host) -> flash::Result<()>;

/// What ran when, and what host tasks kept.
fn trace(delays: Delays, sync: bool, run: Workload) -> (Trace, Vec<Vec<u64>>) {
    let link = Link { latency: MS(delays.copy), bytes_per_second: 0 };
    let speed = Speed { launch: MS(delays.kernel), up: link, down: link, ..Speed::default() };
    let sim = Sim::new(Config { devices: 1, run: Run::Entry, speed, ..Config::default() });
    let builder = Runtime::builder().backend(Arc::new(sim.clone())).trace(true);
    let rt = builder.sync(sync).build().unwrap();
    let host = Host { clock: sim.clock(), time: MS(delays.task), kept: Arc::default() };
    run(&rt, host.clone()).unwrap();
    let kept = host.kept.lock().unwrap().clone();
    (rt.trace(), kept)
}

/// A workload meets the bar with all settings.
fn keeps_busy((program, run): (&Program, Workload), expected: &[Vec<u64>]) {
    for (kind, delays) in CLEAR.into_iter().chain(CLOSE) {
        let (one_by_one, kept) = trace(delays, true, run);
        assert_eq!(kept, expected, "sync, {delays:?}");
        let sum: Duration = Kind::ALL.iter().flat_map(|kind| times(&one_by_one, *kind)).sum();
        assert_eq!(one_by_one.makespan(), sum, "sync, {delays:?}");

        let (at_once, kept) = trace(delays, false, run);
        assert_eq!(kept, expected, "{delays:?}");
        let least = program.least(&at_once);
        let ratio = at_once.makespan().as_secs_f64() / least.as_secs_f64();
        assert!(ratio <= 1.15, "{ratio} times the least, {delays:?}");
        let share = share(&at_once, kind);
        assert!(share >= 0.99, "{kind:?} for {share} of the time, {delays:?}");
    }
}

/// The images of the sequence.
fn images() -> Vec<Vec<u64>> {
    let pixel = |image: u64, i: u64| (image * 31 + i * 7) % 101;
    (0..TURNS).map(|image| (0..N as u64).map(|i| pixel(image, i)).collect()).collect()
}

/// Kernels draw, host tasks look: two images in turn, written out or exchanged.
#[test]
fn mandelbrot() {
    let mut program = Program::of(2);
    for image in 0..TURNS as usize {
        program.kernel(&[], &[image % 2]);
        program.task(&[image % 2], &[]);
    }
    let in_turn: Workload = |rt, host| {
        let (mut a, mut b) = (Buffer::zeros(N), Buffer::zeros(N));
        flash_pipeline! { in rt;
            for k in 0..TURNS / 2 {
                draw(2 * k, &mut a)[N];
                keep(&a, host.clone());
                draw(2 * k + 1, &mut b)[N];
                keep(&b, host.clone());
            }
        }
        .exec()
        .map(drop)
    };
    let swapped: Workload = |rt, host| {
        let (mut a, b) = (Buffer::zeros(N), Buffer::<u64>::zeros(N));
        flash_pipeline! { in rt;
            for k in 0..TURNS {
                draw(k, &mut a)[N];
                swap(a, b);
                keep(&b, host.clone());
            }
        }
        .exec()
        .map(drop)
    };
    for workload in [in_turn, swapped] {
        keeps_busy((&program, workload), &images());
    }
}

/// Two fields in turn, each kept when it has been made; written out or exchanged.
#[test]
fn hotspot() {
    const POWER: usize = 2;
    let mut program = Program::of(3);
    for turn in 0..TURNS as usize {
        let (old, new) = (turn % 2, 1 - turn % 2);
        program.kernel(&[POWER, old], &[new]);
        program.task(&[new], &[]);
    }
    let (mut old, mut expected) = (read(0, 0), vec![]);
    let power = read(1, 0);
    for _ in 0..TURNS {
        old = (0..N).map(|i| (3 * old[i] + old[(i + 1) % N] + power[i]) % 65521).collect();
        expected.push(old.clone());
    }
    let in_turn: Workload = |rt, host| {
        let (mut a, mut b) = (Buffer::from(read(0, 0)), Buffer::zeros(N));
        let power = Buffer::from(read(1, 0));
        flash_pipeline! { in rt;
            for _ in 0..TURNS / 2 {
                heat(&power, &a, &mut b)[N];
                keep(&b, host.clone());
                heat(&power, &b, &mut a)[N];
                keep(&a, host.clone());
            }
        }
        .exec()
        .map(drop)
    };
    let swapped: Workload = |rt, host| {
        let (old, mut new) = (Buffer::from(read(0, 0)), Buffer::zeros(N));
        let power = Buffer::from(read(1, 0));
        flash_pipeline! { in rt;
            for _ in 0..TURNS {
                heat(&power, &old, &mut new)[N];
                swap(old, new);
                keep(&old, host.clone());
            }
        }
        .exec()
        .map(drop)
    };
    for workload in [in_turn, swapped] {
        keeps_busy((&program, workload), &expected);
    }
}

/// Powers of a matrix, two in turn, each kept when it has been made; written out or exchanged.
#[test]
fn matrix_power() {
    const SIDE: usize = 4;
    const A: usize = 2;
    let mut program = Program::of(3);
    for turn in 0..TURNS as usize {
        let (old, new) = (turn % 2, 1 - turn % 2);
        program.kernel(&[old, A], &[new]);
        program.task(&[new], &[]);
    }
    let a = read(0, 0);
    let (mut power, mut expected) = (a.clone(), vec![]);
    for _ in 0..TURNS {
        let cell = |at: usize| -> u64 {
            let (j, i) = (at / SIDE, at % SIDE);
            (0..SIDE).map(|k| power[j * SIDE + k] * a[k * SIDE + i]).sum()
        };
        power = (0..N).map(|at| cell(at) % 65521).collect();
        expected.push(power.clone());
    }
    let in_turn: Workload = |rt, host| {
        let matrix = || Buffer::from_shape([SIDE, SIDE], &read(0, 0)[..]);
        let (a, mut c, mut d) = (matrix()?, matrix()?, Buffer::zeros([SIDE, SIDE]));
        flash_pipeline! { in rt;
            for _ in 0..TURNS / 2 {
                multiply(&c, &a, &mut d)[SIDE, SIDE];
                keep_matrix(&d, host.clone());
                multiply(&d, &a, &mut c)[SIDE, SIDE];
                keep_matrix(&c, host.clone());
            }
        }
        .exec()
        .map(drop)
    };
    let swapped: Workload = |rt, host| {
        let matrix = || Buffer::from_shape([SIDE, SIDE], &read(0, 0)[..]);
        let (a, c, mut d) = (matrix()?, matrix()?, Buffer::zeros([SIDE, SIDE]));
        flash_pipeline! { in rt;
            for _ in 0..TURNS {
                multiply(&c, &a, &mut d)[SIDE, SIDE];
                swap(c, d);
                keep_matrix(&c, host.clone());
            }
        }
        .exec()
        .map(drop)
    };
    for workload in [in_turn, swapped] {
        keeps_busy((&program, workload), &expected);
    }
}

/// What three planes of edges are after each frame.
fn frames() -> Vec<Vec<u64>> {
    let edges = |plane: &[u64]| -> Vec<u64> {
        let inner = plane.windows(3).map(|three| three[2] + 500 - three[0]);
        std::iter::once(0).chain(inner).chain([0]).collect()
    };
    let frame = |frame| [0, 1, 2].map(|plane| edges(&read(frame, plane))).concat();
    (0..TURNS).map(frame).collect()
}

/// Frames of three planes from host task to host task. Two sets of planes in turn on both sides, and
/// frames are loaded two ahead: the next but one as soon as this one's planes are on the device, before
/// its edges are saved. Host tasks keep the order of the program, so with one frame ahead, where all
/// units have nearly as much to do, a frame's way from load to save would set the pace.
#[test]
fn sobel_video() {
    // Planes that are loaded, 0 to 2 and 3 to 5, and their edges, 6 to 8 and 9 to 11.
    let mut program = Program::of(12);
    program.task(&[], &[0, 1, 2]);
    program.task(&[], &[3, 4, 5]);
    for turn in 0..TURNS as usize {
        let at = turn % 2 * 3;
        for k in 0..3 {
            program.kernel(&[at + k, 6 + at + k], &[6 + at + k]);
        }
        program.task(&[], &[at, at + 1, at + 2]);
        program.task(&[6 + at, 7 + at, 8 + at], &[]);
    }
    let in_turn: Workload = |rt, host| {
        let [mut y, mut u, mut v, mut y2, mut u2, mut v2] = [(); 6].map(|()| Buffer::zeros(N));
        let [mut ey, mut eu, mut ev, mut fy, mut fu, mut fv] = [(); 6].map(|()| Buffer::zeros(N));
        flash_pipeline! { in rt;
            load(&mut y, &mut u, &mut v, 0, host.clone());
            load(&mut y2, &mut u2, &mut v2, 1, host.clone());
            for k in 0..TURNS / 2 {
                sobel(&y, &mut ey)[N];
                sobel(&u, &mut eu)[N];
                sobel(&v, &mut ev)[N];
                load(&mut y, &mut u, &mut v, 2 * k + 2, host.clone());
                save(&ey, &eu, &ev, host.clone());
                sobel(&y2, &mut fy)[N];
                sobel(&u2, &mut fu)[N];
                sobel(&v2, &mut fv)[N];
                load(&mut y2, &mut u2, &mut v2, 2 * k + 3, host.clone());
                save(&fy, &fu, &fv, host.clone());
            }
        }
        .exec()
        .map(drop)
    };
    keeps_busy((&program, in_turn), &frames());
}
