//! Objects by handle. A handle is a number that is never given twice and no address of the host,
//! so a stale one is noticed. It does not know what the objects are.

use std::collections::HashMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, RwLock};

use crate::codes::{Code, Outcome};
use crate::locks::{read, write};

#[derive(Debug)]
pub(crate) struct Table<T> {
    base: usize,
    next: AtomicUsize,
    live: RwLock<HashMap<usize, Arc<T>>>,
}

impl<T> Table<T> {
    /// The kind keeps handles of different tables apart.
    pub(crate) fn new(kind: usize) -> Self {
        let base = (0x7e00 + kind) << 40;
        Self { base, next: AtomicUsize::new(1), live: RwLock::default() }
    }

    /// Adds what is made of its own handle.
    pub(crate) fn insert(&self, make: impl FnOnce(usize) -> T) -> Arc<T> {
        let handle = self.base + 16 * self.next.fetch_add(1, Ordering::Relaxed);
        let object = Arc::new(make(handle));
        write(&self.live).insert(handle, object.clone());
        object
    }

    pub(crate) fn get(&self, handle: usize) -> Outcome<Arc<T>> {
        read(&self.live).get(&handle).cloned().ok_or(Code::INVALID_HANDLE)
    }

    pub(crate) fn remove(&self, handle: usize) -> Outcome<Arc<T>> {
        write(&self.live).remove(&handle).ok_or(Code::INVALID_HANDLE)
    }

    pub(crate) fn all(&self) -> Vec<Arc<T>> {
        read(&self.live).values().cloned().collect()
    }

    pub(crate) fn count(&self) -> usize {
        read(&self.live).len()
    }

    /// Removes those of which `keep` is false, and hands them over.
    pub(crate) fn take(&self, keep: impl Fn(&T) -> bool) -> Vec<Arc<T>> {
        let mut taken = Vec::new();
        write(&self.live).retain(|_, object| {
            let kept = keep(object);
            if !kept {
                taken.push(object.clone());
            }
            kept
        });
        taken
    }
}
