//! Arguments of one block, decoded by tag. Fenced: this file turns bound memory into references.
//!
//! It may be used by generated entries (through the safe methods) and by backends (through
//! [`run_block`]). It does not validate a launch; `run_block` says what must have been validated.
#![allow(unsafe_code, reason = "decodes slots; each accessor checks tag and type first")]

use std::any::TypeId;
use std::marker::PhantomData;

use super::array::{AtomicArray, Held, Input, Own};
use super::bad::Bad;
use super::body::IsaEntry;
use super::outcome::Outcome;
use super::raw::RawArray;
use super::reduction::{Lanes, Reduce, Step};
use super::slot::{ArraySlot, MAX_ARRAY_RANK, Slot, Tag};
use super::tally::Tallies;
use super::uniforms::Uniforms;
use crate::atomic::{Atomic, AtomicElem};
use crate::pod::Pod;
use crate::space::{Block, Space};

/// The arguments of one block of a launch.
#[derive(Debug)]
pub struct Args<'s> {
    pub(super) shared: &'s Shared<'s>,
    /// The box of items whose own places these arguments may reach.
    pub(super) block: &'s Block,
    /// Index of the reduction block, for `Tag::Partials`.
    pub(super) partial: usize,
    /// Slots handed out mutably; a second request gets an empty array.
    pub(super) taken: Taken,
    /// Not `Sync`: what the items own is theirs on one thread, and a raw array may be asked for
    /// more than once.
    pub(super) _thread: PhantomData<*const ()>,
}

/// A set of slot numbers, in one word for the first 64.
#[derive(Debug, Default)]
pub(super) struct Taken {
    low: u64,
    high: Option<Box<High>>,
}

/// Those from 64 on. One word where there are none, which is what each launch makes and drops.
#[derive(Debug, Default)]
struct High(Vec<usize>);

impl Taken {
    /// Adds a slot; whether it was not there before.
    #[inline]
    pub(super) fn insert(&mut self, slot: usize) -> bool {
        if slot < 64 {
            let fresh = self.low & (1 << slot) == 0;
            self.low |= 1 << slot;
            fresh
        } else {
            self.insert_high(slot)
        }
    }

    #[cold]
    fn insert_high(&mut self, slot: usize) -> bool {
        let High(high) = &mut **self.high.get_or_insert_default();
        let fresh = !high.contains(&slot);
        if fresh {
            high.push(slot);
        }
        fresh
    }
}

impl<'s> Args<'s> {
    /// The slot, if it may be read as `tag` of elements `T`.
    #[inline]
    pub(super) fn slot<T: 'static>(&self, param: usize, tag: Tag) -> &'s Slot {
        let slots: &'s [Slot] = self.shared.slots;
        match slots.get(param) {
            Some(slot) if slot.tag == tag && slot.elem == TypeId::of::<T>() => slot,
            _ => wrong_slot(param, tag),
        }
    }

    /// The value bound to a parameter.
    #[inline]
    pub fn value<T: Copy + 'static>(&self, param: usize) -> T {
        let slot = self.slot::<T>(param, Tag::Value);
        // SAFETY: a `Tag::Value` slot of type `T` points to an initialised, aligned `T` that lives
        // for `'s`; `Slot::value` is the only maker of such slots.
        unsafe { slot.array.base.cast::<T>().read() }
    }

    /// The extent of a dimension of the index space.
    #[inline]
    pub fn global_size(&self, dim: usize) -> usize {
        self.shared.space.extent(dim)
    }

    /// The number of the phase that the block belongs to.
    #[inline]
    pub fn phase(&self) -> usize {
        self.shared.phase
    }

    /// The number of the part that the block belongs to.
    #[inline]
    pub fn partition(&self) -> usize {
        self.shared.partition
    }

    /// The array bound to a parameter that is only read.
    #[inline]
    pub fn input<T: Pod, const D: usize>(&self, param: usize) -> Input<'s, T, D> {
        let array = self.array::<T, D>(param, Tag::Input);
        // SAFETY: the makers of `Tag::Input` slots vouch for the elements; nobody writes them.
        unsafe { Input::new(array.base.cast(), held(array), self.shared.check_all) }
    }

    /// The part of a written array that the items of this block own. A parameter is handed out
    /// once; after that it is empty.
    #[inline]
    pub fn own<T: Pod, const D: usize>(&mut self, param: usize) -> Own<'s, T, D> {
        self.own_of_few(param)
    }

    /// As [`Args::own`], for a few items, which take less than a call does.
    #[inline(always)]
    pub fn own_of_few<T: Pod, const D: usize>(&mut self, param: usize) -> Own<'s, T, D> {
        let array = self.array::<T, D>(param, Tag::Own);
        let held = held(array);
        let (first, mut len) = self.owned(array, &held);
        if !self.taken.insert(param) || !self.covered::<D>(array) {
            len = [0; D];
        }
        let base = array.base.cast::<T>().wrapping_offset(distance(&held, first));
        let offset = std::array::from_fn(|d| array.own.offset[d]);
        // SAFETY: the makers of `Tag::Own` slots vouch for the elements; `run_block` was promised
        // disjoint blocks, `covered` says that these differ in what they own, and `taken` that this
        // block gets it once.
        unsafe { Own::new(base, Held { first, len, ..held }, offset) }
    }

    /// An array that `unsafe` code reaches too.
    #[inline]
    pub fn raw<T: Pod, const D: usize>(&self, param: usize) -> RawArray<'s, T, D> {
        let array = self.array::<T, D>(param, Tag::Raw);
        let held = held(array);
        let own =
            if self.covered::<D>(array) { self.owned(array, &held) } else { (held.first, [0; D]) };
        let offset = std::array::from_fn(|d| array.own.offset[d]);
        // SAFETY: the makers of `Tag::Raw` slots vouch for the elements, for which no references
        // are ever made but to cells; the place of each item differs in the dimensions blocks differ in.
        unsafe { RawArray::new(array.base.cast(), held, own, offset, self.shared.check_all) }
    }

    /// An array of atomic cells of `T`.
    #[inline]
    pub fn atomic<T: AtomicElem, const D: usize>(&self, param: usize) -> AtomicArray<'s, T, D> {
        const { assert!(size_of::<Atomic<T>>() == size_of::<T>()) };
        const { assert!(align_of::<Atomic<T>>() == align_of::<T>()) };
        let array = self.array::<T, D>(param, Tag::Atomic);
        // SAFETY: the makers of `Tag::Atomic` slots vouch for the elements, which are reached as
        // cells only; a cell has size and alignment of its value, as was just asserted.
        unsafe { AtomicArray::new(array.base.cast(), held(array)) }
    }

    /// An array of atomic cells of `T` that the items only add to, about `each` times each.
    #[inline]
    pub fn tallies<T: AtomicElem, const D: usize>(
        &self,
        param: usize,
        each: usize,
    ) -> Tallies<'s, T, D> {
        Tallies::new(self.atomic(param), self.block.n_items().saturating_mul(each))
    }

    /// Puts the value of this reduction block in its place.
    #[inline]
    pub fn finish<T: Reduce, S: Step<T>>(&mut self, param: usize, lanes: &Lanes<T, S>) {
        let array = self.array::<T, 1>(param, Tag::Partials);
        if self.partial < array.held[0] {
            let place = array.base.cast::<T>().wrapping_add(self.partial);
            // SAFETY: the makers of `Tag::Partials` slots vouch for the elements, one a reduction
            // block; `run_block` was promised that no other block has this number.
            unsafe { place.write(lanes.combine()) }
        }
    }

    /// Passes on what was noted along a line that starts at the item with the ids `first`.
    #[inline(always)]
    pub fn report<const D: usize>(&self, param: u16, bad: &Bad<D>, first: &[usize]) {
        if bad.any() {
            super::bad::report(self.shared.outcome, self.shared.numbering, param, bad, first);
        }
    }

    /// As [`Args::report`], and forgets it.
    #[inline(always)]
    pub fn flush<const D: usize>(&self, param: u16, bad: &mut Bad<D>, first: &[usize]) {
        if bad.any() {
            super::bad::report(self.shared.outcome, self.shared.numbering, param, bad, first);
            *bad = Bad::new();
        }
    }

    /// Whether each dimension of several values stands in the own place: what one does not stand
    /// in belongs to several blocks. The descriptor says so too, and anybody may write one.
    #[inline]
    fn covered<const D: usize>(&self, array: &ArraySlot) -> bool {
        (0..self.shared.spread.rank()).all(|dim| {
            self.shared.spread.extent(dim) <= 1
                || array.own.dim[..D].iter().any(|&own| usize::from(own) == dim)
        })
    }

    /// The array of a slot of rank `D`.
    #[inline]
    fn array<T: 'static, const D: usize>(&self, param: usize, tag: Tag) -> &'s ArraySlot {
        let slot = self.slot::<T>(param, tag);
        if usize::from(slot.array.rank) != D || D > MAX_ARRAY_RANK {
            wrong_slot(param, tag);
        }
        &slot.array
    }

    /// First index and length of what the items of this block own of an array.
    #[inline]
    fn owned<const D: usize>(&self, array: &ArraySlot, held: &Held<D>) -> ([usize; D], [usize; D]) {
        let (mut first, mut len) = (held.first, held.len);
        for d in 0..D {
            let dim = usize::from(array.own.dim[d]);
            if dim < crate::space::MAX_RANK {
                let offset = array.own.offset[d];
                let lo = self.block.lo(dim).saturating_add(offset).max(first[d]);
                let hi = self.block.hi(dim).saturating_add(offset).min(first[d] + len[d]);
                (first[d], len[d]) = (lo, hi.saturating_sub(lo));
            }
        }
        if len.contains(&0) {
            (first, len) = (held.first, [0; D]);
        }
        (first, len)
    }
}

/// What a slot of rank `D` holds.
#[inline]
fn held<const D: usize>(array: &ArraySlot) -> Held<D> {
    Held {
        first: std::array::from_fn(|d| array.origin[d]),
        len: std::array::from_fn(|d| array.held[d]),
        stride: std::array::from_fn(|d| array.stride[d]),
        shape: std::array::from_fn(|d| array.shape[d]),
    }
}

/// How many elements the element `to` is from the first one held.
#[inline]
fn distance<const D: usize>(held: &Held<D>, to: [usize; D]) -> isize {
    (0..D).fold(0, |sum: isize, d| {
        let at = to[d].wrapping_sub(held.first[d]) as isize;
        sum.wrapping_add(at.wrapping_mul(held.stride[d]))
    })
}

impl<'u> Uniforms<'u> {
    /// The facts of a launch with these arguments.
    ///
    /// # Safety
    ///
    /// The slots keep the promises of their makers for `'u`: values are read through them.
    pub unsafe fn new(slots: &'u [Slot], space: &'u Space) -> Self {
        Self { slots, space }
    }

    /// The value bound to a parameter; `None` where it is none of that type.
    pub fn value<T: Copy + 'static>(&self, param: usize) -> Option<T> {
        let slot = self.slots.get(param)?;
        if slot.tag != Tag::Value || slot.elem != TypeId::of::<T>() {
            return None;
        }
        // SAFETY: as in `Args::value`.
        Some(unsafe { slot.array.base.cast::<T>().read() })
    }
}

#[cold]
#[inline(never)]
fn wrong_slot(param: usize, tag: Tag) -> ! {
    panic!("parameter {param} is not bound as {tag:?} of the type asked for")
}

impl Slot {
    /// A value.
    ///
    /// # Safety
    ///
    /// `value` must point to an initialised `T` that stays valid and unchanged while the slot is in
    /// use.
    pub unsafe fn value<T: Copy + 'static>(value: *const T) -> Self {
        let mut array = super::slot::ArraySlot::empty();
        array.base = value.cast_mut().cast();
        Self { tag: Tag::Value, elem: TypeId::of::<T>(), array }
    }

    /// A value of a type known only at run time.
    ///
    /// # Safety
    ///
    /// As [`Slot::value`], for the type of `elem`.
    pub unsafe fn value_erased(value: *const u8, elem: TypeId) -> Self {
        let mut array = super::slot::ArraySlot::empty();
        array.base = value.cast_mut();
        Self { tag: Tag::Value, elem, array }
    }

    /// An array.
    ///
    /// # Safety
    ///
    /// While the slot is in use, every element that `array` describes is initialised memory of the
    /// type `elem`, aligned for it, and is reached as `tag` allows: `Input` elements are not
    /// written by anybody; the others are reached through slots of this one launch only, through
    /// one slot each, and distinct indices lead to distinct elements.
    pub unsafe fn array(tag: Tag, elem: TypeId, array: super::slot::ArraySlot) -> Self {
        Self { tag, elem, array }
    }

    /// What the slot may be read as.
    pub fn tag(&self) -> Tag {
        self.tag
    }

    /// The element type.
    pub fn elem(&self) -> TypeId {
        self.elem
    }

    /// The box of the array.
    pub fn array_slot(&self) -> &super::slot::ArraySlot {
        &self.array
    }
}

// SAFETY: a slot is an address and numbers; reaching through it is what the makers above promise
// about, whatever the thread.
unsafe impl Send for Slot {}
// SAFETY: as for `Send`.
unsafe impl Sync for Slot {}

/// What all blocks of one launch share.
#[derive(Clone, Copy, Debug)]
pub struct Shared<'s> {
    /// One slot for each parameter.
    pub slots: &'s [Slot],
    /// The index space.
    pub space: &'s Space,
    /// How many ids each dimension takes among the items that may run at once; only 1 is exact.
    pub spread: &'s Space,
    /// The space that gives each item its number.
    pub numbering: &'s Space,
    /// What `phase()` is.
    pub phase: usize,
    /// What `partition()` is.
    pub partition: usize,
    /// Where violations and panics are noted.
    pub outcome: &'s Outcome,
    /// `FLASH_CHECK=all`.
    pub check_all: bool,
    pub(crate) _marker: PhantomData<&'s ()>,
}

impl<'s> Shared<'s> {
    /// What blocks of a launch of the whole space share.
    #[inline]
    pub fn new(slots: &'s [Slot], space: &'s Space, outcome: &'s Outcome, check_all: bool) -> Self {
        let (spread, numbering) = (space, space);
        let (phase, partition) = (0, 0);
        let _marker = PhantomData;
        Self { slots, space, spread, numbering, phase, partition, outcome, check_all, _marker }
    }
}

/// Runs an entry over a block, noting a panic in the outcome.
///
/// # Safety
///
/// The processor has the instruction set `entry` was compiled for. The slots keep the promises of
/// their makers for the whole call. No two blocks that overlap run for the same launch, nor two with the same
/// `partial` where there are `Tag::Partials` slots, and every dimension along which two blocks differ
/// stands in the own place of each `Tag::Own` slot.
#[inline(always)]
pub unsafe fn run_block(entry: IsaEntry, shared: &Shared<'_>, block: &Block, partial: usize) {
    let mut args = Args { shared, block, partial, taken: Taken::default(), _thread: PhantomData };
    let run = std::panic::AssertUnwindSafe(|| {
        // SAFETY: the caller vouches for the instruction set.
        unsafe { entry(&mut args, block) }
    });
    if let Err(payload) = std::panic::catch_unwind(run) {
        panicked(shared, block, payload.as_ref());
    }
}

/// Notes a panic in a block.
#[cold]
fn panicked(shared: &Shared<'_>, block: &Block, payload: &(dyn std::any::Any + Send)) {
    // The first item where none has said that it unwound.
    let item = super::at::take();
    let id = |dim| item.as_ref().and_then(|ids| ids.get(dim).copied()).unwrap_or(block.lo(dim));
    let first = (0..block.rank())
        .rev()
        .fold(0_u64, |linear, dim| linear * shared.numbering.extent(dim) as u64 + id(dim) as u64);
    shared.outcome.panic(first, message(payload));
}

/// The words of a panic.
pub(crate) fn message(payload: &(dyn std::any::Any + Send)) -> String {
    payload
        .downcast_ref::<&str>()
        .map(ToString::to_string)
        .or_else(|| payload.downcast_ref::<String>().cloned())
        .unwrap_or_else(|| "a panic without a message".to_owned())
}
