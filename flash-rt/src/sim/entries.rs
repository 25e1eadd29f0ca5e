//! Runs CPU entries on simulated memory. Fenced, as it hands slots of that memory to CPU entries.
#![allow(unsafe_code, reason = "calls entries with slots made here")]

use super::SimMemory;
use super::memory::Bytes;
use crate::backend::LaunchInfo;
use crate::descriptor::Role;
use crate::entry::{Shared, Slot, reduction, run_block};

/// Runs a launch to its end.
pub(super) fn run(launch: &LaunchInfo<'_, SimMemory>) {
    let held = Held::of(launch);
    entry(launch, &held.slots(launch));
}

/// The memories of a launch, each locked once.
struct Held<'m> {
    memories: Vec<(*const SimMemory, *mut u8)>,
    _locks: Vec<Bytes<'m>>,
}

impl<'m> Held<'m> {
    fn of(launch: &LaunchInfo<'m, SimMemory>) -> Self {
        let mut distinct: Vec<&'m SimMemory> = launch.memories.iter().flatten().copied().collect();
        // By address, so that two launches never wait for each other.
        distinct.sort_by_key(|memory| std::ptr::from_ref(*memory));
        distinct.dedup_by_key(|memory| std::ptr::from_ref(*memory));
        let mut locks: Vec<Bytes<'m>> = distinct.iter().map(|memory| memory.lock()).collect();
        // Taken once each, so that no later borrow invalidates an address.
        let bases = locks.iter_mut().map(|bytes| bytes.as_mut_ptr());
        let memories = distinct.iter().map(|m| std::ptr::from_ref(*m)).zip(bases).collect();
        Self { memories, _locks: locks }
    }

    /// The slots of the launch with addresses in place of offsets.
    fn slots(&self, launch: &LaunchInfo<'_, SimMemory>) -> Vec<Slot> {
        let mut slots = launch.slots.to_vec();
        for (slot, memory) in slots.iter_mut().zip(launch.memories) {
            let Some(memory) = memory else { continue };
            let key = std::ptr::from_ref(*memory);
            if let Some((_, base)) = self.memories.iter().find(|(at, _)| *at == key) {
                slot.array.base = base.wrapping_add(slot.array.base.addr());
            }
        }
        slots
    }
}

/// Runs the baseline entry, reduction block by reduction block where there are any.
fn entry(launch: &LaunchInfo<'_, SimMemory>, slots: &[Slot]) {
    let Some(entries) = launch.kernel.entries else { return };
    let shared = Shared { slots, ..launch.shared() };
    let reduces = launch.kernel.params.iter().any(|p| matches!(p.role, Role::Reduce { .. }));
    let n = if reduces { reduction::n_blocks(launch.space) } else { 1 };
    for number in 0..n {
        let block =
            if reduces { reduction::block(launch.space, number) } else { launch.space.block() };
        // SAFETY: the baseline needs no instruction set. The run time made the slots for this
        // launch alone; those of device memory now point into memory that `Held` has locked. Blocks
        // run one after the other, each number once.
        unsafe { run_block(entries.baseline, &shared, &block, number) };
    }
}
