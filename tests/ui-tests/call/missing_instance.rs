// An instance that is not listed.
use flash::prelude::*;

#[flash::kernel(T = [f32, f64])]
fn axpy<T>(a: T, x: &[T], y: &mut [T]) {
    let i = global_id(0);
    y[i] = a * x[i] + y[i];
}

fn main() {
    let x = Buffer::<u32>::zeros(8);
    let mut y = Buffer::<u32>::zeros(8);
    let _ = axpy(2_u32, &x, &mut y);
}
