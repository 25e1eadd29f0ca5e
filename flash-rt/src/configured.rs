//! Options for what is submitted through a runtime from one place of a program: a predicate, and
//! one stage after the other. It has no behaviour of its own: pipelines do the same one by one.

use std::ops::Deref;
use std::sync::Arc;

use crate::call::Call;
use crate::chain::Submission;
use crate::cond::{Cond, IntoCond};
use crate::pipeline::Pipeline;
use crate::runtime::{Runtime, Shared};

/// A runtime with options for all that is submitted through it; made by
/// [`Runtime::options`](crate::Runtime::options).
#[derive(Clone, Debug)]
#[must_use = "options do nothing until something is submitted with them"]
pub struct Configured<'a> {
    shared: Arc<Shared>,
    when: Option<Box<Cond<'a>>>,
    in_sync: bool,
}

impl<'a> Configured<'a> {
    pub(crate) fn new(shared: Arc<Shared>) -> Self {
        Self { shared, when: None, in_sync: false }
    }

    /// Each stage runs only if the condition holds when it is dispatched; given several times, if
    /// all of them do. See [`Pipeline::when`].
    pub fn when(mut self, cond: impl IntoCond<'a>) -> Self {
        self.when = Cond::both(self.when, cond.into_cond());
        self
    }

    /// Each stage waits for all before it. See [`Pipeline::sync`].
    pub fn sync(mut self, on: bool) -> Self {
        self.in_sync = on;
        self
    }

    /// An empty pipeline with these options.
    pub fn pipeline(&self) -> Pipeline<'a> {
        let mut pipeline = Pipeline::new(self.shared.clone());
        pipeline.sync(self.in_sync);
        if let Some(when) = &self.when {
            pipeline.when((**when).clone());
        }
        pipeline
    }

    /// One kernel, as [`Runtime::submit`](crate::Runtime::submit), and what follows it in the chain.
    pub fn submit<const R: usize>(&self, call: Call<'a, R>) -> Submission<'a, R> {
        Submission::new(self.pipeline(), call)
    }
}

/// What `flash_pipeline!` runs `in`.
#[diagnostic::on_unimplemented(
    message = "a pipeline cannot run in a `{Self}`",
    label = "expected a `Runtime`",
    note = "make one with `Runtime::new()?`; with options it is `rt.options()`"
)]
pub trait Starts<'a> {
    /// An empty pipeline.
    fn start(&self) -> Pipeline<'a>;
}

impl<'a, B> Starts<'a> for Runtime<B> {
    fn start(&self) -> Pipeline<'a> {
        self.pipeline()
    }
}

#[diagnostic::do_not_recommend]
/// `&rt`, an `Arc`, a `LazyLock` and the like.
impl<'a, P: Deref<Target: Starts<'a>>> Starts<'a> for P {
    fn start(&self) -> Pipeline<'a> {
        (**self).start()
    }
}

impl<'a> Starts<'a> for Configured<'a> {
    fn start(&self) -> Pipeline<'a> {
        self.pipeline()
    }
}
