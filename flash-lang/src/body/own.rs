//! The race rule: outside of `unsafe` a work item reaches a written array at its own place only.
//!
//! The check is for its messages; safety rests on the types of the expansion.

use std::collections::BTreeSet;

use proc_macro2::Ident;

use super::uniform::id_of;
use super::walk::{self, Touch};
use crate::diag::Diagnostics;
use crate::kernel::model::{
    Access, AccessClass, Body, Expr, ExprKind, LaunchWord, Local, OwnComponent, Param, Role, Stmt,
};
use crate::rules;

/// Finds the own place of every written array, classifies the accesses, and reports those that
/// belong to another item.
pub(crate) fn own_places(
    body: &mut Body,
    params: &mut [Param],
    ids: &BTreeSet<u8>,
    diag: &mut Diagnostics,
) {
    let late = late_locals(body);
    for (id, param) in params.iter_mut().enumerate() {
        if !has_own_place(param.role) {
            continue;
        }
        let mut found = Found { locals: &body.locals, ids, name: &param.name, sites: Vec::new() };
        walk::accesses(&body.block, &mut |access, touch| {
            if access.param == id {
                param.raw |= access.class == AccessClass::Unchecked;
                if access.class != AccessClass::Unchecked {
                    found.site(access, touch);
                }
            }
        });
        let (own, sites) = found.finish(diag);
        for component in own.iter().flatten() {
            if let OwnComponent::Id(_, Some(offset)) = component {
                offset_is_early(&param.name, offset, &late, diag);
            }
        }
        param.own = match own {
            Some(own) => own,
            None if param.raw => Vec::new(),
            None => (0..param.rank).map(|_| OwnComponent::Free).collect(),
        };
        walk::accesses_mut(&mut body.block, &mut |access| {
            if access.param == id && sites.contains(&access.site) {
                access.class = AccessClass::Own;
            }
        });
    }
}

/// The locals that may be hoisted and whose value is not known before a phase begins, each with the
/// word that it comes from.
fn late_locals(body: &Body) -> Vec<Option<LaunchWord>> {
    let mut late = vec![None; body.locals.len()];
    for stmt in &body.block.stmts {
        if let Stmt::Let(local, Some(init)) = stmt
            && body.locals[*local].hoistable
        {
            late[*local] = late_part(init, &late).map(|(word, _)| word);
        }
    }
    late
}

/// What of an expression is not known before a phase begins.
fn late_part<'e>(expr: &'e Expr, late: &[Option<LaunchWord>]) -> Option<(LaunchWord, &'e Expr)> {
    match &expr.kind {
        ExprKind::Launch(word @ (LaunchWord::Phase | LaunchWord::Partition)) => Some((*word, expr)),
        ExprKind::Local(local) => late[*local].map(|word| (word, expr)),
        ExprKind::Paren(inner) => late_part(inner, late),
        ExprKind::Binary(left, _, right) => {
            late_part(left, late).or_else(|| late_part(right, late))
        }
        _ => None,
    }
}

/// Offsets are evaluated once for all phases and parts.
fn offset_is_early(
    name: &Ident,
    offset: &Expr,
    late: &[Option<LaunchWord>],
    diag: &mut Diagnostics,
) {
    let Some((word, at)) = late_part(offset, late) else { return };
    let word = if word == LaunchWord::Phase { "phase" } else { "partition" };
    diag.error(
        rules::OFFSET_OF_PHASE,
        at.span,
        format!(
            "where the items of a launch write is known before it begins, so the offset of the own \
             place of `{name}` does not depend on `{word}()`: give `{name}` a dimension for it, \
             `{name}[[{word}(), i]]`"
        ),
    );
}

fn has_own_place(role: Role) -> bool {
    matches!(role, Role::InOut | Role::Out | Role::OutPartial | Role::Scratch)
}

/// One component of an index.
enum Part {
    /// An id, and what is added to it.
    Id(u8, Option<Expr>),
    /// No id stands alone here.
    Free,
}

struct Site {
    number: usize,
    span: proc_macro2::Span,
    touch: Touch,
    parts: Vec<Part>,
    /// Why it is nobody's own place.
    fault: Option<Fault>,
}

/// Why an index is not an own place.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Fault {
    /// `y[i / 2]`
    Arithmetic(u8),
    /// `y[ix[i]]`
    Scatter,
    /// The index has nothing to do with this id.
    Misses(u8),
}

struct Found<'a> {
    locals: &'a [Local],
    ids: &'a BTreeSet<u8>,
    name: &'a Ident,
    sites: Vec<Site>,
}

impl Found<'_> {
    fn site(&mut self, access: &Access, touch: Touch) {
        let parts: Vec<Part> = access
            .index
            .iter()
            .zip(&access.affine)
            .map(|(index, affine)| match affine {
                Some(affine) if !affine.line => match affine.dim {
                    Some(dim) => match rest(index, self.locals) {
                        Rest::Added(offset) => Part::Id(dim, offset),
                        Rest::Other => Part::Free,
                    },
                    None => Part::Free,
                },
                _ => Part::Free,
            })
            .collect();
        let covered =
            |dim: u8| parts.iter().any(|part| matches!(part, Part::Id(d, _) if *d == dim));
        let missing = self.ids.iter().copied().find(|dim| !covered(*dim));
        let fault = missing.map(|dim| self.fault(access, dim));
        let (number, span) = (access.site, access.span);
        self.sites.push(Site { number, span, touch, parts, fault });
    }

    fn fault(&self, access: &Access, dim: u8) -> Fault {
        let is_load = |e: &Expr| matches!(e.kind, ExprKind::Load(_) | ExprKind::Atomic(..));
        if access.index.iter().any(|index| walk::any(index, &is_load)) {
            return Fault::Scatter;
        }
        let is_id = |e: &Expr| id_of(e, self.locals) == Some(dim);
        if access.index.iter().any(|index| walk::any(index, &is_id)) {
            return Fault::Arithmetic(dim);
        }
        let free = access
            .index
            .iter()
            .find(|index| index.varying && !walk::any(index, &|e| id_of(e, self.locals).is_some()));
        if free.is_some() { Fault::Scatter } else { Fault::Misses(dim) }
    }

    /// The own place, and the numbers of the accesses to it.
    fn finish(self, diag: &mut Diagnostics) -> (Option<Vec<OwnComponent>>, Vec<usize>) {
        let Self { name, sites, .. } = self;
        let model = sites
            .iter()
            .filter(|site| site.fault.is_none())
            .min_by_key(|site| site.touch == Touch::Read);
        let mut own = Vec::new();
        for site in &sites {
            let reads = site.touch == Touch::Read;
            match (site.fault, model) {
                (Some(fault), _) => report_fault(name, site, fault, diag),
                (None, Some(model)) => match compare(&site.parts, &model.parts) {
                    Same::Yes => own.push(site.number),
                    Same::Offset if reads => neighbour_read(name, site, diag),
                    Same::Offset => diag.error(
                        rules::OWN_OFFSET,
                        site.span,
                        format!(
                            "`{name}` is reached at two offsets from the item's id, one of them \
                             belongs to another item: write one place per item, use two kernels, \
                             or take the responsibility in `unsafe {{ }}`"
                        ),
                    ),
                    Same::No => diag.error(
                        rules::OWN_TRANSPOSED,
                        site.span,
                        format!(
                            "`{name}` is indexed by the ids in another order than before, so this \
                             element belongs to another item: use the same order everywhere, two \
                             kernels, or `unsafe {{ }}`"
                        ),
                    ),
                },
                (None, None) => {}
            }
        }
        let place = model.map(|model| model.parts.iter().map(component).collect());
        (place, own)
    }
}

fn component(part: &Part) -> OwnComponent {
    match part {
        Part::Id(dim, offset) => OwnComponent::Id(*dim, offset.clone()),
        Part::Free => OwnComponent::Free,
    }
}

fn neighbour_read(name: &Ident, site: &Site, diag: &mut Diagnostics) {
    diag.error(
        rules::NEIGHBOUR_READ,
        site.span,
        format!(
            "`{name}` is written in this launch and this element belongs to another item: read it \
             from a second parameter, use two kernels, or take the responsibility in `unsafe {{ }}`"
        ),
    );
}

fn report_fault(name: &Ident, site: &Site, fault: Fault, diag: &mut Diagnostics) {
    if site.touch == Touch::Read && !matches!(fault, Fault::Misses(_)) {
        return neighbour_read(name, site, diag);
    }
    let (rule, message) = match fault {
        Fault::Arithmetic(dim) => (
            rules::OWN_ARITHMETIC,
            format!(
                "`{name}` is written where `global_id({dim})` does not stand alone: an own place \
                 is the id, or the id plus the same offset for all items; give `{name}` the shape \
                 as a view (`{name}[[j, i]]`), or take the responsibility in `unsafe {{ }}`"
            ),
        ),
        Fault::Scatter => (
            rules::OWN_SCATTER,
            format!(
                "`{name}` is written at a computed place that other items may write too: make it \
                 `&[Atomic<_>]`, a reduction, or take the responsibility in `unsafe {{ }}`"
            ),
        ),
        Fault::Misses(dim) => (
            rules::OWN_MISSES,
            format!(
                "the index of `{name}` misses `global_id({dim})`, so items that differ in it \
                 share an element: add the dimension, or make it a reduction or `&[Atomic<_>]`"
            ),
        ),
    };
    diag.error(rule, site.span, message);
}

#[derive(PartialEq, Eq)]
enum Same {
    Yes,
    /// The ids agree, an offset does not.
    Offset,
    No,
}

fn compare(left: &[Part], right: &[Part]) -> Same {
    let mut result = Same::Yes;
    for pair in left.iter().zip(right) {
        match pair {
            (Part::Free, Part::Free) => {}
            (Part::Id(l, a), Part::Id(r, b)) if l == r => {
                let equal = match (a, b) {
                    (None, None) => true,
                    (Some(a), Some(b)) => same(a, b),
                    _ => false,
                };
                if !equal {
                    result = Same::Offset;
                }
            }
            _ => return Same::No,
        }
    }
    result
}

/// What is left of a sum without its id.
enum Rest {
    /// It is added; `None` for 0.
    Added(Option<Expr>),
    /// There is a subtraction before anything is added, or no id.
    Other,
}

fn rest(expr: &Expr, locals: &[Local]) -> Rest {
    if id_of(expr, locals).is_some() {
        return Rest::Added(None);
    }
    let has_id = |e: &Expr| walk::any(e, &|e| id_of(e, locals).is_some());
    match &expr.kind {
        ExprKind::Paren(inner) => rest(inner, locals),
        ExprKind::Binary(left, op @ syn::BinOp::Add(_), right) => {
            let (with, without) = if has_id(left) { (left, right) } else { (right, left) };
            match rest(with, locals) {
                Rest::Added(None) => Rest::Added(Some((**without).clone())),
                Rest::Added(Some(offset)) => {
                    Rest::Added(Some(joined(offset, *op, (**without).clone())))
                }
                Rest::Other => Rest::Other,
            }
        }
        ExprKind::Binary(left, op @ syn::BinOp::Sub(_), right) if has_id(left) => {
            match rest(left, locals) {
                Rest::Added(Some(offset)) => {
                    Rest::Added(Some(joined(offset, *op, (**right).clone())))
                }
                _ => Rest::Other,
            }
        }
        _ => Rest::Other,
    }
}

fn joined(left: Expr, op: syn::BinOp, right: Expr) -> Expr {
    let span = left.span;
    let varying = left.varying || right.varying;
    Expr { kind: ExprKind::Binary(Box::new(left), op, Box::new(right)), span, varying }
}

/// Whether two offsets are equal token by token, names resolved.
fn same(left: &Expr, right: &Expr) -> bool {
    use ExprKind as K;
    match (&left.kind, &right.kind) {
        (K::Paren(left), _) => same(left, right),
        (_, K::Paren(right)) => same(left, right),
        (K::Lit(a), K::Lit(b)) => a == b,
        (K::Const(a), K::Const(b)) => a == b,
        (K::Local(a), K::Local(b)) | (K::Param(a), K::Param(b)) | (K::Len(a), K::Len(b)) => a == b,
        (K::Launch(a), K::Launch(b)) => a == b,
        (K::GlobalId(a), K::GlobalId(b)) => a == b,
        (K::Extent(a, d), K::Extent(b, e)) => a == b && d == e,
        (K::Binary(a, op, b), K::Binary(c, other, d)) => op == other && same(a, c) && same(b, d),
        _ => false,
    }
}
