//! Shows:  a chain of two launches that hand two arrays to each other, repeated; the same in one
//!         launch, whose phases are the stages of each step.
//! Run:    cargo run --release --example 11_heat
//! Prints: points per second in both forms, after comparing with a plain loop and with the exact
//!         solution; leaves out/heat.png.
#![allow(clippy::print_stdout, reason = "an example talks to its reader")]

use std::time::Instant;

use flash::prelude::*;
use flash_examples::canvas::{Canvas, INK, PAPER, heat as colour};
use flash_examples::picture::write_png;
use flash_examples::{Options, Result, check};

/// How fast heat spreads: time step times diffusivity over the square of the distance of points.
const C: f32 = 0.5;
/// What the left end is held at.
const HOT: f32 = 100.0;

/// One step along a rod. The left end keeps its temperature; the right end is insulated.
#[flash::kernel]
pub(crate) fn heat(old: &[f32], #[out] new: &mut [f32]) {
    let i = global_id(0);
    let last = old.len() - 1;
    if i > 0 && i < last {
        new[i] = C * (old[i + 1] - 2.0 * old[i] + old[i - 1]) + old[i];
    } else if i == last {
        new[i] = old[i - 1];
    } else {
        new[i] = old[i];
    }
}

/// All steps in one launch over `[points, 2, steps]`, a phase for each stage of a step: from `u` into
/// `next`, then back.
#[flash::kernel(rank = 3, group_by(y), part_by)]
pub(crate) fn heat_in_stages(u: &mut [f32], next: &mut [f32]) {
    let i = global_id(0);
    let last = u.len() - 1;
    if phase() % 2 == 0 {
        let mut t = u[i];
        if i > 0 && i < last {
            // SAFETY: nobody writes `u` in this stage, and both points are there.
            t += C * unsafe { u[i + 1] - 2.0 * u[i] + u[i - 1] };
        } else if i == last {
            // SAFETY: as above.
            t = unsafe { u[i - 1] };
        }
        next[i] = t;
    } else {
        u[i] = next[i];
    }
}

/// Two steps, `k` times.
pub(crate) fn spread(rt: &Runtime, rod: &[f32], k: u64) -> flash::Result<Vec<f32>> {
    let n = rod.len();
    let (mut u, mut v) = (Buffer::from(rod.to_vec()), Buffer::zeros(n));
    rt.submit(heat(&u, &mut v)).defer([n]).submit(heat(&v, &mut u)).defer([n]).repeat(k).exec()?;
    u.to_vec()
}

/// As many steps in one launch.
pub(crate) fn spread_in_stages(rt: &Runtime, rod: &[f32], steps: u64) -> flash::Result<Vec<f32>> {
    let (mut u, mut next) = (Buffer::from(rod.to_vec()), Buffer::zeros(rod.len()));
    rt.submit(heat_in_stages(&mut u, &mut next)).exec([rod.len(), 2, steps as usize])?;
    u.to_vec()
}

fn main() -> std::process::ExitCode {
    flash_examples::run(|options| run(&Runtime::new()?, options))
}

/// The whole example: the same rod after several times.
pub(crate) fn run(rt: &Runtime, options: &Options) -> Result {
    let (n, all_steps) = options.size.pick(
        (40, &[4_u64, 16, 40][..]),
        (1000, &[20, 100, 400, 1000]),
        (1000, &[20, 100]),
    );
    let rod = cold_rod(n);
    let mut curves = Vec::new();
    for &steps in all_steps {
        let rate = |start: Instant| {
            (rod.len() as u64 * steps) as f64 / start.elapsed().as_secs_f64() * 1e-6
        };
        let start = Instant::now();
        let found = spread(rt, &rod, steps / 2)?;
        let in_chain = rate(start);
        let start = Instant::now();
        let staged = spread_in_stages(rt, &rod, steps)?;
        let in_stages = rate(start);
        compare(&rod, steps, &found)?;
        check::equal("temperature in one launch", &staged, &found)?;
        let exact = exact(n, steps);
        let off = found.iter().zip(&exact).map(|(u, e)| (f64::from(*u) - e).abs());
        let off = off.fold(0.0, f64::max);
        if off > 1e-4 * f64::from(HOT) {
            return Err(format!("after {steps} steps: off the exact solution by {off}").into());
        }
        println!(
            "{n} points, {steps} steps: {in_chain:.0} million points/s in launches, {in_stages:.0} \
             in one, {off:.1e} off the exact"
        );
        curves.push((steps, found));
    }
    let path = options.output("heat.png")?;
    write_png(&path, &draw(&curves))?;
    println!("all equal to a plain loop, bit for bit; see {}", path.display());
    Ok(())
}

/// `n` points between two ends, cold but for the left one.
pub(crate) fn cold_rod(n: usize) -> Vec<f32> {
    let mut rod = vec![0.0; n + 2];
    rod[0] = HOT;
    rod
}

/// Takes the steps again, sequentially.
pub(crate) fn compare(rod: &[f32], steps: u64, found: &[f32]) -> Result {
    let mut old = rod.to_vec();
    let mut new = rod.to_vec();
    for _ in 0..steps {
        for (new, old) in new[1..].iter_mut().zip(old.windows(3)) {
            *new = C * (old[2] - 2.0 * old[1] + old[0]) + old[1];
        }
        new[rod.len() - 1] = old[rod.len() - 2];
        std::mem::swap(&mut old, &mut new);
    }
    Ok(check::equal("temperature", found, &old)?)
}

/// The exact solution while the heat has not reached the right end: a random walk of `steps` steps
/// reaches each point this often.
fn exact(n: usize, steps: u64) -> Vec<f64> {
    let mut exact = vec![0.0; n + 2];
    let mut chance = 0.5_f64.powf(steps as f64);
    for k in 0..=steps {
        let end = 2 * k as i64 - steps as i64;
        for (i, exact) in exact.iter_mut().enumerate() {
            let i = i as i64;
            *exact += f64::from(HOT) * chance * f64::from(u8::from(end >= i) + u8::from(end > i));
        }
        chance *= (steps - k) as f64 / (k + 1) as f64;
    }
    exact
}

/// The temperature of the left part of the rod, one strip and one curve for each time.
fn draw(curves: &[(u64, Vec<f32>)]) -> Canvas {
    const WIDTH: usize = 640;
    const HEIGHT: usize = 240;
    let shown = curves.iter().flat_map(|(_, rod)| rod.iter().rposition(|&u| u > 0.5)).max();
    let points = shown.unwrap_or(0) + 2;
    let n = curves.first().map_or(0, |(_, rod)| rod.len());
    let at = |rod: &[f32], x: usize| {
        let point = |k: usize| rod[k.min(n - 1)];
        let (k, between) = (x * points / WIDTH, (x * points % WIDTH) as f32 / WIDTH as f32);
        point(k) + (point(k + 1) - point(k)) * between
    };
    let mut canvas = Canvas::new(WIDTH + 60, HEIGHT + 58 + 34 * curves.len(), PAPER);
    canvas.text(40, 8, 2, INK, "Temperature along a rod");
    for degrees in (0..=100).step_by(25) {
        let y = 28 + (HEIGHT - 1) * (100 - degrees) / 100;
        canvas.fill(40, y, WIDTH, 1, [225; 3]);
        canvas.text(12, y.saturating_sub(3), 1, INK, &degrees.to_string());
    }
    for (k, (steps, rod)) in curves.iter().enumerate() {
        let hue = colour((k + 1) as f32 / (curves.len() + 2) as f32);
        let height = |x| (at(rod, x) / HOT * (HEIGHT - 1) as f32) as usize;
        for x in 0..WIDTH {
            let (here, next) = (height(x), height(x + 1));
            let low = here.min(next);
            let rise = here.max(next) - low + 2;
            canvas.fill(40 + x, 28 + (HEIGHT - low).saturating_sub(rise), 1, rise, hue);
        }
        let top = 34 + HEIGHT + 34 * k;
        let strip = Canvas::from_fn(WIDTH, 16, |x, _| colour(at(rod, x) / HOT));
        canvas.put(40, top, &strip);
        canvas.text(40, top + 19, 1, hue, &format!("after {steps} steps"));
    }
    let shown = format!("the first {} of {n} points, the hot end on the left", points.min(n));
    canvas.text(40, 40 + HEIGHT + 34 * curves.len(), 1, INK, &shown);
    canvas
}
