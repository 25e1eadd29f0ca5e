//! What a native kernel that is given the box of its items knows of them, against the same kernel as a body: phases, parts, lists of ids, more dimensions than a grid has. It opens no device.

use std::cell::Cell;
use std::ops::Range;

use flash::prelude::*;
use flash::{ArgRange, Call, CountBy, Error};
use proptest::prelude::*;

/// The extents of the arrays, as the kernels have them.
const SIDE: usize = 9;

/// What the items of a block own.
fn own(items: &[Range<u64>]) -> Vec<ArgRange> {
    let own = || [items[2].clone(), items[1].clone(), items[0].clone()];
    vec![ArgRange::both(own()), ArgRange::both(own())]
}

#[flash::kernel(
    rank = 3,
    part_by = own,
    unsafe(
        cuda(file = "cuda/kernels/facts.cu"),
        opencl(file = "opencl/kernels/facts.cl")
    )
)]
fn facts(k: u64, at: ViewMut<'_, u64, 3>, #[out] sizes: ViewMut<'_, u64, 3>);

#[flash::kernel(
    rank = 3,
    part_by = own,
    index_table,
    unsafe(
        cuda(file = "cuda/kernels/facts.cu"),
        opencl(file = "opencl/kernels/facts.cl")
    )
)]
fn columns(k: u64, at: ViewMut<'_, u64, 3>, #[out] sizes: ViewMut<'_, u64, 3>);

#[flash::kernel(
    rank = 3,
    part_by = own,
    index_table(u64),
    unsafe(
        cuda(file = "cuda/kernels/facts.cu"),
        opencl(file = "opencl/kernels/facts.cl")
    )
)]
fn wide_columns(k: u64, at: ViewMut<'_, u64, 3>, #[out] sizes: ViewMut<'_, u64, 3>);

#[flash::kernel(
    rank = 3,
    part_by = own,
    index_table(items, u32),
    unsafe(
        cuda(file = "cuda/kernels/facts.cu"),
        opencl(file = "opencl/kernels/facts.cl")
    )
)]
fn rows(k: u64, at: ViewMut<'_, u64, 3>, #[out] sizes: ViewMut<'_, u64, 3>);

#[flash::kernel(
    rank = 3,
    part_by = own,
    index_table(items, u64),
    unsafe(
        cuda(file = "cuda/kernels/facts.cu"),
        opencl(file = "opencl/kernels/facts.cl")
    )
)]
fn wide_rows(k: u64, at: ViewMut<'_, u64, 3>, #[out] sizes: ViewMut<'_, u64, 3>);

#[flash::kernel(part_by)]
fn facts_in_rust(k: u64, at: ViewMut<'_, u64, 3>, #[out(partial)] sizes: ViewMut<'_, u64, 3>) {
    let (x, y, z) = (global_id(0), global_id(1), global_id(2));
    let all = 10 * x + 100 * y + 1000 * z + 7 * phase() + 100_000 * partition();
    at[[z, y, x]] = at[[z, y, x]] * 3 + k + all as u64;
    sizes[[z, y, x]] = (global_size(0) + 100 * global_size(1) + 10_000 * global_size(2)) as u64;
}

pub(crate) fn around(items: &[Range<u64>]) -> Vec<ArgRange> {
    let own = items[0].clone();
    let halo = own.start.saturating_sub(1)..own.end + 1;
    vec![ArgRange::read(halo).clipped(), ArgRange::write(own)]
}

#[flash::kernel(
    part_by = around,
    unsafe(
        cuda(file = "cuda/kernels/facts.cu", args(x, n = x.len(), y)),
        opencl(file = "opencl/kernels/facts.cl", args(x, n = x.len(), y))
    )
)]
fn smoothed(x: &[u64], #[out] y: &mut [u64]);

#[flash::kernel(
    rank = 5,
    unsafe(cuda(file = "cuda/kernels/facts.cu"), opencl(file = "opencl/kernels/facts.cl"))
)]
fn wide(x: &mut [u32]);

fn dimension() -> impl Strategy<Value = CountBy> {
    let list = proptest::sample::subsequence((0..SIDE).collect::<Vec<_>>(), 0..7);
    prop_oneof![
        (1..SIDE).prop_map(CountBy::count),
        (1..SIDE).prop_map(|n| CountBy::count(n).descending()),
        (1..SIDE).prop_map(|n| CountBy::powers(2, n)),
        (1..SIDE).prop_map(CountBy::strided_reduce),
        list.prop_shuffle().prop_map(CountBy::list),
    ]
}

pub(crate) type Field = Buffer<u64, 3>;

pub(crate) type Kernel = fn(u64, &mut Field, &mut Field) -> Call<'static, 3>;

/// What does the same; those behind the first by a table.
pub(crate) const ALL: [Kernel; 5] = [
    |k, at, sizes| facts(k, at, sizes),
    |k, at, sizes| columns(k, at, sizes),
    |k, at, sizes| wide_columns(k, at, sizes),
    |k, at, sizes| rows(k, at, sizes),
    |k, at, sizes| wide_rows(k, at, sizes),
];

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

/// In so many random index spaces, ordered and cut at random.
pub(crate) fn are_those_of_a_body(rt: &Runtime, cases: u32, kernels: &[Kernel]) {
    let groups = proptest::collection::vec((0_usize..3, proptest::option::of(0_u64..9)), 0..3);
    let keys = proptest::sample::subsequence(vec![0_usize, 1, 2], 0..3).prop_shuffle();
    let how =
        (keys, groups, 1_usize..5).prop_map(|(keys, groups, parts)| How { keys, groups, parts });
    let dims = proptest::collection::vec(dimension(), 3);
    let config = ProptestConfig { cases, failure_persistence: None, ..Default::default() };
    let in_parts = Cell::new(0);
    proptest!(config, |(dims in dims, how in how)| {
        let space = || [dims[0].clone(), dims[1].clone(), dims[2].clone()];
        let run = |how: &How, kernel: Kernel| {
            let fresh = || Field::filled([SIDE, SIDE, SIDE], 1);
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
        let wanted = run(&how, |k, at, sizes| facts_in_rust(k, at, sizes)).unwrap();
        let whole = How { parts: 1, ..how.clone() };
        if wanted != run(&whole, |k, at, sizes| facts_in_rust(k, at, sizes)).unwrap() {
            in_parts.set(in_parts.get() + 1);
        }
        for kernel in kernels {
            prop_assert_eq!(&run(&how, *kernel).unwrap(), &wanted);
        }
    });
    let in_parts = in_parts.get();
    assert!(in_parts >= cases / 8, "only {in_parts} cases of {cases} were cut in parts");
}

/// Of a launch that is cut in so many parts, which read beyond their own.
pub(crate) fn are_those_of_the_whole(rt: &Runtime, parts: usize) {
    let n = 1_000;
    let x: Vec<u64> = (0..n).map(|i| i * i % 97).collect();
    let at = |i: u64| if i < n { x[i as usize] } else { 0 };
    let input = Buffer::from(x.clone());
    let mut y = Buffer::<u64>::zeros(n as usize);
    rt.submit(smoothed(&input, &mut y).partitions(parts)).exec([n as usize]).unwrap();
    let mut last = 0;
    for (i, found) in (0..n).zip(y.to_vec().unwrap()) {
        assert_eq!(found % 1000, at(i) + at(i.wrapping_sub(1)) + at(i + 1), "{parts}, {i}");
        assert!((last..=last + 1).contains(&(found / 1000)), "{parts} parts, item {i}: {found}");
        last = found / 1000;
    }
    assert_eq!(last, parts as u64 - 1, "{parts} parts");
}

/// Of an index space of more dimensions than a grid has.
pub(crate) fn are_of_any_rank(rt: &Runtime) {
    for shape in [[3, 1, 4, 2, 5], [40, 2, 3, 1, 7], [2, 0, 3, 1, 1]] {
        let n: usize = shape.iter().product();
        let mut x = Buffer::<u32>::zeros(n.max(1));
        rt.submit(wide(&mut x)).exec(shape).unwrap();
        let wanted: Vec<u32> = (0..n as u32).map(|at| 1 + at).collect();
        assert_eq!(x.to_vec().unwrap()[..n], wanted);
    }
}
