//! The exchanges of arrays in a loop, as far as each trip makes the same ones. It says nothing of launches.

use crate::arg::ArrayArg;
use crate::pipeline::{Kind, Node, Work};

/// After so many trips at most each array has its own elements again.
const MOST: usize = 4;

/// The exchanges in each trip of a loop.
#[derive(Debug)]
pub(super) struct Exchanges {
    /// Their nodes, in their order.
    pub(super) nodes: Vec<usize>,
    /// The arrays that are exchanged.
    arrays: Vec<u64>,
    /// After how many trips each array has its own elements again; one or more.
    pub(super) turns: usize,
}

impl Exchanges {
    /// Those of the loop at a node; nothing where one is in a branch or copies elements, or where too many trips
    /// pass until all is back.
    pub(super) fn of(nodes: &mut [Node<'_>], at: usize) -> Option<Self> {
        let (mut all, mut arrays) = (Vec::new(), Vec::new());
        let mut pairs = Vec::new();
        // Up to where a node is in a branch.
        let mut branch = 0;
        for k in at + 1..nodes[at].end() {
            if matches!(nodes[k].kind, Kind::If { .. }) {
                branch = branch.max(nodes[k].end());
            }
            let Work::Swap { a, b, .. } = nodes[k].work() else { continue };
            let [x, y] = [&a.allocation, &b.allocation];
            let are_alike = x.elem().id == y.elem().id && x.len() == y.len();
            if k < branch || !are_alike || x.stays() || y.stays() {
                return None;
            }
            let [x, y] = [x.id(), y.id()].map(|id| {
                arrays.iter().position(|known| *known == id).unwrap_or_else(|| {
                    arrays.push(id);
                    arrays.len() - 1
                })
            });
            all.push(k);
            pairs.push((x, y));
        }
        let own: Vec<usize> = (0..arrays.len()).collect();
        let mut now = own.clone();
        let turns = (1..=MOST).find(|_| {
            pairs.iter().for_each(|(x, y)| now.swap(*x, *y));
            now == own
        })?;
        Some(Self { nodes: all, arrays, turns })
    }

    /// Whether an array is exchanged.
    pub(super) fn has(&self, array: &ArrayArg) -> bool {
        self.arrays.contains(&array.allocation.id())
    }
}
