//! The function that users call, and the type beside it.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, format_ident, quote, quote_spanned};
use syn::Attribute;

use super::names::{Names, hidden, var};
use crate::kernel::model::{Form, Kernel, Param, Role};

/// The constructor: its arguments are the kernel's, each through `Arg`.
pub(super) fn constructor(kernel: &Kernel) -> TokenStream {
    let names = Names::outside(kernel);
    let rt = names.rt();
    let (vis, name, rank) = (&kernel.vis, &kernel.name, kernel.rank);
    let attrs = kernel.attrs.iter();
    let when = kernel.when.and_then(|at| kernel.params.get(at)).map(|param| &param.name);
    let decides = |param: &Param| when.is_some_and(|name| param.name == *name);
    let when_call = when.map(|name| quote!(.when(#name)));
    let passed = || kernel.params.iter().filter(|param| param.role != Role::Scratch);
    let params = passed().map(|param| {
        let anchor = &param.name;
        let at = hidden(anchor.span());
        let rt = names.rt_at(at);
        let ty = argument(param, &rt);
        if decides(param) {
            return quote_spanned!(at=> #anchor: impl #rt::IntoCond<'a>);
        }
        quote_spanned!(at=> #anchor: impl #rt::Arg<'a, #ty>)
    });
    let bound = passed().map(|param| {
        let (anchor, ty) = (&param.name, argument(param, &rt));
        if decides(param) {
            // Whenever the body runs, it holds.
            return quote!(<_ as #rt::Arg<'a, #ty>>::bind(true));
        }
        quote!(<_ as #rt::Arg<'a, #ty>>::bind(#anchor))
    });
    let n = passed().count();
    let generics = generics(kernel, Some(&rt));
    let wanted = wanted(kernel);
    let descriptor = if kernel.generics.is_empty() {
        quote!(#name::DESCRIPTOR)
    } else {
        let (of, args) = (trait_name(kernel), generic_args(kernel));
        quote!(<#name as #of<#args>>::DESCRIPTOR)
    };
    quote! {
        #(#attrs)*
        #[track_caller]
        #[inline]
        #[allow(clippy::too_many_arguments, clippy::needless_pass_by_value, clippy::needless_lifetimes)]
        #vis fn #name<'a, #generics>(#(#params),*) -> #rt::Call<'a, #rank> #wanted {
            #rt::Call::with(#descriptor, #rt::ArgRoom::<'a, #n>::new()#(.put(#bound))*)#when_call
        }
    }
}

/// The type of a parameter as the constructor's `Arg` names it.
fn argument(param: &Param, rt: &TokenStream) -> TokenStream {
    let (elem, rank) = (&param.elem, param.rank);
    let written = !matches!(param.role, Role::In | Role::Value | Role::Atomic);
    match param.form {
        Form::Value => quote!(#elem),
        Form::Slice if written => quote!(&'a mut [#elem]),
        Form::Slice => quote!(&'a [#elem]),
        Form::View => match &param.wrapper {
            Some(view) => quote!(#view<'a, #elem, #rank>),
            None if written => quote!(#rt::ViewMut<'a, #elem, #rank>),
            None => quote!(#rt::View<'a, #elem, #rank>),
        },
        Form::Cell => quote!(&'a mut #elem),
        Form::Atomics => match &param.wrapper {
            Some(atomic) => quote!(&'a [#atomic<#elem>]),
            None => quote!(&'a [#rt::Atomic<#elem>]),
        },
    }
}

/// The type of the kernel's name, with its descriptors.
pub(super) fn ty(kernel: &Kernel) -> TokenStream {
    let (vis, name) = (&kernel.vis, &kernel.name);
    let scope = scope_attrs(kernel);
    let doc = format!("The kernel [`{name}()`]; its descriptor.");
    let instances = (!kernel.generics.is_empty()).then(|| instance_trait(kernel));
    quote! {
        #(#scope)*
        #[doc = #doc]
        #[allow(non_camel_case_types, dead_code)]
        #[derive(Clone, Copy, Debug)]
        #vis enum #name {}
        #instances
    }
}

/// The trait that the type of a generic kernel has for each of its instances.
fn instance_trait(kernel: &Kernel) -> TokenStream {
    let names = Names::outside(kernel);
    let rt = names.rt();
    // No bounds: what an instance is not, its list is told.
    let (vis, of, generics) = (&kernel.vis, trait_name(kernel), generics(kernel, None));
    let scope = scope_attrs(kernel);
    let missing = kernel
        .generics
        .iter()
        .map(|generic| format!("`{} = {{{}}}`", generic.name, generic.name))
        .collect::<Vec<_>>()
        .join(", ");
    let message = format!("kernel `{}` has no instance for {missing}", kernel.name);
    let declared = kernel
        .generics
        .iter()
        .map(|generic| {
            let list: Vec<String> = generic.instances.iter().map(text).collect();
            format!("{} = [{}]", generic.name, list.join(", "))
        })
        .collect::<Vec<_>>()
        .join(", ");
    let note = format!("declared for {declared}; add the instance to the list of the kernel");
    quote! {
        #(#scope)*
        #[doc(hidden)]
        #[allow(non_camel_case_types)]
        #[diagnostic::on_unimplemented(message = #message, label = "no such instance", note = #note)]
        #vis trait #of<#generics> {
            const DESCRIPTOR: &'static #rt::KernelDescriptor;
        }
    }
}

/// Tokens as a person would write them in a list.
pub(super) fn text(tokens: &TokenStream) -> String {
    tokens.to_string().replace(" :: ", "::").replace(" < ", "<").replace(" >", ">")
}

/// The name of the trait of a generic kernel's instances.
pub(super) fn trait_name(kernel: &Kernel) -> Ident {
    format_ident!("__flash_{}_instance", kernel.name, span = Span::call_site())
}

/// `T: Pod, const N: usize`, the bound where a path to its crate is given.
fn generics(kernel: &Kernel, rt: Option<&TokenStream>) -> TokenStream {
    let bound = rt.map(|rt| quote!(: #rt::Pod));
    let all = kernel.generics.iter().map(|generic| {
        let name = &generic.name;
        match &generic.const_ty {
            Some(ty) => quote!(const #name: #ty),
            None => quote!(#name #bound),
        }
    });
    quote!(#(#all),*)
}

/// `T, N`
fn generic_args(kernel: &Kernel) -> TokenStream {
    let all = kernel.generics.iter().map(|generic| {
        let name = &generic.name;
        if generic.const_ty.is_some() { quote!({ #name }) } else { quote!(#name) }
    });
    quote!(#(#all),*)
}

fn wanted(kernel: &Kernel) -> Option<TokenStream> {
    (!kernel.generics.is_empty()).then(|| {
        let (name, of, args) = (&kernel.name, trait_name(kernel), generic_args(kernel));
        let at = hidden(name.span());
        quote_spanned!(at=> where #name: #of<#args>)
    })
}

/// The attributes that hold for all generated items: `cfg` and lints.
pub(super) fn scope_attrs(kernel: &Kernel) -> Vec<TokenStream> {
    let holds = |attr: &&Attribute| {
        ["cfg", "allow", "warn", "deny"].iter().any(|name| attr.path().is_ident(name))
    };
    kernel.attrs.iter().filter(holds).map(ToTokens::to_token_stream).collect()
}

/// The variable `__uniforms`.
pub(super) fn uniforms() -> Ident {
    var("__uniforms", Span::call_site())
}
