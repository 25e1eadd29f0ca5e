//! Machine code, of a file and of NVRTC, as devices get it where nobody asks for PTX: found, loaded, checked and
//! launched. The driver for tests runs PTX with the same kernels in its place, which it was given before.

use std::sync::Arc;

use flash::Error;
use flash::prelude::*;
use flash_cuda::Cuda;
use flash_test_cuda::TestDriver;
use flash_tests::cuda::{assert_orderly, driver, options};

declare! {
    of_ptx: (file = "cuda/kernels/saxpy.ptx", entry = "saxpy");
    of_code: (file = "cuda/kernels/saxpy_sm100.cubin", entry = "saxpy");
    of_fatbin: (file = "cuda/kernels/saxpy.fatbin", entry = "saxpy");
    fewer: (file = "cuda/kernels/saxpy_sm100.cubin", entry = "saxpy", args(a, x));
    in_another_order: (file = "cuda/kernels/saxpy_sm100.cubin", entry = "saxpy", args(x, a, y));
    absent: (file = "cuda/kernels/saxpy_sm100.cubin", entry = "sax");
}

const N: usize = 256;

/// A runtime on the devices of the driver, which get PTX or code.
fn runtime(is_ptx: bool) -> Runtime {
    let mut options = options();
    options.cuda_ptx = Some(is_ptx);
    Runtime::builder().backend(Arc::new(Cuda::new(&options))).build().unwrap()
}

/// What a call of one of them makes of ones.
fn run(
    kernel: impl FnOnce(f32, &Buffer<f32>, &mut Buffer<f32>) -> flash::Result<()>,
) -> flash::Result<Vec<f32>> {
    let (x, mut y) = (Buffer::from(vec![2.0_f32; N]), Buffer::from(vec![1.0_f32; N]));
    kernel(3.0, &x, &mut y)?;
    y.to_vec()
}

macro_rules! called {
    ($rt:ident, $name:ident) => {
        run(|a, x, y| $rt.submit($name(a, x, y)).exec([N]).map(drop))
    };
}

#[test]
fn code_of_a_file_is_checked_and_runs() {
    let Some(driver) = driver("devices=1,capability=10.0,code=1") else { return };
    let rt = runtime(true);
    let refused = called!(rt, of_code).unwrap_err();
    assert!(refused.to_string().contains("of_code"), "there is no PTX for it yet: {refused}");
    assert_eq!(called!(rt, of_ptx).unwrap(), [7.0; N]);
    drop(rt);
    let rt = runtime(true);
    assert_eq!(called!(rt, of_code).unwrap(), [7.0; N]);
    assert_eq!(called!(rt, of_fatbin).unwrap(), [7.0; N]);
    for (error, words) in [
        (called!(rt, fewer).unwrap_err(), ["`fewer`", "3"]),
        (called!(rt, in_another_order).unwrap_err(), ["`in_another_order`", "bytes"]),
        (called!(rt, absent).unwrap_err(), ["`absent`", "`sax`"]),
    ] {
        let text = format!("{error:?}");
        assert!(words.iter().all(|word| text.contains(word)), "{text}");
    }
    assert_eq!(called!(rt, of_code).unwrap(), [7.0; N], "all goes on");
    drop(rt);
    assert_eq!(driver.alive().modules, 0);
}

#[flash::kernel]
fn scaled(a: f32, x: &[f32], #[out] y: &mut [f32]) {
    let i = global_id(0);
    y[i] = a * x[i];
}

#[flash::kernel]
fn total(x: &[u32], #[reduce(+)] sum: &mut u32) {
    let i = global_id(0);
    *sum += x[i];
}

#[flash::kernel]
fn gathered(at: &[u32], x: &[f32], #[out] y: &mut [f32]) {
    let i = global_id(0);
    y[i] = x[at[i] as usize];
}

/// What some bodies make, with many launches of one, and with an index that is outside.
fn bodies(rt: &Runtime) -> (Vec<f32>, u32, String) {
    let (x, mut y) = (Buffer::from(vec![2.0_f32; N]), Buffer::<f32>::zeros(N));
    let mut p = rt.pipeline();
    for _ in 0..12 {
        p.push(scaled(1.5, &x, &mut y).over([N]));
    }
    (0..6).for_each(|_| drop(p.exec().unwrap()));
    drop(p);
    let (ids, mut sum) = (Buffer::from((0..N as u32).collect::<Vec<_>>()), Var::new(0_u32));
    rt.submit(total(&ids, &mut sum)).exec([N]).unwrap();
    let (mut far, mut z) = (vec![0_u32; N], Buffer::<f32>::zeros(N));
    far[17] = 1_000;
    let error = rt.submit(gathered(&Buffer::from(far), &x, &mut z)).exec([N]).unwrap_err();
    let Error::OutOfBounds { item, index, .. } = error else { panic!("{error}") };
    (y.to_vec().unwrap(), sum.get().unwrap(), format!("{item:?} {index:?}"))
}

fn launches(driver: &TestDriver) -> u64 {
    let counts = driver.counts();
    ["cuLaunchKernel", "cuGraphLaunch"].iter().filter_map(|name| counts.get(*name)).sum()
}

#[test]
fn bodies_are_compiled_to_code_for_the_device() {
    let Some(driver) = driver("devices=1,code=1,hazards=1") else { return };
    let as_text = bodies(&runtime(true));
    let text = launches(&driver);
    driver.clear();
    let as_code = bodies(&runtime(false));
    assert_eq!((&as_text, text), (&as_code, launches(&driver)));
    assert_eq!(as_code, (vec![3.0; N], (0..N as u32).sum(), "[17] [1000]".to_owned()));
    assert_orderly(&driver);
}
