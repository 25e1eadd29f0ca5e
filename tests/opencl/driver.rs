//! Calls of the driver that fail, one after the other: what is said, what is as it was, and that all
//! goes on.

use flash::Error;
use flash::prelude::*;
use flash_ocl::calls;
use flash_tests::chain::{self, add, total, triple};
use flash_tests::{oclgrind, opencl};

use crate::{COPYING, STAGED, again, in_turn, is_again, wrap};

const N: usize = 3000;

/// Calls that make what a pipeline runs on, where nothing is kept on disk.
const MAKING: [&str; 4] =
    ["clCreateContext", "clCreateProgramWithSource", "clBuildProgram", "clCreateKernel"];

/// Calls that work on the way of a pipeline.
const RUNNING: [&str; 11] = [
    "clCreateCommandQueue",
    "clCreateBuffer",
    "clSetKernelArg",
    "clEnqueueWriteBuffer",
    "clEnqueueNDRangeKernel",
    "clEnqueueReadBuffer",
    "clFlush",
    "clGetEventInfo",
    "clEnqueueMapBuffer",
    "clCreateUserEvent",
    "clWaitForEvents",
];

const OUT_OF_RESOURCES: i32 = -5;
const NO_MEMORY: i32 = -4;
const NOT_AVAILABLE: i32 = -2;

/// A pipeline of some kernels and a task; the sum that it finds, and how many launches ran elsewhere.
fn run(rt: &Runtime, x: &Buffer<u32>) -> flash::Result<(u32, usize)> {
    let (mut y, mut s) = (Buffer::zeros(N), Var::new(0_u32));
    let mut p = rt.pipeline();
    p.push(add(x, &mut y).over([N]));
    p.push(triple(&mut y).over([N]));
    p.push(Task::new("one more", (&mut y,), |(mut y,)| y[[0]] += 1));
    p.push(triple(&mut y).over([N]));
    p.push(total(&y, &mut s).over([N]));
    let report = p.exec()?;
    drop(p);
    Ok((s.get()?, report.fallbacks().len()))
}

/// What it is to find.
fn expected() -> u32 {
    chain::expected(N)
}

fn is_typed(error: &Error) -> bool {
    matches!(
        error,
        Error::Driver { .. }
            | Error::DeviceLost { .. }
            | Error::OutOfMemory { .. }
            | Error::Library { .. }
            | Error::NoImplementation { .. }
    )
}

#[test]
fn each_call_that_fails_is_an_error_after_which_all_goes_on() {
    if !is_again() {
        if opencl().is_some() {
            let test = "driver::each_call_that_fails_is_an_error_after_which_all_goes_on";
            let nowhere = ("FLASH_CACHE", "off");
            again(test, &[nowhere], None);
            again(test, &[nowhere, STAGED], None);
            // A compiler takes longer than all the rest.
            let folder = tempfile::tempdir().unwrap();
            let kept =
                [("FLASH_CACHE", "on"), ("FLASH_CACHE_DIR", folder.path().to_str().unwrap())];
            again(test, &kept, None);
            again(test, &[kept[0], kept[1], STAGED], None);
        }
        return;
    }
    let is_kept = std::env::var("FLASH_CACHE").as_deref() == Ok("on");
    let (functions, least) =
        if is_kept { (&RUNNING[..], [60, 40]) } else { (&MAKING[..], [24, 24]) };
    wrap();
    let x = Buffer::from((0..N as u32).collect::<Vec<_>>());
    let (mut hit, mut failed) = (0, 0);
    for &function in functions {
        for code in [OUT_OF_RESOURCES, NO_MEMORY, NOT_AVAILABLE] {
            for nth in 0..3 {
                let rt = opencl().unwrap();
                calls::fail(function, nth, code);
                let result = run(&rt, &x);
                if calls::forget() > 0 {
                    // There were not so many.
                    assert_eq!(result.unwrap(), (expected(), 0));
                    break;
                }
                hit += 1;
                let what = format!("{function} {nth} {code}");
                match &result {
                    Ok(found) => assert_eq!(found.0, expected(), "{what}"),
                    Err(error) => {
                        failed += 1;
                        assert!(is_typed(error), "{what}: {error:?}");
                        let said = format!("{error:?}");
                        assert!(said.contains(rt.devices()[0].name()), "{what}: {said}");
                    }
                }
                assert_eq!(x.get(N - 1).unwrap(), N as u32 - 1, "{what}");
                // A lost device stays lost, and so does a context that could not be made.
                let stays = code == NOT_AVAILABLE || function == "clCreateContext";
                match run(&rt, &x) {
                    Ok(found) => assert_eq!(found.0, expected(), "{what}"),
                    Err(error) => {
                        assert!(stays && is_typed(&error), "{what}: {result:?} {error:?}")
                    }
                }
            }
        }
    }
    assert!(hit >= least[0] && failed >= least[1], "{hit} {failed}");
}

#[test]
fn the_cpu_runs_what_a_device_cannot() {
    if !is_again() {
        if opencl().is_some() {
            let test = "driver::the_cpu_runs_what_a_device_cannot";
            again(test, &[("FLASH_CACHE", "off"), COPYING], None);
            // Threads make those copies.
            if !oclgrind::is_under() {
                again(test, &[("FLASH_CACHE", "off"), COPYING, STAGED], None);
            }
        }
        return;
    }
    wrap();
    let x = Buffer::from((0..N as u32).collect::<Vec<_>>());
    let mut fallen = 0;
    for (function, code) in [
        ("clCreateBuffer", NO_MEMORY),
        ("clBuildProgram", OUT_OF_RESOURCES),
        ("clEnqueueNDRangeKernel", NOT_AVAILABLE),
        ("clEnqueueNDRangeKernel", OUT_OF_RESOURCES),
        ("clEnqueueWriteBuffer", NOT_AVAILABLE),
    ] {
        let rt = in_turn();
        // Again and again, so that it is no matter of making room or of another try.
        (0..40).for_each(|_| calls::fail(function, 0, code));
        let result = run(&rt, &x);
        calls::forget();
        let found = result.unwrap_or_else(|error| panic!("{function} {code}: {error:?}"));
        assert_eq!(found.0, expected(), "{function} {code}");
        fallen += found.1;
        assert_eq!(x.get(N - 1).unwrap(), N as u32 - 1);
    }
    assert!(fallen > 0);
}
