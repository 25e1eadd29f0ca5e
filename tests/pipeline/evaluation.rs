//! When fragments are evaluated: once where they stand, or at each dispatch.

use std::cell::{Cell, RefCell};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use flash::Error;
use flash::prelude::*;

use crate::{accumulate, counted, mix, mixed, on_each_device};

#[test]
fn what_names_no_variable_is_evaluated_once_when_built() {
    on_each_device(|rt| {
        let order = RefCell::new(Vec::new());
        let note = |name: &'static str, value: u64| {
            order.borrow_mut().push(name);
            value
        };
        let mut x = Buffer::from(counted(4));
        let mut p = flash_pipeline! { in rt;
            mix(note("a", 2), note("b", 3), &mut x)[note("space", 4) as usize];
            let k = note("let", 5);
            for _ in 0..note("bound", 3) {
                let inner = note("inner", 7);
                mix(k, inner, &mut x)[4];
            }
            mix(note("last", 2), 1, &mut x)[4];
        };
        let once = ["a", "b", "space", "let", "bound", "inner", "last"];
        assert_eq!(*order.borrow(), once);
        p.exec().unwrap();
        p.exec().unwrap();
        assert_eq!(*order.borrow(), once, "running evaluates nothing again");
    });
}

/// Orders, devices and parts of a launch are said on what takes the variable.
#[test]
fn calls_on_a_launch_stand_behind_arguments_that_name_a_variable() {
    on_each_device(|rt| {
        let (mut x, mut y) = (Buffer::from(counted(6)), Buffer::from(counted(6)));
        let mut p = flash_pipeline! { in rt;
            for i in 1..4_u64 {
                mix(i, 1, &mut x).group_by(0)[6];
                for j in 0..i { mix(i, 10 * j, &mut x).pin(0).partitions(2)[i as usize + 1]; }
            }
            for i in 1..4_u64 {
                mix(i, 1, &mut y)[6];
                for j in 0..i { mix(i, 10 * j, &mut y)[i as usize + 1]; }
            }
        };
        for _ in 0..2 {
            p.exec().unwrap();
        }
        drop(p);
        assert_eq!(x.to_vec().unwrap(), y.to_vec().unwrap());
        assert_ne!(x.to_vec().unwrap(), counted(6));
    });
}

#[test]
fn what_names_a_variable_is_evaluated_at_each_dispatch() {
    on_each_device(|rt| {
        let seen = Mutex::new(Vec::new());
        let note = |value: u64| {
            seen.lock().unwrap().push(value);
            value
        };
        let note = &note;
        let mut x = Buffer::from(counted(4));
        let mut p = flash_pipeline! { in rt;
            for i in 1..4_u64 {
                mix(note(i), 1, &mut x)[4];
                for j in 0..note(10 * i) / 10 { mix(2, note(100 * i + j), &mut x)[4]; }
            }
        };
        assert_eq!(*seen.lock().unwrap(), [], "building evaluates none of them");
        let expected = [1, 10, 100, 2, 20, 200, 201, 3, 30, 300, 301, 302];
        for _ in 0..2 {
            p.exec().unwrap();
            let mut found = std::mem::take(&mut *seen.lock().unwrap());
            // Instances may be bound ahead of their turn, but each exactly once.
            found.sort_unstable();
            let mut sorted = expected;
            sorted.sort_unstable();
            assert_eq!(found, sorted);
        }
    });
}

#[test]
fn a_let_is_evaluated_for_each_fragment_that_uses_it() {
    on_each_device(|rt| {
        let count = AtomicUsize::new(0);
        let count = &count;
        let mut x = Buffer::from(counted(4));
        flash_pipeline! { in rt;
            for i in 0..3_u64 {
                let k = { count.fetch_add(1, Ordering::Relaxed); i + 2 };
                let unused = { count.fetch_add(100, Ordering::Relaxed); i };
                mix(k, k + 1, &mut x)[4];
                mix(3, 4, &mut x)[4];
            }
        }
        .exec()
        .unwrap();
        assert_eq!(count.load(Ordering::Relaxed), 3 * 2);
        let program = |x: u64| (0..3).fold(x, |x, i| mixed(mixed(x, i + 2, i + 3), 3, 4));
        assert_eq!(x.to_vec().unwrap(), [1, 2, 3, 4].map(program));
    });
}

#[test]
fn names_mean_what_they_mean_in_rust() {
    on_each_device(|rt| {
        let mut x = Buffer::from(counted(4));
        let i = 9;
        flash_pipeline! { in rt;
            mix(2, i, &mut x)[4];
            for i in 0..3_u64 {
                let k = i * 2;
                let (i, twice) = (i + 10, 2 * i);
                mix(i, k, &mut x)[4];
                let i = 5;
                mix(i, twice + k, &mut x)[4];
                for k in 0..i - 3 { mix(k + 2, twice, &mut x)[4]; }
            }
            mix(3, i, &mut x)[4];
        }
        .exec()
        .unwrap();
        let program = |mut x: u64| {
            x = mixed(x, 2, i);
            for i in 0..3 {
                let k = i * 2;
                let (i, twice) = (i + 10, 2 * i);
                x = mixed(x, i, k);
                let i = 5;
                x = mixed(x, i, twice + k);
                for k in 0..i - 3 {
                    x = mixed(x, k + 2, twice);
                }
            }
            mixed(x, 3, i)
        };
        assert_eq!(x.to_vec().unwrap(), [1, 2, 3, 4].map(program));
    });
}

#[test]
fn tables_are_referred_to() {
    on_each_device(|rt| {
        let table = vec![3_u64, 5, 7];
        let table = &table;
        let mut x = Buffer::from(counted(4));
        flash_pipeline! { in rt;
            for i in 0..table.len() { mix(table[i], table[table.len() - 1 - i], &mut x)[4]; }
        }
        .exec()
        .unwrap();
        let program = |x: u64| (0..3).fold(x, |x, i| mixed(x, table[i], table[2 - i]));
        assert_eq!(x.to_vec().unwrap(), [1, 2, 3, 4].map(program));
    });
}

#[test]
fn a_cell_is_read_at_dispatch() {
    on_each_device(|rt| {
        let k = Var::new(1_u64);
        let x = Buffer::from(counted(4));
        let mut y = Buffer::from(vec![0_u64; 4]);
        let mut p = flash_pipeline! { in rt; accumulate(&k, &x, &mut y)[4]; };
        p.exec().unwrap();
        k.set(10).unwrap();
        p.exec().unwrap();
        assert_eq!(y.to_vec().unwrap(), [11, 22, 33, 44]);
    });
}

#[test]
fn question_marks_leave_the_function_around() {
    fn build(rt: &Runtime, x: &mut Buffer<u64>, text: &str) -> Result<(), std::num::ParseIntError> {
        let built = Cell::new(false);
        let _p = flash_pipeline! { in rt;
            mix(text.parse::<u64>()?, 1, x)[4];
            let () = built.set(true);
        };
        assert!(built.get());
        Ok(())
    }
    on_each_device(|rt| {
        let mut x = Buffer::from(counted(4));
        assert!(build(rt, &mut x, "3").is_ok());
        assert!(build(rt, &mut x, "three").is_err());
    });
}

#[test]
fn a_panicking_fragment_unwinds_and_frees_its_buffers() {
    on_each_device(|rt| {
        let mut x = Buffer::from(counted(4));
        let factors = [2_u64, 3];
        let mut p = flash_pipeline! { in rt;
            for k in 0..3 { mix(factors[k], 0, &mut x)[4]; }
        };
        let unwound = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| p.exec()));
        assert!(unwound.is_err());
        assert_eq!(x.to_vec().unwrap(), [6, 12, 18, 24]);
        rt.submit(mix(2, 1, &mut x)).exec([4]).unwrap();
        assert_eq!(x.to_vec().unwrap(), [13, 25, 37, 49]);
    });
}

/// What a run holds is the pipeline's again after it unwound.
#[test]
fn a_pipeline_that_unwound_waits_for_its_buffers_again() {
    on_each_device(|rt| {
        let once = AtomicBool::new(true);
        let factor = |k: u64| {
            assert!(!once.swap(false, Ordering::Relaxed), "once");
            k + 2
        };
        let factor = &factor;
        let mut x = Buffer::from(counted(4));
        let mut p = flash_pipeline! { in rt; for k in 0..2_u64 { mix(factor(k), 0, &mut x)[4]; } };
        let unwound = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| p.exec()));
        assert!(unwound.is_err());
        {
            let held = x.read(..).unwrap();
            let error = p.exec().unwrap_err();
            assert!(matches!(error, Error::HostBorrowed { .. }), "{error}");
            assert_eq!(*held, counted(4)[..]);
        }
        p.exec().unwrap();
        let expected = counted(4).iter().map(|x| 2 * 3 * x).collect::<Vec<_>>();
        assert_eq!(x.to_vec().unwrap(), expected);

        // Borrowed data are there when the run ends.
        once.store(true, Ordering::Relaxed);
        let mut values = counted(4);
        let mut p =
            flash_pipeline! { in rt; for k in 0..2_u64 { mix(factor(k), 0, &mut values)[4]; } };
        let unwound = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| p.exec()));
        assert!(unwound.is_err());
        p.exec().unwrap();
        drop(p);
        assert_eq!(values, expected);
    });
}
