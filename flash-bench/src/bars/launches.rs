//! Bars 1 and 2: what a launch costs, alone and shared by two workers.

use std::collections::HashSet;
use std::sync::Mutex;
use std::thread::ThreadId;
use std::time::{Duration, Instant};

use flash::prelude::*;
use flash::{Arg, Call, Result};
use flash_ir::{ScalarTy, Ty};
use flash_rt::descriptor::{
    Component, DESCRIPTOR_VERSION, Elem, Entries, Flags, Order, ParamDescriptor, Parts,
};
use flash_rt::entry::Args;
use flash_rt::{Block, KernelDescriptor, Role};

use super::Context;
use crate::kernels::streams::saxpy;
use crate::quiet;
use crate::row::{Row, Unit};
use crate::stats::{self, Sample, each, interleave, quantile};

/// The launch that bar 1 is about.
const ITEMS: usize = 64;

/// Bar 1.
pub(crate) fn small(context: &Context, emit: &mut dyn FnMut(Row)) -> Result<()> {
    let rt = &context.rt;
    let x = Buffer::from(vec![1.0_f32; ITEMS]);
    let mut y = Buffer::from(vec![0.0_f32; ITEMS]);
    let n = if context.quick { 20_000 } else { 100_000 };

    let name = "launch of 64 items, written out";
    if context.wants(name) {
        let mut failed = Ok(());
        let mut run = || {
            if let Err(error) = rt.submit(saxpy(0.5, &x, &mut y)).exec([ITEMS]) {
                failed = Err(error);
            }
        };
        each(n / 10, &mut run);
        let mut medians = vec![];
        let mut tails = vec![];
        for _ in 0..context.effort.rounds {
            quiet::wait();
            let mut times = each(n, &mut run);
            let clock = clock();
            times.iter_mut().for_each(|time| *time = (*time - clock).max(0.0));
            medians.push(quantile(&mut times, 0.5));
            tails.push(quantile(&mut times, 0.99));
        }
        failed?;
        emit(Row::limit(1, name, Sample::of(medians), 1e-6, Unit::Seconds));
        let name = format!("{name}: p99");
        emit(Row::limit(1, &name, Sample::of(tails), 3e-6, Unit::Seconds));
    }

    let name = "launch of 64 items against parallel-for";
    if context.wants(name) {
        match context.peers(1, name, "<= 1.00x its time") {
            Err(row) => emit(*row),
            Ok(peers) => {
                let (px, mut py) = (vec![1.0_f32; ITEMS], vec![0.0_f32; ITEMS]);
                let run = || {
                    let done = rt.submit(saxpy(0.5, &x, &mut y)).exec([ITEMS]);
                    assert!(done.is_ok(), "{done:?}");
                };
                let theirs = || peers.plain.saxpy(0.5, &px, &mut py);
                let pair = stats::pair(context.effort, 1.0, run, theirs);
                emit(Row::within(1, name, pair, &peers.plain.name, 1.0));
            }
        }
    }

    let name = "launch of 64 items, kept plan";
    if context.wants(name) {
        let mut plan = rt.pipeline();
        plan.push(saxpy(0.5, &x, &mut y).over([ITEMS]));
        plan.exec()?;
        let samples = interleave(
            context.effort,
            &mut [Box::new(|| {
                let done = plan.exec();
                assert!(done.is_ok(), "{done:?}");
            })],
        );
        emit(Row::limit(1, name, samples[0], 0.5e-6, Unit::Seconds));
    }
    Ok(())
}

/// What reading the clock adds to a time.
fn clock() -> f64 {
    let mut times = each(10_000, || {});
    quantile(&mut times, 0.5)
}

/// Work of one item of [`BUSY`].
const WORK: Duration = Duration::from_micros(10);

/// Threads that ran items of [`BUSY`].
static RAN: Mutex<Vec<ThreadId>> = Mutex::new(Vec::new());

const OWN: Component = Component::Id { dim: 0, offset: |_| Some(0) };

/// Each item holds its worker for ten microseconds; written by hand, as bodies know no clock.
static BUSY: KernelDescriptor = KernelDescriptor {
    version: DESCRIPTOR_VERSION,
    name: "busy",
    path: module_path!(),
    signature: 0,
    rank: 1,
    params: &[ParamDescriptor {
        name: "y",
        role: Role::InOut,
        ty: Ty::Scalar(ScalarTy::U32),
        elem: Elem::of::<u32>(),
        rank: 1,
        own: &[OWN],
        raw: false,
        always_written: true,
    }],
    inputs: None,
    flags: Flags { idempotent: false, fast_math: false, deterministic: false },
    order: Order::NATURAL,
    parts: Parts::Whole,
    search: None,
    table: None,
    needs: &[],
    entries: Some(Entries::portable(busy)),
    ir: None,
    slow: &[],
    implementations: &[],
    file: file!(),
    line: line!(),
    column: 1,
    unoptimised: cfg!(debug_assertions),
};

fn busy(_args: &mut Args<'_>, block: &Block) {
    let start = Instant::now();
    // Recorded within the ten microseconds, so that it is not measured.
    if let Ok(mut ran) = RAN.try_lock()
        && ran.len() < ran.capacity()
    {
        ran.push(std::thread::current().id());
    }
    while start.elapsed() < WORK * block.n_items() as u32 {
        std::hint::spin_loop();
    }
}

/// The time of the work on one thread, after pauses.
fn one_by_one(n: usize, idle: Duration) -> f64 {
    let mut times: Vec<_> = (0..n)
        .map(|_| {
            std::thread::sleep(idle);
            let start = Instant::now();
            for _ in 0..2 {
                let item = Instant::now();
                while item.elapsed() < WORK {
                    std::hint::spin_loop();
                }
            }
            start.elapsed().as_secs_f64()
        })
        .collect();
    quantile(&mut times, 0.5)
}

/// Bar 2.
pub(crate) fn parallel(context: &Context, emit: &mut dyn FnMut(Row)) -> Result<()> {
    let names = ["2 x 10 us of work, two hot workers", "2 x 10 us of work, after 1 ms idle"];
    if !names.iter().any(|name| context.wants(name)) {
        return Ok(());
    }
    if crate::openmp::threads() < 2 {
        for (name, asked) in names.iter().zip(["<= 11 us", "<= 1.10x its time"]) {
            emit(Row::skipped(2, name, asked, "there is one processor"));
        }
        return Ok(());
    }
    let rt = Runtime::builder().devices("ALL_CPU").threads(2).build()?;
    let mut y = Buffer::<u32>::zeros(2);
    let mut plan = rt.pipeline();
    plan.push(Call::<1>::new(&BUSY, [Arg::<&mut [u32]>::bind(&mut y)]).over([2]));
    let n = if context.quick { 1_000 } else { 5_000 };
    for (name, limit, idle) in
        [(names[0], 11e-6, Duration::ZERO), (names[1], 22e-6, Duration::from_millis(1))]
    {
        if !context.wants(name) {
            continue;
        }
        let mut medians = vec![];
        let mut serial = vec![];
        let mut threads = 0;
        for _ in 0..context.effort.rounds {
            quiet::wait();
            if !idle.is_zero() {
                serial.push(one_by_one(n / 10, idle));
            }
            for _ in 0..100 {
                plan.exec()?;
            }
            let ran = || RAN.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
            *ran() = Vec::with_capacity(2_000);
            let mut failed = Ok(());
            let mut times = vec![];
            for _ in 0..if idle.is_zero() { n } else { n / 10 } {
                if !idle.is_zero() {
                    std::thread::sleep(idle);
                }
                let start = Instant::now();
                failed = failed.and(plan.exec().map(drop));
                times.push(start.elapsed().as_secs_f64());
            }
            failed?;
            medians.push(quantile(&mut times, 0.5));
            let distinct: HashSet<_> = std::mem::take(&mut *ran()).into_iter().collect();
            threads = threads.max(distinct.len());
        }
        let row = if idle.is_zero() {
            Row::limit(2, name, Sample::of(medians), limit, Unit::Seconds)
        } else {
            let pair = (Sample::of(medians), Sample::of(serial));
            Row::within(2, name, pair, "the same work on one thread", 1.1)
        };
        emit(row.note(format!("{threads} distinct threads")));
    }
    Ok(())
}
