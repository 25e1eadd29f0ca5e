//! Time as a simulator keeps it: it stands still while anybody is busy, and goes on when all wait.
//! Real devices have none, and nothing here measures real time.
//!
//! Who may yet submit work or spend time *holds* the clock. A thread that works takes an [`Active`];
//! waiting through the clock (or a backend's `wait`) lets go of it and comes back with it, in one
//! step. Work that is handed to another thread carries a [`Hold`], so that time does not pass in
//! between. Of the active threads whose waits end at one moment each goes on when the one before it
//! waits again, so that a run is the same each time; an active thread must therefore not wait for
//! another one but through the clock, or without its [`Active`].

use std::cell::RefCell;
use std::fmt;
use std::marker::PhantomData;
use std::sync::Arc;
use std::time::Duration;

/// A clock that all devices of a backend share.
pub trait Clock: fmt::Debug + Send + Sync {
    /// Time since the clock was made.
    fn now(&self) -> Duration;

    /// Keeps time from going on until [`Clock::release`]; see [`Hold`].
    fn acquire(&self);

    /// Undoes one [`Clock::acquire`].
    fn release(&self);

    /// Returns when this much time of the clock has passed: what a host task costs.
    fn sleep(&self, time: Duration);

    /// Returns when time has gone on, or after [`Clock::poke`]: for the one thread that looks
    /// after completions.
    fn next(&self);

    /// Makes [`Clock::next`] return, now or when it is next called.
    fn poke(&self);
}

/// A time in nanoseconds, at most the largest number of them.
pub(crate) fn nanos(time: Duration) -> u64 {
    u64::try_from(time.as_nanos()).unwrap_or(u64::MAX)
}

/// Keeps time from going on; may be sent along with work.
#[derive(Debug)]
pub struct Hold {
    clock: Arc<dyn Clock>,
}

impl Hold {
    /// Holds a clock.
    pub fn new(clock: &Arc<dyn Clock>) -> Self {
        clock.acquire();
        Self { clock: Arc::clone(clock) }
    }

    /// Makes this thread the one that is busy.
    pub fn enter(self) -> Active {
        ACTIVE.with_borrow_mut(|all| all.push(Arc::clone(&self.clock)));
        Active { hold: self, _thread: PhantomData }
    }
}

impl Drop for Hold {
    fn drop(&mut self) {
        self.clock.release();
    }
}

/// This thread works: time goes on only while it waits through the clock or a backend.
#[derive(Debug)]
pub struct Active {
    hold: Hold,
    _thread: PhantomData<*mut ()>,
}

impl Drop for Active {
    fn drop(&mut self) {
        let id = identity(&*self.hold.clock);
        ACTIVE.with_borrow_mut(|all| {
            if let Some(at) = all.iter().rposition(|known| identity(&**known) == id) {
                all.remove(at);
            }
        });
    }
}

thread_local! {
    /// The clocks this thread holds, once for each [`Active`].
    static ACTIVE: RefCell<Vec<Arc<dyn Clock>>> = const { RefCell::new(Vec::new()) };
}

/// How often this thread is [`Active`] on a clock; what a wait lets go of and takes back.
pub fn active_here(clock: &dyn Clock) -> usize {
    let id = identity(clock);
    ACTIVE.with_borrow(|all| all.iter().filter(|known| identity(&***known) == id).count())
}

/// Waits for another thread. Meanwhile this thread does not keep the clocks it is [`Active`] on from
/// going on, as the other one may wait for them; nor do they stand still from the end of the wait
/// until this thread has noticed.
pub fn aside<R>(wait: impl FnOnce() -> R) -> R {
    let all = ACTIVE.with_borrow(Vec::clone);
    all.iter().for_each(|clock| clock.release());
    let result = wait();
    all.iter().for_each(|clock| clock.acquire());
    result
}

/// Threads that wait for another one, which have let go of the clocks they are [`Active`] on. Whoever
/// ends their wait takes these for them before it wakes them: so no time passes until they are there.
/// Kept under the lock of what they wait for.
#[derive(Debug, Default)]
pub(crate) struct Waiting {
    /// By number, with what each has let go of.
    threads: Vec<(u64, Vec<Arc<dyn Clock>>)>,
    next: u64,
}

impl Waiting {
    /// Nobody.
    pub(crate) const fn new() -> Self {
        Self { threads: Vec::new(), next: 0 }
    }

    /// This thread begins to wait, under a number.
    pub(crate) fn join(&mut self) -> u64 {
        let all = ACTIVE.with_borrow(Vec::clone);
        all.iter().for_each(|clock| clock.release());
        self.next += 1;
        self.threads.push((self.next, all));
        self.next
    }

    /// Whether a number still waits.
    pub(crate) fn has(&self, number: u64) -> bool {
        self.threads.iter().any(|(known, _)| *known == number)
    }

    /// All of them may look again; they are still to be woken.
    pub(crate) fn call(&mut self) {
        self.threads.drain(..).for_each(|(_, clocks)| clocks.iter().for_each(|c| c.acquire()));
    }
}

fn identity(clock: &dyn Clock) -> usize {
    std::ptr::from_ref(clock).cast::<u8>().addr()
}
