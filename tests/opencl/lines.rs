//! What a compiler says of a body names the line of the Rust source. What `#line` says is asked for all
//! kernels in `tests/emit/lines.rs`.

use flash::Error;
use flash::prelude::*;
use flash_tests::opencl;

use crate::{again, is_again};

/// The line of `mistaken` in [`sum`].
const LINE: u32 = line!() + 7;

/// A variable has the name of what a compiler is told to take for something else.
#[flash::kernel]
fn sum(x: &[f32], #[out] y: &mut [f32]) {
    let i = global_id(0);
    let half = if x[i] > 0.5 { 0.5 * x[i] } else { x[i] / x[0] };
    let mistaken = half + x[i];
    y[i] = mistaken;
}

#[flash::kernel]
fn double(x: &mut [f32]) {
    x[global_id(0)] *= 2.0;
}

#[test]
fn a_mistake_in_an_emitted_text_is_in_the_rust_source() {
    if opencl().is_none() {
        return;
    }
    if !is_again() {
        let test = "lines::a_mistake_in_an_emitted_text_is_in_the_rust_source";
        // The driver's own switch for more options.
        let flags = ("POCL_EXTRA_BUILD_FLAGS", "-Dmistaken=half-");
        return again(test, &[flags, ("FLASH_CACHE", "off"), ("POCL_KERNEL_CACHE", "0")], None);
    }
    let rt = opencl().unwrap();
    let (x, mut y) = (Buffer::from(vec![0.25_f32; 8]), Buffer::zeros(8));
    match rt.submit(sum(&x, &mut y)).exec([8]) {
        // Where the driver is another one it has no such switch.
        Ok(_) => assert!(!rt.devices()[0].name().starts_with("pthread"), "it is PoCL"),
        Err(error) => {
            assert!(matches!(&error, Error::NoImplementation { kernel: "sum", .. }), "{error:?}");
            let said = error.to_string();
            assert!(said.contains(&format!("opencl/lines.rs:{LINE}:")), "{said}");
        }
    }
    let mut z = Buffer::from(vec![4.0_f32; 8]);
    rt.submit(double(&mut z)).exec([8]).unwrap();
    assert_eq!(z.to_vec().unwrap(), [8.0; 8]);
}
