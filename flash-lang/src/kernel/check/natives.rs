//! Native implementations: `unsafe(cuda(..))` and the like.

use proc_macro2::{Ident, Span, TokenStream};

use super::options::{Read, integer};
use crate::ast::{self, OptionAst, ValueAst, at_commas};
use crate::body::words::first;
use crate::diag::Diagnostics;
use crate::kernel::model::{Native, NativeArg, Param, Role};
use crate::{names, rules};

/// The backends and the keys each knows.
const BACKENDS: &[(&str, &[&str])] = &[
    (
        "cuda",
        &[
            "file",
            "source",
            "path",
            "entry",
            "args",
            "block",
            "grid",
            "shared",
            "family",
            "options",
            "guarded",
            "cooperative",
            "globals",
        ],
    ),
    (
        "opencl",
        &[
            "file", "source", "path", "entry", "args", "block", "grid", "shared", "family",
            "options", "guarded",
        ],
    ),
    ("fpga", &["file", "path", "entry", "args", "block", "grid", "shared", "family", "guarded"]),
    ("cpu", &["path", "entry"]),
];

/// What names parameters in a native implementation, before these are known.
#[derive(Debug, Default)]
pub(super) struct Lists {
    args: Vec<TokenStream>,
    globals: Vec<TokenStream>,
}

/// `unsafe(backend(..), ..)`
pub(super) fn read(read: &mut Read, option: &OptionAst, diag: &mut Diagnostics) {
    let list = match &option.value {
        ValueAst::List(list) if !list.is_empty() => list.clone(),
        _ => {
            diag.error(
                rules::UNSAFE_SYNTAX,
                option.key.span(),
                "`unsafe` holds native implementations: `unsafe(cuda(file = \"k.cu\"))`",
            );
            return;
        }
    };
    for native in ast::options(list, diag) {
        let key = native.key.to_string();
        let Some((_, keys)) = BACKENDS.iter().find(|(name, _)| *name == key) else {
            let all = names::list(BACKENDS.iter().map(|(name, _)| *name));
            diag.error(
                rules::UNKNOWN_BACKEND,
                native.key.span(),
                format!("unknown kind of native code `{key}`, expected {all}"),
            );
            continue;
        };
        let ValueAst::List(inner) = native.value else {
            diag.error(
                rules::NATIVE_FORM,
                native.key.span(),
                format!("`{key}` says where the code is: `{key}(path = \"..\", entry = \"..\")`"),
            );
            continue;
        };
        let (implementation, lists) = one(native.key, keys, ast::options(inner, diag), diag);
        read.options.natives.push(implementation);
        read.native_lists.push(lists);
    }
}

fn one(
    backend: Ident,
    keys: &[&str],
    options: Vec<OptionAst>,
    diag: &mut Diagnostics,
) -> (Native, Lists) {
    let mut native = Native {
        backend,
        file: None,
        source: None,
        path: None,
        entry: None,
        family: None,
        build_options: None,
        block: Vec::new(),
        grid: Vec::new(),
        shared: 0,
        args: Vec::new(),
        guarded: false,
        cooperative: false,
        globals: Vec::new(),
    };
    let mut lists = Lists::default();
    let (mut seen, mut meant) = (Vec::<String>::new(), Vec::<String>::new());
    for option in &options {
        let key = option.key.to_string();
        if seen.contains(&key) {
            diag.error(
                rules::NATIVE_KEY_TWICE,
                option.key.span(),
                format!("`{key}` of `{}` is given twice", native.backend),
            );
            continue;
        }
        seen.push(key.clone());
        if !keys.contains(&key.as_str()) {
            meant.extend(unknown_key(&native.backend, &option.key, keys, diag));
            continue;
        }
        match key.as_str() {
            "file" => native.file = text(option, diag),
            "source" => native.source = constant(option, diag),
            "path" => native.path = text(option, diag),
            "entry" => native.entry = text(option, diag),
            "family" => native.family = text(option, diag),
            "options" => native.build_options = text(option, diag),
            "block" => native.block = extents(option, diag),
            "grid" => native.grid = extents(option, diag),
            "shared" => native.shared = bytes(option, diag),
            "guarded" => native.guarded = super::options::flag(option, diag),
            "cooperative" => native.cooperative = super::options::flag(option, diag),
            "globals" => {
                lists.globals = list(option, "variables: `globals(weights = w)`", diag);
            }
            _ => lists.args = list(option, "parameters: `args(x, n = x.len())`", diag),
        }
    }
    let is_meant = seen.iter().chain(&meant).any(|key| SOURCES.contains(&key.as_str()));
    one_source(&native, is_meant, diag);
    (native, lists)
}

/// Says that there is no such key; the one that was meant, if that shows.
fn unknown_key(
    backend: &Ident,
    key: &Ident,
    keys: &[&str],
    diag: &mut Diagnostics,
) -> Option<String> {
    let word = key.to_string();
    let nearest = names::nearest(&word, keys.iter().copied());
    let expected = match nearest {
        Some(near) => format!("did you mean `{near}`?"),
        None => format!("expected {}", names::list(keys.iter().copied())),
    };
    diag.error(
        rules::UNKNOWN_NATIVE_KEY,
        key.span(),
        format!("`{backend}` has no key `{word}`, {expected}"),
    );
    nearest.map(str::to_owned)
}

/// The keys that say where code comes from.
const SOURCES: [&str; 3] = ["file", "source", "path"];

/// Code comes from one place. Where one `is_meant`, that it is none was said at the key.
fn one_source(native: &Native, is_meant: bool, diag: &mut Diagnostics) {
    let places = [native.file.is_some(), native.source.is_some(), native.path.is_some()];
    let found = match places.into_iter().filter(|is_there| *is_there).count() {
        1 => return,
        0 if is_meant => return,
        0 => "none",
        _ => "several",
    };
    let backend = &native.backend;
    let ways = match backend.to_string().as_str() {
        "cpu" => "`cpu` code is opened at run time, write `path = \"lib.so\"`".to_owned(),
        "fpga" => {
            "`fpga` code comes from `file = \"..\"` (embedded) or `path = \"..\"` (opened at \
                   run time)"
                .to_owned()
        }
        _ => format!(
            "`{backend}` code comes from `file = \"..\"` (embedded), `source = TEXT` or `path = \
             \"..\"` (opened at run time)"
        ),
    };
    let message = if backend == "cpu" { ways } else { format!("{ways}, here are {found}") };
    diag.error(rules::NATIVE_SOURCE, backend.span(), message);
}

/// A constant text: a string, or the name of one.
fn constant(option: &OptionAst, diag: &mut Diagnostics) -> Option<syn::Expr> {
    let constant = match &option.value {
        ValueAst::Eq(value) => syn::parse2(value.clone()).ok(),
        _ => None,
    };
    if constant.is_none() {
        value_form(&option.key, "a text: `source = SAXPY` of a `const SAXPY: &str`", diag);
    }
    constant
}

fn text(option: &OptionAst, diag: &mut Diagnostics) -> Option<syn::LitStr> {
    let text = match &option.value {
        ValueAst::Eq(value) => syn::parse2(value.clone()).ok(),
        _ => None,
    };
    if text.is_none() {
        value_form(&option.key, "a string", diag);
    }
    text
}

fn value_form(key: &Ident, wanted: &str, diag: &mut Diagnostics) {
    diag.error(
        rules::NATIVE_VALUE,
        key.span(),
        format!("`{key}` of a native implementation takes {wanted}"),
    );
}

fn bytes(option: &OptionAst, diag: &mut Diagnostics) -> u32 {
    let bytes = match &option.value {
        ValueAst::Eq(value) => integer(value),
        _ => None,
    };
    if bytes.is_none() {
        value_form(&option.key, "a number of bytes", diag);
    }
    bytes.unwrap_or(0)
}

fn extents(option: &OptionAst, diag: &mut Diagnostics) -> Vec<u32> {
    let parts = match &option.value {
        ValueAst::List(list) => match at_commas(list.clone(), false, diag) {
            Some(parts) => parts,
            None => return Vec::new(),
        },
        _ => Vec::new(),
    };
    let extents: Vec<u32> = parts.iter().filter_map(integer).filter(|extent| *extent > 0).collect();
    if extents.len() != parts.len() || !(1..=3).contains(&extents.len()) {
        value_form(&option.key, "one to three positive extents: `block(16, 16)`", diag);
    }
    extents
}

fn list(option: &OptionAst, of: &str, diag: &mut Diagnostics) -> Vec<TokenStream> {
    match &option.value {
        ValueAst::List(list) => at_commas(list.clone(), false, diag).unwrap_or_default(),
        _ => {
            value_form(&option.key, &format!("a list of {of}"), diag);
            Vec::new()
        }
    }
}

/// Resolves `args(c, a, n = a.len())` and `globals(weights = w)` of every implementation.
pub(super) fn args(read: &mut Read, params: &[Param], diag: &mut Diagnostics) {
    let lists = std::mem::take(&mut read.native_lists);
    for (native, lists) in read.options.natives.iter_mut().zip(lists) {
        for arg in &lists.args {
            native.args.extend(argument(arg, params, diag));
        }
        for filled in &lists.globals {
            native.globals.extend(global(filled, &native.globals, params, diag));
        }
        // What fills a variable is no argument, unless `args` says so.
        if lists.args.is_empty() && !native.globals.is_empty() {
            let fills = |at: usize| {
                native.globals.iter().any(|(_, by)| matches!(by, NativeArg::Param(p) if *p == at))
            };
            native.args =
                (0..params.len()).filter(|&at| !fills(at)).map(NativeArg::Param).collect();
        }
    }
}

/// `weights = w`, beside those before it.
fn global(
    tokens: &TokenStream,
    before: &[(Ident, NativeArg)],
    params: &[Param],
    diag: &mut Diagnostics,
) -> Option<(Ident, NativeArg)> {
    let assign = syn::parse2::<syn::ExprAssign>(tokens.clone()).ok();
    let variable = assign.as_ref().and_then(|assign| match &*assign.left {
        syn::Expr::Path(path) => path.path.get_ident().cloned(),
        _ => None,
    });
    let Some(variable) = variable else {
        let message = format!(
            "`{tokens}`: a variable of the code is filled so: `weights = w`, `n = x.len()`"
        );
        diag.error(rules::NATIVE_GLOBAL, first(tokens), message);
        return None;
    };
    if before.iter().any(|(known, _)| *known == variable) {
        let message = format!("the variable `{variable}` is filled twice");
        diag.error(rules::NATIVE_GLOBAL_TWICE, variable.span(), message);
        return None;
    }
    let by = argument(tokens, params, diag)?;
    if let NativeArg::Param(at) = by
        && !matches!(params[at].role, Role::Value | Role::In)
    {
        let name = &params[at].name;
        let message = format!(
            "`{name}` is written, and the variable `{variable}` gets a copy of what is only read"
        );
        diag.error(rules::NATIVE_GLOBAL_WRITTEN, variable.span(), message);
        return None;
    }
    Some((variable, by))
}

fn argument(tokens: &TokenStream, params: &[Param], diag: &mut Diagnostics) -> Option<NativeArg> {
    let read = syn::parse2::<syn::Expr>(tokens.clone()).ok();
    let read = match read {
        Some(syn::Expr::Assign(assign)) => Some(*assign.right),
        other => other,
    };
    let named = |expr: &syn::Expr| match expr {
        syn::Expr::Path(path) => path.path.get_ident().cloned(),
        _ => None,
    };
    let (name, len) = match &read {
        Some(expr @ syn::Expr::Path(_)) => (named(expr), false),
        Some(syn::Expr::MethodCall(call)) if call.method == "len" && call.args.is_empty() => {
            (named(&call.receiver), true)
        }
        _ => (None, false),
    };
    let Some(name) = name else {
        refuse(
            first(tokens),
            format!("`{tokens}`: an argument is a parameter, or `n = x.len()` of one"),
            diag,
        );
        return None;
    };
    let Some(at) = params.iter().position(|param| param.name == name) else {
        let all = names::list(
            params
                .iter()
                .map(|p| p.name.to_string())
                .collect::<Vec<_>>()
                .iter()
                .map(String::as_str),
        );
        refuse(name.span(), format!("the kernel has no parameter `{name}`, expected {all}"), diag);
        return None;
    };
    if len && params[at].role == Role::Value {
        refuse(name.span(), format!("`{name}` is a value and has no length"), diag);
        return None;
    }
    Some(if len { NativeArg::Len(at) } else { NativeArg::Param(at) })
}

fn refuse(span: Span, message: String, diag: &mut Diagnostics) {
    diag.error(rules::NATIVE_ARGUMENT, span, message);
}
