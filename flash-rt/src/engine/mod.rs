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
mod tasks;
#[cfg(test)]
mod tests;

use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::access::{Access, Mode};
use crate::env::Env;
use crate::error::{Error, Result};
use crate::ledger::Hold;
use crate::pipeline::{LaunchNode, Node, Pipeline, TaskNode};
use crate::report::{Report, StageReport};
use crate::runtime::Shared;
use crate::stage::LaunchStage;
use lane::Lane;
use tasks::Bound;

pub(crate) use bind::{BoundLaunch, BoundParam};
pub(crate) use plan::Plan;
use plan::{Rows, Stat};

/// Runs a pipeline to its end.
pub(crate) fn exec(pipeline: &mut Pipeline<'_>) -> Result<Report> {
    prepare(pipeline)?;
    let Pipeline { rt, nodes, plan, n_tasks, .. } = pipeline;
    let Plan { accesses, releases, ids, rows, .. } = plan;
    let mut hold =
        Hold::enter(&accesses[..]).map_err(|refusal| plan::refused(nodes, accesses, refusal))?;
    let held = Held { accesses, releases, ids };
    run(rt, nodes, held, rows, *n_tasks > 0, &mut |access| hold.release(access))
}

/// Takes a pipeline's place among those that want the same data, without waiting.
pub(crate) fn enqueue(pipeline: &mut Pipeline<'_>) -> Result<Hold<Arc<[Access]>>> {
    prepare(pipeline)?;
    let accesses = &pipeline.plan.accesses;
    Hold::enqueue(Arc::from(&accesses[..]))
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
    let Plan { accesses, releases, ids, rows, .. } = plan;
    let held = Held { accesses, releases, ids };
    run(rt, nodes, held, rows, *n_tasks > 0, &mut |access| hold.release(access))
}

/// What a run holds in the ledger.
#[derive(Clone, Copy)]
struct Held<'r> {
    accesses: &'r [Access],
    /// Which of them are given back after which node, ascending.
    releases: &'r [(usize, usize)],
    /// Their allocations, ascending, where they are asked for.
    ids: &'r Arc<[u64]>,
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
    held: Held<'_>,
    rows: &mut Rows,
    has_tasks: bool,
    release: &mut dyn FnMut(usize),
) -> Result<Report> {
    for stat in rows.kernels.iter_mut().chain(&mut rows.tasks) {
        (stat.count, stat.time, stat.bytes) = (0, Duration::ZERO, 0);
    }
    let _ = crate::device::take_moved();
    let span = tracing::debug_span!("exec", stages = nodes.len());
    let _entered = span.enter();
    let start = Instant::now();
    let result = if has_tasks {
        std::thread::scope(|scope| {
            let lane = Lane::new(scope, Arc::clone(held.ids), rt.options.sync);
            let mut driver = Driver::new(rt, held, rows, start, Some(lane));
            let result = driver.top(nodes, release);
            driver.finish(result).map(|()| Instant::now())
        })
    } else {
        let mut driver = Driver::new(rt, held, rows, start, None);
        // The end of the last kernel, which looking at the clock again would only blur.
        driver.top(nodes, release).map(|()| driver.clock)
    };
    // Borrowed memory is current again when the borrower gets it back, also after a failure.
    let returned = give_back(held.accesses);
    let end = result?;
    returned?;
    Ok(report(rows, end - start))
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
    held: Held<'r>,
    rows: &'r mut Rows,
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
        held: Held<'r>,
        rows: &'r mut Rows,
        clock: Instant,
        lane: Option<Lane<'scope, 'env, 'a>>,
    ) -> Self {
        Self { rt, held, rows, env: Env::new(), cursor: 0, clock, lane }
    }

    /// Runs all nodes, and gives arrays back after the last node that touches them, so that guards
    /// wait for that one and not for the run.
    fn top(&mut self, nodes: &mut [Node<'a>], release: &mut dyn FnMut(usize)) -> Result<()> {
        // Who evicts to make room on a device counts on what the run was given.
        let early = self.rt.devices.iter().all(|device| device.space().is_none());
        let releases = if early { self.held.releases } else { &[] };
        let mut next = 0;
        for at in 0..nodes.len() {
            self.node(nodes, at, 0)?;
            while let Some(&(node, access)) = releases.get(next)
                && node == at
            {
                release(access);
                next += 1;
            }
        }
        Ok(())
    }

    /// Runs node number `at` of the nodes of a body.
    #[inline]
    fn node(&mut self, nodes: &mut [Node<'a>], at: usize, depth: usize) -> Result<()> {
        let (before, rest) = nodes.split_at_mut(at);
        let Some((node, after)) = rest.split_first_mut() else { return Ok(()) };
        match node {
            Node::Launch(launch) => self.launch(launch)?,
            Node::Task(task) => {
                // After the last node of a body comes its first one.
                let again = if depth > 0 { &*before } else { &[] };
                let is_task = |node: &&Node<'_>| matches!(node, Node::Task(_));
                self.task(task, after.iter().chain(again).find(|node| !is_task(node)))?;
            }
            Node::For { bounds, body, .. } => {
                let trips = bounds.resolve(&self.env);
                for k in 0..trips.count {
                    self.env.set(depth, trips.value(k));
                    for at in 0..body.len() {
                        self.node(body, at, depth + 1)?;
                    }
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
        Ok(())
    }

    #[inline]
    fn launch(&mut self, node: &mut LaunchNode<'a>) -> Result<()> {
        let LaunchNode { stage, bound, lazy, stat } = node;
        if *lazy || bound.is_none() {
            let fresh = bind::bind(stage, &self.env, bound.take())?;
            if !plan::holds(self.held.ids, &fresh) {
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
        let accesses = self.held.accesses;
        dispatch::dispatch(stage, bound, device, accesses, self.rt.options.check_all)?;
        drop(entered);
        let now = Instant::now();
        if let Some(stat) = self.rows.kernels.get_mut(*stat) {
            stat.count += 1;
            stat.bytes += bound.bytes;
            stat.time += now - self.clock;
        }
        self.clock = now;
        Ok(())
    }

    /// Runs a host task, or hands it to the lane if `next` can run beside it.
    fn task(&mut self, node: &mut TaskNode<'a>, next: Option<&Node<'_>>) -> Result<()> {
        let Some(lane) = &mut self.lane else { return Ok(()) };
        let Bound { slots, accesses, bytes } = tasks::bind(node, &self.env, self.held.ids, lane)?;
        let stat = self.rows.tasks.get_mut(node.stat);
        let overlaps = next.is_some_and(|next| !tasks::conflict(&accesses, next));
        if overlaps || !lane.is_idle() {
            if let Some(stat) = stat {
                stat.bytes += bytes;
            }
            return lane.submit((node.name, &node.task), slots, accesses, self.env, node.stat);
        }
        if lane.has_failed() {
            return Err(Error::Cancelled);
        }
        let start = Instant::now();
        lane::run(node.name, &node.task, &slots, &self.env, self.held.ids)?;
        self.clock = Instant::now();
        if let Some(stat) = stat {
            stat.bytes += bytes;
            stat.count += 1;
            stat.time += self.clock - start;
        }
        Ok(())
    }

    /// Ends the lane. Its error comes before the driver's in program order.
    fn finish(&mut self, result: Result<()>) -> Result<()> {
        let Some(lane) = self.lane.take() else { return result };
        let (failed, times) = lane.finish();
        for (stat, count, time) in times {
            if let Some(stat) = self.rows.tasks.get_mut(stat) {
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

/// The error for an argument that became another array in a later iteration.
#[cold]
fn moved_away(stage: &'static str) -> Error {
    Error::Shape {
        what: format!("an argument of `{stage}` that depends on a loop variable changed its array"),
        expected: Vec::new(),
        found: Vec::new(),
    }
}

fn report(all: &Rows, total: Duration) -> Report {
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
        kernels: rows(&all.kernels),
        tasks: rows(&all.tasks),
        transfers: crate::device::take_moved(),
    }
}
