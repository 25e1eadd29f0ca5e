//! Indices that follow a loop variable step by step: `v`, `v + 1`, `2 * v - 1`, also by way of a `let`.
//! Such a one is known before the loop runs. It types nothing.

use proc_macro2::{Ident, TokenStream};
use syn::{BinOp, Expr, ExprBinary, Lit, Local, Pat, Stmt, Type};

use super::model::Moves;
use super::scope::{Meaning, Scope, Uses, text};

/// What an index is in terms of a loop variable; `uses` are its names.
pub(super) fn of(tokens: TokenStream, uses: &Uses, scope: &Scope) -> Option<Moves> {
    let Line { var: Some(var), times, plus } = line(&syn::parse2(tokens).ok()?, uses, scope)?
    else {
        return None;
    };
    let (times, plus) = (usize::try_from(times).ok()?, isize::try_from(plus).ok()?);
    (times > 0).then_some(Moves { var, times, plus })
}

/// So many times a variable, and so much more.
struct Line {
    /// As in the expansion; none where it is a number.
    var: Option<Ident>,
    times: i64,
    plus: i64,
}

fn line(expr: &Expr, uses: &Uses, scope: &Scope) -> Option<Line> {
    match expr {
        Expr::Paren(inner) => line(&inner.expr, uses, scope),
        Expr::Group(inner) => line(&inner.expr, uses, scope),
        Expr::Cast(cast) => {
            let Type::Path(to) = &*cast.ty else { return None };
            to.path.is_ident("usize").then(|| line(&cast.expr, uses, scope))?
        }
        Expr::Lit(lit) => {
            let Lit::Int(number) = &lit.lit else { return None };
            Some(Line { var: None, times: 0, plus: number.base10_parse().ok()? })
        }
        Expr::Path(path) => match scope.meaning(uses, &text(path.path.get_ident()?))? {
            Meaning::Var(var) => Some(Line { var: Some(var.clone()), times: 1, plus: 0 }),
            Meaning::Let(whole, uses) => line(&*value(whole)?, uses, scope),
        },
        Expr::Binary(ExprBinary { left, op, right, .. }) => {
            let (a, b) = (line(left, uses, scope)?, line(right, uses, scope)?);
            combine(a, op, b)
        }
        _ => None,
    }
}

fn combine(a: Line, op: &BinOp, b: Line) -> Option<Line> {
    match op {
        BinOp::Mul(_) => {
            // The product of two variables moves in steps of its own.
            let (line, by) = match (&a.var, &b.var) {
                (_, None) => (a, b.plus),
                (None, _) => (b, a.plus),
                _ => return None,
            };
            let (times, plus) = (line.times.checked_mul(by)?, line.plus.checked_mul(by)?);
            Some(Line { var: line.var, times, plus })
        }
        BinOp::Add(_) | BinOp::Sub(_) => {
            let sign = if matches!(op, BinOp::Add(_)) { 1 } else { -1 };
            let var = match (a.var, b.var) {
                (Some(a), Some(b)) if a != b => return None,
                (a, b) => a.or(b),
            };
            Some(Line {
                var,
                times: a.times.checked_add(b.times.checked_mul(sign)?)?,
                plus: a.plus.checked_add(b.plus.checked_mul(sign)?)?,
            })
        }
        _ => None,
    }
}

/// The value of a `let` of one name.
fn value(whole: &TokenStream) -> Option<Box<Expr>> {
    let Ok(Stmt::Local(Local { pat, init: Some(init), .. })) = syn::parse2(whole.clone()) else {
        return None;
    };
    let pat = match pat {
        Pat::Type(typed) => *typed.pat,
        pat => pat,
    };
    let is_name =
        matches!(&pat, Pat::Ident(name) if name.by_ref.is_none() && name.subpat.is_none());
    (is_name && init.diverge.is_none()).then_some(init.expr)
}
