//! Shows:  an index space of strides: a sum in a tree as the phases of one launch, and how much
//!         nearer it comes than numbers that are added one by one.
//! Run:    cargo run --release --example 23_tree_sum
//! Prints: both sums and how far off they are, after comparing the tree with a plain loop, bit for
//!         bit, and elements per second.
#![allow(clippy::print_stdout, reason = "an example talks to its reader")]

use std::time::Instant;

use flash::CountBy;
use flash::prelude::*;
use flash_examples::{Options, Result, SplitMix64, check};

/// One step of the tree: each of `stride` elements takes in the one that is a stride behind it.
#[flash::kernel(group_by(y))]
pub(crate) fn take_in(x: &mut [f32]) {
    let (i, stride) = (global_id(0), global_id(1));
    if i < stride && i + stride < x.len() {
        // SAFETY: what is read has an index from `stride` on, and is not written in this phase.
        unsafe { x[i] = x[i] + x[i + stride] };
    }
}

/// The sum, in one launch: dimension 1 has the strides, the largest first, and each is a phase.
pub(crate) fn tree_sum(rt: &Runtime, x: &[f32]) -> flash::Result<f32> {
    let n = x.len();
    if n == 0 {
        return Ok(0.0);
    }
    let mut x = Buffer::from(x.to_vec());
    rt.submit(take_in(&mut x)).exec((n.div_ceil(2), CountBy::strided_reduce(n)))?;
    x.get(0)
}

fn main() -> std::process::ExitCode {
    flash_examples::run(|options| run(&Runtime::new()?, options))
}

/// The whole example.
pub(crate) fn run(rt: &Runtime, options: &Options) -> Result {
    // No power of two: the last elements of a stride have nobody to take in.
    let n = options.size.pick(1_000, 3_000_001, 30_000_001);
    let x = prices(n, 22);
    let start = Instant::now();
    let sum = tree_sum(rt, &x)?;
    let rate = n as f64 / start.elapsed().as_secs_f64() * 1e-6;
    compare(&x, sum)?;

    let exact: f64 = x.iter().map(|&x| f64::from(x)).sum();
    let one_by_one: f32 = x.iter().sum();
    let off = |sum: f32| (f64::from(sum) - exact) / exact * 100.0;
    println!("{n} elements, {rate:.0} million/s; their sum is {exact:.2}");
    println!("in a tree:  {sum:>14.2}, {:+.5} % off", off(sum));
    println!("one by one: {one_by_one:>14.2}, {:+.5} % off", off(one_by_one));
    println!("equal to a plain loop, bit for bit");
    Ok(())
}

/// Numbers of two decimals below 100.
pub(crate) fn prices(n: usize, seed: u64) -> Vec<f32> {
    let mut random = SplitMix64::new(seed);
    (0..n).map(|_| random.below(10_000) as f32 / 100.0).collect()
}

/// The same tree, element by element.
pub(crate) fn compare(x: &[f32], sum: f32) -> Result {
    let mut expected = x.to_vec();
    let mut stride = x.len().next_power_of_two() / 2;
    while stride > 0 {
        for i in 0..stride.min(x.len().saturating_sub(stride)) {
            expected[i] += expected[i + stride];
        }
        stride /= 2;
    }
    let expected = expected.first().copied().unwrap_or(0.0);
    Ok(check::equal("sum", &[sum.to_bits()], &[expected.to_bits()])?)
}
