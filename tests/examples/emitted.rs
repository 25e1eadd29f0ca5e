//! The bodies of all examples as CUDA C++: NVIDIA's compiler takes them for each device, and what their code
//! takes there is written down. They are not run here.

use flash_ir::emit::{self, Options, cuda};
use flash_rt::KernelDescriptor;
use flash_tests::cubin;
use flash_tests::nvrtc::{KNOWN, Nvrtc, nvrtc};

use super::*;

/// Kernels with the names of their examples; that of `saxpy` is among those of `tests/emit`.
const ALL: &[(&str, &KernelDescriptor)] = &[
    ("sobel_video", sobel_video::sobel::DESCRIPTOR),
    ("mandelbrot", mandelbrot::mandelbrot::DESCRIPTOR),
    ("nbody", nbody::accelerate::DESCRIPTOR),
    ("nbody", nbody::integrate::DESCRIPTOR),
    ("nbody", nbody::in_stages::DESCRIPTOR),
    ("black_scholes", black_scholes::price::DESCRIPTOR),
    ("histogram", histogram::histogram::DESCRIPTOR),
    ("matrix_product", matrix_product::product::DESCRIPTOR),
    ("relaxation", relaxation::relax::DESCRIPTOR),
    ("heat", heat::heat::DESCRIPTOR),
    ("heat", heat::heat_in_stages::DESCRIPTOR),
    ("hotspot", hotspot::hotspot::DESCRIPTOR),
    ("wave", wave::wave::DESCRIPTOR),
    ("convolution", convolution::convolution::DESCRIPTOR),
    ("dct", dct::across::DESCRIPTOR),
    ("dct", dct::down::DESCRIPTOR),
    ("attention", attention::weigh::DESCRIPTOR),
    ("attention", attention::blend::DESCRIPTOR),
    ("matrix_power", matrix_power::multiply::DESCRIPTOR),
    ("diffusion", diffusion::walk::DESCRIPTOR),
    ("diffusion", diffusion::walk_in_phases::DESCRIPTOR),
    ("euler", euler::begin::DESCRIPTOR),
    ("euler", euler::flux::DESCRIPTOR),
    ("euler", euler::advance::DESCRIPTOR),
    ("alignment", alignment::align::DESCRIPTOR),
    ("alignment", alignment::diagonal::DESCRIPTOR),
    ("tree_sum", tree_sum::take_in::DESCRIPTOR),
];

/// What a kernel takes whose arrays are dense, where its accesses are known to be in range or not.
fn taken(nvrtc: &Nvrtc, is_inside: bool, (example, kernel): &(&str, &KernelDescriptor)) -> String {
    let typed = flash_ir::resolve::kernel(kernel.ir.expect("it has a body")).expect("it resolves");
    let (inside, unit_stride) = (vec![is_inside; 64], vec![true; 16]);
    let options = Options { inside, unit_stride, ..Options::default() };
    let emitted = emit::cuda(&typed, &options).expect("it can be said");
    let options = cuda::options(emitted.is_fast);
    let taken = cubin::taken(nvrtc, &emitted.entry, &emitted.text, &options);
    format!("{example}: {taken}")
}

/// What all of them take, none of which spills a register.
fn all_taken(nvrtc: &Nvrtc, is_inside: bool) -> String {
    let all: String = std::thread::scope(|scope| {
        let of = |half: &[(&str, &KernelDescriptor)]| {
            half.iter().map(|it| taken(nvrtc, is_inside, it)).collect::<String>()
        };
        let halves = ALL.chunks(ALL.len().div_ceil(2));
        let threads: Vec<_> = halves.map(|half| scope.spawn(move || of(half))).collect();
        threads.into_iter().map(|thread| thread.join().expect("they compile")).collect()
    });
    let straight = all.lines().filter(|line| line.ends_with(" 0 spilled")).count();
    assert_eq!(straight, 4 * ALL.len(), "{all}");
    all
}

#[test]
fn no_body_spills_registers_on_a_gpu() {
    let Some(nvrtc) = nvrtc() else { return };
    let all = all_taken(nvrtc, true);
    if nvrtc.version() == KNOWN {
        insta::assert_snapshot!(all);
    }
}

/// Every access that is safe is checked, whatever is known of it.
#[test]
fn no_checked_body_spills_registers_on_a_gpu() {
    let Some(nvrtc) = nvrtc() else { return };
    let all = all_taken(nvrtc, false);
    if nvrtc.version() == KNOWN {
        insta::assert_snapshot!(all);
    }
}
