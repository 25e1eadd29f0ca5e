//! The nodes of a run that are ready, and which of them is next. It runs none.

use std::collections::VecDeque;

use crate::backend::clock::Hold;

/// In what order nodes that are ready are taken.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Pick {
    /// As they became ready, on as many threads as are worth it.
    #[default]
    First,
    /// The last one of the program, on one thread: the order that is furthest from the program's.
    Last,
    /// Any, by this seed, on one thread.
    Random(u64),
}

/// What is ready, and who sleeps until something is.
#[derive(Debug, Default)]
pub(super) struct Queue {
    pub(super) ready: VecDeque<u32>,
    /// Of these, what brings data of host tasks, which comes after the rest; and how many do.
    pub(super) bringers: VecDeque<u32>,
    pub(super) bringing: usize,
    /// Helpers that sleep, and how many of them were woken and have not come yet.
    pub(super) sleeping: usize,
    pub(super) woken: usize,
    /// Those that look for a node without sleeping, and how many of them are to find one.
    pub(super) looking: usize,
    pub(super) called: usize,
    /// Whether some were found to wait, and none was taken since.
    pub(super) waits: bool,
    /// On a clock of devices: what keeps it from going on until those have come.
    pub(super) holds: Vec<Hold>,
    /// The same for helpers that were started.
    pub(super) coming: Vec<Hold>,
    /// The last node has ended.
    pub(super) done: bool,
    pub(super) seed: u64,
}

impl Queue {
    /// Has room for so many nodes and helpers.
    pub(super) fn reserve(&mut self, n_nodes: usize, most: usize) {
        let Self { ready, holds, coming, .. } = self;
        ready.reserve(n_nodes);
        holds.reserve(most);
        coming.reserve(most);
    }

    /// An empty one in the memory of this one, which picks by `seed` where it picks by any.
    pub(super) fn renewed(self, seed: u64) -> Self {
        let Self { mut ready, mut bringers, mut holds, mut coming, .. } = self;
        ready.clear();
        bringers.clear();
        holds.clear();
        coming.clear();
        Self { ready, bringers, holds, coming, seed, ..Self::default() }
    }

    pub(super) fn len(&self) -> usize {
        self.ready.len() + self.bringers.len()
    }

    /// Whether anybody looks for a node and would find none.
    pub(super) fn has_lookers(&self) -> bool {
        self.looking > self.called
    }

    /// Counts on those who look to find so many nodes; how many will.
    pub(super) fn call(&mut self, nodes: usize) -> usize {
        let near = nodes.min(self.looking - self.called);
        self.called += near;
        near
    }

    /// Notes that somebody no longer looks.
    pub(super) fn come(&mut self) {
        self.looking -= 1;
        self.called = self.called.saturating_sub(1);
    }

    /// The next node; at most so many bring data at once, as they wait for devices.
    pub(super) fn pop(&mut self, pick: Pick, most_bring: usize) -> Option<u32> {
        let at = match pick {
            Pick::First if self.ready.is_empty() && self.bringing < most_bring => {
                let bringer = self.bringers.pop_front();
                self.bringing += usize::from(bringer.is_some());
                return bringer;
            }
            Pick::First => return self.ready.pop_front(),
            Pick::Last => {
                let last = self.ready.iter().enumerate().max_by_key(|(_, node)| **node);
                last.map_or(0, |(at, _)| at)
            }
            Pick::Random(_) => {
                // Knuth's MMIX generator; its high bits are the good ones.
                self.seed = self
                    .seed
                    .wrapping_mul(6_364_136_223_846_793_005)
                    .wrapping_add(1_442_695_040_888_963_407);
                (self.seed >> 33) as usize % self.ready.len().max(1)
            }
        };
        self.ready.remove(at)
    }
}
