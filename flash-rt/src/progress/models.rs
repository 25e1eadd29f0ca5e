//! Every interleaving of those who confirm, give up, submit and ask. Run with
//! `RUSTFLAGS="--cfg loom" cargo test -p flash-rt --release --lib models::`.

use std::sync::Arc;

use loom::sync::atomic::{AtomicU64, Ordering};
use loom::thread;

use super::{Clock, LINES, Progress, Sent, Verdict};
use crate::backend::{Queue, Ticket};
use crate::error::{DriverError, DriverErrorKind};
use crate::sync::model;

const COMPUTE: Queue = Queue::Compute(0);

/// Submits operation `number` of a queue, if that is still possible.
fn submit(
    progress: &Progress,
    epoch: u64,
    queue: Queue,
    number: u64,
    after: &Clock,
) -> Option<Sent> {
    let sent = progress.submit(epoch, queue, after, |_| Ok(Ticket { queue, number }));
    sent.map(|sent| sent.expect("the driver takes it"))
}

fn broken() -> DriverError {
    let (api, kind) = ("test", DriverErrorKind::Failed);
    DriverError { api, code: 1, text: "broken".into(), kind }
}

/// A copy and a kernel that comes after it.
fn two() -> (Arc<Progress>, Sent, Sent) {
    let progress = Arc::new(Progress::default());
    let up = submit(&progress, 0, Queue::Up, 1, &[0; LINES]).expect("nothing was given up");
    let kernel = submit(&progress, 0, COMPUTE, 1, &up.clock).expect("nothing was given up");
    (progress, up, kernel)
}

#[test]
fn who_finds_an_operation_complete_sees_what_it_wrote() {
    model(|| {
        let (progress, up, kernel) = two();
        let written = Arc::new(AtomicU64::new(0));
        let other = {
            let (progress, written) = (Arc::clone(&progress), Arc::clone(&written));
            thread::spawn(move || {
                written.store(7, Ordering::Relaxed);
                assert!(progress.confirm(&kernel));
            })
        };
        for sent in [up, kernel] {
            if progress.verdict(&sent) == Verdict::Done {
                assert_eq!(written.load(Ordering::Relaxed), 7);
            }
        }
        other.join().expect("the other thread");
        assert_eq!([up, kernel].map(|sent| progress.verdict(&sent)), [Verdict::Done; 2]);
    });
}

#[test]
fn what_is_given_up_was_never_complete() {
    model(|| {
        let (progress, up, kernel) = two();
        let other = {
            let progress = Arc::clone(&progress);
            thread::spawn(move || assert!(progress.give_up(&kernel, &broken(), || ())))
        };
        let (first, second) = (progress.verdict(&up), progress.verdict(&up));
        assert!(first != Verdict::Done && second != Verdict::Done, "{first:?}, {second:?}");
        assert!(first == Verdict::UnderWay || second == Verdict::Failed, "it stays so");
        other.join().expect("the other thread");
        assert_eq!([up, kernel].map(|sent| progress.verdict(&sent)), [Verdict::Failed; 2]);
    });
}

#[test]
fn an_operation_is_complete_or_given_up_and_all_say_the_same() {
    model(|| {
        let (progress, up, kernel) = two();
        let other = {
            let progress = Arc::clone(&progress);
            thread::spawn(move || progress.confirm(&kernel))
        };
        let is_given_up = progress.give_up(&kernel, &broken(), || ());
        let is_complete = other.join().expect("the other thread");
        let verdict = match (is_complete, is_given_up) {
            // Confirmed first; what is given up after that is nothing.
            (true, _) => Verdict::Done,
            (false, given_up) => {
                assert!(given_up);
                Verdict::Failed
            }
        };
        assert_eq!([up, kernel].map(|sent| progress.verdict(&sent)), [verdict; 2]);
    });
}

#[test]
fn nothing_is_submitted_on_the_strength_of_what_was_given_up() {
    model(|| {
        let (progress, up, kernel) = two();
        let other = {
            let progress = Arc::clone(&progress);
            thread::spawn(move || assert!(progress.give_up(&kernel, &broken(), || ())))
        };
        let epoch = progress.epoch();
        let seen = progress.verdict(&up);
        let late = submit(&progress, epoch, COMPUTE, 2, &up.clock);
        other.join().expect("the other thread");
        match (seen, late) {
            // It was there in time to be given up with what it comes after.
            (Verdict::UnderWay, Some(late)) => assert_eq!(progress.verdict(&late), Verdict::Failed),
            (_, Some(late)) => assert_eq!(progress.verdict(&late), Verdict::UnderWay),
            (_, None) => {}
        }
    });
}
