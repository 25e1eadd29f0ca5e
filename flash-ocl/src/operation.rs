//! Operations of a queue that are not known to be over, and how far the queue is. It submits nothing.

use std::borrow::Cow;
use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Duration;

use flash_rt::DriverError;
use flash_rt::error::DriverErrorKind;
use smallvec::{SmallVec, smallvec};

use crate::cl::{self, Event, Failure, Mem, Waits};
use crate::lines::LINES;
use crate::memory::Storage;
use crate::record::Noting;
use crate::staging::{Job, Missing, Ring};

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

/// All that one uses: of a launch a few memories, as a rule.
pub(crate) type AllHeld = SmallVec<[Held; 3]>;

/// What an operation is beside its commands.
#[derive(Debug, Default)]
pub(crate) struct Extras {
    #[expect(dead_code, reason = "kept until the operation is over")]
    pub(crate) held: AllHeld,
    pub(crate) noting: Option<Noting>,
}

impl Extras {
    /// Those of a copy of a memory.
    pub(crate) fn of(memory: &Arc<Storage>) -> Self {
        Self { held: smallvec![Held::Memory(Arc::clone(memory))], noting: None }
    }
}

/// The events of the commands of an operation, most of which have one.
#[derive(Debug, Default)]
pub(crate) struct Events {
    /// That of the last one, which is over last.
    last: Option<Event>,
    /// Those before it.
    earlier: Vec<Event>,
}

impl Events {
    pub(crate) fn push(&mut self, event: Event) {
        self.earlier.extend(self.last.replace(event));
    }

    /// Those of commands that follow.
    pub(crate) fn extend(&mut self, more: &Self) {
        more.earlier.iter().chain(&more.last).for_each(|event| self.push(event.clone()));
    }

    fn first(&self) -> Option<&Event> {
        self.earlier.first().or(self.last.as_ref())
    }

    pub(crate) fn last(&self) -> Option<&Event> {
        self.last.as_ref()
    }

    pub(crate) fn into_last(self) -> Option<Event> {
        self.last
    }

    /// How far the commands are together: one that failed counts once the last one is over.
    pub(crate) fn progress(&self) -> cl::Progress {
        let last = self.last.as_ref().map_or(cl::Progress::Done, Event::progress);
        if last == cl::Progress::UnderWay {
            return last;
        }
        let earlier = self.earlier.iter().map(Event::progress);
        earlier.chain([last]).find(|progress| *progress != cl::Progress::Done).unwrap_or(last)
    }

    /// Returns when all commands are over; an error where one of them failed.
    pub(crate) fn wait(&self) -> Result<(), Failure> {
        let waited = self.last.as_ref().map_or(Ok(()), Event::wait);
        match self.progress() {
            cl::Progress::Done => Ok(()),
            cl::Progress::Failed(code) => Err(Failure::late(code)),
            cl::Progress::UnderWay => waited,
        }
    }

    /// When the first one began and the last one ended.
    pub(crate) fn span(&self) -> Option<(Duration, Duration)> {
        let ((begin, _), (_, end)) = (self.first()?.span()?, self.last()?.span()?);
        Some((begin, end))
    }
}

/// Takes the commands of an operation; the first one waits for what the operation comes after.
#[derive(Debug)]
pub(crate) struct Commands<'s> {
    queue: &'s cl::Queue,
    waits: Waits<'s>,
    events: Events,
}

impl<'s> Commands<'s> {
    /// Those of an operation of a queue.
    pub(crate) fn new(queue: &'s cl::Queue, waits: Waits<'s>) -> Self {
        Self { queue, waits, events: Events::default() }
    }

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

    /// The events of what was submitted.
    pub(crate) fn into_events(self) -> Events {
        self.events
    }
}

/// An operation that is not known to be complete.
#[derive(Debug)]
pub(crate) struct Operation {
    pub(crate) number: u64,
    /// The numbers of what it comes after in other queues, 0 for nothing.
    pub(crate) after: [u64; LINES],
    pub(crate) events: Events,
    /// The copy that threads make, where it is one.
    pub(crate) job: Option<Arc<Job>>,
    /// Why not all of its commands were submitted.
    pub(crate) cut_short: Option<Box<DriverError>>,
    pub(crate) extras: Extras,
}

impl Operation {
    /// What is over when the device is done with it.
    fn event(&self) -> Result<Option<Cow<'_, Event>>, Failure> {
        match &self.job {
            Some(job) => Ok(job.event()?.map(Cow::Owned)),
            None => Ok(self.events.last().map(Cow::Borrowed)),
        }
    }

    /// Whether it is over; an error if it went wrong.
    fn look(&self, name: &str) -> (bool, Option<DriverError>) {
        if let Some(job) = &self.job {
            return match job.missing() {
                Missing::Nothing(None) => (true, None),
                Missing::Nothing(Some(failure)) => (false, Some(failure.on(name))),
                Missing::GivenUp => (false, Some(given_up())),
                Missing::Threads(_) | Missing::Event(_) => (false, None),
            };
        }
        match (&self.cut_short, self.events.progress()) {
            // Also one of an older command than one that is over.
            (_, cl::Progress::UnderWay) => (false, None),
            (Some(error), _) => (false, Some((**error).clone())),
            (None, cl::Progress::Failed(code)) => (false, Some(Failure::late(code).on(name))),
            (None, cl::Progress::Done) => (true, None),
        }
    }

    /// When it ran.
    pub(crate) fn span(&self) -> Option<(Duration, Duration)> {
        self.job.as_ref().map_or_else(|| self.events.span(), |job| job.span())
    }
}

#[cold]
fn given_up() -> DriverError {
    DriverError {
        api: "flash-ocl",
        code: -1,
        text: "a copy was given up".into(),
        kind: DriverErrorKind::GivenUp,
    }
}

/// A queue.
#[derive(Debug, Default)]
pub(crate) struct Line {
    pub(crate) queue: Option<cl::Queue>,
    /// Whether that notes when its commands run.
    pub(crate) is_timed: bool,
    /// The queue of copies through pinned memory, which wait for the ones in `queue` and the other way
    /// round.
    pub(crate) staged: Option<cl::Queue>,
    pub(crate) ring: Option<Arc<Ring>>,
    /// The numbers of what was submitted last and what is known to be complete.
    pub(crate) issued: u64,
    pub(crate) done: u64,
    pub(crate) under_way: VecDeque<Operation>,
    /// Whether its last operations are held back.
    pub(crate) is_held_back: bool,
    /// When operations ran, by number.
    pub(crate) spans: VecDeque<(u64, Duration, Duration)>,
}

impl Line {
    /// Adds an operation of which nothing is submitted yet.
    pub(crate) fn push(&mut self, after: [u64; LINES], extras: Extras) -> &mut Operation {
        self.issued += 1;
        let (number, events, job, cut_short) = (self.issued, Events::default(), None, None);
        let new = Operation { number, after, events, job, cut_short, extras };
        self.under_way.push_back_mut(new)
    }

    /// Removes the last operation, if it has this number and nothing of it was submitted, which nobody knows of yet.
    /// Its number is given out once more; the error says why.
    pub(crate) fn take_back(&mut self, number: u64) -> Option<DriverError> {
        let is_it = |last: &mut Operation| {
            last.number == number && last.events.last().is_none() && last.cut_short.is_some()
        };
        let refused = self.under_way.pop_back_if(is_it)?.cut_short?;
        self.issued -= 1;
        Some(*refused)
    }

    /// Up to the operation of a number, which may not be over.
    fn up_to(&self, number: u64) -> Option<impl DoubleEndedIterator<Item = &Operation>> {
        let first = self.under_way.front()?.number;
        let at = usize::try_from(number.checked_sub(first)?).ok()?;
        (at < self.under_way.len()).then(|| self.under_way.range(..=at))
    }

    /// What is over when the device is done with an operation that may not be over; of one whose commands were
    /// not submitted, with the one before it.
    pub(crate) fn event(&self, number: u64) -> Result<Option<Cow<'_, Event>>, Failure> {
        let events = self.up_to(number).into_iter().flatten().rev().map(Operation::event);
        events.filter_map(Result::transpose).next().transpose()
    }

    /// What the end of an operation waits for; `None` for one that was never given out.
    pub(crate) fn missing(&self, number: u64) -> Option<(Missing, Option<Arc<Job>>)> {
        let mut up_to = self.up_to(number)?.rev();
        let is_there =
            |operation: &&Operation| operation.job.is_some() || operation.events.last().is_some();
        let Some(operation) = up_to.find(is_there) else {
            return Some((Missing::Nothing(None), None));
        };
        match (&operation.job, operation.events.last()) {
            (Some(job), _) => Some((job.missing(), Some(Arc::clone(job)))),
            (None, Some(event)) => Some((Missing::Event(event.clone()), None)),
            (None, None) => None,
        }
    }

    /// What an operation that comes next has to wait for in its own queue: as long copies have one of their
    /// own, a copy and what is none.
    pub(crate) fn turn(&self, is_job: bool) -> Result<Option<Cow<'_, Event>>, Failure> {
        match self.under_way.back() {
            Some(last) if last.job.is_some() != is_job => self.event(self.issued),
            _ => Ok(None),
        }
    }

    /// The last long copy that may not be over.
    pub(crate) fn last_job(&self) -> Option<&Arc<Job>> {
        self.under_way.iter().rev().find_map(|operation| operation.job.as_ref())
    }

    /// How many operations at the front are over; an error if one of them went wrong.
    pub(crate) fn look(&self, name: &str) -> (usize, Option<DriverError>) {
        for (k, operation) in self.under_way.iter().enumerate() {
            let (is_over, error) = operation.look(name);
            if !is_over {
                return (k, error);
            }
        }
        (self.under_way.len(), None)
    }
}
