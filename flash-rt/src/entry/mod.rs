//! What generated entries are made of: tag-checked arguments, own places, reductions.
//!
//! Safe code cannot reach memory through this module other than as the launch allows: slots are
//! made by the run time only, and every accessor checks its slot. It does not choose blocks.

mod args;
mod array;
mod at;
mod bad;
mod lin;
mod outcome;
pub mod reduction;
mod slot;
#[cfg(test)]
mod tests;
mod uniforms;

pub use args::{Args, Shared, run_block};
pub use array::{AtomicArray, Input, Own, RawArray, Window};
pub use at::At;
pub use bad::{Bad, LINE_ITEMS};
pub use lin::{Interior, Lin};
pub use outcome::{Outcome, Violation};
pub use slot::{ArraySlot, MAX_ARRAY_RANK, OwnMap, Slot, Tag};
pub use uniforms::Uniforms;

/// The index of an access that is never made, where rustc still wants one.
#[doc(hidden)]
#[inline(always)]
pub fn nowhere<const D: usize>(_index: [usize; D]) -> usize {
    0
}

/// The `n` elements of a row from `offset` on; empty if they are not there.
#[doc(hidden)]
#[inline(always)]
pub fn part<T>(row: &[T], offset: usize, n: usize) -> &[T] {
    row.get(offset..offset + n).unwrap_or(&[])
}
