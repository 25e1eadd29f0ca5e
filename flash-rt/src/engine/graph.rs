//! The order of a pipeline as flat arrays: for each node how many others it waits for and which
//! wait for it, by the ranges they touch. Built once, and with it the counters of its runs. It runs
//! nothing.
//!
//! The nodes inside of a loop or branch are a *region*; the pipeline itself is region 0. Edges join
//! nodes of one region, and a loop or decision touches what is inside of it. The body of a `for` is
//! there once: its edges lead to the same trip or to the next one, so that trips overlap as far as
//! their data allow. That suffices: what is ordered across more trips is ordered by way of those
//! between.

use std::sync::Arc;

use super::ids::IdMap;
use super::missing::{self, Missing, Side};
use super::tasks::Early;
use super::touches::{ALL, TASKS, Touches};
use super::track::{Found, Track, Without};
use crate::access::Mode;
use crate::allocation::Allocation;
use crate::descriptor::Role;
use crate::pipeline::{Kind, LaunchNode, Node, Work};
use crate::section::Section;
use crate::sync::{AtomicU32, AtomicU64, Ordering};

/// No node, no region.
pub(super) const NONE: u32 = u32::MAX;
/// Marks an edge to the next trip.
pub(super) const NEXT: u32 = 1 << 31;

/// Marks an edge that the beginning of a node satisfies: of a host task, whose data are in place then,
/// or will be whatever happens to the images, to a launch that only overwrites them in the memory of a
/// device.
pub(super) const EARLY: u32 = 1 << 30;

/// The nodes inside of a loop or branch.
#[derive(Debug)]
pub(super) struct Region {
    /// The loop or decision; `NONE` for the pipeline.
    pub(super) owner: u32,
    pub(super) first: u32,
    pub(super) end: u32,
    /// How many nodes lie directly in it.
    pub(super) n: u32,
    /// The level of the variable, of a `for`.
    pub(super) level: Option<usize>,
    /// How many of its nodes have to end their last trip.
    pub(super) left: AtomicU32,
    /// The trips of a `for`, else 1; and the bits of its first value.
    pub(super) trips: AtomicU64,
    pub(super) start: AtomicU64,
}

/// What keeps the nodes of a pipeline in order.
#[derive(Debug)]
pub(super) struct Graph {
    pub(super) regions: Vec<Region>,
    /// The region of each node.
    pub(super) region_of: Vec<u32>,
    /// The regions inside of each node.
    pub(super) inside: Vec<[u32; 2]>,
    /// How many ends a node waits for, in the first trip and in later ones.
    need_first: Vec<u32>,
    need: Vec<u32>,
    /// Which nodes wait for the end of node `k`: `waiting[rows[k]..rows[k + 1]]`.
    rows: Vec<u32>,
    waiting: Vec<u32>,
    /// How many ends each node still waits for.
    pub(super) count: Vec<AtomicU32>,
    /// The trip of its region that each node is in; for a `while`, see `turns`.
    pub(super) trip: Vec<AtomicU64>,
    /// Trips of each `while` so far.
    pub(super) turns: Vec<AtomicU64>,
    /// Whether two nodes of a region may run at once.
    pub(super) is_wide: bool,
    /// Whether any edge is [`EARLY`].
    has_early: bool,
    pub(super) n_edges: usize,
    /// Host tasks that keep their order but whose data are brought before their turn. What brings
    /// the data of number `k` is a node too, with number `n + k` of `n` nodes: it waits for whatever
    /// the task waits for but its turn, and once more until the task has begun before.
    pub(super) early: Vec<(u32, Early)>,
    /// For each node its number in `early`, or none.
    early_of: Vec<u32>,
    /// For each node the device with a memory of its own that it is submitted to, or none.
    to_device: Vec<u32>,
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
        region: u32,
        trips: u64,
        start: u64,
        mut ready: impl FnMut(u32),
    ) {
        let region = &self.regions[region as usize];
        // Relaxed: whoever runs a node of the region has synchronised with this thread by the
        // queue of nodes that are ready, or by a counter.
        region.left.store(region.n, Ordering::Relaxed);
        region.trips.store(trips, Ordering::Relaxed);
        region.start.store(start, Ordering::Relaxed);
        let each = |set: &mut dyn FnMut(u32)| {
            let mut at = region.first;
            while at < region.end {
                set(at);
                at = nodes[at as usize].end() as u32;
            }
        };
        let both = |at: u32| [Some(at), self.bringer(at)].into_iter().flatten();
        each(&mut |at| {
            for at in both(at) {
                self.count[at as usize].store(self.need_first[at as usize], Ordering::Relaxed);
                self.trip[at as usize].store(0, Ordering::Relaxed);
            }
        });
        each(&mut |at| {
            for at in both(at).filter(|at| self.need_first[*at as usize] == 0) {
                self.start(at);
                ready(at);
            }
        });
    }

    /// What brings the data of a host task before its turn.
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

    /// The task whose data a node brings before its turn, if that is what it does.
    #[inline]
    pub(super) fn brings(&self, node: u32) -> Option<&(u32, Early)> {
        self.early.get((node as usize).checked_sub(self.region_of.len() - self.early.len())?)
    }

    /// Notes that a host task has begun, for what brings its data.
    pub(super) fn note_turn(&self, node: u32, ready: impl FnMut(u32)) {
        let Some(bringer) = self.bringer(node) else { return };
        if !self.is_last(node) {
            self.count_down(bringer, ready);
        }
    }

    /// Notes that data have been brought.
    pub(super) fn end_bringing(&self, bringer: u32, ready: impl FnMut(u32)) {
        self.trip[bringer as usize].fetch_add(1, Ordering::Relaxed);
        if let Some((task, _)) = self.brings(bringer) {
            self.count_down(*task, ready);
        }
    }

    /// Whether a node is in the last trip of its region.
    fn is_last(&self, node: u32) -> bool {
        let region = &self.regions[self.region_of[node as usize] as usize];
        self.trip[node as usize].load(Ordering::Relaxed) + 1 == region.trips.load(Ordering::Relaxed)
    }

    /// Another array in every place of one.
    pub(super) fn each_array(&mut self, found: &mut dyn FnMut(&mut Arc<Allocation>)) {
        self.early.iter_mut().for_each(|(_, early)| early.each_array(found));
    }

    /// Sets the counters of a node that is about to run for the trip after this one.
    #[inline]
    fn start(&self, node: u32) {
        let node = node as usize;
        self.count[node].store(self.need[node], Ordering::Relaxed);
        self.turns[node].store(0, Ordering::Relaxed);
    }

    /// Notes that a node has ended, tells the nodes that may run now, and whether it was the last
    /// end of its region.
    #[inline]
    pub(super) fn end(&self, node: u32, mut ready: impl FnMut(u32)) -> bool {
        let region = &self.regions[self.region_of[node as usize] as usize];
        let trip = self.trip[node as usize].load(Ordering::Relaxed) + 1;
        self.trip[node as usize].store(trip, Ordering::Relaxed);
        let last = trip == region.trips.load(Ordering::Relaxed);
        self.tell(node, 0, last, &mut ready);
        last && region.left.fetch_sub(1, Ordering::AcqRel) == 1
    }

    /// Notes that a node has begun, its data in place, and tells the nodes that may run now. Where
    /// they were brought before its turn that is noted for the node that `brings` them.
    pub(super) fn begin(&self, node: u32, brings: u32, mut ready: impl FnMut(u32)) {
        self.tell(node, EARLY, self.is_last(brings), &mut ready);
    }

    /// Whether anybody waits for the beginning of a node.
    pub(super) fn is_awaited(&self, node: u32) -> bool {
        self.has_early && self.waiting(node).iter().any(|edge| edge & EARLY != 0)
    }

    /// Counts for those that wait for the beginning or end of a node.
    #[inline]
    fn tell(&self, node: u32, when: u32, last: bool, ready: &mut impl FnMut(u32)) {
        for &edge in self.waiting(node) {
            if edge & EARLY != when || (edge & NEXT != 0 && last) {
                continue;
            }
            self.count_down(edge & !(NEXT | EARLY), &mut *ready);
        }
    }

    #[inline]
    fn count_down(&self, node: u32, mut ready: impl FnMut(u32)) {
        // The end of each node that this one waits for happens before it.
        if self.count[node as usize].fetch_sub(1, Ordering::AcqRel) == 1 {
            self.start(node);
            ready(node);
        }
    }

    /// Edges as pairs, for people; true for those to the next trip.
    pub(super) fn edges(&self) -> impl Iterator<Item = (usize, usize, bool)> + '_ {
        (0..self.rows.len().saturating_sub(1)).flat_map(move |from| {
            self.waiting(from as u32).iter().map(move |&edge| {
                let to = edge & !(NEXT | EARLY);
                (from, self.brings(to).map_or(to, |(task, _)| *task) as usize, edge & NEXT != 0)
            })
        })
    }
}

/// Works out the order of prepared nodes. Host tasks keep theirs if they are to run `in_order`.
/// `apart` says which devices have a memory of their own, where launches may be submitted while host
/// tasks still read what they overwrite; it is empty where none has.
pub(super) fn build(
    nodes: &mut [Node<'_>],
    in_order: bool,
    missing: Option<Missing>,
    apart: &[bool],
) -> Graph {
    let mut touches = Touches { all: NONE, tasks: NONE, ..Touches::default() };
    let mut sides = Vec::new();
    if missing.is_some() {
        sides.extend(nodes.iter_mut().map(|node| Side::of(node.work())));
    }
    let has_sync = nodes.iter().any(|node| node.in_sync);
    let mut is_apart = Vec::new();
    // Where order is left out, what depends on the rest of it would go wrong by itself.
    if apart.contains(&true) && missing.is_none() {
        is_apart.extend(nodes.iter_mut().map(|node| match node.work() {
            Work::Launch(LaunchNode { stage, device, .. }) => {
                // Results of these are written in the host's memory.
                let stays = stage.chosen().is_none()
                    && !stage.kernel.params.iter().any(|p| matches!(p.role, Role::Reduce { .. }));
                stays && apart.get(usize::from(*device)) == Some(&true)
            }
            _ => false,
        }));
    }
    for node in nodes.iter_mut() {
        touches.rows.push(touches.list.len() as u32);
        touches.node(node.work(), in_order);
        if has_sync && node.kind == Kind::Leaf {
            let mode = if node.in_sync { Mode::Write } else { Mode::Read };
            touches.note(ALL, 1, Section::whole(&[1]), mode);
            touches.all = touches.numbers.get(&ALL).copied().unwrap_or(NONE);
        }
    }
    touches.rows.push(touches.list.len() as u32);
    touches.tasks = touches.numbers.get(&TASKS).copied().unwrap_or(NONE);
    let n = nodes.len();
    let mut early = Vec::new();
    let mut early_of = Vec::new();
    if apart.contains(&true) && missing.is_none() && in_order {
        early_of.resize(n, NONE);
        for (k, node) in nodes.iter_mut().enumerate().filter(|(_, node)| !node.in_sync) {
            if let Work::Task(task) = node.work()
                && let Some(one) = Early::new(task)
            {
                early_of[k] = early.len() as u32;
                early.push((k as u32, one));
            }
        }
    }
    let mut to_device = Vec::new();
    if apart.contains(&true) {
        to_device.extend(nodes.iter_mut().map(|node| match node.work() {
            Work::Launch(launch) if apart.get(usize::from(launch.device)) == Some(&true) => {
                u32::from(launch.device)
            }
            _ => NONE,
        }));
    }
    let all = n + early.len();
    let mut builder = Builder {
        nodes,
        touches: &touches,
        edges: Vec::new(),
        found: Found::default(),
        missing,
        sides,
        is_apart,
        graph: Graph {
            regions: Vec::new(),
            region_of: vec![0; all],
            inside: vec![[NONE; 2]; n],
            need_first: vec![0; all],
            need: vec![0; all],
            rows: Vec::new(),
            waiting: Vec::new(),
            count: Vec::new(),
            trip: Vec::new(),
            turns: Vec::new(),
            is_wide: false,
            has_early: false,
            n_edges: 0,
            early,
            early_of,
            to_device,
        },
    };
    builder.region(NONE, 0, n as u32, None);
    let Builder { edges, mut graph, .. } = builder;
    // Rows by counting: the edges of a node keep the order in which they were found.
    graph.rows = vec![0; n + 1];
    for &(from, _) in &edges {
        graph.rows[from as usize + 1] += 1;
    }
    for k in 0..n {
        graph.rows[k + 1] += graph.rows[k];
    }
    let mut place = graph.rows.clone();
    graph.waiting = vec![0; edges.len()];
    for (from, to) in edges {
        let at = &mut place[from as usize];
        graph.waiting[*at as usize] = to;
        *at += 1;
    }
    graph.n_edges = graph.waiting.len();
    graph.count = (0..all).map(|_| AtomicU32::new(0)).collect();
    graph.trip = (0..all).map(|_| AtomicU64::new(0)).collect();
    graph.turns = (0..all).map(|_| AtomicU64::new(0)).collect();
    graph
}

struct Builder<'b, 'a> {
    nodes: &'b [Node<'a>],
    touches: &'b Touches,
    /// From a node to one that waits for it.
    edges: Vec<(u32, u32)>,
    found: Found,
    /// What is left out, and what each node is where something is.
    missing: Option<Missing>,
    sides: Vec<Side>,
    /// Which nodes are launches on devices with a memory of their own; empty where it is not asked.
    is_apart: Vec<bool>,
    graph: Graph,
}

impl Builder<'_, '_> {
    /// Adds a region and those inside of it; its number.
    fn region(&mut self, owner: u32, first: u32, end: u32, level: Option<usize>) -> u32 {
        let number = self.graph.regions.len() as u32;
        let mut inside = Vec::new();
        let mut at = first;
        while at < end {
            inside.push(at);
            self.graph.region_of[at as usize] = number;
            if let Some(bringer) = self.graph.bringer(at) {
                self.graph.region_of[bringer as usize] = number;
            }
            at = self.nodes[at as usize].end() as u32;
        }
        self.graph.regions.push(Region {
            owner,
            first,
            end,
            n: inside.len() as u32,
            level,
            left: AtomicU32::new(0),
            trips: AtomicU64::new(1),
            start: AtomicU64::new(0),
        });
        self.order(&inside, level.is_some());
        for &at in &inside {
            let node = &self.nodes[at as usize];
            let (kind, end) = (node.kind, node.end() as u32);
            self.graph.inside[at as usize] = match kind {
                Kind::Leaf => [NONE; 2],
                Kind::For { level } => [self.region(at, at + 1, end, Some(level as usize)), NONE],
                Kind::While { .. } => [self.region(at, at + 1, end, None), NONE],
                Kind::If { other } => {
                    let then = self.region(at, at + 1, other, None);
                    [then, self.region(at, other, end, None)]
                }
            };
        }
        number
    }

    /// The mark of an edge that the beginning of its first node satisfies.
    fn early(&self, from: u32, to: u32, found: u32) -> u32 {
        let is_apart = self.is_apart.get(to as usize) == Some(&true);
        let is_early =
            is_apart && self.nodes[from as usize].is_task && !self.found.strong.contains(&found);
        if is_early { EARLY } else { 0 }
    }

    /// Finds the edges between the nodes of a region. A body that repeats is gone through three
    /// times, and the edges that leave its middle copy are those of every trip.
    fn order(&mut self, inside: &[u32], repeats: bool) {
        let n = inside.len();
        // By number of the array.
        let mut tracks: IdMap<Track> = IdMap::default();
        let copies = if repeats { 3 } else { 1 };
        // Whether each node waits for the one before it, and the first for the last.
        let mut chain = vec![false; n];
        self.found.without = self.missing.map(|missing| Without {
            missing,
            sides: inside.iter().map(|&at| self.sides[at as usize]).collect(),
            to: Side::Any,
            tasks: false,
        });
        let n_edges = self.edges.len();
        for copy in 0..copies {
            for (k, &at) in inside.iter().enumerate() {
                let id = (copy * n + k) as u32;
                let bringer = self.graph.bringer(at);
                let mut turn = Vec::new();
                self.found.nodes.clear();
                self.found.strong.clear();
                let rows = &self.touches.rows;
                let from = rows[at as usize] as usize;
                let to = rows[self.nodes[at as usize].end()] as usize;
                for mode in [Mode::Read, Mode::Write] {
                    for touch in &self.touches.list[from..to] {
                        if touch.mode == mode {
                            if let Some(without) = &mut self.found.without {
                                without.to = without.sides[k];
                                without.tasks =
                                    self.touches.numbers.get(&TASKS) == Some(&touch.array);
                            }
                            let (len, intervals) = self.touches.arrays[touch.array as usize];
                            let track = tracks
                                .entry(u64::from(touch.array))
                                .or_insert_with(|| Track::new(len, intervals));
                            let known = self.found.nodes.len();
                            track.access(&touch.section, mode, id, &mut self.found);
                            if touch.array == self.touches.all && mode == Mode::Read && !repeats {
                                // Only those that wait for all are ordered by it; in a loop, where
                                // order has to be mutual, the others wait for them too.
                                self.found.nodes.truncate(known);
                            }
                            if bringer.is_some() && touch.array == self.touches.tasks {
                                turn.extend(self.found.nodes.drain(known..));
                            }
                        }
                    }
                }
                self.found.nodes.sort_unstable();
                self.found.nodes.dedup();
                turn.sort_unstable();
                turn.dedup();
                // Whatever comes before the data of a task comes before what brings them.
                let of_data = bringer.unwrap_or(at);
                let of_data = self.found.nodes.iter().map(|&before| (before, of_data));
                for (before, at) in of_data.chain(turn.iter().map(|&before| (before, at))) {
                    let before = before as usize;
                    let (of, earlier) = (before / n, before % n);
                    if before as u32 == id || (of == copy && repeats && copy != 1) {
                        continue;
                    }
                    let early = self.early(inside[earlier], at, before as u32);
                    if of == copy {
                        self.edges.push((inside[earlier], at | early));
                        self.graph.need_first[at as usize] += 1;
                        self.graph.need[at as usize] += 1;
                        chain[k] |= earlier + 1 == k;
                    } else if of == 1 && earlier > k {
                        // One from an earlier node would say nothing new, as this trip's says it
                        // too; and it could be counted before the node has started this trip.
                        self.edges.push((inside[earlier], at | NEXT | early));
                        self.graph.need[at as usize] += 1;
                        chain[k] |= k == 0 && earlier + 1 == n;
                    }
                }
                if repeats && copy == 2 {
                    // No node is ahead of itself, whatever it touches.
                    self.edges.push((at, at | NEXT));
                    self.graph.need[at as usize] += 1;
                    chain[k] |= n == 1;
                }
                if let Some(bringer) = bringer
                    && copy + 1 == copies
                {
                    // The data come before the task, and the task before its next data.
                    self.graph.need_first[at as usize] += 1;
                    self.graph.need[at as usize] += 1;
                    self.graph.need[bringer as usize] += u32::from(repeats);
                }
            }
        }
        if repeats && self.found.without.is_some() {
            for &at in inside {
                (self.graph.need[at as usize], self.graph.need_first[at as usize]) = (0, 0);
            }
            let edges = missing::countable(self.edges.split_off(n_edges));
            for &(_, to) in edges.iter().filter(|(_, to)| to & NEXT == 0) {
                self.graph.need_first[to as usize] += 1;
            }
            for &(_, to) in &edges {
                self.graph.need[(to & !NEXT) as usize] += 1;
            }
            self.edges.extend(edges);
        }
        let has_early = self.edges[n_edges..].iter().any(|(_, to)| to & EARLY != 0);
        self.graph.has_early |= has_early;
        self.graph.is_wide |= has_early;
        let first_follows = !repeats || chain.first() == Some(&true);
        self.graph.is_wide |= !(first_follows && chain.iter().skip(1).all(|&follows| follows));
    }
}
