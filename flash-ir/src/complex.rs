//! Complex numbers in bodies. What their operators and functions compute is written once, as functions of the
//! IR (`formulas`), so that bits agree with the CPU, where the code of `num_complex` itself runs. What interprets
//! or emits meets calls of functions and knows of no complex number.

mod formulas;

use formulas::Functions;

use crate::elements::{COMPLEX32, COMPLEX64};
use crate::ir::{BinOp, ComplexFn, FnIr, MathFn};
use crate::ty::{ScalarTy, StructTy, Ty};

/// `num_complex::Complex` of `f32` or `f64`, as bodies compute with it.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no complex number",
    label = "in a kernel this is of `num_complex::Complex<f32>` or `Complex<f64>`, feature `complex`",
    note = "a structure of your own is made by its fields, `S {{ a: .., b: .. }}`, and its functions are \
            marked `#[flash::device]` and called with their arguments"
)]
pub trait Complex: Copy {
    /// The type of both parts.
    type Part;
    /// The same real part, the other imaginary one.
    fn conj(self) -> Self;
    /// `re * re + im * im`
    fn norm_sqr(self) -> Self::Part;
    /// `re.abs() + im.abs()`
    fn l1_norm(self) -> Self::Part;
    /// `1 / z`
    fn inv(self) -> Self;
    /// Both parts times a number.
    fn scale(self, by: Self::Part) -> Self;
    /// Both parts divided by a number.
    fn unscale(self, by: Self::Part) -> Self;
}

/// A complex number that a path of the user's has made.
#[inline(always)]
pub fn new<C: Complex>(made: C) -> C {
    made
}

macro_rules! free {
    ($($(#[$doc:meta])* $name:ident($($by:ident)?) -> $ret:ty;)*) => {
        $($(#[$doc])*
        #[inline(always)]
        pub fn $name<C: Complex>(z: C $(, $by: C::Part)?) -> $ret {
            C::$name(z $(, $by)?)
        })*
    };
}

free! {
    /// The same real part, the other imaginary one.
    conj() -> C;
    /// `re * re + im * im`
    norm_sqr() -> C::Part;
    /// `re.abs() + im.abs()`
    l1_norm() -> C::Part;
    /// `1 / z`
    inv() -> C;
    /// Both parts times a number.
    scale(by) -> C;
    /// Both parts divided by a number.
    unscale(by) -> C;
}

#[cfg(feature = "complex")]
macro_rules! numbers {
    ($($part:ty)*) => {$(
        impl Complex for num_complex::Complex<$part> {
            type Part = $part;
            #[inline(always)]
            fn conj(self) -> Self {
                Self::conj(&self)
            }
            #[inline(always)]
            fn norm_sqr(self) -> $part {
                Self::norm_sqr(&self)
            }
            #[inline(always)]
            fn l1_norm(self) -> $part {
                Self::l1_norm(&self)
            }
            #[inline(always)]
            fn inv(self) -> Self {
                Self::inv(&self)
            }
            #[inline(always)]
            fn scale(self, by: $part) -> Self {
                Self::scale(&self, by)
            }
            #[inline(always)]
            fn unscale(self, by: $part) -> Self {
                Self::unscale(&self, by)
            }
        }
    )*};
}
#[cfg(feature = "complex")]
numbers!(f32 f64);

/// What stands on either side of an operator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Sides {
    /// Two complex numbers.
    Pairs,
    /// A complex number, and a real one on the right.
    RealRight,
    /// A complex number, and a real one on the left.
    RealLeft,
}

/// The type of the parts, where a type is one of complex numbers. It is not asked what a structure looks
/// like: one of the user's has operators of the user's.
pub(crate) fn part_of(ty: Ty) -> Option<ScalarTy> {
    match ty {
        Ty::Struct(structure) if std::ptr::eq(structure, &COMPLEX32) => Some(ScalarTy::F32),
        Ty::Struct(structure) if std::ptr::eq(structure, &COMPLEX64) => Some(ScalarTy::F64),
        _ => None,
    }
}

/// The layout of complex numbers with parts of a type.
pub(crate) fn layout(part: ScalarTy) -> &'static StructTy {
    if part == ScalarTy::F32 { &COMPLEX32 } else { &COMPLEX64 }
}

/// The function that an infix operator is. In an update the value comes first, as it is evaluated first.
pub(crate) fn infix(
    op: BinOp,
    sides: Sides,
    is_update: bool,
    part: ScalarTy,
) -> Option<&'static FnIr> {
    let all = functions(part);
    let at = match op {
        BinOp::Add => 0,
        BinOp::Sub => 1,
        BinOp::Mul => 2,
        BinOp::Div => 3,
        BinOp::Rem => 4,
        BinOp::Eq if sides == Sides::Pairs && !is_update => return Some(all.equal),
        BinOp::Ne if sides == Sides::Pairs && !is_update => return Some(all.differ),
        _ => return None,
    };
    let of = match (sides, is_update) {
        (Sides::Pairs, false) => &all.pairs,
        (Sides::RealRight, false) => &all.right,
        (Sides::RealLeft, false) => &all.left,
        (Sides::Pairs, true) => &all.pairs_to,
        (Sides::RealRight, true) => &all.right_to,
        (Sides::RealLeft, true) => return None,
    };
    Some(of[at])
}

/// The function that `-z` is.
pub(crate) fn negated(part: ScalarTy) -> &'static FnIr {
    functions(part).negated
}

/// The function of a name; `None` for `new`, which is a structure.
pub(crate) fn named(function: ComplexFn, part: ScalarTy) -> Option<&'static FnIr> {
    let all = functions(part);
    Some(match function {
        ComplexFn::New => return None,
        ComplexFn::Conj => all.conj,
        ComplexFn::NormSqr => all.norm_sqr,
        ComplexFn::L1Norm => all.l1_norm,
        ComplexFn::Inv => all.inv,
        ComplexFn::Scale => all.scale,
        ComplexFn::Unscale => all.unscale,
    })
}

/// The method of `flash::math`'s name that complex numbers have too.
pub(crate) fn asked(function: MathFn, part: ScalarTy) -> Option<&'static FnIr> {
    match function {
        MathFn::IsNan => Some(functions(part).is_nan),
        MathFn::IsFinite => Some(functions(part).is_finite),
        _ => None,
    }
}

fn functions(part: ScalarTy) -> &'static Functions {
    if part == ScalarTy::F32 { &formulas::single::ALL } else { &formulas::double::ALL }
}
