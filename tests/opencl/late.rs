//! Commands that fail after they were submitted, when launches behind them may be submitted too: what is said,
//! that nothing is lost or taken for what it is not, and that all goes on.

use flash::Error;
use flash::prelude::*;
use flash_ocl::calls;
use flash_tests::chain::{self, add, triple};
use flash_tests::opencl;

use crate::{COPYING, STAGED, alone, in_turn};

const N: usize = 3000;

/// Commands of a pipeline: what fails is not done.
const COMMANDS: [&str; 4] = [
    "clEnqueueWriteBuffer",
    "clEnqueueNDRangeKernel",
    "clEnqueueReadBuffer",
    "clEnqueueFillBuffer",
];

const OUT_OF_RESOURCES: i32 = -5;
const NOT_AVAILABLE: i32 = -2;
const OF_ANOTHER_EVENT: i32 = -14;

/// One chain; the sum that it finds, and how many launches ran elsewhere.
fn run(rt: &Runtime, x: &Buffer<u32>) -> flash::Result<(u32, usize)> {
    let (sums, elsewhere) = chain::run(rt, x, 1)?;
    Ok((sums[0], elsewhere))
}

/// What it is to find.
fn expected() -> u32 {
    chain::expected(N)
}

fn is_typed(error: &Error) -> bool {
    matches!(error, Error::Driver { .. } | Error::DeviceLost { .. } | Error::OutOfMemory { .. })
}

/// Copies as they are and through pinned memory.
const EACH: &[&[(&str, &str)]] = &[&[COPYING], &[COPYING, STAGED]];

#[test]
fn each_command_that_fails_late_is_an_error_after_which_all_goes_on() {
    if !alone("late::each_command_that_fails_late_is_an_error_after_which_all_goes_on", EACH) {
        return;
    }
    let x = Buffer::from((0..N as u32).collect::<Vec<_>>());
    let (mut hit, mut failed) = (0, 0);
    for command in COMMANDS {
        for code in [OUT_OF_RESOURCES, OF_ANOTHER_EVENT, NOT_AVAILABLE] {
            for nth in 0..6 {
                let rt = opencl().unwrap();
                let what = format!("{command} {nth} {code}");
                // What only the device has is there afterwards, unless that is gone.
                let mut kept = Buffer::zeros(N);
                rt.submit(add(&x, &mut kept)).exec([N]).unwrap();
                calls::fail_late(command, nth, code);
                let result = run(&rt, &x);
                if calls::forget() > 0 {
                    // There were not so many.
                    assert_eq!(result.unwrap(), (expected(), 0), "{what}");
                    break;
                }
                hit += 1;
                match &result {
                    Ok(found) => assert_eq!(found.0, expected(), "{what}"),
                    Err(error) => {
                        failed += 1;
                        assert!(is_typed(error), "{what}: {error:?}");
                        let said = format!("{error:?}");
                        assert!(said.contains(rt.devices()[0].name()), "{what}: {said}");
                    }
                }
                let stays = code == NOT_AVAILABLE;
                match kept.get(N - 1) {
                    Ok(value) => assert_eq!(value, N as u32, "{what}"),
                    Err(error) => assert!(stays && is_typed(&error), "{what}: {error:?}"),
                }
                assert_eq!(x.get(N - 1).unwrap(), N as u32 - 1, "{what}");
                calls::take();
                match run(&rt, &x) {
                    Ok(found) => assert_eq!(found.0, expected(), "{what}"),
                    Err(error) => {
                        assert!(stays && is_typed(&error), "{what}: {result:?} {error:?}")
                    }
                }
                // Who knows in which state those are that have failed.
                let counts = calls::take();
                let is_new = counts.keys().any(|name| name.starts_with("clCreateCommandQueue"));
                assert!(is_new || stays || result.is_ok(), "{what}: {counts:?}");
            }
        }
    }
    assert!(hit > 30 && failed > 30, "{hit} {failed}");
}

/// A device that is lost under way hands over to the CPU, which finds all that it needs.
#[test]
fn what_a_device_loses_late_runs_elsewhere() {
    if !alone("late::what_a_device_loses_late_runs_elsewhere", EACH) {
        return;
    }
    let x = Buffer::from((0..N as u32).collect::<Vec<_>>());
    let (mut fallen, mut hit) = (0, 0);
    for command in COMMANDS {
        for nth in 0..6 {
            let rt = in_turn();
            calls::fail_late(command, nth, NOT_AVAILABLE);
            let result = run(&rt, &x);
            if calls::forget() > 0 {
                break;
            }
            hit += 1;
            match result {
                Ok(found) => {
                    assert_eq!(found.0, expected(), "{command} {nth}");
                    fallen += found.1;
                }
                // Something was current there only.
                Err(error) => assert!(is_typed(&error), "{command} {nth}: {error:?}"),
            }
            assert_eq!(run(&rt, &x).unwrap().0, expected(), "{command} {nth}");
        }
    }
    assert!(fallen > 0 && hit > 8, "{fallen} {hit}");
}

/// Of two launches that were submitted together the error is that of the one which failed.
#[test]
fn the_error_names_the_launch_that_failed_late() {
    if !alone("late::the_error_names_the_launch_that_failed_late", EACH) {
        return;
    }
    let rt = Runtime::open("OPENCL").unwrap();
    for (nth, kernel) in [(0, "add"), (1, "triple")] {
        let (x, mut y) = (Buffer::from(vec![1_u32; N]), Buffer::zeros(N));
        let mut p = rt.pipeline();
        p.push(add(&x, &mut y).over([N]));
        p.push(triple(&mut y).over([N]));
        p.exec().unwrap();
        calls::fail_late("clEnqueueNDRangeKernel", nth, OUT_OF_RESOURCES);
        let error = p.exec().unwrap_err();
        assert_eq!(calls::forget(), 0, "the command was submitted");
        let source = std::error::Error::source(&error).map(ToString::to_string);
        let said = format!("{error}: {}", source.unwrap_or_default());
        assert!(said.contains(&format!("`{kernel}`")), "{nth}: {said}");
        assert!(said.contains("CL_OUT_OF_RESOURCES"), "{nth}: {said}");
        p.exec().unwrap();
        drop(p);
        assert_eq!(y.to_vec().unwrap(), [6; N]);
    }
}

/// One more.
#[flash::kernel]
fn grown(x: &mut [u32]) {
    let i = global_id(0);
    x[i] += 1;
}

/// Of launches that come again and go to the device together, those before one that fails count as run: the host has
/// the elements again only where the first one failed.
#[test]
fn launches_before_one_that_fails_late_have_run() {
    if !alone("late::launches_before_one_that_fails_late_have_run", EACH) {
        return;
    }
    const NODES: usize = 24;
    let mut hit = 0;
    for nth in 0..NODES as u64 {
        let rt = opencl().unwrap();
        let mut x = Buffer::from(vec![7_u32; N]);
        let mut p = rt.pipeline();
        for _ in 0..NODES {
            p.push(grown(&mut x).over([N]));
        }
        // All of them are ready then.
        (0..3).for_each(|_| drop(p.exec().unwrap()));
        let start = x.to_vec().unwrap();
        calls::fail_late("clEnqueueNDRangeKernel", nth, OUT_OF_RESOURCES);
        let error = p.exec().unwrap_err();
        assert_eq!(calls::forget(), 0);
        let Error::Driver { at, given_up, .. } = &error else { panic!("{error:?}") };
        let node = at.as_ref().and_then(|at| at.node).unwrap();
        let given_up = given_up.as_ref().map_or(0, |all| all.launches.len());
        assert!(node <= nth as usize && node + given_up < NODES, "{nth}: {error:?}");
        hit += usize::from(node > 0);
        let is_back = x.to_vec().unwrap() == start;
        assert_eq!(is_back, node == 0, "{nth}: {error:?}");
        p.exec().unwrap();
    }
    assert!(hit > NODES / 2, "{hit}");
}
