//! Loops that a device runs by itself: those whose trips are the same launches on the same memories, or on
//! memories that are exchanged between trips, with a condition that reads what the device has: of the loop, of
//! branches in it, or both. The host looks at that of a loop before it and after it. It makes no trip on its own:
//! where a device cannot, whoever asks goes on.
#![allow(unsafe_code, reason = "starts what binding has validated")]

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use flash_ir::ScalarTy;

use super::bind::BoundLaunch;
use super::control;
use super::dispatch::settle;
use super::exchanges::Exchanges;
use super::flight::Flight;
use super::leaf::{Did, Ground};
use super::outcome;
use super::place::{Held, Memories, Moved, find_there, move_back, note_uses};
use super::ready::Ready;
use crate::arg::ArrayArg;
use crate::backend::{Decision, DynMemory, LONGEST, Prepared, Queue, Repeat, Term, Test, Ticket};
use crate::cond::{Comparison, Cond, Number};
use crate::device::{Device, DeviceImage, Order, Pin};
use crate::env::Env;
use crate::error::{Error, Result};
use crate::image::{self, MemorySpace, Usage};
use crate::pipeline::{Kind, LaunchNode, Node, Work};
use crate::progress;
use crate::runtime::Shared;

/// The first trips of a loop that no device has made yet are made by the host, which makes the launches ready;
/// short loops end with them.
const FIRST: u64 = 3;
/// After so many trips the host looks again, as somebody may have cancelled the run.
const MOST: u32 = 1024;
/// So often a loop is looked at that could go to its device, and does not.
const TRIES: u32 = 8;

/// Whether a loop goes to its device for more trips.
#[derive(Debug, Default)]
pub(super) struct Tries(u32);

impl Tries {
    /// Whether that is to be found out after so many trips.
    pub(super) fn is_due(&mut self, turns: u64) -> bool {
        self.0 = self.0.saturating_add(u32::from(turns >= FIRST));
        self.0 <= TRIES
    }

    /// It did.
    pub(super) fn went(&mut self) {
        self.0 = 0;
    }

    /// It never will in this run.
    pub(super) fn end(&mut self) {
        self.0 = TRIES + 1;
    }
}

/// What became of a loop.
pub(super) enum Went {
    /// Its device made so many trips; what each of its launches did in all of them, and how often.
    Trips(u64, Vec<(Did, u64)>),
    /// Nothing, but it may yet.
    NotNow,
    /// Nothing, as its launches or its condition are not for that.
    Never,
}

/// A launch of a trip, all of whose arrays are in place.
struct Part {
    node: usize,
    memories: Memories,
    prepared: Arc<dyn Prepared>,
    flight: Box<Flight>,
    /// Let go while arrays are exchanged as they were when it was found: images are found by their arrays.
    pins: Vec<Pin>,
}

/// Where a loop runs: the number of its device, that, and its memory.
type On<'r> = (usize, &'r Arc<Device>, MemorySpace);

/// The launch that a node is.
pub(super) fn launch<'n, 'a>(
    nodes: &'n mut [Node<'a>],
    at: usize,
) -> Option<&'n mut LaunchNode<'a>> {
    match nodes[at].work() {
        Work::Launch(node) => Some(node),
        _ => None,
    }
}

/// What is kept of the first launch of a loop.
fn ready<'n>(nodes: &'n mut [Node<'_>], at: usize) -> Option<&'n mut Ready> {
    let first = (at + 1..nodes[at].end()).find(|&k| launch(nodes, k).is_some())?;
    Some(&mut launch(nodes, first)?.bound.as_mut()?.ready)
}

/// The device of a loop whose trips are all the same launches there.
fn device_of<'r>(rt: &'r Shared, nodes: &mut [Node<'_>], at: usize) -> Option<On<'r>> {
    #[cfg(feature = "sabotage")]
    if crate::sabotage::is_on() {
        return None;
    }
    // Each launch has moments of its own where somebody asks for them.
    if rt.options.sync || rt.recorder.is_some() || rt.clock.is_some() {
        return None;
    }
    let mut number = None;
    for k in at + 1..nodes[at].end() {
        if nodes[k].in_sync {
            return None;
        }
        if matches!(nodes[k].kind, Kind::If { .. }) || matches!(nodes[k].work(), Work::Swap { .. })
        {
            continue;
        }
        let work = launch(nodes, k)?;
        let is_constant = work.bound.as_ref().is_some_and(|bound| bound.is_constant());
        if !is_constant
            || !work.is_one_launch()
            || number.is_some_and(|number| number != work.device)
        {
            return None;
        }
        number = Some(work.device);
    }
    let number = usize::from(number?);
    let device = &rt.devices[number];
    let goes = !device.is_lost() && device.backend.repeats(device.ordinal);
    Some((number, device, device.space().filter(|_| goes)?))
}

/// What a loop asks.
struct Asked {
    /// Before another trip.
    test: Test,
    decisions: Vec<Decision>,
    /// How many trips it may make in all.
    most: u64,
    /// What its conditions read.
    cells: Vec<ArrayArg>,
    /// What each trip exchanges: the launches are those of so many trips as it takes until all is back.
    exchanges: Exchanges,
}

/// What a loop asks, where a device can, with the cells that its host keeps; `trips` are all those of a `for`.
fn asked(
    nodes: &mut [Node<'_>],
    at: usize,
    (env, trips): (Option<&Env>, u64),
    is_kept: &dyn Fn(&ArrayArg) -> bool,
) -> Option<Asked> {
    let (mut cells, mut decisions) = (Vec::new(), Vec::new());
    let is_for = matches!(nodes[at].kind, Kind::For { .. });
    let (Kind::While { level } | Kind::For { level }) = nodes[at].kind else { return None };
    let exchanges = Exchanges::of(nodes, at)?;
    let mut ask = |cond: &Cond<'_>| {
        let mut is_exchanged = false;
        cond.each_cell(&mut |cell| is_exchanged |= exchanges.has(cell));
        if is_exchanged {
            return None;
        }
        cond.for_device((env, level as usize), is_kept, &mut cells)
    };
    let (test, most) = match nodes[at].work() {
        Work::While { cond, limit, .. } => (ask(cond)?, limit.fixed()?),
        _ => (Test::always(), trips),
    };
    // How many launches there are before each node.
    let mut before = Vec::with_capacity(nodes[at].end() - at);
    let mut n = 0;
    for k in at + 1..=nodes[at].end() {
        before.push(n);
        n += usize::from(k < nodes[at].end() && launch(nodes, k).is_some());
    }
    for k in at + 1..nodes[at].end() {
        let (Kind::If { other }, end) = (nodes[k].kind, nodes[k].end()) else { continue };
        let Work::If { cond, .. } = nodes[k].work() else { return None };
        let test = ask(cond)?;
        let launches = |node: usize| before[node - at - 1];
        let (first, other, end) = (launches(k), launches(other as usize), launches(end));
        if first < end {
            let branches = [first..other, other..end];
            decisions.push(Decision { test, branches, taken: Default::default() });
        }
    }
    // The trips of others are in lists of launches anyway.
    let is_worth_it = !is_for || !decisions.is_empty();
    if exchanges.turns * n > LONGEST {
        return None;
    }
    let decisions = in_turns(decisions, exchanges.turns, n);
    is_worth_it.then_some(Asked { test, decisions, most, cells, exchanges })
}

/// The decisions of a trip of so many launches where so many trips take turns, each with launches of its own.
fn in_turns(decisions: Vec<Decision>, turns: usize, n: usize) -> Vec<Decision> {
    if turns == 1 {
        return decisions;
    }
    let mut all = Vec::with_capacity(turns * (1 + decisions.len()));
    for turn in 0..turns {
        let first = turn * n;
        if turn + 1 < turns {
            let [of, is] = [turns, turn].map(|n| u32::try_from(n).unwrap_or(u32::MAX));
            let is = Term::Value(ScalarTy::U32, Number::Int(is.into()));
            let test = Test::Compare(Comparison::Eq, Term::Turn(of), is);
            let branches = [first..first + n, first + n..turns * n];
            all.push(Decision { test, branches, taken: Default::default() });
        }
        all.extend(decisions.iter().map(|decision| Decision {
            test: decision.test.clone(),
            branches: decision.branches.clone().map(|of| of.start + first..of.end + first),
            taken: Default::default(),
        }));
    }
    all
}

/// The arrays that the launches of a loop write.
fn written(nodes: &mut [Node<'_>], at: usize) -> Vec<u64> {
    let mut all = Vec::new();
    for k in at + 1..nodes[at].end() {
        let Some(LaunchNode { stage, bound: Some(bound), .. }) = launch(nodes, k) else {
            continue;
        };
        for (param, bound) in stage.kernel.params.iter().zip(&bound.params) {
            let array = bound.array().filter(|_| param.role.writes());
            all.extend(array.map(|(array, _)| array.allocation.id()));
        }
    }
    all
}

impl Asked {
    /// How often a launch ran in so many trips.
    fn times(&self, launch: usize, trips: u64) -> u64 {
        // The innermost one comes last.
        let branch =
            self.decisions.iter().rev().find_map(|Decision { branches, taken, .. }| {
                let of = branches.iter().zip(taken);
                of.into_iter().find_map(|(branch, taken)| branch.contains(&launch).then_some(taken))
            });
        branch.map_or(trips, |taken| taken.load(Ordering::Relaxed))
    }
}

/// Whether the trips of a loop may be made by a device, as far as that shows before it runs.
pub(super) fn may(rt: &Shared, nodes: &mut [Node<'_>], at: usize) -> bool {
    device_of(rt, nodes, at).is_some() && asked(nodes, at, (None, u64::MAX), &|_| false).is_some()
}

impl LaunchNode<'_> {
    /// Whether it is a kernel on one device that nobody is told.
    pub(super) fn is_usual(&self) -> bool {
        self.stage.special.as_ref().is_none_or(|special| {
            special.native.is_none() && special.split.is_none() && special.chosen.is_none()
        })
    }

    /// Whether it is one launch of one phase, of which all but memories is the same each time, if there are no
    /// temporaries.
    pub(super) fn is_one_launch(&self) -> bool {
        let is_fixed = |bound: &BoundLaunch| {
            !bound.varies() && bound.n_phases() == 1 && bound.space.n_items() > 0
        };
        let may_be = !self.lazy && !self.is_plain && self.is_usual();
        may_be && self.bound.as_deref().is_some_and(is_fixed)
    }
}

impl Ground<'_> {
    /// Lets a device make the trips of the loop at a node, of which there were `turns`; its condition holds,
    /// or it is a `for` of so many trips. An error comes with whether it may be tried again.
    pub(super) fn repeat(
        &self,
        nodes: &mut [Node<'_>],
        at: usize,
        (env, turns, trips): (&Env, u64, u64),
    ) -> Result<Went, Box<(Error, bool)>> {
        let Some(on) = device_of(self.rt, nodes, at) else { return Ok(Went::Never) };
        if turns < FIRST && !ready(nodes, at).is_some_and(|ready| ready.goes_round) {
            return Ok(Went::NotNow);
        }
        let written = written(nodes, at);
        let is_kept = |cell: &ArrayArg| {
            let images = cell.allocation.images();
            !images.is_valid(on.2, &cell.section)
                && images.host_is_valid(&cell.section)
                && !written.contains(&cell.allocation.id())
        };
        let Some(asked) = asked(nodes, at, (Some(env), trips), &is_kept) else {
            return Ok(Went::Never);
        };
        let most = asked.most.saturating_sub(turns);
        self.drain(nodes).map_err(|error| Box::new((error, false)))?;
        if self.flights.has_failed() || most == 0 {
            return Ok(Went::NotNow);
        }
        let most = u32::try_from(most).unwrap_or(MOST).min(MOST);
        let mut order = Order { epoch: on.1.epoch(), ..Order::default() };
        let mut parts = Vec::new();
        let all_there = self.in_each_turn(nodes, at, &asked.exchanges, |nodes, node| {
            let part = self.part(nodes, node, on, &mut order);
            part.map(|part| parts.push(part)).is_some()
        });
        let went = match all_there {
            Ok(true) => self.repeat_there(nodes, (at, on), (&mut parts, &order), (&asked, most)),
            Ok(false) => Ok(Went::NotNow),
            Err(error) => Err(Box::new((error, false))),
        };
        // Those of a loop that was submitted are let go already.
        let let_go = match parts.iter().all(|part| part.pins.is_empty()) {
            true => Ok(true),
            false => {
                let mut rest = parts.iter_mut();
                self.in_each_turn(nodes, at, &asked.exchanges, |_, _| {
                    rest.next().map(|part| part.pins.clear()).is_some()
                })
            }
        };
        self.give_all_back(on.0, parts);
        let_go.map_err(|error| Box::new((error, false)))?;
        went
    }

    /// Does something for each launch of so many trips as it takes until each array has its own elements again,
    /// exchanged as they are for that launch, until it says no; all have their own afterwards. No host task uses
    /// them, so that exchanging them does not fail.
    fn in_each_turn(
        &self,
        nodes: &mut [Node<'_>],
        at: usize,
        exchanges: &Exchanges,
        mut each: impl FnMut(&mut [Node<'_>], usize) -> bool,
    ) -> Result<bool> {
        let mut exchanged = Vec::new();
        for _ in 0..exchanges.turns {
            for node in at + 1..nodes[at].end() {
                if exchanges.nodes.contains(&node) {
                    self.swap_at(nodes, node)?;
                    exchanged.push(node);
                } else if matches!(nodes[node].kind, Kind::Leaf) && !each(nodes, node) {
                    exchanged.into_iter().rev().try_for_each(|node| self.swap_at(nodes, node))?;
                    return Ok(false);
                }
            }
        }
        Ok(true)
    }

    fn swap_at(&self, nodes: &mut [Node<'_>], node: usize) -> Result<()> {
        let work = nodes[node].work();
        self.swap(work).map_err(|error| error.within(control::at(node, work)))
    }

    /// Exchanges what so many trips do, and another one before a node of it.
    fn exchange(
        &self,
        nodes: &mut [Node<'_>],
        exchanges: &Exchanges,
        (trips, before): (u64, usize),
    ) -> Result<()> {
        for _ in 0..trips % exchanges.turns as u64 {
            exchanges.nodes.iter().try_for_each(|&node| self.swap_at(nodes, node))?;
        }
        let mut begun = exchanges.nodes.iter().filter(|&&node| node < before);
        begun.try_for_each(|&node| self.swap_at(nodes, node))
    }

    fn give_all_back(&self, number: usize, parts: Vec<Part>) {
        parts.into_iter().for_each(|part| self.flights.give_back(number, part.flight));
    }

    /// A launch with its arrays, where all of those are on the device, and in memory that the launch was made
    /// ready for.
    fn part(
        &self,
        nodes: &mut [Node<'_>],
        node: usize,
        (number, device, space): On<'_>,
        order: &mut Order,
    ) -> Option<Part> {
        let LaunchNode { stage, bound: Some(bound), .. } = launch(nodes, node)? else {
            return None;
        };
        let (mut left, mut held) = (Moved::new(), Held::default());
        let mut own_order = Order { epoch: order.epoch, ..Order::default() };
        let to = (&mut held, &mut own_order, &mut left);
        find_there(bound, (device, space), to)?;
        // Nothing is under way, so no image is given other memory.
        if !left.is_empty() {
            move_back(bound, space, &mut left);
            return None;
        }
        let Held { memories, pins, .. } = held;
        let ready = bound.ready.find(&memories, &bound.values);
        let prepared = ready.and_then(|phases| phases.first().cloned().flatten())?;
        progress::join(&mut order.after, &own_order.after);
        let flight = self.flights.spare(number, stage.site);
        Some(Part { node, memories, prepared, flight, pins })
    }

    /// Submits a loop and waits for its end.
    fn repeat_there(
        &self,
        nodes: &mut [Node<'_>],
        (at, (_, device, space)): (usize, On<'_>),
        (parts, order): (&mut [Part], &Order),
        (asked, most): (&Asked, u32),
    ) -> Result<Went, Box<(Error, bool)>> {
        let (mut order, Asked { test, decisions, cells, exchanges, .. }) = (*order, asked);
        let (mut images, mut pins) = (Vec::with_capacity(cells.len()), Vec::new());
        for cell in cells {
            let found = Pin::there(device, space, &cell.allocation, &cell.section);
            let Some((pin, images_of)) = found else { return Ok(Went::NotNow) };
            images_of.after(space, &cell.section, false, &mut order.after);
            let image = images_of.find(space).map(|image| Arc::clone(&image.memory));
            drop(images_of);
            pins.push(pin);
            let Some(image) = image else { return Ok(Went::NotNow) };
            images.push(image);
        }
        let memories: Option<Vec<&DynMemory>> = images.iter().map(DeviceImage::memory_of).collect();
        let Some(memories) = memories else { return Ok(Went::NotNow) };
        let launches: Vec<_> =
            parts.iter().map(|part| (Arc::clone(&part.prepared), &*part.flight.outcome)).collect();
        let trips = Arc::new(AtomicU64::new(0));
        let repeat =
            Repeat { launches: &launches, decisions, test, cells: &memories, most, trips: &trips };
        let queue = device.compute_queue(&order);
        let run = |after: &[Ticket]| {
            // SAFETY: each launch was made ready for these memories, and binding has checked it: what items of
            // a launch write is apart, and launches follow each other. This waits until the loop is complete
            // or given up, with the outcomes; who else would touch its images finds it among their uses.
            let sent = unsafe { device.backend.repeat(device.ordinal, queue, &repeat, after) };
            sent.map(|sent| sent.unwrap_or(Ticket::DONE))
        };
        let sent = device.submit(&order, Queue::Compute(queue), run);
        drop((launches, memories));
        let error = |node: usize, nodes: &mut [Node<'_>], why| {
            let name = launch(nodes, node).map_or("", |node| node.stage.kernel.name);
            let error = device.driver_error(format!("launch of kernel `{name}`"), why);
            // What it read is still valid elsewhere, or bringing it says that it is not.
            let again = device.is_lost() && self.rt.devices.iter().any(|other| !other.is_lost());
            Box::new((error, again))
        };
        let first = parts.first().map_or(0, |part| part.node);
        let sent = match sent {
            Ok(sent) if sent.ticket.is_done() => return Ok(Went::NotNow),
            Ok(sent) => sent,
            Err(why) => return Err(error(first, nodes, device.refused(why))),
        };
        let mut rest = parts.iter_mut();
        let noted = self.in_each_turn(nodes, at, exchanges, |nodes, node| {
            let Some(Part { memories, flight, pins, .. }) = rest.next() else { return true };
            flight.sent = sent;
            if let Some(LaunchNode { bound: Some(bound), .. }) = launch(nodes, node) {
                note_uses(bound, (space, memories), flight);
            }
            pins.clear();
            true
        });
        for (cell, image) in cells.iter().zip(&images) {
            let read = image::Use::new((space, image), sent, cell.section, Usage::Read);
            cell.allocation.images().add_use(read);
        }
        drop((pins, images));
        let waited = device.wait(&sent);
        device.sweep();
        noted.map_err(|error| Box::new((error, false)))?;
        if let Err(given_up) = waited {
            let why = device.failure(&sent).unwrap_or(given_up);
            return Err(error(first, nodes, why));
        }
        let trips = trips.load(Ordering::Relaxed);
        let mut failed = None;
        let mut did = Vec::with_capacity(parts.len());
        for (number, Part { node, flight, .. }) in parts.iter().enumerate() {
            let Some(LaunchNode { stage, bound: Some(bound), stat, .. }) = launch(nodes, *node)
            else {
                continue;
            };
            let times = asked.times(number, trips);
            did.push((Did::Launch(*stat as usize, times.saturating_mul(bound.bytes)), times));
            if !flight.outcome.is_ok() {
                // Those of its images look at it too.
                settle(self.accesses);
                let of = (stage.kernel, stage.site);
                let found = outcome::check(of, bound.numbering(), &bound.slots, &flight.outcome);
                failed = failed.or(found.err().map(|error| (error, *node)));
            }
        }
        let n_exchanges = exchanges.nodes.len() as u64;
        did.push((Did::Other, trips.saturating_mul(n_exchanges)));
        // Where a launch has failed, those of the trips before and what comes before it in its own.
        let made = match &failed {
            Some((_, node)) => (trips.saturating_sub(1), *node),
            None => (trips, 0),
        };
        let exchanged = self.exchange(nodes, exchanges, made);
        match failed.map(|(error, _)| error).or(exchanged.err()) {
            Some(error) => Err(Box::new((error, false))),
            None => {
                let first = parts.first().and_then(|first| launch(nodes, first.node));
                if let Some(bound) = first.and_then(|first| first.bound.as_mut()) {
                    bound.ready.goes_round = true;
                }
                Ok(Went::Trips(trips, did))
            }
        }
    }
}
