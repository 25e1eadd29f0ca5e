//! Streams and memory of a program that uses CUDA itself, as devices and arrays of ours. Fenced: it takes
//! raw handles. The other direction, our memory in work of somebody else's, is [`OnCuda`](crate::OnCuda).
#![allow(unsafe_code, reason = "takes handles that somebody else vouches for")]

use std::ffi::c_void;
use std::sync::Arc;

use flash_rt::backend::{DynBackend, DynMemory};
use flash_rt::{Buffer, Device, Error, IntoShape, Options, Pod, Result};

use crate::backend::Cuda;
use crate::cu::{self, Context, Failure, Stream};
use crate::device::CudaDevice;
use crate::facts;
use crate::memory::{CudaMemory, Storage};
use crate::native::alignment;
use crate::nvrtc::Compiler;

/// The error for something that cannot be adopted.
#[cold]
fn refused(what: &str, why: impl Into<String>) -> Error {
    Error::Adopt { what: what.to_owned(), why: why.into() }
}

/// The error of a call that says that something is none of what it should be.
#[cold]
fn failed(what: &str, failure: Failure) -> Error {
    refused(what, format!("{} says {}", failure.api, failure.words()))
}

/// A device that submits to a `CUstream` (a `cudaStream_t`) of somebody else's, for
/// [`Builder::backend`](flash_rt::Builder::backend). Kernels and copies go to this one stream, so they come
/// after what was submitted to it before, and before what is submitted later, without anybody waiting. The
/// device's primary context is kept; where it is lost, it is its owner who makes another one, and a new stream in
/// that to adopt.
///
/// ```no_run
/// use flash_cuda::{adopt_memory, adopt_stream};
/// use flash_rt::{Buffer, NoBackends, Runtime};
/// # fn of_somebody_else() -> (*mut std::ffi::c_void, u64) { (std::ptr::null_mut(), 0) }
///
/// let (stream, memory) = of_somebody_else(); // cuStreamCreate, cuMemAlloc
/// // SAFETY: both are valid, and nobody else uses the memory while `x` is used.
/// let device = unsafe { adopt_stream(stream) }?;
/// let rt = Runtime::<NoBackends>::builder().backend(device).build()?;
/// // SAFETY: as above; it holds a thousand numbers.
/// let x: Buffer<f32> = unsafe { adopt_memory(&rt.devices()[0], memory, 1000) }?;
/// # Ok::<(), flash_rt::Error>(())
/// ```
///
/// Of cudarc, `stream.cu_stream().cast()` is the handle of a stream, and
/// `slice.device_ptr(&stream).0` the address of a slice.
///
/// # Safety
///
/// `stream` is a valid `CUstream` of the driver that this process has loaded, or null. It is not destroyed
/// while the runtime or an array in its memory is there, and not capturing while a pipeline runs.
///
/// # Errors
///
/// [`Error::Adopt`] where it is null, as the default stream is, or of a context that is no primary one, or
/// where its device cannot be used.
pub unsafe fn adopt_stream(stream: *mut c_void) -> Result<Arc<dyn DynBackend>> {
    // SAFETY: as the caller vouches.
    unsafe { adopt_stream_with(stream, &Options::from_env()?) }
}

/// The same with options that are said here and not in the environment: where NVRTC is, what it makes, where that is
/// kept.
///
/// # Safety
///
/// As for [`adopt_stream`].
///
/// # Errors
///
/// As for [`adopt_stream`].
pub unsafe fn adopt_stream_with(
    stream: *mut c_void,
    options: &Options,
) -> Result<Arc<dyn DynBackend>> {
    const WHAT: &str = "the CUstream";
    if stream.is_null() {
        return Err(refused(
            WHAT,
            "it is null, which is the default stream of whatever context is current; make one with \
             CU_STREAM_NON_BLOCKING",
        ));
    }
    cu::driver().map_err(|why| refused(WHAT, why.to_string()))?;
    let facts = facts::facts();
    if let Some(said) = facts.said {
        return Err(refused(WHAT, said));
    }
    // To retain a context makes it where nobody has, but only one that somebody has may have a stream.
    let active = facts.devices.iter().filter(|facts| facts.id.is_active());
    let contexts = active.map(|facts| Context::new(facts.id).map(|context| (facts, context)));
    let contexts: Vec<_> =
        contexts.collect::<Result<_, _>>().map_err(|failure| failed(WHAT, failure))?;
    let all: Vec<_> = contexts.iter().map(|(_, context)| Arc::clone(context)).collect();
    // SAFETY: as the caller vouches.
    let adopted =
        unsafe { Stream::adopt(stream, &all) }.map_err(|failure| failed(WHAT, failure))?;
    let Some(adopted) = adopted else {
        return Err(refused(
            WHAT,
            "its context is no primary one; make it in the context of cuDevicePrimaryCtxRetain, which \
             cudarc and the CUDA runtime use",
        ));
    };
    let of = |(_, context): &&(_, Arc<Context>)| Arc::ptr_eq(context, adopted.context());
    let Some((facts, _)) = contexts.iter().find(of) else {
        return Err(refused(WHAT, "its device cannot be used"));
    };
    let device = CudaDevice::adopted(facts, Compiler::new(options), Arc::new(adopted));
    Ok(Arc::new(Cuda::with(vec![device], options)))
}

/// An array whose elements are in memory of a CUDA device of somebody else's, from this `CUdeviceptr` on.
/// Kernels on the device use this memory itself, and what they write is there when the pipeline has ended;
/// other devices and the host get copies. Where others have written the array, [`Buffer::prefetch`] brings
/// it back. What the owner writes by work of his own the array does not know of: let it go and adopt the
/// memory again, or write in a native node ([`OnCuda`](crate::OnCuda)).
///
/// # Safety
///
/// `address` is of memory of the device whose elements are initialised, or null. From this call on, until
/// the array and all its handles are gone, it is not given back, and its bytes are not used but by work in
/// the adopted stream while no pipeline that uses the array is under way, and by native nodes that have it
/// as an argument.
///
/// # Errors
///
/// [`Error::Adopt`] where it is null, no memory of this device, too small, or not aligned for the elements,
/// of which pairs and fours of scalars are the vectors of CUDA: `[f32; 4]` needs 16 bytes as `float4` does;
/// where the device is none of CUDA; [`Error::TooLarge`].
pub unsafe fn adopt_memory<T: Pod, const D: usize>(
    device: &Arc<Device>,
    address: u64,
    shape: impl IntoShape<D>,
) -> Result<Buffer<T, D>> {
    let shape = shape.into_shape();
    let what = format!("the CUdeviceptr for {shape:?} elements of `{}`", T::TY);
    let Some((backend, number)) = device.of_backend::<Cuda>() else {
        return Err(refused(&what, format!("`{}` is no device of CUDA", device.name())));
    };
    if address == 0 {
        return Err(refused(&what, "it is null"));
    }
    let alignment = alignment(&T::TY).max(align_of::<T>());
    if !address.is_multiple_of(alignment as u64) {
        return Err(refused(&what, format!("it is no multiple of {alignment}")));
    }
    let on = |source| Error::Driver {
        device: device.name().to_owned(),
        what: what.clone(),
        at: None,
        given_up: None,
        source,
    };
    let own = backend.device(number).map_err(on)?;
    let context = own.context().map_err(on)?;
    let place = context.place(address).map_err(|failure| failed(&what, failure))?;
    let Some(place) = place.filter(|place| place.ordinal == own.facts.id.ordinal()) else {
        return Err(refused(&what, format!("it is no memory of `{}`", device.name())));
    };
    let bytes = (flash_rt::Section::count(&shape, size_of::<T>())? * size_of::<T>()) as u64;
    if place.bytes < bytes {
        let there = place.bytes;
        return Err(refused(&what, format!("it has {there} bytes, and {bytes} are needed")));
    }
    let memory = CudaMemory(Arc::new(Storage::of_another(&context, address, place.bytes)));
    // SAFETY: the memory is of this device, and is as large; the rest is what the caller vouches for.
    unsafe { Buffer::adopt(device, DynMemory::new::<Cuda>(memory), shape, true) }
}
