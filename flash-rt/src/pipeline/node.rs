//! The nodes of a pipeline: launches, host tasks, exchanges, moves, loops and decisions. It runs none.

use std::sync::{Arc, Mutex, PoisonError};

use crate::arg::ArrayArg;
use crate::cond::{Cond, Limit};
use crate::engine::{BoundLaunch, TaskKept};
use crate::error::{Error, Site};
use crate::lazy::Bounds;
use crate::stage::LaunchStage;
use crate::task::{Task, TaskArg};

/// A node of a pipeline.
#[derive(Debug)]
pub(crate) struct Node<'a> {
    pub(crate) kind: Kind,
    /// The number after the last node inside of it; one more than its own if there is none.
    end: u32,
    /// Whether it is a host task.
    pub(crate) is_task: bool,
    /// Whether it does the same in each trip of the loops around it.
    pub(crate) is_fixed: bool,
    /// Whether it waits for everything before it.
    pub(crate) in_sync: bool,
    /// Whether the variable of this loop may be negative.
    pub(crate) is_signed: bool,
    /// What it does. One thread at a time does it; the lock is what shares it between those that may.
    pub(crate) work: Mutex<Work<'a>>,
}

/// How a node is gone through.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// Nothing is inside.
    Leaf,
    /// A loop whose variable has this level.
    For { level: u32 },
    /// What follows is inside if the condition holds, and from `other` on if it does not.
    If { other: u32 },
    /// What is inside repeats while the condition holds. At this level is how often it has.
    While { level: u32 },
}

/// What a node does. Pipelines may have millions of launches, so what is larger is in a box.
#[derive(Debug)]
pub(crate) enum Work<'a> {
    Launch(LaunchNode<'a>),
    Task(Box<TaskNode<'a>>),
    Swap {
        a: Box<ArrayArg>,
        b: Box<ArrayArg>,
        site: Site,
    },
    Move(MoveNode),
    /// A loop, and what its variable knows it by.
    For {
        bounds: Bounds<'a>,
        name: u32,
        site: Site,
    },
    If {
        cond: Box<Cond<'a>>,
        site: Site,
    },
    While {
        cond: Box<Cond<'a>>,
        limit: Box<Limit<'a>>,
        site: Site,
    },
}

impl Work<'_> {
    /// The cells that a bound, a condition or a limit is read from, before what is inside runs.
    pub(crate) fn each_cell(&self, found: &mut dyn FnMut(&ArrayArg)) {
        match self {
            Self::For { bounds, .. } => bounds.cells().for_each(found),
            Self::If { cond, .. } => cond.each_cell(found),
            Self::While { cond, limit, .. } => {
                cond.each_cell(found);
                limit.cell().into_iter().for_each(found);
            }
            Self::Launch(_) | Self::Task(_) | Self::Swap { .. } | Self::Move(_) => {}
        }
    }
}

impl<'a> Node<'a> {
    #[inline]
    pub(crate) fn new(at: usize, kind: Kind, work: Work<'a>) -> Self {
        Self {
            kind,
            end: at as u32 + 1,
            is_task: false,
            is_fixed: false,
            in_sync: false,
            is_signed: false,
            work: Mutex::new(work),
        }
    }

    /// Changes the numbers of nodes that it refers to.
    pub(crate) fn renumber(&mut self, change: impl Fn(usize) -> usize) {
        self.end = change(self.end as usize) as u32;
        if let Kind::If { other } = &mut self.kind {
            *other = change(*other as usize) as u32;
        }
    }

    /// The number after the last node inside of it; one more than its own if there is none.
    #[inline]
    pub(crate) fn end(&self) -> usize {
        self.end as usize
    }

    /// Notes where its inside ends.
    pub(crate) fn set_end(&mut self, end: usize) {
        self.end = end as u32;
    }

    /// What it does, for somebody who has the pipeline to himself.
    #[inline]
    pub(crate) fn work(&mut self) -> &mut Work<'a> {
        self.work.get_mut().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A launch and what is kept of it from run to run.
#[derive(Debug)]
pub(crate) struct LaunchNode<'a> {
    pub(crate) stage: LaunchStage<'a>,
    pub(crate) bound: Option<Box<BoundLaunch>>,
    /// Whether it has to be bound anew at each dispatch.
    pub(crate) lazy: bool,
    /// Whether it is made ready at each dispatch, as nothing in it can have changed.
    pub(crate) is_plain: bool,
    /// The number of its device.
    pub(crate) device: u16,
    /// Its row in the report.
    pub(crate) stat: u32,
}

impl<'a> LaunchNode<'a> {
    /// One that has not been prepared.
    #[inline]
    pub(crate) fn new(stage: LaunchStage<'a>) -> Self {
        Self { stage, bound: None, lazy: false, is_plain: false, device: 0, stat: 0 }
    }
}

/// Data that are moved where the program says.
#[derive(Debug)]
pub(crate) struct MoveNode {
    pub(crate) array: Box<ArrayArg>,
    pub(crate) to: Place,
    pub(crate) site: Site,
    /// What was wrong where the box was cut.
    pub(crate) fault: Option<Arc<Error>>,
}

/// Where data are moved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Place {
    Host,
    /// The device of this number.
    Device(usize),
    /// Away from the device of this number.
    AwayFrom(usize),
}

/// A host task, its arguments apart from its body.
#[derive(Debug)]
pub(crate) struct TaskNode<'a> {
    pub(crate) name: &'static str,
    pub(crate) site: Site,
    pub(crate) args: Box<[TaskArg<'a>]>,
    pub(crate) task: Task<'a>,
    /// Memory of its runs.
    pub(crate) kept: TaskKept,
    /// Its row in the report.
    pub(crate) stat: usize,
}
