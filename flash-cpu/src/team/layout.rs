//! How a team is made: how many workers, and where. It starts none.

use std::time::Duration;

use super::place;

/// How a team is made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Layout {
    /// Threads that work on a launch, the caller included; at least 1.
    pub workers: usize,
    /// The processors of the workers, one each; empty where the system places the helpers.
    pub processors: Vec<usize>,
    /// The processors that there are for all of the process.
    pub parallelism: usize,
    /// Whether there are more workers than processors, so that waiting must give way.
    pub crowded: bool,
    /// Whether a quota counts what processors are used for, waiting included.
    pub metered: bool,
    /// How long a helper looks for the next launch before it sleeps.
    pub spin: Duration,
}

impl Layout {
    /// One worker for each processor that this process may use, as far as its quotas allow, or as
    /// many as asked for. Workers are bound to processors where there is one for each, unless `pin`
    /// is false.
    pub fn detect(workers: Option<usize>, pin: Option<bool>, spin: Duration) -> Self {
        let parallelism = place::parallelism();
        let mut processors = place::allowed();
        let metered = parallelism < processors.len();
        let workers = workers.unwrap_or(parallelism).max(1);
        if workers != processors.len() || workers != parallelism || pin == Some(false) {
            processors.clear();
        }
        let crowded = workers > parallelism;
        Self { workers, processors, parallelism, crowded, metered, spin }
    }
}
