//! Blocks that devices claim as they become free: each item once, whatever a device does, and an end
//! near what the devices can do together.

use std::time::Duration;

use flash::prelude::*;
use flash_rt::sim::{Config, Fault, Link, Run, Sim, Speed};

use super::{RATE, assert_empty, faults, open};

/// How often each item has run.
#[flash::kernel(part_by)]
fn count(runs: View<'_, u32, 2>, #[out] again: ViewMut<'_, u32, 2>) {
    let (i, j) = (global_id(0), global_id(1));
    again[[j, i]] = runs[[j, i]] + 1;
}

#[flash::kernel(part_by)]
fn once(runs: &mut [u32]) {
    runs[global_id(0)] += 1;
}

/// Points of a set take many steps, those around it few.
#[flash::kernel(part_by)]
fn mandelbrot(limit: u32, #[out] steps: ViewMut<'_, u32, 2>) {
    let (i, j) = (global_id(0), global_id(1));
    let (h, w) = (steps.extent(0), steps.extent(1));
    let (x, y) = (3.0 * i as f32 / w as f32 - 2.0, 2.0 * j as f32 / h as f32 - 1.0);
    let (mut a, mut b, mut n) = (0.0_f32, 0.0_f32, 0_u32);
    while n < limit && a * a + b * b < 4.0 {
        let next = a * a - b * b + x;
        b = 2.0 * a * b + y;
        a = next;
        n += 1;
    }
    steps[[j, i]] = n;
}

#[flash::kernel(part_by)]
fn total(x: &[f64], #[reduce(+)] s: &mut f64) {
    *s += x[global_id(0)];
}

const W: usize = 60;
const H: usize = 240;
const LIMIT: u32 = 200;

fn picture(
    rt: &Runtime,
    how: impl Fn(flash::Call<'static, 2>) -> flash::Call<'static, 2>,
) -> Vec<u32> {
    let mut steps = Buffer::<u32, 2>::filled([H, W], 7);
    rt.submit(how(mandelbrot(LIMIT, &mut steps))).exec([W, H]).unwrap();
    steps.to_vec().unwrap()
}

/// Devices of these speeds, in millions of steps a second, on which rows take what their points take.
fn uneven(speeds: &[u64], weights: &[f64]) -> (Runtime, Sim) {
    let weights = vec![("mandelbrot".to_owned(), weights.to_vec())];
    let speed = |millions: &u64| Speed {
        items_per_second: millions * RATE,
        weights: weights.clone(),
        ..Speed::default()
    };
    let others = speeds.iter().map(speed).enumerate().collect();
    let config = Config { devices: speeds.len(), run: Run::Entry, others, ..Config::default() };
    let sim = Sim::new(config);
    (Runtime::builder().backend(std::sync::Arc::new(sim.clone())).build().unwrap(), sim)
}

#[test]
fn unlike_items_on_unlike_devices_end_near_what_these_can_do_together() {
    let (rt, _) = open(&[1]);
    let wanted = picture(&rt, |call| call);
    // The sum of steps of each row, which is what it takes.
    let rows: Vec<f64> =
        wanted.chunks(W).map(|row| row.iter().sum::<u32>() as f64 / W as f64).collect();
    let all: f64 = rows.iter().sum::<f64>() * W as f64;
    for speeds in [&[1, 1][..], &[1, 3], &[5, 1, 2], &[1, 2, 3, 4, 5]] {
        let chunk = 4;
        let (rt, sim) = uneven(speeds, &rows);
        assert_eq!(picture(&rt, |call| call.dynamic(chunk)), wanted);
        let took = sim.clock().now().as_secs_f64();
        let rate = (speeds.iter().sum::<u64>() * RATE) as f64;
        let slowest = (speeds.iter().min().unwrap() * RATE) as f64;
        let block = rows.iter().fold(0.0, |a: f64, b| a.max(*b)) * (chunk * W) as f64;
        let bound = all / rate + block / slowest;
        assert!(took <= bound, "{took} s, at most {bound} s on {speeds:?}");
        // Equal counts are no equal work: who has the set in his share ends late.
        let (rt, sim) = uneven(speeds, &rows);
        let shares: Vec<f64> = speeds.iter().map(|&speed| speed as f64).collect();
        assert_eq!(picture(&rt, |call| call.shares(shares.clone())), wanted);
        let by_count = sim.clock().now().as_secs_f64();
        assert!(speeds.len() == 2 || took < 0.95 * by_count, "{took} s, {by_count} s by count");
        assert_eq!(sim.counts().launches, speeds.len() as u64);
    }
}

#[test]
fn each_item_runs_once_in_blocks_of_any_size() {
    for (speeds, chunk) in [(&[1][..], 1), (&[1, 7], 3), (&[1, 1, 1], 7), (&[3, 1, 2, 9, 1], 1_000)]
    {
        let (rt, sim) = open(speeds);
        {
            let runs = Buffer::<u32, 2>::zeros([37, 11]);
            let mut again = Buffer::<u32, 2>::filled([37, 11], 9);
            rt.submit(count(&runs, &mut again).dynamic(chunk)).exec([11, 37]).unwrap();
            assert_eq!(again.to_vec().unwrap(), [1; 37 * 11]);
            let mut runs = Buffer::<u32>::zeros(10_000);
            let mut p = rt.pipeline();
            p.push(once(&mut runs).dynamic(chunk).over([10_000]));
            p.exec().unwrap();
            p.exec().unwrap();
            assert_eq!(runs.to_vec().unwrap(), [2; 10_000]);
            let x = Buffer::from((0..20_000).map(|i| 1.0 / (i + 1) as f64).collect::<Vec<_>>());
            let (mut whole, mut parts) = (Var::new(0.0), Var::new(0.0));
            rt.submit(total(&x, &mut whole).partitions(1)).exec([20_000]).unwrap();
            rt.submit(total(&x, &mut parts).dynamic(chunk)).exec([20_000]).unwrap();
            assert_eq!(whole.get().unwrap().to_bits(), parts.get().unwrap().to_bits());
        }
        assert_empty(&rt, &sim);
    }
}

#[test]
fn a_block_is_brought_while_another_one_runs() {
    // Items take 1 µs, and so does what is brought for one.
    let link = Link { latency: Duration::ZERO, bytes_per_second: 4 * RATE };
    let speed = Speed { items_per_second: RATE, up: link, ..Speed::default() };
    let config = Config { devices: 2, run: Run::Entry, speed, ..Config::default() };
    let sim = Sim::new(config);
    let rt = Runtime::builder().backend(std::sync::Arc::new(sim.clone())).build().unwrap();
    let runs = Buffer::<u32, 2>::zeros([1_000, 100]);
    let mut again = Buffer::<u32, 2>::zeros([1_000, 100]);
    rt.submit(count(&runs, &mut again).dynamic(25)).exec([100, 1_000]).unwrap();
    let took = sim.clock().now().as_secs_f64();
    // 0.05 s on each device, and the first block of it.
    assert!((0.0524..0.0576).contains(&took), "{took} s");
}

#[test]
fn the_cpu_claims_beside_devices_and_calls_are_checked() {
    let sim = Sim::new(Config { devices: 2, run: Run::Entry, ..Config::default() });
    let backend = std::sync::Arc::new(sim);
    let rt = Runtime::builder().backend(backend).devices("ALL_CPU").threads(2).build().unwrap();
    let mut runs = Buffer::<u32>::zeros(50_000);
    rt.submit(once(&mut runs).dynamic(100)).exec([50_000]).unwrap();
    assert_eq!(runs.to_vec().unwrap(), vec![1; 50_000]);
    let error = rt.submit(once(&mut runs).dynamic(0)).exec([50_000]).unwrap_err();
    assert!(error.to_string().contains("a chunk has one index at least"), "{error}");
    let mut p = rt.pipeline();
    p.push(once(&mut runs).exclude(2).dynamic(8).over([50_000]));
    let how = p.explain().unwrap().to_string();
    assert!(how.contains("split as told: chunks of 8, claimed by sim:0, sim:1"), "{how}");
}

#[test]
fn blocks_of_a_device_that_is_lost_run_elsewhere() {
    let run = |fault: Option<Fault>| {
        let (rt, sim) = open(&[1, 2, 1]);
        let result = {
            let runs = Buffer::<u32, 2>::zeros([40, 10]);
            let mut again = Buffer::<u32, 2>::filled([40, 10], 9);
            let mut p = rt.pipeline();
            p.push(count(&runs, &mut again).dynamic(3).over([10, 40]));
            let (result, met) = faults::exec(&mut p, &sim, fault);
            result.map(|report| (again.to_vec(), report.fallbacks().len(), met))
        };
        assert_empty(&rt, &sim);
        (result, sim)
    };
    let (result, sim) = run(None);
    assert_eq!(result.unwrap().0.unwrap(), [1; 400]);
    let mut n_met = 0;
    for fault in faults::losses(&sim, 3) {
        let (left, fell, met) = run(Some(fault)).0.unwrap();
        if met {
            assert_eq!(left.unwrap(), [1; 400], "{fault:?}");
            n_met += 1;
            assert!(fell > 0);
        }
    }
    assert!(n_met > 40, "{n_met}");
}

/// The same, of which it makes no difference how often it runs.
#[flash::kernel(part_by, idempotent)]
fn count_again(runs: View<'_, u32, 2>, #[out] again: ViewMut<'_, u32, 2>) {
    let (i, j) = (global_id(0), global_id(1));
    again[[j, i]] = runs[[j, i]] + 1;
}

/// Where what was claimed may run twice it runs elsewhere whatever call fails; else the run ends, or says
/// what failed, and the input is as it was.
#[test]
fn blocks_of_a_device_that_fails_run_elsewhere_or_are_an_error() {
    let run = |fault: Option<Fault>, may_run_twice: bool| {
        let (rt, sim) = open(&[1, 2, 1]);
        let result = {
            let runs = Buffer::<u32, 2>::zeros([40, 10]);
            let mut again = Buffer::<u32, 2>::filled([40, 10], 9);
            let mut p = rt.pipeline();
            let call = match may_run_twice {
                true => count_again(&runs, &mut again),
                false => count(&runs, &mut again),
            };
            p.push(call.dynamic(3).over([10, 40]));
            let (result, met) = faults::exec(&mut p, &sim, fault);
            assert_eq!(runs.to_vec().unwrap(), [0; 400]);
            result.map(|_| (again.to_vec(), met))
        };
        assert_empty(&rt, &sim);
        (result, sim)
    };
    for may_run_twice in [true, false] {
        let (result, sim) = run(None, may_run_twice);
        assert_eq!(result.unwrap().0.unwrap(), [1; 400]);
        let (mut n_met, mut failed) = (0, 0);
        for fault in faults::all(&sim, 3) {
            match run(Some(fault), may_run_twice).0 {
                Ok((left, met)) => {
                    n_met += usize::from(met);
                    match left {
                        Ok(left) => assert_eq!(left, [1; 400], "{fault:?}"),
                        Err(error) => faults::assert_typed(&error, fault),
                    }
                }
                Err(error) => {
                    assert!(!may_run_twice, "{fault:?}: {error}");
                    faults::assert_typed(&error, fault);
                    failed += 1;
                }
            }
        }
        assert!(n_met > 60, "{n_met}");
        assert!(may_run_twice || failed > 10, "{failed}");
    }
}
