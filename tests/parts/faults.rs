//! Calls of devices that go wrong: which there are, a run that meets one, and what it may say.

use flash::{Error, Pipeline, Report};
use flash_rt::sim::{Fault, Kind, Sim};

/// A loss of each of so many devices before every call that was made.
pub(crate) fn losses(sim: &Sim, devices: usize) -> Vec<Fault> {
    let calls: u64 = Kind::ALL.iter().map(|kind| sim.tally(*kind)).sum();
    let of = |device| (0..calls).map(move |after| Fault::Lose { device, after });
    (0..devices).flat_map(of).collect()
}

/// These, and every call that was made failing, once and for good.
pub(crate) fn all(sim: &Sim, devices: usize) -> Vec<Fault> {
    let mut all = losses(sim, devices);
    for call in Kind::ALL {
        for nth in 0..sim.tally(call) {
            all.push(Fault::Fail { call, nth, device: None });
            all.push(Fault::Break { call, nth, device: None });
        }
    }
    all
}

/// Runs a pipeline that is prepared, with a fault: what it says, and whether the fault was met. The
/// tally of calls is that of the run.
pub(crate) fn exec(
    pipeline: &mut Pipeline<'_>,
    sim: &Sim,
    fault: Option<Fault>,
) -> (flash::Result<Report>, bool) {
    pipeline.prepare().unwrap();
    sim.clear_calls();
    fault.into_iter().for_each(|fault| sim.inject(fault));
    let result = pipeline.exec();
    let met = sim.armed().is_empty();
    sim.clear_faults();
    (result, met)
}

pub(crate) fn assert_typed(error: &Error, fault: Fault) {
    let is_typed = matches!(
        error,
        Error::DeviceLost { .. } | Error::Driver { .. } | Error::OutOfMemory { .. }
    );
    assert!(is_typed, "{fault:?}: {error:?}");
}
