//! FLASH: annotate a kernel, write a pipeline, run it on every device there is.
//!
//! This crate is the facade: it re-exports the run time and the macros, names the enabled
//! backends, and holds no logic of its own.
#![forbid(unsafe_code)]

mod backends;
#[cfg(feature = "cpu")]
pub mod cpu;
pub mod prelude;

pub use backends::Enabled;
pub use flash_ir::math;
pub use flash_macros::{Pod, device, flash_pipeline, host_task, kernel};
pub use flash_rt::{
    Arg, Atomic, Bound, BoundRead, Buffer, Chunks, IntoBox, IntoIndex, IntoShape, LazyPart, Part,
    Pod, ReadGuard, Var, View, ViewMut, WriteGuard,
};
pub use flash_rt::{
    Builder, Device, DriverError, Error, Explanation, Handle, Progress, Report, Result, Scope,
    StageReport, Transfers,
};
pub use flash_rt::{Call, Chain, IntoSpace, IntoStage, Pipeline, Stage, Submission, Task};
pub use flash_rt::{Cond, IntoCond, Loops, Operand, cascade, custom_loop, loop_var, seq};
pub use flash_rt::{sim, trace};

/// The devices a program uses; see [`flash_rt::Runtime`] for what it can do.
pub type Runtime = flash_rt::Runtime<Enabled>;

/// What expansions name. Not for people: it changes without notice.
#[doc(hidden)]
pub mod __private {
    pub use core;
    pub use flash_ir as ir;
    pub use flash_rt as rt;
    pub use std;
}

/// The programs of the README, which are compiled and run as tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
mod readme {}

/// The pages of the guide, whose programs are compiled and run as tests.
#[cfg(doctest)]
mod guide {
    #[doc = include_str!("../docs/guide/buffers.md")]
    mod buffers {}
    #[doc = include_str!("../docs/guide/kernels.md")]
    mod kernels {}
    #[doc = include_str!("../docs/guide/pipelines.md")]
    mod pipelines {}
}
