//! Kernels that wait inside of their bodies: programs that come to their end in time only if two
//! things truly run at once. A side that waits in vain reports a miss after two seconds; as a machine may
//! do much else for so long, one run of several without a miss is enough. Under `sync`, where nothing
//! overlaps, each program must report one, after a moment.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use flash::__private::ir::{ScalarTy, Ty};
use flash::prelude::*;
use flash::{Arg, Call};
use flash_rt::descriptor::{
    Component, DESCRIPTOR_VERSION, Elem, Entries, Flags, KernelDescriptor, Order, ParamDescriptor,
    Parts, Role,
};
use flash_rt::entry::{Args, Bad};
use flash_rt::sim::{Config, Run, Sim, Time, What};
use flash_rt::{Block, Pipeline};

/// How long one side waits for the other, in milliseconds, where they meet and where they cannot.
const LONG: u32 = 2_000;
const SHORT: u32 = 50;
/// How many runs may end with a miss before it is the program's.
const RUNS: usize = 5;

/// Which sides are there; each test takes its own.
static FLAGS: [AtomicBool; 512] = [const { AtomicBool::new(false) }; 512];

/// The numbers of two sides.
fn sides() -> [u32; 2] {
    static NEXT: AtomicUsize = AtomicUsize::new(0);
    let first = NEXT.fetch_add(2, Ordering::Relaxed) as u32;
    [first, first + 1]
}

/// Says that one side is there and waits for the other; whether it came.
fn meet(here: u32, there: u32, patience: u32) -> bool {
    FLAGS[here as usize].store(true, Ordering::Release);
    comes(patience, || FLAGS[there as usize].load(Ordering::Acquire))
}

/// One of several runs says that both sides met.
fn one_meets(name: &str, run: impl FnMut(usize) -> bool) {
    assert!((0..RUNS).any(run), "{name}: a miss in each of {RUNS} runs");
}

fn comes(patience: u32, there: impl Fn() -> bool) -> bool {
    let start = Instant::now();
    while !there() {
        if start.elapsed() > Duration::from_millis(patience.into()) {
            return false;
        }
        std::thread::sleep(Duration::from_micros(100));
    }
    true
}

const fn param(name: &'static str, role: Role, ty: ScalarTy, elem: Elem) -> ParamDescriptor {
    let (ty, own): (_, &[Component]) = match role {
        Role::InOut => (Ty::Scalar(ty), &[Component::Id { dim: 0, offset: |_| Some(0) }]),
        _ => (Ty::Scalar(ty), &[]),
    };
    let rank = if own.is_empty() { 0 } else { 1 };
    ParamDescriptor { name, role, ty, elem, rank, own, raw: false, always_written: true }
}

/// A kernel of one item: 1 if the other side came, 0 for a miss.
static GATED: KernelDescriptor = KernelDescriptor {
    version: DESCRIPTOR_VERSION,
    name: "gated",
    path: module_path!(),
    signature: 0,
    rank: 1,
    params: &[
        param("here", Role::Value, ScalarTy::U32, Elem::of::<u32>()),
        param("there", Role::Value, ScalarTy::U32, Elem::of::<u32>()),
        param("patience", Role::Value, ScalarTy::U32, Elem::of::<u32>()),
        param("met", Role::InOut, ScalarTy::U64, Elem::of::<u64>()),
    ],
    inputs: None,
    flags: Flags { idempotent: false, fast_math: false, deterministic: false },
    order: Order::NATURAL,
    parts: Parts::Whole,
    search: None,
    table: None,
    needs: &[],
    entries: Some(Entries::portable(gated)),
    ir: None,
    slow: &[],
    implementations: &[],
    file: file!(),
    line: line!(),
    column: 1,
    unoptimised: false,
};

fn gated(args: &mut Args<'_>, _: &Block) {
    let met = meet(args.value(0), args.value(1), args.value(2));
    args.own::<u64, 1>(3).set([0], [0], 0, &mut Bad::new(), met.into());
}

fn kernel(p: &mut Pipeline<'static>, met: &mut Buffer<u64>, [here, there]: [u32; 2], ms: u32) {
    let values = [here, there, ms].map(Arg::<u32>::bind);
    let [a, b, c] = values;
    p.push(Call::<1>::new(&GATED, [a, b, c, Arg::<&mut [u64]>::bind(met)]).over([1]));
}

fn task(met: &mut Buffer<u64>, [here, there]: [u32; 2], ms: u32) -> Task<'static> {
    Task::new("waits", (met,), move |(mut met,)| met[0] = meet(here, there, ms).into())
}

/// Devices whose units are threads, so that kernels run beside each other and beside copies.
fn simulator(devices: usize) -> Sim {
    Sim::new(Config { devices, run: Run::Entry, time: Time::Real, ..Config::default() })
}

/// Runs a program of two sides where things may overlap and where they may not.
fn meets(build: impl Fn(&mut Pipeline<'static>, [&mut Buffer<u64>; 2], [u32; 2], u32)) {
    for sync in [false, true] {
        let cpu = Runtime::builder().devices("ALL_CPU").threads(2).sync(sync).build().unwrap();
        let sim = Runtime::builder().backend(Arc::new(simulator(2))).sync(sync).build().unwrap();
        for rt in [cpu, sim] {
            let name = rt.devices()[0].name();
            let run = |patience| {
                let (mut x, mut y) = (Buffer::from(vec![7]), Buffer::from(vec![7]));
                let mut p = rt.pipeline();
                build(&mut p, [&mut x, &mut y], sides(), patience);
                p.exec().unwrap();
                [x.get(0).unwrap(), y.get(0).unwrap()]
            };
            if sync {
                assert!(run(SHORT).contains(&0), "{name}: they met under `sync`");
            } else {
                one_meets(name, |_| run(LONG) == [1, 1]);
            }
        }
    }
}

#[test]
fn two_kernels_wait_for_each_others_flag() {
    meets(|p, [x, y], [a, b], ms| {
        kernel(p, x, [a, b], ms);
        kernel(p, y, [b, a], ms);
    });
}

#[test]
fn kernels_of_two_loops_wait_for_each_others_flag() {
    meets(|p, [x, y], [a, b], ms| {
        p.begin_for(0..1_u32);
        kernel(p, x, [a, b], ms);
        p.end_for();
        p.begin_if(true);
        kernel(p, y, [b, a], ms);
        p.end_if();
    });
}

#[test]
fn a_task_returns_when_a_later_kernel_has_started() {
    meets(|p, [x, y], [a, b], ms| {
        p.push(task(x, [a, b], ms));
        // It waits for nothing but itself.
        kernel(p, y, [b, b], ms);
    });
}

/// Programs that were over at once, as both sides were there already: how short they were says nothing of
/// how long a side waits later.
fn meets_after_short_runs(
    build: impl Fn(&mut Pipeline<'static>, [&mut Buffer<u64>; 2], [u32; 2], u32),
) {
    let rt = Runtime::builder().devices("ALL_CPU").threads(2).build().unwrap();
    for is_kept in [true, false] {
        one_meets("after short runs", |_| {
            let (mut x, mut y) = (Buffer::from(vec![7]), Buffer::from(vec![7]));
            let sides = sides();
            let are_there = |there| {
                for side in sides {
                    FLAGS[side as usize].store(there, Ordering::Release);
                }
            };
            let mut fresh = || {
                let mut p = rt.pipeline();
                build(&mut p, [&mut x, &mut y], sides, LONG);
                p
            };
            let mut kept = fresh();
            are_there(true);
            for _ in 0..50 {
                if is_kept {
                    kept.exec().unwrap()
                } else {
                    fresh().exec().unwrap()
                };
            }
            are_there(false);
            if is_kept {
                kept.exec().unwrap()
            } else {
                fresh().exec().unwrap()
            };
            [x.get(0).unwrap(), y.get(0).unwrap()] == [1, 1]
        });
    }
}

#[test]
fn two_kernels_meet_after_short_runs() {
    meets_after_short_runs(|p, [x, y], [a, b], ms| {
        kernel(p, x, [a, b], ms);
        kernel(p, y, [b, a], ms);
    });
}

#[test]
fn a_task_meets_a_later_kernel_after_short_runs() {
    meets_after_short_runs(|p, [x, y], [a, b], ms| {
        p.push(task(x, [a, b], ms));
        kernel(p, y, [b, b], ms);
    });
}

/// Runs a program whose two sides meet only if `launch` returns while its pipeline runs.
fn meets_after_launch(run: impl Fn(&Runtime, u32) -> bool) {
    for sync in [false, true] {
        let cpu = Runtime::builder().devices("ALL_CPU").threads(2).sync(sync).build().unwrap();
        let sim = Runtime::builder().backend(Arc::new(simulator(2))).sync(sync).build().unwrap();
        for rt in [cpu, sim] {
            let name = rt.devices()[0].name();
            if sync {
                assert!(!run(&rt, SHORT), "{name}: they met under `sync`");
            } else {
                one_meets(name, |_| run(&rt, LONG));
            }
        }
    }
}

#[test]
fn two_launched_pipelines_wait_for_each_other() {
    meets_after_launch(|rt, ms| {
        let [a, b] = sides();
        let (mut x, mut y) = (Buffer::from(vec![7]), Buffer::from(vec![7]));
        let (mut p, mut q) = (rt.pipeline(), rt.pipeline());
        kernel(&mut p, &mut x, [a, b], ms);
        q.push(task(&mut y, [b, a], ms));
        for handle in [p.launch(), q.launch()] {
            handle.wait().unwrap();
        }
        [x.get(0).unwrap(), y.get(0).unwrap()] == [1, 1]
    });
}

#[test]
fn two_pipelines_of_a_scope_wait_for_each_other() {
    meets_after_launch(|rt, ms| {
        let [a, b] = sides();
        let (mut x, mut y) = (Buffer::from(vec![7]), Buffer::from(vec![7]));
        let (mut p, mut q) = (rt.pipeline(), rt.pipeline());
        kernel(&mut p, &mut x, [a, b], ms);
        q.push(task(&mut y, [b, a], ms));
        rt.scope(|scope| [scope.launch(&mut p), scope.launch(&mut q)].map(drop)).unwrap();
        [x.get(0).unwrap(), y.get(0).unwrap()] == [1, 1]
    });
}

/// The first host task hears from the caller, who speaks when `launch` has returned.
#[test]
fn launch_returns_while_the_first_task_is_held_on_a_channel() {
    meets_after_launch(|rt, ms| {
        let (say, hear) = std::sync::mpsc::channel::<()>();
        let (mut x, mut y) = (Buffer::from(vec![7]), Buffer::from(vec![7]));
        let mut p = rt.pipeline();
        p.push(Task::new("held", (&mut x,), move |(mut x,)| {
            x[0] = hear.recv_timeout(Duration::from_millis(ms.into())).is_ok().into();
        }));
        let [a, _] = sides();
        kernel(&mut p, &mut y, [a, a], ms);
        let handle = p.launch();
        // Nobody hears it where the task has given up.
        let heard = say.send(()).is_ok();
        handle.wait().unwrap();
        assert_eq!(y.get(0).unwrap(), 1, "it waits for nothing but itself");
        heard && x.get(0).unwrap() == 1
    });
}

/// Whether the kernel that is held sees that an upload submitted after it has ended.
fn held_kernel_sees_an_upload(sync: bool) -> bool {
    let sim = simulator(1);
    let rt = Runtime::builder().backend(Arc::new(sim.clone())).sync(sync).build().unwrap();
    let [held, uploaded] = sides();
    let (mut x, y) = (Buffer::from(vec![7]), Buffer::from(vec![1_u64; 1000]));
    let mut p = rt.pipeline();
    kernel(&mut p, &mut x, [held, uploaded], if sync { SHORT } else { LONG });
    p.move_to(&y, 0);
    let is_over = AtomicBool::new(false);
    std::thread::scope(|scope| {
        let watcher = scope.spawn(|| {
            let ended = || {
                sim.calls().iter().any(|call| {
                    matches!(call.what, What::Upload { to, .. } if to.bytes() == 8000)
                        && call.span.is_some()
                })
            };
            while !ended() && !is_over.load(Ordering::Acquire) {
                std::thread::sleep(Duration::from_micros(100));
            }
            FLAGS[uploaded as usize].store(true, Ordering::Release);
            ended()
        });
        p.exec().unwrap();
        is_over.store(true, Ordering::Release);
        assert!(watcher.join().unwrap(), "it was uploaded at last");
    });
    x.get(0).unwrap() == 1
}

#[test]
fn an_upload_ends_while_a_kernel_is_held() {
    one_meets("an upload", |_| held_kernel_sees_an_upload(false));
    assert!(!held_kernel_sees_an_upload(true), "they met under `sync`");
}
