//! Programs that come to their end only if two things truly run at once. Each side waits for the
//! other for a while and then reports a miss; under `sync`, where nothing overlaps, each must.

use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use flash::prelude::*;
use flash_rt::Pipeline;

use crate::{counted, mix};

/// How long one side waits for the other, where they meet and where they cannot.
pub(crate) const LONG: Duration = Duration::from_secs(120);
pub(crate) const SHORT: Duration = Duration::from_millis(50);

/// One side of a meeting.
pub(crate) struct Side {
    here: Sender<()>,
    there: Mutex<Receiver<()>>,
    patience: Duration,
}

impl Side {
    /// Whether the other side came.
    fn meet(&self) -> bool {
        let _ = self.here.send(());
        self.there.lock().unwrap().recv_timeout(self.patience).is_ok()
    }
}

pub(crate) fn sides(patience: Duration) -> [Arc<Side>; 2] {
    let ((a, at_a), (b, at_b)) = (channel(), channel());
    [(a, at_b), (b, at_a)]
        .map(|(here, there)| Arc::new(Side { here, there: Mutex::new(there), patience }))
}

/// A kernel whose argument is there once the other side is: 3 then, 0 for a miss.
pub(crate) fn kernel(p: &mut Pipeline<'static>, x: &mut Buffer<u64>, side: &Arc<Side>) {
    let side = Arc::clone(side);
    let a = flash_rt::lazy::Lazy(move |_: &flash_rt::Env| if side.meet() { 3_u64 } else { 0 });
    p.push(mix(a, 0, x).over([2]));
}

pub(crate) fn task(name: &'static str, x: &mut Buffer<u64>, side: &Arc<Side>) -> Task<'static> {
    let side = Arc::clone(side);
    Task::new(name, (x,), move |(mut x,)| {
        let factor = if side.meet() { 3 } else { 0 };
        x[[0]] *= factor;
        x[[1]] *= factor;
    })
}

/// Whether both sides of a program of two stages met, on a runtime that may overlap and on one that
/// may not.
fn meets(build: impl Fn(&mut Pipeline<'static>, [&mut Buffer<u64>; 2], [Arc<Side>; 2])) {
    for key in ["ALL_CPU", "SIM"] {
        for sync in [false, true] {
            let builder = Runtime::builder().devices(key).threads(2).dataflow(true);
            let rt = builder.sync(sync).build().unwrap();
            let (mut x, mut y) = (Buffer::from(counted(2)), Buffer::from(counted(2)));
            let mut p = rt.pipeline();
            build(&mut p, [&mut x, &mut y], sides(if sync { SHORT } else { LONG }));
            p.exec().unwrap();
            let all = [x.to_vec().unwrap(), y.to_vec().unwrap()];
            if sync {
                assert!(all.contains(&vec![0, 0]), "{key}: they met under `sync`: {all:?}");
            } else {
                assert_eq!(all, [[3, 6], [3, 6]], "{key}: a miss");
            }
        }
    }
}

#[test]
fn two_kernels() {
    meets(|p, [x, y], [a, b]| {
        kernel(p, x, &a);
        kernel(p, y, &b);
    });
}

#[test]
fn two_kernels_of_different_trips() {
    meets(|p, [x, y], [a, b]| {
        // The second kernel of the first trip does not wait for the first one of the second trip.
        p.begin_for(0..1_u32);
        kernel(p, x, &a);
        p.end_for();
        p.begin_for(0..1_u32);
        kernel(p, y, &b);
        p.end_for();
    });
}

#[test]
fn a_kernel_and_a_host_task_before_it() {
    meets(|p, [x, y], [a, b]| {
        p.push(task("first", x, &a));
        kernel(p, y, &b);
    });
}

#[test]
fn a_kernel_in_a_branch_and_a_host_task_after_it() {
    meets(|p, [x, y], [a, b]| {
        p.begin_if(true);
        kernel(p, x, &a);
        p.end_if();
        p.push(task("second", y, &b));
    });
}

#[test]
fn two_host_tasks_as_dataflow() {
    meets(|p, [x, y], [a, b]| {
        p.push(task("first", x, &a));
        p.push(task("second", y, &b));
    });
}

#[test]
fn host_tasks_keep_their_order_unless_asked() {
    let rt = Runtime::builder().devices("ALL_CPU").threads(4).build().unwrap();
    let [a, b] = sides(SHORT);
    let (mut x, mut y) = (Buffer::from(counted(2)), Buffer::from(counted(2)));
    let mut p = rt.pipeline();
    p.push(task("first", &mut x, &a));
    p.push(task("second", &mut y, &b));
    p.exec().unwrap();
    assert_eq!(x.to_vec().unwrap(), [0, 0], "the second one ran beside the first");
    assert_eq!(y.to_vec().unwrap(), [3, 6], "what the first one sent was there");
}

#[test]
fn a_launch_returns_while_its_first_task_is_held() {
    let rt = Runtime::open("ALL_CPU").unwrap();
    let mut x = Buffer::from(counted(2));
    let (go, held) = channel::<()>();
    let mut p = rt.pipeline();
    p.push(Task::new("held", (&mut x,), move |(mut x,)| {
        held.recv()?;
        x[[0]] += 10;
        Ok(())
    }));
    let handle = p.launch();
    assert!(!handle.is_finished());
    go.send(()).unwrap();
    handle.wait().unwrap();
    assert_eq!(x.to_vec().unwrap(), [11, 2]);
}
