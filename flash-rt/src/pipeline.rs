//! Pipelines: a tree of launches, host tasks, loops and swaps in program order. It is built here and
//! run by the engine; building it runs nothing.

use std::sync::{Arc, Mutex};

use crate::Result;
use crate::access::Access;
use crate::arg::ArrayArg;
use crate::buffer::Buffer;
use crate::engine::{BoundLaunch, Plan};
use crate::env::{LoopVar, Trips};
use crate::error::Site;
use crate::explain::Explanation;
use crate::launch::Handle;
use crate::lazy::{Bounds, IntoBounds};
use crate::ledger::Hold;
use crate::report::Report;
use crate::runtime::Shared;
use crate::stage::{IntoStage, LaunchStage, StageKind};
use crate::task::{Task, TaskArg};
use crate::var::Var;

/// A list of stages that runs as if one by one, in program order.
///
/// It can be stored, built in a Rust loop, returned, and run again and again: the plan is kept.
#[derive(Debug)]
#[must_use = "a pipeline does nothing until `exec` or `launch`"]
pub struct Pipeline<'a> {
    pub(crate) rt: Arc<Shared>,
    pub(crate) nodes: Vec<Node<'a>>,
    /// Loops that are not closed yet, outermost first.
    open: Vec<OpenFor<'a>>,
    pub(crate) plan: Plan,
    pub(crate) n_tasks: usize,
}

#[derive(Debug)]
struct OpenFor<'a> {
    bounds: Bounds<'a>,
    site: Site,
    body: Vec<Node<'a>>,
}

/// A node of a pipeline.
#[derive(Debug)]
pub(crate) enum Node<'a> {
    Launch(LaunchNode<'a>),
    Task(TaskNode<'a>),
    For { bounds: Bounds<'a>, site: Site, body: Vec<Node<'a>> },
    Swap { a: ArrayArg, b: ArrayArg, site: Site },
}

/// A launch and what is kept of it from run to run.
#[derive(Debug)]
pub(crate) struct LaunchNode<'a> {
    pub(crate) stage: LaunchStage<'a>,
    pub(crate) bound: Option<BoundLaunch>,
    /// Whether it has to be bound anew at each dispatch.
    pub(crate) lazy: bool,
    /// Its row in the report.
    pub(crate) stat: usize,
}

/// A host task, its arguments apart from its body, which another thread may be running.
#[derive(Debug)]
pub(crate) struct TaskNode<'a> {
    pub(crate) name: &'static str,
    pub(crate) site: Site,
    pub(crate) args: Box<[TaskArg<'a>]>,
    pub(crate) task: Arc<Mutex<Task<'a>>>,
    /// Its row in the report.
    pub(crate) stat: usize,
}

mod sealed {
    /// Only handles that own what they name, so that nothing borrowed gets into a pipeline.
    pub trait Sealed {}
    impl<T, const D: usize> Sealed for crate::buffer::Buffer<T, D> {}
    impl<T> Sealed for crate::var::Var<T> {}
}

/// A handle to a whole array, as [`Pipeline::swap`] takes it.
#[diagnostic::on_unimplemented(
    message = "the contents of `{Self}` cannot be exchanged",
    label = "expected a `Buffer` or a `Var`",
    note = "a view is a part of an array and borrowed memory has its place; swap whole buffers"
)]
pub trait Whole: sealed::Sealed {
    #[doc(hidden)]
    fn whole(&self) -> ArrayArg;
}

impl<T, const D: usize> Whole for Buffer<T, D> {
    fn whole(&self) -> ArrayArg {
        ArrayArg {
            allocation: Arc::clone(&self.allocation),
            section: crate::section::Section::whole(&self.shape),
        }
    }
}

impl<T> Whole for Var<T> {
    fn whole(&self) -> ArrayArg {
        self.cell.whole()
    }
}

impl<'a> Pipeline<'a> {
    pub(crate) fn new(rt: Arc<Shared>) -> Self {
        Self { rt, nodes: Vec::new(), open: Vec::new(), plan: Plan::default(), n_tasks: 0 }
    }

    /// Adds a stage after everything before it.
    #[track_caller]
    pub fn push(&mut self, stage: impl IntoStage<'a>) -> &mut Self {
        let node = match stage.into_stage().0 {
            StageKind::Launch(stage) => {
                Node::Launch(LaunchNode { stage, bound: None, lazy: false, stat: 0 })
            }
            StageKind::Task(mut task) => {
                self.n_tasks += 1;
                Node::Task(TaskNode {
                    name: task.name(),
                    site: task.site(),
                    args: task.take_args(),
                    task: Arc::new(Mutex::new(task)),
                    stat: 0,
                })
            }
        };
        self.add(node);
        self
    }

    /// Opens a loop and gives its variable; what is pushed until [`Pipeline::end_for`] is its body.
    ///
    /// `flash_pipeline!` writes it. Only the [`MAX_LOOPS`](crate::env::MAX_LOOPS) outermost
    /// variables have values; those of deeper loops stay zero.
    #[track_caller]
    pub fn begin_for<B: IntoBounds<'a>>(&mut self, bounds: B) -> LoopVar<B::Int> {
        let variable = bounds.variable(self.open.len());
        let bounds = bounds.into_bounds();
        self.open.push(OpenFor { bounds, site: std::panic::Location::caller(), body: Vec::new() });
        variable
    }

    /// Closes the innermost loop. A loop that is left open ends with the pipeline.
    pub fn end_for(&mut self) -> &mut Self {
        if let Some(OpenFor { bounds, site, body }) = self.open.pop() {
            self.add(Node::For { bounds, site, body });
        }
        self
    }

    /// Exchanges the contents of two arrays of the same shape, without copying, when the pipeline
    /// comes to it. It holds after the pipeline.
    #[track_caller]
    pub fn swap<W: Whole>(&mut self, a: &W, b: &W) -> &mut Self {
        self.add(Node::Swap { a: a.whole(), b: b.whole(), site: std::panic::Location::caller() });
        self
    }

    /// Runs the pipeline and returns when it is complete.
    ///
    /// # Errors
    ///
    /// The first error in program order. What had not started by then is cancelled; data stay
    /// readable.
    #[inline]
    pub fn exec(&mut self) -> Result<Report> {
        self.close();
        crate::engine::exec(self)
    }

    /// How the pipeline would run, for a person.
    ///
    /// # Errors
    ///
    /// What `exec` would report before anything runs.
    pub fn explain(&mut self) -> Result<Explanation> {
        self.close();
        crate::explain::explain(self)
    }

    /// Takes its place among those that want the same data.
    pub(crate) fn enqueue(&mut self) -> Result<Hold<Arc<[Access]>>> {
        self.close();
        crate::engine::enqueue(self)
    }

    #[inline]
    fn close(&mut self) {
        while !self.open.is_empty() {
            self.end_for();
        }
    }

    /// Makes everything so far the body of a loop of `n` trips whose variable nobody reads.
    #[track_caller]
    pub(crate) fn repeat_all(&mut self, n: u64) {
        self.plan.ready = false;
        let body = std::mem::take(&mut self.nodes);
        let bounds = Bounds::Fixed(Trips { first: 0, count: n });
        self.nodes.push(Node::For { bounds, site: std::panic::Location::caller(), body });
    }

    fn add(&mut self, node: Node<'a>) {
        self.plan.ready = false;
        match self.open.last_mut() {
            Some(open) => open.body.push(node),
            None => self.nodes.push(node),
        }
    }
}

impl Pipeline<'static> {
    /// Starts the pipeline and returns at once; the handle waits for it, or is a `Future` of it.
    /// Dropping the handle lets the pipeline run to its end.
    pub fn launch(self) -> Handle {
        crate::launch::launch(self)
    }
}
