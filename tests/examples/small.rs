//! The workload of each example on data that is just large enough for all that it does, so that it
//! runs in about a millisecond: nothing is drawn, and no file is touched. What it borrows is as it was
//! when it has ended, however it ends.

use std::fmt::Debug;
use std::sync::Mutex;

use flash::{Runtime, Var};
use flash_examples::y4m::{Frame, Header};
use flash_examples::{Progress, Result, SplitMix64, check};

use crate as examples;

fn progress() -> Progress {
    Progress::spinner("steps")
}

/// Random numbers of either sign.
fn numbers(n: usize) -> Vec<f32> {
    let mut random = SplitMix64::new(1);
    (0..n).map(|_| random.signed()).collect()
}

/// Calls `run` with what a launch borrows, and looks at that afterwards.
fn lending<T: Debug, R>(lent: &T, run: impl FnOnce(&T) -> R) -> R {
    let before = format!("{lent:?}");
    let result = run(lent);
    assert_eq!(format!("{lent:?}"), before, "what was borrowed");
    result
}

pub(crate) fn saxpy(rt: &Runtime) -> Result {
    examples::saxpy::compare(rt, 40, 1)
}

pub(crate) fn sobel_video(rt: &Runtime) -> Result {
    use examples::sobel_video::{Sink, Source, compare, filter, sobel_frame};

    let header = Header::new(8, 6);
    let mut random = SplitMix64::new(2);
    let mut frame = || {
        let mut frame = Frame::zeros(&header);
        for plane in frame.planes_mut() {
            plane.iter_mut().for_each(|pixel| *pixel = random.below(256) as u8);
        }
        frame
    };
    let frames: Vec<Frame> = (0..3).map(|_| frame()).collect();
    let source = Mutex::new(Source::Memory(frames.clone().into_iter()));
    let sink = Mutex::new(Sink::Memory(Vec::new()));
    filter(rt, &header, 3, &source, &sink, &progress())?;
    let expected: Vec<Frame> = frames.iter().map(|frame| sobel_frame(&header, frame)).collect();
    match sink.into_inner()? {
        Sink::Memory(found) => Ok(compare("in memory", &found, &expected)?),
        Sink::File(_) => Err("it went to a file".into()),
    }
}

pub(crate) fn mandelbrot(rt: &Runtime) -> Result {
    use examples::mandelbrot::{Album, Window, compare, windows, zoom};

    let size = [8, 6];
    let all = windows(Window { x1: -2.0, x2: 0.5, y1: -1.2, y2: 1.2 }, 0.1, 4);
    let album = Mutex::new(Album::default());
    zoom(rt, size, &all, 30, &album, &progress())?;
    compare(size, &all, 30, &album.into_inner()?.images)
}

pub(crate) fn nbody(rt: &Runtime) -> Result {
    use examples::nbody::{Bodies, compare, simulate, simulate_in_stages};

    let bodies = Bodies::random(10, 3);
    let (moved, energy) = simulate(rt, &bodies, 1e-3, 0.1, 3, &progress())?;
    compare(&bodies, 1e-3, 0.1, 3, &moved, energy)?;
    let (moved, energy) = simulate_in_stages(rt, &bodies, 1e-3, 0.1, 3)?;
    compare(&bodies, 1e-3, 0.1, 3, &moved, energy)
}

pub(crate) fn black_scholes(rt: &Runtime) -> Result {
    use examples::black_scholes::{compare, price_all, random_contracts};

    let contracts = random_contracts(20, 4);
    let prices = lending(&contracts, |contracts| price_all(rt, contracts))?;
    Ok(compare(&contracts, &prices)?)
}

pub(crate) fn histogram(rt: &Runtime) -> Result {
    let mut random = SplitMix64::new(5);
    let values: Vec<u8> = (0..100).map(|_| random.below(256) as u8).collect();
    let bins = lending(&values, |values| examples::histogram::count(rt, values))?;
    examples::histogram::compare(&values, &bins)
}

pub(crate) fn matrix_product(rt: &Runtime) -> Result {
    use examples::matrix_product::{compare, multiply_in};
    use flash_examples::random::factors;

    let shape = [7, 5, 6];
    let (a, b) = factors(shape, 6);
    let mut devices: Vec<Var<u32>> = (0..4).map(|_| Var::new(0)).collect();
    let c = multiply_in(rt, shape, &a, &b, [2, 2], &mut devices)?;
    devices.iter().try_for_each(|device| device.get().map(drop))?;
    compare(shape, &a, &b, &c)
}

pub(crate) fn relaxation(rt: &Runtime) -> Result {
    use examples::relaxation::{compare, settle, warm_plate};

    // Two rounds: after the first one it is still ten times as far from rest.
    let (shape, tolerance) = ([12, 12], 0.05);
    let plate = warm_plate(shape);
    let (settled, sweeps, change) = settle(rt, shape, &plate, tolerance, &progress())?;
    check::equal("sweeps", &[sweeps], &[100])?;
    compare(shape, &plate, tolerance, (sweeps, &settled, change))
}

pub(crate) fn own_kernel(rt: &Runtime) -> Result {
    let options = flash_examples::Options {
        size: flash_examples::Size::Smoke,
        out: std::path::PathBuf::new(),
    };
    examples::own_kernel::run(rt, &options)
}

pub(crate) fn heat(rt: &Runtime) -> Result {
    use examples::heat::{cold_rod, compare, spread, spread_in_stages};

    let rod = cold_rod(10);
    compare(&rod, 8, &spread(rt, &rod, 4)?)?;
    compare(&rod, 8, &spread_in_stages(rt, &rod, 8)?)
}

pub(crate) fn hotspot(rt: &Runtime) -> Result {
    use examples::hotspot::{compare, simulate, warm_blocks};

    let shape = [6, 7];
    let (temperature, power) = warm_blocks(shape, 2);
    let (album, _) = simulate(rt, shape, &temperature, &power, 3, &progress())?;
    compare(shape, &temperature, &power, 3, &album)
}

pub(crate) fn wave(rt: &Runtime) -> Result {
    use examples::wave::{compare, layers, simulate};

    let shape = [9, 8];
    let (start, speed) = (numbers(72), layers(shape));
    let film = simulate(rt, shape, &start, &speed, [3, 3], &progress())?;
    compare(shape, &start, &speed, [3, 3], &film)
}

pub(crate) fn convolution(rt: &Runtime) -> Result {
    use examples::convolution::{Layer, apply, compare};

    let layer = Layer::random([3, 5, 4], 7);
    let result = lending(&layer, |layer| apply(rt, layer))?;
    compare(&layer, &result)
}

pub(crate) fn dct(rt: &Runtime) -> Result {
    use examples::dct::{compare, returns, transform};

    let (shape, image) = ([9, 17], numbers(9 * 17));
    let waves = transform(rt, shape, &image, false, 2)?;
    compare(shape, &image, &waves)?;
    returns(shape, &image, &transform(rt, shape, &waves, true, 1)?)
}

pub(crate) fn attention(rt: &Runtime) -> Result {
    use examples::attention::{Memory, attend, compare};

    let memory = Memory::random([9, 4], 1.0, 8);
    let (result, total) = lending(&memory, |memory| attend(rt, memory, 3))?;
    compare(&memory, &result, total)
}

pub(crate) fn matrix_power(rt: &Runtime) -> Result {
    use examples::matrix_power::{compare, powers, random_matrix};

    let matrix = random_matrix(6, 9);
    let (log, _) = powers(rt, 6, &matrix, 4, &progress())?;
    compare(6, &matrix, 4, &log)
}

pub(crate) fn diffusion(rt: &Runtime) -> Result {
    use examples::diffusion::{Moves, compare, diffuse, diffuse_in_phases};

    let moves = Moves::random(6, 5, [10, 11]);
    compare(&moves, &diffuse(rt, &moves, 2, &progress())?)?;
    compare(&moves, &diffuse_in_phases(rt, &moves)?)
}

pub(crate) fn euler(rt: &Runtime) -> Result {
    use examples::euler::{compare, simulate};

    let mesh = examples::euler::Mesh::plate([6, 8], true);
    let start = vec![examples::euler::FAR_FIELD; mesh.area.len()];
    let film = simulate(rt, &mesh, &start, [2, 2], &progress())?;
    compare(&mesh, &start, [2, 2], &film)
}

pub(crate) fn alignment(rt: &Runtime) -> Result {
    use examples::alignment::{best_scores, compare, letters, scores};

    let mut random = SplitMix64::new(12);
    let (a, b) = (letters(6, 2, &mut random), letters(5, 2, &mut random));
    compare(&a, &b, &scores(rt, &a, &b)?, &best_scores(rt, &a, &b)?)
}

pub(crate) fn tree_sum(rt: &Runtime) -> Result {
    use examples::tree_sum::{compare, prices, tree_sum};

    let x = prices(11, 4);
    compare(&x, tree_sum(rt, &x)?)
}
