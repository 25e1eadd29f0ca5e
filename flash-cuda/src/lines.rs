//! The streams of a device: what was submitted to each, how far each has come, what failed. Completion is
//! asked of events; nothing relies on a driver that calls back. Fenced: the records of launches are read
//! here, at the one moment when they may be.
#![allow(unsafe_code, reason = "reads records of launches that are over")]

use std::collections::VecDeque;
use std::ffi::c_void;
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use flash_rt::DriverError;
use flash_rt::backend::{Queue, Ticket, Timing};
use flash_rt::error::DriverErrorKind;

use crate::cu::{self, Context, Event, Failure, Function, Progress, Stream};
use crate::memory::Storage;
use crate::moments::Moments;
use crate::record::{Noting, Record};

/// Streams for kernels of each device.
pub(crate) const COMPUTE: u8 = 4;
/// All of them: both for copies too.
pub(crate) const LINES: usize = 2 + COMPUTE as usize;
/// So long an operation is asked for before its thread sleeps.
const ASK: Duration = Duration::from_micros(20);
/// So many events are kept for operations to come.
const SPARE: usize = 256;

/// Something that an operation uses until it is over.
#[derive(Debug)]
#[expect(dead_code, reason = "what is in them is kept, and used by the device")]
pub(crate) enum Held {
    /// Memory of the device.
    Memory(Arc<Storage>),
}

/// What an operation is beside its commands.
#[derive(Debug, Default)]
pub(crate) struct Extras {
    /// The kernel, where it is a launch.
    pub(crate) kernel: Option<&'static str>,
    #[expect(dead_code, reason = "kept until the operation is over")]
    pub(crate) held: Vec<Held>,
    pub(crate) noting: Option<Noting>,
}

/// An operation that is not known to be complete.
#[derive(Debug)]
struct Operation {
    number: u64,
    /// The numbers of what it comes after in other streams, 0 for nothing.
    after: [u64; LINES],
    /// When it began, where that was asked for.
    begin: Option<Arc<Event>>,
    /// When it is over; `None` where that could not be noted.
    end: Option<Arc<Event>>,
    /// Why not all of its commands were submitted.
    cut_short: Option<Box<DriverError>>,
    extras: Extras,
}

/// A stream.
#[derive(Debug, Default)]
struct Line {
    stream: Option<Arc<Stream>>,
    /// The numbers of what was submitted last and what is known to be complete.
    issued: u64,
    done: u64,
    under_way: VecDeque<Operation>,
}

#[derive(Debug)]
struct State {
    lines: [Line; LINES],
    /// What failed, until the streams are new.
    failed: Option<DriverError>,
    /// When operations ran, if somebody asks for that.
    moments: Moments,
    /// Events that nothing waits for any more.
    spare: Vec<Arc<Event>>,
    /// Records that nobody uses, of zeros.
    records: Vec<Arc<Record>>,
}

/// Makes a stream of a device.
type MakeStream = Box<dyn Fn() -> Result<Stream, DriverError> + Send + Sync>;

/// The streams of a device.
pub(crate) struct Lines {
    name: String,
    make: MakeStream,
    state: Mutex<State>,
}

impl fmt::Debug for Lines {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Lines").field("device", &self.name).finish_non_exhaustive()
    }
}

/// Takes the commands of an operation. The context of its stream is current.
#[derive(Debug)]
pub(crate) struct Commands<'s> {
    stream: &'s Stream,
    n: usize,
}

impl Commands<'_> {
    /// Submits one.
    pub(crate) fn add(
        &mut self,
        command: impl FnOnce(&Stream) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        command(self.stream)?;
        self.n += 1;
        Ok(())
    }

    /// Submits a function with the addresses of its arguments, which are read in the call.
    ///
    /// # Safety
    ///
    /// As [`Stream::launch`].
    pub(crate) unsafe fn launch(
        &mut self,
        function: &Function,
        shape: &cu::Launch,
        arguments: &mut [*mut c_void],
    ) -> Result<(), Failure> {
        if !self.has(function.context()) {
            return Err(Failure::gone("cuLaunchKernel"));
        }
        // SAFETY: as the caller says; the function is of the context of the stream.
        self.add(|stream| unsafe { stream.launch(function, shape, arguments) })
    }

    /// Whether memory is in the context of the stream, which another one may have taken the place of.
    pub(crate) fn has(&self, context: &Arc<Context>) -> bool {
        Arc::ptr_eq(self.stream.context(), context)
    }
}

fn failed(api: &'static str, text: String) -> DriverError {
    DriverError { api, code: -1, text: text.into(), kind: DriverErrorKind::Failed }
}

impl Line {
    /// The operation of a number, if it may not be over.
    fn operation(&self, number: u64) -> Option<&Operation> {
        let first = self.under_way.front()?.number;
        self.under_way.get(usize::try_from(number.checked_sub(first)?).ok()?)
    }

    /// How many operations at the front are over; an error if one of them went wrong.
    fn look(&self, name: &str) -> (usize, Option<DriverError>) {
        for (k, operation) in self.under_way.iter().enumerate() {
            let progress = operation.end.as_ref().map_or(Progress::Done, |end| end.progress());
            match (&operation.cut_short, progress) {
                (_, Progress::UnderWay) => return (k, None),
                (_, Progress::Failed(failure)) => return (k, Some(failure.on(name))),
                (Some(error), Progress::Done) => return (k, Some((**error).clone())),
                (None, Progress::Done) => {}
            }
        }
        (self.under_way.len(), None)
    }
}

impl State {
    /// Notes what is over of all streams.
    fn harvest(&mut self, name: &str) {
        if self.failed.is_some() {
            return;
        }
        // Nothing counts as complete before what it comes after does.
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
                if let Some(error) = error {
                    self.fail(error);
                }
            }
        }
    }

    /// Notes that the device has failed, and where it is lost, what ran then.
    fn fail(&mut self, error: DriverError) {
        if self.failed.is_some() {
            return;
        }
        let mut error = error;
        if error.kind == DriverErrorKind::DeviceLost {
            let first = |line: &Line| line.under_way.front()?.extras.kernel;
            let kernels: Vec<String> =
                self.lines.iter().filter_map(first).map(|kernel| format!("`{kernel}`")).collect();
            if !kernels.is_empty() {
                error.text = format!("{} while {} ran", error.text, kernels.join(" and ")).into();
            }
        }
        self.failed = Some(error);
    }

    /// Notes that the first operation of a stream is over, if what it comes after is; whether it was.
    fn take_first(&mut self, at: usize) -> bool {
        let Some(first) = self.lines[at].under_way.front() else { return false };
        if first.after.iter().zip(&self.lines).any(|(number, line)| *number > line.done) {
            return false;
        }
        let Some(operation) = self.lines[at].under_way.pop_front() else { return false };
        self.lines[at].done = operation.number;
        if let (Some(begin), Some(end)) = (&operation.begin, &operation.end) {
            self.moments.note((at, operation.number), begin, end);
        }
        self.spare_event(operation.begin);
        self.spare_event(operation.end);
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

    /// Keeps an event for another operation.
    fn spare_event(&mut self, event: Option<Arc<Event>>) {
        // One that somebody still waits for, or counts time from, must not be recorded again.
        let event = event.filter(|event| Arc::strong_count(event) == 1);
        self.spare.extend(event.filter(|_| self.spare.len() < SPARE));
    }

    fn event(&mut self, context: &Arc<Context>) -> Result<Arc<Event>, Failure> {
        self.spare.pop().map_or_else(|| Event::new(context).map(Arc::new), Ok)
    }
}

impl Lines {
    /// The streams of a device, which are made when they are used.
    pub(crate) fn new(name: &str, make: MakeStream) -> Self {
        let state = State {
            lines: Default::default(),
            failed: None,
            moments: Moments::default(),
            spare: Vec::new(),
            records: Vec::new(),
        };
        Self { name: name.to_owned(), make, state: Mutex::new(state) }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A record of zeros, if there is one.
    pub(crate) fn record(&self) -> Option<Arc<Record>> {
        self.lock().records.pop()
    }

    fn unknown(&self, queue: Queue) -> DriverError {
        failed("flash-cuda", format!("`{}` has no queue {queue:?}", self.name))
    }

    /// An error of a call, which is the end of the device where it says so.
    fn refused(&self, state: &mut State, failure: Failure) -> DriverError {
        let error = failure.on(&self.name);
        if error.kind == DriverErrorKind::DeviceLost {
            state.fail(error.clone());
        }
        state.failed.clone().unwrap_or(error)
    }

    /// Submits an operation to a stream, to begin when others are complete.
    pub(crate) fn submit(
        &self,
        queue: Queue,
        after: &[Ticket],
        extras: Extras,
        commands: impl FnOnce(&mut Commands<'_>) -> Result<(), Failure>,
    ) -> Result<Ticket, DriverError> {
        let mut state = self.lock();
        let state = &mut *state;
        if let Some(error) = &state.failed {
            return Err(error.clone());
        }
        let at = queue.index();
        let Some(line) = state.lines.get_mut(at) else { return Err(self.unknown(queue)) };
        let stream = match &line.stream {
            Some(stream) => Arc::clone(stream),
            None => Arc::clone(line.stream.insert(Arc::new((self.make)()?))),
        };
        let context = stream.context();
        let _current = context.enter().map_err(|failure| self.refused(state, failure))?;
        let mut numbers = [0; LINES];
        for ticket in after.iter().filter(|ticket| !ticket.is_done()) {
            let other = ticket.queue.index();
            let Some(line) = state.lines.get(other) else { return Err(self.unknown(ticket.queue)) };
            if other != at && ticket.number > line.done {
                numbers[other] = ticket.number.max(numbers[other]);
            }
        }
        for (line, number) in state.lines.iter().zip(numbers).filter(|(_, number)| *number > 0) {
            let Some(operation) = line.operation(number) else {
                return Err(failed("after", format!("number {number} was never given out")));
            };
            let waited = operation.end.as_ref().map_or(Ok(()), |event| stream.wait(event));
            if let Err(failure) = waited {
                return Err(self.refused(state, failure));
            }
        }
        let begin = match state.moments.is_asked() {
            true => self.mark(state, &stream).ok(),
            false => None,
        };
        let mut sink = Commands { stream: &stream, n: 0 };
        let result = commands(&mut sink);
        let n = sink.n;
        let result = match result {
            Err(failure) if n == 0 => return Err(self.refused(state, failure)),
            Ok(()) if n == 0 => return Ok(Ticket::DONE),
            result => result,
        };
        // What is submitted cannot be taken back, so from here on the operation fails later.
        let (end, unnoted) = match self.mark(state, &stream) {
            Ok(end) => (Some(end), None),
            Err(failure) => (None, Some(failure)),
        };
        let cut_short = result.err().or(unnoted).map(|failure| Box::new(failure.on(&self.name)));
        let line = &mut state.lines[at];
        line.issued += 1;
        let number = line.issued;
        line.under_way.push_back(Operation {
            number,
            after: numbers,
            begin,
            end,
            cut_short,
            extras,
        });
        Ok(Ticket { queue, number })
    }

    /// Notes the moment that a stream comes to.
    fn mark(&self, state: &mut State, stream: &Stream) -> Result<Arc<Event>, Failure> {
        let event = state.event(stream.context())?;
        stream.record(&event).map(|()| event)
    }

    /// How far a stream has come.
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
                let Some(operation) = line.operation(ticket.number) else {
                    return Err(failed("wait", format!("{ticket:?} was never given out")));
                };
                operation.end.clone()
            };
            match event {
                Some(event) if begin.elapsed() >= ASK => {
                    // What it says of a failure the next look says too.
                    if let Err(failure) = event.finish()
                        && !matches!(event.progress(), Progress::Failed(_))
                    {
                        let mut state = self.lock();
                        state.harvest(&self.name);
                        state.fail(failure.on(&self.name));
                    }
                }
                _ => std::thread::yield_now(),
            }
        }
    }

    /// Gives up what is under way. Commands cannot be taken back, so this waits for them.
    pub(crate) fn reset(&self) -> Result<(), DriverError> {
        let mut state = self.lock();
        for line in &mut state.lines {
            if let Some(stream) = line.stream.take()
                && let Err(failure) = stream.finish()
            {
                let status = failure.words();
                tracing::debug!(device = self.name, status, "a stream that failed was given up");
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
        self.lock().moments.find((ticket.queue.index(), ticket.number))
    }
}

impl Drop for Lines {
    /// What is under way reads and writes memory of the host that goes now, so this waits for it: a
    /// runtime has waited for its launches before.
    fn drop(&mut self) {
        let state = self.state.get_mut().unwrap_or_else(PoisonError::into_inner);
        for line in state.lines.iter_mut().filter(|line| !line.under_way.is_empty()) {
            if let Some(Err(failure)) = line.stream.as_ref().map(|stream| stream.finish()) {
                let status = failure.words();
                tracing::debug!(device = self.name, status, "a stream could not be waited for");
            }
        }
    }
}
