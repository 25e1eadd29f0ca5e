//! Every call that an example makes to its devices fails once: it ends with a typed error that names
//! the device, or it finds what it always finds; the same runtime then runs it to its end, and
//! nothing is left on any device.
//!
//! And one of two devices is lost at each call: the other one takes over, or what only the lost one
//! held is missed by a typed error.
//!
//! The calls are counted in a run without faults. Where an example makes very many of a kind, evenly
//! spread ones of them fail.

use std::sync::Arc;

use flash::Error;
use flash_examples::{Options, Result, Size};
use flash_rt::error::DriverErrorKind;
use flash_rt::sim::{Config, Fault, Kind, Run, Sim};

use super::*;

/// At most so many calls of a kind fail, one in each run: one after the other, and side by side.
const MOST: [u64; 2] = [12, 3];

/// Two devices with memories of their own.
fn devices(sync: bool) -> (Sim, Runtime) {
    let sim = Sim::new(Config { devices: 2, run: Run::Entry, log: false, ..Config::default() });
    let builder = Runtime::builder().backend(Arc::new(sim.clone())).sync(sync);
    (sim, builder.build().expect("it is always there"))
}

/// The error of a runtime in what an example returned.
fn typed<'e>(error: &'e (dyn std::error::Error + Send + Sync + 'static)) -> Option<&'e Error> {
    let mut cause: Option<&'e (dyn std::error::Error + 'static)> = Some(error);
    while let Some(error) = cause {
        if let Some(found) = error.downcast_ref::<Error>() {
            return Some(found);
        }
        cause = error.source();
    }
    None
}

/// Whether an error is one that this fault may end with, and says which device it was.
fn fits(error: &Error, fault: Fault) -> bool {
    let injected = |source: &flash_rt::DriverError| {
        source.kind == DriverErrorKind::Failed
            && (source.text.contains("injected") || source.text.contains("given up"))
    };
    let kind = match error {
        Error::OutOfMemory { .. } => {
            matches!(fault, Fault::Fail { call: Kind::Allocate, .. })
                || matches!(fault, Fault::Break { call: Kind::Allocate, .. })
        }
        Error::NoImplementation { .. } => true,
        Error::Driver { source, .. } => injected(source),
        Error::DeviceLost { .. } => matches!(fault, Fault::Lose { .. }),
        _ => false,
    };
    kind && error.to_string().contains("sim:")
}

/// Numbers of `0..calls`, all or evenly spread ones.
fn some(calls: u64, most: u64) -> impl Iterator<Item = u64> {
    let n = calls.min(most);
    (0..n).map(move |k| if n == calls { k } else { k * (calls - 1) / (n - 1).max(1) })
}

fn sweep(example: fn(&Runtime, &Options) -> Result, most: [u64; 2]) {
    let folder = tempfile::tempdir().expect("a folder for the test");
    let options = Options { size: Size::Smoke, out: folder.path().to_owned() };
    for (sync, most) in [true, false].into_iter().zip(most) {
        let (counted, rt) = devices(sync);
        succeed(example(&rt, &options));
        let (mut injected, mut wanted, mut errors) = (0, 0, 0);
        for call in Kind::ALL {
            let calls = counted.tally(call);
            wanted += 2 * calls.min(most);
            for nth in some(calls, most) {
                for fault in [
                    Fault::Fail { call, nth, device: None },
                    Fault::Break { call, nth, device: None },
                ] {
                    let (sim, rt) = devices(sync);
                    sim.inject(fault);
                    if let Err(error) = example(&rt, &options) {
                        errors += 1;
                        let found = typed(&*error);
                        let fits = found.is_some_and(|found| fits(found, fault));
                        assert!(fits, "{fault:?}: {}", flash_examples::with_causes(&*error));
                    }
                    // Side by side the number of calls may differ from run to run.
                    assert!(sim.armed().is_empty() || !sync, "{fault:?} has not happened");
                    sim.clear_faults();
                    succeed(example(&rt, &options));
                    for device in 0..2 {
                        assert_eq!(sim.bytes_used(device), 0, "after {fault:?}");
                        assert_eq!(rt.devices()[device].bytes_used(), 0, "after {fault:?}");
                    }
                    injected += 1;
                }
            }
        }
        assert_eq!(injected, wanted);
        let all: u64 = Kind::ALL.iter().map(|&call| counted.tally(call)).sum();
        println!("sync: {sync}, {all} calls, {} of them failed in two ways", injected / 2);
        for (device, after) in
            [0, 1].into_iter().flat_map(|d| some(all, most / 3).map(move |n| (d, n)))
        {
            let fault = Fault::Lose { device, after };
            let (sim, rt) = devices(sync);
            sim.inject(fault);
            if let Err(error) = example(&rt, &options) {
                let fits = typed(&*error).is_some_and(|found| fits(found, fault));
                assert!(fits, "{fault:?}: {}", flash_examples::with_causes(&*error));
            }
            // A late loss comes in the next run; the one after that has the other device only.
            if example(&rt, &options).is_err() {
                succeed(example(&rt, &options));
            }
            for device in 0..2 {
                assert_eq!(sim.bytes_used(device), 0, "after {fault:?}");
                assert_eq!(rt.devices()[device].bytes_used(), 0, "after {fault:?}");
            }
        }
        assert!(errors > 4, "only {errors} of {injected} faults were an error");
    }
}

macro_rules! sweeps {
    ($($example:ident),* $(,)?) => {
        $(#[test]
        fn $example() {
            sweep(crate::$example::run, MOST);
        })*
    };
}

portable_examples!(sweeps);

/// Launches that tell which device ran them are waited for, so several of a device fail at once: the
/// error is not that of one that was given up because of another one.
#[test]
fn every_call_of_a_matrix_product() {
    (0..4).for_each(|_| sweep(crate::matrix_product::run, [u64::MAX; 2]));
}
