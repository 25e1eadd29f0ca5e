//! What steps mean one by one. It knows nothing of FLASH.

use super::steps::{
    BUFFERS, Below, Bound, COLS, Compare, LEN, Place, State, Step, Test, decided, fills, looked_at,
    prefix, row_at, seen,
};

impl Place {
    /// Its elements: of which array, by number, matrices first, and where there.
    pub(crate) fn elements(&self, loops: &[u32]) -> (usize, Vec<usize>) {
        let row = |row: usize| (row * COLS..(row + 1) * COLS).collect();
        match self {
            Self::Flat(buffer, range) => (*buffer, range.clone().collect()),
            Self::Row(buffer, row, range) => {
                (*buffer, range.clone().map(|i| row * COLS + i).collect())
            }
            Self::Box(buffer, rows, cols) => {
                let all = rows.clone().flat_map(|j| cols.clone().map(move |i| j * COLS + i));
                (*buffer, all.collect())
            }
            Self::At(buffer, add, level) => (*buffer, row(row_at(*add, loops[*level]))),
            Self::Follow(buffer, add, level) => (*buffer, row(add + loops[*level] as usize)),
            Self::Lent(at) => (BUFFERS + at, (0..LEN).collect()),
            Self::LentPart(at, range) => (BUFFERS + at, range.clone().collect()),
        }
    }

    fn values(&self, state: &mut State, loops: &[u32]) -> Vec<u32> {
        let (array, at) = self.elements(loops);
        let all = state.array(array);
        at.into_iter().map(|at| all[at]).collect()
    }

    fn update(&self, state: &mut State, loops: &[u32], mut new: impl FnMut(usize, u32) -> u32) {
        let (array, at) = self.elements(loops);
        let all = state.array(array);
        for (k, at) in at.into_iter().enumerate() {
            all[at] = new(k, all[at]);
        }
    }
}

impl State {
    fn array(&mut self, number: usize) -> &mut Vec<u32> {
        match number.checked_sub(BUFFERS) {
            None => &mut self.buffers[number],
            Some(lent) => &mut self.lent[lent],
        }
    }
}

fn holds(test: &Test, state: &State, loops: &[u32]) -> bool {
    fn compare<T: PartialOrd>(how: Compare, a: T, b: T) -> bool {
        match how {
            Compare::Lt => a < b,
            Compare::Le => a <= b,
            Compare::Gt => a > b,
            Compare::Ge => a >= b,
            Compare::Eq => a == b,
            Compare::Ne => a != b,
        }
    }
    let both = |two: &[Test; 2]| (holds(&two[0], state, loops), holds(&two[1], state, loops));
    match test {
        Test::Flag(flag) => state.flags[*flag],
        Test::Count(count, how, n) => compare(*how, state.counts[*count], *n),
        Test::Counts(a, how, b) => compare(*how, state.counts[*a], state.counts[*b]),
        Test::Sums(a, how, b) => compare(*how, state.sums[*a], state.sums[*b]),
        Test::Trip(level, modulo, rest) => loops[*level] % modulo == *rest,
        Test::Not(one) => !holds(one, state, loops),
        Test::And(two) => both(two) == (true, true),
        Test::Or(two) => both(two) != (false, false),
        Test::Xor(two) => matches!(both(two), (true, false) | (false, true)),
    }
}

impl Step {
    /// Whether it is there for what is inside of it.
    fn has_inside(&self) -> bool {
        matches!(
            self,
            Self::For(..) | Self::Ranges(_) | Self::If(..) | Self::While { .. } | Self::Options(_)
        )
    }
}

/// How many launches a step that is come by is on a device, if it is one: none without items.
fn launch(step: &Step, state: &State, loops: &[u32]) -> Option<u64> {
    match step {
        Step::Affine { .. }
        | Step::Counted { .. }
        | Step::BySum { .. }
        | Step::ByCount { .. }
        | Step::ByFlag { .. }
        | Step::Mix { .. }
        | Step::Shift { .. }
        | Step::Total { .. }
        | Step::Tally { .. }
        | Step::Judge { .. } => Some(1),
        Step::Phases { n, .. } => Some(*n as u64),
        Step::Carry { x, .. } => Some(x.width() as u64),
        Step::When { tests, .. } => tests.iter().all(|test| holds(test, state, loops)).then_some(1),
        Step::Prefix { level, x, .. } => Some(u64::from(prefix(loops[*level], x.width()) > 0)),
        Step::Some { count, .. } => Some(u64::from(state.counts[*count] > 0)),
        Step::Reset { task, .. } | Step::Turn { task, .. } => (!task).then_some(1),
        _ => None,
    }
}

/// What is told of each step that has run, with what is there then and the loops around it.
pub(crate) type After<'f> = dyn FnMut(&Step, &State, &[u32]) + 'f;

/// Runs steps one by one; `loops` are the variables of the loops around, outermost first, and `when`
/// is what has to hold for each stage.
pub(crate) fn interpret<'s>(
    steps: &'s [Step],
    state: &mut State,
    (loops, when): (&mut Vec<u32>, &mut Vec<&'s Test>),
    after: &mut After<'_>,
) {
    let affine = |v: u32, a: u32, b: u32| v.wrapping_mul(a).wrapping_add(b);
    for step in steps {
        if !step.has_inside() && !when.iter().all(|test| holds(test, state, loops)) {
            continue;
        }
        if let Some(on_device) = launch(step, state, loops) {
            state.launches[0] += 1;
            state.launches[1] += on_device;
        }
        match step {
            Step::Affine { a, b, x } => x.update(state, loops, |_, v| affine(v, *a, *b)),
            Step::When { tests, a, b, x } => {
                if tests.iter().all(|test| holds(test, state, loops)) {
                    x.update(state, loops, |_, v| affine(v, *a, *b));
                }
            }
            Step::Counted { a, level, x } => {
                let b = loops[*level];
                x.update(state, loops, |_, v| affine(v, *a, b));
            }
            Step::Prefix { a, b, level, x } => {
                let n = prefix(loops[*level], x.width());
                x.update(state, loops, |k, v| if k < n { affine(v, *a, *b) } else { v });
            }
            Step::Some { a, b, count, x } => {
                let n = state.counts[*count];
                x.update(state, loops, |k, v| if k < n { affine(v, *a, *b) } else { v });
            }
            Step::BySum { a, sum, x } => {
                let b = state.sums[*sum] as u32;
                x.update(state, loops, |_, v| affine(v, *a, b));
            }
            Step::ByCount { a, count, x } => {
                let b = state.counts[*count] as u32;
                x.update(state, loops, |_, v| affine(v, *a, b));
            }
            Step::Phases { a, n, x } => {
                for k in 0..*n {
                    x.update(state, loops, |_, v| affine(v, *a, k as u32));
                    // A fault may come between phases.
                    after(step, state, loops);
                }
            }
            Step::Carry { a, x } => {
                let mut before = None;
                x.update(state, loops, |_, v| {
                    let new = before.map_or(v, |before| affine(v, *a, before));
                    before = Some(new);
                    new
                });
            }
            Step::Mix { a, x, y } => {
                let x = x.values(state, loops);
                y.update(state, loops, |k, v| affine(v, *a, x[k]));
            }
            Step::Task { a, x, y, .. } => {
                let x = x.values(state, loops);
                state.log.push(seen(*a, x.iter().copied()));
                let old = |v| if fills(*a) { 0 } else { v };
                y.update(state, loops, |k, v| affine(old(v), *a, x[k]));
            }
            Step::Note { x, delay } => {
                let x = x.values(state, loops);
                state.log.push(seen(*delay, x.into_iter()));
            }
            Step::Shift { a, b, x, y } => {
                let (w, x) = (x.width(), x.values(state, loops));
                let new = |k: usize| {
                    if (k + 1).is_multiple_of(w) { 0 } else { affine(x[k + 1], *a, *b) }
                };
                y.update(state, loops, |k, _| new(k));
            }
            Step::Total { x, sum, into } => {
                let total: u64 = x.values(state, loops).into_iter().map(u64::from).sum();
                state.sums[*sum] = total + if *into { state.sums[*sum] } else { 0 };
            }
            Step::Tally { shift, x, count } => {
                let first = x.values(state, loops).into_iter().take(looked_at(x.width()));
                state.counts[*count] = first.map(|v| (v >> shift & 1) as usize).sum();
            }
            Step::Decide { shift, x, count } => {
                let first = x.values(state, loops)[0];
                state.log.push(seen(*shift, [first].into_iter()));
                state.counts[*count] = decided(*shift, first);
            }
            Step::Judge { shift, x, flag } => {
                let mut first = x.values(state, loops).into_iter().take(looked_at(x.width()));
                state.flags[*flag] = first.any(|v| v >> shift & 1 == 1);
            }
            Step::Flip(flag) => state.flags[*flag] = !state.flags[*flag],
            Step::ByFlag { a, b, flag, x } => {
                let b = if state.flags[*flag] { *b } else { *a };
                x.update(state, loops, |_, v| affine(v, *a, b));
            }
            Step::Swap(a, b) => state.buffers.swap(*a, *b),
            Step::SwapSums(a, b) => state.sums.swap(*a, *b),
            Step::SwapCounts(a, b) => state.counts.swap(*a, *b),
            Step::Move(..) | Step::MovePart(..) | Step::Policy(_) => {}
            Step::Options(test) => when.push(test),
            Step::Reset { turn, .. } => state.turns[*turn] = 0,
            Step::Turn { turn, .. } => state.turns[*turn] += 1,
            Step::For(bound, body) => {
                let trips = match bound {
                    Bound::Times(n) => 0..*n,
                    Bound::Variable(level) => 0..loops[*level],
                    Bound::Cell(from, count, inclusive) => {
                        let to = state.counts[*count] + usize::from(*inclusive);
                        *from as u32..to as u32
                    }
                };
                for k in trips {
                    loops.push(k);
                    interpret(body, state, (loops, when), after);
                    loops.pop();
                }
            }
            Step::Ranges(body) => interpret(body, state, (loops, when), after),
            Step::If(test, then, other) => {
                let body = if holds(test, state, loops) { then } else { other };
                interpret(body, state, (loops, when), after);
            }
            Step::While { turn, below, test, body } => {
                loops.push(0);
                loop {
                    let below = match below {
                        Below::Number(n) => *n,
                        Below::Count(count) => state.counts[*count],
                    };
                    let goes_on = when.iter().all(|test| holds(test, state, loops))
                        && state.turns[*turn] < below
                        && test.as_ref().is_none_or(|test| holds(test, state, loops));
                    if !goes_on {
                        break;
                    }
                    interpret(body, state, (loops, when), after);
                    let last = loops.len() - 1;
                    loops[last] += 1;
                }
                loops.pop();
            }
        }
        if !step.has_inside() {
            after(step, state, loops);
        }
    }
}
