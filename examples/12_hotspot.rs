//! Shows:  nested loops in a pipeline; a host task that keeps results while the next ones are
//!         computed; neighbours at the rim of a grid.
//! Run:    cargo run --release --example 12_hotspot
//! Prints: cells per second, after comparing with a plain loop; leaves out/hotspot.png.
#![allow(clippy::print_stdout, reason = "an example talks to its reader")]

use std::sync::{Mutex, PoisonError};

use flash::prelude::*;
use flash_examples::canvas::{Canvas, contact_sheet, heat};
use flash_examples::picture::write_png;
use flash_examples::{Options, Progress, Result, SplitMix64, check};

/// Side of the chip and its thickness, in metres.
const SIDE: f32 = 0.016;
const THICKNESS: f32 = 0.0005;
/// Heat that a cubic metre takes, and conductivity.
const SPECIFIC_HEAT: f32 = 1.75e6;
const CONDUCTIVITY: f32 = 100.0;
/// How much of the heat capacity counts.
const FACTOR: f32 = 0.5;
/// The highest power density, in watts per square metre, and how far a step may go with it.
const MAX_POWER: f32 = 3.0e6;
const PRECISION: f32 = 0.001;
/// Around the chip.
const AMBIENT: f32 = 80.0;
/// Steps between two results that are kept.
const HEIGHT: u32 = 4;

/// What a step multiplies differences with.
#[derive(Clone, Copy, Debug, flash::Pod)]
#[repr(C)]
pub(crate) struct Chip {
    /// Length of a step by heat capacity of a cell.
    pub(crate) step: f32,
    /// Conductance to neighbours along a row, along a column, and to the air.
    pub(crate) along: f32,
    pub(crate) down: f32,
    pub(crate) out: f32,
}

impl Chip {
    /// A chip of `rows * columns` cells.
    pub(crate) fn new([rows, columns]: [usize; 2]) -> Self {
        let (height, width) = (SIDE / rows as f32, SIDE / columns as f32);
        let capacity = FACTOR * SPECIFIC_HEAT * THICKNESS * width * height;
        let fastest = MAX_POWER / (FACTOR * THICKNESS * SPECIFIC_HEAT);
        let side = 2.0 * CONDUCTIVITY * THICKNESS;
        Self {
            step: PRECISION / fastest / 1000.0 / capacity,
            along: 1.0 / (width / (side * height)),
            down: 1.0 / (height / (side * width)),
            out: 1.0 / (THICKNESS / (CONDUCTIVITY * height * width)),
        }
    }
}

/// One step. A cell at the rim is its own neighbour.
#[flash::kernel(part_by)]
pub(crate) fn hotspot(
    chip: Chip,
    power: View<'_, f32, 2>,
    old: View<'_, f32, 2>,
    #[out] new: ViewMut<'_, f32, 2>,
) {
    let (j, i) = (global_id(1), global_id(0));
    let (rows, columns) = (old.extent(0), old.extent(1));
    let t = old[[j, i]];
    let mut north = t;
    let mut south = t;
    let mut west = t;
    let mut east = t;
    if j > 0 {
        north = old[[j - 1, i]];
    }
    if j + 1 < rows {
        south = old[[j + 1, i]];
    }
    if i > 0 {
        west = old[[j, i - 1]];
    }
    if i + 1 < columns {
        east = old[[j, i + 1]];
    }
    let flow = power[[j, i]]
        + (south + north - 2.0 * t) * chip.down
        + (east + west - 2.0 * t) * chip.along
        + (AMBIENT - t) * chip.out;
    new[[j, i]] = t + chip.step * flow;
}

/// Keeps a copy of a field.
#[flash::host_task]
pub(crate) fn keep(field: View<'_, f32, 2>, album: &Mutex<Vec<Vec<f32>>>, progress: &Progress) {
    let field = field.as_slice().unwrap_or_default().to_vec();
    album.lock().unwrap_or_else(PoisonError::into_inner).push(field);
    progress.tick();
}

/// Takes steps, and keeps the field after every [`HEIGHT`] of them.
pub(crate) fn simulate(
    rt: &Runtime,
    shape @ [rows, columns]: [usize; 2],
    temperature: &[f32],
    power: &[f32],
    launches: u32,
    progress: &Progress,
) -> flash::Result<(Vec<Vec<f32>>, Report)> {
    let chip = Chip::new(shape);
    let album = Mutex::new(Vec::new());
    let power = Buffer::from_shape(shape, power)?;
    let mut kept = Buffer::from_shape(shape, temperature)?;
    let (mut old, mut new) = (Buffer::zeros(shape), Buffer::zeros(shape));
    let report = flash_pipeline! { in rt;
        for _launch in 0..launches {
            hotspot(chip, &power, &kept, &mut old)[columns, rows];
            for _step in 2..HEIGHT {
                hotspot(chip, &power, &old, &mut new)[columns, rows];
                swap(old, new);
            }
            hotspot(chip, &power, &old, &mut kept)[columns, rows];
            keep(&kept, &album, progress);
        }
    }
    .exec()?;
    Ok((album.into_inner().unwrap_or_else(PoisonError::into_inner), report))
}

fn main() -> std::process::ExitCode {
    flash_examples::run(|options| run(&Runtime::new()?, options))
}

/// The whole example.
pub(crate) fn run(rt: &Runtime, options: &Options) -> Result {
    let (n, launches) = options.size.pick((32, 3), (512, 50), (2500, 75));
    let shape = [n, n];
    let (temperature, power) = warm_blocks(shape, 6);
    let progress = Progress::new(u64::from(launches), "results");
    let (album, _) = simulate(rt, shape, &temperature, &power, launches, &progress)?;
    let seconds = progress.finish().as_secs_f64();
    compare(shape, &temperature, &power, launches, &album)?;

    let steps = launches * HEIGHT;
    let cells = n as f64 * n as f64 * f64::from(steps);
    println!("{n}x{n} cells, {steps} steps: {:.0} million cells/s", cells / seconds * 1e-6);
    let path = options.output("hotspot.png")?;
    write_png(&path, &draw(shape, &temperature, &album))?;
    println!("all {launches} results equal to a plain loop, bit for bit; see {}", path.display());
    Ok(())
}

/// A chip near the temperature of the air, and the power of its parts: as many hot spots as asked.
pub(crate) fn warm_blocks([rows, columns]: [usize; 2], spots: usize) -> (Vec<f32>, Vec<f32>) {
    let mut random = SplitMix64::new(12);
    let temperature = (0..rows * columns).map(|_| AMBIENT + random.signed()).collect();
    let mut power = vec![0.0; rows * columns];
    let strongest = 0.2 / Chip::new([rows, columns]).step;
    for _ in 0..spots {
        let (y, x) = (random.unit() * rows as f32, random.unit() * columns as f32);
        let radius = (0.05 + 0.15 * random.unit()) * rows as f32;
        let watts = strongest * (0.3 + 0.7 * random.unit());
        for (k, power) in power.iter_mut().enumerate() {
            let (dy, dx) = ((k / columns) as f32 - y, (k % columns) as f32 - x);
            *power += watts * (-(dy * dy + dx * dx) / (radius * radius)).exp();
        }
    }
    (temperature, power)
}

/// Takes the steps again, sequentially.
pub(crate) fn compare(
    shape @ [rows, columns]: [usize; 2],
    temperature: &[f32],
    power: &[f32],
    launches: u32,
    album: &[Vec<f32>],
) -> Result {
    check::equal("number of results", &[album.len()], &[launches as usize])?;
    let chip = Chip::new(shape);
    let (mut old, mut new) = (temperature.to_vec(), temperature.to_vec());
    for (k, found) in album.iter().enumerate() {
        for _ in 0..HEIGHT {
            for y in 0..rows {
                let line = |y: usize| &old[y * columns..(y + 1) * columns];
                let (above, here, below) =
                    (line(y.saturating_sub(1)), line(y), line((y + 1).min(rows - 1)));
                for x in 0..columns {
                    let (t, left, right) =
                        (here[x], here[x.saturating_sub(1)], here[(x + 1).min(columns - 1)]);
                    let flow = power[y * columns + x]
                        + (below[x] + above[x] - 2.0 * t) * chip.down
                        + (right + left - 2.0 * t) * chip.along
                        + (AMBIENT - t) * chip.out;
                    new[y * columns + x] = t + chip.step * flow;
                }
            }
            std::mem::swap(&mut old, &mut new);
        }
        check::equal(&format!("temperature of result {k}"), found, &old)?;
    }
    Ok(())
}

/// The chip at the start and at up to five moments after it, all in the same colours.
fn draw([rows, columns]: [usize; 2], first: &[f32], album: &[Vec<f32>]) -> Canvas {
    let (magnify, shrink) = ((256 / columns).max(1), columns.div_ceil(256));
    let hottest = album.last().map_or(AMBIENT, |last| last.iter().copied().fold(AMBIENT, f32::max));
    let picture = |field: &[f32]| {
        Canvas::from_fn(columns * magnify, rows * magnify, |x, y| {
            let t = field[y / magnify * columns + x / magnify];
            heat((t - AMBIENT) / (hottest - AMBIENT + 1.0))
        })
        .shrunk(shrink)
    };
    let mut cells = vec![("before".to_owned(), picture(first))];
    let mut moments: Vec<_> = (1..=5).map(|part| part * album.len() / 5).collect();
    moments.dedup();
    for k in moments.into_iter().filter(|&k| k > 0) {
        let label = format!("after {} steps", k * HEIGHT as usize);
        cells.push((label, picture(&album[k - 1])));
    }
    contact_sheet(3, &cells, &format!("Temperature of a chip, {AMBIENT} to {hottest:.0} degrees"))
}
