//! Calls of `flash::math` and of the methods of scalars. It knows names, not types.

use proc_macro2::{Ident, TokenStream};
use quote::{quote, quote_spanned};

use super::names::Names;
use crate::kernel::model::Kernel;

/// Methods of integers and floats that are the same in Rust and on devices.
const METHODS: &[&str] = &[
    "to_bits",
    "wrapping_add",
    "wrapping_sub",
    "wrapping_mul",
    "wrapping_neg",
    "saturating_add",
    "saturating_sub",
    "abs_diff",
    "rotate_left",
    "rotate_right",
    "count_ones",
    "leading_zeros",
    "trailing_zeros",
    "rem_euclid",
    "div_euclid",
    "is_nan",
    "is_finite",
];

/// A function of `flash::math`, or the method of its name: the receiver is argument 0.
pub(super) fn call(
    kernel: &Kernel,
    name: &Ident,
    arg: impl Fn(usize) -> Option<TokenStream>,
) -> TokenStream {
    let args: Vec<TokenStream> = (0..).map_while(arg).collect();
    if METHODS.contains(&name.to_string().as_str()) {
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
    if text == "from_bits" || METHODS.contains(&text.as_str()) {
        return quote!(#ty::#name(#args));
    }
    let math = Names::new(kernel).math();
    let value = quote_spanned!(name.span()=> #math::#name(#args));
    quote!({ let __value: #ty = #value; __value })
}
