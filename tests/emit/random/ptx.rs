//! Bodies as NVIDIA's compiler makes PTX of them mean what the interpreter says: drawn ones, and the kernels of
//! `kernels.rs`. The PTX is interpreted too, so no GPU is needed; what one makes of it is not asked.

use std::ops::Range;

use flash_ir::emit::{self, Options, cuda};
use flash_rt::KernelDescriptor;
use flash_test_ptx::{Arena, Launch, Module};
use flash_tests::nvrtc::{Nvrtc, nvrtc};

use super::kernel::Drawn;
use super::launch::Grid;
use super::{CASES, Case, OPTIMISED, TOGETHER, cases, found};
use crate::kernels;

/// What the compiler makes of a text for the oldest device. Where it need not optimise it takes a quarter of the
/// time.
fn module(nvrtc: &Nvrtc, text: &str, optimised: bool) -> Module {
    // What is fused is written so; with quotients as on the processor fast kernels have its bits too.
    let mut options = cuda::options(false);
    if !optimised {
        options.push("--Ofast-compile=max".to_owned());
    }
    let compiled = nvrtc.compile(text, &options, "compute_75");
    let ptx = compiled.unwrap_or_else(|log| panic!("{log}\n{text}")).ptx;
    Module::parse(&ptx).unwrap_or_else(|error| panic!("{error}\n{ptx}"))
}

/// Runs a kernel on memories, which hold afterwards what it made of them, and on words.
fn run(module: &Module, entry: &str, memories: &mut [&mut Vec<u8>], words: &[u8], grid: Grid) {
    let arena = Arena::new();
    let globals: Vec<u64> =
        module.globals().iter().map(|global| arena.place(&global.initial)).collect();
    let places: Vec<u64> = memories.iter().map(|bytes| arena.place(bytes)).collect();
    let mut params: Vec<u8> = places.iter().flat_map(|place| place.to_le_bytes()).collect();
    params.extend_from_slice(words);
    let in_u32 = |n: usize| u32::try_from(n).expect("a small grid");
    let launch = Launch {
        grid: std::array::from_fn(|dim| in_u32(grid.global[dim] / grid.local[dim])),
        block: grid.local.map(in_u32),
        params: &params,
        ..Launch::default()
    };
    if let Err(fault) = module.run(entry, &launch, &globals, &arena) {
        panic!("{entry}: {fault}");
    }
    for (place, bytes) in places.into_iter().zip(memories) {
        **bytes = arena.read(place, bytes.len());
    }
}

fn differences(nvrtc: &Nvrtc, seeds: Range<u64>) -> Vec<String> {
    let optimised = (seeds.start / TOGETHER).is_multiple_of(OPTIMISED);
    let (text, cases) = cases(seeds, emit::cuda);
    let module = module(nvrtc, &text, optimised);
    let runs = cases.iter().filter_map(|case| {
        let difference = case.difference(|entry, memories, words, grid| {
            run(&module, entry, memories, words, grid);
        });
        difference.map(|difference| case.again(&difference))
    });
    runs.collect()
}

#[test]
fn random_bodies_mean_the_same_in_ptx() {
    if let Some(nvrtc) = nvrtc() {
        found(CASES, || nvrtc, |nvrtc, seeds| differences(nvrtc, seeds));
    }
}

/// A launch of a kernel of the suite: shapes by parameter, and what is not drawn.
fn of_suite(
    kernel: &KernelDescriptor,
    extents: &[usize],
    shapes: &[&[usize]],
    given: &[(usize, &[u8])],
) -> Drawn {
    let ir = kernel.ir.expect("it has a body");
    assert_eq!(shapes.len(), ir.params.len(), "{}", ir.name);
    let drawn = shapes.iter().map(|shape| shape.to_vec());
    Drawn {
        ir,
        extents: extents.to_vec(),
        shapes: drawn.collect(),
        own: Vec::new(),
        spacing: vec![1; shapes.len()],
        given: given.iter().map(|(at, bytes)| (*at, bytes.to_vec())).collect(),
        options: Options { check_all: true, ..Options::default() },
        wraps: false,
        seed: 1 + extents[0] as u64,
    }
}

/// Those whose results do not depend on which item adds first.
fn suite() -> Vec<Drawn> {
    use kernels::*;
    let back: Vec<u8> = (0..40_u32).rev().flat_map(u32::to_le_bytes).collect();
    let none: &[usize] = &[];
    vec![
        of_suite(saxpy::DESCRIPTOR, &[70], &[none, &[70], &[70]], &[]),
        of_suite(stencil::DESCRIPTOR, &[9, 7], &[none, &[7, 9], &[7, 9]], &[]),
        of_suite(dot::DESCRIPTOR, &[70, 66], &[&[66, 70], &[66, 70], none, none], &[]),
        of_suite(drift::DESCRIPTOR, &[33], &[none, &[33], &[33]], &[]),
        of_suite(called::DESCRIPTOR, &[50], &[&[50], &[50]], &[]),
        of_suite(product::DESCRIPTOR, &[6, 5], &[&[5, 7], &[7, 6], &[5, 6]], &[]),
        of_suite(casts::DESCRIPTOR, &[90], &[&[90], &[90], &[90]], &[]),
        of_suite(windows::DESCRIPTOR, &[24], &[&[24], &[24]], &[]),
        of_suite(windows::DESCRIPTOR, &[25], &[&[25], &[25]], &[]),
        of_suite(faults::DESCRIPTOR, &[40], &[none, &[40], &[40], &[40]], &[]),
        of_suite(scatter::DESCRIPTOR, &[40], &[&[40], &[40], &[40]], &[(0, &back)]),
        of_suite(deep::DESCRIPTOR, &[5, 4, 3, 2], &[&[2, 3, 4, 5], &[2, 3, 4, 5]], &[]),
        of_suite(turns::DESCRIPTOR, &[20], &[&[20]], &[]),
        of_suite(fused::DESCRIPTOR, &[70], &[none, &[70], &[70]], &[]),
        of_suite(
            counted::DESCRIPTOR,
            &[7],
            &[none, none, &[7]],
            &[(0, &[9]), (1, &11_i32.to_le_bytes())],
        ),
        of_suite(length::DESCRIPTOR, &[30], &[none, &[30], &[30]], &[]),
        of_suite(ratio::DESCRIPTOR, &[70], &[none, &[70]], &[]),
        of_suite(tangent::DESCRIPTOR, &[90], &[&[90]], &[]),
        of_suite(turned::DESCRIPTOR, &[50], &[none, &[50], &[50]], &[]),
    ]
}

#[test]
fn kernels_mean_the_same_in_ptx() {
    let Some(nvrtc) = nvrtc() else { return };
    let wrong: Vec<String> = suite()
        .into_iter()
        .filter_map(|drawn| {
            let case = Case::new(drawn, emit::cuda);
            let module = module(nvrtc, &case.emitted.text, true);
            case.difference(|entry, memories, words, grid| {
                run(&module, entry, memories, words, grid);
            })
        })
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
