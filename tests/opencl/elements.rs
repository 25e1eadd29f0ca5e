//! Elements that kernels written without FLASH take, each as a kernel that takes it does and as one that does
//! not.

use flash::Result;
use flash::prelude::*;
use flash_tests::opencl;
use half::{bf16, f16};
use num_complex::{Complex, Complex32};

/// Declares kernels of the file.
macro_rules! native {
    ($($(#[$attribute:meta])* fn $name:ident($($params:tt)*) = $entry:literal;)*) => {
        $(#[flash::kernel(unsafe(opencl(file = "opencl/kernels/elements.cl", entry = $entry)))]
        fn $name($($params)*);)*
    };
}

native! {
    fn halves(x: &[f16], #[out] y: &mut [f32]) = "twice_half";
    fn bfloats(x: &[bf16], #[out] y: &mut [f32]) = "twice_bfloat";
    fn complex(x: &[Complex<f32>], #[out] y: &mut [Complex<f32>]) = "squared";
    fn turned(by: Complex<f64>, x: &mut [Complex<f64>]) = "turned";
    fn pairs(x: &[[i32; 2]], #[out] y: &mut [[i32; 2]]) = "pairs";
    fn eights(x: &[[i16; 8]], #[out] y: &mut [[i16; 8]]) = "eights";
    fn sixteens(x: &[[u8; 16]], #[out] y: &mut [[u8; 16]]) = "sixteens";
    fn threes(x: &[[f32; 3]], #[out] y: &mut [[f32; 3]]) = "threes";
    fn bodies(x: &mut [Body], by: &[f32]) = "bodies";
}

/// Kernels of each scalar, as a value and in arrays, and what they do of all its values that are given.
macro_rules! scalars {
    ($($name:ident: $ty:ident = $entry:literal, $plus:expr, [$($value:expr),*];)*) => {
        native! {
            $(fn $name(by: $ty, x: &[$ty], #[out] y: &mut [$ty], #[out] z: &mut [$ty]) = $entry;)*
        }

        #[test]
        fn scalars_are_values_and_elements() {
            let Some(rt) = opencl() else { return };
            $(
                let values: Vec<$ty> = vec![$($value),*];
                let plus: fn($ty, $ty) -> $ty = $plus;
                let x = Buffer::from(values.clone());
                let n = values.len();
                for by in &values {
                    let (mut y, mut z) = (Buffer::zeros(n), Buffer::zeros(n));
                    rt.submit($name(*by, &x, &mut y, &mut z)).exec([n]).unwrap();
                    let wanted: Vec<$ty> = values.iter().map(|x| plus(*x, *by)).collect();
                    assert_eq!(y.to_vec().unwrap(), wanted, "{}, {by}", stringify!($name));
                    assert_eq!(z.to_vec().unwrap(), vec![*by; n], "{}", stringify!($name));
                }
            )*
        }
    };
}

scalars! {
    i8s: i8 = "plus_char", i8::wrapping_add, [i8::MIN, -100, -1, 0, 1, 77, i8::MAX];
    u8s: u8 = "plus_uchar", u8::wrapping_add, [0, 1, 127, 128, 200, u8::MAX];
    i16s: i16 = "plus_short", i16::wrapping_add, [i16::MIN, -129, -1, 0, 300, i16::MAX];
    u16s: u16 = "plus_ushort", u16::wrapping_add, [0, 1, 256, 1 << 15, 40_000, u16::MAX];
    i32s: i32 = "plus_int", i32::wrapping_add, [i32::MIN, -70_000, -1, 0, 1, i32::MAX];
    u32s: u32 = "plus_uint", u32::wrapping_add, [0, 1, 1 << 16, 1 << 31, u32::MAX];
    i64s: i64 = "plus_long", i64::wrapping_add, [i64::MIN, -1 << 40, -1, 0, 1 << 33, i64::MAX];
    u64s: u64 = "plus_ulong", u64::wrapping_add, [0, 1, 1 << 32, 1 << 63, u64::MAX];
    isizes: isize = "plus_long", isize::wrapping_add, [isize::MIN, -1, 0, 1 << 33, isize::MAX];
    usizes: usize = "plus_ulong", usize::wrapping_add, [0, 1, 1 << 32, usize::MAX];
    f32s: f32 = "plus_float", |x, y| x + y, [-1.5, 0.0, 0.1, 3e38, f32::MIN_POSITIVE];
    f64s: f64 = "plus_double", |x, y| x + y, [-1.5, 0.0, 0.1, 1e308, f64::MIN_POSITIVE];
}

native! {
    fn chosen(is_first: bool, x: &[u16], y: &[u16], #[out] z: &mut [u16], #[out] as_it_is: &mut [u8]) = "chosen";
}

#[test]
fn a_truth_is_a_byte() {
    let Some(rt) = opencl() else { return };
    let (x, y) = (Buffer::from(vec![300_u16; 9]), Buffer::from(vec![7_u16; 9]));
    for is_first in [false, true] {
        let (mut z, mut byte) = (Buffer::zeros(9), Buffer::zeros(9));
        rt.submit(chosen(is_first, &x, &y, &mut z, &mut byte)).exec([9]).unwrap();
        assert_eq!(z.to_vec().unwrap(), [if is_first { 300 } else { 7 }; 9]);
        assert_eq!(byte.to_vec().unwrap(), [u8::from(is_first); 9]);
    }
}

#[derive(Clone, Copy, Debug, PartialEq, flash::Pod)]
#[repr(C)]
struct Body {
    count: i32,
    free: u32,
    weight: f64,
    at: [f32; 4],
}

#[test]
fn elements_of_16_bits_are_those_of_half() {
    let Some(rt) = opencl() else { return };
    let numbers: Vec<f32> = (0..100).map(|k| k as f32 * 0.25 - 3.0).collect();
    let doubled: Vec<f32> = numbers.iter().map(|x| 2.0 * x).collect();
    let x: Buffer<f16> = numbers.iter().map(|&x| f16::from_f32(x)).collect::<Vec<_>>().into();
    let mut y = Buffer::zeros(100);
    rt.submit(halves(&x, &mut y)).exec([100]).unwrap();
    assert_eq!(y.to_vec().unwrap(), doubled);
    let x: Buffer<bf16> = numbers.iter().map(|&x| bf16::from_f32(x)).collect::<Vec<_>>().into();
    let mut y = Buffer::zeros(100);
    rt.submit(bfloats(&x, &mut y)).exec([100]).unwrap();
    assert_eq!(y.to_vec().unwrap(), doubled);
}

#[test]
fn complex_numbers_are_vectors_of_two_or_structures() {
    let Some(rt) = opencl() else { return };
    let numbers: Vec<Complex<f32>> = (0..50).map(|k| Complex::new(k as f32, 0.5)).collect();
    let (x, mut y) = (Buffer::from(numbers.clone()), Buffer::zeros(50));
    rt.submit(complex(&x, &mut y)).exec([50]).unwrap();
    assert_eq!(y.to_vec().unwrap(), numbers.iter().map(|x| x * x).collect::<Vec<_>>());
    let numbers: Vec<Complex<f64>> = (0..50).map(|k| Complex::new(f64::from(k), -2.0)).collect();
    let (by, mut x) = (Complex::new(0.5, 2.0), Buffer::from(numbers.clone()));
    rt.submit(turned(by, &mut x)).exec([50]).unwrap();
    assert_eq!(x.to_vec().unwrap(), numbers.iter().map(|x| x * by).collect::<Vec<_>>());
}

#[test]
fn arrays_are_vectors_of_any_length() {
    let Some(rt) = opencl() else { return };
    fn reversed<T: Copy, const N: usize>(x: &[[T; N]]) -> Vec<[T; N]> {
        x.iter().map(|x| std::array::from_fn(|k| x[N - 1 - k])).collect()
    }
    macro_rules! check {
        ($kernel:ident, $elem:ty) => {
            let values: Vec<$elem> =
                (0..40).map(|i| std::array::from_fn(|k| (3 * i + k) as u8 as _)).collect();
            let (x, mut y) = (Buffer::from(values.clone()), Buffer::zeros(40));
            rt.submit($kernel(&x, &mut y)).exec([40]).unwrap();
            assert_eq!(y.to_vec().unwrap(), reversed(&values), stringify!($kernel));
        };
    }
    check!(pairs, [i32; 2]);
    check!(eights, [i16; 8]);
    check!(sixteens, [u8; 16]);
    check!(threes, [f32; 3]);
}

#[test]
fn structures_are_laid_out_as_they_are_declared() {
    let Some(rt) = opencl() else { return };
    let one = Body { count: 3, free: 9, weight: 0.75, at: [1.0, 2.0, 3.0, 4.0] };
    let (mut x, by) = (Buffer::from(vec![one; 20]), Buffer::from(vec![2.0]));
    rt.submit(bodies(&mut x, &by)).exec([20]).unwrap();
    let want = Body { count: 4, weight: 1.5, at: [2.0, 4.0, 6.0, 8.0], ..one };
    assert_eq!(x.to_vec().unwrap(), vec![want; 20]);
}

/// Aligned to more than any of its members.
#[derive(Clone, Copy, Debug, PartialEq, flash::Pod)]
#[repr(C, align(16))]
struct Quad {
    v: [f32; 4],
}

#[flash::kernel]
fn scaled(by: Quad, x: &[Quad], #[out] y: &mut [Quad]) {
    let i = global_id(0);
    let mut v = x[i].v;
    for k in 0..4 {
        v[k] *= by.v[k];
    }
    y[i] = Quad { v };
}

/// In arrays, as a value, and in bodies.
#[test]
fn structures_may_be_aligned_to_more_than_their_members() {
    let all = [opencl(), Runtime::open("SIM").ok(), Runtime::open("ALL_CPU").ok()];
    for rt in all.into_iter().flatten() {
        let quads: Vec<_> = (0..9).map(|k| Quad { v: [k as f32, 1.0, 2.0, -1.5] }).collect();
        let (x, mut y) = (Buffer::from(quads.clone()), Buffer::zeros(9));
        rt.submit(scaled(Quad { v: [2.0, 4.0, 8.0, 1.0] }, &x, &mut y)).exec([9]).unwrap();
        let want = |quad: &Quad| Quad { v: [2.0 * quad.v[0], 4.0, 16.0, -1.5] };
        assert_eq!(y.to_vec().unwrap(), quads.iter().map(want).collect::<Vec<_>>());
    }
}

#[derive(Clone, Copy, Debug, flash::Pod)]
#[repr(C)]
struct Other {
    count: i32,
    free: u32,
    weight: i64,
    at: [f32; 4],
}

native! {
    fn floats_for_halves(x: &[f32], #[out] y: &mut [f32]) = "twice_half";
    fn halves_for_bits(x: &[f16], #[out] y: &mut [f32]) = "twice_bfloat";
    fn halves_for_bfloats(x: &[bf16], #[out] y: &mut [f32]) = "twice_half";
    fn large_for_small(x: &[Complex<f64>], #[out] y: &mut [Complex<f32>]) = "squared";
    fn small_for_large(by: Complex<f32>, x: &mut [Complex<f64>]) = "turned";
    fn parts_for_parts(by: Complex<f64>, x: &mut [Complex<f32>]) = "turned";
    fn pairs_for_eights(x: &[[i16; 2]], #[out] y: &mut [[i16; 8]]) = "eights";
    fn threes_for_fours(x: &[[f32; 3]], #[out] y: &mut [[f32; 3]]) = "fours_of_three";
    fn others(x: &mut [Other], by: &[f32]) = "bodies";
    fn written_constants(x: &mut [Body], by: &mut [f32]) = "bodies";
    fn pictures(x: &[f32], #[out] y: &mut [f32]) = "pictures";
    fn samples(how: u64, #[out] y: &mut [f32]) = "samples";
}

/// The error of a launch says this.
#[track_caller]
fn refused(result: Result<flash::Report>, words: &[&str]) {
    let said = result.unwrap_err().to_string();
    for word in words {
        assert!(said.contains(word), "no {word:?} in {said}");
    }
}

#[test]
fn other_elements_are_refused_by_name() {
    let Some(rt) = opencl() else { return };
    let floats = || Buffer::from(vec![1.0_f32; 8]);
    let (x, mut y) = (floats(), floats());
    let call = rt.submit(floats_for_halves(&x, &mut y)).exec([8]);
    refused(call, &["`x`", "an array of `float`", "`half`"]);
    let halves = Buffer::from(vec![f16::ONE; 8]);
    // Its bits are what they are.
    rt.submit(halves_for_bits(&halves, &mut y)).exec([8]).unwrap();
    let bfloats = Buffer::from(vec![bf16::ONE; 8]);
    let call = rt.submit(halves_for_bfloats(&bfloats, &mut y)).exec([8]);
    refused(call, &["`x`", "`ushort`, the bits of a `bf16`", "`half`"]);
    let large = Buffer::from(vec![Complex::new(1.0_f64, 2.0); 8]);
    let mut small = Buffer::from(vec![Complex::new(1.0_f32, 2.0); 8]);
    let call = rt.submit(large_for_small(&large, &mut small)).exec([8]);
    refused(call, &["`x`", "`double2`", "`float2`"]);
    let (by, mut large) = (Complex::new(1.0_f32, 2.0), large);
    let call = rt.submit(small_for_large(by, &mut large)).exec([8]);
    refused(call, &["`by`", "`float2`", "`double2`"]);
    let call = rt.submit(parts_for_parts(Complex::new(1.0, 2.0), &mut small)).exec([8]);
    refused(call, &["`x`", "another structure", "`re` of `Complex32`", "a `float`", "a `double`"]);
    let (twos, mut eights) = (Buffer::from(vec![[1_i16; 2]; 8]), Buffer::from(vec![[1_i16; 8]; 8]));
    let call = rt.submit(pairs_for_eights(&twos, &mut eights)).exec([8]);
    refused(call, &["`x`", "`short2`", "`short8`"]);
    let (from, mut to) = (Buffer::from(vec![[1.0_f32; 3]; 8]), Buffer::from(vec![[1.0_f32; 3]; 8]));
    let call = rt.submit(threes_for_fours(&from, &mut to)).exec([8]);
    refused(call, &["`x`", "`float3` takes the room of four"]);
}

#[test]
fn other_structures_and_other_memories_are_refused() {
    let Some(rt) = opencl() else { return };
    let mut by = Buffer::from(vec![1.0_f32; 8]);
    let other = Other { count: 1, free: 0, weight: 2, at: [0.0; 4] };
    let mut others_of = Buffer::from(vec![other; 8]);
    let call = rt.submit(others(&mut others_of, &by)).exec([8]);
    refused(
        call,
        &["`x`", "`body` is another structure", "`weight` of `Other`", "`long`", "`double`"],
    );
    let one = Body { count: 3, free: 9, weight: 0.75, at: [1.0; 4] };
    let mut x = Buffer::from(vec![one; 8]);
    let call = rt.submit(written_constants(&mut x, &mut by)).exec([8]);
    refused(call, &["`by`", "written", "`__constant`"]);
    let (x, mut y) = (by, Buffer::from(vec![1.0_f32; 8]));
    let call = rt.submit(pictures(&x, &mut y)).exec([8]);
    refused(call, &["`x`", "an image", "native node"]);
    let call = rt.submit(samples(1, &mut y)).exec([8]);
    refused(call, &["`how`", "a sampler", "native node"]);
    // The runtime goes on.
    let x: Buffer<f16> = vec![f16::ONE; 8].into();
    rt.submit(halves(&x, &mut y)).exec([8]).unwrap();
    assert_eq!(y.to_vec().unwrap(), [2.0; 8]);
}

#[flash::kernel]
fn conjugated(x: &[Complex<f32>], #[out] y: &mut [Complex<f32>]) {
    let i = global_id(0);
    let z = x[i];
    y[i] = Complex32 { re: z.re, im: -z.im };
}

#[flash::kernel]
fn moved(x: &[f16], #[out] y: &mut [f16]) {
    let i = global_id(0);
    y[i] = x[x.len() - 1 - i];
}

#[flash::kernel]
fn added(x: &[f16], #[out] y: &mut [f16]) {
    let i = global_id(0);
    y[i] = x[i] + x[i];
}

#[test]
fn a_body_moves_them_and_reads_their_parts() {
    for rt in ["ALL_CPU", "SIM"].map(|key| Runtime::open(key).unwrap()).into_iter().chain(opencl())
    {
        let numbers: Vec<Complex<f32>> = (0..50).map(|k| Complex::new(k as f32, 0.5)).collect();
        let (x, mut y) = (Buffer::from(numbers.clone()), Buffer::zeros(50));
        rt.submit(conjugated(&x, &mut y)).exec([50]).unwrap();
        assert_eq!(y.to_vec().unwrap(), numbers.iter().map(Complex::conj).collect::<Vec<_>>());
        let mut halves: Vec<f16> = (0..50).map(|k| f16::from_f32(k as f32)).collect();
        let (x, mut y) = (Buffer::from(halves.clone()), Buffer::zeros(50));
        rt.submit(moved(&x, &mut y)).exec([50]).unwrap();
        halves.reverse();
        assert_eq!(y.to_vec().unwrap(), halves);
    }
}

/// The operators of numbers of 16 bits are code of the processor; elsewhere the reason names the line.
#[test]
fn a_body_that_computes_with_them_is_one_of_the_processor() {
    let (x, mut y) = (Buffer::from(vec![f16::ONE; 8]), Buffer::zeros(8));
    let cpu = Runtime::open("ALL_CPU").unwrap();
    cpu.submit(added(&x, &mut y)).exec([8]).unwrap();
    assert_eq!(y.to_vec().unwrap(), [f16::from_f32(2.0); 8]);
    let Some(rt) = opencl() else { return };
    let said = rt.submit(added(&x, &mut y)).exec([8]).unwrap_err().to_string();
    assert!(said.contains("`+` of `f16`; write what it computes with the fields"), "{said}");
}
