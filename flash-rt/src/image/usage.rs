//! Operations of a device that use an image and may be under way. It orders nothing: it says what has
//! to be ordered, and what to take back.

use std::sync::Arc;

use smallvec::SmallVec;

use super::{DeviceMemory, MemorySpace};
use crate::entry::Outcome;
use crate::progress::Sent;
use crate::ranges::Ranges;
use crate::section::Section;

/// Elements that were current in other memories, the host's where there is no space.
pub(crate) type Stale = SmallVec<[(Option<MemorySpace>, Ranges); 2]>;

/// How an operation uses an image.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Usage {
    /// A copy to it, which reads the host's.
    Upload,
    /// A copy from it, which writes the host's.
    Download,
    /// A copy from it to an image of another device.
    Peer,
    /// A kernel reads it.
    Read,
    /// A kernel writes it.
    Write,
}

impl Usage {
    pub(super) fn writes(self) -> bool {
        matches!(self, Self::Upload | Self::Write)
    }
}

/// An operation of a device that may be under way. What it does to the images is noted when it is
/// submitted, and taken back if it is given up.
#[derive(Debug)]
pub(crate) struct Use {
    pub(crate) memory: Arc<dyn DeviceMemory>,
    pub(crate) space: MemorySpace,
    pub(crate) sent: Sent,
    pub(crate) section: Section,
    pub(crate) usage: Usage,
    /// Where a copy between devices goes.
    pub(crate) to: Option<(MemorySpace, Arc<dyn DeviceMemory>)>,
    /// Whoever deals with it where it was given up: a launch in parts by its number, else the run.
    pub(crate) owner: u64,
    /// For a kernel that overwrites without reading: what it noted.
    pub(crate) outcome: Option<Arc<Outcome>>,
    /// What a kernel that writes made stale, and where, `None` for the host; no longer what others
    /// have written there since.
    pub(super) was: Stale,
    /// Which of the elements it overwrites were current there before, where that is asked for.
    pub(super) had: Ranges,
    /// Whether elements that it read were overwritten elsewhere since, so that it cannot run again.
    pub(super) is_overtaken: bool,
    /// Where the image was before this overwrote all of it somewhere else.
    pub(super) moved_from: Option<Arc<dyn DeviceMemory>>,
    /// Whether it was given up and what it did to the states was taken back. It stays until its run
    /// has dealt with it, so that nobody takes the states for those of the program.
    pub(super) is_gone: bool,
    /// Whether it ran elsewhere since and nobody waits for it any more: others come after it, but it
    /// makes nothing current.
    pub(super) is_left: bool,
}

impl Use {
    pub(crate) fn new(
        (space, memory): (MemorySpace, &Arc<dyn DeviceMemory>),
        sent: Sent,
        section: Section,
        usage: Usage,
    ) -> Self {
        Self {
            memory: Arc::clone(memory),
            space,
            sent,
            section,
            usage,
            to: None,
            owner: 0,
            outcome: None,
            was: Stale::new(),
            had: Ranges::default(),
            is_overtaken: false,
            moved_from: None,
            is_gone: false,
            is_left: false,
        }
    }

    /// A copy to an image of another device, whose elements are current when it is complete.
    pub(crate) fn peer(
        from: (MemorySpace, &Arc<dyn DeviceMemory>),
        (space, memory): (MemorySpace, &Arc<dyn DeviceMemory>),
        sent: Sent,
        section: Section,
    ) -> Self {
        let to = Some((space, Arc::clone(memory)));
        Self { to, ..Self::new(from, sent, section, Usage::Peer) }
    }

    /// Whether it touches a memory.
    pub(super) fn touches(&self, memory: &Arc<dyn DeviceMemory>) -> bool {
        let goes_there = self.to.as_ref().is_some_and(|(_, to)| Arc::ptr_eq(to, memory));
        goes_there || Arc::ptr_eq(&self.memory, memory)
    }

    /// Whether there is nothing to be taken back but that the elements are current there.
    pub(super) fn is_plain(&self) -> bool {
        self.moved_from.is_none() && self.was.is_empty() && self.outcome.is_none()
    }

    pub(super) fn has_panicked(&self) -> bool {
        self.outcome.as_ref().is_some_and(|outcome| !outcome.is_ok() && outcome.has_panicked())
    }
}
