//! Operations that nothing orders are found, whether or not it went well; those that are ordered are
//! not.

mod common;

use std::sync::Arc;

use common::driver;
use cudarc::driver::{CudaContext, CudaStream, result};
use flash_test_cuda::TestDriver;

fn streams() -> (Arc<CudaContext>, Arc<CudaStream>, Arc<CudaStream>) {
    let cx = CudaContext::new(0).expect("a device");
    // SAFETY: these tests order their streams themselves, or are to be caught.
    unsafe { cx.disable_event_tracking() };
    let (one, two) = (cx.new_stream().expect("a stream"), cx.new_stream().expect("a stream"));
    (cx, one, two)
}

/// What is found when two streams fill bytes of one allocation, with something between them.
fn found(
    driver: &TestDriver,
    second: usize,
    between: impl FnOnce(&Arc<CudaContext>, &Arc<CudaStream>, &Arc<CudaStream>),
) -> Vec<String> {
    let (cx, one, two) = streams();
    let mut there = one.alloc_zeros::<u8>(64).expect("room");
    one.synchronize().expect("done");
    one.memset_zeros(&mut there.slice_mut(0..16)).expect("a fill");
    between(&cx, &one, &two);
    two.memset_zeros(&mut there.slice_mut(second..second + 16)).expect("a fill");
    two.synchronize().expect("done");
    one.synchronize().expect("done");
    driver.hazards()
}

#[test]
fn what_nothing_orders_is_found() {
    let driver = driver("hazards=1");
    let hazards = found(&driver, 15, |_, _, _| {});
    assert_eq!(hazards.len(), 1, "{hazards:?}");
    assert!(
        hazards[0].contains("a fill in stream") && hazards[0].contains("byte 15"),
        "{hazards:?}"
    );
    assert_eq!(found(&driver, 16, |_, _, _| {}), [""; 0], "other bytes");
}

#[test]
fn what_is_ordered_is_not_found() {
    let driver = driver("hazards=1");
    let none = [""; 0];
    assert_eq!(found(&driver, 0, |_, one, two| two.join(one).expect("joined")), none, "an event");
    assert_eq!(found(&driver, 0, |_, one, _| one.synchronize().expect("done")), none, "the host");
    assert_eq!(found(&driver, 0, |cx, _, _| cx.synchronize().expect("done")), none, "the device");
    let through_a_third = |cx: &Arc<CudaContext>, one: &Arc<CudaStream>, two: &Arc<CudaStream>| {
        let third = cx.new_stream().expect("a stream");
        third.join(one).expect("joined");
        two.join(&third).expect("joined");
    };
    assert_eq!(found(&driver, 0, through_a_third), none, "a third stream");
    let backwards = found(&driver, 0, |_, one, two| one.join(two).expect("joined"));
    assert_eq!(backwards.len(), 1, "the wrong way round");
    let by_event = |cx: &Arc<CudaContext>, one: &Arc<CudaStream>, _: &Arc<CudaStream>| {
        let event = cx.new_event(None).expect("an event");
        event.record(one).expect("recorded");
        event.synchronize().expect("reached");
    };
    assert_eq!(found(&driver, 0, by_event), none, "an event that the host waited for");
}

#[test]
fn memory_that_is_freed_too_early_is_found() {
    let driver = driver("hazards=1,delay=free:20000");
    let (_cx, one, two) = streams();
    // SAFETY: it is freed below.
    let there = unsafe { result::malloc_async(one.cu_stream(), 8) }.expect("room");
    two.join(&one).expect("joined");
    // SAFETY: the device has room for it.
    unsafe { result::memset_d8_async(there, 1, 8, two.cu_stream()) }.expect("a fill");
    // SAFETY: the free lasts until the fill is over, which nothing has asked for.
    unsafe { result::free_async(there, one.cu_stream()) }.expect("freed");
    one.synchronize().expect("done");
    two.synchronize().expect("done");
    let hazards = driver.hazards();
    assert_eq!(hazards.len(), 1, "{hazards:?}");
    assert!(hazards[0].contains("a free in stream"), "{hazards:?}");
}

#[test]
fn kernels_leave_the_footprint_of_what_they_touch() {
    use cudarc::driver::{LaunchConfig, PushKernelArg};
    let driver = driver("hazards=1");
    let (cx, one, two) = streams();
    let module = cx
        .load_module(cudarc::nvrtc::Ptx::from_src(include_str!("kernels.ptx")))
        .expect("a module");
    let add = module.load_function("add").expect("a kernel");
    let mut there = one.alloc_zeros::<f32>(8).expect("room");
    one.synchronize().expect("done");
    let shape = LaunchConfig { grid_dim: (1, 1, 1), block_dim: (4, 1, 1), shared_mem_bytes: 0 };
    for (first, wanted) in [(4, 0), (3, 1)] {
        for (stream, range) in [(&one, 0..4), (&two, first..first + 4)] {
            let mut part = there.slice_mut(range);
            let mut launch = stream.launch_builder(&add);
            launch.arg(&mut part).arg(&4u32).arg(&1f32);
            // SAFETY: the kernel has these parameters, and stays within the slice.
            unsafe { launch.launch(shape) }.expect("launched");
        }
        one.synchronize().expect("done");
        two.synchronize().expect("done");
        let hazards = driver.hazards();
        assert_eq!(hazards.len(), wanted, "{hazards:?}");
        assert!(hazards.iter().all(|it| it.contains("`add`") && it.contains("byte 12 ")));
    }
}
