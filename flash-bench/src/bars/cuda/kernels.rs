//! Kernels on arrays that are on the GPU: Triad, and N-body as a native kernel and as a body, against
//! kernels written by hand.

use flash::prelude::*;
use flash::{Call, Result};

use super::{Cuda, Head};
use crate::examples::nbody::Bodies;
use crate::kernels::streams::triad;
use crate::raw_cuda::{Array, Launch, Pinned, Queue};
use crate::row::Row;
use crate::watch::{self, Watch};

const TRIAD: Head = (14, "CUDA Triad", ">= 97 %");
const NATIVE: Head = (14, "CUDA n-body, a native kernel in tiles", ">= 95 %");
const BODY: Head = (14, "CUDA n-body, a body", "reported");

pub(super) const HEADS: &[Head] = &[TRIAD, NATIVE, BODY];

/// Numbers of a Triad, and fewer for `--quick`; bodies likewise.
const NUMBERS: [usize; 2] = [1 << 25, 1 << 20];
const BODIES: [usize; 2] = [1 << 16, 1 << 12];
const GRAVITY: f32 = 1e-6;

/// What all bodies pull each of them to, in the text that the peer has too.
#[flash::kernel(
    inputs = 3,
    unsafe(cuda(
        file = "kernels/nbody.cu",
        entry = "pull",
        block(256),
        guarded,
        args(gravity, mass, place, pulled, n = mass.len())
    ))
)]
fn pull(gravity: f32, mass: &[f32], place: View<'_, f32, 2>, #[out] pulled: ViewMut<'_, f32, 2>);

/// The same as a body.
#[flash::kernel(inputs = 3)]
fn pull_by_body(
    gravity: f32,
    mass: &[f32],
    place: View<'_, f32, 2>,
    #[out] pulled: ViewMut<'_, f32, 2>,
) {
    let i = global_id(0);
    let x = place[[0, i]];
    let y = place[[1, i]];
    let z = place[[2, i]];
    let mut ax = 0.0_f32;
    let mut ay = 0.0_f32;
    let mut az = 0.0_f32;
    for j in 0..mass.len() {
        let dx = place[[0, j]] - x;
        let dy = place[[1, j]] - y;
        let dz = place[[2, j]] - z;
        let square = dx.mul_add(dx, dy.mul_add(dy, dz.mul_add(dz, 1e-3)));
        let inverse = 1.0 / math::sqrt(square);
        let strength = gravity * mass[j] * inverse * inverse * inverse;
        ax = dx.mul_add(strength, ax);
        ay = dy.mul_add(strength, ay);
        az = dz.mul_add(strength, az);
    }
    pulled[[0, i]] = ax;
    pulled[[1, i]] = ay;
    pulled[[2, i]] = az;
}

/// All rows.
pub(super) fn kernels(cuda: &Cuda<'_>, emit: &mut dyn FnMut(Row)) -> Result<()> {
    let quick = usize::from(cuda.context.quick);
    if cuda.context.wants(TRIAD.1) {
        streamed(cuda, NUMBERS[quick], emit)?;
    }
    if [NATIVE, BODY].iter().any(|(_, name, _)| cuda.context.wants(name)) {
        bodies(cuda, BODIES[quick], emit)?;
    }
    Ok(())
}

/// The peer: an output that is spoilt before each run, a launch, and where its result is seen.
struct Peer<T> {
    out: Array,
    launch: Launch,
    seen: Pinned<T>,
}

impl<T: Pod> Peer<T> {
    fn run(&mut self, cuda: &Cuda<'_>, watch: &mut Watch) -> &[T] {
        cuda.raw.enter();
        cuda.raw.fill(&self.out, 0xff);
        cuda.raw.wait(Queue::Kernels);
        watch.time(|| {
            cuda.raw.launch(Queue::Kernels, &self.launch);
            cuda.raw.wait(Queue::Kernels);
        });
        cuda.raw.download(Queue::Kernels, &self.out, &mut self.seen);
        self.seen.read()
    }
}

fn streamed(cuda: &Cuda<'_>, n: usize, emit: &mut dyn FnMut(Row)) -> Result<()> {
    let raw = &cuda.raw;
    let b: Vec<f64> = (0..n).map(|i| i as f64 * 1e-3).collect();
    let arrays = [(); 3].map(|()| raw.array::<f64>(n));
    let mut seen = raw.pinned::<f64>(n);
    seen.write().copy_from_slice(&b);
    raw.upload(Queue::Kernels, &seen, &arrays[1]);
    let mut halves = raw.pinned::<f64>(n);
    halves.write().fill(0.5);
    raw.upload(Queue::Kernels, &halves, &arrays[2]);
    let [out, rb, rc] = arrays;
    let launch = raw.triad(0.4, [&out, &rb, &rc], n);
    let mut peer = Peer { out, launch, seen };
    let (mut a, b, c) = (Buffer::<f64>::zeros(n), Buffer::from(b), Buffer::filled(n, 0.5));
    let host = a.clone();
    let mut pipeline = cuda.rt.pipeline();
    pipeline.push(triad(0.4, &b, &c, &mut a).over([n]));
    pipeline.exec()?;
    let places = [0, n / 3, n - 1];
    let pair = watch::pair(
        cuda.context.effort,
        0.97,
        |watch| {
            spoil(cuda, &host, f64::NAN);
            let done = watch.time(|| pipeline.exec());
            assert!(done.is_ok(), "{done:?}");
            for k in places {
                let value = host.get(k);
                assert!(value.as_ref().is_ok_and(|x| is_near(*x, k)), "{k}: {value:?}");
            }
        },
        |watch| {
            let found = peer.run(cuda, watch);
            assert!(places.iter().all(|&k| is_near(found[k], k)), "the peer computes nothing");
        },
    );
    let (bar, name, _) = TRIAD;
    let row = Row::against(bar, name, pair, "a kernel by hand", 0.97);
    let rate = 24.0 * n as f64 / pair.ours.median / 1e9;
    emit(row.note(format!("2^{} doubles, {rate:.0} GB/s", n.ilog2())));
    Ok(())
}

/// Whether a value is that of Triad; the peer's compiler contracts.
fn is_near(value: f64, k: usize) -> bool {
    let expected = k as f64 * 1e-3 + 0.4 * 0.5;
    (value - expected).abs() <= 1e-12 * expected
}

/// Writes a value everywhere, and brings that to the GPU.
fn spoil<T: Pod, const D: usize>(cuda: &Cuda<'_>, array: &Buffer<T, D>, value: T) {
    let spoilt = array.fill(value).and_then(|()| array.prefetch(&cuda.rt, 0).wait().map(drop));
    assert!(spoilt.is_ok(), "{spoilt:?}");
}

fn bodies(cuda: &Cuda<'_>, n: usize, emit: &mut dyn FnMut(Row)) -> Result<()> {
    let raw = &cuda.raw;
    let bodies = Bodies::random(n, 42);
    let (mut masses, mut seen) = (raw.pinned::<f32>(n), raw.pinned::<f32>(3 * n));
    masses.write().copy_from_slice(&bodies.mass);
    seen.write().copy_from_slice(&bodies.position);
    let (theirs, rows) = (raw.array::<f32>(n), raw.array::<f32>(3 * n));
    raw.upload(Queue::Kernels, &masses, &theirs);
    raw.upload(Queue::Kernels, &seen, &rows);
    let out = raw.array::<f32>(3 * n);
    let launch = raw.pull(GRAVITY, [&theirs, &rows, &out], n);
    let mut peer = Peer { out, launch, seen };
    let expected = peer.run(cuda, &mut Watch::default()).to_vec();
    let (mass, place) = (Buffer::from(bodies.mass), Buffer::from_shape([3, n], bodies.position)?);
    let mut pulled = Buffer::<f32, 2>::zeros([3, n]);
    for ((bar, name, _), by_body) in [(NATIVE, false), (BODY, true)] {
        if !cuda.context.wants(name) {
            continue;
        }
        let host = pulled.clone();
        let call: Call<'_, 1> = match by_body {
            true => pull_by_body(GRAVITY, &mass, &place, &mut pulled),
            false => pull(GRAVITY, &mass, &place, &mut pulled),
        };
        let mut pipeline = cuda.rt.pipeline();
        pipeline.push(call.over([n]));
        pipeline.exec()?;
        let pair = watch::pair(
            cuda.context.effort,
            0.95,
            |watch| {
                spoil(cuda, &host, f32::NAN);
                let done = watch.time(|| pipeline.exec());
                assert!(done.is_ok(), "{done:?}");
                let found = host.read(..);
                assert!(found.is_ok_and(|it| are_near(&it, &expected)), "another pull");
            },
            |watch| {
                let found = peer.run(cuda, watch);
                assert!(are_near(found, &expected), "the peer computes something else");
            },
        );
        let row = Row::against(bar, name, pair, "a kernel by hand", 0.95);
        let rate = (n * n) as f64 / pair.ours.median / 1e9;
        let row = row.note(format!("{n} bodies, {rate:.1} G interactions/s"));
        emit(if by_body { row.reported() } else { row });
    }
    Ok(())
}

/// Whether forces are the same but for the order of sums and the approximate root of the peer.
fn are_near(found: &[f32], expected: &[f32]) -> bool {
    // Nothing is near what is not a number.
    let near = |(a, b): (&f32, &f32)| (a - b).abs() <= 1e-3 * b.abs().max(1e-3);
    found.len() == expected.len() && found.iter().zip(expected).all(near)
}
