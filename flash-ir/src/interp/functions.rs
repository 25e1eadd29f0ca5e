//! The functions of `flash::math` and of the scalar types, by argument type. Each calls what the CPU
//! calls, so that bits agree.

use super::ops::Fn1;
use super::word::{Word, by_float, by_int};
use crate::ir::{FloatMode, MathFn};
use crate::math;
use crate::ty::ScalarTy;

/// A function of one to three words.
#[derive(Clone, Copy)]
pub(crate) enum Function {
    /// One argument.
    One(Fn1),
    /// Two arguments.
    Two(super::ops::Fn2),
    /// Two arguments; `None` for a division by zero.
    Partial(super::ops::Partial2),
    /// Three arguments.
    Three(fn(u64, u64, u64) -> u64),
}

macro_rules! f1 {
    ($T:ty, $a:ident, $e:expr) => {{
        fn f(a: u64) -> u64 {
            let $a = <$T>::get(a);
            $e.put()
        }
        Some(Function::One(f))
    }};
}
macro_rules! f2 {
    ($T:ty, $U:ty, $a:ident, $b:ident, $e:expr) => {{
        fn f(a: u64, b: u64) -> u64 {
            let ($a, $b) = (<$T>::get(a), <$U>::get(b));
            $e.put()
        }
        Some(Function::Two(f))
    }};
}
macro_rules! f3 {
    ($T:ty, $a:ident, $b:ident, $c:ident, $e:expr) => {{
        fn f(a: u64, b: u64, c: u64) -> u64 {
            let ($a, $b, $c) = (<$T>::get(a), <$T>::get(b), <$T>::get(c));
            $e.put()
        }
        Some(Function::Three(f))
    }};
}
macro_rules! partial {
    ($T:ty, $a:ident, $b:ident, $e:expr) => {{
        fn f(a: u64, b: u64) -> Option<u64> {
            let ($a, $b) = (<$T>::get(a), <$T>::get(b));
            $e.map(Word::put)
        }
        Some(Function::Partial(f))
    }};
}

/// The function of a name on arguments of a type.
pub(crate) fn function(name: MathFn, ty: ScalarTy, mode: FloatMode) -> Option<Function> {
    if ty.is_float() {
        if mode == FloatMode::Fast
            && let Some(fast) = by_float!(ty, T => fast::<T>(name), else None)
        {
            return Some(fast);
        }
        return by_float!(ty, T => float::<T>(name), else None).or_else(|| bits(name, ty));
    }
    integer(name, ty).or_else(|| bits(name, ty))
}

fn bits(name: MathFn, ty: ScalarTy) -> Option<Function> {
    match (name, ty) {
        // The word of a float is its bits already.
        (MathFn::ToBits, ScalarTy::F32 | ScalarTy::F64)
        | (MathFn::FromBits, ScalarTy::U32 | ScalarTy::U64) => Some(Function::One(|a| a)),
        (MathFn::RemEuclid, ScalarTy::F32) => f2!(f32, f32, a, b, a.rem_euclid(b)),
        (MathFn::RemEuclid, ScalarTy::F64) => f2!(f64, f64, a, b, a.rem_euclid(b)),
        (MathFn::DivEuclid, ScalarTy::F32) => f2!(f32, f32, a, b, a.div_euclid(b)),
        (MathFn::DivEuclid, ScalarTy::F64) => f2!(f64, f64, a, b, a.div_euclid(b)),
        (MathFn::IsNan, ScalarTy::F32) => f1!(f32, a, a.is_nan()),
        (MathFn::IsNan, ScalarTy::F64) => f1!(f64, a, a.is_nan()),
        (MathFn::IsFinite, ScalarTy::F32) => f1!(f32, a, a.is_finite()),
        (MathFn::IsFinite, ScalarTy::F64) => f1!(f64, a, a.is_finite()),
        _ => None,
    }
}

/// A float in the functions below.
trait Float: math::MathFloat + math::MathScalar + math::MathSigned + Word {}
impl Float for f32 {}
impl Float for f64 {}

macro_rules! g1 {
    ($T:ident, $f:expr) => {
        Some(Function::One(|a| $f($T::get(a)).put()))
    };
}
macro_rules! g2 {
    ($T:ident, $f:expr) => {
        Some(Function::Two(|a, b| $f($T::get(a), $T::get(b)).put()))
    };
}
macro_rules! g3 {
    ($T:ident, $f:expr) => {
        Some(Function::Three(|a, b, c| $f($T::get(a), $T::get(b), $T::get(c)).put()))
    };
}

fn float<T: Float>(name: MathFn) -> Option<Function> {
    match name {
        MathFn::Abs => g1!(T, math::abs::<T>),
        MathFn::Sqrt => g1!(T, math::sqrt::<T>),
        MathFn::Rsqrt => g1!(T, math::rsqrt::<T>),
        MathFn::Floor => g1!(T, math::floor::<T>),
        MathFn::Ceil => g1!(T, math::ceil::<T>),
        MathFn::Round => g1!(T, math::round::<T>),
        MathFn::RoundTiesEven => g1!(T, math::round_ties_even::<T>),
        MathFn::Trunc => g1!(T, math::trunc::<T>),
        MathFn::Fract => g1!(T, math::fract::<T>),
        MathFn::Exp => g1!(T, math::exp::<T>),
        MathFn::Exp2 => g1!(T, math::exp2::<T>),
        MathFn::Ln => g1!(T, math::ln::<T>),
        MathFn::Log2 => g1!(T, math::log2::<T>),
        MathFn::Log10 => g1!(T, math::log10::<T>),
        MathFn::Sin => g1!(T, math::sin::<T>),
        MathFn::Cos => g1!(T, math::cos::<T>),
        MathFn::Tan => g1!(T, math::tan::<T>),
        MathFn::Tanh => g1!(T, math::tanh::<T>),
        MathFn::Atan => g1!(T, math::atan::<T>),
        MathFn::Erf => g1!(T, math::erf::<T>),
        MathFn::Recip => g1!(T, math::recip::<T>),
        MathFn::Signum => g1!(T, math::signum::<T>),
        MathFn::Min => g2!(T, math::min::<T>),
        MathFn::Max => g2!(T, math::max::<T>),
        MathFn::Atan2 => g2!(T, math::atan2::<T>),
        MathFn::Pow => g2!(T, math::pow::<T>),
        MathFn::Hypot => g2!(T, math::hypot::<T>),
        MathFn::Copysign => g2!(T, math::copysign::<T>),
        MathFn::Powi => {
            Some(Function::Two(|a, n| math::powi(T::get(a), <i32 as Word>::get(n)).put()))
        }
        MathFn::Clamp => g3!(T, math::clamp::<T>),
        MathFn::MulAdd => g3!(T, math::mul_add::<T>),
        _ => None,
    }
}

fn fast<T: Float>(name: MathFn) -> Option<Function> {
    use math::fast;
    match name {
        MathFn::Exp => g1!(T, fast::exp::<T>),
        MathFn::Exp2 => g1!(T, fast::exp2::<T>),
        MathFn::Ln => g1!(T, fast::ln::<T>),
        MathFn::Log2 => g1!(T, fast::log2::<T>),
        MathFn::Log10 => g1!(T, fast::log10::<T>),
        MathFn::Sin => g1!(T, fast::sin::<T>),
        MathFn::Cos => g1!(T, fast::cos::<T>),
        MathFn::Tan => g1!(T, fast::tan::<T>),
        MathFn::Tanh => g1!(T, fast::tanh::<T>),
        MathFn::Erf => g1!(T, fast::erf::<T>),
        MathFn::Pow => g2!(T, fast::pow::<T>),
        _ => None,
    }
}

/// `abs` and `signum` of a signed integer, `abs_diff` of any.
fn signed(name: MathFn, ty: ScalarTy) -> Option<Function> {
    macro_rules! signed {
        ($T:ty) => {
            match name {
                MathFn::Abs => f1!($T, a, a.wrapping_abs()),
                MathFn::Signum => f1!($T, a, a.signum()),
                _ => None,
            }
        };
    }
    match ty {
        ScalarTy::I8 => signed!(i8),
        ScalarTy::I16 => signed!(i16),
        ScalarTy::I32 => signed!(i32),
        ScalarTy::I64 => signed!(i64),
        ScalarTy::Isize => signed!(isize),
        _ => None,
    }
}

fn integer(name: MathFn, ty: ScalarTy) -> Option<Function> {
    macro_rules! integer {
        ($T:ty) => {
            match name {
                MathFn::Min => f2!($T, $T, a, b, a.min(b)),
                MathFn::Max => f2!($T, $T, a, b, a.max(b)),
                MathFn::Clamp => f3!($T, a, b, c, math::clamp(a, b, c)),
                MathFn::WrappingAdd => f2!($T, $T, a, b, a.wrapping_add(b)),
                MathFn::WrappingSub => f2!($T, $T, a, b, a.wrapping_sub(b)),
                MathFn::WrappingMul => f2!($T, $T, a, b, a.wrapping_mul(b)),
                MathFn::WrappingNeg => f1!($T, a, a.wrapping_neg()),
                MathFn::SaturatingAdd => f2!($T, $T, a, b, a.saturating_add(b)),
                MathFn::SaturatingSub => f2!($T, $T, a, b, a.saturating_sub(b)),
                MathFn::AbsDiff => f2!($T, $T, a, b, a.abs_diff(b)),
                MathFn::RotateLeft => f2!($T, u32, a, n, a.rotate_left(n)),
                MathFn::RotateRight => f2!($T, u32, a, n, a.rotate_right(n)),
                MathFn::CountOnes => f1!($T, a, a.count_ones()),
                MathFn::LeadingZeros => f1!($T, a, a.leading_zeros()),
                MathFn::TrailingZeros => f1!($T, a, a.trailing_zeros()),
                MathFn::RemEuclid => partial!($T, a, b, a.checked_rem_euclid(b)),
                MathFn::DivEuclid => partial!($T, a, b, a.checked_div_euclid(b)),
                _ => None,
            }
        };
    }
    signed(name, ty).or_else(|| by_int!(ty, T => integer!(T), else None))
}
