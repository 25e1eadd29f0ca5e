//! What a kernel costs per item, guessed from its body and then measured, and how launches follow
//! one another; both decide whether a launch is worth helpers. They never change a result.

use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use flash_ir::KernelIr;
use flash_ir::ir::{Block, Expr, ExprKind, Stmt};

/// Guess for a statement, in picoseconds.
const STATEMENT: u64 = 400;
/// Trips that a loop is guessed to make.
const TRIPS: u64 = 64;
/// Launches of which one is timed, once the cost is known.
const EVERY: u32 = 16;
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
}

impl Cost {
    /// A first guess from the body; a native kernel is taken for an expensive one.
    pub(crate) fn guess(ir: Option<&KernelIr>) -> Self {
        let picos = ir.map_or(TRIPS * STATEMENT, |ir| block(&ir.body).saturating_mul(STATEMENT));
        Self { picos: AtomicU64::new(picos.max(1)), launches: AtomicU32::new(0) }
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
        // Down at once, up slowly: an interruption only ever makes a measurement longer.
        let new = if measured < old || self.launches.load(Ordering::Relaxed) <= 1 {
            measured
        } else {
            old + (measured - old).div_ceil(4)
        };
        self.picos.store(new, Ordering::Relaxed);
    }
}

/// Launches in quick succession from which on helpers are kept awake.
const STEADY: u32 = 4;
/// A helper that sleeps earlier than this would be woken for each launch.
const LEAST_SPIN: Duration = Duration::from_micros(20);

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
}

impl Rhythm {
    /// For helpers that look for a launch for a time `spin`.
    pub(crate) fn new(spin: Duration) -> Self {
        let (last, streak) = (AtomicU64::new(0), AtomicU32::new(0));
        Self { began: Instant::now(), spin, last, streak }
    }

    /// Notes a launch that takes about `nanos`; whether launches come steadily.
    #[inline]
    pub(crate) fn beat(&self, nanos: u64) -> bool {
        self.beat_at(self.began.elapsed().as_nanos() as u64, nanos)
    }

    fn beat_at(&self, now: u64, nanos: u64) -> bool {
        let gap = now.saturating_sub(self.last.load(Ordering::Relaxed));
        self.last.store(now, Ordering::Relaxed);
        let spin = self.spin.as_nanos() as u64;
        // From start to start, so the launch before counts.
        let streak = if gap < spin.saturating_add(nanos) {
            self.streak.load(Ordering::Relaxed).saturating_add(1)
        } else {
            0
        };
        self.streak.store(streak, Ordering::Relaxed);
        streak >= STEADY && self.spin >= LEAST_SPIN
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
    fn launches_in_quick_succession_are_steady_until_one_comes_late() {
        let rhythm = Rhythm::new(Duration::from_micros(60));
        let beats: Vec<_> = (1..=6).map(|k| rhythm.beat_at(k * 30_000, 20_000)).collect();
        assert_eq!(beats, [false, false, false, true, true, true]);
        assert!(!rhythm.beat_at(1_200_000, 20_000));
        let brief = Rhythm::new(Duration::ZERO);
        assert!((1..=9).all(|k| !brief.beat_at(k * 10_000, 20_000)));
    }

    #[test]
    fn small_launches_are_timed_now_and_then() {
        let cost = Cost::guess(None);
        let timed = (0..64).filter(|_| cost.begin(64).is_some()).count();
        assert_eq!(timed, 3 + 3);
        assert!(cost.begin(MANY).is_some());
    }
}
