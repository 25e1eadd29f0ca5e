//! Commands of a queue: copies, fills, launches. Fenced: the driver reads and writes memory of the
//! host after the call, for as long as the caller promises that it may.
#![allow(unsafe_code, reason = "calls functions of the OpenCL library")]

use std::ffi::c_void;
use std::marker::PhantomData;
use std::ptr::{null, null_mut};

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
    fn event(&self, api: &'static str, code: i32, raw: sys::cl_event) -> Result<Event, Failure> {
        Failure::check(api, code)?;
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
        let ((n, list), mut event) = (waits.list(), null_mut());
        // SAFETY: as the caller promises; the driver checks the range of the memory.
        let code = unsafe {
            let raw = (self.raw, to.raw);
            write(raw.0, raw.1, sys::CL_FALSE, offset, len, from.cast(), n, list, &raw mut event)
        };
        self.event(API, code, event)
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
        let ((n, list), mut event) = (waits.list(), null_mut());
        // SAFETY: as the caller promises; the driver checks the range of the memory.
        let code = unsafe {
            let raw = (self.raw, from.raw);
            read(raw.0, raw.1, sys::CL_FALSE, offset, len, to.cast(), n, list, &raw mut event)
        };
        self.event(API, code, event)
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
        let (there, here) = ([rect.offset, 0, 0], [0; 3]);
        let ((n, list), mut event) = (waits.list(), null_mut());
        // SAFETY: as the caller promises; the driver checks the range of the memory.
        let code = unsafe {
            write(
                self.raw,
                to.raw,
                sys::CL_FALSE,
                there.as_ptr(),
                here.as_ptr(),
                rect.region.as_ptr(),
                rect.there[0],
                rect.there[1],
                rect.here[0],
                rect.here[1],
                from.cast(),
                n,
                list,
                &raw mut event,
            )
        };
        self.event(API, code, event)
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
        let (there, here) = ([rect.offset, 0, 0], [0; 3]);
        let ((n, list), mut event) = (waits.list(), null_mut());
        // SAFETY: as the caller promises; the driver checks the range of the memory.
        let code = unsafe {
            read(
                self.raw,
                from.raw,
                sys::CL_FALSE,
                there.as_ptr(),
                here.as_ptr(),
                rect.region.as_ptr(),
                rect.there[0],
                rect.there[1],
                rect.here[0],
                rect.here[1],
                to.cast(),
                n,
                list,
                &raw mut event,
            )
        };
        self.event(API, code, event)
    }

    /// Lets the host see memory of its own that the device uses; the event, and where it is.
    pub(crate) fn map(
        &self,
        memory: &Mem,
        bytes: usize,
        waits: &Waits<'_>,
    ) -> Result<(Event, *mut c_void), Failure> {
        const API: &str = "clEnqueueMapBuffer";
        let map = self.cl.clEnqueueMapBuffer.ok_or(Failure::missing(API))?;
        let ((n, list), mut event, mut code) = (waits.list(), null_mut(), 0);
        // SAFETY: the driver checks the range of the memory.
        let place = unsafe {
            let (queue, memory, out) = (self.raw, memory.raw, &raw mut code);
            let (blocks, flags) = (sys::CL_FALSE, sys::CL_MAP_READ);
            map(queue, memory, blocks, flags, 0, bytes, n, list, &raw mut event, out)
        };
        Ok((self.event(API, code, event)?, place))
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
        let ((n, list), mut event) = (waits.list(), null_mut());
        // SAFETY: as the caller says.
        let code = unsafe { unmap(self.raw, memory.raw, place, n, list, &raw mut event) };
        self.event(API, code, event)
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
        let ((n, list), mut event) = (waits.list(), null_mut());
        // SAFETY: the pattern has up to 16 bytes and is copied in the call; the driver checks the
        // range of the memory.
        let code = unsafe {
            let pattern = zeros.as_ptr().cast();
            fill(self.raw, to.raw, pattern, width, offset, len, n, list, &raw mut event)
        };
        self.event(API, code, event)
    }

    /// Lets nothing that is submitted to the queue later begin before what it waits for is over.
    pub(crate) fn barrier(&self, waits: &Waits<'_>) -> Result<Event, Failure> {
        const API: &str = "clEnqueueBarrierWithWaitList";
        let barrier = self.cl.clEnqueueBarrierWithWaitList.ok_or(Failure::missing(API))?;
        let ((n, list), mut event) = (waits.list(), null_mut());
        // SAFETY: the queue and the events are alive.
        let code = unsafe { barrier(self.raw, n, list, &raw mut event) };
        self.event(API, code, event)
    }

    /// Is over when all that was submitted to the queue before is.
    pub(crate) fn marker(&self, waits: &Waits<'_>) -> Result<Event, Failure> {
        const API: &str = "clEnqueueMarkerWithWaitList";
        let marker = self.cl.clEnqueueMarkerWithWaitList.ok_or(Failure::missing(API))?;
        let ((n, list), mut event) = (waits.list(), null_mut());
        // SAFETY: the queue and the events are alive.
        let code = unsafe { marker(self.raw, n, list, &raw mut event) };
        self.event(API, code, event)
    }

    /// Launches a kernel with the arguments that are set.
    ///
    /// # Safety
    ///
    /// The kernel is one that may run with these arguments, and until the event is over nothing else
    /// touches what it writes or writes what it reads.
    pub(crate) unsafe fn launch(
        &self,
        kernel: &Kernel,
        (offset, global): (&[usize], &[usize]),
        local: Option<&[usize]>,
        waits: &Waits<'_>,
    ) -> Result<Event, Failure> {
        const API: &str = "clEnqueueNDRangeKernel";
        let launch = self.cl.clEnqueueNDRangeKernel.ok_or(Failure::missing(API))?;
        let rank = global.len();
        if offset.len() != rank || local.is_some_and(|local| local.len() != rank) {
            return Err(Failure { api: API, code: sys::CL_INVALID_WORK_DIMENSION });
        }
        let local = local.map_or(null(), <[usize]>::as_ptr);
        let ((n, list), mut event) = (waits.list(), null_mut());
        // SAFETY: as the caller promises; all lists have `rank` numbers.
        let code = unsafe {
            let (offset, global) = (offset.as_ptr(), global.as_ptr());
            let (queue, kernel, rank) = (self.raw, kernel.raw, rank as u32);
            launch(queue, kernel, rank, offset, global, local, n, list, &raw mut event)
        };
        self.event(API, code, event)
    }
}
