//! The nodes of a run that are ready, handed from thread to thread: whoever has some to spare offers
//! them, and a thread that has none takes one, or sleeps until there is one. It neither starts threads
//! nor runs nodes.

#[cfg(all(test, loom))]
mod models;

use std::collections::VecDeque;
use std::sync::{Arc, PoisonError};

use super::queue::{Pick, Queue};
use crate::backend::at_work;
use crate::backend::clock::{Active, Clock, Hold, aside};
use crate::sync::{AtomicBool, AtomicUsize, Condvar, Mutex, MutexGuard, Ordering};

/// Looks at the list before a thread sleeps: some microseconds, about what waking it takes. A processor
/// that kernels could use is kept for as long.
const LOOKS: usize = if cfg!(any(miri, loom)) { 1 } else { 400 };

/// Which of the nodes that are offered come first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Rank {
    First,
    InTurn,
    /// Brings data of a host task, which only some threads do at a time.
    Bringer,
}

/// What is ready, and how threads wait for it.
pub(super) struct Worklist {
    pick: Pick,
    most_bring: usize,
    queue: Mutex<Queue>,
    changed: Condvar,
    /// Nodes in the queue, to be looked at without its lock.
    queued: AtomicUsize,
    /// No node may start any more.
    stopped: AtomicBool,
    clock: Option<Arc<dyn Clock>>,
    /// Where threads do nothing but work on processors: how many of these there are. Who looks for a node
    /// is counted on to find one, so that nobody else is woken for it, and no more threads are woken than
    /// there are processors for.
    processors: Option<usize>,
}

/// Who comes for nodes that were offered.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Offered {
    /// Threads to be started.
    pub(super) missing: usize,
    /// Nodes for which there is no processor: whoever is at work takes them when it gets there.
    pub(super) left: usize,
}

impl Worklist {
    /// One in the memory of an earlier one. `most_bring` threads bring data at once.
    pub(super) fn new(
        (pick, most_bring): (Pick, usize),
        kept: Queue,
        clock: Option<Arc<dyn Clock>>,
        processors: Option<usize>,
    ) -> Self {
        let seed = if let Pick::Random(seed) = pick { seed } else { 0 };
        Self {
            pick,
            most_bring,
            queue: Mutex::new(kept.renewed(seed)),
            changed: Condvar::new(),
            queued: AtomicUsize::new(0),
            stopped: AtomicBool::new(false),
            clock,
            processors,
        }
    }

    /// Its memory, for the next one.
    pub(super) fn into_kept(self) -> Queue {
        self.queue.into_inner().unwrap_or_else(PoisonError::into_inner).renewed(0)
    }

    /// Nothing here panics while it holds the lock.
    fn queue(&self) -> MutexGuard<'_, Queue> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether a thread goes on with a node that it made ready: one thread alone takes what it is told to.
    pub(super) fn goes_on(&self) -> bool {
        self.pick == Pick::First
    }

    /// Adds nodes, and wakes threads that sleep.
    pub(super) fn offer(&self, nodes: &[u32], rank: impl Fn(u32) -> Rank) -> Offered {
        let mut queue = self.queue();
        for &node in nodes {
            match if self.goes_on() { rank(node) } else { Rank::InTurn } {
                Rank::InTurn => queue.ready.push_back(node),
                Rank::First => queue.ready.push_front(node),
                Rank::Bringer => queue.bringers.push_back(node),
            }
        }
        self.queued.store(queue.len(), Ordering::Release);
        let wanted = nodes.len() - queue.call(nodes.len());
        let room = self.processors.map_or(wanted, |n| n.saturating_sub(at_work::count()));
        let called = wanted.min(room);
        Offered { missing: self.wake(queue, called), left: wanted - called }
    }

    /// Wakes so many threads; how many of them there are not.
    fn wake(&self, mut queue: MutexGuard<'_, Queue>, called: usize) -> usize {
        let wake = called.min(queue.sleeping - queue.woken);
        queue.woken += wake;
        queue.holds.extend((0..wake).filter_map(|_| self.hold()));
        self.call(wake);
        drop(queue);
        (0..wake).for_each(|_| self.changed.notify_one());
        called - wake
    }

    /// Wakes a thread, with or without a processor for it, where nobody has taken a node since the last
    /// time: those at work may wait for just these nodes. Whether one has to be started for it.
    pub(super) fn urge(&self) -> bool {
        let mut queue = self.queue();
        let waits = !queue.ready.is_empty();
        let has_waited = std::mem::replace(&mut queue.waits, waits);
        let is_over = queue.done || self.is_stopped();
        waits && has_waited && !is_over && self.wake(queue, 1) > 0
    }

    /// This thread takes part from now on, and nobody has called it; whether it did not yet.
    pub(super) fn enter(&self) -> bool {
        self.processors.is_some() && at_work::enter()
    }

    /// The same for threads that are about to be woken or started.
    pub(super) fn call(&self, threads: usize) {
        if self.processors.is_some() {
            at_work::call(threads);
        }
    }

    /// One of them is there.
    pub(super) fn come(&self) {
        if self.processors.is_some() {
            at_work::come();
        }
    }

    /// It could not be started.
    pub(super) fn call_off(&self) {
        if self.processors.is_some() {
            at_work::call_off();
        }
    }

    /// This thread takes part no longer.
    pub(super) fn leave(&self) {
        if self.processors.is_some() {
            at_work::leave();
        }
    }

    /// A node that is ready; none at the end of the run. On a clock of devices this thread is
    /// active from when it gets a node until it sleeps.
    #[cfg(all(test, loom))]
    pub(super) fn take(&self, active: &mut Option<Active>) -> Option<u32> {
        self.take_all(active, |_| None, &mut VecDeque::new())
    }

    /// The same, with all others that are ready and go to the same device.
    pub(super) fn take_all(
        &self,
        active: &mut Option<Active>,
        device_of: impl Fn(u32) -> Option<u32>,
        kept: &mut VecDeque<u32>,
    ) -> Option<u32> {
        let mut looks = 0;
        if self.processors.is_some() {
            self.queue().looking += 1;
        }
        while self.queued.load(Ordering::Acquire) == 0 && looks < LOOKS && !self.is_stopped() {
            std::hint::spin_loop();
            looks += 1;
        }
        let mut queue = self.queue();
        if self.processors.is_some() {
            queue.come();
        }
        loop {
            if queue.done || self.is_stopped() {
                return None;
            }
            if let Some(node) = queue.pop(self.pick, self.most_bring) {
                queue.waits = false;
                if let Some(device) = device_of(node).filter(|_| self.goes_on()) {
                    queue.ready.retain(|&other| {
                        let is_same = device_of(other) == Some(device);
                        if is_same {
                            kept.push_back(other);
                        }
                        !is_same
                    });
                }
                self.queued.store(queue.len(), Ordering::Release);
                if active.is_none() {
                    *active = self.hold().map(Hold::enter);
                }
                return Some(node);
            }
            *active = None;
            queue.sleeping += 1;
            self.leave();
            // A caller that keeps the clock from going on does so no longer than it works.
            queue = aside(|| self.changed.wait(queue)).unwrap_or_else(PoisonError::into_inner);
            queue.sleeping -= 1;
            if queue.woken > 0 {
                queue.woken -= 1;
                *active = queue.holds.pop().map(Hold::enter);
                self.come();
            } else {
                self.enter();
            }
        }
    }

    fn hold(&self) -> Option<Hold> {
        self.clock.as_ref().map(Hold::new)
    }

    /// Keeps the clock from going on until a thread that is started is there.
    pub(super) fn expect_helper(&self) {
        if let Some(hold) = self.hold() {
            self.queue().coming.push(hold);
        }
    }

    /// What was kept for a thread that has come, or that does not come after all.
    pub(super) fn helper(&self) -> Option<Hold> {
        self.queue().coming.pop()
    }

    /// Notes that data of a host task were brought; what else is to be brought then.
    pub(super) fn has_brought(&self) -> Option<u32> {
        let mut queue = self.queue();
        queue.bringing = queue.bringing.saturating_sub(1);
        queue.bringers.pop_front()
    }

    /// Whether anybody looks for a node and would find none.
    pub(super) fn has_lookers(&self) -> bool {
        self.queue().has_lookers()
    }

    /// Lets no further node start.
    pub(super) fn stop(&self) {
        self.stopped.store(true, Ordering::Relaxed);
        // Under the lock: who has seen neither this nor a node sleeps by now, and is woken.
        self.queue().holds.clear();
        self.changed.notify_all();
    }

    pub(super) fn is_stopped(&self) -> bool {
        self.stopped.load(Ordering::Relaxed)
    }

    /// The last node has ended.
    pub(super) fn end(&self) {
        let mut queue = self.queue();
        queue.done = true;
        // Nobody looks any longer.
        self.queued.store(usize::MAX, Ordering::Release);
        queue.holds.clear();
        self.changed.notify_all();
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;

    fn on(processors: Option<usize>) -> Worklist {
        Worklist::new((Pick::First, 1), Queue::default(), None, processors)
    }

    fn offer(work: &Worklist, nodes: &[u32]) -> Offered {
        work.offer(nodes, |_| Rank::InTurn)
    }

    fn take(work: &Worklist) -> Option<u32> {
        work.take_all(&mut None, |_| None, &mut VecDeque::new())
    }

    #[test]
    fn no_more_threads_are_called_than_there_are_processors() {
        assert_eq!(offer(&on(None), &[1, 2, 3]), Offered { missing: 3, left: 0 });
        assert_eq!(offer(&on(Some(usize::MAX)), &[1, 2, 3]), Offered { missing: 3, left: 0 });
        assert_eq!(offer(&on(Some(0)), &[1, 2, 3]), Offered { missing: 0, left: 3 });
    }

    #[test]
    fn what_nobody_takes_from_one_look_to_the_next_is_urged() {
        let work = on(Some(0));
        assert!(!work.urge(), "nothing waits");
        offer(&work, &[1, 2]);
        assert!(!work.urge(), "not for long");
        assert!(work.urge() && work.urge(), "until somebody takes one");
        assert_eq!(take(&work), Some(1));
        assert!(!work.urge(), "somebody does");
        assert!(work.urge());
        assert_eq!(take(&work), Some(2));
        assert!(!work.urge() && !work.urge(), "nothing is left");
        offer(&work, &[3]);
        work.urge();
        work.end();
        assert!(!work.urge(), "the run is over");
        let stopped = on(Some(0));
        offer(&stopped, &[1]);
        stopped.urge();
        stopped.stop();
        assert!(!stopped.urge(), "nothing begins any more");
    }

    #[test]
    fn a_thread_that_sleeps_is_woken_for_what_is_held_up() {
        let work = on(Some(0));
        std::thread::scope(|scope| {
            let taker = scope.spawn(|| take(&work));
            while work.queue().sleeping == 0 {
                std::thread::yield_now();
            }
            assert_eq!(offer(&work, &[1]), Offered { missing: 0, left: 1 });
            assert!(!work.urge());
            assert!(!work.urge(), "one sleeps, so none is to be started");
            assert_eq!(taker.join().unwrap(), Some(1));
        });
    }
}
