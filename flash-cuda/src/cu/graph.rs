//! Launches that are one call of the driver: a chain of kernels, made once. Fenced: it calls the driver with
//! handles that are alive as long as their owners.
#![allow(unsafe_code, reason = "calls functions of the CUDA driver")]

use std::ffi::c_void;
use std::ptr::null_mut;
use std::sync::Arc;

use cudarc::driver::sys::{CUDA_KERNEL_NODE_PARAMS, CUgraph, CUgraphExec, CUgraphNode};

use super::functions;
use super::{Context, Failure, Function, Launch, Stream};

/// A kernel of a chain.
#[derive(Debug)]
pub(crate) struct Link<'a> {
    pub(crate) function: &'a Function,
    pub(crate) shape: &'a Launch,
    /// The addresses of its arguments, which are read when the chain is made.
    pub(crate) arguments: Vec<*mut c_void>,
}

/// A graph of the driver whose kernels run one after the other.
#[derive(Debug)]
pub(crate) struct Chain {
    made: Instance,
    /// Its kernels, in their order, as the graph knows them.
    nodes: Vec<CUgraphNode>,
}

// SAFETY: one call at a time uses it, from whichever thread; launches are in order in their stream.
unsafe impl Send for Chain {}

/// What can be launched of a graph.
#[derive(Debug)]
pub(super) struct Instance {
    raw: CUgraphExec,
    /// The nodes are of it, so it stays.
    graph: Graph,
}

/// The description that something is made of which can be launched.
#[derive(Debug)]
pub(super) struct Graph {
    context: Arc<Context>,
    raw: CUgraph,
}

/// Adds a kernel to a graph, behind the last one.
///
/// # Safety
///
/// As [`Chain::new`]; the graph is alive.
pub(super) unsafe fn add(
    graph: CUgraph,
    nodes: &mut Vec<CUgraphNode>,
    params: &CUDA_KERNEL_NODE_PARAMS,
) -> Result<(), Failure> {
    let before = nodes.last().copied().unwrap_or(null_mut());
    let (mut node, n) = (null_mut(), usize::from(!nodes.is_empty()));
    // SAFETY: graph and function are alive, there is one node before but for the first, and the
    // arguments are as the caller says.
    let code = unsafe {
        functions::cuGraphAddKernelNode_v2(&raw mut node, graph, &raw const before, n, params)
    };
    Failure::check("cuGraphAddKernelNode_v2", code)?;
    nodes.push(node);
    Ok(())
}

impl Graph {
    /// One without nodes. Its context is current.
    pub(super) fn new(context: &Arc<Context>) -> Result<Self, Failure> {
        let mut raw = null_mut();
        // SAFETY: a context is current, and the driver writes a handle.
        Failure::check("cuGraphCreate", unsafe { functions::cuGraphCreate(&raw mut raw, 0) })?;
        Ok(Self { context: Arc::clone(context), raw })
    }

    /// What the driver knows it by.
    pub(super) fn raw(&self) -> CUgraph {
        self.raw
    }

    /// What can be launched of it as it is now.
    pub(super) fn instantiate(self) -> Result<Instance, Failure> {
        let mut raw = null_mut();
        // SAFETY: the graph is alive, and the driver writes a handle.
        let code = unsafe { functions::cuGraphInstantiateWithFlags(&raw mut raw, self.raw, 0) };
        Failure::check("cuGraphInstantiateWithFlags", code)?;
        Ok(Instance { raw, graph: self })
    }
}

impl Instance {
    /// Gives a kernel other arguments, from the next launch on.
    ///
    /// # Safety
    ///
    /// As [`Chain::new`]; the node is of the graph, and the function is the one that it was made with.
    pub(super) unsafe fn change(
        &self,
        node: CUgraphNode,
        mut link: Link<'_>,
    ) -> Result<(), Failure> {
        let context = &self.graph.context;
        let _current = context.enter()?;
        let params = link.params(context);
        // SAFETY: it is alive, and so is the graph of the node; the rest is as the caller says.
        let code = unsafe {
            functions::cuGraphExecKernelNodeSetParams_v2(self.raw, node, &raw const params)
        };
        Failure::check("cuGraphExecKernelNodeSetParams_v2", code)
    }

    /// Submits it. The context of the stream is current.
    ///
    /// # Safety
    ///
    /// Until it is over, the functions may use what they do with the arguments that it was made with.
    pub(super) unsafe fn launch(&self, stream: &Stream) -> Result<(), Failure> {
        let context = &self.graph.context;
        if !Arc::ptr_eq(context, stream.context()) {
            return Err(Failure::gone("cuGraphLaunch"));
        }
        // SAFETY: both are alive and of one context; the rest is as the caller says.
        let code = unsafe { functions::cuGraphLaunch(self.raw, stream.raw()) };
        Failure::check("cuGraphLaunch", code)
    }
}

impl Drop for Instance {
    fn drop(&mut self) {
        // SAFETY: it is ours; what runs of it goes on.
        self.graph.context.if_alive(|| unsafe {
            functions::cuGraphExecDestroy(self.raw);
        });
    }
}

impl Link<'_> {
    /// As the driver describes it.
    pub(super) fn params(&mut self, context: &Context) -> CUDA_KERNEL_NODE_PARAMS {
        // What runs all blocks at once is in no chain.
        let Launch { grid, block, shared, .. } = *self.shape;
        CUDA_KERNEL_NODE_PARAMS {
            func: self.function.raw(),
            gridDimX: grid[0],
            gridDimY: grid[1],
            gridDimZ: grid[2],
            blockDimX: block[0],
            blockDimY: block[1],
            blockDimZ: block[2],
            sharedMemBytes: shared,
            kernelParams: self.arguments.as_mut_ptr(),
            extra: null_mut(),
            kern: null_mut(),
            ctx: context.raw(),
        }
    }
}

impl Drop for Graph {
    fn drop(&mut self) {
        // SAFETY: it is ours; what was made of it goes on without it.
        self.context.if_alive(|| unsafe {
            functions::cuGraphDestroy(self.raw);
        });
    }
}

impl Chain {
    /// A chain of these.
    ///
    /// # Safety
    ///
    /// There is an address for each parameter, of as many bytes as that has. Whenever the chain runs, the
    /// functions may use what they do with these arguments.
    pub(crate) unsafe fn new(
        context: &Arc<Context>,
        links: Vec<Link<'_>>,
    ) -> Result<Self, Failure> {
        let _current = context.enter()?;
        let (graph, mut nodes) = (Graph::new(context)?, Vec::with_capacity(links.len()));
        for mut link in links {
            // SAFETY: as the caller says; the graph is alive.
            unsafe { add(graph.raw, &mut nodes, &link.params(context))? };
        }
        Ok(Self { made: graph.instantiate()?, nodes })
    }

    /// Gives the kernel of a number other arguments, from the next time on that the chain runs.
    ///
    /// # Safety
    ///
    /// As [`Chain::new`]; the function is the one that the chain was made with there.
    pub(crate) unsafe fn change(&self, number: usize, link: Link<'_>) -> Result<(), Failure> {
        const API: &str = "cuGraphExecKernelNodeSetParams_v2";
        let Some(&node) = self.nodes.get(number) else { return Err(Failure::invalid(API)) };
        // SAFETY: the node is of its graph; the rest is as the caller says.
        unsafe { self.made.change(node, link) }
    }

    /// Submits it. The context of the stream is current.
    ///
    /// # Safety
    ///
    /// Until it is over, the functions may use what they do with the arguments that it was made with.
    pub(crate) unsafe fn launch(&self, stream: &Stream) -> Result<(), Failure> {
        // SAFETY: as the caller says.
        unsafe { self.made.launch(stream) }
    }
}
