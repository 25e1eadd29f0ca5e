//! The functions of the driver that are called, each by the name that the library has it under. What is
//! not in this list is not called: cudarc panics where it calls one that is not there, so all of them are
//! looked up before the first one is. It calls none.

macro_rules! functions {
    ($(#[$said:meta])* $names:ident: $($name:ident)*) => {
        pub(super) use cudarc::driver::sys::{$($name),*};

        $(#[$said])*
        pub(super) const $names: &[&str] = &[$(stringify!($name)),*];
    };
}

functions! {
    /// Those of graphs that ask a condition on the device. Without them the host asks.
    OF_CONDITIONS:
    cuGraphAddNode_v2
    cuGraphConditionalHandleCreate
}

functions! {
    /// Those that there have to be.
    NAMES:
    cuCtxEnablePeerAccess
    cuCtxGetCurrent
    cuCtxSetCurrent
    cuDeviceCanAccessPeer
    cuDeviceGet
    cuDeviceGetAttribute
    cuDeviceGetCount
    cuDeviceGetMemPool
    cuDeviceGetName
    cuDeviceGetPCIBusId
    cuDevicePrimaryCtxGetState
    cuDevicePrimaryCtxRelease_v2
    cuDevicePrimaryCtxReset_v2
    cuDevicePrimaryCtxRetain
    cuDeviceTotalMem_v2
    cuDriverGetVersion
    cuEventCreate
    cuEventDestroy_v2
    cuEventElapsedTime_v2
    cuEventQuery
    cuEventRecord
    cuEventSynchronize
    cuFuncGetAttribute
    cuFuncGetParamInfo
    cuFuncSetAttribute
    cuGetErrorString
    cuGraphAddKernelNode_v2
    cuGraphCreate
    cuGraphDestroy
    cuGraphExecDestroy
    cuGraphExecKernelNodeSetParams_v2
    cuGraphInstantiateWithFlags
    cuGraphLaunch
    cuInit
    cuLaunchCooperativeKernel
    cuLaunchKernel
    cuMemAllocAsync
    cuMemAlloc_v2
    cuMemFreeAsync
    cuMemFreeHost
    cuMemFree_v2
    cuMemGetInfo_v2
    cuMemHostAlloc
    cuMemHostRegister_v2
    cuMemHostUnregister
    cuMemPoolSetAccess
    cuMemcpy2DAsync_v2
    cuMemcpy3DPeerAsync
    cuMemcpyDtoDAsync_v2
    cuMemcpyDtoHAsync_v2
    cuMemcpyHtoDAsync_v2
    cuMemcpyPeerAsync
    cuMemsetD2D8Async
    cuMemsetD8Async
    cuModuleGetFunction
    cuModuleGetGlobal_v2
    cuModuleLoadDataEx
    cuModuleUnload
    cuOccupancyMaxActiveBlocksPerMultiprocessor
    cuOccupancyMaxPotentialBlockSize
    cuPointerGetAttribute
    cuStreamCreate
    cuStreamDestroy_v2
    cuStreamGetCtx
    cuStreamSynchronize
    cuStreamWaitEvent
}
