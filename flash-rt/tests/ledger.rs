//! The ledger under threads: no two holders in conflict, nobody waits for ever, order of arrival.

use std::sync::atomic::{AtomicBool, AtomicI32, AtomicUsize, Ordering};
use std::sync::{Arc, Barrier, mpsc};
use std::thread;
use std::time::Duration;

use flash_rt::ledger::{Hold, Refusal, in_task};
use flash_rt::{Access, Arg, BoundArg, Buffer, Error, Mode, Part};

fn access(part: &Part<u32>, mode: Mode) -> Access {
    match Arg::<&[u32]>::bind(part) {
        BoundArg::Array { 0: array, .. } => {
            Access { allocation: array.allocation().clone(), section: array.section(), mode }
        }
        other => panic!("{other:?}"),
    }
}

fn reads(x: &Buffer<u32>) -> Access {
    access(&x.view(..), Mode::Read)
}

fn writes(x: &Buffer<u32>) -> Access {
    access(&x.view(..), Mode::Write)
}

/// Long enough that what could happen by mistake does.
const A_WHILE: Duration = Duration::from_millis(20);

/// A small generator, so that runs can be repeated.
struct Random(u64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % n as u64) as usize
    }
}

/// Who is in an element: the number of readers, or -1 for a writer.
fn enter(element: &AtomicI32, mode: Mode) {
    match mode {
        Mode::Read => assert!(element.fetch_add(1, Ordering::SeqCst) >= 0, "a writer is in"),
        Mode::Write => assert_eq!(element.swap(-1, Ordering::SeqCst), 0, "somebody is in"),
    }
}

fn leave(element: &AtomicI32, mode: Mode) {
    match mode {
        Mode::Read => assert!(element.fetch_sub(1, Ordering::SeqCst) > 0),
        Mode::Write => assert_eq!(element.swap(0, Ordering::SeqCst), -1),
    }
}

#[test]
fn holders_never_conflict_and_all_get_in() {
    const N: usize = 12;
    const BUFFERS: usize = 3;
    let rounds = if cfg!(miri) { 8 } else { 3_000 };
    let buffers: Vec<_> = (0..BUFFERS).map(|_| Buffer::<u32>::zeros(N)).collect();
    let inside: Vec<Vec<AtomicI32>> =
        (0..BUFFERS).map(|_| (0..N).map(|_| AtomicI32::new(0)).collect()).collect();
    thread::scope(|scope| {
        for number in 0..4_u64 {
            let (buffers, inside) = (&buffers, &inside);
            scope.spawn(move || {
                let mut random = Random(0x9E37_79B9 + number * 7919);
                for _ in 0..rounds {
                    match random.below(4) {
                        0 => one_guard(&mut random, buffers, inside),
                        1 => single_accesses(&mut random, buffers),
                        _ => one_run(&mut random, buffers, inside),
                    }
                }
            });
        }
    });
    fn part(random: &mut Random) -> (usize, std::ops::Range<usize>, Mode) {
        let (a, b) = (random.below(N + 1), random.below(N + 1));
        let mode = if random.below(2) == 0 { Mode::Read } else { Mode::Write };
        // Whole arrays are the common case.
        let range = if random.below(2) == 0 { 0..N } else { a.min(b)..a.max(b) };
        (random.below(BUFFERS), range, mode)
    }
    fn one_run(random: &mut Random, buffers: &[Buffer<u32>], inside: &[Vec<AtomicI32>]) {
        let mut parts: Vec<_> = (0..random.below(4)).map(|_| part(random)).collect();
        // A run may touch an element twice; here each element counts its strongest access.
        let accesses: Vec<_> = parts
            .iter()
            .map(|(k, range, mode)| access(&buffers[*k].view(range.clone()), *mode))
            .collect();
        let mut hold = Hold::enter(accesses).expect("no guards, no tasks");
        assert!(hold.is_granted());
        let strongest = |k: usize, at: usize, parts: &[(usize, std::ops::Range<usize>, Mode)]| {
            let covers = parts.iter().filter(|(j, range, _)| *j == k && range.contains(&at));
            covers.map(|(_, _, mode)| *mode).max()
        };
        let each = |act: fn(&AtomicI32, Mode), parts: &[_]| {
            for (k, elements) in inside.iter().enumerate() {
                for (at, element) in elements.iter().enumerate() {
                    if let Some(mode) = strongest(k, at, parts) {
                        act(element, mode);
                    }
                }
            }
        };
        each(enter, &parts);
        if random.below(3) == 0 {
            thread::yield_now();
        }
        each(leave, &parts);
        // Early release in any order; dropping gives the rest back.
        while !parts.is_empty() && random.below(2) == 0 {
            hold.release(parts.len() - 1);
            parts.pop();
        }
    }
    fn one_guard(random: &mut Random, buffers: &[Buffer<u32>], inside: &[Vec<AtomicI32>]) {
        let (k, range, mode) = part(random);
        let elements = &inside[k][range.clone()];
        if mode == Mode::Read {
            let guard = buffers[k].read(range).expect("no other guard of this thread");
            elements.iter().for_each(|element| enter(element, mode));
            std::hint::black_box(guard.iter().sum::<u32>());
            elements.iter().for_each(|element| leave(element, mode));
        } else {
            let mut guard = buffers[k].write(range).expect("no other guard of this thread");
            elements.iter().for_each(|element| enter(element, mode));
            guard.iter_mut().for_each(|element| *element = element.wrapping_add(1));
            elements.iter().for_each(|element| leave(element, mode));
        }
    }
    fn single_accesses(random: &mut Random, buffers: &[Buffer<u32>]) {
        let (k, at) = (random.below(BUFFERS), random.below(N));
        let value = buffers[k].get(at).expect("inside");
        buffers[k].set(at, value.wrapping_add(3)).expect("inside");
    }
    for x in &buffers {
        x.write(..).expect("everybody has left")[0] = 1;
    }
}

#[test]
fn a_guard_of_this_thread_refuses_a_conflicting_run() {
    let x = Buffer::<u32>::zeros(10);
    let y = Buffer::<u32>::zeros(10);
    let guard = x.read(2..5).expect("free");
    let refused = Hold::enter([reads(&y), writes(&x)]).map(drop);
    assert_eq!(refused, Err(Refusal::HostBorrowed(1)));
    assert!(Hold::enter([reads(&x), writes(&y)]).is_ok(), "readers do not conflict");
    assert!(Hold::enter([access(&x.view(5..), Mode::Write)]).is_ok(), "other elements");
    assert!(matches!(x.write(4..6), Err(Error::GuardHeld { what: "write", .. })));
    assert!(matches!(x.set(4, 1), Err(Error::GuardHeld { what: "set", .. })));
    assert_eq!(x.get(4).expect("readers do not conflict"), 0);
    x.set(5, 8).expect("other elements");
    drop(guard);
    assert!(Hold::enter([writes(&x)]).is_ok());
    assert_eq!(x.get(5).expect("free"), 8);
}

#[test]
fn a_guard_of_another_thread_is_waited_for() {
    let x = Buffer::<u32>::zeros(10);
    let (ready, is_ready) = mpsc::channel();
    let released = AtomicBool::new(false);
    thread::scope(|scope| {
        scope.spawn(|| {
            let mut guard = x.write(3..4).expect("free");
            ready.send(()).expect("the other end is there");
            thread::sleep(A_WHILE);
            guard[0] = 7;
            released.store(true, Ordering::SeqCst);
        });
        is_ready.recv().expect("the thread sends");
        let hold = Hold::enter([reads(&x)]).expect("another thread's guard is no error");
        assert!(released.load(Ordering::SeqCst), "waited");
        drop(hold);
    });
    assert_eq!(x.get(3).expect("free"), 7);
}

#[test]
fn a_forgotten_guard_keeps_its_range_and_nothing_else() {
    let x = Buffer::<u32>::zeros(10);
    std::mem::forget(x.read(0..4).expect("free"));
    assert!(matches!(x.write(3..5), Err(Error::GuardHeld { .. })));
    assert_eq!(Hold::enter([writes(&x)]).map(drop), Err(Refusal::HostBorrowed(0)));
    x.write(4..10).expect("the rest is free")[0] = 1;
    assert_eq!(x.get(2).expect("readers do not conflict"), 0);
    // From another thread it would wait for ever: it holds its place, and gives it back.
    let other = x.clone();
    thread::spawn(move || {
        let waiting = Hold::enqueue([writes(&other)]).expect("no guard of this thread");
        assert!(!waiting.is_granted());
    })
    .join()
    .expect("no panic");
    assert_eq!(x.get(4).expect("nobody waits any more"), 1);
}

#[test]
fn conflicting_runs_run_in_the_order_of_their_calls() {
    let x = Buffer::<u32>::zeros(1);
    let y = Buffer::<u32>::zeros(1);
    let first = Hold::enter(vec![writes(&x)]).expect("free");
    // In this order, though only the second one's other buffer is free.
    let second = Hold::enqueue(vec![reads(&x), writes(&y)]).expect("no guards");
    let third = Hold::enqueue(vec![writes(&y)]).expect("no guards");
    let fourth = Hold::enqueue(vec![reads(&x)]).expect("no guards");
    assert_eq!([&second, &third, &fourth].map(Hold::is_granted), [false, false, false]);
    drop(first);
    assert_eq!([&second, &third, &fourth].map(Hold::is_granted), [true, false, true]);
    drop(second);
    assert!(third.is_granted());
}

#[test]
fn what_is_given_back_early_is_free() {
    let x = Buffer::<u32>::zeros(8);
    let y = Buffer::<u32>::zeros(8);
    // Through the words.
    let mut hold = Hold::enter(vec![writes(&x), reads(&y), reads(&x)]).expect("free");
    hold.release(0);
    let next = Hold::enqueue(vec![reads(&x)]).expect("no guards");
    assert!(!next.is_granted(), "the other access to `x` is still held");
    hold.release(2);
    hold.release(2);
    assert!(next.is_granted());
    drop((hold, next));
    assert!(Hold::enter([writes(&x), writes(&y)]).is_ok());
    // Through the book.
    let guard = x.read(0..1).expect("free");
    let accesses = vec![access(&x.view(1..4), Mode::Write), access(&x.view(4..), Mode::Write)];
    let mut hold = Hold::enter(accesses).expect("other elements than the guard's");
    hold.release(0);
    assert!(Hold::enqueue([access(&x.view(1..4), Mode::Write)]).is_ok_and(|h| h.is_granted()));
    assert!(Hold::enqueue([access(&x.view(3..5), Mode::Write)]).is_ok_and(|h| !h.is_granted()));
    drop((guard, hold));
    assert!(Hold::enter([writes(&x)]).is_ok());
}

#[test]
fn a_task_cannot_wait_for_its_own_pipeline() {
    let x = Buffer::from(vec![5_u32; 4]);
    let free = Buffer::from(vec![6_u32; 4]);
    let hold = Hold::enter([reads(&x)]).expect("free");
    let mut ids = vec![hold.accesses()[0].allocation.id()];
    ids.sort_unstable();
    let ids: Arc<[u64]> = ids.into();
    in_task("store", &ids, || {
        let reentrant = |result: Result<(), Error>| {
            assert!(matches!(result, Err(Error::Reentrant { task: Some("store") })), "{result:?}");
        };
        reentrant(x.read(..).map(drop));
        reentrant(x.write(..).map(drop));
        reentrant(x.get(0).map(drop));
        reentrant(x.set(0, 1));
        reentrant(x.to_vec().map(drop));
        let run = Hold::enter([reads(&free), reads(&x)]).map(drop);
        assert_eq!(run, Err(Refusal::Reentrant(1, Some("store"))));
        assert_eq!(free.get(0).expect("not of the pipeline"), 6);
        // A task that panics is over, too.
        let nested = std::panic::catch_unwind(|| in_task("inner", &ids, || panic!("as a test")));
        assert!(nested.is_err());
        reentrant(x.get(0).map(drop));
    });
    assert_eq!(x.get(0).expect("the task is over"), 5);
}

#[test]
fn a_thread_with_a_guard_passes_by_those_who_wait_for_it() {
    let x = Buffer::<u32>::zeros(1);
    let y = Buffer::<u32>::zeros(1);
    let guard = x.write(..).expect("free");
    let waits = Barrier::new(2);
    let done = AtomicUsize::new(0);
    thread::scope(|scope| {
        scope.spawn(|| {
            let hold = Hold::enqueue([writes(&y), writes(&x)]).expect("no guards of this thread");
            waits.wait();
            hold.wait();
            assert_eq!(done.load(Ordering::SeqCst), 1, "after the guard");
        });
        waits.wait();
        // The other run waits for our guard, so waiting for it would never end.
        drop(Hold::enter([writes(&y)]).expect("nobody holds `y`"));
        y.set(0, 3).expect("nobody holds `y`");
        done.store(1, Ordering::SeqCst);
        drop(guard);
    });
}

#[test]
fn runs_that_take_each_others_buffers_do_not_stop() {
    let x = Buffer::<u32>::zeros(1);
    let y = Buffer::<u32>::zeros(1);
    let rounds = if cfg!(miri) { 6 } else { 20_000 };
    thread::scope(|scope| {
        for forth in [true, false, true] {
            let (x, y) = (x.clone(), y.clone());
            scope.spawn(move || {
                let mut accesses = [writes(&x), writes(&y)];
                if !forth {
                    accesses.reverse();
                }
                for _ in 0..rounds {
                    drop(Hold::enter(&accesses[..]).expect("no guards"));
                }
            });
        }
    });
}
