//! What a kernel in C knows of its items, against the same kernel as a body.

use std::sync::OnceLock;

use flash::CountBy;
use flash::prelude::*;

use crate::library;

#[path = "../shared/facts.rs"]
mod known;

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
        y[i] = x[i] + (i > 0 ? x[i - 1] : 0) + (i + 1 < n ? x[i + 1] : 0) + 1000 * partition();
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

#[flash::kernel(rank = 2)]
fn added(x: &[u64], #[reduce(+)] s: &mut u64);

#[flash::kernel(rank = 9)]
fn ninth(x: &[u64], #[reduce(+)] s: &mut u64);

/// Whether there are kernels in C, all of them registered then.
fn ready() -> bool {
    static READY: OnceLock<bool> = OnceLock::new();
    *READY.get_or_init(|| {
        let Some(path) = library("facts", SOURCE) else { return false };
        // SAFETY: it is refused, as it has more dimensions than a block.
        unsafe { flash::cpu::register("native::facts::ninth", &path, "added") };
        for (module, name) in
            [("::known", "facts"), ("::known", "smoothed"), ("", "added"), ("::known", "wide")]
        {
            // SAFETY: the functions have the parameters of the declarations, and write what the
            // items of their block own.
            unsafe { flash::cpu::register(&format!("native::facts{module}::{name}"), &path, name) };
        }
        true
    })
}

fn runtime(threads: usize) -> Runtime {
    Runtime::builder().devices("ALL_CPU").threads(threads).build().unwrap()
}

#[test]
fn a_kernel_in_c_knows_what_a_body_knows() {
    if !ready() {
        return;
    }
    for threads in [1, 3] {
        known::are_those_of_a_body(&runtime(threads), 80, &known::ALL[..1]);
    }
}

#[test]
fn indices_of_a_part_are_those_of_the_whole() {
    if !ready() {
        return;
    }
    for parts in [1, 2, 7] {
        known::are_those_of_the_whole(&runtime(2), parts);
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
    for threads in [1, 2, 3] {
        known::are_of_any_rank(&runtime(threads));
    }
}

#[test]
fn a_kernel_in_c_has_eight_dimensions_at_most() {
    if !ready() {
        return;
    }
    let (x, mut sum) = (Buffer::from(vec![1_u64; 4]), Var::new(0_u64));
    let error = runtime(1).submit(ninth(&x, &mut sum)).exec([4, 1, 1, 1, 1, 1, 1, 1, 1]);
    let text = format!("{:?}", error.unwrap_err());
    assert!(text.contains("9 dimensions, and `flash_block` of `flash.h` has 8"), "{text}");
}
