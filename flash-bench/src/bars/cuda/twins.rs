//! Programs as somebody writes them with the driver alone: the same data in, kernels by hand, the same
//! results out. Host tasks of a program are called here too, between copies that overlap kernels.

use flash_examples::Progress;
use flash_examples::y4m::{Frame, Header};

use super::super::hosted::{
    DT, GRAVITY, KEPT, MOVES, POWERS, STEPS, edges, frames, moved_to, normalised, some_of,
};
use super::super::workloads::mixed;
use super::programs::{CHAIN, operands};
use crate::examples::hotspot::Chip;
use crate::examples::matrix_power::{self, Step};
use crate::examples::nbody::Bodies;
use crate::raw_cuda::{Array, Mark, Pinned, Queue, RawCuda};

/// Starts to bring values to a new array.
fn brought(raw: &RawCuda, values: &[f32]) -> (Pinned<f32>, Array) {
    let (mut host, array) = (raw.pinned(values.len()), raw.array::<f32>(values.len()));
    host.write().copy_from_slice(values);
    raw.upload(Queue::Kernels, &host, &array);
    (host, array)
}

pub(super) fn saxpy(raw: &RawCuda, n: usize) -> Vec<f32> {
    let (x, y) = operands(n);
    let ((_, x), (mut host, y)) = (brought(raw, &x), brought(raw, &y));
    let launch = raw.saxpy(1e-3, &x, &y, n);
    (0..CHAIN).for_each(|_| raw.launch(Queue::Kernels, &launch));
    raw.download(Queue::Kernels, &y, &mut host);
    host.read().to_vec()
}

pub(super) fn nbody(raw: &RawCuda, n: usize) -> Vec<f32> {
    let mut bodies = Bodies::random(n, 42);
    let progress = Progress::hidden();
    let (_, mass) = brought(raw, &bodies.mass);
    let (mut places, place) = brought(raw, &bodies.position);
    let (mut speeds, velocity) = brought(raw, &bodies.velocity);
    let (pulled, energy) = (raw.array::<f32>(3 * n), raw.array::<f64>(1));
    let mut seen = raw.pinned::<f64>(1);
    let pull = raw.pull(GRAVITY, [&mass, &place, &pulled], n);
    let advance = raw.advance(DT, [&mass, &pulled, &velocity, &place, &energy], n);
    for _ in 0..MOVES {
        raw.launch(Queue::Kernels, &pull);
        raw.fill(&energy, 0);
        raw.launch(Queue::Kernels, &advance);
        progress.tick();
    }
    raw.download(Queue::Kernels, &place, &mut places);
    raw.download(Queue::Kernels, &velocity, &mut speeds);
    raw.download(Queue::Kernels, &energy, &mut seen);
    bodies.position.copy_from_slice(places.read());
    bodies.velocity.copy_from_slice(speeds.read());
    moved_to(&bodies, seen.read()[0])
}

/// Results that go to the host while the next ones are computed: two arrays of it in turn.
struct Kept {
    host: [Pinned<f32>; 2],
    computed: Mark,
}

impl Kept {
    fn new(raw: &RawCuda, n: usize) -> Self {
        Self { host: [raw.pinned(n), raw.pinned(n)], computed: Mark::new() }
    }

    /// Starts to copy what the queue of kernels computes now.
    fn copy(&mut self, raw: &RawCuda, k: usize, from: &Array) {
        raw.order(Queue::Down, Queue::Kernels, &self.computed);
        raw.download(Queue::Down, from, &mut self.host[k % 2]);
    }
}

pub(super) fn hotspot(raw: &RawCuda, n: usize) -> Vec<f32> {
    let (chip, progress) = (Chip::new([n, n]), Progress::hidden());
    let chip = [chip.step, chip.along, chip.down, chip.out];
    let (_, power) = brought(raw, &mixed(n * n, 5.0));
    let (_, first) = brought(raw, &mixed(n * n, 100.0));
    let mut fields = [first, raw.array::<f32>(n * n), raw.array::<f32>(n * n)];
    let (mut kept, mut album) = (Kept::new(raw, n * n), Vec::new());
    for k in 0..KEPT as usize {
        for step in 0..STEPS {
            let [now, next, _] = &fields;
            raw.launch(Queue::Kernels, &raw.hotspot(chip, [&power, now, next], [n, n]));
            match step {
                // The field that is copied is left alone until the host has had it.
                0 => fields.rotate_left(1),
                _ => fields.swap(0, 1),
            }
        }
        kept.copy(raw, k, &fields[0]);
        if k > 0 {
            album.push(kept.host[(k - 1) % 2].read().to_vec());
            progress.tick();
        }
    }
    album.push(kept.host[(KEPT as usize - 1) % 2].read().to_vec());
    some_of(&album)
}

pub(super) fn powers(raw: &RawCuda, n: usize) -> Vec<f32> {
    let (matrix, progress) = (matrix_power::random_matrix(n, 42), Progress::hidden());
    let (_, factor) = brought(raw, &matrix);
    let mut powers = [0; 3].map(|_| raw.array::<f32>(n * n));
    let (mut kept, mut log) = (Kept::new(raw, n * n), Vec::new());
    for k in 0..POWERS as usize {
        let [power, next, _] = &powers;
        let power = if k == 0 { &factor } else { power };
        raw.launch(Queue::Kernels, &raw.multiply([power, &factor, next], n));
        kept.copy(raw, k, next);
        if k > 0 {
            log.push(Step::of(kept.host[(k - 1) % 2].read()));
            progress.tick();
        }
        // The array after the next one was copied when the host had it.
        powers.rotate_left(1);
    }
    log.push(Step::of(kept.host[(POWERS as usize - 1) % 2].read()));
    normalised(&log)
}

/// A frame on its way: planes on the host and on the device.
struct Slot {
    from: Vec<Pinned<u8>>,
    to: Vec<Pinned<u8>>,
    planes: Vec<Array>,
    edges: Vec<Array>,
    uploaded: Mark,
    computed: Mark,
}

impl Slot {
    fn new(raw: &RawCuda, shapes: [[usize; 2]; 3]) -> Self {
        let host = || shapes.iter().map(|[h, w]| raw.pinned(h * w)).collect();
        let device = || shapes.iter().map(|[h, w]| raw.array::<u8>(h * w)).collect();
        let edges: Vec<Array> = device();
        // The rim stays.
        edges.iter().for_each(|plane| raw.fill(plane, 0));
        let [uploaded, computed] = [(); 2].map(|()| Mark::new());
        Self { from: host(), to: host(), planes: device(), edges, uploaded, computed }
    }

    /// Starts a frame on its way.
    fn start(&mut self, raw: &RawCuda, frame: &Frame, shapes: [[usize; 2]; 3]) {
        for (plane, from) in self.from.iter_mut().zip(frame.planes()) {
            plane.write().copy_from_slice(from);
        }
        // The kernels of the frame before in this slot are over, as the host has had its result.
        for (from, to) in self.from.iter().zip(&self.planes) {
            raw.upload(Queue::Up, from, to);
        }
        raw.order(Queue::Kernels, Queue::Up, &self.uploaded);
        for ((im, out), [h, w]) in self.planes.iter().zip(&self.edges).zip(shapes) {
            raw.launch(Queue::Kernels, &raw.edges(im, out, [w, h]));
        }
        raw.order(Queue::Down, Queue::Kernels, &self.computed);
        for (from, to) in self.edges.iter().zip(&mut self.to) {
            raw.download(Queue::Down, from, to);
        }
    }

    /// The edges of the frame that was started last.
    fn finish(&self) -> Frame {
        let mut planes = self.to.iter().map(|plane| plane.read().to_vec());
        let mut next = || planes.next().unwrap_or_default();
        Frame { y: next(), u: next(), v: next() }
    }
}

pub(super) fn sobel(raw: &RawCuda, w: usize) -> Vec<f32> {
    let header = Header::new(w, w * 9 / 16);
    let shapes = header.shapes();
    let mut slots = [Slot::new(raw, shapes), Slot::new(raw, shapes)];
    // What was allocated and filled above is there for the other queues.
    raw.wait(Queue::Kernels);
    let (mut saved, progress) = (Vec::new(), Progress::hidden());
    let all = frames(&header);
    for (k, frame) in all.iter().enumerate() {
        slots[k % 2].start(raw, frame, shapes);
        if k > 0 {
            saved.push(slots[(k - 1) % 2].finish());
            progress.tick();
        }
    }
    saved.push(slots[(all.len() - 1) % 2].finish());
    edges(&saved)
}
