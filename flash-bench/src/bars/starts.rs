//! What the cache of compiled kernels saves: a process that starts, launches a few kernels on an OpenCL
//! device and ends, as the first one of a machine and as the second one. The driver's own cache is as new
//! as ours. Both are processes of their own.

use std::path::Path;
use std::process::Command;
use std::time::Instant;

use flash::Result;
use flash::prelude::*;

use super::Context;
use crate::kernels::streams::{dot, saxpy, triad};
use crate::quiet;
use crate::row::Row;
use crate::stats::Sample;

/// The name of the row.
pub(super) const NAME: &str = "process start with a warm cache of kernels";
/// Items of a launch.
const ITEMS: usize = 1 << 12;

/// Bar 13, as far as it is about starts.
pub(super) fn starts(context: &Context, emit: &mut dyn FnMut(Row)) {
    if !context.wants(NAME) {
        return;
    }
    let (mut cold, mut warm) = (vec![], vec![]);
    for _ in 0..context.effort.rounds.min(5) {
        quiet::wait();
        let Ok(folder) = tempfile::tempdir() else { break };
        cold.extend(child(folder.path()));
        warm.extend(child(folder.path()));
    }
    if cold.is_empty() || cold.len() != warm.len() {
        emit(Row::skipped(13, NAME, ">= 10.0x", "the process could not be started"));
        return;
    }
    let pair = (Sample::of(warm), Sample::of(cold));
    emit(Row::against(13, NAME, pair, "with an empty one", 10.0));
}

/// Seconds of a process with its caches in this folder.
fn child(folder: &Path) -> Option<f64> {
    let mut command = Command::new(std::env::current_exe().ok()?);
    command.arg("--launches").env("FLASH_CACHE", "on");
    command.env("FLASH_CACHE_DIR", folder.join("flash"));
    command.env("POCL_CACHE_DIR", folder.join("pocl"));
    let start = Instant::now();
    let status = command.status().ok()?;
    status.success().then(|| start.elapsed().as_secs_f64())
}

/// What the process of its own does.
pub(crate) fn launch() -> Result<()> {
    let rt = Runtime::open("OPENCL")?;
    let (x, mut y) = (Buffer::filled(ITEMS, 1.0_f32), Buffer::filled(ITEMS, 2.0_f32));
    let (b, c) = (Buffer::filled(ITEMS, 1.0_f64), Buffer::filled(ITEMS, 2.0_f64));
    let (mut a, mut sum) = (Buffer::<f64>::zeros(ITEMS), Var::new(0.0_f64));
    let mut pipeline = rt.pipeline();
    pipeline.push(saxpy(2.0, &x, &mut y).over([ITEMS]));
    pipeline.push(triad(3.0, &b, &c, &mut a).over([ITEMS]));
    pipeline.push(dot(&a, &b, &mut sum).over([ITEMS]));
    pipeline.exec()?;
    drop(pipeline);
    assert_eq!((y.get(7)?, sum.get()?), (4.0, 7.0 * ITEMS as f64));
    Ok(())
}
