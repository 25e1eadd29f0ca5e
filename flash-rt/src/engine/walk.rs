//! Runs the nodes of a pipeline one by one in program order, on the calling thread: where nothing
//! could overlap, and where nothing is to.

use std::time::Instant;

use super::chain::{Chain, Sequel, Wanted};
use super::control::{self, cancelled};
use super::leaf::{Did, Ground, Turn};
use super::plain::Scratch;
use super::repeat::{Tries, Went};
use super::rows::Rows;
use crate::env::{Env, Trips};
use crate::error::{Error, Result};
use crate::pipeline::{Kind, LaunchNode, Node, Work};

/// The state of a walk.
pub(super) struct Walk<'r> {
    ground: Ground<'r>,
    rows: &'r mut Rows,
    scratch: &'r mut Scratch,
    env: Env,
    /// When `recent` began.
    clock: Instant,
    /// Launches of one kernel without anything else between, which share two looks at the clock: a
    /// look takes as long as a small launch.
    recent: Recent,
    /// Where the nodes end that are gone through, and what comes after them, where that is known.
    rest: (usize, Option<usize>),
    /// Memory of chains, once there was one.
    chain: Option<Box<Chain>>,
}

#[derive(Default)]
struct Recent {
    /// Their row.
    row: usize,
    count: u64,
    bytes: u64,
}

impl Recent {
    /// One more.
    #[inline(always)]
    fn add(&mut self, bytes: u64) {
        self.count += 1;
        self.bytes += bytes;
    }
}

impl<'r> Walk<'r> {
    pub(super) fn new(
        ground: Ground<'r>,
        (rows, scratch): (&'r mut Rows, &'r mut Scratch),
        start: Instant,
    ) -> Self {
        let recent = Recent::default();
        let (env, rest, chain) = (Env::new(), (0, None), None);
        Self { ground, rows, scratch, env, clock: start, recent, rest, chain }
    }

    /// Counts what has not been counted yet; the end of the last node.
    #[inline(never)]
    pub(super) fn end(&mut self) -> Instant {
        self.scratch.pause();
        if self.recent.count > 0 {
            let now = Instant::now();
            let Recent { row, count, bytes } = std::mem::take(&mut self.recent);
            self.rows.count(Did::Launch(row, bytes), count, now - self.clock);
            self.clock = now;
        }
        self.clock
    }

    /// A launch of this row follows.
    #[inline(always)]
    fn turn_to(&mut self, row: usize) {
        if row != self.recent.row {
            self.end();
            self.recent.row = row;
        }
    }

    /// Runs all nodes, and gives arrays back after the last node that touches them, so that guards
    /// wait for that one and not for the run.
    #[inline]
    pub(super) fn all(
        &mut self,
        nodes: &mut [Node<'_>],
        releases: &[(usize, usize)],
        release: &mut dyn FnMut(usize),
    ) -> Result<()> {
        let mut next = 0;
        let mut at = 0;
        while at < nodes.len() {
            at = self.node(nodes, at, (nodes.len(), None))?;
            while let Some(&(node, access)) = releases.get(next)
                && node < at
            {
                release(access);
                next += 1;
            }
        }
        Ok(())
    }

    /// Runs nodes; what comes `after` them, where it is known.
    fn inside(
        &mut self,
        nodes: &mut [Node<'_>],
        (first, end): (usize, usize),
        after: Option<usize>,
    ) -> Result<()> {
        let mut at = first;
        while at < end {
            at = self.node(nodes, at, (end, after))?;
        }
        Ok(())
    }

    /// Does what a node does, or several do; the number of the next one. The nodes that are gone
    /// through end there, and what comes after them follows, where that is known.
    #[inline(always)]
    fn node(
        &mut self,
        nodes: &mut [Node<'_>],
        at: usize,
        rest: (usize, Option<usize>),
    ) -> Result<usize> {
        if self.ground.is_cancelled() {
            return Err(cancelled(at, nodes[at].work()));
        }
        let node = &mut nodes[at];
        if matches!(node.kind, Kind::Leaf) && !self.ground.flights.is_used() {
            self.leaf(at as u32, node)?;
            return Ok(node.end());
        }
        self.rest = rest;
        self.any(nodes, at)
    }

    /// The same where devices have memories of their own, and for what has nodes inside.
    #[inline(never)]
    fn any(&mut self, nodes: &mut [Node<'_>], at: usize) -> Result<usize> {
        match nodes[at].kind {
            Kind::Leaf => return self.leaf_ahead(nodes, at),
            _ => self.control(nodes, at)?,
        }
        Ok(nodes[at].end())
    }

    /// Submits launches together, from a node on and up to one, as often as there are trips; how many nodes that
    /// was.
    fn together(
        &mut self,
        nodes: &mut [Node<'_>],
        (at, end): (usize, usize),
        trips: u64,
    ) -> Result<usize> {
        let generation = self.ground.flights.generation();
        let mut chain = self.chain.take().unwrap_or_default();
        let follows = |nodes: &mut [Node<'_>], last: usize| {
            self.next(nodes, last).is_some_and(|next| self.follows(nodes, last, next))
        };
        let wanted = Wanted { nodes: at..end, trips, follows: &follows };
        let sequel = self.ground.chain(nodes, wanted, &mut chain);
        self.chain = Some(chain);
        let Some(sequel) = sequel else { return Ok(0) };
        let Sequel { nodes: n, failed } = sequel?;
        self.ground.count_trips(0, n as u64);
        if let Some((error, again)) = failed {
            self.ground.recover(nodes, (generation, again), error)?;
        }
        Ok(n)
    }

    /// Submits the launches of several trips of a loop together, of which so many are left; how many trips that was,
    /// and the number of the next node.
    fn trips_together(
        &mut self,
        nodes: &mut [Node<'_>],
        (first, end): (usize, usize),
        left: u64,
    ) -> Result<(u64, usize)> {
        let (flights, is_sync) = (self.ground.flights, self.ground.rt.options.sync);
        if !flights.is_used() || is_sync || left < 2 || flights.has_failed() {
            return Ok((0, first));
        }
        let goes_ahead =
            |work: &Work<'_>| matches!(work, Work::Launch(node) if self.goes_ahead(node));
        if first == end || !goes_ahead(nodes[first].work()) {
            return Ok((0, first));
        }
        if self.ground.is_cancelled() {
            return Err(cancelled(first, nodes[first].work()));
        }
        self.rest = (end, None);
        let n = self.together(nodes, (first, end), left)?;
        Ok(((n / (end - first)) as u64, first + n % (end - first)))
    }

    /// As `leaf`, where devices have memories of their own: what is submitted is not waited for. The number of
    /// the next node.
    fn leaf_ahead(&mut self, nodes: &mut [Node<'_>], at: usize) -> Result<usize> {
        let ahead = !self.ground.rt.options.sync && !nodes[at].in_sync;
        if nodes[at].in_sync {
            self.ground.drain(nodes)?;
        }
        if self.ground.flights.has_failed() {
            return Err(stopped());
        }
        // What is ahead is counted when its end is met.
        if !ahead || !matches!(nodes[at].work(), Work::Launch(node) if self.goes_ahead(node)) {
            self.clock = Instant::now();
        }
        let more = ahead && self.next(nodes, at).is_some_and(|next| self.follows(nodes, at, next));
        if more {
            let n = self.together(nodes, (at, self.rest.0), 1)?;
            if n > 0 {
                return Ok(at + n);
            }
        }
        loop {
            let generation = self.ground.flights.generation();
            let mut turn = Turn { node: at as u32, ahead, more, ..Turn::blocking() };
            let done = self.ground.perform(nodes[at].work(), &self.env, (&mut turn, self.scratch));
            match done {
                Ok(Did::Other) => {}
                Ok(did) => self.rows.count(did, 1, self.clock.elapsed()),
                Err(error) if turn.has_begun => return Err(error),
                Err(error) => {
                    self.ground.recover(nodes, (generation, turn.again), error)?;
                    continue;
                }
            }
            self.ground.count_node();
            return Ok(nodes[at].end());
        }
    }

    /// What comes after a node, where it is known, but for swaps: they submit nothing.
    fn next(&self, nodes: &mut [Node<'_>], at: usize) -> Option<usize> {
        let (end, mut after) = self.rest;
        let mut next = nodes[at].end();
        loop {
            if next >= end {
                next = after.take()?;
            }
            if !matches!(nodes[next].work(), Work::Swap { .. }) {
                return Some(next);
            }
            next = nodes[next].end();
        }
    }

    /// Whether two nodes are launches on one device that are not waited for.
    fn follows(&self, nodes: &mut [Node<'_>], at: usize, next: usize) -> bool {
        let Work::Launch(first) = nodes[at].work() else { return false };
        let number = first.device;
        matches!(nodes[next].work(), Work::Launch(node) if node.device == number && self.goes_ahead(node))
    }

    /// Whether a launch is not waited for, as far as that shows.
    fn goes_ahead(&self, node: &LaunchNode<'_>) -> bool {
        let device = &self.ground.rt.devices[usize::from(node.device)];
        device.space().is_some()
            && node.is_usual()
            && node.bound.as_ref().is_some_and(|bound| !bound.reduces)
    }

    /// A look at a bound or condition, tried again where what it reads was lost and made anew.
    fn look<T>(
        &self,
        nodes: &mut [Node<'_>],
        at: usize,
        look: impl Fn(&Ground<'_>, &Work<'_>) -> Result<T>,
    ) -> Result<T> {
        loop {
            let generation = self.ground.flights.generation();
            match look(&self.ground, nodes[at].work()) {
                Err(error) => {
                    let error = error.within(control::at(at, nodes[at].work()));
                    self.ground.recover(nodes, (generation, false), error)?;
                }
                seen => return seen,
            }
        }
    }

    #[inline(always)]
    fn leaf(&mut self, at: u32, node: &mut Node<'_>) -> Result<()> {
        let Work::Launch(launch) = node.work() else { return self.other(at, node) };
        if !launch.is_plain {
            return self.other(at, node);
        }
        self.turn_to(launch.stat as usize);
        match self.ground.plain(launch, self.scratch) {
            Ok(bytes) => {
                self.recent.add(bytes);
                self.ground.count_node();
                Ok(())
            }
            Err(None) => self.other(at, node),
            Err(Some(error)) => self.failed(at, node, *error),
        }
    }

    /// A plain launch that has failed.
    #[cold]
    #[inline(never)]
    fn failed(&mut self, at: u32, node: &mut Node<'_>, error: Error) -> Result<()> {
        let Work::Launch(launch) = node.work() else { return Err(error) };
        let mut turn = Turn { node: at, ..Turn::blocking() };
        let device = usize::from(launch.device);
        let error = self.ground.failed(&launch.stage, device, error, &mut turn);
        if turn.again { self.other(at, node) } else { Err(error) }
    }

    /// A leaf that may be anything.
    #[inline(never)]
    fn other(&mut self, at: u32, node: &mut Node<'_>) -> Result<()> {
        let work = node.work();
        match work {
            Work::Launch(launch) => self.turn_to(launch.stat as usize),
            // It takes no time to speak of.
            Work::Swap { .. } => {}
            _ => drop(self.end()),
        }
        let mut turn = Turn { node: at, ..Turn::blocking() };
        let did = loop {
            match self.ground.perform(work, &self.env, (&mut turn, self.scratch)) {
                Err(_) if turn.again => turn = Turn { node: at, ..Turn::blocking() },
                done => break done?,
            }
        };
        match did {
            Did::Launch(_, bytes) => self.recent.add(bytes),
            did @ Did::Task(..) => {
                let now = Instant::now();
                self.rows.count(did, 1, now - self.clock);
                self.clock = now;
            }
            Did::Other => {}
        }
        self.ground.count_node();
        Ok(())
    }

    /// Lets a device make trips of a loop by itself, a `while` whose condition holds or a `for` of so many
    /// trips; how many it made.
    fn on_device(
        &mut self,
        nodes: &mut [Node<'_>],
        at: usize,
        (turns, trips, tries): (u64, u64, &mut Tries),
    ) -> Result<u64> {
        if !self.ground.flights.is_used() || !tries.is_due(turns) {
            return Ok(0);
        }
        if self.ground.is_cancelled() {
            return Err(cancelled(at, nodes[at].work()));
        }
        let (generation, since) = (self.ground.flights.generation(), Instant::now());
        match self.ground.repeat(nodes, at, (&self.env, turns, trips)) {
            Ok(Went::Trips(trips, did)) => {
                let launches = did.iter().filter(|(did, _)| matches!(did, Did::Launch(..)));
                let rows = u32::try_from(launches.count().max(1)).unwrap_or(u32::MAX);
                let (each, nodes) = (since.elapsed() / rows, did.iter().map(|(_, n)| n).sum());
                did.into_iter().for_each(|(did, n)| self.rows.count(did, n, each));
                self.ground.count_trips(trips, nodes);
                tries.went();
                return Ok(trips);
            }
            Ok(Went::NotNow) => {}
            Ok(Went::Never) => tries.end(),
            Err(error) => {
                let (error, again) = *error;
                // It counts as not run, so the host goes on where it was.
                self.ground.recover(nodes, (generation, again), error)?;
                tries.end();
            }
        }
        Ok(0)
    }

    fn control(&mut self, nodes: &mut [Node<'_>], at: usize) -> Result<()> {
        let end = nodes[at].end();
        // Bounds and conditions may take long.
        self.scratch.pause();
        match nodes[at].kind {
            Kind::Leaf => {}
            Kind::For { level } => {
                let env = self.env;
                let (trips, name) = self.look(nodes, at, |ground, work| match work {
                    Work::For { bounds, name, site } => {
                        ground.trips((bounds, site), &env).map(|trips| (trips, *name))
                    }
                    _ => Ok((Trips { first: 0, count: 0 }, 0)),
                })?;
                self.env.set_signed(level as usize, nodes[at].is_signed);
                self.env.set_name(level as usize, name);
                let (mut k, mut tries) = (0, Tries::default());
                // Trips of nothing are made at once, however many they are.
                let count = if at + 1 < end { trips.count } else { 0 };
                while k < count {
                    self.env.set(level as usize, trips.value(k));
                    let made = self.on_device(nodes, at, (k, trips.count, &mut tries))?;
                    if made > 0 {
                        k += made;
                        continue;
                    }
                    let left = trips.count - k;
                    let (made, first) = self.trips_together(nodes, (at + 1, end), left)?;
                    self.ground.count_trips(made, 0);
                    k += made;
                    if first == at + 1 && made > 0 {
                        continue;
                    }
                    self.env.set(level as usize, trips.value(k));
                    let after = Some(at + 1).filter(|_| k + 1 < trips.count);
                    self.inside(nodes, (first, end), after)?;
                    self.ground.count_trip();
                    k += 1;
                }
                self.env.leave(level as usize);
            }
            Kind::If { other } => {
                let env = self.env;
                let holds = self.look(nodes, at, |ground, work| match work {
                    Work::If { cond, site } => ground.holds((cond, site), &env),
                    _ => Ok(false),
                })?;
                if holds {
                    self.inside(nodes, (at + 1, other as usize), None)?;
                } else {
                    self.inside(nodes, (other as usize, end), None)?;
                }
            }
            Kind::While { level } => {
                let (mut turns, mut tries) = (0, Tries::default());
                self.env.set(level as usize, 0);
                self.env.set_signed(level as usize, false);
                loop {
                    let env = self.env;
                    if !self.look(nodes, at, |ground, work| ground.goes_on(work, &env, turns))? {
                        break;
                    }
                    // Nothing inside looks at it.
                    if at + 1 == end && self.ground.is_cancelled() {
                        return Err(cancelled(at, nodes[at].work()));
                    }
                    let made = self.on_device(nodes, at, (turns, 0, &mut tries))?;
                    if made == 0 {
                        self.inside(nodes, (at + 1, end), None)?;
                        self.ground.count_trip();
                    }
                    turns += made.max(1);
                    self.env.set(level as usize, turns);
                }
                self.env.leave(level as usize);
            }
        }
        Ok(())
    }
}

/// What ends a walk after something that it has submitted has failed, which is the error.
#[cold]
fn stopped() -> Error {
    Error::Cancelled { at: None }
}
