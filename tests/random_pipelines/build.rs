//! Steps as a pipeline of FLASH. It runs nothing.

use std::sync::Arc;
use std::time::Duration;

use flash::prelude::*;
use flash_rt::arg::BoundArg;
use flash_rt::backend::clock::Clock;
use flash_rt::cond::{Comparison, Span};
use flash_rt::env::LoopVar;
use flash_rt::lazy::Lazy;
use flash_rt::loops::{cascade, custom_loop, loop_var, seq};
use flash_rt::task::{BoxError, Failure, TaskArg};
use flash_rt::{Arg, BoundPart, Cond, Env, IntoStage, LazyPart, Part};

use super::kernels::*;
use super::notes::Notes;
use super::steps::{
    Below, Bound as Trips, COLS, Compare, Place, ROWS, Range, Step, Test, To, decided, fills,
    flattened, looked_at, prefix, row_at, seen,
};

/// What the steps work on.
pub(crate) struct Arrays<'a> {
    pub(crate) buffers: Vec<Buffer<u32, 2>>,
    pub(crate) lent: Vec<Lent<'a>>,
    pub(crate) sums: Vec<Var<u64>>,
    pub(crate) counts: Vec<Var<usize>>,
    pub(crate) turns: Vec<Var<usize>>,
    pub(crate) flags: Vec<Var<bool>>,
    /// More trips than any loop makes.
    pub(crate) limit: Var<usize>,
    /// How many devices there are.
    pub(crate) devices: usize,
    /// What makes time pass in host tasks.
    pub(crate) clock: Option<Arc<dyn Clock>>,
    pub(crate) notes: Arc<Notes>,
}

/// An array of the caller's, where a pipeline may borrow one.
pub(crate) enum Lent<'a> {
    Borrowed(Bound<'a, u32>),
    Owned(Buffer<u32>),
}

type Row = Box<dyn Fn(&Env) -> usize + Send>;

/// A handle of rank 1.
enum Line<'l, 'a> {
    Part(Part<u32>),
    At(LazyPart<Row, u32>),
    Lent(&'l mut Lent<'a>),
    LentPart(BoundPart<'a, u32>),
}

impl<'a> Arg<'a, &'a [u32]> for &Line<'_, 'a> {
    fn bind(self) -> BoundArg<'a> {
        match self {
            Line::Part(part) => Arg::<&'a [u32]>::bind(part),
            Line::At(part) => Arg::<&'a [u32]>::bind(part),
            Line::LentPart(part) => Arg::<&'a [u32]>::bind(part),
            Line::Lent(Lent::Borrowed(bound)) => Arg::<&'a [u32]>::bind(bound),
            Line::Lent(Lent::Owned(buffer)) => Arg::<&'a [u32]>::bind(buffer),
        }
    }
}

impl<'a> Arg<'a, &'a mut [u32]> for &mut Line<'_, 'a> {
    fn bind(self) -> BoundArg<'a> {
        match self {
            Line::Part(part) => Arg::<&'a mut [u32]>::bind(part),
            Line::At(part) => Arg::<&'a mut [u32]>::bind(part),
            Line::LentPart(part) => Arg::<&'a mut [u32]>::bind(part),
            Line::Lent(Lent::Borrowed(bound)) => Arg::<&'a mut [u32]>::bind(bound),
            Line::Lent(Lent::Owned(buffer)) => Arg::<&'a mut [u32]>::bind(buffer),
        }
    }
}

impl<'a> Arrays<'a> {
    /// A box, if a place is one.
    fn boxed(&self, place: &Place) -> Option<Part<u32, 2>> {
        let Place::Box(buffer, rows, cols) = place else { return None };
        Some(self.buffers[*buffer].view((rows.clone(), cols.clone())))
    }

    fn line(&mut self, place: &Place) -> Line<'_, 'a> {
        match place {
            Place::Flat(buffer, range) => {
                let flat = self.buffers[*buffer].reshape(ROWS * COLS).unwrap();
                Line::Part(flat.view(range.clone()))
            }
            Place::Row(buffer, row, range) => {
                Line::Part(self.buffers[*buffer].row(*row).view(range.clone()))
            }
            Place::At(buffer, add, level) => {
                let (add, k) = (*add, LoopVar::<u32>::new(*level));
                let row: Row = Box::new(move |env| row_at(add, k.get(env)));
                Line::At(self.buffers[*buffer].at_lazy(Lazy(row)))
            }
            Place::Follow(buffer, add, level) => {
                let (add, k) = (*add, LoopVar::<u32>::new(*level));
                let row: Row = Box::new(move |env| add + k.get(env) as usize);
                let part = self.buffers[*buffer].at_lazy(Lazy(row));
                Line::At(part.moving(k, 1, add as isize))
            }
            Place::Lent(at) => Line::Lent(&mut self.lent[*at]),
            Place::LentPart(at, range) => match &self.lent[*at] {
                Lent::Borrowed(bound) => Line::LentPart(bound.view(range.clone())),
                Lent::Owned(buffer) => Line::Part(buffer.view(range.clone())),
            },
            Place::Box(..) => panic!("a box is no line"),
        }
    }

    /// A line twice: for what reads, and then for what writes.
    fn read_line(&mut self, place: &Place) -> Read<'a> {
        Read(Arg::<&'a [u32]>::bind(&self.line(place)))
    }
}

/// A bound argument as an argument.
struct Read<'a>(BoundArg<'a>);

impl<'a> Arg<'a, &'a [u32]> for Read<'a> {
    fn bind(self) -> BoundArg<'a> {
        self.0
    }
}

fn space(part: &Part<u32, 2>) -> [usize; 2] {
    part.space()
}

fn comparison(how: Compare) -> Comparison {
    match how {
        Compare::Lt => Comparison::Lt,
        Compare::Le => Comparison::Le,
        Compare::Gt => Comparison::Gt,
        Compare::Ge => Comparison::Ge,
        Compare::Eq => Comparison::Eq,
        Compare::Ne => Comparison::Ne,
    }
}

fn cond<'a>(test: &Test, on: &Arrays<'_>) -> Cond<'a> {
    let both = |two: &[Test; 2]| (cond(&two[0], on), cond(&two[1], on));
    match test {
        Test::Flag(flag) => flash_rt::cond::IntoCond::into_cond(&on.flags[*flag]),
        Test::Count(count, how, n) => Cond::compare(comparison(*how), &on.counts[*count], *n),
        Test::Counts(a, how, b) => Cond::compare(comparison(*how), &on.counts[*a], &on.counts[*b]),
        Test::Sums(a, how, b) => Cond::compare(comparison(*how), &on.sums[*a], &on.sums[*b]),
        Test::Trip(level, modulo, rest) => {
            let (k, modulo, rest) = (LoopVar::<u32>::new(*level), *modulo, *rest);
            if rest > 0 {
                // The same by the variable itself: no loop makes more trips.
                let these = (rest..8).step_by(modulo as usize).map(|n| k.eq(n));
                return these.reduce(|all, one| all | one).unwrap_or_else(|| k.eq(rest));
            }
            let rest_of = Lazy(move |env: &Env| k.get(env) % modulo);
            Cond::compare(Comparison::Eq, rest_of, rest)
        }
        Test::Not(one) => !cond(one, on),
        Test::And(two) => {
            let (a, b) = both(two);
            a & b
        }
        Test::Or(two) => {
            let (a, b) = both(two);
            a | b
        }
        Test::Xor(two) => {
            let (a, b) = both(two);
            a ^ b
        }
    }
}

/// Adds steps to a pipeline.
pub(crate) fn build<'a>(steps: &[Step], p: &mut Pipeline<'a>, on: &mut Arrays<'a>) {
    for step in steps {
        push(step, p, on);
    }
}

fn push<'a>(step: &Step, p: &mut Pipeline<'a>, on: &mut Arrays<'a>) {
    match step {
        Step::Affine { a, b, x } => {
            p.push(affine_of(*a, *b, x, on));
        }
        Step::When { tests, a, b, x } => {
            // The first one by the declaration of the kernel.
            let mut tests = tests.iter();
            let Some(first) = tests.next() else { return };
            let go = cond(first, on);
            let mut stage = match on.boxed(x) {
                Some(mut to) => affine_box_if(go, *a, *b, &mut to).over(space(&to)),
                None => affine_if(*a, go, *b, &mut on.line(x)).over([x.width()]),
            };
            for test in tests {
                stage = stage.when(cond(test, on));
            }
            p.push(stage);
        }
        Step::Counted { a, level, x } => {
            let k = LoopVar::<u32>::new(*level);
            match level % 2 {
                0 => p.push(affine_of(*a, Lazy(move |env: &Env| k.get(env)), x, on)),
                _ => p.push(affine_of(*a, k, x, on)),
            };
        }
        Step::Prefix { a, b, level, x } => {
            let (k, width) = (LoopVar::<u32>::new(*level), x.width());
            let items = Lazy(move |env: &Env| [prefix(k.get(env), width)]);
            p.push(affine(*a, *b, &mut on.line(x)).over(items));
        }
        Step::Some { a, b, count, x } => {
            let items = on.counts[*count].clone();
            p.push(affine(*a, *b, &mut on.line(x)).over([&items]));
        }
        Step::BySum { a, sum, x } => {
            let b = on.sums[*sum].clone();
            match on.boxed(x) {
                Some(mut to) => p.push(by_sum_box(*a, &b, &mut to).over(space(&to))),
                None => p.push(by_sum(*a, &b, &mut on.line(x)).over([x.width()])),
            };
        }
        Step::ByCount { a, count, x } => {
            let b = on.counts[*count].clone();
            match on.boxed(x) {
                Some(mut to) => p.push(by_count_box(*a, &b, &mut to).over(space(&to))),
                None => p.push(by_count(*a, &b, &mut on.line(x)).over([x.width()])),
            };
        }
        Step::Phases { a, n, x } => {
            match on.boxed(x) {
                Some(mut to) => {
                    let [w, h] = space(&to);
                    p.push(phased_box(*a, &mut to).group_by(2).over([w, h, *n]))
                }
                None => p.push(phased(*a, &mut on.line(x)).over([x.width(), *n])),
            };
        }
        Step::Carry { a, x } => {
            p.push(carried(*a, &mut on.line(x)).over([x.width()]));
        }
        Step::Mix { a, x, y } => match (on.boxed(x), on.boxed(y)) {
            (Some(from), Some(mut to)) => {
                p.push(mix_box(*a, &from, &mut to).over(space(&to)));
            }
            _ => {
                let from = on.read_line(x);
                p.push(mix(*a, from, &mut on.line(y)).over([x.width()]));
            }
        },
        Step::Shift { a, b, x, y } => match (on.boxed(x), on.boxed(y)) {
            (Some(from), Some(mut to)) => {
                p.push(shift_box(*a, *b, &from, &mut to).over(space(&to)));
            }
            _ => {
                let from = on.read_line(x);
                p.push(shift(*a, *b, from, &mut on.line(y)).over([x.width()]));
            }
        },
        Step::Task { a, x, y, delay } => task(*a, *delay, x, y, p, on),
        Step::Note { x, delay } => note(*delay, x, p, on),
        Step::Decide { shift, x, count } => decide(*shift, x, *count, p, on),
        Step::Total { x, sum, into } => {
            let mut s = on.sums[*sum].clone();
            match (on.boxed(x), into) {
                (Some(x), true) => p.push(total_box_into(&x, &mut s).over(space(&x))),
                (Some(x), false) => p.push(total_box(&x, &mut s).over(space(&x))),
                (None, true) => p.push(total_into(&on.line(x), &mut s).over([x.width()])),
                (None, false) => p.push(total(&on.line(x), &mut s).over([x.width()])),
            };
        }
        Step::Tally { shift, x, count } => {
            let (mut s, n) = (on.counts[*count].clone(), looked_at(x.width()));
            match on.boxed(x) {
                Some(x) => p.push(tally_box(*shift, &x, &mut s).over([n])),
                None => p.push(tally(*shift, &on.line(x), &mut s).over([n])),
            };
        }
        Step::Judge { shift, x, flag } => {
            let (mut flag, n) = (on.flags[*flag].clone(), looked_at(x.width()));
            match on.boxed(x) {
                Some(x) => p.push(judge_box(*shift, &x, &mut flag).over([n])),
                None => p.push(judge(*shift, &on.line(x), &mut flag).over([n])),
            };
        }
        Step::Flip(flag) => {
            let mut flag = on.flags[*flag].clone();
            p.push(Task::new("flip", (&mut flag,), |(flag,)| *flag = !*flag));
        }
        Step::ByFlag { a, b, flag, x } => {
            let flag = on.flags[*flag].clone();
            match on.boxed(x) {
                Some(mut to) => p.push(by_flag_box(*a, *b, &flag, &mut to).over(space(&to))),
                None => p.push(by_flag(*a, *b, &flag, &mut on.line(x)).over([x.width()])),
            };
        }
        Step::Swap(a, b) => drop(p.swap(&on.buffers[*a], &on.buffers[*b])),
        Step::SwapSums(a, b) => drop(p.swap(&on.sums[*a], &on.sums[*b])),
        Step::SwapCounts(a, b) => drop(p.swap(&on.counts[*a], &on.counts[*b])),
        Step::Move(buffer, to) => {
            let buffer = &on.buffers[*buffer];
            match to {
                To::Host => p.move_from(buffer),
                To::Device(device) => p.move_to(buffer, device % on.devices),
                To::AwayFrom(device) => p.evict(buffer, device % on.devices),
            };
        }
        Step::MovePart(x, device) => {
            let device = device.map(|device| device % on.devices);
            match on.boxed(x) {
                Some(part) => move_part(p, &part, device),
                None => match on.line(x) {
                    Line::Part(part) => move_part(p, &part, device),
                    _ => panic!("what is moved is an array or a part of one"),
                },
            }
        }
        Step::Policy(sync) => drop(p.sync(*sync)),
        Step::Options(test) => drop(p.when(cond(test, on))),
        Step::Reset { turn, task } => {
            let mut cell = on.turns[*turn].clone();
            match task {
                true => p.push(Task::new("reset", (&mut cell,), |(cell,)| *cell = 0)),
                false => p.push(reset(&mut cell).over([1])),
            };
        }
        Step::Turn { turn: cell, task } => {
            let mut cell = on.turns[*cell].clone();
            match task {
                true => p.push(Task::new("turn", (&mut cell,), |(cell,)| *cell += 1)),
                false => p.push(turn(&mut cell).over([1])),
            };
        }
        Step::For(bound, body) => {
            match bound {
                Trips::Times(n) => drop(p.begin_for(0..*n)),
                Trips::Variable(level) => {
                    let k = LoopVar::<u32>::new(*level);
                    p.begin_for(Lazy(move |env: &Env| 0..k.get(env)));
                }
                Trips::Cell(from, count, inclusive) => {
                    let (from, to) = (*from, &on.counts[*count]);
                    p.begin_for(Span { from, to, inclusive: *inclusive });
                }
            }
            build(body, p, on);
            p.end_for();
        }
        Step::Ranges(body) => {
            let mut n = 0;
            let (stages, ranges) = flattened(body, &mut n);
            build(&stages, p, on);
            repeat(&ranges, n, p, on);
        }
        Step::If(test, then, other) => {
            p.begin_if(cond(test, on));
            build(then, p, on);
            if !other.is_empty() {
                p.otherwise();
                build(other, p, on);
            }
            p.end_if();
        }
        Step::While { turn, below, test, body } => {
            let turn = &on.turns[*turn];
            let mut goes_on = match below {
                Below::Number(n) => turn.lt(*n),
                Below::Count(count) => turn.lt(&on.counts[*count]),
            };
            if let Some(test) = test {
                goes_on = goes_on & cond(test, on);
                p.begin_while(goes_on, &on.limit);
            } else {
                p.begin_while(goes_on, 100_usize);
            }
            build(body, p, on);
            p.end_while();
        }
    }
}

/// Puts loops around `n` stages, in the shortest way that there is.
fn repeat<'a>(ranges: &[Range], n: usize, p: &mut Pipeline<'a>, on: &Arrays<'a>) {
    let numbers = ranges.iter().map(|range| match range.bound {
        Trips::Times(n) => Some(n),
        Trips::Variable(_) | Trips::Cell(..) => None,
    });
    if let Some(counts) = numbers.collect::<Option<Vec<u32>>>() {
        let step = ranges.get(1).map_or(1, |range| range.first);
        let mut all = ranges.iter().enumerate();
        if all.clone().all(|(k, range)| range.first == k && range.len == 1) {
            p.repeat(seq(counts));
            return;
        }
        if all.all(|(k, range)| range.first == k * step && range.first + range.len == n) {
            match &counts[..] {
                [count] => p.repeat(u64::from(*count)),
                _ if step == 1 => p.repeat(cascade(counts)),
                _ => p.repeat(cascade(counts).step(step)),
            };
            return;
        }
    }
    let one = |range: &Range| {
        let Range { first, len, bound } = range;
        match bound {
            Trips::Times(n) => custom_loop(*first, *len, *n),
            Trips::Variable(level) => custom_loop(*first, *len, loop_var::<u32>(*level)),
            Trips::Cell(0, count, false) => custom_loop(*first, *len, &on.counts[*count]),
            Trips::Cell(..) => panic!("loops over stages count from 0"),
        }
    };
    p.repeat(ranges.iter().map(one).collect::<Vec<_>>());
}

fn affine_of<'a>(
    a: u32,
    b: impl Arg<'a, u32>,
    x: &Place,
    on: &mut Arrays<'a>,
) -> flash_rt::Stage<'a> {
    match on.boxed(x) {
        Some(mut to) => affine_box(a, b, &mut to).over(space(&to)),
        None => affine(a, b, &mut on.line(x)).over([x.width()]),
    }
}

/// Lets a while go by in a host task.
fn pass(clock: Option<&Arc<dyn Clock>>, delay: u32) {
    match clock {
        Some(clock) if delay > 0 => clock.sleep(Duration::from_micros(delay.into())),
        _ => (0..delay).for_each(|_| std::thread::yield_now()),
    }
}

fn task<'a>(a: u32, delay: u32, x: &Place, y: &Place, p: &mut Pipeline<'a>, on: &mut Arrays<'a>) {
    let (notes, clock) = (Arc::clone(&on.notes), on.clock.clone());
    let noting = move |seen: u64, write: &mut dyn FnMut()| {
        notes.begin(seen)?;
        pass(clock.as_ref(), delay);
        write();
        notes.end(seen)
    };
    if let (Some(from), Some(mut to)) = (on.boxed(x), on.boxed(y)) {
        let [w, h] = to.space();
        let all = move || (0..h).flat_map(move |j| (0..w).map(move |i| [j, i]));
        if fills(a) {
            let from = TaskArg::read("x", Arg::<View<'_, u32, 2>>::bind(&from));
            let to = TaskArg::fill("y", Arg::<ViewMut<'_, u32, 2>>::bind(&mut to));
            p.push(Task::from_parts("fill", [from, to], move |views, _| {
                let (x, mut y) = (views.view::<u32, 2>()?, views.view_mut::<u32, 2>()?);
                let seen = seen(a, all().map(|at| x[at]));
                noting(seen, &mut || all().for_each(|at| y[at] = x[at])).map_err(Failure::Returned)
            }));
            return;
        }
        p.push(Task::new("mix", (&from, &mut to), move |(x, mut y)| {
            let mix = |old: u32, x: u32| old.wrapping_mul(a).wrapping_add(x);
            let seen = seen(a, all().map(|at| x[at]));
            noting(seen, &mut || all().for_each(|at| y[at] = mix(y[at], x[at])))
        }));
        return;
    }
    let len = x.width();
    if fills(a) || !x.is_for_closures() || !y.is_for_closures() {
        let from = TaskArg::read("x", Arg::<&[u32]>::bind(&on.line(x)));
        let mut to = on.line(y);
        let to = Arg::<&mut [u32]>::bind(&mut to);
        let to = if fills(a) { TaskArg::fill("y", to) } else { TaskArg::write("y", to) };
        p.push(Task::from_parts("mix", [from, to], move |views, _| {
            let (x, y) = (views.slice::<u32>()?, views.slice_mut::<u32>()?);
            let write = &mut || {
                for (y, x) in y.iter_mut().zip(x) {
                    let old = if fills(a) { 0 } else { *y };
                    *y = old.wrapping_mul(a).wrapping_add(*x);
                }
            };
            noting(seen(a, x.iter().copied()), write).map_err(Failure::Returned)
        }));
        return;
    }
    let Line::Part(from) = on.line(x) else { panic!("{x:?} in a task") };
    let Line::Part(mut to) = on.line(y) else { panic!("{y:?} in a task") };
    p.push(Task::new("mix", (&from, &mut to), move |(x, mut y)| {
        let write = &mut || {
            for i in 0..len {
                y[i] = y[i].wrapping_mul(a).wrapping_add(x[i]);
            }
        };
        noting(seen(a, (0..len).map(|i| x[i])), write)
    }));
}

fn note<'a>(delay: u32, x: &Place, p: &mut Pipeline<'a>, on: &mut Arrays<'a>) {
    let (notes, clock) = (Arc::clone(&on.notes), on.clock.clone());
    let note = move |elements: &mut dyn Iterator<Item = u32>| -> Result<(), BoxError> {
        pass(clock.as_ref(), delay);
        let seen = seen(delay, elements);
        notes.begin(seen)?;
        notes.end(seen)
    };
    if let Some(x) = on.boxed(x) {
        let [w, h] = x.space();
        p.push(Task::new("say \"note\"", (&x,), move |(x,)| {
            note(&mut (0..h).flat_map(|j| (0..w).map(move |i| [j, i])).map(|at| x[at]))
        }));
        return;
    }
    let len = x.width();
    if !x.is_for_closures() {
        let from = TaskArg::read("x", Arg::<&[u32]>::bind(&on.line(x)));
        p.push(Task::from_parts("note\\", [from], move |views, _| {
            let x = views.slice::<u32>()?;
            note(&mut x.iter().copied()).map_err(Failure::Returned)
        }));
        return;
    }
    let Line::Part(from) = on.line(x) else { panic!("{x:?} in a task") };
    p.push(Task::new("say \"note\"", (&from,), move |(x,)| note(&mut (0..len).map(|i| x[i]))));
}

fn decide<'a>(shift: u32, x: &Place, count: usize, p: &mut Pipeline<'a>, on: &mut Arrays<'a>) {
    let (notes, mut cell) = (Arc::clone(&on.notes), on.counts[count].clone());
    let decide = move |first: u32, count: &mut usize| {
        let seen = seen(shift, [first].into_iter());
        notes.begin(seen)?;
        *count = decided(shift, first);
        notes.end(seen)
    };
    let stage = match on.boxed(x) {
        Some(x) => Task::new("decide", (&x, &mut cell), move |(x, count)| decide(x[[0, 0]], count)),
        None => {
            let Line::Part(from) = on.line(x) else { panic!("{x:?} in a task") };
            Task::new("decide", (&from, &mut cell), move |(x, count)| decide(x[0], count))
        }
    };
    p.push(stage.into_stage());
}

/// Brings a part to a device or to the host.
fn move_part<const D: usize>(p: &mut Pipeline<'_>, part: &Part<u32, D>, device: Option<usize>) {
    match device {
        Some(device) => p.move_to(part, device),
        None => p.move_from(part),
    };
}
