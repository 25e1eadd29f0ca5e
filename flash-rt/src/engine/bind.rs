//! Binding: from a call and its index space to slots, with everything checked that a backend relies
//! on. It touches no array; addresses are filled in when the launch is dispatched.

use std::sync::Arc;

use flash_ir::ir::ReduceOp;

use super::division::Division;
use super::memory::HostBlock;
use super::place::Held;
use super::ready::{Ready, Values};
use super::{check, spare};
use crate::arg::{ArrayArg, BoundArg};
use crate::backend::{OwnedSubspace, Subspace};
use crate::count_by::Sequence;
use crate::descriptor::{Component, ParamDescriptor, Role};
use crate::entry::{ArraySlot, MAX_ARRAY_RANK, OwnMap, Slot, Tag, Uniforms, reduction};
use crate::env::Env;
use crate::error::{Error, Result};
use crate::phases::{Ordering, Phases};
use crate::section::Section;
use crate::space::{Block, Space};
use crate::stage::LaunchStage;
use crate::value::Value;

/// A launch that is checked and bound; only addresses are missing.
#[derive(Debug)]
pub(crate) struct BoundLaunch {
    pub(crate) space: Space,
    /// The ids, where some are no positions and they were found for this dispatch.
    pub(crate) ids: Option<Box<[Sequence]>>,
    /// The phases, where there are several or ids are not positions.
    pub(crate) phases: Option<Arc<Phases>>,
    /// Which items run, where it is a part of a launch; of one phase.
    pub(super) part: Option<Box<OwnedSubspace>>,
    /// The boxes that a part writes, by parameter, where those are not all that it touches.
    pub(super) written: Vec<Option<Section>>,
    /// Memory for the items of one phase.
    pub(super) boxes: Vec<Block>,
    pub(crate) slots: Vec<Slot>,
    pub(crate) params: Vec<BoundParam>,
    /// Bytes of the arrays, what is read once plus what is written once.
    pub(crate) bytes: u64,
    /// Whether a value comes from a cell, so that places are known at dispatch only.
    pub(crate) cells: bool,
    /// What the cells had when it was placed; a part has what the launch has.
    pub(super) values: Values,
    /// Whether there is a reduction, which has to be finished even where there are no items.
    pub(crate) reduces: bool,
    /// How it was divided where it ran in parts.
    pub(super) division: Option<Box<Division>>,
    /// What backends keep of it.
    pub(super) ready: Ready,
    /// Memory for what it holds while it is submitted.
    pub(super) held: Held,
}

/// What one parameter is bound to.
#[derive(Debug)]
pub(crate) enum BoundParam {
    /// A value that the call holds; its slot is complete.
    Held,
    /// A value that depends on loop variables. Shared, as its slot points to it: moving a box would
    /// claim that nobody else does.
    Value(Arc<Value>),
    /// The value that a cell has at dispatch.
    Cell(ArrayArg),
    /// An array.
    Array { array: ArrayArg, use_: Use },
    /// A temporary of this many elements.
    Scratch { len: usize, block: HostBlock },
    /// A reduction into a cell.
    Reduce { array: ArrayArg, op: ReduceOp, into: bool, partials: HostBlock },
}

/// How a launch uses an array.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Use {
    pub(crate) reads: bool,
    pub(crate) writes: bool,
    /// Every element of the box is written, so that nothing of it need be there before.
    pub(crate) full: bool,
}

impl BoundLaunch {
    /// Its memory, for another binding.
    pub(super) fn take(&mut self) -> Self {
        let (slots, params) = (std::mem::take(&mut self.slots), std::mem::take(&mut self.params));
        let (phases, boxes) = (self.phases.take(), std::mem::take(&mut self.boxes));
        let ids = self.ids.take();
        let (part, written, division) = (None, Vec::new(), None);
        let (ready, held) = (Ready::default(), std::mem::take(&mut self.held));
        let values = std::mem::take(&mut self.values);
        let space = std::mem::replace(&mut self.space, Space::again([1]));
        Self {
            slots,
            params,
            space,
            ids,
            phases,
            boxes,
            part,
            written,
            division,
            values,
            ready,
            held,
            ..*self
        }
    }

    /// How many ids each dimension takes among the items that may run at once; only 1 is exact.
    pub(crate) fn spread(&self) -> &Space {
        self.phases.as_deref().map_or(&self.space, Phases::spread)
    }

    /// The space that gives each item its number.
    pub(crate) fn numbering(&self) -> &Space {
        self.phases.as_deref().map_or(&self.space, Phases::numbering)
    }

    /// The smallest box around the ids of all items.
    pub(crate) fn ids_around(&self) -> Block {
        self.phases.as_deref().map_or_else(|| self.space.block(), Phases::bounding)
    }

    /// The number of phases.
    #[inline]
    pub(crate) fn n_phases(&self) -> usize {
        if self.part.is_some() { 1 } else { self.phases.as_deref().map_or(1, Phases::len) }
    }

    /// What a backend is given of a phase.
    #[inline]
    pub(super) fn subspace<'b>(
        &'b self,
        phase: usize,
        boxes: &'b mut Vec<Block>,
    ) -> Option<Subspace<'b>> {
        match (&self.part, &self.phases) {
            (Some(part), _) => Some(part.get()),
            (None, phases) => Some(phases.as_deref()?.subspace(phase, boxes)),
        }
    }

    /// The number of items that run.
    pub(super) fn n_items(&self) -> usize {
        self.part.as_ref().map_or_else(|| self.space.n_items(), |part| part.get().n_items())
    }

    /// The box of an array that it writes.
    pub(super) fn written(&self, param: usize, array: &ArrayArg) -> Section {
        self.written.get(param).copied().flatten().unwrap_or(array.section)
    }

    /// The number of partial results of each reduction.
    pub(crate) fn n_partials(&self) -> usize {
        match &self.phases {
            _ if self.space.n_items() == 0 => 0,
            None => reduction::n_blocks(&self.space),
            Some(phases) => phases.n_partials(),
        }
    }
}

impl BoundParam {
    /// The array behind the parameter and how it is used, if it is one that others may touch too.
    pub(crate) fn array(&self) -> Option<(&ArrayArg, Use)> {
        match self {
            Self::Array { array, use_ } => Some((array, *use_)),
            Self::Cell(array) => Some((array, Use { reads: true, writes: false, full: false })),
            Self::Reduce { array, into, .. } => {
                Some((array, Use { reads: *into, writes: true, full: !*into }))
            }
            Self::Held | Self::Value(_) | Self::Scratch { .. } => None,
        }
    }

    /// Its memory block, for the parameter of a new binding.
    fn block(self) -> HostBlock {
        match self {
            Self::Scratch { block, .. } | Self::Reduce { partials: block, .. } => block,
            _ => HostBlock::default(),
        }
    }

    /// A value, where the one of an old binding was if there was one.
    fn with_value(self, value: Value) -> Arc<Value> {
        if let Self::Value(mut old) = self
            && let Some(place) = Arc::get_mut(&mut old)
        {
            *place = value;
            return old;
        }
        Arc::new(value)
    }
}

/// Whether anything of a launch depends on loop variables.
pub(crate) fn is_lazy(stage: &LaunchStage<'_>) -> bool {
    !stage.space.is_fixed()
        || stage.args.iter().any(|arg| {
            matches!(arg, BoundArg::LazyValue(_) | BoundArg::Variable(..) | BoundArg::LazyArray(_))
        })
}

/// Binds a launch for these loop iterations. `old` is an earlier binding of the same stage, whose
/// memory is used again.
pub(crate) fn bind(
    stage: &LaunchStage<'_>,
    env: &Env,
    mut old: Option<BoundLaunch>,
) -> Result<BoundLaunch> {
    let kernel = stage.kernel;
    let (space, ids) = stage.space.resolve(env)?;
    check::arity(stage, &space)?;
    // The order of a stage stays, so only extents and ids that are found anew can differ.
    let known = old.as_mut().and_then(|old| old.phases.take().filter(|_| old.ids == ids));
    let boxes = old.as_mut().map_or_else(Vec::new, |old| std::mem::take(&mut old.boxes));
    let listed = ids.as_deref().or(stage.space.ids());
    let phases = match known.filter(|phases| *phases.space() == space) {
        Some(phases) => Some(phases),
        None if has_phases(stage, listed) => Some(Arc::new(phases(stage, &space, listed)?)),
        None => None,
    };
    let n_params = kernel.params.len();
    let (mut slots, mut params) = recycle(old);
    slots.reserve_exact(n_params);
    params.reserve_exact(n_params.saturating_sub(params.len()));
    params.resize_with(n_params, || BoundParam::Held);
    let mut args = stage.args.iter();
    let mut reduces = false;
    let mut uniform_places = false;
    for (param, bound) in kernel.params.iter().zip(&mut params) {
        // What it was bound to before, whose memory is used again.
        let old = std::mem::replace(bound, BoundParam::Held);
        let arg = if matches!(param.role, Role::Scratch(_)) { None } else { args.next() };
        slots.push(empty(param, tag(param)));
        // Filled in where they stand: a slot is a few cache lines to move.
        let Some(slot) = slots.last_mut() else { break };
        *bound = match (param.role, arg) {
            (Role::Scratch(_), _) => {
                uniform_places = true;
                check::alignment(stage, param)?;
                BoundParam::Scratch { len: 0, block: old.block() }
            }
            (Role::Value, Some(arg)) => bind_value(stage, param, arg, (env, old), slot)?,
            (Role::Reduce { op, into }, Some(arg)) => {
                reduces = true;
                let array = bind_array(stage, param, arg, env)?;
                check::cell(stage, param, (&array.allocation, &array.section))?;
                BoundParam::Reduce { array, op, into, partials: old.block() }
            }
            (role, Some(arg)) => {
                let array = bind_array(stage, param, arg, env)?;
                // An output counts as partial until its places are known to cover it; what a native
                // node fills is its word.
                let full = matches!(role, Role::Out) && stage.native().is_some();
                let reads = role.reads() || (matches!(role, Role::Out) && !full);
                let use_ = Use { reads, writes: role.writes(), full };
                uniform_places |= !param.own.is_empty();
                fill_slot(slot, &array.section);
                BoundParam::Array { array, use_ }
            }
            (_, None) => return Err(check::wrong_arity(stage)),
        };
    }
    let cells = params.iter().any(|param| matches!(param, BoundParam::Cell(_)));
    let mut bound = BoundLaunch {
        space,
        ids,
        phases,
        part: None,
        written: Vec::new(),
        boxes,
        slots,
        params,
        bytes: 0,
        cells,
        values: Values::new(),
        reduces,
        division: None,
        ready: Ready::default(),
        held: Held::default(),
    };
    if let Some(geometry) = stage.geometry() {
        // A device gets no more than a phase at once.
        geometry.check(stage, bound.spread())?;
    }
    check::racy(stage, bound.spread())?;
    check::repeated(stage, bound.phases.as_deref())?;
    check::table(stage, bound.numbering())?;
    let arrays =
        bound.params.iter().map(|param| param.array().map(|(box_, use_)| (box_, use_.writes)));
    check::aliased(stage, arrays)?;
    if uniform_places && !cells {
        bind_places(stage, &mut bound)?;
    }
    bound.bytes = bytes(&bound);
    Ok(bound)
}

/// Whether a launch has several phases, or ids that are not positions, as far as is declared. Items
/// of one phase have no order, so that ids may also run downwards, unless they are listed.
#[inline]
pub(super) fn has_phases(stage: &LaunchStage<'_>, ids: Option<&[Sequence]>) -> bool {
    let is_plain = |ids: &[Sequence]| ids.iter().all(Sequence::is_whole);
    !stage.kernel.order.is_natural()
        || ids.is_some_and(|ids| stage.kernel.table.is_some() || !is_plain(ids))
        || stage.special.as_ref().is_some_and(|special| special.order.is_some())
}

/// The phases of a launch over this space, with ids where those are no positions.
#[cold]
fn phases(stage: &LaunchStage<'_>, space: &Space, ids: Option<&[Sequence]>) -> Result<Phases> {
    let up = || space.extents().iter().map(|&n| Sequence::Up(n)).collect();
    let ids = ids.map_or_else(up, <[_]>::to_vec);
    let order = stage.kernel.order;
    let declared =
        || Ordering { sort_by: order.sort_by.to_vec(), group_by: order.group_by.to_vec() };
    let own = stage.special.as_ref().and_then(|special| special.order.clone());
    let order = own.unwrap_or_else(declared);
    for dim in order.dims().filter(|dim| usize::from(*dim) >= space.rank()) {
        tracing::debug!(kernel = stage.kernel.name, dim, "no such dimension, so it orders nothing");
    }
    let params = stage.kernel.params.iter();
    let reduces = params.into_iter().any(|param| matches!(param.role, Role::Reduce { .. }));
    Phases::new(ids, &order, reduces)
}

/// What a launch reads once plus what it writes once; without items it does neither, but for the
/// cells of reductions.
fn bytes(bound: &BoundLaunch) -> u64 {
    let none = bound.space.n_items() == 0;
    let of = |param: &BoundParam| match param {
        BoundParam::Array { array, use_ } if !none => {
            let size = (array.section.len() * array.allocation.elem().size) as u64;
            size * (u64::from(use_.reads) + u64::from(use_.writes))
        }
        BoundParam::Reduce { array, .. } => array.allocation.elem().size as u64,
        _ => 0,
    };
    bound.params.iter().map(of).sum()
}

/// The vectors of an earlier binding, slots emptied, or spare ones.
fn recycle(old: Option<BoundLaunch>) -> (Vec<Slot>, Vec<BoundParam>) {
    let Some(BoundLaunch { mut slots, params, .. }) = old else { return spare::of_launch() };
    slots.clear();
    (slots, params)
}

fn bind_value(
    stage: &LaunchStage<'_>,
    param: &ParamDescriptor,
    arg: &BoundArg<'_>,
    (env, old): (&Env, BoundParam),
    slot: &mut Slot,
) -> Result<BoundParam> {
    Ok(match arg {
        BoundArg::Value(value) => {
            check::elem(stage, param, value.elem())?;
            // The value stays where it is as long as the stage does not drop its arguments.
            slot.array.base = value.as_ptr().cast_mut();
            BoundParam::Held
        }
        BoundArg::LazyValue(_) | BoundArg::Variable(..) => {
            let value = match arg {
                BoundArg::LazyValue(value) => value(env),
                BoundArg::Variable(which, value) => value(env, *which)
                    .map_err(|why| check::unfit(stage, param, which.level, why))?,
                _ => return Err(check::wrong_kind(stage, param)),
            };
            let value = old.with_value(value);
            check::elem(stage, param, value.elem())?;
            slot.array.base = value.as_ptr().cast_mut();
            BoundParam::Value(value)
        }
        BoundArg::Cell(array) => {
            let array = array.array();
            array.allocation.check()?;
            check::elem(stage, param, array.elem())?;
            check::one_element(stage, param, &array.section)?;
            // Not readable as a value before it has an address.
            slot.tag = Tag::Input;
            BoundParam::Cell(array)
        }
        BoundArg::Invalid(error) => return Err((**error).clone()),
        BoundArg::Array(_) | BoundArg::LazyArray(_) => return Err(check::wrong_kind(stage, param)),
    })
}

/// The array of an argument.
fn bind_array(
    stage: &LaunchStage<'_>,
    param: &ParamDescriptor,
    arg: &BoundArg<'_>,
    env: &Env,
) -> Result<ArrayArg> {
    let array = match arg {
        BoundArg::Array(array) => array.array(),
        BoundArg::LazyArray(array) => array.resolve(env)?,
        BoundArg::Invalid(error) => return Err((**error).clone()),
        BoundArg::Value(_)
        | BoundArg::LazyValue(_)
        | BoundArg::Variable(..)
        | BoundArg::Cell(_) => {
            return Err(check::wrong_kind(stage, param));
        }
    };
    array.allocation.check()?;
    check::elem(stage, param, array.elem())?;
    check::rank(stage, param, array.section.rank())?;
    Ok(array)
}

pub(super) fn tag(param: &ParamDescriptor) -> Tag {
    match param.role {
        Role::Value => Tag::Value,
        Role::In => Tag::Input,
        Role::Atomic => Tag::Atomic,
        Role::Reduce { .. } => Tag::Partials,
        Role::InOut | Role::Out | Role::OutPartial | Role::Scratch(_) if param.raw => Tag::Raw,
        Role::InOut | Role::Out | Role::OutPartial | Role::Scratch(_) => Tag::Own,
    }
}

fn empty(param: &ParamDescriptor, tag: Tag) -> Slot {
    Slot { tag, elem: param.elem.id(), array: ArraySlot::empty() }
}

pub(super) fn fill_slot(slot: &mut Slot, section: &Section) {
    let array = &mut slot.array;
    renew(&mut array.rank, section.rank() as u8);
    for d in 0..section.rank() {
        renew(&mut array.held[d], section.shape()[d]);
        renew(&mut array.shape[d], section.shape()[d]);
        // A stride is at most the length of an allocation, which fits an `isize`.
        renew(&mut array.stride[d], section.stride()[d] as isize);
    }
}

/// Has a slot stand for so many elements that follow each other, from an address on; as [`renew`], of all
/// at once.
#[inline(always)]
pub(super) fn fill_line(array: &mut ArraySlot, base: *mut u8, len: usize) {
    if array.base != base || array.held[0] != len || array.stride[0] != 1 {
        array.base = base;
        (array.rank, array.stride[0]) = (1, 1);
        (array.held[0], array.shape[0]) = (len, len);
    }
}

/// Writes what is something else than it was: others have just read it, in the launch before, and a
/// write would take the cache line away from them.
#[inline(always)]
pub(super) fn renew<T: PartialEq>(place: &mut T, value: T) {
    if *place != value {
        *place = value;
    }
}

/// Evaluates lengths of scratch arrays and offsets of own places, which may use values and extents
/// of the call, and finds out which outputs are full.
pub(super) fn bind_places(stage: &LaunchStage<'_>, bound: &mut BoundLaunch) -> Result<()> {
    let params = stage.kernel.params;
    for (k, param) in params.iter().enumerate() {
        let Role::Scratch(len) = param.role else { continue };
        let uniforms = Uniforms { slots: &bound.slots, space: &bound.space };
        let len = len(&uniforms).filter(|len| {
            len.checked_mul(param.elem.size()).is_some_and(|bytes| bytes <= isize::MAX as usize / 2)
        });
        let Some(len) = len else {
            return Err(Error::TooLarge { what: "scratch array", extents: Vec::new() });
        };
        let array = &mut bound.slots[k].array;
        array.rank = 1;
        (array.held[0], array.shape[0], array.stride[0]) = (len, len, 1);
        if let BoundParam::Scratch { len: bound, .. } = &mut bound.params[k] {
            *bound = len;
        }
    }
    for (k, param) in params.iter().enumerate() {
        if param.own.is_empty() {
            continue;
        }
        let own = own_map(param, &Uniforms { slots: &bound.slots, space: &bound.space });
        bound.slots[k].array.own = own;
        if let BoundParam::Array { use_, .. } = &mut bound.params[k]
            && matches!(param.role, Role::Out)
        {
            let is_whole = |phases: &Phases| phases.ids().iter().all(Sequence::is_whole);
            use_.full = param.always_written
                && bound.phases.as_deref().is_none_or(is_whole)
                && covers(&bound.slots[k].array, &bound.space);
            // What a partial output leaves alone must be there.
            use_.reads = !use_.full;
        }
    }
    Ok(())
}

fn own_map(param: &ParamDescriptor, uniforms: &Uniforms<'_>) -> OwnMap {
    let mut own = OwnMap::NONE;
    for (c, component) in param.own.iter().enumerate().take(MAX_ARRAY_RANK) {
        if let Component::Id { dim, offset } = component {
            (own.dim[c], own.offset[c]) = (*dim, place(offset(uniforms)));
        }
    }
    own
}

/// An offset of own places. One that overflows lies outside every array, and so does this one; half
/// the range is left so that adding an id cannot wrap.
#[inline]
pub(super) fn place(offset: Option<usize>) -> usize {
    offset.map_or(usize::MAX / 2, |offset| offset.min(usize::MAX / 2))
}

/// Whether the own places of all items are the whole array.
pub(super) fn covers(array: &ArraySlot, space: &Space) -> bool {
    let rank = usize::from(array.rank);
    (0..rank).all(|c| {
        let dim = array.own.dim[c];
        dim != OwnMap::FREE
            && array.own.offset[c] == 0
            && space.extent(usize::from(dim)) >= array.shape[c]
            && !array.own.dim[..c].contains(&dim)
    })
}
