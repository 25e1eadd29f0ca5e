//! Runs pipelines: in program order, instance by instance, on the thread that executes them.
//!
//! Kernels run to their end before the next node starts; host tasks run in order on a lane of their
//! own, and a node waits for those that touch what it touches. A run holds all its arrays in the
//! ledger from its first node to its last. It does not decide what is legal: binding has.

mod bind;
mod check;
mod dispatch;
mod lane;
mod memory;
mod outcome;
mod plan;
mod reduce;
mod room;
#[cfg(test)]
mod tests;

use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::access::{Access, Mode};
use crate::arg::{ArrayArg, BoundArg};
use crate::entry::{ArraySlot, Slot, Tag};
use crate::env::Env;
use crate::error::{Error, Result};
use crate::ledger::Hold;
use crate::pipeline::{LaunchNode, Node, Pipeline, TaskNode};
use crate::report::{Report, StageReport};
use crate::runtime::Shared;
use crate::stage::LaunchStage;
use lane::Lane;

pub(crate) use bind::{BoundLaunch, BoundParam};
pub(crate) use plan::{Plan, Stat};

/// Runs a pipeline to its end.
pub(crate) fn exec(pipeline: &mut Pipeline<'_>) -> Result<Report> {
    prepare(pipeline)?;
    let Pipeline { rt, nodes, plan, n_tasks, .. } = pipeline;
    let accesses = Arc::clone(&plan.accesses);
    let hold =
        Hold::enter(&accesses[..]).map_err(|refusal| plan::refused(nodes, &accesses, refusal));
    let mut hold = hold?;
    run(rt, nodes, plan, *n_tasks > 0, &mut |access| hold.release(access))
}

/// Takes a pipeline's place among those that want the same data, without waiting.
pub(crate) fn enqueue(pipeline: &mut Pipeline<'_>) -> Result<Hold<Arc<[Access]>>> {
    prepare(pipeline)?;
    let accesses = &pipeline.plan.accesses;
    Hold::enqueue(Arc::clone(accesses))
        .map_err(|refusal| plan::refused(&pipeline.nodes, accesses, refusal))
}

/// Binds a launch as it would be in these loop iterations, for `explain`.
pub(crate) fn bind_for(stage: &LaunchStage<'_>, env: &Env) -> Result<BoundLaunch> {
    bind::bind(stage, env, None)
}

/// Runs a pipeline whose place was taken with [`enqueue`].
pub(crate) fn exec_held(
    pipeline: &mut Pipeline<'_>,
    mut hold: Hold<Arc<[Access]>>,
) -> Result<Report> {
    hold.wait();
    let Pipeline { rt, nodes, plan, n_tasks, .. } = pipeline;
    run(rt, nodes, plan, *n_tasks > 0, &mut |access| hold.release(access))
}

/// Binds and checks what is new since the last run.
pub(crate) fn prepare(pipeline: &mut Pipeline<'_>) -> Result<()> {
    if pipeline.plan.ready {
        return Ok(());
    }
    let deterministic = pipeline.rt.options.deterministic;
    plan::prepare(&mut pipeline.nodes, &mut pipeline.plan, deterministic)
}

/// Runs the nodes of a pipeline whose arrays are held; `release` gives one back before the end.
fn run<'a>(
    rt: &Shared,
    nodes: &mut [Node<'a>],
    plan: &mut Plan,
    has_tasks: bool,
    release: &mut dyn FnMut(usize),
) -> Result<Report> {
    for stat in plan.kernels.iter_mut().chain(&mut plan.tasks) {
        (stat.count, stat.time, stat.bytes) = (0, Duration::ZERO, 0);
    }
    let _ = crate::device::take_moved();
    let span = tracing::debug_span!("exec", stages = nodes.len());
    let _entered = span.enter();
    let start = Instant::now();
    let result = if has_tasks {
        std::thread::scope(|scope| {
            let lane = Lane::new(scope, Arc::clone(&plan.ids), rt.options.sync);
            let mut driver = Driver::new(rt, plan, start, Some(lane));
            let result = driver.top(nodes, release);
            driver.finish(result)
        })
    } else {
        Driver::new(rt, plan, start, None).top(nodes, release)
    };
    // Borrowed memory is current again when the borrower gets it back, also after a failure.
    let returned = give_back(&plan.accesses);
    result.and(returned)?;
    Ok(report(plan, start.elapsed()))
}

/// Brings what a run wrote to borrowed memory.
fn give_back(accesses: &[Access]) -> Result<()> {
    for Access { allocation, section, mode } in accesses {
        if *mode == Mode::Write && allocation.is_foreign() {
            allocation.to_host(section)?;
        }
    }
    Ok(())
}

/// The state of one run.
struct Driver<'r, 'scope, 'env, 'a> {
    rt: &'r Shared,
    plan: &'r mut Plan,
    env: Env,
    /// The device of the next launch, where there are several.
    cursor: usize,
    /// When the last stage ended.
    clock: Instant,
    lane: Option<Lane<'scope, 'env, 'a>>,
}

impl<'r, 'scope, 'env, 'a: 'scope> Driver<'r, 'scope, 'env, 'a> {
    fn new(
        rt: &'r Shared,
        plan: &'r mut Plan,
        clock: Instant,
        lane: Option<Lane<'scope, 'env, 'a>>,
    ) -> Self {
        Self { rt, plan, env: Env::new(), cursor: 0, clock, lane }
    }

    /// Runs all nodes, and gives arrays back after the last node that touches them, so that guards
    /// wait for that one and not for the run.
    fn top(&mut self, nodes: &mut [Node<'a>], release: &mut dyn FnMut(usize)) -> Result<()> {
        // Who evicts to make room on a device counts on what the run was given.
        let early = self.rt.devices.iter().all(|device| device.space().is_none());
        if !early || self.plan.releases.is_empty() {
            return self.nodes(nodes, 0);
        }
        let mut next = 0;
        for (at, node) in nodes.iter_mut().enumerate() {
            self.nodes(std::slice::from_mut(node), 0)?;
            while let Some(&(node, access)) = self.plan.releases.get(next)
                && node == at
            {
                release(access);
                next += 1;
            }
        }
        Ok(())
    }

    fn nodes(&mut self, nodes: &mut [Node<'a>], depth: usize) -> Result<()> {
        for node in nodes {
            match node {
                Node::Launch(launch) => self.launch(launch)?,
                Node::Task(task) => self.task(task)?,
                Node::For { bounds, body, .. } => {
                    let trips = bounds.resolve(&self.env);
                    for k in 0..trips.count {
                        self.env.set(depth, trips.value(k));
                        self.nodes(body, depth + 1)?;
                    }
                }
                Node::Swap { a, b, .. } => {
                    if let Some(lane) = &mut self.lane {
                        lane.clear(a, true)?;
                        lane.clear(b, true)?;
                    }
                    a.allocation.swap(&b.allocation)?;
                }
            }
        }
        Ok(())
    }

    #[inline]
    fn launch(&mut self, node: &mut LaunchNode<'a>) -> Result<()> {
        let LaunchNode { stage, bound, lazy, stat } = node;
        if *lazy || bound.is_none() {
            let fresh = bind::bind(stage, &self.env, bound.take())?;
            if !plan::holds(&self.plan.ids, &fresh) {
                return Err(moved_away(stage.kernel.name));
            }
            *bound = Some(fresh);
        }
        let Some(bound) = bound else { return Ok(()) };
        if let Some(lane) = &mut self.lane {
            if lane.has_failed() {
                return Err(Error::Cancelled);
            }
            for (array, use_) in bound.params.iter().filter_map(BoundParam::array) {
                lane.clear(array, use_.writes)?;
            }
            // Waiting is not this kernel's time.
            self.clock = Instant::now();
        }
        let devices = &self.rt.devices;
        let device = &devices[self.cursor % devices.len()];
        self.cursor += 1;
        let span =
            tracing::trace_span!("launch", kernel = stage.kernel.name, device = device.name());
        let entered = span.enter();
        let accesses = &self.plan.accesses;
        dispatch::dispatch(stage, bound, device, accesses, self.rt.options.check_all)?;
        drop(entered);
        let now = Instant::now();
        if let Some(stat) = self.plan.kernels.get_mut(*stat) {
            stat.count += 1;
            stat.bytes += bound.bytes;
            stat.time += now - self.clock;
        }
        self.clock = now;
        Ok(())
    }

    fn task(&mut self, node: &mut TaskNode<'a>) -> Result<()> {
        let Some(lane) = &mut self.lane else { return Ok(()) };
        let mut slots = Vec::with_capacity(node.args.len());
        let mut accesses = Vec::with_capacity(node.args.len());
        let mut bytes = 0;
        for arg in &node.args {
            let array = task_array(node.name, arg.bound(), &self.env)?;
            if self.plan.ids.binary_search(&array.allocation.id()).is_err() {
                return Err(moved_away(node.name));
            }
            let writes = arg.writes();
            // Tasks before this one on the lane are done when it starts; only what the driver
            // itself does here has to wait for them.
            if array.allocation.has_images() {
                lane.clear(&array, writes)?;
                array.allocation.to_host(&array.section)?;
                if writes {
                    array.allocation.host_wrote(&array.section);
                }
            }
            slots.push(host_slot(&array, if writes { Tag::Own } else { Tag::Input })?);
            bytes += (array.section.len() * array.allocation.elem().size) as u64;
            let mode = if writes { Mode::Write } else { Mode::Read };
            accesses.push(Access { allocation: array.allocation, section: array.section, mode });
        }
        aliased(node, &accesses)?;
        if let Some(stat) = self.plan.tasks.get_mut(node.stat) {
            stat.bytes += bytes;
        }
        lane.submit((node.name, &node.task), slots, accesses, self.env, node.stat)
    }

    /// Ends the lane. Its error comes before the driver's in program order.
    fn finish(&mut self, result: Result<()>) -> Result<()> {
        let Some(lane) = self.lane.take() else { return result };
        let (failed, times) = lane.finish();
        for (stat, count, time) in times {
            if let Some(stat) = self.plan.tasks.get_mut(stat) {
                stat.count += count;
                stat.time += time;
            }
        }
        match failed {
            Some(error) => Err(error),
            None => result,
        }
    }
}

/// The array a task gets in these loop iterations.
fn task_array(task: &'static str, arg: &BoundArg<'_>, env: &Env) -> Result<ArrayArg> {
    match arg {
        BoundArg::Array(array) | BoundArg::Cell(array) => Ok(array.clone()),
        BoundArg::LazyArray(array) => array.resolve(env),
        BoundArg::Invalid(error) => Err((**error).clone()),
        BoundArg::Value(_) | BoundArg::LazyValue(_) => Err(Error::Shape {
            what: format!("an array argument of host task `{task}`"),
            expected: vec![1],
            found: Vec::new(),
        }),
    }
}

/// A box in host memory.
fn host_slot(array: &ArrayArg, tag: Tag) -> Result<Slot> {
    let section = &array.section;
    let mut slot = Slot { tag, elem: array.elem(), array: ArraySlot::empty() };
    slot.array.rank = section.rank() as u8;
    for d in 0..section.rank() {
        slot.array.held[d] = section.shape()[d];
        slot.array.shape[d] = section.shape()[d];
        // A stride is at most the length of an allocation, which fits an `isize`.
        slot.array.stride[d] = section.stride()[d] as isize;
    }
    slot.array.base = dispatch::host_address(array)?;
    Ok(slot)
}

/// What a task writes overlaps nothing else it touches.
fn aliased(node: &TaskNode<'_>, accesses: &[Access]) -> Result<()> {
    for (k, access) in accesses.iter().enumerate() {
        for (l, other) in accesses.iter().enumerate().skip(k + 1) {
            if access.conflicts(other) {
                let (written, other) = if access.mode == Mode::Write { (k, l) } else { (l, k) };
                return Err(Error::Aliased {
                    kernel: node.name,
                    site: node.site,
                    written: node.args[written].name(),
                    other: node.args[other].name(),
                });
            }
        }
    }
    Ok(())
}

/// The error for an argument that became another array in a later iteration.
#[cold]
fn moved_away(stage: &'static str) -> Error {
    Error::Shape {
        what: format!("an argument of `{stage}` that depends on a loop variable changed its array"),
        expected: Vec::new(),
        found: Vec::new(),
    }
}

fn report(plan: &Plan, total: Duration) -> Report {
    let whole = total.as_secs_f64().max(1e-9);
    let rows = |stats: &[Stat]| {
        stats
            .iter()
            .map(|stat| StageReport {
                name: stat.name,
                count: stat.count,
                time: stat.time,
                bytes: stat.bytes,
                share: stat.time.as_secs_f64() / whole,
            })
            .collect()
    };
    Report {
        total,
        kernels: rows(&plan.kernels),
        tasks: rows(&plan.tasks),
        transfers: crate::device::take_moved(),
    }
}
