//! The atomics and locks of what threads agree on without a common lock, in one place so that loom can
//! stand in for them (`models.rs` beside what it is about). No protocol here.

#[cfg(loom)]
pub(crate) use loom::sync::{
    Condvar, Mutex, MutexGuard, RwLock, RwLockReadGuard, RwLockWriteGuard,
    atomic::{AtomicBool, AtomicPtr, AtomicU32, AtomicU64, AtomicUsize, Ordering, fence},
};
#[cfg(not(loom))]
pub(crate) use std::sync::{
    Condvar, Mutex, MutexGuard, RwLock, RwLockReadGuard, RwLockWriteGuard,
    atomic::{AtomicBool, AtomicPtr, AtomicU32, AtomicU64, AtomicUsize, Ordering, fence},
};

/// Goes through every interleaving of what threads do, but for those with more involuntary switches
/// than three, as loom advises.
#[cfg(all(test, loom))]
pub(crate) fn model(f: impl Fn() + Send + Sync + 'static) {
    model_within(3, f);
}

/// The same with at most so many involuntary switches, for more than two threads.
#[cfg(all(test, loom))]
pub(crate) fn model_within(switches: usize, f: impl Fn() + Send + Sync + 'static) {
    let mut builder = loom::model::Builder::new();
    builder.preemption_bound = Some(switches);
    builder.check(f);
}
