//! Slots for registers: those that are never alive at once share one.
//!
//! A register is taken to be alive from the first place where it is to the last one, without gaps.

use crate::lower::FIXED;
use crate::program::{Kind, NONE, Op, Use};
use std::collections::{BTreeSet, HashMap};

/// How many slots there are.
pub(super) struct Used {
    pub(super) registers: u32,
    pub(super) predicates: u32,
    /// The most registers alive at once.
    pub(super) pressure: u32,
}

/// Numbers registers and predicates anew, from 0.
pub(super) fn assign(ops: &mut [Op]) -> Used {
    let registers = of_class(ops, |how| matches!(how, Use::Reads | Use::Writes));
    let predicates = of_class(ops, |how| matches!(how, Use::ReadsPred | Use::WritesPred));
    Used { registers, predicates, pressure: registers }
}

/// Numbers those of a class, and says how many slots they need.
fn of_class(ops: &mut [Op], class: impl Fn(Use) -> bool + Copy) -> u32 {
    let mut spans = spans(ops, class);
    spans.sort_by_key(|(register, span)| (span.first, *register));
    let mut slots: HashMap<u32, u32> = HashMap::new();
    // Slots in use, by where they are used last.
    let mut busy: BTreeSet<(usize, u32)> = BTreeSet::new();
    let mut free: Vec<u32> = Vec::new();
    let mut count = 0;
    for (register, span) in spans {
        while let Some(&(last, slot)) = busy.first()
            && last < span.first
        {
            busy.pop_first();
            free.push(slot);
        }
        let slot = free.pop().unwrap_or_else(|| {
            count += 1;
            count - 1
        });
        busy.insert((span.last, slot));
        slots.insert(register, slot);
    }
    for op in ops {
        op.visit(&mut |slot, how| {
            if class(how) && *slot & FIXED == 0 {
                *slot = slots[slot];
            }
        });
    }
    count
}

/// The first and the last operation where a register is alive.
#[derive(Clone, Copy)]
struct Span {
    first: usize,
    last: usize,
}

/// Registers, a bit for each.
#[derive(Clone, PartialEq)]
struct Set(Vec<u64>);

impl Set {
    fn new(count: usize) -> Set {
        Set(vec![0; count.div_ceil(64)])
    }

    fn has(&self, number: usize) -> bool {
        self.0[number / 64] >> (number % 64) & 1 == 1
    }

    fn insert(&mut self, number: usize) {
        self.0[number / 64] |= 1 << (number % 64);
    }

    fn members(&self) -> impl Iterator<Item = usize> {
        let words = self.0.iter().enumerate();
        words.flat_map(|(at, &word)| {
            (0..64).filter(move |bit| word >> bit & 1 == 1).map(move |bit| at * 64 + bit)
        })
    }
}

/// A piece of the operations that is always run from its begin to its end.
struct Block {
    from: usize,
    to: usize,
    next: Vec<usize>,
    /// What is read before it is written.
    reads: Set,
    writes: Set,
    alive: Set,
}

fn spans(ops: &mut [Op], class: impl Fn(Use) -> bool) -> Vec<(u32, Span)> {
    let mut numbers: HashMap<u32, usize> = HashMap::new();
    let mut names: Vec<u32> = Vec::new();
    // For each operation, what it reads and what it writes for sure or perhaps.
    let mut uses: Vec<Vec<(usize, bool, bool)>> = Vec::with_capacity(ops.len());
    for op in ops.iter_mut() {
        let sure = op.guard == NONE;
        let mut found = Vec::new();
        op.visit(&mut |slot, how| {
            if class(how) && *slot & FIXED == 0 {
                let number = *numbers.entry(*slot).or_insert_with(|| {
                    names.push(*slot);
                    names.len() - 1
                });
                let writes = matches!(how, Use::Writes | Use::WritesPred);
                found.push((number, writes, sure));
            }
        });
        uses.push(found);
    }
    let mut blocks = blocks(ops, names.len());
    for block in &mut blocks {
        for found in &uses[block.from..block.to] {
            for &(number, writes, _) in found {
                if !writes && !block.writes.has(number) {
                    block.reads.insert(number);
                }
            }
            for &(number, writes, sure) in found {
                if writes && sure {
                    block.writes.insert(number);
                }
            }
        }
        block.alive = block.reads.clone();
    }
    spread(&mut blocks);
    let mut spans: Vec<Option<Span>> = vec![None; names.len()];
    let mut widen = |number: usize, at: usize| {
        let span = spans[number].get_or_insert(Span { first: at, last: at });
        span.first = span.first.min(at);
        span.last = span.last.max(at);
    };
    for block in &blocks {
        block.alive.members().for_each(|number| widen(number, block.from));
        for (at, found) in (block.from..block.to).zip(&uses[block.from..block.to]) {
            found.iter().for_each(|&(number, ..)| widen(number, at));
        }
        for &next in &block.next {
            blocks[next].alive.members().for_each(|number| widen(number, block.to - 1));
        }
    }
    let named = names.into_iter().zip(spans);
    named.filter_map(|(name, span)| Some((name, span?))).collect()
}

/// What is alive before each block, from what is alive before those that follow it.
fn spread(blocks: &mut [Block]) {
    let mut changed = true;
    while changed {
        changed = false;
        for number in (0..blocks.len()).rev() {
            let mut alive = blocks[number].alive.clone();
            for &next in &blocks[number].next {
                let words = alive.0.iter_mut().zip(&blocks[next].alive.0);
                for ((word, next), writes) in words.zip(&blocks[number].writes.0) {
                    *word |= next & !writes;
                }
            }
            if alive != blocks[number].alive {
                blocks[number].alive = alive;
                changed = true;
            }
        }
    }
}

fn blocks(ops: &[Op], registers: usize) -> Vec<Block> {
    let mut begins = vec![false; ops.len() + 1];
    begins[0] = true;
    for (at, op) in ops.iter().enumerate() {
        match &op.kind {
            Kind::Jump { to } => begins[*to as usize] = true,
            Kind::JumpTable { to, .. } => to.iter().for_each(|to| begins[*to as usize] = true),
            Kind::Return | Kind::Exit => {}
            _ => continue,
        }
        begins[at + 1] = true;
    }
    let starts: Vec<usize> = (0..ops.len()).filter(|&at| begins[at]).collect();
    let of = |at: usize| starts.partition_point(|&start| start <= at) - 1;
    let block = |number: usize, &from: &usize| {
        let to = starts.get(number + 1).copied().unwrap_or(ops.len());
        let last = &ops[to - 1];
        let mut next = match &last.kind {
            Kind::Jump { to } => vec![of(*to as usize)],
            Kind::JumpTable { to, .. } => to.iter().map(|&to| of(to as usize)).collect(),
            _ => Vec::new(),
        };
        let ends = matches!(
            last.kind,
            Kind::Jump { .. } | Kind::JumpTable { .. } | Kind::Return | Kind::Exit
        );
        if (!ends || last.guard != NONE) && to < ops.len() {
            next.push(number + 1);
        }
        let empty = || Set::new(registers);
        Block { from, to, next, reads: empty(), writes: empty(), alive: empty() }
    };
    starts.iter().enumerate().map(|(number, from)| block(number, from)).collect()
}
