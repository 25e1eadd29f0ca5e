//! The two sides of a line that a lone comparison cuts, as `if i < n / 2 { .. } else { .. }` does:
//! which comparisons do, and the names of the second side. What runs on a side is planned as ever.

use std::collections::HashSet;

use proc_macro2::{Group, Ident, TokenStream, TokenTree};

use super::plan::Cut;
use super::sym::Sym;

/// The most accesses of a body that is written once for each side.
pub(super) const MOST_SITES: usize = 40;

/// As many items are an edge, which the rim runs as fast as a loop of their own would.
const EDGE: i64 = 32;

/// Whether a comparison holds (`true`) or fails (`false`) for no more than an edge of a line or
/// plane; `None` where both sides may be long.
pub(super) fn edge(cut: &Cut) -> Option<bool> {
    let (Cut::Less(low, high) | Cut::AtMost(low, high)) = cut else { return None };
    let is_id = |text: &str| text.strip_prefix("id").is_some_and(|dim| dim.parse::<u8>().is_ok());
    let near =
        |sym: &Sym, id: i64| sym.literal().is_some_and(|number| number.saturating_sub(id) <= EDGE);
    let near_end = |sym: &Sym, id: i64| {
        let (rest, offset) = sym.split();
        let is_end = ["len", "extent", "size"].iter().any(|end| rest.starts_with(end));
        is_end && offset.saturating_sub(id).abs() <= EDGE
    };
    let ((low_rest, low_offset), (high_rest, high_offset)) = (low.split(), high.split());
    match (is_id(&low_rest), is_id(&high_rest)) {
        // i < 4; i < x.len()
        (true, false) if near(high, low_offset) => Some(true),
        (true, false) if near_end(high, low_offset) => Some(false),
        // 4 <= i; x.len() <= i
        (false, true) if near(low, high_offset) => Some(false),
        (false, true) if near_end(low, high_offset) => Some(true),
        _ => None,
    }
}

/// Code of the second side: what the first one binds for the whole line has other names.
pub(super) fn renamed<const N: usize>(parts: [TokenStream; N]) -> [TokenStream; N] {
    let mut bound = HashSet::new();
    for part in &parts {
        bindings(part, &mut bound);
    }
    parts.map(|part| rename(part, &bound))
}

/// The variables that `let`s bind, those in blocks left out.
fn bindings(tokens: &TokenStream, bound: &mut HashSet<String>) {
    let mut binds = false;
    for token in tokens.clone() {
        match token {
            TokenTree::Ident(word) if word == "let" => binds = true,
            TokenTree::Ident(name) if binds && name != "mut" => {
                bound.insert(name.to_string());
            }
            TokenTree::Group(group) if binds => {
                bound.extend(group.stream().into_iter().filter_map(|token| match token {
                    TokenTree::Ident(name) => Some(name.to_string()),
                    _ => None,
                }));
            }
            TokenTree::Punct(punct) if punct.as_char() == '=' => binds = false,
            _ => {}
        }
    }
}

/// The name on the second side.
pub(super) fn other(name: &Ident) -> Ident {
    Ident::new(&format!("{name}_other"), name.span())
}

fn rename(tokens: TokenStream, bound: &HashSet<String>) -> TokenStream {
    let one = |token| match token {
        TokenTree::Ident(name) if bound.contains(&name.to_string()) => {
            TokenTree::Ident(other(&name))
        }
        TokenTree::Group(group) => {
            let mut inner = Group::new(group.delimiter(), rename(group.stream(), bound));
            inner.set_span(group.span());
            TokenTree::Group(inner)
        }
        other => other,
    };
    tokens.into_iter().map(one).collect()
}
