//! Does a program on cudarc find the driver, and does it keep the promises of CUDA? Kernels are in
//! `kernels.rs`.

mod common;

use std::ptr::{null_mut, without_provenance_mut};

use common::{code, driver};
use cudarc::driver::sys::{self, CUresult, CUstreamCaptureMode};
use cudarc::driver::{CudaContext, DevicePtr, DriverError, result};
use flash_test_cuda::Code;

#[test]
fn the_library_is_found_by_name() {
    let _driver = driver("devices=3,memory=64M,capability=7.5/9.0,version=12080");
    // SAFETY: loading the test driver runs no code.
    assert!(unsafe { sys::is_culib_present() });
    assert_eq!(CudaContext::device_count(), Ok(3));
    let mut version = 0;
    // SAFETY: the result is a number.
    assert_eq!(unsafe { sys::cuDriverGetVersion(&mut version) }, CUresult::CUDA_SUCCESS);
    assert_eq!(version, 12080);
    let cx = CudaContext::new(2).expect("a third device");
    assert_eq!(cx.compute_capability(), Ok((9, 0)));
    assert_eq!(cx.total_mem(), Ok(64 << 20));
    assert!(cx.name().expect("a name").contains("test device 2"));
    assert_eq!(code(CudaContext::new(3)), 101);
}

#[test]
fn no_device_is_said() {
    let _driver = driver("devices=0");
    assert_eq!(code(result::init()), Code::NO_DEVICE.0);
    assert_eq!(code(CudaContext::new(0)), Code::NO_DEVICE.0);
}

#[test]
fn bytes_come_back_as_they_went() {
    let driver = driver("");
    let cx = CudaContext::new(0).expect("a device");
    let stream = cx.new_stream().expect("a stream");
    let sent: Vec<u32> = (0..100_000).collect();
    let there = stream.clone_htod(&sent).expect("room");
    let mut again = stream.alloc_zeros::<u32>(100_000).expect("room");
    stream.memcpy_dtod(&there, &mut again).expect("a copy");
    assert_eq!(stream.clone_dtoh(&again).expect("a copy"), sent);
    drop((there, again, stream));
    cx.synchronize().expect("nothing failed");
    drop(cx);
    let alive = driver.alive();
    assert_eq!((alive.contexts, alive.allocations, alive.streams, alive.events), (0, 0, 0, 0));
    assert_eq!(alive.peak, 800_000);
}

#[test]
fn new_memory_is_full_of_poison() {
    let driver = driver("");
    let cx = CudaContext::new(0).expect("a device");
    cx.bind_to_thread().expect("current");
    // SAFETY: it is freed once, below.
    let address = unsafe { result::malloc_sync(100) }.expect("room");
    assert_eq!(driver.peek(address, 100), [0xfe; 100]);
    assert!(driver.peek(address, 101).is_empty(), "there is nothing behind it");
    // SAFETY: it was allocated above.
    unsafe { result::free_sync(address) }.expect("freed");
    // SAFETY: the driver is to notice it.
    assert_eq!(code(unsafe { result::free_sync(address) }), Code::INVALID_VALUE.0);
    // SAFETY: the driver is to notice it.
    let used_again = unsafe { result::memset_d8_sync(address, 0, 4) };
    assert_eq!(code(used_again), Code::INVALID_VALUE.0);
}

#[test]
fn the_limit_is_kept() {
    let _driver = driver("memory=1M");
    let cx = CudaContext::new(0).expect("a device");
    let stream = cx.default_stream();
    let half = stream.alloc_zeros::<u8>(512 << 10).expect("room for half");
    assert_eq!(code(stream.alloc_zeros::<u8>((512 << 10) + 1)), Code::OUT_OF_MEMORY.0);
    assert_eq!(cx.mem_get_info(), Ok((512 << 10, 1 << 20)));
    drop(half);
    stream.synchronize().expect("freed in order");
    assert_eq!(cx.mem_get_info(), Ok((1 << 20, 1 << 20)));
}

#[test]
fn pageable_copies_wait_and_pinned_ones_do_not() {
    let driver = driver("delay=down:20000");
    let cx = CudaContext::new(0).expect("a device");
    let stream = cx.new_stream().expect("a stream");
    let there = stream.clone_htod(&[7u8; 64]).expect("room");
    stream.synchronize().expect("done");
    driver.log(true);
    let mut here = [0u8; 64];
    stream.memcpy_dtoh(&there, &mut here).expect("a copy");
    assert_eq!(here, [7; 64], "it was over when the call returned");
    // SAFETY: it is read only after the stream was waited for.
    let mut pinned = unsafe { cx.alloc_pinned::<u8>(64) }.expect("pinned memory");
    stream.memcpy_dtoh(&there, &mut pinned).expect("a copy");
    let copies: Vec<bool> = driver
        .calls()
        .iter()
        .filter(|it| it.name == "cuMemcpyDtoHAsync_v2")
        .map(|it| it.waited)
        .collect();
    assert_eq!(copies, [true, false]);
    stream.synchronize().expect("done");
    assert_eq!(pinned.as_slice().expect("read"), [7; 64]);
}

#[test]
fn what_is_sent_may_be_changed_at_once_unless_it_is_pinned() {
    let _driver = driver("delay=up:20000");
    let cx = CudaContext::new(0).expect("a device");
    let stream = cx.new_stream().expect("a stream");
    let mut there = stream.alloc_zeros::<u8>(16).expect("room");
    let mut here = vec![1u8; 16];
    stream.memcpy_htod(&here, &mut there).expect("a copy");
    here.fill(2);
    assert_eq!(stream.clone_dtoh(&there).expect("a copy"), [1; 16]);
}

#[test]
fn waits_bind_to_the_record_before_them() {
    let _driver = driver("delay=fill:5000");
    let cx = CudaContext::new(0).expect("a device");
    let (one, two) = (cx.new_stream().expect("a stream"), cx.new_stream().expect("a stream"));
    let event = cx.new_event(None).expect("an event");
    let mut there = one.alloc_zeros::<u8>(8).expect("room");
    event.record(&one).expect("recorded");
    two.wait(&event).expect("a wait");
    // If the wait bound to this record, both streams would wait for each other.
    let other = cx.new_event(None).expect("an event");
    other.record(&two).expect("recorded");
    one.wait(&other).expect("a wait");
    one.memset_zeros(&mut there).expect("a fill");
    event.record(&one).expect("recorded again");
    two.synchronize().expect("done");
    one.synchronize().expect("done");
    assert!(event.is_complete());
}

#[test]
fn an_earlier_record_is_waited_for_though_a_later_one_is_reached() {
    let _driver = driver("delay=fill:20000");
    let cx = CudaContext::new(0).expect("a device");
    let [slow, fast, last] = [0; 3].map(|_| cx.new_stream().expect("a stream"));
    let mut there = slow.clone_htod(&[1u8]).expect("room");
    let event = cx.new_event(None).expect("an event");
    slow.memset_zeros(&mut there).expect("a fill");
    event.record(&slow).expect("recorded");
    last.wait(&event).expect("a wait");
    event.record(&fast).expect("recorded again");
    fast.synchronize().expect("done");
    assert!(event.is_complete(), "the newest record is reached");
    last.synchronize().expect("done");
    // SAFETY: the stream is alive.
    let slow_is = unsafe { sys::cuStreamQuery(slow.cu_stream()) };
    assert_eq!(slow_is, CUresult::CUDA_SUCCESS, "it has come as far as the first record");
    let mut here = [7u8];
    slow.memcpy_dtoh(&there, &mut here).expect("a copy");
    assert_eq!(here, [0]);
}

#[test]
fn time_goes_from_one_event_to_another() {
    let _driver = driver("delay=fill:20000");
    let cx = CudaContext::new(0).expect("a device");
    let stream = cx.new_stream().expect("a stream");
    let timed = Some(sys::CUevent_flags::CU_EVENT_DEFAULT);
    let start = stream.record_event(timed).expect("recorded");
    let mut there = stream.alloc_zeros::<u8>(8).expect("room");
    stream.memset_zeros(&mut there).expect("a fill");
    let end = stream.record_event(timed).expect("recorded");
    let apart = start.elapsed_ms(&end).expect("both are reached");
    assert!(apart > 0.0, "{apart}");
    assert_eq!(start.elapsed_ms(&start), Ok(0.0));
    let untimed = stream.record_event(None).expect("recorded");
    untimed.synchronize().expect("reached");
    assert_eq!(code(start.elapsed_ms(&untimed)), Code::INVALID_HANDLE.0);
}

#[test]
fn many_streams_in_a_row_and_across_keep_their_order() {
    let _driver = driver("");
    let cx = CudaContext::new(0).expect("a device");
    let streams: Vec<_> = (0..16).map(|_| cx.new_stream().expect("a stream")).collect();
    let mut there = streams[0].alloc_zeros::<u8>(1).expect("room");
    let mut last = 0;
    for round in 0..2000usize {
        let stream = &streams[round * 7 % 16];
        let before = &streams[round.wrapping_sub(1).wrapping_mul(7) % 16];
        if round > 0 {
            stream.join(before).expect("joined");
        }
        last = (round % 251) as u8;
        stream.memcpy_htod(&[last], &mut there).expect("a copy");
    }
    for stream in &streams {
        stream.synchronize().expect("done");
    }
    assert_eq!(streams[0].clone_dtoh(&there).expect("a copy"), [last]);
}

#[test]
fn a_thread_without_a_context_can_do_nothing() {
    let _driver = driver("");
    let cx = CudaContext::new(0).expect("a device");
    std::thread::spawn(|| {
        // SAFETY: nothing is allocated.
        assert_eq!(code(unsafe { result::malloc_sync(4) }), Code::INVALID_CONTEXT.0);
    })
    .join()
    .expect("no panic");
    drop(cx);
    // SAFETY: nothing is allocated.
    assert_eq!(code(unsafe { result::malloc_sync(4) }), Code::CONTEXT_IS_DESTROYED.0);
}

#[test]
fn handles_are_waited_for_and_given_up_where_a_context_is_current() {
    use CUresult::{CUDA_ERROR_INVALID_CONTEXT as NO_CONTEXT, CUDA_SUCCESS as DONE};
    let driver = driver("");
    let cx = CudaContext::new(0).expect("a device");
    let (stream, event) =
        (cx.new_stream().expect("a stream"), cx.new_event(None).expect("an event"));
    event.record(&stream).expect("recorded");
    stream.synchronize().expect("done");
    let there = stream.clone_htod(&[1u8]).expect("room");
    let address = there.device_ptr(&stream).0;
    let (raw_stream, raw_event) = (stream.cu_stream().addr(), event.cu_event().addr());
    std::thread::spawn(move || {
        let (stream, event) =
            (without_provenance_mut(raw_stream), without_provenance_mut(raw_event));
        let (mut millis, mut device, mut context) = (0.0_f32, 0_i32, null_mut());
        let out = (&raw mut device).cast();
        let ordinal = sys::CUpointer_attribute::CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL;
        macro_rules! said {
            ($($call:expr),*) => {
                // SAFETY: all of these are to be refused, but for the first one; results are of their types.
                [$(unsafe { $call }),*]
            };
        }
        let said = said![
            sys::cuEventQuery(event),
            sys::cuEventSynchronize(event),
            sys::cuEventElapsedTime_v2(&raw mut millis, event, event),
            sys::cuEventDestroy_v2(event),
            sys::cuStreamQuery(stream),
            sys::cuStreamGetCtx(stream, &raw mut context),
            sys::cuStreamDestroy_v2(stream),
            sys::cuPointerGetAttribute(out, ordinal, address)
        ];
        assert_eq!(said[0], DONE);
        assert_eq!(said[1..], [NO_CONTEXT; 7]);
    })
    .join()
    .expect("no panic");
    drop((there, stream, event, cx));
    let alive = driver.alive();
    assert_eq!((alive.streams, alive.events), (0, 0), "those that have one give them up");
}

#[test]
fn calls_fail_when_they_are_asked_to() {
    let driver = driver("");
    let cx = CudaContext::new(0).expect("a device");
    let stream = cx.new_stream().expect("a stream");
    driver.fail("cuMemAllocAsync", 2, Code::OUT_OF_MEMORY);
    let first = stream.alloc_zeros::<u8>(8).expect("the first one works");
    assert_eq!(code(stream.alloc_zeros::<u8>(8)), Code::OUT_OF_MEMORY.0);
    stream.alloc_zeros::<u8>(8).expect("the third one works");
    assert_eq!(driver.failures_left(), 0);
    driver.fail_later("cuMemsetD8Async", 1, Code::LAUNCH_FAILED);
    let mut first = first;
    stream.memset_zeros(&mut first).expect("the call succeeds");
    assert_eq!(code(stream.synchronize()), Code::LAUNCH_FAILED.0);
    assert_eq!(code(stream.alloc_zeros::<u8>(8)), Code::LAUNCH_FAILED.0, "the error stays");
    assert!(driver.why(0).contains("asked for"), "{}", driver.why(0));
}

#[test]
fn a_reset_makes_an_ill_context_well() {
    let driver = driver("");
    let cx = CudaContext::new(0).expect("a device");
    driver.fail_for_good("cuCtxSynchronize", 1, Code::ILLEGAL_ADDRESS);
    assert_eq!(code(cx.synchronize()), Code::ILLEGAL_ADDRESS.0);
    assert_eq!(code(cx.new_stream()), Code::ILLEGAL_ADDRESS.0);
    // SAFETY: what belongs to the context is not used again.
    let reset = unsafe { sys::cuDevicePrimaryCtxReset_v2(0) };
    assert_eq!(reset, CUresult::CUDA_SUCCESS);
    let cx = CudaContext::new(0).expect("the device again");
    cx.new_stream().expect("it is well");
}

#[test]
fn a_lost_device_stays_lost_until_it_is_found() {
    let driver = driver("devices=2");
    let cx = CudaContext::new(1).expect("a device");
    driver.lose(1, Code::ECC_UNCORRECTABLE);
    assert_eq!(code(cx.new_stream()), Code::ECC_UNCORRECTABLE.0);
    // SAFETY: what belongs to the context is not used again.
    unsafe { sys::cuDevicePrimaryCtxReset_v2(1) };
    assert_eq!(code(CudaContext::new(1)), Code::DEVICE_UNAVAILABLE.0);
    CudaContext::new(0).expect("the other one is there");
    driver.find(1);
    CudaContext::new(1).expect("it was found");
}

#[test]
fn functions_of_the_host_run_in_order_and_may_not_call() {
    let _driver = driver("");
    let cx = CudaContext::new(0).expect("a device");
    let stream = cx.new_stream().expect("a stream");
    unsafe extern "C" fn call(user: *mut std::ffi::c_void) {
        // SAFETY: the test keeps the number until the stream is done.
        let number = unsafe { &mut *user.cast::<u32>() };
        *number = code(result::ctx::get_current());
    }
    let mut number = 0u32;
    // SAFETY: the number lives until the stream was waited for.
    unsafe {
        result::stream::launch_host_function(stream.cu_stream(), call, (&raw mut number).cast())
    }
    .expect("submitted");
    stream.synchronize().expect("done");
    assert_eq!(number, Code::NOT_PERMITTED.0);
}

#[test]
fn a_captured_copy_is_replayed() {
    let _driver = driver("");
    let cx = CudaContext::new(0).expect("a device");
    // SAFETY: this test orders its streams itself.
    unsafe { cx.disable_event_tracking() };
    let stream = cx.new_stream().expect("a stream");
    let from = stream.clone_htod(&[1u32, 2, 3]).expect("room");
    let mut to = stream.alloc_zeros::<u32>(3).expect("room");
    stream.begin_capture(CUstreamCaptureMode::CU_STREAM_CAPTURE_MODE_GLOBAL).expect("a capture");
    stream.memcpy_dtod(&from, &mut to).expect("captured");
    let graph =
        stream.end_capture(sys::CUgraphInstantiate_flags(0)).expect("a graph").expect("a graph");
    assert_eq!(stream.clone_dtoh(&to).expect("a copy"), [0; 3], "a capture runs nothing");
    graph.launch().expect("launched");
    assert_eq!(stream.clone_dtoh(&to).expect("a copy"), [1, 2, 3]);
}

#[test]
fn a_capture_goes_across_streams_and_has_to_come_back() {
    let _driver = driver("");
    let cx = CudaContext::new(0).expect("a device");
    // SAFETY: this test orders its streams itself.
    unsafe { cx.disable_event_tracking() };
    let (one, two) = (cx.new_stream().expect("a stream"), cx.new_stream().expect("a stream"));
    let mut there = one.alloc_zeros::<u8>(4).expect("room");
    let relaxed = CUstreamCaptureMode::CU_STREAM_CAPTURE_MODE_RELAXED;
    for comes_back in [true, false] {
        one.begin_capture(relaxed).expect("a capture");
        two.join(&one).expect("it joins the capture");
        two.memset_zeros(&mut there).expect("captured");
        if comes_back {
            one.join(&two).expect("it comes back");
        }
        let graph = one.end_capture(sys::CUgraphInstantiate_flags(0));
        if comes_back {
            graph.expect("a graph").expect("a graph").launch().expect("launched");
        } else {
            assert_eq!(code(graph.map(|_| ())), Code::STREAM_CAPTURE_UNJOINED.0);
        }
    }
    one.synchronize().expect("the stream is free again");
}

#[test]
fn what_a_capture_forbids_spoils_it() {
    let _driver = driver("");
    let cx = CudaContext::new(0).expect("a device");
    let stream = cx.new_stream().expect("a stream");
    let global = CUstreamCaptureMode::CU_STREAM_CAPTURE_MODE_GLOBAL;
    let forbidden: [&dyn Fn() -> Result<(), DriverError>; 3] = [
        &|| stream.synchronize(),
        &|| cx.synchronize(),
        // SAFETY: nothing is allocated.
        &|| unsafe { result::malloc_sync(4) }.map(drop),
    ];
    for forbidden in forbidden {
        stream.begin_capture(global).expect("a capture");
        assert_eq!(code(forbidden()), Code::STREAM_CAPTURE_UNSUPPORTED.0);
        let end = stream.end_capture(sys::CUgraphInstantiate_flags(0)).map(|_| ());
        assert_eq!(code(end), Code::STREAM_CAPTURE_INVALIDATED.0);
    }
    stream.synchronize().expect("the stream is free again");
}

#[test]
fn errors_have_names() {
    let _driver = driver("");
    let error = DriverError(CUresult::CUDA_ERROR_OUT_OF_MEMORY);
    assert_eq!(error.error_name().expect("a name").to_str(), Ok("CUDA_ERROR_OUT_OF_MEMORY"));
    assert_eq!(error.error_string().expect("a text").to_str(), Ok("out of memory"));
}

#[test]
fn garbage_is_no_image() {
    let _driver = driver("");
    let cx = CudaContext::new(0).expect("a device");
    for image in ["no kernel\0", "\u{7f}ELF\0", " \0"] {
        let ptx = cudarc::nvrtc::Ptx::from_binary(image.as_bytes().to_vec());
        // The header of an ELF image has 64 bytes.
        let mut padded = image.as_bytes().to_vec();
        padded.resize(64, 0);
        let ptx =
            if image.starts_with('\u{7f}') { cudarc::nvrtc::Ptx::from_binary(padded) } else { ptx };
        assert_eq!(code(cx.load_module(ptx)), Code::INVALID_IMAGE.0, "{image:?}");
    }
}
