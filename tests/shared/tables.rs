//! Native code of a device that was written for a table of indices. It opens no device.

use flash::prelude::*;
use flash::{CountBy, Error};

#[flash::kernel(
    rank = 4,
    index_table,
    unsafe(
        cuda(file = "cuda/kernels/facts.cu", block(32)),
        opencl(file = "opencl/kernels/facts.cl", block(32))
    )
)]
fn listed(x: &mut [u32]);

/// Its table is of another type than the code's.
#[flash::kernel(
    rank = 4,
    index_table(u64),
    unsafe(
        cuda(file = "cuda/kernels/facts.cu", entry = "listed"),
        opencl(file = "opencl/kernels/facts.cl", entry = "listed")
    )
)]
fn of_another_width(x: &mut [u32]);

/// Its code takes no table.
#[flash::kernel(
    index_table,
    unsafe(
        cuda(file = "cuda/kernels/facts.cu", entry = "smoothed", args(x, n = x.len(), y)),
        opencl(file = "opencl/kernels/facts.cl", entry = "smoothed", args(x, n = x.len(), y))
    )
)]
fn smoothed_of_a_table(x: &[u64], #[out] y: &mut [u64]);

/// Of code that was written for a table of indices.
pub(crate) fn are_those_of_a_table(rt: &Runtime) {
    let mut x = Buffer::<u32>::zeros(7 * 2 * 3 * 5);
    rt.submit(listed(&mut x)).exec([7, 2, 3, 5]).unwrap();
    assert_eq!(x.to_vec().unwrap(), (1..=210).collect::<Vec<_>>());
    // A block of two dimensions is one of as many threads.
    let ids = (CountBy::list([6, 0, 3]), 2, CountBy::list([1]), 5);
    let mut x = Buffer::<u32>::zeros(210);
    rt.submit(listed(&mut x).block([4, 2])).exec(ids.clone()).unwrap();
    let mut wanted = vec![0; 210];
    for item in 0..30 {
        let at = [[6, 0, 3][item % 3], item / 3 % 2, 1, item / 6];
        wanted[((at[3] * 3 + at[2]) * 2 + at[1]) * 7 + at[0]] = 1 + item as u32;
    }
    assert_eq!(x.to_vec().unwrap(), wanted);
    // No rows, no launch.
    rt.submit(listed(&mut x)).exec((7, 0, 3, 5)).unwrap();
    assert_eq!(x.to_vec().unwrap(), wanted);

    let refused = |said: &str, error: Error| {
        let error = format!("{error} {error:?}");
        assert!(error.contains(said), "{error}");
    };
    let error = rt.submit(of_another_width(&mut x)).exec([7, 2, 3, 5]).unwrap_err();
    refused("is for the table of indices, an array of ", error);
    let (input, mut y) = (Buffer::<u64>::zeros(9), Buffer::<u64>::zeros(9));
    let error = rt.submit(smoothed_of_a_table(&input, &mut y)).exec([9]).unwrap_err();
    refused("the table of indices", error);
    let far = (CountBy::list([1 << 32]), 1, 1, 1);
    refused("index_table(u64)", rt.submit(listed(&mut x)).exec(far).unwrap_err());
    // It goes on.
    rt.submit(listed(&mut x)).exec(ids).unwrap();
}
