//! The one error type of the run time. It says what happened here; causes are in `source()`.

use std::fmt;
use std::sync::Arc;

/// The result of everything that can fail.
pub type Result<T, E = Error> = std::result::Result<T, E>;

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
    /// A library of native code or a symbol in it cannot be used; the text is `path: why`.
    Library,
}

/// Where in the user's program a call was written.
pub type Site = &'static std::panic::Location<'static>;

/// Everything that can go wrong between a pipeline and its result.
///
/// `Display` says what happened, and [`source`](std::error::Error::source) why. `Debug`, which is
/// what `unwrap` and a `main` that returns `Err` show, is both, in the same words:
///
/// ```
/// use flash_rt::{Buffer, Error};
///
/// let x = Buffer::from(vec![1.0_f32; 3]);
/// let error = x.get(5).unwrap_err();
/// assert!(matches!(error, Error::Range { index: 5, len: 3, .. }));
/// assert_eq!(format!("{error:?}"), format!("{error}"));
/// ```
#[derive(Clone, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// An item read or wrote outside an array.
    #[error(
        "kernel `{kernel}` (called at {site}): item {item:?} used index {} of `{param}`, \
         whose shape is {shape:?}",
        Signed(index)
    )]
    OutOfBounds {
        /// The kernel.
        kernel: &'static str,
        /// Where it was called.
        site: Site,
        /// The first offending work item.
        item: Vec<usize>,
        /// The parameter.
        param: &'static str,
        /// The index used.
        index: Vec<usize>,
        /// The shape of the array.
        shape: Vec<usize>,
    },
    /// A kernel body panicked: an overflow in a debug build, a division by zero.
    #[error("kernel `{kernel}` (called at {site}) panicked at item {item:?}: {message}")]
    KernelPanic {
        /// The kernel.
        kernel: &'static str,
        /// Where it was called.
        site: Site,
        /// An item of the block that panicked; the first one where it is known.
        item: Vec<usize>,
        /// The panic's own words.
        message: Arc<str>,
    },
    /// Two work items of one launch would write the same place.
    #[error(
        "kernel `{kernel}` (called at {site}): dimension {dim} of the index space has {extent} \
         values, but the place where `{param}` is written does not depend on it, so items would \
         race; use `global_id({dim})` in the index of `{param}`, or launch fewer dimensions"
    )]
    Racy {
        /// The kernel.
        kernel: &'static str,
        /// Where it was called.
        site: Site,
        /// The written parameter.
        param: &'static str,
        /// The launch dimension that is not covered, from 0.
        dim: usize,
        /// Its number of values.
        extent: usize,
    },
    /// What one parameter writes overlaps what another one touches.
    #[error(
        "kernel `{kernel}` (called at {site}): `{written}` is written and overlaps `{other}`; \
         pass separate buffers or disjoint views"
    )]
    Aliased {
        /// The kernel.
        kernel: &'static str,
        /// Where it was called.
        site: Site,
        /// The written parameter.
        written: &'static str,
        /// The other parameter.
        other: &'static str,
    },
    /// The product of the extents of an index space or array does not fit.
    #[error("{what} {extents:?} has more than 2^63 - 1 elements; split it")]
    TooLarge {
        /// `index space` or `array`.
        what: &'static str,
        /// Its extents.
        extents: Vec<usize>,
    },
    /// Lengths or shapes that should be equal differ.
    #[error("{what}: expected shape {expected:?}, found {found:?}")]
    Shape {
        /// What was asked for.
        what: String,
        /// The shape that fits.
        expected: Vec<usize>,
        /// The shape given.
        found: Vec<usize>,
    },
    /// An index or range outside a buffer.
    #[error("{what}: {index} is outside 0..{len}")]
    Range {
        /// What was asked for.
        what: String,
        /// The index or end of range given.
        index: usize,
        /// The length.
        len: usize,
    },
    /// A guard of this thread holds the host image of a buffer that a launch needs.
    #[error(
        "the buffer bound to `{param}` of `{kernel}` (called at {site}) is held by a `read` or \
         `write` guard of this thread; drop the guard before the launch"
    )]
    HostBorrowed {
        /// The kernel or task.
        kernel: &'static str,
        /// Where it was called.
        site: Site,
        /// The parameter.
        param: &'static str,
    },
    /// A guard of this thread holds elements that a guard or access of the same thread needs.
    #[error(
        "`{what}` at {site} needs elements that a `read` or `write` guard of this thread holds; \
         drop that guard first"
    )]
    GuardHeld {
        /// `read`, `write`, `get`, `set`, `to_vec`, `fill` or `copy_from_slice`.
        what: &'static str,
        /// Where it was called.
        site: Site,
    },
    /// A host task waits for the pipeline it is part of.
    #[error(
        "host task `{task}` uses a buffer of the pipeline it belongs to through a guard or `exec`; \
         take the buffer as an argument of the task instead"
    )]
    Reentrant {
        /// The task.
        task: &'static str,
    },
    /// A host task returned an error.
    #[error("host task `{task}` (called at {site}) failed")]
    HostTask {
        /// The task.
        task: &'static str,
        /// Where it was called.
        site: Site,
        /// What it returned.
        #[source]
        source: Arc<dyn std::error::Error + Send + Sync>,
    },
    /// A host task panicked.
    #[error("host task `{task}` (called at {site}) panicked: {message}")]
    HostTaskPanic {
        /// The task.
        task: &'static str,
        /// Where it was called.
        site: Site,
        /// The panic's own words.
        message: Arc<str>,
    },
    /// A device or backend was asked for by a name that is not there.
    #[error("no device answers to `{asked}`; there are: {existing}")]
    NoDevice {
        /// The name asked for.
        asked: String,
        /// What exists, as a list.
        existing: String,
    },
    /// No implementation of a kernel fits a device.
    #[error("kernel `{kernel}` (called at {site}) cannot run on `{device}`: {why}")]
    NoImplementation {
        /// The kernel.
        kernel: &'static str,
        /// Where it was called.
        site: Site,
        /// The device.
        device: String,
        /// What is missing, and what exists.
        why: String,
    },
    /// A shared library or one of its symbols could not be used.
    #[error("kernel `{kernel}`: {path}: {why}")]
    Library {
        /// The kernel.
        kernel: String,
        /// The file.
        path: String,
        /// What is wrong with it, and what would be right.
        why: String,
    },
    /// A device has no room.
    #[error("`{device}` has no room for {bytes} bytes")]
    OutOfMemory {
        /// The device.
        device: String,
        /// The size asked for.
        bytes: u64,
        /// The driver's words, where there are any.
        #[source]
        source: Option<DriverError>,
    },
    /// A driver call failed.
    #[error("{what} failed on `{device}`")]
    Driver {
        /// The device.
        device: String,
        /// What was under way: `launch of kernel `saxpy``, `upload of `x``.
        what: String,
        /// The driver's words.
        #[source]
        source: DriverError,
    },
    /// An environment variable or builder option that makes no sense.
    #[error("{option}={value}: {why}")]
    Option {
        /// Its name.
        option: &'static str,
        /// Its value.
        value: String,
        /// What is accepted.
        why: String,
    },
    /// The run was cancelled before it ended.
    #[error("the run was cancelled")]
    Cancelled,
}

impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)?;
        let mut cause = std::error::Error::source(self);
        while let Some(error) = cause {
            write!(f, "\n  because: {error}")?;
            cause = error.source();
        }
        Ok(())
    }
}

impl From<Error> for std::io::Error {
    /// Keeps the whole error inside; its kind is [`Other`](std::io::ErrorKind::Other).
    fn from(error: Error) -> Self {
        Self::other(error)
    }
}

/// An index as its author thinks of it: no array reaches the upper half of `usize`, so a component
/// there is what an unsigned subtraction made of a negative one.
struct Signed<'a>(&'a [usize]);

impl fmt::Display for Signed<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.0.iter().map(|&component| component as isize)).finish()
    }
}

#[cfg(test)]
mod tests {
    use std::panic::Location;

    use super::*;

    #[test]
    fn debug_is_display_with_its_causes() {
        let source = std::io::Error::other(Error::Cancelled);
        let site = Location::caller();
        let error = Error::HostTask { task: "store", site, source: Arc::new(source) };
        let expected = format!("{error}\n  because: the run was cancelled");
        assert_eq!(format!("{error:?}"), expected);
        assert!(!expected.contains("HostTask"));
    }

    #[test]
    fn an_index_below_zero_is_shown_as_such() {
        let error = Error::OutOfBounds {
            kernel: "blur",
            site: Location::caller(),
            item: vec![0, 3],
            param: "x",
            index: vec![3, 0_usize.wrapping_sub(1)],
            shape: vec![4, 4],
        };
        assert!(error.to_string().contains("used index [3, -1] of `x`"), "{error}");
    }

    #[test]
    fn converts_to_io() {
        let error = std::io::Error::from(Error::Cancelled);
        assert_eq!(error.to_string(), "the run was cancelled");
        assert!(error.get_ref().is_some_and(|inner| inner.is::<Error>()));
    }
}
