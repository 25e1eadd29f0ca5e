//! Whether something is there that calls use, and who uses it: it ends when nobody does. It does not know what it
//! is.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::SeqCst};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// So long who ends it looks away from those who use it.
const LOOK: Duration = Duration::from_micros(50);

/// Something that is there until somebody ends it.
#[derive(Debug)]
pub(super) struct Alive {
    is_alive: AtomicBool,
    users: AtomicUsize,
    /// Held by who ends it.
    ending: Mutex<()>,
}

/// For as long as something is used.
#[derive(Debug)]
pub(crate) struct InUse<'a>(&'a Alive);

impl Drop for InUse<'_> {
    fn drop(&mut self) {
        self.0.users.fetch_sub(1, SeqCst);
    }
}

impl Alive {
    /// It is there.
    pub(super) fn new() -> Self {
        let (is_alive, users, ending) =
            (AtomicBool::new(true), AtomicUsize::new(0), Mutex::default());
        Self { is_alive, users, ending }
    }

    /// Whether it is there now.
    pub(super) fn is(&self) -> bool {
        self.is_alive.load(SeqCst)
    }

    /// Keeps it there; nothing where it is gone, or about to go. Who has it already may have it once more, and
    /// waits for nobody.
    pub(super) fn keep(&self) -> Option<InUse<'_>> {
        // Counted before it is looked at, as who ends it says so before he counts: one of both sees the other.
        self.users.fetch_add(1, SeqCst);
        let in_use = InUse(self);
        self.is().then_some(in_use)
    }

    /// Ends it, when nobody uses it; nothing where it has ended, which is then over.
    pub(super) fn end<T>(&self, end: impl FnOnce() -> T) -> Option<T> {
        let _one = self.ending.lock().unwrap_or_else(PoisonError::into_inner);
        if !self.is_alive.swap(false, SeqCst) {
            return None;
        }
        while self.users.load(SeqCst) > 0 {
            std::thread::sleep(LOOK);
        }
        Some(end())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_ends_it_waits_for_its_users_and_nobody_for_him() {
        let (over, is_over) = std::sync::mpsc::channel();
        std::thread::spawn(move || {
            let (alive, has_ended) = (Alive::new(), AtomicBool::new(false));
            let in_use = alive.keep().expect("it is there");
            std::thread::scope(|scope| {
                let end = scope.spawn(|| alive.end(|| has_ended.store(true, SeqCst)));
                while alive.is() {
                    std::thread::yield_now();
                }
                // Also where it is kept already: whoever waited here would wait for himself.
                assert!(alive.keep().is_none());
                assert!(!has_ended.load(SeqCst), "it is used");
                drop(in_use);
                assert_eq!(end.join().expect("no panic"), Some(()));
            });
            assert!(has_ended.load(SeqCst) && alive.keep().is_none());
            assert_eq!(alive.end(|| ()), None, "once");
            over.send(()).expect("somebody waits");
        });
        assert_eq!(is_over.recv_timeout(Duration::from_secs(20)), Ok(()));
    }

    #[test]
    fn nobody_uses_what_has_ended() {
        for _ in 0..200 {
            let (alive, has_ended) = (Alive::new(), AtomicBool::new(false));
            std::thread::scope(|scope| {
                for _ in 0..2 {
                    scope.spawn(|| {
                        while let Some(_in_use) = alive.keep() {
                            assert!(!has_ended.load(SeqCst));
                        }
                    });
                }
                alive.end(|| has_ended.store(true, SeqCst));
            });
        }
    }
}
