//! What a run has submitted to devices and not seen the end of. Launches are submitted one after the
//! other, ordered by what they touch, and nobody waits between them; here their ends are met, in
//! order, and what a device has given up runs again elsewhere. It submits nothing itself.

#[cfg(all(test, loom))]
mod models;
mod numbers;

use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, LazyLock, Mutex, PoisonError};
use std::time::{Duration, Instant};

use self::numbers::Numbers;
use super::flight::{Flight, Place, Spares};
use super::leaf::{Did, Ground, Turn};
use super::plain::Scratch;
use super::rows::Rows;
use super::world::World;
use super::{dispatch, outcome};
use crate::access::Access;
use crate::device::Device;
use crate::entry::Outcome;
use crate::error::{DriverErrorKind, Error, Result, Site};
use crate::mutex::lock;
use crate::pipeline::{Node, Work};
use crate::progress::{Sent, Verdict};
use crate::sync::RwLockReadGuard;

#[derive(Debug, Default)]
struct Line {
    queue: VecDeque<Box<Flight>>,
    /// Memory of flights that have ended.
    spare: Spares,
    /// When the last one ended.
    last: Option<Instant>,
}

/// What a run has submitted, by device; kept from run to run for its memory.
#[derive(Debug, Default)]
pub(crate) struct Flights {
    lines: Vec<Mutex<Line>>,
    world: World,
    numbers: Numbers,
    /// Lets nothing further begin, soon; what has failed is behind a lock.
    failed: AtomicBool,
    failures: Mutex<Vec<(Place, Error)>>,
    rows: Mutex<Rows>,
}

/// A flight to be filled in.
fn fresh(spare: Option<Box<Flight>>, site: Site) -> Box<Flight> {
    let mut flight = spare.unwrap_or_else(|| Box::new(Flight::new(site)));
    // Also a use of an image may know it, until somebody looks there.
    if Arc::get_mut(&mut flight.outcome).is_none() {
        flight.outcome = Arc::new(Outcome::new());
    }
    (flight.site, flight.owner, flight.more) = (site, 0, false);
    flight
}

/// Those of runs whose devices all use the memory of the host.
pub(super) static NOTHING: LazyLock<Flights> = LazyLock::new(Flights::default);

impl Flights {
    /// Prepares a run on so many devices; none where all of them use the memory of the host.
    pub(super) fn prepare(&mut self, n_devices: usize, rows: &Rows) {
        self.lines.resize_with(n_devices, Mutex::default);
        for line in &mut self.lines {
            line.get_mut().unwrap_or_else(PoisonError::into_inner).last = None;
        }
        if n_devices > 0 {
            self.rows.get_mut().unwrap_or_else(PoisonError::into_inner).like(rows);
            *self.failed.get_mut() = false;
        }
    }

    /// Whether anything is submitted without waiting for it.
    #[inline]
    pub(super) fn is_used(&self) -> bool {
        !self.lines.is_empty()
    }

    /// Whether something has failed after its submission.
    #[inline]
    pub(super) fn has_failed(&self) -> bool {
        self.failed.load(Ordering::Relaxed)
    }

    /// Whether a device has given up something of this run that has not run again yet.
    pub(super) fn has_gone(&self, number: usize, device: &Device) -> bool {
        self.lines.get(number).is_some_and(|line| {
            let line = lock(line);
            line.queue.iter().any(|flight| device.verdict(&flight.sent) != Verdict::Done)
        })
    }

    /// How many launches are under way on a device, if any of them comes before a place.
    fn n_before(&self, number: usize, place: &Place) -> Option<usize> {
        let line = lock(self.lines.get(number)?);
        let mut places = line.queue.iter().map(|flight| flight.place.steps());
        places.any(|steps| steps < place.steps()).then_some(line.queue.len())
    }

    /// Notes that arrays were exchanged.
    pub(super) fn note_swap(&self) {
        if self.is_used() {
            self.numbers.note_exchange();
        }
    }

    /// How often something was run again so far.
    pub(super) fn generation(&self) -> u64 {
        self.world.generation()
    }

    /// Lets this thread do what a node does.
    #[inline]
    pub(super) fn enter(&self) -> Option<RwLockReadGuard<'_, ()>> {
        self.is_used().then(|| self.world.enter())
    }

    /// A flight that is not used, to be filled in.
    pub(super) fn spare(&self, device: usize, site: Site) -> Box<Flight> {
        fresh(self.lines.get(device).and_then(|line| lock(line).spare.pop()), site)
    }

    /// So many that are not used, of one site.
    pub(super) fn spares(&self, (device, n): (usize, usize), site: Site, to: &mut Spares) {
        let Some(line) = self.lines.get(device) else { return };
        let mut line = lock(line);
        to.extend((0..n).map(|_| fresh(line.spare.pop(), site)));
    }

    /// Gives back a flight that did not begin.
    pub(super) fn give_back(&self, device: usize, mut flight: Box<Flight>) {
        flight.slots.clear();
        if let Some(line) = self.lines.get(device) {
            lock(line).spare.push(flight);
        }
    }

    /// Notes what was submitted.
    pub(super) fn add(&self, device: usize, flight: Box<Flight>) {
        self.add_all(device, std::iter::once(flight));
    }

    /// Notes what was submitted, one after the other.
    pub(super) fn add_all(&self, device: usize, flights: impl Iterator<Item = Box<Flight>>) {
        let Some(line) = self.lines.get(device) else { return };
        let mut line = lock(line);
        for mut flight in flights {
            flight.seq = self.numbers.next();
            if flight.place.is_empty() {
                // Whoever goes through the program in its order submits in that order.
                flight.place.push(flight.seq);
            }
            flight.since = line.queue.is_empty().then(Instant::now);
            line.queue.push_back(flight);
        }
    }

    /// Meets the ends of what is complete on a device. Where more than `most` are left it waits for
    /// them, and for some of the others, as each time that it waits costs the same; an error where what
    /// it waits for is given up.
    pub(super) fn retire(
        &self,
        (number, device): (usize, &Device),
        accesses: &[Access],
        most: usize,
    ) -> Result<()> {
        let Some(line) = self.lines.get(number) else { return Ok(()) };
        let mut held = lock(line);
        let mut now = None;
        loop {
            let Some(first) = held.queue.front() else { return Ok(()) };
            match device.verdict(&first.sent) {
                Verdict::Done => {
                    if let Some(flight) = held.queue.pop_front() {
                        flight.measure(device);
                        let now = *now.get_or_insert_with(|| {
                            device.sweep();
                            Instant::now()
                        });
                        self.land(&mut held, (flight, now), accesses);
                    }
                }
                Verdict::Failed => return Err(gone(device, first)),
                Verdict::UnderWay if held.queue.len() <= most => return Ok(()),
                Verdict::UnderWay => {
                    let upto = held.queue.len() - most + most / 2;
                    let mut ahead = held.queue.iter().take(upto).rev().map(|flight| flight.sent);
                    // Of another queue it may be complete.
                    let is_under_way = |sent: &Sent| device.verdict(sent) == Verdict::UnderWay;
                    let sent = ahead.find(is_under_way).unwrap_or(first.sent);
                    drop(held);
                    // What went wrong is seen by the verdict.
                    let _ = device.wait(&sent);
                    held = lock(line);
                    now = None;
                }
            }
        }
    }

    /// Makes room for one more launch, where a device may have so many.
    pub(super) fn make_room(
        &self,
        on: (usize, &Device),
        accesses: &[Access],
        n_ahead: usize,
    ) -> Result<()> {
        self.retire(on, accesses, n_ahead - 1)
    }

    /// How many launches more there may be on a device, which may have so many.
    pub(super) fn room(&self, number: usize, n_ahead: usize) -> usize {
        let line = self.lines.get(number);
        line.map_or(0, |line| n_ahead.saturating_sub(lock(line).queue.len()))
    }

    /// The end of a flight.
    fn land(
        &self,
        line: &mut Line,
        (mut flight, now): (Box<Flight>, Instant),
        accesses: &[Access],
    ) {
        // Of several whose ends are met at once the first one has taken all of the time.
        let took = match line.last.max(flight.since) {
            Some(since) if since != now => now.saturating_duration_since(since),
            _ => Duration::ZERO,
        };
        line.last = Some(now);
        if flight.did != Did::Other {
            lock(&self.rows).count(flight.did, 1, took);
        }
        if !flight.outcome.is_ok()
            && let Some(kernel) = flight.kernel
        {
            // Those of its images look at it too.
            dispatch::settle(accesses);
            let of = (kernel, flight.site);
            let found = outcome::check(of, &flight.numbering, &flight.slots, &flight.outcome);
            if let Err(error) = found {
                self.fail(flight.place, error);
            }
        }
        flight.slots.clear();
        line.spare.push(flight);
    }

    fn fail(&self, place: Place, error: Error) {
        lock(&self.failures).push((place, error));
        self.failed.store(true, Ordering::Relaxed);
    }

    /// What has failed after its submission.
    pub(super) fn take_failures(&self) -> Vec<(Place, Error)> {
        std::mem::take(&mut lock(&self.failures))
    }

    /// Adds what launches took.
    pub(super) fn count(&self, rows: &mut Rows) {
        if self.is_used() {
            rows.add(&lock(&self.rows));
        }
    }

    /// Takes the flights that were given up, in the order of their submission.
    fn take_failed(&self, devices: &[Arc<Device>]) -> Vec<(usize, Box<Flight>)> {
        let mut failed = Vec::new();
        for (number, (line, device)) in self.lines.iter().zip(devices).enumerate() {
            let mut line = lock(line);
            let mut at = 0;
            while at < line.queue.len() {
                match device.verdict(&line.queue[at].sent) {
                    Verdict::Failed => failed.extend(line.queue.remove(at).map(|f| (number, f))),
                    _ => at += 1,
                }
            }
        }
        failed.sort_by_key(|(_, flight)| flight.seq);
        failed
    }
}

/// The first one of the program first. What failed of itself comes before what was given up for it.
pub(super) fn sort(failures: &mut [(Place, Error)]) {
    failures
        .sort_by(|(a, x), (b, y)| (x.is_given_up(), a.steps()).cmp(&(y.is_given_up(), b.steps())));
}

/// The error where something that was submitted is no longer under way.
#[cold]
fn gone(device: &Device, flight: &Flight) -> Error {
    flight.failed(device, device.given_up(Some(&flight.sent)))
}

/// The end of a run: also of one that fails or panics, nothing of it is under way afterwards.
pub(super) struct Landing<'r> {
    pub(super) ground: Ground<'r>,
    /// Whether everything has come to its end.
    pub(super) is_done: bool,
}

impl Landing<'_> {
    /// Meets the ends of all that a walk has submitted; the first error of the program.
    pub(super) fn land(&mut self, nodes: &[Node<'_>], result: Result<()>) -> Result<()> {
        let flights = self.ground.flights;
        let drained = self.ground.drain(nodes);
        self.is_done = drained.is_ok() && result.is_ok();
        // What failed when it had been submitted was there before what failed in its turn, but for
        // what is a consequence.
        let mut failures = flights.take_failures();
        sort(&mut failures);
        let earlier = failures.into_iter().next().map(|(_, error)| error);
        earlier.map_or(result.and(drained), Err)
    }
}

impl Drop for Landing<'_> {
    fn drop(&mut self) {
        let Ground { flights, rt, accesses, .. } = self.ground;
        for (line, device) in flights.lines.iter().zip(&rt.devices) {
            if device.space().is_none() {
                continue;
            }
            if !self.is_done {
                // More than what is in the list: also copies whose launch could not be submitted.
                device.settle();
            }
            device.sweep();
            device.write_down();
            let mut line = lock(line);
            let Line { queue, spare, .. } = &mut *line;
            spare.extend(queue.drain(..).map(|mut flight| {
                flight.slots.clear();
                flight
            }));
        }
        if !self.is_done {
            dispatch::bury(accesses, None);
        }
    }
}

impl Ground<'_> {
    /// Meets the ends of all that is under way for this run and comes before a place.
    pub(super) fn drain_before(&self, nodes: &[Node<'_>], place: &Place) -> Result<()> {
        for (number, device) in self.rt.devices.iter().enumerate() {
            while let Some(n) = self.flights.n_before(number, place) {
                let generation = self.flights.generation();
                let met = self.flights.retire((number, device), self.accesses, n - 1);
                met.or_else(|error| self.recover(nodes, (generation, false), error))?;
            }
        }
        Ok(())
    }

    /// Meets the ends of all that is under way for this run.
    pub(super) fn drain(&self, nodes: &[Node<'_>]) -> Result<()> {
        if !self.flights.is_used() {
            return Ok(());
        }
        for (number, device) in self.rt.devices.iter().enumerate() {
            loop {
                let generation = self.flights.generation();
                match self.flights.retire((number, device), self.accesses, 0) {
                    Ok(()) => break,
                    Err(error) => self.recover(nodes, (generation, false), error)?,
                }
            }
        }
        Ok(())
    }

    /// After an error of a device: nothing if it is worth trying again, as what the device has given
    /// up of this run was run again elsewhere since `generation`, by this thread or another one, or
    /// as nothing of this try is left.
    pub(super) fn recover(
        &self,
        nodes: &[Node<'_>],
        (generation, again): (u64, bool),
        error: Error,
    ) -> Result<()> {
        let flights = self.flights;
        if !flights.is_used() || !error.is_of_device() {
            return Err(error);
        }
        let Some(alone) = flights.world.alone(generation) else {
            // What failed of itself would be forgotten by another try.
            let is_over = error.is_final() || flights.has_failed();
            return if is_over { Err(error) } else { Ok(()) };
        };
        if flights.has_failed() {
            return Err(error);
        }
        // Nothing is under way on a device that is lost, once somebody has asked.
        self.rt.devices.iter().filter(|device| device.is_lost()).for_each(|device| {
            device.settle();
        });
        let failed = flights.take_failed(&self.rt.devices);
        // Takes back what they did to the states of images, too.
        let (found, overtaken) = dispatch::bury(self.accesses, None);
        let Some((number, first)) = failed.first() else {
            if found {
                alone.note();
            }
            return if again { Ok(()) } else { Err(error) };
        };
        let can_run = failed
            .iter()
            .all(|(number, flight)| self.rt.devices[*number].is_lost() && !flight.is_fickle);
        if overtaken || !can_run || flights.numbers.is_before_exchange(first.seq) {
            let device = &self.rt.devices[*number];
            let why = device.failure(&first.sent);
            let why = why.unwrap_or_else(|| device.given_up(Some(&first.sent)));
            let error_of_first = first.failed(device, why);
            flights.fail(first.place, error_of_first.taking(self.given_up(nodes, &failed, 0)));
            return Err(error);
        }
        for (k, (_, flight)) in failed.iter().enumerate() {
            let Some(node) = nodes.get(flight.node as usize) else { continue };
            let since = Instant::now();
            let done = self.as_flown(flight, &mut lock(&node.work), |work| {
                let Work::Launch(node) = work else { return None };
                loop {
                    let place = Place::default;
                    let mut turn = Turn { node: flight.node, place: &place, ..Turn::blocking() };
                    let done = self.launch(node, &flight.env, (&mut turn, &mut Scratch::default()));
                    if done.is_ok() || !turn.again {
                        break Some(done);
                    }
                    dispatch::bury(self.accesses, None);
                }
            });
            match done {
                None => {}
                Some(Ok(did)) => lock(&flights.rows).count(did, 1, since.elapsed()),
                Some(Err(error)) => {
                    let error = error.taking(self.given_up(nodes, &failed, k));
                    flights.fail(flight.place, error.clone());
                    return Err(error);
                }
            }
        }
        alone.note();
        Ok(())
    }
}

impl Error {
    /// Whether it is about a call to a device, so that it may come from what the device failed at
    /// before.
    pub(super) fn is_of_device(&self) -> bool {
        matches!(self, Self::Driver { .. } | Self::DeviceLost { .. } | Self::OutOfMemory { .. })
    }

    /// Whether a call to a device that is still there failed of itself.
    fn is_final(&self) -> bool {
        matches!(self, Self::Driver { .. }) && !self.is_given_up()
    }

    /// Whether it says that something was given up because something else failed.
    pub(crate) fn is_given_up(&self) -> bool {
        matches!(self, Self::Driver { source, .. } if source.kind == DriverErrorKind::GivenUp)
    }
}
