//! Whether sharing the short launches of a kernel pays. Now and then both ways are tried, a few dozen
//! launches each, and what they take from start to start decides: what sharing costs is not all inside of
//! the launch, as lines of a cache move to another core and back. It never changes a result.

use std::sync::atomic::{AtomicU8, AtomicU32, AtomicU64, Ordering};
use std::time::Instant;

/// Launches from one trial to the next.
const PERIOD: u32 = 1 << 13;
/// Launches of each way.
const TRIED: u32 = 96;
/// The first of them do not count: helpers wake up, and data moves to where it is used.
const SETTLING: u32 = 48;
const COUNTED: usize = (TRIED - SETTLING) as usize;
/// What sharing costs beyond the work, as a first guess in nanoseconds. It depends on how far apart the
/// processors are, which on a virtual machine changes while it runs.
const HANDOVER: u64 = 1_000;

/// What was found.
const UNKNOWN: u8 = 0;
const ALONE: u8 = 1;
const SHARED: u8 = 2;

/// The trials of one kernel on one device.
#[derive(Debug)]
pub(crate) struct Trial {
    began: Instant,
    /// Short launches so far.
    launches: AtomicU32,
    found: AtomicU8,
    /// When the last one began that was part of a trial, in nanoseconds from `began`.
    last: AtomicU64,
    /// What those that count took from start to start, as it was done before and the other way.
    took: [[AtomicU32; COUNTED]; 2],
}

impl Trial {
    pub(crate) fn new() -> Self {
        // Kernels that are launched in turn are not to be tried at the same time.
        static KERNELS: AtomicU32 = AtomicU32::new(0);
        let number = KERNELS.fetch_add(1, Ordering::Relaxed);
        let ahead = number.wrapping_mul(2 * TRIED) % PERIOD;
        Self {
            began: Instant::now(),
            launches: AtomicU32::new(0_u32.wrapping_sub(ahead)),
            found: AtomicU8::new(UNKNOWN),
            last: AtomicU64::new(0),
            took: [const { [const { AtomicU32::new(0) }; COUNTED] }; 2],
        }
    }

    /// Whether the next launch, of `nanos` on one core, is to be shared by so many workers.
    #[inline]
    pub(crate) fn shares(&self, nanos: u64, workers: usize) -> bool {
        // Relaxed here and below: two threads may count one launch; these are only samples.
        let n = self.launches.load(Ordering::Relaxed);
        self.launches.store(n.wrapping_add(1), Ordering::Relaxed);
        let pays = match self.found.load(Ordering::Relaxed) {
            UNKNOWN => nanos / workers as u64 + HANDOVER < nanos,
            found => found == SHARED,
        };
        let phase = n % PERIOD;
        if phase > 2 * TRIED {
            return pays;
        }
        self.tries(phase, self.began.elapsed().as_nanos() as u64, pays)
    }

    /// The same for a launch of a trial, or the first one after it.
    #[cold]
    fn tries(&self, phase: u32, now: u64, pays: bool) -> bool {
        let before = self.last.load(Ordering::Relaxed);
        self.last.store(now, Ordering::Relaxed);
        if let Some(last) = phase.checked_sub(1)
            && let Some(counted) = (last % TRIED).checked_sub(SETTLING)
        {
            let took = u32::try_from(now.saturating_sub(before)).unwrap_or(u32::MAX);
            self.took[(last / TRIED) as usize][counted as usize].store(took, Ordering::Relaxed);
        }
        if phase < 2 * TRIED {
            return pays != (phase >= TRIED);
        }
        let [same, other] = [0, 1].map(|way| self.median(way));
        let pays = if is_better(other, same) { !pays } else { pays };
        self.found.store(if pays { SHARED } else { ALONE }, Ordering::Relaxed);
        pays
    }

    /// An interruption makes some of them long.
    fn median(&self, way: usize) -> u32 {
        let mut took: [u32; COUNTED] =
            std::array::from_fn(|k| self.took[way][k].load(Ordering::Relaxed));
        *took.select_nth_unstable(COUNTED / 2).1
    }
}

/// Whether it takes a change to the other way: clocks change between the two.
fn is_better(other: u32, same: u32) -> bool {
    other < same - same / 32
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Runs so many launches, which take what `takes(shared)` says; how many of them were shared.
    fn shared(trial: &Trial, now: &mut u64, n: u32, takes: impl Fn(u32, bool) -> u64) -> u32 {
        let mut shared = 0;
        for launch in 0..n {
            let n = trial.launches.fetch_add(1, Ordering::Relaxed);
            let pays = trial.found.load(Ordering::Relaxed) == SHARED;
            let phase = n % PERIOD;
            let shares = if phase > 2 * TRIED { pays } else { trial.tries(phase, *now, pays) };
            *now += takes(launch, shares);
            shared += u32::from(shares);
        }
        shared
    }

    fn fresh() -> Trial {
        let trial = Trial::new();
        trial.launches.store(0, Ordering::Relaxed);
        trial
    }

    #[test]
    fn launches_go_the_way_that_was_faster() {
        let (trial, mut now) = (fresh(), 0);
        let mut run = |takes: [u64; 2]| {
            shared(&trial, &mut now, PERIOD, |_, shared| takes[usize::from(shared)])
        };
        assert_eq!(run([2_000, 2_500]), TRIED, "only tried");
        assert_eq!(run([2_000, 1_500]), PERIOD - TRIED);
        assert_eq!(run([2_000, 1_500]), PERIOD - TRIED, "the other way is tried again");
        assert_eq!(run([2_000, 2_010]), PERIOD - TRIED, "too little to change");
        assert_eq!(run([2_000, 2_500]), 2 * TRIED - TRIED);
        assert_eq!(run([2_000, 1_990]), TRIED, "too little to change");
    }

    #[test]
    fn interruptions_do_not_decide() {
        let (trial, mut now) = (fresh(), 0);
        let takes = |launch: u32, shared: bool| match (launch % 7, shared) {
            (3, true) => 1_000_000,
            (_, true) => 1_500,
            (_, false) => 2_000,
        };
        assert_eq!(shared(&trial, &mut now, PERIOD, takes), PERIOD - TRIED);
        // Nor does what a launch takes until helpers are awake.
        let trial = fresh();
        let takes = |launch: u32, shared: bool| match (launch, shared) {
            (TRIED..140, true) => 50_000,
            (_, true) => 1_500,
            (_, false) => 2_000,
        };
        assert_eq!(shared(&trial, &mut now, PERIOD, takes), PERIOD - TRIED);
    }

    #[test]
    fn before_the_first_trial_the_length_of_a_launch_decides() {
        let guess = |nanos, workers| {
            let trial = fresh();
            trial.launches.store(2 * TRIED + 1, Ordering::Relaxed);
            trial.shares(nanos, workers)
        };
        assert!(!guess(1_900, 2) && guess(2_100, 2) && guess(1_900, 4));
    }

    #[test]
    fn kernels_in_turn_are_tried_one_after_the_other() {
        let [a, b] = [Trial::new(), Trial::new()].map(|trial| trial.launches.into_inner() % PERIOD);
        let apart = a.wrapping_sub(b) % PERIOD;
        assert!((2 * TRIED..PERIOD - 2 * TRIED).contains(&apart), "{apart}");
    }
}
