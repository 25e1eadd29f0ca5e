//! The phases of a launch: its items in an order, cut where a barrier stands. All items of a phase
//! may run at once, and see what the phases before have written. It runs nothing.

use std::ops::Range;
use std::sync::Arc;

use flash_ir::Dims;

use crate::backend::Subspace;
use crate::count_by::Sequence;
use crate::descriptor::Group;
use crate::entry::reduction;
use crate::error::Result;
use crate::space::{Block, Space};

use self::ties::Ties;

/// How the items of a launch are ordered; dimensions from 0.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Ordering {
    /// The dimensions of the sort key, most significant first.
    pub(crate) sort_by: Vec<u8>,
    pub(crate) group_by: Vec<Group>,
}

impl Ordering {
    /// The dimensions that it names.
    pub(crate) fn dims(&self) -> impl Iterator<Item = u8> {
        let groups = self.group_by.iter().map(|group| match group {
            Group::From(dim) | Group::Value(dim, _) => *dim,
        });
        self.sort_by.iter().copied().chain(groups)
    }
}

/// The phases of an index space.
#[derive(Debug)]
pub(crate) struct Phases {
    /// The ids of each dimension by their position in the order.
    ids: Arc<[Sequence]>,
    /// Whether positions are ids, in all dimensions.
    is_plain: bool,
    /// The dimensions, the fastest of the order first, and how many items one step of each is.
    levels: Vec<(usize, usize)>,
    /// The extents.
    space: Space,
    /// How many ids a dimension takes within a phase, where the number matters only if it is 1.
    spread: Space,
    /// One more than the largest id of each dimension, so that an item has one number.
    numbering: Space,
    cuts: Cuts,
    /// The boxes of the phases and where those of each begin, where they are no arithmetic and few.
    found: Option<(Vec<Block>, Vec<usize>)>,
    /// Where there is a reduction, the boxes of ids with a partial result each, and the first one of
    /// each phase.
    partials: Option<(Arc<[Block]>, Vec<usize>)>,
}

/// So many boxes of phases are kept; of more, those of a phase are found each time it runs.
const MOST_KEPT: usize = 1 << 14;

/// Where phases begin, as numbers of items in their order.
#[derive(Debug)]
enum Cuts {
    /// At each multiple.
    Every(usize),
    /// At these; the first is 0.
    At(Vec<usize>),
    /// At these, where items with equal keys are not one step of a level.
    Tied(Vec<usize>, Ties),
}

/// A rule for cuts: positions of one dimension before which there is one.
struct Rule {
    dim: usize,
    /// Some positions, or all of them.
    at: Option<Vec<usize>>,
}

impl Rule {
    /// Where it begins phases among items of which one step of its dimension is `unit`.
    fn starts(&self, items: Range<usize>, unit: usize, space: &Space, starts: &mut Vec<usize>) {
        let Some(at) = &self.at else { return starts.extend(items.step_by(unit)) };
        for turn in items.step_by(unit * space.extent(self.dim)) {
            starts.extend(at.iter().map(|at| turn + at * unit));
        }
    }
}

impl Phases {
    /// The phases of a space with these ids, in this order; a dimension that the space does not have
    /// orders nothing.
    pub(crate) fn new(ids: Vec<Sequence>, order: &Ordering, reduces: bool) -> Result<Self> {
        let lens: Vec<usize> = ids.iter().map(Sequence::len).collect();
        let space = Space::new(&lens)?;
        let rank = ids.len();
        let mut ids = ids;
        let mut levels: Vec<usize> = (0..rank).collect();
        let keys: Vec<usize> =
            order.sort_by.iter().map(|&dim| usize::from(dim)).filter(|&dim| dim < rank).collect();
        for &dim in keys.iter().rev() {
            // The most significant key comes last, as the slowest.
            levels.retain(|&level| level != dim);
            levels.push(dim);
            ids[dim] = ids[dim].sorted();
        }
        let mut unit = 1_usize;
        let levels: Vec<(usize, usize)> = levels
            .into_iter()
            .map(|dim| {
                let at = unit;
                // The product of all extents fits; where it is 0 nothing is asked for.
                unit = unit.saturating_mul(lens[dim]);
                (dim, at)
            })
            .collect();
        let numbering: Vec<usize> = ids.iter().map(Sequence::end).collect();
        let numbering = Space::new(&numbering).unwrap_or_else(|_| space.clone());
        let is_plain = ids.iter().all(|ids| matches!(ids, Sequence::Up(_)));
        let ids: Arc<[Sequence]> = ids.into();
        let cuts = Cuts::Every(space.n_items().max(1));
        let (spread, found, partials) = (space.clone(), None, None);
        let mut phases =
            Self { ids, is_plain, levels, space, spread, numbering, cuts, found, partials };
        if phases.space.n_items() > 0 {
            phases.cuts = phases.cut(order, &keys);
            phases.found = phases.find();
            phases.spread = phases.find_spread();
            if reduces {
                phases.partials = Some(phases.find_partials());
            }
        }
        Ok(phases)
    }

    /// The cuts of an order.
    fn cut(&self, order: &Ordering, keys: &[usize]) -> Cuts {
        let rules = self.rules(order, keys);
        let n = self.space.n_items();
        // What is cut by the first key alone is the same, however items with equal keys are ordered.
        let is_tied = !order.group_by.is_empty() && keys.iter().any(|&dim| self.ids[dim].repeats());
        if is_tied && !rules.is_empty() {
            let ties = Ties::new(&self.ids, keys);
            return Cuts::Tied(ties.starts(&self.space, &rules), ties);
        }
        let units = |rule: &Rule| self.levels.iter().find(|level| level.0 == rule.dim);
        let rules = rules.into_iter().filter_map(|rule| Some((units(&rule)?.1, rule)));
        let rules: Vec<(usize, Rule)> = rules.collect();
        if rules.iter().all(|(_, rule)| rule.at.is_none()) {
            // Each is a multiple of the ones before.
            return Cuts::Every(rules.iter().map(|(unit, _)| *unit).min().unwrap_or(n));
        }
        let mut starts = vec![0];
        for (unit, rule) in rules {
            rule.starts(0..n, unit, &self.space, &mut starts);
        }
        starts.sort_unstable();
        starts.dedup();
        Cuts::At(starts)
    }

    /// The rules of an order.
    fn rules(&self, order: &Ordering, keys: &[usize]) -> Vec<Rule> {
        let rule = |group: &Group| {
            let (Group::From(dim) | Group::Value(dim, _)) = *group;
            let dim = usize::from(dim);
            let at = match group {
                _ if dim >= self.ids.len() => return None,
                // All dimensions from there on, whatever their ids are.
                Group::From(_) if keys.is_empty() => None,
                Group::From(_) => self.changes(dim),
                Group::Value(_, value) => self.isolated(dim, *value),
            };
            Some(Rule { dim, at })
        };
        match keys.first() {
            Some(&dim) if order.group_by.is_empty() => vec![Rule { dim, at: self.changes(dim) }],
            _ => order.group_by.iter().filter_map(rule).collect(),
        }
    }

    /// The positions of a dimension at which the id is another than at the one before, with the last
    /// one before the first; `None` if those are all.
    fn changes(&self, dim: usize) -> Option<Vec<usize>> {
        let ids = &self.ids[dim];
        match ids.len() {
            n if n > 1 && ids.is_strict() => None,
            _ => self.flips(dim, |id| id),
        }
    }

    /// The same for whether the id is a certain one.
    fn isolated(&self, dim: usize, value: u64) -> Option<Vec<usize>> {
        let ids = &self.ids[dim];
        let (n, id) = (ids.len(), usize::try_from(value).unwrap_or(usize::MAX));
        if !ids.is_whole() || n < 3 {
            return self.flips(dim, move |other| other == id);
        }
        if id >= n {
            return Some(Vec::new());
        }
        let at = if matches!(ids, Sequence::Down(_)) { n - 1 - id } else { id };
        let mut around = vec![at, (at + 1) % n];
        around.sort_unstable();
        Some(around)
    }

    fn flips<T: PartialEq>(&self, dim: usize, of: impl Fn(usize) -> T) -> Option<Vec<usize>> {
        let ids = &self.ids[dim];
        let n = ids.len();
        let before = |at: usize| if at == 0 { n - 1 } else { at - 1 };
        let changed: Vec<usize> =
            (0..n).filter(|&at| of(ids.id(at)) != of(ids.id(before(at)))).collect();
        (changed.len() < n).then_some(changed)
    }

    /// The boxes of all phases, where they are worth keeping.
    fn find(&self) -> Option<(Vec<Block>, Vec<usize>)> {
        if matches!(self.cuts, Cuts::Every(_)) {
            return None;
        }
        let (mut all, mut first, mut boxes) = (Vec::new(), vec![0], Vec::new());
        for phase in 0..self.len() {
            self.positions(phase, &mut boxes);
            all.append(&mut boxes);
            if all.len() > MOST_KEPT {
                return None;
            }
            first.push(all.len());
        }
        Some((all, first))
    }

    /// How far ids vary within a phase.
    fn find_spread(&self) -> Space {
        let mut spread = Dims::from_elem(1, self.space.rank());
        match &self.cuts {
            Cuts::Every(size) => {
                for &(dim, unit) in &self.levels {
                    spread[dim] = (size / unit).clamp(1, self.space.extent(dim));
                }
            }
            Cuts::At(starts) => {
                for &(dim, unit) in &self.levels {
                    let extent = self.space.extent(dim);
                    let ends = starts[1..].iter().copied().chain([self.space.n_items()]);
                    let steps = |(&from, to): (&usize, usize)| (to - 1) / unit - from / unit + 1;
                    let most = starts.iter().zip(ends).map(steps).max();
                    spread[dim] = most.unwrap_or(1).min(extent);
                }
            }
            Cuts::Tied(starts, _) => {
                let mut boxes = Vec::new();
                for phase in 0..starts.len() {
                    self.positions(phase, &mut boxes);
                    for (dim, spread) in spread.iter_mut().enumerate() {
                        let lo = boxes.iter().map(|part| part.lo(dim)).min();
                        let hi = boxes.iter().map(|part| part.hi(dim)).max();
                        *spread = (*spread).max(hi.unwrap_or(0) - lo.unwrap_or(0));
                    }
                }
            }
        }
        // Each is at most the extent.
        Space::new(&spread).unwrap_or_else(|_| self.space.clone())
    }

    /// The boxes of ids that have a partial result each, and where those of each phase begin.
    fn find_partials(&self) -> (Arc<[Block]>, Vec<usize>) {
        let (mut all, mut first, mut boxes) = (Vec::new(), vec![0], Vec::new());
        for phase in 0..self.len() {
            self.positions(phase, &mut boxes);
            for positions in &boxes {
                each_run(&self.ids, positions, |ids| {
                    let extents: Vec<usize> =
                        (0..ids.rank()).map(|dim| ids.hi(dim) - ids.lo(dim)).collect();
                    // A part of a space is one.
                    let Ok(space) = Space::new(&extents) else { return };
                    for number in 0..reduction::n_blocks(&space) {
                        all.push(reduction::block(&space, number).moved(ids));
                    }
                });
            }
            first.push(all.len());
        }
        (all.into(), first)
    }

    /// The number of phases.
    #[inline]
    pub(crate) fn len(&self) -> usize {
        match &self.cuts {
            Cuts::Every(size) => self.space.n_items() / size,
            Cuts::At(starts) | Cuts::Tied(starts, _) => starts.len(),
        }
    }

    /// A phase with the most items.
    pub(crate) fn longest(&self) -> usize {
        match &self.cuts {
            Cuts::Every(_) => 0,
            Cuts::At(starts) | Cuts::Tied(starts, _) => {
                let n_items = |&phase: &usize| {
                    let (from, to) = self.between(starts, phase);
                    to - from
                };
                (0..starts.len()).max_by_key(n_items).unwrap_or(0)
            }
        }
    }

    /// The extents of the space.
    pub(crate) fn space(&self) -> &Space {
        &self.space
    }

    /// The number of values each dimension takes within a phase, where only 1 is exact.
    pub(crate) fn spread(&self) -> &Space {
        &self.spread
    }

    /// The space whose numbers items are known by.
    pub(crate) fn numbering(&self) -> &Space {
        &self.numbering
    }

    /// The ids by dimension.
    pub(crate) fn ids(&self) -> &[Sequence] {
        &self.ids
    }

    /// The smallest box around all ids.
    pub(crate) fn bounding(&self) -> Block {
        let mut all = self.space.block();
        for (dim, ids) in self.ids.iter().enumerate() {
            let range = ids.bounding(0, ids.len());
            all.set(dim, range.start, range.end);
        }
        all
    }

    /// Whether there may be ids in that box that no item has.
    pub(crate) fn has_gaps(&self) -> bool {
        let fills = |ids: &Sequence| ids.bounding(0, ids.len()).len() == ids.len();
        !self.ids.iter().all(|ids| ids.is_whole() || (fills(ids) && !ids.repeats()))
    }

    /// The number of partial results of a reduction.
    pub(crate) fn n_partials(&self) -> usize {
        self.partials.as_ref().map_or(0, |(all, _)| all.len())
    }

    /// The items of a phase, as boxes of positions.
    #[inline]
    pub(crate) fn positions(&self, phase: usize, boxes: &mut Vec<Block>) {
        match &self.cuts {
            &Cuts::Every(size) => self.only_box((phase, size), boxes),
            Cuts::At(starts) => {
                boxes.clear();
                let items = self.between(starts, phase);
                split(&self.levels, items, &self.space.block(), boxes);
            }
            Cuts::Tied(starts, ties) => {
                boxes.clear();
                ties.split(self.between(starts, phase), &self.space.block(), boxes);
            }
        }
    }

    /// The numbers of the items of a phase.
    fn between(&self, starts: &[usize], phase: usize) -> (usize, usize) {
        let end = starts.get(phase + 1).copied();
        (starts[phase], end.unwrap_or_else(|| self.space.n_items()))
    }

    /// The box of a phase where each is one step of a level. It is written where the last one was:
    /// short phases are shorter than copies of boxes.
    #[inline]
    fn only_box(&self, (phase, size): (usize, usize), boxes: &mut Vec<Block>) {
        if boxes.len() != 1 || boxes[0].rank() != self.space.rank() {
            boxes.clear();
            boxes.push(self.space.block());
        }
        let only = &mut boxes[0];
        let mut rest = phase;
        for &(dim, unit) in self.levels.iter().rev() {
            if unit < size || size == self.space.n_items() {
                only.set(dim, 0, self.space.extent(dim));
                continue;
            }
            let at = if unit == size { rest } else { rest / (unit / size) };
            rest -= at * (unit / size);
            only.set(dim, at, at + 1);
        }
    }

    /// What a backend is given of a phase.
    #[inline]
    pub(crate) fn subspace<'a>(&'a self, phase: usize, boxes: &'a mut Vec<Block>) -> Subspace<'a> {
        let boxes: &[Block] = match &self.found {
            Some((all, first)) => &all[first[phase]..first[phase + 1]],
            None => {
                self.positions(phase, boxes);
                boxes
            }
        };
        let part = Subspace::new(phase, boxes, (&self.spread, &self.numbering));
        let part = if self.is_plain { part } else { part.with_ids(&self.ids) };
        match &self.partials {
            Some((all, first)) => part.with_partials(all, first[phase]..first[phase + 1]),
            None => part,
        }
    }
}

/// The items `from..to` of a box whose levels are these, as boxes.
fn split(
    levels: &[(usize, usize)],
    (from, to): (usize, usize),
    within: &Block,
    out: &mut Vec<Block>,
) {
    if from >= to {
        return;
    }
    let Some((&(dim, unit), faster)) = levels.split_last() else { return out.push(within.clone()) };
    let first = within.lo(dim);
    let cut = |lo, hi| within.cut(dim, first + lo, first + hi);
    let (mut lo, hi) = (from / unit, to / unit);
    let (head, tail) = (from % unit, to % unit);
    if head > 0 {
        let end = if lo == hi { tail } else { unit };
        split(faster, (head, end), &cut(lo, lo + 1), out);
        if lo == hi {
            return;
        }
        lo += 1;
    }
    if lo < hi {
        out.push(cut(lo, hi));
    }
    if tail > 0 {
        split(faster, (0, tail), &cut(hi, hi + 1), out);
    }
}

/// Calls `run` for each box of ids that a box of positions is.
pub(crate) fn each_run(ids: &[Sequence], positions: &Block, mut run: impl FnMut(&Block)) {
    each_run_of(ids.len(), ids, positions, positions, &mut run);
}

/// As [`each_run`], with the dimensions from `n` on done; the slowest one is the outer loop.
fn each_run_of(
    n: usize,
    ids: &[Sequence],
    positions: &Block,
    within: &Block,
    run: &mut dyn FnMut(&Block),
) {
    let Some(dim) = n.checked_sub(1) else { return run(within) };
    let (mut at, end) = (positions.lo(dim), positions.hi(dim));
    while at < end {
        let found = ids[dim].run(at, end);
        each_run_of(dim, ids, positions, &within.with(dim, found.lo, found.lo + found.n), run);
        at += found.n;
    }
}

mod ties;

#[cfg(test)]
mod tests;
