//! Kernels limited by memory.

/// y = a x + y
#[flash::kernel(inputs = 2)]
pub(crate) fn saxpy(a: f32, x: &[f32], y: &mut [f32]) {
    let i = global_id(0);
    y[i] = a * x[i] + y[i];
}

/// a = b + s c
#[flash::kernel(inputs = 3)]
pub(crate) fn triad(s: f64, b: &[f64], c: &[f64], #[out] a: &mut [f64]) {
    let i = global_id(0);
    a[i] = b[i] + s * c[i];
}

/// s = x . y
#[flash::kernel(inputs = 2)]
pub(crate) fn dot(x: &[f64], y: &[f64], #[reduce(+)] s: &mut f64) {
    let i = global_id(0);
    *s += x[i] * y[i];
}
