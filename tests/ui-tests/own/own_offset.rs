// Rule: a written array has one own place.
#[flash::kernel]
fn k(n: usize, x: &[f32], y: &mut [f32]) {
    let i = global_id(0);
    y[i] = x[i];
    y[i + n] = x[i];
}

fn main() {}
