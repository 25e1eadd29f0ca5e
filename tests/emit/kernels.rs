//! Kernels whose text is looked at. They compute little of use; each has what its test is about.

use flash::prelude::*;
use flash_test_devices as far;
use flash_test_devices::{Cell, Cloud};

#[flash::kernel(inputs = 2)]
pub(crate) fn saxpy(a: f32, x: &[f32], y: &mut [f32]) {
    let i = global_id(0);
    y[i] = a * x[i] + y[i];
}

/// Neighbours behind guards, in a view.
#[flash::kernel]
pub(crate) fn stencil(c: f32, u: View<'_, f32, 2>, #[out] next: ViewMut<'_, f32, 2>) {
    let (x, y) = (global_id(0), global_id(1));
    if x > 0 && x + 1 < u.extent(1) && y > 0 && y + 1 < u.extent(0) {
        let around = u[[y - 1, x]] + u[[y + 1, x]] + u[[y, x - 1]] + u[[y, x + 1]];
        next[[y, x]] = u[[y, x]] + c * (around - 4.0 * u[[y, x]]);
    } else {
        next[[y, x]] = u[[y, x]];
    }
}

#[flash::kernel]
pub(crate) fn dot(
    x: View<'_, f64, 2>,
    y: View<'_, f64, 2>,
    #[reduce(+)] sum: &mut f64,
    #[reduce(max)] most: &mut i32,
) {
    let (i, j) = (global_id(0), global_id(1));
    if x[[j, i]] < 0.0 {
        return;
    }
    *sum += x[[j, i]] * y[[j, i]];
    *most = (*most).max((x[[j, i]] - 1.0) as i32);
}

#[flash::kernel]
pub(crate) fn histogram(
    x: &[f32],
    counts: &[Atomic<u32>],
    sums: &[Atomic<f32>],
    last: &[Atomic<i64>],
    #[out] before: &mut [u32],
) {
    let i = global_id(0);
    let bin = (x[i] * 4.0) as usize;
    sums[bin].fetch_add(x[i]);
    last[bin].fetch_max(i as i64);
    last[0].store(7);
    before[i] = counts[bin].fetch_add(1) + counts[0].load();
}

/// Elements that are structures, read and changed in part.
#[flash::kernel]
pub(crate) fn drift(by: Cell, cells: &mut [Cell], clouds: &mut [Cloud]) {
    let i = global_id(0);
    cells[i].rho += by.rho;
    let mut cell = far::moved(cells[i], by.mass);
    cell.id = clouds[i].at[i % 4] as u32;
    clouds[i].cells[1] = Cell { rho: cell.rho * 2.0, mass: by.mass, id: cell.id };
    clouds[i].mid.mass *= 0.5;
    cells[i] = cell;
}

/// Ends the item where it divides by zero.
#[flash::device]
fn share(total: i32, of: i32) -> i32 {
    if of > 100 {
        return total;
    }
    total / of
}

#[flash::device]
fn shares(total: i32, of: [i32; 3]) -> i32 {
    total + share(total, of[0]) + share(total, of[1]) * share(total, of[2])
}

#[flash::kernel]
pub(crate) fn called(x: &[i32], y: &mut [i32]) {
    let i = global_id(0);
    let mix = far::mix(x[i] as u32, 3) as i32;
    y[i] = mix - shares(y[i], [x[i], 5, mix]);
}

#[flash::kernel]
pub(crate) fn product(a: View<'_, f32, 2>, b: View<'_, f32, 2>, #[out] c: ViewMut<'_, f32, 2>) {
    let (i, j) = (global_id(0), global_id(1));
    let mut sum = 0.0;
    for k in 0..a.extent(1) {
        sum += a[[j, k]] * b[[k, i]];
    }
    c[[j, i]] = sum;
}

#[flash::kernel]
pub(crate) fn casts(x: &[f64], n: &[i16], #[out] y: &mut [i64]) {
    let i = global_id(0);
    let flag = x[i] > 0.5;
    let a = x[i] as u8 as i64 + x[i] as i32 as i64 + x[i] as f32 as u64 as i64 + flag as i64;
    let b = n[i] as u32 as i8 as f32 + n[i] as f32 + (n[i] as u16 as f64) as f32 + i as f32;
    y[i] = (a + b as i64) ^ (n[i] * 3) as i64 ^ -(n[i] as i64) ^ (n[i] << i) as i64;
}

#[flash::kernel]
pub(crate) fn windows(x: &[f32], #[out] y: &mut [f32]) {
    let i = global_id(0);
    let mut window = [0.0_f32; 24];
    let weights = [x[i], 0.5, -1.0];
    for k in 0..24 {
        window[k] = weights[k % 3] * far::WEIGHTS[k / 6];
    }
    let chosen = if i % 2 == 0 { weights } else { [1.0; 3] };
    y[i] = window[i] + chosen[2] + far::total([window[0], window[1], window[2], 1.0]);
}

/// What ends an item, and what that must not overtake.
#[flash::kernel]
pub(crate) fn faults(n: i32, x: &[i32], step: &[usize], y: &mut [i32]) {
    let i = global_id(0);
    let quotient = x[i + 1] + x[i] / n;
    for k in (0..10_i32).step_by(step[i]) {
        y[i] += k % x[i];
    }
    y[i] /= n;
    y[i] = if x[i] > 0 && 7 % x[i] == 0 { quotient } else { x[i].rem_euclid(3) };
}

#[flash::kernel]
pub(crate) fn scatter(at: &[u32], x: &[f32], #[out(partial)] y: &mut [f32]) {
    let i = global_id(0);
    unsafe { y[at[i] as usize] = x[i + 1] * 2.0 };
}

#[flash::kernel]
pub(crate) fn deep(x: View<'_, i8, 4>, #[out] y: ViewMut<'_, i8, 4>) {
    let (a, b, c, d) = (global_id(0), global_id(1), global_id(2), global_id(3));
    y[[d, c, b, a]] = x[[d, c, b, a]] + global_size(3) as i8;
}

#[flash::kernel]
pub(crate) fn turns(x: &mut [usize]) {
    let i = global_id(0);
    x[i] = phase() * 10 + partition() + x.len();
}

#[flash::kernel(fast_math)]
pub(crate) fn fused(a: f32, x: &[f32], #[out] y: &mut [f32]) {
    let i = global_id(0);
    let mut sum = a * x[i] + 1.0;
    sum -= x[i] * a;
    y[i] = sum * a - (x[i] - a * a).sqrt();
}

#[flash::kernel]
pub(crate) fn counted(n: u8, m: i32, #[out] y: &mut [u32]) {
    let i = global_id(0);
    let mut sum = 0_u32;
    for k in 0..=n {
        if k == 3 {
            continue;
        }
        sum += k as u32;
    }
    for k in (-3..m).rev() {
        sum ^= k as u32;
    }
    for k in (2..=m).rev().step_by(4) {
        sum ^= k as u32;
    }
    let mut left = n;
    while left > 0 && (sum % left as u32) > 0 {
        left -= 1;
    }
    loop {
        sum += 1;
        if sum > 5 {
            break;
        }
    }
    y[i] = sum;
}

/// Names that C has taken, and names that are used again.
#[flash::kernel]
pub(crate) fn length(kernel: u32, global: &[u32], #[out] float: &mut [u32]) {
    let i = global_id(0);
    let double = global[i] + kernel;
    let double = double * 2;
    let int = {
        let double = double + 1;
        double
    };
    let uchar4 = int ^ double;
    float[i] = uchar4;
}

#[flash::kernel]
pub(crate) fn ratio(a: f32, x: &mut [f32]) {
    x[global_id(0)] /= a;
}

#[flash::kernel]
pub(crate) fn tangent(x: &mut [f32]) {
    let i = global_id(0);
    x[i] = x[i].tan();
}

use num_complex::{Complex, Complex32};

/// Operators of complex numbers are functions.
#[flash::kernel]
pub(crate) fn turned(by: Complex32, x: &[Complex32], y: &mut [Complex32]) {
    let i = global_id(0);
    let z = x[i] * by + 2.0 * y[i].conj();
    y[i] -= if z.norm_sqr() > 1.0 { Complex::new(z.im, -0.5) } else { z };
}

/// All of them.
pub(crate) const ALL: &[&flash_rt::KernelDescriptor] = &[
    saxpy::DESCRIPTOR,
    stencil::DESCRIPTOR,
    dot::DESCRIPTOR,
    histogram::DESCRIPTOR,
    drift::DESCRIPTOR,
    called::DESCRIPTOR,
    product::DESCRIPTOR,
    casts::DESCRIPTOR,
    windows::DESCRIPTOR,
    faults::DESCRIPTOR,
    scatter::DESCRIPTOR,
    deep::DESCRIPTOR,
    turns::DESCRIPTOR,
    fused::DESCRIPTOR,
    counted::DESCRIPTOR,
    length::DESCRIPTOR,
    ratio::DESCRIPTOR,
    tangent::DESCRIPTOR,
    turned::DESCRIPTOR,
];
