//! Helpers on lists of token trees: cutting at commas, finding ranges. It knows no statement.

use proc_macro2::{Delimiter, Spacing, Span, TokenStream, TokenTree};

/// A list of token trees as a stream.
pub(super) fn stream(trees: &[TokenTree]) -> TokenStream {
    trees.iter().cloned().collect()
}

/// Whether a tree is this punctuation mark.
pub(super) fn is_punct(tree: Option<&TokenTree>, mark: char) -> bool {
    matches!(tree, Some(TokenTree::Punct(punct)) if punct.as_char() == mark)
}

/// Whether a tree is this mark and continues with the next one.
pub(super) fn is_joint(tree: Option<&TokenTree>, mark: char) -> bool {
    matches!(tree, Some(TokenTree::Punct(punct))
        if punct.as_char() == mark && punct.spacing() == Spacing::Joint)
}

/// Whether a tree is this word.
pub(super) fn is_word(tree: Option<&TokenTree>, word: &str) -> bool {
    matches!(tree, Some(TokenTree::Ident(ident)) if ident == word)
}

/// Whether a tree is a group with this delimiter.
pub(super) fn is_group(tree: Option<&TokenTree>, delimiter: Delimiter) -> bool {
    matches!(tree, Some(TokenTree::Group(group)) if group.delimiter() == delimiter)
}

/// One token of a tree: a group is known by its opening delimiter.
pub(super) fn anchor(tree: &TokenTree) -> Span {
    match tree {
        TokenTree::Group(group) => group.span_open(),
        other => other.span(),
    }
}

/// The trees inside of a group without delimiters, which `macro_rules!` puts around a fragment.
pub(super) fn bare(trees: &[TokenTree]) -> Vec<TokenTree> {
    match trees {
        [TokenTree::Group(group)] if group.delimiter() == Delimiter::None => {
            bare(&group.stream().into_iter().collect::<Vec<_>>())
        }
        _ => trees.to_vec(),
    }
}

/// Cuts at commas that stand in no group, no `::<..>` and not between the bars of a closure. An
/// empty last piece is dropped.
pub(super) fn split_commas(trees: &[TokenTree]) -> Vec<&[TokenTree]> {
    let mut pieces = Vec::new();
    let (mut from, mut at) = (0, 0);
    while at < trees.len() {
        if is_punct(trees.get(at), ',') {
            pieces.push(&trees[from..at]);
            from = at + 1;
        } else if closure_starts(trees, from, at) {
            at = closure_params_end(trees, at);
        } else if at > 1
            && is_punct(trees.get(at), '<')
            && is_punct(trees.get(at - 1), ':')
            && is_joint(trees.get(at - 2), ':')
        {
            at = angle_end(trees, at);
        }
        at += 1;
    }
    if from < trees.len() {
        pieces.push(&trees[from..]);
    }
    pieces
}

/// Whether a closure's parameters start at `at`: a bar where an expression starts.
fn closure_starts(trees: &[TokenTree], from: usize, at: usize) -> bool {
    is_punct(trees.get(at), '|')
        && (at == from
            || is_word(trees.get(at - 1), "move")
            || is_punct(trees.get(at - 1), '=')
            || is_punct(trees.get(at - 1), '&'))
}

/// The bar that ends the parameters of a closure.
pub(super) fn closure_params_end(trees: &[TokenTree], at: usize) -> usize {
    (at + 1..trees.len()).find(|&k| is_punct(trees.get(k), '|')).unwrap_or(trees.len())
}

/// The `>` that closes the `<` at `at`.
pub(super) fn angle_end(trees: &[TokenTree], at: usize) -> usize {
    let mut depth = 0_usize;
    for (k, tree) in trees.iter().enumerate().skip(at) {
        if is_punct(Some(tree), '<') {
            depth += 1;
        } else if is_punct(Some(tree), '>') && !is_joint(trees.get(k.wrapping_sub(1)), '-') {
            depth -= 1;
            if depth == 0 {
                return k;
            }
        }
    }
    trees.len()
}

/// Where the dots of a range stand in no group: the first dot, and the place after the mark.
pub(super) fn find_range(trees: &[TokenTree]) -> Option<(usize, usize)> {
    let first = (0..trees.len())
        .find(|&k| is_joint(trees.get(k), '.') && is_punct(trees.get(k + 1), '.'))?;
    let inclusive = is_joint(trees.get(first + 1), '.') && is_punct(trees.get(first + 2), '=');
    Some((first, first + 2 + usize::from(inclusive)))
}
