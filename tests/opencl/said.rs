//! Devices that say something else of themselves than the ones that are there: drivers that are too old, boards
//! that take binaries only, memory of their own. Each test is in a process of its own, as its driver is wrapped.

use std::sync::Arc;

use flash::Error;
use flash::prelude::*;
use flash_ocl::{OpenCl, calls};
use flash_rt::Options;
use flash_tests::opencl;
use opencl_sys as sys;

use crate::{AS_IT_IS, alone, in_turn};

#[flash::kernel]
fn add(k: u32, x: &mut [u32]) {
    x[global_id(0)] += k;
}

#[flash::kernel(unsafe(opencl(
    source = "kernel void twice(global uint *x) { x[get_global_id(0)] *= 2; }",
    entry = "twice"
)))]
fn twice(x: &mut [u32]) {
    x[global_id(0)] *= 2;
}

#[flash::kernel(unsafe(opencl(
    source = "kernel void only_native(global uint *x) { x[get_global_id(0)] *= 2; }",
    entry = "only_native"
)))]
fn only_native(x: &mut [u32]);

/// What is left out of the devices is told, and the CPU is there.
#[test]
fn what_is_too_old_is_left_out() {
    if !alone("said::what_is_too_old_is_left_out", AS_IT_IS) {
        return;
    }
    calls::say(sys::CL_DEVICE_VERSION, b"OpenCL 1.1 of long ago\0");
    let error = Runtime::open("OPENCL").unwrap_err();
    assert!(matches!(&error, Error::NoDevice { .. }), "{error:?}");
    let mut x = Buffer::from(vec![1_u32; 10]);
    Runtime::new().unwrap().submit(add(1, &mut x)).exec([10]).unwrap();
    assert_eq!(x.to_vec().unwrap(), [2; 10]);
}

#[test]
fn what_is_not_available_is_left_out() {
    if !alone("said::what_is_not_available_is_left_out", AS_IT_IS) {
        return;
    }
    calls::say(sys::CL_DEVICE_AVAILABLE, &0_u32.to_ne_bytes());
    let error = Runtime::open("OPENCL").unwrap_err();
    assert!(matches!(&error, Error::NoDevice { .. }), "{error:?}");
}

/// As each board with an FPGA: neither text nor body are for it, and the CPU runs them.
#[test]
fn a_device_without_a_compiler_takes_no_text() {
    if !alone("said::a_device_without_a_compiler_takes_no_text", AS_IT_IS) {
        return;
    }
    calls::say(sys::CL_DEVICE_COMPILER_AVAILABLE, &0_u32.to_ne_bytes());
    let rt = in_turn();
    let mut x = Buffer::from(vec![1_u32; 10]);
    let mut pipeline = rt.pipeline();
    for _ in 0..rt.devices().len() {
        pipeline.push(add(1, &mut x).over([10]));
        pipeline.push(twice(&mut x).over([10]));
    }
    let planned = pipeline.explain().unwrap().to_string();
    let report = pipeline.exec().unwrap();
    drop(pipeline);
    assert!(report.fallbacks().is_empty(), "known before: {report}");
    let wanted = rt.devices().iter().fold(1, |x, _| 2 * (x + 1));
    assert_eq!(x.to_vec().unwrap(), [wanted; 10]);
    let why = "has no compiler and takes binaries that its tools have made ahead of time";
    assert_eq!(planned.matches(why).count(), 2 * 2 * (rt.devices().len() - 1), "{planned}");

    let rt = opencl().unwrap();
    let error = rt.submit(only_native(&mut x)).exec([10]).unwrap_err();
    assert!(error.to_string().contains("only_native") && format!("{error:?}").contains(why));
    assert_eq!(calls::take().get("clBuildProgram"), None, "nothing was compiled");
}

/// What is neither a processor nor a graphics processor and takes binaries only is an FPGA, whoever made it.
#[test]
fn an_accelerator_without_a_compiler_is_an_fpga() {
    if !alone("said::an_accelerator_without_a_compiler_is_an_fpga", AS_IT_IS) {
        return;
    }
    calls::say(sys::CL_DEVICE_TYPE, &sys::CL_DEVICE_TYPE_ACCELERATOR.to_ne_bytes());
    calls::say(sys::CL_DEVICE_COMPILER_AVAILABLE, &0_u32.to_ne_bytes());
    let found = ["INTEL_FPGA", "OPENCL"].map(|key| Runtime::open(key).map(|rt| rt.devices().len()));
    assert!(found[0].as_ref().is_ok_and(|n| *n > 0) && found[1].is_err(), "{found:?}");
}

/// A device with memory of its own gets long copies through pinned memory, unless somebody says otherwise.
#[test]
fn memory_of_its_own_is_reached_through_pinned_memory() {
    if !alone("said::memory_of_its_own_is_reached_through_pinned_memory", AS_IT_IS) {
        return;
    }
    calls::say(sys::CL_DEVICE_TYPE, &sys::CL_DEVICE_TYPE_GPU.to_ne_bytes());
    calls::say(sys::CL_DEVICE_HOST_UNIFIED_MEMORY, &0_u32.to_ne_bytes());
    let backend = OpenCl::new(&Options::default());
    let rt = Runtime::builder().backend(Arc::new(backend)).build().unwrap();
    for (bytes, is_long) in [((64 << 10) - 4, false), (64 << 10, true)] {
        let mut x = Buffer::from(vec![1_u32; bytes / 4]);
        calls::take();
        rt.submit(add(1, &mut x)).exec([bytes / 4]).unwrap();
        assert_eq!(x.to_vec().unwrap(), vec![2; bytes / 4]);
        let counts = calls::take();
        let is_mapped = counts.keys().any(|name| name.starts_with("clEnqueueMapBuffer"));
        assert_eq!(is_mapped, is_long, "{bytes} bytes: {counts:?}");
    }
}
