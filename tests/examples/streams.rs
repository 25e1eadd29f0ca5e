//! From file to file, from a reader of a stated rate: a host task, a copy and a kernel are under way at
//! one moment, on a real clock. On a device that takes its time, how long each of them lasts is chosen
//! so that a thread may come a tenth of a second late, for every frame; on an OpenCL device kernels and
//! copies take what they take, and one of some runs has to show it.
#![allow(clippy::unwrap_used, reason = "a test fails where something is not there")]

use std::fs::File;
use std::io::{BufReader, BufWriter, Read, Write};
use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use flash::prelude::*;
use flash_examples::SplitMix64;
use flash_examples::y4m::{Frame, Header, Reader, Writer, Y4mError};
use flash_rt::sim::{Config, Link, Run, Sim, Speed, Time};
use flash_rt::trace::{Kind, Trace};

use crate::OPENCL;
use crate::hotspot::{Chip, hotspot, warm_blocks};
use crate::sobel_video::{sobel, sobel_frame};

const MS: fn(u64) -> Duration = Duration::from_millis;

/// Gives so many bytes a second.
struct Throttled<R> {
    inner: R,
    rate: f64,
}

impl<R: Read> Read for Throttled<R> {
    fn read(&mut self, bytes: &mut [u8]) -> std::io::Result<usize> {
        let n = self.inner.read(bytes)?;
        std::thread::sleep(Duration::from_secs_f64(n as f64 / self.rate));
        Ok(n)
    }
}

/// A file that it takes this long to read so many bytes of.
fn open_slowly(path: &Path, bytes: usize, time: Duration) -> BufReader<Throttled<File>> {
    let (inner, rate) = (File::open(path).unwrap(), bytes as f64 / time.as_secs_f64());
    // No more at a time than what is asked for.
    BufReader::with_capacity(16, Throttled { inner, rate })
}

/// A machine that is busy may run one thing after another for a while.
const TRIES: usize = 40;

/// Fails unless one of some runs on an OpenCL device has a copy, a kernel and this host task at one
/// moment, by the times that the driver has noted.
fn at_once_on_opencl(task: &str, run: impl Fn(&Runtime) -> Trace) {
    if flash_tests::opencl().is_none() {
        return;
    }
    for _ in 0..TRIES {
        let rt = Runtime::builder().devices(OPENCL).trace(true).build().unwrap();
        if at_once(&run(&rt), task) {
            return;
        }
    }
    panic!("no copy and kernel beside `{task}` in {TRIES} runs");
}

/// A device whose kernels take this long, and copies a third of it.
fn device(kernel: Duration) -> Runtime {
    let link = Link { latency: kernel / 3, bytes_per_second: 0 };
    let speed = Speed { launch: kernel, up: link, down: link, ..Speed::default() };
    let (run, time) = (Run::Entry, Time::Real);
    let sim = Sim::new(Config { devices: 1, run, time, speed, ..Config::default() });
    Runtime::builder().backend(Arc::new(sim)).trace(true).build().unwrap()
}

/// Whether a copy, a kernel and this host task are under way at one moment.
fn at_once(trace: &Trace, task: &str) -> bool {
    let of = |is_it: fn(Kind) -> bool| trace.intervals().iter().filter(move |i| is_it(i.kind));
    of(|kind| kind == Kind::Task).filter(|i| i.name == task).any(|task| {
        of(|kind| kind == Kind::Kernel).any(|kernel| {
            of(|kind| matches!(kind, Kind::Upload | Kind::Download)).any(|copy| {
                let all = [task, kernel, copy];
                all.map(|i| i.begin).iter().max() < all.map(|i| i.end).iter().min()
            })
        })
    })
}

type Film = Mutex<Reader<BufReader<Throttled<File>>>>;
type Edges = Mutex<Writer<BufWriter<File>>>;

#[flash::host_task]
fn load(
    y: ViewMut<'_, u8, 2>,
    u: ViewMut<'_, u8, 2>,
    v: ViewMut<'_, u8, 2>,
    film: &Film,
) -> Result<(), Y4mError> {
    let planes = [y, u, v].map(|plane| plane.into_slice().unwrap());
    film.lock().unwrap().read_planes(planes).map(drop)
}

#[flash::host_task]
fn save(
    y: View<'_, u8, 2>,
    u: View<'_, u8, 2>,
    v: View<'_, u8, 2>,
    edges: &Edges,
) -> Result<(), Y4mError> {
    let planes = [&y, &u, &v].map(|plane| plane.as_slice().unwrap());
    edges.lock().unwrap().write_planes(planes)
}

/// Filters a film of drawn frames of this size from file to file, where it takes `time` to read one.
fn film(rt: &Runtime, [width, height]: [usize; 2], n_frames: u64, time: Duration) -> Trace {
    let folder = tempfile::tempdir().unwrap();
    let (film, edges) = (folder.path().join("film.y4m"), folder.path().join("edges.y4m"));
    let header = Header::new(width, height);
    let mut random = SplitMix64::new(2);
    let mut frame = || {
        let mut frame = Frame::zeros(&header);
        let planes = frame.planes_mut();
        planes.into_iter().flatten().for_each(|pixel| *pixel = (random.bits() >> 56) as u8);
        frame
    };
    let frames: Vec<Frame> = (0..n_frames).map(|_| frame()).collect();
    let mut writer = Writer::create(&film, header.clone()).unwrap();
    frames.iter().for_each(|frame| writer.write_planes(frame.planes()).unwrap());
    writer.finish().unwrap();

    let source = open_slowly(&film, header.frame_len(), time);
    let source = Mutex::new(Reader::new(source).unwrap());
    let sink = Mutex::new(Writer::create(&edges, header.clone()).unwrap());
    let [luma, chroma, _] = header.shapes();
    let [mut y, mut u, mut v] = [luma, chroma, chroma].map(Buffer::zeros);
    let [mut ey, mut eu, mut ev] = [luma, chroma, chroma].map(Buffer::zeros);
    let report = flash_pipeline! { in rt;
        load(&mut y, &mut u, &mut v, &source);
        for _frame in 0..n_frames {
            sobel(&y, &mut ey)[y.space()];
            sobel(&u, &mut eu)[u.space()];
            sobel(&v, &mut ev)[v.space()];
            load(&mut y, &mut u, &mut v, &source);
            save(&ey, &eu, &ev, &sink);
        }
    }
    .exec()
    .unwrap();
    sink.into_inner().unwrap().finish().unwrap();
    let found = Reader::open(&edges).unwrap().read_frames(usize::MAX).unwrap();
    let expected: Vec<Frame> = frames.iter().map(|frame| sobel_frame(&header, frame)).collect();
    assert!(found == expected, "edges differ");
    report.trace().unwrap().clone()
}

#[test]
fn a_film_is_read_copied_and_filtered_at_once() {
    // Three kernels take 450 ms; the edges of the first plane are copied from 150 ms on.
    let trace = film(&device(MS(150)), [48, 32], 3, MS(400));
    assert!(at_once(&trace, "load"), "{trace:#?}");
}

#[test]
fn a_film_is_read_copied_and_filtered_at_once_on_opencl() {
    at_once_on_opencl("load", |rt| film(rt, [640, 480], 8, MS(4)));
}

type Powers = Mutex<BufReader<Throttled<File>>>;
type Results = Mutex<BufWriter<File>>;

/// The next map of powers; nothing after the last one.
#[flash::host_task]
fn load_power(power: ViewMut<'_, f32, 2>, powers: &Powers) -> std::io::Result<()> {
    let cells = power.into_slice().unwrap();
    let mut bytes = vec![0; 4 * cells.len()];
    match powers.lock().unwrap().read_exact(&mut bytes) {
        Err(error) if error.kind() != std::io::ErrorKind::UnexpectedEof => return Err(error),
        Err(_) => return Ok(()),
        Ok(()) => {}
    }
    for (cell, bytes) in cells.iter_mut().zip(bytes.chunks(4)) {
        *cell = f32::from_le_bytes(bytes.try_into().unwrap());
    }
    Ok(())
}

#[flash::host_task]
fn save_field(field: View<'_, f32, 2>, results: &Results) -> std::io::Result<()> {
    let mut results = results.lock().unwrap();
    field.as_slice().unwrap().iter().try_for_each(|cell| results.write_all(&cell.to_le_bytes()))
}

/// One step of the heat of a chip.
fn step([rows, columns]: [usize; 2], chip: Chip, power: &[f32], old: &[f32]) -> Vec<f32> {
    let at = |y: usize, x: usize| old[y * columns + x];
    let cell = |k: usize| {
        let (y, x, t) = (k / columns, k % columns, old[k]);
        let down = at((y + 1).min(rows - 1), x) + at(y.saturating_sub(1), x) - 2.0 * t;
        let along = at(y, (x + 1).min(columns - 1)) + at(y, x.saturating_sub(1)) - 2.0 * t;
        t + chip.step * (power[k] + down * chip.down + along * chip.along + (80.0 - t) * chip.out)
    };
    (0..rows * columns).map(cell).collect()
}

/// Heats a chip of this shape under several maps of powers, from file to file, where it takes `time` to
/// read one.
fn heat(rt: &Runtime, shape: [usize; 2], n_maps: usize, time: Duration) -> Trace {
    let (temperature, first) = warm_blocks(shape, 4);
    let maps: Vec<Vec<f32>> =
        (1..=n_maps).map(|k| first.iter().map(|watts| watts / k as f32).collect()).collect();
    let folder = tempfile::tempdir().unwrap();
    let (powers, results) = (folder.path().join("powers"), folder.path().join("results"));
    let bytes: Vec<u8> = maps.iter().flatten().flat_map(|watts| watts.to_le_bytes()).collect();
    std::fs::write(&powers, bytes).unwrap();

    let source = Mutex::new(open_slowly(&powers, 4 * temperature.len(), time));
    let sink = Mutex::new(BufWriter::new(File::create(&results).unwrap()));
    let (chip, space) = (Chip::new(shape), [shape[1], shape[0]]);
    let mut power = [Buffer::zeros(shape), Buffer::zeros(shape)];
    let [mut a, mut b, mut c] = [(); 3].map(|()| Buffer::zeros(shape));
    let mut d = Buffer::from_shape(shape, &temperature[..]).unwrap();
    let mut p = rt.pipeline();
    p.push(load_power(&mut power[0], &source));
    for k in 0..n_maps {
        let now = power[k % 2].clone();
        p.push(hotspot(chip, &now, &d, &mut b).over(space));
        p.push(hotspot(chip, &now, &b, &mut a).over(space));
        p.push(hotspot(chip, &now, &a, &mut c).over(space));
        p.push(hotspot(chip, &now, &c, &mut d).over(space));
        p.push(load_power(&mut power[(k + 1) % 2], &source));
        p.push(save_field(&a, &sink)).push(save_field(&d, &sink));
    }
    let report = p.exec().unwrap();
    drop(p);
    sink.into_inner().unwrap().flush().unwrap();
    let mut expected = Vec::new();
    let mut field = temperature;
    for power in &maps {
        for _ in 0..2 {
            (0..2).for_each(|_| field = step(shape, chip, power, &field));
            expected.extend(field.iter().flat_map(|cell| cell.to_le_bytes()));
        }
    }
    assert!(std::fs::read(&results).unwrap() == expected, "results differ");
    report.trace().unwrap().clone()
}

#[test]
fn the_heat_of_a_chip_is_read_copied_and_computed_at_once() {
    // Four kernels for each map, 600 ms; the first result is copied from 300 ms on.
    let trace = heat(&device(MS(150)), [12, 20], 3, MS(500));
    assert!(at_once(&trace, "load_power"), "{trace:#?}");
}

#[test]
fn the_heat_of_a_chip_is_read_copied_and_computed_at_once_on_opencl() {
    at_once_on_opencl("load_power", |rt| heat(rt, [400, 400], 8, MS(4)));
}
