//! How a launch is cut into pieces for the team. It decides where, not who runs them.

use flash_rt::backend::{LaunchInfo, Subspace};
use flash_rt::entry::reduction;
use flash_rt::{Block, Dims, Space};

use crate::backend::{CpuModule, NoMemory};

/// The most items an entry runs along dimension 0 at once; it numbers them in a few bits.
const LINE: usize = 1 << 23;

/// Items that share cache lines in any array: a cut between them would make two cores write one.
/// Fewer of them in a line are no work for vectors, and read little of each row they look down.
const GRANULE: usize = 64;

/// The pieces of a launch, or of the part of it that runs.
#[derive(Debug)]
pub(crate) enum Pieces<'l> {
    /// The whole space.
    Whole(&'l Space, Cut),
    /// One box.
    Box(&'l Subspace<'l>, &'l Block, Cut),
    /// Boxes, each with its extents, its cut, and the number of its first piece.
    Boxes(&'l Subspace<'l>, Vec<(&'l Block, Space, Cut, usize)>, usize),
    /// Boxes with a partial result each, in so many pieces.
    Partials(&'l Subspace<'l>, usize),
}

impl<'l> Pieces<'l> {
    /// About `wanted` pieces, as [`Cut`] makes them.
    pub(crate) fn of(
        module: &CpuModule,
        launch: &LaunchInfo<'l, NoMemory>,
        wanted: usize,
        least: usize,
    ) -> Self {
        let space = launch.space;
        let Some(part) = launch.part else {
            return Self::Whole(
                space,
                match module.reduces {
                    true => Cut::reduction(space, wanted),
                    false => Cut::boxes(space, wanted, least),
                },
            );
        };
        if module.reduces {
            return Self::Partials(part, wanted.clamp(1, part.partials().len().max(1)));
        }
        if let [block] = part.boxes() {
            return Self::Box(part, block, Cut::boxes(&block.extents(), wanted, least));
        }
        let (mut boxes, mut n) = (Vec::with_capacity(part.boxes().len()), 0);
        let items = part.n_items().max(1);
        for block in part.boxes() {
            // Each gets the share of pieces that it has of the items.
            let share =
                |all: usize| (all as u128 * block.n_items() as u128).div_ceil(items as u128);
            let extents = block.extents();
            let cut = Cut::boxes(&extents, share(wanted) as usize, share(least) as usize);
            let first = n;
            n += cut.pieces();
            boxes.push((block, extents, cut, first));
        }
        Self::Boxes(part, boxes, n)
    }

    /// The number of pieces.
    pub(crate) fn n(&self) -> usize {
        match self {
            Self::Whole(_, cut) | Self::Box(.., cut) => cut.pieces(),
            Self::Boxes(.., n) | Self::Partials(.., n) => *n,
        }
    }

    /// As [`Cut::each`], with boxes of positions, and what makes them ids where they are none.
    pub(crate) fn positions(
        &self,
        piece: usize,
        mut run: impl FnMut(&Block, usize, Option<&Subspace<'_>>),
    ) {
        match self {
            Self::Whole(space, cut) => cut.each(space, piece, |inner, n| run(inner, n, None)),
            Self::Box(part, block, cut) => cut.each(&block.extents(), piece, |inner, n| {
                run(&inner.moved(block), n, Some(part));
            }),
            Self::Boxes(part, boxes, _) => {
                let at = boxes.partition_point(|(.., first)| *first <= piece);
                let Some((block, extents, cut, first)) = at.checked_sub(1).map(|at| &boxes[at])
                else {
                    return;
                };
                cut.each(extents, piece - first, |inner, n| {
                    run(&inner.moved(block), n, Some(part));
                });
            }
            // Those that have a partial result are boxes of ids.
            Self::Partials(..) => self.each(piece, |ids, n| run(ids, n, None)),
        }
    }

    /// As [`Cut::each`], with boxes of ids.
    #[inline]
    pub(crate) fn each(&self, piece: usize, mut run: impl FnMut(&Block, usize)) {
        match self {
            Self::Whole(space, cut) => cut.each(space, piece, run),
            Self::Box(part, block, cut) => cut.each(&block.extents(), piece, |inner, number| {
                part.each(&inner.moved(block), |ids| run(ids, number));
            }),
            Self::Boxes(part, boxes, _) => {
                let at = boxes.partition_point(|(.., first)| *first <= piece);
                let Some((block, extents, cut, first)) = at.checked_sub(1).map(|at| &boxes[at])
                else {
                    return;
                };
                cut.each(extents, piece - first, |inner, number| {
                    part.each(&inner.moved(block), |ids| run(ids, number));
                });
            }
            Self::Partials(part, n) => {
                let all = part.partials();
                let numbers = cut(all.len(), *n, piece, 1)..cut(all.len(), *n, piece + 1, 1);
                for number in numbers {
                    let number = all.start + number;
                    if let Some(ids) = part.partial(number) {
                        run(ids, number);
                    }
                }
            }
        }
    }
}

/// With so few lines for each worker a piece can lean only if lines are cut too.
const FEW_LINES: usize = 32;
/// Where each has so many items.
const LONG_LINE: usize = 2_048;

/// A launch cut into pieces, contiguous in memory order; the same for the same space and number.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Cut {
    /// Slices of one dimension.
    Slices(Slices),
    /// A grid of boxes: the number of cuts of each dimension.
    Boxes { parts: Dims, n: usize },
    /// Runs of reduction blocks, which are a function of the space alone.
    Reduction { blocks: usize, pieces: usize },
}

impl Cut {
    /// About `wanted` pieces of a space, at least as many as the line limit asks for. More than
    /// `least` are made only while their lines stay long enough to be worth one.
    pub(crate) fn boxes(space: &Space, wanted: usize, least: usize) -> Self {
        // Without the divisions below, which short launches would notice.
        if wanted <= least
            && let Some(slices) = Slices::of(space, wanted)
        {
            return Self::Slices(slices);
        }
        let mut parts = Dims::from_elem(1, space.rank());
        let mut n = 1;
        let mut wanted = wanted.max(1);
        // The slowest dimension is cut first: its pieces are contiguous in row-major arrays.
        for dim in (0..space.rank()).rev() {
            let extent = space.extent(dim);
            let mut cuts = wanted.min(extent).max(1);
            if dim == 0 {
                cuts = cuts.min(least.div_ceil(n).max(extent / GRANULE)).max(1);
                cuts = cuts.max(extent.div_ceil(LINE - GRANULE));
            }
            parts[dim] = cuts;
            n *= cuts;
            wanted = wanted.div_ceil(cuts);
        }
        match parts.iter().position(|&cuts| cuts == n) {
            Some(dim) => Self::Slices(Slices { dim, of: n, lean: Lean::default() }),
            None => Self::Boxes { parts, n },
        }
    }

    /// With one piece larger than the others, where each has its part of one dimension.
    pub(crate) fn leaning(self, to: Lean) -> Self {
        match self {
            Self::Slices(slices) => Self::Slices(Slices { lean: to, ..slices }),
            other => other,
        }
    }

    /// In so many numbers, which [`from_words`](Self::from_words) reads; `None` for a grid.
    #[inline]
    pub(crate) fn words(&self) -> Option<[usize; 4]> {
        match *self {
            Self::Slices(Slices { dim, of, lean }) => Some([dim, of, lean.piece, lean.by as usize]),
            Self::Reduction { blocks, pieces } => Some([Self::BLOCKS, pieces, blocks, 0]),
            Self::Boxes { .. } => None,
        }
    }

    /// In place of a dimension: the blocks of a reduction.
    const BLOCKS: usize = usize::MAX;

    #[inline]
    pub(crate) fn from_words([dim, of, at, by]: [usize; 4]) -> Self {
        match dim {
            Self::BLOCKS => Self::Reduction { blocks: at, pieces: of },
            dim => Self::Slices(Slices { dim, of, lean: Lean { piece: at, by: by as u32 } }),
        }
    }

    /// Whether a worker on its own can take a space that is not empty as it is.
    #[inline]
    pub(crate) fn is_one_box(space: &Space) -> bool {
        space.extent(0) <= LINE - GRANULE
    }

    /// The same for a box of a space.
    #[inline]
    pub(crate) fn is_one_line(block: &Block) -> bool {
        block.hi(0) - block.lo(0) <= LINE - GRANULE
    }

    /// About `wanted` runs of the reduction blocks of a space.
    pub(crate) fn reduction(space: &Space, wanted: usize) -> Self {
        let blocks = reduction::n_blocks(space);
        Self::Reduction { blocks, pieces: wanted.clamp(1, blocks.max(1)) }
    }

    /// The number of pieces.
    pub(crate) fn pieces(&self) -> usize {
        match self {
            Self::Slices(Slices { of, .. }) => *of,
            Self::Boxes { n, .. } => *n,
            Self::Reduction { pieces, .. } => *pieces,
        }
    }

    /// Calls `run(block, number)` for the blocks of a piece; the number is that of the reduction
    /// block, 0 where there is none.
    #[inline]
    pub(crate) fn each(&self, space: &Space, piece: usize, mut run: impl FnMut(&Block, usize)) {
        match self {
            Self::Slices(slices) => slices.each(space, piece, |block| run(block, 0)),
            Self::Boxes { parts, .. } => {
                let mut block = space.block();
                let mut rest = piece;
                for (dim, &of) in parts.iter().enumerate().take(space.rank()) {
                    if of > 1 {
                        let k = rest % of;
                        rest /= of;
                        let extent = space.extent(dim);
                        let granule = if dim == 0 { granule(extent, of) } else { 1 };
                        block.set(
                            dim,
                            cut(extent, of, k, granule),
                            cut(extent, of, k + 1, granule),
                        );
                    }
                }
                if block.n_items() > 0 {
                    run(&block, 0);
                }
            }
            Self::Reduction { blocks, pieces } => {
                for number in cut(*blocks, *pieces, piece, 1)..cut(*blocks, *pieces, piece + 1, 1) {
                    run(&reduction::block(space, number), number);
                }
            }
        }
    }
}

/// Pieces of which each has its part of one dimension, and all of the others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Slices {
    dim: usize,
    /// The number of pieces.
    of: usize,
    lean: Lean,
}

impl Slices {
    /// Those of the slowest dimension, where it has as many indices and lines are not too long.
    #[inline]
    fn of(space: &Space, wanted: usize) -> Option<Self> {
        let dim = space.rank() - 1;
        let may = 0 < wanted && wanted <= space.extent(dim) && Cut::is_one_box(space);
        may.then_some(Self { dim, of: wanted, lean: Lean::default() })
    }

    /// Calls `run(block)` for the blocks of a piece.
    #[inline]
    fn each(&self, space: &Space, piece: usize, mut run: impl FnMut(&Block)) {
        let Self { dim, of, lean } = *self;
        if lean.by > 0 && self.has_few_lines(space) {
            let parts = space.extent(0) / GRANULE;
            let [lo, hi] = [piece, piece + 1].map(|k| {
                let at = lean.cut(space.extent(1) * parts, of, k, 1);
                (at / parts, at % parts * GRANULE)
            });
            return between(space, lo, hi, run);
        }
        let mut block = space.block();
        let extent = space.extent(dim);
        let granule = if dim == 0 { granule(extent, of) } else { 1 };
        let [lo, hi] = [piece, piece + 1].map(|k| lean.cut(extent, of, k, granule));
        block.set(dim, lo, hi);
        if block.n_items() > 0 {
            run(&block);
        }
    }

    /// Whether a plane is cut into pieces of a few long lines.
    #[inline]
    fn has_few_lines(&self, space: &Space) -> bool {
        space.rank() == 2
            && self.dim == 1
            && space.extent(1) / self.of < FEW_LINES
            && space.extent(0) >= LONG_LINE
    }
}

/// Boxes of what a plane has from one place to another, line by line.
#[inline]
fn between(
    plane: &Space,
    (lo, from): (usize, usize),
    (hi, to): (usize, usize),
    mut run: impl FnMut(&Block),
) {
    // One box that changes: a copy of it costs as much as a dozen items.
    let mut block = plane.block();
    let mut some = |lines: (usize, usize), items: (usize, usize)| {
        block.set(1, lines.0, lines.1);
        block.set(0, items.0, items.1);
        run(&block);
    };
    let n = plane.extent(0);
    if lo == hi {
        if from < to {
            some((lo, lo + 1), (from, to));
        }
        return;
    }
    let whole = lo + usize::from(from > 0);
    if from > 0 {
        some((lo, whole), (from, n));
    }
    if whole < hi {
        some((whole, hi), (0, n));
    }
    if to > 0 {
        some((hi, hi + 1), (0, to));
    }
}

/// A piece that is larger than the others, by a part of the whole extent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Lean {
    pub(crate) piece: usize,
    /// In [`Lean::WHOLE`]s.
    pub(crate) by: u32,
}

impl Lean {
    pub(crate) const WHOLE: u32 = 1 << 10;

    /// As [`cut`].
    #[inline]
    fn cut(self, extent: usize, of: usize, k: usize, granule: usize) -> usize {
        let more = (extent / Self::WHOLE as usize).saturating_mul(self.by as usize)
            + extent % Self::WHOLE as usize * self.by as usize / Self::WHOLE as usize;
        let even = cut(extent - more, of, k, 1);
        let at = if k > self.piece { even + more } else { even };
        if k == of { extent } else { at / granule * granule }
    }
}

/// Where piece `k` of `of` begins, a multiple of `granule` or the end.
#[inline]
fn cut(extent: usize, of: usize, k: usize, granule: usize) -> usize {
    if k == of {
        return extent;
    }
    // Exact for any extent: the product may pass 2^64, and is seldom so large.
    let at = match extent.checked_mul(k) {
        Some(product) => product / of,
        None => (extent as u128 * k as u128 / of as u128) as usize,
    };
    at / granule * granule
}

/// The granule for `of` pieces of an extent: whole cache lines where the pieces are long enough for
/// that not to matter.
#[inline]
fn granule(extent: usize, of: usize) -> usize {
    let mut granule = GRANULE;
    while granule > 1 && extent / of < 4 * granule {
        granule /= 2;
    }
    granule
}

#[cfg(test)]
mod tests {
    use super::*;

    /// How often each item of a space is in a piece.
    fn visits(space: &Space, cut: &Cut) -> Vec<u32> {
        let mut visits = vec![0; space.n_items()];
        for piece in 0..cut.pieces() {
            cut.each(space, piece, |block, _| {
                let mut at: Vec<_> = (0..block.rank()).map(|dim| block.lo(dim)).collect();
                for _ in 0..block.n_items() {
                    let linear = (0..at.len()).rev().fold(0, |n, d| n * space.extent(d) + at[d]);
                    visits[linear] += 1;
                    for (dim, at) in at.iter_mut().enumerate() {
                        *at += 1;
                        if *at < block.hi(dim) {
                            break;
                        }
                        *at = block.lo(dim);
                    }
                }
            });
        }
        visits
    }

    #[test]
    fn every_item_is_in_one_piece() {
        let spaces: [&[usize]; 10] = [
            &[1],
            &[63],
            &[1_000],
            &[4_097],
            &[7, 3],
            &[1, 40],
            &[300, 2],
            &[5, 6, 7],
            &[2, 1, 3, 4],
            &[2_100, 5],
        ];
        for extents in spaces {
            let space = Space::new(extents).expect("small");
            for wanted in [1, 2, 3, 8, 32, 5_000] {
                let boxes = [Cut::boxes(&space, wanted, 2), Cut::boxes(&space, wanted, wanted)];
                let leans = [0, 1, 100, Lean::WHOLE / 2].map(|by| {
                    [0, wanted - 1, 99]
                        .map(|piece| Cut::boxes(&space, wanted, wanted).leaning(Lean { piece, by }))
                });
                let reductions = [Cut::reduction(&space, wanted)];
                let all = boxes.into_iter().chain(reductions).chain(leans.into_iter().flatten());
                for cut in all {
                    let visits = visits(&space, &cut);
                    assert!(visits.iter().all(|&n| n == 1), "{extents:?} in {wanted}: {cut:?}");
                }
            }
        }
    }

    #[test]
    fn a_cut_is_what_its_words_say() {
        let space = Space::new(&[2_100, 5]).expect("small");
        let lean = Lean { piece: 1, by: 100 };
        let cuts = [Cut::boxes(&space, 3, 3).leaning(lean), Cut::reduction(&space, 3)];
        for cut in cuts {
            assert_eq!(Cut::from_words(cut.words().expect("no grid")), cut);
        }
        assert_eq!(Cut::boxes(&space, 100, 100).words(), None, "a grid");
    }

    #[test]
    fn a_cut_leans_to_one_piece() {
        let space = Space::new(&[98, 1_000]).expect("small");
        let rows = |piece, by| -> Vec<usize> {
            let cut = Cut::boxes(&space, 4, 4).leaning(Lean { piece, by });
            let mut rows = vec![];
            for piece in 0..cut.pieces() {
                cut.each(&space, piece, |block, _| rows.push(block.hi(1) - block.lo(1)));
            }
            rows
        };
        assert_eq!(rows(1, 0), [250; 4]);
        assert_eq!(rows(1, Lean::WHOLE / 5), [200, 399, 200, 201]);
        let line = Space::new(&[10_000]).expect("small");
        let cut = Cut::boxes(&line, 2, 2).leaning(Lean { piece: 1, by: Lean::WHOLE / 10 });
        cut.each(&line, 0, |block, _| assert_eq!(block.hi(0), 4_480, "whole cache lines"));
    }

    #[test]
    fn a_few_long_lines_are_cut_where_a_piece_leans() {
        let space = Space::new(&[4_096, 16]).expect("small");
        let boxes = |by| {
            let cut = Cut::boxes(&space, 2, 2).leaning(Lean { piece: 0, by });
            let mut boxes = vec![];
            for piece in 0..cut.pieces() {
                cut.each(&space, piece, |block, _| {
                    boxes.push([0, 1].map(|dim| block.lo(dim)..block.hi(dim)));
                });
            }
            boxes
        };
        assert_eq!(boxes(0), [[0..4_096, 0..8], [0..4_096, 8..16]]);
        assert_eq!(
            boxes(Lean::WHOLE / 16),
            [[0..4_096, 0..8], [0..2_048, 8..9], [2_048..4_096, 8..9], [0..4_096, 9..16]]
        );
    }

    #[test]
    fn long_lines_are_cut_and_few_items_still_spread() {
        let space = Space::new(&[LINE * 5 + 1, 1]).expect("fits");
        let cut = Cut::boxes(&space, 1, 1);
        for piece in 0..cut.pieces() {
            cut.each(&space, piece, |block, _| assert!(block.n_items() <= LINE));
        }
        let few = Cut::boxes(&Space::new(&[10]).expect("small"), 32, 4);
        let mut sizes = vec![];
        for piece in 0..few.pieces() {
            few.each(&Space::new(&[10]).expect("small"), piece, |b, _| sizes.push(b.n_items()));
        }
        assert_eq!(sizes.len(), 4, "{sizes:?}");
        assert!(sizes.iter().all(|&n| (2..=3).contains(&n)), "{sizes:?}");
    }

    #[test]
    fn reduction_blocks_do_not_depend_on_the_pieces() {
        let space = Space::new(&[100_000]).expect("small");
        let blocks = |wanted| {
            let cut = Cut::reduction(&space, wanted);
            let mut blocks = vec![];
            for piece in 0..cut.pieces() {
                cut.each(&space, piece, |block, number| {
                    blocks.push((number, block.lo(0), block.hi(0)));
                });
            }
            blocks
        };
        assert_eq!(blocks(1), blocks(2));
        assert_eq!(blocks(1), blocks(7));
    }
}
