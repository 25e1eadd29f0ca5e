//! Values of the workloads that are sums over matrices. They come from programs in double precision
//! that share nothing with the examples.

use flash_examples::{Progress, SplitMix64, check};

use super::super::*;

/// The first of 196 pixels give the first values; the interpreter gets no more of them.
fn convolution_values(key: &str, pixels: usize) -> Vec<f32> {
    let mut layer = convolution::Layer::random([196, 512, 128], 7);
    layer.shape[0] = pixels;
    layer.image.truncate(pixels * 512);
    let found = succeed(convolution::apply(&runtime(key), &layer));
    let near = |place: usize, value: f64| {
        let off = (f64::from(found[place]) - value).abs();
        assert!(off <= 2e-4, "value {place}: {}, expected {value}", found[place]);
    };
    near(0, 11.459_586_55);
    near(2, 2.260_111_287);
    near(4, 0.930_511_172_7);
    found
}

#[test]
fn convolution_cpu() {
    let found = convolution_values(CPU, 196);
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
fn convolution_sim() {
    convolution_values(SIM, 2);
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

/// The upper rows of the image are enough for the interpreter.
fn dct_values(key: &str, rows: usize) -> Vec<f32> {
    let mut random = SplitMix64::new(2009);
    let image: Vec<f32> = (0..rows * 300).map(|_| random.unit()).collect();
    let rt = runtime(key);
    let found = succeed(dct::transform(&rt, [rows, 300], &image, false, 1));
    for (place, value) in [(0, 4.394_693_68), (1, 0.204_178_426_5), (300, 0.068_489_218_42)] {
        let off = (f64::from(found[place]) - value).abs();
        assert!(off <= 1e-5, "value {place}: {}, expected {value}", found[place]);
    }
    let back = succeed(dct::transform(&rt, [rows, 300], &found, true, 1));
    for (row, (back, image)) in back.chunks(300).zip(image.chunks(300)).enumerate() {
        for column in 0..296.min(300 * usize::from(row < rows / 8 * 8)) {
            let off = (back[column] - image[column]).abs();
            assert!(off < 1e-5, "row {row}, column {column}: off by {off}");
        }
    }
    found
}

#[test]
fn dct_cpu() {
    let found = dct_values(CPU, 300);
    let energy: f64 = found.iter().map(|&wave| f64::from(wave).powi(2)).sum();
    succeed(check::close("energy", energy, 29_397.698_26, 1e-5));
    // Nothing is where there is no whole block.
    assert!(found[296 * 300..].iter().all(|&wave| wave == 0.0));
    assert!(found.chunks(300).all(|row| row[296..].iter().all(|&wave| wave == 0.0)));
}

#[test]
fn dct_sim() {
    dct_values(SIM, 17);
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

fn attention_values(key: &str, all: &[([usize; 2], f64, [f64; 2], f64)]) {
    for &(shape, total, [first, last], norm) in all {
        let memory = attention::Memory::random(shape, 1.0, 19_937);
        let (found, sum) = succeed(attention::attend(&runtime(key), &memory, 1));
        succeed(check::close("sum of weights", f64::from(sum), total, 1e-5));
        succeed(check::close("first", f64::from(found[0]), first, 1e-4));
        succeed(check::close("last", f64::from(found[shape[1] - 1]), last, 1e-4));
        let sum: f64 = found.iter().map(|&value| f64::from(value).abs()).sum();
        succeed(check::close("norm", sum, norm, 1e-5));
    }
}

const ATTENTION_SMALL: ([usize; 2], f64, [f64; 2], f64) =
    ([32, 32], 98.867_932_8, [0.138_293_739_2, -0.346_025_956], 4.502_501_486);

#[test]
fn attention_cpu() {
    let large = ([1024, 64], 53_616.693_82, [-0.303_474_719, -0.401_226_324_6], 11.657_072_66);
    attention_values(CPU, &[ATTENTION_SMALL, large]);
}

#[test]
fn attention_sim() {
    attention_values(SIM, &[ATTENTION_SMALL]);
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

fn matrix_power_values(key: &str, n: usize, powers: &[Power]) {
    let matrix = matrix_power::random_matrix(n, 42);
    let progress = Progress::spinner("products");
    let rt = if key == SIM { one_sim_device() } else { runtime(key) };
    let count = powers.len() as u32;
    let (log, report) = succeed(matrix_power::powers(&rt, n, &matrix, count, &progress));
    for (step, &(least, most, norm, sum)) in log.iter().zip(powers) {
        succeed(check::all_close("range", &[step.least, step.most], &[least, most], 1e-3));
        succeed(check::close("length", step.norm, norm, 1e-3));
        let found = step.normalised.iter().map(|&x| f64::from(x)).sum();
        succeed(check::close("sum", found, sum, 1e-3));
    }
    assert_eq!(log.len(), powers.len());
    // Each operand goes up once, each result comes down once.
    let moved = report.transfers();
    let (up, down) = if key == SIM { (2, powers.len() as u64) } else { (0, 0) };
    assert_eq!((moved.uploads, moved.downloads), (up, down), "{moved:?}");
}

#[test]
fn matrix_power_cpu() {
    matrix_power_values(CPU, 64, &POWERS_OF_64);
    let of_256 = [
        (-0.001_475_795_6, 0.001_260_787_8, 141.412_45, 250.058_05),
        (-9.237_189e-5, 9.628_936e-5, 129.378_47, 248.103_51),
        (-7.608_413_4e-6, 7.605_181_5e-6, 131.230_83, 249.816_23),
    ];
    matrix_power_values(CPU, 256, &of_256);
}

#[test]
fn matrix_power_sim() {
    matrix_power_values(SIM, 64, &POWERS_OF_64[..2]);
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
