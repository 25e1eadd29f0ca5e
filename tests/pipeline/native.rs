//! Native nodes between kernels and host tasks, on the CPU, on a device with a memory of its own, and
//! on both.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use flash::prelude::*;
use flash::sim::{Config, Fault, Run, Sim};
use flash::{Error, Native, out};

use crate::{accumulate, counted, mix, mixed, on_each_device};

/// As [`mix`], in code for the host and for the simulator.
fn native_mix<'a>(a: u64, b: u64, x: &mut Buffer<u64>) -> Native<'a, (&mut Buffer<u64>,)> {
    Native::new("native mix", (x,))
        .on_host(move |(mut x,)| (0..x.len()).for_each(|k| x[[k]] = mixed(x[[k]], a, b)))
        .on_sim(move |cx| {
            cx.enqueue(Duration::from_micros(3), move |arrays| {
                let x: Vec<u64> = arrays.read(0)?;
                let x: Vec<u64> = x.into_iter().map(|x| mixed(x, a, b)).collect();
                Ok(arrays.write(0, &x)?)
            });
        })
}

/// y ← x, backwards.
fn turned<'a>(x: &Buffer<u64>, y: &mut Buffer<u64>) -> impl IntoStage<'a> {
    Native::new("turn", (x, out(y)))
        .on_host(|(x, mut y)| {
            let n = x.len();
            (0..n).for_each(|k| y[[k]] = x[[n - 1 - k]]);
        })
        .on_sim(|cx| {
            cx.enqueue(Duration::from_micros(3), |arrays| {
                let mut x: Vec<u64> = arrays.read(0)?;
                x.reverse();
                Ok(arrays.write(1, &x)?)
            });
        })
}

#[test]
fn nodes_stand_among_kernels_and_host_tasks() {
    on_each_device(|rt| {
        let (mut x, mut y) = (Buffer::from(counted(9)), Buffer::from(vec![5_u64; 9]));
        let mut sum = Buffer::from(vec![0_u64; 9]);
        let seen = AtomicU64::new(0);
        let mut pipeline = flash_pipeline! { in rt;
            for step in 0..4 {
                mix(3, step + 1, &mut x)[9];
                native_mix(5, 2, &mut x);
                turned(&x, &mut y);
                accumulate(1, &y, &mut sum)[9];
                swap(x, y);
            }
        };
        let look = |(sum,): (View<'_, u64, 1>,)| seen.store(sum[[0]], Ordering::Relaxed);
        pipeline.push(Task::new("look", (&sum,), look));
        let (mut a, mut s) = (counted(9), vec![0; 9]);
        for run in 1..=2 {
            pipeline.exec().unwrap();
            for step in 0..4 {
                a.iter_mut().for_each(|a| *a = mixed(mixed(*a, 3, step + 1), 5, 2));
                let turned: Vec<u64> = a.iter().rev().copied().collect();
                s.iter_mut().zip(&turned).for_each(|(s, t)| *s = (*s + t) % 65521);
                a = turned;
            }
            assert_eq!(
                (x.to_vec().unwrap(), sum.to_vec().unwrap()),
                (a.clone(), s.clone()),
                "{run}"
            );
        }
        assert_eq!(seen.load(Ordering::Relaxed), s[0]);
    });
}

#[test]
fn code_and_data_may_be_borrowed() {
    on_each_device(|rt| {
        let (mut values, mut times) = (counted(6), 0);
        {
            let mut u = Bound::new(&mut values);
            let times = &mut times;
            let node = rt.native("head", (&mut u.view_mut(..2),));
            let mut pipeline = rt.pipeline();
            let count = Arc::new(AtomicU64::new(0));
            let counter = Arc::clone(&count);
            pipeline.push(
                node.on_host(move |(mut x,)| {
                    *times += 1;
                    counter.fetch_add(1, Ordering::Relaxed);
                    x[[0]] = 70;
                })
                .on_sim(|cx| {
                    cx.enqueue(Duration::ZERO, |arrays| Ok(arrays.write(0, &[70_u64, 2])?))
                }),
            );
            pipeline.push(mix(3, 1, &mut u).over([6]));
            // Beside the code of the caller, in a scope.
            rt.scope(|scope| scope.launch(&mut pipeline).wait().map(drop)).unwrap().unwrap();
        }
        let expected: Vec<u64> = [70, 2, 3, 4, 5, 6].map(|x| mixed(x, 3, 1)).into();
        assert_eq!(values, expected);
        assert_eq!(times == 1, rt.devices()[0].key() == "ALL_CPU");
    });
}

#[test]
fn what_code_on_the_host_does_wrong_is_an_error_of_the_node() {
    let rt = Runtime::builder().devices("ALL_CPU").threads(2).build().unwrap();
    let mut x = Buffer::from(counted(4));
    let clone = x.clone();
    let run = |node: Native<'static, (&mut Buffer<u64>,)>| {
        let mut pipeline = rt.pipeline();
        pipeline.push(node);
        pipeline.exec().unwrap_err()
    };
    let error = run(rt.native("refuses", (&mut x,)).on_host(|_| Err("no such size".into())));
    let Error::Native { node: "refuses", site, device, .. } = &error else { panic!("{error:?}") };
    assert_eq!(site.file(), file!());
    assert_eq!(device, rt.devices()[0].name());
    assert!(format!("{error:?}").ends_with("because: no such size"), "{error:?}");
    let panics = |(x,): (ViewMut<'_, u64, 1>,)| assert_eq!(x[[0]], 7, "what is that");
    let error = run(rt.native("panics", (&mut x,)).on_host(panics));
    assert!(matches!(&error, Error::NativePanic { node: "panics", .. }), "{error:?}");
    assert!(error.to_string().contains("what is that"), "{error}");
    // It holds what it works on.
    let waits = move |_: (ViewMut<'_, u64, 1>,)| Err(clone.get(0).unwrap_err().into());
    let error = run(rt.native("waits", (&mut x,)).on_host(waits));
    assert!(format!("{error:?}").contains("uses a buffer of the pipeline"), "{error:?}");
    // The CPU has no queue of its own to give.
    let error = run(rt.native("elsewhere", (&mut x,)).on_sim(|_| ()));
    assert!(matches!(&error, Error::NoImplementation { kernel: "elsewhere", .. }), "{error:?}");
    assert!(error.to_string().contains("has code for `SIM`;"), "{error}");
    assert_eq!(x.to_vec().unwrap(), counted(4));
}

#[test]
fn where_a_device_is_lost_the_host_goes_on() {
    for after in 0..8 {
        let sim = Sim::new(Config { devices: 1, run: Run::Entry, ..Config::default() });
        let builder = Runtime::builder().backend(Arc::new(sim.clone())).devices("ALL_CPU");
        let rt = builder.threads(2).build().unwrap();
        sim.inject(Fault::Lose { device: 0, after });
        let mut x = Buffer::from(counted(5));
        let mut pipeline = rt.pipeline();
        pipeline.push(native_mix(3, 1, &mut x));
        pipeline.push(native_mix(5, 2, &mut x));
        let ran = pipeline.exec().map(drop).and_then(|()| x.to_vec());
        match ran {
            Ok(found) => {
                let expected = counted(5).into_iter().map(|v| mixed(mixed(v, 3, 1), 5, 2));
                assert_eq!(found, expected.collect::<Vec<_>>(), "{after}");
            }
            Err(error) => assert!(matches!(error, Error::DeviceLost { .. }), "{after}: {error:?}"),
        }
    }
}
