//! Arrays of more than 2^31 bytes: what is copied of them, and where kernels find it. They are zeros that
//! nobody has touched, so that the host has no pages of them.
#![allow(clippy::print_stderr, reason = "a test that is left out says so")]

use flash::prelude::*;

use crate::{alone, copying};

/// How far apart the elements are that are looked at.
const APART: usize = 1 << 27;
const N: usize = 17;
/// The last of them is behind 2^31.
const LEN: usize = (N - 1) * APART + 3;

#[flash::kernel]
fn gather(x: &[u8], #[out] y: &mut [u8]) {
    let i = global_id(0);
    y[i] = x[i * APART];
}

#[flash::kernel]
fn scatter(y: &[u8], x: &mut [u8]) {
    let i = global_id(0);
    // SAFETY: each item has a place of its own.
    unsafe {
        x[i * APART + 2] = y[i] + 1;
    }
}

#[test]
fn elements_behind_two_gibibytes_are_found() {
    let Some(rt) = copying() else { return };
    let (mut x, mut y) = (Buffer::<u8>::zeros(LEN), Buffer::<u8>::zeros(N));
    for k in 0..N {
        x.set(k * APART, 3 * k as u8 + 1).unwrap();
    }
    let mut pipeline = rt.pipeline();
    pipeline.push(gather(&x, &mut y).over([N]));
    pipeline.push(scatter(&y, &mut x).over([N]));
    if let Err(error) = pipeline.exec() {
        // A driver on the host takes a part of what is free there when it is loaded.
        let said = std::error::Error::source(&error).map(ToString::to_string).unwrap_or_default();
        assert!(said.contains("CL_DEVICE_MAX_MEM_ALLOC_SIZE"), "{error}: {said}");
        eprintln!("left out: {said}");
        return;
    }
    drop(pipeline);
    let expected: Vec<u8> = (0..N).map(|k| 3 * k as u8 + 1).collect();
    assert_eq!(y.to_vec().unwrap(), expected);
    for (k, value) in expected.into_iter().enumerate() {
        let found = x.read(k * APART..k * APART + 3).unwrap();
        assert_eq!(found[..], [value, 0, value + 1], "{k}");
    }
}

#[flash::kernel]
fn spread(apart: usize, x: &[u8], #[out] y: &mut [u8]) {
    let i = global_id(0);
    y[i] = x[i * apart];
}

/// A text whose addresses have 32 bits is for launches that reach no further, and another one for the rest.
#[test]
fn texts_are_wide_for_those_launches_that_need_it() {
    let cold: &[&[(&str, &str)]] = &[&[("FLASH_CACHE", "off")]];
    if !alone("wide::texts_are_wide_for_those_launches_that_need_it", cold) {
        return;
    }
    let rt = copying().unwrap();
    let (small, large) = (Buffer::<u8>::zeros(8 * N), Buffer::<u8>::zeros(LEN));
    let mut y = Buffer::<u8>::zeros(N);
    let mut made = |x, apart| {
        flash_ocl::calls::take();
        let run = rt.submit(spread(apart, x, &mut y)).exec([N]);
        run.map(|_| flash_ocl::calls::take().get("clCreateProgramWithSource").copied())
    };
    assert_eq!(made(&small, 8).unwrap(), Some(1));
    assert_eq!(made(&small, 7).unwrap(), None);
    match made(&large, APART) {
        Ok(texts) => assert_eq!(texts, Some(1)),
        Err(error) => eprintln!("left out: {error:?}"),
    }
}
