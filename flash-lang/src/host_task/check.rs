//! The rules of host tasks.

use super::model::{Form, HostTask, Param};
use crate::ast::{BodyAst, FnAst, OptionAst, ParamAst};
use crate::body;
use crate::body::words::{pat_anchor, path_anchor, peel_type, type_anchor};
use crate::diag::Diagnostics;
use crate::{kernel, names, rules};

/// Checks a host task.
pub(super) fn task(ast: FnAst, options: &[OptionAst], diag: &mut Diagnostics) -> Option<HostTask> {
    kernel::qualifiers(&ast, "host task", diag);
    no_lifetimes(&ast, diag);
    body::reserved_prefix(&ast.name, diag);
    let krate = read_options(options, diag);
    let params: Vec<Param> = ast.params.iter().filter_map(|param| one(param, diag)).collect();
    names_differ(&params, diag);
    let block = match ast.body {
        BodyAst::Block(block) => block,
        BodyAst::Broken => return None,
        BodyAst::None => {
            diag.error(
                rules::TASK_BODY,
                ast.name.span(),
                format!("host task `{}` has no body, it is written in Rust", ast.name),
            );
            return None;
        }
    };
    Some(HostTask {
        attrs: ast.attrs,
        vis: ast.vis,
        name: ast.name,
        krate,
        generics: ast.generics,
        params,
        ret: ast.ret,
        block,
    })
}

fn no_lifetimes(ast: &FnAst, diag: &mut Diagnostics) {
    for param in &ast.generics.params {
        if let syn::GenericParam::Lifetime(lifetime) = param {
            diag.error(
                rules::TASK_LIFETIME,
                lifetime.lifetime.ident.span(),
                "a host task sees its arrays for one run and names no lifetimes, leave them out",
            );
        }
    }
}

fn read_options(options: &[OptionAst], diag: &mut Diagnostics) -> syn::Path {
    let mut krate = names::default_krate();
    for option in options {
        if option.key == "crate" {
            krate = kernel::crate_path(option, diag).unwrap_or_else(names::default_krate);
            continue;
        }
        diag.error(
            rules::TASK_OPTION,
            option.key.span(),
            format!("a host task has no option `{}`, expected `crate = path`", option.key),
        );
    }
    krate
}

fn names_differ(params: &[Param], diag: &mut Diagnostics) {
    for (at, param) in params.iter().enumerate() {
        if params[..at].iter().any(|other| other.name == param.name) {
            let message = format!("two parameters of this host task are called `{}`", param.name);
            diag.error(rules::TASK_PARAMETER_TWICE, param.name.span(), message);
        }
    }
}

fn one(ast: &ParamAst, diag: &mut Diagnostics) -> Option<Param> {
    let name = match &ast.pat {
        syn::Pat::Ident(name) if name.by_ref.is_none() && name.subpat.is_none() => {
            name.ident.clone()
        }
        other => {
            diag.error(
                rules::TASK_PATTERN,
                pat_anchor(other),
                "a parameter of a host task is one name, take values apart in the body",
            );
            return None;
        }
    };
    body::reserved_prefix(&name, diag);
    let form = form(&ast.ty, diag)?;
    let fills = roles(ast, &form, diag);
    Some(Param { name, pat: ast.pat.clone(), ty: ast.ty.clone(), form, fills })
}

/// `#[out]` on a written array: whether the body writes every element of it.
fn roles(ast: &ParamAst, form: &Form, diag: &mut Diagnostics) -> bool {
    let written = matches!(form, Form::Slice(_, true) | Form::View(_, _, true));
    let mut fills = false;
    for attr in &ast.attrs {
        if attr.path().is_ident("out") && written {
            fills |= matches!(attr.meta, syn::Meta::Path(_));
        } else {
            diag.error(
                rules::TASK_ROLE,
                path_anchor(attr.path()),
                "in a host task only `&mut [T]` and `ViewMut` have a role, `#[out]` or \
                 `#[out(partial)]`",
            );
        }
    }
    fills
}

fn form(ty: &syn::Type, diag: &mut Diagnostics) -> Option<Form> {
    match peel_type(ty) {
        syn::Type::Reference(reference) => {
            let mutable = reference.mutability.is_some();
            match peel_type(&reference.elem) {
                syn::Type::Slice(slice) => Some(Form::Slice((*slice.elem).clone(), mutable)),
                elem if mutable => Some(Form::Cell(elem.clone())),
                _ => Some(Form::Shared(reference.clone())),
            }
        }
        syn::Type::Path(path) => {
            let view = path.path.segments.last();
            match view.filter(|last| last.ident == "View" || last.ident == "ViewMut") {
                Some(last) => view_form(last, diag),
                None => Some(Form::Value),
            }
        }
        syn::Type::ImplTrait(ty) => {
            diag.error(
                rules::TASK_IMPL_TRAIT,
                ty.impl_token.span,
                "name the type of the state: `fn task<S: Trait>(state: &S)`",
            );
            None
        }
        syn::Type::Infer(_) | syn::Type::Never(_) | syn::Type::Macro(_) => {
            diag.error(
                rules::TASK_TYPE,
                type_anchor(ty),
                "a parameter of a host task is an array, `&T` for shared state, or state by value",
            );
            None
        }
        _ => Some(Form::Value),
    }
}

fn view_form(last: &syn::PathSegment, diag: &mut Diagnostics) -> Option<Form> {
    let mut elem = None;
    let mut rank = Some(1);
    if let syn::PathArguments::AngleBracketed(args) = &last.arguments {
        for arg in &args.args {
            match arg {
                syn::GenericArgument::Lifetime(lifetime) if lifetime.ident == "_" => {}
                syn::GenericArgument::Lifetime(lifetime) => {
                    diag.error(
                        rules::TASK_VIEW_LIFETIME,
                        lifetime.ident.span(),
                        format!("`{lifetime}`: a view lives for one run of the task, write `'_`"),
                    );
                    return None;
                }
                syn::GenericArgument::Type(ty) if elem.is_none() => elem = Some(ty.clone()),
                syn::GenericArgument::Const(syn::Expr::Lit(syn::ExprLit {
                    lit: syn::Lit::Int(number),
                    ..
                })) => rank = number.base10_parse().ok(),
                _ => rank = None,
            }
        }
    }
    match (elem, rank) {
        (Some(elem), Some(rank)) => Some(Form::View(elem, rank, last.ident == "ViewMut")),
        _ => {
            diag.error(
                rules::TASK_VIEW,
                last.ident.span(),
                format!(
                    "an array of a host task is written `{}<'_, T, D>` with a literal `D`",
                    last.ident
                ),
            );
            None
        }
    }
}
