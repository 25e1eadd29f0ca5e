//! Which elements each access reaches. The static answer is a class; with the facts of a launch and
//! a box of items it is a box of elements.

use std::ops::Range;

use super::facts::{Bounds, Definition, Definitions, Facts};
use super::walk::{Node, walk};
use crate::ir::{Access, AccessClass, Expr, ExprKind, KernelIr, Span};
use crate::reduction::MAX_RANK;

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
            all.push(Footprint {
                param: usize::from(access.param),
                site: access.site,
                span: access.span,
                mode,
                reach: reach(access, &definitions),
                access,
            });
        }
    });
    all
}

fn reach(access: &Access, definitions: &Definitions) -> Reach {
    if access.class == AccessClass::Own {
        Reach::Own
    } else if !access.affine.is_empty() && access.affine.iter().all(Option::is_some) {
        Reach::Affine
    } else if access.index.iter().all(|index| bounded(index, definitions, 64)) {
        Reach::Interval
    } else {
        Reach::Whole
    }
}

/// Whether an index is bounded once values and extents are known. A remainder is, whatever is
/// divided.
fn bounded(expr: &Expr, definitions: &Definitions, depth: usize) -> bool {
    let Some(depth) = depth.checked_sub(1) else { return false };
    let inner = |expr: &Expr| bounded(expr, definitions, depth);
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
    lo: [usize; MAX_RANK],
    hi: [usize; MAX_RANK],
) -> Option<Vec<Range<usize>>> {
    let definitions = Definitions::of(&kernel.body, kernel.locals.names.len());
    let bounds = Bounds {
        kernel,
        types: (kernel.locals.types)(),
        definitions: &definitions,
        facts,
        items: Some((lo, hi)),
    };
    footprint
        .access
        .index
        .iter()
        .enumerate()
        .map(|(dim, index)| {
            let extent = facts.extent(footprint.param, dim)?;
            let Some((first, last)) = bounds.interval(index) else { return Some(0..extent) };
            let first = first.clamp(0, extent as i128) as usize;
            let end = (last + 1).clamp(first as i128, extent as i128) as usize;
            Some(first..end)
        })
        .collect()
}
