//! Programs that use CUDA themselves: native nodes on our streams, and streams and memory of theirs.
#![allow(unsafe_code, reason = "calls the driver, and adopts what it made")]

use cudarc::driver::{CudaContext, DevicePtr, sys};
use flash::cuda::{OnCuda, adopt_memory, adopt_stream};
use flash::prelude::*;
use flash_rt::Error;
use flash_rt::task::BoxError;
use flash_rt::task::out;
use flash_test_cuda::Code;

use crate::{driver, runtime};

/// A node that fills an array with a word, by a call of the driver.
fn fill(rt: &Runtime, x: &mut Buffer<u32>, word: u32) -> flash::Result<()> {
    let node = rt.native("fill", (out(x),)).on_cuda(move |cx| {
        let array = cx.array(0).ok_or("one array is passed")?;
        assert!(array.is_written() && !cx.context().is_null() && cx.flag(0).is_none());
        let (n, stream) = (array.shape()[0], cx.stream().cast());
        // SAFETY: the array has so many words, and what writes them is in the stream of the node.
        match unsafe { sys::cuMemsetD32Async(array.address(), word, n, stream) } {
            sys::CUresult::CUDA_SUCCESS => Ok(()),
            code => Err(format!("{code:?}").into()),
        }
    });
    rt.pipeline().push(node).exec().map(drop)
}

#[test]
fn native_nodes_submit_to_the_stream_in_their_turn() {
    let driver = driver("devices=2,delay=fill:300");
    let rt = runtime();
    let mut x = Buffer::from(vec![1_u32; 1 << 15]);
    for word in [7, 8, 9] {
        fill(&rt, &mut x, word).unwrap();
    }
    assert_eq!(x.to_vec().unwrap(), vec![9; 1 << 15]);
    let mut none = Buffer::zeros(0);
    fill(&rt, &mut none, 7).unwrap();
    assert_eq!(none.to_vec().unwrap(), []);
    let node = rt
        .native("refuses", (&mut x,))
        .on_cuda(|_| -> Result<(), BoxError> { Err("the library is not there".into()) });
    let error = rt.pipeline().push(node).exec().unwrap_err();
    assert!(matches!(error, Error::Native { .. }), "{error}");
    assert_eq!(driver.trouble(), "");
}

/// The stream and the array of a node as those of cudarc, whose safe calls copy into it and fill part of it.
#[test]
fn a_node_lends_its_stream_and_memory_to_cudarc() {
    let driver = driver("devices=1,hazards=1,delay=fill:300");
    let rt = runtime();
    const N: usize = 1 << 15;
    let (mut x, y) = (Buffer::from(vec![1_u32; N]), Buffer::from(vec![5_u32; N]));
    for round in 0..3 {
        let node = rt.native("copied", (&mut x, &y)).on_cuda(move |cx| {
            let context = CudaContext::new(0)?;
            // Its events would be of another one than the stream's owner knows.
            // SAFETY: nobody uses the context beside this node.
            unsafe { context.disable_event_tracking() };
            // SAFETY: the stream is the node's as long as this runs, and of the primary context of its device.
            let stream = unsafe { context.wrap_borrowed_stream(cx.stream().cast()) };
            let [x, y] = [0, 1].map(|k| cx.array(k).map(|array| array.address()));
            let [x, y] = [x.ok_or("no x")?, y.ok_or("no y")?];
            // SAFETY: both have so many numbers; the slices are leaked below, so nobody frees them.
            let slice = |address| unsafe { stream.upgrade_device_ptr::<u32>(address, N) };
            let (mut to, from) = (slice(x), slice(y));
            stream.memcpy_dtod(&from, &mut to)?;
            stream.memset_zeros(&mut to.slice_mut(..N / 2))?;
            assert_eq!((to.leak(), from.leak()), (x, y), "round {round}");
            Ok(())
        });
        rt.pipeline().push(node).exec().unwrap();
        let halves = [vec![0; N / 2], vec![5; N / 2]].concat();
        assert_eq!(x.to_vec().unwrap(), halves, "round {round}");
    }
    assert_eq!(y.to_vec().unwrap(), vec![5; N]);
    assert_eq!((driver.hazards(), driver.trouble()), (vec![], String::new()));
}

#[test]
fn streams_and_memory_of_cudarc_are_adopted() {
    let driver = driver("devices=2");
    let context = CudaContext::new(1).unwrap();
    let stream = context.new_stream().unwrap();
    let slice = stream.clone_htod(&vec![3_u32; 4096]).unwrap();
    {
        // SAFETY: the stream is there until the end of the test.
        let device = unsafe { adopt_stream(stream.cu_stream().cast()) }.unwrap();
        let rt = Runtime::builder().backend(device).build().unwrap();
        assert_eq!(rt.devices().len(), 1);
        assert_eq!(rt.devices()[0].info().queues, 1);
        let address = slice.device_ptr(&stream).0;
        // SAFETY: the slice is there until the end of the test, and used by nobody else meanwhile.
        let mut x: Buffer<u32> = unsafe { adopt_memory(&rt.devices()[0], address, 4096) }.unwrap();
        assert_eq!(x.get(4095).unwrap(), 3);
        fill(&rt, &mut x, 5).unwrap();
        let mut y = Buffer::from(vec![1_u32; 1 << 17]);
        fill(&rt, &mut y, 6).unwrap();
        assert_eq!(y.to_vec().unwrap(), vec![6; 1 << 17]);
    }
    assert_eq!(stream.clone_dtoh(&slice).unwrap(), vec![5; 4096]);
    drop((slice, stream, context));
    let alive = driver.alive();
    assert_eq!((alive.allocations, alive.streams, alive.contexts), (0, 0, 0));
}

/// The driver refuses most calls of a thread that has no context.
#[test]
fn a_thread_that_has_no_context_adopts_too() {
    let _driver = driver("devices=2");
    let context = CudaContext::new(1).unwrap();
    let stream = context.new_stream().unwrap();
    let slice = stream.clone_htod(&vec![3_u32; 4096]).unwrap();
    stream.synchronize().unwrap();
    let (handle, address) = (stream.cu_stream().addr(), slice.device_ptr(&stream).0);
    std::thread::spawn(move || {
        // SAFETY: the stream is there until the end of the test.
        let device = unsafe { adopt_stream(std::ptr::without_provenance_mut(handle)) }.unwrap();
        let rt = Runtime::builder().backend(device).build().unwrap();
        // SAFETY: the slice is there until the end of the test, and used by nobody else meanwhile.
        let mut x: Buffer<u32> = unsafe { adopt_memory(&rt.devices()[0], address, 4096) }.unwrap();
        fill(&rt, &mut x, 5).unwrap();
        assert_eq!(x.get(4095).unwrap(), 5);
    })
    .join()
    .unwrap();
    assert_eq!(stream.clone_dtoh(&slice).unwrap(), vec![5; 4096]);
}

#[test]
fn a_lost_stream_of_another_is_not_brought_back_over_his_head() {
    let driver = driver("devices=1");
    let context = CudaContext::new(0).unwrap();
    let stream = context.new_stream().unwrap();
    // SAFETY: the stream is there until the end of the test.
    let device = unsafe { adopt_stream(stream.cu_stream().cast()) }.unwrap();
    let rt = Runtime::builder().backend(device).build().unwrap();
    driver.fail_later("cuMemcpyHtoDAsync", 1, Code::LAUNCH_FAILED);
    let x = Buffer::from(vec![7_u32; 1000]);
    x.prefetch(&rt, 0).wait().unwrap();
    driver.clear();
    let error = rt.recover().unwrap_err();
    assert!(matches!(error, Error::DeviceLost { .. }), "{error}");
    let said = format!("{error:?}");
    assert!(said.contains("a stream of somebody else's"), "{said}");
    assert_eq!(driver.counts().get("cuDevicePrimaryCtxReset_v2"), None);
    assert!(driver.alive().contexts > 0 && driver.alive().streams > 0);
    assert_eq!(x.get(999).unwrap(), 7, "the host has it");
}

#[test]
fn what_cannot_be_adopted_is_said() {
    let _driver = driver("devices=2");
    let said = |result: Result<(), Error>| match result.unwrap_err() {
        Error::Adopt { why, .. } => why,
        other => panic!("{other}"),
    };
    // SAFETY: null is said to be refused.
    let null = unsafe { adopt_stream(std::ptr::null_mut()) };
    assert!(said(null.map(drop)).contains("CU_STREAM_NON_BLOCKING"));
    let rt = runtime();
    let context = CudaContext::new(1).unwrap();
    let stream = context.new_stream().unwrap();
    let slice = stream.clone_htod(&[1_u32; 16]).unwrap();
    let address = slice.device_ptr(&stream).0;
    let adopt = |device: usize, address: u64, n: usize| {
        // SAFETY: nobody else uses the slice.
        said(unsafe { adopt_memory::<u32, 1>(&rt.devices()[device], address, n) }.map(drop))
    };
    assert!(adopt(0, address, 16).contains("no memory of"));
    assert!(adopt(1, 0, 16).contains("null"));
    assert!(adopt(1, address + 2, 4).contains("no multiple of 4"));
    assert!(adopt(1, address, 17).contains("68 are needed"));
    // SAFETY: it is refused.
    let vectors = unsafe { adopt_memory::<[f32; 4], 1>(&rt.devices()[1], address + 8, 2) };
    assert!(said(vectors.map(drop)).contains("no multiple of 16"));
    // SAFETY: nobody else uses the slice.
    let pairs = unsafe { adopt_memory::<[f32; 2], 1>(&rt.devices()[1], address + 8, 2) };
    assert_eq!(pairs.unwrap().len(), 2);
    // SAFETY: it is refused.
    let huge = unsafe { adopt_memory::<u32, 2>(&rt.devices()[1], address, [usize::MAX, 2]) };
    assert!(matches!(huge.unwrap_err(), Error::TooLarge { .. }));
    // SAFETY: nobody else uses the slice.
    let none = unsafe { adopt_memory::<u32, 1>(&rt.devices()[1], address, 0) }.unwrap();
    assert_eq!(none.to_vec().unwrap(), []);
    let cpu = Runtime::open("ALL_CPU").unwrap();
    // SAFETY: it is refused.
    let other = unsafe { adopt_memory::<u32, 1>(&cpu.devices()[0], address, 16) };
    assert!(said(other.map(drop)).contains("no device of CUDA"));
    drop(none);
    drop(slice);
    stream.synchronize().unwrap();
    assert!(adopt(1, address, 16).contains("no memory of"), "it was given back");
}
