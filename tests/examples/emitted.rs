//! The bodies of all examples as CUDA C++: NVIDIA's compiler takes them for each device, and what their code
//! takes there is written down. They are not run here.

use std::path::Path;

use flash_ir::emit::{self, Options, TableIds, cuda};
use flash_rt::KernelDescriptor;
use flash_tests::cubin;
use flash_tests::nvrtc::{DEVICES, KNOWN, Nvrtc, nvrtc};

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
    ("own_kernel", own_kernel::blend::DESCRIPTOR),
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
    ("cublas", cublas::product::DESCRIPTOR),
    ("cublas", cublas::scale::DESCRIPTOR),
    ("tree_sum", tree_sum::take_in::DESCRIPTOR),
];

/// The kernels with a body in the text of an example.
fn bodies(text: &str) -> Vec<String> {
    let kernels = text.split("\n#[flash::kernel").skip(1);
    let of = |kernel: &str| {
        let declared = kernel.split_once("fn ")?.1;
        // Of a declaration whose code is native there is the head alone.
        let has_body = declared.find("{\n") < declared.find(";\n");
        let name = declared.split_once('(')?.0.to_owned();
        has_body.then_some(name)
    };
    kernels.filter_map(of).collect()
}

#[test]
fn every_body_of_an_example_is_compiled() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples");
    let mut missing = Vec::new();
    let mut n = 0;
    for entry in std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
        let file = if entry.is_dir() { entry.join("main.rs") } else { entry.clone() };
        let Ok(text) = std::fs::read_to_string(&file) else { continue };
        let name = entry.file_stem().unwrap().to_string_lossy();
        let Some((_, example)) = name.split_once('_') else { continue };
        for kernel in bodies(&text) {
            n += 1;
            let is_it = |(of, it): &&(&str, &KernelDescriptor)| *of == example && it.name == kernel;
            if (example, &*kernel) != ("saxpy", "saxpy") && !ALL.iter().any(|it| is_it(&it)) {
                missing.push(format!("{example}: {kernel}"));
            }
        }
    }
    assert_eq!(missing, Vec::<String>::new());
    assert_eq!(n, ALL.len() + 1, "kernels were found in the examples");
}

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

/// Arrays of any length, ids of a table, several items at a time: the other texts of the same bodies. Each is
/// compiled for one device, in turn.
#[test]
fn no_other_text_of_a_body_spills_registers_on_a_gpu() {
    let Some(nvrtc) = nvrtc() else { return };
    let (mut wrong, mut together, mut n) = (Vec::new(), 0, 0);
    for (number, (example, kernel)) in ALL.iter().enumerate() {
        let ir = kernel.ir.expect("it has a body");
        let typed = flash_ir::resolve::kernel(ir).expect("it resolves");
        let dense = Options { unit_stride: vec![true; 16], ..Options::default() };
        let mut variants = vec![
            Options { wide: true, ..Options::default() },
            Options { wide: true, table: Some(TableIds::U64), ..dense.clone() },
            Options { table: Some(TableIds::U32), check_all: true, ..dense.clone() },
        ];
        if emit::together(ir).is_some() {
            variants.push(Options { inside: vec![true; 64], together: true, ..dense });
        }
        for (turn, options) in variants.iter().enumerate() {
            let emitted = emit::cuda(&typed, options).expect("it can be said");
            together += usize::from(emitted.together > 1);
            let device = DEVICES[(number + turn) % DEVICES.len()];
            let mut flags = cuda::options(emitted.is_fast);
            flags.push("--ptxas-options=-v".to_owned());
            let found = nvrtc.compile(&emitted.text, &flags, device);
            match found.map(|compiled| cubin::spilled(&compiled.log)) {
                Ok(Some(0)) => n += 1,
                found => wrong.push(format!("{example}: {found:?} for {device}\n{options:?}")),
            }
        }
    }
    assert_eq!(wrong, Vec::<String>::new());
    assert!(n >= 3 * ALL.len() && together > 0, "{n} texts, {together} with several items");
}
