//! On an OpenCL device, workloads copy beside their kernels: the trace, whose times are those that the
//! driver has noted, has a copy and a kernel that ran at one moment. How much that saves is not asked.

use flash::trace::{Kind, Trace};
use flash_examples::y4m::{Frame, Header};
use flash_examples::{Progress, Result};

use super::*;

/// A machine that is busy may run one thing after another for a while.
const TRIES: usize = 40;

/// Fails unless a copy has overlapped a kernel.
fn overlaps(workload: impl Fn(&Runtime) -> Result) {
    if flash_tests::opencl().is_none() {
        return;
    }
    let has = |trace: &Trace| {
        let copies = [Kind::Upload, Kind::Download];
        copies.into_iter().any(|copy| trace.has_overlap(copy, Kind::Kernel))
    };
    let mut last = Trace::default();
    for _ in 0..TRIES {
        let rt = Runtime::builder().devices(OPENCL).trace(true).build();
        let rt = rt.expect("it is always there");
        succeed(workload(&rt));
        last = rt.trace();
        if has(&last) {
            return;
        }
    }
    panic!("no copy beside a kernel: {:#?}", last.intervals());
}

#[test]
fn sobel_copies_beside_kernels() {
    overlaps(|rt| {
        let header = Header::new(640, 480);
        let frames = vec![Frame::zeros(&header); 12];
        let n = frames.len() as u64;
        let source = std::sync::Mutex::new(sobel_video::Source::Memory(frames.into_iter()));
        let sink = std::sync::Mutex::new(sobel_video::Sink::Memory(Vec::new()));
        sobel_video::filter(rt, &header, n, &source, &sink, &Progress::spinner("frames"))?;
        Ok(())
    });
}

#[test]
fn hotspot_copies_beside_kernels() {
    overlaps(|rt| {
        let shape = [400, 400];
        let (temperature, power) = hotspot::warm_blocks(shape, 2);
        let progress = Progress::spinner("steps");
        hotspot::simulate(rt, shape, &temperature, &power, 12, &progress)?;
        Ok(())
    });
}
