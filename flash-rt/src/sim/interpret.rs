//! Runs kernels by interpreting their IR on simulated memory. Fenced, as values and partial results
//! are in host memory.
#![allow(unsafe_code, reason = "copies values, elements and partial results of the launch")]

use flash_ir::interp::{MAX_ARRAY_RANK, Memory, Part, Program, Run};

use super::SimMemory;
use crate::backend::LaunchInfo;
use crate::entry::Slot;
use crate::space::Block;

/// Runs a launch to its end.
pub(super) fn run(program: &Program, launch: &LaunchInfo<'_, SimMemory>) {
    let mut arrays = Arrays::of(launch);
    let extents = launch.space.extents();
    match launch.part {
        None => launch.outcome.notes(program.run(&mut arrays, extents, Run::default())),
        Some(part) => {
            let (phase, partition) = (part.phase(), part.partition());
            let numbering = Some(part.numbering().extents());
            let mut run = |ids: &Block, partial: Option<usize>| {
                let lo = (0..ids.rank()).map(|dim| ids.lo(dim)).collect();
                let hi = (0..ids.rank()).map(|dim| ids.hi(dim)).collect();
                let part = match partial {
                    Some(number) => Part::Block(lo, hi, number),
                    None => Part::Items(lo, hi),
                };
                let run = Run { part, numbering, phase, partition, ..Run::default() };
                launch.outcome.notes(program.run(&mut arrays, extents, run));
            };
            for number in part.partials() {
                if let Some(ids) = part.partial(number) {
                    run(ids, Some(number));
                }
            }
            if part.partials().is_empty() {
                let boxes = part.boxes().iter();
                boxes.for_each(|positions| part.each(positions, |ids| run(ids, None)));
            }
        }
    }
}

/// The memory of a launch.
struct Arrays<'l> {
    slots: &'l [Slot],
    sizes: Vec<usize>,
    memories: &'l [Option<&'l SimMemory>],
}

impl<'l> Arrays<'l> {
    fn of(launch: &LaunchInfo<'l, SimMemory>) -> Self {
        let sizes = launch.kernel.params.iter().map(|param| param.elem.size()).collect();
        Arrays { slots: launch.slots, sizes, memories: launch.memories }
    }

    /// The bytes of an element from `offset` on, where it is held.
    fn element(&self, param: usize, index: &[usize], offset: usize, len: usize) -> Option<*mut u8> {
        let array = &self.slots.get(param)?.array;
        let mut at = 0_isize;
        for (d, &i) in index.iter().enumerate().take(usize::from(array.rank)) {
            let i = i.checked_sub(array.origin[d]).filter(|&i| i < array.held[d])?;
            at += i as isize * array.stride[d];
        }
        let start = array.base.addr() + usize::try_from(at).ok()? * self.sizes[param] + offset;
        let memory = &(*self.memories.get(param)?)?.0;
        let range = start as u64..(start + len) as u64;
        if range.end > memory.len() {
            return None;
        }
        memory.touch(range);
        Some(memory.base().wrapping_add(start))
    }
}

impl Memory for Arrays<'_> {
    fn value(&mut self, param: usize, out: &mut [u8]) {
        let len = out.len().min(self.sizes[param]);
        let base = self.slots[param].array.base.cast_const();
        // SAFETY: the slot of a value points to one of the parameter's type, which is at least
        // `len` bytes long and, as a scalar or `Pod`, without padding.
        unsafe { std::ptr::copy_nonoverlapping(base, out.as_mut_ptr(), len) };
    }

    fn shape(&mut self, param: usize) -> [usize; MAX_ARRAY_RANK] {
        let array = &self.slots[param].array;
        std::array::from_fn(|d| if d < usize::from(array.rank) { array.shape[d] } else { 1 })
    }

    fn read(&mut self, param: usize, index: &[usize], offset: usize, out: &mut [u8]) -> bool {
        let Some(from) = self.element(param, index, offset, out.len()) else { return false };
        // SAFETY: `element` gives as many bytes of device memory, which nobody else writes.
        unsafe { std::ptr::copy_nonoverlapping(from, out.as_mut_ptr(), out.len()) };
        true
    }

    fn write(&mut self, param: usize, index: &[usize], offset: usize, bytes: &[u8]) -> bool {
        let Some(to) = self.element(param, index, offset, bytes.len()) else { return false };
        // SAFETY: `element` gives as many bytes of device memory, which nobody else touches.
        unsafe { std::ptr::copy_nonoverlapping(bytes.as_ptr(), to, bytes.len()) };
        true
    }

    fn partial(&mut self, param: usize, block: usize, bytes: &[u8]) {
        let array = &self.slots[param].array;
        if block < array.held[0] && bytes.len() == self.sizes[param] {
            let place = array.base.wrapping_add(block * bytes.len());
            // SAFETY: the slot of a reduction points to one partial result a block, in memory of
            // this launch alone.
            unsafe { std::ptr::copy_nonoverlapping(bytes.as_ptr(), place, bytes.len()) };
        }
    }
}
