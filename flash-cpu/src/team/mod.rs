//! A fork-join team: the caller of a launch takes part, and helpers join while there is work.
//!
//! `README.md` in this folder has the states, the protocol and why it is right. The team knows
//! pieces by number only; what a piece is, and whether a launch is worth helpers, is decided above.
#![doc = include_str!("README.md")]

mod bell;
mod deal;
mod helper;
mod job;
mod layout;
mod patience;
mod place;
mod slip;
mod sync;
mod turn;
mod wait;

use std::fmt;
use std::time::Duration;

use bell::{Bell, NOWHERE};
use deal::share;
use job::{Job, Panics, Payload, Share};
pub use layout::Layout;
pub use place::Stand;
use slip::At;
pub use slip::{Desk, Slip, WORDS, Word};
use sync::{Arc, AtomicBool, AtomicU32, Futex, JoinHandle, Ordering, fence};
use turn::Turn;

/// How long a helper looks for the next launch before it sleeps, unless `FLASH_SPIN` says
/// otherwise. Longer than the host code between two launches of a pipeline, and far too short to
/// show up as load.
pub const DEFAULT_SPIN: Duration = Duration::from_micros(60);

/// Looks between two readings of the clock.
const LOOKS: u32 = if cfg!(loom) { 1 } else { 64 };

/// A worker's corner of the team, on cache lines of its own.
#[derive(Debug)]
#[repr(align(128))]
struct Seat {
    share: Share,
    turn: Turn,
    /// [`ASLEEP`] while the helper of the seat sleeps or is about to.
    bed: Futex,
}

const AWAKE: u32 = 0;
const ASLEEP: u32 = 1;

/// In place of the time that helpers stay up.
const GAVE_UP: u32 = u32::MAX;

/// What the leader waits for.
#[derive(Debug)]
#[repr(align(128))]
struct Count {
    /// Pieces not yet reported.
    left: Futex,
    /// Changed when a turn has ended that is awaited.
    turns: Futex,
    /// Whether the leader sleeps on one of them or is about to.
    awaited: AtomicBool,
    panicked: AtomicBool,
}

#[derive(Debug)]
#[repr(align(128))]
struct Lead {
    taken: AtomicBool,
    /// Helpers asleep or about to be, so that a launch need not look at every bed.
    sleepers: AtomicU32,
}

#[derive(Debug)]
struct Shared {
    layout: Layout,
    seats: Vec<Seat>,
    bell: Bell,
    count: Count,
    lead: Lead,
    panics: Panics,
}

/// A team of workers. Dropping it ends the helpers and joins them.
pub struct Team {
    shared: Arc<Shared>,
    helpers: Vec<JoinHandle<()>>,
}

impl fmt::Debug for Team {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Team").field("layout", &self.shared.layout).finish_non_exhaustive()
    }
}

impl Team {
    /// Starts the helpers. A system that refuses threads makes a smaller team, down to the caller.
    pub fn new(layout: Layout) -> Self {
        let shared = Arc::new(Shared::new(layout));
        // Where every worker has a processor, every processor has a helper, and the one under the
        // caller sits out; else the caller has seat 0 for itself.
        let first = usize::from(!shared.is_bound() || shared.layout.workers == 1);
        let mut helpers = Vec::new();
        for seat in first..shared.layout.workers {
            let of_helper = Arc::clone(&shared);
            match sync::spawn(format!("flash-cpu-{seat}"), move || of_helper.help(seat)) {
                Ok(helper) => helpers.push(helper),
                Err(error) => {
                    tracing::warn!(%error, seat, "no thread for a helper of the CPU team");
                    break;
                }
            }
        }
        Self { shared, helpers }
    }

    /// The number of workers, the caller of a launch included.
    pub fn workers(&self) -> usize {
        self.shared.layout.workers
    }

    /// Whether a launch that wakes nobody would have no help.
    #[inline]
    pub fn sleeps(&self) -> bool {
        self.shared.lead.sleepers.load(Ordering::Relaxed) as usize >= self.helpers.len()
    }

    /// From now on helpers that have looked for a launch stay up for so long (to a microsecond)
    /// before they sleep, giving way to other threads meanwhile. False, and they do not, where they
    /// gave up doing so since the last call, as others had work for their processors. Nothing
    /// happens where processors are shared or metered.
    pub fn linger(&self, time: Duration) -> bool {
        let Shared { layout, bell, .. } = &*self.shared;
        let before = bell.linger.load(Ordering::Relaxed);
        let gave_up = before == GAVE_UP && !time.is_zero();
        let stay = !gave_up && !layout.crowded && !layout.metered;
        let micros = if stay { time.as_micros().min(1 << 30) as u32 } else { 0 };
        // Relaxed: any recent value will do. Written only where it changes, as helpers look there.
        if before != micros {
            bell.linger.store(micros, Ordering::Relaxed);
        }
        !gave_up
    }

    /// Where the caller stands.
    #[inline]
    pub fn stand(&self) -> Stand {
        let processor = if cfg!(loom) { None } else { place::current() };
        Stand { seat: self.shared.seat_on(processor), processor }
    }

    /// Whether all helpers that a caller who stands there would have are looking for a launch.
    #[inline]
    pub fn is_up(&self, at: Stand) -> bool {
        self.shared.is_up(at.seat)
    }

    /// The piece that a caller who stands there would run first in a launch of so many, if the team
    /// is free.
    #[inline]
    pub fn first_piece(&self, at: Stand, pieces: usize) -> usize {
        share(pieces, self.workers(), at.seat).0
    }

    /// The piece as far from the end of its seat's pieces as this one is from their beginning.
    #[inline]
    pub fn opposite_piece(&self, piece: usize, pieces: usize) -> usize {
        deal::opposite(piece, pieces, self.workers())
    }

    /// Runs `work(piece)` exactly once for each piece below `pieces`, and returns when all have
    /// ended. `wake` says whether the launch is worth waking helpers that sleep; those awake join
    /// in any case.
    ///
    /// Where the team is busy with another launch (of another thread, or of the piece that calls),
    /// the caller begins alone, piece by piece, and takes the team for the rest when it is free.
    ///
    /// # Panics
    ///
    /// With the first panic of a piece, after all pieces have run.
    pub fn run<F: Fn(usize) + Sync>(&self, pieces: usize, wake: bool, work: &F) {
        self.run_at(self.stand(), pieces, wake, work);
    }

    /// As [`run`](Team::run), for a caller who has asked where it stands.
    pub fn run_at<F: Fn(usize) + Sync>(&self, at: Stand, pieces: usize, wake: bool, work: &F) {
        let mut panic = None;
        let mut done = 0;
        while done < pieces {
            // A share counts in 32 bits; larger launches go in rounds.
            let round = (pieces - done).min(1 << 30);
            if round > 1
                && let Some(led) = self.shared.try_lead()
            {
                let rest = |piece: usize| work(done + piece);
                led.0.place_leader(at);
                let seat = at.seat;
                let failed = if round == self.workers() && self.is_up(at) {
                    led.take_turns_of(seat, &rest)
                } else {
                    led.launch(seat, round, wake, &rest)
                };
                panic = panic.or(failed);
                done += round;
            } else {
                let call = std::panic::AssertUnwindSafe(|| work(done));
                panic = panic.or(std::panic::catch_unwind(call).err());
                done += 1;
            }
        }
        if let Some(payload) = panic {
            std::panic::resume_unwind(payload);
        }
    }
}

impl Drop for Team {
    fn drop(&mut self) {
        let bell = &self.shared.bell;
        bell.stop.store(true, Ordering::Relaxed);
        // Who sees the new number sees `stop`.
        bell.ring(bell.next(false));
        fence(Ordering::SeqCst);
        for seat in &self.shared.seats {
            seat.rouse();
        }
        for helper in self.helpers.drain(..) {
            // A helper cannot panic: pieces are caught. Nothing is lost if it did.
            let _ = helper.join();
        }
    }
}

/// The right to launch; one thread has it at a time.
struct Led<'t>(&'t Shared);

impl Drop for Led<'_> {
    fn drop(&mut self) {
        // Release pairs with the acquire in `try_lead`: the next leader sees everything reported.
        self.0.lead.taken.store(false, Ordering::Release);
    }
}

impl Led<'_> {
    /// Runs pieces with the team and returns the first panic.
    fn launch<F: Fn(usize) + Sync>(
        &self,
        seat: usize,
        pieces: usize,
        wake: bool,
        work: &F,
    ) -> Option<Payload> {
        let Shared { seats, bell, count, .. } = self.0;
        count.left.word.store(pieces as u32, Ordering::Relaxed);
        let job = Job::new(work);
        for (k, seat) in seats.iter().enumerate() {
            let (lo, hi) = share(pieces, seats.len(), k);
            // SAFETY: this thread leads; the launch before returned only when all of its pieces
            // were reported; and this function returns only when all of this one's are, so `work`
            // outlives every claim.
            #[allow(unsafe_code, reason = "the one place that lends a caller's work to the team")]
            unsafe {
                seat.share.open(lo as u32, hi as u32, job);
            }
        }
        // Who sees it sees the leader's seat.
        bell.ring(bell.next(false));
        if wake {
            // Pairs with the fence in `sleep`: either that helper sees the new launch, or this
            // thread sees that it sleeps.
            fence(Ordering::SeqCst);
            self.0.wake_two();
        }

        // Those that were in the way of others come back when these have ended.
        self.0.work(seat, || {
            if wake {
                self.0.wake_two();
            }
            true
        });
        self.0.await_reports();
        self.0.first_panic()
    }
}

impl Seat {
    /// Wakes the helper of this seat if it sleeps; whether it did.
    fn rouse(&self) -> bool {
        // AcqRel: the one who takes the helper out of its bed is the only one to wake it.
        let asleep = self.bed.word.swap(AWAKE, Ordering::AcqRel) == ASLEEP;
        if asleep {
            self.bed.wake();
        }
        asleep
    }
}

impl Shared {
    fn new(layout: Layout) -> Self {
        Self {
            seats: (0..layout.workers)
                .map(|_| Seat { share: Share::empty(), turn: Turn::new(), bed: Futex::new(AWAKE) })
                .collect(),
            bell: Bell::new(),
            count: Count {
                left: Futex::new(0),
                turns: Futex::new(0),
                awaited: AtomicBool::new(false),
                panicked: AtomicBool::new(false),
            },
            lead: Lead { taken: AtomicBool::new(false), sleepers: AtomicU32::new(0) },
            panics: Panics::default(),
            layout,
        }
    }

    fn is_bound(&self) -> bool {
        !self.layout.processors.is_empty()
    }

    /// The right to launch, if nobody has it.
    #[inline]
    fn try_lead(&self) -> Option<Led<'_>> {
        let lead = &self.lead.taken;
        // Acquire pairs with the release in `Led::drop`.
        lead.compare_exchange(false, true, Ordering::Acquire, Ordering::Relaxed)
            .is_ok()
            .then(|| Led(self))
    }

    /// The seat of a thread on a processor, so that the same range meets the same cache.
    #[inline]
    fn seat_on(&self, processor: Option<usize>) -> usize {
        processor
            .and_then(|cpu| self.layout.processors.binary_search(&cpu).ok())
            .unwrap_or_default()
    }

    /// The first panic of a launch whose pieces have all ended.
    #[inline]
    fn first_panic(&self) -> Option<Payload> {
        let panicked = &self.count.panicked;
        if !panicked.load(Ordering::Relaxed) {
            return None;
        }
        panicked.store(false, Ordering::Relaxed);
        self.panics.take()
    }

    /// Says where the leader is.
    #[inline]
    fn place_leader(&self, at: Stand) {
        // Helpers look at the bell: a store that changes nothing would take its line away from them.
        let set = |word: &AtomicU32, value: u32| {
            if word.load(Ordering::Relaxed) != value {
                word.store(value, Ordering::Relaxed);
            }
        };
        let processor = at.processor.and_then(|cpu| u32::try_from(cpu).ok()).unwrap_or(NOWHERE);
        set(&self.bell.leader, at.seat as u32);
        set(&self.bell.processor, processor);
    }

    /// Whether nobody sleeps but the helper under a leader on this seat, so that in a launch with one
    /// piece for each seat all take their own.
    #[inline]
    fn is_up(&self, seat: usize) -> bool {
        match self.lead.sleepers.load(Ordering::Relaxed) {
            0 => true,
            // The helper under the leader may be up still, as it has no processor to go to bed.
            1 => self.is_bound() && self.seats[seat].bed.word.load(Ordering::Relaxed) == ASLEEP,
            _ => false,
        }
    }

    /// Claims and runs pieces while there are any, those of the own share first, and as long as `goes_on`
    /// before each of them; whether it did to the end.
    #[inline]
    fn work(&self, seat: usize, goes_on: impl Fn() -> bool) -> bool {
        let n = self.seats.len();
        (0..n).all(|step| self.empty_share((seat + step) % n, &goes_on))
    }

    /// Claims and runs what is left of one share, then reports it at once.
    #[inline]
    fn empty_share(&self, seat: usize, goes_on: impl Fn() -> bool) -> bool {
        let share = &self.seats[seat].share;
        let mut done = 0;
        let stays = loop {
            // Nobody is asked for where nothing is left.
            if share.has_more() && !goes_on() {
                break false;
            }
            let Some(piece) = share.claim() else { break true };
            // SAFETY: the claim of this piece is reported below, after the call.
            #[allow(unsafe_code, reason = "runs a piece while its claim is held")]
            unsafe {
                self.run(share, piece as usize);
            }
            done += 1;
        };
        if done > 0 {
            self.report(done);
        }
        stays
    }

    fn report(&self, done: u32) {
        // Release: the leader, and the next launch, see what the pieces wrote. Acquire: the last
        // one passes on what the others released.
        let left = self.count.left.word.fetch_sub(done, Ordering::AcqRel);
        if left == done {
            // Pairs with the fence in `sleep_until`: either the leader sees zero, or this thread sees
            // that it is awaited.
            fence(Ordering::SeqCst);
            if self.count.awaited.load(Ordering::Relaxed) {
                self.count.left.wake();
            }
        }
    }

    /// Returns when all pieces of the launch are reported.
    #[inline]
    fn await_reports(&self) {
        let left = &self.count.left;
        // Acquire pairs with the release of each report.
        self.await_over(left, || left.word.load(Ordering::Acquire) == 0, |_| false);
    }

    /// Wakes two helpers that sleep, not the one under the leader.
    fn wake_two(&self) {
        let leader = self.bell.leader.load(Ordering::Relaxed) as usize;
        if self.is_up(leader) {
            return;
        }
        let mut woken = 0;
        for (k, seat) in self.seats.iter().enumerate() {
            let is_asleep = k != leader && seat.bed.word.load(Ordering::Relaxed) == ASLEEP;
            if !is_asleep || !self.has_room(k) {
                continue;
            }
            woken += u32::from(seat.rouse());
            if woken == 2 {
                return;
            }
        }
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;

    #[test]
    fn a_helper_that_cannot_lie_down_under_the_leader_keeps_no_launch_from_turns() {
        let shared = |processors: Vec<usize>| {
            let (workers, spin) = (2, DEFAULT_SPIN);
            Shared::new(Layout {
                workers,
                processors,
                parallelism: 2,
                crowded: false,
                metered: false,
                spin,
            })
        };
        // As helpers do on their way to bed, whether or not they get there.
        let lie_down = |shared: &Shared, seat: usize| {
            shared.seats[seat].bed.word.store(ASLEEP, Ordering::Relaxed);
            shared.lead.sleepers.fetch_add(1, Ordering::Relaxed);
        };
        let (bound, free) = (shared(vec![0, 1]), shared(vec![]));
        assert!(bound.is_up(0) && bound.is_up(1) && free.is_up(0));
        [&bound, &free].into_iter().for_each(|shared| lie_down(shared, 1));
        assert!(bound.is_up(1), "the leader is on its processor");
        assert!(!bound.is_up(0) && !free.is_up(0));
    }
}
