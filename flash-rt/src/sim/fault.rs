//! What goes wrong in a simulator, and when. It counts calls; others make them fail.

use crate::error::{DriverError, DriverErrorKind};

/// A kind of call to a device.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    /// Memory is reserved.
    Allocate,
    /// A copy to the device is submitted.
    Upload,
    /// A copy to the host is submitted.
    Download,
    /// A copy to another device is submitted.
    Peer,
    /// Zeros are submitted.
    Zero,
    /// A kernel is made ready.
    Load,
    /// A kernel is submitted.
    Launch,
    /// `wait` or `completed` tells of a completion for the first time.
    Wait,
}

impl Kind {
    /// All of them.
    pub const ALL: [Self; 8] = [
        Self::Allocate,
        Self::Upload,
        Self::Download,
        Self::Peer,
        Self::Zero,
        Self::Load,
        Self::Launch,
        Self::Wait,
    ];

    /// Its name in `FLASH_SIM`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Allocate => "allocate",
            Self::Upload => "upload",
            Self::Download => "download",
            Self::Peer => "peer",
            Self::Zero => "zero",
            Self::Load => "load",
            Self::Launch => "launch",
            Self::Wait => "wait",
        }
    }

    pub(super) fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.name() == name)
    }

    /// The driver call it is.
    pub(super) fn api(self) -> &'static str {
        match self {
            Self::Allocate => "sim::allocate",
            Self::Upload => "sim::upload",
            Self::Download => "sim::download",
            Self::Peer => "sim::peer_copy",
            Self::Zero => "sim::zero",
            Self::Load => "sim::load",
            Self::Launch => "sim::launch",
            Self::Wait => "sim::wait",
        }
    }
}

/// Something that goes wrong once. Calls are counted from 0, from when the fault was injected.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// A call returns an error and submits nothing; an allocation finds no room.
    Fail {
        /// The call.
        call: Kind,
        /// Its number among those of its kind.
        nth: u64,
        /// On which device; on any for `None`.
        device: Option<usize>,
    },
    /// A call succeeds, and what it submitted fails when it has run half: nothing of it takes
    /// effect, and its device has to be reset. As [`Fault::Fail`] for calls that submit nothing.
    Break {
        /// The call.
        call: Kind,
        /// Its number among those of its kind.
        nth: u64,
        /// On which device; on any for `None`.
        device: Option<usize>,
    },
    /// A device is lost: after so many calls everything fails, also what is under way.
    Lose {
        /// The device.
        device: usize,
        /// The calls that still succeed.
        after: u64,
    },
    /// A load succeeds, but every launch of what it gave fails while it runs.
    Corrupt {
        /// The number of the load.
        nth: u64,
    },
    /// A transfer, up, down or between devices, moves nothing and says nothing. For tests of tests: it must be
    /// noticed.
    Forget {
        /// The number of the transfer.
        nth: u64,
    },
}

/// How a call ends.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Verdict {
    /// The device is lost with this call.
    pub(super) lost: bool,
    /// The call fails.
    pub(super) fails: bool,
    /// What it submits fails.
    pub(super) breaks: bool,
    /// What it loads is corrupt.
    pub(super) corrupt: bool,
    /// What it moves is forgotten.
    pub(super) forgets: bool,
}

/// Faults that have not happened, each with the calls that still pass.
#[derive(Debug, Default)]
pub(super) struct Faults {
    armed: Vec<Fault>,
}

impl Faults {
    pub(super) fn new(faults: &[Fault]) -> Self {
        Self { armed: faults.to_vec() }
    }

    pub(super) fn inject(&mut self, fault: Fault) {
        self.armed.push(fault);
    }

    /// Those that have not happened.
    pub(super) fn armed(&self) -> &[Fault] {
        &self.armed
    }

    pub(super) fn clear(&mut self) {
        self.armed.clear();
    }

    /// Counts a call.
    pub(super) fn call(&mut self, kind: Kind, on: usize) -> Verdict {
        let mut verdict = Verdict::default();
        self.armed.retain_mut(|fault| {
            let (counts, left, hit) = match fault {
                Fault::Fail { call, nth, device } => {
                    (*call == kind && device.is_none_or(|d| d == on), nth, &mut verdict.fails)
                }
                Fault::Break { call, nth, device } => {
                    (*call == kind && device.is_none_or(|d| d == on), nth, &mut verdict.breaks)
                }
                Fault::Lose { device, after } => (*device == on, after, &mut verdict.lost),
                Fault::Corrupt { nth } => (kind == Kind::Load, nth, &mut verdict.corrupt),
                Fault::Forget { nth } => {
                    let is_copy = matches!(kind, Kind::Upload | Kind::Download | Kind::Peer);
                    (is_copy, nth, &mut verdict.forgets)
                }
            };
            if !counts {
                return true;
            }
            match left.checked_sub(1) {
                Some(fewer) => {
                    *left = fewer;
                    true
                }
                None => {
                    *hit = true;
                    false
                }
            }
        });
        verdict
    }
}

/// An error of the simulated driver.
pub(super) fn driver_error(
    api: &'static str,
    kind: DriverErrorKind,
    text: impl Into<std::sync::Arc<str>>,
) -> DriverError {
    DriverError { api, code: 1, text: text.into(), kind }
}

/// The error of an injected failure.
pub(super) fn injected(call: Kind) -> DriverError {
    let kind = match call {
        Kind::Allocate => DriverErrorKind::OutOfMemory,
        _ => DriverErrorKind::Failed,
    };
    driver_error(call.api(), kind, "an injected fault")
}

/// The error of everything on a lost device.
pub(super) fn lost(call: Kind) -> DriverError {
    driver_error(call.api(), DriverErrorKind::DeviceLost, "the device is lost")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_happens_once_at_its_call() {
        let fail = Fault::Fail { call: Kind::Upload, nth: 1, device: Some(2) };
        let mut faults = Faults::new(&[fail, Fault::Lose { device: 0, after: 2 }]);
        faults.inject(Fault::Forget { nth: 3 });
        assert_eq!(faults.call(Kind::Upload, 2), Verdict::default());
        assert_eq!(faults.call(Kind::Upload, 1), Verdict::default());
        assert_eq!(faults.call(Kind::Launch, 2), Verdict::default());
        assert!(faults.call(Kind::Upload, 2).fails);
        let forgets = Verdict { forgets: true, ..Verdict::default() };
        assert_eq!(faults.call(Kind::Download, 2), forgets);
        assert_eq!(faults.call(Kind::Load, 0), Verdict::default());
        assert_eq!(faults.call(Kind::Wait, 0), Verdict::default());
        assert!(faults.call(Kind::Upload, 0).lost);
        assert!(faults.armed().is_empty());
    }
}
