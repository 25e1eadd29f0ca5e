//! Shows:  the same two kernels forwards and backwards; what they leave alone at the edges.
//! Run:    cargo run --release --example 15_dct
//! Prints: pixels per second, after comparing with sums in double precision; leaves out/dct.png.
#![allow(clippy::print_stdout, reason = "an example talks to its reader")]

use std::time::Instant;

use flash::prelude::*;
use flash_examples::canvas::{Canvas, Colour, contact_sheet, signed};
use flash_examples::picture::write_png;
use flash_examples::y4m::Reader;
use flash_examples::{Options, Result, assets, check};

/// Transforms the lines of each block of 8 x 8 pixels: each becomes its product with the basis.
/// What is left of the image beside the last whole block is left out.
#[flash::kernel(inputs = 2)]
pub(crate) fn across(
    basis: View<'_, f32, 2>,
    image: View<'_, f32, 2>,
    #[out(partial)] result: ViewMut<'_, f32, 2>,
) {
    let (j, i) = (global_id(1), global_id(0));
    let mut sum = 0.0_f32;
    for n in 0..8 {
        sum += basis[[i % 8, n]] * image[[j, i / 8 * 8 + n]];
    }
    result[[j, i]] = sum;
}

/// The same for the columns.
#[flash::kernel(inputs = 2)]
pub(crate) fn down(
    basis: View<'_, f32, 2>,
    image: View<'_, f32, 2>,
    #[out(partial)] result: ViewMut<'_, f32, 2>,
) {
    let (j, i) = (global_id(1), global_id(0));
    let mut sum = 0.0_f32;
    for n in 0..8 {
        sum += basis[[j % 8, n]] * image[[j / 8 * 8 + n, i]];
    }
    result[[j, i]] = sum;
}

/// `basis[k][n]`: wave `k` at place `n`; or `basis[n][k]`, which undoes it.
pub(crate) fn basis(inverse: bool) -> Vec<f32> {
    let wave = |k: usize, n: usize| {
        let height = if k == 0 { 0.125_f64.sqrt() } else { 0.5 };
        height * ((2 * n + 1) as f64 * k as f64 * std::f64::consts::PI / 16.0).cos()
    };
    let element = |place: usize| {
        if inverse { wave(place % 8, place / 8) } else { wave(place / 8, place % 8) }
    };
    (0..64).map(|place| element(place) as f32).collect()
}

/// The transform of an image, or its inverse, computed `repeats` times.
pub(crate) fn transform(
    rt: &Runtime,
    shape @ [rows, columns]: [usize; 2],
    image: &[f32],
    inverse: bool,
    repeats: u64,
) -> flash::Result<Vec<f32>> {
    let whole = [columns / 8 * 8, rows / 8 * 8];
    let matrix = basis(inverse);
    let (m, image) = (Buffer::from_shape([8, 8], matrix)?, Buffer::from_shape(shape, image)?);
    let (mut half, mut result) = (Buffer::zeros(shape), Buffer::zeros(shape));
    flash_pipeline! { in rt;
        for _repeat in 0..repeats {
            across(&m, &image, &mut half)[whole];
            down(&m, &half, &mut result)[whole];
        }
    }
    .exec()?;
    result.to_vec()
}

fn main() -> std::process::ExitCode {
    flash_examples::run(|options| run(&Runtime::new()?, options))
}

/// The whole example: a frame of the video, its waves, and the frame from a few of them.
pub(crate) fn run(rt: &Runtime, options: &Options) -> Result {
    let (repeats, magnify) = options.size.pick((1, 0), (16, 1), (16, 6));
    let (shape, frame) = if magnify == 0 { ([21, 30], ramp([21, 30])) } else { frame(magnify)? };
    let start = Instant::now();
    let waves = transform(rt, shape, &frame, false, repeats)?;
    let seconds = start.elapsed().as_secs_f64();
    compare(shape, &frame, &waves)?;
    let back = transform(rt, shape, &waves, true, 1)?;
    returns(shape, &frame, &back)?;

    let pixels = repeats as f64 * frame.len() as f64;
    println!(
        "{}x{} pixels, {repeats} times: {:.0} million pixels/s",
        shape[1],
        shape[0],
        pixels / seconds * 1e-6
    );
    let mut cells = vec![
        ("the frame".to_owned(), grey(shape, &frame)),
        ("its waves, 8 x 8 for each block".to_owned(), coloured(shape, &waves)),
    ];
    for kept in [10, 3] {
        let few = low_waves(shape, &waves, kept);
        let picture = grey(shape, &transform(rt, shape, &few, true, 1)?);
        cells.push((format!("from {kept} of 64 waves"), picture));
    }
    let path = options.output("dct.png")?;
    write_png(&path, &contact_sheet(2, &cells, assets::VIDEO_CREDIT))?;
    println!("all within 1e-4 of sums in double precision; see {}", path.display());
    Ok(())
}

/// The brightness of a frame of the video, from 0 to 1, each pixel repeated.
fn frame(magnify: usize) -> Result<([usize; 2], Vec<f32>)> {
    let mut reader = Reader::open(&assets::video())?;
    let [h, w] = reader.header().shapes()[0];
    let frames = reader.read_frames(24)?;
    let luma = &frames.last().ok_or("the video is empty")?.y;
    let shape @ [rows, columns] = [h * magnify, w * magnify];
    let pixel = |k: usize| luma[k / columns / magnify * w + k % columns / magnify];
    Ok((shape, (0..rows * columns).map(|k| f32::from(pixel(k)) / 255.0).collect()))
}

/// A small image of which no two pixels are alike.
fn ramp([rows, columns]: [usize; 2]) -> Vec<f32> {
    let n = rows * columns;
    (0..n).map(|k| (k * 37 % n) as f32 / n as f32).collect()
}

/// The transform by its definition, sequentially and in double precision.
pub(crate) fn compare([rows, columns]: [usize; 2], image: &[f32], waves: &[f32]) -> Result {
    let basis: Vec<f64> = basis(false).into_iter().map(f64::from).collect();
    let mut expected = vec![0.0; rows * columns];
    for (top, left) in blocks([rows, columns]) {
        for place in 0..64 {
            let (k, l) = (place / 8, place % 8);
            let mut sum = 0.0;
            for y in 0..8 {
                for x in 0..8 {
                    let pixel = f64::from(image[(top + y) * columns + left + x]);
                    sum += basis[k * 8 + y] * basis[l * 8 + x] * pixel;
                }
            }
            expected[(top + k) * columns + left + l] = sum;
        }
    }
    Ok(check::all_within("waves", waves, &expected, 1e-4)?)
}

/// What comes back is the image, where there are whole blocks.
pub(crate) fn returns(shape @ [_, columns]: [usize; 2], image: &[f32], back: &[f32]) -> Result {
    let mut expected = vec![0.0; image.len()];
    for (top, left) in blocks(shape) {
        for row in top..top + 8 {
            for place in row * columns + left..row * columns + left + 8 {
                expected[place] = f64::from(image[place]);
            }
        }
    }
    Ok(check::all_within("pixels", back, &expected, 1e-4)?)
}

/// The first row and column of each whole block.
fn blocks([rows, columns]: [usize; 2]) -> impl Iterator<Item = (usize, usize)> {
    (0..rows / 8).flat_map(move |y| (0..columns / 8).map(move |x| (8 * y, 8 * x)))
}

/// The slowest waves of each block; the others become zero.
fn low_waves([_, columns]: [usize; 2], waves: &[f32], kept: usize) -> Vec<f32> {
    // Diagonal by diagonal: 1, 3, 6, 10, .. waves.
    let diagonals = (0..8).find(|d| (d + 1) * (d + 2) / 2 >= kept).unwrap_or(8);
    let is_low = |place: usize| place / columns % 8 + place % columns % 8 <= diagonals;
    waves.iter().enumerate().map(|(k, wave)| if is_low(k) { *wave } else { 0.0 }).collect()
}

/// The whole blocks of an image; there is nothing beside them in what was transformed.
fn picture(shape: [usize; 2], colour: impl Fn(usize) -> Colour) -> Canvas {
    let [rows, columns] = shape.map(|n| n / 8 * 8);
    Canvas::from_fn(columns, rows, |x, y| colour(y * shape[1] + x)).shrunk(columns.div_ceil(320))
}

fn grey(shape: [usize; 2], image: &[f32]) -> Canvas {
    picture(shape, |at| [(255.0 * image[at]) as u8; 3])
}

fn coloured(shape: [usize; 2], waves: &[f32]) -> Canvas {
    picture(shape, |at| signed(2.0 * waves[at]))
}
