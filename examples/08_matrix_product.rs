//! Shows:  a pipeline built in a Rust loop: parts of matrices as arguments, launches on disjoint parts
//!         of one buffer, and where they ran; one launch that is cut into blocks of two dimensions.
//! Run:    cargo run --release --example 08_matrix_product
//! Prints: GFlop/s and who computed which block, after comparing with a plain triple loop.
#![allow(clippy::print_stdout, reason = "an example talks to its reader")]

use std::ops::Range;
use std::time::Instant;

use flash::ArgRange;
use flash::prelude::*;
use flash_examples::random::factors;
use flash_examples::{Options, Result, check};

/// A block of `c` needs its rows of `a` and its columns of `b`.
fn block(items: &[Range<u64>]) -> Vec<ArgRange> {
    let (columns, rows) = (items[0].clone(), items[1].clone());
    vec![
        ArgRange::read(rows.clone()),
        ArgRange::read((.., columns.clone())),
        ArgRange::write([rows, columns]),
    ]
}

/// c = a b
#[flash::kernel(part_by = block)]
pub(crate) fn product(a: View<'_, f32, 2>, b: View<'_, f32, 2>, #[out] c: ViewMut<'_, f32, 2>) {
    let (row, column) = (global_id(1), global_id(0));
    let mut sum = 0.0_f32;
    for k in 0..a.extent(1) {
        sum += a[[row, k]] * b[[k, column]];
    }
    c[[row, column]] = sum;
}

/// The product of an `[n, m]` and an `[m, p]` matrix, in blocks, so many down and across. The blocks
/// of the result do not overlap, so nothing orders their launches, and each device gets the rows and
/// columns that its blocks need. Where there is a cell for a block, it is set to the device's number.
pub(crate) fn multiply_in(
    rt: &Runtime,
    [n, m, p]: [usize; 3],
    a: &[f32],
    b: &[f32],
    [down, across]: [usize; 2],
    devices: &mut [Var<u32>],
) -> flash::Result<Vec<f32>> {
    let a = Buffer::from_shape([n, m], a)?;
    let b = Buffer::from_shape([m, p], b)?;
    let mut c = Buffer::zeros([n, p]);
    let mut pipeline = rt.pipeline();
    let mut chosen = devices.iter_mut();
    for rows in (0..down).map(|k| n * k / down..n * (k + 1) / down) {
        for columns in (0..across).map(|k| p * k / across..p * (k + 1) / across) {
            let a = a.view((rows.clone(), 0..m));
            let b = b.view((0..m, columns.clone()));
            let c = c.view_mut((rows.clone(), columns.clone()));
            let call = product(a, b, c);
            let call = match chosen.next() {
                Some(device) => call.chosen(device),
                None => call,
            };
            pipeline.push(call.over([columns.len(), rows.len()]));
        }
    }
    pipeline.exec()?;
    c.to_vec()
}

/// The same product as one launch, which the runtime cuts into blocks; and what each device had of it.
pub(crate) fn multiply(
    rt: &Runtime,
    [n, m, p]: [usize; 3],
    a: &[f32],
    b: &[f32],
    [down, across]: [usize; 2],
) -> flash::Result<(Vec<f32>, Report)> {
    let (a, b) = (Buffer::from_shape([n, m], a)?, Buffer::from_shape([m, p], b)?);
    let mut c = Buffer::zeros([n, p]);
    let report = rt.submit(product(&a, &b, &mut c).partitions([across, down])).exec([p, n])?;
    Ok((c.to_vec()?, report))
}

fn main() -> std::process::ExitCode {
    flash_examples::run(|options| run(&Runtime::new()?, options))
}

/// The whole example.
pub(crate) fn run(rt: &Runtime, options: &Options) -> Result {
    let shape @ [n, m, p] = options.size.pick([19, 13, 22], [768, 640, 896], [2048, 2048, 2048]);
    let (a, b) = factors(shape, 42);
    let mut devices: Vec<Var<u32>> = (0..4).map(|_| Var::new(0)).collect();
    let start = Instant::now();
    let c = multiply_in(rt, shape, &a, &b, [2, 2], &mut devices)?;
    let seconds = start.elapsed().as_secs_f64();
    compare(shape, &a, &b, &c)?;
    let (c, report) = multiply(rt, shape, &a, &b, [2, 2])?;
    compare(shape, &a, &b, &c)?;

    let flop = 2.0 * n as f64 * m as f64 * p as f64;
    println!("{n}x{m} by {m}x{p}: {:.1} GFlop/s", flop / seconds * 1e-9);
    for (k, device) in devices.iter().enumerate() {
        println!("block {k}: {}", rt.devices()[device.get()? as usize].name());
    }
    for had in report.devices() {
        println!("of one launch in four blocks: {} on {}", had.parts, had.device);
    }
    println!("every element equals that of a plain triple loop, bit for bit");
    Ok(())
}

/// Multiplies again, sequentially; sums run over the same index in the same order.
pub(crate) fn compare([n, m, p]: [usize; 3], a: &[f32], b: &[f32], c: &[f32]) -> Result {
    let mut expected = vec![0.0_f32; n * p];
    for (row, expected) in expected.chunks_exact_mut(p).enumerate() {
        for k in 0..m {
            let factor = a[row * m + k];
            for (sum, b) in expected.iter_mut().zip(&b[k * p..(k + 1) * p]) {
                *sum += factor * b;
            }
        }
    }
    Ok(check::equal("product", c, &expected)?)
}
