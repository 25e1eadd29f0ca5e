//! A launch as its workers see it: a function, how many pieces, who has claimed which.
//!
//! Fenced: the function is borrowed from the caller's stack, and the claim protocol (README) keeps
//! it alive. Nothing here waits.
#![allow(unsafe_code, reason = "the work of a launch is borrowed from its caller's stack")]

use std::any::Any;
use std::panic::AssertUnwindSafe;
use std::sync::{Mutex, PoisonError};

use super::sync::{self, AtomicU64, Ordering, Shelf};

/// The work of a launch, its type erased.
#[derive(Clone, Copy, Debug)]
struct Job {
    run: unsafe fn(*const (), usize),
    work: *const (),
}

/// What one worker is to do in the current launch: the pieces `next..end`, in one word, so that a
/// claim is one `fetch_add`.
#[derive(Debug)]
pub(super) struct Share(AtomicU64);

/// `end` in the upper half, `next` in the lower half. Pieces count to 2^30, and `next` passes `end`
/// by one for each claim that lost a race, so it never carries into the upper half.
const NEXT: u64 = 0xffff_ffff;

impl Share {
    pub(super) fn empty() -> Self {
        Self(AtomicU64::new(0))
    }

    /// Opens the share of a launch.
    pub(super) fn open(&self, next: u32, end: u32) {
        // Release: a claim that reads this also sees the job and the counters set before.
        sync::put(&self.0, u64::from(end) << 32 | u64::from(next), Ordering::Release);
    }

    /// Whether a claim might succeed.
    #[inline]
    pub(super) fn has_more(&self) -> bool {
        let word = self.0.load(Ordering::Relaxed);
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
        let word = self.0.fetch_add(1, Ordering::Acquire);
        let next = word & NEXT;
        (next < word >> 32).then_some(next as u32)
    }
}

/// The job of the current launch, and the first panic in it.
#[derive(Debug)]
pub(super) struct Desk {
    job: Shelf<Job>,
    panic: Mutex<Option<Box<dyn Any + Send>>>,
}

// SAFETY: the shelf is written by the leader alone between launches and read by holders of a claim,
// as `put` and `run` demand; the job is a shared borrow of a `Sync` closure.
unsafe impl Send for Desk {}
// SAFETY: as for `Send`.
unsafe impl Sync for Desk {}

impl Desk {
    pub(super) fn new() -> Self {
        unsafe fn nothing(_work: *const (), _piece: usize) {}
        Self {
            job: Shelf::new(Job { run: nothing, work: std::ptr::null() }),
            panic: Mutex::new(None),
        }
    }

    /// Puts the work of the next launch on the desk.
    ///
    /// # Safety
    ///
    /// The caller leads the team, every claim of the launch before is reported, and `work` stays
    /// borrowed until every claim of this launch is reported.
    pub(super) unsafe fn put<F: Fn(usize) + Sync>(&self, work: &F) {
        unsafe fn call<F: Fn(usize)>(work: *const (), piece: usize) {
            // SAFETY: `put` stored a pointer to an `F` that is still borrowed.
            let work = unsafe { &*work.cast::<F>() };
            work(piece);
        }
        let job = Job { run: call::<F>, work: std::ptr::from_ref(work).cast() };
        // SAFETY: no claim is open, so nobody reads; the leader alone writes.
        unsafe { self.job.write(job) };
    }

    /// Runs a claimed piece; whether it did not panic. A panic is kept and the others go on.
    ///
    /// # Safety
    ///
    /// The caller holds an unreported claim of `piece`.
    pub(super) unsafe fn run(&self, piece: usize) -> bool {
        // SAFETY: the claim happened after `put` and keeps the next `put` away until reported.
        let job = unsafe { self.job.read() };
        let call = AssertUnwindSafe(|| {
            // SAFETY: `work` is borrowed until the caller's claim is reported, and `run` is the
            // function stored with it.
            unsafe { (job.run)(job.work, piece) }
        });
        match std::panic::catch_unwind(call) {
            Ok(()) => true,
            Err(payload) => {
                self.keep(payload);
                false
            }
        }
    }

    #[cold]
    fn keep(&self, payload: Box<dyn Any + Send>) {
        self.panic.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(payload);
    }

    /// The first panic of the launch that just ended.
    #[cold]
    pub(super) fn take_panic(&self) -> Option<Box<dyn Any + Send>> {
        self.panic.lock().unwrap_or_else(PoisonError::into_inner).take()
    }
}
