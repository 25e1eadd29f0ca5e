//! What the examples share: command line, video and picture files, random numbers, checks.
//!
//! It does not know FLASH: an example keeps everything about kernels and pipelines in its own file.
#![forbid(unsafe_code)]

mod about;
pub mod assets;
pub mod canvas;
pub mod check;
pub mod command;
pub mod erf;
mod font;
pub mod hash;
pub mod picture;
pub mod progress;
pub mod random;
pub mod y4m;

pub use check::Mismatch;
pub use command::{Options, Size, run, with_causes};
pub use progress::Progress;
pub use random::SplitMix64;

/// Any error; an example only passes it on.
pub type Error = Box<dyn std::error::Error + Send + Sync>;
/// The result of an example, or of a part of it.
pub type Result<T = (), E = Error> = std::result::Result<T, E>;
