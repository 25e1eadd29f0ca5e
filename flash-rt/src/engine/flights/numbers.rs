//! The order in which launches were submitted, and which of them came before arrays were exchanged.

use crate::sync::{AtomicU64, Ordering};

/// Relaxed, as what has to be seen of a launch or an exchange comes with the order of the nodes, and they are
/// compared by somebody who is alone in the run.
#[derive(Debug, Default)]
pub(super) struct Numbers {
    next: AtomicU64,
    /// The number of the next launch when arrays were last exchanged.
    exchanged: AtomicU64,
}

impl Numbers {
    /// That of another launch.
    pub(super) fn next(&self) -> u64 {
        self.next.fetch_add(1, Ordering::Relaxed)
    }

    /// Notes that arrays were exchanged. Somebody who exchanges others at this moment may have seen a later
    /// number.
    pub(super) fn note_exchange(&self) {
        self.exchanged.fetch_max(self.next.load(Ordering::Relaxed), Ordering::Relaxed);
    }

    /// Whether arrays were exchanged after a launch, as far as is known.
    pub(super) fn is_before_exchange(&self, number: u64) -> bool {
        number < self.exchanged.load(Ordering::Relaxed)
    }
}
