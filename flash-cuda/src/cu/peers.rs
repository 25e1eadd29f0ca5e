//! Whether a device reaches the memory of another one, and that it may. Fenced: it asks the driver.
#![allow(unsafe_code, reason = "calls functions of the CUDA driver")]

use std::ffi::c_int;
use std::ptr::null_mut;
use std::sync::{Arc, PoisonError};

use cudarc::driver::sys::{
    CUmemAccess_flags, CUmemAccessDesc, CUmemLocation, CUmemLocationType, CUresult,
};

use super::functions;
use super::{Context, DeviceId, Failure};

impl DeviceId {
    /// Whether it reaches the memory of another device.
    pub(crate) fn reaches(self, other: Self) -> bool {
        let mut can: c_int = 0;
        // SAFETY: the devices are of the driver, which writes a number.
        let code = unsafe { functions::cuDeviceCanAccessPeer(&raw mut can, self.0, other.0) };
        Failure::check("cuDeviceCanAccessPeer", code).is_ok() && can != 0
    }
}

impl Context {
    /// Lets the device reach what is in the context of another one, once. Where the driver refuses that,
    /// its copies between the two are slower.
    pub(crate) fn reach(&self, other: &Arc<Self>) {
        let mut reached = self.reached.lock().unwrap_or_else(PoisonError::into_inner);
        reached.retain(|known| known.strong_count() > 0);
        let id = Arc::as_ptr(other);
        if reached.iter().any(|known| known.as_ptr() == id) {
            return;
        }
        reached.push(Arc::downgrade(other));
        if let Err(failure) = self.enable(other).and_then(|()| self.open_pool(other)) {
            tracing::debug!(said = failure.words(), "a device does not reach another one");
        }
    }

    fn enable(&self, other: &Self) -> Result<(), Failure> {
        let _current = self.enter()?;
        let _other = other.keep().ok_or(Failure::gone("cuCtxEnablePeerAccess"))?;
        // SAFETY: both contexts are there; no flags are defined.
        let code = unsafe { functions::cuCtxEnablePeerAccess(other.raw(), 0) };
        // By somebody else of the program.
        if code.is(CUresult::CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED) {
            return Ok(());
        }
        Failure::check("cuCtxEnablePeerAccess", code)
    }

    /// Memory from a pool has an access of its own.
    fn open_pool(&self, other: &Self) -> Result<(), Failure> {
        let mut pool = null_mut();
        // SAFETY: the device is of the driver, which writes a handle.
        let code = unsafe { functions::cuDeviceGetMemPool(&raw mut pool, other.device.0) };
        if code.is(CUresult::CUDA_ERROR_NOT_SUPPORTED) {
            return Ok(());
        }
        Failure::check("cuDeviceGetMemPool", code)?;
        let access = CUmemAccessDesc {
            location: CUmemLocation {
                type_: CUmemLocationType::CU_MEM_LOCATION_TYPE_DEVICE,
                id: self.device.0,
            },
            flags: CUmemAccess_flags::CU_MEM_ACCESS_FLAGS_PROT_READWRITE,
        };
        // SAFETY: the pool is of the driver, which reads one description.
        let code = unsafe { functions::cuMemPoolSetAccess(pool, &raw const access, 1) };
        Failure::check("cuMemPoolSetAccess", code)
    }
}
