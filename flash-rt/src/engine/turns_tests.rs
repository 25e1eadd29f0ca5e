//! Loops that exchange arrays while a condition holds, or on both sides of a decision: where everything
//! is after them, against a vector that is exchanged as the program says, and what waits for what.

use std::sync::Arc;

use crate::lazy::Lazy;
use crate::loops::loop_var;
use crate::sim::{Config, Run, Sim};
use crate::{Buffer, Env, Error, NoBackends, Pick, Pipeline, Runtime, Task, Var};

/// What happens in a trip.
#[derive(Clone, Debug)]
enum Do {
    /// An array is changed, by number.
    Change(usize),
    Swap(usize, usize),
    /// The coin is tossed, by what is in an array.
    Toss(usize),
    /// One of them, as the coin says.
    Either(Vec<Do>, Vec<Do>),
    /// So many times.
    Repeat(u64, Vec<Do>),
}
use Do::{Change, Either, Repeat, Swap, Toss};

const ARRAYS: usize = 5;

fn changed(value: u64, with: u64) -> u64 {
    value.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(with)
}

/// What a program works on, and what a vector would be.
struct State {
    arrays: Vec<Buffer<u64>>,
    coin: Var<u64>,
    /// Trips of a `while` that are left.
    left: Var<u64>,
}

impl State {
    fn new() -> Self {
        let arrays = (0..ARRAYS as u64).map(|k| Buffer::from(vec![k])).collect();
        Self { arrays, coin: Var::new(0), left: Var::new(0) }
    }

    fn values(&self) -> Vec<u64> {
        let arrays = self.arrays.iter().map(|x| x.get(0).unwrap());
        arrays.chain([self.coin.get().unwrap()]).collect()
    }

    fn push(&mut self, body: &[Do], p: &mut Pipeline<'_>) {
        for step in body {
            match step {
                Change(array) => {
                    let task = |x: &mut u64| *x = changed(*x, 7);
                    let x = &mut self.arrays[*array];
                    p.push(Task::new("change", (x,), move |(mut x,)| task(&mut x[[0]])));
                }
                Swap(a, b) => drop(p.swap(&self.arrays[*a], &self.arrays[*b])),
                Toss(array) => {
                    let args = (&self.arrays[*array], &mut self.coin);
                    p.push(Task::new("toss", args, |(x, coin)| *coin = changed(*coin, x[[0]])));
                }
                Either(a, b) => {
                    p.begin_if(self.coin.lt(u64::MAX / 2));
                    self.push(a, p);
                    p.otherwise();
                    self.push(b, p);
                    p.end_if();
                }
                Repeat(trips, body) => {
                    p.begin_for(0..*trips);
                    self.push(body, p);
                    p.end_for();
                }
            }
        }
    }
}

fn apply(body: &[Do], values: &mut [u64]) {
    for step in body {
        match step {
            Change(array) => values[*array] = changed(values[*array], 7),
            Swap(a, b) => values.swap(*a, *b),
            Toss(array) => values[ARRAYS] = changed(values[ARRAYS], values[*array]),
            Either(a, b) => apply(if values[ARRAYS] < u64::MAX / 2 { a } else { b }, values),
            Repeat(trips, body) => (0..*trips).for_each(|_| apply(body, values)),
        }
    }
}

/// Bodies whose trips exchange the same whichever way they go, and some that do not.
fn bodies() -> Vec<Vec<Do>> {
    let swap_both = |a: Vec<Do>, b: Vec<Do>| Either(a, b);
    vec![
        vec![Change(0), Swap(0, 1), Change(2)],
        vec![Swap(0, 1), Swap(1, 2), Change(0), Toss(1)],
        vec![
            Toss(0),
            swap_both(vec![Change(0), Swap(0, 1)], vec![Swap(1, 0), Change(0), Change(3)]),
            Change(0),
        ],
        // The same in three exchanges as in one, and in one more round of them.
        vec![
            swap_both(vec![Swap(0, 1), Change(1), Swap(0, 2), Swap(0, 1)], vec![Swap(1, 2)]),
            Toss(1),
            Change(2),
            Swap(2, 3),
        ],
        // There and back again, and nothing.
        vec![
            Change(0),
            Toss(0),
            swap_both(vec![Swap(0, 1), Change(0), Swap(0, 1), Change(0)], vec![]),
            Repeat(3, vec![Change(0), Change(1)]),
        ],
        vec![
            Toss(4),
            swap_both(vec![], vec![Swap(3, 4), Change(3), Swap(3, 4)]),
            Swap(0, 4),
            swap_both(
                vec![swap_both(vec![Swap(0, 1)], vec![Change(1), Swap(1, 0)]), Change(0)],
                vec![Change(0), Swap(0, 1), Toss(0)],
            ),
            Change(1),
        ],
        // Known at run time only.
        vec![Toss(0), swap_both(vec![Swap(0, 1)], vec![Change(1)]), Change(0)],
        vec![Toss(0), swap_both(vec![Swap(0, 1)], vec![Swap(0, 2)]), Change(0), Swap(1, 3)],
        vec![Change(0), Repeat(2, vec![Swap(0, 1), Change(0), Toss(1)]), Swap(0, 2)],
    ]
}

/// How many of these exchange nothing while they run.
const NAMED: usize = 6;

fn runtime(pick: Pick, dataflow: bool) -> Runtime<NoBackends> {
    let sim = Sim::new(Config { devices: 1, run: Run::Entry, ..Config::default() });
    let builder = Runtime::<NoBackends>::builder().backend(Arc::new(sim));
    builder.dataflow(dataflow).pick(pick).build().unwrap()
}

const PICKS: [Pick; 4] = [Pick::First, Pick::Last, Pick::Random(1), Pick::Random(2)];

/// A loop around a body, with what ends it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Loop {
    For,
    /// While a cell is not zero.
    Cell,
    /// While the number of the trip is small.
    Number,
}

fn repeat((state, p): (&mut State, &mut Pipeline<'_>), (kind, trips): (Loop, u64), body: &[Do]) {
    match kind {
        Loop::For => drop(p.begin_for(0..trips)),
        Loop::Cell => {
            let args = (&mut state.left,);
            p.push(Task::new("set", args, move |(left,)| *left = trips));
            p.begin_while(state.left.ne(0), 100);
            p.push(Task::new("count", (&mut state.left,), |(left,)| *left -= 1));
        }
        Loop::Number => {
            let trip = loop_var::<u64>(0);
            p.begin_while(Lazy(move |env: &Env| trip.get(env) < trips), 100);
        }
    }
    state.push(body, p);
    if kind == Loop::For {
        p.end_for()
    } else {
        p.end_while()
    };
}

#[test]
fn everything_is_where_the_program_says() {
    for (pick, dataflow) in PICKS.into_iter().flat_map(|pick| [(pick, false), (pick, true)]) {
        let rt = runtime(pick, dataflow);
        for body in bodies() {
            for (kind, trips) in [Loop::For, Loop::Cell, Loop::Number]
                .into_iter()
                .flat_map(|kind| [0, 1, 2, 3, 7, 12].map(|trips| (kind, trips)))
            {
                let mut state = State::new();
                let mut p = rt.pipeline();
                let after = [Change(0), Change(1), Swap(1, 2)];
                repeat((&mut state, &mut p), (kind, trips), &body);
                state.push(&after, &mut p);
                let mut expected: Vec<u64> = (0..ARRAYS as u64).chain([0]).collect();
                for _ in 0..2 {
                    p.exec().unwrap();
                    (0..trips).for_each(|_| apply(&body, &mut expected));
                    apply(&after, &mut expected);
                    assert_eq!(state.values(), expected, "{kind:?}, {trips} trips of {body:?}");
                }
            }
        }
    }
}

/// How many nodes of a pipeline with one loop are gone through.
#[test]
fn exchanges_that_are_the_same_on_each_way_take_no_turn() {
    let rt = runtime(Pick::First, true);
    for (k, body) in bodies().into_iter().enumerate() {
        for kind in [Loop::For, Loop::Cell, Loop::Number] {
            let mut state = State::new();
            let mut p = rt.pipeline();
            repeat((&mut state, &mut p), (kind, 2), &body);
            p.exec().unwrap();
            let graph = p.plan.graph.as_ref().unwrap();
            let is_swap = |node: &crate::pipeline::Node<'_>| {
                matches!(&*node.work.lock().unwrap(), crate::pipeline::Work::Swap { .. })
            };
            let swaps = (0_u32..).zip(p.nodes.iter()).filter(|(_, node)| is_swap(node));
            let waiting: Vec<bool> = swaps.map(|(at, _)| !graph.names.is_swap(at)).collect();
            assert_eq!(waiting.contains(&true), k >= NAMED, "{body:?}");
        }
    }
}

/// Where a trip fails, what comes before it on its way counts as exchanged.
#[test]
fn a_trip_that_fails_leaves_arrays_as_they_are_there() {
    for (pick, fails) in PICKS.into_iter().flat_map(|pick| (1..7).map(move |n| (pick, n))) {
        for (first, other) in [(true, false), (false, true), (true, true)] {
            let rt = runtime(pick, true);
            let mut state = State::new();
            let mut p = rt.pipeline();
            let trip = loop_var::<u64>(0);
            p.begin_while(Lazy(move |env: &Env| trip.get(env) < 7), 100);
            state.push(&[Swap(0, 1), Change(4)], &mut p);
            let which = move |env: &Env| trip.get(env).is_multiple_of(2);
            p.begin_if(Lazy(which));
            let mut seen = 0;
            let fail = |name, on: bool| {
                Task::new(name, (&state.arrays[0],), move |(_,)| {
                    seen += 2;
                    if on && seen >= fails { Err("stop".into()) } else { Ok(()) }
                })
            };
            let [a, b] = [fail("first", first), fail("other", other)];
            state.push(&[Swap(1, 2)], &mut p);
            p.push(a);
            p.otherwise();
            state.push(&[Swap(0, 1), Swap(0, 2)], &mut p);
            p.push(b);
            state.push(&[Swap(0, 1)], &mut p);
            p.end_if();
            state.push(&[Swap(2, 3)], &mut p);
            p.end_while();
            let error = p.exec().unwrap_err();
            assert!(matches!(error, Error::HostTask { .. }), "{error}");
            let mut expected: Vec<u64> = (0..ARRAYS as u64).collect();
            let mut count = [0; 2];
            for trip in 0..7 {
                let side = trip % 2;
                expected.swap(0, 1);
                count[side] += 2;
                let stops = count[side] >= fails && [first, other][side];
                match side {
                    0 => expected.swap(1, 2),
                    _ => {
                        expected.swap(0, 1);
                        expected.swap(0, 2);
                        if !stops {
                            expected.swap(0, 1);
                        }
                    }
                }
                if stops {
                    break;
                }
                expected.swap(2, 3);
            }
            assert_eq!(state.values()[..4], expected[..4], "{pick:?}, {fails}, {first} {other}");
        }
    }
}

#[test]
fn a_loop_that_does_not_end_leaves_what_its_trips_have_done() {
    for pick in PICKS {
        let rt = runtime(pick, true);
        let mut state = State::new();
        let body = [Swap(0, 1), Change(0), Swap(1, 2)];
        let mut p = rt.pipeline();
        p.begin_while(state.left.lt(1), 5);
        state.push(&body, &mut p);
        p.end_while();
        let error = p.exec().unwrap_err();
        assert!(matches!(error, Error::Endless { max: 5, .. }), "{error}");
        let mut expected: Vec<u64> = (0..ARRAYS as u64).chain([0]).collect();
        (0..5).for_each(|_| apply(&body, &mut expected));
        assert_eq!(state.values(), expected, "{pick:?}");
    }
}

/// Conditions that cannot be evaluated, around nothing and inside of other loops.
#[test]
fn loops_that_ask_nest() {
    for pick in PICKS {
        let rt = runtime(pick, false);
        let mut state = State::new();
        let body = [Swap(0, 1), Change(0), Toss(1)];
        let mut p = rt.pipeline();
        p.begin_for(0..4_u64);
        let (outer, inner) = (loop_var::<u64>(0), loop_var::<u64>(1));
        p.begin_while(Lazy(move |env: &Env| inner.get(env) < outer.get(env)), 10);
        state.push(&body, &mut p);
        p.begin_while(Lazy(|_: &Env| false), 1);
        p.end_while();
        p.end_while();
        let deep = loop_var::<u64>(1);
        p.begin_while(Lazy(move |env: &Env| deep.get(env) < 3), 10);
        p.end_while();
        state.push(&[Change(2)], &mut p);
        p.end_for();
        let mut expected: Vec<u64> = (0..ARRAYS as u64).chain([0]).collect();
        for _ in 0..2 {
            p.exec().unwrap();
            for trips in 0..4 {
                (0..trips).for_each(|_| apply(&body, &mut expected));
                apply(&[Change(2)], &mut expected);
            }
            assert_eq!(state.values(), expected, "{pick:?}");
        }
    }
}

/// Which node waits for which, how many trips later.
fn order(p: &mut Pipeline<'_>) -> Vec<(usize, usize, u32)> {
    let explained = p.explain().unwrap();
    let mut order: Vec<_> = explained.order().iter().map(|o| (o.first, o.then, o.trips)).collect();
    order.sort_unstable();
    order
}

#[test]
fn trips_wait_for_the_same_arrays_and_for_the_condition_only() {
    let rt = runtime(Pick::First, true);
    let mut state = State::new();
    let mut p = rt.pipeline();
    let trip = loop_var::<u64>(0);
    p.begin_while(Lazy(move |env: &Env| trip.get(env) < 9), 100);
    p.push(Task::new("fill", (&mut state.arrays[0],), |_| ())); // 1
    p.push(Task::new("look", (&state.arrays[0],), |_| ())); // 2
    p.begin_if(true); // 3
    state.push(&[Swap(0, 1)], &mut p);
    p.otherwise();
    p.push(Task::new("look at both", (&state.arrays[0], &state.arrays[2]), |_| ())); // 5
    state.push(&[Swap(0, 1)], &mut p);
    p.end_if();
    p.end_while();
    assert_eq!(order(&mut p), [(1, 2, 0), (1, 3, 0), (2, 1, 2), (3, 1, 2)]);
}
