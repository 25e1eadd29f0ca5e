//! Every interleaving of those who look at an array without its lock with those who change what they look
//! at; loom says where somebody writes memory that another one uses. Run with
//! `RUSTFLAGS="--cfg loom" cargo test -p flash-rt --release --lib models::`.

use std::ptr;
use std::sync::Arc;

use loom::cell::UnsafeCell;
use loom::thread;

use super::unlocked::{Counts, Start};
use crate::sync::{AtomicBool, Condvar, Mutex, Ordering, model};

/// An array.
struct Array {
    counts: Counts,
    host: UnsafeCell<()>,
    /// How many host tasks use its host image.
    images: Mutex<usize>,
    left: Condvar,
    /// What lets others begin that do not wait for the task.
    begun: AtomicBool,
}

impl Array {
    fn new(n_images: usize) -> Arc<Self> {
        let counts = Counts::new();
        counts.note_images(n_images);
        let (host, images) = (UnsafeCell::new(()), Mutex::new(0));
        Arc::new(Self { counts, host, images, left: Condvar::new(), begun: AtomicBool::new(false) })
    }

    fn read(&self) {
        self.host.with(|_| ());
    }

    fn write(&self) {
        self.host.with_mut(|_| ());
    }
}

#[test]
fn who_overwrites_the_host_image_does_so_after_the_task_that_reads_it() {
    model(|| {
        let array = Array::new(0);
        let task = {
            let array = Arc::clone(&array);
            thread::spawn(move || {
                let mut images = array.images.lock().unwrap();
                *images += 1;
                array.counts.reader_comes();
                drop(images);
                array.begun.store(true, Ordering::Release);
                array.read();
                *array.images.lock().unwrap() -= 1;
                array.counts.reader_left();
                array.left.notify_all();
            })
        };
        while !array.begun.load(Ordering::Acquire) {
            thread::yield_now();
        }
        if !array.counts.is_free() {
            let mut images = array.images.lock().unwrap();
            while *images > 0 {
                images = array.left.wait(images).unwrap();
            }
        }
        array.write();
        task.join().expect("the task");
        assert!(array.counts.is_free());
    });
}

#[test]
fn who_sees_no_other_image_sees_what_was_brought_from_it() {
    model(|| {
        let array = Array::new(1);
        let evicts = {
            let array = Arc::clone(&array);
            thread::spawn(move || {
                let images = array.images.lock().unwrap();
                array.write();
                array.counts.note_images(0);
                drop(images);
            })
        };
        if !array.counts.has_images() {
            array.read();
        }
        evicts.join().expect("the other thread");
        assert!(!array.counts.has_images());
    });
}

#[test]
fn who_finds_memory_of_the_host_finds_it_made() {
    /// Where the host image is, how many memories there are, and these, by address.
    struct Memory(Start, Mutex<usize>, [UnsafeCell<()>; 2]);

    impl Memory {
        /// Makes another one and goes on there; its address.
        fn make(&self, n: &mut usize) -> usize {
            self.2[*n].with_mut(|_| ());
            *n += 1;
            self.0.put(ptr::without_provenance_mut(*n));
            *n
        }

        fn find(&self) {
            let mut found = self.0.get().addr();
            if found == 0 {
                let mut n = self.1.lock().unwrap();
                found = match self.0.get().addr() {
                    0 => self.make(&mut n),
                    found => found,
                };
            }
            self.2[found - 1].with(|_| ());
        }
    }

    model(|| {
        let cells = [(); 2].map(|()| UnsafeCell::new(()));
        let memory = Arc::new(Memory(Start::new(ptr::null_mut()), Mutex::new(0), cells));
        let other = {
            let memory = Arc::clone(&memory);
            thread::spawn(move || {
                memory.find();
                let mut n = memory.1.lock().unwrap();
                memory.make(&mut n);
            })
        };
        memory.find();
        other.join().expect("the other thread");
        assert_eq!(memory.0.get().addr(), 2);
    });
}
