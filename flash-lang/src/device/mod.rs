//! `#[flash::device]`: functions that kernels call. The function stays as it is for the host.

mod check;
mod expand;

use proc_macro2::TokenStream;
use quote::{format_ident, quote};

use crate::diag::{Diagnostics, Errors};
use crate::kernel::item_for_editors;
use crate::kernel::model::DeviceFn;
use crate::{Expansion, ast, groups, scopes};

/// The whole macro: the function and what makes it callable in kernels, or the errors beside the
/// function.
pub fn entry(args: TokenStream, item: TokenStream) -> Expansion {
    match check(args.clone(), item.clone()) {
        Ok(function) => Expansion::right(scopes::joined([&args, &item], expand::device(&function))),
        Err(errors) => Expansion::wrong(errors, [item_for_editors(&item), stand_in(item)]),
    }
}

/// Reads and checks a device function.
fn check(args: TokenStream, item: TokenStream) -> Result<DeviceFn, Errors> {
    let mut diag = Diagnostics::new();
    let small = ast::size(&args, &mut diag) & ast::size(&item, &mut diag);
    let function = if small { read(args, item, &mut diag) } else { None };
    diag.finish()?;
    function.ok_or_else(Errors::unreadable)
}

fn read(args: TokenStream, item: TokenStream, diag: &mut Diagnostics) -> Option<DeviceFn> {
    let (options, item) = (ast::options(args, diag), groups::visible(item));
    let ast = ast::function(item.clone(), diag)?;
    check::function(ast, &options, item, diag)
}

/// A function of the same name that any call fits, for one that has errors.
fn stand_in(item: TokenStream) -> TokenStream {
    let mut unheard = Diagnostics::new();
    let read =
        if ast::size(&item, &mut unheard) { ast::function(item, &mut unheard) } else { None };
    // These errors are already reported; this second reading only looks for a name.
    let _ = unheard.finish();
    let Some(ast) = read.filter(|ast| ast.receiver.is_none()) else { return TokenStream::new() };
    let (vis, name) = (ast.vis, ast.name);
    let params = (0..ast.arity).map(|at| format_ident!("_{at}"));
    let ir = quote!(::flash::__private::ir);
    quote! {
        #[allow(dead_code, unused, missing_docs, clippy::all)]
        #vis fn #name<Result>(#(#params: impl ::core::marker::Sized,)*) -> Result {
            loop {}
        }
        #[allow(non_camel_case_types, dead_code, missing_debug_implementations, missing_docs)]
        #vis struct #name {
            __private: (),
        }
        const _: () = {
            use #ir::ir as __form;
            static __IR: __form::FnIr = __form::FnIr {
                name: "",
                path: "",
                file: "",
                params: &[],
                ret: #ir::Ty::Unit,
                locals: __form::Locals { names: &[], types: ::std::vec::Vec::new },
                body: __form::Block { stmts: &[], tail: ::core::option::Option::None },
                float: __form::FloatMode::Strict,
            };
            impl #ir::DeviceFn for #name {
                const IR: &'static #ir::FnIr = &__IR;
            }
        };
    }
}

#[cfg(test)]
mod tests;
