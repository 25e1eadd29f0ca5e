//! The rules of device functions; their bodies follow those of kernels.

use proc_macro2::{Ident, TokenStream};

use crate::ast::{BodyAst, FnAst, OptionAst};
use crate::body::words::{first, path_anchor, peel_type, type_anchor};
use crate::body::{self, Host, Lower};
use crate::diag::Diagnostics;
use crate::kernel::model::DeviceFn;
use crate::{kernel, names, rules};

/// Checks a device function. The result is only meaningful when nothing was reported.
pub(super) fn function(
    ast: FnAst,
    options: &[OptionAst],
    item: TokenStream,
    diag: &mut Diagnostics,
) -> Option<DeviceFn> {
    kernel::qualifiers(&ast, "device function", diag);
    no_generics(&ast, diag);
    kernel::where_clause(&ast, diag);
    body::reserved_prefix(&ast.name, diag);
    let (krate, fast_math, portable) = read_options(options, diag);
    let params = params(&ast, diag);
    let ret = ast.ret.as_ref().and_then(result);
    if let Some(ty) = &ret {
        by_value(ty, diag);
    }
    let block = match &ast.body {
        BodyAst::Block(block) => block,
        BodyAst::Broken => return None,
        BodyAst::None => {
            diag.error(
                rules::DEVICE_BODY,
                ast.name.span(),
                format!("`{}` has no body, a device function is written in Rust", ast.name),
            );
            return None;
        }
    };
    let mut lower = Lower::new(diag, &[], &[], &ast.name, Host::Device(ret.is_some()));
    for (name, ty) in &params {
        lower.argument(name, ty);
    }
    let mut body = lower.body(block).body;
    ends_in_value(&body.block, ret.is_some(), &ast.name, diag);
    body::widths(&mut body, &[], params.len(), diag);
    body::uniformity(&mut body, &[]);
    Some(DeviceFn {
        item,
        vis: ast.vis,
        name: ast.name,
        krate,
        fast_math,
        portable,
        params,
        ret,
        body,
    })
}

/// The result type, where it is not `()`.
fn result(ty: &syn::Type) -> Option<syn::Type> {
    let unit = matches!(peel_type(ty), syn::Type::Tuple(tuple) if tuple.elems.is_empty());
    (!unit).then(|| ty.clone())
}

fn read_options(options: &[OptionAst], diag: &mut Diagnostics) -> (syn::Path, bool, bool) {
    let (mut krate, mut fast_math, mut portable) = (names::default_krate(), false, false);
    for option in options {
        match option.key.to_string().as_str() {
            "crate" => {
                krate = kernel::crate_path(option, diag).unwrap_or_else(names::default_krate)
            }
            "fast_math" => fast_math = kernel::flag(option, diag),
            "portable" => portable = kernel::flag(option, diag),
            other => diag.error(
                rules::DEVICE_OPTION,
                option.key.span(),
                format!(
                    "a device function has no option `{other}`, expected `fast_math`, `portable` or \
                     `crate`"
                ),
            ),
        }
    }
    (krate, fast_math, portable)
}

fn no_generics(ast: &FnAst, diag: &mut Diagnostics) {
    if let Some(param) = ast.generics.params.first() {
        let span = match param {
            syn::GenericParam::Lifetime(param) => param.lifetime.ident.span(),
            syn::GenericParam::Type(param) => param.ident.span(),
            syn::GenericParam::Const(param) => param.ident.span(),
        };
        diag.error(
            rules::DEVICE_GENERIC,
            span,
            "a device function is not generic, write one for each type",
        );
    }
}

fn params(ast: &FnAst, diag: &mut Diagnostics) -> Vec<(Ident, syn::Type)> {
    let mut out: Vec<(Ident, syn::Type)> = Vec::new();
    for param in &ast.params {
        if let Some(attr) = param.attrs.first() {
            diag.error(
                rules::DEVICE_ROLE,
                path_anchor(attr.path()),
                "arguments of device functions are values and have no roles",
            );
        }
        let Some(name) = kernel::plain_name(&param.pat, diag) else { continue };
        if out.iter().any(|(other, _)| *other == name) {
            let message = format!("two arguments are called `{name}`");
            diag.error(rules::DEVICE_ARGUMENT_TWICE, name.span(), message);
        }
        by_value(&param.ty, diag);
        out.push((name, param.ty.clone()));
    }
    out
}

/// Arguments and results are values.
fn by_value(ty: &syn::Type, diag: &mut Diagnostics) {
    match peel_type(ty) {
        syn::Type::Array(_) => {}
        syn::Type::Path(path)
            if path
                .path
                .segments
                .last()
                .is_none_or(|last| last.ident != "View" && last.ident != "ViewMut") => {}
        syn::Type::Path(path) => refuse_type(path_anchor(&path.path), diag),
        syn::Type::Reference(reference) => refuse_type(first(&reference.and_token), diag),
        other => refuse_type(type_anchor(other), diag),
    }
}

fn refuse_type(span: proc_macro2::Span, diag: &mut Diagnostics) {
    diag.error(
        rules::DEVICE_TYPE,
        span,
        "a device function takes and gives values: numbers, small arrays, structs that derive \
         `flash::Pod`; take the elements it needs as arguments",
    );
}

/// A body with a result ends in one, or leaves by `return`.
fn ends_in_value(
    block: &crate::kernel::model::Block,
    wanted: bool,
    name: &Ident,
    diag: &mut Diagnostics,
) {
    let leaves = block.tail.is_some()
        || matches!(
            block.stmts.last(),
            Some(
                crate::kernel::model::Stmt::Return(..)
                    | crate::kernel::model::Stmt::While(None, ..)
                    | crate::kernel::model::Stmt::Unsafe(..)
            )
        );
    if wanted && !leaves {
        diag.error(
            rules::DEVICE_RESULT,
            name.span(),
            format!("the body of `{name}` does not end in a value, leave out the last `;`"),
        );
    }
}
