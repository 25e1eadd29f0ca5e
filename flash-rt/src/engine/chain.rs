//! Launches of which each comes after the one before anyway: where they are ready and their arrays in place they
//! are submitted together, and what all of them use is noted once; arrays that are exchanged between them are so
//! afterwards. It brings no array, and waits for no launch but to make room for others.
#![allow(unsafe_code, reason = "starts what binding has validated")]

use std::ops::Range;
use std::sync::Arc;

use smallvec::SmallVec;
use tracing::level_filters::LevelFilter;

use super::bind::BoundParam;
use super::control;
use super::dispatch::not_launched;
use super::flight::Spares;
use super::leaf::{Did, Ground, Turn, cannot_begin};
use super::repeat::launch;
use crate::allocation::Allocation;
use crate::arg::ArrayArg;
use crate::backend::{Prepared, Queue, Ticket};
use crate::device::{Device, Order, Pin};
use crate::error::{DriverError, Error, Result};
use crate::image::{self, DeviceMemory, MemorySpace, Usage};
use crate::pipeline::{LaunchNode, Node, Work};

/// So many launches are submitted at once at most.
const MOST: usize = 32;
/// They are so small a part of those that may be under way, so that the device goes on meanwhile.
const PART: usize = 2;

/// Memory for chains.
#[derive(Debug, Default)]
pub(super) struct Chain {
    links: Vec<Link>,
    /// What the launches use, one after the other: the number of the spot, and whether it is written.
    uses: Vec<(usize, bool)>,
    spots: Vec<Spot>,
    /// Whether the launch that is looked at uses what those before it do not.
    is_new: bool,
    flights: Spares,
    /// How many nodes these are, with swaps.
    n_nodes: usize,
    /// How often they come, where nothing is exchanged.
    trips: usize,
    /// Nodes that exchange arrays, each with how many nodes come before it.
    swaps: Vec<(usize, usize)>,
    /// Arrays, each with the one whose images it has when what is looked at has its turn.
    holders: Vec<(Arc<Allocation>, Arc<Allocation>)>,
}

/// A launch of a chain.
#[derive(Debug)]
struct Link {
    node: usize,
    /// How many nodes come before it.
    before: usize,
    prepared: Arc<dyn Prepared>,
    uses: Range<usize>,
}

/// A box of an array on the device.
#[derive(Debug)]
struct Spot {
    array: ArrayArg,
    memory: Arc<dyn DeviceMemory>,
    /// Whether what comes before a launch that writes it comes before the chain.
    writes: bool,
    _pin: Pin,
}

/// What has been done.
#[derive(Debug)]
pub(super) struct Sequel {
    /// How many nodes have.
    pub(super) nodes: usize,
    /// Why the next one has not, and whether it may be tried again.
    pub(super) failed: Option<(Error, bool)>,
}

/// Which launches are to be submitted.
pub(super) struct Wanted<'w> {
    /// Their nodes, and others behind them.
    pub(super) nodes: Range<usize>,
    /// How often all of them come in turn.
    pub(super) trips: u64,
    /// Whether another launch on the device comes behind that of a node, if it is not of these.
    pub(super) follows: &'w dyn Fn(&mut [Node<'_>], usize) -> bool,
}

/// A device and its memory.
type On<'r> = (&'r Arc<Device>, MemorySpace);

impl Chain {
    fn clear(&mut self) {
        self.links.clear();
        self.uses.clear();
        self.spots.clear();
        self.swaps.clear();
        self.holders.clear();
        (self.n_nodes, self.trips) = (0, 1);
    }

    /// The array whose images one has when what is looked at has its turn.
    fn holder<'c>(&'c self, of: &'c Arc<Allocation>) -> &'c Arc<Allocation> {
        let known = self.holders.iter().find(|(name, _)| Arc::ptr_eq(name, of));
        known.map_or(of, |(_, holder)| holder)
    }

    /// Notes that two arrays are exchanged.
    fn exchange(&mut self, a: &Arc<Allocation>, b: &Arc<Allocation>) {
        let [of_a, of_b] = [a, b].map(|of| Arc::clone(self.holder(of)));
        for (name, holder) in [(a, of_b), (b, of_a)] {
            match self.holders.iter_mut().find(|(known, _)| Arc::ptr_eq(known, name)) {
                Some((_, known)) => *known = holder,
                None => self.holders.push((Arc::clone(name), holder)),
            }
        }
    }

    /// The number of the spot of an array, which is current there and, if it is written, nowhere else; nothing
    /// where it is not so simple. What comes before is added to the order.
    fn spot(
        &mut self,
        (device, space): On<'_>,
        array: &ArrayArg,
        writes: bool,
        order: &mut Order,
    ) -> Option<usize> {
        let is_same = |spot: &Spot| {
            Arc::ptr_eq(&spot.array.allocation, &array.allocation)
                && spot.array.section == array.section
        };
        let known = self.spots.iter().rposition(is_same);
        if let Some(known) = known.filter(|&known| self.spots[known].writes || !writes) {
            return Some(known);
        }
        self.is_new = true;
        let (pin, images) = Pin::there(device, space, &array.allocation, &array.section)?;
        let memory = images.find(space).map(|image| Arc::clone(&image.memory));
        let is_alone = !writes || !images.is_elsewhere(space, &array.section);
        images.after(space, &array.section, writes, &mut order.after);
        // Dropped last, the pin takes the lock too.
        drop(images);
        let memory = memory.filter(|_| is_alone)?;
        if let Some(known) = known {
            self.spots[known].writes = true;
            return Some(known);
        }
        self.spots.push(Spot { array: array.clone(), memory, writes, _pin: pin });
        Some(self.spots.len() - 1)
    }

    /// Whether one of two launches writes what the other one touches.
    fn follows(&self, before: &Link, uses: Range<usize>) -> bool {
        // What is written comes last, as a rule.
        let (before, uses) = (&self.uses[before.uses.clone()], &self.uses[uses]);
        before.iter().rev().any(|&(a, a_writes)| {
            let mut uses = uses.iter().rev();
            uses.any(|&(b, b_writes)| (a_writes || b_writes) && (a == b || self.overlap(a, b)))
        })
    }

    fn overlap(&self, a: usize, b: usize) -> bool {
        let [a, b] = [a, b].map(|spot| &self.spots[spot].array);
        Arc::ptr_eq(&a.allocation, &b.allocation) && a.section.overlaps(&b.section)
    }

    /// Adds a launch, if it is ready and follows the one before; whether it does.
    fn add(
        &mut self,
        on: On<'_>,
        node: usize,
        work: &mut LaunchNode<'_>,
        order: &mut Order,
    ) -> bool {
        let LaunchNode { bound: Some(bound), .. } = work else { return false };
        let first = self.uses.len();
        for param in &bound.params {
            let (array, use_) = match param {
                BoundParam::Array { array, use_ } => (array, use_),
                BoundParam::Scratch { .. } => return false,
                _ => continue,
            };
            let spot = if self.holders.is_empty() {
                self.spot(on, array, use_.writes, order)
            } else {
                let allocation = Arc::clone(self.holder(&array.allocation));
                let held = ArrayArg { allocation, section: array.section };
                self.spot(on, &held, use_.writes, order)
            };
            let Some(spot) = spot else { return false };
            self.uses.push((spot, use_.writes));
        }
        let uses = first..self.uses.len();
        if self.links.last().is_some_and(|before| !self.follows(before, uses.clone())) {
            return false;
        }
        let (mut used, spots) = (self.uses[uses.clone()].iter(), &self.spots);
        let memories = bound.params.iter().map(move |param| match param {
            BoundParam::Array { .. } => used.next().map(|(spot, _)| &spots[*spot].memory),
            _ => None,
        });
        let Some(prepared) = bound.ready.only(memories) else { return false };
        let (before, prepared) = (self.n_nodes, Arc::clone(prepared));
        self.links.push(Link { node, before, prepared, uses });
        true
    }

    /// Adds a launch, if it goes to the queue of those before it without waiting for another one; for the first one
    /// that is found out.
    fn add_to(
        &mut self,
        (on, queue): (On<'_>, &mut u8),
        node: usize,
        work: &mut LaunchNode<'_>,
        order: &mut Order,
    ) -> bool {
        let (n_links, n_uses, n_spots) = (self.links.len(), self.uses.len(), self.spots.len());
        let after = order.after;
        self.is_new = false;
        let is_one = work.is_one_launch() && self.add(on, node, work, order);
        if n_links == 0 {
            *queue = on.0.compute_queue(order);
        }
        if is_one && !(self.is_new && on.0.waits_elsewhere(*queue, order)) {
            return true;
        }
        self.links.truncate(n_links);
        self.uses.truncate(n_uses);
        self.spots.truncate(n_spots);
        order.after = after;
        false
    }

    /// Adds launches from a node on and up to one, trip by trip and as many as go together; the queue they go to.
    fn gather(
        &mut self,
        nodes: &mut [Node<'_>],
        (on, number): (On<'_>, u16),
        (range, trips, most): (Range<usize>, usize, usize),
        order: &mut Order,
    ) -> u8 {
        let mut queue = 0;
        for _ in 0..trips {
            for node in range.clone() {
                if self.links.len() == most || nodes[node].in_sync {
                    return queue;
                }
                match nodes[node].work() {
                    Work::Launch(work) if work.device == number => {
                        if !self.add_to((on, &mut queue), node, work, order) {
                            return queue;
                        }
                    }
                    Work::Swap { a, b, .. } if !a.allocation.stays() && !b.allocation.stays() => {
                        self.exchange(&a.allocation, &b.allocation);
                        self.swaps.push((self.n_nodes, node));
                    }
                    _ => return queue,
                }
                self.n_nodes += 1;
            }
            if self.swaps.is_empty() && self.goes_round() {
                // The other trips are the same.
                self.trips = trips.min(most / self.links.len());
                return queue;
            }
        }
        queue
    }

    /// Whether the first launch follows the last one.
    fn goes_round(&self) -> bool {
        let ends = self.links.first().zip(self.links.last());
        ends.is_some_and(|(first, last)| self.follows(last, first.uses.clone()))
    }

    /// Submits the launches that were gathered, each with a flight; how many were, and why no more.
    fn submit(
        &mut self,
        (device, queue): (&Arc<Device>, u8),
        more: bool,
        order: &Order,
    ) -> std::result::Result<(usize, Option<DriverError>), DriverError> {
        let Self { links, flights, trips, .. } = self;
        let (n, mut launched, mut failed) = (*trips * links.len(), 0, None);
        let run = |after: &[Ticket]| {
            let all = links.iter().cycle().zip(flights.iter_mut()).take(n);
            let mut last = Ticket::DONE;
            for (Link { prepared, .. }, flight) in all {
                // What comes before the first one comes before those that follow it.
                let after = if launched == 0 { after } else { &[] };
                let (prepared, more) = (Arc::clone(prepared), more || launched + 1 < n);
                // SAFETY: it was made from this binding, of which nothing else can differ, and for these memories.
                // Binding checked kinds, types and ranks, that own places differ and that nothing written is
                // touched by another parameter; launches follow each other in one queue. Until it is complete
                // or given up the flight keeps the outcome, and whoever else would touch its images finds it,
                // or one behind it, among their uses. None of them reduces (`is_one_launch`).
                match unsafe { prepared.submit(queue, &[], &flight.outcome, after, more) } {
                    Ok(ticket) => (flight.sent.ticket, last) = (ticket, ticket),
                    Err(error) if launched == 0 => return Err(error),
                    Err(error) => {
                        failed = Some(error);
                        break;
                    }
                }
                launched += 1;
            }
            Ok(last)
        };
        let sent = device.submit(order, Queue::Compute(queue), run)?;
        for flight in &mut flights[..launched] {
            flight.sent = sent.up_to(flight.sent.ticket);
        }
        Ok((launched, failed))
    }

    /// Notes what so many launches use, each array until the last of them that does, and where elements will be
    /// current.
    fn note_uses(&mut self, space: MemorySpace, n: usize) {
        let m = self.links.len();
        // By spot the last launch that reads it, and the last one that writes it.
        let mut last = SmallVec::<[[Option<usize>; 2]; MOST]>::new();
        last.resize(self.spots.len(), [None; 2]);
        for k in n.saturating_sub(m)..n {
            for &(spot, writes) in &self.uses[self.links[k % m].uses.clone()] {
                last[spot][usize::from(writes)] = Some(k);
            }
        }
        for (Spot { array, memory, .. }, [read, written]) in self.spots.iter().zip(last) {
            let new = |k: usize, usage| {
                image::Use::new((space, memory), self.flights[k].sent, array.section, usage)
            };
            let mut images = array.allocation.images();
            if let Some(k) = written {
                images.will_write(new(k, Usage::Write), None);
            }
            if let Some(k) = read.filter(|&k| written.is_none_or(|written| k > written)) {
                images.add_use(new(k, Usage::Read));
            }
        }
    }
}

impl Ground<'_> {
    /// Submits launches together, two or more of them, from the first node on; nothing, and nothing is done, where
    /// the first ones do not go together. An error is one of exchanging arrays, and final.
    pub(super) fn chain(
        &self,
        nodes: &mut [Node<'_>],
        wanted: Wanted<'_>,
        chain: &mut Chain,
    ) -> Option<Result<Sequel>> {
        let n_ahead = self.rt.options.n_ahead();
        #[cfg(feature = "sabotage")]
        if crate::sabotage::is_on() {
            return None;
        }
        // Each launch has moments of its own where somebody asks for them.
        let is_told = self.rt.recorder.is_some() || LevelFilter::current() >= LevelFilter::TRACE;
        if is_told {
            return None;
        }
        let number = launch(nodes, wanted.nodes.start)?.device;
        let device = &self.rt.devices[usize::from(number)];
        let space = device.space().filter(|_| !device.is_lost())?;
        let on = (usize::from(number), &**device);
        // An error is met again by whoever goes on.
        self.flights.make_room(on, self.accesses, n_ahead).ok()?;
        let most = self.flights.room(on.0, n_ahead).min(n_ahead / PART).min(MOST);
        if most < 2 {
            return None;
        }
        chain.clear();
        let sequel = self.chain_there(nodes, wanted, ((number, device, space), most), chain);
        chain.flights.drain(..).for_each(|flight| self.flights.give_back(on.0, flight));
        chain.clear();
        sequel
    }

    fn chain_there(
        &self,
        nodes: &mut [Node<'_>],
        Wanted { nodes: range, trips: left, follows }: Wanted<'_>,
        ((number, device, space), most): ((u16, &Arc<Device>, MemorySpace), usize),
        chain: &mut Chain,
    ) -> Option<Result<Sequel>> {
        let mut order = Order { epoch: device.epoch(), ..Order::default() };
        let (on, trips) = ((device, space), usize::try_from(left).unwrap_or(most).min(most));
        let len = range.len();
        let queue = chain.gather(nodes, (on, number), (range, trips, most), &mut order);
        let m = chain.links.len();
        let n = chain.trips * m;
        if n < 2 {
            return None;
        }
        let last = chain.links.last()?.node;
        let n_nodes = chain.trips * chain.n_nodes;
        let goes_round = n_nodes.is_multiple_of(len) && left > (n_nodes / len) as u64;
        let more = goes_round || follows(nodes, last);
        let site = launch(nodes, last)?.stage.site;
        self.flights.spares((usize::from(number), n), site, &mut chain.flights);
        let submitted = chain.submit((device, queue), more, &order);
        let (launched, refused) = submitted.unwrap_or_else(|error| (0, Some(error)));
        if launched > 0 {
            chain.note_uses(space, launched);
        }
        // Images are where they were found until arrays are exchanged.
        chain.spots.clear();
        let next = chain.links.get(launched % m).filter(|_| launched < n);
        let next = next.map(|link| (link.node, launched / m * chain.n_nodes + link.before));
        let failed = refused.zip(next).and_then(|(error, (node, _))| {
            let stage = &launch(nodes, node)?.stage;
            let error = not_launched(stage, device, (0, device.refused(error)));
            // Whoever goes on finds another device for it.
            if cannot_begin(&error) {
                return None;
            }
            let mut turn =
                Turn { node: node as u32, again: error.is_given_up(), ..Turn::blocking() };
            let error = self.failed(stage, usize::from(number), error, &mut turn);
            Some((error, turn.again))
        });
        let done = next.map_or(n_nodes, |(_, before)| before);
        let sequel = Sequel { nodes: done, failed };
        match self.note_flights(nodes, (number, launched), (chain, done)) {
            Ok(()) => (done > 0 || sequel.failed.is_some()).then_some(Ok(sequel)),
            Err(error) => Some(Err(error)),
        }
    }

    /// Notes what was submitted, and exchanges arrays where that has its turn, among so many nodes.
    fn note_flights(
        &self,
        nodes: &mut [Node<'_>],
        (number, launched): (u16, usize),
        (chain, done): (&mut Chain, usize),
    ) -> Result<()> {
        let Chain { links, flights, swaps, .. } = chain;
        let swaps = &swaps[..swaps.partition_point(|(before, _)| *before < done)];
        // Those before an exchange cannot run again after it, as it is now whose arrays are whose.
        let first = swaps
            .last()
            .map_or(0, |(last, _)| links[..launched].partition_point(|link| link.before < *last));
        let mut begun = links.iter().cycle().zip(flights.drain(..launched));
        let mut add = |nodes: &mut [Node<'_>], n: usize| {
            let begun = begun.by_ref().take(n).map(|(Link { node, prepared, .. }, mut flight)| {
                // It is the same in each trip, so nobody asks for the variables of loops.
                (flight.node, flight.arrangement) = (*node as u32, 0);
                flight.place.clear();
                if let Work::Launch(LaunchNode { stage, bound: Some(bound), stat, .. }) =
                    nodes[*node].work()
                {
                    flight.is_of(stage, bound, prepared.notes());
                    flight.did = Did::Launch(*stat as usize, bound.bytes);
                }
                flight
            });
            self.flights.add_all(usize::from(number), begun);
        };
        add(nodes, first);
        let mut exchanged = Ok(());
        for &(_, node) in swaps {
            exchanged = exchanged.and_then(|()| self.swap(nodes[node].work()));
            exchanged =
                exchanged.map_err(|error| error.within(control::at(node, nodes[node].work())));
        }
        add(nodes, launched - first);
        exchanged
    }
}
