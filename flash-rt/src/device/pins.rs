//! How many images of a device are in use, and who waits for room until one of them no longer is. It
//! gives nothing back itself.

use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

use crate::backend::clock::Waiting;

/// The images of a device that are in use.
#[derive(Debug, Default)]
pub(crate) struct Pins {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Debug, Default)]
struct State {
    used: usize,
    /// How often an image ceased to be in use.
    left: u64,
    /// Whether it is somebody's turn to wait for room.
    is_taken: bool,
    waiting: Waiting,
    /// How many threads wait. To wake none of them is a call of the system too.
    n_waiting: usize,
}

/// The turn of one who waits for room, until it is dropped.
#[derive(Debug)]
pub(crate) struct Turn<'p>(&'p Pins);

impl Drop for Turn<'_> {
    fn drop(&mut self) {
        self.0.change(|state| state.is_taken = false);
    }
}

impl Pins {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn change(&self, change: impl FnOnce(&mut State)) {
        let mut state = self.lock();
        change(&mut state);
        if state.n_waiting == 0 {
            return;
        }
        state.waiting.call();
        drop(state);
        self.changed.notify_all();
    }

    /// Returns when `is_over`; nobody keeps a clock from going on meanwhile.
    fn wait(&self, is_over: impl Fn(&State) -> bool) -> MutexGuard<'_, State> {
        let mut state = self.lock();
        while !is_over(&state) {
            let number = state.waiting.join();
            state.n_waiting += 1;
            while state.waiting.has(number) {
                state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
            }
            state.n_waiting -= 1;
        }
        state
    }

    /// Counts an image that is in use; how often one has ceased to be.
    pub(crate) fn add(&self) -> u64 {
        let mut state = self.lock();
        state.used += 1;
        state.left
    }

    /// Counts an image that no longer is.
    pub(crate) fn remove(&self) {
        self.change(|state| {
            state.used = state.used.saturating_sub(1);
            state.left += 1;
        });
    }

    /// Whether an image has ceased to be in use since `seen`, after waiting for it if need be; false
    /// where none is in use.
    pub(crate) fn await_room(&self, seen: u64) -> bool {
        self.wait(|state| state.used == 0 || state.left != seen).left != seen
    }

    /// Returns when nobody else waits for room.
    pub(crate) fn turn(&self) -> Turn<'_> {
        self.wait(|state| !state.is_taken).is_taken = true;
        Turn(self)
    }
}
