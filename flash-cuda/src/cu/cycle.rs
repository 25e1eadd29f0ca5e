//! Kernels that the device runs again and again, as long as the last one says so: a graph whose only other node
//! repeats them. Some may be in branches, on which a kernel before them decides. Fenced: it calls the driver
//! with handles that are alive as long as their owners.
#![allow(unsafe_code, reason = "calls functions of the CUDA driver")]

use std::ffi::c_void;
use std::ptr::null_mut;
use std::sync::Arc;

use cudarc::driver::sys::CUgraphConditionalNodeType::{
    CU_GRAPH_COND_TYPE_IF, CU_GRAPH_COND_TYPE_WHILE,
};
use cudarc::driver::sys::{
    CU_GRAPH_COND_ASSIGN_DEFAULT, CUDA_CONDITIONAL_NODE_PARAMS, CUgraph,
    CUgraphConditionalNodeType, CUgraphNode, CUgraphNodeParams, CUgraphNodeParams_st__bindgen_ty_1,
    CUgraphNodeType,
};

use super::functions;
use super::graph::{Graph, Instance, Link, add};
use super::{Context, Failure, Function, Launch, Stream};

/// A cycle that is being made.
#[derive(Debug)]
pub(crate) struct Open {
    context: Arc<Context>,
    graph: Graph,
    handle: u64,
}

/// What a trip does, one thing behind the other.
#[derive(Debug)]
pub(crate) enum Step<'a> {
    /// A kernel.
    Run(Link<'a>),
    /// A kernel that decides which branch is taken: of those that are not empty it sets the condition. Their
    /// numbers become the words 1 and 2 of its arguments.
    Decide { function: &'a Function, arguments: Vec<u64>, branches: [Vec<Self>; 2] },
}

/// A kernel of one thread, with arguments in words of their own.
pub(crate) fn alone<'a>(function: &'a Function, arguments: &'a [u64]) -> Link<'a> {
    let place = |word: &u64| std::ptr::from_ref(word).cast_mut().cast::<c_void>();
    Link { function, shape: &ALONE, arguments: arguments.iter().map(place).collect() }
}

/// One block of one thread.
const ALONE: Launch = Launch { grid: [1; 3], block: [1; 3], shared: 0, cooperative: false };

/// A kernel, and others that run behind it, once or more.
#[derive(Debug)]
pub(crate) struct Cycle {
    made: Instance,
    first: CUgraphNode,
}

// SAFETY: one call at a time uses it, from whichever thread; launches are in order in their stream.
unsafe impl Send for Cycle {}
// SAFETY: its owner lets one thread at a time change or launch it.
unsafe impl Sync for Cycle {}

impl Open {
    /// One of nothing yet.
    pub(crate) fn new(context: &Arc<Context>) -> Result<Self, Failure> {
        let _current = context.enter()?;
        let graph = Graph::new(context)?;
        let mut open = Self { context: Arc::clone(context), graph, handle: 0 };
        open.handle = open.condition(open.graph.raw(), Some(1))?;
        Ok(open)
    }

    /// What the last kernel passes to `cudaGraphSetConditional`, with 0 where no other trip follows.
    pub(crate) fn handle(&self) -> u64 {
        self.handle
    }

    /// The cycle of these, whose first kernel runs once.
    ///
    /// # Safety
    ///
    /// As [`Chain::new`](super::Chain::new).
    pub(crate) unsafe fn close(
        self,
        mut first: Link<'_>,
        steps: Vec<Step<'_>>,
    ) -> Result<Cycle, Failure> {
        let _current = self.context.enter()?;
        let mut nodes = Vec::with_capacity(2);
        // SAFETY: as the caller says.
        unsafe { add(self.graph.raw(), &mut nodes, &first.params(&self.context))? };
        let [first] = nodes[..] else { return Err(Failure::invalid("cuGraphAddKernelNode_v2")) };
        let loops = CU_GRAPH_COND_TYPE_WHILE;
        let (_, body) = self.conditional((self.graph.raw(), first), self.handle, loops)?;
        // SAFETY: as the caller says; the body is alive with its graph.
        unsafe { self.fill(body, steps)? };
        Ok(Cycle { made: self.graph.instantiate()?, first })
    }

    /// Adds steps to a body.
    ///
    /// # Safety
    ///
    /// As [`Chain::new`](super::Chain::new); the body is alive.
    unsafe fn fill(&self, body: CUgraph, steps: Vec<Step<'_>>) -> Result<(), Failure> {
        let mut nodes = Vec::with_capacity(steps.len());
        for step in steps {
            let (function, mut arguments, branches) = match step {
                Step::Run(mut link) => {
                    // SAFETY: as the caller says.
                    unsafe { add(body, &mut nodes, &link.params(&self.context))? };
                    continue;
                }
                Step::Decide { function, arguments, branches } => (function, arguments, branches),
            };
            let mut handles = [0; 2];
            for (k, handle) in handles.iter_mut().enumerate() {
                if !branches[k].is_empty() {
                    *handle = self.condition(body, None)?;
                    arguments[1 + k] = *handle;
                }
            }
            // SAFETY: as the caller says; the arguments are read here.
            unsafe { add(body, &mut nodes, &alone(function, &arguments).params(&self.context))? };
            for (branch, handle) in branches.into_iter().zip(handles) {
                let Some(&last) = nodes.last().filter(|_| !branch.is_empty()) else { continue };
                let (node, inside) =
                    self.conditional((body, last), handle, CU_GRAPH_COND_TYPE_IF)?;
                nodes.push(node);
                // SAFETY: as the caller says; a branch is alive with its graph.
                unsafe { self.fill(inside, branch)? };
            }
        }
        Ok(())
    }

    /// A condition of a graph, with what it is at each launch unless it is set.
    fn condition(&self, graph: CUgraph, at_launch: Option<u32>) -> Result<u64, Failure> {
        let flags = if at_launch.is_some() { CU_GRAPH_COND_ASSIGN_DEFAULT } else { 0 };
        let (mut handle, value) = (0, at_launch.unwrap_or(0));
        let (out, context) = (&raw mut handle, self.context.raw());
        // SAFETY: the graph is alive and the context is its own; the driver writes a number.
        let code =
            unsafe { functions::cuGraphConditionalHandleCreate(out, graph, context, value, flags) };
        Failure::check("cuGraphConditionalHandleCreate", code)?;
        Ok(handle)
    }

    /// Adds what runs its body as a condition says, behind a node of a graph; and the body.
    fn conditional(
        &self,
        (graph, after): (CUgraph, CUgraphNode),
        handle: u64,
        how: CUgraphConditionalNodeType,
    ) -> Result<(CUgraphNode, CUgraph), Failure> {
        const API: &str = "cuGraphAddNode_v2";
        let mut params = CUgraphNodeParams {
            type_: CUgraphNodeType::CU_GRAPH_NODE_TYPE_CONDITIONAL,
            reserved0: [0; 3],
            __bindgen_anon_1: CUgraphNodeParams_st__bindgen_ty_1 { reserved1: [0; 29] },
            reserved2: 0,
        };
        params.__bindgen_anon_1.conditional = CUDA_CONDITIONAL_NODE_PARAMS {
            handle,
            type_: how,
            size: 1,
            phGraph_out: null_mut(),
            ctx: self.context.raw(),
        };
        let mut node = null_mut();
        // SAFETY: graph and node are alive, and edges without data are plain ones; the driver writes a handle
        // and, in the parameters of this kind of node, where its bodies are.
        let code = unsafe {
            functions::cuGraphAddNode_v2(
                &raw mut node,
                graph,
                &raw const after,
                std::ptr::null(),
                1,
                &raw mut params,
            )
        };
        Failure::check(API, code)?;
        // SAFETY: the parameters are still those of this kind of node.
        let bodies = unsafe { params.__bindgen_anon_1.conditional.phGraph_out };
        if bodies.is_null() {
            return Err(Failure::invalid(API));
        }
        // SAFETY: the driver has made as many bodies as were asked for, and the list is the node's.
        Ok((node, unsafe { bodies.read() }))
    }
}

impl Cycle {
    /// Gives the first kernel other arguments, from the next time on.
    ///
    /// # Safety
    ///
    /// As [`Chain::change`](super::Chain::change).
    pub(crate) unsafe fn change(&self, first: Link<'_>) -> Result<(), Failure> {
        // SAFETY: the node is of its graph; the rest is as the caller says.
        unsafe { self.made.change(self.first, first) }
    }

    /// Submits it. The context of the stream is current.
    ///
    /// # Safety
    ///
    /// As [`Chain::launch`](super::Chain::launch).
    pub(crate) unsafe fn launch(&self, stream: &Stream) -> Result<(), Failure> {
        // SAFETY: as the caller says.
        unsafe { self.made.launch(stream) }
    }
}
