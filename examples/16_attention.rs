//! Shows:  a sum that one kernel reduces and the next one reads; arrays that only one stage names.
//! Run:    cargo run --release --example 16_attention
//! Prints: keys per second, after comparing with a plain loop in double precision.
#![allow(clippy::print_stdout, reason = "an example talks to its reader")]

use std::time::Instant;

use flash::prelude::*;
use flash_examples::{Options, Result, SplitMix64, check};

/// How well each key fits the query, and the sum of that over all keys.
#[flash::kernel]
pub(crate) fn weigh(
    key: View<'_, f32, 2>,
    query: &[f32],
    #[out] weight: &mut [f32],
    #[reduce(+)] total: &mut f32,
) {
    let i = global_id(0);
    let mut fit = 0.0_f32;
    for j in 0..query.len() {
        fit += key[[i, j]] * query[j];
    }
    let e = math::exp(fit);
    weight[i] = e;
    *total += e;
}

/// The values, each as much as its key weighs.
#[flash::kernel]
pub(crate) fn blend(
    total: f32,
    weight: &[f32],
    value: View<'_, f32, 2>,
    #[out] result: &mut [f32],
) {
    let j = global_id(0);
    let mut sum = 0.0_f32;
    for i in 0..weight.len() {
        sum += weight[i] * value[[i, j]];
    }
    result[j] = sum / total;
}

/// Keys and values, one row each, and what is asked for.
#[derive(Clone, Debug)]
pub(crate) struct Memory {
    /// Rows and their length.
    pub(crate) shape: [usize; 2],
    key: Vec<f32>,
    value: Vec<f32>,
    query: Vec<f32>,
}

impl Memory {
    /// Everything drawn from a seed, in the order of the fields; numbers up to `most`.
    pub(crate) fn random(shape @ [n, d]: [usize; 2], most: f32, seed: u64) -> Self {
        let mut random = SplitMix64::new(seed);
        let mut draw = |n| (0..n).map(|_| most * random.signed()).collect();
        Self { shape, key: draw(n * d), value: draw(n * d), query: draw(d) }
    }
}

/// The answer to the query, computed `repeats` times, and the sum of all weights.
pub(crate) fn attend(
    rt: &Runtime,
    Memory { shape: shape @ [n, d], key, value, query }: &Memory,
    repeats: u64,
) -> flash::Result<(Vec<f32>, f32)> {
    let (mut weight, mut sum, mut out) = (Buffer::zeros(*n), Var::new(0.0), Buffer::zeros(*d));
    flash_pipeline! { in rt;
        for _repeat in 0..repeats {
            weigh(&Buffer::from_shape(*shape, key)?, query, &mut weight, &mut sum)[*n];
            blend(&sum, &weight, &Buffer::from_shape(*shape, value)?, &mut out)[*d];
        }
    }
    .exec()?;
    Ok((out.to_vec()?, sum.get()?))
}

fn main() -> std::process::ExitCode {
    flash_examples::run(|options| run(&Runtime::new()?, options))
}

/// The whole example.
pub(crate) fn run(rt: &Runtime, options: &Options) -> Result {
    let (shape @ [n, d], repeats) =
        options.size.pick(([70, 24], 2), ([16_384, 512], 10), ([65_536, 2048], 10));
    // Weights of long keys would spread over many powers of ten.
    let memory = Memory::random(shape, (2.0 / (d as f32).sqrt()).min(1.0), 16);
    let start = Instant::now();
    let (result, total) = attend(rt, &memory, repeats)?;
    let seconds = start.elapsed().as_secs_f64();
    compare(&memory, &result, total)?;

    let rate = n as f64 * repeats as f64 / seconds * 1e-6;
    println!("{n} keys of {d} numbers, {repeats} times: {rate:.1} million keys/s");
    println!("the weights sum to {total:.3}; all within 1e-5 of sums in double precision");
    Ok(())
}

/// Computes the answer again, sequentially and in double precision.
pub(crate) fn compare(memory: &Memory, result: &[f32], total: f32) -> Result {
    let [_, d] = memory.shape;
    let product = |row: &[f32]| -> f64 {
        row.iter().zip(&memory.query).map(|(k, q)| f64::from(*k) * f64::from(*q)).sum()
    };
    let weights: Vec<f64> = memory.key.chunks(d).map(|row| product(row).exp()).collect();
    let expected_total: f64 = weights.iter().sum();
    check::close("sum of weights", f64::from(total), expected_total, 1e-5)?;
    let mut expected = vec![0.0_f64; d];
    for (weight, row) in weights.iter().zip(memory.value.chunks(d)) {
        for (sum, value) in expected.iter_mut().zip(row) {
            *sum += weight / expected_total * f64::from(*value);
        }
    }
    Ok(check::all_within("answer", result, &expected, 1e-5)?)
}
