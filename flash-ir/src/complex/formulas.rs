//! The formulas of `num_complex` 0.4, operation by operation, as functions of the IR. Who calls which is not
//! said here.

use crate::elements::{COMPLEX32, COMPLEX64};
use crate::ir::{
    BinOp, Block, Expr, ExprKind, FloatMode, FnIr, LocalId, Locals, MathFn, Span, Stmt, UnOp,
};
use crate::ty::{ScalarTy, Ty};

/// The functions of one type. Operators are `+ - * / %`.
pub(super) struct Functions {
    /// Of two complex numbers.
    pub(super) pairs: [&'static FnIr; 5],
    /// Of a complex number and a real one on the right.
    pub(super) right: [&'static FnIr; 5],
    /// Of a complex number and a real one on the left.
    pub(super) left: [&'static FnIr; 5],
    /// As `pairs`, with the right side as the first argument.
    pub(super) pairs_to: [&'static FnIr; 5],
    /// As `right`, with the right side as the first argument.
    pub(super) right_to: [&'static FnIr; 5],
    pub(super) negated: &'static FnIr,
    pub(super) equal: &'static FnIr,
    pub(super) differ: &'static FnIr,
    pub(super) conj: &'static FnIr,
    pub(super) norm_sqr: &'static FnIr,
    pub(super) l1_norm: &'static FnIr,
    pub(super) inv: &'static FnIr,
    pub(super) scale: &'static FnIr,
    pub(super) unscale: &'static FnIr,
    pub(super) is_nan: &'static FnIr,
    pub(super) is_finite: &'static FnIr,
}

const BOOL: Ty = Ty::Scalar(ScalarTy::Bool);

/// An expression: `[a re]` is a part of a local and `[a]` all of it, operators stand before their operands,
/// and two expressions in braces are a complex number.
macro_rules! expr {
    ([$of:ident]) => {
        Expr::at(0, 0, true, ExprKind::Local($of))
    };
    ([$of:ident $field:ident]) => {
        Expr::at(0, 0, true, ExprKind::Field(&expr!([$of]), stringify!($field)))
    };
    ({ $re:tt $im:tt }) => {
        Expr::at(0, 0, true, ExprKind::Struct(PAIR, &[("re", expr!($re)), ("im", expr!($im))]))
    };
    ((- $a:tt)) => {
        Expr::at(0, 0, true, ExprKind::Unary(UnOp::Neg, &expr!($a), FloatMode::Strict))
    };
    (($function:ident $a:tt)) => {
        Expr::at(0, 0, true, ExprKind::Math(MathFn::$function, &[expr!($a)], FloatMode::Strict))
    };
    (($op:tt $a:tt $b:tt)) => {
        Expr::at(0, 0, true, ExprKind::Binary(op!($op), &expr!($a), &expr!($b), FloatMode::Strict))
    };
    ($number:literal) => {
        Expr::at(0, 0, true, ExprKind::Float($number, None))
    };
}

macro_rules! op {
    (+) => {
        BinOp::Add
    };
    (-) => {
        BinOp::Sub
    };
    (*) => {
        BinOp::Mul
    };
    (/) => {
        BinOp::Div
    };
    (%) => {
        BinOp::Rem
    };
    (==) => {
        BinOp::Eq
    };
    (!=) => {
        BinOp::Ne
    };
    (&&) => {
        BinOp::LazyAnd
    };
    (||) => {
        BinOp::LazyOr
    };
}

/// A function. `a` and `b`, its arguments, and what it keeps on the way are the numbers of locals.
macro_rules! function {
    ($name:literal ($($arg:ident: $ty:ident),*) -> $ret:ident {
        $(let $local:ident: $kept:ident = $value:tt;)*
        => $tail:tt
    }) => {
        &FnIr {
            name: $name,
            path: PATH,
            file: "",
            params: &[$((stringify!($arg), $ty)),*],
            ret: $ret,
            locals: Locals {
                names: &[$(stringify!($arg),)* $(stringify!($local)),*],
                types: || vec![$($ty,)* $($kept),*],
            },
            body: Block {
                stmts: &[$(Stmt::Let($local, Some(expr!($value)), Span::at(0, 0))),*],
                tail: Some(&expr!($tail)),
            },
            float: FloatMode::Strict,
        }
    };
}

/// The operators of two complex numbers.
macro_rules! pairs {
    ($x:ident $y:ident $add:literal $sub:literal $mul:literal $div:literal $rem:literal) => {
        [
            function!($add ($x: PAIR, $y: PAIR) -> PAIR {
                => { (+ [a re] [b re]) (+ [a im] [b im]) }
            }),
            function!($sub ($x: PAIR, $y: PAIR) -> PAIR {
                => { (- [a re] [b re]) (- [a im] [b im]) }
            }),
            function!($mul ($x: PAIR, $y: PAIR) -> PAIR {
                => {
                    (- (* [a re] [b re]) (* [a im] [b im]))
                    (+ (* [a re] [b im]) (* [a im] [b re]))
                }
            }),
            function!($div ($x: PAIR, $y: PAIR) -> PAIR {
                let norm: REAL = (+ (* [b re] [b re]) (* [b im] [b im]));
                => {
                    (/ (+ (* [a re] [b re]) (* [a im] [b im])) [norm])
                    (/ (- (* [a im] [b re]) (* [a re] [b im])) [norm])
                }
            }),
            // What is left of `a` without `b` times the quotient, whose parts are rounded towards zero.
            function!($rem ($x: PAIR, $y: PAIR) -> PAIR {
                let norm: REAL = (+ (* [b re] [b re]) (* [b im] [b im]));
                let all: PAIR = {
                    (/ (+ (* [a re] [b re]) (* [a im] [b im])) [norm])
                    (/ (- (* [a im] [b re]) (* [a re] [b im])) [norm])
                };
                let whole: PAIR = {
                    (- [all re] (% [all re] "1.0"))
                    (- [all im] (% [all im] "1.0"))
                };
                => {
                    (- [a re] (- (* [b re] [whole re]) (* [b im] [whole im])))
                    (- [a im] (+ (* [b re] [whole im]) (* [b im] [whole re])))
                }
            }),
        ]
    };
}

/// The operators of a complex number and a real one on its right.
macro_rules! right {
    ($x:ident: $x_ty:ident, $y:ident: $y_ty:ident,
        $add:literal $sub:literal $mul:literal $div:literal $rem:literal) => {
        [
            function!($add ($x: $x_ty, $y: $y_ty) -> PAIR { => { (+ [a re] [b]) [a im] } }),
            function!($sub ($x: $x_ty, $y: $y_ty) -> PAIR { => { (- [a re] [b]) [a im] } }),
            function!($mul ($x: $x_ty, $y: $y_ty) -> PAIR { => { (* [a re] [b]) (* [a im] [b]) } }),
            function!($div ($x: $x_ty, $y: $y_ty) -> PAIR { => { (/ [a re] [b]) (/ [a im] [b]) } }),
            function!($rem ($x: $x_ty, $y: $y_ty) -> PAIR { => { (% [a re] [b]) (% [a im] [b]) } }),
        ]
    };
}

/// All functions of one type, in a module that says which.
macro_rules! all {
    ($module:ident, $layout:ident, $scalar:ident, $path:literal) => {
        #[expect(non_upper_case_globals, reason = "they are the names of locals in the formulas")]
        pub(super) mod $module {
            use super::*;

            const PATH: &str = $path;
            const PAIR: Ty = Ty::Struct(&$layout);
            const REAL: Ty = Ty::Scalar(ScalarTy::$scalar);
            const a: LocalId = 0;
            const b: LocalId = 1;
            const norm: LocalId = 2;
            const all: LocalId = 3;
            const whole: LocalId = 4;

            /// Of an update: the right side is evaluated first.
            mod update {
                use super::{PAIR, PATH, REAL, all, norm, whole};
                use crate::complex::formulas::*;

                const a: LocalId = 1;
                const b: LocalId = 0;

                pub(super) static PAIRS: [&FnIr; 5] = pairs!(b a
                    "complex_add_to" "complex_sub_from" "complex_mul_to" "complex_div_of"
                    "complex_rem_of");
                pub(super) static RIGHT: [&FnIr; 5] = right!(b: REAL, a: PAIR,
                    "real_add_to" "real_sub_from" "real_mul_to" "real_div_of" "real_rem_of");
            }

            pub(in crate::complex) static ALL: Functions = Functions {
                pairs: pairs!(a b
                    "complex_add" "complex_sub" "complex_mul" "complex_div" "complex_rem"),
                right: right!(a: PAIR, b: REAL,
                    "complex_add_real" "complex_sub_real" "complex_mul_real" "complex_div_real"
                    "complex_rem_real"),
                left: [
                    function!("real_add_complex" (a: REAL, b: PAIR) -> PAIR {
                        => { (+ [a] [b re]) [b im] }
                    }),
                    function!("real_sub_complex" (a: REAL, b: PAIR) -> PAIR {
                        => { (- [a] [b re]) (- "0.0" [b im]) }
                    }),
                    function!("real_mul_complex" (a: REAL, b: PAIR) -> PAIR {
                        => { (* [a] [b re]) (* [a] [b im]) }
                    }),
                    function!("real_div_complex" (a: REAL, b: PAIR) -> PAIR {
                        let norm: REAL = (+ (* [b re] [b re]) (* [b im] [b im]));
                        => {
                            (/ (* [a] [b re]) [norm])
                            (- "0.0" (/ (* [a] [b im]) [norm]))
                        }
                    }),
                    // As that of `a + 0i`.
                    function!("real_rem_complex" (a: REAL, b: PAIR) -> PAIR {
                        let norm: REAL = (+ (* [b re] [b re]) (* [b im] [b im]));
                        let all: PAIR = {
                            (/ (+ (* [a] [b re]) (* "0.0" [b im])) [norm])
                            (/ (- (* "0.0" [b re]) (* [a] [b im])) [norm])
                        };
                        let whole: PAIR = {
                            (- [all re] (% [all re] "1.0"))
                            (- [all im] (% [all im] "1.0"))
                        };
                        => {
                            (- [a] (- (* [b re] [whole re]) (* [b im] [whole im])))
                            (- "0.0" (+ (* [b re] [whole im]) (* [b im] [whole re])))
                        }
                    }),
                ],
                pairs_to: update::PAIRS,
                right_to: update::RIGHT,
                negated: function!("complex_neg" (a: PAIR) -> PAIR { => { (- [a re]) (- [a im]) } }),
                equal: function!("complex_eq" (a: PAIR, b: PAIR) -> BOOL {
                    => (&& (== [a re] [b re]) (== [a im] [b im]))
                }),
                differ: function!("complex_ne" (a: PAIR, b: PAIR) -> BOOL {
                    => (|| (!= [a re] [b re]) (!= [a im] [b im]))
                }),
                conj: function!("complex_conj" (a: PAIR) -> PAIR { => { [a re] (- [a im]) } }),
                norm_sqr: function!("complex_norm_sqr" (a: PAIR) -> REAL {
                    => (+ (* [a re] [a re]) (* [a im] [a im]))
                }),
                l1_norm: function!("complex_l1_norm" (a: PAIR) -> REAL {
                    => (+ (Abs [a re]) (Abs [a im]))
                }),
                inv: function!("complex_inv" (a: PAIR) -> PAIR {
                    let b: REAL = (+ (* [a re] [a re]) (* [a im] [a im]));
                    => { (/ [a re] [b]) (/ (- [a im]) [b]) }
                }),
                scale: function!("complex_scale" (a: PAIR, b: REAL) -> PAIR {
                    => { (* [a re] [b]) (* [a im] [b]) }
                }),
                unscale: function!("complex_unscale" (a: PAIR, b: REAL) -> PAIR {
                    => { (/ [a re] [b]) (/ [a im] [b]) }
                }),
                is_nan: function!("complex_is_nan" (a: PAIR) -> BOOL {
                    => (|| (IsNan [a re]) (IsNan [a im]))
                }),
                is_finite: function!("complex_is_finite" (a: PAIR) -> BOOL {
                    => (&& (IsFinite [a re]) (IsFinite [a im]))
                }),
            };
        }
    };
}

all!(single, COMPLEX32, F32, "num_complex::Complex<f32>");
all!(double, COMPLEX64, F64, "num_complex::Complex<f64>");
