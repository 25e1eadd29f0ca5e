//! Shows:  an argument that is evaluated in each trip of a loop; two pictures that change places, so
//!         that a kernel draws the next one while a host task stores the last.
//! Run:    cargo run --release --example 03_mandelbrot
//! Prints: pictures per second and the points that escape fast; leaves out/mandelbrot*.png.
#![allow(clippy::print_stdout, reason = "an example talks to its reader")]

use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

use flash::prelude::*;
use flash_examples::canvas::{Canvas, contact_sheet, heat};
use flash_examples::picture::{PictureError, write_png};
use flash_examples::{Options, Progress, Result, check};

/// The part of the plane that a picture shows.
#[derive(Clone, Copy, Debug, flash::Pod)]
#[repr(C)]
pub(crate) struct Window {
    pub(crate) x1: f32,
    pub(crate) x2: f32,
    pub(crate) y1: f32,
    pub(crate) y2: f32,
}

/// Around a valley at the edge of the set.
pub(crate) const START: Window = Window { x1: -1.9936, x2: 0.5064, y1: -1.1182, y2: 1.3818 };
/// What each picture cuts from each side of the one before.
pub(crate) const ZOOM: f32 = 0.12;
/// A point that escapes in fewer steps does so fast.
const FAST: i32 = 10;

/// The number of steps until the point escapes, at most `limit`.
#[flash::kernel(inputs = 2, part_by)]
pub(crate) fn mandelbrot(window: Window, limit: i32, #[out] image: ViewMut<'_, i32, 2>) {
    let (a, b) = (global_id(0), global_id(1));
    let x0 = window.x1 + (window.x2 - window.x1) / global_size(0) as f32 * a as f32;
    let y0 = window.y1 + (window.y2 - window.y1) / global_size(1) as f32 * b as f32;
    let mut x = 0.0_f32;
    let mut y = 0.0_f32;
    let mut k = 0;
    while x * x + y * y <= 4.0 && k < limit {
        let t = x * x - y * y + x0;
        y = 2.0 * x * y + y0;
        x = t;
        k += 1;
    }
    image[[b, a]] = k;
}

/// Counts, colours and writes a picture.
#[flash::host_task]
fn store(
    image: View<'_, i32, 2>,
    album: &Mutex<Album>,
    progress: &Progress,
) -> Result<(), PictureError> {
    let [height, width] = image.shape();
    let steps = image.as_slice().unwrap_or_default().to_vec();
    let mut album = album.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(folder) = &album.folder {
        let picture =
            Canvas::from_fn(width, height, |x, y| colour(steps[y * width + x], album.limit));
        write_png(&folder.join(format!("{:03}.png", album.images.len())), &picture)?;
        let label = format!("picture {}", album.images.len());
        album.sheet.push((label, picture.shrunk(width.div_ceil(256))));
    }
    album.images.push(steps);
    progress.tick();
    Ok(())
}

/// What the host task keeps.
#[derive(Default)]
pub(crate) struct Album {
    /// Where the pictures go; none are written without it.
    folder: Option<PathBuf>,
    limit: i32,
    sheet: Vec<(String, Canvas)>,
    /// The steps of every point of every picture.
    pub(crate) images: Vec<Vec<i32>>,
}

/// Black inside of the set, brighter the longer a point outside takes.
fn colour(k: i32, limit: i32) -> [u8; 3] {
    if k == limit { [0; 3] } else { heat((k as f32).ln_1p() / (limit as f32).ln_1p()) }
}

/// The windows of a zoom: each cuts `zoom` of its size from each side of the one before.
pub(crate) fn windows(start: Window, zoom: f32, n: usize) -> Vec<Window> {
    std::iter::successors(Some(start), |last| {
        let (w, h) = (last.x2 - last.x1, last.y2 - last.y1);
        Some(Window {
            x1: last.x1 + zoom * w,
            x2: last.x2 - zoom * w,
            y1: last.y1 + zoom * h,
            y2: last.y2 - zoom * h,
        })
    })
    .take(n)
    .collect()
}

/// The pipeline: kernel, host task, kernel, host task, .. over two images.
pub(crate) fn zoom(
    rt: &Runtime,
    [width, height]: [usize; 2],
    windows: &[Window],
    limit: i32,
    album: &Mutex<Album>,
    progress: &Progress,
) -> flash::Result<Report> {
    let (mut image, last) = (Buffer::zeros([height, width]), Buffer::zeros([height, width]));
    flash_pipeline! { in rt;
        for k in 0..windows.len() {
            mandelbrot(windows[k], limit, &mut image)[width, height];
            swap(image, last);
            store(&last, album, progress);
        }
    }
    .exec()
}

fn main() -> std::process::ExitCode {
    flash_examples::run(|options| run(&Runtime::new()?, options))
}

/// The whole example.
pub(crate) fn run(rt: &Runtime, options: &Options) -> Result {
    let (size, n, limit) =
        options.size.pick(([64, 48], 3, 100), ([512, 512], 20, 400), ([4096, 4096], 100, 1000));
    let first = options.output("mandelbrot/000.png")?;
    let folder = first.parent().map(PathBuf::from);
    let album = Mutex::new(Album { folder, limit, ..Album::default() });
    let (windows, progress) = (windows(START, ZOOM, n), Progress::new(n as u64, "pictures"));
    zoom(rt, size, &windows, limit, &album, &progress)?;
    let seconds = progress.finish().as_secs_f64();

    let album = album.into_inner().unwrap_or_else(PoisonError::into_inner);
    let caption =
        format!("{ZOOM} cut from each side at each step; black: no escape in {limit} steps");
    let sheet = options.output("mandelbrot.png")?;
    write_png(&sheet, &contact_sheet(5, &album.sheet, &caption))?;

    compare(size, &windows, limit, &album.images)?;
    let fast: Vec<usize> = album.images.iter().map(|image| count_fast(image)).collect();
    println!("{n} pictures of {}x{}: {:.1} pictures/s", size[0], size[1], n as f64 / seconds);
    println!("points that escape in fewer than {FAST} steps: {fast:?}");
    println!("all equal to a plain loop; see {} and {}", sheet.display(), first.display());
    Ok(())
}

/// Points that escape fast.
pub(crate) fn count_fast(image: &[i32]) -> usize {
    image.iter().filter(|&&k| k < FAST).count()
}

/// Computes every picture again, sequentially.
pub(crate) fn compare(
    [width, height]: [usize; 2],
    windows: &[Window],
    limit: i32,
    images: &[Vec<i32>],
) -> Result {
    check::equal("number of pictures", &[images.len()], &[windows.len()])?;
    for (k, (window, image)) in windows.iter().zip(images).enumerate() {
        let step_x = (window.x2 - window.x1) / width as f32;
        let step_y = (window.y2 - window.y1) / height as f32;
        let mut expected = Vec::with_capacity(width * height);
        for b in 0..height {
            for a in 0..width {
                let c = (window.x1 + step_x * a as f32, window.y1 + step_y * b as f32);
                expected.push(steps_to_escape(c, limit));
            }
        }
        check::equal(&format!("picture {k}"), image, &expected)?;
    }
    Ok(())
}

fn steps_to_escape(c: (f32, f32), limit: i32) -> i32 {
    let mut z = (0.0_f32, 0.0_f32);
    for k in 0..limit {
        let squares = (z.0 * z.0, z.1 * z.1);
        if squares.0 + squares.1 > 4.0 {
            return k;
        }
        z = (squares.0 - squares.1 + c.0, 2.0 * z.0 * z.1 + c.1);
    }
    limit
}
