//! Reductions: fixed trees, every operation.

use flash::__private::rt::Space;
use flash::__private::rt::entry::reduction;
use flash::View;

use crate::harness::{array, cell, reduced, run, value, vector};

#[flash::kernel]
fn dot(x: &[f64], y: &[f64], #[reduce(+)] s: &mut f64) {
    let i = global_id(0);
    *s += x[i] * y[i];
}

/// The documented tree, written out once more.
pub(crate) fn tree(items: &[f64], extent0: usize) -> f64 {
    let size = if extent0 >= 4096 { 4096 } else { 4096 / extent0 * extent0 };
    let block = |items: &[f64]| {
        let mut lanes = [0.0; 32];
        for (k, item) in items.iter().enumerate() {
            lanes[k % 32] += item;
        }
        for half in [16, 8, 4, 2, 1] {
            for l in 0..half {
                lanes[l] += lanes[l + half];
            }
        }
        lanes[0]
    };
    let mut partials: Vec<f64> = if extent0 >= 4096 {
        items.chunks(extent0).flat_map(|line| line.chunks(size).map(block)).collect()
    } else {
        items.chunks(size).map(block).collect()
    };
    while partials.len() > 1 {
        partials = partials
            .chunks(2)
            .map(|pair| pair.iter().copied().reduce(|a, b| a + b).unwrap_or(0.0))
            .collect();
    }
    partials[0]
}

#[test]
fn sums_have_the_documented_bits() {
    for n in [1, 31, 33, 4096, 4097, 20_000] {
        let x: Vec<f64> = (0..n).map(|k| 1.0 / (k as f64 + 1.5)).collect();
        let y: Vec<f64> = (0..n).map(|k| (k as f64 * 0.7) - 3.0).collect();
        let done = run(dot::DESCRIPTOR, &[vector(&x), vector(&y), cell::<f64>()], &[n]);
        let products: Vec<f64> = x.iter().zip(&y).map(|(x, y)| x * y).collect();
        let blocks = reduction::n_blocks(&Space::new(&[n]).expect("small"));
        let sum = reduced(&done, 2, |a: f64, b| a + b, blocks);
        assert_eq!(sum.to_bits(), tree(&products, n).to_bits(), "{n} items");
        assert_eq!(done.violation, None);
    }
}

#[flash::kernel]
fn inner(x: View<'_, f64, 2>, #[reduce(+)] s: &mut f64, #[reduce(max)] m: &mut f64) {
    let (j, i) = (global_id(1), global_id(0));
    if i > 0 && j > 0 {
        let d = x[[j, i]] - x[[j - 1, i - 1]];
        *s += d;
        *m = m.max(d);
    }
}

#[test]
fn sums_over_lines_have_the_documented_bits() {
    for (h, w) in [(3, 5), (50, 100), (2, 5000), (300, 33), (1, 1)] {
        let x: Vec<f64> = (0..h * w).map(|k| ((k * 37) % 101) as f64 / 7.0).collect();
        let args = [array(&x, &[h, w]), cell::<f64>(), cell::<f64>()];
        let done = run(inner::DESCRIPTOR, &args, &[w, h]);
        let item = |k: usize| {
            let (j, i) = (k / w, k % w);
            if i > 0 && j > 0 { x[k] - x[k - w - 1] } else { 0.0 }
        };
        let items: Vec<f64> = (0..h * w).map(item).collect();
        let blocks = reduction::n_blocks(&Space::new(&[w, h]).expect("small"));
        let sum = reduced(&done, 1, |a: f64, b| a + b, blocks);
        assert_eq!(sum.to_bits(), tree(&items, w).to_bits(), "{h} x {w}");
        let max = reduced(&done, 2, f64::max, blocks);
        let want = (0..h * w)
            .filter(|k| k / w > 0 && k % w > 0)
            .map(item)
            .fold(f64::NEG_INFINITY, f64::max);
        assert_eq!(max, want, "{h} x {w}");
    }
}

#[flash::kernel]
fn bits(
    x: &[u32],
    k: i64,
    #[reduce(*)] product: &mut u32,
    #[reduce(min)] least: &mut u32,
    #[reduce(&)] and: &mut u32,
    #[reduce(|)] or: &mut u32,
    #[reduce(^)] xor: &mut u32,
    #[reduce(+)] small: &mut i8,
    #[reduce(max)] most: &mut i64,
) {
    let v = x[global_id(0)];
    *product *= v | 1;
    *least = least.min(v);
    *and &= v;
    *or |= v >> 3;
    *xor ^= v;
    *small += 1;
    *most = most.max(v as i64 - k);
}

#[test]
fn every_operation() {
    let x: Vec<u32> = (0..9000_u32).map(|k| (k.wrapping_mul(2_654_435_761) >> 4) | 0x80).collect();
    let args = [
        vector(&x),
        value(5_i64),
        cell::<u32>(),
        cell::<u32>(),
        cell::<u32>(),
        cell::<u32>(),
        cell::<u32>(),
        cell::<i8>(),
        cell::<i64>(),
    ];
    let done = run(bits::DESCRIPTOR, &args, &[x.len()]);
    let n = 3;
    assert_eq!(
        reduced(&done, 2, u32::wrapping_mul, n),
        x.iter().fold(1_u32, |p, v| p.wrapping_mul(v | 1))
    );
    assert_eq!(Some(&reduced(&done, 3, u32::min, n)), x.iter().min());
    assert_eq!(reduced(&done, 4, |a: u32, b| a & b, n), x.iter().fold(!0, |a, b| a & b));
    assert_eq!(reduced(&done, 5, |a: u32, b| a | b, n), x.iter().fold(0, |a, b| a | b >> 3));
    assert_eq!(reduced(&done, 6, |a: u32, b| a ^ b, n), x.iter().fold(0, |a, b| a ^ b));
    assert_eq!(reduced(&done, 7, i8::wrapping_add, n), (9000_i32 % 256) as u8 as i8);
    assert_eq!(Some(reduced(&done, 8, i64::max, n)), x.iter().map(|&v| i64::from(v) - 5).max());
}
