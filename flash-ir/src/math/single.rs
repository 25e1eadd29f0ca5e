//! `f32` functions with the same bits everywhere: only correctly rounded operations, no branch that
//! depends on a value, no call. Not the fast variants: see [`super::fast`].
//!
//! Sources: polynomials of `exp`, `ln`, `log2`, `log10`, `sin`, `cos`, `tanh`, `atan` are those of
//! the Cephes library (S. Moshier, single precision); `erf` was fitted for this file; `tan`, `pow`
//! and `hypot` work in `f64` and round once.

use super::double;

/// Adding it rounds to an integer in the low bits of the mantissa.
const MAGIC: f32 = 12_582_912.0;

/// `2^k` for an integral `k` from -126 to 127.
#[inline(always)]
fn pow2(k: f32) -> f32 {
    f32::from_bits((k + (MAGIC + 127.0)).to_bits() << 23)
}

/// `p * 2^k` with one rounding where the result is subnormal.
#[inline(always)]
fn scale(p: f32, k: f32) -> f32 {
    let half = (k * 0.5 + MAGIC) - MAGIC;
    p * pow2(half) * pow2(k - half)
}

#[inline(always)]
fn round(x: f32) -> f32 {
    (x + MAGIC) - MAGIC
}

/// `e^r` for `|r| <= 0.35`.
#[inline(always)]
fn exp_poly(r: f32) -> f32 {
    let mut p = 1.987_569_15e-4_f32;
    p = p * r + 1.398_199_95e-3;
    p = p * r + 8.333_452e-3;
    p = p * r + 4.166_579_6e-2;
    p = p * r + 1.666_666_55e-1;
    p = p * r + 5.000_000_1e-1;
    p * (r * r) + r + 1.0
}

/// `e^x`, at most 1 ulp.
#[inline(always)]
pub(super) fn exp(x: f32) -> f32 {
    let x = if x < -104.0 { -104.0 } else { x };
    let x = if x > 89.0 { 89.0 } else { x };
    let k = round(x * std::f32::consts::LOG2_E);
    let r = (x - k * 0.693_359_375) + k * 2.121_944_4e-4;
    scale(exp_poly(r), k)
}

/// `2^x`, at most 1.5 ulp.
#[inline(always)]
pub(super) fn exp2(x: f32) -> f32 {
    let x = if x < -151.0 { -151.0 } else { x };
    let x = if x > 129.0 { 129.0 } else { x };
    let k = round(x);
    scale(exp_poly((x - k) * std::f32::consts::LN_2), k)
}

/// `(m - 1, e)` with `x = m * 2^e` and `m` in `[sqrt 0.5, sqrt 2)`, for positive finite `x`.
#[inline(always)]
fn split(x: f32) -> (f32, f32) {
    const ROOT: u32 = 0x3f35_04f3;
    let tiny = x < f32::MIN_POSITIVE;
    let scaled = if tiny { x * 8_388_608.0 } else { x };
    let bits = scaled.to_bits().wrapping_sub(ROOT) as i32;
    let m = f32::from_bits((bits as u32 & 0x7f_ffff) + ROOT);
    let e = (bits >> 23) as f32 - if tiny { 23.0 } else { 0.0 };
    (m - 1.0, e)
}

/// `ln(1 + z) - z + z * z / 2`.
#[inline(always)]
fn ln_poly(z: f32) -> f32 {
    let mut p = 7.037_683_6e-2_f32;
    p = p * z - 1.151_461e-1;
    p = p * z + 1.167_699_9e-1;
    p = p * z - 1.242_014_1e-1;
    p = p * z + 1.424_932_3e-1;
    p = p * z - 1.666_805_8e-1;
    p = p * z + 2.000_071_5e-1;
    p = p * z - 2.499_999_4e-1;
    p = p * z + 3.333_333_1e-1;
    p * (z * (z * z))
}

/// The value of a logarithm where its argument is not positive and finite.
#[inline(always)]
fn log_special(x: f32, value: f32) -> f32 {
    let value = if x == f32::INFINITY { f32::INFINITY } else { value };
    let value = if x == 0.0 { f32::NEG_INFINITY } else { value };
    if x >= 0.0 { value } else { f32::NAN }
}

/// `ln x`, at most 1 ulp.
#[inline(always)]
pub(super) fn ln(x: f32) -> f32 {
    let (z, e) = split(x);
    let y = (ln_poly(z) - e * 2.121_944_4e-4) - 0.5 * (z * z);
    log_special(x, (z + y) + e * 0.693_359_375)
}

/// `log2 x`, at most 2 ulp.
#[inline(always)]
pub(super) fn log2(x: f32) -> f32 {
    // log2(e) - 1
    const LOG2EA: f32 = 0.442_695_04;
    let (z, e) = split(x);
    let y = ln_poly(z) - 0.5 * (z * z);
    log_special(x, (((y * LOG2EA + z * LOG2EA) + y) + z) + e)
}

/// `log10 x`, at most 2 ulp.
#[inline(always)]
pub(super) fn log10(x: f32) -> f32 {
    let (z, e) = split(x);
    let y = ln_poly(z) - 0.5 * (z * z);
    let low = (y * 7.007_319e-4 + z * 7.007_319e-4) + e * 2.487_455_5e-4;
    log_special(x, ((low + y * 0.433_593_75) + z * 0.433_593_75) + e * 0.300_781_25)
}

/// The rest of `x` modulo `pi / 2` in `[-pi/4, pi/4]`, and the quadrant in the low bits. Exact to
/// `f64` up to `2^28 * pi / 2`; beyond, some number of that range.
#[inline(always)]
fn reduce(x: f32) -> (f64, u64) {
    const MAGIC: f64 = 6_755_399_441_055_744.0;
    const BOUND: f64 = std::f64::consts::FRAC_PI_4 + 1e-7;
    let x = f64::from(x);
    let t = x * std::f64::consts::FRAC_2_PI + MAGIC;
    let k = t - MAGIC;
    // The first part of pi / 2 has 25 bits, so that its product with `k` is exact.
    let r = (x - k * 1.570_796_310_901_641_845_7) - k * 1.589_325_477_352_819_669_16e-8;
    let r = if r < -BOUND { -BOUND } else { r };
    let r = if r > BOUND { BOUND } else { r };
    (r, t.to_bits())
}

/// `(sin r, cos r)` for `|r| <= pi / 4`.
#[inline(always)]
fn sin_cos_poly(r: f32) -> (f32, f32) {
    let z = r * r;
    let s = ((-1.951_529_6e-4 * z + 8.332_161e-3) * z - 1.666_665_5e-1) * (z * r) + r;
    let c = (2.443_315_7e-5 * z - 1.388_731_6e-3) * z + 4.166_664_6e-2;
    (s, (c * (z * z) - 0.5 * z) + 1.0)
}

/// `sin x`, at most 1.5 ulp up to `|x| = 4e8`; beyond, some value in `[-1, 1]`.
#[inline(always)]
pub(super) fn sin(x: f32) -> f32 {
    let (r, quadrant) = reduce(x);
    let (s, c) = sin_cos_poly(r as f32);
    let value = if quadrant & 1 == 0 { s } else { c };
    let value = f32::from_bits(value.to_bits() ^ ((quadrant as u32 & 2) << 30));
    if x == 0.0 { x } else { value }
}

/// `cos x`, at most 1.5 ulp up to `|x| = 4e8`; beyond, some value in `[-1, 1]`.
#[inline(always)]
pub(super) fn cos(x: f32) -> f32 {
    let (r, quadrant) = reduce(x);
    let (s, c) = sin_cos_poly(r as f32);
    let value = if quadrant & 1 == 0 { c } else { s };
    f32::from_bits(value.to_bits() ^ (((quadrant as u32).wrapping_add(1) & 2) << 30))
}

/// `tan x`, at most 1 ulp up to `|x| = 4e8`; beyond, some finite value.
#[inline(always)]
pub(super) fn tan(x: f32) -> f32 {
    let (r, quadrant) = reduce(x);
    let (s, c) = double::sin_cos_poly(r, 0.0);
    let even = quadrant & 1 == 0;
    let value = if even { s } else { -c } / if even { c } else { s };
    if x == 0.0 { x } else { value as f32 }
}

/// `tanh x`, at most 1.5 ulp.
#[inline(always)]
pub(super) fn tanh(x: f32) -> f32 {
    let a = x.abs();
    let z = x * x;
    let mut p = -5.704_988_7e-3_f32;
    p = p * z + 2.063_908_8e-2;
    p = p * z - 5.373_971_6e-2;
    p = p * z + 1.333_144_2e-1;
    p = p * z - 3.333_328e-1;
    let small = p * (z * x) + x;
    let large = (1.0 - 2.0 / (exp(2.0 * a) + 1.0)).copysign(x);
    if x == 0.0 {
        x
    } else if a < 0.625 {
        small
    } else {
        large
    }
}

/// `atan` of `num / den`, both not negative, from the quotient reduced at `tan(pi/8)`.
#[inline(always)]
fn atan_quotient(num: f32, den: f32) -> f32 {
    let high = num > den * 2.414_213_6;
    let middle = num > den * 0.414_213_57;
    let n = if middle { num - den } else { num };
    let d = if middle { num + den } else { den };
    let n = if high { -den } else { n };
    let d = if high { num } else { d };
    let y = if middle { std::f32::consts::FRAC_PI_4 } else { 0.0 };
    let y = if high { std::f32::consts::FRAC_PI_2 } else { y };
    let x = n / d;
    let z = x * x;
    let mut p = 8.053_744_5e-2_f32;
    p = p * z - 1.387_768_6e-1;
    p = p * z + 1.997_771_1e-1;
    p = p * z - 3.333_294_9e-1;
    y + (p * (z * x) + x)
}

/// `atan x`, at most 3 ulp.
#[inline(always)]
pub(super) fn atan(x: f32) -> f32 {
    let value = atan_quotient(x.abs(), 1.0).copysign(x);
    if x == 0.0 { x } else { value }
}

/// `atan2(y, x)`, at most 1 ulp; computed in `f64`.
#[inline(always)]
pub(super) fn atan2(y: f32, x: f32) -> f32 {
    double::atan2(f64::from(y), f64::from(x)) as f32
}

/// `x^y`, at most 1 ulp; computed in `f64`.
#[inline(always)]
pub(super) fn pow(x: f32, y: f32) -> f32 {
    let (x, y) = (f64::from(x), f64::from(y));
    double::pow_special(x, y, double::exp2(y * double::log2(x.abs()))) as f32
}

/// `erf x`, at most 1.5 ulp.
#[inline(always)]
pub(super) fn erf(x: f32) -> f32 {
    let a = x.abs();
    let s = x * x;
    let mut p = -5.954_904e-4_f32;
    p = p * s + 4.986_477_3e-3;
    p = p * s - 2.676_235_04e-2;
    p = p * s + 1.128_170_93e-1;
    p = p * s - 3.761_248_5e-1;
    p = p * s + 1.283_791_5e-1;
    let small = p * x + x;
    // erf(4) rounds to 1.
    let t = if a > 4.0 { 4.0 } else { a };
    let mut q = -1.046_065_7e-6_f32;
    q = q * t + 3.438_850_9e-5;
    q = q * t - 4.988_250_1e-4;
    q = q * t + 4.303_789_3e-3;
    q = q * t - 2.513_955e-2;
    q = q * t + 1.078_556_5e-1;
    q = q * t + 6.341_481_8e-1;
    q = q * t + 1.289_028e-1;
    let large = (1.0 - exp(-(q * t + t))).copysign(x);
    if x == 0.0 {
        x
    } else if a < 0.925 {
        small
    } else {
        large
    }
}

/// `sqrt(x^2 + y^2)`, at most 1 ulp; computed in `f64`.
#[inline(always)]
pub(super) fn hypot(x: f32, y: f32) -> f32 {
    let (a, b) = (f64::from(x), f64::from(y));
    let value = (a * a + b * b).sqrt() as f32;
    let infinite = (x.abs() == f32::INFINITY) | (y.abs() == f32::INFINITY);
    if infinite { f32::INFINITY } else { value }
}
