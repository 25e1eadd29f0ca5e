//! Bar 15: what a process costs that does nothing, and what opening a runtime takes.

use std::time::{Duration, Instant};

use flash::Result;
use flash::prelude::*;

use super::Context;
use crate::kernels::streams::saxpy;
use crate::row::{Row, Unit};
use crate::stats::Sample;

/// Idle processor time, and `Runtime::new()`.
pub(crate) fn idle(context: &Context, emit: &mut dyn FnMut(Row)) -> Result<()> {
    let name = "Runtime::new()";
    if context.wants(name) {
        let times = (0..context.effort.rounds)
            .map(|_| {
                let start = Instant::now();
                Runtime::new().map(|_| start.elapsed().as_secs_f64())
            })
            .collect::<Result<_>>()?;
        emit(Row::limit(15, name, Sample::of(times), 5e-3, Unit::Seconds));
    }

    let name = "idle process, 100 ms after the last launch";
    if context.wants(name) {
        let n = 1 << 20;
        let x = Buffer::from(vec![1.0_f32; n]);
        let mut y = Buffer::from(vec![1.0_f32; n]);
        let mut shares = vec![];
        for _ in 0..context.effort.rounds {
            for _ in 0..20 {
                context.rt.submit(saxpy(0.5, &x, &mut y)).exec([n])?;
            }
            std::thread::sleep(Duration::from_millis(100));
            let (before, start) = (used(), Instant::now());
            std::thread::sleep(Duration::from_millis(200));
            match (before, used()) {
                (Some(before), Some(after)) => {
                    shares.push((after - before) / start.elapsed().as_secs_f64() * 100.0);
                }
                _ => break,
            }
        }
        emit(if shares.is_empty() {
            Row::skipped(15, name, "< 1 %", "this system does not tell (no /proc)")
        } else {
            Row::limit(15, name, Sample::of(shares), 1.0, Unit::Percent)
        });
    }
    Ok(())
}

/// Seconds of processor time of all threads of this process.
fn used() -> Option<f64> {
    let mut nanos = 0_u64;
    for task in std::fs::read_dir("/proc/self/task").ok()? {
        let stat = std::fs::read_to_string(task.ok()?.path().join("schedstat")).ok()?;
        nanos += stat.split_whitespace().next()?.parse::<u64>().ok()?;
    }
    Some(nanos as f64 * 1e-9)
}
