//! Nodes of graphs, added and changed by calls.
#![allow(unsafe_code, reason = "functions are exported by name")]

use std::sync::Arc;

use super::layouts::{Conditional, HostParams, KernelParams, Memcpy3d, Memset, NodeParams};
use super::pointers::{pointed_at, result_at};
use super::{In, Out, entries};
use crate::codes::{Code, Outcome};
use crate::context::current;
use crate::copies::{Copy, Fill};
use crate::driver::driver;
use crate::graph::{Graph, What};
use crate::locks::lock;
use crate::log::Record;
use crate::task::Task;

/// Adds a node behind others.
fn add(out: Out<usize>, graph: usize, after: In<usize>, count: usize, what: What) -> Outcome {
    let graph = driver().graphs.get(graph)?;
    let after: Outcome<Vec<usize>> =
        after.list(count)?.into_iter().map(|node| graph.node_of(node)).collect();
    let node = graph.add(what, after?)?;
    out.put(graph.node_handle(node))
}

/// A copy of a node. Its host memory is read when the graph runs, so it has to be pinned.
pub(super) fn copy(params: &Memcpy3d) -> Outcome<Task> {
    let (from, to, rows) = super::copy::block(params)?;
    if from.is_pageable() || to.is_pageable() {
        return Err(Code::INVALID_VALUE);
    }
    Ok(Task::Copy(Copy::new(from, to, rows)?))
}

/// A fill of a node.
pub(super) fn fill(params: &Memset) -> Outcome<Task> {
    let element = params.element as usize;
    if !matches!(element, 1 | 2 | 4) {
        return Err(Code::INVALID_VALUE);
    }
    let fill = Fill {
        to: params.dst,
        pattern: params.value.to_le_bytes()[..element].to_vec(),
        width: params.width * element,
        height: params.height,
        pitch: params.pitch,
    };
    fill.check()?;
    Ok(Task::Fill(fill))
}

pub(super) fn kernel(record: &mut Record, params: &KernelParams) -> Outcome<Task> {
    let launch = super::launch::of_node(params)?;
    record.detail.clone_from(&launch.function.name);
    Ok(Task::Launch(launch))
}

fn host(params: &HostParams) -> Outcome<Task> {
    Ok(Task::Host(params.function.with(params.user.expose_provenance())?))
}

fn child(graph: usize) -> Outcome<What> {
    Ok(What::Child(Arc::new(driver().graphs.get(graph)?.copied())))
}

/// A node whose bodies are made here, and given to the caller to be filled.
fn conditional(params: NodeParams, place: In<NodeParams>) -> Outcome<What> {
    // The union begins behind the kind and three words that are reserved.
    let own = pointed_at(place.behind(16).cast::<Conditional>()).get()?;
    let condition = driver().conditions.get(own.handle as usize)?;
    let repeats = match (own.kind, own.size) {
        (0, 1 | 2) => false,
        (1, 1) => true,
        _ => return Err(Code::INVALID_VALUE),
    };
    let bodies: Vec<Arc<Graph>> = (0..own.size).map(|_| Graph::create()).collect();
    let handles: Vec<usize> = bodies.iter().map(|body| body.handle).collect();
    // The list of bodies belongs to the node, and is never freed.
    let list = Vec::leak(handles).as_mut_ptr();
    debug_assert_eq!(params.kind, 13);
    result_at(place.behind(16 + 16).cast::<*mut usize>().cast_mut()).put(list)?;
    Ok(What::Conditional { condition, repeats, bodies })
}

fn any(record: &mut Record, place: In<NodeParams>) -> Outcome<What> {
    let params = place.get()?;
    let union = place.behind(16);
    Ok(What::Task(match params.kind {
        0 => kernel(record, &pointed_at(union.cast()).get()?)?,
        // A copy has flags and a context in front of it.
        1 => copy(&pointed_at(union.wrapping_add(16).cast()).get()?)?,
        2 => fill(&pointed_at(union.cast()).get()?)?,
        3 => host(&pointed_at(union.cast()).get()?)?,
        4 => return child(params.words[0] as usize),
        5 => Task::Empty,
        13 => return conditional(params, place),
        _ => return Err(Code::NOT_SUPPORTED),
    }))
}

/// The task that the parameters of any node stand for.
pub(super) fn task(record: &mut Record, place: In<NodeParams>) -> Outcome<Task> {
    match any(record, place)? {
        What::Task(task) => Ok(task),
        _ => Err(Code::NOT_SUPPORTED),
    }
}

/// Gives a node of a graph a new task of the same kind.
fn change(node: usize, task: Task) -> Outcome {
    let (graph, number) = Graph::of_node(node)?;
    let mut nodes = lock(&graph.nodes);
    match nodes.get_mut(number).map(|node| &mut node.what) {
        Some(What::Task(old)) if old.is_like(&task) => {
            *old = task;
            Ok(())
        }
        _ => Err(Code::INVALID_VALUE),
    }
}

entries! {
    fn cuGraphAddEmptyNode(
        out: Out<usize>,
        graph: usize,
        after: In<usize>,
        count: usize,
    ) |_record| {
        add(out, graph, after, count, What::Task(Task::Empty))
    }

    fn cuGraphAddKernelNode_v2(
        out: Out<usize>,
        graph: usize,
        after: In<usize>,
        count: usize,
        params: In<KernelParams>,
    ) |record| {
        let task = kernel(record, &params.get()?)?;
        add(out, graph, after, count, What::Task(task))
    }

    fn cuGraphAddMemcpyNode(
        out: Out<usize>,
        graph: usize,
        after: In<usize>,
        count: usize,
        params: In<Memcpy3d>,
        _context: usize,
    ) |_record| {
        add(out, graph, after, count, What::Task(copy(&params.get()?)?))
    }

    fn cuGraphAddMemsetNode(
        out: Out<usize>,
        graph: usize,
        after: In<usize>,
        count: usize,
        params: In<Memset>,
        _context: usize,
    ) |_record| {
        current()?;
        add(out, graph, after, count, What::Task(fill(&params.get()?)?))
    }

    fn cuGraphAddHostNode(
        out: Out<usize>,
        graph: usize,
        after: In<usize>,
        count: usize,
        params: In<HostParams>,
    ) |_record| {
        add(out, graph, after, count, What::Task(host(&params.get()?)?))
    }

    fn cuGraphAddChildGraphNode(
        out: Out<usize>,
        graph: usize,
        after: In<usize>,
        count: usize,
        inner: usize,
    ) |_record| {
        add(out, graph, after, count, child(inner)?)
    }

    fn cuGraphAddNode(
        out: Out<usize>,
        graph: usize,
        after: In<usize>,
        count: usize,
        params: In<NodeParams>,
    ) |record| {
        current()?;
        let what = any(record, params)?;
        add(out, graph, after, count, what)
    }

    fn cuGraphAddNode_v2(
        out: Out<usize>,
        graph: usize,
        after: In<usize>,
        _edges: In<u64>,
        count: usize,
        params: In<NodeParams>,
    ) |record| {
        current()?;
        let what = any(record, params)?;
        add(out, graph, after, count, what)
    }

    fn cuGraphKernelNodeSetParams_v2(node: usize, params: In<KernelParams>) |record| {
        change(node, kernel(record, &params.get()?)?)
    }

    fn cuGraphMemcpyNodeSetParams(node: usize, params: In<Memcpy3d>) |_record| {
        change(node, copy(&params.get()?)?)
    }

    fn cuGraphMemsetNodeSetParams(node: usize, params: In<Memset>) |_record| {
        change(node, fill(&params.get()?)?)
    }
}
