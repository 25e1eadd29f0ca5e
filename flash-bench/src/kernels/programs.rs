//! The kernels of whole programs.

use std::f32::consts::FRAC_1_SQRT_2;

use flash::prelude::*;

/// What all other bodies pull a body to.
#[flash::kernel(inputs = 4)]
pub(crate) fn accelerate(
    mass: &[f32],
    x: &[f32],
    y: &[f32],
    z: &[f32],
    #[out] ax: &mut [f32],
    #[out] ay: &mut [f32],
    #[out] az: &mut [f32],
) {
    let i = global_id(0);
    let (xi, yi, zi) = (x[i], y[i], z[i]);
    let mut fx = 0.0_f32;
    let mut fy = 0.0_f32;
    let mut fz = 0.0_f32;
    for j in 0..mass.len() {
        let dx = x[j] - xi;
        let dy = y[j] - yi;
        let dz = z[j] - zi;
        let inverse = 1.0 / (dx * dx + dy * dy + dz * dz + 1e-3).sqrt();
        let pull = mass[j] * inverse * inverse * inverse;
        fx += dx * pull;
        fy += dy * pull;
        fz += dz * pull;
    }
    ax[i] = fx;
    ay[i] = fy;
    az[i] = fz;
}

#[flash::device]
fn normal(x: f32) -> f32 {
    0.5 * (1.0 + math::erf(x * FRAC_1_SQRT_2))
}

/// The price of a call option.
#[flash::kernel(inputs = 5)]
pub(crate) fn black_scholes(
    rate: f32,
    volatility: f32,
    spot: &[f32],
    strike: &[f32],
    time: &[f32],
    #[out] call: &mut [f32],
) {
    let i = global_id(0);
    let sd = volatility * time[i].sqrt();
    let d1 = (math::ln(spot[i] / strike[i]) + rate * time[i]) / sd + 0.5 * sd;
    let discount = math::exp(-rate * time[i]);
    call[i] = spot[i] * normal(d1) - strike[i] * discount * normal(d1 - sd);
}

/// One step of heat along a rod whose ends keep their temperature.
#[flash::kernel(inputs = 1)]
pub(crate) fn rod(u: &[f32], #[out(partial)] next: &mut [f32]) {
    let i = global_id(0);
    if i > 0 && i + 1 < u.len() {
        next[i] = 0.5 * (u[i + 1] - 2.0 * u[i] + u[i - 1]) + u[i];
    }
}
