//! Parts of a device as devices of their own.

use flash::Error;
use flash::opencl::{Division, Shares, divided};
use flash::prelude::*;
use flash_tests::opencl;

#[flash::kernel]
fn blur(x: &[f32], #[out] y: &mut [f32]) {
    let i = global_id(0);
    let (a, b) = (if i > 0 { i - 1 } else { i }, if i + 1 < x.len() { i + 1 } else { i });
    y[i] = 0.25 * x[a] + 0.5 * x[i] + 0.25 * x[b];
}

#[flash::kernel]
fn total(x: &[f32], #[reduce(+)] s: &mut f64) {
    *s += x[global_id(0)] as f64;
}

/// The bits of a pipeline on a runtime, and what its devices had.
fn run(rt: &Runtime, parts: usize) -> (Vec<u32>, u64) {
    let (mut x, mut y) =
        (Buffer::from((0..5000).map(|k| (k % 17) as f32).collect::<Vec<_>>()), Buffer::zeros(5000));
    let mut s = Var::new(0.0);
    let mut p = rt.pipeline();
    p.begin_for(0..4_u32);
    p.push(blur(&x, &mut y).partitions(parts).over([5000]));
    p.push(blur(&y, &mut x).over([5000]));
    p.end_for();
    p.push(total(&x, &mut s).over([5000]));
    p.exec().unwrap();
    drop(p);
    let bits = x.to_vec().unwrap().into_iter().map(f32::to_bits).collect();
    (bits, s.get().unwrap().to_bits())
}

#[test]
fn halves_of_a_device_are_two_devices() {
    let Some(rt) = opencl() else { return };
    let whole = &rt.devices()[0];
    let expected = run(&Runtime::open("ALL_CPU").unwrap(), 1);
    for division in [Division::Parts(2), Division::Units(vec![1, 1])] {
        let halves = divided(whole, &division).unwrap();
        let builder = Runtime::builder().backend(halves).round_robin(true).trace(true);
        let halves = builder.build().unwrap();
        let names: Vec<&str> = halves.devices().iter().map(|device| device.name()).collect();
        let parts = [1, 2].map(|k| format!("{} part {k} of 2", whole.name()));
        assert_eq!(
            (names, halves.devices()[0].key()),
            (parts.iter().map(|n| &**n).collect(), "OPENCL")
        );
        let lanes: usize = halves.devices().iter().map(|device| device.info().lanes).sum();
        assert!(lanes <= whole.info().lanes);
        for parts in [1, 2] {
            assert_eq!(run(&halves, parts), expected, "{division:?}");
        }
        for name in parts {
            let ran = halves.trace();
            let is_here = |unit: String| unit.contains(&name);
            assert!(ran.intervals().iter().any(|i| is_here(format!("{:?}", i))), "{name}");
        }
    }
    // The same in place.
    let rt = Runtime::builder().devices("OPENCL").zero_copy(true).build().unwrap();
    let halves = divided(&rt.devices()[0], &Division::Parts(2)).unwrap();
    drop(rt);
    assert_eq!(run(&Runtime::builder().backend(halves).build().unwrap(), 2), expected);
}

#[test]
fn what_cannot_be_divided_says_so() {
    let Some(rt) = opencl() else { return };
    let refused = |device: &flash::Device, division: Division, why: &str| {
        let error = divided(device, &division).unwrap_err();
        let text = error.to_string();
        assert!(matches!(error, Error::Option { option: "division", .. }), "{error:?}");
        assert!(text.contains(device.name()) && text.contains(why), "{text}");
    };
    let whole = &rt.devices()[0];
    refused(whole, Division::Parts(0), "compute units");
    refused(whole, Division::Parts(1 << 20), "compute units");
    refused(whole, Division::Units(vec![1, 1 << 20]), "compute units");
    // What the compute units of one processor share is the driver's to say.
    match divided(whole, &Division::Sharing(Shares::L4)) {
        Err(error) => {
            assert!(matches!(error, Error::Option { option: "division", .. }), "{error:?}");
        }
        Ok(parts) => {
            let parts = Runtime::builder().backend(parts).build().unwrap();
            let lanes = parts.devices().iter().map(|part| part.info().lanes);
            assert!(lanes.sum::<usize>() <= whole.info().lanes, "they are parts of it");
            run(&parts, parts.devices().len());
        }
    }
    // A part of one unit has no parts.
    let halves = divided(whole, &Division::Parts(2)).unwrap();
    let halves = Runtime::builder().backend(halves).build().unwrap();
    let cpu = Runtime::open("ALL_CPU").unwrap();
    refused(&cpu.devices()[0], Division::Parts(1), "no device of OpenCL");
    if halves.devices()[0].info().lanes == whole.info().lanes / 2 {
        refused(&halves.devices()[0], Division::Parts(1 << 20), "compute units");
    }
}
