//! Which products and sums of a `fast_math` kernel are one operation. Those of numbers that are known to be
//! no floating point ones stay apart; of the others the type decides.

use proc_macro2::{Span, TokenStream};
use quote::{quote, quote_spanned};
use syn::BinOp;

use super::body::{Mode, Writer};
use super::math;
use super::names::{self, Names};
use crate::body::known;
use crate::kernel::model::{Body, Expr, ExprKind, Place};

/// A sum of which one side is a product, and the other side; the product on the right if both are. The
/// interpreter of the IR takes the same one.
pub(super) fn sum(
    writer: &Writer<'_, '_>,
    (left, op, right): (&Expr, &BinOp, &Expr),
    at: Span,
) -> Option<TokenStream> {
    let body = fast(writer)?;
    let is_minus = match op {
        BinOp::Add(_) => false,
        BinOp::Sub(_) => true,
        _ => return None,
    };
    if is_whole((writer, body), [left, right]) {
        return None;
    }
    let (name, product, other) = match product(right) {
        Some(product) => (if is_minus { "less" } else { "plus" }, product, left),
        None => (if is_minus { "minus" } else { "plus" }, product(left)?, right),
    };
    Some(call(writer, (name, at), product, &writer.expr(other)))
}

/// The same for a local that a product is added to, or taken from.
pub(super) fn update(
    writer: &Writer<'_, '_>,
    (place, op, value): (&Place, &BinOp, &Expr),
    target: &TokenStream,
) -> Option<TokenStream> {
    let body = fast(writer)?;
    let name = match op {
        BinOp::Add(_) | BinOp::AddAssign(_) => "plus",
        BinOp::Sub(_) | BinOp::SubAssign(_) => "less",
        _ => return None,
    };
    let Place::Local(local, span, projs) = place else { return None };
    let old = Expr { kind: ExprKind::Local(*local), span: *span, varying: true };
    if !projs.is_empty() || is_whole((writer, body), [&old, value]) {
        return None;
    }
    Some(call(writer, (name, value.span), product(value)?, target))
}

/// The body, where products and sums of it may be one operation.
fn fast<'k>(writer: &Writer<'_, 'k>) -> Option<&'k Body> {
    let plan = writer.plan.filter(|_| writer.mode != Mode::Uniform)?;
    writer.kernel.options.fast_math.then_some(plan.body)
}

/// Whether one of these is known to be an integer.
fn is_whole((writer, body): (&Writer<'_, '_>, &Body), sides: [&Expr; 2]) -> bool {
    let is_integer = |ty: &str| !matches!(ty, "f32" | "f64");
    let ty = |side| known(side, &body.locals, &writer.kernel.params);
    sides.iter().any(|side| ty(side).is_some_and(is_integer))
}

/// A product and a sum in one, by a function of `flash_ir::math::Fast`.
fn call(
    writer: &Writer<'_, '_>,
    (name, at): (&str, Span),
    (a, b): (&Expr, &Expr),
    other: &TokenStream,
) -> TokenStream {
    let (ir, fused) = (Names::new(writer.kernel).ir(), names::plain(names::FUSED));
    let fast = math::placed(quote!(#ir::math::Fast::<#fused>), at);
    let (name, a, b) = (names::plain(name), writer.expr(a), writer.expr(b));
    quote_spanned!(at=> #fast::#name(#a, #b, #other))
}

/// The factors, if it is a product.
fn product(expr: &Expr) -> Option<(&Expr, &Expr)> {
    match &expr.kind {
        ExprKind::Paren(inner) => product(inner),
        ExprKind::Binary(a, BinOp::Mul(_), b) => Some((a, b)),
        _ => None,
    }
}
