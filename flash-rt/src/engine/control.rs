//! What the holder of a handle says to a run, and hears of it while it goes on. It stops nothing by
//! itself: whoever is about to start a node looks here first.

use super::leaf::Ground;
use crate::error::{At, Error};
use crate::pipeline::{LaunchNode, MoveNode, Work};
use crate::report::Progress;
use crate::sync::{AtomicBool, AtomicU64, Ordering};

/// Shared by a handle and the run it stands for. All of it is Relaxed: the numbers are for people,
/// and what a run has done is handed over with its result.
#[derive(Debug, Default)]
pub(crate) struct Control {
    cancelled: AtomicBool,
    nodes: AtomicU64,
    trips: AtomicU64,
}

impl Control {
    /// Lets no further node start.
    pub(crate) fn cancel(&self) {
        self.cancelled.store(true, Ordering::Relaxed);
    }

    /// How far the run has come.
    pub(crate) fn progress(&self) -> Progress {
        let [nodes, trips] = [&self.nodes, &self.trips].map(|n| n.load(Ordering::Relaxed));
        Progress { nodes, trips }
    }

    /// Whether no node may start any more.
    #[inline]
    pub(crate) fn is_cancelled(&self) -> bool {
        self.cancelled.load(Ordering::Relaxed)
    }

    /// Counts a launch, host task, swap or move that has ended.
    #[inline]
    pub(crate) fn count_node(&self) {
        self.nodes.fetch_add(1, Ordering::Relaxed);
    }
}

impl Ground<'_> {
    /// Whether no node may start any more.
    #[inline]
    pub(super) fn is_cancelled(&self) -> bool {
        self.control.is_some_and(Control::is_cancelled)
    }

    /// Counts a launch, host task, swap or move that has ended.
    #[inline]
    pub(super) fn count_node(&self) {
        if let Some(control) = self.control {
            control.count_node();
        }
    }

    /// Counts a trip of a loop.
    #[inline]
    pub(super) fn count_trip(&self) {
        self.count_trips(1, 0);
    }

    /// Counts trips of a loop with so many nodes each that have not been counted.
    #[inline]
    pub(super) fn count_trips(&self, trips: u64, nodes: u64) {
        if let Some(control) = self.control {
            control.nodes.fetch_add(nodes, Ordering::Relaxed);
            control.trips.fetch_add(trips, Ordering::Relaxed);
        }
    }
}

/// The error of a run that was cancelled before this node started.
#[cold]
pub(super) fn cancelled(node: usize, work: &Work<'_>) -> Error {
    Error::Cancelled { at: Some(Box::new(at(node, work))) }
}

/// Where a node is, for an error.
#[cold]
pub(super) fn at(node: usize, work: &Work<'_>) -> At {
    let (stage, site) = match work {
        Work::Launch(LaunchNode { stage, .. }) => (stage.kernel.name, stage.site),
        Work::Task(task) => (task.name, task.site),
        Work::Swap { site, .. } => ("swap", *site),
        Work::Move(MoveNode { site, .. }) => ("a move", *site),
        Work::For { site, .. } => ("for", *site),
        Work::If { site, .. } => ("if", *site),
        Work::While { site, .. } => ("while", *site),
    };
    At { node: Some(node), stage, site }
}
