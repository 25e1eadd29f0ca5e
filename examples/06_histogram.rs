//! Shows:  atomic cells that all items of a launch share.
//! Run:    cargo run --release --example 06_histogram
//! Prints: the darkest, most frequent and brightest values of a video; leaves out/histogram.png.
#![allow(clippy::print_stdout, reason = "an example talks to its reader")]

use flash::prelude::*;
use flash_examples::canvas::{Canvas, INK, PAPER, text_width};
use flash_examples::picture::write_png;
use flash_examples::y4m::Reader;
use flash_examples::{Options, Result, assets, check};

/// Counts how often each value occurs.
#[flash::kernel]
pub(crate) fn histogram(values: &[u8], bins: &[Atomic<u32>]) {
    let value = values[global_id(0)];
    bins[value as usize].fetch_add(1);
}

/// Runs the kernel.
pub(crate) fn count(rt: &Runtime, values: &[u8]) -> flash::Result<Vec<u32>> {
    let mut bins = Buffer::zeros(256);
    rt.submit(histogram(values, &mut bins)).exec([values.len()])?;
    bins.to_vec()
}

fn main() -> std::process::ExitCode {
    flash_examples::run(|options| run(&Runtime::new()?, options))
}

/// The whole example.
pub(crate) fn run(rt: &Runtime, options: &Options) -> Result {
    let mut reader = Reader::open(&assets::video())?;
    let frames = reader.read_frames(options.size.pick(1, usize::MAX, usize::MAX))?;
    let values: Vec<u8> = frames.into_iter().flat_map(|frame| frame.y).collect();
    let bins = count(rt, &values)?;
    compare(&values, &bins)?;

    let path = options.output("histogram.png")?;
    write_png(&path, &plot(&bins, values.len()))?;
    let (mode, &n) = bins.iter().enumerate().max_by_key(|&(_, n)| n).unwrap_or((0, &0));
    println!("{} pixels, counts equal to those of a plain loop", values.len());
    println!(
        "darkest {}, most frequent {mode} ({n} times), brightest {}; see {}",
        bins.iter().position(|&n| n > 0).unwrap_or(0),
        bins.iter().rposition(|&n| n > 0).unwrap_or(0),
        path.display()
    );
    Ok(())
}

/// Counts again, sequentially.
pub(crate) fn compare(values: &[u8], bins: &[u32]) -> Result {
    let mut expected = vec![0_u32; 256];
    for &value in values {
        expected[usize::from(value)] += 1;
    }
    Ok(check::equal("count", bins, &expected)?)
}

/// A bar for each value.
fn plot(bins: &[u32], n: usize) -> Canvas {
    const BAR: usize = 3;
    const HEIGHT: usize = 300;
    const LEFT: usize = 60;
    const TOP: usize = 40;
    let (right, bottom) = (LEFT + 256 * BAR, TOP + HEIGHT);
    let mut canvas = Canvas::new(right + 30, bottom + 50, PAPER);
    let share = |count: f64| count / n.max(1) as f64 * 100.0;
    let most = bins.iter().copied().max().unwrap_or(0).max(1);
    // Whole or half percents as lines, at most eight.
    let highest = share(f64::from(most));
    let step = [0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 20.0].into_iter().find(|s| highest / s <= 8.0);
    let step = step.unwrap_or(50.0);
    let y = |percent: f64| bottom - (percent / highest * HEIGHT as f64) as usize;
    for k in 0..=(highest / step) as usize {
        let percent = k as f64 * step;
        canvas.fill(LEFT, y(percent), 256 * BAR, 1, [220, 220, 214]);
        let label = format!("{percent:.1} %");
        canvas.text(LEFT - 6 - text_width(&label, 1), y(percent) - 3, 1, INK, &label);
    }
    for (value, &count) in bins.iter().enumerate() {
        let top = y(share(f64::from(count)));
        canvas.fill(LEFT + value * BAR, top, BAR, bottom - top, [56, 104, 168]);
    }
    canvas.fill(LEFT, bottom, 256 * BAR, 1, INK);
    for value in (0..=255).step_by(51) {
        let label = value.to_string();
        let x = LEFT + value * BAR;
        canvas.fill(x, bottom, 1, 4, INK);
        canvas.text(x + 2 - text_width(&label, 1) / 2, bottom + 8, 1, INK, &label);
    }
    canvas.text(LEFT, 12, 2, INK, "How bright are the pixels of the clip?");
    canvas.text(LEFT, bottom + 24, 1, INK, "brightness of a pixel, 16 is black and 235 is white");
    let credit = assets::VIDEO_CREDIT;
    canvas.text(LEFT, bottom + 37, 1, [120, 120, 116], credit);
    canvas
}
