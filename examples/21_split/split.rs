//! The workloads, the devices that they are split over, and what each of them did. It holds no
//! kernel: those are where the workloads are.
#![allow(clippy::print_stdout, reason = "an example talks to its reader")]

use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use flash::prelude::*;
use flash::sim::{Config, Run, Sim, Speed, Time, What};
use flash::trace::{Interval, Kind};
use flash_examples::canvas::{Canvas, Colour, INK, PAPER, contact_sheet};
use flash_examples::picture::write_png;
use flash_examples::{Options, Progress, Result, Size, check};

use crate::{convolution, hotspot, mandelbrot, matrix_product, wave};

/// The colours of the processor and of the two devices.
const COLOURS: [Colour; 3] = [[86, 156, 255], [255, 170, 60], [110, 205, 110]];

/// All of the set.
const ALL: mandelbrot::Window = mandelbrot::Window { x1: -2.3, x2: 0.8, y1: -1.55, y2: 1.55 };

/// Pixels of a side of a picture.
const SIDE: usize = 256;

/// What a workload leaves.
struct Outcome {
    /// Every bit of it.
    bits: Vec<u32>,
    /// Its last field: columns, and brightness from 0 to 1 row by row.
    field: (usize, Vec<f32>),
    /// Which device computed each block of it, if it was not split by rows.
    blocks: Option<([usize; 2], Vec<u32>)>,
}

impl Outcome {
    fn new(width: usize, all: &[Vec<f32>], shade: impl Fn(f32) -> f32) -> Self {
        let bits = all.iter().flatten().map(|value| value.to_bits()).collect();
        let last = all.last().map_or(&[][..], Vec::as_slice);
        let field = (width, last.iter().map(|&value| shade(value).clamp(0.0, 1.0)).collect());
        Self { bits, field, blocks: None }
    }
}

/// Rings around the middle.
fn rings(n: usize) -> Vec<f32> {
    let height = |k: usize| {
        let [x, y] = [k % n, k / n].map(|at| at as f32 / n as f32 - 0.5);
        let far = (x * x + y * y).sqrt();
        (50.0 * far).cos() * (-12.0 * far * far).exp()
    };
    (0..n * n).map(height).collect()
}

/// Waves, so many of them down and across.
fn waves([rows, columns]: [usize; 2], [down, across]: [f32; 2]) -> Vec<f32> {
    let turns = |k: usize| {
        down * (k / columns) as f32 / rows as f32 + across * (k % columns) as f32 / columns as f32
    };
    (0..rows * columns).map(|k| (std::f32::consts::TAU * turns(k)).cos()).collect()
}

type Builder = flash::Builder<flash::Enabled>;
type Workload = Box<dyn Fn(&Runtime) -> Result<Outcome>>;

/// Names, work items of all launches, and what runs them.
fn workloads(size: Size) -> Vec<(&'static str, u64, Workload)> {
    let (side, n) = size.pick((24, 24), (1024, 2048), (4096, 4096));
    let (pixels_of_picture, field) = ((side * side) as u64, (n * n) as u64);
    let limit = size.pick(50, 300, 1000);
    let quiet = || Progress::spinner("");
    let mandelbrot: Workload = Box::new(move |rt| {
        let album = Mutex::new(mandelbrot::Album::default());
        let windows = mandelbrot::windows(ALL, 0.05, 3);
        mandelbrot::zoom(rt, [side, side], &windows, limit, &album, &quiet())?;
        let album = album.into_inner().unwrap_or_else(PoisonError::into_inner).images;
        let all: Vec<Vec<f32>> =
            album.iter().map(|image| image.iter().map(|&k| k as f32).collect()).collect();
        let most = (limit as f32).ln_1p();
        Ok(Outcome::new(side, &all, |k| if k as i32 == limit { 0.0 } else { k.ln_1p() / most }))
    });
    let (temperature, power) = hotspot::warm_blocks([n, n], 6);
    let hotspot: Workload = Box::new(move |rt| {
        let (album, _) = hotspot::simulate(rt, [n, n], &temperature, &power, 3, &quiet())?;
        let last = album.last().map_or(&[][..], Vec::as_slice);
        let hottest = last.iter().copied().fold(81.0, f32::max);
        Ok(Outcome::new(n, &album, |t| 0.15 + 0.85 * (t - 80.0) / (hottest - 80.0)))
    });
    let (start, speed) = (rings(n), wave::layers([n, n]));
    let steps = size.pick(4, 24, 48);
    let wave: Workload = Box::new(move |rt| {
        let film = wave::simulate(rt, [n, n], &start, &speed, [1, steps], &quiet())?;
        Ok(Outcome::new(n, &film, |height| 0.5 + 0.5 * height))
    });
    let shape @ [pixels, _, channels] =
        size.pick([30, 21, 24], [1536, 512, 768], [3136, 512, 1024]);
    let layer = convolution::Layer::random(shape, 14);
    let convolution: Workload = Box::new(move |rt| {
        let result = convolution::apply(rt, &layer)?;
        Ok(Outcome::new(channels, &[result], |value| 0.2 + value / 40.0))
    });
    let product_shape @ [rows, inner, columns] =
        size.pick([20, 13, 24], [1536, 320, 1536], [2048, 2048, 2048]);
    let (a, b) = (waves([rows, inner], [3.0, 1.0]), waves([inner, columns], [1.0, 2.0]));
    let blocks = size.pick([3, 2], [8, 8], [8, 8]);
    let product: Workload = Box::new(move |rt| {
        let mut owners: Vec<Var<u32>> = (0..blocks[0] * blocks[1]).map(|_| Var::new(0)).collect();
        let c = matrix_product::multiply_in(rt, product_shape, &a, &b, blocks, &mut owners)?;
        let owners = owners.iter().map(Var::get).collect::<flash::Result<_>>()?;
        let most = c.iter().copied().fold(1.0, f32::max);
        let mut outcome = Outcome::new(columns, &[c], |value| 0.5 + 0.5 * value / most);
        outcome.blocks = Some((blocks, owners));
        Ok(outcome)
    });
    vec![
        ("Mandelbrot", 3 * pixels_of_picture, mandelbrot),
        ("Hotspot", 12 * field, hotspot),
        ("wave", u64::from(steps) * field, wave),
        ("convolution", (pixels * channels) as u64, convolution),
        ("product", (rows * columns) as u64, product),
    ]
}

/// The processor and two simulated devices, the first of which does so many items in a second and
/// the second half as many.
fn open(rate: u64, how: impl FnOnce(Builder) -> Builder) -> flash::Result<(Runtime, Sim)> {
    let speed = |rate| Speed { items_per_second: rate, ..Speed::default() };
    let sim = Sim::new(Config {
        devices: 2,
        run: Run::Entry,
        time: Time::Real,
        speed: speed(rate.max(2)),
        others: vec![(1, speed((rate / 2).max(1)))],
        ..Config::default()
    });
    let builder = Runtime::builder().devices("ALL_CPU").backend(Arc::new(sim.clone()));
    Ok((how(builder).build()?, sim))
}

/// What a device did.
#[derive(Clone, Copy, Default)]
struct Done {
    items: u64,
    to: u64,
    from: u64,
    /// The items of its last launch.
    last: u64,
}

/// What the devices of a simulator did.
fn done(sim: &Sim) -> [Done; 2] {
    let mut all = [Done::default(); 2];
    for call in sim.calls() {
        let done = &mut all[call.device];
        match call.what {
            What::Launch { items, .. } => (done.items, done.last) = (done.items + items, items),
            What::Upload { to, .. } => done.to += to.bytes(),
            What::Download { from, .. } => done.from += from.bytes(),
            _ => {}
        }
    }
    all
}

/// The whole example.
pub(crate) fn run(options: &Options) -> Result {
    let alone = Runtime::builder().devices("ALL_CPU").sync(true).trace(true).build()?;
    let is_small = options.size == Size::Smoke;
    println!("{:<12} {:>22} {:>22} {:>22}", "", "processor", "sim:0", "sim:1");
    let mut pictures = Vec::new();
    for (name, items, workload) in workloads(options.size) {
        let mut fastest = Duration::MAX;
        let mut expected = workload(&alone)?;
        for _ in 0..2 {
            let before = kernels(&alone);
            expected = workload(&alone)?;
            fastest = fastest.min(kernels(&alone) - before);
        }

        // Half and a quarter as fast as this processor, whichever that is.
        let (rt, sim) = open(rate(items, fastest) / 2, |builder| match name {
            // Each block is a launch of its own.
            "product" => builder.round_robin(true),
            // What takes less than a millisecond is split only where that is asked for.
            _ if is_small => builder.partitions(3),
            _ => builder,
        })?;
        // The first run measures the kernel on the processor.
        workload(&rt)?;
        sim.clear_calls();
        let found = workload(&rt)?;
        check::equal(name, &found.bits, &expected.bits)?;

        let [first, second] = done(&sim);
        let here = Done { items: items - first.items - second.items, ..Done::default() };
        let all = [here, first, second];
        let cell = |done: &Done| {
            let share = 100.0 * done.items as f64 / items as f64;
            let [to, from] = [done.to, done.from].map(|bytes| bytes as f64 / 1024.0);
            match to + from {
                0.0 => format!("{share:.0} %"),
                moved if moved < 1024.0 => format!("{share:.0} % {to:.1}+{from:.1} KiB"),
                _ => format!("{share:.0} % {:.1}+{:.1} MiB", to / 1024.0, from / 1024.0),
            }
        };
        println!("{name:<12} {:>22} {:>22} {:>22}", cell(&all[0]), cell(&all[1]), cell(&all[2]));
        let shares = all.map(|done| format!("{:.0}", 100.0 * done.items as f64 / items as f64));
        pictures.push((format!("{name}: {} %", shares.join("/")), draw(&rt, &found, &all)));
    }
    println!("share of the items, and what was copied to the device + from it");
    println!("all results equal those of the processor alone, bit for bit");
    if !is_small {
        println!("\n{}", reason(&alone)?);
    }

    let path = options.output("split.png")?;
    pictures.push((String::new(), legend()));
    let caption = "Who computed what, and shares of the work items";
    write_png(&path, &contact_sheet(3, &pictures, caption))?;
    println!("see {}", path.display());
    Ok(())
}

/// Items in a second.
fn rate(items: u64, time: Duration) -> u64 {
    (items as f64 / time.as_secs_f64().max(1e-9)) as u64
}

/// How long kernels have run.
fn kernels(rt: &Runtime) -> Duration {
    let trace = rt.trace();
    trace.intervals().iter().filter(|i| i.kind == Kind::Kernel).map(Interval::time).sum()
}

/// Why a picture is split as it is.
fn reason(alone: &Runtime) -> Result<String> {
    let draw = |rt: &Runtime, image: &mut Buffer<i32, 2>| -> Result<(Duration, Option<String>)> {
        let mut pipeline = rt.pipeline();
        pipeline.push(mandelbrot::mandelbrot(ALL, 300, image).over([1024, 1024]));
        pipeline.exec()?;
        let start = Instant::now();
        pipeline.exec()?;
        Ok((start.elapsed(), pipeline.explain()?.stages()[0].placed.clone()))
    };
    let mut image = Buffer::zeros([1024, 1024]);
    let (time, _) = draw(alone, &mut image)?;
    let (rt, _) = open(rate(1 << 20, time) / 2, |builder| builder)?;
    let (_, placed) = draw(&rt, &mut image)?;
    let placed = placed.unwrap_or_default().replace("; ", ";\n  ");
    Ok(format!("why, for a picture of 1024x1024, as `explain()` says:\n  {placed}"))
}

/// What the colours stand for.
fn legend() -> Canvas {
    let mut canvas = Canvas::new(SIDE, SIDE, PAPER);
    let names = ["the processor", "a device half as fast", "a device a quarter as fast"];
    for (k, (name, colour)) in names.into_iter().zip(COLOURS).enumerate() {
        canvas.fill(16, 70 + 44 * k, 28, 28, colour);
        canvas.text(56, 80 + 44 * k, 1, INK, name);
    }
    canvas
}

/// The last field of a workload, in the colour of the device that computed each part.
fn draw(rt: &Runtime, outcome: &Outcome, all: &[Done; 3]) -> Canvas {
    let (width, field) = (outcome.field.0, &outcome.field.1);
    let height = field.len() / width.max(1);
    // Parts lie in the order of the devices.
    let colour_of = |device: usize| match rt.devices().get(device).map(|device| device.name()) {
        Some("sim:0") => 1,
        Some("sim:1") => 2,
        _ => 0,
    };
    let sims = (all[1].last + all[2].last) as usize;
    let rows = [height - (sims / width).min(height), all[1].last as usize / width];
    let rows = |colour: usize| match colour {
        0 => rows[0],
        1 => rows[1],
        _ => height - rows[0] - rows[1],
    };
    let by_rows: Vec<usize> =
        (0..rt.devices().len()).map(colour_of).flat_map(|c| vec![c; rows(c)]).collect();
    Canvas::from_fn(SIDE, SIDE, |x, y| {
        let (column, row) = (x * width / SIDE, y * height / SIDE);
        let colour = match &outcome.blocks {
            None => by_rows.get(row).copied().unwrap_or(0),
            Some(([down, across], owners)) => {
                let block = row * down / height * across + column * across / width;
                colour_of(owners[block] as usize)
            }
        };
        // All that a pixel stands for, so that noise averages out.
        let (right, below) = (((x + 1) * width / SIDE).max(column + 1), (y + 1) * height / SIDE);
        let lines = row..below.max(row + 1);
        let n = lines.len() * (right - column);
        let sum: f32 =
            lines.flat_map(|row| &field[row * width + column..row * width + right]).sum();
        let light = 0.15 + 0.85 * sum / n as f32;
        COLOURS[colour].map(|part| (f32::from(part) * light) as u8)
    })
}
