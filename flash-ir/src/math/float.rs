//! The floats that have elementary functions, and which body each one takes. No arithmetic here.

use super::{double, fast, powers, single};

/// A float that `flash::math` works on: `f32` or `f64`.
#[diagnostic::on_unimplemented(
    message = "`flash::math` has no function for `{Self}`",
    label = "neither `f32` nor `f64`",
    note = "convert with `as f32` or `as f64`"
)]
pub trait MathFloat: sealed::Sealed + Copy + 'static {
    /// `e^x`
    #[must_use]
    fn exp(self) -> Self;
    /// `2^x`
    #[must_use]
    fn exp2(self) -> Self;
    /// The natural logarithm; NaN below 0, `-inf` at 0.
    #[must_use]
    fn ln(self) -> Self;
    /// The logarithm to base 2.
    #[must_use]
    fn log2(self) -> Self;
    /// The logarithm to base 10.
    #[must_use]
    fn log10(self) -> Self;
    /// The sine of radians.
    #[must_use]
    fn sin(self) -> Self;
    /// The cosine of radians.
    #[must_use]
    fn cos(self) -> Self;
    /// The tangent of radians.
    #[must_use]
    fn tan(self) -> Self;
    /// The hyperbolic tangent.
    #[must_use]
    fn tanh(self) -> Self;
    /// The angle whose tangent is `x`.
    #[must_use]
    fn atan(self) -> Self;
    /// The error function.
    #[must_use]
    fn erf(self) -> Self;
    /// The angle of the point `(x, y)`, `y` first.
    #[must_use]
    fn atan2(self, x: Self) -> Self;
    /// `x^y`
    #[must_use]
    fn pow(self, y: Self) -> Self;
    /// `sqrt(x^2 + y^2)` without overflow on the way.
    #[must_use]
    fn hypot(self, y: Self) -> Self;
    /// `x^n` by repeated squaring.
    #[must_use]
    fn powi(self, n: i32) -> Self;
    /// The square root, correctly rounded.
    #[must_use]
    fn sqrt(self) -> Self;
    /// The largest integer not above.
    #[must_use]
    fn floor(self) -> Self;
    /// The smallest integer not below.
    #[must_use]
    fn ceil(self) -> Self;
    /// The nearest integer, halves away from zero.
    #[must_use]
    fn round(self) -> Self;
    /// The nearest integer, halves to even.
    #[must_use]
    fn round_ties_even(self) -> Self;
    /// The integer part.
    #[must_use]
    fn trunc(self) -> Self;
    /// The magnitude of `x` with the sign of `sign`.
    #[must_use]
    fn copysign(self, sign: Self) -> Self;
    /// `x * a + b` with one rounding.
    #[must_use]
    fn mul_add(self, a: Self, b: Self) -> Self;
    /// `1 / sqrt(x)`, at most 1.5 ulp.
    #[must_use]
    fn rsqrt(self) -> Self;
    /// `1 / x`
    #[must_use]
    fn recip(self) -> Self;
    /// `x - trunc(x)`
    #[must_use]
    fn fract(self) -> Self;
    /// [`fast::exp`]
    #[must_use]
    fn fast_exp(self) -> Self;
    /// [`fast::exp2`]
    #[must_use]
    fn fast_exp2(self) -> Self;
    /// [`fast::ln`]
    #[must_use]
    fn fast_ln(self) -> Self;
    /// [`fast::log2`]
    #[must_use]
    fn fast_log2(self) -> Self;
    /// [`fast::log10`]
    #[must_use]
    fn fast_log10(self) -> Self;
    /// [`fast::sin`]
    #[must_use]
    fn fast_sin(self) -> Self;
    /// [`fast::cos`]
    #[must_use]
    fn fast_cos(self) -> Self;
    /// [`fast::tan`]
    #[must_use]
    fn fast_tan(self) -> Self;
    /// [`fast::tanh`]
    #[must_use]
    fn fast_tanh(self) -> Self;
    /// [`fast::erf`]
    #[must_use]
    fn fast_erf(self) -> Self;
    /// [`fast::pow`]
    #[must_use]
    fn fast_pow(self, y: Self) -> Self;
}

mod sealed {
    pub trait Sealed {}
    impl Sealed for f32 {}
    impl Sealed for f64 {}
}

impl MathFloat for f32 {
    #[inline(always)]
    fn exp(self) -> Self {
        single::exp(self)
    }
    #[inline(always)]
    fn exp2(self) -> Self {
        single::exp2(self)
    }
    #[inline(always)]
    fn ln(self) -> Self {
        single::ln(self)
    }
    #[inline(always)]
    fn log2(self) -> Self {
        single::log2(self)
    }
    #[inline(always)]
    fn log10(self) -> Self {
        single::log10(self)
    }
    #[inline(always)]
    fn sin(self) -> Self {
        single::sin(self)
    }
    #[inline(always)]
    fn cos(self) -> Self {
        single::cos(self)
    }
    #[inline(always)]
    fn tan(self) -> Self {
        single::tan(self)
    }
    #[inline(always)]
    fn tanh(self) -> Self {
        single::tanh(self)
    }
    #[inline(always)]
    fn atan(self) -> Self {
        single::atan(self)
    }
    #[inline(always)]
    fn erf(self) -> Self {
        single::erf(self)
    }
    #[inline(always)]
    fn atan2(self, x: Self) -> Self {
        single::atan2(self, x)
    }
    #[inline(always)]
    fn pow(self, y: Self) -> Self {
        single::pow(self, y)
    }
    #[inline(always)]
    fn hypot(self, y: Self) -> Self {
        single::hypot(self, y)
    }
    #[inline(always)]
    fn powi(self, n: i32) -> Self {
        powers::single(self, n)
    }
    #[inline(always)]
    fn sqrt(self) -> Self {
        <f32>::sqrt(self)
    }
    #[inline(always)]
    fn floor(self) -> Self {
        <f32>::floor(self)
    }
    #[inline(always)]
    fn ceil(self) -> Self {
        <f32>::ceil(self)
    }
    #[inline(always)]
    fn round(self) -> Self {
        <f32>::round(self)
    }
    #[inline(always)]
    fn round_ties_even(self) -> Self {
        <f32>::round_ties_even(self)
    }
    #[inline(always)]
    fn trunc(self) -> Self {
        <f32>::trunc(self)
    }
    #[inline(always)]
    fn copysign(self, sign: Self) -> Self {
        <f32>::copysign(self, sign)
    }
    #[inline(always)]
    fn mul_add(self, a: Self, b: Self) -> Self {
        <f32>::mul_add(self, a, b)
    }
    #[inline(always)]
    fn rsqrt(self) -> Self {
        1.0 / self.sqrt()
    }
    #[inline(always)]
    fn recip(self) -> Self {
        1.0 / self
    }
    #[inline(always)]
    fn fract(self) -> Self {
        self - self.trunc()
    }
    #[inline(always)]
    fn fast_exp(self) -> Self {
        fast::single::exp(self)
    }
    #[inline(always)]
    fn fast_exp2(self) -> Self {
        fast::single::exp2(self)
    }
    #[inline(always)]
    fn fast_ln(self) -> Self {
        fast::single::ln(self)
    }
    #[inline(always)]
    fn fast_log2(self) -> Self {
        fast::single::log2(self)
    }
    #[inline(always)]
    fn fast_log10(self) -> Self {
        fast::single::log10(self)
    }
    #[inline(always)]
    fn fast_sin(self) -> Self {
        fast::single::sin(self)
    }
    #[inline(always)]
    fn fast_cos(self) -> Self {
        fast::single::cos(self)
    }
    #[inline(always)]
    fn fast_tan(self) -> Self {
        fast::single::tan(self)
    }
    #[inline(always)]
    fn fast_tanh(self) -> Self {
        fast::single::tanh(self)
    }
    #[inline(always)]
    fn fast_erf(self) -> Self {
        fast::single::erf(self)
    }
    #[inline(always)]
    fn fast_pow(self, y: Self) -> Self {
        fast::single::pow(self, y)
    }
}

impl MathFloat for f64 {
    #[inline(always)]
    fn exp(self) -> Self {
        double::exp(self)
    }
    #[inline(always)]
    fn exp2(self) -> Self {
        double::exp2(self)
    }
    #[inline(always)]
    fn ln(self) -> Self {
        double::ln(self)
    }
    #[inline(always)]
    fn log2(self) -> Self {
        double::log2(self)
    }
    #[inline(always)]
    fn log10(self) -> Self {
        double::log10(self)
    }
    #[inline(always)]
    fn sin(self) -> Self {
        double::sin(self)
    }
    #[inline(always)]
    fn cos(self) -> Self {
        double::cos(self)
    }
    #[inline(always)]
    fn tan(self) -> Self {
        double::tan(self)
    }
    #[inline(always)]
    fn tanh(self) -> Self {
        double::tanh(self)
    }
    #[inline(always)]
    fn atan(self) -> Self {
        double::atan(self)
    }
    #[inline(always)]
    fn erf(self) -> Self {
        double::erf(self)
    }
    #[inline(always)]
    fn atan2(self, x: Self) -> Self {
        double::atan2(self, x)
    }
    #[inline(always)]
    fn pow(self, y: Self) -> Self {
        double::pow(self, y)
    }
    #[inline(always)]
    fn hypot(self, y: Self) -> Self {
        double::hypot(self, y)
    }
    #[inline(always)]
    fn powi(self, n: i32) -> Self {
        powers::double(self, n)
    }
    #[inline(always)]
    fn sqrt(self) -> Self {
        <f64>::sqrt(self)
    }
    #[inline(always)]
    fn floor(self) -> Self {
        <f64>::floor(self)
    }
    #[inline(always)]
    fn ceil(self) -> Self {
        <f64>::ceil(self)
    }
    #[inline(always)]
    fn round(self) -> Self {
        <f64>::round(self)
    }
    #[inline(always)]
    fn round_ties_even(self) -> Self {
        <f64>::round_ties_even(self)
    }
    #[inline(always)]
    fn trunc(self) -> Self {
        <f64>::trunc(self)
    }
    #[inline(always)]
    fn copysign(self, sign: Self) -> Self {
        <f64>::copysign(self, sign)
    }
    #[inline(always)]
    fn mul_add(self, a: Self, b: Self) -> Self {
        <f64>::mul_add(self, a, b)
    }
    #[inline(always)]
    fn rsqrt(self) -> Self {
        1.0 / self.sqrt()
    }
    #[inline(always)]
    fn recip(self) -> Self {
        1.0 / self
    }
    #[inline(always)]
    fn fract(self) -> Self {
        self - self.trunc()
    }
    #[inline(always)]
    fn fast_exp(self) -> Self {
        fast::double::exp(self)
    }
    #[inline(always)]
    fn fast_exp2(self) -> Self {
        fast::double::exp2(self)
    }
    #[inline(always)]
    fn fast_ln(self) -> Self {
        fast::double::ln(self)
    }
    #[inline(always)]
    fn fast_log2(self) -> Self {
        fast::double::log2(self)
    }
    #[inline(always)]
    fn fast_log10(self) -> Self {
        fast::double::log10(self)
    }
    #[inline(always)]
    fn fast_sin(self) -> Self {
        fast::double::sin(self)
    }
    #[inline(always)]
    fn fast_cos(self) -> Self {
        fast::double::cos(self)
    }
    #[inline(always)]
    fn fast_tan(self) -> Self {
        fast::double::tan(self)
    }
    #[inline(always)]
    fn fast_tanh(self) -> Self {
        double::tanh(self)
    }
    #[inline(always)]
    fn fast_erf(self) -> Self {
        double::erf(self)
    }
    #[inline(always)]
    fn fast_pow(self, y: Self) -> Self {
        fast::double::pow(self, y)
    }
}
