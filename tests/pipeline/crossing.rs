//! Many threads on one runtime, whose pipelines want each other's buffers: each takes all of its
//! buffers at once, so that no two can wait for each other.

use flash::prelude::*;

/// x ← x + k: the order does not matter, the number of times does.
#[flash::kernel]
fn add(k: u64, x: &mut [u64]) {
    let i = global_id(0);
    x[i] = x[i] + k;
}

const THREADS: u64 = 32;
const EACH: u64 = 1_000;
const WIDTH: usize = 5;

/// The `k`-th pipeline of a thread: two stages and a task on two buffers of the first level; in some
/// of them the task runs the same on the next level, and so on.
fn one(rt: &Runtime, levels: &[Vec<Buffer<u64>>], thread: u64, k: u64) -> flash::Result<()> {
    let Some((level, deeper)) = levels.split_first() else { return Ok(()) };
    let first = (thread * 7 + k) as usize % WIDTH;
    let second = (first + 1 + k as usize % (WIDTH - 1)) % WIDTH;
    let (mut x, mut y) = (level[first].clone(), level[second].clone());
    let mut p = rt.pipeline();
    p.push(add(1, &mut x).over([4]));
    p.push(Task::new("inside", (&mut y,), |(mut y,)| {
        y[[1]] += 1;
        if k.is_multiple_of(8) {
            one(rt, deeper, thread, k)?
        }
        Ok(())
    }));
    p.push(add(2, &mut y).over([4]));
    p.exec().map(drop)
}

fn total(level: &[Buffer<u64>]) -> u64 {
    level.iter().map(|buffer| buffer.to_vec().unwrap().iter().sum::<u64>()).sum()
}

#[test]
fn threads_cross_each_other_with_one_worker_and_three_levels() {
    for (key, each) in [("ALL_CPU", EACH), ("SIM", EACH / 10)] {
        let rt = Runtime::builder().devices(key).threads(1).build().unwrap();
        let levels: Vec<Vec<Buffer<u64>>> =
            (0..4).map(|_| (0..WIDTH).map(|_| Buffer::zeros(4)).collect()).collect();
        std::thread::scope(|threads| {
            for thread in 0..THREADS {
                let (rt, levels) = (&rt, &levels);
                threads.spawn(move || (0..each).for_each(|k| one(rt, levels, thread, k).unwrap()));
            }
        });
        // Each adds 1 and 2 to four elements, and 1 to one of them.
        let outer = THREADS * each * 13;
        let inner = THREADS * each.div_ceil(8) * 13;
        let found: Vec<u64> = levels.iter().map(|level| total(level)).collect();
        assert_eq!(found, [outer, inner, inner, inner], "{key}");
    }
}

#[test]
fn launched_pipelines_cross_each_other_and_are_cancelled_on_the_way() {
    let rt = Runtime::builder().devices("ALL_CPU").threads(1).build().unwrap();
    let buffers: Vec<Buffer<u64>> = (0..WIDTH).map(|_| Buffer::zeros(4)).collect();
    let started: u64 = std::thread::scope(|threads| {
        let all: Vec<_> = (0..8_usize)
            .map(|thread| {
                let (rt, buffers) = (&rt, &buffers);
                threads.spawn(move || {
                    let mut ended = 0;
                    for k in 0..50_usize {
                        let first = (thread + k) % WIDTH;
                        let second = (first + 1 + k % (WIDTH - 1)) % WIDTH;
                        let (mut x, mut y) = (buffers[first].clone(), buffers[second].clone());
                        let mut p = rt.pipeline();
                        p.push(add(1, &mut x).over([4]));
                        p.push(add(1, &mut y).over([4]));
                        let handle = p.launch();
                        if k % 3 == 0 {
                            handle.cancel();
                        }
                        let done = handle.wait().is_ok();
                        assert!(done || k % 3 == 0);
                        ended += handle.progress().nodes;
                    }
                    ended
                })
            })
            .collect();
        all.into_iter().map(|thread| thread.join().unwrap()).sum()
    });
    assert_eq!(total(&buffers), 4 * started);
}
