//! Where a launch is cut, as seen by its items: each runs once and knows the number of its part.

use std::sync::Arc;

use flash::Call;
use flash::prelude::*;
use flash_rt::sim::{Config, Run, Sim};
use proptest::prelude::*;

/// How often an item ran, and in which part.
#[flash::kernel(part_by)]
fn cut(n: ViewMut<'_, u32, 2>, #[out] part: ViewMut<'_, u32, 2>) {
    let (i, j) = (global_id(0), global_id(1));
    n[[j, i]] += 1;
    part[[j, i]] = partition() as u32;
}

/// The same for native code in groups of 16 by 6 items.
#[flash::kernel(part_by, unsafe(cuda(path = "none.cubin", block(16, 6))))]
fn cut_in_groups(n: ViewMut<'_, u32, 2>, #[out] part: ViewMut<'_, u32, 2>) {
    let (i, j) = (global_id(0), global_id(1));
    n[[j, i]] += 1;
    part[[j, i]] = partition() as u32;
}

/// With a sum, whose partial results no part may cut.
#[flash::kernel(part_by)]
fn cut_and_sum(
    n: ViewMut<'_, u32, 2>,
    #[out] part: ViewMut<'_, u32, 2>,
    #[reduce(+)] sum: &mut u64,
) {
    let (i, j) = (global_id(0), global_id(1));
    n[[j, i]] += 1;
    part[[j, i]] = partition() as u32;
    *sum += (j * 1_000 + i) as u64;
}

/// A kernel, and the multiples that its borders are at among so many parts of a field of width `w`.
type Cutter = (Kernel, fn(usize, usize, usize) -> usize);
type Kernel = fn(&mut Buffer<u32, 2>, &mut Buffer<u32, 2>, &mut Var<u64>) -> Call<'static, 2>;

const CUTTERS: [Cutter; 3] = [
    (|n, part, _| cut(n, part), |w, h, parts| lines(w, h, parts, [1, 1])),
    (|n, part, _| cut_in_groups(n, part), |w, h, parts| lines(w, h, parts, [16, 6])),
    (|n, part, sum| cut_and_sum(n, part, sum), |w, h, _| blocks(w, h)),
];

/// Groups, and cache lines of 64 elements where one line is cut and there are four of those that are groups
/// too for each part.
fn lines(w: usize, h: usize, parts: usize, group: [usize; 2]) -> usize {
    let (extent, line, group) = match h >= parts.max(2) && h > group[1] {
        true => (h, 1, group[1]),
        false => (w, 64, group[0]),
    };
    let both = (1..).map(|k| k * group).find(|n| n % line == 0).unwrap();
    if extent >= 4 * both * parts { both } else { group }
}

/// Partial results are those of 4,096 items of a line, or of as many lines as make that.
fn blocks(w: usize, h: usize) -> usize {
    if h == 1 || w > 4_096 { if h > 1 { 1 } else { 4_096.min(w) } } else { (4_096 / w).clamp(1, h) }
}

/// Where the parts of a field begin along the dimension that is cut; that every item ran once, in one
/// part of its line or column, and parts follow each other.
fn borders(n: &Buffer<u32, 2>, part: &Buffer<u32, 2>) -> Vec<usize> {
    let [h, w] = n.shape();
    let (n, part) = (n.to_vec().unwrap(), part.to_vec().unwrap());
    assert!(n.iter().all(|&n| n == 1), "an item ran more than once, or not at all");
    let by_line = (0..h).all(|j| part[j * w..(j + 1) * w].iter().all(|p| *p == part[j * w]));
    let (step, extent) = if by_line && h > 1 { (w, h) } else { (1, w) };
    let along: Vec<u32> = (0..extent).map(|at| part[at * step]).collect();
    assert!((0..w * h).all(|at| part[at] == along[at / step % extent]), "not a box");
    let mut starts = vec![0];
    assert_eq!(along[0], 0);
    for at in 1..extent {
        assert!(along[at] == along[at - 1] || along[at] == along[at - 1] + 1, "{:?}", along);
        if along[at] != along[at - 1] {
            starts.push(at);
        }
    }
    starts.push(extent);
    starts
}

fn runtimes() -> Vec<Runtime> {
    let sim = |devices| {
        let sim = Sim::new(Config { devices, run: Run::Entry, ..Config::default() });
        Runtime::builder().backend(Arc::new(sim)).threads(2)
    };
    let cpu = Runtime::builder().devices("ALL_CPU").threads(2);
    let all = vec![cpu, sim(1), sim(2), sim(5), sim(2).devices("ALL_CPU")];
    all.into_iter().map(|builder| builder.build().unwrap()).collect()
}

/// Runs a kernel over a field: where the parts begin, and the sum.
fn run(
    rt: &Runtime,
    (w, h): (usize, usize),
    kernel: Kernel,
    how: impl FnOnce(Call<'static, 2>) -> Call<'static, 2>,
) -> Vec<usize> {
    let (mut n, mut part) = (Buffer::zeros([h, w]), Buffer::filled([h, w], u32::MAX));
    let mut sum = Var::new(0);
    rt.submit(how(kernel(&mut n, &mut part, &mut sum))).exec([w, h]).unwrap();
    borders(&n, &part)
}

#[test]
fn borders_of_equal_parts_are_where_they_are_worked_out_to_be() {
    let (rt, three) = (&runtimes()[3], |call: Call<'static, 2>| call.partitions(3));
    let [(cut, _), (groups, _), (sum, _)] = CUTTERS;
    // Lines are whole, whatever their length.
    assert_eq!(run(rt, (1_000, 40), cut, three), [0, 13, 27, 40]);
    // 640 and 1,280 of 1,920 are cache lines, 333 and 667 of 1,000 are in some.
    assert_eq!(run(rt, (1_920, 1), cut, three), [0, 640, 1_280, 1_920]);
    assert_eq!(run(rt, (1_000, 1), cut, three), [0, 320, 640, 1_000]);
    assert_eq!(run(rt, (700, 1), cut, three), [0, 233, 467, 700]);
    // Groups of six lines, of 16 columns in cache lines where there are enough of those.
    assert_eq!(run(rt, (5, 100), groups, three), [0, 30, 66, 100]);
    assert_eq!(run(rt, (5, 71), groups, three), [0, 24, 42, 71]);
    assert_eq!(run(rt, (300, 1), groups, three), [0, 96, 192, 300]);
    assert_eq!(run(rt, (1_000, 1), groups, three), [0, 320, 640, 1_000]);
    // Sums of 4,096 items of a line, or of 40 lines of 100.
    assert_eq!(run(rt, (20_000, 1), sum, three), [0, 4_096, 12_288, 20_000]);
    assert_eq!(run(rt, (100, 200), sum, three), [0, 40, 120, 200]);
}

#[test]
fn every_item_runs_once_and_shares_are_what_was_asked_for() {
    let runtimes = runtimes();
    let sizes = prop_oneof![
        (1_usize..40, 1_usize..150),
        (1_usize..3_000, Just(1)),
        (100_usize..300, 1_usize..4)
    ];
    let shares = proptest::collection::vec(prop_oneof![Just(0.0), 0.001_f64..1.0, 1.0_f64..8.0], 5);
    proptest!(ProptestConfig { cases: 40, failure_persistence: None, ..ProptestConfig::default() }, |(size in sizes, parts in 2_usize..7, shares in shares)| {
        for (rt, (kernel, unit)) in runtimes.iter().flat_map(|rt| CUTTERS.map(|of| (rt, of))) {
            let mut shares = shares[..rt.devices().len()].to_vec();
            shares[0] += 0.01;
            for equal in [true, false] {
                let (n, starts) = match equal {
                    true => (parts, run(rt, size, kernel, |call| call.partitions(parts))),
                    false => {
                        let n = shares.iter().filter(|share| **share > 0.0).count();
                        (n, run(rt, size, kernel, |call| call.shares(shares.clone())))
                    }
                };
                let unit = unit(size.0, size.1, n);
                let extent = *starts.last().unwrap();
                prop_assert!(starts[..starts.len() - 1].iter().all(|at| at % unit == 0), "{starts:?}");
                prop_assert!(starts.len() - 1 <= n, "{starts:?}");
                // Less than what a launch can be cut into stays whole.
                if starts.len() == 2 {
                    continue;
                }
                // Borders are where shares say, but for less than a unit.
                let all: Vec<f64> = if equal { vec![1.0; n] } else { shares.clone() };
                let total: f64 = all.iter().sum();
                let mut before = 0.0;
                let wanted: Vec<f64> = all.iter().map(|share| {
                    before += extent as f64 * share / total;
                    before
                }).collect();
                for at in &starts[1..starts.len() - 1] {
                    let is_near = |wanted: &f64| {
                        let below = wanted - *at as f64;
                        (-0.51..unit as f64).contains(&below)
                    };
                    prop_assert!(wanted.iter().any(is_near), "{at} of {wanted:?} at multiples of {unit}");
                }
            }
        }
    });
}
