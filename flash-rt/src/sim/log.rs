//! The calls a simulator has seen, and what can be told from them. Nothing here knows who made them.

use std::fmt;
use std::time::Duration;

use crate::backend::{Queue, Region};
use crate::geometry::{Geometry, MAX_GROUP_RANK};
use crate::trace::{Interval, Kind, Trace, Unit};

/// A call that succeeded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Call {
    /// Its number among all of the simulator, from 0.
    pub seq: u64,
    /// The device.
    pub device: usize,
    /// The queue it was submitted to, if it was.
    pub queue: Option<Queue>,
    /// When it was made, on the clock of the devices.
    pub at: Duration,
    /// When what it submitted began and ended; `None` while it has not, and if it never did.
    pub span: Option<Span>,
    /// What it was.
    pub what: What,
}

/// From when to when something ran.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Span {
    /// Its beginning.
    pub begin: Duration,
    /// Its end.
    pub end: Duration,
}

impl Span {
    /// How long.
    pub fn time(&self) -> Duration {
        self.end.saturating_sub(self.begin)
    }

    /// Whether both ran at some moment.
    pub fn overlaps(&self, other: &Self) -> bool {
        self.begin < other.end && other.begin < self.end
    }
}

/// What a call did. Memories are numbered in the order of their allocation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum What {
    /// Memory was reserved.
    Allocate {
        /// Its number.
        memory: u64,
        /// Its size.
        bytes: u64,
    },
    /// Data came from the host.
    Upload {
        /// Which memory.
        memory: u64,
        /// Where in it.
        to: Region,
    },
    /// Data went to the host.
    Download {
        /// Which memory.
        memory: u64,
        /// Where in it.
        from: Region,
        /// Bytes of it that look as if nobody had ever written them.
        poison: u64,
    },
    /// Data went to another device.
    Peer {
        /// From which memory.
        memory: u64,
        /// Where in it.
        from: Region,
        /// Which device it went to.
        device: usize,
    },
    /// Memory became zero.
    Zero {
        /// Which memory.
        memory: u64,
        /// Where in it.
        to: Region,
    },
    /// A kernel was made ready.
    Load {
        /// Its name.
        kernel: &'static str,
    },
    /// A kernel was run.
    Launch {
        /// Its name.
        kernel: &'static str,
        /// Number of work items.
        items: u64,
        /// Which of its launch they are.
        of: Of,
        /// The work-groups that its call asks for.
        groups: Asked,
    },
}

/// Which part of a launch was run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Of {
    /// The number of the phase, 0 where there is one.
    pub phase: usize,
    /// The number of the part of a split launch, 0 where it was not split.
    pub partition: usize,
}

/// The work-groups that a call asks for, in the order of the dimensions; 0 of what it does not say.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Asked {
    /// Work-groups.
    pub grid: [usize; MAX_GROUP_RANK],
    /// Items of a work-group.
    pub block: [usize; MAX_GROUP_RANK],
    /// Bytes that the items of a work-group share.
    pub shared: usize,
}

impl From<&Geometry> for Asked {
    fn from(said: &Geometry) -> Self {
        let of = |extents: Option<&[usize]>| {
            let extents = extents.unwrap_or_default();
            std::array::from_fn(|dim| extents.get(dim).copied().unwrap_or(0))
        };
        Self { grid: of(said.grid()), block: of(said.block()), shared: said.shared() }
    }
}

impl fmt::Display for Call {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} sim:{}", self.seq, self.device)?;
        if let Some(queue) = self.queue {
            write!(f, " {queue:?}")?;
        }
        write!(f, " {:?}", self.what)?;
        match self.span {
            Some(Span { begin, end }) => write!(f, " {begin:?}..{end:?}"),
            None => Ok(()),
        }
    }
}

/// Sums over calls.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Number of uploads.
    pub uploads: u64,
    /// Their bytes.
    pub uploaded: u64,
    /// Number of downloads.
    pub downloads: u64,
    /// Their bytes.
    pub downloaded: u64,
    /// Number of copies between devices.
    pub peer_copies: u64,
    /// Their bytes.
    pub peer_copied: u64,
    /// Of what was downloaded, bytes that nobody had ever written.
    pub poison: u64,
    /// Number of launches.
    pub launches: u64,
    /// Number of allocations.
    pub allocations: u64,
}

impl Counts {
    /// The sums over some calls.
    pub fn of(calls: &[Call]) -> Self {
        let mut sums = Self::default();
        for call in calls {
            match call.what {
                What::Allocate { .. } => sums.allocations += 1,
                What::Upload { to, .. } => {
                    sums.uploads += 1;
                    sums.uploaded += to.bytes();
                }
                What::Download { from, poison, .. } => {
                    sums.downloads += 1;
                    sums.downloaded += from.bytes();
                    sums.poison += poison;
                }
                What::Peer { from, .. } => {
                    sums.peer_copies += 1;
                    sums.peer_copied += from.bytes();
                }
                What::Launch { .. } => sums.launches += 1,
                What::Zero { .. } | What::Load { .. } => {}
            }
        }
        sums
    }
}

/// How busy the queues were.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Usage {
    /// From the first beginning to the last end.
    pub makespan: Duration,
    /// For each queue that ran something: its device, itself, and how long it was busy.
    pub queues: Vec<(usize, Queue, Duration)>,
}

impl Usage {
    /// What some calls show.
    pub fn of(calls: &[Call]) -> Self {
        let mut usage = Self::default();
        let spans = || calls.iter().filter_map(|call| call.span);
        let begin = spans().map(|span| span.begin).min().unwrap_or_default();
        usage.makespan = spans().map(|span| span.end).max().unwrap_or_default() - begin;
        for call in calls {
            let (Some(queue), Some(span)) = (call.queue, call.span) else { continue };
            match usage.queues.iter_mut().find(|(d, q, _)| (*d, *q) == (call.device, queue)) {
                Some((.., busy)) => *busy += span.time(),
                None => usage.queues.push((call.device, queue, span.time())),
            }
        }
        usage.queues.sort_unstable();
        usage
    }

    /// How long a queue was busy.
    pub fn busy(&self, device: usize, queue: Queue) -> Duration {
        let found = self.queues.iter().find(|(d, q, _)| (*d, *q) == (device, queue));
        found.map_or(Duration::ZERO, |(.., busy)| *busy)
    }

    /// The part of the makespan for which the busiest queue was busy, from 0 to 1.
    pub fn bottleneck(&self) -> f64 {
        let busiest = self.queues.iter().map(|(.., busy)| *busy).max().unwrap_or_default();
        busiest.as_secs_f64() / self.makespan.as_secs_f64().max(f64::MIN_POSITIVE)
    }
}

/// The intervals of some calls.
pub(super) fn trace(calls: &[Call]) -> Trace {
    let interval = |call: &Call| {
        let (kind, name, bytes) = match call.what {
            What::Upload { to, .. } => (Kind::Upload, "upload", to.bytes()),
            What::Download { from, .. } => (Kind::Download, "download", from.bytes()),
            What::Peer { from, .. } => (Kind::Peer, "peer", from.bytes()),
            What::Zero { to, .. } => (Kind::Kernel, "zero", to.bytes()),
            What::Launch { kernel, .. } => (Kind::Kernel, kernel, 0),
            What::Allocate { .. } | What::Load { .. } => return None,
        };
        let (Span { begin, end }, queue) = (call.span?, call.queue?);
        let unit = Unit::Device(format!("sim:{}", call.device).into(), queue);
        Some(Interval { kind, name: name.into(), unit, bytes, begin, end })
    };
    Trace::new(calls.iter().filter_map(interval).collect())
}
