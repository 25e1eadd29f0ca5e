//! `#[derive(flash::Pod)]`: structures that are elements of arrays.
//!
//! What the tokens show is refused at the field; the rest is checked by rustc when the expansion is
//! compiled. The `unsafe impl` is the only `unsafe` that any expansion of ours holds.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{quote, quote_spanned};

use crate::ast::{self, ValueAst, at};
use crate::body::words::{first, path_anchor, peel_type, type_anchor};
use crate::diag::{Diagnostics, Errors};
use crate::{Expansion, groups, kernel, names, rules};

/// The whole derive.
pub fn entry(item: TokenStream) -> Expansion {
    match check(item.clone()) {
        Ok(layout) => Expansion::right(expand(&layout)),
        Err(errors) => {
            // A field that is an address would be reported once more.
            let address = [rules::POD_POINTER, rules::POD_REFERENCE];
            let addresses = errors.iter().any(|error| address.contains(&error.rule));
            Expansion::wrong(errors, (!addresses).then(|| stand_in(item)))
        }
    }
}

/// A structure whose tokens show nothing wrong.
#[derive(Debug)]
struct Layout {
    name: Ident,
    krate: syn::Path,
    fields: Vec<(syn::Member, Span, syn::Type)>,
}

fn check(item: TokenStream) -> Result<Layout, Errors> {
    let mut diag = Diagnostics::new();
    let layout = if ast::size(&item, &mut diag) { read(item, &mut diag) } else { None };
    diag.finish()?;
    layout.ok_or_else(Errors::unreadable)
}

fn read(item: TokenStream, diag: &mut Diagnostics) -> Option<Layout> {
    let input: syn::DeriveInput = match syn::parse2(groups::visible(item)) {
        Ok(input) => input,
        Err(error) => {
            diag.syntax(rules::SYNTAX, &error);
            return None;
        }
    };
    let data = match &input.data {
        syn::Data::Struct(data) => data,
        syn::Data::Enum(data) => {
            not_a_struct(data.enum_token.span, "an enum", diag);
            return None;
        }
        syn::Data::Union(data) => {
            not_a_struct(data.union_token.span, "a union", diag);
            return None;
        }
    };
    let krate = helper_attributes(&input.attrs, diag);
    layout_is_fixed(&input, diag);
    not_generic(&input.generics, diag);
    if data.fields.is_empty() {
        diag.error(
            rules::POD_EMPTY,
            input.ident.span(),
            format!("`{}` has no fields, and an element has a size above zero", input.ident),
        );
    }
    let mut fields = Vec::new();
    for (at, field) in data.fields.iter().enumerate() {
        field_type(&field.ty, diag);
        let (member, span) = match &field.ident {
            Some(name) => (syn::Member::Named(name.clone()), name.span()),
            None => {
                let span = type_anchor(&field.ty);
                let index = syn::Index { index: u32::try_from(at).unwrap_or(u32::MAX), span };
                (syn::Member::Unnamed(index), span)
            }
        };
        fields.push((member, span, field.ty.clone()));
    }
    Some(Layout { name: input.ident, krate, fields })
}

fn not_a_struct(span: Span, what: &str, diag: &mut Diagnostics) {
    diag.error(
        rules::POD_STRUCT,
        span,
        format!(
            "{what} has bit patterns that are no value, `flash::Pod` is derived for a \
             `#[repr(C)]` struct"
        ),
    );
}

/// `#[flash(crate = path)]`
fn helper_attributes(attrs: &[syn::Attribute], diag: &mut Diagnostics) -> syn::Path {
    let mut krate = names::default_krate();
    for attr in attrs.iter().filter(|attr| attr.path().is_ident("flash")) {
        let tokens = match &attr.meta {
            syn::Meta::List(list) => list.tokens.clone(),
            _ => TokenStream::new(),
        };
        let before = diag.len();
        let options = ast::options(tokens, diag);
        if options.is_empty() && diag.len() == before {
            helper_form(path_anchor(attr.path()), diag);
        }
        for option in &options {
            match (&option.value, option.key == "crate") {
                (ValueAst::Eq(_), true) => {
                    krate = kernel::crate_path(option, diag).unwrap_or_else(names::default_krate);
                }
                _ => helper_form(option.key.span(), diag),
            }
        }
    }
    krate
}

fn helper_form(span: Span, diag: &mut Diagnostics) {
    diag.error(
        rules::POD_OPTION,
        span,
        "beside `derive(flash::Pod)` the attribute is `#[flash(crate = path)]`",
    );
}

fn layout_is_fixed(input: &syn::DeriveInput, diag: &mut Diagnostics) {
    let mut words = Vec::new();
    let mut at = input.ident.span();
    for attr in input.attrs.iter().filter(|attr| attr.path().is_ident("repr")) {
        if let syn::Meta::List(list) = &attr.meta {
            at = path_anchor(attr.path());
            let parts = ast::at_commas(list.tokens.clone(), false, diag);
            words.extend(parts.unwrap_or_default().iter().map(ToString::to_string));
        }
    }
    let name = &input.ident;
    if !words.iter().any(|word| word == "C" || word == "transparent") {
        diag.error(
            rules::POD_REPR,
            name.span(),
            format!("the layout of `{name}` is rustc's choice, fix it with `#[repr(C)]`"),
        );
    }
    if words.iter().any(|word| word.starts_with("packed")) {
        diag.error(
            rules::POD_PACKED,
            at,
            format!("`{name}` is packed, and devices need aligned fields; leave `packed` out"),
        );
    }
}

fn not_generic(generics: &syn::Generics, diag: &mut Diagnostics) {
    if let Some(param) = generics.params.first() {
        let span = match param {
            syn::GenericParam::Lifetime(param) => param.lifetime.ident.span(),
            syn::GenericParam::Type(param) => param.ident.span(),
            syn::GenericParam::Const(param) => param.ident.span(),
        };
        diag.error(
            rules::POD_GENERIC,
            span,
            "a generic struct has no one layout, write one struct for each type",
        );
    }
}

fn field_type(ty: &syn::Type, diag: &mut Diagnostics) {
    match peel_type(ty) {
        syn::Type::Path(path) if path.path.is_ident("bool") => diag.error(
            rules::POD_BOOL,
            path_anchor(&path.path),
            "`bool` has bit patterns that are no value, use `u8`, 0 or 1",
        ),
        syn::Type::Path(path) if path.path.is_ident("char") => diag.error(
            rules::POD_CHAR,
            path_anchor(&path.path),
            "`char` has bit patterns that are no value, use `u32`",
        ),
        syn::Type::Path(_) => {}
        syn::Type::Array(array) => field_type(&array.elem, diag),
        syn::Type::Reference(reference) => diag.error(
            rules::POD_REFERENCE,
            first(&reference.and_token),
            "an address means nothing on another device, hold the value or an index",
        ),
        syn::Type::Ptr(pointer) => diag.error(
            rules::POD_POINTER,
            first(&pointer.star_token),
            "a pointer means nothing on another device, hold the value or an index",
        ),
        other => diag.error(
            rules::POD_FIELD,
            type_anchor(other),
            "a field is a number, an array of numbers, or a struct that derives `flash::Pod`",
        ),
    }
}

fn expand(layout: &Layout) -> TokenStream {
    let Layout { name, krate, fields } = layout;
    let core = quote!(#krate::__private::core);
    let ir = quote!(#krate::__private::ir);
    let text = name.to_string();
    let entries = fields.iter().map(|(member, _, ty)| {
        let text = match member {
            syn::Member::Named(name) => name.to_string().trim_start_matches("r#").to_owned(),
            syn::Member::Unnamed(index) => index.index.to_string(),
        };
        quote! {
            #ir::FieldTy {
                name: #text,
                offset: #core::mem::offset_of!(#name, #member),
                ty: <#ty as #ir::DevTy>::TY,
            }
        }
    });
    // Named at the field's type, so that rustc says there what is no `Pod`.
    let bounds = fields.iter().map(|(_, _, ty)| {
        let at = Span::mixed_site().located_at(type_anchor(ty));
        let check = Ident::new("__is_pod", at);
        quote_spanned!(at=> #check::<#ty>();)
    });
    // In front of each field, where the one before it ends; spoken at the field.
    let gaps = fields.windows(2).map(|pair| {
        let ((before, _, ty), (member, span, _)) = (&pair[0], &pair[1]);
        let message = format!(
            "padding in front of this field of `{text}`, which would be copied to devices \
             uninitialised: put larger fields first, or fill the gap with a field"
        );
        let holds = quote! {
            #core::mem::offset_of!(#name, #member)
                == #core::mem::offset_of!(#name, #before) + #core::mem::size_of::<#ty>()
        };
        require(krate, *span, &holds, &message)
    });
    let end = fields.last().map(|(member, _, ty)| {
        let message = format!(
            "`{text}` has padding at its end, which would be copied to devices uninitialised: \
             fill it with a field"
        );
        let holds = quote! {
            #core::mem::size_of::<#name>()
                == #core::mem::offset_of!(#name, #member) + #core::mem::size_of::<#ty>()
        };
        require(krate, name.span(), &holds, &message)
    });
    let size = require(
        krate,
        name.span(),
        &quote!(#core::mem::size_of::<#name>() != 0),
        &format!("`{text}` has size zero, an element has a size above zero"),
    );
    quote! {
        const _: () = {
            const fn __is_pod<T: #krate::__private::rt::Pod>() {}
            const _: () = { #(#bounds)* };
            #(#gaps)*
            #end
            #size
        };
        #[automatically_derived]
        impl #ir::DevTy for #name {
            const TY: #ir::Ty = #ir::Ty::Struct(&#ir::StructTy {
                name: #text,
                size: #core::mem::size_of::<#name>(),
                align: #core::mem::align_of::<#name>(),
                fields: &[#(#entries),*],
            });
        }
        // Every field is `Pod` and follows the one before it, as the constants above assert: no
        // padding, and every bit pattern is a value.
        #[automatically_derived]
        unsafe impl #krate::__private::rt::Pod for #name {}
    }
}

/// A constant that fails at `span` where `holds` does not.
fn require(krate: &syn::Path, span: Span, holds: &TokenStream, message: &str) -> TokenStream {
    let require = quote!(#krate::__private::rt::pod::require);
    let call = at(quote!(#require(#holds, #message)), span);
    quote!(const _: () = #call;)
}

/// Implementations beside errors only, so that uses are not reported too. Nothing is compiled.
fn stand_in(item: TokenStream) -> TokenStream {
    let Ok(input) = syn::parse2::<syn::DeriveInput>(item) else { return TokenStream::new() };
    if !input.generics.params.is_empty() {
        return TokenStream::new();
    }
    let name = &input.ident;
    quote! {
        impl ::flash::__private::ir::DevTy for #name {
            const TY: ::flash::__private::ir::Ty = ::flash::__private::ir::Ty::Unit;
        }
        unsafe impl ::flash::__private::rt::Pod for #name {}
    }
}
