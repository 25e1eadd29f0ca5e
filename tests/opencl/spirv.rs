//! SPIR-V, by a driver that takes it and by one that does not. The module is a valid one.

use flash::prelude::*;
use flash_tests::{fpga, opencl};

#[flash::kernel(unsafe(opencl(file = "opencl/kernels/twice.spv")))]
fn twice(by: f32, x: &[f32], #[out] y: &mut [f32]);

#[flash::kernel(unsafe(opencl(file = "opencl/kernels/twice.spv", entry = "twice")))]
fn twice_of_one(x: &mut [f32]);

#[flash::kernel(unsafe(opencl(file = "opencl/kernels/twice.spv", entry = "thrice")))]
fn thrice(by: f32, x: &[f32], #[out] y: &mut [f32]);

/// Whether a module runs, and what is said where it does not.
fn run(rt: &Runtime) -> flash::Result<()> {
    let x = Buffer::from((0..100).map(|k| k as f32).collect::<Vec<_>>());
    let mut y = Buffer::zeros(100);
    rt.submit(twice(2.0, &x, &mut y)).exec([100])?;
    assert_eq!(y.to_vec()?, (0..100).map(|k| 2.0 * k as f32).collect::<Vec<_>>());
    Ok(())
}

#[test]
fn a_driver_takes_it_or_says_that_it_does_not() {
    let Some(rt) = opencl() else { return };
    if let Err(error) = run(&rt) {
        let said = error.to_string();
        for word in
            ["kernel `twice`", "twice.spv", "does not take SPIR-V", "give OpenCL C or a binary"]
        {
            assert!(said.contains(word), "no {word:?} in {said}");
        }
    }
}

/// The emulation of an FPGA has the compiler that Intel's processors have.
#[test]
fn a_module_is_a_program() {
    let Some(rt) = fpga() else { return };
    run(&rt).unwrap();
    let mut x = Buffer::from(vec![1.0_f32; 8]);
    let said = rt.submit(twice_of_one(&mut x)).exec([8]).unwrap_err().to_string();
    assert!(said.contains("takes 3 arguments, and the declaration gives 1: `x`"), "{said}");
    let mut y = Buffer::zeros(8);
    let said = rt.submit(thrice(2.0, &x, &mut y)).exec([8]).unwrap_err().to_string();
    assert!(said.contains("no kernel `thrice`") && said.contains("it has twice"), "{said}");
    run(&rt).unwrap();
}
