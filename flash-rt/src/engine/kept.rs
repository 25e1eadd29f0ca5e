//! Memory of the threads of a run, kept for the next one.

use std::collections::VecDeque;

use super::plain::Scratch;
use super::plan::Rows;
use crate::report::Transfers;

/// What a thread has counted, and its memory.
#[derive(Debug, Default)]
pub(super) struct Tally {
    pub(super) rows: Rows,
    pub(super) moved: Transfers,
    pub(super) ready: Vec<u32>,
    pub(super) kept: VecDeque<u32>,
    pub(super) scratch: Scratch,
}

/// Those of threads that may come, and of threads that have gone.
#[derive(Debug, Default)]
pub(super) struct Tallies {
    pub(super) unused: Vec<Tally>,
    pub(super) used: Vec<Tally>,
}

/// What the runs of a pipeline need, kept from one to the next.
#[derive(Debug, Default)]
pub(super) struct Kept {
    pub(super) tallies: Tallies,
    pub(super) queue: VecDeque<u32>,
    pub(super) users: Vec<u32>,
}

impl Kept {
    /// Has room for a run with `most` helpers, however many of them will come.
    pub(super) fn prepare(&mut self, n_nodes: usize, rows: &Rows, most: usize) {
        let Self { tallies: Tallies { unused, used }, queue, .. } = self;
        queue.reserve(n_nodes);
        used.reserve(most + 1);
        while unused.len() <= most {
            unused.push(Tally::default());
        }
        for tally in unused {
            tally.rows.like(rows);
            tally.moved = Transfers::NONE;
            tally.ready.clear();
            tally.ready.reserve(n_nodes);
        }
    }

    /// How many of these nodes touch each array.
    pub(super) fn users(&mut self, of_node: &[(u32, u32)]) -> Vec<u32> {
        let mut users = std::mem::take(&mut self.users);
        users.clear();
        for &(_, access) in of_node {
            let access = access as usize;
            users.resize(users.len().max(access + 1), 0);
            users[access] += 1;
        }
        users
    }
}
