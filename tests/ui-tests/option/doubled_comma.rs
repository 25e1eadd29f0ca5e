// Rule: something stands before each comma.
#[flash::kernel(requires(f64,, atomics))]
fn k(x: &[f32], y: &mut [f32]) {
    let i = global_id(0);
    y[i] = x[i];
}

fn main() {}
