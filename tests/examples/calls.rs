//! What an iteration of each workload asks of an OpenCL driver: the difference between a longer and a
//! shorter run, so that what a run does once is in neither. The driver is wrapped when it is loaded, so
//! all of it is in one process of its own. Questions that depend on time (has it ended?) are not counted.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::sync::Mutex;

use flash_examples::y4m::{Frame, Header};
use flash_examples::{Progress, Result, SplitMix64};
use flash_ocl::calls::{self, Counts};

use super::faults::run_again_with;
use super::*;

/// Set in the process whose driver is wrapped.
const WRAPPED: &str = "EXAMPLES_WRAPPED";

/// What is asked as often as there is time for, or by whoever lets go of something.
const QUESTIONS: [&str; 5] = [
    "clGetEventInfo",
    "clGetEventProfilingInfo",
    "clReleaseEvent",
    "clRetainEvent",
    "clWaitForEvents",
];

/// What waits for a whole queue or makes something new.
const BARRED: [&str; 18] = [
    "clBuildProgram",
    "clCreateBuffer",
    "clCreateCommandQueue",
    "clCreateCommandQueue (timed)",
    "clCreateContext",
    "clCreateKernel",
    "clCreateProgramWithBinary",
    "clCreateProgramWithIL",
    "clCreateProgramWithSource",
    "clCreateSubBuffer",
    "clCreateSubDevices",
    "clCreateUserEvent",
    "clEnqueueMapBuffer (blocking)",
    "clEnqueueReadBuffer (blocking)",
    "clEnqueueReadBufferRect (blocking)",
    "clEnqueueWriteBuffer (blocking)",
    "clEnqueueWriteBufferRect (blocking)",
    "clFinish",
];

/// A workload of so many iterations.
pub(super) type Workload = fn(&Runtime, usize) -> Result;

/// Those that have iterations.
pub(super) const LOOPS: &[(&str, Workload)] = &[
    ("heat", |rt, n| Ok(heat::spread(rt, &heat::cold_rod(10), n as u64).map(drop)?)),
    ("heat_in_stages", |rt, n| {
        Ok(heat::spread_in_stages(rt, &heat::cold_rod(10), 2 * n as u64).map(drop)?)
    }),
    ("hotspot", |rt, n| {
        let (temperature, power) = hotspot::warm_blocks([6, 7], 2);
        let progress = Progress::spinner("steps");
        hotspot::simulate(rt, [6, 7], &temperature, &power, n as u32, &progress)?;
        Ok(())
    }),
    ("mandelbrot", |rt, n| {
        let first = mandelbrot::Window { x1: -2.0, x2: 0.5, y1: -1.2, y2: 1.2 };
        let windows = mandelbrot::windows(first, 0.01, n);
        let (album, progress) = (Mutex::default(), Progress::spinner("pictures"));
        mandelbrot::zoom(rt, [8, 6], &windows, 30, &album, &progress)?;
        Ok(())
    }),
    ("nbody", |rt, n| {
        let bodies = nbody::Bodies::random(10, 3);
        let progress = Progress::spinner("steps");
        nbody::simulate(rt, &bodies, 1e-3, 0.1, n as u32, &progress)?;
        Ok(())
    }),
    ("nbody_stages", |rt, n| {
        let bodies = nbody::Bodies::random(10, 3);
        nbody::simulate_in_stages(rt, &bodies, 1e-3, 0.1, n as u32).map(drop)?;
        Ok(())
    }),
    ("sobel_video", |rt, n| {
        let header = Header::new(8, 6);
        let frames = vec![Frame::zeros(&header); n];
        let source = Mutex::new(sobel_video::Source::Memory(frames.into_iter()));
        let sink = Mutex::new(sobel_video::Sink::Memory(Vec::new()));
        let progress = Progress::spinner("frames");
        sobel_video::filter(rt, &header, n as u64, &source, &sink, &progress)?;
        Ok(())
    }),
    ("wave_shots", |rt, n| {
        let (shape, progress) = ([9, 8], Progress::spinner("shots"));
        let (start, speed) = (vec![0.5; 72], wave::layers(shape));
        wave::simulate(rt, shape, &start, &speed, [n as u32, 2], &progress)?;
        Ok(())
    }),
    ("matrix_products", |rt, n| {
        let matrix = matrix_power::random_matrix(6, 9);
        matrix_power::powers(rt, 6, &matrix, n as u32, &Progress::spinner("products"))?;
        Ok(())
    }),
    ("diffusion_launches", |rt, n| {
        let moves = diffusion::Moves::random(2 * n, 5, [10, 11]);
        diffusion::diffuse(rt, &moves, 2, &Progress::spinner("steps"))?;
        Ok(())
    }),
    ("diffusion_phases", |rt, n| {
        diffusion::diffuse_in_phases(rt, &diffusion::Moves::random(n, 5, [10, 11])).map(drop)?;
        Ok(())
    }),
    ("euler_shots", |rt, n| {
        let mesh = euler::Mesh::plate([6, 8], true);
        let start = vec![euler::FAR_FIELD; mesh.area.len()];
        euler::simulate(rt, &mesh, &start, [n as u32, 2], &Progress::spinner("shots"))?;
        Ok(())
    }),
    ("alignment_phases", |rt, n| {
        let [a, b] = texts(n);
        alignment::scores(rt, &a, &b).map(drop)?;
        Ok(())
    }),
    ("alignment_stages", |rt, n| {
        let [a, b] = texts(n);
        alignment::best_scores(rt, &a, &b).map(drop)?;
        Ok(())
    }),
];

/// Two texts to be aligned, which takes a diagonal more for each letter of the first one.
fn texts(n: usize) -> [Vec<u8>; 2] {
    let mut random = SplitMix64::new(12);
    [n, 5].map(|letters| alignment::letters(letters, 2, &mut random))
}

/// Those that do one thing, whose iteration is all of it: what it makes for itself is the program's.
macro_rules! ones {
    ($($name:ident),* $(,)?) => {
        pub(super) const ONES: &[(&str, Workload)] = &[$((stringify!($name), |rt, n| {
            (0..n).try_for_each(|_| super::small::$name(rt))
        })),*];
    };
}

ones!(
    saxpy,
    own_kernel,
    black_scholes,
    histogram,
    matrix_product,
    relaxation,
    wave,
    convolution,
    dct,
    attention,
    matrix_power,
    diffusion,
    euler,
    alignment,
    tree_sum,
);

/// Those whose calls are not told, and why.
const UNTOLD: &[(&str, &str)] = &[
    ("library_kernel", "what it asks beside a launch is for a compiler of C"),
    ("split", "what a device is asked depends on how fast the others are"),
    ("cublas", "a library makes its calls; without one it is a product of matrices like another"),
];

/// What a run of so many iterations asks.
fn count(rt: &Runtime, workload: Workload, n: usize) -> Counts {
    calls::take();
    succeed(workload(rt, n));
    let mut counts = calls::take();
    counts.retain(|name, _| !QUESTIONS.contains(name));
    counts
}

/// What iterations ask.
struct Asked {
    /// Each, as the difference between two runs.
    each: BTreeMap<&'static str, f64>,
    /// The longer one of these in all.
    longer: Counts,
}

impl Asked {
    /// Of runs of these lengths.
    fn of(rt: &Runtime, workload: Workload, [few, more]: [usize; 2]) -> Self {
        // The first run compiles, and makes what a device keeps for as much at once.
        count(rt, workload, more);
        let (a, b) = (count(rt, workload, few), count(rt, workload, more));
        let of = |counts: &Counts, name| counts.get(name).copied().unwrap_or(0) as f64;
        let per = |name| (of(&b, name) - of(&a, name)) / (more - few) as f64;
        let names = a.keys().chain(b.keys()).map(|name| (*name, per(name)));
        Self { each: names.filter(|(_, n)| *n != 0.0).collect(), longer: b }
    }

    /// How often the longer run has called a function.
    fn times(&self, name: &str) -> u64 {
        self.longer.get(name).copied().unwrap_or(0)
    }
}

/// How often the longer run may make something where nobody waits, if that depends on how far the device is
/// behind: an array takes turns in two memories at most, and where it has come to another one a launch is kept
/// ready anew. It is no more for more iterations.
fn most_in_turn(barred: &str, sync: &Asked, is_loop: bool) -> Option<u64> {
    match barred {
        "clCreateBuffer" => Some(2 * sync.times(barred)),
        "clCreateKernel" => Some(if is_loop { 14 } else { 8 }),
        _ => None,
    }
}

/// Prints what iterations ask, on a device that is waited for after each launch, so that nothing depends
/// on time; and fails where one asks what is barred, there or where nobody waits.
#[test]
fn tells() {
    if std::env::var_os(WRAPPED).is_none() {
        return;
    }
    calls::wrap();
    for (name, workload) in LOOPS.iter().chain(ONES) {
        let is_loop = LOOPS.iter().any(|(known, _)| known == name);
        let lengths = if is_loop { [100, 140] } else { [2, 4] };
        let [beside, sync] = policies(OPENCL).map(|rt| Asked::of(&rt, *workload, lengths));
        for barred in BARRED {
            // Arrays that it makes are those of the program; how many is shown.
            if is_loop || barred != "clCreateBuffer" {
                assert_eq!(sync.each.get(barred), None, "{name}, sync: {barred}");
            }
            match most_in_turn(barred, &sync, is_loop) {
                Some(most) => {
                    let n = beside.times(barred);
                    assert!(n <= most, "{name}, beside: {barred} {n} times, {most} at most");
                }
                None => assert_eq!(beside.each.get(barred), None, "{name}, beside: {barred}"),
            }
        }
        let mut line = format!("\niteration {name}:");
        let shown = sync.each.iter().filter(|(function, _)| **function != "clReleaseMemObject");
        for (function, n) in shown {
            write!(line, " {function} {n},").expect("it is a string");
        }
        println!("{}", line.trim_end_matches(','));
    }
}

#[test]
fn iterations_ask_little_of_a_driver() {
    if flash_tests::opencl().is_none() {
        return;
    }
    let (passed, printed) = run_again_with("calls::tells", &[(WRAPPED, "1")]);
    assert!(passed, "{printed}");
    let lines = printed.lines().filter_map(|line| line.strip_prefix("iteration "));
    insta::assert_snapshot!(lines.collect::<Vec<_>>().join("\n"));
}

#[test]
fn every_example_is_told_or_has_a_reason() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../examples");
    let names = std::fs::read_dir(folder).expect("there are examples").filter_map(|entry| {
        let name = entry.expect("it can be read").file_name().into_string().expect("it is text");
        let (number, name) = name.split_once('_')?;
        number.parse::<u32>().ok()?;
        Some(name.trim_end_matches(".rs").to_owned())
    });
    let mut names: Vec<String> = names.collect();
    names.sort();
    assert!(names.len() > 20, "{names:?}");
    // Other workloads of an example have names of their own.
    let is_plain = |name: &&str| names.iter().any(|example| example == name);
    let in_loops = LOOPS.iter().map(|(name, _)| *name).filter(is_plain);
    let in_ones = ONES.iter().map(|(name, _)| *name);
    let untold = UNTOLD.iter().map(|(name, _)| *name);
    let mut listed: Vec<&str> = in_loops.chain(in_ones).chain(untold).collect();
    listed.sort_unstable();
    assert_eq!(
        listed, names,
        "each example once: in `LOOPS`, in `ONES` or, with a reason, in `UNTOLD`"
    );
}
