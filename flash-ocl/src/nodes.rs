//! Native nodes: code of the user's that submits commands of its own to a queue of an OpenCL device.
//! Nothing is submitted here but what orders them. Fenced: it reads values of cells.
#![allow(unsafe_code, reason = "reads values that slots point to")]

use std::ffi::c_void;
use std::ptr::null_mut;
use std::sync::Arc;

use flash_rt::backend::{LaunchInfo, NativeCode, Queue, Ticket};
use flash_rt::offload::arguments::{Arguments, Extent};
use flash_rt::task::ClosureOutcome;
use flash_rt::{DriverError, Native};

use crate::backend::{FPGA_KEY, KEY};
use crate::device::OclDevice;
use crate::memory::OclMemory;
use crate::operation::{Extras, Held};

/// Code of a native node for OpenCL devices.
///
/// The code gets the queue and the arrays as the handles that OpenCL has for them, and calls whatever
/// takes such: functions of OpenCL, of `clFFT`, of `CLBlast`. The queue is in order; what the code
/// submits comes after what the node waits for, and who waits for the node waits for all of it. It
/// waits for no event, finishes no queue, and releases nothing that it has not made. That a command
/// goes wrong when it runs shows in its own event only, as drivers do not all pass that on; keep it
/// where that matters.
///
/// ```
/// use flash_ocl::OnOpenCl;
/// use flash_rt::{Buffer, Native};
/// # use std::ffi::c_void;
///
/// /// What a library would offer.
/// unsafe fn transform(queue: *mut c_void, x: *mut c_void, n: usize) -> i32 {
///     if queue.is_null() || x.is_null() || n == 0 { -1 } else { 0 }
/// }
///
/// let mut x = Buffer::from(vec![1.0_f32; 64]);
/// let node = Native::new("transform", (&mut x,)).on_opencl(|cx| {
///     let array = cx.array(0).ok_or("one array is passed")?;
///     // SAFETY: the library touches so many elements of this memory, by commands in this queue.
///     match unsafe { transform(cx.queue(), array.memory(), array.shape()[0]) } {
///         0 => Ok(()),
///         status => Err(format!("the library says {status}").into()),
///     }
/// });
/// assert!(format!("{node:?}").contains("`OPENCL`"));
/// ```
pub trait OnOpenCl<'a>: Sized {
    /// What runs on the devices of [`KEY`].
    fn on_opencl<R: ClosureOutcome>(
        self,
        code: impl FnMut(&mut NodeContext) -> R + Send + 'a,
    ) -> Self;

    /// What runs on the devices of [`FPGA_KEY`].
    fn on_fpga<R: ClosureOutcome>(
        self,
        code: impl FnMut(&mut NodeContext) -> R + Send + 'a,
    ) -> Self;
}

impl<'a, A> OnOpenCl<'a> for Native<'a, A> {
    fn on_opencl<R: ClosureOutcome>(
        self,
        code: impl FnMut(&mut NodeContext) -> R + Send + 'a,
    ) -> Self {
        self.on(KEY, code)
    }

    fn on_fpga<R: ClosureOutcome>(
        self,
        code: impl FnMut(&mut NodeContext) -> R + Send + 'a,
    ) -> Self {
        self.on(FPGA_KEY, code)
    }
}

/// What the code of a native node is given on an OpenCL device; see [`OnOpenCl`]. Handles are valid in
/// the call, and memory as long as the commands run.
#[derive(Debug)]
pub struct NodeContext {
    device: *mut c_void,
    context: *mut c_void,
    queue: *mut c_void,
    arguments: Arguments<NodeArray>,
}

/// An array of a native node in the memory of an OpenCL device: a box, whose element of the indices `i`
/// is `offset + size * (i[0] * strides[0] + ..)` bytes from the start of the memory.
#[derive(Clone, Debug)]
pub struct NodeArray {
    memory: *mut c_void,
    extent: Extent,
}

impl NodeContext {
    /// The `cl_device_id`.
    pub fn device(&self) -> *mut c_void {
        self.device
    }

    /// The `cl_context`, which all devices of the platform share.
    pub fn context(&self) -> *mut c_void {
        self.context
    }

    /// The `cl_command_queue` to submit to, which is in order.
    pub fn queue(&self) -> *mut c_void {
        self.queue
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
    /// The `cl_mem`, which may hold more than the array.
    pub fn memory(&self) -> *mut c_void {
        self.memory
    }

    /// Where the first element is, in bytes from the start of the memory.
    pub fn offset(&self) -> usize {
        self.extent.offset
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
unsafe fn arguments(launch: &LaunchInfo<'_, OclMemory>) -> Arguments<NodeArray> {
    let array = |memory: Option<&OclMemory>, extent| NodeArray {
        memory: memory.map_or(null_mut(), |memory| memory.0.mem.handle()),
        extent,
    };
    // SAFETY: as the caller vouches.
    unsafe { Arguments::of(launch, array) }
}

/// Lets code submit its commands between one that waits for what the node comes after and one that is
/// over when they are.
///
/// # Safety
///
/// As `Backend::native`.
pub(crate) unsafe fn submit(
    device: &OclDevice,
    queue: Queue,
    launch: &LaunchInfo<'_, OclMemory>,
    code: &mut NativeCode<'_>,
    after: &[Ticket],
) -> Result<Ticket, DriverError> {
    let memories = launch.memories.iter().flatten();
    let held = memories.map(|memory| Held::Memory(Arc::clone(&memory.0))).collect();
    let mut context = NodeContext {
        device: device.facts.id.handle(),
        context: device.context()?.handle(),
        queue: null_mut(),
        // SAFETY: as the caller vouches.
        arguments: unsafe { arguments(launch) },
    };
    device.lines.submit(queue, after, Extras { held, noting: None }, |commands| {
        commands.add(|queue, waits| {
            context.queue = queue.handle();
            queue.barrier(waits)
        })?;
        code.run(&mut context);
        commands.add(|queue, waits| queue.marker(waits))
    })
}
