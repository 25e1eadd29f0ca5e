//! Reads along a loop of an item: `x[k]`, `a[[i, k + 1]]` and `b[[k, i]]` in `for k in lo..hi`. They
//! are checked once for the loop and become elements of slices. It finds them; `body` and `abreast`
//! write them.

use std::collections::{HashMap, HashSet};

use proc_macro2::TokenStream;
use quote::quote;
use syn::BinOp;

use super::group::{Group, GroupKind};
use super::names;
use super::plan::{Kind, kind};
use super::sym::Syms;
use super::walk::Walk;
use crate::kernel::model::{Access, AccessClass, Body, Expr, ExprKind, For, Kernel};

/// Where the elements of an access along its loop are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Run {
    /// One after the other: the loop runs along the last component.
    Along,
    /// One below the other, the same ones for all items of a line.
    Down,
    /// One below the other, and those of neighbouring items side by side.
    Across,
}

impl Run {
    /// The element of an item in a trip of a loop that several items take together, where elements
    /// are one below the other.
    pub(super) fn element(self, site: usize) -> TokenStream {
        let (stretch, item) = (names::stretch(site), names::plain("__r"));
        if self == Self::Across { quote!(#stretch[#item]) } else { quote!(#stretch) }
    }
}

/// One access along its loop.
pub(super) struct Stretch<'k> {
    pub(super) access: &'k Access,
    pub(super) run: Run,
    /// The component that the loop variable stands in.
    pub(super) component: usize,
    /// What is added to the loop variable, or taken from it.
    pub(super) offset: Option<(Sign, &'k Expr)>,
    /// Of runs along the last component, where each item has a row of its own: how much each
    /// component grows from item to item, if that is known.
    pub(super) own: Option<Vec<usize>>,
    /// Where items read alike in groups.
    pub(super) group: Option<Group>,
}

/// The sign of an offset.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sign {
    Plus,
    Minus,
}

/// The loops of a body that have such accesses. Only innermost loops do, so that the body of a loop
/// is written twice at most.
#[derive(Default)]
pub(super) struct Stretches<'k> {
    loops: HashMap<*const For, Vec<Stretch<'k>>>,
    sites: HashSet<usize>,
    columns: HashMap<usize, Run>,
    own: HashSet<usize>,
    groups: HashMap<usize, GroupKind>,
    /// The size of the groups, if all have one; 0 if not.
    by: Option<usize>,
}

impl<'k> Stretches<'k> {
    pub(super) fn find(kernel: &'k Kernel, body: &'k Body, syms: &Syms<'k>) -> Self {
        let mut all = Self::default();
        let mut walk = Walk::default();
        walk.block(&body.block);
        for repeat in walk.on_for {
            let found = along(kernel, body, syms, repeat);
            for stretch in &found {
                if let Some(Group { by, kind }) = stretch.group {
                    all.groups.insert(stretch.access.site, kind);
                    all.by = Some(if all.by.is_none_or(|other| other == by) { by } else { 0 });
                }
                match stretch.run {
                    Run::Along => {
                        all.sites.insert(stretch.access.site);
                        if stretch.own.is_some() {
                            all.own.insert(stretch.access.site);
                        }
                    }
                    run => {
                        all.columns.insert(stretch.access.site, run);
                    }
                }
            }
            if !found.is_empty() {
                all.loops.insert(std::ptr::from_ref(repeat), found);
            }
        }
        all
    }

    /// Whether there are none that a loop over items makes use of.
    pub(super) fn is_empty(&self) -> bool {
        self.sites.is_empty()
    }

    /// The accesses along a loop.
    pub(super) fn of(&self, repeat: &For) -> Option<&[Stretch<'k>]> {
        self.loops.get(&std::ptr::from_ref(repeat)).map(Vec::as_slice)
    }

    /// Whether an access is along its loop, along the last component.
    pub(super) fn has(&self, site: usize) -> bool {
        self.sites.contains(&site)
    }

    /// Whether an access is along its loop, in a row of the item's own.
    pub(super) fn is_own(&self, site: usize) -> bool {
        self.own.contains(&site)
    }

    /// Whether there are accesses in rows of the items' own.
    pub(super) fn any_own(&self) -> bool {
        !self.own.is_empty()
    }

    /// How many items a group has, where items read alike in groups.
    pub(super) fn group_size(&self) -> Option<usize> {
        self.by.filter(|by| *by > 0)
    }

    /// How an access is read alike in groups.
    pub(super) fn group(&self, site: usize) -> Option<GroupKind> {
        self.groups.get(&site).copied()
    }

    /// Whether an access is along its loop, across the rows of its array.
    pub(super) fn column(&self, site: usize) -> Option<Run> {
        self.columns.get(&site).copied()
    }
}

/// The accesses along an innermost loop over a plain range.
fn along<'k>(
    kernel: &'k Kernel,
    body: &'k Body,
    syms: &Syms<'k>,
    repeat: &'k For,
) -> Vec<Stretch<'k>> {
    let plain = !repeat.inclusive && !repeat.rev && repeat.step.is_none();
    if !plain || body.locals[repeat.local].mutable {
        return Vec::new();
    }
    let mut inner = Walk::default();
    inner.block(&repeat.body);
    if inner.n_loops > 0 {
        return Vec::new();
    }
    // What is the same in each trip and may be evaluated before the first one: it cannot fail.
    let stable = |expr: &Expr| match &expr.kind {
        ExprKind::Lit(_) | ExprKind::Param(_) | ExprKind::GlobalId(_) => true,
        ExprKind::Local(local) => {
            *local != repeat.local && !body.locals[*local].mutable && !inner.lets.contains(local)
        }
        _ => is_sure(body, expr),
    };
    // Neighbours of the items along the line: those loops are better turned over items.
    let along_line = |expr: &Expr| is_id(body, expr);
    let offset = |last: &'k Expr| -> Option<Option<(Sign, &'k Expr)>> {
        let is_variable =
            |e: &Expr| matches!(bare(e).kind, ExprKind::Local(l) if l == repeat.local);
        let last = bare(last);
        if is_variable(last) {
            return Some(None);
        }
        match &last.kind {
            ExprKind::Binary(a, BinOp::Add(_), b) if is_variable(a) && stable(bare(b)) => {
                Some(Some((Sign::Plus, bare(b))))
            }
            ExprKind::Binary(a, BinOp::Add(_), b) if is_variable(b) && stable(bare(a)) => {
                Some(Some((Sign::Plus, bare(a))))
            }
            ExprKind::Binary(a, BinOp::Sub(_), b) if is_variable(a) && stable(bare(b)) => {
                Some(Some((Sign::Minus, bare(b))))
            }
            _ => None,
        }
    };
    inner
        .on_read
        .into_iter()
        .filter(|access| {
            kind(kernel, access.param) == Kind::Input && access.class != AccessClass::Unchecked
        })
        .filter_map(|access| {
            let (last, rest) = access.index.split_last()?;
            let still = |index: &&Expr| stable(bare(index));
            if let Some(offset) = offset(last) {
                let apart = offset.is_none_or(|(_, offset)| !along_line(offset));
                let own = own_row(syms, rest);
                let component = rest.len();
                let group = Group::of(body, syms, repeat, access, component);
                let stretch = Stretch { access, run: Run::Along, component, offset, own, group };
                return (apart && rest.iter().all(|index| still(&index))).then_some(stretch);
            }
            // The one component that is not the same in each trip.
            let (component, index) = rest.iter().enumerate().find(|(_, i)| !still(i))?;
            let offset = offset(index)?;
            let others = rest.iter().enumerate().all(|(c, i)| c == component || still(&i));
            let run = match syms.of(last).is_some_and(|last| last.slope() == 1) {
                true => Run::Across,
                false => Run::Down,
            };
            let still = run == Run::Across || still(&last);
            let own = None;
            let group = Group::of(body, syms, repeat, access, component);
            (others && still).then_some(Stretch { access, run, component, offset, own, group })
        })
        .collect()
}

/// How the components before the last one grow from item to item, where any of them does.
fn own_row(syms: &Syms<'_>, rest: &[Expr]) -> Option<Vec<usize>> {
    let moves = rest.iter().map(|index| match syms.of(index)?.slope() {
        slope @ 0..=1 => Some(slope as usize),
        _ => None,
    });
    let moves: Vec<usize> = moves.collect::<Option<_>>()?;
    moves.contains(&1).then_some(moves)
}

/// Whether it is arithmetic on ids that cannot fail: `i % 8`, `i / 8 * 8`.
fn is_sure(body: &Body, expr: &Expr) -> bool {
    let literal = |expr: &Expr| literal(expr).and_then(|number| u32::try_from(number).ok());
    match &bare(expr).kind {
        ExprKind::GlobalId(_) => true,
        ExprKind::Local(local) => body.locals[*local].id_of.is_some(),
        ExprKind::Binary(a, BinOp::Div(_) | BinOp::Rem(_), b) => {
            literal(b).is_some_and(|by| by > 0) && is_sure(body, a)
        }
        ExprKind::Binary(a, BinOp::Mul(_), b) => match &bare(a).kind {
            ExprKind::Binary(_, BinOp::Div(_), by) => literal(b) <= literal(by) && is_sure(body, a),
            _ => false,
        },
        _ => false,
    }
}

/// Whether it is the id of the item along the line.
pub(super) fn is_id(body: &Body, expr: &Expr) -> bool {
    match bare(expr).kind {
        ExprKind::GlobalId(dim) => dim == 0,
        ExprKind::Local(local) => body.locals[local].id_of == Some(0),
        _ => false,
    }
}

/// An integer that is written out.
pub(super) fn literal(expr: &Expr) -> Option<u64> {
    match &bare(expr).kind {
        ExprKind::Lit(syn::Lit::Int(int)) => int.base10_parse().ok(),
        _ => None,
    }
}

/// Without parentheses.
pub(super) fn bare(expr: &Expr) -> &Expr {
    match &expr.kind {
        ExprKind::Paren(inner) => bare(inner),
        _ => expr,
    }
}
