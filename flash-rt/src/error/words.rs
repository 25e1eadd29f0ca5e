//! What errors say about their fields. It names no error.

use std::fmt;

use crate::capabilities::Capabilities;

/// `` for `x` ``, or nothing.
pub(super) struct Of(pub(super) Option<&'static str>);

impl fmt::Display for Of {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.map_or(Ok(()), |param| write!(f, " for `{param}`"))
    }
}

/// `100 bytes`, or what they are for where nobody says how many.
pub(super) struct Amount(pub(super) u64);

impl fmt::Display for Amount {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            0 => f.write_str("what a launch needs beside its arrays"),
            bytes => write!(f, "{bytes} bytes"),
        }
    }
}

/// `` on `sim:0` ``, or nothing.
pub(super) struct On<'a>(pub(super) &'a Option<String>);

impl fmt::Display for On<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.as_ref().map_or(Ok(()), |device| write!(f, " on `{device}`"))
    }
}

/// `node 3, `, or nothing.
pub(super) struct Numbered(pub(super) Option<usize>);

impl fmt::Display for Numbered {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.map_or(Ok(()), |node| write!(f, "node {node}, "))
    }
}

/// What there is, and what to do where it is not enough.
pub(super) struct Remedy {
    /// What was asked for; 0 where nobody says how much that was.
    pub(super) bytes: u64,
    pub(super) used: u64,
    pub(super) limit: Option<u64>,
}

impl fmt::Display for Remedy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { bytes, used, limit } = self;
        match limit {
            Some(limit) => write!(
                f,
                ", where {used} of {limit} are taken; all that a launch uses of its arrays is there at \
                 once, so have it use less (a `view`, more `partitions`), or raise the limit \
                 (`memory_limit`, or a device with more memory)"
            ),
            None if *bytes == 0 => f.write_str(
                ", and its driver does not say how much that is; use smaller work-groups (`block`) or \
                 less memory that they share (`shared`), or drop arrays that are no longer needed",
            ),
            None => f.write_str("; use smaller arrays, or drop those that are no longer needed"),
        }
    }
}

/// Who waits for its own pipeline, and what to do.
pub(super) fn reentrant(task: Option<&str>) -> String {
    let what =
        "a buffer of the pipeline it belongs to through a guard or `exec`, or waits for its handle";
    match task {
        Some(task) => format!(
            "host task `{task}` uses {what}, so it would wait for itself; take the buffer as an \
             argument of the task, or do this after the pipeline"
        ),
        None => format!(
            "a fragment with a loop variable uses {what}; read the buffer before the pipeline runs, \
             or compute the value in a kernel that writes a `Var`"
        ),
    }
}

/// An index as its author thinks of it: no array reaches the upper half of `usize`, so a component
/// there is what an unsigned subtraction made of a negative one.
pub(super) struct Signed<'a>(pub(super) &'a [usize]);

impl fmt::Display for Signed<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.0.iter().map(|&component| component as isize)).finish()
    }
}

/// What each of the devices lacks that a kernel requires, by its types or in so many words.
pub(super) fn lacking(devices: &[(String, Capabilities)]) -> String {
    let each = devices.iter().map(|(device, lacks)| format!("`{device}` has no {lacks}"));
    format!(
        "requires what no device has that it may run on: {}; open a runtime with one that has, or do \
         without it in the arguments, the body and `requires(..)`",
        each.collect::<Vec<_>>().join(", ")
    )
}
