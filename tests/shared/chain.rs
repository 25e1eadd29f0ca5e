//! A pipeline of a few kernels and host tasks that overlap where there are several of it, for tests that
//! have calls of a driver fail. It asks for no device.

use flash::Runtime;
use flash::prelude::*;

/// One more than that.
#[flash::kernel]
pub fn add(x: &[u32], #[out] y: &mut [u32]) {
    let i = global_id(0);
    y[i] = x[i] + 1;
}

/// Three times as much.
#[flash::kernel]
pub fn triple(x: &mut [u32]) {
    let i = global_id(0);
    x[i] = 3 * x[i];
}

/// The sum of all.
#[flash::kernel]
pub fn total(x: &[u32], #[reduce(+)] s: &mut u32) {
    *s += x[global_id(0)];
}

/// Elements of a table, which the launch checks.
#[flash::kernel]
pub fn lookup(at: &[u32], table: &[u32], #[out] y: &mut [u32]) {
    let i = global_id(0);
    y[i] = table[at[i] as usize];
}

/// Runs so many chains of kernels, a task and checked accesses on the numbers from 0 on; the sum that each
/// finds, and how many launches ran elsewhere.
///
/// # Errors
///
/// Those of the pipeline, and of reading what it has left.
///
/// # Panics
///
/// Where an element is not what it should be.
pub fn run(rt: &Runtime, x: &Buffer<u32>, chains: usize) -> flash::Result<(Vec<u32>, usize)> {
    let n = x.len();
    let at = Buffer::from((0..n as u32).rev().collect::<Vec<_>>());
    let mut last = Vec::new();
    let mut sums: Vec<Var<u32>> = (0..chains).map(|_| Var::new(0)).collect();
    let mut p = rt.pipeline();
    for s in &mut sums {
        let (mut y, mut z) = (Buffer::zeros(n), Buffer::zeros(n));
        p.push(add(x, &mut y).over([n]));
        p.push(triple(&mut y).over([n]));
        p.push(Task::new("one more", (&mut y,), |(mut y,)| y[[0]] += 1));
        p.push(triple(&mut y).over([n]));
        p.push(lookup(&at, &y, &mut z).over([n]));
        p.push(total(&z, s).over([n]));
        last.push(z);
    }
    let report = p.exec()?;
    drop(p);
    for z in last {
        assert_eq!(z.get(n - 1)?, 12);
    }
    let sums: flash::Result<Vec<u32>> = sums.iter().map(Var::get).collect();
    Ok((sums?, report.fallbacks().len()))
}

/// The sum that each chain is to find on so many numbers.
pub fn expected(n: usize) -> u32 {
    (0..n as u32).map(|x| 9 * (x + 1)).sum::<u32>() + 3
}
