//! Every interleaving of those who leave a block. Run with
//! `RUSTFLAGS="--cfg loom" cargo test -p flash-rt --release --lib models::`.

use std::sync::Arc;

use loom::cell::UnsafeCell;
use loom::thread;

use super::users::Users;
use crate::sync::model;

#[test]
fn one_is_the_last_to_leave_a_block_and_sees_what_all_did_there() {
    model(|| {
        let block = Arc::new((Users::new(), [UnsafeCell::new(0), UnsafeCell::new(0)]));
        let leave = |(users, slots): &(Users, [UnsafeCell<u32>; 2]), n: usize| {
            let is_last = users.leave(n);
            if is_last {
                // What is freed is no longer used.
                slots.iter().for_each(|slot| slot.with_mut(|_| ()));
            }
            usize::from(is_last)
        };
        let others: Vec<_> = (0..2)
            .map(|k| {
                let block = Arc::clone(&block);
                thread::spawn(move || {
                    block.1[k].with_mut(|_| ());
                    leave(&block, 1)
                })
            })
            .collect();
        // The store has given two out.
        let own = leave(&block, Users::STORE - 2);
        let last: usize = others.into_iter().map(|other| other.join().expect("no panic")).sum();
        assert_eq!(own + last, 1);
    });
}
