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
//!     while &norm > 1e-6, max 9 {                   p.begin_while(dsl::gt(&norm, 1e-6), 9);
//!         if &p && !&q { .. }                       { p.begin_if(dsl::and(dsl::cond(&p), dsl::not(dsl::cond(&q))));
//!         else { .. }                                 { .. } p.otherwise(); { .. } p.end_if(); }
//!     }                                             p.end_while();
//! }                                                 p }
//! ```

use std::marker::PhantomData;

use crate::call::Call;
use crate::cond::{Comparison, Cond, IntoCond, Operand, Span};
use crate::configured::Starts;
use crate::env::Env;
use crate::lazy::Lazy;
use crate::pipeline::Pipeline;
use crate::space_source::IntoSpace;
use crate::stage::Stage;

/// `in rt;`
pub fn pipeline<'a>(rt: &impl Starts<'a>) -> Pipeline<'a> {
    rt.start()
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

/// A name that is an argument of several stages, one of which may write.
pub fn mention<T: ?Sized>(_: &T) -> Mention<T> {
    Mention(PhantomData)
}

/// See [`mention`].
#[derive(Debug)]
pub struct Mention<T: ?Sized>(PhantomData<T>);

/// Found first, for memory that one stage borrows until the pipeline ends.
pub trait OneStage {
    /// What is borrowed.
    type Of;
    /// Its answer.
    fn lasting(&self) -> Borrowed<Self::Of> {
        Borrowed(PhantomData)
    }
}

/// Found for everything else: handles, and values.
pub trait Lasting {
    /// Its answer.
    fn lasting(&self) {}
}

impl<T: ?Sized> Lasting for &Mention<T> {}

macro_rules! one_stage {
    ($([$($generics:tt)*] $borrowed:ty),* $(,)?) => {
        $(impl<$($generics)*> OneStage for Mention<$borrowed> {
            type Of = $borrowed;
        })*
    };
}
one_stage! {
    [T] Vec<T>, ['a, T] &'a mut Vec<T>, ['a, T] &'a mut [T],
    [T, const N: usize] [T; N], ['a, T, const N: usize] &'a mut [T; N],
}

/// Memory that one stage borrows.
#[derive(Debug)]
pub struct Borrowed<T>(PhantomData<T>);

/// An answer of [`Lasting`] or [`OneStage`].
pub trait Answer {
    /// What it is about.
    type Of;
}

impl Answer for () {
    type Of = ();
}

impl<T> Answer for Borrowed<T> {
    type Of = T;
}

/// Whether several stages may name a `T`.
#[diagnostic::on_unimplemented(
    message = "this `{T}` is borrowed by one stage and used by another",
    label = "make one borrow for all stages: `Bound::new(&mut ..)`",
    note = "write `let mut name = Bound::new(&mut name);` before the pipeline, or keep the data in \
            a `Buffer`"
)]
pub trait ForStages<T> {}

impl ForStages<()> for () {}

/// Asks whether several stages may name something.
pub fn lasts<A: Answer + ForStages<A::Of>>(_: &A) {}

/// `a..b` or `a..=b`, where one of them is a cell.
pub fn span<A, B>(from: A, to: B, inclusive: bool) -> Span<A, B> {
    Span { from, to, inclusive }
}

/// A leaf of a condition.
pub fn cond<'a>(leaf: impl IntoCond<'a>) -> Cond<'a> {
    leaf.into_cond()
}

/// `!p`
pub fn not(p: Cond<'_>) -> Cond<'_> {
    !p
}

/// `p && q`
pub fn and<'a>(p: Cond<'a>, q: Cond<'a>) -> Cond<'a> {
    p & q
}

/// `p || q`
pub fn or<'a>(p: Cond<'a>, q: Cond<'a>) -> Cond<'a> {
    p | q
}

/// `p ^ q`
pub fn xor<'a>(p: Cond<'a>, q: Cond<'a>) -> Cond<'a> {
    p ^ q
}

macro_rules! comparisons {
    ($($name:ident $how:ident $sign:literal;)*) => {$(
        #[doc = concat!("`a ", $sign, " b`")]
        pub fn $name<'a, A: Operand<'a>, B: Operand<'a, Scalar = A::Scalar>>(a: A, b: B) -> Cond<'a> {
            Cond::compare(Comparison::$how, a, b)
        }
    )*};
}
comparisons! {
    lt Lt "<";
    le Le "<=";
    gt Gt ">";
    ge Ge ">=";
    eq Eq "==";
    ne Ne "!=";
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
