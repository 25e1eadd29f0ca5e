//! Random bodies of the language give the same bits on every instruction set of the CPU, on the
//! simulator, on OpenCL devices and in the interpreter with its items shuffled, `fast_math` on processors without fused
//! multiply-adds excepted, which has bits of its own; no safe body has a race, and what bodies touch
//! is what their indices say. The bodies are drawn once, by `generate.rs`, and compiled; their
//! inputs are drawn in each run.
#![allow(clippy::unwrap_used, reason = "a test fails by unwrapping")]

mod random_bodies {
    mod footprints;
    pub(crate) mod generate;
}

use std::path::Path;
use std::sync::{Arc, OnceLock};

use flash::Runtime;
use flash_cpu::CpuBackend;
use flash_ir::interp::{Order, Recorder, Run};
use flash_ir::{Ty, emit};
use flash_rt::ParamDescriptor;
use flash_rt::descriptor::Role;
use flash_rt::sim::{Call, Config, Link, Of, Sim, Speed, What};
use flash_rt::{Isa, Options};
use flash_test_bodies::harness::{Bytes, Case, Inputs, Outputs};
use flash_test_drawn::CASES;
use flash_tests::cuda::{OnCuda, devices};
use flash_tests::oclgrind;
use proptest::prelude::*;
use random_bodies::generate;

/// Which bodies these are: those that are kept, or others (`scripts/long-runs`), of which some do nothing.
fn batch() -> u64 {
    std::env::var("FLASH_SEED").map_or(0, |batch| batch.parse().unwrap())
}

#[test]
fn the_kernels_are_the_ones_that_are_drawn() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("drawn/src/lib.rs");
    let drawn = generate::file(batch());
    if std::env::var_os("FLASH_BLESS").is_some() {
        std::fs::write(&path, drawn).unwrap();
        return;
    }
    let there = std::fs::read_to_string(&path).unwrap();
    assert!(
        there == drawn,
        "`tests/drawn` is not what generate.rs draws; bless with FLASH_BLESS=1"
    );
}

#[test]
fn what_the_front_end_calls_uniform_is_uniform() {
    for case in CASES {
        let ir = case.descriptor.ir.unwrap();
        assert_eq!(flash_ir::analysis::uniformity(ir).wrong, [], "{}:\n{ir}", case.name);
    }
}

/// The most items of a launch on a device that an interpreter is.
const FEW: usize = 300;

/// One of so many bodies, others for other inputs, is compiled for a device of OpenCL: its driver compiles
/// anew for each size of groups.
const COMPILED: usize = 3;

/// What a runtime is called that splits launches.
const IN_PARTS: &str = "devices of unlike speed, in parts";

/// Which devices a launch has where its call does not say.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Rule {
    /// They take launches in turn.
    InTurn,
    /// Who ends first; it is split where that pays.
    Fastest,
    /// Each is split into so many parts.
    Parts(usize),
}

/// One to five devices of unlike speed and memory, by a seed, that take the parts of each launch, at
/// once or one after the other, by a rule. What a part does not need is not there: it would be read as a
/// pattern.
fn in_parts(seed: u64) -> (Sim, Runtime, Rule) {
    let draw = |salt: u64, n: u64| {
        let mixed =
            (seed ^ salt.wrapping_mul(0x9e37_79b9_7f4a_7c15)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        (mixed ^ mixed >> 31) % n
    };
    let devices = 1 + draw(1, 5) as usize;
    let rule = match draw(8, 4) {
        0 => Rule::InTurn,
        1 => Rule::Fastest,
        _ => Rule::Parts(2 + draw(5, 5) as usize),
    };
    // Launches of a few thousand items are split if they last.
    let unit = if rule == Rule::Fastest { 10_000 } else { 1_000_000 };
    let speed = |device: usize| {
        let rate = |salt| [0, 1, 10, 100][draw(salt + 8 * device as u64, 4) as usize] * unit;
        let link = Link { bytes_per_second: rate(2), ..Link::default() };
        (device, Speed { items_per_second: rate(3), up: link, down: link, ..Speed::default() })
    };
    // The first one has room for all, others for little more than some of the arrays of a launch, or less.
    let memory = |device: usize| {
        let room = [1 << 13, 1 << 16, 1 << 18, 1 << 28][draw(4 + 8 * device as u64, 4) as usize];
        (device, if device == 0 { 1 << 28 } else { room })
    };
    let sim = Sim::new(Config {
        devices,
        others: (0..devices).map(speed).collect(),
        memories: (0..devices).map(memory).collect(),
        ..Config::default()
    });
    let builder = Runtime::builder().backend(Arc::new(sim.clone()));
    let builder = builder.sync(draw(6, 2) == 0).copies(1 + draw(7, 2) as usize);
    let builder = match rule {
        Rule::InTurn => builder.round_robin(true),
        Rule::Fastest => builder,
        Rule::Parts(n) => builder.partitions(n),
    };
    (sim, builder.build().unwrap(), rule)
}

/// How many launches some devices have run in more than one part.
fn split_launches(sim: &Sim) -> usize {
    let of_second_parts =
        |call: &Call| matches!(call.what, What::Launch { of: Of { phase: 0, partition: 1 }, .. });
    sim.calls().iter().filter(|call| of_second_parts(call)).count()
}

/// A runtime for each instruction set of this machine, the simulator, and devices of OpenCL and CUDA.
fn runtimes() -> Vec<(&'static str, Runtime)> {
    let mut all = Vec::new();
    for isa in [Isa::Baseline, Isa::Avx2, Isa::Avx512] {
        let mut options = Options::default();
        options.isa = Some(isa);
        options.threads = Some(2);
        // One that is not there is refused.
        let Ok(backend) = CpuBackend::new(&options) else { continue };
        if backend.isa() == isa {
            let runtime = Runtime::builder().backend(Arc::new(backend)).threads(2).build().unwrap();
            all.push((isa.name(), runtime));
        }
    }
    all.push(("the simulator", Runtime::open("SIM").unwrap()));
    // Compilers take their time, so kernels are loaded once.
    static OPENCL: OnceLock<Option<Runtime>> = OnceLock::new();
    let opencl = OPENCL.get_or_init(flash_tests::opencl).clone();
    all.extend(opencl.map(|runtime| ("OpenCL", runtime)));
    static CUDA: OnceLock<Option<Runtime>> = OnceLock::new();
    let cuda = CUDA.get_or_init(|| {
        let OnCuda { rt, driver } = devices("devices=1")?;
        // The driver for tests serves all of them.
        std::mem::forget(driver);
        Some(rt)
    });
    all.extend(cuda.clone().map(|runtime| ("CUDA", runtime)));
    all
}

/// What the interpreter makes of a case; fails on a race, a fault or an index out of range.
fn interpreted(case: &Case, inputs: &Inputs, fused: bool, order: Order) -> Outputs {
    let mut bytes = Bytes::new(case, inputs);
    for phase in 0..case.phases {
        let mut recorder = Recorder::new();
        let run = Run { order, recorder: Some(&mut recorder), ..Run::default() };
        let notes = bytes.run(case, inputs, fused, phase, run);
        assert_eq!(notes, Default::default(), "{}", case.name);
        assert_eq!(recorder.race(), None, "{} has a race", case.name);
        assert!(recorder.accesses() > 0 || batch() > 0, "{} touches nothing", case.name);
    }
    bytes.outputs()
}

/// Whether nothing of a case depends on the order of its items: not the number of their phase or part, and
/// no sum of floats.
fn is_free(case: &Case) -> bool {
    let text = case.descriptor.ir.unwrap().to_string();
    let is_float = |ty: &Ty| matches!(ty, Ty::Scalar(scalar) if scalar.is_float());
    let sums = |param: &ParamDescriptor| {
        matches!(param.role, Role::Reduce { .. } | Role::Atomic) && is_float(&param.ty)
    };
    case.phases == 1
        && !text.contains("phase")
        && !text.contains("partition")
        && !case.descriptor.params.iter().any(sums)
}

/// Runs all cases everywhere.
fn every_executor_agrees(inputs: &Inputs) -> Result<(), TestCaseError> {
    let mut runtimes = runtimes();
    prop_assert!(runtimes.len() >= 2);
    let (sim, split, rule) = in_parts(inputs.seed);
    let n_devices = split.devices().len();
    runtimes.push((IN_PARTS, split));
    for (number, case) in CASES.iter().enumerate() {
        if inputs.arranged && !is_free(case) {
            continue;
        }
        let is_compiled = (number + inputs.seed as usize % COMPILED).is_multiple_of(COMPILED);
        let want = interpreted(case, inputs, true, Order::Ascending);
        let shuffled = interpreted(case, inputs, true, Order::Shuffled(inputs.seed));
        prop_assert_eq!(want.difference(&shuffled), None, "{} shuffled", case.name);
        // With `fast_math`, bits are the same among those that fuse multiply-adds.
        let strict = if case.descriptor.flags.fast_math {
            interpreted(case, inputs, false, Order::Ascending)
        } else {
            want.clone()
        };
        for (name, runtime) in &runtimes {
            // The driver for tests interprets what it is given.
            let is_interpreted = *name == "CUDA" && !flash_tests::required("cuda");
            if is_interpreted && inputs.width * inputs.height > FEW {
                continue;
            }
            if *name == "OpenCL" && !is_compiled {
                continue;
            }
            if *name == IN_PARTS && case.descriptor.ir.unwrap().to_string().contains("partition") {
                // It computes with the number of its part.
                continue;
            }
            let fuses = !cfg!(target_arch = "x86_64") || *name != Isa::Baseline.name();
            let want = if fuses { &want } else { &strict };
            let got = (case.run)(runtime, inputs);
            let got = got.unwrap_or_else(|error| panic!("{} on {name}: {error}", case.name));
            prop_assert_eq!(want.difference(&got), None, "{} on {}", case.name, name);
        }
    }
    // Some bodies may not be split, and some calls say that they are not; a few items are no launch of parts,
    // in any order less so. Without a number of parts they are split where calls ask for it, and not over
    // devices that have no room: a few at least.
    let n = split_launches(&sim);
    let least = match rule {
        _ if inputs.arranged || inputs.width * inputs.height < 64 => 0,
        Rule::Parts(_) => CASES.len() / 8,
        _ if n_devices > 1 => 2,
        _ => 0,
    };
    prop_assert!(n >= least, "{n} were split by {rule:?} over {n_devices} devices");
    Ok(())
}

#[test]
fn a_few_items_are_items_like_others() {
    for (seed, (width, height)) in (1..).zip([(1, 1), (2, 1), (3, 1), (2, 2), (5, 1)]) {
        every_executor_agrees(&Inputs { seed, width, height, arranged: false }).unwrap();
    }
}

/// A few items of each, as Oclgrind is a thousand times slower.
#[test]
fn bodies_touch_what_is_theirs() {
    if !oclgrind::is_here_or_clean("bodies_touch_what_is_theirs") {
        return;
    }
    let runtime = Runtime::open("OPENCL").unwrap();
    let inputs = Inputs { seed: 7, width: 3, height: 4, arranged: false };
    let mut same = 0;
    for case in CASES {
        let want = interpreted(case, &inputs, true, Order::Ascending);
        let got = (case.run)(&runtime, &inputs);
        let got = got.unwrap_or_else(|error| panic!("{}: {error}", case.name));
        let typed = flash_ir::resolve::kernel(case.descriptor.ir.unwrap()).unwrap();
        let emitted = emit::opencl(&typed, &emit::Options::default()).unwrap();
        // It rounds quotients of `f32` in its own way.
        if !emitted.divides_f32 {
            assert_eq!(want.difference(&got), None, "{}", case.name);
            same += 1;
        }
    }
    println!("{same} of {} have the same bits", CASES.len());
    assert!(same >= if batch() == 0 { 20 } else { 1 }, "{same}");
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 6,
        failure_persistence: None,
        ..ProptestConfig::default()
    })]
    #[test]
    fn every_executor_gives_the_same_bits(
        seed in any::<u64>(),
        width in 1_usize..70,
        height in prop_oneof![1_usize..4, 20_usize..90],
    ) {
        every_executor_agrees(&Inputs { seed, width, height, arranged: false })?;
    }

    /// Ids in any order, phases and parts of all kinds: items that share nothing leave the same bits.
    #[test]
    fn no_arrangement_of_items_changes_a_bit(
        seed in any::<u64>(),
        width in 1_usize..70,
        height in prop_oneof![1_usize..4, 20_usize..90],
    ) {
        every_executor_agrees(&Inputs { seed, width, height, arranged: true })?;
    }
}
