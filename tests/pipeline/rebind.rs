//! Kept pipelines that get other arrays and other scalars between runs.

use flash::Error;
use flash::prelude::*;

use crate::{accumulate, counted, maximum, mix, mixed, on_each_device};

/// Adds along the first dimension, whose items all write the same place.
#[flash::kernel(rank = 2)]
fn add_up(y: &mut [u64]) {
    let j = global_id(1);
    y[j] = y[j] + 1;
}

#[test]
fn every_use_of_an_array_becomes_one_of_the_other() {
    on_each_device(|rt| {
        let film = || Buffer::<u64, 2>::from_shape([3, 4], counted(12)).unwrap();
        let (first, second) = (film(), film());
        second.set([1, 1], 1000).unwrap();
        let (mut sum, mut largest) = (Buffer::<u64>::zeros(4), Var::new(0_u64));
        let mut p = flash_pipeline! { in rt;
            for frame in 0..3 { accumulate(1, &first.at(frame), &mut sum)[4]; }
            maximum(first.row(1), &mut largest)[4];
        };
        p.push(Task::new("mark", (&mut first.clone(),), |(mut first,)| first[[2, 3]] = 500));
        for (old, new, expected) in
            [(&first, &first, [15, 18, 21, 24]), (&first, &second, [15, 1012, 21, 24])]
        {
            p.rebind(old, new).unwrap();
            sum.fill(0).unwrap();
            p.exec().unwrap();
            assert_eq!(sum.to_vec().unwrap(), expected);
            assert_eq!(new.get([2, 3]).unwrap(), 500);
        }
        assert_eq!(largest.get().unwrap(), 1000);
        first.set([2, 3], 12).unwrap();
        p.exec().unwrap();
        assert_eq!(first.get([2, 3]).unwrap(), 12, "it is not used any more");
        // And back, without the handles of the macro.
        p.rebind(&second, &first).unwrap().exec().unwrap();
        assert_eq!(first.get([2, 3]).unwrap(), 500);
    });
}

#[test]
fn cells_are_rebound_where_they_decide() {
    on_each_device(|rt| {
        let mut x = Buffer::from(counted(8));
        let (n, trips, go) = (Var::new(8_usize), Var::new(2_u64), Var::new(true));
        let mut p = flash_pipeline! { in rt;
            for k in 0..&trips { mix(3, k, &mut x)[&n]; }
            if &go { mix(5, 1, &mut x)[8]; }
        };
        p.exec().unwrap();
        let (less, once, stop) = (Var::new(3_usize), Var::new(1_u64), Var::new(false));
        p.rebind(&n, &less).unwrap().rebind(&trips, &once).unwrap();
        p.rebind(&go, &stop).unwrap().exec().unwrap();
        let expected = (1..=8).map(|x| {
            let first = mixed(mixed(mixed(x, 3, 0), 3, 1), 5, 1);
            if x <= 3 { mixed(first, 3, 0) } else { first }
        });
        assert_eq!(x.to_vec().unwrap(), expected.collect::<Vec<_>>());
    });
}

#[test]
fn a_scalar_that_is_a_cell_is_read_at_each_dispatch() {
    on_each_device(|rt| {
        let mut x = Buffer::from(counted(4));
        let factor = Var::new(2_u64);
        let mut p =
            flash_pipeline! { in rt; mix(&factor, 1, &mut x)[4]; mix(&factor, 2, &mut x)[4]; };
        let mut expected = counted(4);
        for a in [2, 5, 1, 9] {
            factor.set(a).unwrap();
            p.exec().unwrap();
            expected.iter_mut().for_each(|x| *x = mixed(mixed(*x, a, 1), a, 2));
            assert_eq!(x.to_vec().unwrap(), expected);
        }
    });
}

#[test]
fn an_array_that_is_used_already_makes_another_order() {
    on_each_device(|rt| {
        let [a, b, c] = [(); 3].map(|()| Buffer::from(counted(6)));
        let (mut x, mut y) = (a.clone(), b.clone());
        let mut p = flash_pipeline! { in rt;
            accumulate(2, &c, &mut x)[6];
            accumulate(3, &c, &mut y)[6];
            mix(3, 1, &mut x)[6];
        };
        assert_eq!(p.explain().unwrap().order().len(), 1);
        p.exec().unwrap();
        // Now all three change `a`.
        p.rebind(&b, &a).unwrap();
        assert_eq!(p.explain().unwrap().order().len(), 3 - 1);
        a.copy_from_slice(&counted(6)).unwrap();
        p.exec().unwrap();
        let expected: Vec<u64> = (1..=6).map(|x| mixed(x + 2 * x + 3 * x, 3, 1)).collect();
        assert_eq!(a.to_vec().unwrap(), expected);
    });
}

#[test]
fn what_cannot_be_is_refused_and_changes_nothing() {
    on_each_device(|rt| {
        let (a, b) = (Buffer::from(counted(6)), Buffer::from(counted(6)));
        let mut to = b.clone();
        let mut p = flash_pipeline! { in rt; accumulate(2, &a, &mut to)[6]; };
        p.exec().unwrap();

        let error = p.rebind(&a, &Buffer::zeros(5)).unwrap_err();
        let text = error.to_string();
        let remedy = "needs a pipeline of its own";
        for part in ["`x` of `accumulate`", remedy, "[6]", "[5]", "rebind.rs"] {
            assert!(text.contains(part), "{text}");
        }
        assert!(matches!(error, Error::Shape { .. }));

        let error = p.rebind(&a, &b).unwrap_err();
        assert!(
            matches!(error, Error::Aliased { kernel: "accumulate", written: "y", other: "x", .. }),
            "{error}"
        );
        let error = p.rebind(&Buffer::<u64>::zeros(6), &b).unwrap_err();
        assert!(matches!(error, Error::NotBound { .. }), "{error}");
        assert!(error.to_string().contains("rebind.rs"), "{error}");

        p.exec().unwrap();
        assert_eq!(b.to_vec().unwrap(), (1..=6).map(|x| 5 * x).collect::<Vec<_>>());
        assert_eq!(a.to_vec().unwrap(), counted(6));
    });
}

#[test]
fn a_plan_is_kept_over_many_arrays() {
    on_each_device(|rt| {
        let arrays: Vec<Buffer<u64>> = (0..20).map(|k| Buffer::from(vec![k; 5])).collect();
        let mut x = arrays[0].clone();
        let mut p = flash_pipeline! { in rt; for k in 0..3 { mix(3, k, &mut x)[5]; } };
        p.exec().unwrap();
        for two in arrays.windows(2) {
            p.rebind(&two[0], &two[1]).unwrap().exec().unwrap();
        }
        for (k, array) in arrays.iter().enumerate() {
            let expected = (0..3).fold(k as u64, |x, k| mixed(x, 3, k));
            assert_eq!(array.to_vec().unwrap(), [expected; 5]);
        }
    });
}

/// A cell decides how many items write one place: more than one after it is rebound, and one again.
#[test]
fn a_launch_that_races_with_another_cell_is_refused() {
    on_each_device(|rt| {
        let mut y = Buffer::from(counted(3));
        let [one, three, four] = [1, 3, 4].map(Var::<usize>::new);
        let mut p = flash_pipeline! { in rt; add_up(&mut y)[&one, &three]; };
        p.exec().unwrap();
        p.rebind(&one, &four).unwrap();
        let error = p.exec().unwrap_err();
        assert!(
            matches!(error, Error::Racy { kernel: "add_up", param: "y", dim: 0, extent: 4, .. }),
            "{error:?}"
        );
        assert!(error.to_string().contains("rebind.rs"), "{error}");
        assert_eq!(y.to_vec().unwrap(), [2, 3, 4], "nothing ran");
        p.rebind(&four, &one).unwrap().exec().unwrap();
        assert_eq!(y.to_vec().unwrap(), [3, 4, 5]);
    });
}

/// Rows of two arrays that become one: other rows are no conflict, the same row is.
#[test]
fn rows_that_a_loop_chooses_are_compared_again() {
    on_each_device(|rt| {
        for (add, expected) in [(1, Some([1, 2, 3 + 2, 4 + 4, 5 + 2 * 5, 6 + 2 * 8])), (0, None)] {
            let film = || Buffer::<u64, 2>::from_shape([3, 2], counted(6)).unwrap();
            let (from, to) = (film(), film());
            let mut p = rt.pipeline();
            let k = p.begin_for(0..2_usize);
            let row =
                |add: usize| flash_rt::lazy::Lazy(move |env: &flash_rt::Env| k.get(env) + add);
            p.push(accumulate(2, &from.at_lazy(row(0)), &mut to.at_lazy(row(add))).over([2]));
            p.end_for();
            p.exec().unwrap();
            to.copy_from_slice(&counted(6)).unwrap();
            let result = p.rebind(&from, &to).map(drop).and_then(|()| p.exec());
            match expected {
                Some(expected) => {
                    result.unwrap();
                    assert_eq!(to.to_vec().unwrap(), expected);
                }
                None => {
                    let error = result.unwrap_err();
                    assert!(
                        matches!(error, Error::Aliased { kernel: "accumulate", written: "y", .. }),
                        "{error:?}"
                    );
                    assert!(error.to_string().contains("rebind.rs"), "{error}");
                    assert_eq!(to.to_vec().unwrap(), counted(6), "nothing ran");
                }
            }
        }
    });
}

/// The limit of a `while` is a cell like any other.
#[test]
fn a_limit_is_rebound() {
    on_each_device(|rt| {
        let mut x = Buffer::from(counted(3));
        let (on, few, more) = (Var::new(true), Var::new(2_u64), Var::new(5_u64));
        let mut p = flash_pipeline! { in rt; while &on, max &few { mix(2, 0, &mut x)[3]; } };
        for (limit, factor) in [(&few, 4), (&more, 4 * 32)] {
            p.rebind(&few, limit).unwrap();
            let error = p.exec().unwrap_err();
            assert!(matches!(error, Error::Endless { .. }), "{error}");
            assert_eq!(x.to_vec().unwrap(), [factor, 2 * factor, 3 * factor]);
        }
    });
}

/// Who writes what limits a `while` comes before it, also where the two were different cells.
#[test]
fn a_limit_that_is_written_after_it_was_rebound_makes_another_order() {
    for key in ["ALL_CPU", "SIM"] {
        let rt = Runtime::builder().devices(key).dataflow(true).build().unwrap();
        let (mut x, mut a, limit) = (Buffer::from(counted(3)), Var::new(0_u64), Var::new(5_u64));
        let mut p = rt.pipeline();
        p.push(Task::new("set", (&mut a,), |(a,)| *a = 10));
        p.begin_while(flash_rt::trip::<u64>().lt(8_u64), &limit);
        p.push(mix(2, 0, &mut x).over([3])).end_while();
        assert_eq!(p.explain().unwrap().order(), []);
        assert!(matches!(p.exec(), Err(Error::Endless { max: 5, .. })));
        p.rebind(&a, &limit).unwrap();
        assert_eq!(p.explain().unwrap().order().len(), 1);
        x.copy_from_slice(&counted(3)).unwrap();
        p.exec().unwrap();
        assert_eq!((limit.get().unwrap(), x.to_vec().unwrap()), (10, vec![256, 512, 768]));
    }
}
