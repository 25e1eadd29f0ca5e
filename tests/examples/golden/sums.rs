//! Sums that are exact in any order, of which the closed form is known, and of numbers that are drawn.

use super::super::*;

fn tree_sum_values(rt: &Runtime) {
    for n in [0, 1, 2, 3, 64, 65, 1_000, 5_000] {
        let x: Vec<f32> = (1..=n).map(|i| i as f32).collect();
        let sum = succeed(tree_sum::tree_sum(rt, &x));
        assert_eq!(sum, (n * (n + 1) / 2) as f32, "{n} elements");
    }
    // One by one it is 2^24, as 2^24 + 1 is no `f32`.
    let x = vec![1.0; (1 << 24) + 2];
    if rt.devices()[0].space().is_none() {
        assert_eq!(x.iter().sum::<f32>(), 16_777_216.0);
        assert_eq!(succeed(tree_sum::tree_sum(rt, &x)), 16_777_218.0);
    }
}

#[test]
fn tree_sum_cpu() {
    policies(CPU).iter().for_each(tree_sum_values);
}

#[test]
fn tree_sum_opencl() {
    on_opencl().iter().for_each(tree_sum_values);
}

#[test]
fn tree_sum_sim() {
    policies(SIM).iter().for_each(tree_sum_values);
    by_entries().iter().for_each(tree_sum_values);
}

#[test]
fn tree_sum_cuda() {
    on_cuda(tree_sum_values);
}

#[test]
fn tree_sum_seeds() {
    on_fresh_seeds(|rt, seed| {
        let x = tree_sum::prices(1 + seed as usize % 500, seed);
        succeed(tree_sum::compare(&x, succeed(tree_sum::tree_sum(rt, &x))));
    });
}
