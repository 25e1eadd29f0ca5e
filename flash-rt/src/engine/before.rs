//! What is done for a node before its turn, by a node of its own: data of host tasks are brought, bounds
//! of loops are read. When that is, is for the graph to say.

use std::cell::LazyCell;
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::names::Names;
use super::tasks::Early;
use super::touches::Touches;
use crate::access::Mode;
use crate::env::Trips;
use crate::pipeline::{Node, Work};

/// What is done before the turn of a node.
#[derive(Debug)]
pub(super) enum Before {
    /// The data of a host task are brought.
    Data(Early),
    /// The bounds of a loop are read from cells.
    Bounds(Known),
}

impl Before {
    /// That of a host task.
    pub(super) fn data(&self) -> Option<&Early> {
        match self {
            Self::Data(early) => Some(early),
            Self::Bounds(_) => None,
        }
    }

    /// That of a loop.
    pub(super) fn bounds(&self) -> Option<&Known> {
        match self {
            Self::Data(_) => None,
            Self::Bounds(known) => Some(known),
        }
    }
}

/// The trips of a loop, from when its bounds were read until its turn comes.
#[derive(Debug, Default)]
pub(super) struct Known(Mutex<Option<Trips>>);

impl Known {
    fn lock(&self) -> MutexGuard<'_, Option<Trips>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn keep(&self, trips: Trips) {
        *self.lock() = Some(trips);
    }

    pub(super) fn take(&self) -> Option<Trips> {
        self.lock().take()
    }
}

/// Loops whose bounds are read before their turn, and which of the cells nothing inside of them reads,
/// by number: who writes one of these waits for the look at it, and not for the loop.
#[derive(Debug, Default)]
pub(super) struct Late {
    /// Ascending.
    loops: Vec<u32>,
    /// Loop and cell, ascending.
    cells: Vec<(u32, u32)>,
}

impl Late {
    /// Finds them: the pipeline writes a cell, but neither the loop itself nor an exchange changes one.
    pub(super) fn find(nodes: &mut [Node<'_>], touches: &Touches, names: &Names) -> Self {
        let mut late = Self::default();
        // Most pipelines have no such loop, and are not gone through.
        let written = LazyCell::new(|| {
            let mut written = vec![false; touches.arrays.len()];
            let writes = touches.list.iter().filter(|touch| touch.mode == Mode::Write);
            writes.for_each(|touch| written[touch.array as usize] = true);
            written
        });
        for (at, node) in nodes.iter_mut().enumerate() {
            let (in_sync, end) = (node.in_sync, node.end());
            let Work::For { bounds, .. } = node.work() else { continue };
            let exchanged = |id| names.arrays().flatten().any(|array| array.id() == id);
            let own = touches.of(at..at + 1);
            if in_sync
                || !own.iter().any(|cell| written[cell.array as usize])
                || bounds.cells().any(|cell| exchanged(cell.allocation.id()))
            {
                continue;
            }
            let inside = touches.of(at + 1..end);
            let used = |cell: u32, by: Mode| inside.iter().any(|t| t.array == cell && t.mode == by);
            if own.iter().any(|cell| used(cell.array, Mode::Write)) {
                continue;
            }
            late.loops.push(at as u32);
            let unread = own.iter().filter(|cell| !used(cell.array, Mode::Read));
            late.cells.extend(unread.map(|cell| (at as u32, cell.array)));
        }
        late.cells.sort_unstable();
        late
    }

    /// Whether the bounds of a loop are read before its turn.
    pub(super) fn has(&self, node: u32) -> bool {
        self.loops.binary_search(&node).is_ok()
    }

    /// The loops.
    pub(super) fn loops(&self) -> &[u32] {
        &self.loops
    }

    /// Whether a node is done with an array once its bounds are read.
    pub(super) fn lets_go(&self, node: u32, array: u32) -> bool {
        self.cells.binary_search(&(node, array)).is_ok()
    }
}
