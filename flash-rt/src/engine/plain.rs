//! Launches of which everything is known before the run, on devices that use the host's memory:
//! values, and boxes of arrays that do not move. Nothing of their binding is kept, as making it anew
//! takes less than finding it in memory: most nodes launch the kernel of the node before, and then
//! only addresses and extents differ. It launches nothing, and says no where there is more to do.

use std::sync::Arc;
use std::time::Duration;

use super::bind::{covers, fill_slot, place, tag};
use super::{check, dispatch};
use crate::arg::BoundArg;
use crate::backend::{DynModule, Queue};
use crate::descriptor::{Component, Entry, KernelDescriptor, Role};
use crate::device::Device;
use crate::entry::{ArraySlot, MAX_ARRAY_RANK, Slot, Uniforms};
use crate::error::Result;
use crate::space::Space;
use crate::stage::LaunchStage;
use crate::trace::{Recorder, Unit};

/// The slots of one launch after the other.
#[derive(Debug, Default)]
pub(super) struct Scratch {
    /// What they were made for.
    kernel: Option<&'static KernelDescriptor>,
    /// Its module on a device.
    pub(super) module: Option<(Arc<Device>, DynModule)>,
    /// What launches of a few items run in place of it, where they may.
    pub(super) brief: Option<Entry>,
    /// Where traces are written, and what they call the device, where one is made.
    pub(super) recorder: Option<(Arc<Recorder>, Unit)>,
    /// When the launch before ended, if nothing has happened since: a look at the clock less.
    pub(super) last: Option<Duration>,
    pub(super) slots: Vec<Slot>,
    uses: Vec<Use>,
}

/// What the same parameter is in all launches of a kernel.
#[derive(Clone, Copy, Debug)]
struct Use {
    /// Bytes of an element, as often as it is read or written.
    bytes: usize,
    own: &'static [Component],
    is_out: bool,
}

/// Whether a launch is plain, and legal as far as [`bind`](super::bind::bind) checks it too.
pub(super) fn check(stage: &LaunchStage<'_>) -> Result<bool> {
    let params = stage.kernel.params;
    if !stage.space.is_fixed() || stage.chosen.is_some() || params.len() != stage.args.len() {
        return Ok(false);
    }
    for (param, arg) in params.iter().zip(&stage.args) {
        let fits = match arg {
            BoundArg::Value(_) => matches!(param.role, Role::Value),
            BoundArg::Array(_) => {
                !matches!(param.role, Role::Value | Role::Scratch(_) | Role::Reduce { .. })
            }
            _ => false,
        };
        if !fits {
            return Ok(false);
        }
    }
    let space = stage.space.known()?;
    check::arity(stage, &space)?;
    for (param, arg) in params.iter().zip(&stage.args) {
        match arg {
            BoundArg::Value(value) => check::elem(stage, param, value.elem())?,
            BoundArg::Array(array) => {
                array.allocation.check()?;
                check::elem(stage, param, array.elem())?;
                check::rank(stage, param, array)?;
            }
            _ => {}
        }
    }
    check::racy(stage, &space)?;
    check::aliased(stage, |k| match stage.args.get(k) {
        Some(BoundArg::Array(array)) => Some((array, params[k].role.writes())),
        _ => None,
    })?;
    Ok(true)
}

impl Scratch {
    /// None yet.
    pub(super) const fn new() -> Self {
        Self {
            kernel: None,
            module: None,
            brief: None,
            recorder: None,
            last: None,
            slots: Vec::new(),
            uses: Vec::new(),
        }
    }

    /// For a launch after something else.
    pub(super) fn afresh(&mut self) -> &mut Self {
        self.last = None;
        self
    }

    /// Forgets what belongs to one runtime.
    pub(super) fn without_module(mut self) -> Self {
        (self.module, self.recorder, self.last) = (None, None, None);
        self
    }

    /// Has the slots and the module of a kernel on a device.
    #[inline]
    pub(super) fn prepare(&mut self, stage: &LaunchStage<'_>, device: &Arc<Device>) -> Result<()> {
        let same_kernel = self.kernel.is_some_and(|kernel| std::ptr::eq(kernel, stage.kernel));
        let same_device = self.module.as_ref().is_some_and(|(of, _)| Arc::ptr_eq(of, device));
        if same_kernel && same_device { Ok(()) } else { self.make(stage, device) }
    }

    /// The slots of a kernel, of which nothing but the boxes is missing.
    #[cold]
    fn make(&mut self, stage: &LaunchStage<'_>, device: &Arc<Device>) -> Result<()> {
        let kernel = stage.kernel;
        // What is there stays true if this fails.
        let module = device.module(kernel, stage.site)?.clone();
        self.brief = device.backend.brief(device.ordinal, &module);
        self.module = Some((Arc::clone(device), module));
        let unit = || Unit::Device(device.name().into(), Queue::Compute(0));
        self.recorder = device.recorder.get().map(|recorder| (Arc::clone(recorder), unit()));
        if self.kernel.is_some_and(|known| std::ptr::eq(known, kernel)) {
            return Ok(());
        }
        self.slots.clear();
        self.uses.clear();
        for param in kernel.params {
            let mut array = ArraySlot::empty();
            for (c, component) in param.own.iter().enumerate().take(MAX_ARRAY_RANK) {
                if let Component::Id { dim, .. } = component {
                    array.own.dim[c] = *dim;
                }
            }
            self.slots.push(Slot { tag: tag(param), elem: param.elem.id(), array });
            let times = usize::from(param.role.reads()) + usize::from(param.role.writes());
            self.uses.push(Use {
                bytes: times * param.elem.size(),
                own: param.own,
                is_out: matches!(param.role, Role::Out),
            });
        }
        self.kernel = Some(kernel);
        Ok(())
    }

    /// Fills in the slots of a plain launch over its space; the bytes of its arrays, or `None` where
    /// one of them is in another memory too.
    #[inline]
    pub(super) fn fill(&mut self, stage: &LaunchStage<'_>, space: &Space) -> Result<Option<u64>> {
        let mut bytes = 0;
        let mut has_place = false;
        let n = stage.args.len().min(self.slots.len()).min(self.uses.len());
        let (slots, args, uses) = (&mut self.slots[..n], &stage.args[..n], &self.uses[..n]);
        for k in 0..n {
            let (slot, use_) = (&mut slots[k], &uses[k]);
            let array = match &args[k] {
                BoundArg::Array(array) => array,
                // It stays where it is as long as the stage does not drop its arguments.
                BoundArg::Value(value) => {
                    slot.array.base = value.as_ptr().cast_mut();
                    continue;
                }
                _ => return Ok(None),
            };
            if array.allocation.has_images() {
                return Ok(None);
            }
            has_place |= !use_.own.is_empty();
            let (section, place) = (&array.section, &mut slot.array);
            let mut len = section.shape[0];
            place.rank = section.rank;
            if section.rank == 1 {
                (place.held[0], place.shape[0]) = (len, len);
                // At most the length of an allocation, which fits an `isize`.
                place.stride[0] = section.stride[0] as isize;
            } else {
                len = section.len();
                fill_slot(slot, section);
            }
            slot.array.base = match dispatch::host_address(array) {
                Ok(base) => base,
                Err(error) => return Err(error.of_parameter(stage.kernel.params[k].name)),
            };
            bytes += len * use_.bytes;
        }
        if has_place {
            bytes += self.places(stage, space);
        }
        Ok(Some(bytes as u64))
    }

    /// Fills in own places; the bytes of outputs that have to be there before.
    #[inline]
    fn places(&mut self, stage: &LaunchStage<'_>, space: &Space) -> usize {
        let mut bytes = 0;
        for k in 0..self.slots.len().min(self.uses.len()) {
            let Use { own, is_out, .. } = self.uses[k];
            for (c, component) in own.iter().enumerate().take(MAX_ARRAY_RANK) {
                if let Component::Id { offset, .. } = component {
                    let uniforms = Uniforms { slots: &self.slots, space };
                    self.slots[k].array.own.offset[c] = place(offset(&uniforms));
                }
            }
            if is_out
                && !(stage.kernel.params[k].always_written && covers(&self.slots[k].array, space))
                && let Some(BoundArg::Array(array)) = stage.args.get(k)
            {
                // What a partial output leaves alone must be there.
                bytes += array.section.len() * array.allocation.elem().size;
            }
        }
        bytes
    }
}
