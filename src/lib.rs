//! FLASH: annotate a kernel, write a pipeline, run it on every device there is.
//!
//! [`kernel`] makes a function a kernel, [`flash_pipeline!`] makes a pipeline of kernels and of
//! functions that [`host_task`] makes stages. A [`Buffer`] is an array that all of them share, a
//! [`Runtime`] the devices they run on.
//!
//! A kernel's name is a function that binds arguments ([`Arg`] says what binds to what) and gives a
//! [`Call`]. It runs with [`Runtime::submit`] over an index space ([`IntoSpace`]), dimension 0 first:
//!
//! ```
//! use flash::prelude::*;
//!
//! #[flash::kernel]
//! fn scale(k: f32, x: &mut [f32]) {
//!     let i = global_id(0);
//!     x[i] = k * x[i];
//! }
//!
//! #[flash::kernel]
//! fn sum(x: &[f32], #[reduce(+)] s: &mut f32) {
//!     let i = global_id(0);
//!     *s += x[i];
//! }
//!
//! # fn main() -> flash::Result<()> {
//! let rt = Runtime::new()?;
//! let mut x = Buffer::from(vec![1.0_f32; 100]);
//! let mut s = Var::new(0.0_f32);
//! rt.submit(scale(2.0, &mut x)).exec([100])?;
//!
//! // A chain: each kernel with its index space, then loops over all of it.
//! let chain = rt.submit(scale(3.0, &mut x)).defer(x.space()).submit(sum(&x, &mut s)).defer([100]);
//! let report = chain.repeat(2).exec()?;
//! assert_eq!((s.get()?, report.value(&s)?), (1_800.0, 1_800.0));
//! assert_eq!(report.kernel("scale").map(|kernel| kernel.count), Some(2));
//!
//! // A pipeline that is built in Rust, kept and run again.
//! let mut pipeline = rt.pipeline();
//! for k in [0.5, 0.25] {
//!     pipeline.push(scale(k, &mut x).over([100]));
//! }
//! pipeline.push(sum(&x, &mut s).when(true).over([100]));
//! pipeline.exec()?;
//! pipeline.exec()?;
//! assert_eq!(s.get()?, 1_800.0 / 64.0);
//!
//! // Started in the background: the handle waits, and is a `Future`.
//! let handle = pipeline.launch();
//! handle.wait()?;
//! # Ok(())
//! # }
//! ```
//!
//! Everything that can fail gives an [`Error`] that says where. The guide in the repository goes
//! through kernels, pipelines and buffers.
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
    Arg, ArgBox, ArgRange, Atomic, Bound, BoundRead, Buffer, Chunks, IntoArgBox, IntoBox,
    IntoIndex, IntoShape, LazyPart, Part, Pod, ReadGuard, Var, View, ViewMut, WriteGuard,
};
pub use flash_rt::{
    Builder, Configured, Copies, Device, DriverError, Error, Explanation, Fallback, Handle,
    Progress, Report, Result, Scope, StageReport, Transfers,
};
pub use flash_rt::{Call, Chain, CountBy, IntoSpace, IntoStage, Pipeline, Stage, Submission, Task};
pub use flash_rt::{Cond, IntoCond, Loops, Operand, cascade, custom_loop, loop_var, seq, trip};
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
    #[doc = include_str!("../docs/guide/index-spaces.md")]
    mod index_spaces {}
    #[doc = include_str!("../docs/guide/kernels.md")]
    mod kernels {}
    #[doc = include_str!("../docs/guide/pipelines.md")]
    mod pipelines {}
}
