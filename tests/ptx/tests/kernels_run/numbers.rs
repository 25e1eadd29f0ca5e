//! Arithmetic: what is rounded once has the host's bits, what is approximate is near.

use half::{bf16, f16};

use crate::support::{Device, Params, drawn};
use flash_test_ptx::Launch;

/// Runs a kernel of two arrays on 64 pairs, each of which has `per` results.
fn run<T: crate::support::Bytes + Default>(
    module: &str,
    entry: &str,
    (x, y): (&[T], &[T]),
    per: usize,
) -> Vec<T> {
    let device = Device::new(module);
    let out = device.put(&vec![T::default(); x.len() * per]);
    let params = Params::new().add(device.put(x)).add(device.put(y)).add(out).0;
    let block = [x.len() as u32, 1, 1];
    device.run(entry, &Launch { block, params: &params, ..Launch::default() });
    device.get(out, x.len() * per)
}

fn singles() -> (Vec<f32>, Vec<f32>) {
    let mut next = drawn(21);
    let mut draw = |scale: f32| (next() % 20_000) as f32 / scale;
    let x: Vec<f32> = (0..64).map(|_| draw(70.0) + 0.01).collect();
    let y = (0..64).map(|i| if i % 7 == 0 { 0.5 } else { draw(9_000.0) - 1.0 }).collect();
    (x, y)
}

#[test]
pub(crate) fn singles_are_rounded_once() {
    let (x, y) = singles();
    let found = run("float32", "exact", (&x, &y), 24);
    for ((&a, &b), found) in x.iter().zip(&y).zip(found.chunks(24)) {
        let int = a.to_bits() as i32;
        let towards_zero = (f64::from(int).abs() as f32).min({
            let near = int as f32;
            if f64::from(near) > f64::from(int) { near.next_down() } else { near }
        });
        let sum = a + b;
        let below =
            if f64::from(sum) > f64::from(a) + f64::from(b) { sum.next_down() } else { sum };
        let expected = [
            a + b,
            a / b,
            a.sqrt(),
            a.floor(),
            a.ceil(),
            a.trunc(),
            a.round_ties_even(),
            a.round(),
            a.min(b),
            a.max(b),
            a.abs(),
            a.copysign(b),
            1.0 / a,
            a.mul_add(b, a),
            a as i32 as f32,
            a.clamp(0.0, 1.0),
            a % b,
            f32::from(a as i32 as u8),
            f32::from_bits(a.ceil() as u32),
            a as i64 as f32,
            if a < b { a } else { b },
            (f64::from(a) * f64::from(b)) as f32,
            towards_zero,
            below,
        ];
        assert_eq!(found, expected, "{a} {b}");
    }
}

#[test]
pub(crate) fn functions_of_singles_are_near() {
    let (x, y) = singles();
    let found = run("float32", "near", (&x, &y), 14);
    for ((&a, &b), found) in x.iter().zip(&y).zip(found.chunks(14)) {
        let (a, b) = (f64::from(a), f64::from(b));
        let erf = found[11];
        let expected = [
            1.0 / a.sqrt(),
            a.exp(),
            a.ln(),
            a.tanh(),
            a.exp2(),
            a.log2(),
            a.cbrt(),
            a.hypot(b),
            b.exp(),
            b.sin(),
            a.atan2(b),
            f64::from(erf),
            b.sin(),
            a.powf(b),
        ];
        for (number, (&found, expected)) in found.iter().zip(expected).enumerate() {
            let expected_single = expected as f32;
            if expected_single.is_infinite() {
                assert_eq!(found, expected_single, "{number} of {a} {b}");
                continue;
            }
            // Two units in the last place and a little where the approximate functions are.
            let allowed = expected.abs().max(1e-3) * 1e-6;
            let off = (f64::from(found) - expected).abs();
            assert!(off <= allowed, "{number} of {a} {b}: {found}, not {expected}");
        }
        assert!((-1.0..=1.0).contains(&erf) && erf.signum() == b.signum() as f32);
    }
}

#[test]
pub(crate) fn doubles_are_rounded_once_and_functions_near() {
    let (x, y) = singles();
    let x: Vec<f64> = x.iter().map(|&x| f64::from(x) / 3.0).collect();
    let y: Vec<f64> = y.iter().map(|&y| f64::from(y) / 7.0).collect();
    let found = run("float64", "doubles", (&x, &y), 16);
    for ((&a, &b), found) in x.iter().zip(&y).zip(found.chunks(16)) {
        let exact = [
            a + b,
            a / b,
            a.sqrt(),
            a.mul_add(b, a),
            a.floor(),
            a.round_ties_even(),
            a.min(b),
            a.max(b),
            a as i64 as f64,
            f64::from(a as f32),
            f64::from(a as u32),
        ];
        assert_eq!(found[..11], exact, "{a} {b}");
        let near = [b.exp(), a.ln(), a.cbrt(), 1.0 / a.sqrt()];
        for (&found, expected) in found[11..15].iter().zip(near) {
            assert!(
                (found - expected).abs() <= expected.abs().max(1e-9) * 1e-15,
                "{a} {b}: {found} {expected}"
            );
        }
        let sum = a + b;
        assert!(found[15] == sum || found[15] == sum.next_down() || found[15] == sum.next_up());
        assert!(found[15].abs() <= sum.abs());
    }
}

#[test]
pub(crate) fn integers_of_all_widths() {
    let mut next = drawn(31);
    let mut values: Vec<i64> = (0..32).map(|_| next() as i64).collect();
    values[..6].copy_from_slice(&[0, 1, -1, i64::MIN, i64::MAX, 0x1_0000_0000]);
    let mut others: Vec<i64> = values.iter().rev().map(|v| v ^ 0x55).collect();
    others[0] = 3;
    let found = run("integers", "ints", (&values, &others), 32);
    for ((&a, &b), found) in values.iter().zip(&others).zip(found.chunks(32)) {
        let (c, d, e, f) = (a as i32, b as i32, a as u32, b as u32);
        let wide = |x: i64, y: i64| i128::from(x) * i128::from(y);
        let bytes = |x: u32, y: u32, select: u32| {
            let all = u64::from(x) | u64::from(y) << 32;
            (0..4).fold(0_u32, |word, at| {
                let byte = all >> (8 * (select >> (4 * at) & 7)) & 0xff;
                word | (byte as u32) << (8 * at)
            })
        };
        let both = u64::from(e) | u64::from(f) << 32;
        let dot: i32 =
            (0..4).map(|i| (c >> (8 * i)) as i8 as i32 * (d >> (8 * i)) as i8 as i32).sum();
        let vadd = (0..4).fold(0_u32, |word, i| {
            word | u32::from(((e >> (8 * i)) as u8).wrapping_add((f >> (8 * i)) as u8)) << (8 * i)
        });
        let third = (0..32).filter(|&bit| e >> bit & 1 == 1).nth(2).map_or(u32::MAX, |bit| bit);
        let shift = (b & 63) as u32;
        let expected: [i64; 32] = [
            a.wrapping_mul(b),
            if b == 0 { 0 } else { a.wrapping_div(b) },
            if b == 0 { 0 } else { a.wrapping_rem(b) },
            (wide(a, b) >> 64) as i64,
            ((u128::from(a as u64) * u128::from(b as u64)) >> 64) as i64,
            i64::from(c) * i64::from(d),
            (i64::from(c) * i64::from(d)) >> 32,
            e.checked_div(f).unwrap_or(0).into(),
            e.checked_rem(f).unwrap_or(0).into(),
            a >> shift,
            (a as u64 >> shift) as i64,
            a << shift,
            a.count_ones().into(),
            a.leading_zeros().into(),
            e.reverse_bits().into(),
            a.reverse_bits(),
            bytes(e, f, 0x7215).into(),
            ((both << (d & 31)) >> 32) as u32 as i64,
            (both >> f.min(32)) as u32 as i64,
            if c == 0 { 0 } else { i64::from(c.trailing_zeros()) + 1 },
            c.abs_diff(d).wrapping_add(e).into(),
            a.min(b),
            e.max(f).into(),
            c.wrapping_abs().into(),
            i64::from((a as i16 as i32).wrapping_mul(b as i16 as i32)),
            (a as i8).into(),
            i64::from(a as u8) + i64::from(b as u16),
            dot.wrapping_add(c).into(),
            vadd.into(),
            e.abs_diff(f).wrapping_add(3).into(),
            third.into(),
            (i64::from(c) + i64::from(d) + 1) >> 1,
        ];
        for (number, (found, expected)) in found.iter().zip(expected).enumerate() {
            assert_eq!(*found, expected, "{number} of {a:#x} and {b:#x}");
        }
    }
}

#[test]
pub(crate) fn atomic_operations_meet() {
    let device = Device::new("integers");
    let i = device.put(&[100, 100, 100, 100, -7, 0, 0_i32]);
    let u = device.put(&[u32::MAX, 0, 0, 3, 3]);
    let l = device.put(&[5_u64, 5, 0]);
    let (f, d, old) = (device.put(&[1.0_f32]), device.put(&[1.0_f64]), device.put(&[0_i32; 64]));
    let params = Params::new().add(i).add(u).add(l).add(f).add(d).add(old).0;
    device.run("atomics", &Launch { block: [64, 1, 1], params: &params, ..Launch::default() });
    let ints = device.get::<i32>(i, 7);
    assert_eq!(ints[..4], [100 + 2016, 100 - 2016, -5, 100]);
    assert_eq!(ints[5..], [64, 128]);
    let words = device.get::<u32>(u, 5);
    assert_eq!(words[..3], [0, u32::MAX, (0..64).fold(0, |x, t| x ^ t)]);
    let inc = (0..64).fold(3, |v, _| if v >= 10 { 0 } else { v + 1 });
    let dec = (0..64).fold(3, |v, _| if v == 0 || v > 10 { 10 } else { v - 1 });
    assert_eq!(words[3..], [inc, dec]);
    assert_eq!(device.get::<f32>(f, 1), [33.0]);
    assert_eq!(device.get::<f64>(d, 1), [17.0]);
    let longs = device.get::<u64>(l, 3);
    assert_eq!(longs[..2], [5 + 2016, 63]);
    // Each of the exchanged values is found once, the last one stays.
    let mut found = device.get::<i32>(old, 64);
    found.push(ints[4]);
    found.sort_unstable();
    let expected: Vec<i32> = std::iter::once(-7).chain(0..64).collect();
    assert_eq!(found, expected);
}

#[test]
pub(crate) fn halves_are_rounded_once() {
    let device = Device::new("half");
    let x: Vec<f32> = (0..32).map(|i| i as f32 * 0.3 + 0.1).collect();
    let y: Vec<f32> = (0..32).map(|i| 5.0 - i as f32 * 0.21).collect();
    let (o, q, r) =
        (device.put(&[0_u16; 16 * 32]), device.put(&[0_u16; 4 * 32]), device.put(&[0.0_f32; 32]));
    let params = Params::new().add(device.put(&x)).add(device.put(&y)).add(o).add(q).add(r).0;
    device.run("halves", &Launch { block: [32, 1, 1], params: &params, ..Launch::default() });
    let (o, q) = (device.get::<u16>(o, 16 * 32), device.get::<u16>(q, 4 * 32));
    let r = device.get::<f32>(r, 32);
    for i in 0..32 {
        let (a, b) = (f16::from_f32(x[i]).to_f64(), f16::from_f32(y[i]).to_f64());
        let half = |v: f64| f16::from_f64(v).to_bits();
        let found = &o[16 * i..16 * i + 16];
        let double = f16::from_f64(a + a).to_f64();
        let expected = [
            (0, a + b),
            (1, a * b),
            (3, a * b + a),
            (6, a.min(b)),
            (7, a.max(b)),
            (8, -a),
            (9, a.abs()),
            (10, f64::from(x[i] as i32)),
            (11, a.floor()),
            (12, a.min(b)),
            (13, a - b),
            (14, double),
        ];
        for (number, value) in expected {
            assert_eq!(found[number], half(value), "{number} of {a} {b}");
        }
        for (number, value) in [(2, a / b), (4, a.sqrt()), (5, a.exp())] {
            let off = f16::from_bits(found[number]).to_f64() - value;
            assert!(off.abs() <= value.abs() * 2e-3, "{number} of {a} {b}");
        }
        let (c, d) = (bf16::from_f32(x[i]).to_f64(), bf16::from_f32(y[i]).to_f64());
        let expected = [c + d, c * d, c * d + c, c.max(d)].map(|v| bf16::from_f64(v).to_bits());
        assert_eq!(q[4 * i..4 * i + 4], expected, "{c} {d}");
        assert_eq!(r[i], a as f32 + d as f32 + a.trunc() as f32);
    }
}
