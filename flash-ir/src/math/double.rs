//! `f64` functions with the same bits everywhere: only correctly rounded operations, no branch that
//! depends on a value, no call. Not the fast variants: see [`super::fast`].
//!
//! Sources: `ln`, `sin`, `cos`, `pow` follow fdlibm (Sun Microsystems), `log2`, `log10` FreeBSD's
//! msun, `tanh`, `atan` Cephes (S. Moshier); the polynomials of `exp` and `erf` were fitted for
//! this file.

/// Adding it rounds to an integer in the low bits of the mantissa.
const MAGIC: f64 = 6_755_399_441_055_744.0;
const LN2_HI: f64 = 6.931_471_803_691_238_164_90e-1;
const LN2_LO: f64 = 1.908_214_929_270_587_700_02e-10;

/// `2^k` for an integral `k` from -1022 to 1023.
#[inline(always)]
fn pow2(k: f64) -> f64 {
    f64::from_bits((k + (MAGIC + 1023.0)).to_bits() << 52)
}

/// `p * 2^k` with one rounding where the result is subnormal.
#[inline(always)]
fn scale(p: f64, k: f64) -> f64 {
    let half = round(k * 0.5);
    p * pow2(half) * pow2(k - half)
}

#[inline(always)]
fn round(x: f64) -> f64 {
    (x + MAGIC) - MAGIC
}

/// The number without the low half of its mantissa.
#[inline(always)]
fn high(x: f64) -> f64 {
    f64::from_bits(x.to_bits() & 0xffff_ffff_0000_0000)
}

/// `e^r` for `|r| <= 0.3467`.
#[inline(always)]
fn exp_poly(r: f64) -> f64 {
    let mut p = 2.510_041_108_201_490_1e-8_f64;
    p = p * r + 2.762_012_171_738_193_5e-7;
    p = p * r + 2.755_726_840_619_079_5e-6;
    p = p * r + 2.480_152_122_598_643_2e-5;
    p = p * r + 1.984_126_986_308_825_4e-4;
    p = p * r + 1.388_888_891_725_875_8e-3;
    p = p * r + 8.333_333_333_330_054_9e-3;
    p = p * r + 4.166_666_666_662_403_8e-2;
    p = p * r + 1.666_666_666_666_666_7e-1;
    p = p * r + 5.000_000_000_000_001e-1;
    p * (r * r) + r + 1.0
}

/// `e^x`, at most 1 ulp.
#[inline(always)]
pub(super) fn exp(x: f64) -> f64 {
    let x = if x < -746.0 { -746.0 } else { x };
    let x = if x > 710.0 { 710.0 } else { x };
    let k = round(x * std::f64::consts::LOG2_E);
    let r = (x - k * LN2_HI) - k * LN2_LO;
    scale(exp_poly(r), k)
}

/// `2^x`, at most 1.5 ulp.
#[inline(always)]
pub(super) fn exp2(x: f64) -> f64 {
    let x = if x < -1080.0 { -1080.0 } else { x };
    let x = if x > 1025.0 { 1025.0 } else { x };
    let k = round(x);
    scale(exp_poly((x - k) * std::f64::consts::LN_2), k)
}

/// `(m - 1, e)` with `x = m * 2^e` and `m` in `[sqrt 0.5, sqrt 2)`, for positive finite `x`.
#[inline(always)]
fn split(x: f64) -> (f64, f64) {
    const ROOT: u64 = 0x3fe6_a09e_667f_3bcd;
    const TWO_52: f64 = 4_503_599_627_370_496.0;
    let tiny = x < f64::MIN_POSITIVE;
    let scaled = if tiny { x * 18_014_398_509_481_984.0 } else { x };
    let bits = scaled.to_bits().wrapping_sub(ROOT);
    let m = f64::from_bits((bits & 0xf_ffff_ffff_ffff) + ROOT);
    // The exponent with its bias as an integer, and from there to a float by its bits.
    let biased = bits.wrapping_add(0x3ff0_0000_0000_0000) >> 52;
    let e = f64::from_bits(biased | TWO_52.to_bits()) - (TWO_52 + 1023.0);
    (m - 1.0, e - if tiny { 54.0 } else { 0.0 })
}

/// `(f * f / 2, s * (f * f / 2 + R))` of fdlibm's logarithm: `ln(1 + f) = f - a + b`.
#[inline(always)]
fn ln_poly(f: f64) -> (f64, f64) {
    let s = f / (2.0 + f);
    let z = s * s;
    let mut p = 1.479_819_860_511_658_591e-1_f64;
    p = p * z + 1.531_383_769_920_937_332e-1;
    p = p * z + 1.818_357_216_161_805_012e-1;
    p = p * z + 2.222_219_843_214_978_396e-1;
    p = p * z + 2.857_142_874_366_239_149e-1;
    p = p * z + 3.999_999_999_940_941_908e-1;
    p = p * z + 6.666_666_666_666_735_130e-1;
    let half = 0.5 * f * f;
    (half, s * (half + p * z))
}

/// The value of a logarithm where its argument is not positive and finite.
#[inline(always)]
fn log_special(x: f64, value: f64) -> f64 {
    let value = if x == f64::INFINITY { f64::INFINITY } else { value };
    let value = if x == 0.0 { f64::NEG_INFINITY } else { value };
    if x >= 0.0 { value } else { f64::NAN }
}

/// `ln x`, at most 1 ulp.
#[inline(always)]
pub(super) fn ln(x: f64) -> f64 {
    let (f, e) = split(x);
    let (half, rest) = ln_poly(f);
    log_special(x, e * LN2_HI - ((half - (rest + e * LN2_LO)) - f))
}

/// The parts of `ln m` for the other bases: a short one and the rest.
#[inline(always)]
fn ln_parts(f: f64) -> (f64, f64) {
    let (half, rest) = ln_poly(f);
    let hi = high(f - half);
    (hi, ((f - hi) - half) + rest)
}

/// `log2 x`, at most 1 ulp.
#[inline(always)]
pub(super) fn log2(x: f64) -> f64 {
    const HI: f64 = 1.442_695_040_721_446_275_71;
    const LO: f64 = 1.675_171_316_488_651_183_53e-10;
    let (f, e) = split(x);
    let (hi, lo) = ln_parts(f);
    let value = hi * HI;
    let rest = (lo + hi) * LO + lo * HI;
    let sum = e + value;
    log_special(x, (rest + ((e - sum) + value)) + sum)
}

/// `log10 x`, at most 1.5 ulp.
#[inline(always)]
pub(super) fn log10(x: f64) -> f64 {
    const HI: f64 = 4.342_944_818_781_688_809_39e-1;
    const LO: f64 = 2.508_294_671_164_527_522_98e-11;
    const LOG10_2_HI: f64 = 3.010_299_956_636_117_713_06e-1;
    const LOG10_2_LO: f64 = 3.694_239_077_158_930_786_16e-13;
    let (f, e) = split(x);
    let (hi, lo) = ln_parts(f);
    let value = hi * HI;
    let whole = e * LOG10_2_HI;
    let rest = e * LOG10_2_LO + (lo + hi) * LO + lo * HI;
    let sum = whole + value;
    log_special(x, (rest + ((whole - sum) + value)) + sum)
}

/// The rest of `x` modulo `pi / 2` as a sum of two numbers, and the quadrant in the low bits.
/// Exact to `f64` up to `2^20 * pi / 2`; beyond, the absolute error grows like `|x| * 2^-53`.
#[inline(always)]
fn reduce(x: f64) -> (f64, f64, u64) {
    const BOUND: f64 = std::f64::consts::FRAC_PI_4 + 1e-15;
    let t = x * std::f64::consts::FRAC_2_PI + MAGIC;
    let k = t - MAGIC;
    // Two parts of pi / 2 with 33 bits each, so that their products with `k` are exact.
    let a = x - k * 1.570_796_326_734_125_614_17;
    let w = k * 6.077_100_506_303_965_976_60e-11;
    let b = a - w;
    let back = b - a;
    let lost = (a - (b - back)) - (w + back);
    let tail = lost - k * 2.022_266_248_795_950_631_54e-21;
    let r = b + tail;
    let rest = (b - r) + tail;
    let r = if r < -BOUND { -BOUND } else { r };
    let r = if r > BOUND { BOUND } else { r };
    let rest = if rest.abs() < 1e-9 { rest } else { 0.0 };
    (r, rest, t.to_bits())
}

/// `(sin, cos)` of `r + rest` for `|r| <= pi / 4`.
#[inline(always)]
pub(super) fn sin_cos_poly(r: f64, rest: f64) -> (f64, f64) {
    let z = r * r;
    let mut p = 1.589_690_995_211_550_102_21e-10_f64;
    p = p * z - 2.505_076_025_340_686_341_95e-8;
    p = p * z + 2.755_731_370_707_006_767_89e-6;
    p = p * z - 1.984_126_982_985_794_931_34e-4;
    p = p * z + 8.333_333_333_322_489_461_24e-3;
    let v = z * r;
    let s = r - ((z * (0.5 * rest - v * p) - rest) - v * -1.666_666_666_666_663_243_48e-1);
    let mut q = -1.135_964_755_778_819_482_65e-11_f64;
    q = q * z + 2.087_572_321_298_174_827_90e-9;
    q = q * z - 2.755_731_435_139_066_330_35e-7;
    q = q * z + 2.480_158_728_947_672_941_78e-5;
    q = q * z - 1.388_888_888_887_410_957_49e-3;
    q = q * z + 4.166_666_666_666_660_190_37e-2;
    let half = 0.5 * z;
    let w = 1.0 - half;
    let c = w + (((1.0 - w) - half) + (z * (z * q) - r * rest));
    (s, c)
}

/// `sin x`, at most 1 ulp up to `|x| = 1.6e6`; beyond, an error of about `|x| * 2^-53`, and always
/// a value in `[-1, 1]`.
#[inline(always)]
pub(super) fn sin(x: f64) -> f64 {
    let (r, rest, quadrant) = reduce(x);
    let (s, c) = sin_cos_poly(r, rest);
    let value = if quadrant & 1 == 0 { s } else { c };
    let value = f64::from_bits(value.to_bits() ^ ((quadrant & 2) << 62));
    if x == 0.0 { x } else { value }
}

/// `cos x`, with the accuracy of `sin`.
#[inline(always)]
pub(super) fn cos(x: f64) -> f64 {
    let (r, rest, quadrant) = reduce(x);
    let (s, c) = sin_cos_poly(r, rest);
    let value = if quadrant & 1 == 0 { c } else { s };
    f64::from_bits(value.to_bits() ^ ((quadrant.wrapping_add(1) & 2) << 62))
}

/// `tan x`, at most 2.5 ulp up to `|x| = 1.6e6`.
#[inline(always)]
pub(super) fn tan(x: f64) -> f64 {
    let (r, rest, quadrant) = reduce(x);
    let (s, c) = sin_cos_poly(r, rest);
    let even = quadrant & 1 == 0;
    let value = if even { s } else { -c } / if even { c } else { s };
    if x == 0.0 { x } else { value }
}

/// `tanh x`, at most 1.5 ulp.
#[inline(always)]
pub(super) fn tanh(x: f64) -> f64 {
    let a = x.abs();
    let z = x * x;
    let p = (-9.643_991_794_250_522_386_28e-1 * z - 9.928_772_310_019_185_865_64e1) * z
        - 1.614_687_684_417_084_479_52e3;
    let q = ((z + 1.128_116_784_916_329_314_02e2) * z + 2.235_488_390_601_004_485_83e3) * z
        + 4.844_063_053_251_254_860_48e3;
    let small = x + x * (z * (p / q));
    let large = (1.0 - 2.0 / (exp(2.0 * a) + 1.0)).copysign(x);
    if x == 0.0 {
        x
    } else if a < 0.625 {
        small
    } else {
        large
    }
}

/// `atan x` for `x >= 0`.
#[inline(always)]
fn atan_positive(a: f64) -> f64 {
    const MORE: f64 = 6.123_233_995_736_765_886_130e-17;
    let far = a > 2.414_213_562_373_095_048_80;
    let middle = a > 0.66;
    let n = if middle { a - 1.0 } else { a };
    let d = if middle { a + 1.0 } else { 1.0 };
    let n = if far { -1.0 } else { n };
    let d = if far { a } else { d };
    let y = if middle { std::f64::consts::FRAC_PI_4 } else { 0.0 };
    let y = if far { std::f64::consts::FRAC_PI_2 } else { y };
    let more = if middle { 0.5 * MORE } else { 0.0 };
    let more = if far { MORE } else { more };
    let x = n / d;
    let z = x * x;
    let mut p = -8.750_608_600_031_904_122_785e-1_f64;
    p = p * z - 1.615_753_718_733_365_076_637e1;
    p = p * z - 7.500_855_792_314_704_667_340e1;
    p = p * z - 1.228_866_684_490_136_173_410e2;
    p = p * z - 6.485_021_904_942_025_371_773e1;
    let mut q = z + 2.485_846_490_142_306_297_962e1;
    q = q * z + 1.650_270_098_316_988_542_046e2;
    q = q * z + 4.328_810_604_912_902_668_951e2;
    q = q * z + 4.853_903_996_359_136_964_868e2;
    q = q * z + 1.945_506_571_482_613_964_425e2;
    y + ((x * (z * (p / q)) + x) + more)
}

/// `atan x`, at most 1 ulp.
#[inline(always)]
pub(super) fn atan(x: f64) -> f64 {
    let value = atan_positive(x.abs()).copysign(x);
    if x == 0.0 { x } else { value }
}

/// `atan2(y, x)`, at most 2 ulp.
#[inline(always)]
pub(super) fn atan2(y: f64, x: f64) -> f64 {
    const PI_LO: f64 = 1.224_646_799_147_353_177_23e-16;
    let (a, b) = (y.abs(), x.abs());
    let both_zero = (a == 0.0) & (b == 0.0);
    let both_infinite = (a == f64::INFINITY) & (b == f64::INFINITY);
    let ratio = a / b;
    let ratio = if both_zero { 0.0 } else { ratio };
    let ratio = if both_infinite { 1.0 } else { ratio };
    let angle = atan_positive(ratio);
    let upright = angle >= std::f64::consts::FRAC_PI_2;
    let turned = std::f64::consts::PI - (angle - PI_LO);
    let turned = if x.is_sign_negative() & !upright { turned } else { angle };
    turned.copysign(y)
}

/// `(t1, t2)` with `t1 + t2 = log2 a` to about 70 bits, `t1` short.
#[inline(always)]
fn log2_double(a: f64) -> (f64, f64) {
    const TWO_52: f64 = 4_503_599_627_370_496.0;
    let tiny = a < f64::MIN_POSITIVE;
    let scaled = if tiny { a * 18_014_398_509_481_984.0 } else { a };
    let bits = scaled.to_bits();
    let mantissa = bits & 0xf_ffff_ffff_ffff;
    // Below sqrt(3/2) the point of expansion is 1, below sqrt(3) it is 3/2, then 1 again.
    let middle = (mantissa > 0x3_988e_ffff_ffff) & (mantissa < 0xb_b67a_0000_0000);
    let upper = mantissa >= 0xb_b67a_0000_0000;
    let e = f64::from_bits(((bits >> 52) & 0x7ff) | TWO_52.to_bits()) - (TWO_52 + 1023.0);
    let e = e - if tiny { 54.0 } else { 0.0 } + if upper { 1.0 } else { 0.0 };
    let m = f64::from_bits(mantissa | 0x3ff0_0000_0000_0000);
    let m = if upper { m * 0.5 } else { m };
    let bp = if middle { 1.5 } else { 1.0 };
    let dp_h = if middle { 5.849_624_872_207_641_601_56e-1 } else { 0.0 };
    let dp_l = if middle { 1.350_039_202_129_748_971_28e-8 } else { 0.0 };
    let u = m - bp;
    let v = 1.0 / (m + bp);
    let ss = u * v;
    let s_h = high(ss);
    let t_h = high(m + bp);
    let t_l = m - (t_h - bp);
    let s_l = v * ((u - s_h * t_h) - s_h * t_l);
    let s2 = ss * ss;
    let mut p = 2.069_750_178_003_384_177_84e-1_f64;
    p = p * s2 + 2.306_607_457_755_617_540_67e-1;
    p = p * s2 + 2.727_281_238_085_340_064_89e-1;
    p = p * s2 + 3.333_333_298_183_774_329_18e-1;
    p = p * s2 + 4.285_714_285_785_501_842_52e-1;
    p = p * s2 + 5.999_999_999_999_946_487_25e-1;
    let r = s2 * s2 * p + s_l * (s_h + ss);
    let s2 = s_h * s_h;
    let t_h = high(3.0 + s2 + r);
    let t_l = r - ((t_h - 3.0) - s2);
    let u = s_h * t_h;
    let v = s_l * t_h + t_l * ss;
    let p_h = high(u + v);
    let p_l = v - (p_h - u);
    let z_h = 9.617_967_009_544_372_558_59e-1 * p_h;
    let z_l = -7.028_461_650_952_758_265_16e-9 * p_h + p_l * 9.617_966_939_259_755_543_29e-1 + dp_l;
    let t1 = high(((z_h + z_l) + dp_h) + e);
    let t2 = z_l - (((t1 - e) - dp_h) - z_h);
    (t1, t2)
}

/// `x^y`, at most 1 ulp.
#[inline(always)]
pub(super) fn pow(x: f64, y: f64) -> f64 {
    let a = x.abs();
    let (t1, t2) = log2_double(a);
    let y1 = high(y);
    let p_h = y1 * t1;
    let p_l = (y - y1) * t1 + y * t2;
    let over = p_h > 1100.0;
    let under = p_h < -1100.0;
    let p_l = if over | under { 0.0 } else { p_l };
    let p_h = if over { 1100.0 } else { p_h };
    let p_h = if under { -1100.0 } else { p_h };
    let k = round(p_h + p_l);
    let p_h = p_h - k;
    let t = high(p_l + p_h);
    let u = t * 6.931_471_824_645_996_093_75e-1;
    let v = (p_l - (t - p_h)) * std::f64::consts::LN_2 + t * -1.904_654_299_957_768_045_25e-9;
    let z = u + v;
    let w = v - (z - u);
    let t = z * z;
    let mut p = 4.138_136_797_057_238_460_39e-8_f64;
    p = p * t - 1.653_390_220_546_525_153_90e-6;
    p = p * t + 6.613_756_321_437_934_361_17e-5;
    p = p * t - 2.777_777_777_701_559_338_42e-3;
    p = p * t + 1.666_666_666_666_660_190_37e-1;
    let t1 = z - t * p;
    let r = (z * t1) / (t1 - 2.0) - (w + z * w);
    let value = scale(1.0 - (r - z), k);
    // 0 and infinity have no mantissa to expand.
    let edge = if (a == 0.0) == (y > 0.0) { 0.0 } else { f64::INFINITY };
    let value = if (a == 0.0) | (a == f64::INFINITY) { edge } else { value };
    // An infinite power goes by the side of 1.
    let edge = if (a > 1.0) == (y > 0.0) { f64::INFINITY } else { 0.0 };
    let value = if y.abs() == f64::INFINITY { edge } else { value };
    let value = if x.is_nan() | y.is_nan() { f64::NAN } else { value };
    pow_special(x, y, value)
}

/// The sign and the exceptions of `x^y`, given `|x|^y`.
#[inline(always)]
pub(super) fn pow_special(x: f64, y: f64, value: f64) -> f64 {
    const TWO_52: f64 = 4_503_599_627_370_496.0;
    let b = y.abs();
    let shifted = b + TWO_52;
    let whole = (shifted - TWO_52 == b) | (b >= TWO_52);
    let low = if b < TWO_52 { shifted.to_bits() } else { b.to_bits() };
    let odd = whole & (low & 1 == 1) & (b < 2.0 * TWO_52);
    let value = if (x.abs() == 1.0) & (b == f64::INFINITY) { 1.0 } else { value };
    let sign = if odd { x.to_bits() & (1 << 63) } else { 0 };
    let value = f64::from_bits(value.to_bits() ^ sign);
    let outside = (x < 0.0) & (x > f64::NEG_INFINITY) & !whole & (b < f64::INFINITY);
    let value = if outside { f64::NAN } else { value };
    if (y == 0.0) | (x == 1.0) { 1.0 } else { value }
}

/// `erf x`, at most 1.5 ulp.
#[inline(always)]
pub(super) fn erf(x: f64) -> f64 {
    let a = x.abs();
    let s = x * x;
    let mut p = -7.792_387_776_980_078_4e-10_f64;
    p = p * s + 1.371_821_876_205_145_55e-8;
    p = p * s - 1.620_806_570_472_221_4e-7;
    p = p * s + 1.644_737_131_425_848_5e-6;
    p = p * s - 1.492_473_268_554_757_1e-5;
    p = p * s + 1.205_529_469_101_969_5e-4;
    p = p * s - 8.548_325_968_458_514_9e-4;
    p = p * s + 5.223_977_606_976_882e-3;
    p = p * s - 2.686_617_064_322_145_2e-2;
    p = p * s + 1.128_379_167_094_490_9e-1;
    p = p * s - 3.761_263_890_318_353_8e-1;
    p = p * s + 1.283_791_670_955_125_7e-1;
    let small = p * x + x;
    // x * erfc(x) * e^(x * x) as a polynomial of (x - 3) / (x + 3); erf(6) rounds to 1.
    let t = if a > 6.0 { 6.0 } else { a };
    let t = if t < 1.0 { 1.0 } else { t };
    let u = (t - 3.0) / (t + 3.0);
    let mut q = 5.371_848_755_311_302e-7_f64;
    q = q * u + 1.851_206_814_791_557_7e-6;
    q = q * u - 1.094_405_970_003_035_1e-6;
    q = q * u - 1.113_076_411_657_175_8e-5;
    q = q * u + 6.479_624_712_586_987e-6;
    q = q * u + 6.898_536_004_292_829e-5;
    q = q * u - 8.460_933_434_806_084e-5;
    q = q * u - 4.125_443_500_500_826e-4;
    q = q * u + 1.242_876_194_468_343_2e-3;
    q = q * u + 9.108_227_182_277_311_2e-4;
    q = q * u - 1.401_982_562_636_159_5e-2;
    q = q * u + 4.635_026_333_052_543e-2;
    q = q * u - 9.546_975_030_663_850e-2;
    q = q * u + 1.398_805_476_017_789e-1;
    q = q * u - 1.465_830_480_328_908_8e-1;
    q = q * u + 9.530_622_695_922_798_7e-2;
    q = q * u + 5.370_034_535_441_698_5e-1;
    let large = (1.0 - exp(-(t * t)) * (q / t)).copysign(x);
    let large = if x.is_nan() { x } else { large };
    if x == 0.0 {
        x
    } else if a < 1.0 {
        small
    } else {
        large
    }
}

/// `sqrt(x^2 + y^2)` without overflow on the way, at most 1.5 ulp.
#[inline(always)]
pub(super) fn hypot(x: f64, y: f64) -> f64 {
    const TWO_600: f64 = f64::from_bits((1023 + 600) << 52);
    const TWO_M600: f64 = f64::from_bits((1023 - 600) << 52);
    let (a, b) = (x.abs(), y.abs());
    let most = if a > b { a } else { b };
    // A power of two near the larger one: scaling by it is exact.
    let down = if most > 1e150 { TWO_M600 } else { 1.0 };
    let down = if most < 1e-140 { TWO_600 } else { down };
    let up = if most > 1e150 { TWO_600 } else { 1.0 };
    let up = if most < 1e-140 { TWO_M600 } else { up };
    let (a, b) = (a * down, b * down);
    let value = (a * a + b * b).sqrt() * up;
    let infinite = (x.abs() == f64::INFINITY) | (y.abs() == f64::INFINITY);
    if infinite { f64::INFINITY } else { value }
}
