//! Every interleaving of threads that hand each other nodes: each is taken once, also where whoever
//! offered it does nothing else until it has run, and all threads come back. Run as `engine/models.rs`.

use std::sync::Arc;

use loom::sync::{Condvar, Mutex};
use loom::thread;

use super::super::queue::{Pick, Queue};
use super::{Offered, Rank, Worklist};
use crate::sync::{model, model_within};

/// How often each node ran, to be waited for.
struct Runs {
    work: Worklist,
    times: Mutex<[u32; 3]>,
    changed: Condvar,
}

impl Runs {
    fn new(is_called: bool) -> Arc<Self> {
        Self::on(is_called.then_some(usize::MAX))
    }

    fn on(processors: Option<usize>) -> Arc<Self> {
        let work = Worklist::new((Pick::First, 1), Queue::default(), None, processors);
        Arc::new(Self { work, times: Mutex::new([0; 3]), changed: Condvar::new() })
    }

    fn note(&self, node: u32) {
        self.times.lock().expect("nobody panics")[node as usize] += 1;
        self.changed.notify_all();
    }

    fn wait(&self, node: u32) {
        let mut times = self.times.lock().expect("nobody panics");
        while times[node as usize] == 0 {
            times = self.changed.wait(times).expect("nobody panics");
        }
    }

    /// Takes nodes to the end; each runs once `before` has returned.
    fn take_part(&self, before: impl Fn(u32)) {
        while let Some(node) = self.work.take(&mut None) {
            before(node);
            self.note(node);
        }
    }

    fn offer(&self, node: u32) {
        self.work.offer(&[node], |_| Rank::InTurn);
    }

    fn times(&self) -> [u32; 3] {
        *self.times.lock().expect("nobody panics")
    }
}

fn beside(runs: &Arc<Runs>, run: impl Fn(&Runs) + 'static) -> thread::JoinHandle<()> {
    let runs = Arc::clone(runs);
    thread::spawn(move || run(&runs))
}

/// Two threads take what a third one offers, which waits for the first node, which waits for the second one.
fn two_take(is_called: bool, first: fn(&Runs), offer: fn(&Runs)) {
    model_within(2, move || {
        let runs = Runs::new(is_called);
        let take_part = move |runs: &Runs| {
            runs.take_part(|node| {
                if node == 0 {
                    first(runs);
                    runs.wait(1);
                }
            });
        };
        let others = [(); 2].map(|()| beside(&runs, take_part));
        offer(&runs);
        runs.wait(0);
        runs.work.end();
        others.into_iter().for_each(|other| other.join().expect("the other thread"));
        assert_eq!(runs.times(), [1, 1, 0]);
    });
}

/// Each of three threads waits for what it has offered to the next one.
fn each_waits_for_what_it_offered(is_called: bool) {
    two_take(is_called, |runs| runs.offer(1), |runs| runs.offer(0));
}

#[test]
fn a_node_is_taken_though_who_offered_it_waits() {
    each_waits_for_what_it_offered(false);
}

#[test]
fn a_node_is_found_by_who_looks_though_who_offered_it_waits() {
    each_waits_for_what_it_offered(true);
}

/// Who looks for a node is counted on for one, and not for the next one too.
#[test]
fn a_node_is_taken_though_who_took_the_one_before_it_waits() {
    two_take(true, |_| (), |runs| [0, 1].into_iter().for_each(|node| runs.offer(node)));
}

/// Takes nodes until two have run, of which the first one waits for the second one.
fn take_two(runs: &Runs) {
    while let Some(node) = runs.work.take(&mut None) {
        if node == 0 {
            runs.wait(1);
        }
        runs.note(node);
        if runs.times() == [1, 1, 0] {
            runs.work.end();
        }
    }
}

/// Where the list says that nobody comes, a thread is started, and nowhere else.
#[test]
fn somebody_comes_for_each_node_or_is_said_to_be_missing() {
    for is_called in [false, true] {
        model(move || {
            let runs = Runs::new(is_called);
            let other = beside(&runs, take_two);
            let missing = [0, 1].map(|node| runs.work.offer(&[node], |_| Rank::InTurn));
            if missing != [Offered::default(); 2] {
                take_two(&runs);
            }
            other.join().expect("the other thread");
            assert_eq!(runs.times(), [1, 1, 0]);
        });
    }
}

/// Nobody is called, as there is no processor, and who has the first node waits for the second one.
#[test]
fn what_is_left_is_taken_once_the_watch_has_urged_it() {
    model_within(2, || {
        let runs = Runs::on(Some(0));
        let other = beside(&runs, take_two);
        runs.offer(0);
        runs.offer(1);
        // The watch; a thread that it starts is this one.
        while runs.times() != [1, 1, 0] {
            if runs.work.urge() {
                take_two(&runs);
            }
            thread::yield_now();
        }
        other.join().expect("the other thread");
        assert_eq!(runs.times(), [1, 1, 0]);
    });
}

#[test]
fn of_several_nodes_each_is_taken_once() {
    model(|| {
        let runs = Runs::new(true);
        let take_part = |runs: &Runs| {
            while let Some(node) = runs.work.take(&mut None) {
                runs.note(node);
                if runs.times().iter().all(|&times| times > 0) {
                    runs.work.end();
                }
            }
        };
        let other = beside(&runs, take_part);
        runs.work.offer(&[0, 1], |_| Rank::InTurn);
        runs.work.offer(&[2], |_| Rank::First);
        take_part(&runs);
        other.join().expect("the other thread");
        assert_eq!(runs.times(), [1, 1, 1]);
    });
}

#[test]
fn who_sleeps_or_looks_comes_back_when_all_is_stopped() {
    for is_called in [false, true] {
        model(move || {
            let runs = Runs::new(is_called);
            let others = [(); 2].map(|()| beside(&runs, |runs| runs.take_part(|_| ())));
            runs.work.stop();
            others.into_iter().for_each(|other| other.join().expect("the other thread"));
            assert_eq!(runs.times(), [0, 0, 0]);
        });
    }
}

/// One may be brought at a time here, and who has brought one sees to the next.
#[test]
fn what_brings_data_runs_by_and_by() {
    model_within(2, || {
        let runs = Runs::new(false);
        let bringing = Arc::new(Mutex::new(0));
        let take_part = |bringing: Arc<Mutex<u32>>| {
            move |runs: &Runs| {
                while let Some(node) = runs.work.take(&mut None) {
                    let mut now = bringing.lock().expect("nobody panics");
                    *now += 1;
                    assert_eq!(*now, 1);
                    drop(now);
                    *bringing.lock().expect("nobody panics") -= 1;
                    if let Some(next) = runs.work.has_brought() {
                        runs.work.offer(&[next], |_| Rank::Bringer);
                    }
                    runs.note(node);
                }
            }
        };
        let others = [(); 2].map(|()| beside(&runs, take_part(Arc::clone(&bringing))));
        runs.work.offer(&[0, 1], |_| Rank::Bringer);
        (0..2).for_each(|node| runs.wait(node));
        runs.work.end();
        others.into_iter().for_each(|other| other.join().expect("the other thread"));
        assert_eq!(runs.times(), [1, 1, 0]);
    });
}
