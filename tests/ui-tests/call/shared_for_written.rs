// `&y` where `&mut y` is due.
use flash::prelude::*;

#[flash::kernel(inputs = 2)]
fn saxpy(a: f32, x: &[f32], y: &mut [f32]) {
    let i = global_id(0);
    y[i] = a * x[i] + y[i];
}

fn main() {
    let x = Buffer::<f32>::zeros(8);
    let y = Buffer::<f32>::zeros(8);
    let _ = saxpy(2.0, &x, &y);
}
