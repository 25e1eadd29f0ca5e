//! `flash::math`: elementary functions with the same bits on every device, as one portable source.
//!
//! Every function is a fixed sequence of correctly rounded operations (`+ - * /`, `sqrt`, bit
//! operations), so a compiler can lay it out over lanes and no instruction set changes a bit of
//! it; NaN results may differ in their payload. It is not a correctly rounded library. Errors are at
//! most these, in units in the last place of the result, which tests hold them to:
//!
//! | function | `f32` | `f64` |
//! |---|---|---|
//! | `exp` | 1 | 1 |
//! | `exp2` | 1.5 | 1.5 |
//! | `ln` | 1 | 1 |
//! | `log2` | 2 | 1 |
//! | `log10` | 2 | 1.5 |
//! | `sin`, `cos` | 1.5 up to `4e8`; beyond, some value in `[-1, 1]` | 1 up to `1.6e6`; beyond, absolute about `abs(x) * 2^-53`, in `[-1, 1]` |
//! | `tan` | 1 up to `4e8`; beyond, some finite value | 2.5 up to `1.6e6` |
//! | `tanh`, `erf` | 1.5 | 1.5 |
//! | `atan` | 3 | 1 |
//! | `atan2` | 1 | 2 |
//! | `pow` | 1 | 1 |
//! | `hypot` | 1 | 1.5 |
//! | `rsqrt` | 1.5 | 1.5 |
//!
//! `powi` multiplies, so its error grows by a unit with each factor, and a negative power whose positive
//! one overflows gives 0. The others are exact or correctly rounded: `sqrt`, `recip`, `mul_add`, what rounds
//! to integers, `fract`, `copysign`, `abs`, `signum`, `min`, `max`, `clamp`.
//!
//! Kernels with `fast_math` get [`fast`] instead, with bounds of its own, where multiply-adds are fused, also
//! those of products and sums that are written as such.
//!
//! ```
//! use flash_ir::math;
//!
//! assert!((math::exp(1.0_f64) - std::f64::consts::E).abs() < 1e-15);
//! assert_eq!((math::sqrt(2.25_f32), math::powi(2.0_f32, 10)), (1.5, 1_024.0));
//! assert_eq!((math::clamp(7, 0, 5), math::min(1.0, f64::NAN)), (5, 1.0));
//! ```
#![allow(clippy::excessive_precision, reason = "coefficients are given as published")]

mod contract;
mod double;
pub mod fast;
mod float;
mod names;
mod powers;
#[cfg(test)]
mod reference;
mod scalar;
mod single;
#[cfg(test)]
mod tests;

pub use contract::Contract;
pub use fast::Fast;
pub use float::MathFloat;
#[doc(hidden)]
pub use names::*;
pub use scalar::{MathScalar, MathSigned, abs, clamp, max, min, signum};

/// `e^x`
#[inline(always)]
pub fn exp<T: MathFloat>(x: T) -> T {
    T::exp(x)
}

/// `2^x`
#[inline(always)]
pub fn exp2<T: MathFloat>(x: T) -> T {
    T::exp2(x)
}

/// The natural logarithm; NaN below 0, `-inf` at 0.
#[inline(always)]
pub fn ln<T: MathFloat>(x: T) -> T {
    T::ln(x)
}

/// The logarithm to base 2.
#[inline(always)]
pub fn log2<T: MathFloat>(x: T) -> T {
    T::log2(x)
}

/// The logarithm to base 10.
#[inline(always)]
pub fn log10<T: MathFloat>(x: T) -> T {
    T::log10(x)
}

/// The sine of radians.
#[inline(always)]
pub fn sin<T: MathFloat>(x: T) -> T {
    T::sin(x)
}

/// The cosine of radians.
#[inline(always)]
pub fn cos<T: MathFloat>(x: T) -> T {
    T::cos(x)
}

/// The tangent of radians.
#[inline(always)]
pub fn tan<T: MathFloat>(x: T) -> T {
    T::tan(x)
}

/// The hyperbolic tangent.
#[inline(always)]
pub fn tanh<T: MathFloat>(x: T) -> T {
    T::tanh(x)
}

/// The angle whose tangent is `x`.
#[inline(always)]
pub fn atan<T: MathFloat>(x: T) -> T {
    T::atan(x)
}

/// The error function.
#[inline(always)]
pub fn erf<T: MathFloat>(x: T) -> T {
    T::erf(x)
}

/// The angle of the point `(x, y)`, `y` first.
#[inline(always)]
pub fn atan2<T: MathFloat>(y: T, x: T) -> T {
    T::atan2(y, x)
}

/// `x^y`
#[inline(always)]
pub fn pow<T: MathFloat>(x: T, y: T) -> T {
    T::pow(x, y)
}

/// `sqrt(x^2 + y^2)` without overflow on the way.
#[inline(always)]
pub fn hypot<T: MathFloat>(x: T, y: T) -> T {
    T::hypot(x, y)
}

/// `x^n` by repeated squaring.
#[inline(always)]
pub fn powi<T: MathFloat>(x: T, n: i32) -> T {
    T::powi(x, n)
}

/// The square root, correctly rounded.
#[inline(always)]
pub fn sqrt<T: MathFloat>(x: T) -> T {
    T::sqrt(x)
}

/// The largest integer not above.
#[inline(always)]
pub fn floor<T: MathFloat>(x: T) -> T {
    T::floor(x)
}

/// The smallest integer not below.
#[inline(always)]
pub fn ceil<T: MathFloat>(x: T) -> T {
    T::ceil(x)
}

/// The nearest integer, halves away from zero.
#[inline(always)]
pub fn round<T: MathFloat>(x: T) -> T {
    T::round(x)
}

/// The nearest integer, halves to even.
#[inline(always)]
pub fn round_ties_even<T: MathFloat>(x: T) -> T {
    T::round_ties_even(x)
}

/// The integer part.
#[inline(always)]
pub fn trunc<T: MathFloat>(x: T) -> T {
    T::trunc(x)
}

/// The magnitude of `x` with the sign of `sign`.
#[inline(always)]
pub fn copysign<T: MathFloat>(x: T, sign: T) -> T {
    T::copysign(x, sign)
}

/// `x * a + b` with one rounding.
#[inline(always)]
pub fn mul_add<T: MathFloat>(x: T, a: T, b: T) -> T {
    T::mul_add(x, a, b)
}

/// `1 / sqrt(x)`, at most 1.5 ulp.
#[inline(always)]
pub fn rsqrt<T: MathFloat>(x: T) -> T {
    T::rsqrt(x)
}

/// `1 / x`
#[inline(always)]
pub fn recip<T: MathFloat>(x: T) -> T {
    T::recip(x)
}

/// `x - trunc(x)`
#[inline(always)]
pub fn fract<T: MathFloat>(x: T) -> T {
    T::fract(x)
}
