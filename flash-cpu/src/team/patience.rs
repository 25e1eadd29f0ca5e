//! How long a helper looks for a launch: longer where it has worked. It does not look itself.

use std::time::{Duration, Instant};

use super::Layout;

/// A helper that has worked looks longer, as long as it worked for, up to so many times that: what
/// comes in series often comes again after a little host code.
const MOST_SPIN: u32 = 8;

/// How long a helper looks for a launch before it sleeps.
pub(super) struct Patience {
    spin: Duration,
    most: Duration,
    /// The last reading of the clock.
    pub(super) clock: Instant,
    /// Looks from here on.
    start: Instant,
    /// Time worked and not yet spent on looking.
    credit: Duration,
}

impl Patience {
    pub(super) fn new(layout: &Layout) -> Self {
        let most = if layout.crowded { layout.spin } else { layout.spin * MOST_SPIN };
        let now = Instant::now();
        Self { spin: layout.spin, most, clock: now, start: now, credit: Duration::ZERO }
    }

    /// It has worked since the last reading of the clock, and looks from now on.
    pub(super) fn has_worked(&mut self, now: Instant) {
        let spent = self.clock.saturating_duration_since(self.start);
        let worked = now.saturating_duration_since(self.clock);
        self.credit = (self.credit.saturating_sub(spent) + worked).min(self.most);
        (self.clock, self.start) = (now, now);
    }

    pub(super) fn is_over(&mut self, now: Instant) -> bool {
        self.clock = now;
        now.saturating_duration_since(self.start) >= self.credit.max(self.spin)
    }
}
