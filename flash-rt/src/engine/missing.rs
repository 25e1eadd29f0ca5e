//! Edges that are left out on purpose, so that tests of tests can see what is not ordered then. It
//! orders nothing.

use super::graph::{target, trips_later};
use crate::pipeline::{LaunchNode, Work};

/// Why one node waits for another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Edge {
    /// It reads what the other wrote.
    ReadAfterWrite,
    /// It overwrites what the other reads.
    WriteAfterRead,
    /// It overwrites what the other wrote.
    WriteAfterWrite,
    /// Both are host tasks, which keep their order.
    Tasks,
    /// Any of them.
    Any,
}

/// What kind of node an edge begins or ends at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// Any.
    Any,
    /// A host task.
    Task,
    /// A launch, on whatever device.
    Kernel,
    /// A launch on the device of this number.
    On(usize),
    /// A loop or decision, with what is inside of it.
    Control,
    /// A swap or move.
    Data,
}

/// Edges of one kind between nodes of certain kinds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Missing {
    /// Why.
    pub edge: Edge,
    /// From which nodes.
    pub from: Side,
    /// To which nodes.
    pub to: Side,
}

impl From<Edge> for Missing {
    fn from(edge: Edge) -> Self {
        Self { edge, from: Side::Any, to: Side::Any }
    }
}

impl Missing {
    /// Whether an edge is one of them.
    pub(super) fn has(&self, edge: Edge, from: Side, to: Side) -> bool {
        (self.edge == edge || self.edge == Edge::Any) && self.from.has(from) && self.to.has(to)
    }

    /// Reads `raw`, `war:task`, `waw:kernel:device1` and the like; what is not said is any.
    #[cfg(feature = "sabotage")]
    pub(crate) fn parse(words: &[&str]) -> Option<Self> {
        let edge = match words.first() {
            None | Some(&"any") => Edge::Any,
            Some(&"raw") => Edge::ReadAfterWrite,
            Some(&"war") => Edge::WriteAfterRead,
            Some(&"waw") => Edge::WriteAfterWrite,
            Some(&"tasks") => Edge::Tasks,
            Some(_) => return None,
        };
        let side = |at: usize| words.get(at).map_or(Some(Side::Any), |word| Side::parse(word));
        (words.len() <= 3).then_some(Self { edge, from: side(1)?, to: side(2)? })
    }
}

impl Side {
    /// That of a node.
    pub(super) fn of(work: &Work<'_>) -> Self {
        match work {
            Work::Launch(LaunchNode { device, .. }) => Self::On(usize::from(*device)),
            Work::Task(_) => Self::Task,
            Work::Swap { .. } | Work::Move(_) => Self::Data,
            Work::For { .. } | Work::If { .. } | Work::While { .. } => Self::Control,
        }
    }

    fn has(self, node: Self) -> bool {
        match self {
            Self::Any => true,
            Self::Kernel => matches!(node, Self::On(_)),
            other => other == node,
        }
    }

    #[cfg(feature = "sabotage")]
    fn parse(word: &str) -> Option<Self> {
        Some(match word {
            "any" => Self::Any,
            "task" => Self::Task,
            "kernel" => Self::Kernel,
            "control" => Self::Control,
            "data" => Self::Data,
            _ => Self::On(word.strip_prefix("device")?.parse().ok()?),
        })
    }
}

/// Those edges of a body that repeats by which trips can be counted: before a node uses a counter
/// again, after as many trips as the period has, whoever waits for its end must have run. With all
/// edges that is so of each; with some left out others have to go too.
pub(super) fn countable(mut edges: Vec<(u32, u32)>, period: u32) -> Vec<(u32, u32)> {
    loop {
        let keeps = |&(from, edge): &(u32, u32)| {
            let (to, later) = (target(edge), trips_later(edge));
            from == to || leads(&edges, (to, later), from, period)
        };
        let kept: Vec<_> = edges.iter().copied().filter(keeps).collect();
        if kept.len() == edges.len() {
            return kept;
        }
        edges = kept;
    }
}

/// Whether a node, so many trips later, comes before another one at the end of the period.
fn leads(edges: &[(u32, u32)], start: (u32, u32), to: u32, period: u32) -> bool {
    let (mut seen, mut at) = (vec![start], 0);
    while let Some(&(node, later)) = seen.get(at) {
        // From there it is only a matter of its own trips.
        if node == to && (1..=period).contains(&later) {
            return true;
        }
        for &(_, after) in edges.iter().filter(|(from, _)| *from == node) {
            let step = (target(after), later + trips_later(after));
            if step.1 <= period && !seen.contains(&step) {
                seen.push(step);
            }
        }
        at += 1;
    }
    false
}
