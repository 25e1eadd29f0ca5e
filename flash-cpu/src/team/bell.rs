//! What tells helpers of a launch. It wakes nobody.

use super::sync::{AtomicBool, AtomicU32, AtomicU64, Ordering, Shelf};
use super::{At, turn};

/// What helpers look at while they wait.
#[derive(Debug)]
#[repr(align(128))]
pub(super) struct Bell {
    /// Number of the launch; it never comes again. What kind of launch, `turn` knows.
    pub(super) launch: AtomicU64,
    /// The seat of the thread that leads the launch.
    pub(super) leader: AtomicU32,
    /// Its processor, [`NOWHERE`] if unknown.
    pub(super) processor: AtomicU32,
    /// Microseconds that helpers stay up, giving way to others, when they have looked enough.
    pub(super) linger: AtomicU32,
    pub(super) stop: AtomicBool,
    /// Where the work of a launch lies that is taken in turns.
    pub(super) desk: Shelf<At>,
}

/// The processor of a leader of whom it is not known.
pub(super) const NOWHERE: u32 = u32::MAX;

impl Bell {
    pub(super) fn new() -> Self {
        Self {
            launch: AtomicU64::new(0),
            leader: AtomicU32::new(0),
            processor: AtomicU32::new(NOWHERE),
            linger: AtomicU32::new(0),
            stop: AtomicBool::new(false),
            desk: Shelf::new(At::NOWHERE),
        }
    }

    /// The number of the next launch. Only the leader asks, or who ends the team.
    #[inline]
    pub(super) fn next(&self, in_turns: bool) -> u64 {
        turn::next(self.launch.load(Ordering::Relaxed), in_turns)
    }

    /// Tells helpers of a launch with the next number.
    #[inline]
    pub(super) fn ring(&self, launch: u64) {
        // Release pairs with the helpers' acquire: who sees the number sees what was written before.
        self.launch.store(launch, Ordering::Release);
    }
}
