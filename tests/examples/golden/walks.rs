//! Values of the workload whose particles walk at random. They are counts, and exact on every
//! device; they come from a program over integers that shares nothing with the example.

use flash_examples::{Progress, SplitMix64};

use super::super::*;

struct Walk {
    steps: usize,
    /// Sums of the three planes.
    sums: [u64; 3],
    /// Steps in the cell in the middle, and entries into it.
    middle: [u64; 2],
    /// Of the first particle along x and of the last along y, in multiples of 1/1024.
    places: [f32; 2],
    /// Each count by its position, from 1, summed.
    weighted: u64,
}

const SHORT: Walk = Walk {
    steps: 512,
    sums: [107_204, 191, 5_850],
    middle: [51_377, 1_982],
    places: [11_299.0, 11_346.0],
    weighted: 34_372_762,
};

const LONG: Walk = Walk {
    steps: 10_000,
    sums: [2_008_257, 191, 122_550],
    middle: [112_103, 5_367],
    places: [11_781.0, 13_230.0],
    weighted: 658_308_042,
};

/// In launches of so many steps each, or in one of phases.
fn diffusion_values(rt: &Runtime, walk: &Walk, each: Option<usize>) {
    let moves = diffusion::Moves::random(walk.steps, 256, [1, 2]);
    let progress = Progress::spinner("launches");
    let found = succeed(match each {
        Some(each) => diffusion::diffuse(rt, &moves, each, &progress),
        None => diffusion::diffuse_in_phases(rt, &moves),
    });
    let planes: Vec<u64> =
        found.counts.chunks(diffusion::PLANE).map(|plane| plane.iter().sum()).collect();
    assert_eq!(planes, walk.sums);
    let middle = 11 + 11 * diffusion::SIDE;
    let found_middle = [middle, 2 * diffusion::PLANE + middle].map(|place| found.counts[place]);
    assert_eq!(found_middle, walk.middle);
    assert_eq!([found.x[0], found.y[255]].map(|place| place * 1024.0), walk.places);
    let weighted: u64 = found.counts.iter().zip(1..).map(|(count, place)| place * count).sum();
    assert_eq!(weighted, walk.weighted);
}

fn all_diffusion_values(rt: &Runtime) {
    for each in [Some(1), Some(64), Some(512), None] {
        diffusion_values(rt, &SHORT, each);
    }
    diffusion_values(rt, &LONG, Some(10_000));
    diffusion_values(rt, &LONG, None);
}

#[test]
fn diffusion_cpu() {
    policies(CPU).iter().for_each(all_diffusion_values);
}

#[test]
fn diffusion_opencl() {
    on_opencl().iter().for_each(all_diffusion_values);
}

#[test]
fn diffusion_sim() {
    for rt in policies(SIM) {
        diffusion_values(&rt, &SHORT, Some(128));
        diffusion_values(&rt, &SHORT, None);
    }
    by_entries().iter().for_each(all_diffusion_values);
}

#[test]
fn diffusion_cuda() {
    on_cuda(all_diffusion_values);
}

/// Also the degenerate case: whoever does not move enters once and stays.
#[test]
fn diffusion_seeds() {
    on_fresh_seeds(|rt, seed| {
        let mut random = SplitMix64::new(seed);
        let progress = Progress::spinner("launches");
        let (each, launches) = (1 + random.below(8), 1 + random.below(8));
        let particles = 1 + random.below(60);
        let moves =
            diffusion::Moves::random(each * launches, particles, [random.bits(), random.bits()]);
        let found = succeed(diffusion::diffuse(rt, &moves, each, &progress));
        succeed(diffusion::compare(&moves, &found));
        let found = succeed(diffusion::diffuse_in_phases(rt, &moves));
        succeed(diffusion::compare(&moves, &found));

        let mut still = moves;
        still.dx.fill(0.0);
        still.dy.fill(0.0);
        let found = succeed(diffusion::diffuse(rt, &still, each, &progress));
        let steps = (particles * each * launches) as u64;
        let middle = 11 + 11 * diffusion::SIDE;
        let counts: Vec<u64> =
            found.counts.chunks(diffusion::PLANE).map(|plane| plane[middle]).collect();
        assert_eq!(counts, [steps, particles as u64, particles as u64]);
    });
}
