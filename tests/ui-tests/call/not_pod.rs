// A structure without `Pod` as a value.
use flash::prelude::*;

#[derive(Clone, Copy)]
struct P {
    a: f32,
}

#[flash::kernel]
fn k(p: P, y: &mut [f32]) {
    y[global_id(0)] = p.a;
}

fn main() {
    let mut y = Buffer::<f32>::zeros(8);
    let _ = k(P { a: 1.0 }, &mut y);
}
