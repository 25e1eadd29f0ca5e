//! Handles of launched pipelines: waiting twice, asking, progress, and cancelling at any point.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::channel;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use flash::prelude::*;
use flash::sim::{Config, Time};
use flash::{Error, Handle, Progress};

use crate::overlap::LONG;
use crate::{counted, mix, mixed, on_each_device};

fn is_shared<T: Send + Sync>() {}

#[test]
fn a_handle_is_asked_by_any_thread_as_often_as_one_likes() {
    is_shared::<Handle>();
    on_each_device(|rt| {
        let mut x = Buffer::from(counted(8));
        let (go, held) = channel::<()>();
        let mut p = rt.pipeline();
        p.push(Task::new("held", (), move |()| Ok(held.recv()?)));
        p.push(mix(3, 1, &mut x).over([8]));
        let handle = p.launch();
        assert!(!handle.is_finished() && handle.try_wait().is_none());
        std::thread::scope(|threads| {
            let waits = [(); 3].map(|()| threads.spawn(|| handle.wait()));
            go.send(()).unwrap();
            for wait in waits {
                assert_eq!(wait.join().unwrap().unwrap().kernels()[0].count, 1);
            }
        });
        assert!(handle.is_finished());
        assert_eq!(handle.try_wait().unwrap().unwrap().tasks()[0].count, 1);
        assert_eq!(handle.wait().unwrap().kernels()[0].count, 1);
        // After the end there is nothing to cancel.
        handle.cancel();
        assert!(handle.wait().is_ok());
        assert_eq!(x.get(0).unwrap(), 4);
    });
}

#[test]
fn progress_counts_what_ended() {
    for key in ["ALL_CPU", "SIM"] {
        for sync in [false, true] {
            let rt = Runtime::open(key).unwrap();
            let (mut x, mut y) = (Buffer::from(counted(4)), Buffer::from(counted(4)));
            let (told, hear) = channel::<()>();
            let (go, held) = channel::<()>();
            let mut p = flash_pipeline! { in rt.options().sync(sync);
                for _ in 0..3 {
                    mix(3, 1, &mut x)[4];
                    for _ in 0..2 { mix(5, 2, &mut y)[4]; }
                }
            };
            p.push(Task::new("held", (&mut x, &mut y), move |_| {
                told.send(())?;
                Ok(held.recv()?)
            }));
            p.push(mix(7, 1, &mut x).over([4]));
            // Its stages wait for each other, and who launches it does not.
            p.sync(false);
            let handle = p.launch();
            hear.recv().unwrap();
            assert_eq!(handle.progress(), Progress { nodes: 9, trips: 9 }, "{key} {sync}");
            go.send(()).unwrap();
            handle.wait().unwrap();
            assert_eq!(handle.progress(), Progress { nodes: 11, trips: 9 });
        }
    }
}

#[test]
fn a_host_task_cancels_its_own_pipeline() {
    on_each_device(|rt| {
        let mut x = Buffer::from(counted(4));
        let mine = Arc::new(OnceLock::<Arc<Handle>>::new());
        let of_task = Arc::clone(&mine);
        let mut p = rt.pipeline();
        p.push(mix(3, 1, &mut x).over([4]));
        p.push(Task::new("stop", (&mut x,), move |(mut x,)| {
            while of_task.get().is_none() {
                std::thread::yield_now();
            }
            of_task.get().unwrap().cancel();
            x[[1]] = 100;
        }));
        p.push(mix(5, 1, &mut x).over([4]));
        let line = line!() - 1;
        mine.set(Arc::new(p.launch())).unwrap();
        let error = mine.get().unwrap().wait().unwrap_err();
        let Error::Cancelled { at: Some(at) } = &error else { panic!("{error}") };
        assert_eq!((at.node, at.stage, at.site.line()), (Some(2), "mix", line));
        assert!(error.to_string().contains("cancelled before node 2, `mix`"), "{error}");
        // What ran has ended, and its data are there.
        assert_eq!(x.to_vec().unwrap(), [4, 100, 10, 13]);
    });
}

/// It would wait for itself.
#[test]
fn a_host_task_cannot_wait_for_its_own_pipeline() {
    on_each_device(|rt| {
        let mut x = Buffer::from(counted(4));
        let mine = Arc::new(OnceLock::<Arc<Handle>>::new());
        let of_task = Arc::clone(&mine);
        let mut p = rt.pipeline();
        p.push(Task::new("waiter", (&mut x,), move |(mut x,)| {
            while of_task.get().is_none() {
                std::thread::yield_now();
            }
            let error = of_task.get().unwrap().wait().unwrap_err();
            assert!(matches!(error, Error::Reentrant { task: Some("waiter") }), "{error}");
            assert!(error.to_string().contains("or waits for its handle"), "{error}");
            x[[0]] = 7;
        }));
        mine.set(Arc::new(p.launch())).unwrap();
        mine.get().unwrap().wait().unwrap();
        // That of another pipeline it may wait for.
        let other = Arc::clone(&mine);
        let mut p = rt.pipeline();
        p.push(Task::new("other", (&mut x,), move |(mut x,)| {
            other.get().unwrap().wait()?;
            x[[1]] = 8;
            Ok(())
        }));
        p.launch().wait().unwrap();
        assert_eq!(x.to_vec().unwrap(), [7, 8, 3, 4]);
    });
}

#[test]
fn what_a_closure_of_a_launched_pipeline_panicked_with_is_told() {
    on_each_device(|rt| {
        let mut x = Buffer::from(counted(4));
        let factors = [2_u64, 3];
        let p = flash_pipeline! { in rt; for k in 0..3 { mix(factors[k], 0, &mut x)[4]; } };
        let error = p.launch().wait().unwrap_err();
        let Error::Panicked { message } = &error else { panic!("{error}") };
        assert!(message.contains("the index is 2"), "{message}");
        assert!(error.to_string().ends_with(message), "{error}");
        assert_eq!(x.to_vec().unwrap(), [6, 12, 18, 24]);
    });
}

#[test]
fn one_that_waits_for_its_buffers_starts_nothing_once_it_is_cancelled() {
    on_each_device(|rt| {
        let mut x = Buffer::from(counted(4));
        let (go, held) = channel::<()>();
        let mut first = rt.pipeline();
        first.push(Task::new("held", (&mut x,), move |_| Ok(held.recv_timeout(LONG)?)));
        let first = first.launch();
        let second = flash_pipeline! { in rt; for k in 1..9 { mix(3, k, &mut x)[4]; } }.launch();
        second.cancel();
        go.send(()).unwrap();
        first.wait().unwrap();
        assert!(matches!(second.wait(), Err(Error::Cancelled { .. })));
        assert_eq!(second.progress(), Progress::default());
        assert_eq!(x.to_vec().unwrap(), counted(4));
    });
}

/// Two chains and a task in a loop; `stop` says after how many starts of the task it is cancelled.
fn cancelled_run(rt: &Runtime, copies: u64, seed: u64) {
    let (mut x, mut y) = (Buffer::from(counted(16)), Buffer::from(counted(16)));
    let seen = Arc::new(AtomicU64::new(0));
    let of_task = Arc::clone(&seen);
    let mut p = rt.pipeline();
    let trips = 20_u64;
    let variable = p.begin_for(0..trips);
    p.push(mix(3, variable, &mut x).over([16]));
    p.push(mix(5, variable, &mut y).over([16]));
    p.push(Task::new("count", (&x,), move |_| {
        of_task.fetch_add(1, Ordering::Relaxed);
    }));
    p.end_for();
    let handle = p.launch();
    match seed % 4 {
        0 => std::thread::sleep(Duration::from_micros(seed * 7 % 400)),
        1 => {
            while seen.load(Ordering::Relaxed) < seed % (trips + 1) && !handle.is_finished() {
                std::hint::spin_loop();
            }
        }
        2 => (0..seed * 13 % 5000).for_each(|_| std::hint::spin_loop()),
        _ => {}
    }
    handle.cancel();
    let result = handle.wait();
    let done = match &result {
        Ok(_) => Some(trips),
        Err(Error::Cancelled { at: Some(_) }) => None,
        Err(error) => panic!("{error}"),
    };
    // Each array is that after some whole number of trips; where it ended, after all of them.
    let is_after = |found: &[u64], a: u64, n: u64| {
        let one = |x: u64| (0..n).fold(x, |x, k| mixed(x, a, k));
        found.iter().zip(counted(16)).all(|(&found, x)| found == one(x))
    };
    let runs = 0..=trips;
    let (x, y) = (x.to_vec().unwrap(), y.to_vec().unwrap());
    let at = |found: &[u64], a| runs.clone().find(|&n| is_after(found, a, n)).unwrap();
    let (at_x, at_y) = (at(&x, 3), at(&y, 5));
    if let Some(done) = done {
        assert_eq!((at_x, at_y, seen.load(Ordering::Relaxed)), (done, done, done));
    }
    let tasks = seen.load(Ordering::Relaxed);
    // On a device kernels go on once what the task reads is on its way: in its own turn, and in as many
    // turns to come as there are memories here.
    let ahead = tasks + 1 + copies;
    assert!(tasks <= at_x && at_x <= ahead, "the task waits for its trip: {tasks} {at_x}");
}

#[test]
fn cancelling_anywhere_leaves_whole_stages_and_a_runtime_that_works() {
    for (key, copies) in [("ALL_CPU", 1), ("SIM", 1), ("SIM", 2), ("SIM", 3)] {
        let builder = Runtime::builder().devices(key).threads(2).copies(copies);
        let rt = builder.build().unwrap();
        (0..100).for_each(|seed| cancelled_run(&rt, copies as u64, seed));
        let mut x = Buffer::from(counted(4));
        rt.submit(mix(3, 1, &mut x)).exec([4]).unwrap();
        assert_eq!(x.get(3).unwrap(), 13);
    }
}

#[test]
fn a_dropped_handle_lets_the_pipeline_run_on() {
    on_each_device(|rt| {
        let mut x = Buffer::from(counted(4));
        drop(flash_pipeline! { in rt; for k in 0..50 { mix(3, k, &mut x)[4]; } }.launch());
        // Waits for the last writer.
        let expected = (0..50).fold(4, |x, k| mixed(x, 3, k));
        assert_eq!(x.get(3).unwrap(), expected);
    });
}

#[test]
fn one_launched_in_a_scope_is_waited_for_asked_and_cancelled() {
    // On real time, as a task that is held keeps a virtual clock from going on.
    let real = Config { time: Time::Real, ..Config::default() };
    for builder in [
        Runtime::builder().devices("ALL_CPU").threads(2),
        Runtime::builder().devices("SIM").sim(real),
    ] {
        let rt = builder.build().unwrap();
        let (mut values, mut others) = (counted(4), counted(4));
        {
            let mut x = Bound::new(&mut values);
            let mut y = Bound::new(&mut others);
            let (go, held) = channel::<()>();
            let (mut p, mut q) = (rt.pipeline(), rt.pipeline());
            p.push(mix(3, 1, &mut x).over([4]));
            // It may write what the kernel needs, which therefore waits for it.
            q.push(Task::new("held", (&mut y,), move |_| Ok(held.recv_timeout(LONG)?)));
            q.push(mix(3, 1, &mut y).over([4]));
            rt.scope(|s| {
                // The first host task is held, and `launch` has returned.
                let second = s.launch(&mut q);
                let first = s.launch(&mut p);
                let report = first.wait().unwrap();
                assert_eq!(report.kernel("mix").unwrap().count, 1);
                assert_eq!((first.is_finished(), second.is_finished()), (true, false));
                assert!(second.try_wait().is_none());
                second.cancel();
                go.send(()).unwrap();
                let error = second.wait().unwrap_err();
                assert!(matches!(error, Error::Cancelled { at: Some(_) }), "{error}");
            })
            .expect("who has heard an error deals with it");
        }
        assert_eq!((values, others), (vec![4, 7, 10, 13], counted(4)));
    }
}

#[test]
fn a_scope_tells_the_errors_that_no_handle_has_told() {
    on_each_device(|rt| {
        let fails = |name: &'static str| {
            let mut p = rt.pipeline();
            p.push(Task::new(name, (), move |()| Err(name.into())));
            p
        };
        let [mut a, mut b, mut c] = ["a", "b", "c"].map(fails);
        let mut left = None;
        let error = rt
            .scope(|s| {
                let _ = s.launch(&mut a).wait();
                drop(s.launch(&mut b));
                left = Some(s.launch(&mut c));
            })
            .unwrap_err();
        assert!(matches!(error, Error::HostTask { task: "b", .. }), "{error}");
        let error = left.unwrap().wait().unwrap_err();
        assert!(matches!(error, Error::HostTask { task: "c", .. }), "{error}");
    });
}
