//! Copies between host and device: of arrays, against pinned memory of the driver, and of slices that
//! are only borrowed, which have to be staged. What is copied differs from run to run, so that nothing
//! that is left of the run before passes for it.

use flash::Result;
use flash::prelude::*;

use super::{Cuda, Head};
use crate::kernels::streams::triad;
use crate::raw_cuda::{Array, Pinned, Queue};
use crate::row::Row;
use crate::stats::Pair;
use crate::watch;

/// Numbers of a copy, and fewer for `--quick`.
const NUMBERS: [usize; 2] = [32 << 20, 2 << 20];

const UP: Head = (14, "CUDA upload of an array", ">= 97 %");
const DOWN: Head = (14, "CUDA download of an array", ">= 97 %");
const READ: Head = (14, "CUDA kernel that reads a borrowed slice", ">= 85 %");
const WRITTEN: Head = (14, "CUDA kernel that writes a borrowed slice", ">= 85 %");

pub(super) const HEADS: &[Head] = &[UP, DOWN, READ, WRITTEN];

/// A row: what it is called, how it is measured, and its bar.
type Copy = (Head, fn(&Cuda<'_>, usize, &mut Peer) -> Pair, f64);

const COPIES: &[Copy] =
    &[(UP, upload, 0.97), (DOWN, download, 0.97), (READ, read, 0.85), (WRITTEN, written, 0.85)];

/// All rows.
pub(super) fn copies(cuda: &Cuda<'_>, emit: &mut dyn FnMut(Row)) -> Result<()> {
    let n = NUMBERS[usize::from(cuda.context.quick)];
    for &((bar, name, _), measure, least) in COPIES {
        if cuda.context.wants(name) {
            let mut peer = Peer::new(cuda, n);
            let row = Row::against(bar, name, measure(cuda, n, &mut peer), "raw, pinned", least);
            emit(row.note(format!("{} MiB", (n * size_of::<f64>()) >> 20)));
        }
    }
    Ok(())
}

/// The numbers of a run.
fn numbers(into: &mut [f64], run: u32) {
    into.iter_mut().enumerate().for_each(|(k, x)| *x = number(k, run));
}

fn number(k: usize, run: u32) -> f64 {
    (k % 1_021) as f64 + f64::from(run)
}

/// Where a run is looked at: at its ends and in the middle.
fn places(n: usize) -> [usize; 3] {
    [0, n / 2 + 1, n - 1]
}

/// Looks at an array wherever it is.
fn look(found: &Buffer<f64>, run: u32) {
    for k in places(found.len()) {
        let value = found.get(k);
        assert!(value.as_ref().is_ok_and(|x| *x == number(k, run)), "{k} of {run}: {value:?}");
    }
}

fn look_at(found: &[f64], run: u32) {
    for k in places(found.len()) {
        assert_eq!(found[k], number(k, run), "{k} of {run}");
    }
}

/// Arrays of the peer.
struct Peer {
    host: Pinned<f64>,
    arrays: [Array; 3],
}

impl Peer {
    fn new(cuda: &Cuda<'_>, n: usize) -> Self {
        let array = || cuda.raw.array::<f64>(n);
        let peer = Self { host: cuda.raw.pinned(n), arrays: [array(), array(), array()] };
        peer.arrays.iter().for_each(|array| cuda.raw.fill(array, 0));
        // c is one everywhere, for `a = b + s c`.
        let mut ones = cuda.raw.pinned(n);
        ones.write().fill(1.0);
        cuda.raw.upload(Queue::Kernels, &ones, &peer.arrays[2]);
        cuda.raw.wait(Queue::Kernels);
        peer
    }

    fn triad(&self, cuda: &Cuda<'_>, s: u32, n: usize) {
        let [a, b, c] = &self.arrays;
        cuda.raw.launch(Queue::Kernels, &cuda.raw.triad(f64::from(s), [a, b, c], n));
    }

    /// Brings `k % 1021` to b.
    fn count(&mut self, cuda: &Cuda<'_>) {
        numbers(self.host.write(), 0);
        cuda.raw.upload(Queue::Kernels, &self.host, &self.arrays[1]);
        cuda.raw.wait(Queue::Kernels);
    }
}

/// What is the same in each run of ours: `k % 1021`, and ones.
fn operands(cuda: &Cuda<'_>, n: usize) -> [Buffer<f64>; 2] {
    let mut counted = vec![0.0; n];
    numbers(&mut counted, 0);
    let both = [Buffer::from(counted), Buffer::filled(n, 1.0)];
    for array in &both {
        let there = array.prefetch(&cuda.rt, 0).wait();
        assert!(there.is_ok(), "{there:?}");
    }
    both
}

fn upload(cuda: &Cuda<'_>, n: usize, peer: &mut Peer) -> Pair {
    let x = Buffer::<f64>::zeros(n);
    let (mut ours, mut theirs) = (0, 0);
    watch::pair(
        cuda.context.effort,
        0.97,
        |watch| {
            ours += 1;
            // Whoever writes makes the copy of the device an old one.
            let written = x.write(..).map(|mut x| numbers(&mut x, ours));
            assert!(written.is_ok(), "{written:?}");
            let done = watch.time(|| x.prefetch(&cuda.rt, 0).wait());
            assert!(done.is_ok(), "{done:?}");
            let copied = done.map_or(0, |report| report.transfers().uploaded);
            assert_eq!(copied, (n * size_of::<f64>()) as u64, "bytes of an upload");
        },
        |watch| {
            theirs += 1;
            cuda.raw.enter();
            numbers(peer.host.write(), theirs);
            watch.time(|| {
                cuda.raw.upload(Queue::Up, &peer.host, &peer.arrays[0]);
                cuda.raw.wait(Queue::Up);
            });
        },
    )
}

fn download(cuda: &Cuda<'_>, n: usize, peer: &mut Peer) -> Pair {
    let ([b, c], mut a) = (operands(cuda, n), Buffer::<f64>::zeros(n));
    peer.count(cuda);
    let (mut ours, mut theirs) = (0, 0);
    watch::pair(
        cuda.context.effort,
        0.97,
        |watch| {
            ours += 1;
            let made = cuda.rt.submit(triad(f64::from(ours), &b, &c, &mut a)).exec([n]);
            assert!(made.is_ok(), "{made:?}");
            match watch.time(|| a.read(..)) {
                Ok(found) => look_at(&found, ours),
                Err(error) => panic!("{error:?}"),
            }
        },
        |watch| {
            theirs += 1;
            cuda.raw.enter();
            peer.host.write().fill(f64::NAN);
            peer.triad(cuda, theirs, n);
            cuda.raw.wait(Queue::Kernels);
            watch.time(|| {
                cuda.raw.download(Queue::Down, &peer.arrays[0], &mut peer.host);
                cuda.raw.wait(Queue::Down);
            });
            look_at(peer.host.read(), theirs);
        },
    )
}

fn read(cuda: &Cuda<'_>, n: usize, peer: &mut Peer) -> Pair {
    let ([_, c], mut a, mut b) = (operands(cuda, n), Buffer::<f64>::zeros(n), vec![0.0; n]);
    let (mut ours, mut theirs) = (0, 0);
    watch::pair(
        cuda.context.effort,
        0.85,
        |watch| {
            ours += 1;
            numbers(&mut b, ours);
            let done = watch.time(|| cuda.rt.submit(triad(0.0, &b, &c, &mut a)).exec([n]));
            assert!(done.is_ok(), "{done:?}");
            look(&a, ours);
        },
        |watch| {
            theirs += 1;
            cuda.raw.enter();
            numbers(peer.host.write(), theirs);
            watch.time(|| {
                cuda.raw.upload(Queue::Kernels, &peer.host, &peer.arrays[1]);
                peer.triad(cuda, 0, n);
                cuda.raw.wait(Queue::Kernels);
            });
            peer.host.write().fill(f64::NAN);
            cuda.raw.download(Queue::Kernels, &peer.arrays[0], &mut peer.host);
            look_at(peer.host.read(), theirs);
        },
    )
}

fn written(cuda: &Cuda<'_>, n: usize, peer: &mut Peer) -> Pair {
    let ([b, c], mut a) = (operands(cuda, n), vec![0.0; n]);
    peer.count(cuda);
    let (mut ours, mut theirs) = (0, 0);
    watch::pair(
        cuda.context.effort,
        0.85,
        |watch| {
            ours += 1;
            a.fill(f64::NAN);
            let call = triad(f64::from(ours), &b, &c, &mut a);
            let done = watch.time(|| cuda.rt.submit(call).exec([n]));
            assert!(done.is_ok(), "{done:?}");
            look_at(&a, ours);
        },
        |watch| {
            theirs += 1;
            cuda.raw.enter();
            peer.host.write().fill(f64::NAN);
            watch.time(|| {
                peer.triad(cuda, theirs, n);
                cuda.raw.download(Queue::Kernels, &peer.arrays[0], &mut peer.host);
                cuda.raw.wait(Queue::Kernels);
            });
            look_at(peer.host.read(), theirs);
        },
    )
}
