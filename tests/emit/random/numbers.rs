//! What is computed with numbers: operators, conversions, functions of `flash::math`.

use flash_ir::ir::{BinOp, Expr, ExprKind, MathFn, UnOp};
use flash_ir::{ScalarTy, Ty};

use super::draw::{Draw, INTS, U32, binary, keep, literal, scalar};
use super::pool;

/// The signed type of this width.
fn signed(of: ScalarTy) -> ScalarTy {
    match of {
        ScalarTy::U8 => ScalarTy::I8,
        ScalarTy::U16 => ScalarTy::I16,
        ScalarTy::U32 => ScalarTy::I32,
        ScalarTy::U64 => ScalarTy::I64,
        ScalarTy::Usize => ScalarTy::Isize,
        signed => signed,
    }
}

impl Draw {
    /// A divisor: zero only where a kernel may fail.
    pub(super) fn divisor(&mut self, of: ScalarTy, d: usize) -> Expr {
        let by = self.expr(scalar(of), d);
        if self.may_fail && self.random.chance(30) {
            return by;
        }
        let (mask, one) = (self.expr_of(literal(7, of)), self.expr_of(literal(1, of)));
        let masked = binary(self, BinOp::And, by, mask);
        binary(self, BinOp::Add, masked, one)
    }

    pub(super) fn int(&mut self, of: ScalarTy, d: usize) -> Expr {
        let ty = scalar(of);
        match self.random.below(16) {
            0..3 => {
                let op = self.random.pick(&[BinOp::Add, BinOp::Sub, BinOp::Mul]);
                let (a, b) = (self.expr(ty, d), self.expr(ty, d));
                let b = self.bare_or(b);
                binary(self, op, a, b)
            }
            3 | 4 => {
                let op = self.random.pick(&[BinOp::And, BinOp::Or, BinOp::Xor]);
                let (a, b) = (self.expr(ty, d), self.expr(ty, d));
                binary(self, op, a, b)
            }
            5 | 6 => {
                let op = self.random.pick(&[BinOp::Shl, BinOp::Shr]);
                let amount = scalar(self.random.pick(&INTS));
                let (a, b) = (self.expr(ty, d), self.expr(amount, d));
                let b = self.bare_or(b);
                binary(self, op, a, b)
            }
            7 => {
                let op = self.random.pick(&[BinOp::Div, BinOp::Rem]);
                let a = self.expr(ty, d);
                let b = self.divisor(of, d);
                binary(self, op, a, b)
            }
            8 => {
                let function = self.random.pick(&[
                    MathFn::Min,
                    MathFn::Max,
                    MathFn::SaturatingAdd,
                    MathFn::SaturatingSub,
                    MathFn::WrappingAdd,
                    MathFn::WrappingSub,
                    MathFn::WrappingMul,
                ]);
                let args = vec![self.expr(ty, d), self.expr(ty, d)];
                self.math(function, args)
            }
            9 => {
                let function = self.random.pick(&[MathFn::RotateLeft, MathFn::RotateRight]);
                let args = vec![self.expr(ty, d), self.expr(U32, d)];
                self.math(function, args)
            }
            10 => {
                let from = if self.random.chance(20) { ScalarTy::Bool } else { self.number() };
                let inner = self.expr(scalar(from), d);
                self.expr_of(ExprKind::Cast(keep(inner), ty))
            }
            11 if of.is_signed() => {
                let inner = self.expr(ty, d);
                match self.random.below(5) {
                    0 => self.unary(UnOp::Neg, inner),
                    1 => self.math(MathFn::WrappingNeg, vec![inner]),
                    2 => self.math(MathFn::Signum, vec![inner]),
                    3 => self.math(MathFn::Abs, vec![inner]),
                    _ => self.unary(UnOp::Not, inner),
                }
            }
            11 if of == ScalarTy::U32 && self.random.chance(60) => {
                let other = scalar(self.random.pick(&INTS));
                let function = self.random.pick(&[
                    MathFn::CountOnes,
                    MathFn::LeadingZeros,
                    MathFn::TrailingZeros,
                ]);
                let arg = self.expr(other, d);
                self.math(function, vec![arg])
            }
            11 if matches!(of, ScalarTy::U32 | ScalarTy::U64) && self.random.chance(40) => {
                let of = if of == ScalarTy::U32 { ScalarTy::F32 } else { ScalarTy::F64 };
                let arg = self.no_nan(of, d);
                self.math(MathFn::ToBits, vec![arg])
            }
            11 if self.random.chance(20) => self.unary_not(ty, d),
            11 => {
                let of = if self.random.chance(50) { signed(of) } else { of };
                let args = vec![self.expr(scalar(of), d), self.expr(scalar(of), d)];
                self.math(MathFn::AbsDiff, args)
            }
            12 if self.random.chance(25) => self.euclid(of, d),
            12 => match of {
                ScalarTy::U32 if self.random.chance(40) => {
                    let cell = self.expr(pool::CELL, d);
                    self.field(cell, "id")
                }
                ScalarTy::U32 => {
                    let words = self.expr(pool::WORDS, d);
                    self.element_of(words, 3)
                }
                ScalarTy::I32 => {
                    let cloud = self.expr(pool::CLOUD, d.min(1));
                    let at = self.field(cloud, "at");
                    self.element_of(at, 4)
                }
                ScalarTy::I16 if self.random.chance(50) => {
                    let rows = self.expr(pool::ROWS, d.min(1));
                    let row = self.element_of(rows, 3);
                    self.element_of(row, 2)
                }
                ScalarTy::U8 if self.random.chance(50) => {
                    let bytes = self.expr(pool::BYTES, d);
                    self.element_of(bytes, 5)
                }
                ScalarTy::U16 => {
                    let narrow = self.expr(pool::NARROW, d.min(1));
                    let ports = self.field(narrow, "ports");
                    self.element_of(ports, 2)
                }
                ScalarTy::U64 | ScalarTy::I8 | ScalarTy::U8 | ScalarTy::I16 => {
                    let narrow = self.expr(pool::NARROW, d.min(1));
                    let name = match of {
                        ScalarTy::U64 => "key",
                        ScalarTy::I8 => "step",
                        ScalarTy::U8 => "kind",
                        _ => "turn",
                    };
                    self.field(narrow, name)
                }
                _ => self.euclid(of, d),
            },
            13 => {
                let (lo, more) = (self.random.below(50) as u64, self.random.below(50) as u64);
                let value = self.expr(ty, d);
                let (lo, hi) =
                    (self.expr_of(literal(lo, of)), self.expr_of(literal(lo + more, of)));
                self.math(MathFn::Clamp, vec![value, lo, hi])
            }
            _ => self.leaf(ty),
        }
    }

    /// A quotient or rest of which the latter is not below zero.
    fn euclid(&mut self, of: ScalarTy, d: usize) -> Expr {
        let function = self.random.pick(&[MathFn::RemEuclid, MathFn::DivEuclid]);
        let args = vec![self.expr(scalar(of), d), self.divisor(of, d)];
        self.math(function, args)
    }

    fn unary_not(&mut self, ty: Ty, d: usize) -> Expr {
        let inner = self.expr(ty, d);
        self.unary(UnOp::Not, inner)
    }

    /// An operand, or now and then a literal without a type in its place, which has that of the other side.
    fn bare_or(&mut self, operand: Expr) -> Expr {
        if !self.random.chance(12) {
            return operand;
        }
        let value = self.random.below(100) as u128;
        self.expr_of(ExprKind::Int(value, None))
    }

    /// A float whose bits are known, as those of a NaN are anybody's.
    fn no_nan(&mut self, of: ScalarTy, d: usize) -> Expr {
        let ints = self.random.pick(&INTS);
        let inner = self.expr(scalar(ints), d);
        let whole = self.expr_of(ExprKind::Cast(keep(inner), scalar(of)));
        match self.random.below(3) {
            0 => whole,
            1 => self.unary(UnOp::Neg, whole),
            _ => {
                let part = self.expr_of(ExprKind::Float("0.3", None));
                binary(self, BinOp::Mul, whole, part)
            }
        }
    }

    pub(super) fn float(&mut self, of: ScalarTy, d: usize) -> Expr {
        let ty = scalar(of);
        match self.random.below(17) {
            0..6 => {
                let op = self.random.pick(&[BinOp::Add, BinOp::Sub, BinOp::Mul, BinOp::Div]);
                let (a, b) = (self.expr(ty, d), self.expr(ty, d));
                let b = match self.random.chance(8) {
                    true => self.expr_of(ExprKind::Float("1.7", None)),
                    false => b,
                };
                binary(self, op, a, b)
            }
            6 => {
                let inner = self.expr(ty, d);
                self.unary(UnOp::Neg, inner)
            }
            7 | 8 => {
                let function = self.random.pick(&[
                    MathFn::Sqrt,
                    MathFn::Abs,
                    MathFn::Floor,
                    MathFn::Ceil,
                    MathFn::Round,
                    MathFn::RoundTiesEven,
                    MathFn::Trunc,
                    MathFn::Fract,
                    MathFn::Recip,
                ]);
                let arg = self.expr(ty, d);
                self.math(function, vec![arg])
            }
            9 => match self.random.below(6) {
                0 => {
                    let args = vec![self.expr(ty, d), self.no_nan(of, d)];
                    self.math(MathFn::Copysign, args)
                }
                1 => {
                    let bits = if of == ScalarTy::F32 { ScalarTy::U32 } else { ScalarTy::U64 };
                    let args = vec![self.expr(scalar(bits), d)];
                    self.math(MathFn::FromBits, args)
                }
                2 => {
                    let (lo, hi) = ("-3.5", "20.25");
                    let value = self.expr(ty, d);
                    let (lo, hi) = (
                        self.expr_of(ExprKind::Float(lo, Some(of))),
                        self.expr_of(ExprKind::Float(hi, Some(of))),
                    );
                    self.math(MathFn::Clamp, vec![value, lo, hi])
                }
                _ => {
                    let function = self.random.pick(&[MathFn::Min, MathFn::Max]);
                    let args = vec![self.expr(ty, d), self.expr(ty, d)];
                    self.math(function, args)
                }
            },
            10 => {
                let args = (0..3).map(|_| self.expr(ty, d)).collect();
                self.math(MathFn::MulAdd, args)
            }
            11 | 12 => {
                let from = scalar(self.number());
                let inner = self.expr(from, d);
                self.expr_of(ExprKind::Cast(keep(inner), ty))
            }
            13 if self.has_math => self.long(of, d),
            14 if self.has_math => {
                let (a, b) = (self.expr(ty, d), self.expr(ty, d));
                match self.random.below(4) {
                    0 => self.math(MathFn::RemEuclid, vec![a, b]),
                    1 => self.math(MathFn::DivEuclid, vec![a, b]),
                    _ => binary(self, BinOp::Rem, a, b),
                }
            }
            15 => match (of, self.random.below(2)) {
                (ScalarTy::F32, 0) => {
                    let items = self.expr(pool::FLOATS, d);
                    self.element_of(items, 4)
                }
                (ScalarTy::F32, _) => {
                    let cell = self.expr(pool::CELL, d);
                    self.field(cell, "mass")
                }
                (_, 0) => {
                    let pair = self.expr(pool::PAIR, d);
                    self.element_of(pair, 2)
                }
                _ => {
                    let cell = self.expr(pool::CELL, d);
                    self.field(cell, "rho")
                }
            },
            _ => self.leaf(ty),
        }
    }

    /// A function that is more than an instruction or two.
    fn long(&mut self, of: ScalarTy, d: usize) -> Expr {
        let ty = scalar(of);
        if self.random.chance(25) {
            let function = self.random.pick(&[MathFn::Hypot, MathFn::Atan2, MathFn::Pow]);
            let args = vec![self.expr(ty, d), self.expr(ty, d)];
            return self.math(function, args);
        }
        if self.random.chance(15) {
            let power = self.expr(scalar(ScalarTy::I32), d);
            let base = self.expr(ty, d);
            return self.math(MathFn::Powi, vec![base, power]);
        }
        let function = self.random.pick(&[
            MathFn::Exp,
            MathFn::Exp2,
            MathFn::Ln,
            MathFn::Log2,
            MathFn::Log10,
            MathFn::Sin,
            MathFn::Cos,
            MathFn::Tan,
            MathFn::Tanh,
            MathFn::Atan,
            MathFn::Erf,
            MathFn::Rsqrt,
            MathFn::Signum,
        ]);
        let arg = self.expr(ty, d);
        self.math(function, vec![arg])
    }
}
