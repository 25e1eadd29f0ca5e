//! Kernels loaded for one device, found by the address of their descriptor without a lock. It never
//! unloads.

use std::sync::{Mutex, OnceLock, PoisonError};

use crate::Result;
use crate::backend::DynModule;
use crate::descriptor::KernelDescriptor;

/// Slots of the table; a program with more kernels than fit uses the list behind it too.
const SLOTS: usize = 256;
/// How far from its slot a kernel may sit.
const PROBES: usize = 8;

#[derive(Debug)]
struct Loaded {
    kernel: usize,
    module: DynModule,
}

/// A table that only grows.
#[derive(Debug)]
pub(crate) struct Modules {
    slots: Box<[OnceLock<Loaded>]>,
    /// Held while a kernel is loaded, so that each is loaded once.
    loading: Mutex<()>,
    /// The table for kernels that found no slot here.
    next: OnceLock<Box<Self>>,
}

impl Modules {
    pub(crate) fn new() -> Self {
        Self {
            slots: (0..SLOTS).map(|_| OnceLock::new()).collect(),
            loading: Mutex::new(()),
            next: OnceLock::new(),
        }
    }

    #[inline]
    pub(crate) fn get_or_load(
        &self,
        kernel: &'static KernelDescriptor,
        load: impl FnOnce() -> Result<DynModule>,
    ) -> Result<&DynModule> {
        let address = std::ptr::from_ref(kernel).addr();
        match self.find(address) {
            Some(module) => Ok(module),
            None => self.load(address, load),
        }
    }

    #[inline]
    fn find(&self, address: usize) -> Option<&DynModule> {
        let here = self.probe(address).map_while(OnceLock::get).find(|l| l.kernel == address);
        match here {
            Some(loaded) => Some(&loaded.module),
            None => self.next.get().and_then(|next| next.find(address)),
        }
    }

    #[inline]
    fn probe(&self, address: usize) -> impl Iterator<Item = &OnceLock<Loaded>> {
        // Descriptors are at least 64 bytes, so the low bits say nothing.
        let start = (address >> 6).wrapping_mul(0x9E37_79B9) % SLOTS;
        (0..PROBES).map(move |k| &self.slots[(start + k) % SLOTS])
    }

    #[cold]
    fn load(&self, address: usize, load: impl FnOnce() -> Result<DynModule>) -> Result<&DynModule> {
        let _loading = self.loading.lock().unwrap_or_else(PoisonError::into_inner);
        // Another thread may have loaded it while this one waited for the lock.
        if let Some(module) = self.find(address) {
            return Ok(module);
        }
        Ok(self.insert(Loaded { kernel: address, module: load()? }))
    }

    fn insert(&self, loaded: Loaded) -> &DynModule {
        for slot in self.probe(loaded.kernel) {
            if slot.get().is_none() {
                return &slot.get_or_init(|| loaded).module;
            }
        }
        self.next.get_or_init(|| Box::new(Self::new())).insert(loaded)
    }
}
