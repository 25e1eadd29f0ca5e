//! Every example finds what a plain loop finds, on every device; the values of publications are
//! found too; and with a fault switched on, none of that is found. The examples are modules of this
//! test, so that nothing is built twice.
#![allow(clippy::print_stdout, reason = "a test says which seed it drew")]
#![allow(dead_code, reason = "the `main` of an example is not called here")]

/// Calls a macro with the examples that run on every device, which are all but those that show native
/// code, and with `more`.
macro_rules! portable_examples {
    ($test:ident $(, $more:ident)*) => {
        $test!(
            saxpy,
            sobel_video,
            mandelbrot,
            nbody,
            black_scholes,
            histogram,
            matrix_product,
            relaxation,
            own_kernel,
            heat,
            hotspot,
            wave,
            convolution,
            dct,
            attention,
            matrix_power,
            diffusion,
            euler,
            alignment,
            tree_sum,
            $($more,)*
        );
    };
}

mod calls;
mod calls_cuda;
mod cublas_stand_in;
mod cuda;
mod emitted;
mod faults;
mod frames;
mod golden;
mod oclgrind;
mod overlap;
mod self_checks;
mod small;
mod splits;
mod streams;
mod sweep;
mod sweep_cuda;
mod transfers;

#[path = "../../examples/20_alignment.rs"]
mod alignment;
#[path = "../../examples/16_attention.rs"]
mod attention;
#[path = "../../examples/05_black_scholes.rs"]
mod black_scholes;
#[path = "../../examples/14_convolution.rs"]
mod convolution;
#[path = "../../examples/22_cublas/main.rs"]
mod cublas;
#[path = "../../examples/15_dct.rs"]
mod dct;
#[path = "../../examples/18_diffusion.rs"]
mod diffusion;
#[path = "../../examples/19_euler/main.rs"]
mod euler;
#[path = "../../examples/11_heat.rs"]
mod heat;
#[path = "../../examples/06_histogram.rs"]
mod histogram;
#[path = "../../examples/12_hotspot.rs"]
mod hotspot;
#[path = "../../examples/07_library_kernel/main.rs"]
mod library_kernel;
#[path = "../../examples/03_mandelbrot.rs"]
mod mandelbrot;
#[path = "../../examples/17_matrix_power.rs"]
mod matrix_power;
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
#[path = "../../examples/21_split/split.rs"]
mod split;
#[path = "../../examples/23_tree_sum.rs"]
mod tree_sum;
#[path = "../../examples/13_wave.rs"]
mod wave;

use flash::Runtime;
use flash_rt::sim::{Config, Run, Sim};

/// The devices that everything is checked on.
const CPU: &str = "ALL_CPU";
/// Has its own memory, and interprets kernels.
const SIM: &str = "SIM";
/// Those of OpenCL drivers, where there are some; kernels are compiled for them.
const OPENCL: &str = "OPENCL";

fn runtime(key: &str) -> Runtime {
    Runtime::open(key).expect("it is always there")
}

/// Both policies on simulators: so many devices, which run kernels in this way. On one device the number
/// of transfers does not depend on which device a launch goes to. A device that runs entries of the CPU
/// is fast enough for the sizes of publications; one that interprets takes a part of them.
fn simulators(devices: usize, run: Run) -> [Runtime; 2] {
    [false, true].map(|sync| {
        let sim = Sim::new(Config { devices, run, log: false, ..Config::default() });
        let builder = Runtime::builder().backend(std::sync::Arc::new(sim)).sync(sync);
        builder.build().expect("it is always there")
    })
}

/// The simulators that values are looked for on, after those that interpret a part of them.
fn by_entries() -> [Runtime; 2] {
    simulators(2, Run::Entry)
}

/// Both policies on the devices of a key: what may run at once, and one after the other.
fn policies(key: &str) -> [Runtime; 2] {
    [false, true]
        .map(|sync| Runtime::builder().devices(key).sync(sync).build().expect("it is always there"))
}

/// Both policies on OpenCL devices, where there are some.
fn on_opencl() -> Vec<Runtime> {
    flash_tests::opencl().map_or_else(Vec::new, |_| policies(OPENCL).into())
}

/// Runs a test on a CUDA device, under both policies, where there is NVRTC.
fn on_cuda(test: impl Fn(&Runtime)) {
    for sync in [false, true] {
        if let Some(cuda) =
            flash_tests::cuda::devices_with("devices=1", |builder| builder.sync(sync))
        {
            test(&cuda.rt);
        }
    }
}

/// Runs a test on every device, under both policies, each with a seed that no run has used before.
/// It is printed where the test fails.
fn on_fresh_seeds(test: impl Fn(&Runtime, u64)) {
    let opencl = flash_tests::opencl().map(|_| OPENCL);
    for key in [CPU, SIM].into_iter().chain(opencl) {
        for rt in policies(key) {
            let seed = flash_examples::SplitMix64::fresh_seed();
            println!("{key}, seed {seed}");
            test(&rt, seed);
        }
    }
    on_cuda(|rt| {
        let seed = flash_examples::SplitMix64::fresh_seed();
        println!("NVIDIA_GPU, seed {seed}");
        test(rt, seed);
    });
}

/// Fails with the error and what caused it.
#[track_caller]
fn succeed<T, E>(result: Result<T, E>) -> T
where
    E: Into<flash_examples::Error>,
{
    result.unwrap_or_else(|error| panic!("{}", flash_examples::with_causes(&*error.into())))
}
