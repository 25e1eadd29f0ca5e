//! Many streams, threads and devices at once, and every call of a program made to fail in turn.

mod common;

use std::sync::Arc;

use common::{driver, ok};
use cudarc::driver::sys::CUresult;
use cudarc::driver::{
    CudaContext, CudaFunction, CudaStream, DriverError, LaunchConfig, PushKernelArg,
};
use cudarc::nvrtc::Ptx;
use flash_test_cuda::Code;

const KERNELS: &str = include_str!("kernels.ptx");

fn add(cx: &Arc<CudaContext>) -> Result<CudaFunction, DriverError> {
    cx.load_module(Ptx::from_src(KERNELS))?.load_function("add")
}

/// Adds a number to all floats of a slice.
fn launch(
    stream: &Arc<CudaStream>,
    add: &CudaFunction,
    there: &mut cudarc::driver::CudaSlice<f32>,
    step: f32,
) -> Result<(), DriverError> {
    let count = there.len() as u32;
    let mut launch = stream.launch_builder(add);
    launch.arg(there).arg(&count).arg(&step);
    let shape = LaunchConfig { grid_dim: (1, 1, 1), block_dim: (count, 1, 1), shared_mem_bytes: 0 };
    // SAFETY: the kernel has these parameters, and the slice as many floats.
    unsafe { launch.launch(shape) }.map(drop)
}

#[test]
fn threads_and_devices_do_not_disturb_one_another() {
    let driver = driver("devices=3,threads=2,hazards=1");
    std::thread::scope(|scope| {
        for worker in 0..6usize {
            scope.spawn(move || {
                let cx = CudaContext::new(worker % 3).expect("a device");
                let add = add(&cx).expect("a kernel");
                let streams = [0; 3].map(|_| cx.new_stream().expect("a stream"));
                let mut there = streams[0].clone_htod(&vec![worker as f32; 64]).expect("room");
                let mut wanted = worker as f32;
                for round in 0..200usize {
                    // cudarc makes a stream wait for the one that used the slice before.
                    let stream = &streams[(round * 5 + worker) % 3];
                    let step = (round % 7) as f32;
                    launch(stream, &add, &mut there, step).expect("launched");
                    wanted += step;
                    if round % 50 == 49 {
                        let here = streams[round % 3].clone_dtoh(&there).expect("a copy");
                        assert_eq!(here, vec![wanted; 64], "worker {worker}, round {round}");
                    }
                }
            });
        }
    });
    assert_eq!(driver.hazards(), [""; 0], "cudarc orders what it is given");
    let alive = driver.alive();
    assert_eq!((alive.contexts, alive.allocations, alive.streams, alive.modules), (0, 0, 0, 0));
}

/// Two streams, a kernel in each, and a copy there and back.
fn program() -> Result<Vec<f32>, DriverError> {
    let cx = CudaContext::new(0)?;
    let add = add(&cx)?;
    let (one, two) = (cx.new_stream()?, cx.new_stream()?);
    let mut there = one.clone_htod(&[1f32, 2.0, 3.0])?;
    launch(&one, &add, &mut there, 10.0)?;
    two.join(&one)?;
    launch(&two, &add, &mut there, 20.0)?;
    let mut here = vec![0.0; 3];
    two.memcpy_dtoh(&there, &mut here)?;
    two.synchronize()?;
    Ok(here)
}

/// Ends the context of the device.
fn reset() {
    // SAFETY: what belonged to the context has been dropped.
    ok(unsafe { cudarc::driver::sys::cuDevicePrimaryCtxReset_v2(0) });
}

#[test]
fn each_call_fails_in_turn_and_the_next_run_is_well() {
    let driver = driver("");
    driver.clear();
    assert_eq!(program(), Ok(vec![31.0, 32.0, 33.0]));
    let calls: u64 = driver.counts().values().sum();
    assert!(calls > 20, "{:?}", driver.counts());
    let (mut told, mut borne) = (0, 0);
    for nth in 1..=calls {
        driver.fail("*", nth, Code::OUT_OF_MEMORY);
        match program() {
            // What fails while things are dropped reaches nobody.
            Ok(found) => {
                assert_eq!(found, [31.0, 32.0, 33.0], "call {nth}");
                borne += 1;
            }
            Err(error) => {
                assert_eq!(error.0, CUresult::CUDA_ERROR_OUT_OF_MEMORY, "call {nth}");
                told += 1;
            }
        }
        driver.forgive();
        // A context that cudarc has lost sight of may be left, with what it has not ordered.
        reset();
    }
    assert!(told > borne, "{told} told, {borne} borne");
    assert_eq!(program(), Ok(vec![31.0, 32.0, 33.0]));
}

#[test]
fn each_operation_fails_in_turn_and_a_reset_helps() {
    let driver = driver("");
    driver.clear();
    program().expect("it works");
    let calls: u64 = driver.counts().values().sum();
    let mut told = 0;
    for nth in 1..=calls {
        driver.fail_later("*", nth, Code::LAUNCH_FAILED);
        if let Err(error) = program() {
            assert_eq!(error.0, CUresult::CUDA_ERROR_LAUNCH_FAILED, "call {nth}");
            told += 1;
        }
        driver.forgive();
        reset();
        assert_eq!(program(), Ok(vec![31.0, 32.0, 33.0]), "after call {nth}");
    }
    // Both kernels and both copies.
    assert!(told >= 4, "{told}");
}
