//! Safe bodies that read neighbours behind a guard.

use flash::{View, ViewMut};

/// The weighted mean of three neighbours; the ends stay.
#[flash::kernel(inputs = 1)]
pub(crate) fn stencil3(x: &[f32], #[out(partial)] y: &mut [f32]) {
    let i = global_id(0);
    if i > 0 && i + 1 < x.len() {
        y[i] = 0.25 * x[i - 1] + 0.5 * x[i] + 0.25 * x[i + 1];
    }
}

/// The mean of four neighbours; the border stays.
#[flash::kernel(inputs = 1)]
pub(crate) fn stencil5(x: View<'_, f32, 2>, #[out(partial)] y: ViewMut<'_, f32, 2>) {
    let (j, i) = (global_id(1), global_id(0));
    if j > 0 && j + 1 < x.extent(0) && i > 0 && i + 1 < x.extent(1) {
        y[[j, i]] = 0.25 * (x[[j, i - 1]] + x[[j, i + 1]] + x[[j - 1, i]] + x[[j + 1, i]]);
    }
}

/// The size of the gradient of a picture.
#[flash::kernel(inputs = 1)]
pub(crate) fn sobel(im: View<'_, u8, 2>, #[out(partial)] out: ViewMut<'_, u8, 2>) {
    let (j, i) = (global_id(1), global_id(0));
    let (h, w) = (im.extent(0), im.extent(1));
    if j > 0 && j + 1 < h && i > 0 && i + 1 < w {
        let right =
            im[[j - 1, i + 1]] as f32 + 2.0 * im[[j, i + 1]] as f32 + im[[j + 1, i + 1]] as f32;
        let left =
            im[[j - 1, i - 1]] as f32 + 2.0 * im[[j, i - 1]] as f32 + im[[j + 1, i - 1]] as f32;
        let below =
            im[[j + 1, i - 1]] as f32 + 2.0 * im[[j + 1, i]] as f32 + im[[j + 1, i + 1]] as f32;
        let above =
            im[[j - 1, i - 1]] as f32 + 2.0 * im[[j - 1, i]] as f32 + im[[j - 1, i + 1]] as f32;
        let (gx, gy) = (right - left, below - above);
        let m = (gx * gx + gy * gy).sqrt();
        out[[j, i]] = m.min(255.0) as u8;
    }
}
