//! Loops that a device runs by itself: a `while` whose trips are the same launches on the same memories, and
//! whose condition reads what the device has. The host looks at the condition before such a loop and after
//! it. It makes no trip on its own: where a device cannot, whoever asks goes on.
#![allow(unsafe_code, reason = "starts what binding has validated")]

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use super::bind::BoundLaunch;
use super::dispatch::settle;
use super::flights::Flight;
use super::leaf::{Did, Ground};
use super::outcome;
use super::place::{Held, Memories, Moved, find_there, move_back, note_uses};
use super::ready::Ready;
use crate::arg::ArrayArg;
use crate::backend::{DynMemory, Prepared, Queue, Repeat, Test, Ticket};
use crate::device::{Device, DeviceImage, Order, Pin};
use crate::env::Env;
use crate::error::{Error, Result};
use crate::image::{self, DeviceMemory, MemorySpace, Usage};
use crate::pipeline::{Kind, LaunchNode, Node, Work};
use crate::progress::{self, Sent};
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
    /// Its device made so many trips; what each of its launches did in all of them.
    Trips(u64, Vec<Did>),
    /// Nothing, but it may yet.
    NotNow,
    /// Nothing, as its launches or its condition are not for that.
    Never,
}

/// A launch of the loop, all of whose arrays are in place.
struct Part {
    node: usize,
    memories: Memories,
    prepared: Arc<dyn Prepared>,
    flight: Box<Flight>,
}

/// Where a loop runs: the number of its device, that, and its memory.
type On<'r> = (usize, &'r Arc<Device>, MemorySpace);

/// The launch that a node is.
fn launch<'n, 'a>(nodes: &'n mut [Node<'a>], at: usize) -> Option<&'n mut LaunchNode<'a>> {
    match nodes[at].work() {
        Work::Launch(node) => Some(node),
        _ => None,
    }
}

/// What is kept of the first launch of a loop.
fn ready<'n>(nodes: &'n mut [Node<'_>], at: usize) -> Option<&'n mut Ready> {
    Some(&mut launch(nodes, at + 1)?.bound.as_mut()?.ready)
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
        let LaunchNode { stage, bound, lazy, is_plain, device, .. } = launch(nodes, k)?;
        let is_usual = stage.special.as_ref().is_none_or(|special| {
            special.native.is_none() && special.split.is_none() && special.chosen.is_none()
        });
        let is_fixed = |bound: &BoundLaunch| {
            bound.is_constant() && bound.n_phases() == 1 && bound.space.n_items() > 0
        };
        let is_other = number.is_some_and(|number| number != *device);
        if *lazy || *is_plain || !is_usual || is_other || !is_fixed(bound.as_ref()?) {
            return None;
        }
        number = Some(*device);
    }
    let number = usize::from(number?);
    let device = &rt.devices[number];
    let goes = !device.is_lost() && device.backend.repeats(device.ordinal);
    Some((number, device, device.space().filter(|_| goes)?))
}

/// What a `while` asks, where a device can, and how many trips it may make in all.
fn asked(
    nodes: &mut [Node<'_>],
    at: usize,
    env: &Env,
    cells: &mut Vec<ArrayArg>,
) -> Option<(Test, u64)> {
    let Kind::While { level } = nodes[at].kind else { return None };
    let Work::While { cond, limit, .. } = nodes[at].work() else { return None };
    let test = cond.for_device(env, level as usize, cells)?;
    Some((test, limit.fixed()?))
}

/// Whether the trips of a `while` may be made by a device, as far as that shows before it runs.
pub(super) fn may(rt: &Shared, nodes: &mut [Node<'_>], at: usize) -> bool {
    device_of(rt, nodes, at).is_some() && asked(nodes, at, &Env::new(), &mut Vec::new()).is_some()
}

impl Ground<'_> {
    /// Lets a device make the trips of the `while` at a node, of which there were `turns`; its condition
    /// holds. An error comes with whether it may be tried again.
    pub(super) fn repeat(
        &self,
        nodes: &mut [Node<'_>],
        at: usize,
        (env, turns): (&Env, u64),
    ) -> Result<Went, (Error, bool)> {
        let Some(on) = device_of(self.rt, nodes, at) else { return Ok(Went::Never) };
        if turns < FIRST && !ready(nodes, at).is_some_and(|ready| ready.goes_round) {
            return Ok(Went::NotNow);
        }
        let mut cells = Vec::new();
        let Some((test, most)) = asked(nodes, at, env, &mut cells) else { return Ok(Went::Never) };
        let most = most.saturating_sub(turns);
        self.drain(nodes).map_err(|error| (error, false))?;
        if self.flights.has_failed() || most == 0 {
            return Ok(Went::NotNow);
        }
        let most = u32::try_from(most).unwrap_or(MOST).min(MOST);
        let (mut pins, mut order) = (Vec::new(), Order { epoch: on.1.epoch(), ..Order::default() });
        let there = self.parts(nodes, at, on, (&mut pins, &mut order));
        let mut parts = match there {
            Ok(parts) => parts,
            Err(parts) => {
                self.give_all_back(on.0, parts);
                return Ok(Went::NotNow);
            }
        };
        let went = self.repeat_there(nodes, on, (&mut parts, pins, &order), (&test, &cells, most));
        self.give_all_back(on.0, parts);
        went
    }

    fn give_all_back(&self, number: usize, parts: Vec<Part>) {
        parts.into_iter().for_each(|part| self.flights.give_back(number, part.flight));
    }

    /// The launches of a loop with their arrays, where all of those are on the device, and in the memory
    /// that the launches were made ready for; else those up to the first other one.
    fn parts(
        &self,
        nodes: &mut [Node<'_>],
        at: usize,
        (number, device, space): On<'_>,
        (pins, order): (&mut Vec<Pin>, &mut Order),
    ) -> std::result::Result<Vec<Part>, Vec<Part>> {
        let mut parts = Vec::new();
        for node in at + 1..nodes[at].end() {
            let Some(LaunchNode { stage, bound: Some(bound), .. }) = launch(nodes, node) else {
                return Err(parts);
            };
            let (mut left, mut held) = (Moved::new(), Held::default());
            let mut own_order = Order { epoch: order.epoch, ..Order::default() };
            let to = (&mut held, &mut own_order, &mut left);
            if find_there(bound, (device, space), to).is_none() {
                return Err(parts);
            }
            // Nothing is under way, so no image is given other memory.
            if !left.is_empty() {
                move_back(bound, space, &mut left);
                return Err(parts);
            }
            let memories = held.memories;
            pins.extend(held.pins);
            progress::join(&mut order.after, &own_order.after);
            let ready = bound.ready.find(&memories);
            let prepared = ready.and_then(|phases| phases.first().cloned().flatten());
            let Some(prepared) = prepared else { return Err(parts) };
            let flight = self.flights.spare(number, stage.site);
            parts.push(Part { node, memories, prepared, flight });
        }
        Ok(parts)
    }

    /// Submits a loop and waits for its end.
    fn repeat_there(
        &self,
        nodes: &mut [Node<'_>],
        (_, device, space): On<'_>,
        (parts, mut pins, order): (&mut [Part], Vec<Pin>, &Order),
        (test, cells, most): (&Test, &[ArrayArg], u32),
    ) -> Result<Went, (Error, bool)> {
        let mut order = *order;
        let mut images = Vec::with_capacity(cells.len());
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
        let repeat = Repeat { launches: &launches, test, cells: &memories, most, trips: &trips };
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
            (error, again)
        };
        let first = parts.first().map_or(0, |part| part.node);
        let sent = match sent {
            Ok(sent) if sent.ticket.is_done() => return Ok(Went::NotNow),
            Ok(sent) => sent,
            Err(why) => return Err(error(first, nodes, device.refused(why))),
        };
        self.note_uses_of(nodes, space, (parts, sent), (cells, &images));
        drop((pins, images));
        let waited = device.wait(&sent);
        device.sweep();
        if let Err(given_up) = waited {
            let why = device.failure(&sent).unwrap_or(given_up);
            return Err(error(first, nodes, why));
        }
        let trips = trips.load(Ordering::Relaxed);
        let mut failed = None;
        let mut did = Vec::with_capacity(parts.len());
        for Part { node, flight, .. } in &*parts {
            let Some(LaunchNode { stage, bound: Some(bound), stat, .. }) = launch(nodes, *node)
            else {
                continue;
            };
            did.push(Did::Launch(*stat as usize, trips.saturating_mul(bound.bytes)));
            if !flight.outcome.is_ok() {
                // Those of its images look at it too.
                settle(self.accesses);
                let of = (stage.kernel, stage.site);
                let found = outcome::check(of, bound.numbering(), &bound.slots, &flight.outcome);
                failed = failed.or(found.err());
            }
        }
        match failed {
            Some(error) => Err((error, false)),
            None => {
                if let Some(first) = parts.first() {
                    ready(nodes, first.node - 1)
                        .into_iter()
                        .for_each(|ready| ready.goes_round = true);
                }
                Ok(Went::Trips(trips, did))
            }
        }
    }

    /// Notes what a loop uses, and where elements will be current.
    fn note_uses_of(
        &self,
        nodes: &mut [Node<'_>],
        space: MemorySpace,
        (parts, sent): (&mut [Part], Sent),
        (cells, images): (&[ArrayArg], &[Arc<dyn DeviceMemory>]),
    ) {
        for Part { node, memories, flight, .. } in parts {
            flight.sent = sent;
            if let Some(LaunchNode { bound: Some(bound), .. }) = launch(nodes, *node) {
                note_uses(bound, (space, memories), flight);
            }
        }
        for (cell, image) in cells.iter().zip(images) {
            let read = image::Use::new((space, image), sent, cell.section, Usage::Read);
            cell.allocation.images().add_use(read);
        }
    }
}
