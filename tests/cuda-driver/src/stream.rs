//! Streams: operations that run in order on a thread of their own. It does not know what they do.

use std::cell::Cell;
use std::collections::VecDeque;
use std::sync::{Arc, Condvar, Mutex};
use std::time::Duration;

use crate::capture::Joined;
use crate::clock::Clock;
use crate::codes::Code;
use crate::health::Health;
use crate::locks::lock;

/// What an operation is, for delays.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Kind {
    Kernel,
    Up,
    Down,
    Across,
    Fill,
    Host,
    Graph,
    Free,
    Wait,
    Record,
}

impl Kind {
    pub(crate) const COUNT: usize = 10;

    pub(crate) fn named(name: &str) -> Option<Self> {
        Some(match name {
            "kernel" => Self::Kernel,
            "up" => Self::Up,
            "down" => Self::Down,
            "across" => Self::Across,
            "fill" => Self::Fill,
            "host" => Self::Host,
            "graph" => Self::Graph,
            "free" => Self::Free,
            "wait" => Self::Wait,
            "record" => Self::Record,
            _ => return None,
        })
    }

    /// Order is kept even where a context is lost, so that nobody waits for ever.
    fn is_order(self) -> bool {
        matches!(self, Self::Wait | Self::Record)
    }
}

/// What failed: the code, and a sentence.
pub(crate) type Failure = (Code, String);

/// What an operation does when its turn comes.
pub(crate) type Work = Box<dyn FnOnce() -> Result<(), Failure> + Send>;

struct Op {
    kind: Kind,
    work: Work,
}

#[derive(Default)]
struct Queue {
    ops: VecDeque<Op>,
    submitted: u64,
    done: u64,
    closed: bool,
    started: bool,
}

/// The operations of a stream, and how far it has come.
pub(crate) struct Line {
    /// Its number in clocks.
    pub(crate) id: u64,
    queue: Mutex<Queue>,
    changed: Condvar,
}

impl std::fmt::Debug for Line {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let queue = lock(&self.queue);
        write!(f, "Line {{ done: {} of {} }}", queue.done, queue.submitted)
    }
}

impl Line {
    fn new(id: u64) -> Self {
        let (queue, changed) = Default::default();
        Self { id, queue, changed }
    }

    /// How many operations were submitted, if some of them are not done.
    pub(crate) fn pending(&self) -> Option<u64> {
        let queue = lock(&self.queue);
        (queue.done < queue.submitted).then_some(queue.submitted)
    }

    /// Waits until as many operations are done.
    pub(crate) fn wait(&self, count: u64) {
        let mut queue = lock(&self.queue);
        while queue.done < count {
            queue = self.changed.wait(queue).unwrap_or_else(std::sync::PoisonError::into_inner);
        }
    }

    fn run(&self, health: &Health, delay: impl Fn(Kind) -> Duration) {
        loop {
            let op = {
                let mut queue = lock(&self.queue);
                loop {
                    if let Some(op) = queue.ops.pop_front() {
                        break op;
                    }
                    if queue.closed {
                        return;
                    }
                    queue =
                        self.changed.wait(queue).unwrap_or_else(std::sync::PoisonError::into_inner);
                }
            };
            let runs = op.kind.is_order() || health.check().is_ok();
            let delay = delay(op.kind);
            if runs && !delay.is_zero() {
                std::thread::sleep(delay);
            }
            // An event is reached, and the stream has come as far, at once for whoever asks.
            let held = (op.kind == Kind::Record).then(|| lock(&self.queue));
            let outcome = if runs { (op.work)() } else { Ok(()) };
            if let Err((code, why)) = outcome {
                health.fall_ill(code, why);
            }
            held.unwrap_or_else(|| lock(&self.queue)).done += 1;
            self.changed.notify_all();
        }
    }
}

thread_local! {
    /// The failure that the next operation this thread submits is to end with.
    static LATER: Cell<Option<Code>> = const { Cell::new(None) };
}

/// Makes the next operation that this thread submits fail when its turn comes.
pub(crate) fn fail_later(code: Option<Code>) {
    LATER.set(code);
}

/// A stream.
#[derive(Debug)]
pub(crate) struct Stream {
    /// 0 for the one that every context has.
    pub(crate) handle: usize,
    /// For the log: 0 for the one that every context has.
    pub(crate) number: u64,
    /// Whether it waits for the null stream, and that one for it.
    pub(crate) blocking: bool,
    pub(crate) flags: u32,
    pub(crate) priority: i32,
    pub(crate) health: Arc<Health>,
    pub(crate) line: Arc<Line>,
    /// What comes before its next operation, where hazards are looked for.
    pub(crate) clock: Mutex<Clock>,
    /// The capture that it takes part in.
    pub(crate) joined: Mutex<Option<Joined>>,
}

impl Stream {
    pub(crate) fn new(
        handle: usize,
        number: u64,
        flags: u32,
        priority: i32,
        health: Arc<Health>,
    ) -> Self {
        let (clock, joined) = Default::default();
        let line = Arc::new(Line::new(crate::driver::driver().serial()));
        let blocking = flags & 1 == 0;
        Self { handle, number, blocking, flags, priority, health, line, clock, joined }
    }

    /// Puts an operation behind the others. The thread is started for the first one.
    pub(crate) fn push(&self, kind: Kind, work: Work) {
        let work = match LATER.take() {
            Some(code) if !kind.is_order() => {
                Box::new(move || Err((code, "a failure that was asked for".to_owned()))) as Work
            }
            _ => work,
        };
        let mut queue = lock(&self.line.queue);
        queue.ops.push_back(Op { kind, work });
        queue.submitted += 1;
        if !queue.started {
            queue.started = true;
            let (line, health) = (self.line.clone(), self.health.clone());
            let delay = |kind: Kind| crate::driver::driver().delay(kind);
            // Without a thread nothing would ever be done, so there is nothing to go on with.
            std::thread::Builder::new()
                .name(format!("stream {}", self.number))
                .spawn(move || line.run(&health, delay))
                .expect("a thread for a stream");
        }
        drop(queue);
        self.line.changed.notify_all();
    }

    /// Waits for all that was submitted so far.
    pub(crate) fn drain(&self) {
        if let Some(count) = self.line.pending() {
            self.line.wait(count);
        }
    }

    /// Lets the thread end when all is done.
    pub(crate) fn close(&self) {
        lock(&self.line.queue).closed = true;
        self.line.changed.notify_all();
    }
}

impl Drop for Stream {
    fn drop(&mut self) {
        self.close();
    }
}
