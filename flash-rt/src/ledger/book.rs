//! The exact side of the ledger, under one lock: who holds or waits for which boxes, in order of
//! arrival. It is visited on conflict and by guards only.

use std::collections::HashMap;
use std::sync::{Arc, PoisonError};
use std::time::{Duration, Instant};

use super::{Refusal, thread};
use crate::access::{Access, Mode};
use crate::allocation::Allocation;
use crate::backend::clock::Waiting;
use crate::section::Section;
use crate::sync::{Condvar, Mutex, MutexGuard};

/// Who asks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// A run of a pipeline.
    Run,
    /// A guard of the asking thread.
    Guard,
}

/// One who holds or waits.
#[derive(Debug)]
struct Entry {
    kind: Kind,
    thread: u64,
    granted: bool,
    /// Whether claims of other threads that still wait are passed by.
    passes: bool,
    accesses: Vec<Access>,
    waiting: Waiting,
}

/// A box held or waited for.
#[derive(Clone, Copy, Debug)]
struct Line {
    ticket: u64,
    index: usize,
    section: Section,
    mode: Mode,
}

#[derive(Debug, Default)]
struct Book {
    next: u64,
    entries: HashMap<u64, Entry>,
    /// The lines of each allocation that has any, in order of arrival.
    lines: HashMap<u64, Vec<Line>>,
    /// Tickets that wait, in order of arrival.
    waiting: Vec<u64>,
}

/// The book, and the bell for those who wait.
#[derive(Debug, Default)]
struct Desk {
    book: Mutex<Book>,
    changed: Condvar,
}

#[cfg(not(loom))]
static DESK: std::sync::LazyLock<Desk> = std::sync::LazyLock::new(Desk::default);
#[cfg(loom)]
loom::lazy_static! {
    static ref DESK: Desk = Desk::default();
}

fn lock() -> MutexGuard<'static, Book> {
    DESK.book.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Looks again at who may enter, after somebody outside the book has left.
#[cold]
pub(super) fn wake() {
    lock().grant();
}

/// Takes a ticket; it may be granted at once.
pub(super) fn enqueue(accesses: &[Access], kind: Kind) -> Result<u64, Refusal> {
    let me = thread::number();
    let mut book = lock();
    // Waiting for a guard of one's own would never end.
    for (index, access) in accesses.iter().enumerate() {
        for line in book.lines.get(&access.allocation.id()).into_iter().flatten() {
            let holder = book.entries.get(&line.ticket);
            let mine = holder.is_some_and(|h| h.kind == Kind::Guard && h.thread == me);
            if mine && conflict(line, access) {
                return Err(Refusal::HostBorrowed(index));
            }
        }
    }
    book.next += 1;
    let ticket = book.next;
    for (index, access) in accesses.iter().enumerate() {
        access.allocation.ledger.set_booked();
        let line = Line { ticket, index, section: access.section, mode: access.mode };
        book.lines.entry(access.allocation.id()).or_default().push(line);
    }
    let entry = Entry {
        kind,
        thread: me,
        granted: false,
        passes: thread::holds_something(),
        accesses: accesses.to_vec(),
        waiting: Waiting::new(),
    };
    book.entries.insert(ticket, entry);
    book.waiting.push(ticket);
    book.grant();
    Ok(ticket)
}

/// Whether a ticket is granted.
pub(super) fn is_granted(ticket: u64) -> bool {
    lock().is_granted(ticket)
}

/// Returns when a ticket is granted.
pub(super) fn wait(ticket: u64) {
    let mut book = lock();
    while let Some(number) = book.waiting(ticket).map(|entry| entry.waiting.join()) {
        while book.waiting(ticket).is_some_and(|entry| entry.waiting.has(number)) {
            book = DESK.changed.wait(book).unwrap_or_else(PoisonError::into_inner);
        }
    }
}

/// Returns when a ticket is granted, or after so much time of the host; whether it is granted.
pub(super) fn wait_for(ticket: u64, time: Duration) -> bool {
    let until = Instant::now() + time;
    let mut book = lock();
    while let Some(number) = book.waiting(ticket).map(|entry| entry.waiting.join()) {
        while book.waiting(ticket).is_some_and(|entry| entry.waiting.has(number)) {
            let left = until.saturating_duration_since(Instant::now());
            if left.is_zero() {
                // It goes on as one whom somebody has called, or its clocks would not count it.
                book.waiting(ticket).into_iter().for_each(|entry| entry.waiting.call());
                return false;
            }
            let woken = DESK.changed.wait_timeout(book, left);
            book = woken.unwrap_or_else(PoisonError::into_inner).0;
        }
    }
    true
}

/// Gives one access of a ticket back.
pub(super) fn release(ticket: u64, index: usize) {
    let mut book = lock();
    let allocation = book
        .entries
        .get(&ticket)
        .and_then(|entry| entry.accesses.get(index))
        .map(|access| Arc::clone(&access.allocation));
    if let Some(allocation) = allocation {
        book.erase(&allocation, |line| line.ticket == ticket && line.index == index);
        book.grant();
    }
}

/// Gives a ticket back, granted or not.
pub(super) fn leave(ticket: u64) {
    let mut book = lock();
    let entry = book.entries.remove(&ticket);
    book.waiting.retain(|&waiting| waiting != ticket);
    for access in entry.iter().flat_map(|entry| &entry.accesses) {
        book.erase(&access.allocation, |line| line.ticket == ticket);
    }
    book.grant();
    drop(book);
    // The last handle to an allocation may go with it: outside the lock.
    drop(entry);
}

fn conflict(line: &Line, access: &Access) -> bool {
    (line.mode == Mode::Write || access.mode == Mode::Write)
        && line.section.overlaps(&access.section)
}

impl Book {
    fn is_granted(&self, ticket: u64) -> bool {
        self.entries.get(&ticket).is_none_or(|entry| entry.granted)
    }

    fn waiting(&mut self, ticket: u64) -> Option<&mut Entry> {
        self.entries.get_mut(&ticket).filter(|entry| !entry.granted)
    }

    /// Grants whatever may be, first come first.
    fn grant(&mut self) {
        if self.waiting.is_empty() {
            return;
        }
        let mut granted = false;
        let mut at = 0;
        while at < self.waiting.len() {
            let ticket = self.waiting[at];
            if self.may_enter(ticket) {
                self.waiting.remove(at);
                if let Some(entry) = self.entries.get_mut(&ticket) {
                    entry.granted = true;
                    entry.waiting.call();
                }
                granted = true;
            } else {
                at += 1;
            }
        }
        if granted {
            DESK.changed.notify_all();
        }
    }

    fn may_enter(&self, ticket: u64) -> bool {
        let Some(me) = self.entries.get(&ticket) else { return false };
        me.accesses.iter().all(|access| {
            let lines = self.lines.get(&access.allocation.id());
            access.allocation.ledger.admits(access.mode)
                && lines.into_iter().flatten().all(|line| {
                    line.ticket == ticket
                        || !conflict(line, access)
                        || self.entries.get(&line.ticket).is_some_and(|other| {
                            // Those who hold come first, then those who came first.
                            !other.granted
                                && (line.ticket > ticket
                                    || (me.passes && other.thread != me.thread))
                        })
                })
        })
    }

    /// Takes lines of an allocation away, and the allocation out of the book with the last one.
    fn erase(&mut self, allocation: &Arc<Allocation>, which: impl Fn(&Line) -> bool) {
        let Some(lines) = self.lines.get_mut(&allocation.id()) else { return };
        lines.retain(|line| !which(line));
        if lines.is_empty() {
            self.lines.remove(&allocation.id());
            allocation.ledger.clear_booked();
        }
    }
}
