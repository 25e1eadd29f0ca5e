//! Loops and decisions: what runs, how often and with which variables, in every order in which the
//! engine may take what is ready.

use std::sync::{Arc, Mutex};

use crate::backend::conformance::kernels;
use crate::lazy::Lazy;
use crate::loops::{IntoLoops, cascade, custom_loop, loop_var, seq, trip};
use crate::sim::{Config, Run, Sim};
use crate::{
    Arg, Buffer, Call, Env, Error, NoBackends, Pick, Pipeline, Result, Runtime, Task, Var,
};

/// What has run.
type Trace = Arc<Mutex<String>>;

fn runtimes() -> Vec<Runtime> {
    let open = |pick, sync| {
        let sim = Sim::new(Config { run: Run::Entry, ..Config::default() });
        let builder = Runtime::<NoBackends>::builder().backend(Arc::new(sim));
        builder.pick(pick).sync(sync).build().unwrap()
    };
    let mut all = vec![open(Pick::First, false), open(Pick::First, true), open(Pick::Last, false)];
    all.extend((1..5).map(|seed| open(Pick::Random(seed), false)));
    all
}

/// A task that notes its name.
fn letter(name: &'static str, trace: &Trace) -> Task<'static> {
    let trace = Arc::clone(trace);
    Task::new(name, (), move |()| trace.lock().unwrap().push_str(name))
}

/// The trace of a chain of stages `A`, `B`, `C` in loops.
fn trace<'a>(loops: impl Fn() -> Box<dyn FnOnce(&mut Pipeline<'a>) + 'a>) -> Result<String> {
    let mut found: Option<String> = None;
    for rt in runtimes() {
        let trace = Trace::default();
        let mut p = rt.pipeline();
        for name in ["A", "B", "C"] {
            p.push(letter(name, &trace));
        }
        loops()(&mut p);
        p.exec()?;
        let seen = trace.lock().unwrap().clone();
        assert_eq!(found.get_or_insert_with(|| seen.clone()), &seen);
    }
    Ok(found.unwrap_or_default())
}

macro_rules! trace {
    ($loops:expr) => {
        trace(|| {
            Box::new(|p| {
                p.repeat($loops);
            })
        })
    };
}

#[test]
fn loops_over_stages_have_the_published_traces() {
    let abc = |n: usize| "ABC".repeat(n);
    let bc = |n: usize| format!("A{}", "BC".repeat(n));
    assert_eq!(trace!(cascade([2])).unwrap(), abc(2));
    assert_eq!(trace!(cascade([2, 3])).unwrap(), bc(3).repeat(2));
    assert_eq!(trace!(cascade([8, 3])).unwrap(), bc(3).repeat(8));
    assert_eq!(trace!(cascade([2, 3, 2])).unwrap(), "ABCCBCCBCC".repeat(2));
    assert_eq!(trace!(seq([2, 3])).unwrap(), "AABBBC");
    assert_eq!(trace!(seq([2, 3, 2])).unwrap(), "AABBBCC");
    assert_eq!(trace!(cascade([2, 3]).step(2)).unwrap(), "ABCCCABCCC");
    assert_eq!(trace!([custom_loop(0, 2, 2), custom_loop(2, 1, 3)]).unwrap(), "ABABCCC");
    assert_eq!(trace!([custom_loop(0, 3, 2), custom_loop(0, 1, 3)]).unwrap(), "AAABCAAABC");
    assert_eq!(trace!([custom_loop(0, 3, 2), custom_loop(0, 3, 2)]).unwrap(), abc(4));
    assert_eq!(trace!(cascade([0])).unwrap(), "");
    assert_eq!(trace!(cascade([3, 0])).unwrap(), "AAA");
    assert_eq!(trace!(4).unwrap(), abc(4));
}

#[test]
fn loops_that_cross_or_leave_the_chain_are_refused() {
    let crossing = trace!([custom_loop(0, 2, 2), custom_loop(1, 2, 3)]).unwrap_err();
    assert!(crossing.to_string().contains("stages 0..2 and 1..3 cross"), "{crossing}");
    for error in [
        trace!(custom_loop(2, 2, 1)).unwrap_err(),
        trace!(custom_loop(1, 0, 1)).unwrap_err(),
        trace!(cascade([2, 2]).step(3)).unwrap_err(),
        trace!(seq([1, 1, 1, 1])).unwrap_err(),
    ] {
        assert!(matches!(error, Error::Loops { .. }), "{error}");
        assert!(error.to_string().contains("of which there are 3"), "{error}");
    }
    let loops = || 2_u64.into_loops(3);
    assert_eq!(loops().len(), 1);
}

fn affine<'a>(a: u32, b: impl Arg<'a, u32>, x: &mut Buffer<u32>) -> Call<'a, 1> {
    let args = [Arg::<u32>::bind(a), b.bind(), Arg::<&'a mut [u32]>::bind(x)];
    Call::new(&kernels::AFFINE, args)
}

#[test]
fn the_variable_of_a_loop_is_that_of_its_level() {
    for rt in runtimes() {
        let mut x = Buffer::from(vec![1_u32; 4]);
        let chain = rt.submit(affine(3, loop_var(0), &mut x)).defer([4]);
        let chain = chain.submit(affine(5, loop_var(1), &mut x)).defer([4]);
        chain.repeat(cascade([4, 3])).exec().unwrap();
        let mut expected = 1_u32;
        for i in 0..4 {
            expected = expected.wrapping_mul(3).wrapping_add(i);
            for j in 0..3 {
                expected = expected.wrapping_mul(5).wrapping_add(j);
            }
        }
        assert_eq!(x.to_vec().unwrap(), [expected; 4]);
        let chain = rt.submit(affine(3, loop_var(1), &mut x)).defer([4]);
        let error = chain.repeat(2).exec().unwrap_err();
        assert!(matches!(error, Error::Loops { .. }), "{error}");
        assert!(error.to_string().contains("level 1") && error.to_string().contains("are 1"));
    }
}

/// That a run ends with an error of a loop that says all of this.
#[track_caller]
fn refused(p: &mut Pipeline<'_>, words: &[&str]) {
    let error = p.exec().unwrap_err();
    assert!(matches!(error, Error::Loops { .. }), "{error}");
    let text = error.to_string();
    assert!(words.iter().all(|word| text.contains(word)), "{text}");
    assert!(text.contains("control_tests.rs"), "{text}");
}

#[test]
fn a_negative_value_is_none_of_an_unsigned_type() {
    for rt in runtimes() {
        let mut x = Buffer::from(vec![1_u32; 4]);
        for first in [-2_i32, -1, 0] {
            x.fill(1).unwrap();
            let mut p = rt.pipeline();
            p.begin_for(first..3);
            p.push(affine(1, loop_var::<u32>(0), &mut x).over([4]));
            p.end_for();
            // Of another loop, which has ended.
            p.begin_for(3..4_u32);
            p.push(affine(1, loop_var::<u32>(0), &mut x).over([4]));
            p.end_for();
            if first < 0 {
                let value =
                    format!("`u32`, which does not have its value {first}; take it as `i64`");
                refused(&mut p, &["`b` of kernel `affine`", "level 0", &value]);
                assert_eq!(x.get(0).unwrap(), 1, "nothing ran");
            } else {
                p.exec().unwrap();
                assert_eq!(x.get(0).unwrap(), 1 + 1 + 2 + 3);
            }
        }
    }
}

#[test]
fn operands_have_the_value_of_their_loop_or_there_is_an_error() {
    for rt in runtimes() {
        let trace = Trace::default();
        // Conditions, of an `if` and of the loop itself.
        let mut p = rt.pipeline();
        p.begin_for(254..300_u64);
        p.push(letter("a", &trace).when(loop_var::<u8>(0).lt(255_u8)));
        p.end_for();
        refused(&mut p, &["an operand of a condition", "`u8`", "its value 256"]);
        assert_eq!(*trace.lock().unwrap(), "a");
        let mut p = rt.pipeline();
        p.begin_while(trip::<u8>().le(255_u8), 1000_u64).end_while();
        refused(&mut p, &["an operand of a condition", "`u8`", "its value 256"]);
        let mut p = rt.pipeline();
        p.begin_while(trip::<u8>().lt(255_u8), 1000_u64).end_while();
        p.exec().unwrap();
        // A bound, an extent, and the limit of a `while`.
        let mut p = rt.pipeline();
        p.begin_for(-1..1_i64);
        p.begin_for(crate::cond::Span { from: 0, to: loop_var::<u64>(0), inclusive: false });
        refused(&mut p, &["a bound", "level 0", "`u64`", "its value -1"]);
        let mut x = Buffer::from(vec![1_u32; 4]);
        let mut p = rt.pipeline();
        p.begin_for(-1..1_i8);
        p.push(affine(1, 1, &mut x).over([loop_var::<usize>(0)]));
        refused(&mut p, &["an extent of the space of kernel `affine`", "`usize`", "its value -1"]);
        let mut p = rt.pipeline();
        p.begin_for(128..130_u8);
        p.begin_while(loop_var::<u8>(0).lt(10_u8), loop_var::<i8>(0));
        p.end_while();
        p.end_for();
        p.exec().unwrap();
        p.begin_for(128..130_u8);
        p.begin_while(loop_var::<u8>(0).lt(200_u8), loop_var::<i8>(0));
        refused(&mut p, &["the limit of a `while`", "`i8`", "its value 128; take it as `u64`"]);
    }
}

#[test]
fn a_loop_too_deep_for_a_variable_has_none() {
    let rt = &runtimes()[0];
    let mut p = rt.pipeline();
    for _ in 0..crate::env::MAX_LOOPS {
        p.begin_for(0..2_u32);
    }
    p.begin_while(trip::<u32>().lt(3_u32), 5_u32);
    refused(&mut p, &["inside of 8 others"]);
}

/// A task that sets a cell.
fn set(to: &mut Var<u64>, value: u64) -> Task<'static> {
    Task::new("set", (to,), move |(to,)| *to = value)
}

#[test]
fn trip_counts_are_read_when_the_loop_is_entered() {
    for rt in runtimes() {
        let trace = Trace::default();
        let mut n = Var::new(1_u64);
        let mut p = rt.pipeline();
        p.begin_for(0..3_u32);
        p.begin_for(crate::cond::Span { from: 0, to: &n, inclusive: false });
        p.push(letter("a", &trace));
        // Changes the next count, not this one.
        p.push(Task::new("more", (&mut n,), |(n,)| *n += 1));
        p.end_for();
        p.push(letter(".", &trace));
        p.end_for();
        p.exec().unwrap();
        assert_eq!(*trace.lock().unwrap(), "a.aa.aaaa.");
        p.push(set(&mut n, 0));
        p.exec().unwrap();
        assert_eq!(n.get().unwrap(), 0);
    }
}

#[test]
fn decisions_are_made_when_the_pipeline_comes_to_them() {
    for rt in runtimes() {
        for bits in 0..8_u32 {
            let [p1, p2, p3] = [0, 1, 2].map(|k| Var::new(bits >> k & 1 == 1));
            let trace = Trace::default();
            let mut writer = p1.clone();
            let flag = Var::new(u64::from(bits & 1));
            let mut p = rt.pipeline();
            p.begin_if(&p1).push(letter("1", &trace));
            p.otherwise().push(letter("0", &trace));
            p.end_if();
            p.push(letter("x", &trace).when(!&p1 & &p2).when(flag.lt(1)));
            p.push(letter("y", &trace).when(&p1 | &p3));
            p.push(letter("z", &trace).when(&p2 ^ &p3));
            p.exec().unwrap();
            writer.set(!p1.get().unwrap()).unwrap();
            let [a, b, c] = [bits & 1 == 1, bits & 2 == 2, bits & 4 == 4];
            let mut expected = String::from(if a { "1" } else { "0" });
            for (name, holds) in [("x", !a & b), ("y", a | c), ("z", b ^ c)] {
                expected.push_str(if holds { name } else { "" });
            }
            assert_eq!(*trace.lock().unwrap(), expected, "{bits:03b}");
            // The next run looks again.
            trace.lock().unwrap().clear();
            p.exec().unwrap();
            assert!(trace.lock().unwrap().starts_with(if a { '0' } else { '1' }));
            let _ = &mut writer;
        }
    }
}

#[test]
fn a_kernel_decides_what_runs_after_it() {
    for rt in runtimes() {
        let mut x = Buffer::from(vec![1_u32; 4]);
        let mut y = Buffer::from(vec![7_u32; 4]);
        let mut sum = Var::new(0.0_f64);
        let z = Buffer::from(vec![0.5_f64; 64]);
        let mut p = rt.pipeline();
        let total = [Arg::<&[f64]>::bind(&z), Arg::<&mut f64>::bind(&mut sum)];
        p.push(Call::<1>::new(&kernels::SUM, total).over([64]));
        p.begin_if(sum.gt(31.0) & sum.lt(33.0));
        p.push(affine(3, 1, &mut x).over([4]));
        p.otherwise();
        p.push(affine(5, 2, &mut x).over([4]));
        p.end_if();
        p.push(affine(2, 0, &mut y).when(sum.gt(100.0)).over([4]));
        p.exec().unwrap();
        assert_eq!((x.get(3).unwrap(), y.get(3).unwrap()), (4, 7), "what is skipped is as it was");
    }
}

#[test]
fn while_looks_before_each_trip_and_has_a_limit() {
    for rt in runtimes() {
        let mut n = Var::new(10_i32);
        let mut count = Var::new(0_u64);
        let mut p = rt.pipeline();
        p.begin_while(n.gt(3), 100);
        p.push(Task::new("down", (&mut n,), |(n,)| *n -= 2));
        p.push(Task::new("count", (&mut count,), |(count,)| *count += 1));
        p.end_while();
        p.exec().unwrap();
        assert_eq!((n.get().unwrap(), count.get().unwrap()), (2, 4));
        p.exec().unwrap();
        assert_eq!(count.get().unwrap(), 4, "not even once");
        n.set(1000).unwrap();
        let error = p.exec().unwrap_err();
        assert!(matches!(error, Error::Endless { max: 100, .. }), "{error}");
        assert_eq!(count.get().unwrap(), 104, "what has run stands");
        n.set(5).unwrap();
        p.exec().unwrap();
        assert_eq!(n.get().unwrap(), 3);
    }
}

#[test]
fn loops_and_decisions_nest() {
    for rt in runtimes() {
        let trace = Trace::default();
        let mut left = Var::new(0_u64);
        let mut p = rt.pipeline();
        let i = p.begin_for(0..4_u64);
        let of_loop = Arc::clone(&trace);
        p.push(set(&mut left, 2));
        p.begin_if(Lazy(move |env: &Env| i.get(env) % 2 == 1));
        p.begin_while(left.ne(0), 5);
        p.push(Task::new("less", (&mut left,), |(left,)| *left -= 1));
        p.push(letter("w", &trace));
        p.end_while();
        p.otherwise();
        p.push(Task::from_parts("i", [], move |_, env: &Env| {
            of_loop.lock().unwrap().push_str(&i.get(env).to_string());
            Ok(())
        }));
        p.end_if();
        p.push(letter(";", &trace));
        p.end_for();
        for _ in 0..2 {
            p.exec().unwrap();
            assert_eq!(std::mem::take(&mut *trace.lock().unwrap()), "0;ww;2;ww;");
        }
    }
}

#[test]
fn a_skipped_writer_on_a_device_leaves_what_the_host_has() {
    let sim = Sim::new(Config { devices: 1, run: Run::Entry, ..Config::default() });
    let rt = Runtime::<NoBackends>::builder().backend(Arc::new(sim.clone())).build().unwrap();
    for runs in [false, true] {
        let on = Var::new(runs);
        let mut x = Buffer::from(vec![5_u32; 16]);
        sim.clear_calls();
        let mut p = rt.pipeline();
        p.begin_if(&on).push(affine(2, 1, &mut x).over([16]));
        p.end_if();
        p.begin_for(0..0_u32);
        p.push(affine(9, 9, &mut x).over([16]));
        p.end_for();
        let seen = Arc::new(Mutex::new(0));
        let of_task = Arc::clone(&seen);
        p.push(Task::new("see", (&x,), move |(x,)| *of_task.lock().unwrap() = x[[15]]));
        p.exec().unwrap();
        assert_eq!(*seen.lock().unwrap(), if runs { 11 } else { 5 });
        let counts = sim.counts();
        let moved = (counts.uploads, counts.downloads, counts.launches);
        assert_eq!(moved, if runs { (1, 1, 1) } else { (0, 0, 0) }, "{:?}", sim.calls());
    }
}

#[test]
fn the_first_error_of_the_program_is_reported() {
    for rt in runtimes() {
        let x: [Buffer<u32>; 3] = [0, 1, 2].map(|_| Buffer::from(vec![1_u32; 4]));
        let mut p = rt.pipeline();
        p.begin_for(0..3_u32);
        for (k, x) in x.iter().enumerate() {
            p.push(Task::new(["a", "b", "c"][k], (x,), move |(_,)| match k {
                1 => Err("on purpose".into()),
                _ => Ok(()),
            }));
        }
        p.end_for();
        let error = p.exec().unwrap_err();
        assert!(matches!(error, Error::HostTask { task: "b", .. }), "{error}");
    }
}
