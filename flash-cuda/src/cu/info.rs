//! Devices and what the driver says of each. Fenced: it lets the driver write what was asked for.
#![allow(unsafe_code, reason = "calls functions of the CUDA driver")]

use std::ffi::{CStr, c_char, c_int, c_uint};

use cudarc::driver::sys::CUdevice;
pub(crate) use cudarc::driver::sys::CUdevice_attribute as Attribute;

use super::functions;
use super::{Driver, Failure};

/// A device of the driver.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct DeviceId(pub(super) CUdevice);

impl DeviceId {
    /// All that the driver shows (`CUDA_VISIBLE_DEVICES` may hide some).
    pub(crate) fn all(_: Driver) -> Result<Vec<Self>, Failure> {
        let mut n: c_int = 0;
        // SAFETY: the driver is there and writes a number.
        let code = unsafe { functions::cuDeviceGetCount(&raw mut n) };
        Failure::check("cuDeviceGetCount", code)?;
        let device = |ordinal| {
            let mut device = 0;
            // SAFETY: the driver is there and writes a number.
            let code = unsafe { functions::cuDeviceGet(&raw mut device, ordinal) };
            Failure::check("cuDeviceGet", code).map(|()| Self(device))
        };
        (0..n).map(device).collect()
    }

    /// Its number, as everybody counts who sees the same devices.
    pub(crate) fn ordinal(self) -> i32 {
        self.0
    }

    /// Whether somebody has its primary context.
    pub(crate) fn is_active(self) -> bool {
        let (mut flags, mut active): (c_uint, c_int) = (0, 0);
        // SAFETY: the device is of the driver, which writes two numbers.
        let code = unsafe {
            functions::cuDevicePrimaryCtxGetState(self.0, &raw mut flags, &raw mut active)
        };
        Failure::check("cuDevicePrimaryCtxGetState", code).is_ok() && active != 0
    }

    /// A number that the driver knows of it.
    pub(crate) fn get(self, attribute: Attribute) -> Result<i32, Failure> {
        let mut value: c_int = 0;
        // SAFETY: the device is of the driver, which writes a number.
        let code = unsafe { functions::cuDeviceGetAttribute(&raw mut value, attribute, self.0) };
        Failure::check("cuDeviceGetAttribute", code).map(|()| value)
    }

    /// Its name.
    pub(crate) fn name(self) -> Result<String, Failure> {
        let mut text: [c_char; 256] = [0; 256];
        // SAFETY: the device is of the driver, which writes no more than there is room for.
        let code = unsafe { functions::cuDeviceGetName(text.as_mut_ptr(), 256, self.0) };
        Failure::check("cuDeviceGetName", code).map(|()| until_zero(text))
    }

    /// Where it is on the bus: `0000:3b:00.0`.
    pub(crate) fn bus_id(self) -> Result<String, Failure> {
        let mut text: [c_char; 64] = [0; 64];
        // SAFETY: the device is of the driver, which writes no more than there is room for.
        let code = unsafe { functions::cuDeviceGetPCIBusId(text.as_mut_ptr(), 64, self.0) };
        Failure::check("cuDeviceGetPCIBusId", code).map(|()| until_zero(text))
    }

    /// The bytes of its memory.
    pub(crate) fn memory(self) -> Result<u64, Failure> {
        let mut bytes = 0;
        // SAFETY: the device is of the driver, which writes a number.
        let code = unsafe { functions::cuDeviceTotalMem_v2(&raw mut bytes, self.0) };
        Failure::check("cuDeviceTotalMem_v2", code).map(|()| bytes as u64)
    }
}

/// A text up to its end.
fn until_zero<const N: usize>(text: [c_char; N]) -> String {
    let bytes = text.map(|c| c as u8);
    CStr::from_bytes_until_nul(&bytes)
        .map(|text| text.to_string_lossy().trim().to_owned())
        .unwrap_or_default()
}
