//! A stage: a kernel call with its index space, or a host task. It is a node of a pipeline.

use crate::arg::BoundArg;
use crate::call::{Call, SpaceSource};
use crate::descriptor::KernelDescriptor;
use crate::error::Site;
use crate::task::Task;

/// One stage of a pipeline.
#[derive(Debug)]
#[must_use = "a stage does nothing until it is pushed"]
pub struct Stage<'a>(pub(crate) StageKind<'a>);

/// What a stage is.
#[derive(Debug)]
pub(crate) enum StageKind<'a> {
    Launch(LaunchStage<'a>),
    Task(Task<'a>),
}

/// A kernel, its arguments and its index space.
#[derive(Debug)]
pub(crate) struct LaunchStage<'a> {
    pub(crate) kernel: &'static KernelDescriptor,
    pub(crate) site: Site,
    pub(crate) args: Box<[BoundArg<'a>]>,
    pub(crate) space: SpaceSource<'a>,
}

impl<'a> Stage<'a> {
    pub(crate) fn launch<const R: usize>(call: Call<'a, R>, space: SpaceSource<'a>) -> Self {
        let Call { kernel, site, args } = call;
        Self(StageKind::Launch(LaunchStage { kernel, site, args, space }))
    }
}

/// What [`Pipeline::push`](crate::Pipeline::push) takes.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a pipeline stage",
    label = "a pipeline stage is a kernel call with an index space or a host task",
    note = "add the index space to a kernel call: `k(..)[n]` in `flash_pipeline!`, `k(..).over([n])` \
            elsewhere",
    note = "a plain function becomes a host task with `#[flash::host_task]`"
)]
pub trait IntoStage<'a> {
    /// The stage.
    fn into_stage(self) -> Stage<'a>;
}

impl<'a> IntoStage<'a> for Stage<'a> {
    fn into_stage(self) -> Stage<'a> {
        self
    }
}

impl<'a> IntoStage<'a> for Task<'a> {
    fn into_stage(self) -> Stage<'a> {
        Stage(StageKind::Task(self))
    }
}
