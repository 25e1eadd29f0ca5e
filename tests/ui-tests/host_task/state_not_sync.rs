// Shared state that two threads may not reach.
use std::cell::Cell;

#[flash::host_task]
fn count(frame: &[f32], n: &Cell<usize>) {
    n.set(n.get() + frame.len());
}

fn main() {}
