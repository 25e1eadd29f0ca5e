//! What the ledger knows of a thread: its number, its guards, whose code it runs inside of a run.

use std::cell::{Cell, RefCell};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use super::Refusal;
use crate::access::Access;

thread_local! {
    static NUMBER: Cell<u64> = const { Cell::new(0) };
    static N_GUARDS: Cell<usize> = const { Cell::new(0) };
    static N_TASKS: Cell<usize> = const { Cell::new(0) };
    static TASKS: RefCell<Vec<Task>> = const { RefCell::new(Vec::new()) };
}

/// A host task under way, or a fragment with a loop variable, which has no name.
#[derive(Debug)]
struct Task {
    name: Option<&'static str>,
    /// The allocations of its pipeline, ascending; `None` where it may use no allocation at all.
    ids: Option<Arc<[u64]>>,
}

/// A number for this thread, never reused.
pub(super) fn number() -> u64 {
    static NEXT: AtomicU64 = AtomicU64::new(1);
    NUMBER.with(|number| {
        if number.get() == 0 {
            number.set(NEXT.fetch_add(1, Ordering::Relaxed));
        }
        number.get()
    })
}

/// Counts the guards of this thread.
pub(super) fn add_guards(change: isize) {
    N_GUARDS.with(|n| n.set(n.get().wrapping_add_signed(change)));
}

/// Whether somebody may wait for this thread.
pub(super) fn holds_something() -> bool {
    N_GUARDS.with(Cell::get) > 0 || is_in_task()
}

/// Whether this thread runs a host task or a fragment.
#[inline]
pub(super) fn is_in_task() -> bool {
    N_TASKS.with(Cell::get) > 0
}

/// Runs a host task of a pipeline that uses the allocations `ids` (ascending): until it ends, this
/// thread may not wait for any of them.
pub fn in_task<R>(name: &'static str, ids: &Arc<[u64]>, task: impl FnOnce() -> R) -> R {
    inside(Some(name), Some(ids), task)
}

/// Runs what submits work to a device while nobody else can: until it ends, this thread may wait for
/// nothing.
pub(crate) fn in_native<R>(name: &'static str, native: impl FnOnce() -> R) -> R {
    inside(Some(name), None, native)
}

/// The native node whose code this thread runs.
pub(crate) fn native_of() -> Option<&'static str> {
    if !is_in_task() {
        return None;
    }
    TASKS.with(|tasks| {
        let tasks = tasks.borrow();
        tasks.iter().rev().find(|task| task.ids.is_none()).and_then(|task| task.name)
    })
}

/// Evaluates a fragment with loop variables, of which the same is true.
pub(crate) fn in_fragment<R>(ids: &Arc<[u64]>, fragment: impl FnOnce() -> R) -> R {
    inside(None, Some(ids), fragment)
}

fn inside<R>(name: Option<&'static str>, ids: Option<&Arc<[u64]>>, task: impl FnOnce() -> R) -> R {
    struct Leave;
    impl Drop for Leave {
        fn drop(&mut self) {
            N_TASKS.with(|n| n.set(n.get() - 1));
            TASKS.with(|tasks| tasks.borrow_mut().pop());
        }
    }
    N_TASKS.with(|n| n.set(n.get() + 1));
    TASKS.with(|tasks| tasks.borrow_mut().push(Task { name, ids: ids.cloned() }));
    let _leave = Leave;
    task()
}

/// The host task of this thread whose pipeline uses an allocation; a fragment has no name.
pub fn task_of(allocation: u64) -> Option<Option<&'static str>> {
    if !is_in_task() {
        return None;
    }
    TASKS.with(|tasks| {
        let tasks = tasks.borrow();
        let uses = |ids: &Arc<[u64]>| ids.binary_search(&allocation).is_ok();
        let mut using = tasks.iter().rev().filter(|t| t.ids.as_ref().is_none_or(uses));
        using.next().map(|task| task.name)
    })
}

/// The host task of this thread that belongs to a pipeline with these allocations, which nobody else has in
/// this list; a fragment has no name.
pub(crate) fn task_among(ids: &Arc<[u64]>) -> Option<Option<&'static str>> {
    if !is_in_task() {
        return None;
    }
    TASKS.with(|tasks| {
        let tasks = tasks.borrow();
        let is_one = |task: &&Task| task.ids.as_ref().is_some_and(|own| Arc::ptr_eq(own, ids));
        tasks.iter().rev().find(is_one).map(|task| task.name)
    })
}

/// Refuses what would wait for the pipeline of this thread's own task.
#[inline]
pub(super) fn check(list: &[Access]) -> Result<(), Refusal> {
    if !is_in_task() {
        return Ok(());
    }
    if let Some(node) = native_of() {
        return Err(Refusal::Reentrant(0, Some(node)));
    }
    for (index, access) in list.iter().enumerate() {
        if let Some(task) = task_of(access.allocation.id()) {
            return Err(Refusal::Reentrant(index, task));
        }
    }
    Ok(())
}
