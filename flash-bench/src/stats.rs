//! Timing and what is said of times: medians of interleaved rounds with their spread. It knows no
//! bar.

use std::time::{Duration, Instant};

use serde::Serialize;

use crate::quiet;

/// Pause between contenders: OpenMP's threads spin for a while after a region.
const BETWEEN: Duration = Duration::from_millis(50);

/// Seconds for one operation: the median over rounds, with the least and the largest round.
#[derive(Clone, Copy, Debug, Serialize)]
pub(crate) struct Sample {
    pub(crate) median: f64,
    pub(crate) least: f64,
    pub(crate) most: f64,
}

impl Sample {
    /// Of the medians of rounds.
    pub(crate) fn of(mut rounds: Vec<f64>) -> Self {
        rounds.sort_by(f64::total_cmp);
        let at = |k: usize| rounds.get(k).copied().unwrap_or(f64::NAN);
        Self { median: at(rounds.len() / 2), least: at(0), most: at(rounds.len().max(1) - 1) }
    }
}

/// The value below which a fraction of the values lies.
pub(crate) fn quantile(values: &mut [f64], fraction: f64) -> f64 {
    values.sort_by(f64::total_cmp);
    let last = values.len().max(1) - 1;
    values
        .get((values.len() as f64 * fraction) as usize)
        .or(values.get(last))
        .copied()
        .unwrap_or(f64::NAN)
}

/// How much is measured.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Effort {
    /// Interleaved rounds.
    pub(crate) rounds: usize,
    /// Time for one contender in one round.
    pub(crate) slice: Duration,
}

impl Effort {
    pub(crate) fn new(quick: bool) -> Self {
        if quick {
            Self { rounds: 3, slice: Duration::from_millis(30) }
        } else {
            Self { rounds: 7, slice: Duration::from_millis(120) }
        }
    }
}

/// Something that is timed: it runs one operation.
pub(crate) type Contender<'a> = Box<dyn FnMut() + 'a>;

/// Times contenders in turn, round by round, and pauses between them.
pub(crate) fn interleave(effort: Effort, contenders: &mut [Contender<'_>]) -> Vec<Sample> {
    let mut rounds = vec![Vec::new(); contenders.len()];
    for _ in 0..effort.rounds {
        for (contender, rounds) in contenders.iter_mut().zip(&mut rounds) {
            std::thread::sleep(BETWEEN);
            quiet::wait();
            rounds.push(round(effort.slice, contender));
        }
    }
    rounds.into_iter().map(Sample::of).collect()
}

/// The median time of one operation within a slice of time.
fn round(slice: Duration, run: &mut Contender<'_>) -> f64 {
    // Caches, clocks and threads warm up.
    let start = Instant::now();
    let mut warm = 0;
    while warm < 2 || (start.elapsed() < slice / 4 && warm < 1_000) {
        run();
        warm += 1;
    }
    // Operations much shorter than the clock's own step are timed in batches.
    let each = start.elapsed().as_secs_f64() / f64::from(warm);
    let batch = (2e-6 / each).clamp(1.0, 64.0) as u32;
    let mut times = Vec::new();
    let start = Instant::now();
    while times.len() < 3 || (start.elapsed() < slice && times.len() < 200_000) {
        let from = Instant::now();
        for _ in 0..batch {
            run();
        }
        times.push(from.elapsed().as_secs_f64() / f64::from(batch));
    }
    quantile(&mut times, 0.5)
}

/// The times of single operations, one by one.
pub(crate) fn each(n: usize, mut run: impl FnMut()) -> Vec<f64> {
    (0..n)
        .map(|_| {
            let start = Instant::now();
            run();
            start.elapsed().as_secs_f64()
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sample_keeps_median_and_spread() {
        let sample = Sample::of(vec![3.0, 1.0, 2.0, 9.0, 2.5]);
        assert_eq!((sample.least, sample.median, sample.most), (1.0, 2.5, 9.0));
    }

    #[test]
    fn quantiles_of_values_in_any_order() {
        let mut values: Vec<_> = (0..100).rev().map(f64::from).collect();
        assert_eq!(quantile(&mut values, 0.99), 99.0);
        assert_eq!(quantile(&mut values, 0.5), 50.0);
    }

    #[test]
    fn contenders_take_turns() {
        let order = std::cell::RefCell::new(vec![]);
        let effort = Effort { rounds: 2, slice: Duration::ZERO };
        interleave(
            effort,
            &mut [
                Box::new(|| order.borrow_mut().push('a')),
                Box::new(|| order.borrow_mut().push('b')),
            ],
        );
        let mut order = order.into_inner();
        order.dedup();
        assert_eq!(order, ['a', 'b', 'a', 'b']);
    }
}
