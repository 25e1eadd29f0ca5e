// Functions of complex numbers that have no same bits everywhere are written with their parts.
use num_complex::Complex;

#[flash::kernel]
fn k(x: &[Complex<f32>], y: &mut [f32]) {
    let i = global_id(0);
    y[i] = x[i].norm();
}

#[flash::kernel]
fn root(x: &[Complex<f32>], y: &mut [Complex<f32>]) {
    let i = global_id(0);
    y[i] = x[i].sqrt();
}

fn main() {}
