//! Random pipelines mean what they mean one by one: kernels that do not commute over shared buffers,
//! their views, borrowed slices and parts of those, `swap`, cells as arguments, bounds, spaces and conditions, nested
//! loops and decisions, loops said as ranges of stages, host tasks, moves, switches of the policy, predicates of stages, kernels and
//! pipelines, while the host prefetches, evicts and reads, against a sequential interpreter; run by
//! `exec`, `launch` and `scope`, on the CPU with 1, 2 and 8 threads and on simulators with 1 to 4
//! devices of unlike speed, beside it and alone, with one to three memories for an array, whose
//! kernels, copies and host tasks take random times, and beside one and two OpenCL devices and one to three CUDA devices of the driver for tests. What reports and reads count is what the devices
//! have in their log of calls; what pipelines explain of themselves before they run is a graph that can be
//! read, and moves nothing. A call of a device may fail there, and a host task may return an error,
//! panic, or cancel its run. And the same tests notice a transfer that is left out, and an edge of any
//! kind.
//!
//! `scripts/long-runs pipelines` is the long run;
//! `FLASH_SEED=<n>` begins at another seed, and `FLASH_COPIES=<n>` lets images take turns in so many
//! memories.
#![allow(clippy::unwrap_used, reason = "a test fails by unwrapping")]

mod random_pipelines {
    pub(crate) mod build;
    pub(crate) mod check;
    pub(crate) mod dot;
    pub(crate) mod faults;
    pub(crate) mod generate;
    pub(crate) mod history;
    pub(crate) mod interpret;
    pub(crate) mod kernels;
    pub(crate) mod notes;
    pub(crate) mod run;
    pub(crate) mod steps;
    pub(crate) mod traps;
    pub(crate) mod watch;
}

use std::sync::Arc;
use std::time::Duration;

use flash::prelude::*;
use flash_cuda::Cuda;
use flash_ocl::OpenCl;
use flash_rt::backend::clock::Clock;
use flash_rt::sim::{Config, Fault, Link, Run, Sim, Speed, Time};
use flash_rt::{Edge, Missing, Pick, Side};
use flash_tests::oclgrind;
use random_pipelines::check::{
    ALL_CASES, Ground, builder, copying, draw, draw_ranges, expected, family,
};
use random_pipelines::generate::{Random, Shape};
use random_pipelines::history::Order;
use random_pipelines::run::{How, run};
use random_pipelines::steps::Step;
use random_pipelines::traps;

/// How many cases each family has. Those on one to four simulated devices beside the CPU are at least
/// [`ALL_CASES`] together.
const ONE_THREAD: u64 = 500;
const TWO_THREADS: u64 = 500;
const EIGHT_THREADS: u64 = 500;
const DEVICES: u64 = 3500;
const UNLIKE: u64 = 1000;
const LAST_FIRST: u64 = 2000;
const ANY_ORDER: u64 = 2000;
const SYNC: u64 = 800;
const DATAFLOW: u64 = 800;
const INTERPRETED: u64 = 300;
const REAL_TIME: u64 = 100;
const SMALL: u64 = 1000;
const RANGES: u64 = 1000;
const OPENCL: u64 = 600;
const CUDA: u64 = 300;
const FAULTS: u64 = 150;
const _: () = assert!(
    4 * DEVICES + LAST_FIRST + ANY_ORDER + SYNC + DATAFLOW + INTERPRETED + REAL_TIME >= ALL_CASES
);

/// Times of up to some microseconds.
fn micros(random: &mut Random) -> Duration {
    Duration::from_micros(random.below(8) as u64)
}

fn speed(random: &mut Random) -> Speed {
    // None, and from a hundred items or bytes in a microsecond to ten thousand.
    let mut rate = || [0, 1, 10, 100][random.below(4)] * 100_000_000;
    let rates = [rate(), rate(), rate()];
    let mut link = |rate| Link { latency: micros(random), bytes_per_second: rate };
    let (up, down) = (link(rates[0]), link(rates[1]));
    Speed {
        launch: micros(random),
        items_per_second: rates[2] / 10,
        up,
        down,
        shared_copies: random.below(2) == 0,
        queues: 1 + random.below(3) as u8,
        ..Speed::default()
    }
}

/// Devices with random speeds, each its own, on a virtual clock.
fn delayed(devices: usize, random: &mut Random) -> Config {
    let others = (0..devices).map(|k| (k, speed(random))).collect();
    let seed = random.next().into();
    // Every other one has devices that copy to each other.
    let peers = seed % 2 == 1;
    Config { devices, run: Run::Entry, others, seed: Some(seed), peers, ..Config::default() }
}

/// Some devices with the CPU beside them, or without it.
fn beside_the_cpu(config: Config, random: &mut Random) -> Ground {
    let sim = Sim::new(config);
    let clock: Arc<dyn Clock> = sim.clock();
    let builder = copying(random).backend(Arc::new(sim.clone())).devices("ALL_CPU").threads(2);
    Ground { clock: Some(clock), sim: Some(sim), ..builder.build().unwrap().into() }
}

fn on_the_cpu(threads: usize) -> Ground {
    builder().devices("ALL_CPU").threads(threads).build().unwrap().into()
}

#[test]
fn on_one_thread() {
    family("on_one_thread", ONE_THREAD, |_| on_the_cpu(1));
}

#[test]
fn on_two_threads() {
    family("on_two_threads", TWO_THREADS, |_| on_the_cpu(2));
}

#[test]
fn on_eight_threads() {
    family("on_eight_threads", EIGHT_THREADS, |_| on_the_cpu(8));
}

#[test]
fn on_one_device_and_the_cpu() {
    family("on_one_device_and_the_cpu", DEVICES, |random| {
        beside_the_cpu(delayed(1, random), random)
    });
}

#[test]
fn on_two_devices_and_the_cpu() {
    family("on_two_devices_and_the_cpu", DEVICES, |random| {
        beside_the_cpu(delayed(2, random), random)
    });
}

#[test]
fn on_three_devices_and_the_cpu() {
    family("on_three_devices_and_the_cpu", DEVICES, |random| {
        beside_the_cpu(delayed(3, random), random)
    });
}

#[test]
fn on_four_devices_and_the_cpu() {
    family("on_four_devices_and_the_cpu", DEVICES, |random| {
        beside_the_cpu(delayed(4, random), random)
    });
}

/// Loops that are said after their stages: `cascade`, `seq`, `custom_loop`, and a number for all of them.
#[test]
fn with_loops_over_ranges_of_stages() {
    family("with_loops_over_ranges_of_stages", RANGES, |random| {
        let ground = match random.below(3) {
            0 => on_the_cpu(1 + random.below(2)),
            devices => beside_the_cpu(delayed(devices, random), random),
        };
        Ground { draw: draw_ranges, ..ground }
    });
}

/// Devices that have no room for all arrays, or for all of one: some leave, of some there is only a part,
/// and what has no room at all runs elsewhere.
#[test]
fn on_devices_without_room() {
    family("on_devices_without_room", SMALL, without_room);
}

fn without_room(random: &mut Random) -> Ground {
    let devices = 1 + random.below(3);
    let memory = (128 + 64 * random.below(30)) as u64;
    let ground = beside_the_cpu(Config { memory, ..delayed(devices, random) }, random);
    // What is brought by itself has no room while others have what they need, and runs nowhere else.
    Ground { alone: true, ..ground }
}

/// Without the CPU all times are known, and launches are placed by them.
#[test]
fn on_devices_of_unlike_speed() {
    family("on_devices_of_unlike_speed", UNLIKE, unlike);
}

fn unlike(random: &mut Random) -> Ground {
    let devices = 2 + random.below(3);
    let sim = Sim::new(delayed(devices, random));
    let clock: Arc<dyn Clock> = sim.clock();
    let rt = copying(random).backend(Arc::new(sim.clone())).threads(2).build().unwrap();
    Ground { clock: Some(clock), sim: Some(sim), ..rt.into() }
}

/// The order that is furthest from the program's.
#[test]
fn in_the_last_order() {
    family("in_the_last_order", LAST_FIRST, |random| picking(Pick::Last, random));
}

#[test]
fn in_any_order() {
    family("in_any_order", ANY_ORDER, any_order);
}

fn any_order(random: &mut Random) -> Ground {
    let pick = Pick::Random(random.next().into());
    picking(pick, random)
}

fn picking(pick: Pick, random: &mut Random) -> Ground {
    let devices = 1 + random.below(4);
    let sim = Sim::new(delayed(devices, random));
    let clock: Arc<dyn Clock> = sim.clock();
    let builder = copying(random).devices("ALL_CPU").pick(pick);
    let rt = builder.backend(Arc::new(sim.clone())).build().unwrap();
    Ground { clock: Some(clock), sim: Some(sim), ..rt.into() }
}

#[test]
fn one_after_the_other() {
    family("one_after_the_other", SYNC, in_sync);
}

fn in_sync(random: &mut Random) -> Ground {
    let sim = Sim::new(delayed(2, random));
    let clock: Arc<dyn Clock> = sim.clock();
    let builder = copying(random).backend(Arc::new(sim.clone())).devices("ALL_CPU");
    let rt = builder.sync(true).build().unwrap();
    Ground { clock: Some(clock), order: Order::Program, sim: Some(sim), ..rt.into() }
}

#[test]
fn with_host_tasks_side_by_side() {
    family("with_host_tasks_side_by_side", DATAFLOW, dataflow);
}

fn dataflow(random: &mut Random) -> Ground {
    let sim = Sim::new(delayed(2, random));
    let clock: Arc<dyn Clock> = sim.clock();
    let builder = copying(random).backend(Arc::new(sim.clone())).devices("ALL_CPU").threads(2);
    let rt = builder.dataflow(true).build().unwrap();
    Ground { clock: Some(clock), order: Order::Data, sim: Some(sim), ..rt.into() }
}

#[test]
fn on_devices_that_interpret() {
    family("on_devices_that_interpret", INTERPRETED, |random| {
        beside_the_cpu(Config { run: Run::Ir, ..delayed(2, random) }, random)
    });
}

#[test]
fn in_real_time() {
    family("in_real_time", REAL_TIME, |random| {
        beside_the_cpu(Config { time: Time::Real, ..delayed(2, random) }, random)
    });
}

/// What makes PoCL two devices.
const TWICE: (&str, &str) = ("POCL_DEVICES", "pthread pthread");

/// Devices whose compilers, queues and events are a driver's, with the CPU beside them.
#[test]
fn on_opencl_devices_and_the_cpu() {
    let Some(opencl) = flash_tests::opencl() else { return };
    let n = opencl.devices().len();
    if std::env::var(TWICE.0).is_ok_and(|devices| devices == TWICE.1) {
        assert!(n >= 2, "{:?}", opencl.devices());
    }
    let options = flash_rt::Options::from_env().unwrap();
    let beside_the_cpu = |builder: flash_rt::Builder<flash::Enabled>| {
        let builder = builder.backend(Arc::new(OpenCl::new(&options))).devices("ALL_CPU");
        let rt = builder.threads(2).build().unwrap();
        assert_eq!(rt.devices().len(), n + 1);
        rt
    };
    // They take part.
    let rt = beside_the_cpu(builder().round_robin(true));
    let (state, steps) = draw(0, Shape::ALL);
    let (_, counted) = run((&rt, None), How::Exec, 1, (&steps, &[]), &state).unwrap();
    assert!(counted.moved.uploads > 0 && counted.moved.downloads > 0, "{counted:?}");
    let ground = |random: &mut Random| {
        let builder = copying(random).round_robin(random.below(2) == 0);
        let order = if random.below(4) == 0 { Order::Program } else { Order::Tasks };
        Ground { order, ..beside_the_cpu(builder.sync(order == Order::Program)).into() }
    };
    family("on_opencl_devices_and_the_cpu", OPENCL, ground);
    traps::family("on_opencl_devices_and_the_cpu", OPENCL / 4, ground);
}

/// What its kernels touch, as Oclgrind sees it.
#[test]
fn opencl_kernels_touch_what_is_theirs() {
    if !oclgrind::is_here_or_clean("opencl_kernels_touch_what_is_theirs") {
        return;
    }
    // What it knows of memory for races has no lock (21.10): an allocation beside a kernel ends the process.
    flash_ocl::calls::one_at_a_time();
    let opencl = OpenCl::new(&flash_rt::Options::from_env().unwrap());
    let rt = builder().backend(Arc::new(opencl)).devices("ALL_CPU").round_robin(true);
    let ground = Ground::from(rt.build().unwrap());
    assert_eq!(ground.rt.devices().len(), 2);
    assert_eq!(ground.first_differing(60, Shape::ALL), None);
}

/// The drivers are read once in a process, so two devices of PoCL are those of another one.
#[test]
fn on_two_opencl_devices_and_the_cpu() {
    if flash_tests::opencl().is_none() {
        return;
    }
    let mut again = std::process::Command::new(std::env::current_exe().unwrap());
    again.args(["--exact", "on_opencl_devices_and_the_cpu"]);
    let run = again.env(TWICE.0, TWICE.1).output().unwrap();
    let said = String::from_utf8_lossy(&run.stdout);
    let has_run = run.status.success() && said.contains("1 passed");
    assert!(has_run, "with {}={:?}\n{said}", TWICE.0, TWICE.1);
}

/// Likewise CUDA devices, which run kernels as NVRTC compiles them: one, two and three of the driver for
/// tests.
#[test]
fn on_cuda_devices_and_the_cpu() {
    for devices in 1..=3 {
        let settings = format!("devices={devices},hazards=1");
        let Some((backend, driver)) = flash_tests::cuda::backend(&settings) else { return };
        let beside_the_cpu = |builder: flash_rt::Builder<flash::Enabled>| {
            // Each time anew where that is quick, as what it keeps is part of what is tested.
            let anew = driver.as_ref().map(|_| Arc::new(Cuda::new(&flash_tests::cuda::options())));
            let backend = anew.unwrap_or_else(|| backend.clone());
            builder.backend(backend).devices("ALL_CPU").threads(2).build().unwrap()
        };
        let rt = beside_the_cpu(builder().round_robin(true));
        assert!(rt.devices().len() > devices);
        let (state, steps) = draw(0, Shape::ALL);
        let (_, counted) = run((&rt, None), How::Exec, 1, (&steps, &[]), &state).unwrap();
        assert!(counted.moved.uploads > 0 && counted.moved.downloads > 0, "{counted:?}");
        family("on_cuda_devices_and_the_cpu", CUDA, |random| {
            let builder = copying(random).round_robin(random.below(2) == 0);
            beside_the_cpu(builder.sync(random.below(4) == 0)).into()
        });
        flash_tests::cuda::assert_orderly(driver.as_ref());
    }
}

#[test]
fn from_several_threads() {
    let ground = Ground::from(Runtime::open("ALL_CPU").unwrap());
    let n = if cfg!(miri) { 1 } else { 40 };
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| assert_eq!(ground.differing(n, Shape::ALL), 0));
        }
    });
}

/// Steps after which every element depends on every earlier version of itself, so that nothing may
/// be lost on the way.
fn keep_all(steps: Vec<Step>) -> Vec<Step> {
    use random_pipelines::steps::Bound;

    let kept = |step| match step {
        Step::Shift { a, x, y, .. } => Some(Step::Mix { a, x, y }),
        Step::Total { x, sum, .. } => Some(Step::Total { x, sum, into: true }),
        Step::Prefix { a, b, x, .. } | Step::Some { a, b, x, .. } | Step::When { a, b, x, .. } => {
            Some(Step::Affine { a, b, x })
        }
        Step::Judge { .. }
        | Step::Flip(_)
        | Step::ByFlag { .. }
        | Step::Tally { .. }
        | Step::Decide { .. }
        | Step::Move(..)
        | Step::MovePart(..)
        | Step::Policy(_) => None,
        Step::Options(_) => None,
        Step::For(Bound::Times(0) | Bound::Variable(_) | Bound::Cell(..), _) => None,
        Step::For(bound, body) => Some(Step::For(bound, keep_all(body))),
        Step::If(..) | Step::While { .. } | Step::Reset { .. } | Step::Turn { .. } => None,
        other => Some(other),
    };
    steps.into_iter().filter_map(kept).collect()
}

/// Up, down, from one device to another, and what leaves a device to make room and comes again.
#[test]
fn a_lost_transfer_is_noticed() {
    let plain = Config { devices: 2, run: Run::Entry, ..Config::default() };
    let [up, down, across] = lost_transfers(plain.clone());
    assert!(
        cfg!(miri) || up.min(down) > 40 && across == 0,
        "{up} up, {down} down, {across} across"
    );
    let [up, down, across] = lost_transfers(Config { peers: true, ..plain.clone() });
    assert!(cfg!(miri) || across > 20, "{up} up, {down} down, {across} across");
    let [more_up, more_down, _] = lost_transfers(Config { memory: 1_024, ..plain });
    assert!(cfg!(miri) || more_up > up && more_down > down, "{more_up} up, {more_down} down");
}

/// Loses each transfer of some pipelines in turn: how many there were up, down and across.
fn lost_transfers(config: Config) -> [u64; 3] {
    let mut lost = [0; 3];
    for seed in 0..if cfg!(miri) { 1 } else { 16 } {
        let (state, steps) = draw(seed, Shape::ALL);
        // So that arrays come to where others have changed them.
        let steps = vec![keep_all(steps); 3].concat();
        let how = How::of(seed);
        let runtime = |faults| {
            let sim = Sim::new(Config { faults, ..config.clone() });
            let builder = builder().round_robin(config.peers);
            let rt = builder.backend(Arc::new(sim.clone())).build().unwrap();
            (sim, rt)
        };
        let (sim, rt) = runtime(Vec::new());
        // Once: what a second run brings home again, the first may lose.
        let (good, _) = run((&rt, None), how, 1, (&steps, &[]), &state).unwrap();
        assert!(good == expected(1, &steps, &state), "seed {seed}");
        let transfers = |sim: &Sim| {
            let counts = sim.counts();
            [counts.uploads, counts.downloads, counts.peer_copies]
        };
        let all = transfers(&sim);
        // What leaves a small device depends on who is faster, so a run may have fewer of them, and one that
        // is not used before it leaves again.
        let tries = if config.memory == Config::default().memory { 1 } else { 3 };
        for nth in 0..all.iter().sum() {
            let is_noticed = (0..tries).any(|_| {
                let (sim, rt) = runtime(vec![Fault::Forget { nth }]);
                let (bad, _) = run((&rt, None), how, 1, (&steps, &[]), &state).unwrap();
                bad != good || nth >= transfers(&sim).iter().sum()
            });
            assert!(is_noticed, "seed {seed}, transfer {nth} of {all:?} makes no difference");
        }
        lost = std::array::from_fn(|k| lost[k] + all[k]);
    }
    lost
}

#[test]
fn a_call_fails_at_any_point() {
    random_pipelines::faults::sweep("a_call_fails_at_any_point", FAULTS, false);
}

#[test]
fn a_device_is_lost_at_any_point() {
    random_pipelines::faults::sweep("a_device_is_lost_at_any_point", FAULTS, true);
}

#[test]
fn a_task_goes_wrong_at_any_point() {
    let trapped = |cases, ground: &dyn Fn(&mut Random) -> Ground| {
        traps::family("a_task_goes_wrong_at_any_point", cases, ground);
    };
    trapped(300, &|_| on_the_cpu(1));
    trapped(300, &|_| on_the_cpu(2));
    trapped(800, &|random| {
        let devices = 1 + random.below(4);
        beside_the_cpu(delayed(devices, random), random)
    });
    trapped(300, &unlike);
    trapped(300, &|random| picking(Pick::Last, random));
    trapped(300, &any_order);
    trapped(300, &in_sync);
    trapped(300, &dataflow);
}

/// On one thread, last node first, with edges that are left out, and one memory for each array. Host
/// tasks that keep their order need no other edges between them, so those are left out of `dataflow`.
fn without(missing: Missing) -> Ground {
    let sim = Sim::new(Config { devices: 2, run: Run::Entry, log: false, ..Config::default() });
    let builder = builder().copies(1).backend(Arc::new(sim)).devices("ALL_CPU").pick(Pick::Last);
    let dataflow = missing.edge != Edge::Tasks && [missing.from, missing.to] == [Side::Task; 2];
    let rt = builder.dataflow(dataflow).leave_out(missing).build().unwrap();
    Ground { order: if dataflow { Order::Data } else { Order::Tasks }, ..rt.into() }
}

/// Without one class of edges some pipelines are wrong: each reason to wait, between each two of a
/// kernel in each memory space, a host task, a loop or decision, and what moves or exchanges arrays;
/// and the order of host tasks. Loops keep edges that go around them in step, so each class is left
/// out of pipelines without any too.
#[test]
fn each_class_of_edges_is_needed() {
    use Edge::{ReadAfterWrite, Tasks, WriteAfterRead, WriteAfterWrite};
    use Side::{Control, Data, On, Task};

    // The number of a device stands for a memory space: 0 and 1 have their own, 2 is the host's.
    let sides = [On(0), On(1), On(2), Task, Control, Data];
    let mut classes: Vec<Missing> = vec![Edge::Any.into(), Tasks.into()];
    for edge in [ReadAfterWrite, WriteAfterRead, WriteAfterWrite] {
        let pairs = sides.into_iter().flat_map(|from| sides.map(|to| Missing { edge, from, to }));
        // What only reads and is no kernel or task is a move, on which no value depends.
        classes.extend(pairs.filter(|missing| match edge {
            ReadAfterWrite => missing.to != Data,
            _ => edge == WriteAfterWrite || missing.from != Data,
        }));
    }
    let mut unnoticed = Vec::new();
    for missing in classes {
        for loops in [true, false] {
            let shape = Shape { loops, decisions: true };
            if without(missing).first_differing(3000, shape).is_none() {
                unnoticed.push((missing, loops));
            }
        }
    }
    assert!(unnoticed.is_empty(), "left out and not noticed: {unnoticed:#?}");
}

/// The same from outside, as every test can be run.
#[test]
fn a_run_without_edges_is_noticed() {
    if std::env::var_os("FLASH_SABOTAGE").is_some() {
        let wrong = on_the_cpu(2).differing(200, Shape::ALL);
        assert!(wrong > 2, "only {wrong} of 200 differ");
        return;
    }
    for fault in ["no-edges", "no-edges:raw", "no-edges:war", "no-edges:raw:kernel:task"] {
        let again = std::process::Command::new(std::env::current_exe().unwrap())
            .args(["a_run_without_edges_is_noticed", "--exact"])
            .env("FLASH_SABOTAGE", fault)
            .output()
            .unwrap();
        assert!(again.status.success(), "{fault}: {}", String::from_utf8_lossy(&again.stdout));
    }
}
