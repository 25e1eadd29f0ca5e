//! Arrays of which a device has no room for all: what is needed at once is there, the rest is not, and
//! nothing is lost when another part is needed.

use std::sync::Arc;
use std::time::Duration;

use flash::Error;
use flash::prelude::*;
use flash_rt::sim::{Config, Sim, Speed};
use proptest::prelude::*;

use crate::{accumulate, counted, mix, mixed, on_small_devices};

/// 8 bytes each.
const N: usize = 1_000;

#[flash::kernel(part_by)]
fn smooth(x: &[u64], #[out] y: &mut [u64]) {
    let i = global_id(0);
    let n = x.len();
    y[i] = if i > 0 && i + 1 < n { (x[i - 1] + x[i] + 3 * x[i + 1]) % 65521 } else { x[i] };
}

fn smoothed(x: &[u64]) -> Vec<u64> {
    let at = |i: usize| match i > 0 && i + 1 < x.len() {
        true => (x[i - 1] + x[i] + 3 * x[i + 1]) % 65521,
        false => x[i],
    };
    (0..x.len()).map(at).collect()
}

#[test]
fn a_part_of_an_array_that_is_larger_than_the_device() {
    on_small_devices(3_000, |rt| {
        let mut x = Buffer::from(counted(N as u64));
        let mut part = x.view_mut(100..300);
        let report = rt.submit(mix(3, 1, &mut part)).exec([200]).unwrap();
        assert_eq!(report.transfers().uploaded, 1_600);
        assert!(rt.devices()[0].bytes_used() <= 2_000, "{}", rt.devices()[0].bytes_used());
        // Another one, which leaves no room for the first; and one that is in both of them.
        let mut other = x.view_mut(700..950);
        rt.submit(mix(5, 2, &mut other)).exec([250]).unwrap();
        let mut again = x.view_mut(720..760);
        let report = rt.submit(mix(7, 3, &mut again)).exec([40]).unwrap();
        assert_eq!(report.transfers().uploaded, 0, "it is there");
        assert!(rt.devices()[0].bytes_used() <= 3_000);
        let expected = |i: usize, v: u64| match i {
            100..300 => mixed(v, 3, 1),
            720..760 => mixed(mixed(v, 5, 2), 7, 3),
            700..950 => mixed(v, 5, 2),
            _ => v,
        };
        let all: Vec<u64> =
            counted(N as u64).iter().enumerate().map(|(i, &v)| expected(i, v)).collect();
        assert_eq!(x.to_vec().unwrap(), all);
    });
}

#[test]
fn two_parts_for_which_there_is_room_are_both_there() {
    on_small_devices(7_000, |rt| {
        let mut x = Buffer::from(counted(N as u64));
        let (mut low, mut high) = (x.view_mut(0..200), x.view_mut(500..800));
        let turn = |low: &mut _, high: &mut _| {
            let mut p = rt.pipeline();
            p.push(mix(3, 1, low).over([200])).push(mix(5, 2, high).over([300]));
            p.exec().unwrap().transfers().uploaded
        };
        turn(&mut low, &mut high);
        turn(&mut low, &mut high);
        assert_eq!(turn(&mut low, &mut high), 0, "nobody comes and goes");
        let thrice = |v, a, b| mixed(mixed(mixed(v, a, b), a, b), a, b);
        assert_eq!(x.get(199).unwrap(), thrice(200, 3, 1));
        assert_eq!(x.get(799).unwrap(), thrice(800, 5, 2));
        assert_eq!(x.get(400).unwrap(), 401);
    });
}

#[test]
fn what_a_launch_needs_at_once_has_to_have_room() {
    on_small_devices(3_000, |rt| {
        let mut x = Buffer::from(counted(N as u64));
        let (first, mut last) = (x.view(0..10), x.view_mut(900..910));
        let error = rt.submit(accumulate(2, &first, &mut last)).exec([10]).unwrap_err();
        assert!(matches!(error, Error::OutOfMemory { bytes: 7_280, .. }), "{error}");
        assert!(error.to_string().contains("accumulate"), "{error}");
        rt.submit(mix(3, 1, &mut last)).exec([10]).unwrap();
        assert_eq!(x.get(900).unwrap(), mixed(901, 3, 1));
    });
}

#[test]
fn a_kernel_goes_through_an_array_in_parts_that_have_room() {
    let config = Config { devices: 1, memory: 6_000, ..Config::default() };
    let sim = Sim::new(config);
    let rt = Runtime::builder().backend(Arc::new(sim.clone())).partitions(8).build().unwrap();
    let (mut x, mut y) = (Buffer::from(counted(N as u64)), Buffer::zeros(N));
    let mut expected = counted(N as u64);
    for _ in 0..3 {
        rt.submit(smooth(&x, &mut y)).exec([N]).unwrap();
        rt.submit(smooth(&y, &mut x)).exec([N]).unwrap();
        expected = smoothed(&smoothed(&expected));
        assert!(rt.devices()[0].bytes_used() <= 6_000);
    }
    assert_eq!(x.to_vec().unwrap(), expected);
}

#[test]
fn devices_share_an_array_that_none_of_them_has_room_for() {
    // A second each for all of it, so that it pays.
    let speed = Speed { items_per_second: N as u64, ..Speed::default() };
    let config = Config { devices: 3, memory: 7_000, speed, ..Config::default() };
    let sim = Sim::new(config);
    let rt = Runtime::builder().backend(Arc::new(sim.clone())).build().unwrap();
    let (x, mut y) = (Buffer::from(counted(N as u64)), Buffer::zeros(N));
    let before = sim.clock().now();
    let report = rt.submit(smooth(&x, &mut y)).exec([N]).unwrap();
    let took = sim.clock().now() - before;
    assert!(took < Duration::from_millis(400), "{took:?}");
    assert_eq!(
        report.transfers().uploaded,
        8 * (N as u64 + 4),
        "their own, and what borders on it"
    );
    assert_eq!(y.to_vec().unwrap(), smoothed(&counted(N as u64)));
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, ..ProptestConfig::default() })]

    /// Parts of two arrays, in pipelines of a few launches, with and without a copy to the host between.
    #[test]
    fn any_parts_in_any_order(
        memory in 4_300_u64..20_000,
        steps in prop::collection::vec((0..2_usize, 0..N, 0..N, 0..N, 1..200_usize, 0..4_u8), 1..30),
    ) {
        on_small_devices(memory, |rt| {
            let mut all = [counted(N as u64), vec![5; N]];
            let mut arrays = all.clone().map(Buffer::from);
            let mut p = rt.pipeline();
            for &(which, at, from, to, n, then) in &steps {
                let cut = |start: usize| start.min(N - n)..start.min(N - n) + n;
                let (own, read) = (cut(at), cut(from));
                let mut part = arrays[which].view_mut(own.clone());
                p.push(mix(3, to as u64, &mut part).over([n]));
                all[which][own].iter_mut().for_each(|v| *v = mixed(*v, 3, to as u64));
                let seen = arrays[which].view(read.clone());
                let mut sum = arrays[1 - which].view_mut(cut(to));
                p.push(accumulate(7, &seen, &mut sum).over([n]));
                for (v, k) in cut(to).zip(read) {
                    all[1 - which][v] = (all[1 - which][v] + 7 * all[which][k]) % 65521;
                }
                if then == 0 {
                    std::mem::replace(&mut p, rt.pipeline()).exec().unwrap();
                    assert_eq!(arrays[which].get(at).unwrap(), all[which][at]);
                }
            }
            p.exec().unwrap();
            assert!(rt.devices()[0].bytes_used() <= memory);
            for (found, all) in arrays.iter_mut().zip(&all) {
                assert_eq!(&found.to_vec().unwrap(), all);
            }
        });
    }
}

#[test]
fn kernels_touch_what_is_theirs() {
    flash_tests::oclgrind::clean(&[
        "windows::a_part_of_an_array_that_is_larger_than_the_device",
        "windows::any_parts_in_any_order",
        "windows::two_parts_for_which_there_is_room_are_both_there",
        "windows::what_a_launch_needs_at_once_has_to_have_room",
    ]);
}
