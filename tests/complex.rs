//! Complex numbers in bodies: operators and functions give on every device the bits that `num_complex` gives
//! on the host, as the same text is compiled for both. What bodies say of numbers of 16 bits is asked in
//! `opencl/elements.rs`.
#![allow(clippy::unwrap_used, reason = "a test fails by unwrapping")]

use flash::prelude::*;
use flash_tests::{oclgrind, opencl};
use num_complex::{Complex, Complex32, Complex64};

/// Where bodies run.
fn everywhere() -> impl Iterator<Item = Runtime> {
    ["ALL_CPU", "SIM"].map(|key| Runtime::open(key).unwrap()).into_iter().chain(opencl())
}

/// The bits of a number; of those that are none one stands for all, as is said of `flash::math`.
trait Bits: Copy {
    fn bits(self) -> u64;
}

impl Bits for f32 {
    fn bits(self) -> u64 {
        if self.is_nan() { u64::MAX } else { self.to_bits().into() }
    }
}

impl Bits for f64 {
    fn bits(self) -> u64 {
        if self.is_nan() { u64::MAX } else { self.to_bits() }
    }
}

fn bits<T: Bits>(z: Complex<T>) -> [u64; 2] {
    [z.re.bits(), z.im.bits()]
}

/// Numbers of all magnitudes, those at which formulas go wrong among them.
fn numbers<T: Copy + std::ops::Mul<Output = T>>(
    part: impl Fn(f64) -> T,
    seed: usize,
) -> Vec<Complex<T>> {
    let edges = [
        0.0,
        -0.0,
        1.0,
        -1.0,
        0.1,
        -7.25,
        3e38,
        -2e-38,
        1e-45,
        1e308,
        f64::INFINITY,
        f64::NEG_INFINITY,
        f64::NAN,
        16_777_217.0,
    ];
    let random = |k: usize| {
        let mixed = (k as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(23);
        (mixed % 2_000_003) as f64 / 4_096.0 - 244.0
    };
    let both =
        |k: usize| part(if k.is_multiple_of(3) { edges[k / 3 % edges.len()] } else { random(k) });
    (0..900).map(|k| Complex::new(both(k * seed + k / 7), both(k * seed + k / 5 + 1))).collect()
}

/// A kernel and a function of the host with the same values of `x`, `y` and the real number `t`.
macro_rules! alike {
    ($(#[$option:ident])* $kernel:ident, $host:ident: $part:ty; $count:literal;
        |$x:ident, $y:ident, $t:ident| [$($value:expr),* $(,)?]) => {
        #[flash::kernel($($option),*)]
        fn $kernel(
            xs: &[Complex<$part>],
            ys: &[Complex<$part>],
            #[out] to: &mut [[Complex<$part>; $count]],
        ) {
            let i = global_id(0);
            let $x = xs[i];
            let $y = ys[i];
            let $t = xs[i].im;
            to[i] = [$($value),*];
        }

        fn $host($x: Complex<$part>, $y: Complex<$part>) -> [Complex<$part>; $count] {
            let $t = $x.im;
            [$($value),*]
        }
    };
}

macro_rules! operators {
    ($($part:ident, $kernel:ident, $host:ident;)*) => {$(
        alike!($kernel, $host: $part; 26; |x, y, t| [
            x + y,
            x - y,
            x * y,
            x / y,
            x % y,
            x + t,
            x - t,
            x * t,
            x / t,
            x % t,
            t + x,
            t - x,
            t * y,
            t / y,
            t % y,
            -x,
            -(x * y) + x / (y - t),
            x * 2.0 - 0.5 / y,
            x.conj() * y.inv(),
            x.scale(t).unscale(3.0),
            Complex::new(x.norm_sqr(), y.l1_norm()),
            Complex::new(0.0, 1.0) * x,
            x * (Complex::new(1.5, -2.0) * Complex::new(0.25, 1.0)),
            if x == y { x } else { -y },
            if x != x { Complex::new(1.0, 2.0) } else { x * Complex::new(x.re, -0.0) },
            if x.is_nan() || !y.is_finite() { y } else { Complex::new((x * y).re, (x / y).im) },
        ]);
    )*};
}

operators! {
    f32, operators_single, operators_single_host;
    f64, operators_double, operators_double_host;
}

/// Runs a kernel on pairs of numbers everywhere, and compares with the host.
macro_rules! compare {
    ($kernel:ident, $host:expr, $part:ty) => {
        let [x, y] = [1, 4].map(|seed| numbers(|number| number as $part, seed));
        let n = x.len();
        for rt in everywhere() {
            let (xs, ys) = (Buffer::from(x.clone()), Buffer::from(y.clone()));
            let mut to = Buffer::zeros(n);
            rt.submit($kernel(&xs, &ys, &mut to)).exec([n]).unwrap();
            let to = to.to_vec().unwrap();
            for ((x, y), got) in x.iter().zip(&y).zip(to) {
                let want = $host(*x, *y);
                for (k, (got, want)) in got.into_iter().zip(want).enumerate() {
                    let same = bits(got) == bits(want);
                    assert!(same, "value {k} of {x:?} and {y:?} is {got:?}, not {want:?}");
                }
            }
        }
    };
}

#[test]
fn operators_and_functions_have_the_bits_of_the_host() {
    compare!(operators_single, operators_single_host, f32);
    compare!(operators_double, operators_double_host, f64);
}

#[derive(Clone, Copy, Default, flash::Pod)]
#[repr(C)]
struct Pair {
    first: Complex64,
    others: [Complex64; 2],
}

/// Every `op=`, at an element, at a part of one, and at locals, which are read on the right too.
#[flash::kernel]
fn updates(x: &[Complex64], y: &[Complex64], to: &mut [Pair]) {
    let i = global_id(0);
    let at = i % 2;
    to[i].first += x[i];
    to[i].first *= y[i];
    to[i].first -= to[i].first * x[i];
    to[i].others[at] /= y[i];
    to[i].others[1 - at] += x[i].re;
    let mut z = x[i];
    z *= 3.0;
    z /= z + y[i];
    z %= y[i];
    z -= 1.0;
    z.im *= 2.0;
    to[i].others[0] += z;
    to[i].others[0] -= {
        to[i].others[0] = y[i] * z;
        to[i].others[0] + z
    };
}

#[test]
fn updates_have_the_bits_of_the_host() {
    let [x, y] = [3, 5].map(|seed| numbers(|number| number, seed));
    let n = x.len();
    let start = Complex::new(0.75, -1e10);
    let pair = Pair { first: start, others: [start * 3.0, start.conj()] };
    for rt in everywhere() {
        let (xs, ys) = (Buffer::from(x.clone()), Buffer::from(y.clone()));
        let mut to = Buffer::from(vec![pair; n]);
        rt.submit(updates(&xs, &ys, &mut to)).exec([n]).unwrap();
        let to = to.to_vec().unwrap();
        for (i, got) in to.into_iter().enumerate() {
            let (x, y, mut want) = (x[i], y[i], pair);
            let at = i % 2;
            want.first += x;
            want.first *= y;
            want.first -= want.first * x;
            want.others[at] /= y;
            want.others[1 - at] += x.re;
            let mut z = x;
            z *= 3.0;
            z /= z + y;
            z %= y;
            z -= 1.0;
            z.im *= 2.0;
            want.others[0] += z;
            // The right side of an update is evaluated first.
            want.others[0] = y * z;
            want.others[0] -= want.others[0] + z;
            let all = |pair: Pair| [pair.first, pair.others[0], pair.others[1]].map(bits);
            assert_eq!(all(got), all(want), "item {i} of {x:?} and {y:?}");
        }
    }
}

/// Indices that do something, once: before the right side does in a local, after it in an array.
#[flash::kernel]
fn counted(x: &[Complex64], #[out] to: &mut [Pair], #[out] counts: &mut [usize]) {
    let i = global_id(0);
    let mut all = [x[i], x[i] * 2.0];
    let mut k = 0;
    all[{
        k += 1;
        k % 2
    }] *= x[i].conj();
    all[{
        k += 2;
        k % 2
    }] /= {
        k += 1;
        x[i] - [[1.5, 2.5], [3.5, k as f64]][k / 4][k % 2]
    };
    to[i] = Pair { first: all[0], others: all };
    to[i].others[{
        k += 1;
        k % 2
    }] -= {
        k *= 3;
        x[i] * k as f64
    };
    counts[i] = k;
}

#[test]
fn the_index_of_an_update_is_found_once() {
    let x = numbers(|number| number, 3);
    let n = x.len();
    for rt in everywhere() {
        let xs = Buffer::from(x.clone());
        let (mut to, mut counts) = (Buffer::from(vec![Pair::default(); n]), Buffer::zeros(n));
        rt.submit(counted(&xs, &mut to, &mut counts)).exec([n]).unwrap();
        assert!(counts.to_vec().unwrap().into_iter().all(|count| count == 13));
        for (x, got) in x.iter().zip(to.to_vec().unwrap()) {
            let mut all = [*x, x * 2.0];
            all[1] *= x.conj();
            all[1] /= x - 3.5;
            let mut want = Pair { first: all[0], others: all };
            want.others[1] -= x * 12.0;
            let all = |pair: Pair| [pair.first, pair.others[0], pair.others[1]].map(bits);
            assert_eq!(all(got), all(want), "of {x:?}");
        }
    }
}

/// One step of a Newton iteration for the roots of `z^3 - 1`.
#[flash::device]
fn newton(z: Complex32, relaxed: f32) -> Complex32 {
    let square = z * z;
    z - (square * z - 1.0) / (3.0 * square) * relaxed
}

#[flash::device]
fn length(z: Complex32) -> f32 {
    z.norm_sqr()
}

#[flash::kernel]
fn fractal(starts: &[Complex32], #[out] ends: &mut [Complex32], #[out] steps: &mut [u32]) {
    let i = global_id(0);
    let mut z = starts[i];
    let mut n = 0;
    while n < 40 && length(z * z * z - Complex::new(1.0, 0.0)) > 1e-6 {
        z = newton(z, 1.0);
        n += 1;
    }
    ends[i] = z;
    steps[i] = n;
}

#[test]
fn device_functions_take_and_give_them() {
    let starts: Vec<Complex32> =
        (0..1_000).map(|k| Complex::new(k as f32 / 250.0 - 2.01, 1.3 - k as f32 / 400.0)).collect();
    let n = starts.len();
    for rt in everywhere() {
        let from = Buffer::from(starts.clone());
        let (mut ends, mut steps) = (Buffer::zeros(n), Buffer::zeros(n));
        rt.submit(fractal(&from, &mut ends, &mut steps)).exec([n]).unwrap();
        let (ends, steps) = (ends.to_vec().unwrap(), steps.to_vec().unwrap());
        for (k, start) in starts.iter().enumerate() {
            let (mut z, mut count) = (*start, 0);
            while count < 40 && length(z * z * z - Complex::new(1.0, 0.0)) > 1e-6 {
                z = newton(z, 1.0);
                count += 1;
            }
            assert_eq!((bits(ends[k]), steps[k]), (bits(z), count), "from {start}");
        }
        // Nearly all are at one of the roots.
        let at_root = |z: &&Complex32| (**z * **z * **z - 1.0).norm_sqr() < 1e-5;
        assert!(ends.iter().filter(at_root).count() > 900);
    }
}

/// A Fourier transform by its definition: a loop of each item over all elements.
#[flash::kernel]
fn transformed(x: &[Complex64], turns: &[Complex64], #[out] y: &mut [Complex64]) {
    let i = global_id(0);
    let mut sum = Complex::new(0.0, 0.0);
    for k in 0..x.len() {
        sum += x[k] * turns[i * k % x.len()];
    }
    y[i] = sum;
}

#[flash::kernel]
fn product(
    a: View<'_, Complex32, 2>,
    b: View<'_, Complex32, 2>,
    #[out] c: ViewMut<'_, Complex32, 2>,
) {
    let (i, j) = (global_id(1), global_id(0));
    let mut sum = Complex::new(0.0, 0.0);
    for k in 0..a.extent(1) {
        sum += a[[i, k]] * b[[k, j]];
    }
    c[[i, j]] = sum;
}

#[test]
fn sums_in_loops_are_in_order() {
    let n = 96;
    let x: Vec<Complex64> =
        (0..n).map(|k| Complex::new(f64::from(k).sin(), f64::from(k * k % 7))).collect();
    let turn = std::f64::consts::TAU / f64::from(n);
    let turns: Vec<Complex64> = (0..n)
        .map(|k| Complex::new((f64::from(k) * turn).cos(), -(f64::from(k) * turn).sin()))
        .collect();
    let n = n as usize;
    for rt in everywhere() {
        let (xs, by) = (Buffer::from(x.clone()), Buffer::from(turns.clone()));
        let mut y = Buffer::zeros(n);
        rt.submit(transformed(&xs, &by, &mut y)).exec([n]).unwrap();
        for (i, got) in y.to_vec().unwrap().into_iter().enumerate() {
            let mut want = Complex::new(0.0, 0.0);
            for k in 0..n {
                want += x[k] * turns[i * k % n];
            }
            assert_eq!(bits(got), bits(want), "frequency {i}");
        }
        let (rows, columns, inner) = (33, 45, 17);
        let at = |i: usize, j: usize| Complex32::new((i * 7 % 5) as f32 - 1.7, j as f32 * 0.3);
        let grid = |h: usize, w: usize| {
            let all: Vec<Complex32> = (0..h * w).map(|k| at(k / w, k % w)).collect();
            Buffer::from(all).reshape([h, w]).unwrap()
        };
        let (a, b) = (grid(rows, inner), grid(inner, columns));
        let mut c = Buffer::zeros([rows, columns]);
        rt.submit(product(&a, &b, &mut c)).exec([columns, rows]).unwrap();
        for (k, got) in c.to_vec().unwrap().into_iter().enumerate() {
            let mut want = Complex::new(0.0, 0.0);
            for l in 0..inner {
                want += at(k / columns, l) * at(l, k % columns);
            }
            assert_eq!(bits(got), bits(want), "element {k}");
        }
    }
}

// A `fast_math` kernel rounds as others do here: only sums of real products are one operation.
alike!(#[fast_math] fast, fast_host: f32; 3; |x, y, _t| [x * y + x, x - y * y, x * y - x * x]);

#[test]
fn fast_math_leaves_them_as_they_are() {
    compare!(fast, fast_host, f32);
}

#[test]
fn kernels_touch_what_is_theirs() {
    oclgrind::clean(&[
        "operators_and_functions_have_the_bits_of_the_host",
        "updates_have_the_bits_of_the_host",
        "the_index_of_an_update_is_found_once",
        "device_functions_take_and_give_them",
        "sums_in_loops_are_in_order",
    ]);
}
