//! Memory of the host that devices reach: allocated by the driver, or registered. It frees nothing
//! that a caller has allocated.

use std::collections::BTreeMap;
use std::sync::{Arc, RwLock};

use crate::bytes::{Bytes, Place};
use crate::codes::{Code, Outcome};
use crate::locks::{read, write};

/// A range of pinned memory.
#[derive(Debug)]
pub(crate) struct Pinned {
    pub(crate) start: usize,
    pub(crate) len: usize,
    pub(crate) context: usize,
    /// The memory itself, where the driver has allocated it.
    own: Option<Bytes>,
}

impl Pinned {
    /// Where `len` bytes at an address are, if it holds them all.
    pub(crate) fn place(&self, address: usize, len: usize) -> Option<Place> {
        let offset = address.checked_sub(self.start)?;
        let fits = offset <= self.len && self.len - offset >= len;
        fits.then(|| match &self.own {
            Some(bytes) => bytes.place(offset),
            None => Place::host(std::ptr::with_exposed_provenance_mut(address)),
        })
    }

    pub(crate) fn is_registered(&self) -> bool {
        self.own.is_none()
    }
}

/// All pinned memory.
#[derive(Debug, Default)]
pub(crate) struct Host {
    live: RwLock<BTreeMap<usize, Arc<Pinned>>>,
}

impl Host {
    /// New pinned memory.
    pub(crate) fn allocate(&self, context: usize, len: usize, limit: u64) -> Outcome<usize> {
        if len == 0 {
            return Err(Code::INVALID_VALUE);
        }
        let mut live = write(&self.live);
        let used: usize = live.values().map(|pinned| pinned.len).sum();
        if len as u64 > limit || used as u64 > limit - len as u64 {
            return Err(Code::OUT_OF_MEMORY);
        }
        let bytes = Bytes::new(len);
        let start = bytes.address();
        live.insert(start, Arc::new(Pinned { start, len, context, own: Some(bytes) }));
        Ok(start)
    }

    /// Takes memory of the caller as pinned.
    pub(crate) fn register(&self, context: usize, start: usize, len: usize) -> Outcome {
        if start == 0 || len == 0 {
            return Err(Code::INVALID_VALUE);
        }
        let mut live = write(&self.live);
        let before = live.range(..start + len).next_back();
        if before.is_some_and(|(_, pinned)| pinned.start + pinned.len > start) {
            return Err(Code::HOST_MEMORY_ALREADY_REGISTERED);
        }
        live.insert(start, Arc::new(Pinned { start, len, context, own: None }));
        Ok(())
    }

    /// Lets go what the driver has allocated. Copies that are under way keep the bytes.
    pub(crate) fn free(&self, start: usize) -> Outcome {
        let mut live = write(&self.live);
        if live.get(&start).is_none_or(|pinned| pinned.is_registered()) {
            return Err(Code::INVALID_VALUE);
        }
        live.remove(&start);
        Ok(())
    }

    /// Lets go what was registered.
    pub(crate) fn unregister(&self, start: usize) -> Outcome {
        let mut live = write(&self.live);
        if live.get(&start).is_none_or(|pinned| !pinned.is_registered()) {
            return Err(Code::HOST_MEMORY_NOT_REGISTERED);
        }
        live.remove(&start);
        Ok(())
    }

    /// The pinned range that an address is in.
    pub(crate) fn find(&self, address: usize) -> Option<Arc<Pinned>> {
        let live = read(&self.live);
        let (_, pinned) = live.range(..=address).next_back()?;
        (address - pinned.start < pinned.len).then(|| pinned.clone())
    }

    /// Lets go what a context has.
    pub(crate) fn leave(&self, context: usize) {
        write(&self.live).retain(|_, pinned| pinned.context != context);
    }

    pub(crate) fn clear(&self) {
        write(&self.live).clear();
    }

    /// How many ranges the driver has allocated, and how many are registered.
    pub(crate) fn count(&self) -> (usize, usize) {
        let live = read(&self.live);
        let registered = live.values().filter(|pinned| pinned.is_registered()).count();
        (live.len() - registered, registered)
    }
}
