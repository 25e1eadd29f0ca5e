//! Memory of a device, which counts for as long as anything uses it. It does not know arrays.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::cl::Mem;

/// Memory of an OpenCL device.
#[derive(Clone, Debug)]
pub struct OclMemory(pub(crate) Arc<Storage>);

/// The bytes of a memory, kept while an operation that uses them is under way.
#[derive(Debug)]
pub(crate) struct Storage {
    pub(crate) mem: Mem,
    pub(crate) bytes: u64,
    /// What all memories of the device hold.
    used: Arc<AtomicU64>,
}

impl Storage {
    /// Counts a memory.
    pub(crate) fn new(mem: Mem, bytes: u64, used: &Arc<AtomicU64>) -> Self {
        // Relaxed: the counter guards a sum, not other memory.
        used.fetch_add(bytes, Ordering::Relaxed);
        Self { mem, bytes, used: Arc::clone(used) }
    }
}

impl Drop for Storage {
    fn drop(&mut self) {
        self.used.fetch_sub(self.bytes, Ordering::Relaxed);
    }
}
