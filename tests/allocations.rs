//! What is kept is run again without going to the allocator: pipelines, trips of loops, host tasks,
//! on the caller and on helpers.
#![allow(clippy::unwrap_used, reason = "a test fails by unwrapping")]
#![allow(unsafe_code, reason = "counts what the allocator is asked for")]

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

use flash::prelude::*;

static CALLS: AtomicU64 = AtomicU64::new(0);
static LIVE: AtomicUsize = AtomicUsize::new(0);

struct Counting;

// SAFETY: all is left to the system's allocator; counting touches no memory of it.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        CALLS.fetch_add(1, Ordering::Relaxed);
        LIVE.fetch_add(layout.size(), Ordering::Relaxed);
        // SAFETY: the caller's promise is passed on.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        LIVE.fetch_sub(layout.size(), Ordering::Relaxed);
        // SAFETY: the caller's promise is passed on.
        unsafe { System.dealloc(memory, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// One test at a time: all share the counters.
static ALONE: Mutex<()> = Mutex::new(());

/// x ← (x·a + b) mod 65521
#[flash::kernel]
fn mix(a: u64, b: u64, x: &mut [u64]) {
    let i = global_id(0);
    x[i] = (x[i] * a + b) % 65521;
}

#[flash::kernel]
fn total(x: &[u64], #[reduce(+)] sum: &mut u64) {
    *sum += x[global_id(0)];
}

#[flash::kernel]
fn smooth(x: &[u64], #[scratch(x.len())] line: &mut [u64], y: &mut [u64]) {
    let i = global_id(0);
    line[i] = x[i];
    y[i] = line[i] + 1;
}

/// The least number of allocations that one of some later calls of `again` makes: a thread may
/// start late, once.
fn allocations(mut again: impl FnMut()) -> u64 {
    again();
    again();
    let counted = (0..20).map(|_| {
        let before = CALLS.load(Ordering::Relaxed);
        again();
        CALLS.load(Ordering::Relaxed) - before
    });
    counted.min().unwrap_or(0)
}

fn runtimes() -> Vec<Runtime> {
    let open = |threads, sync| {
        Runtime::builder().devices("ALL_CPU").threads(threads).sync(sync).build().unwrap()
    };
    vec![open(1, false), open(3, false), open(2, true)]
}

#[test]
fn a_kept_pipeline_allocates_nothing_in_later_runs() {
    let _alone = ALONE.lock();
    for rt in runtimes() {
        let (mut x, mut y) = (Buffer::from(vec![1_u64; 64]), Buffer::from(vec![2_u64; 64]));
        let (mut sum, factor) = (Var::new(0_u64), Var::new(3_u64));
        let mut one = flash_pipeline! { in rt; mix(3, 1, &mut x)[64]; };
        assert_eq!(allocations(|| drop(one.exec().unwrap())), 0, "one stage");
        let mut many = flash_pipeline! { in rt;
            mix(&factor, 1, &mut x)[64];
            mix(5, 1, &mut y)[64];
            total(&x, &mut sum)[64];
            swap(x, y);
            if &sum > 1_u64 { mix(2, 1, &mut x)[64]; } else { mix(4, 1, &mut y)[64]; }
        };
        assert_eq!(allocations(|| drop(many.exec().unwrap())), 0, "a graph");
    }
}

#[test]
fn trips_of_loops_allocate_nothing() {
    let _alone = ALONE.lock();
    let trips = if cfg!(debug_assertions) { 20_000 } else { 100_000 };
    for rt in runtimes() {
        let (mut x, mut y) = (Buffer::from(vec![1_u64; 16]), Buffer::from(vec![2_u64; 16]));
        let n = Var::new(1_u64);
        let film = Buffer::<u64, 2>::zeros([4, 16]);
        let (mut sum, turns) = (Var::new(0_u64), Var::new(0_u64));
        let mut done = turns.clone();
        let mut p = flash_pipeline! { in rt;
            for k in 0..&n {
                mix(3, k, &mut x)[16];
                mix(k + 1, 1, &mut y)[16 - (k % 3) as usize];
                total(&film.at((k % 4) as usize), &mut sum)[16];
                Task::new("look", (&x,), |(x,)| { std::hint::black_box(x[[0]]); });
            }
        };
        p.exec().unwrap();
        n.set(trips / 20).unwrap();
        assert_eq!(allocations(|| drop(p.exec().unwrap())), 0, "a `for`");

        let mut p = flash_pipeline! { in rt;
            while &turns < &n, max 1_000_000 {
                Task::new("count", (&mut done,), |(turns,)| *turns += 1);
                mix(3, 1, &mut x)[16];
                mix(5, 1, &mut y)[16];
            }
        };
        p.exec().unwrap();
        let again = || {
            turns.set(0).unwrap();
            drop(p.exec().unwrap());
        };
        assert_eq!(allocations(again), 0, "a `while`");
    }
}

#[test]
fn temporaries_are_kept() {
    let _alone = ALONE.lock();
    let rt = Runtime::builder().devices("ALL_CPU").threads(2).build().unwrap();
    let (x, mut y) = (Buffer::from(vec![1_u64; 64]), Buffer::from(vec![2_u64; 64]));
    let mut p = flash_pipeline! { in rt; for _ in 0..4 { smooth(&x, &mut y)[64]; } };
    assert_eq!(allocations(|| drop(p.exec().unwrap())), 0);
}

#[test]
fn ten_thousand_runs_take_no_more_memory_than_ten() {
    let _alone = ALONE.lock();
    // The simulator's log grows.
    for sync in [false, true] {
        let builder = Runtime::builder().devices("ALL_CPU").threads(2);
        let rt = builder.sync(sync).build().unwrap();
        let (mut x, mut y) = (Buffer::from(vec![1_u64; 16]), Buffer::from(vec![2_u64; 16]));
        let mut p = flash_pipeline! { in rt;
            mix(3, 1, &mut x)[16];
            mix(5, 1, &mut y)[16];
            for k in 0..2 { mix(7, k, &mut y)[16]; }
            swap(x, y);
        };
        (0..10).for_each(|_| drop(p.exec().unwrap()));
        let before = LIVE.load(Ordering::Relaxed);
        (0..10_000).for_each(|_| drop(p.exec().unwrap()));
        let more = LIVE.load(Ordering::Relaxed).saturating_sub(before);
        assert!(more < 4096, "{more} bytes");
    }
}
