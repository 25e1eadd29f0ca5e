//! Memory: rows, peers, pinned ranges and what is known of an address.

mod common;

use std::ffi::c_void;

use common::{code, driver, ok};
use cudarc::driver::sys::{self, CUmemorytype, CUpointer_attribute, CUresult};
use cudarc::driver::{CudaContext, result};
use flash_test_cuda::Code;

/// Rows from the host to a device, of which only the types of memory are set.
fn rows() -> sys::CUDA_MEMCPY2D {
    sys::CUDA_MEMCPY2D {
        srcXInBytes: 0,
        srcY: 0,
        srcMemoryType: CUmemorytype::CU_MEMORYTYPE_HOST,
        srcHost: std::ptr::null(),
        srcDevice: 0,
        srcArray: std::ptr::null_mut(),
        srcPitch: 0,
        dstXInBytes: 0,
        dstY: 0,
        dstMemoryType: CUmemorytype::CU_MEMORYTYPE_DEVICE,
        dstHost: std::ptr::null_mut(),
        dstDevice: 0,
        dstArray: std::ptr::null_mut(),
        dstPitch: 0,
        WidthInBytes: 0,
        Height: 1,
    }
}

#[test]
fn rows_are_copied_into_rows_of_another_pitch() {
    let driver = driver("");
    let cx = CudaContext::new(0).expect("a device");
    let stream = cx.new_stream().expect("a stream");
    // SAFETY: it is freed with its context.
    let there = unsafe { result::malloc_sync(64) }.expect("room");
    let here: Vec<u8> = (0..20).collect();
    let mut copy = rows();
    copy.srcHost = here.as_ptr().cast();
    (copy.srcPitch, copy.srcXInBytes, copy.srcY) = (5, 1, 1);
    (copy.dstDevice, copy.dstPitch, copy.dstXInBytes, copy.dstY) = (there, 16, 2, 1);
    (copy.WidthInBytes, copy.Height) = (3, 2);
    // SAFETY: rows 1 and 2 of the host are there, and the device has room.
    ok(unsafe { sys::cuMemcpy2DAsync_v2(&copy, stream.cu_stream()) });
    stream.synchronize().expect("done");
    let mut wanted = [0xfe; 64];
    wanted[18..21].copy_from_slice(&[6, 7, 8]);
    wanted[34..37].copy_from_slice(&[11, 12, 13]);
    assert_eq!(driver.peek(there, 64), wanted);
    copy.dstY = 3;
    // SAFETY: the driver is to refuse it.
    let too_far = unsafe { sys::cuMemcpy2DAsync_v2(&copy, stream.cu_stream()) };
    assert_eq!(too_far, CUresult::CUDA_ERROR_INVALID_VALUE);
    (copy.dstY, copy.dstPitch) = (0, 4);
    // SAFETY: the driver is to refuse it.
    let overlapping = unsafe { sys::cuMemcpy2DAsync_v2(&copy, stream.cu_stream()) };
    assert_eq!(overlapping, CUresult::CUDA_ERROR_INVALID_VALUE);
}

#[test]
fn rows_and_words_are_filled() {
    let driver = driver("");
    let cx = CudaContext::new(0).expect("a device");
    let stream = cx.new_stream().expect("a stream");
    // SAFETY: it is freed with its context.
    let there = unsafe { result::malloc_sync(16) }.expect("room");
    // SAFETY: the device has room for it.
    ok(unsafe { sys::cuMemsetD32Async(there, 0x0403_0201, 1, stream.cu_stream()) });
    // SAFETY: the device has room for it.
    ok(unsafe { sys::cuMemsetD2D8Async(there + 6, 4, 9, 2, 2, stream.cu_stream()) });
    stream.synchronize().expect("done");
    let f = 0xfe;
    assert_eq!(driver.peek(there, 16), [1, 2, 3, 4, f, f, 9, 9, f, f, 9, 9, f, f, f, f]);
}

#[test]
fn devices_copy_to_one_another() {
    let driver = driver("devices=2");
    let (a, b) = (CudaContext::new(0).expect("a device"), CudaContext::new(1).expect("another"));
    let there = a.new_stream().expect("a stream").clone_htod(&[5u8, 6, 7]).expect("room");
    a.synchronize().expect("done");
    let stream = b.new_stream().expect("a stream");
    let again = stream.clone_dtod(&there).expect("a copy");
    assert_eq!(stream.clone_dtoh(&again).expect("a copy"), [5, 6, 7]);
    let mut is_peer = 0;
    // SAFETY: the result is a number.
    ok(unsafe { sys::cuDeviceCanAccessPeer(&mut is_peer, 0, 1) });
    assert_eq!(is_peer, 1);
    b.bind_to_thread().expect("current");
    // SAFETY: both contexts are alive.
    ok(unsafe { sys::cuCtxEnablePeerAccess(a.cu_ctx(), 0) });
    // SAFETY: as above.
    let again = unsafe { sys::cuCtxEnablePeerAccess(a.cu_ctx(), 0) };
    assert_eq!(again, CUresult::CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED);
    driver.set("peers=0").expect("a setting");
    // SAFETY: the result is a number.
    ok(unsafe { sys::cuDeviceCanAccessPeer(&mut is_peer, 0, 1) });
    assert_eq!(is_peer, 0);
}

#[test]
fn memory_of_the_caller_is_pinned_by_registering_it() {
    let driver = driver("delay=down:5000");
    let cx = CudaContext::new(0).expect("a device");
    let stream = cx.new_stream().expect("a stream");
    let there = stream.clone_htod(&[3u8; 32]).expect("room");
    let mut here = vec![0u8; 32];
    let start = here.as_mut_ptr().cast::<c_void>();
    // SAFETY: the memory lives until it is let go below.
    ok(unsafe { sys::cuMemHostRegister_v2(start, 32, 0) });
    assert_eq!(driver.alive().registered, 1);
    // SAFETY: as above.
    let again = unsafe { sys::cuMemHostRegister_v2(start, 8, 0) };
    assert_eq!(again, CUresult::CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED);
    driver.log(true);
    stream.memcpy_dtoh(&there, &mut here).expect("a copy");
    let calls = driver.calls();
    let copy = calls.iter().find(|it| it.name.starts_with("cuMemcpyDtoH")).expect("a copy");
    assert!(!copy.waited, "{copy:?}");
    // SAFETY: it was registered above; the call waits for the copy.
    ok(unsafe { sys::cuMemHostUnregister(start) });
    assert_eq!(here, [3; 32]);
    // SAFETY: the driver is to notice it.
    let again = unsafe { sys::cuMemHostUnregister(start) };
    assert_eq!(again, CUresult::CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED);
}

#[test]
fn an_address_tells_what_it_is() {
    let _driver = driver("devices=2");
    let cx = CudaContext::new(1).expect("a device");
    cx.bind_to_thread().expect("current");
    // SAFETY: it is freed with its context.
    let there = unsafe { result::malloc_sync(100) }.expect("room");
    // SAFETY: it is freed with its context.
    let pinned = unsafe { result::malloc_host(100, 0) }.expect("pinned memory") as u64;
    let ask = |attribute, address: u64| {
        let mut found = 0u64;
        // SAFETY: no attribute that is asked for has more than eight bytes.
        let code =
            unsafe { sys::cuPointerGetAttribute((&raw mut found).cast(), attribute, address) };
        (code == CUresult::CUDA_SUCCESS).then_some(found)
    };
    use CUpointer_attribute::*;
    assert_eq!(ask(CU_POINTER_ATTRIBUTE_MEMORY_TYPE, there + 10), Some(2));
    assert_eq!(ask(CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL, there), Some(1));
    assert_eq!(ask(CU_POINTER_ATTRIBUTE_RANGE_START_ADDR, there + 99), Some(there));
    assert_eq!(ask(CU_POINTER_ATTRIBUTE_RANGE_SIZE, there), Some(100));
    assert_eq!(ask(CU_POINTER_ATTRIBUTE_MEMORY_TYPE, there + 100), None);
    assert_eq!(ask(CU_POINTER_ATTRIBUTE_MEMORY_TYPE, pinned + 1), Some(1));
    assert_eq!(ask(CU_POINTER_ATTRIBUTE_DEVICE_POINTER, pinned + 1), Some(pinned + 1));
    let pageable = 0u8;
    assert_eq!(ask(CU_POINTER_ATTRIBUTE_MEMORY_TYPE, &raw const pageable as u64), None);
}

#[test]
fn what_a_stream_frees_is_gone_only_then() {
    let driver = driver("delay=fill:20000");
    let cx = CudaContext::new(0).expect("a device");
    let stream = cx.new_stream().expect("a stream");
    // SAFETY: it is freed below.
    let there = unsafe { result::malloc_async(stream.cu_stream(), 8) }.expect("room");
    // SAFETY: the device has room for it.
    unsafe { result::memset_d8_async(there, 1, 8, stream.cu_stream()) }.expect("a fill");
    // SAFETY: nobody uses it afterwards but for the one that is to fail.
    unsafe { result::free_async(there, stream.cu_stream()) }.expect("freed in order");
    // The fill lasts, so the memory is still there for a copy that is submitted now and comes too late.
    let mut here = [0u8; 8];
    // SAFETY: the driver is to notice that it is gone by then.
    let late = unsafe { result::memcpy_dtoh_async(&mut here, there, stream.cu_stream()) };
    assert_eq!(code(late), Code::ILLEGAL_ADDRESS.0);
    assert!(driver.why(0).contains("nothing is allocated"), "{}", driver.why(0));
}
