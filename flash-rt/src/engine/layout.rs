//! What all launches of a kernel on a device have in common that are known before the run: its module,
//! and slots of which nothing but boxes is missing. It neither keeps what differs between two launches nor
//! launches anything.

use std::sync::Arc;

use flash_ir::ir::ReduceOp;

use super::bind::{covers, fill_line, fill_slot, place, renew, tag};
use super::memory::HostBlock;
use super::plain::Whole;
use super::reduce;
use crate::arg::BoundArg;
use crate::backend::{DynModule, Queue};
use crate::descriptor::{Component, KernelDescriptor, Role, no_offset};
use crate::device::Device;
use crate::entry::{ArraySlot, Entry, MAX_ARRAY_RANK, Slot, Tag, Uniforms};
use crate::error::{Error, Result};
use crate::packed::Packed;
use crate::space::Space;
use crate::stage::LaunchStage;
use crate::trace::Unit;

/// Slots and module of a kernel on a device.
#[derive(Debug, Default)]
pub(super) struct Layout {
    kernel: Option<&'static KernelDescriptor>,
    pub(super) module: Option<(Arc<Device>, DynModule)>,
    /// What launches of a few items run in place of it, where they may.
    pub(super) brief: Option<Entry>,
    /// What its launches are written down as, where that is done.
    pub(super) series: Option<u32>,
    pub(super) slots: Vec<Slot>,
    uses: Vec<Use>,
    /// Whether there is an output.
    has_out: bool,
    places: Vec<Place>,
    reductions: Vec<Reduction>,
}

/// What the same parameter is in all launches of a kernel.
#[derive(Clone, Copy, Debug)]
struct Use {
    /// Bytes of an element, and of those that are moved for it: as often as it is read or written.
    size: usize,
    bytes: usize,
    is_out: bool,
    name: &'static str,
}

/// A component of an own place.
#[derive(Clone, Copy, Debug)]
struct Place {
    slot: usize,
    component: usize,
    offset: fn(&Uniforms<'_>) -> Option<usize>,
}

/// A parameter that is reduced to.
#[derive(Clone, Copy, Debug)]
struct Reduction {
    slot: usize,
    op: ReduceOp,
    into: bool,
}

const NO_OFFSET: for<'u> fn(&Uniforms<'u>) -> Option<usize> = no_offset;

impl Layout {
    /// Whether it is of launches of a kernel on a device.
    #[inline]
    pub(super) fn is_of(&self, kernel: &'static KernelDescriptor, device: &Arc<Device>) -> bool {
        self.is_of_kernel(kernel)
            && self.module.as_ref().is_some_and(|(of, _)| Arc::ptr_eq(of, device))
    }

    /// Whether it is of no kernel yet.
    pub(super) fn is_empty(&self) -> bool {
        self.kernel.is_none()
    }

    /// Whether it is of a kernel, and of no device now.
    pub(super) fn waits_for(&self, kernel: &'static KernelDescriptor) -> bool {
        self.is_of_kernel(kernel) && self.module.is_none()
    }

    #[inline]
    fn is_of_kernel(&self, kernel: &'static KernelDescriptor) -> bool {
        self.kernel.is_some_and(|known| std::ptr::eq(known, kernel))
    }

    /// Forgets what belongs to a runtime.
    pub(super) fn forget(&mut self) {
        (self.module, self.series) = (None, None);
    }

    /// Becomes that of the kernel of a stage on a device.
    #[cold]
    #[inline(never)]
    pub(super) fn make(
        &mut self,
        stage: &LaunchStage<'_>,
        device: &Arc<Device>,
    ) -> Result<(), Box<Error>> {
        let kernel = stage.kernel;
        // What is there stays true if this fails.
        let module = device.module(kernel, stage.site)?.clone();
        self.brief = device.backend.brief(device.ordinal, &module);
        self.module = Some((Arc::clone(device), module));
        self.series = device.recorder.get().map(|recorder| {
            recorder.kernel(kernel.name, Unit::Device(device.name().into(), Queue::Compute(0)))
        });
        if self.is_of_kernel(kernel) {
            return Ok(());
        }
        self.slots.clear();
        self.uses.clear();
        self.places.clear();
        self.reductions.clear();
        for (slot, param) in kernel.params.iter().enumerate() {
            let mut array = ArraySlot::empty();
            for (component, of) in param.own.iter().enumerate().take(MAX_ARRAY_RANK) {
                if let Component::Id { dim, offset } = *of {
                    array.own.dim[component] = dim;
                    // Two addresses of one function would be asked for nothing, and say the same.
                    if !std::ptr::fn_addr_eq(offset, NO_OFFSET) {
                        self.places.push(Place { slot, component, offset });
                    }
                }
            }
            self.slots.push(Slot { tag: tag(param), elem: param.elem.id(), array });
            let (size, name) = (param.elem.size(), param.name);
            let mut times = usize::from(param.role.reads()) + usize::from(param.role.writes());
            if let Role::Reduce { op, into } = param.role {
                self.reductions.push(Reduction { slot, op, into });
                // The cell, whether it is read or not.
                times = 1;
            }
            let is_out = matches!(param.role, Role::Out);
            self.uses.push(Use { size, bytes: times * size, is_out, name });
        }
        self.has_out = self.uses.iter().any(|use_| use_.is_out);
        self.kernel = Some(kernel);
        Ok(())
    }

    /// Fills in the slots of a plain launch over a space, but for partial results; the bytes of its arrays. There
    /// is no error where one of them is in another memory too, so that it is not plain.
    #[inline(always)]
    pub(super) fn fill(
        &mut self,
        stage: &LaunchStage<'_>,
        whole: &Whole,
    ) -> Result<u64, Option<Box<Error>>> {
        let mut bytes = 0;
        // A `zip` of slices counts, and multiplies each time by what an element takes.
        let (mut uses, mut args) = (self.uses.iter(), stage.args.iter());
        for slot in &mut self.slots {
            let (Some(use_), Some(arg)) = (uses.next(), args.next()) else { break };
            let array = match arg {
                BoundArg::Array(array) => array,
                // It stays where it is as long as the stage does not drop its arguments.
                BoundArg::Value(value) => {
                    renew(&mut slot.array.base, value.as_ptr().cast_mut());
                    continue;
                }
                _ => return Err(None),
            };
            if array.allocation.has_images() {
                return Err(None);
            }
            if slot.tag == Tag::Partials {
                bytes += use_.bytes;
                continue;
            }
            let host = match array.allocation.host() {
                Ok(host) => host.as_ptr(),
                Err(error) => return Err(Some(without_memory(error, use_.name))),
            };
            let len = match array.line() {
                Some((start, len)) => {
                    fill_line(&mut slot.array, host.wrapping_add(start * use_.size), len);
                    len
                }
                None => fill_box(slot, array, (host, use_.size)),
            };
            bytes += len * use_.bytes;
        }
        if !self.places.is_empty() {
            self.offsets(&whole.space);
        }
        if self.has_out {
            bytes += self.partial(stage, &whole.space);
        }
        Ok(bytes as u64)
    }

    /// Whether it has parameters that are reduced to.
    #[inline]
    pub(super) fn reduces(&self) -> bool {
        !self.reductions.is_empty()
    }

    /// Has parameters that are reduced to point to memory for `n` partial results each, and not to cells.
    #[inline(never)]
    pub(super) fn place_partials(&mut self, all: &mut Vec<HostBlock>, n: usize) {
        if all.len() < self.reductions.len() {
            all.resize_with(self.reductions.len(), HostBlock::default);
        }
        for (&Reduction { slot, .. }, partials) in self.reductions.iter().zip(all) {
            let base = partials.resized(n * self.uses[slot].size);
            fill_line(&mut self.slots[slot].array, base, n);
        }
    }

    /// Puts `n` partial results together in each cell; the bytes of these.
    #[inline(never)]
    pub(super) fn reduce(
        &self,
        stage: &LaunchStage<'_>,
        all: &mut [HostBlock],
        n: usize,
    ) -> Result<u64, Box<Error>> {
        let mut bytes = 0;
        for (&Reduction { slot, op, into }, partials) in self.reductions.iter().zip(all) {
            let Some(BoundArg::Array(cell)) = stage.args.get(slot) else { continue };
            let Use { size, name, .. } = self.uses[slot];
            reduce::finish((op, into), (&cell.allocation, &cell.section()), partials, n)
                .map_err(|error| Box::new(error.of_parameter(name)))?;
            bytes += size as u64;
        }
        Ok(bytes)
    }

    /// Evaluates what own places are moved by.
    #[inline(never)]
    fn offsets(&mut self, space: &Space) {
        for &Place { slot, component, offset } in &self.places {
            let uniforms = Uniforms { slots: &self.slots, space };
            let place = place(offset(&uniforms));
            renew(&mut self.slots[slot].array.own.offset[component], place);
        }
    }

    /// The bytes of outputs that have to be there before, as items leave some of them alone.
    #[inline(never)]
    fn partial(&self, stage: &LaunchStage<'_>, space: &Space) -> usize {
        let all = self.uses.iter().zip(&self.slots).zip(stage.kernel.params).zip(stage.args.iter());
        all.filter(|(((use_, slot), param), _)| {
            use_.is_out && !(param.always_written && covers(&slot.array, space))
        })
        .map(|(((use_, _), _), arg)| match arg {
            BoundArg::Array(array) => array.section().len() * use_.size,
            _ => 0,
        })
        .sum()
    }
}

/// Fills in what is no interval, in memory of all elements of some bytes; its number of elements.
#[inline(never)]
fn fill_box(slot: &mut Slot, array: &Packed, (host, size): (*mut u8, usize)) -> usize {
    let section = array.section();
    fill_slot(slot, &section);
    renew(&mut slot.array.base, host.wrapping_add(section.offset() * size));
    section.len()
}

/// The error of an array for which the host has no memory.
#[cold]
#[inline(never)]
fn without_memory(error: Error, param: &'static str) -> Box<Error> {
    Box::new(error.of_parameter(param))
}
