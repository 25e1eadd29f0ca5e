// Rule: dimensions in options count from 1 or are letters.
#[flash::kernel(sort_by(0))]
fn k(x: &[f32], y: &mut [f32]) {
    let i = global_id(0);
    y[i] = x[i];
}

fn main() {}
