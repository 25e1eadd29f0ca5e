//! The simulator through its contract: exact times, order, faults, memory. Pipelines over it are
//! tested elsewhere.
#![allow(unsafe_code, reason = "submits copies and launches of memory that the tests own")]

use std::any::TypeId;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::mpsc::channel;
use std::thread;
use std::time::{Duration, Instant};

use super::*;
use crate::backend::clock::Hold;
use crate::backend::conformance::kernels::AFFINE;
use crate::descriptor::Entries;
use crate::entry::{Args, ArraySlot, Outcome, OwnMap, Slot, Tag};
use crate::space::{Block, Space};

const US: fn(u64) -> Duration = Duration::from_micros;

/// A device that takes so many microseconds for a byte up, a launch and a byte down.
fn speed(up: u64, launch: u64, down: u64) -> Speed {
    let link = |us: u64| Link { latency: US(us), bytes_per_second: 0 };
    Speed { up: link(up), down: link(down), launch: US(launch), ..Speed::default() }
}

fn simulator(speed: Speed) -> Sim {
    Sim::new(Config { devices: 1, run: Run::Entry, speed, ..Config::default() })
}

fn up(sim: &Sim, memory: &SimMemory, src: &[u8], after: &[Ticket]) -> Ticket {
    let all = Region::row(0, src.len() as u64);
    // SAFETY: the tests keep `src` until the copy is complete or given up, and order what touches
    // the memory.
    unsafe { sim.upload(0, memory, all, src, all, after) }.unwrap()
}

fn down(sim: &Sim, memory: &SimMemory, dst: &mut [u8], after: &[Ticket]) -> Ticket {
    let all = Region::row(0, dst.len() as u64);
    // SAFETY: as for `up`.
    unsafe { sim.download(0, memory, all, dst, all, after) }.unwrap()
}

static THREE: u32 = 3;
static ONE: u32 = 1;

/// `x[i] = 3 * x[i] + 1` over the elements of a memory from `offset` bytes on.
fn launch(
    sim: &Sim,
    queue: u8,
    memory: (&SimMemory, usize, usize),
    outcome: &Outcome,
    after: &[Ticket],
) -> Result<Ticket, DriverError> {
    let (memory, offset, n) = memory;
    let module = sim.load(0, &AFFINE)?;
    let value = |value: &'static u32| Slot {
        tag: Tag::Value,
        elem: TypeId::of::<u32>(),
        array: ArraySlot {
            base: std::ptr::from_ref(value).cast_mut().cast(),
            ..ArraySlot::empty()
        },
    };
    let mut own = OwnMap::NONE;
    own.dim[0] = 0;
    let mut array = ArraySlot { own, rank: 1, ..ArraySlot::empty() };
    (array.held[0], array.shape[0], array.stride[0]) = (n, n, 1);
    array.base = std::ptr::without_provenance_mut(offset);
    let slots =
        [value(&THREE), value(&ONE), Slot { tag: Tag::Own, elem: TypeId::of::<u32>(), array }];
    let launch = LaunchInfo {
        kernel: &AFFINE,
        space: &Space::new(&[n]).unwrap(),
        part: None,
        geometry: None,
        slots: &slots,
        memories: &[None, None, Some(memory)],
        outcome,
        check_all: false,
    };
    // SAFETY: the slots fit the kernel's parameters, the memory holds the elements, the outcome is
    // kept, and the tests order what touches the memory.
    unsafe { sim.launch(0, queue, &module, &launch, after) }
}

#[test]
fn three_queues_take_as_long_as_they_must() {
    for (u, c, d) in [(3, 10, 2), (10, 3, 2), (2, 3, 10), (5, 5, 5), (0, 7, 0), (4, 0, 4)] {
        for k in [1, 2, 7, 50] {
            let sim = simulator(speed(u, c, d));
            let outcome = Outcome::new();
            let memories: Vec<_> = (0..k).map(|_| sim.allocate(0, 4).unwrap()).collect();
            let mut data: Vec<[u8; 4]> = (0..k).map(|i| (i as u32).to_le_bytes()).collect();
            let sources = data.clone();
            let mut last = Ticket::DONE;
            for ((memory, src), dst) in memories.iter().zip(&sources).zip(&mut data) {
                let sent = up(&sim, memory, src, &[]);
                let ran = launch(&sim, 0, (memory, 0, 1), &outcome, &[sent]).unwrap();
                last = down(&sim, memory, dst, &[ran]);
            }
            Backend::wait(&sim, 0, last).unwrap();
            let usage = sim.usage();
            let n = k as u64;
            assert_eq!(
                usage.makespan,
                US(u + c + d + (n - 1) * u.max(c).max(d)),
                "{k} x {u},{c},{d}"
            );
            let queues = [(Queue::Up, u), (Queue::Compute(0), c), (Queue::Down, d)];
            for (queue, each) in queues {
                assert_eq!(usage.busy(0, queue), US(n * each));
            }
            for (i, data) in data.iter().enumerate() {
                assert_eq!(u32::from_le_bytes(*data), 3 * i as u32 + 1);
            }
        }
    }
}

#[test]
fn two_buffers_follow_the_recurrence() {
    let (u, c, d, k) = (7_u64, 9_u64, 8_u64, 40_usize);
    let sim = simulator(speed(u, c, d));
    let outcome = Outcome::new();
    let memories = [sim.allocate(0, 4).unwrap(), sim.allocate(0, 4).unwrap()];
    let (src, mut dst) = ([1; 4], vec![[0; 4]; k]);
    let mut downs: Vec<Ticket> = Vec::new();
    // When each upload, launch and download ends, by hand.
    let mut ends: Vec<[u64; 3]> = Vec::new();
    for (i, dst) in dst.iter_mut().enumerate() {
        let memory = &memories[i % 2];
        let free = downs.len().checked_sub(2).map(|at| downs[at]);
        let sent = up(&sim, memory, &src, free.as_slice());
        let ran = launch(&sim, 0, (memory, 0, 1), &outcome, &[sent]).unwrap();
        downs.push(down(&sim, memory, dst, &[ran]));
        let before = |back: usize, stage: usize| {
            ends.len().checked_sub(back).map_or(0, |at| ends[at][stage])
        };
        let up = before(1, 0).max(before(2, 2)) + u;
        let ran = up.max(before(1, 1)) + c;
        let down = ran.max(before(1, 2)) + d;
        ends.push([up, ran, down]);
    }
    Backend::wait(&sim, 0, downs[k - 1]).unwrap();
    let of = |queue| {
        let calls = sim.calls();
        let own = calls.into_iter().filter(move |call| call.queue == Some(queue));
        own.map(|call| call.span.unwrap().end).collect::<Vec<_>>()
    };
    for (stage, queue) in [Queue::Up, Queue::Compute(0), Queue::Down].into_iter().enumerate() {
        assert_eq!(of(queue), ends.iter().map(|all| US(all[stage])).collect::<Vec<_>>());
    }
}

#[test]
fn shared_copies_take_turns_in_the_order_they_are_ready() {
    let sim = simulator(Speed { shared_copies: true, ..speed(4, 0, 6) });
    let memory = sim.allocate(0, 8).unwrap();
    let (src, mut dst) = ([1; 8], [0; 8]);
    // The download waits for the first upload, and is ready before the third one's turn.
    let first = up(&sim, &memory, &src, &[]);
    let other = sim.allocate(0, 8).unwrap();
    up(&sim, &other, &src, &[]);
    up(&sim, &other, &src, &[]);
    let last = down(&sim, &memory, &mut dst, &[first]);
    Backend::wait(&sim, 0, last).unwrap();
    let clock = Sim::clock(&sim);
    clock.sleep(US(100));
    let spans: Vec<_> = sim.calls().iter().filter_map(|call| call.span).collect();
    let span = |begin, end| Span { begin: US(begin), end: US(end) };
    assert_eq!(spans, [span(0, 4), span(4, 8), span(14, 18), span(8, 14)]);
}

#[test]
fn compute_queues_run_side_by_side_and_a_slow_device_slower() {
    let sim = simulator(Speed { queues: 2, ..speed(1, 10, 1) });
    let outcome = Outcome::new();
    let memories = [sim.allocate(0, 4).unwrap(), sim.allocate(0, 4).unwrap()];
    let first = launch(&sim, 0, (&memories[0], 0, 1), &outcome, &[]).unwrap();
    let second = launch(&sim, 1, (&memories[1], 0, 1), &outcome, &[]).unwrap();
    for ticket in [first, second] {
        Backend::wait(&sim, 0, ticket).unwrap();
    }
    assert_eq!(Sim::clock(&sim).now(), US(10));
    sim.slow(0, 2.5);
    let third = launch(&sim, 0, (&memories[0], 0, 1), &outcome, &[]).unwrap();
    Backend::wait(&sim, 0, third).unwrap();
    assert_eq!(Sim::clock(&sim).now(), US(35));
}

#[test]
fn a_hundred_runs_leave_the_same_trace() {
    // Two host threads that take turns with the device, as tasks would, on the virtual clock.
    let run = |seed| {
        let config =
            Config { devices: 1, run: Run::Entry, speed: speed(3, 5, 4), ..Config::default() };
        let sim = Sim::new(Config { seed, ..config });
        let clock = Sim::clock(&sim);
        let outcome = Outcome::new();
        thread::scope(|scope| {
            let _main = Hold::new(&clock).enter();
            for worker in 0..2_u64 {
                let hold = Hold::new(&clock);
                let (sim, clock, outcome) = (&sim, &clock, &outcome);
                let memory = sim.allocate(0, 4).unwrap();
                scope.spawn(move || {
                    let _active = hold.enter();
                    for round in 0..10 {
                        clock.sleep(US(7 * worker + 2 * round + 1));
                        let mut data = [1; 4];
                        let sent = up(sim, &memory, &data, &[]);
                        let ran = launch(sim, 0, (&memory, 0, 1), outcome, &[sent]).unwrap();
                        let got = down(sim, &memory, &mut data, &[ran]);
                        Backend::wait(sim, 0, got).unwrap();
                        assert_eq!(u32::from_le_bytes(data), 3 * 0x0101_0101 + 1);
                    }
                });
            }
        });
        sim.calls()
    };
    let first = run(None);
    assert_eq!(first.len(), 2 + 2 * 10 * 4);
    for k in 0..100 {
        let seed = (k % 2 == 1).then_some(k);
        assert_eq!(run(seed), first, "run {k}");
    }
}

#[test]
fn what_is_not_ordered_shows() {
    // The launch does not wait for the upload, which takes effect at its end.
    let sim = simulator(speed(10, 1, 1));
    let outcome = Outcome::new();
    let memory = sim.allocate(0, 4).unwrap();
    let mut data = [0; 4];
    let sent = up(&sim, &memory, &[7, 0, 0, 0], &[]);
    let ran = launch(&sim, 0, (&memory, 0, 1), &outcome, &[]).unwrap();
    let got = down(&sim, &memory, &mut data, &[sent, ran]);
    Backend::wait(&sim, 0, got).unwrap();
    assert_ne!(u32::from_le_bytes(data), 22);
    // Nobody ever wrote what this reads.
    let fresh = sim.allocate(0, 64).unwrap();
    let mut data = [0; 64];
    let got = down(&sim, &fresh, &mut data, &[]);
    Backend::wait(&sim, 0, got).unwrap();
    assert_eq!(sim.counts().poison, 64);
}

#[test]
fn a_failed_operation_takes_its_device_down_until_it_is_reset() {
    let sim = simulator(speed(1, 10, 1));
    let outcome = Outcome::new();
    let memory = sim.allocate(0, 4).unwrap();
    let mut data = [0; 4];
    let sent = up(&sim, &memory, &[1, 0, 0, 0], &[]);
    sim.inject(Fault::Break { call: Kind::Launch, nth: 0, device: None });
    let ran = launch(&sim, 0, (&memory, 0, 1), &outcome, &[sent]).unwrap();
    let got = down(&sim, &memory, &mut data, &[ran]);
    Backend::wait(&sim, 0, sent).unwrap();
    for ticket in [ran, got] {
        let error = Backend::wait(&sim, 0, ticket).unwrap_err();
        assert_eq!((error.api, error.kind), ("sim::launch", DriverErrorKind::Failed));
    }
    assert!(sim.completed(0, Queue::Up).is_err());
    assert!(launch(&sim, 0, (&memory, 0, 1), &outcome, &[]).is_err());
    sim.reset(0).unwrap();
    for ticket in [sent, ran, got] {
        Backend::wait(&sim, 0, ticket).unwrap();
    }
    let ran = launch(&sim, 0, (&memory, 0, 1), &outcome, &[]).unwrap();
    let got = down(&sim, &memory, &mut data, &[ran]);
    Backend::wait(&sim, 0, got).unwrap();
    assert_eq!(u32::from_le_bytes(data), 4, "the upload stands, the first launch never was");
    assert_eq!(sim.tally(Kind::Launch), 2);
    assert_eq!(sim.counts().launches, 2, "one of them has no end");
}

#[test]
fn a_corrupt_binary_fails_when_it_runs() {
    let sim = simulator(speed(1, 1, 1));
    let outcome = Outcome::new();
    let memory = sim.allocate(0, 4).unwrap();
    sim.inject(Fault::Corrupt { nth: 0 });
    let ran = launch(&sim, 0, (&memory, 0, 1), &outcome, &[]).unwrap();
    let error = Backend::wait(&sim, 0, ran).unwrap_err();
    assert!(error.text.contains("`affine`") && error.text.contains("corrupt"), "{error}");
}

#[test]
fn a_launch_that_is_refused_sets_nothing_up() {
    let setups = vec![("affine".to_owned(), 1)];
    let sim = simulator(Speed { setups, setup: US(10), ..speed(0, 1, 0) });
    let memory = sim.allocate(0, 4).unwrap();
    let outcome = Outcome::new();
    let ran = |sim: &Sim| launch(sim, 0, (&memory, 0, 1), &outcome, &[]);
    sim.inject(Fault::Fail { call: Kind::Launch, nth: 0, device: None });
    ran(&sim).unwrap_err();
    assert_eq!(Backend::is_set_up(&sim, 0), None);
    // The next one pays for it, the one after that does not.
    for makespan in [US(11), US(12)] {
        let ticket = ran(&sim).unwrap();
        Backend::wait(&sim, 0, ticket).unwrap();
        assert_eq!((sim.usage().makespan, Backend::is_set_up(&sim, 0)), (makespan, Some(1)));
    }
}

#[test]
fn a_lost_device_stays_lost_and_gives_back_its_memory() {
    let sim = simulator(speed(1, 1, 1));
    let memory = sim.allocate(0, 4).unwrap();
    sim.inject(Fault::Lose { device: 0, after: 1 });
    let sent = up(&sim, &memory, &[1; 4], &[]);
    let error = sim.allocate(0, 4).unwrap_err();
    assert_eq!(error.kind, DriverErrorKind::DeviceLost);
    let lost = |result: Result<(), DriverError>| {
        assert_eq!(result.unwrap_err().kind, DriverErrorKind::DeviceLost);
    };
    lost(Backend::wait(&sim, 0, sent));
    lost(sim.reset(0));
    lost(sim.load(0, &AFFINE).map(drop));
    drop(memory);
    assert_eq!(sim.bytes_used(0), 0);
    sim.recover(0).unwrap();
    let memory = sim.allocate(0, 4).unwrap();
    let sent = up(&sim, &memory, &[1; 4], &[]);
    Backend::wait(&sim, 0, sent).unwrap();
}

#[test]
fn a_buffer_of_six_gib_takes_no_such_memory() {
    let sim = Sim::new(Config { memory: 8 << 30, run: Run::Entry, ..Config::default() });
    let outcome = Outcome::new();
    let memory = sim.allocate(0, 6 << 30).unwrap();
    let offset = 5_u64 << 30;
    let (src, mut dst) = ([1_u8, 0, 0, 0, 2, 0, 0, 0], [0_u8; 8]);
    let (there, here) = (Region::row(offset, 8), Region::row(0, 8));
    // SAFETY: as for `up`; tickets order the three.
    let sent = unsafe { sim.upload(0, &memory, there, &raw const src, here, &[]) }.unwrap();
    let ran = launch(&sim, 0, (&memory, offset as usize, 2), &outcome, &[sent]).unwrap();
    // SAFETY: as above.
    let got = unsafe { sim.download(0, &memory, there, &raw mut dst, here, &[ran]) }.unwrap();
    Backend::wait(&sim, 0, got).unwrap();
    assert_eq!(dst, [4, 0, 0, 0, 7, 0, 0, 0]);
    assert!(sim.allocate(0, 3 << 30).is_err(), "a device has no more than it was given");
}

/// How many launches of `MEET` have begun, and how many ended with another one at work.
static HERE: AtomicU32 = AtomicU32::new(0);
static MET: AtomicU32 = AtomicU32::new(0);

/// Waits for another launch, two minutes at most.
fn meet(_: &mut Args<'_>, _: &Block) {
    HERE.fetch_add(1, Ordering::SeqCst);
    let start = Instant::now();
    while HERE.load(Ordering::SeqCst) < 2 {
        if start.elapsed() > Duration::from_secs(120) {
            return;
        }
        thread::yield_now();
    }
    MET.fetch_add(1, Ordering::SeqCst);
}

#[test]
fn units_of_the_real_clock_run_at_once() {
    static MEET: KernelDescriptor = KernelDescriptor {
        name: "meet",
        params: &[],
        entries: Some(Entries::portable(meet)),
        ..AFFINE
    };
    let speed = Speed { queues: 2, ..Speed::default() };
    let sim = Sim::new(Config { time: Time::Real, speed, run: Run::Entry, ..Config::default() });
    let module = sim.load(0, &MEET).unwrap();
    let outcome = Outcome::new();
    let space = Space::new(&[1]).unwrap();
    let launch = LaunchInfo {
        kernel: &MEET,
        space: &space,
        part: None,
        geometry: None,
        slots: &[],
        memories: &[],
        outcome: &outcome,
        check_all: false,
    };
    let tickets = [0, 1].map(|queue| {
        // SAFETY: the kernel has no parameters, and `outcome` is kept.
        unsafe { sim.launch(0, queue, &module, &launch, &[]) }.unwrap()
    });
    for ticket in tickets {
        Backend::wait(&sim, 0, ticket).unwrap();
    }
    assert_eq!(MET.load(Ordering::SeqCst), 2, "they did not meet");
    let calls = sim.calls();
    let spans: Vec<_> = calls.iter().filter_map(|call| call.span).collect();
    assert!(spans.len() == 2 && spans[0].overlaps(&spans[1]), "{spans:?}");
}

#[test]
fn one_thread_looks_after_completions() {
    let sim = simulator(speed(2, 1, 1));
    let clock = Sim::clock(&sim);
    let (told, seen) = channel();
    thread::scope(|scope| {
        let hold = Hold::new(&clock);
        let (sim, clock) = (&sim, &clock);
        let waiter = scope.spawn(move || {
            let _active = hold.enter();
            let mut last = 0;
            while last < 3 {
                clock.next();
                let done = sim.completed(0, Queue::Up).unwrap();
                if done > last {
                    told.send((done, clock.now())).unwrap();
                    last = done;
                }
            }
        });
        let memory = sim.allocate(0, 4).unwrap();
        let busy = Hold::new(clock).enter();
        let src = [0; 4];
        for _ in 0..3 {
            up(sim, &memory, &src, &[]);
        }
        // Only now does time go on.
        drop(busy);
        waiter.join().unwrap();
    });
    let seen: Vec<_> = seen.iter().collect();
    assert_eq!(seen, [(1, US(2)), (2, US(4)), (3, US(6))]);
}
