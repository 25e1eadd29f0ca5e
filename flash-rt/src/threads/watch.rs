//! A thread that looks now and then after work whose own threads may be held up. It runs none of it.

use std::sync::{Arc, Condvar, Mutex};
use std::thread::{Builder, JoinHandle};
use std::time::Duration;

use super::{Help, Pending, Scope, lock};

/// The name of the thread.
const THREAD: &str = "flash-watch";

/// Between two looks.
const EVERY: Duration = Duration::from_millis(1);

/// After so many looks at nothing it sleeps until there is something.
const IDLE: u32 = 20;

/// What is watched. Dropping it ends the thread.
#[derive(Debug, Default)]
pub(super) struct Watch {
    shared: Arc<Shared>,
    thread: Mutex<Option<JoinHandle<()>>>,
}

#[derive(Debug, Default)]
struct Shared {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Default)]
struct State {
    watched: Vec<Watched>,
    sleeps: bool,
    ends: bool,
}

/// Work of a scope, its lifetime erased: it stays here no longer than the scope lasts.
pub(super) struct Watched {
    pub(super) of: Arc<Pending>,
    pub(super) work: &'static dyn Help,
    pub(super) scope: &'static Scope<'static, 'static>,
}

impl std::fmt::Debug for State {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("State").field("watched", &self.watched.len()).finish_non_exhaustive()
    }
}

impl Watch {
    /// Looks after work from now on.
    ///
    /// # Errors
    ///
    /// What the system says where it refuses a thread; the work is not watched then.
    pub(super) fn add(&self, watched: Watched) -> std::io::Result<()> {
        let mut thread = lock(&self.thread);
        if thread.is_none() {
            let shared = Arc::clone(&self.shared);
            *thread = Some(Builder::new().name(THREAD.to_owned()).spawn(move || shared.serve())?);
        }
        drop(thread);
        let mut state = lock(&self.shared.state);
        state.watched.push(watched);
        if std::mem::take(&mut state.sleeps) {
            self.shared.changed.notify_one();
        }
        Ok(())
    }

    /// No longer looks after what a scope has.
    pub(super) fn remove(&self, of: &Arc<Pending>) {
        lock(&self.shared.state).watched.retain(|watched| !Arc::ptr_eq(&watched.of, of));
    }
}

impl Shared {
    /// The life of the thread.
    fn serve(&self) {
        let mut state = lock(&self.state);
        let mut idle = 0;
        while !state.ends {
            idle = if state.watched.is_empty() { idle + 1 } else { 0 };
            // Whoever takes work from the watch waits for the lock.
            state.watched.iter().for_each(|watched| watched.work.look_after(watched.scope));
            state.sleeps = idle > IDLE;
            state = if state.sleeps {
                self.changed.wait(state).unwrap_or_else(std::sync::PoisonError::into_inner)
            } else {
                let waited = self.changed.wait_timeout(state, EVERY);
                waited.unwrap_or_else(std::sync::PoisonError::into_inner).0
            };
        }
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        lock(&self.shared.state).ends = true;
        self.shared.changed.notify_one();
        if let Some(thread) = lock(&self.thread).take() {
            // What is watched does not panic.
            let _ = thread.join();
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::super::Threads;
    use super::*;

    /// Counts looks, and starts help at the third.
    #[derive(Default)]
    struct Held {
        looks: AtomicUsize,
        helps: AtomicUsize,
        helped: Condvar,
        lock: Mutex<()>,
    }

    impl Help for Held {
        fn help<'scope>(&'scope self, _scope: &'scope Scope<'scope, '_>) {
            let _lock = lock(&self.lock);
            self.helps.fetch_add(1, Ordering::Relaxed);
            self.helped.notify_one();
        }

        fn look_after<'scope>(&'scope self, scope: &'scope Scope<'scope, '_>) {
            if self.looks.fetch_add(1, Ordering::Relaxed) == 2 {
                scope.lend(self).expect("a thread");
            }
        }
    }

    #[test]
    fn work_is_looked_after_while_its_scope_lasts_and_gets_help() {
        let threads = Threads::default();
        // Also after the watch fell asleep.
        for pause in [0, 2 * u64::from(IDLE)] {
            std::thread::sleep(EVERY * pause as u32);
            let held = Held::default();
            threads.scope(|scope| {
                scope.watch(&held).expect("a thread");
                let mut guard = lock(&held.lock);
                while held.helps.load(Ordering::Relaxed) == 0 {
                    let waited = held.helped.wait(guard);
                    guard = waited.unwrap_or_else(std::sync::PoisonError::into_inner);
                }
            });
            let looks = held.looks.load(Ordering::Relaxed);
            assert!(looks >= 3, "{looks}");
            assert!(lock(&threads.watch.shared.state).watched.is_empty());
            std::thread::sleep(5 * EVERY);
            assert_eq!(held.looks.load(Ordering::Relaxed), looks, "the scope has ended");
        }
    }

    #[test]
    fn who_watches_no_scope_any_more_sleeps_and_ends_with_the_threads() {
        let threads = Threads::default();
        let held = Held::default();
        threads.scope(|scope| scope.watch(&held).expect("a thread"));
        let shared = Arc::clone(&threads.watch.shared);
        while !lock(&shared.state).sleeps {
            std::thread::sleep(EVERY);
        }
        drop(threads);
        assert_eq!(Arc::strong_count(&shared), 1, "the thread has gone");
    }
}
