//! How much memory of a device the tables of launches that are kept ready may have. It holds none itself.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// The bytes of all tables of a device, at most.
const MOST: u64 = 64 << 20;
/// The bytes of one.
const MOST_OF_ONE: u64 = 4 << 20;

/// What a device has left for tables.
#[derive(Debug, Default)]
pub struct Allowance {
    used: Arc<AtomicU64>,
}

/// A part of it, until this is dropped.
#[derive(Debug)]
pub struct Share {
    used: Arc<AtomicU64>,
    bytes: u64,
}

impl Allowance {
    /// So many bytes of it; nothing where there are not as many left, or they are too many for one table.
    pub fn take(&self, bytes: u64) -> Option<Share> {
        // Relaxed: the counter guards a sum, not other memory.
        let sum = |used: u64| used.checked_add(bytes).filter(|&sum| sum <= MOST);
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
        let all = Allowance::default();
        assert!(all.take(MOST_OF_ONE + 1).is_none(), "too much for one");
        let mut taken: Vec<_> =
            (0..MOST / MOST_OF_ONE).map(|_| all.take(MOST_OF_ONE).unwrap()).collect();
        assert!(all.take(1).is_none());
        taken.pop();
        assert!(all.take(MOST_OF_ONE).is_some());
    }
}
