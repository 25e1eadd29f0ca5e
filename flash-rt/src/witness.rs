//! What the runs that a thread starts were given, with its contents before: a test that lets them
//! fail looks whether what they only read is as it was, and whether all else can be read. Only in
//! builds with the feature `sabotage`. It changes nothing about a run.

use std::cell::RefCell;
use std::panic::Location;
use std::sync::Arc;

use crate::access::{Access, Mode};
use crate::allocation::Allocation;
use crate::descriptor::KernelDescriptor;
use crate::device::take_moved;
use crate::error::Result;
use crate::guard;
use crate::pipeline::{Node, Work};
use crate::report::Transfers;

/// An array that a run was given. Borrowed memory is not among them, as nobody knows how long it
/// lives.
#[derive(Debug)]
pub struct Given {
    array: Arc<Allocation>,
    /// What was in it before the first run; `None` once one may write it.
    before: Option<Vec<u8>>,
}

impl Given {
    /// Whether no run writes it.
    pub fn is_input(&self) -> bool {
        self.before.is_some()
    }

    /// Reads all of it, from wherever it is: whether it is as it was before, or may be written.
    ///
    /// # Errors
    ///
    /// What reading says.
    #[track_caller]
    pub fn is_intact(&self) -> Result<bool> {
        let now = guard::bytes(&self.array, Location::caller())?;
        Ok(self.before.as_ref().is_none_or(|before| *before == now))
    }
}

/// What runs had, which stays until this is dropped.
#[derive(Debug, Default)]
pub struct Watched {
    /// Their arrays.
    pub given: Vec<Given>,
    /// Their kernels, each once.
    pub kernels: Vec<&'static KernelDescriptor>,
}

thread_local! {
    static WATCHED: RefCell<Option<Watched>> = const { RefCell::new(None) };
}

/// Calls `f`, and keeps what the runs have that it starts on this thread.
pub fn watch<R>(f: impl FnOnce() -> R) -> (R, Watched) {
    WATCHED.set(Some(Watched::default()));
    let result = f();
    (result, WATCHED.take().unwrap_or_default())
}

/// Calls `read`, and counts what it moves on this thread without a run, as reading an array does.
pub fn moved_by<R>(read: impl FnOnce() -> R) -> (R, Transfers) {
    let _ = take_moved();
    let result = read();
    (result, take_moved())
}

/// Notes what a run is about to take.
#[track_caller]
pub(crate) fn note(nodes: &mut [Node<'_>], accesses: &[Access]) {
    WATCHED.with_borrow_mut(|watched| {
        let Some(Watched { given, kernels }) = watched else { return };
        for node in nodes {
            if let Work::Launch(launch) = node.work()
                && !kernels.iter().any(|known| std::ptr::eq(*known, launch.stage.kernel))
            {
                kernels.push(launch.stage.kernel);
            }
        }
        for Access { allocation, mode, .. } in accesses {
            let is_read = *mode == Mode::Read;
            let known = given.iter_mut().find(|known| Arc::ptr_eq(&known.array, allocation));
            match known {
                Some(known) if !is_read => known.before = None,
                None if !allocation.is_foreign() => {
                    let bytes = || guard::bytes(allocation, Location::caller()).ok();
                    let before = is_read.then(bytes).flatten();
                    given.push(Given { array: Arc::clone(allocation), before });
                }
                _ => {}
            }
        }
    });
}
