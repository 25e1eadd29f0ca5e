//! Random pipelines on devices of which a call fails, or which are lost: they end with a typed error
//! or with the right result, what they never write is as it was, what they do write can be read
//! unless it is lost, and the runtime goes on.

use std::sync::Arc;

use flash::Error;
use flash::prelude::*;
use flash_rt::sim::{Config, Fault, Kind, Run, Sim};

use super::check::{builder, draw, expected, seeds};
use super::generate::{Random, Shape};
use super::run::{Handles, How, run};
use super::steps::{BUFFERS, changed};
use super::watch::Watch;

/// How many devices there are for a seed: another one is left where one is lost.
fn n_devices(seed: u64) -> usize {
    let has_cpu = seed % 2 == 1;
    let least = if has_cpu { 1 } else { 2 };
    least + seed as usize / 2 % (6 - least)
}

/// One to five devices, and the CPU beside them for every other seed; for every third one, launches are split
/// in parts.
fn open(seed: u64) -> (Sim, Runtime) {
    let devices = n_devices(seed);
    let sim = Sim::new(Config { devices, run: Run::Entry, ..Config::default() });
    let builder = builder().backend(Arc::new(sim.clone())).sync(seed % 4 == 1);
    let builder =
        if seed % 3 == 2 { builder.partitions(2 + (seed / 3) as usize % 3) } else { builder };
    let builder =
        if seed.is_multiple_of(2) { builder } else { builder.devices("ALL_CPU").threads(2) };
    (sim, builder.build().unwrap())
}

/// Runs the pipeline of a seed with one fault; whether it came to its end.
fn with(fault: Fault, seed: u64) -> bool {
    let (state, steps) = draw(seed, Shape::ALL);
    let good = expected(1, &steps, &state);
    let (sim, rt) = open(seed);
    sim.inject(fault);
    let mut handles = Handles::new(&state);
    let mut lent = state.lent.clone();
    let result = handles.run((&rt, None), How::of(seed), 1, (&steps, &[]), &mut lent);
    let case = format!("seed {seed}, {fault:?}");
    let loses = matches!(fault, Fault::Lose { .. });
    match &result {
        Ok((notes, _)) => {
            // Reading may meet the fault, if nothing before did.
            let found = handles.state(lent, notes);
            let found = found.or_else(|error| match loses {
                true => Err(error),
                false => handles.state(good.lent.clone(), notes),
            });
            match found {
                Ok(found) => assert!(found == good, "{case}: a wrong result"),
                Err(error) => assert!(is_typed(&error, fault), "{case}: {error:?}"),
            }
        }
        Err(error) => assert!(is_typed(error, fault), "{case}: {error:?}"),
    }
    if !loses {
        sim.clear_faults();
    }
    let mut written = Vec::new();
    changed(&steps, &mut written);
    for buffer in 0..BUFFERS {
        match handles.buffer(buffer) {
            Ok(values) if written.contains(&buffer) => drop(values),
            Ok(values) => assert!(values == state.buffers[buffer], "{case}: an input changed"),
            Err(Error::DeviceLost { .. }) if loses && written.contains(&buffer) => {}
            Err(error) => panic!("{case}: {error:?}"),
        }
    }
    let ended = result.is_ok();
    drop((result, handles));
    // A loss that has not happened yet may still come; the time after it is without that device.
    let mut again = run((&rt, None), How::of(seed), 1, (&steps, &[]), &state);
    if loses && again.is_err() {
        again = run((&rt, None), How::of(seed), 1, (&steps, &[]), &state);
    }
    assert!(
        again.as_ref().is_ok_and(|(again, _)| *again == good),
        "{case}, again: {:?}",
        again.err()
    );
    for device in 0..n_devices(seed) {
        assert_eq!(sim.bytes_used(device), 0, "{case}: something is left");
        assert_eq!(rt.devices()[device].bytes_used(), 0, "{case}: something is counted");
    }
    ended
}

fn is_typed(error: &Error, fault: Fault) -> bool {
    let by_call = |kind: Kind| match fault {
        Fault::Fail { call, .. } | Fault::Break { call, .. } => call == kind,
        _ => false,
    };
    match error {
        Error::OutOfMemory { .. } => by_call(Kind::Allocate),
        Error::NoImplementation { .. } => by_call(Kind::Load),
        Error::Driver { .. } => !matches!(fault, Fault::Lose { .. }),
        Error::DeviceLost { .. } => matches!(fault, Fault::Lose { .. }),
        _ => false,
    }
}

/// Faults of a seed: a call of each kind, in two ways; or each device lost at some calls.
pub(crate) fn sweep(test: &str, cases: u64, losing: bool) {
    let (mut ended, mut all) = (0, 0);
    let watch = Watch::over(test);
    for seed in seeds(test, cases) {
        watch.begin(seed);
        let (state, steps) = draw(seed, Shape::ALL);
        let (sim, rt) = open(seed);
        let mut handles = Handles::new(&state);
        handles.run((&rt, None), How::of(seed), 1, (&steps, &[]), &mut state.lent.clone()).unwrap();
        let mut random = Random::new(seed);
        let tallies = Kind::ALL.map(|kind| (kind, sim.tally(kind)));
        let total: u64 = tallies.iter().map(|(_, calls)| calls).sum();
        let mut faults = Vec::new();
        if losing {
            for device in 0..n_devices(seed) {
                for _ in 0..2 {
                    let after = random.below(total as usize + 1) as u64;
                    faults.push(Fault::Lose { device, after });
                }
            }
        } else {
            for (call, calls) in tallies.into_iter().filter(|(_, calls)| *calls > 0) {
                let mut nth = || random.below(calls as usize) as u64;
                faults.push(Fault::Fail { call, nth: nth(), device: None });
                faults.push(Fault::Break { call, nth: nth(), device: None });
            }
        }
        for fault in faults {
            ended += u64::from(with(fault, seed));
            all += 1;
        }
    }
    assert!(ended > 0 && ended < all, "{ended} of {all} came to their end");
}
