//! Whether the items of lines, or of one line, gain by going side by side. It writes no code.

use std::collections::BTreeSet;

use proc_macro2::TokenStream;

use super::plan::{Plan, Site};
use super::stretch::{Run, Stretch};
use super::walk::Walk;
use crate::kernel::model::{Expr, For};

/// Loops that change more locals keep the processor busy with one line.
const MOST_SUMS: usize = 2;

/// What goes side by side.
#[derive(Clone, Copy)]
pub(super) enum By<'p> {
    /// The same items of lines that follow one another, with what makes their rows.
    Line(&'p TokenStream),
    /// Items of one line.
    Items,
}

/// Whether a loop is one that gains by being gone through by more items together, and can be.
pub(super) fn gains(plan: &Plan<'_>, repeat: &For, by: By<'_>) -> bool {
    let all = plan.stretches.of(repeat).unwrap_or_default();
    let mut inside = Walk::default();
    inside.block(&repeat.body);
    let found = |site| all.iter().any(|stretch| stretch.access.site == site);
    let sums = inside.changed.iter().filter(|local| !inside.lets.contains(local));
    let sums: BTreeSet<_> = sums.collect();
    let alike = || {
        let bounds = [&repeat.lo, &repeat.hi];
        bounds.into_iter().all(|bound| is_even(plan, bound))
            && all.iter().any(|s| s.run == Run::Across && reads_alike(plan, s))
    };
    let across = || all.iter().any(|stretch| stretch.run == Run::Across);
    inside.n_loops + inside.n_calls == 0
        && inside.on_write.is_empty()
        && inside.on_read.iter().all(|access| found(access.site))
        && sums.len() <= MOST_SUMS
        && all.iter().all(|stretch| {
            stretch.group.is_none()
                && stretch.own.is_none()
                && plan.site(stretch.access) == Site::Checked
        })
        && if matches!(by, By::Items) { across() } else { alike() }
}

/// Whether all lines see the same value.
pub(super) fn is_even(plan: &Plan<'_>, expr: &Expr) -> bool {
    plan.syms.of(expr).is_some_and(|sym| !sym.has_id(1))
}

/// Whether all lines read the same elements.
pub(super) fn reads_alike(plan: &Plan<'_>, stretch: &Stretch<'_>) -> bool {
    let index = stretch.access.index.iter().enumerate();
    let mut others = index.filter(|(c, _)| *c != stretch.component);
    others.all(|(_, index)| is_even(plan, index))
        && stretch.offset.is_none_or(|(_, offset)| is_even(plan, offset))
}

/// Whether a number of this type has eight bytes.
pub(super) fn is_wide(elem: &syn::Type) -> bool {
    let wide = ["f64", "i64", "u64", "isize", "usize"];
    matches!(elem, syn::Type::Path(path) if wide.iter().any(|name| path.path.is_ident(name)))
}
