//! Values of the workloads that step fields through time. They come from programs in double
//! precision that share nothing with the examples.

use flash_examples::{Progress, SplitMix64, check};

use super::super::*;
use super::{has_own_memory, ran};

fn heat_values(rt: &Runtime) {
    let rod = heat::cold_rod(1000);
    let found = succeed(heat::spread(rt, &rod, 50));
    let staged = succeed(heat::spread_in_stages(rt, &rod, 100));
    succeed(check::equal("in one launch", &staged, &found));
    for (i, u) in [(1, 92.041_076_26), (10, 31.972_732_07)] {
        succeed(check::close(&format!("u{i}"), f64::from(found[i]), u, 1e-4));
    }
    // What is left of so many halves has its last bits from rounding.
    succeed(check::close("u50", f64::from(found[50]), 3.723_142_3e-5, 1e-3));
    let sum: f64 = found.iter().map(|&u| f64::from(u)).sum();
    succeed(check::close("sum", sum, 849.871_835_7, 1e-4));
}

#[test]
fn heat_cpu() {
    policies(CPU).iter().for_each(heat_values);
}

#[test]
fn heat_opencl() {
    on_opencl().iter().for_each(heat_values);
}

#[test]
fn heat_sim() {
    policies(SIM).iter().for_each(heat_values);
    by_entries().iter().for_each(heat_values);
}

#[test]
fn heat_cuda() {
    on_cuda(heat_values);
}

#[test]
fn heat_seeds() {
    on_fresh_seeds(|rt, seed| {
        let mut random = SplitMix64::new(seed);
        let rod: Vec<f32> = (0..3 + random.below(90)).map(|_| random.unit()).collect();
        let half = 1 + random.below(20) as u64;
        let found = succeed(heat::spread(rt, &rod, half));
        succeed(heat::compare(&rod, 2 * half, &found));
        let found = succeed(heat::spread_in_stages(rt, &rod, 2 * half));
        succeed(heat::compare(&rod, 2 * half, &found));
    });
}

/// Rows and columns, launches of four steps, then sum, norm, and the first, middle and last
/// temperature, all of them in single precision from a program in C.
type Hotspot = ([usize; 2], u32, f64, f64, [f64; 3]);

/// The first one is for the interpreter too.
const HOTSPOT: [Hotspot; 4] = [
    ([64, 64], 2, 17.878_980_75, 36.617_145_31, [-0.297_316_07, -0.778_610_23, -0.877_245_78]),
    ([256, 256], 4, -26.464_289_75, 147.711_947_1, [-0.298_032_05, 0.628_125_43, 0.921_194_08]),
    ([256, 256], 75, 75.494_093, 146.322_700_5, [-0.310_321_75, 0.643_639_92, 0.908_760_37]),
    ([512, 512], 15, 243.560_722_6, 293.414_045_3, [-0.286_777_73, -0.827_159_17, -0.461_957_78]),
];

fn hotspot_values(rt: &Runtime, all: &[Hotspot]) {
    for &(shape @ [rows, columns], launches, sum, norm, corners) in all {
        let mut random = SplitMix64::new(6_834_723);
        let mut field = || (0..rows * columns).map(|_| random.signed()).collect::<Vec<_>>();
        let (temperature, power) = (field(), field());
        let progress = Progress::spinner("results");
        let (album, report) =
            succeed(hotspot::simulate(rt, shape, &temperature, &power, launches, &progress));
        let found = album.last().expect("there was a launch");
        let total: f64 = found.iter().map(|&t| f64::from(t)).sum();
        let cells = (rows * columns) as f64;
        assert!((total - sum).abs() <= 1e-3 * cells.sqrt(), "{shape:?}: sum {total}");
        let squares: f64 = found.iter().map(|&t| f64::from(t).powi(2)).sum();
        succeed(check::close("norm", squares.sqrt(), norm, 1e-4));
        let places = [0, rows / 2 * columns + columns / 2, rows * columns - 1];
        for (place, t) in places.into_iter().zip(corners) {
            succeed(check::close(&format!("cell {place}"), f64::from(found[place]), t, 1e-4));
        }
        // Four steps for each result.
        assert_eq!(ran(&report), (4 * u64::from(launches), u64::from(launches)));
        // Both fields go up once; what a result is kept from comes down once.
        let moved = report.transfers();
        let (up, down) = if has_own_memory(rt) { (2, u64::from(launches)) } else { (0, 0) };
        if rt.devices().len() == 1 {
            assert_eq!((moved.uploads, moved.downloads), (up, down), "{shape:?}: {moved:?}");
        }
    }
}

#[test]
fn hotspot_cpu() {
    policies(CPU).iter().for_each(|rt| hotspot_values(rt, &HOTSPOT));
}

#[test]
fn hotspot_opencl() {
    on_opencl().iter().for_each(|rt| hotspot_values(rt, &HOTSPOT));
}

#[test]
fn hotspot_sim() {
    simulators(1, Run::Ir).iter().for_each(|rt| hotspot_values(rt, &HOTSPOT[..1]));
    simulators(1, Run::Entry).iter().for_each(|rt| hotspot_values(rt, &HOTSPOT));
}

#[test]
fn hotspot_split() {
    hotspot_values(&splits::devices(3).0, &HOTSPOT);
}

#[test]
fn hotspot_cuda() {
    on_cuda(|rt| hotspot_values(rt, &HOTSPOT[..1]));
}

/// Also grids that are not square, and of one row or column.
#[test]
fn hotspot_seeds() {
    on_fresh_seeds(|rt, seed| {
        let mut random = SplitMix64::new(seed);
        for shape in [[24, 40], [1 + random.below(9), 1 + random.below(9)], [1, 7], [7, 1]] {
            let n = shape[0] * shape[1];
            let mut field = || (0..n).map(|_| 100.0 * random.unit()).collect::<Vec<_>>();
            let (temperature, power) = (field(), field());
            let progress = Progress::spinner("results");
            let (album, _) =
                succeed(hotspot::simulate(rt, shape, &temperature, &power, 2, &progress));
            succeed(hotspot::compare(shape, &temperature, &power, 2, &album));
        }
    });
}

/// Steps, then the middle, the norm, the sum and the highest of the field.
type Wave = (u32, f64, f64, f64, f64);

/// The first one is for the interpreter too.
const WAVE: [Wave; 2] = [
    (10, -0.142_680_967_3, 47.173_199_77, 513.385_501_2, 6.136_080_225),
    (100, 3.515_477_382, 139.488_241_7, 4_713.812_33, 6.205_746_613),
];

fn wave_values(rt: &Runtime, all: &[Wave]) {
    let shape = [128, 128];
    for &(steps, centre, norm, sum, most) in all {
        let speed = vec![wave::WATER; 128 * 128];
        let progress = Progress::spinner("shots");
        let start = wave::source(shape);
        let film = succeed(wave::simulate(rt, shape, &start, &speed, [1, steps], &progress));
        let field: Vec<f64> = film[0].iter().map(|&u| f64::from(u)).collect();
        succeed(check::close("centre", field[64 * 128 + 64], centre, 1e-4));
        let squares: f64 = field.iter().map(|u| u * u).sum();
        succeed(check::close("norm", squares.sqrt(), norm, 1e-4));
        succeed(check::close("sum", field.iter().sum(), sum, 1e-4));
        let highest = field.iter().fold(0.0, |most: f64, u| most.max(u.abs()));
        succeed(check::close("highest", highest, most, 1e-4));
    }
}

#[test]
fn wave_cpu() {
    policies(CPU).iter().for_each(|rt| wave_values(rt, &WAVE));
}

#[test]
fn wave_opencl() {
    on_opencl().iter().for_each(|rt| wave_values(rt, &WAVE));
}

#[test]
fn wave_sim() {
    policies(SIM).iter().for_each(|rt| wave_values(rt, &WAVE[..1]));
    by_entries().iter().for_each(|rt| wave_values(rt, &WAVE));
}

#[test]
fn wave_split() {
    wave_values(&splits::devices(3).0, &WAVE);
}

#[test]
fn wave_cuda() {
    on_cuda(|rt| wave_values(rt, &WAVE));
}

#[test]
fn wave_seeds() {
    on_fresh_seeds(|rt, seed| {
        let mut random = SplitMix64::new(seed);
        let shape = [3 + random.below(20), 3 + random.below(20)];
        let n = shape[0] * shape[1];
        let start: Vec<f32> = (0..n).map(|_| random.signed()).collect();
        let speed: Vec<f32> = (0..n).map(|_| 6e6 * random.unit()).collect();
        let progress = Progress::spinner("shots");
        let film = succeed(wave::simulate(rt, shape, &start, &speed, [2, 5], &progress));
        succeed(wave::compare(shape, &start, &speed, [2, 5], &film));
    });
}
