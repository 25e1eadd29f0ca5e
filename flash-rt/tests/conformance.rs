//! The conformance suite on the simulator, which runs the hand-written kernels by their entries: on
//! both clocks, with delays, with queues that take turns, and with effects early and late.
#![allow(clippy::unwrap_used, reason = "a result that is not there fails the test")]

use std::sync::Arc;
use std::time::Duration;

use flash_rt::backend::conformance::{Kernels, all};
use flash_rt::sim::{Config, Link, Run, Sim, Speed, Time};
use flash_rt::{NoBackends, Runtime};

fn check(config: Config) {
    let sim = Sim::new(Config { run: Run::Entry, ..config });
    let rt = Runtime::<NoBackends>::builder().backend(Arc::new(sim.clone())).build().unwrap();
    all(&rt, &Kernels::by_hand());
    assert_eq!(sim.counts().poison, 0, "nothing was read that nobody had written");
    for device in 0..sim.config().devices {
        assert_eq!(sim.bytes_used(device), 0, "all memory was given back");
    }
}

/// Some microseconds for everything.
fn slow() -> Speed {
    let link = |us| Link { latency: Duration::from_micros(us), bytes_per_second: 1 << 30 };
    let launch = Duration::from_micros(3);
    Speed { launch, items_per_second: 1 << 30, up: link(2), down: link(1), ..Speed::default() }
}

#[test]
fn simulator() {
    for devices in [1, 3] {
        check(Config { devices, ..Config::default() });
    }
}

#[test]
fn with_delays_and_effects_at_any_time() {
    for seed in [None, Some(1), Some(2)] {
        check(Config { speed: slow(), seed, ..Config::default() });
    }
}

#[test]
fn with_copies_that_take_turns_and_queues_that_do_not() {
    let speed = Speed { shared_copies: true, queues: 3, ..slow() };
    check(Config { devices: 1, speed, ..Config::default() });
}

#[test]
fn on_the_real_clock() {
    check(Config { devices: 1, time: Time::Real, ..Config::default() });
    let speed = Speed { queues: 2, ..slow() };
    check(Config { devices: 1, time: Time::Real, speed, ..Config::default() });
}
