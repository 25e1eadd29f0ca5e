//! Drawn bodies as CUDA C++: NVIDIA's compiler takes them for each device. It runs none of them.

use std::ops::Range;

use flash_ir::emit::{self, cuda};
use flash_tests::cubin;
use flash_tests::nvrtc::{DEVICES, Nvrtc, nvrtc};

use super::{TOGETHER, cases, found};

/// Kernels that are compiled where nobody says how many.
const COMPILED: u64 = 160;

/// Compiles the kernels of some seeds, for one device after the other.
fn compiles(nvrtc: &Nvrtc, seeds: Range<u64>) -> Vec<String> {
    let device = DEVICES[(seeds.start / TOGETHER) as usize % DEVICES.len()];
    let (text, cases) = cases(seeds.clone(), emit::cuda);
    let compiled = match nvrtc.compile(&text, &cuda::options(false), device) {
        Ok(compiled) => compiled,
        Err(log) => return vec![format!("FLASH_SEED={} for {device}: {log}", seeds.start)],
    };
    let found = cubin::kernels(&compiled.cubin).expect("it is code of a device");
    let mut wrong = Vec::new();
    for case in &cases {
        let kernel = found.iter().find(|kernel| kernel.name == case.emitted.entry);
        let (entry, words) = (&case.emitted.entry, 8 * case.emitted.words.len() as u32);
        match kernel.and_then(|kernel| kernel.params.split_last()) {
            Some((last, others)) if *last == words && others.iter().all(|size| *size == 8) => {}
            _ => wrong.push(format!("`{entry}` for {device}: {kernel:?}\n{}", case.emitted.text)),
        }
    }
    wrong
}

#[test]
fn random_bodies_compile_for_all_devices() {
    if let Some(nvrtc) = nvrtc() {
        found(COMPILED, || nvrtc, |nvrtc, seeds| compiles(nvrtc, seeds));
    }
}
