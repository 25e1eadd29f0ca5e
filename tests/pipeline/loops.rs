//! Loops: nesting, the variable in every place it may stand, swaps.

use flash::prelude::*;

use crate::{accumulate, counted, mix, mix_matrix, mixed, on_each_device};

const N: usize = 300;

#[test]
fn the_variable_is_an_argument() {
    on_each_device(|rt| {
        let mut x = Buffer::from(counted(N as u64));
        flash_pipeline! { in rt;
            for step in 3..7 { mix(step, step * step + 1, &mut x)[N]; }
        }
        .exec()
        .unwrap();
        let expected: Vec<u64> = counted(N as u64)
            .into_iter()
            .map(|x| (3..7).fold(x, |x, step| mixed(x, step, step * step + 1)))
            .collect();
        assert_eq!(x.to_vec().unwrap(), expected);
    });
}

#[test]
fn loops_nest_and_inner_bounds_follow_outer_variables() {
    on_each_device(|rt| {
        let mut x = Buffer::from(counted(N as u64));
        flash_pipeline! { in rt;
            for i in 1..4_u64 {
                mix(7, i, &mut x)[N];
                for j in i..=2 * i {
                    for _ in 0..2 { mix(i + 2, j, &mut x)[N]; }
                }
                mix(5, 10 * i, &mut x)[N];
            }
        }
        .exec()
        .unwrap();
        let program = |mut x: u64| {
            for i in 1..4 {
                x = mixed(x, 7, i);
                for j in i..=2 * i {
                    for _ in 0..2 {
                        x = mixed(x, i + 2, j);
                    }
                }
                x = mixed(x, 5, 10 * i);
            }
            x
        };
        let expected: Vec<u64> = counted(N as u64).into_iter().map(program).collect();
        assert_eq!(x.to_vec().unwrap(), expected);
    });
}

#[test]
fn negative_and_narrow_variables() {
    on_each_device(|rt| {
        let mut x = Buffer::from(counted(4));
        flash_pipeline! { in rt;
            for i in -3..=2_i8 { mix(3, (i as i64 + 10) as u64, &mut x)[4]; }
            for i in 250..=255_u8 { mix(2, u64::from(i), &mut x)[4]; }
            for _ in 5..5 { mix(1, 1, &mut x)[4]; }
            for _ in 5..2_i32 { mix(1, 2, &mut x)[4]; }
        }
        .exec()
        .unwrap();
        let program = |x: u64| {
            let x = (-3..=2_i64).fold(x, |x, i| mixed(x, 3, (i + 10) as u64));
            (250..=255).fold(x, |x, i| mixed(x, 2, i))
        };
        assert_eq!(x.to_vec().unwrap(), [1, 2, 3, 4].map(program));
    });
}

#[test]
fn the_variable_is_in_the_space() {
    on_each_device(|rt| {
        let mut x = Buffer::from(counted(8));
        let mut m = Buffer::<u64, 2>::zeros([5, 6]);
        flash_pipeline! { in rt;
            for n in 0..=8 { mix(3, 1, &mut x)[n]; }
            for k in 1..=5 { mix_matrix(2, 1, &mut m)[k + 1, k]; }
        }
        .exec()
        .unwrap();
        // Element i is inside the spaces of n = i + 1 to 8.
        let program = |i: usize| (i + 1..=8).fold(i as u64 + 1, |x, _| mixed(x, 3, 1));
        assert_eq!(x.to_vec().unwrap(), (0..8).map(program).collect::<Vec<_>>());
        let inside = |j: usize, i: usize| (1..=5).filter(|&k| i < k + 1 && j < k).count();
        let program = |k: usize| (0..inside(k / 6, k % 6)).fold(0, |x, _| mixed(x, 2, 1));
        assert_eq!(m.to_vec().unwrap(), (0..30).map(program).collect::<Vec<_>>());
    });
}

#[test]
fn the_variable_is_an_offset_of_a_view() {
    on_each_device(|rt| {
        let film = Buffer::<u64, 2>::from_shape([4, 10], counted(40)).unwrap();
        let out = Buffer::<u64, 2>::zeros([4, 10]);
        flash_pipeline! { in rt;
            for frame in 0..4 { accumulate(frame as u64 + 1, &film.at(frame), &mut out.at(3 - frame))[10]; }
        }
        .exec()
        .unwrap();
        let expected: Vec<u64> =
            (0..4).rev().flat_map(|f| (1..=10).map(move |i| (f + 1) * (10 * f + i))).collect();
        assert_eq!(out.to_vec().unwrap(), expected);
    });
}

#[test]
fn a_view_offset_outside_is_an_error_and_earlier_trips_stand() {
    on_each_device(|rt| {
        let film = Buffer::<u64, 2>::from_shape([3, 4], counted(12)).unwrap();
        let result = flash_pipeline! { in rt;
            for frame in 1..5 { mix(2, 0, &mut film.at(frame))[4]; }
        }
        .exec();
        assert!(matches!(result, Err(flash::Error::Range { .. })), "{result:?}");
        let expected = [1, 2, 3, 4, 10, 12, 14, 16, 18, 20, 22, 24];
        assert_eq!(film.to_vec().unwrap(), expected);
    });
}

#[test]
fn swap_holds_after_odd_and_even_trips() {
    for trips in 0..5_u32 {
        on_each_device(|rt| {
            let (mut a, mut b) = (Buffer::from(counted(50)), Buffer::from(vec![0; 50]));
            flash_pipeline! { in rt;
                for t in 0..trips {
                    accumulate(u64::from(t) + 2, &a, &mut b)[50];
                    swap(a, b);
                }
                mix(3, 1, &mut a)[50];
            }
            .exec()
            .unwrap();
            let (mut p, mut q) = (counted(50), vec![0; 50]);
            for t in 0..trips {
                for (q, p) in q.iter_mut().zip(&p) {
                    *q = (*q + (u64::from(t) + 2) * p) % 65521;
                }
                std::mem::swap(&mut p, &mut q);
            }
            for p in &mut p {
                *p = mixed(*p, 3, 1);
            }
            assert_eq!(a.to_vec().unwrap(), p, "{trips} trips");
            assert_eq!(b.to_vec().unwrap(), q, "{trips} trips");
        });
    }
}

#[test]
fn the_same_program_by_push() {
    on_each_device(|rt| {
        let build = |by_macro: bool| {
            let film = Buffer::<u64, 2>::from_shape([4, 10], counted(40)).unwrap();
            let (mut a, mut b) = (Buffer::from(counted(10)), Buffer::from(vec![1; 10]));
            if by_macro {
                flash_pipeline! { in rt;
                    for f in 0..4 {
                        accumulate(f as u64, &film.at(f), &mut a)[10];
                        for k in 0..f { mix(k as u64 + 2, f as u64, &mut b)[10 - k]; }
                        swap(a, b);
                    }
                }
                .exec()
                .unwrap();
            } else {
                let mut p = rt.pipeline();
                for f in 0..4 {
                    p.push(accumulate(f as u64, film.at(f), &mut a).over([10]));
                    for k in 0..f {
                        p.push(mix(k as u64 + 2, f as u64, &mut b).over([10 - k]));
                    }
                    p.swap(&a, &b);
                }
                p.exec().unwrap();
            }
            (a.to_vec().unwrap(), b.to_vec().unwrap())
        };
        assert_eq!(build(true), build(false));
    });
}

#[test]
fn the_chain_repeats() {
    on_each_device(|rt| {
        let mut x = Buffer::from(counted(N as u64));
        rt.submit(mix(3, 1, &mut x))
            .defer([N])
            .submit(mix(5, 2, &mut x))
            .defer([N])
            .repeat(4)
            .exec()
            .unwrap();
        let program = |x: u64| (0..4).fold(x, |x, _| mixed(mixed(x, 3, 1), 5, 2));
        let expected: Vec<u64> = counted(N as u64).into_iter().map(program).collect();
        assert_eq!(x.to_vec().unwrap(), expected);
    });
}
