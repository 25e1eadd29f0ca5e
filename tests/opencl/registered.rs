//! OpenCL code that is registered while the program runs, and found by `searchable` kernels.

use flash::Error;
use flash::opencl::{register, register_text};
use flash::prelude::*;
use flash_tests::opencl;

const TEXT: &str = "
kernel void shifted(float k, const global float *x, global float *y) {
    size_t i = get_global_id(0);
    y[i] = x[i] + k;
}
kernel void blended(double k, const global ulong *at, const global float *x, global float *y) {
    size_t i = get_global_id(0);
    y[i] = (float)(k * x[at[i]]);
}
kernel void mixed(long a, ulong b, global long *y) {
    size_t i = get_global_id(0);
    y[i] += a + (long)b;
}
kernel void narrow(float k, global float *y) { y[get_global_id(0)] = k; }
kernel void other(int k, global float *y) { y[get_global_id(0)] = k; }
kernel void lone(const global float *c, global float *y) { y[get_global_id(0)] = *c; }
";

#[flash::kernel(searchable(exact))]
fn shifted(k: f32, x: &[f32], #[out] y: &mut [f32]);

/// Its `k` is wider there, its indices have another name, and `x` is only read.
#[flash::kernel(searchable(fuzzy))]
fn blended(k: f32, at: &[usize], x: &mut [f32], #[out] y: &mut [f32]);

#[flash::kernel(searchable(fuzzy))]
fn mixed(a: i8, b: u16, y: &mut [i64]);

#[flash::kernel(searchable(fuzzy))]
fn narrow(k: f64, y: &mut [f32]);

/// The signature that it is registered with is not the one it has.
#[flash::kernel(searchable(exact))]
fn other(k: f32, y: &mut [f32]);

#[flash::kernel(searchable(fuzzy))]
fn lone(c: f32, #[out] y: &mut [f32]);

#[flash::kernel(searchable(exact))]
fn late(y: &mut [f32]);

#[flash::kernel(searchable(exact))]
fn saxpy(a: f32, x: &[f32], y: &mut [f32]);

/// A body of that name; the code is for one backend, so it comes first where that is.
mod bodies {

    #[flash::kernel]
    pub(super) fn shifted(k: f32, x: &[f32], #[out] y: &mut [f32]) {
        let i = global_id(0);
        y[i] = x[i] + k;
    }
}

fn ready() {
    for (entry, signature) in [
        ("shifted", "value f32, in f32[1], out f32[1]"),
        ("blended", "value f64, in u64[1], in f32[1], out f32[1]"),
        ("mixed", "value i64, value u64, io i64[1]"),
        ("narrow", "value f32, io f32[1]"),
        ("other", "value f32, io f32[1]"),
        ("lone", "in f32[1], out f32[1]"),
    ] {
        // SAFETY: the kernels of the text do what is said, but for `other`, which is refused.
        unsafe { register_text("registered.cl", TEXT, entry, signature) }.unwrap();
    }
}

#[test]
fn what_is_registered_is_found() {
    let Some(rt) = opencl() else { return };
    ready();
    let (mut x, mut y) = (Buffer::from(vec![2.0_f32; 100]), Buffer::zeros(100));
    let mut p = rt.pipeline();
    p.push(shifted(0.5, &x, &mut y).over([100]));
    let how = p.explain().unwrap().to_string();
    assert!(
        how.contains("searchable(exact) found `shifted` of registered.cl, as declared"),
        "{how}"
    );
    p.exec().unwrap();
    drop(p);
    assert_eq!(y.to_vec().unwrap(), [2.5; 100]);

    let at = Buffer::from((0..100).rev().collect::<Vec<usize>>());
    rt.submit(blended(0.25, &at, &mut x, &mut y)).exec([100]).unwrap();
    assert_eq!(y.to_vec().unwrap(), [0.5; 100]);
    let mut n = Buffer::from(vec![1_i64 << 40; 70]);
    rt.submit(mixed(-3, 65_535, &mut n)).exec([70]).unwrap();
    assert_eq!(n.to_vec().unwrap(), [(1_i64 << 40) + 65_532; 70]);

    // A file as well; it is the same one each time.
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/opencl/kernels/saxpy.cl");
    for _ in 0..2 {
        // SAFETY: the kernel does what is said.
        unsafe { register(path, "saxpy", "value f32, in f32[1], io f32[1]") }.unwrap();
    }
    y.fill(1.0).unwrap();
    rt.submit(saxpy(3.0, &x, &mut y)).exec([100]).unwrap();
    assert_eq!(y.to_vec().unwrap(), [7.0; 100]);

    // Where no OpenCL device is a body of the name is found.
    flash::register::<bodies::shifted>();
    let cpu = Runtime::open("ALL_CPU").unwrap();
    cpu.submit(shifted(4.0, &x, &mut y)).exec([100]).unwrap();
    assert_eq!(y.to_vec().unwrap(), [6.0; 100]);
}

#[test]
fn what_does_not_fit_says_why() {
    let Some(rt) = opencl() else { return };
    ready();
    let mut y = Buffer::from(vec![1.0_f32; 10]);
    let missing = rt.submit(late(&mut y)).exec([10]).unwrap_err();
    assert!(matches!(missing, Error::NotFound { kernel: "late", .. }), "{missing}");

    let error = rt.submit(narrow(1.0, &mut y)).exec([10]).unwrap_err();
    assert!(matches!(error, Error::NotFound { kernel: "narrow", .. }), "{error}");
    assert!(error.to_string().contains("a value goes into a wider type"), "{error}");

    // The compiler knows better than who registered it.
    let error = rt.submit(other(1.0, &mut y)).exec([10]).unwrap_err();
    let text = error.to_string();
    assert!(text.contains("registered.cl") && text.contains("the kernel takes `int`"), "{text}");
    // What a device cannot be given is not taken, and does not keep it from what comes later.
    let error = rt.submit(lone(5.0, &mut y)).exec([10]).unwrap_err();
    assert!(matches!(error, Error::NotFound { kernel: "lone", .. }), "{error}");
    assert!(error.to_string().contains("a value is no array in the memory of a device"), "{error}");
    assert_eq!(y.to_vec().unwrap(), [1.0; 10]);
    let wide = "kernel void lone(double c, global float *y) { y[get_global_id(0)] = (float)c; }";
    // SAFETY: the kernel does what is said.
    unsafe { register_text("wide.cl", wide, "lone", "value f64, out f32[1]") }.unwrap();
    rt.submit(lone(5.0, &mut y)).exec([10]).unwrap();
    assert_eq!(y.to_vec().unwrap(), [5.0; 10]);
    y.fill(1.0).unwrap();

    let refused = |result: flash::Result<()>, why: &str| {
        let error = result.unwrap_err();
        assert!(
            matches!(error, Error::Library { .. }) && error.to_string().contains(why),
            "{error}"
        );
    };
    // SAFETY: none of them is registered.
    refused(unsafe { register("no/such/file.cl", "x", "") }, "cannot be read");
    // SAFETY: as above.
    refused(unsafe { register_text("text", TEXT, "x", "") }, "extension");
    // SAFETY: as above.
    refused(unsafe { register_text("registered.cl", "other", "x", "") }, "by this name");

    // It is seen by launches that are prepared after it came.
    let text = "kernel void late(global float *y) { y[get_global_id(0)] += 1; }";
    // SAFETY: the kernel does what is said.
    unsafe { register_text("late.cl", text, "late", "io f32[1]") }.unwrap();
    rt.submit(late(&mut y)).exec([10]).unwrap();
    assert_eq!(y.to_vec().unwrap(), [2.0; 10]);
}
