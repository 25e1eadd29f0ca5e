//! Blocks and grids of emitted kernels: as many threads as fill a device, of boxes that a grid has room
//! for. It launches nothing.

use flash_ir::emit::cuda::MAX_BLOCKS;
use flash_ir::reduction::LANES;
use flash_rt::Block;
use flash_rt::offload::form::{self, Most, Piece};

use crate::cu::Launch;

/// The least threads of a block: two warps, so that one can wait while the other runs.
const LEAST: usize = 64;

/// The threads of a block of a launch: fewer where there would be too few blocks for all multiprocessors.
pub(super) fn threads(items: usize, best: usize, units: usize) -> usize {
    let mut threads = best;
    while threads > LEAST && items.div_ceil(threads) < units {
        threads /= 2;
    }
    threads
}

/// The most blocks along the first dimension of a grid. The others have [`MAX_BLOCKS`].
const MOST_FIRST: usize = i32::MAX as usize;

/// The grid of a piece, with blocks as they are asked for, or of so many threads, each of which does so many
/// items.
pub(super) fn shape(
    (rank, piece): (usize, &Piece<'_>),
    (threads, together): (Most, usize),
    asked: Option<&[usize]>,
) -> Launch {
    let (rank, mut counts) = form::counts(rank, piece);
    counts[0] = counts[0].div_ceil(together);
    let block = form::group(rank, counts, threads, asked);
    let blocks = |dim: usize| counts[dim].div_ceil(block[dim]).max(1) as u32;
    Launch {
        grid: std::array::from_fn(blocks),
        block: block.map(|n| n as u32),
        shared: 0,
        cooperative: false,
    }
}

/// The grid of so many reduction blocks, each of which is a warp.
pub(super) fn of_blocks(blocks: usize) -> Launch {
    Launch {
        grid: [blocks as u32, 1, 1],
        block: [LANES as u32, 1, 1],
        shared: 0,
        cooperative: false,
    }
}

/// Boxes that a grid has room for, whatever its blocks are: those that are too long in dimension 0 or 1, or
/// in all further ones together, in halves.
pub(crate) fn within_grids(boxes: &[Block]) -> Vec<Block> {
    let (mut all, mut left) = (Vec::with_capacity(boxes.len()), boxes.to_vec());
    left.reverse();
    while let Some(ids) = left.pop() {
        let rank = ids.rank();
        let count = |dim: usize| ids.hi(dim) - ids.lo(dim);
        // One block has a thread in these dimensions at least.
        let long = match () {
            () if rank > 0 && count(0) > MOST_FIRST => Some(0),
            () if rank > 1 && count(1) > MAX_BLOCKS => Some(1),
            () if (2..rank).map(count).product::<usize>() > MAX_BLOCKS => {
                (2..rank).max_by_key(|dim| count(*dim))
            }
            () => None,
        };
        match long {
            Some(dim) => {
                let middle = ids.lo(dim) + count(dim) / 2;
                left.push(ids.cut(dim, middle, ids.hi(dim)));
                left.push(ids.cut(dim, ids.lo(dim), middle));
            }
            None => all.push(ids),
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use flash_rt::Space;

    use super::*;

    /// So many threads, and what devices take along each dimension.
    fn most(items: usize) -> Most {
        Most { items, along: [1024, 1024, 64] }
    }

    #[test]
    fn a_small_launch_has_small_blocks() {
        assert_eq!(threads(1 << 20, 256, 132), 256);
        assert_eq!(threads(132 * 128, 256, 132), 128);
        assert_eq!(threads(100, 256, 132), 64);
        assert_eq!(threads(100, 32, 132), 32);
    }

    #[test]
    fn boxes_are_cut_where_a_grid_ends() {
        let block = |extents: &[usize]| Space::new(extents).unwrap().block();
        let long = block(&[(1 << 32) + 5]);
        let cut = within_grids(std::slice::from_ref(&long));
        let (mut next, mut each) = (0, 0);
        for ids in &cut {
            assert_eq!(ids.lo(0), next);
            (next, each) = (ids.hi(0), each.max(ids.n_items()));
            let piece = Piece { ids, rows: None, first_block: 0 };
            let launch = shape((1, &piece), (most(256), 1), Some(&[1]));
            assert_eq!(launch.grid, [ids.n_items() as u32, 1, 1]);
        }
        assert_eq!((next, cut.len()), (long.hi(0), 4));
        assert!(each <= i32::MAX as usize, "{each} blocks");
        let flat = block(&[i32::MAX as usize]);
        let one = std::slice::from_ref(&flat);
        assert_eq!(within_grids(one), one);
        let tall = block(&[4, 200_000]);
        let cut = within_grids(&[flat, tall]);
        let heights: Vec<(usize, usize)> =
            cut[1..].iter().map(|ids| (ids.lo(1), ids.hi(1))).collect();
        assert_eq!(
            heights,
            [(0, 50_000), (50_000, 100_000), (100_000, 150_000), (150_000, 200_000)]
        );
        let deep = block(&[2, 2, 300, 400]);
        let cut = within_grids(std::slice::from_ref(&deep));
        assert_eq!(cut.len(), 2);
        assert_eq!((cut[1].lo(3), cut[1].hi(3), cut[1].hi(2)), (200, 400, 300));
        assert_eq!(cut.iter().map(Block::n_items).sum::<usize>(), deep.n_items());
    }

    #[test]
    fn a_grid_covers_a_piece() {
        let ids = Space::new(&[1000, 3]).unwrap().block();
        let piece = Piece { ids: &ids, rows: None, first_block: 0 };
        let launch = shape((2, &piece), (most(256), 1), None);
        assert_eq!((launch.grid, launch.block), ([4, 3, 1], [256, 1, 1]));
        let asked = shape((2, &piece), (most(256), 1), Some(&[16, 4]));
        assert_eq!((asked.grid, asked.block), ([63, 1, 1], [16, 4, 1]));
        let rows = Piece { rows: Some(70), ..piece };
        assert_eq!(shape((2, &rows), (most(64), 1), None).grid, [2, 1, 1]);
        assert_eq!(of_blocks(7).grid, [7, 1, 1]);
        let fours = shape((2, &piece), (most(256), 4), None);
        assert_eq!((fours.grid, fours.block), ([1, 3, 1], [256, 1, 1]));
        let ids = Space::new(&[1, 1, 1000]).unwrap().block();
        let deep = Piece { ids: &ids, rows: None, first_block: 0 };
        let deep = shape((3, &deep), (most(256), 1), None);
        assert_eq!((deep.grid, deep.block), ([1, 1, 16], [1, 1, 64]));
    }
}
