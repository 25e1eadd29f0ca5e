//! The procedural macros of FLASH: the shell around `flash-lang`, without logic.
#![forbid(unsafe_code)]

use proc_macro::TokenStream;

/// A pipeline as an expression: stages that run as if one by one, in the order written.
///
/// ```text
/// flash_pipeline! { in rt;
///     for step in 0..steps {
///         let t = step as f32 * dt;
///         flux(&state, &mut residual)[n];
///         advance(t, &residual, &mut state)[n];
///         store(&state, &writer);
///         swap(state, next);
///     }
/// }
/// ```
///
/// - `kernel(..)[space];` launches a kernel over an index space: `[n]`, `[width, height]`, or an
///   expression that already is one, `[image.space()]`.
/// - `task(..);` runs a host task.
/// - `for v in a..b { .. }` and `a..=b` loop; they may nest. The loop stays a loop: it is not
///   unrolled. `v` is a plain integer whose type follows from its use. For other iterators write a
///   Rust loop and `push` the stages.
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
#[proc_macro]
pub fn flash_pipeline(tokens: TokenStream) -> TokenStream {
    flash_lang::pipeline::entry(tokens.into()).into()
}

/// Makes a function a kernel: code that runs once for each work item of an index space, on any
/// device.
///
/// ```text
/// #[flash::kernel(inputs = 2)]
/// fn saxpy(a: f32, x: &[f32], y: &mut [f32]) {
///     let i = global_id(0);
///     y[i] = a * x[i] + y[i];
/// }
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
/// `N = [8, 16]`), native implementations in `unsafe(cuda(..), opencl(..), fpga(..), cpu(..))`,
/// and `rank = n` for a declaration without a body whose arrays do not show it.
///
/// A work item writes an array at its *own place* only: an index in which each `global_id` of the
/// kernel stands alone in one component, plus the same offset for all items. Any other access to a
/// written array stands in `unsafe { }`, or the parameter is an atomic array or a reduction.
#[proc_macro_attribute]
pub fn kernel(args: TokenStream, item: TokenStream) -> TokenStream {
    flash_lang::kernel::entry(args.into(), item.into()).into()
}

/// Makes a function callable in kernels: values in, a value out.
///
/// ```text
/// #[flash::device]
/// fn weight(m: f32) -> f32 {
///     m * G
/// }
/// ```
///
/// It stays a function of the host too. Options: `fast_math`, `crate = path`.
#[proc_macro_attribute]
pub fn device(args: TokenStream, item: TokenStream) -> TokenStream {
    flash_lang::device::entry(args.into(), item.into()).into()
}

/// Makes a function of plain Rust a stage of a pipeline: a host task. It may do input and output.
///
/// ```text
/// #[flash::host_task]
/// fn store(frame: View<'_, f32, 2>, out: &Mutex<Writer>, step: usize) -> std::io::Result<()> {
///     out.lock().unwrap().write(step, frame)
/// }
/// ```
///
/// Arrays are `View<'_, T, D>`, `ViewMut<'_, T, D>`, `&[T]`, `&mut [T]`, and `&mut T` for a `Var`;
/// at the call they are passed as to a kernel. `&T` is state that runs share (`T: Sync`); anything
/// else is state by value, cloned for each run, and may depend on a loop variable. It returns `()`
/// or `Result<(), E>`; an error ends the pipeline. Option: `crate = path`.
#[proc_macro_attribute]
pub fn host_task(args: TokenStream, item: TokenStream) -> TokenStream {
    flash_lang::host_task::entry(args.into(), item.into()).into()
}

/// Makes a `#[repr(C)]` structure an element of arrays.
///
/// ```text
/// #[derive(Clone, Copy, flash::Pod)]
/// #[repr(C)]
/// struct Cell { rho: f32, id: u32 }
/// ```
///
/// Fields are numbers, arrays of them and other such structures. Padding, `bool`, `char`,
/// references and size zero are errors. `#[flash(crate = path)]` names the facade where it is not
/// `::flash`.
#[proc_macro_derive(Pod, attributes(flash))]
pub fn pod(item: TokenStream) -> TokenStream {
    flash_lang::pod::entry(item.into()).into()
}
