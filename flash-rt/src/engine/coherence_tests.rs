//! Where the elements of an array are current, and what is copied for it: every operation in every
//! state of host and device, over exact ranges, on one device and on several.

use std::sync::Arc;
use std::sync::mpsc::channel;
use std::time::Duration;

use crate::backend::conformance::kernels;
use crate::movable::Whole;
use crate::sim::{Config, Counts, Fault, Kind as SimKind, Link, Run, Sim, Speed, Time};
use crate::task::{Failure, TaskArg};
use crate::{Arg, Buffer, Call, Error, NoBackends, Report, Runtime, Section, Task, View, ViewMut};

const SHAPE: [usize; 2] = [4, 6];
const BYTES: u64 = 4 * 24;

struct Bench {
    sim: Sim,
    rt: Runtime,
    x: Buffer<u32, 2>,
    other: Buffer<u32, 2>,
    /// What they hold.
    initial: [Vec<u32>; 2],
}

/// Where the newest elements are: on the host, on the device.
type State = (bool, bool);

impl Bench {
    fn new(state: State) -> Self {
        Self::with(state, 1)
    }

    /// Arrays take turns in so many memories at most.
    fn with(state: State, copies: usize) -> Self {
        let sim = Sim::new(Config { devices: 1, run: Run::Entry, ..Config::default() });
        let rt = Runtime::<NoBackends>::builder().backend(Arc::new(sim.clone()));
        let rt = rt.copies(copies).build().unwrap();
        let [h, w] = SHAPE;
        let mut initial: [Vec<u32>; 2] = [(0..24).collect(), (100..124).collect()];
        let mut x = Buffer::from_shape(SHAPE, initial[0].clone()).unwrap();
        let mut other = Buffer::from_shape([w, h], initial[1].clone()).unwrap();
        match state {
            (false, _) => initial[0] = turned([w, h], &initial[1]),
            (true, _) => initial[1] = turned(SHAPE, &initial[0]),
        }
        match state {
            (true, false) => {
                // An image that is there and not current.
                Self::transpose(&rt, &x, &mut other);
                x.set([0, 0], 50).unwrap();
                initial[0][0] = 50;
                x.write_rows().unwrap();
            }
            (false, true) => Self::transpose(&rt, &other, &mut x),
            (true, true) => Self::transpose(&rt, &x, &mut other),
            (false, false) => unreachable!("an array is always current somewhere"),
        }
        let bench = Self { sim, rt, x, other, initial };
        assert_eq!(bench.state(), state);
        bench.sim.clear_calls();
        bench
    }

    fn transpose(rt: &Runtime, from: &Buffer<u32, 2>, to: &mut Buffer<u32, 2>) {
        let [h, w] = from.shape();
        rt.submit(transpose(from, to)).exec([h, w]).unwrap();
    }

    fn state(&self) -> State {
        let array = self.x.whole();
        let images = array.allocation.images();
        let space = self.rt.devices()[0].space().unwrap();
        (images.host_is_valid(&array.section), images.is_valid(space, &array.section))
    }

    fn counts(&self) -> Counts {
        self.sim.counts()
    }
}

trait WriteRows {
    fn write_rows(&mut self) -> crate::Result<()>;
}

impl WriteRows for Buffer<u32, 2> {
    /// Makes the host's elements the only current ones.
    fn write_rows(&mut self) -> crate::Result<()> {
        drop(self.view_mut((.., ..)).write((.., ..))?);
        Ok(())
    }
}

pub(super) fn transpose<'a>(x: &Buffer<u32, 2>, out: &mut Buffer<u32, 2>) -> Call<'a, 2> {
    let out = Arg::<ViewMut<'a, u32, 2>>::bind(out);
    Call::new(&kernels::TRANSPOSE, [Arg::<View<'a, u32, 2>>::bind(x), out])
}

pub(super) fn affine<'a>(a: u32, b: u32, x: impl Arg<'a, &'a mut [u32]>) -> Call<'a, 1> {
    Call::new(&kernels::AFFINE, [Arg::<u32>::bind(a), Arg::<u32>::bind(b), x.bind()])
}

type Operation = fn(&mut Bench);
/// What the arrays come to, from what they were.
type Outcome = fn([Vec<u32>; 2]) -> [Vec<u32>; 2];
/// A name, an operation, what is expected of it in each state, and the contents after it.
type Row = (&'static str, Operation, [(u64, u64, State); 3], Outcome);

/// The elements of a matrix of this shape, column by column.
fn turned([h, w]: [usize; 2], v: &[u32]) -> Vec<u32> {
    (0..h * w).map(|i| v[i % h * w + i / h]).collect()
}

/// With the first rows and columns of the other one, which has its extents exchanged.
fn transposed([rows, columns]: [usize; 2], [x, other]: [Vec<u32>; 2]) -> [Vec<u32>; 2] {
    let [h, w] = SHAPE;
    let at = |i: usize| match (i / w, i % w) {
        (row, column) if row < rows && column < columns => other[column * h + row],
        _ => x[i],
    };
    [(0..h * w).map(at).collect(), other]
}

/// Each operation with what it copies up and down, and the state after it, in the states host,
/// device, both.
const TABLE: &[Row] = &[
    (
        "a kernel reads",
        |b| Bench::transpose(&b.rt, &b.x, &mut b.other),
        [(1, 0, (true, true)), (0, 0, (false, true)), (0, 0, (true, true))],
        |[x, _]| {
            let other = turned(SHAPE, &x);
            [x, other]
        },
    ),
    (
        "a kernel overwrites all",
        |b| {
            // The other array is on the device, so that only this one could be copied.
            Bench::transpose(&b.rt, &b.other, &mut b.x);
        },
        [(0, 0, (false, true)), (0, 0, (false, true)), (0, 0, (false, true))],
        |both| transposed(SHAPE, both),
    ),
    (
        "a kernel overwrites a part",
        |b| drop(b.rt.submit(transpose(&b.other, &mut b.x)).exec([2, 3]).unwrap()),
        [(1, 0, (false, true)), (0, 0, (false, true)), (0, 0, (false, true))],
        |both| transposed([3, 2], both),
    ),
    (
        "a kernel reads and writes",
        |b| {
            let mut flat = b.x.reshape([24]).unwrap();
            b.rt.submit(affine(3, 1, &mut flat)).exec([24]).unwrap();
        },
        [(1, 0, (false, true)), (0, 0, (false, true)), (0, 0, (false, true))],
        |[x, other]| [x.iter().map(|v| 3 * v + 1).collect(), other],
    ),
    (
        "a host task reads",
        |b| {
            let mut p = b.rt.pipeline();
            p.push(Task::new("read", (&b.x,), |(x,)| assert!(x[[3, 5]] < 124)));
            p.exec().unwrap();
        },
        [(0, 0, (true, false)), (0, 1, (true, true)), (0, 0, (true, true))],
        |both| both,
    ),
    (
        "a host task writes",
        |b| {
            let mut p = b.rt.pipeline();
            p.push(Task::new("write", (&mut b.x,), |(mut x,)| x[[1, 1]] = 7));
            p.exec().unwrap();
        },
        [(0, 0, (true, false)), (0, 1, (true, false)), (0, 0, (true, false))],
        |[mut x, other]| {
            x[7] = 7;
            [x, other]
        },
    ),
    (
        "a host task fills",
        |b| drop(run(&b.rt, fill(&mut b.x, None)).unwrap()),
        [(0, 0, (true, false)), (0, 0, (true, false)), (0, 0, (true, false))],
        |[_, other]| [vec![7; 24], other],
    ),
    (
        "a move to the device",
        |b| drop(b.rt.pipeline().move_to(&b.x, 0).exec().unwrap()),
        [(1, 0, (true, true)), (0, 0, (false, true)), (0, 0, (true, true))],
        |both| both,
    ),
    (
        "a move to the host",
        |b| drop(b.rt.pipeline().move_from(&b.x).exec().unwrap()),
        [(0, 0, (true, false)), (0, 1, (true, true)), (0, 0, (true, true))],
        |both| both,
    ),
    (
        "an eviction",
        |b| drop(b.rt.pipeline().evict(&b.x, 0).exec().unwrap()),
        [(0, 0, (true, false)), (0, 1, (true, false)), (0, 0, (true, false))],
        |both| both,
    ),
    (
        "a guard that reads",
        |b| drop(b.x.read((.., ..)).unwrap()),
        [(0, 0, (true, false)), (0, 1, (true, true)), (0, 0, (true, true))],
        |both| both,
    ),
    (
        "a guard that writes",
        |b| b.x.write((.., ..)).unwrap()[7] = 9,
        [(0, 0, (true, false)), (0, 1, (true, false)), (0, 0, (true, false))],
        |[mut x, other]| {
            x[7] = 9;
            [x, other]
        },
    ),
];

#[test]
fn every_cell_of_the_table() {
    let cells = TABLE.iter().flat_map(|row| [1, 2].map(|copies| (copies, row)));
    for (copies, (name, operation, expected, result)) in cells {
        let states = [(true, false), (false, true), (true, true)];
        for (state, (up, down, after)) in states.into_iter().zip(*expected) {
            let mut bench = Bench::with(state, copies);
            let result = result(bench.initial.clone());
            operation(&mut bench);
            let counts = bench.counts();
            assert_eq!((counts.uploads, counts.downloads), (up, down), "{name} at {state:?}");
            assert_eq!(counts.uploaded + counts.downloaded, (up + down) * BYTES, "{name}");
            assert_eq!(bench.state(), after, "{name} at {state:?}");
            let found = [&bench.x, &bench.other].map(|array| array.to_vec().unwrap());
            assert_eq!(found, result, "{name} at {state:?}");
        }
    }
}

fn open(options: Config) -> (Sim, Runtime) {
    let sim = Sim::new(Config { run: Run::Entry, ..options });
    let rt = Runtime::<NoBackends>::builder().backend(Arc::new(sim.clone())).build().unwrap();
    (sim, rt)
}

#[test]
fn two_writers_inside_one_page_on_two_devices_both_survive() {
    let (sim, rt) = open(Config { devices: 2, ..Config::default() });
    let mut x = Buffer::from(vec![1_u32; 100]);
    let mut p = rt.pipeline();
    p.push(affine(3, 0, x.view_mut(0..41)).over([41]));
    p.push(affine(5, 0, x.view_mut(41..100)).over([59]));
    p.exec().unwrap();
    assert_eq!(sim.counts().uploaded, 400, "no element is copied twice");
    let report = rt.submit(affine(2, 1, &mut x)).exec([100]).unwrap();
    // The first device lacks what the second one wrote, and gets no more than that.
    assert_eq!(report.transfers().downloaded, 4 * 59);
    assert_eq!(report.transfers().uploaded, 4 * 59);
    assert_eq!(x.to_vec().unwrap(), [[7; 41].as_slice(), &[11; 59]].concat());
}

#[test]
fn what_is_overwritten_is_not_copied_and_is_counted() {
    let (_, rt) = open(Config { devices: 1, ..Config::default() });
    let from = Buffer::from_shape([2, 3], (0..6).collect::<Vec<u32>>()).unwrap();
    let mut to = Buffer::zeros([3, 2]);
    let report = rt.submit(transpose(&from, &mut to)).exec([2, 3]).unwrap();
    assert_eq!((report.transfers().uploads, report.transfers().elided), (1, 1));
    let report = rt.submit(transpose(&from, &mut to)).exec([2, 3]).unwrap();
    assert_eq!((report.transfers().uploads, report.transfers().elided), (0, 0));
}

#[test]
fn moves_overlap_and_order_like_everything_else() {
    let (sim, rt) = open(Config { devices: 3, ..Config::default() });
    let mut x = Buffer::from(vec![1_u32; 64]);
    let y = Buffer::from(vec![2_u32; 64]);
    let mut p = rt.pipeline();
    p.begin_for(0..4_u32);
    p.push(affine(2, 1, &mut x).over([64]));
    p.move_to(&x, 2).move_to(&y, 1).move_from(&x).evict(&x, 2);
    p.end_for();
    p.exec().unwrap();
    assert_eq!(x.to_vec().unwrap(), [31; 64]);
    let space = rt.devices()[2].space().unwrap();
    assert!(x.whole().allocation.images().find(space).is_none(), "it was evicted");
    assert_eq!(sim.counts().launches, 4);
    let error = rt.pipeline().move_to(&x, 3).exec().unwrap_err();
    assert!(matches!(error, Error::Range { index: 3, len: 3, .. }), "{error}");
}

#[test]
fn eviction_brings_only_what_nobody_else_has() {
    let (sim, rt) = open(Config { devices: 2, ..Config::default() });
    let x = Buffer::from(vec![1_u32; 100]);
    let (mut low, mut high) = (x.view(0..40), x.view(60..100));
    let mut p = rt.pipeline();
    // Forty elements are current on each device alone, the rest on the host.
    p.push(affine(3, 1, &mut low).over([40]));
    p.push(affine(5, 1, &mut high).over([40]));
    p.exec().unwrap();
    let used = || [0, 1].map(|device| (sim.bytes_used(device), rt.devices()[device].bytes_used()));
    assert_eq!(used(), [(400, 400); 2]);
    sim.clear_calls();
    rt.pipeline().evict(&x, 0).exec().unwrap();
    let counts = sim.counts();
    assert_eq!((counts.downloads, counts.downloaded, counts.uploads), (1, 160, 0));
    assert_eq!(used(), [(0, 0), (400, 400)], "the other image stays");
    // What the host or another device has too is not brought.
    rt.pipeline().move_to(&x, 1).exec().unwrap();
    sim.clear_calls();
    rt.pipeline().evict(&x, 1).exec().unwrap();
    let counts = sim.counts();
    assert_eq!((counts.downloads, counts.downloaded, counts.uploads), (1, 160, 0));
    assert_eq!(used(), [(0, 0); 2]);
    sim.clear_calls();
    assert_eq!(x.to_vec().unwrap(), [&[4; 40][..], &[1; 20], &[6; 40]].concat());
    rt.pipeline().evict(&x, 0).evict(&x, 1).exec().unwrap();
    assert_eq!(sim.counts().downloads, 0);
}

#[test]
fn launches_that_do_not_fit_beside_each_other_wait_for_room() {
    // Two of five arrays fit, and up to four launches could run at once.
    let (_, rt) = open(Config { devices: 2, memory: 900, ..Config::default() });
    let mut all: Vec<Buffer<u32>> = (0..5).map(|k| Buffer::from(vec![k; 100])).collect();
    let mut p = rt.pipeline();
    p.begin_for(0..20_u32);
    for x in &mut all {
        p.push(affine(3, 1, x).over([100]));
    }
    p.end_for();
    p.exec().unwrap();
    for (k, x) in all.iter().enumerate() {
        let expected = (0..20).fold(k as u32, |v, _| v.wrapping_mul(3).wrapping_add(1));
        assert_eq!(x.to_vec().unwrap(), [expected; 100]);
    }
    for device in rt.devices() {
        assert!(device.bytes_used() <= 900);
    }
}

/// Copies take 5 ms each way.
fn slow_copies() -> Speed {
    let link = Link { latency: Duration::from_millis(5), bytes_per_second: 0 };
    Speed { up: link, down: link, ..Speed::default() }
}

#[test]
fn moves_that_do_not_fit_beside_each_other_wait_for_room() {
    // One of five arrays fits, and two moves run at once.
    let speed = slow_copies();
    let (sim, rt) = open(Config { devices: 1, memory: 500, speed, ..Config::default() });
    let all: Vec<Buffer<u32>> = (0..5).map(|k| Buffer::from(vec![k; 100])).collect();
    let mut p = rt.pipeline();
    for x in &all {
        p.move_to(x, 0);
    }
    p.exec().unwrap();
    let counts = sim.counts();
    assert_eq!((counts.uploads, counts.uploaded, counts.downloads), (5, 2000, 0));
    assert_eq!(sim.clock().now(), Duration::from_millis(25), "one after the other");
    assert_eq!(rt.devices()[0].bytes_used(), 400);

    // One that is larger than the device is an error when nobody uses it any more.
    let large = Buffer::from(vec![1_u32; 300]);
    let mut p = rt.pipeline();
    p.move_to(&all[0], 0).move_to(&large, 0);
    let error = p.exec().unwrap_err();
    assert!(matches!(error, Error::OutOfMemory { bytes: 1200, .. }), "{error}");
    assert!(error.to_string().contains("node 1"), "{error}");
    rt.pipeline().move_to(&all[1], 0).exec().unwrap();
    assert_eq!(rt.devices()[0].bytes_used(), 400);
}

#[test]
fn a_move_waits_for_the_launch_and_the_task_that_use_what_is_to_leave() {
    let speed = Speed { launch: Duration::from_millis(20), ..slow_copies() };
    let (sim, rt) = open(Config { devices: 1, memory: 500, speed, ..Config::default() });
    let (mut x, y) = (Buffer::from(vec![1_u32; 100]), Buffer::from(vec![2_u32; 100]));
    let mut p = rt.pipeline();
    p.push(affine(3, 1, &mut x).over([100])).move_to(&y, 0);
    p.exec().unwrap();
    // Whoever comes first; only what the kernel has written is copied back.
    let ways = [5 + 20 + 5 + 5, 5 + 5 + 20].map(Duration::from_millis);
    assert!(ways.contains(&sim.clock().now()), "{:?}", sim.calls());

    // What the host has too leaves also while a task reads it there.
    rt.pipeline().move_to(&y, 0).exec().unwrap();
    let (clock, mut p) = (sim.clock(), rt.pipeline());
    p.push(Task::new("reads", (&y,), move |(y,)| {
        clock.sleep(Duration::from_millis(50));
        assert_eq!(y[[99]], 2);
    }));
    p.move_to(&x, 0);
    let before = sim.clock().now();
    p.exec().unwrap();
    assert_eq!(sim.clock().now() - before, Duration::from_millis(50));
    assert_eq!(sim.counts().poison, 0);
    assert_eq!((x.to_vec().unwrap(), y.to_vec().unwrap()), (vec![4; 100], vec![2; 100]));
}

#[test]
fn a_prefetch_waits_for_room_that_another_run_holds_or_is_an_error_of_its_own() {
    let speed = Speed { launch: Duration::from_millis(20), ..slow_copies() };
    let (sim, rt) = open(Config { devices: 1, memory: 500, speed, ..Config::default() });
    let (mut x, y) = (Buffer::from(vec![1_u32; 100]), Buffer::from(vec![2_u32; 100]));
    let large = Buffer::from(vec![3_u32; 300]);
    let mut p = rt.pipeline();
    p.push(affine(3, 1, &mut x).over([100]));
    let running = p.launch();
    let brought = y.prefetch(&rt, 0);
    let refused = large.prefetch(&rt, 0);
    running.wait().unwrap();
    brought.wait().unwrap();
    let error = refused.wait().unwrap_err();
    assert!(matches!(error, Error::OutOfMemory { bytes: 1200, .. }), "{error}");
    // For what is too large for the device nothing has left.
    assert_eq!((sim.counts().poison, rt.devices()[0].bytes_used()), (0, 400));
    assert_eq!((x.get(99).unwrap(), y.get(99).unwrap(), large.get(299).unwrap()), (4, 2, 3));
}

#[test]
fn runs_of_several_threads_take_turns_on_a_device_that_has_room_for_one() {
    let (sim, rt) = open(Config { devices: 1, memory: 500, ..Config::default() });
    std::thread::scope(|scope| {
        for k in 0..4_u32 {
            let rt = &rt;
            scope.spawn(move || {
                let mut x = Buffer::from(vec![k; 100]);
                for turn in 1..=50 {
                    if turn % 3 == 0 {
                        x.prefetch(rt, 0).wait().unwrap();
                    }
                    rt.submit(affine(1, 1, &mut x)).exec([100]).unwrap();
                    assert_eq!(x.get(99).unwrap(), k + turn);
                }
            });
        }
    });
    assert_eq!(sim.counts().poison, 0);
}

#[test]
fn what_the_host_has_too_leaves_while_another_run_holds_the_array() {
    let (sim, rt) = open(Config { devices: 1, memory: 500, time: Time::Real, ..Config::default() });
    let (mut x, mut y) = (Buffer::from(vec![1_u32; 100]), Buffer::from(vec![2_u32; 100]));
    y.prefetch(&rt, 0).wait().unwrap();
    let mut p = rt.pipeline();
    let ((begins, has_begun), (go, told)) = (channel(), channel());
    p.push(Task::new("holds", (&mut y,), move |(mut y,)| {
        begins.send(()).unwrap();
        told.recv_timeout(Duration::from_secs(2)).unwrap();
        y[[99]] += 1;
    }));
    let holds = p.launch();
    has_begun.recv().unwrap();
    rt.submit(affine(3, 1, &mut x)).exec([100]).unwrap();
    assert_eq!(rt.devices()[0].bytes_used(), 400);
    go.send(()).unwrap();
    holds.wait().unwrap();
    assert_eq!((x.get(99).unwrap(), y.get(99).unwrap(), sim.counts().poison), (4, 3, 0));
}

#[test]
fn a_run_that_is_too_large_is_an_error_and_the_runtime_goes_on() {
    let (_, rt) = open(Config { devices: 1, memory: 900, ..Config::default() });
    let mut large = Buffer::from(vec![1_u32; 300]);
    let mut small = Buffer::from(vec![1_u32; 100]);
    let mut p = rt.pipeline();
    p.push(affine(3, 1, &mut small).over([100]));
    p.push(affine(3, 1, &mut large).over([300]));
    let error = p.exec().unwrap_err();
    assert!(matches!(error, Error::OutOfMemory { bytes: 1200, .. }), "{error}");
    assert_eq!(large.to_vec().unwrap(), [1; 300]);
    rt.submit(affine(2, 0, &mut small)).exec([100]).unwrap();
    assert!(small.get(0).unwrap() % 2 == 0);
    let whole = Section::whole(&[100]);
    assert!(!small.whole().allocation.images().host_is_valid(&whole) || small.get(99).is_ok());
}

#[test]
fn what_the_host_has_too_leaves_first_and_the_rest_is_spilled() {
    // Two arrays of 400 bytes fit.
    let (sim, rt) = open(Config { devices: 1, memory: 900, ..Config::default() });
    let [mut dirty, clean, mut third, mut fourth] =
        [1_u32, 2, 3, 4].map(|value| Buffer::from(vec![value; 100]));
    rt.submit(affine(3, 1, &mut dirty)).exec([100]).unwrap();
    rt.pipeline().move_to(&clean, 0).exec().unwrap();
    let moved = || (sim.counts().uploads, sim.counts().downloads, sim.counts().downloaded);
    assert_eq!(moved(), (2, 0, 0));
    // The older one is the only place of its elements; the other one goes, and nothing is copied.
    rt.submit(affine(5, 1, &mut third)).exec([100]).unwrap();
    assert_eq!(moved(), (3, 0, 0));
    // Now both are dirty, and the older one is spilled.
    rt.submit(affine(7, 1, &mut fourth)).exec([100]).unwrap();
    assert_eq!(moved(), (4, 1, 400));
    // It is brought again where it is needed, which spills the next one.
    rt.submit(affine(2, 0, &mut dirty)).exec([100]).unwrap();
    assert_eq!(moved(), (5, 2, 800));
    assert_eq!((sim.bytes_used(0), rt.devices()[0].bytes_used()), (800, 800));
    let all = [&dirty, &clean, &third, &fourth].map(|x| x.to_vec().unwrap());
    assert_eq!(all, [[8; 100], [2; 100], [16; 100], [29; 100]]);
    assert_eq!(sim.counts().poison, 0);
    // More than all of it is a typed error; what is there stays, and the runtime goes on.
    let mut large = Buffer::from(vec![1_u32; 300]);
    let error = rt.submit(affine(3, 1, &mut large)).exec([300]).unwrap_err();
    assert!(matches!(error, Error::OutOfMemory { bytes: 1200, .. }), "{error}");
    rt.submit(affine(3, 1, &mut third)).exec([100]).unwrap();
    let left = [&dirty, &third, &large].map(|x| x.get(99).unwrap());
    assert_eq!(left, [8, 49, 1]);
}

/// A task that fills an array, or a box of it, with 7, and fails after so many elements.
pub(super) fn fill<'a>(y: impl Arg<'a, ViewMut<'a, u32, 2>>, fails: Option<usize>) -> Task<'a> {
    Task::from_parts("fill", [TaskArg::fill("y", y.bind())], move |views, _| {
        let mut y = views.view_mut::<u32, 2>()?;
        let [h, w] = y.shape();
        for (k, at) in (0..h).flat_map(|j| (0..w).map(move |i| [j, i])).enumerate() {
            match fails {
                Some(n) if n == k && k % 2 == 0 => return Err(Failure::Returned("full".into())),
                Some(n) if n == k => panic!("full"),
                _ => y[at] = 7,
            }
        }
        Ok(())
    })
}

fn run(rt: &Runtime, task: Task<'_>) -> Result<Report, Error> {
    let mut p = rt.pipeline();
    p.push(task);
    p.exec()
}

#[test]
fn what_a_host_task_fills_is_not_brought() {
    for (state, elided) in [((true, false), 0), ((false, true), 1), ((true, true), 0)] {
        let mut bench = Bench::new(state);
        let report = run(&bench.rt, fill(&mut bench.x, None)).unwrap();
        assert_eq!((bench.counts().downloads, report.transfers().elided), (0, elided), "{state:?}");
        assert_eq!(bench.state(), (true, false), "{state:?}");
        assert_eq!(bench.x.to_vec().unwrap(), [7; 24]);
    }
    // Two rows: the others are still on the device, and are all that comes back.
    let bench = Bench::new((false, true));
    let before = bench.other.to_vec().unwrap();
    run(&bench.rt, fill(&mut bench.x.view((1..3, 0..6)), None)).unwrap();
    assert_eq!(bench.counts().downloads, 0);
    let found = bench.x.to_vec().unwrap();
    assert_eq!(bench.counts().downloaded, BYTES / 2);
    let transposed = |k: usize| before[k % 6 * 4 + k / 6];
    let expected = |k: usize| if (6..18).contains(&k) { 7 } else { transposed(k) };
    assert_eq!(found, (0..24).map(expected).collect::<Vec<_>>());
}

#[test]
fn a_host_task_that_fails_to_fill_leaves_what_a_device_has() {
    for fails in [0, 5, 8, 23] {
        // What the device alone had is current there.
        let mut bench = Bench::new((false, true));
        let before = Bench::new((false, true)).x.to_vec().unwrap();
        let error = run(&bench.rt, fill(&mut bench.x, Some(fails))).unwrap_err();
        assert!(matches!(error, Error::HostTask { .. } | Error::HostTaskPanic { .. }), "{error}");
        assert_eq!(bench.state(), (false, true));
        assert_eq!(bench.x.to_vec().unwrap(), before);
        assert_eq!(bench.counts().downloaded, BYTES);

        // What the host had is what the task has left, and nobody has anything else.
        for state in [(true, false), (true, true)] {
            let mut bench = Bench::new(state);
            run(&bench.rt, fill(&mut bench.x, Some(fails))).unwrap_err();
            assert_eq!(bench.state(), (true, false));
            let was = &bench.initial[0];
            let expected = (0..24).map(|k| if k < fails { 7 } else { was[k] });
            assert_eq!(bench.x.to_vec().unwrap(), expected.collect::<Vec<_>>());
        }

        // Half of it each.
        let mut bench = Bench::new((false, true));
        run(&bench.rt, fill(&mut bench.x.view((0..2, 0..6)), None)).unwrap();
        run(&bench.rt, fill(&mut bench.x.view((1..4, 0..6)), Some(fails.min(17)))).unwrap_err();
        let expected = (0..24).map(|k| if k < 12 { 7 } else { before[k] });
        assert_eq!(bench.x.to_vec().unwrap(), expected.collect::<Vec<_>>());
        run(&bench.rt, fill(&mut bench.x, None)).unwrap();
        assert_eq!(bench.x.to_vec().unwrap(), [7; 24], "and all goes on");
    }
}

/// Beside a kernel that makes the array, in a loop whose task has its data brought before its turn.
#[test]
fn tasks_that_fill_wait_for_who_makes_an_array_and_for_their_turn() {
    let (sim, rt) = open(Config { devices: 1, ..Config::default() });
    let (mut x, mut y) = (Buffer::from(vec![1_u32; 8]), Buffer::from(vec![2_u32; 8]));
    let mut p = rt.pipeline();
    p.begin_for(0..4_u32);
    p.push(affine(3, 1, &mut x).over([8]));
    p.push(affine(5, 2, &mut y).over([8]));
    let args = [
        TaskArg::read("x", Arg::<&[u32]>::bind(&x)),
        TaskArg::fill("y", Arg::<&mut [u32]>::bind(&mut y)),
    ];
    p.push(Task::from_parts("copy", args, |views, _| {
        let (x, y) = (views.slice::<u32>()?, views.slice_mut::<u32>()?);
        y.copy_from_slice(x);
        Ok(())
    }));
    p.end_for();
    let report = p.exec().unwrap();
    assert_eq!((report.transfers().downloads, report.transfers().elided), (4, 4));
    let names: Vec<_> = p.explain().unwrap().copies().iter().map(|c| c.name.clone()).collect();
    assert!(names.contains(&"download x".to_owned()), "{names:?}");
    assert!(!names.contains(&"download y".to_owned()), "{names:?}");
    assert_eq!(y.to_vec().unwrap(), x.to_vec().unwrap());
    assert_eq!(x.get(0).unwrap(), 121);

    // A launch under way that fails says so before its array is overwritten.
    let mut p = rt.pipeline();
    p.push(affine(5, 2, &mut y).over([8]));
    p.push(Task::from_parts(
        "fill",
        [TaskArg::fill("y", Arg::<&mut [u32]>::bind(&mut y))],
        |views, _| {
            views.slice_mut::<u32>()?.fill(9);
            Ok(())
        },
    ));
    sim.inject(Fault::Break { call: SimKind::Launch, nth: 0, device: None });
    let error = p.exec().unwrap_err();
    assert!(error.to_string().contains("launch of kernel `affine`"), "{error}");
    assert_eq!(y.to_vec().unwrap(), [121; 8], "as if nothing had run");
    p.exec().unwrap();
    assert_eq!(y.to_vec().unwrap(), [9; 8]);
}

#[test]
fn elements_go_from_a_device_to_a_peer_in_one_copy() {
    let link = |us| Link { latency: Duration::from_micros(us), bytes_per_second: 0 };
    let speed =
        Speed { up: link(5), down: link(3), launch: Duration::from_micros(7), ..Speed::default() };
    for (peers, copy, parts) in [(true, 5, [1, 0, 1]), (false, 3 + 5, [2, 1, 0])] {
        let config = Config { devices: 2, peers, run: Run::Entry, ..Config::default() };
        let sim = Sim::new(Config { speed: speed.clone(), ..config });
        let builder = Runtime::<NoBackends>::builder().backend(Arc::new(sim.clone()));
        let rt = builder.trace(true).build().unwrap();
        let mut x = Buffer::from((0..24).collect::<Vec<u32>>());
        let mut p = rt.pipeline();
        p.push(affine(3, 1, &mut x).pin(0).over([24]));
        p.push(affine(5, 2, &mut x).pin(1).over([24]));
        let report = p.exec().unwrap();
        drop(p);
        let moved = report.transfers();
        assert_eq!([moved.uploads, moved.downloads, moved.peer_copies], parts);
        assert_eq!(moved.peer_copied, parts[2] * BYTES);
        assert_eq!(report.to_string().contains("between devices"), peers, "{report}");
        // Up, a kernel, over to the other device, a kernel.
        assert_eq!(sim.usage().makespan, Duration::from_micros(5 + 7 + copy + 7));
        let trace = report.trace().unwrap();
        let between = trace.intervals().iter().find(|i| i.kind == crate::trace::Kind::Peer);
        let between = between.map(|i| (&*i.name, i.unit.to_string(), i.bytes));
        assert_eq!(between, peers.then(|| ("move x", "sim:0 down".to_owned(), BYTES)));
        assert_eq!(x.to_vec().unwrap(), (0..24).map(|x| 5 * (3 * x + 1) + 2).collect::<Vec<_>>());
    }
}
