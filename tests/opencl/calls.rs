//! Calls of the driver that fail: the error names the node whose call it was, also where several launches
//! were handed over together, and the runtime goes on.

use flash::CountBy;
use flash::prelude::*;
use flash_ocl::calls;
use flash_tests::{oclgrind, opencl};

use crate::{AS_IT_IS, again, alone, is_again};

#[flash::kernel]
fn add_three(x: &mut [u32]) {
    x[global_id(0)] += 3;
}

#[flash::kernel]
fn add_five(x: &mut [u32]) {
    x[global_id(0)] += 5;
}

#[flash::kernel(group_by(y))]
fn grow(x: &mut [u32]) {
    let i = global_id(0);
    x[i] = 3 * x[i] + 1;
}

/// What one of them holds the others have without a copy through the host.
#[test]
fn devices_of_a_platform_share_a_context() {
    if !is_again() {
        if opencl().is_some() {
            let two = [("POCL_DEVICES", "pthread pthread"), ("CL_CONFIG_CPU_EMULATE_DEVICES", "2")];
            again("calls::devices_of_a_platform_share_a_context", &two, None);
        }
        return;
    }
    calls::wrap();
    let rt = Runtime::open("OPENCL").unwrap();
    let n = rt.devices().len();
    let mut x = Buffer::from(vec![0_u32; 8]);
    let mut pipeline = rt.pipeline();
    for device in 0..n {
        pipeline.push(add_three(&mut x).pin(device).over([8]));
    }
    pipeline.exec().unwrap();
    drop(pipeline);
    assert_eq!(x.to_vec().unwrap(), [3 * n as u32; 8]);
    let counts = calls::take();
    // Of the platform that was asked for two there is one; others may be there too.
    let most = n as u64 - 1;
    assert!(n >= 2 && (1..=most).contains(&counts["clCreateContext"]), "{n} devices: {counts:?}");
}

/// From the third run on a phase is one call: its arguments are those of before. What has more phases than
/// are kept asks for more, and does the same.
#[test]
fn phases_that_come_again_are_one_call_each() {
    if !alone("calls::phases_that_come_again_are_one_call_each", AS_IT_IS) {
        return;
    }
    let rt = Runtime::open("OPENCL").unwrap();
    for (phases, is_kept) in [(2, true), (100, true), (17_000, false)] {
        let mut x = Buffer::from(vec![0_u32; 8]);
        let mut pipeline = rt.pipeline();
        pipeline.push(grow(&mut x).over([8, phases]));
        for _ in 0..2 {
            pipeline.exec().unwrap();
        }
        calls::take();
        pipeline.exec().unwrap();
        let counts = calls::take();
        let of = |name| counts.get(name).copied().unwrap_or(0);
        assert_eq!(of("clEnqueueNDRangeKernel"), phases as u64, "{counts:?}");
        assert_eq!(of("clSetKernelArg") == 0, is_kept, "{phases}: {counts:?}");
        let once = |x: u32| 3_u32.wrapping_mul(x).wrapping_add(1);
        let wanted = (0..3 * phases).fold(0, |x, _| once(x));
        assert_eq!(x.to_vec().unwrap(), [wanted; 8], "{phases} phases");
    }
}

/// Where the ids of a phase are no box they are in a table, which stays with the launch.
#[test]
fn phases_of_scattered_ids_that_come_again_are_one_call_each() {
    if !alone("calls::phases_of_scattered_ids_that_come_again_are_one_call_each", AS_IT_IS) {
        return;
    }
    let rt = Runtime::open("OPENCL").unwrap();
    let (three_boxes, many) = (vec![0, 1, 2, 10, 11, 20], (0..40).map(|k| 3 * k + k % 2).collect());
    for ids in [three_boxes, many] {
        const PHASES: usize = 5;
        let mut x = Buffer::from(vec![0_u32; 128]);
        let mut pipeline = rt.pipeline();
        pipeline.push(grow(&mut x).over((CountBy::list(ids.clone()), PHASES)));
        for _ in 0..2 {
            pipeline.exec().unwrap();
        }
        calls::take();
        pipeline.exec().unwrap();
        let counts = calls::take();
        let of = |name| counts.get(name).copied().unwrap_or(0);
        assert_eq!(of("clEnqueueNDRangeKernel"), PHASES as u64, "{counts:?}");
        assert_eq!(OTHERS.map(of), [0; 4], "{counts:?}");
        let last = (0..3 * PHASES).fold(0_u32, |x, _| 3 * x + 1);
        let wanted: Vec<_> = (0..128).map(|i| if ids.contains(&i) { last } else { 0 }).collect();
        assert_eq!(x.to_vec().unwrap(), wanted, "{ids:?}");
    }
}

#[flash::kernel(group_by(y))]
fn total(x: &[u32], #[reduce(+)] sum: &mut u32, #[reduce(max)] most: &mut u32) {
    let value = x[global_id(0)] + global_id(1) as u32;
    *sum += value;
    *most = (*most).max(value);
}

/// Phases that reduce are a launch each, and bring each of their reductions once: arguments, tables and memory for
/// partial results are those of before. Runs of two pipelines that take turns do not disturb each other.
#[test]
fn phases_that_reduce_and_come_again_set_nothing_anew() {
    if !alone("calls::phases_that_reduce_and_come_again_set_nothing_anew", AS_IT_IS) {
        return;
    }
    let rt = Runtime::open("OPENCL").unwrap();
    let scattered: Vec<usize> = (0..40).map(|k| 3 * k + k % 2).collect();
    let far: Vec<usize> = (0..600).map(|k| 2 * k).collect();
    // All but the longest ones where each item is interpreted.
    let longest = if oclgrind::is_under() { 100 } else { 1200 };
    let all: [Vec<usize>; 4] = [vec![3], (0..1200).collect(), scattered, far];
    for ids in all.into_iter().filter(|ids| ids.len() <= longest) {
        const PHASES: usize = 5;
        let x: Vec<u32> = (0..1200).map(|i| i * i % 97).collect();
        let on =
            [Buffer::from(x.clone()), Buffer::from(x.iter().map(|x| x + 1).collect::<Vec<_>>())];
        let mut sums = [Var::new(0_u32), Var::new(0)];
        let mut most = [Var::new(0_u32), Var::new(0)];
        let space = || (CountBy::list(ids.clone()), PHASES);
        let cells = on.iter().zip(sums.iter_mut().zip(&mut most));
        let mut pipelines: Vec<_> = cells
            .map(|(x, (sum, most))| {
                let mut pipeline = rt.pipeline();
                pipeline.push(total(x, sum, most).over(space()));
                pipeline
            })
            .collect();
        for _ in 0..2 {
            pipelines.iter_mut().for_each(|pipeline| drop(pipeline.exec().unwrap()));
        }
        for run in 0..6 {
            calls::take();
            let (k, more) = (run % 2, run as u32 % 2);
            let report = pipelines[k].exec().unwrap();
            let counts = calls::take();
            let of = |name| counts.get(name).copied().unwrap_or(0);
            assert_eq!(of("clEnqueueNDRangeKernel"), PHASES as u64, "{counts:?}");
            assert_eq!(of("clEnqueueReadBuffer"), 2 * PHASES as u64, "{counts:?}");
            assert_eq!(OTHERS.map(of), [0; 4], "{counts:?}");
            let phases = 0..PHASES as u32;
            let values = || ids.iter().flat_map(|&i| phases.clone().map(move |p| (i, p)));
            let value = |(i, p): (usize, u32)| x[i] + more + p;
            let found = [report.value(&sums[k]).unwrap(), report.value(&most[k]).unwrap()];
            let wanted = [values().map(value).sum(), values().map(value).max().unwrap()];
            assert_eq!(found, wanted, "run {run}, {} ids", ids.len());
        }
    }
}

#[flash::kernel(group_by(y))]
fn grow_by(by: u32, x: &mut [u32]) {
    let i = global_id(0);
    x[i] = by * x[i] + 1;
}

/// Which calls a run makes beside its launches.
const OTHERS: [&str; 4] =
    ["clSetKernelArg", "clEnqueueWriteBuffer", "clCreateBuffer", "clCreateKernel"];

/// As long as the host leaves a cell as it is, arguments and tables are those of before, and for values that take
/// turns too; with another value the launch finds that one.
#[test]
fn phases_with_the_value_of_a_cell_that_come_again_set_nothing_anew() {
    if !alone("calls::phases_with_the_value_of_a_cell_that_come_again_set_nothing_anew", AS_IT_IS) {
        return;
    }
    let rt = Runtime::open("OPENCL").unwrap();
    let scattered: Vec<usize> = (0..40).map(|k| 3 * k + k % 2).collect();
    for ids in [(0..120).collect(), scattered] {
        const PHASES: usize = 5;
        let (mut x, by) = (Buffer::from(vec![0_u32; 128]), Var::new(0_u32));
        let mut pipeline = rt.pipeline();
        pipeline.push(grow_by(&by, &mut x).over((CountBy::list(ids.clone()), PHASES)));
        let (mut wanted, mut known) = (0_u32, Vec::new());
        for value in [3, 3, 3, 5, 5, 3, 7, 5, 7, 7, 3, 3] {
            by.set(value).unwrap();
            calls::take();
            pipeline.exec().unwrap();
            let counts = calls::take();
            let of = |name| counts.get(name).copied().unwrap_or(0);
            assert_eq!(of("clEnqueueNDRangeKernel"), PHASES as u64, "{counts:?}");
            // The first launch of all is not kept.
            let is_known =
                known.iter().filter(|known| **known == value).count() > usize::from(value == 3);
            assert_eq!(OTHERS.map(of) == [0; 4], is_known, "{value} after {known:?}: {counts:?}");
            known.push(value);
            wanted = (0..PHASES).fold(wanted, |x, _| value.wrapping_mul(x).wrapping_add(1));
        }
        drop(pipeline);
        let expected: Vec<_> =
            (0..128).map(|i| if ids.contains(&i) { wanted } else { 0 }).collect();
        assert_eq!(x.to_vec().unwrap(), expected);
    }
}

#[flash::kernel]
fn square(x: &[u32], #[out] y: &mut [u32]) {
    let i = global_id(0);
    y[i] = x[i].wrapping_mul(x[i]);
}

#[flash::kernel]
fn extremes(x: &[u32], #[reduce(+)] sum: &mut u32, #[reduce(max)] most: &mut u32) {
    let value = x[global_id(0)];
    *sum += value;
    *most = (*most).max(value);
}

/// Parts of a launch too, each a call; also of one that reduces.
#[test]
fn parts_that_come_again_set_nothing_anew() {
    if !alone("calls::parts_that_come_again_set_nothing_anew", AS_IT_IS) {
        return;
    }
    let rt = Runtime::open("OPENCL").unwrap();
    let (n, most_parts) = if oclgrind::is_under() { (8_192, 2) } else { (100_000, 3) };
    for parts in 2..=most_parts {
        let mut x = Buffer::from((0..n as u32).map(|i| i % 1_009 * (i % 97)).collect::<Vec<_>>());
        let (mut y, mut sum, mut most) = (Buffer::zeros(n), Var::new(0_u32), Var::new(0_u32));
        let mut pipeline = rt.pipeline();
        pipeline.push(square(&x, &mut y).partitions(parts).over([n]));
        pipeline.push(grow(&mut x).partitions(parts).over([n, 2]));
        pipeline.push(extremes(&y, &mut sum, &mut most).partitions(parts).over([n]));
        let (mut expected, mut squares) = (x.to_vec().unwrap(), vec![0; n]);
        for run in 0..5 {
            calls::take();
            let report = pipeline.exec().unwrap();
            let counts = calls::take();
            let of = |name| counts.get(name).copied().unwrap_or(0);
            assert_eq!(of("clEnqueueNDRangeKernel"), 4 * parts as u64, "{counts:?}");
            assert_eq!(OTHERS.map(of) == [0; 4], run > 1, "{run}: {counts:?}");
            squares = expected.iter().map(|x| x.wrapping_mul(*x)).collect();
            expected
                .iter_mut()
                .for_each(|x| *x = (0..2).fold(*x, |x, _| 3_u32.wrapping_mul(x).wrapping_add(1)));
            let found = [report.value(&sum).unwrap(), report.value(&most).unwrap()];
            let total = squares.iter().fold(0_u32, |sum, y| sum.wrapping_add(*y));
            assert_eq!(found, [total, *squares.iter().max().unwrap()], "{run}");
        }
        drop(pipeline);
        assert!(x.to_vec().unwrap() == expected && y.to_vec().unwrap() == squares);
    }
}

#[flash::kernel]
fn scale(by: u32, x: &[u32], y: &mut [u32]) {
    let i = global_id(0);
    y[i] = by.wrapping_mul(y[i]).wrapping_add(x[i]);
}

/// Nodes that are the same launch are one kernel of the driver; those with another value, array, box or space are
/// not, and neither are those of arrays that have come in the place of others.
#[test]
fn launches_that_are_the_same_are_one() {
    if !is_again() {
        if opencl().is_some() {
            again("calls::launches_that_are_the_same_are_one", &[], None);
        }
        return;
    }
    const N: usize = 64;
    const NODES: usize = 200;
    calls::wrap();
    let rt = Runtime::open("OPENCL").unwrap();
    for round in 0..3 {
        let x: [Buffer<u32>; 2] = [1, 2].map(|k| Buffer::from(vec![k + round; N]));
        let mut y: [Buffer<u32>; 2] = [3, 4].map(|k| Buffer::from(vec![k; N]));
        let mut wanted = [3, 4].map(|k| vec![k; N]);
        let mut pipeline = rt.pipeline();
        let which =
            |k: usize| (k % 3, k % 2, k / 2 % 2, if k.is_multiple_of(5) { N / 2 } else { N });
        for (by, from, to, n) in (0..NODES).map(which) {
            pipeline.push(scale(by as u32 + 2, &x[from], &mut y[to]).over([n]));
        }
        for run in 0..4 {
            calls::take();
            pipeline.exec().unwrap();
            let counts = calls::take();
            let of = |name| counts.get(name).copied().unwrap_or(0);
            assert_eq!(of("clEnqueueNDRangeKernel"), NODES as u64, "{counts:?}");
            // Of three values, two arrays that are read, two that are written and two spaces.
            assert!(of("clCreateKernel") <= 3 * 2 * 2 * 2 + 1, "{run}: {counts:?}");
            assert!(run < 2 || OTHERS.map(of) == [0; 4], "{run}: {counts:?}");
            for (by, from, to, n) in (0..NODES).map(which) {
                for y in &mut wanted[to][..n] {
                    *y = (by as u32 + 2).wrapping_mul(*y).wrapping_add(from as u32 + 1 + round);
                }
            }
        }
        drop(pipeline);
        assert_eq!(y.map(|y| y.to_vec().unwrap()), wanted);
    }
}

/// Some drivers read a clock several times for each command of a queue that notes moments, so none does before
/// somebody asks; of a run that is traced from the start also the first launch is known.
#[test]
fn moments_are_noted_for_those_who_ask() {
    if !alone("calls::moments_are_noted_for_those_who_ask", AS_IT_IS) {
        return;
    }
    for is_traced in [false, true] {
        calls::take();
        let rt = Runtime::builder().devices("OPENCL").trace(is_traced).build().unwrap();
        // Who has several devices is asked how long launches take.
        let is_asked = is_traced || rt.devices().len() > 1;
        let mut x = Buffer::from(vec![0_u32; 64]);
        let mut pipeline = rt.pipeline();
        for _ in 0..3 {
            pipeline.push(add_three(&mut x).over([64]));
        }
        for run in 1..3 {
            pipeline.exec().unwrap();
            let counts = calls::take();
            let of = |name| counts.get(name).copied().unwrap_or(0);
            let (asked, timed) = (of("clGetEventProfilingInfo"), "clCreateCommandQueue (timed)");
            assert_eq!(of(timed) > 0, is_asked && run == 1, "run {run}: {counts:?}");
            // When each launch began and when it ended; copies have such moments too.
            assert_eq!(asked >= 6, is_asked, "run {run}: {asked}");
            assert!(is_asked || asked == 0, "run {run}: {asked}");
        }
    }
}

/// A table that would be too large is not made.
#[test]
fn many_items_of_two_boxes_stay_two_calls() {
    if !alone("calls::many_items_of_two_boxes_stay_two_calls", AS_IT_IS) {
        return;
    }
    let rt = Runtime::open("OPENCL").unwrap();
    let mut x = Buffer::from(vec![0_u32; 700_000]);
    let ids: Vec<usize> = (0..300_000).chain(400_000..700_000).collect();
    let mut pipeline = rt.pipeline();
    pipeline.push(add_three(&mut x).over([CountBy::list(ids)]));
    for run in 1..4 {
        calls::take();
        pipeline.exec().unwrap();
        let counts = calls::take();
        assert_eq!(counts.get("clEnqueueNDRangeKernel"), Some(&2), "{run}: {counts:?}");
    }
    let found = x.to_vec().unwrap();
    let is_right =
        |(i, &x): (usize, &u32)| x == if (300_000..400_000).contains(&i) { 0 } else { 9 };
    assert!(found.iter().enumerate().all(is_right));
}

#[test]
fn a_launch_that_the_driver_refuses_is_named() {
    if !alone("calls::a_launch_that_the_driver_refuses_is_named", AS_IT_IS) {
        return;
    }
    let rt = Runtime::open("OPENCL").unwrap();
    for (nth, kernel, node) in [(70, "add_three", 1), (91, "add_five", 2), (0, "add_three", 1)] {
        let mut x = Buffer::from(vec![0_u32; 64]);
        let mut pipeline = flash_pipeline! { in rt;
            for _ in 0..100_u32 { add_three(&mut x)[64]; add_five(&mut x)[64]; }
        };
        pipeline.exec().unwrap();
        // One before which nothing is under way has not begun, and is tried again.
        let tries = if nth == 0 { 8 } else { 1 };
        (0..tries).for_each(|_| calls::fail("clEnqueueNDRangeKernel", nth, -5));
        let Err(error) = pipeline.exec() else { panic!("{nth}: nothing is refused") };
        let source = std::error::Error::source(&error).map(ToString::to_string);
        let said = format!("{error}: {}", source.unwrap_or_default());
        assert!(calls::forget() < tries, "the call was made");
        assert!(said.contains(kernel) && said.contains("CL_OUT_OF_RESOURCES"), "{nth}: {said}");
        assert!(said.contains(&format!("node {node}, ")), "{nth}: {said}");
        let mut y = Buffer::from(vec![1_u32; 64]);
        rt.submit(add_five(&mut y)).exec([64]).unwrap();
        assert_eq!(y.to_vec().unwrap(), [6; 64]);
    }
}
