//! Nodes that are over sooner than a helper wakes are run in passing: whoever finds them ready runs one
//! after the other, and sets back what else became ready instead of offering it. It wakes nobody: a
//! [watch](Scope::watch) sees to it that a node which takes longer than expected holds nothing up.
//!
//! Whether that pays is the question of renting or buying: each node that is set back may lose the time of
//! the one before it, and once as much is lost as it takes to wake a helper, one is woken.

#[cfg(all(test, loom))]
mod models;

use std::sync::PoisonError;
use std::time::Duration;

use super::super::graph::Graph;
use super::super::kept::Took;
use super::{Crew, Node, Scope};
use crate::backend::at_work::Aside;
use crate::cpu_time::cpu_time;
use crate::pipeline::{Kind, Work};
use crate::sync::{AtomicBool, AtomicU32, Mutex, MutexGuard, Ordering};

/// What takes longer is not run in passing, nor set back. A helper that comes costs its caller the
/// processor of the team for about as long.
const QUICK: u32 = 100_000;
/// What a node is taken to need that has not run yet, as long as no such guess was far too low.
const UNKNOWN: u32 = 5_000;
/// The time that is lost before a helper is woken.
const LOST: u32 = 100_000;

/// What the threads of a run know of nodes that run in passing.
#[derive(Debug)]
pub(super) struct Passing {
    took: Vec<Took>,
    /// Odd while a thread runs a node in passing, which one of them does at a time.
    turn: AtomicU32,
    /// The turn when the watch looked last.
    seen: AtomicU32,
    /// What that thread has set back.
    back: Mutex<Vec<u32>>,
    /// Nanoseconds that may have been lost since a helper was woken.
    lost: AtomicU32,
    /// Whether a guess was, of a kernel and of a host task.
    was_wrong: [AtomicBool; 2],
    is_watched: AtomicBool,
}

/// How a host task that runs uses its processor.
pub(super) struct Pace {
    _aside: Option<Aside>,
    /// What its thread had used when it began.
    since: Option<Duration>,
}

impl Pace {
    /// Whether it did nothing in more than half of this time.
    fn mostly_waited(&self, time: Duration) -> bool {
        let used = self.since.and_then(|since| Some(cpu_time()?.saturating_sub(since)));
        used.is_some_and(|used| 2 * used < time)
    }
}

impl Passing {
    pub(super) fn new((mut took, mut back): (Vec<Took>, Vec<u32>), nodes: &[Node<'_>]) -> Self {
        took.resize_with(nodes.len(), Took::default);
        back.clear();
        back.reserve(nodes.len());
        Self {
            took,
            turn: AtomicU32::new(0),
            seen: AtomicU32::new(0),
            back: Mutex::new(back),
            lost: AtomicU32::new(0),
            was_wrong: [AtomicBool::new(false), AtomicBool::new(false)],
            is_watched: AtomicBool::new(false),
        }
    }

    /// What the next run goes on from.
    pub(super) fn into_kept(self) -> (Vec<Took>, Vec<u32>) {
        let back = self.back.into_inner().unwrap_or_else(PoisonError::into_inner);
        (self.took, back)
    }

    /// Before a host task runs: while it mostly waits, its processor is free for others. They are not
    /// asked of what is over soon.
    pub(super) fn begin_task(&self, node: u32) -> Pace {
        let took = &self.took[node as usize];
        let is_quick = took.known().is_some_and(|(nanos, _)| nanos <= QUICK);
        Pace {
            _aside: (!is_quick && took.blocks()).then(Aside::new),
            since: if is_quick { None } else { cpu_time() },
        }
    }

    /// Notes how long a node took.
    pub(super) fn note(&self, node: u32, work: &Work<'_>, time: Duration, pace: Option<Pace>) {
        let nanos = u32::try_from(time.as_nanos()).unwrap_or(u32::MAX);
        let took = &self.took[node as usize];
        if nanos > QUICK && took.known().is_none() {
            let is_task = matches!(work, Work::Task(_));
            self.was_wrong[usize::from(is_task)].store(true, Ordering::Relaxed);
        }
        // A launch of one item is not cut into pieces.
        let is_shared = matches!(work, Work::Launch(launch)
            if launch.stage.space.items() != Some(1));
        took.note(nanos, is_shared, pace.is_some_and(|pace| pace.mostly_waited(time)));
    }

    /// How long a node may take and whether it is shared, of what is thought to be over soon.
    fn expected(&self, node: u32, nodes: &[Node<'_>], graph: &Graph) -> Option<(u32, bool)> {
        let Some(known) = nodes.get(node as usize) else {
            return graph.asks(node).map(|_| (0, true));
        };
        if known.kind != Kind::Leaf {
            // To go on to what is inside takes no time.
            return Some((0, true));
        }
        let was_wrong = || self.was_wrong[usize::from(known.is_task)].load(Ordering::Relaxed);
        let guess = || (!was_wrong()).then_some((UNKNOWN, false));
        let expected = self.took[node as usize].known().map_or_else(guess, Some);
        expected.filter(|&(nanos, _)| nanos <= QUICK)
    }

    /// Whether the caller may run a node in passing now; [`leave`](Self::leave) ends that.
    fn enter(&self) -> bool {
        let turn = self.turn.load(Ordering::Relaxed);
        turn.is_multiple_of(2)
            && self
                .turn
                .compare_exchange(turn, turn + 1, Ordering::Relaxed, Ordering::Relaxed)
                .is_ok()
    }

    /// Hands out what was set back, where nobody else took it meanwhile.
    fn leave(&self, ready: &mut Vec<u32>) {
        ready.append(&mut self.back());
        self.turn.fetch_add(1, Ordering::Relaxed);
    }

    fn back(&self) -> MutexGuard<'_, Vec<u32>> {
        self.back.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What was set back for a node that still runs since the last look.
    fn stuck(&self) -> Vec<u32> {
        let turn = self.turn.load(Ordering::Relaxed);
        let is_stuck = self.seen.swap(turn, Ordering::Relaxed) == turn && !turn.is_multiple_of(2);
        if is_stuck { std::mem::take(&mut *self.back()) } else { Vec::new() }
    }
}

impl Crew<'_, '_, '_> {
    /// Which nodes a thread runs itself rather than others that are ready: a host task that is over soon,
    /// so that nobody waits for it; then kernels; host tasks that may take long come last, as a helper can
    /// take them. The caller of the run prefers those too: what they allocate comes from the memory of one
    /// thread, and goes back there. What brings data, only some threads do.
    pub(super) fn rank(&self, node: u32, is_caller: bool) -> Option<u8> {
        let Some(known) = self.nodes.get(node as usize) else {
            return self.asks(node).then_some(1);
        };
        let Some(passing) = self.passing.as_ref().filter(|_| known.is_task) else {
            return Some(if known.is_task { 2 } else { 1 });
        };
        let is_quick = passing.expected(node, self.nodes, self.graph).is_some();
        let is_mine = is_caller && passing.took[node as usize].known().is_some();
        Some(if is_quick || is_mine { 0 } else { 2 })
    }

    /// Runs a node, and meanwhile offers what else is ready, or keeps it for later where the node is
    /// over too soon for anybody to come.
    pub(super) fn run_one<'scope>(
        &'scope self,
        scope: &'scope Scope<'scope, '_>,
        node: u32,
        (mine, ready): (&mut super::Tally, &mut Vec<u32>),
    ) {
        let passing = self.passing.as_ref().filter(|_| !ready.is_empty());
        let passing = passing.filter(|passing| self.set_back(passing, scope, node, ready));
        if !ready.is_empty() {
            // Waking somebody may take longer than the node.
            mine.until = None;
        }
        self.offer(scope, ready);
        ready.clear();
        self.step(scope, node, (mine, ready));
        if let Some(passing) = passing {
            passing.leave(ready);
        }
    }

    /// Sets back those of the nodes that are ready that can wait for the end of one; the others are left
    /// to be offered.
    fn set_back<'scope>(
        &'scope self,
        passing: &Passing,
        scope: &'scope Scope<'scope, '_>,
        node: u32,
        ready: &mut Vec<u32>,
    ) -> bool {
        let expected = |node| passing.expected(node, self.nodes, self.graph);
        let Some((takes, is_shared)) = expected(node) else { return false };
        let (mut n, mut waiting) = (0, 0);
        for (nanos, _) in ready.iter().filter_map(|&other| expected(other)) {
            n += 1;
            // What a decision leads to may take any time.
            waiting += u64::from(if nanos == 0 { takes } else { nanos });
        }
        // Who looks for a node need not be woken.
        if n == 0 || self.work.has_lookers() {
            return false;
        }
        // Nobody else could have done anything while all workers are busy.
        let loses = if is_shared { 0 } else { u64::from(takes).min(waiting) as u32 };
        let lost = passing.lost.load(Ordering::Relaxed) + loses;
        if lost > LOST {
            passing.lost.store(0, Ordering::Relaxed);
            return false;
        }
        if !passing.enter() {
            return false;
        }
        if !self.be_watched(scope) {
            passing.turn.fetch_add(1, Ordering::Relaxed);
            return false;
        }
        passing.lost.store(lost, Ordering::Relaxed);
        let mut back = passing.back();
        ready.retain(|&other| {
            let waits = expected(other).is_some();
            if waits {
                back.push(other);
            }
            !waits
        });
        true
    }

    /// Has the run watched, if it is not yet; false where the system refuses a thread for that.
    pub(super) fn be_watched<'scope>(&'scope self, scope: &'scope Scope<'scope, '_>) -> bool {
        let Some(passing) = &self.passing else { return false };
        let is_watched = || passing.is_watched.load(Ordering::Relaxed);
        if is_watched() {
            return true;
        }
        // One thread says so. The watch itself does not look here before it has been told.
        let _back = passing.back();
        if !is_watched() && scope.watch(self).is_ok() {
            passing.is_watched.store(true, Ordering::Relaxed);
        }
        is_watched()
    }

    /// Offers what was set back for a node that still runs since the last time, and sees that somebody
    /// takes what has waited for as long.
    pub(super) fn look_after<'scope>(&'scope self, scope: &'scope Scope<'scope, '_>) {
        let Some(passing) = &self.passing else { return };
        self.offer(scope, &passing.stuck());
        if self.work.urge() {
            self.lend(scope, 1);
        }
    }
}
