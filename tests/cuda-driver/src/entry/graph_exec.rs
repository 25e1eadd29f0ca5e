//! Graphs that can be launched: instantiated, changed, launched, ended.
#![allow(unsafe_code, reason = "functions are exported by name")]

use super::graph_nodes::{copy, fill, kernel, task};
use super::layouts::{InstantiateParams, KernelParams, Memcpy3d, Memset, NodeParams, UpdateResult};
use super::{In, Out, entries};
use crate::codes::{Code, Outcome};
use crate::context::{stream, usable};
use crate::driver::driver;
use crate::graph::Exec;
use crate::task::Task;

fn instantiate(out: Out<usize>, graph: usize, flags: u64) -> Outcome {
    let context = usable()?;
    let graph = driver().graphs.get(graph)?;
    out.put(Exec::create(&graph, flags, context.health.clone())?.handle)
}

/// Gives a node a new task of the same kind.
fn change(exec: usize, node: usize, task: &Task) -> Outcome {
    driver().execs.get(exec)?.replace(node, |old| {
        if old.is_like(task) { Ok(task.clone()) } else { Err(Code::INVALID_VALUE) }
    })
}

entries! {
    fn cuGraphInstantiateWithFlags(out: Out<usize>, graph: usize, flags: u64) |_record| {
        instantiate(out, graph, flags)
    }

    fn cuGraphInstantiateWithParams(
        out: Out<usize>,
        graph: usize,
        params: Out<InstantiateParams>,
    ) |_record| {
        let mut given = params.get()?;
        let outcome = instantiate(out, graph, given.flags);
        given.result = u32::from(outcome.is_err());
        params.put(given)?;
        outcome
    }

    fn cuGraphUpload(exec: usize, handle: usize) |record| {
        record.stream = Some(stream(handle)?.number);
        driver().execs.get(exec).map(drop)
    }

    fn cuGraphLaunch(exec: usize, handle: usize) |record| {
        let stream = stream(handle)?;
        record.stream = Some(stream.number);
        let exec = driver().execs.get(exec)?;
        record.detail = format!("{} nodes", exec.steps().tasks.len());
        exec.launch(&stream)
    }

    fn cuGraphExecDestroy(exec: usize) |_record| {
        driver().execs.remove(exec).map(drop)
    }

    fn cuGraphExecGetFlags(exec: usize, out: Out<u64>) |_record| {
        out.put(driver().execs.get(exec)?.flags)
    }

    fn cuGraphExecUpdate_v2(exec: usize, graph: usize, out: Out<UpdateResult>) |_record| {
        let exec = driver().execs.get(exec)?;
        let outcome = exec.update(&*driver().graphs.get(graph)?);
        let result = if outcome.is_err() { 2 } else { 0 };
        out.put(UpdateResult { result, node: 0, from: 0 })?;
        outcome
    }

    fn cuGraphExecKernelNodeSetParams_v2(
        exec: usize,
        node: usize,
        params: In<KernelParams>,
    ) |record| {
        change(exec, node, &kernel(record, &params.get()?)?)
    }

    fn cuGraphExecMemcpyNodeSetParams(
        exec: usize,
        node: usize,
        params: In<Memcpy3d>,
        _context: usize,
    ) |_record| {
        change(exec, node, &copy(&params.get()?)?)
    }

    fn cuGraphExecMemsetNodeSetParams(
        exec: usize,
        node: usize,
        params: In<Memset>,
        _context: usize,
    ) |_record| {
        change(exec, node, &fill(&params.get()?)?)
    }

    fn cuGraphExecNodeSetParams(exec: usize, node: usize, params: In<NodeParams>) |record| {
        change(exec, node, &task(record, params)?)
    }
}
