//! The options of `#[flash::kernel(..)]`.

use proc_macro2::{Ident, Span, TokenStream};
use syn::spanned::Spanned as _;

use super::{natives, order};
use crate::ast::{OptionAst, ValueAst, at_commas};
use crate::body::words::first;
use crate::diag::Diagnostics;
use crate::kernel::model::{MAX_RANK, Options};
use crate::{names, rules};

/// Every option by name.
const KNOWN: &[&str] = &[
    "inputs",
    "sort_by",
    "group_by",
    "part_by",
    "searchable",
    "index_table",
    "idempotent",
    "requires",
    "fast_math",
    "portable",
    "deterministic",
    "when",
    "rank",
    "crate",
    "unsafe",
];

/// Those that may be given several times.
const MANY: &[&str] = &["unsafe", "group_by"];

/// What `requires(..)` can name, and the variant of `flash_rt::descriptor::Need`.
const NEEDS: &[(&str, &str)] = &[
    ("f64", "F64"),
    ("f16", "F16"),
    ("atomics", "Atomics"),
    ("atomics64", "Atomics64"),
    ("byte_stores", "ByteStores"),
    ("barrier", "Barrier"),
    ("sub_groups", "SubGroups"),
];

/// What the options say.
#[derive(Debug)]
pub(super) struct Read {
    pub(super) options: Options,
    pub(super) krate: syn::Path,
    /// Instance lists by generic parameter.
    pub(super) lists: Vec<(Ident, TokenStream)>,
    pub(super) inputs_at: Option<Span>,
    /// `when = parameter`
    pub(super) when: Option<Ident>,
    /// `rank = n`
    pub(super) rank: Option<(usize, Span)>,
    /// The lists of each native implementation, by position in `options.natives`.
    pub(super) native_lists: Vec<natives::Lists>,
}

/// Reads the options; `generics` may be keys too.
pub(super) fn read(options: &[OptionAst], generics: &[Ident], diag: &mut Diagnostics) -> Read {
    let mut read = Read {
        options: Options::default(),
        krate: names::default_krate(),
        lists: Vec::new(),
        inputs_at: None,
        when: None,
        rank: None,
        native_lists: Vec::new(),
    };
    let mut seen: Vec<String> = Vec::new();
    for option in options {
        let key = option.key.to_string();
        if !MANY.contains(&key.as_str()) && !once(&mut seen, &option.key, diag) {
            continue;
        }
        if generics.contains(&option.key) {
            match &option.value {
                ValueAst::Eq(list) => read.lists.push((option.key.clone(), list.clone())),
                _ => form(option, &format!("{key} = [..]"), diag),
            }
            continue;
        }
        one(&mut read, option, &key, generics, diag);
    }
    read
}

/// What every kind of device is to run is a body.
pub(super) fn is_portable(portable: Option<Span>, body: bool, diag: &mut Diagnostics) {
    if let (Some(span), false) = (portable, body) {
        diag.error(
            rules::PORTABLE_WITHOUT_BODY,
            span,
            "there is no body that every kind of device could run: write one, or leave this out",
        );
    }
}

fn once(seen: &mut Vec<String>, key: &Ident, diag: &mut Diagnostics) -> bool {
    let word = key.to_string();
    if seen.contains(&word) {
        diag.error(rules::OPTION_TWICE, key.span(), format!("option `{word}` is given twice"));
        return false;
    }
    seen.push(word);
    true
}

fn one(read: &mut Read, option: &OptionAst, key: &str, generics: &[Ident], diag: &mut Diagnostics) {
    match key {
        "idempotent" => read.options.idempotent = flag(option, diag),
        "fast_math" => read.options.fast_math = flag(option, diag),
        "portable" => {
            read.options.portable = flag(option, diag).then(|| option.key.span());
        }
        "deterministic" => read.options.deterministic = flag(option, diag),
        "inputs" => {
            read.options.inputs = number(option, diag);
            read.inputs_at = Some(option.key.span());
        }
        "rank" => {
            read.rank = number(option, diag).map(|rank| (rank as usize, of_value(option)));
            rank_range(read.rank, diag);
        }
        "crate" => {
            if let Some(path) = crate_path(option, diag) {
                read.krate = path;
            }
        }
        "when" => read.when = parameter(option, diag),
        "requires" => read.options.needs = needs(option, diag),
        "unsafe" => natives::read(read, option, diag),
        "sort_by" => order::sort_by(option, &mut read.options.order, diag),
        "group_by" => order::group_by(option, &mut read.options.order, diag),
        "part_by" => read.options.parts = order::part_by(option, diag),
        "index_table" => read.options.table = order::table(option, diag),
        "searchable" => read.options.search = order::search(option, diag),
        "cuda" | "opencl" | "fpga" | "cpu" => diag.error(
            rules::NATIVE_NEEDS_UNSAFE,
            option.key.span(),
            format!("nobody checks what native code does, declare it as `unsafe({key}(..))`"),
        ),
        _ => {
            let known: Vec<String> = generics.iter().map(ToString::to_string).collect();
            let all = || KNOWN.iter().copied().chain(known.iter().map(String::as_str));
            let expected = match names::nearest(key, all()) {
                Some(near) => format!("did you mean `{near}`?"),
                None => format!("expected {}", names::list(all())),
            };
            diag.error(
                rules::UNKNOWN_OPTION,
                option.key.span(),
                format!("unknown kernel option `{key}`, {expected}"),
            );
        }
    }
}

/// Says how an option is written, at what is written in its place.
pub(super) fn form(option: &OptionAst, wanted: &str, diag: &mut Diagnostics) {
    let span = match &option.value {
        ValueAst::List(value) | ValueAst::Eq(value) if !value.is_empty() => first(value),
        _ => option.key.span(),
    };
    form_at(option, span, wanted, diag);
}

/// The same at a token of it.
pub(super) fn form_at(option: &OptionAst, span: Span, wanted: &str, diag: &mut Diagnostics) {
    let message = format!("option `{}` is written `{wanted}`", option.key);
    diag.error(rules::OPTION_FORM, span, message);
}

/// `key`
pub(crate) fn flag(option: &OptionAst, diag: &mut Diagnostics) -> bool {
    let plain = matches!(option.value, ValueAst::Flag);
    if !plain {
        form(option, &option.key.to_string(), diag);
    }
    plain
}

/// `key = parameter`
fn parameter(option: &OptionAst, diag: &mut Diagnostics) -> Option<Ident> {
    let name = match &option.value {
        ValueAst::Eq(value) => syn::parse2::<Ident>(value.clone()).ok(),
        _ => None,
    };
    if name.is_none() {
        form(option, &format!("{} = parameter", option.key), diag);
    }
    name
}

fn number(option: &OptionAst, diag: &mut Diagnostics) -> Option<u32> {
    let value = match &option.value {
        ValueAst::Eq(value) => integer(value),
        _ => None,
    };
    if value.is_none() {
        form(option, &format!("{} = n", option.key), diag);
    }
    value
}

/// Where the value of an option is.
fn of_value(option: &OptionAst) -> Span {
    match &option.value {
        ValueAst::Eq(value) => value.span(),
        _ => option.key.span(),
    }
}

/// An integer literal that fits.
pub(super) fn integer(tokens: &TokenStream) -> Option<u32> {
    syn::parse2::<syn::LitInt>(tokens.clone()).ok()?.base10_parse().ok()
}

fn rank_range(rank: Option<(usize, Span)>, diag: &mut Diagnostics) {
    if let Some((rank, span)) = rank
        && !(1..=MAX_RANK).contains(&rank)
    {
        diag.error(
            rules::RANK_RANGE,
            span,
            format!("`rank = {rank}`: an index space has 1 to {MAX_RANK} dimensions"),
        );
    }
}

/// `rank = n` leaves no id of the body out.
pub(super) fn rank_matches(read: &Read, found: usize, diag: &mut Diagnostics) {
    if let Some((rank, span)) = read.rank
        && rank < found
    {
        diag.error(
            rules::RANK_MATCHES,
            span,
            format!(
                "`rank = {rank}`, but the body has rank {found}, one more than its highest \
                 `global_id`; leave the option out"
            ),
        );
    }
}

/// `crate = path`
pub(crate) fn crate_path(option: &OptionAst, diag: &mut Diagnostics) -> Option<syn::Path> {
    let path = match &option.value {
        ValueAst::Eq(value) => {
            syn::parse::Parser::parse2(syn::Path::parse_mod_style, value.clone()).ok()
        }
        _ => None,
    };
    if path.is_none() {
        diag.error(
            rules::CRATE_PATH,
            option.key.span(),
            "where this crate is found is written `crate = some::path`",
        );
    }
    path
}

fn needs(option: &OptionAst, diag: &mut Diagnostics) -> Vec<Ident> {
    let list = match &option.value {
        ValueAst::List(list) if !list.is_empty() => list,
        _ => {
            form(option, "requires(f64, atomics)", diag);
            return Vec::new();
        }
    };
    let mut out: Vec<Ident> = Vec::new();
    for part in at_commas(list.clone(), false, diag).unwrap_or_default() {
        let text = part.to_string();
        match NEEDS.iter().find(|(word, _)| *word == text) {
            Some((_, variant)) => {
                let need = Ident::new(variant, first(&part));
                if out.contains(&need) {
                    diag.error(
                        rules::NEED_TWICE,
                        first(&part),
                        format!("`requires` names `{text}` twice"),
                    );
                }
                out.push(need);
            }
            None => {
                let words = || NEEDS.iter().map(|(word, _)| *word);
                let expected = match names::nearest(&text, words()) {
                    Some(near) => format!("did you mean `{near}`?"),
                    None => format!("expected {}", names::list(words())),
                };
                diag.error(
                    rules::UNKNOWN_NEED,
                    first(&part),
                    format!("unknown capability `{text}`, {expected}"),
                );
            }
        }
    }
    out
}
