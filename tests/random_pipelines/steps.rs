//! What a random pipeline is made of: steps over arrays, their parts, and cells. It knows nothing
//! of FLASH, and neither draws steps nor runs them.

use std::ops;

/// Number of matrices, and their extents.
pub(crate) const BUFFERS: usize = 4;
pub(crate) const ROWS: usize = 8;
pub(crate) const COLS: usize = 12;
/// Elements of a matrix, and of each of the two borrowed slices.
pub(crate) const LEN: usize = ROWS * COLS;
pub(crate) const LENT: usize = 2;
/// Number of cells with large values, with values below [`SMALL`], and with decisions.
pub(crate) const SUMS: usize = 3;
pub(crate) const COUNTS: usize = 3;
pub(crate) const FLAGS: usize = 2;
pub(crate) const SMALL: usize = 5;
/// How deep `while` loops may nest; each level has a cell that counts its trips.
pub(crate) const WHILES: usize = 2;

/// What a pipeline works on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct State {
    pub(crate) buffers: Vec<Vec<u32>>,
    pub(crate) lent: Vec<Vec<u32>>,
    pub(crate) sums: Vec<u64>,
    pub(crate) counts: Vec<usize>,
    pub(crate) turns: Vec<usize>,
    pub(crate) flags: Vec<bool>,
    /// What host tasks saw, in their order, run by run.
    pub(crate) log: Vec<u64>,
    /// How many launches the interpreter came by, and how many those are on devices: one for each phase.
    pub(crate) launches: [u64; 2],
}

/// What the host does between runs, or while they go on: it changes no element.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Outside {
    /// A copy of a matrix to a device is started.
    Prefetch(usize, usize),
    /// The memory of a matrix on a device is given back.
    Evict(usize, usize),
    /// An element is read, with what comes along.
    Get(usize, usize),
    /// All that is under way on a matrix is waited for.
    Wait(usize),
    /// Where one pipeline runs again, another array or cell with the same elements takes the place of this one,
    /// counted through all of them.
    Rebind(usize),
}

/// A part of an array.
#[derive(Clone, Debug)]
pub(crate) enum Place {
    /// A range of all elements of a matrix, one after the other.
    Flat(usize, ops::Range<usize>),
    /// A part of a row.
    Row(usize, usize, ops::Range<usize>),
    /// A box of rows and columns: of rank 2.
    Box(usize, ops::Range<usize>, ops::Range<usize>),
    /// The row that lies this far after the value of the variable of a loop, by its level.
    At(usize, usize, usize),
    /// The same without going round, so that it is known before the loop runs.
    Follow(usize, usize, usize),
    /// A borrowed slice.
    Lent(usize),
    /// A range of one.
    LentPart(usize, ops::Range<usize>),
}

/// How often a `for` loop runs.
#[derive(Clone, Debug)]
pub(crate) enum Bound {
    Times(u32),
    /// As often as the variable of an outer loop says.
    Variable(usize),
    /// From a number up to what a cell says, and with that one or without.
    Cell(usize, usize, bool),
}

/// Something that holds or does not.
#[derive(Clone, Debug)]
pub(crate) enum Test {
    Flag(usize),
    /// A cell against a number.
    Count(usize, Compare, usize),
    /// Two cells.
    Counts(usize, Compare, usize),
    Sums(usize, Compare, usize),
    /// The variable of a loop, by its level, modulo a number.
    Trip(usize, u32, u32),
    Not(Box<Self>),
    And(Box<[Self; 2]>),
    Or(Box<[Self; 2]>),
    Xor(Box<[Self; 2]>),
}

#[derive(Clone, Copy, Debug)]
pub(crate) enum Compare {
    Lt,
    Le,
    Gt,
    Ge,
    Eq,
    Ne,
}

/// Where data are moved; devices by number.
#[derive(Clone, Copy, Debug)]
pub(crate) enum To {
    Host,
    Device(usize),
    AwayFrom(usize),
}

#[derive(Clone, Debug)]
pub(crate) enum Step {
    /// `x = x * a + b`
    Affine {
        a: u32,
        b: u32,
        x: Place,
    },
    /// The same under conditions, all of which have to hold.
    When {
        tests: Vec<Test>,
        a: u32,
        b: u32,
        x: Place,
    },
    /// With the variable of a loop in place of `b`.
    Counted {
        a: u32,
        level: usize,
        x: Place,
    },
    /// Of the first elements only: as many as the variable of a loop says.
    Prefix {
        a: u32,
        b: u32,
        level: usize,
        x: Place,
    },
    /// Of the first elements only: as many as a cell says.
    Some {
        a: u32,
        b: u32,
        count: usize,
        x: Place,
    },
    /// With a cell in place of `b`.
    BySum {
        a: u32,
        sum: usize,
        x: Place,
    },
    ByCount {
        a: u32,
        count: usize,
        x: Place,
    },
    /// `y = y * a + x`
    Mix {
        a: u32,
        x: Place,
        y: Place,
    },
    /// `x = x * a + k` for `k` up to a number, each a phase of one launch.
    Phases {
        a: u32,
        n: usize,
        x: Place,
    },
    /// `x[i] = x[i] * a + x[i - 1]`, each a phase of one launch.
    Carry {
        a: u32,
        x: Place,
    },
    /// `y[.., i] = x[.., i + 1] * a + b`, zero at the end of each row.
    Shift {
        a: u32,
        b: u32,
        x: Place,
        y: Place,
    },
    /// `y = y * a + x` in a host task, which takes a while; `y = x` in one that fills `y`.
    Task {
        a: u32,
        x: Place,
        y: Place,
        delay: u32,
    },
    /// A host task that only reads.
    Note {
        x: Place,
        delay: u32,
    },
    /// The sum of all elements into a cell, with what is there or instead of it.
    Total {
        x: Place,
        sum: usize,
        into: bool,
    },
    /// Some bits of the first elements of a place into a cell, by a kernel: below [`SMALL`].
    Tally {
        shift: u32,
        x: Place,
        count: usize,
    },
    /// The same in a host task.
    Decide {
        shift: u32,
        x: Place,
        count: usize,
    },
    /// Whether any of the first elements of a place has a bit set into a decision, by a kernel.
    Judge {
        shift: u32,
        x: Place,
        flag: usize,
    },
    /// A host task turns a decision round.
    Flip(usize),
    /// With a decision as an argument.
    ByFlag {
        a: u32,
        b: u32,
        flag: usize,
        x: Place,
    },
    Swap(usize, usize),
    SwapSums(usize, usize),
    SwapCounts(usize, usize),
    Move(usize, To),
    /// A part of an array comes to a device, or to the host.
    MovePart(Place, Option<usize>),
    /// From here on each stage waits for all before it, or does not.
    Policy(bool),
    /// From here on each stage runs only if this holds when it is dispatched, too.
    Options(Test),
    For(Bound, Vec<Self>),
    /// Steps at the beginning of a pipeline, whose loops are said as ranges of stages after them.
    Ranges(Vec<Self>),
    If(Test, Vec<Self>, Vec<Self>),
    /// While the cell that counts the trips is below a number or another cell, and a test holds. The
    /// body has a [`Step::Turn`] of that cell.
    While {
        turn: usize,
        below: Below,
        test: Option<Test>,
        body: Vec<Self>,
    },
    /// The cell that counts trips becomes zero, by a kernel or in a host task.
    Reset {
        turn: usize,
        task: bool,
    },
    /// It becomes one more.
    Turn {
        turn: usize,
        task: bool,
    },
}

#[derive(Clone, Debug)]
pub(crate) enum Below {
    Number(usize),
    Count(usize),
}

/// The matrices that steps may change.
pub(crate) fn changed(steps: &[Step], found: &mut Vec<usize>) {
    for step in steps {
        match step {
            Step::Affine { x, .. }
            | Step::When { x, .. }
            | Step::Counted { x, .. }
            | Step::Phases { x, .. }
            | Step::Carry { x, .. }
            | Step::Prefix { x, .. }
            | Step::Some { x, .. }
            | Step::BySum { x, .. }
            | Step::ByFlag { x, .. }
            | Step::ByCount { x, .. } => found.extend(x.buffer()),
            Step::Mix { y, .. } | Step::Shift { y, .. } | Step::Task { y, .. } => {
                found.extend(y.buffer());
            }
            Step::Swap(a, b) => found.extend([*a, *b]),
            Step::For(_, body) | Step::Ranges(body) | Step::While { body, .. } => {
                changed(body, found);
            }
            Step::If(_, then, other) => {
                changed(then, found);
                changed(other, found);
            }
            _ => {}
        }
    }
}

impl Place {
    /// The matrix it is a part of.
    fn buffer(&self) -> Option<usize> {
        match self {
            Self::Flat(buffer, _) | Self::Row(buffer, ..) | Self::Box(buffer, ..) => Some(*buffer),
            Self::At(buffer, ..) | Self::Follow(buffer, ..) => Some(*buffer),
            Self::Lent(_) | Self::LentPart(..) => None,
        }
    }

    /// The length of a row of it.
    pub(crate) fn width(&self) -> usize {
        match self {
            Self::Flat(_, range)
            | Self::Row(_, _, range)
            | Self::Box(_, _, range)
            | Self::LentPart(_, range) => range.len(),
            Self::At(..) | Self::Follow(..) => COLS,
            Self::Lent(_) => LEN,
        }
    }

    /// Whether the closure of a host task can have it.
    pub(crate) fn is_for_closures(&self) -> bool {
        !matches!(self, Self::Lent(_) | Self::LentPart(..) | Self::At(..) | Self::Follow(..))
    }
}

/// The row that [`Place::At`] means.
pub(crate) fn row_at(add: usize, k: u32) -> usize {
    (add + k as usize) % ROWS
}

/// The items of [`Step::Prefix`].
pub(crate) fn prefix(k: u32, width: usize) -> usize {
    (k as usize * 3).min(width)
}

/// The elements that [`Step::Tally`] looks at.
pub(crate) fn looked_at(width: usize) -> usize {
    width.min(SMALL - 1)
}

/// What [`Step::Decide`] makes of an element.
pub(crate) fn decided(shift: u32, first: u32) -> usize {
    (first >> shift) as usize % SMALL
}

/// What a host task that saw these elements writes down.
pub(crate) fn seen(mark: u32, elements: impl Iterator<Item = u32>) -> u64 {
    elements.fold(u64::from(mark), |all, v| all.wrapping_mul(1_000_003).wrapping_add(v.into()))
}

/// Whether a host task with this factor fills its array in place of adding to it.
pub(crate) fn fills(a: u32) -> bool {
    a % 4 == 1
}

impl Step {
    /// Leaves out what brings arrays to devices or away from them.
    pub(crate) fn leave_moves_out(steps: &mut Vec<Self>) {
        steps.retain(|step| !matches!(step, Self::Move(..) | Self::MovePart(..)));
        for step in steps {
            match step {
                Self::For(_, body) | Self::Ranges(body) | Self::While { body, .. } => {
                    Self::leave_moves_out(body);
                }
                Self::If(_, then, other) => {
                    [then, other].map(Self::leave_moves_out).into_iter().collect()
                }
                _ => {}
            }
        }
    }

    /// Whether it is something that a pipeline does, and not how what follows is done.
    pub(crate) fn is_stage(&self) -> bool {
        !matches!(self, Self::Policy(_) | Self::Options(_))
    }
}

/// A loop over stages: the first one, how many, and how often.
#[derive(Clone, Debug)]
pub(crate) struct Range {
    pub(crate) first: usize,
    pub(crate) len: usize,
    pub(crate) bound: Bound,
}

/// Steps without the loops that are around them, and those loops, outer ones first; `n` is how many stages come
/// before.
pub(crate) fn flattened(steps: &[Step], n: &mut usize) -> (Vec<Step>, Vec<Range>) {
    let (mut stages, mut ranges) = (Vec::new(), Vec::new());
    for step in steps {
        let Step::For(bound, body) = step else {
            *n += usize::from(step.is_stage());
            stages.push(step.clone());
            continue;
        };
        let first = *n;
        let (inside, within) = flattened(body, n);
        stages.extend(inside);
        ranges.push(Range { first, len: *n - first, bound: bound.clone() });
        ranges.extend(within);
    }
    (stages, ranges)
}
