//! Shows:  a real video through a pipeline: host tasks that read and write, kernels between them.
//! Run:    cargo run --release --example 02_sobel_video
//! Prints: frames per second from file or memory to file or memory; leaves out/sobel.{y4m,png}.
#![allow(clippy::print_stdout, reason = "an example talks to its reader")]

use std::fs::File;
use std::io::{BufReader, BufWriter};
use std::sync::{Mutex, MutexGuard, PoisonError};

use flash::prelude::*;
use flash_examples::canvas::{Canvas, contact_sheet};
use flash_examples::picture::write_png;
use flash_examples::y4m::{Frame, Header, Reader, Writer, Y4mError};
use flash_examples::{Mismatch, Options, Progress, Result, assets, check};

/// The strength of edges: how fast brightness changes across and down, as one number. Sums of pixels fit
/// into 16 bits, of which a vector holds twice as many.
#[flash::kernel]
pub(crate) fn sobel(im: View<'_, u8, 2>, #[out(partial)] out: ViewMut<'_, u8, 2>) {
    let (j, i) = (global_id(1), global_id(0));
    let (h, w) = (im.extent(0), im.extent(1));
    if j > 0 && j + 1 < h && i > 0 && i + 1 < w {
        let above =
            im[[j - 1, i - 1]] as i16 + 2 * im[[j - 1, i]] as i16 + im[[j - 1, i + 1]] as i16;
        let below =
            im[[j + 1, i - 1]] as i16 + 2 * im[[j + 1, i]] as i16 + im[[j + 1, i + 1]] as i16;
        let left =
            im[[j - 1, i - 1]] as i16 + 2 * im[[j, i - 1]] as i16 + im[[j + 1, i - 1]] as i16;
        let right =
            im[[j - 1, i + 1]] as i16 + 2 * im[[j, i + 1]] as i16 + im[[j + 1, i + 1]] as i16;
        let (down, across) = ((below - above) as i32, (right - left) as i32);
        let strength = math::sqrt((down * down + across * across) as f32);
        out[[j, i]] = if strength > 255.0 { 255 } else { strength as u8 };
    }
}

/// The next frame, from a file or from memory; nothing after the last one.
#[flash::host_task]
fn load(
    y: ViewMut<'_, u8, 2>,
    u: ViewMut<'_, u8, 2>,
    v: ViewMut<'_, u8, 2>,
    source: &Mutex<Source>,
) -> Result<(), Y4mError> {
    let planes = [y, u, v].map(|plane| plane.into_slice().unwrap_or_default());
    match &mut *lock(source) {
        Source::File(reader) => reader.read_planes(planes).map(drop),
        Source::Memory(frames) => {
            if let Some(frame) = frames.next() {
                for (plane, from) in planes.into_iter().zip(frame.planes()) {
                    plane.copy_from_slice(from);
                }
            }
            Ok(())
        }
    }
}

/// A finished frame, to a file or to memory.
#[flash::host_task]
fn save(
    y: View<'_, u8, 2>,
    u: View<'_, u8, 2>,
    v: View<'_, u8, 2>,
    sink: &Mutex<Sink>,
    progress: &Progress,
) -> Result<(), Y4mError> {
    let [y, u, v] = [y, u, v].map(|plane| plane.as_slice().unwrap_or_default().to_vec());
    let frame = Frame { y, u, v };
    progress.tick();
    match &mut *lock(sink) {
        Sink::File(writer) => writer.write_planes(as_video(frame).planes()),
        Sink::Memory(frames) => {
            frames.push(frame);
            Ok(())
        }
    }
}

/// Where frames come from.
pub(crate) enum Source {
    File(Reader<BufReader<File>>),
    Memory(std::vec::IntoIter<Frame>),
}

/// Where frames go.
pub(crate) enum Sink {
    File(Writer<BufWriter<File>>),
    Memory(Vec<Frame>),
}

/// The pipeline. While a frame is saved and the next one loaded, kernels work on what is ready.
pub(crate) fn filter(
    rt: &Runtime,
    header: &Header,
    n_frames: u64,
    source: &Mutex<Source>,
    sink: &Mutex<Sink>,
    progress: &Progress,
) -> flash::Result<Report> {
    let [luma, chroma, _] = header.shapes();
    let (mut y, mut u, mut v) = (Buffer::zeros(luma), Buffer::zeros(chroma), Buffer::zeros(chroma));
    let (mut ey, mut eu, mut ev) =
        (Buffer::zeros(luma), Buffer::zeros(chroma), Buffer::zeros(chroma));
    let (sy, su, sv) = (Buffer::zeros(luma), Buffer::zeros(chroma), Buffer::zeros(chroma));
    flash_pipeline! { in rt;
        load(&mut y, &mut u, &mut v, source);
        for _frame in 0..n_frames {
            sobel(&y, &mut ey)[y.space()];
            sobel(&u, &mut eu)[u.space()];
            sobel(&v, &mut ev)[v.space()];
            load(&mut y, &mut u, &mut v, source);
            swap(ey, sy);
            swap(eu, su);
            swap(ev, sv);
            save(&sy, &su, &sv, sink, progress);
        }
    }
    .exec()
}

fn main() -> std::process::ExitCode {
    flash_examples::run(|options| run(&Runtime::new()?, options))
}

/// The whole example: four variants, one result.
pub(crate) fn run(rt: &Runtime, options: &Options) -> Result {
    let clip = assets::video();
    let mut reader = Reader::open(&clip)?;
    let header = reader.header().clone();
    let frames = reader.read_frames(options.size.pick(3, usize::MAX, usize::MAX))?;
    let expected: Vec<Frame> = frames.iter().map(|frame| sobel_frame(&header, frame)).collect();
    let video = options.output("sobel.y4m")?;

    for (name, from_file, to_file) in [
        ("file to file", true, true),
        ("file to memory", true, false),
        ("memory to file", false, true),
        ("memory to memory", false, false),
    ] {
        let source = Mutex::new(if from_file {
            Source::File(Reader::open(&clip)?)
        } else {
            Source::Memory(frames.clone().into_iter())
        });
        let sink = Mutex::new(if to_file {
            Sink::File(Writer::create(&video, header.clone())?)
        } else {
            Sink::Memory(Vec::new())
        });
        let progress = Progress::new(frames.len() as u64, "frames");
        filter(rt, &header, frames.len() as u64, &source, &sink, &progress)?;
        let seconds = progress.finish().as_secs_f64();

        match sink.into_inner().unwrap_or_else(PoisonError::into_inner) {
            Sink::Memory(found) => compare(name, &found, &expected)?,
            Sink::File(writer) => {
                writer.finish()?;
                let found = Reader::open(&video)?.read_frames(usize::MAX)?;
                let expected: Vec<Frame> = expected.iter().cloned().map(as_video).collect();
                compare(name, &found, &expected)?;
            }
        }
        println!("{name:>16}: {:6.0} frames/s", frames.len() as f64 / seconds);
    }

    let sheet = options.output("sobel.png")?;
    write_png(&sheet, &draw(&header, &frames, &expected))?;
    println!(
        "{} frames of {}x{}, all equal to a plain loop; see {} and {}",
        frames.len(),
        header.width,
        header.height,
        video.display(),
        sheet.display()
    );
    Ok(())
}

/// Compares every plane of every frame.
pub(crate) fn compare(what: &str, found: &[Frame], expected: &[Frame]) -> Result<(), Mismatch> {
    if found.len() != expected.len() {
        return Err(Mismatch::new(&format!("{what}, frames"), expected.len(), found.len()));
    }
    for (k, (found, expected)) in found.iter().zip(expected).enumerate() {
        for (name, (found, expected)) in
            ["Y", "U", "V"].iter().zip(found.planes().into_iter().zip(expected.planes()))
        {
            check::equal(&format!("{what}, frame {k}, plane {name}"), found, expected)?;
        }
    }
    Ok(())
}

/// In a video file, 128 means no colour: that is where an edge of strength 0 belongs.
fn as_video(mut frame: Frame) -> Frame {
    for plane in [&mut frame.u, &mut frame.v] {
        plane.iter_mut().for_each(|strength| *strength = 128 + *strength / 2);
    }
    frame
}

/// One frame, sequentially.
pub(crate) fn sobel_frame(header: &Header, frame: &Frame) -> Frame {
    let mut edges = Frame::zeros(header);
    for ((input, output), [rows, columns]) in
        frame.planes().into_iter().zip(edges.planes_mut()).zip(header.shapes())
    {
        sobel_plane(rows, columns, input, output);
    }
    edges
}

/// One plane, sequentially: the root of the sum of squares is rounded down without floats.
fn sobel_plane(rows: usize, columns: usize, input: &[u8], output: &mut [u8]) {
    for y in 1..rows.saturating_sub(1) {
        for x in 1..columns.saturating_sub(1) {
            let mut gradient = [0_i32; 2];
            for (dy, row) in [-1, 0, 1].into_iter().zip(y - 1..) {
                for (dx, column) in [-1, 0, 1].into_iter().zip(x - 1..) {
                    let value = i32::from(input[row * columns + column]);
                    gradient[0] += dy * (2 - i32::abs(dx)) * value;
                    gradient[1] += dx * (2 - i32::abs(dy)) * value;
                }
            }
            let squares = (gradient[0] * gradient[0] + gradient[1] * gradient[1]) as u32;
            output[y * columns + x] = squares.isqrt().min(255) as u8;
        }
    }
}

/// Eight moments of the clip: each picture over its edges.
fn draw(header: &Header, frames: &[Frame], edges: &[Frame]) -> Canvas {
    let n = frames.len().min(8);
    let columns = n.min(4);
    let chosen: Vec<usize> = (0..n).map(|k| k * (frames.len() - 1) / (n - 1).max(1)).collect();
    let mut cells = Vec::new();
    for row in chosen.chunks(columns) {
        for &k in row {
            cells.push((format!("frame {k}"), Canvas::video(header.width, frames[k].planes())));
        }
        for &k in row {
            let picture = Canvas::grey(header.width, header.height, &edges[k].y);
            cells.push((format!("edges of frame {k}"), picture));
        }
    }
    contact_sheet(columns, &cells, assets::VIDEO_CREDIT)
}

/// A task that failed while it held the lock has reported its own error.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
