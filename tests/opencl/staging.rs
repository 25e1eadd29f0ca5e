//! Copies through pinned memory, which devices with a memory of their own have: PoCL is told to.
#![allow(unsafe_code, reason = "submits copies of memory that the tests own")]

use std::time::Duration;

use flash::Error;
use flash::prelude::*;
use flash_ocl::{OclMemory, OpenCl, calls};
use flash_rt::backend::{Backend, Queue, Region, Ticket};
use flash_rt::{DriverError, Options};

use crate::{AS_IT_IS, alone, staged};

/// Bytes of a piece, and of all pieces of a direction.
const PIECE: usize = 2 << 20;
const RING: usize = 8 * PIECE;

const OUT_OF_RESOURCES: i32 = -5;
const NO_MEMORY: i32 = -4;

#[flash::kernel]
fn triple(x: &mut [u32]) {
    let i = global_id(0);
    x[i] = 3 * x[i];
}

#[flash::kernel]
fn add(x: &[u32], y: &mut [u32]) {
    let i = global_id(0);
    y[i] = x[i].wrapping_add(y[i]);
}

/// Bytes that differ from their neighbours, and from those of another pattern.
fn pattern(bytes: usize, which: usize) -> Vec<u8> {
    (0..bytes).map(|k| (k * 31 + k / 251 + k / PIECE + 7 * which) as u8).collect()
}

/// A copy whose bytes the caller keeps until it is over.
fn up(
    ocl: &OpenCl,
    (memory, to): (&OclMemory, Region),
    (src, from): (&[u8], Region),
    after: &[Ticket],
) -> Result<Ticket, DriverError> {
    // SAFETY: the caller keeps `src` until the copy is over or given up, and writes neither side.
    unsafe { ocl.upload(0, memory, to, src, from, after) }
}

/// As `up`.
fn down(
    ocl: &OpenCl,
    (memory, from): (&OclMemory, Region),
    (dst, to): (&mut [u8], Region),
    after: &[Ticket],
) -> Result<Ticket, DriverError> {
    // SAFETY: the caller keeps `dst` until the copy is over or given up, and touches neither side.
    unsafe { ocl.download(0, memory, from, dst, to, after) }
}

fn zero(ocl: &OpenCl, memory: &OclMemory, to: Region, after: &[Ticket]) -> Ticket {
    // SAFETY: tickets order all that touches the memory.
    unsafe { ocl.zero(0, 0, memory, to, after) }.unwrap()
}

/// All bytes of a memory.
fn contents(ocl: &OpenCl, memory: &OclMemory, bytes: usize) -> Vec<u8> {
    contents_after(ocl, memory, bytes, &[])
}

/// As `contents`, when others are over.
fn contents_after(ocl: &OpenCl, memory: &OclMemory, bytes: usize, after: &[Ticket]) -> Vec<u8> {
    let (all, mut found) = (Region::row(0, bytes as u64), vec![0x55; bytes]);
    let end = down(ocl, (memory, all), (&mut found, all), after).unwrap();
    ocl.wait(0, end).unwrap();
    found
}

#[test]
fn regions_of_any_shape_arrive_and_touch_nothing_beside_them() {
    let Some(ocl) = staged(1) else { return };
    let bytes = 2 * RING + 1000;
    let memory = ocl.allocate(0, bytes as u64).unwrap();
    let (all, base) = (Region::row(0, bytes as u64), pattern(bytes, 0));
    let plane = Region::plane;
    let mut is_first = true;
    for (there, here) in [
        (Region::row(5, 1), Region::row(3, 1)),
        (Region::row(999, 2 * RING as u64), Region::row(1, 2 * RING as u64)),
        (plane(7, 1_000, 7_000, 1_100), plane(1, 1_000, 7_000, 1_000)),
        (plane(0, 3_000_000, 3, 3_500_000), plane(5, 3_000_000, 3, 3_000_001)),
        (plane(3, 700, 300, 900).times(30, 1_000_000), plane(0, 700, 300, 710).times(30, 213_500)),
        (plane(3, 64, 20, 70).times(9_000, 1_400), plane(9, 64, 20, 64).times(9_000, 1_281)),
        (Region::row(3, 512).times(20_000, 700), Region::row(0, 512).times(20_000, 512)),
    ] {
        let sent = up(&ocl, (&memory, all), (&base, all), &[]).unwrap();
        let src = pattern(here.end().unwrap() as usize, 1);
        let sent = up(&ocl, (&memory, there), (&src, here), &[sent]).unwrap();
        let mut part = vec![0x55; src.len()];
        let last = down(&ocl, (&memory, there), (&mut part, here), &[sent]).unwrap();
        ocl.wait(0, last).unwrap();
        let (mut expected, mut of_part) = (base.clone(), vec![0x55; src.len()]);
        for (to, from) in there.runs().zip(here.runs()) {
            let (to, from, n) = (to as usize, from as usize, there.row_bytes as usize);
            expected[to..to + n].copy_from_slice(&src[from..from + n]);
            of_part[from..from + n].copy_from_slice(&src[from..from + n]);
        }
        assert!(contents(&ocl, &memory, bytes) == expected && part == of_part, "{there:?}");
        // The first one who asks is too late.
        let spans = [sent, last].map(|ticket| ocl.timing(0, ticket));
        assert!(is_first || spans.iter().flatten().all(|span| span.begin < span.end), "{spans:?}");
        assert!(is_first || spans.iter().all(Option::is_some), "{spans:?}");
        is_first = false;
    }
    let empty = up(&ocl, (&memory, Region::row(9, 0)), (&[], Region::row(0, 0)), &[]).unwrap();
    assert!(empty.is_done());
}

/// Also where some of the copies of a queue go another way.
#[test]
fn many_at_once_in_both_directions_are_in_order() {
    for from in [1, 1 << 20] {
        let Some(ocl) = staged(from) else { return };
        let sizes = [RING + 13, 100, PIECE, 3 * PIECE + 1, 70_000, 1];
        let memories = sizes.map(|n| ocl.allocate(0, n as u64).unwrap());
        let rounds = 6;
        let sources: Vec<Vec<Vec<u8>>> =
            (0..rounds).map(|k| sizes.iter().map(|n| pattern(*n, k)).collect()).collect();
        let mut ends: Vec<Vec<Vec<u8>>> =
            (0..rounds).map(|_| sizes.iter().map(|n| vec![0; *n]).collect()).collect();
        let mut last: Vec<Vec<Ticket>> = vec![vec![]; sizes.len()];
        for (sources, ends) in sources.iter().zip(&mut ends) {
            for (k, (src, end)) in sources.iter().zip(ends).enumerate() {
                let (memory, all) = (&memories[k], Region::row(0, sizes[k] as u64));
                let sent = up(&ocl, (memory, all), (src, all), &last[k]).unwrap();
                let half = Region::row(0, sizes[k] as u64 / 2);
                let half = zero(&ocl, memory, half, &[sent]);
                let back = down(&ocl, (memory, all), (end, all), &[sent, half]).unwrap();
                last[k] = vec![back];
            }
        }
        for ticket in last.into_iter().flatten().rev() {
            ocl.wait(0, ticket).unwrap();
            assert!(ocl.completed(0, Queue::Down).unwrap() >= ticket.number);
        }
        for (src, end) in sources.iter().flatten().zip(ends.iter().flatten()) {
            let (zeros, rest) = end.split_at(src.len() / 2);
            assert!(zeros.iter().all(|byte| *byte == 0), "the zeros come after the upload");
            assert!(rest == &src[src.len() / 2..], "{} bytes from {from} on", src.len());
        }
    }
}

/// Whoever names the last operation of a queue comes after all of them, whichever way they take.
#[test]
fn ways_of_one_queue_are_in_order() {
    let Some(ocl) = staged(1 << 20) else { return };
    let (long, short) = (3 * PIECE, 1000);
    let [a, b, c, other] = [long, short, long, RING].map(|n| ocl.allocate(0, n as u64).unwrap());
    let [of_a, of_b, of_other] = [long, short, RING].map(|n| Region::row(0, n as u64));
    let (src, mut dst) = (pattern(long, 0), vec![0x55; long]);
    for _ in 0..10 {
        let sent = up(&ocl, (&a, of_a), (&src, of_a), &[]).unwrap();
        let after = [sent, up(&ocl, (&b, of_b), (&src, of_b), &[]).unwrap()];
        zero(&ocl, &a, of_a, &after);
        // It waits long, and a copy that does not comes after it.
        let slow = (0..4).fold(Ticket::DONE, |after, _| zero(&ocl, &other, of_other, &[after]));
        let sent = up(&ocl, (&b, of_b), (&src, of_b), &[slow]).unwrap();
        let after = [sent, up(&ocl, (&c, of_a), (&src, of_a), &[]).unwrap()];
        let zeroed = zero(&ocl, &b, of_b, &after);
        let found = contents_after(&ocl, &b, short, &[zeroed]);
        assert!(found.iter().all(|byte| *byte == 0), "zeros come after the short copy");
        let back = down(&ocl, (&a, of_a), (&mut dst, of_a), &[zeroed]).unwrap();
        let more = contents_after(&ocl, &b, short, &[]);
        assert!(ocl.completed(0, Queue::Down).unwrap() > back.number && more == found);
        assert!(dst.iter().all(|byte| *byte == 0), "zeros come after the long copy");
        dst.fill(0x55);
    }
}

/// Kernels come after what they read has come, and what overwrites it after them.
#[test]
fn kernels_and_copies_are_in_order() {
    const N: usize = 3 << 20;
    for from in [1, 1 << 20] {
        let Some(ocl) = staged(from) else { return };
        let rt = Runtime::builder().backend(ocl).build().unwrap();
        let (mut x, mut y) = (Buffer::from(vec![1_u32; N]), Buffer::from(vec![0_u32; N]));
        let mut small = Buffer::from(vec![0_u32; 10]);
        for round in 0..8_u32 {
            x.write(..).unwrap().fill(round);
            rt.submit(triple(&mut x)).exec([N]).unwrap();
            small.fill(round).unwrap();
            rt.submit(triple(&mut small)).exec([10]).unwrap();
            rt.submit(add(&x, &mut y)).exec([N]).unwrap();
            assert_eq!(small.to_vec().unwrap(), [3 * round; 10]);
        }
        assert!(y.to_vec().unwrap().iter().all(|y| *y == 3 * (0..8).sum::<u32>()));
        let mut p = rt.pipeline();
        p.begin_for(0..6_u32);
        p.push(Task::new("new", (&mut x,), |(mut x,)| x.as_mut_slice().unwrap().fill(5)));
        p.push(triple(&mut x).over([N]));
        p.push(add(&x, &mut y).over([N]));
        p.push(Task::new("one more", (&mut y,), |(mut y,)| y[[N - 1]] += 1));
        p.end_for();
        p.exec().unwrap();
        drop(p);
        let y = y.to_vec().unwrap();
        assert!(y[..N - 1].iter().all(|y| *y == 84 + 6 * 15) && y[N - 1] == 84 + 6 * 15 + 6);
    }
}

/// Whoever submits what comes after a long copy goes on while that is under way.
#[test]
fn nobody_waits_to_submit() {
    let Some(ocl) = staged(1) else { return };
    let bytes = 4 * RING;
    let (memory, all) = (ocl.allocate(0, bytes as u64).unwrap(), Region::row(0, bytes as u64));
    let (src, mut dst) = (pattern(bytes, 0), vec![0; bytes]);
    let mut is_seen = [false; 2];
    for _ in 0..20 {
        let sent = up(&ocl, (&memory, all), (&src, all), &[]).unwrap();
        let zeroed = zero(&ocl, &memory, Region::row(0, 64), &[sent]);
        let back = down(&ocl, (&memory, all), (&mut dst, all), &[zeroed]).unwrap();
        let again = zero(&ocl, &memory, Region::row(0, 64), &[back]);
        let done = [sent, back].map(|t| ocl.completed(0, t.queue).unwrap() >= t.number);
        is_seen = [is_seen[0] | !done[0], is_seen[1] | !done[1]];
        ocl.wait(0, again).unwrap();
        assert!(dst[64..] == src[64..] && dst[..64] == [0; 64]);
    }
    assert_eq!(is_seen, [true; 2]);
}

#[test]
fn what_is_given_up_is_let_go_of() {
    let Some(ocl) = staged(1) else { return };
    let bytes = 2 * RING;
    let (memory, all) = (ocl.allocate(0, bytes as u64).unwrap(), Region::row(0, bytes as u64));
    for round in 0..8 {
        let (src, mut dst) = (pattern(bytes, round), vec![0; bytes]);
        let mut sent = up(&ocl, (&memory, all), (&src, all), &[]).unwrap();
        for _ in 0..3 {
            let zeroed = zero(&ocl, &memory, all, &[sent]);
            let back = down(&ocl, (&memory, all), (&mut dst, all), &[zeroed]).unwrap();
            sent = up(&ocl, (&memory, all), (&src, all), &[back]).unwrap();
        }
        ocl.reset(0).unwrap();
        dst.fill(0x77);
        ocl.wait(0, sent).unwrap();
        assert!(dst.iter().all(|byte| *byte == 0x77), "nobody writes there any more");
        drop(src);
        let again = pattern(bytes, round + 1);
        let sent = up(&ocl, (&memory, all), (&again, all), &[]).unwrap();
        ocl.wait(0, sent).unwrap();
        assert!(contents(&ocl, &memory, bytes) == again);
    }
    // In the middle of what goes to the host.
    for round in 0..40 {
        let mut dst = vec![0; bytes];
        down(&ocl, (&memory, all), (&mut dst, all), &[]).unwrap();
        std::thread::sleep(Duration::from_micros(300 + round * 50));
        ocl.reset(0).unwrap();
        dst.fill(0x77);
        std::thread::sleep(Duration::from_millis(1));
        assert!(dst.iter().all(|byte| *byte == 0x77), "nobody writes there any more");
    }
}

#[test]
fn in_the_long_run_nothing_is_made_and_nobody_waits_in_a_copy() {
    if !alone("staging::in_the_long_run_nothing_is_made_and_nobody_waits_in_a_copy", AS_IT_IS) {
        return;
    }
    let ocl = staged(1).unwrap();
    let bytes = 2 * RING;
    let (memory, all) = (ocl.allocate(0, bytes as u64).unwrap(), Region::row(0, bytes as u64));
    let (src, mut dst) = (pattern(bytes, 0), vec![0; bytes]);
    let mut run = || {
        let sent = up(&ocl, (&memory, all), (&src, all), &[]).unwrap();
        let back = down(&ocl, (&memory, all), (&mut dst, all), &[sent]).unwrap();
        ocl.wait(0, back).unwrap();
        assert!(dst == src);
    };
    calls::take();
    run();
    let first = calls::take();
    let of = |counts: &calls::Counts, name: &str| counts.get(name).copied().unwrap_or(0);
    let made = of(&first, "clEnqueueMapBuffer");
    assert_eq!(made, of(&first, "clCreateBuffer"));
    assert!((2..=16).contains(&made), "{first:?}");
    // As many pieces as are ever needed may not be there after the first time.
    (0..20).for_each(|_| run());
    calls::take();
    run();
    let counts = calls::take();
    let copies = (bytes / PIECE) as u64;
    assert_eq!(of(&counts, "clEnqueueWriteBuffer"), copies, "{counts:?}");
    assert_eq!(of(&counts, "clEnqueueReadBuffer"), copies, "{counts:?}");
    for (name, n) in &counts {
        let makes = name.starts_with("clCreate") && *name != "clCreateUserEvent";
        assert!(!makes && !name.ends_with("(blocking)"), "{n} of {name}");
        assert!(!["clEnqueueMapBuffer", "clFinish"].contains(name), "{n} of {name}");
    }
    assert!(of(&counts, "clCreateUserEvent") <= 1, "{counts:?}");
    drop((ocl, memory));
    let gone = calls::take();
    assert!(of(&gone, "clEnqueueUnmapMemObject") >= made, "{gone:?}");
}

/// A device that shares the memory of the host needs none of it.
#[test]
fn where_memory_is_shared_copies_go_as_they_are() {
    if !alone("staging::where_memory_is_shared_copies_go_as_they_are", AS_IT_IS) {
        return;
    }
    let ocl = OpenCl::new(&Options::default());
    let bytes = 2 * PIECE;
    let (memory, all) = (ocl.allocate(0, bytes as u64).unwrap(), Region::row(0, bytes as u64));
    let src = pattern(bytes, 0);
    calls::take();
    let sent = up(&ocl, (&memory, all), (&src, all), &[]).unwrap();
    ocl.wait(0, sent).unwrap();
    let counts = calls::take();
    assert_eq!(counts.get("clEnqueueWriteBuffer"), Some(&1));
    assert_eq!(counts.get("clEnqueueMapBuffer"), None);
}

/// Where the driver has no pinned memory, or not so much, copies go without.
#[test]
fn memory_that_cannot_be_pinned_is_done_without() {
    if !alone("staging::memory_that_cannot_be_pinned_is_done_without", AS_IT_IS) {
        return;
    }
    let bytes = RING + 5;
    let all = Region::row(0, bytes as u64);
    for function in ["clCreateBuffer", "clEnqueueMapBuffer"] {
        for pieces in 0..3 {
            let ocl = staged(1).unwrap();
            let memory = ocl.allocate(0, bytes as u64).unwrap();
            let mut begins = false;
            for round in 0..3 {
                let src = pattern(bytes, round);
                calls::take();
                // A call that fails each time.
                if round == 0 {
                    (0..40).for_each(|k| calls::fail(function, pieces + k, NO_MEMORY));
                }
                let sent = up(&ocl, (&memory, all), (&src, all), &[]).unwrap();
                let zeroed = zero(&ocl, &memory, Region::row(0, 9), &[sent]);
                let mut end = vec![0x55; bytes];
                let back = down(&ocl, (&memory, all), (&mut end, all), &[zeroed]).unwrap();
                ocl.wait(0, back).unwrap();
                assert!(end[9..] == src[9..] && end[..9] == [0; 9], "{function} {pieces}");
                calls::forget();
                let counts = calls::take();
                // A direction may have its first long copy now, for which it makes a queue, and get pieces.
                begins |= round > 0 && counts.contains_key("clCreateCommandQueue");
                let may_ask = round == 0 || pieces > 0 || begins;
                let is_asked = counts.contains_key("clCreateBuffer");
                assert!(
                    !is_asked || may_ask,
                    "nobody asks for more in vain: {function} {counts:?}"
                );
            }
        }
    }
}

/// Each of the calls of a copy, and each of its commands later: a typed error, after which the device works.
#[test]
fn a_piece_that_fails_fails_its_copy_and_no_other() {
    if !alone("staging::a_piece_that_fails_fails_its_copy_and_no_other", AS_IT_IS) {
        return;
    }
    let ocl = staged(1).unwrap();
    let bytes = RING + 3 * PIECE;
    let (memory, all) = (ocl.allocate(0, bytes as u64).unwrap(), Region::row(0, bytes as u64));
    let (src, mut dst) = (pattern(bytes, 0), vec![0; bytes]);
    let mut hit = 0;
    for (function, is_late) in [
        ("clEnqueueWriteBuffer", false),
        ("clEnqueueWriteBuffer", true),
        ("clEnqueueReadBuffer", false),
        ("clEnqueueReadBuffer", true),
        ("clFlush", false),
        ("clCreateUserEvent", false),
    ] {
        for nth in [0, 1, 7, 10] {
            let what = format!("{function} {nth} {is_late}");
            if is_late {
                calls::fail_late(function, nth, OUT_OF_RESOURCES);
            } else {
                calls::fail(function, nth, OUT_OF_RESOURCES);
            }
            let mut run = |ocl: &OpenCl| {
                let sent = up(ocl, (&memory, all), (&src, all), &[])?;
                // SAFETY: tickets order all that touches the memory.
                let zeroed = unsafe { ocl.zero(0, 1, &memory, Region::row(0, 64), &[sent]) }?;
                let back = down(ocl, (&memory, all), (&mut dst, all), &[zeroed])?;
                ocl.wait(0, back)
            };
            let result = run(&ocl);
            if calls::forget() == 0 {
                hit += 1;
                // A look at how far it is may see what the wait does not.
                let error = result.expect_err(&what);
                assert!(error.text.contains("CL_OUT_OF_RESOURCES"), "{what}: {error:?}");
                assert!(error.text.contains(&ocl.devices()[0].name), "{what}: {error:?}");
            } else {
                result.unwrap_or_else(|error| panic!("{what}: {error:?}"));
            }
            ocl.reset(0).unwrap();
            run(&ocl).unwrap_or_else(|error| panic!("after {what}: {error:?}"));
            assert!(dst[64..] == src[64..] && dst[..64] == [0; 64], "{what}");
            dst.fill(0);
        }
    }
    assert!(hit > 18, "{hit}");
}

/// The same through a runtime, which does without asking for it.
#[test]
fn a_runtime_goes_on_after_a_piece_has_failed() {
    const N: usize = 5 << 20;
    if !alone("staging::a_runtime_goes_on_after_a_piece_has_failed", AS_IT_IS) {
        return;
    }
    let rt = Runtime::builder().backend(staged(1).unwrap()).build().unwrap();
    for (function, nth) in [("clEnqueueWriteBuffer", 3), ("clEnqueueReadBuffer", 4)] {
        for is_late in [false, true] {
            let mut x = Buffer::from(vec![2_u32; N]);
            let fail = if is_late { calls::fail_late } else { calls::fail };
            fail(function, nth, OUT_OF_RESOURCES);
            let result = rt.submit(triple(&mut x)).exec([N]).and_then(|_| x.to_vec());
            assert_eq!(calls::forget(), 0, "{function} {is_late}");
            let is_typed = |error: &Error| matches!(error, Error::Driver { .. });
            match result {
                Ok(found) => assert!(found.iter().all(|x| *x == 6), "it was tried again"),
                Err(error) => assert!(is_typed(&error), "{error:?}"),
            }
            let mut y = Buffer::from(vec![5_u32; N]);
            rt.submit(triple(&mut y)).exec([N]).unwrap();
            assert!(y.to_vec().unwrap().iter().all(|y| *y == 15));
        }
    }
}
