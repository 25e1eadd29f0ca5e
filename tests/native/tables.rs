//! Tables of indices, `ind[d][item]` and `ind[item][d]`: row by row what arithmetic says, in whole
//! launches, in phases and in parts.

use std::cell::Cell;
use std::ops::Range;
use std::sync::OnceLock;

use flash::prelude::*;
use flash::{ArgRange, Call, CountBy, Error};
use proptest::prelude::*;

use crate::library;

/// Each kernel notes every row: at the place of its item, and in the order of the rows.
const SOURCE: &str = r#"
#define NOTE(x, y, z)                                                                  \
    {                                                                                  \
        uint64_t here = (z) * by[0] + (y) * by[1] + (x);                               \
        at[here] = at[here] * 3 + 1 + (x) + 10 * (y) + 100 * (z) + 7 * phase()         \
            + 100000 * partition();                                                    \
    }
#define HEAD                                                                           \
    uint64_t *at = FLASH_POINTER(0, uint64_t);                                         \
    const int64_t *by = args[0].as.array.stride;

FLASH_KERNEL(columns, "io u64[3]") {
    HEAD
    const uint32_t *const *ind = FLASH_TABLE(uint32_t);
    if (block->index_bytes != 4 || block->by_item) return;
    for (uint64_t item = 0; item < block->n_items; item++)
        NOTE(ind[0][item], ind[1][item], ind[2][item])
}
FLASH_KERNEL(wide_columns, "io u64[3]") {
    HEAD
    const uint64_t *const *ind = FLASH_TABLE(uint64_t);
    if (block->index_bytes != 8 || block->by_item) return;
    for (uint64_t item = 0; item < block->n_items; item++)
        NOTE(ind[0][item], ind[1][item], ind[2][item])
}
FLASH_KERNEL(rows, "io u64[3]") {
    HEAD
    const uint32_t(*ind)[3] = FLASH_TABLE_OF_ITEMS(uint32_t, 3);
    if (block->index_bytes != 4 || !block->by_item) return;
    for (uint64_t item = 0; item < block->n_items; item++)
        NOTE(ind[item][0], ind[item][1], ind[item][2])
}
FLASH_KERNEL(wide_rows, "io u64[3]") {
    HEAD
    if (block->index_bytes != 8 || !block->by_item) return;
    for (uint64_t item = 0; item < block->n_items; item++)
        NOTE(flash_index(block, 0, item), flash_index(block, 1, item), flash_index(block, 2, item))
}
FLASH_KERNEL(listed, "io u64[1], io u64[2]") {
    uint64_t *end = FLASH_POINTER(0, uint64_t), *rows = FLASH_POINTER(1, uint64_t);
    uint64_t first = __atomic_fetch_add(end, block->n_items, __ATOMIC_RELAXED);
    for (uint64_t item = 0; item < block->n_items; item++)
        for (uint32_t d = 0; d < block->rank; d++) {
            uint64_t id = flash_index(block, d, item);
            rows[(first + item) * 4 + d] = id;
            // The box is around the items.
            if (id < block->lo[d] || id >= block->hi[d]) rows[(first + item) * 4 + d] = 77777;
        }
}
FLASH_KERNEL(summed, "in u64[1], reduce u64") {
    const uint64_t *x = FLASH_POINTER(0, const uint64_t);
    uint64_t sum = 0;
    for (uint64_t item = 0; item < block->n_items; item++)
        sum += x[flash_index(block, 0, item)] * (1 + flash_index(block, 1, item));
    FLASH_POINTER(1, uint64_t)[block->partial] = sum;
}
"#;

fn own(items: &[Range<u64>]) -> Vec<ArgRange> {
    vec![ArgRange::both([items[2].clone(), items[1].clone(), items[0].clone()])]
}

#[flash::kernel(part_by = own, index_table)]
fn columns(at: ViewMut<'_, u64, 3>);

#[flash::kernel(part_by = own, index_table(u64, dimensions))]
fn wide_columns(at: ViewMut<'_, u64, 3>);

#[flash::kernel(part_by = own, index_table(items, u32))]
fn rows(at: ViewMut<'_, u64, 3>);

#[flash::kernel(part_by = own, index_table(items, u64))]
fn wide_rows(at: ViewMut<'_, u64, 3>);

/// What the four do, by the ids of a body.
#[flash::kernel(part_by)]
fn in_rust(at: ViewMut<'_, u64, 3>) {
    let (x, y, z) = (global_id(0), global_id(1), global_id(2));
    let all = 1 + x + 10 * y + 100 * z + 7 * phase() + 100_000 * partition();
    at[[z, y, x]] = at[[z, y, x]] * 3 + all as u64;
}

#[flash::kernel(rank = 4, index_table)]
fn listed(end: &mut [u64], rows: ViewMut<'_, u64, 2>);

#[flash::kernel(rank = 2, index_table(items))]
fn summed(x: &[u64], #[reduce(+)] s: &mut u64);

fn ready() -> bool {
    static READY: OnceLock<bool> = OnceLock::new();
    *READY.get_or_init(|| {
        let Some(path) = library("tables", SOURCE) else { return false };
        for name in ["columns", "wide_columns", "rows", "wide_rows", "listed", "summed"] {
            // SAFETY: the functions have the parameters of the declarations, and write what the
            // items of their table own.
            unsafe { flash::cpu::register(&format!("native::tables::{name}"), &path, name) };
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

#[test]
fn every_row_is_what_a_body_has() {
    if !ready() {
        return;
    }
    let runtimes = [runtime(1), runtime(3)];
    let groups = proptest::collection::vec((0_usize..3, proptest::option::of(0_u64..9)), 0..3);
    let keys = proptest::sample::subsequence(vec![0_usize, 1, 2], 0..3).prop_shuffle();
    let dims = proptest::collection::vec(dimension(), 3);
    let config = ProptestConfig { cases: 60, failure_persistence: None, ..Default::default() };
    let in_parts = Cell::new(0);
    proptest!(config, |(dims in dims, keys in keys, groups in groups, parts in 1_usize..5)| {
        let run = |rt: &Runtime, kernel: fn(&mut Buffer<u64, 3>) -> Call<'static, 3>, parts| {
            let mut at = Buffer::<u64, 3>::filled([9, 9, 9], 1);
            let mut call = kernel(&mut at).sort_by(keys.clone()).partitions(parts);
            for &(dim, value) in &groups {
                call = match value {
                    None => call.group_by(dim),
                    Some(value) => call.group_by_value(dim, value),
                };
            }
            rt.submit(call).exec([dims[0].clone(), dims[1].clone(), dims[2].clone()])?;
            at.to_vec()
        };
        for rt in &runtimes {
            let mut parts = parts;
            // Ids in no order: the boxes around those of two parts may overlap.
            if matches!(run(rt, |at| columns(at), parts), Err(Error::Parts { .. })) {
                parts = 1;
            }
            let wanted = run(rt, |at| in_rust(at), parts).unwrap();
            if wanted != run(rt, |at| in_rust(at), 1).unwrap() {
                in_parts.set(in_parts.get() + 1);
            }
            prop_assert_eq!(&run(rt, |at| columns(at), parts).unwrap(), &wanted);
            prop_assert_eq!(&run(rt, |at| wide_columns(at), parts).unwrap(), &wanted);
            prop_assert_eq!(&run(rt, |at| rows(at), parts).unwrap(), &wanted);
            prop_assert_eq!(&run(rt, |at| wide_rows(at), parts).unwrap(), &wanted);
        }
    });
    let in_parts = in_parts.get();
    assert!(in_parts >= 2 * 60 / 8, "only {in_parts} runs were cut in parts");
}

#[test]
fn rows_are_the_formula_in_its_order() {
    if !ready() {
        return;
    }
    let dims = proptest::collection::vec(dimension(), 4);
    let config = ProptestConfig { cases: 60, failure_persistence: None, ..Default::default() };
    proptest!(config, |(dims in dims, threads in 1_usize..4)| {
        let ids: Vec<Vec<usize>> = dims.iter().map(|dim| dim.ids().unwrap()).collect();
        let n: usize = ids.iter().map(Vec::len).product();
        // Item L has in dimension d the id number L / (the product of the extents below) mod extent.
        let mut wanted: Vec<[u64; 4]> = (0..n)
            .map(|item| {
                let below = |d: usize| ids[..d].iter().map(Vec::len).product::<usize>();
                std::array::from_fn(|d| ids[d][item / below(d) % ids[d].len()] as u64)
            })
            .collect();
        let (mut end, mut rows) = (Buffer::<u64>::zeros(1), Buffer::<u64, 2>::zeros([n.max(1), 4]));
        let space: [CountBy; 4] = std::array::from_fn(|d| dims[d].clone());
        runtime(threads).submit(listed(&mut end, &mut rows)).exec(space).unwrap();
        prop_assert_eq!(end.get(0).unwrap(), n as u64);
        let found = rows.to_vec().unwrap();
        let mut found: Vec<[u64; 4]> = found.chunks(4).map(|row| row.try_into().unwrap()).collect();
        found.truncate(n);
        if threads > 1 {
            // Which thread comes first nobody knows.
            found.sort_unstable();
            wanted.sort_unstable();
        }
        prop_assert_eq!(found, wanted);
    });
}

#[test]
fn tables_of_many_items_and_of_sums() {
    if !ready() {
        return;
    }
    let n = 30_000;
    let x: Vec<u64> = (0..n).map(|i| i % 13).collect();
    let (input, all) = (Buffer::from(x.clone()), x.iter().sum::<u64>());
    for threads in [1, 3] {
        let rt = runtime(threads);
        let mut s = Var::new(0_u64);
        rt.submit(summed(&input, &mut s)).exec([n as usize, 3]).unwrap();
        assert_eq!(s.get().unwrap(), 6 * all, "{threads} threads");
        let ids = CountBy::list([5, 0, 2]);
        rt.submit(summed(&input, &mut s).group_by(1)).exec((n as usize, ids)).unwrap();
        assert_eq!(s.get().unwrap(), 10 * all, "{threads} threads");
        let (mut end, mut rows) = (Buffer::<u64>::zeros(1), Buffer::<u64, 2>::zeros([90_000, 4]));
        rt.submit(listed(&mut end, &mut rows)).exec([300, 2, 1, 150]).unwrap();
        let mut found: Vec<u64> =
            rows.to_vec().unwrap().chunks(4).map(|r| r[0] + 300 * (r[1] + 2 * r[3])).collect();
        found.sort_unstable();
        assert_eq!(found, (0..90_000).collect::<Vec<_>>(), "{threads} threads");
    }
}

/// Where a declaration does not say how wide they are.
#[test]
fn ids_are_as_wide_as_they_have_to_be() {
    if !ready() {
        return;
    }
    for most in [u64::from(u32::MAX), 1 << 32, 1 << 40] {
        let (mut end, mut rows) = (Buffer::<u64>::zeros(1), Buffer::<u64, 2>::zeros([4, 4]));
        let ids = (CountBy::list([5, most as usize]), 1, 2, 1);
        runtime(1).submit(listed(&mut end, &mut rows)).exec(ids).unwrap();
        let wanted = [[5, 0, 0, 0], [most, 0, 0, 0], [5, 0, 1, 0], [most, 0, 1, 0]];
        assert_eq!(rows.to_vec().unwrap(), wanted.concat());
    }
}

#[test]
fn ids_that_do_not_fit_are_refused() {
    if !ready() {
        return;
    }
    let rt = runtime(1);
    let mut at = Buffer::<u64, 3>::filled([1, 1, 1], 1);
    let far = || (CountBy::list([1 << 32]), 0, 1);
    let error = rt.submit(rows(&mut at)).exec((CountBy::list([1 << 32]), 1, 1)).unwrap_err();
    assert!(matches!(error, Error::NoImplementation { .. }), "{error}");
    assert!(error.to_string().contains("index_table(u64)"), "{error}");
    // Nothing is read of a table without rows.
    rt.submit(wide_rows(&mut at)).exec(far()).unwrap();
    assert_eq!(at.to_vec().unwrap(), [1]);
}
