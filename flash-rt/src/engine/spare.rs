//! The vectors of pipelines that are gone, kept by each thread for its next one, so that a pipeline
//! written out again and again does not go to the allocator for them. They are kept empty.

use std::cell::RefCell;

use super::bind::{BoundLaunch, BoundParam};
use super::kept::Kept;
use super::order::Workspace;
use super::plain::Scratch;
use super::plan::Plan;
use crate::access::Access;
use crate::entry::Slot;
use crate::report::StageReport;

/// Vectors larger than this go back to the allocator.
const MOST: usize = 32;

/// Vectors without elements.
#[derive(Default)]
struct Spare {
    slots: Vec<Slot>,
    params: Vec<BoundParam>,
    accesses: Vec<Access>,
    scratch: Option<Box<Scratch>>,
    kept: Option<Box<Kept>>,
    workspace: Option<Box<Workspace>>,
    kernels: Vec<StageReport>,
    tasks: Vec<StageReport>,
}

thread_local! {
    static SPARE: RefCell<Spare> = const {
        RefCell::new(Spare {
            slots: Vec::new(),
            params: Vec::new(),
            accesses: Vec::new(),
            scratch: None,
            kept: None,
            workspace: None,
            kernels: Vec::new(),
            tasks: Vec::new(),
        })
    };
}

/// Calls `change` with the vectors of this thread; with none where the thread is ending. It must run
/// nobody else's code, which may come back here.
#[inline]
fn with<T: Default>(change: impl FnOnce(&mut Spare) -> T) -> T {
    let change =
        |spare: &RefCell<Spare>| spare.try_borrow_mut().ok().map(|mut all| change(&mut all));
    SPARE.try_with(change).ok().flatten().unwrap_or_default()
}

/// Vectors for a launch that has not been bound before.
pub(super) fn of_launch() -> (Vec<Slot>, Vec<BoundParam>) {
    with(|spare| (std::mem::take(&mut spare.slots), std::mem::take(&mut spare.params)))
}

/// A vector for what a pipeline touches; its plan gets slots for launches and rows for a report.
pub(super) fn of_plan(plan: &mut Plan) -> Vec<Access> {
    with(|spare| {
        plan.scratch = spare.scratch.take();
        if plan.rows.kernels.is_empty() {
            plan.rows.kernels = std::mem::take(&mut spare.kernels);
        }
        if plan.rows.tasks.is_empty() {
            plan.rows.tasks = std::mem::take(&mut spare.tasks);
        }
        std::mem::take(&mut spare.accesses)
    })
}

/// Takes the vectors of a launch that does not run again.
pub(super) fn keep_launch(bound: Box<BoundLaunch>) {
    let BoundLaunch { mut slots, mut params, .. } = *bound;
    // The last handle to an array may go with these: before anything is borrowed here.
    slots.clear();
    params.clear();
    if slots.capacity() <= MOST && params.capacity() <= MOST && slots.capacity() > 0 {
        with(|spare| (spare.slots, spare.params) = (slots, params));
    }
}

/// Takes what a plan touches, and slots for launches, which it does not need any more.
pub(super) fn keep_plan(mut accesses: Vec<Access>, mut scratch: Option<Box<Scratch>>) {
    // As above, and devices.
    accesses.clear();
    if let Some(scratch) = &mut scratch {
        scratch.forget();
    }
    with(|spare| {
        if (spare.accesses.capacity() + 1..=MOST).contains(&accesses.capacity()) {
            spare.accesses = accesses;
        }
        if scratch.as_ref().is_some_and(|scratch| scratch.size() <= MOST) {
            spare.scratch = scratch;
        }
    });
}

/// Memory for the threads of a run.
pub(super) fn of_run() -> Box<Kept> {
    with(|spare| spare.kept.take()).unwrap_or_default()
}

/// Takes the memory of threads that a pipeline does not need any more.
pub(super) fn keep_run(mut kept: Box<Kept>) {
    if kept.size() <= MOST {
        // Devices may go with it: before anything is borrowed here.
        kept.forget();
        with(|spare| spare.kept = Some(kept));
    }
}

/// Memory for working out an order.
pub(super) fn of_order() -> Box<Workspace> {
    with(|spare| spare.workspace.take()).unwrap_or_default()
}

/// Takes it back.
pub(super) fn keep_order(workspace: Box<Workspace>) {
    if workspace.size() <= 8 * MOST {
        with(|spare| spare.workspace = Some(workspace));
    }
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
            if (mine.capacity() + 1..=MOST).contains(&rows.capacity()) {
                *mine = rows;
            }
        }
    });
}
