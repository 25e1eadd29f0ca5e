//! Shows:  a start for your own kernel: change the body, change the plain loop, run it.
//! Run:    cargo run --release --example 10_own_kernel
//! Prints: what the pipeline did, after comparing with the plain loop; the compiler does the rest.
#![allow(clippy::print_stdout, reason = "an example talks to its reader")]

use flash::prelude::*;
use flash_examples::{Options, Result, SplitMix64, check};

// 1. The kernel: what one work item does. `global_id(0)` is its number. It may read any element,
//    and writes its own. Try `smooth[i - 1] = ..` or `smooth[2 * i] = ..` and read the error.
#[flash::kernel]
pub(crate) fn blend(weight: f32, rough: &[f32], #[out] smooth: &mut [f32]) {
    let i = global_id(0);
    let n = rough.len();
    if i > 0 && i + 1 < n {
        smooth[i] = (1.0 - weight) * rough[i] + weight * 0.5 * (rough[i - 1] + rough[i + 1]);
    } else {
        smooth[i] = rough[i];
    }
}

// 2. The same as a plain loop.
fn plain(weight: f32, rough: &[f32]) -> Vec<f32> {
    let mut smooth = rough.to_vec();
    for i in 1..rough.len() - 1 {
        smooth[i] = (1.0 - weight) * rough[i] + weight * 0.5 * (rough[i - 1] + rough[i + 1]);
    }
    smooth
}

fn main() -> std::process::ExitCode {
    flash_examples::run(|options| run(&Runtime::new()?, options))
}

// 3. The run: data in buffers, stages in a pipeline, a comparison.
pub(crate) fn run(rt: &Runtime, options: &Options) -> Result {
    let n = options.size.pick(300, 1 << 20, 1 << 24);
    let mut random = SplitMix64::new(3);
    let values: Vec<f32> = (0..n).map(|_| random.signed()).collect();

    let rough = Buffer::from(values.clone());
    let mut once = Buffer::<f32>::zeros(n);
    let mut twice = Buffer::<f32>::zeros(n);
    let mut pipeline = flash_pipeline! { in rt;
        blend(0.5, &rough, &mut once)[n];
        blend(0.25, &once, &mut twice)[n];
    };
    let report = pipeline.exec()?;

    check::equal("smooth", &twice.to_vec()?, &plain(0.25, &plain(0.5, &values)))?;
    println!("{n} values, equal to those of the plain loop");
    println!("{report}");
    println!("{}", pipeline.explain()?);
    Ok(())
}
