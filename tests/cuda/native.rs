//! Native kernels end to end, each against plain Rust.

use flash::prelude::*;
use flash_tests::cuda::devices;
use half::{bf16, f16};
use num_complex::Complex;

const SOURCE: &str = "
    namespace lines {
        template <typename T> __global__ void saxpy(T a, const T *x, T *y) {
            unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
            y[i] = a * x[i] + y[i];
        }
    }
";

/// Names that a check of the declaration might have, had it not names of its own.
const MACROS: &str = "
    #define N 64
    #define T float
    #define A 1
    #define B 32
    #define F 2
    #define H 5
    #define K 3
    #define L 4
    #define n 7
    #define type value
    #define arguments list
    extern \"C\" __global__ void limited(T *x) { if (threadIdx.x < N) x[threadIdx.x] *= 2; }
";

/// Declares kernels of the file.
macro_rules! native {
    ($($(#[$attribute:meta])* fn $name:ident($($params:tt)*) = $options:tt;)*) => {
        $(#[flash::kernel(unsafe(cuda $options))]
        fn $name($($params)*);)*
    };
}

native! {
    fn saxpy(a: f32, x: &[f32], y: &mut [f32]) = (file = "cuda/kernels/native.cu");
    fn guarded(a: f32, x: &[f32], y: &mut [f32]) = (
        file = "cuda/kernels/native.cu", entry = "saxpy_guarded",
        args(a, x, y, n = y.len()), block(64), guarded
    );
    fn of_path(a: f32, x: &[f32], y: &mut [f32]) =
        (path = "cuda/kernels/native.cu", entry = "saxpy");
    fn of_text(a: f32, x: &[f32], y: &mut [f32]) = (source = SOURCE, entry = "lines::saxpy<float>");
    fn of_ptx(a: f32, x: &[f32], y: &mut [f32]) =
        (file = "cuda/kernels/saxpy.ptx", entry = "saxpy");
    fn of_fatbin(a: f32, x: &[f32], y: &mut [f32]) =
        (file = "cuda/kernels/saxpy.fatbin", entry = "saxpy");
    fn shifted(x: &[f32], #[out] y: &mut [f32]) =
        (file = "cuda/kernels/native.cu", entry = "numbers::shifted<float, 3>");
    fn shifted_long(x: &[i64], #[out] y: &mut [i64]) =
        (file = "cuda/kernels/native.cu", entry = "numbers::shifted<long long, -1>");
    fn on_line(line: Line, x: &[f32], #[out] y: &mut [f32]) = (file = "cuda/kernels/native.cu");
    fn block_sums(x: &[u32], #[out(partial)] sums: &mut [u32]) =
        (file = "cuda/kernels/native.cu", block(64), shared = 256);
    fn reversed(x: &[[f32; 4]], #[out] y: &mut [[f32; 4]]) = (file = "cuda/kernels/native.cu");
    fn bounded(a: f32, x: &[f32], y: &mut [f32]) = (file = "cuda/kernels/native.cu");
    fn squared(x: &[Complex<f32>], #[out] y: &mut [Complex<f32>]) =
        (file = "cuda/kernels/native.cu");
    fn bits(x: &[f16], #[out] y: &mut [f16]) = (file = "cuda/kernels/native.cu");
    fn swapped(x: &[[f64; 2]], #[out] y: &mut [[f64; 2]]) = (file = "cuda/kernels/native.cu");
    fn conjugated(by: Complex<f64>, x: &[Complex<f64>], #[out] y: &mut [Complex<f64>]) =
        (file = "cuda/kernels/native.cu");
    fn negated_halves(x: &[f16], #[out] y: &mut [f16]) = (file = "cuda/kernels/native.cu");
    fn filled(a: bf16, x: &[bf16], #[out] y: &mut [bf16]) = (file = "cuda/kernels/native.cu");
    // One text, which is another kernel by what the compiler is given.
    fn twice(x: &[f32], #[out] y: &mut [f32]) = (
        file = "cuda/kernels/scaled.cu", entry = "scaled",
        options = "-DMORE=1 -I cuda/kernels/twice"
    );
    fn thrice(x: &[f32], #[out] y: &mut [f32]) = (
        file = "cuda/kernels/scaled.cu", entry = "scaled",
        options = "--define-macro=MORE=5 --include-path=cuda/kernels/thrice"
    );
    fn limited(x: &mut [f32]) = (source = MACROS);
    fn fourth(x: &mut [f32]) = (
        source = "extern \"C\" __global__ void fourth(float *x) { if (threadIdx.x < N) x[threadIdx.x] *= K; }",
        options = "-DN=4 -DK=2"
    );
    // Standards of C++ from before what the check of a declaration might be written in.
    fn on_line_14(line: Line, x: &[f32], #[out] y: &mut [f32]) =
        (file = "cuda/kernels/native.cu", entry = "on_line", options = "--std=c++14");
    fn guarded_11(a: f32, x: &[f32], y: &mut [f32]) = (
        file = "cuda/kernels/native.cu", entry = "saxpy_guarded", options = "-std=c++11",
        args(a, x, y, n = y.len()), block(64), guarded
    );
    fn saxpy_03(a: f32, x: &[f32], y: &mut [f32]) = (
        source = "extern \"C\" __global__ void saxpy_03(float a, const float *x, float *y) {
            unsigned i = blockIdx.x * blockDim.x + threadIdx.x; y[i] = a * x[i] + y[i]; }",
        options = "-std=c++03"
    );
    fn beside(x: &[f32], #[out] y: &mut [f32]) =
        (path = "cuda/kernels/scaled.cu", entry = "scaled");
    fn reached(x: &[f32], #[out] y: &mut [f32]) = (file = "cuda/kernels/scaled.cu", entry = "scaled");
}

#[flash::kernel(rank = 2, unsafe(cuda(file = "cuda/kernels/native.cu")))]
fn transpose(x: &[u32], #[out] out: &mut [u32], n: u64, m: u64);

#[derive(Clone, Copy, Debug, flash::Pod)]
#[repr(C)]
pub(crate) struct Line {
    pub(crate) slope: f32,
    pub(crate) offset: i32,
    pub(crate) scale: f64,
}

fn floats(n: usize) -> Vec<f32> {
    (0..n).map(|i| i as f32 * 0.5 - 5.0).collect()
}

#[test]
fn items_are_those_asked_for() {
    let Some(test) = devices("devices=1") else { return };
    for n in [1, 7, 64, 1000, 4096] {
        let x = Buffer::from(floats(n));
        let expected: Vec<f32> = floats(n).iter().map(|x| 0.5 * x + 1.5).collect();
        let mut y = Buffer::from(vec![1.5_f32; n]);
        test.rt.submit(saxpy(0.5, &x, &mut y)).exec([n]).unwrap();
        assert_eq!(y.to_vec().unwrap(), expected, "{n} items");
        let mut y = Buffer::from(vec![1.5_f32; n]);
        test.rt.submit(guarded(0.5, &x, &mut y)).exec([n]).unwrap();
        assert_eq!(y.to_vec().unwrap(), expected, "{n} items, guarded");
    }
}

#[test]
fn code_is_a_file_of_any_sort() {
    let Some(test) = devices("devices=1") else { return };
    let x = Buffer::from(floats(100));
    let expected: Vec<f32> = floats(100).iter().map(|x| 2.0 * x + 1.0).collect();
    macro_rules! check {
        ($($kernel:ident),*) => {$(
            let mut y = Buffer::from(vec![1.0_f32; 100]);
            test.rt.submit($kernel(2.0, &x, &mut y)).exec([100]).unwrap();
            assert_eq!(y.to_vec().unwrap(), expected, stringify!($kernel));
        )*};
    }
    check!(of_path, of_text, of_ptx, of_fatbin);
}

/// As that of code for `sm_100a` on a device of `sm_103`, which looks like any code of the generation.
#[test]
fn where_the_driver_does_not_run_the_code_of_a_file_it_takes_the_next_image() {
    let settings = "devices=1,capability=10.0";
    let Some(test) = flash_tests::cuda::cuda(settings) else { return };
    let (x, mut y) = (Buffer::from(floats(100)), Buffer::from(vec![1.0_f32; 100]));
    test.driver.fail("cuModuleLoadDataEx", 1, flash_test_cuda::Code(209));
    test.rt.submit(of_fatbin(2.0, &x, &mut y)).exec([100]).unwrap();
    assert_eq!(test.driver.failures_left(), 0);
    let expected: Vec<f32> = floats(100).iter().map(|x| 2.0 * x + 1.0).collect();
    assert_eq!(y.to_vec().unwrap(), expected);
}

#[test]
fn templates_are_named_with_their_arguments() {
    let Some(test) = devices("devices=1") else { return };
    let x = Buffer::from(floats(64));
    let mut y = Buffer::zeros(64);
    test.rt.submit(shifted(&x, &mut y)).exec([64]).unwrap();
    assert_eq!(y.to_vec().unwrap(), floats(64).iter().map(|x| x + 3.0).collect::<Vec<_>>());
    let x = Buffer::from((0..64_i64).map(|k| k << 40).collect::<Vec<_>>());
    let mut y = Buffer::zeros(64);
    test.rt.submit(shifted_long(&x, &mut y)).exec([64]).unwrap();
    assert_eq!(y.to_vec().unwrap(), (0..64_i64).map(|k| (k << 40) - 1).collect::<Vec<_>>());
}

#[test]
fn options_and_include_paths_reach_the_compiler() {
    let Some(test) = devices("devices=1") else { return };
    let x = Buffer::from(floats(64));
    let mut y = Buffer::zeros(64);
    let of = |by: f32, more: f32| floats(64).iter().map(|x| by * x + more).collect::<Vec<_>>();
    // In turn, so that none is taken for the one before.
    for _ in 0..2 {
        test.rt.submit(twice(&x, &mut y)).exec([64]).unwrap();
        assert_eq!(y.to_vec().unwrap(), of(2.0, 1.0));
        test.rt.submit(thrice(&x, &mut y)).exec([64]).unwrap();
        assert_eq!(y.to_vec().unwrap(), of(3.0, 5.0));
        // What is opened while the program runs finds the header beside it.
        test.rt.submit(beside(&x, &mut y)).exec([64]).unwrap();
        assert_eq!(y.to_vec().unwrap(), of(4.0, 0.0));
    }
    let error = test.rt.submit(reached(&x, &mut y)).exec([64]).unwrap_err();
    assert!(format!("{error:?}").contains("factor.h"), "{error:?}");
}

#[test]
fn macros_and_standards_of_a_file_are_none_of_the_declaration() {
    let Some(test) = devices("devices=1") else { return };
    let mut x = Buffer::from(vec![1.5_f32; 64]);
    test.rt.submit(limited(&mut x)).exec([64]).unwrap();
    assert_eq!(x.to_vec().unwrap(), [3.0; 64]);
    test.rt.submit(fourth(&mut x)).exec([64]).unwrap();
    assert_eq!(x.to_vec().unwrap(), [&[6.0; 4][..], &[3.0; 60]].concat());
    let (mut y, mut z) = (Buffer::zeros(64), Buffer::from(vec![1.0_f32; 64]));
    let line = Line { slope: 2.0, offset: -3, scale: 0.5 };
    test.rt.submit(on_line_14(line, &x, &mut y)).exec([64]).unwrap();
    assert_eq!((y.get(0).unwrap(), y.get(63).unwrap()), (4.5, 1.5));
    test.rt.submit(guarded_11(2.0, &x, &mut z)).exec([64]).unwrap();
    assert_eq!((z.get(0).unwrap(), z.get(63).unwrap()), (13.0, 7.0));
    // Where the compiler takes no templates with any number of arguments, sizes are compared.
    test.rt.submit(saxpy_03(1.0, &x, &mut z)).exec([64]).unwrap();
    assert_eq!((z.get(0).unwrap(), z.get(63).unwrap()), (19.0, 10.0));
}

#[test]
fn two_dimensions() {
    let Some(test) = devices("devices=1") else { return };
    let (n, m) = (70, 33);
    let x = Buffer::from((0..n * m).map(|k| k as u32).collect::<Vec<_>>());
    let mut out = Buffer::zeros(n * m);
    test.rt.submit(transpose(&x, &mut out, n as u64, m as u64)).exec([n, m]).unwrap();
    let expected: Vec<u32> = (0..n * m).map(|k| (k % n * m + k / n) as u32).collect();
    assert_eq!(out.to_vec().unwrap(), expected);
}

#[test]
fn a_structure_is_a_value() {
    let Some(test) = devices("devices=1") else { return };
    let x = Buffer::from(floats(100));
    let mut y = Buffer::zeros(100);
    let line = Line { slope: 2.0, offset: -3, scale: 0.5 };
    test.rt.submit(on_line(line, &x, &mut y)).exec([100]).unwrap();
    let expected: Vec<f32> =
        floats(100).iter().map(|x| (0.5 * f64::from(2.0 * x - 3.0)) as f32).collect();
    assert_eq!(y.to_vec().unwrap(), expected);
}

#[test]
fn blocks_share_memory() {
    let Some(test) = devices("devices=1") else { return };
    let x = Buffer::from((0..640_u32).collect::<Vec<_>>());
    let mut sums = Buffer::zeros(10);
    test.rt.submit(block_sums(&x, &mut sums)).exec([640]).unwrap();
    let expected: Vec<u32> = (0..10).map(|g| (0..64).map(|k| 64 * g + k).sum()).collect();
    assert_eq!(sums.to_vec().unwrap(), expected);
    // A call has the last word, also where that is more than a block has without asking.
    let mut sums = Buffer::zeros(20);
    let call = block_sums(&x, &mut sums).block([32]).shared(100_000);
    test.rt.submit(call).exec([640]).unwrap();
    let expected: Vec<u32> = (0..20).map(|g| (0..32).map(|k| 32 * g + k).sum()).collect();
    assert_eq!(sums.to_vec().unwrap(), expected);
}

#[test]
fn elements_are_vectors_pairs_and_bits() {
    let Some(test) = devices("devices=1") else { return };
    let x = Buffer::from(vec![[1.0, 2.0, 3.0, 4.0_f32]; 50]);
    let mut y = Buffer::zeros(50);
    test.rt.submit(reversed(&x, &mut y)).exec([50]).unwrap();
    assert_eq!(y.to_vec().unwrap(), vec![[4.0, 3.0, 2.0, 1.0]; 50]);
    let numbers: Vec<Complex<f32>> = (0..50).map(|k| Complex::new(k as f32, 0.5)).collect();
    let (x, mut y) = (Buffer::from(numbers.clone()), Buffer::zeros(50));
    test.rt.submit(squared(&x, &mut y)).exec([50]).unwrap();
    assert_eq!(y.to_vec().unwrap(), numbers.iter().map(|x| x * x).collect::<Vec<_>>());
    let numbers: Vec<f16> = (0..50).map(|k| f16::from_f32(k as f32 * 0.5)).collect();
    let (x, mut y) = (Buffer::from(numbers.clone()), Buffer::zeros(50));
    test.rt.submit(bits(&x, &mut y)).exec([50]).unwrap();
    assert_eq!(y.to_vec().unwrap(), numbers.iter().map(|x| -x).collect::<Vec<_>>());
}

#[test]
fn elements_of_sixteen_bytes_and_of_two_are_those_of_cuda() {
    let Some(test) = devices("devices=1") else { return };
    let pairs: Vec<[f64; 2]> = (0..50).map(|k| [f64::from(k), 0.25]).collect();
    let (x, mut y) = (Buffer::from(pairs.clone()), Buffer::zeros(50));
    test.rt.submit(swapped(&x, &mut y)).exec([50]).unwrap();
    assert_eq!(y.to_vec().unwrap(), pairs.iter().map(|[a, b]| [*b, *a]).collect::<Vec<_>>());
    let numbers: Vec<Complex<f64>> = (0..50).map(|k| Complex::new(f64::from(k), 0.5)).collect();
    let (x, mut y) = (Buffer::from(numbers.clone()), Buffer::zeros(50));
    test.rt.submit(conjugated(Complex::new(1.0, 0.0), &x, &mut y)).exec([50]).unwrap();
    assert_eq!(y.to_vec().unwrap(), numbers.iter().map(|x| 1.0 + x.conj()).collect::<Vec<_>>());
    let halves: Vec<f16> = (0..50).map(|k| f16::from_f32(k as f32 * 0.5)).collect();
    let (x, mut y) = (Buffer::from(halves.clone()), Buffer::zeros(50));
    test.rt.submit(negated_halves(&x, &mut y)).exec([50]).unwrap();
    assert_eq!(y.to_vec().unwrap(), halves.iter().map(|x| -x).collect::<Vec<_>>());
    let (one, x) = (bf16::from_f32(1.5), Buffer::from(vec![bf16::ZERO; 50]));
    let mut y = Buffer::zeros(50);
    test.rt.submit(filled(one, &x, &mut y)).exec([50]).unwrap();
    assert_eq!(y.to_vec().unwrap(), [one; 50]);
}

#[test]
fn launch_bounds_are_kept() {
    let Some(test) = devices("devices=1") else { return };
    let (x, mut y) = (Buffer::from(floats(256)), Buffer::from(vec![1.0_f32; 256]));
    // Nobody says how many threads, and more than 64 would not run.
    test.rt.submit(bounded(2.0, &x, &mut y)).exec([256]).unwrap();
    assert_eq!(y.get(10).unwrap(), 1.0);
    let call = bounded(2.0, &x, &mut y).block([128]);
    let said = format!("{:?}", test.rt.submit(call).exec([256]).unwrap_err());
    assert!(said.contains("a block of 128 threads is asked for"), "{said}");
    assert!(said.contains("`bounded` is compiled for 64 at most"), "{said}");
}

#[test]
fn no_items_are_no_launch_and_an_empty_array_is_none() {
    let Some(test) = devices("devices=1") else { return };
    let x = Buffer::from(Vec::<f32>::new());
    let (mut y, mut z) = (Buffer::<f32>::zeros(0), Buffer::from(vec![1.0_f32; 10]));
    test.rt.submit(saxpy(2.0, &x, &mut y)).exec([0]).unwrap();
    test.rt.submit(guarded(2.0, &x, &mut y)).exec([0]).unwrap();
    // All items find that they are beyond it.
    test.rt.submit(guarded(2.0, &x, &mut y)).exec([100]).unwrap();
    assert_eq!(y.to_vec().unwrap(), []);
    let mut pipeline = test.rt.pipeline();
    pipeline.push(saxpy(2.0, &x, &mut z).over([0]));
    pipeline.push(guarded(2.0, &x, &mut y).over([100]));
    // The plan is kept, and so are its launches.
    (0..4).for_each(|_| drop(pipeline.exec().unwrap()));
    drop(pipeline);
    assert_eq!(z.to_vec().unwrap(), [1.0; 10]);
}

#[test]
fn a_part_of_an_array_is_a_pointer() {
    let Some(test) = devices("devices=1") else { return };
    let x = Buffer::from(floats(4096));
    let mut y = Buffer::from(vec![1.0_f32; 4096]);
    let (from, mut to) = (x.view(1001..2025), y.view_mut(2049..3073));
    test.rt.submit(saxpy(2.0, &from, &mut to)).exec([1024]).unwrap();
    let y = y.to_vec().unwrap();
    for (k, value) in y.iter().enumerate() {
        let inside = (2049..3073).contains(&k);
        let expected = if inside { 2.0 * floats(4096)[k - 1048] + 1.0 } else { 1.0 };
        assert_eq!(*value, expected, "element {k}");
    }
}

#[test]
fn stages_follow_each_other_on_every_device() {
    let Some(test) = devices("devices=3") else { return };
    let x = Buffer::from(vec![1.0_f32; 500]);
    let mut y = Buffer::zeros(500);
    let mut pipeline = test.rt.pipeline();
    for k in 0..30 {
        pipeline.push(saxpy(1.0, &x, &mut y).pin(k % 3).over([500]));
    }
    pipeline.exec().unwrap();
    assert_eq!(y.to_vec().unwrap(), [30.0; 500]);
}
