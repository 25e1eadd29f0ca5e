//! When the operations of a device ran. Events tell milliseconds between each other, in so few bits that
//! each is compared with one that was not long before. It submits nothing.

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::{Duration, Instant};

use flash_rt::backend::Timing;

use crate::cu::Event;

/// So many moments of operations that are over are kept.
const SPANS: usize = 1024;
/// After so long another event is what others are compared with: an event tells 60 ns apart then.
const AFRESH: f64 = 1e-3 * 500.0;

/// The stream of an operation and its number there.
type Which = (usize, u64);

/// When operations ran.
#[derive(Debug)]
pub(crate) struct Moments {
    is_asked: bool,
    /// An event, and the seconds from the first of all to it.
    origin: Option<(Arc<Event>, f64)>,
    spans: VecDeque<(Which, Duration, Duration)>,
    start: Instant,
    /// The least that the clock of the device was behind ours when something of it was over, in seconds.
    behind: Option<f64>,
}

impl Default for Moments {
    fn default() -> Self {
        let (spans, start) = (VecDeque::new(), Instant::now());
        Self { is_asked: false, origin: None, spans, start, behind: None }
    }
}

impl Moments {
    /// Whether somebody has asked when operations ran; nobody pays for that before.
    pub(crate) fn is_asked(&self) -> bool {
        self.is_asked
    }

    /// Notes when an operation ran that is over.
    pub(crate) fn note(&mut self, which: Which, begin: &Arc<Event>, end: &Arc<Event>) {
        let (origin, before) = self.origin.get_or_insert_with(|| (Arc::clone(begin), 0.0));
        let until = |event: &Arc<Event>| match Arc::ptr_eq(origin, event) {
            true => Ok(0.0),
            false => origin.until(event),
        };
        let (Ok(to_begin), Ok(to_end)) = (until(begin), until(end)) else { return };
        let seconds = |millis: f32| *before + 1e-3 * f64::from(millis);
        let (begin_at, end_at) = (seconds(to_begin), seconds(to_end));
        if end_at - *before > AFRESH {
            self.origin = Some((Arc::clone(end), end_at));
        }
        let behind = self.start.elapsed().as_secs_f64() - end_at;
        self.behind = Some(self.behind.map_or(behind, |known| known.min(behind)));
        if self.spans.len() == SPANS {
            self.spans.pop_front();
        }
        // What began before the first of all on another stream began at zero.
        let moment = |at: f64| Duration::from_secs_f64(at.max(0.0));
        self.spans.push_back((which, moment(begin_at), moment(end_at)));
    }

    /// When an operation ran, if that was noted; from now on it is.
    pub(crate) fn find(&mut self, which: Which) -> Option<Timing> {
        self.is_asked = true;
        let (_, begin, end) = self.spans.iter().rfind(|(of, ..)| *of == which)?;
        let now = self.start.elapsed().as_secs_f64() - self.behind?;
        let now = Duration::from_secs_f64(now.max(0.0));
        Some(Timing { begin: *begin, end: *end, now: now.max(*end) })
    }

    /// Forgets what counts time in a context that is gone.
    pub(crate) fn forget(&mut self) {
        *self = Self { is_asked: self.is_asked, ..Self::default() };
    }
}
