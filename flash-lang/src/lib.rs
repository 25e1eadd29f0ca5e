//! The front end of FLASH: `parse -> check -> expand`, as a library that any test can drive.
//!
//! Internal crate; `flash-macros` is its shell. It never resolves a type: what depends on types is
//! left to rustc, at the user's own tokens.
#![forbid(unsafe_code)]
#![allow(clippy::large_enum_variant, reason = "trees are built once for each expansion")]

mod ast;
mod body;
pub mod device;
pub mod diag;
mod expansion;
mod groups;
pub mod host_task;
pub mod kernel;
pub mod names;
pub mod pipeline;
pub mod pod;
pub mod rules;
mod scopes;

pub use expansion::Expansion;
