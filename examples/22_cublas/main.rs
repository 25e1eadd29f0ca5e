//! Shows:  a function of a library in a pipeline: a product of matrices by cuBLAS between two kernels, or
//!         by a kernel of our own where cuBLAS or a GPU is not there.
//! Run:    cargo run --release --example 22_cublas
//! Prints: who has computed the product and how fast, after comparing with a plain triple loop.
#![allow(clippy::print_stdout, reason = "an example talks to its reader")]
#![allow(unsafe_code, reason = "vouches for what a library does")]

pub(crate) mod library;

use std::time::Instant;

use flash::cuda::OnCuda;
use flash::out;
use flash::prelude::*;
use flash_examples::random::factors;
use flash_examples::{Options, Result, check};
use library::Cublas;

/// c = a b
#[flash::kernel]
pub(crate) fn product(a: View<'_, f32, 2>, b: View<'_, f32, 2>, #[out] c: ViewMut<'_, f32, 2>) {
    let (row, column) = (global_id(1), global_id(0));
    let mut sum = 0.0_f32;
    for k in 0..a.extent(1) {
        sum += a[[row, k]] * b[[k, column]];
    }
    c[[row, column]] = sum;
}

/// x = s x
#[flash::kernel]
pub(crate) fn scale(s: f32, x: ViewMut<'_, f32, 2>) {
    let (row, column) = (global_id(1), global_id(0));
    x[[row, column]] = s * x[[row, column]];
}

/// `2 (a (b / 4))` of an `[n, m]` and an `[m, p]` matrix. The product is by cuBLAS where that is given; who
/// calls it is a node of the pipeline like any other, so kernels before and after it need nothing more.
pub(crate) fn multiply(
    rt: &Runtime,
    cublas: Option<&Cublas>,
    [n, m, p]: [usize; 3],
    a: &[f32],
    b: &[f32],
) -> flash::Result<Vec<f32>> {
    let a = Buffer::from_shape([n, m], a)?;
    let mut b = Buffer::from_shape([m, p], b)?;
    let mut c = Buffer::zeros([n, p]);
    let mut pipeline = rt.pipeline();
    pipeline.push(scale(0.25, &mut b).over([p, m]));
    match cublas {
        Some(cublas) => {
            let node = rt.native("cublas", (&a, &b, out(&mut c))).on_cuda(|cx| {
                // SAFETY: these are the arrays of the node, all of each.
                unsafe { cublas.product(cx) }.map_err(Into::into)
            });
            pipeline.push(node);
        }
        None => drop(pipeline.push(product(&a, &b, &mut c).over([p, n]))),
    }
    pipeline.push(scale(2.0, &mut c).over([p, n]));
    pipeline.exec()?;
    drop(pipeline);
    c.to_vec()
}

fn main() -> std::process::ExitCode {
    flash_examples::run(|options| run(&Runtime::new()?, options))
}

/// The whole example.
pub(crate) fn run(rt: &Runtime, options: &Options) -> Result {
    let has_gpu = rt.devices().iter().any(|device| device.key() == flash::cuda::KEY);
    let cublas = match Cublas::load() {
        _ if !has_gpu => Err("there is no CUDA device".to_owned()),
        Ok(cublas) => Ok(cublas),
        Err(said) => Err(format!("cuBLAS is not installed ({said})")),
    };
    let shape @ [n, m, p] = options.size.pick([19, 13, 22], [768, 640, 896], [4096, 4096, 4096]);
    let (a, b) = factors(shape, 22);
    let start = Instant::now();
    let c = multiply(rt, cublas.as_ref().ok(), shape, &a, &b)?;
    let seconds = start.elapsed().as_secs_f64();
    compare(shape, &a, &b, &c)?;

    match &cublas {
        Ok(_) => println!("cuBLAS has computed the product"),
        Err(why) => println!("{why}: a kernel has computed the product"),
    }
    let flop = 2.0 * n as f64 * m as f64 * p as f64;
    println!("{n}x{m} by {m}x{p}: {:.1} GFlop/s, copies included", flop / seconds * 1e-9);
    println!("every element is that of a plain triple loop, but for rounding");
    Ok(())
}

/// Multiplies again, sequentially and in double precision: cuBLAS sums in an order of its own.
pub(crate) fn compare([n, m, p]: [usize; 3], a: &[f32], b: &[f32], c: &[f32]) -> Result {
    let mut expected = vec![0.0_f64; n * p];
    for (row, expected) in expected.chunks_exact_mut(p).enumerate() {
        for k in 0..m {
            let factor = 0.5 * f64::from(a[row * m + k]);
            for (sum, b) in expected.iter_mut().zip(&b[k * p..(k + 1) * p]) {
                *sum += factor * f64::from(*b);
            }
        }
    }
    // Of numbers up to 1/2, so many times a rounding.
    let most = 0.5 * m as f64 * f64::from(f32::EPSILON) * (m as f64).sqrt();
    Ok(check::all_within("product", c, &expected, most)?)
}
