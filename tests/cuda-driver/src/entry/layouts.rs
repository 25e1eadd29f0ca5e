//! Structs that callers pass, with plain numbers where the headers have enumerations, as a caller may
//! write any number there. Their sizes are compared with those of the bindings.

use std::ffi::c_void;

use cudarc::driver::sys;

#[repr(C)]
#[derive(Clone, Copy)]
pub(crate) struct Memcpy2d {
    pub(crate) src_x: usize,
    pub(crate) src_y: usize,
    pub(crate) src_type: u32,
    pub(crate) src_host: usize,
    pub(crate) src_device: u64,
    pub(crate) src_array: usize,
    pub(crate) src_pitch: usize,
    pub(crate) dst_x: usize,
    pub(crate) dst_y: usize,
    pub(crate) dst_type: u32,
    pub(crate) dst_host: usize,
    pub(crate) dst_device: u64,
    pub(crate) dst_array: usize,
    pub(crate) dst_pitch: usize,
    pub(crate) width: usize,
    pub(crate) height: usize,
}

/// With contexts where it is between peers; else these words are reserved.
#[repr(C)]
#[derive(Clone, Copy)]
pub(crate) struct Memcpy3d {
    pub(crate) src_x: usize,
    pub(crate) src_y: usize,
    pub(crate) src_z: usize,
    pub(crate) src_lod: usize,
    pub(crate) src_type: u32,
    pub(crate) src_host: usize,
    pub(crate) src_device: u64,
    pub(crate) src_array: usize,
    pub(crate) src_context: usize,
    pub(crate) src_pitch: usize,
    pub(crate) src_height: usize,
    pub(crate) dst_x: usize,
    pub(crate) dst_y: usize,
    pub(crate) dst_z: usize,
    pub(crate) dst_lod: usize,
    pub(crate) dst_type: u32,
    pub(crate) dst_host: usize,
    pub(crate) dst_device: u64,
    pub(crate) dst_array: usize,
    pub(crate) dst_context: usize,
    pub(crate) dst_pitch: usize,
    pub(crate) dst_height: usize,
    pub(crate) width: usize,
    pub(crate) height: usize,
    pub(crate) depth: usize,
}

#[repr(C)]
#[derive(Clone, Copy)]
pub(crate) struct MemAccess {
    pub(crate) kind: u32,
    pub(crate) device: i32,
    pub(crate) flags: u32,
}

#[repr(C)]
#[derive(Clone, Copy)]
pub(crate) struct Memset {
    pub(crate) dst: u64,
    pub(crate) pitch: usize,
    pub(crate) value: u32,
    pub(crate) element: u32,
    pub(crate) width: usize,
    pub(crate) height: usize,
}

#[repr(C)]
#[derive(Clone, Copy)]
pub(crate) struct KernelParams {
    pub(crate) function: usize,
    pub(crate) grid: [u32; 3],
    pub(crate) block: [u32; 3],
    pub(crate) shared: u32,
    pub(crate) params: *const *const u8,
    pub(crate) extra: *const usize,
    pub(crate) kernel: usize,
    pub(crate) context: usize,
}

#[repr(C)]
#[derive(Clone, Copy)]
pub(crate) struct HostParams {
    pub(crate) function: super::pointers::HostCall,
    pub(crate) user: *mut c_void,
}

#[repr(C)]
#[derive(Clone, Copy)]
pub(crate) struct LaunchConfig {
    pub(crate) grid: [u32; 3],
    pub(crate) block: [u32; 3],
    pub(crate) shared: u32,
    pub(crate) stream: usize,
    pub(crate) attributes: *const LaunchAttribute,
    pub(crate) count: u32,
}

#[repr(C)]
#[derive(Clone, Copy)]
pub(crate) struct LaunchAttribute {
    pub(crate) id: u32,
    pub(crate) pad: [u8; 4],
    pub(crate) value: [u64; 8],
}

#[repr(C)]
#[derive(Clone, Copy)]
pub(crate) struct Conditional {
    pub(crate) handle: u64,
    pub(crate) kind: u32,
    pub(crate) size: u32,
    pub(crate) bodies: *mut *mut usize,
    pub(crate) context: usize,
}

/// The parameters of any node: what kind it is, then 29 words that are read as that kind has them.
#[repr(C)]
#[derive(Clone, Copy)]
pub(crate) struct NodeParams {
    pub(crate) kind: u32,
    pub(crate) reserved: [u32; 3],
    pub(crate) words: [u64; 29],
    pub(crate) reserved2: u64,
}

#[repr(C)]
#[derive(Clone, Copy)]
pub(crate) struct UpdateResult {
    pub(crate) result: u32,
    pub(crate) node: usize,
    pub(crate) from: usize,
}

#[repr(C)]
#[derive(Clone, Copy)]
pub(crate) struct InstantiateParams {
    pub(crate) flags: u64,
    pub(crate) stream: usize,
    pub(crate) node: usize,
    pub(crate) result: u32,
}

macro_rules! same_size {
    ($($own:ty = $theirs:ty),* $(,)?) => {
        $(const _: () = assert!(size_of::<$own>() == size_of::<$theirs>());)*
    };
}

same_size! {
    Memcpy2d = sys::CUDA_MEMCPY2D,
    Memcpy3d = sys::CUDA_MEMCPY3D,
    Memcpy3d = sys::CUDA_MEMCPY3D_PEER,
    MemAccess = sys::CUmemAccessDesc,
    Memset = sys::CUDA_MEMSET_NODE_PARAMS,
    KernelParams = sys::CUDA_KERNEL_NODE_PARAMS_v2,
    HostParams = sys::CUDA_HOST_NODE_PARAMS_v1,
    LaunchConfig = sys::CUlaunchConfig,
    LaunchAttribute = sys::CUlaunchAttribute,
    Conditional = sys::CUDA_CONDITIONAL_NODE_PARAMS,
    NodeParams = sys::CUgraphNodeParams,
    UpdateResult = sys::CUgraphExecUpdateResultInfo,
    InstantiateParams = sys::CUDA_GRAPH_INSTANTIATE_PARAMS,
}
