//! Which platforms and devices there are, and what they say of themselves. Fenced: it passes places
//! for answers to the driver.
#![allow(unsafe_code, reason = "calls functions of the OpenCL library")]

use std::ffi::c_void;
use std::ptr::null_mut;

use opencl_sys as sys;

use super::{Failure, Table};

/// A platform, which lasts as long as the process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct PlatformId(pub(super) sys::cl_platform_id);

/// A device, which lasts as long as the process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct DeviceId(pub(super) sys::cl_device_id);

impl DeviceId {
    /// What the driver knows it by.
    pub(crate) fn handle(self) -> *mut std::ffi::c_void {
        self.0
    }

    /// None of any driver, and its platform.
    #[cfg(test)]
    pub(crate) fn none() -> (Self, PlatformId) {
        (Self(null_mut()), PlatformId(null_mut()))
    }
}

// SAFETY: a name of something that any thread may ask about.
unsafe impl Send for PlatformId {}
// SAFETY: as above.
unsafe impl Sync for PlatformId {}
// SAFETY: as above.
unsafe impl Send for DeviceId {}
// SAFETY: as above.
unsafe impl Sync for DeviceId {}

/// What sort of device it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum DeviceKind {
    /// The processor.
    Cpu,
    /// A graphics processor.
    Gpu,
    /// Anything else.
    Other,
}

/// The most bytes of an answer that are believed.
const MOST: usize = 1 << 30;

/// An answer of any length: asks for the length, then for the bytes.
pub(super) fn answer(
    api: &'static str,
    ask: impl Fn(usize, *mut c_void, *mut usize) -> i32,
) -> Result<Vec<u8>, Failure> {
    let mut size = 0;
    Failure::check(api, ask(0, null_mut(), &raw mut size))?;
    if size > MOST {
        return Err(Failure { api, code: sys::CL_OUT_OF_HOST_MEMORY });
    }
    let mut bytes = vec![0; size];
    if size > 0 {
        Failure::check(api, ask(size, bytes.as_mut_ptr().cast(), null_mut()))?;
    }
    Ok(bytes)
}

/// Bytes of an answer that is text.
pub(super) fn text(bytes: &[u8]) -> String {
    let end = bytes.iter().position(|byte| *byte == 0).unwrap_or(bytes.len());
    String::from_utf8_lossy(&bytes[..end]).trim().to_owned()
}

/// An answer that is a handle, and not null.
pub(super) fn handle(bytes: &[u8]) -> Option<*mut c_void> {
    let address = usize::from_ne_bytes(bytes.try_into().ok()?);
    // Drivers have given it as bytes, like every answer.
    (address != 0).then(|| std::ptr::with_exposed_provenance_mut(address))
}

impl PlatformId {
    /// All platforms; none where there is no driver.
    pub(crate) fn all(cl: &Table) -> Result<Vec<Self>, Failure> {
        const API: &str = "clGetPlatformIDs";
        let get = cl.clGetPlatformIDs.ok_or(Failure::missing(API))?;
        let mut n = 0;
        // SAFETY: nothing is to be written but the number.
        Failure::check(API, unsafe { get(0, null_mut(), &raw mut n) })?;
        let mut all = vec![null_mut(); n as usize];
        // SAFETY: there is room for so many.
        Failure::check(API, unsafe { get(n, all.as_mut_ptr(), null_mut()) })?;
        Ok(all.into_iter().map(Self).collect())
    }

    /// What it says of itself; empty where it says nothing.
    pub(crate) fn text(self, cl: &Table, what: u32) -> String {
        let Some(get) = cl.clGetPlatformInfo else { return String::new() };
        let bytes = answer("clGetPlatformInfo", |size, value, len| {
            // SAFETY: `answer` passes a place of so many bytes.
            unsafe { get(self.0, what, size, value, len) }
        });
        bytes.map_or_else(|_| String::new(), |bytes| text(&bytes))
    }

    /// Its devices.
    pub(crate) fn devices(self, cl: &Table) -> Result<Vec<DeviceId>, Failure> {
        const API: &str = "clGetDeviceIDs";
        let get = cl.clGetDeviceIDs.ok_or(Failure::missing(API))?;
        let (every, mut n) = (sys::CL_DEVICE_TYPE_ALL, 0);
        // SAFETY: nothing is to be written but the number.
        match unsafe { get(self.0, every, 0, null_mut(), &raw mut n) } {
            sys::CL_DEVICE_NOT_FOUND => return Ok(Vec::new()),
            code => Failure::check(API, code)?,
        }
        let mut all = vec![null_mut(); n as usize];
        // SAFETY: there is room for so many.
        Failure::check(API, unsafe { get(self.0, every, n, all.as_mut_ptr(), null_mut()) })?;
        Ok(all.into_iter().map(DeviceId).collect())
    }
}

impl DeviceId {
    fn bytes(self, cl: &Table, what: u32) -> Option<Vec<u8>> {
        let get = cl.clGetDeviceInfo?;
        let ask = |size, value, len| {
            // SAFETY: `answer` passes a place of so many bytes.
            unsafe { get(self.0, what, size, value, len) }
        };
        answer("clGetDeviceInfo", ask).ok()
    }

    /// What it says of itself in words; empty where it says nothing.
    pub(crate) fn text(self, cl: &Table, what: u32) -> String {
        self.bytes(cl, what).map_or_else(String::new, |bytes| text(&bytes))
    }

    /// A number of 1 to 8 bytes; 0 where it says nothing.
    pub(crate) fn number(self, cl: &Table, what: u32) -> u64 {
        let bytes = self.bytes(cl, what).unwrap_or_default();
        let mut wide = [0; 8];
        let n = bytes.len().min(8);
        wide[..n].copy_from_slice(&bytes[..n]);
        u64::from_le_bytes(wide)
    }

    /// Numbers of bytes, items and the like; none where it says nothing.
    pub(crate) fn sizes(self, cl: &Table, what: u32) -> Vec<usize> {
        let bytes = self.bytes(cl, what).unwrap_or_default();
        let word = |chunk: &[u8]| chunk.try_into().map_or(0, usize::from_ne_bytes);
        bytes.chunks(size_of::<usize>()).map(word).collect()
    }

    /// The kinds of divisions that it takes.
    pub(crate) fn partitions(self, cl: &Table) -> Vec<isize> {
        let bytes = self.bytes(cl, sys::CL_DEVICE_PARTITION_PROPERTIES).unwrap_or_default();
        let word = |chunk: &[u8]| chunk.try_into().map_or(0, isize::from_ne_bytes);
        bytes.chunks(size_of::<isize>()).map(word).filter(|kind| *kind != 0).collect()
    }

    /// The platform it is of.
    pub(crate) fn platform(self, cl: &Table) -> Option<PlatformId> {
        let bytes = self.bytes(cl, sys::CL_DEVICE_PLATFORM)?;
        handle(&bytes).map(PlatformId)
    }

    /// What sort of device it is.
    pub(crate) fn kind(self, cl: &Table) -> DeviceKind {
        // A simulator of all devices says that it is all of them.
        let kinds = self.number(cl, sys::CL_DEVICE_TYPE);
        if kinds & sys::CL_DEVICE_TYPE_CPU != 0 {
            DeviceKind::Cpu
        } else if kinds & sys::CL_DEVICE_TYPE_GPU != 0 {
            DeviceKind::Gpu
        } else {
            DeviceKind::Other
        }
    }
}
