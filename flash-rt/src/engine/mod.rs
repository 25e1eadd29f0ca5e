//! Runs pipelines. A pipeline is prepared once: launches are bound, what it touches is collected,
//! and the order that its data ask for becomes a graph. A run holds all its arrays in the ledger
//! from its first node to its last. It does not decide what is legal: binding has.
//!
//! Where nodes could overlap, they run as the graph allows, on the caller and helpers (`crew`);
//! else one by one on the caller (`walk`). Both do the same for each node (`leaf`), and whatever is
//! picked first, the result is that of program order.

mod ahead;
#[cfg(test)]
mod ahead_tests;
mod before;
mod bind;
#[cfg(test)]
mod bounds_tests;
mod chain;
#[cfg(test)]
mod chain_tests;
mod check;
mod claims;
#[cfg(test)]
mod coherence_tests;
mod control;
#[cfg(test)]
mod control_tests;
mod copied;
mod crew;
mod dispatch;
mod divided;
mod division;
mod evaluate;
mod exchanges;
mod falls;
#[cfg(test)]
mod fault_tests;
mod fine;
mod flight;
mod flights;
mod given_up;
mod graph;
mod ids;
mod kept;
mod layout;
mod leaf;
mod levels;
#[cfg(test)]
mod matrix_tests;
mod memory;
mod missing;
#[cfg(all(test, loom))]
mod models;
mod names;
#[cfg(test)]
mod names_tests;
mod native;
#[cfg(test)]
mod native_tests;
mod order;
mod outcome;
mod place;
mod placement;
mod plain;
mod plan;
mod queue;
#[cfg(test)]
mod queues_tests;
mod ready;
mod rebind;
mod reduce;
mod repeat;
mod room;
mod rows;
mod several;
#[cfg(test)]
mod several_images_tests;
mod spare;
mod split;
#[cfg(test)]
mod stream_tests;
mod survey;
mod tasks;
#[cfg(test)]
mod tests;
mod touched;
mod touches;
mod track;
#[cfg(test)]
mod turns_tests;
#[cfg(test)]
mod unwritten_tests;
mod user;
mod walk;
mod whole;
mod windows;
mod worklist;
mod world;

use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::access::{Access, Mode};
use crate::allocation::Allocation;
use crate::backend::clock;
use crate::env::Env;
use crate::error::{At, Error, Result};
use crate::ledger::Hold;
use crate::pipeline::{Node, Pipeline, Work};
use crate::report::{Copies, Report, Transfers};
use crate::runtime::Shared;
use crate::stage::LaunchStage;
use crate::trace::Part;
use crew::{Crew, Release};
use divided::Divided;
use falls::Falls;
use flights::{Landing, NOTHING};
use graph::Graph;
use leaf::Ground;
use walk::Walk;

pub(crate) use bind::{BoundLaunch, BoundParam};
pub(crate) use control::Control;
pub(crate) use copied::{Copied, Route, copies as copies_of};
pub(crate) use fine::Fine;
pub(crate) use placement::Borders;
pub(crate) use placement::Reason;
pub(crate) use plan::Plan;
pub(crate) use rebind::rebind;
use rows::Rows;
pub(crate) use spare::keep_report;
pub(crate) use split::{Shares, given_texts};
pub(crate) use tasks::Kept as TaskKept;
pub(crate) use whole::whole;

pub use missing::{Edge, Missing, Side};
pub use queue::Pick;

/// Runs a pipeline to its end; `once` says that it never runs again.
pub(crate) fn exec(pipeline: &mut Pipeline<'_>, once: bool) -> Result<Report> {
    prepare(pipeline)?;
    let Pipeline { rt, nodes, plan, .. } = pipeline;
    // Taken out for the run, as the ledger keeps what it was given.
    let accesses = std::mem::take(&mut plan.accesses);
    let mut held = Held { plan, accesses };
    let Held { plan, accesses } = &mut held;
    #[cfg(feature = "sabotage")]
    crate::witness::note(nodes, accesses);
    let begin = rt.recorder.as_ref().map(|recorder| recorder.now());
    let result = match Hold::enter(&accesses[..]) {
        Ok(mut hold) => {
            if let (Some(recorder), Some(begin)) = (&rt.recorder, begin) {
                recorder.note_wait("buffers", begin);
            }
            run(rt, nodes, plan, (accesses, None), once, &mut |access| hold.release(access))
        }
        Err(refusal) => Err(user::refused(nodes, accesses, refusal)),
    };
    // The rest is kept when the plan goes.
    if once
        && result.is_ok()
        && let Some(Work::Launch(launch)) = nodes.first_mut().map(Node::work)
        && let Some(bound) = launch.bound.take()
    {
        spare::keep_launch(bound);
    }
    result
}

/// What a plan holds, taken out for a run and put back after it, also where a fragment panics: the plan
/// stays ready, and a run that holds nothing would go on beside whoever else uses the arrays.
struct Held<'p> {
    plan: &'p mut Plan,
    accesses: Vec<Access>,
}

impl Drop for Held<'_> {
    fn drop(&mut self) {
        self.plan.accesses = std::mem::take(&mut self.accesses);
    }
}

/// Takes a pipeline's place among those that want the same data, without waiting.
pub(crate) fn enqueue(pipeline: &mut Pipeline<'_>) -> Result<Hold<Arc<[Access]>>> {
    prepare(pipeline)?;
    let accesses = &pipeline.plan.accesses;
    #[cfg(feature = "sabotage")]
    crate::witness::note(&mut pipeline.nodes, accesses);
    Hold::enqueue(Arc::from(&accesses[..]))
        .map_err(|refusal| user::refused(&mut pipeline.nodes, accesses, refusal))
}

/// Binds a launch as it would be in these loop iterations, for `explain`.
pub(crate) fn bind_for(stage: &LaunchStage<'_>, env: &Env) -> Result<BoundLaunch> {
    bind::bind(stage, env, None)
}

/// Runs a pipeline whose place was taken with [`enqueue`], under the `control` of its handle.
pub(crate) fn exec_held(
    pipeline: &mut Pipeline<'_>,
    mut hold: Hold<Arc<[Access]>>,
    control: Option<&Control>,
) -> Result<Report> {
    hold.wait();
    let Pipeline { rt, nodes, plan, .. } = pipeline;
    let accesses = Arc::clone(hold.accesses());
    run(rt, nodes, plan, (&accesses, control), false, &mut |access| hold.release(access))
}

/// Binds and checks what is new since the last run.
pub(crate) fn prepare(pipeline: &mut Pipeline<'_>) -> Result<()> {
    let Pipeline { rt, nodes, plan, fault, .. } = pipeline;
    if plan.ready && !plan.can_place_better(rt) {
        return Ok(());
    }
    if let Some(fault) = fault {
        return Err((**fault).clone());
    }
    plan::prepare(nodes, plan, rt)
}

/// Does all that a run needs to have done before its first node.
pub(crate) fn prepare_order(pipeline: &mut Pipeline<'_>) -> Result<()> {
    prepare(pipeline)?;
    is_wide(&pipeline.rt, &mut pipeline.nodes, &mut pipeline.plan);
    Ok(())
}

/// The order of a pipeline's nodes: which waits for which, and how many trips later of the loop around
/// both.
pub(crate) fn edges(pipeline: &mut Pipeline<'_>) -> Result<Vec<(usize, usize, u32)>> {
    prepare(pipeline)?;
    let Pipeline { rt, nodes, plan, .. } = pipeline;
    let graph = plan.graph.get_or_insert_with(|| Box::new(order(rt, nodes)));
    Ok(graph.edges().filter(|(from, to, _)| from != to).collect())
}

/// Works out the order of prepared nodes.
fn order(rt: &Shared, nodes: &mut [Node<'_>]) -> Graph {
    let mut apart = Vec::new();
    if rt.devices.iter().any(|device| device.space().is_some()) {
        apart.extend(rt.devices.iter().map(|device| device.space().is_some()));
    }
    let mut workspace = spare::of_order();
    let (in_order, missing) = (!rt.options.dataflow, rt.options.leave_out);
    let graph = order::build(nodes, in_order, missing, &apart, &mut workspace);
    spare::keep_order(workspace);
    graph
}

/// How many helpers may join a run, for kernels and host tasks of their own.
fn helpers(rt: &Shared, nodes: &[Node<'_>]) -> usize {
    let has_tasks = nodes.iter().any(|node| node.is_task);
    let tasks = if has_tasks { if rt.options.dataflow { 4 } else { 1 } } else { 0 };
    let on_host = rt.devices.iter().filter(|device| device.space().is_none()).count();
    let elsewhere = rt.devices.len() - on_host;
    // One thread brings data while another one waits for a kernel.
    let devices = if elsewhere > 0 { 2 * elsewhere - 1 } else { 0 };
    let kernels = if on_host > 0 { rt.threads().saturating_sub(1).min(7) } else { 0 };
    let bring = if has_tasks { bringers(rt) } else { 0 };
    tasks + devices + kernels + bring
}

/// How many threads may bring data of host tasks before their turn.
fn bringers(rt: &Shared) -> usize {
    let elsewhere = rt.devices.iter().filter(|device| device.space().is_some()).count();
    2 * tasks::TURNS * elsewhere
}

/// Prepares the order of the nodes, and says whether some of them may overlap.
fn is_wide(rt: &Shared, nodes: &mut [Node<'_>], plan: &mut Plan) -> bool {
    if nodes.len() < 2
        || nodes.len() >= graph::MAX_NODES / 2
        || rt.options.sync
        || (plan.is_fine && rt.options.pick == Pick::First)
    {
        return false;
    }
    // Working out an order is not worth it where nobody could make use of it.
    if rt.options.pick == Pick::First && helpers(rt, nodes) == 0 {
        return false;
    }
    let graph = plan.graph.get_or_insert_with(|| Box::new(order(rt, nodes)));
    // What a device makes by itself it does one after the other.
    let mut overlaps = |&at: &u32| !repeat::may(rt, nodes, at as usize);
    rt.options.pick != Pick::First || graph.is_wide || graph.wide_loops.iter().any(&mut overlaps)
}

/// Runs the nodes of a pipeline whose arrays are held; `release` gives one back before the end.
fn run(
    rt: &Shared,
    nodes: &mut [Node<'_>],
    plan: &mut Plan,
    (accesses, control): (&[Access], Option<&Control>),
    once: bool,
    release: &mut (dyn FnMut(usize) + Send),
) -> Result<Report> {
    let is_wide = is_wide(rt, nodes, plan);
    let Plan {
        releases,
        users,
        ids,
        rows,
        graph,
        is_fine,
        may_wait,
        signature,
        kept,
        scratch,
        flights,
        fell,
        had,
        ..
    } = plan;
    for stat in rows.kernels.iter_mut().chain(&mut rows.tasks) {
        (stat.count, stat.time, stat.bytes) = (0, Duration::ZERO, 0);
    }
    let _ = crate::device::take_moved();
    let first = rt.recorder.as_ref().map_or(0, |recorder| recorder.len());
    let span = tracing::debug_span!("exec", stages = nodes.len());
    let _entered = span.enter();
    let start = Instant::now();
    // Who evicts to make room on a device counts on what the run was given.
    let early = rt.devices.iter().all(|device| device.space().is_none());
    let flights = match early {
        true => &*NOTHING,
        false => {
            let flights = flights.get_or_insert_default();
            flights.prepare(rt.devices.len(), rows);
            &**flights
        }
    };
    let (falls, divided) = (Falls::default(), Divided::default());
    let ground = Ground {
        rt,
        accesses,
        ids,
        control,
        flights,
        falls: &falls,
        divided: &divided,
        graph: None,
    };
    let mut landing = (!early).then(|| Landing { ground, is_done: false });
    let (result, moved, end) = match graph {
        Some(graph) if is_wide => {
            let most = helpers(rt, nodes);
            let of_node = if early { &users[..] } else { &[] };
            let kept = &mut **kept.get_or_insert_with(spare::of_run);
            kept.prepare(nodes.len(), rows, most);
            let release = Release { users: kept.users(of_node), of_node, give: release };
            let how = (rt.options.pick, most, bringers(rt));
            let ground = Ground { graph: Some(graph), ..ground };
            let crew = Crew::new(ground, nodes, graph, how, (release, std::mem::take(kept)));
            crew.run();
            crew.land(&mut landing);
            let (moved, result) = crew.finish(rows, kept);
            let end = Instant::now();
            if !*may_wait {
                *is_fine = early && fine::was_short(rows, end - start);
                rt.fine.note(*signature, *is_fine);
            }
            (result, moved, end)
        }
        _ => {
            let releases = if early { &releases[..] } else { &[] };
            let _active = rt.clock.as_ref().map(|clock| clock::Hold::new(clock).enter());
            let mut walk = Walk::new(ground, (rows, scratch.get_or_insert_default()), start);
            let result = walk.all(nodes, releases, release);
            let result = match &mut landing {
                Some(landing) => landing.land(nodes, result),
                None => result,
            };
            // The end of the last node, which looking at the clock again would only blur.
            let end = walk.end().max(if early { start } else { Instant::now() });
            flights.count(rows);
            if *is_fine && !fine::is_short(rows, end - start) {
                *is_fine = false;
                rt.fine.note(*signature, false);
            }
            (result, crate::device::take_moved(), end)
        }
    };
    drop(landing);
    falls.replace(fell);
    divided.replace(had, &rt.devices);
    // Borrowed memory is current again when the borrower gets it back, also after a failure.
    let returned = give_back(accesses, nodes);
    result?;
    returned?;
    let mut moved = moved;
    moved += crate::device::take_moved();
    let mut report = report(rows, moved, end - start, once);
    if !fell.is_empty() {
        report.fallbacks.clone_from(fell);
    }
    if !had.is_empty() {
        report.devices.clone_from(had);
    }
    report.copies = copies(rt, accesses, early);
    report.trace = rt.recorder.as_ref().map(|recorder| Box::new(Part::since(recorder, first)));
    Ok(report)
}

/// How many memories arrays may take turns in, and took by the end of a run. In the host's memory
/// alone nobody takes turns, and a kept plan of one small launch is not to look.
fn copies(rt: &Shared, accesses: &[Access], on_host: bool) -> Copies {
    let allowed = rt.options.n_copies();
    if allowed < 2 || on_host {
        return Copies { allowed, most: 1 };
    }
    let most = accesses.iter().map(|access| access.allocation.images().most_memories()).max();
    Copies { allowed, most: most.unwrap_or(0).max(1) }
}

/// Brings what a run wrote to borrowed memory.
fn give_back(accesses: &[Access], nodes: &mut [Node<'_>]) -> Result<()> {
    for Access { allocation, section, mode } in accesses {
        if *mode == Mode::Write && allocation.is_foreign() {
            allocation.to_host(section).map_err(|error| by_last_user(nodes, allocation, error))?;
        }
    }
    Ok(())
}

/// Says of which stage it was that an array does not come back: the last one that uses it.
#[cold]
fn by_last_user(nodes: &mut [Node<'_>], allocation: &Allocation, error: Error) -> Error {
    let mut all = nodes.iter_mut().enumerate().rev();
    let user = all.find_map(|(node, work)| {
        let (stage, site, _) = user::user(std::slice::from_mut(work), allocation.id())?;
        Some(At { node: Some(node), stage, site })
    });
    match user {
        Some(user) => error.within(user),
        None => error,
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

/// Of a pipeline that is not run again the report takes the rows themselves.
fn report(rows: &mut Rows, transfers: Transfers, total: Duration, once: bool) -> Report {
    let whole = total.as_secs_f64().max(1e-9);
    for row in rows.kernels.iter_mut().chain(&mut rows.tasks) {
        row.share = row.time.as_secs_f64() / whole;
    }
    let (kernels, tasks) = if once {
        (std::mem::take(&mut rows.kernels), std::mem::take(&mut rows.tasks))
    } else {
        let (mut kernels, mut tasks) = spare::of_report();
        kernels.extend_from_slice(&rows.kernels);
        tasks.extend_from_slice(&rows.tasks);
        (kernels, tasks)
    };
    let (fallbacks, devices, copies) = (Vec::new(), Vec::new(), Copies::default());
    Report { total, kernels, tasks, transfers, fallbacks, devices, copies, trace: None }
}
