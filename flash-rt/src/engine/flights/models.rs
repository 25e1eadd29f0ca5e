//! Every interleaving of two threads that submit launches and then exchange their arrays. Run with
//! `RUSTFLAGS="--cfg loom" cargo test -p flash-rt --release --lib models::`.

use std::sync::Arc;

use loom::thread;

use super::numbers::Numbers;
use crate::sync::model;

#[test]
fn a_launch_before_an_exchange_of_its_arrays_is_known_to_be() {
    model(|| {
        let numbers = Arc::new(Numbers::default());
        let submit_and_exchange = |numbers: &Numbers| {
            let number = numbers.next();
            numbers.note_exchange();
            number
        };
        let other = {
            let numbers = Arc::clone(&numbers);
            thread::spawn(move || submit_and_exchange(&numbers))
        };
        let own = submit_and_exchange(&numbers);
        let all = [own, other.join().expect("the other thread")];
        assert!(all.iter().all(|&number| numbers.is_before_exchange(number)), "{all:?}");
        assert!(!numbers.is_before_exchange(numbers.next()));
    });
}
