//! Every interleaving of a small team, but for those with many involuntary switches:
//! `RUSTFLAGS="--cfg loom" cargo test -p flash-cpu --release --test loom`. `LOOM_MAX_PREEMPTIONS` says
//! how many are too many; `.ci/run` goes through those with two, in seconds.
#![cfg(loom)]

use std::time::Duration;

use flash_cpu::team::{Desk, Layout, Slip, Team, WORDS, Word};
use loom::cell::UnsafeCell;
use loom::sync::Arc;
use loom::sync::atomic::{AtomicUsize, Ordering};

fn model(f: impl Fn() + Send + Sync + 'static) {
    let mut builder = loom::model::Builder::new();
    // Interleavings with more involuntary switches than this are left out, as loom advises.
    builder.preemption_bound = builder.preemption_bound.or(Some(3));
    builder.check(f);
}

fn team(workers: usize) -> Team {
    Team::new(Layout {
        workers,
        processors: vec![],
        parallelism: usize::MAX,
        crowded: false,
        metered: false,
        spin: Duration::ZERO,
    })
}

/// A cell that only one piece writes; loom fails the model on two at once, or if the leader reads
/// before the writer reported.
struct Places(Vec<UnsafeCell<usize>>);

// SAFETY: the model checks every access.
unsafe impl Sync for Places {}

impl Places {
    fn new(n: usize) -> Self {
        Self((0..n).map(|_| UnsafeCell::new(0)).collect())
    }

    fn add(&self, k: usize) {
        // SAFETY: the model checks that nobody else is here.
        self.0[k].with_mut(|place| unsafe { *place += 1 });
    }

    fn get(&self, k: usize) -> usize {
        // SAFETY: the model checks that nobody writes.
        self.0[k].with(|place| unsafe { *place })
    }
}

#[test]
fn two_launches_run_each_piece_once_and_are_seen() {
    model(|| {
        let team = team(2);
        let first = Places::new(2);
        team.run(2, true, &|piece| first.add(piece));
        assert_eq!([first.get(0), first.get(1)], [1, 1]);
        let second = Places::new(2);
        team.run(2, true, &|piece| second.add(piece));
        assert_eq!([second.get(0), second.get(1)], [1, 1]);
    });
}

#[test]
fn a_launch_that_wakes_nobody_ends() {
    model(|| {
        let team = team(2);
        let places = Places::new(2);
        team.run(2, false, &|piece| places.add(piece));
        assert_eq!([places.get(0), places.get(1)], [1, 1]);
        team.run(2, true, &|piece| places.add(piece));
        assert_eq!([places.get(0), places.get(1)], [2, 2]);
    });
}

/// Work that is written out: the first word is the address of [`Places`].
fn adding(places: &Places) -> Slip {
    /// # Safety
    ///
    /// The places are still borrowed.
    unsafe fn add(words: &[Word; WORDS], piece: usize) {
        // SAFETY: as the function demands.
        unsafe { &*std::ptr::with_exposed_provenance::<Places>(words[0]) }.add(piece);
    }
    let mut words = [0; WORDS];
    words[0] = std::ptr::from_ref(places).expose_provenance();
    // SAFETY: the places are borrowed while launches run.
    unsafe { Slip::new(add, words) }
}

#[test]
fn a_desk_has_the_work_of_each_launch() {
    model(|| {
        let (team, desk) = (team(2), Desk::new());
        let places = [Places::new(2), Places::new(2)];
        let mut ran = [0; 2];
        // The slip of the second launch is that of the first, that of the third is another.
        for k in [0, 0, 1] {
            let (at, slip) = (team.stand(), adding(&places[k]));
            // SAFETY: the places are borrowed until the launch returns, and there is one team.
            let waited = unsafe { team.take_turns(at, (&desk, &slip), || places[k].add(0)) };
            ran[k] += usize::from(waited.is_some());
        }
        drop(team);
        for (places, ran) in places.iter().zip(ran) {
            assert_eq!([places.get(0), places.get(1)], [ran; 2]);
        }
    });
}

#[test]
fn dropping_joins_a_helper_in_any_state() {
    model(|| drop(team(2)));
}

#[test]
fn two_threads_launch_on_one_team() {
    model(|| {
        let team = Arc::new(team(2));
        let other = {
            let team = Arc::clone(&team);
            loom::thread::spawn(move || {
                let sum = AtomicUsize::new(0);
                team.run(2, true, &|piece| {
                    sum.fetch_add(piece + 1, Ordering::Relaxed);
                });
                assert_eq!(sum.load(Ordering::Relaxed), 3);
            })
        };
        let places = Places::new(2);
        team.run(2, true, &|piece| places.add(piece));
        assert_eq!([places.get(0), places.get(1)], [1, 1]);
        other.join().expect("the other thread");
    });
}
