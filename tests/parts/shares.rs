//! Which shares parts get: by what was measured or declared, transfers counted; when they change; what
//! is kept of them for the next run of a program.

use std::time::Duration;

use flash::Error;
use flash::prelude::*;
use flash_rt::Pipeline;
use flash_rt::sim::{Config, Link, Sim, Speed, What};

use super::{RATE, open, open_as};

#[flash::kernel(part_by)]
fn scale(a: u64, x: &[u64], #[out] y: &mut [u64]) {
    let i = global_id(0);
    y[i] = a * x[i] + i as u64;
}

#[flash::kernel(part_by, unsafe(cuda(path = "none.cubin", block(48))))]
fn in_groups(x: &[u64], #[out] y: &mut [u64]) {
    let i = global_id(0);
    y[i] = x[i] + 1;
}

const N: usize = 400_000;

/// The items of the launches since the calls were last forgotten, by device.
fn items(sim: &Sim, devices: usize) -> Vec<u64> {
    let mut all = vec![0; devices];
    for call in sim.calls() {
        if let What::Launch { items, .. } = call.what {
            all[call.device] += items;
        }
    }
    sim.clear_calls();
    all
}

fn exec(p: &mut Pipeline<'_>, sim: &Sim, devices: usize) -> Vec<u64> {
    sim.clear_calls();
    p.exec().unwrap();
    items(sim, devices)
}

fn near(found: &[u64], wanted: &[u64]) -> bool {
    found.iter().zip(wanted).all(|(a, b)| a.abs_diff(*b) <= N as u64 / 50)
}

/// Devices that are to be measured.
fn silent(speeds: &[u64]) -> (Runtime, Sim) {
    open_as(Config { declares: false, ..Config::default() }, speeds)
}

#[test]
fn shares_are_what_was_measured_and_one_slow_run_does_not_count() {
    let (rt, sim) = silent(&[1, 3]);
    let (x, mut y) = (Buffer::from(vec![2_u64; N]), Buffer::<u64>::zeros(N));
    let mut p = rt.pipeline();
    p.push(scale(3, &x, &mut y).over([N]));
    // Each device is tried once.
    assert_eq!(exec(&mut p, &sim, 2), [N as u64, 0]);
    assert_eq!(exec(&mut p, &sim, 2), [0, N as u64]);
    for _ in 0..3 {
        let found = exec(&mut p, &sim, 2);
        assert!(near(&found, &[100_000, 300_000]), "{found:?}");
    }
    sim.slow(0, 40.0);
    exec(&mut p, &sim, 2);
    sim.slow(0, 1.0);
    for _ in 0..3 {
        let found = exec(&mut p, &sim, 2);
        assert!(near(&found, &[100_000, 300_000]), "{found:?}");
    }
    // What goes on is believed.
    sim.slow(0, 3.0);
    (0..8).for_each(|_| drop(exec(&mut p, &sim, 2)));
    let found = exec(&mut p, &sim, 2);
    assert!(near(&found, &[40_000, 360_000]), "{found:?}");
    assert_eq!(y.get(N - 1).unwrap(), 6 + N as u64 - 1);
}

/// Whichever run of a device is the slow one, also where there are few to go by.
#[test]
fn a_slow_run_among_the_first_does_not_count() {
    for slow in 0..4 {
        let (rt, sim) = silent(&[1, 3]);
        let (x, mut y) = (Buffer::from(vec![2_u64; N]), Buffer::<u64>::zeros(N));
        let mut kept = rt.pipeline();
        let mut arrays = (x.view(..), y.view(..));
        kept.push(scale(3, &arrays.0, &mut arrays.1).over([N]));
        for run in 0..8 {
            // The device has its first run in run 0, its part of the others in 2 and 3.
            sim.slow(0, if run == slow { 40.0 } else { 1.0 });
            let found = match slow % 2 {
                0 => exec(&mut kept, &sim, 2),
                _ => {
                    sim.clear_calls();
                    rt.submit(scale(3, &x, &mut y)).exec([N]).unwrap();
                    items(&sim, 2)
                }
            };
            if run >= 5 {
                assert!(near(&found, &[100_000, 300_000]), "slow in {slow}, {run}: {found:?}");
            }
        }
    }
}

#[test]
fn a_doubtful_run_is_said_to_be_one() {
    let (rt, sim) = silent(&[1, 3]);
    let (x, mut y) = (Buffer::from(vec![2_u64; N]), Buffer::<u64>::zeros(N));
    sim.slow(0, 40.0);
    rt.submit(scale(3, &x, &mut y)).exec([N]).unwrap();
    sim.slow(0, 1.0);
    rt.submit(scale(3, &x, &mut y)).exec([N]).unwrap();
    let mut p = rt.pipeline();
    p.push(scale(3, &x, &mut y).over([N]));
    let how = p.explain().unwrap().to_string();
    assert!(how.contains("tried once more, as its only run there"), "{how}");
}

#[test]
fn copies_are_counted_as_they_are() {
    // Items take 1 µs each; on the second device their elements take another one to get there.
    let link = Link { latency: Duration::ZERO, bytes_per_second: 8 * RATE };
    let second = Speed { items_per_second: RATE, up: link, ..Speed::default() };
    let first = Speed { items_per_second: RATE, ..Speed::default() };
    let config = Config { devices: 2, others: vec![(0, first), (1, second)], ..Config::default() };
    let sim = Sim::new(Config { run: flash_rt::sim::Run::Entry, ..config });
    let rt = Runtime::builder().backend(std::sync::Arc::new(sim.clone())).build().unwrap();
    let (x, mut y) = (Buffer::from(vec![2_u64; N]), Buffer::<u64>::zeros(N));
    let mut p = rt.pipeline();
    p.push(scale(3, &x, &mut y).over([N]));
    let how = p.explain().unwrap().to_string();
    let found = exec(&mut p, &sim, 2);
    assert!(near(&found, &[266_667, 133_333]), "{found:?}: {how}");
    let took = sim.clock().now().as_secs_f64();
    assert!((took - 0.2667).abs() < 0.005, "{took} s: {how}");
    // When they are there, nothing is to be counted.
    let mut q = rt.pipeline();
    q.push(scale(3, &x, &mut y).over([N]));
    rt.submit(scale(3, &x, &mut y).pin(1)).exec([N]).unwrap();
    let found = exec(&mut q, &sim, 2);
    assert!(near(&found, &[200_000, 200_000]), "{found:?}");
}

#[test]
fn borders_stay_unless_that_gains_two_hundredths() {
    let (rt, sim) = open(&[1, 3]);
    let (x, mut y) = (Buffer::from(vec![2_u64; N]), Buffer::<u64>::zeros(N));
    let mut z = Buffer::<u64>::zeros(8);
    let mut p = rt.pipeline();
    p.push(scale(3, &x, &mut y).over([N]));
    let before = exec(&mut p, &sim, 2);
    let again = |p: &mut Pipeline<'_>, z: &mut Buffer<u64>| {
        // Whoever gets another stage is placed anew.
        p.push(scale(3, &x, z).pin(0).over([8]));
        let mut found = exec(p, &sim, 2);
        found[0] -= 8 * (p.explain().unwrap().stages().len() as u64 - 1);
        found
    };
    sim.slow(0, 1.02);
    assert_eq!(again(&mut p, &mut z), before, "it would gain half a hundredth");
    sim.slow(0, 1.5);
    let found = again(&mut p, &mut z);
    assert!(near(&found, &[72_727, 327_273]), "{found:?}");
}

/// Also of pipelines that are built anew.
#[test]
fn borders_of_single_launches_stay_too() {
    let (rt, sim) = open(&[1, 3]);
    let (x, mut y) = (Buffer::from(vec![2_u64; N]), Buffer::<u64>::zeros(N));
    let mut run = |slower: f64| {
        sim.slow(0, slower);
        sim.clear_calls();
        rt.submit(scale(3, &x, &mut y)).exec([N]).unwrap();
        items(&sim, 2)
    };
    let before = run(1.0);
    assert!(near(&before, &[100_000, 300_000]), "{before:?}");
    for slower in [1.02, 1.01, 1.0] {
        assert_eq!(run(slower), before, "it would gain less than two hundredths");
    }
    let found = run(1.5);
    assert!(near(&found, &[72_727, 327_273]), "{found:?}");
}

#[test]
fn borders_are_at_cache_lines_and_groups() {
    let (rt, sim) = open(&[1, 2, 4]);
    let (x, mut y) = (Buffer::from(vec![2_u64; N]), Buffer::<u64>::zeros(N));
    rt.submit(scale(3, &x, &mut y).partitions(3)).exec([N]).unwrap();
    rt.submit(scale(3, &x, &mut y)).exec([N]).unwrap();
    let lines = |unit: u64| {
        let launches = sim.calls().into_iter().filter_map(|call| match call.what {
            What::Launch { items, .. } => Some(items),
            _ => None,
        });
        let launches: Vec<u64> = launches.collect();
        sim.clear_calls();
        assert_eq!(launches.len() % 3, 0);
        // All but the last one of each split.
        launches.chunks(3).all(|parts| parts[..2].iter().all(|items| items % unit == 0))
    };
    assert!(lines(64));
    rt.submit(in_groups(&x, &mut y).partitions(3)).exec([N]).unwrap();
    assert!(lines(192));
    assert_eq!(y.get(N - 1).unwrap(), 3);
}

#[test]
fn explain_gives_the_reason_in_numbers() {
    let (rt, _) = open(&[1, 3]);
    let (x, mut y) = (Buffer::from(vec![2_u64; N]), Buffer::<u64>::zeros(N));
    let how = |call: flash::Call<'static, 1>| {
        let mut p = rt.pipeline();
        p.push(call.over([N]));
        p.explain().unwrap().stages()[0].placed.clone().unwrap()
    };
    let text = how(scale(3, &x, &mut y));
    for words in ["split to end at 100ms", "100000 items on sim:0", "300000 items on sim:1"] {
        assert!(text.contains(words), "{words}: {text}");
    }
    assert!(text.contains("sim:1 alone at 133.3"), "{text}");
    let text = how(scale(3, &x, &mut y).shares([1.0, 1.0]));
    assert_eq!(text, "split as told: 50.0 % on sim:0, 50.0 % on sim:1");
}

#[test]
fn what_was_measured_is_remembered() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("rates");
    let open = |path: &std::path::Path| {
        let (_, sim) = silent(&[1, 3]);
        let backend = std::sync::Arc::new(sim.clone());
        Runtime::builder().backend(backend).remember(path).build().map(|rt| (rt, sim))
    };
    let (x, mut y) = (Buffer::from(vec![2_u64; N]), Buffer::<u64>::zeros(N));
    let run = |rt: &Runtime, sim: &Sim, y: &mut Buffer<u64>| {
        let mut p = rt.pipeline();
        p.push(scale(3, &x, y).over([N]));
        exec(&mut p, sim, 2)
    };
    let (rt, sim) = open(&path).unwrap();
    assert_eq!(run(&rt, &sim, &mut y), [N as u64, 0]);
    assert_eq!(run(&rt, &sim, &mut y), [0, N as u64]);
    rt.remember().unwrap();
    // A program that begins anew knows it all.
    let (rt, sim) = open(&path).unwrap();
    let found = run(&rt, &sim, &mut y);
    assert!(near(&found, &[100_000, 300_000]), "{found:?}");
    // A file that cannot be used is an error, of nothing else.
    std::fs::write(&path, "flash items per second 1\nsim:0\tscale\n").unwrap();
    let error = open(&path).unwrap_err();
    assert!(matches!(&error, Error::Remembered { .. }) && error.to_string().contains("line 2"));
    let error = rt.remember().unwrap_err();
    assert!(matches!(error, Error::Remembered { .. }), "{error}");
    let (rt, sim) = open(&folder.path().join("none/rates")).unwrap();
    run(&rt, &sim, &mut y);
    let error = rt.remember().unwrap_err();
    assert!(error.to_string().contains("cannot be written"), "{error}");
    assert_eq!(y.get(N - 1).unwrap(), 6 + N as u64 - 1);
}

/// In processes of their own, as the folder of compiled kernels is the user's.
#[test]
fn times_are_kept_beside_compiled_kernels() {
    const AGAIN: &str = "FLASH_TEST_TIMES";
    let open = || {
        let (_, sim) = silent(&[1, 3]);
        let builder = Runtime::builder().backend(std::sync::Arc::new(sim.clone()));
        builder.remember_with_kernels(true).build().map(|rt| (rt, sim))
    };
    let run = |rt: &Runtime, sim: &Sim, times: usize| {
        let (x, mut y) = (Buffer::from(vec![2_u64; N]), Buffer::<u64>::zeros(N));
        let mut p = rt.pipeline();
        p.push(scale(3, &x, &mut y).over([N]));
        (0..times).map(|_| exec(&mut p, sim, 2)).last().unwrap()
    };
    match std::env::var(AGAIN).as_deref() {
        Ok("measure") => {
            let (rt, sim) = open().unwrap();
            assert_eq!(run(&rt, &sim, 2), [0, N as u64], "one device after the other");
            return rt.remember().unwrap();
        }
        Ok("know") => {
            let (rt, sim) = open().unwrap();
            let found = run(&rt, &sim, 1);
            return assert!(near(&found, &[100_000, 300_000]), "{found:?}");
        }
        Ok(_) => {
            let error = open().unwrap_err();
            return assert!(matches!(error, Error::Option { .. }), "{error}");
        }
        Err(_) => {}
    }
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path().join("kernels");
    for (what, cache) in [("measure", "on"), ("know", "on"), ("nothing", "off")] {
        let mut again = std::process::Command::new(std::env::current_exe().unwrap());
        again.args(["--exact", "shares::times_are_kept_beside_compiled_kernels"]);
        again.env(AGAIN, what).env("FLASH_CACHE_DIR", &folder).env("FLASH_CACHE", cache);
        let output = again.output().unwrap();
        let said = String::from_utf8_lossy(&output.stdout);
        assert!(output.status.success() && said.contains("1 passed"), "{what}: {said}");
        assert!(folder.join("times").is_file(), "{what}");
    }
}
