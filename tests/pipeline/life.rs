//! The life of a pipeline: built in a loop, stored, returned, run again, launched, joined.

use std::future::Future;
use std::pin::pin;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, mpsc};
use std::task::{Context, Poll, Wake, Waker};

use flash::prelude::*;

use crate::overlap::LONG;
use crate::{accumulate, counted, mix, mixed, on_each_device};

#[test]
fn a_pipeline_runs_again_with_what_is_there() {
    on_each_device(|rt| {
        let mut x = Buffer::from(counted(100));
        let mut p = flash_pipeline! { in rt;
            for k in 1..4 { mix(k + 1, k, &mut x)[100]; }
        };
        for _ in 0..5 {
            p.exec().unwrap();
        }
        x.set(7, 1000).unwrap();
        p.exec().unwrap();
        let once = |x: u64| (1..4).fold(x, |x, k| mixed(x, k + 1, k));
        let mut expected = counted(100);
        for round in 0..6 {
            if round == 5 {
                expected[7] = 1000;
            }
            expected = expected.into_iter().map(once).collect();
        }
        assert_eq!(x.to_vec().unwrap(), expected);
    });
}

#[test]
fn swaps_of_each_run_add_up() {
    on_each_device(|rt| {
        let (a, b) = (Buffer::from(vec![1_u64; 4]), Buffer::from(vec![2_u64; 4]));
        let clone = a.clone();
        let mut p = flash_pipeline! { in rt; swap(a, b); };
        for (run, first) in [(1, 2), (2, 1), (3, 2)] {
            p.exec().unwrap();
            assert_eq!(a.get(0).unwrap(), first, "run {run}");
            assert_eq!(clone.get(0).unwrap(), first, "a clone is the same array");
            assert_eq!(b.get(3).unwrap(), 3 - first, "run {run}");
        }
    });
}

fn build(rt: &Runtime, stages: u64, x: &mut Buffer<u64>) -> Pipeline<'static> {
    let mut p = rt.pipeline();
    for k in 0..stages {
        p.push(mix(k + 2, k, &mut *x).over(x.space()));
    }
    p
}

fn by_macro(rt: &Runtime, stages: u64, x: &mut Buffer<u64>) -> Pipeline<'static> {
    flash_pipeline! { in rt;
        for k in 0..stages { mix(k + 2, k, &mut *x)[x.space()]; }
    }
}

#[test]
fn pipelines_are_built_in_loops_and_returned() {
    on_each_device(|rt| {
        let (mut x, mut y) = (Buffer::from(counted(33)), Buffer::from(counted(33)));
        let mut pipelines: Vec<Pipeline<'static>> = Vec::new();
        for stages in 1..4 {
            pipelines.push(build(rt, stages, &mut x));
            pipelines.push(by_macro(rt, stages, &mut y));
        }
        for p in &mut pipelines {
            p.exec().unwrap();
        }
        let program =
            |x: u64| (1..4).fold(x, |x, stages| (0..stages).fold(x, |x, k| mixed(x, k + 2, k)));
        let expected: Vec<u64> = counted(33).into_iter().map(program).collect();
        assert_eq!(x.to_vec().unwrap(), expected);
        assert_eq!(y.to_vec().unwrap(), expected);
    });
}

#[test]
fn one_macro_in_a_rust_loop_extends_nothing() {
    on_each_device(|rt| {
        let mut x = Buffer::from(counted(3));
        for k in 0..3 {
            flash_pipeline! { in rt; mix(k + 2, k, &mut x)[3]; }.exec().unwrap();
        }
        let program = |x: u64| (0..3).fold(x, |x, k| mixed(x, k + 2, k));
        assert_eq!(x.to_vec().unwrap(), [1, 2, 3].map(program));
    });
}

#[test]
fn borrowed_data_is_back_when_exec_returns() {
    on_each_device(|rt| {
        let mut values = counted(10);
        let source = vec![5_u64; 10];
        {
            let mut x = Bound::new(&mut values);
            let source = Bound::read(&source);
            flash_pipeline! { in rt;
                mix(3, 1, &mut x)[10];
                for k in 0..2 { accumulate(k + 1, &source, &mut x)[10]; }
            }
            .exec()
            .unwrap();
        }
        let expected: Vec<u64> = (1..=10).map(|x| (mixed(x, 3, 1) + 5 + 10) % 65521).collect();
        assert_eq!(values, expected);
    });
}

/// Counts the wake-ups.
struct Bell(AtomicUsize, mpsc::Sender<()>);

impl Wake for Bell {
    fn wake(self: Arc<Self>) {
        self.0.fetch_add(1, Ordering::SeqCst);
        self.1.send(()).unwrap();
    }
}

#[test]
fn launch_is_a_future_that_wakes_once() {
    on_each_device(|rt| {
        let (go, wait) = mpsc::channel::<()>();
        let (rang, heard) = mpsc::channel();
        let bell = Arc::new(Bell(AtomicUsize::new(0), rang));
        let waker = Waker::from(bell.clone());
        let mut x = Buffer::from(counted(3));
        let p = flash_pipeline! { in rt;
            mix(2, 0, &mut x)[3];
            Task::new("hold", (&x,), move |_| Ok(wait.recv()?));
            mix(2, 1, &mut x)[3];
        };
        let mut handle = pin!(p.launch());
        let mut context = Context::from_waker(&waker);
        assert!(handle.as_mut().poll(&mut context).is_pending());
        assert!(handle.as_mut().poll(&mut context).is_pending());
        assert_eq!(bell.0.load(Ordering::SeqCst), 0);
        go.send(()).unwrap();
        heard.recv_timeout(LONG).expect("a wake-up");
        match handle.as_mut().poll(&mut context) {
            Poll::Ready(result) => drop(result.unwrap()),
            Poll::Pending => panic!("woken before the end"),
        }
        // Once nobody has the waker but this test, nobody can wake it any more.
        while Arc::strong_count(&bell) > 2 {
            std::thread::yield_now();
        }
        assert_eq!(bell.0.load(Ordering::SeqCst), 1);
        assert_eq!(x.to_vec().unwrap(), [5, 9, 13]);
    });
}

#[test]
fn launched_pipelines_keep_the_order_of_their_launches() {
    on_each_device(|rt| {
        let mut x = Buffer::from(counted(64));
        let handles: Vec<_> = (0..6).map(|k| build(rt, k + 1, &mut x).launch()).collect();
        for handle in handles {
            handle.wait().unwrap();
        }
        let program = |x: u64| (0..6).fold(x, |x, n| (0..=n).fold(x, |x, k| mixed(x, k + 2, k)));
        let expected: Vec<u64> = counted(64).into_iter().map(program).collect();
        assert_eq!(x.to_vec().unwrap(), expected);
    });
}

#[test]
fn a_scope_joins_what_borrows() {
    on_each_device(|rt| {
        let (mut left, mut right) = (counted(8), counted(8));
        {
            let (mut l, mut r) = (Bound::new(&mut left), Bound::new(&mut right));
            let mut p = flash_pipeline! { in rt; mix(2, 1, &mut l)[8]; };
            let mut q = flash_pipeline! { in rt; for k in 0..3 { mix(3, k, &mut r)[8]; } };
            rt.scope(|s| {
                s.launch(&mut p);
                s.launch(&mut q);
            })
            .unwrap();
        }
        assert_eq!(left, (1..=8).map(|x| mixed(x, 2, 1)).collect::<Vec<_>>());
        let program = |x: u64| (0..3).fold(x, |x, k| mixed(x, 3, k));
        assert_eq!(right, (1..=8).map(program).collect::<Vec<_>>());
    });
}

/// The facade under another path.
mod gpu {
    pub(crate) use flash::*;
}

#[test]
fn the_facade_may_have_another_name() {
    on_each_device(|rt| {
        let mut x = Buffer::from(counted(3));
        flash_pipeline! { crate = crate::life::gpu; in rt;
            for k in 0..2 { mix(k + 2, k, &mut x)[3]; }
        }
        .exec()
        .unwrap();
        let program = |x: u64| (0..2).fold(x, |x, k| mixed(x, k + 2, k));
        assert_eq!(x.to_vec().unwrap(), [1, 2, 3].map(program));
    });
}

/// A pipeline whose pieces come from a macro of the user's.
macro_rules! repeated {
    ($rt:expr, $kernel:path, $range:expr, $v:ident, $a:expr, $x:expr, $n:expr) => {
        flash_pipeline! { in $rt;
            for $v in $range { $kernel($a, u64::from($v), $x)[$n - $v as usize]; }
            for w in 0..$n { $kernel(w as u64, $a, $x)[1]; }
        }
    };
}

#[test]
fn fragments_of_macros_are_fragments() {
    on_each_device(|rt| {
        let mut x = Buffer::from(counted(3));
        let factor = 2;
        repeated!(rt, crate::mix, 1..3_u8, step, factor + 1, &mut x, 3).exec().unwrap();
        let program = |x: u64| {
            let (first, factor) = (x == 1, factor + 1);
            let x = (1..3).filter(|step| x <= 3 - step).fold(x, |x, step| mixed(x, factor, step));
            if first { (0..3).fold(x, |x, w| mixed(x, w, factor)) } else { x }
        };
        assert_eq!(x.to_vec().unwrap(), [1, 2, 3].map(program));
    });
}
