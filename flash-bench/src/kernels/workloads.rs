//! The kernels of the paper's workloads that have an example of their own. None is tuned further
//! than there.

use flash::prelude::*;

/// One step of the temperature of a chip.
#[flash::kernel]
pub(crate) fn hotspot(
    step: f32,
    power: View<'_, f32, 2>,
    old: View<'_, f32, 2>,
    #[out] new: ViewMut<'_, f32, 2>,
) {
    let (j, i) = (global_id(1), global_id(0));
    let (rows, columns) = (old.extent(0), old.extent(1));
    let t = old[[j, i]];
    let mut north = t;
    let mut south = t;
    let mut west = t;
    let mut east = t;
    if j > 0 {
        north = old[[j - 1, i]];
    }
    if j + 1 < rows {
        south = old[[j + 1, i]];
    }
    if i > 0 {
        west = old[[j, i - 1]];
    }
    if i + 1 < columns {
        east = old[[j, i + 1]];
    }
    let flow = power[[j, i]]
        + (south + north - 2.0 * t) * 0.1
        + (east + west - 2.0 * t) * 0.1
        + (80.0 - t) * 0.001;
    new[[j, i]] = t + step * flow;
}

/// One step of an acoustic wave.
#[flash::kernel]
pub(crate) fn wave(now: View<'_, f32, 2>, speed: View<'_, f32, 2>, next: ViewMut<'_, f32, 2>) {
    let (j, i) = (global_id(1), global_id(0));
    let (rows, columns) = (now.extent(0), now.extent(1));
    if j > 0 && j + 1 < rows && i > 0 && i + 1 < columns {
        let here = now[[j, i]];
        let around = now[[j, i + 1]] + now[[j, i - 1]] + now[[j + 1, i]] + now[[j - 1, i]];
        next[[j, i]] = 2.0 * here - next[[j, i]] + speed[[j, i]] * (around - 4.0 * here);
    }
}

/// A convolution whose window is one pixel, with scale, bias and rectifier.
#[flash::kernel]
pub(crate) fn convolution(
    image: View<'_, f32, 2>,
    weights: View<'_, f32, 2>,
    scale: &[f32],
    bias: &[f32],
    #[out] result: ViewMut<'_, f32, 2>,
) {
    let (pixel, channel) = (global_id(1), global_id(0));
    let mut sum = 0.0_f32;
    for k in 0..image.extent(1) {
        sum += image[[pixel, k]] * weights[[k, channel]];
    }
    let value = scale[channel] * sum + bias[channel];
    result[[pixel, channel]] = if value > 0.0 { value } else { 0.0 };
}

/// How well each key fits a query, and the sum of that.
#[flash::kernel]
pub(crate) fn weigh(
    key: View<'_, f32, 2>,
    query: &[f32],
    #[out] weight: &mut [f32],
    #[reduce(+)] total: &mut f32,
) {
    let i = global_id(0);
    let mut fit = 0.0_f32;
    for j in 0..query.len() {
        fit += key[[i, j]] * query[j];
    }
    let e = math::exp(fit);
    weight[i] = e;
    *total += e;
}

/// Values, each as much as its key weighs.
#[flash::kernel]
pub(crate) fn blend(
    total: f32,
    weight: &[f32],
    value: View<'_, f32, 2>,
    #[out] result: &mut [f32],
) {
    let j = global_id(0);
    let mut sum = 0.0_f32;
    for i in 0..weight.len() {
        sum += weight[i] * value[[i, j]];
    }
    result[j] = sum / total;
}

/// Cells along a side of the square in which particles walk.
pub(crate) const SIDE: usize = 22;
const PLANE: usize = SIDE * SIDE;

/// All steps of each particle, with counts of the cells it comes through.
#[flash::kernel]
pub(crate) fn walk(
    dx: View<'_, f32, 2>,
    dy: View<'_, f32, 2>,
    x: &mut [f32],
    y: &mut [f32],
    counts: &[Atomic<u32>],
) {
    let p = global_id(0);
    let mut px = x[p];
    let mut py = y[p];
    let mut was = 0_u32;
    for k in 0..dx.extent(0) {
        px += dx[[k, p]];
        py += dy[[k, p]];
        let column = math::floor(px + 0.5);
        let row = math::floor(py + 0.5);
        let in_grid = column >= 0.0 && column < SIDE as f32 && row >= 0.0 && row < SIDE as f32;
        let off = (px - column) * (px - column) + (py - row) * (py - row);
        let mut now = 0_u32;
        if in_grid && off <= 0.25 {
            now = row as u32 * SIDE as u32 + column as u32 + 1;
            counts[now as usize - 1].fetch_add(1);
        }
        if now != was {
            if was > 0 {
                counts[PLANE + was as usize - 1].fetch_sub(1);
            }
            if now > 0 {
                counts[PLANE + now as usize - 1].fetch_add(1);
                counts[2 * PLANE + now as usize - 1].fetch_add(1);
            }
        }
        was = now;
    }
    x[p] = px;
    y[p] = py;
}
