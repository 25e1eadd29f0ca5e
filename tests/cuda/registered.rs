//! CUDA code that is registered while the program runs, and found by `searchable` kernels.
#![allow(unsafe_code, reason = "registering native code is a promise")]

use flash::Error;
use flash::cuda::{register, register_code};
use flash::prelude::*;
use flash_tests::cuda::devices;

const TEXT: &str = "
extern \"C\" __global__ void lifted(float k, const float *x, float *y) {
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    y[i] = x[i] + k;
}
extern \"C\" __global__ void unlike(int k, float *y) { y[0] = k; }
extern \"C\" __global__ void turned(double k, const unsigned long long *at, const float *x, float *y) {
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    y[i] = (float)(k * x[at[i]]);
}
extern \"C\" __global__ void pointed(const float *c, float *y) { y[0] = *c; }
template <class T> __global__ void scaled(T k, T *y) {
    y[blockIdx.x * blockDim.x + threadIdx.x] *= k;
}
";

#[flash::kernel(searchable(exact))]
fn lifted(k: f32, x: &[f32], #[out] y: &mut [f32]);

/// The signature that it is registered with is not the one it has.
#[flash::kernel(searchable(exact))]
fn unlike(k: f32, y: &mut [f32]);

#[flash::kernel(searchable(exact))]
fn saxpy(a: f32, x: &[f32], y: &mut [f32]);

/// Its `k` is wider there, its indices have another name, and `x` is only read.
#[flash::kernel(searchable(fuzzy))]
fn turned(k: f32, at: &[usize], x: &mut [f32], #[out] y: &mut [f32]);

#[flash::kernel(searchable(fuzzy))]
fn pointed(c: f32, y: &mut [f32]);

#[flash::kernel(searchable(exact))]
fn absent(y: &mut [f32]);

#[test]
fn what_is_registered_is_found() {
    let Some(test) = devices("devices=2") else { return };
    // SAFETY: the kernel does what is said.
    unsafe { register_code("made.cu", TEXT, "lifted", "value f32, in f32[1], out f32[1]") }
        .unwrap();
    let (x, mut y) = (Buffer::from(vec![2.0_f32; 100]), Buffer::zeros(100));
    let mut p = test.rt.pipeline();
    p.push(lifted(0.5, &x, &mut y).over([100]));
    let how = p.explain().unwrap().to_string();
    assert!(how.contains("searchable(exact) found `lifted` of made.cu, as declared"), "{how}");
    p.exec().unwrap();
    drop(p);
    assert_eq!(y.to_vec().unwrap(), [2.5; 100]);

    // A file as well; it is the same one each time.
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/cuda/kernels/saxpy.ptx");
    for _ in 0..2 {
        // SAFETY: the kernel does what is said.
        unsafe { register(path, "saxpy", "value f32, in f32[1], io f32[1]") }.unwrap();
    }
    y.fill(1.0).unwrap();
    test.rt.submit(saxpy(3.0, &x, &mut y)).exec([100]).unwrap();
    assert_eq!(y.to_vec().unwrap(), [7.0; 100]);
}

#[test]
fn what_is_fuzzy_takes_what_loses_nothing() {
    let Some(test) = devices("devices=1") else { return };
    let signature = "value f64, in u64[1], in f32[1], out f32[1]";
    // SAFETY: the kernel does what is said.
    unsafe { register_code("turned.cu", TEXT, "turned", signature) }.unwrap();
    let mut x = Buffer::from((0..100).map(|v| v as f32).collect::<Vec<_>>());
    let (at, mut y) = (Buffer::from((0..100).rev().collect::<Vec<usize>>()), Buffer::zeros(100));
    let mut p = test.rt.pipeline();
    p.push(turned(0.25, &at, &mut x, &mut y).over([100]));
    let how = p.explain().unwrap().to_string();
    let found = "searchable(fuzzy) found `turned` of turned.cu, 3 arguments converted";
    assert!(how.contains(found), "{how}");
    p.exec().unwrap();
    drop(p);
    let expected: Vec<f32> = (0..100).rev().map(|v| 0.25 * v as f32).collect();
    assert_eq!(y.to_vec().unwrap(), expected);

    // SAFETY: it is not taken.
    unsafe { register_code("pointed.cu", TEXT, "pointed", "in f32[1], io f32[1]") }.unwrap();
    let error = test.rt.submit(pointed(5.0, &mut y)).exec([100]).unwrap_err();
    assert!(matches!(error, Error::NotFound { kernel: "pointed", .. }), "{error}");
    assert!(error.to_string().contains("a value is no array in the memory of a device"), "{error}");
    // What fits and comes later is found.
    let wide = "extern \"C\" __global__ void pointed(double c, float *y) {
        y[blockIdx.x * blockDim.x + threadIdx.x] = (float)c;
    }";
    // SAFETY: the kernel does what is said.
    unsafe { register_code("wide.cu", wide, "pointed", "value f64, io f32[1]") }.unwrap();
    test.rt.submit(pointed(5.0, &mut y)).exec([100]).unwrap();
    assert_eq!(y.to_vec().unwrap(), [5.0; 100]);
}

#[test]
fn what_does_not_fit_says_why() {
    let Some(test) = devices("devices=1") else { return };
    // SAFETY: it is refused, as it has other parameters.
    unsafe { register_code("unlike.cu", TEXT, "unlike", "value f32, io f32[1]") }.unwrap();
    let mut y = Buffer::from(vec![1.0_f32; 10]);
    let error = test.rt.submit(absent(&mut y)).exec([10]).unwrap_err();
    assert!(matches!(error, Error::NotFound { kernel: "absent", .. }), "{error}");
    let error = test.rt.submit(unlike(1.0, &mut y)).exec([10]).unwrap_err();
    let text = error.to_string();
    assert!(text.contains("unlike.cu") && text.contains("the kernel takes `int`"), "{text}");
    let refused = |result: flash::Result<()>, why: &str| {
        let error = result.unwrap_err();
        let is_said = error.to_string().contains(why);
        assert!(matches!(error, Error::Library { .. }) && is_said, "{error}");
    };
    // SAFETY: none of them is registered.
    refused(unsafe { register("no/such/file.cu", "x", "") }, "cannot be read");
    // SAFETY: as above.
    refused(unsafe { register_code("text", TEXT, "x", "") }, "extension");
    assert_eq!(y.to_vec().unwrap(), [1.0; 10]);
}
