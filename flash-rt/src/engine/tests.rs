//! Runs of hand-written kernels on the simulator.

use std::sync::Arc;

use crate::backend::conformance::kernels;
use crate::sim::{Run, Sim, SimOptions};
use crate::{Arg, Buffer, Call, Runtime};

fn sim(options: SimOptions) -> (Sim, Runtime) {
    let sim = Sim::new(SimOptions { run: Run::Entry, ..options });
    let rt = Runtime::builder().backend(Arc::new(sim.clone())).build().unwrap();
    (sim, rt)
}

fn saxpy<'a>(a: f32, x: &Buffer<f32>, y: &mut Buffer<f32>) -> Call<'a, 1> {
    let y = Arg::<&'a mut [f32]>::bind(y);
    Call::new(&kernels::SAXPY, [Arg::<f32>::bind(a), Arg::<&'a [f32]>::bind(x), y])
}

#[test]
fn one_kernel_end_to_end() {
    let (sim, rt) = sim(SimOptions { devices: 1, ..SimOptions::default() });
    let n = 1000;
    let x = Buffer::from((0..n).map(|i| i as f32).collect::<Vec<_>>());
    let mut y = Buffer::from(vec![1.0_f32; n]);
    let report = rt.submit(saxpy(2.0, &x, &mut y)).exec([n]).unwrap();
    assert_eq!(report.kernel("saxpy").unwrap().count, 1);
    assert_eq!(y.to_vec().unwrap(), (0..n).map(|i| 2.0 * i as f32 + 1.0).collect::<Vec<_>>());
    assert_eq!(sim.counts().launches, 1);
    assert_eq!(sim.counts().uploads, 2);
    assert_eq!(sim.counts().downloads, 1);
}
