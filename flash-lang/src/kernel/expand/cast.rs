//! A cast of a body as Rust again. It does not check that there is such a cast: the body as written
//! does.

use proc_macro2::{Span, TokenStream};
use quote::{quote, quote_spanned};

use super::body::Writer;
use super::math::placed;
use super::names::Names;
use crate::body::may_round;
use crate::kernel::model::Expr;

/// `from as to`; where many items run at once, in steps that are packed, which Rust's own of a floating
/// point number to an integer are not.
pub(super) fn cast(writer: &Writer<'_, '_>, from: &Expr, to: &syn::Type, at: Span) -> TokenStream {
    let params = &writer.kernel.params;
    let packs = writer.plan.is_some_and(|plan| may_round(from, to, plan.body, params));
    let from = writer.expr(from);
    if !packs {
        return quote_spanned!(at=> #from as #to);
    }
    let entry = Names::new(writer.kernel).entry();
    let cast = placed(quote!(#entry::cast), at);
    quote_spanned!(at=> #cast::<#to, _>(#from))
}
