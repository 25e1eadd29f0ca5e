//! The checks can fail: with one fault switched on, every self-check and every golden test does.
//! Each runs again in a process of its own, which reads `FLASH_SABOTAGE`.

use std::collections::BTreeSet;
use std::io::{Read, Seek};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// Far longer than any of them takes.
const PATIENCE: Duration = Duration::from_secs(600);

/// The tests of one example, and what can be wrong in it, one at a time.
pub(crate) struct Case {
    /// On the CPU.
    cpu: &'static [&'static str],
    /// On the device that has its own memory, where transfers exist.
    sim: &'static [&'static str],
    /// On both in turn.
    both: &'static [&'static str],
    pub(crate) kernels: &'static [&'static str],
    /// As `kernel.parameter`: what it reads is brought to a device, ..
    pub(crate) up: &'static [&'static str],
    /// .. and what it writes is brought back. `transfers` looks whether they are all.
    pub(crate) down: &'static [&'static str],
    /// Whether two arguments of a kernel have the same type, and their order matters.
    swaps: bool,
}

pub(crate) const CASES: &[(&str, Case)] = &[
    (
        "saxpy",
        Case {
            cpu: &["self_checks::saxpy::cpu"],
            sim: &["self_checks::saxpy::sim"],
            both: &["golden::saxpy_seeds"],
            kernels: &["saxpy"],
            up: &["saxpy.x", "saxpy.y"],
            down: &["saxpy.y"],
            swaps: true,
        },
    ),
    (
        "sobel_video",
        Case {
            cpu: &["self_checks::sobel_video::cpu", "golden::sobel_cpu"],
            sim: &["self_checks::sobel_video::sim", "golden::sobel_sim", "golden::sobel_transfers"],
            both: &["golden::sobel_seeds"],
            kernels: &["sobel"],
            up: &["sobel.im", "sobel.out"],
            down: &["sobel.out"],
            swaps: true,
        },
    ),
    (
        "mandelbrot",
        Case {
            cpu: &["self_checks::mandelbrot::cpu", "golden::mandelbrot_cpu"],
            sim: &[
                "self_checks::mandelbrot::sim",
                "golden::mandelbrot_sim",
                "golden::mandelbrot_transfers",
            ],
            both: &["golden::mandelbrot_seeds"],
            kernels: &["mandelbrot"],
            up: &[],
            down: &["mandelbrot.image"],
            swaps: false,
        },
    ),
    (
        "nbody",
        Case {
            cpu: &["self_checks::nbody::cpu", "golden::nbody_cpu"],
            sim: &["self_checks::nbody::sim", "golden::nbody_sim"],
            both: &["golden::nbody_seeds"],
            kernels: &["accelerate", "integrate", "in_stages"],
            up: &[
                "accelerate.mass",
                "accelerate.position",
                "integrate.velocity",
                "in_stages.mass",
                "in_stages.velocity",
                "in_stages.position",
            ],
            down: &[
                "integrate.velocity",
                "integrate.position",
                "integrate.energy",
                "in_stages.velocity",
                "in_stages.position",
                "in_stages.energy",
            ],
            swaps: true,
        },
    ),
    (
        "black_scholes",
        Case {
            cpu: &["self_checks::black_scholes::cpu", "golden::black_scholes_cpu"],
            sim: &["self_checks::black_scholes::sim", "golden::black_scholes_sim"],
            both: &["golden::black_scholes_seeds"],
            kernels: &["price"],
            up: &["price.contracts"],
            down: &["price.prices"],
            swaps: false,
        },
    ),
    (
        "histogram",
        Case {
            cpu: &["self_checks::histogram::cpu"],
            sim: &["self_checks::histogram::sim"],
            both: &["golden::histogram_seeds"],
            kernels: &["histogram"],
            up: &["histogram.values", "histogram.bins"],
            down: &["histogram.bins"],
            swaps: false,
        },
    ),
    (
        "matrix_product",
        Case {
            cpu: &["self_checks::matrix_product::cpu"],
            sim: &["self_checks::matrix_product::sim"],
            both: &["golden::matrix_product_seeds"],
            kernels: &["product"],
            up: &["product.a", "product.b"],
            down: &["product.c"],
            swaps: true,
        },
    ),
    (
        "relaxation",
        Case {
            cpu: &["self_checks::relaxation::cpu"],
            sim: &["self_checks::relaxation::sim"],
            both: &["golden::relaxation_seeds"],
            kernels: &["relax"],
            up: &["relax.old", "relax.new"],
            down: &["relax.new", "relax.change"],
            swaps: true,
        },
    ),
    (
        "own_kernel",
        Case {
            cpu: &["self_checks::own_kernel::cpu"],
            sim: &["self_checks::own_kernel::sim"],
            both: &[],
            kernels: &["blend"],
            up: &["blend.rough"],
            down: &["blend.smooth"],
            swaps: true,
        },
    ),
    (
        "heat",
        Case {
            cpu: &["self_checks::heat::cpu", "golden::fields::heat_cpu"],
            sim: &["self_checks::heat::sim", "golden::fields::heat_sim"],
            both: &["golden::fields::heat_seeds"],
            kernels: &["heat", "heat_in_stages"],
            up: &["heat.old", "heat_in_stages.u"],
            down: &["heat.new", "heat_in_stages.u"],
            swaps: true,
        },
    ),
    (
        "hotspot",
        Case {
            cpu: &["self_checks::hotspot::cpu", "golden::fields::hotspot_cpu"],
            sim: &["self_checks::hotspot::sim", "golden::fields::hotspot_sim"],
            both: &["golden::fields::hotspot_seeds"],
            kernels: &["hotspot"],
            up: &["hotspot.power", "hotspot.old"],
            down: &["hotspot.new"],
            swaps: true,
        },
    ),
    (
        "wave",
        Case {
            cpu: &["self_checks::wave::cpu", "golden::fields::wave_cpu"],
            sim: &["self_checks::wave::sim", "golden::fields::wave_sim"],
            both: &["golden::fields::wave_seeds"],
            kernels: &["wave"],
            up: &["wave.now", "wave.speed", "wave.next"],
            down: &["wave.next"],
            swaps: true,
        },
    ),
    (
        "convolution",
        Case {
            cpu: &["self_checks::convolution::cpu", "golden::dense::convolution_cpu"],
            sim: &["self_checks::convolution::sim", "golden::dense::convolution_sim"],
            both: &["golden::dense::convolution_seeds"],
            kernels: &["convolution"],
            up: &[
                "convolution.image",
                "convolution.weights",
                "convolution.scale",
                "convolution.bias",
            ],
            down: &["convolution.result"],
            swaps: true,
        },
    ),
    (
        "dct",
        Case {
            cpu: &["self_checks::dct::cpu", "golden::dense::dct_cpu"],
            sim: &["self_checks::dct::sim", "golden::dense::dct_sim"],
            both: &["golden::dense::dct_seeds"],
            kernels: &["across", "down"],
            up: &["across.basis", "across.image", "down.result"],
            down: &["down.result"],
            swaps: true,
        },
    ),
    (
        "attention",
        Case {
            cpu: &["self_checks::attention::cpu", "golden::dense::attention_cpu"],
            sim: &["self_checks::attention::sim", "golden::dense::attention_sim"],
            both: &["golden::dense::attention_seeds"],
            kernels: &["weigh", "blend"],
            up: &["weigh.key", "weigh.query", "blend.value"],
            down: &["weigh.total", "blend.result"],
            swaps: false,
        },
    ),
    (
        "matrix_power",
        Case {
            cpu: &["self_checks::matrix_power::cpu", "golden::dense::matrix_power_cpu"],
            sim: &["self_checks::matrix_power::sim", "golden::dense::matrix_power_sim"],
            both: &["golden::dense::matrix_power_seeds"],
            kernels: &["multiply"],
            up: &["multiply.a"],
            down: &["multiply.c"],
            // The powers of a matrix commute.
            swaps: false,
        },
    ),
    (
        "diffusion",
        Case {
            cpu: &["self_checks::diffusion::cpu", "golden::walks::diffusion_cpu"],
            sim: &["self_checks::diffusion::sim", "golden::walks::diffusion_sim"],
            both: &["golden::walks::diffusion_seeds"],
            kernels: &["walk", "walk_in_phases"],
            up: &[
                "walk.dx",
                "walk.dy",
                "walk.x",
                "walk.y",
                "walk.cell",
                "walk.counts",
                "walk_in_phases.dx",
                "walk_in_phases.dy",
                "walk_in_phases.x",
                "walk_in_phases.y",
                "walk_in_phases.cell",
                "walk_in_phases.counts",
            ],
            down: &[
                "walk.x",
                "walk.y",
                "walk.counts",
                "walk_in_phases.x",
                "walk_in_phases.y",
                "walk_in_phases.counts",
            ],
            swaps: true,
        },
    ),
    (
        "euler",
        Case {
            cpu: &["self_checks::euler::cpu", "golden::flows::euler_cpu"],
            sim: &["self_checks::euler::sim", "golden::flows::euler_sim"],
            both: &["golden::flows::euler_seeds"],
            kernels: &["begin", "flux", "advance"],
            up: &["begin.area", "begin.state", "flux.faces"],
            down: &["advance.state"],
            swaps: true,
        },
    ),
    (
        "alignment",
        Case {
            cpu: &["self_checks::alignment::cpu", "golden::texts::alignment_cpu"],
            sim: &["self_checks::alignment::sim", "golden::texts::alignment_sim"],
            both: &["golden::texts::alignment_seeds"],
            kernels: &["align", "diagonal"],
            up: &[
                "align.a",
                "align.back",
                "align.score",
                "diagonal.a",
                "diagonal.back",
                "diagonal.last",
                "diagonal.before",
                "diagonal.best",
                "diagonal.new",
            ],
            down: &["align.score", "diagonal.best"],
            swaps: true,
        },
    ),
    (
        "tree_sum",
        Case {
            cpu: &["self_checks::tree_sum::cpu", "golden::sums::tree_sum_cpu"],
            sim: &["self_checks::tree_sum::sim", "golden::sums::tree_sum_sim"],
            both: &["golden::sums::tree_sum_seeds"],
            kernels: &["take_in"],
            up: &["take_in.x"],
            down: &["take_in.x"],
            swaps: false,
        },
    ),
    (
        "library_kernel",
        Case {
            cpu: &["self_checks::library_kernel_cpu"],
            sim: &[],
            both: &[],
            kernels: &["horner"],
            up: &[],
            down: &[],
            swaps: true,
        },
    ),
    (
        "cublas",
        Case {
            cpu: &["self_checks::cublas::cpu"],
            sim: &["self_checks::cublas::sim"],
            both: &[],
            kernels: &["product", "scale"],
            up: &["scale.x", "product.a"],
            down: &["scale.x"],
            swaps: true,
        },
    ),
];

/// Tests of errors, whose pipelines do not come to an end anyway.
const WITHOUT_RESULT: &[&str] = &[
    "self_checks::a_full_disk_ends_the_video_and_loses_nothing",
    "self_checks::a_truncated_video_names_the_frame",
];

/// Parts of the names of tests whose pipelines have one stage, in a loop or not, or stages that share
/// nothing, so that no order can be left out. A stage in a loop follows itself whatever it touches, as
/// there is only one of it, and an exchange of arrays is no stage, but other names.
const WITHOUT_ORDER: &[&str] = &[
    // One launch in phases; and a loop around one launch whose three arrays are exchanged.
    "alignment",
    "tree_sum",
    "saxpy",
    "sobel_cpu",
    "sobel_sim",
    "sobel_seeds",
    "black_scholes",
    "histogram",
    "library_kernel",
    "matrix_product",
    "convolution",
    "diffusion",
];

/// How a test ended, with a fault or without, and what it printed.
pub(crate) fn run_again(test: &str, fault: Option<&str>) -> (bool, String) {
    let fault = fault.map(|fault| ("FLASH_SABOTAGE", fault));
    run_again_with(test, fault.as_slice())
}

/// The same with these variables.
pub(crate) fn run_again_with(test: &str, variables: &[(&str, &str)]) -> (bool, String) {
    let mut text = tempfile::tempfile().expect("a file for the test");
    let mut child = Command::new(std::env::current_exe().expect("this test is a program"))
        .args([test, "--exact", "--nocapture"])
        .envs(variables.iter().copied())
        .env("RUST_BACKTRACE", "0")
        .stdout(text.try_clone().expect("two handles of one file"))
        .stderr(Stdio::null())
        .spawn()
        .expect("it starts again");
    let start = Instant::now();
    let passed = loop {
        match child.try_wait().expect("it is our child") {
            Some(status) => break status.success(),
            None if start.elapsed() < PATIENCE => std::thread::sleep(Duration::from_millis(2)),
            None => {
                child.kill().expect("it is our child");
                panic!("{test} hangs with {variables:?}");
            }
        }
    };
    let mut printed = String::new();
    text.rewind().and_then(|()| text.read_to_string(&mut printed)).expect("it is text");
    (passed, printed)
}

/// The tests that pass although `fault` is switched on.
fn unnoticed<'t>(tests: impl IntoIterator<Item = &'t &'t str>, fault: &str) -> Vec<String> {
    let mut all_passed = Vec::new();
    for test in tests {
        let (passed, printed) = run_again(test, Some(fault));
        assert!(printed.contains("running 1 test\n"), "{test} is not a test: {printed}");
        if passed {
            all_passed.push(format!("{test} with {fault}"));
        }
    }
    all_passed
}

fn check(name: &str) {
    let case = &CASES.iter().find(|(case, _)| *case == name).expect("it is in the list").1;
    let mut passed = Vec::new();
    let all = || case.cpu.iter().chain(case.sim).chain(case.both);
    for kernel in case.kernels {
        passed.extend(unnoticed(all(), &format!("skip:{kernel}")));
    }
    for (way, transfers) in [("up", case.up), ("down", case.down)] {
        for transfer in transfers {
            let fault = format!("stale:{way}:{transfer}");
            passed.extend(unnoticed(case.sim.iter().chain(case.both), &fault));
        }
    }
    passed.extend(unnoticed(all(), "off-by-one"));
    let is_ordered = |test: &&&str| !WITHOUT_ORDER.iter().any(|part| test.contains(part));
    passed.extend(unnoticed(all().filter(is_ordered), "no-edges"));
    if case.swaps {
        passed.extend(unnoticed(all(), "swap-args"));
    }
    assert!(passed.is_empty(), "nothing was noticed by\n  {}", passed.join("\n  "));
}

macro_rules! notices {
    ($($name:ident),* $(,)?) => {
        $(#[test]
        fn $name() {
            check(stringify!($name));
        })*

        #[test]
        fn every_case_is_a_test() {
            let names: Vec<&str> = CASES.iter().map(|(name, _)| *name).collect();
            assert_eq!(names, [$(stringify!($name)),*]);
        }
    };
}

portable_examples!(notices, library_kernel, cublas);

/// Without a fault the same tests pass; they are in this program. Here: none of them is left out.
#[test]
fn every_check_is_in_a_case() {
    let program = std::env::current_exe().expect("this test is a program");
    let output = Command::new(program).arg("--list").output().expect("it starts again");
    let text = String::from_utf8_lossy(&output.stdout);
    let tests: BTreeSet<&str> = text
        .lines()
        .filter_map(|line| line.strip_suffix(": test"))
        .filter(|test| test.starts_with("self_checks::") || test.starts_with("golden::"))
        .filter(|test| !WITHOUT_RESULT.contains(test))
        // The same checks, and the faults are above the contract of a backend and the parts of launches.
        .filter(|test| !["opencl", "cuda", "split"].iter().any(|end| test.ends_with(end)))
        .collect();
    let listed: BTreeSet<&str> = CASES
        .iter()
        .flat_map(|(_, case)| case.cpu.iter().chain(case.sim).chain(case.both))
        .copied()
        .collect();
    assert_eq!(tests, listed);
}

/// Every kernel of every example is skipped once.
#[test]
fn every_kernel_is_in_a_case() {
    let folder = std::path::PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../examples"));
    let mut kernels = BTreeSet::new();
    let mut pending = vec![folder];
    while let Some(folder) = pending.pop() {
        for entry in std::fs::read_dir(folder).expect("a folder of the repository") {
            let path = entry.expect("a readable entry").path();
            if path.is_dir() && !path.ends_with("support") {
                pending.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                let text = std::fs::read_to_string(&path).expect("a source");
                for part in text.split("#[flash::kernel").skip(1) {
                    let name =
                        part.split("fn ").nth(1).and_then(|rest| rest.split(['(', '<']).next());
                    kernels.insert(name.expect("a function follows").to_owned());
                }
            }
        }
    }
    let listed: BTreeSet<String> =
        CASES.iter().flat_map(|(_, case)| case.kernels).map(|&name| name.to_owned()).collect();
    assert_eq!(kernels, listed);
}
