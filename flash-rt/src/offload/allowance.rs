//! How much memory of a device launches that are kept ready may have, for tables and partial results. It holds
//! none itself.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::backend::LaunchInfo;
use crate::error::DriverError;

/// The bytes of all tables of a device, at most, and how large a part of its memory they are.
const MOST: u64 = 64 << 20;
const PART: u64 = 64;
/// The bytes of one.
const MOST_OF_ONE: u64 = 4 << 20;

/// Whether a launch has items, and no more than go into a table.
pub fn may_have<M>(launch: &LaunchInfo<'_, M>) -> bool {
    let ids = launch.n_items().saturating_mul(launch.space.rank()) as u64;
    (1..=MOST_OF_ONE / 8).contains(&ids)
}

/// What a device has left for tables.
#[derive(Debug)]
pub struct Allowance {
    used: Arc<AtomicU64>,
    most: u64,
}

/// A table of ids that stays with a launch, in memory of a device.
#[derive(Debug)]
pub struct Table<S> {
    /// The memory.
    pub memory: S,
    _share: Share,
}

/// A part of it, until this is dropped.
#[derive(Debug)]
struct Share {
    used: Arc<AtomicU64>,
    bytes: u64,
}

impl Allowance {
    /// That of a device with so many bytes of memory.
    pub fn of(memory: u64) -> Self {
        Self { used: Arc::default(), most: MOST.min(memory / PART) }
    }

    /// A table of so many bytes, in memory that is made for it; nothing where there is not as much left.
    ///
    /// # Errors
    ///
    /// Those of making the memory.
    pub fn table<S>(
        &self,
        bytes: u64,
        make: impl FnOnce() -> Result<S, DriverError>,
    ) -> Result<Option<Table<S>>, DriverError> {
        let Some(share) = self.take(bytes) else { return Ok(None) };
        Ok(Some(Table { memory: make()?, _share: share }))
    }

    /// So many bytes of it; nothing where there are not as many left, or they are too many for one table.
    fn take(&self, bytes: u64) -> Option<Share> {
        // Relaxed: the counter guards a sum, not other memory.
        let sum = |used: u64| used.checked_add(bytes).filter(|&sum| sum <= self.most);
        let taken = || self.used.fetch_update(Ordering::Relaxed, Ordering::Relaxed, sum);
        (bytes <= MOST_OF_ONE && taken().is_ok())
            .then(|| Share { used: Arc::clone(&self.used), bytes })
    }
}

impl Drop for Share {
    fn drop(&mut self) {
        self.used.fetch_sub(self.bytes, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_dropped_is_left_again() {
        assert!(Allowance::of(64).take(2).is_none() && Allowance::of(64).take(1).is_some());
        let all = Allowance::of(1 << 40);
        assert!(all.take(MOST_OF_ONE + 1).is_none(), "too much for one");
        let mut taken: Vec<_> =
            (0..MOST / MOST_OF_ONE).map(|_| all.take(MOST_OF_ONE).unwrap()).collect();
        assert!(all.take(1).is_none());
        taken.pop();
        assert!(all.take(MOST_OF_ONE).is_some());
    }
}
