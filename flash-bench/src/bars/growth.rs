//! Bar 8: a million nodes, added one by one in a Rust loop over different ranges: memory and time
//! for each. A process of its own does it, as memory that was free before would not count.

use std::process::Command;
use std::time::Instant;

use flash::Result;
use flash::prelude::*;

use super::Context;
use crate::kernels::nodes::step_alone;
use crate::quiet;
use crate::row::{Row, Unit};
use crate::stats::Sample;

const MANY: usize = 1_000_000;
const FEW: usize = 10_000;

/// Bar 8.
pub(crate) fn growth(context: &Context, emit: &mut dyn FnMut(Row)) -> Result<()> {
    let names = ["a million nodes: resident", "a million nodes: peak", "a million nodes: time"];
    if !names.iter().any(|name| context.wants(name)) {
        return Ok(());
    }
    let asked = ["<= 200 B a node", "<= 400 B a node", "<= 1.50x its time"];
    let mut rounds = vec![];
    for _ in 0..context.effort.rounds.min(5) {
        quiet::wait();
        match (child(FEW), child(MANY)) {
            (Some(few), Some(many)) => rounds.push((few, many)),
            _ => {
                for (name, asked) in names.iter().zip(asked) {
                    emit(Row::skipped(8, name, asked, "this system does not tell (no /proc)"));
                }
                return Ok(());
            }
        }
    }
    let of = |k: usize| rounds.iter().map(|(_, many)| many[k]).collect();
    emit(Row::limit(8, names[0], Sample::of(of(1)), 200.0, Unit::Bytes));
    emit(Row::limit(8, names[1], Sample::of(of(2)), 400.0, Unit::Bytes));
    let few = rounds.iter().map(|(few, _)| few[0]).collect();
    let pair = (Sample::of(of(0)), Sample::of(few));
    emit(Row::within(8, names[2], pair, "a node of 10,000", 1.5));
    Ok(())
}

/// Seconds and bytes of a node, resident and at the peak, in a process of its own.
fn child(nodes: usize) -> Option<[f64; 3]> {
    let program = std::env::current_exe().ok()?;
    let output = Command::new(program).args(["--nodes", &nodes.to_string()]).output().ok()?;
    let words = String::from_utf8_lossy(&output.stdout);
    let numbers: Vec<f64> = words.split_whitespace().filter_map(|w| w.parse().ok()).collect();
    numbers.try_into().ok().filter(|_| output.status.success())
}

/// What the process of its own does: prints the three numbers.
pub(crate) fn measure(nodes: usize) -> Result<()> {
    let rt = Runtime::builder().devices("ALL_CPU").threads(1).build()?;
    let mut cells = Buffer::<u32>::filled(nodes, 0);
    // Threads, tables and a first plan are there before anything is counted.
    let mut small = rt.pipeline();
    for k in 0..100 {
        small.push(step_alone(cells.view_mut(k..k + 1)).over([1]));
    }
    small.exec()?;
    drop(small);
    let before = resident();
    forget_peak();
    let repeats = (MANY / nodes).clamp(1, 20);
    let mut times = vec![];
    let mut bytes = None;
    for _ in 0..repeats {
        let start = Instant::now();
        let mut pipeline = rt.pipeline();
        for k in 0..nodes {
            pipeline.push(step_alone(cells.view_mut(k..k + 1)).over([1]));
        }
        pipeline.exec()?;
        times.push(start.elapsed().as_secs_f64() / nodes as f64);
        bytes = resident().zip(peak());
    }
    let expected: Vec<u32> = (0..nodes).map(|k| repeats as u32 + u32::from(k < 100)).collect();
    assert!(cells.to_vec()? == expected, "not every node ran");
    let (before, (after, peak)) = before.zip(bytes).unwrap_or_default();
    let each = |bytes: u64| bytes.saturating_sub(before) as f64 / nodes as f64;
    let time = Sample::of(times).median;
    println!("{time:e} {} {}", each(after), each(peak));
    Ok(())
}

/// Bytes of memory this process has; `None` where the system does not tell.
pub(crate) fn resident() -> Option<u64> {
    status("VmRSS:")
}

fn peak() -> Option<u64> {
    status("VmHWM:")
}

fn status(key: &str) -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix(key))?;
    Some(line.split_whitespace().next()?.parse::<u64>().ok()? * 1024)
}

/// Begins a new peak; without the right to it the peak of the start counts too, which is lower.
fn forget_peak() {
    let _ = std::fs::write("/proc/self/clear_refs", "5");
}
