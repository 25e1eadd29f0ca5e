//! The procedural macros of FLASH: the shell around `flash-lang`, without logic.

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
