//! Bytes that no item writes stay as they were, wherever parts end: on the host, on devices, and when
//! parts are merged.

use std::sync::Arc;

use flash::prelude::*;
use flash_rt::sim::{Config, Run, Sim};
use proptest::prelude::*;

/// Every third byte, from an offset.
#[flash::kernel(part_by)]
fn spread(k: u8, at: usize, #[out(partial)] y: &mut [u8]) {
    let i = global_id(0);
    // SAFETY: each item has a byte of its own.
    unsafe { y[3 * i + at] = k ^ i as u8 };
}

/// What the data of each item say, which no border follows.
#[flash::kernel(part_by)]
fn some(k: u8, which: &[u8], #[out(partial)] y: &mut [u8]) {
    let i = global_id(0);
    if which[i] % 5 == k % 5 {
        y[i] = k;
    }
}

/// A box of bytes; its lines begin and end in the middle of words.
#[flash::kernel(part_by)]
fn framed(k: u8, left: usize, top: usize, #[out(partial)] y: ViewMut<'_, u8, 2>) {
    let (i, j) = (global_id(0), global_id(1));
    y[[j + top, i + left]] = k ^ (7 * j + i) as u8;
}

/// No two neighbours are the same, nor are bytes that are a power of two away.
fn pattern(n: usize) -> Vec<u8> {
    (0..n).map(|i| (i * 167 + i / 251 * 13 + 91) as u8).collect()
}

fn runtimes() -> Vec<(Runtime, Option<Sim>)> {
    let sim = |devices, run| {
        let sim = Sim::new(Config { devices, run, ..Config::default() });
        (Runtime::builder().backend(Arc::new(sim.clone())).threads(2), Some(sim))
    };
    let (mixed, with) = sim(2, Run::Entry);
    let all = vec![
        (Runtime::builder().devices("ALL_CPU").threads(2), None),
        sim(2, Run::Ir),
        sim(3, Run::Entry),
        (mixed.devices("ALL_CPU"), with),
    ];
    all.into_iter().map(|(builder, sim)| (builder.build().unwrap(), sim)).collect()
}

#[test]
fn bytes_that_nobody_writes_stay_as_they_are() {
    let runtimes = runtimes();
    let sizes = (1_usize..60, 1_usize..40);
    let frame = (0_usize..9, 0_usize..9, 0_usize..9, 0_usize..9);
    proptest!(ProptestConfig { cases: 24, failure_persistence: None, ..ProptestConfig::default() }, |((w, h) in sizes, (left, top, right, below) in frame, parts in 2_usize..6, k: u8)| {
        let n = w * h;
        for (rt, sim) in &runtimes {
            // A box in a frame.
            let (width, height) = (left + w + right, top + h + below);
            let start = pattern(width * height);
            let mut y = Buffer::<u8, 2>::from_shape([height, width], start.clone()).unwrap();
            let mut wanted = start;
            for (k, parts) in [(k, parts), (!k, parts + 1)] {
                rt.submit(framed(k, left, top, &mut y).partitions(parts)).exec([w, h]).unwrap();
                for (i, j) in (0..h).flat_map(|j| (0..w).map(move |i| (i, j))) {
                    wanted[(j + top) * width + i + left] = k ^ (7 * j + i) as u8;
                }
            }
            prop_assert_eq!(y.to_vec().unwrap(), wanted, "a box on {}", rt.devices().len());
            // One byte of three, and then some of all.
            let start = pattern(3 * n + 5);
            let (mut y, mut wanted) = (Buffer::from(start.clone()), start.clone());
            let which = Buffer::from(start.clone());
            for at in [top % 3, 2] {
                rt.submit(spread(k, at, &mut y).partitions(parts)).exec([n]).unwrap();
                (0..n).for_each(|i| wanted[3 * i + at] = k ^ i as u8);
            }
            rt.submit(some(k, &which, &mut y).partitions(parts + 1)).exec([3 * n + 1]).unwrap();
            let chosen = |i: &usize| start[*i] % 5 == k % 5;
            (0..3 * n + 1).filter(chosen).for_each(|i| wanted[i] = k);
            prop_assert_eq!(y.to_vec().unwrap(), wanted, "single bytes on {}", rt.devices().len());
            if let Some(sim) = sim {
                prop_assert_eq!(sim.counts().poison, 0);
            }
        }
    });
}
