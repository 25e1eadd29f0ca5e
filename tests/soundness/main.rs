//! What a safe program may try, on the CPU and on a device with its own memory: each ends with the
//! right result or a typed error, and the runtime goes on after it.
#![allow(
    clippy::print_stdout,
    clippy::unwrap_used,
    reason = "a test says where it is and fails by unwrapping"
)]

use flash::prelude::*;

mod arrays;
mod holds;
mod items;

/// Enough items for several blocks.
const MANY: u32 = if cfg!(miri) { 500 } else { 100_000 };
/// Items of a small launch.
const SOME: usize = if cfg!(miri) { 30 } else { 1_000 };

#[flash::kernel(inputs = 1)]
fn copy(x: &[u32], #[out] y: &mut [u32]) {
    let i = global_id(0);
    y[i] = x[i];
}

#[flash::kernel(inputs = 2)]
fn add(k: u32, x: &[u32], y: &mut [u32]) {
    let i = global_id(0);
    y[i] = y[i] + x[i] + k;
}

#[flash::kernel]
fn double(y: &mut [u32]) {
    let i = global_id(0);
    y[i] = 2 * y[i];
}

#[flash::kernel]
fn copy_matrix(x: View<'_, u32, 2>, y: ViewMut<'_, u32, 2>) {
    let (j, i) = (global_id(1), global_id(0));
    y[[j, i]] = x[[j, i]];
}

/// Of rank 2, though dimension 0 stands nowhere.
#[flash::kernel]
fn first_of_rows(x: View<'_, u32, 2>, y: &mut [u32]) {
    let j = global_id(1);
    y[j] = y[j] + x[[j, 0]];
}

#[flash::kernel(inputs = 1)]
fn divide(x: &[u32], #[out] y: &mut [u32]) {
    let i = global_id(0);
    y[i] = 1000 / x[i];
}

#[flash::kernel(inputs = 2)]
fn scatter(to: &[u32], x: &[u32], y: &mut [u32]) {
    let i = global_id(0);
    // SAFETY: the callers pass a permutation of the index space.
    unsafe {
        y[to[i] as usize] = x[i];
    }
}

#[flash::kernel(inputs = 2)]
fn gather(from: &[u32], x: &[u32], #[out] y: &mut [u32]) {
    let i = global_id(0);
    y[i] = x[from[i] as usize];
}

#[flash::kernel(inputs = 1)]
fn even_only(x: &[u32], #[out] y: &mut [u32]) {
    let i = global_id(0);
    if x[i] % 2 == 0 {
        y[i] = x[i];
    }
}

#[flash::kernel]
fn total(x: &[u32], #[reduce(+)] sum: &mut u32) {
    *sum += x[global_id(0)];
}

#[flash::host_task]
fn first(row: &[u32]) {
    assert!(!row.is_empty());
}

/// Runs a program on both devices.
fn on_both(program: impl Fn(&Runtime)) {
    for key in ["ALL_CPU", "SIM"] {
        println!("on {key}");
        program(&Runtime::open(key).unwrap());
    }
}

fn numbers(n: u32) -> Vec<u32> {
    (1..=n).collect()
}

/// The runtime still computes, after whatever went wrong.
#[track_caller]
fn assert_works(rt: &Runtime) {
    let x = Buffer::from(numbers(SOME as u32));
    let mut y = Buffer::zeros(SOME);
    rt.submit(copy(&x, &mut y)).exec([SOME]).unwrap();
    assert_eq!(y.to_vec().unwrap(), numbers(SOME as u32));
}
