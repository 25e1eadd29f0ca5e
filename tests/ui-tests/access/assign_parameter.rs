// Rule: parameters are not assigned.
#[flash::kernel]
fn k(a: f32, x: &[f32], y: &mut [f32]) {
    let i = global_id(0);
    a += 1.0;
    y[i] = a * x[i];
}

fn main() {}
