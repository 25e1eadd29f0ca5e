//! The functions of `fast_math` kernels: fused multiply-adds, fewer special cases, and still the
//! same bits on every machine that fuses. One that does not gets the strict functions ([`Fast`]), as
//! a fused multiply-add would be a call there; they keep these bounds too. Not for arguments outside
//! the ranges stated: there the result is some number.
//!
//! | function | arguments | error |
//! |---|---|---|
//! | `exp`, `exp2` | flushes to a normal number at both ends | 2 ulp |
//! | `ln`, `log2`, `log10` | positive normal numbers | 3 ulp, absolute `2^-24` (`2^-53`) near 1 |
//! | `sin`, `cos` | up to `1e5` (`1e9` in `f64`) | absolute `2^-22` (`2^-50`) |
//! | `tanh`, `erf` | all | absolute `2^-22` (`f64`: as the strict ones) |
//! | `pow` | positive base, finite result | relative `2^-16` (`f64`: `2^-44`) |
//! | `rsqrt`, `recip` | positive normal numbers | 1.5 ulp |
//!
//! The other functions are the strict ones.

use super::MathFloat;

/// The functions that differ from the strict ones, for a body that is compiled for processors with
/// and without fused multiply-adds: without them they are the strict ones.
#[derive(Clone, Copy, Debug)]
pub struct Fast<const FUSED: bool>;

macro_rules! free {
    ($($(#[$doc:meta])* $name:ident => $method:ident ($($arg:ident),*);)*) => {
        $($(#[$doc])*
        #[inline(always)]
        pub fn $name<T: MathFloat>($($arg: T),*) -> T {
            T::$method($($arg),*)
        })*

        impl<const FUSED: bool> Fast<FUSED> {
            $($(#[$doc])*
            #[inline(always)]
            pub fn $name<T: MathFloat>($($arg: T),*) -> T {
                if FUSED { $name($($arg),*) } else { super::$name($($arg),*) }
            })*
        }
    };
}

free! {
    /// `e^x`
    exp => fast_exp(x);
    /// `2^x`
    exp2 => fast_exp2(x);
    /// `ln x`
    ln => fast_ln(x);
    /// `log2 x`
    log2 => fast_log2(x);
    /// `log10 x`
    log10 => fast_log10(x);
    /// `sin x`
    sin => fast_sin(x);
    /// `cos x`
    cos => fast_cos(x);
    /// `tan x`
    tan => fast_tan(x);
    /// `tanh x`
    tanh => fast_tanh(x);
    /// `x^y`
    pow => fast_pow(x, y);
    /// `erf x`
    erf => fast_erf(x);
}
pub use super::{
    abs, atan, atan2, ceil, clamp, copysign, floor, fract, hypot, max, min, mul_add, powi, recip,
    round, round_ties_even, rsqrt, signum, sqrt, trunc,
};

/// The `f32` bodies.
pub(super) mod single {
    use std::f32::consts::{FRAC_1_PI, LN_2, LOG2_E, LOG10_2};

    const MAGIC: f32 = 12_582_912.0;

    #[inline(always)]
    fn exp_poly(r: f32) -> f32 {
        let p = 1.398_199_95e-3_f32.mul_add(r, 8.333_452e-3);
        let p = p.mul_add(r, 4.166_579_6e-2);
        let p = p.mul_add(r, 1.666_666_55e-1);
        let p = p.mul_add(r, 5.000_000_1e-1);
        p.mul_add(r, 1.0).mul_add(r, 1.0)
    }

    #[inline(always)]
    pub(in super::super) fn exp(x: f32) -> f32 {
        let x = if x < -87.0 { -87.0 } else { x };
        let x = if x > 88.37 { 88.37 } else { x };
        let t = x.mul_add(LOG2_E, MAGIC + 127.0);
        let k = t - (MAGIC + 127.0);
        let r = k.mul_add(2.121_944_4e-4, k.mul_add(-0.693_359_375, x));
        exp_poly(r) * f32::from_bits(t.to_bits() << 23)
    }

    #[inline(always)]
    pub(in super::super) fn exp2(x: f32) -> f32 {
        let x = if x < -126.0 { -126.0 } else { x };
        let x = if x > 127.49 { 127.49 } else { x };
        let t = x + (MAGIC + 127.0);
        let r = x - (t - (MAGIC + 127.0));
        exp_poly(r * LN_2) * f32::from_bits(t.to_bits() << 23)
    }

    #[inline(always)]
    fn split(x: f32) -> (f32, f32) {
        const ROOT: u32 = 0x3f35_04f3;
        let bits = x.to_bits().wrapping_sub(ROOT) as i32;
        let m = f32::from_bits((bits as u32 & 0x7f_ffff) + ROOT);
        (m - 1.0, (bits >> 23) as f32)
    }

    /// `ln(1 + z)`
    #[inline(always)]
    fn ln_poly(z: f32) -> f32 {
        let p = 7.037_683_6e-2_f32.mul_add(z, -1.151_461e-1);
        let p = p.mul_add(z, 1.167_699_9e-1);
        let p = p.mul_add(z, -1.242_014_1e-1);
        let p = p.mul_add(z, 1.424_932_3e-1);
        let p = p.mul_add(z, -1.666_805_8e-1);
        let p = p.mul_add(z, 2.000_071_5e-1);
        let p = p.mul_add(z, -2.499_999_4e-1);
        let p = p.mul_add(z, 3.333_333_1e-1);
        let p = p.mul_add(z, -0.5);
        p.mul_add(z * z, z)
    }

    #[inline(always)]
    pub(in super::super) fn ln(x: f32) -> f32 {
        let (z, e) = split(x);
        e.mul_add(LN_2, ln_poly(z))
    }

    #[inline(always)]
    pub(in super::super) fn log2(x: f32) -> f32 {
        let (z, e) = split(x);
        ln_poly(z).mul_add(LOG2_E, e)
    }

    #[inline(always)]
    pub(in super::super) fn log10(x: f32) -> f32 {
        let (z, e) = split(x);
        ln_poly(z).mul_add(std::f32::consts::LOG10_E, e * LOG10_2)
    }

    /// `sin r` for `|r| <= pi / 2`; minimax, fitted for this file.
    #[inline(always)]
    fn sin_poly(r: f32) -> f32 {
        let z = r * r;
        let p = 2.633_573e-6_f32.mul_add(z, -1.982_237_24e-4);
        let p = p.mul_add(z, 8.333_239_4e-3);
        let p = p.mul_add(z, -1.666_666_594e-1);
        p.mul_add(z * r, r)
    }

    /// `x - k * pi` with `pi` in three parts.
    #[inline(always)]
    fn without_pi(x: f32, k: f32) -> f32 {
        let r = k.mul_add(-3.141_592_74, x);
        k.mul_add(8.742_278e-8, r)
    }

    #[inline(always)]
    pub(in super::super) fn sin(x: f32) -> f32 {
        let t = x.mul_add(FRAC_1_PI, MAGIC);
        let s = sin_poly(without_pi(x, t - MAGIC));
        f32::from_bits(s.to_bits() ^ (t.to_bits() << 31))
    }

    #[inline(always)]
    pub(in super::super) fn cos(x: f32) -> f32 {
        // cos x = sin(x + pi/2): odd multiples of pi/2 are taken away.
        let t = x.mul_add(FRAC_1_PI, -0.5) + MAGIC;
        let s = sin_poly(without_pi(x, (t - MAGIC) + 0.5));
        f32::from_bits(s.to_bits() ^ (!t.to_bits() << 31))
    }

    #[inline(always)]
    pub(in super::super) fn tan(x: f32) -> f32 {
        sin(x) / cos(x)
    }

    #[inline(always)]
    pub(in super::super) fn tanh(x: f32) -> f32 {
        let z = x * x;
        let p = (-5.704_988_7e-3_f32).mul_add(z, 2.063_908_8e-2);
        let p = p.mul_add(z, -5.373_971_6e-2);
        let p = p.mul_add(z, 1.333_144_2e-1);
        let p = p.mul_add(z, -3.333_328e-1);
        let small = p.mul_add(z * x, x);
        let a = x.abs();
        let large = (1.0 - 2.0 / (exp(2.0 * a) + 1.0)).copysign(x);
        if a < 0.625 { small } else { large }
    }

    #[inline(always)]
    pub(in super::super) fn pow(x: f32, y: f32) -> f32 {
        exp2(y * log2(x))
    }

    #[inline(always)]
    pub(in super::super) fn erf(x: f32) -> f32 {
        let a = x.abs();
        let s = x * x;
        let p = (-5.954_904e-4_f32).mul_add(s, 4.986_477_3e-3);
        let p = p.mul_add(s, -2.676_235_04e-2);
        let p = p.mul_add(s, 1.128_170_93e-1);
        let p = p.mul_add(s, -3.761_248_5e-1);
        let p = p.mul_add(s, 1.283_791_5e-1);
        let small = p.mul_add(x, x);
        let t = if a > 4.0 { 4.0 } else { a };
        let q = (-1.046_065_7e-6_f32).mul_add(t, 3.438_850_9e-5);
        let q = q.mul_add(t, -4.988_250_1e-4);
        let q = q.mul_add(t, 4.303_789_3e-3);
        let q = q.mul_add(t, -2.513_955e-2);
        let q = q.mul_add(t, 1.078_556_5e-1);
        let q = q.mul_add(t, 6.341_481_8e-1);
        let q = q.mul_add(t, 1.289_028e-1);
        let large = (1.0 - exp(-q.mul_add(t, t))).copysign(x);
        if a < 0.925 { small } else { large }
    }
}

/// The `f64` bodies.
pub(super) mod double {
    use std::f64::consts::{FRAC_1_PI, LN_2, LOG2_E};

    const MAGIC: f64 = 6_755_399_441_055_744.0;

    #[inline(always)]
    fn exp_poly(r: f64) -> f64 {
        let p = 2.510_041_108_201_490_1e-8_f64.mul_add(r, 2.762_012_171_738_193_5e-7);
        let p = p.mul_add(r, 2.755_726_840_619_079_5e-6);
        let p = p.mul_add(r, 2.480_152_122_598_643_2e-5);
        let p = p.mul_add(r, 1.984_126_986_308_825_4e-4);
        let p = p.mul_add(r, 1.388_888_891_725_875_8e-3);
        let p = p.mul_add(r, 8.333_333_333_330_054_9e-3);
        let p = p.mul_add(r, 4.166_666_666_662_403_8e-2);
        let p = p.mul_add(r, 1.666_666_666_666_666_7e-1);
        let p = p.mul_add(r, 5.000_000_000_000_001e-1);
        p.mul_add(r, 1.0).mul_add(r, 1.0)
    }

    #[inline(always)]
    pub(in super::super) fn exp(x: f64) -> f64 {
        let x = if x < -708.0 { -708.0 } else { x };
        let x = if x > 709.4 { 709.4 } else { x };
        let t = x.mul_add(LOG2_E, MAGIC + 1023.0);
        let k = t - (MAGIC + 1023.0);
        let r = k.mul_add(
            -1.908_214_929_270_587_700_02e-10,
            k.mul_add(-6.931_471_803_691_238_164_90e-1, x),
        );
        exp_poly(r) * f64::from_bits(t.to_bits() << 52)
    }

    #[inline(always)]
    pub(in super::super) fn exp2(x: f64) -> f64 {
        let x = if x < -1022.0 { -1022.0 } else { x };
        let x = if x > 1023.49 { 1023.49 } else { x };
        let t = x + (MAGIC + 1023.0);
        let r = x - (t - (MAGIC + 1023.0));
        exp_poly(r * LN_2) * f64::from_bits(t.to_bits() << 52)
    }

    /// `(ln m, e)` with `x = m * 2^e`.
    #[inline(always)]
    fn ln_parts(x: f64) -> (f64, f64) {
        const ROOT: u64 = 0x3fe6_a09e_667f_3bcd;
        const TWO_52: f64 = 4_503_599_627_370_496.0;
        let bits = x.to_bits().wrapping_sub(ROOT);
        let f = f64::from_bits((bits & 0xf_ffff_ffff_ffff) + ROOT) - 1.0;
        let biased = bits.wrapping_add(0x3ff0_0000_0000_0000) >> 52;
        let e = f64::from_bits(biased | TWO_52.to_bits()) - (TWO_52 + 1023.0);
        let s = f / (2.0 + f);
        let z = s * s;
        let p = 1.479_819_860_511_658_591e-1_f64.mul_add(z, 1.531_383_769_920_937_332e-1);
        let p = p.mul_add(z, 1.818_357_216_161_805_012e-1);
        let p = p.mul_add(z, 2.222_219_843_214_978_396e-1);
        let p = p.mul_add(z, 2.857_142_874_366_239_149e-1);
        let p = p.mul_add(z, 3.999_999_999_940_941_908e-1);
        let p = p.mul_add(z, 6.666_666_666_666_735_130e-1);
        let half = 0.5 * f * f;
        (f - s.mul_add(-p.mul_add(z, half), half), e)
    }

    #[inline(always)]
    pub(in super::super) fn ln(x: f64) -> f64 {
        let (m, e) = ln_parts(x);
        e.mul_add(LN_2, m)
    }

    #[inline(always)]
    pub(in super::super) fn log2(x: f64) -> f64 {
        let (m, e) = ln_parts(x);
        m.mul_add(LOG2_E, e)
    }

    #[inline(always)]
    pub(in super::super) fn log10(x: f64) -> f64 {
        let (m, e) = ln_parts(x);
        m.mul_add(std::f64::consts::LOG10_E, e * std::f64::consts::LOG10_2)
    }

    /// `sin r` for `|r| <= pi / 2`; minimax, fitted for this file.
    #[inline(always)]
    fn sin_poly(r: f64) -> f64 {
        let z = r * r;
        let p = (2.731365867494016715e-15_f64).mul_add(z, -7.643963965925356663e-13);
        let p = p.mul_add(z, 1.605897711407467329e-10);
        let p = p.mul_add(z, -2.505210761393476032e-8);
        let p = p.mul_add(z, 2.75573192191391822e-6);
        let p = p.mul_add(z, -1.984126984125488469e-4);
        let p = p.mul_add(z, 8.333333333333315747e-3);
        let p = p.mul_add(z, -1.666666666666666663e-1);
        p.mul_add(z * r, r)
    }

    #[inline(always)]
    fn without_pi(x: f64, k: f64) -> f64 {
        let r = k.mul_add(-std::f64::consts::PI, x);
        k.mul_add(-1.224_646_799_147_353_177_23e-16, r)
    }

    #[inline(always)]
    pub(in super::super) fn sin(x: f64) -> f64 {
        let t = x.mul_add(FRAC_1_PI, MAGIC);
        let s = sin_poly(without_pi(x, t - MAGIC));
        f64::from_bits(s.to_bits() ^ (t.to_bits() << 63))
    }

    #[inline(always)]
    pub(in super::super) fn cos(x: f64) -> f64 {
        let t = x.mul_add(FRAC_1_PI, -0.5) + MAGIC;
        let s = sin_poly(without_pi(x, (t - MAGIC) + 0.5));
        f64::from_bits(s.to_bits() ^ (!t.to_bits() << 63))
    }

    #[inline(always)]
    pub(in super::super) fn tan(x: f64) -> f64 {
        sin(x) / cos(x)
    }

    #[inline(always)]
    pub(in super::super) fn pow(x: f64, y: f64) -> f64 {
        exp2(y * log2(x))
    }
}
