//! Every call that a workload makes to the driver of CUDA devices fails once: it ends with a typed error, or
//! it finds what it always finds. What its runs only read is as it was then, the same runtime runs it to its
//! end, and nothing is left on any device. Or a device is lost, at what it does late.
//!
//! The calls are counted in a run without faults, and so many fail. The driver is the one for tests.

use std::collections::BTreeMap;
use std::sync::Arc;

use flash::Error;
use flash_cuda::Cuda;
use flash_examples::Result;
use flash_rt::witness::watch;
use flash_test_cuda::{Alive, Code, TestDriver};

use super::sweep::typed;
use super::*;

/// How often a fault is tried that has not happened: threads share out the calls differently each time.
const TRIES: usize = 3;

/// How often these are called depends on how far a device has come, and on what a thread did before.
const ASKED: [&str; 4] =
    ["cuEventQuery", "cuEventSynchronize", "cuCtxSetCurrent", "cuCtxGetCurrent"];

/// So many calls of each of those are tried, from the first to the last of a run, where there is no time for all.
const MOST_ASKED: u64 = 64;

/// How many devices there are, which take launches in turn, and whether each launch is waited for. A workload is
/// swept in one of these ways, or in all of them where there is time.
const WAYS: [(usize, bool); 4] = [(1, false), (2, true), (3, false), (3, true)];

/// The devices of the driver.
fn devices((n, sync): (usize, bool)) -> Runtime {
    let backend = Arc::new(Cuda::new(&flash_tests::cuda::options()));
    let builder = Runtime::builder().backend(backend).sync(sync).round_robin(n > 1);
    let rt = builder.build().expect("its devices open");
    assert_eq!(rt.devices().len(), n);
    rt
}

/// What is alive, but for how much was at once.
fn alive(driver: &TestDriver) -> Alive {
    Alive { peak: 0, ..driver.alive() }
}

/// Runs a workload that may fail by a fault; whether it came to its end.
fn with(program: &dyn Fn(&Runtime) -> Result, rt: &Runtime, fault: &str) -> bool {
    let (result, watched) = watch(|| program(rt));
    if let Err(error) = &result {
        let is_typed = typed(&**error).is_some_and(|found| {
            matches!(
                found,
                Error::Driver { .. }
                    | Error::OutOfMemory { .. }
                    | Error::NoImplementation { .. }
                    | Error::DeviceLost { .. }
            )
        });
        assert!(is_typed, "{fault}: {}", flash_examples::with_causes(&**error));
    }
    for array in watched.given.into_iter().filter(flash_rt::witness::Given::is_input) {
        assert!(array.is_intact().is_ok_and(|it| it), "{fault}: an input has changed");
    }
    result.is_ok()
}

/// Whether there is time for all.
fn is_full() -> bool {
    std::env::var("FLASH_SWEEP").is_ok_and(|sweep| sweep == "full")
}

/// What is alive after a run without faults, and how often each function is called in another one.
fn counted(
    driver: &TestDriver,
    way: (usize, bool),
    program: &dyn Fn(&Runtime) -> Result,
) -> (Alive, BTreeMap<String, u64>) {
    succeed(program(&devices(way)));
    let before = alive(driver);
    let rt = devices(way);
    driver.clear();
    succeed(program(&rt));
    (before, driver.counts())
}

/// Runs a workload after a fault.
fn after(fault: &str, program: &dyn Fn(&Runtime) -> Result, rt: &Runtime) {
    if let Err(error) = program(rt) {
        panic!("after {fault}: {}", flash_examples::with_causes(&*error));
    }
}

/// Each call fails.
fn sweep(name: &str, program: &dyn Fn(&Runtime) -> Result) {
    let is_full = is_full();
    // That of a workload is as good as that of another one.
    let ways = if is_full { &WAYS[..] } else { &WAYS[name.len() % WAYS.len()..][..1] };
    ways.iter().for_each(|way| sweep_in(*way, (name, program), is_full));
}

fn sweep_in(
    way: (usize, bool),
    (name, program): (&str, &dyn Fn(&Runtime) -> Result),
    is_full: bool,
) {
    let (there, sync) = way;
    let Some(driver) = flash_tests::cuda::driver(&format!("devices={there}")) else { return };
    let (before, calls) = counted(&driver, way, program);
    let step = |call: &str, n: u64| {
        if ASKED.contains(&call) && !is_full { n.div_ceil(MOST_ASKED).max(1) } else { 1 }
    };
    let (mut happened, mut errors, mut rare, mut asked) = (0, 0, 0, 0);
    for (call, n) in &calls {
        for nth in (1..=*n).step_by(step(call, *n) as usize) {
            // In turn, or both ways where there is time.
            let codes = [Code::OPERATING_SYSTEM, Code::OUT_OF_MEMORY];
            let codes = if is_full { &codes[..] } else { &codes[nth as usize % 2..][..1] };
            for &code in codes {
                let fault = format!(
                    "{name}, devices {there}, sync {sync}: {call} number {nth} fails with {code:?}"
                );
                let one = || {
                    let rt = devices(way);
                    driver.fail(call, nth, code);
                    let ended = with(program, &rt, &fault);
                    let happened = driver.failures_left() == 0;
                    driver.forgive();
                    after(&fault, program, &rt);
                    drop(rt);
                    assert_eq!(alive(&driver), before, "after {fault}");
                    happened.then_some(ended)
                };
                let is_asked = ASKED.contains(&call.as_str());
                let tries = if is_asked { 1 } else { TRIES };
                match (0..tries).find_map(|_| one()) {
                    Some(ended) => {
                        happened += 1;
                        errors += u64::from(!ended);
                    }
                    None if is_asked => asked += 1,
                    None => rare += 1,
                }
            }
        }
    }
    let count: u64 = calls.iter().map(|(call, n)| n.div_ceil(step(call, *n))).sum();
    println!(
        "{name}, devices {there}, sync {sync}: {count} calls, {happened} faults, {errors} of them errors, {} \
         at calls that not every run makes",
        rare + asked
    );
    let ways = if is_full { 2 } else { 1 };
    assert_eq!(happened + rare + asked, ways * count, "each call in turn");
    // Where nobody waits, which calls there are depends on who is faster.
    let share = if sync { 10 } else { 5 };
    assert!(share * rare <= count, "{rare} of {count} calls");
    assert!(errors > 4, "only {errors} of {happened} faults were an error");
}

/// What devices do late: it may fail after the call has returned, and all of the device with it.
const LATE: [&str; 7] = [
    "cuGraphLaunch",
    "cuLaunchKernel",
    "cuMemcpyDtoDAsync_v2",
    "cuMemcpyDtoHAsync_v2",
    "cuMemcpyHtoDAsync_v2",
    "cuMemcpyPeerAsync",
    "cuMemsetD8Async",
];

/// One of two devices is lost at operations of each kind: the first one, the last one and some in between, or at each
/// where there is time. The other one goes on, or the run says so; it comes back, and all is well.
fn lose(name: &str, program: &dyn Fn(&Runtime) -> Result) {
    const WAY: (usize, bool) = (2, false);
    let is_full = is_full();
    let Some(driver) = flash_tests::cuda::driver("devices=2") else { return };
    let (before, counts) = counted(&driver, WAY, program);
    let (mut lost, mut errors) = (0, 0);
    for call in LATE {
        let n = counts.get(call).copied().unwrap_or(0);
        let step = if is_full { 1 } else { n.div_ceil(3).max(1) };
        for nth in (1..=n).step_by(step as usize).chain((n > 1).then_some(n)) {
            let fault = format!("{name}: a device is lost at {call} number {nth}");
            let rt = devices(WAY);
            driver.fail_later(call, nth, Code::ILLEGAL_ADDRESS);
            let ended = with(program, &rt, &fault);
            let has_happened = driver.failures_left() == 0;
            driver.forgive();
            lost += u64::from(has_happened);
            errors += u64::from(!ended);
            let again = rt.recover().unwrap_or_else(|error| panic!("after {fault}: {error}"));
            drop(rt);
            assert_eq!(again.devices().len(), WAY.0, "after {fault}");
            after(&fault, program, &again);
            drop(again);
            assert_eq!(alive(&driver), before, "after {fault}");
        }
    }
    println!("{name}: {lost} devices were lost, and {errors} runs ended with that");
    assert!(lost > 2, "{name}: only {lost} devices were lost");
}

mod lost {
    use super::*;

    macro_rules! losses {
        ($($example:ident),* $(,)?) => {
            $(#[test]
            fn $example() {
                lose(stringify!($example), &small::$example);
            })*
        };
    }

    portable_examples!(losses);
}

macro_rules! sweeps {
    ($($example:ident),* $(,)?) => {
        $(#[test]
        fn $example() {
            sweep(stringify!($example), &small::$example);
        })*
    };
}

portable_examples!(sweeps);
