//! A launch with one piece for each seat, as short launches are: nothing is dealt out, the number of
//! the launch is the claim. It does not serve launches with more pieces, or with helpers that sleep.
#![allow(unsafe_code, reason = "the work of a launch is borrowed from its caller's stack")]

use super::job::Payload;
use super::sync::{self, AtomicU64, Ordering, fence};
use super::{At, Desk, Led, Shared, Slip, Stand, Team};

/// Set in the number of a launch that is taken in turns.
const KIND: u64 = 1;

/// The number of the launch after `last`.
#[inline]
pub(super) fn next(last: u64, in_turns: bool) -> u64 {
    (last & !KIND).wrapping_add(2) | u64::from(in_turns)
}

/// Whether a launch is taken in turns.
#[inline]
pub(super) fn is_one(launch: u64) -> bool {
    launch & KIND == KIND
}

/// Looks of the leader at a piece after which it would run that piece itself. By then a helper that is
/// awake has claimed it.
const LATE: u32 = if cfg!(loom) { 1 } else { 64 };

/// The piece of one seat. The leader waits for the end, and looks at the claim only where that is
/// late: a helper whose claims nobody looks at has their cache line at hand.
#[derive(Debug)]
pub(super) struct Turn {
    /// The last launch whose piece was claimed.
    claimed: Line,
    /// The last launch whose piece has ended.
    ended: Line,
}

/// The number of a launch, on a cache line of its own.
#[derive(Debug)]
#[repr(align(128))]
struct Line(AtomicU64);

impl Turn {
    pub(super) fn new() -> Self {
        Self { claimed: Line(AtomicU64::new(0)), ended: Line(AtomicU64::new(0)) }
    }

    /// Claims the piece of a launch, if nobody has and the launch is not over: then no later one has
    /// begun either, as each claims all pieces.
    #[inline]
    fn claim(&self, launch: u64) -> bool {
        let Line(claimed) = &self.claimed;
        let last = claimed.load(Ordering::Relaxed);
        // Acquire: what was done under the claim before is seen. The number of a launch never comes
        // again, so this is the same `last`.
        last < launch
            && claimed.compare_exchange(last, launch, Ordering::Acquire, Ordering::Relaxed).is_ok()
    }

    /// Says that the claimed piece has ended.
    #[inline]
    fn end(&self, launch: u64) {
        // Release: the leader, and the next launch, see what the piece wrote.
        self.ended.0.store(launch, Ordering::Release);
    }

    #[inline]
    fn has_ended(&self, launch: u64) -> bool {
        // Acquire pairs with the release in `end`.
        self.ended.0.load(Ordering::Acquire) == launch
    }
}

impl Team {
    /// Runs one piece for each worker, the caller's own as `first` does, if the team is free and all
    /// helpers are awake; whether the caller had to wait for the others, or `None` where nothing ran.
    ///
    /// The slip is put on the desk, where helpers find what they know already if it is as in the last
    /// launch from there.
    ///
    /// # Safety
    ///
    /// Any thread may run the slip, for each piece but the first one of `at`, until this function
    /// returns. The desk is used with this team only.
    ///
    /// # Panics
    ///
    /// As [`run`](Team::run).
    #[inline]
    pub unsafe fn take_turns(
        &self,
        at: Stand,
        (desk, slip): (&Desk, &Slip),
        first: impl FnOnce(),
    ) -> Option<bool> {
        if !self.is_up(at) {
            return None;
        }
        let led = self.shared.try_lead()?;
        led.0.place_leader(at);
        // SAFETY: this thread leads, and when the last launch from this desk returned, all of its pieces
        // had ended; so nobody reads the slip.
        unsafe { desk.put(slip) };
        // SAFETY: as the caller promises.
        let (panic, waited) = unsafe { led.take_turns(at.seat, desk, first) };
        drop(led);
        if let Some(payload) = panic {
            std::panic::resume_unwind(payload);
        }
        Some(waited)
    }
}

impl Led<'_> {
    /// Runs one piece for each seat; the first panic.
    pub(super) fn take_turns_of<F: Fn(usize) + Sync>(
        &self,
        own: usize,
        work: &F,
    ) -> Option<Payload> {
        // SAFETY: `work` is borrowed until all pieces have ended.
        unsafe { self.take_turns(own, &Desk::with(Slip::borrowed(work)), || work(own)) }.0
    }

    /// Runs one piece for each seat, that of the leader's as `first` does; the first panic, and whether
    /// the leader waited for others.
    ///
    /// # Safety
    ///
    /// Any thread may run the slip on the desk, for each piece but the leader's own, until this function
    /// returns; nobody writes it meanwhile.
    #[inline]
    pub(super) unsafe fn take_turns(
        &self,
        own: usize,
        desk: &Desk,
        first: impl FnOnce(),
    ) -> (Option<Payload>, bool) {
        let Shared { seats, bell, .. } = self.0;
        // SAFETY: this thread leads; the launch before returned only when all of its pieces had
        // ended, so nobody reads it.
        unsafe { bell.desk.write(At::new(desk)) };
        // Nobody else claims the piece of the leader's seat: its helper sits out, and one that is late
        // has the number of an earlier launch, each of which claimed all pieces. So no exchange is
        // needed, which would wait until the helpers' lines are here.
        let launch = bell.next(true);
        sync::put(&seats[own].turn.claimed.0, launch, Ordering::Relaxed);
        bell.ring(launch);
        self.0.attempt(first);
        let n = seats.len();
        let mut waited = false;
        for step in 1..n {
            waited |= self.0.await_end((own + step) % n, launch);
        }
        (self.0.first_panic(), waited)
    }
}

impl Shared {
    /// What a helper does in a launch.
    pub(super) fn take_turn(&self, seat: usize, launch: u64) {
        if !self.run_turn(seat, launch) {
            return;
        }
        // Pairs with the fence in `sleep_until`: either the leader sees the end, or this thread sees
        // that it is awaited.
        fence(Ordering::SeqCst);
        if self.count.awaited.load(Ordering::Relaxed) {
            self.count.turns.word.fetch_add(1, Ordering::Release);
            self.count.turns.wake();
        }
    }

    /// Runs the piece of a seat if nobody has claimed it; whether it did.
    #[inline]
    fn run_turn(&self, seat: usize, launch: u64) -> bool {
        let turn = &self.seats[seat].turn;
        if !turn.claim(launch) {
            return false;
        }
        // SAFETY: the piece is claimed. This launch ends, and the next one writes it, only after it has
        // ended; and whoever calls has read `launch`, or written it, so it was written before.
        let desk = unsafe { self.bell.desk.read() };
        // SAFETY: as above, and the desk is borrowed until the launch ends.
        let slip = unsafe { desk.read() };
        // SAFETY: the launch runs until this piece has ended, and nobody else has claimed it.
        self.attempt(|| unsafe { slip.run(seat) });
        turn.end(launch);
        true
    }

    /// Returns when the piece of a seat has ended; runs it where its helper is late. Whether it had
    /// not ended yet.
    #[inline]
    fn await_end(&self, seat: usize, launch: u64) -> bool {
        let turn = &self.seats[seat].turn;
        let late = |looks| looks == LATE && self.run_turn(seat, launch);
        self.await_over(&self.count.turns, || turn.has_ended(launch), late)
    }
}
