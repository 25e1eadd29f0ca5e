//! Who reads or writes which boxes of an allocation. Runs of pipelines enter once, with all they
//! touch; guards enter with their range. It orders users; it moves no data and hands out no memory.
//!
//! Each allocation has a word for the common case: whole-array readers are counted, one writer is
//! marked, with one atomic operation each way. Whoever meets a conflict there, and every guard,
//! goes to the *book*: one lock for the whole process, and exact boxes. While the book names an
//! allocation its word refuses newcomers, so everybody else queues there too, in order of arrival.
//!
//! A run takes all its allocations or none, so no two runs wait for each other. A thread that holds
//! a guard or is in a host task passes by claims that are still waiting, which may wait for it.

mod book;
#[cfg(all(test, loom))]
mod models;
mod thread;

use std::borrow::Borrow;
use std::sync::Arc;
use std::time::Duration;

use crate::access::{Access, Mode};
use crate::allocation::Allocation;
use crate::section::Section;
use crate::sync::{AtomicU64, Ordering};
pub(crate) use thread::{in_fragment, in_native, native_of, task_among};
pub use thread::{in_task, task_of};

/// The word of one allocation.
#[derive(Debug, Default)]
pub struct Ledger {
    word: AtomicU64,
}

/// The book has lines for the allocation.
const BOOKED: u64 = 1 << 63;
/// A run writes the allocation.
const WRITER: u64 = 1 << 62;
/// The number of runs that read it.
const READERS: u64 = WRITER - 1;

/// Why a hold is refused instead of waiting.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// This thread holds a guard that conflicts with the access of this number.
    HostBorrowed(usize),
    /// The access of this number is to a buffer of the pipeline whose task this thread runs, or
    /// whose fragment it evaluates, which has no name.
    Reentrant(usize, Option<&'static str>),
}

impl Ledger {
    #[inline]
    fn try_enter(&self, mode: Mode) -> bool {
        match mode {
            Mode::Write => {
                self.word.compare_exchange(0, WRITER, Ordering::Acquire, Ordering::Relaxed).is_ok()
            }
            Mode::Read => {
                let mut word = self.word.load(Ordering::Relaxed);
                while word & (BOOKED | WRITER) == 0 {
                    match self.word.compare_exchange_weak(
                        word,
                        word + 1,
                        Ordering::Acquire,
                        Ordering::Relaxed,
                    ) {
                        Ok(_) => return true,
                        Err(now) => word = now,
                    }
                }
                false
            }
        }
    }

    #[inline]
    fn leave(&self, mode: Mode) {
        let before = match mode {
            Mode::Write => self.word.fetch_and(!WRITER, Ordering::Release),
            Mode::Read => self.word.fetch_sub(1, Ordering::Release),
        };
        if before & BOOKED != 0 {
            book::wake();
        }
    }

    /// Whether a run holds the whole allocation, for writing, whatever part of it that run asked for.
    /// Nobody else holds any of it then.
    pub(crate) fn has_one_writer(&self) -> bool {
        self.word.load(Ordering::Acquire) & WRITER != 0
    }

    /// Turns newcomers to the book. Under its lock.
    fn set_booked(&self) {
        self.word.fetch_or(BOOKED, Ordering::Relaxed);
    }

    /// Lets newcomers in again. Under the lock of the book.
    fn clear_booked(&self) {
        self.word.fetch_and(!BOOKED, Ordering::Release);
    }

    /// Whether runs outside the book leave room for `mode`.
    fn admits(&self, mode: Mode) -> bool {
        let word = self.word.load(Ordering::Acquire);
        match mode {
            Mode::Write => word & (WRITER | READERS) == 0,
            Mode::Read => word & WRITER == 0,
        }
    }
}

mod sealed {
    use super::{Access, Arc};

    /// Lists that say the same each time they are asked, as leaving undoes what entering did.
    pub trait Sealed {}
    impl Sealed for &[Access] {}
    impl Sealed for Vec<Access> {}
    impl Sealed for Arc<[Access]> {}
    impl<const N: usize> Sealed for [Access; N] {}
}

/// A list of accesses: a slice, array, vector or `Arc` of them.
pub trait List: Borrow<[Access]> + sealed::Sealed {}
impl<A: Borrow<[Access]> + sealed::Sealed> List for A {}

/// The accesses of a run, held until it is dropped.
#[derive(Debug)]
pub struct Hold<A: List> {
    accesses: A,
    how: How,
    /// Accesses given back early, by number; numbers from 64 on are kept to the end.
    released: u64,
}

#[derive(Debug)]
enum How {
    /// In the words of the allocations.
    Words,
    /// In the book, under this ticket.
    Book(u64),
}

/// How often the words are tried before going to the book: about a microsecond, the length of a
/// small launch.
const TRIES: usize = if cfg!(loom) { 1 } else { 32 };

impl<A: List> Hold<A> {
    /// Takes its place among those who want the same data, without waiting. The order of these
    /// calls is the order in which conflicting runs run.
    ///
    /// # Errors
    ///
    /// [`Refusal`], where waiting would never end.
    #[inline]
    pub fn enqueue(accesses: A) -> Result<Self, Refusal> {
        let list = accesses.borrow();
        thread::check(list)?;
        if words_enter(list) {
            return Ok(Self { accesses, how: How::Words, released: 0 });
        }
        let ticket = book::enqueue(list, book::Kind::Run)?;
        Ok(Self { accesses, how: How::Book(ticket), released: 0 })
    }

    /// Waits until all accesses are held.
    ///
    /// # Errors
    ///
    /// As [`Hold::enqueue`].
    #[inline]
    pub fn enter(accesses: A) -> Result<Self, Refusal> {
        let list = accesses.borrow();
        thread::check(list)?;
        if words_enter(list) {
            return Ok(Self { accesses, how: How::Words, released: 0 });
        }
        Self::enter_slowly(accesses)
    }

    #[cold]
    fn enter_slowly(accesses: A) -> Result<Self, Refusal> {
        for _ in 0..TRIES {
            std::hint::spin_loop();
            if words_enter(accesses.borrow()) {
                return Ok(Self { accesses, how: How::Words, released: 0 });
            }
        }
        let hold = Self::enqueue(accesses)?;
        hold.wait();
        Ok(hold)
    }

    /// Whether all accesses are held.
    pub fn is_granted(&self) -> bool {
        match self.how {
            How::Words => true,
            How::Book(ticket) => book::is_granted(ticket),
        }
    }

    /// Returns when all accesses are held.
    pub fn wait(&self) {
        if let How::Book(ticket) = self.how {
            book::wait(ticket);
        }
    }

    /// Returns when all accesses are held, or after so much time of the host; whether they are.
    pub(crate) fn wait_for(&self, time: Duration) -> bool {
        match self.how {
            How::Words => true,
            How::Book(ticket) => book::wait_for(ticket, time),
        }
    }

    /// The accesses.
    pub fn accesses(&self) -> &A {
        &self.accesses
    }

    /// Gives the access of a number back before the others, once nothing of the run will touch it
    /// again. The allocation is free for others when all its accesses are given back.
    pub fn release(&mut self, index: usize) {
        let list = self.accesses.borrow();
        if index >= 64 || index >= list.len() || self.released & (1 << index) != 0 {
            return;
        }
        self.released |= 1 << index;
        match self.how {
            How::Book(ticket) => book::release(ticket, index),
            How::Words => {
                let id = list[index].allocation.id();
                let mut same = list.iter().enumerate().filter(|(_, a)| a.allocation.id() == id);
                if same.all(|(k, _)| k < 64 && self.released & (1 << k) != 0) {
                    list[index].allocation.ledger.leave(merged_mode(list, index));
                }
            }
        }
    }
}

impl<A: List> Drop for Hold<A> {
    #[inline]
    fn drop(&mut self) {
        match self.how {
            How::Book(ticket) => book::leave(ticket),
            How::Words => words_leave(self.accesses.borrow(), usize::MAX, self.released),
        }
    }
}

/// A box held by a guard of this thread.
#[derive(Debug)]
pub(crate) struct GuardHold {
    ticket: u64,
}

impl GuardHold {
    /// Waits for the box.
    pub(crate) fn enter(access: &Access) -> Result<Self, Refusal> {
        let list = std::slice::from_ref(access);
        thread::check(list)?;
        let ticket = book::enqueue(list, book::Kind::Guard)?;
        book::wait(ticket);
        thread::add_guards(1);
        Ok(Self { ticket })
    }
}

impl Drop for GuardHold {
    fn drop(&mut self) {
        thread::add_guards(-1);
        book::leave(self.ticket);
    }
}

/// A box held for the time of one copy.
#[derive(Debug)]
pub(crate) struct Brief<'l> {
    how: BriefHow<'l>,
}

#[derive(Debug)]
enum BriefHow<'l> {
    Word(&'l Ledger, Mode),
    Book(#[expect(dead_code, reason = "held until dropped")] Hold<[Access; 1]>),
}

impl<'l> Brief<'l> {
    /// Waits for the box.
    #[inline]
    pub(crate) fn enter(
        allocation: &'l Arc<Allocation>,
        section: &Section,
        mode: Mode,
    ) -> Result<Self, Refusal> {
        if thread::is_in_task()
            && let Some(task) = task_of(allocation.id())
        {
            return Err(Refusal::Reentrant(0, task));
        }
        if allocation.ledger.try_enter(mode) {
            return Ok(Self { how: BriefHow::Word(&allocation.ledger, mode) });
        }
        let access = Access { allocation: Arc::clone(allocation), section: *section, mode };
        Ok(Self { how: BriefHow::Book(Hold::enter([access])?) })
    }

    /// Whether the whole allocation is held.
    pub(crate) fn is_whole(&self) -> bool {
        matches!(self.how, BriefHow::Word(..))
    }
}

impl Drop for Brief<'_> {
    #[inline]
    fn drop(&mut self) {
        if let BriefHow::Word(ledger, mode) = self.how {
            ledger.leave(mode);
        }
    }
}

/// Whether an earlier access is to the same allocation, so that this one adds nothing to its word.
#[inline]
fn is_repeat(list: &[Access], index: usize) -> bool {
    let of = &list[index].allocation;
    list[..index].iter().any(|access| Arc::ptr_eq(&access.allocation, of))
}

/// The strongest mode of the accesses to the same allocation.
#[inline]
fn merged_mode(list: &[Access], index: usize) -> Mode {
    let Access { allocation, mode, .. } = &list[index];
    let writes =
        |access: &Access| access.mode == Mode::Write && Arc::ptr_eq(&access.allocation, allocation);
    if *mode == Mode::Write || list.iter().any(writes) { Mode::Write } else { Mode::Read }
}

/// Enters all words or none.
#[inline]
fn words_enter(list: &[Access]) -> bool {
    for index in 0..list.len() {
        if !is_repeat(list, index)
            && !list[index].allocation.ledger.try_enter(merged_mode(list, index))
        {
            words_leave(list, index, 0);
            return false;
        }
    }
    true
}

/// Leaves the words of the first `n` accesses, but those of allocations wholly in `released`.
#[inline]
fn words_leave(list: &[Access], n: usize, released: u64) {
    for index in 0..list.len().min(n) {
        if is_repeat(list, index) {
            continue;
        }
        let of = &list[index].allocation;
        let all = list.iter().enumerate();
        let mut same = all.filter(|(_, access)| Arc::ptr_eq(&access.allocation, of));
        if released == 0 || !same.all(|(k, _)| k < 64 && released & (1 << k) != 0) {
            list[index].allocation.ledger.leave(merged_mode(list, index));
        }
    }
}
