//! What is worked out once per pipeline: bound launches, what the ledger has to hold, the rows of
//! the report. It runs nothing.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use super::bind::{self, BoundLaunch};
use super::check;
use crate::access::{Access, Mode};
use crate::allocation::Allocation;
use crate::arg::{ArrayArg, BoundArg};
use crate::descriptor::Role;
use crate::env::{Env, MAX_LOOPS};
use crate::error::{Error, Result, Site};
use crate::ledger::Refusal;
use crate::pipeline::{LaunchNode, Node, TaskNode};
use crate::section::Section;
use crate::stage::LaunchStage;

/// What a pipeline keeps from run to run.
#[derive(Debug, Default)]
pub(crate) struct Plan {
    /// Whether it is up to date with the nodes.
    pub(crate) ready: bool,
    /// Everything the pipeline touches.
    pub(super) accesses: Vec<Access>,
    /// Which accesses no node after a top-level node touches, by number of the node and then of the
    /// access, ascending. Those of the last node, and of host tasks, end with the run.
    pub(super) releases: Vec<(usize, usize)>,
    /// The allocations of `accesses`, ascending; empty where nothing asks for them.
    pub(super) ids: Arc<[u64]>,
    pub(super) rows: Rows,
}

/// The rows of the report.
#[derive(Debug, Default)]
pub(super) struct Rows {
    pub(super) kernels: Vec<Stat>,
    pub(super) tasks: Vec<Stat>,
}

/// A row of the report.
#[derive(Clone, Copy, Debug)]
pub(super) struct Stat {
    pub(super) name: &'static str,
    pub(super) count: u64,
    pub(super) time: Duration,
    pub(super) bytes: u64,
}

/// Binds what does not depend on loop variables and collects what the pipeline touches.
pub(crate) fn prepare(nodes: &mut [Node<'_>], plan: &mut Plan, deterministic: bool) -> Result<()> {
    let mut collect =
        Collect { touched: Touched::default(), plan, deterministic, needs_ids: false };
    collect.touched.tracks = nodes.len() > 1;
    for (at, node) in nodes.iter_mut().enumerate() {
        collect.touched.node = at;
        collect.nodes(std::slice::from_mut(node), 0)?;
    }
    let Collect { touched, plan, needs_ids, .. } = collect;
    let last_node = nodes.len().saturating_sub(1);
    let uses = touched.uses.iter().enumerate();
    plan.releases = uses
        .filter(|(_, used)| !used.by_task && used.last < last_node)
        .map(|(access, used)| (used.last, access))
        .collect();
    plan.releases.sort_unstable();
    plan.accesses = touched.list;
    if needs_ids {
        let mut ids: Vec<u64> = plan.accesses.iter().map(|a| a.allocation.id()).collect();
        ids.sort_unstable();
        ids.dedup();
        plan.ids = ids.into();
    }
    plan.ready = true;
    Ok(())
}

struct Collect<'p> {
    touched: Touched,
    plan: &'p mut Plan,
    /// Whether the runtime refuses what depends on the order of work items.
    deterministic: bool,
    /// Whether there are host tasks, or arrays that depend on loop variables.
    needs_ids: bool,
}

impl Collect<'_> {
    fn nodes(&mut self, nodes: &mut [Node<'_>], depth: usize) -> Result<()> {
        for node in nodes {
            match node {
                Node::Launch(launch) => self.launch(launch)?,
                Node::Task(task) => self.task(task)?,
                Node::For { body, site, .. } => {
                    if depth == MAX_LOOPS {
                        return Err(too_deep(site));
                    }
                    self.nodes(body, depth + 1)?;
                }
                Node::Swap { a, b, site } => {
                    same_shape(a, b, site)?;
                    self.touched.add(a, Mode::Write)?;
                    self.touched.add(b, Mode::Write)?;
                }
            }
        }
        Ok(())
    }

    fn launch(&mut self, node: &mut LaunchNode<'_>) -> Result<()> {
        let LaunchNode { stage, bound, lazy, stat } = node;
        *stat = row(&mut self.plan.rows.kernels, stage.kernel.name);
        *lazy = bind::is_lazy(stage);
        if self.deterministic || stage.kernel.flags.deterministic {
            check::deterministic(stage)?;
        }
        if *lazy {
            self.needs_ids = true;
            return self.lazy_launch(stage);
        }
        if bound.is_none() {
            *bound = Some(bind::bind(stage, &Env::new(), None)?);
        }
        for param in bound.iter().flat_map(|bound| &bound.params) {
            if let Some((array, use_)) = param.array() {
                let mode = if use_.writes { Mode::Write } else { Mode::Read };
                self.touched.add(array, mode)?;
            }
        }
        Ok(())
    }

    /// Boxes that move with a loop are held as the whole of their array.
    fn lazy_launch(&mut self, stage: &LaunchStage<'_>) -> Result<()> {
        let passed = stage.kernel.params.iter().filter(|p| !matches!(p.role, Role::Scratch(_)));
        for (param, arg) in passed.zip(&stage.args) {
            let mode = if param.role.writes() { Mode::Write } else { Mode::Read };
            self.arg(arg, mode)?;
        }
        Ok(())
    }

    fn task(&mut self, node: &mut TaskNode<'_>) -> Result<()> {
        node.stat = row(&mut self.plan.rows.tasks, node.name);
        self.needs_ids = true;
        self.touched.in_task = true;
        for arg in &node.args {
            self.arg(arg.bound(), if arg.writes() { Mode::Write } else { Mode::Read })?;
        }
        self.touched.in_task = false;
        Ok(())
    }

    fn arg(&mut self, arg: &BoundArg<'_>, mode: Mode) -> Result<()> {
        match arg {
            BoundArg::Array(array) | BoundArg::Cell(array) => {
                array.allocation.check()?;
                self.touched.add(array, mode)?;
            }
            BoundArg::LazyArray(array) => {
                array.within().allocation.check()?;
                self.touched.add(array.within(), mode)?;
            }
            BoundArg::Invalid(error) => return Err((**error).clone()),
            BoundArg::Value(_) | BoundArg::LazyValue(_) => {}
        }
        Ok(())
    }
}

/// The row of a name, added if there is none.
fn row(rows: &mut Vec<Stat>, name: &'static str) -> usize {
    if let Some(at) = rows.iter().position(|row| row.name == name) {
        return at;
    }
    rows.push(Stat { name, count: 0, time: Duration::ZERO, bytes: 0 });
    rows.len() - 1
}

/// More boxes of one allocation than this are held as the whole of it.
const MAX_BOXES: usize = 8;

/// Boxes to be held, each once.
#[derive(Default)]
struct Touched {
    list: Vec<Access>,
    /// By whom each of them is touched, where `tracks` says that it matters.
    uses: Vec<Use>,
    tracks: bool,
    /// The top-level node under way, and whether it is at a host task.
    node: usize,
    in_task: bool,
    /// Positions by allocation, used once the list is long.
    index: HashMap<u64, Vec<usize>>,
}

/// By whom a box is touched.
#[derive(Clone, Copy, Default)]
struct Use {
    /// The last top-level node.
    last: usize,
    /// Whether a host task is among them, which may end after its node.
    by_task: bool,
}

impl Touched {
    fn add(&mut self, array: &ArrayArg, mode: Mode) -> Result<()> {
        // The types of constructors exclude it; a stage made by hand does not.
        if mode == Mode::Write && array.allocation.is_read_only() {
            return Err(Error::Shape {
                what: "elements to write in an array that is borrowed to be read".to_owned(),
                expected: vec![0],
                found: array.section.shape().to_vec(),
            });
        }
        let at = self.place(array, mode);
        if let Some(used) = self.uses.get_mut(at) {
            used.last = self.node;
            used.by_task |= self.in_task;
        }
        Ok(())
    }

    /// The number of the box in the list, added if it is not there.
    fn place(&mut self, array: &ArrayArg, mode: Mode) -> usize {
        let section = array.section;
        let id = array.allocation.id();
        // A map pays only from a few entries on, and a single launch never has that many.
        if self.list.len() < MAX_BOXES {
            let same = self
                .list
                .iter()
                .position(|access| access.allocation.id() == id && access.section == section);
            if let Some(at) = same {
                self.list[at].mode = self.list[at].mode.max(mode);
                return at;
            }
            let at = self.push(&array.allocation, section, mode);
            if self.list.len() == MAX_BOXES {
                for (at, access) in self.list.iter().enumerate() {
                    self.index.entry(access.allocation.id()).or_default().push(at);
                }
            }
            return at;
        }
        let known = self.index.entry(id).or_default();
        if let Some(&at) = known.iter().find(|&&at| self.list[at].section == section) {
            self.list[at].mode = self.list[at].mode.max(mode);
            return at;
        }
        if known.len() >= MAX_BOXES {
            let at = known[0];
            let first = &mut self.list[at];
            first.section = Section::whole(&[array.allocation.len()]);
            first.mode = first.mode.max(mode);
            return at;
        }
        known.push(self.list.len());
        self.push(&array.allocation, section, mode)
    }

    fn push(&mut self, allocation: &Arc<Allocation>, section: Section, mode: Mode) -> usize {
        self.list.push(Access { allocation: Arc::clone(allocation), section, mode });
        if self.tracks {
            self.uses.push(Use::default());
        }
        self.list.len() - 1
    }
}

fn too_deep(site: &Site) -> Error {
    Error::Shape {
        what: format!("depth of the loop at {site}"),
        expected: vec![MAX_LOOPS],
        found: vec![MAX_LOOPS + 1],
    }
}

fn same_shape(a: &ArrayArg, b: &ArrayArg, site: &Site) -> Result<()> {
    a.allocation.check()?;
    b.allocation.check()?;
    if a.section.shape() == b.section.shape() {
        return Ok(());
    }
    Err(Error::Shape {
        what: format!("swap at {site}"),
        expected: a.section.shape().to_vec(),
        found: b.section.shape().to_vec(),
    })
}

/// The error for a refused run, with the stage that the refusal is about.
#[cold]
pub(crate) fn refused(nodes: &[Node<'_>], accesses: &[Access], refusal: Refusal) -> Error {
    match refusal {
        Refusal::Reentrant(_, task) => Error::Reentrant { task },
        Refusal::HostBorrowed(index) => {
            let id = accesses.get(index).map_or(0, |access| access.allocation.id());
            let (kernel, site, param) = user(nodes, id).unwrap_or((
                "a stage",
                std::panic::Location::caller(),
                "an argument",
            ));
            Error::HostBorrowed { kernel, site, param }
        }
    }
}

/// The first stage that touches an allocation, and as what.
fn user(nodes: &[Node<'_>], id: u64) -> Option<(&'static str, Site, &'static str)> {
    let uses = |arg: &BoundArg<'_>| match arg {
        BoundArg::Array(array) | BoundArg::Cell(array) => array.allocation.id() == id,
        BoundArg::LazyArray(array) => array.within().allocation.id() == id,
        _ => false,
    };
    nodes.iter().find_map(|node| match node {
        Node::Launch(LaunchNode { stage, .. }) => {
            let passed = stage.kernel.params.iter().filter(|p| !matches!(p.role, Role::Scratch(_)));
            let mut used = passed.zip(&stage.args).filter(|(_, arg)| uses(arg));
            used.next().map(|(param, _)| (stage.kernel.name, stage.site, param.name))
        }
        Node::Task(task) => {
            let mut used = task.args.iter().filter(|arg| uses(arg.bound()));
            used.next().map(|arg| (task.name, task.site, arg.name()))
        }
        Node::For { body, .. } => user(body, id),
        Node::Swap { a, b, site } => [a, b]
            .into_iter()
            .any(|array| array.allocation.id() == id)
            .then_some(("swap", *site, "an argument")),
    })
}

/// Whether every array of a lazily bound launch is one the run holds.
pub(crate) fn holds(ids: &[u64], bound: &BoundLaunch) -> bool {
    let arrays = bound.params.iter().filter_map(|param| param.array());
    arrays.into_iter().all(|(array, _)| ids.binary_search(&array.allocation.id()).is_ok())
}
