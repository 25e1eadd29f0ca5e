//! What the driver of a device answered. It says nothing of who asked.

use std::sync::Arc;

/// A driver's or operating system's own status, kept opaque.
#[derive(Clone, Debug, thiserror::Error)]
#[error("{api} returned {code}: {text}")]
pub struct DriverError {
    /// The call that failed.
    pub api: &'static str,
    /// Its status.
    pub code: i64,
    /// Its own words.
    pub text: Arc<str>,
    /// What the run time may do about it.
    pub kind: DriverErrorKind,
}

/// What the run time may do about a [`DriverError`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DriverErrorKind {
    /// Not enough memory on the device; the device goes on.
    OutOfMemory,
    /// The device is gone, with everything in its memory.
    DeviceLost,
    /// This call failed, and nothing was submitted.
    Failed,
    /// The operation was given up, as another one of its device failed.
    GivenUp,
    /// A library of native code or a symbol in it cannot be used; the text is `path: why`.
    Library,
}
