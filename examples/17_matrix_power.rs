//! Shows:  a host task that computes with each result while the next one is under way.
//! Run:    cargo run --release --example 17_matrix_power
//! Prints: GFlop/s and how the powers shrink, after comparing with a plain loop.
#![allow(clippy::print_stdout, reason = "an example talks to its reader")]

use std::sync::{Mutex, PoisonError};

use flash::prelude::*;
use flash_examples::{Options, Progress, Result, SplitMix64, check};

/// c = a b
#[flash::kernel]
pub(crate) fn multiply(a: View<'_, f32, 2>, b: View<'_, f32, 2>, #[out] c: ViewMut<'_, f32, 2>) {
    let (row, column) = (global_id(1), global_id(0));
    let mut sum = 0.0_f32;
    for k in 0..a.extent(1) {
        sum += a[[row, k]] * b[[k, column]];
    }
    c[[row, column]] = sum;
}

/// A power of the matrix, brought to a range from 0 to 1 and to length 1.
#[derive(Clone, Debug)]
pub(crate) struct Step {
    pub(crate) least: f32,
    pub(crate) most: f32,
    /// The length of the elements in that range.
    pub(crate) norm: f64,
    pub(crate) normalised: Vec<f32>,
}

impl Step {
    /// Of all elements of a power.
    pub(crate) fn of(power: &[f32]) -> Self {
        let least = power.iter().copied().fold(f32::INFINITY, f32::min);
        let most = power.iter().copied().fold(f32::NEG_INFINITY, f32::max);
        let range = f64::from(most) - f64::from(least);
        // A matrix of equal elements has no range: all zero then.
        let part = |x: f32| if range > 0.0 { f64::from(x - least) / range } else { 0.0 };
        let norm = power.iter().map(|&x| part(x).powi(2)).sum::<f64>().sqrt();
        let length = if norm > 0.0 { norm } else { 1.0 };
        let normalised = power.iter().map(|&x| (part(x) / length) as f32).collect();
        Self { least, most, norm, normalised }
    }
}

/// Normalises a power and keeps that, beside the pipeline's own copy.
#[flash::host_task]
fn normalise(power: View<'_, f32, 2>, log: &Mutex<Vec<Step>>, progress: &Progress) {
    let step = Step::of(power.as_slice().unwrap_or_default());
    log.lock().unwrap_or_else(PoisonError::into_inner).push(step);
    progress.tick();
}

/// The first powers of a matrix after itself, normalised; one at least.
pub(crate) fn powers(
    rt: &Runtime,
    n: usize,
    matrix: &[f32],
    count: u32,
    progress: &Progress,
) -> flash::Result<(Vec<Step>, Report)> {
    let log = Mutex::new(Vec::new());
    let a = Buffer::from_shape([n, n], matrix)?;
    let (mut power, mut next) = (Buffer::zeros([n, n]), Buffer::zeros([n, n]));
    let report = flash_pipeline! { in rt;
        multiply(&a, &a, &mut power)[n, n];
        normalise(&power, &log, progress);
        for _k in 1..count {
            multiply(&power, &a, &mut next)[n, n];
            swap(power, next);
            normalise(&power, &log, progress);
        }
    }
    .exec()?;
    Ok((log.into_inner().unwrap_or_else(PoisonError::into_inner), report))
}

fn main() -> std::process::ExitCode {
    flash_examples::run(|options| run(&Runtime::new()?, options))
}

/// The whole example.
pub(crate) fn run(rt: &Runtime, options: &Options) -> Result {
    let (n, count) = options.size.pick((24, 4), (512, 10), (2048, 40));
    let matrix = random_matrix(n, 42);
    let progress = Progress::new(u64::from(count), "products");
    let (log, _) = powers(rt, n, &matrix, count, &progress)?;
    let seconds = progress.finish().as_secs_f64();
    compare(n, &matrix, count, &log)?;

    let flop = 2.0 * (n as f64).powi(3) * f64::from(count);
    println!("{n}x{n}, {count} products: {:.1} GFlop/s", flop / seconds * 1e-9);
    for (k, step) in log.iter().enumerate().step_by(count as usize / 4) {
        let Step { least, most, norm, .. } = step;
        println!("  power {:>2}: from {least:+.3e} to {most:+.3e}, length {norm:.2}", k + 2);
    }
    println!("all powers equal those of a plain triple loop, bit for bit");
    Ok(())
}

/// A matrix whose powers stay bounded, drawn from a seed.
pub(crate) fn random_matrix(n: usize, seed: u64) -> Vec<f32> {
    let mut random = SplitMix64::new(seed);
    (0..n * n).map(|_| random.signed() * 2.0 / n as f32).collect()
}

/// Multiplies again, sequentially; sums run over the same index in the same order.
pub(crate) fn compare(n: usize, matrix: &[f32], count: u32, log: &[Step]) -> Result {
    check::equal("number of powers", &[log.len()], &[count as usize])?;
    let mut power = matrix.to_vec();
    for (k, step) in log.iter().enumerate() {
        let mut next = vec![0.0_f32; n * n];
        for (row, next) in power.chunks(n).zip(next.chunks_mut(n)) {
            for (factor, line) in row.iter().zip(matrix.chunks(n)) {
                for (sum, element) in next.iter_mut().zip(line) {
                    *sum += factor * element;
                }
            }
        }
        power = next;
        let what = format!("power {}", k + 2);
        let mut sorted = power.clone();
        sorted.sort_by(f32::total_cmp);
        let (least, most) = (sorted[0], sorted[sorted.len() - 1]);
        check::equal(&what, &[step.least, step.most], &[least, most])?;
        // The range cancels: what is left is the distance from the least element, by its length.
        let distances: Vec<f64> = power.iter().map(|&x| f64::from(x) - f64::from(least)).collect();
        let length = distances.iter().map(|d| d * d).sum::<f64>().sqrt().max(f64::MIN_POSITIVE);
        let expected: Vec<f64> = distances.iter().map(|d| d / length).collect();
        check::all_within(&format!("{what}, normalised"), &step.normalised, &expected, 1e-6)?;
    }
    Ok(())
}
