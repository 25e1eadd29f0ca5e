// Rule: `sort_by` is reserved.
#[flash::kernel(sort_by(y, x))]
fn k(x: &[f32], y: &mut [f32]) {
    let i = global_id(0);
    y[i] = x[i];
}

fn main() {}
