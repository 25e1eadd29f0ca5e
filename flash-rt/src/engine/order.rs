//! Which node of a pipeline waits for which, worked out once: by the ranges they touch, region by
//! region. What comes of it is a `Graph`. It runs nothing.
//!
//! A body that repeats is gone through several times, and the edges that leave its second copy are
//! those of every trip: what two nodes touch depends on how many trips lie between them only.

use super::before::{Before, Known, Late};
use super::graph::{EARLY, Graph, MAX_PERIOD, NEXT, NONE, Region, target, trips_later};
use super::ids::IdMap;
use super::missing::{self, Missing, Side};
use super::names::Names;
use super::tasks::Early;
use super::touches::{ALL, Blocks, TASKS, Touches};
use super::track::{Found, Tracks, Without};
use crate::access::Mode;
use crate::allocation::Allocation;
use crate::descriptor::Role;
use crate::mutex::lock;
use crate::pipeline::{Kind, LaunchNode, Node, Work};
use crate::section::Section;
use crate::sync::{AtomicU32, AtomicU64};

/// How many trips a node may be ahead of another one that touches other elements in each trip.
const LEAD: u32 = 4;

/// Memory for working out an order, for the next one.
#[derive(Default)]
pub(super) struct Workspace {
    touches: Touches,
    tracks: Tracks,
    found: Found,
    edges: Vec<(u32, u32)>,
    /// Where the next edge of each node goes.
    place: Vec<u32>,
}

impl Workspace {
    /// How many nodes, edges, arrays or touches it has memory for.
    pub(super) fn size(&self) -> usize {
        let Self { touches, tracks, edges, place, .. } = self;
        touches.size().max(tracks.size()).max(edges.capacity()).max(place.capacity())
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
    workspace: &mut Workspace,
) -> Graph {
    let Workspace { touches, tracks, found, edges, place } = workspace;
    touches.prepare(nodes.len());
    let mut sides = Vec::new();
    if missing.is_some() {
        sides.extend(nodes.iter_mut().map(|node| Side::of(node.work())));
    }
    let has_sync = nodes.iter().any(|node| node.in_sync);
    let mut is_apart = Vec::new();
    // Where order is left out, what depends on the rest of it would go wrong by itself.
    if apart.contains(&true) && missing.is_none() {
        is_apart.extend(nodes.iter_mut().map(|node| match (node.in_sync, node.work()) {
            // One in `sync` waits until tasks have ended, not only begun.
            (false, Work::Launch(LaunchNode { stage, device, .. })) => {
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
            touches.all = touches.number(ALL).unwrap_or(NONE);
        }
    }
    touches.rows.push(touches.list.len() as u32);
    touches.tasks = touches.number(TASKS).unwrap_or(NONE);
    let has_swaps = touches.swaps > 0 && nodes.len() > touches.swaps;
    let names = if has_swaps { Names::find(nodes) } else { Names::default() };
    // What has the name of one may be found in the other.
    while names.arrays().any(|arrays| touches.join(arrays)) {}
    let n = nodes.len();
    let mut early = Vec::new();
    let mut early_of = Vec::new();
    if apart.contains(&true) && missing.is_none() {
        early_of.resize(n, NONE);
        for (k, node) in nodes.iter_mut().enumerate().filter(|(_, node)| !node.in_sync) {
            if let Work::Task(task) = node.work()
                && let Some(one) = Early::new(task)
            {
                early_of[k] = early.len() as u32;
                early.push((k as u32, Before::Data(one)));
            }
        }
    }
    let late = match missing {
        None => Late::find(nodes, touches, &names),
        // Where order is left out, what depends on the rest of it would go wrong by itself.
        Some(_) => Late::default(),
    };
    if !late.nodes().is_empty() {
        early_of.resize(n, NONE);
        for &at in late.nodes() {
            early_of[at as usize] = early.len() as u32;
            early.push((at, Before::Look(Known::default())));
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
    let asking: Vec<u32> =
        (0..n as u32).filter(|&at| matches!(nodes[at as usize].kind, Kind::While { .. })).collect();
    let all = n + early.len() + asking.len();
    tracks.prepare(touches.arrays.len());
    let mut builder = Builder {
        nodes,
        touches,
        edges,
        tracks,
        found,
        missing,
        sides,
        is_apart,
        is_fed: vec![false; n],
        late,
        repeated: NONE,
        graph: Graph {
            regions: Vec::new(),
            region_of: vec![0; all],
            inside: vec![[NONE; 2]; n],
            need_first: vec![0; all],
            need: vec![0; all],
            rows: Vec::new(),
            waiting: Vec::new(),
            count: Vec::new(),
            more: Vec::new(),
            need_more: Vec::new(),
            trip: Vec::new(),
            is_wide: false,
            wide_loops: Vec::new(),
            has_early: false,
            n_edges: 0,
            early,
            early_of,
            asking,
            to_device,
            names,
        },
    };
    builder.region(NONE, 0, n as u32, None);
    let Builder { edges, tracks, mut graph, .. } = builder;
    tracks.clear();
    // Rows by counting: the edges of a node keep the order in which they were found.
    graph.rows = vec![0; all + 1];
    for &(from, _) in &*edges {
        graph.rows[from as usize + 1] += 1;
    }
    for k in 0..all {
        graph.rows[k + 1] += graph.rows[k];
    }
    place.clone_from(&graph.rows);
    graph.waiting = vec![0; edges.len()];
    for (from, to) in edges.drain(..) {
        let at = &mut place[from as usize];
        graph.waiting[*at as usize] = to;
        *at += 1;
    }
    graph.n_edges = graph.waiting.len();
    graph.count = (0..all + graph.need_more.len()).map(|_| AtomicU32::new(0)).collect();
    graph.trip = (0..all).map(|_| AtomicU64::new(0)).collect();
    graph
}

struct Builder<'b, 'a> {
    nodes: &'b [Node<'a>],
    touches: &'b Touches,
    /// From a node to one that waits for it.
    edges: &'b mut Vec<(u32, u32)>,
    /// Who touched what of the region under way.
    tracks: &'b mut Tracks,
    found: &'b mut Found,
    /// What is left out, and what each node is where something is.
    missing: Option<Missing>,
    sides: Vec<Side>,
    /// Which nodes are launches on devices with a memory of their own; empty where it is not asked.
    is_apart: Vec<bool>,
    /// Tasks that read what they wrote a trip before, so that their data, though they are there, are
    /// not what the task is to read before that trip has ended.
    is_fed: Vec<bool>,
    /// Loops and decisions that are looked at before their turn.
    late: Late,
    /// The innermost loop around.
    repeated: u32,
    graph: Graph,
}

impl Builder<'_, '_> {
    /// Adds a region and those inside of it; its number.
    fn region(&mut self, owner: u32, first: u32, end: u32, level: Option<usize>) -> u32 {
        let number = self.graph.regions.len() as u32;
        let cycle = self.graph.names.of_loop(owner);
        let asker = self.graph.asker(owner);
        if let Some(asker) = asker {
            self.graph.region_of[asker as usize] = number;
        }
        let mut inside: Vec<u32> = asker.into_iter().collect();
        let mut at = first;
        while at < end {
            self.graph.region_of[at as usize] = number;
            if let Some(bringer) = self.graph.bringer(at) {
                self.graph.region_of[bringer as usize] = number;
            }
            if self.graph.names.is_swap(at) {
                self.graph.need_first[at as usize] = NONE;
            } else {
                inside.push(at);
            }
            at = self.nodes[at as usize].end() as u32;
        }
        let blocks = level.map_or_else(Blocks::default, |level| {
            let exchanged = self.graph.names.cycle(cycle).into_iter().flat_map(|c| c.pairs(0, 0));
            let exchanged = exchanged.filter_map(|(name, _)| self.touches.number(name.id()));
            let exchanged: Vec<u32> = exchanged.collect();
            Blocks::find(self.touches, (first, end), level, &exchanged)
        });
        let turns = self.graph.names.cycle(cycle).map_or(1, |cycle| cycle.period);
        let lead = if blocks.is_empty() { 1 } else { LEAD };
        let period = match asker {
            None => lead.div_ceil(turns) * turns,
            // How far anybody gets ahead of the condition that he waits for.
            Some(_) => MAX_PERIOD / turns * turns,
        };
        debug_assert!(period <= MAX_PERIOD, "an edge spans {period} trips");
        let owned = self.nodes.get(owner as usize);
        let name = owned.map_or(0, |node| match *lock(&node.work) {
            Work::For { name, .. } => name,
            _ => 0,
        });
        self.graph.regions.push(Region {
            owner,
            first,
            end,
            n: (inside.len() - usize::from(asker.is_some())) as u32,
            lead: inside.get(usize::from(asker.is_some())).copied().unwrap_or(NONE),
            period,
            cycle,
            level,
            is_signed: owned.is_some_and(|node| node.is_signed),
            name,
            asker: asker.unwrap_or(NONE),
            left: AtomicU32::new(0),
            trips: AtomicU64::new(1),
            start: AtomicU64::new(0),
        });
        let names = match cycle {
            // Sides of an `if` may exchange too.
            NONE if level.is_none() => self.graph.names.inside_of(owner),
            cycle => cycle,
        };
        let repeats = level.is_some();
        let body = Body { owner, inside: &inside, repeats, asker, period, names, blocks };
        self.order(&body);
        for &at in inside.iter().filter(|&&at| Some(at) != asker) {
            let node = &self.nodes[at as usize];
            let (kind, end) = (node.kind, node.end() as u32);
            self.graph.inside[at as usize] = match kind {
                Kind::Leaf => [NONE; 2],
                Kind::For { level } | Kind::While { level } => {
                    let around = std::mem::replace(&mut self.repeated, at);
                    let region = self.region(at, at + 1, end, Some(level as usize));
                    self.repeated = around;
                    [region, NONE]
                }
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
        let is_task = self.nodes.get(from as usize).is_some_and(|node| node.is_task);
        let is_fed = self.is_fed.get(from as usize) == Some(&true);
        let can_be = (is_apart && is_task && !is_fed) || self.late.has(from);
        if can_be && !self.found.strong.contains(&found) { EARLY } else { 0 }
    }

    /// Notes which loops and decisions are waited for to the end, among what was found since for an
    /// array: those that need it once they have been looked at.
    fn hold(&mut self, inside: &[u32], since: usize, array: u32) {
        if self.late.nodes().is_empty() {
            return;
        }
        let Found { nodes, strong, .. } = &mut *self.found;
        strong.extend(nodes[since..].iter().filter(|&&before| {
            let from = inside[before as usize % inside.len()];
            self.late.has(from) && !self.late.lets_go(from, array)
        }));
    }

    /// Finds the edges between the nodes of a region.
    fn order(&mut self, body: &Body<'_>) {
        let Body { inside, repeats, period, asker, .. } = *body;
        let n = inside.len();
        if !repeats && n < 2 && self.graph.early.is_empty() {
            // Nobody to wait for.
            return;
        }
        self.tracks.clear();
        let names = self.stand_for(body);
        // As many after the copy whose edges count as an edge can span, and where data are brought one
        // before it, which tells whether a task reads what it wrote.
        let copies = match repeats {
            false => 0..1,
            true if self.graph.early.is_empty() => 1..period as usize + 2,
            true => 0..period as usize + 2,
        };
        // Whether each node waits for the one before it, and the first for the last, it or what asks
        // before it.
        let mut chain = vec![false; n];
        let lead = usize::from(asker.is_some());
        self.found.without = self.missing.map(|missing| Without {
            missing,
            sides: inside.iter().map(|&at| self.side(at)).collect(),
            to: Side::Any,
            tasks: false,
        });
        let n_edges = self.edges.len();
        // Between which nodes there is an edge, where they may span several trips, and whether one
        // waits for the end.
        let mut spans: IdMap<bool> = IdMap::default();
        for copy in copies.clone() {
            for (k, &at) in inside.iter().enumerate() {
                let id = (copy * n + k) as u32;
                let is_own = |before: u32| before != id && before as usize % n == k;
                let bringer = self.graph.bringer(at);
                let mut turn = Vec::new();
                self.found.nodes.clear();
                self.found.strong.clear();
                let own = match asker {
                    Some(asker) if asker == at => body.owner..body.owner + 1,
                    _ => at..self.nodes[at as usize].end() as u32,
                };
                for mode in [Mode::Read, Mode::Write] {
                    for node in own.clone() {
                        if self.is_renamed(node, body.names) {
                            continue;
                        }
                        let rows = &self.touches.rows;
                        let (from, to) = (rows[node as usize], rows[node as usize + 1]);
                        // Who stands for whom here.
                        let way = self.graph.names.way(node) as usize;
                        let turned = names.get(way * period as usize + copy % period as usize);
                        for number in from..to {
                            let touch = &self.touches.list[number as usize];
                            if touch.mode != mode {
                                continue;
                            }
                            if let Some(without) = &mut self.found.without {
                                without.to = without.sides[k];
                                without.tasks = touch.array == self.touches.tasks;
                            }
                            let mut pairs = turned.into_iter().flatten();
                            let array = pairs.find(|(name, _)| *name == touch.array);
                            let array = array.map_or(touch.array, |(_, array)| *array);
                            let block = body.blocks.of(self.touches, number, (copy, period));
                            let (section, len, intervals) = match &block {
                                Some((section, len)) => (section, *len, true),
                                None => {
                                    let (len, intervals) = self.touches.arrays[array as usize];
                                    (&touch.section, len, intervals)
                                }
                            };
                            let track = self.tracks.of(array, len, intervals);
                            let known = self.found.nodes.len();
                            track.access(section, mode, id, self.found);
                            self.hold(inside, known, array);
                            if bringer.is_some() && mode == Mode::Read {
                                let mut found = self.found.nodes[known..].iter();
                                self.is_fed[at as usize] |= found.any(|&before| is_own(before));
                            }
                            if touch.array == self.touches.all && mode == Mode::Read && !repeats {
                                // Only those that wait for all are ordered by it; in a loop, where
                                // order has to be mutual, the others wait for them too.
                                self.found.nodes.truncate(known);
                            }
                            let is_turn = match self.late.has(at) {
                                true => node != at,
                                false => touch.array == self.touches.tasks,
                            };
                            if bringer.is_some() && is_turn {
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
                    if before as u32 == id || (of != 1 && repeats) {
                        continue;
                    }
                    let later = if repeats { (copy - of) as u32 } else { 0 };
                    // One from an earlier node would say nothing new after the whole period, as this
                    // trip's says it too; and it could be counted before the node has started this
                    // trip. The same goes for the node itself.
                    if earlier == k || later > period || (later == period && earlier < k) {
                        continue;
                    }
                    let from = inside[earlier];
                    let early = self.early(from, at, before as u32);
                    if period > 1 {
                        // One that spans fewer trips says it for those that span more.
                        let pair = u64::from(from) << 32 | u64::from(at);
                        let ends = early == 0;
                        if spans.get(&pair).is_some_and(|&known| known || !ends) {
                            continue;
                        }
                        spans.insert(pair, ends);
                    }
                    self.edges.push((from, at | (later * NEXT) | early));
                    self.graph.need_first[at as usize] += u32::from(later == 0);
                    self.graph.need[at as usize] += 1;
                    chain[k] |= later == 0 && earlier + 1 == k;
                    chain[lead.min(n - 1)] |= later == 1 && k <= lead && earlier + 1 == n;
                }
                if repeats && copy == 2 {
                    // No node is ahead of itself, whatever it touches.
                    self.edges.push((at, at | NEXT));
                    self.graph.need[at as usize] += 1;
                    chain[k] |= n == lead + 1;
                }
                if let Some(bringer) = bringer
                    && copy + 1 == copies.end
                {
                    // The data come before the task, and the task before its next data.
                    self.graph.need_first[at as usize] += 1;
                    self.graph.need[at as usize] += 1;
                    self.graph.need[bringer as usize] += u32::from(repeats);
                }
            }
        }
        if let Some(asker) = asker {
            self.ask(body, asker, &spans);
        }
        if repeats && self.found.without.is_some() {
            for &at in inside {
                (self.graph.need[at as usize], self.graph.need_first[at as usize]) = (0, 0);
            }
            let edges = missing::countable(self.edges.split_off(n_edges), period);
            for &(_, edge) in &edges {
                let to = target(edge) as usize;
                self.graph.need_first[to] += u32::from(trips_later(edge) == 0);
                self.graph.need[to] += 1;
            }
            self.edges.extend(edges);
        }
        if period > 1 {
            self.spread(body, n_edges);
        }
        let has_early = self.edges[n_edges..].iter().any(|(_, to)| to & EARLY != 0);
        self.graph.has_early |= has_early;
        let first_follows = !repeats || chain.get(lead) != Some(&false);
        let rest = chain.iter().skip(lead + 1);
        let is_wide = has_early || !(first_follows && rest.into_iter().all(|&follows| follows));
        match self.repeated {
            NONE => self.graph.is_wide |= is_wide,
            owner if is_wide => self.graph.wide_loops.push(owner),
            _ => {}
        }
    }

    /// Adds the edges that are there for the condition of a `while` only: all of a trip waits for what
    /// asks for it, which is no further ahead than a period.
    fn ask(&mut self, body: &Body<'_>, asker: u32, known: &IdMap<bool>) {
        let pair = |from: u32, to: u32| u64::from(from) << 32 | u64::from(to);
        for &at in body.inside.iter().filter(|&&at| at != asker) {
            for to in [Some(at), self.graph.bringer(at)].into_iter().flatten() {
                if !known.contains_key(&pair(asker, to)) {
                    self.edges.push((asker, to));
                    self.graph.need_first[to as usize] += 1;
                    self.graph.need[to as usize] += 1;
                }
            }
            if !known.contains_key(&pair(at, asker)) {
                self.edges.push((at, asker | (body.period * NEXT)));
                self.graph.need[asker as usize] += 1;
            }
        }
    }

    /// Whether a node exchanges arrays of this cycle, so that it touches nothing.
    fn is_renamed(&self, node: u32, cycle: u32) -> bool {
        let names = &self.graph.names;
        cycle != NONE && names.is_swap(node) && names.inside_of(node) == cycle
    }

    /// What a node is, where something is left out.
    fn side(&self, at: u32) -> Side {
        self.sides.get(at as usize).copied().unwrap_or(Side::Control)
    }

    /// Which array stands for which of those that the body exchanges, by number, for each way and copy
    /// of the body.
    fn stand_for(&self, body: &Body<'_>) -> Vec<Vec<(u32, u32)>> {
        let Some(cycle) = self.graph.names.cycle(body.names) else { return Vec::new() };
        let number = |array: &Allocation| self.touches.number(array.id());
        let mut all = Vec::new();
        for way in 0..cycle.n_ways() {
            for trip in 0..body.period {
                let pairs = cycle.pairs(trip, way);
                all.push(
                    pairs
                        .filter_map(|(name, array)| Some((number(name)?, number(array)?)))
                        .collect(),
                );
            }
        }
        all
    }

    /// Gives the nodes of a region a counter for each trip of the period, and says what these begin
    /// with: in the first trips there is nobody yet that edges from trips before could come from.
    fn spread(&mut self, body: &Body<'_>, n_edges: usize) {
        let graph = &mut self.graph;
        let n = graph.region_of.len();
        graph.more.resize(n, NONE);
        let others = body.period as usize - 1;
        for &at in body.inside {
            let bringer = graph.bringer(at);
            for at in [Some(at), bringer].into_iter().flatten() {
                graph.more[at as usize] = (n + graph.need_more.len()) as u32;
                let need = graph.need_first[at as usize] + u32::from(Some(at) == bringer);
                graph.need_more.extend(std::iter::repeat_n(need, others));
            }
        }
        for &(_, edge) in &self.edges[n_edges..] {
            let (to, later) = (target(edge) as usize, trips_later(edge) as usize);
            let first = graph.more[to] as usize - n;
            if later > 0 && later <= others {
                graph.need_more[first + later - 1..first + others]
                    .iter_mut()
                    .for_each(|need| *need += 1);
            }
        }
    }
}

/// The nodes of a region, and how they repeat.
struct Body<'o> {
    owner: u32,
    /// What asks before each trip comes first.
    inside: &'o [u32],
    repeats: bool,
    asker: Option<u32>,
    /// After how many trips they touch what they touched before.
    period: u32,
    /// The number of the cycle that says what stands for what.
    names: u32,
    blocks: Blocks,
}
