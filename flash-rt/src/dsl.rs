//! What `flash_pipeline!` calls: each function puts the user's tokens where rustc says the right
//! thing about them. It adds nothing that `Runtime` and `Call` cannot do.
//!
//! ```text
//! flash_pipeline! { in rt;                      {
//!                                                   let mut p = dsl::pipeline(&rt);
//!     for step in 0..n {                            let v = p.begin_for(0..n);
//!         advance(step, &x)[len];                   { p.push(dsl::stage(
//!                                                       advance(dsl::lazy(move |env| { let step = v.get(env); step }), &x),
//!                                                       [len])); }
//!     }                                             p.end_for();
//!     store(&x);                                    p.push(store(&x));
//!     swap(a, b);                                   p.swap(&a, &b);
//! }                                                 p }
//! ```

use crate::call::{Call, IntoSpace};
use crate::env::Env;
use crate::lazy::Lazy;
use crate::pipeline::Pipeline;
use crate::runtime::Runtime;
use crate::stage::Stage;

/// `in rt;`
pub fn pipeline<'a, B>(rt: &Runtime<B>) -> Pipeline<'a> {
    rt.pipeline()
}

/// `k(..)[space];`
pub fn stage<'a, C, const R: usize>(call: C, space: impl IntoSpace<'a, R>) -> Stage<'a>
where
    C: KernelCall<'a, R>,
{
    call.over(space)
}

/// A fragment that names a loop variable.
pub fn lazy<T, F: Fn(&Env) -> T>(value: F) -> Lazy<F> {
    Lazy(value)
}

/// What an index space can follow: a [`Call`].
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a kernel call, so no index space can follow it",
    label = "expected the call of a `#[flash::kernel]`",
    note = "a host task stands alone: `task(..);`",
    note = "a plain function becomes a kernel with `#[flash::kernel]`"
)]
pub trait KernelCall<'a, const R: usize> {
    /// The stage that runs this call over an index space.
    fn over(self, space: impl IntoSpace<'a, R>) -> Stage<'a>;
}

impl<'a, const R: usize> KernelCall<'a, R> for Call<'a, R> {
    fn over(self, space: impl IntoSpace<'a, R>) -> Stage<'a> {
        Self::over(self, space)
    }
}
