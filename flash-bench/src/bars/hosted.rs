//! Whole programs in which host tasks take part, for bar 9: the pipelines of the examples. Their
//! twins call the same tasks between loops in C. They are measured where the other programs are.

use std::sync::{Mutex, PoisonError};

use flash::prelude::*;
use flash_examples::Progress;
use flash_examples::y4m::{Frame, Header};

use super::programs::Program;
use super::workloads::mixed;
use crate::examples::hotspot::{Chip, hotspot, keep};
use crate::examples::mandelbrot::{self, Album};
use crate::examples::matrix_power::{self, Step};
use crate::examples::nbody::{self, Bodies};
use crate::examples::video::{self, Sink, Source};

/// Steps of bodies, with these numbers.
pub(super) const MOVES: u32 = 10;
pub(super) const GRAVITY: f32 = 1e-6;
pub(super) const DT: f32 = 0.1;
/// Fields of a chip that are kept, and steps before each of them.
pub(super) const KEPT: u32 = 75;
pub(super) const STEPS: u32 = 4;
/// Powers of a matrix; of many more an `f32` has no bits left.
pub(super) const POWERS: u32 = 10;
/// Pictures of a zoom, and the steps of a point at most: after many more, C that contracts products and sums
/// has other numbers.
const PICTURES: usize = 20;
const LIMIT: i32 = 256;
/// Frames of a video.
const FRAMES: usize = 20;
/// Results are compared at every so many places: a sum over all would be part of the time.
const APART: usize = 97;

pub(super) const HOSTED: &[Program] = &[
    Program {
        name: "n-body, 10 steps, bodies",
        sizes: [16_000, 160],
        ours: |rt, n| {
            let bodies = Bodies::random(n, 42);
            let progress = Progress::hidden();
            let (moved, energy) = nbody::simulate(rt, &bodies, GRAVITY, DT, MOVES, &progress)?;
            Ok(moved_to(&moved, energy))
        },
        twin: |peer, n| {
            let mut bodies = Bodies::random(n, 42);
            let Bodies { mass, position, velocity } = &mut bodies;
            let (mut pull, mut energy, progress) = (vec![0.0; 3 * n], 0.0, Progress::hidden());
            for _ in 0..MOVES {
                peer.pull_of(GRAVITY, mass, position, &mut pull);
                energy = peer.move_of(DT, mass, &pull, velocity, position);
                progress.tick();
            }
            moved_to(&bodies, energy)
        },
        paper: "0.98 % on a CPU",
        barred: true,
        launches: |n| [2 * MOVES as usize, n],
    },
    Program {
        name: "temperature of a chip, 300 steps, 75 kept, side",
        sizes: [2_500, 250],
        ours: |rt, n| {
            let (chip, progress) = (Chip::new([n, n]), Progress::hidden());
            let album = Mutex::new(Vec::new());
            let power = Buffer::from_shape([n, n], mixed(n * n, 5.0))?;
            let old = Buffer::from_shape([n, n], mixed(n * n, 100.0))?;
            let mut new = Buffer::zeros([n, n]);
            flash_pipeline! { in rt;
                for _kept in 0..KEPT {
                    for _step in 0..STEPS {
                        hotspot(chip, &power, &old, &mut new)[n, n];
                        swap(old, new);
                    }
                    keep(&old, &album, &progress);
                }
            }
            .exec()?;
            Ok(some_of(&album.into_inner().unwrap_or_else(PoisonError::into_inner)))
        },
        twin: |peer, n| {
            let (chip, progress) = (Chip::new([n, n]), Progress::hidden());
            let (power, mut a, mut b) = (mixed(n * n, 5.0), mixed(n * n, 100.0), vec![0.0; n * n]);
            let mut album = Vec::new();
            for _ in 0..KEPT {
                peer.hotspot_of(&power, &mut a, &mut b, chip, n, n, STEPS as usize);
                album.push(a.clone());
                progress.tick();
            }
            some_of(&album)
        },
        paper: "",
        barred: true,
        launches: |n| [(KEPT * STEPS) as usize, n * n],
    },
    Program {
        name: "10 powers of a matrix, each normalised, side",
        sizes: [1_024, 102],
        ours: |rt, n| {
            let (matrix, progress) = (matrix_power::random_matrix(n, 42), Progress::hidden());
            let (log, _) = matrix_power::powers(rt, n, &matrix, POWERS, &progress)?;
            Ok(normalised(&log))
        },
        twin: |peer, n| {
            let (matrix, progress) = (matrix_power::random_matrix(n, 42), Progress::hidden());
            let (mut power, mut next, mut log) = (matrix.clone(), vec![0.0; n * n], Vec::new());
            for _ in 0..POWERS {
                peer.multiply_of(&power, &matrix, &mut next, n);
                std::mem::swap(&mut power, &mut next);
                log.push(Step::of(&power));
                progress.tick();
            }
            normalised(&log)
        },
        paper: "",
        barred: true,
        launches: |n| [POWERS as usize, n * n],
    },
    Program {
        name: "zoom into the Mandelbrot set, 20 pictures, width",
        sizes: [4_096, 409],
        ours: |rt, w| {
            let (shape, album) = ([w, w * 3 / 4], Mutex::new(Album::default()));
            let windows = mandelbrot::windows(mandelbrot::START, mandelbrot::ZOOM, PICTURES);
            mandelbrot::zoom(rt, shape, &windows, LIMIT, &album, &Progress::hidden())?;
            Ok(escapes(&album.into_inner().unwrap_or_else(PoisonError::into_inner).images))
        },
        twin: |peer, w| {
            let (h, progress) = (w * 3 / 4, Progress::hidden());
            let (mut image, mut album) = (vec![0; w * h], Vec::new());
            for window in mandelbrot::windows(mandelbrot::START, mandelbrot::ZOOM, PICTURES) {
                peer.zoom_of(&mut image, w, h, window, LIMIT);
                album.push(image.clone());
                progress.tick();
            }
            escapes(&album)
        },
        paper: "",
        barred: true,
        launches: |w| [PICTURES, w * (w * 3 / 4)],
    },
    Program {
        name: "Sobel of a video, 20 frames, width",
        sizes: [1_920, 192],
        ours: |rt, w| {
            let header = Header::new(w, w * 9 / 16);
            let source = Mutex::new(Source::Memory(frames(&header).into_iter()));
            let sink = Mutex::new(Sink::Memory(Vec::new()));
            let progress = Progress::hidden();
            video::filter(rt, &header, FRAMES as u64, &source, &sink, &progress)?;
            Ok(match sink.into_inner().unwrap_or_else(PoisonError::into_inner) {
                Sink::Memory(frames) => edges(&frames),
                Sink::File(_) => Vec::new(),
            })
        },
        twin: |peer, w| {
            let header = Header::new(w, w * 9 / 16);
            let (mut input, mut output) = (Frame::zeros(&header), Frame::zeros(&header));
            let (mut saved, progress) = (Vec::new(), Progress::hidden());
            for frame in frames(&header) {
                for (plane, from) in input.planes_mut().into_iter().zip(frame.planes()) {
                    plane.copy_from_slice(from);
                }
                let planes = input.planes().into_iter().zip(output.planes_mut());
                for ((im, out), [h, w]) in planes.zip(header.shapes()) {
                    peer.edges_of(im, out, w, h);
                }
                saved.push(output.clone());
                progress.tick();
            }
            edges(&saved)
        },
        paper: "",
        barred: true,
        launches: |w| [3 * FRAMES, w * (w * 9 / 16)],
    },
];

/// Where bodies are, how fast, in thousandths, and their energy.
pub(super) fn moved_to(bodies: &Bodies, energy: f64) -> Vec<f32> {
    let fast = bodies.velocity.iter().map(|v| v * 1e3);
    bodies.position.iter().copied().chain(fast).chain([energy as f32]).collect()
}

/// A few elements of each field.
pub(super) fn some_of(fields: &[Vec<f32>]) -> Vec<f32> {
    fields.iter().flat_map(|field| field.iter().copied().step_by(APART)).collect()
}

/// The range of each power, and a few of its normalised elements, in thousandths.
pub(super) fn normalised(log: &[Step]) -> Vec<f32> {
    let elements = |step: &Step| {
        let few: Vec<_> = step.normalised.iter().step_by(APART).map(|part| part * 1e3).collect();
        few.into_iter().chain([step.norm as f32])
    };
    log.iter().flat_map(elements).collect()
}

/// The steps of a few points of each picture.
fn escapes(pictures: &[Vec<i32>]) -> Vec<f32> {
    pictures.iter().flat_map(|steps| steps.iter().step_by(APART).map(|&k| k as f32)).collect()
}

/// Frames that differ.
pub(super) fn frames(header: &Header) -> Vec<Frame> {
    let plane = |n: usize| (0..n).map(|i| (i * 7 % 251) as u8).collect();
    let (y, u) = (plane(header.luma_len()), plane(header.chroma_len()));
    let first: Frame = Frame { y, v: u.clone(), u };
    let moved = |k: usize| {
        let plane = |plane: &[u8]| plane.iter().map(|byte| byte.wrapping_add(k as u8)).collect();
        Frame { y: plane(&first.y), u: plane(&first.u), v: plane(&first.v) }
    };
    (0..FRAMES).map(moved).collect()
}

/// A few bytes of each plane.
pub(super) fn edges(frames: &[Frame]) -> Vec<f32> {
    let planes = frames.iter().flat_map(Frame::planes);
    planes.flat_map(|plane| plane.iter().step_by(APART).map(|&byte| f32::from(byte))).collect()
}
