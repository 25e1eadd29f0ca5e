//! The ids of items as the rows of a table, for code that takes them so. It does not say who does.

use flash_ir::Dims;
use smallvec::SmallVec;

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
fn items<T: Copy>(at: &Block, id: impl Fn(usize, usize) -> T, out: &mut Vec<T>) {
    if at.n_items() == 0 {
        return;
    }
    let rank = at.rank();
    let mut now: Dims = (0..rank).map(|dim| at.lo(dim)).collect();
    let mut ids: SmallVec<[T; 4]> = (0..rank).map(|dim| id(dim, now[dim])).collect();
    let below = at.hi(0) - at.lo(0);
    for _ in 0..at.n_items() / below {
        // Along a line only the first id is another one.
        for position in at.lo(0)..at.hi(0) {
            ids[0] = id(0, position);
            out.extend_from_slice(&ids);
        }
        for dim in 1..rank {
            now[dim] += 1;
            let is_over = now[dim] == at.hi(dim);
            if is_over {
                now[dim] = at.lo(dim);
            }
            ids[dim] = id(dim, now[dim]);
            if !is_over {
                break;
            }
        }
    }
}

/// The ids of a dimension of all items of a box.
fn row<T: Copy>(at: &Block, dim: usize, id: impl Fn(usize) -> T, out: &mut Vec<T>) {
    let extent = |dim: usize| at.hi(dim) - at.lo(dim);
    let (start, n_items) = (out.len(), at.n_items());
    if n_items == 0 {
        return;
    }
    // Each id comes as often one behind the other as there are items below it, and the ids in turn as often
    // as there are items above them.
    let below: usize = (0..dim).map(extent).product();
    let positions = at.lo(dim)..at.hi(dim);
    match below {
        1 => out.extend(positions.map(id)),
        _ => positions.for_each(|position| out.extend(std::iter::repeat_n(id(position), below))),
    }
    loop {
        let done = out.len() - start;
        if done == n_items {
            break;
        }
        out.extend_from_within(start..start + done.min(n_items - done));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::space::Space;

    /// The ids of all items of a box, one by one.
    fn each(at: &Block) -> Vec<Vec<usize>> {
        let rank = at.rank();
        let mut all = vec![Vec::new()];
        for dim in (0..rank).rev() {
            let longer = |ids: &Vec<usize>| {
                let ids = ids.clone();
                (at.lo(dim)..at.hi(dim)).map(move |id| [&[id], &*ids].concat())
            };
            all = all.iter().flat_map(longer).collect();
        }
        all
    }

    #[test]
    fn tables_have_the_ids_of_each_item_in_turn() {
        let space = Space::new(&[4, 3, 5, 2]).unwrap().block();
        let cuts = [0, 1, 2, 3].map(|dim| {
            let n = space.hi(dim);
            [(0, n), (1, n), (0, 1), (n - 1, n), (0, 0)]
        });
        for number in 0..5_usize.pow(4) {
            let of = |dim: usize| cuts[dim][number / 5_usize.pow(dim as u32) % 5];
            let at = (0..4).fold(space.clone(), |at, dim| at.cut(dim, of(dim).0, of(dim).1));
            let (boxes, all) = ([at.clone(), space.clone()], [each(&at), each(&space)].concat());
            let (mut rows, mut by_item) = (Vec::new(), Vec::new());
            fill((&boxes, None), false, |id| id as u32, &mut rows);
            fill((&boxes, None), true, |id| id as u32, &mut by_item);
            let column = |dim: usize| all.iter().map(move |ids| ids[dim] as u32);
            assert_eq!(rows, (0..4).flat_map(column).collect::<Vec<_>>(), "{at:?}");
            let flat = all.iter().flatten().map(|&id| id as u32);
            assert_eq!(by_item, flat.collect::<Vec<_>>(), "{at:?}");
        }
    }
}
