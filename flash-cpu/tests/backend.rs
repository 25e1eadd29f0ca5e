//! Launches on the backend: every item once, the same results for any number of workers, helpers
//! take part, and the options are obeyed.

use std::sync::Arc;

use flash_cpu::CpuBackend;
use flash_rt::backend::conformance::kernels::{SAXPY, SUM};
use flash_rt::{Arg, Buffer, Call, Isa, Options, Runtime, Var};

fn runtime(threads: Option<usize>) -> Runtime {
    let mut options = Options::default();
    options.threads = threads;
    let cpu = CpuBackend::new(&options).expect("the processor is there");
    Runtime::builder().backend(Arc::new(cpu)).build().expect("a runtime")
}

#[test]
fn saxpy_of_all_sizes_for_any_number_of_workers() {
    for threads in [Some(1), Some(2), Some(8), None] {
        let rt = runtime(threads);
        for n in [1, 63, 64, 1_000, 65_537, 3_000_000] {
            let x = Buffer::from((0..n).map(|i| i as f32).collect::<Vec<_>>());
            let mut y = Buffer::from(vec![0.5_f32; n]);
            for round in 1..=3 {
                let bound = [
                    Arg::<f32>::bind(2.0_f32),
                    Arg::<&[f32]>::bind(&x),
                    Arg::<&mut [f32]>::bind(&mut y),
                ];
                rt.submit(Call::<1>::new(&SAXPY, bound)).exec([n]).expect("it runs");
                let y = y.to_vec().expect("in host memory");
                for (i, y) in y.iter().enumerate() {
                    let expected = (0..round).fold(0.5, |y, _| 2.0 * i as f32 + y);
                    assert_eq!(*y, expected, "item {i} of {n}, {threads:?} threads");
                }
            }
        }
    }
}

#[test]
fn sums_have_the_same_bits_for_any_number_of_workers() {
    let n = 1_000_003;
    let x: Vec<_> = (0..n).map(|i| 1.0 / (1.0 + i as f64)).collect();
    let x = Buffer::from(x);
    let sums: Vec<_> = [1, 2, 3, 8]
        .into_iter()
        .flat_map(|threads| {
            let rt = runtime(Some(threads));
            (0..4).map(move |_| rt.clone()).collect::<Vec<_>>()
        })
        .map(|rt| {
            let mut sum = Var::new(0.0_f64);
            let bound = [Arg::<&[f64]>::bind(&x), Arg::<&mut f64>::bind(&mut sum)];
            rt.submit(Call::<1>::new(&SUM, bound)).exec([n]).expect("it runs");
            sum.get().expect("in host memory").to_bits()
        })
        .collect();
    assert!(sums.iter().all(|bits| *bits == sums[0]), "{sums:x?}");
    let harmonic = (n as f64).ln() + 0.577_215_664_901_532_9 + 0.5 / n as f64;
    assert!((f64::from_bits(sums[0]) - harmonic).abs() < 1e-9);
}

#[test]
fn an_instruction_set_may_be_lowered() {
    for isa in [Isa::Baseline, Isa::Avx2, Isa::Avx512] {
        let mut options = Options::default();
        options.isa = Some(isa);
        match CpuBackend::new(&options) {
            Ok(cpu) => assert_eq!(cpu.isa(), isa),
            // Raised above what is there: refused, with what is.
            Err(error) => {
                assert!(isa > flash_cpu::isa::detected());
                assert!(error.to_string().contains("`baseline`"), "{error}");
            }
        }
    }
}
