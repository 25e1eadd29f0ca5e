//! Bar 13: what an OpenCL device costs beyond the raw calls of its driver.

use std::sync::Arc;

use flash::prelude::*;
use flash::{Error, Result};
use flash_ocl::OpenCl;
use flash_rt::Options;

use super::{Context, starts};
use crate::kernels::streams::saxpy;
use crate::raw_opencl::RawOpenCl;
use crate::row::{Row, Unit};
use crate::stats::{self, Sample};
use crate::watch::{self, Watch};

/// Items of a launch that is all overhead.
const ITEMS: usize = 64;
/// Launches of a chain.
const CHAIN: u32 = 1_000;
/// Elements of a copy.
const COPIED: usize = 16 << 20;
/// Rows of the topic, for those that are left out.
const NAMES: [&str; 7] = [
    "OpenCL launch beyond raw calls",
    "chain of 1000 OpenCL launches",
    "OpenCL upload of 64 MiB",
    "OpenCL download of 64 MiB",
    "OpenCL kernel on 64 MiB of the host, in place",
    starts::NAME,
    "OpenCL upload of 64 MiB through pinned memory",
];

/// All rows.
pub(crate) fn opencl(context: &Context, emit: &mut dyn FnMut(Row)) -> Result<()> {
    if !NAMES.iter().any(|name| context.wants(name)) {
        return Ok(());
    }
    let rt = match Runtime::open("OPENCL") {
        Ok(rt) => rt,
        Err(Error::NoDevice { .. }) => return leave_out(context, emit, "no OpenCL device"),
        Err(error) => return Err(error),
    };
    let peer = match RawOpenCl::new(COPIED * size_of::<f32>()) {
        Ok(peer) => peer,
        Err(why) => return leave_out(context, emit, &why),
    };
    let device = rt.devices().first().map_or_else(String::new, |device| device.name().to_owned());
    let mut emit = |row: Row| emit(row.note(device.clone()));
    launches(context, &rt, &peer, &mut emit)?;
    copies(context, &rt, &peer, &mut emit)?;
    staged(context, &mut emit)?;
    in_place(context, &rt, &mut emit)?;
    starts::starts(context, &mut emit);
    Ok(())
}

/// The host writes, a kernel reads and writes, the host reads: with copies, and where the device uses
/// the memory of the host.
fn in_place(context: &Context, rt: &Runtime, emit: &mut dyn FnMut(Row)) -> Result<()> {
    let name = NAMES[4];
    if !context.wants(name) {
        return Ok(());
    }
    let shared = Runtime::builder().devices("OPENCL").zero_copy(true).build()?;
    if !shared.devices().iter().all(|device| device.info().host_memory) {
        emit(Row::skipped(13, name, "", "the device has a memory of its own"));
        return Ok(());
    }
    let runs = [&shared, rt].map(|rt| {
        let (x, mut y) = (Buffer::from(vec![1.0_f32; COPIED]), Buffer::zeros(COPIED));
        let mut pipeline = rt.pipeline();
        pipeline.push(saxpy(1e-9, &x, &mut y).over([COPIED]));
        (x, y.clone(), pipeline)
    });
    let mut moved = [0; 2];
    let [ours, theirs] = runs;
    let run = |(x, y, pipeline): &mut (Buffer<f32>, Buffer<f32>, flash::Pipeline<'_>),
               moved: &mut u64| {
        assert!(x.write(..).is_ok());
        let report = pipeline.exec();
        *moved = report.map_or(u64::MAX, |report| report.transfers().uploaded);
        assert!(y.read(..).is_ok());
    };
    let (mut ours, mut theirs) = (ours, theirs);
    let [here, there] = &mut moved;
    let pair =
        stats::pair(context.effort, 1.0, || run(&mut ours, here), || run(&mut theirs, there));
    let said = format!("{} MiB copied there, and {} with copies", moved[0] >> 20, moved[1] >> 20);
    emit(Row::against(13, name, pair, "with copies", 1.0).note(said));
    Ok(())
}

/// What a device with a memory of its own does by itself, against what the others do.
fn staged(context: &Context, emit: &mut dyn FnMut(Row)) -> Result<()> {
    let name = NAMES[6];
    if !context.wants(name) {
        return Ok(());
    }
    let runtime = |from: u64| {
        let mut options = Options::from_env()?;
        options.staging = Some(from);
        Runtime::builder().backend(Arc::new(OpenCl::new(&options))).build()
    };
    let (staged, plain) = (runtime(1)?, runtime(u64::MAX)?);
    let x = Buffer::from(vec![1.0_f32; COPIED]);
    let mut runs = [&staged, &plain].map(|rt| {
        let mut up = rt.pipeline();
        up.move_to(&x, 0);
        up
    });
    let run = |up: &mut flash::Pipeline<'_>| {
        assert!(x.write(..).is_ok());
        assert!(up.exec().is_ok());
    };
    let [ours, theirs] = &mut runs;
    let pair = stats::pair(context.effort, 1.0, || run(ours), || run(theirs));
    emit(Row::against(13, name, pair, "as it is", 1.0).reported());
    Ok(())
}

fn leave_out(context: &Context, emit: &mut dyn FnMut(Row), why: &str) -> Result<()> {
    for name in NAMES.into_iter().filter(|name| context.wants(name)) {
        emit(Row::skipped(13, name, "", why));
    }
    Ok(())
}

fn launches(
    context: &Context,
    rt: &Runtime,
    peer: &RawOpenCl,
    emit: &mut dyn FnMut(Row),
) -> Result<()> {
    let x = Buffer::from(vec![1.0_f32; ITEMS]);
    let mut y = Buffer::from(vec![0.0_f32; ITEMS]);
    let [launch, chain, ..] = NAMES;
    if context.wants(launch) {
        // A launch of many, so that how threads of the driver wake up is not in it.
        let mut ours = rt.pipeline();
        for _ in 0..CHAIN {
            ours.push(saxpy(1e-9, &x, &mut y).over([ITEMS]));
        }
        ours.exec()?;
        let mut beyond = vec![];
        for _ in 0..context.effort.rounds {
            let ours = stats::each(5, || assert!(ours.exec().is_ok()));
            let theirs = stats::each(5, || peer.launches(ITEMS, CHAIN));
            let pairs = ours.iter().zip(&theirs);
            beyond.extend(pairs.map(|(ours, theirs)| (ours - theirs) / f64::from(CHAIN)));
        }
        emit(Row::limit(13, launch, Sample::of(beyond), 1e-6, Unit::Seconds));
    }
    if context.wants(chain) {
        let mut ours = flash_pipeline! { in rt;
            for _ in 0..CHAIN as usize { saxpy(1e-9, &x, &mut y)[ITEMS]; }
        };
        ours.exec()?;
        let ours = || assert!(ours.exec().is_ok());
        let pair = stats::pair(context.effort, 1.0 / 1.05, ours, || peer.launches(ITEMS, CHAIN));
        emit(Row::within(13, chain, pair, "raw calls", 1.05));
    }
    Ok(())
}

fn copies(
    context: &Context,
    rt: &Runtime,
    peer: &RawOpenCl,
    emit: &mut dyn FnMut(Row),
) -> Result<()> {
    let [_, _, upload, download, ..] = NAMES;
    if !context.wants(upload) && !context.wants(download) {
        return Ok(());
    }
    let x = Buffer::from(vec![1.0_f32; COPIED]);
    let mut y = Buffer::from(vec![0.0_f32; COPIED]);
    let mut raw = vec![1.0_f32; COPIED];
    if context.wants(upload) {
        let mut up = rt.pipeline();
        up.move_to(&x, 0);
        let ours = || {
            // Whoever writes makes the copy of the device an old one.
            assert!(x.write(..).is_ok());
            assert!(up.exec().is_ok());
        };
        let pair = stats::pair(context.effort, 0.97, ours, || peer.upload(&raw));
        emit(Row::against(13, upload, pair, "raw calls", 0.97));
    }
    if context.wants(download) {
        let mut run = rt.pipeline();
        run.push(saxpy(1e-9, &x, &mut y).over([COPIED]));
        let host = y.clone();
        // Who reads again finds what is there already, so a kernel runs first, which is not timed.
        let ours = |watch: &mut Watch| {
            assert!(run.exec().is_ok());
            watch.time(|| assert!(host.read(..).is_ok()));
        };
        let theirs = |watch: &mut Watch| {
            peer.launches(COPIED, 1);
            watch.time(|| peer.download(&mut raw));
        };
        let pair = watch::pair(context.effort, 0.97, ours, theirs);
        emit(Row::against(13, download, pair, "raw calls", 0.97));
    }
    Ok(())
}
