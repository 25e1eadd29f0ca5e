//! The calls a simulator has seen, for tests. It is a list and its sums.

use crate::backend::Region;

/// A call that succeeded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Call {
    /// Memory was reserved.
    Allocate {
        /// The device.
        device: usize,
        /// Its size.
        bytes: u64,
    },
    /// Data came from the host.
    Upload {
        /// The device.
        device: usize,
        /// Where in its memory.
        to: Region,
    },
    /// Data went to the host.
    Download {
        /// The device.
        device: usize,
        /// Where in its memory.
        from: Region,
    },
    /// A kernel was made ready.
    Load {
        /// The device.
        device: usize,
        /// Its name.
        kernel: &'static str,
    },
    /// A kernel was run.
    Launch {
        /// The device.
        device: usize,
        /// Its name.
        kernel: &'static str,
        /// Number of work items.
        items: u64,
    },
}

/// Sums over calls.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Number of uploads.
    pub uploads: u64,
    /// Their bytes.
    pub uploaded: u64,
    /// Number of downloads.
    pub downloads: u64,
    /// Their bytes.
    pub downloaded: u64,
    /// Number of launches.
    pub launches: u64,
    /// Number of allocations.
    pub allocations: u64,
}

impl Counts {
    pub(super) fn of(calls: &[Call]) -> Self {
        let mut sums = Self::default();
        for call in calls {
            match call {
                Call::Allocate { .. } => sums.allocations += 1,
                Call::Upload { to, .. } => {
                    sums.uploads += 1;
                    sums.uploaded += to.row_bytes * to.rows;
                }
                Call::Download { from, .. } => {
                    sums.downloads += 1;
                    sums.downloaded += from.row_bytes * from.rows;
                }
                Call::Load { .. } => {}
                Call::Launch { .. } => sums.launches += 1,
            }
        }
        sums
    }
}
