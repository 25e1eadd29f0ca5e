//! Generic parameters and their instance lists.

use proc_macro2::{Ident, TokenStream};
use syn::parse::Parser;

use crate::ast::at_commas;
use crate::body;
use crate::body::words::first;
use crate::diag::Diagnostics;
use crate::kernel::model::Generic;
use crate::rules;

/// The names of the type and const parameters; what is not allowed on them is reported.
pub(super) fn names(generics: &syn::Generics, diag: &mut Diagnostics) -> Vec<Ident> {
    let mut names = Vec::new();
    for param in &generics.params {
        match param {
            syn::GenericParam::Lifetime(lifetime) => diag.error(
                rules::NO_LIFETIMES,
                lifetime.lifetime.ident.span(),
                "a kernel has no lifetimes, its arrays live for one call",
            ),
            syn::GenericParam::Type(ty) => {
                if let Some(colon) = &ty.colon_token {
                    diag.error(
                        rules::NO_BOUNDS,
                        colon.span,
                        format!(
                            "`{0}` stands for the types listed by `{0} = [..]`, leave the bounds \
                             out",
                            ty.ident
                        ),
                    );
                }
                if let Some((eq, _)) = &ty.default {
                    refuse_default(eq.span, diag);
                }
                names.push(ty.ident.clone());
            }
            syn::GenericParam::Const(constant) => {
                if let Some((eq, _)) = &constant.default {
                    refuse_default(eq.span, diag);
                }
                names.push(constant.ident.clone());
            }
        }
    }
    for name in &names {
        body::reserved_prefix(name, diag);
    }
    names
}

fn refuse_default(span: proc_macro2::Span, diag: &mut Diagnostics) {
    diag.error(
        rules::NO_DEFAULTS,
        span,
        "generic parameters of kernels have no defaults, list the instances in the attribute",
    );
}

/// Brings the lists of the attribute to the parameters.
pub(super) fn instances(
    generics: &syn::Generics,
    mut lists: Vec<(Ident, TokenStream)>,
    diag: &mut Diagnostics,
) -> Vec<Generic> {
    let mut out = Vec::new();
    for param in &generics.params {
        let (name, const_ty) = match param {
            syn::GenericParam::Lifetime(_) => continue,
            syn::GenericParam::Type(ty) => (ty.ident.clone(), None),
            syn::GenericParam::Const(constant) => {
                (constant.ident.clone(), Some(constant.ty.clone()))
            }
        };
        let at = lists.iter().position(|(key, _)| *key == name);
        let Some((key, tokens)) = at.map(|at| lists.swap_remove(at)) else {
            let example = if const_ty.is_some() { "[8, 16]" } else { "[f32, f64]" };
            diag.error(
                rules::GENERIC_NEEDS_INSTANCES,
                name.span(),
                format!(
                    "kernels are compiled for listed instances: write \
                     `#[flash::kernel({name} = {example})]`"
                ),
            );
            continue;
        };
        let instances = list(&key, tokens, const_ty.is_some(), diag);
        out.push(Generic { name, const_ty, instances });
    }
    out
}

fn list(
    key: &Ident,
    tokens: TokenStream,
    constant: bool,
    diag: &mut Diagnostics,
) -> Vec<TokenStream> {
    let content = |input: syn::parse::ParseStream<'_>| {
        let content;
        syn::bracketed!(content in input);
        content.parse::<TokenStream>()
    };
    let parts = match content.parse2(tokens) {
        Ok(content) => match at_commas(content, true, diag) {
            Some(parts) => parts,
            None => return Vec::new(),
        },
        Err(_) => {
            diag.error(
                rules::INSTANCE_LIST,
                key.span(),
                format!("instances of `{key}` are a list in brackets: `{key} = [..]`"),
            );
            return Vec::new();
        }
    };
    if parts.is_empty() {
        diag.error(
            rules::INSTANCE_LIST_EMPTY,
            key.span(),
            format!("`{key} = []` leaves no instance to compile, name at least one"),
        );
    }
    let mut seen: Vec<String> = Vec::new();
    for part in &parts {
        let read = if constant {
            syn::parse2::<syn::Expr>(part.clone()).map(drop)
        } else {
            syn::parse2::<syn::Type>(part.clone()).map(drop)
        };
        if read.is_err() {
            let (what, example) = match constant {
                true => ("a constant expression", "[8, 2 * LANES]"),
                false => ("a type", "[f32, my::Point]"),
            };
            diag.error(
                rules::INSTANCE_SYNTAX,
                first(part),
                format!("an instance of `{key}` is {what}, as in `{key} = {example}`"),
            );
        }
        let text = part.to_string();
        if seen.contains(&text) {
            diag.error(
                rules::INSTANCE_TWICE,
                first(part),
                format!("instance `{text}` of `{key}` is listed twice"),
            );
        }
        seen.push(text);
    }
    parts
}
