//! Shows:  a stencil over three arrays, one of which is read and written in place; pictures taken
//!         inside of the pipeline.
//! Run:    cargo run --release --example 13_wave
//! Prints: points per second, after comparing with a plain loop; leaves out/wave.png.
#![allow(clippy::print_stdout, reason = "an example talks to its reader")]

use std::sync::{Mutex, PoisonError};

use flash::prelude::*;
use flash_examples::canvas::{Canvas, contact_sheet, signed};
use flash_examples::picture::write_png;
use flash_examples::{Options, Progress, Result, check};

/// The source: squares around the middle, `s` points to each side, of height `WAVELET[s]`.
const WAVELET: [f32; 12] = [
    0.016_387_336,
    -0.041_464_937,
    -0.067_372_55,
    0.386_110_07,
    0.812_723_64,
    0.416_998_4,
    0.076_488_6,
    -0.059_434_419,
    0.023_680_172,
    0.005_611_435,
    0.001_823_209,
    -0.000_720_549,
];
/// Seconds per step, squared, by metres per point, squared.
pub(crate) const SCALE: f32 = 0.002 * 0.002 / (20.0 * 20.0);
/// The square of 1500 m/s: sound in water.
pub(crate) const WATER: f32 = 2_250_000.0;
/// The square of 2600 m/s: sound in rock.
const ROCK: f32 = 6_760_000.0;

/// One step of a wave. `next` holds the field before `now` and becomes the one after it; its rim
/// stays as it is. `speed` is squared.
#[flash::kernel(part_by)]
pub(crate) fn wave(now: View<'_, f32, 2>, speed: View<'_, f32, 2>, next: ViewMut<'_, f32, 2>) {
    let (j, i) = (global_id(1), global_id(0));
    let (rows, columns) = (now.extent(0), now.extent(1));
    if j > 0 && j + 1 < rows && i > 0 && i + 1 < columns {
        let here = now[[j, i]];
        let around = now[[j, i + 1]] + now[[j, i - 1]] + now[[j + 1, i]] + now[[j - 1, i]];
        next[[j, i]] = 2.0 * here - next[[j, i]] + SCALE * speed[[j, i]] * (around - 4.0 * here);
    }
}

/// Keeps a copy of a field.
#[flash::host_task]
fn keep(field: View<'_, f32, 2>, film: &Mutex<Vec<Vec<f32>>>, progress: &Progress) {
    let field = field.as_slice().unwrap_or_default().to_vec();
    film.lock().unwrap_or_else(PoisonError::into_inner).push(field);
    progress.tick();
}

/// Some shots, with some steps before each of them.
pub(crate) fn simulate(
    rt: &Runtime,
    shape @ [rows, columns]: [usize; 2],
    start: &[f32],
    speed: &[f32],
    [shots, steps]: [u32; 2],
    progress: &Progress,
) -> flash::Result<Vec<Vec<f32>>> {
    let film = Mutex::new(Vec::new());
    let (now, speed) = (Buffer::from_shape(shape, start)?, Buffer::from_shape(shape, speed)?);
    let mut next = Buffer::zeros(shape);
    flash_pipeline! { in rt;
        for _shot in 0..shots {
            for _step in 0..steps {
                wave(&now, &speed, &mut next)[columns, rows];
                swap(now, next);
            }
            keep(&now, &film, progress);
        }
    }
    .exec()?;
    Ok(film.into_inner().unwrap_or_else(PoisonError::into_inner))
}

fn main() -> std::process::ExitCode {
    flash_examples::run(|options| run(&Runtime::new()?, options))
}

/// The whole example.
pub(crate) fn run(rt: &Runtime, options: &Options) -> Result {
    let (n, all @ [shots, steps]) =
        options.size.pick((30, [3, 4]), (400, [8, 150]), (2048, [8, 125]));
    let (start, speed) = (source([n, n]), layers([n, n]));
    let progress = Progress::new(u64::from(shots), "shots");
    let film = simulate(rt, [n, n], &start, &speed, all, &progress)?;
    let seconds = progress.finish().as_secs_f64();
    compare([n, n], &start, &speed, all, &film)?;

    let points = n as f64 * n as f64 * f64::from(shots * steps);
    println!(
        "{n}x{n} points, {} steps: {:.0} million points/s",
        shots * steps,
        points / seconds * 1e-6
    );
    let path = options.output("wave.png")?;
    write_png(&path, &draw([n, n], &speed, steps, &film))?;
    println!("all {shots} shots equal to a plain loop, bit for bit; see {}", path.display());
    Ok(())
}

/// A pebble in the middle, at rest.
pub(crate) fn source([rows, columns]: [usize; 2]) -> Vec<f32> {
    let mut field = vec![0.0; rows * columns];
    for (s, height) in WAVELET.iter().enumerate().rev() {
        for row in rows / 2 - s..rows / 2 + s {
            let middle = row * columns + columns / 2;
            field[middle - s..middle + s].fill(*height);
        }
    }
    field
}

/// Water over rock, whose surface falls from left to right.
pub(crate) fn layers([rows, columns]: [usize; 2]) -> Vec<f32> {
    let is_rock = |k: usize| {
        let (row, column) = (k / columns, k % columns);
        20 * row * columns > 13 * rows * columns + 3 * rows * column
    };
    (0..rows * columns).map(|k| if is_rock(k) { ROCK } else { WATER }).collect()
}

/// Takes the steps again, sequentially.
pub(crate) fn compare(
    [rows, columns]: [usize; 2],
    start: &[f32],
    speed: &[f32],
    [shots, steps]: [u32; 2],
    film: &[Vec<f32>],
) -> Result {
    check::equal("number of shots", &[film.len()], &[shots as usize])?;
    let (mut now, mut next) = (start.to_vec(), vec![0.0; start.len()]);
    for (shot, found) in film.iter().enumerate() {
        for _ in 0..steps {
            for row in 1..rows.saturating_sub(1) {
                let line = |row: usize| &now[row * columns..(row + 1) * columns];
                let (above, here, below) = (line(row - 1), line(row), line(row + 1));
                for x in 1..columns.saturating_sub(1) {
                    let around = here[x + 1] + here[x - 1] + below[x] + above[x];
                    let place = row * columns + x;
                    let push = SCALE * speed[place] * (around - 4.0 * here[x]);
                    next[place] = 2.0 * here[x] - next[place] + push;
                }
            }
            std::mem::swap(&mut now, &mut next);
        }
        check::equal(&format!("height in shot {shot}"), found, &now)?;
    }
    Ok(())
}

/// The shots, a little darker where there is rock.
fn draw([rows, columns]: [usize; 2], speed: &[f32], steps: u32, film: &[Vec<f32>]) -> Canvas {
    let (magnify, shrink) = ((200 / columns).max(1), columns / 400 + 1);
    let picture = |field: &[f32]| {
        let highest = field.iter().fold(1e-6_f32, |most, height| most.max(height.abs()));
        Canvas::from_fn(columns * magnify, rows * magnify, |x, y| {
            let place = y / magnify * columns + x / magnify;
            let shade = if speed[place] == ROCK { 24 } else { 0 };
            signed(1.5 * field[place] / highest).map(|part| part.saturating_sub(shade))
        })
        .shrunk(shrink)
    };
    let cells: Vec<_> = film
        .iter()
        .zip(1..)
        .map(|(field, shot)| (format!("step {}", shot * steps), picture(field)))
        .collect();
    contact_sheet(4, &cells, "Height of a wave over water and rock; its colours scale in each shot")
}
