//! Objects that somebody else has made: what they say of themselves, and owners of ours beside
//! theirs. Fenced: it takes raw handles. It does not ask whether they fit anything.
#![allow(unsafe_code, reason = "calls functions of the OpenCL library")]

use std::ffi::c_void;

use opencl_sys as sys;

use super::info::{answer, handle};
use super::{Context, DeviceId, Failure, Mem, Queue, Table};

impl DeviceId {
    /// A device that somebody else has.
    ///
    /// # Safety
    ///
    /// It is a `cl_device_id` that stays valid as long as anything that is made of it.
    pub(crate) unsafe fn of(raw: *mut c_void) -> Self {
        Self(raw)
    }
}

impl Context {
    /// A context that somebody else has.
    ///
    /// # Safety
    ///
    /// It is a `cl_context`.
    pub(crate) unsafe fn adopt(cl: &'static Table, raw: *mut c_void) -> Result<Self, Failure> {
        const API: &str = "clRetainContext";
        let retain = cl.clRetainContext.ok_or(Failure::missing(API))?;
        // SAFETY: as the caller says.
        Failure::check(API, unsafe { retain(raw) })?;
        Ok(Self { cl, raw })
    }

    /// Whether a device belongs to it.
    pub(crate) fn has(&self, device: DeviceId) -> Result<bool, Failure> {
        const API: &str = "clGetContextInfo";
        let get = self.cl.clGetContextInfo.ok_or(Failure::missing(API))?;
        let ask = |size, value, len| {
            // SAFETY: `answer` passes a place of so many bytes.
            unsafe { get(self.raw, sys::CL_CONTEXT_DEVICES, size, value, len) }
        };
        let bytes = answer(API, ask)?;
        Ok(bytes.chunks(size_of::<usize>()).any(|bytes| handle(bytes) == Some(device.0)))
    }
}

impl Queue {
    /// A queue that somebody else has.
    ///
    /// # Safety
    ///
    /// It is a `cl_command_queue`.
    pub(crate) unsafe fn adopt(cl: &'static Table, raw: *mut c_void) -> Result<Self, Failure> {
        const API: &str = "clRetainCommandQueue";
        let retain = cl.clRetainCommandQueue.ok_or(Failure::missing(API))?;
        // SAFETY: as the caller says.
        Failure::check(API, unsafe { retain(raw) })?;
        Ok(Self { cl, raw })
    }

    fn info(&self, what: u32) -> Result<Vec<u8>, Failure> {
        const API: &str = "clGetCommandQueueInfo";
        let get = self.cl.clGetCommandQueueInfo.ok_or(Failure::missing(API))?;
        // SAFETY: `answer` passes a place of so many bytes.
        answer(API, |size, value, len| unsafe { get(self.raw, what, size, value, len) })
    }

    /// The handle of its context, and its device.
    pub(crate) fn place(&self) -> Result<(*mut c_void, DeviceId), Failure> {
        let unknown = Failure { api: "clGetCommandQueueInfo", code: sys::CL_INVALID_VALUE };
        let context = handle(&self.info(sys::CL_QUEUE_CONTEXT)?).ok_or(unknown)?;
        let device = handle(&self.info(sys::CL_QUEUE_DEVICE)?).ok_or(unknown)?;
        Ok((context, DeviceId(device)))
    }

    /// Whether its commands may run in another order.
    pub(crate) fn is_out_of_order(&self) -> Result<bool, Failure> {
        let out = sys::CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE;
        Ok(number(&self.info(sys::CL_QUEUE_PROPERTIES)?) & out != 0)
    }
}

/// What memory says of itself.
#[derive(Clone, Copy, Debug)]
pub(crate) struct MemFacts {
    /// The handle of its context.
    pub(crate) context: Option<*mut c_void>,
    /// Whether it is a buffer: no image and no pipe.
    pub(crate) is_buffer: bool,
    pub(crate) bytes: u64,
    /// Whether kernels may read it, and write it.
    pub(crate) read: bool,
    pub(crate) written: bool,
}

impl Mem {
    /// Memory that somebody else has.
    ///
    /// # Safety
    ///
    /// It is a `cl_mem`.
    pub(crate) unsafe fn adopt(cl: &'static Table, raw: *mut c_void) -> Result<Self, Failure> {
        const API: &str = "clRetainMemObject";
        let retain = cl.clRetainMemObject.ok_or(Failure::missing(API))?;
        // SAFETY: as the caller says.
        Failure::check(API, unsafe { retain(raw) })?;
        Ok(Self { cl, raw })
    }

    fn info(&self, what: u32) -> Result<Vec<u8>, Failure> {
        const API: &str = "clGetMemObjectInfo";
        let get = self.cl.clGetMemObjectInfo.ok_or(Failure::missing(API))?;
        // SAFETY: `answer` passes a place of so many bytes.
        answer(API, |size, value, len| unsafe { get(self.raw, what, size, value, len) })
    }

    /// What it says of itself.
    pub(crate) fn facts(&self) -> Result<MemFacts, Failure> {
        let flags = number(&self.info(sys::CL_MEM_FLAGS)?);
        let kind = number(&self.info(sys::CL_MEM_TYPE)?);
        Ok(MemFacts {
            context: handle(&self.info(sys::CL_MEM_CONTEXT)?),
            is_buffer: kind == u64::from(sys::CL_MEM_OBJECT_BUFFER),
            bytes: number(&self.info(sys::CL_MEM_SIZE)?),
            read: flags & sys::CL_MEM_WRITE_ONLY == 0,
            written: flags & sys::CL_MEM_READ_ONLY == 0,
        })
    }
}

/// An answer that is a number of up to eight bytes.
fn number(bytes: &[u8]) -> u64 {
    bytes.iter().rev().fold(0, |sum, byte| sum << 8 | u64::from(*byte))
}
