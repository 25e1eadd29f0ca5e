//! Which pipelines are so short that sharing their nodes among threads costs more than it gives, also
//! for those that are built anew each time. Only bodies count, which wait for nothing. It times nothing.

use std::hash::Hasher;
use std::time::Duration;

use super::ids::Spread;
use super::rows::Rows;
use crate::sync::{AtomicU64, Ordering};

/// A kernel that takes less is better run by whoever is there.
const SHORT: Duration = Duration::from_micros(2);

/// A launch of fewer steps takes less than handing it to another thread.
const STEPS: usize = 1_000;

/// As many pipelines are remembered at most, each at the place that its number says.
const PLACES: usize = 64;

/// Whether a launch of so many steps is sure to be short.
pub(super) fn is_sure(steps: usize) -> bool {
    steps < STEPS
}

/// Whether the launches of a run that was shared were short, in the mean.
pub(super) fn was_short(rows: &Rows, took: Duration) -> bool {
    took < SHORT * u32::try_from(rows.total()).unwrap_or(u32::MAX)
}

/// Whether those of a run that was not shared still were.
pub(super) fn is_short(rows: &Rows, took: Duration) -> bool {
    took < 2 * SHORT * u32::try_from(rows.total()).unwrap_or(u32::MAX)
}

/// What tells pipelines apart: the kernels they launch over how many items.
#[derive(Debug, Default)]
pub(super) struct Signature(Spread);

impl Signature {
    /// Adds a launch, by the address of what stays where it is, and its items.
    #[inline]
    pub(super) fn add<T>(&mut self, of: &'static T, items: usize) {
        self.0.write_u64(std::ptr::from_ref(of).addr() as u64);
        self.0.write_u64(items as u64);
    }

    /// A number that is not zero.
    pub(super) fn number(&self) -> u64 {
        self.0.finish() | 1
    }
}

/// What a runtime remembers of pipelines that were short.
#[derive(Debug)]
pub(crate) struct Fine {
    places: [AtomicU64; PLACES],
}

impl Default for Fine {
    fn default() -> Self {
        Self { places: std::array::from_fn(|_| AtomicU64::new(0)) }
    }
}

impl Fine {
    // Relaxed: it is a guess about times.
    pub(super) fn has(&self, number: u64) -> bool {
        self.place(number).load(Ordering::Relaxed) == number
    }

    pub(super) fn note(&self, number: u64, is_fine: bool) {
        if self.has(number) != is_fine {
            self.place(number).store(if is_fine { number } else { 0 }, Ordering::Relaxed);
        }
    }

    fn place(&self, number: u64) -> &AtomicU64 {
        &self.places[(number >> 1) as usize % PLACES]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_run_of_a_pipeline_counts() {
        let fine = Fine::default();
        let number = |n: usize| {
            let mut signature = Signature::default();
            signature.add(&SHORT, n);
            signature.number()
        };
        let (one, other) = (number(100), number(200));
        assert_ne!(one, other);
        fine.note(one, true);
        assert!(fine.has(one) && !fine.has(other));
        fine.note(other, false);
        assert!(fine.has(one));
        fine.note(one, false);
        assert!(!fine.has(one));
        // More than there are places.
        (0..1_000).for_each(|n| fine.note(number(n), true));
        assert!(fine.has(number(999)));
    }
}
