//! Shows:  a kernel in C and in OpenCL C behind a typed signature, compiled and loaded at run time.
//! Run:    cargo run --release --example 07_library_kernel
//! Prints: what was compiled and the rate, after comparing with Rust; or that there is no compiler.
#![allow(clippy::print_stdout, reason = "an example talks to its reader")]

use std::path::PathBuf;
use std::process::Command;
use std::time::Instant;

use flash::prelude::*;
use flash_examples::{Options, Result, SplitMix64, check};

/// y = c[0] x^(n-1) + .. + c[n-1]. A declaration: the code is in a library, and in a text for the devices that
/// `FLASH_DEVICES=OPENCL` chooses.
#[flash::kernel(inputs = 2, unsafe(
    cpu(path = "out/horner.so"),
    opencl(
        source = include_str!("horner.cl"),
        args(coefficients, n = coefficients.len(), x, y),
    ),
))]
fn horner(coefficients: &[f64], x: &[f64], #[out] y: &mut [f64]);

/// Compiles the kernel, if there is a compiler.
fn compile(options: &Options) -> Result<Option<PathBuf>> {
    let library = options.output("horner.so")?;
    std::fs::write(options.output("flash.h")?, flash::cpu::HEADER)?;
    let source = options.output("horner.c")?;
    std::fs::write(&source, include_str!("horner.c"))?;
    let compiler = Command::new("cc")
        .args(["-O2", "-ffp-contract=off", "-Wall", "-Wextra", "-shared", "-fPIC", "-I"])
        .arg(&options.out)
        .arg(source)
        .arg("-o")
        .arg(&library)
        .output();
    match compiler {
        Ok(output) if output.status.success() => Ok(Some(library)),
        Ok(output) => Err(String::from_utf8_lossy(&output.stderr).into()),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error.into()),
    }
}

fn main() -> std::process::ExitCode {
    flash_examples::run(|options| run(&Runtime::new()?, options))
}

/// The whole example.
pub(crate) fn run(rt: &Runtime, options: &Options) -> Result {
    let Some(library) = compile(options)? else {
        println!("there is no C compiler `cc` here; install gcc or clang to run this example");
        return Ok(());
    };
    // SAFETY: `horner.c` has the parameters of the declaration and keeps the rules of `flash.h`.
    unsafe {
        flash::cpu::register("horner", &library, "horner");
    }

    let n = options.size.pick(1000, 1 << 20, 1 << 24);
    let mut random = SplitMix64::new(5);
    let coefficients: Vec<f64> = (0..12).map(|_| f64::from(random.signed())).collect();
    let points: Vec<f64> = (0..n).map(|_| f64::from(random.signed())).collect();

    let start = Instant::now();
    let x = Buffer::from(points.clone());
    let mut y = Buffer::zeros(n);
    rt.submit(horner(&coefficients, &x, &mut y)).exec([n])?;
    let seconds = start.elapsed().as_secs_f64();

    let value = |x: &f64| coefficients.iter().fold(0.0, |sum, c| sum * x + c);
    let expected: Vec<f64> = points.iter().map(value).collect();
    check::equal("polynomial", &y.to_vec()?, &expected)?;
    println!("compiled {}", library.display());
    println!(
        "{n} polynomials of {} coefficients: {:.1} million/s, all equal to those in Rust",
        coefficients.len(),
        n as f64 / seconds * 1e-6
    );
    Ok(())
}
