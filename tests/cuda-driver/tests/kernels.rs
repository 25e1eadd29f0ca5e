//! Kernels on the driver: launches, faults, variables, images, and kernels in graphs.

mod common;

use std::ptr::{null, null_mut};
use std::sync::Arc;

use common::{code, driver, ok};
use cudarc::driver::sys::{self, CUresult, CUstreamCaptureMode};
use cudarc::driver::{CudaContext, CudaModule, LaunchConfig, PushKernelArg};
use cudarc::nvrtc::Ptx;
use flash_test_cuda::Code;

/// `add` adds a number to floats, `spoil` writes to an address, `count` counts down
/// and sets a condition, `turn` turns a block around in
/// shared memory, `scale` multiplies by a variable.
const KERNELS: &str = include_str!("kernels.ptx");

fn module(cx: &Arc<CudaContext>) -> Arc<CudaModule> {
    cx.load_module(Ptx::from_src(KERNELS)).expect("a module")
}

fn shape(blocks: u32, threads: u32) -> LaunchConfig {
    LaunchConfig { grid_dim: (blocks, 1, 1), block_dim: (threads, 1, 1), shared_mem_bytes: 0 }
}

#[test]
fn a_kernel_computes() {
    let driver = driver("");
    let cx = CudaContext::new(0).expect("a device");
    let stream = cx.new_stream().expect("a stream");
    let add = module(&cx).load_function("add").expect("a kernel");
    let mut there = stream.clone_htod(&[1f32, 2.0, 3.0, 4.0, 5.0]).expect("room");
    driver.log(true);
    let mut launch = stream.launch_builder(&add);
    launch.arg(&mut there).arg(&4u32).arg(&0.5f32);
    // SAFETY: the kernel has these parameters.
    unsafe { launch.launch(shape(3, 2)) }.expect("launched");
    assert_eq!(stream.clone_dtoh(&there).expect("a copy"), [1.5, 2.5, 3.5, 4.5, 5.0]);
    let calls = driver.calls();
    let launch = calls.iter().find(|it| it.name == "cuLaunchKernel").expect("in the log");
    assert_eq!(launch.detail, "add, 3 x 1 x 1 blocks of 2 x 1 x 1");
    assert_eq!((launch.device, launch.waited), (Some(0), false));
}

#[test]
fn a_kernel_that_reaches_beyond_its_memory_spoils_the_context() {
    let driver = driver("");
    let cx = CudaContext::new(0).expect("a device");
    let stream = cx.new_stream().expect("a stream");
    let spoil = module(&cx).load_function("spoil").expect("a kernel");
    let address = 0x10_0000u64;
    let mut launch = stream.launch_builder(&spoil);
    launch.arg(&address);
    // SAFETY: the driver is to notice the address.
    unsafe { launch.launch(shape(1, 1)) }.expect("launched");
    assert_eq!(code(stream.synchronize()), Code::ILLEGAL_ADDRESS.0);
    assert_eq!(code(cx.synchronize()), Code::ILLEGAL_ADDRESS.0, "the error stays");
    let why = driver.why(0);
    assert!(why.contains("`spoil`") && why.contains("0x100000"), "{why}");
    // SAFETY: what belongs to the context is not used again.
    ok(unsafe { sys::cuDevicePrimaryCtxReset_v2(0) });
    CudaContext::new(0).expect("a device").synchronize().expect("it is well");
}

#[test]
fn memory_of_another_device_needs_peer_access() {
    let driver = driver("devices=2");
    let (a, b) = (CudaContext::new(0).expect("a device"), CudaContext::new(1).expect("another"));
    // SAFETY: this test orders its streams itself.
    unsafe { a.disable_event_tracking() };
    let there = a.new_stream().expect("a stream").clone_htod(&[1f32]).expect("room");
    a.synchronize().expect("done");
    for is_peer in [true, false] {
        let stream = b.new_stream().expect("a stream");
        let add = module(&b).load_function("add").expect("a kernel");
        b.bind_to_thread().expect("current");
        if is_peer {
            // SAFETY: both contexts are alive.
            ok(unsafe { sys::cuCtxEnablePeerAccess(a.cu_ctx(), 0) });
        } else {
            // SAFETY: both contexts are alive.
            ok(unsafe { sys::cuCtxDisablePeerAccess(a.cu_ctx()) });
        }
        let address = address_of(&there, &a);
        let mut launch = stream.launch_builder(&add);
        launch.arg(&address).arg(&1u32).arg(&1f32);
        // SAFETY: the kernel has these parameters.
        unsafe { launch.launch(shape(1, 1)) }.expect("launched");
        if is_peer {
            stream.synchronize().expect("it may");
        } else {
            assert_eq!(code(stream.synchronize()), Code::ILLEGAL_ADDRESS.0);
        }
    }
    let bytes = driver.peek(address_of(&there, &a), 4);
    assert_eq!(bytes, 2f32.to_le_bytes());
}

fn address_of(slice: &cudarc::driver::CudaSlice<f32>, cx: &Arc<CudaContext>) -> u64 {
    use cudarc::driver::DevicePtr;
    let stream = cx.default_stream();
    let (address, _order) = slice.device_ptr(&stream);
    address
}

#[test]
fn a_kernel_reaches_pinned_memory_of_the_host() {
    let _driver = driver("");
    let cx = CudaContext::new(0).expect("a device");
    let stream = cx.new_stream().expect("a stream");
    let add = module(&cx).load_function("add").expect("a kernel");
    // SAFETY: it is written before it is read.
    let mut pinned = unsafe { cx.alloc_pinned::<f32>(2) }.expect("pinned memory");
    pinned.as_mut_slice().expect("writable").copy_from_slice(&[1.0, 2.0]);
    let address = pinned.as_ptr().expect("an address") as u64;
    let mut launch = stream.launch_builder(&add);
    launch.arg(&address).arg(&2u32).arg(&1f32);
    // SAFETY: the kernel has these parameters.
    unsafe { launch.launch(shape(1, 2)) }.expect("launched");
    stream.synchronize().expect("done");
    assert_eq!(pinned.as_slice().expect("readable"), [2.0, 3.0]);
}

#[test]
fn shared_memory_is_given_up_to_its_limit() {
    let _driver = driver("");
    let cx = CudaContext::new(0).expect("a device");
    let stream = cx.new_stream().expect("a stream");
    let turn = module(&cx).load_function("turn").expect("a kernel");
    let mut there = stream.clone_htod(&[1u32, 2, 3, 4]).expect("room");
    let mut run = |threads: u32, shared: u32| {
        let mut launch = stream.launch_builder(&turn);
        launch.arg(&mut there);
        let mut shape = shape(1, threads);
        shape.shared_mem_bytes = shared;
        // SAFETY: the kernel has this parameter.
        unsafe { launch.launch(shape) }.map(|_| ())
    };
    run(4, 16).expect("launched");
    assert_eq!(code(run(4, (48 << 10) + 1)), Code::INVALID_VALUE.0);
    assert_eq!(code(run(1025, 16)), Code::INVALID_VALUE.0);
    turn.set_attribute(
        sys::CUfunction_attribute::CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES,
        64 << 10,
    )
    .expect("more");
    run(4, 64 << 10).expect("launched");
    assert_eq!(stream.clone_dtoh(&there).expect("a copy"), [1, 2, 3, 4], "turned twice");
}

#[test]
fn variables_of_a_module_have_addresses() {
    let driver = driver("");
    let cx = CudaContext::new(0).expect("a device");
    let stream = cx.new_stream().expect("a stream");
    let module = module(&cx);
    let mut factor = module.get_global("factor", &stream).expect("a variable");
    assert_eq!(factor.len(), 4);
    let scale = module.load_function("scale").expect("a kernel");
    let mut there = stream.clone_htod(&[3u32]).expect("room");
    for (set, wanted) in [(None, 6), (Some(5u32), 30)] {
        if let Some(set) = set {
            stream.memcpy_htod(&set.to_le_bytes(), &mut factor).expect("a copy");
        }
        let mut launch = stream.launch_builder(&scale);
        launch.arg(&mut there);
        // SAFETY: the kernel has this parameter.
        unsafe { launch.launch(shape(1, 1)) }.expect("launched");
        assert_eq!(stream.clone_dtoh(&there).expect("a copy"), [wanted]);
    }
    assert_eq!(driver.alive().allocations, 1, "a variable is no allocation");
}

#[test]
fn a_kernel_tells_its_parameters() {
    let _driver = driver("");
    let cx = CudaContext::new(0).expect("a device");
    let add = module(&cx).load_function("add").expect("a kernel");
    let handle = add.cu_function();
    let found: Vec<_> = (0..4)
        .map(|number| {
            let (mut offset, mut size) = (0, 0);
            // SAFETY: both results are numbers.
            let code = unsafe { sys::cuFuncGetParamInfo(handle, number, &mut offset, &mut size) };
            (code == CUresult::CUDA_SUCCESS).then_some((offset, size))
        })
        .collect();
    assert_eq!(found, [Some((0, 8)), Some((8, 4)), Some((12, 4)), None]);
    assert_eq!(code(module(&cx).load_function("subtract")), Code::NOT_FOUND.0);
}

#[test]
fn images_are_refused_with_a_reason() {
    let driver = driver("capability=7.5,version=12080");
    let cx = CudaContext::new(0).expect("a device");
    let head = |version: &str, target: &str| {
        format!(".version {version}\n.target {target}\n.address_size 64\n")
    };
    let load = |text: String| code(cx.load_module(Ptx::from_src(text)));
    assert_eq!(load(head("9.0", "sm_75")), Code::UNSUPPORTED_PTX_VERSION.0);
    assert!(driver.trouble().contains("9.0"), "{}", driver.trouble());
    assert_eq!(load(head("8.7", "sm_90a")), Code::NO_BINARY_FOR_GPU.0);
    assert_eq!(load(head("8.7", "sm_75") + ".entry nonsense"), Code::INVALID_PTX.0);
    assert!(driver.trouble().contains("line"), "{}", driver.trouble());
    let mut log = [1u8; 256];
    let text = std::ffi::CString::new(head("9.0", "sm_75")).expect("no zero");
    let mut options = [
        sys::CUjit_option::CU_JIT_ERROR_LOG_BUFFER,
        sys::CUjit_option::CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES,
    ];
    let mut values = [log.as_mut_ptr().cast(), std::ptr::without_provenance_mut(log.len())];
    let mut module = null_mut();
    // SAFETY: the options and their values have the same length, and the buffer the one that is given.
    let code = unsafe {
        sys::cuModuleLoadDataEx(
            &mut module,
            text.as_ptr().cast(),
            2,
            options.as_mut_ptr(),
            values.as_mut_ptr(),
        )
    };
    assert_eq!(code, CUresult::CUDA_ERROR_UNSUPPORTED_PTX_VERSION);
    let end = log.iter().position(|&byte| byte == 0).expect("it ends");
    assert!(String::from_utf8_lossy(&log[..end]).contains("version 9.0"), "{:?}", &log[..end]);
}

#[test]
fn captured_kernels_are_replayed_and_get_new_arguments() {
    let _driver = driver("");
    let cx = CudaContext::new(0).expect("a device");
    // SAFETY: this test orders its streams itself.
    unsafe { cx.disable_event_tracking() };
    let stream = cx.new_stream().expect("a stream");
    let add = module(&cx).load_function("add").expect("a kernel");
    let mut there = stream.clone_htod(&[0f32; 3]).expect("room");
    let address = address_of(&there, &cx);
    stream
        .begin_capture(CUstreamCaptureMode::CU_STREAM_CAPTURE_MODE_THREAD_LOCAL)
        .expect("a capture");
    for step in [1f32, 10.0] {
        let mut launch = stream.launch_builder(&add);
        launch.arg(&mut there).arg(&3u32).arg(&step);
        // SAFETY: the kernel has these parameters.
        unsafe { launch.launch(shape(1, 3)) }.expect("captured");
    }
    let graph =
        stream.end_capture(sys::CUgraphInstantiate_flags(0)).expect("a graph").expect("a graph");
    for _ in 0..3 {
        graph.launch().expect("launched");
    }
    assert_eq!(stream.clone_dtoh(&there).expect("a copy"), [33.0; 3]);
    let mut nodes = [null_mut(); 2];
    let mut count = 2;
    // SAFETY: there is room for both nodes.
    ok(unsafe { sys::cuGraphGetNodes(graph.cu_graph(), nodes.as_mut_ptr(), &mut count) });
    assert_eq!(count, 2);
    let (mut items, mut step) = (1u32, 100f32);
    let mut pointers =
        [(&raw const address).cast_mut().cast(), (&raw mut items).cast(), (&raw mut step).cast()];
    let params = kernel_params(add.cu_function(), &mut pointers);
    // SAFETY: the arguments are those of the kernel.
    ok(unsafe { sys::cuGraphExecKernelNodeSetParams_v2(graph.cu_graph_exec(), nodes[1], &params) });
    graph.launch().expect("launched");
    assert_eq!(stream.clone_dtoh(&there).expect("a copy"), [134.0, 34.0, 34.0]);
}

fn kernel_params(
    function: sys::CUfunction,
    pointers: &mut [*mut std::ffi::c_void],
) -> sys::CUDA_KERNEL_NODE_PARAMS {
    sys::CUDA_KERNEL_NODE_PARAMS {
        func: function,
        gridDimX: 1,
        gridDimY: 1,
        gridDimZ: 1,
        blockDimX: 3,
        blockDimY: 1,
        blockDimZ: 1,
        sharedMemBytes: 0,
        kernelParams: pointers.as_mut_ptr(),
        extra: null_mut(),
        kern: null_mut(),
        ctx: null_mut(),
    }
}

#[test]
fn a_loop_on_the_device_ends_when_its_kernel_says_so() {
    let driver = driver("");
    let cx = CudaContext::new(0).expect("a device");
    let stream = cx.new_stream().expect("a stream");
    let count = module(&cx).load_function("count").expect("a kernel");
    let there = stream.clone_htod(&[5u32, 0]).expect("room");
    let (mut graph, mut handle) = (null_mut(), 0u64);
    // SAFETY: the result is a handle.
    ok(unsafe { sys::cuGraphCreate(&mut graph, 0) });
    // SAFETY: graph and context are alive; 1 stands for a value at each launch.
    ok(unsafe { sys::cuGraphConditionalHandleCreate(&mut handle, graph, cx.cu_ctx(), 1, 1) });
    // SAFETY: zeros are a node of a kernel, and all others are set below.
    let mut params: sys::CUgraphNodeParams = unsafe { std::mem::zeroed() };
    params.type_ = sys::CUgraphNodeType::CU_GRAPH_NODE_TYPE_CONDITIONAL;
    params.__bindgen_anon_1.conditional = sys::CUDA_CONDITIONAL_NODE_PARAMS {
        handle,
        type_: sys::CUgraphConditionalNodeType::CU_GRAPH_COND_TYPE_WHILE,
        size: 1,
        phGraph_out: null_mut(),
        ctx: cx.cu_ctx(),
    };
    let mut node = null_mut();
    // SAFETY: there are no dependencies.
    ok(unsafe { sys::cuGraphAddNode_v2(&mut node, graph, null(), null(), 0, &mut params) });
    // SAFETY: it is the member that was written.
    let bodies = unsafe { params.__bindgen_anon_1.conditional.phGraph_out };
    // SAFETY: the driver has put a list of one graph there.
    let body = unsafe { bodies.read() };
    let address = {
        use cudarc::driver::DevicePtr;
        there.device_ptr(&stream).0
    };
    let mut pointers =
        [(&raw const address).cast_mut().cast(), (&raw mut handle).cast::<std::ffi::c_void>()];
    let mut kernel = kernel_params(count.cu_function(), &mut pointers);
    kernel.blockDimX = 1;
    // SAFETY: there are no dependencies, and the arguments are those of the kernel.
    ok(unsafe { sys::cuGraphAddKernelNode_v2(&mut node, body, null(), 0, &kernel) });
    let mut exec = null_mut();
    // SAFETY: the graph is alive.
    ok(unsafe { sys::cuGraphInstantiateWithFlags(&mut exec, graph, 0) });
    // SAFETY: as above.
    ok(unsafe { sys::cuGraphLaunch(exec, stream.cu_stream()) });
    stream.synchronize().unwrap_or_else(|error| panic!("{error}: {}", driver.why(0)));
    assert_eq!(stream.clone_dtoh(&there).expect("a copy"), [0, 5], "counted down in five trips");
}
