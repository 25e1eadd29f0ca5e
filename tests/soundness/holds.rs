//! Who waits for whom: guards, launches, scopes, host tasks and fragments, threads.

use std::sync::{Mutex, mpsc};
use std::time::Duration;

use flash::Error;
use flash::prelude::*;

use crate::{SOME, add, assert_works, copy, double, first, numbers, on_both};

#[test]
fn a_guard_that_is_forgotten_stays() {
    on_both(|rt| {
        let mut x = Buffer::from(numbers(10));
        let other = Buffer::from(numbers(10));
        std::mem::forget(x.write(3..5).unwrap());
        let error = rt.submit(double(&mut x)).exec([10]).unwrap_err();
        assert!(
            matches!(error, Error::HostBorrowed { kernel: "double", param: "y", .. }),
            "{error:?}"
        );
        let mut y = Buffer::zeros(10);
        rt.submit(copy(&other, &mut y)).exec([10]).unwrap();
        assert_eq!(y.to_vec().unwrap(), numbers(10));
        assert_works(rt);
    });
}

#[test]
fn a_reading_guard_allows_readers_only() {
    on_both(|rt| {
        let mut x = Buffer::from(numbers(10));
        let mut y = Buffer::zeros(10);
        let guard = x.read(..).unwrap();
        rt.submit(copy(&x, &mut y)).exec([10]).unwrap();
        let error = rt.submit(double(&mut x)).exec([10]).unwrap_err();
        assert!(matches!(error, Error::HostBorrowed { .. }), "{error:?}");
        assert_eq!(*guard, numbers(10));
        drop(guard);
        rt.submit(double(&mut x)).exec([10]).unwrap();
        assert_eq!(x.get(9).unwrap(), 20);
        assert_eq!(y.to_vec().unwrap(), numbers(10));
    });
}

#[test]
fn a_guard_of_another_thread_is_waited_for() {
    on_both(|rt| {
        let mut x = Buffer::from(numbers(10));
        let (held, is_held) = mpsc::channel();
        let (release, released) = mpsc::channel::<()>();
        std::thread::scope(|scope| {
            let buffer = x.clone();
            scope.spawn(move || {
                let mut guard = buffer.write(..).unwrap();
                held.send(()).unwrap();
                released.recv().unwrap();
                guard.fill(7);
            });
            is_held.recv().unwrap();
            let (done, is_done) = mpsc::channel();
            let (rt, mut y) = (rt.clone(), x.clone());
            scope.spawn(move || {
                done.send(rt.submit(double(&mut y)).exec([10]).map(drop)).unwrap();
            });
            let early = is_done.recv_timeout(Duration::from_millis(30));
            assert!(early.is_err(), "it ran beside the guard");
            release.send(()).unwrap();
            is_done.recv().unwrap().unwrap();
        });
        rt.submit(double(&mut x)).exec([10]).unwrap();
        assert_eq!(x.to_vec().unwrap(), [28; 10]);
    });
}

#[test]
fn reading_waits_for_the_last_writer_and_not_for_the_run() {
    let rt = Runtime::open("ALL_CPU").unwrap();
    let mut x = Buffer::from(numbers(10));
    let y = Buffer::from(numbers(10));
    let (release, released) = mpsc::channel::<()>();
    let mut pipeline = rt.pipeline();
    pipeline.push(double(&mut x).over([10]));
    pipeline.push(double(&mut x).over([10]));
    pipeline.push(Task::new("wait", (&y,), move |(_y,)| {
        released.recv()?;
        Ok(())
    }));
    let handle = pipeline.launch();
    let (seen, is_seen) = mpsc::channel();
    let reader = std::thread::spawn(move || seen.send(x.read(2..4).unwrap().to_vec()));
    assert_eq!(is_seen.recv_timeout(Duration::from_secs(120)).unwrap(), [12, 16]);
    release.send(()).unwrap();
    handle.wait().unwrap();
    reader.join().unwrap().unwrap();
}

#[test]
fn a_launch_in_a_scope_is_joined() {
    on_both(|rt| {
        let mut values = numbers(SOME as u32);
        let mut bound = Bound::new(&mut values);
        let mut pipeline = rt.pipeline();
        for _ in 0..10 {
            pipeline.push(double(&mut bound).over([SOME]));
        }
        rt.scope(|scope| {
            scope.launch(&mut pipeline);
        })
        .unwrap();
        drop(pipeline);
        drop(bound);
        assert!(values.iter().zip(1..).all(|(&value, k)| value == 1024 * k));
    });
}

#[test]
fn a_scope_joins_when_it_unwinds() {
    on_both(|rt| {
        let mut values = numbers(SOME as u32);
        let unwound = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
            let mut bound = Bound::new(&mut values);
            let mut pipeline = rt.pipeline();
            for _ in 0..10 {
                pipeline.push(double(&mut bound).over([SOME]));
            }
            let _ = rt.scope(|scope| {
                scope.launch(&mut pipeline);
                panic!("on purpose");
            });
        }));
        assert!(unwound.is_err());
        // Nobody touches the values any more: either none or all of the stages have run by now.
        let now = values.clone();
        std::thread::sleep(Duration::from_millis(5));
        assert_eq!(values, now);
        assert_works(rt);
    });
}

#[test]
fn a_handle_that_is_forgotten_runs_on() {
    on_both(|rt| {
        let mut x = Buffer::from(numbers(SOME as u32));
        let mut pipeline = rt.pipeline();
        for _ in 0..5 {
            pipeline.push(double(&mut x).over([SOME]));
        }
        std::mem::forget(pipeline.launch());
        let mut other = rt.pipeline();
        other.push(double(&mut x).over([SOME]));
        drop(other.launch());
        // Reading waits for whatever was launched before, or runs first; nothing is torn.
        let seen = x.to_vec().unwrap();
        let factor = seen[0];
        assert!(factor.is_power_of_two() && factor <= 64, "{factor}");
        assert!(seen.iter().zip(1..).all(|(&value, k)| value == factor * k));
    });
}

#[test]
fn a_buffer_of_the_running_pipeline_inside_a_host_task() {
    on_both(|rt| {
        let mut x = Buffer::from(numbers(10));
        let inside = x.clone();
        let mut pipeline = rt.pipeline();
        pipeline.push(double(&mut x).over([10]));
        pipeline.push(Task::new("peek", (&x,), move |(view,)| {
            assert_eq!(view[[9]], 20);
            inside.to_vec()?;
            Ok(())
        }));
        let error = pipeline.exec().unwrap_err();
        let Error::HostTask { task: "peek", source, .. } = &error else { panic!("{error:?}") };
        assert!(
            matches!(source.downcast_ref(), Some(Error::Reentrant { .. })),
            "{error:?}: {source:?}"
        );
        assert_works(rt);
    });
}

/// It would wait for the end of the run that waits for it.
#[test]
fn a_buffer_of_the_running_pipeline_inside_a_fragment_with_a_loop_variable() {
    fn note(seen: &Mutex<Vec<Error>>, result: flash::Result<u32>) -> u32 {
        result.unwrap_or_else(|error| {
            seen.lock().unwrap().push(error);
            1
        })
    }
    on_both(|rt| {
        let seen = &Mutex::new(Vec::new());
        let mut x = Buffer::from(numbers(10));
        let y = Buffer::<u32, 2>::zeros([2, 10]);
        let (a, b, c) = (&x.clone(), &x.clone(), &x.clone());
        let (other, free) = (&Buffer::from(numbers(3)), &Buffer::from(numbers(3)));
        flash_pipeline! { in rt;
            for k in 0..1_usize {
                // An argument, a bound, a space, the offset of a view; for a kernel and a task.
                add(note(seen, a.get(k)), other, &mut x)[3];
                for _j in k as u32..note(seen, b.get(k)) {
                    double(&mut x)[note(seen, c.to_vec().map(|all| all[k])) as usize];
                }
                copy(&x, &mut y.at(note(seen, a.get(k)) as usize))[10];
                first(&y.at(note(seen, b.get(k)) as usize));
                // A buffer of nobody's run is free.
                double(&mut x)[free.get(k).unwrap() as usize];
            }
        }
        .exec()
        .unwrap();
        let seen = std::mem::take(&mut *seen.lock().unwrap());
        assert_eq!(seen.len(), 5, "{seen:?}");
        for error in seen {
            assert!(matches!(error, Error::Reentrant { task: None }), "{error:?}");
            assert!(error.to_string().starts_with("a fragment with a loop variable "), "{error}");
        }
        assert_works(rt);
    });
}

#[test]
fn many_threads_use_one_runtime() {
    on_both(|rt| {
        std::thread::scope(|scope| {
            for seed in 0..8 {
                scope.spawn(move || {
                    let x = Buffer::from(vec![seed; SOME]);
                    let mut y = Buffer::zeros(SOME);
                    for k in 0..20 {
                        rt.submit(add(k, &x, &mut y)).exec([SOME]).unwrap();
                    }
                    assert_eq!(y.to_vec().unwrap(), vec![20 * seed + 190; SOME]);
                });
            }
        });
    });
}

#[test]
fn many_threads_write_one_buffer() {
    on_both(|rt| {
        let x = Buffer::from(vec![1; SOME]);
        let y = Buffer::zeros(SOME);
        std::thread::scope(|scope| {
            for _ in 0..8 {
                let (x, mut y) = (x.clone(), y.clone());
                scope.spawn(move || {
                    for _ in 0..25 {
                        rt.submit(add(0, &x, &mut y)).exec([SOME]).unwrap();
                    }
                });
            }
        });
        assert_eq!(y.to_vec().unwrap(), vec![200; SOME], "no increment was lost");
    });
}
