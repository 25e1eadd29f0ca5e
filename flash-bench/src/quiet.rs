//! Whether other programs share the processor, as neighbours on the same cores do on rented
//! machines: fixed work that fills a core takes longer then. It waits for quiet, and frees no core.

use std::hint::black_box;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Fixed work that takes this much longer than at best shares its core.
const SHARED: f64 = 1.12;
/// What is waited for quiet before one round, and in all.
const EACH: Duration = Duration::from_millis(500);
const ALL: Duration = Duration::from_secs(90);

/// What is known of the machine.
struct Known {
    /// The least that the fixed work has taken.
    best: f64,
    /// What may still be waited.
    left: Duration,
    /// How many times as long as at best it took in the rounds of the row that is measured.
    factors: Vec<f64>,
}

static KNOWN: Mutex<Known> =
    Mutex::new(Known { best: f64::INFINITY, left: ALL, factors: Vec::new() });

/// Waits before a round until the cores are ours alone, for a while.
pub(crate) fn wait() {
    let start = Instant::now();
    loop {
        let taken = on_all_cores();
        let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
        known.best = known.best.min(taken);
        let factor = taken / known.best;
        let waited = start.elapsed();
        if factor <= SHARED || waited >= EACH.min(known.left) {
            known.left = known.left.saturating_sub(waited);
            known.factors.push(factor);
            return;
        }
        drop(known);
        std::thread::sleep(Duration::from_millis(10));
    }
}

/// What to say of the rounds since it was asked last, if their cores were not ours alone.
pub(crate) fn note() -> Option<String> {
    let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
    say(std::mem::take(&mut known.factors))
}

fn say(mut factors: Vec<f64>) -> Option<String> {
    let factor = crate::stats::quantile(&mut factors, 0.5);
    (factor > SHARED)
        .then(|| format!("others share the processor: fixed work takes {factor:.2}x as long"))
}

/// Seconds of the fixed work where it takes longest.
fn on_all_cores() -> f64 {
    let n = crate::openmp::threads();
    std::thread::scope(|scope| {
        let others: Vec<_> = (1..n).map(|_| scope.spawn(work)).collect();
        let own = work();
        others.into_iter().filter_map(|other| other.join().ok()).fold(own, f64::max)
    })
}

/// Work for all units of a core: independent chains, in registers. The least of a few times, as
/// interruptions are no neighbours.
fn work() -> f64 {
    const CHAINS: usize = 8;
    const TIMES: usize = 4;
    let mut least = f64::INFINITY;
    for _ in 0..TIMES {
        let mut chains: [u64; CHAINS] = black_box(std::array::from_fn(|k| k as u64 + 1));
        let start = Instant::now();
        for _ in 0..10_000 {
            for chain in &mut chains {
                *chain = (*chain ^ (*chain << 1)).wrapping_add(3);
            }
            chains = black_box(chains);
        }
        least = least.min(start.elapsed().as_secs_f64());
    }
    least
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_shared_is_said() {
        assert_eq!(say(vec![1.0, 1.05, 1.5]), None);
        let said = say(vec![1.0, 1.5, 1.4]).unwrap_or_default();
        assert_eq!(said, "others share the processor: fixed work takes 1.40x as long");
        assert_eq!(say(vec![]), None);
    }

    #[test]
    fn waiting_ends() {
        let start = Instant::now();
        wait();
        assert!(start.elapsed() < EACH + Duration::from_secs(5));
    }
}
