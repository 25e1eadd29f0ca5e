//! The streams of a device: what was submitted to each, how far each has come, what failed. Completion is
//! asked of events; nothing relies on a driver that calls back. Fenced: the records of launches are read
//! here, at the one moment when they may be.
#![allow(unsafe_code, reason = "reads records of launches that are over")]

use std::ffi::c_void;
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use flash_rt::DriverError;
use flash_rt::backend::{Queue, Ticket, Timing};
use flash_rt::error::DriverErrorKind;
use flash_rt::offload::staging::Team;

use crate::batches::{AT_ONCE, Batches, HeldBack, Submitted};
use crate::cu::{self, Context, Event, Failure, Function, Progress, Stream};
use crate::kept::KeptLaunch;
use crate::moments::Moments;
use crate::nvtx;
use crate::operation::{Extras, Held, Line, Missing, Operation};
use crate::record::{Noting, Record, Told};
use crate::staging::{Job, Stage};

/// Streams for kernels of each device.
pub(crate) const COMPUTE: u8 = 4;
/// All of them: both for copies too.
pub(crate) const LINES: usize = 2 + COMPUTE as usize;
/// So long an operation is asked for before its thread sleeps.
const ASK: Duration = Duration::from_micros(20);
/// So many events are kept for operations to come.
const SPARE: usize = 256;

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
    /// What was submitted to each stream and its driver does not know yet, with its number there.
    held_back: [Vec<HeldBack>; LINES],
    /// What was held back before.
    batches: Batches,
}

/// Makes a stream of a device.
type MakeStream = Box<dyn Fn() -> Result<Arc<Stream>, DriverError> + Send + Sync>;

/// The streams of a device.
pub(crate) struct Lines {
    name: String,
    make: MakeStream,
    state: Mutex<State>,
    team: Team<Job>,
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

impl State {
    /// Hands over what was held back. The launches of a stream have one end, at which all of them are over.
    fn hand_over(&mut self, name: &str) {
        for at in 0..LINES {
            if !self.held_back[at].is_empty() {
                let mut launches = std::mem::take(&mut self.held_back[at]);
                // After a failure nothing is submitted; it is given up with all that is under way.
                if self.failed.is_none() {
                    self.hand_over_to(at, &launches, name);
                }
                launches.clear();
                self.held_back[at] = launches;
            }
        }
    }

    fn hand_over_to(&mut self, at: usize, launches: &[HeldBack], name: &str) {
        let Some(stream) = self.lines[at].stream.clone() else { return };
        let (mut end, mut submitted) = (None, Submitted::default());
        match stream.context().enter() {
            Err(failure) => submitted.failed = Some((0, failure)),
            Ok(_current) => {
                // SAFETY: as whoever submitted them vouched, until they are complete or given up.
                submitted = unsafe { self.batches.submit(&stream, launches) };
                match self.mark(&stream) {
                    Ok(event) => end = Some(event),
                    // Nobody knows when any of them is over.
                    Err(failure) => submitted.failed = Some((0, failure)),
                }
            }
        }
        let Submitted { records, failed, used } = submitted;
        let line = &mut self.lines[at];
        let mut notes = 0;
        for (k, HeldBack { number, outcome, .. }) in launches.iter().enumerate() {
            let Some(operation) = line.operation_mut(*number) else { continue };
            if let (Some(outcome), Some(records)) = (outcome, &records) {
                operation.extras.noting = Some(Noting::of_list(records, notes, *outcome));
                notes += 1;
            }
            operation.end.clone_from(&end);
            // What follows one that was refused does not run either.
            let refused = failed.filter(|(first, _)| k >= *first);
            operation.cut_short = refused.map(|(_, failure)| Box::new(failure.on(name)));
        }
        if let Some(last) = line.under_way.back_mut() {
            last.extras.held.extend(used.into_iter().map(Held::Records));
        }
    }

    /// Notes the moment that a stream comes to, whose context is current.
    fn mark(&mut self, stream: &Stream) -> Result<Arc<Event>, Failure> {
        let event = self.event(stream.context())?;
        stream.record(&event).map(|()| event)
    }

    /// Notes what is over of all streams.
    fn harvest(&mut self, name: &str) {
        self.hand_over(name);
        if self.failed.is_some() {
            return;
        }
        // Nothing counts as complete before what it comes after does.
        let (mut goes_on, mut has_failed) = (true, [false; LINES]);
        while goes_on {
            goes_on = false;
            for (at, has_failed) in has_failed.iter_mut().enumerate() {
                let line = &self.lines[at];
                let Some(stream) = line.stream.clone() else { continue };
                if *has_failed || line.under_way.is_empty() {
                    continue;
                }
                // What it has noted, and bytes that are to be brought, are in memory of the context.
                let _in_use = stream.context().keep();
                let (n, error) = line.look(name);
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
        for landing in operation.extras.landings {
            // SAFETY: the copy is over, and nobody sees that before the lock of this state is free.
            unsafe { landing.land() };
        }
        if let Some(looped) = operation.extras.looped {
            // SAFETY: as below, of all of its launches.
            unsafe { looped.read() };
        }
        if let Some(noting) = operation.extras.noting {
            // SAFETY: all commands of the launch are over, and nobody sees that it is done before the
            // lock of this state is free.
            self.records.extend(unsafe { noting.read() });
        }
        true
    }

    /// Keeps an event for another operation.
    fn spare_event(&mut self, event: Option<Arc<Event>>) {
        // One that somebody still waits for, or counts time from, must not be recorded again.
        let event = event.filter(|event| Arc::strong_count(event) == 1);
        self.spare.extend(event.filter(|_| self.spare.len() < SPARE));
    }

    /// An event that nobody uses, which notes when it was where somebody asks for that.
    fn event(&mut self, context: &Arc<Context>) -> Result<Arc<Event>, Failure> {
        let notes_time = self.moments.is_asked();
        let mut spare = std::iter::from_fn(|| self.spare.pop());
        // Whoever asks once asks from then on: those of before are of no use.
        match spare.find(|event| event.notes_time() || !notes_time) {
            Some(event) => Ok(event),
            None => Event::new(context, notes_time).map(Arc::new),
        }
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
            held_back: Default::default(),
            batches: Batches::default(),
        };
        Self { name: name.to_owned(), make, state: Mutex::new(state), team: Team::default() }
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

    /// Locks the state when all that an operation comes after, in its own stream and others, is with the
    /// driver: a long copy may not be yet.
    fn enter(&self, queue: Queue, after: &[Ticket]) -> Result<MutexGuard<'_, State>, DriverError> {
        loop {
            let mut state = self.lock();
            state.hand_over(&self.name);
            if let Some(error) = &state.failed {
                return Err(error.clone());
            }
            let line = |queue: Queue| state.lines.get(queue.index());
            let own = line(queue).ok_or_else(|| self.unknown(queue))?.open(u64::MAX);
            let others = after.iter().filter(|ticket| !ticket.is_done());
            let open = own.or_else(|| {
                others.filter_map(|ticket| line(ticket.queue)?.open(ticket.number)).next()
            });
            let Some(job) = open.cloned() else { return Ok(state) };
            drop(state);
            job.progress.leave(Stage::Open);
        }
    }

    /// The stream of a queue, which is made when it is first used.
    fn stream(&self, state: &mut State, queue: Queue) -> Result<Arc<Stream>, DriverError> {
        let line = state.lines.get_mut(queue.index()).ok_or_else(|| self.unknown(queue))?;
        match &line.stream {
            Some(stream) => Ok(Arc::clone(stream)),
            None => Ok(Arc::clone(line.stream.insert((self.make)()?))),
        }
    }

    /// Lets a stream wait for what an operation comes after in others; the numbers of that.
    fn wait_for_others(
        &self,
        state: &mut State,
        (queue, stream): (Queue, &Stream),
        after: &[Ticket],
    ) -> Result<[u64; LINES], DriverError> {
        let mut numbers = [0; LINES];
        for ticket in after.iter().filter(|ticket| !ticket.is_done()) {
            let other = ticket.queue.index();
            let Some(line) = state.lines.get(other) else { return Err(self.unknown(ticket.queue)) };
            if other != queue.index() && ticket.number > line.done {
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
        Ok(numbers)
    }

    /// Submits an operation to a stream, to begin when others are complete.
    pub(crate) fn submit(
        &self,
        queue: Queue,
        after: &[Ticket],
        extras: Extras,
        commands: impl FnOnce(&mut Commands<'_>) -> Result<(), Failure>,
    ) -> Result<Ticket, DriverError> {
        let mut state = self.enter(queue, after)?;
        let state = &mut *state;
        let stream = self.stream(state, queue)?;
        let current = stream.context().enter();
        let _current = current.map_err(|failure| self.refused(state, failure))?;
        let after = self.wait_for_others(state, (queue, &stream), after)?;
        let begin = self.begin(state, &stream);
        let mut sink = Commands { stream: &stream, n: 0 };
        // A loop has one of its own.
        let launched = extras.kernel.filter(|_| extras.looped.is_none());
        let range = launched.and_then(nvtx::range);
        let result = commands(&mut sink);
        drop(range);
        let n = sink.n;
        let result = match result {
            Err(failure) if n == 0 => return Err(self.refused(state, failure)),
            Ok(()) if n == 0 => return Ok(Ticket::DONE),
            result => result,
        };
        // What is submitted cannot be taken back, so from here on the operation fails later.
        let (end, unnoted) = match state.mark(&stream) {
            Ok(end) => (Some(end), None),
            Err(failure) => (None, Some(failure)),
        };
        let cut_short = result.err().or(unnoted).map(|failure| Box::new(failure.on(&self.name)));
        let line = &mut state.lines[queue.index()];
        line.issued += 1;
        let (number, job) = (line.issued, None);
        let operation = Operation { number, after, begin, end, cut_short, job, extras };
        line.under_way.push_back(operation);
        Ok(Ticket { queue, number })
    }

    /// Submits a launch that comes after nothing in other streams. Where there is `more` to come, and the
    /// stream has something to do, the driver is told later, of several at once. Where it has to go alone its
    /// extras come back.
    pub(crate) fn hold_back(
        &self,
        queue: Queue,
        (launch, outcome): (&Arc<KeptLaunch>, Option<Told>),
        extras: Extras,
        more: bool,
    ) -> Result<Result<Ticket, Extras>, DriverError> {
        let mut state = self.lock();
        let at = queue.index();
        let line = state.lines.get(at);
        // Each has moments of its own where somebody asks for them; what follows a long copy waits for it.
        let goes_alone = state.moments.is_asked()
            || line.is_none_or(|line| line.stream.is_none() || line.open(u64::MAX).is_some());
        if goes_alone {
            return Ok(Err(extras));
        }
        if let Some(error) = &state.failed {
            return Err(error.clone());
        }
        let line = &mut state.lines[at];
        line.issued += 1;
        let (number, is_idle) = (line.issued, line.under_way.is_empty());
        line.under_way.push_back(Operation {
            number,
            after: [0; LINES],
            begin: None,
            end: None,
            cut_short: None,
            job: None,
            extras,
        });
        state.held_back[at].push(HeldBack { number, launch: Arc::clone(launch), outcome });
        if is_idle || !more || state.held_back[at].len() >= AT_ONCE {
            state.hand_over(&self.name);
        }
        Ok(Ok(Ticket { queue, number }))
    }

    /// As [`Lines::submit`] of a long copy, which threads submit. It is made with the stream and the event
    /// that it records at its end.
    pub(crate) fn submit_job(
        &self,
        queue: Queue,
        after: &[Ticket],
        extras: Extras,
        job: impl FnOnce(&Arc<Stream>, &Arc<Event>) -> Job,
    ) -> Result<Ticket, DriverError> {
        let mut locked = self.enter(queue, after)?;
        let state = &mut *locked;
        let stream = self.stream(state, queue)?;
        let current = stream.context().enter();
        let _current = current.map_err(|failure| self.refused(state, failure))?;
        let after = self.wait_for_others(state, (queue, &stream), after)?;
        let begin = self.begin(state, &stream);
        let end = state.event(stream.context());
        let end = end.map_err(|failure| self.refused(state, failure))?;
        let job = Arc::new(job(&stream, &end));
        let line = &mut state.lines[queue.index()];
        line.issued += 1;
        let number = line.issued;
        let (end, cut_short, of_operation) = (Some(end), None, Some(Arc::clone(&job)));
        let operation =
            Operation { number, after, begin, end, cut_short, job: of_operation, extras };
        line.under_way.push_back(operation);
        drop(locked);
        self.team.make(&job);
        Ok(Ticket { queue, number })
    }

    /// Notes when an operation begins, where somebody asks for that.
    fn begin(&self, state: &mut State, stream: &Stream) -> Option<Arc<Event>> {
        state.moments.is_asked().then(|| state.mark(stream).ok())?
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
                let Some(operation) = line.operation(ticket.number) else {
                    return Err(failed("wait", format!("{ticket:?} was never given out")));
                };
                operation.missing(&self.name)
            };
            match missing {
                // What threads do in between takes longer than to ask.
                Missing::Job(job, stage) => job.progress.leave(stage),
                Missing::Event(event) if begin.elapsed() >= ASK => {
                    // What it says of a failure the next look says too.
                    if let Err(failure) = event.finish()
                        && !matches!(event.progress(), Progress::Failed(_))
                    {
                        let mut state = self.lock();
                        state.harvest(&self.name);
                        // What is over all the same has not failed, and nobody would be told.
                        let done = state.lines[ticket.queue.index()].done;
                        if done < ticket.number {
                            state.fail(failure.on(&self.name));
                        }
                    }
                }
                // What it comes after is not known to be over, or it is as good as over.
                _ => std::thread::yield_now(),
            }
        }
    }

    /// Gives up what is under way. Commands cannot be taken back, so this waits for them.
    pub(crate) fn reset(&self) -> Result<(), DriverError> {
        self.give_up(&mut self.lock());
        Ok(())
    }

    /// Gives up what is under way, and begins anew when the device is there again.
    pub(crate) fn recover(
        &self,
        again: impl FnOnce() -> Result<(), DriverError>,
    ) -> Result<(), DriverError> {
        let mut state = self.lock();
        self.give_up(&mut state);
        // They went with the context.
        state.spare.clear();
        state.records.clear();
        state.moments.forget();
        state.batches.forget();
        again()?;
        state.failed = None;
        Ok(())
    }

    fn give_up(&self, state: &mut State) {
        state.held_back.iter_mut().for_each(Vec::clear);
        let jobs = state.lines.iter().flat_map(|line| &line.under_way);
        jobs.filter_map(|operation| operation.job.as_ref()).for_each(|job| job.progress.give_up());
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
        let is_lost = |error: &DriverError| error.kind == DriverErrorKind::DeviceLost;
        state.failed = state.failed.take().filter(is_lost);
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
        let jobs = state.lines.iter().flat_map(|line| &line.under_way);
        jobs.filter_map(|operation| operation.job.as_ref()).for_each(|job| job.progress.give_up());
        for line in state.lines.iter_mut().filter(|line| !line.under_way.is_empty()) {
            if let Some(Err(failure)) = line.stream.as_ref().map(|stream| stream.finish()) {
                let status = failure.words();
                tracing::debug!(device = self.name, status, "a stream could not be waited for");
            }
        }
    }
}
