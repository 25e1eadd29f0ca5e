//! Which stage a failed call belonged to, and how errors say it. It knows no error.

use std::fmt;

use super::Site;
use super::words::Numbered;

/// The stage that a failed call belonged to, or the call of the host.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct At {
    /// Its number in the pipeline, counted from 0 in program order, where it is known.
    pub node: Option<usize>,
    /// The kernel or task, or `read`, `get`, `to_vec`, ..
    pub stage: &'static str,
    /// Where it was called.
    pub site: Site,
}

impl fmt::Display for At {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { node, stage, site } = self;
        write!(f, "{}`{stage}`, called at {site}", Numbered(*node))
    }
}

/// ` (node 3, `saxpy`, called at src/main.rs:7:5)`, or nothing.
pub(super) struct Within<'a>(pub(super) &'a Option<Box<At>>);

impl fmt::Display for Within<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.as_ref().map_or(Ok(()), |at| write!(f, " ({at})"))
    }
}

/// ` (node 3, called at src/main.rs:7:5)`, or nothing.
pub(super) struct Placed<'a>(pub(super) &'a Option<Box<At>>);

impl fmt::Display for Placed<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Some(At { node, site, .. }) = self.0.as_deref() else { return Ok(()) };
        write!(f, " ({}called at {site})", Numbered(*node))
    }
}

/// ` before node 3, `saxpy`, called at src/main.rs:7:5`, or nothing.
pub(super) struct Before<'a>(pub(super) &'a Option<Box<At>>);

impl fmt::Display for Before<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.as_ref().map_or(Ok(()), |at| write!(f, " before {at}"))
    }
}
