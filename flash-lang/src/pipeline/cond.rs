//! Conditions: `!`, `&&`, `||`, `^`, one comparison, parentheses; whatever stands between is the
//! user's Rust. Shape only: when a leaf is evaluated is decided elsewhere.

use proc_macro2::{Delimiter, Span, TokenTree};

use super::cells::{anchor, angle_end, bare, is_joint, is_punct};
use super::model::Comparison;
use crate::diag::Diagnostics;
use crate::rules;

/// A condition as written.
#[derive(Debug)]
pub(super) enum Ast {
    Leaf(Vec<TokenTree>),
    Compare(Comparison, Vec<TokenTree>, Vec<TokenTree>),
    Not(Box<Ast>),
    Both(Both, Box<[Ast; 2]>),
}

/// An operator between conditions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Both {
    And,
    Or,
    Xor,
}

/// An operator, where it starts and where what follows it does.
struct Found<T> {
    what: T,
    at: usize,
    after: usize,
}

/// Reads a condition; `around` is pointed at where something is missing.
pub(super) fn parse(trees: &[TokenTree], around: Span, diag: &mut Diagnostics) -> Option<Ast> {
    let trees = bare(trees);
    let trees = trees.as_slice();
    if trees.is_empty() {
        let message = "an operand of this condition is missing";
        diag.error(rules::CONDITION, around, message);
        return None;
    }
    for (what, mark) in [(Both::Or, '|'), (Both::And, '&')] {
        if let Some(found) = last(trees, |at| doubled(trees, at, mark).then_some((what, 2))) {
            return both(trees, &found, diag);
        }
    }
    let mut comparisons = all(trees, |at| comparison(trees, at));
    match (comparisons.pop(), comparisons.pop()) {
        (Some(found), None) => {
            let (a, b) = (&trees[..found.at], &trees[found.after..]);
            if a.is_empty() || b.is_empty() {
                let message = "an operand of this comparison is missing";
                diag.error(rules::CONDITION, anchor(&trees[found.at]), message);
                return None;
            }
            return Some(Ast::Compare(found.what, bare(a), bare(b)));
        }
        (Some(_), Some(found)) => {
            let at = comparisons.first().map_or(found.at, |first| first.at);
            let message = "comparisons do not chain: write `a < b && b < c`";
            diag.error(rules::CONDITION, anchor(&trees[at]), message);
            return None;
        }
        _ => {}
    }
    let xor = |at: usize| is_punct(trees.get(at), '^');
    if let Some(found) = last(trees, |at| xor(at).then_some((Both::Xor, 1))) {
        return both(trees, &found, diag);
    }
    if is_punct(trees.first(), '!')
        && !(is_joint(trees.first(), '!') && is_punct(trees.get(1), '='))
    {
        let inner = parse(&trees[1..], anchor(&trees[0]), diag)?;
        return Some(Ast::Not(Box::new(inner)));
    }
    match trees {
        [TokenTree::Group(group)] if group.delimiter() == Delimiter::Parenthesis => {
            let inner: Vec<TokenTree> = group.stream().into_iter().collect();
            parse(&inner, group.span_open(), diag)
        }
        _ => Some(Ast::Leaf(trees.to_vec())),
    }
}

fn both(trees: &[TokenTree], found: &Found<Both>, diag: &mut Diagnostics) -> Option<Ast> {
    let at = anchor(&trees[found.at]);
    let a = parse(&trees[..found.at], at, diag);
    let b = parse(&trees[found.after..], at, diag);
    Some(Ast::Both(found.what, Box::new([a?, b?])))
}

/// `&&` or `||` between two operands.
fn doubled(trees: &[TokenTree], at: usize, mark: char) -> bool {
    is_joint(trees.get(at), mark) && is_punct(trees.get(at + 1), mark)
}

fn comparison(trees: &[TokenTree], at: usize) -> Option<(Comparison, usize)> {
    let is = |mark| is_punct(trees.get(at), mark);
    let equals = is_punct(trees.get(at + 1), '=');
    let joint = |mark| is_joint(trees.get(at), mark);
    Some(match () {
        () if joint('=') && equals => (Comparison::Eq, 2),
        () if joint('!') && equals => (Comparison::Ne, 2),
        () if joint('<') && equals => (Comparison::Le, 2),
        () if joint('>') && equals => (Comparison::Ge, 2),
        () if is('<') && !(joint('<') && is_punct(trees.get(at + 1), '<')) => (Comparison::Lt, 1),
        () if is('>') && !(joint('>') && is_punct(trees.get(at + 1), '>')) => (Comparison::Gt, 1),
        () => return None,
    })
}

/// The operators at the top level, in order. An operator does not start an operand.
fn all<T: Copy>(trees: &[TokenTree], find: impl Fn(usize) -> Option<(T, usize)>) -> Vec<Found<T>> {
    let mut found = Vec::new();
    let mut at = 0;
    while at < trees.len() {
        let generic = at > 1
            && is_punct(trees.get(at), '<')
            && is_punct(trees.get(at - 1), ':')
            && is_joint(trees.get(at - 2), ':');
        let shift = ['<', '>']
            .iter()
            .any(|&mark| is_joint(trees.get(at), mark) && is_punct(trees.get(at + 1), mark));
        let arrow = is_joint(trees.get(at), '-') && is_punct(trees.get(at + 1), '>');
        if generic {
            at = angle_end(trees, at) + 1;
        } else if shift || arrow {
            at += 2;
        } else if let Some((what, length)) = find(at) {
            found.push(Found { what, at, after: at + length });
            at += length;
        } else {
            at += 1;
        }
    }
    found
}

/// The last operator at the top level, so that operators join from the left. At the start, `&&x`
/// and `||` are the user's.
fn last(trees: &[TokenTree], find: impl Fn(usize) -> Option<(Both, usize)>) -> Option<Found<Both>> {
    all(trees, |at| if at > 0 { find(at) } else { None }).pop()
}
