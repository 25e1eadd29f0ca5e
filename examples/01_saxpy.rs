//! Shows:  a kernel, two buffers, one launch.
//! Run:    cargo run --release --example 01_saxpy
//! Prints: the number of elements and the time, after comparing all of them with a plain loop.
#![allow(clippy::print_stdout, reason = "an example talks to its reader")]

use flash::prelude::*;
use flash_examples::{Options, Result, SplitMix64, check};

/// y = a x + y
#[flash::kernel(inputs = 2)]
fn saxpy(a: f32, x: &[f32], y: &mut [f32]) {
    let i = global_id(0);
    y[i] = a * x[i] + y[i];
}

fn main() -> std::process::ExitCode {
    flash_examples::run(|options| run(&Runtime::new()?, options))
}

/// The whole example.
pub(crate) fn run(rt: &Runtime, options: &Options) -> Result {
    let n = options.size.pick(1000, 1 << 20, 1 << 25);
    compare(rt, n, 1)?;
    println!("saxpy of {n} elements: every one equals that of a plain loop");
    Ok(())
}

/// Runs the kernel on numbers drawn from a seed, and compares with a plain loop, bit for bit.
pub(crate) fn compare(rt: &Runtime, n: usize, seed: u64) -> Result {
    let mut random = SplitMix64::new(seed);
    let a = random.signed();
    let x: Vec<f32> = (0..n).map(|_| random.signed()).collect();
    let y: Vec<f32> = (0..n).map(|_| random.signed()).collect();

    let x_buffer = Buffer::from(x.clone());
    let mut y_buffer = Buffer::from(y.clone());
    rt.submit(saxpy(a, &x_buffer, &mut y_buffer)).exec([n])?;

    let expected: Vec<f32> = x.iter().zip(&y).map(|(x, y)| a * x + y).collect();
    Ok(check::equal("y", &y_buffer.to_vec()?, &expected)?)
}
