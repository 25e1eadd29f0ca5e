//! The kernels whose code `tests/disassembly.rs` reads.

use flash::__private::rt::KernelDescriptor;
use flash::{View, ViewMut, math};

/// Keeps every entry in the library.
#[unsafe(no_mangle)]
pub static KERNELS: [&KernelDescriptor; 8] = [
    saxpy::DESCRIPTOR,
    stencil3::DESCRIPTOR,
    stencil5::DESCRIPTOR,
    sobel::DESCRIPTOR,
    dot::DESCRIPTOR,
    forces::DESCRIPTOR,
    matrix::DESCRIPTOR,
    escape::DESCRIPTOR,
];

#[flash::kernel(inputs = 2)]
pub fn saxpy(a: f32, x: &[f32], y: &mut [f32]) {
    let i = global_id(0);
    y[i] = a * x[i] + y[i];
}

#[flash::kernel]
pub fn stencil3(x: &[f32], #[out(partial)] y: &mut [f32]) {
    let i = global_id(0);
    if i > 0 && i + 1 < x.len() {
        y[i] = 0.25 * x[i - 1] + 0.5 * x[i] + 0.25 * x[i + 1];
    }
}

#[flash::kernel]
pub fn stencil5(x: View<'_, f32, 2>, #[out(partial)] y: ViewMut<'_, f32, 2>) {
    let (j, i) = (global_id(1), global_id(0));
    if i > 0 && i + 1 < x.extent(1) && j > 0 && j + 1 < x.extent(0) {
        y[[j, i]] = 0.25 * (x[[j, i - 1]] + x[[j, i + 1]] + x[[j - 1, i]] + x[[j + 1, i]]);
    }
}

#[flash::kernel]
pub fn sobel(im: View<'_, u8, 2>, #[out(partial)] out: ViewMut<'_, u8, 2>) {
    let (j, i) = (global_id(1), global_id(0));
    let (h, w) = (im.extent(0), im.extent(1));
    if j > 0 && j + 1 < h && i > 0 && i + 1 < w {
        let (nw, n, ne) =
            (im[[j - 1, i - 1]] as f32, im[[j - 1, i]] as f32, im[[j - 1, i + 1]] as f32);
        let (sw, s, se) =
            (im[[j + 1, i - 1]] as f32, im[[j + 1, i]] as f32, im[[j + 1, i + 1]] as f32);
        let (west, east) = (im[[j, i - 1]] as f32, im[[j, i + 1]] as f32);
        let gv = (sw + 2.0 * s + se) - (nw + 2.0 * n + ne);
        let gh = (ne + 2.0 * east + se) - (nw + 2.0 * west + sw);
        out[[j, i]] = math::sqrt(gv * gv + gh * gh).min(255.0) as u8;
    }
}

#[flash::kernel]
pub fn dot(x: &[f64], y: &[f64], #[reduce(+)] s: &mut f64) {
    let i = global_id(0);
    *s += x[i] * y[i];
}

#[flash::kernel]
pub fn forces(mass: &[f32], x: &[f32], #[out] ax: &mut [f32]) {
    let i = global_id(0);
    let xi = x[i];
    let mut sum = 0.0_f32;
    for j in 0..mass.len() {
        let dx = x[j] - xi;
        sum += mass[j] * dx / (dx * dx + 1e-3).sqrt();
    }
    ax[i] = sum;
}

#[flash::kernel]
pub fn matrix(a: View<'_, f32, 2>, b: View<'_, f32, 2>, #[out] c: ViewMut<'_, f32, 2>) {
    let (j, i) = (global_id(1), global_id(0));
    let mut sum = 0.0_f32;
    for k in 0..a.extent(1) {
        sum += a[[j, k]] * b[[k, i]];
    }
    c[[j, i]] = sum;
}

#[derive(Clone, Copy, Debug, flash::Pod)]
#[repr(C)]
pub struct Window {
    pub left: f32,
    pub step: f32,
}

#[flash::kernel]
pub fn escape(window: Window, most: i32, #[out] steps: &mut [i32]) {
    let i = global_id(0);
    let c = window.left + window.step * i as f32;
    let mut x = 0.0_f32;
    let mut k = 0;
    while x * x <= 4.0 && k < most {
        x = x * x + c;
        k += 1;
    }
    steps[i] = k;
}
