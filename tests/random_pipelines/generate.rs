//! Draws pipelines from a seed. It neither builds nor runs them.

use std::ops::Range;

use super::steps::{
    BUFFERS, Below, Bound, COLS, COUNTS, Compare, FLAGS, LEN, LENT, Outside, Place, ROWS, SMALL,
    SUMS, State, Step, Test, To, WHILES,
};

/// Rows before those that follow a loop variable, which stays below the rest of them.
const FOLLOWS: usize = 3;

/// Numbers that look random and are the same everywhere.
#[derive(Clone)]
pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed)
    }

    pub(crate) fn next(&mut self) -> u32 {
        // The constants of Knuth's MMIX generator; the high bits are the good ones.
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 33) as u32
    }

    pub(crate) fn below(&mut self, n: usize) -> usize {
        self.next() as usize % n
    }
}

/// A range of `len` in the lower or the upper half of `0..n`.
fn half(random: &mut Random, n: usize, len: usize, upper: bool) -> Range<usize> {
    let start = random.below(n / 2 - len + 1) + if upper { n / 2 } else { 0 };
    start..start + len
}

/// Two parts of the same shape that do not overlap.
fn two_places(random: &mut Random, depth: usize) -> (Place, Place) {
    let one = random.below(BUFFERS);
    // In the same buffer one time in three, where only the exact boxes tell them apart.
    let add = if random.below(3) == 0 { 0 } else { 1 + random.below(BUFFERS - 1) };
    let other = (one + add) % BUFFERS;
    let swapped = random.below(2) == 0;
    let (x, y) = match random.below(if depth > 0 { 8 } else { 6 }) {
        0 | 1 => {
            let len = 2 + random.below(LEN / 2 - 1);
            let x = half(random, LEN, len, false);
            (Place::Flat(one, x), Place::Flat(other, half(random, LEN, len, true)))
        }
        2 => {
            let start = random.below(COLS / 2);
            let cols = start..start + 1 + random.below(COLS - start);
            let row = random.below(ROWS);
            let next = (row + 1 + random.below(ROWS - 1)) % ROWS;
            (Place::Row(one, row, cols.clone()), Place::Row(other, next, cols))
        }
        3 => {
            // One above the other; a column where it is one wide.
            let (h, w) = (1 + random.below(ROWS / 2), 1 + random.below(COLS));
            let start = random.below(COLS - w + 1);
            let next = random.below(COLS - w + 1);
            (
                Place::Box(one, half(random, ROWS, h, false), start..start + w),
                Place::Box(other, half(random, ROWS, h, true), next..next + w),
            )
        }
        4 => {
            // Side by side: their addresses interleave.
            let (h, w) = (1 + random.below(ROWS), 1 + random.below(COLS / 2));
            let start = random.below(ROWS - h + 1);
            let next = random.below(ROWS - h + 1);
            (
                Place::Box(one, start..start + h, half(random, COLS, w, false)),
                Place::Box(other, next..next + h, half(random, COLS, w, true)),
            )
        }
        5 => {
            let lent = random.below(LENT);
            if random.below(2) == 0 {
                let len = 2 + random.below(LEN / 2 - 1);
                let x = half(random, LEN, len, false);
                let y = half(random, LEN, len, true);
                let other = match random.below(3) {
                    0 => Place::Flat(one, y),
                    add => Place::LentPart((lent + add) % LENT, y),
                };
                (Place::LentPart(lent, x), other)
            } else if random.below(2) == 0 {
                (Place::Lent(lent), Place::Lent(1 - lent))
            } else {
                (Place::Lent(lent), Place::Flat(one, 0..LEN))
            }
        }
        _ if random.below(2) == 0 => {
            // The innermost loop as often as all others.
            let level = if random.below(2) == 0 { depth - 1 } else { random.below(depth) };
            let add = random.below(FOLLOWS);
            let next = (add + 1 + random.below(FOLLOWS - 1)) % FOLLOWS;
            (Place::Follow(one, add, level), Place::Follow(other, next, level))
        }
        _ => {
            let level = random.below(depth);
            let add = random.below(ROWS);
            let next = (add + 1 + random.below(ROWS - 1)) % ROWS;
            (Place::At(one, add, level), Place::At(other, next, level))
        }
    };
    if swapped { (y, x) } else { (x, y) }
}

/// What may be drawn.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Shape {
    /// `for` loops.
    pub(crate) loops: bool,
    /// `if`, `while` and conditions.
    pub(crate) decisions: bool,
}

impl Shape {
    pub(crate) const ALL: Self = Self { loops: true, decisions: true };
}

/// Where steps are drawn for.
#[derive(Clone, Copy)]
struct Around {
    /// Loops around, which have variables.
    loops: usize,
    whiles: usize,
    /// Nodes of any kind around.
    depth: usize,
}

/// A random pipeline of `n` steps that may have others inside.
pub(crate) fn steps(random: &mut Random, n: usize, shape: Shape) -> Vec<Step> {
    inside(random, n, shape, Around { loops: 0, whiles: 0, depth: 0 })
}

/// A random pipeline that begins with loops over ranges of its stages.
pub(crate) fn with_ranges(random: &mut Random) -> Vec<Step> {
    let times = |random: &mut Random| Bound::Times(random.below(4) as u32);
    let around = |loops| Around { loops, whiles: 0, depth: loops + 1 };
    let stages = |random: &mut Random, n: usize, loops: usize| -> Vec<Step> {
        (0..n).map(|_| stage(random, around(loops))).collect()
    };
    let ranges = match random.below(3) {
        0 => {
            // Nested ones that all reach to the end.
            let (levels, step) = (1 + random.below(3), 1 + random.below(2));
            let n = 1 + random.below(3);
            let mut body = stages(random, n, levels);
            for level in (0..levels).rev() {
                let inside = vec![Step::For(times(random), body)];
                body = if level > 0 { stages(random, step, level) } else { Vec::new() };
                body.extend(inside);
            }
            body
        }
        1 => {
            let n = 1 + random.below(4);
            let one = |random: &mut Random| Step::For(times(random), stages(random, 1, 1));
            let mut all: Vec<Step> = (0..n).map(|_| one(random)).collect();
            let n = random.below(3);
            all.extend(stages(random, n, 0));
            all
        }
        _ => nest(random, 0),
    };
    let mut all = vec![Step::Ranges(ranges)];
    let n = random.below(4);
    all.extend(steps(random, n, Shape::ALL));
    all
}

/// Stages and loops around others.
fn nest(random: &mut Random, loops: usize) -> Vec<Step> {
    let around = Around { loops, whiles: 0, depth: loops + 1 };
    let mut all = vec![stage(random, around)];
    for _ in 0..random.below(4) {
        if loops < 3 && random.below(2) == 0 {
            let bound = match random.below(4) {
                0 if loops > 0 => Bound::Variable(random.below(loops)),
                1 => Bound::Cell(0, random.below(COUNTS), false),
                _ => Bound::Times(random.below(4) as u32),
            };
            all.push(Step::For(bound, nest(random, loops + 1)));
        } else {
            all.push(stage(random, around));
        }
    }
    let at = random.below(all.len());
    all.rotate_left(at);
    all
}

/// One step without loops over stages.
fn stage(random: &mut Random, around: Around) -> Step {
    let shape = Shape { loops: false, decisions: true };
    loop {
        let mut list = Vec::new();
        draw(random, shape, around, &mut list);
        if let [step] = &list[..]
            && step.is_stage()
        {
            return list.remove(0);
        }
    }
}

fn inside(random: &mut Random, n: usize, shape: Shape, around: Around) -> Vec<Step> {
    let mut list = Vec::new();
    for _ in 0..n {
        draw(random, shape, around, &mut list);
    }
    list
}

fn draw(random: &mut Random, shape: Shape, around: Around, list: &mut Vec<Step>) {
    let (a, b) = (random.next() | 1, random.next());
    let (x, y) = two_places(random, around.loops);
    let (sum, count) = (random.below(SUMS), random.below(COUNTS));
    let level = random.below(around.loops.max(1));
    let (shift, delay) = (random.below(28) as u32, random.below(4) as u32 * 5);
    let deep = around.depth >= 3;
    let in_loop = around.loops > 0;
    let step = match random.below(if deep { 21 } else { 29 }) {
        0 => Step::Affine { a, b, x },
        1 => match random.below(3) {
            0 => Step::Phases { a, n: random.below(4), x },
            1 if x.width() <= COLS && !matches!(x, Place::Box(..)) => Step::Carry { a, x },
            _ => Step::Affine { a, b, x },
        },
        2..4 => Step::Mix { a, x, y },
        4..6 => Step::Shift { a, b, x, y },
        6..8 => Step::Task { a, x, y, delay },
        8 if in_loop => Step::Counted { a, level, x },
        9 if in_loop && !matches!(x, Place::Box(..)) => Step::Prefix { a, b, level, x },
        10 => Step::Total { x, sum, into: random.below(2) == 0 },
        11 => Step::BySum { a, sum, x },
        12 => Step::ByCount { a, count, x },
        13 => match random.below(3) {
            0 => Step::SwapSums(sum, random.below(SUMS)),
            1 => Step::SwapCounts(count, random.below(COUNTS)),
            _ => Step::Swap(random.below(BUFFERS), random.below(BUFFERS)),
        },
        14 if random.below(2) == 0 => {
            let flag = random.below(FLAGS);
            match random.below(4) {
                0 => Step::Flip(flag),
                1 => Step::ByFlag { a, b, flag, x },
                _ => Step::Judge { shift, x, flag },
            }
        }
        14 => Step::Tally { shift, x, count },
        15 if x.is_for_closures() => Step::Decide { shift, x, count },
        16 if x.width() >= SMALL && !matches!(x, Place::Box(..)) => Step::Some { a, b, count, x },
        17 => Step::Note { x, delay },
        // Those that are given later hold for what is outside of the loop around them too.
        18 if around.depth == 0 && shape.decisions && random.below(3) == 0 => {
            Step::Options(test(random, 0, 1))
        }
        18 if random.below(3) == 0 => Step::Policy(random.below(3) == 0),
        18 if x.is_for_closures() && random.below(2) == 0 => {
            let device = random.below(5);
            Step::MovePart(x, (device < 4).then_some(device))
        }
        18 => {
            let device = random.below(5);
            let to = [To::Host, To::Device(device), To::AwayFrom(device)][random.below(3)];
            Step::Move(random.below(BUFFERS), to)
        }
        19 | 20 if shape.decisions => {
            let n = 1 + random.below(2);
            let tests = (0..n).map(|_| test(random, around.loops, 1)).collect();
            Step::When { tests, a, b, x }
        }
        21..24 if shape.loops => {
            let bound = match random.below(5) {
                0 if in_loop => Bound::Variable(level),
                1 | 2 => Bound::Cell(random.below(3), count, random.below(2) == 0),
                _ => Bound::Times(random.below(1 + ROWS - FOLLOWS) as u32),
            };
            let n = 1 + random.below(4);
            let within = Around { loops: around.loops + 1, depth: around.depth + 1, ..around };
            let mut body = inside(random, n, shape, within);
            if random.below(3) == 0 {
                // As in a stream: what the next trip works on is exchanged at its end, mostly.
                for _ in 0..1 + random.below(3) {
                    let at =
                        if random.below(4) == 0 { random.below(body.len()) } else { body.len() };
                    let pair = (random.below(BUFFERS), random.below(BUFFERS));
                    body.insert(at, Step::Swap(pair.0, pair.1));
                }
            }
            Step::For(bound, body)
        }
        24..27 if shape.decisions => {
            let test = test(random, around.loops, 0);
            let within = Around { depth: around.depth + 1, ..around };
            let (n, m) = (1 + random.below(3), random.below(3));
            let then = inside(random, n, shape, within);
            Step::If(test, then, inside(random, m, shape, within))
        }
        27.. if shape.decisions && around.whiles < WHILES => {
            let turn = around.whiles;
            list.push(Step::Reset { turn, task: random.below(3) == 0 });
            let below = match random.below(2) {
                0 => Below::Number(random.below(4)),
                _ => Below::Count(count),
            };
            let test = (random.below(3) == 0).then(|| test(random, around.loops + 1, 1));
            let within =
                Around { loops: around.loops + 1, whiles: turn + 1, depth: around.depth + 1 };
            let n = 1 + random.below(3);
            let mut body = inside(random, n, shape, within);
            let at = random.below(body.len() + 1);
            body.insert(at, Step::Turn { turn, task: random.below(3) == 0 });
            Step::While { turn, below, test, body }
        }
        _ => Step::Affine { a, b, x: y },
    };
    list.push(step);
}

/// A random condition inside of `loops` loops with variables.
fn test(random: &mut Random, loops: usize, depth: usize) -> Test {
    let compare = [Compare::Lt, Compare::Le, Compare::Gt, Compare::Ge, Compare::Eq, Compare::Ne]
        [random.below(6)];
    let count = random.below(COUNTS);
    match random.below(if depth < 2 { 12 } else { 8 }) {
        0 | 1 => Test::Flag(random.below(FLAGS)),
        2..4 => Test::Count(count, compare, random.below(SMALL)),
        4 => Test::Counts(count, compare, random.below(COUNTS)),
        5 => Test::Sums(random.below(SUMS), compare, random.below(SUMS)),
        6 | 7 if loops > 0 => {
            let modulo = 2 + random.below(2) as u32;
            Test::Trip(random.below(loops), modulo, random.below(modulo as usize) as u32)
        }
        8 => Test::Not(Box::new(test(random, loops, depth + 1))),
        9 => Test::And(Box::new([(); 2].map(|()| test(random, loops, depth + 1)))),
        10 => Test::Or(Box::new([(); 2].map(|()| test(random, loops, depth + 1)))),
        11 => Test::Xor(Box::new([(); 2].map(|()| test(random, loops, depth + 1)))),
        _ => Test::Count(count, compare, 1 + random.below(2)),
    }
}

/// What the host does beside a pipeline.
pub(crate) fn outside(random: &mut Random) -> Vec<Outside> {
    let n = random.below(4);
    let one = |random: &mut Random| {
        let (buffer, device) = (random.below(BUFFERS), random.below(5));
        match random.below(8) {
            0..3 => Outside::Prefetch(buffer, device),
            3 => Outside::Evict(buffer, device),
            4 => Outside::Get(buffer, random.below(LEN)),
            5 => Outside::Wait(buffer),
            _ => Outside::Rebind(random.below(BUFFERS + SUMS + COUNTS + WHILES + FLAGS)),
        }
    };
    (0..n).map(|_| one(random)).collect()
}

/// What a pipeline starts with.
pub(crate) fn start(random: &mut Random) -> State {
    let mut arrays = |n: usize| (0..n).map(|_| (0..LEN).map(|_| random.next()).collect()).collect();
    let (buffers, lent) = (arrays(BUFFERS), arrays(LENT));
    State {
        buffers,
        lent,
        sums: (0..SUMS).map(|_| random.next().into()).collect(),
        counts: (0..COUNTS).map(|_| random.below(SMALL)).collect(),
        turns: vec![0; WHILES],
        flags: (0..FLAGS).map(|_| random.below(2) == 0).collect(),
        log: Vec::new(),
        launches: [0; 2],
    }
}
