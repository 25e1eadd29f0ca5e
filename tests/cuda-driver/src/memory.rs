//! Memory of a device: allocations by address, with a limit. It runs nothing.

use std::collections::BTreeMap;
use std::sync::{Arc, RwLock};

use crate::bytes::{Bytes, Place};
use crate::codes::{Code, Outcome};
use crate::driver::driver;
use crate::hazards::History;
use crate::locks::{read, write};

/// No address of the host looks like this, so the host faults where it uses one of the device.
const BASE: u64 = 0x00d0_0000_0000_0000;
/// Devices are this far apart.
const SPAN: u64 = 1 << 44;
/// Unused addresses behind an allocation.
const GAP: u64 = 4096;

/// An allocation.
#[derive(Debug)]
pub(crate) struct Allocation {
    pub(crate) start: u64,
    /// The context that made it.
    pub(crate) context: usize,
    pub(crate) bytes: Bytes,
    /// Whether it holds a variable of a module, which nobody frees by itself.
    pub(crate) variable: bool,
    /// What touched it, where hazards are looked for.
    pub(crate) history: History,
}

impl Allocation {
    pub(crate) fn len(&self) -> u64 {
        self.bytes.len() as u64
    }

    /// Where `len` bytes at an address are, if it holds them all.
    pub(crate) fn place(&self, address: u64, len: u64) -> Option<Place> {
        let offset = address.checked_sub(self.start)?;
        let fits = offset <= self.len() && self.len() - offset >= len;
        fits.then(|| self.bytes.place(offset as usize))
    }
}

#[derive(Debug, Default)]
struct Live {
    next: u64,
    used: u64,
    peak: u64,
    allocations: BTreeMap<u64, Arc<Allocation>>,
}

/// All memory of one device.
#[derive(Debug, Default)]
pub(crate) struct Memory {
    device: usize,
    live: RwLock<Live>,
}

impl Memory {
    pub(crate) fn new(device: usize) -> Self {
        Self { device, live: RwLock::default() }
    }

    fn base(&self) -> u64 {
        BASE + SPAN * self.device as u64
    }

    /// The device whose memory an address would be in.
    pub(crate) fn device_of(address: u64) -> Option<usize> {
        let device = address.checked_sub(BASE)? / SPAN;
        (device < 8).then_some(device as usize)
    }

    /// A new allocation, filled with the poison. Addresses are never used again.
    pub(crate) fn allocate(&self, context: usize, len: u64, limit: u64) -> Outcome<u64> {
        self.add(context, len, limit, false).map(|allocation| allocation.start)
    }

    pub(crate) fn add(
        &self,
        context: usize,
        len: u64,
        limit: u64,
        variable: bool,
    ) -> Outcome<Arc<Allocation>> {
        if len == 0 {
            return Err(Code::INVALID_VALUE);
        }
        let mut live = write(&self.live);
        if len > limit || live.used > limit - len {
            return Err(Code::OUT_OF_MEMORY);
        }
        let start = self.base() + GAP + live.next;
        live.next = (live.next + len + GAP).next_multiple_of(512);
        live.used += len;
        live.peak = live.peak.max(live.used);
        let is_filled = driver().setting(|settings| settings.poison);
        let len = len as usize;
        let bytes = if is_filled { Bytes::new(len) } else { Bytes::untouched(len) };
        let allocation =
            Arc::new(Allocation { start, context, bytes, variable, history: History::default() });
        live.allocations.insert(start, allocation.clone());
        Ok(allocation)
    }

    /// Frees what begins at an address.
    pub(crate) fn free(&self, address: u64) -> Outcome<Arc<Allocation>> {
        let mut live = write(&self.live);
        let allocation = live.allocations.remove(&address).ok_or(Code::INVALID_VALUE)?;
        live.used -= allocation.len();
        Ok(allocation)
    }

    /// The allocation that an address is in.
    pub(crate) fn find(&self, address: u64) -> Option<Arc<Allocation>> {
        let live = read(&self.live);
        let (_, allocation) = live.allocations.range(..=address).next_back()?;
        (address - allocation.start < allocation.len()).then(|| allocation.clone())
    }

    /// Frees what a context has.
    pub(crate) fn leave(&self, context: usize) {
        let mut live = write(&self.live);
        live.allocations.retain(|_, allocation| allocation.context != context);
        live.used = live.allocations.values().map(|allocation| allocation.len()).sum();
    }

    /// All allocations, in the order of their addresses.
    pub(crate) fn all(&self) -> Vec<Arc<Allocation>> {
        read(&self.live).allocations.values().cloned().collect()
    }

    /// Bytes in use now, and the most there were.
    pub(crate) fn used(&self) -> (u64, u64) {
        let live = read(&self.live);
        (live.used, live.peak)
    }

    /// How many allocations there are that somebody is to free.
    pub(crate) fn count(&self) -> usize {
        read(&self.live).allocations.values().filter(|it| !it.variable).count()
    }

    /// Frees all. Addresses are not used again even so.
    pub(crate) fn clear(&self) {
        let mut live = write(&self.live);
        live.allocations.clear();
        (live.used, live.peak) = (0, 0);
    }
}
