//! Parts of borrowed memory as arguments: they overlap or not, in stages and in one launch.

use flash::Error;
use flash::prelude::*;

use crate::{accumulate, counted, mix, mix_matrix, mixed, on_each_device};

/// What stages do to their parts, one by one.
fn plain(values: &mut [u64]) {
    values[..6].iter_mut().for_each(|x| *x = mixed(*x, 3, 1));
    values[4..].iter_mut().for_each(|x| *x = mixed(*x, 5, 2));
    values[..4].iter_mut().for_each(|x| *x = mixed(*x, 7, 3));
    values[9] += values[3] * values[4];
}

#[test]
fn parts_that_overlap_keep_the_order_of_their_stages() {
    on_each_device(|rt| {
        let mut values = counted(10);
        {
            let mut u = Bound::new(&mut values);
            let mut p = rt.pipeline();
            p.push(mix(3, 1, &mut u.view_mut(..6)).over([6]));
            p.push(mix(5, 2, &mut u.view_mut(4..)).over([6]));
            // It has nothing of what the second one writes.
            p.push(mix(7, 3, &mut u.view_mut(..4)).over([4]));
            let (pair, mut last) = (u.view(3..5), u.view_mut(9..));
            p.push(Task::new("add", (&pair, &mut last), |(pair, mut last)| {
                last[[0]] += pair[[0]] * pair[[1]];
            }));
            let explained = p.explain().unwrap();
            let mut order: Vec<_> =
                explained.order().iter().map(|order| (order.first, order.then)).collect();
            order.sort_unstable();
            assert_eq!(order, [(0, 1), (0, 2), (1, 3), (2, 3)]);
            p.exec().unwrap();
            p.exec().unwrap();
        }
        let mut expected = counted(10);
        (0..2).for_each(|_| plain(&mut expected));
        assert_eq!(values, expected);
    });
}

#[test]
fn what_stands_between_two_parts_stays_the_callers() {
    on_each_device(|rt| {
        let mut values = counted(10);
        {
            let u = Bound::new(&mut values);
            let (from, mut to) = (u.view(1..4), u.view(6..9));
            rt.submit(accumulate(2, &from, &mut to)).exec([3]).unwrap();
        }
        assert_eq!(values, [1, 2, 3, 4, 5, 6, 7 + 4, 8 + 6, 9 + 8, 10]);
    });
}

#[test]
fn one_launch_may_not_write_what_it_has_twice() {
    on_each_device(|rt| {
        let mut values = counted(10);
        {
            let u = Bound::new(&mut values);
            let (from, mut to) = (u.view(..6), u.view(4..));
            let error = rt.submit(accumulate(2, &from, &mut to)).exec([6]).unwrap_err();
            assert!(
                matches!(
                    error,
                    Error::Aliased { kernel: "accumulate", written: "y", other: "x", .. }
                ),
                "{error:?}"
            );
            assert!(error.to_string().contains("borrowed.rs"), "{error}");
            let mut outside = u.view(5..12);
            let error = rt.submit(mix(3, 1, &mut outside)).exec([5]).unwrap_err();
            assert!(matches!(error, Error::Range { .. }), "{error:?}");
            assert!(error.to_string().contains("borrowed.rs"), "{error}");
        }
        assert_eq!(values, counted(10), "nothing ran");
    });
}

#[test]
fn borrowed_memory_as_a_matrix() {
    on_each_device(|rt| {
        let mut values = counted(12);
        {
            let u = Bound::new(&mut values);
            assert!(matches!(u.reshape([5, 3]).unwrap_err(), Error::Shape { .. }));
            let mut right = u.reshape([3, 4]).unwrap().view_mut((.., 2..));
            assert_eq!((right.shape(), right.space()), ([3, 2], [2, 3]));
            let mut p = rt.pipeline();
            p.push(mix_matrix(3, 1, &mut right).over(right.space()));
            let mut row = u.view(4..8);
            p.push(mix(5, 2, &mut row).over([4]));
            assert_eq!(p.explain().unwrap().order().len(), 1);
            p.exec().unwrap();
        }
        let mut expected = counted(12);
        for (at, x) in expected.iter_mut().enumerate() {
            *x = if at % 4 >= 2 { mixed(*x, 3, 1) } else { *x };
            *x = if at / 4 == 1 { mixed(*x, 5, 2) } else { *x };
        }
        assert_eq!(values, expected);
    });
}
