//! What is made ready before the first item of a line: indices, and the rows that loops read along.
//! It writes no items.

use proc_macro2::{Span, TokenStream};
use quote::quote;
use syn::BinOp;

use super::body::{Mode, Writer};
use super::names::{self, Names, plain};
use super::plan::Plan;
use super::stretch::{Run, Sign, Stretch, bare};
use crate::kernel::model::{Expr, ExprKind};

/// A `usize` before the first item; where the user's arithmetic fails it is some number, which is
/// looked at no more. With `across`, it is the value of the first item of the line.
pub(super) fn early(plan: &Plan<'_>, expr: &Expr, across: bool) -> Option<TokenStream> {
    let core = Names::new(plan.kernel).core();
    let lo = plain("__lo");
    let written = || {
        let (plan, mode) = (Some(plan), Mode::Fast);
        let kernel = plan.map(|plan| plan.kernel)?;
        Some(Writer { plan, kernel, mode, along: false, abreast: true }.expr(expr))
    };
    match &expr.kind {
        ExprKind::GlobalId(0) => across.then(|| quote!(#lo)),
        ExprKind::Local(local) => match plan.body.locals[*local].id_of {
            Some(0) => across.then(|| quote!(#lo)),
            Some(dim) => {
                let id = names::id(dim, expr.span);
                Some(quote!(#id))
            }
            None => early(plan, plan.syms.init(*local)?, across),
        },
        ExprKind::Paren(inner) => early(plan, inner, across),
        ExprKind::Binary(a, op @ (BinOp::Div(_) | BinOp::Rem(_)), b) => {
            let ExprKind::Lit(syn::Lit::Int(by)) = &bare(b).kind else { return None };
            let a = early(plan, a, false)?;
            by.base10_parse::<u32>().is_ok_and(|by| by > 0).then(|| quote!((#a #op #by)))
        }
        ExprKind::Binary(a, op, b) => {
            let method = match op {
                BinOp::Add(_) => quote!(wrapping_add),
                BinOp::Sub(_) => quote!(wrapping_sub),
                BinOp::Mul(_) => quote!(wrapping_mul),
                _ => return None,
            };
            let (a, b) = (early(plan, a, across)?, early(plan, b, across)?);
            Some(quote!(#core::primitive::usize::#method(#a, #b)))
        }
        ExprKind::Cast(inner, _) => match bare(inner).kind {
            ExprKind::Param(_) => written(),
            _ => None,
        },
        ExprKind::Lit(_)
        | ExprKind::Const(_)
        | ExprKind::Param(_)
        | ExprKind::GlobalId(_)
        | ExprKind::Launch(_)
        | ExprKind::Len(_)
        | ExprKind::Extent(..) => written(),
        _ => None,
    }
}

/// The row or rows that an access along a loop reads in the trips `__from .. __from + __trips`, for
/// the `__n` items of a line, and the number that says whether they are all there: `__trips`, but
/// where each item has a row of its own.
pub(super) fn rows(plan: &Plan<'_>, stretch: &Stretch<'_>) -> Option<(TokenStream, TokenStream)> {
    let core = Names::new(plan.kernel).core();
    let (from, trips, n) = (plain("__from"), plain("__trips"), plain("__n"));
    let access = stretch.access;
    let first = match stretch.offset {
        None => quote!(#from),
        Some((sign, offset)) => {
            let offset = early(plan, offset, false)?;
            let method = match sign {
                Sign::Plus => quote!(wrapping_add),
                Sign::Minus => quote!(wrapping_sub),
            };
            quote!(#core::primitive::usize::#method(#from, #offset))
        }
    };
    let mut index = Vec::new();
    for (c, component) in access.index.iter().enumerate() {
        let across = stretch.run == Run::Across && c + 1 == access.index.len()
            || stretch.own.as_ref().is_some_and(|moves| moves.get(c) == Some(&1));
        index.push(match c == stretch.component {
            true => first.clone(),
            false => early(plan, component, across)?,
        });
    }
    let array = names::param(access.param, Span::call_site());
    let slice = names::stretch(access.site);
    let moves = (0..access.index.len()).map(|c| usize::from(c == stretch.component));
    if let Some(moves) = &stretch.own {
        let moves = moves.iter().copied().chain([0]);
        let rows = quote!(#array.window([#(#index),*], [#(#moves),*], #trips, #n));
        return Some((rows, quote!(#slice.rows())));
    }
    Some(match stretch.run {
        Run::Along => (quote!(#array.row([#(#index),*], #trips)), quote!(#slice.len())),
        Run::Down => {
            (quote!(#array.window([#(#index),*], [#(#moves),*], 1, #trips)), quote!(#slice.rows()))
        }
        Run::Across => {
            (quote!(#array.window([#(#index),*], [#(#moves),*], #n, #trips)), quote!(#slice.rows()))
        }
    })
}
