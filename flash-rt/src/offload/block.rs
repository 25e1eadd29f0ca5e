//! The box of items that native code of a device is given where it has `FLASH_BLOCK` as its last parameter:
//! `flash_block` of [`HEADER`], as words. A table of indices is an argument of its own.

use super::table::Rows;
use crate::backend::LaunchInfo;
use crate::space::Block;

/// `flash.h`, which says what native code is called with.
pub const HEADER: &str = include_str!("../../include/flash.h");

/// The most dimensions that a `flash_block` has: its `FLASH_MAX_RANK`.
pub const MAX_RANK: usize = 8;

/// The words of a `flash_block`.
pub const WORDS: usize = 7 + 3 * MAX_RANK;

/// Why a kernel whose index space has this rank cannot take one, where that is so.
pub fn unfit(rank: usize) -> Option<String> {
    (rank > MAX_RANK).then(|| {
        format!(
            "its index space has {rank} dimensions, and `flash_block` of `flash.h` has {MAX_RANK}; write a \
             body in Rust"
        )
    })
}

/// The boxes of ids of a launch.
pub fn boxes<M>(launch: &LaunchInfo<'_, M>) -> Vec<Block> {
    let Some(part) = launch.part else { return vec![launch.space.block()] };
    let mut boxes = Vec::with_capacity(1);
    for positions in part.boxes() {
        part.each(positions, |ids| boxes.push(ids.clone()));
    }
    boxes
}

/// Those of them that have items.
pub fn filled<M>(launch: &LaunchInfo<'_, M>) -> Vec<Block> {
    let mut boxes = boxes(launch);
    boxes.retain(|ids| ids.n_items() > 0);
    boxes
}

/// That of a box of ids of a launch.
pub fn words<M>(launch: &LaunchInfo<'_, M>, ids: &Block) -> [u64; WORDS] {
    let rank = launch.space.rank();
    let (phase, partition) = launch.part.map_or((0, 0), |part| (part.phase(), part.partition()));
    let mut all = [0; WORDS];
    // Two numbers of 32 bits, of which the first one is the rank, wherever words begin.
    let mut first = [0; 8];
    first[..4].copy_from_slice(&(rank as u32).to_ne_bytes());
    all[0] = u64::from_ne_bytes(first);
    all[3] = phase as u64;
    all[4] = partition as u64;
    all[5] = ids.n_items() as u64;
    let (lo, rest) = all[7..].split_at_mut(MAX_RANK);
    let (hi, size) = rest.split_at_mut(MAX_RANK);
    for dim in 0..MAX_RANK {
        let is_there = dim < rank;
        lo[dim] = if is_there { ids.lo(dim) as u64 } else { 0 };
        hi[dim] = if is_there { ids.hi(dim) as u64 } else { 1 };
        size[dim] = launch.space.extent(dim) as u64;
    }
    all
}

/// That of the rows of a table: the box is around their items.
pub fn words_of_rows<M>(launch: &LaunchInfo<'_, M>, rows: &Rows) -> [u64; WORDS] {
    let mut all = words(launch, &rows.around);
    all[5] = rows.n as u64;
    all
}
