//! The ids of items as the rows of a table, for code that takes them so. It does not say who does.

use flash_ir::Dims;

use super::Subspace;
use crate::space::Block;

/// Appends the ids of the items of boxes of positions, those of a box one behind the other with dimension 0
/// the fastest: `by_item` all ids of an item, else of all items those of a dimension.
pub fn fill<T: Copy>(
    (boxes, part): (&[Block], Option<&Subspace<'_>>),
    by_item: bool,
    index: impl Fn(usize) -> T,
    out: &mut Vec<T>,
) {
    let rank = boxes.first().map_or(0, Block::rank);
    out.reserve_exact(boxes.iter().map(Block::n_items).sum::<usize>() * rank);
    let id = |dim: usize, position| index(part.map_or(position, |part| part.id(dim, position)));
    if by_item {
        return boxes.iter().for_each(|at| items(at, id, out));
    }
    for dim in 0..rank {
        boxes.iter().for_each(|at| row(at, dim, |position| id(dim, position), out));
    }
}

/// All ids of each item of a box.
fn items<T>(at: &Block, id: impl Fn(usize, usize) -> T, out: &mut Vec<T>) {
    let rank = at.rank();
    let mut now: Dims = (0..rank).map(|dim| at.lo(dim)).collect();
    for _ in 0..at.n_items() {
        out.extend((0..rank).map(|dim| id(dim, now[dim])));
        for (dim, now) in now.iter_mut().enumerate() {
            *now += 1;
            if *now < at.hi(dim) {
                break;
            }
            *now = at.lo(dim);
        }
    }
}

/// The ids of a dimension of all items of a box.
fn row<T: Copy>(at: &Block, dim: usize, id: impl Fn(usize) -> T, out: &mut Vec<T>) {
    // Each id comes as often one behind the other as there are items below it.
    let extent = |dim: usize| at.hi(dim) - at.lo(dim);
    let below: usize = (0..dim).map(extent).product();
    for _ in 0..at.n_items() / (below * extent(dim)).max(1) {
        for position in at.lo(dim)..at.hi(dim) {
            out.extend(std::iter::repeat_n(id(position), below));
        }
    }
}
