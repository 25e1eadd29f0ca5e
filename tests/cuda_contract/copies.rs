//! Copies through the contract: short and long, of pinned memory and of any, and what becomes of them
//! where the device fails.
#![allow(unsafe_code, reason = "submits copies of memory that the tests own")]

use flash_cuda::{Cuda, CudaMemory};
use flash_rt::backend::{Backend, Queue, Region, Ticket};
use flash_rt::{DriverError, Options};
use flash_test_cuda::Code;

use crate::driver;

/// Bytes that differ from their neighbours.
fn pattern(bytes: usize) -> Vec<u8> {
    (0..bytes).map(|k| (k * 31 + k / 251) as u8).collect()
}

/// A copy whose bytes the caller keeps until it is over.
fn up(
    cuda: &Cuda,
    memory: &CudaMemory,
    to: Region,
    src: &[u8],
    from: Region,
    after: &[Ticket],
) -> Result<Ticket, DriverError> {
    // SAFETY: the caller keeps `src` until the copy is over, and writes neither side.
    unsafe { cuda.upload(0, memory, to, src, from, after) }
}

/// As `up`.
fn down(
    cuda: &Cuda,
    memory: &CudaMemory,
    from: Region,
    dst: &mut [u8],
    to: Region,
    after: &[Ticket],
) -> Result<Ticket, DriverError> {
    // SAFETY: the caller keeps `dst` until the copy is over, and touches neither side.
    unsafe { cuda.download(0, memory, from, dst, to, after) }
}

#[test]
fn bytes_arrive_whatever_way_they_take() {
    let driver = driver("devices=1,memory=64M");
    let cuda = Cuda::new(&Options::default());
    let sizes = [0, 1, 4_000, 64 << 10, (64 << 10) + 1, (1 << 20) + 3, 9 << 20];
    for bytes in sizes {
        let memory = cuda.allocate(0, bytes as u64 + 64).unwrap();
        let src = pattern(bytes);
        let there = Region::row(64, bytes as u64);
        let here = Region::row(0, bytes as u64);
        let sent = up(&cuda, &memory, there, &src, here, &[]).unwrap();
        let mut dst = vec![0; bytes];
        let back = down(&cuda, &memory, there, &mut dst, here, &[sent]).unwrap();
        cuda.wait(0, back).unwrap();
        assert!(dst == src, "{bytes} bytes");
        assert_eq!(sent.is_done(), bytes == 0);
    }
    assert_eq!(driver.trouble(), "");
    drop(cuda);
    let alive = driver.alive();
    assert_eq!((alive.allocations, alive.pinned, alive.events), (0, 0, 0));
}

/// Memory that nobody pinned goes through pinned pieces of a device's own, which nobody waits for.
#[test]
fn long_copies_go_through_pinned_pieces() {
    const BYTES: usize = 9 << 20;
    let driver = driver("devices=1,memory=64M");
    let cuda = Cuda::new(&Options::default());
    let memory = cuda.allocate(0, BYTES as u64).unwrap();
    let (src, mut dst, all) = (pattern(BYTES), vec![0; BYTES], Region::row(0, BYTES as u64));
    driver.log(true);
    let sent = up(&cuda, &memory, all, &src, all, &[]).unwrap();
    let back = down(&cuda, &memory, all, &mut dst, all, &[sent]).unwrap();
    cuda.wait(0, back).unwrap();
    assert!(dst == src);
    let calls = driver.calls();
    for direction in ["cuMemcpyHtoDAsync_v2", "cuMemcpyDtoHAsync_v2"] {
        let pieces: Vec<_> = calls.iter().filter(|call| call.name == direction).collect();
        assert!(pieces.len() >= 9, "{direction}: {}", pieces.len());
        assert_eq!(pieces.iter().map(|call| call.bytes).sum::<u64>(), BYTES as u64);
        for piece in pieces {
            let is_pinned = !piece.waited && piece.detail != "pageable";
            assert!(is_pinned && piece.bytes <= 1 << 20, "{piece:?}");
        }
    }
    // A few pieces serve all of it.
    let pinned = driver.alive().pinned;
    assert!((1..=20).contains(&pinned), "{pinned}");
}

#[test]
fn long_copies_of_runs_touch_nothing_beside_them() {
    let driver = driver("devices=1,memory=64M");
    let cuda = Cuda::new(&Options::default());
    let memory = cuda.allocate(0, 16 << 20).unwrap();
    let all = Region::row(0, 16 << 20);
    let base = pattern(16 << 20);
    for (there, here) in [
        (Region::plane(7, 1_000, 3_000, 1_100), Region::plane(1, 1_000, 3_000, 1_000)),
        (Region::plane(0, 2_000_000, 3, 2_500_000), Region::plane(5, 2_000_000, 3, 2_000_001)),
        (
            Region::plane(3, 700, 300, 900).times(9, 1_000_000),
            Region::plane(0, 700, 300, 710).times(9, 213_500),
        ),
    ] {
        let sent = up(&cuda, &memory, all, &base, all, &[]).unwrap();
        let src: Vec<u8> = pattern(here.end().unwrap() as usize).iter().map(|b| !b).collect();
        let sent = up(&cuda, &memory, there, &src, here, &[sent]).unwrap();
        let mut found = vec![0; base.len()];
        let whole = down(&cuda, &memory, all, &mut found, all, &[sent]).unwrap();
        let mut part = vec![0x55; src.len()];
        let last = down(&cuda, &memory, there, &mut part, here, &[sent]).unwrap();
        cuda.wait(0, whole).unwrap();
        cuda.wait(0, last).unwrap();
        let (mut expected, mut of_part) = (base.clone(), vec![0x55; src.len()]);
        for (to, from) in there.runs().zip(here.runs()) {
            let (to, from, n) = (to as usize, from as usize, there.row_bytes as usize);
            expected[to..to + n].copy_from_slice(&src[from..from + n]);
            of_part[from..from + n].copy_from_slice(&src[from..from + n]);
        }
        assert!(found == expected && part == of_part, "{there:?}");
    }
    assert_eq!(driver.trouble(), "");
}

#[test]
fn what_follows_a_long_copy_waits_for_it() {
    let driver = driver("devices=1,memory=64M,delay=up:300,delay=down:200");
    let cuda = Cuda::new(&Options::default());
    let bytes = 6_usize << 20;
    let (memory, all) = (cuda.allocate(0, bytes as u64).unwrap(), Region::row(0, bytes as u64));
    let sources = [pattern(bytes), vec![7; bytes], vec![9; bytes]];
    let mut ends = vec![vec![0; bytes]; 3];
    let mut after: Vec<Ticket> = Vec::new();
    for (src, end) in sources.iter().zip(&mut ends) {
        let sent = up(&cuda, &memory, all, src, all, &after).unwrap();
        let half = Region::row(0, bytes as u64 / 2);
        // SAFETY: tickets order all that touches the memory.
        let zeroed = unsafe { cuda.zero(0, 1, &memory, half, &[sent]) }.unwrap();
        let back = down(&cuda, &memory, all, end, all, &[zeroed]).unwrap();
        after = vec![back];
    }
    cuda.wait(0, after[0]).unwrap();
    assert_eq!(cuda.completed(0, Queue::Down).unwrap(), 3);
    for (src, end) in sources.iter().zip(&ends) {
        assert!(end[..bytes / 2].iter().all(|byte| *byte == 0));
        assert!(end[bytes / 2..] == src[bytes / 2..]);
    }
    assert_eq!(driver.trouble(), "");
}

#[test]
fn giving_up_a_long_copy_lets_go_of_its_bytes() {
    let driver = driver("devices=1,memory=64M,delay=up:2000");
    let cuda = Cuda::new(&Options::default());
    let bytes = 32_usize << 20;
    let (memory, all) = (cuda.allocate(0, bytes as u64).unwrap(), Region::row(0, bytes as u64));
    let src = pattern(bytes);
    let sent = up(&cuda, &memory, all, &src, all, &[]).unwrap();
    cuda.reset(0).unwrap();
    drop(src);
    cuda.wait(0, sent).unwrap();
    let again = vec![3; bytes];
    let sent = up(&cuda, &memory, all, &again, all, &[]).unwrap();
    let mut end = vec![0; bytes];
    let back = down(&cuda, &memory, all, &mut end, all, &[sent]).unwrap();
    cuda.wait(0, back).unwrap();
    assert!(end == again);
    assert_eq!(driver.trouble(), "");
}

#[test]
fn each_call_of_a_copy_that_fails_is_an_error_and_the_next_one_works() {
    let calls = ["cuMemcpyHtoDAsync", "cuMemcpyDtoHAsync", "cuEventRecord", "cuStreamCreate"];
    for (call, bytes) in calls.into_iter().flat_map(|call| [(call, 1_000_usize), (call, 5 << 20)]) {
        for nth in 1..4 {
            let driver = driver("devices=1,memory=64M");
            driver.fail(call, nth, Code(304));
            let cuda = Cuda::new(&Options::default());
            let memory = cuda.allocate(0, bytes as u64);
            let mut failures = usize::from(memory.is_err());
            let memory = memory.or_else(|_| cuda.allocate(0, bytes as u64)).unwrap();
            let all = Region::row(0, bytes as u64);
            let (src, mut end) = (pattern(bytes), vec![0; bytes]);
            for _ in 0..4 {
                let round = up(&cuda, &memory, all, &src, all, &[])
                    .and_then(|sent| down(&cuda, &memory, all, &mut end, all, &[sent]))
                    .and_then(|back| cuda.wait(0, back));
                if let Err(error) = round {
                    assert_eq!(error.code, 304, "{error}");
                    failures += 1;
                }
                // Nothing is under way when the bytes go.
                cuda.reset(0).unwrap();
            }
            assert_eq!((driver.failures_left(), failures), (0, 1), "{call} {nth} of {bytes}");
            assert!(end == src, "{call} {nth} of {bytes}");
        }
    }
}
