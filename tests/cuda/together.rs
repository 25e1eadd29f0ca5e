//! Threads that do several items, so that they take 16 bytes of an array at once: the same bits as on the
//! processor, wherever arrays start and lines end, and one by one where 16 bytes cannot be.

use std::fmt::Debug;
use std::sync::{Arc, Mutex};

use flash::prelude::*;
use flash_tests::cuda::{TestCuda, cuda};
use tracing::field::{Field, Visit};
use tracing::span::{Attributes, Id, Record};
use tracing::{Event, Metadata, Subscriber};

/// One multiprocessor, so that a few thousand items are enough.
const SETTINGS: &str = "devices=1,multiprocessors=1";

#[flash::kernel(part_by)]
fn triad(a: f32, x: &[f32], y: &[f32], #[out] z: &mut [f32]) {
    let i = global_id(0);
    z[i] = y[i] + a * x[i];
}

/// Elements of three sizes, and some that stay.
#[flash::kernel]
fn mixed(n: u16, x: &[u8], y: &mut [f64], #[out(partial)] z: &mut [u16]) {
    let i = global_id(0);
    if x[i] % 3 == 0 {
        y[i] = y[i] * 0.5 + x[i] as f64;
    }
    if x[i] > 100 {
        z[i] = x[i] as u16 * 7;
    } else {
        z[i] = n + x[i] as u16;
    }
}

/// One element for all of an array of another one, and of its own.
#[flash::kernel]
fn beyond(x: &[f32], w: &[f32], #[out] y: &mut [f32]) {
    let i = global_id(0);
    y[i] = x[i] * w[2] - w[0];
}

#[flash::kernel]
fn from_first(x: &[f32], #[out] y: &mut [f32]) {
    let i = global_id(0);
    y[i] = x[i] - x[0];
}

/// Neighbours of one array beside another one's own element.
#[flash::kernel]
fn smooth(x: &[i32], w: &[i32], #[out] y: &mut [i32]) {
    let i = global_id(0);
    let mut sum = w[i];
    if i > 0 && i + 1 < x.len() {
        sum += x[i - 1] + x[i + 1];
    }
    y[i] = sum;
}

#[flash::kernel]
fn scaled(a: f32, x: View<'_, f32, 2>, y: ViewMut<'_, f32, 2>) {
    let (j, i) = (global_id(1), global_id(0));
    y[[j, i]] = y[[j, i]] - a * x[[j, i]] + i as f32;
}

/// The `together` of the texts that were compiled.
#[derive(Clone, Default)]
struct Compiled(Arc<Mutex<Vec<u64>>>);

impl Visit for Compiled {
    fn record_u64(&mut self, field: &Field, value: u64) {
        if field.name() == "together" {
            self.0.lock().unwrap().push(value);
        }
    }

    fn record_debug(&mut self, _: &Field, _: &dyn Debug) {}
}

impl Subscriber for Compiled {
    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        metadata.is_event() && metadata.target().starts_with("flash_cuda")
    }

    fn new_span(&self, _: &Attributes<'_>) -> Id {
        Id::from_u64(1)
    }

    fn record(&self, _: &Id, _: &Record<'_>) {}

    fn record_follows_from(&self, _: &Id, _: &Id) {}

    fn event(&self, event: &Event<'_>) {
        event.record(&mut self.clone());
    }

    fn enter(&self, _: &Id) {}

    fn exit(&self, _: &Id) {}
}

/// How many items the threads of what was compiled meanwhile do.
fn compiled(run: impl FnOnce()) -> Vec<u64> {
    let compiled = Compiled::default();
    tracing::subscriber::with_default(compiled.clone(), run);
    let mut all = compiled.0.lock().unwrap().clone();
    all.sort_unstable();
    all
}

fn floats(n: usize, seed: f32) -> Vec<f32> {
    (0..n).map(|i| (i as f32 * 0.37 + seed) % 11.0 - 5.0).collect()
}

/// What the device finds is what the processor finds; how many items the threads of what was compiled do.
fn on_both<T: PartialEq>(rt: &Runtime, run: impl Fn(&Runtime) -> T) -> Vec<u64> {
    let wanted = run(&Runtime::open("ALL_CPU").unwrap());
    compiled(|| assert!(run(rt) == wanted))
}

#[test]
fn lines_of_any_length_from_anywhere() {
    let Some(TestCuda { driver: _driver, rt }) = cuda(SETTINGS) else { return };
    let cpu = Runtime::open("ALL_CPU").unwrap();
    let run = |rt: &Runtime, n: usize, at: [usize; 3]| {
        let (x, y) = (Buffer::from(floats(n + 8, 1.0)), Buffer::from(floats(n + 8, 2.0)));
        let z = Buffer::from(vec![9.0_f32; n + 8]);
        let (x, y, mut part) =
            (x.view(at[0]..at[0] + n), y.view(at[1]..at[1] + n), z.view(at[2]..at[2] + n));
        rt.submit(triad(1.5, &x, &y, &mut part)).exec([n]).unwrap();
        z.to_vec().unwrap()
    };
    for (n, at, width) in [
        (4096, [0, 0, 0], 4),
        (4097, [0, 4, 8], 4),
        (4099, [4, 4, 4], 4),
        (4098, [0, 1, 0], 1),
        (4100, [0, 0, 2], 1),
        // Too few for all multiprocessors.
        (4095, [0, 0, 0], 1),
    ] {
        let mut found = Vec::new();
        let took = compiled(|| found = run(&rt, n, at));
        // A text that was compiled before is taken again.
        assert!(took.iter().all(|&w| w == width), "{n} {at:?}: {took:?}");
        let expected = run(&cpu, n, at);
        assert!(found.iter().zip(&expected).all(|(a, b)| a.to_bits() == b.to_bits()), "{n} {at:?}");
    }
}

#[test]
fn elements_of_several_sizes_and_those_that_stay() {
    let Some(TestCuda { driver: _driver, rt }) = cuda(SETTINGS) else { return };
    for n in [2048, 2049, 4096 + 5] {
        let took = on_both(&rt, |rt| {
            let x = Buffer::from((0..n).map(|i| (i * 37 % 251) as u8).collect::<Vec<_>>());
            let mut y = Buffer::from((0..n).map(|i| i as f64 / 3.0).collect::<Vec<_>>());
            let mut z = Buffer::from((0..n).map(|i| i as u16).collect::<Vec<_>>());
            rt.submit(mixed(3, &x, &mut y, &mut z)).exec([n]).unwrap();
            let bits: Vec<u64> = y.to_vec().unwrap().into_iter().map(f64::to_bits).collect();
            (bits, z.to_vec().unwrap())
        });
        assert!(took.iter().all(|&width| width == 2), "{n}: {took:?}");
    }
}

#[test]
fn elements_for_all_items_are_read_one_by_one() {
    let Some(TestCuda { driver: _driver, rt }) = cuda(SETTINGS) else { return };
    let n = 4099;
    for of_own in [false, true] {
        let took = on_both(&rt, |rt| {
            let (x, w) = (Buffer::from(floats(n, 1.0)), Buffer::from(vec![3.0, 0.0, 0.5]));
            let mut y = Buffer::zeros(n);
            match of_own {
                true => rt.submit(from_first(&x, &mut y)).exec([n]).unwrap(),
                false => rt.submit(beyond(&x, &w, &mut y)).exec([n]).unwrap(),
            };
            y.to_vec().unwrap()
        });
        assert_eq!(took, [if of_own { 1 } else { 4 }]);
    }
}

#[test]
fn neighbours_are_read_one_by_one() {
    let Some(TestCuda { driver: _driver, rt }) = cuda(SETTINGS) else { return };
    for n in [4096, 5003] {
        let took = on_both(&rt, |rt| {
            let x = Buffer::from((0..n).map(|i| (i * i % 1009) as i32).collect::<Vec<_>>());
            let w = Buffer::from((0..n).map(|i| i as i32).collect::<Vec<_>>());
            let mut y = Buffer::from(vec![0; n]);
            rt.submit(smooth(&x, &w, &mut y)).exec([n]).unwrap();
            y.to_vec().unwrap()
        });
        assert!(took.iter().all(|&width| width == 1), "{n}: {took:?}");
    }
}

#[test]
fn lines_of_a_plane() {
    let Some(TestCuda { driver: _driver, rt }) = cuda(SETTINGS) else { return };
    // Lines of whole sixteens of bytes, and others; a box in the middle.
    for (w, columns, width) in
        [(128, 0..128, 4), (128, 4..127, 4), (128, 2..126, 1), (126, 0..126, 1)]
    {
        let took = on_both(&rt, |rt| {
            let x = Buffer::<f32, 2>::from_shape([40, w], floats(40 * w, 0.5)).unwrap();
            let y = Buffer::<f32, 2>::from_shape([40, w], floats(40 * w, 3.0)).unwrap();
            let (from, mut to) =
                (x.view((2..40, columns.clone())), y.view((1..39, columns.clone())));
            rt.submit(scaled(0.75, &from, &mut to)).exec([columns.len(), 38]).unwrap();
            let bits: Vec<u32> = y.to_vec().unwrap().into_iter().map(f32::to_bits).collect();
            bits
        });
        assert!(took.iter().all(|&found| found == width), "{w} {columns:?}: {took:?}");
    }
}

#[test]
fn parts_of_a_launch_and_what_is_checked() {
    let Some(TestCuda { driver: _driver, rt }) = cuda(SETTINGS) else { return };
    let n = 3 * 4096 + 7;
    let (x, y) = (Buffer::from(floats(n, 1.0)), Buffer::from(floats(n, 2.0)));
    let mut all = [Buffer::zeros(n), Buffer::zeros(n)];
    let took = compiled(|| {
        rt.submit(triad(2.0, &x, &y, &mut all[0]).partitions(2)).exec([n]).unwrap();
    });
    assert!(took.contains(&4), "{took:?}");
    let cpu = Runtime::open("ALL_CPU").unwrap();
    cpu.submit(triad(2.0, &x, &y, &mut all[1])).exec([n]).unwrap();
    assert!(all[0].to_vec().unwrap() == all[1].to_vec().unwrap());
    // One item too many is still an error, of that item.
    let short = Buffer::from(floats(n - 1, 1.0));
    let error = rt.submit(triad(2.0, &short, &y, &mut all[0])).exec([n]).unwrap_err();
    assert!(error.to_string().contains("`x`"), "{error}");
}
