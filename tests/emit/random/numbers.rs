//! What is computed with numbers: operators, conversions, functions of `flash::math`.

use flash_ir::ScalarTy;
use flash_ir::ir::{BinOp, Expr, ExprKind, MathFn, UnOp};

use super::draw::{Draw, INTS, U32, binary, keep, literal, scalar};
use super::pool;

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
                match self.random.below(4) {
                    0 => self.unary(UnOp::Neg, inner),
                    1 => self.math(MathFn::WrappingNeg, vec![inner]),
                    2 => self.math(MathFn::Signum, vec![inner]),
                    _ => self.unary(UnOp::Not, inner),
                }
            }
            11 if of == ScalarTy::U32 => {
                let other = scalar(self.random.pick(&INTS));
                let function = self.random.pick(&[
                    MathFn::CountOnes,
                    MathFn::LeadingZeros,
                    MathFn::TrailingZeros,
                ]);
                let arg = self.expr(other, d);
                self.math(function, vec![arg])
            }
            11 => {
                let args = vec![self.expr(ty, d), self.expr(ty, d)];
                self.math(MathFn::AbsDiff, args)
            }
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
                _ => {
                    let function = self.random.pick(&[MathFn::RemEuclid, MathFn::DivEuclid]);
                    let args = vec![self.expr(ty, d), self.divisor(of, d)];
                    self.math(function, args)
                }
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

    pub(super) fn float(&mut self, of: ScalarTy, d: usize) -> Expr {
        let ty = scalar(of);
        match self.random.below(17) {
            0..6 => {
                let op = self.random.pick(&[BinOp::Add, BinOp::Sub, BinOp::Mul, BinOp::Div]);
                let (a, b) = (self.expr(ty, d), self.expr(ty, d));
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
            9 => {
                let function = self.random.pick(&[MathFn::Min, MathFn::Max]);
                let args = vec![self.expr(ty, d), self.expr(ty, d)];
                self.math(function, args)
            }
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
                binary(self, BinOp::Rem, a, b)
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
