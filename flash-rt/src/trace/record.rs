//! Where a runtime writes down what ran. It is there only if it was asked for, so that a launch
//! without it looks at one pointer.

use std::borrow::Cow;
use std::ops::Range;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::{Duration, Instant};

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

/// The intervals of a runtime so far.
#[derive(Debug)]
pub(crate) struct Recorder {
    start: Instant,
    /// The clock of simulated devices, where there is one; all times are on it then.
    clock: Option<Arc<dyn Clock>>,
    intervals: Mutex<Vec<Interval>>,
}

impl Recorder {
    pub(crate) fn new(clock: Option<Arc<dyn Clock>>) -> Self {
        Self { start: Instant::now(), clock, intervals: Mutex::default() }
    }

    /// The time.
    pub(crate) fn now(&self) -> Duration {
        self.clock.as_ref().map_or_else(|| self.start.elapsed(), |clock| clock.now())
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

    /// Notes that a run has waited from then on, if it has.
    pub(crate) fn note_wait(&self, begin: Duration) {
        /// Less is the work of looking.
        const LOOK: Duration = Duration::from_micros(20);
        if self.now().saturating_sub(begin) > LOOK {
            self.note(Kind::Wait, "buffers", Unit::Host, 0, begin);
        }
    }

    /// How many there are.
    pub(crate) fn len(&self) -> usize {
        self.lock().len()
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
        let interval = Interval { kind, name: name.into(), unit, bytes, begin, end };
        self.lock().push(interval);
    }

    /// Those of these numbers.
    pub(crate) fn those(&self, numbers: Range<usize>) -> Trace {
        Trace::new(self.lock().get(numbers).unwrap_or_default().to_vec())
    }

    fn lock(&self) -> MutexGuard<'_, Vec<Interval>> {
        self.intervals.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
