//! Which two operations on one array wait for each other and which run at once, for every ordered
//! pair of kernels, host tasks and copies by what they do with it. Nothing here is measured: the
//! intervals are those of the trace, on a clock of events.

use std::sync::Arc;
use std::time::Duration;

use crate::backend::clock::Clock;
use crate::backend::conformance::kernels;
use crate::movable::Whole;
use crate::sim::{Config, Link, Run, Sim, Speed};
use crate::task::TaskArg;
use crate::trace::{Interval, Kind, Trace};
use crate::{Arg, Buffer, Call, NoBackends, Pipeline, Runtime, Section, Task, View, ViewMut};

const MS: fn(u64) -> Duration = Duration::from_millis;

/// What is done with the array.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Op {
    /// A copy to the device, and to the host.
    Up,
    Down,
    /// A kernel that reads, overwrites, or reads and writes.
    KernelIn,
    KernelOut,
    KernelIo,
    /// A host task that reads, writes, reads and writes, or fills.
    TaskIn,
    TaskOut,
    TaskIo,
    TaskFill,
}

use Op::{Down, KernelIn, KernelIo, KernelOut, TaskFill, TaskIn, TaskIo, TaskOut, Up};

const OPS: [Op; 9] = [Up, Down, KernelIn, KernelOut, KernelIo, TaskIn, TaskOut, TaskIo, TaskFill];

/// Later ones as rows, earlier ones as columns, both in the order of [`OPS`].
///
/// - `w`: waits, as both use the same memory and one of them writes it;
/// - `d`: waits, as the copy that it needs of what the earlier one has written does. A task that is
///   given an array to write may write a part, so it needs what was there before, as `TaskIo` does;
/// - `-`: begins when the earlier one does;
/// - `k`: waits only for the queue of the device, which runs one kernel after the other;
/// - `t`: waits only where host tasks keep their order;
/// - `s`: waits, though they write different memories: stricter than it would have to be. What was
///   written last decides where elements are current, so writers of the same ones take turns. A
///   task that may write a part may need the rest from the device, and one that fills the array may
///   fail: then what the device has is current again, and nobody may have written there.
const TABLE: [&str; 9] = [
    // Up, Down; KernelIn, KernelOut, KernelIo; TaskIn, TaskOut, TaskIo, TaskFill.
    "ww www -www",
    "ww -ww wwww",
    "w- kww -ddd",
    "ww www -sss",
    "ww www -ddd",
    "-w -dd twww",
    "ww -dd wwww",
    "ww -dd wwww",
    "ww -ss wwww",
];

/// The same where each of the two uses a device of its own: kernels share no memory and no queue there,
/// so one that overwrites the array waits for none. What it does to where elements are current is noted
/// as it is submitted, after the earlier one; a move has ended when its copy has, as it says if that
/// fails, so who writes waits for it.
const APART: [&str; 9] = [
    // Up, Down; KernelIn, KernelOut, KernelIo; TaskIn, TaskOut, TaskIo, TaskFill.
    "-d -dd -www",
    "ww -ww wwww",
    "-d -dd -ddd",
    "ss --- -sss",
    "sd -dd -ddd",
    "-w -dd twww",
    "ww -dd wwww",
    "ww -dd wwww",
    "ww -ss wwww",
];

/// How it is run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Mode {
    /// Host tasks in their order.
    InOrder,
    /// Host tasks as they can.
    Free,
    /// One thing at a time.
    Sync,
    /// In order, each of the two on a device of its own.
    Apart,
}

/// How long things take, in milliseconds: a task outlasts a kernel and a copy after each other, a
/// kernel what is between, so that what has to wait does so for the earlier one.
const TASK: u64 = 50;
const KERNEL: u64 = 20;
const COPY: u64 = 5;
const BETWEEN: u64 = 1;

const SHAPE: [usize; 2] = [4, 6];
const N: usize = 24;

fn initial() -> Vec<u32> {
    (1..=N as u32).collect()
}

/// What kernels that overwrite write.
fn source() -> Vec<u32> {
    (0..N as u32).map(|i| 7 * i + 3).collect()
}

/// Where the elements are current, what was copied, and the values: one operation after the other
/// on plain numbers.
struct Twin {
    current: State,
    ups: usize,
    downs: usize,
    x: Vec<u32>,
    /// What readers have found.
    found: Vec<Vec<u32>>,
}

/// Whether elements are current on the host and on each device.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct State {
    host: bool,
    devices: [bool; 2],
}

impl State {
    const NOWHERE: Self = Self { host: false, devices: [false; 2] };
}

impl Twin {
    /// By way of the host.
    fn bring_up(&mut self, device: usize) {
        if !self.current.devices[device] {
            self.bring_down();
            self.ups += 1;
            self.current.devices[device] = true;
        }
    }

    fn bring_down(&mut self) {
        self.downs += usize::from(!self.current.host);
        self.current.host = true;
    }

    fn apply(&mut self, op: Op, device: usize) {
        match op {
            Up | KernelIn | KernelIo => self.bring_up(device),
            Down | TaskIn | TaskOut | TaskIo => self.bring_down(),
            KernelOut | TaskFill => {}
        }
        match op {
            Up | Down | KernelIn | TaskIn => {}
            KernelOut | KernelIo => {
                self.current = State::NOWHERE;
                self.current.devices[device] = true;
            }
            TaskOut | TaskIo | TaskFill => self.current = State { host: true, ..State::NOWHERE },
        }
        match op {
            Up | Down => {}
            KernelIn => self.found.push(self.x.iter().map(|v| 100 / v.max(&1)).collect()),
            TaskIn => self.found.push(self.x.clone()),
            // As the other extent is the last one here.
            KernelOut => {
                let ([h, w], from) = (SHAPE, source());
                self.x = (0..N).map(|i| from[i % w * h + i / w]).collect();
            }
            KernelIo => self.x.iter_mut().for_each(|v| *v = 3 * *v + 1),
            TaskOut => self.x = (0..N as u32).map(|i| 1000 + i).collect(),
            TaskIo => self.x.iter_mut().for_each(|v| *v = 2 * *v + 5),
            TaskFill => self.x = (0..N as u32).map(|i| 2000 + i).collect(),
        }
    }
}

/// Where the array is current before a pair, so that its copies have something to do and nothing
/// else is copied.
fn state((earlier, later): (Op, Op), mode: Mode) -> State {
    let (host, first) = match (earlier, later) {
        (Up, _) | (TaskIn, Up) => (true, false),
        (Down, _) | (KernelIn, Down) => (false, true),
        _ => (true, true),
    };
    // To the second device it comes by way of the host.
    State { host, devices: [first, mode == Mode::Apart && host && later != Up] }
}

/// What is between the two, so that a copy as the later one has something to do.
fn between(current: State, later: Op, device: usize) -> Option<Op> {
    match later {
        Up if current.devices[device] => Some(TaskOut),
        Down if current.host => Some(KernelOut),
        _ => None,
    }
}

struct Bench {
    sim: Sim,
    rt: Runtime,
    clock: Arc<dyn Clock>,
    x: Buffer<u32, 2>,
    from: Buffer<u32, 2>,
    /// Where readers write what they have found, kernels and tasks.
    found: Vec<Buffer<u32>>,
    /// Where kernels run and moves go.
    device: usize,
}

impl Bench {
    fn new(mode: Mode, seed: Option<u64>, state: State) -> Self {
        let link = Link { latency: MS(COPY), bytes_per_second: 0 };
        let launch = MS(KERNEL);
        let speed = Speed { launch, up: link, down: link, ..Speed::default() };
        let run = Run::Entry;
        let devices = 1 + usize::from(mode == Mode::Apart);
        let sim = Sim::new(Config { devices, run, speed, seed, ..Config::default() });
        let rt = Runtime::<NoBackends>::builder().backend(Arc::new(sim.clone())).copies(1);
        let rt = rt.dataflow(mode == Mode::Free).sync(mode == Mode::Sync).trace(true);
        let rt = rt.build().unwrap();
        let x = Buffer::from_shape(SHAPE, initial()).unwrap();
        let from = Buffer::from_shape([SHAPE[1], SHAPE[0]], source()).unwrap();
        for ordinal in 0..devices {
            rt.pipeline().move_to(&from, ordinal).exec().unwrap();
            if state.devices[ordinal] {
                rt.pipeline().move_to(&x, ordinal).exec().unwrap();
            }
        }
        if !state.host {
            // The same values, written there.
            let mut flat = x.reshape([N]).unwrap();
            rt.submit(affine(1, 0, &mut flat).pin(0)).exec([N]).unwrap();
        }
        let clock = sim.clock();
        Self { sim, rt, clock, x, from, found: Vec::new(), device: 0 }
    }

    /// Where all elements are current; there are some nowhere else.
    fn state(&self) -> State {
        let array = self.x.whole();
        let images = array.allocation.images();
        let is_current = |of: &dyn Fn(&Section) -> bool| {
            let each = |k| of(&Section::of_range(&(k..k + 1)));
            assert!((0..N).all(|k| each(k) == each(0)), "only some elements are current");
            each(0)
        };
        let space = |device: usize| self.rt.devices().get(device).and_then(|device| device.space());
        let on = |device| {
            space(device).is_some_and(|space| is_current(&|part| images.is_valid(space, part)))
        };
        State { host: is_current(&|part| images.host_is_valid(part)), devices: [0, 1].map(on) }
    }

    /// Adds an operation, which takes that long if it is a host task.
    fn push(&mut self, p: &mut Pipeline<'static>, op: Op, name: &'static str, ms: u64) {
        let mut flat = self.x.reshape([N]).unwrap();
        let clock = Arc::clone(&self.clock);
        let mut result = Buffer::from(vec![0_u32; N]);
        match op {
            Up => drop(p.move_to(&self.x, self.device)),
            Down => drop(p.move_from(&self.x)),
            KernelIn => drop(p.push(divide(&flat, &mut result).pin(self.device).over([N]))),
            KernelOut => {
                let [h, w] = self.from.shape();
                p.push(transpose(&self.from, &mut self.x).pin(self.device).over([h, w]));
            }
            KernelIo => drop(p.push(affine(3, 1, &mut flat).pin(self.device).over([N]))),
            // What it sees in the end, which somebody may have spoiled meanwhile.
            TaskIn => drop(p.push(Task::new(name, (&flat, &mut result), move |(x, mut to)| {
                clock.sleep(MS(ms));
                (0..N).for_each(|i| to[[i]] = x[[i]]);
            }))),
            TaskOut => drop(p.push(Task::new(name, (&mut flat,), move |(mut x,)| {
                (0..N / 2).for_each(|i| x[[i]] = 1000 + i as u32);
                clock.sleep(MS(ms));
                (N / 2..N).for_each(|i| x[[i]] = 1000 + i as u32);
            }))),
            TaskIo => drop(p.push(Task::new(name, (&mut flat,), move |(mut x,)| {
                (0..N / 2).for_each(|i| x[[i]] = 2 * x[[i]] + 5);
                clock.sleep(MS(ms));
                (N / 2..N).for_each(|i| x[[i]] = 2 * x[[i]] + 5);
            }))),
            TaskFill => {
                let x = TaskArg::fill("x", Arg::<ViewMut<'static, u32, 1>>::bind(&mut flat));
                p.push(Task::from_parts(name, [x], move |views, _| {
                    let mut x = views.view_mut::<u32, 1>()?;
                    (0..N / 2).for_each(|i| x[[i]] = 2000 + i as u32);
                    clock.sleep(MS(ms));
                    (N / 2..N).for_each(|i| x[[i]] = 2000 + i as u32);
                    Ok(())
                }));
            }
        }
        if matches!(op, KernelIn | TaskIn) {
            self.found.push(result);
        }
    }
}

fn affine<'a>(a: u32, b: u32, x: &mut Buffer<u32>) -> Call<'a, 1> {
    let x = Arg::<&'a mut [u32]>::bind(x);
    Call::new(&kernels::AFFINE, [Arg::<u32>::bind(a), Arg::<u32>::bind(b), x])
}

fn divide<'a>(x: &Buffer<u32>, y: &mut Buffer<u32>) -> Call<'a, 1> {
    Call::new(&kernels::DIVIDE, [Arg::<&'a [u32]>::bind(x), Arg::<&'a mut [u32]>::bind(y)])
}

fn transpose<'a>(x: &Buffer<u32, 2>, out: &mut Buffer<u32, 2>) -> Call<'a, 2> {
    let out = Arg::<ViewMut<'a, u32, 2>>::bind(out);
    Call::new(&kernels::TRANSPOSE, [Arg::<View<'a, u32, 2>>::bind(x), out])
}

/// The intervals in which an operation ran, tasks by their name.
fn intervals<'t>(trace: &'t Trace, op: Op, task: &str) -> Vec<&'t Interval> {
    let (kind, name) = match op {
        Up => (Kind::Upload, None),
        Down => (Kind::Download, None),
        KernelIn => (Kind::Kernel, Some("divide")),
        KernelOut => (Kind::Kernel, Some("transpose")),
        KernelIo => (Kind::Kernel, Some("affine")),
        TaskIn | TaskOut | TaskIo | TaskFill => (Kind::Task, Some(task)),
    };
    let is_it = |i: &&Interval| i.kind == kind && name.is_none_or(|name| i.name == name);
    trace.intervals().iter().filter(is_it).collect()
}

/// Runs a pair; what is wrong with it.
fn pair((earlier, later): (Op, Op), expected: char, mode: Mode, seed: Option<u64>) -> Vec<String> {
    let state = state((earlier, later), mode);
    let mut bench = Bench::new(mode, seed, state);
    assert_eq!(bench.state(), state);
    let mut twin = Twin { current: state, ups: 0, downs: 0, x: initial(), found: Vec::new() };
    let mut p = bench.rt.pipeline();
    bench.push(&mut p, earlier, "earlier", TASK);
    twin.apply(earlier, bench.device);
    bench.device = usize::from(mode == Mode::Apart);
    if let Some(op) = between(twin.current, later, bench.device) {
        bench.push(&mut p, op, "between", BETWEEN);
        twin.apply(op, bench.device);
    }
    bench.push(&mut p, later, "later", TASK);
    twin.apply(later, bench.device);
    let (start, report) = (bench.clock.now(), p.exec().unwrap());
    drop(p);
    let trace = report.trace().unwrap();
    let first = *intervals(trace, earlier, "earlier").first().expect("it ran");
    let second = *intervals(trace, later, "later").last().expect("it ran");
    let count = |kind| trace.intervals().iter().filter(|i| i.kind == kind).count();
    let copies = (count(Kind::Upload), count(Kind::Download));

    let mut wrong = Vec::new();
    let mut check = |holds: bool, what: &str| {
        if !holds {
            wrong.push(format!("{earlier:?}, {later:?}, {mode:?}, {seed:?}: {what}: {trace:#?}"));
        }
    };
    let waits = mode == Mode::Sync || !matches!((expected, mode), ('-', _) | ('t', Mode::Free));
    check(first.begin == start, "the earlier one begins at once");
    if waits {
        check(first.end <= second.begin, "they overlap");
        let ends = |i: &Interval| i.end == second.begin;
        check(trace.intervals().iter().any(ends), "the later one waits for nothing");
    } else {
        check(second.begin == start, "the later one does not begin at once");
        check(first.overlaps(second), "they do not overlap");
    }
    check(copies == (twin.ups, twin.downs), "copies");
    check(bench.state() == twin.current, "where it is current");
    check(bench.x.to_vec().unwrap() == twin.x, "contents");
    let found: Vec<_> = bench.found.iter().map(|found| found.to_vec().unwrap()).collect();
    check(found == twin.found, "what readers found");
    check(bench.sim.counts().poison == 0, "poison was copied");
    wrong
}

fn every_pair(mode: Mode, table: [&str; 9]) {
    let mut wrong = Vec::new();
    for (later, row) in OPS.iter().zip(table) {
        let row = row.chars().filter(|c| *c != ' ');
        for (earlier, expected) in OPS.iter().zip(row) {
            // Operations take effect at their ends, or some at their beginnings.
            for seed in [None, Some(1), Some(2), Some(3)] {
                wrong.extend(pair((*earlier, *later), expected, mode, seed));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_pair_on_two_devices() {
    every_pair(Mode::Apart, APART);
}

#[test]
fn every_pair_in_order() {
    every_pair(Mode::InOrder, TABLE);
}

#[test]
fn every_pair_where_tasks_run_as_they_can() {
    every_pair(Mode::Free, TABLE);
}

#[test]
fn no_pair_overlaps_under_sync() {
    every_pair(Mode::Sync, TABLE);
}
