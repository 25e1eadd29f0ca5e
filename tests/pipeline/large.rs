//! Arrays of more than 4 GiB on a device that has no such memory to fill: parts beyond the border, to
//! the element and the byte, in pages that nobody else touches.

use std::sync::Arc;

use flash::prelude::*;
use flash_rt::sim::{Config, Sim, What};

use crate::{accumulate, mix, mix_matrix, mixed};

/// Elements of 8 bytes: 5 GiB, and as many as fit below 4 GiB.
const N: usize = 5 << 27;
const BORDER: usize = 1 << 29;

/// What this process holds of the machine's memory, in bytes.
fn resident() -> u64 {
    let Ok(text) = std::fs::read_to_string("/proc/self/statm") else { return 0 };
    let pages = text.split(' ').nth(1).and_then(|pages| pages.parse::<u64>().ok());
    pages.unwrap_or(0) * 4096
}

fn is_small(before: u64) {
    // Other tests run beside this one; the array alone would be ten times as much.
    let grown = resident().saturating_sub(before);
    assert!(grown < 1 << 29, "{grown} bytes");
}

#[test]
fn parts_on_both_sides_of_4_gib() {
    let roomy = Config { memory: 8 << 30, ..Config::default() };
    for builder in [
        Runtime::builder().devices("ALL_CPU").threads(2),
        Runtime::builder().devices("SIM").sim(roomy),
    ] {
        let rt = builder.build().unwrap();
        let before = resident();
        let mut x = Buffer::<u64>::zeros(N);
        let mut across = x.view(BORDER - 4..BORDER + 4);
        let mut last = x.view_mut(N - 4..);
        flash_pipeline! { in rt;
            for k in 1..4_u64 { mix(3, k, &mut across)[8]; }
            mix(5, 7, &mut last)[4];
            accumulate(2, across.view(4..), &mut last)[4];
        }
        .exec()
        .unwrap();
        let one = (1..4).fold(0, |v, k| mixed(v, 3, k));
        assert_eq!(across.to_vec().unwrap(), [one; 8]);
        assert_eq!(last.to_vec().unwrap(), [7 + 2 * one; 4]);
        // Where the low 32 bits of an index or of an offset lead.
        for wrapped in [0, 4, N - 4 - BORDER, BORDER / 2] {
            assert_eq!(x.get(wrapped).unwrap(), 0, "{wrapped}");
        }
        let (low, high) = (x.view(8..12), x.view(N - 8..N - 4));
        low.copy_from(x.view(BORDER - 2..BORDER + 2)).unwrap();
        high.copy_from(x.view(N - 4..)).unwrap();
        assert_eq!(low.to_vec().unwrap(), [one; 4]);
        assert_eq!(high.to_vec().unwrap(), [7 + 2 * one; 4]);
        assert_eq!((x.get(BORDER).unwrap(), x.get(BORDER + 4).unwrap()), (one, 0));
        let rows = x.reshape([5, BORDER / 4]).unwrap();
        let mut corner = rows.view((3..5, BORDER / 4 - 2..));
        rt.submit(mix_matrix(1, 1, &mut corner)).exec(corner.space()).unwrap();
        let end = mixed(7 + 2 * one, 1, 1);
        assert_eq!(corner.to_vec().unwrap(), [one + 1, one + 1, end, end]);
        is_small(before);
    }
}

#[test]
fn copies_are_of_the_bytes_that_are_needed_there() {
    let sim = Sim::new(Config { memory: 8 << 30, ..Config::default() });
    let rt = Runtime::builder().backend(Arc::new(sim.clone())).build().unwrap();
    let before = resident();
    let mut x = Buffer::<u64>::zeros(N);
    x.set(N - 1, 9).unwrap();
    let mut end = x.view_mut(N - 6..);
    rt.submit(mix(3, 1, &mut end)).exec([6]).unwrap();
    assert_eq!(sim.bytes_used(0), 8 * N as u64);
    let calls = sim.calls();
    let uploads: Vec<_> = calls
        .iter()
        .filter_map(|call| match &call.what {
            What::Upload { to, .. } => Some((to.offset, to.bytes())),
            _ => None,
        })
        .collect();
    assert_eq!(uploads, [(8 * (N as u64 - 6), 48)]);
    // Back comes what the device wrote, as the host has the rest.
    let mut p = rt.pipeline();
    p.evict(&x, 0);
    p.exec().unwrap();
    let counts = sim.counts();
    assert_eq!((counts.uploads, counts.downloads, counts.downloaded), (1, 1, 48));
    assert_eq!((sim.bytes_used(0), counts.poison), (0, 0));
    assert_eq!(x.view(N - 7..).to_vec().unwrap(), [0, 1, 1, 1, 1, 1, 28]);
    // It does not fit twice: the first one leaves.
    let mut y = Buffer::<u64>::zeros(N);
    rt.submit(mix(3, 1, x.view_mut(BORDER..BORDER + 1))).exec([1]).unwrap();
    rt.submit(mix(3, 2, y.view_mut(N - 1..))).exec([1]).unwrap();
    assert_eq!(sim.bytes_used(0), 8 * N as u64);
    assert_eq!((x.get(BORDER).unwrap(), y.get(N - 1).unwrap()), (1, 2));
    is_small(before);
}
