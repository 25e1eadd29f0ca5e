//! Calls of `flash::math` and of the methods of scalars. It knows names, not types.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{quote, quote_spanned};

use super::body::{Mode, Writer};
use super::names::Names;
use super::probe::is_method;

/// Where a function of `flash::math` is; the strict one where nothing says what the processor can.
pub(super) fn home(writer: &Writer<'_, '_>, name: &Ident) -> TokenStream {
    let names = Names::new(writer.kernel);
    let ir = names.ir();
    if writer.mode == Mode::Uniform { quote!(#ir::math) } else { names.math(name) }
}

/// A function of `flash::math`, or the method of its name: the receiver is argument 0.
pub(super) fn call(
    math: TokenStream,
    name: &Ident,
    arg: impl Fn(usize) -> Option<TokenStream>,
) -> TokenStream {
    let at = name.span();
    let args: Vec<TokenStream> = (0..).map_while(arg).collect();
    if is_method(name)
        && let Some((receiver, args)) = args.split_first()
    {
        return quote_spanned!(at=> (#receiver).#name(#(#args),*));
    }
    let math = placed(math, at);
    quote_spanned!(at=> #math::#name(#(#args),*))
}

/// `T::f(..)` of a scalar type.
pub(super) fn assoc(
    math: TokenStream,
    ty: &syn::Path,
    name: &Ident,
    args: &TokenStream,
) -> TokenStream {
    let (text, at) = (name.to_string(), name.span());
    if text == "from_bits" || is_method(name) {
        return quote_spanned!(at=> #ty::#name(#args));
    }
    let math = placed(math, at);
    let value = quote_spanned!(at=> #math::#name(#args));
    quote_spanned!(at=> { let __value: #ty = #value; __value })
}

/// A function of complex numbers; of the user's path for `C::new(..)` it is asked whether it makes one.
pub(super) fn complex(
    krate: &syn::Path,
    path: Option<&syn::Path>,
    name: &Ident,
    args: &[TokenStream],
) -> TokenStream {
    let at = name.span();
    let home = placed(quote!(#krate::__private::ir::complex), at);
    match path {
        Some(path) => quote_spanned!(at=> #home::new(#path(#(#args),*))),
        None => quote_spanned!(at=> #home::#name(#(#args),*)),
    }
}

/// Generated tokens at the place of one of the user's.
pub(super) fn placed(tokens: TokenStream, at: Span) -> TokenStream {
    tokens
        .into_iter()
        .map(|mut token| {
            token.set_span(at);
            token
        })
        .collect()
}
