//! Native nodes: code of the user's that submits work of its own to a stream of a CUDA device. Nothing is
//! submitted here but what orders it. Fenced: it reads values of cells.
#![allow(unsafe_code, reason = "reads values that slots point to")]

use std::ffi::c_void;
use std::ptr::null_mut;
use std::sync::Arc;

use flash_rt::backend::{LaunchInfo, NativeCode, Queue, Ticket};
use flash_rt::offload::arguments::{Arguments, Extent};
use flash_rt::task::ClosureOutcome;
use flash_rt::{DriverError, Native};

use crate::backend::KEY;
use crate::cu::Failure;
use crate::device::CudaDevice;
use crate::memory::CudaMemory;
use crate::operation::{Extras, Held};

/// Code of a native node for CUDA devices.
///
/// The code gets the stream and the arrays as CUDA has them, and calls whatever takes such: functions of
/// the driver, of cuBLAS, of cuFFT, of CUB, or kernels of another crate. What it submits comes after what
/// the node waits for, and who waits for the node waits for all of it. The device's primary context is
/// current in the call, as it is for cudarc and for the CUDA runtime. The code waits for no event, finishes
/// no stream, and destroys nothing that it has not made.
///
/// ```
/// use flash_cuda::OnCuda;
/// use flash_rt::{Buffer, Native};
/// # use std::ffi::c_void;
///
/// /// What a library would offer.
/// unsafe fn transform(stream: *mut c_void, x: u64, n: usize) -> i32 {
///     if stream.is_null() || x == 0 || n == 0 { -1 } else { 0 }
/// }
///
/// let mut x = Buffer::from(vec![1.0_f32; 64]);
/// let node = Native::new("transform", (&mut x,)).on_cuda(|cx| {
///     let array = cx.array(0).ok_or("one array is passed")?;
///     // SAFETY: the library touches so many elements of this memory, by work in this stream.
///     match unsafe { transform(cx.stream(), array.address(), array.shape()[0]) } {
///         0 => Ok(()),
///         status => Err(format!("the library says {status}").into()),
///     }
/// });
/// assert!(format!("{node:?}").contains("`NVIDIA_GPU`"));
/// ```
pub trait OnCuda<'a>: Sized {
    /// What runs on the devices of [`KEY`].
    fn on_cuda<R: ClosureOutcome>(
        self,
        code: impl FnMut(&mut NodeContext) -> R + Send + 'a,
    ) -> Self;
}

impl<'a, A> OnCuda<'a> for Native<'a, A> {
    fn on_cuda<R: ClosureOutcome>(
        self,
        code: impl FnMut(&mut NodeContext) -> R + Send + 'a,
    ) -> Self {
        self.on(KEY, code)
    }
}

/// What the code of a native node is given on a CUDA device; see [`OnCuda`]. Handles are valid in the
/// call, and memory as long as what was submitted runs.
#[derive(Debug)]
pub struct NodeContext {
    ordinal: i32,
    context: *mut c_void,
    stream: *mut c_void,
    arguments: Arguments<NodeArray>,
}

/// An array of a native node in the memory of a CUDA device: a box, whose element of the indices `i` is
/// `size * (i[0] * strides[0] + ..)` bytes from its address.
#[derive(Clone, Debug)]
pub struct NodeArray {
    address: u64,
    extent: Extent,
}

impl NodeContext {
    /// The `CUdevice`, which is the number of the device for `cudaSetDevice` and cudarc.
    pub fn ordinal(&self) -> i32 {
        self.ordinal
    }

    /// The `CUcontext`, the primary one of the device, which is current in this call.
    pub fn context(&self) -> *mut c_void {
        self.context
    }

    /// The `CUstream` to submit to, which is also a `cudaStream_t`.
    pub fn stream(&self) -> *mut c_void {
        self.stream
    }

    /// An array by its place in the tuple of the node, from 0; `None` of what is no array.
    pub fn array(&self, argument: usize) -> Option<&NodeArray> {
        self.arguments.array(argument)
    }

    /// The value of an argument that is a `&Var<bool>`.
    pub fn flag(&self, argument: usize) -> Option<bool> {
        self.arguments.flag(argument)
    }
}

impl NodeArray {
    /// The `CUdeviceptr` of the first element.
    pub fn address(&self) -> u64 {
        self.address
    }

    /// Its extents, the last one of neighbours.
    pub fn shape(&self) -> &[usize] {
        &self.extent.shape
    }

    /// How far neighbours are apart in each dimension, in elements.
    pub fn strides(&self) -> &[usize] {
        &self.extent.strides
    }

    /// Whether the node writes it; else its elements stay what they are.
    pub fn is_written(&self) -> bool {
        self.extent.is_written
    }
}

/// The arguments of a node.
///
/// # Safety
///
/// Its values can be read.
unsafe fn arguments(launch: &LaunchInfo<'_, CudaMemory>) -> Arguments<NodeArray> {
    let array = |memory: Option<&CudaMemory>, extent: Extent| {
        let start = memory.map_or(0, |memory| memory.0.address);
        NodeArray { address: start + extent.offset as u64, extent }
    };
    // SAFETY: as the caller vouches.
    unsafe { Arguments::of(launch, array) }
}

/// Lets code submit its work after what the node comes after; it is over when that is.
///
/// # Safety
///
/// As `Backend::native`.
pub(crate) unsafe fn submit(
    device: &CudaDevice,
    queue: Queue,
    launch: &LaunchInfo<'_, CudaMemory>,
    code: &mut NativeCode<'_>,
    after: &[Ticket],
) -> Result<Ticket, DriverError> {
    let memories = launch.memories.iter().flatten();
    let held = memories.map(|memory| Held::Memory(Arc::clone(&memory.0))).collect();
    let mut context = NodeContext {
        ordinal: device.facts.id.ordinal(),
        context: null_mut(),
        stream: null_mut(),
        // SAFETY: as the caller vouches.
        arguments: unsafe { arguments(launch) },
    };
    let extras = Extras { kernel: Some(launch.kernel.name), held, ..Extras::default() };
    device.lines.submit(queue, after, extras, |commands| {
        let mut memories = launch.memories.iter().flatten();
        if !memories.all(|memory| commands.has(&memory.0.context)) {
            return Err(Failure::gone("memory"));
        }
        commands.add(|stream| {
            context.stream = stream.raw().cast();
            context.context = stream.context().raw().cast();
            code.run(&mut context);
            Ok(())
        })
    })
}
