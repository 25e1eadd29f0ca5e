//! How many threads of the process run nodes of pipelines on its processors: no more are woken than there
//! are processors, and helpers of a launch leave theirs to the others. It wakes nobody, and knows no nodes.

use std::cell::Cell;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};

/// On a cache line of its own, as helpers look at it between the pieces of a launch.
#[repr(align(128))]
struct Count(AtomicUsize);

// Relaxed everywhere: it decides how quick something is, never what comes of it.
static COUNT: Count = Count(AtomicUsize::new(0));

thread_local! {
    static IS_COUNTED: Cell<bool> = const { Cell::new(false) };
}

/// The processors that this process may use.
pub fn processors() -> usize {
    static THERE: OnceLock<usize> = OnceLock::new();
    *THERE.get_or_init(|| std::thread::available_parallelism().map_or(1, usize::from))
}

/// How many threads are at work.
#[inline]
pub fn count() -> usize {
    COUNT.0.load(Ordering::Relaxed)
}

/// Whether this thread is one of them.
pub fn is_counted() -> bool {
    IS_COUNTED.get()
}

/// Counts threads that are woken or started, before they are there; each of them [comes](come).
pub(crate) fn call(threads: usize) {
    if threads > 0 {
        COUNT.0.fetch_add(threads, Ordering::Relaxed);
    }
}

/// Takes back the count of a thread that does not come after all.
pub(crate) fn call_off() {
    COUNT.0.fetch_sub(1, Ordering::Relaxed);
}

/// This thread has come, and was counted by whoever called it.
pub(crate) fn come() {
    if IS_COUNTED.replace(true) {
        call_off();
    }
}

/// Counts this thread from now on; false where it was counted already. Also for threads of others that
/// use a processor beside those of runtimes, for as long as they do.
///
/// ```
/// use flash_rt::backend::at_work;
///
/// if at_work::enter() {
///     // Helpers of launches leave it a processor.
///     at_work::leave();
/// }
/// ```
pub fn enter() -> bool {
    let is_new = !IS_COUNTED.replace(true);
    call(usize::from(is_new));
    is_new
}

/// This thread does nothing more, or waits for others; whether it was counted.
pub fn leave() -> bool {
    let was_counted = IS_COUNTED.replace(false);
    if was_counted {
        call_off();
    }
    was_counted
}

/// While this lives, its thread is not counted: it does something that leaves its processor alone.
pub(crate) struct Aside(bool);

impl Aside {
    pub(crate) fn new() -> Self {
        Self(leave())
    }
}

impl Drop for Aside {
    fn drop(&mut self) {
        if self.0 {
            enter();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_thread_counts_once() {
        assert!(enter());
        assert!(!enter(), "as a pipeline inside of a host task");
        assert!(is_counted());
        {
            let _aside = Aside::new();
            assert!(!is_counted());
            assert!(enter());
            leave();
        }
        assert!(is_counted());
        // Woken for more while it was counted.
        call(1);
        come();
        leave();
        leave();
        assert!(!is_counted());
        drop(Aside::new());
        assert!(!is_counted(), "it was not before");
    }
}
