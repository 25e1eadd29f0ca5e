//! What is done for a node before its turn, by a node of its own: data of host tasks are brought, bounds
//! of loops and conditions of decisions are read. When that is, is for the graph to say.

use std::cell::LazyCell;
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::graph::Inside;
use super::names::Names;
use super::tasks::Early;
use super::touches::Touches;
use crate::access::Mode;
use crate::arg::ArrayArg;
use crate::pipeline::{Node, Work};

/// What is done before the turn of a node.
#[derive(Debug)]
pub(super) enum Before {
    /// The data of a host task are brought.
    Data(Early),
    /// What a loop or decision enters is read from cells.
    Look(Known),
}

impl Before {
    /// That of a host task.
    pub(super) fn data(&self) -> Option<&Early> {
        match self {
            Self::Data(early) => Some(early),
            Self::Look(_) => None,
        }
    }

    /// That of a loop or decision.
    pub(super) fn look(&self) -> Option<&Known> {
        match self {
            Self::Data(_) => None,
            Self::Look(known) => Some(known),
        }
    }
}

/// What a loop or decision enters, from when its bounds or condition were read until its turn comes.
#[derive(Debug, Default)]
pub(super) struct Known(Mutex<Option<Option<Inside>>>);

impl Known {
    fn lock(&self) -> MutexGuard<'_, Option<Option<Inside>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn keep(&self, inside: Option<Inside>) {
        *self.lock() = Some(inside);
    }

    pub(super) fn take(&self) -> Option<Option<Inside>> {
        self.lock().take()
    }
}

/// Loops and decisions that are looked at before their turn, and which of the cells nothing inside of
/// them reads, by number: who writes one of these waits for the look at it, and not for the end.
#[derive(Debug, Default)]
pub(super) struct Late {
    /// Ascending.
    nodes: Vec<u32>,
    /// Loop or decision and cell, ascending.
    cells: Vec<(u32, u32)>,
}

impl Late {
    /// Finds them: the pipeline writes a cell, but neither what is inside nor an exchange changes one.
    pub(super) fn find(nodes: &mut [Node<'_>], touches: &Touches, names: &Names) -> Self {
        let mut late = Self::default();
        // Most pipelines have no such node, and are not gone through.
        let written = LazyCell::new(|| {
            let mut written = vec![false; touches.arrays.len()];
            let writes = touches.list.iter().filter(|touch| touch.mode == Mode::Write);
            writes.for_each(|touch| written[touch.array as usize] = true);
            written
        });
        for (at, node) in nodes.iter_mut().enumerate() {
            let (in_sync, end) = (node.in_sync, node.end());
            let mut is_exchanged = false;
            let mut each = |cell: &ArrayArg| {
                let id = cell.allocation.id();
                is_exchanged |= names.arrays().flatten().any(|array| array.id() == id);
            };
            match node.work() {
                work @ (Work::For { .. } | Work::If { .. }) => work.each_cell(&mut each),
                _ => continue,
            }
            let own = touches.of(at..at + 1);
            if in_sync || is_exchanged || !own.iter().any(|cell| written[cell.array as usize]) {
                continue;
            }
            let inside = touches.of(at + 1..end);
            let used = |cell: u32, by: Mode| inside.iter().any(|t| t.array == cell && t.mode == by);
            if own.iter().any(|cell| used(cell.array, Mode::Write)) {
                continue;
            }
            late.nodes.push(at as u32);
            let unread = own.iter().filter(|cell| !used(cell.array, Mode::Read));
            late.cells.extend(unread.map(|cell| (at as u32, cell.array)));
        }
        late.cells.sort_unstable();
        late
    }

    /// Whether a node is looked at before its turn.
    pub(super) fn has(&self, node: u32) -> bool {
        self.nodes.binary_search(&node).is_ok()
    }

    /// The loops and decisions.
    pub(super) fn nodes(&self) -> &[u32] {
        &self.nodes
    }

    /// Whether a node is done with an array once it has been looked at.
    pub(super) fn lets_go(&self, node: u32, array: u32) -> bool {
        self.cells.binary_search(&(node, array)).is_ok()
    }
}
