//! What a device function becomes: itself, with `flash::math` in place of std's functions so that it
//! gives the same bits everywhere, and a type of its name that carries its body as constant data.

use proc_macro2::TokenStream;
use quote::{ToTokens, quote, quote_spanned};
use syn::visit_mut::{self, VisitMut};

use crate::body::words::{SCALARS, math_arity, peel};
use crate::body::{rounds, scalar};
use crate::groups::standing;
use crate::kernel::expand::ir::{Writer, plain};
use crate::kernel::expand::probe::{is_method, math_assoc, math_call};
use crate::kernel::expand::shadows;
use crate::kernel::model::DeviceFn;
use crate::names;

/// The function and its type.
pub(super) fn device(function: &DeviceFn) -> TokenStream {
    let item = host(function);
    let (vis, name, krate) = (&function.vis, &function.name, &function.krate);
    let (core, ir) = (quote!(#krate::__private::core), quote!(#krate::__private::ir));
    let fast = function.fast_math;
    let writer = Writer::new(krate, &[], &function.body, fast).portable(function.portable);
    let portable = function.portable.then(|| quote!(impl #ir::called::Portable for #name {}));
    let locals = writer.probe.function(function.params.len(), function.ret.as_ref());
    let shadows = shadows::guard(krate, &[], &function.body, function.params.len());
    let text = plain(name);
    let params = function.params.iter().map(|(name, ty)| {
        let name = plain(name);
        quote!((#name, <#ty as #ir::DevTy>::TY))
    });
    let ret = function.ret.as_ref().map_or_else(|| quote!(()), ToTokens::to_token_stream);
    let names = writer.names();
    let body = writer.block(&function.body.block);
    let float = writer.mode();
    quote_spanned! {name.span()=>
        #item

        #[doc(hidden)]
        #[allow(non_camel_case_types, dead_code, missing_debug_implementations, missing_docs)]
        #vis struct #name {
            __private: (),
        }

        #[doc(hidden)]
        const _: () = {
            use #ir::ir as __form;
            #locals
            #shadows
            static __IR: __form::FnIr = __form::FnIr {
                name: #text,
                path: #core::module_path!(),
                file: #core::file!(),
                params: &[#(#params),*],
                ret: <#ret as #ir::DevTy>::TY,
                locals: __form::Locals { names: &[#(#names),*], types: __locals },
                body: #body,
                float: #float,
            };
            impl #ir::DeviceFn for #name {
                const IR: &'static #ir::FnIr = &__IR;
            }
            #portable
        };
    }
}

/// The function for the host.
fn host(function: &DeviceFn) -> TokenStream {
    match syn::parse2::<syn::ItemFn>(function.item.clone()) {
        Ok(mut item) => {
            Rewrite { function }.block_of(&mut item);
            quote!(#[inline] #item)
        }
        // `check` has read it; should it be no function after all, rustc says so.
        Err(_) => function.item.clone(),
    }
}

/// Puts `flash::math` in place of the functions and methods of std that it names, and casts that a
/// compiler packs in place of those that it does not.
struct Rewrite<'f> {
    function: &'f DeviceFn,
}

impl Rewrite<'_> {
    fn block_of(&mut self, item: &mut syn::ItemFn) {
        self.visit_block_mut(&mut item.block);
    }

    /// What a call or method call becomes, if it is one of ours.
    fn replaced(&self, expr: &syn::Expr) -> Option<TokenStream> {
        let DeviceFn { krate, fast_math, .. } = self.function;
        match expr {
            syn::Expr::Cast(cast) if self.rounds(cast) => {
                let (from, to, at) = (&cast.expr, &cast.ty, cast.as_token.span);
                Some(quote_spanned!(at=> #krate::__private::rt::entry::cast::<#to, _>(#from)))
            }
            syn::Expr::MethodCall(call) => {
                let name = ours(&call.method)?;
                if is_method(&name) {
                    return None;
                }
                let receiver = call.receiver.to_token_stream();
                let args: Vec<TokenStream> = std::iter::once(receiver)
                    .chain(call.args.iter().map(ToTokens::to_token_stream))
                    .collect();
                Some(math_call(krate, *fast_math, &name, &args))
            }
            syn::Expr::Call(call) => {
                let syn::Expr::Path(path) = peel(&call.func) else { return None };
                let segments = &path.path.segments;
                let name = ours(&segments.last()?.ident)?;
                let before = segments.get(segments.len().checked_sub(2)?)?.ident.to_string();
                let args: Vec<TokenStream> =
                    call.args.iter().map(ToTokens::to_token_stream).collect();
                if before == "math" {
                    // The user's own path names the strict functions, and their import is used.
                    let fast = || math_call(krate, true, &name, &args);
                    return fast_math.then(fast);
                }
                if !SCALARS.contains(&before.as_str()) && !names::is_upper(&before) {
                    return None;
                }
                let mut ty = path.path.clone();
                ty.segments.pop();
                let last = ty.segments.pop()?;
                ty.segments.push_value(last);
                Some(math_assoc(krate, *fast_math, &ty, &name, &args))
            }
            _ => None,
        }
    }

    /// Whether a cast may be one of a floating point number to an integer.
    fn rounds(&self, cast: &syn::ExprCast) -> bool {
        let from = match peel(&cast.expr) {
            syn::Expr::Lit(lit) if !matches!(lit.lit, syn::Lit::Float(_)) => return false,
            syn::Expr::Cast(inner) => scalar(&inner.ty),
            syn::Expr::Path(path) => path.path.get_ident().and_then(|name| {
                let mut params = self.function.params.iter();
                params.find(|(param, _)| param == name).and_then(|(_, ty)| scalar(ty))
            }),
            _ => None,
        };
        rounds(from, &cast.ty)
    }
}

impl VisitMut for Rewrite<'_> {
    fn visit_expr_mut(&mut self, expr: &mut syn::Expr) {
        visit_mut::visit_expr_mut(self, expr);
        if let Some(tokens) = self.replaced(expr) {
            *expr = syn::Expr::Verbatim(tokens);
        }
    }

    fn visit_block_mut(&mut self, block: &mut syn::Block) {
        visit_mut::visit_block_mut(self, block);
        for stmt in &mut block.stmts {
            let syn::Stmt::Expr(expr, _) = stmt else { continue };
            if matches!(expr, syn::Expr::Binary(_) | syn::Expr::MethodCall(_) | syn::Expr::Cast(_))
            {
                *expr = syn::Expr::Verbatim(standing(expr.to_token_stream()));
            }
        }
    }

    // What has to be constant stays as it is written.
    fn visit_item_mut(&mut self, _: &mut syn::Item) {}
    fn visit_type_mut(&mut self, _: &mut syn::Type) {}
    fn visit_expr_repeat_mut(&mut self, repeat: &mut syn::ExprRepeat) {
        self.visit_expr_mut(&mut repeat.expr);
    }
}

/// The name of a function of `flash::math`.
fn ours(name: &proc_macro2::Ident) -> Option<proc_macro2::Ident> {
    math_arity(&name.to_string())?;
    let powf = name == "powf";
    Some(if powf { proc_macro2::Ident::new("pow", name.span()) } else { name.clone() })
}
