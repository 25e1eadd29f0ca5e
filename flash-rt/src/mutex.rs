//! A mutex that is taken also after somebody has panicked with it: what it guards is whole at each step of
//! whoever uses this. It makes no lock.

use std::sync::{Mutex, MutexGuard, PoisonError};

pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
