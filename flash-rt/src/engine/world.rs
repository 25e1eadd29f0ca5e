//! Threads that do what nodes do, beside each other, and who of them deals, alone, with what a device
//! has given up. It does not know what was given up, nor how that runs again.

use std::sync::{PoisonError, TryLockError};

use crate::backend::clock::aside;
use crate::sync::{AtomicU64, Ordering, RwLock, RwLockReadGuard, RwLockWriteGuard};

/// Who is inside of a run.
#[derive(Debug, Default)]
pub(super) struct World {
    lock: RwLock<()>,
    /// How often somebody alone has changed what the others build on.
    generation: AtomicU64,
}

/// One who is alone.
pub(super) struct Alone<'w> {
    world: &'w World,
    _guard: RwLockWriteGuard<'w, ()>,
}

impl World {
    /// How often something was run again; who may fail asks before he begins.
    pub(super) fn generation(&self) -> u64 {
        self.generation.load(Ordering::Acquire)
    }

    /// Lets this thread do what a node does.
    #[inline]
    pub(super) fn enter(&self) -> RwLockReadGuard<'_, ()> {
        match self.lock.try_read() {
            Ok(inside) => inside,
            Err(TryLockError::WouldBlock) => {
                aside(|| self.lock.read()).unwrap_or_else(PoisonError::into_inner)
            }
            Err(TryLockError::Poisoned(inside)) => inside.into_inner(),
        }
    }

    /// Waits until nobody else is at anything. Nothing where what this thread has failed at was dealt
    /// with since `generation`.
    pub(super) fn alone(&self, generation: u64) -> Option<Alone<'_>> {
        let guard = aside(|| self.lock.write()).unwrap_or_else(PoisonError::into_inner);
        (self.generation() == generation).then_some(Alone { world: self, _guard: guard })
    }
}

impl Alone<'_> {
    /// Others who have failed until now are to try again.
    pub(super) fn note(&self) {
        self.world.generation.fetch_add(1, Ordering::AcqRel);
    }
}
