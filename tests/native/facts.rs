//! What a kernel in C knows of its items, against the same kernel as a body.

use std::ops::Range;
use std::sync::OnceLock;

use flash::prelude::*;
use flash::{ArgRange, Call, CountBy, Error};
use proptest::prelude::*;

use crate::library;

const SOURCE: &str = r#"
FLASH_KERNEL(facts, "value u64, io u64[3], out u64[3]") {
    uint64_t k = FLASH_VALUE(0, uint64_t);
    uint64_t *at = FLASH_POINTER(1, uint64_t), *sizes = FLASH_POINTER(2, uint64_t);
    const int64_t *by = args[1].as.array.stride;
    FLASH_ITEMS {
        uint64_t x = global_id(0), y = global_id(1), z = global_id(2);
        uint64_t here = z * by[0] + y * by[1] + x;
        at[here] = at[here] * 3 + k + 10 * x + 100 * y + 1000 * z + 7 * phase() + 100000 * partition();
        sizes[here] = global_size(0) + 100 * global_size(1) + 10000 * global_size(2);
    }
}
FLASH_KERNEL(smoothed, "in u64[1], out u64[1]") {
    const uint64_t *x = FLASH_POINTER(0, const uint64_t);
    uint64_t *y = FLASH_POINTER(1, uint64_t), n = FLASH_LENGTH(0);
    FLASH_ITEMS {
        uint64_t i = global_id(0);
        y[i] = x[i] + (i > 0 ? x[i - 1] : 0) + (i + 1 < n ? x[i + 1] : 0) + partition();
    }
}
FLASH_KERNEL(added, "in u64[1], reduce u64") {
    const uint64_t *x = FLASH_POINTER(0, const uint64_t);
    uint64_t sum = 0;
    FLASH_ITEMS { sum += x[global_id(0)] * (phase() + 1) + global_id(1); }
    FLASH_POINTER(1, uint64_t)[block->partial] = sum;
}
FLASH_KERNEL(wide, "io u32[1]") {
    uint32_t *x = FLASH_POINTER(0, uint32_t);
    FLASH_ITEMS {
        uint64_t at = 0;
        for (int d = 4; d >= 0; d--) at = at * global_size(d) + global_id(d);
        x[at] += 1 + (uint32_t)at;
    }
}
"#;

/// What the items of a block own.
fn own(items: &[Range<u64>]) -> Vec<ArgRange> {
    let own = || [items[2].clone(), items[1].clone(), items[0].clone()];
    vec![ArgRange::both(own()), ArgRange::both(own())]
}

#[flash::kernel(rank = 3, part_by = own)]
fn facts(k: u64, at: ViewMut<'_, u64, 3>, #[out] sizes: ViewMut<'_, u64, 3>);

#[flash::kernel(part_by)]
fn facts_in_rust(k: u64, at: ViewMut<'_, u64, 3>, #[out(partial)] sizes: ViewMut<'_, u64, 3>) {
    let (x, y, z) = (global_id(0), global_id(1), global_id(2));
    let all = 10 * x + 100 * y + 1000 * z + 7 * phase() + 100_000 * partition();
    at[[z, y, x]] = at[[z, y, x]] * 3 + k + all as u64;
    sizes[[z, y, x]] = (global_size(0) + 100 * global_size(1) + 10_000 * global_size(2)) as u64;
}

fn around(items: &[Range<u64>]) -> Vec<ArgRange> {
    let own = items[0].clone();
    let halo = own.start.saturating_sub(1)..own.end + 1;
    vec![ArgRange::read(halo).clipped(), ArgRange::write(own)]
}

#[flash::kernel(part_by = around)]
fn smoothed(x: &[u64], #[out] y: &mut [u64]);

#[flash::kernel(rank = 2)]
fn added(x: &[u64], #[reduce(+)] s: &mut u64);

#[flash::kernel(rank = 5)]
fn wide(x: &mut [u32]);

/// Whether there are kernels in C, all of them registered then.
fn ready() -> bool {
    static READY: OnceLock<bool> = OnceLock::new();
    *READY.get_or_init(|| {
        let Some(path) = library("facts", SOURCE) else { return false };
        for name in ["facts", "smoothed", "added", "wide"] {
            // SAFETY: the functions have the parameters of the declarations, and write what the
            // items of their block own.
            unsafe { flash::cpu::register(&format!("native::facts::{name}"), &path, name) };
        }
        true
    })
}

fn runtime(threads: usize) -> Runtime {
    Runtime::builder().devices("ALL_CPU").threads(threads).build().unwrap()
}

fn dimension() -> impl Strategy<Value = CountBy> {
    let list = proptest::sample::subsequence((0..9_usize).collect::<Vec<_>>(), 0..7);
    prop_oneof![
        (1_usize..9).prop_map(CountBy::count),
        (1_usize..9).prop_map(|n| CountBy::count(n).descending()),
        (1_usize..9).prop_map(|n| CountBy::powers(2, n)),
        (1_usize..9).prop_map(CountBy::strided_reduce),
        list.prop_shuffle().prop_map(CountBy::list),
    ]
}

type Field = Buffer<u64, 3>;

/// How a launch is ordered and cut.
#[derive(Clone, Debug)]
struct How {
    keys: Vec<usize>,
    groups: Vec<(usize, Option<u64>)>,
    parts: usize,
}

impl How {
    fn of<'a>(&self, call: Call<'a, 3>) -> Call<'a, 3> {
        let call = call.sort_by(self.keys.clone()).partitions(self.parts);
        self.groups.iter().fold(call, |call, &(dim, value)| match value {
            None => call.group_by(dim),
            Some(value) => call.group_by_value(dim, value),
        })
    }
}

#[test]
fn a_kernel_in_c_knows_what_a_body_knows() {
    if !ready() {
        return;
    }
    let runtimes = [runtime(1), runtime(3)];
    let groups = proptest::collection::vec((0_usize..3, proptest::option::of(0_u64..9)), 0..3);
    let keys = proptest::sample::subsequence(vec![0_usize, 1, 2], 0..3).prop_shuffle();
    let how =
        (keys, groups, 1_usize..5).prop_map(|(keys, groups, parts)| How { keys, groups, parts });
    let dims = proptest::collection::vec(dimension(), 3);
    let config = ProptestConfig { cases: 80, failure_persistence: None, ..Default::default() };
    proptest!(config, |(dims in dims, how in how)| {
        for rt in &runtimes {
            let space = || [dims[0].clone(), dims[1].clone(), dims[2].clone()];
            let run = |how: &How, kernel: fn(u64, &mut Field, &mut Field) -> Call<'static, 3>| {
                let fresh = || Field::filled([9, 9, 9], 1);
                let (mut at, mut sizes) = (fresh(), fresh());
                for k in 0..2 {
                    rt.submit(how.of(kernel(k, &mut at, &mut sizes))).exec(space())?;
                }
                Ok([at.to_vec()?, sizes.to_vec()?])
            };
            let mut how = how.clone();
            // Ids in no order: the boxes around those of two parts may overlap.
            if matches!(run(&how, |k, at, sizes| facts(k, at, sizes)), Err(Error::Parts { .. })) {
                how.parts = 1;
            }
            let found = run(&how, |k, at, sizes| facts(k, at, sizes)).unwrap();
            prop_assert_eq!(found, run(&how, |k, at, sizes| facts_in_rust(k, at, sizes)).unwrap());
        }
    });
}

#[test]
fn indices_of_a_part_are_those_of_the_whole() {
    if !ready() {
        return;
    }
    let n = 1_000;
    let x: Vec<u64> = (0..n).map(|i| i * i % 97).collect();
    let at = |i: u64| if i < n { x[i as usize] } else { 0 };
    let input = Buffer::from(x.clone());
    for parts in [1, 2, 7] {
        let mut y = Buffer::<u64>::zeros(n as usize);
        runtime(2).submit(smoothed(&input, &mut y).partitions(parts)).exec([n as usize]).unwrap();
        let mut found = y.to_vec().unwrap();
        let mut number = 0;
        for (i, found) in (0..n).zip(&mut found) {
            let sum = at(i) + at(i.wrapping_sub(1)) + at(i + 1);
            assert!(*found >= sum, "{parts} parts, item {i}");
            *found -= sum;
            assert!((number..=number + 1).contains(found), "{parts} parts, item {i}: {found}");
            number = *found;
        }
        assert_eq!(number, parts as u64 - 1, "{parts} parts");
    }
}

#[test]
fn sums_in_c_go_through_all_phases() {
    if !ready() {
        return;
    }
    let n = 5_000;
    let x: Vec<u64> = (0..n).map(|i| i % 11).collect();
    let (input, all) = (Buffer::from(x.clone()), x.iter().sum::<u64>());
    for threads in [1, 3] {
        let rt = runtime(threads);
        let mut s = Var::new(0_u64);
        rt.submit(added(&input, &mut s)).exec([n as usize, 4]).unwrap();
        assert_eq!(s.get().unwrap(), 4 * all + 6 * n);
        rt.submit(added(&input, &mut s).group_by(1)).exec([n as usize, 4]).unwrap();
        assert_eq!(s.get().unwrap(), 10 * all + 6 * n);
        let ids = CountBy::list([5, 2, 9]);
        rt.submit(added(&input, &mut s).sort_by([1])).exec((n as usize, ids)).unwrap();
        assert_eq!(s.get().unwrap(), 6 * all + 16 * n);
    }
}

#[test]
fn items_of_rank_five() {
    if !ready() {
        return;
    }
    for (threads, shape) in [(1, [3, 1, 4, 2, 5]), (3, [40, 2, 3, 1, 7]), (2, [2, 0, 3, 1, 1])] {
        let n: usize = shape.iter().product();
        let mut x = Buffer::<u32>::zeros(n.max(1));
        runtime(threads).submit(wide(&mut x)).exec(shape).unwrap();
        let wanted: Vec<u32> = (0..n as u32).map(|at| 1 + at).collect();
        assert_eq!(x.to_vec().unwrap()[..n], wanted);
    }
}
