//! All that an attribute says of one launch: which parameters are inputs, phases in an order, and a
//! function for its parts; on devices of unlike speed, against a loop.

use std::ops::Range;

use flash::ArgRange;
use flash::prelude::*;

use super::open;

/// Rows of `x` with those beside them, own rows of `y`.
fn rows(items: &[Range<u64>]) -> Vec<ArgRange> {
    let (columns, rows) = (items[0].clone(), items[1].clone());
    let around = rows.start.saturating_sub(1)..rows.end + 1;
    vec![ArgRange::read([around, columns.clone()]).clipped(), ArgRange::both([rows, columns])]
}

/// A step in each phase.
#[flash::kernel(inputs = 2, sort_by(3), part_by = rows)]
fn layers(k: u64, x: View<'_, u64, 2>, y: ViewMut<'_, u64, 2>) {
    let (i, j) = (global_id(0), global_id(1));
    let above = x[[if j > 0 { j - 1 } else { j }, i]];
    let below = x[[if j + 1 < x.extent(0) { j + 1 } else { j }, i]];
    y[[j, i]] = (k * y[[j, i]] + above + below + (phase() * phase()) as u64) % 65521;
}

#[test]
fn inputs_phases_and_parts_of_one_launch() {
    let [w, h, steps] = [17, 40, 5];
    let x: Vec<u64> = (0..(w * h) as u64).map(|k| k * 7919 % 1009).collect();
    let mut wanted = vec![1_u64; w * h];
    for step in 0..steps {
        for (j, i) in (0..h).flat_map(|j| (0..w).map(move |i| (j, i))) {
            let beside = x[j.saturating_sub(1) * w + i] + x[(j + 1).min(h - 1) * w + i];
            let y = &mut wanted[j * w + i];
            *y = (3 * *y + beside + (step * step) as u64) % 65521;
        }
    }
    let ran = |speeds: &[u64], shares: &[f64]| {
        let (rt, sim) = open(speeds);
        let a = Buffer::from_shape([h, w], x.clone()).unwrap();
        let mut y = Buffer::<u64, 2>::filled([h, w], 1);
        let call = layers(3, &a, &mut y);
        let call = if shares.is_empty() { call } else { call.shares(shares) };
        rt.submit(call).exec([w, h, steps]).unwrap();
        assert_eq!(y.to_vec().unwrap(), wanted, "{speeds:?} {shares:?}");
        assert_eq!(sim.counts().poison, 0);
        (sim.counts().launches as usize, sim.counts().uploaded as usize)
    };
    let both = 8 * 2 * w * h;
    assert_eq!(ran(&[1], &[]), (steps, both));
    // A row on each side of each border, once.
    assert_eq!(ran(&[1, 3, 2], &[1.0, 3.0, 2.0]), (3 * steps, both + 8 * 4 * w));
    // 680 items in a step and one million in a second: split by the runtime, as it lasts 3.4 ms.
    let (launches, uploaded) = ran(&[1, 1], &[]);
    assert_eq!((launches, uploaded), (2 * steps, both + 8 * 2 * w));
}
