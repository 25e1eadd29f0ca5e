//! Launches that come again in the same order are a graph of the driver: one call for many of them. The
//! results are those of launches one by one.

use flash::CountBy;
use flash::prelude::*;
use flash_test_cuda::{Code, TestDriver};
use flash_tests::cuda::{TestCuda, built, cuda};

#[flash::kernel]
fn grown(a: u32, y: &mut [u32]) {
    let i = global_id(0);
    y[i] = a * y[i] + 1;
}

#[flash::kernel]
fn again(x: ViewMut<'_, u32, 2>) {
    let (i, j) = (global_id(0), global_id(1));
    x[[j, i]] += 1;
}

#[flash::kernel]
fn mixed(x: &[u32], #[out] y: &mut [u32]) {
    let i = global_id(0);
    y[i] = x[i] ^ (x[i] >> 3);
}

/// Its index is checked on the device, as nobody knows what `at` has.
#[flash::kernel]
fn moved(at: &[usize], x: &[u32], #[out] y: &mut [u32]) {
    let i = global_id(0);
    y[i] = x[at[i]] + 1;
}

const N: usize = 100;

fn start() -> Vec<u32> {
    (0..N as u32).map(|k| k * k + 7).collect()
}

/// What `trips` of both kernels make of the start.
fn expected(trips: usize) -> Vec<u32> {
    let mut x = start();
    for _ in 0..trips {
        x.iter_mut().for_each(|x| *x = x.wrapping_mul(3).wrapping_add(1));
        x.iter_mut().for_each(|x| *x ^= *x >> 3);
    }
    x
}

/// The same on a device.
fn trips(rt: &Runtime, trips: usize) -> flash::Result<Vec<u32>> {
    let (mut x, mut y) = (Buffer::from(start()), Buffer::unwritten(N));
    flash_pipeline! { in rt;
        for _trip in 0..trips {
            grown(3, &mut x)[N];
            mixed(&x, &mut y)[N];
            swap(x, y);
        }
    }
    .exec()?;
    x.to_vec()
}

/// How often a call was made since the last time.
fn calls(driver: &TestDriver, names: [&str; 2]) -> [u64; 2] {
    let counts = driver.counts();
    driver.clear();
    names.map(|name| counts.get(name).copied().unwrap_or(0))
}

const BOTH: [&str; 2] = ["cuLaunchKernel", "cuGraphLaunch"];

#[test]
fn a_loop_becomes_graphs() {
    let Some(TestCuda { driver, rt }) = cuda("devices=1,hazards=1") else { return };
    assert_eq!(trips(&rt, 500).unwrap(), expected(500));
    let [launches, graphs] = calls(&driver, BOTH);
    // One graph for some tens of launches.
    assert!(launches < 400 && graphs > 10, "{launches} launches and {graphs} graphs");
    assert_eq!(driver.hazards(), Vec::<String>::new());
    drop(rt);
    assert_eq!((driver.alive().execs, driver.alive().graphs), (0, 0), "none is left");
}

#[test]
fn a_kept_pipeline_becomes_graphs() {
    let Some(TestCuda { driver, rt }) = cuda("devices=1") else { return };
    let mut x = Buffer::from(start());
    let mut p = rt.pipeline();
    for _ in 0..20 {
        p.push(grown(3, &mut x).over([N]));
    }
    for _ in 0..10 {
        p.exec().unwrap();
    }
    drop(p);
    let grown = |x: u32| (0..200).fold(x, |x, _| x.wrapping_mul(3).wrapping_add(1));
    assert_eq!(x.to_vec().unwrap(), start().into_iter().map(grown).collect::<Vec<_>>());
    let [launches, graphs] = calls(&driver, BOTH);
    assert!(launches < 150 && graphs >= 5, "{launches} launches and {graphs} graphs");
}

const CHANGES: [&str; 2] = ["cuGraphInstantiateWithFlags", "cuGraphExecKernelNodeSetParams_v2"];

#[test]
fn graphs_of_arrays_that_are_gone_are_changed_for_others() {
    let Some(TestCuda { driver, rt }) = cuda("devices=1,hazards=1") else { return };
    assert_eq!(trips(&rt, 320).unwrap(), expected(320));
    let [made, changed] = calls(&driver, CHANGES);
    assert!(made > 0 && changed == 0, "{made} made and {changed} changes");
    for _ in 0..5 {
        // Its arrays are others.
        assert_eq!(trips(&rt, 320).unwrap(), expected(320));
        let counts = driver.counts();
        let [launches, graphs] = BOTH.map(|name| counts.get(name).copied().unwrap_or(0));
        let [made, changed] = calls(&driver, CHANGES);
        assert!(made <= 1 && changed > 10, "{made} made and {changed} changes");
        assert!(launches < 200 && graphs > 10, "{launches} launches and {graphs} graphs");
    }
    // So are records, which stay with the graph.
    let at = Buffer::from((0..N).map(|i| (i + 1) % N).collect::<Vec<_>>());
    let moved: Vec<u32> = (0..N).map(|i| start()[(i + 300) % N] + 300).collect();
    for _ in 0..3 {
        assert_eq!(moves(&rt, &at, 300).unwrap(), moved);
    }
    assert!(calls(&driver, CHANGES)[1] > 10);
    assert_eq!(driver.hazards(), Vec::<String>::new());
    assert_eq!(driver.trouble(), "");
}

#[test]
fn a_plan_with_other_arrays_changes_its_graph() {
    let Some(TestCuda { driver, rt }) = cuda("devices=1") else { return };
    let mut x = Buffer::from(start());
    let mut p = rt.pipeline();
    for _ in 0..20 {
        p.push(grown(3, &mut x).over([N]));
    }
    let grown = |x: u32, n: usize| (0..n).fold(x, |x, _| x.wrapping_mul(3).wrapping_add(1));
    for round in 0..4 {
        for _ in 0..6 {
            p.exec().unwrap();
        }
        let found = x.to_vec().unwrap();
        let wanted: Vec<u32> = start().into_iter().map(|x| grown(x, 120)).collect();
        assert_eq!(found, wanted, "{round}");
        let [made, changed] = calls(&driver, CHANGES);
        assert_eq!((made > 0, changed > 0), (round == 0, round > 0), "{round}: {made}, {changed}");
        let next = Buffer::from(start());
        p.rebind(&x, &next).unwrap();
        x = next;
    }
}

#[test]
fn what_waits_for_each_launch_has_none() {
    let Some(TestCuda { driver, rt }) = built("devices=1", |builder| builder.sync(true)) else {
        return;
    };
    assert_eq!(trips(&rt, 50).unwrap(), expected(50));
    assert_eq!(calls(&driver, BOTH), [100, 0]);
}

#[test]
fn events_note_when_they_were_where_somebody_asks() {
    for traced in [false, true] {
        let Some(TestCuda { driver, rt }) = built("devices=1", |builder| builder.trace(traced))
        else {
            return;
        };
        driver.log(true);
        assert_eq!(trips(&rt, 50).unwrap(), expected(50));
        assert_eq!(trips(&rt, 50).unwrap(), expected(50));
        let calls = driver.calls();
        let made: Vec<_> = calls.iter().filter(|call| call.name == "cuEventCreate").collect();
        let timed = made.iter().filter(|call| call.detail == "timed").count();
        assert!(!made.is_empty());
        assert_eq!(timed > 0, traced, "{timed} of {}", made.len());
    }
}

#[test]
fn what_the_driver_makes_no_graph_of_runs_one_by_one() {
    let Some(TestCuda { driver, rt }) = cuda("devices=1") else { return };
    let [create, add] = ["cuGraphCreate", "cuGraphAddKernelNode"];
    for call in [create, add, "cuGraphInstantiateWithFlags", "cuGraphLaunch"] {
        (1..=400).for_each(|nth| driver.fail(call, nth, Code::INVALID_VALUE));
        driver.clear();
        assert_eq!(trips(&rt, 200).unwrap(), expected(200), "{call}");
        assert!(driver.failures_left() < 400, "{call} was tried");
        driver.forgive();
        assert_eq!(calls(&driver, BOTH)[0], 400, "{call}");
    }
}

#[test]
fn a_launch_of_a_graph_that_loses_the_device_is_an_error_and_the_device_comes_back() {
    let Some(TestCuda { driver, rt }) = cuda("devices=1") else { return };
    driver.fail_later("cuGraphLaunch", 3, Code::ILLEGAL_ADDRESS);
    let error = trips(&rt, 500).unwrap_err();
    let said = error.to_string();
    assert!(matches!(error, flash::Error::DeviceLost { .. }), "{said}");
    let kernels = ["`grown`", "`mixed`"];
    assert!(kernels.iter().any(|kernel| format!("{error:?}").contains(kernel)), "{error:?}");
    let rt = rt.recover().unwrap();
    driver.clear();
    assert_eq!(trips(&rt, 500).unwrap(), expected(500));
    let [_, graphs] = calls(&driver, BOTH);
    assert!(graphs > 10, "{graphs} graphs");
}

#[test]
fn a_trace_has_each_launch() {
    let Some(TestCuda { driver, rt }) = built("devices=1", |builder| builder.trace(true)) else {
        return;
    };
    assert_eq!(trips(&rt, 50).unwrap(), expected(50));
    // Once somebody asks when launches ran each has its own events.
    driver.clear();
    assert_eq!(trips(&rt, 50).unwrap(), expected(50));
    assert_eq!(calls(&driver, BOTH), [100, 0]);
}

/// Moves elements about so often.
fn moves(rt: &Runtime, at: &Buffer<usize>, trips: usize) -> flash::Result<Vec<u32>> {
    let (x, mut y) = (Buffer::from(start()), Buffer::unwritten(N));
    flash_pipeline! { in rt;
        for _trip in 0..trips {
            moved(at, &x, &mut y)[N];
            swap(x, y);
        }
    }
    .exec()?;
    x.to_vec()
}

#[test]
fn launches_that_may_note_something_are_part_of_graphs() {
    let Some(TestCuda { driver, rt }) = cuda("devices=1,hazards=1") else { return };
    let at = Buffer::from((0..N).map(|i| (i + 1) % N).collect::<Vec<_>>());
    let expected: Vec<u32> = (0..N).map(|i| start()[(i + 700) % N] + 700).collect();
    assert_eq!(moves(&rt, &at, 700).unwrap(), expected);
    let made = driver.counts().get("cuGraphInstantiateWithFlags").copied();
    let [launches, graphs] = calls(&driver, BOTH);
    assert!(launches < 500 && graphs > 10, "{launches} launches and {graphs} graphs");
    // Those whose records are in use stay.
    assert!(made.is_some_and(|made| 2 * made <= graphs), "{made:?} made for {graphs}");
    assert_eq!(driver.hazards(), Vec::<String>::new());

    // What one of them notes is told, and the next run begins anew.
    let wrong = Buffer::from((0..N).map(|i| if i == 41 { 1 << 40 } else { i }).collect::<Vec<_>>());
    for _ in 0..3 {
        let error = moves(&rt, &wrong, 300).unwrap_err();
        let said = error.to_string();
        assert!(said.contains("`moved`") && said.contains("41") && said.contains("`x`"), "{said}");
        assert_eq!(moves(&rt, &at, 700).unwrap(), expected);
    }
    drop((at, wrong, rt));
    let alive = driver.alive();
    assert_eq!((alive.execs, alive.allocations, alive.pinned), (0, 0, 0), "none is left");
}

#[test]
fn calls_that_fail_in_the_middle_of_lists_are_errors_or_made_up_for() {
    let Some(TestCuda { driver, rt }) = cuda("devices=1") else { return };
    let at = Buffer::from((0..N).map(|i| (i + 1) % N).collect::<Vec<_>>());
    let moved: Vec<u32> = (0..N).map(|i| start()[(i + 300) % N] + 300).collect();
    let (mut errors, mut results) = (0, 0);
    for call in [
        "cuEventRecord",
        "cuGraphAddKernelNode",
        "cuGraphExecKernelNodeSetParams",
        "cuGraphInstantiateWithFlags",
        "cuGraphLaunch",
        "cuLaunchKernel",
        "cuMemAllocAsync",
        "cuMemHostAlloc",
        "cuMemcpyDtoHAsync",
        "cuMemsetD8Async",
        "cuStreamWaitEvent",
    ] {
        for nth in 1..=25 {
            driver.fail(call, nth, Code::OPERATING_SYSTEM);
            for found in [
                moves(&rt, &at, 300).map(|x| x == moved),
                trips(&rt, 100).map(|x| x == expected(100)),
            ] {
                match found {
                    Ok(is_right) => {
                        assert!(is_right, "{call} number {nth}");
                        results += 1;
                    }
                    Err(error) => {
                        let is_typed = matches!(error, flash::Error::Driver { .. });
                        assert!(is_typed, "{call} number {nth}: {error:?}");
                        errors += 1;
                    }
                }
            }
            driver.forgive();
            assert_eq!(moves(&rt, &at, 300).unwrap(), moved, "after {call} number {nth}");
        }
    }
    assert!(errors > 50 && results > 50, "{errors} errors and {results} results");
}

/// Counts up to what a table has, and notes something where it has no more.
#[flash::kernel]
fn counted(table: &[u32], x: &[u32], #[out] y: &mut [u32]) {
    let i = global_id(0);
    y[i] = table[x[i] as usize] + x[i] + 1;
}

#[test]
fn what_was_noted_before_a_call_failed_is_not_noted_again() {
    let Some(TestCuda { driver, rt }) = cuda("devices=1") else { return };
    let count = |to: usize| {
        let table = Buffer::from(vec![0_u32; to]);
        let (x, mut y) = (Buffer::<u32>::zeros(N), Buffer::unwritten(N));
        flash_pipeline! { in rt;
            for _trip in 0..100 {
                counted(&table, &x, &mut y)[N];
                swap(x, y);
            }
        }
        .exec()?;
        x.to_vec()
    };
    for call in ["cuLaunchKernel", "cuMemcpyDtoHAsync", "cuEventRecord"] {
        for nth in 1..=100 {
            driver.fail(call, nth, Code::OPERATING_SYSTEM);
            assert!(count(60).is_err(), "{call} number {nth}");
            driver.forgive();
            let found = count(100);
            assert!(
                found.as_ref().is_ok_and(|x| *x == [100; N]),
                "after {call} number {nth}: {found:?}"
            );
        }
    }
}

#[flash::kernel(group_by(y))]
fn grow(x: &mut [u32]) {
    let i = global_id(0);
    x[i] = 3 * x[i] + 1;
}

#[test]
fn phases_that_come_again_are_kept_ready() {
    let Some(TestCuda { driver, rt }) = cuda("devices=1") else { return };
    for phases in [2, 100] {
        let mut x = Buffer::from(vec![0_u32; 8]);
        let mut pipeline = rt.pipeline();
        pipeline.push(grow(&mut x).over([8, phases]));
        for _ in 0..4 {
            pipeline.exec().unwrap();
        }
        driver.clear();
        pipeline.exec().unwrap();
        let counts = driver.counts();
        let new = |name: &&String| {
            ["cuModule", "cuMemAlloc", "cuStreamCreate", "cuMemHostAlloc"]
                .iter()
                .any(|new| name.starts_with(new))
        };
        assert_eq!(counts.keys().find(new), None, "{counts:?}");
        let launches: u64 =
            counts.iter().filter(|(name, _)| name.contains("LaunchKernel")).map(|(_, n)| n).sum();
        assert!(launches <= phases as u64, "{counts:?}");
        let once = |x: u32| 3_u32.wrapping_mul(x).wrapping_add(1);
        let wanted = (0..5 * phases).fold(0, |x, _| once(x));
        assert_eq!(x.to_vec().unwrap(), [wanted; 8], "{phases} phases");
    }
}

#[test]
fn phases_of_scattered_ids_that_come_again_are_kept_ready() {
    let Some(TestCuda { driver, rt }) = cuda("devices=1,hazards=1") else { return };
    let (three_boxes, many) = (vec![0, 1, 2, 10, 11, 20], (0..40).map(|k| 3 * k + k % 2).collect());
    for ids in [three_boxes, many] {
        const PHASES: usize = 5;
        let mut x = Buffer::from(vec![0_u32; 128]);
        let mut pipeline = rt.pipeline();
        pipeline.push(grow(&mut x).over((CountBy::list(ids.clone()), PHASES)));
        for _ in 0..2 {
            pipeline.exec().unwrap();
        }
        driver.clear();
        pipeline.exec().unwrap();
        let counts = driver.counts();
        let of = |name: &str| counts.get(name).copied().unwrap_or(0);
        assert_eq!(of("cuLaunchKernel") + of("cuGraphLaunch"), PHASES as u64, "{counts:?}");
        let others = ["cuMemcpyHtoDAsync_v2", "cuMemAllocAsync", "cuMemAlloc_v2"];
        assert_eq!(others.map(of), [0; 3], "{counts:?}");
        let last = (0..3 * PHASES).fold(0_u32, |x, _| 3 * x + 1);
        let wanted: Vec<_> = (0..128).map(|i| if ids.contains(&i) { last } else { 0 }).collect();
        assert_eq!(x.to_vec().unwrap(), wanted, "{ids:?}");
    }
    assert_eq!(driver.hazards(), Vec::<String>::new());
}

#[flash::kernel(group_by(y))]
fn total(x: &[u32], #[reduce(+)] sum: &mut u32, #[reduce(max)] most: &mut u32) {
    let value = x[global_id(0)] + global_id(1) as u32;
    *sum += value;
    *most = (*most).max(value);
}

/// Each phase is a launch and a copy of each of its partial results; tables and memory are those of before.
#[test]
fn phases_that_reduce_and_come_again_are_kept_ready() {
    let Some(TestCuda { driver, rt }) = cuda("devices=1,hazards=1") else { return };
    let scattered: Vec<usize> = (0..40).map(|k| 3 * k + k % 2).collect();
    for ids in [vec![3], (0..1200).collect(), scattered] {
        const PHASES: usize = 5;
        let x: Vec<u32> = (0..1200).map(|i| i * i % 97).collect();
        let on =
            [Buffer::from(x.clone()), Buffer::from(x.iter().map(|x| x + 1).collect::<Vec<_>>())];
        let mut sums = [Var::new(0_u32), Var::new(0)];
        let mut most = [Var::new(0_u32), Var::new(0)];
        let cells = on.iter().zip(sums.iter_mut().zip(&mut most));
        let mut pipelines: Vec<_> = cells
            .map(|(x, (sum, most))| {
                let mut pipeline = rt.pipeline();
                pipeline.push(total(x, sum, most).over((CountBy::list(ids.clone()), PHASES)));
                pipeline
            })
            .collect();
        // The driver waits for a copy to memory of the host that is not pinned, with all that would submit.
        let waits = || {
            let all = driver.calls();
            let copies = all.iter().filter(|call| call.name == "cuMemcpyDtoHAsync_v2");
            copies.filter(|call| call.waited).count()
        };
        driver.log(true);
        for _ in 0..2 {
            pipelines.iter_mut().for_each(|pipeline| drop(pipeline.exec().unwrap()));
        }
        assert_eq!(waits(), 0);
        for run in 0..6 {
            driver.clear();
            let (k, more) = (run % 2, run as u32 % 2);
            let report = pipelines[k].exec().unwrap();
            let counts = driver.counts();
            let of = |name: &str| counts.get(name).copied().unwrap_or(0);
            assert_eq!(of("cuLaunchKernel"), PHASES as u64, "{counts:?}");
            assert_eq!(of("cuMemcpyDtoHAsync_v2"), 2 * PHASES as u64, "{counts:?}");
            assert_eq!(waits(), 0, "run {run}");
            let others = ["cuMemcpyHtoDAsync_v2", "cuMemAllocAsync", "cuMemAlloc_v2"];
            assert_eq!(others.map(of), [0; 3], "{counts:?}");
            let phases = 0..PHASES as u32;
            let values = || ids.iter().flat_map(|&i| phases.clone().map(move |p| (i, p)));
            let value = |(i, p): (usize, u32)| x[i] + more + p;
            let found = [report.value(&sums[k]).unwrap(), report.value(&most[k]).unwrap()];
            let wanted = [values().map(value).sum(), values().map(value).max().unwrap()];
            assert_eq!(found, wanted, "run {run}, {} ids", ids.len());
        }
    }
    assert_eq!(driver.hazards(), Vec::<String>::new());
}

#[flash::kernel]
fn grow_by(by: u32, x: &mut [u32]) {
    let i = global_id(0);
    x[i] = by * x[i] + 1;
}

/// What reads a cell goes into a graph as others do; with another value of the cell the graph is changed.
#[test]
fn a_kept_pipeline_whose_cells_change_becomes_graphs() {
    let Some(TestCuda { driver, rt }) = cuda("devices=1,hazards=1") else { return };
    const TRIPS: u32 = 20;
    let (mut x, by) = (Buffer::from(vec![0_u32; 8]), Var::new(0_u32));
    let mut pipeline = rt.pipeline();
    pipeline.begin_for(0..TRIPS);
    pipeline.push(grow_by(&by, &mut x).over([8]));
    pipeline.end_for();
    let (mut wanted, mut graphs) = (0_u32, Vec::new());
    for value in [3, 3, 3, 3, 5, 5, 5, 7, 5] {
        by.set(value).unwrap();
        driver.clear();
        pipeline.exec().unwrap();
        let counts = driver.counts();
        let of = |name: &str| counts.get(name).copied().unwrap_or(0);
        graphs.push((value, of("cuLaunchKernel"), of("cuGraphLaunch")));
        wanted = (0..TRIPS).fold(wanted, |x, _| value.wrapping_mul(x).wrapping_add(1));
    }
    drop(pipeline);
    assert_eq!(x.to_vec().unwrap(), [wanted; 8]);
    // Also the value of some runs before.
    let (launches, graph) = (|value| (value, 20, 0), |value| (value, 1, 1));
    let first = [launches(3), launches(3), launches(3), graph(3)];
    let others = [launches(5), launches(5), graph(5), launches(7), graph(5)];
    assert_eq!(graphs, [&first[..], &others].concat());
    assert_eq!(driver.hazards(), Vec::<String>::new());
}

#[flash::kernel]
fn total_of_rows(x: &[u64], #[reduce(+)] sum: &mut u64) {
    *sum += x[global_id(0)] + global_id(1) as u64;
}

/// 64 KiB of pinned memory take 8,192 partial results of eight bytes.
#[test]
fn partial_results_of_many_blocks_come_back_in_pieces() {
    let Some(TestCuda { driver, rt }) = cuda("devices=1") else { return };
    // Rows of more than half a block, so that each has a block of its own.
    const SHAPE: [usize; 2] = [2_049, 9_000];
    let x = Buffer::from((0..SHAPE[0] as u64).collect::<Vec<_>>());
    let mut sum = Var::new(0_u64);
    driver.log(true);
    let report = rt.submit(total_of_rows(&x, &mut sum)).exec(SHAPE).unwrap();
    let [w, h] = SHAPE.map(|n| n as u64);
    assert_eq!(report.value(&sum).unwrap(), h * w * (w - 1) / 2 + w * h * (h - 1) / 2);
    let calls = driver.calls();
    let copies = calls.iter().filter(|call| call.name == "cuMemcpyDtoHAsync_v2");
    let copies: Vec<_> = copies.map(|call| (call.bytes, call.waited)).collect();
    assert_eq!(copies, [(8 << 13, false), (8 * (9_000 - (1 << 13)), false)]);
}

/// More rows than a grid has go to the device in several commands, each time.
#[test]
fn tall_launches_that_come_again_do_all_of_it() {
    let Some(TestCuda { driver: _driver, rt }) = cuda("devices=1") else { return };
    for rows in [70_000, 70_144] {
        let mut x = Buffer::from_shape([rows, 1], vec![0_u32; rows]).unwrap();
        let mut pipeline = rt.pipeline();
        pipeline.push(again(&mut x).over([1, rows]));
        for _ in 0..4 {
            pipeline.exec().unwrap();
        }
        drop(pipeline);
        assert!(x.to_vec().unwrap().iter().all(|&n| n == 4), "{rows}");
    }
}
