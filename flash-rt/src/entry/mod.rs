//! What generated entries are made of: tag-checked arguments, own places, reductions.
//!
//! Safe code cannot reach memory through this module other than as the launch allows: slots are
//! made by the run time only, and every accessor checks its slot. It does not choose blocks.

mod args;
mod outcome;
mod slot;
mod uniforms;

pub use args::{Args, Shared, run_block};
pub use outcome::{Outcome, Violation};
pub use slot::{ArraySlot, MAX_ARRAY_RANK, OwnMap, Slot, Tag};
pub use uniforms::Uniforms;
