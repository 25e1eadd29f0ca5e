//! Many threads on one runtime: pipelines that are run, launched, cancelled, let go of while they run, and
//! whose host tasks fail or panic at random points. What came before such a point is there, and nothing
//! after it.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use flash::Error;
use flash::prelude::*;
use flash_rt::sim::{Config, Run, Sim};

use crate::{mix, mixed};

/// x ← x + 1, which commutes with itself.
#[flash::kernel]
fn one_more(x: &mut [u64]) {
    let i = global_id(0);
    x[i] += 1;
}

/// Numbers that look random and are the same everywhere.
struct Random(u64);

impl Random {
    fn below(&mut self, n: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 33) % n
    }
}

/// How the task in the middle of a pipeline ends.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Middle {
    Passes,
    Fails,
    Panics,
}

/// What one thread does: pipelines over an array of its own, and now and then over one of all.
fn member(rt: &Runtime, number: u64, pipelines: u64, shared: &Buffer<u64>, entered: &AtomicU64) {
    let mut random = Random(number);
    let (mut own, mut all) = (Buffer::from(vec![number; 5]), shared.clone());
    let mut expected = number;
    let dropped = Arc::new(AtomicU64::new(0));
    for _ in 0..pipelines {
        let middle = match random.below(16) {
            0 => Middle::Fails,
            1 => Middle::Panics,
            _ => Middle::Passes,
        };
        let b = random.below(1000);
        let way = random.below(4);
        let before = expected;
        let mut p = rt.pipeline();
        p.push(mix(3, b, &mut own).over([5]));
        // It writes, so that what follows waits for it, and runs only if it passes.
        p.push(Task::new("middle", (&mut own,), move |(own,)| match middle {
            Middle::Passes => Ok(()),
            Middle::Fails => Err(format!("{} on purpose", own[0]).into()),
            Middle::Panics => std::panic::resume_unwind(Box::new("on purpose")),
        }));
        p.push(mix(5, 1, &mut own).over([5]));
        expected = mixed(expected, 3, b);
        if middle == Middle::Passes {
            expected = mixed(expected, 5, 1);
            if way != 3 && random.below(4) == 0 {
                p.push(one_more(&mut all).over([3]));
                entered.fetch_add(1, Ordering::Relaxed);
            }
        }
        let result = match way {
            0 => p.exec().map(drop),
            1 => p.launch().wait().map(drop),
            3 => {
                let handle = p.launch();
                (0..random.below(3)).for_each(|_| std::thread::yield_now());
                handle.cancel();
                let result = handle.wait();
                let found = own.get(0).unwrap();
                assert_eq!(own.to_vec().unwrap(), [found; 5]);
                // It came to its end, or to some point before it.
                let half = mixed(before, 3, b);
                match result {
                    Ok(_) => assert_eq!(found, expected),
                    Err(Error::Cancelled { .. }) => {
                        assert!([before, half, expected].contains(&found))
                    }
                    Err(_) => assert!(middle != Middle::Passes && found == half),
                }
                expected = found;
                continue;
            }
            _ => {
                // Nobody waits for it but who wants the data.
                let ended = Arc::clone(&dropped);
                p.push(Task::new("last", (&own,), move |_| {
                    ended.fetch_add(1, Ordering::Relaxed);
                }));
                let so_far = dropped.load(Ordering::Relaxed);
                drop(p.launch());
                assert_eq!(own.to_vec().unwrap(), [expected; 5]);
                let ended = dropped.load(Ordering::Relaxed) - so_far;
                assert_eq!(ended, u64::from(middle == Middle::Passes));
                continue;
            }
        };
        match (middle, result) {
            (Middle::Passes, Ok(()))
            | (Middle::Fails, Err(Error::HostTask { task: "middle", .. }))
            | (Middle::Panics, Err(Error::HostTaskPanic { task: "middle", .. })) => {}
            (middle, other) => panic!("{middle:?}: {other:?}"),
        }
        assert_eq!(own.to_vec().unwrap(), [expected; 5]);
    }
}

fn crowd(rt: &Runtime, threads: u64, pipelines: u64) {
    let shared = Buffer::from(vec![0_u64; 3]);
    let entered = AtomicU64::new(0);
    std::thread::scope(|scope| {
        for number in 0..threads {
            let (shared, entered) = (&shared, &entered);
            scope.spawn(move || member(rt, number, pipelines, shared, entered));
        }
    });
    assert_eq!(shared.to_vec().unwrap(), [entered.into_inner(); 3]);
}

#[test]
fn of_32_threads_with_1000_pipelines_each() {
    let sim = Sim::new(Config { devices: 2, run: Run::Entry, log: false, ..Config::default() });
    let builder = Runtime::builder().backend(Arc::new(sim.clone())).devices("ALL_CPU").threads(2);
    crowd(&builder.build().unwrap(), 32, 1000);
    let used = || (sim.bytes_used(0), sim.bytes_used(1));
    // The thread of a pipeline that nobody waits for drops it after it has given its arrays back.
    for _ in 0..1_000 {
        if used() == (0, 0) {
            break;
        }
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
    assert_eq!(used(), (0, 0), "nothing is left on the devices");
}

#[test]
fn on_the_cpu_alone() {
    for sync in [false, true] {
        let builder = Runtime::builder().devices("ALL_CPU").threads(3).sync(sync);
        crowd(&builder.build().unwrap(), 8, 200);
    }
}
