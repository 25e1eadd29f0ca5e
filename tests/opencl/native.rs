//! Native kernels end to end, each against plain Rust.

use flash::prelude::*;
use flash_tests::opencl;

use crate::copying;

#[flash::kernel(unsafe(opencl(file = "opencl/kernels/saxpy.cl")))]
fn saxpy(a: f32, x: &[f32], y: &mut [f32]);

#[flash::kernel(unsafe(opencl(
    file = "opencl/kernels/saxpy.cl",
    entry = "saxpy_guarded",
    args(a, x, y, n = y.len()),
    block(64),
    guarded
)))]
fn guarded(a: f32, x: &[f32], y: &mut [f32]);

#[flash::kernel(rank = 2, unsafe(opencl(file = "opencl/kernels/saxpy.cl")))]
fn transpose(x: &[u32], #[out] out: &mut [u32], n: u64, m: u64);

#[derive(Clone, Copy, Debug, flash::Pod)]
#[repr(C)]
struct Line {
    slope: f32,
    offset: i32,
    scale: f64,
}

#[flash::kernel(unsafe(opencl(file = "opencl/kernels/saxpy.cl")))]
fn on_line(line: Line, x: &[f32], #[out] y: &mut [f32]);

#[flash::kernel(unsafe(opencl(file = "opencl/kernels/saxpy.cl", block(64), shared = 256)))]
fn group_sums(x: &[u32], #[out(partial)] sums: &mut [u32]);

#[flash::kernel(unsafe(opencl(file = "opencl/kernels/saxpy.cl")))]
fn sizes_of_groups(#[out] out: &mut [u32]);

#[flash::kernel(unsafe(opencl(file = "opencl/kernels/saxpy.cl")))]
fn quads(x: &[[f32; 4]], #[out] y: &mut [[f32; 4]]);

const HALVE: &str = "
    __kernel void halve(__global float *x) { x[get_global_id(0)] *= PART; }
";

#[flash::kernel(unsafe(opencl(source = HALVE, options = "-DPART=0.5f")))]
fn halve(x: &mut [f32]);

#[flash::kernel(unsafe(opencl(
    source = concat!("__kernel void add(__global float *x)", "{ x[get_global_id(0)] += wrong; }")
)))]
fn add(x: &mut [f32]);

/// Mistakes in a text are those of the kernel.
#[test]
fn code_from_a_text() {
    let Some(rt) = opencl() else { return };
    let mut x = Buffer::from(floats(100));
    rt.submit(halve(&mut x)).exec([100]).unwrap();
    let halves: Vec<f32> = floats(100).iter().map(|x| x * 0.5).collect();
    assert_eq!(x.to_vec().unwrap(), halves);
    let error = rt.submit(add(&mut x)).exec([100]).unwrap_err().to_string();
    assert!(error.contains("add.cl:1") && error.contains("wrong"), "{error}");
    assert_eq!(x.to_vec().unwrap(), halves);
}

fn floats(n: usize) -> Vec<f32> {
    (0..n).map(|i| i as f32 * 0.37 - 5.0).collect()
}

/// Code that is given a plain pointer to the first element of what it is called with.
#[test]
fn parts_of_arrays_that_are_larger_than_the_device() {
    if opencl().is_none() {
        return;
    }
    let rt = Runtime::builder().devices("OPENCL").memory_limit(9_000).build().unwrap();
    let n = 4_000;
    let (x, y) = (Buffer::from(floats(n)), Buffer::from(vec![1.5_f32; n]));
    let mut expected = vec![1.5_f32; n];
    // Where a driver takes a part of a buffer.
    for start in [0, 1_024, 32, 2_976, 1_056] {
        let (from, mut to) = (x.view(start..start + 1_000), y.view(start..start + 1_000));
        rt.submit(saxpy(0.5, &from, &mut to)).exec([1_000]).unwrap();
        rt.submit(guarded(2.0, &from, &mut to)).exec([1_000]).unwrap();
        for (x, y) in floats(n).iter().zip(&mut expected).skip(start).take(1_000) {
            *y = 2.0 * x + (0.5 * x + *y);
        }
        assert!(rt.devices()[0].bytes_used() <= 9_000);
    }
    let found = y.to_vec().unwrap();
    let wrong = found.iter().zip(&expected).position(|(a, b)| (a - b).abs() > 1e-3);
    assert_eq!(wrong, None);
}

#[test]
fn items_are_those_asked_for() {
    let Some(rt) = opencl() else { return };
    for n in [1, 7, 64, 1000, 4097] {
        let x = Buffer::from(floats(n));
        let expected: Vec<f32> = floats(n).iter().map(|x| 0.5 * x + 1.5).collect();
        let mut y = Buffer::from(vec![1.5_f32; n]);
        rt.submit(saxpy(0.5, &x, &mut y)).exec([n]).unwrap();
        assert_eq!(y.to_vec().unwrap(), expected, "{n} items");
        let mut y = Buffer::from(vec![1.5_f32; n]);
        rt.submit(guarded(0.5, &x, &mut y)).exec([n]).unwrap();
        assert_eq!(y.to_vec().unwrap(), expected, "{n} items, guarded");
    }
}

#[test]
fn two_dimensions() {
    let Some(rt) = opencl() else { return };
    let (n, m) = (70, 33);
    let numbers: Vec<u32> = (0..n * m).map(|k| k as u32).collect();
    let x = Buffer::from(numbers);
    let mut out = Buffer::zeros(n * m);
    rt.submit(transpose(&x, &mut out, n as u64, m as u64)).exec([n, m]).unwrap();
    let expected: Vec<u32> = (0..n * m).map(|k| (k % n * m + k / n) as u32).collect();
    assert_eq!(out.to_vec().unwrap(), expected);
}

#[test]
fn a_structure_is_a_value() {
    let Some(rt) = opencl() else { return };
    let x = Buffer::from(floats(100));
    let mut y = Buffer::zeros(100);
    let line = Line { slope: 2.0, offset: -3, scale: 0.5 };
    rt.submit(on_line(line, &x, &mut y)).exec([100]).unwrap();
    let expected: Vec<f32> =
        floats(100).iter().map(|x| (0.5 * f64::from(2.0 * x - 3.0)) as f32).collect();
    assert_eq!(y.to_vec().unwrap(), expected);
}

#[test]
fn groups_share_memory() {
    let Some(rt) = opencl() else { return };
    let x = Buffer::from((0..640_u32).collect::<Vec<_>>());
    let mut sums = Buffer::zeros(10);
    rt.submit(group_sums(&x, &mut sums)).exec([640]).unwrap();
    let expected: Vec<u32> = (0..10).map(|g| (0..64).map(|k| 64 * g + k).sum()).collect();
    assert_eq!(sums.to_vec().unwrap(), expected);
    // A call has the last word.
    let mut sums = Buffer::zeros(20);
    let call = group_sums(&x, &mut sums).block([32]).shared(128);
    rt.submit(call).exec([640]).unwrap();
    let expected: Vec<u32> = (0..20).map(|g| (0..32).map(|k| 32 * g + k).sum()).collect();
    assert_eq!(sums.to_vec().unwrap(), expected);
}

#[test]
fn a_text_that_asks_for_groups_gets_them() {
    let Some(rt) = opencl() else { return };
    let mut out = Buffer::zeros(96);
    rt.submit(sizes_of_groups(&mut out)).exec([96]).unwrap();
    assert_eq!(out.to_vec().unwrap(), [32; 96]);
}

#[test]
fn vectors_are_arrays() {
    let Some(rt) = opencl() else { return };
    let x = Buffer::from(vec![[1.0, 2.0, 3.0, 4.0_f32]; 50]);
    let mut y = Buffer::zeros(50);
    rt.submit(quads(&x, &mut y)).exec([50]).unwrap();
    assert_eq!(y.to_vec().unwrap(), vec![[4.0, 3.0, 2.0, 1.0]; 50]);
}

#[test]
fn a_part_that_begins_where_a_device_can_is_a_pointer() {
    let Some(rt) = opencl() else { return };
    let x = Buffer::from(floats(4096));
    let mut y = Buffer::from(vec![1.0_f32; 4096]);
    let (from, mut to) = (x.view(1024..2048), y.view_mut(2048..3072));
    rt.submit(saxpy(2.0, &from, &mut to)).exec([1024]).unwrap();
    let y = y.to_vec().unwrap();
    for (k, value) in y.iter().enumerate() {
        let inside = (2048..3072).contains(&k);
        let expected = if inside { 2.0 * floats(4096)[k - 1024] + 1.0 } else { 1.0 };
        assert_eq!(*value, expected, "element {k}");
    }
}

#[test]
fn stages_follow_each_other_and_copies_are_inferred() {
    let Some(rt) = copying() else { return };
    let x = Buffer::from(vec![1.0_f32; 500]);
    let mut y = Buffer::zeros(500);
    let mut pipeline = rt.pipeline();
    for _ in 0..20 {
        pipeline.push(saxpy(1.0, &x, &mut y).over([500]));
    }
    let report = pipeline.exec().unwrap();
    assert_eq!(y.to_vec().unwrap(), vec![20.0; 500]);
    assert_eq!(report.transfers().uploads, 2, "{report:?}");
}
