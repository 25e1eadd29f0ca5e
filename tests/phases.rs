//! Index spaces with ids of their own, and launches in phases: what runs before what, what is
//! refused, and that results are those of a plain loop on every device.

#![allow(clippy::unwrap_used, reason = "a test fails by unwrapping")]

use std::sync::Arc;
use std::time::Duration;

use flash::prelude::*;
use flash::{CountBy, Error};
use flash_rt::sim::{Call as Logged, Config, Fault, Kind, Run, Sim, Speed, What};
use flash_tests::{Opened, oclgrind, with_devices};
use proptest::prelude::*;

/// Runs a test on each kind of device.
fn on_each_device(test: impl Fn(&Runtime)) {
    for key in ["ALL_CPU", "SIM"] {
        test(&Runtime::builder().devices(key).threads(2).build().unwrap());
    }
    flash_tests::opencl().iter().for_each(test);
}

/// The number in which items came, which is that of their phase to all that see it.
#[flash::kernel]
fn stamp(clock: &[Atomic<u32>], #[out(partial)] at: ViewMut<'_, u32, 3>) {
    let (x, y, z) = (global_id(0), global_id(1), global_id(2));
    at[[z, y, x]] = clock[0].fetch_add(1) + 1;
}

/// One step of a sum in a tree.
#[flash::kernel]
fn take_in(x: &mut [u64]) {
    let (i, stride) = (global_id(0), global_id(1));
    if i < stride && i + stride < x.len() {
        unsafe { x[i] = x[i] + x[i + stride] };
    }
}

/// Two stages of a rod in one kernel: `next` from `u`, then `u` from `next`.
#[flash::kernel]
fn rod(u: &mut [f32], next: &mut [f32]) {
    let (i, stage) = (global_id(0), global_id(1) + 0 * global_id(2));
    if i > 0 && i + 1 < u.len() {
        if stage == 0 {
            unsafe { next[i] = 0.5 * (u[i + 1] - 2.0 * u[i] + u[i - 1]) + u[i] };
        } else {
            unsafe { u[i] = next[i] };
        }
    }
}

#[flash::kernel]
fn double(x: &mut [u64]) {
    let i = global_id(0);
    x[i] = 2 * x[i] + 1;
}

/// Depends on the phase before it, wherever that was.
#[flash::kernel]
fn chain(x: &mut [u64]) {
    let (i, y, z) = (global_id(0), global_id(1), global_id(2));
    unsafe { x[i] = (x[i] * 31 + (y * 7 + z) as u64 + 1) % 65521 };
}

#[flash::kernel]
fn weigh(x: &[f64], #[reduce(+)] s: &mut f64) {
    let (i, k) = (global_id(0), global_id(1));
    *s += x[i] * k as f64;
}

/// In each of its steps.
#[flash::kernel(rank = 2)]
fn step(x: &mut [u64]) {
    let i = global_id(0);
    x[i] = (x[i] * 31 + i as u64) % 65521;
}

#[flash::kernel]
fn count(n: &[Atomic<u32>]) {
    n[global_id(0)].fetch_add(1);
}

/// The stamps of a launch over `space`, items by their ids.
fn stamps(
    rt: &Runtime,
    shape: [usize; 3],
    call: impl FnOnce(flash::Call<'static, 3>) -> flash::Stage<'static>,
) -> Vec<u32> {
    let mut clock = Buffer::<u32>::zeros(1);
    let mut at = Buffer::<u32, 3>::zeros(shape);
    let mut pipeline = rt.pipeline();
    pipeline.push(call(stamp(&mut clock, &mut at)));
    pipeline.exec().unwrap();
    at.to_vec().unwrap()
}

/// The spaces of the specification: items that come in one phase have stamps next to each other, those of
/// the phase before lower ones.
#[test]
fn the_order_of_the_specification_is_recorded() {
    on_each_device(|rt| {
        let n = 37;
        let at = stamps(rt, [10, 2, n], |call| call.group_by(1).over([n, 2, 10]));
        let phases: Vec<&[u32]> = at.chunks(n).collect();
        assert_eq!(phases.len(), 20);
        for (k, stamps) in phases.into_iter().enumerate() {
            let mut stamps = stamps.to_vec();
            stamps.sort_unstable();
            let expected: Vec<u32> = (0..n as u32).map(|i| 1 + (n * k) as u32 + i).collect();
            assert_eq!(stamps, expected, "phase {k}");
        }
        // Of all 256 items of a row, rows after each other.
        let at = stamps(rt, [1, 512, 256], |call| call.group_by(1).over([256, 512, 1]));
        for (k, row) in at.chunks(256).enumerate() {
            let range = (256 * k + 1) as u32..=256 * (k + 1) as u32;
            assert!(row.iter().all(|stamp| range.contains(stamp)), "phase {k}");
        }
    });
}

#[test]
fn phases_follow_each_other() {
    on_each_device(|rt| {
        let of = |x: usize, y: usize, z: usize| (z * 4 + y) * 5 + x;
        // A phase for each pair of ids of the two upper dimensions, the lower one first.
        let at = stamps(rt, [3, 4, 5], |call| call.group_by(1).over([5, 4, 3]));
        for z in 0..3 {
            for y in 0..4 {
                let before = 5 * (z * 4 + y) as u32;
                for x in 0..5 {
                    let stamp = at[of(x, y, z)];
                    assert!(stamp > before && stamp <= before + 5, "{stamp} at {x}, {y}, {z}");
                }
            }
        }
        // Sorted by the middle dimension: its ids are the phases, each over the two others.
        let at = stamps(rt, [3, 4, 5], |call| call.sort_by([1]).over([5, 4, 3]));
        for (x, y, z) in (0..60).map(|k| (k % 5, k / 5 % 4, k / 20)) {
            let stamp = at[of(x, y, z)] as usize;
            assert!(stamp > 15 * y && stamp <= 15 * (y + 1), "{stamp} at {x}, {y}, {z}");
        }
        // Descending, and two ids of a dimension only.
        let middle = || CountBy::count(4).descending();
        let at = stamps(rt, [3, 4, 5], |call| {
            call.group_by(1).over((5, middle(), CountBy::list([2, 0])))
        });
        for (x, y, z) in (0..60).map(|k| (k % 5, k / 5 % 4, k / 20)) {
            let stamp = at[of(x, y, z)];
            if z == 1 {
                assert_eq!(stamp, 0);
                continue;
            }
            let phase = (if z == 2 { 0 } else { 4 } + (3 - y)) as u32;
            assert!(stamp > 5 * phase && stamp <= 5 * (phase + 1), "{stamp} at {x}, {y}, {z}");
        }
        // One value by itself.
        let at = stamps(rt, [3, 4, 5], |call| call.group_by_value(2, 1).over([5, 4, 3]));
        for z in 0..3 {
            let stamps = &at[20 * z..20 * (z + 1)];
            let range = (20 * z + 1) as u32..=(20 * (z + 1)) as u32;
            assert!(stamps.iter().all(|stamp| range.contains(stamp)), "{stamps:?}");
        }
    });
}

#[test]
fn a_tree_of_strides_sums() {
    on_each_device(|rt| {
        for n in 1..100 {
            let mut x = Buffer::from((1..=n as u64).collect::<Vec<_>>());
            let strides = CountBy::strided_reduce(n);
            rt.submit(take_in(&mut x).group_by(1)).exec((n, strides)).unwrap();
            assert_eq!(x.get(0).unwrap(), (n * (n + 1) / 2) as u64, "{n} elements");
        }
    });
}

#[test]
fn a_rod_in_one_launch() {
    on_each_device(|rt| {
        // As long as the other wall is far, where each item is interpreted.
        let n = if oclgrind::is_under() { 152 } else { 1002 };
        let start: Vec<f32> = (0..n).map(|i| if i == 0 { 100.0 } else { 0.0 }).collect();
        let (mut u, mut next) = (Buffer::from(start.clone()), Buffer::from(start.clone()));
        let report = rt.submit(rod(&mut u, &mut next).group_by(1)).exec([n, 2, 100]).unwrap();
        assert_eq!(report.kernel("rod").map(|kernel| kernel.count), Some(1));
        let (mut a, mut b) = (start.clone(), start);
        for _ in 0..100 {
            for i in 1..n - 1 {
                b[i] = 0.5 * (a[i + 1] - 2.0 * a[i] + a[i - 1]) + a[i];
            }
            a[1..n - 1].copy_from_slice(&b[1..n - 1]);
        }
        assert_eq!(u.to_vec().unwrap(), a);
        // Far from the other wall the values are those of the specification.
        for (i, value) in [(1, 92.041_08), (10, 31.972_733)] {
            let found = u.get(i).unwrap();
            assert!((found - value).abs() < 1e-4, "{found} at {i}");
        }
    });
}

#[test]
fn ids_are_those_of_the_list() {
    on_each_device(|rt| {
        let ids = [7, 3, 4, 5, 90, 0];
        let mut x = Buffer::from((0..100).collect::<Vec<u64>>());
        rt.submit(double(&mut x)).exec([CountBy::list(ids)]).unwrap();
        let wanted = |i: usize| if ids.contains(&i) { 2 * i as u64 + 1 } else { i as u64 };
        assert_eq!(x.to_vec().unwrap(), (0..100).map(wanted).collect::<Vec<_>>());
        // An id beyond the array is known by itself.
        let error = rt.submit(double(&mut x)).exec([CountBy::list([5, 123, 7])]).unwrap_err();
        match error {
            Error::OutOfBounds { item, index, .. } => {
                assert_eq!((item, index), (vec![123], vec![123]))
            }
            other => panic!("{other}"),
        }
    });
}

#[test]
fn ids_that_repeat_within_a_phase_are_refused() {
    on_each_device(|rt| {
        let mut x = Buffer::from(vec![1_u64; 9]);
        let twice = || CountBy::list([3, 4, 3]);
        let error = rt.submit(double(&mut x)).exec([twice()]).unwrap_err();
        assert!(matches!(error, Error::Repeated { dim: 0, .. }), "{error}");
        assert!(error.to_string().contains("`x`"), "{error}");
        // Each in a phase of its own, and where nothing has a place of its own.
        rt.submit(double(&mut x).group_by(0)).exec([twice()]).unwrap();
        let mut n = Buffer::<u32>::zeros(5);
        rt.submit(count(&mut n)).exec([twice()]).unwrap();
        assert_eq!(n.to_vec().unwrap(), [0, 0, 0, 2, 1]);
    });
}

#[test]
fn spaces_that_are_none_are_errors_or_nothing() {
    on_each_device(|rt| {
        let mut x = Buffer::from(vec![1_u64; 4]);
        let error = rt.submit(double(&mut x)).exec([CountBy::powers(1, 9)]).unwrap_err();
        assert!(error.to_string().contains("powers"), "{error}");
        let error = rt.submit(chain(&mut x).group_by(1)).exec((4, usize::MAX, 2)).unwrap_err();
        assert!(matches!(error, Error::TooLarge { .. }), "{error}");
        for empty in [CountBy::count(0), CountBy::list([]), CountBy::strided_reduce(1)] {
            rt.submit(double(&mut x).group_by(0)).exec([empty]).unwrap();
        }
        assert_eq!(x.to_vec().unwrap(), [1; 4]);
    });
}

#[test]
fn reductions_go_through_all_phases() {
    on_each_device(|rt| {
        let n = 10_000;
        let x: Vec<f64> = (0..n).map(|i| f64::from(i as u32 % 7)).collect();
        let buffer = Buffer::from(x.clone());
        let mut s = Var::new(0.0);
        let ids = || CountBy::list([3, 1, 9, 2]);
        let wanted = x.iter().sum::<f64>() * 15.0;
        for orders in [0, 1, 2] {
            let call = weigh(&buffer, &mut s);
            let call = match orders {
                0 => call,
                1 => call.group_by(1),
                _ => call.sort_by([1, 0]),
            };
            let report = rt.submit(call).exec((n, ids())).unwrap();
            assert_eq!((s.get().unwrap(), report.value(&s).unwrap()), (wanted, wanted));
        }
    });
}

#[test]
fn loops_conditions_and_replays() {
    on_each_device(|rt| {
        let mut x = Buffer::from((0..50).collect::<Vec<u64>>());
        let mut wanted: Vec<u64> = (0..50).collect();
        let (stages, on) = (Var::new(1_usize), Var::new(false));
        let one = Var::new(1_usize);
        let n = Var::new(50_usize);
        let mut pipeline = flash_pipeline! { in rt;
            for k in 1..4 {
                chain(&mut x).group_by(1)[50, k, 2];
            }
            if &on { chain(&mut x).group_by(1)[&n, &stages, &one]; }
        };
        let chained = |x: &mut Vec<u64>, ny: usize, nz: usize| {
            for (y, z) in (0..ny * nz).map(|k| (k % ny, k / ny)) {
                x.iter_mut().for_each(|x| *x = (*x * 31 + (y * 7 + z) as u64 + 1) % 65521);
            }
        };
        for round in 0..3 {
            stages.set(round + 2).unwrap();
            on.set(round != 1).unwrap();
            pipeline.exec().unwrap();
            (1..4).for_each(|k| chained(&mut wanted, k, 2));
            if round != 1 {
                chained(&mut wanted, round + 2, 1);
            }
            assert_eq!(x.to_vec().unwrap(), wanted, "round {round}");
        }
    });
}

/// Counts visits, and leaves the number of the last one.
#[flash::kernel]
fn visit(k: u64, x: ViewMut<'_, u64, 3>) {
    let (a, b, c) = (global_id(0), global_id(1), global_id(2));
    x[[c, b, a]] = x[[c, b, a]] * 5 + k + (a + 10 * b + 100 * c) as u64;
}

fn dimension() -> impl Strategy<Value = CountBy> {
    let list = proptest::sample::subsequence((0..12_usize).collect::<Vec<_>>(), 0..8);
    prop_oneof![
        (1_usize..12).prop_map(CountBy::count),
        (1_usize..12).prop_map(|n| CountBy::count(n).descending()),
        (1_usize..12).prop_map(|n| CountBy::powers(2, n)),
        (1_usize..12).prop_map(CountBy::strided_reduce),
        list.prop_shuffle().prop_map(CountBy::list),
    ]
}

fn runtimes() -> Vec<Opened> {
    let sim = |run, devices| Arc::new(Sim::new(Config { run, devices, ..Config::default() }));
    let all = vec![
        Runtime::builder().devices("ALL_CPU").threads(1).build().unwrap(),
        Runtime::builder().devices("ALL_CPU").threads(3).build().unwrap(),
        Runtime::builder().backend(sim(Run::Ir, 1)).build().unwrap(),
        Runtime::builder().backend(sim(Run::Entry, 2)).build().unwrap(),
    ];
    // A machine with a GPU need not have two.
    let devices = if flash_tests::required("cuda") { "devices=1" } else { "devices=2" };
    with_devices(all, devices)
}

#[test]
fn every_item_of_any_space_runs_once() {
    let runtimes = runtimes();
    let dims = proptest::collection::vec(dimension(), 3);
    let groups = proptest::collection::vec((0_usize..3, proptest::option::of(0_u64..12)), 0..3);
    let keys = proptest::sample::subsequence(vec![0_usize, 1, 2], 0..3).prop_shuffle();
    proptest!(ProptestConfig { cases: 60, failure_persistence: None, ..ProptestConfig::default() }, |(dims in dims, groups in groups, keys in keys)| {
        let ids: Vec<Vec<usize>> = dims.iter().map(|dim| dim.ids().unwrap()).collect();
        let mut wanted = vec![1_u64; 12 * 12 * 12];
        for (k, (&c, &b, &a)) in (1..3).flat_map(|k| {
            let (a, b, c) = (&ids[0], &ids[1], &ids[2]);
            c.iter().flat_map(move |c| b.iter().flat_map(move |b| a.iter().map(move |a| (k, (c, b, a)))))
        }) {
            let x = &mut wanted[(c * 12 + b) * 12 + a];
            *x = *x * 5 + k + (a + 10 * b + 100 * c) as u64;
        }
        for rt in &runtimes {
            let mut x = Buffer::<u64, 3>::filled([12, 12, 12], 1);
            let mut pipeline = rt.pipeline();
            for k in 1..3 {
                let mut call = visit(k, &mut x).sort_by(keys.clone());
                for (dim, value) in &groups {
                    call = match value {
                        None => call.group_by(*dim),
                        Some(value) => call.group_by_value(*dim, *value),
                    };
                }
                let [a, b, c] = [0, 1, 2].map(|dim| dims[dim].clone());
                pipeline.push(call.over([a, b, c]));
            }
            pipeline.exec().unwrap();
            prop_assert_eq!(x.to_vec().unwrap(), wanted.clone());
        }
    });
}

/// Two rows take turns; the rank is what the attributes say, the body uses dimension 0 alone.
#[flash::kernel(group_by(y), rank = 3)]
fn rows_in_turn(seen: &mut [u32], #[reduce(+)] sum: &mut u32, u: ViewMut<'_, u32, 2>) {
    let i = global_id(0);
    let (old, new) = (phase() % 2, 1 - phase() % 2);
    // SAFETY: the items of a phase write the row `new`.
    let left = unsafe { u[[old, (i + u.extent(1) - 1) % u.extent(1)]] };
    u[[new, i]] = 3 * u[[old, i]] + left + phase() as u32;
    seen[i] = 31 * seen[i] + 1 + phase() as u32;
    *sum += phase() as u32 + 100 * partition() as u32;
}

#[test]
fn a_body_knows_the_number_of_its_phase() {
    let n = 70;
    let mut rows: Vec<u32> = (0..n as u32).map(|k| k * k % 97).collect();
    let mut want = vec![0_u32; n];
    for phase in 0..6 {
        rows = (0..n).map(|i| 3 * rows[i] + rows[(i + n - 1) % n] + phase).collect();
        want.iter_mut().for_each(|seen| *seen = 31 * *seen + 1 + phase);
    }
    on_each_device(|rt| {
        let start: Vec<u32> = (0..2 * n as u32).map(|k| k * k % 97).collect();
        let mut u = Buffer::<u32, 2>::from_shape([2, n], start).unwrap();
        let (mut seen, mut sum) = (Buffer::zeros(n), Var::new(0));
        rt.submit(rows_in_turn(&mut seen, &mut sum, &mut u)).exec([n, 2, 3]).unwrap();
        assert_eq!(seen.to_vec().unwrap(), want);
        assert_eq!(sum.get().unwrap(), n as u32 * 15);
        assert_eq!(u.to_vec().unwrap()[..n], rows);
    });
}

#[test]
fn phases_take_what_as_many_launches_take() {
    let (n, steps) = (1_000, 30);
    let launch = Duration::from_micros(7);
    let speed = Speed { launch, items_per_second: 1_000_000, ..Speed::default() };
    let took = |run: &dyn Fn(&Runtime, &mut Buffer<u64>)| {
        let config =
            Config { devices: 1, run: Run::Entry, speed: speed.clone(), ..Config::default() };
        let sim = Sim::new(config);
        let rt = Runtime::builder().backend(Arc::new(sim.clone())).build().unwrap();
        let mut x = Buffer::<u64>::filled(n, 1);
        run(&rt, &mut x);
        assert_eq!(sim.counts().launches, steps as u64);
        let took = sim.clock().now();
        (took, x.to_vec().unwrap())
    };
    let phases = took(&|rt, x| {
        rt.submit(step(x).group_by(1)).exec([n, steps]).unwrap();
    });
    let bare = took(&|rt, x| {
        let mut p = rt.pipeline();
        for _ in 0..steps {
            p.push(step(&mut *x).over([n, 1]));
        }
        p.exec().unwrap();
    });
    assert_eq!(phases, bare);
    assert_eq!(phases.0, steps as u32 * (launch + Duration::from_millis(1)));
}

#[test]
fn how_far_phases_are_ahead_is_bounded() {
    for allowed in [64, 4, 1] {
        let ms = Duration::from_millis(1);
        let speed = Speed { kernels: vec![("step".to_owned(), ms)], ..Speed::default() };
        let config = Config { devices: 1, run: Run::Entry, speed, ..Config::default() };
        let sim = Sim::new(config);
        let builder = Runtime::builder().backend(Arc::new(sim.clone()));
        let rt = builder.look_ahead(allowed).build().unwrap();
        let mut x = Buffer::<u64>::zeros(8);
        let begin = sim.clock().now();
        rt.submit(step(&mut x).group_by(1)).exec([8, 300]).unwrap();
        let took = sim.clock().now() - begin;
        assert!((300 * ms..302 * ms).contains(&took), "the device is never idle: {took:?}");
        let launches =
            || sim.calls().into_iter().filter(|call| matches!(call.what, What::Launch { .. }));
        assert_eq!(launches().count(), 300);
        let ahead = |(n, call): (usize, Logged)| {
            let is_done = |other: &Logged| other.span.is_some_and(|span| span.end <= call.at);
            n - launches().filter(is_done).count()
        };
        // Beside the one that it is.
        let most = launches().enumerate().map(ahead).max().unwrap();
        assert!((allowed..2 * allowed).contains(&most), "{most} of {allowed}");
    }
}

/// What a device was ahead with is given up where one of its phases fails: that is said, and the device goes on.
#[test]
fn phases_that_are_ahead_of_one_that_fails_are_given_up() {
    let (n, phases, launch, device) = (8, 40, Kind::Launch, None);
    let wanted: Vec<u64> =
        (0..n as u64).map(|i| (0..phases).fold(0, |x, _| (x * 31 + i) % 65521)).collect();
    for fault in [
        Fault::Fail { call: launch, nth: 20, device },
        Fault::Break { call: launch, nth: 3, device },
        Fault::Break { call: launch, nth: 20, device },
        Fault::Lose { device: 0, after: 25 },
    ] {
        let sim = Sim::new(Config { devices: 1, run: Run::Entry, ..Config::default() });
        let builder = Runtime::builder().backend(Arc::new(sim.clone()));
        let rt = builder.look_ahead(4).build().unwrap();
        let run = |rt: &Runtime| {
            let mut x = Buffer::<u64>::zeros(n);
            rt.submit(step(&mut x).group_by(1)).exec([n, phases]).and_then(|_| x.to_vec())
        };
        sim.inject(fault);
        let error = run(&rt).expect_err("there is no other device");
        assert!(sim.armed().is_empty(), "{fault:?}");
        assert!(matches!(error, Error::DeviceLost { .. } | Error::Driver { .. }), "{error:?}");
        assert!(error.to_string().contains("`step`"), "{error}");
        assert_eq!(run(&rt.recover().unwrap()).unwrap(), wanted, "{fault:?}");
    }
}

#[test]
fn kernels_touch_what_is_theirs() {
    oclgrind::clean(&[
        "a_body_knows_the_number_of_its_phase",
        "a_rod_in_one_launch",
        "a_tree_of_strides_sums",
        "every_item_of_any_space_runs_once",
        "ids_are_those_of_the_list",
        "ids_that_repeat_within_a_phase_are_refused",
        "loops_conditions_and_replays",
        "phases_follow_each_other",
        "reductions_go_through_all_phases",
    ]);
}
