//! Calls of `flash::math` and of the methods of scalars. It knows names, not types.

use proc_macro2::{Ident, TokenStream};
use quote::{quote, quote_spanned};

use super::names::Names;
use super::probe::is_method;
use crate::kernel::model::Kernel;

/// A function of `flash::math`, or the method of its name: the receiver is argument 0.
pub(super) fn call(
    kernel: &Kernel,
    name: &Ident,
    arg: impl Fn(usize) -> Option<TokenStream>,
) -> TokenStream {
    let args: Vec<TokenStream> = (0..).map_while(arg).collect();
    if is_method(name) {
        if let Some((receiver, args)) = args.split_first() {
            return quote!((#receiver).#name(#(#args),*));
        }
    }
    let math = Names::new(kernel).math();
    quote!(#math::#name(#(#args),*))
}

/// `T::f(..)` of a scalar type.
pub(super) fn assoc(
    kernel: &Kernel,
    ty: &syn::Path,
    name: &Ident,
    args: &TokenStream,
) -> TokenStream {
    let text = name.to_string();
    if text == "from_bits" || is_method(name) {
        return quote!(#ty::#name(#args));
    }
    let math = Names::new(kernel).math();
    let value = quote_spanned!(name.span()=> #math::#name(#args));
    quote!({ let __value: #ty = #value; __value })
}
