//! A launch that is split: its parts on their devices, phase by phase, and again on another one where
//! a device is lost, fails or is late. Where the parts are cut is decided elsewhere.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use super::bind::{BoundLaunch, BoundParam};
use super::division::Division;
use super::flight::Flight;
use super::leaf::{Did, Ground, Turn, cannot_begin};
use super::split::{self, Part, Shares};
use super::{dispatch, reduce};
use crate::allocation::Copies;
use crate::arg::ArrayArg;
use crate::backend::Operation;
use crate::descriptor::KernelDescriptor;
use crate::device::{Errand, MovedFor};
use crate::error::{Error, Result};
use crate::mutex::lock;
use crate::section::Section;
use crate::stage::LaunchStage;

/// A part is late after this many times what was predicted for it, and that much more.
pub(super) const LATE: u32 = 2;
pub(super) const PATIENCE: Duration = Duration::from_millis(1);

impl Ground<'_> {
    /// Runs a launch in parts, to its end; `None` where it cannot be split, and nothing has run.
    pub(super) fn launch_in_parts(
        &self,
        (stage, bound, stat): (&LaunchStage<'_>, &mut BoundLaunch, usize),
        shares: &Shares,
        turn: &mut Turn<'_>,
    ) -> Result<Option<Did>> {
        if bound.space.n_items() == 0 {
            return Ok(None);
        }
        // Parts share what is in the host's memory on every device.
        dispatch::place_values(stage, bound)?;
        bound.note_values()?;
        let (mut boxes, mut division) = (Vec::new(), Division::of(stage.kernel, bound, shares));
        division.check(stage, bound)?;
        let mut parts = division.parts(stage, bound, (0, &mut boxes))?;
        if parts.is_none() && bound.n_phases() == 1 {
            bound.division = Some(division);
            return Ok(None);
        }
        // What fails here is to take nothing along that another node has under way.
        for (number, device) in self.rt.devices.iter().enumerate() {
            if device.space().is_some() {
                self.flights.retire((number, device), self.accesses, 0)?;
            }
        }
        let of = (turn.node as usize, stage.kernel.name);
        let moved = MovedFor::begin();
        let mut run = Run::new(self, stage, (of.0, bound.reduces));
        for phase in 0..bound.n_phases() {
            if phase > 0 {
                parts = division.parts(stage, bound, (phase, &mut boxes))?;
            }
            let parts = match parts.take() {
                Some(parts) => parts,
                None => vec![division.whole(stage, bound, (phase, &mut boxes))?],
            };
            match shares.chunk {
                Some(_) if parts.len() > 1 => run.claimed(parts, shares)?,
                // Whether one is late is seen by who waits for it.
                _ if run.may_be_late || bound.n_phases() == 1 => run.parts(parts)?,
                _ => run.ahead(phase, parts)?,
            }
        }
        run.land()?;
        self.divided.moved(of, &self.rt.devices, moved);
        bound.division = Some(division);
        reduce::finish_all(stage, bound)?;
        Ok(Some(Did::Launch(stat, bound.bytes)))
    }
}

/// A launch in parts that is under way.
pub(super) struct Run<'r, 'g> {
    pub(super) ground: &'r Ground<'g>,
    pub(super) stage: &'r LaunchStage<'r>,
    pub(super) node: usize,
    /// Its number among all that are under way.
    pub(super) number: u64,
    /// Whether a part may run again, on another device, before it has ended on this one.
    pub(super) may_be_late: bool,
    start: Instant,
    /// Parts of phases that were submitted and that nobody has waited for, in order.
    pub(super) under_way: Vec<Attempt>,
    /// When each device has ended what it has got of the launch, as far as that is known, in
    /// nanoseconds.
    pub(super) ends: Vec<u64>,
    /// What did not come to its end.
    pub(super) failed: Vec<(Attempt, Error)>,
}

/// A part on its way.
pub(super) struct Attempt {
    /// Its phase, where several are under way, and its number in it.
    pub(super) number: (usize, usize),
    pub(super) part: Part,
    pub(super) flight: Option<Box<Flight>>,
    /// How long it takes with all that its device has to do before, if that is known.
    pub(super) predicted: Option<Duration>,
    /// When it began, as far as that is known.
    pub(super) since: Duration,
    /// The devices that it did not end on.
    asked: Vec<usize>,
}

impl Attempt {
    pub(super) fn new((number, part): (usize, Part)) -> Self {
        let (since, number) = (Duration::ZERO, (0, number));
        Self { number, part, flight: None, predicted: None, since, asked: Vec::new() }
    }
}

impl<'r, 'g> Run<'r, 'g> {
    pub(super) fn new(
        ground: &'r Ground<'g>,
        stage: &'r LaunchStage<'r>,
        (node, reduces): (usize, bool),
    ) -> Self {
        // Relaxed: it only has to be another one. 0 is for what is not in parts.
        static NEXT: AtomicU64 = AtomicU64::new(1);
        // Partial results of all parts are in the same memory of the host.
        let may_be_late = stage.kernel.flags.idempotent && !reduces;
        Self {
            ground,
            stage,
            node,
            number: NEXT.fetch_add(1, Ordering::Relaxed),
            may_be_late,
            start: Instant::now(),
            under_way: Vec::new(),
            ends: vec![0; ground.rt.devices.len()],
            failed: Vec::new(),
        }
    }

    /// Meets the ends of all phases; what failed runs again, one phase after the other.
    pub(super) fn land(&mut self) -> Result<()> {
        for attempt in std::mem::take(&mut self.under_way) {
            self.finish(attempt);
        }
        self.until_done(Vec::new(), Vec::new())
    }

    /// Runs the parts of a phase at once. One whose device is lost, fails or is late, or cannot run it,
    /// runs on another one, as far as that may be and what it reads is still there.
    fn parts(&mut self, parts: Vec<Part>) -> Result<()> {
        let mut attempts: Vec<Attempt> = parts.into_iter().enumerate().map(Attempt::new).collect();
        self.avoid(&mut attempts);
        self.until_done(attempts, Vec::new())
    }

    /// Runs parts until all of them have ended, beside those that are `done`.
    pub(super) fn until_done(
        &mut self,
        mut left: Vec<Attempt>,
        mut done: Vec<Attempt>,
    ) -> Result<()> {
        let devices = &self.ground.rt.devices;
        loop {
            while self.failed.is_empty()
                && let Some(phase) = left.first().map(|first| first.number.0)
            {
                let n = left.iter().take_while(|attempt| attempt.number.0 == phase).count();
                let rest = left.split_off(n);
                done.extend(self.attempts(left));
                left = rest;
            }
            // What a device had done before it was lost has gone with it.
            let is_lost = |attempt: &mut Attempt| devices[attempt.part.device].is_lost();
            let gone: Vec<Attempt> = done.extract_if(.., is_lost).collect();
            self.failed.extend(gone.into_iter().map(|attempt| {
                let error = devices[attempt.part.device].loss(self.stage.kernel.name);
                (attempt, error)
            }));
            if self.failed.is_empty() {
                return Ok(());
            }
            let (_, overtaken) = dispatch::bury(self.ground.accesses, Some(self.number));
            // The error of the first part, as if they had run one after the other.
            self.failed.sort_by_key(|(attempt, _)| attempt.number);
            for (mut attempt, error) in std::mem::take(&mut self.failed) {
                attempt.asked.push(attempt.part.device);
                if !self.may_run_again(&attempt, &error, overtaken) {
                    return Err(error);
                }
                let Some(next) = self.next(&attempt) else { return Err(error) };
                self.hand_over(&mut attempt, next, error);
                left.push(attempt);
            }
            left.sort_by_key(|attempt| attempt.number);
        }
    }

    /// Whether what did not come to its end may run again.
    fn may_run_again(&self, attempt: &Attempt, error: &Error, overtaken: bool) -> bool {
        if cannot_begin(error) || matches!(error, Error::Late { .. }) {
            return true;
        }
        let is_lost = self.ground.rt.devices[attempt.part.device].is_lost();
        let is_again = is_lost || (self.stage.kernel.flags.idempotent && error.is_of_device());
        is_again && !overtaken
    }

    /// The device that takes over a part.
    fn next(&self, attempt: &Attempt) -> Option<usize> {
        let (devices, from) = (&self.ground.rt.devices, attempt.part.device);
        (1..devices.len()).map(|n| (from + n) % devices.len()).find(|&next| {
            let is_behind = || self.may_be_late && devices[next].is_behind().is_some();
            let may_run = self.stage.allows(next) && !attempt.asked.contains(&next);
            let kernel = self.stage.kernel;
            may_run && devices[next].has_code(kernel) && !devices[next].is_lost() && !is_behind()
        })
    }

    fn hand_over(&self, attempt: &mut Attempt, next: usize, error: Error) {
        let devices = &self.ground.rt.devices;
        let at = (self.node, self.stage.kernel.name);
        self.ground.falls.note(at, (&devices[attempt.part.device], &devices[next]), error);
        attempt.part.device = next;
    }

    /// Gives nothing to devices that are still at what others have done for them.
    fn avoid(&self, attempts: &mut [Attempt]) {
        for attempt in attempts.iter_mut().filter(|_| self.may_be_late) {
            let behind = self.ground.rt.devices[attempt.part.device].is_behind();
            if let (Some(error), Some(next)) = (behind, self.next(attempt)) {
                self.hand_over(attempt, next, error);
            }
        }
    }

    pub(super) fn now(&self) -> Duration {
        self.ground.rt.clock.as_ref().map_or_else(|| self.start.elapsed(), |clock| clock.now())
    }

    /// Starts parts and meets their ends; those that have come to one.
    fn attempts(&mut self, mut attempts: Vec<Attempt>) -> Vec<Attempt> {
        let devices = &self.ground.rt.devices;
        let mut busy = vec![Some(Duration::ZERO); devices.len()];
        let brought = self.bring_all(&attempts);
        for (attempt, brought) in attempts.iter_mut().zip(brought) {
            let number = attempt.part.device;
            let copies = devices[number].copy_time(Operation::Upload(brought));
            let lasts = attempt.part.lasts.map(|lasts| lasts + Duration::from_nanos(copies));
            busy[number] = busy[number].zip(lasts).map(|(before, lasts)| before + lasts);
            attempt.predicted = busy[number];
        }
        let since = self.now();
        let (mut under_way, mut done) = (Vec::new(), Vec::new());
        // Whoever runs in the call comes last.
        attempts.sort_by_key(|attempt| devices[attempt.part.device].space().is_none());
        for mut attempt in attempts {
            attempt.since = since;
            match self.start(attempt) {
                Some(attempt) if attempt.flight.is_some() => under_way.push(attempt),
                ended => done.extend(ended),
            }
        }
        let mut late = Vec::new();
        for attempt in under_way {
            match self.is_late(&attempt) {
                true => late.push(attempt),
                false => done.extend(self.finish(attempt)),
            }
        }
        for attempt in late {
            done.extend(self.finish_or_leave(attempt));
        }
        done
    }

    /// Starts a part, or runs it; nothing where it fails.
    pub(super) fn start(&mut self, mut attempt: Attempt) -> Option<Attempt> {
        let Ground { rt, flights, accesses, .. } = *self.ground;
        let Part { device: number, bound, is_checked, home, .. } = &mut attempt.part;
        let how = (accesses, rt.options.n_ahead(), rt.options.check_all || *is_checked);
        let (number, device) = (*number, &rt.devices[*number]);
        let started = match device.space() {
            None => {
                let done = dispatch::on_host(self.stage, bound, device, how.2);
                done.inspect(|()| self.note_end(number, bound.n_items()))
            }
            Some(space) => {
                let mut flight = flights.spare(number, self.stage.site);
                flight.owner = self.number;
                let on = (device, space);
                if let Some(home) = home {
                    bound.ready = std::mem::take(&mut *lock(home));
                }
                let submitted = dispatch::submit(self.stage, bound, on, how, &mut flight);
                if let Some(home) = home {
                    *lock(home) = std::mem::take(&mut bound.ready);
                }
                match submitted {
                    Ok(_) => {
                        attempt.flight = Some(flight);
                        Ok(())
                    }
                    Err(error) => {
                        flights.give_back(number, flight);
                        Err(error)
                    }
                }
            }
        };
        match started {
            Ok(()) => Some(attempt),
            Err(error) => {
                let error = split::not_held(self.stage, &attempt.part.bound, error);
                self.failed.push((attempt, error));
                None
            }
        }
    }

    /// Waits for a part as long as one should; whether it has not ended by then.
    fn is_late(&self, attempt: &Attempt) -> bool {
        let (Some(flight), Some(predicted)) = (&attempt.flight, attempt.predicted) else {
            return false;
        };
        if !self.may_be_late {
            return false;
        }
        let limit = attempt.since + predicted * LATE + PATIENCE;
        let left = limit.saturating_sub(self.now());
        // What went wrong is seen by who finishes it.
        self.ground.rt.devices[attempt.part.device].wait_for(&flight.sent, left).is_ok_and(|is| !is)
    }

    /// Meets the end of a part; nothing where that is a failure.
    pub(super) fn finish(&mut self, mut attempt: Attempt) -> Option<Attempt> {
        let Some(mut flight) = attempt.flight.take() else { return Some(attempt) };
        let number = attempt.part.device;
        let on = (&self.ground.rt.devices[number], self.ground.accesses);
        let done = dispatch::finish(self.stage, &mut attempt.part.bound, on, &mut flight);
        self.ground.flights.give_back(number, flight);
        match done {
            Ok(()) => {
                self.note_end(number, attempt.part.bound.n_items());
                Some(attempt)
            }
            Err(error) => {
                let error = split::not_held(self.stage, &attempt.part.bound, error);
                self.failed.push((attempt, error));
                None
            }
        }
    }

    /// Notes that a part of so many items has ended on a device.
    fn note_end(&self, device: usize, items: usize) {
        self.ground.divided.ran((self.node, self.stage.kernel.name), device, items);
    }

    /// Lets a part run elsewhere that is late, where another device can do it; else waits for it.
    #[cold]
    pub(super) fn finish_or_leave(&mut self, mut attempt: Attempt) -> Option<Attempt> {
        let device = &self.ground.rt.devices[attempt.part.device];
        let asked = attempt.asked.len();
        attempt.asked.push(attempt.part.device);
        let can_leave = self.next(&attempt).is_some() && self.could_run_elsewhere(&attempt);
        attempt.asked.truncate(asked);
        let (Some(flight), Some(predicted)) = (&attempt.flight, attempt.predicted) else {
            return self.finish(attempt);
        };
        // The host's memory has to be free of it, and meanwhile it may have ended.
        let is_under_way = can_leave
            && device.wait_for_uploads(&flight.sent).is_ok()
            && device.wait_for(&flight.sent, Duration::ZERO).is_ok_and(|is| !is);
        let Some(space) = device.space().filter(|_| is_under_way) else {
            return self.finish(attempt);
        };
        let waited = self.now().saturating_sub(attempt.since);
        let (device_name, kernel) = (device.name().to_owned(), self.stage.kernel.name);
        let error = Error::Late { device: device_name, kernel, predicted, waited };
        for (array, _) in attempt.part.bound.params.iter().filter_map(BoundParam::array) {
            array.allocation.images().leave(space, &flight.sent);
        }
        if let Some(flight) = attempt.flight.take() {
            device.leave(flight.sent, flight.outcome.clone(), error.clone());
            self.ground.flights.give_back(attempt.part.device, flight);
        }
        self.failed.push((attempt, error));
        None
    }

    /// Whether what a part under way has to find is somewhere else too.
    fn could_run_elsewhere(&self, attempt: &Attempt) -> bool {
        let Part { device, bound, .. } = &attempt.part;
        let space = self.ground.rt.devices[*device].space();
        let (Some(space), Some(flight)) = (space, &attempt.flight) else { return false };
        bound.params.iter().enumerate().all(|(k, param)| match param.array() {
            Some((array, use_)) if use_.writes && use_.reads => {
                let written = bound.written(k, array);
                array.allocation.images().could_run_elsewhere(space, &flight.sent, &written)
            }
            _ => true,
        })
    }

    /// Brings what parts read, so that none waits for another one that overwrites its elements; how
    /// many bytes each. What goes from one device to another is on its way for all of them at once, there
    /// or to the host.
    pub(super) fn bring_all(&self, attempts: &[Attempt]) -> Vec<u64> {
        let (mut copies, mut between) = (Copies::new(), vec![0; attempts.len()]);
        for (Attempt { part, .. }, moved) in attempts.iter().zip(&mut between) {
            let space = self.ground.rt.devices[part.device].space();
            for (array, name) in read_by(&part.bound, self.stage.kernel) {
                let _errand = (Errand::argument(name), space.map(|_| Errand::between_devices()));
                let missing = array.allocation.images().only_elsewhere(space, &array.section);
                for range in missing.iter() {
                    let section = Section::of_range(&range);
                    // What goes wrong is seen when the part is submitted.
                    let comes = space.is_some_and(|space| {
                        let allocation = &array.allocation;
                        let begun = allocation.begin_between(space, &section, (&mut copies, moved));
                        begun.unwrap_or(false)
                    });
                    if !comes {
                        let _ = array.allocation.begin_to_host(&section, &mut copies);
                    }
                }
            }
        }
        copies.iter().for_each(|(memory, sent)| drop(memory.wait(sent)));
        let brought = attempts.iter().map(|attempt| self.bring(&attempt.part));
        brought.zip(between).map(|(by_host, between)| by_host + between).collect()
    }

    /// Brings what a part reads; how many bytes. What goes wrong is seen when the part is submitted.
    pub(super) fn bring(&self, part: &Part) -> u64 {
        let space = self.ground.rt.devices[part.device].space();
        let mut moved = 0;
        for (array, name) in read_by(&part.bound, self.stage.kernel) {
            let _errand = Errand::argument(name);
            let brought = match space {
                Some(space) => array.allocation.to_memory(space, &array.section),
                None => array.allocation.to_host(&array.section),
            };
            moved += brought.unwrap_or(0);
        }
        moved
    }
}

/// The arrays that a part reads and that are in several memories, with the names of the parameters.
pub(super) fn read_by<'b>(
    bound: &'b BoundLaunch,
    kernel: &'static KernelDescriptor,
) -> impl Iterator<Item = (&'b ArrayArg, &'static str)> {
    bound.params.iter().zip(kernel.params).filter_map(|(param, desc)| match param {
        BoundParam::Array { array, use_ } if use_.reads && array.allocation.has_images() => {
            Some((array, desc.name))
        }
        _ => None,
    })
}
