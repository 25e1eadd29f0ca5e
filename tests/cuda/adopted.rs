//! Kernels and pipelines on streams and memory of somebody else's: they come behind what he submitted, and what he
//! submits later comes behind them, though nobody waits.
#![allow(unsafe_code, reason = "adopts what cudarc has made")]

use std::sync::Arc;

use cudarc::driver::{CudaContext, CudaSlice, CudaStream, DevicePtr};
use flash::cuda::{adopt_memory, adopt_stream_with};
use flash::prelude::*;
use flash_test_cuda::TestDriver;
use flash_tests::chain::{add, total, triple};
use flash_tests::cuda::assert_orderly;

use crate::loops::{calls, counted, grown};

const N: usize = 1000;

#[flash::kernel(unsafe(cuda(
    source = "extern \"C\" __global__ void shifted(unsigned by, unsigned *x) {
        x[blockIdx.x * blockDim.x + threadIdx.x] += by; }"
)))]
fn shifted(by: u32, x: &mut [u32]);

/// A stream and an array of cudarc, and a runtime on the stream.
struct Owner {
    stream: Arc<CudaStream>,
    slice: CudaSlice<u32>,
    rt: Runtime,
}

impl Owner {
    fn new() -> Self {
        let stream = CudaContext::new(1).unwrap().new_stream().unwrap();
        let slice = stream.alloc_zeros(N).unwrap();
        let options = flash_tests::cuda::options();
        // SAFETY: the stream is dropped behind the runtime.
        let device = unsafe { adopt_stream_with(stream.cu_stream().cast(), &options) }.unwrap();
        let rt = Runtime::builder().backend(device).build().unwrap();
        Self { stream, slice, rt }
    }

    /// Submits a copy to the array, for which nobody waits.
    fn send(&mut self, value: u32) {
        self.stream.memcpy_htod(&vec![value; N], &mut self.slice).unwrap();
    }

    fn adopted(&self) -> Buffer<u32> {
        let address = self.slice.device_ptr(&self.stream).0;
        // SAFETY: the array is let go before its owner uses the memory again.
        unsafe { adopt_memory(&self.rt.devices()[0], address, N) }.unwrap()
    }

    #[track_caller]
    fn assert_has(&self, expected: u32) {
        assert_eq!(self.stream.clone_dtoh(&self.slice).unwrap(), vec![expected; N]);
    }
}

fn driver() -> Option<TestDriver> {
    flash_tests::cuda::driver("devices=2,hazards=1,delay=up:300,delay=kernel:300")
}

#[test]
fn kernels_take_their_turn_in_the_stream() {
    let Some(driver) = driver() else { return };
    let mut owner = Owner::new();
    for k in 0..4 {
        owner.send(10 + k);
        let mut x = owner.adopted();
        // A native kernel and a body, one by one.
        owner.rt.submit(shifted(5, &mut x)).exec([N]).unwrap();
        owner.rt.submit(triple(&mut x)).exec([N]).unwrap();
        drop(x);
        owner.assert_has(3 * (15 + k));
    }
    assert_orderly(&driver);
}

#[test]
fn pipelines_are_in_order_with_what_the_owner_submits() {
    let Some(driver) = driver() else { return };
    let mut owner = Owner::new();
    driver.log(true);
    for k in 0..4_u32 {
        owner.send(k);
        let (mut x, mut y) = (owner.adopted(), Buffer::zeros(N));
        let (mut sum, mut count) = (Var::new(0_u32), Var::new(0_u32));
        flash_pipeline! { in owner.rt;
            for _i in 0..8 {
                grown(3, &mut x)[N];
            }
            while &count < 5, max 100 {
                shifted(1, &mut x)[N];
                counted(&mut count)[1];
            }
            add(&x, &mut y)[N];
            total(&y, &mut sum)[N];
        }
        .exec()
        .unwrap();
        let expected = (0..8).fold(k, |x, _| 3 * x + 1) + 5;
        assert_eq!((count.get().unwrap(), sum.get().unwrap()), (5, N as u32 * (expected + 1)));
        assert_eq!(y.get(N - 1).unwrap(), expected + 1);
        drop(x);
        owner.assert_has(expected);
    }
    // All of it is in the one stream, call by call, so that what its owner puts between is in its place.
    let all = driver.calls();
    let launches: Vec<_> = all.iter().filter(|call| call.name == "cuLaunchKernel").collect();
    assert!(launches.len() >= 4 * (8 + 2 * 5 + 2), "{} launches", launches.len());
    let sends = all.iter().find(|call| call.name == "cuMemcpyHtoDAsync_v2").unwrap();
    assert!(launches.iter().all(|launch| launch.stream == sends.stream));
    assert_eq!(calls(&driver, "cuGraphLaunch"), 0);
    assert_orderly(&driver);
}

#[test]
fn a_plan_that_is_kept_runs_between_the_owners_copies() {
    let Some(driver) = driver() else { return };
    let mut owner = Owner::new();
    let (mut y, mut z) = (Buffer::from(vec![1_u32; N]), Buffer::zeros(N));
    let mut x = owner.adopted();
    let mut p = owner.rt.pipeline();
    p.push(triple(&mut x).over([N]));
    p.push(shifted(2, &mut y).over([N]));
    p.push(add(&y, &mut z).over([N]));
    (0..6).for_each(|_| drop(p.exec().unwrap()));
    drop(p);
    assert_eq!((y.get(7).unwrap(), z.get(7).unwrap(), x.get(7).unwrap()), (13, 14, 0));
    drop(x);
    owner.send(3);
    owner.assert_has(3);
    assert_orderly(&driver);
}
