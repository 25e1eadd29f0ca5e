//! What kernels and tasks of a run took, a row for each. It shows nothing: the report does.

use std::time::Duration;

use super::leaf::Did;
use crate::report::StageReport;

/// The rows of the report.
#[derive(Clone, Debug, Default)]
pub(super) struct Rows {
    pub(super) kernels: Vec<StageReport>,
    pub(super) tasks: Vec<StageReport>,
}

impl Rows {
    /// Counts what some nodes did.
    #[inline]
    pub(super) fn count(&mut self, did: Did, nodes: u64, time: Duration) {
        let (rows, at, bytes) = match did {
            Did::Launch(at, bytes) => (&mut self.kernels, at, bytes),
            Did::Task(at, bytes) => (&mut self.tasks, at, bytes),
            Did::Other => return,
        };
        if at >= rows.len() {
            rows.resize(at + 1, StageReport::of(""));
        }
        let row = &mut rows[at];
        row.count += nodes;
        row.time += time;
        row.bytes += bytes;
    }

    /// Becomes the same rows with nothing counted.
    pub(super) fn like(&mut self, other: &Self) {
        for (mine, rows) in [(&mut self.kernels, &other.kernels), (&mut self.tasks, &other.tasks)] {
            mine.clear();
            mine.extend(rows.iter().map(|row| StageReport::of(row.name)));
        }
    }

    /// Adds what another thread counted.
    pub(super) fn add(&mut self, other: &Self) {
        for (mine, other) in [(&mut self.kernels, &other.kernels), (&mut self.tasks, &other.tasks)]
        {
            for (at, row) in other.iter().enumerate() {
                if at >= mine.len() {
                    mine.push(*row);
                    continue;
                }
                let mine = &mut mine[at];
                mine.count += row.count;
                mine.time += row.time;
                mine.bytes += row.bytes;
            }
        }
    }

    /// How many launches and tasks were counted.
    pub(super) fn total(&self) -> u64 {
        self.kernels.iter().chain(&self.tasks).map(|row| row.count).sum()
    }
}
