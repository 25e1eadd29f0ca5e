//! The one error type of the run time. It says what happened here; causes are in `source()`.

mod at;
mod driver;
mod given_up;
#[cfg(test)]
mod tests;
mod words;

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use flash_ir::Ty;

use crate::capabilities::Capabilities;
use crate::ledger::native_of;
use crate::ranges::Ranges;
use crate::search::{self, NearMiss};
pub use at::At;
use at::{Before, Placed, Within};
pub use driver::{DriverError, DriverErrorKind};
use given_up::With;
pub use given_up::{GivenUp, Lost};
use words::{Amount, Numbered, Of, On, Remedy, Signed, lacking, reentrant};

/// The result of everything that can fail.
pub type Result<T, E = Error> = std::result::Result<T, E>;

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
        /// The index used. Of an array of one dimension the CPU keeps 40 bits of it: what is beyond them is
        /// shown as the end of their range.
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
    /// What `part_by` says of a part of a launch cannot be.
    #[error("kernel `{kernel}` (called at {site}): `part_by` and `{param}`: {why}")]
    Parts {
        /// The kernel.
        kernel: &'static str,
        /// Where it was called.
        site: Site,
        /// The array argument.
        param: &'static str,
        /// What is wrong, and what would be right.
        why: String,
    },
    /// Items with the same id would write the same place.
    #[error(
        "kernel `{kernel}` (called at {site}): the ids of dimension {dim} of the index space repeat, \
         so items would write the same place of `{param}`; leave repeated ids out, or put equal ones \
         into phases of their own with `group_by({dim})`"
    )]
    Repeated {
        /// The kernel.
        kernel: &'static str,
        /// Where it was called.
        site: Site,
        /// The written parameter.
        param: &'static str,
        /// The launch dimension, from 0.
        dim: usize,
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
    /// A host task, or a fragment with a loop variable, waits for the pipeline it is part of.
    #[error("{}", reentrant(*task))]
    Reentrant {
        /// The task; a fragment has no name.
        task: Option<&'static str>,
    },
    /// The code of a native node waits, while nobody else can submit anything to its device.
    #[error(
        "native node `{node}` uses a buffer through a guard, or waits for a pipeline, while it submits \
         its work; do that before the pipeline runs, or take the buffer as an argument of the node"
    )]
    NativeWaits {
        /// The node.
        node: &'static str,
    },
    /// The code of a native node returned an error.
    #[error("native node `{node}` (called at {site}) failed on `{device}`")]
    Native {
        /// The node.
        node: &'static str,
        /// Where it was called.
        site: Site,
        /// The device it was submitted to.
        device: String,
        /// What the code returned.
        #[source]
        source: Arc<dyn std::error::Error + Send + Sync>,
    },
    /// The code of a native node panicked.
    #[error("native node `{node}` (called at {site}) panicked on `{device}`: {message}")]
    NativePanic {
        /// The node.
        node: &'static str,
        /// Where it was called.
        site: Site,
        /// The device it was submitted to.
        device: String,
        /// The panic's own words.
        message: Arc<str>,
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
    #[error("kernel `{kernel}` ({}called at {site}) cannot run on `{device}`: {why}", Numbered(*node))]
    NoImplementation {
        /// The kernel.
        kernel: &'static str,
        /// The number of its stage in the pipeline, counted from 0, where it is known.
        node: Option<usize>,
        /// Where it was called.
        site: Site,
        /// The device.
        device: String,
        /// What is missing, and what exists.
        why: String,
    },
    /// No device that a launch may run on can do what its kernel requires.
    #[error("kernel `{kernel}` (called at {site}) {}", lacking(devices))]
    Lacking {
        /// The kernel.
        kernel: &'static str,
        /// Where it was called.
        site: Site,
        /// The devices, each with what it lacks.
        devices: Vec<(String, Capabilities)>,
    },
    /// The work-groups that a call asks for cannot be.
    #[error("kernel `{kernel}` (called at {site}): {why}")]
    Geometry {
        /// The kernel.
        kernel: &'static str,
        /// Where it was called.
        site: Site,
        /// What is wrong, and what would be right.
        why: String,
    },
    /// Nothing that is registered fits a kernel that is declared `searchable`.
    #[error(
        "kernel `{kernel}` ({}called at {site}) is `searchable({how})`, and nothing is registered \
         that `{device}` could run for it{}",
        Numbered(*node),
        search::listed(near)
    )]
    NotFound {
        /// The kernel.
        kernel: &'static str,
        /// The number of its stage in the pipeline, counted from 0, where it is known.
        node: Option<usize>,
        /// Where it was called.
        site: Site,
        /// The device.
        device: String,
        /// `exact` or `fuzzy`.
        how: &'static str,
        /// What goes by its name or a similar one, the nearest first.
        near: Vec<NearMiss>,
    },
    /// A shared library or one of its symbols could not be used.
    #[error("kernel `{kernel}`{}{}: {path}: {why}", Placed(at), On(device))]
    Library {
        /// The kernel.
        kernel: String,
        /// The device that was to run it, where it was to be launched.
        device: Option<String>,
        /// The stage that was to launch it.
        at: Option<Box<At>>,
        /// The file.
        path: String,
        /// What is wrong with it, and what would be right.
        why: String,
    },
    /// A device has no room, also after what no run is using went back to the host.
    #[error(
        "`{device}` has no room for {}{}{}{}",
        Amount(*bytes),
        Of(*param),
        Within(at),
        Remedy { bytes: *bytes, used: *used, limit: *limit }
    )]
    OutOfMemory {
        /// The parameter that the memory was for, where it was for one.
        param: Option<&'static str>,
        /// The device.
        device: String,
        /// The size asked for; 0 for what a launch needs beside its arrays.
        bytes: u64,
        /// The stage that needed it.
        at: Option<Box<At>>,
        /// What arrays held there when it was asked for.
        used: u64,
        /// What they may hold: the option `memory_limit` or the memory of the device.
        limit: Option<u64>,
        /// The driver's words, where there are any.
        #[source]
        source: Option<Arc<DriverError>>,
    },
    /// A driver call failed.
    #[error("{what} failed on `{device}`{}{}", Within(at), With(given_up))]
    Driver {
        /// The device.
        device: String,
        /// What was under way: `launch of kernel `saxpy``, `upload of `x``.
        what: String,
        /// The stage it was done for.
        at: Option<Box<At>>,
        /// What else counts as not run, and what was lost with it.
        given_up: Option<Box<GivenUp>>,
        /// The driver's words.
        #[source]
        source: DriverError,
    },
    /// A device is gone, with what only its memory held.
    #[error(
        "{what} failed because `{device}` is lost{}{}; write again what only it had and run once more, \
         on another device of the runtime or on a runtime with another one",
        Within(at),
        With(given_up)
    )]
    DeviceLost {
        /// The device.
        device: String,
        /// What was under way.
        what: String,
        /// The stage it was done for.
        at: Option<Box<At>>,
        /// What else counts as not run, and what was lost with it.
        given_up: Option<Box<GivenUp>>,
        /// The driver's words.
        #[source]
        source: DriverError,
    },
    /// A device took much longer for its part of a split launch than was predicted, so that the part
    /// ran on another one.
    #[error(
        "`{device}` had not ended its part of kernel `{kernel}` after {waited:?}, where {predicted:?} \
         were predicted"
    )]
    Late {
        /// The device.
        device: String,
        /// The kernel.
        kernel: &'static str,
        /// How long the part was predicted to take, with what is brought for it.
        predicted: Duration,
        /// How long it was waited for.
        waited: Duration,
    },
    /// An object of somebody else's cannot be used as a device or as an array.
    #[error("{what} cannot be adopted: {why}")]
    Adopt {
        /// The object, and what it was to be.
        what: String,
        /// What is wrong with it, and what would be right.
        why: String,
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
    /// The file of [`Builder::remember`](crate::Builder::remember) cannot be used.
    #[error("{}: {why}", path.display())]
    Remembered {
        /// The file.
        path: std::path::PathBuf,
        /// What is wrong with it.
        why: String,
    },
    /// Loops or decisions that cannot be, or a variable of a loop that is not there.
    #[error("{what}; asked for at {site}")]
    Loops {
        /// What is wrong.
        what: String,
        /// Where it was written.
        site: Site,
    },
    /// A `while` was still true after as many trips as it may make.
    #[error("the `while` at {site} was still true after {max} trips, as many as its `max` allows")]
    Endless {
        /// Where it was written.
        site: Site,
        /// Its `max`.
        max: u64,
    },
    /// A pipeline was to use another array instead of one that it does not use.
    #[error(
        "no stage uses the array that is to be replaced at {site}; pass the handle that the pipeline \
         was built with, or that was put there last"
    )]
    NotBound {
        /// Where `rebind` was called.
        site: Site,
    },
    /// A closure that depends on loop variables panicked in a pipeline that was launched.
    #[error("the run was given up, as a closure with loop variables panicked: {message}")]
    Panicked {
        /// What it said.
        message: String,
    },
    /// The run was cancelled by its handle before it ended.
    #[error("the run was cancelled{}", Before(at))]
    Cancelled {
        /// The first stage that did not start any more, where it is known.
        at: Option<Box<At>>,
    },
}

impl Error {
    /// What code inside of a run may not wait for.
    #[cold]
    pub(crate) fn reentrant(task: Option<&'static str>) -> Self {
        native_of().map_or(Self::Reentrant { task }, |node| Self::NativeWaits { node })
    }

    /// Says which elements were lost with a device.
    #[cold]
    pub(crate) fn of_elements(mut self, elements: &Ranges) -> Self {
        if let Self::DeviceLost { what, .. } = &mut self {
            let list: Vec<String> = elements.iter().map(|range| format!("{range:?}")).collect();
            *what = format!("reading elements {}, current nowhere else,", list.join(", "));
        }
        self
    }

    /// Says what else was given up.
    #[cold]
    pub(crate) fn taking(mut self, all: GivenUp) -> Self {
        if let Self::Driver { given_up, .. } | Self::DeviceLost { given_up, .. } = &mut self
            && given_up.is_none()
        {
            *given_up = all.boxed();
        }
        self
    }

    /// Names the array that a move was of, and says what to do.
    #[cold]
    pub(crate) fn of_move(mut self, n: usize, elem: Ty) -> Self {
        if let Self::Driver { what, .. } | Self::DeviceLost { what, .. } = &mut self {
            *what = format!("move of {n} elements of `{elem}`: {what}");
        }
        if let Self::Driver { source, .. } = &mut self {
            source.text = format!(
                "{}; the elements are where they were, so run the pipeline again, or leave the move \
                 out, as stages bring what they read",
                source.text
            )
            .into();
        }
        self
    }

    /// Names the stage that a device's failure belongs to, unless it is named already.
    #[cold]
    pub(crate) fn within(mut self, place: At) -> Self {
        if let Self::OutOfMemory { at, .. }
        | Self::Driver { at, .. }
        | Self::DeviceLost { at, .. }
        | Self::Library { at, .. } = &mut self
        {
            let known = at.get_or_insert_with(|| Box::new(place));
            if known.site == place.site {
                known.node = known.node.or(place.node);
            }
        }
        if let Self::NoImplementation { node, site, .. } | Self::NotFound { node, site, .. } =
            &mut self
            && *site == place.site
        {
            *node = node.or(place.node);
        }
        self
    }
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

impl Error {
    /// The host has no room for an array.
    #[cold]
    pub(crate) fn host_is_full(bytes: u64) -> Self {
        let device = "host".to_owned();
        let (param, at, source) = (None, None, None);
        Self::OutOfMemory { param, device, bytes, at, used: 0, limit: None, source }
    }

    /// Notes the parameter that memory was for, if that is what there was none of.
    #[cold]
    pub(crate) fn of_parameter(mut self, name: &'static str) -> Self {
        if let Self::OutOfMemory { param, .. } = &mut self {
            *param = Some(name);
        }
        self
    }
}
