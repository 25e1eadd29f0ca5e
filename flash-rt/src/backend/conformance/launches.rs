//! Launches through pipelines: sizes, strides, order, failures. Every result is compared with plain
//! Rust.

use super::Kernels;
use crate::arg::Arg;
use crate::buffer::Buffer;
use crate::call::Call;
use crate::error::Error;
use crate::runtime::Runtime;
use crate::var::Var;
use crate::view::{View, ViewMut};

fn affine<'a>(k: &Kernels, a: u32, b: u32, x: impl Arg<'a, &'a mut [u32]>) -> Call<'a, 1> {
    Call::new(k.affine, [Arg::<u32>::bind(a), Arg::<u32>::bind(b), x.bind()])
}

fn divide<'a>(k: &Kernels, x: &Buffer<u32>, y: &mut Buffer<u32>) -> Call<'a, 1> {
    Call::new(k.divide, [Arg::<&'a [u32]>::bind(x), Arg::<&'a mut [u32]>::bind(y)])
}

fn transpose<'a>(
    k: &Kernels,
    x: impl Arg<'a, View<'a, u32, 2>>,
    out: impl Arg<'a, ViewMut<'a, u32, 2>>,
) -> Call<'a, 2> {
    Call::new(k.transpose, [x.bind(), out.bind()])
}

fn numbers(n: usize) -> Vec<u32> {
    (0..n as u32).map(|i| i.wrapping_mul(2_654_435_761) ^ 0x5bd1).collect()
}

/// Every item runs exactly once, for sizes around every block a device may use.
pub fn sizes<B>(rt: &Runtime<B>, k: &Kernels) {
    let mut sizes = vec![1, 2, 3, 100, 1000, 4095, 4096, 4097, 20_011];
    sizes.extend((3..11).flat_map(|p| [(1 << p) - 1, 1 << p, (1 << p) + 1]));
    for n in sizes {
        let before = numbers(n);
        let mut x = Buffer::from(before.clone());
        rt.submit(affine(k, 3, 1, &mut x)).exec([n]).unwrap();
        let expected: Vec<u32> = before.iter().map(|v| v.wrapping_mul(3).wrapping_add(1)).collect();
        assert_eq!(x.to_vec().unwrap(), expected, "{n} items");
        let floats: Vec<f32> = (0..n).map(|i| i as f32 * 0.37 - 5.0).collect();
        let x = Buffer::from(floats.clone());
        let mut y = Buffer::from(vec![1.5_f32; n]);
        let y_arg = Arg::<&mut [f32]>::bind(&mut y);
        let args = [Arg::<f32>::bind(0.3), Arg::<&[f32]>::bind(&x), y_arg];
        rt.submit(Call::<1>::new(k.saxpy, args)).exec([n]).unwrap();
        let expected: Vec<f32> = floats.iter().map(|x| 0.3 * x + 1.5).collect();
        assert_eq!(y.to_vec().unwrap(), expected, "{n} items; one rounding an operation");
    }
}

/// Boxes of larger arrays, far apart: only what is in them changes.
pub fn strides<B>(rt: &Runtime<B>, k: &Kernels) {
    for (h, w, j0, i0, height, width) in [
        (7, 9, 0, 0, 7, 9),
        (50, 70, 3, 11, 20, 31),
        (3, 5000, 1, 4000, 2, 900),
        (400, 3, 17, 2, 300, 1),
    ] {
        let before = numbers(h * w);
        let x = Buffer::from_shape([h, w], before.clone()).unwrap();
        let mut out = Buffer::from_shape([w, h], vec![77_u32; w * h]).unwrap();
        let from = x.view((j0..j0 + height, i0..i0 + width));
        let mut to = out.view_mut((i0..i0 + width, j0..j0 + height));
        rt.submit(transpose(k, &from, &mut to)).exec([height, width]).unwrap();
        let mut expected = vec![77; w * h];
        for j in j0..j0 + height {
            for i in i0..i0 + width {
                expected[i * h + j] = before[j * w + i];
            }
        }
        assert_eq!(out.to_vec().unwrap(), expected, "{height} x {width} of {h} x {w}");
        // A column in place: one element a row.
        let mut column = x.view((0..h, i0..i0 + 1));
        rt.submit(transpose(k, out.view((i0..i0 + 1, 0..h)), &mut column)).exec([1, h]).unwrap();
        let mut expected_x = before;
        for j in 0..h {
            expected_x[j * w + i0] = expected[i0 * h + j];
        }
        assert_eq!(x.to_vec().unwrap(), expected_x);
    }
}

/// No items: nothing is read, nothing is written, and nothing is wrong.
pub fn empty_launches<B>(rt: &Runtime<B>, k: &Kernels) {
    let mut x = Buffer::from(numbers(10));
    rt.submit(affine(k, 3, 1, &mut x)).exec([0]).unwrap();
    assert_eq!(x.to_vec().unwrap(), numbers(10));
    let mut nothing = Buffer::<u32>::zeros(0);
    rt.submit(affine(k, 3, 1, &mut nothing)).exec([0]).unwrap();
    let y = Buffer::from_shape([2, 3], numbers(6)).unwrap();
    let mut out = Buffer::from_shape([3, 2], vec![5_u32; 6]).unwrap();
    rt.submit(transpose(k, &y, &mut out)).exec([2, 0]).unwrap();
    assert_eq!(out.to_vec().unwrap(), [5; 6]);
}

/// Kernels that do not commute run in the order of their submission.
pub fn order_of_submissions<B>(rt: &Runtime<B>, k: &Kernels) {
    let n = 5000;
    let mut x = Buffer::from(numbers(n));
    let mut p = rt.pipeline();
    let mut expected = numbers(n);
    for step in 0..50_u32 {
        let (a, b) = (2 * step + 3, step);
        let half = if step % 3 == 0 { 0..n / 2 } else { n / 4..n };
        for value in &mut expected[half.clone()] {
            *value = value.wrapping_mul(a).wrapping_add(b);
        }
        let len = half.len();
        p.push(affine(k, a, b, x.view_mut(half)).over([len]));
    }
    p.exec().unwrap();
    assert_eq!(x.to_vec().unwrap(), expected);
}

/// An output that is covered is right whatever was there; one that is not keeps the rest.
pub fn full_outputs<B>(rt: &Runtime<B>, k: &Kernels) {
    let x = Buffer::from_shape([30, 20], numbers(600)).unwrap();
    let mut out = Buffer::zeros([20, 30]);
    let expected: Vec<u32> = (0..600).map(|at| numbers(600)[at % 30 * 20 + at / 30]).collect();
    for _ in 0..2 {
        rt.submit(transpose(k, &x, &mut out)).exec([30, 20]).unwrap();
        assert_eq!(out.to_vec().unwrap(), expected);
    }
    let mut partial = Buffer::from_shape([20, 30], vec![9_u32; 600]).unwrap();
    rt.submit(transpose(k, &x, &mut partial)).exec([30, 7]).unwrap();
    let partial = partial.to_vec().unwrap();
    assert_eq!(partial[..7 * 30], expected[..7 * 30]);
    assert_eq!(partial[7 * 30..], [9; 13 * 30]);
}

/// Temporaries are zero at the start of every launch.
pub fn scratch_starts_from_zero<B>(rt: &Runtime<B>, k: &Kernels) {
    for n in [1, 100, 10_000, 50] {
        let mut out = Buffer::from(vec![7_u32; n]);
        let args = [Arg::<&mut [u32]>::bind(&mut out)];
        rt.submit(Call::<1>::new(k.scratch, args)).exec([n]).unwrap();
        assert_eq!(out.to_vec().unwrap(), vec![1; n]);
    }
}

/// Reductions give the bits of the documented tree: lanes of blocks of 4,096, then neighbours.
pub fn reductions_in_the_fixed_tree<B>(rt: &Runtime<B>, k: &Kernels) {
    for n in [1, 31, 32, 33, 4096, 4097, 100_000] {
        let values: Vec<f64> = (0..n).map(|i| (f64::from(i) * 0.7).sin() * 1e3).collect();
        let x = Buffer::from(values.clone());
        let mut s = Var::new(123.0);
        let args = [Arg::<&[f64]>::bind(&x), Arg::<&mut f64>::bind(&mut s)];
        let report = rt.submit(Call::<1>::new(k.sum, args)).exec([n as usize]).unwrap();
        assert_eq!(report.value(&s).unwrap().to_bits(), tree(&values).to_bits(), "{n} items");
        let args = [Arg::<&[f64]>::bind(&x), Arg::<&mut f64>::bind(&mut s)];
        rt.submit(Call::<1>::new(k.sum_into, args)).exec([n as usize]).unwrap();
        let twice = tree(&values) + tree(&values);
        assert_eq!(s.get().unwrap().to_bits(), twice.to_bits(), "into, {n} items");
    }
}

/// The tree by its definition.
fn tree(values: &[f64]) -> f64 {
    let mut blocks: Vec<f64> = values
        .chunks(4096)
        .map(|block| {
            let mut lanes = [0.0; 32];
            for (p, value) in block.iter().enumerate() {
                lanes[p % 32] += value;
            }
            for half in [16, 8, 4, 2, 1] {
                for lane in 0..half {
                    lanes[lane] += lanes[lane + half];
                }
            }
            lanes[0]
        })
        .collect();
    while blocks.len() > 1 {
        blocks = blocks
            .chunks(2)
            .map(|pair| pair.iter().copied().reduce(|a, b| a + b).unwrap())
            .collect();
    }
    blocks.first().copied().unwrap_or(0.0)
}

/// Of many accesses outside an array the one of the lowest item is reported, and the others write
/// nothing.
pub fn failures_name_the_lowest_item<B>(rt: &Runtime<B>, k: &Kernels) {
    for (len, n) in [(10, 11), (1000, 50_000), (0, 3)] {
        let mut x = Buffer::from(numbers(len));
        let error = rt.submit(affine(k, 3, 1, &mut x)).exec([n]).unwrap_err();
        match &error {
            Error::OutOfBounds { kernel, item, param, index, shape, .. } => {
                assert_eq!((*kernel, *param), (k.affine.name, "x"));
                assert_eq!(
                    (&item[..], &index[..], &shape[..]),
                    (&[len][..], &[len][..], &[len][..])
                );
            }
            other => panic!("{other}"),
        }
        let expected: Vec<u32> =
            numbers(len).iter().map(|v| v.wrapping_mul(3).wrapping_add(1)).collect();
        assert_eq!(x.to_vec().unwrap(), expected, "the items inside have run");
    }
}

/// A body that fails is an error with its kernel, and the device goes on.
pub fn panics<B>(rt: &Runtime<B>, k: &Kernels) {
    for at in [0, 7, 29_999] {
        let mut values = vec![5_u32; 30_000];
        values[at] = 0;
        let x = Buffer::from(values);
        let mut y = Buffer::zeros(30_000);
        let error = rt.submit(divide(k, &x, &mut y)).exec([30_000]).unwrap_err();
        match &error {
            Error::KernelPanic { kernel, item, message, .. } => {
                assert_eq!(*kernel, k.divide.name);
                assert!(item.len() == 1 && item[0] <= at, "{item:?} for {at}");
                assert!(message.contains("divide by zero"), "{message}");
            }
            other => panic!("{other}"),
        }
        let good = Buffer::from(vec![4_u32; 30_000]);
        rt.submit(divide(k, &good, &mut y)).exec([30_000]).unwrap();
        assert_eq!(y.to_vec().unwrap(), vec![25; 30_000]);
    }
}

/// What may not reach a backend does not, and changes nothing.
pub fn refusals<B>(rt: &Runtime<B>, k: &Kernels) {
    let x = Buffer::from(numbers(10));
    let mut same = x.clone();
    let error = rt.submit(divide(k, &x, &mut same)).exec([10]).unwrap_err();
    assert!(matches!(error, Error::Aliased { .. }), "{error}");
    let error = rt.submit(affine(k, 1, 1, &mut same)).exec([usize::MAX]).unwrap_err();
    assert!(matches!(error, Error::TooLarge { .. }), "{error}");
    let error = Call::<2>::new(k.affine, Vec::new());
    let error = rt.submit(error).exec([1, 1]).unwrap_err();
    assert!(matches!(error, Error::Shape { .. }), "{error}");
    let error = rt.submit(Call::<1>::new(k.affine, Vec::new())).exec([1]).unwrap_err();
    assert!(matches!(error, Error::Shape { .. }), "{error}");
    let kinds = [Arg::<u32>::bind(1), Arg::<f32>::bind(1.0), Arg::<&mut [u32]>::bind(&mut same)];
    let error = rt.submit(Call::<1>::new(k.affine, kinds)).exec([1]).unwrap_err();
    assert!(matches!(error, Error::NoImplementation { .. }), "{error}");
    assert_eq!(x.to_vec().unwrap(), numbers(10));
}
