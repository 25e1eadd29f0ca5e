//! Compares runs of random pipelines with the interpreter, and says which differ.

use std::ops::Range;
use std::sync::Arc;

use flash::prelude::*;
use flash_rt::backend::clock::Clock;
use flash_rt::sim::{Counts, Sim};
use flash_rt::{Builder, Transfers};

use super::generate::{Random, Shape, outside, start, steps, with_ranges};
use super::history::Order;
use super::interpret::interpret;
use super::run::{Counted, How, run};
use super::steps::{COLS, State, Step};
use super::watch::Watch;

/// How often each pipeline runs.
const TIMES: usize = 2;

/// Seeds that share a runtime.
const CHUNK: u64 = 50;
/// Families with two devices or more, of which one ground in three splits every launch that it can.
const SPLITTING: [&str; 2] = ["on_devices_of_unlike_speed", "one_after_the_other"];

/// Cases of all families together, unless `FLASH_CASES` asks for another number.
pub(crate) const ALL_CASES: u64 = 20_000;

/// A runtime to compare on.
pub(crate) struct Ground {
    pub(crate) rt: Runtime,
    /// What makes time pass in host tasks.
    pub(crate) clock: Option<Arc<dyn Clock>>,
    /// What keeps its order.
    pub(crate) order: Order,
    /// The devices, whose log of calls is compared with what the engine counts.
    pub(crate) sim: Option<Sim>,
    /// Nobody brings arrays to devices or away, in the run or beside it.
    pub(crate) alone: bool,
    /// What is drawn from a seed.
    pub(crate) draw: fn(u64) -> (State, Vec<Step>),
}

impl From<Runtime> for Ground {
    fn from(rt: Runtime) -> Self {
        let draw = |seed| draw(seed, Shape::ALL);
        Self { rt, clock: None, order: Order::Tasks, sim: None, alone: false, draw }
    }
}

/// Options of a runtime whose arrays may take turns in up to three memories.
pub(crate) fn copying(random: &mut Random) -> Builder<flash::Enabled> {
    let copies = 1 + random.below(3);
    let builder = match number("FLASH_COPIES") {
        Some(_) => builder(),
        None => builder().copies(copies),
    };
    // Some split every launch.
    match random.below(3) {
        0 => builder.partitions(2 + random.below(3)),
        _ => builder,
    }
}

/// Options of a runtime, with as many memories for an image as `FLASH_COPIES` asks for.
pub(crate) fn builder() -> Builder<flash::Enabled> {
    let builder = Runtime::builder();
    match number("FLASH_COPIES") {
        Some(n) => builder.copies(n as usize),
        None => builder,
    }
}

/// What `times` runs make of a state, one step after the other.
pub(crate) fn expected(times: usize, steps: &[Step], state: &State) -> State {
    counting(times, steps, state).0
}

/// The same, how many launches that is, and how many on devices.
fn counting(times: usize, steps: &[Step], state: &State) -> (State, [u64; 2]) {
    let mut state = state.clone();
    for _ in 0..times {
        interpret(steps, &mut state, (&mut Vec::new(), &mut Vec::new()), &mut |_, _, _| {});
    }
    let launches = std::mem::take(&mut state.launches);
    (state, launches)
}

/// What is drawn from a seed.
pub(crate) fn draw(seed: u64, shape: Shape) -> (State, Vec<Step>) {
    let mut random = Random::new(seed);
    let state = start(&mut random);
    let n = 3 + random.below(8);
    (state, steps(&mut random, n, shape))
}

/// The same for pipelines that begin with loops over ranges of their stages.
pub(crate) fn draw_ranges(seed: u64) -> (State, Vec<Step>) {
    let mut random = Random::new(seed);
    let state = start(&mut random);
    (state, with_ranges(&mut random))
}

impl Ground {
    /// What is wrong with a run of these steps, if anything is.
    fn wrong(&self, seed: u64, steps: &[Step], state: &State) -> Option<String> {
        self.compared(seed, steps, state).err()
    }

    /// Whether a run of these steps split launches, or what is wrong with it.
    fn compared(&self, seed: u64, steps: &[Step], state: &State) -> Result<bool, String> {
        let (mut wanted, launches) = counting(TIMES, steps, state);
        let on = (&self.rt, self.clock.as_ref());
        let outside = match self.alone {
            true => Vec::new(),
            false => outside(&mut Random::new(!seed)),
        };
        self.sim.iter().for_each(Sim::clear_calls);
        let (mut found, counted) = match run(on, How::of(seed), TIMES, (steps, &outside), state) {
            Ok(found) => found,
            Err(error) => return Err(format!("error: {error:?}")),
        };
        let log = self.sim.as_ref().map(Sim::counts);
        if let Some(what) = self.miscounted(&counted, launches, log) {
            return Err(what);
        }
        if let Some(what) = counted.unclear {
            return Err(what);
        }
        if self.order == Order::Data {
            wanted.log.sort_unstable();
            found.log.sort_unstable();
        }
        if wanted != found {
            let what = [
                ("buffers", wanted.buffers != found.buffers),
                ("borrowed memory", wanted.lent != found.lent),
                ("sums", wanted.sums != found.sums),
                ("counts", wanted.counts != found.counts),
                ("turns", wanted.turns != found.turns),
                ("flags", wanted.flags != found.flags),
                ("log", wanted.log != found.log),
            ];
            let names: Vec<&str> = what.into_iter().filter(|w| w.1).map(|w| w.0).collect();
            return Err(format!("{}{}", names.join(", "), first_wrong(&found, &wanted)));
        }
        Ok(counted.split)
    }

    /// What the engine counts otherwise than the interpreter or the log of the devices.
    fn miscounted(
        &self,
        counted: &Counted,
        [launches, on_devices]: [u64; 2],
        log: Option<Counts>,
    ) -> Option<String> {
        let Counted { moved, split, .. } = *counted;
        let is_equal = log.is_none_or(|log| {
            let copies = |all: Transfers| {
                let by_host = [all.uploads, all.uploaded, all.downloads, all.downloaded];
                (by_host, [all.peer_copies, all.peer_copied])
            };
            let of_log = (
                [log.uploads, log.uploaded, log.downloads, log.downloaded],
                [log.peer_copies, log.peer_copied],
            );
            // The log has all launches where all devices have one.
            let is_all = !split && self.rt.devices().iter().all(|device| device.space().is_some());
            copies(moved) == of_log && (!is_all || log.launches == on_devices)
        });
        let is_counted = is_equal && counted.launches == launches;
        let wanted = (launches, on_devices, log);
        (!is_counted).then(|| format!("counted {counted:?} in place of {wanted:?}"))
    }

    fn differs(&self, seed: u64, shape: Shape) -> bool {
        let (state, steps) = draw(seed, shape);
        self.wrong(seed, &steps, &state).is_some()
    }

    /// How many of the first `n` seeds differ from the interpreter.
    pub(crate) fn differing(&self, n: u64, shape: Shape) -> usize {
        (0..n).filter(|&seed| self.differs(seed, shape)).count()
    }

    /// The first of `n` seeds that differs from the interpreter.
    pub(crate) fn first_differing(&self, n: u64, shape: Shape) -> Option<u64> {
        (0..n).find(|&seed| self.differs(seed, shape))
    }

    /// Fewer steps that still differ, found by leaving out one after the other.
    fn smaller(&self, seed: u64, steps: &[Step], state: &State) -> Vec<Step> {
        let mut steps = steps.to_vec();
        let mut at = 0;
        while at < steps.len() {
            let mut fewer = steps.clone();
            let gone = fewer.remove(at);
            // What is inside may do as well as the whole.
            let inside = match gone {
                Step::For(_, body) | Step::Ranges(body) | Step::While { body, .. } => body,
                Step::If(_, then, other) => then.into_iter().chain(other).collect(),
                _ => Vec::new(),
            };
            let differs = |steps: &[Step]| (0..4).any(|_| self.wrong(seed, steps, state).is_some());
            if differs(&fewer) {
                steps = fewer;
                continue;
            }
            fewer.splice(at..at, inside);
            // Outside of a loop nothing can ask for its variable.
            let text = format!("{fewer:?}");
            let asks = ["level", "At(", "Follow(", "Trip(", "Variable("]
                .iter()
                .any(|word| text.contains(word));
            if fewer.len() >= steps.len() && !asks && differs(&fewer) {
                steps = fewer;
            } else {
                at += 1;
            }
        }
        steps
    }

    /// Whether the pipeline of a seed split launches. Fails where what it finds differs, and says what is
    /// needed to see it again.
    fn check(&self, family: &str, seed: u64) -> bool {
        let (state, mut steps) = (self.draw)(seed);
        if self.alone {
            Step::leave_moves_out(&mut steps);
        }
        let what = match self.compared(seed, &steps, &state) {
            Ok(split) => return split,
            Err(what) => what,
        };
        let smaller = self.smaller(seed, &steps, &state);
        panic!(
            "{family}: seed {seed} differs by {:?}: {what}\n{}\nit differs still with\n{smaller:#?}",
            How::of(seed),
            again(family, seed)
        );
    }
}

/// How to see a case of a test again.
pub(crate) fn again(test: &str, seed: u64) -> String {
    format!(
        "again: FLASH_SEED={seed} FLASH_CASES=1 cargo test -p flash-tests --test random_pipelines {test}"
    )
}

/// Where the first wrong element of a matrix is, if one is.
fn first_wrong(found: &State, wanted: &State) -> String {
    let both = found.buffers.iter().zip(&wanted.buffers).enumerate();
    let mut wrong = both.flat_map(|(buffer, (found, wanted))| {
        let pairs = found.iter().zip(wanted).enumerate().filter(|(_, (a, b))| a != b);
        pairs.map(move |(at, (a, b))| (buffer, at / COLS, at % COLS, *a, *b))
    });
    let count = wrong.clone().count();
    wrong.next().map_or_else(String::new, |(buffer, row, column, found, wanted)| {
        format!(
            " ({count} elements, first {found} for {wanted} in row {row}, column {column} of {buffer})"
        )
    })
}

fn number(name: &str) -> Option<u64> {
    let text = std::env::var(name).ok()?;
    Some(text.parse().unwrap_or_else(|_| panic!("{name}={text} is no number")))
}

/// The first seed of a family: far from those of the others, so that no two draw the same pipelines.
fn first(family: &str) -> u64 {
    let mix = |hash: u64, byte: u8| (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3);
    family.bytes().fold(0xcbf2_9ce4_8422_2325, mix) % 1_000_000 * 10_000_000
}

/// The seeds of a family's share of all cases.
pub(crate) fn seeds(family: &str, cases: u64) -> Range<u64> {
    let asked = number("FLASH_CASES").unwrap_or(if cfg!(miri) { 1 } else { ALL_CASES });
    let first = number("FLASH_SEED").unwrap_or_else(|| first(family));
    first..first + (cases * asked).div_ceil(ALL_CASES)
}

/// Goes through a family's share of all cases; `ground` makes a runtime from a few random numbers, and
/// `case` deals with a seed there. How many cases that were.
pub(crate) fn each_case(
    family: &str,
    cases: u64,
    ground: impl Fn(&mut Random) -> Ground,
    mut case: impl FnMut(&Ground, u64),
) -> u64 {
    let Range { start: first, end } = seeds(family, cases);
    let watch = Watch::over(family);
    let mut seed = first;
    while seed < end {
        let chunk = seed / CHUNK;
        let ground = ground(&mut Random::new(chunk));
        while seed < end && seed / CHUNK == chunk {
            watch.begin(seed);
            case(&ground, seed);
            seed += 1;
        }
    }
    end - first
}

/// Compares a family's share of all cases.
pub(crate) fn family(name: &str, cases: u64, ground: impl Fn(&mut Random) -> Ground) {
    if std::env::var_os("FLASH_SABOTAGE").is_some() {
        return;
    }
    let mut split = 0;
    let check = |ground: &Ground, seed| split += u64::from(ground.check(name, seed));
    let n = each_case(name, cases, ground, check);
    // One ground of three splits what it can.
    let splits = SPLITTING.contains(&name);
    assert!(!splits || n < 20 * CHUNK || split >= n / 10, "{split} of {n} had launches split");
}
