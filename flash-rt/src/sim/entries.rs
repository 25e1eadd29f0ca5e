//! Runs CPU entries on simulated memory. Fenced, as it hands slots of that memory to CPU entries.
#![allow(unsafe_code, reason = "calls entries with slots made here")]

use smallvec::SmallVec;

use super::SimMemory;
use crate::backend::LaunchInfo;
use crate::descriptor::Role;
use crate::entry::{Shared, Slot, reduction, run_block};
use crate::env_options::Isa;
use crate::space::Block;

/// Runs a launch to its end.
pub(super) fn run(launch: &LaunchInfo<'_, SimMemory>) {
    for memory in launch.memories.iter().flatten() {
        memory.0.touch_all();
    }
    entry(launch, &addressed(launch));
}

/// So many parameters are looked at without an allocation.
const FEW: usize = 8;

/// The slots of the launch with addresses in place of offsets.
fn addressed(launch: &LaunchInfo<'_, SimMemory>) -> SmallVec<[Slot; FEW]> {
    let mut slots = SmallVec::<[Slot; FEW]>::from(launch.slots);
    for (slot, memory) in slots.iter_mut().zip(launch.memories) {
        if let Some(memory) = memory {
            slot.array.base = memory.0.base().wrapping_add(slot.array.base.addr());
        }
    }
    slots
}

/// Runs the baseline entry, reduction block by reduction block where there are any.
fn entry(launch: &LaunchInfo<'_, SimMemory>, slots: &[Slot]) {
    let Some(entries) = launch.kernel.entries else { return };
    let (entry, _) = entries.highest(Isa::Baseline);
    let shared = Shared { slots, ..launch.shared() };
    let reduces = launch.kernel.params.iter().any(|p| matches!(p.role, Role::Reduce { .. }));
    let run = |block: &Block, number: usize| {
        // SAFETY: the baseline needs no instruction set. The run time made the slots for this
        // launch alone; those of device memory now point into memory that the launch keeps, and
        // nothing else under way touches what they promise. Blocks run one after the other, each
        // number once.
        unsafe { run_block(entry, &shared, block, number) }
    };
    let space = launch.space;
    match (launch.part, reduces) {
        (None, false) => run(&space.block(), 0),
        (None, true) => (0..reduction::n_blocks(space))
            .for_each(|number| run(&reduction::block(space, number), number)),
        (Some(part), false) => {
            part.boxes().iter().for_each(|positions| part.each(positions, |ids| run(ids, 0)));
        }
        (Some(part), true) => {
            let numbered = part.partials().filter_map(|n| Some((part.partial(n)?, n)));
            numbered.for_each(|(ids, number)| run(ids, number));
        }
    }
}
