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
/// A way is better that takes so many nanoseconds less, or a part of the time less where that is shorter:
/// clocks change between the two.
const CLEARLY: u32 = 100;
const CLEAR_PART: u32 = 32;

/// What was found.
const UNKNOWN: u8 = 2;
const ALONE: u8 = 0;
const SHARED: u8 = 1;

/// The trials of a kernel on a device, for launches of about the same length.
#[derive(Debug)]
pub(crate) struct Trials([Trial; 3]);

impl Trials {
    pub(crate) fn new() -> Self {
        Self([(); 3].map(|()| Trial::new()))
    }

    /// That of launches of `nanos` on one core.
    #[inline]
    pub(crate) fn of(&self, nanos: u64) -> &Trial {
        let [short, medium, long] = &self.0;
        match nanos {
            ..1_500 => short,
            1_500..3_000 => medium,
            _ => long,
        }
    }
}

/// The trials of launches of about one length. The caller of a launch writes it while helpers read what
/// lies beside it, hence cache lines of its own.
#[derive(Debug)]
#[repr(align(128))]
pub(crate) struct Trial {
    began: Instant,
    /// Launches so far.
    launches: AtomicU32,
    found: AtomicU8,
    /// When the last one began that was part of a trial, in nanoseconds from `began`.
    last: AtomicU64,
    /// What those that count took from start to start, alone and shared.
    took: [[AtomicU32; COUNTED]; 2],
}

impl Trial {
    fn new() -> Self {
        // Kernels that are launched in turn are not to be tried at the same time.
        static KERNELS: AtomicU32 = AtomicU32::new(0);
        let number = KERNELS.fetch_add(1, Ordering::Relaxed);
        let ahead = number % (PERIOD / (2 * TRIED)) * (2 * TRIED);
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
        let guess = nanos / workers as u64 + HANDOVER < nanos;
        let phase = n % PERIOD;
        if phase > 2 * TRIED {
            return self.pays(guess);
        }
        self.tries(phase, self.began.elapsed().as_nanos() as u64, guess)
    }

    #[inline]
    fn pays(&self, guess: bool) -> bool {
        match self.found.load(Ordering::Relaxed) {
            UNKNOWN => guess,
            found => found == SHARED,
        }
    }

    /// The same for a launch of a trial, or the first one after it, at a time `now`.
    #[cold]
    fn tries(&self, phase: u32, now: u64, guess: bool) -> bool {
        let pays = self.pays(guess);
        if phase == 0 {
            // Guesses may change, and what is tried first does not.
            self.find(pays);
        }
        let before = self.last.load(Ordering::Relaxed);
        self.last.store(now, Ordering::Relaxed);
        let shares = |phase| pays != (phase >= TRIED);
        if let Some(last) = phase.checked_sub(1)
            && let Some(counted) = (last % TRIED).checked_sub(SETTLING)
        {
            let took = u32::try_from(now.saturating_sub(before)).unwrap_or(u32::MAX);
            let way = usize::from(shares(last));
            self.took[way][counted as usize].store(took, Ordering::Relaxed);
        }
        if phase < 2 * TRIED {
            return shares(phase);
        }
        let [alone, shared] = [ALONE, SHARED].map(|way| self.median(way));
        let pays = if pays { !is_better(alone, shared) } else { is_better(shared, alone) };
        self.find(pays);
        pays
    }

    fn find(&self, pays: bool) {
        self.found.store(if pays { SHARED } else { ALONE }, Ordering::Relaxed);
    }

    /// An interruption makes some of them long.
    fn median(&self, way: u8) -> u32 {
        let took = &self.took[usize::from(way)];
        let mut took: [u32; COUNTED] = std::array::from_fn(|k| took[k].load(Ordering::Relaxed));
        *took.select_nth_unstable(COUNTED / 2).1
    }
}

/// Whether one way takes clearly less than the other.
fn is_better(one: u32, other: u32) -> bool {
    one < other - (other / CLEAR_PART).min(CLEARLY)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Runs so many launches, which take what `takes(number, shared)` says; how many of them were shared.
    /// What is guessed is the other way each time.
    fn shared(trial: &Trial, now: &mut u64, n: u32, takes: impl Fn(u32, bool) -> u64) -> u32 {
        let mut shared = 0;
        for launch in 0..n {
            let guess = launch % 2 == 1;
            let phase = trial.launches.fetch_add(1, Ordering::Relaxed) % PERIOD;
            let shares =
                if phase > 2 * TRIED { trial.pays(guess) } else { trial.tries(phase, *now, guess) };
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
        assert_eq!(run([2_000, 2_500]), TRIED);
        assert_eq!(run([2_000, 1_990]), TRIED, "too little to change");
        assert_eq!(run([22_000, 21_600]), PERIOD - TRIED, "of a long time a small part");
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
    fn a_decision_taken_twice_is_the_same() {
        let (trial, mut now) = (fresh(), 0);
        let takes = |_, shared: bool| if shared { 1_500 } else { 2_000 };
        shared(&trial, &mut now, 2 * TRIED, takes);
        // As where a thread stops between counting a launch and going on.
        for _ in 0..3 {
            assert!(trial.tries(2 * TRIED, now, false));
        }
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
    fn all_begin_outside_of_a_trial_and_those_in_turn_apart() {
        let starts: Vec<u32> = (0..100).map(|_| Trial::new().launches.into_inner()).collect();
        for pair in starts.windows(2) {
            let [a, b] = [pair[0] % PERIOD, pair[1] % PERIOD];
            assert!(a == 0 || a > 2 * TRIED, "{a}");
            assert!(a.abs_diff(b) >= 2 * TRIED, "{a} and {b}");
        }
    }
}
