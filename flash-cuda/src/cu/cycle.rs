//! A chain of kernels that the device runs again and again: a graph whose only other node repeats it, as long
//! as its last kernel says so. Fenced: it calls the driver with handles that are alive as long as their owners.
#![allow(unsafe_code, reason = "calls functions of the CUDA driver")]

use std::ptr::null_mut;
use std::sync::Arc;

use cudarc::driver::sys::{
    CU_GRAPH_COND_ASSIGN_DEFAULT, CUDA_CONDITIONAL_NODE_PARAMS, CUgraph,
    CUgraphConditionalNodeType, CUgraphNode, CUgraphNodeParams, CUgraphNodeParams_st__bindgen_ty_1,
    CUgraphNodeType,
};

use super::functions;
use super::graph::{Graph, Instance, Link, add};
use super::{Context, Failure, Stream};

/// A cycle that is being made.
#[derive(Debug)]
pub(crate) struct Open {
    context: Arc<Context>,
    graph: Graph,
    handle: u64,
}

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
        let mut handle = 0;
        // SAFETY: the graph is alive and the context is its own; the driver writes a number.
        let code = unsafe {
            functions::cuGraphConditionalHandleCreate(
                &raw mut handle,
                graph.raw(),
                context.raw(),
                1,
                CU_GRAPH_COND_ASSIGN_DEFAULT,
            )
        };
        Failure::check("cuGraphConditionalHandleCreate", code)?;
        Ok(Self { context: Arc::clone(context), graph, handle })
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
        links: Vec<Link<'_>>,
    ) -> Result<Cycle, Failure> {
        let _current = self.context.enter()?;
        let mut nodes = Vec::with_capacity(2);
        // SAFETY: as the caller says.
        unsafe { add(self.graph.raw(), &mut nodes, &first.params(&self.context))? };
        let [first] = nodes[..] else { return Err(Failure::invalid("cuGraphAddKernelNode_v2")) };
        let (body, mut inside) = (self.add_body(first)?, Vec::with_capacity(links.len()));
        for mut link in links {
            // SAFETY: as the caller says; the body is alive with its graph.
            unsafe { add(body, &mut inside, &link.params(&self.context))? };
        }
        Ok(Cycle { made: self.graph.instantiate()?, first })
    }

    /// Adds what repeats its body, behind a node; the body.
    fn add_body(&self, after: CUgraphNode) -> Result<CUgraph, Failure> {
        const API: &str = "cuGraphAddNode_v2";
        let mut params = CUgraphNodeParams {
            type_: CUgraphNodeType::CU_GRAPH_NODE_TYPE_CONDITIONAL,
            reserved0: [0; 3],
            __bindgen_anon_1: CUgraphNodeParams_st__bindgen_ty_1 { reserved1: [0; 29] },
            reserved2: 0,
        };
        params.__bindgen_anon_1.conditional = CUDA_CONDITIONAL_NODE_PARAMS {
            handle: self.handle,
            type_: CUgraphConditionalNodeType::CU_GRAPH_COND_TYPE_WHILE,
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
                self.graph.raw(),
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
        Ok(unsafe { bodies.read() })
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
