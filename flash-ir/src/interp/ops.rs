//! Operators and casts as functions of words, chosen by type when a kernel is compiled. What can
//! fail gives `None`; nothing here knows where it was written.

use super::word::{Word, by_float, by_int};
use crate::ir::{BinOp, UnOp};
use crate::ty::ScalarTy;

/// A function of one word.
pub(super) type Fn1 = fn(u64) -> u64;
/// A function of two words.
pub(super) type Fn2 = fn(u64, u64) -> u64;
/// A function of two words that some values have no result under.
pub(super) type Partial2 = fn(u64, u64) -> Option<u64>;

/// An operator on operands of type `ty`.
pub(super) enum Op2 {
    /// Defined for all operands.
    Total(Fn2),
    /// A division.
    Partial(Partial2),
}

macro_rules! two {
    ($T:ty, $a:ident, $b:ident, $e:expr) => {{
        fn f(a: u64, b: u64) -> u64 {
            let ($a, $b) = (<$T>::get(a), <$T>::get(b));
            $e.put()
        }
        Some(Op2::Total(f))
    }};
}

macro_rules! maybe {
    ($T:ty, $a:ident, $b:ident, $e:expr) => {{
        fn f(a: u64, b: u64) -> Option<u64> {
            let ($a, $b) = (<$T>::get(a), <$T>::get(b));
            $e.map(Word::put)
        }
        Some(Op2::Partial(f))
    }};
}

macro_rules! shift {
    ($T:ty, $a:ident, $n:ident, $e:expr) => {{
        fn f(a: u64, n: u64) -> u64 {
            let ($a, $n) = (<$T>::get(a), n as u32);
            $e.put()
        }
        Some(Op2::Total(f))
    }};
}

macro_rules! int {
    ($T:ty, $op:expr) => {
        match $op {
            BinOp::Add => two!($T, a, b, a.wrapping_add(b)),
            BinOp::Sub => two!($T, a, b, a.wrapping_sub(b)),
            BinOp::Mul => two!($T, a, b, a.wrapping_mul(b)),
            BinOp::Div => maybe!($T, a, b, a.checked_div(b)),
            BinOp::Rem => maybe!($T, a, b, a.checked_rem(b)),
            BinOp::And => two!($T, a, b, (a & b)),
            BinOp::Or => two!($T, a, b, (a | b)),
            BinOp::Xor => two!($T, a, b, (a ^ b)),
            BinOp::Shl => shift!($T, a, n, a.wrapping_shl(n)),
            BinOp::Shr => shift!($T, a, n, a.wrapping_shr(n)),
            BinOp::Eq => two!($T, a, b, (a == b)),
            BinOp::Ne => two!($T, a, b, (a != b)),
            BinOp::Lt => two!($T, a, b, (a < b)),
            BinOp::Le => two!($T, a, b, (a <= b)),
            BinOp::Gt => two!($T, a, b, (a > b)),
            BinOp::Ge => two!($T, a, b, (a >= b)),
            BinOp::LazyAnd | BinOp::LazyOr => None,
        }
    };
}

macro_rules! float {
    ($T:ty, $op:expr) => {
        match $op {
            BinOp::Add => two!($T, a, b, (a + b)),
            BinOp::Sub => two!($T, a, b, (a - b)),
            BinOp::Mul => two!($T, a, b, (a * b)),
            BinOp::Div => two!($T, a, b, (a / b)),
            BinOp::Rem => two!($T, a, b, (a % b)),
            BinOp::Eq => two!($T, a, b, (a == b)),
            BinOp::Ne => two!($T, a, b, (a != b)),
            BinOp::Lt => two!($T, a, b, (a < b)),
            BinOp::Le => two!($T, a, b, (a <= b)),
            BinOp::Gt => two!($T, a, b, (a > b)),
            BinOp::Ge => two!($T, a, b, (a >= b)),
            _ => None,
        }
    };
}
/// `op` on two operands of a type; a shift takes its second operand as any integer.
pub(super) fn binary(op: BinOp, ty: ScalarTy) -> Option<Op2> {
    if ty == ScalarTy::Bool {
        return bool_binary(op).map(Op2::Total);
    }
    if ty.is_float() {
        return by_float!(ty, T => float!(T, op), else None);
    }
    by_int!(ty, T => int!(T, op), else None)
}

fn bool_binary(op: BinOp) -> Option<Fn2> {
    Some(match op {
        BinOp::And => |a, b| a & b,
        BinOp::Or => |a, b| a | b,
        BinOp::Xor | BinOp::Ne => |a, b| a ^ b,
        BinOp::Eq => |a, b| u64::from(a == b),
        BinOp::Lt => |a, b| u64::from(a < b),
        BinOp::Le => |a, b| u64::from(a <= b),
        BinOp::Gt => |a, b| u64::from(a > b),
        BinOp::Ge => |a, b| u64::from(a >= b),
        _ => return None,
    })
}

macro_rules! one {
    ($T:ty, $a:ident, $e:expr) => {{
        fn f(a: u64) -> u64 {
            let $a = <$T>::get(a);
            $e.put()
        }
        Some(f as Fn1)
    }};
}

/// A prefix operator on a type.
pub(super) fn unary(op: UnOp, ty: ScalarTy) -> Option<Fn1> {
    match op {
        UnOp::Not if ty == ScalarTy::Bool => Some(|a| a ^ 1),
        UnOp::Not => by_int!(ty, T => one!(T, a, (!a)), else None),
        UnOp::Neg if ty.is_float() => by_float!(ty, T => one!(T, a, (-a)), else None),
        UnOp::Neg => by_int!(ty, T => one!(T, a, a.wrapping_neg()), else None),
    }
}

/// `from as to`.
pub(super) fn cast(from: ScalarTy, to: ScalarTy) -> Option<Fn1> {
    macro_rules! to {
        ($From:ty) => {
            if to.is_float() {
                by_float!(to, T => one!($From, a, (a as T)), else None)
            } else {
                by_int!(to, T => one!($From, a, (a as T)), else None)
            }
        };
    }
    if from == to {
        return Some(|a| a);
    }
    match from {
        ScalarTy::Bool => by_int!(to, T => one!(bool, a, (a as T)), else None),
        _ if from.is_float() => by_float!(from, F => to!(F), else None),
        _ => by_int!(from, F => to!(F), else None),
    }
}
