//! What becomes of the parts of a split launch: where devices fail or are late, which shares they get,
//! and what is moved for them. That the parts together are the launch is asked in `split.rs`.
#![allow(clippy::unwrap_used, reason = "a test fails by unwrapping")]

mod again;
mod ahead;
mod borders;
mod capable;
mod devices;
mod division;
mod dynamic;
mod faults;
mod given;
mod grid;
mod halos;
mod headline;
mod kept;
mod limits;
mod shares;
mod stencils;
mod sweep;
mod unsorted;
mod untouched;
mod whole;

use std::sync::Arc;

use flash::prelude::*;
use flash_rt::sim::{Config, Run, Sim, Speed};

/// One million items a second.
const RATE: u64 = 1_000_000;

/// Simulated devices of these speeds, in millions of items a second, on a virtual clock.
fn open(speeds: &[u64]) -> (Runtime, Sim) {
    open_as(Config::default(), speeds)
}

fn open_as(config: Config, speeds: &[u64]) -> (Runtime, Sim) {
    let sim = simulator(config, speeds);
    (Runtime::builder().backend(Arc::new(sim.clone())).build().unwrap(), sim)
}

/// The same beside the processor.
fn open_with_cpu(speeds: &[u64]) -> (Runtime, Sim) {
    let sim = simulator(Config::default(), speeds);
    let builder = Runtime::builder().devices("ALL_CPU").backend(Arc::new(sim.clone()));
    (builder.threads(2).build().unwrap(), sim)
}

fn simulator(config: Config, speeds: &[u64]) -> Sim {
    let speed = |millions: u64| Speed { items_per_second: millions * RATE, ..config.speed.clone() };
    let others = speeds.iter().enumerate().map(|(k, &millions)| (k, speed(millions))).collect();
    Sim::new(Config { devices: speeds.len(), run: Run::Entry, others, ..config })
}

/// Nothing is left on any device once what is under way has ended.
fn assert_empty(rt: &Runtime, sim: &Sim) {
    sim.clock().sleep(std::time::Duration::from_secs(100_000));
    for (k, device) in rt.devices().iter().enumerate() {
        assert_eq!((device.bytes_used(), sim.bytes_used(k)), (0, 0), "{}", device.name());
    }
}
