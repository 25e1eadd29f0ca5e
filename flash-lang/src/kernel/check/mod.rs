//! From a function as written to a [`Kernel`]: every rule of `#[flash::kernel]`.
//!
//! Each pass reports and goes on; the driver decides once. What depends on types is not looked at.

mod generics;
mod natives;
mod options;
mod order;
mod params;

pub(crate) use options::{crate_path, flag};
pub(crate) use params::plain_name;

use proc_macro2::Ident;

use super::model::{Body, Kernel, Param, Role};
use crate::ast::{BodyAst, FnAst, OptionAst};
use crate::body::{self, Host, Lower};
use crate::diag::Diagnostics;
use crate::{names, rules};

/// Checks a kernel. The result is only meaningful when nothing was reported.
pub(crate) fn kernel(ast: FnAst, options: &[OptionAst], diag: &mut Diagnostics) -> Kernel {
    qualifiers(&ast, "kernel", diag);
    result_type(&ast, diag);
    where_clause(&ast, diag);
    body::reserved_prefix(&ast.name, diag);
    let names = generics::names(&ast.generics, diag);
    let mut read = options::read(options, &names, diag);
    let generics = generics::instances(&ast.generics, std::mem::take(&mut read.lists), diag);
    let types: Vec<Ident> = generics
        .iter()
        .filter(|generic| generic.const_ty.is_none())
        .map(|generic| generic.name.clone())
        .collect();
    let mut params = params::params(&ast, diag);
    params::names_differ(&params, diag);
    params::scratch_lengths(&ast, &mut params, &types, diag);
    params::inputs_match(&read.options, read.inputs_at, &params, diag);
    let when = params::predicate(read.when.as_ref(), &params, diag);
    params::no_float_atomics(&read.options, &params, diag);
    natives::args(&mut read, &params, diag);
    let (body, rank) = match &ast.body {
        BodyAst::Block(block) => {
            let (body, rank) = kernel_body(block, &ast.name, &types, &read, &mut params, diag);
            (Some(body), rank)
        }
        BodyAst::None => (None, declared_rank(&read, &params)),
        BodyAst::Broken => (None, 1),
    };
    order::within_rank(&read.options.order, read.rank.map(|(rank, _)| rank), diag);
    let has_body = !matches!(ast.body, BodyAst::None);
    options::is_portable(read.options.portable, has_body, diag);
    order::parts_are_known(&read.options.parts, has_body, diag);
    order::table_is_asked_for(read.options.table, has_body, diag);
    let signature = signature(&ast.name, &generics, &params, rank);
    Kernel {
        attrs: ast.attrs,
        vis: ast.vis,
        name: ast.name,
        krate: read.krate,
        options: read.options,
        generics,
        params,
        when,
        rank,
        body,
        signature,
    }
}

fn kernel_body(
    block: &syn::Block,
    name: &Ident,
    types: &[Ident],
    read: &options::Read,
    params: &mut [Param],
    diag: &mut Diagnostics,
) -> (Body, usize) {
    let lowered = Lower::new(diag, params, types, name, Host::Kernel).body(block);
    let mut body = lowered.body;
    let rank = lowered.ids.last().map_or(1, |dim| usize::from(*dim) + 1);
    options::rank_matches(read, rank, diag);
    let rank = rank.max(raised_rank(read));
    for (dim, span) in lowered.sizes {
        if usize::from(dim) >= rank {
            diag.error(
                rules::SIZE_WITHIN_RANK,
                span,
                format!(
                    "the index space has rank {rank}, by the highest `global_id` and what the \
                     attribute says, so there is no `global_size({dim})`"
                ),
            );
        }
    }
    body::widths(&mut body, params, 0, diag);
    body::uniformity(&mut body, params);
    body::own_places(&mut body, params, &lowered.ids, diag);
    let written = body::always_written(&body.block, params.len());
    for (param, written) in params.iter_mut().zip(written) {
        param.always_written = written && !param.raw && writes(param.role);
    }
    (body, rank)
}

fn writes(role: Role) -> bool {
    matches!(role, Role::InOut | Role::Out | Role::OutPartial | Role::Scratch)
}

/// The rank that the attribute asks for, whatever a body uses.
fn raised_rank(read: &options::Read) -> usize {
    read.rank.map_or(1, |(rank, _)| rank).max(read.options.order.rank())
}

/// The rank of a declaration: `rank = n`, else the geometry of its implementations, else the
/// highest rank of its arrays; all that the attribute names is there.
fn declared_rank(read: &options::Read, params: &[Param]) -> usize {
    let natives = read.options.natives.iter();
    let geometry = natives.map(|native| native.block.len().max(native.grid.len())).max();
    let arrays = params.iter().map(|param| param.rank).max();
    let geometry = geometry.filter(|rank| *rank > 0);
    let rank = read.rank.map(|(rank, _)| rank).or(geometry).or(arrays).unwrap_or(1);
    rank.max(raised_rank(read))
}

/// `const`, `async`, `unsafe`, `extern` and `self`.
pub(crate) fn qualifiers(ast: &FnAst, what: &str, diag: &mut Diagnostics) {
    for word in &ast.qualifiers {
        let (rule, advice) = match word.to_string().as_str() {
            "async" => (rules::NO_ASYNC, "a launch is waited for where it is submitted"),
            "const" => (rules::NO_CONST, "it runs on devices, not in the compiler"),
            "unsafe" => (rules::NO_UNSAFE_FN, "write `unsafe { }` at the access that needs it"),
            _ => (rules::NO_EXTERN, "it is called by FLASH, which knows how"),
        };
        diag.error(rule, word.span(), format!("a {what} is not `{word}`: {advice}"));
    }
    if let Some(span) = ast.receiver {
        diag.error(
            rules::SELF_PARAMETER,
            span,
            format!("a {what} is a free function, pass what it needs of `self` as parameters"),
        );
    }
}

fn result_type(ast: &FnAst, diag: &mut Diagnostics) {
    if let Some(ty) = &ast.ret {
        diag.error(
            rules::NO_RESULT,
            body::words::type_anchor(ty),
            "a kernel has no result, write to a `&mut [T]`, or reduce into a `&mut T`",
        );
    }
}

/// No `where`.
pub(crate) fn where_clause(ast: &FnAst, diag: &mut Diagnostics) {
    if let Some(clause) = &ast.generics.where_clause {
        diag.error(
            rules::NO_WHERE,
            clause.where_token.span,
            "instances are listed by the attribute (`T = [f32, f64]`), `where` has nothing to say",
        );
    }
}

/// FNV-1a-64 of the roles and types as normalised tokens.
fn signature(
    name: &Ident,
    generics: &[super::model::Generic],
    params: &[Param],
    rank: usize,
) -> u64 {
    use std::fmt::Write;
    let mut text = format!("{name}/{rank}");
    for generic in generics {
        let _ = write!(text, "<{}", generic.name);
    }
    for param in params {
        let elem = quote::ToTokens::to_token_stream(&param.elem);
        let _ = write!(text, ";{:?} {:?} {} {elem}", param.role, param.form, param.rank);
    }
    names::fnv1a(&text)
}

#[cfg(test)]
mod tests;
