//! Commands of a queue: copies, fills, launches. Fenced: the driver reads and writes memory of the
//! host after the call, for as long as the caller promises that it may.
#![allow(unsafe_code, reason = "calls functions of the OpenCL library")]

use std::ffi::c_void;
use std::marker::PhantomData;
use std::ptr::{null, null_mut};

use flash_rt::offload::plain::Items;
use opencl_sys as sys;

use super::{Event, Failure, Kernel, Mem, Queue};

/// The most events that a command waits for: one of each other queue.
const MOST: usize = 8;

/// What a command waits for, beside what was submitted to its queue before it.
#[derive(Debug)]
pub(crate) struct Waits<'e> {
    raw: [sys::cl_event; MOST],
    n: usize,
    _events: PhantomData<&'e Event>,
}

impl<'e> Waits<'e> {
    /// Nothing.
    pub(crate) const fn none() -> Self {
        Self { raw: [null_mut(); MOST], n: 0, _events: PhantomData }
    }

    /// One more; whether there was room.
    #[must_use]
    pub(crate) fn add(&mut self, event: &'e Event) -> bool {
        let Some(place) = self.raw.get_mut(self.n) else { return false };
        (*place, self.n) = (event.raw, self.n + 1);
        true
    }

    fn list(&self) -> (u32, *const sys::cl_event) {
        // A list without events is no list.
        if self.n == 0 { (0, null()) } else { (self.n as u32, self.raw.as_ptr()) }
    }
}

/// A copy of `rows` runs of `row_bytes` in each of `slices` planes, each side with pitches of its own.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Rect {
    /// First byte in the memory of the device.
    pub(crate) offset: usize,
    /// Bytes of a run, runs, planes.
    pub(crate) region: [usize; 3],
    /// Bytes from run to run and from plane to plane on the device.
    pub(crate) there: [usize; 2],
    /// The same on the host.
    pub(crate) here: [usize; 2],
}

impl Queue {
    /// Submits a command; `call` passes what it waits for and a place for its event.
    #[inline]
    fn command(
        &self,
        api: &'static str,
        waits: &Waits<'_>,
        call: impl FnOnce(u32, *const sys::cl_event, *mut sys::cl_event) -> i32,
    ) -> Result<Event, Failure> {
        let ((n, list), mut raw) = (waits.list(), null_mut());
        Failure::check(api, call(n, list, &raw mut raw))?;
        Ok(Event { cl: self.cl, raw })
    }

    /// Copies from the host.
    ///
    /// # Safety
    ///
    /// Until the event is over, `len` bytes can be read from `from`, and nobody writes them.
    pub(crate) unsafe fn write(
        &self,
        to: &Mem,
        offset: usize,
        from: *const u8,
        len: usize,
        waits: &Waits<'_>,
    ) -> Result<Event, Failure> {
        const API: &str = "clEnqueueWriteBuffer";
        let write = self.cl.clEnqueueWriteBuffer.ok_or(Failure::missing(API))?;
        let (queue, to, from) = (self.raw, to.raw, from.cast());
        // SAFETY: as the caller promises; the driver checks the range of the memory.
        self.command(API, waits, |n, list, event| unsafe {
            write(queue, to, sys::CL_FALSE, offset, len, from, n, list, event)
        })
    }

    /// Copies to the host.
    ///
    /// # Safety
    ///
    /// Until the event is over, `len` bytes can be written from `to` on, and nobody else touches them.
    pub(crate) unsafe fn read(
        &self,
        from: &Mem,
        offset: usize,
        to: *mut u8,
        len: usize,
        waits: &Waits<'_>,
    ) -> Result<Event, Failure> {
        const API: &str = "clEnqueueReadBuffer";
        let read = self.cl.clEnqueueReadBuffer.ok_or(Failure::missing(API))?;
        let (queue, from, to) = (self.raw, from.raw, to.cast());
        // SAFETY: as the caller promises; the driver checks the range of the memory.
        self.command(API, waits, |n, list, event| unsafe {
            read(queue, from, sys::CL_FALSE, offset, len, to, n, list, event)
        })
    }

    /// Copies runs from the host; `from` is where the first one is.
    ///
    /// # Safety
    ///
    /// Until the event is over, the runs can be read, and nobody writes them.
    pub(crate) unsafe fn write_rect(
        &self,
        to: &Mem,
        rect: &Rect,
        from: *const u8,
        waits: &Waits<'_>,
    ) -> Result<Event, Failure> {
        const API: &str = "clEnqueueWriteBufferRect";
        let write = self.cl.clEnqueueWriteBufferRect.ok_or(Failure::missing(API))?;
        let (queue, to, no) = (self.raw, to.raw, sys::CL_FALSE);
        let (first, zero, region) = ([rect.offset, 0, 0], [0; 3], rect.region.as_ptr());
        let ([a, b], [c, d], from) = (rect.there, rect.here, from.cast());
        // SAFETY: as the caller promises; the driver checks the range of the memory.
        self.command(API, waits, |n, list, event| unsafe {
            let (first, zero) = (first.as_ptr(), zero.as_ptr());
            write(queue, to, no, first, zero, region, a, b, c, d, from, n, list, event)
        })
    }

    /// Copies runs to the host; `to` is where the first one is.
    ///
    /// # Safety
    ///
    /// Until the event is over, the runs can be written, and nobody else touches them.
    pub(crate) unsafe fn read_rect(
        &self,
        from: &Mem,
        rect: &Rect,
        to: *mut u8,
        waits: &Waits<'_>,
    ) -> Result<Event, Failure> {
        const API: &str = "clEnqueueReadBufferRect";
        let read = self.cl.clEnqueueReadBufferRect.ok_or(Failure::missing(API))?;
        let (queue, from, no) = (self.raw, from.raw, sys::CL_FALSE);
        let (first, zero, region) = ([rect.offset, 0, 0], [0; 3], rect.region.as_ptr());
        let ([a, b], [c, d], to) = (rect.there, rect.here, to.cast());
        // SAFETY: as the caller promises; the driver checks the range of the memory.
        self.command(API, waits, |n, list, event| unsafe {
            let (first, zero) = (first.as_ptr(), zero.as_ptr());
            read(queue, from, no, first, zero, region, a, b, c, d, to, n, list, event)
        })
    }

    /// Lets the host see memory, and write it if `writes`; the event, and where it is.
    pub(crate) fn map(
        &self,
        memory: &Mem,
        bytes: usize,
        writes: bool,
        waits: &Waits<'_>,
    ) -> Result<(Event, *mut c_void), Failure> {
        const API: &str = "clEnqueueMapBuffer";
        let map = self.cl.clEnqueueMapBuffer.ok_or(Failure::missing(API))?;
        let (queue, memory, mut place) = (self.raw, memory.raw, null_mut());
        let more = if writes { sys::CL_MAP_WRITE } else { 0 };
        let (blocks, flags) = (sys::CL_FALSE, sys::CL_MAP_READ | more);
        let event = self.command(API, waits, |n, list, event| {
            let mut code = 0;
            // SAFETY: the driver checks the range of the memory.
            place = unsafe {
                let out = &raw mut code;
                map(queue, memory, blocks, flags, 0, bytes, n, list, event, out)
            };
            code
        })?;
        Ok((event, place))
    }

    /// Ends that.
    ///
    /// # Safety
    ///
    /// The memory is mapped there.
    pub(crate) unsafe fn unmap(
        &self,
        memory: &Mem,
        place: *mut c_void,
        waits: &Waits<'_>,
    ) -> Result<Event, Failure> {
        const API: &str = "clEnqueueUnmapMemObject";
        let unmap = self.cl.clEnqueueUnmapMemObject.ok_or(Failure::missing(API))?;
        let (queue, memory) = (self.raw, memory.raw);
        // SAFETY: as the caller says.
        self.command(API, waits, |n, list, event| unsafe {
            unmap(queue, memory, place, n, list, event)
        })
    }

    /// Writes zeros.
    pub(crate) fn zero(
        &self,
        to: &Mem,
        offset: usize,
        len: usize,
        waits: &Waits<'_>,
    ) -> Result<Event, Failure> {
        const API: &str = "clEnqueueFillBuffer";
        let fill = self.cl.clEnqueueFillBuffer.ok_or(Failure::missing(API))?;
        let zeros = [0_u64; 2];
        // Offset and length are multiples of the pattern, which is as large as it can be.
        let widths = [16, 8, 4, 2, 1];
        let fits = |width: &usize| offset.is_multiple_of(*width) && len.is_multiple_of(*width);
        let width = widths.into_iter().find(fits).unwrap_or(1);
        let (queue, to, pattern) = (self.raw, to.raw, zeros.as_ptr().cast());
        // SAFETY: the pattern has up to 16 bytes and is copied in the call; the driver checks the
        // range of the memory.
        self.command(API, waits, |n, list, event| unsafe {
            fill(queue, to, pattern, width, offset, len, n, list, event)
        })
    }

    /// Lets nothing that is submitted to the queue later begin before what it waits for is over.
    pub(crate) fn barrier(&self, waits: &Waits<'_>) -> Result<Event, Failure> {
        const API: &str = "clEnqueueBarrierWithWaitList";
        let barrier = self.cl.clEnqueueBarrierWithWaitList.ok_or(Failure::missing(API))?;
        // SAFETY: the queue and the events are alive.
        self.command(API, waits, |n, list, event| unsafe { barrier(self.raw, n, list, event) })
    }

    /// Is over when all that was submitted to the queue before is.
    pub(crate) fn marker(&self, waits: &Waits<'_>) -> Result<Event, Failure> {
        const API: &str = "clEnqueueMarkerWithWaitList";
        let marker = self.cl.clEnqueueMarkerWithWaitList.ok_or(Failure::missing(API))?;
        // SAFETY: the queue and the events are alive.
        self.command(API, waits, |n, list, event| unsafe { marker(self.raw, n, list, event) })
    }

    /// Launches a kernel with the arguments that are set.
    ///
    /// # Safety
    ///
    /// The kernel is one that may run with these arguments, and until the event is over nothing else
    /// touches what it writes or writes what it reads.
    #[inline]
    pub(crate) unsafe fn launch(
        &self,
        kernel: &Kernel,
        items: &Items,
        waits: &Waits<'_>,
    ) -> Result<Event, Failure> {
        const API: &str = "clEnqueueNDRangeKernel";
        let launch = self.cl.clEnqueueNDRangeKernel.ok_or(Failure::missing(API))?;
        let (queue, kernel, rank) = (self.raw, kernel.raw, items.rank.min(3) as u32);
        let (offset, global) = (items.offset.as_ptr(), items.global.as_ptr());
        let local = items.local.as_ref().map_or(null(), |local| local.as_ptr());
        // SAFETY: as the caller promises; all lists have three numbers.
        self.command(API, waits, |n, list, event| unsafe {
            launch(queue, kernel, rank, offset, global, local, n, list, event)
        })
    }
}
