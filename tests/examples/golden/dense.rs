//! Values of the workloads that are sums over matrices. They come from programs in double precision
//! that share nothing with the examples.

use flash_examples::{Progress, SplitMix64, check};

use super::super::*;
use super::{has_own_memory, ran};

const PIXELS: usize = 196;

/// The first pixels give the first values; the interpreter gets no more of them.
fn convolution_values(rt: &Runtime, pixels: usize) {
    let mut layer = convolution::Layer::random([PIXELS, 512, 128], 7);
    layer.shape[0] = pixels;
    layer.image.truncate(pixels * 512);
    let found = succeed(convolution::apply(rt, &layer));
    let near = |place: usize, value: f64| {
        let off = (f64::from(found[place]) - value).abs();
        assert!(off <= 2e-4, "value {place}: {}, expected {value}", found[place]);
    };
    near(0, 11.459_586_55);
    near(2, 2.260_111_287);
    near(4, 0.930_511_172_7);
    if pixels < PIXELS {
        return;
    }
    let sum: f64 = found.iter().map(|&value| f64::from(value)).sum();
    succeed(check::close("sum", sum, 38_610.779_09, 1e-5));
    let squares: f64 = found.iter().map(|&value| f64::from(value).powi(2)).sum();
    succeed(check::close("norm", squares.sqrt(), 502.055_362, 1e-5));
    let most = found.iter().copied().fold(0.0, f32::max);
    succeed(check::close("highest", f64::from(most), 33.347_017_70, 1e-5));
    assert!((f64::from(found[61 * 128 + 58] - most)).abs() == 0.0, "it is at pixel 61");
    // The smallest value above zero is 1e-5: a few may come out on the other side.
    let zeros = found.iter().filter(|&&value| value == 0.0).count();
    assert!(zeros.abs_diff(12_400) <= 4, "{zeros} zeros");
}

#[test]
fn convolution_cpu() {
    policies(CPU).iter().for_each(|rt| convolution_values(rt, PIXELS));
}

#[test]
fn convolution_opencl() {
    on_opencl().iter().for_each(|rt| convolution_values(rt, PIXELS));
}

#[test]
fn convolution_sim() {
    policies(SIM).iter().for_each(|rt| convolution_values(rt, 2));
    by_entries().iter().for_each(|rt| convolution_values(rt, PIXELS));
}

#[test]
fn convolution_split() {
    convolution_values(&splits::devices(3).0, PIXELS);
}

#[test]
fn convolution_cuda() {
    on_cuda(|rt| convolution_values(rt, PIXELS));
}

#[test]
fn convolution_seeds() {
    on_fresh_seeds(|rt, seed| {
        let mut random = SplitMix64::new(seed);
        let shape = [(); 3].map(|()| 1 + random.below(30));
        let layer = convolution::Layer::random(shape, seed);
        let found = succeed(convolution::apply(rt, &layer));
        succeed(convolution::compare(&layer, &found));
    });
}

const ROWS: usize = 300;

/// The upper rows of the image are enough for the interpreter.
fn dct_values(rt: &Runtime, rows: usize) {
    let mut random = SplitMix64::new(2009);
    let image: Vec<f32> = (0..rows * 300).map(|_| random.unit()).collect();
    let found = succeed(dct::transform(rt, [rows, 300], &image, false, 1));
    for (place, value) in [(0, 4.394_693_68), (1, 0.204_178_426_5), (300, 0.068_489_218_42)] {
        let off = (f64::from(found[place]) - value).abs();
        assert!(off <= 1e-5, "value {place}: {}, expected {value}", found[place]);
    }
    let back = succeed(dct::transform(rt, [rows, 300], &found, true, 1));
    for (row, (back, image)) in back.chunks(300).zip(image.chunks(300)).enumerate() {
        for column in 0..296.min(300 * usize::from(row < rows / 8 * 8)) {
            let off = (back[column] - image[column]).abs();
            assert!(off < 1e-5, "row {row}, column {column}: off by {off}");
        }
    }
    if rows < ROWS {
        return;
    }
    let energy: f64 = found.iter().map(|&wave| f64::from(wave).powi(2)).sum();
    succeed(check::close("energy", energy, 29_397.698_26, 1e-5));
    // Nothing is where there is no whole block.
    assert!(found[296 * 300..].iter().all(|&wave| wave == 0.0));
    assert!(found.chunks(300).all(|row| row[296..].iter().all(|&wave| wave == 0.0)));
}

#[test]
fn dct_cpu() {
    policies(CPU).iter().for_each(|rt| dct_values(rt, ROWS));
}

#[test]
fn dct_opencl() {
    on_opencl().iter().for_each(|rt| dct_values(rt, ROWS));
}

#[test]
fn dct_sim() {
    policies(SIM).iter().for_each(|rt| dct_values(rt, 17));
    by_entries().iter().for_each(|rt| dct_values(rt, ROWS));
}

#[test]
fn dct_cuda() {
    on_cuda(|rt| dct_values(rt, ROWS));
}

#[test]
fn dct_seeds() {
    on_fresh_seeds(|rt, seed| {
        let mut random = SplitMix64::new(seed);
        let shape = [8 + random.below(20), 8 + random.below(20)];
        let image: Vec<f32> = (0..shape[0] * shape[1]).map(|_| random.signed()).collect();
        let waves = succeed(dct::transform(rt, shape, &image, false, 1));
        succeed(dct::compare(shape, &image, &waves));
        let back = succeed(dct::transform(rt, shape, &waves, true, 2));
        succeed(dct::returns(shape, &image, &back));
    });
}

/// Rows and their length, the sum of the weights, the first and the last value, and their norm.
type Attention = ([usize; 2], f64, [f64; 2], f64);

/// The first one is for the interpreter too.
const ATTENTION: [Attention; 2] = [
    ([32, 32], 98.867_932_8, [0.138_293_739_2, -0.346_025_956], 4.502_501_486),
    ([1024, 64], 53_616.693_82, [-0.303_474_719, -0.401_226_324_6], 11.657_072_66),
];

fn attention_values(rt: &Runtime, all: &[Attention]) {
    for &(shape, total, [first, last], norm) in all {
        let memory = attention::Memory::random(shape, 1.0, 19_937);
        let (found, sum) = succeed(attention::attend(rt, &memory, 1));
        succeed(check::close("sum of weights", f64::from(sum), total, 1e-5));
        succeed(check::close("first", f64::from(found[0]), first, 1e-4));
        succeed(check::close("last", f64::from(found[shape[1] - 1]), last, 1e-4));
        let sum: f64 = found.iter().map(|&value| f64::from(value).abs()).sum();
        succeed(check::close("norm", sum, norm, 1e-5));
    }
}

#[test]
fn attention_cpu() {
    policies(CPU).iter().for_each(|rt| attention_values(rt, &ATTENTION));
}

#[test]
fn attention_opencl() {
    on_opencl().iter().for_each(|rt| attention_values(rt, &ATTENTION));
}

#[test]
fn attention_sim() {
    policies(SIM).iter().for_each(|rt| attention_values(rt, &ATTENTION[..1]));
    by_entries().iter().for_each(|rt| attention_values(rt, &ATTENTION));
}

#[test]
fn attention_cuda() {
    on_cuda(|rt| attention_values(rt, &ATTENTION));
}

#[test]
fn attention_seeds() {
    on_fresh_seeds(|rt, seed| {
        let mut random = SplitMix64::new(seed);
        let shape = [1 + random.below(100), 1 + random.below(40)];
        let memory = attention::Memory::random(shape, 0.5, seed);
        let (found, total) = succeed(attention::attend(rt, &memory, 2));
        succeed(attention::compare(&memory, &found, total));
    });
}

/// For each power the least and the largest element, the length of the elements between them, and
/// the sum of all after division by that length.
type Power = (f32, f32, f64, f64);

const POWERS_OF_64: [Power; 5] = [
    (-0.008_361_775, 0.009_405_626, 31.652_377, 61.172_922),
    (-0.001_228_078_3, 0.001_463_372_4, 30.658_867, 61.314_25),
    (-1.990_996_1e-4, 1.802_026_7e-4, 35.016_399, 61.832_74),
    (-3.245_090_6e-5, 2.848_065_4e-5, 35.063_885, 62.304_225),
    (-3.767_033_4e-6, 4.421_395_7e-6, 30.644_011, 61.538_624),
];

const POWERS_OF_256: [Power; 3] = [
    (-0.001_475_795_6, 0.001_260_787_8, 141.412_45, 250.058_05),
    (-9.237_189e-5, 9.628_936e-5, 129.378_47, 248.103_51),
    (-7.608_413_4e-6, 7.605_181_5e-6, 131.230_83, 249.816_23),
];

fn matrix_power_values(rt: &Runtime, n: usize, powers: &[Power]) {
    let matrix = matrix_power::random_matrix(n, 42);
    let progress = Progress::spinner("products");
    let count = powers.len() as u32;
    let (log, report) = succeed(matrix_power::powers(rt, n, &matrix, count, &progress));
    for (step, &(least, most, norm, sum)) in log.iter().zip(powers) {
        succeed(check::all_close("range", &[step.least, step.most], &[least, most], 1e-3));
        succeed(check::close("length", step.norm, norm, 1e-3));
        let found = step.normalised.iter().map(|&x| f64::from(x)).sum();
        succeed(check::close("sum", found, sum, 1e-3));
    }
    assert_eq!(log.len(), powers.len());
    assert_eq!(ran(&report), (u64::from(count), u64::from(count)));
    // The matrix goes up once, each power comes down once.
    let moved = report.transfers();
    let (up, down) = if has_own_memory(rt) { (1, powers.len() as u64) } else { (0, 0) };
    if rt.devices().len() == 1 {
        assert_eq!((moved.uploads, moved.downloads), (up, down), "{moved:?}");
    }
}

#[test]
fn matrix_power_cpu() {
    for rt in policies(CPU) {
        matrix_power_values(&rt, 64, &POWERS_OF_64);
        matrix_power_values(&rt, 256, &POWERS_OF_256);
    }
}

#[test]
fn matrix_power_opencl() {
    for rt in on_opencl() {
        matrix_power_values(&rt, 64, &POWERS_OF_64);
        matrix_power_values(&rt, 256, &POWERS_OF_256);
    }
}

#[test]
fn matrix_power_sim() {
    simulators(1, Run::Ir).iter().for_each(|rt| matrix_power_values(rt, 64, &POWERS_OF_64[..2]));
    for rt in simulators(1, Run::Entry) {
        matrix_power_values(&rt, 64, &POWERS_OF_64);
        matrix_power_values(&rt, 256, &POWERS_OF_256);
    }
}

#[test]
fn matrix_power_cuda() {
    on_cuda(|rt| matrix_power_values(rt, 64, &POWERS_OF_64[..2]));
}

#[test]
fn matrix_power_seeds() {
    on_fresh_seeds(|rt, seed| {
        let n = 2 + (seed % 20) as usize;
        let matrix = matrix_power::random_matrix(n, seed);
        let progress = Progress::spinner("products");
        let (log, _) = succeed(matrix_power::powers(rt, n, &matrix, 3, &progress));
        succeed(matrix_power::compare(n, &matrix, 3, &log));
    });
}
