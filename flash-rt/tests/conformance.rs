//! The conformance suite on the simulator, which runs the hand-written kernels by their entries.

use std::sync::Arc;

use flash_rt::backend::conformance::{Kernels, all};
use flash_rt::sim::{Run, Sim, SimOptions};
use flash_rt::{NoBackends, Runtime};

#[test]
fn simulator() {
    for devices in [1, 3] {
        let sim = Sim::new(SimOptions { devices, run: Run::Entry, ..SimOptions::default() });
        let rt = Runtime::<NoBackends>::builder().backend(Arc::new(sim)).build().unwrap();
        all(&rt, &Kernels::by_hand());
    }
}
