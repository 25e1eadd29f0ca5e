//! How far the queues of a device have come, as far as anybody has asked: what was submitted, what is
//! known to be complete, what was given up. It submits nothing itself.

#[cfg(all(test, loom))]
mod models;

use std::sync::PoisonError;

use crate::backend::{Queue, Ticket};
use crate::error::DriverError;
use crate::sync::{AtomicBool, AtomicU64, Mutex, MutexGuard, Ordering};

/// Queues that are looked after: both for copies, and up to four for kernels.
pub(crate) const LINES: usize = 6;

/// How many of them are for kernels, at most.
pub(crate) const MOST_COMPUTE: u8 = LINES as u8 - 2;

/// For each queue the number up to which operations come before something.
pub(crate) type Clock = [u64; LINES];

/// The later of two.
#[inline]
pub(crate) fn join(a: &mut Clock, b: &Clock) {
    a.iter_mut().zip(b).for_each(|(a, b)| *a = (*a).max(*b));
}

/// An operation that was submitted, with all that comes before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sent {
    pub(crate) ticket: Ticket,
    pub(crate) clock: Clock,
}

impl Sent {
    /// What was complete when the call returned.
    pub const DONE: Self = Self { ticket: Ticket::DONE, clock: [0; LINES] };

    /// An operation before it that was submitted with it, to the same queue.
    pub(crate) fn up_to(mut self, ticket: Ticket) -> Self {
        self.clock[ticket.queue.index()] = ticket.number;
        Self { ticket, ..self }
    }
}

/// What is known of an operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// It is complete.
    Done,
    /// It may not be.
    UnderWay,
    /// It was given up: it counts as not run.
    Failed,
}

/// The queues of one device.
#[derive(Debug, Default)]
pub(crate) struct Progress {
    confirmed: [AtomicU64; LINES],
    has_failed: AtomicBool,
    /// How often everything was given up.
    epoch: AtomicU64,
    lines: Mutex<Lines>,
}

#[derive(Debug, Default)]
struct Lines {
    issued: Clock,
    /// What comes before the next operation of each queue.
    before: [Clock; LINES],
    failures: Vec<Failure>,
}

/// What was given up at once: beyond `from` and up to `to`.
#[derive(Debug)]
struct Failure {
    from: Clock,
    to: Clock,
    error: DriverError,
}

impl Failure {
    fn has(&self, ticket: Ticket) -> bool {
        let k = ticket.queue.index();
        self.from[k] < ticket.number && ticket.number <= self.to[k]
    }
}

impl Progress {
    fn lines(&self) -> MutexGuard<'_, Lines> {
        self.lines.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// How often everything was given up: who looks at what is under way does so after this, and
    /// submits only while it is the same.
    #[inline]
    pub(crate) fn epoch(&self) -> u64 {
        self.epoch.load(Ordering::Acquire)
    }

    /// What is known of an operation.
    #[inline]
    pub(crate) fn verdict(&self, sent: &Sent) -> Verdict {
        let Ticket { queue, number } = sent.ticket;
        if number == 0 {
            return Verdict::Done;
        }
        // First how far it has come, as who gives up says so before that counts as confirmed.
        let confirmed = self.confirmed[queue.index()].load(Ordering::Acquire);
        if self.has_failed.load(Ordering::Acquire)
            && self.lines().failures.iter().any(|failure| failure.has(sent.ticket))
        {
            return Verdict::Failed;
        }
        if number <= confirmed { Verdict::Done } else { Verdict::UnderWay }
    }

    /// Why an operation was given up, if it was; for none, why the last ones were.
    pub(crate) fn failure(&self, sent: Option<&Sent>) -> Option<DriverError> {
        let lines = self.lines();
        let is_of = |failure: &&Failure| sent.is_none_or(|sent| failure.has(sent.ticket));
        let found = lines.failures.iter().rev().find(is_of);
        found.map(|failure| failure.error.clone())
    }

    /// Submits to a queue after the operations of a clock; `None` if everything was given up since
    /// `epoch`.
    pub(crate) fn submit(
        &self,
        epoch: u64,
        queue: Queue,
        after: &Clock,
        operation: impl FnOnce(&[Ticket]) -> Result<Ticket, DriverError>,
    ) -> Option<Result<Sent, DriverError>> {
        let mut lines = self.lines();
        if self.epoch() != epoch {
            return None;
        }
        let own = queue.index();
        let mut tickets = [Ticket::DONE; LINES];
        let mut n = 0;
        for (k, &number) in after.iter().enumerate() {
            if k != own && number > self.confirmed[k].load(Ordering::Acquire) {
                let queue = match k {
                    0 => Queue::Up,
                    1 => Queue::Down,
                    _ => Queue::Compute((k - 2) as u8),
                };
                tickets[n] = Ticket { queue, number };
                n += 1;
            }
        }
        Some(operation(&tickets[..n]).map(|ticket| {
            if ticket.is_done() {
                return Sent::DONE;
            }
            let mut clock = lines.before[own];
            join(&mut clock, after);
            clock[own] = ticket.number;
            lines.before[own] = clock;
            lines.issued[own] = ticket.number;
            Sent { ticket, clock }
        }))
    }

    /// The compute queue, of so many, for a launch that comes after the operations of a clock: the one
    /// whose last operation it waits for anyway, so that a chain stays on its queue; or one that is
    /// known to be idle; or the one with the least before it.
    pub(crate) fn compute_queue(&self, n: u8, after: &Clock) -> u8 {
        if n < 2 {
            return 0;
        }
        let lines = self.lines();
        let rank = |queue: &u8| {
            let k = Queue::Compute(*queue).index();
            let issued = lines.issued[k];
            let left = issued.saturating_sub(self.confirmed[k].load(Ordering::Acquire));
            match left {
                0 => (1, 0),
                _ if issued <= after[k] => (0, 0),
                left => (2, left),
            }
        };
        (0..n.min(MOST_COMPUTE)).min_by_key(rank).unwrap_or(0)
    }

    /// Whether what comes after the operations of a clock may have to wait for one of another queue.
    pub(crate) fn waits_elsewhere(&self, queue: Queue, after: &Clock) -> bool {
        let is_under_way = |(k, &number): (usize, &u64)| {
            k != queue.index() && number > self.confirmed[k].load(Ordering::Acquire)
        };
        after.iter().enumerate().any(is_under_way)
    }

    /// Notes that an operation is complete, with all that comes before it; whether it is, as it may
    /// have been given up meanwhile.
    pub(crate) fn confirm(&self, sent: &Sent) -> bool {
        let lines = self.lines();
        if lines.failures.iter().any(|failure| failure.has(sent.ticket)) {
            return false;
        }
        for (known, number) in self.confirmed.iter().zip(sent.clock) {
            known.fetch_max(number, Ordering::AcqRel);
        }
        true
    }

    /// Notes which operations are complete of a device that has failed, where asking takes no time.
    #[cold]
    pub(crate) fn find_out(&self, is_over: impl Fn(Ticket) -> bool) {
        for Sent { ticket: Ticket { queue, number: last }, .. } in self.under_way() {
            let known = &self.confirmed[queue.index()];
            let mut numbers = known.load(Ordering::Acquire) + 1..=last;
            let over =
                numbers.by_ref().take_while(|&number| is_over(Ticket { queue, number })).last();
            if let Some(number) = over {
                known.fetch_max(number, Ordering::AcqRel);
            }
        }
    }

    /// The last operations that are not known to be complete.
    pub(crate) fn under_way(&self) -> Vec<Sent> {
        let lines = self.lines();
        (0..LINES)
            .filter(|&k| lines.issued[k] > self.confirmed[k].load(Ordering::Acquire))
            .map(|k| {
                let clock = lines.before[k];
                let queue = match k {
                    0 => Queue::Up,
                    1 => Queue::Down,
                    _ => Queue::Compute((k - 2) as u8),
                };
                Sent { ticket: Ticket { queue, number: lines.issued[k] }, clock }
            })
            .collect()
    }

    /// Gives up what is not known to be complete, unless an operation already was; whether it did.
    /// Nobody submits meanwhile.
    pub(crate) fn give_up(&self, sent: &Sent, error: &DriverError, reset: impl FnOnce()) -> bool {
        let mut lines = self.lines();
        if lines.failures.iter().any(|failure| failure.has(sent.ticket)) {
            return false;
        }
        let from = std::array::from_fn(|k| self.confirmed[k].load(Ordering::Acquire));
        let to = lines.issued;
        reset();
        lines.failures.push(Failure { from, to, error: error.clone() });
        self.has_failed.store(true, Ordering::Release);
        self.epoch.fetch_add(1, Ordering::AcqRel);
        for (known, number) in self.confirmed.iter().zip(to) {
            known.fetch_max(number, Ordering::AcqRel);
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::DriverErrorKind;

    fn sent(progress: &Progress, queue: Queue, number: u64, after: &Clock) -> Sent {
        let submitted =
            progress.submit(progress.epoch(), queue, after, |_| Ok(Ticket { queue, number }));
        submitted.unwrap().unwrap()
    }

    #[test]
    fn who_is_complete_has_what_came_before_it_complete() {
        let progress = Progress::default();
        let up = sent(&progress, Queue::Up, 1, &[0; LINES]);
        let kernel = sent(&progress, Queue::Compute(0), 1, &up.clock);
        let other = sent(&progress, Queue::Up, 2, &[0; LINES]);
        let last = sent(&progress, Queue::Compute(0), 2, &[0; LINES]);
        assert_eq!(progress.verdict(&up), Verdict::UnderWay);
        assert!(progress.confirm(&last), "its queue goes in order");
        assert_eq!(progress.verdict(&kernel), Verdict::Done);
        assert_eq!(progress.verdict(&up), Verdict::Done);
        assert_eq!(progress.verdict(&other), Verdict::UnderWay);
        let down = progress.submit(0, Queue::Down, &last.clock, |after| {
            assert_eq!(after, [], "what is complete is not waited for");
            Ok(Ticket { queue: Queue::Down, number: 1 })
        });
        assert!(down.unwrap().is_ok());
    }

    #[test]
    fn what_is_given_up_is_what_was_under_way() {
        let progress = Progress::default();
        let first = sent(&progress, Queue::Compute(0), 1, &[0; LINES]);
        assert!(progress.confirm(&first));
        let second = sent(&progress, Queue::Compute(0), 2, &[0; LINES]);
        let error = DriverError {
            api: "test",
            code: 1,
            text: "broken".into(),
            kind: DriverErrorKind::Failed,
        };
        let epoch = progress.epoch();
        assert!(progress.give_up(&second, &error, || ()));
        assert!(!progress.give_up(&second, &error, || panic!("once")));
        assert_eq!(progress.verdict(&first), Verdict::Done);
        assert_eq!(progress.verdict(&second), Verdict::Failed);
        assert!(!progress.confirm(&second));
        let late = progress.submit(epoch, Queue::Up, &[0; LINES], |_| panic!("too late"));
        assert!(late.is_none());
        let third = sent(&progress, Queue::Compute(0), 3, &[0; LINES]);
        assert_eq!(progress.verdict(&third), Verdict::UnderWay);
    }
}
