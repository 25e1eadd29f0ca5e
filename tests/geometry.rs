//! Work-groups that a call asks for: checked before anything runs, said by `explain()`, kept to the
//! limits of a device, and without effect on a result.
#![allow(clippy::unwrap_used, reason = "a test fails by unwrapping")]

use std::sync::Arc;

use flash::prelude::*;
use flash::{Call, Error, Groups};
use flash_rt::sim::{Asked, Config, Of, Sim, What};

#[flash::kernel(part_by)]
fn scale(k: u64, x: View<'_, u64, 2>, #[out] y: ViewMut<'_, u64, 2>) {
    let (i, j) = (global_id(0), global_id(1));
    y[[j, i]] = k * x[[j, i]] + phase() as u64;
}

type Planar = Call<'static, 2>;

/// The CPU, a device without work-groups, and two with, of which the second has larger ones.
fn runtimes() -> [Runtime; 3] {
    let groups = |items| Some(Groups { items, along: [items; 3], shared: 4_096 });
    let sim = |groups| Arc::new(Sim::new(Config { devices: 1, groups, ..Config::default() }));
    [
        Runtime::builder().devices("ALL_CPU").threads(2).build().unwrap(),
        Runtime::builder().backend(sim(None)).build().unwrap(),
        Runtime::builder().backend(sim(groups(64))).build().unwrap(),
    ]
}

fn call(
    rt: &Runtime,
    how: impl Fn(Planar) -> Planar,
    space: [usize; 2],
) -> flash::Result<Vec<u64>> {
    let x = Buffer::<u64, 2>::from_shape([7, 10], (0..70).collect::<Vec<_>>())?;
    let mut y = Buffer::<u64, 2>::zeros([7, 10]);
    rt.submit(how(scale(3, &x, &mut y))).exec(space)?;
    y.to_vec()
}

fn explained(rt: &Runtime, how: impl Fn(Planar) -> Planar) -> String {
    let (x, mut y) = (Buffer::<u64, 2>::zeros([7, 10]), Buffer::<u64, 2>::zeros([7, 10]));
    let mut pipeline = rt.pipeline();
    pipeline.push(how(scale(3, &x, &mut y)).over([10, 7]));
    pipeline.explain().unwrap().to_string()
}

#[test]
fn work_groups_change_no_result() {
    let wanted: Vec<u64> = (0..70).map(|i| 3 * i).collect();
    let ways: [fn(Planar) -> Planar; 6] = [
        |call| call.block([4, 2]),
        |call| call.block([64]),
        |call| call.grid([3, 4]).block([4, 2]).shared(1_024),
        |call| call.grid([5]),
        |call| call.shared(4_096).partitions(2),
        |call| call.block([1, 7]).grid([1_000, 1]).partitions(3),
    ];
    for rt in runtimes() {
        for how in ways {
            assert_eq!(call(&rt, how, [10, 7]).unwrap(), wanted);
        }
        let grouped = call(&rt, |call| call.group_by(1).block([4, 2]), [10, 7]).unwrap();
        let wanted: Vec<u64> = (0..70).map(|i| 3 * i + i / 10).collect();
        assert_eq!(grouped, wanted);
        // The last one given holds.
        call(&rt, |call| call.block([0]).block([8, 8]), [10, 7]).unwrap();
    }
}

#[test]
fn what_cannot_be_is_refused_on_every_device() {
    let refused = |how: fn(Planar) -> Planar, words: &str| {
        for rt in runtimes() {
            let error = call(&rt, how, [10, 7]).unwrap_err();
            assert!(matches!(error, Error::Geometry { kernel: "scale", .. }), "{error}");
            assert!(error.to_string().contains(words), "{error}");
        }
    };
    refused(|call| call.block([4, 0]), "`block` [4, 0] is empty");
    refused(|call| call.grid([0]), "`grid` [0] is empty");
    refused(|call| call.block([]), "has 0 extents");
    refused(|call| call.block([2, 2, 2]), "which has 2");
    refused(|call| call.grid([1, 1, 1, 1]), "has 4 extents");
    refused(|call| call.block([1 << 16, 1 << 16]), "more than 4294967295 items");
    refused(|call| call.block([usize::MAX, 2]), "more than 4294967295 items");
    refused(|call| call.grid([1 << 31, 1]), "too large");
    refused(|call| call.shared(1 << 32), "4294967296 bytes");
    // 9 of 10 items, and 10 of them in one line of 7.
    refused(|call| call.grid([3, 7]).block([3, 1]), "3 groups of 3 items are 9 in dimension 0");
    refused(|call| call.grid([3]).block([4]), "1 groups of 1 items are 1 in dimension 1");
    // What covers more than can be counted covers the space.
    let far = (1 << 31) - 1;
    for rt in runtimes() {
        call(&rt, |call| call.grid([far, 7]).block([4, 1]), [10, 7]).unwrap();
        // Without items there is nothing to cover.
        call(&rt, |call| call.grid([1]).block([1]), [0, 0]).unwrap();
    }
}

#[test]
fn limits_are_those_of_a_device() {
    let [cpu, plain, limited] = runtimes();
    for rt in [&cpu, &plain] {
        call(rt, |call| call.block([32, 32]).shared(1 << 20), [10, 7]).unwrap();
    }
    let error = call(&limited, |call| call.block([32, 32]), [10, 7]).unwrap_err();
    assert!(matches!(error, Error::NoImplementation { .. }), "{error}");
    assert!(error.to_string().contains("1024 items is asked for, and it takes 64"), "{error}");
    let error = call(&limited, |call| call.shared(5_000), [10, 7]).unwrap_err();
    assert!(error.to_string().contains("a work-group has 4096"), "{error}");
    let groups = Some(Groups { items: 64, along: [64, 4, 64], shared: 0 });
    let flat = Arc::new(Sim::new(Config { devices: 1, groups, ..Config::default() }));
    let flat = Runtime::builder().backend(flat).build().unwrap();
    call(&flat, |call| call.block([8, 4]), [10, 7]).unwrap();
    let error = call(&flat, |call| call.block([1, 5]), [10, 7]).unwrap_err();
    assert!(matches!(error, Error::NoImplementation { kernel: "scale", .. }), "{error}");
    assert!(error.to_string().contains("5 items of a work-group are asked for in dimension 1"));

    // Where another device can, it does.
    let groups = Some(Groups { items: 64, along: [64; 3], shared: 0 });
    let sim = Sim::new(Config { devices: 1, groups, ..Config::default() });
    let builder = Runtime::builder().backend(Arc::new(sim)).devices("ALL_CPU").threads(1);
    let rt = builder.round_robin(true).build().unwrap();
    let (x, mut y) = (Buffer::<u64, 2>::filled([7, 10], 2), Buffer::<u64, 2>::zeros([7, 10]));
    let mut pipeline = rt.pipeline();
    for _ in 0..2 {
        pipeline.push(scale(3, &x, &mut y).block([10, 7]).over([10, 7]));
    }
    let report = pipeline.exec().unwrap();
    assert_eq!(report.fallbacks().len(), 1, "{:?}", report.fallbacks());
    assert_eq!(y.to_vec().unwrap(), [6; 70]);
}

#[test]
fn what_is_asked_for_is_explained() {
    let [cpu, _, limited] = runtimes();
    let how = |call: Planar| call.block([4, 2]).shared(256);
    let text = explained(&cpu, how);
    let said = "work-groups of [4, 2], [3, 4] of them, 256 bytes shared";
    assert!(text.contains(&format!("{said}, of no effect: the device has none")), "{text}");
    let text = explained(&limited, how);
    assert!(text.contains(said) && !text.contains("no effect"), "{text}");
    let text = explained(&limited, |call| call.grid([5, 7]));
    assert!(text.contains("work-groups of a size the device chooses, [5, 7] of them"), "{text}");
    assert!(!explained(&limited, |call| call).contains("work-groups"), "nothing was asked for");
}

/// What devices are asked for, in the order of their launches: device, items, phase, part.
fn launches(sim: &Sim) -> Vec<(usize, u64, Of, Asked)> {
    let calls = sim.calls().into_iter();
    let launch = |call: flash_rt::sim::Call| match call.what {
        What::Launch { items, of, groups, .. } => Some((call.device, items, of, groups)),
        _ => None,
    };
    calls.filter_map(launch).collect()
}

#[test]
fn each_phase_and_part_is_asked_for_the_work_groups_of_the_call() {
    let asked = Asked { grid: [5, 1, 0], block: [2, 7, 0], shared: 256 };
    let run = |how: fn(Planar) -> Planar| {
        let groups = Some(Groups { items: 64, along: [64; 3], shared: 4_096 });
        let sim = Sim::new(Config { devices: 2, groups, ..Config::default() });
        let rt = Runtime::builder().backend(Arc::new(sim.clone())).build().unwrap();
        call(&rt, |call| how(call.grid([5, 1]).block([2, 7]).shared(256)), [10, 7]).unwrap();
        launches(&sim)
    };
    let of = |phase, partition| Of { phase, partition };
    assert_eq!(run(|call| call.pin(0)), [(0, 70, of(0, 0), asked)]);
    // Parts are cut along the slowest dimension: three rows and four.
    let parts = run(|call| call.partitions(2));
    assert_eq!(parts, [(0, 40, of(0, 0), asked), (1, 30, of(0, 1), asked)]);
    let phases: Vec<_> = (0..7).map(|phase| (0, 10, of(phase, 0), asked)).collect();
    assert_eq!(run(|call| call.group_by(1).pin(0)), phases);
    let both = (0..7).flat_map(|phase| (0..2).map(move |part| (part, 5, of(phase, part), asked)));
    assert_eq!(run(|call| call.group_by(1).partitions(2)), both.collect::<Vec<_>>());
    // Nothing is said where nothing is asked for.
    let sim = Sim::new(Config { devices: 1, ..Config::default() });
    let rt = Runtime::builder().backend(Arc::new(sim.clone())).build().unwrap();
    call(&rt, |call| call, [10, 7]).unwrap();
    assert_eq!(launches(&sim), [(0, 70, Of::default(), Asked::default())]);
}

#[test]
fn a_grid_covers_the_items_of_a_phase_and_no_more() {
    for rt in runtimes() {
        let how = |call: Planar| call.grid([5, 1]).block([2, 1]);
        let error = call(&rt, how, [10, 7]).unwrap_err().to_string();
        assert!(error.contains("1 groups of 1 items are 1 in dimension 1"), "{error}");
        let rows = call(&rt, |call| how(call.group_by(1)), [10, 7]).unwrap();
        assert_eq!(rows[69], 3 * 69 + 6);
        let narrow = |call: Planar| call.group_by(1).grid([4, 1]).block([2, 1]);
        let error = call(&rt, narrow, [10, 7]).unwrap_err().to_string();
        assert!(error.contains("the items of a phase take 10 there"), "{error}");
    }
}
