//! Launches that fail after they were submitted, when work behind them may be under way on other devices: it
//! is lost with its device, so others run it anew from what is still there, or an error says so.

use flash::prelude::*;
use flash::{Error, Runtime};
use flash_test_cuda::Code;
use flash_tests::chain::{self, add, triple};
use flash_tests::cuda::{TestCuda, built};

pub(super) const N: usize = 1_000;

/// Two devices and the processor, which take launches in turn.
pub(super) fn in_turn() -> Option<TestCuda> {
    built("devices=2", |builder| builder.devices("ALL_CPU").threads(2).round_robin(true))
}

/// Three chains that overlap; the sums that they find, and how many launches ran elsewhere.
pub(super) fn run(rt: &Runtime, x: &Buffer<u32>) -> flash::Result<(Vec<u32>, usize)> {
    chain::run(rt, x, 3)
}

pub(super) fn expected() -> Vec<u32> {
    vec![chain::expected(N); 3]
}

#[test]
fn what_a_device_loses_late_runs_elsewhere_or_is_an_error() {
    let (mut fallen, mut failed) = (0, 0);
    for nth in 1..=30 {
        let Some(TestCuda { driver, rt }) = in_turn() else { return };
        // What is in the memory of a driver goes before it does.
        let x = Buffer::from((0..N as u32).collect::<Vec<_>>());
        driver.fail_later("cuLaunchKernel", nth, Code::ILLEGAL_ADDRESS);
        let result = run(&rt, &x);
        if driver.failures_left() > 0 {
            assert_eq!(result.unwrap(), (expected(), 0), "there were not so many");
            assert!(nth > 6, "only {nth} launches on CUDA devices");
            assert!(fallen > 0, "{fallen} launches ran elsewhere, {failed} runs failed");
            return;
        }
        match result {
            Ok((sums, elsewhere)) => {
                assert_eq!(sums, expected(), "{nth}");
                fallen += elsewhere;
            }
            Err(error) => {
                failed += 1;
                let said = error.to_string();
                assert!(matches!(error, Error::DeviceLost { .. }), "{nth}: {said}");
                assert!(said.contains("node ") && said.contains("called at "), "{nth}: {said}");
            }
        }
        // What was given is as it was, the devices that are left go on, and the other one comes back.
        assert_eq!(x.get(N - 1).unwrap(), N as u32 - 1, "{nth}");
        assert_eq!(run(&rt, &x).unwrap().0, expected(), "after {nth}");
        let rt = rt.recover().unwrap();
        assert_eq!(run(&rt, &x).unwrap(), (expected(), 0), "{nth}: all are back");
    }
    panic!("a run has no more than thirty launches");
}

#[test]
fn the_error_names_a_launch_that_was_under_way() {
    let Some(TestCuda { driver, rt }) = built("devices=1", |builder| builder) else { return };
    let (x, mut y) = (Buffer::from(vec![1_u32; N]), Buffer::zeros(N));
    let mut rt = rt;
    for nth in 1..=2 {
        {
            let mut p = rt.pipeline();
            p.push(add(&x, &mut y).over([N]));
            p.push(triple(&mut y).over([N]));
            p.exec().unwrap();
            driver.fail_later("cuLaunchKernel", nth, Code::LAUNCH_FAILED);
            let error = p.exec().unwrap_err();
            assert_eq!(driver.failures_left(), 0, "the call was made");
            let said = format!("{error:?}");
            assert!(matches!(error, Error::DeviceLost { .. }), "{said}");
            assert!(said.contains("`add`") || said.contains("`triple`"), "{nth}: {said}");
            assert!(said.contains("CUDA_ERROR_LAUNCH_FAILED"), "{nth}: {said}");
            assert!(said.contains(rt.devices()[0].name()), "{nth}: {said}");
        }
        rt = rt.recover().unwrap();
        y.fill(0).unwrap();
        rt.submit(add(&x, &mut y)).exec([N]).unwrap();
        assert_eq!(y.to_vec().unwrap(), [2; N]);
    }
}

const TRAPS: &str = "extern \"C\" __global__ void traps(unsigned at, unsigned *x) {
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i == at) { asm volatile(\"trap;\"); }
    x[i] += 1;
}";

#[flash::kernel(unsafe(cuda(source = TRAPS)))]
fn traps(at: u32, x: &mut [u32]);

/// No call is made to fail: the kernel itself gives up, and all of the device with it.
#[test]
fn a_kernel_that_traps_loses_its_device() {
    let Some(TestCuda { driver, rt }) = built("devices=2", |builder| builder) else { return };
    let x = Buffer::from((0..N as u32).collect::<Vec<_>>());
    let mut y = Buffer::from(vec![0_u32; 64]);
    rt.submit(traps(64, &mut y).pin(0)).exec([64]).unwrap();
    assert_eq!(y.to_vec().unwrap(), [1; 64]);
    let error = rt.submit(traps(5, &mut y).pin(0)).exec([64]).unwrap_err();
    let said = format!("{error:?}");
    assert!(matches!(error, Error::DeviceLost { .. }), "{said}");
    assert!(said.contains("`traps`") && said.contains(rt.devices()[0].name()), "{said}");
    assert_eq!(y.to_vec().unwrap(), [1; 64], "the host has what was there before");
    // The other device goes on, and after `recover` both do.
    assert_eq!(run(&rt, &x).unwrap().0, expected());
    let again = rt.recover().unwrap();
    drop(rt);
    let rt = again;
    rt.submit(traps(64, &mut y).pin(0)).exec([64]).unwrap();
    assert_eq!(y.to_vec().unwrap(), [2; 64]);
    assert_eq!(run(&rt, &x).unwrap().0, expected());
    // Arrays have memory of the devices.
    drop((x, y, rt));
    assert_eq!(driver.alive().modules, 0);
}
