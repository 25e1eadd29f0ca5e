//! Timing of runs that are checked: what goes before a run, as outputs that are spoilt, and after it,
//! as a look at them, is not part of its time. It says what [`stats`](crate::stats) says.

use std::time::{Duration, Instant};

use crate::quiet;
use crate::stats::{BETWEEN, Effort, Pair, quantile, ratios, sure};

/// Takes the time of the part of a run that counts.
#[derive(Debug, Default)]
pub(crate) struct Watch {
    taken: Duration,
}

impl Watch {
    /// Runs what counts.
    pub(crate) fn time<R>(&mut self, run: impl FnOnce() -> R) -> R {
        let start = Instant::now();
        let done = run();
        self.taken += start.elapsed();
        done
    }
}

/// Times ours and a peer in turn, and goes on until it is sure whether ours is at least `least` times as
/// fast. Each is one run, which times with the watch what counts of it.
pub(crate) fn pair(
    effort: Effort,
    least: f64,
    mut ours: impl FnMut(&mut Watch),
    mut peer: impl FnMut(&mut Watch),
) -> Pair {
    let (mut all, mut peers) = (vec![], vec![]);
    while all.len() < effort.rounds
        || (all.len() < effort.most && !sure(ratios(&all, &peers), least))
    {
        all.push(turn(effort, &mut ours));
        peers.push(turn(effort, &mut peer));
    }
    Pair::in_turn(&all, &peers)
}

/// Times ours and a peer in turn for so many rounds: what each took, run by run, as pairs.
pub(crate) fn differences(
    effort: Effort,
    mut ours: impl FnMut(&mut Watch),
    mut peer: impl FnMut(&mut Watch),
) -> Vec<f64> {
    let mut beyond = vec![];
    for _ in 0..effort.rounds {
        let (ours, peer) = (turn(effort, &mut ours), turn(effort, &mut peer));
        beyond.push(ours - peer);
    }
    beyond
}

/// The median time of one run in a slice of time, after one that warms up.
fn turn(effort: Effort, run: &mut dyn FnMut(&mut Watch)) -> f64 {
    const LEAST: usize = 3;
    std::thread::sleep(BETWEEN);
    quiet::wait();
    run(&mut Watch::default());
    let start = Instant::now();
    let (mut times, mut all) = (vec![], Duration::ZERO);
    // What is not timed may take much longer, so it has an end too.
    while times.len() < LEAST || (all < effort.slice && start.elapsed() < effort.slice * 4) {
        let mut watch = Watch::default();
        run(&mut watch);
        all += watch.taken;
        times.push(watch.taken.as_secs_f64());
    }
    quantile(&mut times, 0.5)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_counts_is_timed() {
        let effort = Effort { rounds: 1, most: 1, slice: Duration::ZERO };
        let work = |ms| {
            move |watch: &mut Watch| {
                std::thread::sleep(Duration::from_millis(5));
                watch.time(|| std::thread::sleep(Duration::from_millis(ms)));
            }
        };
        let pair = pair(effort, 1.0, work(0), work(2));
        assert!(pair.ours.median < 2e-3 && pair.peer.median >= 2e-3, "{pair:?}");
        assert!(pair.peer.least < 7e-3 && pair.ratio > 1.0, "{pair:?}");
        let beyond = differences(effort, work(2), work(0));
        assert!(beyond.len() == 1 && beyond[0] > 0.0, "{beyond:?}");
    }
}
