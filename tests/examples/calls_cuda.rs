//! What an iteration of each workload asks of the driver of a CUDA device: the difference between a longer
//! and a shorter run, as `calls` has it for OpenCL. Questions that depend on time (has it ended?) are not
//! counted, nor which context a thread has.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use flash_test_cuda::{Call, TestDriver};

use super::calls::{LOOPS, ONES, Workload};
use super::*;

/// What is asked as often as there is time for, or by a thread that has not asked before.
const QUESTIONS: [&str; 5] =
    ["cuCtxGetCurrent", "cuCtxSetCurrent", "cuEventCreate", "cuEventDestroy_v2", "cuEventQuery"];

/// What a thread waits with for something that it needs.
const WAIT: &str = "cuEventSynchronize";

/// What only submits. All else waits for a device, or makes something new.
const SUBMITS: [&str; 9] = [
    "cuEventRecord",
    "cuGraphExecKernelNodeSetParams_v2",
    "cuGraphLaunch",
    "cuLaunchKernel",
    "cuMemcpyDtoDAsync_v2",
    "cuMemcpyDtoHAsync_v2",
    "cuMemcpyHtoDAsync_v2",
    "cuMemsetD8Async",
    "cuStreamWaitEvent",
];

/// What a workload that does one thing makes for itself beside that: memory, which is waited for once.
const OWN: [&str; 3] = ["cuMemAllocAsync", "cuMemFreeAsync", "cuStreamSynchronize"];

/// How often runs that may differ are compared at most.
const TRIES: usize = 8;

type Counts = BTreeMap<String, u64>;

/// What a workload calls.
fn calls(driver: &TestDriver, rt: &Runtime, workload: Workload, n: usize) -> Vec<Call> {
    driver.clear();
    driver.log(true);
    succeed(workload(rt, n));
    driver.calls()
}

/// Whether a thread waits for nothing but what a device brings back or still reads, and for the end.
fn waits_for_copies(calls: &[Call]) -> bool {
    let of = |name: &str| calls.iter().filter(|call| call.name.starts_with(name)).count();
    of(WAIT) <= of("cuMemcpyDtoH") + of("cuMemcpyHtoD") + 1
}

/// How often each function is called, and how often one waits.
fn count(calls: Vec<Call>) -> Counts {
    let mut counts = Counts::new();
    for call in calls {
        if QUESTIONS.contains(&&*call.name) || call.name == WAIT {
            continue;
        }
        // A copy that nobody asked to wait does so where the memory of the host is not pinned.
        let waits = call.waited && !call.name.ends_with("Synchronize");
        let name = if waits { format!("{}, waited", call.name) } else { call.name };
        *counts.entry(name).or_default() += 1;
    }
    counts
}

/// What an iteration asks, as the difference between two runs of these lengths.
fn iteration([a, b]: [&Counts; 2], [few, more]: [usize; 2]) -> BTreeMap<String, f64> {
    let of = |counts: &Counts, name: &str| counts.get(name).copied().unwrap_or(0) as f64;
    let per = |name: &String| (of(b, name) - of(a, name)) / (more - few) as f64;
    let names = a.keys().chain(b.keys()).map(|name| (name.clone(), per(name)));
    names.filter(|(_, n)| *n != 0.0).collect()
}

/// What iterations ask beside what they may, where runs of one length may differ by how far the device was:
/// what even the longer run that asks least asks more often than the shorter one that asks most.
fn beyond(mut run: impl FnMut(usize) -> Counts, [few, more]: [usize; 2], may: &[&str]) -> Counts {
    let mut most = Counts::new();
    let mut least: Option<Counts> = None;
    for _ in 0..TRIES {
        for (name, n) in run(few) {
            let most = most.entry(name).or_default();
            *most = n.max(*most);
        }
        let of_longer = run(more);
        let least = least.get_or_insert_with(|| of_longer.clone());
        least.retain(|name, _| of_longer.contains_key(name) && !may.contains(&&**name));
        for (name, n) in &mut *least {
            *n = of_longer[name].min(*n);
        }
        least.retain(|name, n| *n > most.get(name).copied().unwrap_or(0));
        if least.is_empty() {
            break;
        }
    }
    least.unwrap_or_default()
}

#[test]
fn iterations_ask_little_of_a_driver() {
    let Some(driver) = flash_tests::cuda::driver("devices=1") else { return };
    // What depends on time is none of the snapshot, which is of a device that is waited for after each launch.
    let runtime = |(sync, look_ahead): (bool, usize)| {
        let backend = std::sync::Arc::new(flash_cuda::Cuda::new(&flash_tests::cuda::options()));
        let builder = Runtime::builder().backend(backend).sync(sync).look_ahead(look_ahead);
        builder.build().expect("its devices open")
    };
    // Nobody has to wait until there is room for more launches where there is room for all.
    let [sync, beside, far] = [(true, 64), (false, 64), (false, 1 << 16)].map(runtime);
    let mut lines = String::new();
    for (name, workload) in LOOPS.iter().chain(ONES) {
        let is_loop = LOOPS.iter().any(|(known, _)| known == name);
        let lengths @ [few, more] = if is_loop { [130, 170] } else { [2, 4] };
        let may = [&SUBMITS[..], if is_loop { &[] } else { &OWN[..] }].concat();
        // The first run compiles, and makes what a device keeps for as much at once.
        let run = |rt, n| count(calls(&driver, rt, *workload, n));
        run(&sync, more);
        let asked = iteration([&run(&sync, few), &run(&sync, more)], lengths);
        for function in asked.keys() {
            assert!(may.contains(&&**function), "{name}: {function}");
        }
        run(&beside, more);
        assert_eq!(beyond(|n| run(&beside, n), lengths, &may), Counts::new(), "{name}");
        let all = calls(&driver, &far, *workload, more);
        assert!(waits_for_copies(&all), "{name}: {:?}", count(all));
        let list: Vec<String> =
            asked.iter().map(|(function, n)| format!("{function} {n}")).collect();
        writeln!(lines, "{name}: {}", list.join(", ")).expect("it is a string");
    }
    insta::assert_snapshot!(lines);
}
