//! Loops that a device runs by itself: what comes of them is what comes of trips that the host asks for, and
//! the driver is called as often for many trips as for a few.

use flash::Error;
use flash::prelude::*;
use flash_test_cuda::{Code, TestDriver};
use flash_tests::cuda::{TestCuda, cuda};

#[flash::kernel]
pub(crate) fn grown(a: u32, y: &mut [u32]) {
    let i = global_id(0);
    y[i] = a * y[i] + 1;
}

/// One more than it was, which is what conditions read.
#[flash::kernel]
pub(crate) fn counted(count: &mut [u32]) {
    let i = global_id(0);
    count[i] += 1;
}

pub(crate) const N: usize = 100;

pub(crate) fn start() -> Vec<u32> {
    (0..N as u32).map(|k| k * k + 7).collect()
}

fn expected(trips: u32) -> Vec<u32> {
    let grown = |x: u32| (0..trips).fold(x, |x, _| x.wrapping_mul(3).wrapping_add(1));
    start().into_iter().map(grown).collect()
}

/// Trips up to a limit: the count at the end, and the array.
fn run(rt: &Runtime, limit: u32, max: u64) -> flash::Result<(u32, Vec<u32>)> {
    let (mut x, mut count) = (Buffer::from(start()), Var::new(0_u32));
    let done = flash_pipeline! { in rt;
        while &count < limit, max max {
            grown(3, &mut x)[N];
            counted(&mut count)[1];
        }
    }
    .exec();
    match done {
        Err(Error::Endless { max, .. }) => assert_eq!(u64::from(count.get()?), max),
        done => assert_eq!(done?.kernel("grown").unwrap().count, u64::from(count.get()?)),
    }
    Ok((count.get()?, x.to_vec()?))
}

pub(crate) fn calls(driver: &TestDriver, name: &str) -> u64 {
    driver.counts().get(name).copied().unwrap_or(0)
}

/// How often functions were called that do something, since the last time.
fn all_calls(driver: &TestDriver) -> u64 {
    let counts = driver.counts();
    driver.clear();
    // Those that ask whether something is over depend on time.
    let asks = ["cuEventQuery", "cuEventSynchronize", "cuCtxGetCurrent", "cuCtxSetCurrent"];
    counts.iter().filter(|(name, _)| !asks.contains(&name.as_str())).map(|(_, n)| n).sum()
}

/// Takes from the driver what a loop on the device needs.
pub(crate) fn without(driver: &TestDriver) {
    (1..=1_000).for_each(|nth| {
        driver.fail("cuGraphConditionalHandleCreate", nth, Code::NOT_SUPPORTED);
    });
}

#[test]
fn a_loop_takes_as_many_calls_for_many_trips_as_for_a_few() {
    let Some(TestCuda { driver, rt }) = cuda("devices=1,hazards=1") else { return };
    assert_eq!(run(&rt, 20, 1_000).unwrap(), (20, expected(20)));
    let mut found = Vec::new();
    for limit in [100, 500, 900] {
        driver.clear();
        assert_eq!(run(&rt, limit, 2_000).unwrap(), (limit, expected(limit)));
        let [loops, launches] =
            ["cuGraphLaunch", "cuLaunchKernel"].map(|name| calls(&driver, name));
        assert!(loops == 1 && launches <= 6, "{limit}: {loops} loops and {launches} launches");
        found.push(all_calls(&driver));
    }
    assert!(found.iter().all(|n| *n == found[0]), "{found:?}");
    // The host looks now and then, so that somebody may cancel it.
    assert_eq!(run(&rt, 5_000, 6_000).unwrap(), (5_000, expected(5_000)));
    assert_eq!(calls(&driver, "cuGraphLaunch"), 5);
    without(&driver);
    driver.clear();
    assert_eq!(run(&rt, 100, 1_000).unwrap(), (100, expected(100)));
    assert!(calls(&driver, "cuLaunchKernel") > 30, "it can be told apart");
    assert_eq!(driver.hazards(), Vec::<String>::new());
    assert_eq!(driver.trouble(), "");
    drop(rt);
    let alive = driver.alive();
    assert_eq!((alive.execs, alive.graphs, alive.allocations), (0, 0, 0), "none is left");
}

#[test]
fn loops_end_where_they_do_with_the_host() {
    let Some(TestCuda { driver, rt }) = cuda("devices=1") else { return };
    for is_on_device in [true, false] {
        if !is_on_device {
            without(&driver);
        }
        for limit in [0, 1, 2, 3, 4, 5, 30] {
            for max in [u64::from(limit), 1_000, 40] {
                assert_eq!(run(&rt, limit, max).unwrap(), (limit, expected(limit)), "max {max}");
            }
        }
        // Where the limit ends it, what was made until then stays.
        for max in [0, 1, 2, 3, 4, 17, 1_200] {
            let trips = u32::try_from(max).unwrap();
            assert_eq!(run(&rt, 9_999, max).unwrap(), (trips, expected(trips)));
        }
    }
}

#[test]
fn a_kept_pipeline_goes_to_the_device_at_once_and_a_limit_may_differ() {
    let Some(TestCuda { driver, rt }) = cuda("devices=1") else { return };
    let (mut x, mut count) = (Buffer::from(start()), Var::new(0_u32));
    let mut p = rt.pipeline();
    let limit = p.begin_for(40..43_u32);
    p.begin_while(count.lt(limit), 1_000_u32);
    p.push(grown(3, &mut x).over([N]));
    p.push(counted(&mut count).over([1]));
    p.end_while();
    p.end_for();
    for k in 1..6 {
        driver.clear();
        assert_eq!(p.exec().unwrap().kernel("counted").unwrap().count, 42);
        count.set(0).unwrap();
        let names = ["cuGraphLaunch", "cuLaunchKernel", "cuGraphInstantiateWithFlags"];
        let [loops, launches, made] = names.map(|name| calls(&driver, name));
        assert_eq!(loops, 3, "one for each round");
        // A limit is part of a graph.
        assert_eq!((launches < 12, made), (true, if k == 1 { 3 } else { 0 }), "{launches}");
    }
    drop(p);
    assert_eq!(x.to_vec().unwrap(), expected(210));
}

/// Its index is checked on the device, as nobody knows what `at` has.
#[flash::kernel]
fn moved(at: &[usize], count: &[u32], x: &mut [u32], y: &[u32]) {
    let i = global_id(0);
    x[i] += y[at[i] + count[0] as usize];
}

#[test]
fn what_a_launch_notes_ends_the_loop_and_is_said_as_ever() {
    let Some(TestCuda { driver, rt }) = cuda("devices=1") else { return };
    let at = Buffer::from((0..N).map(|i| (i * 7) % N).collect::<Vec<_>>());
    let found = |last: usize| {
        let y = Buffer::from(vec![1_u32; N + last]);
        let (mut x, mut count) = (Buffer::from(start()), Var::new(0_u32));
        let done = flash_pipeline! { in &rt;
            while &count < 60, max 1_000 {
                moved(&at, &count, &mut x, &y)[N];
                counted(&mut count)[1];
            }
        }
        .exec();
        let ended = count.get().unwrap();
        match done {
            Ok(_) => Ok((ended, x.to_vec().unwrap())),
            // The launch behind it in that trip is made, and no other trip.
            Err(error) => Err((ended, error.to_string())),
        }
    };
    let lasts = [3, 10, 40, 59, 60];
    let here = lasts.map(found);
    assert!(calls(&driver, "cuGraphLaunch") > 0);
    without(&driver);
    let there = lasts.map(found);
    let last = here.last().unwrap().as_ref().unwrap();
    assert_eq!(*last, (60, start().into_iter().map(|x| x + 60).collect()));
    let (ended, said) = here[2].as_ref().unwrap_err();
    assert_eq!(*ended, 42);
    assert!(said.contains("`moved`") && said.contains("`y`") && said.contains("140"), "{said}");
    let said = |found: &Result<_, (u32, String)>| found.clone().map_err(|(_, said)| said);
    assert_eq!(here.each_ref().map(said), there.each_ref().map(said));
}

#[test]
fn what_was_noted_once_is_not_noted_by_the_next_run() {
    let Some(TestCuda { driver, rt }) = cuda("devices=1") else { return };
    let (at, y) = (Buffer::from((0..N).collect::<Vec<_>>()), Buffer::from(vec![1_u32; 2 * N]));
    let (mut x, mut count) = (Buffer::<u32>::zeros(N), Var::new(0_u32));
    let mut p = rt.pipeline();
    p.begin_while(count.lt(60), 1_000_u32);
    p.push(moved(&at, &count, &mut x, &y).over([N]));
    p.push(counted(&mut count).over([1]));
    p.end_while();
    for round in 0..6 {
        let wrong = round % 2 == 1;
        at.set(41, if wrong { 150 } else { 41 }).unwrap();
        count.set(0).unwrap();
        x.fill(0).unwrap();
        match p.exec() {
            Ok(_) => assert!(!wrong && x.to_vec().unwrap() == [60; N], "{round}"),
            Err(error) => assert!(wrong && error.to_string().contains("41"), "{round}: {error}"),
        }
        assert_eq!(count.get().unwrap(), if wrong { 51 } else { 60 }, "{round}");
    }
    assert_eq!(calls(&driver, "cuGraphInstantiateWithFlags"), 1);
}

#[test]
fn calls_that_fail_are_made_up_for_or_errors() {
    let Some(TestCuda { driver, rt }) = cuda("devices=1") else { return };
    for call in [
        "cuGraphConditionalHandleCreate",
        "cuGraphAddNode_v2",
        "cuGraphAddKernelNode",
        "cuGraphCreate",
        "cuGraphInstantiateWithFlags",
        "cuGraphLaunch",
    ] {
        (1..=1_000).for_each(|nth| driver.fail(call, nth, Code::NOT_SUPPORTED));
        assert_eq!(run(&rt, 40, 1_000).unwrap(), (40, expected(40)), "{call}");
        assert!(driver.failures_left() < 1_000, "{call} was tried");
        driver.forgive();
        driver.clear();
        assert_eq!(run(&rt, 40, 1_000).unwrap(), (40, expected(40)), "after {call}");
        assert_eq!(calls(&driver, "cuGraphLaunch"), 1, "after {call}");
    }
    for call in ["cuMemcpyDtoHAsync", "cuEventRecord", "cuMemAllocAsync", "cuMemHostAlloc"] {
        for nth in 1..=12 {
            driver.fail(call, nth, Code::OPERATING_SYSTEM);
            match run(&rt, 40, 1_000) {
                Ok(found) => assert_eq!(found, (40, expected(40)), "{call} number {nth}"),
                Err(error) => assert!(matches!(error, Error::Driver { .. }), "{call}: {error:?}"),
            }
            driver.forgive();
            assert_eq!(run(&rt, 40, 1_000).unwrap(), (40, expected(40)), "after {call} {nth}");
        }
    }
}

#[test]
fn a_device_that_is_lost_in_a_loop_is_an_error_and_comes_back() {
    let Some(TestCuda { driver, rt }) = cuda("devices=1") else { return };
    driver.fail_later("cuGraphLaunch", 1, Code::ILLEGAL_ADDRESS);
    let error = run(&rt, 500, 1_000).unwrap_err();
    assert!(matches!(error, Error::DeviceLost { .. }), "{error:?}");
    let rt = rt.recover().unwrap();
    driver.clear();
    assert_eq!(run(&rt, 500, 1_000).unwrap(), (500, expected(500)));
    assert_eq!(calls(&driver, "cuGraphLaunch"), 1);
}

/// The largest one, which the host puts together.
#[flash::kernel]
fn largest(x: &[u32], #[reduce(max)] most: &mut u32) {
    *most = most.max(x[global_id(0)]);
}

#[test]
fn what_needs_the_host_in_each_trip_stays_there() {
    let Some(TestCuda { driver, rt }) = cuda("devices=1") else { return };
    let (mut x, mut most) = (Buffer::from(vec![1_u32; N]), Var::new(0_u32));
    flash_pipeline! { in &rt;
        while &most < 5_000_000, max 100 {
            grown(3, &mut x)[N];
            largest(&x, &mut most)[N];
        }
    }
    .exec()
    .unwrap();
    let trips = (0..).find(|trips| (0..*trips).fold(1, |x, _| 3 * x + 1) >= 5_000_000).unwrap();
    assert_eq!(most.get().unwrap(), (0..trips).fold(1, |x, _| 3 * x + 1));
    assert_eq!(calls(&driver, "cuGraphLaunch"), 0);
    // The limit may change while it runs.
    let (mut count, mut max) = (Var::new(0_u32), Var::new(1_000_u32));
    flash_pipeline! { in &rt;
        while &count < 50, max &max {
            counted(&mut count)[1];
            counted(&mut max)[1];
        }
    }
    .exec()
    .unwrap();
    assert_eq!((count.get().unwrap(), max.get().unwrap()), (50, 1_050));
    assert_eq!(calls(&driver, "cuGraphLaunch"), 0);
}
