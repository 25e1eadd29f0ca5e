//! What generated entries are made of: tag-checked arguments, own places, reductions.
//!
//! Safe code cannot reach memory through this module other than as the launch allows: slots are
//! made by the run time only, and every accessor checks its slot. It does not choose blocks.

mod abreast;
mod args;
mod array;
mod at;
mod bad;
mod body;
mod cast;
mod edge;
mod lin;
#[cfg(all(test, loom))]
mod models;
mod outcome;
mod raw;
pub mod reduction;
mod slot;
mod tally;
#[cfg(test)]
mod tests;
mod uniforms;
mod window;

pub use abreast::{
    ABREAST, FEW_ABREAST, Groups, GroupsMut, MANY_ABREAST, abreast, abreast_mut, any, apart, each,
    flag, plain_items, second, trip, vector,
};
pub(crate) use args::message;
pub use args::{Args, Shared, run_block};
pub use array::{AtomicArray, Input, Own};
pub use at::At;
pub use bad::{Bad, LINE_ITEMS};
pub use body::{Entries, Entry, IsaEntry, KernelBody};
pub use cast::{Cast, cast};
pub use edge::{Edge, EdgeRow, Elements, Packed, split};
pub use lin::{Interior, Lin};
pub use outcome::{Outcome, Violation};
pub use raw::{RawArray, RawRow};
pub use slot::{ArraySlot, MAX_ARRAY_RANK, OwnMap, Slot, Tag};
pub use tally::{Tallies, Tally};
pub use uniforms::Uniforms;
pub use window::{Lines, NoRows, Rows, Window, each_row};

/// So many items are less work than finding out what they have in common.
pub const FEW: usize = 4;

/// How many lines have their interiors run before their rims: what they touch stays in a cache.
#[doc(hidden)]
pub const SWEEP: usize = 16;

/// How many lines of `n` items, one behind the other, are run as one: no more items than a line has.
#[doc(hidden)]
#[inline(always)]
pub fn joined_lines(n: usize) -> usize {
    // Rounded down, without a division.
    (LINE_ITEMS >> (usize::BITS - n.leading_zeros())).max(1)
}

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
