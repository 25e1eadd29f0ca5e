//! Which backends there are, in the order of preference of `ALL`. It opens nothing before a runtime
//! asks for it.

use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

use crate::backend::DynBackend;
use crate::env_options::Options;
use crate::{Error, Result};

/// Makes a backend for a runtime with these options.
pub type Open = fn(&Options) -> Result<Arc<dyn DynBackend>>;

/// A backend that can be opened.
#[derive(Clone, Copy)]
pub struct Registration {
    /// The key users name it by: `ALL_CPU`, `SIM`, `NVIDIA_GPU`.
    pub key: &'static str,
    /// Whether it may have devices that `ALL` and `ALL_ACCEL` count, as far as shows without opening it:
    /// to read a driver for nothing takes longer than all else that a runtime does when it is made.
    pub counts: fn() -> bool,
    /// Opens it. A missing driver is a backend without devices, not an error.
    pub open: Open,
}

impl fmt::Debug for Registration {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Registration").field("key", &self.key).finish_non_exhaustive()
    }
}

/// The backends a kind of runtime has without asking; the facade lists the enabled ones.
pub trait Backends: 'static {
    /// In the order of preference.
    fn list() -> Vec<Registration>;
}

/// No backend but `SIM`, which is always there.
#[derive(Clone, Copy, Debug)]
pub struct NoBackends;

impl Backends for NoBackends {
    fn list() -> Vec<Registration> {
        Vec::new()
    }
}

/// Backends of third parties.
static REGISTERED: Mutex<Vec<Registration>> = Mutex::new(Vec::new());

/// The backends known to this process.
#[derive(Debug)]
pub struct Registry;

impl Registry {
    /// Makes a backend known to every runtime opened from now on, after the built-in ones. A second
    /// one of the same key replaces the first.
    pub fn register(backend: Registration) {
        let mut all = REGISTERED.lock().unwrap_or_else(PoisonError::into_inner);
        all.retain(|known| known.key != backend.key);
        all.push(backend);
    }

    /// The backends a runtime of kind `B` may open, `SIM` last.
    pub fn list<B: Backends>() -> Vec<Registration> {
        Self::with(B::list())
    }

    /// The registered ones take the place of built-in ones of their key, or come after.
    fn with(mut all: Vec<Registration>) -> Vec<Registration> {
        let registered = REGISTERED.lock().unwrap_or_else(PoisonError::into_inner);
        for backend in registered.iter() {
            all.retain(|known| known.key != backend.key);
            all.push(*backend);
        }
        all.push(crate::sim::REGISTRATION);
        all
    }
}

/// Keys with a meaning of their own; each backend's key names it too.
pub(crate) const ALL: &str = "ALL";
pub(crate) const ALL_ACCEL: &str = "ALL_ACCEL";
/// Keys of backends that may not be built in, so that a misspelt key can be told from an absent one.
pub(crate) const KNOWN: [&str; 7] =
    [ALL, ALL_ACCEL, "ALL_CPU", "NVIDIA_GPU", "OPENCL", "INTEL_FPGA", "SIM"];

/// The error for a key nobody answers to.
pub(crate) fn no_device(asked: &str, existing: &[String]) -> Error {
    let mut existing = if existing.is_empty() { "none".to_owned() } else { existing.join(", ") };
    if KNOWN.contains(&asked) {
        existing.push_str("; `flash doctor` says what is missing");
    } else {
        existing = format!("{existing}; known keys are {}", KNOWN.join(", "));
    }
    Error::NoDevice { asked: asked.to_owned(), existing }
}
