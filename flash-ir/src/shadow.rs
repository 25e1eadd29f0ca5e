//! Which local a name is, as rustc finds it: a body or pipeline reduced to its names is compiled, never
//! called, with a [`Local`] for each local of a name that others have too.

/// Stands for the local of this number.
#[derive(Clone, Copy, Debug)]
pub struct Local<const NUMBER: usize>;

/// Stands for what is not meant: a parameter that a local of its name hides, or something outside.
#[derive(Clone, Copy, Debug)]
pub struct Other;

/// What a name has to be.
#[diagnostic::on_unimplemented(
    message = "two variables of this name are visible, one of a macro and one of its caller",
    label = "not the one declared last",
    note = "only the one declared last can be named here, rename the macro's or the caller's"
)]
pub trait Is<const NUMBER: usize> {}

impl<const NUMBER: usize> Is<NUMBER> for Local<NUMBER> {}

/// The name is that of the local of this number.
pub fn is<const NUMBER: usize>(_: impl Is<NUMBER>) {}

/// What the name of a loop variable of a pipeline has to be.
#[diagnostic::on_unimplemented(
    message = "two loop variables of this name are visible, one of a macro and one of its caller",
    label = "not the one declared last",
    note = "only the one declared last can be named here, rename the macro's or the caller's"
)]
pub trait IsLoop<const NUMBER: usize> {}

impl<const NUMBER: usize> IsLoop<NUMBER> for Local<NUMBER> {}

/// As [`is`], for the variable of a loop.
pub fn is_loop<const NUMBER: usize>(_: impl IsLoop<NUMBER>) {}
