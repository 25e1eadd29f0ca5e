//! Parts that run again: on devices that are lost, that fail, or that are late.

use flash::prelude::*;
use flash::{Error, Report};
use flash_rt::sim::{Fault, Sim};

use super::{assert_empty, faults, open};

#[flash::kernel(part_by, idempotent)]
fn scale(a: u64, x: &[u64], #[out] y: &mut [u64]) {
    let i = global_id(0);
    y[i] = a * x[i] + i as u64;
}

/// The same, of which nobody says that it may run twice.
#[flash::kernel(part_by)]
fn scale_once(a: u64, x: &[u64], #[out] y: &mut [u64]) {
    let i = global_id(0);
    y[i] = a * x[i] + i as u64;
}

/// What has run twice is as if it had run once.
#[flash::kernel(part_by, idempotent)]
fn clamp(y: &mut [u64]) {
    let i = global_id(0);
    if y[i] > 1_000 {
        y[i] = 1_000;
    }
}

#[flash::kernel(part_by)]
fn add(y: &mut [u64]) {
    let i = global_id(0);
    y[i] += 5;
}

const N: usize = 3_000;

type Call = flash::Call<'static, 1>;
type Program = dyn Fn(&Buffer<u64>, &mut Buffer<u64>) -> Vec<Call>;

/// What a program says and leaves, whether its fault was met, and where it ran.
type Found = (flash::Result<Report>, flash::Result<Vec<u64>>, bool, Sim);

/// Runs a program in three parts on three devices with a fault; what it says, and what it leaves,
/// once the fault was met or is taken back.
fn faulty(program: &Program, fault: Option<Fault>) -> Found {
    let (rt, sim) = open(&[1, 1, 1]);
    let (result, left, met) = {
        let x = Buffer::from((0..N as u64).map(|i| 2 + i).collect::<Vec<_>>());
        let mut y = Buffer::from(vec![1_u64; N]);
        let mut p = rt.pipeline();
        for call in program(&x, &mut y) {
            p.push(call.partitions(3).over([N]));
        }
        let (result, met) = faults::exec(&mut p, &sim, fault);
        let left = y.to_vec();
        // The input is as it was, and the runtime goes on with the devices that it has.
        assert_eq!(x.get(77).unwrap(), 79);
        let mut again = Buffer::from(vec![1_u64; N]);
        rt.submit(scale(3, &x, &mut again)).exec([N]).unwrap();
        assert_eq!(again.to_vec().unwrap()[5..7], [26, 30]);
        (result, left, met)
    };
    assert_empty(&rt, &sim);
    (result, left, met, sim)
}

#[test]
fn a_split_finishes_whatever_device_fails_where_its_inputs_are_intact() {
    let wanted: Vec<u64> = (0..N as u64).map(|i| 3 * (2 + i) + i).collect();
    let program = |x: &Buffer<u64>, y: &mut Buffer<u64>| vec![scale(3, x, y)];
    let (result, left, _, sim) = faulty(&program, None);
    assert!(result.unwrap().fallbacks().is_empty());
    assert_eq!(left.unwrap(), wanted);
    let (mut n_met, mut n_fell) = (0, 0);
    for fault in faults::all(&sim, 3) {
        let (result, left, met, _) = faulty(&program, Some(fault));
        if met {
            n_met += 1;
            n_fell += usize::from(!result.unwrap().fallbacks().is_empty());
            assert_eq!(left.unwrap(), wanted, "{fault:?}");
        }
    }
    assert!(n_met > 30 && n_fell > 25, "{n_met} faults were met, {n_fell} runs went elsewhere");
}

/// Nobody says that it may run twice: what a lost device had of it is gone, so it has not run.
#[test]
fn a_split_finishes_whichever_device_is_lost_where_its_inputs_are_intact() {
    let wanted: Vec<u64> = (0..N as u64).map(|i| 3 * (2 + i) + i).collect();
    let program = |x: &Buffer<u64>, y: &mut Buffer<u64>| vec![scale_once(3, x, y)];
    let (result, left, _, sim) = faulty(&program, None);
    assert!(result.unwrap().fallbacks().is_empty());
    assert_eq!(left.unwrap(), wanted);
    let (mut n_met, mut n_fell) = (0, 0);
    for fault in faults::losses(&sim, 3) {
        let (result, left, met, _) = faulty(&program, Some(fault));
        if met {
            n_met += 1;
            n_fell += usize::from(!result.unwrap().fallbacks().is_empty());
            assert_eq!(left.unwrap(), wanted, "{fault:?}");
        }
    }
    assert!(n_met > 15 && n_fell > 10, "{n_met} losses were met, {n_fell} runs went elsewhere");
}

#[test]
fn a_split_finishes_or_fails_with_a_typed_error() {
    let program = |x: &Buffer<u64>, y: &mut Buffer<u64>| {
        vec![scale_once(3, x, &mut *y), clamp(&mut *y), add(y)]
    };
    let wanted: Vec<u64> = (0..N as u64).map(|i| (3 * (2 + i) + i).min(1_000) + 5).collect();
    let (result, left, _, sim) = faulty(&program, None);
    result.unwrap();
    assert_eq!(left.unwrap(), wanted);
    let (mut finished, mut failed) = (0, 0);
    for fault in faults::all(&sim, 3) {
        let (result, left, ..) = faulty(&program, Some(fault));
        match (result, left) {
            (Ok(_), Ok(left)) => {
                assert_eq!(left, wanted, "{fault:?}");
                finished += 1;
            }
            (Ok(_), Err(error)) | (Err(error), _) => {
                faults::assert_typed(&error, fault);
                failed += 1;
            }
        }
    }
    assert!(finished > 20 && failed > 20, "{finished} runs finished, {failed} failed");
}

#[test]
fn a_part_whose_device_is_late_runs_on_another_one() {
    let n = 300_000;
    let wanted: Vec<u64> = (0..n as u64).map(|i| 3 * (2 + i) + i).collect();
    let (rt, sim) = open(&[1, 1, 1]);
    {
        let x = Buffer::from((0..n as u64).map(|i| 2 + i).collect::<Vec<_>>());
        let mut y = Buffer::from(vec![1_u64; n]);
        let mut p = rt.pipeline();
        p.push(scale(3, &x, &mut y).partitions(3).over([n]));
        p.prepare().unwrap();
        // What takes 0.1 s takes 100.
        sim.slow(1, 1_000.0);
        let begin = sim.clock().now();
        let report = p.exec().unwrap();
        let took = (sim.clock().now() - begin).as_secs_f64();
        // It is late after 0.2 s and 1 ms, and takes another 0.1 s elsewhere.
        assert!((0.301..0.302).contains(&took), "{took} s");
        let [fell] = report.fallbacks() else { panic!("{:?}", report.fallbacks()) };
        assert!(matches!(fell.error, Error::Late { .. }) && fell.from == "sim:1", "{fell}");
        assert_eq!(sim.counts().launches, 4);
        // Nothing is given to a device that is still at it.
        let mut z = Buffer::from(vec![1_u64; n]);
        rt.submit(scale(4, &x, &mut z).partitions(3)).exec([n]).unwrap();
        assert!((sim.clock().now() - begin).as_secs_f64() < 0.502);
        assert_eq!(z.get(n / 2).unwrap(), 4 * (2 + n as u64 / 2) + n as u64 / 2);
        assert_eq!(y.to_vec().unwrap(), wanted);
        // Once it has ended, what it left is nobody's.
        sim.slow(1, 1.0);
        sim.clock().sleep(std::time::Duration::from_secs(200));
        let before = sim.clock().now();
        p.exec().unwrap();
        assert!((sim.clock().now() - before).as_secs_f64() < 0.101);
        assert_eq!(y.to_vec().unwrap(), wanted);
    }
    assert_empty(&rt, &sim);
}

/// Whoever has nothing left to claim runs the block of a device that takes much longer than any has.
#[test]
fn a_block_that_was_claimed_and_is_late_runs_on_another_device() {
    let n = 300_000;
    let (rt, sim) = open(&[1, 1, 1]);
    {
        let x = Buffer::from((0..n as u64).map(|i| 2 + i).collect::<Vec<_>>());
        let mut y = Buffer::from(vec![1_u64; n]);
        let run = |y: &mut Buffer<u64>, once: bool| {
            let (begin, launches) = (sim.clock().now(), sim.counts().launches);
            let call = if once { scale_once(3, &x, y) } else { scale(3, &x, y) };
            let report = rt.submit(call.dynamic(n / 10)).exec([n]).unwrap();
            let took = (sim.clock().now() - begin).as_secs_f64();
            (report, took, sim.counts().launches - launches)
        };
        let wanted: Vec<u64> = (0..n as u64).map(|i| 3 * (2 + i) + i).collect();
        // Ten blocks of 0.03 s on three devices.
        let (report, took, launches) = run(&mut y, false);
        assert!(report.fallbacks().is_empty() && (0.119..0.121).contains(&took), "{took} s");
        assert_eq!((launches, y.to_vec().unwrap()), (10, wanted.clone()));
        y.fill(1).unwrap();
        // Its first block takes 30 s; the others need five times 0.03 s for the nine that are left.
        sim.slow(1, 1_000.0);
        let (report, took, launches) = run(&mut y, false);
        assert!((0.179..0.22).contains(&took), "{took} s");
        let [fell] = report.fallbacks() else { panic!("{:?}", report.fallbacks()) };
        assert!(matches!(fell.error, Error::Late { .. }) && fell.from == "sim:1", "{fell}");
        assert_eq!(launches, 11);
        // Nothing is given to a device that is still at it; one of the others may claim a block more.
        let mut z = Buffer::from(vec![1_u64; n]);
        let (report, took, launches) = run(&mut z, false);
        assert!(report.fallbacks().is_empty() && (0.149..0.181).contains(&took), "{took} s");
        assert_eq!(launches, 10);
        assert_eq!([&y, &z].map(|y| y.to_vec().unwrap()), [wanted.clone(), wanted.clone()]);
        // What may run once only is waited for.
        sim.clock().sleep(std::time::Duration::from_secs(40));
        y.fill(1).unwrap();
        let (report, took, launches) = run(&mut y, true);
        assert!(report.fallbacks().is_empty() && took > 29.0, "{took} s");
        assert_eq!((launches, y.to_vec().unwrap()), (10, wanted));
    }
    assert_empty(&rt, &sim);
}

#[test]
fn what_may_run_once_only_is_waited_for() {
    let n = 300_000;
    let (rt, sim) = open(&[1, 1, 1]);
    let x = Buffer::from(vec![2_u64; n]);
    let mut y = Buffer::from(vec![1_u64; n]);
    let mut p = rt.pipeline();
    p.push(scale_once(3, &x, &mut y).partitions(3).over([n]));
    p.prepare().unwrap();
    sim.slow(1, 1_000.0);
    let report = p.exec().unwrap();
    assert!(report.fallbacks().is_empty());
    assert_eq!((sim.counts().launches, sim.clock().now().as_secs()), (3, 100));
    // Nor does one run again whose input is with the late device alone.
    let mut p = rt.pipeline();
    p.push(clamp(&mut y).partitions(3).over([n]));
    p.push(clamp(&mut y).partitions(3).over([n]));
    p.prepare().unwrap();
    sim.slow(1, 1_000_000.0);
    assert!(p.exec().unwrap().fallbacks().is_empty());
    assert_eq!(sim.counts().launches, 9);
    assert_eq!(y.get(n / 2).unwrap(), 1_000);
}

#[flash::kernel(part_by, idempotent)]
fn total(x: &[u64], #[reduce(+)] sum: &mut u64) {
    *sum += x[global_id(0)];
}

/// Partial results of all parts are in one place, so that two attempts at one would meet there.
#[test]
fn a_sum_waits_for_whoever_is_late() {
    let n = 300_000;
    let (rt, sim) = open(&[1, 1, 1]);
    let x = Buffer::from((0..n as u64).collect::<Vec<_>>());
    let mut sum = Var::new(0_u64);
    let mut p = rt.pipeline();
    p.push(total(&x, &mut sum).partitions(3).over([n]));
    p.prepare().unwrap();
    sim.slow(1, 1_000.0);
    let report = p.exec().unwrap();
    assert!(report.fallbacks().is_empty());
    // A third of all blocks of a sum took so long.
    assert_eq!(sim.counts().launches, 3);
    assert!(sim.clock().now().as_secs() > 90, "{:?}", sim.clock().now());
    assert_eq!(sum.get().unwrap(), (n as u64 - 1) * n as u64 / 2);
}

/// Phases, each of which may leave more, and what has run twice is as if it had run once.
#[flash::kernel(part_by, idempotent, sort_by(y))]
fn raise(x: &[u64], y: &mut [u64]) {
    let (i, k) = (global_id(0), global_id(1));
    let value = x[i] * (k as u64 + 1);
    // SAFETY: items of a phase have the same `k`, so they differ in `i`.
    let before = unsafe { y[i] };
    if before < value {
        // SAFETY: as above.
        unsafe { y[i] = value };
    }
}

const PHASES: usize = 4;

fn raised(n: usize) -> Vec<u64> {
    (0..n as u64).map(|i| PHASES as u64 * (2 + i)).collect()
}

#[test]
fn parts_of_phases_run_again_where_a_device_is_late() {
    let n = 300_000;
    let (rt, sim) = open(&[1, 1, 1]);
    {
        let x = Buffer::from((0..n as u64).map(|i| 2 + i).collect::<Vec<_>>());
        let mut y = Buffer::from(vec![1_u64; n]);
        let mut p = rt.pipeline();
        p.push(raise(&x, &mut y).partitions(3).over([n, PHASES]));
        p.prepare().unwrap();
        sim.slow(1, 1_000.0);
        let begin = sim.clock().now();
        let report = p.exec().unwrap();
        let took = (sim.clock().now() - begin).as_secs_f64();
        // What takes 0.1 s is late after 0.2 s and takes another 0.1 s elsewhere, once; from then on two
        // devices have three parts of each phase.
        assert!((0.8..1.0).contains(&took), "{took} s");
        let is_late = |fell: &&flash::Fallback| matches!(fell.error, Error::Late { .. });
        assert!(report.fallbacks().iter().filter(is_late).all(|fell| fell.from == "sim:1"));
        assert!(report.fallbacks().iter().any(|fell| is_late(&fell)), "{report}");
        drop(p);
        assert_eq!(y.to_vec().unwrap(), raised(n));
    }
    assert_empty(&rt, &sim);
}

#[test]
fn parts_of_phases_run_again_where_a_call_fails_or_that_is_an_error() {
    let run = |fault: Option<Fault>| {
        let (rt, sim) = open(&[1, 1, 1]);
        let (result, left, met) = {
            let x = Buffer::from((0..N as u64).map(|i| 2 + i).collect::<Vec<_>>());
            let mut y = Buffer::from(vec![1_u64; N]);
            let mut p = rt.pipeline();
            p.push(raise(&x, &mut y).partitions(3).over([N, PHASES]));
            let (result, met) = faults::exec(&mut p, &sim, fault);
            drop(p);
            assert_eq!(x.get(77).unwrap(), 79);
            (result, y.to_vec(), met)
        };
        assert_empty(&rt, &sim);
        (result, left, met, sim)
    };
    let (result, left, _, sim) = run(None);
    result.unwrap();
    assert_eq!(left.unwrap(), raised(N));
    let (mut fell, mut failed) = (0, 0);
    for fault in faults::all(&sim, 3) {
        match run(Some(fault)) {
            (Ok(report), Ok(left), ..) => {
                assert_eq!(left, raised(N), "{fault:?}");
                fell += usize::from(!report.fallbacks().is_empty());
            }
            (Ok(_), Err(error), ..) | (Err(error), ..) => {
                faults::assert_typed(&error, fault);
                failed += 1;
            }
        }
    }
    assert!(fell > 20 && failed > 0, "{fell} went elsewhere, {failed} failed");
}

#[test]
fn an_array_that_a_late_part_changes_is_as_it_was_for_the_next() {
    let n = 300_000;
    let (rt, sim) = open(&[1, 1, 1]);
    let mut y = Buffer::from((0..n as u64).collect::<Vec<_>>());
    let mut p = rt.pipeline();
    p.push(clamp(&mut y).partitions(3).over([n]));
    p.prepare().unwrap();
    sim.slow(2, 100.0);
    let report = p.exec().unwrap();
    assert_eq!(report.fallbacks().len(), 1, "{:?}", report.fallbacks());
    // The device writes its image when it has ended; nobody reads that.
    sim.clock().sleep(std::time::Duration::from_secs(100));
    rt.submit(add(&mut y).partitions(3)).exec([n]).unwrap();
    let wanted: Vec<u64> = (0..n as u64).map(|i| i.min(1_000) + 5).collect();
    assert_eq!(y.to_vec().unwrap(), wanted);
}
