//! Every interleaving of threads that run nodes in passing, and of the watch: what is set back is
//! handed out once, also where the node that it was set back for does not end before it has run. Run as
//! `engine/models.rs`.

use std::sync::Arc;

use loom::sync::{Condvar, Mutex};
use loom::thread;

use super::Passing;
use crate::sync::model;

/// What was handed out.
#[derive(Default)]
struct Out {
    nodes: Mutex<Vec<u32>>,
    changed: Condvar,
}

impl Out {
    fn add(&self, nodes: &[u32]) {
        self.nodes.lock().expect("nobody panics").extend_from_slice(nodes);
        self.changed.notify_all();
    }

    fn wait(&self, node: u32) {
        let mut nodes = self.nodes.lock().expect("nobody panics");
        while !nodes.contains(&node) {
            nodes = self.changed.wait(nodes).expect("nobody panics");
        }
    }

    fn sorted(&self) -> Vec<u32> {
        let mut nodes = self.nodes.lock().expect("nobody panics").clone();
        nodes.sort_unstable();
        nodes
    }
}

/// Sets a node back for one that runs until `run` returns; offers it where another one runs in passing.
fn pass(passing: &Passing, out: &Out, node: u32, run: impl FnOnce()) {
    if !passing.enter() {
        return out.add(&[node]);
    }
    passing.back().push(node);
    run();
    let mut ready = Vec::new();
    passing.leave(&mut ready);
    out.add(&ready);
}

#[test]
fn what_is_set_back_is_handed_out_once() {
    model(|| {
        let passing = Arc::new(Passing::new((Vec::new(), Vec::new()), &[]));
        let out = Arc::new(Out::default());
        let others = [1, 2].map(|node| {
            let (passing, out) = (Arc::clone(&passing), Arc::clone(&out));
            thread::spawn(move || pass(&passing, &out, node, || ()))
        });
        out.add(&passing.stuck());
        out.add(&passing.stuck());
        others.into_iter().for_each(|other| other.join().expect("the other thread"));
        assert_eq!(out.sorted(), [1, 2]);
    });
}

#[test]
fn the_watch_hands_out_what_a_node_waits_for() {
    model(|| {
        let passing = Arc::new(Passing::new((Vec::new(), Vec::new()), &[]));
        let out = Arc::new(Out::default());
        let other = {
            let (passing, out) = (Arc::clone(&passing), Arc::clone(&out));
            thread::spawn(move || pass(&passing, &out, 1, || out.wait(1)))
        };
        // As often as the turn may change between two looks, and once more.
        while out.sorted().is_empty() {
            out.add(&passing.stuck());
            thread::yield_now();
        }
        other.join().expect("the other thread");
        assert_eq!(out.sorted(), [1]);
    });
}
