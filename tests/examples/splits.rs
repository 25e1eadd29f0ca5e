//! Launches of the examples that are split over devices of unlike speed: they leave what one
//! processor leaves, bit for bit, and move halos only.

use std::sync::{Arc, Mutex, PoisonError};

use flash::sim::{Config, Run, Sim, Speed, What};
use flash::{Buffer, Var};
use flash_examples::{Options, Progress, Size};

use super::*;

/// Simulated devices, each faster than the one before; every launch is split into equal parts, one for
/// each of them.
pub(crate) fn devices(n: usize) -> (Runtime, Sim) {
    let speed =
        |k: usize| (k, Speed { items_per_second: (k as u64 + 1) * 1_000_000, ..Speed::default() });
    let others = (0..n).map(speed).collect();
    let sim = Sim::new(Config { devices: n, run: Run::Entry, others, ..Config::default() });
    let builder = Runtime::builder().backend(Arc::new(sim.clone())).partitions(n);
    (builder.build().expect("it is always there"), sim)
}

/// Bytes to devices and from them.
#[track_caller]
fn assert_moved(sim: &Sim, to: usize, from: usize) {
    let counts = sim.counts();
    assert_eq!((counts.uploaded, counts.downloaded), (to as u64, from as u64), "{counts:?}");
    assert_eq!(counts.poison, 0);
}

fn spinner() -> Progress {
    Progress::spinner("")
}

#[test]
fn hotspot_moves_its_halos() {
    let (k, shape @ [rows, columns], launches) = (3, [30, 17], 3);
    let (rt, sim) = devices(k);
    let (temperature, power) = hotspot::warm_blocks(shape, 2);
    let (album, _) =
        succeed(hotspot::simulate(&rt, shape, &temperature, &power, launches, &spinner()));
    succeed(hotspot::compare(shape, &temperature, &power, launches, &album));
    // Rows on both sides of each border: in each step, from their device unless the host has just
    // been shown all rows.
    let (rims, launches) = (2 * (k - 1), launches as usize);
    let steps = 4 * launches;
    let to = rows + rows + steps * rims;
    let from = launches * rows + (steps - launches) * rims;
    assert_moved(&sim, 4 * columns * to, 4 * columns * from);
}

#[test]
fn a_wave_moves_its_halos() {
    let (k, shape @ [rows, columns], all @ [shots, steps]) = (4, [33, 26], [2, 5]);
    let (rt, sim) = devices(k);
    let (start, speed) = (wave::source([33, 26]), wave::layers(shape));
    let film = succeed(wave::simulate(&rt, shape, &start, &speed, all, &spinner()));
    succeed(wave::compare(shape, &start, &speed, all, &film));
    let (rims, shots, steps) = (2 * (k - 1), shots as usize, (shots * steps) as usize);
    let to = 3 * rows + steps * rims;
    let from = shots * rows + (steps - shots) * rims;
    assert_moved(&sim, 4 * columns * to, 4 * columns * from);
}

#[test]
fn a_mandelbrot_picture_moves_to_the_host_only() {
    let (rt, sim) = devices(3);
    let album = Mutex::new(mandelbrot::Album::default());
    let all = mandelbrot::Window { x1: -2.3, x2: 0.8, y1: -1.5, y2: 1.6 };
    let windows = mandelbrot::windows(all, 0.2, 2);
    succeed(mandelbrot::zoom(&rt, [31, 22], &windows, 40, &album, &spinner()));
    let album = album.into_inner().unwrap_or_else(PoisonError::into_inner);
    succeed(mandelbrot::compare([31, 22], &windows, 40, &album.images));
    assert_moved(&sim, 0, 2 * 4 * 31 * 22);
    assert_eq!(sim.counts().launches, 6);
}

#[test]
fn a_convolution_moves_its_pixels_once_and_its_weights_to_each() {
    let (k, [pixels, inputs, outputs]) = (3, [20, 11, 15]);
    let (rt, sim) = devices(k);
    let layer = convolution::Layer::random([pixels, inputs, outputs], 7);
    let result = succeed(convolution::apply(&rt, &layer));
    succeed(convolution::compare(&layer, &result));
    let to = pixels * inputs + k * (inputs * outputs + 2 * outputs);
    assert_moved(&sim, 4 * to, 4 * pixels * outputs);
}

/// Each device gets the rows and the columns that its blocks need, each of them once.
#[test]
fn blocks_of_a_product_move_their_operands_once() {
    let shape @ [n, m, p] = [23, 9, 31];
    let [down, across] = [4, 3];
    let sim = Sim::new(Config { devices: 3, run: Run::Entry, ..Config::default() });
    let rt = Runtime::builder().backend(Arc::new(sim.clone())).build();
    let (a, b) = flash_examples::random::factors(shape, 3);
    let rt = succeed(rt);
    let mut owners: Vec<Var<u32>> = (0..down * across).map(|_| Var::new(0)).collect();
    let blocks = [down, across];
    let c = succeed(matrix_product::multiply_in(&rt, shape, &a, &b, blocks, &mut owners));
    let owners: Vec<u32> = owners.iter().map(|owner| succeed(owner.get())).collect();
    succeed(matrix_product::compare(shape, &a, &b, &c));
    let cut = |k: usize, len: usize, parts: usize| len * k / parts..len * (k + 1) / parts;
    for device in 0..3 {
        let is_mine = |block: &usize| owners[*block] == device;
        let mine: Vec<usize> = (0..down * across).filter(is_mine).collect();
        assert!(!mine.is_empty(), "{owners:?}");
        let rows = (0..down).filter(|row| mine.iter().any(|block| block / across == *row));
        let columns = (0..across).filter(|column| mine.iter().any(|b| b % across == *column));
        let rows: usize = rows.map(|k| cut(k, n, down).len()).sum();
        let columns: usize = columns.map(|k| cut(k, p, across).len()).sum();
        let uploaded: u64 = sim
            .calls()
            .iter()
            .filter(|call| call.device == device as usize)
            .filter_map(|call| match call.what {
                What::Upload { to, .. } => Some(to.bytes()),
                _ => None,
            })
            .sum();
        assert_eq!(uploaded as usize, 4 * m * (rows + columns), "device {device}: {owners:?}");
    }
    assert_eq!(sim.counts().downloaded as usize, 4 * n * p);
}

/// One launch, in a grid: a device has the blocks below each other, so their columns come once.
#[test]
fn a_product_is_cut_in_two_dimensions() {
    let shape @ [n, m, p] = [24, 9, 31];
    let (rt, sim) = devices(3);
    let (a, b) = flash_examples::random::factors(shape, 3);
    let (c, report) = succeed(matrix_product::multiply(&rt, shape, &a, &b, [2, 3]));
    succeed(matrix_product::compare(shape, &a, &b, &c));
    let widths = [10, 11, 10];
    for (k, had) in report.devices().iter().enumerate() {
        assert_eq!((had.parts, had.items), (2, (n * widths[k]) as u64), "{had}");
        assert_eq!(had.uploaded as usize, 4 * m * (n + widths[k]), "{had}");
    }
    assert_eq!(report.devices().len(), 3);
    assert_moved(&sim, 4 * m * (3 * n + p), 4 * n * p);
}

/// At the size of a test, and parts that are not alike.
#[test]
fn shares_of_unlike_sizes_beside_the_processor() {
    let speed = |rate| Speed { items_per_second: rate, ..Speed::default() };
    let others = vec![(0, speed(1_000_000)), (1, speed(3_000_000))];
    let sim = Sim::new(Config { devices: 2, run: Run::Entry, others, ..Config::default() });
    let builder = Runtime::builder().devices("ALL_CPU").backend(Arc::new(sim.clone())).threads(2);
    let rt = builder.build().expect("it is always there");
    assert_eq!(rt.devices().len(), 3);
    // Of 30 rows.
    let (shares, parts) = ([1.0, 5.0, 2.0], [4, 19, 7]);
    let shape @ [rows, columns] = [30, 17];

    let (temperature, power) = hotspot::warm_blocks(shape, 2);
    let chip = hotspot::Chip::new(shape);
    let dissipated = succeed(Buffer::from_shape(shape, &power[..]));
    let mut old = succeed(Buffer::from_shape(shape, &temperature[..]));
    let mut new = Buffer::zeros(shape);
    let mut p = rt.pipeline();
    for _ in 0..2 {
        let step = hotspot::hotspot(chip, &dissipated, &old, &mut new);
        p.push(step.shares(shares).over([columns, rows]));
        let step = hotspot::hotspot(chip, &dissipated, &new, &mut old);
        p.push(step.shares(shares).over([columns, rows]));
    }
    let is_shared = |report: &flash::Report, launches: usize, items_of_row: usize| {
        assert_eq!(report.devices().len(), launches * 3);
        for (k, had) in report.devices().iter().enumerate() {
            assert_eq!((had.parts, had.items), (1, (parts[k % 3] * items_of_row) as u64), "{had}");
        }
    };
    is_shared(&succeed(p.exec()), 4, columns);
    let found = [succeed(old.to_vec())];
    succeed(hotspot::compare(shape, &temperature, &power, 1, &found));

    let all = mandelbrot::Window { x1: -2.3, x2: 0.8, y1: -1.5, y2: 1.6 };
    let windows = mandelbrot::windows(all, 0.2, 1);
    let mut image = Buffer::zeros(shape);
    let call = mandelbrot::mandelbrot(windows[0], 40, &mut image).shares(shares);
    is_shared(&succeed(rt.submit(call).exec([columns, rows])), 1, columns);
    let found = [succeed(image.to_vec())];
    succeed(mandelbrot::compare([columns, rows], &windows, 40, &found));

    let (start, speed) = (wave::source(shape), wave::layers(shape));
    let rock = succeed(Buffer::from_shape(shape, &speed[..]));
    let mut now = succeed(Buffer::from_shape(shape, &start[..]));
    let mut next = Buffer::zeros(shape);
    let mut p = rt.pipeline();
    for _ in 0..3 {
        p.push(wave::wave(&now, &rock, &mut next).shares(shares).over([columns, rows]));
        p.push(wave::wave(&next, &rock, &mut now).shares(shares).over([columns, rows]));
    }
    is_shared(&succeed(p.exec()), 6, columns);
    let film = [succeed(now.to_vec())];
    succeed(wave::compare(shape, &start, &speed, [1, 6], &film));

    let outputs = 13;
    let layer = convolution::Layer::random([rows, columns, outputs], 7);
    let image = succeed(Buffer::from_shape([rows, columns], layer.image.clone()));
    let weights = succeed(Buffer::from_shape([columns, outputs], layer.weights.clone()));
    let [scale, bias] = [&layer.scale, &layer.bias].map(|v| Buffer::from(v.clone()));
    let mut result = Buffer::zeros([rows, outputs]);
    let call = convolution::convolution(&image, &weights, &scale, &bias, &mut result);
    is_shared(&succeed(rt.submit(call.shares(shares)).exec([outputs, rows])), 1, outputs);
    succeed(convolution::compare(&layer, &succeed(result.to_vec())));
    assert_eq!(sim.counts().poison, 0);
}

/// The processor too, and a device that is much slower.
#[test]
fn the_processor_takes_part() {
    let folder = tempfile::tempdir().expect("a folder for the test");
    succeed(split::run(&Options { size: Size::Smoke, out: folder.path().to_owned() }));
}
