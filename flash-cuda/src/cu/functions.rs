//! The functions of the driver that are called, each by the name that the library has it under. What is
//! not in this list is not called, and all of it is looked up before the first one is. Fenced: it calls the
//! library, with types of cudarc and statuses that are numbers: a driver that is newer than those types may
//! return one that they do not have.
#![allow(unsafe_code, reason = "calls functions of the CUDA driver")]

use std::ffi::{c_char, c_int, c_uchar, c_uint, c_ulonglong, c_void};
use std::sync::OnceLock;

use cudarc::driver::sys::{
    CUDA_KERNEL_NODE_PARAMS, CUDA_MEMCPY2D, CUDA_MEMCPY3D_PEER, CUcontext, CUdevice,
    CUdevice_attribute, CUdeviceptr, CUevent, CUfunction, CUfunction_attribute, CUgraph,
    CUgraphConditionalHandle, CUgraphEdgeData, CUgraphExec, CUgraphNode, CUgraphNodeParams,
    CUjit_option, CUmemAccessDesc, CUmemoryPool, CUmodule, CUoccupancyB2DSize, CUpointer_attribute,
    CUstream, culib,
};

use super::status::Code;

/// The function of a name in the library of the driver.
///
/// # Safety
///
/// It has the type `F`, a pointer.
unsafe fn find<F: Copy>(name: &str) -> Option<F> {
    // SAFETY: whoever calls or looks for a function has seen that there is a library of one of the names that cudarc
    // knows, so this does not panic; opening it once more runs nothing.
    let library = unsafe { culib() };
    // SAFETY: as the caller says.
    unsafe { library.get::<F>(name.as_bytes()) }.ok().map(|function| *function)
}

/// Whether the library has a function of a name.
pub(super) fn has(name: &str) -> bool {
    // SAFETY: an address of a function is one of no type, and nothing is called.
    unsafe { find::<*const c_void>(name) }.is_some()
}

macro_rules! functions {
    ($(#[$said:meta])* $names:ident: $(fn $name:ident($($arg:ident: $type:ty),*);)*) => {
        $(
            #[allow(non_snake_case, reason = "it is called so")]
            #[allow(clippy::too_many_arguments, reason = "it has so many")]
            #[inline]
            pub(super) unsafe fn $name($($arg: $type),*) -> Code {
                type Function = unsafe extern "C" fn($($type),*) -> Code;
                static FUNCTION: OnceLock<Option<Function>> = OnceLock::new();
                // SAFETY: that of this name has this type in the headers of the driver.
                let function = FUNCTION.get_or_init(|| unsafe { find(stringify!($name)) });
                // SAFETY: as the caller vouches for the function of the driver.
                function.map_or(Code::NOT_FOUND, |function| unsafe { function($($arg),*) })
            }
        )*

        $(#[$said])*
        pub(super) const $names: &[&str] = &[$(stringify!($name)),*];
    };
}

functions! {
    /// Those of graphs that ask a condition on the device. Without them the host asks.
    OF_CONDITIONS:
    fn cuGraphAddNode_v2(graph_node: *mut CUgraphNode, graph: CUgraph, dependencies: *const CUgraphNode, dependency_data: *const CUgraphEdgeData, num_dependencies: usize, node_params: *mut CUgraphNodeParams);
    fn cuGraphConditionalHandleCreate(handle_out: *mut CUgraphConditionalHandle, graph: CUgraph, ctx: CUcontext, default_launch_value: c_uint, flags: c_uint);
}

functions! {
    /// Those that there have to be.
    NAMES:
    fn cuCtxEnablePeerAccess(peer_context: CUcontext, flags: c_uint);
    fn cuCtxGetCurrent(pctx: *mut CUcontext);
    fn cuCtxSetCurrent(ctx: CUcontext);
    fn cuDeviceCanAccessPeer(can_access_peer: *mut c_int, dev: CUdevice, peer_dev: CUdevice);
    fn cuDeviceGet(device: *mut CUdevice, ordinal: c_int);
    fn cuDeviceGetAttribute(pi: *mut c_int, attrib: CUdevice_attribute, dev: CUdevice);
    fn cuDeviceGetCount(count: *mut c_int);
    fn cuDeviceGetMemPool(pool: *mut CUmemoryPool, dev: CUdevice);
    fn cuDeviceGetName(name: *mut c_char, len: c_int, dev: CUdevice);
    fn cuDeviceGetPCIBusId(pci_bus_id: *mut c_char, len: c_int, dev: CUdevice);
    fn cuDevicePrimaryCtxGetState(dev: CUdevice, flags: *mut c_uint, active: *mut c_int);
    fn cuDevicePrimaryCtxRelease_v2(dev: CUdevice);
    fn cuDevicePrimaryCtxReset_v2(dev: CUdevice);
    fn cuDevicePrimaryCtxRetain(pctx: *mut CUcontext, dev: CUdevice);
    fn cuDeviceTotalMem_v2(bytes: *mut usize, dev: CUdevice);
    fn cuDriverGetVersion(driver_version: *mut c_int);
    fn cuEventCreate(event: *mut CUevent, flags: c_uint);
    fn cuEventDestroy_v2(event: CUevent);
    fn cuEventElapsedTime_v2(milliseconds: *mut f32, start: CUevent, end: CUevent);
    fn cuEventQuery(event: CUevent);
    fn cuEventRecord(event: CUevent, stream: CUstream);
    fn cuEventSynchronize(event: CUevent);
    fn cuFuncGetAttribute(pi: *mut c_int, attrib: CUfunction_attribute, hfunc: CUfunction);
    fn cuFuncGetParamInfo(func: CUfunction, param_index: usize, param_offset: *mut usize, param_size: *mut usize);
    fn cuFuncSetAttribute(hfunc: CUfunction, attrib: CUfunction_attribute, value: c_int);
    fn cuGetErrorName(error: Code, text: *mut *const c_char);
    fn cuGetErrorString(error: Code, text: *mut *const c_char);
    fn cuGraphAddKernelNode_v2(graph_node: *mut CUgraphNode, graph: CUgraph, dependencies: *const CUgraphNode, num_dependencies: usize, node_params: *const CUDA_KERNEL_NODE_PARAMS);
    fn cuGraphCreate(graph: *mut CUgraph, flags: c_uint);
    fn cuGraphDestroy(graph: CUgraph);
    fn cuGraphExecDestroy(graph_exec: CUgraphExec);
    fn cuGraphExecKernelNodeSetParams_v2(graph_exec: CUgraphExec, node: CUgraphNode, node_params: *const CUDA_KERNEL_NODE_PARAMS);
    fn cuGraphInstantiateWithFlags(graph_exec: *mut CUgraphExec, graph: CUgraph, flags: c_ulonglong);
    fn cuGraphLaunch(graph_exec: CUgraphExec, stream: CUstream);
    fn cuInit(flags: c_uint);
    fn cuLaunchCooperativeKernel(f: CUfunction, grid_dim_x: c_uint, grid_dim_y: c_uint, grid_dim_z: c_uint, block_dim_x: c_uint, block_dim_y: c_uint, block_dim_z: c_uint, shared_mem_bytes: c_uint, stream: CUstream, kernel_params: *mut *mut c_void);
    fn cuLaunchKernel(f: CUfunction, grid_dim_x: c_uint, grid_dim_y: c_uint, grid_dim_z: c_uint, block_dim_x: c_uint, block_dim_y: c_uint, block_dim_z: c_uint, shared_mem_bytes: c_uint, stream: CUstream, kernel_params: *mut *mut c_void, extra: *mut *mut c_void);
    fn cuMemAllocAsync(dptr: *mut CUdeviceptr, bytesize: usize, stream: CUstream);
    fn cuMemAlloc_v2(dptr: *mut CUdeviceptr, bytesize: usize);
    fn cuMemFreeAsync(dptr: CUdeviceptr, stream: CUstream);
    fn cuMemFreeHost(p: *mut c_void);
    fn cuMemFree_v2(dptr: CUdeviceptr);
    fn cuMemGetInfo_v2(free: *mut usize, total: *mut usize);
    fn cuMemHostAlloc(pp: *mut *mut c_void, bytesize: usize, flags: c_uint);
    fn cuMemHostRegister_v2(p: *mut c_void, bytesize: usize, flags: c_uint);
    fn cuMemHostUnregister(p: *mut c_void);
    fn cuMemPoolSetAccess(pool: CUmemoryPool, map: *const CUmemAccessDesc, count: usize);
    fn cuMemcpy2DAsync_v2(copy: *const CUDA_MEMCPY2D, stream: CUstream);
    fn cuMemcpy3DPeerAsync(copy: *const CUDA_MEMCPY3D_PEER, stream: CUstream);
    fn cuMemcpyDtoDAsync_v2(dst_device: CUdeviceptr, src_device: CUdeviceptr, byte_count: usize, stream: CUstream);
    fn cuMemcpyDtoHAsync_v2(dst_host: *mut c_void, src_device: CUdeviceptr, byte_count: usize, stream: CUstream);
    fn cuMemcpyHtoDAsync_v2(dst_device: CUdeviceptr, src_host: *const c_void, byte_count: usize, stream: CUstream);
    fn cuMemcpyPeerAsync(dst_device: CUdeviceptr, dst_context: CUcontext, src_device: CUdeviceptr, src_context: CUcontext, byte_count: usize, stream: CUstream);
    fn cuMemsetD2D8Async(dst_device: CUdeviceptr, dst_pitch: usize, uc: c_uchar, width: usize, height: usize, stream: CUstream);
    fn cuMemsetD8Async(dst_device: CUdeviceptr, uc: c_uchar, n: usize, stream: CUstream);
    fn cuModuleGetFunction(hfunc: *mut CUfunction, hmod: CUmodule, name: *const c_char);
    fn cuModuleGetGlobal_v2(dptr: *mut CUdeviceptr, bytes: *mut usize, hmod: CUmodule, name: *const c_char);
    fn cuModuleLoadDataEx(module: *mut CUmodule, image: *const c_void, num_options: c_uint, options: *mut CUjit_option, option_values: *mut *mut c_void);
    fn cuModuleUnload(hmod: CUmodule);
    fn cuOccupancyMaxActiveBlocksPerMultiprocessor(num_blocks: *mut c_int, func: CUfunction, block_size: c_int, dynamic_smem_size: usize);
    fn cuOccupancyMaxPotentialBlockSize(min_grid_size: *mut c_int, block_size: *mut c_int, func: CUfunction, block_size_to_dynamic_smem_size: CUoccupancyB2DSize, dynamic_smem_size: usize, block_size_limit: c_int);
    fn cuPointerGetAttribute(data: *mut c_void, attribute: CUpointer_attribute, ptr: CUdeviceptr);
    fn cuStreamCreate(stream: *mut CUstream, flags: c_uint);
    fn cuStreamDestroy_v2(stream: CUstream);
    fn cuStreamGetCtx(stream: CUstream, pctx: *mut CUcontext);
    fn cuStreamSynchronize(stream: CUstream);
    fn cuStreamWaitEvent(stream: CUstream, event: CUevent, flags: c_uint);
}
