//! What else a failure of a device took along. It does not say why.

use std::fmt;
use std::ops::Range;

use super::At;

/// What counts as not run because its device failed, and cannot run again: what was submitted to the device
/// and not known to be complete.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GivenUp {
    /// The launches beside the one that the error is of, in the order of their submission.
    pub launches: Vec<At>,
    /// What these launches and that one use and nobody has any more: write it before it is read again.
    pub lost: Vec<Lost>,
}

/// Elements of an array that are current nowhere.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lost {
    /// The kernel that uses the array.
    pub kernel: &'static str,
    /// Its parameter.
    pub param: &'static str,
    /// Which elements, counted from the first one of the array, the last dimension fastest.
    pub elements: Vec<Range<usize>>,
}

impl GivenUp {
    /// Nothing, where there is nothing to say.
    pub(crate) fn boxed(self) -> Option<Box<Self>> {
        (!self.launches.is_empty() || !self.lost.is_empty()).then(|| Box::new(self))
    }
}

/// So many are listed.
const SHOWN: usize = 4;

/// The first ones of a list, and how many more there are.
fn list<T>(
    f: &mut fmt::Formatter<'_>,
    all: &[T],
    show: impl Fn(&mut fmt::Formatter<'_>, &T) -> fmt::Result,
) -> fmt::Result {
    for (k, item) in all.iter().take(SHOWN).enumerate() {
        f.write_str(if k == 0 { "" } else { ", " })?;
        show(f, item)?;
    }
    match all.len().saturating_sub(SHOWN) {
        0 => Ok(()),
        more => write!(f, " and {more} more"),
    }
}

impl fmt::Display for Lost {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        list(f, &self.elements, |f, range| write!(f, "{range:?}"))?;
        write!(f, " of `{}` of `{}`", self.param, self.kernel)
    }
}

/// `; not run either: ..; lost: ..`, or nothing.
pub(super) struct With<'a>(pub(super) &'a Option<Box<GivenUp>>);

impl fmt::Display for With<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Some(GivenUp { launches, lost }) = self.0.as_deref() else { return Ok(()) };
        if !launches.is_empty() {
            f.write_str("; given up with it: ")?;
            list(f, launches, |f, At { node, stage, .. }| match node {
                Some(node) => write!(f, "`{stage}` (node {node})"),
                None => write!(f, "`{stage}`"),
            })?;
        }
        if !lost.is_empty() {
            f.write_str("; current nowhere: elements ")?;
            list(f, lost, |f, lost| write!(f, "{lost}"))?;
        }
        Ok(())
    }
}
