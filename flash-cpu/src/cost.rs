//! What a kernel costs per item, guessed from its body and then measured, and how launches follow
//! one another; both decide whether a launch is worth helpers, of short ones together with `trial`.
//! They never change a result.

use std::sync::atomic::{AtomicBool, AtomicI32, AtomicU32, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use flash_ir::KernelIr;
use flash_ir::ir::{Block, Expr, ExprKind, Stmt};

use crate::blocks::Lean;

/// Guess for a statement, in picoseconds.
const STATEMENT: u64 = 400;
/// Trips that a loop is guessed to make.
const TRIPS: u64 = 64;
/// Launches of which one is timed, once the cost is known.
const EVERY: u32 = 16;
/// How much the share of a caller changes at once, in [`Lean::WHOLE`]s.
const LEAN_STEP: u32 = 16;
/// It does where launches in which the caller waited outnumber the others by so many, or the others
/// them: items that change hands move from one core to another.
const CLEAR: u32 = 8;
/// Items from which on the clock does not matter.
const MANY: usize = 1 << 14;

/// The running estimate of one kernel on one device. The caller of a launch writes it while helpers
/// read what lies beside it, hence a cache line of its own.
#[derive(Debug)]
#[repr(align(128))]
pub(crate) struct Cost {
    /// Picoseconds of one core for an item.
    picos: AtomicU64,
    launches: AtomicU32,
    /// How much more of a short launch its caller takes than each of the others, in
    /// [`Lean::WHOLE`]s: it begins before they know of it.
    lean: AtomicU32,
    /// How many more times it had to wait than not, since that changed.
    tilt: AtomicI32,
}

impl Cost {
    /// A first guess from the body; a native kernel is taken for an expensive one.
    pub(crate) fn guess(ir: Option<&KernelIr>) -> Self {
        let picos = ir.map_or(TRIPS * STATEMENT, |ir| block(&ir.body).saturating_mul(STATEMENT));
        let (picos, launches) = (AtomicU64::new(picos.max(1)), AtomicU32::new(0));
        Self { picos, launches, lean: AtomicU32::new(0), tilt: AtomicI32::new(0) }
    }

    /// How much more of a short launch its caller takes than each of the others.
    #[inline]
    pub(crate) fn lean(&self) -> u32 {
        self.lean.load(Ordering::Relaxed)
    }

    /// Takes in whether the caller of a short launch had to wait for one of `workers`: it waits in
    /// about half of the launches where all are over together.
    #[inline]
    pub(crate) fn weigh(&self, waited: bool, workers: usize) {
        let tilt = self.tilt.load(Ordering::Relaxed) + if waited { 1 } else { -1 };
        let is_clear = tilt.unsigned_abs() >= CLEAR;
        self.tilt.store(if is_clear { 0 } else { tilt }, Ordering::Relaxed);
        if is_clear {
            let (lean, most) = (self.lean(), Lean::WHOLE / workers.max(2) as u32);
            let new =
                if waited { (lean + LEAN_STEP).min(most) } else { lean.saturating_sub(LEAN_STEP) };
            self.lean.store(new, Ordering::Relaxed);
        }
    }

    /// Nanoseconds of one core for a launch.
    #[inline]
    pub(crate) fn nanos(&self, items: usize) -> u64 {
        // Relaxed here and below: any recent value will do.
        (items as u64).saturating_mul(self.picos.load(Ordering::Relaxed)) / 1_000
    }

    /// The clock, where this launch is one to be timed.
    #[inline]
    pub(crate) fn begin(&self, items: usize) -> Option<Instant> {
        let n = self.launches.load(Ordering::Relaxed);
        // Two threads may count one launch; it is only a sample.
        self.launches.store(n.wrapping_add(1), Ordering::Relaxed);
        (n < 3 || n.is_multiple_of(EVERY) || items >= MANY).then(Instant::now)
    }

    /// Takes a measurement of `items` items on one core.
    #[inline]
    pub(crate) fn end(&self, start: Option<Instant>, items: usize) {
        if let Some(start) = start {
            self.record(start.elapsed().as_nanos() as u64, items);
        }
    }

    fn record(&self, nanos: u64, items: usize) {
        let measured = (nanos.saturating_mul(1_000) / items.max(1) as u64).max(1);
        let old = self.picos.load(Ordering::Relaxed);
        let first = self.launches.load(Ordering::Relaxed) <= 1;
        let new = if first { measured } else { follow(old, measured) };
        self.picos.store(new, Ordering::Relaxed);
    }
}

/// An estimate after a measurement. Down at once, up slowly: an interruption only ever makes a
/// measurement longer.
#[inline]
fn follow(old: u64, measured: u64) -> u64 {
    if measured < old { measured } else { old + (measured - old).div_ceil(4) }
}

/// Launches in quick succession from which on helpers are kept awake.
const STEADY: u32 = 4;
/// Launches in quick succession of which one asks the clock.
const ASKED: u32 = 8;
/// A helper that sleeps earlier than this would be woken for each launch.
const LEAST_SPIN: Duration = Duration::from_micros(20);
/// Nanoseconds of work in quick succession that are several times as long as a helper takes to wake.
const WORTH_WAKING: u64 = 150_000;

/// Launches, or runs of them, that are no further apart than this may be a series that goes on.
const LULL: u64 = 2_000_000;
/// So many lulls in a row are a series, if the work between them is a hundredth of the time or more.
const LULLS: u32 = 8;
const LEAST_LOAD: u64 = 100;
/// The same where helpers that stayed up were in the way of others; doubled each time up to this.
const MOST_LULLS: u32 = 1 << 16;

/// How a launch follows the one before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Beat {
    /// Whether helpers are awake, or worth waking, even for a short launch.
    pub(crate) steady: bool,
    /// Where it came after a pause: whether helpers had better stay up through such pauses.
    pub(crate) stay_up: Option<bool>,
}

/// How launches follow one another. A sleeper is worth waking for a short launch if more of them
/// come before it sleeps again.
#[derive(Debug)]
pub(crate) struct Rhythm {
    began: Instant,
    spin: Duration,
    /// Nanoseconds from `began` to the last launch.
    last: AtomicU64,
    /// Launches since one came late.
    streak: AtomicU32,
    /// Nanoseconds of work since then.
    work: AtomicU64,
    /// Whether the streak before was long enough to wake helpers for: pipelines and loops that run
    /// again do the same again.
    again: AtomicBool,
    /// Pauses of a slow series so far.
    lulls: AtomicU32,
    /// Pauses that make a slow series.
    needed: AtomicU32,
}

impl Rhythm {
    /// For helpers that look for a launch for a time `spin`.
    pub(crate) fn new(spin: Duration) -> Self {
        Self {
            began: Instant::now(),
            spin,
            last: AtomicU64::new(0),
            streak: AtomicU32::new(0),
            work: AtomicU64::new(0),
            again: AtomicBool::new(false),
            lulls: AtomicU32::new(0),
            needed: AtomicU32::new(LULLS),
        }
    }

    /// Notes a launch that takes about `nanos`. Where helpers are `up`, it did not come late, and the
    /// clock need not be asked each time.
    #[inline]
    pub(crate) fn beat(&self, nanos: u64, up: bool) -> Beat {
        let streak = self.streak.load(Ordering::Relaxed);
        if up && streak >= STEADY && !streak.wrapping_add(1).is_multiple_of(ASKED) {
            self.streak.store(streak.saturating_add(1), Ordering::Relaxed);
            let work = self.work.load(Ordering::Relaxed);
            self.work.store(work.saturating_add(nanos), Ordering::Relaxed);
            return Beat { steady: true, stay_up: None };
        }
        self.beat_at(self.began.elapsed().as_nanos() as u64, nanos)
    }

    /// Helpers that stayed up were in the way of others.
    pub(crate) fn disturb(&self) {
        let needed = self.needed.load(Ordering::Relaxed);
        self.needed.store((needed * 2).min(MOST_LULLS), Ordering::Relaxed);
        self.lulls.store(0, Ordering::Relaxed);
    }

    fn beat_at(&self, now: u64, nanos: u64) -> Beat {
        let gap = now.saturating_sub(self.last.load(Ordering::Relaxed));
        self.last.store(now, Ordering::Relaxed);
        let spin = self.spin.as_nanos() as u64;
        let mut streak = self.streak.load(Ordering::Relaxed);
        let mut work = self.work.load(Ordering::Relaxed);
        let mut lulls = self.lulls.load(Ordering::Relaxed);
        // From start to start, so the launch before counts.
        let late = gap >= spin.saturating_add(nanos);
        if late {
            self.again.store(streak >= STEADY && work >= WORTH_WAKING, Ordering::Relaxed);
            let slow = gap < LULL && work >= gap / LEAST_LOAD;
            lulls = if slow { lulls.saturating_add(1) } else { 0 };
            self.lulls.store(lulls, Ordering::Relaxed);
            (streak, work) = (0, 0);
        } else {
            streak = streak.saturating_add(1);
        }
        self.streak.store(streak, Ordering::Relaxed);
        self.work.store(work.saturating_add(nanos), Ordering::Relaxed);
        let may = self.spin >= LEAST_SPIN;
        let slow = may && lulls >= self.needed.load(Ordering::Relaxed);
        let again = || self.again.load(Ordering::Relaxed);
        Beat {
            steady: slow || (may && (streak >= STEADY || again())),
            stay_up: late.then_some(slow),
        }
    }
}

/// Statements run for an item, loops with guessed trips.
fn block(of: &Block) -> u64 {
    let tail = of.tail.map_or(0, branches);
    of.stmts.iter().map(stmt).fold(tail, u64::saturating_add)
}

fn stmt(of: &Stmt) -> u64 {
    match of {
        Stmt::For { body, .. } | Stmt::While { body, .. } => {
            block(body).saturating_mul(TRIPS).saturating_add(1)
        }
        Stmt::Expr(expr) => branches(expr).max(1),
        _ => 1,
    }
}

fn branches(of: &Expr) -> u64 {
    match &of.kind {
        ExprKind::If(_, yes, no) => block(yes).max(no.as_ref().map_or(0, block)),
        ExprKind::Block(inner) => block(inner),
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn measurements_replace_the_guess_and_interruptions_fade() {
        let cost = Cost::guess(None);
        assert!(cost.nanos(1_000) > 1_000);
        assert!(cost.begin(1_000).is_some());
        cost.record(500, 1_000);
        assert_eq!(cost.nanos(1_000), 500);
        for _ in 0..20 {
            cost.begin(1_000);
        }
        cost.record(1_000_000, 1_000);
        assert!(cost.nanos(1_000) < 300_000);
        cost.record(510, 1_000);
        assert_eq!(cost.nanos(1_000), 510);
    }

    #[test]
    fn the_caller_takes_more_until_it_waits_as_often_as_not() {
        let cost = Cost::guess(None);
        // It waits for the other of two workers while it takes less than 0.6 of a launch.
        let waits = |lean: u32| f64::from(lean) < 0.2 * f64::from(Lean::WHOLE);
        for _ in 0..400 {
            cost.weigh(waits(cost.lean()), 2);
        }
        let lean = f64::from(cost.lean()) / f64::from(Lean::WHOLE);
        assert!((lean - 0.2).abs() < 0.02, "{lean}");
        (0..1_000).for_each(|_| cost.weigh(true, 4));
        assert_eq!(cost.lean(), Lean::WHOLE / 4);
        (0..1_000).for_each(|_| cost.weigh(false, 4));
        assert_eq!(cost.lean(), 0);
    }

    #[test]
    fn launches_meet_the_clock_seldom_while_helpers_are_up() {
        let rhythm = Rhythm::new(Duration::from_secs(3_600));
        for _ in 0..=STEADY {
            rhythm.beat(1_000, false);
        }
        let asked = || rhythm.last.load(Ordering::Relaxed);
        let times = (0..10 * ASKED).filter(|_| {
            let before = asked();
            std::thread::sleep(Duration::from_nanos(1));
            assert!(rhythm.beat(1_000, true).steady);
            asked() != before
        });
        assert_eq!(times.count(), 10);
        let work = rhythm.work.load(Ordering::Relaxed);
        assert_eq!(work, 1_000 * u64::from(STEADY + 1 + 10 * ASKED), "all of them count");
    }

    #[test]
    fn launches_in_quick_succession_are_steady_until_one_comes_late() {
        let rhythm = Rhythm::new(Duration::from_micros(60));
        let beats: Vec<_> = (1..=6).map(|k| rhythm.beat_at(k * 30_000, 20_000).steady).collect();
        assert_eq!(beats, [false, false, false, true, true, true]);
        assert!(!rhythm.beat_at(1_200_000, 20_000).steady);
        // A streak that was worth waking helpers for is expected to come again, once.
        let mut now = 2_000_000;
        let mut streak = |launches: u64, nanos: u64| -> Vec<bool> {
            now += 1_000_000;
            (0..launches).map(|k| rhythm.beat_at(now + k * 30_000, nanos).steady).collect()
        };
        streak(12, 20_000);
        assert_eq!(streak(6, 1_000), [true; 6]);
        assert_eq!(streak(1, 20_000), [false]);
        let brief = Rhythm::new(Duration::ZERO);
        assert!((1..=9).all(|k| !brief.beat_at(k * 10_000, 20_000).steady));
    }

    #[test]
    fn helpers_stay_up_through_the_pauses_of_a_slow_series_with_enough_work() {
        let spin = Duration::from_micros(60);
        // The pauses until helpers are to stay up, of 100.
        let until = |rhythm: &Rhythm, pause: u64, nanos: u64| {
            let from = rhythm.last.load(Ordering::Relaxed);
            let beats = (1..=100).map(|k| rhythm.beat_at(from + k * pause, nanos).stay_up);
            beats.take_while(|stay_up| *stay_up == Some(false)).count() as u32
        };
        let rhythm = Rhythm::new(spin);
        assert_eq!(until(&rhythm, 1_000_000, 20_000), LULLS, "counted from the second on");
        assert_eq!(until(&rhythm, 1_000_000, 20_000), 0, "it goes on");
        assert_eq!(until(&rhythm, LULL, 200_000), 100, "too slow");
        assert_eq!(until(&rhythm, 1_000_000, 5_000), 100, "too little work");
        rhythm.disturb();
        assert_eq!(until(&rhythm, 1_000_000, 20_000), 2 * LULLS, "more is asked for");
        assert_eq!(rhythm.beat_at(u64::MAX, 20_000).stay_up, Some(false), "it has ended");
        assert_eq!(until(&Rhythm::new(Duration::ZERO), 1_000_000, 20_000), 100);
    }

    #[test]
    fn small_launches_are_timed_now_and_then() {
        let cost = Cost::guess(None);
        let timed = (0..64).filter(|_| cost.begin(64).is_some()).count();
        assert_eq!(timed, 3 + 3);
        assert!(cost.begin(MANY).is_some());
    }
}
