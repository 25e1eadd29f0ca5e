//! What an iteration of each workload asks of the driver of a CUDA device: the difference between a longer
//! and a shorter run, as `calls` has it for OpenCL. Questions that depend on time (has it ended?) are not
//! counted, nor which context a thread has.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use flash_test_cuda::TestDriver;

use super::calls::{LOOPS, ONES, Workload};
use super::*;

/// What is asked as often as there is time for, or by a thread that has not asked before.
const QUESTIONS: [&str; 6] = [
    "cuCtxGetCurrent",
    "cuCtxSetCurrent",
    "cuEventCreate",
    "cuEventDestroy_v2",
    "cuEventQuery",
    "cuEventSynchronize",
];

/// What waits for a whole device or stream, or makes something new.
const BARRED: &[&str] = &[
    "cuCtxSynchronize",
    "cuGraphInstantiateWithFlags",
    "cuMemAllocAsync",
    "cuMemAlloc_v2",
    "cuMemFree_v2",
    "cuMemHostAlloc",
    "cuMemHostRegister_v2",
    "cuMemcpyDtoH_v2",
    "cuMemcpyHtoD_v2",
    "cuModuleGetFunction",
    "cuModuleLoadDataEx",
    "cuStreamCreate",
    "cuStreamSynchronize",
];

/// Those that a workload which does one thing may make for itself; new memory is waited for.
const OWN: &[&str] = &[
    "cuMemAllocAsync",
    "cuMemAlloc_v2",
    "cuMemFree_v2",
    "cuMemHostRegister_v2",
    "cuStreamSynchronize",
];

type Counts = BTreeMap<String, u64>;

fn count(driver: &TestDriver, rt: &Runtime, workload: Workload, n: usize) -> Counts {
    driver.clear();
    succeed(workload(rt, n));
    let mut counts = driver.counts();
    counts.retain(|name, _| !QUESTIONS.contains(&name.as_str()));
    counts
}

/// What an iteration asks, as the difference between two runs of these lengths.
fn iteration(
    driver: &TestDriver,
    rt: &Runtime,
    workload: Workload,
    [few, more]: [usize; 2],
) -> BTreeMap<String, f64> {
    // The first run compiles, and makes what a device keeps for as much at once.
    count(driver, rt, workload, more);
    let [a, b] = [few, more].map(|n| count(driver, rt, workload, n));
    let of = |counts: &Counts, name: &str| counts.get(name).copied().unwrap_or(0) as f64;
    let per = |name: &String| (of(&b, name) - of(&a, name)) / (more - few) as f64;
    let names = a.keys().chain(b.keys()).map(|name| (name.clone(), per(name)));
    names.filter(|(_, n)| *n != 0.0).collect()
}

/// On a device that is waited for after each launch, so that nothing depends on time.
#[test]
fn iterations_ask_little_of_a_driver() {
    let built = flash_tests::cuda::built("devices=1", |builder| builder.sync(true));
    let Some(cuda) = built else { return };
    let mut lines = String::new();
    for (name, workload) in LOOPS.iter().chain(ONES) {
        let is_loop = LOOPS.iter().any(|(known, _)| known == name);
        let lengths = if is_loop { [100, 140] } else { [2, 4] };
        let asked = iteration(&cuda.driver, &cuda.rt, *workload, lengths);
        // The arrays of an alignment are the larger the longer its texts are.
        let is_steady = is_loop && !name.starts_with("alignment");
        for barred in BARRED.iter().filter(|barred| is_steady || !OWN.contains(barred)) {
            assert_eq!(asked.get(*barred), None, "{name}: {barred}");
        }
        let list: Vec<String> =
            asked.iter().map(|(function, n)| format!("{function} {n}")).collect();
        writeln!(lines, "{name}: {}", list.join(", ")).expect("it is a string");
    }
    insta::assert_snapshot!(lines);
}
