//! The team under load: exactly once, whoever launches, however many workers, whatever panics.

use std::collections::HashSet;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::channel;
use std::sync::{Barrier, Mutex};
use std::time::{Duration, Instant};

use flash_cpu::team::{DEFAULT_SPIN, Desk, Layout, Slip, Team, WORDS, Word};
use flash_rt::backend::at_work;

fn free(workers: usize, spin: Duration) -> Team {
    among(usize::MAX, workers, spin)
}

fn among(parallelism: usize, workers: usize, spin: Duration) -> Team {
    let (processors, crowded) = (vec![], workers > 2);
    Team::new(Layout { workers, processors, parallelism, crowded, metered: false, spin })
}

fn counters(n: usize) -> Vec<AtomicUsize> {
    (0..n).map(|_| AtomicUsize::new(0)).collect()
}

fn assert_each(counts: &[AtomicUsize], expected: usize) {
    for (piece, count) in counts.iter().enumerate() {
        assert_eq!(count.load(Ordering::Relaxed), expected, "piece {piece}");
    }
}

#[test]
fn every_piece_runs_once_for_any_team_and_number_of_pieces() {
    for workers in [1, 2, 3, 8] {
        let team = free(workers, DEFAULT_SPIN);
        for pieces in [0, 1, 2, 3, 7, 16, 1_000] {
            for wake in [false, true] {
                let counts = counters(pieces);
                team.run(pieces, wake, &|piece| {
                    counts[piece].fetch_add(1, Ordering::Relaxed);
                });
                assert_each(&counts, 1);
            }
        }
    }
}

#[test]
fn a_detected_layout_runs_every_piece_once() {
    for pin in [None, Some(false), Some(true)] {
        let team = Team::new(Layout::detect(None, pin, DEFAULT_SPIN));
        for _ in 0..500 {
            let counts = counters(64);
            team.run(64, true, &|piece| {
                counts[piece].fetch_add(1, Ordering::Relaxed);
            });
            assert_each(&counts, 1);
        }
    }
}

#[test]
fn many_short_launches_with_pauses_of_all_lengths() {
    let team = free(3, Duration::from_micros(5));
    let counts = counters(6);
    for launch in 0..20_000_u32 {
        team.run(6, launch % 3 != 0, &|piece| {
            counts[piece].fetch_add(1, Ordering::Relaxed);
        });
        if launch % 512 == 0 {
            std::thread::sleep(Duration::from_micros(u64::from(launch % 97)));
        } else if launch % 5 == 0 {
            for _ in 0..launch % 300 {
                std::hint::spin_loop();
            }
        }
    }
    assert_each(&counts, 20_000);
}

#[test]
fn several_threads_launch_at_once() {
    let team = free(2, DEFAULT_SPIN);
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                for _ in 0..2_000 {
                    let counts = counters(9);
                    team.run(9, true, &|piece| {
                        counts[piece].fetch_add(1, Ordering::Relaxed);
                    });
                    assert_each(&counts, 1);
                }
            });
        }
    });
}

#[test]
fn a_piece_may_launch() {
    let team = free(2, DEFAULT_SPIN);
    let counts = counters(12);
    team.run(3, true, &|outer| {
        team.run(4, true, &|inner| {
            counts[outer * 4 + inner].fetch_add(1, Ordering::Relaxed);
        });
    });
    assert_each(&counts, 1);
}

#[test]
fn a_panic_loses_no_piece_and_reaches_the_caller() {
    let team = free(2, DEFAULT_SPIN);
    for guilty in [0, 5, 11] {
        let counts = counters(12);
        let raised = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
            team.run(12, true, &|piece| {
                counts[piece].fetch_add(1, Ordering::Relaxed);
                assert_ne!(piece, guilty, "piece {piece} gives up");
            });
        }));
        let message = raised.expect_err("the panic of a piece");
        let message = message.downcast_ref::<String>().expect("a message");
        assert!(message.contains(&format!("piece {guilty} gives up")), "{message}");
        assert_each(&counts, 1);
    }
    // The team still works.
    let counts = counters(12);
    team.run(12, true, &|piece| {
        counts[piece].fetch_add(1, Ordering::Relaxed);
    });
    assert_each(&counts, 1);
}

#[test]
fn work_that_is_written_out_runs_in_each_seat_and_its_panic_reaches_the_caller() {
    type Counts = [AtomicUsize; 2];
    /// # Safety
    ///
    /// The first word is the address of counts that are still borrowed; the second one is a piece.
    unsafe fn count(words: &[Word; WORDS], piece: usize) {
        // SAFETY: as the function demands.
        let counts = unsafe { &*std::ptr::with_exposed_provenance::<Counts>(words[0]) };
        counts[piece].fetch_add(1, Ordering::Relaxed);
        assert_ne!(piece, words[1], "piece {piece} gives up");
    }
    let (team, desks) = (free(2, Duration::from_secs(1)), [Desk::new(), Desk::new()]);
    let launch = |desk: &Desk, counts: &Counts, guilty: usize| {
        let mut words = [0; WORDS];
        (words[0], words[1]) = (std::ptr::from_ref(counts).expose_provenance(), guilty);
        // SAFETY: the counts are borrowed until the launch returns.
        let slip = unsafe { Slip::new(count, words) };
        let first = || {
            counts[0].fetch_add(1, Ordering::Relaxed);
        };
        // Until the helper is up.
        let ran = std::iter::repeat_with(|| {
            // SAFETY: as above, and there is one team.
            unsafe { team.take_turns(team.stand(), (desk, &slip), first) }
        });
        assert!(ran.take(1_000_000).any(|waited| waited.is_some()), "the helper never came");
    };
    let all = [Counts::default(), Counts::default()];
    for k in [0, 0, 1, 0, 1, 1, 0] {
        launch(&desks[k], &all[k], usize::MAX);
    }
    assert_each(&all[0], 4);
    assert_each(&all[1], 3);
    let raised = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
        launch(&desks[0], &all[1], 1);
    }));
    let message = raised.expect_err("the panic of a piece");
    let message = message.downcast_ref::<String>().expect("a message");
    assert!(message.contains("piece 1 gives up"), "{message}");
    assert_each(&all[1], 4);
}

#[test]
fn a_leader_sleeps_through_a_long_piece_of_a_helper() {
    let team = free(2, DEFAULT_SPIN);
    let leader = std::thread::current().id();
    let counts = counters(2);
    team.run(2, true, &|piece| {
        // Whoever is not the leader takes long; the leader leaves it a piece.
        if std::thread::current().id() == leader {
            std::thread::sleep(Duration::from_millis(5));
        } else {
            std::thread::sleep(Duration::from_millis(40));
        }
        counts[piece].fetch_add(1, Ordering::Relaxed);
    });
    assert_each(&counts, 1);
}

#[test]
fn eight_workers_on_few_processors_run_each_piece_once() {
    let team = free(8, DEFAULT_SPIN);
    let counts: Vec<_> = (0..64).map(|_| AtomicUsize::new(0)).collect();
    for launch in 1..=300 {
        team.run(64, true, &|piece| {
            std::hint::black_box((0..200_u64).sum::<u64>());
            counts[piece].fetch_add(1, Ordering::Relaxed);
        });
        assert_each(&counts, launch);
    }
}

#[test]
fn dropping_a_team_ends_its_threads() {
    for _ in 0..200 {
        let team = free(3, Duration::from_micros(1));
        team.run(3, true, &|_| {});
        drop(team);
    }
}

#[test]
fn helpers_stay_up_when_told_to_and_go_to_bed_in_the_end() {
    let asleep = |team: &Team| {
        let start = Instant::now();
        while !team.sleeps() && start.elapsed() < Duration::from_secs(10) {
            std::thread::sleep(Duration::from_millis(1));
        }
        team.sleeps()
    };
    let team = free(2, Duration::from_micros(5));
    assert!(asleep(&team), "nothing to do");
    assert!(team.linger(Duration::from_secs(100)));
    team.run(2, true, &|_| std::thread::sleep(Duration::from_millis(20)));
    std::thread::sleep(Duration::from_millis(50));
    if team.sleeps() {
        assert!(!team.linger(Duration::from_secs(1)), "others had work for its processor");
    }
    team.linger(Duration::ZERO);
    assert!(asleep(&team), "nobody is to stay up");

    let layout = Layout {
        workers: 2,
        processors: vec![],
        parallelism: usize::MAX,
        crowded: false,
        metered: true,
        spin: Duration::from_micros(5),
    };
    let team = Team::new(layout);
    assert!(team.linger(Duration::from_secs(100)));
    team.run(2, true, &|_| std::thread::sleep(Duration::from_millis(20)));
    assert!(asleep(&team), "waiting would count");
}

/// Works as a thread that is at work, while another one is until `until` returns.
fn beside_another(until: impl FnOnce() + Send, work: impl FnOnce()) {
    let began = Barrier::new(2);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            assert!(at_work::enter());
            began.wait();
            until();
            at_work::leave();
        });
        began.wait();
        assert!(at_work::enter(), "as a thread that runs a kernel of a pipeline");
        work();
        at_work::leave();
    });
}

#[test]
fn helpers_leave_their_processors_to_threads_that_are_at_work_and_come_back() {
    let team = among(2, 2, DEFAULT_SPIN);
    let seen = Mutex::new(HashSet::new());
    let piece = || {
        seen.lock().unwrap().insert(std::thread::current().id());
        std::thread::sleep(Duration::from_millis(1));
    };
    let len = || seen.lock().unwrap().len();
    let (end, ended) = channel::<()>();
    let until_the_end = move || assert!(ended.recv().is_err());
    beside_another(until_the_end, || {
        let _end = end;
        team.run(40, true, &|_| piece());
    });
    assert_eq!(len(), 1, "the helper has no processor");

    seen.lock().unwrap().clear();
    let for_a_while = || {
        std::thread::sleep(Duration::from_millis(20));
        assert_eq!(len(), 1);
    };
    beside_another(for_a_while, || {
        let start = Instant::now();
        team.run(4_000, true, &|_| {
            if len() < 2 && start.elapsed() < Duration::from_secs(10) {
                piece();
            }
        });
    });
    assert_eq!(len(), 2, "the helper comes for the rest of a launch in which it has one again");
}
