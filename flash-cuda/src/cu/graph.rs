//! Launches that are one call of the driver: a chain of kernels, made once. Fenced: it calls the driver with
//! handles that are alive as long as their owners.
#![allow(unsafe_code, reason = "calls functions of the CUDA driver")]

use std::ffi::c_void;
use std::ptr::null_mut;
use std::sync::Arc;

use cudarc::driver::sys::{CUDA_KERNEL_NODE_PARAMS, CUgraph, CUgraphExec};

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
    context: Arc<Context>,
    raw: CUgraphExec,
}

// SAFETY: one call at a time uses it, from whichever thread; launches are in order in their stream.
unsafe impl Send for Chain {}

/// The description that a chain is made of.
struct Graph(CUgraph);

impl Drop for Graph {
    fn drop(&mut self) {
        // SAFETY: it is ours; what was made of it goes on without it.
        unsafe { functions::cuGraphDestroy(self.0) };
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
        let mut graph = null_mut();
        // SAFETY: a context is current, and the driver writes a handle.
        Failure::check("cuGraphCreate", unsafe { functions::cuGraphCreate(&raw mut graph, 0) })?;
        let (graph, mut before) = (Graph(graph), null_mut());
        for (k, mut link) in links.into_iter().enumerate() {
            // What runs all blocks at once is in no chain.
            let Launch { grid, block, shared, .. } = *link.shape;
            let params = CUDA_KERNEL_NODE_PARAMS {
                func: link.function.raw(),
                gridDimX: grid[0],
                gridDimY: grid[1],
                gridDimZ: grid[2],
                blockDimX: block[0],
                blockDimY: block[1],
                blockDimZ: block[2],
                sharedMemBytes: shared,
                kernelParams: link.arguments.as_mut_ptr(),
                extra: null_mut(),
                kern: null_mut(),
                ctx: context.raw(),
            };
            let (mut node, n) = (null_mut(), usize::from(k > 0));
            // SAFETY: graph and function are alive, there is one node before but for the first, and the
            // arguments are as the caller says.
            let code = unsafe {
                functions::cuGraphAddKernelNode_v2(
                    &raw mut node,
                    graph.0,
                    &raw const before,
                    n,
                    &raw const params,
                )
            };
            Failure::check("cuGraphAddKernelNode_v2", code)?;
            before = node;
        }
        let mut raw = null_mut();
        // SAFETY: the graph is alive, and the driver writes a handle.
        let code = unsafe { functions::cuGraphInstantiateWithFlags(&raw mut raw, graph.0, 0) };
        Failure::check("cuGraphInstantiateWithFlags", code)?;
        Ok(Self { context: Arc::clone(context), raw })
    }

    /// Submits it. The context of the stream is current.
    ///
    /// # Safety
    ///
    /// Until it is over, the functions may use what they do with the arguments that it was made with.
    pub(crate) unsafe fn launch(&self, stream: &Stream) -> Result<(), Failure> {
        if !Arc::ptr_eq(&self.context, stream.context()) || !self.context.is_alive() {
            return Err(Failure::gone("cuGraphLaunch"));
        }
        // SAFETY: chain and stream are alive and of one context; the rest is as the caller says.
        let code = unsafe { functions::cuGraphLaunch(self.raw, stream.raw()) };
        Failure::check("cuGraphLaunch", code)
    }
}

impl Drop for Chain {
    fn drop(&mut self) {
        // SAFETY: it is ours; what runs of it goes on.
        self.context.if_alive(|| unsafe {
            functions::cuGraphExecDestroy(self.raw);
        });
    }
}
