//! Which items of its index space one launch of a backend runs. It names items and runs none.

use std::ops::Range;
use std::sync::Arc;

use crate::count_by::Sequence;
use crate::entry::reduction;
use crate::phases;
use crate::space::{Block, Space};

/// A part of the items of an index space: a phase of a launch, or what one of several devices runs
/// of it.
///
/// It is boxes of *positions*. A position is the id of an item unless a dimension has ids of its
/// own; [`Subspace::each`] goes from boxes of positions to boxes of ids, and those are what an entry
/// runs.
#[derive(Clone, Debug)]
pub struct Subspace<'a> {
    phase: usize,
    partition: usize,
    boxes: &'a [Block],
    ids: Option<&'a Arc<[Sequence]>>,
    spread: &'a Space,
    numbering: &'a Space,
    partials: Option<Partials>,
}

/// Boxes of ids with a partial result each, and which of them.
type Partials = (Arc<[Block]>, Range<usize>);

impl<'a> Subspace<'a> {
    /// The items of boxes; `spread` says how far ids vary within the phase, `numbering` gives each
    /// item its number.
    #[inline]
    pub(crate) fn new(
        phase: usize,
        boxes: &'a [Block],
        (spread, numbering): (&'a Space, &'a Space),
    ) -> Self {
        Self { phase, partition: 0, boxes, ids: None, spread, numbering, partials: None }
    }

    /// With ids that are not positions.
    #[inline]
    pub(crate) fn with_ids(mut self, ids: &'a Arc<[Sequence]>) -> Self {
        self.ids = Some(ids);
        self
    }

    /// With these boxes of ids for partial results.
    #[inline]
    pub(crate) fn with_partials(mut self, all: &Arc<[Block]>, part: Range<usize>) -> Self {
        self.partials = Some((Arc::clone(all), part));
        self
    }

    /// Boxes of it, as number `partition` of the parts that the launch was split into.
    pub(crate) fn of_partition<'b>(self, partition: usize, boxes: &'b [Block]) -> Subspace<'b>
    where
        'a: 'b,
    {
        Subspace { partition, boxes, ..self }
    }

    /// The reduction blocks of an index space.
    pub(crate) fn blocks(space: &Space) -> Arc<[Block]> {
        (0..reduction::n_blocks(space)).map(|number| reduction::block(space, number)).collect()
    }

    /// With those of the reduction blocks of the index space that a box of it is.
    pub(crate) fn with_blocks(mut self, all: &Arc<[Block]>, within: &Block) -> Self {
        let inside = |block: &Block| {
            (0..block.rank())
                .all(|dim| within.lo(dim) <= block.lo(dim) && block.hi(dim) <= within.hi(dim))
        };
        // They are numbered along the dimension that is cut.
        let first = all.iter().position(inside).unwrap_or(0);
        let n = all[first..].iter().take_while(|block| inside(block)).count();
        self.partials = Some((Arc::clone(all), first..first + n));
        self
    }

    /// The smallest box of ids around a box of positions.
    pub fn bounding(&self, positions: &Block) -> Block {
        let Some(ids) = self.ids else { return positions.clone() };
        let mut bounding = positions.clone();
        for (dim, ids) in ids.iter().enumerate() {
            let found = ids.bounding(positions.lo(dim), positions.hi(dim));
            bounding.set(dim, found.start, found.end);
        }
        bounding
    }

    /// The number of the phase.
    #[inline]
    pub fn phase(&self) -> usize {
        self.phase
    }

    /// The number of the part, where the launch was split.
    #[inline]
    pub fn partition(&self) -> usize {
        self.partition
    }

    /// The items as boxes of positions.
    #[inline]
    pub fn boxes(&self) -> &'a [Block] {
        self.boxes
    }

    /// The number of items.
    #[inline]
    pub fn n_items(&self) -> usize {
        self.boxes.iter().map(Block::n_items).sum()
    }

    /// Whether positions are ids.
    #[inline]
    pub fn is_plain(&self) -> bool {
        self.ids.is_none()
    }

    /// The id of an item in a dimension, by its position.
    #[inline]
    pub fn id(&self, dim: usize, position: usize) -> usize {
        self.ids.map_or(position, |ids| ids[dim].id(position))
    }

    /// Calls `run` for the boxes of ids that a box of positions of this part is.
    #[inline]
    pub fn each(&self, positions: &Block, mut run: impl FnMut(&Block)) {
        match self.ids {
            None => run(positions),
            Some(ids) => phases::each_run(ids, positions, run),
        }
    }

    /// The numbers of the partial results of this part; empty without a reduction.
    pub fn partials(&self) -> Range<usize> {
        self.partials.as_ref().map_or(0..0, |(_, part)| part.clone())
    }

    /// The box of ids that has a partial result; those of [`Subspace::partials`] have one.
    pub fn partial(&self, number: usize) -> Option<&Block> {
        self.partials.as_ref()?.0.get(number)
    }

    /// How many ids each dimension takes among the items that may run at once; only 1 is exact.
    #[inline]
    pub fn spread(&self) -> &'a Space {
        self.spread
    }

    /// The space that gives each item its number.
    #[inline]
    pub fn numbering(&self) -> &'a Space {
        self.numbering
    }

    /// The same, to be kept.
    pub fn to_owned(&self) -> OwnedSubspace {
        OwnedSubspace {
            phase: self.phase,
            partition: self.partition,
            boxes: self.boxes.into(),
            ids: self.ids.cloned(),
            spread: self.spread.clone(),
            numbering: self.numbering.clone(),
            partials: self.partials.clone(),
        }
    }
}

/// A [`Subspace`] that is kept, for a backend whose launches outlive the call.
#[derive(Clone, Debug)]
pub struct OwnedSubspace {
    phase: usize,
    partition: usize,
    boxes: Box<[Block]>,
    ids: Option<Arc<[Sequence]>>,
    spread: Space,
    numbering: Space,
    partials: Option<Partials>,
}

impl OwnedSubspace {
    /// What was kept.
    pub fn get(&self) -> Subspace<'_> {
        Subspace {
            phase: self.phase,
            partition: self.partition,
            boxes: &self.boxes,
            ids: self.ids.as_ref(),
            spread: &self.spread,
            numbering: &self.numbering,
            partials: self.partials.clone(),
        }
    }
}
