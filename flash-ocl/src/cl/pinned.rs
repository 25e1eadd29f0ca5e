//! Memory of the host that stays mapped, from which and to which devices copy fast. Fenced: it is unmapped
//! when it goes. It does not know who uses which bytes.
#![allow(unsafe_code, reason = "calls functions of the OpenCL library")]

use std::ptr::NonNull;

use super::{Context, Failure, Mem, Queue, Waits};

/// Memory of the host that the driver has chosen (`CL_MEM_ALLOC_HOST_PTR`).
#[derive(Debug)]
pub(crate) struct Pinned {
    memory: Mem,
    start: NonNull<u8>,
    /// The queue that maps it.
    queue: Queue,
}

// SAFETY: it is memory, whose owner says who uses which bytes.
unsafe impl Send for Pinned {}
// SAFETY: as above.
unsafe impl Sync for Pinned {}

impl Pinned {
    /// Memory of undefined contents, mapped by a queue to which nothing else is submitted that takes long.
    pub(crate) fn new(context: &Context, queue: &Queue, bytes: usize) -> Result<Self, Failure> {
        let memory = context.memory_of_host(bytes)?;
        let (event, place) = queue.map(&memory, bytes, true, &Waits::none())?;
        queue.flush()?;
        event.wait()?;
        let nothing = Failure { api: "clEnqueueMapBuffer", code: opencl_sys::CL_MAP_FAILURE };
        let start = NonNull::new(place.cast()).ok_or(nothing)?;
        Ok(Self { memory, start, queue: queue.clone() })
    }

    /// Where it starts.
    pub(crate) fn start(&self) -> *mut u8 {
        self.start.as_ptr()
    }
}

impl Drop for Pinned {
    /// After the last copy from it and to it.
    fn drop(&mut self) {
        let place = self.start.as_ptr().cast();
        // SAFETY: it was mapped there, once.
        let unmapped = unsafe { self.queue.unmap(&self.memory, place, &Waits::none()) };
        if let Err(failure) = unmapped.and_then(|_| self.queue.finish()) {
            let status = super::name(failure.code);
            tracing::debug!(api = failure.api, status, "pinned memory could not be unmapped");
        }
    }
}
