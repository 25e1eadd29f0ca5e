//! Runs the nodes of a pipeline as their graph allows, on the calling thread and on helpers of the
//! runtime. A node runs when its counter says that all it waits for has ended; whoever ends a node
//! goes on with one that became ready and leaves the others to the queue. It does not know what a
//! node does.

mod beside;
mod passing;

use std::any::Any;
use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

use smallvec::SmallVec;

use self::passing::Passing;
use super::before::Before;
use super::control::{self, cancelled};
use super::flight::Place;
use super::flights::{self, Landing};
use super::graph::{Graph, Inside, NONE};
use super::kept::{Kept, Tallies, Tally};
use super::leaf::{Did, Ground, Turn};
use super::queue::Pick;
use super::rows::Rows;
use super::tasks::Early;
use super::worklist::{Offered, Rank, Worklist};
use crate::backend::at_work;
use crate::backend::clock::Hold;
use crate::env::{Env, Trips};
use crate::error::{Error, Result};
use crate::mutex::lock;
use crate::pipeline::{Kind, Node, Work};
use crate::report::Transfers;
use crate::threads::{Help, Scope};

/// Nodes that become ready while one is under way, mostly few.
type NowReady = SmallVec<[u32; 8]>;

/// What the threads of a run share.
pub(super) struct Crew<'r, 'n, 'a> {
    ground: Ground<'r>,
    nodes: &'n [Node<'a>],
    graph: &'n Graph,
    work: Worklist,
    /// How many helpers may join.
    most: usize,
    /// How many threads may bring data of host tasks at once.
    most_bring: usize,
    /// How many do for a turn after the next one of their task.
    ahead: AtomicUsize,
    helpers: AtomicUsize,
    /// What went wrong, with its place in the program.
    failures: Mutex<Vec<(Place, Error)>>,
    panic: Mutex<Option<Box<dyn Any + Send>>>,
    tallies: Mutex<Tallies>,
    /// Whether there is anything to give back before the end.
    gives: bool,
    release: Mutex<Release<'r>>,
    /// Where no device has a memory of its own: there a thread that is busy keeps none waiting.
    passing: Option<Passing>,
}

/// Gives arrays back when the last node that touches them has ended.
pub(super) struct Release<'r> {
    /// How many nodes of the pipeline still touch each array.
    pub(super) users: Vec<u32>,
    /// Which arrays each node touches.
    pub(super) of_node: &'r [(u32, u32)],
    pub(super) give: &'r mut (dyn FnMut(usize) + Send),
}

impl<'r, 'n, 'a> Crew<'r, 'n, 'a> {
    pub(super) fn new(
        ground: Ground<'r>,
        nodes: &'n [Node<'a>],
        graph: &'n Graph,
        (pick, most, most_bring): (Pick, usize, usize),
        (release, kept): (Release<'r>, Kept),
    ) -> Self {
        let most = if pick == Pick::First { most } else { 0 };
        let rt = ground.rt;
        let on_host =
            rt.clock.is_none() && rt.devices.iter().all(|device| device.space().is_none());
        let passing = (most > 0 && on_host).then(|| Passing::new(kept.passing, nodes));
        let most_bring = most_bring.max(1);
        Self {
            ground,
            nodes,
            graph,
            work: Worklist::new(
                (pick, most_bring),
                kept.queue,
                rt.clock.clone(),
                passing.is_some().then(at_work::processors),
            ),
            most,
            most_bring,
            ahead: AtomicUsize::new(0),
            helpers: AtomicUsize::new(0),
            failures: Mutex::default(),
            panic: Mutex::default(),
            tallies: Mutex::new(kept.tallies),
            gives: !release.of_node.is_empty(),
            release: Mutex::new(release),
            passing,
        }
    }

    /// Runs all nodes; the caller takes part.
    pub(super) fn run(&self) {
        if self.nodes.is_empty() {
            return;
        }
        self.ground.rt.threads.scope(|scope| {
            // Before anybody else can wait for devices.
            let hold = self.ground.rt.clock.as_ref().map(Hold::new);
            let mut mine = self.tally();
            mine.ready.clear();
            mine.is_caller = true;
            self.graph.enter(self.nodes, Inside::once(0), |node| mine.ready.push(node));
            let is_new = self.work.enter();
            self.take_part(scope, hold, mine);
            if is_new {
                self.work.leave();
            }
        });
    }

    /// Meets the ends of all that was submitted.
    pub(super) fn land(&self, landing: &mut Option<Landing<'_>>) {
        let Some(landing) = landing else { return };
        let _active = self.ground.rt.clock.as_ref().map(|clock| Hold::new(clock).enter());
        let failed = !lock(&self.failures).is_empty() || lock(&self.panic).is_some();
        match self.ground.drain(self.nodes) {
            Ok(()) => landing.is_done = !failed,
            Err(error) => {
                let mut last = Place::default();
                last.push(u64::MAX);
                lock(&self.failures).push((last, error));
            }
        }
    }

    fn tally(&self) -> Box<Tally> {
        lock(&self.tallies).unused.pop().unwrap_or_default()
    }

    /// What was counted, and the first error in program order.
    pub(super) fn finish(self, rows: &mut Rows, kept: &mut Kept) -> (Transfers, Result<()>) {
        // Those of tasks whose turn did not come.
        let early = self.graph.early.iter().filter_map(|(_, before)| before.data());
        early.for_each(Early::clear);
        let panic = lock(&self.panic).take();
        let Self { ground, nodes, graph, failures, tallies, work, release, passing, .. } = self;
        let mut failures = failures.into_inner().unwrap_or_else(PoisonError::into_inner);
        failures.extend(ground.flights.take_failures());
        // What failed of itself comes before what was given up for it.
        flights::sort(&mut failures);
        let first = failures.first().filter(|_| panic.is_none()).map(|(place, _)| place);
        let settled = graph.settle(&ground, nodes, first);
        if let Some(panic) = panic {
            resume_unwind(panic);
        }
        let mut tallies = tallies.into_inner().unwrap_or_else(PoisonError::into_inner);
        let mut moved = Transfers::NONE;
        for tally in tallies.used.drain(..) {
            rows.add(&tally.rows);
            moved += tally.moved;
            tallies.unused.push(tally);
        }
        let queue = work.into_kept();
        let users = release.into_inner().unwrap_or_else(PoisonError::into_inner).users;
        let passing = passing.map(Passing::into_kept).unwrap_or_default();
        *kept = Kept { tallies, queue, users, passing };
        ground.flights.count(rows);
        let first = failures.into_iter().next();
        (moved, first.map_or(settled, |(_, error)| Err(error)))
    }

    /// Hands nodes that are ready to other threads, and sees that somebody takes them.
    fn offer<'scope>(&'scope self, scope: &'scope Scope<'scope, '_>, nodes: &[u32]) {
        if nodes.is_empty() {
            return;
        }
        let Offered { missing, left } = self.work.offer(nodes, |node| {
            // A whole trip waits for what is inside of a node; data of host tasks come after the rest.
            match self.nodes.len() <= node as usize {
                false => Rank::InTurn,
                true if self.asks(node) => Rank::First,
                true => Rank::Bringer,
            }
        });
        self.lend(scope, missing);
        // Who is at work may wait for what nobody is called for.
        if left > 0 && !self.be_watched(scope) {
            self.lend(scope, left);
        }
    }

    /// Starts threads, up to the most there may be.
    fn lend<'scope>(&'scope self, scope: &'scope Scope<'scope, '_>, missing: usize) {
        // Relaxed: a number too many would start a thread too many, and `fetch_update` has none.
        for _ in 0..missing {
            let joins = self
                .helpers
                .fetch_update(Ordering::Relaxed, Ordering::Relaxed, |n| {
                    (n < self.most).then_some(n + 1)
                })
                .is_ok();
            if !joins {
                return;
            }
            self.work.expect_helper();
            self.work.call(1);
            // A system that refuses a thread leaves the work to those there are.
            if scope.lend(self).is_err() {
                self.work.call_off();
                drop(self.work.helper());
                return;
            }
        }
    }

    /// Takes nodes and runs them until there are none. `hold` keeps the clock of the devices from
    /// going on until this thread is there.
    /// It begins with what `mine` says is ready.
    fn take_part<'scope>(
        &'scope self,
        scope: &'scope Scope<'scope, '_>,
        hold: Option<Hold>,
        mut mine: Box<Tally>,
    ) {
        let mut active = hold.map(Hold::enter);
        let mut ready = std::mem::take(&mut mine.ready);
        let mut kept = std::mem::take(&mut mine.kept);
        let result = catch_unwind(AssertUnwindSafe(|| {
            loop {
                while let Some(node) = self.keep(&mut ready, &mut kept, mine.is_caller) {
                    self.run_one(scope, node, (&mut mine, &mut ready));
                }
                self.offer(scope, &ready);
                ready.clear();
                mine.until = None;
                let device_of = |node| self.graph.device(node);
                let next = self.work.take_all(&mut active, device_of, &mut kept);
                let Some(node) = next else { break };
                kept.make_contiguous().sort_unstable();
                self.step(scope, node, (&mut mine, &mut ready));
            }
        }));
        kept.clear();
        mine.kept = kept;
        if let Err(panic) = result {
            lock(&self.panic).get_or_insert(panic);
            self.work.stop();
        }
        mine.ready = ready;
        lock(&self.tallies).used.push(mine);
    }

    /// The node to go on with, by its rank. Launches that become ready at once and are submitted to one
    /// device are `kept` by one thread, so that they run there in the order of the program; so are those that
    /// it takes from others.
    fn keep(&self, ready: &mut Vec<u32>, kept: &mut VecDeque<u32>, is_caller: bool) -> Option<u32> {
        if !self.work.goes_on() || (ready.is_empty() && kept.is_empty()) {
            return None;
        }
        let node = kept.pop_front().or_else(|| {
            let here = ready.iter().filter_map(|&node| Some((self.rank(node, is_caller)?, node)));
            let (_, node) = here.min()?;
            ready.retain(|&other| other != node);
            Some(node)
        })?;
        let device = self.graph.device(node);
        if device.is_some() && ready.iter().any(|&other| self.graph.device(other) == device) {
            ready.retain(|&other| {
                let is_same = self.graph.device(other) == device;
                if is_same {
                    kept.push_back(other);
                }
                !is_same
            });
            kept.make_contiguous().sort_unstable();
        }
        Some(node)
    }

    fn fail(&self, node: u32, error: Error) {
        self.fail_at(self.place(node), error);
    }

    fn fail_at(&self, place: Place, error: Error) {
        lock(&self.failures).push((place, error));
        self.work.stop();
    }

    /// Where a node is in the order of the program, trips of loops included.
    fn place(&self, node: u32) -> Place {
        self.place_in(node, self.trip(node))
    }

    /// The trip of its region that a node is in.
    fn trip(&self, node: u32) -> u64 {
        self.graph.trip[node as usize].load(Ordering::Relaxed)
    }

    /// Where a node is in a trip of its region.
    fn place_in(&self, node: u32, mut trip: u64) -> Place {
        let mut place = Place::default();
        let mut at = node;
        while at != NONE {
            place.push(u64::from(self.graph.brings(at).map_or(at, |(task, _)| *task)));
            place.push(trip);
            let region = &self.graph.regions[self.graph.region_of[at as usize] as usize];
            at = region.owner;
            trip = if at == NONE { 0 } else { self.trip(at) };
        }
        place.reverse();
        place
    }

    /// The loop variables around a node.
    fn env(&self, node: u32) -> Env {
        let mut env = Env::new();
        let mut at = node;
        while at != NONE {
            let region = &self.graph.regions[self.graph.region_of[at as usize] as usize];
            if let Some(level) = region.level {
                let trip = self.trip(at);
                env.set_signed(level, region.is_signed);
                env.set_name(level, region.name);
                env.set(level, region.start.load(Ordering::Relaxed).wrapping_add(trip));
            }
            at = region.owner;
        }
        env
    }

    /// Runs one node, or opens what is inside of it; adds what became ready.
    fn step<'scope>(
        &'scope self,
        scope: &'scope Scope<'scope, '_>,
        node: u32,
        (mine, ready): (&mut Tally, &mut Vec<u32>),
    ) {
        if self.ground.flights.has_failed() {
            self.work.stop();
        }
        if self.work.is_stopped() {
            return;
        }
        let since = mine.until.take();
        let Some(Node { is_fixed, in_sync, .. }) = self.nodes.get(node as usize) else {
            return match self.graph.asks(node) {
                Some(owner) => self.ask((node, owner), (mine, ready)),
                None => self.bring(scope, node, (mine, ready)),
            };
        };
        if *in_sync && let Err(error) = self.ground.drain_before(self.nodes, &self.place(node)) {
            return self.fail(node, error);
        }
        // Waiting for others is no part of the node.
        let mut since = since.filter(|_| !*in_sync);
        let env = if *is_fixed { Env::new() } else { self.env(node) };
        let opened = loop {
            let generation = self.ground.flights.generation();
            let world = self.ground.flights.enter();
            let place = || self.place(node);
            let early = self.graph.before(node).and_then(Before::data);
            let begins = |was_brought: bool| {
                let mut ready = NowReady::new();
                if !was_brought && self.graph.is_awaited(node) {
                    self.graph.begin(node, node, |node| ready.push(node));
                }
                self.graph.note_turn(node, |node| ready.push(node));
                self.offer(scope, &ready);
            };
            let mut turn = Turn { node, place: &place, early, begins: &begins, ..Turn::blocking() };
            let opened = self.open((node, &env), since.take(), mine, &mut turn);
            drop(world);
            match opened {
                Err(error) if !turn.has_begun => {
                    let since = (generation, turn.again);
                    match self.ground.recover(self.nodes, since, error) {
                        Ok(()) => continue,
                        Err(error) => break Err(error),
                    }
                }
                other => break other,
            }
        };
        match opened {
            Err(error) => self.fail(node, error),
            Ok(Some(inside)) if self.graph.regions[inside.region as usize].has_nodes() => {
                self.graph.enter(self.nodes, inside, |node| ready.push(node));
            }
            Ok(_) => self.end(node, ready),
        }
    }

    /// Whether a node looks at a condition or at bounds, so that others wait for it that may be many.
    fn asks(&self, node: u32) -> bool {
        self.graph.asks(node).is_some() || self.graph.looks(node)
    }

    /// What a loop or decision enters by its bounds or condition, if anything.
    fn look_at(&self, node: u32, work: &Work<'_>, env: &Env) -> Result<Option<Inside>> {
        let inside = self.graph.inside[node as usize];
        Ok(match work {
            Work::For { bounds, site, .. } => {
                let Trips { first: start, count: trips } =
                    self.ground.trips((bounds, site), env)?;
                (trips > 0).then_some(Inside { region: inside[0], trips, start })
            }
            Work::If { cond, site } => {
                let holds = self.ground.holds((cond, site), env)?;
                Some(Inside::once(inside[usize::from(!holds)]))
            }
            Work::While { .. } => Some(Inside { region: inside[0], trips: u64::MAX, start: 0 }),
            Work::Launch(_) | Work::Task(_) | Work::Swap { .. } | Work::Move(_) => None,
        })
    }

    /// The same when its turn has come, where it may be known.
    fn entered(
        &self,
        node: u32,
        work: &Work<'_>,
        (env, turn): (&Env, &Turn<'_>),
    ) -> Result<Option<Inside>> {
        let Some(known) = self.graph.before(node).and_then(Before::look) else {
            return self.look_at(node, work, env);
        };
        let inside = known.take().map_or_else(|| self.look_at(node, work, env), Ok)?;
        (turn.begins)(true);
        Ok(inside)
    }

    /// Does what a node does, `since` when the one before ended if it follows at once; what it enters, of one
    /// with an inside.
    fn open(
        &self,
        (node, env): (u32, &Env),
        since: Option<Instant>,
        mine: &mut Tally,
        turn: &mut Turn<'_>,
    ) -> Result<Option<Inside>> {
        let Node { kind, work, in_sync, .. } = &self.nodes[node as usize];
        let mut work = lock(work);
        if self.ground.is_cancelled() {
            return Err(cancelled(node as usize, &work));
        }
        turn.arrangement = self.graph.rename(node, &mut work);
        let opened = match kind {
            Kind::Leaf => {
                // What lies between two nodes takes less than looking at the clock for it.
                let start = since.unwrap_or_else(Instant::now);
                turn.ahead = !self.ground.rt.options.sync && !*in_sync;
                let passing = self.passing.as_ref();
                let task = passing.filter(|_| matches!(&*work, Work::Task(_)));
                let pace = task.map(|passing| passing.begin_task(node));
                let done = self.ground.perform(&mut work, env, (turn, &mut mine.scratch));
                mine.scratch.pause();
                mine.moved += crate::device::take_moved();
                match done? {
                    Did::Other => {}
                    did => {
                        let end = Instant::now();
                        let time = end.saturating_duration_since(start);
                        mine.until = Some(end);
                        mine.rows.count(did, 1, time);
                        if let Some(passing) = passing {
                            passing.note(node, &work, time, pace);
                        }
                    }
                }
                self.ground.count_node();
                Ok(None)
            }
            Kind::For { .. } | Kind::If { .. } | Kind::While { .. } => {
                self.entered(node, &work, (env, turn))
            }
        };
        opened.map_err(|error| error.within(control::at(node as usize, &work)))
    }

    /// Notes the end of a node, and of what ends with it.
    fn end(&self, node: u32, ready: &mut Vec<u32>) {
        let region = self.graph.region_of[node as usize];
        if region == 0 {
            self.give_back(node);
        } else if self.ground.control.is_some() {
            self.count_trip(node, region);
        }
        if self.graph.end(node, |node| ready.push(node)) {
            self.leave(region, ready);
        }
    }

    /// Notes the end of a region, and so of the loop or decision around it.
    fn leave(&self, region: u32, ready: &mut Vec<u32>) {
        let region = &self.graph.regions[region as usize];
        let node = region.owner;
        if region.asker != NONE && !lock(&self.failures).is_empty() {
            return self.work.stop();
        }
        if region.cycle != NONE
            && let Err(error) = self.graph.close(&self.ground, self.nodes, region)
        {
            return self.fail(node, error);
        }
        if node != NONE {
            return self.end(node, ready);
        }
        self.work.end();
    }

    /// Counts a trip at the end of the first node in the body of a loop, and what is done in it without
    /// being gone through.
    fn count_trip(&self, node: u32, region: u32) {
        let region = &self.graph.regions[region as usize];
        let is_loop = |owner: u32| {
            matches!(self.nodes[owner as usize].kind, Kind::For { .. } | Kind::While { .. })
        };
        if region.lead == node && is_loop(region.owner) {
            self.ground.count_trip();
            let exchanges = self.graph.names.cycle(region.cycle).map_or(0, |c| c.swaps.len());
            (0..exchanges).for_each(|_| self.ground.count_node());
        }
    }

    /// Gives back the arrays that no other node touches any more.
    fn give_back(&self, node: u32) {
        if !self.gives {
            return;
        }
        let mut release = lock(&self.release);
        let Release { users, of_node, give } = &mut *release;
        let from = of_node.partition_point(|&(at, _)| at < node);
        for &(_, access) in of_node[from..].iter().take_while(|&&(at, _)| at == node) {
            let access = access as usize;
            users[access] -= 1;
            if users[access] == 0 {
                give(access);
            }
        }
    }
}

impl Help for Crew<'_, '_, '_> {
    fn help<'scope>(&'scope self, scope: &'scope Scope<'scope, '_>) {
        let hold = self.work.helper();
        self.work.come();
        self.take_part(scope, hold, self.tally());
        self.work.leave();
    }

    fn look_after<'scope>(&'scope self, scope: &'scope Scope<'scope, '_>) {
        Crew::look_after(self, scope);
    }
}
