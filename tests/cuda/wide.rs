//! Arrays of more than 2^32 elements: where kernels find what is in them. Nobody touches the rest, so that the host
//! has no pages of it.

use flash::prelude::*;
use flash_tests::cuda::cuda;

/// How far apart the elements are that are looked at.
const APART: usize = 1 << 28;
const N: usize = 18;
/// The last ones of them are behind 2^32.
const LEN: usize = (N - 1) * APART + 3;

#[flash::kernel]
fn scatter(#[out(partial)] x: &mut [u8]) {
    let i = global_id(0);
    // SAFETY: each item has a place of its own.
    unsafe {
        x[i * APART + 2] = i as u8 + 1;
    }
}

#[flash::kernel]
fn gather(x: &[u8], #[out] y: &mut [u8]) {
    let i = global_id(0);
    y[i] = 2 * x[i * APART + 2];
}

#[test]
fn elements_behind_four_thousand_million_are_found() {
    let Some(test) = cuda("devices=1,memory=6G,poison=0") else { return };
    let (mut x, mut y) = (Buffer::<u8>::unwritten(LEN), Buffer::<u8>::zeros(N));
    let mut p = test.rt.pipeline();
    p.push(scatter(&mut x).over([N]));
    p.push(gather(&x, &mut y).over([N]));
    p.exec().unwrap();
    drop(p);
    let ones: Vec<u8> = (1..=N as u8).collect();
    assert_eq!(y.to_vec().unwrap(), ones.iter().map(|k| 2 * k).collect::<Vec<_>>());
    for (k, value) in ones.into_iter().enumerate().skip(N - 3) {
        let found = x.read(k * APART + 1..k * APART + 3).unwrap();
        assert_eq!(found[..], [0, value], "{k}");
    }
    assert_eq!(test.driver.trouble(), "");
}
