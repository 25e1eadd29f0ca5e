//! The vectors of pipelines that ran once, kept by each thread for its next one, so that a launch
//! written out again and again does not go to the allocator for them. They are kept empty.

use std::cell::Cell;

use super::bind::{BoundLaunch, BoundParam};
use crate::access::Access;
use crate::entry::Slot;
use crate::report::StageReport;

/// Vectors larger than this go back to the allocator.
const MOST: usize = 32;

/// Vectors without elements.
#[derive(Debug, Default)]
struct Spare {
    slots: Vec<Slot>,
    params: Vec<BoundParam>,
    accesses: Vec<Access>,
    kernels: Vec<StageReport>,
    tasks: Vec<StageReport>,
}

thread_local! {
    static SPARE: Cell<Spare> = const {
        Cell::new(Spare {
            slots: Vec::new(),
            params: Vec::new(),
            accesses: Vec::new(),
            kernels: Vec::new(),
            tasks: Vec::new(),
        })
    };
}

/// Calls `change` with the vectors of this thread; with none where the thread is ending.
fn with<T>(change: impl FnOnce(&mut Spare) -> T) -> T {
    let mut all = SPARE.try_with(Cell::take).unwrap_or_default();
    let result = change(&mut all);
    let _ = SPARE.try_with(|spare| spare.set(all));
    result
}

/// Vectors for a launch that has not been bound before.
pub(super) fn of_launch() -> (Vec<Slot>, Vec<BoundParam>) {
    with(|spare| (std::mem::take(&mut spare.slots), std::mem::take(&mut spare.params)))
}

/// A vector for what a pipeline touches.
pub(super) fn of_accesses() -> Vec<Access> {
    with(|spare| std::mem::take(&mut spare.accesses))
}

/// Takes the vectors of a pipeline that does not run again.
pub(super) fn keep(bound: Option<BoundLaunch>, mut accesses: Vec<Access>) {
    let (mut slots, mut params) = bound.map_or_else(Default::default, |b| (b.slots, b.params));
    // The last handle to an array may go with these: before anything is borrowed here.
    slots.clear();
    params.clear();
    accesses.clear();
    with(|spare| {
        if slots.capacity() <= MOST && params.capacity() <= MOST && accesses.capacity() <= MOST {
            (spare.slots, spare.params, spare.accesses) = (slots, params, accesses);
        }
    });
}

/// Vectors for the rows of a report: kernels, tasks.
pub(super) fn of_report() -> (Vec<StageReport>, Vec<StageReport>) {
    with(|spare| (std::mem::take(&mut spare.kernels), std::mem::take(&mut spare.tasks)))
}

/// Takes the rows of a report that nobody looks at any more.
pub(crate) fn keep_report(mut kernels: Vec<StageReport>, mut tasks: Vec<StageReport>) {
    kernels.clear();
    tasks.clear();
    with(|spare| {
        for (mine, rows) in [(&mut spare.kernels, kernels), (&mut spare.tasks, tasks)] {
            if mine.capacity() < rows.capacity() && rows.capacity() <= MOST {
                *mine = rows;
            }
        }
    });
}
