//! Why a launch is not split, for a person. It decides nothing.

use std::iter;
use std::sync::Arc;
use std::time::Duration;

use super::bind::BoundLaunch;
use super::split::{self, Shares};
use crate::descriptor::KernelDescriptor;
use crate::device::Device;
use crate::stage::LaunchStage;

/// Why a launch that could be split is not.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Whole {
    /// One partition, as it was told.
    Told,
    /// How many items it has is known when it is dispatched.
    Later,
    /// No other device may run it.
    Alone(u16),
    /// How long it takes on the best device, and what takes less stays whole.
    Short { takes: u64, least: u64 },
    /// When its parts would end, and the best device alone; the times are those of the pipeline.
    Gains { parts: u64, alone: u64 },
    /// It has no items.
    Empty,
    /// The items of a phase are in an order of their own.
    Scattered,
    /// There is neither a body nor a function to say what a part needs.
    Unknown,
    /// No dimension is as long as there are parts.
    Narrow,
    /// Parts would cut a work-group of native code of so many items along a dimension.
    Groups(usize),
    /// What parts add up would be cut within a block of partial results.
    Reduces,
    /// Parts would share this parameter in a way that needs them in one place.
    Shared(usize),
    /// Parts would write the same elements of this parameter, as far as that can be told.
    Meet(usize),
    /// The function of `part_by` is refused, with this error.
    Refused(Box<str>),
}

impl Whole {
    pub(crate) fn text(&self, kernel: &KernelDescriptor, devices: &[Arc<Device>]) -> String {
        let param = |k: usize| kernel.params.get(k).map_or("?", |param| param.name);
        let why = match self {
            Self::Told => "one partition, as told".to_owned(),
            Self::Later => "how many items it has is known at dispatch only".to_owned(),
            Self::Alone(device) => {
                let name = devices.get(usize::from(*device)).map_or("?", |d| d.name());
                format!("no device but {name} may run it")
            }
            Self::Short { takes, least } => {
                let [takes, least] = [*takes, *least].map(Duration::from_nanos);
                format!("it takes {takes:?}, and what takes less than {least:?} is not split")
            }
            Self::Gains { parts, alone } => {
                let [parts, alone] = [*parts, *alone].map(Duration::from_nanos);
                format!(
                    "parts would end at {parts:?}, which is not a tenth before {alone:?}, when the \
                     best device alone would"
                )
            }
            Self::Empty => "it has no items".to_owned(),
            Self::Scattered => "the items of a phase are no block of the index space".to_owned(),
            Self::Unknown => {
                "there is no body to tell what a part needs: name a function, `part_by = f`"
                    .to_owned()
            }
            Self::Narrow => "no dimension is as long as there are parts".to_owned(),
            Self::Groups(n) => {
                format!(
                    "parts would cut the work-groups of native code, of {n} items along a dimension"
                )
            }
            Self::Reduces => {
                "it reduces, and parts would cut the blocks that partial results belong to"
                    .to_owned()
            }
            Self::Shared(k) => {
                format!("all items share `{}`, so that its parts would need it at once", param(*k))
            }
            Self::Meet(k) => format!(
                "parts could write the same elements of `{}`; a function, `part_by = f`, could say \
                 that they do not",
                param(*k)
            ),
            Self::Refused(error) => return format!("not split: {error}"),
        };
        format!("whole: {why}")
    }
}

/// So many phases are tried, or up to twice as many.
const TRIED: usize = 16;

/// Why a launch with these shares runs as a whole all the same, if it does.
pub(crate) fn whole(
    stage: &LaunchStage<'_>,
    bound: &BoundLaunch,
    shares: &Shares,
) -> Option<Whole> {
    if bound.space.n_items() == 0 {
        return Some(Whole::Empty);
    }
    let (mut boxes, mut first) = (Vec::new(), None);
    for phase in tried(bound) {
        match split::try_parts(stage, bound, (phase, &mut boxes), shares) {
            Ok(Ok(_)) => return None,
            Ok(Err(whole)) => first = first.or(Some(whole)),
            Err(error) => return Some(Whole::Refused(error.to_string().into())),
        }
    }
    first
}

/// The phases that are tried: one with the most items, and some from all over the launch, as an access may
/// be in the way in a few of them only.
fn tried(bound: &BoundLaunch) -> impl Iterator<Item = usize> {
    let n = bound.n_phases();
    let longest = bound.phases.as_ref().map_or(0, |phases| phases.longest());
    iter::once(longest).chain((0..n).step_by((n / TRIED).max(1)))
}
