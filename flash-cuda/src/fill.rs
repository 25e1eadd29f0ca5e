//! What memory or a variable of a device is filled with before a launch runs: bytes of the host, or elements
//! that are there. It does not know what for. Fenced: it copies what an operation holds.
#![allow(unsafe_code, reason = "copies bytes that an operation holds")]

use std::sync::Arc;

use crate::cu::{Context, Failure, Stream};
use crate::lines::Commands;
use crate::memory::Storage;
use crate::operation::Held;
use crate::staging::{Slot, Slots};

/// Memory that nobody else has yet, with bytes of the host, which are there on return; in a stream that is there or
/// in one for it.
pub(crate) fn now(
    memory: Storage,
    bytes: &[u8],
    stream: Option<&Stream>,
) -> Result<Storage, Failure> {
    if bytes.is_empty() {
        return Ok(memory);
    }
    if memory.bytes < bytes.len() as u64 {
        return Err(Failure::invalid("cuMemcpyHtoDAsync_v2"));
    }
    let own = if stream.is_none() { Some(Stream::new(&memory.context)?) } else { None };
    let Some(stream) = stream.or(own.as_ref()) else { return Ok(memory) };
    let current = memory.context.enter()?;
    // SAFETY: the memory has room for the bytes, as was seen above, and nobody else uses it; they are borrowed until
    // the copy is over, below.
    let copied = unsafe { stream.upload(memory.address, bytes.as_ptr(), bytes.len()) };
    drop(current);
    let over = stream.finish();
    copied.and(over).map(|()| memory)
}

/// A copy that comes before a launch.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Fill {
    to: u64,
    from: From,
    bytes: usize,
}

/// From where it comes.
#[derive(Clone, Copy, Debug)]
enum From {
    /// Bytes of the host.
    Host(*const u8),
    /// An address of the device.
    Device(u64),
}

impl Fill {
    /// With bytes of the host, which the operation holds: in pinned memory, as the driver may wait for what is in
    /// the stream to copy any other; where there is too little of that, as they are.
    pub(crate) fn from_host(
        slots: &Arc<Slots>,
        (to, context): (u64, &Arc<Context>),
        bytes: Box<[u8]>,
        held: &mut Vec<Held>,
    ) -> Result<Vec<Self>, Failure> {
        let filled = slots.filled(context, &bytes)?;
        if filled.is_empty() {
            let fill = Self { to, from: From::Host(bytes.as_ptr()), bytes: bytes.len() };
            held.push(Held::Bytes(bytes));
            return Ok(vec![fill]);
        }
        let mut at = to;
        let fill = |(slot, n): (Slot, usize)| {
            let fill = Self { to: at, from: From::Host(slot.start()), bytes: n };
            at += n as u64;
            held.push(Held::Slot(slot));
            fill
        };
        Ok(filled.into_iter().map(fill).collect())
    }

    /// With so many bytes of the device from an address on.
    pub(crate) fn from_device(to: u64, from: u64, bytes: usize) -> Self {
        Self { to, from: From::Device(from), bytes }
    }

    /// Submits it.
    ///
    /// # Safety
    ///
    /// There are as many bytes on both sides. What is copied is held until the commands are over, and until
    /// then nothing else under way uses what is filled.
    pub(crate) unsafe fn submit(self, commands: &mut Commands<'_>) -> Result<(), Failure> {
        let Self { to, from, bytes } = self;
        commands.add(|stream| match from {
            // SAFETY: as the caller says.
            From::Host(from) => unsafe { stream.upload(to, from, bytes) },
            // SAFETY: as the caller says.
            From::Device(from) => unsafe { stream.copy(to, from, bytes) },
        })
    }
}
