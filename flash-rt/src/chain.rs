//! The chain `rt.submit(a(..)).defer([n]).submit(b(..)).defer([m]).repeat(k).exec()`: sugar over a
//! pipeline, with no behaviour of its own.

use crate::Result;
use crate::call::Call;
use crate::loops::IntoLoops;
use crate::pipeline::Pipeline;
use crate::report::Report;
use crate::space_source::IntoSpace;

/// A submitted kernel that waits for its index space.
#[derive(Debug)]
#[must_use = "a submission does nothing until `exec`"]
pub struct Submission<'a, const R: usize> {
    pipeline: Pipeline<'a>,
    call: Call<'a, R>,
}

impl<'a, const R: usize> Submission<'a, R> {
    #[inline]
    pub(crate) fn new(pipeline: Pipeline<'a>, call: Call<'a, R>) -> Self {
        Self { pipeline, call }
    }

    /// Runs the chain so far and this kernel over the index space.
    ///
    /// # Errors
    ///
    /// As [`Pipeline::exec`].
    #[inline]
    pub fn exec(self, space: impl IntoSpace<'a, R>) -> Result<Report> {
        let Self { mut pipeline, call } = self;
        pipeline.push(call.over(space));
        pipeline.exec_once()
    }

    /// Notes the index space; more may follow, and nothing runs yet.
    #[inline]
    pub fn defer(self, space: impl IntoSpace<'a, R>) -> Chain<'a> {
        let Self { mut pipeline, call } = self;
        pipeline.push(call.over(space));
        Chain { pipeline }
    }
}

/// A chain of kernels with their index spaces.
#[derive(Debug)]
#[must_use = "a chain does nothing until `exec`"]
pub struct Chain<'a> {
    pipeline: Pipeline<'a>,
}

impl<'a> Chain<'a> {
    /// Adds a kernel after those before it. After `repeat` it follows the repeated part.
    #[inline]
    pub fn submit<const R: usize>(self, call: Call<'a, R>) -> Submission<'a, R> {
        Submission::new(self.into_pipeline(), call)
    }

    /// Runs the chain so far in loops: a number of trips over all of it, or ranges of its stages
    /// as [`cascade`](crate::loops::cascade), [`seq`](crate::loops::seq) and
    /// [`custom_loop`](crate::loops::custom_loop) give them. Once for each chain.
    #[track_caller]
    pub fn repeat(mut self, loops: impl IntoLoops<'a>) -> Self {
        self.pipeline.repeat(loops);
        self
    }

    /// Runs the chain.
    ///
    /// # Errors
    ///
    /// As [`Pipeline::exec`].
    #[inline]
    pub fn exec(self) -> Result<Report> {
        self.into_pipeline().exec_once()
    }

    /// The chain as a pipeline, to be kept and run again.
    pub fn into_pipeline(self) -> Pipeline<'a> {
        self.pipeline
    }
}
