//! What the macros take and make of it. They are in `flash-macros`, whose examples would need this crate.

/// Makes a `#[repr(C)]` structure an element of arrays.
///
/// ```
/// use flash::prelude::*;
///
/// #[derive(Clone, Copy, flash::Pod)]
/// #[repr(C)]
/// struct Cell {
///     rho: f32,
///     id: u32,
/// }
///
/// # fn main() -> flash::Result<()> {
/// let cells = Buffer::from(vec![Cell { rho: 0.5, id: 7 }; 3]);
/// assert_eq!((cells.get(2)?.rho, cells.get(2)?.id), (0.5, 7));
/// # Ok(())
/// # }
/// ```
///
/// Fields are numbers, arrays of them and other such structures. Padding, `bool`, `char`,
/// references and size zero are errors. `#[flash(crate = path)]` names the facade where it is not
/// `::flash`.
#[doc(inline)]
pub use flash_macros::Pod;
/// Makes a function callable in kernels: values in, a value out.
///
/// ```
/// use flash::prelude::*;
///
/// #[flash::device]
/// fn weight(mass: f32) -> f32 {
///     9.81 * mass
/// }
///
/// #[flash::kernel]
/// fn weights(mass: &[f32], #[out] newtons: &mut [f32]) {
///     let i = global_id(0);
///     newtons[i] = weight(mass[i]);
/// }
///
/// # fn main() -> flash::Result<()> {
/// # let rt = Runtime::new()?;
/// let (mass, mut newtons) = (Buffer::from(vec![2.0_f32; 4]), Buffer::zeros(4));
/// rt.submit(weights(&mass, &mut newtons)).exec([4])?;
/// assert_eq!(newtons.get(3)?, weight(2.0));
/// # Ok(())
/// # }
/// ```
///
/// It stays a function of the host too. Options: `crate = path`, and `fast_math`, which is for
/// processors that fuse multiply-adds: on others each of them is a call into the C library, so
/// leave it out where such processors matter.
#[doc(inline)]
pub use flash_macros::device;
/// A pipeline as an expression: stages that run as if one by one, in the order written.
///
/// ```
/// use flash::prelude::*;
///
/// #[flash::kernel]
/// fn smooth(old: &[f32], #[out] new: &mut [f32], #[reduce(max)] change: &mut f32) {
///     let i = global_id(0);
///     if i > 0 && i + 1 < old.len() {
///         new[i] = 0.5 * (old[i - 1] + old[i + 1]);
///         *change = change.max(math::abs(new[i] - old[i]));
///     } else {
///         new[i] = old[i];
///     }
/// }
///
/// #[flash::host_task]
/// fn show(round: usize, x: &[f32]) {
///     println!("{round}: {:?}", &x[..3]);
/// }
///
/// # fn main() -> flash::Result<()> {
/// # let rt = Runtime::new()?;
/// let (n, often) = (8, true);
/// let (x, mut y) = (Buffer::from(vec![1.0_f32; n]), Buffer::zeros(n));
/// x.set(0, 9.0)?;
/// let mut change = Var::new(f32::MAX);
/// let mut pipeline = flash_pipeline! { in rt;
///     while &change > 0.1, max 1_000 {
///         smooth(&x, &mut y, &mut change)[n];
///         swap(x, y);
///     }
///     for round in 0..3 {
///         let first = round + 1;
///         if often { show(first, &x); }
///     }
/// };
/// pipeline.exec()?;
/// assert!(change.get()? <= 0.1);
/// # Ok(())
/// # }
/// ```
///
/// - `kernel(..)[space];` launches a kernel over an index space: `[n]`, `[width, height]`, or an
///   expression that already is one, `[image.space()]`.
/// - `task(..);` runs a host task.
/// - `for v in a..b { .. }` and `a..=b` loop; they may nest. The loop stays a loop: it is not
///   unrolled. `v` is a plain integer whose type follows from its use. For other iterators write a
///   Rust loop and `push` the stages.
/// - `while condition, max n { .. }` runs as long as the condition holds, at most `n` times; `if
///   condition { .. } else { .. }` opens one of two branches. A condition is data, looked at when the
///   pipeline comes to it: cells (`&Var`) and values, compared and joined by `!`, `&&`, `||`, `^`.
/// - `let x = e;` names a value.
/// - `swap(a, b);` exchanges the contents of two arrays without copying.
///
/// An argument, space or bound that names a loop variable, or a `let` that depends on one, is
/// evaluated at each dispatch; everything else once, where it stands, when the pipeline is built.
/// What is evaluated at each dispatch is a `move` closure: numbers and references are copied into
/// it, anything else is moved, so refer to tables (`let table = &table;`) before the pipeline. It
/// should be cheap, and a `let` is evaluated for each fragment that uses it. Arrays are the same in
/// every trip, except for `&x.at(v)` and `&mut x.at(v)`.
///
/// The value is a `Pipeline`. `crate = path;` before `in rt;` names the facade where it is not
/// `::flash`.
#[doc(inline)]
pub use flash_macros::flash_pipeline;
/// Makes a function of plain Rust a stage of a pipeline: a host task. It may do input and output.
///
/// ```
/// use std::io::Write;
/// use std::sync::Mutex;
/// use flash::prelude::*;
///
/// #[flash::host_task]
/// fn store(frame: View<'_, u8, 2>, out: &Mutex<Vec<u8>>, step: usize) -> std::io::Result<()> {
///     let mut out = out.lock().unwrap();
///     writeln!(out, "frame {step}")?;
///     out.write_all(&frame.to_vec())
/// }
///
/// # fn main() -> flash::Result<()> {
/// # let rt = Runtime::new()?;
/// let (frame, out) = (Buffer::<u8, 2>::zeros([2, 3]), Mutex::new(Vec::new()));
/// flash_pipeline! { in rt;
///     for step in 0..2 { store(&frame, &out, step); }
/// }
/// .exec()?;
/// assert_eq!(out.into_inner().unwrap(), b"frame 0\n\0\0\0\0\0\0frame 1\n\0\0\0\0\0\0");
/// # Ok(())
/// # }
/// ```
///
/// Arrays are `View<'_, T, D>`, `ViewMut<'_, T, D>`, `&[T]`, `&mut [T]`, and `&mut T` for a `Var`;
/// at the call they are passed as to a kernel. `&T` is state that runs share (`T: Sync`); anything
/// else is state by value, cloned for each run, and may depend on a loop variable. It returns `()`
/// or `Result<(), E>`; an error ends the pipeline. Option: `crate = path`.
#[doc(inline)]
pub use flash_macros::host_task;
/// Makes a function a kernel: code that runs once for each work item of an index space, on any
/// device.
///
/// ```
/// use flash::prelude::*;
///
/// /// y = a x + y
/// #[flash::kernel(inputs = 2)]
/// fn saxpy(a: f32, x: &[f32], y: &mut [f32]) {
///     let i = global_id(0);
///     y[i] = a * x[i] + y[i];
/// }
///
/// # fn main() -> flash::Result<()> {
/// # let rt = Runtime::new()?;
/// let (x, mut y) = (Buffer::from(vec![1.0; 100]), Buffer::from(vec![2.0; 100]));
/// rt.submit(saxpy(3.0, &x, &mut y)).exec([100])?;
/// assert_eq!(y.get(42)?, 5.0);
/// # Ok(())
/// # }
/// ```
///
/// The function becomes a constructor: `saxpy(2.0, &x, &mut y)` is a call, and
/// `rt.submit(saxpy(2.0, &x, &mut y)).exec([n])?` runs it.
///
/// | parameter | role | at the call |
/// |---|---|---|
/// | `a: f32`, any scalar, or a struct that derives `flash::Pod` | value | `2.0` |
/// | `x: &[T]`, `x: View<'_, T, D>` | read | `&x` |
/// | `y: &mut [T]`, `y: ViewMut<'_, T, D>` | read and written | `&mut y` |
/// | `#[out] z: &mut [T]`, `#[out(partial)]` | written, written in part | `&mut z` |
/// | `#[scratch(len)] t: &mut [T]` | temporary, zero at the start | not passed |
/// | `#[reduce(op)] s: &mut T`, `#[reduce(op, into)]` | reduction by `+ * min max & \| ^` | `&mut s` |
/// | `c: &[Atomic<T>]` | shared cells | `&mut c` |
///
/// Options: `inputs = n`, `idempotent`, `requires(f64, atomics, ..)`, `fast_math`,
/// `deterministic`, `crate = path`, instance lists of generic parameters (`T = [f32, f64]`,
/// `N = [8, 16]`), `when = go` for a parameter `go: bool` without which a launch is skipped and to
/// which any condition binds, native implementations in `unsafe(cuda(..), opencl(..), fpga(..), cpu(..))`,
/// and `rank = n` for an index space of more dimensions than the body has ids, or arrays show.
///
/// Options of the index space, whose dimensions count from 1 or are `x`, `y`, `z`: `sort_by(d, ..)`
/// and `group_by(d)`, `group_by(d, value)` cut a launch into phases, one after the other;
/// `part_by`, and `part_by = f` with `f: fn(&[Range<u64>]) -> Vec<ArgRange>`, let it be split over
/// devices; `searchable(exact)` and `searchable(fuzzy)` let it use what was registered under its name.
/// A kernel without a body may ask for a table of indices: `index_table`, `index_table(items, u64)`.
/// A body knows `global_id(d)`, `global_size(d)`, `phase()` and `partition()`.
///
/// A work item writes an array at its *own place* only: an index in which each `global_id` of the
/// kernel stands alone in one component, plus the same offset for all items. Any other access to a
/// written array stands in `unsafe { }`, or the parameter is an atomic array or a reduction.
#[doc(inline)]
pub use flash_macros::kernel;
