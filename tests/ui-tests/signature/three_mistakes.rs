// Three mistakes give three errors, and calls give none.
use flash::prelude::*;

#[flash::kernel(inputs = 1, prat_by = rows)]
fn saxpy(a: f32, x: &[f32], y: &mut [f32]) {
    let i = global_id(0);
    x[i] = a;
    y[i] = x[i];
}

fn main() {
    let x = Buffer::<f32>::zeros(8);
    let mut y = Buffer::<f32>::zeros(8);
    let _ = saxpy(2.0, &x, &mut y).over([8]);
}
