//! Loops whose body exchanges arrays. While such a loop runs nothing is exchanged: its nodes get, trip
//! by trip, other arrays in place of those they name, so that they wait for nothing but who uses the
//! same memory. What the exchanges have come to is done once, where the loop ends, or where it was
//! stopped. It orders nothing.
//!
//! After some trips, the period, all names stand for what they stood for before. Which array a name
//! stands for in a trip and after so many exchanges of it is an *arrangement*; in number 0 each name
//! stands for itself.

use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::control;
use super::flights::Place;
use super::graph::{Graph, MAX_PERIOD, NONE, Region};
use super::leaf::Ground;
use super::rebind;
use crate::allocation::Allocation;
use crate::error::Result;
use crate::pipeline::{Kind, Node, Work};

/// A body exchanges at most so many times, and at most so many arrays; others exchange as they go.
const MAX_SWAPS: usize = 8;

/// Who stands for whom in all loops of a pipeline.
#[derive(Debug, Default)]
pub(super) struct Names {
    cycles: Vec<Cycle>,
    /// For each node what it has to do with a cycle; empty where there is none.
    of_node: Vec<Named>,
    /// The arrangement that each node's arrays are in.
    now: Vec<AtomicU32>,
}

/// A loop whose body exchanges arrays.
#[derive(Debug)]
pub(super) struct Cycle {
    /// The loop.
    owner: u32,
    /// The nodes of its body that exchange.
    pub(super) swaps: Vec<u32>,
    pub(super) period: u32,
    /// By arrangement, which array stands for each.
    arrays: Vec<Vec<Arc<Allocation>>>,
    /// Whether it has begun and has not ended.
    is_open: AtomicBool,
}

/// What a node has to do with a cycle.
#[derive(Clone, Copy, Debug)]
struct Named {
    /// Its number, or none.
    cycle: u32,
    /// The node that lies directly in its body and has this one inside.
    top: u32,
    /// How many exchanges of the body come before it.
    after: u32,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Names {
    /// Finds the loops whose bodies exchange arrays in each trip, and nothing else inside of which
    /// does.
    pub(super) fn find(nodes: &mut [Node<'_>]) -> Self {
        let mut names = Self::default();
        for at in 0..nodes.len() {
            if !matches!(nodes[at].kind, Kind::For { .. }) {
                continue;
            }
            let Some(cycle) = Cycle::find(nodes, at) else { continue };
            if names.of_node.is_empty() {
                let none = Named { cycle: NONE, top: NONE, after: 0 };
                names.of_node = vec![none; nodes.len()];
                names.now = nodes.iter().map(|_| AtomicU32::new(0)).collect();
            }
            let (number, end) = (names.cycles.len() as u32, nodes[at].end());
            let (mut top, mut after) = (at + 1, 0);
            while top < end {
                let next = nodes[top].end();
                if cycle.swaps.contains(&(top as u32)) {
                    after += 1;
                }
                let named = Named { cycle: number, top: top as u32, after };
                names.of_node[top..next].fill(named);
                top = next;
            }
            names.cycles.push(cycle);
        }
        names
    }

    /// The number of the cycle of a loop, or none.
    pub(super) fn of_loop(&self, owner: u32) -> u32 {
        let number = self.cycles.iter().position(|cycle| cycle.owner == owner);
        number.map_or(NONE, |number| number as u32)
    }

    /// A cycle by its number.
    #[inline]
    pub(super) fn cycle(&self, number: u32) -> Option<&Cycle> {
        self.cycles.get(number as usize)
    }

    /// The arrays of each cycle.
    pub(super) fn arrays(&self) -> impl Iterator<Item = &[Arc<Allocation>]> {
        self.cycles.iter().map(|cycle| &cycle.arrays[0][..])
    }

    /// How many exchanges of the body of its cycle come before a node.
    pub(super) fn after(&self, node: u32) -> u32 {
        self.of_node.get(node as usize).map_or(0, |named| named.after)
    }

    /// The arrangement that a node is to have in a trip of the cycle around it.
    fn arrangement(&self, node: u32, trip: u64) -> u32 {
        let Named { cycle, after, .. } = self.of_node[node as usize];
        let period = self.cycles[cycle as usize].period;
        after * period + (trip % u64::from(period)) as u32
    }

    /// The cycle around a node, and the node directly in its body.
    fn around(&self, node: u32) -> Option<(&Cycle, u32)> {
        let Named { cycle, top, .. } = *self.of_node.get(node as usize)?;
        Some((self.cycles.get(cycle as usize)?, top))
    }

    /// Another array in every place of one.
    pub(super) fn each_array(&mut self, found: &mut dyn FnMut(&mut Arc<Allocation>)) {
        self.cycles.iter_mut().flat_map(|cycle| &mut cycle.arrays).flatten().for_each(found);
    }

    /// Which arrays a node works on now.
    pub(super) fn now(&self, node: u32) -> u32 {
        self.now.get(node as usize).map_or(0, |now| now.load(Ordering::Relaxed))
    }

    /// Gives a node the arrays of an arrangement.
    pub(super) fn rename(&self, node: u32, work: &mut Work<'_>, wanted: u32) {
        let Some((cycle, _)) = self.around(node) else { return };
        // Relaxed: who changes it holds the node's work.
        let now = self.now[node as usize].swap(wanted, Ordering::Relaxed);
        if now != wanted {
            rebind::each_array(work, &mut |array| {
                if let Some(other) = cycle.stands_for(now, wanted, array) {
                    *array = Arc::clone(other);
                }
            });
        }
    }
}

impl Cycle {
    /// The cycle of a `for`, if it is one.
    fn find(nodes: &mut [Node<'_>], owner: usize) -> Option<Self> {
        let (first, end) = (owner + 1, nodes[owner].end());
        let mut swaps = Vec::new();
        let mut arrays: Vec<Arc<Allocation>> = Vec::new();
        // Who stands for whom, by number, after each exchange.
        let mut stand: Vec<[usize; 2]> = Vec::new();
        let (mut top, mut n_others) = (first, 0);
        while top < end {
            let next = nodes[top].end();
            // Where it is decided at run time whether arrays are exchanged, it is done at run time.
            let inside = nodes[top + 1..next].iter_mut();
            if inside.map(Node::work).any(|work| matches!(work, Work::Swap { .. })) {
                return None;
            }
            let Work::Swap { a, b, .. } = nodes[top].work() else {
                n_others += 1;
                top = next;
                continue;
            };
            let (a, b) = (&a.allocation, &b.allocation);
            if a.is_foreign() || b.is_foreign() || a.elem().id != b.elem().id || a.len() != b.len()
            {
                return None;
            }
            swaps.push(top as u32);
            stand.push([a, b].map(|array| {
                let known = arrays.iter().position(|known| known.id() == array.id());
                known.unwrap_or_else(|| {
                    arrays.push(Arc::clone(array));
                    arrays.len() - 1
                })
            }));
            top = next;
        }
        let fits = (1..=MAX_SWAPS).contains(&swaps.len()) && arrays.len() <= MAX_SWAPS;
        if !fits || n_others == 0 || nodes[first..end].iter().any(|node| node.in_sync) {
            return None;
        }
        let identity: Vec<usize> = (0..arrays.len()).collect();
        let all = |turn: &mut Vec<usize>| stand.iter().for_each(|&[a, b]| turn.swap(a, b));
        let mut powers = vec![identity.clone()];
        loop {
            let mut next = powers[powers.len() - 1].clone();
            all(&mut next);
            if next == identity {
                break;
            }
            powers.push(next);
            if powers.len() > MAX_PERIOD as usize {
                return None;
            }
        }
        let period = powers.len() as u32;
        let mut by_arrangement = Vec::new();
        for after in 0..=stand.len() {
            for power in &powers {
                let mut turn = power.clone();
                stand[..after].iter().for_each(|&[a, b]| turn.swap(a, b));
                by_arrangement.push(turn.iter().map(|&k| Arc::clone(&arrays[k])).collect());
            }
        }
        let is_open = AtomicBool::new(false);
        Some(Self { owner: owner as u32, swaps, period, arrays: by_arrangement, is_open })
    }

    /// Which array stands in a trip, after so many exchanges of it, for each of those that are
    /// exchanged.
    pub(super) fn pairs(
        &self,
        trip: u32,
        after: u32,
    ) -> impl Iterator<Item = (&Arc<Allocation>, &Arc<Allocation>)> {
        let arrangement = after * self.period + trip % self.period;
        self.arrays[0].iter().zip(&self.arrays[arrangement as usize])
    }

    /// What an array of one arrangement is in another.
    fn stands_for(&self, now: u32, wanted: u32, array: &Allocation) -> Option<&Arc<Allocation>> {
        let at = self.arrays[now as usize].iter().position(|known| known.id() == array.id())?;
        self.arrays[wanted as usize].get(at)
    }

    /// Notes that the loop has begun.
    pub(super) fn open(&self) {
        self.is_open.store(true, Ordering::Relaxed);
    }

    /// Exchanges arrays as so many trips do, and as many more times.
    fn exchange(
        &self,
        ground: &Ground<'_>,
        nodes: &[Node<'_>],
        trips: u64,
        more: usize,
    ) -> Result<()> {
        let trips = (trips % u64::from(self.period)) as usize;
        let all = std::iter::repeat_n(&self.swaps[..], trips).flatten();
        for &at in all.chain(&self.swaps[..more]) {
            let work = lock(&nodes[at as usize].work);
            ground.swap(&work).map_err(|error| error.within(control::at(at as usize, &work)))?;
        }
        Ok(())
    }
}

impl Graph {
    /// Gives a node that is about to run the arrays of its trip; their arrangement.
    #[inline]
    pub(super) fn rename(&self, node: u32, work: &mut Work<'_>) -> u32 {
        let Some((_, top)) = self.names.around(node) else { return 0 };
        let trip = self.trip[top as usize].load(Ordering::Relaxed);
        let wanted = self.names.arrangement(node, trip);
        self.names.rename(node, work, wanted);
        wanted
    }

    /// The array that stands for one of a host task's, in the trip of what brings its data.
    pub(super) fn brought<'g>(
        &'g self,
        bringer: u32,
        task: u32,
        array: &'g Arc<Allocation>,
    ) -> &'g Arc<Allocation> {
        let Some((cycle, top)) = self.names.around(task) else { return array };
        let at = if top == task { bringer } else { top };
        let trip = self.trip[at as usize].load(Ordering::Relaxed);
        cycle.stands_for(0, self.names.arrangement(task, trip), array).unwrap_or(array)
    }

    /// Exchanges what a loop that has ended has exchanged.
    #[cold]
    pub(super) fn close(
        &self,
        ground: &Ground<'_>,
        nodes: &[Node<'_>],
        region: &Region,
    ) -> Result<()> {
        let Some(cycle) = self.names.cycle(region.cycle) else { return Ok(()) };
        cycle.is_open.store(false, Ordering::Relaxed);
        let _world = ground.flights.enter();
        cycle.exchange(ground, nodes, region.trips.load(Ordering::Relaxed), 0)
    }

    /// The end of a run: arrays of loops that were stopped are exchanged as they are at the place of
    /// what `failed` first in the program, and all nodes name again what they named.
    pub(super) fn settle(
        &self,
        ground: &Ground<'_>,
        nodes: &[Node<'_>],
        failed: Option<&Place>,
    ) -> Result<()> {
        if self.names.cycles.is_empty() {
            return Ok(());
        }
        let mut done = Ok(());
        for cycle in self.names.cycles.iter().filter(|c| c.is_open.swap(false, Ordering::Relaxed)) {
            let trip_of = |node: u32| self.trip[node as usize].load(Ordering::Relaxed);
            let place = failed.and_then(|place| place.within(cycle.owner, trip_of(cycle.owner)));
            // Or else where the first node stands that has not ended.
            let (trip, node) = place.unwrap_or_else(|| {
                let (first, end) = (cycle.owner + 1, nodes[cycle.owner as usize].end() as u32);
                let direct = (first..end)
                    .filter(|&node| self.names.around(node).is_some_and(|(_, top)| top == node));
                let others = direct.filter(|node| !cycle.swaps.contains(node));
                others.map(|node| (trip_of(node), node)).min().unwrap_or((0, first))
            });
            let more = cycle.swaps.iter().take_while(|&&swap| swap < node).count();
            done = done.and(cycle.exchange(ground, nodes, trip, more));
        }
        for (at, node) in nodes.iter().enumerate() {
            if self.names.now(at as u32) != 0 {
                self.names.rename(at as u32, &mut lock(&node.work), 0);
            }
        }
        done
    }
}

impl Place {
    /// The trip of the node that lies directly in a loop, in this trip of the loop itself, and has
    /// the place inside; and that node.
    fn within(&self, owner: u32, trip: u64) -> Option<(u64, u32)> {
        let steps = self.steps();
        // From the end, as the beginning may be cut off: node, trip, and how often the loop around
        // has turned.
        let mut inner = None;
        for group in steps.rchunks(3) {
            let [.., at, node] = *group else { return None };
            if node == u64::from(owner) {
                return if at == trip { inner } else { None };
            }
            inner = Some((at, u32::try_from(node).ok()?));
        }
        None
    }
}
