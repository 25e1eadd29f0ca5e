//! Arguments of one block, decoded by tag. Fenced: this file turns bound memory into references.
//!
//! It may be used by generated entries (through the safe methods) and by backends (through
//! [`run_block`]). It does not validate a launch; `run_block` says what must have been validated.
#![allow(unsafe_code, reason = "decodes slots; each accessor checks tag and type first")]

use std::any::TypeId;
use std::marker::PhantomData;

use super::outcome::Outcome;
use super::slot::{Slot, Tag};
use crate::descriptor::IsaEntry;
use crate::space::{Block, Space};

/// The arguments of one block of a launch.
#[derive(Debug)]
pub struct Args<'s> {
    pub(super) slots: &'s [Slot],
    /// The whole index space.
    pub(super) space: &'s Space,
    /// The box of items whose own places these arguments may reach.
    pub(super) block: Block,
    /// Index of the reduction block, for `Tag::Partials`.
    pub(super) partial: usize,
    /// Slots handed out mutably; a second request gets an empty array.
    pub(super) taken: Taken,
    pub(super) outcome: &'s Outcome,
    /// `FLASH_CHECK=all`.
    pub(super) check_all: bool,
}

/// A set of slot numbers, in one word for the first 64.
#[derive(Debug, Default)]
pub(super) struct Taken {
    low: u64,
    high: Vec<usize>,
}

impl Taken {
    /// Adds a slot; whether it was not there before.
    pub(super) fn insert(&mut self, slot: usize) -> bool {
        if slot < 64 {
            let fresh = self.low & (1 << slot) == 0;
            self.low |= 1 << slot;
            fresh
        } else {
            let fresh = !self.high.contains(&slot);
            if fresh {
                self.high.push(slot);
            }
            fresh
        }
    }
}

impl<'s> Args<'s> {
    /// The slot, if it may be read as `tag` of elements `T`.
    #[inline]
    pub(super) fn slot<T: 'static>(&self, param: usize, tag: Tag) -> &'s Slot {
        let slots: &'s [Slot] = self.slots;
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
        self.space.extent(dim)
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
    /// written by anybody; the others are reached through slots of this one launch only, and
    /// through one slot each.
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
    /// Where violations and panics are noted.
    pub outcome: &'s Outcome,
    /// `FLASH_CHECK=all`.
    pub check_all: bool,
    pub(crate) _marker: PhantomData<&'s ()>,
}

/// Runs an entry over a block, noting a panic in the outcome.
///
/// # Safety
///
/// The processor has the instruction set `entry` was compiled for. The slots keep the promises of
/// their makers for the whole call. No two blocks that overlap run for the same launch, and every
/// dimension along which two blocks differ stands in the own place of each `Tag::Own` slot.
pub unsafe fn run_block(entry: IsaEntry, shared: &Shared<'_>, block: &Block, partial: usize) {
    let mut args = Args {
        slots: shared.slots,
        space: shared.space,
        block: *block,
        partial,
        taken: Taken::default(),
        outcome: shared.outcome,
        check_all: shared.check_all,
    };
    let run = std::panic::AssertUnwindSafe(|| {
        // SAFETY: the caller vouches for the instruction set.
        unsafe { entry(&mut args, block) }
    });
    if let Err(payload) = std::panic::catch_unwind(run) {
        let first = (0..block.rank())
            .rev()
            .fold(0_u64, |item, dim| item * shared.space.extent(dim) as u64 + block.lo(dim) as u64);
        shared.outcome.panic(first, message(payload.as_ref()));
    }
}

/// The words of a panic.
pub(crate) fn message(payload: &(dyn std::any::Any + Send)) -> String {
    payload
        .downcast_ref::<&str>()
        .map(ToString::to_string)
        .or_else(|| payload.downcast_ref::<String>().cloned())
        .unwrap_or_else(|| "a panic without a message".to_owned())
}
