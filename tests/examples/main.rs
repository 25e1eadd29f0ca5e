//! Every example finds what a plain loop finds, on every device; the values of publications are
//! found too; and with a fault switched on, none of that is found. The examples are modules of this
//! test, so that nothing is built twice.
#![allow(clippy::print_stdout, reason = "a test says which seed it drew")]
#![allow(dead_code, reason = "the `main` of an example is not called here")]

mod faults;
mod golden;
mod self_checks;

#[path = "../../examples/05_black_scholes.rs"]
mod black_scholes;
#[path = "../../examples/06_histogram.rs"]
mod histogram;
#[path = "../../examples/07_library_kernel/main.rs"]
mod library_kernel;
#[path = "../../examples/03_mandelbrot.rs"]
mod mandelbrot;
#[path = "../../examples/08_matrix_product.rs"]
mod matrix_product;
#[path = "../../examples/04_nbody.rs"]
mod nbody;
#[path = "../../examples/10_own_kernel.rs"]
mod own_kernel;
#[path = "../../examples/09_relaxation.rs"]
mod relaxation;
#[path = "../../examples/01_saxpy.rs"]
mod saxpy;
#[path = "../../examples/02_sobel_video.rs"]
mod sobel_video;

use flash::Runtime;

/// The devices that everything is checked on.
const CPU: &str = "ALL_CPU";
/// Has its own memory, and interprets kernels.
const SIM: &str = "SIM";

fn runtime(key: &str) -> Runtime {
    Runtime::open(key).expect("it is always there")
}

/// Runs a test on every device with two seeds that no run has used before. They are printed where
/// it fails.
fn on_fresh_seeds(test: impl Fn(&Runtime, u64)) {
    for key in [CPU, SIM] {
        let rt = runtime(key);
        for _ in 0..2 {
            let seed = flash_examples::SplitMix64::fresh_seed();
            println!("{key}, seed {seed}");
            test(&rt, seed);
        }
    }
}

/// Fails with the error and what caused it.
#[track_caller]
fn succeed<T, E>(result: Result<T, E>) -> T
where
    E: Into<flash_examples::Error>,
{
    result.unwrap_or_else(|error| panic!("{}", flash_examples::with_causes(&*error.into())))
}
