//! How large integers can be that index small arrays, where that is plain to see: an index that cannot be
//! outside is not compared. It knows no arrays of the device.

use std::collections::BTreeMap;

use super::expr::scalar;
use crate::ir::{BinOp, MathFn};
use crate::resolve::typed::{Expr, ExprKind};

/// What is known of locals: each is at least zero and below a number.
#[derive(Debug, Default)]
pub(super) struct Ranges(BTreeMap<u16, u64>);

impl Ranges {
    /// From here on a local is below a number, if there is one.
    pub(super) fn is_below(&mut self, id: u16, end: Option<u64>) {
        if let Some(end) = end {
            self.0.insert(id, end);
        }
    }

    /// A number that the value of an expression is below; it is then also not negative.
    pub(super) fn end(&self, expr: &Expr) -> Option<u64> {
        let ty = scalar(&expr.ty).filter(|ty| !ty.is_float())?;
        // One more than the largest value that is not negative in every type of this width.
        let limit = 1_u64 << (8 * ty.size() - 1).min(62);
        let end = match &expr.kind {
            ExprKind::Scalar(bits) => bits.checked_add(1)?,
            ExprKind::Local(id) => *self.0.get(id)?,
            ExprKind::Cast(inner) => self.end(inner)?,
            ExprKind::Binary(op, a, b, _) => self.of_two(*op, a, b)?,
            ExprKind::Math(MathFn::Min, args, _) => {
                args.iter().filter_map(|arg| self.end(arg)).min().filter(|_| !ty.is_signed())?
            }
            _ => return None,
        };
        (end <= limit).then_some(end)
    }

    /// A number that the value of an expression is at least, where [`Ranges::end`] knows it.
    pub(super) fn start(&self, expr: &Expr) -> u64 {
        if self.end(expr).is_none() {
            return 0;
        }
        match &expr.kind {
            ExprKind::Scalar(bits) => *bits,
            ExprKind::Cast(inner) => self.start(inner),
            ExprKind::Binary(BinOp::Add, a, b, _) => self.start(a).saturating_add(self.start(b)),
            _ => 0,
        }
    }

    fn of_two(&self, op: BinOp, a: &Expr, b: &Expr) -> Option<u64> {
        let is_signed = scalar(&a.ty).is_some_and(|ty| ty.is_signed());
        let by = match b.kind {
            ExprKind::Scalar(by) => self.end(b).map(|_| by),
            _ => None,
        };
        match op {
            BinOp::Rem if !is_signed => by.filter(|by| *by > 0),
            // Also of a negative number: the mask is not.
            BinOp::And => by?.checked_add(1),
            BinOp::Div => Some((self.end(a)?.checked_sub(1)? / by.filter(|by| *by > 0)?) + 1),
            BinOp::Add => self.end(a)?.checked_add(self.end(b)?.checked_sub(1)?),
            BinOp::Mul => {
                let (a, b) = (self.end(a)?.checked_sub(1)?, self.end(b)?.checked_sub(1)?);
                a.checked_mul(b)?.checked_add(1)
            }
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ir::FloatMode;
    use crate::ty::{ScalarTy, Ty};

    fn of(ty: ScalarTy, kind: ExprKind) -> Expr {
        Expr { kind, ty: Ty::Scalar(ty), span: Default::default(), varying: true }
    }

    fn two(op: BinOp, ty: ScalarTy, a: u64, b: u64) -> Expr {
        let side = |bits| Box::new(of(ty, ExprKind::Scalar(bits)));
        of(ty, ExprKind::Binary(op, side(a), side(b), FloatMode::Strict))
    }

    #[test]
    fn what_may_wrap_or_be_negative_is_not_known() {
        let mut ranges = Ranges::default();
        let (unsigned, signed) = (ScalarTy::Usize, ScalarTy::I32);
        assert_eq!(ranges.end(&of(unsigned, ExprKind::Local(3))), None);
        ranges.is_below(3, Some(24));
        assert_eq!(ranges.end(&of(unsigned, ExprKind::Local(3))), Some(24));
        assert_eq!(ranges.end(&two(BinOp::Add, unsigned, 3, 4)), Some(8));
        assert_eq!(ranges.end(&two(BinOp::Mul, unsigned, 3, 4)), Some(13));
        assert_eq!(ranges.end(&two(BinOp::Rem, unsigned, 1 << 63, 3)), Some(3));
        assert_eq!(ranges.end(&two(BinOp::Rem, signed, 7, 3)), None);
        assert_eq!(ranges.end(&two(BinOp::And, signed, 0xffff_ffff, 7)), Some(8));
        assert_eq!(ranges.start(&two(BinOp::Add, signed, 0, 3)), 3);
        assert_eq!(ranges.start(&two(BinOp::Add, ScalarTy::U8, 100, 100)), 0);
        assert_eq!(ranges.end(&two(BinOp::Div, signed, 7, 0xffff_ffff)), None);
        assert_eq!(ranges.end(&two(BinOp::Add, ScalarTy::U8, 100, 100)), None);
        assert_eq!(ranges.end(&two(BinOp::Sub, unsigned, 1, 2)), None);
        assert_eq!(ranges.end(&of(signed, ExprKind::Scalar(0xffff_ffff))), None);
    }
}
