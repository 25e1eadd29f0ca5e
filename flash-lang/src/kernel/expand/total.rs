//! Conditions whose operands may be evaluated all, so that no branch is needed between them. It does
//! not evaluate anything.

use syn::BinOp;

use super::plan::Plan;
use super::stretch::bare;
use crate::kernel::model::{Expr, ExprKind};

/// Whether the operands of `&&` and `||` may be evaluated both: floating point and comparisons do
/// not fail.
pub(super) fn is_total(plan: Option<&Plan<'_>>, expr: &Expr) -> bool {
    let expr = bare(expr);
    match &expr.kind {
        ExprKind::Binary(a, BinOp::And(_) | BinOp::Or(_), b) => {
            is_total(plan, a) && is_total(plan, b)
        }
        ExprKind::Binary(
            a,
            BinOp::Lt(_) | BinOp::Le(_) | BinOp::Gt(_) | BinOp::Ge(_) | BinOp::Eq(_) | BinOp::Ne(_),
            b,
        ) => {
            let float = is_float(plan, a) || is_float(plan, b);
            is_cheap(a, float) && is_cheap(b, float)
        }
        _ => false,
    }
}

/// Whether the type is seen to be a floating point one.
fn is_float(plan: Option<&Plan<'_>>, expr: &Expr) -> bool {
    let named = |ty: &syn::Type| matches!(ty, syn::Type::Path(path) if path.path.is_ident("f32") || path.path.is_ident("f64"));
    match &expr.kind {
        ExprKind::Lit(syn::Lit::Float(_)) => true,
        ExprKind::Param(param) => plan.is_some_and(|plan| named(&plan.kernel.params[*param].elem)),
        ExprKind::Local(local) => {
            plan.is_some_and(|plan| plan.body.locals[*local].ty.as_ref().is_some_and(named))
        }
        ExprKind::Load(access) => {
            plan.is_some_and(|plan| named(&plan.kernel.params[access.param].elem))
        }
        ExprKind::Paren(a) | ExprKind::Unary(_, a) => is_float(plan, a),
        ExprKind::Binary(a, BinOp::Add(_) | BinOp::Sub(_) | BinOp::Mul(_) | BinOp::Div(_), b) => {
            is_float(plan, a) || is_float(plan, b)
        }
        _ => false,
    }
}

/// Whether nothing but arithmetic on values at hand is asked for, and none on integers.
fn is_cheap(expr: &Expr, float: bool) -> bool {
    match &expr.kind {
        ExprKind::Lit(_)
        | ExprKind::Const(_)
        | ExprKind::Local(_)
        | ExprKind::Param(_)
        | ExprKind::GlobalId(_) => true,
        ExprKind::Paren(a) => is_cheap(a, float),
        ExprKind::Cast(a, _) => is_cheap(a, false),
        ExprKind::Unary(_, a) => float && is_cheap(a, float),
        ExprKind::Binary(a, BinOp::Add(_) | BinOp::Sub(_) | BinOp::Mul(_), b) => {
            float && is_cheap(a, float) && is_cheap(b, float)
        }
        _ => false,
    }
}
