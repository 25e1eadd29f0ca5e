//! What went wrong inside a launch: the first violation in item order, and the first panic.
//! It is shared by all workers of a launch and decides nothing.

use flash_ir::interp::FaultKind;

use crate::sync::{AtomicBool, Mutex, Ordering};

/// An access outside an array.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Violation {
    /// Linear number of the item, dimension 0 fastest.
    pub item: u64,
    /// The parameter.
    pub param: u16,
    /// The index, unused components zero.
    pub index: [usize; super::MAX_ARRAY_RANK],
}

/// Notes of one launch.
#[derive(Debug, Default)]
pub struct Outcome {
    failed: AtomicBool,
    notes: Mutex<Notes>,
}

#[derive(Debug, Default)]
struct Notes {
    violation: Option<Violation>,
    /// Linear number of the first item of the block, and the message.
    panic: Option<(u64, String)>,
}

impl Outcome {
    /// A launch of which nothing is known yet.
    #[cfg(not(loom))]
    pub const fn new() -> Self {
        Self {
            failed: AtomicBool::new(false),
            notes: Mutex::new(Notes { violation: None, panic: None }),
        }
    }

    /// A launch of which nothing is known yet.
    #[cfg(loom)]
    pub fn new() -> Self {
        Self::default()
    }

    /// Notes a violation; the one with the lowest item, then parameter, is kept.
    #[cold]
    pub fn violation(&self, violation: Violation) {
        let mut notes = self.notes.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        if notes.violation.is_none_or(|first| violation < first) {
            notes.violation = Some(violation);
        }
        // Release pairs with the acquire of `is_ok`, as the lock is not taken there.
        self.failed.store(true, Ordering::Release);
    }

    /// Notes a panic in the block that starts at `item`; the lowest item is kept.
    #[cold]
    pub fn panic(&self, item: u64, message: String) {
        let mut notes = self.notes.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        if notes.panic.as_ref().is_none_or(|(first, _)| item < *first) {
            notes.panic = Some((item, message));
        }
        self.failed.store(true, Ordering::Release);
    }

    /// Notes what whoever runs IR has noted: the interpreter, or an emitted kernel in its status record.
    pub fn notes(&self, notes: flash_ir::interp::Notes) {
        if let Some(first) = notes.violation {
            let flash_ir::interp::Violation { item, param, index } = first;
            self.violation(Violation { item, param, index });
        }
        if let Some(fault) = notes.fault {
            // In the words of rustc's own checks.
            let (words, is_all) = match fault.what {
                FaultKind::DivideByZero => ("attempt to divide by zero", true),
                FaultKind::DivideOverflow => ("attempt to divide with overflow", true),
                FaultKind::RestOfZero => {
                    ("attempt to calculate the remainder with a divisor of zero", true)
                }
                FaultKind::RestOverflow => {
                    ("attempt to calculate the remainder with overflow", true)
                }
                FaultKind::Index => ("index out of bounds", false),
                FaultKind::Step => ("assertion failed: step != 0", false),
            };
            let line = if is_all { String::new() } else { format!(" (line {})", fault.span.line) };
            self.panic(fault.item, format!("{words}{line}"));
        }
    }

    /// Whether nothing was noted.
    #[inline]
    pub fn is_ok(&self) -> bool {
        !self.failed.load(Ordering::Acquire)
    }

    /// Whether a block panicked, so that items of it may not have run.
    pub fn has_panicked(&self) -> bool {
        let notes = self.notes.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        notes.panic.is_some()
    }

    /// Takes the notes: the first violation and the first panic.
    pub fn take(&self) -> (Option<Violation>, Option<(u64, String)>) {
        let mut notes = self.notes.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        self.failed.store(false, Ordering::Release);
        let notes = std::mem::take(&mut *notes);
        (notes.violation, notes.panic)
    }
}
