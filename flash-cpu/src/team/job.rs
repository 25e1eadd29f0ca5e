//! A launch as its workers see it: a function, how many pieces, who has claimed which.
//!
//! Fenced: the function is borrowed from the caller's stack, and the claim protocol (README) keeps
//! it alive. Nothing here waits.
#![allow(unsafe_code, reason = "the work of a launch is borrowed from its caller's stack")]

use std::any::Any;
use std::panic::AssertUnwindSafe;
use std::sync::{Mutex, PoisonError};

use super::Shared;
use super::sync::{self, AtomicU64, Ordering, Shelf};

/// The work of a launch, its type erased.
#[derive(Clone, Copy, Debug)]
pub(super) struct Job {
    run: unsafe fn(*const (), usize),
    work: *const (),
}

impl Job {
    pub(super) fn new<F: Fn(usize) + Sync>(work: &F) -> Self {
        /// # Safety
        ///
        /// `work` points to an `F` that is still borrowed.
        unsafe fn call<F: Fn(usize)>(work: *const (), piece: usize) {
            // SAFETY: as the function demands.
            let work = unsafe { &*work.cast::<F>() };
            work(piece);
        }
        Self { run: call::<F>, work: std::ptr::from_ref(work).cast() }
    }

    /// No work.
    pub(super) fn nothing() -> Self {
        unsafe fn nothing(_work: *const (), _piece: usize) {}
        Self { run: nothing, work: std::ptr::null() }
    }

    /// Runs a piece.
    ///
    /// # Safety
    ///
    /// The work is still borrowed.
    #[inline]
    unsafe fn run(self, piece: usize) {
        // SAFETY: `run` is the function made for `work`, which is borrowed.
        unsafe { (self.run)(self.work, piece) }
    }
}

// SAFETY: a job is a shared borrow of a `Sync` closure; who calls it says that it is still borrowed.
unsafe impl Send for Job {}
// SAFETY: as for `Send`.
unsafe impl Sync for Job {}

/// What one worker is to do in the current launch: the pieces `next..end`, in one word, so that a
/// claim is one `fetch_add`; and the work, beside it on the same cache line.
#[derive(Debug)]
pub(super) struct Share {
    word: AtomicU64,
    job: Shelf<Job>,
}

/// `end` in the upper half, `next` in the lower half. Pieces count to 2^30, and `next` passes `end`
/// by one for each claim that lost a race, so it never carries into the upper half.
const NEXT: u64 = 0xffff_ffff;

impl Share {
    pub(super) fn empty() -> Self {
        Self { word: AtomicU64::new(0), job: Shelf::new(Job::nothing()) }
    }

    /// Opens the share of a launch.
    ///
    /// # Safety
    ///
    /// The caller leads the team, every claim of the launch before is reported, and the work of
    /// `job` stays borrowed until every claim of this launch is reported.
    pub(super) unsafe fn open(&self, next: u32, end: u32, job: Job) {
        // SAFETY: no claim is open, so nobody reads; the leader alone writes.
        unsafe { self.job.write(job) };
        // Release: a claim that reads this also sees the job and the counters set before.
        sync::put(&self.word, u64::from(end) << 32 | u64::from(next), Ordering::Release);
    }

    /// Whether a claim might succeed.
    #[inline]
    pub(super) fn has_more(&self) -> bool {
        let word = self.word.load(Ordering::Relaxed);
        word & NEXT < word >> 32
    }

    /// Claims a piece of whatever launch is open.
    ///
    /// A share holds unclaimed pieces only while its launch runs, and the launch ends only after
    /// the claimed ones are reported; so success proves that the launch is alive, whichever it is.
    #[inline]
    pub(super) fn claim(&self) -> Option<u32> {
        if !self.has_more() {
            return None;
        }
        // Acquire pairs with `open`; claims between are read-modify-writes and keep the pairing.
        let word = self.word.fetch_add(1, Ordering::Acquire);
        let next = word & NEXT;
        (next < word >> 32).then_some(next as u32)
    }
}

impl Shared {
    /// Runs a claimed piece. A panic is kept for the leader, and the others go on.
    ///
    /// # Safety
    ///
    /// The caller holds the claim of this piece of the share, and has not reported it. So nobody writes
    /// the job, and its work stays borrowed.
    #[inline]
    pub(super) unsafe fn run(&self, share: &Share, piece: usize) {
        // SAFETY: the claim happened after the job was written, and keeps the next one away.
        let job = unsafe { share.job.read() };
        // SAFETY: the work is borrowed until the claim is reported.
        self.attempt(|| unsafe { job.run(piece) });
    }

    /// Runs a piece. A panic is kept for the leader.
    #[inline]
    pub(super) fn attempt(&self, piece: impl FnOnce()) {
        if let Err(payload) = std::panic::catch_unwind(AssertUnwindSafe(piece)) {
            self.panics.keep(payload);
            // Relaxed: the report, or the end of the turn, releases it.
            self.count.panicked.store(true, Ordering::Relaxed);
        }
    }
}

/// What a panic carries.
pub(super) type Payload = Box<dyn Any + Send>;

/// The first panic of the current launch.
#[derive(Debug, Default)]
pub(super) struct Panics(Mutex<Option<Payload>>);

impl Panics {
    #[cold]
    pub(super) fn keep(&self, payload: Payload) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(payload);
    }

    #[cold]
    pub(super) fn take(&self) -> Option<Payload> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).take()
    }
}
