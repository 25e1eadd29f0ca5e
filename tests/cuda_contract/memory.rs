//! Memory of devices and of the host: taken, given back, pinned, full.

use flash_cuda::Cuda;
use flash_rt::Options;
use flash_rt::backend::Backend;
use flash_rt::backend::conformance;
use flash_rt::error::DriverErrorKind;
use flash_test_cuda::Code;

use crate::{driver, runtime};

#[test]
fn the_contract_of_memory_holds_on_one_device_and_on_several() {
    for (n, pools) in [(1, 1), (2, 0), (3, 1)] {
        let driver = driver(&format!("devices={n},pools={pools}"));
        {
            let rt = runtime();
            assert_eq!(rt.devices().len(), n);
            for device in rt.devices() {
                conformance::regions(device);
                conformance::two_memories(device);
                conformance::memory_info(device);
                conformance::tickets(device);
                conformance::order_of_queues(device);
                conformance::compute_queues(device);
                conformance::giving_up(device);
            }
        }
        let alive = driver.alive();
        assert_eq!((alive.allocations, alive.pinned, alive.streams, alive.events), (0, 0, 0, 0));
        assert_eq!((alive.contexts, driver.trouble()), (0, String::new()));
    }
}

#[test]
fn a_full_memory_is_said_with_what_is_free_and_the_device_goes_on() {
    let driver = driver("memory=8M");
    let cuda = Cuda::new(&Options::default());
    let first = cuda.allocate(0, 6 << 20).unwrap();
    let full = cuda.allocate(0, 4 << 20).unwrap_err();
    assert_eq!(full.kind, DriverErrorKind::OutOfMemory);
    assert!(full.text.contains("4194304 bytes do not fit"), "{full}");
    drop(first);
    let second = cuda.allocate(0, 6 << 20).unwrap();
    assert_eq!(cuda.allocate(0, u64::MAX).unwrap_err().kind, DriverErrorKind::OutOfMemory);
    let info = cuda.memory_info(0).unwrap().unwrap();
    assert!(info.free <= 2 << 20 && info.total == 8 << 20, "{info:?}");
    drop((second, cuda));
    assert_eq!(driver.alive().allocations, 0);
}

/// Drivers that are newer than the headers have more of them.
#[test]
fn a_status_that_no_header_has_is_an_error_of_its_number() {
    let driver = driver("devices=1");
    let cuda = Cuda::new(&Options::default());
    drop(cuda.allocate(0, 64).unwrap());
    driver.fail("cuMemAllocAsync", 1, Code(98_765));
    let error = cuda.allocate(0, 64).unwrap_err();
    assert_eq!((error.kind, error.code), (DriverErrorKind::Failed, 98_765));
    assert!(error.text.contains("status 98765 on `"), "{error}");
    drop(cuda.allocate(0, 64).unwrap());
}

#[test]
fn each_allocation_that_fails_is_an_error_that_leaves_nothing() {
    for nth in 1..6 {
        let driver = driver("devices=1");
        driver.fail("cuMemAllocAsync", nth, Code::OUT_OF_MEMORY);
        let cuda = Cuda::new(&Options::default());
        // A failure is tried once more, as what is kept for launches may have been in the way.
        let all: Vec<_> = (0..6).map(|_| cuda.allocate(0, 1 << 20)).collect();
        assert!(all.iter().all(Result::is_ok), "{all:?}");
        assert_eq!(driver.failures_left(), 0);
        drop((all, cuda));
        assert_eq!(driver.alive().allocations, 0);
    }
}
