//! Parts in `sync` and others of one pipeline: what meets in one must miss in the other, and results
//! are the same.

use std::sync::Arc;
use std::time::Duration;

use flash::prelude::*;
use flash_rt::sim::{Config, Link, Run, Sim, Speed};

use crate::overlap::{LONG, SHORT, kernel, sides, task};
use crate::{accumulate, counted, mix, mixed, on_each_device};

#[test]
fn a_policy_holds_from_where_it_is_stated() {
    for key in ["ALL_CPU", "SIM"] {
        {
            let builder = Runtime::builder().devices(key).threads(2).dataflow(true);
            let rt = builder.build().unwrap();
            let arrays = [(); 6].map(|()| Buffer::from(counted(2)));
            let mut p = rt.pipeline();
            for (k, two) in arrays.chunks(2).enumerate() {
                p.sync(k == 1);
                let [a, b] = sides(if k == 1 { SHORT } else { LONG });
                kernel(&mut p, &mut two[0].clone(), &a);
                p.push(task("other", &mut two[1].clone(), &b));
            }
            p.exec().unwrap();
            for (k, two) in arrays.chunks(2).enumerate() {
                let values = [two[0].to_vec().unwrap(), two[1].to_vec().unwrap()];
                if k == 1 {
                    assert!(values.contains(&vec![0, 0]), "{key} {k}: they met: {values:?}");
                } else {
                    assert_eq!(values, [[3, 6], [3, 6]], "{key} {k}: a miss");
                }
            }
        }
    }
}

#[test]
fn trips_of_a_loop_change_their_policy_inside() {
    on_each_device(|rt| {
        let (mut x, mut y) = (Buffer::from(counted(9)), Buffer::from(counted(9)));
        let mut p = rt.pipeline();
        let k = p.begin_for(0..30_u64);
        p.push(mix(3, k, &mut x).over([9]));
        p.sync(true);
        p.push(mix(5, k, &mut y).over([9]));
        p.sync(false);
        p.push(mix(7, 1, &mut x).over([9]));
        p.end_for();
        for _ in 0..3 {
            x.copy_from_slice(&counted(9)).unwrap();
            y.copy_from_slice(&counted(9)).unwrap();
            p.exec().unwrap();
            let after = |of: &dyn Fn(u64, u64) -> u64| -> Vec<u64> {
                (1..=9).map(|x| (0..30).fold(x, of)).collect()
            };
            assert_eq!(x.to_vec().unwrap(), after(&|x, k| mixed(mixed(x, 3, k), 7, 1)));
            assert_eq!(y.to_vec().unwrap(), after(&|y, k| mixed(y, 5, k)));
        }
    });
}

/// A host task that launches a pipeline and waits for it, as those that wait by themselves.
#[test]
fn a_task_that_launches_under_sync_comes_to_its_end() {
    for key in ["ALL_CPU", "SIM"] {
        let rt = Runtime::builder().devices(key).threads(2).sync(true).build().unwrap();
        let (mut x, inner) = (Buffer::from(counted(2)), rt.clone());
        let mut outer = rt.pipeline();
        let mut y = Buffer::from(counted(2));
        outer.push(Task::new("outer", (&mut x,), move |(mut x,)| {
            let mut p = inner.pipeline();
            p.push(mix(3, 0, &mut y).over([2]));
            p.launch().wait().unwrap();
            x[[0]] = y.get(0).unwrap();
        }));
        outer.exec().unwrap();
        assert_eq!(x.get(0).unwrap(), mixed(1, 3, 0), "{key}");
    }
}

/// Three chains of launches on devices of their own, a host task and a copy are under way, and any one of
/// them is the last to end: a stage in `sync` that touches nothing of theirs begins then, and not when
/// what was submitted just before it has ended.
#[test]
fn the_first_stage_in_sync_waits_for_all_that_is_under_way() {
    const MS: fn(u64) -> Duration = Duration::from_millis;
    for (longest, by_task) in (0..5).flat_map(|k| [(k, false), (k, true)]) {
        let time = |k: usize| MS(if k == longest { 90 } else { 10 + 6 * k as u64 });
        let launches = [1, 2, 3];
        let speed = |k: usize| {
            let launch = if k < 3 { time(k) / launches[k] } else { Duration::ZERO };
            let latency = if k == 3 { time(4) } else { Duration::ZERO };
            let kernels = vec![("accumulate".to_owned(), MS(1))];
            Speed { launch, kernels, up: Link { latency, bytes_per_second: 0 }, ..Speed::default() }
        };
        let others = (0..4).map(|k| (k, speed(k))).collect();
        let sim = Sim::new(Config { devices: 4, run: Run::Entry, others, ..Config::default() });
        let clock = sim.clock();
        let rt = Runtime::builder().backend(Arc::new(sim.clone())).trace(true).build().unwrap();
        let chains = [(); 3].map(|()| Buffer::from(counted(4)));
        let (mut seen, away) = (Buffer::from(counted(4)), Buffer::from(counted(4)));
        let (x, mut y) = (Buffer::from(counted(4)), Buffer::from(counted(4)));
        let mut p = rt.pipeline();
        for (k, chain) in chains.iter().enumerate() {
            for _ in 0..launches[k] {
                p.push(mix(3, 1, &mut chain.clone()).pin(k).over([4]));
            }
        }
        let held = time(3);
        p.push(Task::new("held", (&mut seen,), move |_| {
            clock.sleep(held);
            Ok(())
        }));
        p.move_to(&away, 3);
        p.sync(true);
        match by_task {
            false => p.push(accumulate(1, &x, &mut y).pin(0).over([4])),
            true => p.push(Task::new("accumulate", (&x, &mut y), |(x, mut y)| {
                (0..4).for_each(|i| y[i] += x[i]);
            })),
        };
        p.exec().unwrap();
        assert_eq!(y.to_vec().unwrap(), [2, 4, 6, 8]);

        let trace = rt.trace();
        let (last, others): (Vec<_>, Vec<_>) =
            trace.intervals().iter().partition(|interval| interval.name == "accumulate");
        let before = others.iter().filter(|interval| interval.begin < last[0].begin);
        assert_eq!(before.clone().map(|interval| interval.end).max(), Some(MS(90)), "{longest}");
        assert_eq!(last[0].begin, MS(90), "{longest}: {trace:?}");
        let sum: Duration = before.map(|interval| interval.end - interval.begin).sum();
        assert!(sum > MS(90 + 60), "{longest}: they run at once, {sum:?}");
    }
}
