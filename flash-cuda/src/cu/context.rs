//! The primary context of a device, which a program that uses CUDA itself shares. Fenced: it makes the
//! context current for calls that need one, and leaves each thread as it was.
#![allow(unsafe_code, reason = "calls functions of the CUDA driver")]

use std::ptr::null_mut;
use std::sync::{Arc, Mutex, PoisonError, Weak};

use cudarc::driver::sys::CUcontext;

use super::alive::{Alive, InUse};
use super::functions;
use super::{DeviceId, Failure};

/// The primary context of a device, kept until this goes.
#[derive(Debug)]
pub(crate) struct Context {
    raw: CUcontext,
    pub(super) device: DeviceId,
    /// Whether it and all that was made in it is still there.
    alive: Alive,
    /// Contexts of other devices whose memory it may use.
    pub(super) reached: Mutex<Vec<Weak<Self>>>,
}

// SAFETY: the driver lets any thread use a context, several at once.
unsafe impl Send for Context {}
// SAFETY: as above.
unsafe impl Sync for Context {}

/// The contexts that are there, by their device: what destroys one does so for all who use it.
static ALL: Mutex<Vec<Weak<Context>>> = Mutex::new(Vec::new());

/// For as long as a context is current in this thread, and stays; then the one before is.
#[derive(Debug)]
pub(crate) struct Current<'c> {
    /// What was current, where that was another one.
    before: Option<CUcontext>,
    #[expect(dead_code, reason = "the context stays")]
    in_use: InUse<'c>,
}

impl Context {
    /// The primary context of a device.
    pub(crate) fn new(device: DeviceId) -> Result<Arc<Self>, Failure> {
        let mut all = ALL.lock().unwrap_or_else(PoisonError::into_inner);
        all.retain(|context| context.strong_count() > 0);
        let mut there = all.iter().filter_map(Weak::upgrade);
        if let Some(there) = there.find(|there| there.device == device && there.is_alive()) {
            return Ok(there);
        }
        let mut raw = null_mut();
        // SAFETY: the device is of the driver, which writes a handle.
        let code = unsafe { functions::cuDevicePrimaryCtxRetain(&raw mut raw, device.0) };
        Failure::check("cuDevicePrimaryCtxRetain", code)?;
        let new = Arc::new(Self { raw, device, alive: Alive::new(), reached: Mutex::default() });
        all.push(Arc::downgrade(&new));
        Ok(new)
    }

    /// What the driver knows it by.
    pub(crate) fn raw(&self) -> CUcontext {
        self.raw
    }

    /// Makes it current in this thread, and keeps it there.
    pub(crate) fn enter(&self) -> Result<Current<'_>, Failure> {
        let in_use = self.keep().ok_or(Failure::gone("flash-cuda"))?;
        let mut before = null_mut();
        // SAFETY: the driver is there and writes a handle.
        let code = unsafe { functions::cuCtxGetCurrent(&raw mut before) };
        Failure::check("cuCtxGetCurrent", code)?;
        if before == self.raw {
            return Ok(Current { before: None, in_use });
        }
        // SAFETY: the context is retained as long as `self` is there.
        let code = unsafe { functions::cuCtxSetCurrent(self.raw) };
        Failure::check("cuCtxSetCurrent", code)?;
        Ok(Current { before: Some(before), in_use })
    }

    /// Whether it and all that was made in it is still there.
    pub(crate) fn is_alive(&self) -> bool {
        self.alive.is()
    }

    /// Keeps it there with all that was made in it, for calls that need it not to be current and for memory of it
    /// on the host; nothing where it is gone.
    pub(crate) fn keep(&self) -> Option<InUse<'_>> {
        self.alive.keep()
    }

    /// Gives something up that was made in it, with it current, if it is still there.
    pub(super) fn if_alive(&self, give_up: impl FnOnce()) {
        if let Ok(_current) = self.enter() {
            give_up();
        }
    }

    /// Free and all bytes of the memory of its device.
    pub(crate) fn memory(&self) -> Result<(u64, u64), Failure> {
        let _current = self.enter()?;
        let (mut free, mut total) = (0, 0);
        // SAFETY: a context is current, and the driver writes two numbers.
        let code = unsafe { functions::cuMemGetInfo_v2(&raw mut free, &raw mut total) };
        Failure::check("cuMemGetInfo_v2", code)?;
        Ok((free as u64, total as u64))
    }

    /// Destroys it with all that was made in it, by whomever. What is left of that is never given up. One
    /// that is gone already stays so: the device has another one then, which somebody else may use. Calls of ours that use
    /// it end before.
    pub(crate) fn reset(&self) -> Result<(), Failure> {
        // SAFETY: the device is of the driver; nobody of ours uses or gives up what was in the context.
        let reset = || unsafe { functions::cuDevicePrimaryCtxReset_v2(self.device.0) };
        self.alive
            .end(reset)
            .map_or(Ok(()), |code| Failure::check("cuDevicePrimaryCtxReset_v2", code))
    }
}

impl Drop for Context {
    fn drop(&mut self) {
        // SAFETY: it was retained once, and this is the end of that.
        unsafe { functions::cuDevicePrimaryCtxRelease_v2(self.device.0) };
    }
}

impl Drop for Current<'_> {
    fn drop(&mut self) {
        if let Some(before) = self.before {
            // SAFETY: it was current in this thread; where it is gone since, the driver says so.
            unsafe { functions::cuCtxSetCurrent(before) };
        }
    }
}
