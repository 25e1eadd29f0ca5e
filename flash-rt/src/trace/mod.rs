//! What ran when: kernels, copies, host tasks and waits as intervals on the units that they ran on,
//! with exports for people. It measures nothing itself.
//!
//! A runtime built with [`Builder::trace`](crate::Builder::trace) records; a
//! [`Report`](crate::Report) has the part of its run, [`Runtime::trace`](crate::Runtime::trace) all
//! of it. A simulator has the exact trace of its devices ([`Sim::trace`](crate::sim::Sim::trace)).

mod chrome;
mod record;
mod rows;
mod svg;
#[cfg(test)]
mod tests;
mod ticks;

use std::borrow::Cow;
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use crate::backend::Queue;

pub(crate) use record::{MOST, Part, Recorder, Series};

/// What something that took time was.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    /// A kernel.
    Kernel,
    /// A copy to a device.
    Upload,
    /// A copy to the host.
    Download,
    /// A copy from one device to another, without the host.
    Peer,
    /// A host task.
    Task,
    /// A thread of the host waited: a run for others that use its `buffers`, or whoever needs what a device
    /// has under way for that device, by whose name it goes. What is over in 20 µs is left out.
    Wait,
}

impl Kind {
    /// All of them.
    pub const ALL: [Self; 6] =
        [Self::Kernel, Self::Upload, Self::Download, Self::Peer, Self::Task, Self::Wait];

    /// Its name in exports.
    pub fn name(self) -> &'static str {
        match self {
            Self::Kernel => "kernel",
            Self::Upload => "upload",
            Self::Download => "download",
            Self::Peer => "peer",
            Self::Task => "task",
            Self::Wait => "wait",
        }
    }
}

/// Where something ran.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Unit {
    /// A thread of the host.
    Host,
    /// A queue of a device.
    Device(Arc<str>, Queue),
}

impl fmt::Display for Unit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Host => f.write_str("host"),
            Self::Device(name, Queue::Up) => write!(f, "{name} up"),
            Self::Device(name, Queue::Down) => write!(f, "{name} down"),
            Self::Device(name, Queue::Compute(0)) => write!(f, "{name} kernels"),
            Self::Device(name, Queue::Compute(k)) => write!(f, "{name} kernels {k}"),
        }
    }
}

/// Something that ran.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Interval {
    /// What it was.
    pub kind: Kind,
    /// The kernel or task; for a copy, what it is and the argument it was for, where it was for one:
    /// `upload x`, `download x`, `move x` between devices, with or without the host, `spill` and `evict`.
    pub name: Cow<'static, str>,
    /// Where it ran.
    pub unit: Unit,
    /// Bytes that it moved or was given; 0 for none.
    pub bytes: u64,
    /// When it began, from when recording did.
    pub begin: Duration,
    /// When it ended.
    pub end: Duration,
}

impl Interval {
    /// How long it took.
    pub fn time(&self) -> Duration {
        self.end.saturating_sub(self.begin)
    }

    /// Whether both ran at some moment.
    pub fn overlaps(&self, other: &Self) -> bool {
        self.begin < other.end && other.begin < self.end
    }
}

/// What ran when, in the order of the beginnings.
///
/// ```
/// use std::time::Duration;
/// use flash_rt::trace::{Interval, Kind, Trace, Unit};
///
/// let interval = |name, begin, end| Interval {
///     kind: Kind::Task,
///     name: name,
///     unit: Unit::Host,
///     bytes: 0,
///     begin: Duration::from_micros(begin),
///     end: Duration::from_micros(end),
/// };
/// let trace = Trace::new(vec![interval("store".into(), 4, 9), interval("load".into(), 0, 6)]);
/// assert_eq!(trace.intervals()[0].name, "load");
/// assert_eq!(trace.makespan(), Duration::from_micros(9));
/// assert_eq!(trace.busy(&Unit::Host), Duration::from_micros(9), "at least one of them ran");
/// assert!(trace.to_chrome_json().contains("\"name\":\"store\""));
/// assert!(trace.to_svg().starts_with("<svg"));
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Trace {
    intervals: Vec<Interval>,
    dropped: u64,
}

impl Trace {
    /// A trace of these intervals, in any order.
    pub fn new(mut intervals: Vec<Interval>) -> Self {
        intervals.sort_by_key(|interval| (interval.begin, interval.end));
        Self { intervals, dropped: 0 }
    }

    /// What ran, in the order of the beginnings.
    pub fn intervals(&self) -> &[Interval] {
        &self.intervals
    }

    /// How many intervals are missing, the oldest ones: a runtime keeps as many as
    /// [`Builder::trace_limit`](crate::Builder::trace_limit) says. Exports say it too.
    pub fn dropped(&self) -> u64 {
        self.dropped
    }

    /// From the first beginning to the last end.
    pub fn makespan(&self) -> Duration {
        self.end().saturating_sub(self.begin())
    }

    /// The units, in order.
    pub fn units(&self) -> Vec<Unit> {
        let mut units: Vec<Unit> = self.intervals.iter().map(|i| i.unit.clone()).collect();
        units.sort_unstable();
        units.dedup();
        units
    }

    /// How long a unit was busy, waits not counted, with what ran at once counted once.
    pub fn busy(&self, unit: &Unit) -> Duration {
        let (mut sum, mut until) = (Duration::ZERO, Duration::ZERO);
        for interval in &self.intervals {
            if interval.unit == *unit && interval.kind != Kind::Wait {
                sum += interval.end.saturating_sub(interval.begin.max(until));
                until = until.max(interval.end);
            }
        }
        sum
    }

    /// Whether something of one kind ran while something of another did.
    pub fn has_overlap(&self, a: Kind, b: Kind) -> bool {
        let of = |kind| self.intervals.iter().enumerate().filter(move |(_, i)| i.kind == kind);
        of(a).any(|(k, first)| of(b).any(|(l, second)| k != l && first.overlaps(second)))
    }

    fn begin(&self) -> Duration {
        self.intervals.first().map_or(Duration::ZERO, |interval| interval.begin)
    }

    fn end(&self) -> Duration {
        self.intervals.iter().map(|interval| interval.end).max().unwrap_or_default()
    }
}
