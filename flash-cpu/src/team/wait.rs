//! How a leader waits for what others do: it looks, yields, and sleeps. It runs no pieces.

use super::Shared;
use super::sync::{self, Futex, Ordering, fence};

/// Looks of a leader at the last claims before it lets other threads run, and before it sleeps.
const PATIENCE: [u32; 2] = if cfg!(loom) { [1, 1] } else { [4_000, 200] };

impl Shared {
    /// Returns when something is over, whose end changes a word; or where it is `late`, which is asked
    /// after each look, by number. Whether the first look was too early.
    #[inline]
    pub(super) fn await_over(
        &self,
        word: &Futex,
        is_over: impl Fn() -> bool,
        late: impl Fn(u32) -> bool,
    ) -> bool {
        for looks in 0..PATIENCE[0] + PATIENCE[1] {
            if is_over() || late(looks) {
                return looks > 0;
            }
            sync::pause(looks >= PATIENCE[0] || self.layout.crowded);
        }
        // Some helper has a long piece, or no processor.
        self.sleep_until(word, is_over);
        true
    }

    /// Gives the processor away until something is over, whose end changes a word.
    #[cold]
    fn sleep_until(&self, word: &Futex, is_over: impl Fn() -> bool) {
        let awaited = &self.count.awaited;
        awaited.store(true, Ordering::Relaxed);
        fence(Ordering::SeqCst);
        loop {
            // Before the look: an end after it changes the word, and the wait returns.
            let seen = word.word.load(Ordering::Acquire);
            if is_over() {
                break;
            }
            word.wait(seen);
        }
        awaited.store(false, Ordering::Relaxed);
    }
}
