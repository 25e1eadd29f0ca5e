//! What memory of a device is filled with before a launch runs. It does not know what for. Fenced: it copies
//! bytes that an operation holds.
#![allow(unsafe_code, reason = "copies bytes that an operation holds")]

use std::sync::Arc;

use crate::cl::Failure;
use crate::memory::Storage;
use crate::operation::{AllHeld, Commands, Held};

/// A copy that comes before a launch.
#[derive(Debug)]
pub(crate) struct Fill {
    memory: Arc<Storage>,
    start: *const u8,
    len: usize,
}

impl Fill {
    /// Of a memory with bytes of the host; the operation holds both.
    pub(crate) fn new(memory: Arc<Storage>, bytes: Box<[u8]>, held: &mut AllHeld) -> Self {
        let (start, len) = (bytes.as_ptr(), bytes.len());
        held.extend([Held::Memory(Arc::clone(&memory)), Held::Bytes(bytes)]);
        Self { memory, start, len }
    }

    /// The memory.
    pub(crate) fn memory(&self) -> &Storage {
        &self.memory
    }

    /// Submits it.
    ///
    /// # Safety
    ///
    /// The memory has room for the bytes, which are held until the commands are over, and until then nothing
    /// else under way uses it.
    pub(crate) unsafe fn submit(&self, commands: &mut Commands<'_>) -> Result<(), Failure> {
        commands.add(|queue, waits| {
            // SAFETY: as the caller says.
            unsafe { queue.write(&self.memory.mem, 0, self.start, self.len, waits) }
        })
    }
}
