//! Arrays that go from one CUDA device to another: without the host where the devices reach each other,
//! through it where they do not, with the same results.

use flash::prelude::*;
use flash_rt::backend::conformance;
use flash_test_cuda::Code;
use flash_tests::cuda::{TestCuda, cuda};

#[flash::kernel]
fn grown(a: u32, y: &mut [u32]) {
    let i = global_id(0);
    y[i] = a * y[i] + 1;
}

#[flash::kernel(part_by)]
fn averaged(x: &[f32], #[out] y: &mut [f32]) {
    let i = global_id(0);
    if i > 0 && i + 1 < x.len() {
        y[i] = 0.25 * x[i - 1] + 0.5 * x[i] + 0.25 * x[i + 1];
    } else {
        y[i] = x[i];
    }
}

const N: usize = 5_000;
const BYTES: u64 = 4 * N as u64;

/// An array through all devices twice; what it has then, and what was moved.
fn around(rt: &Runtime) -> flash::Result<(Vec<u32>, flash::Transfers)> {
    let mut x = Buffer::from((0..N as u32).collect::<Vec<_>>());
    let mut p = rt.pipeline();
    for device in (0..rt.devices().len()).cycle().take(2 * rt.devices().len()) {
        p.push(grown(3, &mut x).pin(device).over([N]));
    }
    let report = p.exec()?;
    drop(p);
    Ok((x.to_vec()?, report.transfers()))
}

/// What so many steps of it make of the array.
fn expected(steps: usize) -> Vec<u32> {
    let grown = |x: u32| (0..steps).fold(x, |x, _| x.wrapping_mul(3).wrapping_add(1));
    (0..N as u32).map(grown).collect()
}

#[test]
fn arrays_go_from_device_to_device_where_that_is_allowed() {
    let Some(TestCuda { driver, rt }) = cuda("devices=3,hazards=1") else { return };
    driver.clear();
    let (x, moved) = around(&rt).unwrap();
    assert_eq!(x, expected(6));
    // Up once; five times on.
    assert_eq!((moved.uploaded, moved.downloaded), (BYTES, 0));
    assert_eq!((moved.peer_copies, moved.peer_copied), (5, 5 * BYTES));
    let counts = driver.counts();
    let n = |name: &str| counts.get(name).copied().unwrap_or(0);
    assert_eq!(n("cuMemcpyPeerAsync"), 5);
    // The third device to the first one, and each to the next one.
    assert_eq!((n("cuCtxEnablePeerAccess"), n("cuMemPoolSetAccess")), (3, 3));
    assert_eq!(driver.hazards(), Vec::<String>::new());
    assert_eq!(driver.trouble(), "");
}

#[test]
fn arrays_go_by_the_host_where_it_is_not() {
    let Some(TestCuda { driver, rt }) = cuda("devices=3,peers=0,hazards=1") else { return };
    driver.clear();
    let (x, moved) = around(&rt).unwrap();
    assert_eq!(x, expected(6));
    assert_eq!((moved.uploaded, moved.downloaded), (6 * BYTES, 5 * BYTES));
    assert_eq!(moved.peer_copies, 0);
    let counts = driver.counts();
    assert!(
        !counts.contains_key("cuMemcpyPeerAsync") && !counts.contains_key("cuCtxEnablePeerAccess")
    );
    assert_eq!(driver.hazards(), Vec::<String>::new());
}

#[test]
fn devices_that_refuse_access_copy_all_the_same() {
    let Some(TestCuda { driver, rt }) = cuda("devices=2") else { return };
    for call in ["cuCtxEnablePeerAccess", "cuMemPoolSetAccess"] {
        driver.fail(call, 1, Code::INVALID_VALUE);
        let (x, moved) = around(&rt).unwrap();
        assert_eq!((x, moved.peer_copies), (expected(4), 3), "{call}");
        driver.forgive();
    }
}

#[test]
fn regions_between_devices_arrive_as_they_should() {
    for (settings, is_peer) in
        [("devices=3", true), ("devices=2,pools=0", true), ("devices=2,peers=0", false)]
    {
        let Some(TestCuda { driver, rt }) = cuda(settings) else { return };
        conformance::peers(&rt);
        let counts = driver.counts();
        for call in ["cuMemcpyPeerAsync", "cuMemcpy3DPeerAsync"] {
            assert_eq!(counts.contains_key(call), is_peer, "{call} with {settings}");
        }
        assert_eq!(driver.trouble(), "", "{settings}");
    }
}

#[test]
fn a_copy_that_fails_is_an_error_and_all_goes_on() {
    let Some(TestCuda { driver, rt }) = cuda("devices=2") else { return };
    driver.fail("cuMemcpyPeerAsync", 2, Code(999));
    let error = around(&rt).unwrap_err();
    let flash::Error::Driver { what, source, .. } = &error else { panic!("{error:?}") };
    assert_eq!((&**what, source.api), ("peer copy of 20000 bytes of `y`", "cuMemcpyPeerAsync"));
    assert_eq!(around(&rt).unwrap().0, expected(4));
    // The device that it comes from is lost while it is under way.
    driver.fail_later("cuMemcpyPeerAsync", 1, Code::ILLEGAL_ADDRESS);
    let error = around(&rt).unwrap_err();
    assert!(matches!(error, flash::Error::DeviceLost { .. }), "{error}");
    let mut y = Buffer::<u32>::zeros(N);
    let runs = |device| rt.submit(grown(3, &mut y).pin(device)).exec([N]).is_ok();
    assert_eq!((0..2).map(runs).filter(|&runs| runs).count(), 1, "one of them is lost");
}

#[test]
fn halos_of_parts_go_from_device_to_device() {
    let start: Vec<f32> = (0..N).map(|k| (k * k % 101) as f32).collect();
    let mut wanted = start.clone();
    for _ in 0..6 {
        let x = wanted.clone();
        for i in 1..N - 1 {
            wanted[i] = 0.25 * x[i - 1] + 0.5 * x[i] + 0.25 * x[i + 1];
        }
    }
    for (settings, is_peer) in
        [("devices=3,hazards=1", true), ("devices=3,peers=0,hazards=1", false)]
    {
        let Some(TestCuda { driver, rt }) = cuda(settings) else { return };
        let (mut x, mut y) = (Buffer::from(start.clone()), Buffer::unwritten(N));
        let mut p = rt.pipeline();
        for _ in 0..3 {
            p.push(averaged(&x, &mut y).partitions(3).over([N]));
            p.push(averaged(&y, &mut x).partitions(3).over([N]));
        }
        let report = p.exec().unwrap();
        drop(p);
        let moved = report.transfers();
        assert_eq!(moved.peer_copies > 0, is_peer, "{settings}: {moved:?}");
        let of_devices: u64 = report.devices().iter().map(|had| had.downloaded).sum();
        assert_eq!(of_devices, moved.peer_copied + moved.downloaded, "{settings}");
        assert_eq!(x.to_vec().unwrap(), wanted, "{settings}");
        assert_eq!(driver.hazards(), Vec::<String>::new(), "{settings}");
    }
}
