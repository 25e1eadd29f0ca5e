//! What a function of `part_by` gives against what the body reaches: too little is an error before
//! anything runs where the indices tell, and else at the access, also of one in `unsafe`.

use std::ops::Range;
use std::sync::Mutex;

use flash::prelude::*;
use flash::{ArgRange, Error};
use flash_rt::sim::{Config, Run};
use proptest::prelude::*;

use super::{faults, open};

type Given = Vec<ArgRange>;

/// The range of the first dimension, a little longer or shorter at either end.
fn about(items: &[Range<u64>], before: i64, behind: i64) -> Range<u64> {
    let Range { start, end } = items[0].clone();
    start.saturating_add_signed(-before)..end.saturating_add_signed(behind)
}

fn right(items: &[Range<u64>]) -> Given {
    vec![ArgRange::read(about(items, 1, 1)).clipped(), ArgRange::write(about(items, 0, 0))]
}

fn no_halo(items: &[Range<u64>]) -> Given {
    vec![ArgRange::read(about(items, 0, 0)), ArgRange::write(about(items, 0, 0))]
}

fn short_write(items: &[Range<u64>]) -> Given {
    vec![ArgRange::read(..), ArgRange::write(about(items, 0, -1))]
}

fn backwards(items: &[Range<u64>]) -> Given {
    let Range { start, end } = items[0].clone();
    vec![ArgRange::read(Range { start: end, end: start }), ArgRange::write(items[0].clone())]
}

fn of_rank_2(items: &[Range<u64>]) -> Given {
    vec![ArgRange::read([about(items, 1, 1), 0..1]).clipped(), ArgRange::write(items[0].clone())]
}

fn beyond(items: &[Range<u64>]) -> Given {
    vec![ArgRange::read(about(items, 1, 1)), ArgRange::write(items[0].clone())]
}

/// The same body with each of the functions; items have ids from 1 on.
macro_rules! with {
    ($($name:ident: $function:ident),*) => {$(
        #[flash::kernel(part_by = $function)]
        fn $name(x: &[u64], y: &mut [u64]) {
            let i = global_id(0);
            let left = x[i.max(1) - 1];
            let right = x[(i + 1).min(x.len() - 1)];
            y[i] += if left > right { left } else { right };
        }
    )*};
}
with! {
    by_right: right, by_no_halo: no_halo, by_short_write: short_write, by_backwards: backwards,
    by_rank: of_rank_2, by_beyond: beyond
}

type Blur = fn(&Buffer<u64>, &mut Buffer<u64>) -> flash::Call<'static, 1>;

#[test]
fn what_is_too_small_or_no_range_is_refused_before_anything_runs() {
    let (rt, sim) = open(&[1, 1]);
    let x = Buffer::from((0..64).map(|i| i % 7).collect::<Vec<u64>>());
    let mut y = Buffer::from(vec![2_u64; 64]);
    let cases: [(&str, Blur, &str, &[&str]); 5] = [
        ("by_no_halo", |x, y| by_no_halo(x, y), "x", &["[0..32]", "[0..33]", "give at least"]),
        (
            "by_short_write",
            |x, y| by_short_write(x, y),
            "y",
            &["[0..32]", "[0..31]", "give at least"],
        ),
        (
            "by_backwards",
            |x, y| by_backwards(x, y),
            "x",
            &["`32..0` runs backwards", "first index"],
        ),
        ("by_rank", |x, y| by_rank(x, y), "x", &["[0..33, 0..1]", "each of its 1 dimensions"]),
        ("by_beyond", |x, y| by_beyond(x, y), "x", &["[31..65]", "[64]", "`clipped()`"]),
    ];
    for (name, blur, array, words) in cases {
        let error = rt.submit(blur(&x, &mut y).partitions(2)).exec([64]).unwrap_err();
        let Error::Parts { kernel, param, .. } = &error else { panic!("{name}: {error}") };
        assert_eq!((*kernel, *param), (name, array), "{error}");
        for word in words {
            assert!(error.to_string().contains(word), "`{word}` in: {error}");
        }
    }
    assert_eq!((sim.counts().launches, y.to_vec().unwrap()), (0, vec![2; 64]));
    rt.submit(by_right(&x, &mut y).partitions(2)).exec([64]).unwrap();
    let at = |i: usize| (i % 7) as u64;
    let wanted: Vec<u64> =
        (0..64_usize).map(|i| 2 + at(i.saturating_sub(1)).max(at((i + 1).min(63)))).collect();
    assert_eq!((sim.counts().launches, y.to_vec().unwrap()), (2, wanted));
}

/// How much more than its items [`drawn`] gives of `x` and of `y`, before and behind, and whether both end
/// with the array.
static DRAWN: Mutex<([i64; 4], bool)> = Mutex::new(([0; 4], false));

fn drawn(items: &[Range<u64>]) -> Given {
    let ([before, behind, ahead, after], clipped) = *DRAWN.lock().unwrap();
    let (x, y) = (ArgRange::read(about(items, before, behind)), about(items, ahead, after));
    if clipped {
        vec![x.clipped(), ArgRange::both(y).clipped()]
    } else {
        vec![x, ArgRange::both(y)]
    }
}
with! { by_drawn: drawn }

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, ..ProptestConfig::default() })]

    /// Each item needs its neighbours of `x` and its own place of `y`, where no two parts may write. So in
    /// two parts or more only one element more of `x` at least, which ends with the array, and nothing more
    /// of `y` will do.
    #[test]
    fn what_a_function_gives_is_right_or_refused_before_anything_runs(
        (n, parts) in (64..300_usize, 2..6_usize),
        of_x in [-2..3_i64, -2..3_i64],
        of_y in [prop_oneof![4 => Just(0), 1 => -2..3_i64], prop_oneof![4 => Just(0), 1 => -2..3_i64]],
        clipped in prop::bool::weighted(0.8),
    ) {
        *DRAWN.lock().unwrap() = ([of_x[0], of_x[1], of_y[0], of_y[1]], clipped);
        let is_right = of_x.iter().all(|&more| more >= 1) && of_y == [0, 0] && clipped;
        let (rt, sim) = open(&[1, 1, 1]);
        let x = Buffer::from((0..n as u64).map(|i| i * i % 11).collect::<Vec<_>>());
        let mut y = Buffer::from(vec![2_u64; n]);
        let done = rt.submit(by_drawn(&x, &mut y).partitions(parts)).exec([n]);
        let (launches, y) = (sim.counts().launches, y.to_vec().unwrap());
        if is_right {
            prop_assert!(done.is_ok(), "{:?}", done.err());
            let at = |i: usize| (i * i % 11) as u64;
            let wanted = |i: usize| 2 + at(i.saturating_sub(1)).max(at((i + 1).min(n - 1)));
            prop_assert_eq!(y, (0..n).map(wanted).collect::<Vec<_>>());
            prop_assert!(launches >= 2);
        } else {
            let error = done.err();
            prop_assert!(matches!(error, Some(Error::Parts { .. })), "{:?}", error);
            prop_assert_eq!((launches, y), (0, vec![2; n]));
        }
    }
}

/// The same of the rows and columns of [`drawn_2d`], in this order, of `x` and of `y`.
static DRAWN_2D: Mutex<[[[i64; 2]; 2]; 2]> = Mutex::new([[[0; 2]; 2]; 2]);

fn drawn_2d(items: &[Range<u64>]) -> Given {
    let [x, y] = DRAWN_2D.lock().unwrap().map(|[rows, columns]| {
        [about(&items[1..], rows[0], rows[1]), about(items, columns[0], columns[1])]
    });
    vec![ArgRange::read(x).clipped(), ArgRange::both(y)]
}

/// Each item needs the elements above and below it.
#[flash::kernel(part_by = drawn_2d)]
fn by_drawn_2d(x: View<'_, u64, 2>, y: ViewMut<'_, u64, 2>) {
    let (i, j) = (global_id(0), global_id(1));
    let above = x[[j.max(1) - 1, i]];
    let below = x[[(j + 1).min(x.extent(0) - 1), i]];
    y[[j, i]] += if above > below { above } else { below };
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, ..ProptestConfig::default() })]

    /// A launch is cut into rows. Too little in either dimension, elements of `y` beyond the array, or rows
    /// of it that are another part's, are refused. What is given before column 0 begins there.
    #[test]
    fn boxes_that_a_function_gives_are_right_or_refused_before_anything_runs(
        (w, h, parts) in (2..20_usize, 64..120_usize, 2..5_usize),
        rows_of_x in [-1..3_i64, -1..3_i64],
        columns_of_x in [prop_oneof![3 => Just(0), 1 => -1..2_i64], prop_oneof![3 => Just(0), 1 => -1..2_i64]],
        rows_of_y in [prop_oneof![5 => Just(0), 1 => -1..2_i64], prop_oneof![5 => Just(0), 1 => -1..2_i64]],
        columns_of_y in [prop_oneof![5 => Just(0), 1 => -1..2_i64], prop_oneof![5 => Just(0), 1 => -1..2_i64]],
    ) {
        *DRAWN_2D.lock().unwrap() = [[rows_of_x, columns_of_x], [rows_of_y, columns_of_y]];
        let is_right = rows_of_x.iter().all(|&more| more >= 1)
            && columns_of_x.iter().all(|&more| more >= 0)
            && rows_of_y == [0, 0]
            && columns_of_y[0] >= 0
            && columns_of_y[1] == 0;
        let (rt, sim) = open(&[1, 1, 1]);
        let values = |n: usize| (0..n as u64).map(|i| i * i % 11).collect::<Vec<_>>();
        let x = Buffer::from_shape([h, w], values(w * h)).unwrap();
        let mut y = Buffer::<u64, 2>::filled([h, w], 2);
        let done = rt.submit(by_drawn_2d(&x, &mut y).partitions(parts)).exec([w, h]);
        let (launches, y) = (sim.counts().launches, y.to_vec().unwrap());
        if is_right {
            prop_assert!(done.is_ok(), "{:?}", done.err());
            let at = |j: usize, i: usize| ((j * w + i) * (j * w + i) % 11) as u64;
            let wanted = |k: usize| {
                let (j, i) = (k / w, k % w);
                2 + at(j.saturating_sub(1), i).max(at((j + 1).min(h - 1), i))
            };
            prop_assert_eq!(y, (0..w * h).map(wanted).collect::<Vec<_>>());
            prop_assert!(launches >= 2);
        } else {
            let error = done.err();
            prop_assert!(matches!(error, Some(Error::Parts { .. })), "{:?}", error);
            prop_assert_eq!((launches, y), (0, vec![2; w * h]));
        }
    }
}

/// `x` is read where it says itself, in the same block or not.
fn own_blocks(items: &[Range<u64>]) -> Given {
    let own = || items[0].clone();
    vec![ArgRange::read(own()), ArgRange::read(own()), ArgRange::both(own())]
}

#[flash::kernel(part_by = own_blocks)]
fn gather(at: &[u32], x: &[u64], y: &mut [u64]) {
    let i = global_id(0);
    // SAFETY: the test puts numbers of elements there.
    y[i] = unsafe { x[at[i] as usize] };
}

#[flash::kernel(part_by = own_blocks)]
fn scatter(at: &[u32], x: &[u64], y: &mut [u64]) {
    let i = global_id(0);
    // SAFETY: the test puts the numbers of all elements there.
    unsafe { y[at[i] as usize] = x[i] };
}

#[flash::kernel(part_by = own_blocks)]
fn gather_safely(at: &[u32], x: &[u64], y: &mut [u64]) {
    let i = global_id(0);
    y[i] = x[at[i] as usize];
}

type Moves = fn(&Buffer<u32>, &Buffer<u64>, &mut Buffer<u64>) -> flash::Call<'static, 1>;

#[test]
fn an_access_in_unsafe_keeps_to_what_the_function_gives() {
    let (n, keys) = (64_u32, ["SIM", "ALL"]);
    let ways: [(&str, Moves); 3] = [
        ("x", |at, x, y| gather(at, x, y)),
        ("y", |at, x, y| scatter(at, x, y)),
        ("x", |at, x, y| gather_safely(at, x, y)),
    ];
    for (run, key) in [Run::Ir, Run::Entry].into_iter().flat_map(|run| keys.map(|key| (run, key))) {
        let config = Config { devices: 2, run, ..Config::default() };
        let rt = Runtime::builder().sim(config).devices(key).build().unwrap();
        for (name, way) in ways {
            let x = Buffer::from((0..u64::from(n)).map(|i| 100 + i).collect::<Vec<_>>());
            // Within the halves.
            let mut y = Buffer::from(vec![1_u64; n as usize]);
            let near = Buffer::from((0..n).map(|i| i / 16 * 16 + 15 - i % 16).collect::<Vec<_>>());
            rt.submit(way(&near, &x, &mut y).partitions(2)).exec([n as usize]).unwrap();
            let wanted: Vec<u64> =
                (0..n).map(|i| u64::from(100 + i / 16 * 16 + 15 - i % 16)).collect();
            assert_eq!(y.to_vec().unwrap(), wanted);
            // All elements the other way round.
            let far = Buffer::from((0..n).rev().collect::<Vec<_>>());
            let error =
                rt.submit(way(&far, &x, &mut y).partitions(2)).exec([n as usize]).unwrap_err();
            let Error::Parts { param, .. } = &error else { panic!("{key}: {error}") };
            assert_eq!(param, &name);
            let text = error.to_string();
            assert!(text.contains("item [0] used index [63], which is not in [0..32]"), "{text}");
            // In one part it is what it says.
            rt.submit(way(&far, &x, &mut y)).exec([n as usize]).unwrap();
            assert_eq!(y.get(0).unwrap(), 163);
        }
    }
}

fn reads_around(items: &[Range<u64>]) -> Given {
    let own = items[0].clone();
    vec![ArgRange::read(own.clone()), ArgRange::new(about(items, 1, 1), own).clipped()]
}

#[flash::kernel(part_by = reads_around)]
fn scatter_around(at: &[u32], y: &mut [u64]) {
    let i = global_id(0);
    // SAFETY: the test puts the numbers of all elements there.
    unsafe { y[at[i] as usize] = 7 };
}

#[flash::kernel(part_by = reads_around)]
fn some_around(at: &[u32], y: &mut [u64]) {
    let i = global_id(0);
    // SAFETY: items write their own.
    unsafe { y[i] = y[i] + at[i] as u64 };
}

#[test]
fn who_may_write_anywhere_holds_what_he_writes() {
    let (rt, sim) = open(&[1, 1]);
    let at = Buffer::from((0..64_u32).collect::<Vec<_>>());
    let mut y = Buffer::from(vec![2_u64; 64]);
    let error = rt.submit(scatter_around(&at, &mut y).partitions(2)).exec([64]).unwrap_err();
    assert!(matches!(error, Error::Parts { param: "y", .. }), "{error}");
    assert!(error.to_string().contains("read and write the same box"), "{error}");
    assert_eq!(sim.counts().launches, 0);
    // Where the indices tell what is written, more may be read.
    rt.submit(some_around(&at, &mut y).partitions(2)).exec([64]).unwrap();
    assert_eq!(y.to_vec().unwrap(), (2..66).collect::<Vec<u64>>());
}

/// Only items below 16 read `x`, and `f` knows that.
fn few(items: &[Range<u64>]) -> Given {
    let own = items[0].clone();
    vec![ArgRange::read(own.start.min(16)..own.end.min(16)), ArgRange::both(own)]
}

#[flash::kernel(part_by = few)]
fn first_ones(x: &[u64], y: &mut [u64]) {
    let i = global_id(0);
    if y[i] < 16 {
        y[i] = x[i];
    }
}

#[test]
fn a_function_may_know_more_than_the_indices_say() {
    let (rt, sim) = open(&[1, 1]);
    let x = Buffer::from(vec![500_u64; 64]);
    let mut y = Buffer::from((0..64).collect::<Vec<u64>>());
    rt.submit(first_ones(&x, &mut y).partitions(2)).exec([64]).unwrap();
    let wanted: Vec<u64> = (0..64).map(|i| if i < 16 { 500 } else { i }).collect();
    assert_eq!((sim.counts().launches, y.to_vec().unwrap()), (2, wanted));
}

/// All rows, whichever is written in the phase.
fn columns(items: &[Range<u64>]) -> Given {
    vec![ArgRange::write((.., items[0].clone()))]
}

#[flash::kernel(group_by(y), part_by = columns)]
fn rows_in_turn(#[out] y: ViewMut<'_, u64, 2>) {
    let (i, j) = (global_id(0), global_id(1));
    y[[j, i]] = (100 * j + i) as u64;
}

#[test]
fn what_counts_as_written_and_is_not_is_there() {
    let (w, h) = (8, 3);
    let wanted: Vec<u64> = (0..h).flat_map(|j| (0..w).map(move |i| (100 * j + i) as u64)).collect();
    let run = |fault| {
        let (rt, sim) = open(&[1, 1]);
        let mut y = Buffer::<u64, 2>::filled([h, w], 7);
        let mut p = rt.pipeline();
        p.push(rows_in_turn(&mut y).partitions(2).over([w, h]));
        let (result, _) = faults::exec(&mut p, &sim, fault);
        let all = result.and_then(|_| y.to_vec());
        (all, faults::losses(&sim, 2))
    };
    let (all, losses) = run(None);
    assert_eq!(all.unwrap(), wanted);
    let mut failed = 0;
    for fault in losses {
        match run(Some(fault)).0 {
            Ok(all) => assert_eq!(all, wanted, "{fault:?}"),
            Err(error) => {
                faults::assert_typed(&error, fault);
                failed += 1;
            }
        }
    }
    assert!(failed > 0, "rows of a device that is lost are gone with it");
}
