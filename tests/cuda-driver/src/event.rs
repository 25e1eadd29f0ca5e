//! Events: points in streams. A wait binds to the record that was made before it. It runs nothing.

use std::collections::BTreeSet;
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::Instant;

use crate::capture::Captured;
use crate::clock::Clock;
use crate::codes::{Code, Outcome};
use crate::health::Health;
use crate::locks::lock;

#[derive(Debug, Default)]
struct State {
    /// The number of the newest record; 0 where there was none.
    newest: u64,
    /// Records that are not reached. A later one in another stream may be reached before.
    pending: BTreeSet<u64>,
    /// When the newest record was reached.
    at: Option<Instant>,
    captured: Option<Captured>,
}

/// An event.
#[derive(Debug)]
pub(crate) struct Event {
    pub(crate) handle: usize,
    pub(crate) timing: bool,
    pub(crate) health: Arc<Health>,
    /// What comes before its newest record, where hazards are looked for.
    pub(crate) clock: Mutex<Clock>,
    state: Mutex<State>,
    changed: Condvar,
}

impl Event {
    pub(crate) fn new(handle: usize, flags: u32, health: Arc<Health>) -> Self {
        let (clock, state, changed) = Default::default();
        Self { handle, timing: flags & 2 == 0, health, clock, state, changed }
    }

    /// Begins a new record and gives its number.
    pub(crate) fn record(&self) -> u64 {
        let mut state = lock(&self.state);
        state.captured = None;
        state.newest += 1;
        let newest = state.newest;
        state.pending.insert(newest);
        newest
    }

    /// The record is reached.
    pub(crate) fn reach(&self, record: u64) {
        let mut state = lock(&self.state);
        state.pending.remove(&record);
        if record == state.newest {
            state.at = Some(Instant::now());
        }
        drop(state);
        self.changed.notify_all();
    }

    /// It stands for nodes of a capture from now on.
    pub(crate) fn capture(&self, captured: Captured) {
        lock(&self.state).captured = Some(captured);
    }

    pub(crate) fn captured(&self) -> Option<Captured> {
        lock(&self.state).captured.clone()
    }

    /// The newest record.
    pub(crate) fn newest(&self) -> u64 {
        lock(&self.state).newest
    }

    /// Waits until a record is reached.
    pub(crate) fn wait(&self, record: u64) {
        let mut state = lock(&self.state);
        while state.pending.contains(&record) {
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Whether the newest record is reached.
    pub(crate) fn is_reached(&self) -> bool {
        let state = lock(&self.state);
        !state.pending.contains(&state.newest)
    }

    /// Milliseconds from one event to another.
    pub(crate) fn elapsed(&self, end: &Event) -> Outcome<f32> {
        if !self.timing || !end.timing {
            return Err(Code::INVALID_HANDLE);
        }
        if !self.is_reached() || !end.is_reached() {
            return Err(Code::NOT_READY);
        }
        // One after the other, as both may be the same event.
        let start = lock(&self.state).at;
        let end = lock(&end.state).at;
        let (start, end) = start.zip(end).ok_or(Code::INVALID_HANDLE)?;
        let forth = end.saturating_duration_since(start).as_secs_f32();
        let back = start.saturating_duration_since(end).as_secs_f32();
        Ok((forth - back) * 1e3)
    }
}
