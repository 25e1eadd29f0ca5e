//! The order of a pipeline as flat arrays: for each node how many others it waits for and which
//! wait for it, by the ranges they touch. Built once, and with it the counters of its runs. It runs
//! nothing.
//!
//! The nodes inside of a loop or branch are a *region*; the pipeline itself is region 0. Edges join
//! nodes of one region, and a loop or decision touches what is inside of it. The body of a `for` is
//! there once: its edges lead to the same trip or to the next one, so that trips overlap as far as
//! their data allow. That suffices: what is ordered across more trips is ordered by way of those
//! between.

use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};

use super::ids::IdMap;
use super::missing::{self, Missing, Side};
use super::track::{Found, Track, Without};
use crate::access::Mode;
use crate::arg::{ArrayArg, BoundArg};
use crate::descriptor::Role;
use crate::packed::Packed;
use crate::pipeline::{Kind, LaunchNode, MoveNode, Node, Place, Work};
use crate::section::Section;
use crate::stage::LaunchStage;

/// No node, no region.
pub(super) const NONE: u32 = u32::MAX;
/// Marks an edge to the next trip.
pub(super) const NEXT: u32 = 1 << 31;

/// Marks an edge that the beginning of a node satisfies: of a host task, whose data are in place then,
/// to a launch that overwrites what it reads in the memory of a device.
pub(super) const EARLY: u32 = 1 << 30;

/// What orders host tasks among each other, as if it were an array.
const TASKS: u64 = u64::MAX;
/// What a stage that waits for all before it overwrites, and all others read.
const ALL: u64 = u64::MAX - 1;

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
        each(&mut |at| {
            self.count[at as usize].store(self.need_first[at as usize], Ordering::Relaxed);
            self.trip[at as usize].store(0, Ordering::Relaxed);
        });
        each(&mut |at| {
            if self.need_first[at as usize] == 0 {
                self.start(at);
                ready(at);
            }
        });
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

    /// Notes that a node has begun, its data in place, and tells the nodes that may run now.
    pub(super) fn begin(&self, node: u32, mut ready: impl FnMut(u32)) {
        let region = &self.regions[self.region_of[node as usize] as usize];
        let trip = self.trip[node as usize].load(Ordering::Relaxed) + 1;
        self.tell(node, EARLY, trip == region.trips.load(Ordering::Relaxed), &mut ready);
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
            let to = edge & !(NEXT | EARLY);
            // The end of each node that this one waits for happens before it.
            if self.count[to as usize].fetch_sub(1, Ordering::AcqRel) == 1 {
                self.start(to);
                ready(to);
            }
        }
    }

    /// Edges as pairs, for people; true for those to the next trip.
    pub(super) fn edges(&self) -> impl Iterator<Item = (usize, usize, bool)> + '_ {
        (0..self.rows.len().saturating_sub(1)).flat_map(|from| {
            self.waiting(from as u32)
                .iter()
                .map(move |&to| (from, (to & !(NEXT | EARLY)) as usize, to & NEXT != 0))
        })
    }
}

/// What a node touches.
#[derive(Clone, Copy)]
struct Touch {
    /// Which allocation, by a number of this pipeline.
    array: u32,
    section: Section,
    mode: Mode,
}

/// What one node touches, and what is inside of it, one after the other as the nodes are.
#[derive(Default)]
struct Touches {
    list: Vec<Touch>,
    rows: Vec<u32>,
    numbers: IdMap<u32>,
    /// The length of each allocation, and whether it is touched in intervals only.
    arrays: Vec<(usize, bool)>,
    /// The number of [`ALL`], where it is needed.
    all: u32,
}

impl Touches {
    fn add(&mut self, array: &ArrayArg, mode: Mode) {
        self.note(array.allocation.id(), array.allocation.len(), array.section, mode);
    }

    fn note(&mut self, id: u64, len: usize, section: Section, mode: Mode) {
        let next = self.arrays.len() as u32;
        let array = *self.numbers.entry(id).or_insert(next);
        if array == next {
            self.arrays.push((len, true));
        }
        self.arrays[array as usize].1 &= section.is_contiguous();
        self.list.push(Touch { array, section, mode });
    }

    fn arg(&mut self, arg: &BoundArg<'_>, mode: Mode) {
        match arg {
            BoundArg::Array(array) | BoundArg::Cell(array) => {
                let Packed { allocation, .. } = array;
                self.note(allocation.id(), allocation.len(), array.section(), mode);
            }
            BoundArg::LazyArray(array) => self.add(array.within(), mode),
            BoundArg::Value(_)
            | BoundArg::LazyValue(_)
            | BoundArg::Variable(..)
            | BoundArg::Invalid(_) => {}
        }
    }

    /// What a launch touches beside its arguments.
    fn around(&mut self, stage: &LaunchStage<'_>) {
        stage.space.cells().for_each(|cell| self.add(cell, Mode::Read));
        stage.chosen.iter().for_each(|cell| self.add(cell, Mode::Write));
    }

    fn node(&mut self, work: &Work<'_>, in_order: bool) {
        let mode = |writes: bool| if writes { Mode::Write } else { Mode::Read };
        match work {
            Work::Launch(LaunchNode { stage, bound: Some(bound), lazy: false, .. }) => {
                for (array, use_) in bound.params.iter().filter_map(|param| param.array()) {
                    self.add(array, mode(use_.writes));
                }
                self.around(stage);
            }
            Work::Launch(LaunchNode { stage, .. }) => {
                let params = stage.kernel.params.iter();
                let passed = params.filter(|param| !matches!(param.role, Role::Scratch(_)));
                for (param, arg) in passed.zip(&stage.args) {
                    self.arg(arg, mode(param.role.writes()));
                }
                self.around(stage);
            }
            Work::Task(task) => {
                task.args.iter().for_each(|arg| self.arg(arg.bound(), mode(arg.writes())));
                if in_order {
                    self.note(TASKS, 1, Section::whole(&[1]), Mode::Write);
                }
            }
            Work::Swap { a, b, .. } => {
                self.add(a, Mode::Write);
                self.add(b, Mode::Write);
            }
            Work::Move(MoveNode { array, to, .. }) => {
                self.add(array, mode(matches!(to, Place::AwayFrom(_))));
            }
            Work::For { bounds, .. } => bounds.cells().for_each(|cell| self.add(cell, Mode::Read)),
            Work::If { cond, .. } => cond.each_cell(&mut |cell| self.add(cell, Mode::Read)),
            Work::While { cond, limit, .. } => {
                cond.each_cell(&mut |cell| self.add(cell, Mode::Read));
                limit.cell().into_iter().for_each(|cell| self.add(cell, Mode::Read));
            }
        }
    }
}

/// Works out the order of prepared nodes. Host tasks keep theirs if they are to run `in_order`.
/// `apart` says which devices have a memory of their own, where launches may be submitted while host
/// tasks still read what they overwrite; it is empty where they may not.
pub(super) fn build(
    nodes: &mut [Node<'_>],
    in_order: bool,
    missing: Option<Missing>,
    apart: &[bool],
) -> Graph {
    let mut touches = Touches { all: NONE, ..Touches::default() };
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
                let stays = stage.chosen.is_none()
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
    let n = nodes.len();
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
            region_of: vec![0; n],
            inside: vec![[NONE; 2]; n],
            need_first: vec![0; n],
            need: vec![0; n],
            rows: Vec::new(),
            waiting: Vec::new(),
            count: Vec::new(),
            trip: Vec::new(),
            turns: Vec::new(),
            is_wide: false,
            has_early: false,
            n_edges: 0,
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
    graph.count = (0..n).map(|_| AtomicU32::new(0)).collect();
    graph.trip = (0..n).map(|_| AtomicU64::new(0)).collect();
    graph.turns = (0..n).map(|_| AtomicU64::new(0)).collect();
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
                        }
                    }
                }
                self.found.nodes.sort_unstable();
                self.found.nodes.dedup();
                for &before in &self.found.nodes {
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
