//! Bar 9 on a GPU: whole programs against twins in raw calls of the driver, which keep their pinned
//! memory and overlap what can be. Data in, the computation, results out; both against what the
//! processor finds.

use flash::Result;
use flash::prelude::*;

use super::super::hosted::HOSTED;
use super::super::programs::{Program, is_near};
use super::twins;
use super::{Cuda, Head};
use crate::kernels::streams::saxpy;
use crate::raw_cuda::RawCuda;
use crate::row::Row;
use crate::watch;

/// A program whose twin is in raw calls.
struct Twin {
    /// What it is called in the rows of the processor, or a new one.
    program: fn() -> &'static Program,
    twin: fn(&RawCuda, usize) -> Vec<f32>,
    names: [&'static str; 2],
}

/// Launches of the chain.
pub(super) const CHAIN: u32 = 100;

static SAXPY: Program = Program {
    name: "100 times y = a x + y, elements",
    sizes: [10_000_000, 100_000],
    ours: |rt, n| {
        let (x, y) = operands(n);
        let (x, mut y) = (Buffer::from(x), Buffer::from(y));
        flash_pipeline! { in rt;
            for _launch in 0..CHAIN { saxpy(1e-3, &x, &mut y)[n]; }
        }
        .exec()?;
        y.into_vec()
    },
    twin: |_, _| Vec::new(),
    paper: "",
    barred: true,
    launches: |n| [CHAIN as usize, n],
};

/// What the chain begins with.
pub(super) fn operands(n: usize) -> (Vec<f32>, Vec<f32>) {
    let along = |m: usize| (0..n).map(|i| (i % m) as f32).collect();
    (along(7), along(11))
}

macro_rules! twins {
    ($($program:expr, $twin:path, $paper:literal, $small:literal;)*) => {
        &[$(Twin { program: || $program, twin: $twin, names: [$paper, $small] }),*]
    };
}

const TWINS: &[Twin] = twins! {
    &SAXPY, twins::saxpy, "CUDA: 100 times y = a x + y, 10^7 elements",
        "CUDA: 100 times y = a x + y, 10^5 elements";
    &HOSTED[0], twins::nbody, "CUDA: n-body, 10 steps, 16000 bodies",
        "CUDA: n-body, 10 steps, 160 bodies";
    &HOSTED[1], twins::hotspot, "CUDA: temperature of a chip, side 2500",
        "CUDA: temperature of a chip, side 250";
    &HOSTED[2], twins::powers, "CUDA: 10 powers of a matrix, side 1024",
        "CUDA: 10 powers of a matrix, side 102";
    &HOSTED[4], twins::sobel, "CUDA: Sobel of a video, width 1920",
        "CUDA: Sobel of a video, width 192";
};

/// How much of the time of a twin each size may take, and in words.
const MOST: [(f64, &str); 2] = [(1.02, "<= 1.02x its time"), (1.10, "<= 1.10x its time")];

/// Bytes that are spoilt before a run, on the device and on the host.
const SPOILT: usize = 128 << 20;

/// The rows there are.
pub(super) fn heads() -> impl Iterator<Item = Head> {
    TWINS.iter().flat_map(|twin| {
        twin.names.into_iter().zip(MOST).map(|(name, (_, asked))| (9, name, asked))
    })
}

/// All rows.
pub(super) fn programs(cuda: &Cuda<'_>, emit: &mut dyn FnMut(Row)) -> Result<()> {
    for Twin { program, twin, names } in TWINS {
        let program = program();
        for ((size, name), (most, _)) in program.sizes.into_iter().zip(names).zip(MOST) {
            if !cuda.context.wants(name) || (cuda.context.quick && most < 1.05) {
                continue;
            }
            let expected = (program.ours)(&cuda.context.rt, size)?;
            assert!(!expected.is_empty(), "{name}: nothing is compared");
            let pair = watch::pair(
                cuda.context.effort,
                1.0 / most,
                |watch| {
                    spoil(cuda, SPOILT);
                    match watch.time(|| (program.ours)(&cuda.rt, size)) {
                        Ok(found) => assert!(is_near(&found, &expected), "{name}: something else"),
                        Err(error) => panic!("{name}: {error:?}"),
                    }
                },
                |watch| {
                    cuda.raw.enter();
                    cuda.raw.spoil(SPOILT);
                    let found = watch.time(|| twin(&cuda.raw, size));
                    assert!(is_near(&found, &expected), "{name}: the twin finds something else");
                },
            );
            emit(Row::within(9, name, pair, "raw calls", most));
        }
    }
    Ok(())
}

/// Spoils memory of the device that the next run gets, as what it has is given back at once.
fn spoil(cuda: &Cuda<'_>, bytes: usize) {
    let all = Buffer::<u8>::filled(bytes, 0xff);
    let there = all.prefetch(&cuda.rt, 0).wait();
    assert!(there.is_ok(), "{there:?}");
}

#[cfg(test)]
mod tests {
    use flash_test_cuda::TestDriver;

    use super::*;
    use crate::raw_cuda::Ptx;

    #[test]
    fn names_are_those_of_the_programs() {
        for twin in TWINS {
            let program = (twin.program)();
            let first = program.name.split(',').next().unwrap_or_default();
            assert!(twin.names.iter().all(|name| name.contains(first)), "{}", program.name);
        }
    }

    /// On a GPU, or else on the driver for tests, which interprets what NVRTC makes of the kernels.
    #[test]
    fn twins_find_what_the_processor_finds() {
        let (mut raw, mut driver) = (RawCuda::new(&Ptx::Compiled), None);
        if raw.is_err() {
            driver = Some(TestDriver::load("devices=1").expect("the driver for tests"));
            raw = RawCuda::new(&Ptx::Compiled);
        }
        let raw = match raw {
            Ok(raw) => raw,
            Err(why) => {
                let required = std::env::var("FLASH_REQUIRE").unwrap_or_default();
                assert!(!required.split(',').any(|it| it == "nvrtc"), "{why}");
                println!("left out: {why}");
                return;
            }
        };
        let rt = Runtime::open("ALL_CPU").expect("a processor");
        for Twin { program, twin, names } in TWINS {
            let program = program();
            let expected = (program.ours)(&rt, program.sizes[1]).expect(program.name);
            raw.spoil(1 << 20);
            assert!(is_near(&twin(&raw, program.sizes[1]), &expected), "{}", names[1]);
        }
        if let Some(driver) = driver {
            assert!(driver.counts().contains_key("cuLaunchKernel"), "{:?}", driver.counts());
        }
    }
}
