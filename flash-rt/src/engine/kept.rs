//! Memory of the threads of a run, kept for the next one.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Instant;

use super::plain::Scratch;
use super::queue::Queue;
use super::rows::Rows;
use crate::report::Transfers;

/// What a thread has counted, and its memory.
#[derive(Debug, Default)]
pub(super) struct Tally {
    pub(super) rows: Rows,
    pub(super) moved: Transfers,
    pub(super) ready: Vec<u32>,
    pub(super) kept: VecDeque<u32>,
    pub(super) scratch: Scratch,
    /// When the node before ended, where another one follows at once.
    pub(super) until: Option<Instant>,
    /// Whether this is the thread that runs the pipeline, and no helper.
    pub(super) is_caller: bool,
}

/// Those of threads that may come, and of threads that have gone.
#[derive(Debug, Default)]
#[expect(clippy::vec_box, reason = "each is large, is handed out and comes back")]
pub(super) struct Tallies {
    pub(super) unused: Vec<Box<Tally>>,
    pub(super) used: Vec<Box<Tally>>,
}

/// What the runs of a pipeline need, kept from one to the next.
#[derive(Debug, Default)]
pub(super) struct Kept {
    pub(super) tallies: Tallies,
    pub(super) queue: Queue,
    pub(super) users: Vec<u32>,
    /// How long the nodes took, and memory for those that are set back.
    pub(super) passing: (Vec<Took>, Vec<u32>),
}

/// How long a node takes, from its runs so far, and how it uses processors meanwhile.
#[derive(Debug, Default)]
pub(super) struct Took(AtomicU32);

impl Took {
    /// Marks a node that is shared by all workers.
    const SHARED: u32 = 1 << 31;
    /// Marks one that mostly waits.
    const BLOCKS: u32 = 1 << 30;
    const NANOS: u32 = Self::BLOCKS - 1;

    /// Nanoseconds, nothing before the first run; and whether all workers are busy for as long.
    pub(super) fn known(&self) -> Option<(u32, bool)> {
        let bits = self.0.load(Ordering::Relaxed);
        (bits > 0).then_some((bits & Self::NANOS, bits & Self::SHARED != 0))
    }

    /// Whether it mostly waited when it ran last.
    pub(super) fn blocks(&self) -> bool {
        self.0.load(Ordering::Relaxed) & Self::BLOCKS != 0
    }

    /// Takes one more run into account. One that was held up by others counts little.
    pub(super) fn note(&self, nanos: u32, is_shared: bool, blocks: bool) {
        let nanos = nanos.clamp(1, Self::NANOS);
        let mean = self.known().map_or(nanos, |(mean, _)| {
            let held = u64::from(nanos).min(8 * u64::from(mean));
            (3 * u64::from(mean) + held).div_ceil(4) as u32
        });
        // Relaxed, and not exchanged: of two runs at once one may be left out.
        let marks = (u32::from(is_shared) * Self::SHARED) | (u32::from(blocks) * Self::BLOCKS);
        self.0.store(mean.min(Self::NANOS) | marks, Ordering::Relaxed);
    }
}

impl Kept {
    /// Has room for a run with `most` helpers, however many of them will come.
    pub(super) fn prepare(&mut self, n_nodes: usize, rows: &Rows, most: usize) {
        let Self { tallies: Tallies { unused, used }, queue, .. } = self;
        queue.reserve(n_nodes, most);
        used.reserve(most + 1);
        unused.truncate(most + 1);
        while unused.len() <= most {
            unused.push(Box::default());
        }
        for tally in unused {
            tally.rows.like(rows);
            tally.moved = Transfers::NONE;
            (tally.until, tally.is_caller) = (None, false);
            tally.ready.clear();
            tally.ready.reserve(n_nodes);
        }
    }

    /// How many nodes and threads it has memory for.
    pub(super) fn size(&self) -> usize {
        let unused = &self.tallies.unused;
        unused.iter().map(|tally| tally.ready.capacity()).fold(unused.len(), usize::max)
    }

    /// Forgets the pipeline it was used for, and its runtime.
    pub(super) fn forget(&mut self) {
        self.tallies.unused.iter_mut().for_each(|tally| tally.scratch.forget());
        self.passing.0.clear();
    }

    /// How many of these nodes touch each array.
    pub(super) fn users(&mut self, of_node: &[(u32, u32)]) -> Vec<u32> {
        let mut users = std::mem::take(&mut self.users);
        users.clear();
        for &(_, access) in of_node {
            let access = access as usize;
            users.resize(users.len().max(access + 1), 0);
            users[access] += 1;
        }
        users
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_node_that_was_held_up_once_counts_little() {
        let took = Took::default();
        assert_eq!(took.known(), None);
        took.note(0, true, false);
        assert_eq!(took.known(), Some((1, true)), "it has run");
        let took = Took::default();
        took.note(4_000, false, false);
        took.note(u32::MAX, false, false);
        assert_eq!(took.known(), Some((11_000, false)), "(3 * 4 + 8 * 4) / 4");
        (0..20).for_each(|_| took.note(4_000, true, false));
        let (nanos, is_shared) = took.known().unwrap_or_default();
        assert!((4_000..4_100).contains(&nanos) && is_shared, "{nanos}");
        // What takes long for good is known to after a few runs.
        (0..4).for_each(|_| took.note(10_000_000, false, false));
        assert!(took.known().is_some_and(|(nanos, _)| nanos > 200_000), "{:?}", took.known());
        // Of how it uses processors the last run counts.
        for (is_shared, blocks) in [(true, true), (false, true), (true, false), (false, false)] {
            took.note(u32::MAX, is_shared, blocks);
            let (nanos, shared) = took.known().unwrap_or_default();
            assert!(nanos > 0 && (shared, took.blocks()) == (is_shared, blocks), "{nanos}");
        }
    }
}
