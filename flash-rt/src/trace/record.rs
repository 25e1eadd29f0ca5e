//! Where a runtime writes down what ran. It is there only if it was asked for, so that a launch
//! without it looks at one pointer.

use std::borrow::Cow;
use std::collections::hash_map::Entry;
use std::collections::{HashMap, VecDeque};
use std::ops::Range;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::{Duration, Instant};

use super::ticks::Ticks;
use super::{Interval, Kind, Trace, Unit};
use crate::backend::Timing;
use crate::backend::clock::Clock;

/// The part of a run in what a runtime wrote down, copied for the first one who looks at it.
#[derive(Clone, Debug)]
pub(crate) struct Part {
    recorder: Arc<Recorder>,
    numbers: Range<usize>,
    copy: OnceLock<Trace>,
}

impl Part {
    /// From number `first` to what is there now.
    pub(crate) fn since(recorder: &Arc<Recorder>, first: usize) -> Self {
        let numbers = first..recorder.len();
        Self { recorder: Arc::clone(recorder), numbers, copy: OnceLock::new() }
    }

    /// What was written down.
    pub(crate) fn trace(&self) -> &Trace {
        self.copy.get_or_init(|| self.recorder.those(self.numbers.clone()))
    }
}

/// What ran, as it is written down; there may be millions. Times are in nanoseconds.
#[derive(Clone, Copy, Debug)]
struct Event {
    /// Its number among all that was different.
    what: u32,
    bytes: u64,
    begin: u64,
    end: u64,
}

/// What is the same for many events.
type What = (Kind, Cow<'static, str>, Unit);

/// The last events of a runtime.
#[derive(Debug, Default)]
struct Events {
    list: VecDeque<Event>,
    /// How many there were before those.
    dropped: usize,
    what: Vec<What>,
    numbers: HashMap<What, u32>,
}

impl Events {
    fn number(&mut self, what: What) -> u32 {
        match self.numbers.entry(what) {
            Entry::Occupied(known) => *known.get(),
            Entry::Vacant(new) => {
                self.what.push(new.key().clone());
                *new.insert(self.what.len() as u32 - 1)
            }
        }
    }
}

/// Where a runtime writes down what ran.
#[derive(Debug)]
pub(crate) struct Recorder {
    start: Instant,
    /// The clock of simulated devices, where there is one; all times are on it then.
    clock: Option<Arc<dyn Clock>>,
    /// What launches in a series are timed by, if not by a clock.
    ticks: Option<Ticks>,
    /// How many events are kept.
    most: usize,
    events: Mutex<Events>,
}

/// How many events are kept where nobody says: 32 MiB of them.
pub(crate) const MOST: usize = 1 << 20;

/// Writes down one launch after the other, some at a time.
#[derive(Debug)]
pub(crate) struct Series {
    recorder: Arc<Recorder>,
    /// When the launch before ended, if nothing has happened since: a look at the clock less.
    last: Option<u64>,
    /// The time before all that is not written down yet.
    since: u64,
    /// By the counter of the processor, where there is one.
    events: Vec<Event>,
}

/// Events that are written down at a time.
const SOME: usize = 256;

impl Series {
    /// Of nothing yet.
    pub(crate) fn new(recorder: &Arc<Recorder>) -> Self {
        let (recorder, events) = (Arc::clone(recorder), Vec::with_capacity(SOME));
        Self { recorder, last: None, since: 0, events }
    }

    /// When a launch that is about to begin begins.
    #[inline]
    pub(crate) fn begin(&mut self) -> u64 {
        match self.last.take() {
            Some(last) => last,
            None => self.begin_anew(),
        }
    }

    #[cold]
    fn begin_anew(&mut self) -> u64 {
        if self.events.is_empty() {
            self.since = self.recorder.nanos();
        }
        self.recorder.stamp()
    }

    /// Notes that a launch has ended now: what it was by its number, and the bytes of its arrays.
    #[inline]
    pub(crate) fn end(&mut self, (what, bytes): (u32, u64), begin: u64) {
        let end = self.recorder.stamp();
        self.events.push(Event { what, bytes, begin, end });
        self.last = Some(end);
        if self.events.len() == SOME {
            self.write();
        }
    }

    /// Something else happens, before which all is written down.
    #[inline]
    pub(crate) fn pause(&mut self) {
        self.last = None;
        if !self.events.is_empty() {
            self.write();
        }
    }

    #[cold]
    fn write(&mut self) {
        if let Some(scale) = self.recorder.ticks.as_ref().map(Ticks::scale) {
            for event in &mut self.events {
                // One after the other, also where two scales differ a little.
                event.begin = scale.nanos(event.begin).max(self.since);
                event.end = scale.nanos(event.end).max(event.begin);
                self.since = event.end;
            }
        }
        self.recorder.add(self.recorder.lock(), self.events.drain(..));
    }
}

impl Drop for Series {
    fn drop(&mut self) {
        self.pause();
    }
}

impl Recorder {
    /// The number of a kernel on a unit.
    pub(crate) fn kernel(&self, name: &'static str, unit: Unit) -> u32 {
        self.lock().number((Kind::Kernel, name.into(), unit))
    }

    /// One that keeps the last `most` of what ran.
    pub(crate) fn new(clock: Option<Arc<dyn Clock>>, most: usize) -> Self {
        let start = Instant::now();
        let ticks = if clock.is_none() { Ticks::new(start) } else { None };
        Self { start, clock, ticks, most: most.max(1), events: Mutex::default() }
    }

    /// Adds events in place of the oldest ones.
    fn add(&self, mut events: MutexGuard<'_, Events>, new: impl ExactSizeIterator<Item = Event>) {
        let before = events.dropped;
        let more = (events.list.len() + new.len()).saturating_sub(self.most);
        let of_list = more.min(events.list.len());
        events.list.drain(..of_list);
        events.list.extend(new.skip(more - of_list));
        events.dropped += more;
        let is_first = before == 0 && events.dropped > 0;
        drop(events);
        if is_first {
            tracing::warn!(
                kept = self.most,
                "the trace of a runtime is full: from now on the oldest of what ran is dropped; \
                 `trace_limit` says how much is kept"
            );
        }
    }

    /// The time.
    pub(crate) fn now(&self) -> Duration {
        self.clock.as_ref().map_or_else(|| self.start.elapsed(), |clock| clock.now())
    }

    #[inline]
    fn nanos(&self) -> u64 {
        self.now().as_nanos() as u64
    }

    /// The time by what is read fastest.
    #[inline]
    fn stamp(&self) -> u64 {
        self.ticks.as_ref().map_or_else(|| self.nanos(), Ticks::now)
    }

    /// Notes what began then and ended now.
    pub(crate) fn note(
        &self,
        kind: Kind,
        name: impl Into<Cow<'static, str>>,
        unit: Unit,
        bytes: u64,
        begin: Duration,
    ) {
        self.note_span(kind, name, unit, bytes, (begin, self.now()));
    }

    /// When an operation of a device ran, on the clock of this recorder; from its submission until
    /// now where the device does not say.
    pub(crate) fn span(&self, timing: Option<Timing>, begin: Duration) -> (Duration, Duration) {
        match timing {
            // On the clock of the devices, as all times are then.
            Some(Timing { begin, end, .. }) if self.clock.is_some() => (begin, end),
            Some(Timing { begin, end, now }) => {
                let here = self.now();
                let ago = |then: Duration| here.saturating_sub(now.saturating_sub(then));
                (ago(begin), ago(end))
            }
            None => (begin, self.now()),
        }
    }

    /// Notes that a thread of the host has waited for something from then on, if it has.
    pub(crate) fn note_wait(&self, name: &str, begin: Duration) {
        /// Less is the work of looking.
        const LOOK: Duration = Duration::from_micros(20);
        if self.now().saturating_sub(begin) > LOOK {
            self.note(Kind::Wait, name.to_owned(), Unit::Host, 0, begin);
        }
    }

    /// How many there were so far.
    pub(crate) fn len(&self) -> usize {
        let events = self.lock();
        events.dropped + events.list.len()
    }

    /// Notes what began and ended then.
    pub(crate) fn note_span(
        &self,
        kind: Kind,
        name: impl Into<Cow<'static, str>>,
        unit: Unit,
        bytes: u64,
        (begin, end): (Duration, Duration),
    ) {
        let (begin, end) = (begin.as_nanos() as u64, end.as_nanos() as u64);
        let mut events = self.lock();
        let what = events.number((kind, name.into(), unit));
        self.add(events, std::iter::once(Event { what, bytes, begin, end }));
    }

    /// Those of these numbers, as far as they are kept.
    pub(crate) fn those(&self, numbers: Range<usize>) -> Trace {
        let events = self.lock();
        let interval = |event: &Event| {
            let (kind, name, unit) = events.what[event.what as usize].clone();
            let [begin, end] = [event.begin, event.end].map(Duration::from_nanos);
            Interval { kind, name, unit, bytes: event.bytes, begin, end }
        };
        let [from, to] = [numbers.start, numbers.end]
            .map(|number| number.saturating_sub(events.dropped).min(events.list.len()));
        let mut trace = Trace::new(events.list.range(from..to).map(interval).collect());
        trace.dropped = (numbers.len() - trace.intervals.len()) as u64;
        trace
    }

    fn lock(&self) -> MutexGuard<'_, Events> {
        self.events.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
