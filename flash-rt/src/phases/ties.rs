//! Sort keys with ids that repeat. Items with equal keys stay in their own order, in which the
//! dimensions of the keys are at their usual places: they are a box for each combination of different
//! ids, the boxes follow each other, and no two of them need to be equally large.

use flash_ir::NEAR;
use smallvec::SmallVec;

use super::{Rule, split};
use crate::count_by::Sequence;
use crate::space::{Block, Space};

/// The boxes of items with equal keys.
#[derive(Debug)]
pub(super) struct Ties {
    /// The most significant key first.
    keys: Vec<Key>,
}

/// A dimension of the sort key.
#[derive(Debug)]
struct Key {
    dim: usize,
    /// The positions where each id begins, and after them the number of positions.
    starts: Vec<usize>,
}

impl Ties {
    /// The boxes of keys, most significant first, with ascending ids in their dimensions.
    pub(super) fn new(ids: &[Sequence], dims: &[usize]) -> Self {
        let mut keys: Vec<Key> = Vec::new();
        for &dim in dims {
            // A dimension that is named again orders nothing.
            if keys.iter().any(|key| key.dim == dim) {
                continue;
            }
            let (ids, n) = (&ids[dim], ids[dim].len());
            let begins = |&at: &usize| at == 0 || ids.id(at) != ids.id(at - 1);
            keys.push(Key { dim, starts: (0..n).filter(begins).chain([n]).collect() });
        }
        Self { keys }
    }

    /// Where phases begin, the first one at item 0.
    pub(super) fn starts(&self, space: &Space, rules: &[Rule]) -> Vec<usize> {
        let mut starts = Vec::new();
        let (mut first, mut last) = (0, None);
        each(&self.keys, &space.block(), &mut |tied| {
            // From one box to the next a key moves on to the next id, or from the last to the first.
            let moves =
                |dim| last.as_ref().is_some_and(|last: &Block| last.lo(dim) != tied.lo(dim));
            let begin = starts.len();
            starts.extend(last.is_none().then_some(first));
            let levels = levels(tied);
            for rule @ Rule { dim, at } in rules {
                if self.keys.iter().any(|key| key.dim == *dim) {
                    let is_cut = |at: &Vec<usize>| at.binary_search(&tied.lo(*dim)).is_ok();
                    let is_cut = moves(*dim) && at.as_ref().is_none_or(is_cut);
                    starts.extend(is_cut.then_some(first));
                    continue;
                }
                let (unit, end) = (levels[*dim].1, first + tied.n_items());
                rule.starts(first..end, unit, space, &mut starts);
            }
            starts[begin..].sort_unstable();
            (first, last) = (first + tied.n_items(), Some(tied.clone()));
        });
        starts.dedup();
        starts
    }

    /// The items `from..to` of the space, as boxes.
    pub(super) fn split(&self, items: (usize, usize), space: &Block, out: &mut Vec<Block>) {
        split_by(&self.keys, items, space, out);
    }
}

/// The levels of a box in which dimension 0 is the fastest.
fn levels(within: &Block) -> SmallVec<[(usize, usize); NEAR]> {
    let mut unit = 1;
    let level = |dim| {
        let below = unit;
        unit *= within.hi(dim) - within.lo(dim);
        (dim, below)
    };
    (0..within.rank()).map(level).collect()
}

/// Calls `visit` for each box of items with equal keys, in their order.
fn each(keys: &[Key], within: &Block, visit: &mut dyn FnMut(&Block)) {
    let Some((key, rest)) = keys.split_first() else { return visit(within) };
    for ends in key.starts.windows(2) {
        each(rest, &within.cut(key.dim, ends[0], ends[1]), visit);
    }
}

/// The items `from..to` of those that differ in these keys, or in none.
fn split_by(keys: &[Key], (from, to): (usize, usize), within: &Block, out: &mut Vec<Block>) {
    let Some((Key { dim, starts }, rest)) = keys.split_first() else {
        return split(&levels(within), (from, to), within, out);
    };
    let unit = within.n_items() / (within.hi(*dim) - within.lo(*dim));
    // The last id that begins at an item or before.
    let id_of = |item: usize| starts.partition_point(|&start| start * unit <= item) - 1;
    let (mut at, mut id) = (from, id_of(from));
    while at < to {
        let (begin, end) = (starts[id] * unit, starts[id + 1] * unit);
        if at == begin && end <= to {
            // All items of several ids are one box.
            id = id_of(to);
            out.push(within.cut(*dim, begin / unit, starts[id]));
            at = starts[id] * unit;
        } else {
            let items = (at - begin, to.min(end) - begin);
            split_by(rest, items, &within.cut(*dim, starts[id], starts[id + 1]), out);
            (at, id) = (end, id + 1);
        }
    }
}
