//! What arrays may share: clones, views, halves; and what `swap` makes of them.

use flash::Error;
use flash::prelude::*;

use crate::{add, assert_works, copy, copy_matrix, double, numbers, on_both, total};

#[test]
fn a_clone_is_the_same_array() {
    on_both(|rt| {
        let x = Buffer::from(numbers(100));
        let mut clone = x.clone();
        let error = rt.submit(add(0, &x, &mut clone)).exec([100]).unwrap_err();
        assert!(
            matches!(error, Error::Aliased { kernel: "add", written: "y", other: "x", .. }),
            "{error:?}"
        );
        assert_eq!(x.to_vec().unwrap(), numbers(100), "nothing ran");
        assert_works(rt);
    });
}

#[test]
fn a_reduction_into_what_it_reads() {
    on_both(|rt| {
        let x = Buffer::from(numbers(1));
        let mut sum = x.clone();
        let error = rt.submit(total(&x, &mut sum)).exec([1]).unwrap_err();
        assert!(matches!(error, Error::Aliased { written: "sum", .. }), "{error:?}");
    });
}

#[test]
fn views_that_overlap_and_views_that_do_not() {
    on_both(|rt| {
        let mut x = Buffer::from(numbers(100));
        let left = x.view(0..50);
        let mut over = x.view_mut(49..99);
        let error = rt.submit(copy(&left, &mut over)).exec([50]).unwrap_err();
        assert!(matches!(error, Error::Aliased { .. }), "{error:?}");

        let mut right = x.view_mut(50..100);
        rt.submit(copy(&left, &mut right)).exec([50]).unwrap();
        let expected: Vec<u32> = numbers(50).into_iter().chain(numbers(50)).collect();
        assert_eq!(x.to_vec().unwrap(), expected);
    });
}

#[test]
fn halves_of_a_matrix_side_by_side() {
    on_both(|rt| {
        // Their addresses interleave, and yet no element is in both.
        let mut m = Buffer::from_shape([6, 8], numbers(48)).unwrap();
        let left = m.view((0..6, 0..4));
        let mut right = m.view_mut((0..6, 4..8));
        rt.submit(copy_matrix(&left, &mut right)).exec([4, 6]).unwrap();
        for (k, value) in m.to_vec().unwrap().into_iter().enumerate() {
            assert_eq!(value as usize, k / 8 * 8 + k % 4 + 1);
        }
        let mut over = m.view_mut((0..6, 3..7));
        let error = rt.submit(copy_matrix(&left, &mut over)).exec([4, 6]).unwrap_err();
        assert!(matches!(error, Error::Aliased { .. }), "{error:?}");
    });
}

#[test]
fn halves_of_one_split() {
    on_both(|rt| {
        let mut x = Buffer::from(numbers(10));
        let (low, mut high) = x.split_at_mut(5).unwrap();
        rt.submit(add(100, &low, &mut high)).exec([5]).unwrap();
        assert_eq!(x.to_vec().unwrap(), [1, 2, 3, 4, 5, 107, 109, 111, 113, 115]);
    });
}

#[test]
fn an_odd_number_of_swaps() {
    on_both(|rt| {
        for n in [0_u32, 1, 2, 7] {
            let a = Buffer::from(numbers(10));
            let b = Buffer::from(vec![0; 10]);
            let (other_a, other_b) = (a.clone(), b.clone());
            flash_pipeline! { in rt;
                for _k in 0..n {
                    swap(a, b);
                }
            }
            .exec()
            .unwrap();
            let (ones, zeros) = if n % 2 == 0 { (&a, &b) } else { (&b, &a) };
            assert_eq!(ones.to_vec().unwrap(), numbers(10), "{n} swaps");
            assert_eq!(zeros.to_vec().unwrap(), [0; 10], "{n} swaps");
            // Every handle sees it.
            assert_eq!(other_a.to_vec().unwrap(), a.to_vec().unwrap());
            assert_eq!(other_b.to_vec().unwrap(), b.to_vec().unwrap());
        }
    });
}

#[test]
fn swaps_between_kernels_and_views_of_both() {
    on_both(|rt| {
        let mut a = Buffer::from(numbers(8));
        let mut b = Buffer::from(vec![100; 8]);
        let mut front = a.view_mut(0..4);
        let n = 3_u32;
        flash_pipeline! { in rt;
            for _k in 0..n {
                double(&mut a)[8];
                double(&mut front)[4];
                swap(a, b);
            }
            add(1, &a, &mut b)[8];
        }
        .exec()
        .unwrap();
        let (mut x, mut y): (Vec<u32>, Vec<u32>) = (numbers(8), vec![100; 8]);
        for _ in 0..n {
            x.iter_mut().for_each(|value| *value *= 2);
            x[..4].iter_mut().for_each(|value| *value *= 2);
            std::mem::swap(&mut x, &mut y);
        }
        y.iter_mut().zip(&x).for_each(|(y, x)| *y += x + 1);
        assert_eq!((a.to_vec().unwrap(), b.to_vec().unwrap()), (x, y));
    });
}
