//! What is kept is run again without going to the allocator: pipelines, trips of loops, host tasks,
//! on the caller and on helpers, on the host and on devices with memory of their own.
#![allow(clippy::unwrap_used, reason = "a test fails by unwrapping")]
#![allow(unsafe_code, reason = "counts what the allocator is asked for")]

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use flash::CountBy;
use flash::prelude::*;
use flash_rt::sim::{Config, Run, Sim};

static CALLS: AtomicU64 = AtomicU64::new(0);
static LIVE: AtomicUsize = AtomicUsize::new(0);
static FREED: AtomicU64 = AtomicU64::new(0);
/// Those of more than a page.
static LARGE: AtomicU64 = AtomicU64::new(0);

struct Counting;

// SAFETY: all is left to the system's allocator; counting touches no memory of it.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        CALLS.fetch_add(1, Ordering::Relaxed);
        LIVE.fetch_add(layout.size(), Ordering::Relaxed);
        LARGE.fetch_add(u64::from(layout.size() > 4096), Ordering::Relaxed);
        // SAFETY: the caller's promise is passed on.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        FREED.fetch_add(1, Ordering::Relaxed);
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

#[flash::kernel(T = [i8, i16, i32, i64, u8, u16, u32, u64, f32, f64])]
fn put<T>(value: T, cell: &mut [T]) {
    cell[global_id(0)] = value;
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
        let mut phases = rt.pipeline();
        phases.push(mix(3, 1, &mut x).group_by(0).over([64]));
        phases.push(total(&y, &mut sum).sort_by([0]).over((CountBy::list([3, 1, 2]),)));
        assert_eq!(allocations(|| drop(phases.exec().unwrap())), 0, "phases");
        let mut in_turn = rt.pipeline();
        macro_rules! each {
            ($($t:ty),*) => {$(
                let mut cell = Buffer::<$t>::zeros(4);
                in_turn.push(put(3 as $t, &mut cell).over([4]));
                in_turn.push(total(&y, &mut sum).over([4]));
            )*};
        }
        each!(i8, i16, i32, i64, u8, u16, u32, u64, f32, f64);
        assert_eq!(allocations(|| drop(in_turn.exec().unwrap())), 0, "many kernels in turn");
    }
}

#[test]
fn what_is_short_and_built_anew_works_out_no_order() {
    let _alone = ALONE.lock();
    let runtimes = runtimes();
    let alone = built_anew(&runtimes[2]);
    // Once a run was short the next ones ask for no order. On a busy machine it takes a while until one is.
    for (rt, threads) in runtimes.iter().zip([1, 3]) {
        let again = (0..500).map(|_| built_anew(rt)).find(|built| *built == alone);
        assert_eq!(again, Some(alone), "with {threads} threads");
    }
}

/// `mix` so many times: how long that takes nobody knows before.
#[flash::kernel]
fn mix_often(times: u64, a: u64, x: &mut [u64]) {
    let i = global_id(0);
    for _ in 0..times {
        x[i] = (x[i] * a + 1) % 65521;
    }
}

/// How often a short pipeline, built for each run, goes to the allocator.
fn built_anew(rt: &Runtime) -> u64 {
    let (mut x, mut y) = (Buffer::from(vec![1_u64; 16]), Buffer::from(vec![1_u64; 16]));
    allocations(|| {
        let mut p = rt.pipeline();
        for _ in 0..50 {
            p.push(mix_often(3, 1, &mut x).over([8])).push(mix_often(1, 1, &mut y).over([1]));
        }
        drop(p.exec().unwrap());
    })
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

        let rows = Buffer::<u64, 2>::zeros([trips as usize / 20, 16]);
        let mut p = flash_pipeline! { in rt;
            for k in 0..&n {
                mix(3, k, &mut x)[16];
                total(&rows.at(k as usize), &mut sum)[16];
                Task::new("look", (&x,), |(x,)| { std::hint::black_box(x[[0]]); });
                swap(x, y);
            }
        };
        p.exec().unwrap();
        assert_eq!(allocations(|| drop(p.exec().unwrap())), 0, "exchanges and rows");

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

/// So many devices with memory of their own, whose simulator allocates nothing for copies and for a launch
/// that is kept ready.
fn on_devices(devices: usize) -> Vec<Runtime> {
    let open = |sync| {
        let config = Config { devices, log: false, run: Run::Entry, ..Config::default() };
        let sim = Arc::new(Sim::new(config));
        Runtime::builder().backend(sim).threads(2).sync(sync).build().unwrap()
    };
    vec![open(false), open(true)]
}

#[test]
fn trips_on_devices_allocate_nothing() {
    let _alone = ALONE.lock();
    for (rt, devices) in
        [1, 2].into_iter().flat_map(|n| on_devices(n).into_iter().map(move |rt| (rt, n)))
    {
        let [mut x, mut y, mut z] = [(); 3].map(|()| Buffer::from(vec![1_u64; 16]));
        let n = Var::new(1_u64);
        // With two devices the arrays go from one to the other.
        let mut p = flash_pipeline! { in rt;
            for _k in 0..&n {
                mix(3, 1, &mut x)[16];
                mix(2, 1, &mut y)[16];
                mix(5, 7, &mut x)[16];
                swap(x, y);
            }
        };
        p.exec().unwrap();
        n.set(500).unwrap();
        assert_eq!(allocations(|| drop(p.exec().unwrap())), 0, "launches, {devices} devices");
        drop(p);

        n.set(1).unwrap();
        let mut p = flash_pipeline! { in rt;
            for _k in 0..&n {
                Task::new("change", (&mut x,), |(mut x,)| x[[0]] += 1);
                mix(3, 1, &mut x)[16];
                mix(2, 1, &mut z)[16];
                Task::new("look", (&x,), |(x,)| { std::hint::black_box(x[[0]]); });
            }
        };
        p.exec().unwrap();
        n.set(500).unwrap();
        assert_eq!(allocations(|| drop(p.exec().unwrap())), 0, "tasks, {devices} devices");
    }
}

/// Each node of a pipeline has arguments; of many they are in a few blocks.
#[test]
fn many_nodes_are_in_few_allocations() {
    const N: usize = 200_000;
    let _alone = ALONE.lock();
    for rt in runtimes() {
        let mut x = Buffer::<u64>::zeros(8);
        let mut freed = || {
            let mut pipeline = rt.pipeline();
            for k in 0..N {
                pipeline.push(mix(2, 1, x.view_mut(k % 8..k % 8 + 1)).over([1]));
            }
            let freed = FREED.load(Ordering::Relaxed);
            drop(pipeline);
            FREED.load(Ordering::Relaxed) - freed
        };
        // This thread keeps some blocks.
        freed();
        let live = LIVE.load(Ordering::Relaxed);
        let freed = freed();
        assert!(freed < N as u64 / 4, "{freed} for {N} nodes");
        // Of a block much more would be left, of the names of other tests' threads less.
        assert!(LIVE.load(Ordering::Relaxed) < live + (64 << 10));
    }
}

/// A pipeline written out again and again meets no new memory for its nodes and their arguments, and of
/// what it leaves a thread keeps no more than it says.
#[test]
fn the_memory_of_nodes_is_kept_for_the_next_pipeline() {
    const N: usize = 4096;
    let _alone = ALONE.lock();
    let rt = Runtime::open("ALL_CPU").unwrap();
    let build = |n: usize| {
        let mut x = Buffer::<u64>::zeros(8);
        let mut pipeline = rt.pipeline();
        for k in 0..n {
            pipeline.push(mix(2, 1, x.view_mut(k % 8..k % 8 + 1)).over([1]));
        }
    };
    // A thread of its own, which has kept nothing yet and gives all back in the end.
    let live = LIVE.load(Ordering::Relaxed);
    let ours = std::thread::scope(|scope| {
        let ours = scope.spawn(|| {
            let large = |n: usize| {
                let before = LARGE.load(Ordering::Relaxed);
                build(n);
                LARGE.load(Ordering::Relaxed) - before
            };
            let first = large(N);
            // Three arguments each; the list of nodes grows a dozen times.
            assert!(first > (N * 3 * 40 / 8192) as u64, "{first}");
            let again = large(N);
            // A list is taken where it is not much too large for the nodes that there are.
            assert!(again < 6, "{again} of {first}");
            build(8 * N);
            let kept = LIVE.load(Ordering::Relaxed).saturating_sub(live);
            assert!(kept < (2 << 20) + (64 << 10), "{kept} bytes");
            build(2 * N);
            let kept = LIVE.load(Ordering::Relaxed).saturating_sub(live);
            assert!(kept < (3 << 20) + (64 << 10), "{kept} bytes");
        });
        ours.join()
    });
    ours.unwrap();
    assert!(LIVE.load(Ordering::Relaxed) < live + (64 << 10), "a thread that ends keeps nothing");
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
        let mut more = || {
            let before = LIVE.load(Ordering::Relaxed);
            (0..10_000).for_each(|_| drop(p.exec().unwrap()));
            LIVE.load(Ordering::Relaxed).saturating_sub(before)
        };
        // Threads of other tests take some beside it, once; what runs leave comes each time.
        let all: Vec<usize> = (0..3).map(|_| more()).collect();
        assert!(all.iter().any(|more| *more < 4096), "{all:?} bytes");
    }
}

/// A program that takes all kinds of memory: images, more memories of one image, temporaries,
/// partial results, host images of what is spilled, and what it borrows.
fn all_kinds(rt: &Runtime) -> flash::Result<()> {
    const N: usize = 8192;
    let mut lent = vec![3_u64; N];
    let film: Vec<Buffer<u64>> = (0..4).map(|_| Buffer::zeros(N)).collect();
    let mut sum = Var::new(0_u64);
    let mut p = rt.pipeline();
    let mut lent = Bound::new(&mut lent);
    p.begin_for(0..2_u32);
    for (k, frame) in film.iter().enumerate() {
        let mut to = film[(k + 1) % 4].clone();
        p.push(mix(3, k as u64, &mut lent).over([N]));
        p.push(smooth(frame, &mut to).over([N]));
        p.push(total(frame, &mut sum).over([N]));
    }
    let mut first = film[0].clone();
    p.push(Task::new("write", (&mut first,), |(mut x,)| x[[7]] = 1));
    p.end_for();
    p.exec()?;
    film.iter().try_for_each(|frame| frame.to_vec().map(drop))
}

/// Whatever call of a device fails, and when a device is lost, all that the engine has taken on the
/// host and on devices is given back.
#[test]
fn what_fails_leaves_no_memory_behind() {
    use flash_rt::sim::{Config, Fault, Kind, Run, Sim};

    let _alone = ALONE.lock();
    let open = |fault: Option<Fault>| {
        // Three arrays and a half of four fit, or two with a second memory.
        let memory = 7 * 8192 * 8 / 2;
        let config =
            Config { devices: 2, memory, run: Run::Entry, log: false, ..Config::default() };
        let sim = Sim::new(config);
        fault.into_iter().for_each(|fault| sim.inject(fault));
        let builder = Runtime::builder().backend(Arc::new(sim.clone())).copies(2);
        (sim, builder.build().unwrap())
    };
    /// Threads that were working end a little later.
    fn settled(base: usize) -> usize {
        let mut left = 0;
        for _ in 0..400 {
            left = LIVE.load(Ordering::Relaxed).saturating_sub(base);
            if left < 16 << 10 {
                break;
            }
            std::thread::sleep(std::time::Duration::from_millis(5));
        }
        left
    }
    let (sim, rt) = open(None);
    all_kinds(&rt).unwrap();
    let tallies = Kind::ALL.map(|kind| (kind, sim.tally(kind)));
    drop((sim, rt));
    settled(0);
    let base = LIVE.load(Ordering::Relaxed);
    let mut faults = Vec::new();
    for (call, calls) in tallies {
        for nth in 0..calls.min(12) {
            faults.push(Fault::Fail { call, nth: nth * calls.div_ceil(12) % calls, device: None });
            faults.push(Fault::Break { call, nth, device: None });
        }
    }
    faults.extend((0..40).map(|k| Fault::Lose { device: k % 2, after: 3 * k as u64 }));
    let mut failed = 0;
    for fault in faults {
        let (sim, rt) = open(Some(fault));
        failed += usize::from(all_kinds(&rt).is_err());
        for device in 0..2 {
            assert_eq!((sim.bytes_used(device), rt.devices()[device].bytes_used()), (0, 0));
        }
        drop((sim, rt));
        // The smallest array is four times as large.
        let left = settled(base);
        assert!(left < 16 << 10, "{left} bytes are left after {fault:?}");
    }
    assert!(failed > 20, "only {failed} runs failed");
}
