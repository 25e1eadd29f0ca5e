//! What the name of a called function stands for on a device. It looks at names by their types, so
//! that an import, an alias or a path of any length means what it means in Rust; it runs nothing.
//!
//! A function that kernels call has a type of its own name beside it. Expansions import both as
//! `__called` into a block that also imports everything of this module: so [`__called`] is the type
//! where the function has none, and the compiler's words about that are ours.

use std::marker::PhantomData;

use crate::ir::{Block, DeviceFn, Expr, ExprKind, FloatMode, FnIr, Locals, MathFn};
use crate::ty::Ty;

/// What is called.
#[derive(Clone, Copy, Debug)]
pub enum Called {
    /// A function marked `#[flash::device]`.
    Device(&'static FnIr),
    /// A function of `flash::math`.
    Math(MathFn),
}

impl Called {
    /// The call as an expression. A function of `flash::math` without `math::` is the strict one,
    /// on the host as here.
    pub const fn with(self, args: &'static [Expr]) -> ExprKind {
        match self {
            Self::Device(function) => ExprKind::Call(function, args),
            Self::Math(function) => ExprKind::Math(function, args, FloatMode::Strict),
        }
    }
}

/// The type beside a function that kernels call.
pub trait Callee {
    /// What it stands for.
    const CALLED: Called;
}

impl<D: DeviceFn> Callee for D {
    const CALLED: Called = Called::Device(D::IR);
}

/// Stands where a function has no type of its name. [`checked`] reports it; the body goes on.
#[expect(non_camel_case_types, reason = "the name that expansions import the called function as")]
#[derive(Debug)]
pub enum __called {}

/// [`Callee`], or nothing.
pub trait CalleeOrNone {
    /// What the type stands for; an empty function where it stands for nothing.
    const CALLED: Called;
}

impl<C: Callee> CalleeOrNone for C {
    const CALLED: Called = <C as Callee>::CALLED;
}

impl CalleeOrNone for __called {
    const CALLED: Called = Called::Device(&NOTHING);
}

static NOTHING: FnIr = FnIr {
    name: "",
    path: "",
    file: "",
    params: &[],
    ret: Ty::Unit,
    locals: Locals { names: &[], types: Vec::new },
    body: Block { stmts: &[], tail: None },
    float: FloatMode::Strict,
};

/// The type of a function's name.
#[derive(Debug)]
pub struct Beside<C>(PhantomData<C>);

impl<C> Beside<C> {
    /// The name.
    pub const NAME: Self = Self(PhantomData);
}

/// The result of a call to a function beside which stands `C`.
#[diagnostic::on_unimplemented(
    message = "this function cannot be called in a kernel",
    label = "neither a `#[flash::device]` function nor one of `flash::math`",
    note = "write `#[flash::device]` above its definition, or call it on the host and pass the result"
)]
pub trait ResultOf<C> {}

#[diagnostic::do_not_recommend]
impl<R, C: Callee> ResultOf<C> for R {}

/// What every kind of device can run: a device function that is declared `portable`, a function of
/// `flash::math`.
pub trait Portable: Callee {}

/// The result of a call, in a body that every kind of device is to run, to a function beside which stands `C`.
#[diagnostic::on_unimplemented(
    message = "this function is not declared `portable`, and this body is",
    label = "a `#[flash::device]` function that not every kind of device may run",
    note = "write `#[flash::device(portable)]` above its definition"
)]
pub trait PortableResultOf<C> {}

#[diagnostic::do_not_recommend]
impl<R, C: Portable> PortableResultOf<C> for R {}

// `ResultOf` says that it is no function for kernels at all.
#[diagnostic::do_not_recommend]
impl<R> PortableResultOf<__called> for R {}

/// As [`checked`], in a body that every kind of device is to run.
pub fn portable<C, R: ResultOf<C> + PortableResultOf<C>>(_: &R, _: Beside<C>) {}

/// Asks whether kernels can make a call, whose result is given. Where that has no type, because
/// the function is not there, nothing more is said.
pub fn checked<C, R: ResultOf<C>>(_: &R, _: Beside<C>) {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_what_its_type_says() {
        let called = |called: Called| match called.with(&[]) {
            ExprKind::Math(function, _, FloatMode::Strict) => format!("{function:?}"),
            ExprKind::Call(function, _) => function.name.to_owned(),
            other => format!("{other:?}"),
        };
        assert_eq!(called(<crate::math::exp as CalleeOrNone>::CALLED), "Exp");
        assert_eq!(called(<__called as CalleeOrNone>::CALLED), "");
        checked(&1.0, Beside::<crate::math::exp>::NAME);
    }
}
