//! The options about the index space: `sort_by`, `group_by`, `part_by`, `searchable`. What they do
//! to a launch is the run time's.

use proc_macro2::{Ident, Span, TokenStream};
use quote::ToTokens;

use super::options::{form, form_at, integer};
use crate::ast::{OptionAst, ValueAst, at_commas};
use crate::body::words::first;
use crate::diag::Diagnostics;
use crate::kernel::model::{Dimension, GroupBy, MAX_RANK, Order, Parts, Table};
use crate::rules;

/// `sort_by(d, ..)`
pub(super) fn sort_by(option: &OptionAst, order: &mut Order, diag: &mut Diagnostics) {
    let Some(parts) = list(option, diag) else { return };
    if parts.is_empty() {
        return form(option, "sort_by(x)` or `sort_by(x, y)", diag);
    }
    for part in &parts {
        let Some(dim) = dimension(part, diag) else { continue };
        if order.sort_by.iter().any(|other| other.number == dim.number) {
            let message =
                format!("`sort_by` names dimension `{part}` twice, the first one decides");
            diag.error(rules::SORT_BY_TWICE, dim.span, message);
        }
        order.sort_by.push(dim);
    }
}

/// How `group_by` is written.
const GROUP_BY: &str = "group_by(x)` or `group_by(x, value)";

/// `group_by(d)`, `group_by(d, value)`
pub(super) fn group_by(option: &OptionAst, order: &mut Order, diag: &mut Diagnostics) {
    let Some(parts) = list(option, diag) else { return };
    let (dim, value) = match parts.as_slice() {
        [dim] => (dim, None),
        [dim, value] => (dim, Some(value)),
        [_, _, more, ..] => return form_at(option, first(more), GROUP_BY, diag),
        [] => return form(option, GROUP_BY, diag),
    };
    let value = value.map(|value| (value, syn::parse2::<syn::Expr>(value.clone())));
    let value = match value {
        None => None,
        Some((_, Ok(value))) => Some(value),
        Some((tokens, Err(_))) => {
            let message = "the value of `group_by(x, value)` is a constant of type `usize`";
            return diag.error(rules::GROUP_BY_VALUE, first(tokens), message);
        }
    };
    let Some(dim) = dimension(dim, diag) else { return };
    let group = GroupBy { dim, value };
    if order.group_by.iter().any(|other| same(other, &group)) {
        let message = "this `group_by` is there already, another one names other phases";
        diag.error(rules::GROUP_BY_TWICE, option.key.span(), message);
    }
    order.group_by.push(group);
}

/// Whether two of them are the same for all that tokens say: values that only rustc knows are not.
fn same(a: &GroupBy, b: &GroupBy) -> bool {
    let text = |group: &GroupBy| match &group.value {
        Some(syn::Expr::Lit(syn::ExprLit { lit: syn::Lit::Int(int), .. })) => {
            Some(int.base10_digits().to_owned())
        }
        value => value.as_ref().map(|value| value.to_token_stream().to_string()),
    };
    a.dim.number == b.dim.number && text(a) == text(b)
}

/// `part_by`, `part_by = function`
pub(super) fn part_by(option: &OptionAst, diag: &mut Diagnostics) -> Parts {
    let function = match &option.value {
        ValueAst::Flag => return Parts::Inferred(option.key.span()),
        ValueAst::Eq(value) => syn::parse2::<syn::ExprPath>(value.clone()).ok(),
        ValueAst::List(_) => None,
    };
    match function {
        Some(function) if function.attrs.is_empty() => Parts::By(function),
        _ => {
            form(option, "part_by = function` or `part_by", diag);
            Parts::Whole
        }
    }
}

/// What elements a block reaches is read off a body, where there is no function that says it.
pub(super) fn parts_are_known(parts: &Parts, body: bool, diag: &mut Diagnostics) {
    if let (Parts::Inferred(span), false) = (parts, body) {
        diag.error(
            rules::PART_BY_WITHOUT_BODY,
            *span,
            "there is no body to see from what a block of items reaches, name a function: \
             `part_by = f` with `f: fn(&[Range<u64>]) -> Vec<ArgRange>`",
        );
    }
}

/// `searchable(exact)`, `searchable(fuzzy)`: a variant of `flash_rt::descriptor::Search`.
pub(super) fn search(option: &OptionAst, diag: &mut Diagnostics) -> Option<Ident> {
    let words = list(option, diag)?;
    let variant = |word: &TokenStream| match word.to_string().as_str() {
        "exact" => Some(Ident::new("Exact", Span::call_site())),
        "fuzzy" => Some(Ident::new("Fuzzy", Span::call_site())),
        _ => None,
    };
    let wanted = "searchable(exact)` or `searchable(fuzzy)";
    match words.as_slice() {
        [word] if variant(word).is_some() => return variant(word),
        [word, more, ..] if variant(word).is_some() => {
            form_at(option, first(more), wanted, diag);
        }
        _ => form(option, wanted, diag),
    }
    None
}

/// `index_table`, `index_table(items, u64)`
pub(super) fn table(option: &OptionAst, diag: &mut Diagnostics) -> Option<Table> {
    let (mut by_item, mut bytes) = (None, None);
    let words = list(option, diag)?;
    let wanted = "index_table` or, of `dimensions` or `items` and of `u32` or `u64`, \
                  `index_table(items, u64)";
    let is_flag = matches!(option.value, ValueAst::Flag);
    if words.is_empty() && !is_flag {
        form(option, wanted, diag);
    }
    for word in &words {
        let fits = match word.to_string().as_str() {
            "dimensions" => by_item.replace(false).is_none(),
            "items" => by_item.replace(true).is_none(),
            "u32" => bytes.replace(4).is_none(),
            "u64" => bytes.replace(8).is_none(),
            _ => false,
        };
        if !fits {
            form_at(option, first(word), wanted, diag);
            break;
        }
    }
    Some(Table { by_item: by_item.unwrap_or(false), bytes, span: option.key.span() })
}

/// A body needs no table.
pub(super) fn table_is_asked_for(table: Option<Table>, body: bool, diag: &mut Diagnostics) {
    if let (Some(table), true) = (table, body) {
        diag.error(
            rules::INDEX_TABLE_OF_BODY,
            table.span,
            "a body has `global_id(0)` for its indices, a table is for native code: leave the option \
             out, or declare the kernel without a body",
        );
    }
}

/// Attributes name dimensions of the index space. Only `rank = n` says how many there are at most;
/// without it a dimension that is named is there.
pub(super) fn within_rank(order: &Order, rank: Option<usize>, diag: &mut Diagnostics) {
    let Some(rank) = rank else { return };
    for dim in order.dimensions() {
        if usize::from(dim.number) >= rank {
            let number = dim.number + 1;
            diag.error(
                rules::DIMENSION_WITHIN_RANK,
                dim.span,
                format!("there is no dimension {number} in a space of `rank = {rank}`"),
            );
        }
    }
}

/// What an option lists; `None` where that is commas alone.
fn list(option: &OptionAst, diag: &mut Diagnostics) -> Option<Vec<TokenStream>> {
    match &option.value {
        ValueAst::List(list) => at_commas(list.clone(), false, diag),
        _ => Some(Vec::new()),
    }
}

/// A dimension: a number from 1, or a letter.
fn dimension(part: &TokenStream, diag: &mut Diagnostics) -> Option<Dimension> {
    let (text, span) = (part.to_string(), first(part));
    let number = match text.as_str() {
        "x" => Some(1),
        "y" => Some(2),
        "z" => Some(3),
        _ => integer(part),
    };
    const MOST: u32 = MAX_RANK as u32;
    match number {
        Some(number @ 1..=MOST) => Some(Dimension { number: (number - 1) as u8, span }),
        Some(number) if number > MOST => {
            let message =
                format!("dimension {number}: an index space has at most {MAX_RANK} dimensions");
            diag.error(rules::DIMENSION_RANGE, span, message);
            None
        }
        _ => {
            diag.error(
                rules::DIMENSION,
                span,
                format!("`{text}` is no dimension, they count from 1 or are named `x`, `y`, `z`"),
            );
            None
        }
    }
}
