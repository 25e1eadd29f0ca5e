//! Memory of devices, and memory of the host that stays where it is, so that devices copy it themselves.
//! Fenced: it takes and gives back what the driver counts.
#![allow(unsafe_code, reason = "calls functions of the CUDA driver")]

use std::alloc::{Layout, alloc_zeroed, dealloc};
use std::ffi::c_void;
use std::ptr::{NonNull, null_mut};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use cudarc::driver::sys::{
    CU_MEMHOSTALLOC_PORTABLE, CU_MEMHOSTREGISTER_PORTABLE, CUdeviceptr, CUresult,
};

use flash_rt::error::DriverErrorKind;

use super::functions;
use super::{Context, Failure, Stream};

/// Memory of a device, given back without waiting for anything where the device has pools.
#[derive(Debug)]
pub(crate) struct DeviceMemory {
    context: Arc<Context>,
    address: CUdeviceptr,
    /// The stream that it was taken in, where it is from the pool.
    pool: Option<Arc<Stream>>,
}

impl DeviceMemory {
    /// Memory of undefined contents, which every stream may use. There are bytes.
    pub(crate) fn new(context: &Arc<Context>, bytes: usize) -> Result<Self, Failure> {
        let _current = context.enter()?;
        let mut address = 0;
        // SAFETY: a context is current, and the driver writes an address.
        let code = unsafe { functions::cuMemAlloc_v2(&raw mut address, bytes) };
        Failure::check("cuMemAlloc_v2", code)?;
        Ok(Self { context: Arc::clone(context), address, pool: None })
    }

    /// The same from the pool of the device. Nothing else is submitted to the stream, so nothing is waited
    /// for, and what was given back before is there to be taken.
    pub(crate) fn pooled(stream: &Arc<Stream>, bytes: usize) -> Result<Self, Failure> {
        let context = stream.context();
        let current = context.enter()?;
        let mut address = 0;
        let mut take = || {
            // SAFETY: the context of the stream is current, and the driver writes an address.
            unsafe { functions::cuMemAllocAsync(&raw mut address, bytes, stream.raw()) }
        };
        let mut code = take();
        if code.is(CUresult::CUDA_ERROR_OUT_OF_MEMORY) {
            // What was given back may not be back yet.
            stream.finish()?;
            code = take();
        }
        Failure::check("cuMemAllocAsync", code)?;
        let memory = Self { context: Arc::clone(context), address, pool: Some(Arc::clone(stream)) };
        drop(current);
        // Other streams do not know of the order in this one.
        stream.finish().map(|()| memory)
    }

    /// Where it starts.
    pub(crate) fn address(&self) -> u64 {
        self.address
    }
}

impl Drop for DeviceMemory {
    fn drop(&mut self) {
        self.context.if_alive(|| {
            match &self.pool {
                // SAFETY: it was taken in this stream, and no operation that uses it is left.
                Some(stream) => unsafe { functions::cuMemFreeAsync(self.address, stream.raw()) },
                // SAFETY: it is ours, and no operation that uses it is left.
                None => unsafe { functions::cuMemFree_v2(self.address) },
            };
        });
    }
}

/// Memory of the host that the driver has taken for devices to copy; where it has no more of it, memory like any
/// other, which the driver copies more slowly and waits for.
#[derive(Debug)]
pub(crate) struct Pinned {
    context: Arc<Context>,
    start: NonNull<u8>,
    /// What it was taken with where it is memory like any other.
    plain: Option<Layout>,
}

/// Whether it was said that there is no more of it.
static HAS_SAID: AtomicBool = AtomicBool::new(false);
/// Where pinned memory starts.
const PAGE: usize = 4096;

// SAFETY: it is memory, whose owner says who uses which bytes.
unsafe impl Send for Pinned {}
// SAFETY: as above.
unsafe impl Sync for Pinned {}

impl Pinned {
    /// Memory for the devices of all contexts.
    pub(crate) fn new(context: &Arc<Context>, bytes: usize) -> Result<Self, Failure> {
        const API: &str = "cuMemHostAlloc";
        let _current = context.enter()?;
        let mut start = null_mut();
        // SAFETY: a context is current, and the driver writes an address.
        let code =
            unsafe { functions::cuMemHostAlloc(&raw mut start, bytes, CU_MEMHOSTALLOC_PORTABLE) };
        match Failure::check(API, code) {
            Err(failure) if failure.kind() == DriverErrorKind::OutOfMemory => {
                Self::plain(context, bytes).ok_or(failure)
            }
            checked => {
                checked?;
                let start = NonNull::new(start.cast()).ok_or(Failure::invalid(API))?;
                Ok(Self { context: Arc::clone(context), start, plain: None })
            }
        }
    }

    /// Memory like any other; nothing where there is none.
    fn plain(context: &Arc<Context>, bytes: usize) -> Option<Self> {
        if !HAS_SAID.swap(true, Ordering::Relaxed) {
            tracing::warn!(
                bytes,
                "the driver pins no more memory of the host, so copies are slower and wait for the device"
            );
        }
        let layout = Layout::from_size_align(bytes.max(1), PAGE).ok()?;
        // SAFETY: there are bytes.
        let start = NonNull::new(unsafe { alloc_zeroed(layout) })?;
        Some(Self { context: Arc::clone(context), start, plain: Some(layout) })
    }

    /// Whether the driver has taken it.
    pub(crate) fn is_pinned(&self) -> bool {
        self.plain.is_none()
    }

    /// Where it starts.
    pub(crate) fn start(&self) -> *mut u8 {
        self.start.as_ptr()
    }

    /// The context that it was taken in.
    pub(crate) fn context(&self) -> &Arc<Context> {
        &self.context
    }
}

impl Drop for Pinned {
    fn drop(&mut self) {
        if let Some(layout) = self.plain {
            // SAFETY: it was taken with this layout, and no operation that uses it is left.
            unsafe { dealloc(self.start.as_ptr(), layout) };
            return;
        }
        self.context.if_alive(|| {
            // SAFETY: it is from the driver, and no operation that uses it is left.
            unsafe { functions::cuMemFreeHost(self.start.as_ptr().cast()) };
        });
    }
}

/// Memory of the host that the driver keeps where it is for as long as this is there.
#[derive(Debug)]
pub(crate) struct Registered {
    context: Arc<Context>,
    start: *mut c_void,
}

// SAFETY: it is only passed to the driver, which takes it from any thread.
unsafe impl Send for Registered {}
// SAFETY: as above.
unsafe impl Sync for Registered {}

impl Registered {
    /// Keeps memory where it is, for the devices of all contexts.
    ///
    /// # Safety
    ///
    /// The bytes are there for as long as what this returns.
    pub(crate) unsafe fn new(
        context: &Arc<Context>,
        start: *mut u8,
        bytes: usize,
    ) -> Result<Self, Failure> {
        let _current = context.enter()?;
        let start = start.cast();
        // SAFETY: a context is current; the bytes are there, as the caller says.
        let code =
            unsafe { functions::cuMemHostRegister_v2(start, bytes, CU_MEMHOSTREGISTER_PORTABLE) };
        Failure::check("cuMemHostRegister_v2", code)?;
        Ok(Self { context: Arc::clone(context), start })
    }
}

impl Drop for Registered {
    fn drop(&mut self) {
        self.context.if_alive(|| {
            // SAFETY: it was registered from this address on, once.
            unsafe { functions::cuMemHostUnregister(self.start) };
        });
    }
}
