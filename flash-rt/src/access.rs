//! What a launch, host task or guard touches: a box of an allocation, read or written. It holds
//! nothing; entering the ledger with it does.

use std::sync::Arc;

use crate::allocation::Allocation;
use crate::section::Section;

/// Read or written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Mode {
    /// Only read.
    Read,
    /// Written, and perhaps read.
    Write,
}

/// A box of an allocation, and how it is touched.
#[derive(Clone, Debug)]
pub struct Access {
    /// Whose elements.
    pub allocation: Arc<Allocation>,
    /// Which of them.
    pub section: Section,
    /// How.
    pub mode: Mode,
}

impl Access {
    /// Whether the two may not happen at once: they share elements, and one writes.
    pub fn conflicts(&self, other: &Self) -> bool {
        (self.mode == Mode::Write || other.mode == Mode::Write)
            && Arc::ptr_eq(&self.allocation, &other.allocation)
            && self.section.overlaps(&other.section)
    }
}
