//! A stage: a kernel call with its index space, a native node or a host task. It is a node of a
//! pipeline.

use crate::arg::ArrayArg;
use crate::arg_store::Args;
use crate::call::Call;
use crate::cond::{Cond, IntoCond};
use crate::descriptor::KernelDescriptor;
use crate::engine::Shares;
use crate::error::Site;
use crate::geometry::Geometry;
use crate::native::Codes;
use crate::phases::Ordering;
use crate::space_source::SpaceSource;
use crate::task::Task;

/// One stage of a pipeline.
#[derive(Debug)]
#[must_use = "a stage does nothing until it is pushed"]
pub struct Stage<'a> {
    pub(crate) kind: StageKind<'a>,
    /// When it runs, if not always.
    pub(crate) when: Option<Box<Cond<'a>>>,
}

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
    pub(crate) args: Args<'a>,
    pub(crate) space: SpaceSource<'a>,
    pub(crate) special: Option<Box<Special<'a>>>,
}

impl<'a> LaunchStage<'a> {
    /// Whether a device may run it.
    #[inline]
    pub(crate) fn allows(&self, device: usize) -> bool {
        self.special.as_ref().is_none_or(|special| special.allows(device))
    }

    /// The work-groups that are asked for.
    #[inline]
    pub(crate) fn geometry(&self) -> Option<&Geometry> {
        self.special.as_ref()?.geometry.as_ref()
    }

    /// Its code, if it is a native node.
    #[inline]
    pub(crate) fn native(&self) -> Option<&Codes<'a>> {
        self.special.as_ref()?.native.as_ref()
    }

    /// The cell that is told which device has run it.
    #[inline]
    pub(crate) fn chosen(&self) -> Option<&ArrayArg> {
        self.special.as_ref()?.chosen.as_ref()
    }
}

/// What few launches have.
#[derive(Debug, Default)]
pub(crate) struct Special<'a> {
    /// The cell that is told which device has run it.
    pub(crate) chosen: Option<ArrayArg>,
    /// How its items are ordered, if not as the kernel declares.
    pub(crate) order: Option<Ordering>,
    /// The numbers of the only device and of those that are not to be used.
    pub(crate) pin: Option<usize>,
    pub(crate) exclude: Vec<usize>,
    /// Those of the others that cannot do what the kernel requires, or have no code of it.
    pub(crate) unfit: Vec<usize>,
    /// How it is to be split, if that was said.
    pub(crate) partitions: Option<Partitions>,
    /// Which dimension is cut, if that was said.
    pub(crate) across: Option<usize>,
    /// How it is split.
    pub(crate) split: Option<Shares>,
    /// The work-groups that are asked for.
    pub(crate) geometry: Option<Geometry>,
    /// The code of a native node, which has no other.
    pub(crate) native: Option<Codes<'a>>,
}

/// How a launch is to be split.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Partitions {
    /// Into so many equal parts, which the devices take in turn; 1 for not at all.
    Equal(usize),
    /// Into so many ranges of each dimension, dimension 0 first; the devices take the blocks in turn.
    Grid(Box<[usize]>),
    /// By the share that each device has, in the order of their numbers.
    Shares(Vec<f64>),
    /// Into blocks of so many indices, which the devices claim as they become free.
    Dynamic(usize),
}

impl Special<'_> {
    /// Whether a device may run the launch.
    pub(crate) fn allows(&self, device: usize) -> bool {
        self.names(device) && !self.unfit.contains(&device)
    }

    /// Whether the call leaves a device.
    pub(crate) fn names(&self, device: usize) -> bool {
        self.pin.is_none_or(|pin| pin == device) && !self.exclude.contains(&device)
    }
}

impl<'a> Stage<'a> {
    #[inline]
    pub(crate) fn launch<const R: usize>(call: Call<'a, R>, space: SpaceSource<'a>) -> Self {
        let Call { kernel, site, args, when, special } = call;
        Self { kind: StageKind::Launch(LaunchStage { kernel, site, args, space, special }), when }
    }

    /// Runs only if the condition holds when the pipeline comes to it, and those of earlier calls
    /// of `when` too. A stage that is skipped counts as done; what it would have written stays as
    /// it was.
    ///
    /// ```
    /// # use flash_rt::{Buffer, IntoStage, NoBackends, Runtime, Task, Var};
    /// let rt = Runtime::<NoBackends>::open("SIM")?;
    /// let (mut x, on) = (Buffer::from(vec![1_u32]), Var::new(false));
    /// let mut pipeline = rt.pipeline();
    /// pipeline.push(Task::new("add", (&mut x,), |(mut x,)| x[[0]] += 1).into_stage().when(&on));
    /// pipeline.exec()?;
    /// on.set(true)?;
    /// pipeline.exec()?;
    /// assert_eq!(x.get(0)?, 2);
    /// # Ok::<(), flash_rt::Error>(())
    /// ```
    pub fn when(mut self, cond: impl IntoCond<'a>) -> Self {
        self.when = Cond::both(self.when, cond.into_cond());
        self
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
    #[inline]
    fn into_stage(self) -> Stage<'a> {
        self
    }
}

impl<'a> IntoStage<'a> for Task<'a> {
    fn into_stage(self) -> Stage<'a> {
        Stage { kind: StageKind::Task(self), when: None }
    }
}
