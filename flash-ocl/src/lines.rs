//! The queues of a device: what was submitted to each, how far each has come, what failed. Completion
//! is asked of events; nothing relies on a driver that calls back or passes a failure on. Fenced: the
//! records of launches are read here, at the one moment when they may be.
#![allow(unsafe_code, reason = "reads records of launches that are over")]

use std::collections::VecDeque;
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use flash_rt::DriverError;
use flash_rt::backend::{Queue, Ticket, Timing};
use flash_rt::error::DriverErrorKind;

use crate::cl::{self, Event, Failure, Mem, Waits};
use crate::kept::KeptLaunch;
use crate::memory::Storage;
use crate::record::{Noting, Record};

/// Queues for kernels of each device.
pub(crate) const COMPUTE: u8 = 3;
/// All of them: both for copies too.
const LINES: usize = 2 + COMPUTE as usize;
/// So many moments of operations that are over are kept, of each queue.
const SPANS: usize = 256;
/// So many launches are held back at most.
const AT_ONCE: usize = 32;
/// So long an operation is asked for before its thread sleeps.
const ASK: Duration = Duration::from_micros(20);

/// Something that an operation uses until it is over.
#[derive(Debug)]
#[expect(dead_code, reason = "what is in them is kept, and used by the device")]
pub(crate) enum Held {
    /// Memory of the device.
    Memory(Arc<Storage>),
    /// A part of memory of the device.
    Part(Mem),
    /// Bytes of the host that the device reads.
    Bytes(Box<[u8]>),
    /// Zeros of the host that the device reads.
    Zeros(Arc<[u8]>),
}

/// What an operation is beside its commands.
#[derive(Debug, Default)]
pub(crate) struct Extras {
    #[expect(dead_code, reason = "kept until the operation is over")]
    pub(crate) held: Vec<Held>,
    pub(crate) noting: Option<Noting>,
}

/// The events of the commands of an operation, most of which have one.
#[derive(Debug, Default)]
struct Events {
    /// That of the last one, which is over last.
    last: Option<Event>,
    /// Those before it.
    earlier: Vec<Event>,
}

impl Events {
    fn push(&mut self, event: Event) {
        self.earlier.extend(self.last.replace(event));
    }

    fn first(&self) -> Option<&Event> {
        self.earlier.first().or(self.last.as_ref())
    }

    /// How far the commands are together: one that failed counts once the last one is over.
    fn progress(&self) -> cl::Progress {
        let last = self.last.as_ref().map_or(cl::Progress::Done, Event::progress);
        if last == cl::Progress::UnderWay {
            return last;
        }
        let earlier = self.earlier.iter().map(Event::progress);
        earlier.chain([last]).find(|progress| *progress != cl::Progress::Done).unwrap_or(last)
    }
}

/// An operation that is not known to be complete.
#[derive(Debug)]
struct Operation {
    number: u64,
    /// The numbers of what it comes after in other queues, 0 for nothing.
    after: [u64; LINES],
    events: Events,
    /// Why not all of its commands were submitted.
    cut_short: Option<Box<DriverError>>,
    extras: Extras,
}

/// A queue.
#[derive(Debug, Default)]
struct Line {
    queue: Option<cl::Queue>,
    /// The numbers of what was submitted last and what is known to be complete.
    issued: u64,
    done: u64,
    under_way: VecDeque<Operation>,
    /// Whether its last operations are held back.
    is_held_back: bool,
    /// When operations ran, by number.
    spans: VecDeque<(u64, Duration, Duration)>,
}

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

/// Makes a queue of a device.
type MakeQueue = Box<dyn Fn() -> Result<cl::Queue, DriverError> + Send + Sync>;

/// The queues of a device.
pub(crate) struct Lines {
    name: String,
    make: MakeQueue,
    state: Mutex<State>,
}

impl fmt::Debug for Lines {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Lines").field("device", &self.name).finish_non_exhaustive()
    }
}

/// Takes the commands of an operation; the first one waits for what the operation comes after.
#[derive(Debug)]
pub(crate) struct Commands<'s> {
    queue: &'s cl::Queue,
    waits: Waits<'s>,
    events: Events,
}

impl Commands<'_> {
    /// Submits one.
    pub(crate) fn add(
        &mut self,
        command: impl FnOnce(&cl::Queue, &Waits<'_>) -> Result<Event, Failure>,
    ) -> Result<(), Failure> {
        let none = Waits::none();
        let waits = if self.events.last.is_none() { &self.waits } else { &none };
        self.events.push(command(self.queue, waits)?);
        Ok(())
    }
}

fn failed(api: &'static str, text: String) -> DriverError {
    DriverError { api, code: -1, text: text.into(), kind: DriverErrorKind::Failed }
}

impl Line {
    /// The last event of an operation that may not be over; of one whose commands were not submitted, that
    /// of the one before it.
    fn event(&self, number: u64) -> Option<&Event> {
        let first = self.under_way.front()?.number;
        let at = usize::try_from(number.checked_sub(first)?).ok()?;
        if at >= self.under_way.len() {
            return None;
        }
        self.under_way.range(..=at).rev().find_map(|operation| operation.events.last.as_ref())
    }

    /// How many operations at the front are over; an error if one of them went wrong.
    fn look(&self, name: &str) -> (usize, Option<DriverError>) {
        for (k, operation) in self.under_way.iter().enumerate() {
            let progress = operation.events.progress();
            match (&operation.cut_short, progress) {
                // Also one of an older command than one that is over.
                (_, cl::Progress::UnderWay) => return (k, None),
                (Some(error), _) => return (k, Some((**error).clone())),
                (None, cl::Progress::Failed(code)) => {
                    let failure = Failure { api: "the execution of a command", code };
                    return (k, Some(failure.on(name)));
                }
                (None, cl::Progress::Done) => {}
            }
        }
        (self.under_way.len(), None)
    }
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

    fn note_span(&mut self, at: usize, operation: &Operation) {
        if !self.is_timed {
            return;
        }
        let Events { last, .. } = &operation.events;
        let (Some(first), Some(last)) = (operation.events.first(), last) else { return };
        let (Some((begin, _)), Some((_, end))) = (first.span(), last.span()) else { return };
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
        Self { name: name.to_owned(), make, state: Mutex::new(state) }
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

    /// Submits an operation to a queue, to begin when others are complete.
    pub(crate) fn submit(
        &self,
        queue: Queue,
        after: &[Ticket],
        extras: Extras,
        commands: impl FnOnce(&mut Commands<'_>) -> Result<(), Failure>,
    ) -> Result<Ticket, DriverError> {
        let mut state = self.lock();
        state.hand_over(&self.name);
        if let Some(error) = &state.failed {
            return Err(error.clone());
        }
        let at = queue.index();
        let Some(line) = state.lines.get_mut(at) else { return Err(self.unknown(queue)) };
        if line.queue.is_none() {
            line.queue = Some((self.make)()?);
        }
        let submitted = {
            let Some(queue) = &state.lines[at].queue else { return Err(self.unknown(queue)) };
            let (mut waits, mut numbers) = (Waits::none(), [0; LINES]);
            for ticket in after.iter().filter(|ticket| !ticket.is_done()) {
                let other = ticket.queue.index();
                let Some(line) = state.lines.get(other) else {
                    return Err(self.unknown(ticket.queue));
                };
                if other == at || ticket.number <= line.done {
                    continue;
                }
                numbers[other] = ticket.number.max(numbers[other]);
                if line.event(ticket.number).is_some_and(|event| !waits.add(event)) {
                    return Err(failed("flash-ocl", format!("{} tickets", after.len())));
                }
            }
            let mut sink = Commands { queue, waits, events: Events::default() };
            let result = commands(&mut sink);
            let events = sink.events;
            match result {
                Err(failure) if events.last.is_none() => return Err(failure.on(&self.name)),
                Ok(()) if events.last.is_none() => return Ok(Ticket::DONE),
                result => (events, numbers, result.and_then(|()| queue.flush()).err()),
            }
        };
        let (events, after, failure) = submitted;
        // What is submitted cannot be taken back, so the operation fails later.
        let cut_short = failure.map(|failure| Box::new(failure.on(&self.name)));
        let line = &mut state.lines[at];
        line.issued += 1;
        let number = line.issued;
        line.under_way.push_back(Operation { number, after, events, cut_short, extras });
        Ok(Ticket { queue, number })
    }

    /// Submits a launch that comes after nothing in other queues, for the time being without telling the
    /// driver, where the queue has something to do: threads of a driver that wait for work are woken once
    /// for several launches.
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
        let at = queue.index();
        let Some(line) = state.lines.get_mut(at) else { return Err(self.unknown(queue)) };
        if line.queue.is_none() {
            line.queue = Some((self.make)()?);
        }
        line.issued += 1;
        let (number, is_idle) = (line.issued, line.under_way.is_empty());
        let (after, events, cut_short) = ([0; LINES], Events::default(), None);
        line.under_way.push_back(Operation { number, after, events, cut_short, extras });
        line.is_held_back = true;
        state.held_back.push((at, number, Arc::clone(launch)));
        if is_idle || state.held_back.len() >= AT_ONCE {
            state.hand_over(&self.name);
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
            let event = {
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
                let Some(event) = line.event(ticket.number) else {
                    return Err(failed("wait", format!("{ticket:?} was never given out")));
                };
                event.clone()
            };
            if begin.elapsed() < ASK {
                std::thread::yield_now();
            } else if let Err(failure) = event.wait()
                && !matches!(event.progress(), cl::Progress::Failed(_))
            {
                // The event does not say that something went wrong, as this call does.
                let mut state = self.lock();
                state.harvest(&self.name);
                let error = failure.on(&self.name);
                return Err(state.failed.get_or_insert(error).clone());
            }
        }
    }

    /// Gives up what is under way. Commands cannot be taken back, so this waits for them.
    pub(crate) fn reset(&self) -> Result<(), DriverError> {
        let mut state = self.lock();
        state.held_back.clear();
        for line in &mut state.lines {
            line.is_held_back = false;
            if let Some(queue) = line.queue.take()
                && let Err(failure) = queue.finish()
            {
                let status = cl::name(failure.code);
                tracing::debug!(device = self.name, status, "a queue that failed was given up");
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
        for line in state.lines.iter_mut().filter(|line| !line.under_way.is_empty()) {
            if let Some(Err(failure)) = line.queue.as_ref().map(cl::Queue::finish) {
                let status = cl::name(failure.code);
                tracing::debug!(device = self.name, status, "a queue could not be waited for");
            }
        }
    }
}
