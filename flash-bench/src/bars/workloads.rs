//! The workloads of the paper that have an example of their own, as whole programs for bar 9. They
//! are measured where the other programs are.

use flash::prelude::*;
use flash_examples::Progress;

use super::programs::Program;
use crate::examples::attention::{blend, weigh};
use crate::examples::convolution::convolution;
use crate::examples::dct;
use crate::examples::diffusion::{PLANE, SIDE, walk, walk_in_phases};
use crate::examples::euler::{self, FAR_FIELD, Mesh};
use crate::examples::wave::{SCALE, WATER, wave};
use crate::openmp::OpenMp;

const STEPS: u32 = 1_000;
const REPEATS: usize = 16;
const ITERATIONS: usize = 8;
/// Channels that go into the convolution and come out of it.
const INPUTS: usize = 512;
const OUTPUTS: usize = 128;
/// Numbers in a key.
const KEY: usize = 2_048;
/// Particles that walk.
const PARTICLES: usize = 256;

pub(super) const WORKLOADS: &[Program] = &[
    Program {
        name: "acoustic wave, 1000 steps, side",
        sizes: [2_048, 204],
        ours: |rt, n| {
            let speed = Buffer::from_shape([n, n], speeds(n * n))?;
            let now = Buffer::from_shape([n, n], mixed(n * n, 1.0))?;
            let mut next = Buffer::zeros([n, n]);
            flash_pipeline! { in rt;
                for _step in 0..STEPS {
                    wave(&now, &speed, &mut next)[n, n];
                    swap(now, next);
                }
            }
            .exec()?;
            now.into_vec()
        },
        twin: |peer, n| {
            let (speed, mut a, mut b) = (speeds(n * n), mixed(n * n, 1.0), vec![0.0; n * n]);
            peer.wave_of(&speed, &mut a, &mut b, SCALE, n, n, STEPS as usize);
            a
        },
        paper: "2.8 %",
        barred: true,
        launches: |n| [STEPS as usize, n * n],
    },
    Program {
        name: "convolution 512 to 128, pixels",
        sizes: [196, 2],
        ours: |rt, pixels| {
            let image = Buffer::from_shape([pixels, INPUTS], mixed(pixels * INPUTS, 1.0))?;
            let weights = Buffer::from_shape([INPUTS, OUTPUTS], mixed(INPUTS * OUTPUTS, 1.0))?;
            let (scale, bias) = (mixed(OUTPUTS, 1.0), mixed(OUTPUTS, 1.0));
            let mut result = Buffer::zeros([pixels, OUTPUTS]);
            rt.submit(convolution(&image, &weights, &scale, &bias, &mut result))
                .exec([OUTPUTS, pixels])?;
            result.into_vec()
        },
        twin: |peer, pixels| {
            let (image, weights) = (mixed(pixels * INPUTS, 1.0), mixed(INPUTS * OUTPUTS, 1.0));
            let (scale, bias) = (mixed(OUTPUTS, 1.0), mixed(OUTPUTS, 1.0));
            let mut result = vec![0.0; pixels * OUTPUTS];
            let out = &mut result;
            peer.convolution_of(&image, &weights, &scale, &bias, out, pixels, INPUTS, OUTPUTS);
            result
        },
        paper: "2.0 %",
        barred: true,
        launches: |pixels| [1, OUTPUTS * pixels],
    },
    Program {
        name: "attention, 2048 numbers a key, keys",
        sizes: [65_536, 655],
        ours: |rt, n| {
            let key = Buffer::from_shape([n, KEY], mixed(n * KEY, 0.1))?;
            let value = Buffer::from_shape([n, KEY], mixed(n * KEY, 1.0))?;
            let query = mixed(KEY, 0.1);
            let (mut weight, mut out) = (Buffer::zeros(n), Buffer::zeros(KEY));
            let mut total = Var::new(0.0);
            rt.submit(weigh(&key, &query, &mut weight, &mut total))
                .defer([n])
                .submit(blend(&total, &weight, &value, &mut out))
                .exec([KEY])?;
            out.into_vec()
        },
        twin: |peer, n| {
            let (key, value, query) = (mixed(n * KEY, 0.1), mixed(n * KEY, 1.0), mixed(KEY, 0.1));
            let (mut weight, mut out) = (vec![0.0; n], vec![0.0; KEY]);
            peer.attention_of(&key, &value, &query, &mut weight, &mut out, n, KEY);
            out
        },
        paper: "3.2 %",
        barred: true,
        launches: |_| [2, KEY],
    },
    Program {
        name: "256 particles that walk, steps",
        sizes: [10_000, 100],
        ours: |rt, steps| particles(rt, steps, Form::Launches(steps)),
        twin: |peer, steps| particles_of(peer, steps, steps),
        paper: "1.9 % on a CPU",
        barred: true,
        launches: |_| [1, PARTICLES],
    },
    Program {
        name: "256 particles that walk, a launch for each step, steps",
        sizes: [10_000, 100],
        ours: |rt, steps| particles(rt, steps, Form::Launches(1)),
        twin: |peer, steps| particles_of(peer, steps, 1),
        paper: "1.9 % on a CPU",
        barred: false,
        launches: |steps| [steps, PARTICLES],
    },
    Program {
        name: "256 particles that walk, a phase for each step, steps",
        sizes: [10_000, 100],
        ours: |rt, steps| particles(rt, steps, Form::Phases),
        twin: |peer, steps| particles_of(peer, steps, 1),
        paper: "1.9 % on a CPU",
        barred: false,
        launches: |steps| [steps, PARTICLES],
    },
    Program {
        name: "cosine transform, 16 times, side",
        sizes: [300, 30],
        ours: |rt, n| dct::transform(rt, [n, n], &mixed(n * n, 1.0), false, REPEATS as u64),
        twin: |peer, n| {
            let (image, basis) = (mixed(n * n, 1.0), dct::basis(false));
            let (mut half, mut result) = (vec![0.0; n * n], vec![0.0; n * n]);
            peer.dct_of(&basis, &image, &mut half, &mut result, n, n, REPEATS);
            result
        },
        paper: "4 %",
        barred: true,
        launches: |n| [2 * REPEATS, n * n],
    },
    Program {
        name: "air through cells, 8 iterations, cells",
        sizes: [1_024, 10],
        ours: |rt, n| {
            let (mesh, start) = (mesh(n), vec![FAR_FIELD; n]);
            let progress = Progress::hidden();
            let film = euler::simulate(rt, &mesh, &start, [1, ITERATIONS as u32], &progress)?;
            Ok(film.iter().flatten().flat_map(euler::values).collect())
        },
        twin: |peer, n| {
            let (mesh, mut now) = (mesh(n), vec![FAR_FIELD; n]);
            let (mut old, mut residual) = (now.clone(), now.clone());
            peer.euler_of(&mesh, &mut now, &mut old, &mut residual, &mut vec![0.0; n], ITERATIONS);
            now.iter().flat_map(euler::values).collect()
        },
        paper: "11 %",
        barred: true,
        launches: |n| [7 * ITERATIONS, n],
    },
];

/// Cells in a plane: 1024 with a plate, or a few.
fn mesh(n: usize) -> Mesh {
    let w = if n < 32 { 5 } else { 32 };
    Mesh::plate([w, n / w], n > 32)
}

/// How the steps of particles are written.
#[derive(Clone, Copy)]
enum Form {
    /// As launches of so many steps each.
    Launches(usize),
    /// As phases of one launch.
    Phases,
}

/// Where particles have been, after all steps.
fn particles(rt: &Runtime, steps: usize, form: Form) -> flash::Result<Vec<f32>> {
    let shape = [steps, PARTICLES];
    let dx = Buffer::from_shape(shape, moves(steps, 1))?;
    let dy = Buffer::from_shape(shape, moves(steps, 2))?;
    let (mut x, mut y) = (Buffer::filled(PARTICLES, 11.0), Buffer::filled(PARTICLES, 11.0));
    let (mut cell, mut counts) = (Buffer::zeros(PARTICLES), Buffer::zeros(3 * PLANE));
    match form {
        Form::Launches(each) => flash_pipeline! { in rt;
            for k in 0..steps / each {
                walk(k * each, each, &dx, &dy, &mut x, &mut y, &mut cell, &mut counts)[PARTICLES];
            }
        }
        .exec()?,
        Form::Phases => rt
            .submit(walk_in_phases(&dx, &dy, &mut x, &mut y, &mut cell, &mut counts))
            .exec([PARTICLES, steps])?,
    };
    Ok(counts.into_vec()?.into_iter().map(|count: u64| count as f32).collect())
}

fn particles_of(peer: &OpenMp, steps: usize, each: usize) -> Vec<f32> {
    let (dx, dy) = (moves(steps, 1), moves(steps, 2));
    let (mut x, mut y) = (vec![11.0; PARTICLES], vec![11.0; PARTICLES]);
    let (mut cell, mut counts) = (vec![0; PARTICLES], vec![0; 3 * PLANE]);
    for k in 0..steps / each {
        let part = k * each..(k + 1) * each;
        peer.walk_of(&dx, &dy, &mut x, &mut y, &mut cell, &mut counts, PARTICLES, part, SIDE);
    }
    counts.into_iter().map(|count| count as f32).collect()
}

/// Numbers from `-most` to `most` without a pattern that matters.
/// Squares of speeds around that of sound in water. A negative one would let the wave grow without end.
fn speeds(n: usize) -> Vec<f32> {
    mixed(n, 1e6).into_iter().map(|speed| speed + WATER).collect()
}

pub(super) fn mixed(n: usize, most: f32) -> Vec<f32> {
    (0..n).map(|i| ((i * 7919) % 2003) as f32 * (most / 1001.5) - most).collect()
}

/// How particles move: multiples of 1/1024.
fn moves(steps: usize, seed: u32) -> Vec<f32> {
    let mut state = seed;
    let mut step = || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        ((state >> 16) % 129) as f32 - 64.0
    };
    (0..steps * PARTICLES).map(|_| step() / 1024.0).collect()
}
