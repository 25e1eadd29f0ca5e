//! Operations that touch the same bytes of a device with nothing between them that orders them. Nodes
//! of one graph count as one operation. It stops nothing.

use std::cell::RefCell;
use std::fmt::Write;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, Mutex};

use crate::clock::{Clock, Moment};
use crate::event::Event;
use crate::locks::lock;
use crate::memory::Allocation;
use crate::stream::Stream;

/// How bytes are touched.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Touch {
    Read,
    Write,
    /// Two of these get along.
    Atomic,
}

/// The bytes of one allocation that an operation touches, a bit for each.
#[derive(Clone, Debug, Default)]
pub(crate) struct Footprint {
    reads: Vec<u64>,
    writes: Vec<u64>,
    atomics: Vec<u64>,
}

/// What touched an allocation since the host last waited for it.
pub(crate) type History = Mutex<Vec<(Moment, Footprint)>>;

/// The longest history that is looked through.
const LONGEST: usize = 256;

static ON: AtomicBool = AtomicBool::new(false);
static HOST: Mutex<Option<Clock>> = Mutex::new(None);
static FOUND: Mutex<Vec<String>> = Mutex::new(Vec::new());

thread_local! {
    /// The operation that this thread runs.
    static NOW: RefCell<Option<Moment>> = const { RefCell::new(None) };
}

impl Footprint {
    pub(crate) fn add(&mut self, start: usize, len: usize, touch: Touch) {
        let bits = match touch {
            Touch::Read => &mut self.reads,
            Touch::Write => &mut self.writes,
            Touch::Atomic => &mut self.atomics,
        };
        let end = start + len;
        if bits.len() * 64 < end {
            bits.resize(end.div_ceil(64), 0);
        }
        for (word, bits) in bits.iter_mut().enumerate().take(end.div_ceil(64)).skip(start / 64) {
            let from = start.saturating_sub(word * 64);
            let to = (end - word * 64).min(64);
            let ones = if to - from == 64 { u64::MAX } else { ((1 << (to - from)) - 1) << from };
            *bits |= ones;
        }
    }

    /// The first byte that both touch, one of them to change it.
    fn conflict(&self, other: &Self) -> Option<usize> {
        let at = |bits: &[u64], word: usize| bits.get(word).copied().unwrap_or(0);
        let all = [self, other].into_iter().flat_map(|it| [&it.reads, &it.writes, &it.atomics]);
        let words = all.map(Vec::len).max().unwrap_or(0);
        (0..words).find_map(|word| {
            let [reads, writes, atomics] =
                [&self.reads, &self.writes, &self.atomics].map(|bits| at(bits, word));
            let [r, w, a] =
                [&other.reads, &other.writes, &other.atomics].map(|bits| at(bits, word));
            let both = writes & (r | w | a) | atomics & (r | w) | reads & (w | a);
            (both != 0).then(|| word * 64 + both.trailing_zeros() as usize)
        })
    }
}

/// Begins to look for hazards, or ends it.
pub(crate) fn switch(on: bool) {
    ON.store(on, Relaxed);
    lock(&FOUND).clear();
    *lock(&HOST) = None;
}

pub(crate) fn is_on() -> bool {
    ON.load(Relaxed)
}

/// What was found since it was last asked for.
pub(crate) fn take() -> Vec<String> {
    std::mem::take(&mut lock(&FOUND))
}

/// An operation is submitted to a stream.
pub(crate) fn submit(stream: &Stream, what: impl FnOnce() -> String) -> Option<Moment> {
    is_on().then(|| {
        let mut clock = lock(&stream.clock);
        if let Some(host) = &*lock(&HOST) {
            clock.join(host);
        }
        let what =
            format!("{} in stream {} of device {}", what(), stream.number, stream.health.device);
        clock.tick(stream.line.id, what)
    })
}

/// Runs an operation, whose touches are its own.
pub(crate) fn during<T>(moment: Option<Moment>, run: impl FnOnce() -> T) -> T {
    NOW.set(moment);
    let done = run();
    NOW.set(None);
    done
}

/// A stream comes behind all that another one has so far.
pub(crate) fn follow(stream: &Stream, other: &Stream) {
    if is_on() {
        let before = lock(&other.clock).clone();
        lock(&stream.clock).join(&before);
    }
}

/// An event stands for what a stream has so far.
pub(crate) fn record(stream: &Stream, event: &Event) {
    if is_on() {
        *lock(&event.clock) = lock(&stream.clock).clone();
    }
}

/// A stream comes behind an event.
pub(crate) fn wait(stream: &Stream, event: &Event) {
    if is_on() {
        let before = lock(&event.clock).clone();
        lock(&stream.clock).join(&before);
    }
}

/// The host knows that all of a clock is over.
pub(crate) fn host_knows(clock: &Mutex<Clock>) {
    if is_on() {
        let before = lock(clock).clone();
        lock(&HOST).get_or_insert_default().join(&before);
    }
}

/// The operation that runs is a function of the host, which knows then what came before it.
pub(crate) fn host_runs() {
    if let Some(now) = NOW.with_borrow(Clone::clone) {
        lock(&HOST).get_or_insert_default().join(now.before());
    }
}

/// The operation that runs touches bytes of an allocation.
pub(crate) fn touch(allocation: &Arc<Allocation>, start: usize, len: usize, touch: Touch) {
    if is_on() && len > 0 {
        let mut footprint = Footprint::default();
        footprint.add(start, len, touch);
        check(allocation, footprint);
    }
}

/// The operation that runs has left a footprint in an allocation.
pub(crate) fn check(allocation: &Arc<Allocation>, footprint: Footprint) {
    let Some(now) = NOW.with_borrow(Clone::clone) else { return };
    let mut history = lock(&allocation.history);
    for (then, other) in history.iter() {
        if now.is_behind(then) {
            continue;
        }
        if let Some(byte) = other.conflict(&footprint) {
            let mut text = String::new();
            // Writing to a string cannot fail.
            let _ = write!(
                text,
                "nothing orders {} and {}, which both touch byte {byte} of the {} at {:#x}",
                then.what,
                now.what,
                allocation.len(),
                allocation.start
            );
            lock(&FOUND).push(text);
        }
    }
    // What the host has waited for comes before all that is still to come.
    let host = lock(&HOST).clone().unwrap_or_default();
    history.retain(|(then, _)| !host.knows(then));
    if history.len() >= LONGEST {
        history.remove(0);
    }
    history.push((now, footprint));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn footprints_meet_where_one_of_them_writes() {
        let of = |start, len, touch| {
            let mut footprint = Footprint::default();
            footprint.add(start, len, touch);
            footprint
        };
        let write = of(60, 10, Touch::Write);
        assert_eq!(write.conflict(&of(0, 60, Touch::Read)), None);
        assert_eq!(write.conflict(&of(0, 61, Touch::Read)), Some(60));
        assert_eq!(write.conflict(&of(69, 200, Touch::Write)), Some(69));
        assert_eq!(write.conflict(&of(70, 200, Touch::Write)), None);
        let atomic = of(8, 4, Touch::Atomic);
        assert_eq!(atomic.conflict(&atomic), None);
        assert_eq!(atomic.conflict(&of(11, 1, Touch::Read)), Some(11));
        assert_eq!(of(8, 4, Touch::Read).conflict(&of(8, 4, Touch::Read)), None);
        assert_eq!(of(64, 64, Touch::Read).conflict(&of(127, 1, Touch::Atomic)), Some(127));
    }
}
