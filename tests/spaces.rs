//! Index spaces and phases against an enumeration of all items: which phase each item is in, and that
//! phases run in their order, on every device. Items are listed, sorted and cut one by one here, as
//! the definitions say; nothing of the run time's arithmetic is used.
#![allow(clippy::unwrap_used, reason = "a test fails by unwrapping")]

use std::sync::Arc;

use flash::prelude::*;
use flash::{Call, CountBy, Error};
use flash_rt::sim::{Config, Run, Sim};
use flash_tests::{Opened, oclgrind, with_devices};
use proptest::prelude::*;

fn runtimes() -> Vec<Opened> {
    let sim = |run| Arc::new(Sim::new(Config { run, ..Config::default() }));
    let all = vec![
        Runtime::builder().devices("ALL_CPU").threads(1).build().unwrap(),
        Runtime::builder().devices("ALL_CPU").threads(3).build().unwrap(),
        Runtime::builder().backend(sim(Run::Ir)).build().unwrap(),
        Runtime::builder().backend(sim(Run::Entry)).build().unwrap(),
    ];
    with_devices(all, "devices=1")
}

macro_rules! notes {
    ($($name:ident($($order:tt)*);)*) => {$(
        /// The number of its phase, and when it came among all items.
        #[flash::kernel($($order)*)]
        fn $name(clock: &[Atomic<u32>], phases: ViewMut<'_, u32, 3>, times: ViewMut<'_, u32, 3>) {
            let (x, y, z) = (global_id(0), global_id(1), global_id(2));
            phases[[z, y, x]] = 1 + phase() as u32;
            times[[z, y, x]] = clock[0].fetch_add(1) + 1;
        }
    )*};
}
notes! {
    note(); in_planes(group_by(y)); sorted_note(sort_by(z, x));
    in_all_ways(sort_by(y), group_by(x, 2), group_by(z));
}

type Note = fn(&mut Buffer<u32>, &mut Buffer<u32, 3>, &mut Buffer<u32, 3>) -> Call<'static, 3>;

/// With orders that a call replaces by its own.
const DECLARED: [Note; 4] = [
    |clock, phases, times| note(clock, phases, times),
    |clock, phases, times| in_planes(clock, phases, times),
    |clock, phases, times| sorted_note(clock, phases, times),
    |clock, phases, times| in_all_ways(clock, phases, times),
];

/// An order of items, as at a call.
#[derive(Clone, Debug, Default)]
struct Order {
    keys: Vec<usize>,
    groups: Vec<(usize, Option<u64>)>,
}

impl Order {
    fn of<'a, const R: usize>(&self, call: Call<'a, R>) -> Call<'a, R> {
        let call = call.sort_by(self.keys.clone());
        self.groups.iter().fold(call, |call, &(dim, value)| match value {
            None => call.group_by(dim),
            Some(value) => call.group_by_value(dim, value),
        })
    }

    /// The items of a space in their order, each with the number of its phase.
    fn items(&self, ids: &[Vec<usize>]) -> Vec<(Vec<usize>, usize)> {
        let rank = ids.len();
        let n: usize = ids.iter().map(Vec::len).product();
        // The position in each dimension, dimension 0 fastest.
        let mut items: Vec<Vec<usize>> = (0..n)
            .map(|mut item| {
                let digit = |ids: &Vec<usize>| {
                    let at = item % ids.len();
                    item /= ids.len();
                    at
                };
                ids.iter().map(digit).collect()
            })
            .collect();
        let id = |at: &[usize], dim: usize| ids[dim][at[dim]];
        let keys: Vec<usize> = self.keys.iter().copied().filter(|&dim| dim < rank).collect();
        items.sort_by_key(|at| keys.iter().map(|&dim| id(at, dim)).collect::<Vec<_>>());
        let groups: Vec<_> = self.groups.iter().filter(|(dim, _)| *dim < rank).collect();
        let is_cut = |a: &[usize], b: &[usize]| {
            if self.groups.is_empty() {
                return keys.first().is_some_and(|&dim| id(a, dim) != id(b, dim));
            }
            groups.iter().any(|&&(dim, value)| match value {
                Some(value) => (id(a, dim) as u64 == value) != (id(b, dim) as u64 == value),
                None if keys.is_empty() => a[dim..] != b[dim..],
                None => id(a, dim) != id(b, dim),
            })
        };
        let mut phase = 0;
        let numbers: Vec<usize> = (0..items.len())
            .map(|k| {
                phase += usize::from(k > 0 && is_cut(&items[k - 1], &items[k]));
                phase
            })
            .collect();
        let ids_of = |at: &Vec<usize>| (0..rank).map(|dim| id(at, dim)).collect();
        items.iter().map(ids_of).zip(numbers).collect()
    }
}

const SIDE: usize = 8;

/// Runs a space in an order and compares each item with the enumeration.
fn compare(rt: &Runtime, kernel: Note, dims: &[CountBy; 3], order: &Order) -> usize {
    let ids: Vec<Vec<usize>> = dims.iter().map(|dim| dim.ids().unwrap()).collect();
    let mut clock = Buffer::<u32>::zeros(1);
    let fresh = || Buffer::<u32, 3>::zeros([SIDE, SIDE, SIDE]);
    let (mut phases, mut times) = (fresh(), fresh());
    let call = order.of(kernel(&mut clock, &mut phases, &mut times));
    rt.submit(call).exec(dims.clone()).unwrap();
    let (phases, times) = (phases.to_vec().unwrap(), times.to_vec().unwrap());
    let items = order.items(&ids);
    let mut last = vec![(u32::MAX, 0); items.last().map_or(0, |item| item.1 + 1)];
    for (ids, phase) in &items {
        let at = (ids[2] * SIDE + ids[1]) * SIDE + ids[0];
        assert_eq!(phases[at] as usize, phase + 1, "{ids:?} of {dims:?}, {order:?}");
        let (first, end) = &mut last[*phase];
        (*first, *end) = ((*first).min(times[at]), (*end).max(times[at]));
    }
    assert_eq!(phases.iter().filter(|phase| **phase > 0).count(), items.len());
    assert!(last.windows(2).all(|pair| pair[0].1 < pair[1].0), "{dims:?}, {order:?}: {last:?}");
    last.len()
}

fn counts(extents: [usize; 3]) -> [CountBy; 3] {
    extents.map(CountBy::count)
}

fn by(keys: &[usize], groups: &[(usize, Option<u64>)]) -> Order {
    Order { keys: keys.to_vec(), groups: groups.to_vec() }
}

#[test]
fn phases_are_those_of_the_definitions() {
    for rt in runtimes() {
        let phases = |extents, keys: &[usize], groups: &[(usize, Option<u64>)]| {
            compare(&rt, DECLARED[0], &counts(extents), &by(keys, groups))
        };
        // A listing item by item: each is a phase of its own.
        assert_eq!(phases([3, 3, 3], &[], &[(0, None)]), 27);
        // Two stages of each step; both stages of a step at once; each stage of all steps.
        assert_eq!(phases([5, 2, 8], &[], &[(1, None)]), 16);
        assert_eq!(phases([5, 2, 8], &[], &[(2, None)]), 8);
        assert_eq!(phases([5, 2, 8], &[1], &[]), 2);
        // A dimension that the space does not have cuts nothing.
        assert_eq!(phases([5, 2, 8], &[], &[(3, None)]), 1);
        assert_eq!(phases([5, 2, 8], &[7, 1], &[]), 2);
        // One of extent 1 separates those above it.
        assert_eq!(phases([5, 1, 4], &[], &[(1, None)]), 4);
        // Sorted items of equal keys stay in their order: one by one they are what they were.
        assert_eq!(phases([2, 3, 4], &[1], &[(0, None)]), 24);
        assert_eq!(phases([2, 3, 4], &[2, 0], &[(1, None)]), 24);
        // A value at the beginning, inside, at the end, and nowhere; with the items around it.
        for (value, wanted) in [(0, 2), (3, 3), (7, 2), (8, 1), (u64::MAX, 1)] {
            assert_eq!(phases([5, 2, 8], &[], &[(2, Some(value))]), wanted, "value {value}");
        }
        assert_eq!(phases([4, 2, 3], &[], &[(0, Some(3))]), 12);
        assert_eq!(phases([4, 2, 3], &[0], &[(0, Some(3))]), 2);
        // Several: wherever one of them says.
        assert_eq!(phases([4, 3, 4], &[], &[(2, None), (1, Some(1))]), 12);
        // Without items there is none.
        assert_eq!(phases([4, 0, 4], &[1], &[(2, None)]), 0);
    }
}

#[test]
fn many_phases_of_a_plane() {
    for rt in runtimes() {
        let mut x = Buffer::<u64>::zeros(256);
        rt.submit(folded(&mut x).group_by(1)).exec([256, 512]).unwrap();
        let wanted = (0..512).fold(0_u64, |x, phase| (x * 5 + phase) % 65_521);
        assert_eq!(x.to_vec().unwrap(), [wanted; 256]);
    }
}

fn dimension() -> impl Strategy<Value = CountBy> {
    let list = proptest::sample::subsequence((0..SIDE).collect::<Vec<_>>(), 0..7);
    prop_oneof![
        (0..SIDE).prop_map(CountBy::count),
        (1..SIDE).prop_map(|n| CountBy::count(n).descending()),
        (1..SIDE - 1).prop_map(|n| CountBy::count(n).inclusive()),
        (1..SIDE).prop_map(|n| CountBy::powers(2, n).inclusive().descending()),
        (1..SIDE).prop_map(CountBy::strided_reduce),
        (1..SIDE).prop_map(|n| CountBy::strided_reduce(n).ascending()),
        list.prop_shuffle().prop_map(CountBy::list),
    ]
}

fn order() -> impl Strategy<Value = Order> {
    let value = proptest::option::of(0_u64..SIDE as u64 + 1);
    let groups = proptest::collection::vec((0_usize..4, value), 0..3);
    let keys = proptest::sample::subsequence(vec![0_usize, 1, 2, 3], 0..4).prop_shuffle();
    (keys, groups).prop_map(|(keys, groups)| Order { keys, groups })
}

#[test]
fn any_order_of_any_space() {
    let runtimes = runtimes();
    let config = ProptestConfig { cases: 150, failure_persistence: None, ..Default::default() };
    let dims = || (dimension(), dimension(), dimension());
    let kernel = proptest::sample::select(&DECLARED[..]);
    proptest!(config, |((x, y, z) in dims(), order in order(), kernel in kernel)| {
        for rt in &runtimes {
            compare(rt, kernel, &[x.clone(), y.clone(), z.clone()], &order);
        }
    });
}

/// How often an item with these ids came in a phase.
#[flash::kernel]
fn tally(seen: &[Atomic<u32>]) {
    let (x, y, z) = (global_id(0), global_id(1), global_id(2));
    seen[((phase() * 4 + z) * 4 + y) * 4 + x].fetch_add(1);
}

#[flash::kernel]
fn double(y: ViewMut<'_, u64, 2>) {
    let (i, j) = (global_id(0), global_id(1));
    y[[j, i]] = 2 * y[[j, i]];
}

#[test]
fn items_with_equal_keys_stay_in_their_own_order() {
    let list = |ids: &[usize]| CountBy::list(ids.to_vec());
    for rt in runtimes() {
        let phases = |dims: [CountBy; 3], order: Order| {
            let ids: Vec<Vec<usize>> = dims.iter().map(|dim| dim.ids().unwrap()).collect();
            let items = order.items(&ids);
            let n = items.last().map_or(0, |item| item.1 + 1);
            let mut wanted = vec![0; n * 64];
            for (ids, phase) in &items {
                wanted[((phase * 4 + ids[2]) * 4 + ids[1]) * 4 + ids[0]] += 1;
            }
            let mut seen = Buffer::<u32>::zeros(wanted.len());
            rt.submit(order.of(tally(&mut seen))).exec(dims.clone()).unwrap();
            assert_eq!(seen.to_vec().unwrap(), wanted, "{dims:?}, {order:?}");
            n
        };
        // In line 0 the item of column 0 and then both of column 1, and so in line 1: both lines of
        // column 0 come first, then those of column 1, in which line 0 is done twice at once.
        let line = || [list(&[1, 0, 1]), 2.into(), 1.into()];
        assert_eq!(phases(line(), by(&[0], &[(1, None)])), 4);
        assert_eq!(phases(line(), by(&[0], &[(1, Some(1))])), 4);
        assert_eq!(phases(line(), by(&[0], &[(0, Some(1))])), 2);
        let space = || [list(&[2, 0, 2, 3]), list(&[1, 1, 3]), 4.into()];
        assert_eq!(phases(space(), by(&[1], &[(0, None)])), 48);
        assert_eq!(phases(space(), by(&[1, 0], &[(2, None)])), 24);
        assert_eq!(phases(space(), by(&[0, 2], &[(1, Some(3))])), 24);
        assert_eq!(phases(space(), by(&[0, 1], &[(2, Some(2)), (0, Some(2))])), 15);
        // Two items of the same place at once are refused, those in turn are not.
        let mut y = Buffer::<u64, 2>::filled([2, 2], 1);
        let twice = (list(&[1, 0, 1]), 2);
        let call = double(&mut y).sort_by([0]).group_by(1);
        let error = rt.submit(call).exec(twice.clone()).unwrap_err();
        assert!(matches!(error, Error::Repeated { dim: 0, .. }), "{error}");
        rt.submit(double(&mut y).group_by(0)).exec(twice).unwrap();
        assert_eq!(y.to_vec().unwrap(), [2, 4, 2, 4]);
    }
}

/// Depends on the phases before it.
#[flash::kernel(rank = 2)]
fn folded(x: &mut [u64]) {
    let i = global_id(0);
    x[i] = (x[i] * 5 + phase() as u64) % 65_521;
}

/// The same in an order of its own, and only if it is told to.
#[flash::kernel(sort_by(y), rank = 3, when = go)]
fn sorted(go: bool, k: u64, x: ViewMut<'_, u64, 2>) {
    let (i, j) = (global_id(0), global_id(2));
    x[[j, i]] = (x[[j, i]] * 7 + k + phase() as u64) % 65_521;
}

#[test]
fn orders_in_loops_under_conditions_and_again() {
    for rt in runtimes() {
        let (mut x, mut y) = (Buffer::<u64>::filled(40, 1), Buffer::<u64, 2>::filled([3, 5], 2));
        let on = Var::new(true);
        let mut pipeline = flash_pipeline! { in &**rt;
            for k in 0..3 {
                sorted(&on, k as u64, &mut y)[5, 4, 3];
                folded(&mut x).sort_by([1]).when(&on)[40, k + 1];
                if !&on { folded(&mut x).group_by(1)[40, 2]; }
            }
            folded(&mut x).group_by(1)[40, 6];
        };
        let (mut a, mut b) = (1_u64, 2_u64);
        for round in 0..4 {
            let is_on = round % 2 == 0;
            on.set(is_on).unwrap();
            pipeline.exec().unwrap();
            let fold = |a: &mut u64, n: u64| (0..n).for_each(|k| *a = (*a * 5 + k) % 65_521);
            for k in 0..3 {
                if is_on {
                    (0..4).for_each(|phase| b = (b * 7 + k + phase) % 65_521);
                    fold(&mut a, k + 1);
                } else {
                    fold(&mut a, 2);
                }
            }
            fold(&mut a, 6);
            assert_eq!(x.to_vec().unwrap(), [a; 40], "round {round}");
            assert_eq!(y.to_vec().unwrap(), [b; 15], "round {round}");
        }
    }
}

/// Phases of a launch are at most so many.
const ROOM: usize = 16;

/// How often each item came in its phase, and when the first and the last of a phase did; the phases of
/// a launch are numbered from `base` on, in each trip of a loop from `ROOM` more.
#[flash::kernel]
fn timed(
    base: usize,
    trip: &[u32],
    clock: &[Atomic<u32>],
    seen: &[Atomic<u32>],
    first: &[Atomic<u32>],
    last: &[Atomic<u32>],
) {
    let (x, y, z) = (global_id(0), global_id(1), global_id(2));
    let phase = base + trip[0] as usize * ROOM + phase();
    let now = clock[0].fetch_add(1);
    seen[((phase * 4 + z) * 4 + y) * 4 + x].fetch_add(1);
    first[phase].fetch_min(now);
    last[phase].fetch_max(now);
}

#[flash::kernel]
fn next(trip: &mut [u32]) {
    trip[global_id(0)] += 1;
}

/// The row `at` is what the others add up to then, and those above take it in.
#[flash::kernel]
fn taken_in(at: usize, x: ViewMut<'_, u64, 2>) {
    let (i, j) = (global_id(0), global_id(1));
    let mut sum = 3 * x[[j, i]] + phase() as u64;
    if j == at {
        for row in 0..global_size(1) {
            // SAFETY: the other rows are written in other phases.
            sum += unsafe { x[[row, i]] };
        }
    } else if j > at {
        // SAFETY: row `at` is written in the phase before.
        sum += unsafe { x[[at, i]] };
    }
    x[[j, i]] = sum % 65_521;
}

#[test]
fn phases_that_are_no_multiples_in_loops_under_conditions_and_again() {
    const ROUNDS: usize = 3;
    let list = |ids: &[usize]| CountBy::list(ids.to_vec());
    let tied = || by(&[0], &[(1, None)]);
    let keys = || by(&[1, 0], &[(2, Some(1))]);
    let value = || by(&[], &[(2, Some(1))]);
    let space = || [list(&[2, 0, 2, 3]), list(&[1, 1, 3]), 3.into()];
    for rt in runtimes() {
        let (mut clock, mut trip) = (Buffer::<u32>::zeros(1), Buffer::<u32>::zeros(1));
        let n = 10 * ROOM;
        let (mut seen, mut first, mut last) =
            (Buffer::<u32>::zeros(n * 64), Buffer::<u32>::zeros(n), Buffer::<u32>::zeros(n));
        let mut x = Buffer::<u64, 2>::filled([4, 5], 1);
        let on = Var::new(true);
        let mut pipeline = rt.pipeline();
        let mut start = |base, order: Order| {
            order.of(timed(base, &trip, &mut clock, &mut seen, &mut first, &mut last))
        };
        // Two keys whose ids come again, and a value; in a loop such spaces, and others in each trip.
        pipeline.push(start(0, keys()).over(space()));
        pipeline.push(start(ROOM, value()).when(&on).over([3, 2, 4]));
        let mut looped = flash_pipeline! { in &**rt;
            for k in 0..3_usize {
                timed(0, &trip, &mut clock, &mut seen, &mut first, &mut last)
                    .sort_by([0]).group_by(1)[(list(&[1, k, 1]), 2, 1)];
                timed(3 * ROOM, &trip, &mut clock, &mut seen, &mut first, &mut last)
                    .group_by_value(2, 1).when(&on)[2, 2, k + 1];
                taken_in(1, &mut x).group_by_value(1, 1)[5, k + 1];
                if !&on {
                    timed(6 * ROOM, &trip, &mut clock, &mut seen, &mut first, &mut last)
                        .sort_by([1, 0]).group_by_value(2, 1)
                        [list(&[2, 0, 2, 3]), list(&[1, 1, 3]), CountBy::count(3)];
                }
                next(&mut trip)[1];
            }
        };
        let mut wanted_x = [1_u64; 20];
        for round in 0..ROUNDS {
            let is_on = round != 1;
            on.set(is_on).unwrap();
            let launch = |order: Order, dims: [CountBy; 3]| {
                let ids: Vec<Vec<usize>> = dims.iter().map(|dim| dim.ids().unwrap()).collect();
                order.items(&ids)
            };
            // By the number of the first phase, the items of each launch.
            let mut straight = vec![(0, launch(keys(), space()))];
            if is_on {
                straight.push((ROOM, launch(value(), counts([3, 2, 4]))));
            }
            let mut turns = Vec::new();
            for k in 0..3 {
                let line = [list(&[1, k, 1]), 2.into(), 1.into()];
                turns.push((k * ROOM, launch(tied(), line)));
                if is_on {
                    turns.push(((3 + k) * ROOM, launch(value(), counts([2, 2, k + 1]))));
                } else {
                    turns.push(((6 + k) * ROOM, launch(keys(), space())));
                }
                for i in 0..5 {
                    for j in 0..=k {
                        // Each row is a phase.
                        let mut sum = 3 * wanted_x[5 * j + i] + j as u64;
                        if j == 1 {
                            sum += (0..=k).map(|row| wanted_x[5 * row + i]).sum::<u64>();
                        } else if j > 1 {
                            sum += wanted_x[5 + i];
                        }
                        wanted_x[5 * j + i] = sum % 65_521;
                    }
                }
            }
            for (pipeline, launches) in [(&mut pipeline, straight), (&mut looped, turns)] {
                trip.fill(0).unwrap();
                seen.fill(0).unwrap();
                first.fill(u32::MAX).unwrap();
                last.fill(0).unwrap();
                pipeline.exec().unwrap();
                let mut wanted = vec![0; n * 64];
                let mut phases = Vec::new();
                for (base, items) in &launches {
                    for (ids, phase) in items {
                        wanted[(((base + phase) * 4 + ids[2]) * 4 + ids[1]) * 4 + ids[0]] += 1;
                    }
                    assert!(items.last().unwrap().1 < ROOM, "{base}");
                    phases.extend((0..=items.last().unwrap().1).map(|phase| base + phase));
                }
                assert!(seen.to_vec().unwrap() == wanted, "round {round}");
                let (first, last) = (first.to_vec().unwrap(), last.to_vec().unwrap());
                let in_order = |pair: &[usize]| last[pair[0]] < first[pair[1]];
                assert!(phases.windows(2).all(in_order), "{phases:?}: {first:?}, {last:?}");
            }
            assert_eq!(x.to_vec().unwrap(), wanted_x, "round {round}");
        }
    }
}

#[flash::kernel]
fn hit(by: u32, x: ViewMut<'_, u32, 2>) {
    x[[global_id(1), global_id(0)]] += by;
}

/// Numbers, ids, cells and loop variables as dimensions of one space.
#[test]
fn ids_beside_cells_and_loop_variables() {
    for rt in runtimes() {
        let (mut x, mut y) = (Buffer::<u32, 2>::zeros([8, 8]), Buffer::<u64>::filled(4, 1));
        let (on, rows) = (Var::new(true), Var::new(3_usize));
        let mut pipeline = flash_pipeline! { in &**rt;
            for k in 0..4_usize {
                hit(1, &mut x)[(CountBy::list([7, 5, 1]), k)];
                hit(10, &mut x)[(CountBy::powers(2, k + 1).inclusive(), 2)];
                hit(100_000, &mut x)[(CountBy::list([k, 7]), 3)];
                hit(100, &mut x)[CountBy::count(k).descending(), CountBy::list([k, k + 1])];
                if &on { hit(1_000, &mut x)[(CountBy::list([2, 0]), &rows)]; }
                folded(&mut y).group_by(1)[(CountBy::list([3, k % 3]), k + 1)];
                if k > 0 { folded(&mut y).sort_by([1])[(1, CountBy::list([k, 9, 0]))]; }
            }
            hit(10_000, &mut x)[(&rows, CountBy::count(5))];
        };
        let (mut a, mut b) = ([[0_u32; 8]; 8], [1_u64; 4]);
        for n in [3, 0, 8, 8] {
            let is_on = n != 8;
            rows.set(n).unwrap();
            on.set(is_on).unwrap();
            pipeline.exec().unwrap();
            let mut hits = |by, columns: &[usize], rows: &[usize]| {
                rows.iter().for_each(|&j| columns.iter().for_each(|&i| a[j][i] += by));
            };
            let upto = |n| (0..n).collect::<Vec<_>>();
            for k in 0..4 {
                hits(1, &[7, 5, 1], &upto(k));
                let powers: Vec<usize> = [1, 2, 4].into_iter().filter(|&p| p <= k + 1).collect();
                hits(10, &powers, &[0, 1]);
                hits(100, &upto(k), &[k, k + 1]);
                // As many each time, and others.
                hits(100_000, &[k, 7], &[0, 1, 2]);
                if is_on {
                    hits(1_000, &[2, 0], &upto(n));
                }
                for i in [3, k % 3] {
                    (0..=k as u64).for_each(|phase| b[i] = (b[i] * 5 + phase) % 65_521);
                }
                if k > 0 {
                    (0..3).for_each(|phase| b[0] = (b[0] * 5 + phase) % 65_521);
                }
            }
            hits(10_000, &upto(n), &upto(5));
            assert_eq!(x.to_vec().unwrap(), a.concat(), "{n} rows");
            assert_eq!(y.to_vec().unwrap(), b, "{n} rows");
        }
        drop(pipeline);
        // What ids are wrong is an error of the run.
        let error = flash_pipeline! { in &**rt;
            for k in 0..2_usize { hit(1, &mut x)[(CountBy::list([1, k]), 1)]; }
        }
        .exec()
        .unwrap_err();
        assert!(error.to_string().contains("repeat"), "{error}");
    }
}

macro_rules! of_rank {
    ($($name:ident($($dim:tt)*);)*) => {$(
        /// Counts each item where it is, and adds up the number of its phase.
        #[flash::kernel]
        fn $name(seen: &[Atomic<u32>], phases: &[Atomic<u32>]) {
            let mut at = 0;
            $(at = at * global_size($dim) + global_id($dim);)*
            seen[at].fetch_add(1);
            phases[at].fetch_add(phase() as u32);
        }
    )*};
}
of_rank! {
    five(4 3 2 1 0); eight(7 6 5 4 3 2 1 0);
    twelve(11 10 9 8 7 6 5 4 3 2 1 0); twenty(19 18 17 16 15 14 13 12 11 10 9 8 7 6 5 4 3 2 1 0);
}

#[test]
fn spaces_of_rank_five_and_more() {
    for rt in runtimes() {
        for (shape, dim) in [([3, 1, 4, 2, 5], 3), ([2, 3, 2, 3, 2], 0), ([7, 2, 1, 1, 6], 4)] {
            let n: usize = shape.iter().product();
            let (mut seen, mut phases) = (Buffer::<u32>::zeros(n), Buffer::<u32>::zeros(n));
            rt.submit(five(&mut seen, &mut phases).group_by(dim)).exec(shape).unwrap();
            assert_eq!(seen.to_vec().unwrap(), vec![1; n]);
            let below: usize = shape[..dim].iter().product();
            let wanted: Vec<u32> = (0..n).map(|at| (at / below) as u32).collect();
            assert_eq!(phases.to_vec().unwrap(), wanted, "{shape:?} by {dim}");
        }
        let shape = [2, 1, 3, 2, 1, 2, 2, 3];
        let n: usize = shape.iter().product();
        let (mut seen, mut phases) = (Buffer::<u32>::zeros(n), Buffer::<u32>::zeros(n));
        rt.submit(eight(&mut seen, &mut phases).sort_by([7])).exec(shape).unwrap();
        assert_eq!(seen.to_vec().unwrap(), vec![1; n]);
        let wanted: Vec<u32> = (0..n).map(|at| (at / (n / 3)) as u32).collect();
        assert_eq!(phases.to_vec().unwrap(), wanted);
        let shape = [2, 1, 3, 1, 2, 1, 2, 1, 2, 2, 1, 3];
        let n: usize = shape.iter().product();
        for dim in [3, 8, 9, 11] {
            let (mut seen, mut phases) = (Buffer::<u32>::zeros(n), Buffer::<u32>::zeros(n));
            rt.submit(twelve(&mut seen, &mut phases).group_by(dim)).exec(shape).unwrap();
            assert_eq!(seen.to_vec().unwrap(), vec![1; n]);
            let below: usize = shape[..dim].iter().product();
            let wanted: Vec<u32> = (0..n).map(|at| (at / below) as u32).collect();
            assert_eq!(phases.to_vec().unwrap(), wanted, "by {dim}");
        }
        let (mut seen, mut phases) = (Buffer::<u32>::zeros(n), Buffer::<u32>::zeros(n));
        rt.submit(twelve(&mut seen, &mut phases).sort_by([9])).exec(shape).unwrap();
        assert_eq!(seen.to_vec().unwrap(), vec![1; n]);
        let below: usize = shape[..9].iter().product();
        let wanted: Vec<u32> = (0..n).map(|at| (at / below % 2) as u32).collect();
        assert_eq!(phases.to_vec().unwrap(), wanted);
        let mut shape = [1; 20];
        (shape[0], shape[13], shape[19]) = (5, 7, 3);
        let (mut seen, mut phases) = (Buffer::<u32>::zeros(105), Buffer::<u32>::zeros(105));
        rt.submit(twenty(&mut seen, &mut phases)).exec(shape).unwrap();
        assert_eq!(seen.to_vec().unwrap(), [1; 105]);
    }
}

/// What the items add up to, each with a weight of its own in every dimension.
#[flash::kernel]
fn weighed(#[reduce(+)] sum: &mut u64) {
    let low = global_id(0) + 2 * global_id(1) + 3 * global_id(3) + 5 * global_id(4);
    let high = 7 * global_id(7) + 11 * global_id(8) + 13 * global_id(9);
    *sum += (1 + low * high) as u64;
}

/// A place of its own for each item, in which the last dimensions stand.
#[flash::kernel(part_by)]
fn placed(x: View<'_, u32, 2>, #[out] y: ViewMut<'_, u32, 4>) {
    let (i, j, k, l) = (global_id(0), global_id(4), global_id(8), global_id(9));
    y[[l, k, j, i]] = 2 * x[[l, i]] + global_size(9) as u32 + k as u32;
}

/// Divides by zero in one item.
#[flash::kernel]
fn divided(x: &[u32], #[out] y: ViewMut<'_, u32, 3>) {
    let (i, j, k) = (global_id(0), global_id(9), global_id(11));
    y[[k, j, i]] = 1 / (x[i] + (j + k) as u32);
}

/// The indices of all items, dimension 0 the fastest.
fn items(shape: &[usize]) -> Vec<Vec<usize>> {
    let n = shape.iter().product::<usize>();
    let item = |mut at: usize| {
        let id = |&extent: &usize| (at % extent, at /= extent).0;
        shape.iter().map(id).collect()
    };
    (0..n).map(item).collect()
}

#[test]
fn reductions_and_places_in_ten_dimensions() {
    let shape = [5, 2, 1, 2, 3, 1, 1, 2, 2, 3];
    let wanted = |shape: &[usize]| {
        let of = |id: &Vec<usize>| {
            let low = id[0] + 2 * id[1] + 3 * id[3] + 5 * id[4];
            (1 + low * (7 * id[7] + 11 * id[8] + 13 * id[9])) as u64
        };
        items(shape).iter().map(of).sum::<u64>()
    };
    for rt in runtimes() {
        let rt: &Runtime = &rt;
        // Extents that are known, those of a loop, and those of cells.
        let mut sum = Var::new(0_u64);
        rt.submit(weighed(&mut sum)).exec(shape).unwrap();
        assert_eq!(sum.get().unwrap(), wanted(&shape));
        let mut sum = Var::new(0_u64);
        flash_pipeline! { in rt;
            for n in 1..4 { weighed(&mut sum)[2, 1, 1, 2, 3, 1, 1, 2, n, n + 1]; }
        }
        .exec()
        .unwrap();
        assert_eq!(sum.get().unwrap(), wanted(&[2, 1, 1, 2, 3, 1, 1, 2, 3, 4]), "the last trip's");
        let (one, three, mut sum) = (Var::new(1_usize), Var::new(3_usize), Var::new(0_u64));
        let mut p = rt.pipeline();
        let of_cells = [&one, &three, &one, &three, &one, &one, &one, &three, &one, &three];
        p.push(weighed(&mut sum).over(of_cells));
        p.exec().unwrap();
        drop(p);
        assert_eq!(sum.get().unwrap(), wanted(&[1, 3, 1, 3, 1, 1, 1, 3, 1, 3]));

        // Parts, and ids that are no count.
        let x = Buffer::from_shape([3, 5], (0..15).collect::<Vec<u32>>()).unwrap();
        let shape = [5, 1, 1, 1, 3, 1, 1, 1, 2, 3];
        let value = |id: &Vec<usize>| (2 * (5 * id[9] + id[0]) + 3 + id[8]) as u32;
        let all: Vec<u32> = items(&shape).iter().map(value).collect();
        for parts in [1, 2, 4] {
            let mut y = Buffer::<u32, 4>::zeros([3, 2, 3, 5]);
            rt.submit(placed(&x, &mut y).partitions(parts)).exec(shape).unwrap();
            assert_eq!(y.to_vec().unwrap(), all, "{parts} parts");
        }
        let mut y = Buffer::<u32, 4>::zeros([3, 2, 3, 5]);
        let ids = shape.map(|n| CountBy::count(n).descending());
        rt.submit(placed(&x, &mut y)).exec(ids).unwrap();
        assert_eq!(y.to_vec().unwrap(), all, "in descending order");
    }
}

#[test]
fn an_item_of_twelve_dimensions_that_panics_is_named() {
    let shape = [3, 1, 1, 1, 1, 1, 1, 1, 1, 2, 1, 2];
    let rt = Runtime::open("ALL_CPU").unwrap();
    let x = Buffer::from(vec![1_u32, 0, 1]);
    let mut y = Buffer::<u32, 3>::zeros([2, 2, 3]);
    let error = rt.submit(divided(&x, &mut y)).exec(shape).unwrap_err().to_string();
    assert!(error.contains("item [1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]"), "{error}");
    assert!(error.contains("divide by zero"), "{error}");
    let x = Buffer::from(vec![1_u32, 2, 1]);
    rt.submit(divided(&x, &mut y)).exec(shape).unwrap();
    assert_eq!(y.to_vec().unwrap()[..3], [1, 0, 1]);
}

#[test]
fn extents_of_nothing_and_of_too_much() {
    for rt in runtimes() {
        let (mut seen, mut phases) = (Buffer::<u32>::zeros(1), Buffer::<u32>::zeros(1));
        for dim in 0..5 {
            let mut shape = [3; 5];
            shape[dim] = 0;
            // However large the others are.
            shape[(dim + 1) % 5] = usize::MAX;
            rt.submit(five(&mut seen, &mut phases)).exec(shape).unwrap();
            shape[(dim + 1) % 5] = 3;
            rt.submit(five(&mut seen, &mut phases).group_by(1).sort_by([3])).exec(shape).unwrap();
        }
        assert_eq!((seen.get(0).unwrap(), phases.get(0).unwrap()), (0, 0));
        // Products that pass 64 bits, to 0 and to something small, and one that passes 63.
        let half = 1_usize << 32;
        for shape in [[half, half, 1, 1, 1], [half, half + 1, 1, 1, 1], [1 << 62, 1, 2, 1, 1]] {
            let error = rt.submit(five(&mut seen, &mut phases)).exec(shape).unwrap_err();
            assert!(
                matches!(&error, Error::TooLarge { extents, .. } if extents[..] == shape),
                "{error}"
            );
            let error =
                rt.submit(five(&mut seen, &mut phases).group_by(1)).exec(shape).unwrap_err();
            assert!(matches!(error, Error::TooLarge { .. }), "{error}");
        }
        // Counts that are no extents of themselves, beside one of nothing.
        let most = || CountBy::count(usize::MAX);
        let mut x = Buffer::<u32, 2>::zeros([1, 1]);
        rt.submit(hit(1, &mut x)).exec([usize::MAX, 0]).unwrap();
        rt.submit(hit(1, &mut x)).exec((usize::MAX, 0)).unwrap();
        rt.submit(hit(1, &mut x)).exec((0, most().descending())).unwrap();
        rt.submit(hit(1, &mut x).sort_by([0])).exec((most(), CountBy::list(Vec::new()))).unwrap();
        flash_pipeline! { in &**rt;
            for k in 0..1_usize { hit(1, &mut x)[(usize::MAX, k)]; }
        }
        .exec()
        .unwrap();
        assert_eq!(x.get([0, 0]).unwrap(), 0);
        let one = CountBy::list([0]);
        for error in [
            rt.submit(hit(1, &mut x)).exec([usize::MAX, 1]).unwrap_err(),
            rt.submit(hit(1, &mut x)).exec((usize::MAX, 1)).unwrap_err(),
            rt.submit(hit(1, &mut x)).exec((one, most().descending())).unwrap_err(),
        ] {
            assert!(matches!(error, Error::TooLarge { .. }), "{error}");
        }
        let extents = (half, half, CountBy::count(2).descending(), 1, 1);
        let error = rt.submit(five(&mut seen, &mut phases).group_by(2)).exec(extents).unwrap_err();
        assert!(matches!(error, Error::TooLarge { .. }), "{error}");
    }
}

/// Its phase, at its own place.
#[flash::kernel(group_by(y))]
fn numbered(#[out] phases: ViewMut<'_, u32, 2>) {
    phases[[global_id(1), global_id(0)]] = phase() as u32;
}

/// The same, column after column.
#[flash::kernel(sort_by(x), rank = 2)]
fn by_columns(#[out] phases: ViewMut<'_, u32, 2>) {
    phases[[global_id(1), global_id(0)]] = phase() as u32;
}

#[test]
fn what_a_call_says_of_its_order_takes_the_place_of_what_is_declared() {
    for rt in runtimes() {
        let found = |order: &dyn Fn(Call<'static, 2>) -> Call<'static, 2>| {
            let mut phases = Buffer::<u32, 2>::filled([3, 4], 9);
            rt.submit(order(numbered(&mut phases))).exec([4, 3]).unwrap();
            phases.to_vec().unwrap()
        };
        let of = |phase: &dyn Fn(u32, u32) -> u32| -> Vec<u32> {
            (0..3).flat_map(|y| (0..4).map(move |x| (x, y))).map(|(x, y)| phase(x, y)).collect()
        };
        assert_eq!(found(&|call| call), of(&|_, y| y), "as declared");
        assert_eq!(found(&|call| call.sort_by([0])), of(&|x, _| x));
        assert_eq!(found(&|call| call.sort_by([1, 0])), of(&|_, y| y));
        assert_eq!(found(&|call| call.in_one_phase()), of(&|_, _| 0));
        assert_eq!(found(&|call| call.group_by(0)), of(&|x, y| 4 * y + x));
        assert_eq!(found(&|call| call.group_by_value(1, 1)), of(&|_, y| y));
        assert_eq!(found(&|call| call.group_by_value(1, 0)), of(&|_, y| y.min(1)));
        // One that the space does not have orders nothing.
        assert_eq!(found(&|call| call.sort_by([7])), of(&|_, _| 0));

        // What is sorted as declared is not where a call groups alone, in whatever way.
        let found = |order: &dyn Fn(Call<'static, 2>) -> Call<'static, 2>| {
            let mut phases = Buffer::<u32, 2>::filled([3, 4], 9);
            rt.submit(order(by_columns(&mut phases))).exec([4, 3]).unwrap();
            phases.to_vec().unwrap()
        };
        assert_eq!(found(&|call| call), of(&|x, _| x), "as declared");
        assert_eq!(found(&|call| call.group_by(1)), of(&|_, y| y));
        assert_eq!(found(&|call| call.group_by(0)), of(&|x, y| 4 * y + x));
        assert_eq!(found(&|call| call.group_by_value(1, 0)), of(&|_, y| y.min(1)));
        assert_eq!(found(&|call| call.group_by_value(0, 3)), of(&|x, y| 2 * y + x / 3));
        // Where it sorts too, its groups are those of that order, whichever it says first.
        let sorted = of(&|x, y| 3 * x + y);
        assert_eq!(found(&|call| call.sort_by([0]).group_by(1)), sorted);
        assert_eq!(found(&|call| call.group_by(1).sort_by([0])), sorted);
    }
}

/// What phases touch, by arithmetic and by tables, as Oclgrind sees it.
#[test]
fn phases_touch_what_is_theirs() {
    if !oclgrind::is_here_or_clean("phases_touch_what_is_theirs") {
        return;
    }
    let rt = flash_tests::opencl().expect("it is the only driver");
    let list = CountBy::list([6, 1, 3]);
    let spaces = [counts([5, 2, 3]), [list.clone(), CountBy::count(2), CountBy::count(3)]];
    for dims in &spaces {
        for order in
            [by(&[], &[]), by(&[1], &[]), by(&[2, 0], &[(1, None)]), by(&[], &[(1, Some(1))])]
        {
            compare(&rt, DECLARED[0], dims, &order);
        }
    }
    let mut x = Buffer::<u64>::filled(5, 3);
    rt.submit(folded(&mut x).group_by(1)).exec((CountBy::list([4, 0, 2]), 7)).unwrap();
}

/// Kernels like `numbered` with orders of their own.
macro_rules! ordered {
    ($($name:ident($($order:tt)*);)*) => {$(
        #[flash::kernel($($order)*)]
        fn $name(#[out] phases: ViewMut<'_, u32, 2>) {
            phases[[global_id(1), global_id(0)]] = phase() as u32;
        }
    )*};
}

const MIDDLE: usize = 2;

ordered! {
    one_value(group_by(y, MIDDLE));
    several_keys(sort_by(y, x));
    sorted_then_cut(sort_by(x), group_by(y));
    sorted_and_cut_at_a_value(sort_by(2, 1), group_by(1, 2));
    cut_twice(group_by(x, 1), group_by(y));
}

#[test]
fn what_is_declared_is_what_a_call_can_say() {
    type Kernel = fn(&mut Buffer<u32, 2>) -> Call<'static, 2>;
    let declared: [(Kernel, Order); 5] = [
        (|phases| one_value(phases), by(&[], &[(1, Some(MIDDLE as u64))])),
        (|phases| several_keys(phases), by(&[1, 0], &[])),
        (|phases| sorted_then_cut(phases), by(&[0], &[(1, None)])),
        (|phases| sorted_and_cut_at_a_value(phases), by(&[1, 0], &[(0, Some(2))])),
        (|phases| cut_twice(phases), by(&[], &[(0, Some(1)), (1, None)])),
    ];
    for rt in runtimes() {
        for (number, (kernel, order)) in declared.iter().enumerate() {
            let mut phases = Buffer::<u32, 2>::filled([5, 4], 99);
            rt.submit(kernel(&mut phases)).exec([4, 5]).unwrap();
            let phases = phases.to_vec().unwrap();
            for (ids, phase) in order.items(&[(0..4).collect(), (0..5).collect()]) {
                let found = phases[ids[1] * 4 + ids[0]] as usize;
                assert_eq!(found, phase, "item {ids:?} of declaration {number}");
            }
        }
    }
}

#[test]
fn what_would_race_within_a_phase_is_refused() {
    for rt in runtimes() {
        let mut x = Buffer::<u64>::filled(5, 3);
        // In the order of dimension 0 all items of a phase write one element.
        let error = rt.submit(folded(&mut x).sort_by([0])).exec([5, 4]).unwrap_err();
        let Error::Racy { kernel: "folded", param: "x", dim: 1, extent: 4, .. } = error else {
            panic!("{error}")
        };
        assert_eq!(x.to_vec().unwrap(), [3; 5], "nothing has run");
        rt.submit(folded(&mut x).sort_by([1])).exec([5, 4]).unwrap();
        let wanted = (0..4).fold(3, |x, phase| (x * 5 + phase) % 65_521);
        assert_eq!(x.to_vec().unwrap(), [wanted; 5]);

        // Of a pipeline nothing has run either, each time.
        let (mut before, mut y) =
            (Buffer::<u64>::filled(5, 3), Buffer::<u64, 2>::filled([2, 2], 1));
        let twice = || (CountBy::list([1, 0, 1]), 2);
        for is_racy in [true, false] {
            let mut pipeline = rt.pipeline();
            pipeline.push(folded(&mut before).sort_by([1]).over([5, 4]));
            pipeline.push(match is_racy {
                true => folded(&mut x).sort_by([0]).over([5, 4]),
                false => double(&mut y).sort_by([0]).group_by(1).over(twice()),
            });
            for _ in 0..2 {
                let error = pipeline.exec().unwrap_err();
                let expected = match is_racy {
                    true => matches!(error, Error::Racy { .. }),
                    false => matches!(error, Error::Repeated { .. }),
                };
                assert!(expected, "{error}");
                assert_eq!(before.to_vec().unwrap(), [3; 5], "the stage before has not run");
            }
        }
    }
}
