//! Work-groups of native code are those that a call or a declaration asks for, and a border of parts never
//! cuts one of them.

use std::ops::Range;

use flash::ArgRange;
use flash::prelude::*;
use flash_tests::opencl;

use crate::{again, is_again};

const SOURCE: &str = "
    kernel void tripled(global uint *x) {
        x[get_global_id(0)] = 3 * x[get_global_id(0)] + 1000000 * get_local_size(0);
    }
    kernel void guarded(global uint *x, const ulong n) {
        if (get_global_id(0) < n)
            x[get_global_id(0)] = 3 * x[get_global_id(0)] + 1000000 * get_local_size(0);
    }
    kernel void counted(global uint *x, const ulong n) {
        if (get_global_id(0) < n)
            x[get_global_id(0)] = 1000 * get_num_groups(0) + get_local_size(0);
    }
    kernel void counted_in_plane(global uint *x) {
        const size_t i = get_global_id(0), j = get_global_id(1);
        x[j * 12 + i] = 1000000 * get_num_groups(1) + 10000 * get_local_size(1)
            + 100 * get_num_groups(0) + get_local_size(0);
    }
    kernel __attribute__((reqd_work_group_size(32, 1, 1))) void required(global uint *x) {
        x[get_global_id(0)] = 3 * x[get_global_id(0)] + 1000000 * get_local_size(0);
    }
";

fn own(items: &[Range<u64>]) -> Vec<ArgRange> {
    vec![ArgRange::write(items[0].clone())]
}

#[flash::kernel(part_by = own, unsafe(opencl(source = SOURCE, block(64))))]
fn tripled(x: &mut [u32]);

#[flash::kernel(part_by = own, unsafe(opencl(source = SOURCE, args(x, n = x.len()), block(64), guarded)))]
fn guarded(x: &mut [u32]);

#[flash::kernel(part_by = own, unsafe(opencl(source = SOURCE)))]
fn required(x: &mut [u32]);

#[flash::kernel(unsafe(opencl(source = SOURCE, args(x, n = x.len()), guarded)))]
fn counted(x: &mut [u32]);

#[flash::kernel(unsafe(opencl(source = SOURCE, entry = "counted", args(x, n = x.len()), block(32), grid(6), guarded)))]
fn counted_as_declared(x: &mut [u32]);

#[flash::kernel(unsafe(opencl(source = SOURCE, entry = "counted", args(x, n = x.len()))))]
fn counted_exactly(x: &mut [u32]);

#[flash::kernel(rank = 2, unsafe(opencl(source = SOURCE)))]
fn counted_in_plane(x: &mut [u32]);

/// What a call asks for comes before what is declared.
#[test]
fn groups_and_grids_are_those_asked_for() {
    let Some(rt) = opencl() else { return };
    let mut x = Buffer::from(vec![0_u32; 100]);
    let mut run = |call: &dyn Fn(&mut Buffer<u32>) -> flash::Call<'static, 1>| {
        rt.submit(call(&mut x)).exec([100]).map(|_| x.to_vec().unwrap())
    };
    assert_eq!(run(&|x| counted(x).grid([5]).block([32])).unwrap(), [5_032; 100]);
    assert_eq!(run(&|x| counted(x).block([16])).unwrap(), [7_016; 100]);
    assert_eq!(run(&|x| counted_as_declared(x)).unwrap(), [6_032; 100]);
    assert_eq!(run(&|x| counted_as_declared(x).grid([9])).unwrap(), [9_032; 100]);
    assert_eq!(run(&|x| counted_as_declared(x).block([64])).unwrap(), [6_064; 100]);
    assert_eq!(run(&|x| counted_exactly(x).grid([4]).block([25])).unwrap(), [4_025; 100]);
    for (done, words) in [
        (run(&|x| counted_exactly(x).grid([5]).block([32])), "groups of 32 make 160"),
        (run(&|x| counted(x).grid([3]).block([32])), "3 groups of 32 items"),
        (run(&|x| counted(x).grid([4])), "a grid of [4] and no block"),
    ] {
        let said = done.unwrap_err().to_string();
        assert!(said.contains(words), "no {words:?} in {said}");
    }
    let mut plane = Buffer::from(vec![0_u32; 12 * 8]);
    let call = counted_in_plane(&mut plane).grid([3, 4]).block([4, 2]);
    rt.submit(call).exec([12, 8]).unwrap();
    assert_eq!(plane.to_vec().unwrap(), [4_020_304; 12 * 8]);
}

type Kernel = fn(&mut Buffer<u32>) -> flash::Call<'static, 1>;

#[test]
fn parts_are_whole_groups() {
    if !is_again() {
        if opencl().is_some() {
            again("groups::parts_are_whole_groups", &[("POCL_DEVICES", "pthread pthread")], None);
        }
        return;
    }
    let rt = Runtime::open("OPENCL").unwrap();
    assert_eq!(rt.devices().len(), 2);
    let (tripled, guarded): (Kernel, Kernel) = (|x| tripled(x), |x| guarded(x));
    // Shares of 1 and 2 would be cut at 85 of 256.
    let cases: [(Kernel, usize, Option<usize>, bool); 7] = [
        (tripled, 256, None, true),
        (guarded, 250, None, true),
        (guarded, 65, None, true),
        (tripled, 960, Some(80), true),
        (guarded, 1_001, Some(48), true),
        (tripled, 64, None, false),
        (guarded, 75, Some(80), false),
    ];
    for (kernel, n, block, is_split) in cases {
        let mut x = Buffer::from((0..n as u32).collect::<Vec<_>>());
        let call = kernel(&mut x).shares([1.0, 2.0]);
        let call = match block {
            Some(block) => call.block([block]),
            None => call,
        };
        let mut p = rt.pipeline();
        p.push(call.over([n]));
        let how = p.explain().unwrap().to_string();
        let said = if is_split { "split as told" } else { "cut the work-groups of native code" };
        assert!(how.contains(said), "{n} items in groups of {block:?}: {how}");
        p.exec().unwrap_or_else(|error| panic!("{n} items in groups of {block:?}: {error}"));
        drop(p);
        let group = block.unwrap_or(64) as u32;
        let expected: Vec<u32> = (0..n as u32).map(|i| 3 * i + 1_000_000 * group).collect();
        assert!(x.to_vec().unwrap() == expected, "{n} items in groups of {block:?}");
    }
    // What the code requires is known where it is built: parts of 85 and 171 are refused.
    let mut x = Buffer::from((0..256).collect::<Vec<u32>>());
    let error = rt.submit(required(&mut x).shares([1.0, 2.0])).exec([256]).unwrap_err().to_string();
    assert!(error.contains("groups of 32") || error.contains("a group of 32"), "{error}");
    rt.submit(required(&mut x).shares([1.0, 3.0])).exec([256]).unwrap();
    let wrong = (0..).zip(x.to_vec().unwrap()).find(|(i, x)| *x != 3 * i + 32_000_000);
    assert_eq!(wrong, None);
}
