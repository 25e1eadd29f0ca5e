//! Loops that exchange arrays: where everything is after them, whatever order trips ran in, and what
//! waits for what. Against a vector that is exchanged as the program says.

use std::sync::Arc;

use crate::backend::conformance::kernels;
use crate::lazy::Lazy;
use crate::sim::{Config, Run, Sim};
use crate::task::TaskArg;
use crate::{Arg, Buffer, Call, Env, Error, NoBackends, Pick, Pipeline, Runtime, Task};

/// What happens in a trip: an array is changed, by number, or two are exchanged.
#[derive(Clone, Copy, Debug)]
enum Do {
    Change(usize),
    Swap(usize, usize),
}
use Do::{Change, Swap};

/// Bodies over eight arrays; after how many trips everything is back.
const BODIES: [(u32, &[Do]); 9] = [
    (1, &[Change(0), Swap(0, 1), Change(1), Swap(1, 0), Change(0)]),
    (1, &[Swap(2, 2), Change(2), Change(1)]),
    (2, &[Change(0), Change(2), Swap(0, 1), Change(1)]),
    (2, &[Swap(0, 1), Change(0), Swap(2, 3), Change(2), Change(3), Change(4)]),
    (3, &[Change(0), Swap(0, 1), Change(1), Swap(1, 2), Change(0), Change(2)]),
    (5, &[Swap(0, 1), Swap(1, 2), Change(2), Swap(2, 3), Change(3), Swap(3, 4), Change(0)]),
    (6, &[Swap(0, 1), Change(0), Swap(1, 2), Change(2), Swap(3, 4), Change(4), Change(5)]),
    // More than are looked into.
    (7, &[Swap(0, 1), Swap(1, 2), Swap(2, 3), Swap(3, 4), Swap(4, 5), Swap(5, 6), Change(0)]),
    (
        2,
        &[
            Swap(0, 1),
            Swap(0, 1),
            Swap(0, 1),
            Swap(0, 1),
            Swap(0, 1),
            Swap(0, 1),
            Swap(0, 1),
            Swap(2, 3),
            Swap(4, 5),
            Change(0),
        ],
    ),
];

fn changed(value: u64, k: usize) -> u64 {
    value.wrapping_mul(31).wrapping_add(k as u64 + 1)
}

fn apply(body: &[Do], arrays: &mut [u64]) {
    for (k, step) in body.iter().enumerate() {
        match *step {
            Change(array) => arrays[array] = changed(arrays[array], k),
            Swap(a, b) => arrays.swap(a, b),
        }
    }
}

fn push(body: &[Do], arrays: &mut [Buffer<u64>], p: &mut Pipeline<'_>) {
    for (k, step) in body.iter().enumerate() {
        match *step {
            Change(array) => {
                let task = move |x: &mut u64| *x = changed(*x, k);
                p.push(Task::new("change", (&mut arrays[array],), move |(mut x,)| {
                    task(&mut x[[0]])
                }));
            }
            Swap(a, b) => drop(p.swap(&arrays[a], &arrays[b])),
        }
    }
}

fn fresh() -> Vec<Buffer<u64>> {
    (0..8).map(|k| Buffer::from(vec![k])).collect()
}

fn values(arrays: &[Buffer<u64>]) -> Vec<u64> {
    arrays.iter().map(|x| x.get(0).unwrap()).collect()
}

fn runtime(pick: Pick) -> Runtime<NoBackends> {
    let sim = Sim::new(Config { devices: 1, run: Run::Entry, ..Config::default() });
    let builder = Runtime::<NoBackends>::builder().backend(Arc::new(sim));
    builder.dataflow(true).pick(pick).build().unwrap()
}

#[test]
fn after_any_number_of_trips_everything_is_where_the_program_says() {
    let picks = [Pick::First, Pick::Last, Pick::Random(1), Pick::Random(2)];
    for (rt, (_, body)) in
        picks.into_iter().flat_map(|pick| BODIES.map(|body| (runtime(pick), body)))
    {
        for trips in 0..16 {
            let mut arrays = fresh();
            let mut p = rt.pipeline();
            p.begin_for(0..trips);
            push(body, &mut arrays, &mut p);
            p.end_for();
            push(&[Change(0), Change(1), Swap(1, 2)], &mut arrays, &mut p);
            let mut expected: Vec<u64> = (0..8).collect();
            for _ in 0..2 {
                p.exec().unwrap();
                (0..trips).for_each(|_| apply(body, &mut expected));
                apply(&[Change(0), Change(1), Swap(1, 2)], &mut expected);
                assert_eq!(values(&arrays), expected, "{trips} trips of {body:?}");
            }
        }
    }
}

#[test]
fn loops_in_loops_and_loops_that_exchange_later() {
    for (period, body) in BODIES {
        for pick in [Pick::First, Pick::Last, Pick::Random(3)] {
            let mut arrays = fresh();
            let mut expected: Vec<u64> = (0..8).collect();
            let rt = runtime(pick);
            let mut p = rt.pipeline();
            // Exchanged inside, and by both.
            for outer in [&[Change(6)][..], &[Change(6), Swap(6, 0)]] {
                p.begin_for(0..3_u32);
                push(outer, &mut arrays, &mut p);
                p.begin_for(0..period + 1);
                push(body, &mut arrays, &mut p);
                p.end_for();
                p.end_for();
                for _ in 0..3 {
                    apply(outer, &mut expected);
                    (0..=period).for_each(|_| apply(body, &mut expected));
                }
            }
            // A loop inside that does not exchange: it works on what its trip of the outer one has.
            p.begin_for(0..period + 1);
            push(&[Change(1)], &mut arrays, &mut p);
            let inner = p.begin_for(0..3_u32);
            push(&[Change(0), Change(2)], &mut arrays, &mut p);
            p.begin_if(crate::Cond::compare(crate::cond::Comparison::Eq, inner, 1_u32));
            push(&[Change(1)], &mut arrays, &mut p);
            p.end_if();
            p.end_for();
            push(body, &mut arrays, &mut p);
            p.end_for();
            for _ in 0..=period {
                apply(&[Change(1)], &mut expected);
                for k in 0..3 {
                    apply(&[Change(0), Change(2)], &mut expected);
                    apply(if k == 1 { &[Change(1)] } else { &[] }, &mut expected);
                }
                apply(body, &mut expected);
            }
            p.exec().unwrap();
            assert_eq!(values(&arrays), expected, "{body:?}");
        }
    }
}

/// Where a trip fails, all that comes before it in the program counts as exchanged, and the pipeline
/// names what it named.
#[test]
fn a_trip_that_fails_leaves_arrays_as_they_are_there() {
    for fails in 0..7_u32 {
        for pick in [Pick::First, Pick::Last, Pick::Random(4)] {
            let rt = runtime(pick);
            let mut arrays = fresh();
            let other = Buffer::from(vec![100_u64]);
            let mut p = rt.pipeline();
            p.begin_for(0..7_u32);
            push(&[Swap(0, 1), Swap(1, 2)], &mut arrays, &mut p);
            let mut trip = 0;
            p.push(Task::new("fail", (&mut arrays[0],), move |(_,)| {
                trip += 1;
                if trip == fails + 1 { Err("stop".into()) } else { Ok(()) }
            }));
            push(&[Swap(3, 4), Change(5)], &mut arrays, &mut p);
            p.end_for();
            let error = p.exec().unwrap_err();
            assert!(matches!(error, Error::HostTask { .. }), "{error}");
            let mut expected: Vec<u64> = (0..8).collect();
            for trip in 0..=fails {
                apply(&[Swap(0, 1), Swap(1, 2)], &mut expected);
                apply(if trip < fails { &[Swap(3, 4)] } else { &[] }, &mut expected);
            }
            assert_eq!(values(&arrays)[..5], expected[..5], "trip {fails} fails");
            // The task does not fail any more.
            p.rebind(&arrays[0], &other).unwrap().exec().unwrap();
            expected[0] = 100;
            for _ in 0..7 {
                apply(&[Swap(0, 1), Swap(1, 2), Swap(3, 4)], &mut expected);
            }
            arrays[0] = other;
            assert_eq!(values(&arrays)[..5], expected[..5], "again");
        }
    }
}

/// The kernel reads `x` and writes `y`.
fn divide<'a>(x: impl Arg<'a, &'a [u32]>, y: impl Arg<'a, &'a mut [u32]>) -> Call<'a, 1> {
    Call::new(&kernels::DIVIDE, [x.bind(), y.bind()])
}

/// Which node waits for which, how many trips later.
fn order(p: &mut Pipeline<'_>) -> Vec<(usize, usize, u32)> {
    let explained = p.explain().unwrap();
    let mut order: Vec<_> = explained.order().iter().map(|o| (o.first, o.then, o.trips)).collect();
    order.sort_unstable();
    order
}

#[test]
fn exchanged_arrays_are_waited_for_in_the_trip_that_has_them_again() {
    let rt = runtime(Pick::First);
    let [x, mut y, z] = [1, 2, 3].map(|v| Buffer::from(vec![v; 4]));
    let mut p = rt.pipeline();
    p.begin_for(0..9_u32);
    p.push(divide(&x, &mut y).over([4])); // 1
    p.push(Task::new("look", (&y,), |(_,)| ())); // 2
    p.swap(&y, &z);
    p.end_for();
    // What is looked at is overwritten two trips later.
    assert_eq!(order(&mut p), [(1, 2, 0), (2, 1, 2)]);
}

#[test]
fn rows_that_differ_are_not_waited_for_and_halos_are() {
    let rt = runtime(Pick::First);
    let film = || Buffer::<u32, 2>::from_shape([40, 4], vec![1; 160]).unwrap();
    let (x, y) = (film(), film());
    let mut p = rt.pipeline();
    let v = p.begin_for(2..9_u32);
    let row = |x: &Buffer<u32, 2>, times: usize, plus: isize| {
        let any = Lazy(move |env: &Env| v.get(env) as usize);
        x.at_lazy(any).moving(v, times, plus)
    };
    let task = |write: bool, (times, plus): (usize, isize)| {
        let mut part = row(&x, times, plus);
        let arg = match write {
            true => TaskArg::write("x", Arg::<&mut [u32]>::bind(&mut part)),
            false => TaskArg::read("x", Arg::<&[u32]>::bind(&part)),
        };
        Task::from_parts("task", [arg], |_, _| Ok(()))
    };
    p.push(task(true, (1, 0))); // 1
    p.push(divide(&row(&x, 1, 0), &mut row(&y, 1, 0)).over([4])); // 2
    p.push(task(false, (1, -2))); // 3
    p.push(task(false, (1, 3))); // 4
    p.end_for();
    let rows = [(1, 2, 0), (1, 3, 2), (2, 1, 4), (3, 1, 2), (4, 1, 3), (1, 4, 1)];
    let mut expected = rows.to_vec();
    expected.sort_unstable();
    assert_eq!(order(&mut p), expected);

    // Two rows in each trip, and one of them again in the next.
    let mut p = rt.pipeline();
    let v = p.begin_for(0..9_u32);
    let row =
        |plus: isize| x.at_lazy(Lazy(move |env: &Env| v.get(env) as usize)).moving(v, 2, plus);
    let task = |plus| {
        let arg = TaskArg::write("x", Arg::<&mut [u32]>::bind(&mut row(plus)));
        Task::from_parts("task", [arg], |_, _| Ok(()))
    };
    p.push(task(0)); // 1
    p.push(task(1)); // 2
    p.push(task(2)); // 3
    p.end_for();
    assert_eq!(order(&mut p), [(1, 3, 3), (3, 1, 1)]);

    // One that goes somewhere else, and a box of it, may be any.
    for case in 0..3 {
        let mut p = rt.pipeline();
        let v = p.begin_for(0..9_u32);
        let row =
            |plus: isize| x.at_lazy(Lazy(move |env: &Env| v.get(env) as usize)).moving(v, 1, plus);
        p.push(Task::from_parts(
            "task",
            [TaskArg::write("x", Arg::<&mut [u32]>::bind(&mut row(0)))],
            |_, _| Ok(()),
        ));
        match case {
            0 => p.push(Task::new("box", (&x.at(3),), |(_,)| ())),
            1 => {
                let any = x.at_lazy(Lazy(move |env: &Env| v.get(env) as usize % 2));
                let arg = TaskArg::read("x", Arg::<&[u32]>::bind(&any));
                p.push(Task::from_parts("any", [arg], |_, _| Ok(())))
            }
            _ => p.push(Task::new("all", (&x,), |(_,)| ())),
        };
        p.end_for();
        assert_eq!(order(&mut p), [(1, 2, 0), (2, 1, 1)], "case {case}");
    }
}
