//! What the host tasks of a random pipeline write down, and a trap in which they go wrong. It knows
//! nothing of what they work on.

use std::sync::{Arc, Mutex, OnceLock};

use flash_rt::Handle;
use flash_rt::task::BoxError;

/// What a task does that steps into a trap.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mishap {
    Error,
    Panic,
    /// It cancels its own run, and ends as others do.
    Cancel,
}

/// Where tasks go wrong.
#[derive(Clone, Debug)]
pub(crate) struct Trap {
    /// What they have seen then.
    pub(crate) seen: Vec<u64>,
    pub(crate) mishap: Mishap,
    /// Whether they have written by then.
    pub(crate) late: bool,
}

/// What tasks write down in a run.
#[derive(Default)]
pub(crate) struct Notes {
    seen: Mutex<Vec<u64>>,
    trap: Mutex<Option<Trap>>,
    /// The run itself, once it is launched.
    pub(crate) handle: OnceLock<Arc<Handle>>,
}

impl Notes {
    pub(crate) fn with(trap: Trap) -> Self {
        Self { trap: Mutex::new(Some(trap)), ..Self::default() }
    }

    /// From here on nothing goes wrong, and nothing has been written down.
    pub(crate) fn clear(&self) {
        *self.trap.lock().unwrap() = None;
        self.seen.lock().unwrap().clear();
    }

    pub(crate) fn all(&self) -> Vec<u64> {
        self.seen.lock().unwrap().clone()
    }

    /// What a task has seen, before it writes anything.
    pub(crate) fn begin(&self, seen: u64) -> Result<(), BoxError> {
        self.seen.lock().unwrap().push(seen);
        self.step(seen, false)
    }

    /// The same once it has written.
    pub(crate) fn end(&self, seen: u64) -> Result<(), BoxError> {
        self.step(seen, true)
    }

    fn step(&self, seen: u64, late: bool) -> Result<(), BoxError> {
        let trap = self.trap.lock().unwrap().clone();
        match trap.filter(|trap| trap.late == late && trap.seen.contains(&seen)) {
            None => Ok(()),
            Some(Trap { mishap: Mishap::Error, .. }) => Err(seen.to_string().into()),
            // As `panic!`, without a line for each on the terminal.
            Some(Trap { mishap: Mishap::Panic, .. }) => {
                std::panic::resume_unwind(Box::new(seen.to_string()))
            }
            Some(Trap { mishap: Mishap::Cancel, .. }) => {
                while self.handle.get().is_none() {
                    std::thread::yield_now();
                }
                self.handle.get().into_iter().for_each(|handle| handle.cancel());
                Ok(())
            }
        }
    }
}
