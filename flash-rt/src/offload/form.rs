//! How the items of a launch become commands of a device: one for each box of ids, or one over a table
//! of ids or over reduction blocks, and which groups of work items they run in.

use std::ops::Range;

use flash_ir::emit::TableIds;
use flash_ir::reduction;

use super::allowance;
use crate::backend::{LaunchInfo, Subspace, indices};
use crate::geometry::Groups;
use crate::space::Block;

/// So many boxes of ids are launched one by one; more are rows of a table.
const MOST_BOXES: usize = 8;

/// Items of a work-group where nobody says.
const GROUP: usize = 256;

/// The most items of a work-group.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Most {
    /// In all.
    pub items: usize,
    /// Along each dimension.
    pub along: [usize; 3],
}

impl Most {
    /// As many as somebody asks for.
    pub const ANY: Self = Self { items: usize::MAX, along: [usize::MAX; 3] };

    /// What a device takes, of code that takes so many items.
    pub fn of(groups: Groups, items: usize) -> Self {
        let along = groups.along.map(|n| n as usize);
        Self { items: items.min(groups.items as usize), along }
    }
}

/// What differs between the commands of a launch.
#[derive(Clone, Copy, Debug)]
pub struct Piece<'p> {
    /// The box of ids.
    pub ids: &'p Block,
    /// The rows of a table, in place of what the box has.
    pub rows: Option<usize>,
    /// The first reduction block.
    pub first_block: usize,
}

/// What the commands of a launch are for.
#[derive(Clone, Debug)]
pub struct Form {
    /// Its boxes of ids, if there is a command for each.
    pub boxes: Option<Vec<Block>>,
    /// The reduction blocks of a launch that reduces, of which there may be none.
    pub blocks: Option<Range<usize>>,
    /// The numbers of the table that its ids are in, if there is one.
    pub table: Option<TableIds>,
    /// The whole index space.
    pub whole: Block,
}

impl Form {
    /// That of a launch.
    pub fn of<M>(launch: &LaunchInfo<'_, M>) -> Self {
        let reduces = launch.reduces();
        let boxes = if reduces { None } else { boxes(launch) };
        let blocks = match launch.part {
            _ if !reduces => None,
            None => Some(0..reduction::n_blocks(launch.space.extents())),
            Some(part) => Some(part.partials()),
        };
        let is_table = match reduces {
            true => !are_plain_blocks(launch),
            false => boxes.is_none(),
        };
        let table = launch.part.filter(|_| is_table).map(width);
        Self { boxes, blocks, table, whole: launch.space.block() }
    }

    /// That of a launch that is one command: where there are several boxes, their ids are in a table. Nothing for
    /// one that reduces and has no blocks, or whose table would be too large; the ids of a whole launch are in
    /// none.
    pub fn as_one<M>(self, launch: &LaunchInfo<'_, M>) -> Option<Self> {
        if let Some(blocks) = &self.blocks {
            return (!blocks.is_empty()).then_some(self);
        }
        match self.boxes.as_deref() {
            Some([_]) => Some(self),
            _ if launch.part.is_none() || !allowance::may_have(launch) => None,
            _ => {
                let table = self.table.or_else(|| launch.part.map(width));
                Some(Self { boxes: None, table, ..self })
            }
        }
    }

    /// Whether groups of so many items cover each piece with no item too many. Groups of a kernel that takes
    /// smaller ones, in all, have a power of two less, which do too.
    pub fn is_exact<M>(&self, launch: &LaunchInfo<'_, M>, most: Most) -> bool {
        let is_asked = launch.geometry.is_some_and(|geometry| geometry.block().is_some());
        if is_asked || self.blocks.is_some() {
            return false;
        }
        let rows = launch.part.filter(|_| self.table.is_some()).map(Subspace::n_items);
        self.pieces(rows).iter().all(|piece| {
            let (rank, counts) = counts(launch.space.rank(), piece);
            let group = group(rank, counts, most, None);
            counts.iter().zip(group).all(|(count, items)| count.is_multiple_of(items))
        })
    }

    /// The table of ids or of reduction blocks as the device gets it, if there is one, and its rows.
    pub fn rows<M>(&self, launch: &LaunchInfo<'_, M>) -> Option<(Box<[u8]>, usize)> {
        let (ids, part) = self.table.zip(launch.part)?;
        let rows = if self.blocks.is_some() { part.partials().len() } else { part.n_items() };
        let bytes = match ids {
            TableIds::U32 => self.filled(part, |id| (id as u32).to_ne_bytes()),
            TableIds::U64 => self.filled(part, |id| (id as u64).to_ne_bytes()),
        };
        Some((bytes, rows))
    }

    /// The ids of all items, dimension after dimension, or the first ids and the ends of reduction blocks,
    /// block after block.
    fn filled<const N: usize>(
        &self,
        part: &Subspace<'_>,
        number: impl Fn(usize) -> [u8; N],
    ) -> Box<[u8]> {
        let mut all: Vec<[u8; N]> = Vec::new();
        if self.blocks.is_none() {
            indices::fill((part.boxes(), Some(part)), false, number, &mut all);
        } else {
            for ids in part.partials().filter_map(|number| part.partial(number)) {
                all.extend((0..ids.rank()).map(|dim| number(ids.lo(dim))));
                all.extend((0..ids.rank()).map(|dim| number(ids.hi(dim))));
            }
        }
        all.into_flattened().into()
    }

    /// A piece for each command, where a table has so many rows.
    pub fn pieces(&self, rows: Option<usize>) -> Vec<Piece<'_>> {
        match &self.boxes {
            Some(boxes) => {
                boxes.iter().map(|ids| Piece { ids, rows: None, first_block: 0 }).collect()
            }
            None => {
                let first_block = self.blocks.as_ref().map_or(0, |blocks| blocks.start);
                vec![Piece { ids: &self.whole, rows, first_block }]
            }
        }
    }
}

/// Whether the boxes of partial results are the reduction blocks of the index space, of their numbers.
fn are_plain_blocks<M>(launch: &LaunchInfo<'_, M>) -> bool {
    let Some(part) = launch.part else { return true };
    let extents = launch.space.extents();
    part.partials().all(|number| {
        let (lo, hi) = reduction::bounds(extents, number);
        part.partial(number).is_some_and(|ids| {
            (0..ids.rank()).all(|dim| (ids.lo(dim), ids.hi(dim)) == (lo[dim], hi[dim]))
        })
    })
}

/// The boxes of ids of a launch; `None` where there are too many.
fn boxes<M>(launch: &LaunchInfo<'_, M>) -> Option<Vec<Block>> {
    let Some(part) = launch.part else { return Some(vec![launch.space.block()]) };
    let mut all = Vec::with_capacity(1);
    let mut too_many = false;
    for positions in part.boxes() {
        part.each(positions, |ids| {
            too_many |= all.len() >= MOST_BOXES;
            if !too_many {
                all.push(ids.clone());
            }
        });
        if too_many {
            return None;
        }
    }
    Some(all)
}

/// How wide the numbers of a table of some items are: its ids, and the ends of reduction blocks.
fn width(part: &Subspace<'_>) -> TableIds {
    let end = |ids: &Block| (0..ids.rank()).map(|dim| ids.hi(dim)).max().unwrap_or(0);
    let of_items = part.boxes().iter().map(|positions| end(&part.bounding(positions)));
    let of_blocks = part.partials().filter_map(|number| part.partial(number)).map(end);
    TableIds::up_to(of_items.chain(of_blocks).max().unwrap_or(0) as u64)
}

/// Work items of a piece along the three dimensions of a device.
pub fn counts(rank: usize, piece: &Piece<'_>) -> (usize, [usize; 3]) {
    if let Some(rows) = piece.rows {
        return (1, [rows, 1, 1]);
    }
    let count = |dim: usize| if dim < rank { piece.ids.hi(dim) - piece.ids.lo(dim) } else { 1 };
    (rank.min(3), [count(0), count(1), (2..rank).map(count).product()])
}

/// The work-group of a launch: as asked for, else as long as a power of two along dimension 0.
pub fn group(rank: usize, counts: [usize; 3], most: Most, asked: Option<&[usize]>) -> [usize; 3] {
    let asked = asked.filter(|block| {
        let fits = block.iter().zip(most.along).all(|(n, most)| *n <= most);
        fits && block.iter().product::<usize>() <= most.items
    });
    if let Some(block) = asked {
        return std::array::from_fn(|dim| block.get(dim).copied().unwrap_or(1).max(1));
    }
    let power_below = |n: usize| if n == 0 { 1 } else { 1 << n.ilog2() };
    let mut room = power_below(most.items.min(GROUP));
    let mut local = [1; 3];
    for dim in 0..rank {
        let most = power_below(most.along[dim]).min(room);
        local[dim] = counts[dim].max(1).next_power_of_two().min(most);
        room /= local[dim];
    }
    local
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::backend::conformance::kernels::AFFINE;
    use crate::count_by::CountBy;
    use crate::descriptor::Group;
    use crate::entry::Outcome;
    use crate::phases::{Ordering, Phases};

    /// Looks at the launch of each phase.
    fn each<R>(
        counts: &[CountBy],
        order: &Ordering,
        look: impl Fn(&LaunchInfo<'_, ()>) -> R,
    ) -> Vec<R> {
        let ids = counts.iter().map(|count| count.sequence().unwrap()).collect();
        let phases = Phases::new(ids, order, false).unwrap();
        let (outcome, mut boxes) = (Outcome::new(), Vec::new());
        let of = |phase| {
            let part = phases.subspace(phase, &mut boxes);
            let launch = LaunchInfo::<()> {
                kernel: &AFFINE,
                space: phases.space(),
                part: Some(&part),
                slots: &[],
                geometry: None,
                memories: &[],
                outcome: &outcome,
                check_all: false,
            };
            look(&launch)
        };
        (0..phases.len()).map(of).collect()
    }

    /// The boxes of each phase, and whether there is a table, as several commands and as one.
    fn forms(counts: &[CountBy], order: &Ordering) -> Vec<(Option<usize>, bool, bool)> {
        each(counts, order, |launch| {
            let form = Form::of(launch);
            let (n, is_table) = (form.boxes.as_ref().map(Vec::len), form.table.is_some());
            assert_eq!(form.rows(launch).is_some(), is_table);
            (n, is_table, form.as_one(launch).unwrap().table.is_some())
        })
    }

    #[test]
    fn tables_are_narrow_where_the_ids_fit() {
        let rows = |last: usize| {
            let ids = [15, 1, 13, 3, 11, 5, 9, 7, last];
            let of = |launch: &LaunchInfo<'_, ()>| {
                let form = Form::of(launch);
                let (bytes, n) = form.rows(launch).unwrap();
                assert_eq!(n, 2 * ids.len());
                let wide: Vec<u64> = match form.table.unwrap() {
                    TableIds::U32 => {
                        let chunks = bytes.chunks_exact(4);
                        chunks.map(|id| u32::from_ne_bytes(id.try_into().unwrap()).into()).collect()
                    }
                    TableIds::U64 => {
                        let chunks = bytes.chunks_exact(8);
                        chunks.map(|id| u64::from_ne_bytes(id.try_into().unwrap())).collect()
                    }
                };
                let first = ids.iter().chain(&ids).map(|&id| id as u64);
                let second = [0, 1].into_iter().flat_map(|id| [id; 9]);
                assert_eq!(wide, first.chain(second).collect::<Vec<_>>());
                form.table.unwrap()
            };
            each(&[CountBy::list(ids), 2.into()], &Ordering::default(), of)
        };
        let most = u32::MAX as usize;
        assert_eq!((rows(17), rows(most - 1)), (vec![TableIds::U32], vec![TableIds::U32]));
        assert_eq!((rows(most), rows(most + 1)), (vec![TableIds::U64], vec![TableIds::U64]));
    }

    #[test]
    fn only_ids_that_are_no_boxes_are_in_a_table() {
        let plain = Ordering::default();
        let grouped = |group| Ordering { sort_by: Vec::new(), group_by: vec![group] };
        let sorted = Ordering { sort_by: vec![1], group_by: Vec::new() };
        let space = || [CountBy::count(6), CountBy::count(4).descending(), CountBy::count(3)];
        let one = (Some(1), false, false);
        assert_eq!(forms(&space(), &plain), [one]);
        assert_eq!(forms(&space(), &grouped(Group::From(1))), [one; 12]);
        assert_eq!(forms(&space(), &sorted), [one; 4]);
        // The last line of a plane and the first of the next is one command each, or one table.
        let around = forms(&space(), &grouped(Group::Value(1, 1)));
        assert!(around.iter().all(|(n, is_table, as_one)| {
            n.is_some_and(|n| (1..=2).contains(&n) && *as_one == (n > 1)) && !is_table
        }));
        assert!(around.contains(&(Some(2), false, true)), "{around:?}");
        // Few runs of ids are boxes, many are rows of a table.
        let few = CountBy::list([5, 6, 7, 1, 2, 3]);
        assert_eq!(forms(&[few, 9.into()], &plain), [(Some(2), false, true)]);
        let many = || CountBy::list([15, 1, 13, 3, 11, 5, 9, 7, 17]);
        assert_eq!(forms(&[many()], &plain), [(None, true, true)]);
        assert_eq!(forms(&[9.into(), many()], &grouped(Group::From(1))), [one; 9]);
    }

    /// So many items, along any dimension.
    fn most(items: usize) -> Most {
        Most { items, ..Most::ANY }
    }

    #[test]
    fn groups_fill_from_dimension_0() {
        assert_eq!(group(1, [1000, 1, 1], most(4096), None), [256, 1, 1]);
        assert_eq!(group(1, [1000, 1, 1], most(100), None), [64, 1, 1]);
        assert_eq!(group(1, [3, 1, 1], most(4096), None), [4, 1, 1]);
        assert_eq!(group(2, [5, 1000, 1], most(4096), None), [8, 32, 1]);
        assert_eq!(group(3, [2, 2, 2], most(4096), None), [2, 2, 2]);
        assert_eq!(group(2, [64, 64, 1], most(4096), Some(&[16, 4])), [16, 4, 1]);
        assert_eq!(group(2, [64, 64, 1], most(32), Some(&[16, 4])), [32, 1, 1]);
    }

    #[test]
    fn groups_are_no_longer_than_a_device_takes_along_a_dimension() {
        let most = Most { items: 4096, along: [1024, 100, 64] };
        assert_eq!(group(3, [1, 1, 1000], most, None), [1, 1, 64]);
        assert_eq!(group(3, [1, 1000, 1000], most, None), [1, 64, 4]);
        assert_eq!(group(2, [1, 65, 1], most, None), [1, 64, 1]);
        assert_eq!(group(3, [64, 64, 64], most, Some(&[1, 100, 1])), [1, 100, 1]);
        assert_eq!(group(3, [1, 1, 256], most, Some(&[1, 1, 256])), [1, 1, 64]);
        // Processors may take groups along dimension 0 only.
        let line = Most { items: 4096, along: [4096, 1, 1] };
        assert_eq!(group(3, [2, 64, 64], line, None), [2, 1, 1]);
        assert_eq!(group(1, [64, 1, 1], Most { along: [0; 3], ..line }, None), [1, 1, 1]);
    }
}
