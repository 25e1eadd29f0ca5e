//! Shows:  a loop inside of a pipeline that a reduction ends; `swap`.
//! Run:    cargo run --release --example 09_relaxation
//! Prints: the sweeps until a plate has settled, and their rate; leaves out/relaxation.png.
#![allow(clippy::print_stdout, reason = "an example talks to its reader")]

use flash::prelude::*;
use flash_examples::canvas::{Canvas, INK, PAPER, heat};
use flash_examples::picture::write_png;
use flash_examples::{Options, Progress, Result, check};

/// Sweeps between two looks at the change.
const SWEEPS: u32 = 50;

/// Each inner point becomes the mean of its neighbours; `change` is the largest difference made.
#[flash::kernel]
pub(crate) fn relax(
    old: View<'_, f32, 2>,
    #[out(partial)] new: ViewMut<'_, f32, 2>,
    #[reduce(max)] change: &mut f32,
) {
    let (j, i) = (global_id(1), global_id(0));
    let mean =
        0.25 * ((old[[j, i + 1]] + old[[j + 2, i + 1]]) + (old[[j + 1, i]] + old[[j + 1, i + 2]]));
    new[[j + 1, i + 1]] = mean;
    *change = change.max(math::abs(mean - old[[j + 1, i + 1]]));
}

/// Counts rounds and shows their progress.
#[flash::host_task]
fn count(rounds: &mut u32, progress: &Progress) {
    *rounds += 1;
    progress.tick();
}

/// Sweeps over a plate, in rounds of [`SWEEPS`], until the last sweep changes nothing by more than
/// `tolerance`. The plate after that, the number of sweeps and the last change.
pub(crate) fn settle(
    rt: &Runtime,
    [h, w]: [usize; 2],
    plate: &[f32],
    tolerance: f32,
    progress: &Progress,
) -> flash::Result<(Vec<f32>, u32, f32)> {
    let old = Buffer::from_shape([h, w], plate)?;
    let mut new = Buffer::from_shape([h, w], plate)?;
    let (mut change, mut rounds) = (Var::new(f32::INFINITY), Var::new(0));
    // Heat needs about as many sweeps as the plate has points to come to rest.
    let limit = 20 + (h.max(w) * h.max(w)) as u64 / 25;
    flash_pipeline! { in rt;
        while &change > tolerance, max limit {
            for _sweep in 0..SWEEPS {
                relax(&old, &mut new, &mut change)[w - 2, h - 2];
                swap(old, new);
            }
            count(&mut rounds, progress);
        }
    }
    .exec()?;
    Ok((old.to_vec()?, SWEEPS * rounds.get()?, change.get()?))
}

fn main() -> std::process::ExitCode {
    flash_examples::run(|options| run(&Runtime::new()?, options))
}

/// The whole example.
pub(crate) fn run(rt: &Runtime, options: &Options) -> Result {
    let ([h, w], tolerance) =
        options.size.pick(([20, 26], 0.05), ([120, 160], 1e-4), ([1024, 1024], 1e-3));
    let plate = warm_plate([h, w]);
    let progress = Progress::spinner(&format!("rounds of {SWEEPS} sweeps"));
    let (settled, sweeps, change) = settle(rt, [h, w], &plate, tolerance, &progress)?;
    let seconds = progress.finish().as_secs_f64();
    compare([h, w], &plate, tolerance, (sweeps, &settled, change))?;

    let path = options.output("relaxation.png")?;
    write_png(&path, &draw([h, w], &settled, sweeps))?;
    println!("{h}x{w} points: {sweeps} sweeps, {:.0} sweeps/s", f64::from(sweeps) / seconds);
    println!("last change {change:.5}, all points equal to a plain loop; see {}", path.display());
    Ok(())
}

/// Cold but for the middle of the left edge and two thirds of the top.
pub(crate) fn warm_plate([h, w]: [usize; 2]) -> Vec<f32> {
    let mut plate = vec![0.0; h * w];
    plate[..w * 2 / 3].fill(100.0);
    for row in h / 3..h * 2 / 3 {
        plate[row * w] = 80.0;
    }
    plate
}

/// Sweeps again, sequentially, and says itself when that has settled.
pub(crate) fn compare(
    [h, w]: [usize; 2],
    plate: &[f32],
    tolerance: f32,
    (sweeps, settled, change): (u32, &[f32], f32),
) -> Result {
    let mut old = plate.to_vec();
    let mut new = plate.to_vec();
    let (mut expected_sweeps, mut expected_change) = (0, f32::INFINITY);
    while expected_sweeps % SWEEPS != 0 || expected_change > tolerance {
        expected_sweeps += 1;
        expected_change = 0.0;
        for row in 1..h - 1 {
            let lines = &old[(row - 1) * w..(row + 2) * w];
            for x in 1..w - 1 {
                let vertical = lines[x] + lines[2 * w + x];
                let horizontal = lines[w + x - 1] + lines[w + x + 1];
                let mean = 0.25 * (vertical + horizontal);
                new[row * w + x] = mean;
                expected_change = expected_change.max((mean - lines[w + x]).abs());
            }
        }
        std::mem::swap(&mut old, &mut new);
    }
    check::equal("sweeps", &[sweeps], &[expected_sweeps])?;
    check::equal("temperature", settled, &old)?;
    Ok(check::equal("last change", &[change], &[expected_change])?)
}

/// Temperatures as colours, lines every ten degrees, a scale on the right.
fn draw([h, w]: [usize; 2], plate: &[f32], sweeps: u32) -> Canvas {
    let scale = (360 / h).max(1);
    let (width, height) = (w * scale, h * scale);
    let mut canvas = Canvas::new(width + 90, height + 52, PAPER);
    let at = |x: usize, y: usize| plate[(y / scale).min(h - 1) * w + (x / scale).min(w - 1)];
    let tens = |x: usize, y: usize| (at(x, y) / 10.0) as i32;
    let field = Canvas::from_fn(width, height, |x, y| {
        let line = tens(x, y) != tens(x + 1, y) || tens(x, y) != tens(x, y + 1);
        if line { [255; 3] } else { heat(at(x, y) / 100.0) }
    });
    canvas.put(10, 32, &field);
    let bar = Canvas::from_fn(14, height, |_, y| heat(1.0 - y as f32 / height as f32));
    canvas.put(width + 24, 32, &bar);
    for degrees in (0..=100).step_by(20) {
        let y = 32 + (height - 1) * (100 - degrees) / 100;
        canvas.fill(width + 38, y, 4, 1, INK);
        canvas.text(width + 46, y.saturating_sub(3), 1, INK, &degrees.to_string());
    }
    canvas.text(10, 10, 2, INK, &format!("Temperature after {sweeps} sweeps"));
    canvas.text(10, height + 38, 1, INK, "edges held; lines every 10 degrees");
    canvas
}
