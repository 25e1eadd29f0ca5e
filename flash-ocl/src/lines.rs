//! The queues of a device: what was submitted to each, how far each has come, what failed. Completion
//! is asked of events; nothing relies on a driver that calls back or passes a failure on. Fenced: the
//! records of launches are read here, at the one moment when they may be.
#![allow(unsafe_code, reason = "reads records of launches that are over")]

use std::borrow::Cow;
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use flash_rt::DriverError;
use flash_rt::backend::{Queue, Ticket, Timing};
use flash_rt::error::DriverErrorKind;
use flash_rt::offload::staging::Team;

use crate::cl::{self, Context, Event, Failure, Waits};
use crate::kept::KeptLaunch;
use crate::operation::{Commands, Extras, Line, Operation};
use crate::record::Record;
use crate::staging::{Job, MakeQueue, Missing, Ring};

/// Queues for kernels of each device.
pub(crate) const COMPUTE: u8 = 3;
/// All of them: both for copies too.
pub(crate) const LINES: usize = 2 + COMPUTE as usize;
/// So many moments of operations that are over are kept, of each queue.
const SPANS: usize = 256;
/// So many launches are held back at most.
const AT_ONCE: usize = 32;
/// So long an operation is asked for before its thread sleeps.
const ASK: Duration = Duration::from_micros(20);

#[derive(Debug)]
struct State {
    lines: [Line; LINES],
    /// What failed, until the queues are new.
    failed: Option<DriverError>,
    /// Whether somebody has asked when operations ran.
    is_timed: bool,
    /// The least that the clock of the device was behind ours when something of it was over.
    behind: Option<i128>,
    start: Instant,
    /// Records that nobody uses, of zeros.
    records: Vec<Arc<Record>>,
    /// What was submitted and its driver does not know yet, with the number of its queue and its own.
    held_back: Vec<(usize, u64, Arc<KeptLaunch>)>,
}

/// The queues of a device.
pub(crate) struct Lines {
    name: String,
    make: MakeQueue,
    state: Mutex<State>,
    /// Threads of the copies to the device and from there. Those of one direction may have to wait for
    /// commands that wait for the other one.
    teams: [Team<Job>; 2],
}

impl fmt::Debug for Lines {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Lines").field("device", &self.name).finish_non_exhaustive()
    }
}

/// Events of queues, and numbers.
type Before<'s> = ([Option<Cow<'s, Event>>; LINES], [u64; LINES]);

fn failed(api: &'static str, text: String) -> DriverError {
    DriverError { api, code: -1, text: text.into(), kind: DriverErrorKind::Failed }
}

impl State {
    /// Hands over what was held back.
    fn hand_over(&mut self, name: &str) {
        if self.held_back.is_empty() {
            return;
        }
        // After a failure nothing is submitted; it is given up with all that is under way.
        let mut held_back = std::mem::take(&mut self.held_back);
        let mut refused: Option<DriverError> = None;
        for (at, number, launch) in held_back.drain(..).filter(|_| self.failed.is_none()) {
            let line = &mut self.lines[at];
            let first = line.under_way.front().map_or(number, |operation| operation.number);
            let place = usize::try_from(number - first).ok();
            let operation = place.and_then(|place| line.under_way.get_mut(place));
            let (Some(operation), Some(queue)) = (operation, &line.queue) else { continue };
            // What follows one that was refused does not run either.
            if let Some(error) = &refused {
                operation.cut_short = Some(Box::new(error.clone()));
                continue;
            }
            // SAFETY: as whoever submitted it vouched, until it is complete or given up.
            match unsafe { launch.enqueue(queue, &Waits::none()) } {
                Ok(event) => operation.events.push(event),
                Err(failure) => {
                    let error = refused.insert(failure.on(name)).clone();
                    operation.cut_short = Some(Box::new(error));
                }
            }
        }
        self.held_back = held_back;
        for line in &mut self.lines {
            let Some(queue) = line.queue.as_ref().filter(|_| line.is_held_back) else { continue };
            line.is_held_back = false;
            if let (Err(failure), Some(last)) = (queue.flush(), line.under_way.back_mut()) {
                last.cut_short.get_or_insert_with(|| Box::new(failure.on(name)));
            }
        }
    }

    /// Notes what is over of all queues.
    fn harvest(&mut self, name: &str) {
        self.hand_over(name);
        if self.failed.is_some() {
            return;
        }
        // Nothing counts as complete before what it comes after does, and nothing that has failed does
        // when it is asked once more, as it may have been the asking.
        let (mut goes_on, mut has_failed) = (true, [false; LINES]);
        while goes_on {
            goes_on = false;
            for (at, has_failed) in has_failed.iter_mut().enumerate() {
                if *has_failed {
                    continue;
                }
                let (n, error) = self.lines[at].look(name);
                *has_failed = error.is_some();
                for _ in 0..n {
                    goes_on |= self.take_first(at);
                }
                if self.failed.is_none() {
                    self.failed = error;
                }
            }
        }
    }

    /// Notes that the first operation of a queue is over, if what it comes after is; whether it was.
    fn take_first(&mut self, at: usize) -> bool {
        let Some(first) = self.lines[at].under_way.front() else { return false };
        if first.after.iter().zip(&self.lines).any(|(number, line)| *number > line.done) {
            return false;
        }
        let Some(operation) = self.lines[at].under_way.pop_front() else { return false };
        self.note_span(at, &operation);
        self.lines[at].done = operation.number;
        if let Some(noting) = operation.extras.noting {
            // SAFETY: all commands of the launch are over, and nobody sees that it is done before the
            // lock of this state is free.
            let (record, is_clean) = unsafe { noting.read() };
            if is_clean {
                self.records.push(record);
            }
        }
        true
    }

    /// Has threads begin no part of a copy any more, and returns when they are at none. First of all nothing
    /// waits for a copy any more, as what a thread waits for may.
    fn stop_jobs(&self) {
        let all = || {
            let operations = self.lines.iter().flat_map(|line| &line.under_way);
            operations.filter_map(|operation| operation.job.as_ref())
        };
        all().for_each(|job| job.stop());
        all().for_each(|job| job.give_up());
    }

    fn note_span(&mut self, at: usize, operation: &Operation) {
        if !self.is_timed {
            return;
        }
        let Some((begin, end)) = operation.span() else { return };
        let behind = self.start.elapsed().as_nanos() as i128 - end.as_nanos() as i128;
        self.behind = Some(self.behind.map_or(behind, |known| known.min(behind)));
        let spans = &mut self.lines[at].spans;
        if spans.len() == SPANS {
            spans.pop_front();
        }
        spans.push_back((operation.number, begin, end));
    }
}

impl Lines {
    /// The queues of a device, which are made when they are used.
    pub(crate) fn new(name: &str, make: MakeQueue) -> Self {
        let state = State {
            lines: Default::default(),
            failed: None,
            is_timed: false,
            behind: None,
            start: Instant::now(),
            records: Vec::new(),
            held_back: Vec::new(),
        };
        Self { name: name.to_owned(), make, state: Mutex::new(state), teams: Default::default() }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn unknown(&self, queue: Queue) -> DriverError {
        failed("flash-ocl", format!("`{}` has no queue {queue:?}", self.name))
    }

    /// A record of zeros, if there is one.
    pub(crate) fn record(&self) -> Option<Arc<Record>> {
        self.lock().records.pop()
    }

    /// For what is submitted behind all that was held back, unless something has failed.
    fn open(&self) -> Result<MutexGuard<'_, State>, DriverError> {
        let mut state = self.lock();
        state.hand_over(&self.name);
        match &state.failed {
            Some(error) => Err(error.clone()),
            None => Ok(state),
        }
    }

    /// Makes the queue of a line, which gives its number: also in the place of one that notes no moments, once
    /// somebody has asked for them and nothing is under way in it.
    #[inline]
    fn prepare(&self, state: &mut State, queue: Queue) -> Result<usize, DriverError> {
        let (at, is_timed) = (queue.index(), state.is_timed);
        match state.lines.get_mut(at) {
            Some(line) if line.queue.is_some() && line.is_timed == is_timed => Ok(at),
            Some(line) => self.renew(line, is_timed).map(|()| at),
            None => Err(self.unknown(queue)),
        }
    }

    #[cold]
    fn renew(&self, line: &mut Line, is_timed: bool) -> Result<(), DriverError> {
        if line.queue.is_none() || line.under_way.is_empty() {
            (line.queue, line.is_timed) = (Some((self.make)(is_timed)?), is_timed);
        }
        Ok(())
    }

    /// Submits an operation to a queue, to begin when others are complete.
    pub(crate) fn submit(
        &self,
        queue: Queue,
        after: &[Ticket],
        extras: Extras,
        commands: impl FnOnce(&mut Commands<'_>) -> Result<(), Failure>,
    ) -> Result<Ticket, DriverError> {
        let mut state = self.open()?;
        let at = self.prepare(&mut state, queue)?;
        let submitted = {
            let Some(queue) = &state.lines[at].queue else { return Err(self.unknown(queue)) };
            let (events, numbers) = self.before(&state, (at, false), after)?;
            let mut waits = Waits::none();
            if !events.iter().flatten().all(|event| waits.add(event)) {
                return Err(failed("flash-ocl", format!("{} tickets", after.len())));
            }
            let mut sink = Commands::new(queue, waits);
            let result = commands(&mut sink);
            let events = sink.into_events();
            match result {
                Err(failure) if events.last().is_none() => return Err(failure.on(&self.name)),
                Ok(()) if events.last().is_none() => return Ok(Ticket::DONE),
                result => (events, numbers, result.and_then(|()| queue.flush()).err()),
            }
        };
        let (events, after, failure) = submitted;
        // What is submitted cannot be taken back, so the operation fails later.
        let cut_short = failure.map(|failure| Box::new(failure.on(&self.name)));
        let operation = state.lines[at].push(after, extras);
        (operation.events, operation.cut_short) = (events, cut_short);
        Ok(Ticket { queue, number: operation.number })
    }

    /// What an operation of a queue waits for, of each queue at most one event, and the numbers of what it comes
    /// after in other queues.
    fn before<'s>(
        &self,
        state: &'s State,
        (at, is_job): (usize, bool),
        after: &[Ticket],
    ) -> Result<Before<'s>, DriverError> {
        let mut numbers = [0; LINES];
        for ticket in after.iter().filter(|ticket| !ticket.is_done()) {
            let other = ticket.queue.index();
            let line = state.lines.get(other).ok_or_else(|| self.unknown(ticket.queue))?;
            if other != at && ticket.number > line.done {
                numbers[other] = ticket.number.max(numbers[other]);
            }
        }
        let mut events = [const { None }; LINES];
        for (k, (line, place)) in state.lines.iter().zip(&mut events).enumerate() {
            let event = match numbers[k] {
                _ if k == at => line.turn(is_job),
                0 => Ok(None),
                number => line.event(number),
            };
            *place = event.map_err(|failure| failure.on(&self.name))?;
        }
        Ok((events, numbers))
    }

    /// Whether long copies of a direction can go through pinned memory.
    pub(crate) fn stages(&self, queue: Queue) -> bool {
        let state = self.lock();
        let ring = state.lines.get(queue.index()).and_then(|line| line.ring.as_ref());
        ring.is_none_or(|ring| !ring.is_refused())
    }

    /// As [`Lines::submit`] of a long copy, which threads make through pinned memory of the context. It is
    /// made with the ring of its direction, the queue of such copies, and what it comes after.
    pub(crate) fn submit_job(
        &self,
        queue: Queue,
        context: &Context,
        after: &[Ticket],
        extras: Extras,
        job: impl FnOnce(&Arc<Ring>, &cl::Queue, (Vec<Event>, Option<Arc<Job>>)) -> Job,
    ) -> Result<Ticket, DriverError> {
        let mut state = self.open()?;
        let at = queue.index();
        let Some(team) = self.teams.get(at) else { return Err(self.unknown(queue)) };
        let line = &mut state.lines[at];
        let staged = match &line.staged {
            Some(staged) => staged.clone(),
            None => line.staged.insert((self.make)(true)?).clone(),
        };
        let new = || Arc::new(Ring::new(context, &self.name, &self.make));
        let ring = Arc::clone(line.ring.get_or_insert_with(new));
        let (events, after) = self.before(&state, (at, true), after)?;
        let events = events.into_iter().flatten().map(Cow::into_owned).collect();
        let before = state.lines[at].last_job().cloned();
        let job = Arc::new(job(&ring, &staged, (events, before)));
        let operation = state.lines[at].push(after, extras);
        operation.job = Some(Arc::clone(&job));
        let number = operation.number;
        // Copies reach the threads in the order in which they wait for one another.
        team.make(&job);
        Ok(Ticket { queue, number })
    }

    /// Submits a launch that comes after nothing in other queues, for the time being without telling the
    /// driver, where the queue has something to do: threads of a driver that wait for work are woken once
    /// for several launches. One that its driver refuses at once is an error here, as of any other launch, which
    /// may then run elsewhere; one that was held back counts as submitted, and is met as one that failed.
    pub(crate) fn hold_back(
        &self,
        queue: Queue,
        launch: &Arc<KeptLaunch>,
        extras: Extras,
    ) -> Result<Ticket, DriverError> {
        let mut state = self.lock();
        if let Some(error) = &state.failed {
            return Err(error.clone());
        }
        let at = self.prepare(&mut state, queue)?;
        let line = &mut state.lines[at];
        let is_idle = line.under_way.is_empty();
        let number = line.push([0; LINES], extras).number;
        line.is_held_back = true;
        state.held_back.push((at, number, Arc::clone(launch)));
        if is_idle || state.held_back.len() >= AT_ONCE {
            state.hand_over(&self.name);
        }
        if is_idle && let Some(error) = state.lines[at].take_back(number) {
            return Err(error);
        }
        Ok(Ticket { queue, number })
    }

    /// How far a queue has come.
    pub(crate) fn completed(&self, queue: Queue) -> Result<u64, DriverError> {
        let mut state = self.lock();
        state.harvest(&self.name);
        match (&state.failed, state.lines.get(queue.index())) {
            (Some(error), _) => Err(error.clone()),
            (None, Some(line)) => Ok(line.done),
            (None, None) => Err(self.unknown(queue)),
        }
    }

    /// Returns when an operation is complete.
    pub(crate) fn wait(&self, ticket: Ticket) -> Result<(), DriverError> {
        if ticket.is_done() {
            return Ok(());
        }
        let begin = Instant::now();
        loop {
            let missing = {
                let mut state = self.lock();
                state.harvest(&self.name);
                let Some(line) = state.lines.get(ticket.queue.index()) else {
                    return Err(self.unknown(ticket.queue));
                };
                if line.done >= ticket.number {
                    return Ok(());
                }
                if let Some(error) = &state.failed {
                    return Err(error.clone());
                }
                let Some(missing) = line.missing(ticket.number) else {
                    return Err(failed("wait", format!("{ticket:?} was never given out")));
                };
                missing
            };
            match missing {
                // What threads do takes longer than to ask.
                (Missing::Threads(stage), Some(job)) => job.leave(stage),
                (Missing::Event(event), _) if begin.elapsed() >= ASK => {
                    if let Err(failure) = event.wait()
                        && !matches!(event.progress(), cl::Progress::Failed(_))
                    {
                        // The event does not say that something went wrong, as this call does.
                        let mut state = self.lock();
                        state.harvest(&self.name);
                        let error = failure.on(&self.name);
                        return Err(state.failed.get_or_insert(error).clone());
                    }
                }
                // What it comes after is not known to be over, or it is as good as over.
                _ => std::thread::yield_now(),
            }
        }
    }

    /// Gives up what is under way. Commands cannot be taken back, so this waits for them.
    pub(crate) fn reset(&self) -> Result<(), DriverError> {
        let mut state = self.lock();
        state.held_back.clear();
        state.stop_jobs();
        for line in &mut state.lines {
            line.is_held_back = false;
            for queue in [line.queue.take(), line.staged.take()].into_iter().flatten() {
                if let Err(failure) = queue.finish() {
                    let status = cl::name(failure.code);
                    tracing::debug!(device = self.name, status, "a queue that failed was given up");
                }
            }
            line.under_way.clear();
            line.done = line.issued;
        }
        if state.failed.as_ref().is_some_and(|error| error.kind == DriverErrorKind::DeviceLost) {
            return Ok(());
        }
        state.failed = None;
        Ok(())
    }

    /// When an operation ran, if that was noted.
    pub(crate) fn timing(&self, ticket: Ticket) -> Option<Timing> {
        let mut state = self.lock();
        // Nobody pays for moments before somebody asks for one.
        state.is_timed = true;
        let line = state.lines.get(ticket.queue.index())?;
        let (_, begin, end) = line.spans.iter().find(|(number, ..)| *number == ticket.number)?;
        let (begin, end) = (*begin, *end);
        let now = state.start.elapsed().as_nanos() as i128 - state.behind?;
        let now = Duration::from_nanos(u64::try_from(now).ok()?);
        Some(Timing { begin, end, now: now.max(end) })
    }
}

impl Drop for Lines {
    /// What is under way reads and writes memory of the host that goes now, so this waits for it: a
    /// runtime has waited for its launches before.
    fn drop(&mut self) {
        let state = self.state.get_mut().unwrap_or_else(PoisonError::into_inner);
        state.stop_jobs();
        for line in state.lines.iter_mut().filter(|line| !line.under_way.is_empty()) {
            for queue in line.queue.iter().chain(&line.staged) {
                if let Err(failure) = queue.finish() {
                    let status = cl::name(failure.code);
                    tracing::debug!(device = self.name, status, "a queue could not be waited for");
                }
            }
        }
    }
}
