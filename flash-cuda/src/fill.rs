//! What memory or a variable of a device is filled with before a launch runs: bytes of the host, or elements
//! that are there. It does not know what for. Fenced: it copies what an operation holds.
#![allow(unsafe_code, reason = "copies bytes that an operation holds")]

use crate::cu::Failure;
use crate::lines::Commands;
use crate::operation::Held;

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
    /// With bytes of the host, which the operation holds.
    pub(crate) fn from_host(to: u64, bytes: Box<[u8]>, held: &mut Vec<Held>) -> Self {
        let fill = Self { to, from: From::Host(bytes.as_ptr()), bytes: bytes.len() };
        held.push(Held::Bytes(bytes));
        fill
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
