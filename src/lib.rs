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
#[cfg(feature = "cuda")]
pub mod cuda;
mod macros;
#[cfg(feature = "ocl")]
pub mod opencl;
pub mod prelude;

pub use backends::Enabled;
pub use flash_ir::math;
/// Scalars, cells, arrays and their parts as arguments:
///
/// ```
/// use flash::prelude::*;
///
/// #[flash::kernel]
/// fn scale(k: f32, x: &[f32], #[out] y: &mut [f32], #[reduce(+)] s: &mut f32) {
///     let i = global_id(0);
///     y[i] = k * x[i];
///     *s += x[i];
/// }
///
/// # fn main() -> flash::Result<()> {
/// let rt = Runtime::new()?;
/// let (x, mut y) = (Buffer::from(vec![1.0_f32; 8]), Buffer::zeros(8));
/// let (k, mut s) = (Var::new(3.0_f32), Var::new(0.0_f32));
/// // A scalar binds as a value or as a cell, an array as a buffer, a part, a view or a slice.
/// rt.submit(scale(2.0, &x, &mut y, &mut s)).exec([8])?;
/// rt.submit(scale(&k, &x.view(0..4), &mut y.view(4..8), &mut s)).exec([4])?;
/// let (slice, mut sum) = ([1.0; 2], 0.0);
/// rt.submit(scale(2.0, &slice, &mut y.view(0..2), &mut sum)).exec([2])?;
/// assert_eq!((y.to_vec()?, s.get()?, sum), (vec![2., 2., 2., 2., 3., 3., 3., 3.], 4.0, 2.0));
/// # Ok(())
/// # }
/// ```
pub use flash_rt::Arg;
/// A kernel with its arguments, which may be made in one place and launched in another:
///
/// ```
/// use flash::prelude::*;
/// use flash::Call;
///
/// #[flash::kernel]
/// fn add(k: u32, x: &mut [u32]) {
///     let i = global_id(0);
///     x[i] += k;
/// }
///
/// /// A call may be made in one place and launched in another one.
/// fn twice<'a>(k: u32, x: &mut Buffer<u32>) -> Call<'a, 1> {
///     add(2 * k, x)
/// }
///
/// # fn main() -> flash::Result<()> {
/// let rt = Runtime::new()?;
/// let mut x = Buffer::zeros(8);
/// rt.submit(twice(3, &mut x)).exec([8])?;
/// rt.pipeline().push(twice(1, &mut x).over([4])).exec()?;
/// assert_eq!(x.to_vec()?, [8, 8, 8, 8, 6, 6, 6, 6]);
/// # Ok(())
/// # }
/// ```
pub use flash_rt::Call;
/// Kernels one after the other, each with its index space:
///
/// ```
/// use flash::prelude::*;
///
/// #[flash::kernel]
/// fn add(k: u32, x: &mut [u32]) {
///     let i = global_id(0);
///     x[i] += k;
/// }
///
/// # fn main() -> flash::Result<()> {
/// let rt = Runtime::new()?;
/// let mut x = Buffer::zeros(8);
/// let chain = rt.submit(add(1, &mut x)).defer([8]).submit(add(10, &mut x)).defer([4]);
/// chain.repeat(3).exec()?;
/// assert_eq!(x.to_vec()?, [33, 33, 33, 33, 3, 3, 3, 3]);
///
/// // Kept as a pipeline, it runs as often as it is told to.
/// let mut pipeline = rt.submit(add(1, &mut x)).defer([8]).into_pipeline();
/// pipeline.exec()?;
/// pipeline.exec()?;
/// assert_eq!(x.get(7)?, 5);
/// # Ok(())
/// # }
/// ```
pub use flash_rt::Chain;
/// What a driver said, found in the error of a call to a device:
///
/// ```
/// use std::sync::Arc;
///
/// use flash::prelude::*;
/// use flash::sim::{Config, Fault, Kind, Sim};
///
/// #[flash::kernel]
/// fn double(x: &mut [u32]) {
///     let i = global_id(0);
///     x[i] = 2 * x[i];
/// }
///
/// # fn main() -> flash::Result<()> {
/// let sim = Sim::new(Config { devices: 1, ..Config::default() });
/// sim.inject(Fault::Fail { call: Kind::Upload, nth: 0, device: None });
/// let rt = Runtime::builder().backend(Arc::new(sim)).build()?;
/// let mut x = Buffer::from(vec![1_u32; 8]);
/// match rt.submit(double(&mut x)).exec([8]) {
///     Err(flash::Error::Driver { device, source, .. }) => {
///         let flash::DriverError { api, text, .. } = &source;
///         assert_eq!((&*device, *api), ("sim:0", "sim::upload"), "{text}");
///     }
///     other => panic!("{other:?}"),
/// }
/// # Ok(())
/// # }
/// ```
pub use flash_rt::DriverError;
/// Extents, dimension 0 first:
///
/// ```
/// use flash::prelude::*;
///
/// #[flash::kernel]
/// fn mark(#[out] x: ViewMut<'_, u32, 2>) {
///     let (j, i) = (global_id(1), global_id(0));
///     x[[j, i]] = 10 * j as u32 + i as u32;
/// }
///
/// # fn main() -> flash::Result<()> {
/// let rt = Runtime::new()?;
/// let mut image = Buffer::zeros([2, 3]);
/// // Width before height, as dimension 0 comes first; `space()` is that of an array.
/// rt.submit(mark(&mut image)).exec([3, 2])?;
/// rt.submit(mark(&mut image)).exec(image.space())?;
/// assert_eq!(image.to_vec()?, [0, 1, 2, 10, 11, 12]);
/// # Ok(())
/// # }
/// ```
pub use flash_rt::IntoSpace;
/// A kernel call with its index space, or a host task:
///
/// ```
/// use flash::prelude::*;
///
/// #[flash::kernel]
/// fn add(k: u32, x: &mut [u32]) {
///     let i = global_id(0);
///     x[i] += k;
/// }
///
/// # fn main() -> flash::Result<()> {
/// let rt = Runtime::new()?;
/// let mut x = Buffer::zeros(8);
/// let mut pipeline = rt.pipeline();
/// // A kernel call with its index space, and a host task.
/// pipeline.push(add(1, &mut x).over([8]));
/// pipeline.push(Task::new("look", (&x,), |(x,)| assert_eq!(x[[7]], 1)));
/// pipeline.exec()?;
/// # Ok(())
/// # }
/// ```
pub use flash_rt::IntoStage;
/// A handle to `&film.at(v)`, whose place depends on the variable of a loop:
///
/// ```
/// use flash::prelude::*;
///
/// #[flash::kernel]
/// fn fill(k: u32, #[out] x: &mut [u32]) {
///     let i = global_id(0);
///     x[i] = k + i as u32;
/// }
///
/// # fn main() -> flash::Result<()> {
/// let rt = Runtime::new()?;
/// let mut film = Buffer::<u32, 2>::zeros([3, 2]);
/// flash_pipeline! { in &rt;
///     for frame in 0..3 { fill(10 * frame as u32, &mut film.at(frame))[2]; }
/// }
/// .exec()?;
/// assert_eq!(film.to_vec()?, [0, 1, 10, 11, 20, 21]);
/// # Ok(())
/// # }
/// ```
pub use flash_rt::LazyPart;
/// Code of your own as a stage, on whatever runs it: a call of a library between two kernels.
///
/// ```
/// use flash::prelude::*;
/// use flash::{Native, out};
///
/// #[flash::kernel]
/// fn scale(k: f32, x: &mut [f32]) {
///     let i = global_id(0);
///     x[i] = k * x[i];
/// }
///
/// /// y ← x, sorted.
/// fn sort<'a>(x: &Buffer<f32>, y: &mut Buffer<f32>) -> impl IntoStage<'a> {
///     // Backends add methods for their devices, which give the code a queue and the arrays there.
///     Native::new("sort", (x, out(y))).on_host(|(x, mut y)| {
///         let mut sorted: Vec<f32> = x.iter().copied().collect();
///         sorted.sort_by(f32::total_cmp);
///         sorted.into_iter().enumerate().for_each(|(k, x)| y[[k]] = x);
///     })
/// }
///
/// # fn main() -> flash::Result<()> {
/// let rt = Runtime::open("ALL_CPU")?;
/// let (mut x, mut y) = (Buffer::from(vec![3.0, 1.0, 2.0]), Buffer::zeros(3));
/// flash_pipeline! { in rt;
///     scale(2.0, &mut x)[3];
///     sort(&x, &mut y);
///     scale(0.5, &mut y)[3];
/// }
/// .exec()?;
/// assert_eq!(y.to_vec()?, [1.0, 2.0, 3.0]);
/// # Ok(())
/// # }
/// ```
pub use flash_rt::Native;
pub use flash_rt::NearMiss;
/// A kernel that waits for its index space:
///
/// ```
/// use flash::prelude::*;
///
/// #[flash::kernel]
/// fn add(k: u32, x: &mut [u32]) {
///     let i = global_id(0);
///     x[i] += k;
/// }
///
/// # fn main() -> flash::Result<()> {
/// let rt = Runtime::new()?;
/// let mut x = Buffer::zeros(8);
/// let submission = rt.submit(add(1, &mut x));
/// let report = submission.exec([8])?;
/// assert_eq!((report.kernels()[0].name, x.get(7)?), ("add", 1));
/// # Ok(())
/// # }
/// ```
pub use flash_rt::Submission;
pub use flash_rt::descriptor::Need;
/// Makes the body of a kernel one that a `searchable` declaration finds, by name and signature:
///
/// ```
/// mod plugin {
///     #[flash::kernel]
///     pub fn blend(k: f32, x: &[f32], y: &mut [f32]) {
///         let i = global_id(0);
///         y[i] = k * x[i] + (1.0 - k) * y[i];
///     }
/// }
///
/// use flash::prelude::*;
///
/// #[flash::kernel(searchable(exact))]
/// fn blend(k: f32, x: &[f32], y: &mut [f32]);
///
/// # fn main() -> flash::Result<()> {
/// let rt = Runtime::new()?;
/// let (x, mut y) = (Buffer::from(vec![4.0; 8]), Buffer::zeros(8));
/// let error = rt.submit(blend(0.5, &x, &mut y)).exec([8]).unwrap_err();
/// assert!(matches!(error, flash::Error::NotFound { .. }));
/// flash::register::<plugin::blend>();
/// rt.submit(blend(0.5, &x, &mut y)).exec([8])?;
/// assert_eq!(y.to_vec()?, [2.0; 8]);
/// # Ok(())
/// # }
/// ```
pub use flash_rt::search::register;
pub use flash_rt::task::out;
pub use flash_rt::{
    ArgBox, ArgRange, Atomic, Bound, BoundPart, BoundRead, Buffer, Chunks, IntoArgBox, IntoBox,
    IntoIndex, IntoShape, Part, PartMut, Pod, ReadGuard, Var, View, ViewMut, WriteGuard,
};
pub use flash_rt::{
    Builder, Configured, Copies, Device, DeviceReport, Error, Explanation, Fallback, Handle,
    Progress, Report, Result, Scope, StageReport, Transfers,
};
pub use flash_rt::{Capabilities, Geometry, Groups};
pub use flash_rt::{Cond, IntoCond, Loops, Operand, cascade, custom_loop, loop_var, seq, trip};
pub use flash_rt::{CountBy, IntoPartitions, Partitioning, Pipeline, Stage, Task};
pub use flash_rt::{sim, trace};
pub use macros::{Pod, device, flash_pipeline, host_task, kernel};

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
    #[doc = include_str!("../docs/guide/cuda.md")]
    mod cuda {}
    #[doc = include_str!("../docs/guide/from-cudarc.md")]
    mod from_cudarc {}
    #[doc = include_str!("../docs/guide/graphs.md")]
    mod graphs {}
    #[doc = include_str!("../docs/guide/index-spaces.md")]
    mod index_spaces {}
    #[doc = include_str!("../docs/guide/kernels.md")]
    mod kernels {}
    #[doc = include_str!("../docs/guide/opencl.md")]
    mod opencl {}
    #[doc = include_str!("../docs/guide/pipelines.md")]
    mod pipelines {}
    #[doc = include_str!("../docs/guide/several-gpus.md")]
    mod several_gpus {}
}
