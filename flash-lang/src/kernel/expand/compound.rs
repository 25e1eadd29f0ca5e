//! Compound assignment. It knows no types.

use syn::BinOp;

/// `+=` for `+`, at the same place.
pub(super) fn assigning(op: &BinOp) -> BinOp {
    use syn::spanned::Spanned;
    let at = op.span();
    macro_rules! to {
        ($assign:ident, $token:tt) => {
            BinOp::$assign(syn::Token![$token](at))
        };
    }
    match op {
        BinOp::Add(_) => to!(AddAssign, +=),
        BinOp::Sub(_) => to!(SubAssign, -=),
        BinOp::Mul(_) => to!(MulAssign, *=),
        BinOp::Div(_) => to!(DivAssign, /=),
        BinOp::Rem(_) => to!(RemAssign, %=),
        BinOp::BitXor(_) => to!(BitXorAssign, ^=),
        BinOp::BitAnd(_) => to!(BitAndAssign, &=),
        BinOp::BitOr(_) => to!(BitOrAssign, |=),
        BinOp::Shl(_) => to!(ShlAssign, <<=),
        BinOp::Shr(_) => to!(ShrAssign, >>=),
        _ => *op,
    }
}
