//! Queues of a device and the numbers of what was submitted to them. They are plain data: an
//! operation is known by its queue and its number there, and nothing is allocated to wait for it.

/// A queue of a device. What is submitted to one queue runs in that order, one at a time; different
/// queues run side by side.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Queue {
    /// Copies to the device.
    Up,
    /// Copies to the host.
    Down,
    /// Kernels and fills, from 0 up to [`DeviceInfo::queues`](super::DeviceInfo::queues).
    Compute(u8),
}

impl Queue {
    /// A number for tables: 0 for [`Queue::Up`], 1 for [`Queue::Down`], 2 and up for the others.
    #[inline]
    pub const fn index(self) -> usize {
        match self {
            Self::Up => 0,
            Self::Down => 1,
            Self::Compute(k) => 2 + k as usize,
        }
    }
}

/// An operation that was submitted to a device: which of its queue, counted from 1. When it is
/// complete, all of its queue with lower numbers are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Ticket {
    /// Its queue.
    pub queue: Queue,
    /// Its number there.
    pub number: u64,
}

impl Ticket {
    /// What was complete when the call returned.
    pub const DONE: Self = Self { queue: Queue::Compute(0), number: 0 };

    /// Whether the operation was complete when the call returned, so that there is nothing to wait
    /// for.
    #[inline]
    pub const fn is_done(self) -> bool {
        self.number == 0
    }
}
