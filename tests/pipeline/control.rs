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

/// One more than it was.
#[flash::kernel]
fn one_more(count: &mut [u32]) {
    let i = global_id(0);
    count[i] += 1;
}

#[test]
fn while_asks_for_what_a_kernel_writes_in_place() {
    on_each_device(|rt| {
        let (mut x, mut count) = (Buffer::from(counted(3)), Var::new(0_u32));
        flash_pipeline! { in rt;
            while &count < 9, max 20 {
                mix(3, 1, &mut x)[3];
                one_more(&mut count)[1];
            }
        }
        .exec()
        .unwrap();
        let expected = |v: u64| (0..9).fold(v, |v, _| mixed(v, 3, 1));
        assert_eq!(x.to_vec().unwrap(), counted(3).into_iter().map(expected).collect::<Vec<_>>());
        assert_eq!(count.get().unwrap(), 9);
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

/// [`mix`], if `go`.
#[flash::kernel(when = go)]
fn mix_if(a: u64, go: bool, b: u64, x: &mut [u64]) {
    let i = global_id(0);
    x[i] = if go { (x[i] * a + b) % 65521 } else { 0 };
}

#[test]
fn a_kernel_is_declared_with_a_predicate() {
    on_each_device(|rt| {
        let (mut x, limit) = (Buffer::from(counted(4)), Var::new(1_000_u64));
        let (on, mut largest) = (Var::new(true), Var::new(4_u64));
        let mut p = flash_pipeline! { in rt;
            for k in 0..9_u64 {
                mix_if(2, largest.lt(&limit) & &on, k, &mut x)[4];
                maximum(&x, &mut largest)[4];
                mix_if(3, k % 4 == 0, 1, &mut x)[4];
                mix_if(3, false, 1, &mut x)[4];
                mix_if(3, true, 1, &mut x)[4];
                mix_if(5, &on, 7, &mut x)[4];
                if k > 2 { mix_if(7, !&on, 1, &mut x)[4]; }
            }
        };
        let mut expected = counted(4);
        let mut max = 4;
        for now in [true, false] {
            on.set(now).unwrap();
            p.exec().unwrap();
            for k in 0..9 {
                let below = max < 1_000 && now;
                let mut all = |a, b| expected.iter_mut().for_each(|v| *v = mixed(*v, a, b));
                if below {
                    all(2, k);
                }
                max = *expected.iter().max().unwrap();
                let mut all = |a, b| expected.iter_mut().for_each(|v| *v = mixed(*v, a, b));
                if k % 4 == 0 {
                    all(3, 1);
                }
                all(3, 1);
                if now {
                    all(5, 7);
                }
                if k > 2 && !now {
                    all(7, 1);
                }
            }
            assert_eq!(x.to_vec().unwrap(), expected);
        }
    });
}

/// All predicates of a stage have to hold, wherever they were given, and each is looked at whenever
/// the stage is dispatched.
#[test]
fn predicates_of_declaration_submission_options_and_macro_are_joined() {
    on_each_device(|rt| {
        let cells: [Var<bool>; 5] = std::array::from_fn(|_| Var::new(true));
        let [declared, submitted, options, pipeline, branch] = &cells;
        let mut x = Buffer::from(vec![0_u64]);
        let with = rt.options().when(options);
        let mut p = flash_pipeline! { in with;
            for _ in 0..2 { if branch { mix_if(1, declared, 1, &mut x)[1]; } }
        };
        p.when(pipeline);
        p.begin_if(branch);
        p.push(mix_if(1, declared, 10, &mut x).when(submitted).over([1]));
        p.push(mix_if(1, declared, 100, &mut x).over([1]).when(submitted).when(true));
        p.end_if();
        let mut chain = with
            .submit(mix_if(1, declared, 1_000, &mut x).when(submitted))
            .defer([1])
            .submit(mix(1, 10_000, &mut x))
            .defer([1])
            .into_pipeline();
        let mut expected = 0;
        for bits in 0..32_u32 {
            let on: [bool; 5] = std::array::from_fn(|k| bits >> k & 1 != 0);
            for (cell, on) in cells.iter().zip(on) {
                cell.set(on).unwrap();
            }
            x.set(0, 0).unwrap();
            p.exec().unwrap();
            chain.exec().unwrap();
            let [declared, submitted, options, pipeline, branch] = on;
            let all = declared && branch && options;
            expected = 2 * u64::from(all)
                + 110 * u64::from(all && submitted && pipeline)
                + 1_000 * u64::from(options && declared && submitted)
                + 10_000 * u64::from(options);
            assert_eq!(x.get(0).unwrap(), expected, "{on:?}");
        }
        assert_eq!(expected, 11_112);
    });
}

/// A predicate that an earlier stage of the same trip changes: it is read at each dispatch.
#[test]
fn predicates_are_evaluated_at_each_dispatch() {
    on_each_device(|rt| {
        let (mut on, mut x) = (Var::new(0_u32), Buffer::from(vec![0_u64]));
        let (y, mut z) = (Buffer::from(vec![5_u64]), Buffer::from(vec![7_u64]));
        let mut p = rt.options().when(on.gt(0)).pipeline();
        p.begin_for(0..5_u32);
        // Under the predicate too, so it can only switch off.
        p.push(Task::new("off", (&x, &mut on), |(x, on)| *on = u32::from(x[0] < 3)));
        p.push(mix_if(1, on.gt(0), 1, &mut x).over([1]));
        p.push(mix(1, 1, &mut z).over([1]));
        p.swap(&y, &z);
        p.end_for();
        p.begin_while(true, 10_u32);
        p.push(mix(1, 100, &mut x).over([1]));
        p.push(Task::new("end", (&mut on,), |(on,)| *on = 0));
        p.end_while();
        p.exec().unwrap();
        // Nothing has run, swaps included.
        assert_eq!((x.get(0).unwrap(), y.get(0).unwrap()), (0, 5));
        on.set(1).unwrap();
        p.exec().unwrap();
        assert_eq!(x.get(0).unwrap(), 3);
        assert_eq!((y.get(0).unwrap(), z.get(0).unwrap()), (9, 6));
        on.set(1).unwrap();
        x.set(0, 2).unwrap();
        p.exec().unwrap();
        assert_eq!(x.get(0).unwrap(), 3);
    });
}

#[test]
fn the_trip_of_a_loop_is_an_operand() {
    on_each_device(|rt| {
        let mut x = Buffer::from(vec![0_u64; 8]);
        let (goes, mut last) = (Var::new(true), Buffer::from(vec![0_u64]));
        let log = Mutex::new(Vec::new());
        let mut p = flash_pipeline! { in rt;
            while &goes && trip::<u32>() < 4, max 9 {
                mix(1, trip(), &mut x)[trip()];
                mix(10, trip(), &mut last)[1];
                if trip::<u64>() != 2 { mix(10, 9, &mut last)[1]; }
                for k in 5..7_u64 {
                    if trip::<u64>() == 6 && loop_var::<u64>(0) == 3 { record(&x, k, &log); }
                    mix(1, trip(), &mut x)[1];
                }
            }
        };
        // A bound and an extent, and loops that are put around afterwards.
        let mut y = Buffer::from(vec![0_u64; 4]);
        let mut chain = rt.pipeline();
        chain.begin_while(trip().lt(loop_var::<u32>(0)), 10_u32);
        chain.push(mix(1, loop_var(1), &mut y).over([loop_var::<usize>(0)]));
        chain.end_while();
        chain.push(mix(1, trip(), &mut y).when(trip::<u32>().ge(1)).over([1]));
        chain.repeat(cascade([3]));
        for _ in 0..2 {
            x.fill(0).unwrap();
            y.fill(0).unwrap();
            last.fill(0).unwrap();
            p.exec().unwrap();
            chain.exec().unwrap();
            let mut expected = vec![0_u64; 8];
            for t in 0..4 {
                expected[..t].iter_mut().for_each(|v| *v += t as u64);
                expected[0] += 5 + 6;
            }
            assert_eq!(x.to_vec().unwrap(), expected);
            assert_eq!(last.get(0).unwrap(), 919_239 % 65521);
            // Trips 1 and 2 of the outer loop: (0; 1) on [0], (0, 1; 2) on [0, 1].
            assert_eq!(y.to_vec().unwrap(), [1 + 1 + 2, 1, 0, 0]);
        }
        let seen = log.lock().unwrap();
        assert_eq!(seen.iter().map(|(k, _)| *k).collect::<Vec<_>>(), [6, 6]);
    });
}

#[test]
fn a_trip_outside_of_loops_is_an_error_at_its_place() {
    on_each_device(|rt| {
        let mut x = Buffer::from(vec![0_u64; 8]);
        let refused = |p: &mut Pipeline<'_>, what: &str| {
            let error = p.exec().unwrap_err();
            assert!(matches!(error, Error::Loops { .. }), "{error}");
            assert!(error.to_string().contains(what), "{error}");
            assert!(error.to_string().contains("control.rs"), "{error}");
        };
        let mut p = rt.pipeline();
        p.push(mix(1, trip(), &mut x).over([8]));
        refused(&mut p, "an argument of kernel `mix` is the trip of a loop, and there is none");
        let mut p = rt.pipeline();
        p.push(mix(1, 1, &mut x).over([trip::<usize>()]));
        refused(&mut p, "an extent of the space of kernel `mix`");
        let mut p = rt.pipeline();
        p.begin_if(trip::<u32>().lt(3));
        refused(&mut p, "an operand of a condition");
        let mut p = rt.pipeline();
        p.begin_while(loop_var::<u32>(1).lt(3), 3_u32);
        refused(&mut p, "level 1");
    });
}

#[flash::kernel]
fn add_byte(b: u8, x: &mut [u64]) {
    let i = global_id(0);
    x[i] += b as u64;
}

#[flash::kernel]
fn add_small(b: i8, x: &mut [i64]) {
    let i = global_id(0);
    x[i] += b as i64;
}

#[flash::kernel]
fn or_word(b: u64, x: &mut [u64]) {
    let i = global_id(0);
    x[i] |= b;
}

#[flash::host_task]
fn up(n: &mut u32) {
    *n += 1;
}

/// That a run ends with an error that says all of this.
#[track_caller]
fn unfit(p: &mut Pipeline<'_>, words: &[&str]) {
    let error = p.exec().unwrap_err();
    assert!(matches!(error, Error::Loops { .. }), "{error}");
    let text = error.to_string();
    assert!(words.iter().all(|word| text.contains(word)), "{text}");
    assert!(text.contains("control.rs"), "{text}");
}

#[test]
fn a_variable_as_a_narrower_type_is_exact_or_an_error() {
    on_each_device(|rt| {
        let mut x = Buffer::from(vec![0_u64; 8]);
        let mut small = Buffer::from(vec![0_i64; 8]);
        for trips in [256, 300] {
            x.fill(0).unwrap();
            let mut p = rt.pipeline();
            p.push(add_byte(loop_var(0), &mut x).over([8])).repeat(trips);
            if trips == 256 {
                p.exec().unwrap();
            } else {
                let words = ["`b` of kernel `add_byte`", "level 0", "`u8`", "its value 256"];
                unfit(&mut p, &words);
            }
            // What has run stands.
            assert_eq!(x.to_vec().unwrap(), [255 * 128; 8]);
        }
        for first in [-128, -129] {
            small.fill(0).unwrap();
            let mut p = rt.pipeline();
            p.begin_for(first..=100_i32);
            p.push(add_small(loop_var(0), &mut small).over([8]));
            p.end_for();
            if first == -128 {
                p.exec().unwrap();
                assert_eq!(small.get(7).unwrap(), 5050 - 128 * 129 / 2);
            } else {
                unfit(&mut p, &["`b` of kernel `add_small`", "`i8`", "its value -129"]);
                assert_eq!(small.get(7).unwrap(), 0);
            }
        }
        // The upper half of `u64`, and a negative value with the same bits.
        x.fill(0).unwrap();
        let mut p = rt.pipeline();
        p.begin_for(u64::MAX - 1..=u64::MAX);
        p.push(or_word(loop_var(0), &mut x).over([8]));
        p.end_for();
        p.exec().unwrap();
        assert_eq!(x.get(0).unwrap(), u64::MAX);
        let mut p = rt.pipeline();
        p.begin_for(-2..0_i64);
        p.push(or_word(loop_var(0), &mut x).over([8]));
        unfit(&mut p, &["`b` of kernel `or_word`", "`u64`", "its value -2; take it as `i64`"]);
    });
}

#[test]
fn the_trip_of_a_while_as_a_narrower_type_is_exact_or_an_error() {
    on_each_device(|rt| {
        let mut x = Buffer::from(vec![0_u64; 8]);
        let mut n = Var::new(0_u32);
        for trips in [256, 300] {
            x.fill(0).unwrap();
            n.set(0).unwrap();
            let mut p = flash_pipeline! { in rt;
                while &n < trips, max 1000 {
                    add_byte(trip(), &mut x)[8];
                    up(&mut n);
                }
            };
            if trips == 256 {
                p.exec().unwrap();
            } else {
                unfit(&mut p, &["`b` of kernel `add_byte`", "level 0", "`u8`", "its value 256"]);
            }
            assert_eq!(x.to_vec().unwrap(), [255 * 128; 8]);
            if trips == 300 {
                // The condition stops where the type does.
                flash_pipeline! { in rt;
                    while trip::<u8>() < 255, max 1000 { add_byte(trip(), &mut x)[8]; }
                }
                .exec()
                .unwrap();
                assert_eq!(x.get(0).unwrap(), 255 * 128 + 254 * 255 / 2);
            }
        }
    });
}

#[test]
fn the_device_that_was_chosen_is_an_operand() {
    let sim = flash::sim::Config { devices: 3, ..flash::sim::Config::default() };
    let rt = Runtime::builder().devices("SIM").sim(sim).build().unwrap();
    let mut x = Buffer::from(vec![1_u64; 4]);
    let mut y = Buffer::from(vec![0_u64; 4]);
    let (mut first, mut second) = (Var::new(9_u32), Var::new(9_u32));
    let mut seen = Var::new(0_u64);
    let mut p = rt.pipeline();
    p.push(mix(2, 1, &mut x).chosen(&mut first).over([4]));
    p.push(mix(2, 1, &mut x).chosen(&mut second).over([4]));
    // As a bound, in a condition, and as an argument.
    p.begin_for(flash_rt::cond::Span { from: 0, to: &second, inclusive: true });
    p.push(mix(1, 10, &mut y).when(first.ne(&second)).over([4]));
    p.end_for();
    p.push(add_number(&second, &mut seen).when(second.lt(3)).over([1]));
    let explained = p.explain().unwrap().to_string();
    let report = p.exec().unwrap();
    let on = |number: u32| rt.devices()[number as usize].name().to_owned();
    let (a, b) = (first.get().unwrap(), second.get().unwrap());
    assert!(explained.contains(&on(a)) && explained.contains(&on(b)), "{explained}");
    let trips = if a == b { 0 } else { u64::from(b) + 1 };
    assert_eq!(y.to_vec().unwrap(), [10 * trips; 4]);
    assert_eq!(seen.get().unwrap(), u64::from(b));
    // Times are known after the run only.
    assert_eq!(report.kernel("mix").unwrap().count, 2 + trips);
    // In the macro it is a call like any other; one that is skipped says nothing.
    first.set(7).unwrap();
    flash_pipeline! { in rt;
        for _ in 0..2_u64 {
            mix(2, trip(), &mut x).chosen(&mut second)[4];
            for _ in 0..=&second { mix(1, 1, &mut y)[1]; }
            if &second >= 3 { mix(1, 1, &mut y).chosen(&mut first)[4]; }
        }
    }
    .exec()
    .unwrap();
    assert_eq!(first.get().unwrap(), 7);
}

/// s += n
#[flash::kernel]
fn add_number(n: u32, #[reduce(+, into)] s: &mut u64) {
    if global_id(0) == 0 {
        *s += n as u64;
    }
}
