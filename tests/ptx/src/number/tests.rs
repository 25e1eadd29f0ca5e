//! Arithmetic on bits against that of the host, and of `half`.

use half::{bf16, f16};
use proptest::prelude::*;

use super::*;

const NEAREST: Rounding = Rounding::Nearest;

/// Bits of any class, the special ones often.
fn bits32() -> impl Strategy<Value = u32> {
    prop_oneof![
        any::<u32>(),
        any::<f32>().prop_map(f32::to_bits),
        (0_u32..16).prop_map(|i| i << 28 | i),
        prop::sample::select(vec![0, 1 << 31, 0x7f80_0000, 0xff80_0000, 0x7fc0_0000, 1, 0x7f_ffff]),
    ]
}

fn bits64() -> impl Strategy<Value = u64> {
    prop_oneof![
        any::<u64>(),
        any::<f64>().prop_map(f64::to_bits),
        bits32().prop_map(|bits| f64::from(f32::from_bits(bits)).to_bits()),
        prop::sample::select(vec![0, 1 << 63, 0x7ff0_0000_0000_0000, 1, 0xf_ffff_ffff_ffff]),
    ]
}

fn same32(found: u64, expected: f32) -> bool {
    found == u64::from(from_f32(expected))
}

fn same64(found: u64, expected: f64) -> bool {
    found == expected.to_bits() || expected.is_nan() && is_nan(found, F64)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4000))]

    #[test]
    fn singles_are_the_hosts(a in bits32(), b in bits32(), c in bits32()) {
        let (x, y, z) = (f32::from_bits(a), f32::from_bits(b), f32::from_bits(c));
        let [a, b, c] = [a, b, c].map(u64::from);
        prop_assert!(same32(add(a, b, F32, NEAREST), x + y));
        prop_assert!(same32(mul(a, b, F32, NEAREST), x * y));
        prop_assert!(same32(div(a, b, F32, NEAREST), x / y));
        prop_assert!(same32(fma(a, b, c, F32, NEAREST), x.mul_add(y, z)));
        prop_assert!(same32(sqrt(a, F32, NEAREST), x.sqrt()));
    }

    #[test]
    fn doubles_are_the_hosts(a in bits64(), b in bits64(), c in bits64()) {
        let (x, y, z) = (f64::from_bits(a), f64::from_bits(b), f64::from_bits(c));
        prop_assert!(same64(add(a, b, F64, NEAREST), x + y));
        prop_assert!(same64(mul(a, b, F64, NEAREST), x * y));
        prop_assert!(same64(div(a, b, F64, NEAREST), x / y));
        prop_assert!(same64(fma(a, b, c, F64, NEAREST), x.mul_add(y, z)));
        prop_assert!(same64(sqrt(a, F64, NEAREST), x.sqrt()));
    }

    /// Down is at most and up at least what the exact sum is, and they are neighbours or equal.
    #[test]
    fn directions_enclose_the_exact_value(a in bits32(), b in bits32()) {
        let (x, y) = (f32::from_bits(a), f32::from_bits(b));
        if !x.is_finite() || !y.is_finite() {
            return Ok(());
        }
        let [a, b] = [a, b].map(u64::from);
        // Products of singles are exact in doubles.
        let exact = f64::from(x) * f64::from(y);
        let down = f32::from_bits(mul(a, b, F32, Rounding::Down) as u32);
        let up = f32::from_bits(mul(a, b, F32, Rounding::Up) as u32);
        let zero = f32::from_bits(mul(a, b, F32, Rounding::Zero) as u32);
        prop_assert!(f64::from(down) <= exact && exact <= f64::from(up), "{down} {exact} {up}");
        prop_assert!(down == up || down.next_up() == up);
        prop_assert_eq!(zero.abs(), if exact < 0.0 { up.abs() } else { down.abs() });
    }

    #[test]
    fn conversions_are_rusts(a in bits32(), b in bits64(), i in any::<i64>()) {
        let (x, y) = (f32::from_bits(a), f64::from_bits(b));
        prop_assert!(same32(float_to_float(b, F64, F32, NEAREST), y as f32));
        prop_assert!(same64(float_to_float(a.into(), F32, F64, NEAREST), x.into()));
        prop_assert!(same32(int_to_float(i.into(), F32, NEAREST), i as f32));
        prop_assert!(same64(int_to_float((i as u64).into(), F64, NEAREST), i as u64 as f64));
        let ends = (i64::MIN.into(), i64::MAX.into());
        prop_assert_eq!(float_to_int(b, F64, Rounding::Zero, ends, 0), i128::from(y as i64));
        prop_assert_eq!(
            float_to_int(a.into(), F32, NEAREST, (i32::MIN.into(), i32::MAX.into()), 0),
            i128::from(x.round_ties_even() as i32)
        );
        let rounded = [
            (NEAREST, x.round_ties_even()),
            (Rounding::Zero, x.trunc()),
            (Rounding::Down, x.floor()),
            (Rounding::Up, x.ceil()),
        ];
        for (rounding, expected) in rounded {
            prop_assert!(same32(round_to_integral(a.into(), F32, rounding), expected));
        }
    }

    #[test]
    fn halves_are_those_of_half(a in any::<u16>(), b in bits32()) {
        let x = f32::from_bits(b);
        if x.is_nan() || f16::from_bits(a).is_nan() || bf16::from_bits(a).is_nan() {
            return Ok(());
        }
        let to = |format| float_to_float(b.into(), F32, format, NEAREST) as u16;
        prop_assert_eq!(to(F16), f16::from_f32(x).to_bits());
        prop_assert_eq!(to(BF16), bf16::from_f32(x).to_bits());
        prop_assert_eq!(to_f64(a.into(), F16), f16::from_bits(a).to_f64());
        prop_assert_eq!(to_f64(a.into(), BF16), bf16::from_bits(a).to_f64());
    }

    #[test]
    fn the_lesser_is_no_greater(a in bits32(), b in bits32()) {
        let (least, most) = (min(a.into(), b.into(), F32, false), max(a.into(), b.into(), F32, false));
        let (x, y) = (f32::from_bits(a), f32::from_bits(b));
        prop_assert!(same32(least, f32::from_bits(least as u32)));
        prop_assert_eq!(f32::from_bits(least as u32).is_nan(), x.is_nan() && y.is_nan());
        prop_assert!(x.is_nan() || y.is_nan() || f32::from_bits(least as u32) <= f32::from_bits(most as u32));
        prop_assert_eq!(is_nan(min(a.into(), b.into(), F32, true), F32), x.is_nan() || y.is_nan());
    }
}

#[test]
fn formats_of_eight_bits_stay_finite() {
    let to = |x: f32, format| float_to_float(x.to_bits().into(), F32, format, NEAREST);
    assert_eq!(to_f64(to(1000.0, E4M3), E4M3), 448.0);
    assert_eq!(to_f64(to(-0.4, E4M3), E4M3), -0.40625);
    assert_eq!(to_f64(to(3.3, E5M2), E5M2), 3.5);
    assert_eq!(to(f32::INFINITY, E5M2), E5M2.infinity());
}

#[test]
fn subnormal_numbers_are_flushed_with_their_sign() {
    assert_eq!(flush(0x8000_0001, F32), 0x8000_0000);
    assert_eq!(flush(0x0080_0000, F32), 0x0080_0000);
}
