//! Running a program over items: all of them, a box, or reduction blocks; in order or shuffled.

use std::ops::Range;

use smallvec::smallvec;

use super::exec::{Flow, Item, Lanes, Slot};
use super::race::Recorder;
use super::word::{Word, by_float, by_int};
use super::{Memory, Notes, Program};
use crate::dims::Dims;
use crate::ir::{ParamKind, ReduceOp};
use crate::reduction::{self, LANES, Reduce};
use crate::ty::ScalarTy;

/// The order of the items of a run. Results do not depend on it, races apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Order {
    /// Dimension 0 fastest.
    #[default]
    Ascending,
    /// A permutation drawn from a seed.
    Shuffled(u64),
}

/// Which items of the space run.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub enum Part {
    /// All.
    #[default]
    Whole,
    /// A box: first index and end in each dimension. Not for kernels with reductions.
    Items(Dims, Dims),
    /// Reduction blocks by number.
    Blocks(Range<usize>),
    /// A box as the reduction block of a number.
    Block(Dims, Dims, usize),
}

/// How a program runs.
#[derive(Debug, Default)]
pub struct Run<'r> {
    /// The order of the items.
    pub order: Order,
    /// Which items.
    pub part: Part,
    /// The extents of the space that gives each item its number, where that is not the index space;
    /// for boxes.
    pub numbering: Option<&'r [usize]>,
    /// What `phase()` is.
    pub phase: usize,
    /// What `partition()` is.
    pub partition: usize,
    /// Who is told of every access.
    pub recorder: Option<&'r mut Recorder>,
}

impl Program {
    /// Runs the kernel over an index space with these extents, dimension 0 first.
    pub fn run(&self, memory: &mut dyn Memory, extents: &[usize], run: Run<'_>) -> Notes {
        let sizes = Dims::from_slice(extents);
        let start: Dims = smallvec![0; extents.len()];
        let mut item = Item {
            regs: vec![0; self.n_regs],
            bytes: vec![0; self.n_bytes],
            ids: start.clone(),
            sizes: sizes.clone(),
            phase: run.phase,
            partition: run.partition,
            shapes: Vec::new(),
            memory,
            item: 0,
            flow: Flow::Next,
            notes: Notes::default(),
            recorder: run.recorder,
            lanes: self.lanes(),
            lane: 0,
            log: None,
        };
        self.bind(&mut item);
        let all = reduction::n_blocks(extents);
        let extents = run.numbering.unwrap_or(extents);
        match (run.part, run.order) {
            (Part::Items(lo, hi), order) => self.box_of_items(&mut item, extents, &lo, &hi, order),
            (Part::Whole, order) if item.lanes.is_empty() => {
                self.box_of_items(&mut item, extents, &start, &sizes, order);
            }
            (Part::Block(lo, hi, number), _) => self.block(&mut item, extents, (&lo, &hi), number),
            (Part::Whole, Order::Ascending) => self.blocks(&mut item, extents, 0..all),
            (Part::Blocks(blocks), Order::Ascending) => self.blocks(&mut item, extents, blocks),
            (Part::Whole, Order::Shuffled(seed)) => {
                self.shuffled_blocks(&mut item, extents, 0..all, seed);
            }
            (Part::Blocks(blocks), Order::Shuffled(seed)) => {
                self.shuffled_blocks(&mut item, extents, blocks, seed);
            }
        }
        item.notes
    }

    /// Fetches values and shapes.
    fn bind(&self, item: &mut Item<'_>) {
        for (k, param) in self.ir.params.iter().enumerate() {
            let mut shape = [1; super::MAX_ARRAY_RANK];
            match (param.kind, self.values[k]) {
                (ParamKind::Value, Slot::Reg(reg, ty)) => {
                    let mut bytes = [0; 8];
                    item.memory.value(k, &mut bytes[..ty.size()]);
                    item.regs[reg] = u64::from_le_bytes(bytes);
                }
                (ParamKind::Value, Slot::Bytes(at, size)) => {
                    item.memory.value(k, &mut item.bytes[at..at + size]);
                }
                (ParamKind::Value | ParamKind::Reduce(_), _) => {}
                _ => shape = item.memory.shape(k),
            }
            item.shapes.push(shape);
        }
    }

    fn lanes(&self) -> Vec<Lanes> {
        let mut lanes = Vec::new();
        for (param, declared) in self.ir.params.iter().enumerate() {
            if let (ParamKind::Reduce(op), Some(ty)) = (declared.kind, super::scalar(&declared.ty))
            {
                lanes.push(Lanes { param, op, ty, values: [identity(op, ty); LANES] });
            }
        }
        lanes
    }

    /// Runs the item with these ids.
    fn item(&self, item: &mut Item<'_>, ids: &[usize], extents: &[usize]) {
        item.ids.clear();
        item.ids.extend_from_slice(ids);
        item.item = linear(ids, extents);
        item.flow = Flow::Next;
        (self.body)(item);
    }

    fn box_of_items(
        &self,
        item: &mut Item<'_>,
        extents: &[usize],
        lo: &[usize],
        hi: &[usize],
        order: Order,
    ) {
        let rank = extents.len();
        let n: usize = (0..rank).map(|dim| hi[dim].saturating_sub(lo[dim])).product();
        match order {
            Order::Ascending => {
                let mut ids = Dims::from_slice(lo);
                for _ in 0..n {
                    self.item(item, &ids, extents);
                    for dim in 0..rank {
                        ids[dim] += 1;
                        if ids[dim] < hi[dim] {
                            break;
                        }
                        ids[dim] = lo[dim];
                    }
                }
            }
            Order::Shuffled(seed) => {
                for number in permutation(n, seed) {
                    self.item(item, &nth(number, lo, hi, rank), extents);
                }
            }
        }
    }

    fn blocks(&self, item: &mut Item<'_>, extents: &[usize], blocks: Range<usize>) {
        for block in blocks {
            let (lo, hi) = reduction::bounds(extents, block);
            self.block(item, extents, (&lo, &hi), block);
        }
    }

    /// Runs the items of a box in order, as the reduction block of a number.
    fn block(
        &self,
        item: &mut Item<'_>,
        extents: &[usize],
        (lo, hi): (&[usize], &[usize]),
        number: usize,
    ) {
        for lanes in &mut item.lanes {
            lanes.values = [identity(lanes.op, lanes.ty); LANES];
        }
        let rank = extents.len();
        let n: usize = (0..rank).map(|dim| hi[dim] - lo[dim]).product();
        for position in 0..n {
            item.lane = position % LANES;
            self.item(item, &nth(position, lo, hi, rank), extents);
        }
        finish(item, number);
    }

    /// Runs the items in any order and adds what they reduced in the order of the blocks.
    fn shuffled_blocks(
        &self,
        item: &mut Item<'_>,
        extents: &[usize],
        blocks: Range<usize>,
        seed: u64,
    ) {
        let rank = extents.len();
        let mut items = Vec::new();
        for block in blocks.clone() {
            let (lo, hi) = reduction::bounds(extents, block);
            let n: usize = (0..rank).map(|dim| hi[dim] - lo[dim]).product();
            items.extend((0..n).map(|position| (block, position)));
        }
        let mut added: Vec<(usize, usize, usize, u64)> = Vec::new();
        for k in permutation(items.len(), seed) {
            let (block, position) = items[k];
            let (lo, hi) = reduction::bounds(extents, block);
            item.log = Some(Vec::new());
            self.item(item, &nth(position, &lo, &hi, rank), extents);
            let log = item.log.take().unwrap_or_default();
            added.extend(log.into_iter().map(|(_, lanes, word)| (block, position, lanes, word)));
        }
        // Stable: what one item adds stays in its own order.
        added.sort_by_key(|&(block, position, ..)| (block, position));
        let mut rest = added.as_slice();
        for block in blocks {
            for lanes in &mut item.lanes {
                lanes.values = [identity(lanes.op, lanes.ty); LANES];
            }
            let n = rest.iter().take_while(|added| added.0 == block).count();
            for &(_, position, lanes, word) in &rest[..n] {
                item.lane = position % LANES;
                add(item, lanes, word);
            }
            rest = &rest[n..];
            finish(item, block);
        }
    }
}

/// Takes a value into a reduction.
pub(super) fn reduce(item: &mut Item<'_>, lanes: usize, word: u64) {
    if item.flow != Flow::Next {
        return;
    }
    match &mut item.log {
        Some(log) => log.push((item.item, lanes, word)),
        None => add(item, lanes, word),
    }
}

fn add(item: &mut Item<'_>, lanes: usize, word: u64) {
    let lane = item.lane;
    if let Some(lanes) = item.lanes.get_mut(lanes) {
        lanes.values[lane] = apply(lanes.op, lanes.ty, lanes.values[lane], word);
    }
}

fn finish(item: &mut Item<'_>, block: usize) {
    for lanes in &item.lanes {
        let (op, ty) = (lanes.op, lanes.ty);
        let word = reduction::combine_lanes(lanes.values, |a, b| apply(op, ty, a, b));
        item.memory.partial(lanes.param, block, &word.to_le_bytes()[..ty.size()]);
    }
}

/// Where a reduction starts.
fn identity(op: ReduceOp, ty: ScalarTy) -> u64 {
    if ty.is_float() {
        return by_float!(ty, T => <T as Reduce>::identity(op).put(), else 0);
    }
    if ty == ScalarTy::Bool {
        return <bool as Reduce>::identity(op).put();
    }
    by_int!(ty, T => <T as Reduce>::identity(op).put(), else 0)
}

/// One step of a reduction.
fn apply(op: ReduceOp, ty: ScalarTy, a: u64, b: u64) -> u64 {
    macro_rules! step {
        ($T:ty) => {
            <$T as Reduce>::apply(op, <$T as Word>::get(a), <$T as Word>::get(b))
                .map_or(a, Word::put)
        };
    }
    if ty.is_float() {
        return by_float!(ty, T => step!(T), else a);
    }
    if ty == ScalarTy::Bool {
        return step!(bool);
    }
    by_int!(ty, T => step!(T), else a)
}

fn linear(ids: &[usize], extents: &[usize]) -> u64 {
    extents.iter().zip(ids).rev().fold(0, |sum, (&extent, &id)| sum * extent as u64 + id as u64)
}

/// The ids of item `number` of a box, dimension 0 fastest.
fn nth(number: usize, lo: &[usize], hi: &[usize], rank: usize) -> Dims {
    let mut ids = Dims::from_slice(lo);
    let mut rest = number;
    for dim in 0..rank {
        let extent = hi[dim] - lo[dim];
        ids[dim] += rest % extent;
        rest /= extent;
    }
    ids
}

/// `0..n` in an order drawn from a seed.
fn permutation(n: usize, seed: u64) -> Vec<usize> {
    let mut items: Vec<usize> = (0..n).collect();
    let mut state = seed;
    for k in (1..n).rev() {
        // splitmix64
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = state;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^= z >> 31;
        items.swap(k, (z % (k as u64 + 1)) as usize);
    }
    items
}
