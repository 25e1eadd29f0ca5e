//! Where the items of a phase are cut: across one dimension in proportion to shares, or in a grid.
//! It does not look at what the pieces need.

use std::ops::Range;

use super::{Share, Shares};
use crate::descriptor::Implementation;
use crate::engine::bind::BoundLaunch;
use crate::engine::whole::Whole;
use crate::geometry::Geometry;
use crate::space::{Block, Space};
use crate::stage::LaunchStage;

/// Elements of cache lines in any array: borders along dimension 0 are at multiples.
const GRANULE: usize = 64;

/// Which dimensions are cut.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) enum Way {
    /// The slowest one that is long enough.
    #[default]
    Slowest,
    /// This one.
    Across(usize),
    /// Each into so many ranges, dimension 0 first.
    Grid(Box<[usize]>),
}

/// Some of the items, and how much of its share they are.
pub(super) struct Cut {
    pub(super) share: Share,
    pub(super) of_share: f64,
    pub(super) positions: Block,
}

/// The blocks that items are cut into, those of dimension 0 first, or why they cannot be.
pub(super) fn blocks(
    stage: &LaunchStage<'_>,
    bound: &BoundLaunch,
    positions: &Block,
    shares: &Shares,
) -> Result<Vec<Cut>, Whole> {
    if let Way::Grid(grid) = &shares.way {
        return in_a_grid(stage, bound, positions, (shares, grid));
    }
    let n = match shares.chunk {
        None => shares.of.iter().filter(|share| share.items > 0.0).count(),
        Some(_) => 1,
    };
    let is_long = |dim: &usize| extent(positions, *dim) >= n.max(2);
    // Nothing is cut along a dimension that one work-group covers.
    let has_groups = |dim: &usize| extent(positions, *dim) > group(stage, *dim);
    let dim = match shares.way {
        Way::Across(dim) => Some(dim).filter(is_long),
        _ => {
            let mut dims = (0..positions.rank()).rev().filter(is_long);
            dims.clone().find(has_groups).or_else(|| dims.next())
        }
    };
    let dim = dim.ok_or(Whole::Narrow)?;
    let may_align = shares.chunk.is_none_or(|n| n >= GRANULE);
    let unit = unit((stage, bound), positions, (dim, n), may_align)?;
    let cuts = shares.cuts(positions.lo(dim)..positions.hi(dim), unit).into_iter();
    Ok(cuts
        .map(|Span { share, of_share, range }| {
            let positions = positions.with(dim, range.start, range.end);
            Cut { share, of_share, positions }
        })
        .collect())
}

fn extent(positions: &Block, dim: usize) -> usize {
    if dim < positions.rank() { positions.hi(dim) - positions.lo(dim) } else { 0 }
}

/// The blocks of a grid, which the devices take in turn.
fn in_a_grid(
    stage: &LaunchStage<'_>,
    bound: &BoundLaunch,
    positions: &Block,
    (shares, grid): (&Shares, &[usize]),
) -> Result<Vec<Cut>, Whole> {
    let cut = || grid.iter().enumerate().filter(|(_, n)| **n > 1);
    if bound.reduces && cut().count() > 1 {
        return Err(Whole::Reduces);
    }
    if cut().any(|(dim, &n)| extent(positions, dim) < n) {
        return Err(Whole::Narrow);
    }
    let mut blocks = vec![positions.clone()];
    // The slowest dimension first, so that dimension 0 becomes the fastest of the list.
    for (dim, &n) in grid.iter().enumerate().rev().filter(|(_, n)| **n > 1) {
        let unit = unit((stage, bound), positions, (dim, n), true)?;
        let spans = Shares::equal(&[0], n).cuts(positions.lo(dim)..positions.hi(dim), unit);
        let of = |block: &Block| {
            let block = block.clone();
            spans.iter().map(move |span| block.with(dim, span.range.start, span.range.end))
        };
        blocks = blocks.iter().flat_map(of).collect();
    }
    let (all, devices) = (positions.n_items() as f64, shares.of.len());
    let cut = |(number, positions): (usize, Block)| {
        let share = shares.of[number % devices];
        let of_share = positions.n_items() as f64 * devices as f64 / all;
        Cut { share, of_share, positions }
    };
    Ok(blocks.into_iter().enumerate().map(cut).collect())
}

/// The multiples that borders are at where a dimension is cut into so many ranges.
fn unit(
    (stage, bound): (&LaunchStage<'_>, &BoundLaunch),
    positions: &Block,
    (dim, n): (usize, usize),
    may_align: bool,
) -> Result<usize, Whole> {
    if bound.reduces {
        // Partial results belong to blocks that no part may cut, numbered along the slowest one.
        let chunk = flash_ir::reduction::chunk(bound.space.extents());
        let above = (dim + 1..positions.rank()).all(|dim| extent(positions, dim) == 1);
        let is_along = bound.phases.is_none() && above;
        return if is_along { Ok(chunk[dim].max(1)) } else { Err(Whole::Reduces) };
    }
    // Native code runs whole work-groups; those of bodies and lines of the cache may be cut where there are few.
    let group = group(stage, dim);
    if extent(positions, dim) <= group {
        return Err(Whole::Groups(group));
    }
    let groups = lcm(group, asked(stage, dim).unwrap_or(1));
    let lines = if dim == 0 && may_align { GRANULE } else { 1 };
    for unit in [lcm(groups, lines), groups] {
        if unit.checked_mul(4 * n).is_some_and(|least| extent(positions, dim) >= least) {
            return Ok(unit);
        }
    }
    Ok(group)
}

/// How many items the call says that a work-group has along a dimension.
fn asked(stage: &LaunchStage<'_>, dim: usize) -> Option<usize> {
    let block = stage.geometry().and_then(Geometry::block)?;
    Some(block.get(dim).copied().unwrap_or(1).max(1))
}

/// What native code needs the items of its parts to be multiples of, along a dimension: the work-group
/// that the call says, or else those that are declared.
fn group(stage: &LaunchStage<'_>, dim: usize) -> usize {
    let kernel = stage.kernel;
    let (asked, is_found) = (asked(stage, dim), kernel.search.is_some());
    let declared = |native: &Implementation| native.block.get(dim).map_or(1, |&n| n as usize);
    let natives = kernel.implementations.iter().map(|native| asked.unwrap_or(declared(native)));
    natives.chain(asked.filter(|_| is_found)).fold(1, |group, n| lcm(group, n.max(1)))
}

/// The work-group of native code, along some dimension, that would go beyond these items into those of
/// another part.
pub(super) fn cut_group(stage: &LaunchStage<'_>, space: &Space, ids: &Block) -> Option<usize> {
    let of = |dim: usize| {
        let group = group(stage, dim);
        let is_cut = !(ids.hi(dim) - ids.lo(dim)).is_multiple_of(group);
        (is_cut && ids.hi(dim) < space.extent(dim)).then_some(group)
    };
    (0..ids.rank()).find_map(of)
}

/// The least common multiple, or as much as fits.
fn lcm(a: usize, b: usize) -> usize {
    (a / gcd(a, b)).saturating_mul(b)
}

fn gcd(a: usize, b: usize) -> usize {
    if b == 0 { a } else { gcd(b, a % b) }
}

/// A range of the indices that are cut, and how much of its share it is.
pub(super) struct Span {
    pub(super) share: Share,
    pub(super) of_share: f64,
    pub(super) range: Range<usize>,
}

impl Shares {
    /// As many equal parts on these devices in turn.
    pub(in crate::engine) fn equal(devices: &[usize], n: usize) -> Self {
        let device = |k: usize| devices.get(k % devices.len().max(1)).copied().unwrap_or(0);
        Self {
            of: (0..n).map(|k| Share::new(device(k) as u16, 1.0)).collect(),
            chunk: None,
            way: Way::Slowest,
        }
    }

    /// What all of them are shares of.
    pub(in crate::engine) fn total(&self) -> f64 {
        self.of.iter().map(|share| share.items.max(0.0)).sum()
    }

    /// Where a range of indices is cut, at multiples of a unit from its start.
    pub(super) fn cuts(&self, range: Range<usize>, unit: usize) -> Vec<Span> {
        let (total, len) = (self.total(), range.len() as f64);
        let cut = |share: Share, range: Range<usize>| {
            let of_share = range.len() as f64 / (len * share.items / total);
            Span { share, of_share, range }
        };
        if let (Some(chunk), Some(&first)) = (self.chunk, self.of.first()) {
            let chunk = chunk.max(1).next_multiple_of(unit);
            let starts = range.clone().step_by(chunk);
            return starts.map(|at| cut(first, at..(at + chunk).min(range.end))).collect();
        }
        let (mut sum, mut start, mut cuts) = (0.0, range.start, Vec::with_capacity(self.of.len()));
        for (number, &share) in self.of.iter().enumerate() {
            sum += share.items.max(0.0);
            let at = (len * (sum / total)).round() as usize;
            // What is left goes to the last one that has a share.
            let is_last = self.of[number + 1..].iter().all(|share| share.items <= 0.0);
            let end = if is_last { range.end } else { range.start + at / unit * unit };
            let end = end.clamp(start, range.end);
            if end > start {
                cuts.push(cut(share, start..end));
                start = end;
            }
        }
        cuts
    }
}
