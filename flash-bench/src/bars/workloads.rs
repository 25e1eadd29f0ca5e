//! The workloads of the paper that have an example of their own, as whole programs for bar 9. They
//! are measured where the other programs are.

use flash::prelude::*;

use super::programs::Program;
use crate::kernels::workloads::{SIDE, blend, convolution, hotspot, walk, wave, weigh};

const STEPS: u32 = 20;
/// Channels that go into the convolution and come out of it.
const INPUTS: usize = 512;
const OUTPUTS: usize = 128;
/// Numbers in a key.
const KEY: usize = 256;
/// Particles that walk.
const PARTICLES: usize = 256;

pub(super) const WORKLOADS: &[Program] = &[
    Program {
        name: "temperature of a chip, 20 steps, side",
        sizes: [2_500, 250],
        ours: |rt, n| {
            let power = Buffer::from_shape([n, n], mixed(n * n, 5.0))?;
            let old = Buffer::from_shape([n, n], mixed(n * n, 100.0))?;
            let mut new = Buffer::zeros([n, n]);
            flash_pipeline! { in rt;
                for _step in 0..STEPS {
                    hotspot(0.1, &power, &old, &mut new)[n, n];
                    swap(old, new);
                }
            }
            .exec()?;
            old.to_vec()
        },
        twin: |peer, n| {
            let (power, mut a, mut b) = (mixed(n * n, 5.0), mixed(n * n, 100.0), vec![0.0; n * n]);
            peer.hotspot_of(&power, &mut a, &mut b, 0.1, n, n, STEPS as usize);
            a
        },
        paper: "",
    },
    Program {
        name: "acoustic wave, 20 steps, side",
        sizes: [2_048, 204],
        ours: |rt, n| {
            let speed = Buffer::from_shape([n, n], mixed(n * n, 0.1))?;
            let now = Buffer::from_shape([n, n], mixed(n * n, 1.0))?;
            let mut next = Buffer::zeros([n, n]);
            flash_pipeline! { in rt;
                for _step in 0..STEPS {
                    wave(&now, &speed, &mut next)[n, n];
                    swap(now, next);
                }
            }
            .exec()?;
            now.to_vec()
        },
        twin: |peer, n| {
            let (speed, mut a, mut b) = (mixed(n * n, 0.1), mixed(n * n, 1.0), vec![0.0; n * n]);
            peer.wave_of(&speed, &mut a, &mut b, n, n, STEPS as usize);
            a
        },
        paper: "2.8 %",
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
            result.to_vec()
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
    },
    Program {
        name: "attention, 256 numbers a key, keys",
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
            out.to_vec()
        },
        twin: |peer, n| {
            let (key, value, query) = (mixed(n * KEY, 0.1), mixed(n * KEY, 1.0), mixed(KEY, 0.1));
            let (mut weight, mut out) = (vec![0.0; n], vec![0.0; KEY]);
            peer.attention_of(&key, &value, &query, &mut weight, &mut out, n, KEY);
            out
        },
        paper: "3.2 %",
    },
    Program {
        name: "256 particles that walk, steps",
        sizes: [10_000, 100],
        ours: |rt, steps| {
            let shape = [steps, PARTICLES];
            let dx = Buffer::from_shape(shape, moves(steps, 1))?;
            let dy = Buffer::from_shape(shape, moves(steps, 2))?;
            let (mut x, mut y) = (Buffer::filled(PARTICLES, 11.0), Buffer::filled(PARTICLES, 11.0));
            let mut counts = Buffer::zeros(3 * SIDE * SIDE);
            rt.submit(walk(&dx, &dy, &mut x, &mut y, &mut counts)).exec([PARTICLES])?;
            Ok(counts.to_vec()?.into_iter().map(|count: u32| count as f32).collect())
        },
        twin: |peer, steps| {
            let (dx, dy) = (moves(steps, 1), moves(steps, 2));
            let (mut x, mut y) = (vec![11.0; PARTICLES], vec![11.0; PARTICLES]);
            let mut counts = vec![0; 3 * SIDE * SIDE];
            peer.walk_of(&dx, &dy, &mut x, &mut y, &mut counts, PARTICLES, steps, SIDE);
            counts.into_iter().map(|count| count as f32).collect()
        },
        paper: "1.9 % on a CPU",
    },
];

/// Numbers from `-most` to `most` without a pattern that matters.
fn mixed(n: usize, most: f32) -> Vec<f32> {
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
