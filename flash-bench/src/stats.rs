//! Timing and what is said of times: medians of interleaved rounds with their spread. It knows no
//! bar.

use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};

use crate::quiet;

/// For how long a ratio near its bar is measured, where a run takes seconds.
const LONGEST: Duration = Duration::from_secs(90);

/// Pause between contenders: OpenMP's threads spin for a while after a region.
pub(crate) const BETWEEN: Duration = Duration::from_millis(50);

/// Seconds for one operation: the median over rounds, with the least and the largest round.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub(crate) struct Sample {
    pub(crate) median: f64,
    pub(crate) least: f64,
    pub(crate) most: f64,
    /// How many rounds.
    pub(crate) rounds: usize,
}

impl Sample {
    /// Of the medians of rounds.
    pub(crate) fn of(mut rounds: Vec<f64>) -> Self {
        rounds.sort_by(f64::total_cmp);
        let at = |k: usize| rounds.get(k).copied().unwrap_or(f64::NAN);
        let n = rounds.len();
        Self { median: at(n / 2), least: at(0), most: at(n.max(1) - 1), rounds: n }
    }

    /// Of one value.
    pub(crate) fn one(value: f64) -> Self {
        Self::of(vec![value])
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

/// Ours beside a peer.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Pair {
    pub(crate) ours: Sample,
    pub(crate) peer: Sample,
    /// How many times as fast as the peer.
    pub(crate) ratio: f64,
    /// How many times as long as in its shorter rounds the peer takes in its longer ones.
    pub(crate) unrest: f64,
}

/// Of samples that were not taken in turn.
impl From<(Sample, Sample)> for Pair {
    fn from((ours, peer): (Sample, Sample)) -> Self {
        Self { ours, peer, ratio: peer.median / ours.median, unrest: peer.most / peer.least }
    }
}

impl Pair {
    /// Of rounds in turn: the median of the ratios round by round, as what disturbs the machine
    /// for longer than a round disturbs both.
    pub(crate) fn in_turn(ours: &[f64], peer: &[f64]) -> Self {
        let mut ratios = ratios(ours, peer);
        let mut rounds = peer.to_vec();
        Self {
            ours: Sample::of(ours.to_vec()),
            peer: Sample::of(peer.to_vec()),
            ratio: quantile(&mut ratios, 0.5),
            unrest: quantile(&mut rounds, 0.75) / quantile(&mut rounds, 0.25),
        }
    }
}

pub(crate) fn ratios(ours: &[f64], peer: &[f64]) -> Vec<f64> {
    ours.iter().zip(peer).map(|(ours, peer)| peer / ours).collect()
}

/// Whether the median of what these values are drawn from is on one side of a limit, 19 times in
/// 20: the sign test.
pub(crate) fn sure(mut values: Vec<f64>, limit: f64) -> bool {
    let n = values.len();
    values.sort_by(f64::total_cmp);
    let skip = ((n as f64 - 1.96 * (n as f64).sqrt()) / 2.0).max(0.0) as usize;
    let at = |k: usize| values.get(k);
    at(skip).is_some_and(|low| *low > limit)
        || at((n - skip).wrapping_sub(1)).is_some_and(|high| *high < limit)
}

/// How much is measured.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Effort {
    /// Interleaved rounds.
    pub(crate) rounds: usize,
    /// How many of them at most, where a ratio is too near its bar to be sure of.
    pub(crate) most: usize,
    /// Time for one contender in one round.
    pub(crate) slice: Duration,
}

impl Effort {
    pub(crate) fn new(quick: bool) -> Self {
        if quick {
            Self { rounds: 3, most: 3, slice: Duration::from_millis(30) }
        } else {
            Self { rounds: 7, most: 25, slice: Duration::from_millis(120) }
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
            rounds.push(turn(effort, contender));
        }
    }
    rounds.into_iter().map(Sample::of).collect()
}

/// Times ours and a peer in turn, and goes on until it is sure whether ours is at least `least`
/// times as fast.
pub(crate) fn pair(
    effort: Effort,
    least: f64,
    mut ours: impl FnMut(),
    mut peer: impl FnMut(),
) -> Pair {
    let (mut all, mut peers) = (vec![], vec![]);
    let start = Instant::now();
    while all.len() < effort.rounds
        || (all.len() < effort.most
            && start.elapsed() < LONGEST
            && !sure(ratios(&all, &peers), least))
    {
        all.push(turn(effort, &mut ours));
        peers.push(turn(effort, &mut peer));
    }
    Pair::in_turn(&all, &peers)
}

/// Who is timed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Who {
    Ours,
    Peer,
}

/// Times one operation of somebody for some rounds.
pub(crate) type Timing<'a> = &'a mut dyn FnMut(Who, &mut dyn FnMut());

/// As [`pair`], on memory that is placed anew a few times: how arrays lie in caches beside each other
/// changes what a short pass over them takes by a third. `place` makes the arrays, and has first ours
/// and then the peer timed with what it is given; best on the same arrays.
pub(crate) fn pair_placed<E>(
    effort: Effort,
    least: f64,
    mut place: impl FnMut(Timing<'_>) -> Result<(), E>,
) -> Result<Pair, E> {
    let (mut all, mut peers) = (vec![], vec![]);
    let mut spread = vec![];
    let rounds = effort.rounds.div_ceil(3);
    while all.len() < effort.rounds
        || (all.len() < effort.most && !sure(ratios(&all, &peers), least))
    {
        place(&mut |who, run| {
            let times = if who == Who::Ours { &mut all } else { &mut peers };
            times.extend((0..rounds).map(|_| turn(effort, run)));
        })?;
        // What is freed is not given out again at once.
        spread.push(vec![1_u8; (8 + 5 * spread.len()) << 12]);
    }
    Ok(Pair::in_turn(&all, &peers))
}

/// One round of one contender, when the machine is quiet.
fn turn(effort: Effort, run: &mut dyn FnMut()) -> f64 {
    std::thread::sleep(BETWEEN);
    quiet::wait();
    round(effort.slice, run)
}

/// The median time of one operation within a slice of time; of one that takes longer, its only time.
fn round(slice: Duration, run: &mut dyn FnMut()) -> f64 {
    // Caches, clocks and threads warm up.
    let start = Instant::now();
    let mut warm = 0;
    while warm == 0
        || (warm < 2 && start.elapsed() < slice)
        || (start.elapsed() < slice / 4 && warm < 1_000)
    {
        run();
        warm += 1;
    }
    // Operations much shorter than the clock's own step are timed in batches.
    let each = start.elapsed().as_secs_f64() / f64::from(warm);
    let batch = (2e-6 / each).clamp(1.0, 64.0) as u32;
    let mut times = Vec::new();
    let start = Instant::now();
    let least = if each > slice.as_secs_f64() { 1 } else { 3 };
    while times.len() < least || (start.elapsed() < slice && times.len() < 200_000) {
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
    fn what_takes_longer_than_a_slice_is_timed_once() {
        let runs = |slice| {
            let mut runs = 0;
            round(slice, &mut || {
                std::thread::sleep(Duration::from_millis(2));
                runs += 1;
            });
            runs
        };
        assert_eq!(runs(Duration::from_millis(1)), 2, "one to warm up, one that counts");
        assert!(runs(Duration::from_millis(200)) >= 5);
    }

    #[test]
    fn contenders_take_turns() {
        let order = std::cell::RefCell::new(vec![]);
        let effort = Effort { rounds: 2, most: 2, slice: Duration::ZERO };
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

    #[test]
    fn a_pair_compares_round_by_round() {
        let pair = Pair::in_turn(&[1.0, 2.0, 4.0], &[1.1, 2.2, 4.0]);
        assert!((pair.ratio - 1.1).abs() < 1e-12, "{pair:?}");
        assert_eq!((pair.ours.median, pair.peer.median), (2.0, 2.2));
    }

    #[test]
    fn near_a_bar_nothing_is_sure() {
        assert!(sure(vec![1.01, 1.02, 1.03, 1.04, 1.05, 1.06, 1.07], 1.0));
        assert!(sure(vec![0.9; 7], 1.0));
        assert!(!sure(vec![0.99, 1.02, 1.03, 1.04, 1.05, 1.06, 1.07], 1.0));
        let mut many = vec![1.1; 20];
        many.extend([0.9; 5]);
        assert!(sure(many, 1.0), "one round in five does not matter among 25");
        assert!(!sure(vec![], 1.0));
    }
}
