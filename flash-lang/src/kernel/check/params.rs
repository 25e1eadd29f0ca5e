//! Parameters: their form, role and element type.

use proc_macro2::{Ident, Span, TokenStream};

use crate::ast::{FnAst, ParamAst, at_commas};
use crate::body::words::{first, pat_anchor, path_anchor, peel_type, type_anchor};
use crate::body::{self, Host, Lower};
use crate::diag::Diagnostics;
use crate::kernel::model::{Form, Options, Param, ReduceOp, Role};
use crate::{names, rules};

/// All parameters; one that cannot be understood is reported and stands in as a value, so that
/// the body is still checked.
pub(super) fn params(ast: &FnAst, diag: &mut Diagnostics) -> Vec<Param> {
    ast.params.iter().filter_map(|param| one(param, diag)).collect()
}

fn one(ast: &ParamAst, diag: &mut Diagnostics) -> Option<Param> {
    let name = plain_name(&ast.pat, diag)?;
    body::reserved_prefix(&name, diag);
    let attr = role_attribute(&ast.attrs, diag);
    let (form, elem, rank, mutable) = form(&name, &ast.ty, attr.is_some(), diag)?;
    let role = role(&name, form, mutable, attr, diag);
    if let Role::Reduce { op, .. } = role {
        reducible(&name, &elem, op, diag);
    }
    let wrapper = wrapper(&ast.ty, form);
    Some(Param {
        name,
        role,
        form,
        wrapper,
        elem,
        rank,
        scratch_len: None,
        own: Vec::new(),
        raw: false,
        always_written: false,
    })
}

/// The name, where the pattern is one.
pub(crate) fn plain_name(pat: &syn::Pat, diag: &mut Diagnostics) -> Option<Ident> {
    match pat {
        syn::Pat::Ident(name)
            if name.by_ref.is_none() && name.subpat.is_none() && name.mutability.is_none() =>
        {
            Some(name.ident.clone())
        }
        syn::Pat::Ident(name) if name.mutability.is_some() => {
            diag.error(
                rules::PARAMETER_MUT,
                name.ident.span(),
                format!(
                    "`mut {0}`: a parameter is the same for all items, copy it in the body: \
                     `let mut {0} = {0};`",
                    name.ident
                ),
            );
            Some(name.ident.clone())
        }
        other => {
            diag.error(
                rules::PARAMETER_PATTERN,
                pat_anchor(other),
                "a parameter is one name, take values apart in the body",
            );
            None
        }
    }
}

/// No two parameters of one name.
pub(super) fn names_differ(params: &[Param], diag: &mut Diagnostics) {
    for (at, param) in params.iter().enumerate() {
        if params[..at].iter().any(|other| other.name == param.name) {
            diag.error(
                rules::PARAMETER_TWICE,
                param.name.span(),
                format!("two parameters are called `{}`", param.name),
            );
        }
    }
}

/// The parameter that `when = name` names, which is a `bool`.
pub(super) fn predicate(
    name: Option<&Ident>,
    params: &[Param],
    diag: &mut Diagnostics,
) -> Option<usize> {
    let name = name?;
    let is_bool = |param: &Param| {
        param.role == Role::Value
            && matches!(peel_type(&param.elem), syn::Type::Path(path) if path.path.is_ident("bool"))
    };
    let Some(at) = params.iter().position(|param| param.name == *name) else {
        let bools = || params.iter().filter(|param| is_bool(param));
        let all: Vec<String> = bools().map(|param| param.name.to_string()).collect();
        let hint = match names::nearest(&name.to_string(), all.iter().map(String::as_str)) {
            Some(near) => format!("did you mean `{near}`?"),
            None => format!("add it: `{name}: bool`"),
        };
        diag.error(
            rules::PREDICATE_UNKNOWN,
            name.span(),
            format!("`when = {name}`: the kernel has no parameter of that name, {hint}"),
        );
        return None;
    };
    if !params.get(at).is_some_and(is_bool) {
        diag.error(
            rules::PREDICATE_TYPE,
            name.span(),
            format!(
                "`when = {name}`: what decides whether a launch runs is passed as \
                 `{name}: bool`; at the call it may be a condition"
            ),
        );
        return None;
    }
    Some(at)
}

/// What an attribute on a parameter says.
enum RoleAttr {
    Out(Span),
    OutPartial(Span),
    Scratch(Span),
    Reduce(Span, ReduceOp, bool),
    /// It was reported.
    Faulty,
}

fn role_attribute(attrs: &[syn::Attribute], diag: &mut Diagnostics) -> Option<RoleAttr> {
    let mut found = None;
    for attr in attrs {
        let span = path_anchor(attr.path());
        let name = attr.path().get_ident().map(ToString::to_string).unwrap_or_default();
        let args = match &attr.meta {
            syn::Meta::List(list) => Some(list.tokens.clone()),
            _ => None,
        };
        let role = match name.as_str() {
            "out" => out_attribute(span, args, diag),
            "scratch" => {
                if args.is_none_or(|args| args.is_empty()) {
                    diag.error(
                        rules::SCRATCH_SYNTAX,
                        span,
                        "a scratch array needs its length: `#[scratch(n)]`",
                    );
                }
                RoleAttr::Scratch(span)
            }
            "reduce" => reduce_attribute(span, args, diag),
            _ => {
                unknown_attribute(&name, span, diag);
                continue;
            }
        };
        if found.is_some() {
            diag.error(
                rules::ROLE_TWICE,
                span,
                "a parameter has one role, this is the second attribute",
            );
        }
        found = Some(role);
    }
    found
}

fn unknown_attribute(name: &str, span: Span, diag: &mut Diagnostics) {
    let known = ["out", "scratch", "reduce"];
    let hint = names::nearest(name, known)
        .map_or_else(String::new, |near| format!(", did you mean `#[{near}]`?"));
    diag.error(
        rules::UNKNOWN_ROLE,
        span,
        format!(
            "unknown role `{name}`, expected `#[out]`, `#[out(partial)]`, `#[scratch(n)]` or \
             `#[reduce(op)]`{hint}"
        ),
    );
}

fn out_attribute(span: Span, args: Option<TokenStream>, diag: &mut Diagnostics) -> RoleAttr {
    match args.map(|args| args.to_string()) {
        None => RoleAttr::Out(span),
        Some(args) if args == "partial" => RoleAttr::OutPartial(span),
        Some(args) => {
            diag.error(
                rules::OUT_SYNTAX,
                span,
                format!(
                    "`#[out({args})]`: an output is `#[out]`, or `#[out(partial)]` where the \
                     launch leaves elements as they were"
                ),
            );
            RoleAttr::Faulty
        }
    }
}

fn reduce_attribute(span: Span, args: Option<TokenStream>, diag: &mut Diagnostics) -> RoleAttr {
    let Some(parts) = at_commas(args.unwrap_or_default(), false, diag) else {
        return RoleAttr::Faulty;
    };
    let op = match parts.first().map(|op| op.to_string()).as_deref() {
        Some("+") => Some(ReduceOp::Add),
        Some("*") => Some(ReduceOp::Mul),
        Some("min") => Some(ReduceOp::Min),
        Some("max") => Some(ReduceOp::Max),
        Some("&") => Some(ReduceOp::And),
        Some("|") => Some(ReduceOp::Or),
        Some("^") => Some(ReduceOp::Xor),
        _ => None,
    };
    let into = parts.get(1).map(|word| word.to_string());
    let well = parts.len() <= 2 && into.as_deref().is_none_or(|word| word == "into");
    match op {
        Some(op) if well => RoleAttr::Reduce(span, op, into.is_some()),
        _ => {
            diag.error(
                rules::REDUCE_SYNTAX,
                span,
                "a reduction is `#[reduce(op)]` or `#[reduce(op, into)]`, where `op` is one of \
                 `+ * min max & | ^`",
            );
            RoleAttr::Faulty
        }
    }
}

type Shape = (Form, syn::Type, usize, bool);

/// The form of a type, from its tokens.
fn form(name: &Ident, ty: &syn::Type, has_role: bool, diag: &mut Diagnostics) -> Option<Shape> {
    match peel_type(ty) {
        syn::Type::Reference(reference) => {
            no_lifetime(reference.lifetime.as_ref(), diag);
            let mutable = reference.mutability.is_some();
            match peel_type(&reference.elem) {
                syn::Type::Slice(slice) => Some(slice_form(name, &slice.elem, mutable, diag)),
                syn::Type::Path(path) if let Some(elem) = vector_of(&path.path) => {
                    let word = if mutable { "mut " } else { "" };
                    let text = quote::ToTokens::to_token_stream(&elem);
                    diag.error(
                        rules::VECTOR_PARAMETER,
                        path_anchor(&path.path),
                        format!(
                            "`{name}`: a kernel takes the elements, not the vector: write \
                             `&{word}[{text}]`, to which vectors bind too"
                        ),
                    );
                    Some((Form::Slice, elem, 1, mutable))
                }
                elem if mutable => {
                    if !has_role {
                        let text = quote::ToTokens::to_token_stream(elem);
                        diag.error(
                            rules::CELL_NEEDS_REDUCE,
                            reference.and_token.span,
                            format!(
                                "`{name}` is one value for all work items: to write \
                                 `{name}[i]` take `{name}: &mut [{text}]`, to add to it write \
                                 `#[reduce(+)] {name}: &mut {text}` (or another operation)"
                            ),
                        );
                    }
                    Some((Form::Cell, elem.clone(), 0, true))
                }
                _ => {
                    diag.error(
                        rules::REFERENCE_TO_VALUE,
                        reference.and_token.span,
                        format!(
                            "`{name}` is a reference to one value: take it by value, or an array \
                             as `&[T]` or `View<'_, T, D>`"
                        ),
                    );
                    Some((Form::Value, (*reference.elem).clone(), 0, false))
                }
            }
        }
        syn::Type::Path(path) if path.qself.is_none() => path_form(name, path, diag),
        array @ syn::Type::Array(_) => Some((Form::Value, array.clone(), 0, false)),
        other => {
            diag.error(
                rules::PARAMETER_TYPE,
                type_anchor(other),
                format!(
                    "`{name}`: not a type of a kernel parameter, which is a value, `&[T]`, \
                     `&mut [T]`, `View<'_, T, D>`, `ViewMut<'_, T, D>`, `&[Atomic<T>]`, or \
                     `#[reduce(op)] &mut T`"
                ),
            );
            None
        }
    }
}

/// The element type of a `Vec<T>`.
fn vector_of(path: &syn::Path) -> Option<syn::Type> {
    let last = path.segments.last().filter(|last| last.ident == "Vec")?;
    let syn::PathArguments::AngleBracketed(args) = &last.arguments else { return None };
    match args.args.first() {
        Some(syn::GenericArgument::Type(elem)) => Some(elem.clone()),
        _ => None,
    }
}

fn no_lifetime(lifetime: Option<&syn::Lifetime>, diag: &mut Diagnostics) {
    if let Some(lifetime) = lifetime
        && lifetime.ident != "_"
    {
        diag.error(
            rules::ARRAY_LIFETIME,
            lifetime.ident.span(),
            format!("`{lifetime}`: arrays live for one call, leave the lifetime out or write `'_`"),
        );
    }
}

/// The path of the type around the elements, without its arguments: naming it as the user does
/// lets rustc see that their import is used.
fn wrapper(ty: &syn::Type, form: Form) -> Option<syn::Path> {
    let mut ty = peel_type(ty);
    while let syn::Type::Reference(syn::TypeReference { elem, .. })
    | syn::Type::Slice(syn::TypeSlice { elem, .. }) = ty
    {
        ty = peel_type(elem);
    }
    match (ty, form) {
        (syn::Type::Path(path), Form::View | Form::Atomics) => {
            let mut path = path.path.clone();
            path.segments.last_mut()?.arguments = syn::PathArguments::None;
            Some(path)
        }
        _ => None,
    }
}

/// `Atomic<T>`, by its tokens.
fn atomic_elem(ty: &syn::Type) -> Option<&syn::Type> {
    let syn::Type::Path(path) = peel_type(ty) else { return None };
    let last = path.path.segments.last().filter(|last| last.ident == "Atomic")?;
    let syn::PathArguments::AngleBracketed(args) = &last.arguments else { return None };
    match args.args.first() {
        Some(syn::GenericArgument::Type(elem)) if args.args.len() == 1 => Some(elem),
        _ => None,
    }
}

fn slice_form(name: &Ident, elem: &syn::Type, mutable: bool, diag: &mut Diagnostics) -> Shape {
    match atomic_elem(elem) {
        Some(elem) => {
            if mutable {
                diag.error(
                    rules::ATOMIC_SHARED,
                    name.span(),
                    format!("`{name}`: atomic cells are shared, take them as `&[Atomic<T>]`"),
                );
            }
            (Form::Atomics, elem.clone(), 1, true)
        }
        None => {
            elem_shape(name, elem, diag);
            (Form::Slice, elem.clone(), 1, mutable)
        }
    }
}

/// Of a `bool` there are the reductions by bit operations.
fn reducible(name: &Ident, elem: &syn::Type, op: ReduceOp, diag: &mut Diagnostics) {
    if let syn::Type::Path(path) = peel_type(elem)
        && path.path.is_ident("bool")
        && !matches!(op, ReduceOp::And | ReduceOp::Or | ReduceOp::Xor)
        && !diag.has(rules::CELL_NEEDS_REDUCE)
    {
        diag.error(
            rules::REDUCE_BOOL,
            path_anchor(&path.path),
            format!(
                "`{name}`: a `bool` is reduced by `&` (all), `|` (any) or `^` (odd): \
                 `#[reduce(|)] {name}: &mut bool`; numbers are added, multiplied and compared"
            ),
        );
    }
}

/// An element is a path or a small array; `bool` has no one layout.
fn elem_shape(name: &Ident, elem: &syn::Type, diag: &mut Diagnostics) {
    match peel_type(elem) {
        syn::Type::Path(path) if path.path.is_ident("bool") => diag.error(
            rules::BOOL_ELEMENT,
            path_anchor(&path.path),
            format!("`{name}`: `bool` is a value, not an element; use `u8`, 0 or 1"),
        ),
        syn::Type::Path(_) | syn::Type::Array(_) => {}
        other => diag.error(
            rules::ELEMENT_TYPE,
            type_anchor(other),
            format!(
                "`{name}`: an element is a number or a struct that derives `flash::Pod`; give \
                 arrays of arrays as `View<'_, T, 2>`"
            ),
        ),
    }
}

fn path_form(name: &Ident, path: &syn::TypePath, diag: &mut Diagnostics) -> Option<Shape> {
    let last = path.path.segments.last()?;
    let mutable = last.ident == "ViewMut";
    if !mutable && last.ident != "View" {
        return Some((Form::Value, syn::Type::Path(path.clone()), 0, false));
    }
    let syn::PathArguments::AngleBracketed(args) = &last.arguments else {
        view_syntax(name, last.ident.span(), diag);
        return None;
    };
    let (mut elem, mut rank) = (None, None);
    for arg in &args.args {
        match arg {
            syn::GenericArgument::Lifetime(lifetime) => no_lifetime(Some(lifetime), diag),
            syn::GenericArgument::Type(ty) if elem.is_none() => elem = Some(ty.clone()),
            syn::GenericArgument::Const(syn::Expr::Lit(syn::ExprLit {
                lit: syn::Lit::Int(number),
                ..
            })) if elem.is_some() && rank.is_none() => rank = number.base10_parse::<usize>().ok(),
            other => {
                view_syntax(name, first(other), diag);
                return None;
            }
        }
    }
    let Some(elem) = elem else {
        view_syntax(name, last.ident.span(), diag);
        return None;
    };
    let rank = rank.unwrap_or(1);
    if !(1..=4).contains(&rank) {
        diag.error(
            rules::VIEW_RANK,
            last.ident.span(),
            format!("`{name}` has rank {rank}, views have rank 1 to 4"),
        );
        return None;
    }
    elem_shape(name, &elem, diag);
    Some((Form::View, elem, rank, mutable))
}

fn view_syntax(name: &Ident, span: Span, diag: &mut Diagnostics) {
    diag.error(
        rules::VIEW_SYNTAX,
        span,
        format!(
            "`{name}`: a view is written `View<'_, T, D>` or `ViewMut<'_, T, D>` with a literal \
             rank `D`"
        ),
    );
}

fn role(
    name: &Ident,
    form: Form,
    mutable: bool,
    attr: Option<RoleAttr>,
    diag: &mut Diagnostics,
) -> Role {
    let plain = match (form, mutable) {
        (Form::Value, _) => Role::Value,
        (Form::Atomics, _) => Role::Atomic,
        (Form::Cell, _) => Role::Reduce { op: ReduceOp::Add, into: false },
        (Form::Slice | Form::View, false) => Role::In,
        (Form::Slice | Form::View, true) => Role::InOut,
    };
    let writable = matches!(plain, Role::InOut);
    let (span, wanted, role) = match attr {
        None | Some(RoleAttr::Faulty) => return plain,
        Some(RoleAttr::Out(span)) => (span, "out", Role::Out),
        Some(RoleAttr::OutPartial(span)) => (span, "out", Role::OutPartial),
        Some(RoleAttr::Scratch(span)) => (span, "scratch", Role::Scratch),
        Some(RoleAttr::Reduce(span, op, into)) => {
            if form != Form::Cell {
                diag.error(
                    rules::REDUCE_FORM,
                    span,
                    format!("`{name}`: a reduction is declared `#[reduce(op)] {name}: &mut T`"),
                );
                return plain;
            }
            return Role::Reduce { op, into };
        }
    };
    if !writable || (role == Role::Scratch && form != Form::Slice) {
        let (rule, forms) = if role == Role::Scratch {
            (rules::SCRATCH_FORM, "`&mut [T]`")
        } else {
            (rules::OUT_FORM, "`&mut [T]` or `ViewMut<'_, T, D>`")
        };
        diag.error(rule, span, format!("`{name}`: `#[{wanted}]` stands before {forms}"));
        return plain;
    }
    role
}

/// Lengths of scratch arrays, over the values and extents of the other parameters.
pub(super) fn scratch_lengths(
    ast: &FnAst,
    params: &mut [Param],
    types: &[Ident],
    diag: &mut Diagnostics,
) {
    for written in &ast.params {
        let syn::Pat::Ident(name) = &written.pat else { continue };
        let attr = written.attrs.iter().find(|attr| attr.path().is_ident("scratch"));
        let Some(syn::Meta::List(list)) = attr.map(|attr| &attr.meta) else { continue };
        if list.tokens.is_empty() {
            continue;
        }
        let length = match syn::parse2::<syn::Expr>(list.tokens.clone()) {
            Ok(length) => length,
            Err(error) => {
                diag.syntax(rules::SCRATCH_SYNTAX, &error);
                continue;
            }
        };
        let lowered = Lower::new(diag, params, types, &ast.name, Host::Length).alone(&length);
        if let Some(param) = params.iter_mut().find(|param| param.name == name.ident) {
            param.scratch_len = Some(lowered);
        }
    }
}

/// `inputs = n`: exactly the first `n` parameters are values and inputs, and what is read and
/// written comes before what is written only.
pub(super) fn inputs_match(
    options: &Options,
    at: Option<Span>,
    params: &[Param],
    diag: &mut Diagnostics,
) {
    let (Some(inputs), Some(at)) = (options.inputs, at) else { return };
    let inputs = inputs as usize;
    let is_input = |param: &Param| matches!(param.role, Role::Value | Role::In);
    let found = params.iter().take_while(|param| is_input(param)).count();
    let all = params.iter().filter(|param| is_input(param)).count();
    if found != inputs || all != inputs {
        let message = if found == all {
            format!("`inputs = {inputs}`, but the signature begins with {found} values and inputs")
        } else {
            format!(
                "`inputs = {inputs}` asks for all values and inputs first, here {found} of {all} are"
            )
        };
        diag.error(rules::INPUTS_COUNT, at, message);
    }
    let first_out =
        params.iter().position(|param| matches!(param.role, Role::Out | Role::OutPartial));
    let late = first_out
        .and_then(|at| params[at..].iter().find(|param| matches!(param.role, Role::InOut)));
    if let Some(late) = late {
        diag.error(
            rules::OUTPUTS_LAST,
            late.name.span(),
            format!(
                "`{}` is read and written; with `inputs = n` such parameters come before those \
                 marked `#[out]`",
                late.name
            ),
        );
    }
}

/// `deterministic`: the order of float atomics is not fixed.
pub(super) fn no_float_atomics(options: &Options, params: &[Param], diag: &mut Diagnostics) {
    if !options.deterministic {
        return;
    }
    for param in params.iter().filter(|param| param.role == Role::Atomic) {
        let float = matches!(&param.elem, syn::Type::Path(path)
            if path.path.is_ident("f32") || path.path.is_ident("f64"));
        if float {
            diag.error(
                rules::DETERMINISTIC_ATOMICS,
                param.name.span(),
                format!(
                    "`{}`: the sum of float atomics depends on their order, which `deterministic` \
                     excludes; use a reduction, or integers",
                    param.name
                ),
            );
        }
    }
}
