//! Decisions and loops on conditions as `flash_pipeline!` writes them.

use std::sync::Mutex;

use flash::Error;
use flash::prelude::*;

use crate::{accumulate, counted, maximum, mix, mixed, on_each_device};

/// s ← sum of x
#[flash::kernel]
fn total(x: &[u64], #[reduce(+)] s: &mut u64) {
    *s += x[global_id(0)];
}

#[flash::host_task]
fn record(x: &[u64], step: u64, log: &Mutex<Vec<(u64, u64)>>) {
    log.lock().unwrap().push((step, x[0]));
}

#[test]
fn a_loop_variable_decides() {
    on_each_device(|rt| {
        let log = Mutex::new(Vec::new());
        let mut x = Buffer::from(counted(3));
        let verbose = true;
        flash_pipeline! { in rt;
            for step in 0..10_u64 {
                mix(3, step, &mut x)[3];
                if step % 4 == 3 && verbose { record(&x, step, &log); }
                else if step == 0 || step << 1 >= 16 { mix(2, 1, &mut x)[3]; }
                else if !(step != 5) { mix(5, 5, &mut x)[3]; }
            }
        }
        .exec()
        .unwrap();
        let mut y = 1;
        let mut expected = Vec::new();
        for step in 0..10 {
            y = mixed(y, 3, step);
            if step % 4 == 3 {
                expected.push((step, y));
            } else if step == 0 || step >= 8 {
                y = mixed(y, 2, 1);
            } else if step == 5 {
                y = mixed(y, 5, 5);
            }
        }
        assert_eq!(log.into_inner().unwrap(), expected);
        assert_eq!(x.get(0).unwrap(), y);
    });
}

#[test]
fn a_kernel_decides() {
    on_each_device(|rt| {
        let mut x = Buffer::from(counted(8));
        let mut y = Buffer::from(counted(8));
        let mut sum = Var::new(0_u64);
        flash_pipeline! { in rt;
            for k in 0..6_u64 {
                total(&x, &mut sum)[8];
                if &sum > 100_000 { mix(1, 7, &mut y)[8]; }
                else { mix(3, k, &mut x)[8]; }
            }
        }
        .exec()
        .unwrap();
        let (mut a, mut b) = (counted(8), counted(8));
        for k in 0..6 {
            let large = a.iter().sum::<u64>() > 100_000;
            let (of, by, plus) = if large { (&mut b, 1, 7) } else { (&mut a, 3, k) };
            of.iter_mut().for_each(|v| *v = mixed(*v, by, plus));
        }
        assert_eq!((x.to_vec().unwrap(), y.to_vec().unwrap()), (a, b));
    });
}

#[test]
fn while_runs_until_a_kernel_says_so() {
    on_each_device(|rt| {
        let (a, mut b) = (Buffer::from(counted(6)), Buffer::from(vec![0; 6]));
        let mut largest = Var::new(6_u64);
        let mut p = flash_pipeline! { in rt;
            while &largest < 5_000, max 100 {
                accumulate(2, &a, &mut b)[6];
                maximum(&b, &mut largest)[6];
                swap(a, b);
            }
        };
        p.exec().unwrap();
        let (mut c, mut d) = (counted(6), vec![0; 6]);
        let (mut max, mut trips) = (6, 0);
        while max < 5_000 {
            d.iter_mut().zip(&c).for_each(|(d, c)| *d = (*d + 2 * c) % 65521);
            max = *d.iter().max().unwrap();
            std::mem::swap(&mut c, &mut d);
            trips += 1;
        }
        assert!(trips > 5);
        assert_eq!((a.to_vec().unwrap(), b.to_vec().unwrap()), (c, d));
        assert_eq!(largest.get().unwrap(), max);
        // The condition is false already.
        assert_eq!(p.exec().unwrap().kernel("maximum").unwrap().count, 0);
    });
}

#[test]
fn while_that_does_not_end_is_an_error_at_its_place() {
    on_each_device(|rt| {
        let on = Var::new(true);
        let mut x = Buffer::from(counted(3));
        let error = flash_pipeline! { in rt;
            while &on, max 7 { mix(2, 0, &mut x)[3]; }
        }
        .exec()
        .unwrap_err();
        match error {
            Error::Endless { site, max: 7 } => assert!(site.file().ends_with("control.rs")),
            other => panic!("{other}"),
        }
        assert_eq!(x.to_vec().unwrap(), [128, 256, 384]);
    });
}

#[test]
fn bounds_and_spaces_come_from_cells() {
    on_each_device(|rt| {
        let (trips, mut first) = (Var::new(4_u32), Var::new(0_u64));
        let n = Var::new(2_usize);
        let mut x = Buffer::from(counted(4));
        let mut p = flash_pipeline! { in rt;
            for k in 1..=&trips { mix(2, u64::from(k), &mut x)[&n]; }
            maximum(&x, &mut first)[1];
            for _ in 0..&first { mix(1, 1, &mut x)[1]; }
        };
        p.exec().unwrap();
        let grown = |v: u64| (1..=4).fold(v, |v, k| mixed(v, 2, k));
        let mut expected = vec![2 * grown(1), grown(2), 3, 4];
        assert_eq!(x.to_vec().unwrap(), expected);
        trips.set(0).unwrap();
        n.set(4).unwrap();
        p.exec().unwrap();
        expected[0] *= 2;
        assert_eq!(x.to_vec().unwrap(), expected);
    });
}

#[test]
fn calls_carry_their_own_conditions() {
    on_each_device(|rt| {
        let (p, q) = (Var::new(true), Var::new(false));
        let mut x = Buffer::from(counted(2));
        let mut chain = rt
            .submit(mix(2, 0, &mut x).when(&p))
            .defer([2])
            .submit(mix(3, 0, &mut x).when(!&p | &q).when(true))
            .defer([2])
            .repeat(cascade([2]))
            .into_pipeline();
        chain.exec().unwrap();
        assert_eq!(x.to_vec().unwrap(), [4, 8]);
        q.set(true).unwrap();
        chain.exec().unwrap();
        assert_eq!(x.to_vec().unwrap(), [4 * 36, 8 * 36]);
    });
}
