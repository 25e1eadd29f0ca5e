//! Devices that are lost: what is said, what goes on elsewhere, and that they come back.
#![allow(unsafe_code, reason = "submits copies of memory that the tests own")]

use flash::prelude::*;
use flash_cuda::{Cuda, CudaMemory};
use flash_rt::backend::{Backend, Queue, Region};
use flash_rt::error::DriverErrorKind;
use flash_rt::{Error, Options};
use flash_test_cuda::Code;

use crate::{driver, runtime};

const ALL: Region = Region::row(0, 4096);

#[test]
fn a_device_that_is_lost_says_why_until_it_is_brought_back() {
    let driver = driver("devices=2");
    let cuda = Cuda::new(&Options::default());
    let (memory, other) = (cuda.allocate(0, 4096).unwrap(), cuda.allocate(1, 4096).unwrap());
    driver.fail_later("cuMemsetD8Async", 1, Code::ILLEGAL_ADDRESS);
    // SAFETY: nothing else uses the memory.
    let sent = unsafe { cuda.zero(0, 2, &memory, ALL, &[]) }.unwrap();
    let error = cuda.wait(0, sent).unwrap_err();
    assert_eq!((error.kind, error.code), (DriverErrorKind::DeviceLost, 700));
    assert!(error.text.contains("CUDA_ERROR_ILLEGAL_ADDRESS"), "{error}");
    let is_lost = |error: flash_rt::DriverError| error.kind == DriverErrorKind::DeviceLost;
    assert!(cuda.completed(0, Queue::Up).is_err_and(is_lost));
    cuda.reset(0).unwrap();
    // SAFETY: as above.
    assert!(unsafe { cuda.zero(0, 0, &memory, ALL, &[]) }.is_err_and(is_lost), "stays lost");
    // SAFETY: as above.
    let elsewhere = unsafe { cuda.zero(1, 0, &other, ALL, &[]) }.unwrap();
    cuda.wait(1, elsewhere).unwrap();

    cuda.recover(0).unwrap();
    let again = cuda.allocate(0, 4096).unwrap();
    // SAFETY: as above.
    let sent = unsafe { cuda.zero(0, 0, &again, ALL, &[]) }.unwrap();
    cuda.wait(0, sent).unwrap();
    let mut end = vec![1_u8; 4096];
    let dst = &raw mut end[..];
    // SAFETY: `end` is there until the copy is over.
    let back = unsafe { cuda.download(0, &again, ALL, dst, ALL, &[sent]) }.unwrap();
    cuda.wait(0, back).unwrap();
    assert_eq!(end, vec![0; 4096]);
    // Memory of before is of no use, and its end is none of the driver's business.
    // SAFETY: as above.
    let error = unsafe { cuda.zero(0, 0, &memory, ALL, &[]) }.unwrap_err();
    assert!(error.text.contains("memory") || is_lost(error));
    drop((memory, other, again, cuda));
    let alive = driver.alive();
    assert_eq!((alive.allocations, alive.streams, alive.events, alive.pinned), (0, 0, 0, 0));
}

#[test]
fn memory_of_a_peer_that_is_gone_is_an_error_of_the_copy_alone() {
    let _driver = driver("devices=2");
    let cuda = Cuda::new(&Options::default());
    let (src, dst) = (cuda.allocate(0, 4096).unwrap(), cuda.allocate(1, 4096).unwrap());
    // SAFETY: nothing else uses the memories.
    let copy = |dst: &CudaMemory| unsafe { cuda.peer_copy(0, (&src, ALL), 1, (dst, ALL), &[]) };
    cuda.wait(0, copy(&dst).unwrap()).unwrap();
    cuda.recover(1).unwrap();
    let error = copy(&dst).unwrap_err();
    assert_eq!((error.kind, error.api), (DriverErrorKind::Failed, "cuMemcpyPeerAsync"));
    // Both devices go on, with each other too.
    let again = cuda.allocate(1, 4096).unwrap();
    cuda.wait(0, copy(&again).unwrap()).unwrap();
}

#[test]
fn arrays_go_on_in_a_runtime_that_has_recovered() {
    let driver = driver("devices=2");
    let rt = runtime();
    let (x, y) = (Buffer::from(vec![5_u32; 1 << 16]), Buffer::from(vec![6_u32; 1 << 16]));
    x.prefetch(&rt, 0).wait().unwrap();
    y.prefetch(&rt, 1).wait().unwrap();
    driver.fail_later("cuMemcpyHtoDAsync", 1, Code::LAUNCH_FAILED);
    let z = Buffer::from(vec![7_u32; 1 << 16]);
    // Bringing arrays somewhere ahead is no error where it cannot be done.
    z.prefetch(&rt, 0).wait().unwrap();
    let uploads = |array: &Buffer<u32>, rt: &Runtime| {
        array.prefetch(rt, 0).wait().unwrap().transfers().uploads
    };
    assert_eq!(uploads(&z, &rt), 0, "the device is lost");
    let rt = rt.recover().unwrap();
    assert_eq!((uploads(&x, &rt), uploads(&z, &rt)), (1, 1));
    assert_eq!(driver.alive().registered, 3, "pinned again");
    assert_eq!(rt.devices()[1].bytes_used(), 4 << 16, "what was elsewhere is still there");
    let found = [&x, &y, &z].map(|array| array.to_vec().unwrap()[77]);
    assert_eq!(found, [5, 6, 7]);
    assert!(rt.recover().is_ok(), "nothing is lost");
}

#[test]
fn a_device_that_two_have_lost_is_brought_back_once() {
    let driver = driver("devices=1");
    let (first, second) = (runtime(), runtime());
    let all = [Buffer::from(vec![5_u32; 1 << 16]), Buffer::from(vec![6_u32; 1 << 16])];
    all[0].prefetch(&first, 0).wait().unwrap();
    all[1].prefetch(&second, 0).wait().unwrap();
    driver.fail_later("cuMemcpyHtoDAsync", 1, Code::LAUNCH_FAILED);
    let more = [Buffer::from(vec![7_u32; 1 << 16]), Buffer::from(vec![8_u32; 1 << 16])];
    more[0].prefetch(&first, 0).wait().unwrap();
    let uploads = |array: &Buffer<u32>, rt: &Runtime| {
        array.prefetch(rt, 0).wait().unwrap().transfers().uploads
    };
    assert_eq!((uploads(&more[0], &first), uploads(&more[1], &second)), (0, 0), "lost for both");
    driver.clear();
    let first = first.recover().unwrap();
    assert_eq!(uploads(&more[0], &first), 1);
    let second = second.recover().unwrap();
    assert_eq!(uploads(&more[1], &second), 1);
    assert_eq!(driver.counts().get("cuDevicePrimaryCtxReset_v2"), Some(&1));
    // The one that came back first is as it was, with what it has there.
    assert_eq!(uploads(&all[0], &first), 1);
    assert_eq!(uploads(&all[1], &second), 1);
    // Nor does it end for one that never had it.
    Cuda::new(&Options::default()).recover(0).unwrap();
    let last = Buffer::from(vec![9_u32; 1 << 16]);
    assert_eq!(uploads(&last, &first), 1);
    assert_eq!(driver.counts().get("cuDevicePrimaryCtxReset_v2"), Some(&1));
    let found = all.iter().chain(&more).map(|array| array.to_vec().unwrap()[77]);
    assert_eq!(found.collect::<Vec<_>>(), [5, 6, 7, 8]);
}

#[test]
fn a_device_that_is_gone_for_good_is_not_brought_back() {
    let driver = driver("devices=1");
    let rt = runtime();
    let x = Buffer::from(vec![5_u32; 1000]);
    x.prefetch(&rt, 0).wait().unwrap();
    driver.lose(0, Code(214));
    let y = Buffer::from(vec![5_u32; 1000]);
    y.prefetch(&rt, 0).wait().unwrap();
    let error = rt.recover().unwrap_err();
    assert!(matches!(error, Error::DeviceLost { .. }), "{error}");
    driver.find(0);
    let rt = rt.recover().unwrap();
    assert_eq!(y.prefetch(&rt, 0).wait().unwrap().transfers().uploads, 1);
}

/// What gives something up uses the context, and what begins the context anew waits for that: neither may wait for
/// the other.
#[test]
fn what_is_given_up_while_a_device_is_brought_back_waits_for_nobody() {
    let driver = driver("devices=1");
    let (over, is_over) = std::sync::mpsc::channel();
    std::thread::spawn(move || {
        let all: Vec<Cuda> = (0..3).map(|_| Cuda::new(&Options::default())).collect();
        std::thread::scope(|scope| {
            let (last, others) = all.split_last().unwrap();
            for cuda in others {
                scope.spawn(|| {
                    for _ in 0..5_000 {
                        // Its context may be gone under its hands; then it takes the next one.
                        if cuda.allocate(0, 64).is_err() {
                            drop(cuda.recover(0));
                        }
                    }
                });
            }
            for _ in 0..500 {
                drop(last.recover(0));
                drop(last.allocate(0, 64));
            }
        });
        drop(all);
        over.send(()).unwrap();
    });
    let waited = is_over.recv_timeout(std::time::Duration::from_secs(60));
    assert!(waited.is_ok(), "{waited:?}");
    assert_eq!(driver.alive().allocations, 0);
}

/// Threads that wait for a device have no context of their own, so that a driver may refuse to let them.
#[test]
fn a_thread_without_a_context_waits_long_and_gives_up_what_it_had() {
    let driver = driver("devices=1,delay=fill:20000");
    let cuda = Cuda::new(&Options::default());
    std::thread::scope(|scope| {
        scope.spawn(|| {
            let memory = cuda.allocate(0, 4096).unwrap();
            // SAFETY: nothing else uses the memory.
            let sent = unsafe { cuda.zero(0, 0, &memory, ALL, &[]) }.unwrap();
            cuda.wait(0, sent).unwrap();
        });
    });
    std::thread::spawn(move || drop(cuda)).join().unwrap();
    let alive = driver.alive();
    assert_eq!((alive.allocations, alive.streams, alive.events), (0, 0, 0));
    assert!(driver.counts().get("cuEventSynchronize").is_some_and(|n| *n > 0));
}
