//! Values from publications and from programs in other languages, and seeds drawn here against a
//! plain loop. No golden value stands anywhere else.

use std::sync::Mutex;

use flash::prelude::*;
use flash_examples::hash::fnv1a;
use flash_examples::{Progress, check};

use super::*;

mod dense;
mod fields;
mod flows;
mod sums;
mod texts;
mod walks;

/// Whether data have to be brought to the devices.
fn has_own_memory(rt: &Runtime) -> bool {
    rt.devices().iter().any(|device| device.space().is_some())
}

/// The test picture of the Sobel benchmark.
fn sobel_input(width: usize, height: usize) -> Vec<u8> {
    let pixel = |k: usize| {
        let (x, y) = (k % width, k / width);
        (7 * x + 13 * y + ((x * y) >> 5)) as u8
    };
    (0..width * height).map(pixel).collect()
}

fn sobel(rt: &Runtime, width: usize, height: usize, input: Vec<u8>) -> Vec<u8> {
    let image = succeed(Buffer::from_shape([height, width], input));
    let mut edges = Buffer::zeros([height, width]);
    succeed(rt.submit(sobel_video::sobel(&image, &mut edges)).exec([width, height]));
    succeed(edges.to_vec())
}

/// Width and height, the hash of the picture, the sum of its edges and their hash.
type Sobel = (usize, usize, u64, u64, u64);

fn sobel_hashes(rt: &Runtime, sizes: &[Sobel]) {
    for &(width, height, input_hash, sum, output_hash) in sizes {
        let input = sobel_input(width, height);
        assert_eq!(fnv1a(&input), input_hash, "{width}x{height} input");
        let output = sobel(rt, width, height, input);
        assert_eq!(output.iter().map(|&edge| u64::from(edge)).sum::<u64>(), sum);
        assert_eq!(fnv1a(&output), output_hash, "{width}x{height} output");
    }
}

/// The first one is for the interpreter too.
const SOBEL: [Sobel; 3] = [
    (64, 48, 0x7e2f_d012_077e_c699, 421_448, 0x1083_47e6_e3ec_c239),
    (960, 540, 0x99cd_5008_8749_4ea3, 115_097_039, 0x2dcb_1720_e053_7c1c),
    (1920, 1080, 0x50c8_54ee_14f1_287d, 480_849_423, 0x5210_761f_ca5f_da30),
];

#[test]
fn sobel_cpu() {
    policies(CPU).iter().for_each(|rt| sobel_hashes(rt, &SOBEL));
}

#[test]
fn sobel_opencl() {
    on_opencl().iter().for_each(|rt| sobel_hashes(rt, &SOBEL));
}

#[test]
fn sobel_cuda() {
    on_cuda(|rt| sobel_hashes(rt, &SOBEL[..1]));
}

#[test]
fn sobel_sim() {
    policies(SIM).iter().for_each(|rt| sobel_hashes(rt, &SOBEL[..1]));
    by_entries().iter().for_each(|rt| sobel_hashes(rt, &SOBEL));
}

/// Each plane of each frame goes up once and comes down once; the frame that the last load leaves
/// as it was does not go up again. The planes of edges, whose rims nobody writes, go up once.
#[test]
fn sobel_transfers() {
    use flash_examples::y4m::{Frame, Header};

    let header = Header::new(20, 12);
    let mut random = flash_examples::SplitMix64::new(4);
    let frames: Vec<Frame> = (0..5)
        .map(|_| {
            let mut frame = Frame::zeros(&header);
            for plane in frame.planes_mut() {
                plane.iter_mut().for_each(|light| *light = random.bits() as u8);
            }
            frame
        })
        .collect();
    let expected: Vec<Frame> =
        frames.iter().map(|frame| sobel_video::sobel_frame(&header, frame)).collect();
    for rt in simulators(1, Run::Ir) {
        let source = Mutex::new(sobel_video::Source::Memory(frames.clone().into_iter()));
        let sink = Mutex::new(sobel_video::Sink::Memory(Vec::new()));
        let progress = Progress::spinner("frames");
        let report = succeed(sobel_video::filter(&rt, &header, 5, &source, &sink, &progress));
        let sobel_video::Sink::Memory(found) = sink.into_inner().expect("nothing panicked") else {
            panic!("it was memory")
        };
        succeed(sobel_video::compare("frames", &found, &expected));
        let moved = report.transfers();
        // Three planes a frame, each way; and two sets of pictures whose rims are zero, as one is stored
        // while the next one is computed.
        assert_eq!((moved.uploads, moved.downloads), (3 * 5 + 6, 3 * 5), "{moved:?}");
        // A frame is loaded and stored by a task each; the last load finds none.
        assert_eq!(ran(&report), (3 * 5, 2 * 5 + 1));
    }
}

/// Random pictures of random sizes, among them some without an inner pixel.
#[test]
fn sobel_seeds() {
    use flash_examples::y4m::{Frame, Header};

    on_fresh_seeds(|rt, seed| {
        let mut random = flash_examples::SplitMix64::new(seed);
        for _ in 0..8 {
            let (width, height) = (2 * (1 + random.below(40)), 2 * (1 + random.below(20)));
            let y: Vec<u8> = (0..width * height).map(|_| random.bits() as u8).collect();
            let header = Header::new(width, height);
            let frame = Frame { y: y.clone(), ..Frame::zeros(&header) };
            let expected = sobel_video::sobel_frame(&header, &frame).y;
            let found = sobel(rt, width, height, y);
            succeed(check::equal(&format!("{width}x{height}"), &found, &expected));
        }
    });
}

fn mandelbrot_images(
    rt: &Runtime,
    size: [usize; 2],
    windows: &[mandelbrot::Window],
    limit: i32,
) -> Vec<Vec<i32>> {
    let album = Mutex::new(mandelbrot::Album::default());
    let progress = Progress::spinner("pictures");
    succeed(mandelbrot::zoom(rt, size, windows, limit, &album, &progress));
    album.into_inner().expect("nothing panicked").images
}

/// Size and limit, and for each picture the points that escape fast and the sum of all steps.
type Mandelbrot = ([usize; 2], i32, &'static [usize], &'static [i64]);

/// Devices that are emulated have two pictures of the small one.
const MANDELBROT: [Mandelbrot; 2] = [
    (
        [256, 256],
        1000,
        &[43_535, 39_011, 35_269, 31_233],
        &[16_275_806, 19_935_134, 22_986_607, 26_126_309],
    ),
    ([1024, 768], 256, &[522_383, 467_592, 422_198], &[53_066_702, 64_625_771, 74_324_942]),
];

fn few_pictures() -> Mandelbrot {
    let (size, limit, counts, sums) = MANDELBROT[0];
    (size, limit, &counts[..2], &sums[..2])
}

fn mandelbrot_counts(rt: &Runtime, wanted: &[Mandelbrot]) {
    let start = mandelbrot::Window { x1: -2.0, x2: 0.5, y1: -1.25, y2: 1.25 };
    for &(size, limit, counts, sums) in wanted {
        let windows = mandelbrot::windows(start, 0.05, counts.len());
        let images = mandelbrot_images(rt, size, &windows, limit);
        let found: Vec<usize> = images.iter().map(|image| mandelbrot::count_fast(image)).collect();
        assert_eq!(found, counts, "{size:?}");
        let found: Vec<i64> =
            images.iter().map(|image| image.iter().map(|&k| i64::from(k)).sum()).collect();
        assert_eq!(found, sums, "{size:?}");
    }
}

#[test]
fn mandelbrot_cpu() {
    // All of them by one policy, as there are many steps.
    for (k, rt) in policies(CPU).iter().enumerate() {
        mandelbrot_counts(rt, if k == 0 { &MANDELBROT } else { &MANDELBROT[..1] });
    }
}

#[test]
fn mandelbrot_opencl() {
    on_opencl().iter().for_each(|rt| mandelbrot_counts(rt, &MANDELBROT));
}

#[test]
fn mandelbrot_split() {
    mandelbrot_counts(&splits::devices(3).0, &[few_pictures()]);
}

#[test]
fn mandelbrot_cuda() {
    match flash_tests::required("cuda") {
        true => on_cuda(|rt| mandelbrot_counts(rt, &MANDELBROT)),
        false => on_cuda(|rt| mandelbrot_counts(rt, &[few_pictures()])),
    }
}

/// It has too many steps for the interpreter, which `mandelbrot_transfers` and the seeds are for.
#[test]
fn mandelbrot_sim() {
    by_entries().iter().for_each(|rt| mandelbrot_counts(rt, &[few_pictures()]));
}

/// How many launches and host tasks there were.
fn ran(report: &flash::Report) -> (u64, u64) {
    let count = |rows: &[flash_rt::StageReport]| rows.iter().map(|row| row.count).sum();
    (count(report.kernels()), count(report.tasks()))
}

/// Nothing goes up; each picture comes down once.
#[test]
fn mandelbrot_transfers() {
    let start = mandelbrot::Window { x1: -2.0, x2: 0.5, y1: -1.25, y2: 1.25 };
    let windows = mandelbrot::windows(start, 0.05, 5);
    for rt in simulators(1, Run::Ir) {
        let album = Mutex::new(mandelbrot::Album::default());
        let progress = Progress::spinner("pictures");
        let report = succeed(mandelbrot::zoom(&rt, [24, 16], &windows, 40, &album, &progress));
        let images = album.into_inner().expect("nothing panicked").images;
        succeed(mandelbrot::compare([24, 16], &windows, 40, &images));
        let moved = report.transfers();
        assert_eq!((moved.uploads, moved.downloads), (0, 5), "{moved:?}");
        assert_eq!(ran(&report), (5, 5));
    }
}

#[test]
fn mandelbrot_seeds() {
    on_fresh_seeds(|rt, seed| {
        let mut random = flash_examples::SplitMix64::new(seed);
        let windows: Vec<_> = (0..3)
            .map(|_| {
                let (x, y) = (random.signed() - 0.75, random.signed());
                let (w, h) = (random.unit() + 0.01, random.unit() + 0.01);
                mandelbrot::Window { x1: x, x2: x + w, y1: y, y2: y + h }
            })
            .collect();
        let size = [16 + random.below(40), 16 + random.below(20)];
        let images = mandelbrot_images(rt, size, &windows, 60);
        succeed(mandelbrot::compare(size, &windows, 60, &images));
    });
}

fn nbody_values(rt: &Runtime) {
    let bodies = nbody::Bodies::random(256, 42);
    let (steps, dt) = (10, 0.1);
    // Gravity, then kinetic energy, first x, first velocity, sum of x; from a program in double
    // precision.
    for (gravity, energy, x, vx, sum_x) in [
        (6.672_59e-11, 0.016_345_888_44, 0.741_641_793, 7.574_919_344e-5, 126.801_003_9),
        (1e-6, 81.937_353_03, 0.719_523_693_9, -0.041_094_374_53, 126.803_545_7),
    ] {
        let progress = Progress::spinner("steps");
        let (moved, found) = succeed(nbody::simulate(rt, &bodies, gravity, dt, steps, &progress));
        let (staged, in_one) = succeed(nbody::simulate_in_stages(rt, &bodies, gravity, dt, steps));
        succeed(check::equal("position in one launch", &staged.position, &moved.position));
        succeed(check::equal("velocity in one launch", &staged.velocity, &moved.velocity));
        succeed(check::close("energy in one launch", in_one, energy, 1e-4));
        succeed(check::close("energy", found, energy, 1e-4));
        succeed(check::close("first x", f64::from(moved.position[0]), x, 1e-4));
        succeed(check::close("first velocity", f64::from(moved.velocity[0]), vx, 1e-4));
        let sum: f64 = moved.position[..256].iter().map(|&x| f64::from(x)).sum();
        succeed(check::close("sum of x", sum, sum_x, 1e-5));
        let momentum: f64 = moved.velocity[..256]
            .iter()
            .zip(&moved.mass)
            .map(|(&v, &m)| f64::from(v) * f64::from(m))
            .sum();
        // Pulls cancel in pairs, but for the rounding of velocities.
        succeed(check::close("momentum", momentum, 0.965_026_384, 1e-4));
    }
}

#[test]
fn nbody_cpu() {
    policies(CPU).iter().for_each(nbody_values);
}

#[test]
fn nbody_opencl() {
    on_opencl().iter().for_each(nbody_values);
}

#[test]
fn nbody_cuda() {
    on_cuda(nbody_values);
}

#[test]
fn nbody_sim() {
    policies(SIM).iter().for_each(nbody_values);
    by_entries().iter().for_each(nbody_values);
}

#[test]
fn nbody_seeds() {
    on_fresh_seeds(|rt, seed| {
        let n = 20 + (seed % 60) as usize;
        let bodies = nbody::Bodies::random(n, seed);
        let progress = Progress::spinner("steps");
        let (moved, energy) = succeed(nbody::simulate(rt, &bodies, 1e-5, 0.05, 4, &progress));
        succeed(nbody::compare(&bodies, 1e-5, 0.05, 4, &moved, energy));
        let (moved, energy) = succeed(nbody::simulate_in_stages(rt, &bodies, 1e-5, 0.05, 4));
        succeed(nbody::compare(&bodies, 1e-5, 0.05, 4, &moved, energy));
    });
}

/// The table of the benchmark: one row apart, then calls and puts over years, volatility and spot.
fn contracts() -> Vec<black_scholes::Contract> {
    let values = [
        5.0975_f32, 0.0205, 1.8734, 9.9413, 0.3150, 3.1217, 10.3556, 0.9474, 4.3693, 11.1381,
        0.8069, 4.0232, 10.5769, 2.7026, 6.6997, 12.7857, 4.9329, 9.3679, 15.3086, 9.9210, 1.8734,
        0.0408, 10.2155, 3.1217, 0.4551, 10.8479, 4.3693, 1.2376, 10.3192, 4.0232, 1.0646, 12.2149,
        6.6997, 3.2734, 14.4452, 9.3679, 5.7963,
    ];
    let mut table = vec![black_scholes::Contract {
        put: 0,
        strike: 40.0,
        spot: 42.0,
        dividend: 0.08,
        rate: 0.04,
        years: 0.75,
        volatility: 0.35,
        value: values[0],
        tolerance: 1e-4,
    }];
    for put in [0, 1] {
        for years in [0.10, 0.50] {
            for volatility in [0.15, 0.25, 0.35] {
                for spot in [90.0, 100.0, 110.0] {
                    table.push(black_scholes::Contract {
                        put,
                        strike: 100.0,
                        spot,
                        dividend: 0.10,
                        rate: 0.10,
                        years,
                        volatility,
                        value: values[table.len()],
                        tolerance: 1e-4,
                    });
                }
            }
        }
    }
    table
}

fn black_scholes_values(rt: &Runtime) {
    let table = contracts();
    let prices = succeed(black_scholes::price_all(rt, &table));
    assert_eq!(prices.len(), 37);
    for (k, (contract, price)) in table.iter().zip(&prices).enumerate() {
        let off = (price - contract.value).abs();
        // The table is rounded to 5e-5, and its last digit is off by a little in places.
        assert!(off <= 1e-4, "row {k}: {price}, in the table {}", contract.value);
    }
    let sum: f64 = prices.iter().map(|&price| f64::from(price)).sum();
    succeed(check::close("sum of a period", sum, 223.670_609_7, 1e-5));
    for (row, price) in [(0, 5.097_547_718), (1, 0.020_490_148_54), (36, 5.796_305_516)] {
        let off = (f64::from(prices[row]) - price).abs();
        assert!(off <= 2e-5, "row {row}: {}, expected {price}", prices[row]);
    }
}

#[test]
fn black_scholes_cpu() {
    policies(CPU).iter().for_each(black_scholes_values);
}

#[test]
fn black_scholes_opencl() {
    on_opencl().iter().for_each(black_scholes_values);
}

#[test]
fn black_scholes_cuda() {
    on_cuda(black_scholes_values);
}

#[test]
fn black_scholes_sim() {
    policies(SIM).iter().for_each(black_scholes_values);
    by_entries().iter().for_each(black_scholes_values);
}

#[test]
fn black_scholes_seeds() {
    on_fresh_seeds(|rt, seed| {
        let table = black_scholes::random_contracts(2000, seed);
        let prices = succeed(black_scholes::price_all(rt, &table));
        succeed(black_scholes::compare(&table, &prices));
    });
}

#[test]
fn saxpy_seeds() {
    on_fresh_seeds(|rt, seed| {
        succeed(saxpy::compare(rt, 1 + (seed % 3000) as usize, seed));
    });
}

#[test]
fn histogram_seeds() {
    on_fresh_seeds(|rt, seed| {
        let mut random = flash_examples::SplitMix64::new(seed);
        let values: Vec<u8> = (0..5000).map(|_| random.bits() as u8).collect();
        let bins = succeed(histogram::count(rt, &values));
        succeed(histogram::compare(&values, &bins));
    });
}

#[test]
fn matrix_product_seeds() {
    on_fresh_seeds(|rt, seed| {
        let mut random = flash_examples::SplitMix64::new(seed);
        let shape = [(); 3].map(|()| 2 + random.below(24));
        let (a, b) = flash_examples::random::factors(shape, seed);
        let blocks = [(); 2].map(|()| 1 + random.below(3));
        let c = succeed(matrix_product::multiply_in(rt, shape, &a, &b, blocks, &mut []));
        succeed(matrix_product::compare(shape, &a, &b, &c));
    });
}

#[test]
fn relaxation_seeds() {
    on_fresh_seeds(|rt, seed| {
        let mut random = flash_examples::SplitMix64::new(seed);
        let shape @ [h, w] = [3 + random.below(12), 3 + random.below(12)];
        let plate: Vec<f32> = (0..h * w).map(|_| 100.0 * random.unit()).collect();
        let progress = Progress::spinner("rounds");
        let (settled, sweeps, change) =
            succeed(relaxation::settle(rt, shape, &plate, 0.5, &progress));
        succeed(relaxation::compare(shape, &plate, 0.5, (sweeps, &settled, change)));
    });
}
