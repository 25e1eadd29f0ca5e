//! Every interleaving of a run with who cancels it, waits for it and polls it. Run with
//! `RUSTFLAGS="--cfg loom" cargo test -p flash-rt --release --lib models::`.

use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, Wake};

use loom::sync::atomic::{AtomicBool, Ordering};
use loom::thread::{self, JoinHandle};

use super::{Handle, State};
use crate::error::Error;
use crate::report::Report;
use crate::sync::model;

/// How many nodes a run has.
const NODES: u64 = 2;

/// A run as the engine makes one: it looks at the flag before each node and counts it after.
fn start() -> (Handle, JoinHandle<()>) {
    let state = Arc::<State>::default();
    let handle = Handle { state: Arc::clone(&state) };
    let run = thread::spawn(move || {
        for _ in 0..NODES {
            if state.control.is_cancelled() {
                return state.finish(Err(Error::Cancelled { at: None }));
            }
            state.control.count_node();
        }
        state.finish(Ok(Report::default()));
    });
    (handle, run)
}

#[test]
fn a_run_ends_or_is_cancelled_and_the_numbers_say_the_same() {
    model(|| {
        let (handle, run) = start();
        let early = handle.progress().nodes;
        handle.cancel();
        let result = handle.wait();
        let nodes = handle.progress().nodes;
        match result {
            Ok(_) => assert_eq!(nodes, NODES),
            Err(Error::Cancelled { .. }) => assert!(nodes < NODES, "{nodes}"),
            Err(other) => panic!("{other}"),
        }
        assert!(early <= nodes);
        assert!(handle.is_finished() && handle.try_wait().is_some());
        run.join().expect("the run");
        assert_eq!(handle.progress().nodes, nodes, "nothing runs after the end");
    });
}

/// Whether a task was woken.
struct Woken(AtomicBool);

impl Wake for Woken {
    fn wake(self: Arc<Self>) {
        self.0.store(true, Ordering::Relaxed);
    }
}

#[test]
fn who_polls_in_vain_is_woken() {
    model(|| {
        let (mut handle, run) = start();
        let woken = Arc::new(Woken(AtomicBool::new(false)));
        let waker = Arc::clone(&woken).into();
        let polled = Pin::new(&mut handle).poll(&mut Context::from_waker(&waker));
        run.join().expect("the run");
        match polled {
            Poll::Ready(result) => drop(result.expect("nobody cancelled it")),
            Poll::Pending => assert!(woken.0.load(Ordering::Relaxed)),
        }
        assert!(Pin::new(&mut handle).poll(&mut Context::from_waker(&waker)).is_ready());
    });
}
