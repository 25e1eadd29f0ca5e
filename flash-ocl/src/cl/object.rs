//! Objects of OpenCL, each of which counts its owners. Fenced: it keeps and gives up references that
//! the driver counts.
#![allow(unsafe_code, reason = "calls functions of the OpenCL library")]

use std::ffi::c_void;
use std::ptr::{null, null_mut};
use std::time::Duration;

use opencl_sys as sys;

use super::{DeviceId, Failure, PlatformId, Table};

macro_rules! object {
    ($(#[$doc:meta])* $name:ident: $raw:ident, $release:ident) => {
        $(#[$doc])*
        #[derive(Debug)]
        pub(crate) struct $name {
            pub(super) cl: &'static Table,
            pub(super) raw: sys::$raw,
        }

        // SAFETY: OpenCL counts references with atomic operations, and any thread may use an object.
        unsafe impl Send for $name {}

        impl $name {
            /// What the driver knows it by.
            #[allow(dead_code, reason = "not of every object")]
            pub(crate) fn handle(&self) -> *mut c_void {
                self.raw
            }
        }

        impl Drop for $name {
            fn drop(&mut self) {
                if let Some(release) = self.cl.$release {
                    // SAFETY: the object is ours, and this is the end of our reference.
                    unsafe { release(self.raw) };
                }
            }
        }
    };
    ($(#[$doc:meta])* $name:ident: $raw:ident, $release:ident, $retain:ident) => {
        object!($(#[$doc])* $name: $raw, $release);

        // SAFETY: the functions that take it may be called by several threads at once.
        unsafe impl Sync for $name {}

        impl Clone for $name {
            fn clone(&self) -> Self {
                if let Some(retain) = self.cl.$retain {
                    // SAFETY: the object is alive as long as `self` is.
                    unsafe { retain(self.raw) };
                }
                Self { cl: self.cl, raw: self.raw }
            }
        }
    };
}

object!(
    /// Devices of a platform that share memory and programs.
    Context: cl_context, clReleaseContext, clRetainContext
);
object!(
    /// A part of a device.
    PartDevice: cl_device_id, clReleaseDevice
);

// SAFETY: the functions that take it may be called by several threads at once.
unsafe impl Sync for PartDevice {}

object!(
    /// A queue of a device, in order.
    Queue: cl_command_queue, clReleaseCommandQueue, clRetainCommandQueue
);
object!(
    /// Memory.
    Mem: cl_mem, clReleaseMemObject, clRetainMemObject
);
object!(
    /// A program.
    Program: cl_program, clReleaseProgram, clRetainProgram
);
object!(
    /// What was submitted to a queue.
    Event: cl_event, clReleaseEvent, clRetainEvent
);
object!(
    /// A function of a program with its arguments, which one thread at a time may set.
    Kernel: cl_kernel, clReleaseKernel
);

impl PartDevice {
    /// The parts of a device by a list of properties, which ends with 0.
    pub(crate) fn of(
        cl: &'static Table,
        device: DeviceId,
        properties: &[isize],
    ) -> Result<Vec<Self>, Failure> {
        const API: &str = "clCreateSubDevices";
        let create = cl.clCreateSubDevices.ok_or(Failure::missing(API))?;
        let invalid = Failure { api: API, code: sys::CL_INVALID_VALUE };
        let list =
            if properties.ends_with(&[0]) { properties.as_ptr() } else { return Err(invalid) };
        let mut n = 0;
        // SAFETY: the list ends with 0; nothing is to be written but the number.
        Failure::check(API, unsafe { create(device.0, list, 0, null_mut(), &raw mut n) })?;
        let mut all = vec![null_mut(); n as usize];
        // SAFETY: as above; there is room for so many.
        let code = unsafe { create(device.0, list, n, all.as_mut_ptr(), null_mut()) };
        Failure::check(API, code)?;
        Ok(all.into_iter().map(|raw| Self { cl, raw }).collect())
    }

    /// What it is known by for as long as it is there.
    pub(crate) fn id(&self) -> DeviceId {
        DeviceId(self.raw)
    }
}

/// How far a command is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Progress {
    /// It is not over.
    UnderWay,
    /// It is over.
    Done,
    /// It went wrong, with this status.
    Failed(i32),
}

impl Context {
    /// A context of devices of one platform.
    pub(crate) fn new(
        cl: &'static Table,
        platform: PlatformId,
        devices: &[DeviceId],
    ) -> Result<Self, Failure> {
        const API: &str = "clCreateContext";
        let create = cl.clCreateContext.ok_or(Failure::missing(API))?;
        let properties = [sys::CL_CONTEXT_PLATFORM, platform.0.addr().cast_signed(), 0];
        let raw: Vec<_> = devices.iter().map(|device| device.0).collect();
        let mut code = 0;
        // SAFETY: the properties end with 0, the devices are as many as is said, nothing is called
        // back.
        let raw = unsafe {
            create(
                properties.as_ptr(),
                raw.len() as u32,
                raw.as_ptr(),
                None,
                null_mut(),
                &raw mut code,
            )
        };
        Failure::check(API, code)?;
        Ok(Self { cl, raw })
    }

    /// A queue of a device, which notes when its commands run if it is timed: some drivers read a clock several
    /// times for each command then.
    pub(crate) fn queue(&self, device: DeviceId, is_timed: bool) -> Result<Queue, Failure> {
        const API: &str = "clCreateCommandQueue";
        // Drivers of every version have it, those of OpenCL 2 as well.
        let create = self.cl.clCreateCommandQueue.ok_or(Failure::missing(API))?;
        let flags = if is_timed { sys::CL_QUEUE_PROFILING_ENABLE } else { 0 };
        let mut code = 0;
        // SAFETY: context and device are alive and belong together.
        let raw = unsafe { create(self.raw, device.0, flags, &raw mut code) };
        Failure::check(API, code)?;
        Ok(Queue { cl: self.cl, raw })
    }

    /// Memory of undefined contents.
    pub(crate) fn memory(&self, bytes: usize) -> Result<Mem, Failure> {
        const API: &str = "clCreateBuffer";
        let create = self.cl.clCreateBuffer.ok_or(Failure::missing(API))?;
        let mut code = 0;
        // SAFETY: no memory of the host is passed.
        let raw =
            unsafe { create(self.raw, sys::CL_MEM_READ_WRITE, bytes, null_mut(), &raw mut code) };
        Failure::check(API, code)?;
        Ok(Mem { cl: self.cl, raw })
    }
}

impl Context {
    /// Memory with these bytes, which kernels only read.
    pub(crate) fn memory_with(&self, bytes: &[u8]) -> Result<Mem, Failure> {
        const API: &str = "clCreateBuffer";
        let create = self.cl.clCreateBuffer.ok_or(Failure::missing(API))?;
        let flags = sys::CL_MEM_READ_ONLY | sys::CL_MEM_COPY_HOST_PTR;
        let (mut code, start) = (0, bytes.as_ptr().cast_mut().cast());
        // SAFETY: so many bytes are there, which the driver copies before it returns.
        let raw = unsafe { create(self.raw, flags, bytes.len(), start, &raw mut code) };
        Failure::check(API, code)?;
        Ok(Mem { cl: self.cl, raw })
    }

    /// Memory over bytes of the host, which the device uses itself where it can.
    ///
    /// # Safety
    ///
    /// Until the memory is gone the bytes are valid, and nobody touches them while commands use it.
    pub(crate) unsafe fn memory_in_place(
        &self,
        start: *mut u8,
        bytes: usize,
    ) -> Result<Mem, Failure> {
        const API: &str = "clCreateBuffer";
        let create = self.cl.clCreateBuffer.ok_or(Failure::missing(API))?;
        let flags = sys::CL_MEM_READ_WRITE | sys::CL_MEM_USE_HOST_PTR;
        let mut code = 0;
        // SAFETY: so many bytes are there, as the caller says.
        let raw = unsafe { create(self.raw, flags, bytes, start.cast(), &raw mut code) };
        Failure::check(API, code)?;
        Ok(Mem { cl: self.cl, raw })
    }
}

impl Context {
    /// Memory of the host that the driver has chosen, which devices copy fast.
    pub(super) fn memory_of_host(&self, bytes: usize) -> Result<Mem, Failure> {
        const API: &str = "clCreateBuffer";
        let create = self.cl.clCreateBuffer.ok_or(Failure::missing(API))?;
        let flags = sys::CL_MEM_READ_WRITE | sys::CL_MEM_ALLOC_HOST_PTR;
        let mut code = 0;
        // SAFETY: no memory of the host is passed.
        let raw = unsafe { create(self.raw, flags, bytes, null_mut(), &raw mut code) };
        Failure::check(API, code)?;
        Ok(Mem { cl: self.cl, raw })
    }

    /// An event that is over when [`Event::complete`] is called.
    pub(crate) fn user_event(&self) -> Result<Event, Failure> {
        const API: &str = "clCreateUserEvent";
        let create = self.cl.clCreateUserEvent.ok_or(Failure::missing(API))?;
        let mut code = 0;
        // SAFETY: the context is alive.
        let raw = unsafe { create(self.raw, &raw mut code) };
        Failure::check(API, code)?;
        Ok(Event { cl: self.cl, raw })
    }
}

impl Mem {
    /// A part of it, as memory of its own that shares its bytes.
    pub(crate) fn part(&self, origin: usize, size: usize) -> Result<Self, Failure> {
        const API: &str = "clCreateSubBuffer";
        let create = self.cl.clCreateSubBuffer.ok_or(Failure::missing(API))?;
        let region = sys::cl_buffer_region { origin, size };
        let (kind, mut code) = (sys::CL_BUFFER_CREATE_TYPE_REGION, 0);
        // SAFETY: the description is of the type that its kind names.
        let raw = unsafe {
            let region = (&raw const region).cast::<c_void>();
            create(self.raw, sys::CL_MEM_READ_WRITE, kind, region, &raw mut code)
        };
        Failure::check(API, code)?;
        Ok(Self { cl: self.cl, raw })
    }
}

impl Queue {
    /// Hands what was submitted to the device.
    pub(crate) fn flush(&self) -> Result<(), Failure> {
        let flush = self.cl.clFlush.ok_or(Failure::missing("clFlush"))?;
        // SAFETY: the queue is alive.
        Failure::check("clFlush", unsafe { flush(self.raw) })
    }

    /// Returns when all that was submitted is over.
    pub(crate) fn finish(&self) -> Result<(), Failure> {
        let finish = self.cl.clFinish.ok_or(Failure::missing("clFinish"))?;
        // SAFETY: the queue is alive.
        Failure::check("clFinish", unsafe { finish(self.raw) })
    }
}

impl Event {
    /// How far it is.
    pub(crate) fn progress(&self) -> Progress {
        let Some(info) = self.cl.clGetEventInfo else {
            return Progress::Failed(super::status::MISSING);
        };
        let mut status = 0_i32;
        // SAFETY: a status has the size that is passed.
        let code = unsafe {
            info(
                self.raw,
                sys::CL_EVENT_COMMAND_EXECUTION_STATUS,
                size_of::<i32>(),
                (&raw mut status).cast(),
                null_mut(),
            )
        };
        match (code, status) {
            (sys::CL_SUCCESS, sys::CL_COMPLETE) => Progress::Done,
            (sys::CL_SUCCESS, status) if status < 0 => Progress::Failed(status),
            (sys::CL_SUCCESS, _) => Progress::UnderWay,
            (code, _) => Progress::Failed(code),
        }
    }

    /// Returns when it is over.
    pub(crate) fn wait(&self) -> Result<(), Failure> {
        const API: &str = "clWaitForEvents";
        let wait = self.cl.clWaitForEvents.ok_or(Failure::missing(API))?;
        // SAFETY: one event is passed, and it is alive.
        Failure::check(API, unsafe { wait(1, &raw const self.raw) })
    }

    /// Ends it, where it is one of [`Context::user_event`] and nobody has ended it.
    pub(crate) fn complete(&self) -> Result<(), Failure> {
        const API: &str = "clSetUserEventStatus";
        let set = self.cl.clSetUserEventStatus.ok_or(Failure::missing(API))?;
        // SAFETY: the event is alive; the driver refuses one that is of another kind or over.
        Failure::check(API, unsafe { set(self.raw, sys::CL_COMPLETE) })
    }

    /// When it began and ended, on the clock of its device.
    pub(crate) fn span(&self) -> Option<(Duration, Duration)> {
        let begin = self.moment(sys::CL_PROFILING_COMMAND_START)?;
        let end = self.moment(sys::CL_PROFILING_COMMAND_END)?;
        Some((begin, end.max(begin)))
    }

    fn moment(&self, of: u32) -> Option<Duration> {
        let info = self.cl.clGetEventProfilingInfo?;
        let mut nanos = 0_u64;
        // SAFETY: a moment has the size that is passed.
        let code =
            unsafe { info(self.raw, of, size_of::<u64>(), (&raw mut nanos).cast(), null_mut()) };
        (code == sys::CL_SUCCESS).then(|| Duration::from_nanos(nanos))
    }
}

/// What takes the arguments of a kernel.
pub(crate) trait SetArguments {
    /// Sets an argument to bytes.
    fn set_bytes(&mut self, index: u32, bytes: &[u8]) -> Result<(), Failure>;

    /// Sets an argument to memory.
    fn set_memory(&mut self, index: u32, memory: &Mem) -> Result<(), Failure>;

    /// Sets an argument to memory that the items of a work-group share.
    fn set_local(&mut self, index: u32, bytes: usize) -> Result<(), Failure>;
}

impl SetArguments for Kernel {
    fn set_bytes(&mut self, index: u32, bytes: &[u8]) -> Result<(), Failure> {
        let value = bytes.as_ptr().cast();
        // SAFETY: so many bytes are there; the driver compares their number with the argument.
        unsafe { self.set(index, bytes.len(), value) }
    }

    fn set_memory(&mut self, index: u32, memory: &Mem) -> Result<(), Failure> {
        let value = (&raw const memory.raw).cast();
        // SAFETY: a handle of memory, with its size.
        unsafe { self.set(index, size_of::<sys::cl_mem>(), value) }
    }

    fn set_local(&mut self, index: u32, bytes: usize) -> Result<(), Failure> {
        // SAFETY: of shared memory only the size is passed.
        unsafe { self.set(index, bytes, null()) }
    }
}

impl Kernel {
    /// # Safety
    ///
    /// `value` is null, or so many bytes are there.
    unsafe fn set(&mut self, index: u32, size: usize, value: *const c_void) -> Result<(), Failure> {
        const API: &str = "clSetKernelArg";
        let set = self.cl.clSetKernelArg.ok_or(Failure::missing(API))?;
        // SAFETY: as the caller says; `&mut self` keeps other threads away.
        Failure::check(API, unsafe { set(self.raw, index, size, value) })
    }
}
