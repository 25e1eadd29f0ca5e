//! Every interleaving of workers that note what went wrong. Run with
//! `RUSTFLAGS="--cfg loom" cargo test -p flash-rt --release --lib models::`.

use std::sync::Arc;

use loom::thread;

use super::{Outcome, Violation};
use crate::sync::model;

fn violation(item: u64) -> Violation {
    Violation { item, param: 0, index: [0; super::MAX_ARRAY_RANK] }
}

#[test]
fn the_first_violation_and_the_first_panic_are_kept() {
    model(|| {
        let outcome = Arc::new(Outcome::new());
        let others: Vec<_> = [7, 3]
            .map(|item| {
                let outcome = Arc::clone(&outcome);
                thread::spawn(move || {
                    outcome.violation(violation(item));
                    outcome.panic(item, item.to_string());
                })
            })
            .into_iter()
            .collect();
        // Who sees that something is wrong finds what.
        if !outcome.is_ok() {
            assert!(outcome.take().0.is_some());
            others.into_iter().for_each(|other| other.join().expect("no panic"));
            return;
        }
        others.into_iter().for_each(|other| other.join().expect("no panic"));
        assert!(!outcome.is_ok() && outcome.has_panicked());
        let (first, panic) = outcome.take();
        assert_eq!((first, panic), (Some(violation(3)), Some((3, "3".to_owned()))));
        assert!(outcome.is_ok());
    });
}
