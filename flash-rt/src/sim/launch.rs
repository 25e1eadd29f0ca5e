//! Runs kernels on simulated memory. Fenced, as it hands slots of that memory to CPU entries.
#![allow(unsafe_code, reason = "calls entries with slots made here")]

use super::memory::Bytes;
use super::{Run, SimMemory, driver_error};
use crate::backend::LaunchInfo;
use crate::descriptor::{KernelDescriptor, Role};
use crate::entry::{Shared, Slot, reduction, run_block};
use crate::error::{DriverError, DriverErrorKind};

/// Whether a kernel can be run.
pub(super) fn supports(run: Run, kernel: &'static KernelDescriptor) -> Result<(), DriverError> {
    let has = match run {
        Run::Ir => kernel.ir.is_some(),
        Run::Entry => kernel.entries.is_some(),
    };
    if has {
        return Ok(());
    }
    let text = "it has no portable body, and the simulator runs nothing else";
    Err(driver_error("sim::load", DriverErrorKind::Failed, text.to_owned()))
}

/// Runs a launch to its end.
pub(super) fn run(run: Run, launch: &LaunchInfo<'_, SimMemory>) -> Result<(), DriverError> {
    supports(run, launch.kernel)?;
    let held = Held::of(launch);
    let slots = held.slots(launch);
    entry(launch, &slots);
    drop(held);
    Ok(())
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
