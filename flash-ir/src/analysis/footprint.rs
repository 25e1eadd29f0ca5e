//! Which elements each access reaches. The static answer is a class; with the facts of a launch and
//! a box of items it is a box of elements.
//!
//! That box is the *hull* of the access: each component of its index goes from the least to the
//! greatest value that its expression takes over the items of the box and the trips of the loops
//! around it, whatever the other conditions are that it stands under, and is cut to the array. It is
//! exact where every component is a sum or difference in which each id and loop variable stands at
//! most once, times what is uniform; elsewhere it is no smaller, up to the whole extent where an
//! index depends on data. A loop without trips counts as one trip with the first value. The hull of
//! an array is the smallest box around those of its accesses, those left out that stand under a
//! condition which holds for no item of the box.

use std::ops::Range;

use super::facts::{Bounds, DEPTH, Definition, Definitions, Facts, Steps};
use super::walk::{Node, walk};
use crate::ir::{Access, AccessClass, Expr, ExprKind, KernelIr, Span, Stmt};

/// What an access does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// It reads.
    Read,
    /// It writes.
    Write,
    /// It reads and writes.
    Update,
    /// It changes a cell atomically.
    Atomic,
}

impl Mode {
    /// Whether it changes memory.
    pub fn writes(self) -> bool {
        self != Self::Read
    }
}

/// How far an access reaches, from near to far.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Reach {
    /// The item's own place.
    Own,
    /// Ids plus uniform offsets, at most one id in each component.
    Affine,
    /// Between bounds that follow from ids, values and extents.
    Interval,
    /// Anywhere: the index depends on data.
    Whole,
}

/// What is known of one access.
#[derive(Clone, Copy, Debug)]
pub struct Footprint {
    /// The array.
    pub param: usize,
    /// Number of the access in source order.
    pub site: u16,
    /// Where it is written.
    pub span: Span,
    /// What it does.
    pub mode: Mode,
    /// How far it reaches.
    pub reach: Reach,
    access: &'static Access,
}

/// The footprints of all accesses of a kernel, in the order of evaluation.
pub fn footprints(kernel: &'static KernelIr) -> Vec<Footprint> {
    let definitions = Definitions::of(&kernel.body, kernel.locals.names.len());
    let mut all = Vec::new();
    walk(&kernel.body, &mut |node| {
        if let Node::Access(access, mode) = node {
            all.push(footprint(access, mode, &definitions));
        }
    });
    all
}

fn footprint(access: &'static Access, mode: Mode, definitions: &Definitions) -> Footprint {
    Footprint {
        param: usize::from(access.param),
        site: access.site,
        span: access.span,
        mode,
        reach: reach(access, definitions),
        access,
    }
}

/// The smallest box around what several accesses to an array reach.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Hull {
    /// A range for each dimension; `None` where there is no access.
    pub ranges: Option<Vec<Range<usize>>>,
    /// The farthest reach of an access.
    pub reach: Option<Reach>,
    /// The smallest box around those that are made whatever the data are, each of which reaches
    /// either end of its range; `None` where there is none.
    pub sure: Option<Vec<Range<usize>>>,
}

impl Hull {
    fn add(&mut self, ranges: &[Range<usize>], reach: Reach, is_sure: bool) {
        self.reach = self.reach.max(Some(reach));
        join(&mut self.ranges, ranges);
        if is_sure && !ranges.iter().any(Range::is_empty) {
            join(&mut self.sure, ranges);
        }
    }
}

/// Makes a box the smallest around itself and another one.
fn join(hull: &mut Option<Vec<Range<usize>>>, ranges: &[Range<usize>]) {
    match hull {
        None => *hull = Some(ranges.to_vec()),
        Some(hull) => {
            for (hull, range) in hull.iter_mut().zip(ranges) {
                *hull = hull.start.min(range.start)..hull.end.max(range.end);
            }
        }
    }
}

/// Whether what a walk has come to is sure to run.
#[derive(Default)]
struct Certainty {
    /// For what is around it whether that may not run.
    around: Vec<bool>,
    unsure: usize,
    /// Whether an item may have left before.
    left: bool,
}

impl Certainty {
    fn enter(&mut self, may_not_run: bool) {
        self.around.push(may_not_run);
        self.unsure += usize::from(may_not_run);
    }

    fn leave(&mut self) {
        self.unsure -= usize::from(self.around.pop() == Some(true));
    }

    fn is_sure(&self) -> bool {
        self.unsure == 0 && !self.left
    }
}

/// Whether a loop goes through all trips between bounds that are known.
fn is_whole(bounds: &Bounds<'_>, stmt: &'static Stmt) -> bool {
    let Stmt::For { local, lo, hi, inclusive, step: None, body, .. } = stmt else { return false };
    let mut leaves = false;
    walk(body, &mut |node| {
        leaves |= matches!(node, Node::Stmt(stmt) if stmt.leaves());
    });
    !leaves && bounds.has_trips(*local, lo, hi, *inclusive)
}

/// What the items of a box (first index and end) read and write of an array; `None` where the facts
/// do not tell.
pub fn hulls(
    kernel: &'static KernelIr,
    param: usize,
    facts: &dyn Facts,
    (lo, hi): (&[usize], &[usize]),
) -> Option<(Hull, Hull)> {
    let definitions = Definitions::of(&kernel.body, kernel.locals.names.len());
    let bounds = Bounds::new(kernel, &definitions, facts, Some((lo, hi)));
    let (mut read, mut written, mut is_known) = (Hull::default(), Hull::default(), true);
    // The branches around what is looked at, and how many of them nobody takes.
    let (mut branches, mut dead) = (Vec::new(), 0_usize);
    let mut certainty = Certainty::default();
    walk(&kernel.body, &mut |node| match node {
        Node::Branch(cond, taken) => {
            let holds = bounds.holds(cond);
            let is_dead = dead > 0 || holds == Some(!taken);
            dead += usize::from(is_dead);
            branches.push(is_dead);
            certainty.enter(holds.is_none());
        }
        Node::Joined => {
            dead -= usize::from(branches.pop() == Some(true));
            certainty.leave();
        }
        Node::Maybe(of) => certainty.enter(!of.is_some_and(|stmt| is_whole(&bounds, stmt))),
        Node::Sure => certainty.leave(),
        Node::Stmt(stmt) => certainty.left |= dead == 0 && stmt.leaves(),
        Node::Access(access, mode) if dead == 0 && usize::from(access.param) == param => {
            let footprint = footprint(access, mode, &definitions);
            let Some(ranges) = region_in(&bounds, &footprint) else {
                is_known = false;
                return;
            };
            let is_sure = certainty.is_sure() && access.index.iter().all(|i| bounds.is_attained(i));
            if mode != Mode::Write {
                read.add(&ranges, footprint.reach, is_sure);
            }
            if mode.writes() {
                written.add(&ranges, footprint.reach, is_sure);
            }
        }
        Node::Access(..) | Node::Expr(_) => {}
    });
    is_known.then_some((read, written))
}

fn reach(access: &Access, definitions: &Definitions) -> Reach {
    if access.class == AccessClass::Own {
        Reach::Own
    } else if !access.affine.is_empty() && access.affine.iter().all(Option::is_some) {
        Reach::Affine
    } else if access.index.iter().all(|index| is_bounded(index, definitions)) {
        Reach::Interval
    } else {
        Reach::Whole
    }
}

/// Whether an index is bounded once values and extents are known. A remainder is, whatever is
/// divided.
fn is_bounded(index: &Expr, definitions: &Definitions) -> bool {
    bounded(index, (definitions, &Steps::default()), DEPTH)
}

fn bounded(expr: &Expr, (definitions, left): (&Definitions, &Steps), depth: usize) -> bool {
    let Some(depth) = left.deeper(depth) else { return false };
    let inner = |expr: &Expr| bounded(expr, (definitions, left), depth);
    match &expr.kind {
        ExprKind::Int(..)
        | ExprKind::Const(_)
        | ExprKind::Param(_)
        | ExprKind::GlobalId(_)
        | ExprKind::GlobalSize(_)
        | ExprKind::Phase
        | ExprKind::Partition
        | ExprKind::Len(_)
        | ExprKind::Extent(..) => true,
        ExprKind::Local(id) => match definitions.get(*id) {
            Definition::Is(init) => inner(init),
            Definition::Counts(lo, hi, _) => inner(lo) && inner(hi),
            Definition::Many => false,
        },
        ExprKind::Binary(crate::ir::BinOp::Rem, _, b, _) => inner(b),
        ExprKind::Binary(_, a, b, _) => inner(a) && inner(b),
        ExprKind::Unary(_, a, _) | ExprKind::Cast(a, _) => inner(a),
        ExprKind::Math(crate::ir::MathFn::Clamp, [_, lo, hi], _) => inner(lo) && inner(hi),
        ExprKind::Math(_, args, _) => args.iter().all(inner),
        ExprKind::If(_, then, Some(other)) => {
            let tails = (then.tail, other.tail);
            matches!(tails, (Some(a), Some(b)) if inner(a) && inner(b))
                && then.stmts.is_empty()
                && other.stmts.is_empty()
        }
        _ => false,
    }
}

/// The box of elements that an access can reach from the items of a box (first index and end),
/// cut to the array. `None` where nothing is known.
pub fn region(
    kernel: &'static KernelIr,
    footprint: &Footprint,
    facts: &dyn Facts,
    lo: &[usize],
    hi: &[usize],
) -> Option<Vec<Range<usize>>> {
    let definitions = Definitions::of(&kernel.body, kernel.locals.names.len());
    let bounds = Bounds::new(kernel, &definitions, facts, Some((lo, hi)));
    region_in(&bounds, footprint)
}

fn region_in(bounds: &Bounds<'_>, footprint: &Footprint) -> Option<Vec<Range<usize>>> {
    let component = |(dim, index): (usize, &Expr)| {
        let extent = bounds.facts.extent(footprint.param, dim)?;
        let Some((first, last)) = bounds.interval(index) else { return Some(0..extent) };
        let first = first.clamp(0, extent as i128) as usize;
        let end = (last + 1).clamp(first as i128, extent as i128) as usize;
        Some(first..end)
    };
    footprint.access.index.iter().enumerate().map(component).collect()
}

/// What is held of an array in a launch, and where an item's own place is in it.
#[derive(Clone, Debug)]
pub struct Held {
    /// The indices that are held, for each dimension.
    pub ranges: Vec<Range<usize>>,
    /// For each component of the own place the dimension of the launch that it is the id in, and
    /// what is added to that; `None` where the item owns all.
    pub own: Vec<Option<(usize, usize)>>,
}

/// For each access, by its number, whether it is in what is held of its array for every item of a box
/// (first index and end). What is not known is not.
pub fn inside(
    kernel: &'static KernelIr,
    held: &dyn Fn(usize) -> Option<Held>,
    facts: &dyn Facts,
    (lo, hi): (&[usize], &[usize]),
) -> Vec<bool> {
    let definitions = Definitions::of(&kernel.body, kernel.locals.names.len());
    let bounds = Bounds::new(kernel, &definitions, facts, Some((lo, hi)));
    let arrays: Vec<Option<Held>> = (0..kernel.params.len()).map(held).collect();
    let mut all: Vec<Option<bool>> = Vec::new();
    walk(&kernel.body, &mut |node| {
        let Node::Access(access, _) = node else { return };
        let array = arrays.get(usize::from(access.param)).and_then(Option::as_ref);
        let is_inside = array.is_some_and(|array| is_inside(&bounds, access, array));
        let site = usize::from(access.site);
        if all.len() <= site {
            all.resize(site + 1, None);
        }
        all[site] = Some(all[site].unwrap_or(true) && is_inside);
    });
    all.into_iter().map(|known| known == Some(true)).collect()
}

fn is_inside(bounds: &Bounds<'_>, access: &'static Access, array: &Held) -> bool {
    let Some((lo, hi)) = bounds.items else { return false };
    access.index.len() == array.ranges.len()
        && access.index.iter().zip(&array.ranges).enumerate().all(|(component, (index, range))| {
            let own = array.own.get(component).copied().flatten();
            match own.filter(|_| access.class == AccessClass::Own) {
                Some((dim, offset)) => {
                    let end = hi[dim].checked_add(offset);
                    lo[dim].saturating_add(offset) >= range.start
                        && end.is_some_and(|end| end <= range.end)
                }
                None => bounds.interval(index).is_some_and(|(first, last)| {
                    first >= range.start as i128 && last < range.end as i128
                }),
            }
        })
}
