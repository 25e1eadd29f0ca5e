//! Queues, contexts and memory of a program that uses OpenCL itself, as devices and arrays of ours.
//! Fenced: it takes raw handles. The other direction, our memory in commands of somebody else's, is
//! [`OnOpenCl`](crate::OnOpenCl).
#![allow(unsafe_code, reason = "takes handles that somebody else vouches for")]

use std::ffi::c_void;
use std::sync::Arc;

use flash_rt::backend::{DynBackend, DynMemory};
use flash_rt::offload::cache::Cache;
use flash_rt::{Buffer, Device, Error, IntoShape, Options, Pod, Result};

use crate::backend::{KEPT_IN, OpenCl};
use crate::cl::{self, Context, DeviceId, Failure, Mem, Queue, Table};
use crate::device::{OclDevice, Shared};
use crate::facts;
use crate::memory::OclMemory;

/// The error for something that cannot be adopted.
#[cold]
fn refused(what: &str, why: impl Into<String>) -> Error {
    Error::Adopt { what: what.to_owned(), why: why.into() }
}

/// The error of a call that says that something is none of what it should be.
#[cold]
fn failed(what: &str, Failure { api, code }: Failure) -> Error {
    refused(what, format!("{api} returned {code}: {}", cl::name(code)))
}

fn table(what: &str) -> Result<&'static Table> {
    cl::table().map_err(|why| refused(what, format!("there is no OpenCL library: {why}")))
}

fn backend(
    what: &str,
    context: Context,
    id: DeviceId,
    queue: Option<Queue>,
) -> Result<Arc<dyn DynBackend>> {
    let table = table(what)?;
    if !context.has(id).map_err(|failure| failed(what, failure))? {
        return Err(refused(what, "the device is none of the context's"));
    }
    let facts = facts::of(table, id).map_err(|why| refused(what, why))?;
    let shared = Arc::new(Shared::adopted(facts.platform, context, queue));
    let options = Options::from_env()?;
    let cache = options.cache_dir.map(|dir| Cache::below(&dir, KEPT_IN));
    let device = OclDevice::new(&facts, &shared, cache).staged(options.staging);
    Ok(Arc::new(OpenCl::with(vec![device])))
}

/// A device that submits to a `cl_command_queue` of somebody else's, for
/// [`Builder::backend`](flash_rt::Builder::backend). Kernels and copies go to this one queue, so they
/// come after what was submitted to it before, and before what is submitted later, without anybody
/// waiting. The runtime keeps the queue, its context and its device.
///
/// ```no_run
/// use flash_ocl::{adopt_memory, adopt_queue};
/// use flash_rt::{Buffer, NoBackends, Runtime};
/// # fn of_somebody_else() -> [*mut std::ffi::c_void; 2] { [std::ptr::null_mut(); 2] }
///
/// let [queue, memory] = of_somebody_else(); // clCreateCommandQueue, clCreateBuffer
/// // SAFETY: both are valid, and nobody else uses the memory while `x` is used.
/// let device = unsafe { adopt_queue(queue) }?;
/// let rt = Runtime::<NoBackends>::builder().backend(device).build()?;
/// // SAFETY: as above; it holds a thousand numbers.
/// let x: Buffer<f32> = unsafe { adopt_memory(&rt.devices()[0], memory, 1000) }?;
/// # Ok::<(), flash_rt::Error>(())
/// ```
///
/// Handles of the crate `ocl` are what its `as_ptr` gives.
///
/// # Safety
///
/// `queue` is a valid `cl_command_queue` of the OpenCL library that this process has loaded, or null.
///
/// # Errors
///
/// [`Error::Adopt`] where it is null or out of order, or its device cannot be used.
pub unsafe fn adopt_queue(queue: *mut c_void) -> Result<Arc<dyn DynBackend>> {
    const WHAT: &str = "the cl_command_queue";
    if queue.is_null() {
        return Err(refused(WHAT, "it is null"));
    }
    let table = table(WHAT)?;
    // SAFETY: as the caller vouches.
    let queue = unsafe { Queue::adopt(table, queue) }.map_err(|failure| failed(WHAT, failure))?;
    if queue.is_out_of_order().map_err(|failure| failed(WHAT, failure))? {
        return Err(refused(
            WHAT,
            "it runs its commands out of order; make one without \
             CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, or adopt its context",
        ));
    }
    let (context, id) = queue.place().map_err(|failure| failed(WHAT, failure))?;
    // SAFETY: the queue is valid, and so is what it says its context is.
    let context = unsafe { Context::adopt(table, context) };
    backend(WHAT, context.map_err(|failure| failed(WHAT, failure))?, id, Some(queue))
}

/// A device of a `cl_context` of somebody else's, for
/// [`Builder::backend`](flash_rt::Builder::backend). It has queues of its own in the context, so memory
/// can be shared ([`adopt_memory`]), and who shares it waits for his own commands before.
///
/// # Safety
///
/// Both are a valid `cl_context` and a `cl_device_id` of the OpenCL library that this process has
/// loaded, or null. A sub-device is not released while the runtime is there.
///
/// # Errors
///
/// [`Error::Adopt`] where one is null, they do not belong together, or the device cannot be used.
pub unsafe fn adopt_context(
    context: *mut c_void,
    device: *mut c_void,
) -> Result<Arc<dyn DynBackend>> {
    const WHAT: &str = "the cl_context";
    if context.is_null() || device.is_null() {
        return Err(refused(WHAT, "it or its cl_device_id is null"));
    }
    // SAFETY: as the caller vouches.
    let context = unsafe { Context::adopt(table(WHAT)?, context) };
    // SAFETY: as the caller vouches.
    let id = unsafe { DeviceId::of(device) };
    backend(WHAT, context.map_err(|failure| failed(WHAT, failure))?, id, None)
}

/// An array whose elements are in a `cl_mem` of somebody else's, from its first byte on. It may be of a
/// larger size. Kernels on the device use this memory itself, and what they write is there when the
/// pipeline has ended; other devices and the host get copies. Where others have written the array,
/// [`Buffer::prefetch`] brings it back. What the owner writes by commands of his own the array
/// does not know of: let it go and adopt the memory again, or write in a native node
/// ([`OnOpenCl`](crate::OnOpenCl)).
///
/// # Safety
///
/// `memory` is a valid `cl_mem`, or null, whose elements are initialised. From this call on, until the
/// array and all its handles are gone, its bytes are not used but by commands in the adopted queue while
/// no pipeline that uses the array is under way, and by native nodes that have it as an argument.
///
/// # Errors
///
/// [`Error::Adopt`] where it is null, no buffer, too small, of another context than the device, or
/// write-only; where the device is none of OpenCL; [`Error::TooLarge`]. A kernel that
/// writes memory that is read-only is an error of its launch.
pub unsafe fn adopt_memory<T: Pod, const D: usize>(
    device: &Arc<Device>,
    memory: *mut c_void,
    shape: impl IntoShape<D>,
) -> Result<Buffer<T, D>> {
    let shape = shape.into_shape();
    let what = format!("the cl_mem for {shape:?} elements of `{}`", T::TY);
    let Some((backend, number)) = device.of_backend::<OpenCl>() else {
        return Err(refused(&what, format!("`{}` is no device of OpenCL", device.name())));
    };
    if memory.is_null() {
        return Err(refused(&what, "it is null"));
    }
    // SAFETY: as the caller vouches.
    let mem = unsafe { Mem::adopt(table(&what)?, memory) }.map_err(|f| failed(&what, f))?;
    let facts = mem.facts().map_err(|failure| failed(&what, failure))?;
    let on = |source| Error::Driver {
        device: device.name().to_owned(),
        what: what.clone(),
        at: None,
        given_up: None,
        source,
    };
    let own = backend.device(number).and_then(|device| device.context()).map_err(on)?;
    if !facts.is_buffer {
        return Err(refused(&what, "it is an image or a pipe, and arrays are buffers"));
    }
    if facts.context != Some(own.handle()) {
        return Err(refused(
            &what,
            format!(
                "it belongs to another context than `{}`; open a runtime with `adopt_queue` or \
                 `adopt_context` of the context that it was made in",
                device.name()
            ),
        ));
    }
    if !facts.read {
        return Err(refused(&what, "it is CL_MEM_WRITE_ONLY; make it CL_MEM_READ_WRITE"));
    }
    let bytes = (flash_rt::Section::count(&shape, size_of::<T>())? * size_of::<T>()) as u64;
    if facts.bytes < bytes {
        return Err(refused(
            &what,
            format!("it has {} bytes, and {bytes} are needed", facts.bytes),
        ));
    }
    let memory = OclMemory(Arc::new(OclDevice::adopted(mem, facts.bytes)));
    // SAFETY: the memory is of this device, and is as large; the rest is what the caller vouches for.
    unsafe { Buffer::adopt(device, DynMemory::new::<OpenCl>(memory), shape, facts.written) }
}
