//! Every interleaving of runs that want the same arrays: who writes one is alone there and sees what
//! the one before wrote, who reads it sees all of that or nothing, nobody waits for ever. Data are
//! relaxed atomics, of which a thread may see old values where nothing orders it. Run with
//! `RUSTFLAGS="--cfg loom" cargo test -p flash-rt --release --lib models::`.

use std::sync::Arc;

use loom::sync::atomic::{AtomicU64, Ordering};
use loom::thread::{self, JoinHandle};

use super::{Brief, Hold};
use crate::access::{Access, Mode};
use crate::section::Section;
use crate::sync::model;
use crate::{Allocation, Buffer};

/// An array, with what runs do to it in place of its elements.
struct Array {
    allocation: Arc<Allocation>,
    data: [AtomicU64; 2],
}

impl Array {
    fn new() -> Arc<Self> {
        let allocation = Buffer::<u64>::zeros(1).allocation;
        Arc::new(Self { allocation, data: [AtomicU64::new(0), AtomicU64::new(0)] })
    }

    fn access(&self, mode: Mode) -> Access {
        Access { allocation: Arc::clone(&self.allocation), section: Section::whole(&[1]), mode }
    }

    fn add(&self) {
        for data in &self.data {
            data.store(data.load(Ordering::Relaxed) + 1, Ordering::Relaxed);
        }
    }

    fn seen(&self) -> u64 {
        let [a, b] = [0, 1].map(|k: usize| self.data[k].load(Ordering::Relaxed));
        assert_eq!(a, b, "a reader is not beside a writer");
        a
    }
}

fn write(arrays: Vec<Arc<Array>>) -> JoinHandle<()> {
    thread::spawn(move || {
        let list: Vec<Access> = arrays.iter().map(|array| array.access(Mode::Write)).collect();
        let _hold = Hold::enter(list).expect("nothing is held here");
        arrays.iter().for_each(|array| array.add());
    })
}

#[test]
fn writers_are_alone_and_follow_each_other() {
    model(|| {
        let array = Array::new();
        let other = write(vec![Arc::clone(&array)]);
        let hold = Hold::enter([array.access(Mode::Write)]).expect("nothing is held here");
        array.add();
        drop(hold);
        other.join().expect("the other thread");
        assert_eq!(array.seen(), 2);
    });
}

#[test]
fn readers_see_all_that_a_writer_wrote_or_nothing() {
    model(|| {
        let array = Array::new();
        let other = write(vec![Arc::clone(&array)]);
        let hold = Hold::enter([array.access(Mode::Read)]).expect("nothing is held here");
        let first = array.seen();
        drop(hold);
        let section = Section::whole(&[1]);
        let brief = Brief::enter(&array.allocation, &section, Mode::Read).expect("nobody is asked");
        assert!(array.seen() >= first);
        drop(brief);
        other.join().expect("the other thread");
        assert_eq!(array.seen(), 1);
    });
}

#[test]
fn a_writer_sees_what_readers_before_it_did() {
    model(|| {
        let (array, found) = (Array::new(), Arc::new(AtomicU64::new(0)));
        let holds = [0, 1].map(|_| Hold::enter([array.access(Mode::Read)]).expect("two may read"));
        let writer = {
            let (array, found) = (Arc::clone(&array), Arc::clone(&found));
            thread::spawn(move || {
                let _hold = Hold::enter([array.access(Mode::Write)]).expect("it waits");
                assert_eq!(found.load(Ordering::Relaxed), 2);
            })
        };
        for hold in holds {
            found.store(found.load(Ordering::Relaxed) + 1, Ordering::Relaxed);
            drop(hold);
        }
        writer.join().expect("the writer");
    });
}

#[test]
fn who_takes_several_takes_all_or_none() {
    model(|| {
        let (a, b) = (Array::new(), Array::new());
        let other = write(vec![Arc::clone(&b), Arc::clone(&a)]);
        let list = [a.access(Mode::Write), b.access(Mode::Write)];
        let mut hold = Hold::enter(list).expect("nothing is held here");
        a.add();
        b.add();
        // One of them before the other.
        hold.release(0);
        drop(hold);
        other.join().expect("the other thread");
        assert_eq!([a.seen(), b.seen()], [2, 2]);
    });
}

#[test]
fn who_has_a_place_is_let_in_when_the_one_before_leaves() {
    model(|| {
        let array = Array::new();
        let first = Hold::enter([array.access(Mode::Write)]).expect("nothing is held here");
        let second = Hold::enqueue([array.access(Mode::Write)]).expect("it waits");
        assert!(!second.is_granted());
        let other = {
            let array = Arc::clone(&array);
            thread::spawn(move || {
                second.wait();
                array.add();
            })
        };
        array.add();
        drop(first);
        other.join().expect("the other thread");
        assert_eq!(array.seen(), 2);
    });
}
