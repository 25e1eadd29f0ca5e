//! Loops whose body exchanges arrays. While such a loop runs nothing is exchanged: its nodes get, trip
//! by trip, other arrays in place of those they name, so that they wait for nothing but who uses the
//! same memory. What the exchanges have come to is done once, where the loop ends, or where it was
//! stopped. It orders nothing.
//!
//! After some trips, the period, all names stand for what they stood for before. What has been exchanged
//! in a trip before a node is its *way*: where arrays are exchanged under an `if`, both of its sides
//! have ways of their own, and what they come to has to be the same. Which array a name stands for in
//! a trip and on a way is an *arrangement*; in number 0 each name stands for itself.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};

use super::control;
use super::flight::Place;
use super::graph::{Graph, MAX_PERIOD, NONE, Region};
use super::leaf::Ground;
use super::rebind;
use crate::allocation::Allocation;
use crate::arg::ArrayArg;
use crate::error::Result;
use crate::mutex::lock;
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
    /// What exchanges in a whole trip: where sides of an `if` do, the first one's.
    pub(super) swaps: Vec<u32>,
    pub(super) period: u32,
    /// The nodes that have exchanged in a trip, by way.
    ways: Vec<Vec<u32>>,
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
    /// What is exchanged before it in a trip.
    way: u32,
    /// Whether it exchanges, so that it is not gone through.
    is_swap: bool,
}

impl Names {
    /// Finds the loops whose bodies exchange the same arrays in each trip.
    pub(super) fn find(nodes: &mut [Node<'_>]) -> Self {
        let mut names = Self::default();
        for at in 0..nodes.len() {
            if !matches!(nodes[at].kind, Kind::For { .. } | Kind::While { .. }) {
                continue;
            }
            let number = names.cycles.len() as u32;
            let Some((cycle, of_node)) = Cycle::find(nodes, at, number) else { continue };
            if names.of_node.is_empty() {
                let none = Named { cycle: NONE, top: NONE, way: 0, is_swap: false };
                names.of_node = vec![none; nodes.len()];
                names.now = nodes.iter().map(|_| AtomicU32::new(0)).collect();
            }
            names.of_node[at + 1..nodes[at].end()].copy_from_slice(&of_node);
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

    /// The number of the cycle that a node is inside of, or none.
    pub(super) fn inside_of(&self, node: u32) -> u32 {
        self.of_node.get(node as usize).map_or(NONE, |named| named.cycle)
    }

    /// What is exchanged before a node in a trip of its cycle.
    pub(super) fn way(&self, node: u32) -> u32 {
        self.of_node.get(node as usize).map_or(0, |named| named.way)
    }

    /// Whether a node is not gone through, as others get other names for it.
    pub(super) fn is_swap(&self, node: u32) -> bool {
        self.of_node.get(node as usize).is_some_and(|named| named.is_swap)
    }

    /// The arrangement that a node is to have in a trip of the cycle around it.
    fn arrangement(&self, node: u32, trip: u64) -> u32 {
        let Named { cycle, way, .. } = self.of_node[node as usize];
        let period = self.cycles[cycle as usize].period;
        way * period + (trip % u64::from(period)) as u32
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
    /// The cycle of a loop, if it is one, and what the nodes of its body have to do with it.
    fn find(nodes: &mut [Node<'_>], owner: usize, number: u32) -> Option<(Self, Vec<Named>)> {
        let (first, end) = (owner + 1, nodes[owner].end());
        let mut arrays: Vec<Arc<Allocation>> = Vec::new();
        let mut n_swaps = 0;
        for node in &mut nodes[first..end] {
            let Work::Swap { a, b, .. } = node.work() else { continue };
            let (a, b) = (&a.allocation, &b.allocation);
            if a.stays() || b.stays() || a.elem().id != b.elem().id || a.len() != b.len() {
                return None;
            }
            n_swaps += 1;
            for array in [a, b] {
                if arrays.iter().all(|known| known.id() != array.id()) {
                    arrays.push(Arc::clone(array));
                }
            }
        }
        if !(1..=MAX_SWAPS).contains(&n_swaps)
            || arrays.len() > MAX_SWAPS
            || nodes[first..end].iter().any(|node| node.in_sync)
            || asks(nodes[owner].work(), &arrays)
        {
            return None;
        }
        let none = Named { cycle: number, top: NONE, way: 0, is_swap: false };
        let of_node = vec![none; end - first];
        let mut ways =
            Ways { arrays: &arrays, list: vec![Vec::new()], of_node, first, n_others: 0 };
        let last = ways.go(nodes, (first, end), 0)?;
        let Ways { list, mut of_node, n_others, .. } = ways;
        if n_others == 0 {
            return None;
        }
        let mut top = first;
        while top < end {
            let next = nodes[top].end();
            of_node[top - first..next - first].iter_mut().for_each(|n| n.top = top as u32);
            top = next;
        }
        let identity: Vec<usize> = (0..arrays.len()).collect();
        let turned = |way: &[Exchange], turn: &[usize]| {
            let mut turn = turn.to_vec();
            way.iter().for_each(|&(_, [a, b])| turn.swap(a, b));
            turn
        };
        let mut powers = vec![identity.clone()];
        loop {
            let next = turned(&list[last as usize], &powers[powers.len() - 1]);
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
        for way in &list {
            for power in &powers {
                let turn = turned(way, power);
                by_arrangement.push(turn.iter().map(|&k| Arc::clone(&arrays[k])).collect());
            }
        }
        let nodes_of = |way: &Vec<Exchange>| way.iter().map(|&(node, _)| node).collect();
        let ways: Vec<Vec<u32>> = list.iter().map(nodes_of).collect();
        let swaps = ways[last as usize].clone();
        let (owner, is_open) = (owner as u32, AtomicBool::new(false));
        let arrays = by_arrangement;
        Some((Self { owner, swaps, period, ways, arrays, is_open }, of_node))
    }

    /// How many ways there are through a trip.
    pub(super) fn n_ways(&self) -> u32 {
        self.ways.len() as u32
    }

    /// Which array stands in a trip, on a way, for each of those that are exchanged.
    pub(super) fn pairs(
        &self,
        trip: u32,
        way: u32,
    ) -> impl Iterator<Item = (&Arc<Allocation>, &Arc<Allocation>)> {
        let arrangement = way * self.period + trip % self.period;
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

    /// Exchanges arrays as so many trips do, and one more up to the end of a way.
    fn exchange(
        &self,
        ground: &Ground<'_>,
        nodes: &[Node<'_>],
        trips: u64,
        way: u32,
    ) -> Result<()> {
        let trips = (trips % u64::from(self.period)) as usize;
        let all = std::iter::repeat_n(&self.swaps[..], trips).flatten();
        for &at in all.chain(&self.ways[way as usize]) {
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

    /// The array that stands for one of a host task's, whose data are brought for a trip.
    pub(super) fn brought<'g>(
        &'g self,
        (task, trip): (u32, u64),
        array: &'g Arc<Allocation>,
    ) -> &'g Arc<Allocation> {
        let Some((cycle, top)) = self.names.around(task) else { return array };
        let around = || self.trip[top as usize].load(Ordering::Relaxed);
        let trip = if top == task { trip } else { around() };
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
            let (trip, node) = place.unwrap_or_else(|| {
                // Or else where the first node stands that has not ended.
                let (first, end) = (cycle.owner + 1, nodes[cycle.owner as usize].end() as u32);
                let direct = (first..end)
                    .filter(|&node| self.names.around(node).is_some_and(|(_, top)| top == node));
                let others = direct.filter(|&node| !self.names.is_swap(node));
                let asks = self.asker(cycle.owner).map(|node| (trip_of(node), 0));
                let others = others.map(|node| (trip_of(node), node));
                others.chain(asks).min().unwrap_or((0, 0))
            });
            // Nothing is exchanged before a trip begins, or is asked for.
            let is_inside = self.names.around(node).is_some_and(|(c, _)| c.owner == cycle.owner);
            let way = if is_inside { self.names.way(node) } else { 0 };
            done = done.and(cycle.exchange(ground, nodes, trip, way));
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
    /// Where a place is in the body of a loop that is in this trip itself: the trip, and the node.
    fn within(&self, owner: u32, trip: u64) -> Option<(u64, u32)> {
        let steps = self.steps();
        let last = u32::try_from(*steps.last()?).ok()?;
        // From the end, as the beginning may be cut off: node, and trip.
        let mut inner = None;
        for group in steps.rchunks(2) {
            let [at, node] = *group else { return None };
            if node == u64::from(owner) {
                return inner.filter(|_| at == trip);
            }
            inner = Some((at, last));
        }
        None
    }
}

/// A node that exchanges, and what: two arrays by number.
type Exchange = (u32, [usize; 2]);

/// What is exchanged in a trip on every way through the body of a loop.
struct Ways<'w> {
    arrays: &'w [Arc<Allocation>],
    /// By way.
    list: Vec<Vec<Exchange>>,
    /// By node of the body, from the first on.
    of_node: Vec<Named>,
    first: usize,
    /// How many nodes do something else.
    n_others: usize,
}

impl Ways<'_> {
    /// Goes on from the end of a way through nodes; the way at their end, if it is one only.
    fn go(
        &mut self,
        nodes: &mut [Node<'_>],
        (first, end): (usize, usize),
        way: u32,
    ) -> Option<u32> {
        let (mut at, mut way) = (first, way);
        while at < end {
            let (kind, next) = (nodes[at].kind, nodes[at].end());
            let here = &mut self.of_node[at - self.first..next - self.first];
            here.iter_mut().for_each(|named| named.way = way);
            let exchanges = nodes[at + 1..next].iter_mut().any(|node| is_swap(node.work()));
            match (nodes[at].work(), kind) {
                (Work::Swap { a, b, .. }, _) => {
                    here[0].is_swap = true;
                    let number = |id| self.arrays.iter().position(|known| known.id() == id);
                    let pair = [number(a.allocation.id())?, number(b.allocation.id())?];
                    let mut more = self.list[way as usize].clone();
                    more.push((at as u32, pair));
                    way = self.list.len() as u32;
                    self.list.push(more);
                }
                (_, Kind::If { other }) if exchanges => {
                    let other = other as usize;
                    let sides = [(at + 1, other), (other, next)];
                    let [a, b] = sides.map(|side| self.go(nodes, side, way));
                    let (a, b) = (a?, b?);
                    // Else it is decided at run time what stands for what, and is done there.
                    if self.comes_to(a) != self.comes_to(b) {
                        return None;
                    }
                    way = a;
                    self.n_others += 1;
                }
                _ if exchanges => return None,
                _ => self.n_others += 1,
            }
            at = next;
        }
        Some(way)
    }

    /// What each array is at the end of a way.
    fn comes_to(&self, way: u32) -> Vec<usize> {
        let mut turn: Vec<usize> = (0..self.arrays.len()).collect();
        self.list[way as usize].iter().for_each(|&(_, [a, b])| turn.swap(a, b));
        turn
    }
}

fn is_swap(work: &Work<'_>) -> bool {
    matches!(work, Work::Swap { .. })
}

/// Whether a loop looks at some of these arrays before each trip.
fn asks(work: &Work<'_>, arrays: &[Arc<Allocation>]) -> bool {
    let mut found = false;
    if matches!(work, Work::While { .. }) {
        let is_one =
            |cell: &ArrayArg| arrays.iter().any(|array| array.id() == cell.allocation.id());
        work.each_cell(&mut |cell| found |= is_one(cell));
    }
    found
}
