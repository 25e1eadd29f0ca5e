//! Who still needs a block of memory. It frees nothing.

use crate::sync::{AtomicUsize, Ordering, fence};

/// What a block begins with. Its store counts as all that it may ever give out.
#[derive(Debug)]
pub(super) struct Users(AtomicUsize);

impl Users {
    /// What a store counts as.
    pub(super) const STORE: usize = usize::MAX / 2;

    /// Those of a block of which nothing has been given out.
    pub(super) fn new() -> Self {
        Self(AtomicUsize::new(Self::STORE))
    }

    /// So many no longer need it; whether nobody does, after all that the others did with it.
    #[inline]
    pub(super) fn leave(&self, n: usize) -> bool {
        let is_last = self.0.fetch_sub(n, Ordering::Release) == n;
        if is_last {
            fence(Ordering::Acquire);
        }
        is_last
    }
}
