//! The order of a pipeline as flat arrays: for each node how many others it waits for and which
//! wait for it, with the counters of its runs. It neither finds the order (`order`) nor runs anything.
//!
//! The nodes inside of a loop or branch are a *region*; the pipeline itself is region 0. Edges join
//! nodes of one region, and a loop or decision touches what is inside of it. The body of a `for` is
//! there once: its edges lead to the same trip or to one of the next, so that trips overlap as far as
//! their data allow. How many trips an edge can span is the *period* of the region: after so many, all
//! nodes touch what they touched before. Mostly that is one trip. A node has as many counters as the
//! period has trips, which they take in turn.
//!
//! The body of a `while` is there once too. What looks at its condition is a node of its own in the body,
//! the *asker*: all nodes of a trip wait for it, and it waits for who writes what it reads, and for
//! the trip that is a whole period before, so that nobody gets further ahead.

use std::sync::Arc;

use super::before::Before;
use super::names::Names;
use super::tasks::Begun;
use crate::allocation::Allocation;
use crate::pipeline::Node;
use crate::sync::{AtomicU32, AtomicU64, Ordering};

/// No node, no region.
pub(super) const NONE: u32 = u32::MAX;
/// An edge is the node that waits, how many trips later it does, and whether it is [`EARLY`].
const TRIPS: u32 = 29;
/// An edge to the next trip.
pub(super) const NEXT: u32 = 1 << TRIPS;
/// The most trips that an edge can span.
pub(super) const MAX_PERIOD: u32 = 6;
/// As many nodes can be told apart in edges.
pub(super) const MAX_NODES: usize = 1 << (TRIPS - 1);

/// Marks an edge that the beginning of a node satisfies: of a host task, whose data are in place then,
/// or will be whatever happens to the images, to a launch that only overwrites them in the memory of a
/// device; of a loop or decision whose bounds or condition are known then to who writes what they were
/// read from.
pub(super) const EARLY: u32 = 1 << (TRIPS - 1);

/// The node that an edge leads to.
#[inline]
pub(super) fn target(edge: u32) -> u32 {
    edge & (EARLY - 1)
}

/// How many trips later that node waits.
#[inline]
pub(super) fn trips_later(edge: u32) -> u32 {
    edge >> TRIPS
}

/// The nodes inside of a loop or branch.
#[derive(Debug)]
pub(super) struct Region {
    /// The loop or decision; `NONE` for the pipeline.
    pub(super) owner: u32,
    pub(super) first: u32,
    pub(super) end: u32,
    /// How many nodes lie directly in it, and the first of them.
    pub(super) n: u32,
    pub(super) lead: u32,
    /// After how many trips its nodes touch what they touched before.
    pub(super) period: u32,
    /// The number of its cycle, of a `for` whose body exchanges arrays.
    pub(super) cycle: u32,
    /// The level of the variable, of a loop.
    pub(super) level: Option<usize>,
    /// Whether the variable may be negative, and what it knows its loop by.
    pub(super) is_signed: bool,
    pub(super) name: u32,
    /// The asker, of a `while`.
    pub(super) asker: u32,
    /// How many of its nodes have to end their last trip; in a `while` how many ends are missing of
    /// the trips that are known, and one until it is known that there are no more.
    pub(super) left: AtomicU32,
    /// The trips of a loop, of a `while` as soon as that is known, else 1; and the bits of its first
    /// value.
    pub(super) trips: AtomicU64,
    pub(super) start: AtomicU64,
}

impl Region {
    /// Whether anything is to be done in it.
    pub(super) fn has_nodes(&self) -> bool {
        self.n > 0 || self.asker != NONE
    }
}

/// What a node enters: which region, for how many trips, and from which value of the variable on.
#[derive(Clone, Copy, Debug)]
pub(super) struct Inside {
    pub(super) region: u32,
    pub(super) trips: u64,
    pub(super) start: u64,
}

impl Inside {
    /// What is gone through once.
    pub(super) fn once(region: u32) -> Self {
        Self { region, trips: 1, start: 0 }
    }
}

/// What keeps the nodes of a pipeline in order.
#[derive(Debug)]
pub(super) struct Graph {
    pub(super) regions: Vec<Region>,
    /// The region of each node.
    pub(super) region_of: Vec<u32>,
    /// The regions inside of each node.
    pub(super) inside: Vec<[u32; 2]>,
    /// How many ends a node waits for, in the first trip and in those after the period; [`NONE`] for
    /// one that is not gone through, as others do what it says.
    pub(super) need_first: Vec<u32>,
    pub(super) need: Vec<u32>,
    /// Which nodes wait for the end of node `k`: `waiting[rows[k]..rows[k + 1]]`.
    pub(super) rows: Vec<u32>,
    pub(super) waiting: Vec<u32>,
    /// How many ends each node still waits for, in trips that the period divides; those of the trips
    /// between stand behind them, from where `more` says, if there are any.
    pub(super) count: Vec<AtomicU32>,
    pub(super) more: Vec<u32>,
    /// What these begin with.
    pub(super) need_more: Vec<u32>,
    /// The trip of its region that each node is in.
    pub(super) trip: Vec<AtomicU64>,
    /// Whether two nodes of a region may run at once, but for those in loops.
    pub(super) is_wide: bool,
    /// The loops in which two nodes may run at once, those in branches among them; the innermost ones.
    pub(super) wide_loops: Vec<u32>,
    /// Whether any edge is [`EARLY`].
    pub(super) has_early: bool,
    pub(super) n_edges: usize,
    /// Host tasks that keep their order but whose data are brought before their turn, and loops and
    /// decisions whose bounds or conditions are read before theirs. What does that for number `k` is a
    /// node too, with number `n + k` of `n` nodes, the *bringer*: it waits for whatever the task waits
    /// for but its turn, or for who writes what is read, and once more until the node itself has begun
    /// before.
    pub(super) early: Vec<(u32, Before)>,
    /// For each node its number in `early`, or none.
    pub(super) early_of: Vec<u32>,
    /// The loops that ask before each trip. The asker of number `k` is node `n + m + k`, after `m` that
    /// bring data.
    pub(super) asking: Vec<u32>,
    /// For each node the device with a memory of its own that it is submitted to, or none.
    pub(super) to_device: Vec<u32>,
    /// Which arrays nodes get in place of those they name, in loops that exchange arrays.
    pub(super) names: Names,
}

impl Graph {
    #[inline]
    pub(super) fn waiting(&self, node: u32) -> &[u32] {
        let row = node as usize;
        &self.waiting[self.rows[row] as usize..self.rows[row + 1] as usize]
    }

    /// Prepares the counters of a region whose nodes start anew, and tells the nodes that wait for
    /// none.
    pub(super) fn enter(
        &self,
        nodes: &[Node<'_>],
        Inside { region, trips, start }: Inside,
        mut ready: impl FnMut(u32),
    ) {
        let region = &self.regions[region as usize];
        // Relaxed: whoever runs a node of the region has synchronised with this thread by the
        // queue of nodes that are ready, or by a counter.
        let left = if region.asker == NONE { region.n } else { 1 };
        region.left.store(left, Ordering::Relaxed);
        region.trips.store(trips, Ordering::Relaxed);
        region.start.store(start, Ordering::Relaxed);
        if let Some(cycle) = self.names.cycle(region.cycle) {
            cycle.open();
        }
        let each = |set: &mut dyn FnMut(u32)| {
            if region.asker != NONE {
                set(region.asker);
            }
            let mut at = region.first;
            while at < region.end {
                set(at);
                at = nodes[at as usize].end() as u32;
            }
        };
        let both = |at: u32| [Some(at), self.bringer(at)].into_iter().flatten();
        each(&mut |at| {
            for at in both(at).filter(|at| self.need_first[*at as usize] != NONE) {
                self.count[at as usize].store(self.need_first[at as usize], Ordering::Relaxed);
                self.trip[at as usize].store(0, Ordering::Relaxed);
                for k in 1..region.period {
                    let more = self.more[at as usize] as usize + k as usize - 1;
                    let need = self.need_more[more - self.trip.len()];
                    self.count[more].store(need, Ordering::Relaxed);
                }
            }
        });
        each(&mut |at| {
            for at in both(at).filter(|at| self.need_first[*at as usize] == 0) {
                self.start(at, at as usize);
                ready(at);
            }
        });
    }

    /// The counter of a node for a trip.
    #[inline]
    fn counter(&self, node: u32, trip: u64, period: u32) -> usize {
        let turn = if period == 1 { 0 } else { trip % u64::from(period) };
        match turn {
            0 => node as usize,
            turn => self.more[node as usize] as usize + turn as usize - 1,
        }
    }

    /// What brings the data of a host task, or looks at a loop or decision, before its turn.
    #[inline]
    pub(super) fn bringer(&self, node: u32) -> Option<u32> {
        let number = *self.early_of.get(node as usize)?;
        (number != NONE).then(|| self.early_of.len() as u32 + number)
    }

    /// The device with a memory of its own that a node is submitted to, if it is.
    #[inline]
    pub(super) fn device(&self, node: u32) -> Option<u32> {
        self.to_device.get(node as usize).copied().filter(|&device| device != NONE)
    }

    /// The node that this one does something for before its turn, if that is what it does.
    #[inline]
    pub(super) fn brings(&self, node: u32) -> Option<&(u32, Before)> {
        self.early.get((node as usize).checked_sub(self.early_of.len())?)
    }

    /// What asks before each trip of a `while`.
    pub(super) fn asker(&self, owner: u32) -> Option<u32> {
        let number = self.asking.iter().position(|&asking| asking == owner)?;
        Some((self.region_of.len() - self.asking.len() + number) as u32)
    }

    /// The `while` that a node asks for, if that is what it does.
    #[inline]
    pub(super) fn asks(&self, node: u32) -> Option<u32> {
        let first = self.region_of.len() - self.asking.len();
        self.asking.get((node as usize).checked_sub(first)?).copied()
    }

    /// What is done for a node before its turn, if anything.
    #[inline]
    pub(super) fn before(&self, node: u32) -> Option<&Before> {
        self.bringer(node).and_then(|bringer| self.brings(bringer)).map(|(_, before)| before)
    }

    /// Whether a node looks at a loop or decision before its turn.
    #[inline]
    pub(super) fn looks(&self, node: u32) -> bool {
        self.brings(node).is_some_and(|(_, before)| before.look().is_some())
    }

    /// Notes that a node has begun, for its bringer.
    pub(super) fn note_turn(&self, node: u32, mut ready: impl FnMut(u32)) {
        let Some(bringer) = self.bringer(node) else { return };
        let (trip, region) = self.trip_of(node);
        match self.before(node) {
            Some(Before::Data(early)) => {
                let Begun { next_is_there, was_parked } = early.begin();
                if was_parked {
                    ready(bringer);
                }
                if next_is_there {
                    self.count_down(node, self.counter(node, trip + 1, region.period), ready);
                }
            }
            _ if trip + 1 < region.trips.load(Ordering::Relaxed) => {
                self.count_down(bringer, self.counter(bringer, trip + 1, region.period), ready);
            }
            _ => {}
        }
    }

    /// Notes that copies for a host task were submitted, so that those for its next turn may be.
    pub(super) fn note_submitted(&self, bringer: u32, ready: impl FnMut(u32)) {
        let (trip, region) = self.trip_of(bringer);
        self.trip[bringer as usize].store(trip + 1, Ordering::Relaxed);
        if trip + 1 < region.trips.load(Ordering::Relaxed) {
            self.count_down(bringer, self.counter(bringer, trip + 1, region.period), ready);
        }
    }

    /// Notes that data have been brought for a trip that is the next one of their host task.
    pub(super) fn end_bringing(&self, bringer: u32, trip: u64, ready: impl FnMut(u32)) {
        if let Some((task, _)) = self.brings(bringer) {
            let region = &self.regions[self.region_of[bringer as usize] as usize];
            self.count_down(*task, self.counter(*task, trip, region.period), ready);
        }
    }

    /// Notes that a loop or decision was looked at.
    pub(super) fn end_looking(&self, bringer: u32, ready: impl FnMut(u32)) {
        let (trip, _) = self.trip_of(bringer);
        self.trip[bringer as usize].store(trip + 1, Ordering::Relaxed);
        self.end_bringing(bringer, trip, ready);
    }

    /// The trip that a node is in, and its region.
    #[inline]
    fn trip_of(&self, node: u32) -> (u64, &Region) {
        let region = &self.regions[self.region_of[node as usize] as usize];
        (self.trip[node as usize].load(Ordering::Relaxed), region)
    }

    /// Another array in every place of one.
    pub(super) fn each_array(&mut self, found: &mut dyn FnMut(&mut Arc<Allocation>)) {
        let data = self.early.iter_mut().filter_map(|(_, before)| match before {
            Before::Data(early) => Some(early),
            Before::Look(_) => None,
        });
        data.for_each(|early| early.each_array(found));
        self.names.each_array(found);
    }

    /// Sets the counter of a node that is about to run for the trip that has it next.
    #[inline]
    fn start(&self, node: u32, counter: usize) {
        self.count[counter].store(self.need[node as usize], Ordering::Relaxed);
    }

    /// Notes that a `while` makes another trip, as what asks for it has found, or not; whether all that
    /// was known of before has ended.
    pub(super) fn answer(&self, asker: u32, goes_on: bool, mut ready: impl FnMut(u32)) -> bool {
        let (trip, region) = self.trip_of(asker);
        if goes_on {
            // Relaxed: whoever ends a node of the trip has synchronised with this thread by a counter.
            region.left.fetch_add(region.n, Ordering::Relaxed);
            self.trip[asker as usize].store(trip + 1, Ordering::Relaxed);
            self.tell((asker, 0), (trip, u64::MAX, region.period), &mut ready);
            return false;
        }
        region.trips.store(trip, Ordering::Relaxed);
        region.left.fetch_sub(1, Ordering::AcqRel) == 1
    }

    /// Notes that a node has ended, tells the nodes that may run now, and whether it was the last
    /// end of its region.
    #[inline]
    pub(super) fn end(&self, node: u32, mut ready: impl FnMut(u32)) -> bool {
        let (trip, region) = self.trip_of(node);
        self.trip[node as usize].store(trip + 1, Ordering::Relaxed);
        // In a `while` it may not be known yet; nobody runs in a trip that nobody has asked for.
        let left = region.trips.load(Ordering::Relaxed) - 1 - trip;
        self.tell((node, 0), (trip, left, region.period), &mut ready);
        (left == 0 || region.asker != NONE) && region.left.fetch_sub(1, Ordering::AcqRel) == 1
    }

    /// Notes that a node has begun, its data in place, and tells the nodes that may run now. Where
    /// they were brought before its turn that is noted for the node that `brings` them.
    pub(super) fn begin(&self, node: u32, brings: u32, mut ready: impl FnMut(u32)) {
        let (trip, region) = self.trip_of(brings);
        let left = region.trips.load(Ordering::Relaxed) - 1 - trip;
        self.tell((node, EARLY), (trip, left, region.period), &mut ready);
    }

    /// Whether anybody waits for the beginning of a node.
    pub(super) fn is_awaited(&self, node: u32) -> bool {
        self.has_early && self.waiting(node).iter().any(|edge| edge & EARLY != 0)
    }

    /// Counts for those that wait for the beginning or end of a node in a trip, after which so many
    /// are left.
    #[inline]
    fn tell(
        &self,
        (node, when): (u32, u32),
        (trip, left, period): (u64, u64, u32),
        ready: &mut impl FnMut(u32),
    ) {
        for &edge in self.waiting(node) {
            let later = u64::from(trips_later(edge));
            if edge & EARLY != when || later > left {
                continue;
            }
            let node = target(edge);
            self.count_down(node, self.counter(node, trip + later, period), &mut *ready);
        }
    }

    #[inline]
    fn count_down(&self, node: u32, counter: usize, mut ready: impl FnMut(u32)) {
        // The end of each node that this one waits for happens before it.
        if self.count[counter].fetch_sub(1, Ordering::AcqRel) == 1 {
            self.start(node, counter);
            ready(node);
        }
    }

    /// Edges as pairs, for people, and how many trips later the second node waits.
    pub(super) fn edges(&self) -> impl Iterator<Item = (usize, usize, u32)> + '_ {
        (0..self.inside.len()).flat_map(move |from| {
            let edges = self.waiting(from as u32).iter();
            let edges = edges.filter(|&&edge| self.asks(target(edge)).is_none());
            edges.map(move |&edge| {
                let to = target(edge);
                let to = self.brings(to).map_or(to, |(task, _)| *task);
                (from, to as usize, trips_later(edge))
            })
        })
    }
}
