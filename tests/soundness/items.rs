//! What work items and host tasks may try: panics, indices outside, `unsafe` places, too many or
//! too few items.

use flash::Error;
use flash::prelude::*;

use crate::{
    MANY, assert_works, copy, copy_matrix, divide, double, even_only, first_of_rows, gather,
    numbers, on_both, scatter, total,
};

#[test]
fn a_dimension_that_repeats_an_index() {
    on_both(|rt| {
        let x = Buffer::from_shape([3, 4], numbers(12)).unwrap();
        let mut y = Buffer::zeros(3);
        let error = rt.submit(first_of_rows(&x, &mut y)).exec([4, 3]).unwrap_err();
        assert!(
            matches!(
                error,
                Error::Racy { kernel: "first_of_rows", param: "y", dim: 0, extent: 4, .. }
            ),
            "{error:?}"
        );
        assert_eq!(y.to_vec().unwrap(), [0; 3], "nothing ran");
        rt.submit(first_of_rows(&x, &mut y)).exec([1, 3]).unwrap();
        assert_eq!(y.to_vec().unwrap(), [1, 5, 9]);
    });
}

#[test]
fn an_item_that_panics_beside_others() {
    on_both(|rt| {
        let mut values = numbers(MANY);
        values[MANY as usize * 7 / 9] = 0;
        let x = Buffer::from(values);
        let mut y = Buffer::zeros(MANY as usize);
        let error = rt.submit(divide(&x, &mut y)).exec([MANY as usize]).unwrap_err();
        let Error::KernelPanic { kernel: "divide", message, .. } = &error else {
            panic!("{error:?}")
        };
        assert!(message.contains("divide by zero"), "{message}");
        for value in y.to_vec().unwrap() {
            assert!(value <= 1000);
        }
        assert_works(rt);
    });
}

#[flash::kernel]
fn quotients(last: &[u32], #[out] y: &mut [u32]) {
    let i = global_id(0);
    let mut sum = 0_u32;
    for k in 0..64 {
        sum += 1000 / (last[i] ^ k);
    }
    y[i] = sum;
}

#[test]
fn the_item_that_panics_is_the_one_named() {
    let n = 96;
    on_both(|rt| {
        // Bodies with loops run side by side: an early trip of a later item comes before a late
        // trip of an earlier one.
        for bad in [&[37_usize][..], &[0], &[n - 1], &[20, 25], &[25, 20]] {
            let mut last = vec![u32::MAX; n];
            for (at, &item) in bad.iter().enumerate() {
                last[item] = 50 - 40 * at as u32;
            }
            let (x, mut y) = (Buffer::from(last), Buffer::zeros(n));
            let error = rt.submit(quotients(&x, &mut y)).exec([n]).unwrap_err();
            let Error::KernelPanic { kernel: "quotients", item, .. } = &error else {
                panic!("{error:?}")
            };
            assert!(bad.contains(&item[0]), "{error}: {bad:?}");
            assert_works(rt);
        }
    });
}

#[test]
fn an_unsafe_scatter_by_a_permutation() {
    on_both(|rt| {
        let n = MANY / 10;
        let to = Buffer::from((0..n).map(|i| i * 7919 % n).collect::<Vec<_>>());
        let x = Buffer::from(numbers(n));
        let mut y = Buffer::zeros(n as usize);
        rt.submit(scatter(&to, &x, &mut y)).exec([n as usize]).unwrap();
        let y = y.to_vec().unwrap();
        assert!((0..n).all(|i| y[(i * 7919 % n) as usize] == i + 1));
    });
}

#[test]
fn an_unsafe_access_is_checked_on_request() {
    for key in ["ALL_CPU", "SIM"] {
        let rt = Runtime::builder().devices(key).check_all(true).build().unwrap();
        let to = Buffer::from(vec![0, 1, 99, 3]);
        let x = Buffer::from(numbers(4));
        let mut y = Buffer::zeros(4);
        let error = rt.submit(scatter(&to, &x, &mut y)).exec([4]).unwrap_err();
        let Error::OutOfBounds { param: "y", item, index, shape, .. } = &error else {
            panic!("{error:?}")
        };
        assert_eq!((&item[..], &index[..], &shape[..]), (&[2][..], &[99][..], &[4][..]));
        assert_eq!(y.to_vec().unwrap(), [1, 2, 0, 4]);
    }
}

#[test]
fn an_index_outside_reads_zero_and_is_named() {
    on_both(|rt| {
        let from = Buffer::from(vec![3, 4_000_000_000, 0, 17]);
        let x = Buffer::from(numbers(4));
        let mut y = Buffer::from(vec![9; 4]);
        let error = rt.submit(gather(&from, &x, &mut y)).exec([4]).unwrap_err();
        let Error::OutOfBounds { kernel: "gather", param: "x", item, index, shape, .. } = &error
        else {
            panic!("{error:?}")
        };
        assert_eq!((&item[..], &index[..], &shape[..]), (&[1][..], &[4_000_000_000][..], &[4][..]));
        assert_eq!(y.to_vec().unwrap(), [4, 0, 1, 0]);
        assert_works(rt);
    });
}

#[test]
fn more_items_than_elements_write_nothing_outside() {
    on_both(|rt| {
        let x = Buffer::from(numbers(10));
        let mut y = Buffer::from(vec![0; 20]);
        let mut part = y.view_mut(5..13);
        let error = rt.submit(copy(&x, &mut part)).exec([10]).unwrap_err();
        assert!(matches!(error, Error::OutOfBounds { param: "y", .. }), "{error:?}");
        let found = y.to_vec().unwrap();
        assert_eq!(found[5..13], numbers(8));
        assert!(found[..5].iter().chain(&found[13..]).all(|&value| value == 0));
    });
}

#[test]
fn an_out_parameter_that_is_not_covered_keeps_what_was_there() {
    on_both(|rt| {
        let x = Buffer::from(numbers(10));
        let mut y = Buffer::from(vec![77; 10]);
        rt.submit(copy(&x, &mut y)).exec([6]).unwrap();
        assert_eq!(y.to_vec().unwrap(), [1, 2, 3, 4, 5, 6, 77, 77, 77, 77]);

        let mut y = Buffer::from(vec![77; 10]);
        rt.submit(even_only(&x, &mut y)).exec([10]).unwrap();
        assert_eq!(y.to_vec().unwrap(), [77, 2, 77, 4, 77, 6, 77, 8, 77, 10]);

        let mut fresh = Buffer::zeros(10);
        rt.submit(copy(&x, &mut fresh)).exec([3]).unwrap();
        assert_eq!(fresh.to_vec().unwrap(), [1, 2, 3, 0, 0, 0, 0, 0, 0, 0]);
    });
}

#[test]
fn no_items_touch_nothing() {
    on_both(|rt| {
        let x = Buffer::from(numbers(10));
        let mut y = Buffer::from(vec![77; 10]);
        rt.submit(copy(&x, &mut y)).exec([0]).unwrap();
        assert_eq!(y.to_vec().unwrap(), [77; 10]);
        let mut sum = Var::new(5);
        rt.submit(total(&x, &mut sum)).exec([0]).unwrap();
        assert_eq!(sum.get().unwrap(), 0, "a reduction of nothing is its identity");
    });
}

#[test]
fn an_index_space_that_does_not_fit() {
    on_both(|rt| {
        let x = Buffer::from_shape([2, 2], numbers(4)).unwrap();
        let mut y = Buffer::zeros([2, 2]);
        let error = rt.submit(copy_matrix(&x, &mut y)).exec([usize::MAX, 2]).unwrap_err();
        assert!(matches!(error, Error::TooLarge { what: "index space", .. }), "{error:?}");
    });
}

#[test]
fn a_host_task_that_panics() {
    on_both(|rt| {
        let mut x = Buffer::from(numbers(10));
        let mut pipeline = rt.pipeline();
        pipeline.push(double(&mut x).over([10]));
        pipeline.push(Task::new("bad", (&x,), |(_x,)| -> () { panic!("no luck") }));
        pipeline.push(double(&mut x).over([10]));
        let error = pipeline.exec().unwrap_err();
        let Error::HostTaskPanic { task: "bad", message, .. } = &error else { panic!("{error:?}") };
        assert_eq!(&**message, "no luck");
        // What came after was cancelled, or did not wait for it as it uses other memory.
        let may_run = rt.devices()[0].space().is_some();
        assert!([2, if may_run { 4 } else { 2 }].contains(&x.get(0).unwrap()));
        assert_works(rt);
    });
}

#[test]
fn an_unknown_device_lists_those_that_exist() {
    let error = Runtime::open("NVIDIA_GPU").unwrap_err();
    let Error::NoDevice { asked, existing } = &error else { panic!("{error:?}") };
    assert_eq!(asked, "NVIDIA_GPU");
    assert!(existing.contains("ALL_CPU") && existing.contains("SIM"), "{existing}");
}
