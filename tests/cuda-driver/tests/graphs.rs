//! Graphs that are built node by node: order, updates, and nodes that run under a condition.

mod common;

use std::ptr::{null, null_mut};
use std::sync::Arc;

use common::{driver, ok};
use cudarc::driver::sys::{self, CUresult};
use cudarc::driver::{CudaContext, CudaStream, result};
use flash_test_cuda::TestDriver;

/// A stream, and 16 bytes of its device.
struct Bench {
    stream: Arc<CudaStream>,
    there: u64,
    cx: Arc<CudaContext>,
    // It is dropped last, as the next test may begin then.
    driver: TestDriver,
}

impl Bench {
    fn new() -> Self {
        let driver = driver("");
        let cx = CudaContext::new(0).expect("a device");
        let stream = cx.new_stream().expect("a stream");
        // SAFETY: it is freed with its context.
        let there = unsafe { result::malloc_sync(16) }.expect("room");
        Self { stream, there, cx, driver }
    }

    /// A fill of some of the bytes.
    fn fill(&self, offset: u64, value: u32, width: usize) -> sys::CUDA_MEMSET_NODE_PARAMS {
        sys::CUDA_MEMSET_NODE_PARAMS {
            dst: self.there + offset,
            pitch: 0,
            value,
            elementSize: 1,
            width,
            height: 1,
        }
    }

    fn add(
        &self,
        graph: sys::CUgraph,
        after: &[sys::CUgraphNode],
        fill: sys::CUDA_MEMSET_NODE_PARAMS,
    ) -> sys::CUgraphNode {
        let mut node = null_mut();
        // SAFETY: the lists have these lengths.
        ok(unsafe {
            sys::cuGraphAddMemsetNode(
                &mut node,
                graph,
                after.as_ptr(),
                after.len(),
                &fill,
                null_mut(),
            )
        });
        node
    }

    fn run(&self, exec: sys::CUgraphExec) -> Vec<u8> {
        // SAFETY: the graph is alive.
        unsafe { result::graph::launch(exec, self.stream.cu_stream()) }.expect("launched");
        self.stream.synchronize().expect("done");
        self.driver.peek(self.there, 4)
    }
}

fn graph() -> sys::CUgraph {
    let mut graph = null_mut();
    // SAFETY: the result is a handle.
    ok(unsafe { sys::cuGraphCreate(&mut graph, 0) });
    graph
}

fn instantiate(graph: sys::CUgraph) -> sys::CUgraphExec {
    // SAFETY: the graph is alive.
    unsafe { result::graph::instantiate(graph, sys::CUgraphInstantiate_flags(0)) }
        .expect("an executable graph")
}

#[test]
fn nodes_run_after_those_they_name() {
    let bench = Bench::new();
    let graph = graph();
    let last = bench.add(graph, &[], bench.fill(0, 3, 1));
    let second = bench.add(graph, &[], bench.fill(0, 2, 2));
    let first = bench.add(graph, &[], bench.fill(0, 1, 3));
    let (from, to) = ([first, second], [second, last]);
    // SAFETY: both lists have two nodes.
    ok(unsafe { sys::cuGraphAddDependencies_v2(graph, from.as_ptr(), to.as_ptr(), null(), 2) });
    let exec = instantiate(graph);
    assert_eq!(bench.run(exec), [3, 2, 1, 0xfe]);
    let mut count = 0;
    // SAFETY: only the number of edges is asked for.
    ok(unsafe { sys::cuGraphGetEdges_v2(graph, null_mut(), null_mut(), null_mut(), &mut count) });
    assert_eq!(count, 2);
    // SAFETY: both lists have one node.
    ok(unsafe { sys::cuGraphAddDependencies_v2(graph, &last, &first, null(), 1) });
    let mut round = null_mut();
    // SAFETY: the driver is to refuse it.
    let code = unsafe { sys::cuGraphInstantiateWithFlags(&mut round, graph, 0) };
    assert_eq!(code, CUresult::CUDA_ERROR_INVALID_VALUE, "it goes round in a circle");
}

#[test]
fn parameters_are_replaced_in_place() {
    let bench = Bench::new();
    let (graph, other) = (graph(), graph());
    let node = bench.add(graph, &[], bench.fill(0, 1, 2));
    let exec = instantiate(graph);
    assert_eq!(bench.run(exec), [1, 1, 0xfe, 0xfe]);
    let new = bench.fill(1, 2, 2);
    // SAFETY: the node is one of the graph.
    ok(unsafe { sys::cuGraphExecMemsetNodeSetParams(exec, node, &new, null_mut()) });
    assert_eq!(bench.run(exec), [1, 2, 2, 0xfe]);
    let before = bench.add(other, &[], bench.fill(3, 9, 1));
    let mut result = update_result();
    // SAFETY: both graphs are alive.
    ok(unsafe { sys::cuGraphExecUpdate_v2(exec, other, &mut result) });
    assert_eq!(bench.run(exec), [1, 2, 2, 9]);
    // The node has kept its handle.
    // SAFETY: the node is one of the graph.
    ok(unsafe { sys::cuGraphExecMemsetNodeSetParams(exec, node, &new, null_mut()) });
    bench.add(other, &[before], bench.fill(0, 0, 1));
    // SAFETY: the driver is to refuse it, as the shape is another.
    let code = unsafe { sys::cuGraphExecUpdate_v2(exec, other, &mut result) };
    assert_eq!(code, CUresult::CUDA_ERROR_GRAPH_EXEC_UPDATE_FAILURE);
}

fn update_result() -> sys::CUgraphExecUpdateResultInfo {
    sys::CUgraphExecUpdateResultInfo {
        result: sys::CUgraphExecUpdateResult::CU_GRAPH_EXEC_UPDATE_SUCCESS,
        errorNode: null_mut(),
        errorFromNode: null_mut(),
    }
}

/// A conditional node, and the graphs of its bodies.
fn conditional(
    graph: sys::CUgraph,
    handle: u64,
    kind: sys::CUgraphConditionalNodeType,
    bodies: u32,
) -> Vec<sys::CUgraph> {
    // SAFETY: zeros are a node of a kernel, and all others are set below.
    let mut params: sys::CUgraphNodeParams = unsafe { std::mem::zeroed() };
    params.type_ = sys::CUgraphNodeType::CU_GRAPH_NODE_TYPE_CONDITIONAL;
    params.__bindgen_anon_1.conditional = sys::CUDA_CONDITIONAL_NODE_PARAMS {
        handle,
        type_: kind,
        size: bodies,
        phGraph_out: null_mut(),
        ctx: null_mut(),
    };
    let mut node = null_mut();
    // SAFETY: there are no dependencies.
    ok(unsafe { sys::cuGraphAddNode_v2(&mut node, graph, null(), null(), 0, &mut params) });
    let mut kind = sys::CUgraphNodeType::CU_GRAPH_NODE_TYPE_EMPTY;
    // SAFETY: the node was made above.
    ok(unsafe { sys::cuGraphNodeGetType(node, &mut kind) });
    assert_eq!(kind, sys::CUgraphNodeType::CU_GRAPH_NODE_TYPE_CONDITIONAL);
    // SAFETY: it is the member that was written.
    let list = unsafe { params.__bindgen_anon_1.conditional.phGraph_out };
    // SAFETY: the driver has put a list of as many graphs there.
    unsafe { std::slice::from_raw_parts(list, bodies as usize) }.to_vec()
}

fn condition(graph: sys::CUgraph, cx: sys::CUcontext, value: u32) -> u64 {
    let mut handle = 0;
    // SAFETY: the graph and the context are alive; 1 stands for a value at each launch.
    ok(unsafe { sys::cuGraphConditionalHandleCreate(&mut handle, graph, cx, value, 1) });
    handle
}

#[test]
fn a_condition_chooses_the_body() {
    use sys::CUgraphConditionalNodeType::CU_GRAPH_COND_TYPE_IF;
    let bench = Bench::new();
    for (value, wanted) in [(1, [5, 0xfe]), (0, [5, 6])] {
        let graph = graph();
        let handle = condition(graph, bench.cx.cu_ctx(), value);
        let bodies = conditional(graph, handle, CU_GRAPH_COND_TYPE_IF, 2);
        bench.add(bodies[0], &[], bench.fill(0, 5, 1));
        bench.add(bodies[1], &[], bench.fill(1, 6, 1));
        assert_eq!(bench.run(instantiate(graph))[..2], wanted);
    }
    assert_eq!(bench.driver.alive().graphs, 6);
}

#[test]
fn a_loop_whose_condition_is_zero_runs_never() {
    use sys::CUgraphConditionalNodeType::CU_GRAPH_COND_TYPE_WHILE;
    let bench = Bench::new();
    let graph = graph();
    let handle = condition(graph, bench.cx.cu_ctx(), 0);
    let bodies = conditional(graph, handle, CU_GRAPH_COND_TYPE_WHILE, 1);
    bench.add(bodies[0], &[], bench.fill(0, 5, 1));
    assert_eq!(bench.run(instantiate(graph)), [0xfe; 4]);
    // SAFETY: the graph is not used again.
    unsafe { result::graph::destroy(graph) }.expect("ended");
    assert_eq!(bench.driver.alive().graphs, 0, "its body ends with it");
}

#[test]
fn a_graph_within_a_graph_is_a_copy_of_it() {
    let bench = Bench::new();
    let (outer, inner) = (graph(), graph());
    bench.add(inner, &[], bench.fill(0, 7, 1));
    let mut node = null_mut();
    // SAFETY: there are no dependencies.
    ok(unsafe { sys::cuGraphAddChildGraphNode(&mut node, outer, null(), 0, inner) });
    bench.add(inner, &[], bench.fill(1, 8, 1));
    bench.add(outer, &[node], bench.fill(2, 9, 1));
    assert_eq!(bench.run(instantiate(outer)), [7, 0xfe, 9, 0xfe]);
}

#[test]
fn launches_of_one_graph_follow_one_another_in_whichever_stream() {
    let bench = Bench::new();
    bench.driver.set("delay=graph:5000").expect("a setting");
    let graph = graph();
    let node = bench.add(graph, &[], bench.fill(0, 1, 1));
    let exec = instantiate(graph);
    let other = bench.cx.new_stream().expect("a stream");
    // SAFETY: the graph is alive.
    unsafe { result::graph::launch(exec, bench.stream.cu_stream()) }.expect("launched");
    let new = bench.fill(0, 2, 1);
    // SAFETY: the node is one of the graph.
    ok(unsafe { sys::cuGraphExecMemsetNodeSetParams(exec, node, &new, null_mut()) });
    // SAFETY: the graph is alive.
    unsafe { result::graph::launch(exec, other.cu_stream()) }.expect("launched");
    other.synchronize().expect("done");
    assert_eq!(bench.driver.peek(bench.there, 1), [2], "the second launch was the last one");
}
