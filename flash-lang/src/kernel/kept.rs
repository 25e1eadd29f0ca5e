//! What is emitted beside errors, so that one mistake is not reported twice: the item for editors,
//! and a constructor that any call fits.

use proc_macro2::TokenStream;
use quote::{format_ident, quote};

use crate::ast::{self, FnAst};
use crate::diag::Diagnostics;

/// The item of a kernel that has errors.
pub(super) fn kernel(item: TokenStream) -> TokenStream {
    let (constructor, method) = constructor(item.clone());
    // In an `impl` there is no place for a constant that holds the item.
    let kept = if method { TokenStream::new() } else { item_for_editors(&item) };
    quote!(#kept #constructor)
}

/// The item where only editors see it: rustc would report in it what is reported already.
pub(crate) fn item_for_editors(item: &TokenStream) -> TokenStream {
    let item = ast::with_body(ast::without_roles(item.clone()));
    quote! {
        #[allow(unexpected_cfgs)]
        const _: () = {
            #[cfg(rust_analyzer)]
            #item
        };
    }
}

/// A function of the kernel's name and arity that takes anything, and whether it is a method.
fn constructor(item: TokenStream) -> (TokenStream, bool) {
    let mut unheard = Diagnostics::new();
    let read =
        if ast::size(&item, &mut unheard) { ast::function(item, &mut unheard) } else { None };
    // These errors are already reported; this second reading only looks for a name.
    let _ = unheard.finish();
    let Some(FnAst { vis, name, arity, receiver, .. }) = read else {
        return (TokenStream::new(), false);
    };
    let params = (0..arity).map(|at| format_ident!("_{at}"));
    let constructor = quote! {
        #[allow(dead_code, unused, missing_docs, non_snake_case, clippy::all)]
        #vis fn #name<'call, const RANK: usize>(
            #(#params: impl ::core::marker::Sized,)*
        ) -> ::flash::__private::rt::Call<'call, RANK> {
            loop {}
        }
    };
    (constructor, receiver.is_some())
}
