//! Host tasks: plain Rust as a stage of a pipeline, with arrays in declared roles. A task may do
//! I/O; it may not wait for the pipeline it belongs to. When it runs is the engine's decision.
//!
//! # What `#[flash::host_task]` expands to
//!
//! ```text
//! #[flash::host_task]
//! fn store(frame: View<'_, f32, 2>, sums: &mut [f64], out: &Mutex<W>, step: usize) -> io::Result<()> { body }
//!
//! #[track_caller]
//! pub fn store<'a>(
//!     frame: impl Arg<'a, View<'a, f32, 2>>,      // an array: `View`, `ViewMut`, `&[T]`, `&mut [T]`
//!     sums: impl Arg<'a, &'a mut [f64]>,
//!     out: &'a Mutex<W>,                          // state behind a reference: as written, with `'a`
//!     step: impl IntoState<'a, usize>,            // state by value: cloned for each run, or lazy
//! ) -> Task<'a> {
//!     fn run(..as written..) -> io::Result<()> { body }
//!     let step = IntoState::<usize>::into_state(step);
//!     Task::from_parts(
//!         "store",
//!         // `TaskArg::fill` for `#[out]`.
//!         [TaskArg::read("frame", frame.bind()), TaskArg::write("sums", sums.bind())],
//!         move |views, env| {
//!             // In the order of the `TaskArg`s: `view`, `view_mut`, `slice` or `slice_mut`.
//!             let frame = views.view::<f32, 2>()?;
//!             let sums = views.slice_mut::<f64>()?;
//!             outcome(run(frame, sums, out, step.get(env)))
//!         },
//!     )
//! }
//! ```
//!
//! All names are in `__private::rt::task`, but for `Arg` (`__private::rt::arg`). The views live for
//! one run, so that nothing can keep them.

mod arrays;
#[cfg(test)]
mod tests;
mod views;

use std::any::Any;
use std::fmt;
use std::panic::{AssertUnwindSafe, Location, catch_unwind};
use std::sync::Arc;

pub use arrays::{Out, TaskArray, TaskArrays, out};
pub use views::HostViews;

use crate::arg::BoundArg;
use crate::cond::IntoCond;
use crate::entry::Slot;
use crate::env::Env;
use crate::error::{Error, Result, Site};
use crate::lazy::Lazy;
use crate::stage::{IntoStage, Stage};

/// Any error of a host task.
pub type BoxError = Box<dyn std::error::Error + Send + Sync>;

/// A host task with its arguments: a stage, as a kernel call with its index space is one.
///
/// It is made by the constructor that `#[flash::host_task]` generates, or from a closure with
/// [`Task::new`].
///
/// ```
/// use flash_rt::{Buffer, NoBackends, Runtime, Task};
///
/// let rt = Runtime::<NoBackends>::open("SIM")?;
/// let (x, mut sum) = (Buffer::from(vec![1, 2, 3]), Buffer::from(vec![0]));
/// let mut pipeline = rt.pipeline();
/// pipeline.push(Task::new("sum", (&x, &mut sum), |(x, mut sum)| sum[[0]] = x.iter().sum()));
/// let report = pipeline.exec()?;
/// assert_eq!((sum.get(0)?, report.tasks()[0].name, report.tasks()[0].count), (6, "sum", 1));
/// # Ok::<(), flash_rt::Error>(())
/// ```
#[must_use = "a task does nothing until it is pushed"]
pub struct Task<'a> {
    name: &'static str,
    site: Site,
    args: Box<[TaskArg<'a>]>,
    body: Box<Body<'a>>,
}

/// The signature of a task's body.
type Body<'a> = dyn FnMut(&mut HostViews<'_>, &Env) -> Result<(), Failure> + Send + 'a;

/// One array of a task.
#[derive(Debug)]
pub struct TaskArg<'a> {
    name: &'static str,
    writes: bool,
    reads: bool,
    bound: BoundArg<'a>,
}

impl<'a> TaskArg<'a> {
    /// An array the task only reads.
    pub fn read(name: &'static str, bound: BoundArg<'a>) -> Self {
        Self { name, writes: false, reads: true, bound }
    }

    /// An array the task reads and writes.
    pub fn write(name: &'static str, bound: BoundArg<'a>) -> Self {
        Self { name, writes: true, reads: true, bound }
    }

    /// An array the task fills: it writes every element, and what was there is not brought for it.
    pub fn fill(name: &'static str, bound: BoundArg<'a>) -> Self {
        Self { name, writes: true, reads: false, bound }
    }

    /// The name of the parameter.
    pub fn name(&self) -> &'static str {
        self.name
    }

    /// Whether the task writes it.
    pub fn writes(&self) -> bool {
        self.writes
    }

    /// Whether the task reads what was there, or leaves some of it.
    pub fn reads(&self) -> bool {
        self.reads
    }

    /// What was passed.
    pub fn bound(&self) -> &BoundArg<'a> {
        &self.bound
    }

    /// What was passed, without the rest.
    pub(crate) fn into_bound(self) -> BoundArg<'a> {
        self.bound
    }

    /// What was passed, to be changed.
    pub(crate) fn bound_mut(&mut self) -> &mut BoundArg<'a> {
        &mut self.bound
    }
}

/// Why a run of a task failed.
#[derive(Debug)]
pub enum Failure {
    /// What the task returned.
    Returned(BoxError),
    /// What was wrong with an argument.
    Argument(Error),
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        Self::Argument(error)
    }
}

impl<'a> Task<'a> {
    /// A closure as a host task. `arrays` is a tuple of what it touches; the closure gets a view of
    /// each, in the same order: `&Buffer<T, D>` becomes `View<'_, T, D>`, `&mut Buffer<T, D>`
    /// becomes `ViewMut<'_, T, D>`, `&Var<T>` becomes `T`, `&mut Var<T>` becomes `&mut T`. For more
    /// than eight, nest tuples.
    ///
    /// It returns `()`, or a `Result` whose errors `?` converts: `Ok(())` needs no annotation.
    ///
    /// # Errors
    ///
    /// None here: an error or panic of the closure ends the pipeline with [`Error::HostTask`] or
    /// [`Error::HostTaskPanic`].
    #[track_caller]
    pub fn new<A, R>(
        name: &'static str,
        arrays: A,
        mut body: impl for<'s> FnMut(A::Views<'s>) -> R + Send + 'a,
    ) -> Self
    where
        A: TaskArrays<'a>,
        R: ClosureOutcome,
    {
        let mut args = Vec::new();
        arrays.bind(&mut args);
        Self::from_parts(name, args, move |views, _| {
            body(A::views(views)?).into_result().map_err(Failure::Returned)
        })
    }

    /// Used by expansions: see the module's head.
    #[doc(hidden)]
    #[track_caller]
    pub fn from_parts(
        name: &'static str,
        args: impl Into<Box<[TaskArg<'a>]>>,
        body: impl FnMut(&mut HostViews<'_>, &Env) -> Result<(), Failure> + Send + 'a,
    ) -> Self {
        Self { name, site: Location::caller(), args: args.into(), body: Box::new(body) }
    }

    /// Runs only if the condition holds when the pipeline comes to it; see [`Stage::when`].
    pub fn when(self, cond: impl IntoCond<'a>) -> Stage<'a> {
        self.into_stage().when(cond)
    }

    /// The name of the task.
    pub fn name(&self) -> &'static str {
        self.name
    }

    /// Where it was written.
    pub fn site(&self) -> Site {
        self.site
    }

    /// Its arrays, in the order in which the body takes them.
    pub fn args(&self) -> &[TaskArg<'a>] {
        &self.args
    }

    /// Its arrays, for the engine, which binds them while a run of the task may be under way.
    pub(crate) fn take_args(&mut self) -> Box<[TaskArg<'a>]> {
        std::mem::take(&mut self.args)
    }

    /// Runs it once, with one slot for each of its arrays: `Tag::Input` for what it reads,
    /// `Tag::Own` for what it writes, each the whole box in host memory.
    ///
    /// # Errors
    ///
    /// [`Error::HostTask`] with what the task returned, [`Error::HostTaskPanic`], or what is wrong
    /// with a slot.
    pub(crate) fn run(&mut self, slots: &[Slot], env: &Env) -> Result<()> {
        let (task, site) = (self.name, self.site);
        let mut views = HostViews::new(task, site, slots);
        let body = &mut self.body;
        // A panic leaves what the body captured as it was then; the next run sees that, as a
        // caller of the closure would.
        match catch_unwind(AssertUnwindSafe(|| body(&mut views, env))) {
            Ok(Ok(())) => Ok(()),
            Ok(Err(Failure::Argument(error))) => Err(error),
            Ok(Err(Failure::Returned(source))) => {
                Err(Error::HostTask { task, site, source: Arc::from(source) })
            }
            Err(payload) => {
                Err(Error::HostTaskPanic { task, site, message: words(payload.as_ref()).into() })
            }
        }
    }
}

impl fmt::Debug for Task<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Task")
            .field("name", &self.name)
            .field("args", &self.args)
            .finish_non_exhaustive()
    }
}

/// The words of a panic.
pub(crate) fn words(payload: &(dyn Any + Send)) -> &str {
    payload
        .downcast_ref::<&str>()
        .copied()
        .or_else(|| payload.downcast_ref::<String>().map(String::as_str))
        .unwrap_or("a panic without a message")
}

/// What a closure in [`Task::new`] may return.
///
/// One `Result` type only, so that rustc finds the error type of a bare `Ok(())`.
#[diagnostic::on_unimplemented(
    message = "the closure of a host task or native node returns `{Self}`",
    label = "expected `()` or `Result<(), Box<dyn Error + Send + Sync>>`",
    note = "pass other errors on with `?` and end with `Ok(())`"
)]
pub trait ClosureOutcome {
    /// The result.
    ///
    /// # Errors
    ///
    /// The closure's.
    fn into_result(self) -> Result<(), BoxError>;
}

impl ClosureOutcome for () {
    fn into_result(self) -> Result<(), BoxError> {
        Ok(())
    }
}

impl ClosureOutcome for Result<(), BoxError> {
    fn into_result(self) -> Self {
        self
    }
}

/// What a `#[flash::host_task]` function may return.
#[diagnostic::on_unimplemented(
    message = "a host task cannot return `{Self}`",
    label = "expected `()` or `Result<(), E>` with an error that is `Send + Sync`",
    note = "results go into arrays, which a task takes as `&mut [T]` or `ViewMut`"
)]
pub trait FnOutcome {
    /// The result.
    ///
    /// # Errors
    ///
    /// The function's.
    fn into_result(self) -> Result<(), BoxError>;
}

impl FnOutcome for () {
    fn into_result(self) -> Result<(), BoxError> {
        Ok(())
    }
}

impl<E: Into<BoxError>> FnOutcome for Result<(), E> {
    fn into_result(self) -> Result<(), BoxError> {
        self.map_err(Into::into)
    }
}

/// Used by expansions: what a function returned, as the result of the run.
///
/// # Errors
///
/// [`Failure::Returned`] with the function's error.
pub fn outcome(returned: impl FnOutcome) -> Result<(), Failure> {
    returned.into_result().map_err(Failure::Returned)
}

/// State of a task that is passed by value.
pub enum State<'a, T> {
    /// The same for each run, which gets a clone.
    Value(T, fn(&T) -> T),
    /// Depends on loop variables.
    Lazy(Box<StateFn<'a, T>>),
}

/// The signature of state that depends on loop variables.
pub type StateFn<'a, T> = dyn Fn(&Env) -> T + Send + 'a;

impl<T> State<'_, T> {
    /// The value for one run.
    pub fn get(&self, env: &Env) -> T {
        match self {
            Self::Value(value, clone) => clone(value),
            Self::Lazy(value) => value(env),
        }
    }
}

impl<T> fmt::Debug for State<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Value(..) => "Value",
            Self::Lazy(_) => "Lazy",
        })
    }
}

/// What can be passed for state of type `T`: a value that can be cloned for each run, or inside a
/// loop of `flash_pipeline!` an expression that names the loop variable.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be the state of a host task, which is `{T}`",
    label = "expected `{T}`",
    note = "state by value is cloned for each run and sent to another thread; pass `&state` for \
            what cannot be cloned"
)]
pub trait IntoState<'a, T> {
    /// The state.
    fn into_state(self) -> State<'a, T>;
}

impl<'a, T: Clone + Send + 'a> IntoState<'a, T> for T {
    fn into_state(self) -> State<'a, T> {
        State::Value(self, T::clone)
    }
}

impl<'a, T, F: Fn(&Env) -> T + Send + 'a> IntoState<'a, T> for Lazy<F> {
    fn into_state(self) -> State<'a, T> {
        State::Lazy(Box::new(self.0))
    }
}
