//! Ids in an order of their own, sorted into phases that are split: against a plain loop over the
//! items in the order that is asked for.

use std::ops::Range;

use flash::prelude::*;
use flash::{ArgRange, Call, CountBy};
use proptest::prelude::*;

use super::{open, stencils::blur};

/// What an item leaves tells the order of all before it at the same place.
#[flash::kernel(part_by)]
fn trail(x: &mut [u64]) {
    let (i, y, z) = (global_id(0), global_id(1), global_id(2));
    // SAFETY: items with the same place are in different phases.
    unsafe { x[i] = (31 * x[i] + (7 * y + z) as u64 + 1) % 65521 };
}

fn own(items: &[Range<u64>]) -> Vec<ArgRange> {
    vec![ArgRange::new(items[0].clone(), items[0].clone())]
}

/// The same, with a function that says what blocks reach.
#[flash::kernel(part_by = own)]
fn trail_as_told(x: &mut [u64]) {
    let (i, y, z) = (global_id(0), global_id(1), global_id(2));
    // SAFETY: items with the same place are in different phases.
    unsafe { x[i] = (31 * x[i] + (7 * y + z) as u64 + 1) % 65521 };
}

/// How items are sorted and cut into phases.
type Order = (&'static [usize], &'static [usize]);

/// In these, places of an array are in ascending order within a phase.
const SORTED: [Order; 3] = [(&[1, 2, 0], &[1, 2]), (&[2, 1, 0], &[1, 2]), (&[0, 1, 2], &[1, 2])];
/// In these, they are in that of the list.
const LISTED: [Order; 2] = [(&[1, 2], &[1, 2]), (&[2, 1], &[1, 2])];

fn ordered(call: Call<'static, 3>, (keys, groups): Order) -> Call<'static, 3> {
    groups.iter().fold(call.sort_by(keys.to_vec()), |call, dim| call.group_by(*dim))
}

/// What a loop over the sorted items leaves.
fn looped(ids: &[Vec<usize>; 3], (keys, _): Order, x: &mut [u64]) {
    let [a, b, c] = ids;
    let all =
        c.iter().flat_map(|c| b.iter().flat_map(move |b| a.iter().map(move |a| [*a, *b, *c])));
    let mut items: Vec<[usize; 3]> = all.collect();
    items.sort_by_key(|item| keys.iter().map(|dim| item[*dim]).collect::<Vec<_>>());
    for [i, y, z] in items {
        x[i] = (31 * x[i] + (7 * y + z) as u64 + 1) % 65521;
    }
}

fn runtimes() -> Vec<Runtime> {
    let cpu = |threads| Runtime::builder().devices("ALL_CPU").threads(threads).build().unwrap();
    vec![cpu(1), cpu(3), open(&[1]).0, open(&[1, 3]).0, open(&[2, 1, 1, 5]).0]
}

fn start() -> Vec<u64> {
    (0..50).map(|i| i * 7919 % 1_000).collect()
}

#[test]
fn sorted_phases_of_shuffled_ids_are_a_loop_over_them() {
    let runtimes = runtimes();
    let list = |n: usize, most: usize| {
        let all = (0..n).collect::<Vec<_>>();
        proptest::sample::subsequence(all, 1..most).prop_shuffle()
    };
    proptest!(ProptestConfig { cases: 24, failure_persistence: None, ..ProptestConfig::default() }, |(a in list(50, 40), b in list(9, 5), c in list(9, 4), parts in 2_usize..7)| {
        let ids = [a, b, c];
        let space = || {
            let [a, b, c] = ids.clone().map(CountBy::list);
            (a, b, c)
        };
        let twice = |order| {
            let mut wanted = start();
            (0..2).for_each(|_| looped(&ids, order, &mut wanted));
            wanted
        };
        for rt in &runtimes {
            let run = |call: &dyn Fn(&mut Buffer<u64>) -> Call<'static, 3>| {
                let mut x = Buffer::from(start());
                let mut p = rt.pipeline();
                p.push(call(&mut x).partitions(parts).over(space()));
                p.exec().unwrap();
                p.exec().unwrap();
                x.to_vec().unwrap()
            };
            for order in SORTED.into_iter().chain(LISTED) {
                prop_assert_eq!(run(&|x| ordered(trail(x), order)), twice(order), "{:?}", order);
            }
            for order in SORTED {
                let found = run(&|x| ordered(trail_as_told(x), order));
                prop_assert_eq!(found, twice(order), "{:?} as told", order);
            }
        }
    });
}

#[test]
fn what_is_sorted_is_split_and_what_is_listed_is_not() {
    let (rt, sim) = open(&[1, 1, 1]);
    let space = || (CountBy::list([9, 4, 40, 1, 8, 33]), CountBy::list([3, 0, 7, 1]), 1);
    let mut x = Buffer::from(start());
    let launches = |call: Call<'static, 3>| {
        let before = sim.counts().launches;
        let result = rt.submit(call.partitions(3)).exec(space());
        result.map(|_| sim.counts().launches - before)
    };
    // Four phases, of three parts each where the blocks of a phase are apart.
    assert_eq!(launches(ordered(trail(&mut x), SORTED[0])).unwrap(), 12);
    assert_eq!(launches(ordered(trail_as_told(&mut x), SORTED[0])).unwrap(), 12);
    assert_eq!(launches(ordered(trail(&mut x), LISTED[0])).unwrap(), 4);
    let error = launches(ordered(trail_as_told(&mut x), LISTED[0])).unwrap_err();
    assert!(error.to_string().contains("list them in ascending order"), "{error}");
}

#[test]
fn neighbours_of_shuffled_ids_come_from_the_phase_before() {
    let (columns, steps) = ([31_usize, 4, 17, 5, 30, 6, 29, 16, 7, 3], [12_usize, 0, 5, 3, 8]);
    let (mut a, mut b) = (start(), start());
    for phase in 0..steps.len() {
        let (from, to) = if phase % 2 == 0 { (&a, &mut b) } else { (&b, &mut a) };
        for i in columns {
            to[i] = (from[i - 1] + 2 * from[i] + from[i + 1]) % 65521;
        }
    }
    for rt in &runtimes() {
        for keys in [&[1, 0][..], &[1]] {
            let (mut x, mut y) = (Buffer::from(start()), Buffer::from(start()));
            let call = blur(&mut x, &mut y).sort_by(keys.to_vec()).partitions(3);
            rt.submit(call).exec((CountBy::list(columns), CountBy::list(steps))).unwrap();
            let n = rt.devices().len();
            assert_eq!(
                (x.to_vec().unwrap(), y.to_vec().unwrap()),
                (a.clone(), b.clone()),
                "{keys:?} on {n}"
            );
        }
    }
}
