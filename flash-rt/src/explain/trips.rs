//! The values of loop variables in the first trips, for what depends on them. It reads no cells, and
//! evaluates nothing that a run may not come to.

use std::panic::{AssertUnwindSafe, catch_unwind};

use crate::Result;
use crate::cond::Cond;
use crate::env::{Env, watch};
use crate::lazy::Bounds;
use crate::pipeline::{Kind, Node, Work};

/// The loops and decisions around a node, as nodes are gone through in program order.
#[derive(Debug, Default)]
pub(super) struct FirstTrips {
    env: Env,
    at: usize,
    open: Vec<Around>,
}

#[derive(Debug)]
struct Around {
    end: usize,
    /// The level of a loop.
    level: Option<u32>,
    /// Where what is done if a condition does not hold begins; of a loop its end.
    other: usize,
    /// Whether a run is known to come to what is before that, and to what is behind it.
    comes: [bool; 2],
    /// Whether it is a loop of no trips.
    never: bool,
}

impl FirstTrips {
    /// Goes on to a node: what ends before it is no longer around.
    pub(super) fn leave(&mut self, node: usize) {
        self.at = node;
        while let Some(around) = self.open.pop_if(|around| around.end <= node) {
            around.level.into_iter().for_each(|level| self.env.leave(level as usize));
        }
    }

    /// Goes into a loop or decision.
    pub(super) fn enter(&mut self, node: &mut Node<'_>) {
        let (kind, end, is_signed) = (node.kind, node.end(), node.is_signed);
        let mut never = false;
        let (other, comes) = match (kind, &*node.work()) {
            (Kind::For { level }, Work::For { bounds, name, .. }) => {
                never = matches!(bounds, Bounds::Fixed(trips) if trips.count == 0);
                // Cells may be written at this moment.
                let env = self.env().filter(|_| bounds.cells().next().is_none());
                let trips = env.and_then(|env| asked(|| bounds.resolve(&env)));
                let first = trips.filter(|trips| trips.count > 0).map(|trips| trips.first);
                if let Some(first) = first {
                    self.env.set(level as usize, first);
                    self.env.set_name(level as usize, *name);
                    self.env.set_signed(level as usize, is_signed);
                }
                (end, [first.is_some(), false])
            }
            (Kind::While { level }, Work::While { cond, limit, .. }) => {
                self.env.set(level as usize, 0);
                self.env.set_signed(level as usize, false);
                let env = self.env().filter(|env| holds(cond, env) == Some(true));
                let env = env.filter(|_| limit.cell().is_none());
                let max = env.and_then(|env| asked(|| limit.get(&env)));
                (end, [max.is_some_and(|max| max > 0), false])
            }
            (Kind::If { other }, Work::If { cond, .. }) => {
                let holds = self.env().and_then(|env| holds(cond, &env));
                (end.min(other as usize), [holds == Some(true), holds == Some(false)])
            }
            _ => return,
        };
        let level = match kind {
            Kind::For { level } | Kind::While { level } => Some(level),
            Kind::If { .. } | Kind::Leaf => None,
        };
        self.open.push(Around { end, level, other, comes, never });
    }

    /// Whether a run never comes here.
    pub(super) fn never(&self) -> bool {
        self.open.iter().any(|around| around.never)
    }

    /// The variables, where a run is known to come here in the first trips of all loops around.
    pub(super) fn env(&self) -> Option<Env> {
        let comes = |around: &Around| around.comes[usize::from(self.at >= around.other)];
        self.open.iter().all(comes).then_some(self.env)
    }
}

/// Whether a condition holds, where that does not depend on cells.
fn holds(cond: &Cond<'_>, env: &Env) -> Option<bool> {
    let mut reads = false;
    cond.each_cell(&mut |_| reads = true);
    if reads { None } else { asked(|| cond.holds(env)) }
}

/// What closures of the program give, unless a variable they ask for has no value there. A panic is for the run to show, if it comes to it: what they
/// look at may be another thing by then.
pub(super) fn asked<T>(ask: impl FnOnce() -> Result<T>) -> Option<T> {
    let (given, wrong) = watch(|| catch_unwind(AssertUnwindSafe(ask)));
    given.ok()?.ok().filter(|_| wrong.is_none())
}
