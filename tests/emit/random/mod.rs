//! Random bodies, drawn as IR, mean on a device what they mean to the interpreter: the same
//! integers, the same bits of floats, the same first violation and fault. The compiler of the device gets many of
//! them at once, without FLASH in between; how FLASH launches them is asked in `runtime.rs`,
//! and what they mean on the CPU in `compiled`. `tests/random_bodies.rs` has bodies that are written as kernels.

mod compiled;
mod cuda;
mod device;
mod draw;
mod expressions;
mod kernel;
mod launch;
mod numbers;
mod overstated;
mod pool;
mod ptx;
mod runtime;
mod statements;
mod wrapping;

use std::ops::Range;
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicU64, Ordering};

use flash_ir::emit::{self, Emitted, Options, status};
use flash_ir::interp::{Order, Program};
use flash_ir::ir::ParamKind;
use flash_ir::resolve::{Unsaid, typed};

use flash_tests::oclgrind;

use device::Device;
use kernel::Drawn;
use launch::{Grid, Launch};

/// Kernels where nobody says how many.
const CASES: u64 = 2_000;
/// Of those so many under Oclgrind, which takes twenty times as long for one.
const WATCHED: u64 = 400;
/// Kernels of a program.
const TOGETHER: u64 = 20;
/// One program of so many is optimised.
const OPTIMISED: u64 = 10;
/// Threads that compile and run.
const THREADS: u64 = 2;

/// A variable of the environment that is a number.
fn number(name: &str, otherwise: u64) -> u64 {
    std::env::var(name).map_or(otherwise, |said| said.parse().expect("a number"))
}

/// Names that several texts of a program have, each in its own meaning.
const OWN: [&str; 11] = [
    "Cell", "Cloud", "drawn0", "drawn1", "mix", "mix_", "moved", "scaled", "series", "total",
    "wave",
];

/// A text with names that no other text of a program has.
fn apart(emitted: &Emitted, seed: u64) -> String {
    let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let mut text = String::with_capacity(2 * emitted.text.len());
    let mut rest = &*emitted.text;
    while let Some(start) = rest.find(is_part) {
        let len = rest[start..].find(|c| !is_part(c)).unwrap_or(rest.len() - start);
        let word = &rest[start..start + len];
        text += &rest[..start + len];
        if word.starts_with("flash_") || OWN.contains(&word) {
            text += &format!("_{seed}");
        }
        rest = &rest[start + len..];
    }
    text += rest;
    text
}

/// A drawn kernel with its text.
struct Case {
    drawn: Drawn,
    emitted: Emitted,
}

/// A language of devices.
type Emit = fn(&typed::Kernel, &Options) -> Result<Emitted, Vec<Unsaid>>;

/// The kernels of some seeds, and one text of all of them.
fn cases(seeds: Range<u64>, emit: Emit) -> (String, Vec<Case>) {
    let cases: Vec<Case> = seeds.map(|seed| Case::new(kernel::kernel(seed), emit)).collect();
    (cases.iter().map(|case| apart(&case.emitted, case.drawn.seed)).collect(), cases)
}

impl Case {
    fn new(drawn: Drawn, emit: Emit) -> Self {
        let typed = flash_ir::resolve::kernel(drawn.ir)
            .unwrap_or_else(|unsaid| panic!("seed {}: {unsaid:?}\n{}", drawn.seed, drawn.ir));
        let emitted = emit(&typed, &Launch::new(&drawn).options())
            .unwrap_or_else(|unsaid| panic!("seed {}: {unsaid:?}\n{}", drawn.seed, drawn.ir));
        Self { drawn, emitted }
    }

    /// What is different, and how it is drawn again.
    fn again(&self, difference: &str) -> String {
        format!("FLASH_SEED={} FLASH_CASES=1: {difference}", self.drawn.seed)
    }

    /// Launches it: on arrays, partial results, the record and the table, as far as there are such, on words
    /// and over a grid. Says where memory or record are not what the interpreter makes of them.
    fn difference(
        &self,
        run: impl FnOnce(&str, &mut [&mut Vec<u8>], &[u8], Grid),
    ) -> Option<String> {
        let Self { drawn, emitted } = self;
        let mut launch = Launch::new(drawn);
        let mut wanted = launch.clone();
        let interpreter = Program::new(drawn.ir).expect("it has types");
        let mut shuffled = launch.clone();
        let notes = wanted.interpret(&interpreter, Order::Ascending);
        let others = shuffled.interpret(&interpreter, Order::Shuffled(drawn.seed));
        assert_eq!(wanted.difference(&shuffled), None, "seed {} has a race", drawn.seed);
        assert_eq!(notes, others, "seed {}", drawn.seed);
        let (words, grid) = (launch.words(emitted), launch.grid().0);
        let mut record = vec![0; status::BYTES];
        let mut table = launch.table();
        let params = drawn.ir.params;
        let is_partials = |at: usize| matches!(params[at].kind, ParamKind::Reduce(_));
        let (mut arrays, mut partials) = (Vec::new(), Vec::new());
        for (at, bytes) in launch.bytes.iter_mut().enumerate() {
            match params[at].kind {
                ParamKind::Value => {}
                _ if is_partials(at) => partials.push(bytes),
                _ => arrays.push(bytes),
            }
        }
        arrays.append(&mut partials);
        if emitted.may_fail {
            arrays.push(&mut record);
        }
        if drawn.options.table.is_some() {
            arrays.push(&mut table);
        }
        run(&emitted.entry, &mut arrays, &words, grid);
        let mut found = [0; status::WORDS];
        for (word, bytes) in found.iter_mut().zip(record.chunks_exact(4)) {
            *word = u32::from_le_bytes(bytes.try_into().expect("four bytes"));
        }
        let found = status::read(&found);
        let difference = wanted
            .difference(&launch)
            .or_else(|| (found != notes).then(|| format!("noted {found:?} and not {notes:?}")))?;
        Some(format!("{difference}\n{}\n{}", drawn.ir, emitted.text))
    }
}

/// Draws, compiles and runs the kernels of some seeds.
fn differences(device: &Device, seeds: Range<u64>) -> Vec<String> {
    // An optimiser is three times as long about it.
    let optimised = (seeds.start / TOGETHER).is_multiple_of(OPTIMISED);
    let (text, cases) = cases(seeds, emit::opencl);
    let program = device.program(&text, optimised);
    let mut wrong = Vec::new();
    for case in cases {
        let difference = case.difference(|entry, memories, words, grid| {
            program.run(entry, memories, words, grid);
        });
        // It rounds quotients of `f32` in its own way.
        if !(oclgrind::is_under() && case.emitted.divides_f32) {
            wrong.extend(difference.map(|difference| case.again(&difference)));
        }
    }
    wrong
}

#[test]
fn random_bodies_touch_what_is_theirs() {
    if !oclgrind::is_here_or_clean("random::random_bodies_touch_what_is_theirs") {
        return;
    }
    let device = Device::first().expect("a device that compiles");
    let (first, cases) = (number("FLASH_SEED", 0), number("FLASH_CASES", WATCHED));
    let end = first + cases;
    for from in (first..end).step_by(TOGETHER as usize) {
        let wrong = differences(&device, from..end.min(from + TOGETHER));
        assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    }
}

/// What some threads find wrong, each with a device of its own; nothing is drawn beyond what is.
fn found<D>(
    cases: u64,
    device: impl Fn() -> D + Sync,
    differences: impl Fn(&D, Range<u64>) -> Vec<String> + Sync,
) {
    let (first, cases) = (number("FLASH_SEED", 0), number("FLASH_CASES", cases));
    let next = AtomicU64::new(first);
    let end = first + cases;
    let search = || {
        let device = device();
        loop {
            let from = next.fetch_add(TOGETHER, Ordering::Relaxed);
            if from >= end {
                return Vec::new();
            }
            let wrong = differences(&device, from..end.min(from + TOGETHER));
            if !wrong.is_empty() {
                return wrong;
            }
        }
    };
    let wrong: Vec<String> = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..THREADS).map(|_| scope.spawn(search)).collect();
        threads.into_iter().flat_map(|thread| thread.join().expect("no panic")).collect()
    });
    let shortest = wrong.iter().min_by_key(|text| text.len());
    let n = wrong.len();
    assert!(n == 0, "{n} of them differ; the shortest:\n{}", shortest.unwrap());
}

/// The second half in a process of its own, as a driver may compile one program at a time.
#[test]
fn random_bodies_mean_what_the_interpreter_says() {
    const TEST: &str = "random::random_bodies_mean_what_the_interpreter_says";
    if flash_tests::opencl().is_none() {
        return;
    }
    let half = CASES / 2;
    let other_half = std::env::var_os("FLASH_CASES").is_none().then(|| {
        let seeds = [("FLASH_SEED", half), ("FLASH_CASES", CASES - half)];
        let mut again = Command::new(std::env::current_exe().expect("it runs"));
        again.args(["--exact", TEST]).envs(seeds.map(|(name, n)| (name, n.to_string())));
        again.stdout(Stdio::piped()).spawn().expect("it starts again")
    });
    let device = || Device::first().expect("a device that compiles");
    found(half, device, differences);
    if let Some(other_half) = other_half {
        let run = other_half.wait_with_output().expect("it ends");
        assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stdout));
    }
}
