//! The order of the blocks of a function.
//!
//! It changes nothing but places: which block follows which is as it was.

use super::Placed;
use crate::lower::Unit;
use crate::program::{Kind, NONE, Op};

/// Operations that are always run one after the other.
struct Block {
    from: usize,
    to: usize,
    /// The blocks that may come next.
    next: Vec<usize>,
    /// The one that comes next where nothing jumps.
    falls: Option<usize>,
}

/// The operations in their new order, with jumps to operations.
pub(super) fn ordered(unit: Unit) -> Placed {
    let Unit { ops, places, labels, .. } = unit;
    let (blocks, of_op) = blocks(&ops, &labels);
    let order = order(&blocks);
    let mut position = vec![usize::MAX; blocks.len()];
    for (at, &block) in order.iter().enumerate() {
        position[block] = at;
    }
    let mut old: Vec<Option<Op>> = ops.into_iter().map(Some).collect();
    let mut new: Vec<Op> = Vec::with_capacity(old.len());
    let mut new_places = Vec::with_capacity(old.len());
    let mut starts = vec![0_u32; blocks.len()];
    for (at, &number) in order.iter().enumerate() {
        let block = &blocks[number];
        starts[number] = new.len() as u32;
        for index in block.from..block.to {
            if let Some(op) = old[index].take() {
                new.push(op);
                new_places.push(places[index]);
            }
        }
        let follows = order.get(at + 1).copied();
        match block.falls {
            Some(falls) if Some(falls) != follows => {
                let place = new_places.last().copied().unwrap_or_default();
                // The label of an operation is found again below, so it is named by the operation.
                let kind = Kind::Jump { to: blocks[falls].from as u32 | BLOCK };
                new.push(Op { guard: NONE, negated: false, kind });
                new_places.push(place);
            }
            _ => {}
        }
    }
    let target = |to: u32| {
        let op = if to & BLOCK != 0 { (to & !BLOCK) as usize } else { labels[to as usize] };
        of_op.get(op).map_or(0, |&block| starts[block])
    };
    for op in &mut new {
        match &mut op.kind {
            Kind::Jump { to } => *to = target(*to),
            Kind::JumpTable { to, .. } => to.iter_mut().for_each(|to| *to = target(*to)),
            _ => {}
        }
    }
    (new, new_places)
}

/// A jump to an operation, not to a label.
const BLOCK: u32 = 1 << 31;

fn blocks(ops: &[Op], labels: &[usize]) -> (Vec<Block>, Vec<usize>) {
    let mut begins = vec![false; ops.len() + 1];
    begins[0] = true;
    labels.iter().for_each(|&label| begins[label] = true);
    for (at, op) in ops.iter().enumerate() {
        if matches!(op.kind, Kind::Jump { .. } | Kind::JumpTable { .. } | Kind::Return | Kind::Exit)
        {
            begins[at + 1] = true;
        }
    }
    let mut of_op = Vec::with_capacity(ops.len());
    let mut blocks: Vec<Block> = Vec::new();
    for (at, &begins) in begins[..ops.len()].iter().enumerate() {
        if begins {
            blocks.push(Block { from: at, to: at, next: Vec::new(), falls: None });
        }
        of_op.push(blocks.len() - 1);
        if let Some(block) = blocks.last_mut() {
            block.to = at + 1;
        }
    }
    for number in 0..blocks.len() {
        let last = &ops[blocks[number].to - 1];
        let jumps = match &last.kind {
            Kind::Jump { to } => vec![of_op[labels[*to as usize].min(ops.len() - 1)]],
            Kind::JumpTable { to, .. } => {
                to.iter().map(|to| of_op[labels[*to as usize].min(ops.len() - 1)]).collect()
            }
            _ => Vec::new(),
        };
        let ends = matches!(
            last.kind,
            Kind::Jump { .. } | Kind::JumpTable { .. } | Kind::Return | Kind::Exit
        );
        let goes_on = (!ends || last.guard != NONE) && number + 1 < blocks.len();
        let block = &mut blocks[number];
        block.falls = goes_on.then_some(number + 1);
        block.next = jumps;
        block.next.extend(block.falls);
    }
    (blocks, of_op)
}

/// All blocks that can be reached, in order.
fn order(blocks: &[Block]) -> Vec<usize> {
    let (finished, back) = walk(blocks);
    let loops = loops(blocks, &back, &finished);
    let reached = |block: usize| finished.contains(&block);
    let mut waits = vec![0; blocks.len()];
    for (from, block) in blocks.iter().enumerate().filter(|(from, _)| reached(*from)) {
        for &to in &block.next {
            if !back.contains(&(from, to)) {
                waits[to] += 1;
            }
        }
    }
    let mut ready = vec![0];
    let mut order: Vec<usize> = Vec::new();
    let mut last = 0;
    while !ready.is_empty() {
        // One of the innermost loop that the last one was in; of those, the one written first.
        let shared = |block: usize| loops.iter().filter(|set| set[block] && set[last]).count();
        let best = (0..ready.len())
            .max_by_key(|&at| (shared(ready[at]), std::cmp::Reverse(ready[at])))
            .unwrap_or(0);
        let block = ready.swap_remove(best);
        order.push(block);
        last = block;
        for &to in &blocks[block].next {
            if !back.contains(&(block, to)) {
                waits[to] -= 1;
                if waits[to] == 0 {
                    ready.push(to);
                }
            }
        }
    }
    order
}

/// Blocks as a walk in depth is done with them, and the edges that lead back.
fn walk(blocks: &[Block]) -> (Vec<usize>, Vec<(usize, usize)>) {
    let mut finished = Vec::new();
    let mut back = Vec::new();
    // 0 not seen, 1 on the way, 2 done.
    let mut state = vec![0; blocks.len()];
    let mut way = vec![(0, 0)];
    if let Some(first) = state.first_mut() {
        *first = 1;
    }
    while let Some((block, edge)) = way.pop() {
        match blocks[block].next.get(edge) {
            Some(&to) => {
                way.push((block, edge + 1));
                match state[to] {
                    0 => {
                        state[to] = 1;
                        way.push((to, 0));
                    }
                    1 => back.push((block, to)),
                    _ => {}
                }
            }
            None => {
                state[block] = 2;
                finished.push(block);
            }
        }
    }
    (finished, back)
}

/// For each edge that leads back, the blocks of its loop.
fn loops(blocks: &[Block], back: &[(usize, usize)], reached: &[usize]) -> Vec<Vec<bool>> {
    let mut before = vec![Vec::new(); blocks.len()];
    for &from in reached {
        for &to in &blocks[from].next {
            before[to].push(from);
        }
    }
    let of = |&(latch, header): &(usize, usize)| {
        let mut inside = vec![false; blocks.len()];
        inside[header] = true;
        let mut left = vec![latch];
        while let Some(block) = left.pop() {
            if !inside[block] {
                inside[block] = true;
                left.extend(&before[block]);
            }
        }
        inside
    };
    back.iter().map(of).collect()
}
