//! Streams and memory that somebody else has made: what the driver says of them. Fenced: it takes raw
//! handles. It does not ask whether they fit anything.
#![allow(unsafe_code, reason = "calls functions of the CUDA driver")]

use std::ffi::{c_int, c_void};
use std::ptr::null_mut;
use std::sync::Arc;

use cudarc::driver::sys::{CUpointer_attribute, CUresult, CUstream};

use super::functions;
use super::{Context, Failure, Stream};

/// What the driver says of an address.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Place {
    /// The number of its device.
    pub(crate) ordinal: i32,
    /// From it on to the end of its memory.
    pub(crate) bytes: u64,
}

impl Stream {
    /// A stream that somebody else has, in one of these contexts; `None` where it is in none of them.
    ///
    /// # Safety
    ///
    /// It is a `CUstream`, and stays one for as long as what this returns.
    pub(crate) unsafe fn adopt(
        raw: *mut c_void,
        contexts: &[Arc<Context>],
    ) -> Result<Option<Self>, Failure> {
        // The call wants one to be current, whichever.
        let Some(first) = contexts.first() else { return Ok(None) };
        let _current = first.enter()?;
        let (raw, mut context): (CUstream, _) = (raw.cast(), null_mut());
        // SAFETY: as the caller says; a context is current, and the driver writes a handle.
        let code = unsafe { functions::cuStreamGetCtx(raw, &raw mut context) };
        Failure::check("cuStreamGetCtx", code)?;
        let own = contexts.iter().find(|own| own.raw() == context);
        Ok(own.map(|context| Self::of_another(Arc::clone(context), raw)))
    }
}

impl Context {
    /// What is at an address; `None` where there is no memory of a device.
    pub(crate) fn place(&self, address: u64) -> Result<Option<Place>, Failure> {
        let _current = self.enter()?;
        use CUpointer_attribute as A;
        let (mut ordinal, mut start, mut bytes): (c_int, u64, usize) = (-1, 0, 0);
        let all = [
            (A::CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL, (&raw mut ordinal).cast::<c_void>()),
            (A::CU_POINTER_ATTRIBUTE_RANGE_START_ADDR, (&raw mut start).cast()),
            (A::CU_POINTER_ATTRIBUTE_RANGE_SIZE, (&raw mut bytes).cast()),
        ];
        for (attribute, value) in all {
            // SAFETY: a context is current; each value has the type that its attribute has.
            let code = unsafe { functions::cuPointerGetAttribute(value, attribute, address) };
            if code.is(CUresult::CUDA_ERROR_INVALID_VALUE) {
                return Ok(None);
            }
            Failure::check("cuPointerGetAttribute", code)?;
        }
        let end = start.saturating_add(bytes as u64);
        Ok((ordinal >= 0).then(|| Place { ordinal, bytes: end.saturating_sub(address) }))
    }
}
