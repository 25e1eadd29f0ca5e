//! Shows:  a loop inside of a kernel or around it, as the numbers of a pipeline say, or a phase for
//!         each step of one launch; atomic cells.
//! Run:    cargo run --release --example 18_diffusion
//! Prints: steps of particles per second in all forms, after comparing with a plain loop over
//!         integers; leaves out/diffusion.png.
#![allow(clippy::print_stdout, reason = "an example talks to its reader")]

use flash::prelude::*;
use flash_examples::canvas::{Canvas, contact_sheet, heat};
use flash_examples::picture::write_png;
use flash_examples::{Options, Progress, Result, SplitMix64, check};

/// Cells along a side of the square. Each is a disc of radius 1/2 around its number.
pub(crate) const SIDE: usize = 22;
/// Cells of one kind of count.
pub(crate) const PLANE: usize = SIDE * SIDE;
/// Where every particle starts, along both sides.
const START: f32 = 11.0;

/// The number of the cell around a place, from 1, or 0.
#[flash::device]
fn cell_around(x: f32, y: f32) -> u32 {
    let column = math::floor(x + 0.5);
    let row = math::floor(y + 0.5);
    let in_grid = column >= 0.0 && column < SIDE as f32 && row >= 0.0 && row < SIDE as f32;
    let off = (x - column) * (x - column) + (y - row) * (y - row);
    if in_grid && off <= 0.25 { row as u32 * SIDE as u32 + column as u32 + 1 } else { 0 }
}

/// Some steps of each particle. `cell` is the number of the one it is in, from 1, or 0. There are
/// three planes of counts: steps that end in a cell, particles that are in it now, entries into it.
#[flash::kernel]
pub(crate) fn walk(
    first: usize,
    steps: usize,
    dx: View<'_, f32, 2>,
    dy: View<'_, f32, 2>,
    x: &mut [f32],
    y: &mut [f32],
    cell: &mut [u32],
    counts: &[Atomic<u64>],
) {
    let p = global_id(0);
    let mut px = x[p];
    let mut py = y[p];
    let mut was = cell[p];
    for k in first..first + steps {
        px += dx[[k, p]];
        py += dy[[k, p]];
        let now = cell_around(px, py);
        if now > 0 {
            counts[now as usize - 1].fetch_add(1);
        }
        if now != was {
            if was > 0 {
                counts[PLANE + was as usize - 1].fetch_sub(1);
            }
            if now > 0 {
                counts[PLANE + now as usize - 1].fetch_add(1);
                counts[2 * PLANE + now as usize - 1].fetch_add(1);
            }
        }
        was = now;
    }
    x[p] = px;
    y[p] = py;
    cell[p] = was;
}

/// All steps in one launch over `[particles, steps]`, each of them a phase.
#[flash::kernel(rank = 2, group_by(y))]
pub(crate) fn walk_in_phases(
    dx: View<'_, f32, 2>,
    dy: View<'_, f32, 2>,
    x: &mut [f32],
    y: &mut [f32],
    cell: &mut [u32],
    counts: &[Atomic<u64>],
) {
    let (p, k) = (global_id(0), phase());
    x[p] += dx[[k, p]];
    y[p] += dy[[k, p]];
    let was = cell[p];
    let now = cell_around(x[p], y[p]);
    if now > 0 {
        counts[now as usize - 1].fetch_add(1);
    }
    if now != was {
        if was > 0 {
            counts[PLANE + was as usize - 1].fetch_sub(1);
        }
        if now > 0 {
            counts[PLANE + now as usize - 1].fetch_add(1);
            counts[2 * PLANE + now as usize - 1].fetch_add(1);
        }
    }
    cell[p] = now;
}

/// Shows the progress of the run.
#[flash::host_task]
fn tick(progress: &Progress) {
    progress.tick();
}

/// How particles move: one row for each step, one column for each particle.
#[derive(Clone, Debug)]
pub(crate) struct Moves {
    pub(crate) steps: usize,
    pub(crate) particles: usize,
    pub(crate) dx: Vec<f32>,
    pub(crate) dy: Vec<f32>,
}

impl Moves {
    /// Up to 1/16 along both sides, multiples of 1/1024: sums of them are exact. One seed for each
    /// side.
    pub(crate) fn random(steps: usize, particles: usize, seeds: [u64; 2]) -> Self {
        let [dx, dy] = seeds.map(|seed| {
            let mut random = SplitMix64::new(seed);
            let mut step = || ((random.bits() >> 40) % 129) as f32 - 64.0;
            (0..steps * particles).map(|_| step() / 1024.0).collect()
        });
        Self { steps, particles, dx, dy }
    }
}

/// Where particles are after all steps, and the three planes of counts.
#[derive(Clone, Debug)]
pub(crate) struct Cloud {
    pub(crate) x: Vec<f32>,
    pub(crate) y: Vec<f32>,
    pub(crate) counts: Vec<u64>,
}

/// Lets particles walk, in launches of so many steps each.
pub(crate) fn diffuse(
    rt: &Runtime,
    moves: &Moves,
    steps: usize,
    progress: &Progress,
) -> flash::Result<Cloud> {
    let Moves { particles: n, dx, dy, .. } = moves;
    let (n, shape, launches) = (*n, [moves.steps, *n], moves.steps / steps);
    let (dx, dy) = (Buffer::from_shape(shape, dx)?, Buffer::from_shape(shape, dy)?);
    let (mut x, mut y) = (Buffer::filled(n, START), Buffer::filled(n, START));
    let (mut cell, mut counts) = (Buffer::zeros(n), Buffer::zeros(3 * PLANE));
    flash_pipeline! { in rt;
        for launch in 0..launches {
            walk(launch * steps, steps, &dx, &dy, &mut x, &mut y, &mut cell, &mut counts)[n];
            tick(progress);
        }
    }
    .exec()?;
    Ok(Cloud { x: x.to_vec()?, y: y.to_vec()?, counts: counts.to_vec()? })
}

/// Lets particles walk in one launch, a phase for each step.
pub(crate) fn diffuse_in_phases(rt: &Runtime, moves: &Moves) -> flash::Result<Cloud> {
    let Moves { steps, particles: n, dx, dy } = moves;
    let (n, shape) = (*n, [*steps, *n]);
    let (dx, dy) = (Buffer::from_shape(shape, dx)?, Buffer::from_shape(shape, dy)?);
    let (mut x, mut y) = (Buffer::filled(n, START), Buffer::filled(n, START));
    let (mut cell, mut counts) = (Buffer::zeros(n), Buffer::zeros(3 * PLANE));
    rt.submit(walk_in_phases(&dx, &dy, &mut x, &mut y, &mut cell, &mut counts))
        .exec([n, *steps])?;
    Ok(Cloud { x: x.to_vec()?, y: y.to_vec()?, counts: counts.to_vec()? })
}

fn main() -> std::process::ExitCode {
    flash_examples::run(|options| run(&Runtime::new()?, options))
}

/// The whole example: one launch for each step, then one for all, with a loop or with phases.
pub(crate) fn run(rt: &Runtime, options: &Options) -> Result {
    let (steps, particles) = options.size.pick((24, 20), (2000, 2048), (10_000, 256));
    let moves = Moves::random(steps, particles, [18, 81]);
    let mut clouds = Vec::new();
    for (name, each) in [
        ("one launch for each step", Some(1)),
        ("one launch for all steps", Some(steps)),
        ("one launch, a phase for each step", None),
    ] {
        let progress = Progress::new(each.map_or(1, |each| steps / each) as u64, "launches");
        let cloud = match each {
            Some(each) => diffuse(rt, &moves, each, &progress)?,
            None => diffuse_in_phases(rt, &moves)?,
        };
        let seconds = progress.finish().as_secs_f64();
        compare(&moves, &cloud)?;
        let rate = (steps * particles) as f64 / seconds * 1e-6;
        println!("{particles} particles, {steps} steps, {name}: {rate:.1} million steps/s");
        clouds.push(cloud);
    }
    let path = options.output("diffusion.png")?;
    write_png(&path, &draw(&clouds[0]))?;
    println!("all positions and counts equal to a plain loop; see {}", path.display());
    Ok(())
}

/// Walks again, sequentially and in multiples of 1/1024.
pub(crate) fn compare(moves: &Moves, cloud: &Cloud) -> Result {
    let whole = |part: f32| (part * 1024.0) as i64;
    let mut counts = vec![0_u64; 3 * PLANE];
    let mut places = vec![[whole(START); 2]; moves.particles];
    let mut cells = vec![None; moves.particles];
    for (dx, dy) in moves.dx.chunks(moves.particles).zip(moves.dy.chunks(moves.particles)) {
        for (p, (place, was)) in places.iter_mut().zip(&mut cells).enumerate() {
            place[0] += whole(dx[p]);
            place[1] += whole(dy[p]);
            let now = cell_of(*place);
            if let Some(now) = now {
                counts[now] += 1;
            }
            if now != *was {
                if let Some(was) = *was {
                    counts[PLANE + was] -= 1;
                }
                if let Some(now) = now {
                    counts[PLANE + now] += 1;
                    counts[2 * PLANE + now] += 1;
                }
            }
            *was = now;
        }
    }
    let along = |side: usize| -> Vec<f32> {
        places.iter().map(|place| place[side] as f32 / 1024.0).collect()
    };
    check::equal("x", &cloud.x, &along(0))?;
    check::equal("y", &cloud.y, &along(1))?;
    Ok(check::equal("counts", &cloud.counts, &counts)?)
}

/// The cell around a place in multiples of 1/1024.
fn cell_of(place: [i64; 2]) -> Option<usize> {
    let [column, row] = place.map(|part| (part + 512).div_euclid(1024));
    let squares: i64 =
        place.iter().zip([column, row]).map(|(part, cell)| (part - 1024 * cell).pow(2)).sum();
    let side = 0..SIDE as i64;
    let is_in = side.contains(&column) && side.contains(&row) && squares <= 512 * 512;
    is_in.then(|| (row * SIDE as i64 + column) as usize)
}

/// The three planes, and where the particles are at the end.
fn draw(cloud: &Cloud) -> Canvas {
    const SCALE: usize = 10;
    let names = ["steps in a cell", "particles at the end", "entries"];
    let mut cells: Vec<(String, Canvas)> = names
        .iter()
        .zip(cloud.counts.chunks(PLANE))
        .map(|(name, plane)| {
            let most = plane.iter().copied().max().unwrap_or(0) as f32;
            let picture = Canvas::from_fn(SIDE * SCALE, SIDE * SCALE, |x, y| {
                heat((plane[y / SCALE * SIDE + x / SCALE] as f32).ln_1p() / most.ln_1p().max(1.0))
            });
            (format!("{name}, up to {most}"), picture)
        })
        .collect();
    let mut dots = Canvas::new(SIDE * SCALE, SIDE * SCALE, heat(0.0));
    for (x, y) in cloud.x.iter().zip(&cloud.y) {
        // A cast of what is outside on the left gives zero.
        let pixel = |part: f32| ((part + 0.5) * SCALE as f32) as usize;
        dots.fill(pixel(*x), pixel(*y), 1, 1, heat(1.0));
    }
    cells.push(("all of them".to_owned(), dots));
    contact_sheet(2, &cells, "Particles that walk at random from the middle; counts as logarithms")
}
