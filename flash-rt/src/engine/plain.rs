//! Launches of which everything is known before the run, on devices that use the host's memory:
//! values, and boxes of arrays that do not move. Nothing of their binding is kept, as making it anew
//! takes less than finding it in memory: most nodes launch the kernel of the node before, and then
//! only addresses and extents differ. It launches nothing, and says no where there is more to do.

use std::sync::Arc;

use super::bind::{covers, fill_slot, place, tag};
use super::{bind, check};
use crate::arg::BoundArg;
use crate::backend::{DynModule, Queue};
use crate::descriptor::{Component, Entry, KernelDescriptor, Role, no_offset};
use crate::device::Device;
use crate::entry::{ArraySlot, MAX_ARRAY_RANK, Slot, Uniforms};
use crate::error::{Error, Result};
use crate::packed::Packed;
use crate::space::{Block, Space};
use crate::space_source::SpaceSource;
use crate::stage::LaunchStage;
use crate::trace::{Series, Unit};

/// The slots of one launch after the other.
#[derive(Debug, Default)]
pub(super) struct Scratch {
    /// What they were made for.
    kernel: Option<&'static KernelDescriptor>,
    /// Its module on a device.
    pub(super) module: Option<(Arc<Device>, DynModule)>,
    /// What launches of a few items run in place of it, where they may.
    pub(super) brief: Option<Entry>,
    /// What writes launches down, where that is done.
    pub(super) series: Option<Series>,
    pub(super) slots: Vec<Slot>,
    uses: Vec<Use>,
    /// Whether there is an output.
    has_out: bool,
    places: Vec<Place>,
    pub(super) whole: Whole,
}

/// The index space of a launch, and all of it as one block. Most launches have that of the launch before,
/// which takes less to see than to make it.
#[derive(Debug)]
pub(super) struct Whole {
    pub(super) space: Space,
    pub(super) block: Block,
    pub(super) items: usize,
}

impl Default for Whole {
    fn default() -> Self {
        Self::of(Space::again([1]))
    }
}

impl Whole {
    #[inline]
    fn of(space: Space) -> Self {
        Self { block: space.block(), items: space.n_items(), space }
    }

    /// Becomes that of a launch, if it is known before.
    #[inline(always)]
    pub(super) fn take(&mut self, source: &SpaceSource<'_>) -> Result<bool, Box<Error>> {
        match source {
            SpaceSource::Line(n) => self.span([*n]),
            SpaceSource::Plane(extents) => self.span(extents.map(|extent| extent as usize)),
            other => return self.take_any(other),
        }
        Ok(true)
    }

    #[inline(never)]
    fn take_any(&mut self, source: &SpaceSource<'_>) -> Result<bool, Box<Error>> {
        let Some(space) = source.fixed() else { return Ok(false) };
        *self = Self::of(space?);
        Ok(true)
    }

    #[inline]
    fn span<const R: usize>(&mut self, extents: [usize; R]) {
        if self.space.become_again(extents) {
            self.block.span(&self.space);
            self.items = self.space.n_items();
        }
    }
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

/// Whether a launch is plain, and legal as far as [`bind`](super::bind::bind) checks it too. `whole` is what
/// was asked for with the launch before.
pub(super) fn check(stage: &LaunchStage<'_>, whole: &mut Whole) -> Result<bool> {
    let params = stage.kernel.params;
    if bind::has_phases(stage, stage.space.ids())
        || stage.special.is_some()
        || stage.kernel.table.is_some()
        || params.len() != stage.args.len()
    {
        return Ok(false);
    }
    if !whole.take(&stage.space).map_err(|error| *error)? {
        return Ok(false);
    }
    let space = &whole.space;
    check::arity(stage, space)?;
    for (param, arg) in params.iter().zip(stage.args.iter()) {
        match (arg, param.role) {
            (BoundArg::Value(value), Role::Value) => check::elem(stage, param, value.elem())?,
            (_, Role::Value | Role::Scratch(_) | Role::Reduce { .. }) => return Ok(false),
            (BoundArg::Array(array), _) => {
                array.allocation.check()?;
                check::elem(stage, param, array.elem())?;
                check::rank(stage, param, array.rank())?;
            }
            _ => return Ok(false),
        }
    }
    if whole.items != 1 {
        check::racy(stage, space)?;
    }
    let arrays = stage.args.iter().zip(params).map(|(arg, param)| match arg {
        BoundArg::Array(array) => Some((array, param.role.writes())),
        _ => None,
    });
    check::aliased(stage, arrays)?;
    Ok(true)
}

const NO_OFFSET: for<'u> fn(&Uniforms<'u>) -> Option<usize> = no_offset;

impl Scratch {
    /// Something else happens before the next launch.
    #[inline]
    pub(super) fn pause(&mut self) {
        if let Some(series) = &mut self.series {
            series.pause();
        }
    }

    /// Forgets what belongs to one runtime.
    pub(super) fn forget_module(&mut self) {
        (self.module, self.series) = (None, None);
    }

    /// Has the slots and the module of a kernel on a device.
    #[inline]
    pub(super) fn prepare(
        &mut self,
        stage: &LaunchStage<'_>,
        device: &Arc<Device>,
    ) -> Result<(), Box<Error>> {
        let same_kernel = self.kernel.is_some_and(|kernel| std::ptr::eq(kernel, stage.kernel));
        let same_device = self.module.as_ref().is_some_and(|(of, _)| Arc::ptr_eq(of, device));
        if same_kernel && same_device { Ok(()) } else { self.make(stage, device) }
    }

    /// The slots of a kernel, of which nothing but the boxes is missing.
    #[cold]
    #[inline(never)]
    fn make(&mut self, stage: &LaunchStage<'_>, device: &Arc<Device>) -> Result<(), Box<Error>> {
        let kernel = stage.kernel;
        // What is there stays true if this fails.
        let module = device.module(kernel, stage.site)?.clone();
        self.brief = device.backend.brief(device.ordinal, &module);
        self.module = Some((Arc::clone(device), module));
        let before = self.series.take();
        self.series = device.recorder.get().map(|recorder| {
            let unit = Unit::Device(device.name().into(), Queue::Compute(0));
            Series::new(recorder, (kernel.name, unit), before)
        });
        if self.kernel.is_some_and(|known| std::ptr::eq(known, kernel)) {
            return Ok(());
        }
        self.slots.clear();
        self.uses.clear();
        self.places.clear();
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
            let times = usize::from(param.role.reads()) + usize::from(param.role.writes());
            self.uses.push(Use {
                size: param.elem.size(),
                bytes: times * param.elem.size(),
                is_out: matches!(param.role, Role::Out),
                name: param.name,
            });
        }
        self.has_out = self.uses.iter().any(|use_| use_.is_out);
        self.kernel = Some(kernel);
        Ok(())
    }

    /// Fills in the slots of a plain launch over the space that was taken; the bytes of its arrays. There
    /// is no error where one of them is in another memory too, so that it is not plain.
    #[inline(always)]
    pub(super) fn fill(&mut self, stage: &LaunchStage<'_>) -> Result<u64, Option<Box<Error>>> {
        let mut bytes = 0;
        // A `zip` of slices counts, and multiplies each time by what an element takes.
        let (mut uses, mut args) = (self.uses.iter(), stage.args.iter());
        for slot in &mut self.slots {
            let (Some(use_), Some(arg)) = (uses.next(), args.next()) else { break };
            let array = match arg {
                BoundArg::Array(array) => array,
                // It stays where it is as long as the stage does not drop its arguments.
                BoundArg::Value(value) => {
                    slot.array.base = value.as_ptr().cast_mut();
                    continue;
                }
                _ => return Err(None),
            };
            if array.allocation.has_images() {
                return Err(None);
            }
            let (start, len) = match array.line() {
                Some((start, len)) => {
                    let place = &mut slot.array;
                    (place.rank, place.stride[0]) = (1, 1);
                    (place.held[0], place.shape[0]) = (len, len);
                    (start, len)
                }
                None => fill_box(slot, array),
            };
            let host = match array.allocation.host() {
                Ok(host) => host.as_ptr(),
                Err(error) => return Err(Some(without_memory(error, use_.name))),
            };
            slot.array.base = host.wrapping_add(start * use_.size);
            bytes += len * use_.bytes;
        }
        if !self.places.is_empty() {
            self.offsets();
        }
        if self.has_out {
            bytes += self.partial(stage, &self.whole.space);
        }
        Ok(bytes as u64)
    }

    /// Evaluates what own places are moved by.
    #[inline(never)]
    fn offsets(&mut self) {
        for &Place { slot, component, offset } in &self.places {
            let uniforms = Uniforms { slots: &self.slots, space: &self.whole.space };
            let place = place(offset(&uniforms));
            self.slots[slot].array.own.offset[component] = place;
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

/// Fills in what is no interval; where it starts, and its number of elements.
#[inline(never)]
fn fill_box(slot: &mut Slot, array: &Packed) -> (usize, usize) {
    let section = array.section();
    fill_slot(slot, &section);
    (section.offset(), section.len())
}

/// The error of an array for which the host has no memory.
#[cold]
#[inline(never)]
fn without_memory(error: Error, param: &'static str) -> Box<Error> {
    Box::new(error.of_parameter(param))
}
