//! Who makes time pass. On the virtual clock it is whoever waits, when nobody is busy; on the real
//! one each unit of a device has a thread that sleeps for as long as an operation takes.

use std::sync::{Arc, Condvar, Mutex, MutexGuard, OnceLock, PoisonError};
use std::thread::Builder;
use std::time::{Duration, Instant};

use super::config::Time;
use super::fault::driver_error;
use super::state::{State, Submission};
use crate::backend::clock::{Clock, active_here, nanos};
use crate::backend::{Queue, Ticket};
use crate::error::{DriverError, DriverErrorKind};

/// What the clones of a simulator, its threads and its clock share.
#[derive(Debug)]
pub(super) struct Core {
    time: Time,
    start: Instant,
    inner: Mutex<Inner>,
    changed: Condvar,
    /// Whether the thread of a unit was started, in the order of devices and units.
    threads: Vec<Vec<OnceLock<()>>>,
}

#[derive(Debug)]
pub(super) struct Inner {
    pub(super) state: State,
    /// How many are busy.
    holds: usize,
    waits: Vec<Wait>,
    next_wait: u64,
    /// How often time has gone on, and when `next` last told so.
    steps: u64,
    told: u64,
    /// Whether the threads of units end.
    ended: bool,
}

/// Somebody who waits on the virtual clock.
#[derive(Debug)]
struct Wait {
    number: u64,
    until: Until,
    /// The holds to give back when it is over.
    active: usize,
    over: bool,
}

impl Wait {
    fn end(&mut self, told: &mut u64, steps: u64) {
        self.over = true;
        if matches!(self.until, Until::Step) {
            *told = steps;
        }
    }
}

#[derive(Clone, Copy, Debug)]
enum Until {
    Done(usize, Ticket),
    Time(u64),
    /// Whichever comes first.
    DoneOrTime(usize, Ticket, u64),
    Step,
}

impl Until {
    /// The time at which it is over at the latest.
    fn time(self) -> Option<u64> {
        match self {
            Self::Time(time) | Self::DoneOrTime(.., time) => Some(time),
            Self::Done(..) | Self::Step => None,
        }
    }
}

impl Inner {
    /// Ends waits that are over. Who is busy otherwise goes on alone, in the order in which they
    /// began to wait, so that what happens at one moment has an order too.
    fn settle(&mut self) {
        let Self { state, holds, waits, steps, told, .. } = self;
        let can_end = |wait: &Wait, told: u64| {
            !wait.over
                && match wait.until {
                    Until::Done(device, ticket) => state.is_over(device, ticket),
                    Until::Time(time) => state.now >= time,
                    Until::DoneOrTime(device, ticket, time) => {
                        state.now >= time || state.is_over(device, ticket)
                    }
                    Until::Step => *steps != told,
                }
        };
        for wait in waits.iter_mut().filter(|wait| wait.active == 0) {
            if can_end(wait, *told) {
                wait.end(told, *steps);
            }
        }
        if *holds == 0 {
            let ready = waits.iter_mut().filter(|wait| can_end(wait, *told));
            if let Some(first) = ready.min_by_key(|wait| wait.number) {
                first.end(told, *steps);
                *holds += first.active;
            }
        }
    }

    /// Lets time go on to the next thing that happens; whether there is one.
    fn step(&mut self) -> bool {
        let wakes = self.waits.iter().filter(|wait| !wait.over);
        let wakes = wakes.filter_map(|wait| wait.until.time());
        let Some(next) = wakes.chain(self.state.next_end()).min() else { return false };
        self.state.go_on(next);
        self.steps += 1;
        self.settle();
        true
    }
}

impl Core {
    pub(super) fn new(time: Time, state: State, units: Vec<usize>) -> Self {
        let threads = units.iter().map(|&n| (0..n).map(|_| OnceLock::new()).collect()).collect();
        let inner = Inner {
            state,
            holds: 0,
            waits: Vec::new(),
            next_wait: 0,
            steps: 0,
            told: 0,
            ended: false,
        };
        let (inner, changed) = (Mutex::new(inner), Condvar::new());
        Self { time, start: Instant::now(), inner, changed, threads }
    }

    /// The state, at the present time.
    pub(super) fn lock(&self) -> MutexGuard<'_, Inner> {
        let mut inner = self.inner.lock().unwrap_or_else(PoisonError::into_inner);
        if self.time == Time::Real {
            inner.state.now = self.real_now();
        }
        inner
    }

    fn real_now(&self) -> u64 {
        nanos(self.start.elapsed())
    }

    /// Queues an operation on a unit.
    pub(super) fn submit(
        self: &Arc<Self>,
        unit: usize,
        new: Submission<'_>,
    ) -> Result<Ticket, DriverError> {
        if self.time == Time::Real {
            self.start_unit(new.device, unit)?;
        }
        let ticket = self.lock().state.submit(new);
        // Also after a failure, which may have ended what others wait for.
        self.wake();
        ticket
    }

    fn wake(&self) {
        self.lock().settle();
        self.changed.notify_all();
    }

    /// Returns when an operation is complete, or will never be.
    pub(super) fn wait(&self, device: usize, ticket: Ticket) -> Result<(), DriverError> {
        if ticket.is_done() {
            return Ok(());
        }
        let mut inner = self.block(Until::Done(device, ticket));
        let told = inner.state.tell(device, ticket.queue);
        inner.settle();
        drop(inner);
        self.changed.notify_all();
        if told? >= ticket.number {
            return Ok(());
        }
        let text = format!("{ticket:?} was never given out");
        Err(driver_error("sim::wait", DriverErrorKind::Failed, text))
    }

    /// As [`Core::wait`], for so long at most; whether it is complete.
    pub(super) fn wait_for(
        &self,
        device: usize,
        ticket: Ticket,
        time: Duration,
    ) -> Result<bool, DriverError> {
        if ticket.is_done() {
            return Ok(true);
        }
        let until = self.lock().state.now.saturating_add(nanos(time));
        let mut inner = self.block(Until::DoneOrTime(device, ticket, until));
        let told = match inner.state.is_over(device, ticket) {
            true => inner.state.tell(device, ticket.queue),
            false => Ok(0),
        };
        inner.settle();
        drop(inner);
        self.changed.notify_all();
        Ok(told? >= ticket.number)
    }

    /// How far a queue has come. On the virtual clock, asking while nobody is busy lets time go on.
    pub(super) fn completed(&self, device: usize, queue: Queue) -> Result<u64, DriverError> {
        let mut inner = self.lock();
        if self.time == Time::Virtual && inner.holds == 0 && inner.state.next_end().is_some() {
            inner.step();
        }
        let told = inner.state.tell(device, queue);
        inner.settle();
        drop(inner);
        self.changed.notify_all();
        told
    }

    /// Gives up what a device has not completed.
    pub(super) fn reset(&self, device: usize) -> Result<(), DriverError> {
        let mut inner = self.lock();
        inner.state.stop(device)?;
        inner.settle();
        self.changed.notify_all();
        while self.time == Time::Real && inner.state.is_busy(device) {
            inner = self.changed.wait(inner).unwrap_or_else(PoisonError::into_inner);
        }
        let result = inner.state.restart(device);
        inner.settle();
        drop(inner);
        self.changed.notify_all();
        result
    }

    /// Brings a lost device back.
    pub(super) fn recover(&self, device: usize) -> Result<(), DriverError> {
        // What is under way is given up, which says of a lost device that it is lost.
        let given_up = self.reset(device);
        let found = self.lock().state.find(device);
        given_up.or(found)
    }

    /// Waits, and lets the virtual clock go on while nobody is busy.
    fn block(&self, until: Until) -> MutexGuard<'_, Inner> {
        let active = active_here(self);
        let mut inner = self.lock();
        inner.holds -= active.min(inner.holds);
        let number = inner.next_wait;
        inner.next_wait += 1;
        inner.waits.push(Wait { number, until, active, over: false });
        inner.settle();
        self.changed.notify_all();
        loop {
            let at = inner.waits.iter().position(|wait| wait.number == number);
            if let Some(at) = at
                && inner.waits[at].over
            {
                inner.waits.swap_remove(at);
                return inner;
            }
            let steps = self.time == Time::Virtual && inner.holds == 0;
            if steps && inner.step() {
                self.changed.notify_all();
                continue;
            }
            inner = match until.time().filter(|_| self.time == Time::Real) {
                None => self.changed.wait(inner).unwrap_or_else(PoisonError::into_inner),
                Some(time) => {
                    let left = Duration::from_nanos(time.saturating_sub(self.real_now()));
                    let waited = self.changed.wait_timeout(inner, left);
                    let (mut inner, _) = waited.unwrap_or_else(PoisonError::into_inner);
                    inner.state.now = self.real_now();
                    inner.settle();
                    inner
                }
            };
        }
    }

    /// Ends the threads of units when they have done what they are at.
    pub(super) fn end(&self) {
        self.lock().ended = true;
        self.changed.notify_all();
    }

    /// Starts the thread of a unit, once.
    fn start_unit(self: &Arc<Self>, device: usize, unit: usize) -> Result<(), DriverError> {
        let Some(started) = self.threads.get(device).and_then(|units| units.get(unit)) else {
            // An unknown device or queue, which the submission refuses.
            return Ok(());
        };
        if started.set(()).is_err() {
            return Ok(());
        }
        let core = Arc::clone(self);
        let run = move || core.work(device, unit);
        let thread = Builder::new().name(format!("flash-sim-{device}-{unit}")).spawn(run);
        thread.map(drop).map_err(|error| {
            let text = format!("no thread for a unit: {error}");
            driver_error("sim", DriverErrorKind::Failed, text)
        })
    }

    /// The thread of a unit.
    #[allow(unsafe_code, reason = "carries out what was submitted to the unit")]
    fn work(&self, device: usize, unit: usize) {
        let mut inner = self.lock();
        while !inner.ended {
            inner.state.now = self.real_now();
            let Some(begun) = inner.state.begin_next(device, unit) else {
                inner = self.changed.wait(inner).unwrap_or_else(PoisonError::into_inner);
                continue;
            };
            drop(inner);
            // SAFETY: the operation is in its queue, and is neither complete nor given up before
            // `end_begun`, which `reset` waits for.
            let poison = begun.work.as_ref().map_or(0, |work| unsafe { work.run() });
            let left = begun.end.saturating_sub(self.real_now());
            if left > 0 {
                std::thread::sleep(Duration::from_nanos(left));
            }
            inner = self.lock();
            inner.state.end_begun(device, &begun, poison);
            inner.settle();
            self.changed.notify_all();
        }
    }
}

impl Clock for Core {
    fn now(&self) -> Duration {
        Duration::from_nanos(self.lock().state.now)
    }

    fn acquire(&self) {
        self.lock().holds += 1;
    }

    fn release(&self) {
        let mut inner = self.lock();
        inner.holds = inner.holds.saturating_sub(1);
        inner.settle();
        drop(inner);
        self.changed.notify_all();
    }

    fn sleep(&self, time: Duration) {
        if self.time == Time::Real {
            return std::thread::sleep(time);
        }
        let until = self.lock().state.now.saturating_add(nanos(time));
        drop(self.block(Until::Time(until)));
    }

    fn next(&self) {
        drop(self.block(Until::Step));
    }

    fn poke(&self) {
        let mut inner = self.lock();
        inner.steps += 1;
        inner.settle();
        drop(inner);
        self.changed.notify_all();
    }
}
