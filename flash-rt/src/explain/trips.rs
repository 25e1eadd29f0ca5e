//! The values of loop variables in the first trips, for what depends on them. It reads no cells, and
//! evaluates nothing inside of a loop that has no first trip.

use crate::env::Env;
use crate::lazy::Bounds;

/// The loops around a node, as nodes are gone through in program order.
#[derive(Debug, Default)]
pub(super) struct FirstTrips {
    env: Env,
    /// Where each of them ends, and whether it is known to have a first trip.
    open: Vec<(usize, bool)>,
}

impl FirstTrips {
    /// Goes on to a node: loops that end before it are no longer around.
    pub(super) fn leave(&mut self, node: usize) {
        while self.open.last().is_some_and(|&(end, _)| end <= node) {
            self.open.pop();
        }
    }

    /// Goes into a loop.
    pub(super) fn enter(
        &mut self,
        (bounds, name, is_signed): (&Bounds<'_>, u32, bool),
        end: usize,
    ) {
        let first = self.env().and_then(|env| {
            // Cells may be written at this moment.
            let is_open = bounds.cells().next().is_none();
            let trips = is_open.then(|| bounds.resolve(&env).ok()).flatten()?;
            (trips.count > 0).then_some(trips.first)
        });
        if let Some(first) = first {
            self.env.set(self.open.len(), first);
            self.env.set_name(self.open.len(), name);
            self.env.set_signed(self.open.len(), is_signed);
        }
        self.open.push((end, first.is_some()));
    }

    /// The variables, where all loops around have a first trip as far as is known.
    pub(super) fn env(&self) -> Option<Env> {
        self.open.iter().all(|&(_, has_first)| has_first).then_some(self.env)
    }
}
