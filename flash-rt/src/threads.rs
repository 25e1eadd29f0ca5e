//! Threads that a runtime keeps for host tasks: started when one is needed, asleep between runs,
//! ended with the runtime. They run what a scope lends them; kernels are not run here.
#![allow(unsafe_code, reason = "lends borrowed work to threads that outlive it; a scope waits")]

mod watch;

use std::any::Any;
use std::fmt;
use std::marker::PhantomData;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::thread::{Builder, JoinHandle};

use self::watch::{Watch, Watched};
use crate::backend::clock::Waiting;
use crate::mutex::lock;

/// The name of the threads.
const THREAD: &str = "flash-host";

/// Work of a scope that several threads may do at once.
pub(crate) trait Help: Sync {
    /// Takes part until there is nothing left to do.
    fn help<'scope>(&'scope self, scope: &'scope Scope<'scope, '_>);

    /// Called now and then while the work is [watched](Scope::watch); may start help, but waits for
    /// nothing.
    fn look_after<'scope>(&'scope self, _scope: &'scope Scope<'scope, '_>) {}
}

/// Work of a scope, its lifetime erased.
enum Work {
    /// Lent, so that nothing is allocated for it.
    Lent(&'static dyn Help, &'static Scope<'static, 'static>),
    #[cfg(test)]
    Owned(Box<dyn FnOnce() + Send>),
}

impl Work {
    fn run(self) {
        match self {
            Self::Lent(work, scope) => work.help(scope),
            #[cfg(test)]
            Self::Owned(work) => work(),
        }
    }
}

/// The threads of a runtime. Dropping it ends and joins them.
#[derive(Debug, Default)]
pub(crate) struct Threads {
    idle: Arc<Idle>,
    started: Mutex<Vec<JoinHandle<()>>>,
    /// What scopes have waited for, and others will.
    pending: Mutex<Vec<Arc<Pending>>>,
    watch: Watch,
}

/// The threads that have nothing to do, the last one to stop on top.
type Idle = Mutex<Vec<Arc<Seat>>>;

/// Where a thread sleeps.
#[derive(Default)]
struct Seat {
    order: Mutex<Option<Order>>,
    given: Condvar,
}

/// What a thread is to do next.
enum Order {
    Run(Work, Arc<Pending>),
    End,
}

/// What a scope waits for.
#[derive(Debug, Default)]
struct Pending {
    state: Mutex<State>,
    done: Condvar,
}

#[derive(Debug, Default)]
struct State {
    running: usize,
    is_watched: bool,
    waiting: Waiting,
    panic: Option<Box<dyn Any + Send>>,
}

impl fmt::Debug for Seat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Seat").finish_non_exhaustive()
    }
}

impl Seat {
    fn give(&self, order: Order) {
        *lock(&self.order) = Some(order);
        self.given.notify_one();
    }

    /// The life of a thread.
    fn serve(self: &Arc<Self>, idle: &Idle) {
        loop {
            let mut order = lock(&self.order);
            let next = loop {
                match order.take() {
                    Some(next) => break next,
                    None => order = self.given.wait(order).unwrap_or_else(PoisonError::into_inner),
                }
            };
            drop(order);
            let Order::Run(work, pending) = next else { return };
            // The call drops the work, and with it all that it borrows.
            let panic = catch_unwind(AssertUnwindSafe(|| work.run())).err();
            // Free before the scope ends, so that the next one finds this thread.
            lock(idle).push(Arc::clone(self));
            let mut state = lock(&pending.state);
            state.running -= 1;
            if state.running == 0 {
                state.waiting.call();
            }
            if let Some(panic) = panic {
                state.panic.get_or_insert(panic);
            }
            drop(state);
            pending.done.notify_one();
        }
    }
}

impl Threads {
    /// Runs `body` with a scope, and returns when all work that it started has ended, also where
    /// the body unwinds.
    ///
    /// # Panics
    ///
    /// With the first panic of the work.
    pub(crate) fn scope<'env, T>(
        &'env self,
        body: impl for<'scope> FnOnce(&'scope Scope<'scope, 'env>) -> T,
    ) -> T {
        /// Waits when it is dropped.
        struct Wait<'a>(Arc<Pending>, &'a Watch);
        impl Drop for Wait<'_> {
            fn drop(&mut self) {
                let mut state = lock(&self.0.state);
                if std::mem::take(&mut state.is_watched) {
                    drop(state);
                    // From then on nobody lends anything.
                    self.1.remove(&self.0);
                    state = lock(&self.0.state);
                }
                while state.running > 0 {
                    let number = state.waiting.join();
                    while state.waiting.has(number) {
                        state = self.0.done.wait(state).unwrap_or_else(PoisonError::into_inner);
                    }
                }
            }
        }
        let pending = lock(&self.pending).pop().unwrap_or_default();
        let scope = Scope {
            threads: self,
            pending: Arc::clone(&pending),
            scope: PhantomData,
            env: PhantomData,
        };
        let wait = Wait(Arc::clone(&pending), &self.watch);
        let value = body(&scope);
        drop(wait);
        let panic = lock(&pending.state).panic.take();
        // A thread may still be about to wake somebody here, who will look and sleep on.
        lock(&self.pending).push(pending);
        if let Some(panic) = panic {
            resume_unwind(panic);
        }
        value
    }

    /// A thread that has nothing to do; started if there is none.
    fn seat(&self) -> std::io::Result<Arc<Seat>> {
        if let Some(seat) = lock(&self.idle).pop() {
            return Ok(seat);
        }
        let seat = Arc::<Seat>::default();
        let (of_thread, idle) = (Arc::clone(&seat), Arc::clone(&self.idle));
        let thread =
            Builder::new().name(THREAD.to_owned()).spawn(move || of_thread.serve(&idle))?;
        lock(&self.started).push(thread);
        Ok(seat)
    }
}

impl Drop for Threads {
    fn drop(&mut self) {
        // Every scope borrowed the threads and has ended, so all of them are idle.
        for seat in lock(&self.idle).drain(..) {
            seat.give(Order::End);
        }
        for thread in lock(&self.started).drain(..) {
            // Work is caught, so a thread does not panic.
            let _ = thread.join();
        }
    }
}

/// Where work with borrowed data is started; see [`Threads::scope`].
pub(crate) struct Scope<'scope, 'env: 'scope> {
    threads: &'env Threads,
    pending: Arc<Pending>,
    // Invariant, as for `std::thread::Scope`: a shorter `'scope` would let work borrow too little.
    scope: PhantomData<&'scope mut &'scope ()>,
    env: PhantomData<&'env mut &'env ()>,
}

impl<'scope> Scope<'scope, '_> {
    /// Has one more thread take part in work.
    ///
    /// # Errors
    ///
    /// What the system says where it refuses a thread.
    pub(crate) fn lend(&'scope self, work: &'scope (dyn Help + 'scope)) -> std::io::Result<()> {
        let seat = self.threads.seat()?;
        // SAFETY: `Threads::scope` does not return before `running` is zero again, which the thread
        // sees to after it has left the work.
        let (work, scope) = unsafe { self.erased(work) };
        lock(&self.pending.state).running += 1;
        seat.give(Order::Run(Work::Lent(work, scope), Arc::clone(&self.pending)));
        Ok(())
    }

    /// From now on until the scope ends, work is [looked after](Help::look_after) each millisecond.
    ///
    /// # Errors
    ///
    /// What the system says where it refuses a thread.
    pub(crate) fn watch(&'scope self, work: &'scope (dyn Help + 'scope)) -> std::io::Result<()> {
        // SAFETY: `Threads::scope` does not return before the watch has given the work back, which
        // `is_watched` makes it ask for.
        let (work, scope) = unsafe { self.erased(work) };
        lock(&self.pending.state).is_watched = true;
        self.threads.watch.add(Watched { of: Arc::clone(&self.pending), work, scope })
    }

    /// Work and the scope without their lifetimes.
    ///
    /// # Safety
    ///
    /// Neither is used after [`Threads::scope`] has returned.
    unsafe fn erased(
        &'scope self,
        work: &'scope (dyn Help + 'scope),
    ) -> (&'static (dyn Help + 'static), &'static Scope<'static, 'static>) {
        // SAFETY: the types differ in the lifetime only, and `'scope` lasts until `Threads::scope`
        // returns.
        let work = unsafe {
            std::mem::transmute::<&'scope (dyn Help + 'scope), &'static (dyn Help + 'static)>(work)
        };
        // SAFETY: as above; the lifetimes stand for what the scope borrows, which outlives it.
        let scope =
            unsafe { std::mem::transmute::<&'scope Self, &'static Scope<'static, 'static>>(self) };
        (work, scope)
    }

    /// Starts work on a thread of its own.
    #[cfg(test)]
    fn run(&'scope self, work: impl FnOnce() + Send + 'scope) -> std::io::Result<()> {
        let seat = self.threads.seat()?;
        let work: Box<dyn FnOnce() + Send + 'scope> = Box::new(work);
        type Owned = Box<dyn FnOnce() + Send>;
        // SAFETY: the types differ in the lifetime only. `Threads::scope` does not return before
        // `running` is zero again, which the thread sees to after it has run and dropped the work,
        // and `'scope` lasts until then.
        let work = unsafe { std::mem::transmute::<Box<dyn FnOnce() + Send + 'scope>, Owned>(work) };
        lock(&self.pending.state).running += 1;
        seat.give(Order::Run(Work::Owned(work), Arc::clone(&self.pending)));
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::thread::ThreadId;

    use super::*;

    #[test]
    fn a_thread_serves_one_scope_after_the_other_and_borrows_from_each() {
        let threads = Threads::default();
        let mut seen = HashSet::<ThreadId>::new();
        for k in 0..50 {
            let mut value = 0;
            threads.scope(|scope| {
                let (value, seen) = (&mut value, &mut seen);
                let work = move || {
                    *value = k + 1;
                    seen.insert(std::thread::current().id());
                };
                scope.run(work).unwrap();
            });
            assert_eq!(value, k + 1);
        }
        assert_eq!(seen.len(), 1);
        assert!(!seen.contains(&std::thread::current().id()));
    }

    #[test]
    fn work_of_one_scope_runs_at_the_same_time() {
        let threads = Threads::default();
        let meet = std::sync::Barrier::new(3);
        threads.scope(|scope| {
            for _ in 0..2 {
                scope
                    .run(|| {
                        meet.wait();
                    })
                    .unwrap();
            }
            meet.wait();
        });
        assert_eq!(lock(&threads.idle).len(), 2);
    }

    #[test]
    fn a_panic_reaches_the_scope_after_all_work_and_the_thread_lives_on() {
        let threads = Threads::default();
        let done = AtomicUsize::new(0);
        let panic = catch_unwind(AssertUnwindSafe(|| {
            threads.scope(|scope| {
                scope.run(|| panic!("from work")).unwrap();
                scope
                    .run(|| {
                        done.fetch_add(1, Ordering::SeqCst);
                    })
                    .unwrap();
            });
        }))
        .unwrap_err();
        assert_eq!(panic.downcast_ref(), Some(&"from work"));
        assert_eq!(done.load(Ordering::SeqCst), 1);
        // A body that unwinds waits as well.
        let unwound = catch_unwind(AssertUnwindSafe(|| {
            threads.scope(|scope| {
                scope
                    .run(|| {
                        done.fetch_add(1, Ordering::SeqCst);
                    })
                    .unwrap();
                panic!("from the body");
            });
        }));
        assert!(unwound.is_err());
        assert_eq!(done.load(Ordering::SeqCst), 2);
        assert!(lock(&threads.started).len() <= 2);
    }

    #[test]
    fn threads_end_with_their_owner() {
        struct Ended(Arc<AtomicUsize>);
        impl Drop for Ended {
            fn drop(&mut self) {
                self.0.fetch_add(1, Ordering::SeqCst);
            }
        }
        thread_local! {
            static ENDED: std::cell::RefCell<Option<Ended>> = const { std::cell::RefCell::new(None) };
        }
        let ended = Arc::new(AtomicUsize::new(0));
        let threads = Threads::default();
        let of_thread = Ended(Arc::clone(&ended));
        threads.scope(|scope| {
            let keep = move || ENDED.with(|ended| *ended.borrow_mut() = Some(of_thread));
            scope.run(keep).unwrap();
        });
        assert_eq!(ended.load(Ordering::SeqCst), 0, "asleep, not gone");
        drop(threads);
        assert_eq!(ended.load(Ordering::SeqCst), 1);
    }
}
