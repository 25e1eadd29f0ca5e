//! Bar 11: one launch over several devices against what they do alone, phases against the same
//! launches by hand, what arithmetic on indices costs, and what it takes to sort an index space.

use std::sync::Arc;
use std::time::{Duration, Instant};

use flash::prelude::*;
use flash::{Call, CountBy, Error, Result};
use flash_rt::sim::{Config, Link, Run, Sim, Speed, Time};

use super::Context;
use crate::kernels::streams::saxpy;
use crate::openmp::{OpenMp, threads};
use crate::row::Row;
use crate::stats::{self, Sample, Timing, Who};

/// Items of a split launch, and how many a slow device does in a second: 0.1 s of work.
const ITEMS: usize = 1 << 20;
const RATE: u64 = 10 * ITEMS as u64;

#[flash::kernel(part_by)]
fn affine(a: u32, x: &[u32], #[out] y: &mut [u32]) {
    let i = global_id(0);
    y[i] = a * x[i] + 1;
}

#[flash::kernel(group_by(y))]
fn grow(a: u32, y: &mut [u32]) {
    let i = global_id(0);
    y[i] = a * y[i] + 1;
}

#[flash::kernel]
fn grow_once(a: u32, y: &mut [u32]) {
    let i = global_id(0);
    y[i] = a * y[i] + 1;
}

/// `y = a x + y`, where the place of an item follows from the numbers of the launch.
#[flash::kernel]
fn saxpy_at(a: f32, first: usize, x: View<'_, f32, 2>, y: ViewMut<'_, f32, 2>) {
    let (i, j) = (global_id(0), global_id(1));
    if i + first + phase() < global_size(0) * (partition() + 1) {
        y[[j, i + first]] = a * x[[j, i + first + phase()]] + y[[j, i + first]];
    }
}

#[flash::kernel]
fn count(n: &[Atomic<u32>]) {
    n[global_id(0) % 4].fetch_add(1);
}

/// Bar 11.
pub(crate) fn splits(context: &Context, emit: &mut dyn FnMut(Row)) -> Result<()> {
    for (what, speeds) in [("two equal devices", [1, 1]), ("two devices, 1 to 3", [1, 3])] {
        for (moved, link) in [
            ("data there", (0, false)),
            ("data brought", (1 << 30, false)),
            ("taken home", (1 << 30, true)),
        ] {
            let name = format!("split over {what}, {moved}");
            if context.wants(&name) {
                rows(&name, speeds, link)?.into_iter().for_each(&mut *emit);
            }
        }
    }
    beside_the_cpu(context, emit)?;
    by_hand(context, emit)?;
    indexed(context, emit)?;
    indexed_plain(context, emit)?;
    sorted(context, emit)
}

/// A split launch on simulated devices of these speeds, on their clock: against both of them, and against
/// the faster one.
fn rows(name: &str, speeds: [u64; 2], link: (u64, bool)) -> Result<[Row; 2]> {
    let alone = [took(&speeds[..1], link)?, took(&speeds[1..], link)?];
    let both = took(&speeds, link)?;
    let sum = 1.0 / alone.iter().map(|time| 1.0 / time).sum::<f64>();
    let best = alone[0].min(alone[1]);
    let pair = |theirs| (Sample::of(vec![both]), Sample::of(vec![theirs]));
    let of_both = Row::against(11, name, pair(sum), "both throughputs", 0.9);
    let of_best = Row::within(11, name, pair(best), "the faster one alone", 1.0);
    Ok([of_both, of_best].map(|row| row.note("simulated")))
}

/// How long a launch takes that the runtime may split, over links of so many bytes a second, and with what
/// it writes being taken home; in simulated seconds.
fn took(speeds: &[u64], (bytes_per_second, takes_home): (u64, bool)) -> Result<f64> {
    let link = Link { latency: Duration::from_micros(10), bytes_per_second };
    let speed = |factor: u64| Speed {
        launch: Duration::from_micros(10),
        items_per_second: factor * RATE,
        up: link,
        down: link,
        ..Speed::default()
    };
    let sim = Sim::new(Config {
        devices: speeds.len(),
        run: Run::Entry,
        time: Time::Virtual,
        others: speeds.iter().enumerate().map(|(k, factor)| (k, speed(*factor))).collect(),
        ..Config::default()
    });
    let rt = Runtime::builder().backend(Arc::new(sim.clone())).build()?;
    let x = Buffer::from((0..ITEMS as u32).collect::<Vec<_>>());
    let mut y = Buffer::<u32>::zeros(ITEMS);
    let mut p = rt.pipeline();
    p.push(affine(3, &x, &mut y).over([ITEMS]));
    let begin = sim.clock().now();
    p.exec()?;
    drop(p);
    if takes_home {
        y.to_vec()?;
    }
    let took = (sim.clock().now() - begin).as_secs_f64();
    assert_eq!(y.get(ITEMS - 1)?, 3 * (ITEMS as u32 - 1) + 1, "a part is missing");
    Ok(took)
}

/// The CPU and a simulated device on the real clock.
fn beside_the_cpu(context: &Context, emit: &mut dyn FnMut(Row)) -> Result<()> {
    let name = "split over the CPU and a device";
    if !context.wants(name) {
        return Ok(());
    }
    let (n, steps) = (1 << 14, if context.quick { 2_000 } else { 10_000 });
    // Its one thread computes in less than that.
    let rate = Speed { items_per_second: 300_000, ..Speed::default() };
    let config =
        Config { devices: 1, run: Run::Entry, time: Time::Real, speed: rate, ..Config::default() };
    let sim = Arc::new(Sim::new(config));
    let both = Runtime::builder().backend(sim).devices("ALL_CPU").build()?;
    let x = Buffer::from(vec![1_u32; n]);
    let mut y = Buffer::<u32>::zeros(n);
    let once = |call: Call<'static, 1>| -> Result<f64> {
        let start = Instant::now();
        both.submit(call).exec([n])?;
        Ok(start.elapsed().as_secs_f64())
    };
    let (mut sum, mut split) = (vec![], vec![]);
    for _ in 0..context.effort.rounds {
        let there = once(spin(steps, &x, &mut y).pin(0))?;
        let here = once(spin(steps, &x, &mut y).pin(1))?;
        sum.push(1.0 / (1.0 / there + 1.0 / here));
        // The runtime has seen both, and chooses the shares.
        split.push(once(spin(steps, &x, &mut y))?);
    }
    let pair = (Sample::of(split), Sample::of(sum));
    let row = Row::against(11, name, pair, "both throughputs", 0.9).reported();
    emit(row.note("shares by the runtime; the simulated device computes on these cores too"));
    Ok(())
}

/// Takes a while.
#[flash::kernel(part_by)]
fn spin(steps: u32, x: &[u32], #[out] y: &mut [u32]) {
    let i = global_id(0);
    let mut v = x[i];
    for k in 0..steps {
        v = v * 747_796_405 + k;
    }
    y[i] = v;
}

/// Phases of one launch against launches in a loop, here and on a device with a queue.
fn by_hand(context: &Context, emit: &mut dyn FnMut(Row)) -> Result<()> {
    for (n, phases, device) in [
        (64, 1_000, None),
        (1 << 16, 100, None),
        (64, 1_000, Some(("OPENCL", "OpenCL"))),
        (64, 1_000, Some(("NVIDIA_GPU", "CUDA"))),
    ] {
        let there = device.map(|(_, of)| format!(" on a device of {of}")).unwrap_or_default();
        let name = format!("{phases} phases of {n} items{there}");
        if !context.wants(&name) {
            continue;
        }
        let opened = match device.map(|(key, of)| (of, Runtime::open(key))) {
            Some((of, Err(Error::NoDevice { .. }))) => {
                emit(Row::skipped(11, &name, "<= 1.05x", format!("no device of {of}")));
                continue;
            }
            Some((_, opened)) => Some(opened?),
            None => None,
        };
        let rt = opened.as_ref().unwrap_or(&context.rt);
        let (mut y, mut z) = (Buffer::from(vec![1_u32; n]), Buffer::from(vec![1_u32; n]));
        let mut ours = rt.pipeline();
        ours.push(grow(3, &mut y).over([n, phases]));
        let mut theirs = flash_pipeline! { in rt;
            for _ in 0..phases { grow_once(3, &mut z)[n]; }
        };
        ours.exec()?;
        theirs.exec()?;
        assert_eq!(y.to_vec()?, z.to_vec()?, "phases are the launches");
        // On the same memory: how an array lies in caches matters more than what is asked here.
        theirs = flash_pipeline! { in rt;
            for _ in 0..phases { grow_once(3, &mut y)[n]; }
        };
        emit(against(context, &name, (ours, theirs), "launches by hand", 1.05));
    }
    Ok(())
}

/// Saxpy whose items find their places by arithmetic, in dimensions with ids of their own, against
/// one over the elements.
fn indexed(context: &Context, emit: &mut dyn FnMut(Row)) -> Result<()> {
    for n in [1_usize << 16, 1 << 20] {
        let name = format!("saxpy 2^{} with index arithmetic", n.ilog2());
        if !context.wants(&name) {
            continue;
        }
        let (rt, w, h) = (&context.rt, n >> 4, 1 << 4);
        let x = Buffer::from((0..n).map(|i| i as f32).collect::<Vec<_>>());
        let (mut y, mut z) = (Buffer::from(vec![1.0_f32; n]), Buffer::from(vec![1.0_f32; n]));
        let (mut ours, mut theirs) = (rt.pipeline(), rt.pipeline());
        let down = |n| CountBy::count(n).descending();
        let (wide, mut rows) = (x.reshape([h, w])?, y.reshape([h, w])?);
        ours.push(saxpy_at(2.0, 0, &wide, &mut rows).over((down(w), down(h))));
        theirs.push(saxpy(2.0, &x, &mut z).over([n]));
        ours.exec()?;
        theirs.exec()?;
        assert_eq!(y.to_vec()?, z.to_vec()?, "the same items");
        // Where an array lies beside the other matters more than what is asked here: a third of the
        // time for these.
        theirs = rt.pipeline();
        theirs.push(saxpy(2.0, &x, &mut y).over([n]));
        // The bar is a plain loop, below.
        emit(against(context, &name, (ours, theirs), "saxpy over elements", 1.03).reported());
    }
    Ok(())
}

/// The same against a plain loop in C, on one thread and on all.
fn indexed_plain(context: &Context, emit: &mut dyn FnMut(Row)) -> Result<()> {
    let ways = [(1, "one thread", "a loop in C"), (threads(), "all threads", "an OpenMP loop")];
    for (n, (workers, on, loop_of)) in
        [1_usize << 16, 1 << 20].into_iter().flat_map(|n| ways.map(|way| (n, way)))
    {
        let name = format!("saxpy 2^{} with index arithmetic, {on}", n.ilog2());
        if !context.wants(&name) {
            continue;
        }
        match context.peers(11, &name, "<= 1.03x its time") {
            Err(row) => emit(*row),
            Ok(peers) => {
                let rt = Runtime::builder().devices("ALL_CPU").threads(workers as usize).build()?;
                peers.plain.threads(workers);
                let place = |time: Timing<'_>| one_indexed(&rt, &peers.plain, n, time);
                let pair = stats::pair_placed(context.effort, 1.0 / 1.03, place);
                peers.plain.threads(threads());
                let peer = format!("{loop_of} -O3 -march=native");
                emit(Row::within(11, &name, pair?, &peer, 1.03));
            }
        }
    }
    Ok(())
}

/// Both on the same arrays, which they have in turn.
fn one_indexed(rt: &Runtime, peer: &OpenMp, n: usize, time: Timing<'_>) -> Result<()> {
    let mut x: Vec<f32> = (0..n).map(|i| i as f32).collect();
    let mut y = vec![1.0_f32; n];
    let mut ours = |y: &mut [f32], run: &mut dyn FnMut(&mut dyn FnMut())| -> Result<()> {
        let (w, h) = (n >> 4, 1 << 4);
        let down = |n| CountBy::count(n).descending();
        let (x, y) = (Bound::new(&mut x), Bound::new(y));
        let (wide, mut rows) = (x.reshape([h, w])?, y.reshape([h, w])?);
        let mut plan = rt.pipeline();
        plan.push(saxpy_at(2.0, 0, &wide, &mut rows).over((down(w), down(h))));
        run(&mut || {
            let done = plan.exec();
            assert!(done.is_ok(), "{done:?}");
        });
        Ok(())
    };
    ours(&mut y, &mut |once| once())?;
    let expected = (0..n).map(|i| 2.0_f32.mul_add(i as f32, 1.0));
    assert!(y.iter().copied().eq(expected), "the same items");
    ours(&mut y, &mut |run| time(Who::Ours, run))?;
    time(Who::Peer, &mut || peer.saxpy(2.0, &x, &mut y));
    Ok(())
}

/// Two kept pipelines that do the same.
fn against(
    context: &Context,
    name: &str,
    (mut ours, mut theirs): (Pipeline<'_>, Pipeline<'_>),
    peer: &str,
    most: f64,
) -> Row {
    let (ours, theirs) = (|| assert!(ours.exec().is_ok()), || assert!(theirs.exec().is_ok()));
    Row::within(11, name, stats::pair(context.effort, 1.0 / most, ours, theirs), peer, most)
}

/// What a sorted index space takes against sorting its ids.
fn sorted(context: &Context, emit: &mut dyn FnMut(Row)) -> Result<()> {
    let n: usize = if context.quick { 1_000_000 } else { 10_000_000 };
    let rt = &context.rt;
    let mut cells = Buffer::<u32>::zeros(4);
    // All ids once, or some of them five times.
    for (what, repeats, step) in [("", 1, 1), (" that repeat", 5, 3)] {
        let name = format!("index space of {n} ids{what}, sorted");
        if !context.wants(&name) {
            continue;
        }
        // A permutation, as the factor has no divisor in common with the number.
        let ids: Vec<usize> = (0..n).map(|k| k * 7_654_321 % n / repeats * step).collect();
        let (mut ours, mut theirs) = (vec![], vec![]);
        for _ in 0..context.effort.rounds.min(5) {
            let copy = ids.clone();
            let start = Instant::now();
            let mut p = rt.pipeline();
            p.push(count(&mut cells).sort_by([0]).over((CountBy::list(copy),)));
            let how = p.explain()?;
            ours.push(start.elapsed().as_secs_f64());
            assert!(how.to_string().contains(&format!("in {} phases", n / repeats)), "{how}");
            let mut copy = ids.clone();
            let start = Instant::now();
            copy.sort_unstable();
            theirs.push(start.elapsed().as_secs_f64());
            assert_eq!(copy.last(), Some(&((n - 1) / repeats * step)));
        }
        let pair = (Sample::of(ours), Sample::of(theirs));
        emit(Row::within(11, &name, pair, "sorting the ids", 2.0));
    }
    Ok(())
}
