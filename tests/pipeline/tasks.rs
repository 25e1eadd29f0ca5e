//! Host tasks in pipelines: closures and functions, their arrays, state and failures.

use std::io;
use std::sync::mpsc;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use flash::Error;
use flash::prelude::*;
use flash::sim::{Config, Fault, Run, Sim};

use crate::overlap::LONG;
use crate::{accumulate, counted, maximum, mix, mixed, on_each_device};

#[flash::host_task]
fn record(x: &[u64], step: u64, log: &Mutex<Vec<(u64, u64)>>) {
    log.lock().unwrap().push((step, x.iter().sum()));
}

#[flash::host_task]
fn refill(x: &mut [u64], name: String, values: &[u64]) -> io::Result<()> {
    let k: u64 =
        name.rsplit('-').next().and_then(|k| k.parse().ok()).ok_or(io::ErrorKind::InvalidInput)?;
    for (x, value) in x.iter_mut().zip(values) {
        *x = value + k;
    }
    Ok(())
}

#[flash::host_task]
fn refuse(_x: &[u64]) -> Result<(), String> {
    Err("no more of this".to_owned())
}

#[test]
fn a_task_sees_what_came_before_it() {
    on_each_device(|rt| {
        let log = Mutex::new(Vec::new());
        let mut x = Buffer::from(counted(4));
        flash_pipeline! { in rt;
            for step in 0..4 {
                mix(3, step + 1, &mut x)[4];
                record(&x, step, &log);
            }
        }
        .exec()
        .unwrap();
        let mut y = counted(4);
        let mut expected = Vec::new();
        for step in 0..4 {
            for y in &mut y {
                *y = mixed(*y, 3, step + 1);
            }
            expected.push((step, y.iter().sum::<u64>()));
        }
        assert_eq!(log.into_inner().unwrap(), expected);
    });
}

#[test]
fn kernels_see_what_a_task_wrote() {
    on_each_device(|rt| {
        let source = Buffer::from(vec![10_u64, 20, 30]);
        let (mut x, mut y) = (Buffer::from(vec![0_u64; 3]), Buffer::from(vec![0_u64; 3]));
        flash_pipeline! { in rt;
            for k in 0..3 {
                refill(&mut x, format!("frame-{k}"), &source);
                accumulate(1, &x, &mut y)[3];
            }
        }
        .exec()
        .unwrap();
        assert_eq!(y.to_vec().unwrap(), [33, 63, 93]);
    });
}

#[test]
fn a_closure_keeps_its_state_between_runs() {
    on_each_device(|rt| {
        let mut calls = 0;
        let mut x = Buffer::from(counted(3));
        let mut total = Var::new(0_u64);
        let image = Buffer::<u64, 2>::from_shape([2, 2], vec![1, 2, 3, 4]).unwrap();
        let mut p = flash_pipeline! { in rt;
            for _ in 0..3 {
                mix(2, 0, &mut x)[3];
                Task::new("total", (&x, &image, &mut total), |(x, image, total)| {
                    calls += 1;
                    *total += x[[0]] + image[[1, 0]];
                });
            }
        };
        p.exec().unwrap();
        drop(p);
        assert_eq!(calls, 3);
        assert_eq!(total.get().unwrap(), 2 + 4 + 8 + 3 * 3);
    });
}

#[test]
fn a_task_reads_a_cell_that_a_kernel_wrote() {
    on_each_device(|rt| {
        let mut x = Buffer::from(counted(4));
        let mut largest = Var::new(0_u64);
        let seen = Mutex::new(Vec::new());
        let log = Mutex::new(Vec::new());
        flash_pipeline! { in rt;
            for k in 1..4 {
                mix(2, k, &mut x)[4];
                maximum(&x, &mut largest)[4];
                Task::new("note", (&largest,), |(largest,)| seen.lock().unwrap().push(largest));
                record(&largest, k, &log);
            }
        }
        .exec()
        .unwrap();
        let expected = (1..4).scan(4, |x, k| {
            *x = mixed(*x, 2, k);
            Some(*x)
        });
        let expected: Vec<u64> = expected.collect();
        assert_eq!(seen.into_inner().unwrap(), expected);
        let numbered: Vec<_> = (1..4).zip(expected).collect();
        assert_eq!(log.into_inner().unwrap(), numbered);
    });
}

#[test]
fn tuples_nest_beyond_eight_arrays() {
    on_each_device(|rt| {
        let b: Vec<Buffer<u64>> = (0..9).map(|k| Buffer::from(vec![k])).collect();
        let mut sum = Buffer::from(vec![0_u64]);
        let first = (&b[0], &b[1], &b[2], &b[3]);
        let second = (&b[4], &b[5], (&b[6], &b[7]), &b[8]);
        let mut p = rt.pipeline();
        p.push(Task::new("sum", (first, second, &mut sum), |(a, b, mut sum)| {
            sum[[0]] = a.0[[0]] + a.1[[0]] + a.2[[0]] + a.3[[0]];
            sum[[0]] += b.0[[0]] + b.1[[0]] + b.2.0[[0]] + b.2.1[[0]] + b.3[[0]];
        }));
        p.exec().unwrap();
        assert_eq!(sum.get(0).unwrap(), 36);
    });
}

#[test]
fn a_failing_task_ends_the_pipeline() {
    on_each_device(|rt| {
        let mut x = Buffer::from(counted(3));
        let error = flash_pipeline! { in rt;
            mix(2, 0, &mut x)[3];
            refuse(&x);
            mix(2, 0, &mut x)[3];
        }
        .exec()
        .unwrap_err();
        match &error {
            Error::HostTask { task: "refuse", site, source } => {
                assert!(site.file().ends_with("tasks.rs"), "{site}");
                assert_eq!(source.to_string(), "no more of this");
            }
            other => panic!("{other:?}"),
        }
        // What came before stands. What came after is not run, but for a kernel that overwrites what
        // the task reads in other memory, which does not wait for it.
        let x = x.to_vec().unwrap();
        let may_run = rt.devices()[0].space().is_some();
        assert!(x == [2, 4, 6] || (may_run && x == [4, 8, 12]), "{x:?}");
    });
}

#[test]
fn a_closure_passes_errors_on() {
    on_each_device(|rt| {
        let x = Buffer::from(counted(3));
        let error = flash_pipeline! { in rt;
            Task::new("parse", (&x,), |(x,)| {
                let _: u32 = format!("{}!", x[[0]]).parse()?;
                Ok(())
            });
        }
        .exec()
        .unwrap_err();
        assert!(matches!(error, Error::HostTask { task: "parse", .. }), "{error:?}");
    });
}

#[test]
fn a_panicking_task_is_an_error_and_the_runtime_goes_on() {
    on_each_device(|rt| {
        let mut x = Buffer::from(counted(3));
        let mut p = flash_pipeline! { in rt;
            Task::new("fragile", (&x,), |(x,)| assert_eq!(x[[1]], 4, "not doubled"));
        };
        match p.exec().unwrap_err() {
            Error::HostTaskPanic { task: "fragile", message, .. } => {
                assert!(message.contains("not doubled"), "{message}");
            }
            other => panic!("{other:?}"),
        }
        rt.submit(mix(2, 0, &mut x)).exec([3]).unwrap();
        p.exec().unwrap();
    });
}

#[test]
fn a_kernel_overlaps_an_independent_task() {
    // The task ends only after a kernel that follows it in the program has been dispatched.
    let rt = Runtime::builder().devices("ALL_CPU").threads(2).build().unwrap();
    let (send, receive) = mpsc::channel();
    let (x, mut y) = (Buffer::from(counted(3)), Buffer::from(counted(3)));
    let send = Mutex::new(send);
    let dispatched = |factor: u64| {
        send.lock().unwrap().send(()).unwrap();
        factor
    };
    let dispatched = &dispatched;
    flash_pipeline! { in rt;
        Task::new("wait", (&x,), move |_| Ok(receive.recv_timeout(LONG)?));
        for k in 2..3 { mix(dispatched(k), 0, &mut y)[3]; }
    }
    .exec()
    .unwrap();
    assert_eq!(y.to_vec().unwrap(), [2, 4, 6]);
}

/// Also where a launch that was to overwrite it elsewhere goes to the CPU after all.
#[test]
fn a_task_keeps_what_it_reads_whatever_is_lost() {
    for (copies, after) in (1..=3).flat_map(|copies| (0..10).map(move |after| (copies, after))) {
        let sim = Sim::new(Config { devices: 1, run: Run::Entry, ..Config::default() });
        let clock = sim.clock();
        let builder = Runtime::builder().backend(Arc::new(sim.clone())).devices("ALL_CPU");
        let rt = builder.threads(2).copies(copies).build().unwrap();
        sim.inject(Fault::Lose { device: 0, after });
        let (mut x, mut expected) = (Buffer::from(counted(64)), counted(64));
        let mut p = rt.pipeline();
        for _ in 0..3 {
            let seen = expected.clone();
            let clock = clock.clone();
            p.push(Task::new("reads", (&x,), move |(x,)| {
                for _ in 0..4 {
                    assert!((0..64).all(|i| x[[i]] == seen[i]), "not what was there");
                    clock.sleep(Duration::from_millis(1));
                }
            }));
            p.push(mix(3, 1, &mut x).over([64]));
            expected.iter_mut().for_each(|x| *x = mixed(*x, 3, 1));
        }
        let result = p.exec();
        // What only the device had may be lost with it; nothing else goes wrong.
        match result.and_then(|_| x.to_vec()) {
            Ok(found) => assert_eq!(found, expected, "copies {copies}, lost after {after}"),
            Err(error) => assert!(matches!(error, Error::DeviceLost { .. }), "{error}"),
        }
    }
}

/// A launch that may be submitted as a task begins has nothing to do, so that what comes after it
/// overwrites, in the memory of the host, what the task still reads.
#[test]
fn what_a_task_reads_stays_also_behind_an_empty_launch() {
    let sim = Sim::new(Config { devices: 1, run: Run::Entry, ..Config::default() });
    let clock = flash_rt::backend::Backend::clock(&sim).unwrap();
    let builder = Runtime::builder().backend(Arc::new(sim)).devices("ALL_CPU").threads(2);
    let rt = builder.copies(2).round_robin(true).build().unwrap();
    let (mut x, none) = (Buffer::from(counted(4)), Var::new(0_usize));
    let seen = Arc::new(Mutex::new(Vec::new()));
    let note = Arc::clone(&seen);
    let mut p = rt.pipeline();
    p.push(Task::new("look", (&x,), move |(x,)| {
        clock.sleep(Duration::from_micros(50));
        // Also in real time, in which the CPU works.
        std::thread::sleep(Duration::from_millis(20));
        note.lock().unwrap().extend((0..4).map(|i| x[i]));
    }));
    p.push(mix(3, 1, &mut x).over([&none]));
    p.push(mix(5, 2, &mut x).over([4]));
    p.exec().unwrap();
    assert_eq!(*seen.lock().unwrap(), counted(4));
    assert_eq!(x.to_vec().unwrap(), [7, 12, 17, 22]);
}

#[flash::host_task]
fn fill_all(value: u64, #[out] x: &mut [u64]) {
    x.fill(value);
}

#[flash::host_task]
fn fill_some(value: u64, #[out(partial)] x: &mut [u64]) {
    x[..2].fill(value);
}

/// `#[out]` says that nothing has to be there before; `#[out(partial)]` that some of it stays.
#[test]
fn what_a_task_fills_is_not_brought_and_what_it_fills_in_part_is() {
    for (partly, expected) in [(false, [9; 4]), (true, [9, 9, 15, 20])] {
        let sim = Sim::new(Config { devices: 1, run: Run::Entry, ..Config::default() });
        let rt = Runtime::builder().backend(Arc::new(sim.clone())).devices("SIM").build().unwrap();
        let (x, mut y) = (Buffer::from(vec![1, 2, 3, 4]), Buffer::from(vec![0; 4]));
        let mut p = rt.pipeline();
        p.push(accumulate(5, &x, &mut y).over([4]));
        p.push(if partly { fill_some(9, &mut y) } else { fill_all(9, &mut y) });
        let report = p.exec().unwrap();
        assert_eq!(y.to_vec().unwrap(), expected);
        assert_eq!(sim.counts().downloads, u64::from(partly), "{:?}", report.transfers());
        let explained = p.explain().unwrap().to_string();
        let role = if partly { "x: read and written in host" } else { "x: written in host" };
        assert!(explained.contains(role), "{explained}");
    }
}
