//! A kernel with its arguments, and the index space it is launched over. Nothing runs here.

use crate::Result;
use crate::arg::BoundArg;
use crate::descriptor::KernelDescriptor;
use crate::env::Env;
use crate::error::Site;
use crate::space::{MAX_RANK, Space};
use crate::stage::Stage;

/// A kernel with its arguments, made by the kernel's constructor: `saxpy(2.0, &x, &mut y)`.
///
/// `R` is the rank of its index space. It becomes a stage with [`Call::over`], or runs at once with
/// `rt.submit(call).exec(space)`.
#[derive(Debug)]
#[must_use = "a call does nothing until it is submitted or pushed"]
pub struct Call<'a, const R: usize> {
    pub(crate) kernel: &'static KernelDescriptor,
    pub(crate) site: Site,
    pub(crate) args: Box<[BoundArg<'a>]>,
}

impl<'a, const R: usize> Call<'a, R> {
    /// Used by expansions: one bound argument for each parameter that is passed, in order.
    #[doc(hidden)]
    #[track_caller]
    pub fn new(kernel: &'static KernelDescriptor, args: impl Into<Box<[BoundArg<'a>]>>) -> Self {
        Self { kernel, site: std::panic::Location::caller(), args: args.into() }
    }

    /// The stage that runs this call over an index space, dimension 0 first.
    pub fn over(self, space: impl IntoSpace<'a, R>) -> Stage<'a> {
        Stage::launch(self, space.into_space())
    }

    /// The facts of the kernel.
    pub fn kernel(&self) -> &'static KernelDescriptor {
        self.kernel
    }
}

/// What can be the index space of a call of rank `R`: `[n]`, `[w, h]`, `image.space()`, and inside
/// a loop of `flash_pipeline!` an expression that names the loop variable.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not an index space of rank {R}",
    label = "expected `[usize; {R}]`",
    note = "the rank is one more than the highest `global_id(..)` of the kernel"
)]
pub trait IntoSpace<'a, const R: usize> {
    /// The extents, fixed or evaluated at each dispatch.
    fn into_space(self) -> SpaceSource<'a>;
}

impl<'a, const R: usize> IntoSpace<'a, R> for [usize; R] {
    #[inline]
    fn into_space(self) -> SpaceSource<'a> {
        SpaceSource::Fixed(Space::new(&self))
    }
}

impl<'a, const R: usize> IntoSpace<'a, R> for [[usize; R]; 1] {
    /// `[image.space()]`: the brackets of `flash_pipeline!` around what already is a space.
    #[inline]
    fn into_space(self) -> SpaceSource<'a> {
        let [extents] = self;
        extents.into_space()
    }
}

/// The extents of a space of rank `R` as plain values, dimension 0 first.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not an index space of rank {R}",
    label = "expected `[usize; {R}]`",
    note = "the rank is one more than the highest `global_id(..)` of the kernel"
)]
pub trait Extents<const R: usize> {
    /// The extents.
    fn extents(self) -> [usize; R];
}

impl<const R: usize> Extents<R> for [usize; R] {
    #[inline]
    fn extents(self) -> [usize; R] {
        self
    }
}

impl<const R: usize> Extents<R> for [[usize; R]; 1] {
    #[inline]
    fn extents(self) -> [usize; R] {
        let [extents] = self;
        extents
    }
}

/// The signature of a space that depends on loop variables: extents, unused ones anything.
pub type SpaceFn<'a> = dyn Fn(&Env) -> [usize; MAX_RANK] + Send + 'a;

/// Where the extents of a launch come from.
pub enum SpaceSource<'a> {
    /// Evaluated when the pipeline was built; an error is reported when it runs.
    Fixed(Result<Space>),
    /// Evaluated at each dispatch: the rank and the extents.
    Lazy(usize, Box<SpaceFn<'a>>),
}

impl SpaceSource<'_> {
    /// The space in these loop iterations.
    pub(crate) fn resolve(&self, env: &Env) -> Result<Space> {
        match self {
            Self::Fixed(space) => space.clone(),
            Self::Lazy(rank, extents) => Space::new(&extents(env)[..*rank]),
        }
    }
}

impl std::fmt::Debug for SpaceSource<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Fixed(space) => space.fmt(f),
            Self::Lazy(rank, _) => write!(f, "Lazy(rank {rank})"),
        }
    }
}
