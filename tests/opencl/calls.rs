//! Calls of the driver that fail: the error names the node whose call it was, also where several launches
//! were handed over together, and the runtime goes on.

use flash::prelude::*;
use flash_ocl::calls;
use flash_tests::opencl;

use crate::{again, is_again};

#[flash::kernel]
fn add_three(x: &mut [u32]) {
    x[global_id(0)] += 3;
}

#[flash::kernel]
fn add_five(x: &mut [u32]) {
    x[global_id(0)] += 5;
}

#[test]
fn a_launch_that_the_driver_refuses_is_named() {
    if !is_again() {
        if opencl().is_some() {
            again("calls::a_launch_that_the_driver_refuses_is_named", &[], None);
        }
        return;
    }
    calls::wrap();
    let rt = Runtime::open("OPENCL").unwrap();
    for (nth, kernel, node) in [(70, "add_three", 1), (91, "add_five", 2), (0, "add_three", 1)] {
        let mut x = Buffer::from(vec![0_u32; 64]);
        let mut pipeline = flash_pipeline! { in rt;
            for _ in 0..100_u32 { add_three(&mut x)[64]; add_five(&mut x)[64]; }
        };
        pipeline.exec().unwrap();
        calls::fail("clEnqueueNDRangeKernel", nth, -5);
        let error = pipeline.exec().unwrap_err();
        let source = std::error::Error::source(&error).map(ToString::to_string);
        let said = format!("{error}: {}", source.unwrap_or_default());
        assert_eq!(calls::forget(), 0, "the call was made");
        assert!(said.contains(kernel) && said.contains("CL_OUT_OF_RESOURCES"), "{nth}: {said}");
        assert!(said.contains(&format!("node {node}, ")), "{nth}: {said}");
        let mut y = Buffer::from(vec![1_u32; 64]);
        rt.submit(add_five(&mut y)).exec([64]).unwrap();
        assert_eq!(y.to_vec().unwrap(), [6; 64]);
    }
}
