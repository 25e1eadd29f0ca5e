//! A cast of a body as Rust again. It does not check that there is such a cast: the body as written
//! does.

use proc_macro2::{Span, TokenStream};
use quote::{quote, quote_spanned};

use super::body::Writer;
use super::math::placed;
use super::names::Names;
use super::plan::Plan;
use crate::body::{scalar, scalar_of};
use crate::kernel::model::{Expr, ExprKind};

/// `from as to`; where many items run at once, in steps that are packed.
pub(super) fn cast(writer: &Writer<'_, '_>, from: &Expr, to: &syn::Type, at: Span) -> TokenStream {
    let rounds = writer.plan.is_some_and(|plan| rounds(plan, from, to));
    let from = writer.expr(from);
    if !rounds {
        return quote_spanned!(at=> #from as #to);
    }
    let entry = Names::new(writer.kernel).entry();
    let cast = placed(quote!(#entry::cast), at);
    quote_spanned!(at=> #cast::<#to, _>(#from))
}

/// Whether a cast may be one of a floating point number to an integer, which Rust's own `as` does one by
/// one.
fn rounds(plan: &Plan<'_>, from: &Expr, to: &syn::Type) -> bool {
    let is_float = |ty: &str| matches!(ty, "f32" | "f64");
    let is_whole = matches!(&from.kind, ExprKind::Lit(lit) if !matches!(lit, syn::Lit::Float(_)));
    let from = scalar_of(from, plan.body, &plan.kernel.params);
    !is_whole && from.is_none_or(is_float) && !scalar(to).is_some_and(is_float)
}
