//! Launches that could be split and are not: where nothing would be gained, where their parts would get
//! into each other's way; and that `explain()` says why.

use std::sync::Arc;
use std::time::Duration;

use flash::Call;
use flash::prelude::*;
use flash_rt::sim::{Config, Link, Sim, Speed};

use super::open;

#[flash::kernel(part_by)]
fn scale(a: u64, x: &[u64], #[out] y: &mut [u64]) {
    let i = global_id(0);
    y[i] = a * x[i] + i as u64;
}

/// Where an element goes depends on data.
#[flash::kernel(part_by)]
fn permuted(to: &[u32], x: &[u64], y: &mut [u64]) {
    let i = global_id(0);
    // SAFETY: `to` is a permutation.
    unsafe { y[to[i] as usize] = x[i] };
}

#[flash::kernel(part_by)]
fn counted(x: &[u64], n: &[Atomic<u64>]) {
    let _ = n[(x[global_id(0)] % 2) as usize].fetch_add(1);
}

#[flash::kernel(part_by)]
fn total(x: View<'_, u64, 2>, #[reduce(+)] s: &mut u64) {
    *s += x[[global_id(1), global_id(0)]];
}

/// Why a stage is where it is, in how many launches it has run, and when it ended.
fn how<const R: usize>(
    (rt, sim): &(Runtime, Sim),
    call: Call<'static, R>,
    space: [usize; R],
) -> (String, u64, Duration) {
    let mut p = rt.pipeline();
    p.push(call.over(space));
    let text = p.explain().unwrap().stages()[0].placed.clone().unwrap();
    let (launches, begin) = (sim.counts().launches, sim.clock().now());
    p.exec().unwrap();
    (text, sim.counts().launches - launches, sim.clock().now() - begin)
}

/// Foreign code that nobody says anything of; it is not run here.
#[flash::kernel(unsafe(cpu(path = "no/such/place.so")))]
fn foreign(x: &[u64], #[out] y: &mut [u64]);

fn scaled(n: usize) -> Call<'static, 1> {
    scale(3, &Buffer::from(vec![2_u64; n]), &mut Buffer::zeros(n))
}

#[test]
fn a_launch_is_split_where_that_gains_a_tenth() {
    // Together they take 1/(1 + s) of what the slow one takes, and the fast one 1/s.
    let n = 400_000;
    for (fast, is_split) in [(20, false), (11, false), (9, true), (5, true)] {
        let on = open(&[1, fast]);
        let (text, launches, took) = how(&on, scaled(n), [n]);
        let (alone, both) = (n as f64 / fast as f64, n as f64 / (1.0 + fast as f64));
        let found = took.as_secs_f64() * 1e6;
        if is_split {
            assert_eq!(launches, 2, "1:{fast}: {text}");
            assert!(text.starts_with("split to end at"), "{text}");
            assert!(found < both * 1.01, "{found} us in place of {both} us");
        } else {
            assert_eq!(launches, 1, "1:{fast}: {text}");
            assert!(text.contains("; whole: parts would end at"), "{text}");
            assert!((found - alone).abs() < 1.0, "{found} us in place of {alone} us");
        }
    }
}

#[test]
fn what_has_to_be_brought_counts() {
    // Each takes 1 us for an item, and 8 bytes of each have to be brought to the second one.
    let n = 100_000;
    for (bytes_per_second, sooner) in
        [(500_000, None), (2_000_000, Some(1.0 / 6.0)), (0, Some(0.5))]
    {
        let speed = Speed { items_per_second: 1_000_000, ..Speed::default() };
        let up = Link { latency: Duration::ZERO, bytes_per_second };
        let others = vec![(1, Speed { up, ..speed.clone() })];
        let sim = Sim::new(Config { devices: 2, speed, others, ..Config::default() });
        let rt = Runtime::builder().backend(Arc::new(sim.clone())).build().unwrap();
        let (text, launches, took) = how(&(rt, sim), scaled(n), [n]);
        let took = took.as_secs_f64() * 1e6 / n as f64;
        match sooner {
            None => {
                assert!(text.contains("; whole: parts would end at"), "{text}");
                assert_eq!((launches, took), (1, 1.0));
            }
            Some(sooner) => {
                assert_eq!(launches, 2, "{text}");
                assert!((took - (1.0 - sooner)).abs() < 0.002, "{took} of it: {text}");
            }
        }
    }
}

#[test]
fn a_launch_is_split_where_it_lasts_a_millisecond() {
    // 4 items a microsecond on the fast one.
    for (n, is_split) in [(400, false), (3_990, false), (4_000, true), (4_100, true)] {
        let (text, launches, _) = how(&open(&[3, 4]), scaled(n), [n]);
        assert_eq!(launches, if is_split { 2 } else { 1 }, "{n}: {text}");
        let why = format!("; whole: it takes {:?}, and what", Duration::from_nanos(250 * n as u64));
        assert_eq!(text.contains(&why), !is_split, "{n}: {text}");
    }
}

#[test]
fn foreign_code_of_which_nothing_is_said_stays_whole() {
    let rt = Runtime::builder().devices("ALL_CPU").threads(2).build().unwrap();
    let (x, mut y) = (Buffer::from(vec![2_u64; 64]), Buffer::<u64>::zeros(64));
    let mut p = rt.pipeline();
    p.push(foreign(&x, &mut y).partitions(2).over([64]));
    let text = p.explain().unwrap().to_string();
    assert!(text.contains("whole: there is no body to tell what a part needs"), "{text}");
    assert!(text.contains("`part_by = f`"), "{text}");
}

#[test]
fn explain_says_why_a_launch_stays_whole() {
    let n = 10_000;
    let on = open(&[1, 1]);
    let to = Buffer::from((0..n as u32).rev().collect::<Vec<_>>());
    let (x, mut y) = (Buffer::from(vec![2_u64; n]), Buffer::<u64>::zeros(n));
    let mut cells = Buffer::<u64>::zeros(2);
    let mut sum = Var::new(0);
    for (call, why) in [
        (permuted(&to, &x, &mut y), "same elements of `y`"),
        (permuted(&to, &x, &mut y).partitions(2), "same elements of `y`"),
        (permuted(&to, &x, &mut y).shares([1.0, 2.0]), "same elements of `y`"),
        (counted(&x, &mut cells).partitions(2), "share `n`"),
        (scale(3, &x, &mut y).partitions(1), "one partition, as told"),
        (scale(3, &x, &mut y).pin(1), "no device but sim:1"),
        (scale(3, &x, &mut y).partitions(n + 1), "as long as there are parts"),
    ] {
        let name = call.kernel().name;
        let (text, launches, _) = how(&on, call, [n]);
        assert!(text.contains("whole: ") && text.contains(why), "{name}: {text}");
        assert_eq!(launches, 1, "{name}: {text}");
    }
    let image = Buffer::<u64, 2>::filled([3, n], 2);
    let call = total(&image, &mut sum).group_by(1).partitions(2);
    let (text, launches, _) = how(&on, call, [n, 3]);
    assert!(text.contains("whole: it reduces"), "{text}");
    assert_eq!((launches, sum.get().unwrap()), (3, 6 * n as u64));
}

/// Many phases of an item each come before the one that has two parts, which is what runs.
#[test]
fn explain_knows_of_a_phase_far_behind_that_is_split() {
    let n = 10_000;
    let on = open(&[1, 1]);
    let (x, mut y) = (Buffer::from(vec![2_u64; n]), Buffer::<u64>::zeros(n));
    let call = scale(3, &x, &mut y).partitions(2);
    let call = (0..40).fold(call, |call, id| call.group_by_value(0, id));
    let (text, launches, _) = how(&on, call, [n]);
    assert!(!text.contains("whole: "), "{text}");
    assert_eq!(launches, 42);
}
