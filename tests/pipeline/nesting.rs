//! What is opened and closed by hand, and variables of loops that are not around where they are asked for.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use flash::prelude::*;
use flash::{Error, Pipeline};
use flash_rt::Env;
use flash_rt::lazy::Lazy;

use crate::{accumulate, counted, mix, mixed};

#[flash::host_task]
fn note(x: &[u64], step: u64) {
    assert!(x.len() as u64 > step);
}

/// Each way that nodes are gone through: one by one, and by several threads.
fn each_way(test: impl Fn(&Runtime, bool)) {
    for key in ["ALL_CPU", "SIM"] {
        for sync in [false, true] {
            test(&Runtime::builder().devices(key).threads(2).sync(sync).build().unwrap(), sync);
        }
    }
}

#[track_caller]
fn refused(p: &mut Pipeline<'_>, words: &[&str]) {
    let error = p.exec().unwrap_err();
    assert!(matches!(error, Error::Loops { .. }), "{error}");
    let text = error.to_string();
    assert!(words.iter().all(|word| text.contains(word)), "{text}");
    assert!(text.contains("nesting.rs"), "{text}");
}

#[test]
fn a_variable_outside_of_its_loop_is_refused() {
    each_way(|rt, _| {
        let (mut x, mut y) = (Buffer::from(counted(4)), Buffer::from(counted(4)));
        // After it, inside of another one at the same level, and of one that has no variable.
        for inside in 0..3 {
            let mut p = rt.pipeline();
            let k = p.begin_for(0..3_u64);
            p.push(mix(3, k, &mut x).over([4]));
            p.end_for();
            match inside {
                0 => _ = p.push(accumulate(k, &x, &mut y).over([4])),
                1 => {
                    let other = p.begin_for(5..7_u64);
                    p.push(mix(3, other, &mut y).over([4]))
                        .push(accumulate(k, &x, &mut y).over([4]));
                }
                _ => _ = p.begin_while(k.lt(2_u64), 9_u32),
            }
            refused(
                &mut p,
                &["is the variable of a loop at level 0", "that loop is not around it"],
            );
            assert_eq!((x.to_vec().unwrap(), y.to_vec().unwrap()), (counted(4), counted(4)));
        }
        // One of another pipeline.
        let foreign = rt.pipeline().begin_for(0..2_u64);
        let mut p = rt.pipeline();
        p.begin_for(0..2_u64);
        p.push(mix(3, foreign, &mut x).over([4]));
        refused(&mut p, &["an argument of kernel `mix`"]);
        // A box that moves with it.
        let rows = Buffer::<u64, 2>::from_shape([3, 2], counted(6)).unwrap();
        let mut p = rt.pipeline();
        let k = p.begin_for(0..3_usize);
        p.end_for();
        p.begin_for(0..3_usize);
        let row = rows.at_lazy(Lazy(move |env: &Env| k.get(env))).moving(k, 1, 0);
        p.push(accumulate(1, &row, y.view_mut(..2)).over([2]));
        refused(&mut p, &["an argument of kernel `accumulate`"]);
        assert_eq!(y.to_vec().unwrap(), counted(4));
    });
}

/// What a closure asks for shows only when it is evaluated.
#[test]
fn a_closure_that_asks_for_another_loop_fails_its_stage() {
    each_way(|rt, _| {
        let (mut x, mut y) = (Buffer::from(counted(4)), Buffer::from(counted(4)));
        for sibling in [false, true] {
            x.copy_from_slice(&counted(4)).unwrap();
            let mut p = rt.pipeline();
            let k = p.begin_for(0..3_u64);
            let k_twice = Lazy(move |env: &Env| 2 * k.get(env));
            p.push(mix(3, k_twice, &mut x).over([4]));
            p.end_for();
            if sibling {
                p.begin_for(5..7_u64);
            }
            p.push(accumulate(Lazy(move |env: &Env| k.get(env) + 1), &x, &mut y).over([4]));
            refused(&mut p, &["what `accumulate` asks for", "not around it"]);
            // What comes before it has run, and it has not.
            let expected =
                counted(4).into_iter().map(|x| (0..3).fold(x, |x, k| mixed(x, 3, 2 * k)));
            assert_eq!(x.to_vec().unwrap(), expected.collect::<Vec<_>>());
            assert_eq!(y.to_vec().unwrap(), counted(4));
        }
        // A bound, a condition, an index space, the state of a host task.
        let mut p = rt.pipeline();
        let k = p.begin_for(0..3_u64);
        p.end_for();
        p.begin_for(Lazy(move |env: &Env| 0..k.get(env)));
        p.push(mix(3, 1, &mut x).over([4]));
        refused(&mut p, &["what `a bound` asks for"]);
        let mut p = rt.pipeline();
        let k = p.begin_for(0..3_u64);
        p.end_for();
        p.begin_if(Lazy(move |env: &Env| k.get(env) == 0));
        p.push(mix(3, 1, &mut x).over([4]));
        refused(&mut p, &["what `a condition` asks for"]);
        let mut p = rt.pipeline();
        let k = p.begin_for(0..3_usize);
        p.end_for();
        p.push(mix(3, 1, &mut x).over(Lazy(move |env: &Env| [k.get(env) + 1])));
        refused(&mut p, &["what `mix` asks for"]);
        let mut p = rt.pipeline();
        let k = p.begin_for(0..3_u64);
        p.end_for();
        p.push(note(&x, Lazy(move |env: &Env| k.get(env))));
        refused(&mut p, &["what `note` asks for"]);
    });
}

/// It is what is asked for that has to fit, not what is made of it.
#[test]
fn a_closure_gets_exact_values_or_its_stage_fails() {
    each_way(|rt, _| {
        let mut x = Buffer::from(vec![1_u64; 4]);
        for (end, fits) in [(256, true), (257, false)] {
            x.fill(1).unwrap();
            let mut p = rt.pipeline();
            p.begin_for(250..end);
            let byte = flash_rt::loop_var::<u8>(0);
            p.push(mix(1, Lazy(move |env: &Env| byte.get(env).into()), &mut x).over([4]));
            p.end_for();
            if fits {
                p.exec().unwrap();
            } else {
                refused(
                    &mut p,
                    &["what `mix` asks for", "as `u8`", "its value 256; take it as `u64`"],
                );
            }
            assert_eq!(x.to_vec().unwrap(), [1 + (250..256).sum::<u64>(); 4]);
        }
        // The innermost loop is known where the closure is evaluated.
        x.fill(0).unwrap();
        let mut p = rt.pipeline();
        p.begin_for(0..2_u64);
        p.begin_for(0..3_u64);
        let trip = flash_rt::trip::<u64>();
        p.push(mix(10, Lazy(move |env: &Env| trip.get(env)), &mut x).over([4]));
        p.end_for();
        p.exec().unwrap();
        assert_eq!(x.to_vec().unwrap(), [12_012; 4]);
    });
}

#[test]
fn what_does_not_fit_what_is_open_is_refused() {
    each_way(|rt, _| {
        let mut x = Buffer::from(counted(4));
        let off = Var::new(false);
        type Build = fn(&mut Pipeline<'_>, &Var<bool>);
        let wrong: [(Build, [&str; 2]); 8] = [
            (|p, off| _ = p.begin_if(off).end_for(), ["`end_for`", "in the decision opened at"]),
            (
                |p, off| _ = p.begin_if(off).end_while(),
                ["`end_while`", "in the decision opened at"],
            ),
            (
                |p, _| _ = (p.begin_for(0..2_u32), p.end_if()),
                ["`end_if`", "in the `for` opened at"],
            ),
            (
                |p, off| _ = p.begin_while(off, 1_u32).end_for(),
                ["`end_for`", "in the `while` opened at"],
            ),
            (
                |p, off| _ = p.begin_if(off).otherwise().otherwise(),
                ["`otherwise`", "after the `otherwise` of the decision opened at"],
            ),
            (
                |p, off| {
                    p.begin_if(off).begin_for(0..2_u32);
                    p.otherwise();
                },
                ["`otherwise`", "in the `for` opened at"],
            ),
            (|p, _| _ = p.otherwise(), ["`otherwise`", "where nothing is open"]),
            (|p, _| _ = p.end_for(), ["`end_for`", "where nothing is open"]),
        ];
        for (build, words) in wrong {
            let mut p = rt.pipeline();
            build(&mut p, &off);
            p.push(mix(3, 1, &mut x).over([4]));
            refused(&mut p, &words);
            assert_eq!(x.to_vec().unwrap(), counted(4), "nothing ran");
        }
        let mut p = rt.pipeline();
        for _ in 0..9 {
            p.begin_for(0..2_u32);
        }
        p.push(mix(3, 1, &mut x).over([4]));
        refused(&mut p, &["a `for` inside of 8 other loops", "merge two"]);
        let mut p = rt.pipeline();
        p.push(mix(3, 1, &mut x).over([4])).repeat(flash_rt::cascade([1, 1, 1]).step(usize::MAX));
        refused(&mut p, &["of which there are 1"]);
    });
}

/// However many trips there are of nothing, and a run that has nothing else to do can be cancelled.
#[test]
fn loops_of_nothing_end() {
    each_way(|rt, is_sync| {
        let mut p = rt.pipeline();
        p.begin_for(0..u64::MAX);
        p.end_for();
        p.exec().unwrap();
        let asked = Arc::new(AtomicUsize::new(0));
        let by = Arc::clone(&asked);
        let mut p = rt.pipeline();
        p.begin_while(
            Lazy(move |_: &Env| by.fetch_add(1, Ordering::Relaxed) < usize::MAX),
            u64::MAX,
        );
        p.end_while();
        if is_sync {
            return;
        }
        let handle = p.launch();
        while asked.load(Ordering::Relaxed) < 1000 {
            std::thread::yield_now();
        }
        handle.cancel();
        let error = handle.wait().unwrap_err();
        assert!(matches!(error, Error::Cancelled { at: Some(_) }), "{error}");
    });
}
