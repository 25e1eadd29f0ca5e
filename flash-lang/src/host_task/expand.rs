//! The constructor of a host task. It cannot fail and holds no `unsafe`; what it relies on is
//! described at the head of `flash_rt::task`.

use proc_macro2::{Delimiter, Group, Ident, Span, TokenStream};
use quote::{format_ident, quote, quote_spanned};

use super::model::{Form, HostTask, Param};
use crate::ast;
use crate::body::words::type_anchor;
use crate::diag::Diagnostics;

/// The constructor.
pub(super) fn task(task: &HostTask) -> TokenStream {
    let HostTask { attrs, vis, name, krate, generics, params, ret, block } = task;
    let rt = quote!(#krate::__private::rt);
    let (views, env) = (hygienic("views"), hygienic("env"));
    let declared = &generics.params;
    let declared = (!declared.is_empty()).then(|| {
        let list = declared.iter();
        quote!(, #(#list),*)
    });
    let inner = &generics.params;
    let inner = (!inner.is_empty()).then(|| quote!(<#inner>));
    let clause = &generics.where_clause;
    let formal = params.iter().map(|param| formal(param, &rt));
    let states = params.iter().filter_map(|param| state(param, &rt));
    let args = params.iter().filter_map(|param| bound(param, &rt));
    let taken = params.iter().filter_map(|param| taken(param, &views));
    let passed = params.iter().map(|param| passed(param, &env));
    let (pats, types) = (params.iter().map(|p| &p.pat), params.iter().map(|p| &p.ty));
    let arrow = ret.as_ref().map(|ret| quote!(-> #ret));
    let text = name.to_string();
    // rustc speaks about the result at its type, about state at the name of the task.
    let end = ret.as_ref().map_or_else(|| name.span(), type_anchor);
    let outcome = ast::at(quote!(#rt::task::outcome(__run(#(#passed),*))), end);
    let taken = ast::at(taken.collect(), name.span());
    let body = group(Delimiter::Brace, quote!(#taken #outcome), name.span());
    let head = ast::at(quote!(#text, [#(#args),*], move |#views, #env|), name.span());
    let list = group(Delimiter::Parenthesis, quote!(#head #body), name.span());
    let from_parts = ast::at(quote!(#rt::Task::from_parts), name.span());
    let (docs, lints): (Vec<_>, Vec<_>) =
        attrs.iter().partition(|attr| attr.path().is_ident("doc") || attr.path().is_ident("cfg"));
    quote! {
        #(#docs)*
        #(#lints)*
        #[track_caller]
        #vis fn #name<'call #declared>(#(#formal),*) -> #rt::Task<'call> #clause {
            #(#lints)*
            fn __run #inner (#(#pats: #types),*) #arrow #clause #block
            #(#states)*
            #from_parts #list
        }
    }
}

fn group(delimiter: Delimiter, tokens: TokenStream, span: Span) -> Group {
    let mut group = Group::new(delimiter, tokens);
    group.set_span(Span::call_site().located_at(span));
    group
}

fn hygienic(name: &str) -> Ident {
    Ident::new(name, Span::mixed_site())
}

/// The parameter of the constructor.
fn formal(param: &Param, rt: &TokenStream) -> TokenStream {
    let Param { name, ty, form, .. } = param;
    match form {
        Form::Slice(elem, false) => quote!(#name: impl #rt::Arg<'call, &'call [#elem]>),
        Form::Slice(elem, true) => quote!(#name: impl #rt::Arg<'call, &'call mut [#elem]>),
        Form::View(elem, rank, mutable) => {
            let view = view_name(*mutable);
            quote!(#name: impl #rt::Arg<'call, #rt::#view<'call, #elem, #rank>>)
        }
        Form::Cell(elem) => quote!(#name: impl #rt::Arg<'call, &'call mut #elem>),
        Form::Shared(reference) => {
            let mut reference = reference.clone();
            if reference.lifetime.as_ref().is_none_or(|lifetime| lifetime.ident == "_") {
                reference.lifetime = Some(syn::Lifetime::new("'call", Span::call_site()));
            }
            quote!(#name: #reference)
        }
        Form::Value => quote!(#name: impl #rt::task::IntoState<'call, #ty>),
    }
}

fn view_name(mutable: bool) -> Ident {
    format_ident!("{}", if mutable { "ViewMut" } else { "View" })
}

/// State by value becomes what each run takes a copy of.
fn state(param: &Param, rt: &TokenStream) -> Option<TokenStream> {
    let Param { name, ty, form, .. } = param;
    matches!(form, Form::Value)
        .then(|| quote!(let #name = #rt::task::IntoState::<#ty>::into_state(#name);))
}

/// The array as an argument of the task.
fn bound(param: &Param, rt: &TokenStream) -> Option<TokenStream> {
    let name = &param.name;
    let method = match &param.form {
        Form::Slice(_, false) | Form::View(_, _, false) => quote!(read),
        Form::Slice(_, true) | Form::View(_, _, true) if param.fills => quote!(fill),
        Form::Slice(_, true) | Form::View(_, _, true) | Form::Cell(_) => quote!(write),
        Form::Shared(_) | Form::Value => return None,
    };
    let text = name.to_string();
    Some(quote!(#rt::task::TaskArg::#method(#text, #rt::Arg::bind(#name))))
}

/// The array as the body sees it.
fn taken(param: &Param, views: &Ident) -> Option<TokenStream> {
    let name = &param.name;
    let view = match &param.form {
        Form::Slice(elem, false) => quote!(slice::<#elem>()),
        Form::Slice(elem, true) => quote!(slice_mut::<#elem>()),
        Form::View(elem, rank, false) => quote!(view::<#elem, #rank>()),
        Form::View(elem, rank, true) => quote!(view_mut::<#elem, #rank>()),
        Form::Cell(elem) => quote!(cell_mut::<#elem>()),
        Form::Shared(_) | Form::Value => return None,
    };
    Some(quote!(let #name = #views.#view?;))
}

fn passed(param: &Param, env: &Ident) -> TokenStream {
    let name = &param.name;
    match param.form {
        Form::Value => quote_spanned!(name.span()=> #name.get(#env)),
        _ => quote!(#name),
    }
}

/// A constructor that any call fits, for a task that has errors.
pub(super) fn stand_in(item: TokenStream) -> TokenStream {
    let mut unheard = Diagnostics::new();
    let read =
        if ast::size(&item, &mut unheard) { ast::function(item, &mut unheard) } else { None };
    // These errors are already reported; this second reading only looks for a name.
    let _ = unheard.finish();
    let Some(ast) = read else { return TokenStream::new() };
    let (vis, name) = (ast.vis, ast.name);
    let params = (0..ast.arity).map(|at| format_ident!("_{at}"));
    quote! {
        #[allow(dead_code, unused, missing_docs, clippy::all)]
        #vis fn #name<'call>(
            #(#params: impl ::core::marker::Sized,)*
        ) -> ::flash::__private::rt::Task<'call> {
            loop {}
        }
    }
}
